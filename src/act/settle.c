/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <string.h>

#define SETTLE_MS 3000
#define QUIET_MS 100
#define PAUSE_MS 50
/* Kept back for reading the page afterwards. */
#define READ_MS 1000

typedef struct rest {
    int64_t idle; /* milliseconds without a mutation; -1 if not known */
    bool loaded;
} rest;

/* Frames that went away are not at rest, and no failure. */
static aper_status ask(aper__act *act, const char *frame_id, bool begin,
                       rest *ret_rest, aper_error **ret_error)
{
    json_t *answer = NULL;
    aper_error *error = NULL;
    aper_status status = aper__page_call_in(
        act->tab, act->op, frame_id, "rest",
        json_pack("{s:b}", "begin", begin), &answer, &error);
    ret_rest->idle = (int64_t)aper__json_number(answer, "idle", -1);
    ret_rest->loaded = aper__json_bool(answer, "loaded");
    json_decref(answer);
    if (status == APER_E_REMOTE || status == APER_E_PROTOCOL
        || status == APER_E_STALE)
        status = APER_OK;
    if (status)
        aper__error_give(ret_error, error);
    else
        aper_error_unref(error);
    return status;
}

/* The element's own frame too: what it does there may change the rest. */
static aper_status ask_all(aper__act *act, bool begin, rest *ret_rest,
                           aper_error **ret_error)
{
    rest inner;
    aper_status status = ask(act, NULL, begin, ret_rest, ret_error);
    if (status || !act->frame_id)
        return status;
    status = ask(act, act->frame_id, begin, &inner, ret_error);
    if (inner.idle >= 0 && inner.idle < ret_rest->idle)
        ret_rest->idle = inner.idle;
    return status;
}

/* The page is not asked for longer than it may take to come to rest: while a
 * navigation waits for its server, the browser hands nothing to the page. */
static aper_status ask_in_time(aper__act *act, int64_t until, bool begin,
                               rest *ret_rest, aper_error **ret_error)
{
    aper_error *error = NULL;
    int64_t whole = aper__op_set_deadline(act->op, until);
    aper_status status = ask_all(act, begin, ret_rest, &error);
    aper__op_set_deadline(act->op, whole);
    act->silent = status == APER_E_TIMEOUT;
    if (act->silent)
        status = aper__op_check(act->op);
    if (status)
        aper__error_set(ret_error, status, "%s",
                        error ? aper_error_get_message(error)
                              : aper__op_reason(status));
    aper_error_unref(error);
    return status;
}

static bool has_left(const aper__act *act)
{
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    return now.navigations > act->mark.navigations;
}

aper_status aper__act_settle(aper__act *act, aper_error **ret_error)
{
    uint32_t settle = act->options->settle_ms ? act->options->settle_ms
                                              : SETTLE_MS;
    uint32_t left = aper__op_left_ms(act->op);
    uint32_t most = left > READ_MS ? left - READ_MS : 0;
    int64_t until = aper__now_ms() + (settle < most ? settle : most);
    for (bool begin = true; aper__now_ms() < until; begin = false) {
        rest page = {0};
        aper_status status = ask_in_time(act, until, begin, &page,
                                         ret_error);
        if (status || act->silent)
            return status;
        bool quiet = page.idle >= QUIET_MS;
        if (quiet && (page.loaded || !has_left(act))
            && aper__tab_busy(act->tab, &act->mark) == 0)
            return APER_OK;
        uint32_t seen = aper__op_seen(act->op);
        int64_t pause = aper__now_ms()
                        + (quiet || page.idle < 0 ? PAUSE_MS
                                                  : QUIET_MS - page.idle);
        status = aper__op_wait_until(act->op, seen,
                                     pause < until ? pause : until);
        if (status)
            return aper__error_set(ret_error, status, "%s",
                                   aper__op_reason(status));
    }
    return APER_OK;
}
