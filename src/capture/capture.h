/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this directory share. */
#ifndef APER_CAPTURE_PRIVATE_H
#define APER_CAPTURE_PRIVATE_H

#include "page/page.h"

/* image.c: the size that the head of a PNG, JPEG or WebP file states; false if
 * it is none of them, or states none. */
bool aper__image_size(const unsigned char *data, size_t size,
                      uint32_t *ret_width, uint32_t *ret_height);

/* capture.c */
struct aper_capture {
    aper__refs refs;
    unsigned char *data;
    size_t size;
    const char *mime_type; /* a literal */
    uint32_t width;
    uint32_t height;
    uint32_t remaining_height;
    double scale;
};

/* Takes data in any case; NULL without memory. */
aper_capture *aper__capture_new(unsigned char *data, size_t size,
                                const char *mime_type);
/* Appends what base64 text stands for; false if it is not base64, or without
 * memory, which out->failed tells. */
bool aper__capture_decode(aper__buf *out, const char *text);

/* How one kind of file is made. */
typedef struct aper__capture_kind {
    /* within an operation on the tab that has begun */
    aper_status (*make)(aper_tab *tab, aper__op *op, const void *options,
                        aper_capture **ret_capture, aper_error **ret_error);
    size_t size; /* of its options */
    size_t text; /* where in them its only text is */
} aper__capture_kind;

/* Both take checked options; the second copies them. */
aper_status aper__capture_take(aper_tab *tab, const aper__capture_kind *kind,
                               const void *options, uint32_t timeout_ms,
                               aper_capture **ret_capture,
                               aper_error **ret_error);
aper_status aper__capture_start(aper_tab *tab, const aper__capture_kind *kind,
                                const void *options, uint32_t timeout_ms,
                                uint64_t tag, aper_error **ret_error);

#endif
