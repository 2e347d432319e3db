/* SPDX-License-Identifier: Apache-2.0 */
/* A browser that is none, as a program: a WebSocket server on loopback that
 * answers every command at once, opens as many tabs as it is asked for and
 * pretends to load pages in them. Prints its address; serves until killed. */
#include <jansson.h>
#include <libwebsockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 65536

typedef struct message {
    struct message *next;
    size_t size;
    unsigned char bytes[]; /* behind LWS_PRE free bytes */
} message;

typedef struct connection {
    message *first;
    message **last;
    size_t size;
    char received[MESSAGE_MAX];
} connection;

static unsigned tab_count;
static unsigned document_count;

static void say(connection *to, json_t *object)
{
    size_t size = json_dumpb(object, NULL, 0, JSON_COMPACT);
    message *made = malloc(sizeof *made + LWS_PRE + size);
    if (!made)
        abort();
    made->next = NULL;
    made->size = size;
    json_dumpb(object, (char *)made->bytes + LWS_PRE, size, JSON_COMPACT);
    json_decref(object);
    *to->last = made;
    to->last = &made->next;
}

static void tell(connection *to, const char *session, const char *method,
                 json_t *params)
{
    json_t *event = json_pack("{s:s,s:o}", "method", method, "params", params);
    if (session)
        json_object_set_new(event, "sessionId", json_string(session));
    say(to, event);
}

static json_t *tab_info(const char *id)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:b,s:b,s:s}", "targetId", id, "type",
                     "page", "title", "", "url", "about:blank", "attached", 0,
                     "canAccessOpener", 0, "browserContextId", "DEFAULT");
}

static json_t *create_tab(connection *to)
{
    char id[33];
    snprintf(id, sizeof id, "%032X", ++tab_count);
    tell(to, NULL, "Target.targetCreated",
         json_pack("{s:o}", "targetInfo", tab_info(id)));
    return json_pack("{s:s}", "targetId", id);
}

/* The session of a tab has its id. */
static json_t *attach(connection *to, const char *id)
{
    tell(to, NULL, "Target.attachedToTarget",
         json_pack("{s:s,s:o,s:b}", "sessionId", id, "targetInfo",
                   tab_info(id), "waitingForDebugger", 0));
    return json_pack("{s:s}", "sessionId", id);
}

static json_t *frame(const char *id, const char *loader, const char *url)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s}", "id", id, "loaderId",
                     loader, "url", url, "securityOrigin", url, "mimeType",
                     "text/html", "domainAndRegistry", "");
}

static void load(connection *to, const char *session, const char *url)
{
    static const char *const events[] = {"DOMContentLoaded", "load"};
    char loader[33];
    snprintf(loader, sizeof loader, "%032X", ++document_count);
    tell(to, session, "Page.frameNavigated",
         json_pack("{s:o,s:s}", "frame", frame(session, loader, url), "type",
                   "Navigation"));
    for (size_t i = 0; i < 2; i++)
        tell(to, session, "Page.lifecycleEvent",
             json_pack("{s:s,s:s,s:s,s:f}", "frameId", session, "loaderId",
                       loader, "name", events[i], "timestamp", 1.0));
    tell(to, session, "Page.frameStoppedLoading",
         json_pack("{s:s}", "frameId", session));
}

