/* SPDX-License-Identifier: Apache-2.0 */
/* Closing tabs, and bringing them to the front. */
#include "browser/internal.h"

#include <string.h>

#define CLOSE_AGAIN_MS 500

static bool is_gone(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    bool closed = tab->closed;
    pthread_mutex_unlock(&tab->browser->lock);
    return closed;
}

/* A page that commits a navigation while it is asked to close stays, and says
 * nothing of it; so it is asked again. */
aper_status aper__tab_close_page(aper_tab *tab, aper__op *op,
                                 aper_error **ret_error)
{
    aper_status status = APER_OK;
    for (bool again = false;; again = true) {
        status = aper__browser_call(
            tab->browser, op, "Target.closeTarget",
            json_pack("{s:s}", "targetId", tab->id), NULL,
            again ? NULL : ret_error);
        if (status != APER_OK && !(again && status == APER_E_REMOTE))
            return status;
        int64_t until = aper__now_ms() + CLOSE_AGAIN_MS;
        do {
            uint32_t seen = aper__op_seen(op);
            if (is_gone(tab))
                return APER_OK;
            status = aper__op_wait_until(op, seen, until);
            if (status != APER_OK)
                return status;
        } while (aper__now_ms() < until);
    }
}

static bool is_closed_page(aper_tab *tab)
{
    if (tab == NULL || aper__fork_check() != APER_OK)
        return false;
    pthread_mutex_lock(&tab->browser->lock);
    bool closed = tab->closed && tab->browser->state == APER_OK;
    pthread_mutex_unlock(&tab->browser->lock);
    return closed;
}

/* Takes note that the page goes; false if it is not ours to close. */
static bool start_closing(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    bool own = tab->own;
    if (own)
        tab->closing = true;
    if (own && tab->dialog != NULL)
        aper__browser_post(tab->browser, tab->dialog_session,
                           "Page.handleJavaScriptDialog",
                           json_pack("{s:b}", "accept", 1));
    pthread_mutex_unlock(&tab->browser->lock);
    return own;
}

aper_status aper_tab_close(aper_tab *tab, aper_error **ret_error)
{
    if (is_closed_page(tab))
        return APER_OK;
    aper__op op;
    aper_error *error = NULL;
    aper_status status = aper__tab_begin_as(
        tab, &op, APER__SHORT_TIMEOUT_MS, APER__WITH_DIALOG | APER__WITH_CRASH,
        ret_error);
    if (status != APER_OK)
        return status;
    if (!start_closing(tab)) {
        aper__tab_end(tab, &op);
        return aper__error_set(ret_error, APER_E_FOREIGN,
                               "the tab was not opened through this "
                               "connection");
    }
    status = aper__tab_close_page(tab, &op, &error);
    if (is_closed_page(tab)) {
        aper_error_unref(error);
        error = NULL;
        status = APER_OK;
    }
    aper__tab_end(tab, &op);
    if (status != APER_OK && error == NULL)
        aper__error_set(&error, status, "%s", aper__op_reason(status));
    aper__error_give(ret_error, error);
    return status;
}

aper_status aper_tab_activate(aper_tab *tab, aper_error **ret_error)
{
    aper__op op;
    aper_status status = aper__tab_begin(tab, &op, APER__SHORT_TIMEOUT_MS,
                                         true, ret_error);
    if (status != APER_OK)
        return status;
    status = aper__browser_call(tab->browser, &op, "Target.activateTarget",
                                json_pack("{s:s}", "targetId", tab->id), NULL,
                                ret_error);
    aper__tab_end(tab, &op);
    return status;
}
