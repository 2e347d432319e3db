/* SPDX-License-Identifier: Apache-2.0 */
/* What pages wrote and loaded, in two bounded rings per tab. A ring takes
 * memory as it fills, so a tab that is silent costs nothing. */
#include "browser/internal.h"

#include <string.h>

#define ENTRIES_MAX 500
#define BYTES_MAX ((size_t)512 * 1024) /* of a ring's texts */
#define TEXT_MAX 2048 /* code points, and a quarter of the bytes looked at */
#define SOURCE_MAX 512
#define PENDING_MAX 512

/* Immutable and counted: rings and logs share it. */
typedef struct entry {
    aper__refs refs;
    uint32_t http_status;
    uint64_t sequence;
    int64_t time_ms;
    size_t bytes;
    const char *level;
    const char *text;
    const char *source;
    const char *net_error;
    char strings[];
} entry;

typedef struct ring {
    entry **entries; /* circular */
    size_t capacity;
    size_t first;
    size_t count;
    size_t bytes;
    uint64_t last; /* sequence number */
} ring;

/* A request that has not ended. */
typedef struct request {
    struct request *next;
    uint32_t http_status;
    char *session;
    char *id;
    char *method;
    char *url;
    char *type;
    char *net_error;
} request;

struct aper__log_rings {
    ring console;
    ring network;
    request *pending; /* oldest first */
    size_t pending_count;
};

struct aper_log {
    aper__refs refs;
    size_t count;
    uint64_t dropped;
    entry *entries[];
};

/* ---- entries ------------------------------------------------------------- */

static void unref_entry(entry *each)
{
    if (aper__unref(&each->refs))
        aper__dealloc(each);
}

static const char *put(char **to, const char *text)
{
    size_t size = strlen(text) + 1;
    char *start = memcpy(*to, text, size);
    *to += size;
    return start;
}

static entry *new_entry(const char *level, const char *text,
                        const char *source, const char *net_error)
{
    size_t bytes = sizeof(entry) + strlen(level) + strlen(text)
        + strlen(source) + strlen(net_error) + 4;
    entry *added = aper__alloc(bytes);
    if (added == NULL)
        return NULL;
    atomic_init(&added->refs, 1);
    added->bytes = bytes;
    added->time_ms = aper__wall_ms();
    char *to = added->strings;
    added->level = put(&to, level);
    added->text = put(&to, text);
    added->source = put(&to, source);
    added->net_error = put(&to, net_error);
    return added;
}

static void drop_first(ring *from)
{
    entry *oldest = from->entries[from->first];
    from->first = (from->first + 1) % from->capacity;
    from->count--;
    from->bytes -= oldest->bytes;
    unref_entry(oldest);
}

static bool grow(ring *to)
{
    size_t capacity = to->capacity == 0 ? 8 : to->capacity * 2;
    if (capacity > ENTRIES_MAX)
        capacity = ENTRIES_MAX;
    entry **grown = aper__alloc(capacity * sizeof(entry *));
    if (grown == NULL)
        return false;
    for (size_t i = 0; i < to->count; i++)
        grown[i] = to->entries[(to->first + i) % to->capacity];
    aper__dealloc(to->entries);
    to->entries = grown;
    to->capacity = capacity;
    to->first = 0;
    return true;
}

/* Takes the entry. What cannot be kept is counted as dropped: its number is
 * used up. */
static void append(ring *to, entry *added)
{
    to->last++;
    if (added == NULL)
        return;
    added->sequence = to->last;
    while (to->count == ENTRIES_MAX
           || (to->count > 0 && to->bytes + added->bytes > BYTES_MAX))
        drop_first(to);
    if (to->count == to->capacity && !grow(to)) {
        if (to->count == 0) {
            unref_entry(added);
            return;
        }
        drop_first(to);
    }
    to->entries[(to->first + to->count) % to->capacity] = added;
    to->count++;
    to->bytes += added->bytes;
}

static void free_ring(ring *gone)
{
    while (gone->count > 0)
        drop_first(gone);
    aper__dealloc(gone->entries);
}

