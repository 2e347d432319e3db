/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <inttypes.h>
#include <string.h>

/* Lines that no ref names are named by their beginning. */
#define NAMED_POINTS 40
#define LONG_REF 1000000000u

/* A reader at work, followed while the operations are written: the lines of
 * the old state that it still has as a list, and where in it it stands. New
 * lines only ever lie behind it, so they need not be followed. */
typedef struct reader {
    const aper__plan *plan;
    aper__buf *out;
    size_t *next; /* by old line; old_count ends the list */
    size_t *prev; /* by old line or old_count; none before the first */
    size_t at; /* the old line that it stands before */
    size_t placed; /* the new line that belongs where it stands */
} reader;

static size_t beginning_of(const char *line)
{
    size_t i = 0, points = 0;
    for (; line[i]; i++)
        if ((line[i] & 0xC0) != 0x80 && ++points > NAMED_POINTS)
            break;
    while (i > 1 && line[i - 1] == ' ')
        i--;
    return i;
}

static void put_ref(aper__buf *out, uint32_t key)
{
    if (key >= LONG_REF)
        aper__buf_printf(out, "e%09" PRIu32, key - LONG_REF);
    else
        aper__buf_printf(out, "e%06" PRIu32, key - 1);
}

static void put_name(const reader *r, size_t old)
{
    const aper__diff_line *line = &r->plan->old[old];
    if (line->key)
        put_ref(r->out, line->key);
    else
        aper__buf_append(r->out, line->text, beginning_of(line->text));
    aper__buf_putc(r->out, '\n');
}

/* The reader's place is passed on by what it steps over, so all these walks
 * together are one walk. */
static size_t count_alike(const reader *r, size_t old)
{
    const char *line = r->plan->old[old].text;
    size_t size = beginning_of(line);
    size_t count = 0;
    for (size_t i = r->at; i != old; i = r->next[i])
        if (strncmp(r->plan->old[i].text, line, size) == 0)
            count++;
    return count + 1;
}

/* "@ after e419733", or how the line begins, and which of several. */
static void put_anchor(reader *r, size_t old)
{
    size_t which = r->plan->old[old].key ? 1 : count_alike(r, old);
    if (which > 1)
        aper__buf_printf(r->out, "@%zu after ", which);
    else
        aper__buf_puts(r->out, "@ after ");
    put_name(r, old);
    r->at = r->next[old];
}

/* To where the new line belongs: behind the one above it, which stayed as it
 * was, or the reader would stand there. */
static void go_to(reader *r, size_t now)
{
    if (r->placed != now)
        put_anchor(r, r->plan->partner[now - 1]);
}

static void take_out(reader *r, size_t old)
{
    size_t prev = r->prev[old], next = r->next[old];
    if (prev != APER__LINE_NONE)
        r->next[prev] = next;
    r->prev[next] = prev;
    if (r->at == old)
        r->at = next;
}

static void put_kind(const reader *r, char kind, size_t count)
{
    if (count > 1)
        aper__buf_printf(r->out, "%c%zu ", kind, count);
    else
        aper__buf_printf(r->out, "%c ", kind);
}

static void put_line(const reader *r, size_t now)
{
    aper__buf_puts(r->out, r->plan->now[now].text);
    aper__buf_putc(r->out, '\n');
}

/* Lines that follow one another and all go. */
static size_t put_removal(reader *r, const aper__diff_op *ops, size_t count)
{
    size_t first = ops[0].old;
    size_t run = 1;
    while (run < count && ops[run].kind == '-'
           && r->next[ops[run - 1].old] == ops[run].old)
        run++;
    if (!r->plan->old[first].key && count_alike(r, first) > 1)
        put_anchor(r, r->prev[first]);
    put_kind(r, '-', run);
    put_name(r, first);
    r->at = first;
    for (size_t i = 0; i < run; i++)
        take_out(r, ops[i].old);
    r->placed = ops[0].now;
    return run;
}

/* Lines that follow one another in both states. */
static size_t put_move(reader *r, const aper__diff_op *ops, size_t count)
{
    const aper__plan *plan = r->plan;
    size_t run = 1;
    while (run < count && ops[run].kind == '>'
           && ops[run].old == ops[run - 1].old + 1
           && ops[run].now == ops[run - 1].now + 1
           && aper__diff_lines_equal(&plan->old[ops[run].old],
                                     &plan->now[ops[run].now]))
        run++;
    go_to(r, ops[0].now);
    put_kind(r, '>', run);
    if (aper__diff_lines_equal(&plan->old[ops[0].old],
                               &plan->now[ops[0].now]))
        put_name(r, ops[0].old);
    else
        put_line(r, ops[0].now);
    for (size_t i = 0; i < run; i++)
        take_out(r, ops[i].old);
    r->placed = ops[run - 1].now + 1;
    return run;
}

/* A line with a ref is found by it; one without has to be next. */
static void put_restated(reader *r, const aper__diff_op *op)
{
    if (!r->plan->now[op->now].key)
        go_to(r, op->now);
    put_kind(r, '~', 1);
    put_line(r, op->now);
    r->at = r->next[op->old];
    r->placed = op->now + 1;
}

static void put_addition(reader *r, const aper__diff_op *op)
{
    go_to(r, op->now);
    put_kind(r, '+', 1);
    put_line(r, op->now);
    r->placed = op->now + 1;
}

static size_t put_op(reader *r, const aper__diff_op *ops, size_t count)
{
    switch (ops[0].kind) {
    case '-':
        return put_removal(r, ops, count);
    case '>':
        return put_move(r, ops, count);
    case '~':
        put_restated(r, ops);
        return 1;
    default:
        put_addition(r, ops);
        return 1;
    }
}

aper_status aper__plan_write(const aper__plan *plan, const aper__diff_op *ops,
                             size_t count, aper__buf *out)
{
    reader r = {.plan = plan, .out = out};
    r.next = aper__alloc((plan->old_count + 1) * sizeof *r.next);
    r.prev = aper__alloc((plan->old_count + 1) * sizeof *r.prev);
    for (size_t i = 0; r.next && r.prev && i <= plan->old_count; i++) {
        r.next[i] = i + 1;
        r.prev[i] = i ? i - 1 : APER__LINE_NONE;
    }
    if (!r.next || !r.prev)
        out->failed = true;
    for (size_t i = 0; !out->failed && i < count;)
        i += put_op(&r, ops + i, count - i);
    aper__dealloc(r.next);
    aper__dealloc(r.prev);
    return out->failed ? APER_E_NOMEM : APER_OK;
}
