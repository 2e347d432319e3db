/* SPDX-License-Identifier: Apache-2.0 */
/* What pages wrote on their console and loaded from the network. Each tab
 * keeps the last entries in a bounded ring. */
#ifndef APERTURE_LOG_H
#define APERTURE_LOG_H

#include <aperture/tab.h>

APER_BEGIN

/** Entries copied out of a ring. Immutable, counted, shareable. */
typedef struct aper_log aper_log;

/**
 * The console entries that came after the given sequence number; 0 gives all
 * that are kept (the last 500). Recording starts with the tab's handle.
 *
 * @ownership  the caller releases ret_log with aper_log_unref()
 * @threads    any; never blocks
 * @errors     INVAL, NOMEM, FORKED
 * @since      1.0
 */
APER_API aper_status aper_tab_get_console(aper_tab *tab, uint64_t after,
                                          aper_log **ret_log);

/**
 * The requests that finished or failed after the given sequence number; 0
 * gives all that are kept (the last 500). Bodies and headers are never kept.
 *
 * @ownership  the caller releases ret_log with aper_log_unref()
 * @threads    any; never blocks
 * @errors     INVAL, NOMEM, FORKED
 * @since      1.0
 */
APER_API aper_status aper_tab_get_network(aper_tab *tab, uint64_t after,
                                          aper_log **ret_log);

/**
 * Number of entries.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_log_get_count(const aper_log *log);

/**
 * Entries after the given number that the ring had already dropped.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint64_t aper_log_get_dropped(const aper_log *log);

/**
 * Sequence number of an entry; give the last one to the next call.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 past the end
 * @since      1.0
 */
APER_API uint64_t aper_log_get_sequence(const aper_log *log, size_t index);

/**
 * When, in milliseconds since 1970.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 past the end
 * @since      1.0
 */
APER_API int64_t aper_log_get_time_ms(const aper_log *log, size_t index);

/**
 * "error", "warning", "info", "log" or "debug" on the console; the HTTP method
 * on the network.
 *
 * @ownership  borrowed; lives as long as the log
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_log_get_level(const aper_log *log, size_t index);

/**
 * The message, or the address that was requested. Written by the page: treat
 * it as untrusted.
 *
 * @ownership  borrowed; lives as long as the log
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_log_get_text(const aper_log *log, size_t index);

/**
 * Address and line that wrote it, or the resource type, such as "Fetch".
 *
 * @ownership  borrowed; lives as long as the log
 * @threads    any; never blocks
 * @errors     none; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_log_get_source(const aper_log *log, size_t index);

/**
 * HTTP status of a request.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 when there was no answer, and on the console
 * @since      1.0
 */
APER_API uint32_t aper_log_get_http_status(const aper_log *log, size_t index);

/**
 * The net:: error of a failed request.
 *
 * @ownership  borrowed; lives as long as the log
 * @threads    any; never blocks
 * @errors     none; "" when it did not fail; NULL past the end
 * @since      1.0
 */
APER_API const char *aper_log_get_net_error(const aper_log *log, size_t index);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_log *aper_log_ref(aper_log *log);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_log_unref(aper_log *log);

APER_END

#endif