/* ---- texts --------------------------------------------------------------- */

/* One clean line of what a page wrote, which can be of any size. */
static void clean(aper__buf *out, const char *text, size_t max)
{
    size_t size = strlen(text);
    if (size > max * 4) {
        size = max * 4;
        while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80)
            size--;
    }
    aper__text_clean(out, text, size, max);
}

static char *clean_url(const char *url, size_t max)
{
    aper__buf out = { 0 };
    char *shown = aper__address_without_user(url);
    if (shown == NULL)
        return NULL;
    clean(&out, shown, max);
    aper__dealloc(shown);
    return aper__buf_take(&out);
}

/* ---- console ------------------------------------------------------------- */

static char *place_of(const char *url, int64_t line)
{
    char *clean_place = clean_url(url, SOURCE_MAX);
    if (clean_place == NULL || url[0] == '\0' || line < 1)
        return clean_place;
    aper__buf out = { 0 };
    aper__buf_printf(&out, "%s:%lld", clean_place, (long long)line);
    aper__dealloc(clean_place);
    return aper__buf_take(&out);
}

static void add_console(aper_tab *tab, const char *level, const char *text,
                        const char *url, int64_t line)
{
    static const char *const levels[] = { "error", "warning", "info", "log",
                                          "debug" };
    const char *known = "debug"; /* "verbose", and what is new */
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (strcmp(level, levels[i]) == 0)
            known = levels[i];
    }
    if (strcmp(known, "error") == 0)
        tab->counts.console_errors++;
    aper__buf line_text = { 0 };
    clean(&line_text, text, TEXT_MAX);
    char *cleaned = aper__buf_take(&line_text);
    char *source = place_of(url, line);
    append(&tab->log->console, cleaned != NULL && source != NULL
               ? new_entry(known, cleaned, source, "") : NULL);
    aper__dealloc(cleaned);
    aper__dealloc(source);
}

static void on_console(aper_tab *tab, json_t *params)
{
    json_t *message = aper__json_get(params, "message");
    if (aper__dialog_on_console(tab, aper__json_string(message, "text")))
        return;
    add_console(tab, aper__json_string(message, "level"),
                aper__json_string(message, "text"),
                aper__json_string(message, "url"),
                aper__json_int(message, "line", 0));
}

/* What the browser says about the page. Failed requests are in the other
 * ring. */
static void on_browser_log(aper_tab *tab, json_t *params)
{
    json_t *message = aper__json_get(params, "entry");
    if (aper__json_string(message, "networkRequestId")[0] != '\0')
        return;
    add_console(tab, aper__json_string(message, "level"),
                aper__json_string(message, "text"),
                aper__json_string(message, "url"),
                aper__json_int(message, "lineNumber", -1) + 1);
}

/* ---- network ------------------------------------------------------------- */

static void free_request(request *gone)
{
    aper__dealloc(gone->session);
    aper__dealloc(gone->id);
    aper__dealloc(gone->method);
    aper__dealloc(gone->url);
    aper__dealloc(gone->type);
    aper__dealloc(gone->net_error);
    aper__dealloc(gone);
}

static request **find_request(aper__log_rings *rings, const char *session,
                              const char *id)
{
    request **link = &rings->pending;
    while (*link != NULL && (strcmp((*link)->id, id) != 0
                             || strcmp((*link)->session, session) != 0))
        link = &(*link)->next;
    return link;
}

static void remove_request(aper__log_rings *rings, request **link)
{
    request *gone = *link;
    *link = gone->next;
    rings->pending_count--;
    free_request(gone);
}

/* error NULL: it did not fail. */
static void end_request(aper__log_rings *rings, request **link,
                        uint32_t http_status, const char *error)
{
    request *ended = *link;
    if (ended == NULL)
        return;
    if (error == NULL)
        error = ended->net_error != NULL ? ended->net_error : "";
    entry *added = new_entry(ended->method, ended->url, ended->type, error);
    if (added != NULL)
        added->http_status = http_status;
    append(&rings->network, added);
    remove_request(rings, link);
}

