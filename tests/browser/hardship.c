/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that lacks something, a browser that hangs: clear errors, within
 * the time given, and nothing left behind. */
#include "leaks.h"
#include "live.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static aper_status launch(aper_browser **ret_browser, aper_error **ret_error)
{
    aper_launch_options options = {.size = sizeof options,
                                   .no_sandbox = geteuid() == 0,
                                   .allow_eval = 1};
    return aper_browser_launch(&options, ret_browser, ret_error);
}

static void refused(aper_status want, const char *why)
{
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_status status = launch(&browser, &error);
    ck_assert_msg(status == want, "%s: %s", aper_status_get_name(status),
                  aper_error_get_message(error));
    ck_assert_ptr_null(browser);
    ck_assert_msg(strstr(aper_error_get_message(error), why) != NULL, "%s",
                  aper_error_get_message(error));
    aper_error_unref(error);
}

static void works(void)
{
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_tab *tab = NULL;
    aper_status status = launch(&browser, &error);
    LIVE_CHECK(APER_OK, status, error);
    error = NULL;
    status = aper_tab_open(browser, NULL, &tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}

START_TEST(a_directory_for_temporary_files_that_is_none_is_said)
{
    char path[64];
    const char *own = leaks_new_tmp();
    snprintf(path, sizeof path, "%s/missing", own);
    setenv("TMPDIR", path, 1);
    refused(APER_E_IO, path);
    ck_assert_uint_eq(leaks_entries(own), 0);
    setenv("TMPDIR", "/proc", 1); /* not even root can write there */
    refused(APER_E_IO, "/proc");
}
END_TEST

START_TEST(a_long_path_for_temporary_files_works)
{
    char path[700];
    const char *own = leaks_new_tmp();
    int size = snprintf(path, sizeof path, "%s", own);
    for (unsigned i = 0; i < 3; i++) {
        path[size++] = '/';
        memset(path + size, 'a' + (int)i, 200);
        path[size += 200] = '\0';
        ck_assert_int_eq(mkdir(path, 0700), 0);
    }
    setenv("TMPDIR", path, 1);
    works();
    ck_assert_uint_eq(leaks_entries(path), 0);
}
END_TEST

START_TEST(no_home_is_no_obstacle)
{
    const char *own = leaks_new_tmp();
    unsetenv("HOME");
    works();
    setenv("HOME", "/nowhere/at/all", 1);
    works();
    ck_assert_uint_eq(leaks_entries(own), 0);
}
END_TEST

/* From so few that nothing works to so many that everything does. */
START_TEST(few_descriptors_are_an_error_and_never_a_leak)
{
    const char *own = leaks_new_tmp();
    struct rlimit before;
    unsigned worked = 0;
    unsigned failed = 0;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    works();
    unsigned fds = leaks_fds();
    unsigned threads = leaks_threads();
    for (rlim_t limit = fds; limit <= 64 + fds && worked < 1;
         limit += limit < fds + 24 ? 2 : 16) {
        struct rlimit few = {limit, before.rlim_max};
        aper_browser *browser = NULL;
        aper_error *error = NULL;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
        aper_status status = launch(&browser, &error);
        aper_browser_unref(browser);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
        ck_assert_msg(status == APER_OK
                          || aper_error_get_message(error)[0] != '\0',
                      "%s without a word", aper_status_get_name(status));
        aper_error_unref(error);
        ck_assert(leaks_wait_threads(threads));
        ck_assert_msg(leaks_fds() == fds, "%u descriptors more under %u",
                      leaks_fds() - fds, (unsigned)limit);
        ck_assert_uint_eq(leaks_entries(own), 0);
        ck_assert(leaks_wait(leaks_processes, own, 0));
        worked += status == APER_OK;
        failed += status != APER_OK;
    }
    ck_assert_uint_gt(failed, 0);
    works();
}
END_TEST

START_TEST(a_hung_browser_times_out_and_is_closed_all_the_same)
{
    const char *own = leaks_new_tmp();
    aper_browser *browser = live_launch();
    pid_t pid = (pid_t)aper_browser_get_pid(browser);
    aper_tab *tab = NULL;
    ck_assert_int_eq(aper_tab_open(browser, NULL, &tab, NULL), APER_OK);
    ck_assert_int_eq(kill(-pid, SIGSTOP), 0);
    aper_navigate_options soon = {.size = sizeof soon, .timeout_ms = 300};
    aper_open_options open_soon = {.size = sizeof open_soon,
                                   .timeout_ms = 300};
    aper_tab *other = NULL;
    ck_assert_int_eq(aper_tab_navigate(tab, "about:blank", &soon, NULL, NULL),
                     APER_E_TIMEOUT);
    ck_assert_int_eq(aper_tab_open(browser, &open_soon, &other, NULL),
                     APER_E_TIMEOUT);
    ck_assert_int_eq(aper_tab_eval(tab, "1", 300, NULL, NULL),
                     APER_E_TIMEOUT);
    aper_browser_close(browser);
    ck_assert(leaks_wait(leaks_processes, own, 0));
    ck_assert_uint_eq(leaks_entries(own), 0);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}
END_TEST

/* ---- renderers -------------------------------------------------------------- */

static bool is_renderer(const char *pid)
{
    char path[300];
    char data[1 << 12];
    snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
    FILE *opened = fopen(path, "rb");
    if (!opened)
        return false;
    size_t size = fread(data, 1, sizeof data, opened);
    fclose(opened);
    static const char type[] = "--type=renderer";
    return memmem(data, size, type, sizeof type - 1) != NULL;
}

/* Those of the browser, which leads a process group. */
static unsigned kill_renderers(pid_t browser)
{
    unsigned killed = 0;
    DIR *processes = opendir("/proc");
    ck_assert_ptr_nonnull(processes);
    struct dirent *entry;
    while ((entry = readdir(processes)) != NULL) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid > 0 && getpgid(pid) == browser && is_renderer(entry->d_name))
            killed += kill(pid, SIGKILL) == 0;
    }
    closedir(processes);
    return killed;
}

