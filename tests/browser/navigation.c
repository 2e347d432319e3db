/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

static void check_url(const char *got, const char *path)
{
    char *want = site_url(server, NULL, path);
    ck_assert_str_eq(got, want);
    free(want);
}

/* Navigates with options; gives the status, and takes the outputs. */
static aper_status go(const char *path, aper_navigate_options *options,
                      aper_navigation **ret_navigation, char *message,
                      size_t size)
{
    char *url = site_url(server, NULL, path);
    aper_error *error = NULL;
    aper_status status = aper_tab_navigate(tab, url, options, ret_navigation,
                                           &error);
    strncpy(message, aper_error_get_message(error), size - 1);
    message[size - 1] = '\0';
    aper_error_unref(error);
    free(url);
    return status;
}

START_TEST(a_page_is_reported_with_address_and_status)
{
    aper_navigation *navigation = live_go(tab, server, "/first.html");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    check_url(aper_navigation_get_url(navigation), "/first.html");
    ck_assert_uint_eq(aper_navigation_get_http_status(navigation), 200);
    ck_assert_uint_eq(aper_navigation_get_redirect_count(navigation), 0);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
    ck_assert_ptr_null(aper_navigation_get_dialog(navigation));
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(a_missing_page_is_a_page_with_status_404)
{
    aper_navigation *navigation = live_go(tab, server, "/missing.html");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    ck_assert_uint_eq(aper_navigation_get_http_status(navigation), 404);
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(redirects_are_listed_in_order)
{
    aper_navigation *navigation = live_go(
        tab, server, "/redirect?n=3&to=/second.html");
    check_url(aper_navigation_get_url(navigation), "/second.html");
    ck_assert_uint_eq(aper_navigation_get_redirect_count(navigation), 3);
    check_url(aper_navigation_get_redirect(navigation, 0),
              "/redirect?n=3&to=/second.html");
    check_url(aper_navigation_get_redirect(navigation, 2),
              "/redirect?n=1&to=/second.html");
    ck_assert_ptr_null(aper_navigation_get_redirect(navigation, 3));
    ck_assert_uint_eq(aper_navigation_get_http_status(navigation), 200);
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(a_fragment_is_the_same_document)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigation *navigation = live_go(tab, server, "/first.html#part");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_SAME_DOCUMENT);
    check_url(aper_navigation_get_url(navigation), "/first.html#part");
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(an_empty_answer_leaves_the_page)
{
    static const char *const paths[] = { "/status?code=204",
                                         "/status?code=205" };
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    for (size_t i = 0; i < 2; i++) {
        aper_navigation *navigation = live_go(tab, server, paths[i]);
        ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                          APER_NAVIGATION_NO_CONTENT);
        ck_assert_uint_eq(aper_navigation_get_http_status(navigation),
                          204 + i);
        check_url(aper_navigation_get_url(navigation), paths[i]);
        aper_navigation_unref(navigation);
    }
    char *title = live_eval(tab, "document.title");
    ck_assert_str_eq(title, "\"First page\"");
    aper_free(title);
}
END_TEST

START_TEST(a_download_leaves_the_page)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigation *navigation = live_go(tab, server,
                                          "/download?name=a.bin&size=9");
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_DOWNLOAD);
    aper_navigation_unref(navigation);
    char *title = live_eval(tab, "document.title");
    ck_assert_str_eq(title, "\"First page\"");
    aper_free(title);
}
END_TEST

START_TEST(network_errors_are_named)
{
    char message[256];
    ck_assert_int_eq(go("/reset", NULL, NULL, message, sizeof(message)),
                     APER_E_NAVIGATION);
    ck_assert_msg(strncmp(message, "net::ERR_", 9) == 0, "%s", message);
    aper_error *error = NULL;
    ck_assert_int_eq(aper_tab_navigate(tab, "http://nothing.invalid/", NULL,
                                       NULL, &error),
                     APER_E_NAVIGATION);
    ck_assert_int_eq(strncmp(aper_error_get_message(error),
                             "net::ERR_NAME_NOT_RESOLVED", 26),
                     0);
    aper_error_unref(error);
    aper_navigation_unref(live_go(tab, server, "/first.html"));
}
END_TEST

START_TEST(a_server_that_never_answers_is_a_timeout)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigate_options options = { .size = sizeof(options),
                                      .timeout_ms = 300 };
    char message[256];
    ck_assert_int_eq(go("/hang", &options, NULL, message, sizeof(message)),
                     APER_E_TIMEOUT);
    char *title = live_eval(tab, "document.title");
    ck_assert_str_eq(title, "\"First page\"");
    aper_free(title);
}
END_TEST

START_TEST(a_committed_page_that_keeps_loading_is_not_complete)
{
    aper_navigate_options options = { .size = sizeof(options),
                                      .timeout_ms = 1500 };
    char message[256];
    aper_navigation *navigation = NULL;
    ck_assert_int_eq(go("/slow-image.html", &options, &navigation, message,
                        sizeof(message)),
                     APER_OK);
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 0);
    aper_navigation_unref(navigation);
    options.timeout_ms = 0;
    options.until = APER_UNTIL_DOM_READY;
    ck_assert_int_eq(go("/slow-image.html", &options, &navigation, message,
                        sizeof(message)),
                     APER_OK);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
    aper_navigation_unref(navigation);
    options.until = APER_UNTIL_COMMIT;
    ck_assert_int_eq(go("/slow-image.html", &options, &navigation, message,
                        sizeof(message)),
                     APER_OK);
    ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(redirects_by_script_and_refresh_are_followed)
{
    static const char *const paths[] = { "/script-redirect.html",
                                         "/refresh.html" };
    for (size_t i = 0; i < 2; i++) {
        aper_navigation *navigation = live_go(tab, server, paths[i]);
        check_url(aper_navigation_get_url(navigation), "/second.html");
        ck_assert_int_eq(aper_navigation_is_complete(navigation), 1);
        aper_navigation_unref(navigation);
    }
}
END_TEST

