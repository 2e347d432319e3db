/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures are decoded by libpng and looked at pixel by pixel. */
#include "fixture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static void emulate(uint32_t scale_permille)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .width = 800, .height = 600,
                                       .scale_permille = scale_permille };
    aper_error *error = NULL;
    aper_status status = aper_tab_emulate(tab, &options, &error);
    LIVE_CHECK(APER_OK, status, error);
}

static void start(void)
{
    fixture_start();
    show("/blank.html");
    emulate(1000);
    aper_navigation_unref(live_go(tab, server, "/capture.html"));
}

static aper_capture *shoot(const aper_screenshot_options *options)
{
    aper_capture *capture = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_screenshot(tab, options, &capture, &error);
    LIVE_CHECK(APER_OK, status, error);
    return capture;
}

static unsigned char *decode(const aper_capture *capture)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    ck_assert(png_image_begin_read_from_memory(
        &image, aper_capture_get_data(capture),
        aper_capture_get_size(capture)));
    image.format = PNG_FORMAT_RGB;
    ck_assert_uint_eq(image.width, aper_capture_get_width(capture));
    ck_assert_uint_eq(image.height, aper_capture_get_height(capture));
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    ck_assert_ptr_nonnull(pixels);
    ck_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

/* The colour at a place given in CSS pixels from the picture's corner. */
static void expect_colour(const aper_capture *capture, double x, double y,
                          unsigned wanted)
{
    unsigned char *pixels = decode(capture);
    double scale = aper_capture_get_scale(capture);
    size_t column = (size_t)(x * scale);
    size_t row = (size_t)(y * scale);
    ck_assert_uint_lt(column, aper_capture_get_width(capture));
    ck_assert_uint_lt(row, aper_capture_get_height(capture));
    const unsigned char *p = pixels
        + (row * aper_capture_get_width(capture) + column) * 3;
    unsigned got = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
    free(pixels);
    if (got != wanted)
        ck_abort_msg("%06x instead of %06x at %g, %g", got, wanted, x, y);
}

/* Inside and just outside of the red and the blue box. */
static void expect_boxes(const aper_capture *capture)
{
    expect_colour(capture, 55, 55, 0xFF0000);
    expect_colour(capture, 145, 145, 0xFF0000);
    expect_colour(capture, 45, 55, 0xFFFFFF);
    expect_colour(capture, 155, 145, 0xFFFFFF);
    expect_colour(capture, 605, 405, 0x0000FF);
    expect_colour(capture, 695, 455, 0x0000FF);
    expect_colour(capture, 595, 405, 0xFFFFFF);
    expect_colour(capture, 695, 466, 0xFFFFFF);
}

static const char *find_ref(aper_snapshot *snapshot, const char *text)
{
    size_t node = aper_snapshot_find_text(snapshot, text, 0);
    const char *ref = aper_snapshot_get_node_ref(snapshot, node);
    ck_assert_ptr_nonnull(ref);
    return ref;
}

START_TEST(the_viewport_is_shown_as_it_is)
{
    aper_capture *capture = shoot(NULL);
    ck_assert_str_eq(aper_capture_get_mime_type(capture), "image/png");
    ck_assert_uint_eq(aper_capture_get_width(capture), 800);
    ck_assert_uint_eq(aper_capture_get_height(capture), 600);
    ck_assert_double_eq(aper_capture_get_scale(capture), 1);
    ck_assert_uint_eq(aper_capture_get_remaining_height(capture), 0);
    expect_boxes(capture);
    aper_capture_unref(capture);
}
END_TEST

START_TEST(an_unchanged_page_can_be_shown_again)
{
    for (int i = 0; i < 4; i++)
        aper_capture_unref(shoot(NULL));
}
END_TEST

START_TEST(the_viewport_follows_scrolling)
{
    aper_free(live_eval(tab, "scrollTo(0, 2400)"));
    aper_capture *capture = shoot(NULL);
    expect_colour(capture, 105, 105, 0x880088);
    expect_colour(capture, 95, 105, 0xFFFFFF);
    aper_capture_unref(capture);
}
END_TEST

START_TEST(a_scaled_picture_says_its_scale)
{
    aper_screenshot_options options = { .size = sizeof(options),
                                        .max_edge = 400 };
    aper_capture *capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_width(capture), 400);
    ck_assert_uint_eq(aper_capture_get_height(capture), 300);
    ck_assert_double_eq(aper_capture_get_scale(capture), 0.5);
    expect_boxes(capture);
    aper_capture_unref(capture);
}
END_TEST

START_TEST(dense_pixels_are_kept_and_capped)
{
    emulate(2000);
    aper_screenshot_options options = { .size = sizeof(options),
                                        .max_edge = UINT32_MAX };
    aper_capture *capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_width(capture), 1600);
    ck_assert_uint_eq(aper_capture_get_height(capture), 1200);
    ck_assert_double_eq(aper_capture_get_scale(capture), 2);
    expect_boxes(capture);
    aper_capture_unref(capture);
    capture = shoot(NULL);
    ck_assert_uint_eq(aper_capture_get_width(capture), 1568);
    expect_boxes(capture);
    aper_capture_unref(capture);
}
END_TEST