typedef aper_status deed(aper_tab *tab);

static aper_status see(aper_tab *tab)
{
    aper_snapshot *snapshot = NULL;
    aper_status status = aper_snapshot_take(tab, NULL, &snapshot, NULL);
    aper_snapshot_unref(snapshot);
    return status;
}

static aper_status press(aper_tab *tab)
{
    aper_act_options options = {.size = sizeof options,
                                .verb = APER_ACT_PRESS, .key = "a"};
    aper_act_result *result = NULL;
    aper_status status = aper_tab_act(tab, &options, &result, NULL);
    aper_act_result_unref(result);
    return status;
}

static aper_status compute(aper_tab *tab)
{
    return aper_tab_eval(tab, "1", LIVE_WAIT_MS, NULL, NULL);
}

typedef struct worker {
    deed *what;
    aper_tab *tab;
    atomic_uint rounds;
    aper_status status;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    do {
        w->status = w->what(w->tab);
        atomic_fetch_add(&w->rounds, 1);
    } while (w->status == APER_OK);
    return NULL;
}

START_TEST(a_killed_renderer_is_said_and_the_tab_lives_again)
{
    static deed *const deeds[] = {see, press, compute};
    aper_browser *browser = live_launch();
    aper_tab *tab = NULL;
    ck_assert_int_eq(aper_tab_open(browser, NULL, &tab, NULL), APER_OK);
    for (unsigned i = 0; i < 6 * sizeof deeds / sizeof deeds[0]; i++) {
        worker w = {.what = deeds[i % 3], .tab = tab};
        pthread_t thread;
        ck_assert_int_eq(aper_tab_navigate(tab, "about:blank", NULL, NULL,
                                           NULL), APER_OK);
        ck_assert_int_eq(pthread_create(&thread, NULL, work, &w), 0);
        while (atomic_load(&w.rounds) < 1 + i / 3)
            usleep(500);
        ck_assert_uint_gt(kill_renderers(
            (pid_t)aper_browser_get_pid(browser)), 0);
        pthread_join(thread, NULL);
        ck_assert_msg(w.status == APER_E_CRASHED, "%s",
                      aper_status_get_name(w.status));
    }
    ck_assert_int_eq(aper_tab_navigate(tab, "about:blank", NULL, NULL, NULL),
                     APER_OK);
    ck_assert_int_eq(see(tab), APER_OK);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hardship");
    TCase *tests = tcase_create("hardship");
    tcase_set_timeout(tests, 180);
    tcase_add_test(tests,
                   a_directory_for_temporary_files_that_is_none_is_said);
    tcase_add_test(tests, a_long_path_for_temporary_files_works);
    tcase_add_test(tests, no_home_is_no_obstacle);
    tcase_add_test(tests, few_descriptors_are_an_error_and_never_a_leak);
    tcase_add_test(tests,
                   a_hung_browser_times_out_and_is_closed_all_the_same);
    tcase_add_test(tests, a_killed_renderer_is_said_and_the_tab_lives_again);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
