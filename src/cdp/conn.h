/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of a CDP connection, shared by conn.c, pending.c, session.c. */
#ifndef APER_CDP_CONN_H
#define APER_CDP_CONN_H

#include "cdp/cdp.h"

#include <stdio.h>

/* A command under way. A blocking one lies on its thread's stack or belongs to
 * whoever has to finish it; its op is woken when done is set. One sent without
 * waiting is freed by the I/O thread once it has ended. */
struct aper__cdp_pending {
    aper__cdp *cdp;
    uint64_t id; /* 0: never sent */
    const char *session;
    const char *method;
    aper__cdp_pending *next; /* in its bucket, or in a list of ended ones */
    aper__op *op; /* NULL: sent without waiting */
    bool done;
    aper_status status;
    json_t *result;
    int32_t code; /* of a refusal */
    char *message;
    /* without waiting */
    int64_t deadline_ms;
    aper__cdp_reply *reply;
    void *userdata;
};

/* Commands by id. Ids count up, so the low bits spread them evenly. */
typedef struct aper__cdp_table {
    aper__cdp_pending **buckets;
    size_t size; /* a power of two, or 0 */
    size_t count;
} aper__cdp_table;

enum { APER__CDP_CONNECTING, APER__CDP_OPEN, APER__CDP_ENDED };

struct aper__cdp {
    aper__refs refs; /* the wire holds one until closed was delivered */
    pthread_mutex_t lock;
    pthread_cond_t cond; /* delivered was set */
    aper__wire *wire;
    aper__cdp_events events;
    void *userdata;
    json_t *no_params; /* what an event without params carries */
    int state;
    bool opened; /* was APER__CDP_OPEN once: closed must be told */
    bool delivered; /* closed was told; nothing follows */
    aper__op *opener;
    aper_status why; /* once APER__CDP_ENDED */
    char *detail;
    uint64_t last_id;
    aper__cdp_table table;
    aper__map *failed; /* session to struct failure */
    uint64_t timer; /* 0: none */
    int64_t timer_ms; /* when it fires */
    FILE *record;
};

/* All of these want the lock held. */
aper_status aper__cdp_table_add(aper__cdp_table *table,
                                aper__cdp_pending *pending);
/* NULL if there is none. */
aper__cdp_pending *aper__cdp_table_remove(aper__cdp_table *table, uint64_t id);
/* Takes out every command for which match says yes; their list. */
aper__cdp_pending *aper__cdp_table_take(
    aper__cdp_table *table,
    bool (*match)(const aper__cdp_pending *pending, void *arg), void *arg);
void aper__cdp_table_free(aper__cdp_table *table);

/* Lock held: ends the blocking ones of a list. Returns those sent without
 * waiting, for aper__cdp_pending_reply() once the lock is free. */
aper__cdp_pending *aper__cdp_pending_end(aper__cdp_pending *list,
                                         aper_status status,
                                         const char *detail);
/* On the I/O thread, no lock held: tells and frees a list from above. */
void aper__cdp_pending_reply(aper__cdp_pending *list);
/* Handles an answer; takes no reference. */
void aper__cdp_pending_answer(aper__cdp *cdp, json_t *message, bool cut);
/* Lock free: makes the timer fire at at_ms or before. */
void aper__cdp_pending_arm(aper__cdp *cdp, int64_t at_ms);

/* Lock held: APER_OK, or with *ret_detail what later calls must say. */
aper_status aper__cdp_session_check(aper__cdp *cdp, const char *session,
                                    const char **ret_detail);
void aper__cdp_session_free_all(aper__cdp *cdp);

/* Lock free: one line of a recording, if there is one. */
void aper__cdp_record_line(aper__cdp *cdp, bool sent, const char *data,
                           size_t size);

#endif
