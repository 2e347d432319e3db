/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of every kind: closed, released in any order, killed while in use. */
#include "leaks.h"
#include "live.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static void *wait_for_ever(void *tab)
{
    aper_status status = aper_tab_eval(tab, "new Promise(() => {})",
                                       LIVE_WAIT_MS, NULL, NULL);
    return (void *)(intptr_t)status;
}

START_TEST(closing_ends_calls_under_way_and_later_ones)
{
    aper_browser *browser = live_launch();
    aper_tab *tab = live_open(browser, server, "/first.html");
    pid_t pid = (pid_t)aper_browser_get_pid(browser);
    ck_assert_int_gt(pid, 0);
    ck_assert_int_eq(aper_browser_get_state(browser), APER_OK);
    pthread_t waiter;
    ck_assert_int_eq(pthread_create(&waiter, NULL, wait_for_ever, tab), 0);
    char *url = site_url(server, NULL, "/hang");
    ck_assert_int_eq(aper_tab_navigate_start(tab, url, NULL, 5, NULL), APER_OK);
    free(url);
    while (site_hits(server, "/hang") == 0)
        usleep(1000);
    aper_browser_close(browser);
    void *status;
    pthread_join(waiter, &status);
    ck_assert_int_eq((intptr_t)status, APER_E_CLOSED);
    ck_assert_int_eq(kill(pid, 0), -1);
    ck_assert_int_eq(errno, ESRCH);
    ck_assert_int_eq(aper_browser_get_state(browser), APER_E_CLOSED);
    ck_assert_int_eq(aper_tab_activate(tab, NULL), APER_E_CLOSED);
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(browser, &list, NULL),
                     APER_E_CLOSED);
    aper_event *event = live_completion(browser, 5);
    ck_assert_int_eq(aper_event_get_status(event), APER_E_CLOSED);
    aper_event_unref(event);
    event = live_event(browser, APER_EVENT_BROWSER_GONE);
    ck_assert_int_eq(aper_event_get_status(event), APER_E_CLOSED);
    aper_event_unref(event);
    event = NULL;
    ck_assert_int_eq(aper_browser_next_event(browser, -1, &event),
                     APER_E_CLOSED);
    aper_browser_close(browser);
    aper_browser_unref(browser);
    aper_tab_unref(tab);
}
END_TEST

START_TEST(handles_can_be_released_in_any_order)
{
    for (int order = 0; order < 3; order++) {
        aper_browser *browser = live_launch();
        pid_t pid = (pid_t)aper_browser_get_pid(browser);
        aper_tab *tab = live_open(browser, server, "/first.html");
        ck_assert_ptr_eq(aper_tab_get_browser(tab), browser);
        ck_assert_int_eq(aper_tab_open_start(browser, NULL, 3, NULL), APER_OK);
        aper_event *event = live_completion(browser, 3);
        if (order == 0) {
            aper_browser_unref(browser);
            ck_assert_int_eq(kill(pid, 0), 0);
            char *json = live_eval(tab, "1 + 1");
            ck_assert_str_eq(json, "2");
            aper_free(json);
            aper_event_unref(event);
            ck_assert_int_eq(kill(pid, 0), 0);
            aper_tab_unref(tab);
        } else if (order == 1) {
            aper_tab_unref(tab);
            aper_browser_unref(browser);
            ck_assert_int_eq(kill(pid, 0), 0);
            aper_event_unref(event);
        } else {
            aper_tab_ref(tab);
            aper_browser_ref(browser);
            aper_tab_unref(tab);
            aper_browser_unref(browser);
            aper_browser_close(browser);
            aper_event_unref(event);
            aper_browser_unref(browser);
            aper_tab_unref(tab);
        }
        ck_assert_int_eq(kill(pid, 0), -1);
    }
}
END_TEST

START_TEST(a_queued_tab_does_not_keep_the_browser_open)
{
    aper_browser *browser = live_launch();
    pid_t pid = (pid_t)aper_browser_get_pid(browser);
    aper_tab *tab = live_open(browser, server, "/first.html");
    ck_assert_int_eq(aper_tab_open_start(browser, NULL, 3, NULL), APER_OK);
    aper_event *event;
    do {
        event = live_event(browser, APER_EVENT_TAB_OPENED);
        bool other = strcmp(aper_event_get_tab_id(event),
                            aper_tab_get_id(tab)) != 0;
        aper_event_unref(event);
        if (other)
            break;
    } while (true);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    ck_assert_int_eq(kill(pid, 0), -1);
}
END_TEST

/* ---- killed during a call ------------------------------------------------ */

typedef aper_status blocking(aper_browser *browser, aper_tab *tab);

static aper_status call_eval(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    return aper_tab_eval(tab, "new Promise(() => {})", LIVE_WAIT_MS, NULL,
                         NULL);
}

