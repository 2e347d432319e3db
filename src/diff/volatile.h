/* SPDX-License-Identifier: Apache-2.0 */
/* Which changes are not worth telling: clocks, and what changes by itself all
 * the time. */
#ifndef APER_VOLATILE_H
#define APER_VOLATILE_H

#include "diff/diff.h"

/* shape.c: what ticks looks like. */
typedef struct aper__shapes aper__shapes;
/* NULL without memory. */
aper__shapes *aper__shapes_new(void);
void aper__shapes_free(aper__shapes *shapes);
/* Whether two texts differ by times only. With elapsed_ms >= 0 no time may have
 * gone further than that, forward or backward: one that was chosen anew
 * jumps. NOMEM, or the answer in *ret_ticked. */
aper_status aper__shapes_ticked(const aper__shapes *shapes, const char *old,
                                size_t old_size, const char *now,
                                size_t now_size, int64_t elapsed_ms,
                                bool *ret_ticked);

/* content.c: what may differ in a line for it to be left as it was told: the
 * strings of what cannot be acted on. */
typedef struct aper__string {
    const char *text; /* between the quotes, escaped */
    size_t size;
} aper__string;
/* Goes through two lines at once. Each call gives the next pair of strings
 * that differ: 1; at the end 0; -1 if anything else differs. */
typedef struct aper__contents {
    const char *a;
    const char *b;
    bool has_ref; /* there was one already */
    bool nameless; /* and no name behind it yet */
    bool in_value;
} aper__contents;
void aper__contents_begin(aper__contents *c, const char *a, const char *b);
int aper__contents_next(aper__contents *c, aper__string *ret_a,
                        aper__string *ret_b);

/* volatile.c: one comparison. */
typedef struct aper__watch {
    const aper__shapes *shapes;
    int64_t now_ms;
    bool prompted; /* by an action, so that changes prove nothing */
    const char *ref; /* what was acted on, whose line is always told; or "" */
} aper__watch;
/* Puts back what need not be told: those lines of plan->now become what the
 * reader has of them. Gives what the reader will have been told then: to, with
 * notes. */
aper_status aper__watch_plan(const aper__watch *watch, aper__plan *plan,
                             const aper__told *from, const aper_snapshot *to,
                             aper__told **ret_told, size_t *ret_count);

#endif
