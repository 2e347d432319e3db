/* SPDX-License-Identifier: Apache-2.0 */
/* Page states: nodes, the line of each, the text for an agent. */
#ifndef APER_SNAPSHOT_H
#define APER_SNAPSHOT_H

#include "page/page.h"

#define APER__BUDGET_DEFAULT 2000
#define APER__BUDGET_MIN 100

/* One line of the text. */
typedef struct aper__line {
    size_t first; /* of its items */
    size_t count;
    uint32_t depth;
    uint32_t hash; /* of the text */
    const char *text; /* with its indentation, without a line feed */
} aper__line;

struct aper_snapshot {
    aper__refs refs;
    aper__item *items; /* in document order; the first is the page */
    size_t count;
    aper__line *lines;
    size_t line_count;
    char *rendered; /* the lines, each ended by a NUL */
    char *tab_id;
    char *title; /* NULL: as the page's own entry says */
    char *url;
    char document[APER__TOKEN_SIZE]; /* names the document; another one is a reset */
    unsigned epoch; /* with step: its number */
    unsigned step;
    int64_t read_ms; /* when it was read; monotonic */
    char id[32];
    char *text; /* NULL until aper__snapshot_name() */
    uint32_t tokens;
    bool chosen; /* what is shown was chosen anew: no line went by not being
                  * here, and no ref died */
};

/* Makes a snapshot of a view, whose entries it shares. Entries that have no
 * line yet get theirs, so this is no call for two threads on one view. */
aper_status aper__snapshot_new(const aper__view *view, const char *tab_id,
                               const char *document,
                               aper_snapshot **ret_snapshot);
/* The entry that a line begins with. */
const aper__entry *aper__snapshot_head(const aper_snapshot *snapshot,
                                       size_t line);
/* Gives it its id, and makes the text: as often as need be before it is
 * shared. */
aper_status aper__snapshot_name(aper_snapshot *snapshot, unsigned epoch,
                                unsigned step);
/* Reads the page; the tab must be held. With how->select the text costs no more
 * than how->budget, which is 0 for no limit; else what was shown stays shown,
 * unless that has become far too much: snapshot->chosen tells. It is numbered
 * as what follows the last one that was told. */
aper_status aper__snapshot_read(aper_tab *tab, aper__op *op,
                                const aper__page_how *how,
                                aper_snapshot **ret_snapshot,
                                aper_error **ret_error);
/* The tab's last state that a reader was told of; borrowed. NULL if there was
 * none. */
aper_snapshot *aper__snapshot_last(aper_tab *tab);
/* What the last choice of what is shown could cost; 0 is no limit. */
uint32_t aper__snapshot_budget(aper_tab *tab);
/* Makes this state the last one told; of a tab that was read. */
void aper__snapshot_tell(aper_tab *tab, aper_snapshot *snapshot);

/* Renders an entry as doc/format.md says, without indentation, once. site is
 * the address of the page, whose own links are shown without it. */
aper_status aper__render_entry(aper__entry *entry, bool is_page,
                               const char *site);
/* Makes the lines of a snapshot whose entries are rendered. */
aper_status aper__render_lines(aper_snapshot *snapshot);

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
