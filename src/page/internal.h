/* SPDX-License-Identifier: Apache-2.0 */
#ifndef APER_PAGE_INTERNAL_H
#define APER_PAGE_INTERNAL_H

#include "page/page.h"

/* The scripts, made from the .js files of this directory. */
extern const char aper__page_script[];

/* What is known of a tab's page; in APER__SLOT_PAGE. */
typedef struct aper__page_state {
    pthread_mutex_t lock; /* guards all; not held while waiting */
    bool installed; /* for documents to come */
    char *frame_id; /* of the main frame */
    char document[64]; /* the document that context belongs to */
    int64_t context; /* 0 if none is known */
    char token[20]; /* of the document whose prints were counted */
    int64_t prints;
    uint32_t *refs; /* given out, as sorted numbers */
    size_t ref_count;
} aper__page_state;

/* The tab's state, made on first use; NULL without memory. */
aper__page_state *aper__page_get_state(aper_tab *tab);

#endif
