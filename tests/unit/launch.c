/* SPDX-License-Identifier: Apache-2.0 */
/* Starting real browsers, and programs that are none. */
#include "cdp/launch.h"
#include "leaks.h"
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static aper_launch_options defaults(void)
{
    return (aper_launch_options){.size = sizeof(aper_launch_options),
                                 .no_sandbox = geteuid() == 0};
}

static aper_status try_launch(const aper_launch_options *options,
                              uint32_t timeout_ms, aper__launch **ret_launch,
                              aper_error **ret_error)
{
    aper__op op;
    aper__op_init(&op, timeout_ms);
    aper_status status = aper__launch_start(options, &op, ret_launch,
                                            ret_error);
    return status;
}

static aper__launch *launch(const aper_launch_options *options)
{
    aper_error *error = NULL;
    aper__launch *started = NULL;
    aper_status status = try_launch(options, 60000, &started, &error);
    ck_assert_msg(status == APER_OK, "%s: %s", aper_status_get_name(status),
                  aper_error_get_message(error));
    return started;
}

static void check_failure(const aper_launch_options *options,
                          uint32_t timeout_ms, aper_status expected,
                          const char *text)
{
    aper_error *error = NULL;
    aper__launch *started = NULL;
    const char *tmp = leaks_own_tmp();
    unsigned entries = leaks_entries(tmp);
    unsigned fds = leaks_fds();
    unsigned threads = leaks_threads();
    aper_status status = try_launch(options, timeout_ms, &started, &error);
    ck_assert_str_eq(aper_status_get_name(status),
                     aper_status_get_name(expected));
    const char *message = aper_error_get_message(error);
    ck_assert_msg(strstr(message, text) != NULL, "no %s in: %s", text,
                  message);
    aper_error_unref(error);
    ck_assert(leaks_wait_threads(threads));
    ck_assert_uint_eq(leaks_fds(), fds);
    ck_assert_uint_eq(leaks_entries(tmp), entries);
    ck_assert(leaks_wait(leaks_processes, tmp, 0));
}

/* A shell script in the test's own directory. */
static char *script(const char *body, mode_t mode)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/program", leaks_new_tmp());
    FILE *file = fopen(path, "w");
    fprintf(file, "#!/bin/sh\n%s\n", body);
    fclose(file);
    chmod(path, mode);
    return path;
}

/* ---- real browsers -------------------------------------------------------- */

START_TEST(a_browser_starts_and_stops_over_a_port)
{
    const char *tmp = leaks_new_tmp();
    aper_launch_options options = defaults();
    aper__launch *started = launch(&options);
    const char *endpoint = aper__launch_endpoint(started);
    ck_assert_ptr_nonnull(endpoint);
    ck_assert_int_eq(strncmp(endpoint, "ws://127.0.0.1:", 15), 0);
    ck_assert_ptr_nonnull(strstr(endpoint, "/devtools/browser/"));
    ck_assert_int_eq(aper__launch_take_pipe(started), -1);
    ck_assert_int_eq(kill((pid_t)aper__launch_pid(started), 0), 0);
    ck_assert_uint_eq(leaks_entries(tmp), 1);
    aper__launch_stop(started, 5000);
    ck_assert_uint_eq(leaks_entries(tmp), 0);
    ck_assert_int_eq(kill((pid_t)aper__launch_pid(started), 0), -1);
    aper__launch_free(started);
    ck_assert(leaks_wait(leaks_processes, tmp, 0));
}
END_TEST

START_TEST(a_browser_answers_over_a_pipe)
{
    static const char question[] =
        "{\"id\":1,\"method\":\"Browser.getVersion\"}";
    char answer[4096] = "";
    size_t size = 0;
    aper_launch_options options = defaults();
    leaks_new_tmp();
    options.use_pipe = 1;
    aper__launch *started = launch(&options);
    ck_assert_ptr_null(aper__launch_endpoint(started));
    int fd = aper__launch_take_pipe(started);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(aper__launch_take_pipe(started), -1);
    ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    ck_assert_int_eq(write(fd, question, sizeof question),
                     sizeof question);
    do {
        ssize_t got = read(fd, answer + size, sizeof answer - size);
        ck_assert_int_gt(got, 0);
        size += (size_t)got;
    } while (answer[size - 1] != '\0' && size < sizeof answer);
    ck_assert_ptr_nonnull(strstr(answer, "\"id\":1"));
    ck_assert_ptr_nonnull(strstr(answer, "Chrome/"));
    close(fd);
    aper__launch_free(started);
}
END_TEST

