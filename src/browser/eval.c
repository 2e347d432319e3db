/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript in the page's own world, for hosts that asked for it. */
#include "browser/internal.h"

#include <string.h>

#define EXCEPTION_MAX 500 /* code points of a page's message */

static aper_status report_exception(json_t *details, aper_error **ret_error)
{
    json_t *exception = aper__json_get(details, "exception");
    const char *text = aper__json_string(exception, "description");
    if (text[0] == '\0')
        text = aper__json_string(exception, "value");
    if (text[0] == '\0')
        text = aper__json_string(details, "text");
    aper__buf quoted = { 0 };
    aper__text_quote(&quoted, text, strlen(text), EXCEPTION_MAX);
    aper_status status = aper__error_set_cdp(
        ret_error, APER_E_REMOTE, "Runtime.evaluate", 0,
        quoted.data != NULL ? quoted.data : "the script threw");
    aper__buf_free(&quoted);
    return status;
}

static aper_status take_value(json_t *answer, char **ret_json,
                              aper_error **ret_error)
{
    json_t *details = aper__json_get(answer, "exceptionDetails");
    if (details != NULL)
        return report_exception(details, ret_error);
    if (ret_json == NULL)
        return APER_OK;
    /* undefined, functions and NaN have no JSON of their own: null */
    aper__buf out = { 0 };
    aper__json_write(&out, aper__json_get(answer, "result.value"));
    char *text = aper__buf_take(&out);
    if (text == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for the result");
    *ret_json = text;
    return APER_OK;
}

aper_status aper_tab_eval(aper_tab *tab, const char *source,
                          uint32_t timeout_ms, char **ret_json,
                          aper_error **ret_error)
{
    if (source == NULL || !aper__utf8_is_valid(source, strlen(source)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the source is NULL or not valid UTF-8");
    aper__op op;
    aper_status status = aper__tab_begin(
        tab, &op, timeout_ms != 0 ? timeout_ms : APER__SHORT_TIMEOUT_MS,
        false, ret_error);
    if (status != APER_OK)
        return status;
    if (!aper__browser_allows_eval(tab->browser)) {
        aper__tab_end(tab, &op);
        return aper__error_set(ret_error, APER_E_UNSUPPORTED,
                               "set allow_eval when the browser is launched "
                               "or attached to");
    }
    json_t *answer = NULL;
    status = aper__targets_attach(tab, &op, ret_error);
    if (status == APER_OK)
        status = aper__tab_call(
            tab, &op, "Runtime.evaluate",
            json_pack("{s:s,s:b,s:b,s:b}", "expression", source,
                      "returnByValue", 1, "awaitPromise", 1, "userGesture", 1),
            &answer, ret_error);
    if (status == APER_OK)
        status = take_value(answer, ret_json, ret_error);
    json_decref(answer);
    aper__tab_end(tab, &op);
    return status;
}
