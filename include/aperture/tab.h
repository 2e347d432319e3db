/* SPDX-License-Identifier: Apache-2.0 */
/* One page: opening, listing, navigating, waiting, dialogs. */
#ifndef APERTURE_TAB_H
#define APERTURE_TAB_H

#include <aperture/browser.h>

APER_BEGIN

/** A live tab. It holds a reference on its browser. */
typedef struct aper_tab aper_tab;

/** What is known of a tab at one moment. Immutable, counted, shareable. */
typedef struct aper_tab_info aper_tab_info;

/** A list of aper_tab_info, in the order the tabs were made. Immutable. */
typedef struct aper_tab_list aper_tab_list;

/** What a navigation led to. Immutable, counted, shareable. */
typedef struct aper_navigation aper_navigation;

/** A JavaScript dialog. Immutable, counted, shareable. */
typedef struct aper_dialog aper_dialog;

/** What a navigation led to. */
enum {
    /** A document was committed. */
    APER_NAVIGATION_PAGE = 1,
    /** Only the fragment or the history state changed. */
    APER_NAVIGATION_SAME_DOCUMENT = 2,
    /** The answer was a download; the page stayed. */
    APER_NAVIGATION_DOWNLOAD = 3,
    /** The server answered 204 or 205; the page stayed. */
    APER_NAVIGATION_NO_CONTENT = 4,
    /** A dialog stopped it; see aper_navigation_get_dialog(). */
    APER_NAVIGATION_DIALOG = 5
};

enum {
    APER_DIALOG_ALERT = 1,
    APER_DIALOG_CONFIRM = 2,
    APER_DIALOG_PROMPT = 3,
    APER_DIALOG_BEFOREUNLOAD = 4,
    /** window.print(); it is reported, and nothing is there to answer. */
    APER_DIALOG_PRINT = 5
};

/** When a navigation counts as finished. */
enum {
    /** The document's load event, counted from the commit. */
    APER_UNTIL_LOAD = 0,
    APER_UNTIL_COMMIT = 1,
    APER_UNTIL_DOM_READY = 2
};

/** How to open a tab. Zero means the default. */
typedef struct aper_open_options {
    /** sizeof(aper_open_options) */
    size_t size;
    /** Address to open; NULL is about:blank. */
    const char *url;
    /** 1 brings the tab to the front; 0 opens it in the background. */
    uint32_t foreground;
    /** Milliseconds for the whole call; 0 is 30,000. */
    uint32_t timeout_ms;
    /** One of APER_UNTIL_*. */
    uint32_t until;
    uint32_t reserved;
} aper_open_options;

/** How to navigate. Zero means the default. */
typedef struct aper_navigate_options {
    /** sizeof(aper_navigate_options) */
    size_t size;
    /** Milliseconds for the whole call; 0 is 30,000. */
    uint32_t timeout_ms;
    /** One of APER_UNTIL_*. */
    uint32_t until;
    /** Referrer to send; NULL is none. */
    const char *referrer;
    /** 1 makes a reload bypass the cache. */
    uint32_t ignore_cache;
    uint32_t reserved;
} aper_navigate_options;

/** What to wait for; every condition that is set must hold. */
typedef struct aper_wait_options {
    /** sizeof(aper_wait_options) */
    size_t size;
    /** Text that the page must show. */
    const char *text;
    /** Text that the page must no longer show. */
    const char *text_gone;
    /** Part of the address that the page must have. */
    const char *url;
    /** 1 waits for the load event. */
    uint32_t loaded;
    /** Milliseconds for the whole call; 0 is 10,000. */
    uint32_t timeout_ms;
} aper_wait_options;

