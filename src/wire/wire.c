/* SPDX-License-Identifier: Apache-2.0 */
/* What all kinds of connections have in common: the queue of outgoing
 * messages, closing, and the order of what the user hears. */
#include "wire/core.h"

#include <string.h>

aper__wire_limits aper__wire_limit = {
    .message_max = APER__WIRE_MESSAGE_MAX,
    .queue_max = APER__WIRE_QUEUE_MAX,
    .idle = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 45},
};

static void drop_reference(aper__wire *wire)
{
    if (!aper__unref(&wire->refs))
        return;
    pthread_mutex_destroy(&wire->lock);
    wire->kind->free(wire);
    if (aper__io_is_current())
        aper__io_drop();
    else
        aper__io_release();
}

static void run_start(void *arg)
{
    aper__wire *wire = arg;
    wire->kind->start(wire);
}

static void run_end(void *arg)
{
    drop_reference(arg);
}

static void run_flush(void *arg)
{
    aper__wire *wire = arg;
    pthread_mutex_lock(&wire->lock);
    wire->flushing = false;
    pthread_mutex_unlock(&wire->lock);
    if (wire->why == APER_OK && wire->opened)
        wire->kind->flush(wire);
    drop_reference(wire);
}

static void run_close(void *arg)
{
    aper__wire *wire = arg;
    aper__wire_end(wire, APER_E_CLOSED, "closed by this side");
    drop_reference(wire);
}

void aper__wire_begin(aper__wire *wire, const aper__wire_kind *kind,
                      const aper__wire_events *events, void *userdata)
{
    wire->kind = kind;
    wire->events = *events;
    wire->userdata = userdata;
    atomic_init(&wire->refs, 2);
    pthread_mutex_init(&wire->lock, NULL);
    wire->last = &wire->first;
    wire->life_task = (aper__io_task){run_start, wire, NULL};
    wire->flush_task = (aper__io_task){run_flush, wire, NULL};
    wire->close_task = (aper__io_task){run_close, wire, NULL};
    aper__io_submit(&wire->life_task);
}

/* Hands in the flush task, which keeps a reference. Lock held. */
static void hand_in_flush(aper__wire *wire)
{
    if (wire->flushing || wire->why != APER_OK)
        return;
    wire->flushing = true;
    aper__ref(&wire->refs);
    aper__io_submit_soon(&wire->flush_task);
}

void aper__wire_flush_later(aper__wire *wire)
{
    pthread_mutex_lock(&wire->lock);
    hand_in_flush(wire);
    pthread_mutex_unlock(&wire->lock);
}

void aper__wire_opened(aper__wire *wire)
{
    pthread_mutex_lock(&wire->lock);
    bool wanted = !wire->closing && wire->why == APER_OK;
    wire->opened = true;
    if (wire->first)
        hand_in_flush(wire);
    pthread_mutex_unlock(&wire->lock);
    if (wanted)
        wire->events.opened(wire->userdata);
}

bool aper__wire_deliver(aper__wire *wire, char *data, size_t size)
{
    pthread_mutex_lock(&wire->lock);
    bool wanted = !wire->closing && wire->why == APER_OK;
    pthread_mutex_unlock(&wire->lock);
    if (!wanted)
        return wire->why == APER_OK;
    if (!aper__utf8_is_valid(data, size)) {
        aper__wire_end(wire, APER_E_PROTOCOL, "a message is not UTF-8");
        return false;
    }
    wire->events.message(wire->userdata, data, size);
    return wire->why == APER_OK;
}

aper__outgoing *aper__wire_take(aper__wire *wire)
{
    pthread_mutex_lock(&wire->lock);
    aper__outgoing *taken = wire->first;
    if (taken) {
        wire->first = taken->next;
        if (!wire->first)
            wire->last = &wire->first;
    }
    pthread_mutex_unlock(&wire->lock);
    return taken;
}

void aper__wire_sent(aper__wire *wire, size_t size)
{
    pthread_mutex_lock(&wire->lock);
    wire->waiting -= size;
    pthread_mutex_unlock(&wire->lock);
}

void aper__wire_end(aper__wire *wire, aper_status why, const char *detail)
{
    if (wire->why != APER_OK)
        return;
    pthread_mutex_lock(&wire->lock);
    wire->why = why;
    aper__outgoing *queue = wire->first;
    wire->first = NULL;
    wire->last = &wire->first;
    pthread_mutex_unlock(&wire->lock);
    while (queue) {
        aper__outgoing *next = queue->next;
        aper__dealloc(queue);
        queue = next;
    }
    wire->kind->stop(wire);
    wire->events.closed(wire->userdata, why, detail);
    /* The thread's reference keeps wire alive for whoever called this, so it
     * goes in a task of its own. */
    wire->life_task.fn = run_end;
    aper__io_submit(&wire->life_task);
}

aper_status aper__wire_send(aper__wire *wire, const char *data, size_t size)
{
    if (size > aper__wire_limit.message_max)
        return APER_E_TOO_BIG;
    pthread_mutex_lock(&wire->lock);
    aper_status status = wire->why;
    if (status == APER_OK && wire->closing)
        status = APER_E_CLOSED;
    /* Checked before memory is taken, and the place reserved. */
    if (status == APER_OK && wire->waiting > 0
        && wire->waiting + size > aper__wire_limit.queue_max)
        status = APER_E_BUSY;
    if (status == APER_OK)
        wire->waiting += size;
    pthread_mutex_unlock(&wire->lock);
    if (status != APER_OK)
        return status;

    aper__outgoing *made = aper__alloc(sizeof *made + size + 1);
    if (made) {
        made->size = size;
        memcpy(made->bytes, data, size);
    }
    pthread_mutex_lock(&wire->lock);
    status = made ? wire->why : APER_E_NOMEM;
    if (status == APER_OK) {
        *wire->last = made;
        wire->last = &made->next;
        hand_in_flush(wire);
    } else {
        wire->waiting -= size;
    }
    pthread_mutex_unlock(&wire->lock);
    if (status != APER_OK)
        aper__dealloc(made);
    return status;
}

void aper__wire_close(aper__wire *wire)
{
    pthread_mutex_lock(&wire->lock);
    if (!wire->closing && wire->why == APER_OK) {
        wire->closing = true;
        aper__ref(&wire->refs);
        aper__io_submit(&wire->close_task);
    }
    pthread_mutex_unlock(&wire->lock);
}

void aper__wire_unref(aper__wire *wire)
{
    if (!wire)
        return;
    aper__wire_close(wire);
    drop_reference(wire);
}
