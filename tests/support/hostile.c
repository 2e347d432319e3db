/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include <stdio.h>
#include <string.h>

unsigned hostile_next(hostile *chance, unsigned limit)
{
    chance->state = chance->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance->state >> 33) % limit;
}

unsigned hostile_next_byte(hostile *chance, unsigned limit)
{
    if (chance->size == 0)
        return 0;
    chance->size--;
    return *chance->data++ % limit;
}

static unsigned pick(hostile *chance, unsigned limit)
{
    return chance->next(chance, limit);
}

/* ---- values ---------------------------------------------------------------- */

static json_t *name(hostile *chance, const char *letters)
{
    char text[16];
    char letter = letters[pick(chance, (unsigned)strlen(letters))];
    snprintf(text, sizeof text, "%c%u", letter, 1 + pick(chance, 6));
    return json_string(text);
}

static json_t *word(hostile *chance)
{
    static const char *const words[] = {
        "", "page", "iframe", "worker", "tab", "prerender", "Navigation",
        "BackForwardCacheRestore", "differentDocument", "sameDocument", "swap",
        "remove", "currentTab", "newTab", "load", "DOMContentLoaded",
        "Document", "Image", "WebSocket", "text/event-stream", "10.0.0.1",
        "http://fake.test/a?b#c", "about:blank", "chrome://settings/",
        "javascript:1", "data:text/html,x", "blob:null/1", "http://[::1", ":",
        "completed", "canceled", "inProgress", "confirm", "prompt",
        "beforeunload", "error", "warning", "net::ERR_ABORTED", "../../x",
        "\xe2\x80\xae\xf0\x9f\x98\x80", "GET"};
    return json_string(words[pick(chance, sizeof words / sizeof words[0])]);
}

static json_t *number(hostile *chance)
{
    static const double reals[] = {0, -1, 0.5, 200, 302, 404, 1e18, -1e18,
                                   1e300, -1e300, 4294967296.0, 1e-300};
    unsigned which = pick(chance, 13);
    if (which == 12)
        return json_integer(INT64_MIN + (int64_t)pick(chance, 2));
    if (pick(chance, 2))
        return json_real(reals[which]);
    return json_integer(which < 6 ? (json_int_t)reals[which] : INT64_MAX);
}

static json_t *long_text(hostile *chance)
{
    static char text[70000];
    size_t size = 1 + pick(chance, 255) * 270;
    memset(text, 'a' + (int)pick(chance, 26), size);
    text[size] = '\0';
    return json_string(text);
}

static json_t *object(hostile *chance, unsigned depth);

static json_t *value(hostile *chance, const char *letters, unsigned depth)
{
    switch (pick(chance, 12)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(pick(chance, 2));
    case 2:
        return number(chance);
    case 3:
        return pick(chance, 16) ? word(chance) : long_text(chance);
    case 4:
        return json_pack("[o,o]", word(chance), number(chance));
    case 5:
    case 6:
        return depth > 0 ? object(chance, depth - 1) : json_object();
    default:
        return letters ? name(chance, letters) : word(chance);
    }
}

/* ---- what is read ------------------------------------------------------------ */

static json_t *object(hostile *chance, unsigned depth)
{
    /* The key, and the letters of ids that it can hold, or NULL. */
    static const struct {
        const char *key;
        const char *letters;
    } fields[] = {
        {"targetInfo", NULL}, {"targetId", "T"}, {"sessionId", "S"},
        {"openerId", "T"}, {"browserContextId", "C"}, {"type", NULL},
        {"subtype", NULL}, {"url", NULL}, {"title", NULL},
        {"frame", NULL}, {"id", "TF"}, {"frameId", "TF"},
        {"parentId", "TF"}, {"parentFrameId", "TF"}, {"loaderId", "L"},
        {"requestId", "LR"}, {"networkId", "LR"}, {"unreachableUrl", NULL},
        {"urlFragment", NULL}, {"name", NULL}, {"reason", NULL},
        {"navigationType", NULL}, {"disposition", NULL}, {"delay", NULL},
        {"request", NULL}, {"response", NULL}, {"redirectResponse", NULL},
        {"status", NULL}, {"mimeType", NULL}, {"remoteIPAddress", NULL},
        {"errorText", NULL}, {"errorMessage", NULL}, {"method", NULL},
        {"message", NULL}, {"entry", NULL}, {"level", NULL}, {"text", NULL},
        {"line", NULL}, {"lineNumber", NULL}, {"networkRequestId", "R"},
        {"defaultPrompt", NULL}, {"guid", "G"}, {"suggestedFilename", NULL},
        {"receivedBytes", NULL}, {"state", NULL}, {"resourceType", NULL},
    };
    enum { COUNT = sizeof fields / sizeof fields[0] };
    json_t *made = json_object();
    for (unsigned i = 0; i < COUNT; i++) {
        if (pick(chance, 4) == 0)
            continue;
        json_t *in = value(chance, fields[i].letters, depth);
        json_object_set_new(made, fields[i].key, in);
    }
    return made;
}

/* With the object that the method tells about, most of the time. */
static json_t *params_of(hostile *chance, const char *method)
{
    static const char *const inner[] = {"targetInfo", "frame", "request",
                                        "response", "message", "entry"};
    json_t *params = object(chance, 0);
    for (unsigned i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        if (pick(chance, 8))
            json_object_set_new(params, inner[i], object(chance, 0));
    }
    json_t *info = json_object_get(params, "targetInfo");
    if (strncmp(method, "Target.", 7) == 0 && json_is_object(info)
        && pick(chance, 4)) {
        json_object_set_new(info, "type", json_string("page"));
        json_object_set_new(info, "subtype", json_string(""));
    }
    return params;
}

json_t *hostile_event(hostile *chance)
{
    static const char *const methods[] = {
        "Target.targetCreated", "Target.targetInfoChanged",
        "Target.attachedToTarget", "Target.attachedToTarget",
        "Target.detachedFromTarget", "Target.targetDestroyed",
        "Target.targetCrashed", "Target.receivedMessageFromTarget",
        "Page.frameAttached", "Page.frameNavigated", "Page.frameDetached",
        "Page.navigatedWithinDocument", "Page.frameStartedNavigating",
        "Page.frameRequestedNavigation", "Page.frameScheduledNavigation",
        "Page.lifecycleEvent", "Page.frameStoppedLoading",
        "Page.javascriptDialogOpening", "Page.javascriptDialogClosed",
        "Network.requestWillBeSent", "Network.responseReceived",
        "Network.loadingFinished", "Network.loadingFailed",
        "Network.webSocketCreated", "Network.webSocketClosed",
        "Network.webSocketHandshakeResponseReceived",
        "Network.webSocketFrameError", "Console.messageAdded",
        "Log.entryAdded", "Inspector.targetCrashed",
        "Inspector.targetReloadedAfterCrash", "Fetch.requestPaused",
        "Browser.downloadWillBegin", "Browser.downloadProgress",
        "Page.", "Target.", "Network.", "Browser.download", "No.such"};
    const char *method =
        methods[pick(chance, sizeof methods / sizeof methods[0])];
    json_t *message = json_pack("{s:s,s:o}", "method", method, "params",
                                params_of(chance, method));
    if (strncmp(method, "Target.", 7) != 0
        && strncmp(method, "Browser.", 8) != 0)
        json_object_set_new(message, "sessionId",
                            value(chance, "SSSSX", 0));
    else if (pick(chance, 8) == 0)
        json_object_set_new(message, "sessionId", value(chance, "S", 0));
    return message;
}
