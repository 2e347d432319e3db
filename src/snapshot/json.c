/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <string.h>

static void put_string(aper__buf *out, const char *text)
{
    aper__buf_putc(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            aper__buf_putc(out, '\\');
        if (c < ' ')
            aper__buf_printf(out, "\\u%04x", c);
        else
            aper__buf_putc(out, (char)c);
    }
    aper__buf_putc(out, '"');
}

static void put_member(aper__buf *out, const char *name, const char *value)
{
    if (!*value)
        return;
    aper__buf_printf(out, ",\"%s\":", name);
    put_string(out, value);
}

static void put_states(aper__buf *out, const char *states)
{
    if (!*states)
        return;
    aper__buf_puts(out, ",\"states\":[");
    while (*states) {
        size_t size = strcspn(states, " ");
        aper__buf_putc(out, '"');
        aper__buf_append(out, states, size);
        states += size;
        aper__buf_puts(out, *states ? "\"," : "\"");
        states += *states ? 1 : 0;
    }
    aper__buf_putc(out, ']');
}

/* Opens the object of an entry; what lies in it may follow. */
static void open_node(aper__buf *out, const aper__entry *entry)
{
    aper__buf_puts(out, "{\"role\":");
    put_string(out, entry->role);
    if (*entry->level)
        aper__buf_printf(out, ",\"level\":%s", entry->level);
    put_member(out, "ref", entry->ref);
    if (entry->twin)
        aper__buf_puts(out, ",\"positional\":true");
    put_member(out, "name", entry->name);
    put_member(out, "value", entry->value);
    put_states(out, entry->states);
    put_member(out, "href", entry->href);
    put_member(out, "note", entry->note);
}

static void put_tree(aper__buf *out, const aper_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++) {
        uint32_t depth = snapshot->items[i].depth;
        uint32_t next = i + 1 < snapshot->count ? snapshot->items[i + 1].depth
                                                : 0;
        open_node(out, snapshot->items[i].entry);
        if (next > depth) {
            aper__buf_puts(out, ",\"children\":[");
            continue;
        }
        aper__buf_putc(out, '}');
        for (; depth > next; depth--)
            aper__buf_puts(out, "]}");
        if (i + 1 < snapshot->count)
            aper__buf_putc(out, ',');
    }
}

aper_status aper_snapshot_to_json(const aper_snapshot *snapshot,
                                  char **ret_json)
{
    aper__buf out = {0};
    if (!snapshot || !ret_json)
        return APER_E_INVAL;
    aper__buf_puts(&out, "{\"id\":");
    put_string(&out, snapshot->id);
    put_member(&out, "url", aper_snapshot_get_url(snapshot));
    put_member(&out, "title", aper_snapshot_get_title(snapshot));
    aper__buf_puts(&out, ",\"page\":");
    put_tree(&out, snapshot);
    aper__buf_putc(&out, '}');
    char *json = aper__buf_take(&out);
    if (!json)
        return APER_E_NOMEM;
    *ret_json = json;
    return APER_OK;
}
