/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

/* Room for " … 100000 more nodes not shown". */
#define REST_TOKENS 16

/* How many lines from the first on fit. A cut never leaves out a line and
 * shows a later one, which would then seem to lie elsewhere. */
static size_t count_fitting(const aper_snapshot *snapshot, uint32_t tokens)
{
    uint64_t used = 0;
    size_t before_rest = 0;
    for (size_t i = 0; i < snapshot->line_count; i++) {
        const char *line = snapshot->lines[i].text;
        /* One more for the line feed. */
        used += aper__tokens_estimate(line, strlen(line)) + 1;
        if (used > tokens)
            return before_rest;
        if (used + REST_TOKENS <= tokens)
            before_rest = i + 1;
    }
    return snapshot->line_count;
}

static char *make_body(const aper_snapshot *snapshot, uint32_t tokens)
{
    aper__buf body = {0};
    size_t shown = count_fitting(snapshot, tokens);
    for (size_t i = 0; i < shown; i++) {
        aper__buf_puts(&body, snapshot->lines[i].text);
        aper__buf_putc(&body, '\n');
    }
    if (shown < snapshot->line_count)
        aper__buf_printf(&body, " … %zu more nodes not shown\n",
                         snapshot->count - snapshot->lines[shown].first);
    return aper__buf_take(&body);
}

aper_status aper__snapshot_name(aper_snapshot *snapshot, unsigned epoch,
                                unsigned step)
{
    aper__buf out = {0};
    snprintf(snapshot->id, sizeof snapshot->id, "%u.%u", epoch, step);
    aper__buf_printf(&out, "FULL SNAPSHOT #%s — replaces all prior state\n",
                     snapshot->id);
    uint32_t spent = aper__tokens_estimate(out.data ? out.data : "", out.size)
                     + APER__FENCE_TOKENS;
    /* The estimate may be a twentieth too low. */
    char *body = make_body(snapshot,
                           snapshot->budget - snapshot->budget / 20 - spent);
    if (!body) {
        aper__buf_free(&out);
        return APER_E_NOMEM;
    }
    aper__fence fence;
    aper__fence_make(&fence, body);
    aper__fence_open(&fence, &out);
    aper__buf_puts(&out, body);
    aper__fence_close(&fence, &out);
    aper__dealloc(body);
    size_t size = out.size;
    snapshot->text = aper__buf_take(&out);
    if (!snapshot->text)
        return APER_E_NOMEM;
    snapshot->tokens = aper__tokens_estimate(snapshot->text, size);
    return APER_OK;
}