static aper_status call_navigate(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    char *url = site_url(server, NULL, "/hang");
    aper_status status = aper_tab_navigate(tab, url, NULL, NULL, NULL);
    free(url);
    return status;
}

static aper_status call_open(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    char *url = site_url(server, NULL, "/hang");
    aper_open_options options = { .size = sizeof(options), .url = url };
    aper_tab *opened = NULL;
    aper_status status = aper_tab_open(browser, &options, &opened, NULL);
    free(url);
    return status;
}

static aper_status call_next_event(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    for (;;) {
        aper_event *event;
        aper_status status = aper_browser_next_event(browser, -1, &event);
        if (status != APER_OK)
            return status;
        aper_event_unref(event);
    }
}

/* Calls that answer at once are repeated until the browser is gone. */
static aper_status call_list(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        aper_tab_list *list = NULL;
        status = aper_browser_list_tabs(browser, &list, NULL);
        aper_tab_list_unref(list);
    }
    return status;
}

static aper_status call_find(aper_browser *browser, aper_tab *tab)
{
    aper_status status = APER_E_NOT_FOUND;
    while (status == APER_E_NOT_FOUND) {
        aper_tab *found = NULL;
        (void)tab;
        status = aper_browser_find_tab(browser, "none", &found, NULL);
    }
    return status;
}

static aper_status call_activate(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_tab_activate(tab, NULL);
    return status;
}

static aper_status call_policy(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_browser_set_policy(browser, NULL, NULL);
    return status;
}

static aper_status call_open_and_close(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        aper_tab *opened = NULL;
        status = aper_tab_open(browser, NULL, &opened, NULL);
        if (status == APER_OK)
            status = aper_tab_close(opened, NULL);
        aper_tab_unref(opened);
    }
    return status;
}

static aper_status call_reload(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_tab_reload(tab, NULL, NULL, NULL);
    return status;
}

static aper_status call_back(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        status = aper_tab_back(tab, NULL, NULL, NULL);
        if (status == APER_E_NOT_FOUND)
            status = aper_tab_forward(tab, NULL, NULL, NULL);
    }
    return status;
}

static aper_status call_answer(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK || status == APER_E_NO_DIALOG)
        status = aper_tab_answer_dialog(tab, 1, NULL, NULL);
    return status;
}

static aper_status call_snapshot(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        aper_snapshot *snapshot = NULL;
        status = aper_snapshot_take(tab, NULL, &snapshot, NULL);
        aper_snapshot_unref(snapshot);
    }
    return status;
}

static aper_status call_act(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_act_options press = { .size = sizeof(press),
                               .verb = APER_ACT_PRESS,
                               .key = "Tab" };
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_tab_act(tab, &press, NULL, NULL);
    return status;
}

static aper_status call_wait(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_wait_options never = { .size = sizeof(never),
                                .text = "no page says this",
                                .timeout_ms = LIVE_WAIT_MS };
    return aper_tab_wait(tab, &never, NULL);
}

static aper_status call_screenshot(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        aper_capture *capture = NULL;
        status = aper_tab_screenshot(tab, NULL, &capture, NULL);
        aper_capture_unref(capture);
    }
    return status;
}

static aper_status call_pdf(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_status status = APER_OK;
    while (status == APER_OK) {
        aper_capture *capture = NULL;
        status = aper_tab_pdf(tab, NULL, &capture, NULL);
        aper_capture_unref(capture);
    }
    return status;
}

static aper_status call_emulate(aper_browser *browser, aper_tab *tab)
{
    (void)browser;
    aper_emulation_options options = { .size = sizeof(options),
                                       .locale = "de-DE",
                                       .timezone = "Europe/Berlin" };
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_tab_emulate(tab, &options, NULL);
    return status;
}

static char directory[] = "/tmp/aperture-test-XXXXXX";

static aper_status call_download_dir(aper_browser *browser, aper_tab *tab)
{
    (void)tab;
    aper_status status = APER_OK;
    while (status == APER_OK)
        status = aper_browser_set_download_dir(browser, directory, NULL);
    return status;
}

static const struct {
    const char *name;
    blocking *call;
} calls[] = {
    { "eval", call_eval },
    { "navigate", call_navigate },
    { "open", call_open },
    { "next_event", call_next_event },
    { "list", call_list },
    { "find", call_find },
    { "activate", call_activate },
    { "policy", call_policy },
    { "open and close", call_open_and_close },
    { "reload", call_reload },
    { "back", call_back },
    { "answer", call_answer },
    { "snapshot", call_snapshot },
    { "act", call_act },
    { "wait", call_wait },
    { "screenshot", call_screenshot },
    { "pdf", call_pdf },
    { "emulate", call_emulate },
    { "download directory", call_download_dir },
};
#define CALLS (sizeof(calls) / sizeof(calls[0]))