static void begin_request(aper__log_rings *rings, const char *session,
                          const char *id, const char *method, const char *url,
                          const char *type)
{
    request *added = aper__alloc(sizeof(*added));
    if (added == NULL)
        return;
    aper__buf verb = { 0 };
    clean(&verb, method, 32);
    added->session = aper__strdup(session);
    added->id = aper__strdup(id);
    added->method = aper__buf_take(&verb);
    added->url = clean_url(url, TEXT_MAX);
    added->type = aper__strndup(type, 64);
    if (added->session == NULL || added->id == NULL || added->method == NULL
        || added->url == NULL || added->type == NULL) {
        free_request(added);
        return;
    }
    /* Some never end: their page is gone, or they are streams. */
    if (rings->pending_count == PENDING_MAX)
        remove_request(rings, &rings->pending);
    request **end = &rings->pending;
    while (*end != NULL)
        end = &(*end)->next;
    *end = added;
    rings->pending_count++;
}

static uint32_t status_of(json_t *response)
{
    int64_t status = aper__json_int(response, "status", 0);
    return status > 0 && status < 1000 ? (uint32_t)status : 0;
}

static void on_request(aper__log_rings *rings, const char *session,
                       const char *id, json_t *params)
{
    json_t *redirect = aper__json_get(params, "redirectResponse");
    json_t *sent = aper__json_get(params, "request");
    request **earlier = find_request(rings, session, id);
    if (redirect != NULL)
        end_request(rings, earlier, status_of(redirect), NULL);
    else if (*earlier != NULL)
        remove_request(rings, earlier);
    begin_request(rings, session, id, aper__json_string(sent, "method"),
                  aper__json_string(sent, "url"),
                  aper__json_string(params, "type"));
}

/* The net:: error inside a sentence about a socket. */
static void note_socket_error(request *socket, const char *message)
{
    const char *name = strstr(message, "net::");
    size_t length = name != NULL
        ? strspn(name, "netABCDEFGHIJKLMNOPQRSTUVWXYZ_:0123456789") : 0;
    aper__dealloc(socket->net_error);
    socket->net_error = length > 0 ? aper__strndup(name, length)
                                   : aper__strdup("net::ERR_FAILED");
}

static void on_socket(aper__log_rings *rings, const char *session,
                      const char *id, const char *name, json_t *params)
{
    request **link = find_request(rings, session, id);
    if (strcmp(name, "Created") == 0)
        begin_request(rings, session, id, "GET",
                      aper__json_string(params, "url"), "WebSocket");
    else if (*link == NULL)
        return;
    else if (strcmp(name, "HandshakeResponseReceived") == 0)
        (*link)->http_status = status_of(aper__json_get(params, "response"));
    else if (strcmp(name, "FrameError") == 0)
        note_socket_error(*link, aper__json_string(params, "errorMessage"));
    else if (strcmp(name, "Closed") == 0)
        end_request(rings, link, (*link)->http_status, NULL);
}

static void on_network(aper_tab *tab, const char *session, const char *name,
                       json_t *params)
{
    aper__log_rings *rings = tab->log;
    const char *id = aper__json_string(params, "requestId");
    if (strcmp(name, "requestWillBeSent") == 0) {
        on_request(rings, session, id, params);
        return;
    }
    if (strncmp(name, "webSocket", 9) == 0) {
        on_socket(rings, session, id, name + 9, params);
        return;
    }
    request **link = find_request(rings, session, id);
    if (*link == NULL)
        return;
    if (strcmp(name, "responseReceived") == 0) {
        (*link)->http_status = status_of(aper__json_get(params, "response"));
    } else if (strcmp(name, "loadingFinished") == 0) {
        end_request(rings, link, (*link)->http_status, NULL);
    } else if (strcmp(name, "loadingFailed") == 0) {
        const char *error = aper__json_string(params, "errorText");
        end_request(rings, link, (*link)->http_status,
                    error[0] != '\0' ? error : "net::ERR_FAILED");
    }
}

