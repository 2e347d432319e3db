/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a tab handle, and operations on it. */
#include "browser/internal.h"

#include <string.h>

#define TABS_MAX 4096

/* ---- memory -------------------------------------------------------------- */

static bool init_texts(aper_tab *tab, const char *id, const char *opener_id)
{
    struct {
        char **text;
        const char *value;
    } texts[] = {
        { &tab->id, id },
        { &tab->opener_id, opener_id },
        { &tab->title, "" },
        { &tab->target_url, "" },
        { &tab->session, "" },
        { &tab->dialog_session, "" },
        { &tab->place.url, "" },
        { &tab->place.unreachable, "" },
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        *texts[i].text = aper__strdup(texts[i].value);
        if (*texts[i].text == NULL)
            return false;
    }
    return true;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        aper__dealloc(texts[i]);
    aper__dealloc(texts);
}

static void free_tab(aper_tab *tab)
{
    for (size_t i = 0; i < APER__SLOTS; i++) {
        if (tab->slots[i].free_value != NULL && tab->slots[i].value != NULL)
            tab->slots[i].free_value(tab->slots[i].value);
    }
    aper__log_free(tab);
    aper__emulate_free(tab);
    aper__frames_free(tab->frames, tab->frame_count);
    aper__place_free(&tab->place);
    aper_dialog_unref(tab->dialog);
    aper_dialog_unref(tab->last_dialog);
    free_texts(tab->popups, tab->popup_count);
    free_texts(tab->downloads, tab->download_count);
    aper__tab_request_ended(tab, NULL, NULL);
    aper__dealloc(tab->requests);
    aper__dealloc(tab->id);
    aper__dealloc(tab->opener_id);
    aper__dealloc(tab->title);
    aper__dealloc(tab->target_url);
    aper__dealloc(tab->session);
    aper__dealloc(tab->dialog_session);
    aper__dealloc(tab);
}

aper_tab *aper__tab_new(aper_browser *browser, const char *id,
                        const char *opener_id)
{
    size_t count = 0;
    aper_tab **link = &browser->tabs;
    while (*link != NULL) {
        link = &(*link)->next;
        count++;
    }
    aper_tab *tab = count < TABS_MAX ? aper__alloc(sizeof(*tab)) : NULL;
    if (tab == NULL)
        return NULL;
    if (!init_texts(tab, id, opener_id)) {
        free_tab(tab);
        return NULL;
    }
    tab->browser = browser;
    *link = tab;
    return tab;
}

aper_tab *aper__tab_find(aper_browser *browser, const char *id)
{
    aper_tab *tab = browser->tabs;
    while (tab != NULL && strcmp(tab->id, id) != 0)
        tab = tab->next;
    return tab;
}

void aper__tab_keep(aper_tab *tab)
{
    tab->holds++;
}

static void free_if_unused(aper_tab *tab)
{
    if (tab->closed && tab->holds == 0 && tab->handles == 0)
        free_tab(tab);
}

void aper__tab_drop(aper_tab *tab)
{
    tab->holds--;
    free_if_unused(tab);
}

void aper__tab_add_handle(aper_tab *tab)
{
    if (tab->handles++ == 0)
        tab->browser->handles++;
}

aper_tab *aper_tab_ref(aper_tab *tab)
{
    if (tab == NULL || aper__fork_check() != APER_OK)
        return tab;
    pthread_mutex_lock(&tab->browser->lock);
    aper__tab_add_handle(tab);
    pthread_mutex_unlock(&tab->browser->lock);
    return tab;
}

void aper_tab_unref(aper_tab *tab)
{
    if (tab == NULL || aper__fork_check() != APER_OK)
        return;
    aper_browser *browser = tab->browser;
    pthread_mutex_lock(&browser->lock);
    bool last = --tab->handles == 0;
    if (last)
        free_if_unused(tab);
    pthread_mutex_unlock(&browser->lock);
    if (last)
        aper_browser_unref(browser);
}

void aper__tab_end_life(aper_tab *tab)
{
    aper_browser *browser = tab->browser;
    aper_tab **link = &browser->tabs;
    while (*link != tab)
        link = &(*link)->next;
    *link = tab->next;
    tab->next = NULL;
    tab->closed = true;
    aper__targets_forget(tab);
    if (tab->announced)
        aper__events_post(browser, aper__event_new(APER_EVENT_TAB_CLOSED,
                                                   tab->id, tab->place.url));
    aper__tab_interrupt(tab, APER_E_CLOSED);
    free_if_unused(tab);
}

/* ---- operations ---------------------------------------------------------- */

void aper__tab_wake(aper_tab *tab)
{
    for (int i = 0; i < 2; i++) {
        for (aper__op *op = tab->ops[i].first; op != NULL; op = op->next)
            aper__op_wake(op);
    }
}

void aper__tab_interrupt(aper_tab *tab, aper_status status)
{
    int end = status == APER_E_DIALOG ? 1 : 2;
    for (int i = 0; i < end; i++) {
        for (aper__op *op = tab->ops[i].first; op != NULL; op = op->next)
            aper__op_interrupt(op, status);
    }
}

static aper_status check_state(const aper_tab *tab, unsigned flags)
{
    if (tab->browser->state != APER_OK)
        return tab->browser->state;
    if (tab->closed)
        return APER_E_CLOSED;
    if (tab->crashed && (flags & APER__WITH_CRASH) == 0)
        return APER_E_CRASHED;
    if (tab->dialog != NULL && (flags & APER__WITH_DIALOG) == 0)
        return APER_E_DIALOG;
    return APER_OK;
}

