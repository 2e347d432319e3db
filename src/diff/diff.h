/* SPDX-License-Identifier: Apache-2.0 */
/* What came, went, moved and was restated between what a reader was told and a
 * new state. doc/format.md says how a reader applies the text. */
#ifndef APER_DIFF_H
#define APER_DIFF_H

#include "snapshot/snapshot.h"

#define APER__LINE_NONE SIZE_MAX

/* What is remembered of a line beyond the state that it is part of. */
typedef struct aper__note {
    size_t line;
    char *text; /* what the reader was told instead; NULL: what it says */
    uint32_t streak; /* reads in a row that found it changed by itself */
    double count; /* of those changes, fading */
    int64_t counted_ms; /* when count was right */
} aper__note;

/* A state as a reader has it. Immutable once made, counted. */
typedef struct aper__told {
    aper__refs refs;
    aper_snapshot *snapshot;
    aper__note *notes; /* by line */
    size_t count;
} aper__told;

/* With no notes. */
aper__told *aper__told_new(const aper_snapshot *snapshot);
aper__told *aper__told_ref(aper__told *told);
void aper__told_unref(aper__told *told);
/* The line as the reader has it. */
const char *aper__told_line(const aper__told *told, size_t line);

typedef struct aper__diff_op {
    char kind; /* '+', '-', '~', '>' */
    size_t old; /* the line of the old state; not for '+' */
    size_t now; /* the line of the new state; of '-' the one that belongs
                   behind the last line that stayed */
} aper__diff_op;

struct aper_diff {
    aper__refs refs;
    aper__told *from; /* NULL: nothing was told before */
    aper_snapshot *to;
    aper__told *told; /* what a reader of this difference has: to, and notes */
    bool reset;
    aper__diff_op *ops; /* in the order in which a reader applies them */
    size_t count;
    size_t changed; /* lines, also when that was a reset */
    size_t volatile_count;
    char *text;
    uint32_t tokens;
};

/* A line to be compared. */
typedef struct aper__diff_line {
    const char *text;
    uint32_t hash;
    uint32_t key; /* the ref that names it, as a number; 0 if none does */
    bool plain; /* holds no ref at all */
} aper__diff_line;

/* Both states side by side. */
typedef struct aper__plan {
    aper__diff_line *old;
    size_t old_count;
    aper__diff_line *now;
    size_t now_count;
    size_t *partner; /* of each new line: which old one it was, or none */
    size_t *heir; /* of each old line: which new one it is, or none */
    bool *moved; /* of each new line: its partner stands elsewhere */
} aper__plan;

/* lines.c */
aper_status aper__plan_make(aper__plan *plan, const aper__told *from,
                            const aper_snapshot *to);
void aper__plan_clear(aper__plan *plan);
bool aper__diff_lines_equal(const aper__diff_line *a,
                            const aper__diff_line *b);
/* match.c: finds partners; those not moved are in the same order in both. */
aper_status aper__plan_match(aper__plan *plan);
/* ops.c: ret_ops has room for what there is to be done. */
aper_status aper__plan_find_ops(const aper__plan *plan,
                                aper__diff_op **ret_ops, size_t *ret_count);
/* script.c: the operations as lines of text. */
aper_status aper__plan_write(const aper__plan *plan, const aper__diff_op *ops,
                             size_t count, aper__buf *out);

/* How to compare. */
typedef struct aper__diff_how {
    uint32_t reset_percent; /* more changed lines than that are a reset */
    const struct aper__watch *watch; /* NULL: tell every change */
} aper__diff_how;
#define APER__RESET_PERCENT 50

/* diff.c */
aper_status aper__diff_new(aper__told *from, aper_snapshot *to,
                           aper_diff **ret_diff);
/* Finds what there is to be told, or that it is too much. */
aper_status aper__diff_find(aper_diff *diff, const aper__diff_how *how,
                            aper__buf *script);
/* Makes it a reset, whatever was found. */
void aper__diff_reset(aper_diff *diff);
/* text.c: makes text and tokens from the rest, once both states have ids.
 * script is what was found; gone stands in the text of a reset (NULL for
 * none). */
aper_status aper__diff_write(aper_diff *diff, char *script, const char *gone);

/* gone.c: a line that names the refs of from that are not in to, up to max of
 * them, or "". */
aper_status aper__diff_list_gone(const aper_snapshot *from,
                                 const aper_snapshot *to, size_t max,
                                 char **ret_gone);

/* How to read, as options say, and why. */
typedef struct aper__diff_request {
    bool has_budget; /* else it is that of the last snapshot */
    uint32_t budget; /* tokens; 0: no limit */
    uint32_t reset_percent;
    uint32_t reset_after; /* as many differences in a row are a reset */
    bool restate_volatile;
    const char *acted; /* the ref that was acted on, "" for none; NULL if nobody
                        * acted */
} aper__diff_request;
void aper__diff_request_default(aper__diff_request *request);

/* take.c: reads the page and compares it with what was last told of the tab,
 * which must be held. Tells nothing yet. */
aper_status aper__diff_read(aper_tab *tab, aper__op *op,
                            const aper__diff_request *request,
                            aper_diff **ret_diff, aper_error **ret_error);
/* From now on this is what was told. Cannot fail. */
void aper__diff_tell(aper_tab *tab, aper_diff *diff);

#endif
