/* SPDX-License-Identifier: Apache-2.0 */
/* Finding and opening tabs. */
#include "browser/internal.h"

#include <string.h>

#define UNDO_MS 2000

/* ---- find ---------------------------------------------------------------- */

/* Finds and keeps the tab, by asking if it was not heard of. */
static aper_status find(aper_browser *browser, aper__op *op, const char *id,
                        aper_tab **ret_tab, aper_error **ret_error)
{
    pthread_mutex_lock(&browser->lock);
    aper_tab *tab = aper__tab_find(browser, id);
    if (tab != NULL)
        aper__tab_keep(tab);
    pthread_mutex_unlock(&browser->lock);
    if (tab == NULL) {
        json_t *answer = NULL;
        aper_status status = aper__browser_call(
            browser, op, "Target.getTargetInfo",
            json_pack("{s:s}", "targetId", id), &answer, NULL);
        if (status == APER_OK) {
            json_t *info = aper__json_get(answer, "targetInfo");
            pthread_mutex_lock(&browser->lock);
            tab = aper__targets_add(browser, info);
            if (tab != NULL)
                aper__tab_keep(tab);
            else if (aper__targets_is_page(info))
                status = APER_E_NOMEM;
            pthread_mutex_unlock(&browser->lock);
        }
        json_decref(answer);
        if (status != APER_OK && status != APER_E_REMOTE)
            return aper__error_set(ret_error, status, "%s",
                                   aper__op_reason(status));
    }
    if (tab == NULL)
        return aper__error_set(ret_error, APER_E_NOT_FOUND,
                               "the browser has no tab with this id");
    *ret_tab = tab;
    return APER_OK;
}

/* While it waits for the tab, the operation is the tab's. */
static void move_op(aper_tab *tab, aper__op *op, bool to_tab)
{
    aper__ops *browser_ops = &tab->browser->ops;
    pthread_mutex_lock(&tab->browser->lock);
    aper__ops_remove(to_tab ? browser_ops : &tab->ops[0], op);
    aper__ops_add(to_tab ? &tab->ops[0] : browser_ops, op);
    if (to_tab && tab->closed)
        aper__op_interrupt(op, APER_E_CLOSED);
    pthread_mutex_unlock(&tab->browser->lock);
}

/* Turns what keeps the tab into a handle, or gives it up. */
static void hand_over(aper_tab *tab, aper_status status, aper_tab **ret_tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    if (status == APER_OK)
        aper__tab_add_handle(tab);
    aper__tab_drop(tab);
    pthread_mutex_unlock(&tab->browser->lock);
    if (status == APER_OK)
        *ret_tab = tab;
}

