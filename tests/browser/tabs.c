/* SPDX-License-Identifier: Apache-2.0 */
#include "live.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static site *server;
static aper_browser *browser;

static void start(void)
{
    server = site_start(PAGES_DIR);
    browser = live_launch();
}

static void stop(void)
{
    aper_browser_unref(browser);
    site_stop(server);
}

static size_t count_tabs(aper_browser *of)
{
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(of, &list, NULL), APER_OK);
    size_t count = aper_tab_list_get_count(list);
    aper_tab_list_unref(list);
    return count;
}

/* The info of a tab in the list, with a reference, or NULL. */
static aper_tab_info *find_info(aper_browser *of, const char *id)
{
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(of, &list, NULL), APER_OK);
    aper_tab_info *found = NULL;
    for (size_t i = 0; i < aper_tab_list_get_count(list); i++) {
        aper_tab_info *info = aper_tab_list_get_info(list, i);
        if (strcmp(aper_tab_info_get_id(info), id) == 0)
            found = aper_tab_info_ref(info);
    }
    aper_tab_list_unref(list);
    return found;
}

START_TEST(a_launched_browser_has_no_tab_that_nobody_opened)
{
    ck_assert_uint_eq(count_tabs(browser), 0);
    aper_tab *tab = NULL;
    ck_assert_int_eq(aper_tab_open(browser, NULL, &tab, NULL), APER_OK);
    aper_tab_info *info = find_info(browser, aper_tab_get_id(tab));
    ck_assert_str_eq(aper_tab_info_get_url(info), "about:blank");
    ck_assert_int_eq(aper_tab_info_is_own(info), 1);
    aper_tab_info_unref(info);
    ck_assert_int_eq(aper_tab_close(tab, NULL), APER_OK);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(an_opened_tab_is_listed_last_with_title_and_address)
{
    aper_tab *tab = live_open(browser, server, "/first.html");
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(browser, &list, NULL), APER_OK);
    size_t count = aper_tab_list_get_count(list);
    aper_tab_info *last = aper_tab_list_get_info(list, count - 1);
    ck_assert_str_eq(aper_tab_info_get_id(last), aper_tab_get_id(tab));
    char *url = site_url(server, NULL, "/first.html");
    ck_assert_str_eq(aper_tab_info_get_url(last), url);
    ck_assert_str_eq(aper_tab_info_get_title(last), "First page");
    ck_assert_str_eq(aper_tab_info_get_opener_id(last), "");
    free(url);
    aper_tab_list_unref(list);
    ck_assert_int_eq(aper_tab_close(tab, NULL), APER_OK);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(an_opened_tab_believes_to_have_the_focus)
{
    aper_tab *tab = live_open(browser, server, "/first.html");
    char *json = live_eval(tab, "[document.hasFocus(), document.hidden]");
    ck_assert_str_eq(json, "[true,false]");
    aper_free(json);
    aper_tab_close(tab, NULL);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(closing_takes_the_tab_off_the_list_and_ends_later_calls)
{
    size_t before = count_tabs(browser);
    aper_tab *tab = live_open(browser, server, "/first.html");
    ck_assert_uint_eq(count_tabs(browser), before + 1);
    aper_error *error = NULL;
    aper_status status = aper_tab_close(tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(count_tabs(browser), before);
    ck_assert_int_eq(aper_tab_close(tab, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_activate(tab, NULL), APER_E_CLOSED);
    aper_tab_info *info = NULL;
    ck_assert_int_eq(aper_tab_describe(tab, &info), APER_E_CLOSED);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(a_page_that_asks_before_unloading_is_closed_all_the_same)
{
    size_t before = count_tabs(browser);
    aper_tab *tab = live_open(browser, server, "/beforeunload.html");
    aper_free(live_eval(tab, "document.querySelector('input').focus()"));
    aper_error *error = NULL;
    aper_status status = aper_tab_close(tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(count_tabs(browser), before);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(finding_a_tab_twice_gives_the_same_handle)
{
    aper_tab *tab = live_open(browser, server, "/first.html");
    aper_tab *first = NULL;
    aper_tab *second = NULL;
    const char *id = aper_tab_get_id(tab);
    ck_assert_int_eq(aper_browser_find_tab(browser, id, &first, NULL),
                     APER_OK);
    ck_assert_int_eq(aper_browser_find_tab(browser, id, &second, NULL),
                     APER_OK);
    ck_assert_ptr_eq(first, tab);
    ck_assert_ptr_eq(second, tab);
    aper_tab_unref(first);
    aper_tab_unref(second);
    aper_tab_close(tab, NULL);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(an_unknown_id_is_not_found)
{
    aper_tab *tab = NULL;
    ck_assert_int_eq(aper_browser_find_tab(browser, "0123", &tab, NULL),
                     APER_E_NOT_FOUND);
    ck_assert_ptr_null(tab);
}
END_TEST

START_TEST(a_popup_is_linked_to_its_opener_and_works_like_any_tab)
{
    aper_tab *tab = live_open(browser, server, "/first.html");
    aper_event *old = NULL;
    while (aper_browser_next_event(browser, 0, &old) == APER_OK)
        aper_event_unref(old);
    aper_free(live_eval(tab, "window.open('second.html'), 1"));
    aper_event *event = live_event(browser, APER_EVENT_TAB_OPENED);
    ck_assert_str_eq(aper_event_get_opener_id(event), aper_tab_get_id(tab));
    aper_tab *popup = NULL;
    ck_assert_int_eq(aper_browser_find_tab(browser,
                                           aper_event_get_tab_id(event),
                                           &popup, NULL),
                     APER_OK);
    aper_event_unref(event);
    char *json = live_eval(popup, "new Promise(done => { const look = () => "
                                  "document.title ? done(document.title) : "
                                  "setTimeout(look, 10); look(); })");
    ck_assert_str_eq(json, "\"Second page\"");
    aper_free(json);
    aper_tab_info *info = find_info(browser, aper_tab_get_id(popup));
    ck_assert_str_eq(aper_tab_info_get_opener_id(info), aper_tab_get_id(tab));
    ck_assert_int_eq(aper_tab_info_is_own(info), 1);
    aper_tab_info_unref(info);
    ck_assert_int_eq(aper_tab_close(popup, NULL), APER_OK);
    aper_tab_unref(popup);
    aper_tab_close(tab, NULL);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(a_tab_that_fails_to_open_leaves_nothing_behind)
{
    size_t before = count_tabs(browser);
    aper_open_options options = { .size = sizeof(options),
                                  .url = "http://nothing.invalid/" };
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_open(browser, &options, &tab, &error);
    ck_assert_int_eq(status, APER_E_NAVIGATION);
    ck_assert_ptr_null(tab);
    ck_assert_int_eq(strncmp(aper_error_get_message(error), "net::ERR_", 9),
                     0);
    aper_error_unref(error);
    ck_assert_uint_eq(count_tabs(browser), before);
}
END_TEST

/* An address that crashes the renderer, which the policy must let through. */
static void crash(aper_tab *tab)
{
    const char *extra[] = { "chrome", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .extra_schemes = extra };
    ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL), APER_OK);
    aper_navigate_options options = { .size = sizeof(options),
                                      .timeout_ms = 2000 };
    aper_tab_navigate(tab, "chrome://crash", &options, NULL, NULL);
    ck_assert_int_eq(aper_browser_set_policy(browser, NULL, NULL), APER_OK);
}

static void *wait_for_ever(void *tab)
{
    aper_status status = aper_tab_eval(tab, "new Promise(() => {})",
                                       LIVE_WAIT_MS, NULL, NULL);
    return (void *)(intptr_t)status;
}

START_TEST(a_crashed_tab_ends_waiting_calls_and_lives_again_when_navigated)
{
    aper_tab *tab = live_open(browser, server, "/first.html");
    pthread_t waiter;
    ck_assert_int_eq(pthread_create(&waiter, NULL, wait_for_ever, tab), 0);
    crash(tab);
    aper_event_unref(live_event(browser, APER_EVENT_TAB_CRASHED));
    void *status;
    pthread_join(waiter, &status);
    ck_assert_int_eq((intptr_t)status, APER_E_CRASHED);
    ck_assert_int_eq(aper_tab_eval(tab, "1", 0, NULL, NULL), APER_E_CRASHED);
    aper_tab_info *info = find_info(browser, aper_tab_get_id(tab));
    ck_assert_int_eq(aper_tab_info_is_crashed(info), 1);
    aper_tab_info_unref(info);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    char *json = live_eval(tab, "document.title");
    ck_assert_str_eq(json, "\"Second page\"");
    aper_free(json);
    aper_tab_close(tab, NULL);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(an_attached_browser_keeps_its_own_tabs_and_loses_ours)
{
    aper_tab *theirs = live_open(browser, server, "/first.html");
    size_t before = count_tabs(browser);
    aper_browser *guest = live_attach(aper_browser_get_endpoint(browser));
    ck_assert_int_eq(aper_browser_get_pid(guest), 0);
    aper_tab *ours = live_open(guest, server, "/second.html");
    aper_tab_info *info = find_info(guest, aper_tab_get_id(theirs));
    ck_assert_ptr_nonnull(info);
    ck_assert_int_eq(aper_tab_info_is_own(info), 0);
    aper_tab_info_unref(info);
    aper_tab *foreign = NULL;
    ck_assert_int_eq(aper_browser_find_tab(guest, aper_tab_get_id(theirs),
                                           &foreign, NULL),
                     APER_OK);
    char *json = live_eval(foreign, "document.title");
    ck_assert_str_eq(json, "\"First page\"");
    aper_free(json);
    ck_assert_int_eq(aper_tab_close(foreign, NULL), APER_E_FOREIGN);
    ck_assert_uint_eq(count_tabs(browser), before + 1);
    aper_browser_close(guest);
    while (count_tabs(browser) != before)
        aper_event_unref(live_event(browser, APER_EVENT_TAB_CLOSED));
    ck_assert_int_eq(aper_tab_activate(ours, NULL), APER_E_CLOSED);
    json = live_eval(theirs, "document.title");
    ck_assert_str_eq(json, "\"First page\"");
    aper_free(json);
    aper_browser_unref(guest);
    aper_tab_unref(foreign);
    aper_tab_unref(ours);
    aper_tab_close(theirs, NULL);
    aper_tab_unref(theirs);
}
END_TEST

START_TEST(a_popup_of_an_attached_tab_is_own_too)
{
    aper_browser *guest = live_attach(aper_browser_get_endpoint(browser));
    aper_tab *tab = live_open(guest, server, "/first.html");
    aper_free(live_eval(tab, "window.open('second.html'), 1"));
    aper_event *event;
    for (;;) {
        event = live_event(guest, APER_EVENT_TAB_OPENED);
        if (strcmp(aper_event_get_opener_id(event), aper_tab_get_id(tab)) == 0)
            break;
        aper_event_unref(event);
    }
    aper_tab *popup = NULL;
    ck_assert_int_eq(aper_browser_find_tab(guest, aper_event_get_tab_id(event),
                                           &popup, NULL),
                     APER_OK);
    aper_event_unref(event);
    ck_assert_int_eq(aper_tab_close(popup, NULL), APER_OK);
    aper_tab_unref(popup);
    aper_tab_unref(tab);
    aper_browser_unref(guest);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tabs");
    TCase *tests = tcase_create("tabs");
    tcase_add_unchecked_fixture(tests, start, stop);
    tcase_add_test(tests, a_launched_browser_has_no_tab_that_nobody_opened);
    tcase_add_test(tests, an_opened_tab_is_listed_last_with_title_and_address);
    tcase_add_test(tests, an_opened_tab_believes_to_have_the_focus);
    tcase_add_test(tests,
                   closing_takes_the_tab_off_the_list_and_ends_later_calls);
    tcase_add_test(tests,
                   a_page_that_asks_before_unloading_is_closed_all_the_same);
    tcase_add_test(tests, finding_a_tab_twice_gives_the_same_handle);
    tcase_add_test(tests, an_unknown_id_is_not_found);
    tcase_add_test(tests,
                   a_popup_is_linked_to_its_opener_and_works_like_any_tab);
    tcase_add_test(tests, a_tab_that_fails_to_open_leaves_nothing_behind);
    tcase_add_test(
        tests, a_crashed_tab_ends_waiting_calls_and_lives_again_when_navigated);
    tcase_add_test(tests,
                   an_attached_browser_keeps_its_own_tabs_and_loses_ours);
    tcase_add_test(tests, a_popup_of_an_attached_tab_is_own_too);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
