/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/core.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_SIZE ((size_t)64 * 1024)
#define READS_AT_ONCE 16

typedef struct pipe_wire {
    aper__wire wire;
    int fd;
    struct lws *wsi;
    bool in_callback;
    aper__buf input; /* from the start of a message */
    aper__outgoing *head; /* partly sent */
    size_t sent; /* bytes of it, with its NUL */
} pipe_wire;

/* Delivers the messages that are complete; false when that is the end. */
static bool deliver(pipe_wire *pipe, size_t searched)
{
    aper__buf *input = &pipe->input;
    size_t start = 0;
    char *end;
    while ((end = memchr(input->data + searched, '\0',
                         input->size - searched)) != NULL) {
        size_t size = (size_t)(end - input->data) - start;
        if (size > aper__wire_limit.message_max)
            break;
        if (!aper__wire_deliver(&pipe->wire, input->data + start, size))
            return false;
        start = searched = (size_t)(end - input->data) + 1;
    }
    input->size -= start;
    if (start > 0) /* not with each part of a long message */
        memmove(input->data, input->data + start, input->size);
    if (input->size > aper__wire_limit.message_max) {
        aper__wire_end(&pipe->wire, APER_E_TOO_BIG,
                       "a message is over the limit");
        return false;
    }
    if (input->size == 0 && input->capacity > 4 * READ_SIZE)
        aper__buf_free(input);
    return true;
}

/* False when the connection is over. */
static bool receive(pipe_wire *pipe)
{
    aper__buf *input = &pipe->input;
    for (unsigned i = 0; i < READS_AT_ONCE; i++) {
        if (!aper__buf_reserve(input, READ_SIZE)) {
            aper__wire_end(&pipe->wire, APER_E_NOMEM,
                           "no memory for a message");
            return false;
        }
        ssize_t got = recv(pipe->fd, input->data + input->size,
                           input->capacity - input->size - 1, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (got <= 0) {
            aper__wire_end(&pipe->wire, APER_E_GONE,
                           "the browser closed the pipe");
            return false;
        }
        size_t searched = input->size;
        input->size += (size_t)got;
        input->data[input->size] = '\0';
        if (!deliver(pipe, searched))
            return false;
    }
    return true;
}

int aper__pipe_callback(struct lws *wsi, enum lws_callback_reasons reason,
                        void *user, void *in, size_t size)
{
    (void)user;
    (void)in;
    (void)size;
    if (reason != LWS_CALLBACK_RAW_RX_FILE
        && reason != LWS_CALLBACK_RAW_WRITEABLE_FILE
        && reason != LWS_CALLBACK_RAW_CLOSE_FILE)
        return 0;
    pipe_wire *pipe = lws_get_opaque_user_data(wsi);
    if (!pipe)
        return 0;
    int result = 0;
    pipe->in_callback = true;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) {
        aper__io_polled();
        result = receive(pipe) ? 0 : -1;
    } else if (reason == LWS_CALLBACK_RAW_WRITEABLE_FILE) {
        /* lws forgets a wish to write again that is made in here. */
        aper__wire_flush_later(&pipe->wire);
    } else {
        aper__wire_end(&pipe->wire, APER_E_GONE,
                       "the browser closed the pipe");
    }
    pipe->in_callback = false;
    return result;
}

static void start_pipe(aper__wire *wire)
{
    pipe_wire *pipe = (pipe_wire *)wire;
    lws_sock_file_fd_type fd = {.filefd = pipe->fd};
    pipe->wsi = lws_adopt_descriptor_vhost(aper__io_vhost(false, NULL),
                                           LWS_ADOPT_RAW_FILE_DESC, fd,
                                           APER__PROTOCOL_PIPE, NULL);
    if (!pipe->wsi) {
        pipe->fd = -1; /* lws has closed it */
        aper__wire_end(wire, APER_E_NOMEM, "no memory for a connection");
        return;
    }
    lws_set_opaque_user_data(pipe->wsi, pipe);
    aper__wire_opened(wire);
}

static void flush_pipe(aper__wire *wire)
{
    pipe_wire *pipe = (pipe_wire *)wire;
    for (;;) {
        if (!pipe->head)
            pipe->head = aper__wire_take(wire);
        aper__outgoing *head = pipe->head;
        if (!head)
            return;
        /* The NUL behind the message ends it. */
        ssize_t got = send(pipe->fd, head->bytes + pipe->sent,
                           head->size + 1 - pipe->sent, MSG_NOSIGNAL);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN) {
            lws_callback_on_writable(pipe->wsi);
            return;
        }
        if (got < 0) /* reading will tell the end, after the last words */
            return;
        pipe->sent += (size_t)got;
        if (pipe->sent <= head->size)
            continue;
        aper__wire_sent(wire, head->size);
        pipe->head = NULL;
        pipe->sent = 0;
        aper__dealloc(head);
    }
}

static void stop_pipe(aper__wire *wire)
{
    pipe_wire *pipe = (pipe_wire *)wire;
    struct lws *wsi = pipe->wsi;
    pipe->wsi = NULL;
    if (!wsi)
        return;
    pipe->fd = -1; /* lws closes it */
    lws_set_opaque_user_data(wsi, NULL);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK,
                    pipe->in_callback ? LWS_TO_KILL_ASYNC
                                      : LWS_TO_KILL_SYNC);
}

static void free_pipe(aper__wire *wire)
{
    pipe_wire *pipe = (pipe_wire *)wire;
    if (pipe->fd >= 0)
        close(pipe->fd);
    aper__dealloc(pipe->head);
    aper__buf_free(&pipe->input);
    aper__dealloc(pipe);
}

static const aper__wire_kind pipe_kind = {start_pipe, flush_pipe, stop_pipe,
                                          free_pipe};

aper_status aper__wire_open_pipe(int fd, const aper__wire_events *events,
                                 void *userdata, aper__wire **ret_wire,
                                 aper_error **ret_error)
{
    aper_status status;
    pipe_wire *pipe = aper__alloc(sizeof *pipe);
    if (!pipe) {
        status = aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
        goto failed;
    }
    pipe->fd = fd;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0
        || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
        status = aper__error_set(ret_error, APER_E_INVAL,
                                 "%d is not an open descriptor", fd);
        goto failed;
    }
    status = aper__io_acquire(ret_error);
    if (status != APER_OK)
        goto failed;
    *ret_wire = &pipe->wire;
    aper__wire_begin(&pipe->wire, &pipe_kind, events, userdata);
    return APER_OK;
failed:
    if (fd >= 0)
        close(fd);
    aper__dealloc(pipe);
    return status;
}
