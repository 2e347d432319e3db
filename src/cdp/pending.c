/* SPDX-License-Identifier: Apache-2.0 */
/* Commands under way: sent, answered, out of time. */
#include "cdp/conn.h"

#include <inttypes.h>
#include <string.h>

#define TIMEOUT_MS 30000

/* ---- the table ----------------------------------------------------------- */

static aper__cdp_pending **bucket_of(aper__cdp_table *table, uint64_t id)
{
    return &table->buckets[id & (table->size - 1)];
}

static void push(aper__cdp_pending **list, aper__cdp_pending *pending)
{
    pending->next = *list;
    *list = pending;
}

/* Without memory the chains grow longer; only the first buckets must be. */
static void grow(aper__cdp_table *table)
{
    aper__cdp_table bigger = {.size = table->size ? table->size * 2 : 16,
                              .count = table->count};
    bigger.buckets = aper__alloc(bigger.size * sizeof *bigger.buckets);
    if (!bigger.buckets)
        return;
    for (size_t i = 0; i < table->size; i++) {
        aper__cdp_pending *at = table->buckets[i];
        while (at) {
            aper__cdp_pending *next = at->next;
            push(bucket_of(&bigger, at->id), at);
            at = next;
        }
    }
    aper__dealloc(table->buckets);
    *table = bigger;
}

aper_status aper__cdp_table_add(aper__cdp_table *table,
                                aper__cdp_pending *pending)
{
    if (table->count >= table->size)
        grow(table);
    if (!table->size)
        return APER_E_NOMEM;
    push(bucket_of(table, pending->id), pending);
    table->count++;
    return APER_OK;
}

aper__cdp_pending *aper__cdp_table_remove(aper__cdp_table *table, uint64_t id)
{
    if (!table->size)
        return NULL;
    for (aper__cdp_pending **at = bucket_of(table, id); *at;
         at = &(*at)->next) {
        aper__cdp_pending *found = *at;
        if (found->id == id) {
            *at = found->next;
            table->count--;
            return found;
        }
    }
    return NULL;
}

aper__cdp_pending *aper__cdp_table_take(
    aper__cdp_table *table,
    bool (*match)(const aper__cdp_pending *pending, void *arg), void *arg)
{
    aper__cdp_pending *list = NULL;
    for (size_t i = 0; i < table->size; i++) {
        aper__cdp_pending **at = &table->buckets[i];
        while (*at) {
            aper__cdp_pending *pending = *at;
            if (!match(pending, arg)) {
                at = &pending->next;
                continue;
            }
            *at = pending->next;
            table->count--;
            push(&list, pending);
        }
    }
    return list;
}

void aper__cdp_table_free(aper__cdp_table *table)
{
    aper__dealloc(table->buckets);
}

/* ---- how a command ends -------------------------------------------------- */

static void settle(aper__cdp_pending *pending, aper_status status,
                   const char *detail)
{
    if (pending->status != APER_OK)
        return;
    pending->status = status;
    pending->message = aper__strdup(detail);
}

/* Under the lock: once it is free the waiter may be gone, and its op with it.
 */
static void wake(aper__cdp_pending *pending)
{
    pending->done = true;
    aper__op_wake(pending->op);
}

aper__cdp_pending *aper__cdp_pending_end(aper__cdp_pending *list,
                                         aper_status status,
                                         const char *detail)
{
    aper__cdp_pending *rest = NULL;
    while (list) {
        aper__cdp_pending *next = list->next;
        settle(list, status, detail);
        if (list->op)
            wake(list);
        else
            push(&rest, list);
        list = next;
    }
    return rest;
}

static void pending_free(aper__cdp_pending *pending)
{
    json_decref(pending->result);
    aper__dealloc(pending->message);
    aper__dealloc(pending);
}

static const char *pending_reason(const aper__cdp_pending *pending)
{
    if (pending->message && *pending->message)
        return pending->message;
    return aper__op_reason(pending->status);
}