/** What a tab pretends to be. Zero leaves the browser's own value. */
typedef struct aper_emulation_options {
    /** sizeof(aper_emulation_options) */
    size_t size;
    /** Viewport in CSS pixels; both or none. */
    uint32_t width;
    uint32_t height;
    /** Device pixels per CSS pixel, in thousandths: 2000 is 2x. */
    uint32_t scale_permille;
    /** 1 behaves like a phone: touch, viewport meta tag, overlay scrollbars. */
    uint32_t mobile;
    /** 1 cuts the tab off the network. */
    uint32_t offline;
    /** 1 applies latitude, longitude and accuracy_m. */
    uint32_t has_geolocation;
    /** BCP 47 tag such as "de-DE". */
    const char *locale;
    /** IANA name such as "Europe/Berlin". */
    const char *timezone;
    /** User-Agent header; client hints are made to agree with it. */
    const char *user_agent;
    /** Degrees. */
    double latitude;
    double longitude;
    /** Metres; 0 is 50. */
    double accuracy_m;
} aper_emulation_options;

/**
 * List the pages of the browser, one aper_tab_info each.
 *
 * @ownership  the caller releases ret_list with aper_tab_list_unref()
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, NOMEM, FORKED, CLOSED, GONE, TIMEOUT
 * @since      1.0
 */
APER_API aper_status aper_browser_list_tabs(aper_browser *browser,
                                            aper_tab_list **ret_list,
                                            aper_error **ret_error);

/**
 * Number of entries in a list.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_tab_list_get_count(const aper_tab_list *list);

/**
 * One entry of a list.
 *
 * @ownership  borrowed; lives as long as the list
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API aper_tab_info *aper_tab_list_get_info(const aper_tab_list *list,
                                               size_t index);

/**
 * Give a list back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_tab_list_unref(aper_tab_list *list);

/**
 * The tab's id: the same in every process, until the tab closes, never reused.
 *
 * @ownership  borrowed; lives as long as the info
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_tab_info_get_id(const aper_tab_info *info);

/**
 * The address of the tab's page.
 *
 * @ownership  borrowed; lives as long as the info
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_tab_info_get_url(const aper_tab_info *info);

/**
 * The title of the tab's page. Written by the page: treat it as untrusted.
 *
 * @ownership  borrowed; lives as long as the info
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_tab_info_get_title(const aper_tab_info *info);

/**
 * Id of the tab that opened this one; "" if none did.
 *
 * @ownership  borrowed; lives as long as the info
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_tab_info_get_opener_id(const aper_tab_info *info);

/**
 * 1 if the tab, or the tab that opened it, was opened through this connection.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API int aper_tab_info_is_own(const aper_tab_info *info);

/**
 * 1 if the tab's renderer has crashed.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API int aper_tab_info_is_crashed(const aper_tab_info *info);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_tab_info *aper_tab_info_ref(aper_tab_info *info);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_tab_info_unref(aper_tab_info *info);

/**
 * Open a tab, and navigate it if an address is given.
 *
 * When the navigation fails the tab is closed again.
 *
 * @ownership  the caller releases ret_tab with aper_tab_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED,
 *             BLOCKED, NAVIGATION, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_open(aper_browser *browser,
                                   const aper_open_options *options,
                                   aper_tab **ret_tab,
                                   aper_error **ret_error);

/**
 * Open a tab without waiting. The completion event carries the tab.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_open_start(aper_browser *browser,
                                         const aper_open_options *options,
                                         uint64_t tag, aper_error **ret_error);

/**
 * Get a handle on a tab that exists, by its id.
 *
 * Asking twice gives the same tab twice, with a reference for each.
 *
 * @ownership  the caller releases ret_tab with aper_tab_unref()
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, NOMEM, FORKED, CLOSED, GONE, NOT_FOUND, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_browser_find_tab(aper_browser *browser,
                                           const char *id,
                                           aper_tab **ret_tab,
                                           aper_error **ret_error);

/**
 * Close the page. Other calls under way on the tab end with APER_E_CLOSED.
 *
 * A page that asks before unloading is closed all the same. Closing a closed
 * tab succeeds.
 *
 * @ownership  none; the handle still needs aper_tab_unref()
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, FOREIGN, FORKED, CLOSED, GONE, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_close(aper_tab *tab, aper_error **ret_error);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_tab *aper_tab_ref(aper_tab *tab);

/**
 * Give a reference back. The page stays open; aper_tab_close() closes it.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; the last reference on a browser blocks as its close does
 * @errors     none
 * @since      1.0
 */
