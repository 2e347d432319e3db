/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"
#include "suite.h"
#include "wire/core.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 60000

static aper__op op;

static unsigned count_threads(const char *unused)
{
    (void)unused;
    return leaks_threads();
}

/* A thread that was joined stays listed for a moment. */
static void expect_threads(unsigned wanted)
{
    ck_assert(leaks_wait(count_threads, NULL, wanted));
}

static void acquire(void)
{
    ck_assert_int_eq(aper__io_acquire(NULL), APER_OK);
}

typedef struct order {
    unsigned count;
    unsigned seen[100];
    bool elsewhere;
} order;

static order done;

static void note(void *arg)
{
    done.elsewhere |= !aper__io_is_current();
    done.seen[done.count++] = (unsigned)(uintptr_t)arg;
    aper__op_wake(&op);
}

/* Whatever was posted before has run after this. */
static void settle(void)
{
    uint64_t seen = aper__op_seen(&op);
    ck_assert_int_eq(aper__io_post((void (*)(void *))aper__op_wake, &op),
                     APER_OK);
    ck_assert_int_eq(aper__op_wait(&op, seen), APER_OK);
}

START_TEST(posts_run_in_order_on_the_io_thread)
{
    aper__op_init(&op, PATIENCE_MS);
    acquire();
    ck_assert(!aper__io_is_current());
    for (uintptr_t i = 0; i < 100; i++)
        ck_assert_int_eq(aper__io_post(note, (void *)i), APER_OK);
    aper__io_release();
    ck_assert_uint_eq(done.count, 100);
    ck_assert(!done.elsewhere);
    for (unsigned i = 0; i < 100; i++)
        ck_assert_uint_eq(done.seen[i], i);
}
END_TEST

START_TEST(timers_fire_in_the_order_of_their_times)
{
    aper__op_init(&op, PATIENCE_MS);
    acquire();
    uint64_t id = 0, third = 0;
    ck_assert_int_eq(aper__io_timer(60, note, (void *)3, &third), APER_OK);
    ck_assert_int_eq(aper__io_timer(20, note, (void *)1, &id), APER_OK);
    ck_assert_uint_ne(id, 0);
    ck_assert_int_eq(aper__io_timer(40, note, (void *)2, NULL), APER_OK);
    ck_assert_int_eq(aper__io_timer(50, note, (void *)9, &id), APER_OK);
    ck_assert_int_eq(aper__io_timer(0, note, (void *)0, NULL), APER_OK);
    aper__io_timer_cancel(id);
    aper__io_timer_cancel(0);
    aper__io_timer_cancel(12345);
    for (uint64_t seen = aper__op_seen(&op); seen < 4; seen++)
        ck_assert_int_eq(aper__op_wait(&op, seen), APER_OK);
    aper__io_timer_cancel(third);
    aper__io_release();
    ck_assert_uint_eq(done.count, 4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(done.seen[i], i);
}
END_TEST

static atomic_bool inside, left;

static void dawdle(void *arg)
{
    (void)arg;
    atomic_store(&inside, true);
    aper__op_wake(&op);
    usleep(30000);
    atomic_store(&left, true);
}

START_TEST(cancelling_waits_for_a_timer_that_runs)
{
    aper__op_init(&op, PATIENCE_MS);
    acquire();
    uint64_t id, seen = aper__op_seen(&op);
    ck_assert_int_eq(aper__io_timer(0, dawdle, NULL, &id), APER_OK);
    ck_assert_int_eq(aper__op_wait(&op, seen), APER_OK);
    ck_assert(atomic_load(&inside));
    aper__io_timer_cancel(id);
    ck_assert(atomic_load(&left));
    aper__io_release();
}
END_TEST

START_TEST(timers_that_are_left_over_are_freed)
{
    acquire();
    ck_assert_int_eq(aper__io_timer(PATIENCE_MS, note, NULL, NULL), APER_OK);
    aper__io_release();
    ck_assert_uint_eq(done.count, 0);
}
END_TEST

START_TEST(the_last_release_ends_the_thread_200_times)
{
    acquire(); /* what loading libraries opens once */
    aper__io_release();
    unsigned fds = leaks_fds(), threads = leaks_threads();
    for (unsigned i = 0; i < 200; i++) {
        acquire();
        acquire();
        aper__io_release();
        expect_threads(threads + 1);
        aper__io_release();
        expect_threads(threads);
    }
    ck_assert_uint_eq(leaks_fds(), fds);
}
END_TEST

static void *cycle(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < 50; i++) {
        aper__op one;
        aper__op_init(&one, PATIENCE_MS);
        uint64_t seen = aper__op_seen(&one);
        bool ok = aper__io_acquire(NULL) == APER_OK
                  && aper__io_post((void (*)(void *))aper__op_wake, &one)
                         == APER_OK
                  && aper__op_wait(&one, seen) == APER_OK;
        aper__io_release();
        if (!ok)
            return arg;
    }
    return NULL;
}