static json_t *result_of(connection *to, const char *method,
                         const char *session, json_t *params)
{
    if (strcmp(method, "Browser.getVersion") == 0)
        return json_pack("{s:s,s:s,s:s,s:s,s:s}", "protocolVersion", "1.3",
                         "product", "Chrome/100.0.0.0", "revision", "@0",
                         "userAgent", "Mozilla/5.0", "jsVersion", "10.0");
    if (strcmp(method, "Target.createTarget") == 0)
        return create_tab(to);
    if (strcmp(method, "Target.attachToTarget") == 0)
        return attach(to, json_string_value(json_object_get(params,
                                                            "targetId")));
    if (strcmp(method, "Target.getTargets") == 0)
        return json_pack("{s:[]}", "targetInfos");
    if (strcmp(method, "Page.getFrameTree") == 0 && session)
        return json_pack("{s:{s:o}}", "frameTree", "frame",
                         frame(session, "0", "about:blank"));
    if (strcmp(method, "Page.addScriptToEvaluateOnNewDocument") == 0)
        return json_pack("{s:s}", "identifier", "1");
    if (strcmp(method, "Page.createIsolatedWorld") == 0)
        return json_pack("{s:i}", "executionContextId", 2);
    if (strcmp(method, "Runtime.evaluate") == 0)
        return json_pack("{s:{s:s,s:i,s:s}}", "result", "type", "number",
                         "value", 1, "description", "1");
    return json_object();
}

static json_t *navigate(const char *session)
{
    char loader[33];
    snprintf(loader, sizeof loader, "%032X", document_count + 1);
    return json_pack("{s:s,s:s}", "frameId", session, "loaderId", loader);
}

static void answer(connection *to, const char *text, size_t size)
{
    const char *method;
    const char *session = NULL;
    json_t *params = NULL;
    json_int_t id;
    json_t *command = json_loadb(text, size, 0, NULL);
    if (json_unpack(command, "{s:I,s:s,s?s,s?o}", "id", &id, "method",
                    &method, "sessionId", &session, "params", &params) != 0)
        abort();
    bool goes = session && strcmp(method, "Page.navigate") == 0;
    json_t *result = goes ? navigate(session)
                          : result_of(to, method, session, params);
    json_t *made = json_pack("{s:I,s:o}", "id", id, "result", result);
    if (session)
        json_object_set_new(made, "sessionId", json_string(session));
    say(to, made);
    if (goes)
        load(to, session, json_string_value(json_object_get(params, "url")));
    json_decref(command);
}

static void write_next(connection *to, struct lws *wsi)
{
    message *next = to->first;
    if (!next)
        return;
    to->first = next->next;
    if (!to->first)
        to->last = &to->first;
    lws_write(wsi, next->bytes + LWS_PRE, next->size, LWS_WRITE_TEXT);
    free(next);
    if (to->first)
        lws_callback_on_writable(wsi);
}

static void receive(connection *from, struct lws *wsi, const char *data,
                    size_t size)
{
    if (from->size + size > MESSAGE_MAX)
        abort();
    memcpy(from->received + from->size, data, size);
    from->size += size;
    if (lws_remaining_packet_payload(wsi) > 0 || !lws_is_final_fragment(wsi))
        return;
    answer(from, from->received, from->size);
    from->size = 0;
    lws_callback_on_writable(wsi);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t size)
{
    connection *peer = user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        peer->last = &peer->first;
        break;
    case LWS_CALLBACK_RECEIVE:
        receive(peer, wsi, in, size);
        break;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        write_next(peer, wsi);
        break;
    case LWS_CALLBACK_CLOSED:
        while (peer->first) {
            message *next = peer->first->next;
            free(peer->first);
            peer->first = next;
        }
        break;
    default:
        break;
    }
    return 0;
}

int main(void)
{
    static const struct lws_protocols protocols[] = {
        {.name = "peer", .callback = callback,
         .per_session_data_size = sizeof(connection),
         .rx_buffer_size = MESSAGE_MAX},
        {.name = NULL},
    };
    struct lws_context_creation_info info = {
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS};
    struct lws_context_creation_info server = {
        .port = 0, .iface = "127.0.0.1", .protocols = protocols};
    lws_set_log_level(0, NULL);
    struct lws_context *context = lws_create_context(&info);
    struct lws_vhost *vhost = context ? lws_create_vhost(context, &server)
                                      : NULL;
    if (!vhost)
        return 1;
    printf("ws://127.0.0.1:%d/devtools/browser/peer\n",
           lws_get_vhost_listen_port(vhost));
    fflush(stdout);
    while (lws_service(context, 0) >= 0)
        ;
    return 0;
}
