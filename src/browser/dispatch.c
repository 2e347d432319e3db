/* SPDX-License-Identifier: Apache-2.0 */
/* Every event of the connection goes through here, on the I/O thread. */
#include "browser/internal.h"

#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The session fails before the lock is free: whoever hears of the crash may
 * navigate at once, which revives it. */
static void note_crash(aper_tab *tab)
{
    if (tab->crashed)
        return;
    tab->crashed = true;
    tab->place.soon_ms = 0;
    tab->place.active[0] = '\0';
    aper__tab_request_ended(tab, NULL, NULL);
    aper__dialog_on_closed(tab);
    aper__events_post(tab->browser,
                      aper__event_new(APER_EVENT_TAB_CRASHED, tab->id,
                                      tab->place.url));
    aper__tab_interrupt(tab, APER_E_CRASHED);
    aper__cdp_fail_session(tab->browser->cdp, tab->session, APER_E_CRASHED,
                           aper__op_reason(APER_E_CRASHED));
}

/* Somebody, perhaps the user, loaded the page again. */
static void note_recovery(aper_tab *tab)
{
    tab->crashed = false;
    aper__cdp_revive_session(tab->browser->cdp, tab->session);
}

static void on_page(aper_tab *tab, aper__session *session, const char *method,
                    json_t *params)
{
    if (strcmp(method, "Page.javascriptDialogOpening") == 0) {
        aper__dialog_on_opening(tab, session, params);
    } else if (strcmp(method, "Page.javascriptDialogClosed") == 0) {
        aper__dialog_on_closed(tab);
    } else {
        aper__emulate_on_page(tab, method, params);
        aper__frames_on_event(tab, session, method, params);
        aper__place_on_page(tab, session, method, params);
    }
}

static void on_tab_event(aper_tab *tab, aper__session *session,
                         const char *method, json_t *params)
{
    if (starts_with(method, "Page.")) {
        on_page(tab, session, method, params);
    } else if (starts_with(method, "Network.")) {
        aper__place_on_network(tab, session, method, params);
        aper__log_on_event(tab, session, method, params);
    } else if (starts_with(method, "Console.")
               || starts_with(method, "Log.")) {
        aper__log_on_event(tab, session, method, params);
    } else if (strcmp(session->id, tab->session) == 0) {
        if (strcmp(method, "Inspector.targetCrashed") == 0)
            note_crash(tab);
        else if (strcmp(method, "Inspector.targetReloadedAfterCrash") == 0)
            note_recovery(tab);
    }
}

static void on_browser_event(aper_browser *browser, const char *method,
                             json_t *params)
{
    if (starts_with(method, "Browser.download")) {
        aper__downloads_on_event(browser, method, params);
    } else if (strcmp(method, "Target.targetCrashed") == 0) {
        aper_tab *tab = aper__tab_find(
            browser, aper__json_string(params, "targetId"));
        if (tab != NULL && tab->session[0] != '\0')
            note_crash(tab);
    }
}

static void on_event(void *userdata, const char *session_id,
                     const char *method, json_t *params)
{
    aper_browser *browser = userdata;
    pthread_mutex_lock(&browser->lock);
    aper__session *session = aper__session_find(browser, session_id);
    aper__targets_catch_up(browser);
    if (starts_with(method, "Target."))
        aper__targets_on_event(browser, session_id, method, params);
    if (session_id[0] == '\0')
        on_browser_event(browser, method, params);
    else if (session != NULL && strcmp(method, "Fetch.requestPaused") == 0)
        aper__policy_on_paused(browser, session, params);
    else if (session != NULL && !starts_with(method, "Target.")
             && session->tab != NULL)
        on_tab_event(session->tab, session, method, params);
    pthread_mutex_unlock(&browser->lock);
}

static void on_closed(void *userdata, aper_status why, const char *detail)
{
    (void)detail;
    aper_browser *browser = userdata;
    pthread_mutex_lock(&browser->lock);
    aper__browser_fail(browser, why);
    pthread_mutex_unlock(&browser->lock);
}

const aper__cdp_events aper__dispatch_events = { on_event, on_closed };
