/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"

#include <string.h>

#define TIMEOUT_MS 10000
/* An agent that has read so many differences is given the whole again. */
#define RESET_AFTER 50
/* Of a header and a fence. */
#define FRAME_TOKENS 60
/* Refs that died are named up to this number and this share of the budget. */
#define GONE_MAX 20
#define GONE_SHARE 20

/* What a tab's reader was told; in APER__SLOT_DIFF, used only while the tab is
 * held. */
typedef struct ledger {
    aper__told *told; /* of the tab's last snapshot, unless that was read as a
                       * whole since */
    uint32_t in_a_row; /* differences since then */
    bool strayed; /* what the page script holds was chosen anew since, and not
                   * told */
    aper__shapes *shapes;
} ledger;

static void free_ledger(void *memory)
{
    ledger *l = memory;
    aper__told_unref(l->told);
    aper__shapes_free(l->shapes);
    aper__dealloc(l);
}

static ledger *get_ledger(aper_tab *tab)
{
    ledger *l = aper__tab_get_slot(tab, APER__SLOT_DIFF);
    if (l)
        return l;
    l = aper__alloc(sizeof *l);
    if (l)
        l->shapes = aper__shapes_new();
    if (l && l->shapes) {
        aper__tab_set_slot(tab, APER__SLOT_DIFF, l, free_ledger);
        return l;
    }
    aper__dealloc(l);
    return NULL;
}

/* With a reference; NULL also when nothing was ever told. */
static aper__told *get_told(ledger *l, const aper_snapshot *last)
{
    if (l->told && l->told->snapshot == last)
        return aper__told_ref(l->told);
    aper__told_unref(l->told);
    l->told = NULL;
    l->in_a_row = 0;
    l->strayed = false;
    l->told = last ? aper__told_new(last) : NULL;
    return aper__told_ref(l->told);
}

void aper__diff_request_default(aper__diff_request *request)
{
    *request = (aper__diff_request){.reset_percent = APER__RESET_PERCENT,
                                    .reset_after = RESET_AFTER};
}

static bool is_modal(const aper__entry *entry)
{
    return *entry->states && strstr(entry->states, "modal");
}

static bool was_modal(const aper_snapshot *snapshot, uint64_t id)
{
    for (size_t i = 0; i < snapshot->count; i++)
        if (snapshot->items[i].entry->id == id
            && is_modal(snapshot->items[i].entry))
            return true;
    return false;
}

/* A modal that came makes all else unreachable. */
static bool was_taken_over(const aper_snapshot *old, const aper_snapshot *now)
{
    for (size_t i = 0; i < now->count; i++)
        if (is_modal(now->items[i].entry)
            && !was_modal(old, now->items[i].entry->id))
            return true;
    return false;
}

/* One reading under way. */
typedef struct reading {
    aper_tab *tab;
    aper__op *op;
    const aper__diff_request *request;
    ledger *ledger;
    uint32_t budget;
    aper_diff *diff;
    char *gone;
} reading;

static aper_status read_page(const reading *r, bool select,
                             aper_snapshot **ret_snapshot,
                             aper_error **ret_error)
{
    uint32_t gone = r->gone ? aper__tokens_estimate(r->gone, strlen(r->gone))
                            : 0;
    const aper__page_how how = {
        .select = select, .budget = r->budget ? r->budget - gone : 0};
    return aper__snapshot_read(r->tab, r->op, &how, ret_snapshot, ret_error);
}

static aper_status find(const reading *r, aper__buf *script)
{
    const aper__diff_request *request = r->request;
    const aper__watch watch = {
        .shapes = r->ledger->shapes, .now_ms = r->diff->to->read_ms,
        .prompted = request->acted != NULL,
        .ref = request->acted ? request->acted : ""};
    const aper__diff_how how = {
        .reset_percent = request->reset_percent,
        .watch = request->restate_volatile ? NULL : &watch};
    aper_status status = aper__diff_find(r->diff, &how, script);
    if (!status && r->budget && !r->diff->reset && script->size
        && aper__tokens_estimate(script->data, script->size) + FRAME_TOKENS
               > r->budget)
        aper__diff_reset(r->diff);
    return status;
}

