/* SPDX-License-Identifier: Apache-2.0 */
/* A CDP connection: opening, what arrives, ending. */
#include "cdp/conn.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool has_waiter(const aper__cdp_pending *pending, void *arg APER_UNUSED)
{
    return pending->op != NULL;
}

static bool is_any(const aper__cdp_pending *pending APER_UNUSED,
                void *arg APER_UNUSED)
{
    return true;
}

/* Lock held. Whoever waits hears of the end at once; commands that nobody
 * waits for when the wire tells on the I/O thread. */
static void end_locked(aper__cdp *cdp, aper_status why, const char *detail)
{
    if (cdp->state == APER__CDP_ENDED)
        return;
    cdp->state = APER__CDP_ENDED;
    cdp->why = why;
    cdp->detail = aper__strdup(detail);
    aper__cdp_pending_end(
        aper__cdp_table_take(&cdp->table, has_waiter, NULL), why, detail);
    if (cdp->opener)
        aper__op_wake(cdp->opener);
}

static void end(aper__cdp *cdp, aper_status why, const char *detail)
{
    pthread_mutex_lock(&cdp->lock);
    end_locked(cdp, why, detail);
    pthread_mutex_unlock(&cdp->lock);
    aper__wire_close(cdp->wire);
}

/* ---- what the wire tells -------------------------------------------------- */

static void on_opened(void *userdata)
{
    aper__cdp *cdp = userdata;
    pthread_mutex_lock(&cdp->lock);
    if (cdp->state == APER__CDP_CONNECTING) {
        cdp->state = APER__CDP_OPEN;
        cdp->opened = true;
        if (cdp->opener)
            aper__op_wake(cdp->opener);
    }
    pthread_mutex_unlock(&cdp->lock);
}

static void tell_event(aper__cdp *cdp, const char *method, json_t *message)
{
    json_t *params = json_object_get(message, "params");
    if (!json_is_object(params))
        params = cdp->no_params;
    cdp->events.event(cdp->userdata, aper__json_string(message, "sessionId"),
                      method, params);
}

/* Before the first command nobody has asked for anything, and the owner may
 * not even know the connection yet. */
static void on_message(void *userdata, char *data, size_t size)
{
    aper__cdp *cdp = userdata;
    bool cut;
    pthread_mutex_lock(&cdp->lock);
    bool wanted = cdp->state == APER__CDP_OPEN && cdp->last_id > 0;
    pthread_mutex_unlock(&cdp->lock);
    if (!wanted)
        return;
    aper__cdp_record_line(cdp, false, data, size);
    json_t *message = aper__cdp_parse(data, size, &cut);
    if (!json_is_object(message)) {
        json_decref(message);
        end(cdp, APER_E_PROTOCOL, "the browser sent what is not CDP");
        return;
    }
    const char *method = aper__json_string(message, "method");
    if (json_is_integer(json_object_get(message, "id")))
        aper__cdp_pending_answer(cdp, message, cut);
    else if (*method)
        tell_event(cdp, method, message);
    json_decref(message);
}

static void on_closed(void *userdata, aper_status why, const char *detail)
{
    aper__cdp *cdp = userdata;
    pthread_mutex_lock(&cdp->lock);
    end_locked(cdp, why, detail);
    why = cdp->why;
    detail = cdp->detail ? cdp->detail : "";
    uint64_t timer = cdp->timer;
    cdp->timer = 0;
    aper__cdp_pending *rest = aper__cdp_pending_end(
        aper__cdp_table_take(&cdp->table, is_any, NULL), why, detail);
    pthread_mutex_unlock(&cdp->lock);
    if (timer)
        aper__io_timer_cancel(timer);
    aper__cdp_pending_reply(rest);
    if (cdp->opened)
        cdp->events.closed(cdp->userdata, why, detail);
    pthread_mutex_lock(&cdp->lock);
    cdp->delivered = true;
    pthread_cond_broadcast(&cdp->cond);
    pthread_mutex_unlock(&cdp->lock);
    aper__cdp_unref(cdp);
}

/* ---- opening -------------------------------------------------------------- */

static void cdp_free(aper__cdp *cdp)
{
    aper__wire_unref(cdp->wire);
    if (cdp->record)
        fclose(cdp->record);
    aper__cdp_table_free(&cdp->table);
    if (cdp->failed)
        aper__cdp_session_free_all(cdp);
    json_decref(cdp->no_params);
    aper__dealloc(cdp->detail);
    pthread_cond_destroy(&cdp->cond);
    pthread_mutex_destroy(&cdp->lock);
    aper__dealloc(cdp);
}

