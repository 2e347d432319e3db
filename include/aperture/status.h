/* SPDX-License-Identifier: Apache-2.0 */
/* Result codes. Numbers are never reused or renumbered; a program must expect
 * codes that its header does not name and treat them as failures. */
#ifndef APERTURE_STATUS_H
#define APERTURE_STATUS_H

#include <aperture/export.h>

/** 0 is success; every failure is negative. */
typedef int32_t aper_status;

enum {
    APER_OK = 0,
    /** An argument is NULL, out of range, malformed or contradicts another. */
    APER_E_INVAL = -1,
    /** Memory could not be had. Nothing changed. */
    APER_E_NOMEM = -2,
    /** The deadline passed. What was begun may still happen in the browser. */
    APER_E_TIMEOUT = -3,
    /** aper_browser_cancel() ended the operation. */
    APER_E_CANCELLED = -4,
    /** The handle was closed, or its tab was. */
    APER_E_CLOSED = -5,
    /** The browser or the connection to it is no more. */
    APER_E_GONE = -6,
    /** The tab's renderer crashed; navigating it brings it back. */
    APER_E_CRASHED = -7,
    /** Called in a child of fork() whose parent used the library. A child may
     * use it if the parent had only loaded it. */
    APER_E_FORKED = -8,
    /** The size field of an options struct is impossible. */
    APER_E_OPTIONS_SIZE = -9,
    /** The options struct is older than the oldest this library accepts. */
    APER_E_OPTIONS_OLD = -10,
    /** The options struct sets a field that this library does not know. */
    APER_E_OPTIONS_NEW = -11,
    /** The other side broke CDP, WebSocket, HTTP or JSON. */
    APER_E_PROTOCOL = -12,
    /** The browser refused a command; see aper_error_get_cdp_code(). */
    APER_E_REMOTE = -13,
    /** The endpoint could not be reached, or refused the connection. */
    APER_E_CONNECT = -14,
    /** TLS failed: an untrusted, expired or wrong certificate, or no TLS. */
    APER_E_TLS = -15,
    /** The endpoint wants other credentials (HTTP 401 or 403). */
    APER_E_AUTH = -16,
    /** The browser did not start; the message ends with its last output. */
    APER_E_LAUNCH = -17,
    /** Chromium's sandbox cannot work here; the message names the option. */
    APER_E_SANDBOX = -18,
    /** Another browser uses the profile directory. */
    APER_E_IN_USE = -19,
    /** No such browser, tab, file or item. */
    APER_E_NOT_FOUND = -20,
    /** The tab belongs to somebody else. */
    APER_E_FOREIGN = -21,
    /** The URL policy refuses the address. */
    APER_E_BLOCKED = -22,
    /** The navigation failed; the message starts with the net:: error. */
    APER_E_NAVIGATION = -23,
    /** An open JavaScript dialog must be answered first. */
    APER_E_DIALOG = -24,
    /** No dialog is open. */
    APER_E_NO_DIALOG = -25,
    /** The ref named something that is no more; the message says why. */
    APER_E_STALE = -26,
    /** No element ever had this ref in this tab. */
    APER_E_NO_REF = -27,
    /** The element cannot be acted on now; no click, key or text was sent. */
    APER_E_NOT_ACTIONABLE = -28,
    /** Too much is queued; try again when something has completed. */
    APER_E_BUSY = -29,
    /** A message, file or result is over its limit. */
    APER_E_TOO_BIG = -30,
    /** A file or directory could not be read or written. */
    APER_E_IO = -31,
    /** Not possible with this browser, platform or build. */
    APER_E_UNSUPPORTED = -32,
    /** The input was sent, but what it should have done was not observed. */
    APER_E_NOT_VERIFIED = -33
};

APER_BEGIN

/**
 * The name of a code, such as "APER_E_TIMEOUT"; "APER_E_UNKNOWN" if unknown.
 *
 * @ownership  borrowed; lives as long as the library is loaded
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API const char *aper_status_get_name(aper_status status);

/**
 * One English sentence that says what a code means.
 *
 * @ownership  borrowed; lives as long as the library is loaded
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API const char *aper_status_get_text(aper_status status);

/**
 * 1 if a call that ended so may succeed when simply made again. For calls that
 * give a status and no aper_error.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for APER_OK and for unknown codes
 * @since      1.0
 */
APER_API int aper_status_is_retryable(aper_status status);

/**
 * 1 if the handle of a call that ended so is of no more use.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for APER_OK and for unknown codes
 * @since      1.0
 */
APER_API int aper_status_is_fatal(aper_status status);

APER_END

#endif
