/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void drop_events(void)
{
    aper_event *event;
    while (aper_browser_next_event(browser, 0, &event) == APER_OK)
        aper_event_unref(event);
}

static bool is_readable(int timeout_ms)
{
    struct pollfd fd = { aper_browser_get_fd(browser), POLLIN, 0 };
    return poll(&fd, 1, timeout_ms) == 1;
}

static aper_status start_navigation(const char *path, uint64_t tag)
{
    char *url = site_url(server, NULL, path);
    aper_status status = aper_tab_navigate_start(tab, url, NULL, tag, NULL);
    free(url);
    return status;
}

static void expect_sentence(aper_status status, aper_error **error,
                            const char *wanted)
{
    ck_assert_int_eq(status, APER_E_INVAL);
    ck_assert_int_eq(aper_error_get_status(*error), APER_E_INVAL);
    if (strstr(aper_error_get_message(*error), wanted) == NULL)
        ck_abort_msg("no %s in %s", wanted, aper_error_get_message(*error));
    aper_error_unref(*error);
    *error = NULL;
}

START_TEST(a_start_that_is_refused_says_why)
{
    aper_error *error = NULL;
    aper_open_options open = { .size = sizeof(open), .until = 99 };
    expect_sentence(aper_tab_open_start(browser, &open, 1, &error), &error,
                    "until");
    aper_navigate_options go = { .size = sizeof(go), .until = 99 };
    expect_sentence(aper_tab_navigate_start(tab, "about:blank", &go, 1,
                                            &error), &error, "until");
    expect_sentence(aper_tab_reload_start(tab, &go, 1, &error), &error,
                    "until");
    expect_sentence(aper_tab_navigate_start(tab, NULL, NULL, 1, &error), &error,
                    "url is NULL");
    aper_wait_options wait = { .size = sizeof(wait) };
    expect_sentence(aper_tab_wait_start(tab, &wait, 1, &error), &error,
                    "wait");
    aper_snapshot_options read = { .size = sizeof(read), .budget_tokens = 1 };
    expect_sentence(aper_snapshot_take_start(tab, &read, 1, &error), &error,
                    "budget");
    aper_act_options act = { .size = sizeof(act), .verb = 99 };
    expect_sentence(aper_tab_act_start(tab, &act, 1, &error), &error, "verb");
    aper_screenshot_options shot = { .size = sizeof(shot), .quality = 101 };
    expect_sentence(aper_tab_screenshot_start(tab, &shot, 1, &error), &error,
                    "quality is over 100");
    aper_pdf_options pdf = { .size = sizeof(pdf), .pages = "all" };
    expect_sentence(aper_tab_pdf_start(tab, &pdf, 1, &error), &error,
                    "pages is like");
    expect_sentence(aper_tab_back_start(NULL, NULL, 1, &error), &error,
                    "the tab is NULL");
}
END_TEST

START_TEST(a_started_navigation_completes_with_its_tag)
{
    drop_events();
    ck_assert_int_eq(start_navigation("/first.html", 7), APER_OK);
    aper_event *event = live_completion(browser, 7);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    ck_assert_ptr_null(aper_event_get_error(event));
    ck_assert_str_eq(aper_event_get_tab_id(event), aper_tab_get_id(tab));
    aper_navigation *navigation = aper_event_get_navigation(event);
    ck_assert_uint_eq(aper_navigation_get_http_status(navigation), 200);
    ck_assert_ptr_null(aper_event_get_tab(event));
    ck_assert_ptr_null(aper_event_get_snapshot(event));
    aper_event_unref(event);
}
END_TEST

