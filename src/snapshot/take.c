/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <string.h>

#define TIMEOUT_MS 10000

/* The last state that was read of a tab; in APER__SLOT_SNAPSHOT, used only
 * while the tab is held. */
typedef struct history {
    aper_snapshot *last;
    unsigned epoch;
    unsigned step;
} history;

static void free_history(void *memory)
{
    history *past = memory;
    aper_snapshot_unref(past->last);
    aper__dealloc(past);
}

static history *get_history(aper_tab *tab)
{
    history *past = aper__tab_get_slot(tab, APER__SLOT_SNAPSHOT);
    if (!past && (past = aper__alloc(sizeof *past)))
        aper__tab_set_slot(tab, APER__SLOT_SNAPSHOT, past, free_history);
    return past;
}

static bool is_same(const aper_snapshot *a, const aper_snapshot *b)
{
    if (a->line_count != b->line_count)
        return false;
    for (size_t i = 0; i < a->line_count; i++)
        if (a->lines[i].hash != b->lines[i].hash
            || strcmp(a->lines[i].text, b->lines[i].text) != 0)
            return false;
    return true;
}

/* Numbers the state: a new document starts anew, what shows no difference
 * keeps its number. */
static aper_status number(history *past, aper_snapshot *now)
{
    unsigned epoch = past->epoch;
    unsigned step = past->step;
    if (!past->last || strcmp(past->last->document, now->document) != 0) {
        epoch++;
        step = 0;
    } else if (!is_same(past->last, now)) {
        step++;
    }
    aper_status status = aper__snapshot_name(now, epoch, step);
    if (!status) {
        past->epoch = epoch;
        past->step = step;
    }
    return status;
}

static aper_status note_refs(aper_tab *tab, const aper_snapshot *snapshot)
{
    const char **refs = aper__alloc((snapshot->count + 1) * sizeof *refs);
    if (!refs)
        return APER_E_NOMEM;
    size_t count = 0;
    for (size_t i = 0; i < snapshot->count; i++)
        if (*snapshot->items[i].entry->ref)
            refs[count++] = snapshot->items[i].entry->ref;
    aper_status status = aper__page_note_refs(tab, refs, count);
    aper__dealloc(refs);
    return status;
}

static aper_status build(aper_tab *tab, const aper__view *view,
                         const char *document, uint32_t budget, history *past,
                         aper_snapshot **ret_snapshot)
{
    aper_snapshot *now = NULL;
    aper_status status = aper__snapshot_new(view, aper_tab_get_id(tab),
                                            document, budget, &now);
    if (!status)
        status = number(past, now);
    if (!status)
        status = note_refs(tab, now);
    if (status) {
        aper_snapshot_unref(now);
        return status;
    }
    *ret_snapshot = now;
    return APER_OK;
}

aper_status aper__snapshot_read(aper_tab *tab, aper__op *op, uint32_t budget,
                                aper_snapshot **ret_before,
                                aper_snapshot **ret_snapshot,
                                aper_error **ret_error)
{
    history *past = get_history(tab);
    if (!past)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper__view view = {0};
    char document[APER__TOKEN_SIZE];
    aper_status status = aper__page_walk(tab, op, &view, document,
                                         ret_error);
    if (status)
        return status;
    aper_snapshot *now = NULL;
    status = build(tab, &view, document, budget, past, &now);
    aper__view_clear(&view);
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               aper_status_get_text(status));
    if (ret_before)
        *ret_before = past->last;
    else
        aper_snapshot_unref(past->last);
    past->last = aper_snapshot_ref(now);
    *ret_snapshot = now;
    return APER_OK;
}

static aper_status check_options(aper_snapshot_options *copy,
                                 const aper_snapshot_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof *copy, sizeof *copy,
                                            options, ret_error);
    if (status)
        return status;
    if (!copy->budget_tokens)
        copy->budget_tokens = APER__BUDGET_DEFAULT;
    if (!copy->timeout_ms)
        copy->timeout_ms = TIMEOUT_MS;
    if (copy->budget_tokens < APER__BUDGET_MIN)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "budget_tokens must be at least %d",
                               APER__BUDGET_MIN);
    return APER_OK;
}

static aper_status take(aper_tab *tab, aper__op *op, uint32_t budget,
                        aper_snapshot **ret_snapshot, aper_error **ret_error)
{
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status)
        return status;
    status = aper__snapshot_read(tab, op, budget, NULL, ret_snapshot,
                                 ret_error);
    aper__tab_release(tab);
    return status;
}

aper_status aper_snapshot_take(aper_tab *tab,
                               const aper_snapshot_options *options,
                               aper_snapshot **ret_snapshot,
                               aper_error **ret_error)
{
    aper_snapshot_options copy;
    aper__op op;
    if (!tab || !ret_snapshot)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "tab and ret_snapshot must be given");
    aper_status status = check_options(&copy, options, ret_error);
    if (!status)
        status = aper__tab_begin(tab, &op, copy.timeout_ms, false, ret_error);
    if (status)
        return status;
    status = take(tab, &op, copy.budget_tokens, ret_snapshot, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

static void unref_snapshot(void *object)
{
    aper_snapshot_unref(object);
}

static aper_status run(void *arg, aper_browser *browser, aper_tab *tab,
                       aper__op *op, aper__result *ret_result,
                       aper_error **ret_error)
{
    const aper_snapshot_options *options = arg;
    aper_snapshot *snapshot = NULL;
    (void)browser;
    aper_status status = take(tab, op, options->budget_tokens, &snapshot,
                              ret_error);
    if (!status)
        *ret_result = (aper__result){APER__RESULT_SNAPSHOT, snapshot,
                                     unref_snapshot};
    return status;
}

aper_status aper_snapshot_take_start(aper_tab *tab,
                                     const aper_snapshot_options *options,
                                     uint64_t tag)
{
    if (!tab)
        return APER_E_INVAL;
    aper_snapshot_options *copy = aper__alloc(sizeof *copy);
    if (!copy)
        return APER_E_NOMEM;
    aper_status status = check_options(copy, options, NULL);
    if (status) {
        aper__dealloc(copy);
        return status;
    }
    const aper__job job = {.run = run, .free_arg = aper__dealloc, .arg = copy,
                           .timeout_ms = copy->timeout_ms,
                           .holds_tab = true};
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job);
}
