/* SPDX-License-Identifier: Apache-2.0 */
#include "page/internal.h"

#include <string.h>

#define TIMEOUT_MS 10000
#define PAUSE_MS 100
#define ANEW_ROUNDS 5 /* style sheets and values change without a mutation */

typedef struct wanted {
    aper_wait_options options;
    char *text;
    char *text_gone;
    char *url;
} wanted;

/* What the last look at the page gave. */
typedef struct look {
    int64_t seen; /* its state, -1 to look in any case */
    char lacks[8]; /* the condition that did not hold, "" if unknown */
} look;

static void free_wanted(void *memory)
{
    wanted *w = memory;
    aper__dealloc(w->text);
    aper__dealloc(w->text_gone);
    aper__dealloc(w->url);
    aper__dealloc(w);
}

static aper_status check(aper_wait_options *copy,
                         const aper_wait_options *options,
                         aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof *copy, sizeof *copy,
                                            options, ret_error);
    if (status)
        return status;
    if (!copy->timeout_ms)
        copy->timeout_ms = TIMEOUT_MS;
    const char *const texts[] = {copy->text, copy->text_gone, copy->url};
    bool any = copy->loaded != 0;
    for (size_t i = 0; i < 3; i++) {
        any = any || texts[i];
        if (texts[i] && !aper__utf8_is_valid(texts[i], strlen(texts[i])))
            return aper__error_set(ret_error, APER_E_INVAL,
                                   "text to wait for is not UTF-8");
    }
    if (!any)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "nothing to wait for was given");
    return APER_OK;
}

static bool has_url(aper_tab *tab, const char *part)
{
    char *url = part ? aper__tab_url(tab) : NULL;
    bool has = !part || (url && strstr(url, part));
    aper__dealloc(url);
    return has;
}

static bool note_answer(look *last, json_t *answer)
{
    json_t *lacks = json_object_get(answer, "lacks");
    const char *what = aper__json_string(answer, "lacks");
    last->seen = aper__json_int(answer, "seen", -1);
    if (*what && strcmp(what, "same") != 0)
        snprintf(last->lacks, sizeof last->lacks, "%s", what);
    return json_is_string(lacks) && !*what;
}

/* Asks the page. A document that goes away meanwhile is not yet as wanted. */
static aper_status ask_page(aper_tab *tab, aper__op *op,
                            const aper_wait_options *o, look *last,
                            bool *ret_holds, aper_error **ret_error)
{
    *ret_holds = true;
    if (!o->text && !o->text_gone && !o->loaded)
        return APER_OK;
    json_t *argument = json_pack(
        "{s:s, s:s, s:b, s:I}", "text", o->text ? o->text : "", "gone",
        o->text_gone ? o->text_gone : "", "loaded", o->loaded != 0, "seen",
        (json_int_t)last->seen);
    json_t *answer = NULL;
    aper_error *error = NULL;
    aper_status status = aper__page_call(tab, op, "waitFor", argument,
                                         &answer, &error);
    *ret_holds = note_answer(last, answer);
    json_decref(answer);
    if (status == APER_E_REMOTE || status == APER_E_PROTOCOL)
        status = APER_OK;
    if (status)
        aper__error_set(ret_error, status, "%s",
                        aper_error_get_message(error));
    aper_error_unref(error);
    return status;
}

static aper_status pause_for(aper__op *op)
{
    uint32_t seen = aper__op_seen(op);
    return aper__op_wait_until(op, seen, aper__now_ms() + PAUSE_MS);
}

static void say_missing(aper__buf *out, const aper_wait_options *o,
                        const look *last)
{
    const struct {
        const char *what, *text, *value;
    } all[] = {
        {"url", "the page's address has no ", o->url},
        {"loaded", "the page has not loaded", NULL},
        {"text", "the page does not show ", o->text},
        {"gone", "the page still shows ", o->text_gone},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(last->lacks, all[i].what) == 0) {
            aper__buf_puts(out, all[i].text);
            if (all[i].value)
                aper__text_quote(out, all[i].value, strlen(all[i].value), 80);
            return;
        }
    aper__buf_puts(out, "the page did not become as described");
}

static aper_status timed_out(aper_tab *tab, const aper_wait_options *o,
                             const look *last, aper_status status,
                             aper_error **ret_error)
{
    if (status != APER_E_TIMEOUT)
        return aper__error_set(ret_error, status, "%s",
                               aper__op_reason(status));
    aper__buf missing = {0};
    aper__buf quoted = {0};
    say_missing(&missing, o, last);
    char *url = aper__tab_url(tab);
    if (url)
        aper__text_quote(&quoted, url, strlen(url), 200);
    status = aper__error_set(ret_error, status,
                             "time ran out: %s; it is at %s",
                             missing.data ? missing.data : "?",
                             quoted.data ? quoted.data : "?");
    aper__buf_free(&missing);
    aper__buf_free(&quoted);
    aper__dealloc(url);
    return status;
}

static aper_status wait_for(aper_tab *tab, aper__op *op,
                            const aper_wait_options *o,
                            aper_error **ret_error)
{
    look last = {.seen = -1};
    for (unsigned round = 0;; round++) {
        bool holds = false;
        aper_status status = aper__op_check(op);
        if (round % ANEW_ROUNDS == 0)
            last.seen = -1;
        bool there = has_url(tab, o->url);
        if (!status && there) {
            status = ask_page(tab, op, o, &last, &holds, ret_error);
            there = has_url(tab, o->url);
            if (!status && holds && there)
                return APER_OK;
        }
        if (!there)
            strcpy(last.lacks, "url");
        if (!status && !holds)
            status = pause_for(op);
        if (status)
            return timed_out(tab, o, &last, status, ret_error);
    }
}

aper_status aper_tab_wait(aper_tab *tab, const aper_wait_options *options,
                          aper_error **ret_error)
{
    aper_wait_options copy;
    aper__op op;
    if (!tab)
        return aper__error_set(ret_error, APER_E_INVAL, "tab must be given");
    aper_status status = check(&copy, options, ret_error);
    if (!status)
        status = aper__tab_begin(tab, &op, copy.timeout_ms, false, ret_error);
    if (status)
        return status;
    status = wait_for(tab, &op, &copy, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

static aper_status run(void *arg, aper_browser *browser APER_UNUSED,
                       aper_tab *tab, aper__op *op,
                       aper__result *ret_result APER_UNUSED,
                       aper_error **ret_error)
{
    const wanted *w = arg;
    return wait_for(tab, op, &w->options, ret_error);
}

aper_status aper_tab_wait_start(aper_tab *tab,
                                const aper_wait_options *options,
                                uint64_t tag, aper_error **ret_error)
{
    if (!tab)
        return aper__error_set(ret_error, APER_E_INVAL, "tab must be given");
    wanted *w = aper__alloc(sizeof *w);
    if (!w)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    aper_wait_options *o = &w->options;
    aper_status status = check(o, options, ret_error);
    if (!status) {
        w->text = aper__strdup(o->text);
        w->text_gone = aper__strdup(o->text_gone);
        w->url = aper__strdup(o->url);
        if ((o->text && !w->text) || (o->text_gone && !w->text_gone)
            || (o->url && !w->url))
            status = aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    }
    if (status) {
        free_wanted(w);
        return status;
    }
    o->text = w->text;
    o->text_gone = w->text_gone;
    o->url = w->url;
    const aper__job job = {.run = run, .free_arg = free_wanted, .arg = w,
                           .timeout_ms = o->timeout_ms};
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job,
                               ret_error);
}
