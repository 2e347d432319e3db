/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_events(void)
{
    aper_event *event;
    while (aper_browser_next_event(browser, 0, &event) == APER_OK)
        aper_event_unref(event);
}

static void answer(int accept, const char *text)
{
    aper_error *error = NULL;
    aper_status status = aper_tab_answer_dialog(tab, accept, text, &error);
    LIVE_CHECK(APER_OK, status, error);
}

START_TEST(a_confirm_is_an_event_and_is_answered_by_call)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    drop_events();
    live_eval_later(tab, "window.answer = confirm('Sure\\u202e\\n?');");
    aper_event *event = live_event(browser, APER_EVENT_DIALOG_OPENED);
    aper_dialog *dialog = aper_event_get_dialog(event);
    ck_assert_uint_eq(aper_dialog_get_kind(dialog), APER_DIALOG_CONFIRM);
    ck_assert_str_eq(aper_dialog_get_text(dialog), "Sure ?");
    char *origin = site_url(server, NULL, "");
    ck_assert_str_eq(aper_dialog_get_origin(dialog), origin);
    free(origin);
    aper_dialog *open = NULL;
    ck_assert_int_eq(aper_tab_get_dialog(tab, &open), APER_OK);
    ck_assert_ptr_eq(open, dialog);
    aper_dialog_unref(open);
    aper_event_unref(event);
    ck_assert_int_eq(aper_tab_eval(tab, "1", 0, NULL, NULL), APER_E_DIALOG);
    answer(1, NULL);
    aper_event_unref(live_event(browser, APER_EVENT_DIALOG_CLOSED));
    ck_assert_int_eq(aper_tab_get_dialog(tab, &open), APER_E_NO_DIALOG);
    char *json = live_eval(tab, "window.answer");
    ck_assert_str_eq(json, "true");
    aper_free(json);
}
END_TEST

START_TEST(a_prompt_takes_the_text_or_is_cancelled)
{
    live_eval_later(tab, "window.answer = prompt('Name?', 'nobody');");
    aper_event *event = live_event(browser, APER_EVENT_DIALOG_OPENED);
    aper_dialog *dialog = aper_event_get_dialog(event);
    ck_assert_uint_eq(aper_dialog_get_kind(dialog), APER_DIALOG_PROMPT);
    ck_assert_str_eq(aper_dialog_get_default_text(dialog), "nobody");
    aper_event_unref(event);
    answer(1, "J\u00fcrgen \"x\"");
    char *json = live_eval(tab, "window.answer");
    ck_assert_str_eq(json, "\"J\u00fcrgen \\\"x\\\"\"");
    aper_free(json);
    live_eval_later(tab, "window.answer = prompt('Name?', 'nobody');");
    aper_event_unref(live_event(browser, APER_EVENT_DIALOG_OPENED));
    answer(0, NULL);
    json = live_eval(tab, "window.answer");
    ck_assert_str_eq(json, "null");
    aper_free(json);
}
END_TEST

START_TEST(an_alert_is_reported_and_answered_by_default)
{
    drop_events();
    live_eval_later(tab, "alert('Hello'); window.answer = 'went on';");
    aper_event *event = live_event(browser, APER_EVENT_DIALOG_OPENED);
    ck_assert_uint_eq(aper_dialog_get_kind(aper_event_get_dialog(event)),
                      APER_DIALOG_ALERT);
    aper_event_unref(event);
    aper_event_unref(live_event(browser, APER_EVENT_DIALOG_CLOSED));
    char *json = live_eval(tab, "window.answer");
    ck_assert_str_eq(json, "\"went on\"");
    aper_free(json);
}
END_TEST

START_TEST(the_policy_answers_what_it_is_told_to)
{
    aper_policy_options policy = { .size = sizeof(policy),
                                   .on_alert = APER_DIALOG_POLICY_ASK,
                                   .on_confirm = APER_DIALOG_POLICY_DISMISS };
    ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL), APER_OK);
    drop_events();
    char *json = live_eval(tab, "confirm('Sure?')");
    ck_assert_str_eq(json, "false");
    aper_free(json);
    aper_event_unref(live_event(browser, APER_EVENT_DIALOG_OPENED));
    ck_assert_int_eq(aper_tab_eval(tab, "alert('Stay')", 0, NULL, NULL),
                     APER_E_DIALOG);
    answer(1, NULL);
    ck_assert_int_eq(aper_browser_set_policy(browser, NULL, NULL), APER_OK);
}
END_TEST

START_TEST(answering_without_a_dialog_says_so)
{
    ck_assert_int_eq(aper_tab_answer_dialog(tab, 1, NULL, NULL),
                     APER_E_NO_DIALOG);
}
END_TEST