START_TEST(operations_on_a_tab_run_in_the_order_in_which_they_were_started)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    ck_assert_int_eq(aper_tab_back_start(tab, NULL, 1, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_forward_start(tab, NULL, 2, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_reload_start(tab, NULL, 3, NULL), APER_OK);
    for (int i = 0; i < 3; i++) {
        aper_event *event = live_event(browser, APER_EVENT_COMPLETION);
        ck_assert_int_eq(aper_event_get_status(event), APER_OK);
        uint64_t tag = aper_event_get_tag(event);
        const char *url = aper_navigation_get_url(
            aper_event_get_navigation(event));
        ck_assert_ptr_nonnull(strstr(url, tag == 1 ? "first" : "second"));
        aper_event_unref(event);
    }
}
END_TEST

START_TEST(a_started_open_gives_the_tab)
{
    char *url = site_url(server, NULL, "/first.html");
    aper_open_options options = { .size = sizeof(options), .url = url };
    ck_assert_int_eq(aper_tab_open_start(browser, &options, 9, NULL), APER_OK);
    free(url);
    aper_event *event = live_completion(browser, 9);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    aper_tab *opened = aper_tab_ref(aper_event_get_tab(event));
    ck_assert_str_eq(aper_event_get_tab_id(event), aper_tab_get_id(opened));
    aper_event_unref(event);
    char *title = live_eval(opened, "document.title");
    ck_assert_str_eq(title, "\"First page\"");
    aper_free(title);
    ck_assert_int_eq(aper_tab_close(opened, NULL), APER_OK);
    aper_tab_unref(opened);
}
END_TEST

START_TEST(a_failure_completes_with_its_error)
{
    ck_assert_int_eq(aper_tab_navigate_start(tab, "file:///x", NULL, 11, NULL),
                     APER_OK);
    aper_event *event = live_completion(browser, 11);
    ck_assert_int_eq(aper_event_get_status(event), APER_E_BLOCKED);
    ck_assert_int_eq(aper_error_get_status(aper_event_get_error(event)),
                     APER_E_BLOCKED);
    aper_event_unref(event);
}
END_TEST

START_TEST(cancelling_by_tag_ends_what_runs_and_what_waits)
{
    ck_assert_int_eq(start_navigation("/hang", 21), APER_OK);
    ck_assert_int_eq(start_navigation("/hang", 21), APER_OK);
    ck_assert_int_eq(start_navigation("/first.html", 22), APER_OK);
    ck_assert_int_eq(aper_browser_cancel(browser, 21), APER_OK);
    for (int i = 0; i < 3; i++) {
        aper_event *event = live_event(browser, APER_EVENT_COMPLETION);
        ck_assert_int_eq(aper_event_get_status(event),
                         aper_event_get_tag(event) == 21 ? APER_E_CANCELLED
                                                         : APER_OK);
        aper_event_unref(event);
    }
    ck_assert_int_eq(aper_browser_cancel(browser, 21), APER_E_NOT_FOUND);
}
END_TEST

START_TEST(the_descriptor_is_readable_exactly_while_events_wait)
{
    drop_events();
    /* what is still on its way from earlier tests */
    aper_free(live_eval(tab, "1"));
    drop_events();
    ck_assert(!is_readable(0));
    ck_assert_int_eq(start_navigation("/first.html", 31), APER_OK);
    ck_assert(is_readable(LIVE_WAIT_MS));
    aper_event_unref(live_completion(browser, 31));
    drop_events();
    ck_assert(!is_readable(0));
}
END_TEST

START_TEST(looking_for_an_event_that_is_not_there_is_a_timeout)
{
    aper_event *event = NULL;
    drop_events();
    ck_assert_int_eq(aper_browser_next_event(browser, 0, &event),
                     APER_E_TIMEOUT);
    ck_assert_int_eq(aper_browser_next_event(browser, 20, &event),
                     APER_E_TIMEOUT);
    ck_assert_ptr_null(event);
    ck_assert_int_eq(aper_browser_next_event(browser, -2, &event),
                     APER_E_INVAL);
}
END_TEST

START_TEST(too_many_page_events_become_one_overflow_and_no_completion_is_lost)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    drop_events();
    const char *deny[] = { "denied.invalid", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .deny_hosts = deny };
    ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL), APER_OK);
    aper_free(live_eval(tab, "Promise.allSettled(Array.from({ length: 1100 }, "
                             "() => fetch('http://denied.invalid/')))"
                             ".then(() => 1)"));
    ck_assert_int_eq(aper_browser_set_policy(browser, NULL, NULL), APER_OK);
    ck_assert_int_eq(start_navigation("/second.html", 41), APER_OK);
    size_t refusals = 0;
    size_t overflows = 0;
    bool completed = false;
    while (!completed) {
        aper_event *event = NULL;
        ck_assert_int_eq(aper_browser_next_event(browser, LIVE_WAIT_MS,
                                                 &event),
                         APER_OK);
        uint32_t kind = aper_event_get_kind(event);
        refusals += kind == APER_EVENT_BLOCKED;
        overflows += kind == APER_EVENT_OVERFLOW;
        completed = kind == APER_EVENT_COMPLETION
            && aper_event_get_tag(event) == 41;
        aper_event_unref(event);
    }
    ck_assert_uint_eq(refusals, 1024);
    ck_assert_uint_eq(overflows, 1);
}
END_TEST

