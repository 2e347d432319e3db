/* SPDX-License-Identifier: Apache-2.0 */
/* Where a tab's main frame is and what is under way in it, from the events of
 * Page and Network. The loader id names a navigation in all of them, and is
 * the request id of its document. */
#include "browser/internal.h"

#include <string.h>

#define REDIRECTS_MAX 64
/* A requested navigation that has not begun by then never will: the page
 * withdrew it, or it was no navigation (javascript:). */
#define BEGIN_MS 500

static void free_visit(aper__visit *visit)
{
    aper__dealloc(visit->url);
    aper__dealloc(visit->error);
    aper__dealloc(visit->blocked);
    for (size_t i = 0; i < visit->redirect_count; i++)
        aper__dealloc(visit->redirects[i]);
    aper__dealloc(visit->redirects);
}

void aper__place_free(aper__place *place)
{
    for (size_t i = 0; i < place->visit_count; i++)
        free_visit(&place->visits[i]);
    aper__dealloc(place->url);
    aper__dealloc(place->unreachable);
}

static void set_loader(char out[APER__LOADER_MAX], const char *loader_id)
{
    size_t length = strnlen(loader_id, APER__LOADER_MAX - 1);
    memcpy(out, loader_id, length);
    out[length] = '\0';
}

/* Ids are kept cut, and compared so. */
static bool is_loader(const char *kept, const char *loader_id)
{
    return strncmp(kept, loader_id, APER__LOADER_MAX - 1) == 0;
}

aper__visit *aper__place_find(aper__place *place, const char *loader_id)
{
    for (size_t i = place->visit_count; i-- > 0;) {
        if (is_loader(place->visits[i].loader_id, loader_id))
            return &place->visits[i];
    }
    return NULL;
}

bool aper__place_is_pending(const aper__place *place)
{
    return place->active[0] != '\0' || aper__now_ms() < place->soon_ms;
}

/* url may be NULL: no memory for it. */
static aper__visit *begin_visit(aper__place *place, const char *loader_id,
                                const char *url)
{
    aper__visit *found = aper__place_find(place, loader_id);
    if (found != NULL)
        return found;
    aper__visit visit = { .url = aper__address_without_user(url) };
    set_loader(visit.loader_id, loader_id);
    if (place->visit_count == APER__VISITS) {
        free_visit(&place->visits[0]);
        memmove(&place->visits[0], &place->visits[1],
                (APER__VISITS - 1) * sizeof(visit));
        place->visit_count--;
    }
    place->visits[place->visit_count] = visit;
    return &place->visits[place->visit_count++];
}

