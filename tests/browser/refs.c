/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(an_inserted_sibling_moves_no_ref)
{
    show("/families.html");
    char *ref = agent_ref(tab, "B");
    aper_free(live_eval(tab,
        "document.getElementById('top').insertAdjacentHTML('afterbegin',"
        " '<button onclick=\"hit(this)\">A</button>'), 1"));
    aper_snapshot_unref(agent_see(tab));
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref};
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'hit B'");
    free(ref);
    leave();
}
END_TEST

START_TEST(rows_are_told_apart_by_what_they_say)
{
    show("/families.html");
    char *first = agent_nth_ref(tab, "Delete", 0);
    char *fifth = agent_nth_ref(tab, "Delete", 4);
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = first};
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'deleted apple'");
    /* Every row was drawn anew; the fifth fruit is still the fifth fruit. */
    click.ref = fifth;
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'deleted elderberry'");
    agent_refused(tab, APER_ACT_CLICK, first, NULL, APER_E_STALE, "removed");
    free(first);
    free(fifth);
    leave();
}
END_TEST

START_TEST(twins_die_together_when_their_number_changes)
{
    show("/families.html");
    char *first = agent_nth_ref(tab, "Drop", 0);
    char *second = agent_nth_ref(tab, "Drop", 1);
    ck_assert(agent_page_has(tab, "* \"Drop\""));
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = first};
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    agent_refused(tab, APER_ACT_CLICK, second, NULL, APER_E_STALE,
            "nothing but their order tells apart");
    agent_holds(tab, "same.childElementCount === 2");
    /* Back to as many as before, but they are others. */
    aper_free(live_eval(tab, "twins(3), 1"));
    aper_snapshot_unref(agent_see(tab));
    agent_refused(tab, APER_ACT_CLICK, second, NULL, APER_E_STALE, "");
    free(first);
    free(second);
    leave();
}
END_TEST

START_TEST(a_lone_element_in_another_row_is_another)
{
    show("/families.html");
    aper_free(live_eval(tab, "fruits.splice(1), draw(), 1"));
    char *ref = agent_ref(tab, "Delete");
    aper_free(live_eval(tab, "fruits[0] = 'zucchini', draw(), 1"));
    agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_STALE, "removed");
    char *other = agent_ref(tab, "Delete");
    ck_assert_str_ne(ref, other);
    agent_holds(tab, "fruits.length === 1");
    free(ref);
    free(other);
    leave();
}
END_TEST

START_TEST(refs_of_a_page_that_was_left_are_stale)
{
    show("/form.html");
    char *ref = agent_ref(tab, "Dead");
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_STALE, "another document");
    agent_refused(tab, APER_ACT_CLICK, "e999999", NULL, APER_E_NO_REF, "ever had");
    agent_refused(tab, APER_ACT_CLICK, "e12", NULL, APER_E_NO_REF, "no ref");
    agent_refused(tab, APER_ACT_CLICK, "e123456 x", NULL, APER_E_NO_REF, "no ref");
    free(ref);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_inserted_sibling_moves_no_ref,
        rows_are_told_apart_by_what_they_say,
        twins_die_together_when_their_number_changes,
        a_lone_element_in_another_row_is_another,
        refs_of_a_page_that_was_left_are_stale};
    Suite *suite = suite_create("refs");
    TCase *all = tcase_create("refs");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
