/* SPDX-License-Identifier: Apache-2.0 */
/* Who serves the loop. One thread at a time leads, and only it calls lws. A
 * thread that waits for an operation leads if nobody else does, so that a row
 * of blocking calls needs no other thread; the I/O thread leads while nobody
 * waits, and when there is more than one who does.
 *
 * After a call that thread rests for a moment, as the next one is likely to
 * come soon and should find the loop free. Thus one of these holds always:
 * somebody leads, or the I/O thread is about to look. */
#include "wire/loop.h"

#include <signal.h>

/* One more than the least: a clock of milliseconds may tick at once. */
#define REST_MS 2

/* A thread that waits, on its stack. The I/O thread has no word. */
typedef struct waiter {
    struct waiter *next;
    struct waiter *prev;
    atomic_uint *word; /* what it waits for is that this changes */
    uint32_t value;
    int64_t until_ms;
    bool listed;
} waiter;

static struct {
    waiter *leader; /* NULL: nobody */
    waiter *asleep; /* the others, until they are roused */
    unsigned leads; /* how often a caller has taken the lead */
    bool nudged; /* lws was told to return */
    bool called; /* the I/O thread is to take the lead at once */
    bool watches; /* it sleeps until the leader's end */
    atomic_uint bed; /* where it sleeps */
    /* The leader's own: */
    bool looks; /* it will look before it sleeps, without being told */
    bool served; /* it has roused one that slept */
} lead;

static waiter io_thread = {.until_ms = INT64_MAX};
static _Thread_local waiter *mine; /* while this thread leads */

bool aper__io_is_current(void)
{
    return mine != NULL;
}

bool aper__lead_is_taken(void)
{
    return lead.leader != NULL;
}

void aper__io_polled(void)
{
    lead.looks = true;
}

static void call_io_thread(void)
{
    if (lead.called)
        return;
    lead.called = true;
    atomic_fetch_add(&lead.bed, 1);
    aper__rouse(&lead.bed);
}

void aper__lead_alert(bool urgent)
{
    if (aper__loop.state != APER__LOOP_RUNNING)
        return;
    if (!lead.leader) {
        if (urgent)
            call_io_thread();
    } else if (!lead.nudged && !(mine && lead.looks)) {
        lead.nudged = true;
        lws_cancel_service(aper__loop.context);
    }
}

/* ---- leading --------------------------------------------------------------- */

/* OpenSSL writes to sockets in a way that can raise SIGPIPE, which is for this
 * thread then, and none of its business. The I/O thread blocks all signals. */
typedef struct guard {
    bool on;
    bool pending; /* before: not ours */
    sigset_t mask;
} guard;

static bool is_pipe_pending(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static void set_pipe(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGPIPE);
}

static void guard_pipe(guard *g)
{
#ifdef __linux__
    /* Without TLS lws and the pipe send with MSG_NOSIGNAL. */
    if (!aper__loop.tls)
        return;
#endif
    if (g->on || mine == &io_thread)
        return;
    sigset_t pipe;
    set_pipe(&pipe);
    g->pending = is_pipe_pending();
    g->on = pthread_sigmask(SIG_BLOCK, &pipe, &g->mask) == 0;
}

static void unguard_pipe(guard *g)
{
    if (!g->on)
        return;
    if (!g->pending && is_pipe_pending()) {
        sigset_t pipe;
        int which;
        set_pipe(&pipe);
        sigwait(&pipe, &which);
    }
    pthread_sigmask(SIG_SETMASK, &g->mask, NULL);
}

static bool may_lead(void)
{
    return aper__loop.state == APER__LOOP_RUNNING && aper__loop.holders > 0
           && !aper__loop.resting;
}

static bool is_done(const waiter *self)
{
    if (!may_lead())
        return true;
    if (!self->word)
        return lead.served && !lead.asleep;
    return atomic_load(self->word) != self->value
           || aper__now_ms() >= self->until_ms;
}

