/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

aper_status aper_diff_compute(const aper_snapshot *from,
                              const aper_snapshot *to, aper_diff **ret_diff)
{
    if (!from || !to || !ret_diff || strcmp(from->tab_id, to->tab_id) != 0)
        return APER_E_INVAL;
    aper_diff *diff = aper__alloc(sizeof *diff);
    if (!diff)
        return APER_E_NOMEM;
    atomic_init(&diff->refs, 1);
    /* Only their counts change. */
    diff->from = aper_snapshot_ref((aper_snapshot *)from);
    diff->to = aper_snapshot_ref((aper_snapshot *)to);
    aper_status status = aper__diff_find_ops(diff);
    if (!status)
        status = aper__diff_write(diff);
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
    return diff ? diff->from->id : "";
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
    return op->kind == '-' ? diff->from->lines[op->old].text
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
    aper_snapshot_unref(diff->from);
    aper_snapshot_unref(diff->to);
    aper__dealloc(diff->ops);
    aper__dealloc(diff->text);
    aper__dealloc(diff);
}