typedef struct runner {
    pthread_t thread;
    blocking *call;
    aper_browser *browser;
    aper_tab *tab;
    aper_status status;
    sem_t begun;
} runner;

static void *run(void *arg)
{
    runner *self = arg;
    sem_post(&self->begun);
    self->status = self->call(self->browser, self->tab);
    return NULL;
}

START_TEST(a_killed_browser_ends_every_call_and_another_can_be_launched)
{
    ck_assert_ptr_nonnull(mkdtemp(directory));
    aper_browser *browser = live_launch();
    runner runners[CALLS];
    for (size_t i = 0; i < CALLS; i++) {
        runners[i].call = calls[i].call;
        runners[i].browser = browser;
        runners[i].tab = live_open(browser, server, "/first.html");
        sem_init(&runners[i].begun, 0, 0);
    }
    for (size_t i = 0; i < CALLS; i++)
        ck_assert_int_eq(pthread_create(&runners[i].thread, NULL, run,
                                        &runners[i]),
                         0);
    for (size_t i = 0; i < CALLS; i++)
        sem_wait(&runners[i].begun);
    while (site_hits(server, "/hang") < 2)
        usleep(1000);
    ck_assert_int_eq(kill((pid_t)aper_browser_get_pid(browser), SIGKILL), 0);
    for (size_t i = 0; i < CALLS; i++) {
        pthread_join(runners[i].thread, NULL);
        ck_assert_msg(runners[i].status == APER_E_GONE
                          || runners[i].status == APER_E_CRASHED,
                      "%s: %s", calls[i].name,
                      aper_status_get_name(runners[i].status));
        sem_destroy(&runners[i].begun);
        aper_tab_unref(runners[i].tab);
    }
    ck_assert_int_eq(aper_browser_get_state(browser), APER_E_GONE);
    aper_browser_unref(browser);
    ck_assert_int_eq(rmdir(directory), 0);
    browser = live_launch();
    aper_tab *tab = live_open(browser, server, "/first.html");
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}
END_TEST

START_TEST(cycles_of_launch_and_close_leave_nothing_behind)
{
    const char *wanted = getenv("APERTURE_TEST_CYCLES"); /* for a long run */
    int cycles = wanted ? atoi(wanted) : 4;
    leaks_new_tmp();
    aper_browser_unref(live_launch()); /* what the process makes once */
    unsigned fds = leaks_fds();
    unsigned threads = leaks_threads();
    for (int i = 0; i < cycles; i++) {
        aper_browser *browser = live_launch();
        ck_assert_int_eq(aper_tab_open_start(browser, NULL, 1, NULL), APER_OK);
        aper_event_unref(live_completion(browser, 1));
        aper_browser_unref(browser);
        ck_assert(leaks_wait_threads(threads));
        ck_assert_uint_eq(leaks_fds(), fds);
        ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 0);
    }
    ck_assert(leaks_wait(leaks_processes, leaks_own_tmp(), 0));
}
END_TEST

START_TEST(a_forked_child_is_refused_and_harms_nothing)
{
    aper_browser *browser = live_launch();
    aper_tab *tab = live_open(browser, server, "/first.html");
    pid_t child = fork();
    if (child == 0) {
        aper_event *event;
        aper_tab_list *list;
        bool refused = aper_browser_get_state(browser) == APER_E_FORKED
            && aper_tab_activate(tab, NULL) == APER_E_FORKED
            && aper_browser_list_tabs(browser, &list, NULL) == APER_E_FORKED
            && aper_browser_next_event(browser, 0, &event) == APER_E_FORKED
            && aper_tab_navigate_start(tab, "about:blank", NULL, 1, NULL)
                == APER_E_FORKED
            && aper_browser_get_fd(browser) == -1;
        aper_tab_unref(tab);
        aper_browser_unref(browser);
        _exit(refused ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    char *json = live_eval(tab, "1 + 1");
    ck_assert_str_eq(json, "2");
    aper_free(json);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifecycle");
    TCase *tests = tcase_create("lifecycle");
    tcase_add_unchecked_fixture(tests, start, stop);
    tcase_add_test(tests, closing_ends_calls_under_way_and_later_ones);
    tcase_add_test(tests, handles_can_be_released_in_any_order);
    tcase_add_test(tests, a_queued_tab_does_not_keep_the_browser_open);
    tcase_add_test(
        tests, a_killed_browser_ends_every_call_and_another_can_be_launched);
    tcase_add_test(tests, cycles_of_launch_and_close_leave_nothing_behind);
    tcase_add_test(tests, a_forked_child_is_refused_and_harms_nothing);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
