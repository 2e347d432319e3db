/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of lws, of which there is one: shared by io.c, lead.c, timer.c. */
#ifndef APER_WIRE_LOOP_H
#define APER_WIRE_LOOP_H

#include "wire/core.h"

typedef enum aper__loop_state {
    APER__LOOP_STOPPED,
    APER__LOOP_STARTING,
    APER__LOOP_RUNNING,
    APER__LOOP_ENDING, /* the context is being destroyed */
    APER__LOOP_ENDED /* the thread is to be joined */
} aper__loop_state;

/* The lock is the innermost of all: nothing is called under it. */
struct aper__loop {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* all below, who leads, the running timer */
    aper__loop_state state;
    unsigned holders;
    bool resting; /* the process exits */
    struct lws_context *context; /* lws's own part: whoever leads */
    bool tls; /* whoever leads: writing may raise SIGPIPE */
};
extern struct aper__loop aper__loop;

/* ---- lead.c: who serves the loop ------------------------------------------ */

/* These want the lock. */
/* Has whoever leads look at what is new before it sleeps. If nobody does, the
 * I/O thread will within two milliseconds; or at once when it is urgent. */
void aper__lead_alert(bool urgent);
bool aper__lead_is_taken(void);
/* Takes the lead for the I/O thread, which nobody else may have, and gives it
 * back. In between aper__lead_run() serves the loop as long as it is held. */
void aper__lead_begin(void);
void aper__lead_run(void);
void aper__lead_end(void);

/* ---- io.c ----------------------------------------------------------------- */

/* Lock held, but not while the tasks run; for whoever leads. Nothing that was
 * submitted is left. */
void aper__io_run_tasks(void);
/* Lock held: is something submitted? */
bool aper__io_has_tasks(void);

/* ---- timer.c -------------------------------------------------------------- */

/* For whoever leads; the lock is free. Has lws return in time for the first
 * timer and for until_ms (INT64_MAX: none); it may do so earlier. */
void aper__timer_set_alarm(int64_t until_ms);
/* After the context has ended. */
void aper__timer_free_all(void);

#endif
