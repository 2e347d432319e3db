/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures and PDF files of a page. */
#ifndef APERTURE_CAPTURE_H
#define APERTURE_CAPTURE_H

#include <aperture/tab.h>

APER_BEGIN

/** Bytes with their type and size. Immutable, counted, shareable. */
typedef struct aper_capture aper_capture;

enum {
    APER_IMAGE_PNG = 0,
    APER_IMAGE_JPEG = 1,
    APER_IMAGE_WEBP = 2
};

/** How to take a picture. Zero means the default. */
typedef struct aper_screenshot_options {
    /** sizeof(aper_screenshot_options) */
    size_t size;
    /** Ref of the element to show; NULL shows the viewport. */
    const char *ref;
    /** 1 shows the whole page; its height is cut at max_height. */
    uint32_t full_page;
    /** One of APER_IMAGE_*. */
    uint32_t format;
    /** 1 to 100 for JPEG and WebP; 0 is 80. */
    uint32_t quality;
    /** Pixels of the longer side; larger pictures are scaled down; 0 is 1,568,
     * UINT32_MAX is no limit. */
    uint32_t max_edge;
    /** CSS pixels of page height from start_y on; 0 is 16,000. */
    uint32_t max_height;
    /** CSS pixels to skip at the top of a whole page, for the next tile. */
    uint32_t start_y;
    /** Milliseconds for the whole call; 0 is 20,000. */
    uint32_t timeout_ms;
    uint32_t reserved;
} aper_screenshot_options;

/** How to print. Zero means the default. */
typedef struct aper_pdf_options {
    /** sizeof(aper_pdf_options) */
    size_t size;
    /** 1 turns the paper. */
    uint32_t landscape;
    /** 1 prints backgrounds. */
    uint32_t backgrounds;
    /** Thousandths of a millimetre; 0 is A4. */
    uint32_t paper_width_um;
    uint32_t paper_height_um;
    /** Pages such as "1-3,5"; NULL is all. */
    const char *pages;
    /** Milliseconds for the whole call; 0 is 60,000. */
    uint32_t timeout_ms;
    uint32_t reserved;
} aper_pdf_options;

/**
 * Take a picture of the viewport, the whole page or one element.
 *
 * @ownership  the caller releases ret_capture with aper_capture_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, CANCELLED, STALE, NO_REF, NOT_ACTIONABLE, TOO_BIG,
 *             REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_screenshot(
    aper_tab *tab, const aper_screenshot_options *options,
    aper_capture **ret_capture, aper_error **ret_error);

/**
 * Take a picture without blocking. The completion event carries the capture.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_screenshot_start(
    aper_tab *tab, const aper_screenshot_options *options, uint64_t tag,
    aper_error **ret_error);

/**
 * Print the page into a PDF file in memory.
 *
 * @ownership  the caller releases ret_capture with aper_capture_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, CRASHED, DIALOG,
 *             TIMEOUT, CANCELLED, UNSUPPORTED, TOO_BIG, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_tab_pdf(aper_tab *tab,
                                  const aper_pdf_options *options,
                                  aper_capture **ret_capture,
                                  aper_error **ret_error);

/**
 * Print the page without blocking. The completion event carries the capture.
 *
 * @ownership  options are copied; tag comes back in the event
 * @threads    any; never blocks
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, BUSY
 * @since      1.0
 */
APER_API aper_status aper_tab_pdf_start(aper_tab *tab,
                                        const aper_pdf_options *options,
                                        uint64_t tag, aper_error **ret_error);

/**
 * The bytes of the file.
 *
 * @ownership  borrowed; lives as long as the capture
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API const void *aper_capture_get_data(const aper_capture *capture);

/**
 * Number of bytes.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API size_t aper_capture_get_size(const aper_capture *capture);

/**
 * Such as "image/png" or "application/pdf".
 *
 * @ownership  borrowed; lives as long as the capture
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_capture_get_mime_type(const aper_capture *capture);

/**
 * Width in pixels; 0 for a PDF.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_capture_get_width(const aper_capture *capture);

/**
 * Height in pixels; 0 for a PDF.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_capture_get_height(const aper_capture *capture);

/**
 * Pixels of the picture per CSS pixel of the page; divide picture coordinates
 * by it.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API double aper_capture_get_scale(const aper_capture *capture);

/**
 * CSS pixels of the page below the picture that max_height cut off.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API uint32_t aper_capture_get_remaining_height(
    const aper_capture *capture);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_capture *aper_capture_ref(aper_capture *capture);

/**
 * Give a reference back.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_capture_unref(aper_capture *capture);

APER_END

#endif
