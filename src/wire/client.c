/* SPDX-License-Identifier: Apache-2.0 */
/* Everything up to the answer of a server that is alike for WebSocket and
 * plain HTTP: checked headers, one address after the other, a deadline, and
 * naming what went wrong. */
#include "wire/core.h"

#include <errno.h>
#include <openssl/x509_vfy.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_MAX (16 * 1024) /* all together; they fit lws's buffer */
#define DETAIL_MAX 256

static bool is_token_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_value(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c != '\t' && (c < ' ' || c == 0x7F))
            return false;
    }
    return true;
}

/* Names whose values this side makes itself. */
static bool is_reserved(const char *name, size_t size)
{
    static const char *const reserved[] = {
        "Host", "Connection", "Upgrade", "Content-Length",
        "Transfer-Encoding", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
        "Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"};
    char copy[32] = "";
    if (size >= sizeof copy)
        return false;
    memcpy(copy, name, size);
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (aper__ascii_caseless_equal(copy, reserved[i]))
            return true;
    }
    return false;
}

static bool is_header(const char *line)
{
    const char *colon = line;
    while (is_token_char(*colon))
        colon++;
    return colon > line && *colon == ':' && is_value(colon + 1)
           && !is_reserved(line, (size_t)(colon - line));
}

static aper_status copy_headers(aper__client *client,
                                const aper__wire_target *target,
                                aper_error **ret_error)
{
    size_t count = 0;
    size_t total = target->bearer_token ? strlen(target->bearer_token) : 0;
    for (; target->headers && target->headers[count]; count++) {
        total += strlen(target->headers[count]);
        if (!is_header(target->headers[count]))
            return aper__error_set(ret_error, APER_E_INVAL,
                                   "header %zu is not a \"Name: value\" line "
                                   "of its own, or is one that the library "
                                   "sets", count);
    }
    if (total > HEADERS_MAX)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the headers have %zu bytes, over %d", total,
                               HEADERS_MAX);
    if (target->bearer_token && !is_value(target->bearer_token))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the bearer token has control characters");
    client->headers = aper__alloc((count + 1) * sizeof *client->headers);
    bool ok = client->headers != NULL;
    for (size_t i = 0; i < count && ok; i++) {
        client->headers[i] = aper__strdup(target->headers[i]);
        ok = client->headers[i] != NULL;
    }
    client->bearer_token = aper__strdup(target->bearer_token);
    client->ca_file = aper__strdup(target->ca_file);
    if (!ok || (target->bearer_token && !client->bearer_token)
        || (target->ca_file && !client->ca_file))
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    return APER_OK;
}

static void run_attempt(void *client);

aper_status aper__client_init(aper__client *client,
                              const aper__wire_target *target,
                              const char *scheme, aper_error **ret_error)
{
    aper_status status = aper__url_parse(&client->url, target->url, scheme,
                                         ret_error);
    if (status == APER_OK)
        status = copy_headers(client, target, ret_error);
    if (status == APER_OK && client->ca_file
        && access(client->ca_file, R_OK) != 0)
        status = aper__error_set(ret_error, APER_E_IO,
                                 "the file of certificates %s cannot be "
                                 "read: %s", client->ca_file,
                                 strerrordesc_np(errno));
    if (status == APER_OK)
        status = aper__resolve(&client->addresses, client->url.host,
                               ret_error);
    if (status != APER_OK) {
        aper__client_free(client);
        return status;
    }
    client->deadline_ms = aper__now_ms() + target->connect_timeout_ms;
    client->retry = (aper__io_task){run_attempt, client, NULL};
    return APER_OK;
}

static void zero_and_free(char *secret)
{
    if (secret)
        sodium_memzero(secret, strlen(secret));
    aper__dealloc(secret);
}

void aper__client_free(aper__client *client)
{
    for (char **at = client->headers; at && *at; at++)
        zero_and_free(*at);
    aper__dealloc(client->headers);
    zero_and_free(client->bearer_token);
    aper__dealloc(client->ca_file);
    aper__url_free(&client->url);
    client->headers = NULL;
    client->bearer_token = client->ca_file = NULL;
}

static void fail(aper__client *client, aper_status why, const char *detail)
{
    if (client->over)
        return;
    aper__client_detach(client);
    client->failed(client, why, detail);
}

/* One address has come to nothing; the next one, if there is one and it was
 * the address's fault. */
static void attempt_failed(aper__client *client, const char *what, int http)
{
    char detail[DETAIL_MAX];
    aper__url *url = &client->url;
    client->wsi = NULL;
    lws_sul_cancel(&client->timer);
    if (!client->connected
        && client->next_address < client->addresses.count) {
        aper__io_submit(&client->retry);
        return;
    }
    if (!client->connected) {
        snprintf(detail, sizeof detail,
                 "cannot connect to %s, port %u: refused or unreachable",
                 url->host, url->port);
        fail(client, APER_E_CONNECT, detail);
    } else if (url->tls && !client->asked) {
        snprintf(detail, sizeof detail, "TLS with %s failed: %s",
                 url->authority,
                 client->verify_error
                     ? X509_verify_cert_error_string(client->verify_error)
                     : what);
        fail(client, APER_E_TLS, detail);
    } else if (http != 0 && http != 101) {
        snprintf(detail, sizeof detail, "%s answered HTTP %d",
                 url->authority, http);
        fail(client, http == 401 || http == 403 ? APER_E_AUTH
                                                : APER_E_CONNECT, detail);
    } else {
        snprintf(detail, sizeof detail, "%s gave no proper answer: %s",
                 url->authority, what);
        fail(client, APER_E_PROTOCOL, detail);
    }
}

