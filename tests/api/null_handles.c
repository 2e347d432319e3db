/* SPDX-License-Identifier: Apache-2.0 */
/* Cleaning up needs no check: every destructor accepts NULL, and taking a
 * reference on nothing gives nothing. */
#include "suite.h"

#include <aperture/aperture.h>

START_TEST(every_destructor_accepts_null)
{
    aper_free(NULL);
    aper_act_result_unref(NULL);
    aper_browser_unref(NULL);
    aper_browser_close(NULL);
    aper_capture_unref(NULL);
    aper_dialog_unref(NULL);
    aper_diff_unref(NULL);
    aper_download_unref(NULL);
    aper_error_unref(NULL);
    aper_event_unref(NULL);
    aper_log_unref(NULL);
    aper_navigation_unref(NULL);
    aper_snapshot_unref(NULL);
    aper_tab_info_unref(NULL);
    aper_tab_list_unref(NULL);
    aper_tab_unref(NULL);
    /* Nothing of it may have started what only a browser needs. */
    ck_assert_int_eq(aper_browser_get_fd(NULL), -1);
}
END_TEST

START_TEST(a_reference_on_nothing_is_nothing)
{
    ck_assert_ptr_null(aper_act_result_ref(NULL));
    ck_assert_ptr_null(aper_browser_ref(NULL));
    ck_assert_ptr_null(aper_capture_ref(NULL));
    ck_assert_ptr_null(aper_dialog_ref(NULL));
    ck_assert_ptr_null(aper_diff_ref(NULL));
    ck_assert_ptr_null(aper_download_ref(NULL));
    ck_assert_ptr_null(aper_error_ref(NULL));
    ck_assert_ptr_null(aper_event_ref(NULL));
    ck_assert_ptr_null(aper_log_ref(NULL));
    ck_assert_ptr_null(aper_navigation_ref(NULL));
    ck_assert_ptr_null(aper_snapshot_ref(NULL));
    ck_assert_ptr_null(aper_tab_info_ref(NULL));
    ck_assert_ptr_null(aper_tab_ref(NULL));
}
END_TEST

START_TEST(what_is_asked_of_nothing_is_empty)
{
    ck_assert_str_eq(aper_download_get_id(NULL), "");
    ck_assert_ptr_null(aper_event_get_capture(NULL));
    ck_assert_ptr_null(aper_snapshot_get_node_href(NULL, 0));
    ck_assert_ptr_null(aper_snapshot_get_node_states(NULL, 0));
    ck_assert_ptr_null(aper_snapshot_get_node_value(NULL, 0));
}
END_TEST

SUITE("null_handles", 30, every_destructor_accepts_null,
      a_reference_on_nothing_is_nothing, what_is_asked_of_nothing_is_empty)
