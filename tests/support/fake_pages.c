/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void send_json(fake_browser *fake, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text)
        abort();
    fake_browser_send_raw(fake, text, strlen(text) + 1);
    free(text);
    json_decref(message);
}

void fake_pages_tell(fake_browser *fake, const char *session,
                     const char *method, json_t *params)
{
    json_t *message = json_pack("{s:s,s:o}", "method", method, "params",
                                params);
    if (session)
        json_object_set_new(message, "sessionId", json_string(session));
    send_json(fake, message);
}

static void answer(fake_browser *fake, json_t *command, json_t *result)
{
    json_t *message = json_pack("{s:O,s:o}", "id",
                                json_object_get(command, "id"), "result",
                                result);
    json_t *session = json_object_get(command, "sessionId");
    if (session)
        json_object_set(message, "sessionId", session);
    send_json(fake, message);
}

static void refuse(fake_browser *fake, json_t *command)
{
    send_json(fake, json_pack("{s:O,s:{s:i,s:s}}", "id",
                              json_object_get(command, "id"), "error", "code",
                              -32000, "message", "No such target"));
}

static json_t *info(unsigned n)
{
    char id[16];
    snprintf(id, sizeof id, "T%u", n);
    return json_pack("{s:s,s:s,s:s,s:s,s:b,s:s}", "targetId", id, "type",
                     "page", "title", "", "url", "about:blank", "attached", 0,
                     "browserContextId", "C1");
}

static const char *param(json_t *command, const char *key)
{
    const char *text = json_string_value(
        json_object_get(json_object_get(command, "params"), key));
    return text ? text : "";
}

/* The number in an id such as "T12"; 0 for what is not open. */
static unsigned number_of(const fake_pages *pages, const char *id)
{
    unsigned n = id[0] ? (unsigned)strtoul(id + 1, NULL, 10) : 0;
    return n < 64 && pages->open[n] ? n : 0;
}

/* ---- targets ------------------------------------------------------------- */

static void create(fake_browser *fake, fake_pages *pages, json_t *command)
{
    char id[16];
    unsigned n = ++pages->made;
    if (n >= 64)
        abort();
    pages->open[n] = true;
    snprintf(id, sizeof id, "T%u", n);
    fake_pages_tell(fake, NULL, "Target.targetCreated",
                    json_pack("{s:o}", "targetInfo", info(n)));
    answer(fake, command, json_pack("{s:s}", "targetId", id));
}

static void attach(fake_browser *fake, unsigned n, json_t *command)
{
    char session[16];
    snprintf(session, sizeof session, "S%u", n);
    fake_pages_tell(fake, NULL, "Target.attachedToTarget",
                    json_pack("{s:s,s:o,s:b}", "sessionId", session,
                              "targetInfo", info(n), "waitingForDebugger", 0));
    answer(fake, command, json_pack("{s:s}", "sessionId", session));
}

static void close_target(fake_browser *fake, fake_pages *pages, unsigned n,
                         json_t *command)
{
    char id[16];
    char session[16];
    snprintf(id, sizeof id, "T%u", n);
    snprintf(session, sizeof session, "S%u", n);
    pages->open[n] = false;
    answer(fake, command, json_pack("{s:b}", "success", 1));
    fake_pages_tell(fake, NULL, "Target.detachedFromTarget",
                    json_pack("{s:s,s:s}", "sessionId", session, "targetId",
                              id));
    fake_pages_tell(fake, NULL, "Target.targetDestroyed",
                    json_pack("{s:s}", "targetId", id));
}

static json_t *list(const fake_pages *pages)
{
    json_t *infos = json_array();
    for (unsigned n = 1; n <= pages->made; n++) {
        if (pages->open[n])
            json_array_append_new(infos, info(n));
    }
    return json_pack("{s:o}", "targetInfos", infos);
}

static bool handle_target(fake_browser *fake, fake_pages *pages,
                          const char *method, json_t *command)
{
    unsigned n = number_of(pages, param(command, "targetId"));
    if (strcmp(method, "Target.createTarget") == 0)
        create(fake, pages, command);
    else if (strcmp(method, "Target.getTargets") == 0)
        answer(fake, command, list(pages));
    else if (!*param(command, "targetId"))
        return false;
    else if (n == 0)
        refuse(fake, command);
    else if (strcmp(method, "Target.attachToTarget") == 0)
        attach(fake, n, command);
    else if (strcmp(method, "Target.closeTarget") == 0)
        close_target(fake, pages, n, command);
    else if (strcmp(method, "Target.getTargetInfo") == 0)
        answer(fake, command, json_pack("{s:o}", "targetInfo", info(n)));
    else
        return false;
    return true;
}