aper_status aper__tab_look(aper_tab *tab)
{
    if (tab == NULL)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    pthread_mutex_lock(&tab->browser->lock);
    status = check_state(tab, APER__WITH_DIALOG | APER__WITH_CRASH);
    if (status != APER_OK)
        pthread_mutex_unlock(&tab->browser->lock);
    return status;
}

aper_status aper__tab_begin_as(aper_tab *tab, aper__op *op,
                               uint32_t timeout_ms, unsigned flags,
                               aper_error **ret_error)
{
    if (tab == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "the tab is NULL");
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    aper_browser *browser = tab->browser;
    pthread_mutex_lock(&browser->lock);
    status = check_state(tab, flags);
    if (status == APER_OK) {
        aper__op_init(op, timeout_ms);
        aper__ops_add(&tab->ops[(flags & APER__WITH_DIALOG) != 0], op);
        aper__tab_keep(tab);
        browser->holds++;
    }
    pthread_mutex_unlock(&browser->lock);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    return status;
}

aper_status aper__tab_begin(aper_tab *tab, aper__op *op, uint32_t timeout_ms,
                            bool allow_dialog, aper_error **ret_error)
{
    return aper__tab_begin_as(tab, op, timeout_ms,
                              allow_dialog ? APER__WITH_DIALOG : 0, ret_error);
}

void aper__tab_end(aper_tab *tab, aper__op *op)
{
    aper_browser *browser = tab->browser;
    pthread_mutex_lock(&browser->lock);
    /* The first of a list has no predecessor to tell which list it is. */
    aper__ops *ops = &tab->ops[tab->ops[1].first == op];
    aper__ops_remove(ops, op);
    aper__tab_drop(tab);
    pthread_mutex_unlock(&browser->lock);
    aper__browser_drop(browser);
}

static void wake_next(aper_tab *tab)
{
    if (!tab->held && tab->waiters != NULL)
        aper__op_wake(tab->waiters->op);
}

void aper__tab_queue(aper_tab *tab, aper__waiter *waiter)
{
    aper__waiter **end = &tab->waiters;
    while (*end != NULL)
        end = &(*end)->next;
    waiter->next = NULL;
    *end = waiter;
}

void aper__tab_unqueue(aper_tab *tab, aper__waiter *waiter)
{
    aper__waiter **link = &tab->waiters;
    while (*link != NULL && *link != waiter)
        link = &(*link)->next;
    if (*link == NULL)
        return;
    *link = waiter->next;
    wake_next(tab);
}

static aper__waiter *find_waiter(aper_tab *tab, const aper__op *op)
{
    aper__waiter *waiter = tab->waiters;
    while (waiter != NULL && waiter->op != op)
        waiter = waiter->next;
    return waiter;
}

aper_status aper__tab_hold(aper_tab *tab, aper__op *op, aper_error **ret_error)
{
    aper__waiter own = { op, NULL };
    aper_status status = APER_OK;
    pthread_mutex_lock(&tab->browser->lock);
    aper__waiter *self = find_waiter(tab, op);
    if (self == NULL) {
        self = &own;
        aper__tab_queue(tab, self);
    }
    while (status == APER_OK && (tab->held || tab->waiters != self)) {
        uint32_t seen = aper__op_seen(op);
        pthread_mutex_unlock(&tab->browser->lock);
        status = aper__op_wait(op, seen);
        pthread_mutex_lock(&tab->browser->lock);
    }
    if (status == APER_OK)
        tab->held = true;
    aper__tab_unqueue(tab, self);
    pthread_mutex_unlock(&tab->browser->lock);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    return status;
}

void aper__tab_release(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    tab->held = false;
    wake_next(tab);
    pthread_mutex_unlock(&tab->browser->lock);
}

aper_status aper__tab_call(aper_tab *tab, aper__op *op, const char *method,
                           json_t *params, json_t **ret_result,
                           aper_error **ret_error)
{
    return aper__cdp_call(tab->browser->cdp, tab->session, method, params, op,
                          ret_result, ret_error);
}

/* ---- what it is ---------------------------------------------------------- */

const char *aper_tab_get_id(const aper_tab *tab)
{
    return tab != NULL ? tab->id : "";
}

aper_browser *aper_tab_get_browser(const aper_tab *tab)
{
    return tab != NULL ? tab->browser : NULL;
}

const char *aper__tab_session(const aper_tab *tab)
{
    return tab->session;
}

void aper__tab_document(aper_tab *tab, char *out, size_t size)
{
    pthread_mutex_lock(&tab->browser->lock);
    size_t length = strlen(tab->place.loader_id);
    if (length >= size)
        length = size - 1;
    memcpy(out, tab->place.loader_id, length);
    out[length] = '\0';
    pthread_mutex_unlock(&tab->browser->lock);
}

char *aper__tab_url(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    char *copy = aper__strdup(tab->place.url);
    pthread_mutex_unlock(&tab->browser->lock);
    return copy;
}

void *aper__tab_get_slot(aper_tab *tab, unsigned slot)
{
    pthread_mutex_lock(&tab->browser->lock);
    void *value = tab->slots[slot].value;
    pthread_mutex_unlock(&tab->browser->lock);
    return value;
}

void aper__tab_set_slot(aper_tab *tab, unsigned slot, void *value,
                        void (*free_value)(void *))
{
    pthread_mutex_lock(&tab->browser->lock);
    aper__slot old = tab->slots[slot];
    tab->slots[slot].value = value;
    tab->slots[slot].free_value = free_value;
    pthread_mutex_unlock(&tab->browser->lock);
    if (old.value != NULL && old.value != value && old.free_value != NULL)
        old.free_value(old.value);
}
