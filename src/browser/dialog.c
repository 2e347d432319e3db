/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript dialogs: reported, and answered by policy or by call. */
#include "browser/internal.h"

#include <stdio.h>
#include <string.h>

#define TEXT_MAX 2000 /* code points */

struct aper_dialog {
    aper__refs refs;
    uint32_t kind;
    char *text;
    char *origin;
    char *default_text;
};

static char *clean(const char *text)
{
    aper__buf out = { 0 };
    aper__text_clean(&out, text, strlen(text), TEXT_MAX);
    return aper__buf_take(&out);
}

/* scheme://host:port, or "null" as a page would see it. */
static char *origin_of(const char *url)
{
    const char *colon = strstr(url, "://");
    if (colon == NULL)
        return aper__strdup(url[0] != '\0' ? "null" : "");
    char *origin = aper__address_without_user(url);
    if (origin != NULL) {
        char *host = origin + (colon - url) + 3;
        host[strcspn(host, "/?#")] = '\0';
    }
    return origin;
}

aper_dialog *aper__dialog_new(uint32_t kind, const char *text,
                              const char *url, const char *default_text)
{
    aper_dialog *dialog = aper__alloc(sizeof(*dialog));
    if (dialog == NULL)
        return NULL;
    atomic_init(&dialog->refs, 1);
    dialog->kind = kind;
    dialog->text = clean(text);
    dialog->origin = origin_of(url);
    dialog->default_text = clean(default_text);
    if (dialog->text != NULL && dialog->origin != NULL
        && dialog->default_text != NULL)
        return dialog;
    aper_dialog_unref(dialog);
    return NULL;
}

static uint32_t kind_of(const char *type)
{
    if (strcmp(type, "confirm") == 0)
        return APER_DIALOG_CONFIRM;
    if (strcmp(type, "prompt") == 0)
        return APER_DIALOG_PROMPT;
    if (strcmp(type, "beforeunload") == 0)
        return APER_DIALOG_BEFOREUNLOAD;
    return APER_DIALOG_ALERT;
}

static uint32_t choose_answer(const aper_tab *tab, uint32_t kind)
{
    const aper__policy *policy = &tab->browser->policy;
    if (tab->closing)
        return APER_DIALOG_POLICY_ACCEPT;
    uint32_t chosen = policy->on_confirm;
    if (kind == APER_DIALOG_ALERT || kind == APER_DIALOG_PRINT)
        chosen = policy->on_alert;
    else if (kind == APER_DIALOG_BEFOREUNLOAD)
        chosen = policy->on_beforeunload;
    if (chosen != APER_DIALOG_POLICY_DEFAULT)
        return chosen;
    return kind == APER_DIALOG_ALERT ? APER_DIALOG_POLICY_ACCEPT
                                     : APER_DIALOG_POLICY_ASK;
}

static void post(aper_tab *tab, uint32_t kind, aper_dialog *dialog)
{
    aper_event *event = aper__event_new(kind, tab->id, tab->place.url);
    if (event != NULL)
        event->dialog = aper_dialog_ref(dialog);
    aper__events_post(tab->browser, event);
}

static void note(aper_tab *tab, aper_dialog *dialog)
{
    tab->counts.dialogs++;
    aper_dialog_unref(tab->last_dialog);
    tab->last_dialog = aper_dialog_ref(dialog);
    post(tab, APER_EVENT_DIALOG_OPENED, dialog);
}

static json_t *answer_params(bool accept, const char *text)
{
    if (text != NULL)
        return json_pack("{s:b,s:s}", "accept", accept, "promptText", text);
    return json_pack("{s:b}", "accept", accept);
}

void aper__dialog_on_opening(aper_tab *tab, aper__session *session,
                             json_t *params)
{
    /* A dialog of a frame is told to several sessions. */
    if (tab->dialog != NULL || tab->auto_answered)
        return;
    uint32_t kind = kind_of(aper__json_string(params, "type"));
    uint32_t answer = choose_answer(tab, kind);
    aper_dialog *dialog = aper__dialog_new(
        kind, aper__json_string(params, "message"),
        aper__json_string(params, "url"),
        aper__json_string(params, "defaultPrompt"));
    bool ask = answer == APER_DIALOG_POLICY_ASK && dialog != NULL
        && aper__text_set(&tab->dialog_session, session->id);
    if (!ask)
        aper__browser_post_or_fail(
            tab->browser, session->id, "Page.handleJavaScriptDialog",
            answer_params(answer == APER_DIALOG_POLICY_ACCEPT, NULL));
    if (dialog == NULL) {
        aper__events_post(tab->browser, NULL);
        return;
    }
    note(tab, dialog);
    if (ask) {
        tab->dialog = aper_dialog_ref(dialog);
        aper__tab_interrupt(tab, APER_E_DIALOG);
    }
    tab->auto_answered = !ask;
    aper_dialog_unref(dialog);
    aper__tab_wake(tab);
}

void aper__dialog_on_closed(aper_tab *tab)
{
    aper_dialog *dialog = tab->dialog;
    if (tab->auto_answered)
        dialog = aper_dialog_ref(tab->last_dialog);
    tab->dialog = NULL;
    tab->auto_answered = false;
    if (dialog != NULL)
        post(tab, APER_EVENT_DIALOG_CLOSED, dialog);
    aper_dialog_unref(dialog);
    aper__tab_wake(tab);
}

/* ---- printing ------------------------------------------------------------ */