START_TEST(twenty_cycles_leave_nothing)
{
    const char *tmp = leaks_new_tmp();
    aper_launch_options options = defaults();
    unsigned fds = leaks_fds();
    unsigned threads = leaks_threads();
    for (unsigned i = 0; i < 20; i++) {
        options.use_pipe = i & 1;
        aper__launch *started = launch(&options);
        aper__launch_stop(started, i % 3 ? 0 : 5000);
        aper__launch_free(started);
        ck_assert_uint_eq(leaks_entries(tmp), 0);
    }
    ck_assert_uint_eq(leaks_fds(), fds);
    ck_assert(leaks_wait_threads(threads));
    ck_assert(leaks_wait(leaks_processes, tmp, 0));
}
END_TEST

START_TEST(a_given_profile_stays_and_is_used_once)
{
    char profile[256];
    aper_error *error = NULL;
    aper__launch *second = NULL;
    struct stat info;
    const char *tmp = leaks_new_tmp();
    aper_launch_options options = defaults();
    snprintf(profile, sizeof profile, "%s/mine", tmp);
    options.profile_dir = profile;
    aper__launch *first = launch(&options);
    ck_assert_int_eq(try_launch(&options, 60000, &second, &error),
                     APER_E_IN_USE);
    aper_error_unref(error);
    aper__launch_stop(first, 5000);
    aper__launch_free(first);
    ck_assert_int_eq(stat(profile, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0700);
    ck_assert_uint_eq(leaks_entries(tmp), 1);
    second = launch(&options);
    aper__launch_free(second);
    /* killed: its lock is there, its process is not */
    second = launch(&options);
    aper__launch_free(second);
}
END_TEST

START_TEST(a_profile_locked_by_a_foreign_browser_is_in_use)
{
    char profile[200], path[256], owner[300], host[200];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *tmp = leaks_new_tmp();
    aper_launch_options options = defaults();
    snprintf(profile, sizeof profile, "%s/mine", tmp);
    ck_assert_int_eq(mkdir(profile, 0700), 0);
    options.profile_dir = profile;
    gethostname(host, sizeof host);
    snprintf(owner, sizeof owner, "%s-%d", host, getpid());
    snprintf(path, sizeof path, "%s/SingletonLock", profile);
    ck_assert_int_eq(symlink(owner, path), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/sock", tmp);
    snprintf(path, sizeof path, "%s/SingletonSocket", profile);
    ck_assert_int_eq(symlink(address.sun_path, path), 0);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(
        bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(fd, 1), 0);
    check_failure(&options, 60000, APER_E_IN_USE, "already runs a browser");
    close(fd);
    aper__launch_free(launch(&options)); /* nobody answers: stale */
}
END_TEST

START_TEST(a_browser_that_died_is_explained)
{
    aper_error *error = NULL;
    aper_launch_options options = defaults();
    leaks_new_tmp();
    aper__launch *started = launch(&options);
    kill((pid_t)aper__launch_pid(started), SIGKILL);
    ck_assert_int_eq(aper__launch_explain(started, APER_E_GONE, &error),
                     APER_E_LAUNCH);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "signal 9"));
    aper_error_unref(error);
    aper__launch_free(started);
}
END_TEST

/* ---- what is no browser ---------------------------------------------------- */

START_TEST(a_program_that_ends_at_once_is_quoted)
{
    aper_launch_options options = defaults();
    options.executable = script("echo one\nprintf 'two\\033[31m' >&2\nexit 3",
                                0700);
    check_failure(&options, 60000, APER_E_LAUNCH,
                  "ended with code 3 before it could be used: one | two");
}
END_TEST