static bool must_reset(const reading *r)
{
    const aper_diff *diff = r->diff;
    return !diff->from || diff->to->chosen
           || r->ledger->in_a_row >= r->request->reset_after
           || was_taken_over(diff->from->snapshot, diff->to);
}

/* What is shown is chosen anew. What stayed shown until now shows what died:
 * the rest may only be shown no more. */
static aper_status choose_anew(reading *r, aper_error **ret_error)
{
    aper_diff *diff = r->diff;
    aper_snapshot *now = NULL;
    aper_status status = APER_OK;
    size_t max = r->budget && r->budget / GONE_SHARE < GONE_MAX
                     ? r->budget / GONE_SHARE : GONE_MAX;
    if (diff->to->chosen)
        return APER_OK;
    if (diff->from && !r->ledger->strayed
        && strcmp(diff->from->snapshot->document, diff->to->document) == 0)
        status = aper__diff_list_gone(diff->from->snapshot, diff->to, max,
                                      &r->gone);
    r->ledger->strayed = true;
    if (!status)
        status = read_page(r, true, &now, ret_error);
    if (status)
        return status;
    aper_snapshot_unref(diff->to);
    diff->to = now;
    return APER_OK;
}

/* A state in which nothing is to be told is the one before. */
static aper_status number(aper_diff *diff)
{
    if (!diff->from)
        return APER_OK;
    const aper_snapshot *last = diff->from->snapshot;
    unsigned epoch = last->epoch + diff->reset;
    unsigned step = diff->reset ? 0 : last->step + (diff->count > 0);
    if (diff->to->epoch == epoch && diff->to->step == step)
        return APER_OK;
    return aper__snapshot_name(diff->to, epoch, step);
}

static aper_status compare(reading *r, aper_error **ret_error)
{
    aper_diff *diff = r->diff;
    aper__buf script = {0};
    aper_status status = find(r, &script);
    if (!status && must_reset(r))
        aper__diff_reset(diff);
    if (!status && diff->reset)
        status = choose_anew(r, ret_error);
    if (!status)
        status = number(diff);
    if (!status && !diff->told) {
        diff->told = aper__told_new(diff->to);
        status = diff->told ? APER_OK : APER_E_NOMEM;
    }
    if (!status)
        status = aper__diff_write(diff, script.data, r->gone);
    aper__buf_free(&script);
    return status;
}

static aper_status read_and_compare(reading *r, aper__told *from,
                                    aper_error **ret_error)
{
    aper_snapshot *now = NULL;
    aper_status status = read_page(r, !from, &now, ret_error);
    if (!status)
        status = aper__diff_new(from, now, &r->diff);
    if (!status)
        status = compare(r, ret_error);
    aper_snapshot_unref(now);
    return status;
}

aper_status aper__diff_read(aper_tab *tab, aper__op *op,
                            const aper__diff_request *request,
                            aper_diff **ret_diff, aper_error **ret_error)
{
    aper_error *error = NULL;
    ledger *l = get_ledger(tab);
    aper_snapshot *last = aper__snapshot_last(tab);
    aper__told *from = l ? get_told(l, last) : NULL;
    reading r = {.tab = tab, .op = op, .request = request, .ledger = l,
                 .budget = request->has_budget ? request->budget
                                               : aper__snapshot_budget(tab)};
    aper_status status = l && (from || !last) ? APER_OK : APER_E_NOMEM;
    if (!status)
        status = read_and_compare(&r, from, &error);
    aper__told_unref(from);
    aper__dealloc(r.gone);
    if (!status) {
        *ret_diff = r.diff;
        return APER_OK;
    }
    aper_diff_unref(r.diff);
    if (!error)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    aper__error_give(ret_error, error);
    return status;
}

