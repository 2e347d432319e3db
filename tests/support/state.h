/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of made-up pages, from what the page script would send. */
#ifndef TESTS_STATE_H
#define TESTS_STATE_H

#include "snapshot/snapshot.h"

/* entries is a patch for an empty view, as page/view.h says. */
static inline aper_status state_make(const char *entries, const char *tab,
                                     const char *document, unsigned step,
                                     aper_snapshot **ret_state)
{
    aper__view view = {0};
    aper_snapshot *state = NULL;
    aper_status status = aper__view_patch(&(aper__view){0}, entries, &view);
    if (!status)
        status = aper__snapshot_new(&view, tab, document, &state);
    aper__view_clear(&view);
    if (!status)
        status = aper__snapshot_name(state, 1, step);
    if (status) {
        aper_snapshot_unref(state);
        return status;
    }
    *ret_state = state;
    return APER_OK;
}

#endif
