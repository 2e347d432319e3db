/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <string.h>

#define LAST_STATUS APER_E_NOT_VERIFIED

START_TEST(every_status_has_its_own_name_and_text)
{
    for (aper_status a = 0; a >= LAST_STATUS; a--) {
        ck_assert_str_ne(aper_status_get_name(a), "APER_E_UNKNOWN");
        ck_assert_uint_gt(strlen(aper_status_get_text(a)), 5);
        ck_assert_uint_gt(strlen(aper__op_reason(a)), 5);
        for (aper_status b = a + 1; b <= 0; b++) {
            ck_assert_str_ne(aper_status_get_name(a),
                             aper_status_get_name(b));
            ck_assert_str_ne(aper_status_get_text(a),
                             aper_status_get_text(b));
        }
    }
    ck_assert_str_eq(aper_status_get_name(APER_OK), "APER_OK");
    ck_assert_str_eq(aper_status_get_name(APER_E_DIALOG), "APER_E_DIALOG");
    ck_assert_str_eq(aper_status_get_name(LAST_STATUS),
                     "APER_E_NOT_VERIFIED");
}
END_TEST

START_TEST(an_unknown_status_is_named_so)
{
    const aper_status strange[] = {1, LAST_STATUS - 1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(aper_status_get_name(strange[i]), "APER_E_UNKNOWN");
        ck_assert_uint_gt(strlen(aper_status_get_text(strange[i])), 5);
    }
}
END_TEST

START_TEST(an_error_keeps_what_it_was_given)
{
    aper_error *error = NULL;
    ck_assert_int_eq(aper__error_set(&error, APER_E_TIMEOUT, "after %d ms",
                                     5), APER_E_TIMEOUT);
    ck_assert_int_eq(aper_error_get_status(error), APER_E_TIMEOUT);
    ck_assert_str_eq(aper_error_get_message(error), "after 5 ms");
    ck_assert_str_eq(aper_error_get_cdp_method(error), "");
    ck_assert_int_eq(aper_error_get_cdp_code(error), 0);
    ck_assert_int_eq(aper_error_is_retryable(error), 1);
    ck_assert_int_eq(aper_error_is_fatal(error), 0);
    ck_assert_int_eq(aper__error_set(&error, APER_E_GONE, "second"),
                     APER_E_GONE);
    ck_assert_str_eq(aper_error_get_message(error), "second");
    ck_assert_int_eq(aper_error_is_fatal(error), 1);
    aper_error *same = aper_error_ref(error);
    ck_assert_ptr_eq(same, error);
    aper_error_unref(error);
    ck_assert_str_eq(aper_error_get_message(same), "second");
    aper_error_unref(same);
}
END_TEST

START_TEST(a_refusal_names_method_and_code)
{
    aper_error *error = NULL;
    aper__error_set_cdp(&error, APER_E_REMOTE, "Page.navigate", -32000,
                        "Bad\n\"thing\"");
    ck_assert_str_eq(aper_error_get_cdp_method(error), "Page.navigate");
    ck_assert_int_eq(aper_error_get_cdp_code(error), -32000);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error),
                                 "Page.navigate"));
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error),
                                 "\"Bad \\\"thing\\\"\""));
    aper_error_unref(error);
}
END_TEST

START_TEST(a_message_is_one_clean_line)
{
    aper_error *error = NULL;
    aper__error_set(&error, APER_E_IO, "a\nb\x1b[31m %s", "\xE2\x80\xAE");
    ck_assert_str_eq(aper_error_get_message(error), "a b[31m");
    aper_error_unref(error);
}
END_TEST

START_TEST(nobody_has_to_ask_for_an_error)
{
    ck_assert_int_eq(aper__error_set(NULL, APER_E_IO, "x"), APER_E_IO);
    ck_assert_int_eq(aper__error_set_cdp(NULL, APER_E_REMOTE, "A.b", 1, "x"),
                     APER_E_REMOTE);
    ck_assert_int_eq(aper_error_get_status(NULL), APER_OK);
    ck_assert_str_eq(aper_error_get_message(NULL), "");
    ck_assert_str_eq(aper_error_get_cdp_method(NULL), "");
    ck_assert_int_eq(aper_error_is_fatal(NULL), 0);
    ck_assert_int_eq(aper_error_is_retryable(NULL), 0);
    ck_assert_ptr_null(aper_error_ref(NULL));
    aper_error_unref(NULL);
}
END_TEST

START_TEST(the_status_survives_a_lack_of_memory)
{
    for (unsigned n = 1; n < 8; n++) {
        aper_error *error = NULL;
        aper__alloc_fail_at(n, false);
        ck_assert_int_eq(aper__error_set_cdp(&error, APER_E_REMOTE, "A.b", 7,
                                             "text"), APER_E_REMOTE);
        aper__alloc_fail_at(0, false);
        if (error) {
            ck_assert_int_eq(aper_error_get_status(error), APER_E_REMOTE);
            ck_assert_int_eq(aper_error_get_cdp_code(error), 7);
            ck_assert_uint_gt(strlen(aper_error_get_message(error)), 5);
        }
        aper_error_unref(error);
    }
}
END_TEST

START_TEST(a_status_alone_says_what_an_error_with_it_says)
{
    for (aper_status status = 1; status > -100; status--) {
        aper_error *error = NULL;
        aper__error_set(&error, status, "text");
        ck_assert_int_eq(aper_status_is_retryable(status),
                         aper_error_is_retryable(error));
        ck_assert_int_eq(aper_status_is_fatal(status),
                         aper_error_is_fatal(error));
        aper_error_unref(error);
    }
    ck_assert_int_eq(aper_status_is_retryable(APER_E_BUSY), 1);
    ck_assert_int_eq(aper_status_is_fatal(APER_E_BUSY), 0);
    ck_assert_int_eq(aper_status_is_fatal(APER_E_CLOSED), 1);
    ck_assert_int_eq(aper_status_is_retryable(APER_OK), 0);
    ck_assert_int_eq(aper_status_is_fatal(APER_OK), 0);
}
END_TEST

START_TEST(an_error_that_is_handed_on_replaces_the_one_before)
{
    aper_error *kept = NULL;
    aper_error *next = NULL;
    aper__error_set(&kept, APER_E_BUSY, "first");
    aper_error *first = aper_error_ref(kept);
    aper__error_give(&kept, NULL);
    ck_assert_ptr_eq(kept, first);
    aper__error_set(&next, APER_E_CLOSED, "second");
    aper__error_give(&kept, next);
    ck_assert_ptr_eq(kept, next);
    aper__error_give(NULL, aper_error_ref(next));
    ck_assert_str_eq(aper_error_get_message(first), "first");
    aper_error_unref(first);
    aper_error_unref(kept);
}
END_TEST

SUITE("error", 30, every_status_has_its_own_name_and_text,
      an_unknown_status_is_named_so, an_error_keeps_what_it_was_given,
      a_refusal_names_method_and_code, a_message_is_one_clean_line,
      nobody_has_to_ask_for_an_error, the_status_survives_a_lack_of_memory,
      a_status_alone_says_what_an_error_with_it_says,
      an_error_that_is_handed_on_replaces_the_one_before)
