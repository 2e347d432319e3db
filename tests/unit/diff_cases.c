/* SPDX-License-Identifier: Apache-2.0 */
/* Makes up pages, edits them, and prints what an agent would get of both: for
 * each case the old text, the difference and the new text, each ended by a
 * NUL. diff_reader.py rebuilds the new from the other two. */
#include "diff/diff.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 60
#define CASES 4000

enum { TEXT, BUTTON, ROW, CELLS, HOLE, KINDS };

typedef struct line {
    unsigned kind;
    unsigned ref; /* of a button or the first in a row */
    unsigned text;
    unsigned depth;
} line;

typedef struct page {
    line lines[LINES_MAX * 2];
    size_t count;
    unsigned title;
} page;

static uint32_t seed = 20240607;

static unsigned draw(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static unsigned draw_ref(void)
{
    static unsigned next_ref = 100000;
    next_ref += 3; /* each only once, and a row has three */
    return next_ref % 900000 + 1;
}

static line make_line(void)
{
    line made = {.kind = draw(KINDS), .text = draw(4), .depth = draw(4)};
    if (made.kind == BUTTON || made.kind == ROW) {
        made.ref = draw_ref();
        made.text = draw(1000);
    } else if (made.kind == HOLE && draw(4)) {
        made.kind = TEXT; /* few texts, so that many lines are alike */
    }
    return made;
}

static void insert(page *p, size_t at)
{
    if (p->count == LINES_MAX * 2)
        return;
    memmove(p->lines + at + 1, p->lines + at,
            (p->count - at) * sizeof *p->lines);
    p->lines[at] = make_line();
    p->count++;
}

static void take_out(page *p, size_t at, size_t count)
{
    p->count -= count;
    memmove(p->lines + at, p->lines + at + count,
            (p->count - at) * sizeof *p->lines);
}

/* A line and those that lie in it. */
static size_t measure(const page *p, size_t at)
{
    size_t count = 1;
    while (at + count < p->count
           && p->lines[at + count].depth > p->lines[at].depth)
        count++;
    return count;
}

static void move(page *p, size_t at)
{
    line taken[LINES_MAX * 2];
    size_t count = measure(p, at);
    memcpy(taken, p->lines + at, count * sizeof *taken);
    take_out(p, at, count);
    size_t to = draw((unsigned)p->count + 1);
    memmove(p->lines + to + count, p->lines + to,
            (p->count - to) * sizeof *p->lines);
    memcpy(p->lines + to, taken, count * sizeof *taken);
    p->count += count;
    if (draw(3) == 0)
        p->lines[to].text++;
}

static void edit(page *p)
{
    size_t at = draw((unsigned)p->count + 1);
    unsigned how = draw(9);
    if (how == 0)
        p->title++;
    else if (how < 3 || at == p->count)
        insert(p, at);
    else if (how == 3)
        take_out(p, at, 1);
    else if (how == 4)
        take_out(p, at, measure(p, at));
    else if (how == 5)
        p->lines[at].depth = draw(4);
    else if (how < 8)
        move(p, at);
    else
        p->lines[at].text++;
}

static const char *const texts[] = {
    "same", "a \" quote and a \\ backslash", "e123456 x",
    ("A text that is so long that it is not written out whole where a line of "
     "the old state only has to be named, whatever comes after it")};

/* An entry as the page script sends it. */
static void put(aper__buf *out, unsigned depth, const char *flow,
                const char *role, unsigned ref, const char *name,
                unsigned number)
{
    aper__buf_printf(out, "\n+2\t%u\t%s\t%s\t\t", depth, flow, role);
    if (ref) /* some know only their position */
        aper__buf_printf(out, "e%06u%s", ref, ref % 4 ? "" : "*");
    aper__buf_printf(out, "\t%s%u\t\t\t\t", name, number);
}

static void put_line(aper__buf *out, const line *l, unsigned depth)
{
    const char *text = texts[l->text % 4];
    switch (l->kind) {
    case TEXT:
        put(out, depth, "", "text", 0, text, l->text / 4);
        break;
    case BUTTON:
        put(out, depth, "", "button", l->ref, "B ", l->text);
        break;
    case ROW:
        put(out, depth, "", "listitem", 0, "R ", l->text);
        put(out, depth + 1, " ", "link", l->ref, text, 0);
        put(out, depth + 1, " ", "button", l->ref + 1, text, l->text / 4);
        break;
    case CELLS:
        put(out, depth, "", "row", 0, "", l->text);
        put(out, depth + 1, "|", "text", 0, text, l->text / 4);
        put(out, depth + 1, " ", "image", 0, text, l->text / 8);
        break;
    default:
        aper__buf_printf(out, "\n+2\t%u\t\tmore\t\t\t\t\t\t\t%u more "
                         "listitem, expand e%06u", depth, l->text + 2,
                         l->text + 100003);
    }
}

static aper_snapshot *shoot(const page *p, unsigned step)
{
    aper__buf out = {0};
    aper_snapshot *s = NULL;
    aper__buf_printf(&out, "+1\t0\t\tpage\t\t\tTitle %u\t\t\thttp://h/\t",
                     p->title);
    unsigned above = 0;
    for (size_t i = 0; i < p->count; i++) {
        const line *l = &p->lines[i];
        unsigned depth = l->depth < above ? l->depth : above;
        above = depth + 1;
        put_line(&out, l, depth + 1);
    }
    char *entries = aper__buf_take(&out);
    if (state_make(entries, "tab", "doc", step, &s))
        abort();
    aper__dealloc(entries);
    return s;
}

static void print(const char *text)
{
    fwrite(text, 1, strlen(text) + 1, stdout);
}

int main(void)
{
    for (int i = 0; i < CASES; i++) {
        page p = {.count = 0};
        unsigned lines = draw(LINES_MAX);
        for (unsigned n = 0; n < lines; n++)
            insert(&p, p.count);
        aper_snapshot *old = shoot(&p, 0);
        for (unsigned edits = draw(10); edits > 0; edits--)
            edit(&p);
        aper_snapshot *now = shoot(&p, 1);
        aper_diff *diff = NULL;
        if (aper_diff_compute(old, now, &diff))
            abort();
        print(aper_snapshot_get_text(old));
        print(aper_diff_get_text(diff));
        print(aper_snapshot_get_text(now));
        aper_diff_unref(diff);
        aper_snapshot_unref(old);
        aper_snapshot_unref(now);
    }
    return 0;
}
