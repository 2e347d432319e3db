/* SPDX-License-Identifier: Apache-2.0 */
#include "page/internal.h"

#include <string.h>

/* null tells that the world has no script yet. */
#define CALL \
    "function (name, argument) {" \
    " return typeof globalThis.__aperture === 'function' ?" \
    " globalThis.__aperture(name, argument) : null; }"

static void free_state(void *memory)
{
    aper__page_state *state = memory;
    pthread_mutex_destroy(&state->lock);
    for (size_t i = 0; i < state->frame_count; i++) {
        aper__page_frame *frame = state->frames[i];
        aper__dealloc(frame->frame_id);
        aper__dealloc(frame->session);
        aper__dealloc(frame->path);
        aper__view_clear(&frame->view);
        json_decref(frame->unread);
        aper__dealloc(frame);
    }
    aper__dealloc(state->refs);
    aper__dealloc(state->frame_refs);
    aper__dealloc(state);
}

aper__page_state *aper__page_get_state(aper_tab *tab)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&making);
    aper__page_state *state = aper__tab_get_slot(tab, APER__SLOT_PAGE);
    if (!state && (state = aper__alloc(sizeof *state))) {
        pthread_mutex_init(&state->lock, NULL);
        state->frames[0] = aper__alloc(sizeof *state->frames[0]);
        state->frame_count = state->frames[0] ? 1 : 0;
    }
    if (state && !state->frame_count) {
        free_state(state);
        state = NULL;
    } else if (state) {
        aper__tab_set_slot(tab, APER__SLOT_PAGE, state, free_state);
    }
    pthread_mutex_unlock(&making);
    return state;
}

static aper_status no_memory(aper_error **ret_error)
{
    return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
}

static aper_status find_main_frame(aper_tab *tab, aper__page_state *state,
                                   aper_error **ret_error)
{
    aper__frame *frames = NULL;
    size_t count = 0;
    aper_status status = aper__tab_frames(tab, &frames, &count);
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    char *id = aper__strdup(count ? frames[0].frame_id
                                  : aper_tab_get_id(tab));
    aper__frames_free(frames, count);
    if (!id)
        return no_memory(ret_error);
    pthread_mutex_lock(&state->lock);
    aper__dealloc(state->frames[0]->frame_id);
    state->frames[0]->frame_id = id;
    pthread_mutex_unlock(&state->lock);
    return APER_OK;
}

aper_status aper__page_command(aper_tab *tab, aper__op *op, size_t frame,
                               const char *method, json_t *params,
                               json_t **ret_result, aper_error **ret_error)
{
    aper__page_state *state = aper__page_get_state(tab);
    pthread_mutex_lock(&state->lock);
    const char *known = state->frames[frame]->session;
    char *session = aper__strdup(known ? known : aper__tab_session(tab));
    pthread_mutex_unlock(&state->lock);
    if (!session) {
        json_decref(params);
        return no_memory(ret_error);
    }
    aper_status status = aper__cdp_call(
        aper__browser_cdp(aper_tab_get_browser(tab)), session, method, params,
        op, ret_result, ret_error);
    aper__dealloc(session);
    return status;
}

/* Makes every document to come begin with our world and script. Two threads
 * may do it at once: the script lets itself run only once per document. */
static aper_status install(aper_tab *tab, aper__op *op,
                           aper__page_state *state, aper_error **ret_error)
{
    pthread_mutex_lock(&state->lock);
    bool installed = state->installed;
    pthread_mutex_unlock(&state->lock);
    if (installed)
        return APER_OK;
    aper_status status = find_main_frame(tab, state, ret_error);
    if (!status)
        status = aper__tab_call(
            tab, op, "Page.addScriptToEvaluateOnNewDocument",
            json_pack("{s:s, s:s}", "source", aper__page_script, "worldName",
                      APER__WORLD),
            NULL, ret_error);
    if (status)
        return status;
    pthread_mutex_lock(&state->lock);
    state->installed = true;
    pthread_mutex_unlock(&state->lock);
    return APER_OK;
}

/* The context of our world in the document that is shown now. */
static aper_status find_context(aper_tab *tab, aper__op *op,
                                aper__page_state *state, size_t index,
                                bool fresh, int64_t *ret_context,
                                aper_error **ret_error)
{
    aper__page_frame *frame = state->frames[index];
    char document[sizeof frame->document] = "";
    if (index == 0)
        aper__tab_document(tab, document, sizeof document);
    pthread_mutex_lock(&state->lock);
    int64_t known = strcmp(document, frame->document) == 0
                        ? frame->context : 0;
    json_t *params = json_pack("{s:s, s:s}", "frameId", frame->frame_id,
                               "worldName", APER__WORLD);
    pthread_mutex_unlock(&state->lock);
    if (known && !fresh) {
        json_decref(params);
        *ret_context = known;
        return APER_OK;
    }
    json_t *result = NULL;
    aper_status status = aper__page_command(
        tab, op, index, "Page.createIsolatedWorld", params, &result,
        ret_error);
    if (status)
        return status;
    *ret_context = aper__json_int(result, "executionContextId", 0);
    json_decref(result);
    pthread_mutex_lock(&state->lock);
    memcpy(frame->document, document, sizeof document);
    frame->context = *ret_context;
    pthread_mutex_unlock(&state->lock);
    return APER_OK;
}

/* For a document that was there before us. */
static aper_status run_script(aper_tab *tab, aper__op *op, size_t frame,
                              int64_t context, aper_error **ret_error)
{
    return aper__page_command(
        tab, op, frame, "Runtime.evaluate",
        json_pack("{s:s, s:I}", "expression", aper__page_script, "contextId",
                  (json_int_t)context),
        NULL, ret_error);
}

