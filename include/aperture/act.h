/* SPDX-License-Identifier: Apache-2.0 */
/* Acting on a page as a person does: trusted input, then a look at what it
 * did. */
#ifndef APERTURE_ACT_H
#define APERTURE_ACT_H

#include <aperture/diff.h>

APER_BEGIN

/** What an action did. Immutable, counted, shareable. */
typedef struct aper_act_result aper_act_result;

/** What to do. */
enum {
    /** Press and release a mouse button on the element. */
    APER_ACT_CLICK = 1,
    /** Focus the element and type text into it, after what it holds. */
    APER_ACT_TYPE = 2,
    /** Make text the only content of the field. */
    APER_ACT_FILL = 3,
    /** Press a key or a chord, such as "Enter" or "Control+a", on the element
     * or, without ref, on what has the focus. */
    APER_ACT_PRESS = 4,
    /** Move the mouse onto the element. */
    APER_ACT_HOVER = 5,
    /** Choose the option of a native select whose label or value is text. */
    APER_ACT_SELECT = 6,
    /** Scroll the element, or without ref the page, by delta_x and delta_y. */
    APER_ACT_SCROLL = 7
};

/** Mouse buttons. */
enum {
    APER_BUTTON_LEFT = 0,
    APER_BUTTON_MIDDLE = 1,
    APER_BUTTON_RIGHT = 2
};

/** Modifier keys, to be added up. */
enum {
    APER_MODIFIER_ALT = 1,
    APER_MODIFIER_CONTROL = 2,
    APER_MODIFIER_META = 4,
    APER_MODIFIER_SHIFT = 8
};

/** What was seen to happen because of an action. */
enum {
    APER_EFFECT_DIALOG = 1,
    APER_EFFECT_NAVIGATION = 2,
    APER_EFFECT_NEW_TAB = 3,
    APER_EFFECT_DOWNLOAD = 4,
    APER_EFFECT_CHANGE = 5,
    APER_EFFECT_VALUE = 6,
    APER_EFFECT_FOCUS = 7,
    APER_EFFECT_SCROLL = 8,
    APER_EFFECT_TAB_CLOSED = 9
};

/** One action. Zero means the default. */
typedef struct aper_act_options {
    /** sizeof(aper_act_options) */
    size_t size;
    /** One of APER_ACT_*. */
    uint32_t verb;
    /** Milliseconds for the whole call; 0 is 15,000. */
    uint32_t timeout_ms;
    /** Ref from a snapshot of this tab. */
    const char *ref;
    /** Text to type, fill or choose. */
    const char *text;
    /** Key or chord to press. */
    const char *key;
    /** One of APER_BUTTON_*. */
    uint32_t button;
    /** Clicks in a row; 0 is 1, 2 is a double click. */
    uint32_t click_count;
    /** Sum of APER_MODIFIER_* held during a click. */
    uint32_t modifiers;
    /** Longest wait for the page to come to rest; 0 is 3,000 milliseconds. */
    uint32_t settle_ms;
    /** CSS pixels; both 0 scrolls down by most of a screen. */
    double delta_x;
    double delta_y;
} aper_act_options;

/**
 * Act on the page, wait for it to come to rest and report what was seen.
 *
 * The element is checked first: connected, shown, enabled, not covered. A
 * refusal sends nothing to the page. APER_OK means that the input reached the
 * element; what it did is in the result, also that nothing was observed. When
 * a dialog opens the call returns at once and names it.
 *
 * @ownership  the caller releases ret_result with aper_act_result_unref();
 *             ret_result may be NULL
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             STALE, NO_REF, NOT_ACTIONABLE, NOT_VERIFIED, TIMEOUT, CANCELLED,
 *             REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_act(aper_tab *tab,
                                  const aper_act_options *options,
                                  aper_act_result **ret_result,
                                  aper_error **ret_error);

/**
 * Act without blocking. The completion event carries the result.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_act_start(aper_tab *tab,
                                        const aper_act_options *options,
                                        uint64_t tag, aper_error **ret_error);

/**
 * One line in our own words: what was done and what was observed. Text of the
 * page in it is quoted and cut.
 *
 * @ownership  borrowed; lives as long as the act result
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_act_result_get_outcome(const aper_act_result *result);

/**
 * What the action changed, from the last snapshot of the tab to now.
 *
 * @ownership  borrowed; lives as long as the act result
 * @threads    any; never blocks
 * @errors     none; NULL when the page could not be read afterwards or had not
 *             been read before
 * @since      1.0
 */
APER_API aper_diff *aper_act_result_get_diff(const aper_act_result *result);

/**
 * The page after the action.
 *
 * @ownership  borrowed; lives as long as the act result
 * @threads    any; never blocks
 * @errors     none; NULL when the page could not be read afterwards
 * @since      1.0
 */
APER_API aper_snapshot *aper_act_result_get_snapshot(
    const aper_act_result *result);

/**
 * The dialog that the action opened.
 *
 * @ownership  borrowed; lives as long as the act result
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_dialog *aper_act_result_get_dialog(const aper_act_result *result);

/**
 * Number of effects that were observed.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_act_result_get_effect_count(const aper_act_result *result);

/**
 * One of APER_EFFECT_*.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 past the end
 * @since      1.0
 */
APER_API uint32_t aper_act_result_get_effect_kind(
    const aper_act_result *result, size_t index);

/**
 * The effect in words, such as the id of the new tab. Text of the page in it
 * is quoted and cut.
 *
 * @ownership  borrowed; lives as long as the act result
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_act_result_get_effect_text(
    const aper_act_result *result, size_t index);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_act_result *aper_act_result_ref(aper_act_result *result);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_act_result_unref(aper_act_result *result);

APER_END

#endif
