/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a browser handle, and operations on it. */
#include "browser/internal.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#define CLOSE_TABS_MS 1500
#define CLOSE_GRACE_MS 2500

bool aper__text_set(char **text, const char *value)
{
    char *copy = aper__strdup(value);
    if (copy == NULL) {
        if (*text != NULL)
            **text = '\0';
        return false;
    }
    aper__dealloc(*text);
    *text = copy;
    return true;
}

/* ---- operations ---------------------------------------------------------- */

void aper__ops_add(aper__ops *ops, aper__op *op)
{
    op->prev = NULL;
    op->next = ops->first;
    if (op->next != NULL)
        op->next->prev = op;
    ops->first = op;
}

void aper__ops_remove(aper__ops *ops, aper__op *op)
{
    if (op->prev != NULL)
        op->prev->next = op->next;
    else if (ops->first == op)
        ops->first = op->next;
    if (op->next != NULL)
        op->next->prev = op->prev;
    op->next = op->prev = NULL;
}

aper_status aper__browser_begin(aper_browser *browser, aper__op *op,
                                uint32_t timeout_ms, aper_error **ret_error)
{
    if (browser == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "the browser is NULL");
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    pthread_mutex_lock(&browser->lock);
    status = browser->state;
    if (status == APER_OK) {
        aper__op_init(op, timeout_ms);
        aper__ops_add(&browser->ops, op);
        browser->holds++;
    }
    pthread_mutex_unlock(&browser->lock);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    return status;
}

void aper__browser_end(aper_browser *browser, aper__op *op)
{
    pthread_mutex_lock(&browser->lock);
    aper__ops_remove(&browser->ops, op);
    pthread_mutex_unlock(&browser->lock);
    aper__browser_drop(browser);
}

aper_status aper__browser_call(aper_browser *browser, aper__op *op,
                               const char *method, json_t *params,
                               json_t **ret_result, aper_error **ret_error)
{
    return aper__cdp_call(browser->cdp, "", method, params, op, ret_result,
                          ret_error);
}

void aper__browser_post(aper_browser *browser, const char *session,
                        const char *method, json_t *params)
{
    aper__browser_note_sent(browser, aper__cdp_send(browser->cdp, session,
                                                    method, params, 0, NULL,
                                                    NULL));
}

void aper__browser_note_sent(aper_browser *browser, aper_status status)
{
    if (status == APER_E_NOMEM || status == APER_E_BUSY)
        browser->unsent++;
}

void aper__browser_post_or_fail(aper_browser *browser, const char *session,
                                const char *method, json_t *params)
{
    size_t unsent = browser->unsent;
    aper__browser_post(browser, session, method, params);
    if (browser->unsent != unsent)
        aper__browser_fail(browser, APER_E_NOMEM);
}

aper__cdp *aper__browser_cdp(aper_browser *browser)
{
    return browser->cdp;
}

bool aper__browser_allows_eval(const aper_browser *browser)
{
    return browser->allow_eval;
}

/* ---- making and freeing -------------------------------------------------- */

static void free_session(void *value)
{
    aper__session *session = value;
    aper__dealloc(session->id);
    aper__dealloc(session->target_id);
    aper__dealloc(session->type);
    aper__dealloc(session->parent_id);
    aper__dealloc(session);
}

static void free_browser(aper_browser *browser)
{
    while (browser->tabs != NULL)
        aper__tab_end_life(browser->tabs);
    aper__events_destroy(browser);
    aper__map_free(browser->sessions, free_session);
    aper__downloads_free(browser);
    aper__cdp_unref(browser->cdp);
    aper__launch_free(browser->launch);
    aper__policy_free(&browser->policy);
    aper__dealloc(browser->version);
    aper__dealloc(browser->endpoint);
    pthread_cond_destroy(&browser->changed);
    pthread_mutex_destroy(&browser->lock);
    aper__dealloc(browser);
}

void aper__browser_keep(aper_browser *browser)
{
    browser->holds++;
}

void aper__browser_drop(aper_browser *browser)
{
    pthread_mutex_lock(&browser->lock);
    bool last = --browser->holds == 0;
    pthread_mutex_unlock(&browser->lock);
    if (last)
        free_browser(browser);
}

