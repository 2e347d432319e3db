/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/core.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#define KEEP_CAPACITY ((size_t)256 * 1024) /* of an idle connection */
#define WRITES_AT_ONCE 16

#ifndef POLLRDHUP /* elsewhere than on Linux POLLHUP says it */
#define POLLRDHUP 0
#endif

typedef struct websocket {
    aper__wire wire;
    aper__client client;
    aper__buf message; /* what has come of the next one */
    size_t under_way; /* bytes of the last message that was written */
    int64_t heard_ms;
    bool in_callback;
} websocket;

static void flush(websocket *ws, struct lws *wsi)
{
    bool more = true; /* what is queued after the last take flushes again */
    for (unsigned i = 0; i < WRITES_AT_ONCE; i++) {
        if (lws_partial_buffered(wsi))
            break;
        aper__wire_sent(&ws->wire, ws->under_way);
        ws->under_way = 0;
        if (!more)
            return;
        if (i > 0 && lws_send_pipe_choked(wsi))
            break;
        aper__outgoing *message = aper__wire_take(&ws->wire);
        if (!message)
            return;
        more = message->next != NULL;
        /* What does not leave at once lws keeps a copy of. */
        ws->under_way = message->size;
        int written = lws_write(wsi, message->bytes, message->size,
                                LWS_WRITE_TEXT);
        aper__dealloc(message);
        if (written < 0) {
            lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
            return;
        }
    }
    lws_callback_on_writable(wsi);
}

/* False when the connection is not to go on. */
static bool receive(websocket *ws, struct lws *wsi, const char *data,
                    size_t size)
{
    aper__buf *message = &ws->message;
    ws->heard_ms = aper__now_ms();
    lws_validity_confirmed(wsi);
    size_t rest = lws_remaining_packet_payload(wsi);
    if (message->size + size > aper__wire_limit.message_max
        || rest > aper__wire_limit.message_max - message->size - size) {
        aper__wire_end(&ws->wire, APER_E_TOO_BIG,
                       "a message is over the limit");
        return false;
    }
    aper__buf_append(message, data, size);
    if (message->failed) {
        aper__wire_end(&ws->wire, APER_E_NOMEM, "no memory for a message");
        return false;
    }
    if (rest > 0 || !lws_is_final_fragment(wsi))
        return true;
    bool go_on = aper__wire_deliver(&ws->wire, message->data, message->size);
    if (message->capacity > KEEP_CAPACITY)
        aper__buf_free(message);
    else
        aper__buf_clear(message);
    return go_on;
}

static void peer_closes(websocket *ws, const unsigned char *in, size_t size)
{
    aper__buf detail = {0};
    aper__buf_puts(&detail, "closed by the other side");
    if (size >= 2) {
        aper__buf_printf(&detail, " with code %d", in[0] << 8 | in[1]);
        if (size > 2) {
            aper__buf_puts(&detail, ": ");
            aper__text_quote(&detail, (const char *)in + 2, size - 2, 120);
        }
    }
    aper__wire_end(&ws->wire, APER_E_GONE,
                   detail.failed ? "closed by the other side" : detail.data);
    aper__buf_free(&detail);
}

/* lws does not say why it gives up a connection. If the peer has neither ended
 * its side nor been silent for too long, it was a frame that it refused. */
static void lost(websocket *ws, struct lws *wsi)
{
    struct pollfd fd = {.fd = lws_get_socket_fd(wsi), .events = POLLRDHUP};
    bool alive = poll(&fd, 1, 0) == 0;
    const lws_retry_bo_t *policy = ws->client.idle_policy;
    int64_t silent_ms = aper__now_ms() - ws->heard_ms;
    if (!alive)
        aper__wire_end(&ws->wire, APER_E_GONE, "the connection was lost");
    else if (policy && silent_ms >= policy->secs_since_valid_hangup * 1000)
        aper__wire_end(&ws->wire, APER_E_GONE,
                       "the other side does not answer pings");
    else
        aper__wire_end(&ws->wire, APER_E_PROTOCOL,
                       "the other side broke the WebSocket protocol");
}