static void *consume(void *arg)
{
    size_t *count = arg;
    aper_event *event;
    while (aper_browser_next_event(browser, -1, &event) == APER_OK) {
        bool last = aper_event_get_kind(event) == APER_EVENT_COMPLETION
            && aper_event_get_tag(event) == 0;
        *count += aper_event_get_kind(event) == APER_EVENT_COMPLETION
            && aper_event_get_tag(event) == 51;
        aper_event_unref(event);
        if (last)
            break;
    }
    return NULL;
}

START_TEST(many_consumers_share_the_queue)
{
    pthread_t threads[4];
    size_t counts[4] = { 0 };
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, consume,
                                        &counts[i]),
                         0);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(
            aper_tab_navigate_start(tab, "file:///x", NULL, 51, NULL),
            APER_OK);
    char *url = site_url(server, NULL, "/first.html");
    aper_tab_navigate(tab, url, NULL, NULL, NULL);
    free(url);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(
            aper_tab_navigate_start(tab, "file:///x", NULL, 0, NULL),
            APER_OK);
    size_t sum = 0;
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        sum += counts[i];
    }
    drop_events();
    ck_assert_uint_eq(sum, 20);
}
END_TEST

START_TEST(more_jobs_than_the_limit_are_refused_and_none_is_lost)
{
    size_t started = 0;
    while (started < 2000) {
        aper_status status = start_navigation("/hang", 61);
        if (status != APER_OK) {
            ck_assert_int_eq(status, APER_E_BUSY);
            break;
        }
        started++;
    }
    ck_assert_uint_eq(started, 1024);
    ck_assert_int_eq(aper_browser_cancel(browser, 61), APER_OK);
    for (size_t i = 0; i < started; i++) {
        aper_event *event = live_completion(browser, 61);
        ck_assert_int_eq(aper_event_get_status(event), APER_E_CANCELLED);
        aper_event_unref(event);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");
    tcase_add_unchecked_fixture(tests, fixture_start_blank, fixture_stop);
    tcase_add_test(tests, a_start_that_is_refused_says_why);
    tcase_add_test(tests, a_started_navigation_completes_with_its_tag);
    tcase_add_test(
        tests, operations_on_a_tab_run_in_the_order_in_which_they_were_started);
    tcase_add_test(tests, a_started_open_gives_the_tab);
    tcase_add_test(tests, a_failure_completes_with_its_error);
    tcase_add_test(tests, cancelling_by_tag_ends_what_runs_and_what_waits);
    tcase_add_test(tests, the_descriptor_is_readable_exactly_while_events_wait);
    tcase_add_test(tests, looking_for_an_event_that_is_not_there_is_a_timeout);
    tcase_add_test(
        tests,
        too_many_page_events_become_one_overflow_and_no_completion_is_lost);
    tcase_add_test(tests, many_consumers_share_the_queue);
    tcase_add_test(tests,
                   more_jobs_than_the_limit_are_refused_and_none_is_lost);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