static aper_browser *new_browser(bool allow_eval, aper_error **ret_error)
{
    aper_browser *browser = aper__alloc(sizeof(*browser));
    if (browser == NULL)
        goto nomem;
    browser->sessions = aper__map_new();
    browser->version = aper__strdup("");
    browser->endpoint = aper__strdup("");
    if (browser->sessions == NULL || browser->version == NULL
        || browser->endpoint == NULL
        || aper__events_init(&browser->events) != APER_OK)
        goto nomem;
    pthread_mutex_init(&browser->lock, NULL);
    pthread_cond_init(&browser->changed, NULL);
    browser->handles = 1;
    browser->holds = 1;
    browser->allow_eval = allow_eval;
    unsigned char mark[sizeof(browser->print_mark) / 2];
    randombytes_buf(mark, sizeof(mark));
    aper__hex(browser->print_mark, mark, sizeof(mark));
    return browser;
nomem:
    if (browser != NULL) {
        aper__map_free(browser->sessions, NULL);
        aper__dealloc(browser->version);
        aper__dealloc(browser->endpoint);
        aper__dealloc(browser);
    }
    aper__error_set(ret_error, APER_E_NOMEM, "no memory for a browser");
    return NULL;
}

/* ---- connecting ---------------------------------------------------------- */

/* Pages are held before their first script, so that policy and dialogs are in
 * place; the browser's own surfaces are none of our business. */
static json_t *auto_attach_params(void)
{
    return json_pack("{s:b,s:b,s:b,s:[{s:s,s:b},{s:s,s:b},{s:s,s:b},{}]}",
                     "autoAttach", 1, "waitForDebuggerOnStart", 1, "flatten",
                     1, "filter", "type", "browser", "exclude", 1, "type",
                     "tab", "exclude", 1, "type", "browser_ui", "exclude", 1);
}

static aper_status finish_start(aper_browser *browser, aper__op *op,
                                aper__cdp_pending *pending[3], size_t count,
                                aper_error **ret_error)
{
    aper_status status = APER_OK;
    for (size_t i = 0; i < count; i++) {
        json_t *result = NULL;
        aper_status each = aper__cdp_finish(
            pending[i], &result, status == APER_OK ? ret_error : NULL);
        if (status == APER_OK)
            status = each;
        if (i == 0 && each == APER_OK) {
            pthread_mutex_lock(&browser->lock);
            aper__text_set(&browser->version,
                           aper__json_string(result, "product"));
            pthread_mutex_unlock(&browser->lock);
        }
        json_decref(result);
    }
    (void)op;
    return status;
}

/* Learns what there is. A browser that somebody else started is only listened
 * to: its tabs may be frozen, and attaching to them is felt. */
static aper_status start_session(aper_browser *browser, aper__op *op,
                                 aper_error **ret_error)
{
    static const char *const methods[] = {
        "Browser.getVersion", "Target.setDiscoverTargets",
        "Target.setAutoAttach"
    };
    aper__cdp_pending *pending[3];
    size_t want = browser->launch != NULL ? 3 : 2;
    size_t count = 0;
    aper_status status = APER_OK;
    while (count < want && status == APER_OK) {
        json_t *params = NULL;
        if (count == 1)
            params = json_pack("{s:b,s:[{}]}", "discover", 1, "filter");
        else if (count == 2)
            params = auto_attach_params();
        status = aper__cdp_begin(browser->cdp, "", methods[count], params, op,
                                 &pending[count], ret_error);
        if (status == APER_OK)
            count++;
    }
    aper_status finished = finish_start(
        browser, op, pending, count, status == APER_OK ? ret_error : NULL);
    if (status == APER_OK)
        status = finished;
    if (status == APER_OK)
        status = aper__downloads_begin(browser, op, ret_error);
    pthread_mutex_lock(&browser->lock);
    browser->discovered = true;
    pthread_mutex_unlock(&browser->lock);
    return status;
}

static aper_status connect_to(aper_browser *browser,
                              const aper__cdp_target *target, aper__op *op,
                              aper_error **ret_error)
{
    aper__cdp *cdp = NULL;
    aper_status status = aper__cdp_open(target, &aper__dispatch_events,
                                        browser, op, &cdp, ret_error);
    if (status != APER_OK)
        return status;
    pthread_mutex_lock(&browser->lock);
    browser->cdp = cdp;
    pthread_mutex_unlock(&browser->lock);
    return start_session(browser, op, ret_error);
}

