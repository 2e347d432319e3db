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
#define CASES 3000

typedef struct line {
    unsigned ref; /* 0: a text */
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

static line make_line(void)
{
    /* Few texts, so that many lines are alike; each ref only once. */
    static unsigned next_ref = 100000;
    line made = {.text = draw(4)};
    if (draw(2)) {
        made.ref = next_ref++ % 900000 + 1;
        made.text = draw(1000);
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

static void take_out(page *p, size_t at)
{
    p->count--;
    memmove(p->lines + at, p->lines + at + 1,
            (p->count - at) * sizeof *p->lines);
}

static void edit(page *p)
{
    size_t at = draw((unsigned)p->count + 1);
    unsigned how = draw(6);
    if (how == 0)
        p->title++;
    else if (how < 3 || at == p->count)
        insert(p, at);
    else if (how == 3)
        take_out(p, at);
    else if (how == 4)
        p->lines[at].text++;
    else
        p->lines[at].depth = draw(3);
}

static const char *const texts[] = {
    "same", "a \" quote and a \\ backslash", "e123456 x",
    ("A text that is so long that it is not written out whole where a line of "
     "the old state only has to be named, whatever comes after it")};

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
        if (l->ref)
            aper__buf_printf(&out, "\n+2\t%u\t\tbutton\t\te%06u%s\tB %u\t\t\t\t",
                             depth + 1, l->ref, l->ref % 7 ? "" : "*",
                             l->text);
        else
            aper__buf_printf(&out, "\n+2\t%u\t\ttext\t\t\t%s%u\t\t\t\t", depth + 1,
                             texts[l->text % 4], l->text / 4);
    }
    char *entries = aper__buf_take(&out);
    if (state_make(entries, "tab", "doc", 1000000, step, &s))
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
