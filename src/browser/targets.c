/* SPDX-License-Identifier: Apache-2.0 */
/* What exists in the browser: page targets become tabs, sessions are made and
 * set up. A page of a launched browser is held by Chromium before its first
 * script until the set-up has been sent; the tab that opened it waits as long,
 * so everything here only sends. */
#include "browser/internal.h"

#include <string.h>

/* Far above what tabs, frames and workers of one browser come to. */
#define SESSIONS_MAX 16384

aper__session *aper__session_find(aper_browser *browser, const char *id)
{
    return aper__map_get(browser->sessions, id);
}

/* ---- setting a session up ------------------------------------------------ */

/* Names the session of a pending answer; the session may be gone by then. */
typedef struct pending_setup {
    aper_browser *browser;
    char session[];
} pending_setup;

static pending_setup *new_pending(aper_browser *browser, const char *session)
{
    size_t size = strlen(session) + 1;
    pending_setup *pending = aper__alloc(sizeof(*pending) + size);
    if (pending != NULL) {
        pending->browser = browser;
        memcpy(pending->session, session, size);
    }
    return pending;
}

static void on_frame_tree(void *userdata, aper_status status, json_t *result,
                          const char *message)
{
    (void)message;
    pending_setup *pending = userdata;
    aper_browser *browser = pending->browser;
    pthread_mutex_lock(&browser->lock);
    aper__session *session = aper__session_find(browser, pending->session);
    if (status == APER_OK && session != NULL && session->tab != NULL) {
        json_t *tree = aper__json_get(result, "frameTree");
        aper__frames_add_tree(session->tab, session, tree);
        if (strcmp(session->tab->session, session->id) == 0)
            aper__place_adopt(session->tab, aper__json_get(tree, "frame"));
    }
    pthread_mutex_unlock(&browser->lock);
    aper__dealloc(pending);
}

static void on_ready(void *userdata, aper_status status, json_t *result,
                     const char *message)
{
    (void)status;
    (void)result;
    (void)message;
    pending_setup *pending = userdata;
    aper_browser *browser = pending->browser;
    pthread_mutex_lock(&browser->lock);
    aper__session *session = aper__session_find(browser, pending->session);
    if (session != NULL && session->sent && session->tab != NULL
        && strcmp(session->tab->session, session->id) == 0) {
        session->tab->ready = true;
        aper__tab_wake(session->tab);
        for (aper__op *op = browser->ops.first; op != NULL; op = op->next)
            aper__op_wake(op);
    }
    pthread_mutex_unlock(&browser->lock);
    aper__dealloc(pending);
}

static void send_with_reply(aper_browser *browser, const char *session,
                            const char *method, aper__cdp_reply *reply)
{
    pending_setup *pending = new_pending(browser, session);
    aper_status status = APER_E_NOMEM;
    if (pending != NULL)
        status = aper__cdp_send(browser->cdp, session, method, NULL, 0, reply,
                                pending);
    if (status != APER_OK)
        aper__dealloc(pending);
    aper__browser_note_sent(browser, status);
}

static json_t *child_attach_params(void)
{
    return json_pack("{s:b,s:b,s:b}", "autoAttach", 1,
                     "waitForDebuggerOnStart", 1, "flatten", 1);
}

static bool is_document(const aper__session *session)
{
    return strcmp(session->type, "page") == 0
        || strcmp(session->type, "iframe") == 0;
}

static void set_up_document(aper_browser *browser, aper__session *session)
{
    const char *id = session->id;
    aper__browser_post(browser, id, "Page.enable", NULL);
    send_with_reply(browser, id, "Page.getFrameTree", on_frame_tree);
    aper__browser_post(browser, id, "Page.setLifecycleEventsEnabled",
                       json_pack("{s:b}", "enabled", 1));
    aper__browser_post(browser, id, "Console.enable", NULL);
    aper__browser_post(browser, id, "Log.enable", NULL);
    aper__dialog_watch_prints(browser, id);
    aper__browser_post(browser, id, "Inspector.enable", NULL);
    aper__browser_post(browser, id, "Target.setAutoAttach",
                       child_attach_params());
    aper__browser_post(browser, id, "Emulation.setFocusEmulationEnabled",
                       json_pack("{s:b}", "enabled", 1));
}