aper_status aper_browser_find_tab(aper_browser *browser, const char *id,
                                  aper_tab **ret_tab, aper_error **ret_error)
{
    if (id == NULL || ret_tab == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "%s is NULL",
                               id == NULL ? "id" : "ret_tab");
    if (!aper__utf8_is_valid(id, strlen(id)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the id is not valid UTF-8");
    aper__op op;
    aper_status status = aper__browser_begin(
        browser, &op, APER__SHORT_TIMEOUT_MS, ret_error);
    if (status != APER_OK)
        return status;
    aper_tab *tab = NULL;
    status = find(browser, &op, id, &tab, ret_error);
    if (status == APER_OK) {
        move_op(tab, &op, true);
        if (!tab->crashed)
            status = aper__targets_attach(tab, &op, ret_error);
        move_op(tab, &op, false);
        hand_over(tab, status, ret_tab);
    }
    aper__browser_end(browser, &op);
    return status;
}

/* ---- open ---------------------------------------------------------------- */

typedef struct open_request {
    char *url; /* NULL: blank */
    bool foreground;
    uint32_t until;
    uint32_t timeout_ms;
} open_request;

static void free_open_request(void *arg)
{
    open_request *request = arg;
    aper__dealloc(request->url);
    aper__dealloc(request);
}

/* A target that was asked for. Whoever comes last frees it: the answer, or the
 * call that waits for it. */
typedef struct creation {
    aper_browser *browser;
    aper__op *op; /* NULL: given up, so that the target has to go */
    bool answered;
    aper_status status;
    char *id;
    char *message;
} creation;

static void free_creation(creation *made)
{
    aper__dealloc(made->id);
    aper__dealloc(made->message);
    aper__dealloc(made);
}

/* Nobody will ever hear of it. */
static void drop_target(aper_browser *browser, const char *id)
{
    aper__browser_post(browser, "", "Target.closeTarget",
                       json_pack("{s:s}", "targetId", id));
}

static void on_created(void *userdata, aper_status status, json_t *result,
                       const char *message)
{
    creation *made = userdata;
    aper_browser *browser = made->browser;
    const char *id = aper__json_string(result, "targetId");
    pthread_mutex_lock(&browser->lock);
    if (status == APER_OK && made->op != NULL) {
        made->id = aper__strdup(id);
        status = made->id != NULL ? APER_OK : APER_E_NOMEM;
    }
    if (id[0] != '\0' && made->id == NULL)
        drop_target(browser, id);
    made->answered = true;
    made->status = status;
    made->message = aper__strdup(message);
    bool given_up = made->op == NULL;
    if (!given_up)
        aper__op_wake(made->op);
    pthread_mutex_unlock(&browser->lock);
    if (given_up)
        free_creation(made);
}

/* Waits for the answer; false if it is given up, and made with it. */
static bool wait_created(creation *made, aper__op *op, aper_status *ret_status)
{
    aper_browser *browser = made->browser;
    bool answered = false;
    *ret_status = APER_OK;
    while (!answered && *ret_status == APER_OK) {
        uint32_t seen = aper__op_seen(op);
        pthread_mutex_lock(&browser->lock);
        answered = made->answered;
        pthread_mutex_unlock(&browser->lock);
        if (!answered)
            *ret_status = aper__op_wait(op, seen);
    }
    if (answered)
        return true;
    pthread_mutex_lock(&browser->lock);
    answered = made->answered;
    if (!answered)
        made->op = NULL;
    pthread_mutex_unlock(&browser->lock);
    return answered;
}

/* Gives the id of a new target, to be freed. A target whose call was cancelled
 * or timed out is closed when it comes. */
static aper_status create_target(aper_browser *browser, aper__op *op,
                                 bool foreground, char **ret_id,
                                 aper_error **ret_error)
{
    static const char method[] = "Target.createTarget";
    creation *made = aper__alloc(sizeof(*made));
    aper_status status = made != NULL ? aper__op_check(op) : APER_E_NOMEM;
    if (status == APER_OK) {
        made->browser = browser;
        made->op = op;
        status = aper__cdp_send(
            browser->cdp, "", method,
            json_pack("{s:s,s:b}", "url", "about:blank", "background",
                      !foreground),
            0, on_created, made);
    }
    if (status != APER_OK) {
        aper__dealloc(made);
        return aper__error_set(ret_error, status, "%s: %s", method,
                               aper__op_reason(status));
    }
    if (!wait_created(made, op, &status))
        return aper__error_set(ret_error, status, "%s: %s", method,
                               aper__op_reason(status));
    status = made->status;
    if (status == APER_OK) {
        *ret_id = made->id;
        made->id = NULL;
    } else {
        aper__error_set_cdp(ret_error, status, method, 0,
                            made->message != NULL ? made->message : "");
    }
    free_creation(made);
    return status;
}

/* Creates the target and keeps its tab. */
static aper_status create(aper_browser *browser, aper__op *op,
                          const open_request *request, aper_tab **ret_tab,
                          aper_error **ret_error)
{
    char *id = NULL;
    aper_status status = create_target(browser, op, request->foreground, &id,
                                       ret_error);
    if (status != APER_OK)
        return status;
    status = find(browser, op, id, ret_tab, ret_error);
    pthread_mutex_lock(&browser->lock);
    if (status == APER_OK)
        (*ret_tab)->own = true;
    else
        drop_target(browser, id);
    pthread_mutex_unlock(&browser->lock);
    aper__dealloc(id);
    return status;
}

/* Nobody will ever hear of the tab, so it goes again, whatever ended op. */
static void undo_open(aper_tab *tab)
{
    aper__op op;
    if (aper__tab_begin_as(tab, &op, UNDO_MS,
                           APER__WITH_DIALOG | APER__WITH_CRASH, NULL)
        != APER_OK)
        return;
    pthread_mutex_lock(&tab->browser->lock);
    tab->closing = true;
    pthread_mutex_unlock(&tab->browser->lock);
    aper__tab_close_page(tab, &op, NULL);
    aper__tab_end(tab, &op);
}

/* *ret_tab is kept, without a handle. */
static aper_status open_tab(aper_browser *browser, aper__op *op,
                            const open_request *request, aper_tab **ret_tab,
                            aper_error **ret_error)
{
    aper_status status = APER_OK;
    if (request->url != NULL)
        status = aper__policy_check_url(browser, request->url, ret_error);
    aper_tab *tab = NULL;
    if (status == APER_OK)
        status = create(browser, op, request, &tab, ret_error);
    if (status != APER_OK)
        return status;
    move_op(tab, op, true);
    status = aper__targets_attach(tab, op, ret_error);
    if (status == APER_OK && request->url != NULL)
        status = aper__navigate_run(tab, op, request->url, request->until,
                                    ret_error);
    move_op(tab, op, false);
    if (status == APER_OK) {
        pthread_mutex_lock(&browser->lock);
        tab->skips_blank = request->url != NULL
            && strcmp(request->url, "about:blank") != 0;
        pthread_mutex_unlock(&browser->lock);
        *ret_tab = tab;
        return status;
    }
    undo_open(tab);
    pthread_mutex_lock(&browser->lock);
    aper__tab_drop(tab);
    pthread_mutex_unlock(&browser->lock);
    return status;
}

static aper_status check_open(const aper_open_options *options,
                              open_request *ret_request,
                              aper_error **ret_error)
{
    aper_open_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (copy.until > APER_UNTIL_DOM_READY)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "until is none of APER_UNTIL_*");
    ret_request->url = (char *)copy.url;
    ret_request->foreground = copy.foreground != 0;
    ret_request->until = copy.until;
    ret_request->timeout_ms = copy.timeout_ms != 0 ? copy.timeout_ms
                                                   : APER__LONG_TIMEOUT_MS;
    return APER_OK;
}

aper_status aper_tab_open(aper_browser *browser,
                          const aper_open_options *options, aper_tab **ret_tab,
                          aper_error **ret_error)
{
    open_request request;
    aper_status status = check_open(options, &request, ret_error);
    if (status != APER_OK)
        return status;
    if (ret_tab == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "ret_tab is NULL");
    aper__op op;
    status = aper__browser_begin(browser, &op, request.timeout_ms, ret_error);
    if (status != APER_OK)
        return status;
    aper_tab *tab = NULL;
    status = open_tab(browser, &op, &request, &tab, ret_error);
    if (status == APER_OK)
        hand_over(tab, status, ret_tab);
    aper__browser_end(browser, &op);
    return status;
}

static void unref_tab(void *object)
{
    aper_tab_unref(object);
}

static aper_status run_open(void *arg, aper_browser *browser, aper_tab *none,
                            aper__op *op, aper__result *ret_result,
                            aper_error **ret_error)
{
    (void)none;
    aper_tab *tab = NULL;
    aper_status status = open_tab(browser, op, arg, &tab, ret_error);
    if (status == APER_OK) {
        ret_result->kind = APER__RESULT_TAB;
        ret_result->object = tab;
        ret_result->unref = unref_tab;
    }
    return status;
}

aper_status aper_tab_open_start(aper_browser *browser,
                                const aper_open_options *options, uint64_t tag,
                                aper_error **ret_error)
{
    if (browser == NULL)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the browser is NULL");
    open_request checked;
    aper_status status = check_open(options, &checked, ret_error);
    if (status != APER_OK)
        return status;
    open_request *copy = aper__alloc(sizeof(*copy));
    if (copy == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    *copy = checked;
    copy->url = aper__strdup(checked.url);
    if (checked.url != NULL && copy->url == NULL) {
        free_open_request(copy);
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    }
    aper__job job = { .run = run_open,
                      .free_arg = free_open_request,
                      .arg = copy,
                      .timeout_ms = copy->timeout_ms };
    return aper__browser_start(browser, NULL, tag, &job, ret_error);
}