void aper__diff_tell(aper_tab *tab, aper_diff *diff)
{
    ledger *l = aper__tab_get_slot(tab, APER__SLOT_DIFF);
    aper__snapshot_tell(tab, diff->to);
    aper__told_unref(l->told);
    l->told = aper__told_ref(diff->told);
    l->strayed = false;
    if (diff->reset)
        l->in_a_row = 0;
    else if (diff->count)
        l->in_a_row++;
}

static aper_status check_options(aper_diff_options *copy,
                                 const aper_diff_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof *copy, sizeof *copy,
                                            options, ret_error);
    if (status)
        return status;
    if (!copy->timeout_ms)
        copy->timeout_ms = TIMEOUT_MS;
    if (copy->budget_tokens && copy->budget_tokens < APER__BUDGET_MIN)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "budget_tokens must be at least %d",
                               APER__BUDGET_MIN);
    if (copy->reset_percent > 100 || copy->restate_volatile > 1
        || copy->reserved)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "reset_percent, restate_volatile or reserved "
                               "is out of range");
    return APER_OK;
}

static void make_request(aper__diff_request *request,
                         const aper_diff_options *options)
{
    aper__diff_request_default(request);
    request->has_budget = options->budget_tokens != 0;
    if (options->budget_tokens != APER_BUDGET_UNLIMITED)
        request->budget = options->budget_tokens;
    if (options->reset_percent)
        request->reset_percent = options->reset_percent;
    if (options->reset_after)
        request->reset_after = options->reset_after;
    request->restate_volatile = options->restate_volatile;
}

static aper_status take(aper_tab *tab, aper__op *op,
                        const aper_diff_options *options, aper_diff **ret_diff,
                        aper_error **ret_error)
{
    aper__diff_request request;
    make_request(&request, options);
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status)
        return status;
    status = aper__diff_read(tab, op, &request, ret_diff, ret_error);
    if (!status)
        aper__diff_tell(tab, *ret_diff);
    aper__tab_release(tab);
    return status;
}

aper_status aper_diff_take(aper_tab *tab, const aper_diff_options *options,
                           aper_diff **ret_diff, aper_error **ret_error)
{
    aper_diff_options copy;
    aper__op op;
    if (!tab || !ret_diff)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "tab and ret_diff must be given");
    aper_status status = check_options(&copy, options, ret_error);
    if (!status)
        status = aper__tab_begin(tab, &op, copy.timeout_ms, false, ret_error);
    if (status)
        return status;
    status = take(tab, &op, &copy, ret_diff, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

static void unref_diff(void *object)
{
    aper_diff_unref(object);
}

static aper_status run(void *arg, aper_browser *browser APER_UNUSED,
                       aper_tab *tab, aper__op *op, aper__result *ret_result,
                       aper_error **ret_error)
{
    aper_diff *diff = NULL;
    aper_status status = take(tab, op, arg, &diff, ret_error);
    if (!status)
        *ret_result = (aper__result){APER__RESULT_DIFF, diff, unref_diff};
    return status;
}

aper_status aper_diff_take_start(aper_tab *tab,
                                 const aper_diff_options *options,
                                 uint64_t tag, aper_error **ret_error)
{
    if (!tab)
        return aper__error_set(ret_error, APER_E_INVAL, "the tab is NULL");
    aper_diff_options *copy = aper__alloc(sizeof *copy);
    if (!copy)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    aper_status status = check_options(copy, options, ret_error);
    if (status) {
        aper__dealloc(copy);
        return status;
    }
    const aper__job job = {.run = run, .free_arg = aper__dealloc, .arg = copy,
                           .timeout_ms = copy->timeout_ms,
                           .holds_tab = true};
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job,
                               ret_error);
}
