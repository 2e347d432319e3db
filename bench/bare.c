/* SPDX-License-Identifier: Apache-2.0 */
#include "bare.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE (64 * 1024)
#define COMMAND_MAX 1024

struct bare {
    struct lws_context *context;
    struct lws *wsi;
    bool open;
    bool failed;
    unsigned last_id;
    unsigned char command[LWS_PRE + COMMAND_MAX];
    size_t command_size; /* 0: nothing to send */
    char answer_start[32];
    const char *expected; /* text of an event, NULL when it came */
    bool answered;
    char *message;
    size_t size;
    size_t capacity;
    char *answer;
    size_t answer_capacity;
};

static void send_command(bare *client)
{
    if (client->command_size == 0)
        return;
    if (lws_write(client->wsi, client->command + LWS_PRE,
                  client->command_size, LWS_WRITE_TEXT) < 0)
        client->failed = true;
    client->command_size = 0;
}

static void take_message(bare *client)
{
    client->message[client->size] = '\0';
    client->size = 0;
    if (strncmp(client->message, client->answer_start,
                strlen(client->answer_start)) == 0) {
        char *old = client->answer;
        size_t old_capacity = client->answer_capacity;
        client->answer = client->message;
        client->answer_capacity = client->capacity;
        client->message = old;
        client->capacity = old_capacity;
        client->answered = true;
    } else if (client->expected
               && strstr(client->message, client->expected)) {
        client->expected = NULL;
    }
}

static void receive(bare *client, const char *data, size_t size)
{
    if (client->size + size + 1 > client->capacity) {
        client->capacity = 2 * (client->size + size + 1);
        client->message = realloc(client->message, client->capacity);
        if (!client->message)
            abort();
    }
    memcpy(client->message + client->size, data, size);
    client->size += size;
    if (lws_remaining_packet_payload(client->wsi) == 0
        && lws_is_final_fragment(client->wsi))
        take_message(client);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t size)
{
    bare *client = lws_context_user(lws_get_context(wsi));
    (void)user;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        client->open = true;
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        send_command(client);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        receive(client, in, size);
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_CLOSED:
        client->failed = true;
        break;
    default:
        break;
    }
    return 0;
}

static bool start(bare *client, const char *host, int port, const char *path)
{
    static const struct lws_protocols protocols[] = {
        {.name = "bare", .callback = callback, .rx_buffer_size = BUFFER_SIZE},
        {.name = NULL},
    };
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .pt_serv_buf_size = BUFFER_SIZE,
        .http_proxy_address = "",
        .user = client,
    };
    struct lws_client_connect_info connect = {
        .address = host, .port = port, .path = path, .host = host,
        .local_protocol_name = "bare", .pwsi = &client->wsi};
    lws_set_log_level(0, NULL);
    client->context = lws_create_context(&info);
    signal(SIGPIPE, SIG_DFL); /* lws ignores it; two in a process should not */
    if (!client->context)
        return false;
    connect.context = client->context;
    if (!lws_client_connect_via_info(&connect))
        return false;
    while (!client->open && !client->failed)
        lws_service(client->context, 0);
    return client->open;
}

bare *bare_open(const char *url)
{
    char host[64];
    char path[256];
    int port;
    if (sscanf(url, "ws://%63[0-9.]:%d%255s", host, &port, path) != 3)
        return NULL;
    bare *client = calloc(1, sizeof *client);
    if (client && start(client, host, port, path))
        return client;
    bare_close(client);
    return NULL;
}

void bare_close(bare *client)
{
    if (!client)
        return;
    if (client->context)
        lws_context_destroy(client->context);
    free(client->message);
    free(client->answer);
    free(client);
}

void bare_expect(bare *client, const char *text)
{
    client->expected = text;
}

const char *bare_call(bare *client, const char *rest)
{
    unsigned id = ++client->last_id;
    client->command_size = (size_t)snprintf(
        (char *)client->command + LWS_PRE, COMMAND_MAX, "{\"id\":%u,%s", id,
        rest);
    snprintf(client->answer_start, sizeof client->answer_start, "{\"id\":%u,",
             id);
    client->answered = false;
    lws_callback_on_writable(client->wsi);
    while ((!client->answered || client->expected) && !client->failed)
        lws_service(client->context, 0);
    return client->failed ? NULL : client->answer;
}

void bare_string(const char *answer, const char *key, char *out, unsigned size)
{
    char start[64];
    snprintf(start, sizeof start, "\"%s\":\"", key);
    const char *at = answer ? strstr(answer, start) : NULL;
    at = at ? at + strlen(start) : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}
