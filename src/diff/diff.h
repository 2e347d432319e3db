/* SPDX-License-Identifier: Apache-2.0 */
/* What came, went and was restated between two states. doc/format.md says how
 * a reader applies the text. */
#ifndef APER_DIFF_H
#define APER_DIFF_H

#include "snapshot/snapshot.h"

typedef struct aper__diff_op {
    char kind; /* '+', '-', '~' */
    size_t old; /* line of the old state: gone, restated, or pushed down */
    size_t now; /* line of the new state; not for '-' */
} aper__diff_op;

struct aper_diff {
    aper__refs refs;
    aper_snapshot *from;
    aper_snapshot *to;
    bool reset;
    aper__diff_op *ops;
    size_t count;
    char *text;
    uint32_t tokens;
};

/* Marks in kept_a and kept_b the entries of a longest common subsequence. Sets
 * *ret_close to false, and marks nothing, if more than max entries are not in
 * it. Pure. */
aper_status aper__diff_match(const uint32_t *a, size_t a_count,
                             const uint32_t *b, size_t b_count, size_t max,
                             bool *kept_a, bool *kept_b, bool *ret_close);
/* Fills ops and count, or sets reset. */
aper_status aper__diff_find_ops(aper_diff *diff);
/* Fills text and tokens. */
aper_status aper__diff_write(aper_diff *diff);

#endif
