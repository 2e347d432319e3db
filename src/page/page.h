/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge to our scripts in the page: one isolated world per frame, in
 * which the page can neither see nor forge anything. */
#ifndef APER_PAGE_H
#define APER_PAGE_H

#include "browser/browser.h"

/* Calls a function of our script, such as "walk", in the main frame's isolated
 * world with one JSON argument (stolen; NULL for none) and gets its result by
 * value. Installs the scripts on first use and again after a navigation. */
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

#endif
