/* SPDX-License-Identifier: Apache-2.0 */
#ifndef APER_PAGE_INTERNAL_H
#define APER_PAGE_INTERNAL_H

#include "page/page.h"

/* The scripts, made from the .js files of this directory. */
extern const char aper__page_script[];

/* Frames that are read one by one: the main frame and those of other
 * origins. More are not read, and said to be so. */
#define APER__PAGE_FRAMES_MAX 1000

typedef struct aper__page_frame {
    char *frame_id;
    char *session; /* NULL: the tab's own */
    char document[64]; /* the document that context belongs to; main frame */
    int64_t context; /* 0 if none is known */
    size_t parent; /* index of the frame that holds its element */
    int64_t key; /* the element's number there; 0 if not known */
    char *path; /* part of the identity of all in it */
    int64_t parent_context; /* in which key was asked for */
    /* What is held of it; used only while the tab is held. */
    aper__view view;
    int64_t version; /* that the page script knows the view by */
    bool read; /* this time */
    json_t *unread; /* of the frames in it that its world cannot read */
} aper__page_frame;

/* A ref of a frame other than the main one. */
typedef struct aper__page_ref {
    uint32_t number;
    uint32_t frame; /* index; UINT32_MAX: more than one frame has it */
} aper__page_ref;

/* What is known of a tab's page; in APER__SLOT_PAGE. */
typedef struct aper__page_state {
    pthread_mutex_t lock; /* guards all; not held while waiting */
    bool installed; /* for documents to come */
    aper__page_frame *frames[APER__PAGE_FRAMES_MAX]; /* first the main one */
    size_t frame_count;
    uint32_t *refs; /* given out, as sorted numbers */
    size_t ref_count;
    aper__page_ref *frame_refs; /* sorted */
    size_t frame_ref_count;
} aper__page_state;

/* A ref as a number; all refs have different ones. */
uint32_t aper__page_ref_number(const char *ref);
/* The same as aper__page_call(), by index. */
aper_status aper__page_call_frame(aper_tab *tab, aper__op *op, size_t frame,
                                  const char *function, json_t *argument,
                                  json_t **ret_result,
                                  aper_error **ret_error);
/* The same in two halves, so that many frames are asked at once. A frame that
 * was never called gives APER_OK and NULL: call it in the ordinary way.
 * Takes the argument. */
aper_status aper__page_begin(aper_tab *tab, aper__op *op, size_t frame,
                             const char *function, json_t *argument,
                             aper__cdp_pending **ret_pending);
/* REMOTE also when the world has no script. */
aper_status aper__page_finish(aper__cdp_pending *pending,
                              json_t **ret_result);
/* A command in the session of a frame. */
aper_status aper__page_command(aper_tab *tab, aper__op *op, size_t frame,
                               const char *method, json_t *params,
                               json_t **ret_result, aper_error **ret_error);

/* Remembers refs that were seen in frames other than the main one, besides
 * those of earlier readings. Takes nothing. */
aper_status aper__page_keep_refs(aper__page_state *state,
                                 const aper__page_ref *refs, size_t count);

/* The tab's state, made on first use; NULL without memory. */
aper__page_state *aper__page_get_state(aper_tab *tab);

#endif
