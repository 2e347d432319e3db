/* SPDX-License-Identifier: Apache-2.0 */
/* What a page shows at one moment, as compact text and as nodes. */
#ifndef APERTURE_SNAPSHOT_H
#define APERTURE_SNAPSHOT_H

#include <aperture/tab.h>

APER_BEGIN

/** The state of a page at one moment. Immutable, counted, shareable. */
typedef struct aper_snapshot aper_snapshot;

/** How to read a page. Zero means the default. */
typedef struct aper_snapshot_options {
    /** sizeof(aper_snapshot_options) */
    size_t size;
    /** Upper limit of the text in tokens, at least 100; 0 is 2,000. Never
     * exceeded: what does not fit is counted where it would stand. */
    uint32_t budget_tokens;
    /** Milliseconds for the whole call; 0 is 10,000. */
    uint32_t timeout_ms;
    /** A ref, or NULL: what lies in that element and what was left out around
     * it is shown first. */
    const char *expand;
    /** A text, or NULL: lines that contain it, without regard to case, are
     * shown first. */
    const char *find;
    /** A ref, or NULL: only that element, what lies in it and what it lies in
     * are shown. */
    const char *scope;
} aper_snapshot_options;

/** As budget_tokens: no limit. */
#define APER_BUDGET_UNLIMITED ((uint32_t)-1)

/** Returned by searches that find nothing. */
#define APER_NODE_NONE ((size_t)-1)

/**
 * Read the page that the tab shows.
 *
 * @ownership  the caller releases ret_snapshot with aper_snapshot_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, CANCELLED; NO_REF, STALE for expand and scope
 * @since      1.0
 */
APER_API aper_status aper_snapshot_take(aper_tab *tab,
                                        const aper_snapshot_options *options,
                                        aper_snapshot **ret_snapshot,
                                        aper_error **ret_error);

/**
 * Read the page without blocking. The completion event carries the snapshot.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY, NO_REF
 * @since      1.0
 */
APER_API aper_status aper_snapshot_take_start(
    aper_tab *tab, const aper_snapshot_options *options, uint64_t tag,
    aper_error **ret_error);

/**
 * The page as text for an agent, one line per row of meaning, everything that
 * the page wrote inside one fence. UTF-8, lines end in a newline.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_text(const aper_snapshot *snapshot);

/**
 * The name of this state, such as "7.3": it rises with every state of the tab,
 * and the first number with every reset.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_id(const aper_snapshot *snapshot);

/**
 * The address of the page.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_url(const aper_snapshot *snapshot);

/**
 * The title of the page. Written by the page: treat it as untrusted.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_title(const aper_snapshot *snapshot);

/**
 * About how many tokens the text costs a model (o200k), never too low by more
 * than a tenth.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_snapshot_get_token_estimate(
    const aper_snapshot *snapshot);

/**
 * Number of nodes, in document order; the first is the page itself. They are
 * those that the text shows, and nodes of the role "more", each of which counts
 * what is not shown at its place.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_snapshot_get_node_count(const aper_snapshot *snapshot);

/**
 * How deep a node lies; the page itself is 0.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 past the end
 * @since      1.0
 */
APER_API uint32_t aper_snapshot_get_node_depth(const aper_snapshot *snapshot,
                                               size_t index);

/**
 * The role of a node, such as "button".
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_role(const aper_snapshot *snapshot,
                                                 size_t index);

/**
 * The accessible name of a node. Written by the page.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_name(const aper_snapshot *snapshot,
                                                 size_t index);

/**
 * The value of a node; secrets are never read. Written by the page.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_value(
    const aper_snapshot *snapshot, size_t index);

/**
 * The states that are set, separated by spaces, such as "checked disabled".
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_states(
    const aper_snapshot *snapshot, size_t index);

/**
 * Where a link leads, whole. Written by the page.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_href(const aper_snapshot *snapshot,
                                                 size_t index);

/**
 * The ref by which the node can be acted on, such as "e419733"; "" for a node
 * that cannot be.
 *
 * @ownership  borrowed; lives as long as the snapshot
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_snapshot_get_node_ref(const aper_snapshot *snapshot,
                                                size_t index);

/**
 * Index of the first node from start on whose name or value contains text,
 * without regard to ASCII case.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; APER_NODE_NONE when there is none
 * @since      1.0
 */
APER_API size_t aper_snapshot_find_text(const aper_snapshot *snapshot,
                                        const char *text, size_t start);

/**
 * Index of the node that has the ref.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; APER_NODE_NONE when there is none
 * @since      1.0
 */
APER_API size_t aper_snapshot_find_ref(const aper_snapshot *snapshot,
                                       const char *ref);

/**
 * The nodes as JSON in UTF-8: an object with `id`, `url`, `title` and `page`.
 * Each node is an object with `role` and, where they are not empty, `level`,
 * `ref`, `positional` (only its position tells it from others), `name`,
 * `value`, `states`, `href`, `note` and `children`. Written by the page, except
 * for roles, refs, states and notes.
 *
 * @ownership  the caller frees ret_json with aper_free()
 * @threads    any; never blocks
 * @errors     INVAL, NOMEM
 * @since      1.0
 */
APER_API aper_status aper_snapshot_to_json(const aper_snapshot *snapshot,
                                           char **ret_json);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_snapshot *aper_snapshot_ref(aper_snapshot *snapshot);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_snapshot_unref(aper_snapshot *snapshot);

APER_END

#endif
