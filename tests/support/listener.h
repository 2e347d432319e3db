/* SPDX-License-Identifier: Apache-2.0 */
/* Hears the events of a wire and lets a test wait for them. For unit tests:
 * it uses internal functions, so it is all in this header. */
#ifndef TESTS_LISTENER_H
#define TESTS_LISTENER_H

#include "wire/wire.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define LISTENER_PATIENCE_MS 60000 /* only ends a test that hangs */

typedef struct listener {
    aper__op op;
    pthread_mutex_t lock;
    unsigned opened;
    unsigned closed;
    aper_status why;
    char detail[1024];
    size_t count;
    char *messages[1024]; /* the first ones */
    size_t sizes[1024];
    size_t bytes; /* of all */
    bool wrong_thread;
    bool wrong_order;
    /* Called after the event was noted, on the I/O thread. */
    void (*on_message)(struct listener *ear);
    void *context;
} listener;

static inline void listener_init(listener *ear)
{
    memset(ear, 0, sizeof *ear);
    aper__op_init(&ear->op, LISTENER_PATIENCE_MS);
    pthread_mutex_init(&ear->lock, NULL);
}

static inline void listener_free(listener *ear)
{
    ck_assert(!ear->wrong_thread);
    ck_assert(!ear->wrong_order);
    for (size_t i = 0; i < ear->count && i < 1024; i++)
        free(ear->messages[i]);
    pthread_mutex_destroy(&ear->lock);
}

/* With the lock held, as all of an event: who has seen it may free ear. */
static inline void listener_note(listener *ear)
{
    ear->wrong_thread |= !aper__io_is_current();
    ear->wrong_order |= ear->closed > 0;
}

static inline void listener_opened(void *userdata)
{
    listener *ear = userdata;
    pthread_mutex_lock(&ear->lock);
    listener_note(ear);
    ear->wrong_order |= ear->opened++ > 0;
    aper__op_wake(&ear->op);
    pthread_mutex_unlock(&ear->lock);
}

static inline void listener_message_came(void *userdata, char *data,
                                         size_t size)
{
    listener *ear = userdata;
    pthread_mutex_lock(&ear->lock);
    listener_note(ear);
    ear->wrong_order |= ear->opened != 1 || data[size] != '\0';
    if (ear->count < 1024) {
        ear->messages[ear->count] = malloc(size + 1);
        memcpy(ear->messages[ear->count], data, size + 1);
        ear->sizes[ear->count] = size;
    }
    ear->count++;
    ear->bytes += size;
    pthread_mutex_unlock(&ear->lock);
    if (ear->on_message)
        ear->on_message(ear);
    pthread_mutex_lock(&ear->lock);
    aper__op_wake(&ear->op);
    pthread_mutex_unlock(&ear->lock);
}

static inline void listener_closed(void *userdata, aper_status why,
                                   const char *detail)
{
    listener *ear = userdata;
    pthread_mutex_lock(&ear->lock);
    listener_note(ear);
    ear->closed++;
    ear->why = why;
    strncpy(ear->detail, detail, sizeof ear->detail - 1);
    aper__op_wake(&ear->op);
    pthread_mutex_unlock(&ear->lock);
}

static const aper__wire_events listener_events APER_UNUSED = {
    listener_opened, listener_message_came, listener_closed};

/* Waits until *what is at least least. */
static inline void listener_await(listener *ear, const char *name,
                                  size_t (*what)(listener *ear), size_t least)
{
    for (;;) {
        uint64_t seen = aper__op_seen(&ear->op);
        pthread_mutex_lock(&ear->lock);
        size_t now = what(ear);
        bool over = ear->closed > 0;
        pthread_mutex_unlock(&ear->lock);
        if (now >= least)
            return;
        ck_assert_msg(!over, "closed (%s, %s) before %s",
                      aper_status_get_name(ear->why), ear->detail, name);
        ck_assert_msg(aper__op_wait(&ear->op, seen) == APER_OK,
                      "no %s in time", name);
    }
}

static inline size_t listener_get_opened(listener *ear)
{
    return ear->opened;
}

static inline size_t listener_get_closed(listener *ear)
{
    return ear->closed;
}

static inline size_t listener_get_count(listener *ear)
{
    return ear->count;
}

static inline void listener_await_opened(listener *ear)
{
    listener_await(ear, "opened", listener_get_opened, 1);
}

static inline void listener_await_messages(listener *ear, size_t count)
{
    listener_await(ear, "message", listener_get_count, count);
}

static inline void listener_await_closed(listener *ear, aper_status why)
{
    listener_await(ear, "closed", listener_get_closed, 1);
    ck_assert_msg(ear->why == why, "closed with %s, %s",
                  aper_status_get_name(ear->why), ear->detail);
}

static inline const char *listener_message(listener *ear, size_t at)
{
    pthread_mutex_lock(&ear->lock);
    const char *text = at < ear->count ? ear->messages[at] : NULL;
    pthread_mutex_unlock(&ear->lock);
    return text;
}

#endif
