/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 9
#define DEPTH_MAX 1000

static size_t count_lines(const char *text)
{
    size_t count = *text ? 1 : 0;
    for (; *text; text++)
        if (*text == '\n')
            count++;
    return count;
}

/* Our own words: lower case letters, spaces, digits and a few marks. */
static bool is_word(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz -")] == '\0';
}

/* Cuts a line into its columns in place. */
static bool parse_node(char *line, aper__node *node)
{
    char *columns[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = strsep(&line, "\t");
        if (!columns[i])
            return false;
    }
    unsigned long depth = strtoul(columns[0], NULL, 10);
    char ref[APER__REF_SIZE];
    size_t size = strlen(columns[3]);
    node->twin = size && columns[3][size - 1] == '*';
    if (line || depth > DEPTH_MAX || !is_word(columns[1]) || !*columns[1]
        || !is_word(columns[6])
        || (*columns[3] && !aper__page_parse_ref(columns[3], ref)))
        return false;
    if (node->twin)
        columns[3][size - 1] = '\0';
    node->depth = (uint32_t)depth;
    node->role = columns[1];
    node->level = columns[2];
    node->ref = columns[3];
    node->name = columns[4];
    node->value = columns[5];
    node->states = columns[6];
    node->href = columns[7];
    node->note = columns[8];
    return true;
}

static aper_status parse(aper_snapshot *snapshot)
{
    size_t count = count_lines(snapshot->columns);
    if (!count)
        return APER_E_PROTOCOL;
    snapshot->nodes = aper__alloc(count * sizeof *snapshot->nodes);
    if (!snapshot->nodes)
        return APER_E_NOMEM;
    char *rest = snapshot->columns;
    for (size_t i = 0; i < count; i++) {
        aper__node *node = &snapshot->nodes[i];
        if (!parse_node(strsep(&rest, "\n"), node))
            return APER_E_PROTOCOL;
        /* The page comes first and holds all else; no level is left out. */
        uint32_t deepest = i ? snapshot->nodes[i - 1].depth + 1 : 0;
        if (node->depth > deepest || (i && node->depth == 0))
            return APER_E_PROTOCOL;
    }
    snapshot->count = count;
    return APER_OK;
}

static aper_status render(aper_snapshot *snapshot)
{
    aper__buf out = {0};
    const char *site = snapshot->nodes[0].href;
    for (size_t i = 0; i < snapshot->count; i++) {
        aper__render_line(&out, &snapshot->nodes[i], site);
        aper__buf_putc(&out, '\0');
    }
    snapshot->lines = aper__alloc(snapshot->count * sizeof *snapshot->lines);
    snapshot->rendered = aper__buf_take(&out);
    if (!snapshot->lines || !snapshot->rendered)
        return APER_E_NOMEM;
    const char *line = snapshot->rendered;
    for (size_t i = 0; i < snapshot->count; i++) {
        snapshot->lines[i] = line;
        line += strlen(line) + 1;
    }
    return APER_OK;
}

aper_status aper__snapshot_new(char *columns, const char *tab_id,
                               const char *document, uint32_t budget,
                               aper_snapshot **ret_snapshot)
{
    aper_snapshot *snapshot = aper__alloc(sizeof *snapshot);
    if (!snapshot) {
        aper__dealloc(columns);
        return APER_E_NOMEM;
    }
    atomic_init(&snapshot->refs, 1);
    snapshot->columns = columns;
    snapshot->budget = budget;
    snapshot->tab_id = aper__strdup(tab_id);
    snprintf(snapshot->document, sizeof snapshot->document, "%s", document);
    aper_status status = columns && snapshot->tab_id ? parse(snapshot)
                                                     : APER_E_NOMEM;
    if (!status)
        status = render(snapshot);
    if (status) {
        aper_snapshot_unref(snapshot);
        return status;
    }
    *ret_snapshot = snapshot;
    return APER_OK;
}
