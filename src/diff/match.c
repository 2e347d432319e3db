/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

/* Lines with the same ref, or without one and with the same text. */
typedef struct slot {
    const aper__diff_line *line; /* NULL: empty */
    size_t old; /* the first of them, or none */
    size_t now;
    size_t olds;
    size_t nows;
} slot;

typedef struct table {
    slot *slots;
    size_t mask;
    size_t *next; /* of each old line: the next one in its slot */
} table;

/* The lines that differ, between what both states begin and end with. */
typedef struct middle {
    size_t start;
    size_t old_end;
    size_t now_end;
} middle;

static uint32_t mix(uint32_t number)
{
    number ^= number >> 16;
    number *= 0x7feb352du;
    number ^= number >> 15;
    return number;
}

static bool belongs(const slot *s, const aper__diff_line *line)
{
    if (s->line->key || line->key)
        return s->line->key == line->key;
    return aper__diff_lines_equal(s->line, line);
}

static slot *find(const table *t, const aper__diff_line *line)
{
    size_t i = mix(line->key ? line->key : line->hash) & t->mask;
    while (t->slots[i].line && !belongs(&t->slots[i], line))
        i = (i + 1) & t->mask;
    return &t->slots[i];
}

static slot *find_or_add(table *t, const aper__diff_line *line)
{
    slot *s = find(t, line);
    if (!s->line)
        *s = (slot){line, APER__LINE_NONE, APER__LINE_NONE, 0, 0};
    return s;
}

static bool make_table(table *t, const aper__plan *plan)
{
    size_t size = 16;
    while (size < (plan->old_count + plan->now_count) * 2)
        size *= 2;
    t->mask = size - 1;
    t->slots = aper__alloc(size * sizeof *t->slots);
    t->next = aper__alloc((plan->old_count + 1) * sizeof *t->next);
    return t->slots && t->next;
}

static void free_table(table *t)
{
    aper__dealloc(t->slots);
    aper__dealloc(t->next);
}

static void pair(aper__plan *plan, size_t old, size_t now)
{
    plan->partner[now] = old;
    plan->heir[old] = now;
}

static bool is_free(const aper__plan *plan, size_t old, size_t now)
{
    return plan->heir[old] == APER__LINE_NONE
           && plan->partner[now] == APER__LINE_NONE;
}

static void trim(aper__plan *plan, middle *m)
{
    size_t start = 0, old = plan->old_count, now = plan->now_count;
    while (start < old && start < now
           && aper__diff_lines_equal(&plan->old[start], &plan->now[start])) {
        pair(plan, start, start);
        start++;
    }
    while (old > start && now > start
           && aper__diff_lines_equal(&plan->old[old - 1],
                                     &plan->now[now - 1])) {
        old--;
        now--;
        pair(plan, old, now);
    }
    /* The page's own line stays itself. */
    if (start == 0 && old && now) {
        pair(plan, 0, 0);
        start = 1;
    }
    *m = (middle){start, old, now};
}

/* A ref that names two lines of a state names neither. */
static void fill_table(table *t, aper__plan *plan)
{
    for (size_t i = 0; i < plan->old_count; i++)
        if (plan->old[i].key)
            find_or_add(t, &plan->old[i])->olds++;
    for (size_t j = 0; j < plan->now_count; j++)
        if (plan->now[j].key)
            find_or_add(t, &plan->now[j])->nows++;
}

static bool is_ambiguous(const table *t, const aper__diff_line *line)
{
    const slot *s = find(t, line);
    return s->olds > 1 || s->nows > 1;
}

static bool forget_ambiguous_keys(const table *t, aper__plan *plan)
{
    bool *bad = aper__alloc((plan->old_count + plan->now_count + 1)
                            * sizeof *bad);
    if (!bad)
        return false;
    bool *bad_now = bad + plan->old_count;
    for (size_t i = 0; i < plan->old_count; i++)
        bad[i] = plan->old[i].key && is_ambiguous(t, &plan->old[i]);
    for (size_t j = 0; j < plan->now_count; j++)
        bad_now[j] = plan->now[j].key && is_ambiguous(t, &plan->now[j]);
    for (size_t i = 0; i < plan->old_count; i++)
        if (bad[i])
            plan->old[i].key = 0;
    for (size_t j = 0; j < plan->now_count; j++)
        if (bad_now[j])
            plan->now[j].key = 0;
    aper__dealloc(bad);
    return true;
}

static void add_middle(table *t, const aper__plan *plan, const middle *m)
{
    for (size_t i = m->old_end; i-- > m->start;) {
        slot *s = find_or_add(t, &plan->old[i]);
        t->next[i] = s->old;
        s->old = i;
        s->olds++;
    }
    for (size_t j = m->now_end; j-- > m->start;) {
        slot *s = find_or_add(t, &plan->now[j]);
        s->now = j;
        s->nows++;
    }
}

static void pair_unique(const table *t, aper__plan *plan)
{
    for (size_t i = 0; i <= t->mask; i++) {
        const slot *s = &t->slots[i];
        if (s->line && s->olds == 1 && s->nows == 1)
            pair(plan, s->old, s->now);
    }
}

/* Of equal texts, those that stand next to lines that are sure. */
static void pair_neighbours(aper__plan *plan, const middle *m)
{
    for (size_t j = m->start; j < m->now_end; j++) {
        size_t above = plan->partner[j - 1];
        if (above != APER__LINE_NONE && above + 1 < m->old_end
            && is_free(plan, above + 1, j)
            && aper__diff_lines_equal(&plan->old[above + 1], &plan->now[j]))
            pair(plan, above + 1, j);
    }
    for (size_t j = m->now_end; j-- > m->start;) {
        size_t below = j + 1 < plan->now_count ? plan->partner[j + 1]
                                               : plan->old_count;
        if (below != APER__LINE_NONE && below > m->start
            && is_free(plan, below - 1, j)
            && aper__diff_lines_equal(&plan->old[below - 1], &plan->now[j]))
            pair(plan, below - 1, j);
    }
}

