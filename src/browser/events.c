/* SPDX-License-Identifier: Apache-2.0 */
/* The event queue and its descriptor.
 *
 * A completion's place is reserved by the limit on jobs, so completions are
 * never dropped; page events stop at APER__EVENTS_MAX, and one OVERFLOW event
 * says that some were lost. That one and the last are made in advance, so that
 * no lack of memory makes a loss silent or keeps a host waiting. */
#include "browser/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

static bool open_signal(aper__event_queue *queue)
{
#ifdef __linux__
    queue->read_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    queue->write_fd = queue->read_fd;
    return queue->read_fd >= 0;
#else
    int fds[2];
    if (pipe(fds) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
    }
    queue->read_fd = fds[0];
    queue->write_fd = fds[1];
    return true;
#endif
}

/* The descriptor holds one token while events wait, so that it is readable
 * exactly then. */
static void raise_signal(aper__event_queue *queue)
{
    uint64_t token = 1;
    ssize_t written;
    do {
        written = write(queue->write_fd, &token, sizeof(token));
    } while (written < 0 && errno == EINTR);
}

static void lower_signal(aper__event_queue *queue)
{
    uint64_t token;
    ssize_t got;
    do {
        got = read(queue->read_fd, &token, sizeof(token));
    } while (got < 0 && errno == EINTR);
}

static void init_monotonic(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(cond, &attributes);
    pthread_condattr_destroy(&attributes);
}

aper_status aper__events_init(aper__event_queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
    queue->overflow = aper__event_new(APER_EVENT_OVERFLOW, NULL, NULL);
    queue->gone = aper__event_new(APER_EVENT_BROWSER_GONE, NULL, NULL);
    aper_status status = APER_OK;
    if (queue->overflow == NULL || queue->gone == NULL)
        status = APER_E_NOMEM;
    else if (!open_signal(queue))
        status = APER_E_IO;
    if (status != APER_OK) {
        aper_event_unref(queue->overflow);
        aper_event_unref(queue->gone);
        return status;
    }
    init_monotonic(&queue->cond);
    return APER_OK;
}

/* ---- one event ----------------------------------------------------------- */

aper_event *aper__event_new(uint32_t kind, const char *tab_id, const char *url)
{
    aper_event *event = aper__alloc(sizeof(*event));
    if (event == NULL)
        return NULL;
    atomic_init(&event->refs, 1);
    event->kind = kind;
    event->tab_id = aper__strdup(tab_id != NULL ? tab_id : "");
    event->url = aper__strdup(url != NULL ? url : "");
    event->opener_id = aper__strdup("");
    if (event->tab_id == NULL || event->url == NULL
        || event->opener_id == NULL) {
        aper_event_unref(event);
        return NULL;
    }
    return event;
}

static void free_event(aper_event *event)
{
    aper_error_unref(event->error);
    aper_dialog_unref(event->dialog);
    aper_download_unref(event->download);
    if (event->result.object != NULL && event->result.unref != NULL)
        event->result.unref(event->result.object);
    aper__dealloc(event->tab_id);
    aper__dealloc(event->url);
    aper__dealloc(event->opener_id);
    aper__dealloc(event);
}

aper_event *aper_event_ref(aper_event *event)
{
    if (event != NULL)
        aper__ref(&event->refs);
    return event;
}

void aper_event_unref(aper_event *event)
{
    if (event != NULL && aper__unref(&event->refs))
        free_event(event);
}

/* ---- the queue ----------------------------------------------------------- */

static void append(aper_browser *browser, aper_event *event)
{
    aper__event_queue *queue = &browser->events;
    if (queue->first == NULL)
        raise_signal(queue);
    event->next = NULL;
    *queue->end = event;
    queue->end = &event->next;
    if (event->kind != APER_EVENT_COMPLETION)
        queue->page_events++;
    pthread_cond_signal(&queue->cond);
}

static bool is_dropped(const aper__event_queue *queue, const aper_event *event)
{
    if (event->kind == APER_EVENT_COMPLETION
        || event->kind == APER_EVENT_BROWSER_GONE)
        return false;
    return queue->overflow == NULL || queue->page_events >= APER__EVENTS_MAX;
}

void aper__events_post(aper_browser *browser, aper_event *event)
{
    aper__event_queue *queue = &browser->events;
    if (queue->finished) { /* of no interest behind the last event */
        aper_event_unref(event);
        return;
    }
    if (event != NULL && !is_dropped(queue, event)) {
        append(browser, event);
        return;
    }
    aper_event_unref(event);
    if (queue->overflow == NULL)
        return;
    append(browser, queue->overflow);
    queue->overflow = NULL;
}

void aper__events_finish(aper_browser *browser)
{
    aper__event_queue *queue = &browser->events;
    if (browser->state == APER_OK || browser->task_count > 0
        || queue->finished)
        return;
    queue->gone->status = browser->state;
    append(browser, queue->gone);
    queue->gone = NULL;
    queue->finished = true;
    pthread_cond_broadcast(&queue->cond);
}