START_TEST(the_whole_page_fits_the_edge)
{
    aper_screenshot_options options = { .size = sizeof(options),
                                        .full_page = 1 };
    aper_capture *capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_height(capture), 1568);
    ck_assert_uint_eq(aper_capture_get_remaining_height(capture), 0);
    expect_boxes(capture);
    expect_colour(capture, 110, 2510, 0x880088);
    expect_colour(capture, 290, 2590, 0x880088);
    expect_colour(capture, 90, 2510, 0xFFFFFF);
    aper_capture_unref(capture);
}
END_TEST

START_TEST(a_tall_page_comes_in_tiles)
{
    aper_screenshot_options options = { .size = sizeof(options),
                                        .full_page = 1, .max_height = 1000,
                                        .max_edge = UINT32_MAX };
    aper_capture *capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_height(capture), 1000);
    ck_assert_uint_eq(aper_capture_get_remaining_height(capture), 2000);
    expect_boxes(capture);
    aper_capture_unref(capture);
    options.start_y = 2450;
    capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_height(capture), 550);
    ck_assert_uint_eq(aper_capture_get_remaining_height(capture), 0);
    expect_colour(capture, 105, 55, 0x880088);
    expect_colour(capture, 105, 45, 0xFFFFFF);
    aper_capture_unref(capture);
    options.start_y = 3000;
    ck_assert_int_eq(aper_tab_screenshot(tab, &options, &capture, NULL),
                     APER_E_INVAL);
}
END_TEST

START_TEST(an_element_is_cut_out)
{
    aper_snapshot *snapshot = NULL;
    ck_assert_int_eq(aper_snapshot_take(tab, NULL, &snapshot, NULL), APER_OK);
    aper_screenshot_options options = { .size = sizeof(options),
                                        .ref = find_ref(snapshot, "Far") };
    aper_capture *capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_width(capture), 200);
    ck_assert_uint_eq(aper_capture_get_height(capture), 100);
    expect_colour(capture, 1, 1, 0x880088);
    expect_colour(capture, 199, 99, 0x880088);
    aper_capture_unref(capture);
    options.ref = find_ref(snapshot, "Tall");
    capture = shoot(&options);
    ck_assert_uint_eq(aper_capture_get_width(capture), 80);
    ck_assert_uint_eq(aper_capture_get_height(capture), 1200);
    expect_colour(capture, 1, 1, 0x00AA00);
    expect_colour(capture, 79, 1199, 0xAA5500);
    aper_capture_unref(capture);
    aper_snapshot_unref(snapshot);
    options.ref = "e000000";
    ck_assert_int_eq(aper_tab_screenshot(tab, &options, &capture, NULL),
                     APER_E_NO_REF);
}
END_TEST

START_TEST(a_picture_leaves_the_page_alone)
{
    static const char state[] =
        "[scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio,"
        " document.hasFocus(), window.resized].join()";
    aper_free(live_eval(tab, "scrollTo(0, 700);"
                             "window.resized = 0;"
                             "onresize = () => { resized++ }"));
    char *before = live_eval(tab, state);
    aper_capture_unref(shoot(NULL));
    aper_screenshot_options options = { .size = sizeof(options),
                                        .max_edge = 300 };
    aper_capture_unref(shoot(&options));
    char *after = live_eval(tab, state);
    ck_assert_str_eq(before, after);
    aper_free(before);
    aper_free(after);
}
END_TEST

START_TEST(other_formats_and_their_sizes)
{
    static const struct {
        uint32_t format;
        const char *mime_type;
        const char *head;
        size_t at;
    } wanted[] = {
        { APER_IMAGE_JPEG, "image/jpeg", "\xFF\xD8\xFF", 0 },
        { APER_IMAGE_WEBP, "image/webp", "WEBP", 8 },
    };
    for (size_t i = 0; i < 2; i++) {
        aper_screenshot_options options = { .size = sizeof(options),
                                            .format = wanted[i].format,
                                            .max_edge = 400 };
        aper_capture *capture = shoot(&options);
        ck_assert_str_eq(aper_capture_get_mime_type(capture),
                         wanted[i].mime_type);
        const char *data = aper_capture_get_data(capture);
        ck_assert_int_eq(memcmp(data + wanted[i].at, wanted[i].head,
                                strlen(wanted[i].head)), 0);
        ck_assert_uint_eq(aper_capture_get_width(capture), 400);
        ck_assert_uint_eq(aper_capture_get_height(capture), 300);
        aper_capture_unref(capture);
    }
}
END_TEST

