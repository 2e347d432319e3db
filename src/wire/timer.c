/* SPDX-License-Identifier: Apache-2.0 */
/* Timers of the loop, in a list by time; lws knows of the first one only. */
#include "wire/loop.h"

#include <string.h>

typedef struct timer {
    struct timer *next;
    struct timer *prev;
    int64_t due_ms;
    uint64_t id;
    void (*fn)(void *arg);
    void *arg;
} timer;

static struct {
    timer *soonest;
    timer *latest;
    uint64_t last_id;
    uint64_t running; /* its id; 0 for none */
    /* For whoever leads: */
    lws_sorted_usec_list_t alarm;
    int64_t alarm_ms; /* INT64_MAX: not set */
} timers = {.alarm_ms = INT64_MAX};

/* With the lock held. */
static void unlink_timer(timer *at)
{
    *(at->prev ? &at->prev->next : &timers.soonest) = at->next;
    *(at->next ? &at->next->prev : &timers.latest) = at->prev;
}

aper_status aper__io_timer(uint32_t delay_ms, void (*fn)(void *arg), void *arg,
                           uint64_t *ret_id)
{
    timer *made = aper__alloc(sizeof *made);
    if (!made)
        return APER_E_NOMEM;
    *made = (timer){.due_ms = aper__now_ms() + delay_ms, .fn = fn,
                    .arg = arg};
    pthread_mutex_lock(&aper__loop.lock);
    made->id = ++timers.last_id;
    if (ret_id)
        *ret_id = made->id;
    /* Most timers of a program are equally long, so the end is near. */
    timer *before = timers.latest;
    while (before && before->due_ms > made->due_ms)
        before = before->prev;
    made->prev = before;
    made->next = before ? before->next : timers.soonest;
    *(made->prev ? &made->prev->next : &timers.soonest) = made;
    *(made->next ? &made->next->prev : &timers.latest) = made;
    if (!before)
        aper__lead_alert(false);
    pthread_mutex_unlock(&aper__loop.lock);
    return APER_OK;
}

void aper__io_timer_cancel(uint64_t id)
{
    pthread_mutex_lock(&aper__loop.lock);
    timer *at = timers.latest;
    while (at && at->id != id)
        at = at->prev;
    if (at)
        unlink_timer(at);
    while (!at && timers.running == id && id != 0 && !aper__io_is_current())
        pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
    pthread_mutex_unlock(&aper__loop.lock);
    aper__dealloc(at);
}

static void run_timers(lws_sorted_usec_list_t *unused)
{
    (void)unused;
    timers.alarm_ms = INT64_MAX;
    int64_t now = aper__now_ms();
    pthread_mutex_lock(&aper__loop.lock);
    while (timers.soonest && timers.soonest->due_ms <= now) {
        timer due = *timers.soonest;
        timer *memory = timers.soonest;
        unlink_timer(memory);
        timers.running = due.id;
        pthread_mutex_unlock(&aper__loop.lock);
        aper__dealloc(memory);
        due.fn(due.arg);
        pthread_mutex_lock(&aper__loop.lock);
        timers.running = 0;
        pthread_cond_broadcast(&aper__loop.changed);
    }
    /* Whoever leads sets the next alarm, or is out of time. */
    aper__lead_alert(false);
    pthread_mutex_unlock(&aper__loop.lock);
}

/* An alarm that is early costs one turn of the loop in all its time; to move it
 * for each of a row of calls would cost more. */
void aper__timer_set_alarm(int64_t until_ms)
{
    pthread_mutex_lock(&aper__loop.lock);
    int64_t due = timers.soonest ? timers.soonest->due_ms : INT64_MAX;
    pthread_mutex_unlock(&aper__loop.lock);
    if (until_ms < due)
        due = until_ms;
    if (due >= timers.alarm_ms)
        return;
    timers.alarm_ms = due;
    int64_t left = due - aper__now_ms();
    lws_sul_schedule(aper__loop.context, 0, &timers.alarm, run_timers,
                     left > 0 ? left * LWS_US_PER_MS : 1);
}

void aper__timer_free_all(void)
{
    for (timer *next, *at = timers.soonest; at; at = next) {
        next = at->next;
        aper__dealloc(at);
    }
    timers.soonest = timers.latest = NULL;
    timers.alarm_ms = INT64_MAX;
    memset(&timers.alarm, 0, sizeof timers.alarm);
}