/* Everything on one round trip, in order; the last lets the target run. The
 * buffers of Network would keep bodies that nobody asks for. What cannot be
 * sent is sent again, all of it, when there may be memory for it: a target
 * must neither stay frozen nor run without what watches it. */
static void set_up(aper_browser *browser, aper__session *session)
{
    size_t unsent = browser->unsent;
    if (session->tab != NULL && is_document(session))
        set_up_document(browser, session);
    if (session->tab != NULL) {
        aper__browser_post(browser, session->id, "Network.enable",
                           json_pack("{s:i,s:i}", "maxTotalBufferSize", 0,
                                     "maxResourceBufferSize", 0));
        aper__emulate_apply(session->tab, session);
    }
    if (aper__policy_needs_fetch(&browser->policy))
        aper__policy_apply(browser, session);
    if (browser->unsent == unsent)
        send_with_reply(browser, session->id,
                        "Runtime.runIfWaitingForDebugger", on_ready);
    session->sent = browser->unsent == unsent;
    browser->behind |= !session->sent;
    /* Whoever waits for it tries again, or fails. */
    if (!session->sent && session->tab != NULL)
        aper__tab_wake(session->tab);
}

void aper__targets_catch_up(aper_browser *browser)
{
    size_t cursor = 0;
    const char *key;
    void *session;
    if (!browser->behind)
        return;
    browser->behind = false;
    while (aper__map_next(browser->sessions, &cursor, &key, &session)) {
        if (!((aper__session *)session)->sent)
            set_up(browser, session);
    }
}

void aper__targets_repair(aper_tab *tab, aper__session *session)
{
    session->sent = false;
    tab->browser->behind = true;
    aper__tab_wake(tab);
    if (strcmp(session->id, tab->session) == 0)
        tab->ready = false;
}

/* ---- tabs ---------------------------------------------------------------- */

bool aper__targets_is_page(json_t *info)
{
    return strcmp(aper__json_string(info, "type"), "page") == 0
        && aper__json_string(info, "subtype")[0] == '\0';
}

/* Pages of the browser itself are nobody's tabs. */
static bool is_hidden(const char *url)
{
    static const char *const schemes[] = { "devtools:", "chrome:",
                                           "chrome-extension:",
                                           "chrome-untrusted:" };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
            return strcmp(url, "chrome://newtab/") != 0;
    }
    return false;
}

bool aper__tab_is_listed(const aper_tab *tab)
{
    return tab->announced || !is_hidden(tab->target_url);
}

static void request_attach(aper_tab *tab)
{
    size_t unsent = tab->browser->unsent;
    if (tab->session[0] != '\0' || tab->attaching)
        return;
    aper__browser_post(tab->browser, "", "Target.attachToTarget",
                       json_pack("{s:s,s:b}", "targetId", tab->id, "flatten",
                                 1));
    tab->attaching = tab->browser->unsent == unsent;
}

static void announce(aper_tab *tab)
{
    if (tab->announced || !aper__tab_is_listed(tab))
        return;
    tab->announced = true;
    if (!tab->browser->discovered)
        return;
    aper_event *event = aper__event_new(APER_EVENT_TAB_OPENED, tab->id,
                                        tab->target_url);
    if (event != NULL)
        aper__text_set(&event->opener_id, tab->opener_id);
    aper__events_post(tab->browser, event);
}

