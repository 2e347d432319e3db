/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

enum { RETRYABLE = 1, FATAL = 2 };

typedef struct row {
    aper_status status;
    const char *name;
    const char *text;
    unsigned flags;
} row;

#define ROW(code, flags, text) {APER_##code, "APER_" #code, text, flags}

/* A row's place is its negated status. Retryable is only what does no harm
 * when simply called again: NOT_VERIFIED could do a thing twice. */
static const row rows[] = {
    ROW(OK, 0, "Success."),
    ROW(E_INVAL, 0, "An argument is missing, malformed or out of range."),
    ROW(E_NOMEM, RETRYABLE, "Out of memory; nothing changed."),
    ROW(E_TIMEOUT, RETRYABLE, "The deadline passed."),
    ROW(E_CANCELLED, 0, "The operation was cancelled."),
    ROW(E_CLOSED, FATAL, "The handle or its tab was closed."),
    ROW(E_GONE, FATAL, "The browser or the connection to it is gone."),
    ROW(E_CRASHED, 0, "The tab's renderer crashed."),
    ROW(E_FORKED, FATAL, "The handle belongs to the parent process."),
    ROW(E_OPTIONS_SIZE, 0, "The size of an options struct is impossible."),
    ROW(E_OPTIONS_OLD, 0, "The options struct is too old for this library."),
    ROW(E_OPTIONS_NEW, 0,
        "The options struct sets a field that this library does not know."),
    ROW(E_PROTOCOL, FATAL, "The other side broke the protocol."),
    ROW(E_REMOTE, 0, "The browser refused the command."),
    ROW(E_CONNECT, RETRYABLE, "The endpoint could not be reached."),
    ROW(E_TLS, 0, "The secure connection failed."),
    ROW(E_AUTH, 0, "The endpoint wants other credentials."),
    ROW(E_LAUNCH, 0, "The browser did not start."),
    ROW(E_SANDBOX, 0, "The browser's sandbox cannot work here."),
    ROW(E_IN_USE, 0, "Another browser uses the profile directory."),
    ROW(E_NOT_FOUND, 0, "There is no such browser, tab, file or item."),
    ROW(E_FOREIGN, 0, "The tab belongs to somebody else."),
    ROW(E_BLOCKED, 0, "The URL policy refuses the address."),
    ROW(E_NAVIGATION, 0, "The navigation failed."),
    ROW(E_DIALOG, RETRYABLE,
        "An open JavaScript dialog must be answered first."),
    ROW(E_NO_DIALOG, 0, "No dialog is open."),
    ROW(E_STALE, 0, "The ref names something that is no more."),
    ROW(E_NO_REF, 0, "No element ever had this ref in this tab."),
    ROW(E_NOT_ACTIONABLE, RETRYABLE, "The element cannot be acted on now."),
    ROW(E_BUSY, RETRYABLE, "Too much is queued."),
    ROW(E_TOO_BIG, 0, "A message, file or result is over its limit."),
    ROW(E_IO, 0, "A file or directory could not be read or written."),
    ROW(E_UNSUPPORTED, 0,
        "Not possible with this browser, platform or build."),
    ROW(E_NOT_VERIFIED, 0,
        "The input was sent, but its effect was not observed."),
};

static const row unknown = {0, "APER_E_UNKNOWN",
                            "An unknown failure of a newer library.", 0};

static const row *find_row(aper_status status)
{
    int64_t at = -(int64_t)status;
    int64_t count = (int64_t)(sizeof rows / sizeof rows[0]);
    return at >= 0 && at < count ? &rows[at] : &unknown;
}

const char *aper_status_get_name(aper_status status)
{
    return find_row(status)->name;
}

const char *aper_status_get_text(aper_status status)
{
    return find_row(status)->text;
}

int aper_status_is_retryable(aper_status status)
{
    return (find_row(status)->flags & RETRYABLE) != 0;
}

int aper_status_is_fatal(aper_status status)
{
    return (find_row(status)->flags & FATAL) != 0;
}

const char *aper__op_reason(aper_status status)
{
    switch (status) {
    case APER_E_TIMEOUT: return "the deadline passed";
    case APER_E_CANCELLED: return "the operation was cancelled";
    case APER_E_CLOSED: return "the handle or its tab was closed";
    case APER_E_GONE: return "the browser or the connection to it is gone";
    case APER_E_CRASHED: return "the tab's renderer crashed";
    case APER_E_DIALOG: return "a JavaScript dialog is open; answer it first";
    default: return aper_status_get_text(status);
    }
}
