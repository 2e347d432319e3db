/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

static void wait_until(aper_wait_options wanted, aper_status want)
{
    aper_error *error = NULL;
    wanted.size = sizeof wanted;
    aper_status status = aper_tab_wait(tab, &wanted, &error);
    LIVE_CHECK(want, status, error);
}

START_TEST(text_that_comes_and_goes_is_waited_for)
{
    show("/wait.html");
    wait_until((aper_wait_options){.text = "Ready now",
                                   .text_gone = "Loading"}, APER_OK);
    ck_assert(agent_page_has(tab, "Ready now"));
    wait_until((aper_wait_options){.text = "Deep text"}, APER_OK);
    wait_until((aper_wait_options){.url = "step=2", .loaded = 1}, APER_OK);
    leave();
}
END_TEST

START_TEST(a_wait_outlives_a_navigation)
{
    show("/blank.html");
    aper_free(live_eval(tab, "setTimeout(() => { location = '/wait.html'; },"
                             " 200)"));
    wait_until((aper_wait_options){.text = "Ready now"}, APER_OK);
    leave();
}
END_TEST

static void wait_in_vain(aper_wait_options wanted, const char *why)
{
    aper_error *error = NULL;
    wanted.size = sizeof wanted;
    wanted.timeout_ms = 1000;
    ck_assert_int_eq(aper_tab_wait(tab, &wanted, &error), APER_E_TIMEOUT);
    agent_has(aper_error_get_message(error), why);
    agent_has(aper_error_get_message(error), "/first.html\"");
    aper_error_unref(error);
}

START_TEST(a_wait_in_vain_says_what_was_missing_and_where_the_page_is)
{
    show("/first.html");
    aper_free(live_eval(tab, "document.body.textContent = 'Hello'"));
    wait_in_vain((aper_wait_options){.text = "Never", .loaded = 1},
                 "the page does not show \"Never\"");
    wait_in_vain((aper_wait_options){.text = "Hello", .url = "first",
                                     .text_gone = "Hel"},
                 "the page still shows \"Hel\"");
    wait_in_vain((aper_wait_options){.text = "Never", .url = "elsewhere"},
                 "the page's address has no \"elsewhere\"");
    leave();
}
END_TEST

START_TEST(a_dialog_ends_a_wait)
{
    show("/blank.html");
    live_eval_later(tab, "setTimeout(() => confirm('Well?'), 300)");
    wait_until((aper_wait_options){.text = "Never"}, APER_E_DIALOG);
    LIVE_CHECK(APER_OK, aper_tab_answer_dialog(tab, 1, NULL, NULL), NULL);
    leave();
}
END_TEST

START_TEST(waiting_works_as_a_started_call_and_is_cancelled)
{
    show("/wait.html");
    aper_wait_options wanted = {.size = sizeof wanted, .text = "Ready now"};
    aper_wait_options never = {.size = sizeof never, .text_gone = "now",
                               .url = "nowhere"};
    ck_assert_int_eq(aper_tab_wait_start(tab, &wanted, 1, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_wait_start(tab, &never, 2, NULL), APER_OK);
    aper_event *event = live_completion(browser, 1);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    aper_event_unref(event);
    ck_assert_int_eq(aper_browser_cancel(browser, 2), APER_OK);
    event = live_completion(browser, 2);
    ck_assert_int_eq(aper_event_get_status(event), APER_E_CANCELLED);
    aper_event_unref(event);
    leave();
}
END_TEST

START_TEST(waiting_for_nothing_is_refused)
{
    show("/blank.html");
    wait_until((aper_wait_options){.timeout_ms = 10}, APER_E_INVAL);
    wait_until((aper_wait_options){.text = "\xff"}, APER_E_INVAL);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        text_that_comes_and_goes_is_waited_for, a_wait_outlives_a_navigation,
        a_wait_in_vain_says_what_was_missing_and_where_the_page_is,
        a_dialog_ends_a_wait,
        waiting_works_as_a_started_call_and_is_cancelled,
        waiting_for_nothing_is_refused};
    Suite *suite = suite_create("wait");
    TCase *all = tcase_create("wait");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