static void update_tab(aper_tab *tab, json_t *info)
{
    const char *url = aper__json_string(info, "url");
    aper__text_set(&tab->title, aper__json_string(info, "title"));
    aper__text_set(&tab->target_url, url);
    if (tab->session[0] == '\0')
        aper__text_set(&tab->place.url, url);
}

aper_tab *aper__targets_add(aper_browser *browser, json_t *info)
{
    const char *id = aper__json_string(info, "targetId");
    if (id[0] == '\0' || !aper__targets_is_page(info))
        return NULL;
    aper_tab *tab = aper__tab_find(browser, id);
    if (tab != NULL) {
        update_tab(tab, info);
        return tab;
    }
    aper__downloads_on_context(browser,
                               aper__json_string(info, "browserContextId"));
    const char *opener_id = aper__json_string(info, "openerId");
    tab = aper__tab_new(browser, id, opener_id);
    if (tab == NULL) {
        aper__events_post(browser, NULL);
        return NULL;
    }
    update_tab(tab, info);
    aper_tab *opener = aper__tab_find(browser, opener_id);
    tab->own = browser->launch != NULL || (opener != NULL && opener->own);
    if (opener != NULL && opener != tab)
        aper__tab_note_popup(opener, id);
    announce(tab);
    /* The launched browser attaches by itself, before the page runs. */
    if (tab->own && browser->launch == NULL)
        request_attach(tab);
    return tab;
}

void aper__targets_refresh(aper_browser *browser, json_t *info)
{
    aper_tab *tab = aper__tab_find(browser,
                                   aper__json_string(info, "targetId"));
    if (tab == NULL)
        return;
    update_tab(tab, info);
    announce(tab);
}

/* ---- sessions ------------------------------------------------------------ */

static void free_session(aper__session *session)
{
    if (session == NULL)
        return;
    aper__dealloc(session->id);
    aper__dealloc(session->target_id);
    aper__dealloc(session->type);
    aper__dealloc(session->parent_id);
    aper__dealloc(session);
}

static aper__session *new_session(const char *parent, json_t *params)
{
    json_t *info = aper__json_get(params, "targetInfo");
    aper__session *session = aper__alloc(sizeof(*session));
    if (session == NULL)
        return NULL;
    session->id = aper__strdup(aper__json_string(params, "sessionId"));
    session->target_id = aper__strdup(aper__json_string(info, "targetId"));
    session->type = aper__strdup(aper__json_string(info, "type"));
    session->parent_id = aper__strdup(parent);
    if (session->id != NULL && session->target_id != NULL
        && session->type != NULL && session->parent_id != NULL)
        return session;
    free_session(session);
    return NULL;
}

/* Which tab the new session belongs to. */
static aper_tab *find_owner(aper_browser *browser, aper__session *session,
                            json_t *info)
{
    if (aper__targets_is_page(info)) {
        aper_tab *tab = aper__targets_add(browser, info);
        return tab != NULL && tab->session[0] == '\0' ? tab : NULL;
    }
    if (strcmp(session->type, "iframe") != 0
        && strcmp(session->type, "worker") != 0)
        return NULL;
    aper__session *parent = aper__session_find(browser, session->parent_id);
    return parent != NULL ? parent->tab : NULL;
}

/* There is no memory or no room for it. As nobody would watch it, it goes; whoever wants
 * the page attaches anew. */
static void refuse_session(aper_browser *browser, json_t *params)
{
    const char *id = aper__json_string(params, "sessionId");
    aper_tab *tab = aper__tab_find(
        browser, aper__json_string(aper__json_get(params, "targetInfo"),
                                   "targetId"));
    if (tab != NULL) {
        tab->attaching = false;
        aper__tab_wake(tab);
    }
    aper__browser_post(browser, id, "Runtime.runIfWaitingForDebugger", NULL);
    aper__browser_post(browser, "", "Target.detachFromTarget",
                       json_pack("{s:s}", "sessionId", id));
}

