/* SPDX-License-Identifier: Apache-2.0 */
/* Completions of _start calls, and what happens in the browser by itself. One
 * queue per browser; a program waits on it, or on its descriptor. */
#ifndef APERTURE_EVENT_H
#define APERTURE_EVENT_H

#include <aperture/act.h>
#include <aperture/capture.h>

APER_BEGIN

/** Something that happened. Immutable, counted, shareable. */
typedef struct aper_event aper_event;

/** A file that a page sends. Immutable, counted, shareable. */
typedef struct aper_download aper_download;

/** Kinds of events. A program must skip kinds that it does not know. */
enum {
    /** A _start call ended; see the tag and the status. */
    APER_EVENT_COMPLETION = 1,
    APER_EVENT_TAB_OPENED = 2,
    APER_EVENT_TAB_CLOSED = 3,
    APER_EVENT_TAB_CRASHED = 4,
    /** The tab committed another document or address. */
    APER_EVENT_TAB_NAVIGATED = 5,
    APER_EVENT_DIALOG_OPENED = 6,
    APER_EVENT_DIALOG_CLOSED = 7,
    /** A download began, ended or failed. */
    APER_EVENT_DOWNLOAD = 8,
    /** The URL policy refused something that a page tried. */
    APER_EVENT_BLOCKED = 9,
    /** Events other than completions were dropped, as nobody fetched them. */
    APER_EVENT_OVERFLOW = 10,
    /** The connection ended; the last event. */
    APER_EVENT_BROWSER_GONE = 11
};

/** States of a download. */
enum {
    APER_DOWNLOAD_RUNNING = 1,
    APER_DOWNLOAD_COMPLETE = 2,
    APER_DOWNLOAD_FAILED = 3,
    /** No directory was set, or the policy forbids it. */
    APER_DOWNLOAD_REFUSED = 4
};

/**
 * Take the next event off the queue. timeout_ms is how long to wait for one: 0
 * only looks, -1 waits until there is one. Completions are never dropped;
 * other events coalesce into one overflow event when 1,024 wait. After
 * aper_browser_close() what is queued can still be fetched.
 *
 * @ownership  the caller releases ret_event with aper_event_unref()
 * @threads    any; blocks up to timeout_ms
 * @errors     INVAL, FORKED, TIMEOUT, CLOSED, GONE
 * @since      1.0
 */
APER_API aper_status aper_browser_next_event(aper_browser *browser,
                                             int32_t timeout_ms,
                                             aper_event **ret_event);

/**
 * A descriptor that is readable exactly while events wait, for poll() and
 * event loops. Only wait on it: never read, write or close it.
 *
 * @ownership  borrowed; lives as long as the handle
 * @threads    any; never blocks
 * @errors     none; -1 for NULL and in a child of fork()
 * @since      1.0
 */
APER_API int aper_browser_get_fd(aper_browser *browser);

/**
 * End the operations that were started with the tag. Each still completes, as
 * APER_E_CANCELLED unless it was quicker. Input already sent to a page is not
 * taken back.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     INVAL, FORKED, NOT_FOUND
 * @since      1.0
 */
APER_API aper_status aper_browser_cancel(aper_browser *browser, uint64_t tag);

/**
 * One of APER_EVENT_*.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_event_get_kind(const aper_event *event);

/**
 * The tag given to the _start call.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 unless a completion
 * @since      1.0
 */
APER_API uint64_t aper_event_get_tag(const aper_event *event);

/**
 * How the operation, or the connection, ended.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; APER_OK for other kinds
 * @since      1.0
 */
APER_API aper_status aper_event_get_status(const aper_event *event);

/**
 * Why the operation failed.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_error *aper_event_get_error(const aper_event *event);

/**
 * Id of the tab concerned.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; "" if none is
 * @since      1.0
 */
APER_API const char *aper_event_get_tab_id(const aper_event *event);

/**
 * The address concerned: the committed, the refused, or that of the new tab.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; "" if none is
 * @since      1.0
 */
APER_API const char *aper_event_get_url(const aper_event *event);

/**
 * Id of the tab that opened the new one.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; "" if none did
 * @since      1.0
 */
APER_API const char *aper_event_get_opener_id(const aper_event *event);

/**
 * The tab of a completed aper_tab_open_start().
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_tab *aper_event_get_tab(const aper_event *event);

/**
 * What a completed navigation led to.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_navigation *aper_event_get_navigation(const aper_event *event);

/**
 * The snapshot of a completed aper_snapshot_take_start().
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_snapshot *aper_event_get_snapshot(const aper_event *event);

/**
 * The difference of a completed aper_diff_take_start().
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_diff *aper_event_get_diff(const aper_event *event);

/**
 * What a completed aper_tab_act_start() did.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_act_result *aper_event_get_act_result(const aper_event *event);

/**
 * The file of a completed aper_tab_screenshot_start() or aper_tab_pdf_start().
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_capture *aper_event_get_capture(const aper_event *event);

/**
 * The dialog that opened or closed.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_dialog *aper_event_get_dialog(const aper_event *event);

/**
 * The download concerned.
 *
 * @ownership  borrowed; lives as long as the event
 * @threads    any; never blocks
 * @errors     none; NULL if there is none
 * @since      1.0
 */
APER_API aper_download *aper_event_get_download(const aper_event *event);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_event *aper_event_ref(aper_event *event);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_event_unref(aper_event *event);

/**
 * An id that stays the same through the download.
 *
 * @ownership  borrowed; lives as long as the download
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_download_get_id(const aper_download *download);

/**
 * Where it comes from.
 *
 * @ownership  borrowed; lives as long as the download
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_download_get_url(const aper_download *download);

/**
 * The name of the file: without path, control and bidi characters, at most 120
 * characters, with its extension, never empty.
 *
 * @ownership  borrowed; lives as long as the download
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_download_get_name(const aper_download *download);

/**
 * Where the file is.
 *
 * @ownership  borrowed; lives as long as the download
 * @threads    any; never blocks
 * @errors     none; "" until it is complete
 * @since      1.0
 */
APER_API const char *aper_download_get_path(const aper_download *download);

/**
 * SHA-256 of the file in hexadecimal.
 *
 * @ownership  borrowed; lives as long as the download
 * @threads    any; never blocks
 * @errors     none; "" until it is complete
 * @since      1.0
 */
APER_API const char *aper_download_get_sha256(const aper_download *download);

/**
 * One of APER_DOWNLOAD_*.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_download_get_state(const aper_download *download);

/**
 * Bytes received.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint64_t aper_download_get_size(const aper_download *download);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_download *aper_download_ref(aper_download *download);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_download_unref(aper_download *download);

APER_END

#endif