static void out_of_time(lws_sorted_usec_list_t *timer)
{
    aper__client *client = lws_container_of(timer, aper__client, timer);
    char detail[DETAIL_MAX];
    if (client->wsi) {
        lws_set_opaque_user_data(client->wsi, NULL);
        lws_set_timeout(client->wsi, PENDING_TIMEOUT_USER_OK,
                        LWS_TO_KILL_ASYNC);
        client->wsi = NULL;
    }
    if (aper__now_ms() < client->deadline_ms && !client->connected
        && client->next_address < client->addresses.count) {
        aper__io_submit(&client->retry);
        return;
    }
    snprintf(detail, sizeof detail, "no answer of %s in time",
             client->url.authority);
    fail(client, APER_E_TIMEOUT, detail);
}

static void set_timer(aper__client *client, int64_t time_ms)
{
    lws_sul_schedule(aper__io_context(), 0, &client->timer, out_of_time,
                     time_ms > 0 ? time_ms * LWS_US_PER_MS : 1);
}

static void run_attempt(void *arg)
{
    aper__client *client = arg;
    if (client->over)
        return;
    unsigned left = client->addresses.count - client->next_address;
    const char *address = client->addresses.text[client->next_address++];
    struct lws_vhost *vhost = aper__io_vhost(client->url.tls,
                                             client->ca_file);
    if (!vhost) {
        fail(client, APER_E_NOMEM, "no memory for a connection");
        return;
    }
    /* A silent address may not use up the time of those behind it. */
    set_timer(client, (client->deadline_ms - aper__now_ms()) / left);
    struct lws_client_connect_info info = {
        .context = aper__io_context(),
        .vhost = vhost,
        .address = address,
        .port = client->url.port,
        .path = client->url.path,
        .host = client->url.authority,
        .method = client->method,
        .alpn = "http/1.1",
        .ssl_connection = (client->url.tls ? LCCSCF_USE_SSL : 0)
                          | LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
        .local_protocol_name = client->protocol,
        .retry_and_idle_policy = client->idle_policy,
        .opaque_user_data = client,
        .pwsi = &client->wsi,
    };
    if (!lws_client_connect_via_info(&info))
        attempt_failed(client, "no connection", 0);
}

void aper__client_start(aper__client *client)
{
    run_attempt(client);
}

void aper__client_answered(aper__client *client)
{
    client->answered = true;
    lws_sul_cancel(&client->timer);
}

void aper__client_detach(aper__client *client)
{
    client->over = true;
    lws_sul_cancel(&client->timer);
    if (client->wsi)
        lws_set_opaque_user_data(client->wsi, NULL);
    client->wsi = NULL;
}

void aper__client_close(aper__client *client)
{
    struct lws *wsi = client->wsi;
    aper__client_detach(client);
    if (wsi)
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

static int add_header(struct lws *wsi, const char *name, const char *value,
                      unsigned char **at, unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value,
                                       (int)strlen(value), at, end);
}

static int add_headers(aper__client *client, struct lws *wsi,
                       unsigned char **at, size_t size)
{
    unsigned char *end = *at + size;
    for (char **line = client->headers; *line; line++) {
        char name[HEADERS_MAX];
        size_t length = strcspn(*line, ":") + 1;
        const char *value = *line + length;
        if (length >= sizeof name)
            return -1;
        memcpy(name, *line, length);
        name[length] = '\0';
        if (add_header(wsi, name, value + strspn(value, " \t"), at, end))
            return -1;
    }
    if (!client->bearer_token)
        return 0;
    aper__buf value = {0};
    aper__buf_printf(&value, "Bearer %s", client->bearer_token);
    int result = value.failed ? -1
                              : add_header(wsi, "Authorization:", value.data,
                                           at, end);
    if (value.data)
        sodium_memzero(value.data, value.size);
    aper__buf_free(&value);
    return result;
}

bool aper__client_callback(aper__client *client, struct lws *wsi,
                           enum lws_callback_reasons reason, void *user,
                           void *in, size_t size, int *ret_result)
{
    *ret_result = 0;
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
        client->connected = true;
        set_timer(client, client->deadline_ms - aper__now_ms());
        return true;
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
        /* user is the context of the check; only look, never excuse. */
        client->verify_error = X509_STORE_CTX_get_error(user);
        return true;
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        client->asked = true;
        /* lws would drop the connection without another word. */
        if (add_headers(client, wsi, in, size) != 0) {
            fail(client, APER_E_NOMEM, "no memory for the headers");
            *ret_result = -1;
        }
        return true;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: {
        char what[DETAIL_MAX / 2];
        snprintf(what, sizeof what, "%.*s", (int)size,
                 in ? (const char *)in : "");
        if (!client->answered)
            attempt_failed(client, what,
                           (int)lws_http_client_http_response(wsi));
        return true;
    }
    default:
        return false;
    }
}
