/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"

#include <string.h>

aper_status aper__diff_new(aper__told *from, aper_snapshot *to,
                           aper_diff **ret_diff)
{
    aper_diff *diff = aper__alloc(sizeof *diff);
    if (!diff)
        return APER_E_NOMEM;
    atomic_init(&diff->refs, 1);
    diff->from = aper__told_ref(from);
    diff->to = aper_snapshot_ref(to);
    *ret_diff = diff;
    return APER_OK;
}

static bool is_too_much(const aper__plan *plan, size_t count, uint32_t percent)
{
    size_t most = plan->old_count > plan->now_count ? plan->old_count
                                                    : plan->now_count;
    return (double)count * 100 > (double)most * percent;
}

static aper_status find(aper_diff *diff, aper__plan *plan,
                        const aper__diff_how *how, aper__buf *script)
{
    aper_status status = aper__plan_make(plan, diff->from, diff->to);
    if (!status)
        status = aper__plan_match(plan);
    if (!status && how->watch)
        status = aper__watch_plan(how->watch, plan, diff->from, diff->to,
                                  &diff->told, &diff->volatile_count);
    if (!status)
        status = aper__plan_find_ops(plan, &diff->ops, &diff->count);
    if (status)
        return status;
    diff->changed = diff->count;
    diff->reset = is_too_much(plan, diff->count, how->reset_percent);
    return diff->reset ? APER_OK
                       : aper__plan_write(plan, diff->ops, diff->count,
                                          script);
}

void aper__diff_reset(aper_diff *diff)
{
    diff->reset = true;
    diff->count = diff->volatile_count = 0;
    aper__told_unref(diff->told);
    diff->told = NULL;
}

aper_status aper__diff_find(aper_diff *diff, const aper__diff_how *how,
                            aper__buf *script)
{
    aper_status status = APER_OK;
    diff->reset = !diff->from || strcmp(diff->from->snapshot->document,
                                        diff->to->document) != 0;
    if (!diff->reset) {
        aper__plan plan = {0};
        status = find(diff, &plan, how, script);
        aper__plan_clear(&plan);
    }
    if (diff->reset)
        aper__diff_reset(diff);
    return status;
}

aper_status aper_diff_compute(const aper_snapshot *from,
                              const aper_snapshot *to, aper_diff **ret_diff)
{
    const aper__diff_how how = {.reset_percent = APER__RESET_PERCENT};
    if (!from || !to || !ret_diff || strcmp(from->tab_id, to->tab_id) != 0)
        return APER_E_INVAL;
    aper__buf script = {0};
    aper_diff *diff = NULL;
    aper__told *told = aper__told_new(from);
    if (!told)
        return APER_E_NOMEM;
    /* Only its count changes. */
    aper_status status = aper__diff_new(told, (aper_snapshot *)to, &diff);
    if (!status)
        status = aper__diff_find(diff, &how, &script);
    if (!status)
        status = aper__diff_write(diff, script.data, NULL);
    aper__buf_free(&script);
    aper__told_unref(told);
    if (status) {
        aper_diff_unref(diff);
        return status;
    }
    *ret_diff = diff;
    return APER_OK;
}

const char *aper_diff_get_text(const aper_diff *diff)
{
    return diff ? diff->text : "";
}

const char *aper_diff_get_from_id(const aper_diff *diff)
{
    return diff && diff->from ? diff->from->snapshot->id : "";
}

const char *aper_diff_get_to_id(const aper_diff *diff)
{
    return diff ? diff->to->id : "";
}

int aper_diff_is_empty(const aper_diff *diff)
{
    return diff && !diff->reset && diff->count == 0;
}

int aper_diff_is_reset(const aper_diff *diff)
{
    return diff && diff->reset;
}

uint32_t aper_diff_get_token_estimate(const aper_diff *diff)
{
    return diff ? diff->tokens : 0;
}

size_t aper_diff_get_volatile_count(const aper_diff *diff)
{
    return diff ? diff->volatile_count : 0;
}

size_t aper_diff_get_op_count(const aper_diff *diff)
{
    return diff ? diff->count : 0;
}

char aper_diff_get_op_kind(const aper_diff *diff, size_t index)
{
    return diff && index < diff->count ? diff->ops[index].kind : 0;
}

const char *aper_diff_get_op_line(const aper_diff *diff, size_t index)
{
    if (!diff || index >= diff->count)
        return NULL;
    const aper__diff_op *op = &diff->ops[index];
    return op->kind == '-' ? aper__told_line(diff->from, op->old)
                           : diff->to->lines[op->now].text;
}

aper_diff *aper_diff_ref(aper_diff *diff)
{
    if (diff)
        aper__ref(&diff->refs);
    return diff;
}

void aper_diff_unref(aper_diff *diff)
{
    if (!diff || !aper__unref(&diff->refs))
        return;
    aper__told_unref(diff->from);
    aper__told_unref(diff->told);
    aper_snapshot_unref(diff->to);
    aper__dealloc(diff->ops);
    aper__dealloc(diff->text);
    aper__dealloc(diff);
}
