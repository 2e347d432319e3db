/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sees_dialog(const char *name, uint32_t kind, const char *text)
{
    aper_act_result *result = agent_click(tab, name);
    ck_assert(agent_saw(result, APER_EFFECT_DIALOG));
    aper_dialog *dialog = aper_act_result_get_dialog(result);
    ck_assert_ptr_nonnull(dialog);
    ck_assert_uint_eq(aper_dialog_get_kind(dialog), kind);
    ck_assert_str_eq(aper_dialog_get_text(dialog), text);
    agent_has(aper_act_result_get_outcome(result), text);
    aper_act_result_unref(result);
}

START_TEST(a_dialog_is_told_by_the_click_that_opened_it)
{
    show("/dialogs.html");
    static const char *const names[] = {"Later confirm", "Confirm"};
    static const char *const texts[] = {"Really?", "Now?"};
    for (int i = 0; i < 2; i++) {
        char *ref = agent_ref(tab, names[i]);
        sees_dialog(names[i], APER_DIALOG_CONFIRM, texts[i]);
        agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_DIALOG, "");
        LIVE_CHECK(APER_OK, aper_tab_answer_dialog(tab, i, NULL, NULL), NULL);
        aper_wait_options wait = {
            .size = sizeof wait, .text = i ? "confirm true" : "confirm false"};
        LIVE_CHECK(APER_OK, aper_tab_wait(tab, &wait, NULL), NULL);
        free(ref);
    }
    sees_dialog("Prompt", APER_DIALOG_PROMPT, "Who?");
    LIVE_CHECK(APER_OK, aper_tab_answer_dialog(tab, 1, "you", NULL), NULL);
    ck_assert(agent_page_has(tab, "prompt you"));
    leave();
}
END_TEST

START_TEST(a_dialog_that_was_answered_is_told)
{
    show("/dialogs.html");
    sees_dialog("Alert", APER_DIALOG_ALERT, "Note");
    ck_assert(agent_page_has(tab, "alerted"));
    sees_dialog("Print", APER_DIALOG_PRINT, "");
    /* Each print is told once. */
    aper_act_result *result = agent_click(tab, "Push");
    ck_assert(!agent_saw(result, APER_EFFECT_DIALOG));
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(where_a_click_leads_is_told)
{
    show("/dialogs.html");
    aper_act_result *result = agent_click(tab, "Fragment");
    ck_assert(agent_saw(result, APER_EFFECT_NAVIGATION));
    agent_has(aper_act_result_get_outcome(result), "address is now");
    aper_act_result_unref(result);
    result = agent_click(tab, "Push");
    ck_assert(agent_saw(result, APER_EFFECT_NAVIGATION));
    aper_act_result_unref(result);
    result = agent_click(tab, "Second");
    agent_has(aper_act_result_get_outcome(result), "navigated to \"http://");
    agent_has(aper_act_result_get_outcome(result), "/second.html\"");
    ck_assert(aper_diff_is_reset(aper_act_result_get_diff(result)));
    agent_has(aper_snapshot_get_url(aper_act_result_get_snapshot(result)),
        "/second.html");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(what_a_click_sets_going_is_waited_for)
{
    show("/dialogs.html");
    aper_act_result *result = agent_click(tab, "Fetch");
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
        "\"fetched\"");
    aper_act_result_unref(result);
    result = agent_click(tab, "Slow");
    ck_assert(agent_saw(result, APER_EFFECT_NAVIGATION));
    agent_has(aper_snapshot_get_title(aper_act_result_get_snapshot(result)),
        "Second");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(tabs_that_open_and_close_are_told)
{
    show("/dialogs.html");
    aper_act_result *result = agent_click(tab, "Popup");
    ck_assert(agent_saw(result, APER_EFFECT_NEW_TAB));
    const char *text = NULL;
    for (size_t i = 0; i < aper_act_result_get_effect_count(result); i++)
        if (aper_act_result_get_effect_kind(result, i)
            == APER_EFFECT_NEW_TAB)
            text = aper_act_result_get_effect_text(result, i);
    char id[64];
    ck_assert_int_eq(sscanf(text, "opened tab %63s", id), 1);
    aper_act_result_unref(result);
    aper_tab *popup = NULL;
    LIVE_CHECK(APER_OK, aper_browser_find_tab(browser, id, &popup, NULL),
               NULL);
    aper_tab *opener = tab;
    aper_wait_options loaded = {.size = sizeof loaded, .url = "second.html",
                                .loaded = 1};
    LIVE_CHECK(APER_OK, aper_tab_wait(popup, &loaded, NULL), NULL);
    tab = popup;
    aper_free(live_eval(tab, "document.body.innerHTML ="
                             " '<button onclick=\"window.close()\">Bye</button>'"));
    result = agent_click(tab, "Bye");
    ck_assert(agent_saw(result, APER_EFFECT_TAB_CLOSED));
    ck_assert_ptr_null(aper_act_result_get_snapshot(result));
    aper_act_result_unref(result);
    aper_tab_unref(popup);
    tab = opener;
    leave();
}
END_TEST

START_TEST(a_page_that_asks_before_it_is_left_is_told)
{
    show("/beforeunload.html");
    aper_free(live_eval(tab,
        "document.body.insertAdjacentHTML('beforeend',"
        " '<a href=\"second.html\">Away</a><button>Touch</button>'), 1"));
    /* Only a page that was used may ask. */
    aper_act_result_unref(agent_click(tab, "Touch"));
    sees_dialog("Away", APER_DIALOG_BEFOREUNLOAD, "");
    LIVE_CHECK(APER_OK, aper_tab_answer_dialog(tab, 1, NULL, NULL), NULL);
    aper_wait_options away = {.size = sizeof away, .url = "second.html"};
    LIVE_CHECK(APER_OK, aper_tab_wait(tab, &away, NULL), NULL);
    leave();
}
END_TEST

START_TEST(results_outlive_the_tab_while_referenced)
{
    show("/form.html");
    aper_act_result *first = agent_do(tab, APER_ACT_FILL, "Name", "Ada");
    aper_act_result *result = aper_act_result_ref(first);
    aper_act_result_unref(first);
    aper_diff *diff = aper_diff_ref(aper_act_result_get_diff(result));
    aper_snapshot *snapshot =
        aper_snapshot_ref(aper_act_result_get_snapshot(result));
    aper_act_result_unref(result);
    leave();
    size_t name = aper_snapshot_find_text(snapshot, "ada", 0);
    ck_assert_str_eq(aper_snapshot_get_node_value(snapshot, name), "Ada");
    ck_assert_str_eq(aper_snapshot_get_node_states(snapshot, name),
                     "required focused");
    ck_assert_str_eq(aper_snapshot_get_node_href(snapshot, name), "");
    agent_has(aper_diff_get_text(diff), "\"Ada\"");
    aper_diff_unref(diff);
    aper_snapshot_unref(snapshot);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_dialog_is_told_by_the_click_that_opened_it,
        a_dialog_that_was_answered_is_told,
        where_a_click_leads_is_told,
        what_a_click_sets_going_is_waited_for,
        tabs_that_open_and_close_are_told,
        a_page_that_asks_before_it_is_left_is_told,
        results_outlive_the_tab_while_referenced};
    Suite *suite = suite_create("effects");
    TCase *all = tcase_create("effects");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