/* Over a pipe it is the first command that finds out. */
START_TEST(a_program_that_ends_is_quoted_over_a_pipe_too)
{
    char byte;
    aper_error *error = NULL;
    aper_launch_options options = defaults();
    options.executable = script("echo bad luck; exit 3", 0700);
    options.use_pipe = 1;
    aper__launch *started = launch(&options);
    int fd = aper__launch_take_pipe(started);
    ck_assert_int_eq(read(fd, &byte, 1), 0);
    close(fd);
    ck_assert_int_eq(aper__launch_explain(started, APER_E_GONE, &error),
                     APER_E_LAUNCH);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "bad luck"));
    aper_error_unref(error);
    aper__launch_free(started);
}
END_TEST

START_TEST(only_the_last_output_is_quoted)
{
    aper_launch_options options = defaults();
    options.executable =
        script("echo FIRST; i=0; while [ $i -lt 3000 ]; do echo line $i; "
               "i=$((i+1)); done; exit 1", 0700);
    check_failure(&options, 60000, APER_E_LAUNCH, "line 2999");
    aper_error *error = NULL;
    aper__launch *started = NULL;
    ck_assert_int_eq(try_launch(&options, 60000, &started, &error),
                     APER_E_LAUNCH);
    ck_assert_ptr_null(strstr(aper_error_get_message(error), "FIRST"));
    ck_assert_uint_le(strlen(aper_error_get_message(error)), 3000);
    aper_error_unref(error);
}
END_TEST

START_TEST(a_program_that_hangs_runs_into_the_deadline)
{
    aper_launch_options options = defaults();
    options.executable = script("echo waiting\nsleep 1000 &\nwait", 0700);
    check_failure(&options, 1000, APER_E_TIMEOUT, "waiting");
}
END_TEST

START_TEST(what_cannot_be_executed_is_said)
{
    aper_launch_options options = defaults();
    options.executable = script("exit 0", 0600);
    check_failure(&options, 60000, APER_E_LAUNCH, "Permission denied");
    options.executable = "/no/such/program";
    check_failure(&options, 60000, APER_E_NOT_FOUND, "/no/such/program");
    options.executable = "no-such-program";
    check_failure(&options, 60000, APER_E_NOT_FOUND, "no-such-program");
}
END_TEST

START_TEST(a_failing_sandbox_names_the_option)
{
    aper_launch_options options = defaults();
    options.executable = script("echo 'FATAL: No usable sandbox!'; exit 1",
                                0700);
    check_failure(&options, 60000, APER_E_SANDBOX,
                  "no_sandbox in aper_launch_options");
    if (geteuid() != 0)
        return;
    options.no_sandbox = 0;
    check_failure(&options, 60000, APER_E_SANDBOX,
                  "no_sandbox in aper_launch_options");
}
END_TEST

START_TEST(the_child_gets_no_descriptor_signal_or_stdin_of_the_host)
{
    aper_launch_options options = defaults();
    ck_assert_int_eq(dup2(2, 77), 77); /* not CLOEXEC */
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGUSR2, SIG_IGN);
    options.executable =
        script("test -e /proc/$$/fd/77 || echo closed\n"
               "readlink /proc/$$/fd/0\n"
               "grep -E 'SigBlk|SigIgn' /proc/$$/status | tr '\\n' ' '",
               0700);
    check_failure(&options, 60000, APER_E_LAUNCH,
                  "closed | /dev/null | SigBlk: 0000000000000000 "
                  "SigIgn: 0000000000000000");
}
END_TEST

SUITE("launch", 300, a_browser_starts_and_stops_over_a_port,
      a_browser_answers_over_a_pipe, twenty_cycles_leave_nothing,
      a_given_profile_stays_and_is_used_once,
      a_profile_locked_by_a_foreign_browser_is_in_use,
      a_browser_that_died_is_explained,
      a_program_that_ends_at_once_is_quoted,
      a_program_that_ends_is_quoted_over_a_pipe_too, only_the_last_output_is_quoted,
      a_program_that_hangs_runs_into_the_deadline,
      what_cannot_be_executed_is_said, a_failing_sandbox_names_the_option,
      the_child_gets_no_descriptor_signal_or_stdin_of_the_host)