static void add_redirect(aper__visit *visit, const char *url)
{
    if (visit->redirect_count >= REDIRECTS_MAX)
        return;
    char **grown = aper__realloc(
        visit->redirects, (visit->redirect_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return;
    visit->redirects = grown;
    char *copy = aper__address_without_user(url);
    if (copy != NULL)
        grown[visit->redirect_count++] = copy;
}

/* ---- Page ---------------------------------------------------------------- */

static char *frame_url(json_t *frame)
{
    aper__buf url = { 0 };
    aper__buf_puts(&url, aper__json_string(frame, "url"));
    aper__buf_puts(&url, aper__json_string(frame, "urlFragment"));
    char *whole = aper__buf_take(&url);
    char *shown = whole != NULL ? aper__address_without_user(whole) : NULL;
    aper__dealloc(whole);
    return shown;
}

static void set_document(aper_tab *tab, json_t *frame)
{
    aper__place *place = &tab->place;
    char *url = frame_url(frame);
    set_loader(place->loader_id, aper__json_string(frame, "loaderId"));
    aper__text_set(&place->unreachable,
                   aper__json_string(frame, "unreachableUrl"));
    aper__text_set(&place->url, url != NULL ? url : "");
    aper__dealloc(url);
}

void aper__place_adopt(aper_tab *tab, json_t *frame)
{
    if (tab->place.commits == 0)
        set_document(tab, frame);
}

static void post_navigated(aper_tab *tab)
{
    if (tab->announced)
        aper__events_post(tab->browser,
                          aper__event_new(APER_EVENT_TAB_NAVIGATED, tab->id,
                                          tab->place.url));
}

static void on_commit(aper_tab *tab, aper__session *session, json_t *params)
{
    aper__place *place = &tab->place;
    set_document(tab, aper__json_get(params, "frame"));
    bool restored = strcmp(aper__json_string(params, "type"),
                           "BackForwardCacheRestore") == 0;
    place->dom_ready = place->loaded = place->stopped = restored;
    place->soon_ms = 0;
    if (strcmp(place->active, place->loader_id) == 0 || restored)
        place->active[0] = '\0';
    begin_visit(place, place->loader_id, place->url)->committed = true;
    place->commits++;
    tab->counts.navigations++;
    tab->crashed = false;
    /* What the old document had under way is nobody's any more. */
    aper__tab_request_ended(tab, session->id, NULL);
    post_navigated(tab);
    aper__policy_on_commit(
        tab, aper__json_string(aper__json_get(params, "frame"), "url"));
}

static void on_move(aper_tab *tab, json_t *params)
{
    aper__place *place = &tab->place;
    char *url = aper__address_without_user(aper__json_string(params, "url"));
    if (url != NULL)
        aper__text_set(&place->url, url);
    aper__dealloc(url);
    aper__visit *visit = aper__place_find(place, place->active);
    if (visit != NULL && visit->moves) {
        visit->committed = true;
        place->active[0] = '\0';
    }
    place->soon_ms = 0;
    place->moves++;
    tab->counts.same_document++;
    post_navigated(tab);
    aper__policy_on_commit(tab, aper__json_string(params, "url"));
}

static void on_started(aper_tab *tab, json_t *params)
{
    aper__place *place = &tab->place;
    const char *loader = aper__json_string(params, "loaderId");
    aper__visit *visit = begin_visit(place, loader,
                                     aper__json_string(params, "url"));
    visit->moves = strstr(aper__json_string(params, "navigationType"),
                          "ameDocument") != NULL;
    set_loader(place->active, loader);
    place->soon_ms = 0;
    tab->counts.navigations_started++;
}

static void on_requested(aper_tab *tab, json_t *params)
{
    const char *where = aper__json_string(params, "disposition");
    if (where[0] != '\0' && strcmp(where, "currentTab") != 0)
        return;
    if (aper__json_number(params, "delay", 0) > 0)
        return;
    tab->place.soon_ms = aper__now_ms() + BEGIN_MS;
    tab->counts.navigations_started++;
}

static void on_lifecycle(aper_tab *tab, json_t *params)
{
    aper__place *place = &tab->place;
    if (!is_loader(place->loader_id, aper__json_string(params, "loaderId")))
        return;
    const char *name = aper__json_string(params, "name");
    if (strcmp(name, "DOMContentLoaded") == 0)
        place->dom_ready = true;
    else if (strcmp(name, "load") == 0)
        place->dom_ready = place->loaded = true;
}

void aper__place_on_page(aper_tab *tab, aper__session *session,
                         const char *method, json_t *params)
{
    const char *name = method + strlen("Page.");
    if (strcmp(name, "frameNavigated") == 0) {
        json_t *frame = aper__json_get(params, "frame");
        if (strcmp(aper__json_string(frame, "id"), tab->id) == 0)
            on_commit(tab, session, params);
    } else if (strcmp(aper__json_string(params, "frameId"), tab->id) != 0) {
        return;
    } else if (strcmp(name, "navigatedWithinDocument") == 0) {
        on_move(tab, params);
    } else if (strcmp(name, "frameStartedNavigating") == 0) {
        on_started(tab, params);
    } else if (strcmp(name, "frameRequestedNavigation") == 0
               || strcmp(name, "frameScheduledNavigation") == 0) {
        on_requested(tab, params);
    } else if (strcmp(name, "lifecycleEvent") == 0) {
        on_lifecycle(tab, params);
    } else if (strcmp(name, "frameStoppedLoading") == 0) {
        tab->place.stopped = true;
        tab->place.active[0] = '\0';
    } else {
        return;
    }
    aper__tab_wake(tab);
}

/* ---- Network ------------------------------------------------------------- */

static bool is_waited_for(json_t *params)
{
    /* Endless, or no text that a page shows: icons and prefetches are Other,
     * and many an image is a beacon. */
    static const char *const others[] = {
        "WebSocket", "EventSource", "Ping", "CSPViolationReport", "Media",
        "Image", "Font", "TextTrack", "Manifest", "Preflight", "Prefetch",
        "SignedExchange", "Other"
    };
    const char *type = aper__json_string(params, "type");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(type, others[i]) == 0)
            return false;
    }
    json_t *request = aper__json_get(params, "request");
    const char *url = aper__json_string(request, "url");
    return strncmp(url, "data:", 5) != 0 && strncmp(url, "blob:", 5) != 0;
}