void aper__cdp_pending_reply(aper__cdp_pending *list)
{
    while (list) {
        aper__cdp_pending *next = list->next;
        bool ok = list->status == APER_OK;
        if (list->reply)
            list->reply(list->userdata, list->status, list->result,
                        ok ? NULL : pending_reason(list));
        pending_free(list);
        list = next;
    }
}

/* The result is taken out of the message, so that no two threads ever count
 * references to one value. */
static void read_answer(aper__cdp_pending *pending, json_t *message, bool cut)
{
    json_t *error = json_object_get(message, "error");
    json_t *result = json_object_get(message, "result");
    if (json_is_object(error)) {
        pending->code = (int32_t)aper__json_int(error, "code", 0);
        settle(pending, APER_E_REMOTE, aper__json_string(error, "message"));
    } else if (!json_is_object(result)) {
        settle(pending, APER_E_PROTOCOL, "the answer has no result");
    } else if (cut) {
        settle(pending, APER_E_TOO_BIG, "the answer is nested too deep");
    } else if (pending->status == APER_OK) {
        pending->result = json_incref(result);
        json_object_del(message, "result");
    }
}

void aper__cdp_pending_answer(aper__cdp *cdp, json_t *message, bool cut)
{
    json_t *id = json_object_get(message, "id");
    const aper__op *woken = NULL;
    pthread_mutex_lock(&cdp->lock);
    aper__cdp_pending *pending = aper__cdp_table_remove(
        &cdp->table, (uint64_t)json_integer_value(id));
    if (pending) {
        pending->next = NULL;
        read_answer(pending, message, cut);
        if (pending->op) {
            woken = pending->op;
            pending->done = true;
            aper__op_note(pending->op);
            pending = NULL;
        }
    }
    pthread_mutex_unlock(&cdp->lock);
    if (woken)
        aper__op_rouse(woken);
    aper__cdp_pending_reply(pending);
}

/* ---- the timer of commands that nobody waits for -------------------------- */

static bool is_due(const aper__cdp_pending *pending, void *arg)
{
    const int64_t *now = arg;
    return !pending->op && pending->deadline_ms <= *now;
}

static int64_t next_deadline(const aper__cdp_table *table)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < table->size; i++)
        for (aper__cdp_pending *at = table->buckets[i]; at; at = at->next)
            if (!at->op && at->deadline_ms < next)
                next = at->deadline_ms;
    return next;
}

static void on_timer(void *arg)
{
    aper__cdp *cdp = arg;
    int64_t now = aper__now_ms();
    pthread_mutex_lock(&cdp->lock);
    uint64_t timer = cdp->timer;
    cdp->timer = 0;
    aper__cdp_pending *due = aper__cdp_table_take(&cdp->table, is_due, &now);
    due = aper__cdp_pending_end(due, APER_E_TIMEOUT, NULL);
    int64_t next = next_deadline(&cdp->table);
    pthread_mutex_unlock(&cdp->lock);
    if (timer)
        aper__io_timer_cancel(timer); /* if another one than this has fired */
    if (next != INT64_MAX)
        aper__cdp_pending_arm(cdp, next);
    aper__cdp_pending_reply(due);
}

/* The one timer that is known is cancelled when the connection ends; one that
 * it replaces, by this thread, which has a reference. */
void aper__cdp_pending_arm(aper__cdp *cdp, int64_t at_ms)
{
    int64_t left = at_ms - aper__now_ms();
    uint64_t replaced = 0;
    uint64_t timer;
    pthread_mutex_lock(&cdp->lock);
    if (cdp->state == APER__CDP_OPEN && (!cdp->timer || at_ms < cdp->timer_ms)
        && aper__io_timer(left > 0 ? (uint32_t)left : 0, on_timer, cdp,
                          &timer) == APER_OK) {
        replaced = cdp->timer;
        cdp->timer = timer;
        cdp->timer_ms = at_ms;
    }
    pthread_mutex_unlock(&cdp->lock);
    if (replaced)
        aper__io_timer_cancel(replaced);
}

