/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

/* Lines of the old state are named by their beginning. */
#define NAMED_POINTS 80
/* Of the one line that says so; counted with the real tokenizer, for numbers
 * of up to three digits. */
#define EMPTY_TOKENS 9

static size_t beginning_of(const char *line)
{
    size_t i = 0, points = 0;
    for (; line[i]; i++)
        if ((line[i] & 0xC0) != 0x80 && ++points > NAMED_POINTS)
            return i;
    return i;
}

/* How many lines from first to last, both included, begin as last does. */
static size_t count_alike(const aper_snapshot *old, size_t first, size_t last)
{
    size_t size = beginning_of(old->lines[last].text);
    size_t count = 0;
    for (size_t i = first; i <= last; i++)
        if (strncmp(old->lines[i].text, old->lines[last].text, size) == 0)
            count++;
    return count;
}

static void put_beginning(aper__buf *out, const char *line)
{
    aper__buf_append(out, line, beginning_of(line));
    aper__buf_putc(out, '\n');
}

/* "@ after e419733", or the line itself, and which of several. */
static void put_anchor(aper__buf *out, const aper_snapshot *old, size_t first,
                       size_t line)
{
    const char *ref = aper__snapshot_head(old, line)->ref;
    if (*ref) {
        aper__buf_printf(out, "@ after %s\n", ref);
        return;
    }
    size_t which = count_alike(old, first, line);
    if (which > 1)
        aper__buf_printf(out, "@%zu after ", which);
    else
        aper__buf_puts(out, "@ after ");
    put_beginning(out, old->lines[line].text);
}

/* Does the operation itself say where it belongs, for a reader who is about to
 * look at line first of the old state? */
static bool places_itself(const aper_diff *diff, const aper__diff_op *op,
                          size_t first)
{
    if (op->old == first)
        return true;
    if (op->kind == '~')
        return op->old > 0;
    return op->kind == '-' && count_alike(diff->from, first, op->old) == 1;
}

static void put_ops(aper__buf *out, const aper_diff *diff)
{
    size_t first = 0;
    for (size_t i = 0; i < diff->count; i++) {
        const aper__diff_op *op = &diff->ops[i];
        if (!places_itself(diff, op, first))
            put_anchor(out, diff->from, first, op->old - 1);
        aper__buf_printf(out, "%c ", op->kind);
        if (op->kind == '-') {
            put_beginning(out, diff->from->lines[op->old].text);
        } else {
            aper__buf_puts(out, diff->to->lines[op->now].text);
            aper__buf_putc(out, '\n');
        }
        first = op->kind == '+' ? op->old : op->old + 1;
    }
}

static aper_status write_difference(aper_diff *diff)
{
    aper__buf ops = {0};
    aper__buf out = {0};
    put_ops(&ops, diff);
    char *body = aper__buf_take(&ops);
    if (!body)
        return APER_E_NOMEM;
    aper__fence fence;
    aper__fence_make(&fence, body);
    aper__buf_printf(&out, "diff #%s → #%s\n", diff->from->id, diff->to->id);
    aper__fence_open(&fence, &out);
    aper__buf_puts(&out, body);
    aper__fence_close(&fence, &out);
    aper__dealloc(body);
    size_t size = out.size;
    diff->text = aper__buf_take(&out);
    if (!diff->text)
        return APER_E_NOMEM;
    diff->tokens = aper__tokens_estimate(diff->text, size);
    return APER_OK;
}

static aper_status write_empty(aper_diff *diff)
{
    aper__buf out = {0};
    aper__buf_printf(&out, "nothing changed since #%s\n", diff->from->id);
    diff->text = aper__buf_take(&out);
    diff->tokens = EMPTY_TOKENS;
    return diff->text ? APER_OK : APER_E_NOMEM;
}

aper_status aper__diff_write(aper_diff *diff)
{
    if (diff->reset) {
        diff->text = aper__strdup(diff->to->text);
        diff->tokens = diff->to->tokens;
        return diff->text ? APER_OK : APER_E_NOMEM;
    }
    return diff->count ? write_difference(diff) : write_empty(diff);
}
