/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads at once: whoever loses a race gets a status, and nothing is
 * lost, stuck or left behind. */
#include "leaks.h"
#include "live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static site *server;

static void start(void)
{
    server = site_start(PAGES_DIR);
}

static void stop(void)
{
    site_stop(server);
}

typedef struct team {
    aper_browser *browser;
    aper_tab *tab;
    char *url;
    atomic_bool over;
    atomic_uint done;
} team;

/* What was raced against ends the race; so does the test, should that fail. */
static bool goes_on(const team *t, aper_status status)
{
    return status != APER_E_CLOSED && status != APER_E_GONE
        && !atomic_load(&t->over);
}

/* ---- one tab ----------------------------------------------------------------- */

static void *keep_navigating(void *arg)
{
    team *t = arg;
    aper_status status = APER_OK;
    while (goes_on(t, status)) {
        status = aper_tab_navigate(t->tab, t->url, NULL, NULL, NULL);
        atomic_fetch_add(&t->done, 1);
    }
    return NULL;
}

static void *keep_looking(void *arg)
{
    team *t = arg;
    aper_status status = APER_OK;
    while (goes_on(t, status)) {
        aper_snapshot *snapshot = NULL;
        status = aper_snapshot_take(t->tab, NULL, &snapshot, NULL);
        aper_snapshot_unref(snapshot);
        atomic_fetch_add(&t->done, 1);
    }
    return NULL;
}

static void *keep_asking(void *arg)
{
    team *t = arg;
    aper_status status = APER_OK;
    while (goes_on(t, status)) {
        aper_tab_info *info = NULL;
        aper_log *log = NULL;
        status = aper_tab_describe(t->tab, &info);
        aper_tab_info_unref(info);
        aper_tab_get_network(t->tab, 0, &log);
        aper_log_unref(log);
        aper_tab_unref(aper_tab_ref(t->tab));
        atomic_fetch_add(&t->done, 1);
        usleep(1000);
    }
    return NULL;
}

static void run_team(bool close_browser)
{
    static void *(*const roles[])(void *) = {
        keep_navigating, keep_looking, keep_asking, keep_navigating,
        keep_looking};
    enum { COUNT = sizeof roles / sizeof roles[0] };
    team t = {.browser = live_launch(),
              .url = site_url(server, NULL, "/second.html")};
    pthread_t threads[COUNT];
    t.tab = live_open(t.browser, server, "/first.html");
    for (unsigned i = 0; i < COUNT; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, roles[i], &t), 0);
    while (atomic_load(&t.done) < 20)
        usleep(1000);
    aper_error *error = NULL;
    aper_status status = APER_OK;
    if (close_browser)
        aper_browser_close(t.browser);
    else
        status = aper_tab_close(t.tab, &error);
    atomic_store(&t.over, status != APER_OK);
    for (unsigned i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    LIVE_CHECK(APER_OK, status, error);
    if (!close_browser) { /* the browser has not suffered */
        aper_tab *next = live_open(t.browser, server, "/first.html");
        aper_tab_unref(next);
    }
    aper_tab_unref(t.tab);
    aper_browser_unref(t.browser);
    free(t.url);
}

START_TEST(a_tab_may_be_closed_under_many_calls)
{
    run_team(false);
}
END_TEST

START_TEST(a_browser_may_be_closed_under_many_calls)
{
    run_team(true);
}
END_TEST

/* ---- closing ------------------------------------------------------------------- */

static void *close_it(void *browser)
{
    aper_browser_close(browser);
    return NULL;
}

static void *consume(void *arg)
{
    team *t = arg;
    aper_event *event = NULL;
    while (aper_browser_next_event(t->browser, -1, &event) == APER_OK) {
        if (aper_event_get_kind(event) == APER_EVENT_COMPLETION)
            atomic_fetch_add(&t->done, 1);
        aper_event_unref(event);
    }
    return NULL;
}

