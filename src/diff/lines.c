/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

/* Refs have six digits or nine, and leading zeros. */
#define LONG_REF 1000000000u

static uint32_t number_of(const char *ref)
{
    uint32_t number = (uint32_t)strtoul(ref + 1, NULL, 10);
    return strlen(ref) > 7 ? LONG_REF + number : number + 1;
}

static bool shows_ref(const aper__entry *entry)
{
    return *entry->ref && strcmp(entry->role, "more") != 0
           && strcmp(entry->role, "text") != 0;
}

/* A line is named by the first ref in it that is sure, or else the first. */
static void find_key(const aper_snapshot *snapshot, const aper__line *from,
                     aper__diff_line *line)
{
    line->plain = true;
    for (size_t i = 0; i < from->count; i++) {
        const aper__entry *entry = snapshot->items[from->first + i].entry;
        if (!shows_ref(entry))
            continue;
        if (!line->key || !entry->twin)
            line->key = number_of(entry->ref);
        line->plain = false;
        if (!entry->twin)
            return;
    }
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a, as snapshots do */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static aper__diff_line *make_lines(const aper_snapshot *snapshot)
{
    aper__diff_line *lines = aper__alloc((snapshot->line_count + 1)
                                         * sizeof *lines);
    for (size_t i = 0; lines && i < snapshot->line_count; i++) {
        const aper__line *line = &snapshot->lines[i];
        lines[i].text = line->text;
        lines[i].hash = line->hash;
        find_key(snapshot, line, &lines[i]);
    }
    return lines;
}

aper_status aper__plan_make(aper__plan *plan, const aper__told *from,
                            const aper_snapshot *to)
{
    *plan = (aper__plan){.old_count = from->snapshot->line_count,
                         .now_count = to->line_count};
    plan->old = make_lines(from->snapshot);
    plan->now = make_lines(to);
    plan->partner = aper__alloc((plan->now_count + 1)
                                * sizeof *plan->partner);
    plan->heir = aper__alloc((plan->old_count + 1) * sizeof *plan->heir);
    plan->moved = aper__alloc((plan->now_count + 1) * sizeof *plan->moved);
    if (!plan->old || !plan->now || !plan->partner || !plan->heir
        || !plan->moved)
        return APER_E_NOMEM;
    for (size_t i = 0; i < from->count; i++) {
        const aper__note *note = &from->notes[i];
        if (note->text) {
            plan->old[note->line].text = note->text;
            plan->old[note->line].hash = hash_of(note->text);
        }
    }
    for (size_t i = 0; i < plan->now_count; i++)
        plan->partner[i] = APER__LINE_NONE;
    for (size_t i = 0; i < plan->old_count; i++)
        plan->heir[i] = APER__LINE_NONE;
    return APER_OK;
}

void aper__plan_clear(aper__plan *plan)
{
    aper__dealloc(plan->old);
    aper__dealloc(plan->now);
    aper__dealloc(plan->partner);
    aper__dealloc(plan->heir);
    aper__dealloc(plan->moved);
    *plan = (aper__plan){0};
}

bool aper__diff_lines_equal(const aper__diff_line *a,
                            const aper__diff_line *b)
{
    return a->hash == b->hash && strcmp(a->text, b->text) == 0;
}