/* NULL without memory; argument is borrowed. */
static json_t *make_params(int64_t context, const char *function,
                           json_t *argument)
{
    return json_pack(
        "{s:s, s:I, s:b, s:b, s:[{s:s}, {s:O}]}", "functionDeclaration", CALL,
        "executionContextId", (json_int_t)context, "returnByValue", 1,
        "awaitPromise", 1, "arguments", "value", function, "value", argument);
}

/* What an audit found. In other builds nothing: it quotes the page. */
static const char *audited(json_t *result)
{
#ifdef APER__AUDIT
    return aper__json_string(
        aper__json_get(result, "exceptionDetails.exception"), "description");
#else
    (void)result;
    return "";
#endif
}

static aper_status call_once(aper_tab *tab, aper__op *op, size_t frame,
                             int64_t context, const char *function,
                             json_t *argument, json_t **ret_reply,
                             aper_error **ret_error)
{
    json_t *params = make_params(context, function, argument);
    if (!params)
        return no_memory(ret_error);
    json_t *result = NULL;
    aper_status status = aper__page_command(tab, op, frame,
                                            "Runtime.callFunctionOn", params,
                                            &result, ret_error);
    if (status)
        return status;
    if (json_object_get(result, "exceptionDetails"))
        status = aper__error_set(
            ret_error, APER_E_PROTOCOL, "the page script failed in %s%.600s",
            function, audited(result));
    else
        *ret_reply = json_incref(aper__json_get(result, "result.value"));
    json_decref(result);
    return status;
}

static aper_status try_call(aper_tab *tab, aper__op *op,
                            aper__page_state *state, size_t frame, bool fresh,
                            const char *function, json_t *argument,
                            json_t **ret_reply, aper_error **ret_error)
{
    int64_t context = 0;
    json_t *reply = NULL;
    aper_status status = find_context(tab, op, state, frame, fresh,
                                      &context, ret_error);
    if (!status)
        status = call_once(tab, op, frame, context, function, argument, &reply,
                           ret_error);
    if (!status && !json_is_object(reply)) {
        json_decref(reply);
        reply = NULL;
        status = run_script(tab, op, frame, context, ret_error);
        if (!status)
            status = call_once(tab, op, frame, context, function, argument, &reply,
                               ret_error);
    }
    if (!status && !json_is_object(reply)) {
        json_decref(reply);
        return aper__error_set(ret_error, APER_E_PROTOCOL,
                               "the page has no script");
    }
    if (!status)
        *ret_reply = reply;
    return status;
}

/* Why the page did not answer in time, and what helps. */
static void explain_silence(aper_tab *tab, aper_error **error)
{
    aper__tab_counts now;
    aper__tab_count(tab, &now);
    now.navigations_started = 0;
    aper__error_set(error, APER_E_TIMEOUT,
                    "the page did not answer in time: %s",
                    aper__tab_busy(tab, &now)
                        ? "a navigation waits for its server"
                        : "it is busy; navigating the tab ends its scripts");
}

aper_status aper__page_call_frame(aper_tab *tab, aper__op *op, size_t frame,
                                  const char *function, json_t *argument,
                                  json_t **ret_result,
                                  aper_error **ret_error)
{
    if (!argument)
        argument = json_object();
    aper__page_state *state = aper__page_get_state(tab);
    json_t *reply = NULL;
    aper_error *error = NULL;
    aper_status status = state && argument
                             ? install(tab, op, state, ret_error)
                             : no_memory(ret_error);
    if (!status) {
        status = try_call(tab, op, state, frame, false, function, argument,
                          &reply, &error);
        /* The document may have gone between finding its context and the
         * call, or in the middle of it. */
        if (status == APER_E_REMOTE && !aper__op_check(op)) {
            aper_error_unref(error);
            error = NULL;
            status = try_call(tab, op, state, frame, true, function, argument,
                              &reply, &error);
        }
        if (status == APER_E_TIMEOUT)
            explain_silence(tab, &error);
        aper__error_give(ret_error, error);
    }
    json_decref(argument);
    if (status)
        return status;
    if (ret_result)
        *ret_result = json_incref(json_object_get(reply, "result"));
    json_decref(reply);
    return APER_OK;
}

aper_status aper__page_call(aper_tab *tab, aper__op *op, const char *function,
                            json_t *argument, json_t **ret_result,
                            aper_error **ret_error)
{
    return aper__page_call_frame(tab, op, 0, function, argument, ret_result,
                                 ret_error);
}

aper_status aper__page_begin(aper_tab *tab, aper__op *op, size_t frame,
                             const char *function, json_t *argument,
                             aper__cdp_pending **ret_pending)
{
    aper__page_state *state = aper__page_get_state(tab);
    aper__page_frame *at = state->frames[frame];
    *ret_pending = NULL;
    if (!at->context) {
        json_decref(argument);
        return APER_OK;
    }
    json_t *params = make_params(at->context, function, argument);
    json_decref(argument);
    if (!params)
        return APER_E_NOMEM;
    const char *session = at->session ? at->session : aper__tab_session(tab);
    return aper__cdp_begin(aper__browser_cdp(aper_tab_get_browser(tab)),
                           session, "Runtime.callFunctionOn", params, op,
                           ret_pending, NULL);
}

aper_status aper__page_finish(aper__cdp_pending *pending,
                              json_t **ret_result)
{
    json_t *result = NULL;
    aper_status status = aper__cdp_finish(pending, &result, NULL);
    json_t *value = aper__json_get(result, "result.value.result");
    if (!status && !value)
        status = APER_E_REMOTE;
    if (!status)
        *ret_result = json_incref(value);
    json_decref(result);
    return status;
}
