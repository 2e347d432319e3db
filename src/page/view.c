/* SPDX-License-Identifier: Apache-2.0 */
#include "page/view.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 11

void aper__entry_unref(aper__entry *entry)
{
    if (!entry || !aper__unref(&entry->refs))
        return;
    aper__dealloc(entry->line);
    aper__dealloc(entry);
}

void aper__view_clear(aper__view *view)
{
    for (size_t i = 0; i < view->count; i++)
        aper__entry_unref(view->items[i].entry);
    aper__dealloc(view->items);
    *view = (aper__view){0};
}

/* Takes the caller's reference, also on failure. */
static bool push(aper__view *view, size_t *capacity, aper__entry *entry,
                 uint32_t depth)
{
    if (view->count == *capacity) {
        size_t more = *capacity ? *capacity * 2 : 64;
        aper__item *items = aper__realloc(view->items, more * sizeof *items);
        if (!items) {
            aper__entry_unref(entry);
            return false;
        }
        view->items = items;
        *capacity = more;
    }
    view->items[view->count++] = (aper__item){entry, depth};
    return true;
}

bool aper__view_add(aper__view *view, size_t *capacity, aper__entry *entry,
                    uint32_t depth)
{
    aper__ref(&entry->refs);
    return push(view, capacity, entry, depth);
}

/* Our own words: lower case letters, spaces, digits and a few marks. */
static bool is_word(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz -")] == '\0';
}

static bool parse_number(const char *text, unsigned long long max,
                         unsigned long long *ret_number)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18 || text[digits])
        return false;
    *ret_number = strtoull(text, NULL, 10);
    return *ret_number <= max;
}

/* Cuts the entry's own copy of a line into its columns. */
static bool parse_entry(aper__entry *entry, uint32_t *ret_depth)
{
    char *columns[COLUMNS];
    char *line = entry->text;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strsep(&line, "\t");
        if (!columns[i])
            return false;
    }
    unsigned long long id, depth;
    char plain[APER__REF_SIZE];
    char *ref = columns[5];
    size_t size = strlen(ref);
    if (line || !parse_number(columns[0], UINT64_MAX, &id)
        || !parse_number(columns[1], APER__DEPTH_MAX, &depth)
        || strlen(columns[2]) > 1 || !strchr(" |", *columns[2])
        || !*columns[3] || !is_word(columns[3]) || !is_word(columns[8])
        || strspn(columns[4], "0123456789") != strlen(columns[4])
        || (*ref && !aper__page_parse_ref(ref, plain)))
        return false;
    entry->twin = size && ref[size - 1] == '*';
    if (entry->twin)
        ref[size - 1] = '\0';
    entry->id = id;
    entry->flow = *columns[2];
    entry->role = columns[3];
    entry->level = columns[4];
    entry->ref = ref;
    entry->name = columns[6];
    entry->value = columns[7];
    entry->states = columns[8];
    entry->href = columns[9];
    entry->note = columns[10];
    *ret_depth = (uint32_t)depth;
    return true;
}

static aper_status make_entry(const char *line, size_t size,
                              aper__entry **ret_entry, uint32_t *ret_depth)
{
    aper__entry *entry = aper__alloc(sizeof *entry + size + 1);
    if (!entry)
        return APER_E_NOMEM;
    atomic_init(&entry->refs, 1);
    memcpy(entry->text, line, size);
    if (!parse_entry(entry, ret_depth)) {
        aper__entry_unref(entry);
        return APER_E_PROTOCOL;
    }
    *ret_entry = entry;
    return APER_OK;
}

aper__entry *aper__entry_with_note(const aper__entry *entry,
                                   const char *note)
{
    aper__buf line = {0};
    aper__entry *copy = NULL;
    uint32_t depth;
    aper__buf_printf(&line, "%llu\t0\t", (unsigned long long)entry->id);
    if (entry->flow)
        aper__buf_putc(&line, entry->flow);
    aper__buf_printf(&line, "\t%s\t%s\t%s%s\t%s\t%s\t%s\t%s\t%s",
                     entry->role, entry->level, entry->ref,
                     entry->twin ? "*" : "", entry->name, entry->value,
                     entry->states, entry->href, note);
    if (!line.failed)
        make_entry(line.data, line.size, &copy, &depth);
    aper__buf_free(&line);
    return copy;
}

/* One line of a patch; *at is how far in old. */
static aper_status apply(const aper__view *old, const char *line, size_t size,
                         size_t *at, aper__view *out, size_t *capacity)
{
    aper__entry *entry = NULL;
    uint32_t depth = 0;
    if (size && *line == '+') {
        aper_status status = make_entry(line + 1, size - 1, &entry, &depth);
        if (status)
            return status;
        return push(out, capacity, entry, depth) ? APER_OK : APER_E_NOMEM;
    }
    size_t digits = size ? strspn(line + 1, "0123456789") : 0;
    if (digits == 0 || digits > 9 || digits + 1 != size
        || (*line != '=' && *line != '-'))
        return APER_E_PROTOCOL;
    size_t count = strtoul(line + 1, NULL, 10);
    if (count > old->count - *at)
        return APER_E_PROTOCOL;
    for (size_t end = *at + count; *at < end; ++*at)
        if (*line == '='
            && !aper__view_add(out, capacity, old->items[*at].entry,
                               old->items[*at].depth))
            return APER_E_NOMEM;
    return APER_OK;
}

/* The page comes first and holds all else; no level is left out. */
static bool is_tree(const aper__view *view)
{
    if (!view->count || view->items[0].depth)
        return false;
    for (size_t i = 1; i < view->count; i++)
        if (!view->items[i].depth
            || view->items[i].depth > view->items[i - 1].depth + 1)
            return false;
    return view->items[0].entry->flow == '\0';
}

aper_status aper__view_patch(const aper__view *old, const char *patch,
                             aper__view *ret_view)
{
    aper__view out = {0};
    size_t capacity = 0;
    size_t at = 0;
    aper_status status = APER_OK;
    while (patch && !status) {
        const char *end = strchrnul(patch, '\n');
        status = apply(old, patch, (size_t)(end - patch), &at, &out,
                       &capacity);
        patch = *end ? end + 1 : NULL;
    }
    if (!status && (at != old->count || !is_tree(&out)))
        status = APER_E_PROTOCOL;
    if (status) {
        aper__view_clear(&out);
        return status;
    }
    *ret_view = out;
    return APER_OK;
}
