/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two snapshots of a tab. */
#ifndef APERTURE_DIFF_H
#define APERTURE_DIFF_H

#include <aperture/snapshot.h>

APER_BEGIN

/** A difference. Immutable, counted, shareable. */
typedef struct aper_diff aper_diff;

/** How to read what changed. Zero means the default. */
typedef struct aper_diff_options {
    /** sizeof(aper_diff_options) */
    size_t size;
    /** Upper limit of the text in tokens, as for a snapshot; 0 is that of the
     * last snapshot of the tab. A difference that would cost more is a reset. */
    uint32_t budget_tokens;
    /** Milliseconds for the whole call; 0 is 10,000. */
    uint32_t timeout_ms;
    /** Changed lines, in percent of the lines of the larger state, above which
     * the text is a reset; at most 100; 0 is 50. */
    uint32_t reset_percent;
    /** After so many differences in a row the next one is a reset; 0 is 50. */
    uint32_t reset_after;
    /** 1 to be told of clocks and of what changes by itself all the time. */
    uint32_t restate_volatile;
    /** Must be 0. */
    uint32_t reserved;
} aper_diff_options;

/**
 * Read the page and tell what changed since this tab was last read: by this
 * call, aper_snapshot_take() or aper_tab_act().
 *
 * A reader that has all their texts in order knows the page as it is, but for
 * volatile lines, which the text counts. A tab that was not read before, another
 * document, a modal that took over and too much change give a reset, which in
 * the same document names the refs that died.
 *
 * @ownership  the caller releases ret_diff with aper_diff_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, CANCELLED
 * @since      1.0
 */
APER_API aper_status aper_diff_take(aper_tab *tab,
                                    const aper_diff_options *options,
                                    aper_diff **ret_diff,
                                    aper_error **ret_error);

/**
 * Tell what changed without blocking. The completion event carries the
 * difference.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_diff_take_start(aper_tab *tab,
                                          const aper_diff_options *options,
                                          uint64_t tag,
                                          aper_error **ret_error);

/**
 * Compare two snapshots of the same tab.
 *
 * A reader that has the text of the first and the text of the difference knows
 * the text of the second.
 *
 * @ownership  the caller releases ret_diff with aper_diff_unref()
 * @threads    any; never blocks
 * @errors     INVAL, NOMEM
 * @since      1.0
 */
APER_API aper_status aper_diff_compute(const aper_snapshot *from,
                                       const aper_snapshot *to,
                                       aper_diff **ret_diff);

/**
 * The difference as text for an agent: a header that names both states, then
 * inside one fence the lines that went, came, moved or were restated. A reset
 * is the whole new text.
 *
 * @ownership  borrowed; lives as long as the diff
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_diff_get_text(const aper_diff *diff);

/**
 * The id of the state it starts from, "" if the tab was not read before.
 *
 * @ownership  borrowed; lives as long as the diff
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_diff_get_from_id(const aper_diff *diff);

/**
 * The id of the state it leads to.
 *
 * @ownership  borrowed; lives as long as the diff
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_diff_get_to_id(const aper_diff *diff);

/**
 * 1 if there is nothing to be told; volatile lines may have changed.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API int aper_diff_is_empty(const aper_diff *diff);

/**
 * 1 if the text replaces everything read before: another document, or too much
 * changed.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API int aper_diff_is_reset(const aper_diff *diff);

/**
 * About how many tokens the text costs a model (o200k).
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_diff_get_token_estimate(const aper_diff *diff);

/**
 * Number of lines that changed and are not restated: clocks, and what changes
 * by itself all the time. The text says it too.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_diff_get_volatile_count(const aper_diff *diff);

/**
 * Number of operations, one for each line, in the order in which a reader
 * applies them; 0 for a reset.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_diff_get_op_count(const aper_diff *diff);

/**
 * '+' for a line that came, '-' for one that went, '~' for one restated, '>'
 * for one that moved.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 past the end
 * @since      1.0
 */
APER_API char aper_diff_get_op_kind(const aper_diff *diff, size_t index);

/**
 * The line that came, went or moved, or as it is now, without its ending.
 * Written by the page.
 *
 * @ownership  borrowed; lives as long as the diff
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_diff_get_op_line(const aper_diff *diff, size_t index);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_diff *aper_diff_ref(aper_diff *diff);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_diff_unref(aper_diff *diff);

APER_END

#endif
