/* SPDX-License-Identifier: Apache-2.0 */
/* What the library holds of a page: entries in document order. */
#ifndef APER_VIEW_H
#define APER_VIEW_H

#include "base/base.h"

/* One node as it was last sent: immutable, counted, shared by all states in
 * which it did not change. All strings but the line lie in its own memory. */
typedef struct aper__entry {
    aper__refs refs;
    uint64_t id; /* of the node, in its world */
    char flow; /* NUL begins a line; ' ' or '|' goes on with that before */
    bool noted; /* its ref is among those that were given out */
    bool twin; /* only its position tells it from others */
    const char *role; /* "more" counts what is not shown */
    const char *level; /* of a heading, else "" */
    const char *ref; /* "" if it cannot be acted on */
    const char *name;
    const char *value;
    const char *states;
    const char *href;
    const char *note; /* ours, not the page's */
    /* Rendered without indentation; NULL until src/snapshot does that, before
     * the entry is shared. */
    char *line;
    size_t name_at; /* where a name stands, or would, in the line */
    char text[];
} aper__entry;

void aper__entry_unref(aper__entry *entry);

typedef struct aper__item {
    aper__entry *entry;
    uint32_t depth;
} aper__item;

/* Entries in document order; the first is the page. */
typedef struct aper__view {
    aper__item *items;
    size_t count;
} aper__view;

#define APER__DEPTH_MAX 1000

/* Makes the view that follows old by what the page script sent: lines that
 * begin with "=N" keep the next N entries of old, with "-N" drop them, with
 * "+" bring one: id, depth, flow, role, level, ref, name, value, states, href,
 * note, parted by tabs. PROTOCOL if it does not cover old exactly or makes no
 * tree. */
aper_status aper__view_patch(const aper__view *old, const char *patch,
                             aper__view *ret_view);
/* A copy of entry with another note; NULL without memory. */
aper__entry *aper__entry_with_note(const aper__entry *entry,
                                   const char *note);
void aper__view_clear(aper__view *view);
/* Adds a reference to entry at the end; false without memory. *capacity is the
 * caller's, 0 at first. */
bool aper__view_add(aper__view *view, size_t *capacity, aper__entry *entry,
                    uint32_t depth);

#endif
