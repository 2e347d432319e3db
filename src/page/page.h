/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge to our scripts in the page: one isolated world per frame, in
 * which the page can neither see nor forge anything. */
#ifndef APER_PAGE_H
#define APER_PAGE_H

#include "browser/browser.h"
#include "page/view.h"

/* Calls a function of our script, such as "walk", in the main frame's isolated
 * world with one JSON argument (stolen; NULL for none) and gets its result by
 * value. Installs the scripts on first use and again after a navigation.
 * PROTOCOL when the script itself failed. */
aper_status aper__page_call(aper_tab *tab, aper__op *op, const char *function,
                            json_t *argument, json_t **ret_result,
                            aper_error **ret_error);

/* The same in a frame that is read apart; NULL is the main frame. STALE when
 * the frame is no more. */
aper_status aper__page_call_in(aper_tab *tab, aper__op *op,
                               const char *frame_id, const char *function,
                               json_t *argument, json_t **ret_result,
                               aper_error **ret_error);

/* What is to be read. A ref must be plain; NULL is none. */
typedef struct aper__page_how {
    bool select; /* choose anew what is shown; else it stays as it was */
    bool again; /* of what was read just now */
    uint32_t budget; /* tokens that the lines may cost; 0 is no limit */
    const char *expand; /* ref: what is in it and near it is shown first */
    const char *find; /* text: lines that hold it are shown first */
    const char *scope; /* ref: nothing else is shown */
} aper__page_how;

#define APER__TOKEN_SIZE 20
typedef struct aper__page_reading {
    aper__view view;
    char token[APER__TOKEN_SIZE]; /* names the document */
    bool chosen; /* what is shown was chosen anew */
    char *title; /* whole, as the first entry may not have it */
    char *url;
} aper__page_reading;
void aper__page_reading_clear(aper__page_reading *reading);

/* Reads the page with all its frames, those of other origins and processes
 * too, and brings what is held of each up to date. STALE and NO_REF for refs
 * in how. The caller clears the reading. */
aper_status aper__page_read(aper_tab *tab, aper__op *op,
                            const aper__page_how *how,
                            aper__page_reading *ret_reading,
                            aper_error **ret_error);
/* Which frame a ref belongs to: NULL through ret_frame_id for the main one,
 * else the caller frees it. */
aper_status aper__page_frame_of(aper_tab *tab, const char *ref,
                                char **ret_frame_id, aper_error **ret_error);
/* Turns a point of a frame into one of the main viewport. With hit the pointer
 * must meet the frame there: NOT_ACTIONABLE if something covers it. */
aper_status aper__page_place(aper_tab *tab, aper__op *op, const char *ref,
                             const char *frame_id, bool hit, double *x,
                             double *y, aper_error **ret_error);

/* Where an element is: CSS pixels of the main viewport. */
typedef struct aper__page_box {
    double x;
    double y;
    double width;
    double height;
} aper__page_box;

/* Box of the element that has the ref, scrolled into view. STALE, NO_REF,
 * NOT_ACTIONABLE as for an action. */
aper_status aper__page_locate(aper_tab *tab, aper__op *op, const char *ref,
                              aper__page_box *ret_box,
                              aper_error **ret_error);

/* Refs: "e" and six or nine digits; a "*" behind them is decoration. */

/* Copies the ref without decoration; false if it is none. */
#define APER__REF_SIZE 11
bool aper__page_parse_ref(const char *text, char ref[APER__REF_SIZE]);
/* Remembers the count refs of a snapshot as given out in this tab. */
aper_status aper__page_note_refs(aper_tab *tab, const char *const *refs,
                                 size_t count);
/* Appends `e123456 role "name"`, as far as about holds them. */
void aper__page_name(aper__buf *out, const char *ref, json_t *about);
/* What the script's answer about a ref means: APER_OK unless it holds
 * "error". STALE, NO_REF or NOT_ACTIONABLE with the reason otherwise. */
aper_status aper__page_check_answer(aper_tab *tab, const char *ref,
                                    json_t *answer, aper_error **ret_error);

#endif
