/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_MS 60000

static void pause_ms(long ms)
{
    struct timespec span = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&span, NULL);
}

START_TEST(a_wake_before_the_wait_is_not_lost)
{
    aper__op op;
    aper__op_init(&op, LONG_MS);
    uint64_t seen = aper__op_seen(&op);
    aper__op_wake(&op);
    ck_assert_int_eq(aper__op_wait(&op, seen), APER_OK);
    ck_assert_uint_eq(aper__op_seen(&op), seen + 1);
}
END_TEST

START_TEST(the_deadline_ends_a_wait)
{
    aper__op op;
    aper__op_init(&op, 20);
    int64_t before = aper__now_ms();
    ck_assert_int_eq(aper__op_wait(&op, aper__op_seen(&op)), APER_E_TIMEOUT);
    ck_assert_int_ge(aper__now_ms() - before, 19);
    ck_assert_int_eq(aper__op_check(&op), APER_E_TIMEOUT);
    ck_assert_uint_eq(aper__op_left_ms(&op), 0);
}
END_TEST

START_TEST(an_earlier_limit_is_no_failure)
{
    aper__op op;
    aper__op_init(&op, LONG_MS);
    int64_t until = aper__now_ms() + 15;
    ck_assert_int_eq(aper__op_wait_until(&op, aper__op_seen(&op), until),
                     APER_OK);
    ck_assert_int_ge(aper__now_ms(), until);
    ck_assert_uint_gt(aper__op_left_ms(&op), 0);
}
END_TEST

START_TEST(a_late_wake_is_reported_once_then_the_timeout)
{
    aper__op op;
    aper__op_init(&op, 1);
    uint64_t seen = aper__op_seen(&op);
    aper__op_wake(&op);
    pause_ms(5);
    ck_assert_int_eq(aper__op_wait(&op, seen), APER_OK);
    seen = aper__op_seen(&op);
    aper__op_wake(&op);
    ck_assert_int_eq(aper__op_wait(&op, seen), APER_E_TIMEOUT);
}
END_TEST

START_TEST(the_first_interrupt_stays_but_a_dialog_gives_way)
{
    aper__op op;
    aper__op_init(&op, LONG_MS);
    aper__op_interrupt(&op, APER_E_DIALOG);
    ck_assert_int_eq(aper__op_check(&op), APER_E_DIALOG);
    aper__op_clear(&op, APER_E_GONE);
    ck_assert_int_eq(aper__op_check(&op), APER_E_DIALOG);
    aper__op_clear(&op, APER_E_DIALOG);
    ck_assert_int_eq(aper__op_check(&op), APER_OK);
    aper__op_interrupt(&op, APER_E_DIALOG);
    aper__op_interrupt(&op, APER_E_CRASHED);
    aper__op_interrupt(&op, APER_E_GONE);
    aper__op_interrupt(&op, APER_E_DIALOG);
    ck_assert_int_eq(aper__op_wait(&op, aper__op_seen(&op)), APER_E_CRASHED);
}
END_TEST

static void *interrupt_later(void *op)
{
    pause_ms(20);
    aper__op_interrupt(op, APER_E_CANCELLED);
    return NULL;
}

static void *wake_later(void *op)
{
    pause_ms(20);
    aper__op_wake(op);
    return NULL;
}

START_TEST(another_thread_ends_a_wait)
{
    void *(*const how[])(void *) = {wake_later, interrupt_later};
    const aper_status want[] = {APER_OK, APER_E_CANCELLED};
    for (size_t i = 0; i < 2; i++) {
        aper__op op;
        pthread_t thread;
        aper__op_init(&op, LONG_MS);
        uint64_t seen = aper__op_seen(&op);
        pthread_create(&thread, NULL, how[i], &op);
        ck_assert_int_eq(aper__op_wait(&op, seen), want[i]);
        pthread_join(thread, NULL);
    }
}
END_TEST

START_TEST(the_longest_timeout_does_not_overflow)
{
    aper__op op;
    aper__op_init(&op, UINT32_MAX);
    ck_assert_int_eq(aper__op_check(&op), APER_OK);
    ck_assert_uint_gt(aper__op_left_ms(&op), UINT32_MAX - LONG_MS);
}
END_TEST

static int in_child(aper_status (*ask)(void))
{
    pid_t child = fork();
    if (child == 0)
        _exit(ask() == APER_E_FORKED ? 7 : 0);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(a_child_process_is_told_from_its_parent)
{
    ck_assert_int_eq(in_child(aper__fork_check), 0);
    ck_assert_int_eq(in_child(aper__fork_claim), 0);
    ck_assert_int_eq(aper__fork_claim(), APER_OK);
    ck_assert_int_eq(in_child(aper__fork_check), 7);
    ck_assert_int_eq(in_child(aper__fork_claim), 7);
    ck_assert_int_eq(aper__fork_check(), APER_OK);
}
END_TEST

#define ROUNDS 20000

static aper__refs shared = 1;

static void *count_up_and_down(void *last)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        aper__ref(&shared);
        if (aper__unref(&shared))
            *(bool *)last = true;
    }
    return NULL;
}

START_TEST(only_the_last_reference_is_the_last)
{
    pthread_t threads[4];
    bool last[4] = {false};
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, count_up_and_down, &last[i]);
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        ck_assert(!last[i]);
    }
    ck_assert(aper__unref(&shared));
}
END_TEST

SUITE("op", 60, a_wake_before_the_wait_is_not_lost, the_deadline_ends_a_wait,
      an_earlier_limit_is_no_failure,
      a_late_wake_is_reported_once_then_the_timeout,
      the_first_interrupt_stays_but_a_dialog_gives_way,
      another_thread_ends_a_wait, the_longest_timeout_does_not_overflow,
      a_child_process_is_told_from_its_parent,
      only_the_last_reference_is_the_last)