static void on_request(aper_tab *tab, aper__session *session, json_t *params)
{
    const char *id = aper__json_string(params, "requestId");
    if (is_waited_for(params))
        aper__tab_request_began(
            tab, session->id, id,
            aper__json_string(aper__json_get(params, "request"), "url"));
    if (strcmp(id, aper__json_string(params, "loaderId")) != 0
        || strcmp(aper__json_string(params, "frameId"), tab->id) != 0)
        return;
    char *url = frame_url(aper__json_get(params, "request"));
    aper__visit *visit = begin_visit(&tab->place, id, url);
    json_t *redirect = aper__json_get(params, "redirectResponse");
    if (redirect != NULL) {
        add_redirect(visit, aper__json_string(redirect, "url"));
        aper__text_set(&visit->url, url);
    }
    aper__dealloc(url);
}

static void on_response(aper_tab *tab, aper__session *session, json_t *params)
{
    json_t *response = aper__json_get(params, "response");
    const char *id = aper__json_string(params, "requestId");
    /* fetch() can read an event stream as well. */
    if (strcmp(aper__json_string(response, "mimeType"), "text/event-stream")
        == 0)
        aper__tab_request_ended(tab, session->id, id);
    else
        aper__tab_request_heard(tab, session->id, id);
    aper__visit *visit = aper__place_find(&tab->place, id);
    if (visit != NULL)
        visit->http_status = (uint32_t)aper__json_int(response, "status", 0);
    aper__policy_on_response(tab, aper__json_string(response, "url"),
                             aper__json_string(response, "remoteIPAddress"));
}

static void on_failed(aper_tab *tab, aper__session *session, json_t *params)
{
    aper__place *place = &tab->place;
    const char *id = aper__json_string(params, "requestId");
    aper__tab_request_ended(tab, session->id, id);
    aper__visit *visit = aper__place_find(place, id);
    if (visit == NULL || visit->committed)
        return;
    aper__text_set(&visit->error, aper__json_string(params, "errorText"));
    visit->ended = true;
    place->ends++;
    if (is_loader(place->active, id))
        place->active[0] = '\0';
    aper__tab_wake(tab);
}

void aper__place_on_network(aper_tab *tab, aper__session *session,
                            const char *method, json_t *params)
{
    const char *name = method + strlen("Network.");
    if (strcmp(name, "requestWillBeSent") == 0)
        on_request(tab, session, params);
    else if (strcmp(name, "responseReceived") == 0)
        on_response(tab, session, params);
    else if (strcmp(name, "dataReceived") == 0)
        aper__tab_request_heard(tab, session->id,
                                aper__json_string(params, "requestId"));
    else if (strcmp(name, "loadingFinished") == 0)
        aper__tab_request_ended(tab, session->id,
                                aper__json_string(params, "requestId"));
    else if (strcmp(name, "loadingFailed") == 0)
        on_failed(tab, session, params);
}