START_TEST(an_alert_during_load_is_named_by_the_navigation)
{
    aper_navigation *navigation = live_go(tab, server, "/alert-on-load.html");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
    aper_dialog *dialog = aper_navigation_get_dialog(navigation);
    ck_assert_str_eq(aper_dialog_get_text(dialog), "loading stops");
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(a_confirm_during_load_ends_the_navigation_at_once)
{
    aper_navigation *navigation = live_go(tab, server,
                                          "/confirm-on-load.html");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 0);
    ck_assert_uint_eq(
        aper_dialog_get_kind(aper_navigation_get_dialog(navigation)),
        APER_DIALOG_CONFIRM);
    aper_navigation_unref(navigation);
    ck_assert_int_eq(aper_tab_reload(tab, NULL, NULL, NULL), APER_E_DIALOG);
    answer(1, NULL);
    char *json = live_eval(tab, "window.answer");
    ck_assert_str_eq(json, "true");
    aper_free(json);
}
END_TEST

START_TEST(a_page_may_refuse_to_be_left)
{
    aper_navigation_unref(live_go(tab, server, "/beforeunload.html"));
    /* Chromium asks only after the user has touched the page. */
    aper_free(live_eval(tab, "document.querySelector('input').focus(), 1"));
    char *url = site_url(server, NULL, "/second.html");
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_navigate(tab, url, NULL, &navigation,
                                           &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_DIALOG);
    ck_assert_uint_eq(
        aper_dialog_get_kind(aper_navigation_get_dialog(navigation)),
        APER_DIALOG_BEFOREUNLOAD);
    aper_navigation_unref(navigation);
    answer(0, NULL);
    char *json = live_eval(tab, "document.title");
    ck_assert_str_eq(json, "\"Before unload\"");
    aper_free(json);
    status = aper_tab_navigate(tab, url, NULL, &navigation, NULL);
    ck_assert_int_eq(status, APER_OK);
    aper_navigation_unref(navigation);
    drop_events();
    answer(1, NULL);
    aper_event *event = live_event(browser, APER_EVENT_TAB_NAVIGATED);
    ck_assert_str_eq(aper_event_get_url(event), url);
    aper_event_unref(event);
    free(url);
}
END_TEST

START_TEST(a_dialog_of_a_frame_is_the_tabs_dialog)
{
    drop_events();
    aper_navigation *navigation = live_go(tab, server, "/frame-dialog.html");
    ck_assert_ptr_nonnull(aper_navigation_get_dialog(navigation));
    aper_navigation_unref(navigation);
    answer(1, NULL);
    char *json = live_eval(tab, "frames[0].answer");
    ck_assert_str_eq(json, "true");
    aper_free(json);
}
END_TEST

START_TEST(a_dialog_of_a_frame_from_elsewhere_is_the_tabs_dialog)
{
    aper_navigation_unref(live_go(tab, server, "/blank.html"));
    char *there = site_url(server, "localhost", "/confirm-on-load.html");
    char script[512];
    snprintf(script, sizeof(script),
             "const frame = document.createElement('iframe');"
             "frame.src = '%s'; document.body.append(frame);",
             there);
    free(there);
    drop_events();
    live_eval_later(tab, script);
    aper_event *event = live_event(browser, APER_EVENT_DIALOG_OPENED);
    ck_assert_ptr_nonnull(strstr(
        aper_dialog_get_origin(aper_event_get_dialog(event)), "localhost"));
    aper_event_unref(event);
    answer(0, NULL);
    char *json = live_eval(tab, "1 + 1");
    ck_assert_str_eq(json, "2");
    aper_free(json);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dialogs");
    TCase *tests = tcase_create("dialogs");
    tcase_add_unchecked_fixture(tests, fixture_start_blank, fixture_stop);
    tcase_add_test(tests, a_confirm_is_an_event_and_is_answered_by_call);
    tcase_add_test(tests, a_prompt_takes_the_text_or_is_cancelled);
    tcase_add_test(tests, an_alert_is_reported_and_answered_by_default);
    tcase_add_test(tests, the_policy_answers_what_it_is_told_to);
    tcase_add_test(tests, answering_without_a_dialog_says_so);
    tcase_add_test(tests, an_alert_during_load_is_named_by_the_navigation);
    tcase_add_test(tests, a_confirm_during_load_ends_the_navigation_at_once);
    tcase_add_test(tests, a_page_may_refuse_to_be_left);
    tcase_add_test(tests, a_dialog_of_a_frame_is_the_tabs_dialog);
    tcase_add_test(tests,
                   a_dialog_of_a_frame_from_elsewhere_is_the_tabs_dialog);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
