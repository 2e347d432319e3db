/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <string.h>

/* Code points shown; longer text ends in "…" and its length is said. */
#define NAME_MAX_SHOWN 200
#define TEXT_MAX_SHOWN 500
#define HREF_MAX_SHOWN 120

static size_t count_points(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        if ((*text & 0xC0) != 0x80)
            count++;
    return count;
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* What was cut is followed by a hash of the whole, so that a change behind the
 * cut shows. */
static unsigned short_hash(const char *text)
{
    return hash_of(text) & 0xFFFFFF;
}

static void put_quoted(aper__buf *out, const char *text, size_t max)
{
    aper__text_quote(out, text, strlen(text), max);
    size_t count = count_points(text);
    if (count > max)
        aper__buf_printf(out, " (%zu characters ~%06x)", count,
                         short_hash(text));
}

/* Whether both addresses begin with the same scheme and host; *ret_size is
 * how long that beginning is. */
static bool same_site(const char *href, const char *site, size_t *ret_size)
{
    const char *host = strstr(site, "://");
    if (!host)
        return false;
    size_t size = (size_t)(host + 3 - site) + strcspn(host + 3, "/?#");
    *ret_size = size;
    return strncmp(href, site, size) == 0
           && (href[size] == '\0' || strchr("/?#", href[size]));
}

/* Addresses stand unquoted, so nothing in them may look like what follows. */
static void put_address(aper__buf *out, const char *address)
{
    aper__buf clean = {0};
    aper__text_clean(&clean, address, strlen(address), HREF_MAX_SHOWN);
    if (clean.failed)
        out->failed = true;
    aper__buf_putc(out, ' ');
    for (size_t i = 0; i < clean.size; i++) {
        if (clean.data[i] == ' ')
            aper__buf_puts(out, "%20");
        else if (clean.data[i] == '"')
            aper__buf_puts(out, "%22");
        else
            aper__buf_putc(out, clean.data[i]);
    }
    if (count_points(address) > HREF_MAX_SHOWN)
        aper__buf_printf(out, "~%06x", short_hash(address));
    aper__buf_free(&clean);
}

static void put_target(aper__buf *out, const char *href, const char *site)
{
    size_t own = 0;
    if (same_site(href, site, &own))
        href += own;
    put_address(out, *href ? href : "/");
}

static void put_name(aper__buf *out, const char *name, size_t max)
{
    if (*name) {
        aper__buf_putc(out, ' ');
        put_quoted(out, name, max);
    }
}

static void put_entry(aper__buf *out, aper__entry *entry, bool is_page,
                      const char *site)
{
    aper__buf_printf(out, "%s%s", entry->role, entry->level);
    if (*entry->ref)
        aper__buf_printf(out, " %s%s", entry->ref, entry->twin ? "*" : "");
    entry->name_at = out->size;
    put_name(out, entry->name, NAME_MAX_SHOWN);
    if (*entry->value) {
        aper__buf_puts(out, " =");
        put_quoted(out, entry->value, NAME_MAX_SHOWN);
    }
    if (*entry->href && is_page)
        put_address(out, entry->href);
    else if (*entry->href)
        put_target(out, entry->href, site);
    if (*entry->states)
        aper__buf_printf(out, " %s", entry->states);
    if (*entry->note)
        aper__buf_printf(out, " %s", entry->note);
}

static bool is_text(const aper__entry *entry)
{
    return strcmp(entry->role, "text") == 0;
}

aper_status aper__render_entry(aper__entry *entry, bool is_page,
                               const char *site)
{
    aper__buf out = {0};
    if (entry->line)
        return APER_OK;
    if (strcmp(entry->role, "more") == 0) {
        aper__buf_printf(&out, "… %s", entry->note);
    } else if (is_text(entry)) {
        put_quoted(&out, entry->name, TEXT_MAX_SHOWN);
        if (*entry->states)
            aper__buf_printf(&out, " %s", entry->states);
    } else {
        put_entry(&out, entry, is_page, site);
    }
    entry->line = aper__buf_take(&out);
    return entry->line ? APER_OK : APER_E_NOMEM;
}

/* A text behind an item that has no name would look like one, unless it lies
 * inside of that. */
static bool needs_empty_name(const aper_snapshot *snapshot, size_t i,
                             size_t end)
{
    const aper__item *item = &snapshot->items[i];
    return i + 1 < end && !*item->entry->name && !is_text(item->entry)
           && is_text(item[1].entry) && item[1].depth <= item->depth
           && item[1].entry->flow == ' ';
}

static void put_line(aper__buf *out, const aper_snapshot *snapshot,
                     const aper__line *line)
{
    size_t end = line->first + line->count;
    for (uint32_t i = 0; i < line->depth; i++)
        aper__buf_putc(out, ' ');
    for (size_t i = line->first; i < end; i++) {
        const aper__entry *entry = snapshot->items[i].entry;
        if (i > line->first)
            aper__buf_puts(out, entry->flow == '|' ? " | " : " ");
        if (needs_empty_name(snapshot, i, end)) {
            aper__buf_append(out, entry->line, entry->name_at);
            aper__buf_puts(out, " \"\"");
            aper__buf_puts(out, entry->line + entry->name_at);
        } else {
            aper__buf_puts(out, entry->line);
        }
    }
    aper__buf_putc(out, '\0');
}

static size_t count_lines(const aper_snapshot *snapshot)
{
    size_t count = 0;
    for (size_t i = 0; i < snapshot->count; i++)
        if (!snapshot->items[i].entry->flow)
            count++;
    return count;
}

aper_status aper__render_lines(aper_snapshot *snapshot)
{
    aper__buf out = {0};
    size_t count = count_lines(snapshot);
    snapshot->lines = aper__alloc((count + 1) * sizeof *snapshot->lines);
    if (!snapshot->lines)
        return APER_E_NOMEM;
    for (size_t i = 0; i < snapshot->count;) {
        aper__line *line = &snapshot->lines[snapshot->line_count++];
        line->first = i++;
        line->depth = snapshot->items[line->first].depth;
        while (i < snapshot->count && snapshot->items[i].entry->flow)
            i++;
        line->count = i - line->first;
        put_line(&out, snapshot, line);
    }
    snapshot->rendered = aper__buf_take(&out);
    if (!snapshot->rendered)
        return APER_E_NOMEM;
    const char *text = snapshot->rendered;
    for (size_t i = 0; i < count; i++) {
        snapshot->lines[i].text = text;
        snapshot->lines[i].hash = hash_of(text);
        text += strlen(text) + 1;
    }
    return APER_OK;
}
