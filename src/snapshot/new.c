/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <string.h>

static aper_status share(aper_snapshot *snapshot, const aper__view *view)
{
    snapshot->items = aper__alloc((view->count + 1) * sizeof *view->items);
    if (!snapshot->items)
        return APER_E_NOMEM;
    const char *site = view->items[0].entry->href;
    for (size_t i = 0; i < view->count; i++) {
        aper__entry *entry = view->items[i].entry;
        aper_status status = aper__render_entry(entry, i == 0, site);
        if (status)
            return status;
        aper__ref(&entry->refs);
        snapshot->items[snapshot->count++] = view->items[i];
    }
    return APER_OK;
}

aper_status aper__snapshot_new(const aper__view *view, const char *tab_id,
                               const char *document,
                               aper_snapshot **ret_snapshot)
{
    aper_snapshot *snapshot = aper__alloc(sizeof *snapshot);
    if (!snapshot)
        return APER_E_NOMEM;
    atomic_init(&snapshot->refs, 1);
    snapshot->read_ms = aper__now_ms();
    snapshot->tab_id = aper__strdup(tab_id);
    snprintf(snapshot->document, sizeof snapshot->document, "%s", document);
    aper_status status = snapshot->tab_id ? share(snapshot, view)
                                          : APER_E_NOMEM;
    if (!status)
        status = aper__render_lines(snapshot);
    if (status) {
        aper_snapshot_unref(snapshot);
        return status;
    }
    *ret_snapshot = snapshot;
    return APER_OK;
}

const aper__entry *aper__snapshot_head(const aper_snapshot *snapshot,
                                       size_t line)
{
    return snapshot->items[snapshot->lines[line].first].entry;
}