static aper__cdp *cdp_new(const aper__cdp_events *events, void *userdata)
{
    aper__cdp *cdp = aper__alloc(sizeof *cdp);
    if (!cdp)
        return NULL;
    atomic_init(&cdp->refs, 1);
    pthread_mutex_init(&cdp->lock, NULL);
    pthread_cond_init(&cdp->cond, NULL);
    cdp->events = *events;
    cdp->userdata = userdata;
    cdp->failed = aper__map_new();
    cdp->no_params = json_object();
    if (!cdp->failed || !cdp->no_params) {
        cdp_free(cdp);
        return NULL;
    }
    return cdp;
}

/* The lock keeps what the wire tells at once waiting until cdp->wire is set. */
static aper_status open_wire(aper__cdp *cdp, const aper__cdp_target *target,
                             aper_error **ret_error)
{
    static const aper__wire_events events = {on_opened, on_message, on_closed};
    aper_status status;
    pthread_mutex_lock(&cdp->lock);
    if (target->websocket)
        status = aper__wire_open_websocket(target->websocket, &events, cdp,
                                           &cdp->wire, ret_error);
    else if (target->replay)
        status = aper__wire_open_replay(target->replay, &events, cdp,
                                        &cdp->wire, ret_error);
    else
        status = aper__wire_open_pipe(target->pipe_fd, &events, cdp,
                                      &cdp->wire, ret_error);
    pthread_mutex_unlock(&cdp->lock);
    return status;
}

/* Waits for opened or closed. Giving up counts as closing, so that opened can
 * no longer come. */
static aper_status wait_open(aper__cdp *cdp, aper__op *op,
                             aper_error **ret_error)
{
    aper_status status = APER_OK;
    pthread_mutex_lock(&cdp->lock);
    while (cdp->state == APER__CDP_CONNECTING && status == APER_OK) {
        uint32_t seen = aper__op_seen(op);
        cdp->opener = op;
        pthread_mutex_unlock(&cdp->lock);
        status = aper__op_wait(op, seen);
        pthread_mutex_lock(&cdp->lock);
        cdp->opener = NULL;
    }
    if (cdp->state == APER__CDP_CONNECTING)
        end_locked(cdp, status, aper__op_reason(status));
    if (!cdp->opened)
        status = aper__error_set(ret_error, cdp->why, "connecting failed: %s",
                                 cdp->detail ? cdp->detail
                                             : aper__op_reason(cdp->why));
    else
        status = APER_OK;
    pthread_mutex_unlock(&cdp->lock);
    return status;
}

aper_status aper__cdp_open(const aper__cdp_target *target,
                           const aper__cdp_events *events, void *userdata,
                           aper__op *op, aper__cdp **ret_cdp,
                           aper_error **ret_error)
{
    aper__cdp *cdp = cdp_new(events, userdata);
    if (!cdp) {
        if (!target->websocket && !target->replay)
            close(target->pipe_fd);
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    }
    aper__ref(&cdp->refs); /* the wire's */
    aper_status status = open_wire(cdp, target, ret_error);
    if (status != APER_OK) {
        cdp_free(cdp);
        return status;
    }
    status = wait_open(cdp, op, ret_error);
    if (status != APER_OK) {
        aper__cdp_shutdown(cdp);
        aper__cdp_unref(cdp);
        return status;
    }
    *ret_cdp = cdp;
    return APER_OK;
}

/* ---- ending --------------------------------------------------------------- */

aper__cdp *aper__cdp_ref(aper__cdp *cdp)
{
    aper__ref(&cdp->refs);
    return cdp;
}

void aper__cdp_unref(aper__cdp *cdp)
{
    if (cdp && aper__unref(&cdp->refs))
        cdp_free(cdp);
}

void aper__cdp_close(aper__cdp *cdp)
{
    end(cdp, APER_E_CLOSED, aper__op_reason(APER_E_CLOSED));
}

static void pass(void *arg)
{
    aper__op_wake(arg);
}

/* Waits until the I/O thread has done what was posted so far. */
static void wait_io(void)
{
    aper__op op;
    aper__op_init(&op, UINT32_MAX);
    if (aper__io_post(pass, &op) == APER_OK)
        aper__op_wait(&op, 0);
}

/* When the first pass is through, closed has returned and the wire has posted
 * its leave; after the second it has left. So the caller's reference is the
 * last, and the I/O thread has ended when aper__cdp_unref() returns. */
void aper__cdp_shutdown(aper__cdp *cdp)
{
    aper__cdp_close(cdp);
    pthread_mutex_lock(&cdp->lock);
    while (!cdp->delivered)
        pthread_cond_wait(&cdp->cond, &cdp->lock);
    pthread_mutex_unlock(&cdp->lock);
    wait_io();
    wait_io();
}