APER_API void aper_tab_unref(aper_tab *tab);

/**
 * The tab's id, as in aper_tab_info_get_id().
 *
 * @ownership  borrowed; lives as long as the handle
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_tab_get_id(const aper_tab *tab);

/**
 * The tab's browser.
 *
 * @ownership  borrowed; lives as long as the handle
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_browser *aper_tab_get_browser(const aper_tab *tab);

/**
 * What is known of the tab now, without asking the browser.
 *
 * @ownership  the caller releases ret_info with aper_tab_info_unref()
 * @threads    any; never blocks
 * @errors     INVAL, NOMEM, FORKED, CLOSED, GONE
 * @since      1.0
 */
APER_API aper_status aper_tab_describe(aper_tab *tab, aper_tab_info **ret_info);

/**
 * Bring the tab to the front.
 *
 * @ownership  none
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, FORKED, CLOSED, GONE, CRASHED, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_activate(aper_tab *tab, aper_error **ret_error);

/**
 * Show an address in the tab.
 *
 * @ownership  the caller releases ret_navigation with aper_navigation_unref();
 *             ret_navigation may be NULL
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             BLOCKED, NAVIGATION, TIMEOUT, CANCELLED, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_navigate(aper_tab *tab, const char *url,
                                       const aper_navigate_options *options,
                                       aper_navigation **ret_navigation,
                                       aper_error **ret_error);

/**
 * Navigate without waiting. The completion event carries the navigation.
 *
 * @ownership  url and options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_navigate_start(
    aper_tab *tab, const char *url, const aper_navigate_options *options,
    uint64_t tag, aper_error **ret_error);

/**
 * Go one step back in the tab's history, which begins with the address that
 * aper_tab_open() was given.
 *
 * @ownership  as aper_tab_navigate()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     as aper_tab_navigate(), and NOT_FOUND at the first entry
 * @since      1.0
 */
APER_API aper_status aper_tab_back(aper_tab *tab,
                                   const aper_navigate_options *options,
                                   aper_navigation **ret_navigation,
                                   aper_error **ret_error);

/**
 * Go back without waiting. The completion event carries the navigation.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_back_start(
    aper_tab *tab, const aper_navigate_options *options, uint64_t tag,
    aper_error **ret_error);

/**
 * Go one step forward in the tab's history.
 *
 * @ownership  as aper_tab_navigate()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     as aper_tab_navigate(), and NOT_FOUND at the last entry
 * @since      1.0
 */
APER_API aper_status aper_tab_forward(aper_tab *tab,
                                      const aper_navigate_options *options,
                                      aper_navigation **ret_navigation,
                                      aper_error **ret_error);

/**
 * Go forward without waiting. The completion event carries the navigation.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_forward_start(
    aper_tab *tab, const aper_navigate_options *options, uint64_t tag,
    aper_error **ret_error);

/**
 * Load the tab's page again.
 *
 * @ownership  as aper_tab_navigate()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     as aper_tab_navigate()
 * @since      1.0
 */
APER_API aper_status aper_tab_reload(aper_tab *tab,
                                     const aper_navigate_options *options,
                                     aper_navigation **ret_navigation,
                                     aper_error **ret_error);

/**
 * Load the tab's page again without waiting. The completion event carries the navigation.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_reload_start(
    aper_tab *tab, const aper_navigate_options *options, uint64_t tag,
    aper_error **ret_error);

/**
 * Wait until the page is as described.
 *
 * @ownership  none
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, CANCELLED
 * @since      1.0
 */
APER_API aper_status aper_tab_wait(aper_tab *tab,
                                   const aper_wait_options *options,
                                   aper_error **ret_error);