START_TEST(back_forward_and_reload_say_where_they_led)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_back(tab, NULL, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_PAGE);
    check_url(aper_navigation_get_url(navigation), "/first.html");
    aper_navigation_unref(navigation);
    error = NULL;
    status = aper_tab_forward(tab, NULL, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    check_url(aper_navigation_get_url(navigation), "/second.html");
    aper_navigation_unref(navigation);
    unsigned hits = site_hits(server, "/second.html");
    aper_navigate_options options = { .size = sizeof(options),
                                      .ignore_cache = 1 };
    error = NULL;
    status = aper_tab_reload(tab, &options, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    check_url(aper_navigation_get_url(navigation), "/second.html");
    ck_assert_uint_eq(aper_navigation_get_http_status(navigation), 200);
    ck_assert_uint_gt(site_hits(server, "/second.html"), hits);
    aper_navigation_unref(navigation);
    ck_assert_int_eq(aper_tab_forward(tab, NULL, NULL, NULL),
                     APER_E_NOT_FOUND);
}
END_TEST

START_TEST(going_back_within_a_document_is_the_same_document)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_navigation_unref(live_go(tab, server, "/first.html#part"));
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_back(tab, NULL, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_SAME_DOCUMENT);
    check_url(aper_navigation_get_url(navigation), "/first.html");
    aper_navigation_unref(navigation);
}
END_TEST

START_TEST(a_new_tab_has_nothing_to_go_back_to)
{
    aper_tab *fresh = NULL;
    ck_assert_int_eq(aper_tab_open(browser, NULL, &fresh, NULL), APER_OK);
    ck_assert_int_eq(aper_tab_back(fresh, NULL, NULL, NULL),
                     APER_E_NOT_FOUND);
    aper_tab_close(fresh, NULL);
    aper_tab_unref(fresh);
}
END_TEST

START_TEST(a_tab_opened_with_an_address_begins_there)
{
    aper_tab *fresh = live_open(browser, server, "/first.html");
    ck_assert_int_eq(aper_tab_back(fresh, NULL, NULL, NULL),
                     APER_E_NOT_FOUND);
    aper_navigation_unref(live_go(fresh, server, "/second.html"));
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_back(fresh, NULL, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    check_url(aper_navigation_get_url(navigation), "/first.html");
    aper_navigation_unref(navigation);
    ck_assert_int_eq(aper_tab_back(fresh, NULL, NULL, NULL),
                     APER_E_NOT_FOUND);
    aper_tab_close(fresh, NULL);
    aper_tab_unref(fresh);
}
END_TEST

START_TEST(the_blank_page_of_a_tab_opened_without_address_is_its_first)
{
    aper_tab *fresh = NULL;
    ck_assert_int_eq(aper_tab_open(browser, NULL, &fresh, NULL), APER_OK);
    aper_navigation_unref(live_go(fresh, server, "/first.html"));
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_back(fresh, NULL, &navigation, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_str_eq(aper_navigation_get_url(navigation), "about:blank");
    aper_navigation_unref(navigation);
    aper_tab_close(fresh, NULL);
    aper_tab_unref(fresh);
}
END_TEST

START_TEST(the_referrer_asked_for_is_sent)
{
    aper_navigate_options options = { .size = sizeof(options),
                                      .referrer = "http://example.org/" };
    char message[256];
    ck_assert_int_eq(go("/headers", &options, NULL, message, sizeof(message)),
                     APER_OK);
    char *found = live_eval(tab, "document.body.innerText.includes("
                                 "'http://example.org/')");
    ck_assert_str_eq(found, "true");
    aper_free(found);
}
END_TEST

START_TEST(an_address_without_scheme_is_refused)
{
    ck_assert_int_eq(aper_tab_navigate(tab, "example.org", NULL, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_tab_navigate(tab, NULL, NULL, NULL, NULL),
                     APER_E_INVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("navigation");
    TCase *tests = tcase_create("navigation");
    tcase_add_unchecked_fixture(tests, fixture_start_blank, fixture_stop);
    tcase_add_test(tests, a_page_is_reported_with_address_and_status);
    tcase_add_test(tests, a_missing_page_is_a_page_with_status_404);
    tcase_add_test(tests, redirects_are_listed_in_order);
    tcase_add_test(tests, a_fragment_is_the_same_document);
    tcase_add_test(tests, an_empty_answer_leaves_the_page);
    tcase_add_test(tests, a_download_leaves_the_page);
    tcase_add_test(tests, network_errors_are_named);
    tcase_add_test(tests, a_server_that_never_answers_is_a_timeout);
    tcase_add_test(tests, a_committed_page_that_keeps_loading_is_not_complete);
    tcase_add_test(tests, redirects_by_script_and_refresh_are_followed);
    tcase_add_test(tests, back_forward_and_reload_say_where_they_led);
    tcase_add_test(tests, going_back_within_a_document_is_the_same_document);
    tcase_add_test(tests, a_new_tab_has_nothing_to_go_back_to);
    tcase_add_test(tests, a_tab_opened_with_an_address_begins_there);
    tcase_add_test(
        tests, the_blank_page_of_a_tab_opened_without_address_is_its_first);
    tcase_add_test(tests, the_referrer_asked_for_is_sent);
    tcase_add_test(tests, an_address_without_scheme_is_refused);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
