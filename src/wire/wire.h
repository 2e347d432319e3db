/* SPDX-License-Identifier: Apache-2.0 */
/* Byte streams that carry whole messages: WebSocket, pipe, recorded
 * conversation; and small HTTP requests. libwebsockets stays behind this
 * header. */
#ifndef APER_WIRE_H
#define APER_WIRE_H

#include "base/base.h"

/* The largest message that is accepted or sent. */
#define APER__WIRE_MESSAGE_MAX ((size_t)512 * 1024 * 1024)
/* Bytes that may wait to be sent on one connection, one message always may. */
#define APER__WIRE_QUEUE_MAX ((size_t)64 * 1024 * 1024)

/* The loop that serves all connections of the process. There is an I/O thread
 * for it while somebody holds it, which ends with the last release; but a
 * thread in aper__op_wait() may serve it as well, one at a time. "On the I/O
 * thread" always means on the one that does in that moment: nothing else runs
 * so, and it must not wait for an op. Holders call release from any thread but
 * the I/O thread itself, so without the locks of its callbacks. */
aper_status aper__io_acquire(aper_error **ret_error);
void aper__io_release(void);
bool aper__io_is_current(void);
/* Runs fn(arg) on the I/O thread, in the order posted. */
aper_status aper__io_post(void (*fn)(void *arg), void *arg);
/* Runs fn(arg) on the I/O thread in delay_ms; 0 for *ret_id never occurs.
 * Cancelling waits while it runs, unless called on the I/O thread. */
aper_status aper__io_timer(uint32_t delay_ms, void (*fn)(void *arg), void *arg,
                           uint64_t *ret_id);
void aper__io_timer_cancel(uint64_t id);

/* A connection. It holds the I/O thread. */
typedef struct aper__wire aper__wire;

/* All are called on the I/O thread, without any lock held; opened once or
 * never, closed exactly once and last. message: data may be changed in place
 * and is NUL-terminated behind size; valid during the call. */
typedef struct aper__wire_events {
    void (*opened)(void *userdata);
    void (*message)(void *userdata, char *data, size_t size);
    void (*closed)(void *userdata, aper_status why, const char *detail);
} aper__wire_events;

typedef struct aper__wire_target {
    const char *url; /* ws, wss; for HTTP http, https */
    const char *const *headers; /* NULL-terminated, may be NULL */
    const char *bearer_token; /* may be NULL */
    const char *ca_file; /* may be NULL */
    uint32_t connect_timeout_ms;
} aper__wire_target;

/* Begins to connect; host names are resolved on the calling thread. No Origin
 * header is sent. Failures after this arrive as closed(CONNECT, TLS, AUTH,
 * PROTOCOL, TIMEOUT), loss of an open connection as closed(GONE), a broken
 * message as closed(PROTOCOL), too big a one as closed(TOO_BIG). */
aper_status aper__wire_open_websocket(const aper__wire_target *target,
                                      const aper__wire_events *events,
                                      void *userdata, aper__wire **ret_wire,
                                      aper_error **ret_error);
/* Messages end in NUL, as --remote-debugging-pipe has it. Takes fd, one end of
 * a socket pair. */
aper_status aper__wire_open_pipe(int fd, const aper__wire_events *events,
                                 void *userdata, aper__wire **ret_wire,
                                 aper_error **ret_error);
/* Plays a recorded conversation; doc/testing.md has the format. */
aper_status aper__wire_open_replay(const char *path,
                                   const aper__wire_events *events,
                                   void *userdata, aper__wire **ret_wire,
                                   aper_error **ret_error);
/* Queues a copy; any thread. BUSY when the queue is full, TOO_BIG, NOMEM, or
 * the status the connection closed with. */
aper_status aper__wire_send(aper__wire *wire, const char *data, size_t size);
/* Begins to close; closed(CLOSED) follows unless it has closed already. */
void aper__wire_close(aper__wire *wire);
/* Frees once closed was delivered; a wire that is still open is closed. Safe
 * on any thread, also inside the callbacks. */
void aper__wire_unref(aper__wire *wire);

/* One GET, blocking, not on the I/O thread. The body is at most 4 MiB. */
aper_status aper__http_get(const aper__wire_target *target, aper__op *op,
                           aper__buf *ret_body, int *ret_http_status,
                           aper_error **ret_error);

#endif
