/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

/* A difference of more lines than this share of the page, in percent, would
 * cost a reader more than the page read anew. */
#define RESET_PERCENT 50

static aper_diff *make(const aper_snapshot *from, const aper_snapshot *to)
{
    aper_diff *diff = aper__alloc(sizeof *diff);
    if (!diff)
        return NULL;
    atomic_init(&diff->refs, 1);
    /* Only its count changes. */
    diff->to = aper_snapshot_ref((aper_snapshot *)to);
    diff->from = aper__told_new(from);
    if (diff->from)
        return diff;
    aper_diff_unref(diff);
    return NULL;
}

static bool is_too_much(const aper__plan *plan, size_t count)
{
    size_t most = plan->old_count > plan->now_count ? plan->old_count
                                                    : plan->now_count;
    return count * 100 > most * RESET_PERCENT;
}

static aper_status compare(aper_diff *diff, aper__buf *script)
{
    aper__plan plan;
    aper_status status = aper__plan_make(&plan, diff->from, diff->to);
    if (!status)
        status = aper__plan_match(&plan);
    if (!status)
        status = aper__plan_find_ops(&plan, &diff->ops, &diff->count);
    if (!status && is_too_much(&plan, diff->count)) {
        diff->reset = true;
        diff->count = 0;
    }
    if (!status)
        status = aper__plan_write(&plan, diff->ops, diff->count, script);
    aper__plan_clear(&plan);
    return status;
}

aper_status aper_diff_compute(const aper_snapshot *from,
                              const aper_snapshot *to, aper_diff **ret_diff)
{
    if (!from || !to || !ret_diff || strcmp(from->tab_id, to->tab_id) != 0)
        return APER_E_INVAL;
    aper__buf script = {0};
    aper_status status = APER_OK;
    aper_diff *diff = make(from, to);
    if (!diff)
        return APER_E_NOMEM;
    if (strcmp(from->document, to->document) != 0)
        diff->reset = true;
    else
        status = compare(diff, &script);
    if (!status)
        status = aper__diff_write(diff, script.data);
    aper__buf_free(&script);
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
    return diff ? diff->from->snapshot->id : "";
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
    aper_snapshot_unref(diff->to);
    aper__dealloc(diff->ops);
    aper__dealloc(diff->text);
    aper__dealloc(diff);
}
