/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures. The browser scales them, so that a large page never crosses the
 * wire at full size. */
#include "capture/capture.h"

#include <string.h>

#define TIMEOUT_MS 20000
#define MAX_EDGE 1568
#define MAX_HEIGHT 16000
#define MAX_WIDTH 16000 /* CSS pixels of a page that is wider still */
#define QUALITY 80

static const struct {
    const char *name;
    const char *mime_type;
} formats[] = {
    [APER_IMAGE_PNG] = { "png", "image/png" },
    [APER_IMAGE_JPEG] = { "jpeg", "image/jpeg" },
    [APER_IMAGE_WEBP] = { "webp", "image/webp" },
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static uint32_t round_up(double value)
{
    if (!(value < UINT32_MAX))
        return UINT32_MAX;
    uint32_t whole = value > 0 ? (uint32_t)value : 0;
    return whole < value ? whole + 1 : whole;
}

/* What is shown: CSS pixels of the whole page. */
typedef struct view {
    double x;
    double y;
    double width;
    double height;
    bool beyond; /* the viewport */
    double density; /* device pixels per CSS pixel */
    uint32_t remaining;
} view;

/* The window and the page in it. */
typedef struct layout {
    double x; /* scrolled by */
    double y;
    double width; /* of the viewport */
    double height;
    double density;
    double page_width;
    double page_height;
} layout;

static aper_status read_layout(aper_tab *tab, aper__op *op, layout *out,
                               aper_error **ret_error)
{
    json_t *metrics = NULL;
    json_t *window = NULL;
    aper_status status = aper__page_call(tab, op, "measure", NULL, &window,
                                         ret_error);
    if (status == APER_OK)
        status = aper__tab_call(tab, op, "Page.getLayoutMetrics", NULL,
                                &metrics, ret_error);
    if (status == APER_OK) {
        json_t *visual = aper__json_get(metrics, "cssVisualViewport");
        json_t *content = aper__json_get(metrics, "cssContentSize");
        *out = (layout){
            .x = aper__json_number(visual, "pageX", 0),
            .y = aper__json_number(visual, "pageY", 0),
            .width = aper__json_number(window, "width", 0),
            .height = aper__json_number(window, "height", 0),
            .density = aper__json_number(window, "density", 1),
            .page_width = aper__json_number(content, "width", 0),
            .page_height = aper__json_number(content, "height", 0),
        };
        if (!(out->density > 0))
            out->density = 1;
    }
    json_decref(metrics);
    json_decref(window);
    return status;
}

/* Cuts the height, and says what that left out. */
static void cut_height(view *shown, uint32_t max_height)
{
    if (shown->height <= max_height)
        return;
    shown->remaining = round_up(shown->height - max_height);
    shown->height = max_height;
}

static aper_status whole_page(const layout *page,
                              const aper_screenshot_options *options,
                              view *shown, aper_error **ret_error)
{
    /* A page that is smaller than the window ends with it. */
    double bottom = larger(page->page_height, page->height);
    if (options->start_y >= bottom)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the page ends at %.0f, above start_y", bottom);
    shown->y = options->start_y;
    shown->width = smaller(page->page_width, MAX_WIDTH);
    shown->height = bottom - options->start_y;
    shown->beyond = true;
    cut_height(shown, options->max_height);
    return APER_OK;
}

static aper_status one_element(aper_tab *tab, aper__op *op,
                               const aper_screenshot_options *options,
                               view *shown, aper_error **ret_error)
{
    aper__page_box box;
    aper_status status = aper__page_locate(tab, op, options->ref, &box,
                                           ret_error);
    if (status != APER_OK)
        return status;
    if (!(box.width >= 1 && box.height >= 1))
        return aper__error_set(ret_error, APER_E_NOT_ACTIONABLE,
                               "the element takes up no space");
    shown->x = box.x;
    shown->y = box.y;
    shown->width = smaller(box.width, MAX_WIDTH);
    shown->height = box.height;
    cut_height(shown, options->max_height);
    return APER_OK;
}

/* The element's box is of the window until it is known how far that has been
 * scrolled to show it. */
static void place_element(const layout *page, view *shown)
{
    shown->beyond = shown->x < 0 || shown->y < 0
        || shown->x + shown->width > page->width
        || shown->y + shown->height > page->height;
    shown->x += page->x;
    shown->y += page->y;
}

static aper_status find_view(aper_tab *tab, aper__op *op,
                             const aper_screenshot_options *options,
                             view *shown, aper_error **ret_error)
{
    layout page = { 0 };
    aper_status status = APER_OK;
    *shown = (view){ 0 };
    if (options->ref != NULL)
        status = one_element(tab, op, options, shown, ret_error);
    if (status == APER_OK)
        status = read_layout(tab, op, &page, ret_error);
    if (status != APER_OK)
        return status;
    shown->density = page.density;
    if (options->ref != NULL) {
        place_element(&page, shown);
    } else if (options->full_page != 0) {
        status = whole_page(&page, options, shown, ret_error);
    } else {
        shown->x = page.x;
        shown->y = page.y;
        shown->width = page.width;
        shown->height = page.height;
    }
    return status;
}

static json_t *capture_params(const aper_screenshot_options *options,
                              const view *shown)
{
    uint32_t edge = round_up(larger(shown->width, shown->height)
                             * shown->density);
    double scale = edge > options->max_edge
        ? (double)options->max_edge / edge : 1;
    json_t *params = json_pack(
        "{s:s,s:b,s:{s:f,s:f,s:f,s:f,s:f}}", "format",
        formats[options->format].name, "captureBeyondViewport", shown->beyond,
        "clip", "x", shown->x, "y", shown->y, "width", shown->width, "height",
        shown->height, "scale", scale);
    if (options->format != APER_IMAGE_PNG)
        json_object_set_new(params, "quality",
                            json_integer(options->quality));
    return params;
}

/* A tab in the background draws only for who watches it. A screencast, of
 * which nobody looks at the pictures, makes it draw, and does not bring it to
 * the front. */
static aper_status take(aper_tab *tab, aper__op *op, json_t *params,
                        json_t **ret_result, aper_error **ret_error)
{
    aper__cdp *cdp = aper__browser_cdp(aper_tab_get_browser(tab));
    const char *session = aper__tab_session(tab);
    json_t *cast = json_pack("{s:s,s:i,s:i,s:i,s:i}", "format", "jpeg",
                             "quality", 1, "maxWidth", 16, "maxHeight", 16,
                             "everyNthFrame", 1000000);
    aper__cdp_send(cdp, session, "Page.startScreencast", cast, 0, NULL, NULL);
    aper_status status = aper__tab_call(tab, op, "Page.captureScreenshot",
                                        params, ret_result, ret_error);
    aper__cdp_send(cdp, session, "Page.stopScreencast", NULL, 0, NULL, NULL);
    return status;
}

static aper_status make_capture(const aper_screenshot_options *options,
                                const view *shown, json_t *result,
                                aper_capture **ret_capture,
                                aper_error **ret_error)
{
    aper__buf data = { 0 };
    uint32_t width = 0;
    uint32_t height = 0;
    bool decoded = aper__capture_decode(&data,
                                        aper__json_string(result, "data"));
    if (data.failed)
        goto nomem;
    if (!decoded || !aper__image_size((unsigned char *)data.data, data.size,
                                      &width, &height)) {
        aper__buf_free(&data);
        return aper__error_set(ret_error, APER_E_PROTOCOL,
                               "the browser sent no picture");
    }
    aper_capture *capture = aper__capture_new(
        (unsigned char *)data.data, data.size,
        formats[options->format].mime_type);
    if (capture == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for a picture");
    capture->width = width;
    capture->height = height;
    capture->scale = width / shown->width;
    capture->remaining_height = shown->remaining;
    *ret_capture = capture;
    return APER_OK;
nomem:
    aper__buf_free(&data);
    return aper__error_set(ret_error, APER_E_NOMEM, "no memory for a picture");
}

static aper_status shoot(aper_tab *tab, aper__op *op, const void *arg,
                         aper_capture **ret_capture, aper_error **ret_error)
{
    const aper_screenshot_options *options = arg;
    view shown;
    json_t *result = NULL;
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status != APER_OK)
        return status;
    status = find_view(tab, op, options, &shown, ret_error);
    if (status == APER_OK)
        status = take(tab, op, capture_params(options, &shown), &result,
                      ret_error);
    aper__tab_release(tab);
    if (status == APER_OK)
        status = make_capture(options, &shown, result, ret_capture,
                              ret_error);
    json_decref(result);
    return status;
}

/* ---- options ------------------------------------------------------------- */

static aper_status check_options(aper_screenshot_options *copy,
                                 const aper_screenshot_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof(*copy), sizeof(*copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (copy->format >= sizeof(formats) / sizeof(formats[0]))
        return aper__error_set(ret_error, APER_E_INVAL, "unknown format");
    if (copy->quality > 100)
        return aper__error_set(ret_error, APER_E_INVAL, "quality is over 100");
    if (copy->ref != NULL && copy->full_page != 0)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "ref and full_page exclude each other");
    if (copy->start_y != 0 && copy->full_page == 0)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "start_y needs full_page");
    if (copy->quality == 0)
        copy->quality = QUALITY;
    if (copy->max_edge == 0)
        copy->max_edge = MAX_EDGE;
    if (copy->max_height == 0)
        copy->max_height = MAX_HEIGHT;
    if (copy->timeout_ms == 0)
        copy->timeout_ms = TIMEOUT_MS;
    return APER_OK;
}

static const aper__capture_kind kind = {
    shoot, sizeof(aper_screenshot_options),
    offsetof(aper_screenshot_options, ref)
};

aper_status aper_tab_screenshot(aper_tab *tab,
                                const aper_screenshot_options *options,
                                aper_capture **ret_capture,
                                aper_error **ret_error)
{
    aper_screenshot_options copy;
    aper_status status = check_options(&copy, options, ret_error);
    if (status != APER_OK)
        return status;
    return aper__capture_take(tab, &kind, &copy, copy.timeout_ms, ret_capture,
                              ret_error);
}

aper_status aper_tab_screenshot_start(aper_tab *tab,
                                      const aper_screenshot_options *options,
                                      uint64_t tag, aper_error **ret_error)
{
    aper_screenshot_options copy;
    aper_status status = check_options(&copy, options, ret_error);
    if (status != APER_OK)
        return status;
    return aper__capture_start(tab, &kind, &copy, copy.timeout_ms, tag,
                               ret_error);
}