/* Also undoes a half-made browser. */
static aper_status finish_open(aper_browser *browser, aper__op *op,
                               aper_status status, aper_browser **ret_browser)
{
    pthread_mutex_lock(&browser->lock);
    aper__ops_remove(&browser->ops, op);
    pthread_mutex_unlock(&browser->lock);
    if (status == APER_OK)
        *ret_browser = browser;
    else
        aper_browser_unref(browser);
    return status;
}

static aper_status start_open(bool allow_eval, uint32_t timeout_ms,
                              aper__op *op, aper_browser **ret_browser,
                              aper_error **ret_error)
{
    aper_status status = aper__fork_claim();
    if (status != APER_OK)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    aper_browser *browser = new_browser(allow_eval, ret_error);
    if (browser == NULL)
        return APER_E_NOMEM;
    aper__pool_acquire();
    aper__op_init(op, timeout_ms != 0 ? timeout_ms : APER__LONG_TIMEOUT_MS);
    aper__ops_add(&browser->ops, op);
    *ret_browser = browser;
    return APER_OK;
}

static aper_status launch(aper_browser *browser,
                          const aper_launch_options *options, aper__op *op,
                          aper_error **ret_error)
{
    aper_status status = aper__launch_start(options, op, &browser->launch,
                                            ret_error);
    if (status != APER_OK)
        return status;
    const char *endpoint = aper__launch_endpoint(browser->launch);
    aper__wire_target address = {
        .url = endpoint, .connect_timeout_ms = aper__op_left_ms(op) };
    aper__cdp_target target = { .pipe_fd = -1 };
    if (endpoint == NULL) {
        target.pipe_fd = aper__launch_take_pipe(browser->launch);
    } else {
        aper__text_set(&browser->endpoint, endpoint);
        target.websocket = &address;
    }
    status = connect_to(browser, &target, op, ret_error);
    /* Over a pipe, this is where a browser that cannot run is noticed. */
    if (status != APER_OK)
        status = aper__launch_explain(browser->launch, status, ret_error);
    return status;
}

aper_status aper_browser_launch(const aper_launch_options *options,
                                aper_browser **ret_browser,
                                aper_error **ret_error)
{
    aper_launch_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (ret_browser == NULL)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "ret_browser is NULL");
    aper__op op;
    aper_browser *browser;
    status = start_open(copy.allow_eval != 0, copy.timeout_ms, &op, &browser,
                        ret_error);
    if (status != APER_OK)
        return status;
    browser->proxied = copy.proxy != NULL
        && strcmp(copy.proxy, "direct://") != 0;
    status = launch(browser, &copy, &op, ret_error);
    return finish_open(browser, &op, status, ret_browser);
}

aper_status aper_browser_attach(const char *endpoint,
                                const aper_attach_options *options,
                                aper_browser **ret_browser,
                                aper_error **ret_error)
{
    aper_attach_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (endpoint == NULL || ret_browser == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "%s is NULL",
                               endpoint == NULL ? "endpoint" : "ret_browser");
    aper__op op;
    aper_browser *browser;
    status = start_open(copy.allow_eval != 0, copy.timeout_ms, &op, &browser,
                        ret_error);
    if (status != APER_OK)
        return status;
    aper__wire_target address = { .headers = copy.headers,
                                  .bearer_token = copy.bearer_token,
                                  .ca_file = copy.ca_file,
                                  .connect_timeout_ms = aper__op_left_ms(&op) };
    aper__cdp_target target = { .websocket = &address, .pipe_fd = -1 };
    char *url = NULL;
    status = aper__discover(endpoint, &address, &op, &url, ret_error);
    if (status == APER_OK) {
        address.url = url;
        address.connect_timeout_ms = aper__op_left_ms(&op);
        aper__text_set(&browser->endpoint, url);
        status = connect_to(browser, &target, &op, ret_error);
    }
    aper__dealloc(url);
    return finish_open(browser, &op, status, ret_browser);
}

aper_status aper__browser_open_pipe(int fd, uint32_t timeout_ms,
                                    aper_browser **ret_browser,
                                    aper_error **ret_error)
{
    aper__cdp_target target = { .pipe_fd = fd };
    aper__op op;
    aper_browser *browser;
    aper_status status = start_open(true, timeout_ms, &op, &browser,
                                    ret_error);
    if (status != APER_OK) {
        close(fd);
        return status;
    }
    status = connect_to(browser, &target, &op, ret_error);
    return finish_open(browser, &op, status, ret_browser);
}

/* ---- the end ------------------------------------------------------------- */