/* NULL without memory for the next one of a kind that is made in advance. */
static aper_event *take(aper_browser *browser)
{
    aper__event_queue *queue = &browser->events;
    aper_event *event = queue->first;
    if (event->kind == APER_EVENT_OVERFLOW) {
        queue->overflow = aper__event_new(APER_EVENT_OVERFLOW, NULL, NULL);
        if (queue->overflow == NULL)
            return NULL;
    }
    queue->first = event->next;
    if (queue->first == NULL) {
        queue->end = &queue->first;
        lower_signal(queue);
    }
    event->next = NULL;
    if (event->kind != APER_EVENT_COMPLETION)
        queue->page_events--;
    /* A queued event must not keep the browser open, a fetched one does. */
    if (event->result.kind == APER__RESULT_TAB) {
        aper_tab *tab = event->result.object;
        aper__tab_add_handle(tab);
        aper__tab_drop(tab);
    }
    return event;
}

void aper__events_destroy(aper_browser *browser)
{
    aper__event_queue *queue = &browser->events;
    while (queue->first != NULL) {
        aper_event *event = queue->first;
        queue->first = event->next;
        if (event->result.kind == APER__RESULT_TAB) {
            aper__tab_drop(event->result.object);
            event->result.object = NULL;
        }
        aper_event_unref(event);
    }
    aper_event_unref(queue->overflow);
    aper_event_unref(queue->gone);
    pthread_cond_destroy(&queue->cond);
    close(queue->read_fd);
    if (queue->write_fd != queue->read_fd)
        close(queue->write_fd);
}

/* Waits for a signal, at most until the time given; false when it passed. */
static bool wait_for_event(aper_browser *browser, int64_t until_ms)
{
    pthread_cond_t *cond = &browser->events.cond;
    if (until_ms < 0) {
        pthread_cond_wait(cond, &browser->lock);
        return true;
    }
    int64_t left = until_ms - aper__now_ms();
    if (left <= 0)
        return false;
    struct timespec time;
#ifdef __APPLE__
    time.tv_sec = left / 1000;
    time.tv_nsec = (left % 1000) * 1000000;
    pthread_cond_timedwait_relative_np(cond, &browser->lock, &time);
#else
    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t nsec = time.tv_nsec + (left % 1000) * 1000000;
    time.tv_sec += left / 1000 + nsec / 1000000000;
    time.tv_nsec = nsec % 1000000000;
    pthread_cond_timedwait(cond, &browser->lock, &time);
#endif
    return true;
}

aper_status aper_browser_next_event(aper_browser *browser, int32_t timeout_ms,
                                    aper_event **ret_event)
{
    if (browser == NULL || ret_event == NULL || timeout_ms < -1)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    int64_t until = timeout_ms < 0 ? -1 : aper__now_ms() + timeout_ms;
    pthread_mutex_lock(&browser->lock);
    browser->holds++;
    while (browser->events.first == NULL) {
        if (browser->events.finished)
            status = browser->state;
        else if (!wait_for_event(browser, until))
            status = APER_E_TIMEOUT;
        if (status != APER_OK)
            break;
    }
    if (browser->events.first != NULL) {
        aper_event *event = take(browser);
        status = event != NULL ? APER_OK : APER_E_NOMEM;
        if (event != NULL)
            *ret_event = event;
    }
    pthread_mutex_unlock(&browser->lock);
    aper__browser_drop(browser);
    return status;
}

int aper_browser_get_fd(aper_browser *browser)
{
    if (browser == NULL || aper__fork_check() != APER_OK)
        return -1;
    return browser->events.read_fd;
}

/* ---- reading an event ---------------------------------------------------- */

uint32_t aper_event_get_kind(const aper_event *event)
{
    return event != NULL ? event->kind : 0;
}

uint64_t aper_event_get_tag(const aper_event *event)
{
    return event != NULL ? event->tag : 0;
}

aper_status aper_event_get_status(const aper_event *event)
{
    return event != NULL ? event->status : APER_OK;
}

aper_error *aper_event_get_error(const aper_event *event)
{
    return event != NULL ? event->error : NULL;
}

const char *aper_event_get_tab_id(const aper_event *event)
{
    if (event == NULL)
        return "";
    aper_tab *opened = aper_event_get_tab(event);
    return opened != NULL ? aper_tab_get_id(opened) : event->tab_id;
}

const char *aper_event_get_url(const aper_event *event)
{
    return event != NULL ? event->url : "";
}

const char *aper_event_get_opener_id(const aper_event *event)
{
    return event != NULL ? event->opener_id : "";
}

static void *get_result(const aper_event *event, unsigned kind)
{
    if (event == NULL || event->result.kind != kind)
        return NULL;
    return event->result.object;
}

aper_tab *aper_event_get_tab(const aper_event *event)
{
    return get_result(event, APER__RESULT_TAB);
}

aper_navigation *aper_event_get_navigation(const aper_event *event)
{
    return get_result(event, APER__RESULT_NAVIGATION);
}

aper_snapshot *aper_event_get_snapshot(const aper_event *event)
{
    return get_result(event, APER__RESULT_SNAPSHOT);
}

aper_diff *aper_event_get_diff(const aper_event *event)
{
    return get_result(event, APER__RESULT_DIFF);
}

aper_act_result *aper_event_get_act_result(const aper_event *event)
{
    return get_result(event, APER__RESULT_ACT);
}

aper_capture *aper_event_get_capture(const aper_event *event)
{
    return get_result(event, APER__RESULT_CAPTURE);
}

aper_dialog *aper_event_get_dialog(const aper_event *event)
{
    return event != NULL ? event->dialog : NULL;
}

aper_download *aper_event_get_download(const aper_event *event)
{
    return event != NULL ? event->download : NULL;
}