/* ---- one page ------------------------------------------------------------ */

static json_t *frame(const char *id, const char *loader, const char *url)
{
    return json_pack("{s:s,s:s,s:s}", "id", id, "loaderId", loader, "url",
                     url);
}

static void lifecycle(fake_browser *fake, const char *session, const char *id,
                      const char *loader, const char *name)
{
    fake_pages_tell(fake, session, "Page.lifecycleEvent",
                    json_pack("{s:s,s:s,s:s}", "frameId", id, "loaderId",
                              loader, "name", name));
}

static void navigate(fake_browser *fake, fake_pages *pages, unsigned n,
                     json_t *command)
{
    char id[16];
    char session[16];
    char loader[16];
    const char *url = param(command, "url");
    snprintf(id, sizeof id, "T%u", n);
    snprintf(session, sizeof session, "S%u", n);
    snprintf(loader, sizeof loader, "L%u", ++pages->loads);
    fake_pages_tell(fake, session, "Page.frameStartedNavigating",
                    json_pack("{s:s,s:s,s:s,s:s}", "frameId", id, "loaderId",
                              loader, "url", url, "navigationType",
                              "differentDocument"));
    fake_pages_tell(fake, session, "Network.requestWillBeSent",
                    json_pack("{s:s,s:s,s:s,s:s,s:{s:s,s:s}}", "requestId",
                              loader, "loaderId", loader, "frameId", id,
                              "type", "Document", "request", "url", url,
                              "method", "GET"));
    fake_pages_tell(fake, session, "Network.responseReceived",
                    json_pack("{s:s,s:{s:s,s:i,s:s}}", "requestId", loader,
                              "response", "url", url, "status", 200,
                              "mimeType", "text/html"));
    answer(fake, command, json_pack("{s:s,s:s}", "frameId", id, "loaderId",
                                    loader));
    fake_pages_tell(fake, session, "Page.frameNavigated",
                    json_pack("{s:o,s:s}", "frame", frame(id, loader, url),
                              "type", "Navigation"));
    lifecycle(fake, session, id, loader, "DOMContentLoaded");
    fake_pages_tell(fake, session, "Network.loadingFinished",
                    json_pack("{s:s}", "requestId", loader));
    lifecycle(fake, session, id, loader, "load");
    fake_pages_tell(fake, session, "Page.frameStoppedLoading",
                    json_pack("{s:s}", "frameId", id));
}

static bool handle_page(fake_browser *fake, fake_pages *pages,
                        const char *method, json_t *command)
{
    const char *session = json_string_value(
        json_object_get(command, "sessionId"));
    unsigned n = session ? number_of(pages, session) : 0;
    char id[16];
    if (n == 0)
        return false;
    snprintf(id, sizeof id, "T%u", n);
    if (strcmp(method, "Page.navigate") == 0) {
        navigate(fake, pages, n, command);
    } else if (strcmp(method, "Page.getFrameTree") == 0) {
        answer(fake, command,
               json_pack("{s:{s:o}}", "frameTree", "frame",
                         frame(id, "L0", "about:blank")));
    } else if (strcmp(method, "Page.handleJavaScriptDialog") == 0) {
        answer(fake, command, json_object());
        fake_pages_tell(fake, session, "Page.javascriptDialogClosed",
                        json_pack("{s:b}", "result", 1));
    } else {
        return false;
    }
    return true;
}

void fake_pages_dialog(fake_browser *fake, unsigned n, const char *type)
{
    char session[16];
    snprintf(session, sizeof session, "S%u", n);
    fake_pages_tell(fake, session, "Page.javascriptDialogOpening",
                    json_pack("{s:s,s:s,s:s,s:s}", "type", type, "message",
                              "Really?", "url", "http://fake.test/",
                              "defaultPrompt", ""));
}

void fake_pages_handle(fake_browser *fake, json_t *command, void *userdata)
{
    fake_pages *pages = userdata;
    const char *method = json_string_value(json_object_get(command, "method"));
    if (handle_target(fake, pages, method, command)
        || handle_page(fake, pages, method, command))
        return;
    if (strcmp(method, "Browser.getVersion") == 0)
        answer(fake, command, json_pack("{s:s}", "product", "Fake/1.0"));
    else
        answer(fake, command, json_object());
}
