/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

static char *make_body(const aper_snapshot *snapshot)
{
    aper__buf body = {0};
    for (size_t i = 0; i < snapshot->line_count; i++) {
        aper__buf_puts(&body, snapshot->lines[i].text);
        aper__buf_putc(&body, '\n');
    }
    return aper__buf_take(&body);
}

aper_status aper__snapshot_name(aper_snapshot *snapshot, unsigned epoch,
                                unsigned step)
{
    aper__buf out = {0};
    snapshot->epoch = epoch;
    snapshot->step = step;
    snprintf(snapshot->id, sizeof snapshot->id, "%u.%u", epoch, step);
    aper__buf_printf(&out, "FULL SNAPSHOT #%s — replaces all prior state\n",
                     snapshot->id);
    char *body = make_body(snapshot);
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
    aper__dealloc(snapshot->text);
    snapshot->text = aper__buf_take(&out);
    if (!snapshot->text)
        return APER_E_NOMEM;
    snapshot->tokens = aper__tokens_estimate(snapshot->text, size);
    return APER_OK;
}