void aper__log_on_event(aper_tab *tab, aper__session *session,
                        const char *method, json_t *params)
{
    if (tab->log == NULL)
        tab->log = aper__alloc(sizeof(*tab->log));
    if (tab->log == NULL)
        return;
    if (strcmp(method, "Console.messageAdded") == 0)
        on_console(tab, params);
    else if (strcmp(method, "Log.entryAdded") == 0)
        on_browser_log(tab, params);
    else if (strncmp(method, "Network.", 8) == 0)
        on_network(tab, session->id, method + 8, params);
}

void aper__log_free(aper_tab *tab)
{
    if (tab->log == NULL)
        return;
    free_ring(&tab->log->console);
    free_ring(&tab->log->network);
    while (tab->log->pending != NULL)
        remove_request(tab->log, &tab->log->pending);
    aper__dealloc(tab->log);
    tab->log = NULL;
}

/* ---- what the host sees -------------------------------------------------- */

static aper_status copy_ring(const ring *from, uint64_t after,
                             aper_log **ret_log)
{
    size_t skipped = 0;
    while (skipped < from->count
           && from->entries[(from->first + skipped) % from->capacity]->sequence
               <= after)
        skipped++;
    size_t count = from->count - skipped;
    aper_log *log = aper__alloc(sizeof(*log) + count * sizeof(entry *));
    if (log == NULL)
        return APER_E_NOMEM;
    atomic_init(&log->refs, 1);
    log->count = count;
    if (from->last > after)
        log->dropped = from->last - after - count;
    for (size_t i = 0; i < count; i++) {
        size_t at = (from->first + skipped + i) % from->capacity;
        log->entries[i] = from->entries[at];
        aper__ref(&log->entries[i]->refs);
    }
    *ret_log = log;
    return APER_OK;
}

static aper_status get_log(aper_tab *tab, bool network, uint64_t after,
                           aper_log **ret_log)
{
    static const ring empty;
    if (tab == NULL || ret_log == NULL)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    pthread_mutex_lock(&tab->browser->lock);
    const ring *from = &empty;
    if (tab->log != NULL)
        from = network ? &tab->log->network : &tab->log->console;
    status = copy_ring(from, after, ret_log);
    pthread_mutex_unlock(&tab->browser->lock);
    return status;
}

aper_status aper_tab_get_console(aper_tab *tab, uint64_t after,
                                 aper_log **ret_log)
{
    return get_log(tab, false, after, ret_log);
}

aper_status aper_tab_get_network(aper_tab *tab, uint64_t after,
                                 aper_log **ret_log)
{
    return get_log(tab, true, after, ret_log);
}

size_t aper_log_get_count(const aper_log *log)
{
    return log != NULL ? log->count : 0;
}

uint64_t aper_log_get_dropped(const aper_log *log)
{
    return log != NULL ? log->dropped : 0;
}

static const entry *at(const aper_log *log, size_t index)
{
    return log != NULL && index < log->count ? log->entries[index] : NULL;
}

uint64_t aper_log_get_sequence(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->sequence : 0;
}

int64_t aper_log_get_time_ms(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->time_ms : 0;
}

const char *aper_log_get_level(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->level : NULL;
}

const char *aper_log_get_text(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->text : NULL;
}

const char *aper_log_get_source(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->source : NULL;
}

uint32_t aper_log_get_http_status(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->http_status : 0;
}

const char *aper_log_get_net_error(const aper_log *log, size_t index)
{
    const entry *found = at(log, index);
    return found != NULL ? found->net_error : NULL;
}

aper_log *aper_log_ref(aper_log *log)
{
    if (log != NULL)
        aper__ref(&log->refs);
    return log;
}

void aper_log_unref(aper_log *log)
{
    if (log == NULL || !aper__unref(&log->refs))
        return;
    for (size_t i = 0; i < log->count; i++)
        unref_entry(log->entries[i]);
    aper__dealloc(log);
}
