/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

/* Of the one line that says that nothing changed; counted with the real
 * tokenizer, for numbers of up to three digits. */
#define EMPTY_TOKENS 8
#define EMPTY_VOLATILE_TOKENS 10

static void put_header(aper__buf *out, const aper_diff *diff)
{
    size_t count = diff->volatile_count;
    aper__buf_printf(out, "diff #%s → #%s", diff->from->snapshot->id,
                     diff->to->id);
    if (count)
        aper__buf_printf(out, " (%zu volatile)", count);
    aper__buf_putc(out, '\n');
}

static void write_difference(aper_diff *diff, char *script, aper__buf *out)
{
    aper__fence fence;
    aper__fence_make(&fence, script);
    put_header(out, diff);
    aper__fence_open(&fence, out);
    aper__buf_puts(out, script);
    aper__fence_close(&fence, out);
}

static void write_empty(const aper_diff *diff, aper__buf *out)
{
    const char *id = diff->from->snapshot->id;
    if (diff->volatile_count)
        aper__buf_printf(out, "nothing since #%s (%zu volatile)\n", id,
                         diff->volatile_count);
    else
        aper__buf_printf(out, "nothing changed since #%s\n", id);
}

/* The whole new text, with what died before the fence. */
static void write_reset(const aper_diff *diff, const char *gone,
                        aper__buf *out)
{
    const char *text = diff->to->text;
    size_t header = strcspn(text, "\n") + 1;
    aper__buf_append(out, text, header);
    aper__buf_puts(out, gone ? gone : "");
    aper__buf_puts(out, text + header);
}

aper_status aper__diff_write(aper_diff *diff, char *script, const char *gone)
{
    aper__buf out = {0};
    if (diff->reset)
        write_reset(diff, gone, &out);
    else if (diff->count)
        write_difference(diff, script, &out);
    else
        write_empty(diff, &out);
    size_t size = out.size;
    diff->text = aper__buf_take(&out);
    if (!diff->text)
        return APER_E_NOMEM;
    if (diff->reset || diff->count)
        diff->tokens = aper__tokens_estimate(diff->text, size);
    else
        diff->tokens = diff->volatile_count ? EMPTY_VOLATILE_TOKENS
                                            : EMPTY_TOKENS;
    return APER_OK;
}
