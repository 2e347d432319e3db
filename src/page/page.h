/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge to our scripts in the page: one isolated world per frame, in
 * which the page can neither see nor forge anything. */
#ifndef APER_PAGE_H
#define APER_PAGE_H

#include "browser/browser.h"

/* Calls a function of our script, such as "walk", in the main frame's isolated
 * world with one JSON argument (stolen; NULL for none) and gets its result by
 * value. Installs the scripts on first use and again after a navigation.
 * PROTOCOL when the script itself failed. */
aper_status aper__page_call(aper_tab *tab, aper__op *op, const char *function,
                            json_t *argument, json_t **ret_result,
                            aper_error **ret_error);

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
/* What the script's answer about a ref means: APER_OK unless it holds
 * "error". STALE, NO_REF or NOT_ACTIONABLE with the reason otherwise. */
aper_status aper__page_check_answer(aper_tab *tab, const char *ref,
                                    json_t *answer, aper_error **ret_error);

#endif