static void interrupt_all(aper_browser *browser, aper_status why)
{
    for (aper__op *op = browser->ops.first; op != NULL; op = op->next)
        aper__op_interrupt(op, why);
    for (aper_tab *tab = browser->tabs; tab != NULL; tab = tab->next)
        aper__tab_interrupt(tab, why);
}

void aper__browser_fail(aper_browser *browser, aper_status why)
{
    if (browser->state != APER_OK)
        return;
    browser->state = why;
    interrupt_all(browser, why);
    aper__jobs_end_queued(browser, why);
    aper__events_finish(browser);
}

/* Tabs that this connection opened go with it; all are asked at once. */
static void close_own_tabs(aper_browser *browser, aper__op *op)
{
    aper__cdp_pending *last = NULL;
    pthread_mutex_lock(&browser->lock);
    for (aper_tab *tab = browser->tabs; tab != NULL; tab = tab->next) {
        if (!tab->own)
            continue;
        tab->closing = true;
        aper__browser_post(browser, "", "Target.closeTarget",
                           json_pack("{s:s}", "targetId", tab->id));
    }
    aper_status status = aper__cdp_begin(browser->cdp, "",
                                         "Browser.getVersion", NULL, op, &last,
                                         NULL);
    pthread_mutex_unlock(&browser->lock);
    if (status == APER_OK)
        aper__cdp_finish(last, NULL, NULL);
}

static void close_connection(aper_browser *browser)
{
    aper__op op;
    aper__op_init(&op, CLOSE_TABS_MS);
    if (browser->launch != NULL)
        aper__browser_post(browser, "", "Browser.close", NULL);
    else
        close_own_tabs(browser, &op);
    if (browser->launch != NULL)
        aper__launch_stop(browser->launch, CLOSE_GRACE_MS);
    aper__cdp_shutdown(browser->cdp);
}

void aper_browser_close(aper_browser *browser)
{
    if (browser == NULL || aper__fork_check() != APER_OK)
        return;
    pthread_mutex_lock(&browser->lock);
    if (browser->closing) {
        while (!browser->closed)
            pthread_cond_wait(&browser->changed, &browser->lock);
        pthread_mutex_unlock(&browser->lock);
        return;
    }
    browser->closing = true;
    aper__browser_fail(browser, APER_E_CLOSED);
    while (browser->task_count > 0)
        pthread_cond_wait(&browser->changed, &browser->lock);
    pthread_mutex_unlock(&browser->lock);
    if (browser->cdp != NULL) {
        aper__downloads_stop(browser);
        close_connection(browser);
    } else if (browser->launch != NULL) {
        aper__launch_stop(browser->launch, 0);
    }
    aper__downloads_clean(browser);
    aper__pool_release();
    pthread_mutex_lock(&browser->lock);
    browser->closed = true;
    pthread_cond_broadcast(&browser->changed);
    pthread_mutex_unlock(&browser->lock);
}

aper_browser *aper_browser_ref(aper_browser *browser)
{
    if (browser == NULL || aper__fork_check() != APER_OK)
        return browser;
    pthread_mutex_lock(&browser->lock);
    browser->handles++;
    pthread_mutex_unlock(&browser->lock);
    return browser;
}

void aper_browser_unref(aper_browser *browser)
{
    if (browser == NULL || aper__fork_check() != APER_OK)
        return;
    pthread_mutex_lock(&browser->lock);
    bool last = --browser->handles == 0;
    pthread_mutex_unlock(&browser->lock);
    if (!last)
        return;
    aper_browser_close(browser);
    aper__browser_drop(browser);
}

/* ---- what it is ---------------------------------------------------------- */

const char *aper_browser_get_version(const aper_browser *browser)
{
    return browser != NULL ? browser->version : "";
}

int64_t aper_browser_get_pid(const aper_browser *browser)
{
    if (browser == NULL || browser->launch == NULL)
        return 0;
    return aper__launch_pid(browser->launch);
}

const char *aper_browser_get_endpoint(const aper_browser *browser)
{
    return browser != NULL ? browser->endpoint : "";
}

aper_status aper_browser_get_state(const aper_browser *browser)
{
    if (browser == NULL)
        return APER_E_INVAL;
    aper_status status = aper__fork_check();
    if (status != APER_OK)
        return status;
    aper_browser *live = (aper_browser *)browser;
    pthread_mutex_lock(&live->lock);
    status = live->state;
    pthread_mutex_unlock(&live->lock);
    return status;
}
