/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_browser.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct fake_browser {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t came;
    int ours;
    int theirs;
    json_t *answers; /* method to result text */
    json_t *counts; /* method to number of commands */
    unsigned total;
    fake_browser_handler *handler;
    void *userdata;
};

static void note(fake_browser *fake, const char *method)
{
    json_t *count = json_object_get(fake->counts, method);
    json_object_set_new(fake->counts, method,
                        json_integer(json_integer_value(count) + 1));
    fake->total++;
    pthread_cond_broadcast(&fake->came);
}

void fake_browser_send_raw(fake_browser *fake, const char *data, size_t size)
{
    pthread_mutex_lock(&fake->lock);
    while (size > 0) {
        ssize_t sent = send(fake->ours, data, size, MSG_NOSIGNAL);
        if (sent <= 0)
            break;
        data += sent;
        size -= (size_t)sent;
    }
    pthread_mutex_unlock(&fake->lock);
}

static void send_answer(fake_browser *fake, json_t *command, json_t *result)
{
    json_t *answer = json_pack("{s:O,s:o}", "id", json_object_get(command, "id"),
                               "result", result);
    json_t *session = json_object_get(command, "sessionId");
    if (session)
        json_object_set(answer, "sessionId", session);
    char *text = json_dumps(answer, JSON_COMPACT);
    fake_browser_send_raw(fake, text, strlen(text) + 1);
    free(text);
    json_decref(answer);
}

static void handle(fake_browser *fake, const char *text)
{
    json_t *command = json_loads(text, 0, NULL);
    const char *method = json_string_value(json_object_get(command, "method"));
    if (!method)
        abort(); /* the library must never send this */
    pthread_mutex_lock(&fake->lock);
    const char *canned =
        json_string_value(json_object_get(fake->answers, method));
    json_t *result = canned ? json_loads(canned, 0, NULL) : NULL;
    pthread_mutex_unlock(&fake->lock);
    if (result)
        send_answer(fake, command, result);
    else if (fake->handler)
        fake->handler(fake, command, fake->userdata);
    pthread_mutex_lock(&fake->lock);
    note(fake, method);
    pthread_mutex_unlock(&fake->lock);
    json_decref(command);
}

static void *thread_main(void *arg)
{
    fake_browser *fake = arg;
    size_t size = 0;
    size_t capacity = 1 << 16;
    char *data = malloc(capacity);
    for (;;) {
        if (size == capacity)
            data = realloc(data, capacity *= 2);
        ssize_t got = read(fake->ours, data + size, capacity - size);
        if (got <= 0)
            break;
        size += (size_t)got;
        char *end;
        while ((end = memchr(data, '\0', size)) != NULL) {
            handle(fake, data);
            size -= (size_t)(end + 1 - data);
            memmove(data, end + 1, size);
        }
    }
    free(data);
    return NULL;
}

fake_browser *fake_browser_start(fake_browser_handler *handler, void *userdata)
{
    int pair[2];
    fake_browser *fake = calloc(1, sizeof *fake);
    if (!fake
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        abort();
    pthread_mutex_init(&fake->lock, NULL);
    pthread_cond_init(&fake->came, NULL);
    fake->ours = pair[0];
    fake->theirs = pair[1];
    fake->answers = json_object();
    fake->counts = json_object();
    fake->handler = handler;
    fake->userdata = userdata;
    if (pthread_create(&fake->thread, NULL, thread_main, fake) != 0)
        abort();
    return fake;
}

int fake_browser_take_fd(fake_browser *fake)
{
    int fd = fake->theirs;
    fake->theirs = -1;
    return fd;
}

void fake_browser_answer(fake_browser *fake, const char *method,
                         const char *result)
{
    pthread_mutex_lock(&fake->lock);
    json_object_set_new(fake->answers, method, json_string(result));
    pthread_mutex_unlock(&fake->lock);
}

void fake_browser_send(fake_browser *fake, const char *format, unsigned id)
{
    const char *place = strstr(format, "%u");
    size_t before = place ? (size_t)(place - format) : strlen(format);
    size_t size = strlen(format) + 16;
    char *text = malloc(size);
    if (!text)
        abort();
    if (place)
        snprintf(text, size, "%.*s%u%s", (int)before, format, id, place + 2);
    else
        snprintf(text, size, "%s", format);
    fake_browser_send_raw(fake, text, strlen(text) + 1);
    free(text);
}

static unsigned count_of(fake_browser *fake, const char *method)
{
    if (!method)
        return fake->total;
    return (unsigned)json_integer_value(
        json_object_get(fake->counts, method));
}

int fake_browser_wait(fake_browser *fake, const char *method, unsigned count)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    pthread_mutex_lock(&fake->lock);
    int error = 0;
    while (count_of(fake, method) < count && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&fake->came, &fake->lock, &until);
    int came = count_of(fake, method) >= count;
    pthread_mutex_unlock(&fake->lock);
    return came;
}

void fake_browser_vanish(fake_browser *fake)
{
    shutdown(fake->ours, SHUT_RDWR);
}

void fake_browser_stop(fake_browser *fake)
{
    fake_browser_vanish(fake);
    pthread_join(fake->thread, NULL);
    close(fake->ours);
    if (fake->theirs >= 0)
        close(fake->theirs);
    json_decref(fake->answers);
    json_decref(fake->counts);
    pthread_cond_destroy(&fake->came);
    pthread_mutex_destroy(&fake->lock);
    free(fake);
}
