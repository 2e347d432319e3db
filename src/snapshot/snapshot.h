/* SPDX-License-Identifier: Apache-2.0 */
/* Page states: nodes, the line of each, the text for an agent. */
#ifndef APER_SNAPSHOT_H
#define APER_SNAPSHOT_H

#include "page/page.h"

#define APER__BUDGET_DEFAULT 2000
#define APER__BUDGET_MIN 100

/* All strings lie in the snapshot's own copy of the page script's answer. */
typedef struct aper__node {
    uint32_t depth;
    bool twin; /* only its position tells it from others */
    const char *role;
    const char *level; /* of a heading, else "" */
    const char *ref; /* "" if it cannot be acted on */
    const char *name;
    const char *value;
    const char *states;
    const char *href;
    const char *note; /* ours, not the page's */
} aper__node;

struct aper_snapshot {
    aper__refs refs;
    char *columns;
    aper__node *nodes; /* in document order; the first is the page */
    size_t count;
    char *rendered; /* one line per node, each ended by a NUL */
    const char **lines; /* into rendered; as many as nodes */
    char *tab_id;
    char document[APER__TOKEN_SIZE]; /* names the document; another one is a reset */
    char id[32];
    char *text; /* NULL until aper__snapshot_name() */
    uint32_t budget;
    uint32_t tokens;
};

/* Makes a snapshot of what the page script's walk() gave: lines of nine
 * columns. Takes columns, also on failure. PROTOCOL if malformed. */
aper_status aper__snapshot_new(char *columns, const char *tab_id,
                               const char *document, uint32_t budget,
                               aper_snapshot **ret_snapshot);
/* Gives it its id, and makes the text. Once, before it is shared. */
aper_status aper__snapshot_name(aper_snapshot *snapshot, unsigned epoch,
                                unsigned step);
/* Reads the page; the tab must be held. The tab's last snapshot is replaced,
 * and given with a reference through ret_before (may be NULL) if there was
 * one. */
aper_status aper__snapshot_read(aper_tab *tab, aper__op *op, uint32_t budget,
                                aper_snapshot **ret_before,
                                aper_snapshot **ret_snapshot,
                                aper_error **ret_error);

/* Appends the line of a node: role, ref, name, value, address, states, note.
 * site is the address of the page, whose own links are shown without it. */
void aper__render_line(aper__buf *out, const aper__node *node,
                       const char *site);

/* A high estimate of what text costs in o200k tokens: at most a twentieth too
 * low for any script that was tried, a third to a half too high for English. */
uint32_t aper__tokens_estimate(const char *text, size_t size);

/* The tags around page text: six random digits that the body does not hold,
 * so that no page can write the closing tag. Both return whole lines. */
#define APER__FENCE_TOKENS 30
typedef struct aper__fence {
    char digits[7];
} aper__fence;
/* May have to delete the digits from body, which ends in NUL. */
void aper__fence_make(aper__fence *fence, char *body);
void aper__fence_open(const aper__fence *fence, aper__buf *out);
void aper__fence_close(const aper__fence *fence, aper__buf *out);

#endif