/* ---- sending ------------------------------------------------------------- */

/* Session ids are the browser's, so they might contain anything. */
static void write_command(aper__buf *out, const aper__cdp_pending *pending,
                          json_t *params)
{
    char id[32];
    snprintf(id, sizeof id, "{\"id\":%" PRIu64, pending->id);
    aper__buf_puts(out, id);
    aper__buf_puts(out, ",\"method\":\"");
    aper__buf_puts(out, pending->method);
    aper__buf_putc(out, '"');
    if (*pending->session) {
        aper__buf_puts(out, ",\"sessionId\":");
        aper__json_write_string(out, pending->session);
    }
    if (params) {
        aper__buf_puts(out, ",\"params\":");
        aper__json_write(out, params);
    }
    aper__buf_putc(out, '}');
}

/* From here on the command can end, at any time, on another thread. */
static aper_status enlist(aper__cdp *cdp, aper__cdp_pending *pending)
{
    pthread_mutex_lock(&cdp->lock);
    const char *detail = cdp->detail;
    aper_status status = cdp->why;
    if (status == APER_OK)
        status = aper__cdp_session_check(cdp, pending->session, &detail);
    if (status == APER_OK) {
        pending->id = ++cdp->last_id;
        status = aper__cdp_table_add(&cdp->table, pending);
    } else {
        settle(pending, status, detail);
    }
    pthread_mutex_unlock(&cdp->lock);
    return status;
}

/* If the command has ended meanwhile, its own status is the truer one. */
static aper_status unlist(aper__cdp *cdp, aper__cdp_pending *pending,
                          uint64_t id, aper_status status)
{
    pthread_mutex_lock(&cdp->lock);
    bool there = aper__cdp_table_remove(&cdp->table, id) != NULL;
    if (there)
        settle(pending, status, NULL);
    pthread_mutex_unlock(&cdp->lock);
    return there ? status : APER_OK;
}

/* Steals params. When this gives APER_OK a command without waiter may be freed
 * already. */
static aper_status submit(aper__cdp *cdp, aper__cdp_pending *pending,
                          json_t *params)
{
    aper__buf out = {0};
    aper_status status = enlist(cdp, pending);
    if (status != APER_OK) {
        json_decref(params);
        return status;
    }
    uint64_t id = pending->id;
    write_command(&out, pending, params);
    json_decref(params);
    status = APER_E_NOMEM;
    if (!out.failed) {
        aper__cdp_record_line(cdp, true, out.data, out.size);
        status = aper__wire_send(cdp->wire, out.data, out.size);
    }
    aper__buf_free(&out);
    return status == APER_OK ? APER_OK : unlist(cdp, pending, id, status);
}

static aper__cdp_pending *pending_new(const char *session, const char *method)
{
    size_t session_size = strlen(session) + 1;
    size_t method_size = strlen(method) + 1;
    aper__cdp_pending *pending =
        aper__alloc(sizeof *pending + session_size + method_size);
    if (!pending)
        return NULL;
    char *text = (char *)(pending + 1);
    pending->session = memcpy(text, session, session_size);
    pending->method = memcpy(text + session_size, method, method_size);
    return pending;
}

aper_status aper__cdp_send(aper__cdp *cdp, const char *session,
                           const char *method, json_t *params,
                           uint32_t timeout_ms, aper__cdp_reply *reply,
                           void *userdata)
{
    aper__cdp_pending *pending = pending_new(session, method);
    if (!pending) {
        json_decref(params);
        return APER_E_NOMEM;
    }
    int64_t deadline =
        aper__now_ms() + (timeout_ms ? timeout_ms : TIMEOUT_MS);
    pending->deadline_ms = deadline;
    pending->reply = reply;
    pending->userdata = userdata;
    aper_status status = submit(cdp, pending, params);
    if (status == APER_OK)
        aper__cdp_pending_arm(cdp, deadline);
    else
        pending_free(pending);
    return status;
}