/* Of those that remain, the first with the first. */
static void pair_rest(const table *t, aper__plan *plan, const middle *m)
{
    for (size_t j = m->start; j < m->now_end; j++) {
        if (plan->partner[j] != APER__LINE_NONE)
            continue;
        slot *s = find(t, &plan->now[j]);
        while (s->old != APER__LINE_NONE
               && plan->heir[s->old] != APER__LINE_NONE)
            s->old = t->next[s->old];
        if (s->old != APER__LINE_NONE)
            pair(plan, s->old, j);
    }
}

static aper_status find_partners(aper__plan *plan, const middle *m)
{
    table t = {0};
    bool ok = make_table(&t, plan);
    if (ok) {
        fill_table(&t, plan);
        ok = forget_ambiguous_keys(&t, plan);
    }
    if (ok) {
        memset(t.slots, 0, (t.mask + 1) * sizeof *t.slots);
        add_middle(&t, plan, m);
        pair_unique(&t, plan);
        pair_neighbours(plan, m);
        pair_rest(&t, plan, m);
    }
    free_table(&t);
    return ok ? APER_OK : APER_E_NOMEM;
}

/* Marks as moved what is not in a longest run of partners that are in order:
 * the longest increasing subsequence, by patience. */
static aper_status find_moved(aper__plan *plan, const middle *m)
{
    size_t count = m->now_end - m->start;
    size_t *ends = aper__alloc((count + 1) * sizeof *ends); /* of runs, by length */
    size_t *before = aper__alloc((count + 1) * sizeof *before);
    size_t length = 0;
    for (size_t k = 0; ends && before && k < count; k++) {
        size_t old = plan->partner[m->start + k];
        if (old == APER__LINE_NONE)
            continue;
        plan->moved[m->start + k] = true;
        size_t low = 0, high = length;
        while (low < high) {
            size_t half = low + (high - low) / 2;
            if (plan->partner[m->start + ends[half]] < old)
                low = half + 1;
            else
                high = half;
        }
        before[k] = low ? ends[low - 1] : APER__LINE_NONE;
        ends[low] = k;
        if (low == length)
            length++;
    }
    if (ends && before && length)
        for (size_t k = ends[length - 1]; k != APER__LINE_NONE; k = before[k])
            plan->moved[m->start + k] = false;
    bool ok = ends && before;
    aper__dealloc(ends);
    aper__dealloc(before);
    return ok ? APER_OK : APER_E_NOMEM;
}

/* What no ref names can only be moved along with the line before it. */
static void unpair_nameless(aper__plan *plan, const middle *m)
{
    for (size_t j = m->start; j < m->now_end; j++) {
        size_t old = plan->partner[j];
        if (!plan->moved[j] || plan->now[j].key)
            continue;
        if (plan->moved[j - 1] && plan->partner[j - 1] + 1 == old)
            continue;
        plan->moved[j] = false;
        plan->partner[j] = APER__LINE_NONE;
        plan->heir[old] = APER__LINE_NONE;
    }
}

static size_t role_size(const char *text)
{
    return text[0] == '"' ? 1 : strcspn(text, " ");
}

static bool same_role(const aper__diff_line *a, const aper__diff_line *b)
{
    const char *x = a->text + strspn(a->text, " ");
    const char *y = b->text + strspn(b->text, " ");
    size_t size = role_size(x);
    return size == role_size(y) && strncmp(x, y, size) == 0;
}

static bool is_restatable(const aper__diff_line *line, size_t partner)
{
    return line->plain && partner == APER__LINE_NONE;
}

/* Between two lines that stayed, lines without refs that went are taken for
 * those that came: then one line says it. */
static void pair_gap(aper__plan *plan, size_t old, size_t old_end, size_t now,
                     size_t now_end)
{
    for (size_t i = old; i < old_end; i++)
        if (plan->heir[i] != APER__LINE_NONE)
            return; /* on its way elsewhere, and in the way here */
    while (old < old_end && now < now_end) {
        if (!is_restatable(&plan->old[old], plan->heir[old])) {
            old++;
        } else if (!is_restatable(&plan->now[now], plan->partner[now])) {
            now++;
        } else if (same_role(&plan->old[old], &plan->now[now])) {
            pair(plan, old++, now++);
        } else if (old_end - old > now_end - now) {
            old++;
        } else {
            now++;
        }
    }
}

static void pair_gaps(aper__plan *plan, const middle *m)
{
    size_t old = m->start, now = m->start;
    for (size_t j = m->start; j < m->now_end; j++) {
        if (plan->partner[j] == APER__LINE_NONE || plan->moved[j])
            continue;
        size_t next = plan->partner[j];
        pair_gap(plan, old, next, now, j);
        old = next + 1;
        now = j + 1;
    }
    pair_gap(plan, old, m->old_end, now, m->now_end);
}

aper_status aper__plan_match(aper__plan *plan)
{
    middle m;
    trim(plan, &m);
    if (m.start == m.old_end && m.start == m.now_end)
        return APER_OK;
    aper_status status = find_partners(plan, &m);
    if (!status)
        status = find_moved(plan, &m);
    if (status)
        return status;
    unpair_nameless(plan, &m);
    pair_gaps(plan, &m);
    return APER_OK;
}