static int serve(websocket *ws, struct lws *wsi,
                 enum lws_callback_reasons reason, void *in, size_t size)
{
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        aper__client_answered(&ws->client);
        ws->heard_ms = aper__now_ms();
        aper__wire_opened(&ws->wire);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        aper__io_polled();
        return receive(ws, wsi, in, size) ? 0 : -1;
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        ws->heard_ms = aper__now_ms();
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        flush(ws, wsi);
        break;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        peer_closes(ws, in, size);
        break;
    case LWS_CALLBACK_CLIENT_CLOSED:
        lost(ws, wsi);
        break;
    default:
        break;
    }
    return 0;
}

static bool is_ours(enum lws_callback_reasons reason)
{
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
    case LWS_CALLBACK_CLIENT_WRITEABLE:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_CLIENT_CLOSED:
        return true;
    default:
        return false;
    }
}

int aper__websocket_callback(struct lws *wsi,
                             enum lws_callback_reasons reason, void *user,
                             void *in, size_t size)
{
    /* For some reasons lws passes only a part of a struct lws. */
    aper__client *client = is_ours(reason) ? lws_get_opaque_user_data(wsi)
                                           : NULL;
    int result;
    if (!client || aper__client_callback(client, wsi, reason, user, in, size,
                                         &result))
        return client ? result : 0;
    websocket *ws = lws_container_of(client, websocket, client);
    ws->in_callback = true;
    result = serve(ws, wsi, reason, in, size);
    ws->in_callback = false;
    return result;
}

static void client_failed(aper__client *client, aper_status why,
                          const char *detail)
{
    websocket *ws = lws_container_of(client, websocket, client);
    aper__wire_end(&ws->wire, why, detail);
}

static void start_websocket(aper__wire *wire)
{
    aper__client_start(&((websocket *)wire)->client);
}

static void flush_websocket(aper__wire *wire)
{
    websocket *ws = (websocket *)wire;
    /* At once: to be called back for it would cost a turn of the loop. */
    if (ws->client.wsi)
        flush(ws, ws->client.wsi);
}

static void stop_websocket(aper__wire *wire)
{
    websocket *ws = (websocket *)wire;
    if (ws->in_callback) {
        aper__client_detach(&ws->client);
        return;
    }
    /* Has lws say goodbye in its own time, as far as the thread lives on. */
    if (ws->client.wsi && wire->opened)
        lws_close_reason(ws->client.wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
    aper__client_close(&ws->client);
}

static void free_websocket(aper__wire *wire)
{
    websocket *ws = (websocket *)wire;
    aper__client_free(&ws->client);
    aper__buf_free(&ws->message);
    aper__dealloc(ws);
}

static const aper__wire_kind websocket_kind = {
    start_websocket, flush_websocket, stop_websocket, free_websocket};

aper_status aper__wire_open_websocket(const aper__wire_target *target,
                                      const aper__wire_events *events,
                                      void *userdata, aper__wire **ret_wire,
                                      aper_error **ret_error)
{
    websocket *ws = aper__alloc(sizeof *ws);
    if (!ws)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = aper__client_init(&ws->client, target, "ws",
                                           ret_error);
    if (status != APER_OK)
        goto failed;
    ws->client.protocol = APER__PROTOCOL_WEBSOCKET;
    ws->client.failed = client_failed;
    /* A browser on this machine is only ever silent because it is stopped or
     * busy; if it dies, the kernel says so. */
    if (!ws->client.addresses.local || aper__wire_limit.ping_local)
        ws->client.idle_policy = &aper__wire_limit.idle;
    status = aper__io_acquire(ret_error);
    if (status != APER_OK)
        goto failed;
    /* Before it starts: events may come ahead of this function's end. */
    *ret_wire = &ws->wire;
    aper__wire_begin(&ws->wire, &websocket_kind, events, userdata);
    return APER_OK;
failed:
    aper__client_free(&ws->client);
    aper__dealloc(ws);
    return status;
}