/**
 * Wait without blocking. The completion event carries the status.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_wait_start(aper_tab *tab,
                                         const aper_wait_options *options,
                                         uint64_t tag, aper_error **ret_error);

/**
 * Make the tab pretend to be another device or place. NULL ends all of it.
 *
 * When it returns, the page and its frames see what was set, or no longer see
 * what was ended; a worker that is busy does when it is done. If it is refused
 * nothing changes. After any other failure that came while the page was waited
 * for (TIMEOUT, DIALOG) it holds nevertheless, and the page may see it later.
 *
 * @ownership  options and what it points to are copied
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_emulate(aper_tab *tab,
                                      const aper_emulation_options *options,
                                      aper_error **ret_error);

/**
 * Run JavaScript in the page's own world and get its result as JSON.
 *
 * Refused unless the host asked for it with allow_eval. The result is written
 * by the page: treat it as untrusted. A promise is awaited.
 *
 * @ownership  the caller frees ret_json with aper_free()
 * @threads    any; blocks up to timeout_ms (0 is 10,000)
 * @errors     INVAL, UNSUPPORTED, NOMEM, FORKED, CLOSED, GONE, CRASHED,
 *             DIALOG, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_eval(aper_tab *tab, const char *source,
                                   uint32_t timeout_ms, char **ret_json,
                                   aper_error **ret_error);

/**
 * The dialog that is open in the tab.
 *
 * @ownership  the caller releases ret_dialog with aper_dialog_unref()
 * @threads    any; never blocks
 * @errors     INVAL, NO_DIALOG, FORKED, CLOSED, GONE
 * @since      1.0
 */
APER_API aper_status aper_tab_get_dialog(aper_tab *tab,
                                         aper_dialog **ret_dialog);

/**
 * Answer the dialog that is open in the tab.
 *
 * accept is 1 for OK and 0 for Cancel; text answers a prompt and may be NULL.
 *
 * @ownership  text is copied
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, NO_DIALOG, FORKED, CLOSED, GONE, CRASHED, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_answer_dialog(aper_tab *tab, int accept,
                                            const char *text,
                                            aper_error **ret_error);

/**
 * One of APER_DIALOG_*.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_dialog_get_kind(const aper_dialog *dialog);

/**
 * What the dialog says. Written by the page: treat it as untrusted.
 *
 * @ownership  borrowed; lives as long as the dialog
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_dialog_get_text(const aper_dialog *dialog);

/**
 * Origin of the document that raised the dialog.
 *
 * @ownership  borrowed; lives as long as the dialog
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_dialog_get_origin(const aper_dialog *dialog);

/**
 * The text that a prompt proposes. Written by the page.
 *
 * @ownership  borrowed; lives as long as the dialog
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_dialog_get_default_text(const aper_dialog *dialog);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_dialog *aper_dialog_ref(aper_dialog *dialog);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_dialog_unref(aper_dialog *dialog);

/**
 * One of APER_NAVIGATION_*.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_navigation_get_kind(const aper_navigation *navigation);

/**
 * The address that was committed, after redirects.
 *
 * @ownership  borrowed; lives as long as the navigation
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_navigation_get_url(
    const aper_navigation *navigation);

/**
 * The HTTP status of the document; 0 if there was none (about:blank, cache of
 * the back button).
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_navigation_get_http_status(
    const aper_navigation *navigation);

/**
 * Number of redirects that led to the address.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_navigation_get_redirect_count(
    const aper_navigation *navigation);

/**
 * The address that redirected, counted from the first one asked for.
 *
 * @ownership  borrowed; lives as long as the navigation
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_navigation_get_redirect(
    const aper_navigation *navigation, size_t index);

/**
 * 1 if the moment asked for by until was seen; 0 if the page is committed but
 * was still loading when time ran out.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API int aper_navigation_is_complete(const aper_navigation *navigation);

/**
 * The dialog that opened meanwhile; NULL if none did.
 *
 * @ownership  borrowed; lives as long as the navigation
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_dialog *aper_navigation_get_dialog(
    const aper_navigation *navigation);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_navigation *aper_navigation_ref(aper_navigation *navigation);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_navigation_unref(aper_navigation *navigation);

APER_END

#endif
