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

/* What was cut is followed by a hash of the whole, so that a change behind the
 * cut shows. */
static unsigned short_hash(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash & 0xFFFFFF;
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

void aper__render_line(aper__buf *out, const aper__node *node,
                       const char *site)
{
    bool is_text = strcmp(node->role, "text") == 0;
    for (uint32_t i = 0; i < node->depth; i++)
        aper__buf_putc(out, ' ');
    aper__buf_printf(out, "%s%s", node->role, node->level);
    if (*node->ref)
        aper__buf_printf(out, " %s%s", node->ref, node->twin ? "*" : "");
    if (*node->name) {
        aper__buf_putc(out, ' ');
        put_quoted(out, node->name, is_text ? TEXT_MAX_SHOWN
                                            : NAME_MAX_SHOWN);
    }
    if (*node->value) {
        aper__buf_puts(out, " =");
        put_quoted(out, node->value, NAME_MAX_SHOWN);
    }
    if (*node->href && node->depth == 0)
        put_address(out, node->href);
    else if (*node->href)
        put_target(out, node->href, site);
    if (*node->states)
        aper__buf_printf(out, " %s", node->states);
    if (*node->note)
        aper__buf_printf(out, " %s", node->note);
}