/* Lock held, but not while lws or tasks run. */
static void take_turns(waiter *self)
{
    guard pipe = {0};
    for (;;) {
        guard_pipe(&pipe);
        aper__io_run_tasks();
        if (is_done(self))
            break;
        pthread_mutex_unlock(&aper__loop.lock);
        guard_pipe(&pipe);
        aper__timer_set_alarm(self->until_ms);
        lead.looks = false;
        lws_service(aper__loop.context, 0);
        lead.looks = true;
        pthread_mutex_lock(&aper__loop.lock);
        lead.nudged = false;
    }
    unguard_pipe(&pipe);
}

static void begin(waiter *self)
{
    lead.leader = mine = self;
    lead.called = lead.served = false;
    lead.looks = true;
}

static void end(void)
{
    lead.leader = mine = NULL;
    if (aper__loop.resting)
        pthread_cond_broadcast(&aper__loop.changed);
}

/* ---- callers ---------------------------------------------------------------- */

static void push(waiter *self)
{
    self->listed = true;
    self->next = lead.asleep;
    if (self->next)
        self->next->prev = self;
    lead.asleep = self;
}

static void take_out(waiter *self)
{
    if (!self->listed)
        return;
    self->listed = false;
    *(self->prev ? &self->prev->next : &lead.asleep) = self->next;
    if (self->next)
        self->next->prev = self->prev;
}

static void lead_for(waiter *self)
{
    int cancel;
    /* A host may end its threads that way, and lws has places for it. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    begin(self);
    lead.leads++;
    take_turns(self);
    end();
    pthread_setcancelstate(cancel, NULL);
    if (lead.asleep || !may_lead()) {
        call_io_thread();
    } else if (lead.watches) {
        lead.watches = false;
        atomic_fetch_add(&lead.bed, 1);
        aper__rouse(&lead.bed);
    }
}

static void lead_or_sleep(atomic_uint *word, uint32_t value, int64_t until_ms)
{
    waiter self = {.word = word, .value = value, .until_ms = until_ms};
    pthread_mutex_lock(&aper__loop.lock);
    if (!lead.leader && may_lead()) {
        lead_for(&self);
    } else {
        push(&self);
        pthread_mutex_unlock(&aper__loop.lock);
        aper__sleep(word, value, until_ms);
        pthread_mutex_lock(&aper__loop.lock);
        take_out(&self);
    }
    pthread_mutex_unlock(&aper__loop.lock);
}

static bool rouse(const atomic_uint *word)
{
    if (mine && mine->word == word && lead.looks)
        return true;
    pthread_mutex_lock(&aper__loop.lock);
    bool leads = lead.leader && lead.leader->word == word;
    if (leads)
        aper__lead_alert(true);
    waiter *at = lead.asleep;
    while (at && at->word != word)
        at = at->next;
    if (at) {
        take_out(at);
        lead.served = true;
    }
    pthread_mutex_unlock(&aper__loop.lock);
    return leads;
}

/* ---- the I/O thread --------------------------------------------------------- */

void aper__lead_begin(void)
{
    static const aper__op_server server = {lead_or_sleep, rouse};
    aper__op_set_server(&server);
    begin(&io_thread);
}

void aper__lead_end(void)
{
    end();
}

/* Until nobody leads, and nobody has for a moment unless it is called. */
static void rest(void)
{
    bool fresh;
    do {
        unsigned leads = lead.leads;
        uint32_t bed = atomic_load(&lead.bed);
        fresh = lead.watches = lead.leader != NULL;
        int64_t until = fresh ? INT64_MAX : aper__now_ms() + REST_MS;
        pthread_mutex_unlock(&aper__loop.lock);
        aper__sleep(&lead.bed, bed, until);
        pthread_mutex_lock(&aper__loop.lock);
        lead.watches = false;
        fresh = fresh || leads != lead.leads;
        while (aper__loop.resting && aper__loop.holders > 0)
            pthread_cond_wait(&aper__loop.changed, &aper__loop.lock);
    } while (lead.leader || (fresh && !lead.called));
}

void aper__lead_run(void)
{
    for (;;) {
        take_turns(&io_thread);
        if (aper__loop.holders == 0 && !aper__io_has_tasks())
            return;
        end();
        rest();
        begin(&io_thread);
    }
}
