/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <string.h>

#define SETTLE_MS 3000
/* Until the page is asked first; twice that until it is asked again, and so
 * on. */
#define FIRST_MS 12
#define PAUSE_MS 50
/* The browser tells that an answer has come before the page works on it. */
#define ANSWERED_MS 40
/* Kept back for reading the page afterwards. */
#define READ_MS 1000

typedef struct settling {
    aper__act *act;
    int64_t until;
    bool again;
    bool known; /* there was an effect */
    int64_t busy_ms; /* when something under way was last seen */
} settling;

typedef struct rest {
    int64_t left; /* milliseconds to leave the page alone, 0 at rest */
    bool loaded;
    bool effect;
} rest;

static bool has_left(const aper__act *act)
{
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    return now.navigations > act->mark.navigations;
}

static bool browser_saw(const aper__act *act)
{
    const aper__tab_counts *mark = &act->mark;
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    return now.navigations > mark->navigations
           || now.same_document > mark->same_document
           || now.dialogs > mark->dialogs || now.popups > mark->popups
           || now.downloads > mark->downloads;
}

/* Frames that went away are at rest, and no failure. */
static aper_status ask(settling *s, const char *frame_id, bool last,
                       rest *ret_rest, json_t **ret_seen,
                       aper_error **ret_error)
{
    aper__act *act = s->act;
    json_t *answer = NULL;
    aper_error *error = NULL;
    aper_status status = aper__page_call_in(
        act->tab, act->op, frame_id, "rest",
        json_pack("{s:b, s:b, s:b}", "known", s->known, "again", s->again,
                  "last", last),
        &answer, &error);
    bool gone = status == APER_E_REMOTE || status == APER_E_PROTOCOL
                || status == APER_E_STALE;
    ret_rest->left = aper__json_int(answer, "left", frame_id ? 0 : PAUSE_MS);
    ret_rest->loaded = aper__json_bool(answer, "loaded");
    ret_rest->effect = gone || aper__json_bool(answer, "effect");
    if (ret_seen && !status) {
        json_decref(*ret_seen);
        *ret_seen = json_incref(answer);
        act->late = aper__json_bool(answer, "late");
    }
    json_decref(answer);
    if (gone)
        status = APER_OK;
    if (status)
        aper__error_give(ret_error, error);
    else
        aper_error_unref(error);
    return status;
}

/* The element's own frame first; what it does may change the page around. */
static aper_status ask_all(settling *s, bool last, rest *ret_rest,
                           aper_error **ret_error)
{
    aper__act *act = s->act;
    rest inner = {0};
    aper_status status = APER_OK;
    if (act->frame_id)
        status = ask(s, act->frame_id, last, &inner, &act->seen, ret_error);
    s->known = s->known || inner.effect;
    if (!status)
        status = ask(s, NULL, last, ret_rest, act->frame_id ? NULL
                                                            : &act->seen,
                     ret_error);
    if (inner.left > ret_rest->left)
        ret_rest->left = inner.left;
    s->known = s->known || ret_rest->effect;
    s->again = false;
    return status;
}

/* The page is not asked for longer than it may take to come to rest: while a
 * navigation waits for its server, the browser hands nothing to the page. */
static aper_status ask_in_time(settling *s, rest *ret_rest,
                               aper_error **ret_error)
{
    aper__act *act = s->act;
    aper_error *error = NULL;
    int64_t whole = aper__op_set_deadline(act->op, s->until);
    aper_status status = ask_all(s, false, ret_rest, &error);
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

/* While requests run, news of the tab is not worth a look. */
static aper_status pause_for(settling *s, int64_t ms, aper_error **ret_error)
{
    aper__act *act = s->act;
    int64_t until = aper__now_ms() + ms;
    if (until > s->until)
        until = s->until;
    bool busy = aper__tab_busy(act->tab, &act->mark) > 0;
    aper_status status;
    do {
        uint32_t seen = aper__op_seen(act->op);
        if (busy && aper__tab_busy(act->tab, &act->mark) == 0)
            return APER_OK;
        status = aper__op_wait_until(act->op, seen, until);
    } while (!status && busy && aper__now_ms() < until);
    if (status)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    return status;
}

/* How long to wait until the page is asked again; 0 when it is at rest. */
static int64_t time_left(settling *s, const rest *page)
{
    const aper__act *act = s->act;
    int64_t now = aper__now_ms();
    if (aper__tab_busy(act->tab, &act->mark) > 0) {
        s->busy_ms = now;
        return PAUSE_MS;
    }
    if (has_left(act) && !page->loaded)
        return PAUSE_MS;
    int64_t left = s->busy_ms ? s->busy_ms + ANSWERED_MS - now : 0;
    return left > page->left ? left : page->left;
}

/* The page's last word, though it is not at rest. */
static aper_status look(settling *s, aper_error **ret_error)
{
    rest page;
    return ask_all(s, true, &page, ret_error);
}

/* Once for the whole action, however often it is waited. */
static int64_t end_of(const aper__act *act)
{
    uint32_t settle = act->options->settle_ms ? act->options->settle_ms
                                              : SETTLE_MS;
    int64_t end = act->sent_ms + settle;
    int64_t most = aper__now_ms() + aper__op_left_ms(act->op) - READ_MS;
    return end < most ? end : most;
}

aper_status aper__act_settle(aper__act *act, bool again,
                             aper_error **ret_error)
{
    settling s = {.act = act, .again = again, .until = end_of(act)};
    json_decref(act->seen);
    act->seen = NULL;
    act->late = true; /* unless the page says otherwise */
    aper_status status = again ? APER_OK : pause_for(&s, FIRST_MS, ret_error);
    for (int64_t step = FIRST_MS; !status && aper__now_ms() < s.until;
         step *= 2) {
        rest page = {0};
        s.known = s.known || browser_saw(act);
        status = ask_in_time(&s, &page, ret_error);
        if (status || act->silent || aper__act_has_strayed(act))
            return status;
        int64_t left = time_left(&s, &page);
        if (left <= 0)
            return APER_OK;
        if (step > PAUSE_MS)
            step = PAUSE_MS;
        status = pause_for(&s, left < step ? left : step, ret_error);
    }
    if (!status)
        status = look(&s, ret_error);
    act->late = true;
    return status;
}
