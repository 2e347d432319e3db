/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"

#include <math.h>
#include <string.h>

/* What changed by itself in that many reads in a row, and that often of late,
 * is not told any more until it stops. */
#define STREAK_MIN 3
#define COUNT_MIN 3.0
#define HALF_LIFE_MS 10000.0

/* The comparison of one line with what it was. */
typedef struct look {
    const aper__watch *watch;
    const char *told; /* what the reader has */
    const char *before; /* what it said at the last read */
    const char *now;
    int64_t elapsed_ms; /* since then */
} look;

/* Whether only strings differ that may be left as they were told. */
static bool differ_in_content(const char *a, const char *b)
{
    aper__contents c;
    aper__string x, y;
    int next;
    aper__contents_begin(&c, a, b);
    while ((next = aper__contents_next(&c, &x, &y)) > 0)
        ;
    return next == 0;
}

static aper_status ticked(const look *l, const char *a, const char *b,
                          int64_t elapsed_ms, bool *ret_ticked)
{
    aper__contents c;
    aper__string x, y;
    aper__contents_begin(&c, a, b);
    while (aper__contents_next(&c, &x, &y) > 0) {
        aper_status status = aper__shapes_ticked(
            l->watch->shapes, x.text, x.size, y.text, y.size, elapsed_ms,
            ret_ticked);
        if (status || !*ret_ticked)
            return status;
    }
    *ret_ticked = true;
    return APER_OK;
}

/* A clock went on; one that was put right is told. */
static aper_status is_clock(const look *l, bool *ret_clock)
{
    aper_status status = ticked(l, l->before, l->now, l->elapsed_ms,
                                ret_clock);
    if (!status && *ret_clock)
        status = ticked(l, l->told, l->now, -1, ret_clock);
    return status;
}

static void count_change(const look *l, aper__note *note)
{
    bool changed = strcmp(l->before, l->now) != 0;
    double age = (double)(l->watch->now_ms - note->counted_ms);
    note->count *= exp2(-age / HALF_LIFE_MS);
    note->counted_ms = l->watch->now_ms;
    if (!changed || !differ_in_content(l->before, l->now)) {
        note->streak = 0;
        note->count = 0;
    } else if (!l->watch->prompted) {
        note->streak++;
        note->count++;
    }
}

static aper_status is_volatile(const look *l, const aper__note *note,
                               bool *ret_volatile)
{
    *ret_volatile = false;
    if (strcmp(l->told, l->now) == 0 || !differ_in_content(l->told, l->now))
        return APER_OK;
    *ret_volatile = note->streak >= STREAK_MIN && note->count >= COUNT_MIN;
    return *ret_volatile ? APER_OK : is_clock(l, ret_volatile);
}

static bool holds(const aper_snapshot *snapshot, size_t line, const char *ref)
{
    const aper__line *at = &snapshot->lines[line];
    for (size_t i = 0; *ref && i < at->count; i++)
        if (strcmp(snapshot->items[at->first + i].entry->ref, ref) == 0)
            return true;
    return false;
}

static bool is_news(const aper__note *note)
{
    return note->text || note->streak;
}

static aper_status add_note(aper__told *told, size_t *capacity,
                            const aper__note *note)
{
    if (told->count == *capacity) {
        size_t more = *capacity ? *capacity * 2 : 8;
        aper__note *notes = aper__realloc(told->notes,
                                          more * sizeof *notes);
        if (!notes)
            return APER_E_NOMEM;
        told->notes = notes;
        *capacity = more;
    }
    told->notes[told->count++] = *note;
    return APER_OK;
}

/* What is remembered of the line now, and whether it is left as it was. */
static aper_status look_at(const look *l, aper__plan *plan, size_t old,
                           size_t now, aper__note *note)
{
    bool leave = false;
    count_change(l, note);
    aper_status status = is_volatile(l, note, &leave);
    if (status || !leave)
        return status;
    note->text = aper__strdup(l->told);
    plan->now[now].text = l->told;
    plan->now[now].hash = plan->old[old].hash;
    return note->text ? APER_OK : APER_E_NOMEM;
}

static aper_status look_at_all(const aper__watch *watch, aper__plan *plan,
                               const aper__told *from, aper__told *told,
                               size_t *ret_count)
{
    const aper_snapshot *to = told->snapshot;
    size_t capacity = 0, next = 0;
    for (size_t j = 0; j < plan->now_count; j++) {
        size_t i = plan->partner[j];
        if (i == APER__LINE_NONE || plan->moved[j])
            continue;
        while (next < from->count && from->notes[next].line < i)
            next++;
        bool noted = next < from->count && from->notes[next].line == i;
        const aper__line *before = &from->snapshot->lines[i];
        if (!noted && before->hash == to->lines[j].hash
            && strcmp(before->text, to->lines[j].text) == 0)
            continue;
        if (holds(to, j, watch->ref))
            continue;
        aper__note note = noted ? from->notes[next] : (aper__note){0};
        note.line = j;
        note.text = NULL;
        const look l = {watch, plan->old[i].text, before->text,
                        to->lines[j].text, watch->now_ms - from->snapshot->read_ms};
        aper_status status = look_at(&l, plan, i, j, &note);
        *ret_count += note.text != NULL;
        if (!status && is_news(&note))
            status = add_note(told, &capacity, &note);
        if (status) {
            aper__dealloc(note.text);
            return status;
        }
    }
    return APER_OK;
}

aper_status aper__watch_plan(const aper__watch *watch, aper__plan *plan,
                             const aper__told *from, const aper_snapshot *to,
                             aper__told **ret_told, size_t *ret_count)
{
    aper__told *told = aper__told_new(to);
    aper_status status = told ? APER_OK : APER_E_NOMEM;
    *ret_count = 0;
    if (!status)
        status = look_at_all(watch, plan, from, told, ret_count);
    if (status) {
        aper__told_unref(told);
        return status;
    }
    *ret_told = told;
    return APER_OK;
}