START_TEST(queued_jobs_complete_once_when_two_threads_close)
{
    team t = {.browser = live_launch()};
    aper_tab *tab = live_open(t.browser, server, "/first.html");
    char *url = site_url(server, NULL, "/hang");
    pthread_t consumers[3];
    pthread_t closers[2];
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&consumers[i], NULL, consume, &t), 0);
    for (unsigned i = 0; i < 150; i++)
        ck_assert_int_eq(
            i % 2 ? aper_tab_navigate_start(tab, url, NULL, i, NULL)
                  : aper_tab_open_start(t.browser, NULL, i, NULL),
            APER_OK);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&closers[i], NULL, close_it,
                                        t.browser), 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(closers[i], NULL);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(consumers[i], NULL);
    ck_assert_uint_eq(atomic_load(&t.done), 150);
    aper_tab_unref(tab);
    aper_browser_unref(t.browser);
    free(url);
}
END_TEST

/* ---- cancelling ------------------------------------------------------------------ */

static size_t count_tabs(aper_browser *browser)
{
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(browser, &list, NULL), APER_OK);
    size_t count = aper_tab_list_get_count(list);
    aper_tab_list_unref(list);
    return count;
}

START_TEST(a_storm_of_cancels_leaves_no_tab_that_nobody_knows)
{
    aper_browser *browser = live_launch();
    size_t given = 0;
    for (unsigned i = 1; i <= 60; i++) {
        ck_assert_int_eq(aper_tab_open_start(browser, NULL, i, NULL), APER_OK);
        usleep(i * 50);
        aper_browser_cancel(browser, i);
    }
    for (unsigned done = 0; done < 60;) {
        aper_event *event = live_event(browser, APER_EVENT_COMPLETION);
        aper_tab *tab = aper_event_get_tab(event);
        if (tab) {
            given++;
            aper_tab_close(tab, NULL);
        } else {
            ck_assert_int_eq(aper_event_get_status(event), APER_E_CANCELLED);
        }
        aper_event_unref(event);
        done++;
    }
    /* What closes a tab may still be on its way. */
    for (unsigned i = 0; i < 500 && count_tabs(browser) > 0; i++)
        usleep(10000);
    ck_assert_msg(count_tabs(browser) == 0, "%u tabs left, %u were given",
                  (unsigned)count_tabs(browser), (unsigned)given);
    aper_browser_unref(browser);
}
END_TEST

/* ---- several browsers -------------------------------------------------------------- */

static void *live_once(void *arg)
{
    team *t = arg;
    aper_browser *browser = live_launch();
    aper_tab *tab = live_open(browser, server, "/first.html");
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    atomic_fetch_add(&t->done, 1);
    return NULL;
}

START_TEST(browsers_come_and_go_side_by_side)
{
    enum { COUNT = 6 };
    const char *directory = leaks_new_tmp();
    team t = {0};
    pthread_t threads[COUNT];
    unsigned fds = leaks_fds();
    unsigned before = leaks_threads();
    for (unsigned i = 0; i < COUNT; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, live_once, &t), 0);
    for (unsigned i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&t.done), COUNT);
    ck_assert(leaks_wait_threads(before));
    ck_assert_uint_eq(leaks_fds(), fds);
    ck_assert_uint_eq(leaks_entries(directory), 0);
    ck_assert(leaks_wait(leaks_processes, directory, 0));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("races");
    TCase *tests = tcase_create("races");
    tcase_set_timeout(tests, 120);
    tcase_add_unchecked_fixture(tests, start, stop);
    tcase_add_test(tests, a_tab_may_be_closed_under_many_calls);
    tcase_add_test(tests, a_browser_may_be_closed_under_many_calls);
    tcase_add_test(tests, queued_jobs_complete_once_when_two_threads_close);
    tcase_add_test(tests,
                   a_storm_of_cancels_leaves_no_tab_that_nobody_knows);
    tcase_add_test(tests, browsers_come_and_go_side_by_side);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