START_TEST(many_threads_start_and_stop_it)
{
    unsigned threads = leaks_threads();
    pthread_t made[6];
    for (size_t i = 0; i < 6; i++)
        pthread_create(&made[i], NULL, cycle, made);
    for (size_t i = 0; i < 6; i++) {
        void *failed;
        pthread_join(made[i], &failed);
        ck_assert_ptr_null(failed);
    }
    expect_threads(threads);
}
END_TEST

static void on_pipe(int signal_number)
{
    (void)signal_number;
}

START_TEST(sigpipe_stays_as_the_host_has_it)
{
    void (*const handlers[])(int) = {SIG_DFL, SIG_IGN, on_pipe};
    for (size_t i = 0; i < 3; i++) {
        struct sigaction set = {.sa_handler = handlers[i]}, now;
        sigaction(SIGPIPE, &set, NULL);
        acquire();
        sigaction(SIGPIPE, NULL, &now);
        ck_assert(now.sa_handler == handlers[i]);
        aper__io_release();
        sigaction(SIGPIPE, NULL, &now);
        ck_assert(now.sa_handler == handlers[i]);
    }
}
END_TEST

static void look_at_signals(void *arg)
{
    pthread_sigmask(SIG_SETMASK, NULL, arg);
}

START_TEST(signals_are_left_to_the_threads_of_the_host)
{
    aper__op_init(&op, PATIENCE_MS);
    sigset_t before, after, io;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    acquire();
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++)
        ck_assert_int_eq(sigismember(&before, i), sigismember(&after, i));
    ck_assert_int_eq(aper__io_post(look_at_signals, &io), APER_OK);
    settle();
    ck_assert_int_eq(sigismember(&io, SIGINT), 1);
    ck_assert_int_eq(sigismember(&io, SIGCHLD), 1);
    ck_assert_int_eq(sigismember(&io, SIGPIPE), 1);
    aper__io_release();
}
END_TEST

/* The flags of each descriptor, 0 where there is none. */
static void read_flags(unsigned flags[64])
{
    for (int fd = 0; fd < 64; fd++) {
        char path[64], line[128];
        flags[fd] = 0;
        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
        FILE *info = fopen(path, "re");
        while (info && fgets(line, sizeof line, info)) {
            if (sscanf(line, "flags: %o", &flags[fd]) == 1)
                flags[fd] |= 1u << 31;
        }
        if (info)
            fclose(info);
    }
}

START_TEST(descriptors_close_on_exec)
{
    unsigned before[64], after[64], made = 0;
    read_flags(before);
    acquire();
    read_flags(after);
    aper__io_release();
    for (int fd = 0; fd < 64; fd++) {
        if (!after[fd] || before[fd])
            continue;
        made++;
        ck_assert_msg(after[fd] & O_CLOEXEC, "descriptor %d", fd);
    }
    ck_assert_uint_gt(made, 0);
}
END_TEST

static unsigned host_lines;

static void host_logger(int level, const char *line)
{
    (void)level;
    (void)line;
    host_lines++;
}

START_TEST(a_host_that_logs_lws_itself_keeps_its_logger)
{
    lws_set_log_level(LLL_ERR, host_logger);
    acquire();
    ck_assert(lwsl_visible(LLL_ERR));
    ck_assert(!lwsl_visible(LLL_NOTICE));
    aper__io_release();
    lwsl_err("from the host\n");
    ck_assert_uint_ge(host_lines, 1);
}
END_TEST

START_TEST(nothing_is_printed)
{
    char path[] = "/tmp/aperture-io-XXXXXX";
    int file = mkstemp(path), saved = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    acquire();
    aper__io_release();
    dup2(saved, STDERR_FILENO);
    ck_assert_int_eq(lseek(file, 0, SEEK_END), 0);
    close(file);
    close(saved);
    unlink(path);
}
END_TEST

START_TEST(without_memory_nothing_is_posted_or_started)
{
    acquire();
    aper__alloc_fail_at(1, true);
    uint64_t id = 7;
    ck_assert_int_eq(aper__io_post(note, NULL), APER_E_NOMEM);
    ck_assert_int_eq(aper__io_timer(0, note, NULL, &id), APER_E_NOMEM);
    ck_assert_uint_eq(id, 7);
    aper__alloc_fail_at(0, false);
    aper__io_release();
    ck_assert_uint_eq(done.count, 0);
}
END_TEST

SUITE("io", 120, posts_run_in_order_on_the_io_thread,
      timers_fire_in_the_order_of_their_times,
      cancelling_waits_for_a_timer_that_runs,
      timers_that_are_left_over_are_freed,
      the_last_release_ends_the_thread_200_times,
      many_threads_start_and_stop_it, sigpipe_stays_as_the_host_has_it,
      signals_are_left_to_the_threads_of_the_host, descriptors_close_on_exec,
      a_host_that_logs_lws_itself_keeps_its_logger, nothing_is_printed,
      without_memory_nothing_is_posted_or_started)
