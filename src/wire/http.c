/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/core.h"

#include <string.h>

#define BODY_MAX ((size_t)4 * 1024 * 1024)

/* Shared by the calling thread and the I/O thread. */
typedef struct request {
    aper__client client;
    aper__refs refs;
    aper__io_task start_task;
    aper__io_task stop_task;
    bool in_callback;
    pthread_mutex_t lock; /* for all below */
    aper__op *op; /* NULL when the caller has gone */
    bool done;
    aper_status status;
    int http_status;
    aper__buf body;
    char *detail;
} request;

static void drop(request *req)
{
    if (!aper__unref(&req->refs))
        return;
    pthread_mutex_destroy(&req->lock);
    aper__client_free(&req->client);
    aper__buf_free(&req->body);
    aper__dealloc(req->detail);
    aper__dealloc(req);
}

static void finish(request *req, aper_status status, const char *detail)
{
    pthread_mutex_lock(&req->lock);
    bool first = !req->done;
    if (first) {
        req->done = true;
        req->status = status;
        req->detail = aper__strdup(detail);
        if (req->op)
            aper__op_wake(req->op);
    }
    pthread_mutex_unlock(&req->lock);
}

static void client_failed(aper__client *client, aper_status why,
                          const char *detail)
{
    finish(lws_container_of(client, request, client), why, detail);
}

static int take_body(request *req, const char *data, size_t size)
{
    if (req->body.size + size > BODY_MAX) {
        finish(req, APER_E_TOO_BIG, "the answer is over 4 MiB");
        return -1;
    }
    aper__buf_append(&req->body, data, size);
    if (req->body.failed) {
        finish(req, APER_E_NOMEM, "no memory for the answer");
        return -1;
    }
    return 0;
}

/* lws gives the bytes of a chunked body only through its own buffer. */
static int read_body(struct lws *wsi)
{
    char buffer[LWS_PRE + 16 * 1024];
    char *at = buffer + LWS_PRE;
    int size = sizeof buffer - LWS_PRE;
    return lws_http_client_read(wsi, &at, &size) < 0 ? -1 : 0;
}

static int serve(request *req, struct lws *wsi,
                 enum lws_callback_reasons reason, void *in, size_t size)
{
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        req->client.answered = true;
        req->http_status = (int)lws_http_client_http_response(wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return read_body(wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return take_body(req, in, size);
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        finish(req, APER_OK, NULL);
        return -1;
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
        finish(req, APER_E_PROTOCOL, "the answer ended too early");
        aper__client_detach(&req->client);
        return 0;
    default:
        return 0;
    }
}

static bool is_ours(enum lws_callback_reasons reason)
{
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
        return true;
    default:
        return false;
    }
}

int aper__http_callback(struct lws *wsi, enum lws_callback_reasons reason,
                        void *user, void *in, size_t size)
{
    aper__client *client = is_ours(reason) ? lws_get_opaque_user_data(wsi)
                                           : NULL;
    int result;
    if (!client || aper__client_callback(client, wsi, reason, user, in, size,
                                         &result))
        return client ? result : 0;
    return serve(lws_container_of(client, request, client), wsi, reason, in,
                 size);
}

static void run_start(void *arg)
{
    request *req = arg;
    aper__client_start(&req->client);
}

static void run_stop(void *arg)
{
    request *req = arg;
    aper__client_close(&req->client);
    drop(req);
}

/* Waits for the end, then takes req from the I/O thread. */
static aper_status await(request *req, aper__op *op)
{
    aper_status status = APER_OK;
    for (;;) {
        uint32_t seen = aper__op_seen(op);
        pthread_mutex_lock(&req->lock);
        bool done = req->done;
        if (status != APER_OK || done)
            req->op = NULL;
        pthread_mutex_unlock(&req->lock);
        if (done)
            return APER_OK;
        if (status != APER_OK)
            return status;
        status = aper__op_wait(op, seen);
    }
}

static aper_status report(request *req, aper_status waited,
                          aper__buf *ret_body, int *ret_http_status,
                          aper_error **ret_error)
{
    const char *authority = req->client.url.authority;
    if (waited != APER_OK)
        return aper__error_set(ret_error, waited,
                               "asking %s over HTTP: %s", authority,
                               aper__op_reason(waited));
    if (req->status != APER_OK)
        return aper__error_set(ret_error, req->status, "%s",
                               req->detail
                                   ? req->detail
                                   : aper_status_get_text(req->status));
    aper__buf_reserve(&req->body, 0);
    if (req->body.failed)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    *ret_body = req->body;
    req->body = (aper__buf){0};
    if (ret_http_status)
        *ret_http_status = req->http_status;
    return APER_OK;
}

aper_status aper__http_get(const aper__wire_target *target, aper__op *op,
                           aper__buf *ret_body, int *ret_http_status,
                           aper_error **ret_error)
{
    request *req = aper__alloc(sizeof *req);
    if (!req)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper__wire_target timed = *target;
    uint32_t left = aper__op_left_ms(op);
    if (timed.connect_timeout_ms == 0 || timed.connect_timeout_ms > left)
        timed.connect_timeout_ms = left;
    aper_status status = aper__client_init(&req->client, &timed, "http",
                                           ret_error);
    if (status == APER_OK) {
        status = aper__io_acquire(ret_error);
        if (status != APER_OK)
            aper__client_free(&req->client);
    }
    if (status != APER_OK) {
        aper__dealloc(req);
        return status;
    }
    req->client.method = "GET";
    req->client.protocol = APER__PROTOCOL_HTTP;
    req->client.failed = client_failed;
    atomic_init(&req->refs, 2);
    pthread_mutex_init(&req->lock, NULL);
    req->op = op;
    req->start_task = (aper__io_task){run_start, req, NULL};
    req->stop_task = (aper__io_task){run_stop, req, NULL};
    aper__io_submit(&req->start_task);
    aper_status waited = await(req, op);
    status = report(req, waited, ret_body, ret_http_status, ret_error);
    aper__io_submit(&req->stop_task);
    drop(req);
    aper__io_release();
    return status;
}
