/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <limits.h>
#include <time.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static int64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t aper__now_ms(void)
{
    return clock_ms(CLOCK_MONOTONIC);
}

int64_t aper__wall_ms(void)
{
    return clock_ms(CLOCK_REALTIME);
}

/* A mutex and a condition in each op would cost a woken thread two more sleeps:
 * it can only be woken under the locks that it then wants. */
#ifdef __linux__
void aper__sleep(atomic_uint *word, uint32_t value, int64_t until_ms)
{
    struct timespec until = {until_ms / 1000, until_ms % 1000 * 1000000};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
            until_ms == INT64_MAX ? NULL : &until, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

void aper__rouse(const atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, NULL,
            NULL, 0);
}
#else
static pthread_mutex_t bed_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bed = PTHREAD_COND_INITIALIZER;

void aper__sleep(atomic_uint *word, uint32_t value, int64_t until_ms)
{
    pthread_mutex_lock(&bed_lock);
    int64_t left = until_ms - aper__now_ms();
    if (left > 0 && atomic_load(word) == value) {
        if (left > INT32_MAX)
            left = INT32_MAX; /* the sum must not overflow */
        int64_t until = aper__wall_ms() + left;
        struct timespec time = {until / 1000, until % 1000 * 1000000};
        pthread_cond_timedwait(&bed, &bed_lock, &time);
    }
    pthread_mutex_unlock(&bed_lock);
}

void aper__rouse(const atomic_uint *word APER_UNUSED)
{
    pthread_mutex_lock(&bed_lock);
    pthread_cond_broadcast(&bed);
    pthread_mutex_unlock(&bed_lock);
}
#endif

static _Atomic(const aper__op_server *) server;

void aper__op_set_server(const aper__op_server *set)
{
    atomic_store(&server, set);
}

static void sleep_in(aper__op *op, uint32_t wakes, int64_t until_ms)
{
    const aper__op_server *set = atomic_load(&server);
    if (set)
        set->wait(&op->wakes, wakes, until_ms);
    else
        aper__sleep(&op->wakes, wakes, until_ms);
}

void aper__op_init(aper__op *op, uint32_t timeout_ms)
{
    *op = (aper__op){.deadline_ms = aper__now_ms() + timeout_ms};
}

uint32_t aper__op_seen(aper__op *op)
{
    return atomic_load(&op->wakes);
}

aper_status aper__op_wait(aper__op *op, uint32_t seen)
{
    return aper__op_wait_until(op, seen, INT64_MAX);
}

aper_status aper__op_wait_until(aper__op *op, uint32_t seen, int64_t until_ms)
{
    int64_t limit = until_ms < op->deadline_ms ? until_ms : op->deadline_ms;
    for (;;) {
        /* Read first: what comes after it keeps the thread awake. */
        uint32_t wakes = atomic_load(&op->wakes);
        aper_status status = atomic_load(&op->interrupt);
        if (status != APER_OK)
            return status;
        int64_t now = aper__now_ms();
        bool late = now >= op->deadline_ms;
        /* What came before the deadline to a thread that was scheduled after
         * it is still worth a look; but only one, or a steady stream of wakes
         * would put the deadline off for ever. */
        if (wakes != seen && !(late && op->late)) {
            op->late = late;
            return APER_OK;
        }
        if (late)
            return APER_E_TIMEOUT;
        if (now >= limit)
            return APER_OK;
        sleep_in(op, wakes, limit);
    }
}

void aper__op_note(aper__op *op)
{
    atomic_fetch_add(&op->wakes, 1);
}

void aper__op_rouse(const aper__op *op)
{
    const aper__op_server *set = atomic_load(&server);
    if (!set || !set->rouse(&op->wakes))
        aper__rouse(&op->wakes);
}

void aper__op_wake(aper__op *op)
{
    aper__op_note(op);
    aper__op_rouse(op);
}

void aper__op_interrupt(aper__op *op, aper_status status)
{
    aper_status before = atomic_load(&op->interrupt);
    while ((before == APER_OK || before == APER_E_DIALOG)
           && !atomic_compare_exchange_weak(&op->interrupt, &before, status))
        ;
    aper__op_wake(op);
}

void aper__op_clear(aper__op *op, aper_status status)
{
    atomic_compare_exchange_strong(&op->interrupt, &status, APER_OK);
}

aper_status aper__op_check(aper__op *op)
{
    aper_status status = atomic_load(&op->interrupt);
    if (status == APER_OK && aper__now_ms() >= op->deadline_ms)
        status = APER_E_TIMEOUT;
    return status;
}

uint32_t aper__op_left_ms(aper__op *op)
{
    int64_t left = op->deadline_ms - aper__now_ms();
    return left <= 0 ? 0 : left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

int64_t aper__op_set_deadline(aper__op *op, int64_t deadline_ms)
{
    int64_t before = op->deadline_ms;
    op->deadline_ms = deadline_ms;
    op->late = false;
    return before;
}
