/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

/* More edits than this are not worth finding: they would cost an agent more
 * than the page does. */
#define EDITS_MAX 1000

/* The lines that differ, between what both states begin and end with. */
typedef struct middle {
    size_t start;
    size_t old_count;
    size_t now_count;
    uint32_t *ids; /* equal lines have equal numbers; old ones first */
    bool *kept; /* likewise */
} middle;

typedef struct entry {
    const char *line;
    size_t index;
} entry;

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->line, ((const entry *)b)->line);
}

static void trim(const aper_snapshot *from, const aper_snapshot *to,
                 middle *m)
{
    size_t most = from->line_count < to->line_count ? from->line_count : to->line_count;
    size_t start = 0, end = 0;
    while (start < most
           && strcmp(from->lines[start].text, to->lines[start].text) == 0)
        start++;
    while (end < most - start
           && strcmp(from->lines[from->line_count - 1 - end].text,
                     to->lines[to->line_count - 1 - end].text) == 0)
        end++;
    m->start = start;
    m->old_count = from->line_count - start - end;
    m->now_count = to->line_count - start - end;
}

static aper_status number_lines(const aper_snapshot *from,
                                const aper_snapshot *to, middle *m)
{
    size_t count = m->old_count + m->now_count;
    entry *entries = aper__alloc((count + 1) * sizeof *entries);
    m->ids = aper__alloc((count + 1) * sizeof *m->ids);
    m->kept = aper__alloc((count + 1) * sizeof *m->kept);
    if (!entries || !m->ids || !m->kept) {
        aper__dealloc(entries);
        return APER_E_NOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        entries[i].index = i;
        entries[i].line = i < m->old_count
                              ? from->lines[m->start + i].text
                              : to->lines[m->start + i - m->old_count].text;
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    uint32_t id = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(entries[i - 1].line, entries[i].line) != 0)
            id++;
        m->ids[entries[i].index] = id;
    }
    aper__dealloc(entries);
    return APER_OK;
}

/* Is the one line the other, restated? The page's own line, or one that has
 * the same ref. */
static bool is_restated(const aper_diff *diff, size_t old, size_t now)
{
    const aper__entry *a = aper__snapshot_head(diff->from, old);
    const aper__entry *b = aper__snapshot_head(diff->to, now);
    if (old == 0 || now == 0)
        return old == now;
    return *a->ref && strcmp(a->ref, b->ref) == 0;
}

static void add(aper_diff *diff, char kind, size_t old, size_t now)
{
    diff->ops[diff->count++] = (aper__diff_op){kind, old, now};
}

/* Lines old..old_end went and now..now_end came between two kept ones. */
static void add_gap(aper_diff *diff, size_t old, size_t old_end, size_t now,
                    size_t now_end)
{
    while (now < now_end) {
        size_t match = old_end;
        size_t with = now;
        for (; with < now_end && match == old_end; with++)
            for (size_t i = old; i < old_end && match == old_end; i++)
                if (is_restated(diff, i, with))
                    match = i;
        if (match == old_end)
            break;
        with--;
        while (old < match)
            add(diff, '-', old++, 0);
        while (now < with)
            add(diff, '+', match, now++);
        add(diff, '~', old++, now++);
    }
    while (old < old_end)
        add(diff, '-', old++, 0);
    while (now < now_end)
        add(diff, '+', old_end, now++);
}

static void collect(aper_diff *diff, const middle *m)
{
    const bool *old_kept = m->kept;
    const bool *now_kept = m->kept + m->old_count;
    size_t old = 0, now = 0;
    while (old < m->old_count || now < m->now_count) {
        size_t old_start = old, now_start = now;
        while (old < m->old_count && !old_kept[old])
            old++;
        while (now < m->now_count && !now_kept[now])
            now++;
        add_gap(diff, m->start + old_start, m->start + old,
                m->start + now_start, m->start + now);
        /* A kept line on each side. */
        old++;
        now++;
    }
}

static aper_status find(aper_diff *diff, middle *m)
{
    size_t all = diff->from->line_count + diff->to->line_count;
    bool close = false;
    aper_status status = number_lines(diff->from, diff->to, m);
    if (!status)
        status = aper__diff_match(m->ids, m->old_count,
                                  m->ids + m->old_count, m->now_count,
                                  EDITS_MAX, m->kept,
                                  m->kept + m->old_count, &close);
    if (status)
        return status;
    if (!close) {
        diff->reset = true;
        return APER_OK;
    }
    diff->ops = aper__alloc((m->old_count + m->now_count + 1)
                            * sizeof *diff->ops);
    if (!diff->ops)
        return APER_E_NOMEM;
    collect(diff, m);
    /* More than half of the lines changed. */
    if (diff->count * 2 > all) {
        diff->reset = true;
        diff->count = 0;
    }
    return APER_OK;
}

aper_status aper__diff_find_ops(aper_diff *diff)
{
    if (strcmp(diff->from->document, diff->to->document) != 0) {
        diff->reset = true;
        return APER_OK;
    }
    middle m = {0};
    trim(diff->from, diff->to, &m);
    aper_status status = find(diff, &m);
    aper__dealloc(m.ids);
    aper__dealloc(m.kept);
    return status;
}