static void on_attached(aper_browser *browser, const char *parent,
                        json_t *params)
{
    aper__session *session = new_session(parent, params);
    void *old = NULL;
    if (session == NULL || session->id[0] == '\0'
        || aper__map_count(browser->sessions) >= SESSIONS_MAX
        || aper__map_set(browser->sessions, session->id, session, &old)
            != APER_OK) {
        free_session(session);
        refuse_session(browser, params);
        return;
    }
    free_session(old);
    json_t *info = aper__json_get(params, "targetInfo");
    session->tab = find_owner(browser, session, info);
    if (session->tab != NULL && aper__targets_is_page(info)) {
        session->tab->attaching = false;
        if (!aper__text_set(&session->tab->session, session->id)) {
            session->tab = NULL;
            refuse_session(browser, params);
        }
    } else if (session->tab != NULL) {
        aper__frames_set_session(session->tab, session->target_id,
                                 session->id);
    }
    set_up(browser, session);
}

static void on_detached(aper_browser *browser, json_t *params)
{
    aper__session *session = aper__map_remove(
        browser->sessions, aper__json_string(params, "sessionId"));
    if (session == NULL)
        return;
    aper_tab *tab = session->tab;
    if (tab != NULL) {
        aper__frames_drop_session(tab, session->id);
        aper__tab_request_ended(tab, session->id, NULL);
        if (strcmp(tab->dialog_session, session->id) == 0)
            aper__dialog_on_closed(tab);
        if (strcmp(tab->session, session->id) == 0)
            aper__tab_end_life(tab);
    }
    free_session(session);
}

/* Sessions outlive the tab by an event or two; they must not point to it. */
static void forget_tab(aper_browser *browser, const aper_tab *tab)
{
    size_t cursor = 0;
    const char *key;
    void *value;
    while (aper__map_next(browser->sessions, &cursor, &key, &value)) {
        aper__session *session = value;
        if (session->tab == tab)
            session->tab = NULL;
    }
}

void aper__targets_forget(aper_tab *tab)
{
    forget_tab(tab->browser, tab);
}

void aper__targets_on_event(aper_browser *browser, const char *session,
                            const char *method, json_t *params)
{
    const char *name = method + strlen("Target.");
    if (strcmp(name, "targetCreated") == 0) {
        aper__targets_add(browser, aper__json_get(params, "targetInfo"));
    } else if (strcmp(name, "targetInfoChanged") == 0) {
        aper__targets_refresh(browser,
                              aper__json_get(params, "targetInfo"));
    } else if (strcmp(name, "attachedToTarget") == 0) {
        on_attached(browser, session, params);
    } else if (strcmp(name, "detachedFromTarget") == 0) {
        on_detached(browser, params);
    } else if (strcmp(name, "targetDestroyed") == 0) {
        aper_tab *tab = aper__tab_find(
            browser, aper__json_string(params, "targetId"));
        if (tab != NULL)
            aper__tab_end_life(tab);
    }
}

/* ---- waiting for it ------------------------------------------------------ */

aper_status aper__targets_attach(aper_tab *tab, aper__op *op,
                                 aper_error **ret_error)
{
    aper_status status = APER_OK;
    while (status == APER_OK) {
        uint32_t seen = aper__op_seen(op);
        pthread_mutex_lock(&tab->browser->lock);
        size_t unsent = tab->browser->unsent;
        bool ready = tab->ready;
        if (tab->closed) {
            status = APER_E_CLOSED;
        } else if (!ready) {
            request_attach(tab);
            aper__targets_catch_up(tab->browser);
            if (tab->browser->unsent != unsent)
                status = APER_E_NOMEM;
        }
        pthread_mutex_unlock(&tab->browser->lock);
        if (ready || status != APER_OK)
            break;
        status = aper__op_wait(op, seen);
    }
    if (status != APER_OK)
        aper__error_set(ret_error, status, "the page did not let itself be "
                        "attached to: %s", aper__op_reason(status));
    return status;
}
