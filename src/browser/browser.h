/* SPDX-License-Identifier: Apache-2.0 */
/* Browser and tabs: what is open, what happens in it, who waits for it.
 *
 * Locks, outermost first: browser->lock, the CDP connection's, an op's. The
 * I/O thread changes the state of browser and tabs under browser->lock; it
 * never waits for anything else. */
#ifndef APER_BROWSER_H
#define APER_BROWSER_H

#include "cdp/cdp.h"

/* ---- what the layers above use ------------------------------------------ */

/* Begins an operation on a tab: checks the handle (INVAL, FORKED, CLOSED, GONE,
 * CRASHED), initialises op and lists it, so that a crash, a closed tab, a
 * vanished browser or a dialog interrupts it. With allow_dialog an open dialog
 * neither refuses nor interrupts. */
aper_status aper__tab_begin(aper_tab *tab, aper__op *op, uint32_t timeout_ms,
                            bool allow_dialog, aper_error **ret_error);
void aper__tab_end(aper_tab *tab, aper__op *op);

/* Operations that read or act hold the tab, one at a time, in order of
 * arrival; waiting ends with the op. */
aper_status aper__tab_hold(aper_tab *tab, aper__op *op,
                           aper_error **ret_error);
void aper__tab_release(aper_tab *tab);
/* While set, what the page tells of printing is our own doing and no event. */
void aper__tab_set_printing(aper_tab *tab, bool printing);

/* A command in the tab's own session, or another session of the tab. params is
 * stolen. */
aper_status aper__tab_call(aper_tab *tab, aper__op *op, const char *method,
                           json_t *params, json_t **ret_result,
                           aper_error **ret_error);
/* The same for the browser itself. */
aper_status aper__browser_call(aper_browser *browser, aper__op *op,
                               const char *method, json_t *params,
                               json_t **ret_result, aper_error **ret_error);
aper__cdp *aper__browser_cdp(aper_browser *browser);
/* Id of the tab's own CDP session; lives as long as the tab. */
const char *aper__tab_session(const aper_tab *tab);

/* A frame that has a session of its own (another process): its sessions, as a
 * NULL-terminated array that the caller frees with aper__strv_free(). */
typedef struct aper__frame {
    char *frame_id;
    char *parent_id; /* "" for the main frame */
    char *session; /* session in which it can be reached */
    char *url;
} aper__frame;
/* All frames of the tab, parents first; count through ret_count. The caller
 * frees with aper__frames_free(). */
aper_status aper__tab_frames(aper_tab *tab, aper__frame **ret_frames,
                             size_t *ret_count);
void aper__frames_free(aper__frame *frames, size_t count);

/* Id of the document that the main frame shows (its loader id), "" before the
 * first; copied into out. */
void aper__tab_document(aper_tab *tab, char *out, size_t size);
/* Committed address of the main frame; caller frees. */
char *aper__tab_url(aper_tab *tab);

/* What happened in a tab, counted since it was opened. Take a mark before an
 * action; compare after it. */
typedef struct aper__tab_counts {
    uint64_t dialogs;
    uint64_t navigations; /* committed, other document */
    uint64_t same_document; /* committed, same document */
    uint64_t popups;
    uint64_t downloads;
    uint64_t requests; /* started; only those that aper__tab_busy() counts */
    uint64_t requests_ended;
    uint64_t navigations_started; /* requested or begun, perhaps not committed */
    uint64_t console_errors;
} aper__tab_counts;
void aper__tab_count(aper_tab *tab, aper__tab_counts *ret_counts);
/* Requests that started after mark and still run, main-frame navigation
 * included. What has no end or shows no text is left out: sockets, event
 * streams, beacons, pictures; an answer that stopped coming, since nobody may
 * be reading it; and what renews a request that ran at the mark, as polling
 * does. */
size_t aper__tab_busy(aper_tab *tab, const aper__tab_counts *mark);
/* Id of the n-th popup counted (1-based); caller frees; NULL if unknown. */
char *aper__tab_popup(aper_tab *tab, uint64_t n);
/* Name of the n-th download counted (1-based); caller frees. */
char *aper__tab_download(aper_tab *tab, uint64_t n);
/* The open dialog with a reference, or NULL. */
aper_dialog *aper__tab_dialog(aper_tab *tab);
/* The last dialog that opened, open or not, with a reference, or NULL. */
aper_dialog *aper__tab_last_dialog(aper_tab *tab);
/* The isolated world of the library in every document. */
#define APER__WORLD "aperture"

/* State that a higher layer keeps per tab, freed with it. One slot each. */
enum {
    APER__SLOT_PAGE,
    APER__SLOT_SNAPSHOT,
    APER__SLOT_DIFF,
    APER__SLOT_ACT,
    APER__SLOTS
};
void *aper__tab_get_slot(aper_tab *tab, unsigned slot);
void aper__tab_set_slot(aper_tab *tab, unsigned slot, void *value,
                        void (*free_value)(void *));

/* ---- _start calls -------------------------------------------------------- */

/* What a completion carries. */
enum {
    APER__RESULT_NONE,
    APER__RESULT_TAB, /* only in src/browser: kept, without a handle */
    APER__RESULT_NAVIGATION,
    APER__RESULT_SNAPSHOT,
    APER__RESULT_DIFF,
    APER__RESULT_ACT,
    APER__RESULT_CAPTURE
};
typedef struct aper__result {
    unsigned kind;
    void *object;
    void (*unref)(void *object);
} aper__result;

/* A job runs the blocking twin on a worker thread. run gets arg; it returns
 * the status and fills result and error; free_arg is called afterwards, or at
 * once if starting fails. */
typedef struct aper__job {
    aper_status (*run)(void *arg, aper_browser *browser, aper_tab *tab,
                       aper__op *op, aper__result *ret_result,
                       aper_error **ret_error);
    void (*free_arg)(void *arg);
    void *arg;
    uint32_t timeout_ms;
    bool allow_dialog; /* runs although a dialog is open */
    bool allow_crash; /* runs although the renderer has crashed */
    bool holds_tab; /* run calls aper__tab_hold(): keeps its place in line */
} aper__job;
/* Reserves the completion, starts the job; tab may be NULL. BUSY when 1,024
 * operations are under way. The op given to run has begun on the tab; run
 * neither begins nor ends it. A crash or a dialog that is there already ends
 * the job with that status, as the calls of a _start function may not. */
aper_status aper__browser_start(aper_browser *browser, aper_tab *tab,
                                uint64_t tag, const aper__job *job,
                                aper_error **ret_error);

/* ---- URL policy ---------------------------------------------------------- */

/* APER_OK, or BLOCKED with a message that names scheme or host. */
aper_status aper__policy_check_url(aper_browser *browser, const char *url,
                                   aper_error **ret_error);

/* Option: may aper_tab_eval() be used. */
bool aper__browser_allows_eval(const aper_browser *browser);

#endif
