/* SPDX-License-Identifier: Apache-2.0 */
/* What every call does with handles that are not there. */
#include <aperture/aperture.h>

#include <check.h>
#include <stdlib.h>

START_TEST(calls_on_a_browser_that_is_null_are_invalid)
{
    aper_tab *tab = NULL;
    aper_tab_list *list = NULL;
    aper_event *event = NULL;
    aper_error *error = NULL;
    ck_assert_int_eq(aper_browser_get_state(NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_browser_list_tabs(NULL, &list, &error),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_error_get_status(error), APER_E_INVAL);
    aper_error_unref(error);
    ck_assert_int_eq(aper_browser_find_tab(NULL, "x", &tab, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_browser_next_event(NULL, 0, &event), APER_E_INVAL);
    ck_assert_int_eq(aper_browser_cancel(NULL, 1), APER_E_INVAL);
    ck_assert_int_eq(aper_browser_set_policy(NULL, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_open(NULL, NULL, &tab, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_open_start(NULL, NULL, 1, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_browser_get_fd(NULL), -1);
    ck_assert_int_eq(aper_browser_get_pid(NULL), 0);
    ck_assert_str_eq(aper_browser_get_version(NULL), "");
    ck_assert_str_eq(aper_browser_get_endpoint(NULL), "");
    ck_assert_ptr_null(aper_browser_ref(NULL));
    aper_browser_close(NULL);
    aper_browser_unref(NULL);
    ck_assert_ptr_null(tab);
    ck_assert_ptr_null(list);
    ck_assert_ptr_null(event);
}
END_TEST

START_TEST(calls_on_a_tab_that_is_null_are_invalid)
{
    aper_tab_info *info = NULL;
    aper_dialog *dialog = NULL;
    ck_assert_int_eq(aper_tab_close(NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_activate(NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_describe(NULL, &info), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_navigate(NULL, "about:blank", NULL, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(
        aper_tab_navigate_start(NULL, "about:blank", NULL, 1, NULL),
        APER_E_INVAL);
    ck_assert_int_eq(aper_tab_back(NULL, NULL, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_back_start(NULL, NULL, 1, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_forward(NULL, NULL, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_forward_start(NULL, NULL, 1, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_reload(NULL, NULL, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_reload_start(NULL, NULL, 1, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_eval(NULL, "1", 0, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_get_dialog(NULL, &dialog), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_answer_dialog(NULL, 1, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_str_eq(aper_tab_get_id(NULL), "");
    ck_assert_ptr_null(aper_tab_get_browser(NULL));
    ck_assert_ptr_null(aper_tab_ref(NULL));
    aper_tab_unref(NULL);
    ck_assert_ptr_null(info);
    ck_assert_ptr_null(dialog);
}
END_TEST

START_TEST(reading_a_result_that_is_null_gives_nothing)
{
    ck_assert_uint_eq(aper_event_get_kind(NULL), 0);
    ck_assert_uint_eq(aper_event_get_tag(NULL), 0);
    ck_assert_int_eq(aper_event_get_status(NULL), APER_OK);
    ck_assert_ptr_null(aper_event_get_error(NULL));
    ck_assert_str_eq(aper_event_get_tab_id(NULL), "");
    ck_assert_str_eq(aper_event_get_url(NULL), "");
    ck_assert_str_eq(aper_event_get_opener_id(NULL), "");
    ck_assert_ptr_null(aper_event_get_tab(NULL));
    ck_assert_ptr_null(aper_event_get_navigation(NULL));
    ck_assert_ptr_null(aper_event_get_dialog(NULL));
    ck_assert_ptr_null(aper_event_ref(NULL));
    aper_event_unref(NULL);
    ck_assert_uint_eq(aper_dialog_get_kind(NULL), 0);
    ck_assert_str_eq(aper_dialog_get_text(NULL), "");
    ck_assert_str_eq(aper_dialog_get_origin(NULL), "");
    ck_assert_str_eq(aper_dialog_get_default_text(NULL), "");
    ck_assert_ptr_null(aper_dialog_ref(NULL));
    aper_dialog_unref(NULL);
    ck_assert_uint_eq(aper_navigation_get_kind(NULL), 0);
    ck_assert_str_eq(aper_navigation_get_url(NULL), "");
    ck_assert_uint_eq(aper_navigation_get_http_status(NULL), 0);
    ck_assert_uint_eq(aper_navigation_get_redirect_count(NULL), 0);
    ck_assert_ptr_null(aper_navigation_get_redirect(NULL, 0));
    ck_assert_int_eq(aper_navigation_is_complete(NULL), 0);
    ck_assert_ptr_null(aper_navigation_get_dialog(NULL));
    ck_assert_ptr_null(aper_navigation_ref(NULL));
    aper_navigation_unref(NULL);
    ck_assert_uint_eq(aper_tab_list_get_count(NULL), 0);
    ck_assert_ptr_null(aper_tab_list_get_info(NULL, 0));
    aper_tab_list_unref(NULL);
    ck_assert_str_eq(aper_tab_info_get_id(NULL), "");
    ck_assert_str_eq(aper_tab_info_get_url(NULL), "");
    ck_assert_str_eq(aper_tab_info_get_title(NULL), "");
    ck_assert_str_eq(aper_tab_info_get_opener_id(NULL), "");
    ck_assert_int_eq(aper_tab_info_is_own(NULL), 0);
    ck_assert_int_eq(aper_tab_info_is_crashed(NULL), 0);
    ck_assert_ptr_null(aper_tab_info_ref(NULL));
    aper_tab_info_unref(NULL);
}
END_TEST

START_TEST(opening_a_browser_wants_a_place_for_it_and_sound_options)
{
    aper_browser *browser = NULL;
    aper_launch_options launch = { .size = 0 };
    aper_attach_options attach = { .size = sizeof(attach) };
    ck_assert_int_eq(aper_browser_launch(NULL, NULL, NULL), APER_E_INVAL);
    ck_assert_int_eq(aper_browser_launch(&launch, &browser, NULL),
                     APER_E_OPTIONS_SIZE);
    ck_assert_int_eq(aper_browser_attach(NULL, &attach, &browser, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_browser_attach("1", &attach, NULL, NULL),
                     APER_E_INVAL);
    launch.size = sizeof(launch);
    launch.no_sandbox = 1; /* or root is told so first */
    launch.executable = "/nonexistent/chromium";
    ck_assert_int_eq(aper_browser_launch(&launch, &browser, NULL),
                     APER_E_NOT_FOUND);
    aper_error *error = NULL;
    ck_assert_int_eq(aper_browser_attach("127.0.0.1:1", NULL, &browser,
                                         &error),
                     APER_E_CONNECT);
    ck_assert_int_eq(aper_error_get_status(error), APER_E_CONNECT);
    aper_error_unref(error);
    ck_assert_ptr_null(browser);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("handles");
    TCase *tests = tcase_create("handles");
    tcase_add_test(tests, calls_on_a_browser_that_is_null_are_invalid);
    tcase_add_test(tests, calls_on_a_tab_that_is_null_are_invalid);
    tcase_add_test(tests, reading_a_result_that_is_null_gives_nothing);
    tcase_add_test(tests,
                   opening_a_browser_wants_a_place_for_it_and_sound_options);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* a child is refused */
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