/* ---- waiting ------------------------------------------------------------- */

static bool is_done(aper__cdp_pending *pending)
{
    pthread_mutex_lock(&pending->cdp->lock);
    bool done = pending->done;
    pthread_mutex_unlock(&pending->cdp->lock);
    return done;
}

/* A command that is given up is forgotten: its answer will find nobody. */
static void give_up(aper__cdp_pending *pending, aper_status status)
{
    aper__cdp *cdp = pending->cdp;
    pthread_mutex_lock(&cdp->lock);
    if (aper__cdp_table_remove(&cdp->table, pending->id))
        settle(pending, status, NULL);
    pthread_mutex_unlock(&cdp->lock);
}

static void wait_for(aper__cdp_pending *pending)
{
    for (;;) {
        uint32_t seen = aper__op_seen(pending->op);
        if (is_done(pending))
            return;
        aper_status status = aper__op_wait(pending->op, seen);
        if (status != APER_OK) {
            give_up(pending, status);
            return;
        }
    }
}

static aper_status set_error(const aper__cdp_pending *pending,
                             aper_status status, aper_error **ret_error)
{
    if (status == APER_E_REMOTE)
        return aper__error_set_cdp(ret_error, status, pending->method,
                                   pending->code, pending_reason(pending));
    return aper__error_set(ret_error, status, "%s: %s", pending->method,
                           pending->message && *pending->message
                               ? pending->message
                               : aper__op_reason(status));
}

/* Fails only before anything was sent. */
static aper_status begin(aper__cdp *cdp, aper__cdp_pending *pending,
                         json_t *params, aper_error **ret_error)
{
    aper_status status = aper__op_check(pending->op);
    pending->cdp = cdp;
    if (status == APER_OK)
        status = submit(cdp, pending, params);
    else
        json_decref(params);
    if (status != APER_OK)
        set_error(pending, status, ret_error);
    return status;
}

static aper_status finish(aper__cdp_pending *pending, json_t **ret_result,
                          aper_error **ret_error)
{
    wait_for(pending);
    if (pending->status != APER_OK)
        return set_error(pending, pending->status, ret_error);
    if (ret_result) {
        *ret_result = pending->result;
        pending->result = NULL;
    }
    return APER_OK;
}

aper_status aper__cdp_call(aper__cdp *cdp, const char *session,
                           const char *method, json_t *params, aper__op *op,
                           json_t **ret_result, aper_error **ret_error)
{
    aper__cdp_pending pending = {
        .session = session, .method = method, .op = op};
    aper_status status = begin(cdp, &pending, params, ret_error);
    if (status == APER_OK)
        status = finish(&pending, ret_result, ret_error);
    json_decref(pending.result);
    aper__dealloc(pending.message);
    return status;
}

aper_status aper__cdp_begin(aper__cdp *cdp, const char *session,
                            const char *method, json_t *params, aper__op *op,
                            aper__cdp_pending **ret_pending,
                            aper_error **ret_error)
{
    aper__cdp_pending *pending = pending_new(session, method);
    if (!pending) {
        json_decref(params);
        return aper__error_set(ret_error, APER_E_NOMEM, "%s: out of memory",
                               method);
    }
    pending->op = op;
    aper_status status = begin(cdp, pending, params, ret_error);
    if (status == APER_OK)
        *ret_pending = pending;
    else
        pending_free(pending);
    return status;
}

aper_status aper__cdp_finish(aper__cdp_pending *pending, json_t **ret_result,
                             aper_error **ret_error)
{
    aper_status status = finish(pending, ret_result, ret_error);
    pending_free(pending);
    return status;
}