/* The protocol has no event for it. Scripts of our own world see it, and what
 * they write on their console comes as an event at once, before the page is
 * held up by whatever the browser does to print. The mark is random and known
 * to no page. */
void aper__dialog_watch_prints(aper_browser *browser, const char *session)
{
    char script[256];
    snprintf(script, sizeof(script),
             "globalThis.__prints || (globalThis.__prints = true,"
             " addEventListener('beforeprint',"
             " () => console.debug('%s'), true));",
             browser->print_mark);
    aper__browser_post(browser, session,
                       "Page.addScriptToEvaluateOnNewDocument",
                       json_pack("{s:s,s:s,s:b}", "source", script,
                                 "worldName", APER__WORLD, "runImmediately",
                                 1));
}

bool aper__dialog_on_console(aper_tab *tab, const char *text)
{
    if (strcmp(text, tab->browser->print_mark) != 0)
        return false;
    if (tab->printing)
        return true;
    aper_dialog *dialog = aper__dialog_new(APER_DIALOG_PRINT, "",
                                           tab->place.url, "");
    if (dialog != NULL)
        note(tab, dialog);
    aper_dialog_unref(dialog);
    aper__tab_wake(tab);
    return true;
}

void aper__tab_set_printing(aper_tab *tab, bool printing)
{
    pthread_mutex_lock(&tab->browser->lock);
    tab->printing = printing;
    pthread_mutex_unlock(&tab->browser->lock);
}

aper_dialog *aper__tab_dialog(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    aper_dialog *dialog = aper_dialog_ref(tab->dialog);
    pthread_mutex_unlock(&tab->browser->lock);
    return dialog;
}

aper_dialog *aper__tab_last_dialog(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    aper_dialog *dialog = aper_dialog_ref(tab->last_dialog);
    pthread_mutex_unlock(&tab->browser->lock);
    return dialog;
}

/* ---- public -------------------------------------------------------------- */

aper_status aper_tab_get_dialog(aper_tab *tab, aper_dialog **ret_dialog)
{
    if (ret_dialog == NULL)
        return APER_E_INVAL;
    aper_status status = aper__tab_look(tab);
    if (status != APER_OK)
        return status;
    if (tab->dialog != NULL)
        *ret_dialog = aper_dialog_ref(tab->dialog);
    else
        status = APER_E_NO_DIALOG;
    pthread_mutex_unlock(&tab->browser->lock);
    return status;
}

static aper_status wait_closed(aper_tab *tab, aper__op *op,
                               const aper_dialog *dialog)
{
    aper_status status = APER_OK;
    while (status == APER_OK) {
        uint32_t seen = aper__op_seen(op);
        pthread_mutex_lock(&tab->browser->lock);
        bool open = tab->dialog == dialog;
        pthread_mutex_unlock(&tab->browser->lock);
        if (!open)
            break;
        status = aper__op_wait(op, seen);
    }
    return status;
}

static aper_status answer(aper_tab *tab, aper__op *op, aper_dialog *dialog,
                          const char *session, json_t *params,
                          aper_error **ret_error)
{
    if (dialog == NULL || session == NULL) {
        json_decref(params);
        return dialog == NULL
            ? aper__error_set(ret_error, APER_E_NO_DIALOG,
                              "no dialog is open in the tab")
            : aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    }
    aper_status status = aper__cdp_call(tab->browser->cdp, session,
                                        "Page.handleJavaScriptDialog", params,
                                        op, NULL, ret_error);
    if (status != APER_OK)
        return status;
    status = wait_closed(tab, op, dialog);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    return status;
}

aper_status aper_tab_answer_dialog(aper_tab *tab, int accept, const char *text,
                                   aper_error **ret_error)
{
    if (text != NULL && !aper__utf8_is_valid(text, strlen(text)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the text is not valid UTF-8");
    aper__op op;
    aper_status status = aper__tab_begin(tab, &op, APER__SHORT_TIMEOUT_MS,
                                         true, ret_error);
    if (status != APER_OK)
        return status;
    pthread_mutex_lock(&tab->browser->lock);
    aper_dialog *dialog = aper_dialog_ref(tab->dialog);
    char *session = aper__strdup(tab->dialog_session);
    pthread_mutex_unlock(&tab->browser->lock);
    status = answer(tab, &op, dialog, session,
                    answer_params(accept != 0, text), ret_error);
    aper__dealloc(session);
    aper_dialog_unref(dialog);
    aper__tab_end(tab, &op);
    return status;
}

uint32_t aper_dialog_get_kind(const aper_dialog *dialog)
{
    return dialog != NULL ? dialog->kind : 0;
}

const char *aper_dialog_get_text(const aper_dialog *dialog)
{
    return dialog != NULL ? dialog->text : "";
}

const char *aper_dialog_get_origin(const aper_dialog *dialog)
{
    return dialog != NULL ? dialog->origin : "";
}

const char *aper_dialog_get_default_text(const aper_dialog *dialog)
{
    return dialog != NULL ? dialog->default_text : "";
}

aper_dialog *aper_dialog_ref(aper_dialog *dialog)
{
    if (dialog != NULL)
        aper__ref(&dialog->refs);
    return dialog;
}

void aper_dialog_unref(aper_dialog *dialog)
{
    if (dialog == NULL || !aper__unref(&dialog->refs))
        return;
    aper__dealloc(dialog->text);
    aper__dealloc(dialog->origin);
    aper__dealloc(dialog->default_text);
    aper__dealloc(dialog);
}
