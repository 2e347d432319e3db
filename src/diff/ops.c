/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

typedef struct list {
    aper__diff_op *ops;
    size_t count;
} list;

static void add(list *l, char kind, size_t old, size_t now)
{
    l->ops[l->count++] = (aper__diff_op){kind, old, now};
}

static bool stays(const aper__plan *plan, size_t now)
{
    return plan->partner[now] != APER__LINE_NONE && !plan->moved[now];
}

/* What went before old_end and what came before now_end, back to the last
 * lines that stayed. */
static void add_gap(list *l, const aper__plan *plan, size_t old,
                    size_t old_end, size_t now, size_t now_end)
{
    for (; old < old_end; old++)
        if (plan->heir[old] == APER__LINE_NONE)
            add(l, '-', old, now);
    for (; now < now_end; now++)
        add(l, plan->moved[now] ? '>' : '+', plan->partner[now], now);
}

aper_status aper__plan_find_ops(const aper__plan *plan,
                                aper__diff_op **ret_ops, size_t *ret_count)
{
    list l = {.ops = aper__alloc((plan->old_count + plan->now_count + 1)
                                 * sizeof *l.ops)};
    if (!l.ops)
        return APER_E_NOMEM;
    size_t old = 0, now = 0;
    for (size_t j = 0; j < plan->now_count; j++) {
        if (!stays(plan, j))
            continue;
        size_t i = plan->partner[j];
        add_gap(&l, plan, old, i, now, j);
        if (!aper__diff_lines_equal(&plan->old[i], &plan->now[j]))
            add(&l, '~', i, j);
        old = i + 1;
        now = j + 1;
    }
    add_gap(&l, plan, old, plan->old_count, now, plan->now_count);
    *ret_ops = l.ops;
    *ret_count = l.count;
    return APER_OK;
}
