/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <errno.h>
#include <time.h>

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

void aper__op_init(aper__op *op, uint32_t timeout_ms)
{
    *op = (aper__op){.deadline_ms = aper__now_ms() + timeout_ms};
    pthread_mutex_init(&op->lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
#ifndef __APPLE__
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(&op->cond, &attr);
    pthread_condattr_destroy(&attr);
}

void aper__op_destroy(aper__op *op)
{
    pthread_cond_destroy(&op->cond);
    pthread_mutex_destroy(&op->lock);
}

uint64_t aper__op_seen(aper__op *op)
{
    pthread_mutex_lock(&op->lock);
    uint64_t seen = op->wakes;
    pthread_mutex_unlock(&op->lock);
    return seen;
}

/* Sleeps with the lock held until woken or until_ms. */
static void sleep_until(aper__op *op, int64_t until_ms)
{
#ifdef __APPLE__
    int64_t left = until_ms - aper__now_ms();
    if (left <= 0)
        return;
    struct timespec span = {left / 1000, left % 1000 * 1000000};
    pthread_cond_timedwait_relative_np(&op->cond, &op->lock, &span);
#else
    struct timespec until = {until_ms / 1000, until_ms % 1000 * 1000000};
    pthread_cond_timedwait(&op->cond, &op->lock, &until);
#endif
}

aper_status aper__op_wait(aper__op *op, uint64_t seen)
{
    return aper__op_wait_until(op, seen, INT64_MAX);
}

aper_status aper__op_wait_until(aper__op *op, uint64_t seen, int64_t until_ms)
{
    aper_status status;
    int64_t limit = until_ms < op->deadline_ms ? until_ms : op->deadline_ms;
    pthread_mutex_lock(&op->lock);
    for (;;) {
        status = op->interrupt;
        if (status != APER_OK)
            break;
        int64_t now = aper__now_ms();
        bool late = now >= op->deadline_ms;
        /* What came before the deadline to a thread that was scheduled after
         * it is still worth a look; but only one, or a steady stream of wakes
         * would put the deadline off for ever. */
        if (op->wakes != seen && !(late && op->late)) {
            op->late = late;
            break;
        }
        if (late) {
            status = APER_E_TIMEOUT;
            break;
        }
        if (now >= limit)
            break;
        sleep_until(op, limit);
    }
    pthread_mutex_unlock(&op->lock);
    return status;
}

/* Broadcasts with the lock held: the woken thread may destroy the op as soon
 * as it has the lock. */
void aper__op_wake(aper__op *op)
{
    pthread_mutex_lock(&op->lock);
    op->wakes++;
    pthread_cond_broadcast(&op->cond);
    pthread_mutex_unlock(&op->lock);
}

void aper__op_interrupt(aper__op *op, aper_status status)
{
    pthread_mutex_lock(&op->lock);
    if (op->interrupt == APER_OK || op->interrupt == APER_E_DIALOG)
        op->interrupt = status;
    pthread_cond_broadcast(&op->cond);
    pthread_mutex_unlock(&op->lock);
}

void aper__op_clear(aper__op *op, aper_status status)
{
    pthread_mutex_lock(&op->lock);
    if (op->interrupt == status)
        op->interrupt = APER_OK;
    pthread_mutex_unlock(&op->lock);
}

aper_status aper__op_check(aper__op *op)
{
    pthread_mutex_lock(&op->lock);
    aper_status status = op->interrupt;
    pthread_mutex_unlock(&op->lock);
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
    pthread_mutex_lock(&op->lock);
    op->deadline_ms = deadline_ms;
    op->late = false;
    pthread_mutex_unlock(&op->lock);
    return before;
}
