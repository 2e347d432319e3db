/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that move, cover, turn, hang and lie. */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the page itself says was hit. */
static void hits(const char *name, const char *script)
{
    aper_act_result_unref(agent_click(tab, name));
    agent_holds(tab, script);
}

static void is_refused_after(const char *script, const char *name,
                             const char *why)
{
    char *ref = agent_ref(tab, name);
    aper_free(live_eval(tab, script));
    agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_NOT_ACTIONABLE, why);
    agent_holds(tab, "o.textContent === '-'");
    /* Once it was read anew it can be used. */
    aper_snapshot_unref(agent_see(tab));
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref};
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    aper_free(live_eval(tab, "o.textContent = '-'"));
    free(ref);
}

START_TEST(what_became_another_since_it_was_read_is_not_used)
{
    show("/moving.html");
    is_refused_after("swapRows()", "Delete", "button Delete in Bob");
    is_refused_after("swapLabels()", "Yes", "button No");
    leave();
}
END_TEST

START_TEST(what_the_pointer_uncovers_or_moves_is_looked_at_again)
{
    show("/moving.html");
    agent_refused_by_name(tab, APER_ACT_CLICK, "moveover", NULL,
                          APER_E_NOT_ACTIONABLE, "overlay");
    agent_holds(tab, "o.textContent === '-'");
    hits("runaway", "o.textContent === 'moved hit'");
    leave();
}
END_TEST

START_TEST(scaled_zoomed_turned_and_nested_elements_are_met)
{
    static const char *const names[] = {"scaled", "scrolledin", "zoomed",
                                        "zf", "r30", "nested", "fixed",
                                        "bottom"};
    show("/geometry.html");
    aper_emulation_options dense = {.size = sizeof dense, .width = 800,
                                    .height = 600, .scale_permille = 2000};
    for (int i = 0; i < 2; i++) {
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            char script[80];
            snprintf(script, sizeof script, "o.textContent === 'hit %s'",
                     names[n]);
            hits(names[n], script);
        }
        LIVE_CHECK(APER_OK, aper_tab_emulate(tab, &dense, NULL), NULL);
    }
    agent_refused_by_name(tab, APER_ACT_CLICK, "rot", NULL,
                          APER_E_NOT_ACTIONABLE, "turned");
    leave();
}
END_TEST

START_TEST(a_frame_without_scripts_is_used_without_waiting_for_them)
{
    show("/sandbox.html");
    aper_act_result_unref(agent_click(tab, "Inert"));
    aper_act_result *result = agent_do(tab, APER_ACT_FILL, "Still", "water");
    agent_has(aper_act_result_get_outcome(result), "value is now \"water\"");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_tag_says_nothing_in_our_words)
{
    show("/sandbox.html");
    aper_act_result *result = agent_click(tab, "Odd");
    ck_assert_ptr_null(strstr(aper_act_result_get_outcome(result), "tab 7"));
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_tab_whose_page_hangs_can_be_navigated)
{
    static const char *const names[] = {"Spin", "Nag"};
    for (int i = 0; i < 2; i++) {
        show("/stuck.html");
        char *ref = agent_ref(tab, names[i]);
        aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref,
                                  .timeout_ms = 2000};
        agent_act(tab, &click, APER_E_TIMEOUT, NULL);
        free(ref);
        aper_navigation_unref(live_go(tab, server, "/second.html"));
        ck_assert(agent_page_has(tab, "Second"));
        leave();
    }
}
END_TEST

START_TEST(a_page_that_waits_for_its_server_is_left_alone)
{
    show("/blank.html");
    aper_free(live_eval(tab,
        "document.body.innerHTML = '<a href=\"/hang\">Wait</a>', 1"));
    char *ref = agent_ref(tab, "Wait");
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref,
                              .settle_ms = 500};
    aper_act_result *result = agent_act(tab, &click, APER_OK, NULL);
    agent_has(aper_act_result_get_outcome(result),
              "a navigation is under way");
    ck_assert_ptr_null(aper_act_result_get_snapshot(result));
    aper_act_result_unref(result);
    free(ref);
    leave();
}
END_TEST

START_TEST(printing_during_load_is_told)
{
    show("/blank.html");
    aper_navigation_unref(live_go(tab, server, "/print-on-load.html"));
    aper_event *event = live_event(browser, APER_EVENT_DIALOG_OPENED);
    ck_assert_uint_eq(aper_dialog_get_kind(aper_event_get_dialog(event)),
                      APER_DIALOG_PRINT);
    aper_event_unref(event);
    ck_assert(agent_page_has(tab, "Ticket"));
    /* What tells it is not on the page's console. */
    aper_log *log = NULL;
    LIVE_CHECK(APER_OK, aper_tab_get_console(tab, 0, &log), NULL);
    ck_assert_uint_eq(aper_log_get_count(log), 0);
    aper_log_unref(log);
    leave();
}
END_TEST

START_TEST(secrets_in_addresses_and_unmasked_fields_are_not_read)
{
    show("/blank.html");
    /* From the first reading on every document is watched from its start. */
    aper_snapshot_unref(agent_see(tab));
    aper_navigation_unref(live_go(tab, server, "/credentials.html"));
    ck_assert(agent_page_has(tab, "http://127.0.0.1/x"));
    ck_assert(!agent_page_has(tab, "hush"));
    ck_assert(agent_page_has(tab, "button"));
    aper_error *error = NULL;
    ck_assert_int_eq(aper_tab_navigate(tab, "http://u:hush@127.0.0.1:1/", NULL,
                                       NULL, &error), APER_E_NAVIGATION);
    ck_assert_ptr_null(strstr(aper_error_get_message(error), "hush"));
    aper_error_unref(error);
    leave();
}
END_TEST

START_TEST(every_dialog_of_an_action_is_counted)
{
    show("/credentials.html");
    aper_act_result *result = agent_click(tab, "Twice");
    agent_has(aper_act_result_get_outcome(result),
              "the last of 2: \"two\"");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_drawing_is_a_page)
{
    show("/drawing.svg");
    ck_assert(agent_page_has(tab, "svg text"));
    aper_act_result *result = agent_click(tab, "svg link");
    ck_assert(agent_saw(result, APER_EFFECT_NAVIGATION));
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(hosts_that_match_nothing_are_refused)
{
    const char *hosts[] = {"b\xc3\xbc" "cher.de", NULL};
    aper_policy_options policy = {.size = sizeof policy, .deny_hosts = hosts};
    ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL),
                     APER_E_INVAL);
    hosts[0] = "example.org:80";
    ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL),
                     APER_E_INVAL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        printing_during_load_is_told, /* before any other dialog */
        what_became_another_since_it_was_read_is_not_used,
        what_the_pointer_uncovers_or_moves_is_looked_at_again,
        scaled_zoomed_turned_and_nested_elements_are_met,
        a_frame_without_scripts_is_used_without_waiting_for_them,
        a_tag_says_nothing_in_our_words,
        a_tab_whose_page_hangs_can_be_navigated,
        a_page_that_waits_for_its_server_is_left_alone,
        secrets_in_addresses_and_unmasked_fields_are_not_read,
        every_dialog_of_an_action_is_counted,
        a_drawing_is_a_page,
        hosts_that_match_nothing_are_refused};
    Suite *suite = suite_create("hostile");
    TCase *all = tcase_create("hostile");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
