/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <string.h>

const char *aper_snapshot_get_text(const aper_snapshot *snapshot)
{
    return snapshot ? snapshot->text : "";
}

const char *aper_snapshot_get_id(const aper_snapshot *snapshot)
{
    return snapshot ? snapshot->id : "";
}

const char *aper_snapshot_get_url(const aper_snapshot *snapshot)
{
    if (!snapshot)
        return "";
    return snapshot->url ? snapshot->url : snapshot->items[0].entry->href;
}

const char *aper_snapshot_get_title(const aper_snapshot *snapshot)
{
    if (!snapshot)
        return "";
    return snapshot->title ? snapshot->title : snapshot->items[0].entry->name;
}

uint32_t aper_snapshot_get_token_estimate(const aper_snapshot *snapshot)
{
    return snapshot ? snapshot->tokens : 0;
}

size_t aper_snapshot_get_node_count(const aper_snapshot *snapshot)
{
    return snapshot ? snapshot->count : 0;
}

static const aper__entry *node_at(const aper_snapshot *snapshot, size_t index)
{
    return snapshot && index < snapshot->count ? snapshot->items[index].entry
                                               : NULL;
}

uint32_t aper_snapshot_get_node_depth(const aper_snapshot *snapshot,
                                      size_t index)
{
    return node_at(snapshot, index) ? snapshot->items[index].depth : 0;
}

const char *aper_snapshot_get_node_role(const aper_snapshot *snapshot,
                                        size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->role : NULL;
}

const char *aper_snapshot_get_node_name(const aper_snapshot *snapshot,
                                        size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->name : NULL;
}

const char *aper_snapshot_get_node_value(const aper_snapshot *snapshot,
                                         size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->value : NULL;
}

const char *aper_snapshot_get_node_states(const aper_snapshot *snapshot,
                                          size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->states : NULL;
}

const char *aper_snapshot_get_node_href(const aper_snapshot *snapshot,
                                        size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->href : NULL;
}

const char *aper_snapshot_get_node_ref(const aper_snapshot *snapshot,
                                       size_t index)
{
    const aper__entry *node = node_at(snapshot, index);
    return node ? node->ref : NULL;
}

size_t aper_snapshot_find_text(const aper_snapshot *snapshot,
                               const char *text, size_t start)
{
    if (!snapshot || !text)
        return APER_NODE_NONE;
    for (size_t i = start; i < snapshot->count; i++) {
        const aper__entry *entry = snapshot->items[i].entry;
        if (aper__ascii_caseless_contains(entry->name, text)
            || aper__ascii_caseless_contains(entry->value, text))
            return i;
    }
    return APER_NODE_NONE;
}

size_t aper_snapshot_find_ref(const aper_snapshot *snapshot, const char *ref)
{
    char plain[APER__REF_SIZE];
    if (!snapshot || !aper__page_parse_ref(ref, plain))
        return APER_NODE_NONE;
    for (size_t i = 0; i < snapshot->count; i++)
        if (strcmp(snapshot->items[i].entry->ref, plain) == 0)
            return i;
    return APER_NODE_NONE;
}

aper_snapshot *aper_snapshot_ref(aper_snapshot *snapshot)
{
    if (snapshot)
        aper__ref(&snapshot->refs);
    return snapshot;
}

void aper_snapshot_unref(aper_snapshot *snapshot)
{
    if (!snapshot || !aper__unref(&snapshot->refs))
        return;
    for (size_t i = 0; i < snapshot->count; i++)
        aper__entry_unref(snapshot->items[i].entry);
    aper__dealloc(snapshot->items);
    aper__dealloc(snapshot->rendered);
    aper__dealloc(snapshot->lines);
    aper__dealloc(snapshot->tab_id);
    aper__dealloc(snapshot->title);
    aper__dealloc(snapshot->url);
    aper__dealloc(snapshot->text);
    aper__dealloc(snapshot);
}