START_TEST(a_page_is_printed)
{
    aper_pdf_options options = { .size = sizeof(options), .backgrounds = 1 };
    aper_capture *capture = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_pdf(tab, &options, &capture, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_str_eq(aper_capture_get_mime_type(capture), "application/pdf");
    const char *data = aper_capture_get_data(capture);
    size_t size = aper_capture_get_size(capture);
    ck_assert_int_eq(memcmp(data, "%PDF-", 5), 0);
    ck_assert_ptr_nonnull(memmem(data + size - 16, 16, "%%EOF", 5));
    /* A4 in points */
    ck_assert_ptr_nonnull(memmem(data, size, "/MediaBox [0 0 59", 17));
    ck_assert_uint_eq(aper_capture_get_width(capture), 0);
    aper_capture_unref(capture);
    options.pages = "99";
    ck_assert_int_eq(aper_tab_pdf(tab, &options, &capture, NULL),
                     APER_E_REMOTE);
    options.pages = "one";
    ck_assert_int_eq(aper_tab_pdf(tab, &options, &capture, NULL),
                     APER_E_INVAL);
}
END_TEST

/* window.print() of a page is told as a dialog; this is not one. */
START_TEST(our_printing_is_not_told_as_the_pages)
{
    aper_capture *capture = NULL;
    ck_assert_int_eq(aper_tab_pdf(tab, NULL, &capture, NULL), APER_OK);
    aper_capture_unref(capture);
    ck_assert_int_eq(aper_snapshot_take_start(tab, NULL, 7, NULL), APER_OK);
    for (uint32_t kind = 0; kind != APER_EVENT_COMPLETION;) {
        aper_event *event = NULL;
        ck_assert_int_eq(aper_browser_next_event(browser, LIVE_WAIT_MS,
                                                 &event), APER_OK);
        kind = aper_event_get_kind(event);
        ck_assert_uint_ne(kind, APER_EVENT_DIALOG_OPENED);
        aper_event_unref(event);
    }
}
END_TEST

START_TEST(both_can_be_started)
{
    ck_assert_int_eq(aper_tab_screenshot_start(tab, NULL, 7, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_pdf_start(tab, NULL, 8, NULL), APER_OK);
    static const char *const types[] = { "image/png", "application/pdf" };
    unsigned seen = 0;
    for (int i = 0; i < 2; i++) {
        aper_event *event = live_event(browser, APER_EVENT_COMPLETION);
        ck_assert_int_eq(aper_event_get_status(event), APER_OK);
        uint64_t tag = aper_event_get_tag(event);
        ck_assert(tag == 7 || tag == 8);
        ck_assert_str_eq(aper_capture_get_mime_type(
                             aper_event_get_capture(event)), types[tag - 7]);
        seen |= 1u << (tag - 7);
        aper_event_unref(event);
    }
    ck_assert_uint_eq(seen, 3);
}
END_TEST

START_TEST(a_capture_outlives_its_browser)
{
    aper_capture *capture = shoot(NULL);
    ck_assert_ptr_eq(aper_capture_ref(capture), capture);
    aper_capture_unref(capture);
    aper_browser_close(browser);
    expect_boxes(capture);
    aper_capture_unref(capture);
    ck_assert_ptr_null(aper_capture_ref(NULL));
}
END_TEST

START_TEST(contradictions_are_refused)
{
    aper_capture *capture = NULL;
    aper_screenshot_options options[] = {
        { .size = sizeof(options[0]), .format = 3 },
        { .size = sizeof(options[0]), .quality = 101 },
        { .size = sizeof(options[0]), .ref = "e123456", .full_page = 1 },
        { .size = sizeof(options[0]), .start_y = 5 },
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        ck_assert_int_eq(aper_tab_screenshot(tab, &options[i], &capture,
                                             NULL), APER_E_INVAL);
        ck_assert_int_eq(aper_tab_screenshot_start(tab, &options[i], 1, NULL),
                         APER_E_INVAL);
    }
    ck_assert_int_eq(aper_tab_screenshot(tab, NULL, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_tab_screenshot(NULL, NULL, &capture, NULL),
                     APER_E_INVAL);
    ck_assert_ptr_null(capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *all = tcase_create("capture");
    tcase_set_timeout(all, 90);
    tcase_add_checked_fixture(all, start, fixture_stop);
    tcase_add_test(all, the_viewport_is_shown_as_it_is);
    tcase_add_test(all, an_unchanged_page_can_be_shown_again);
    tcase_add_test(all, the_viewport_follows_scrolling);
    tcase_add_test(all, a_scaled_picture_says_its_scale);
    tcase_add_test(all, dense_pixels_are_kept_and_capped);
    tcase_add_test(all, the_whole_page_fits_the_edge);
    tcase_add_test(all, a_tall_page_comes_in_tiles);
    tcase_add_test(all, an_element_is_cut_out);
    tcase_add_test(all, a_picture_leaves_the_page_alone);
    tcase_add_test(all, other_formats_and_their_sizes);
    tcase_add_test(all, a_page_is_printed);
    tcase_add_test(all, our_printing_is_not_told_as_the_pages);
    tcase_add_test(all, both_can_be_started);
    tcase_add_test(all, a_capture_outlives_its_browser);
    tcase_add_test(all, contradictions_are_refused);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
