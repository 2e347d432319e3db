/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <string.h>

START_TEST(appends_stay_terminated)
{
    aper__buf buf = {0};
    aper__buf_puts(&buf, "one");
    aper__buf_putc(&buf, ' ');
    aper__buf_printf(&buf, "%d %s", 2, "three");
    ck_assert_str_eq(buf.data, "one 2 three");
    ck_assert_uint_eq(buf.size, strlen("one 2 three"));
    aper__buf_append(&buf, "a\0b", 3);
    ck_assert_uint_eq(buf.size, strlen("one 2 three") + 3);
    ck_assert_int_eq(buf.data[buf.size], '\0');
    aper__buf_clear(&buf);
    ck_assert_str_eq(buf.data, "");
    aper__buf_free(&buf);
    ck_assert_ptr_null(buf.data);
}
END_TEST

START_TEST(many_appends_give_the_same_text)
{
    aper__buf buf = {0};
    for (unsigned i = 0; i < 100000; i++)
        aper__buf_printf(&buf, "%u,", i % 10);
    ck_assert_uint_eq(buf.size, 200000);
    for (size_t i = 0; i < buf.size; i += 2) {
        ck_assert_int_eq(buf.data[i], (char)('0' + i / 2 % 10));
        ck_assert_int_eq(buf.data[i + 1], ',');
    }
    aper__buf_free(&buf);
}
END_TEST

START_TEST(taking_hands_over_and_resets)
{
    aper__buf buf = {0};
    char *empty = aper__buf_take(&buf);
    ck_assert_str_eq(empty, "");
    aper_free(empty);
    aper__buf_puts(&buf, "text");
    char *text = aper__buf_take(&buf);
    ck_assert_str_eq(text, "text");
    ck_assert_ptr_null(buf.data);
    ck_assert_uint_eq(buf.size, 0);
    aper_free(text);
}
END_TEST

START_TEST(a_failed_append_keeps_what_was_there)
{
    aper__buf buf = {0};
    aper__buf_puts(&buf, "kept");
    aper__alloc_fail_at(1, false);
    char big[1000];
    memset(big, 'x', sizeof big);
    aper__buf_append(&buf, big, sizeof big);
    aper__alloc_fail_at(0, false);
    ck_assert(buf.failed);
    ck_assert_str_eq(buf.data, "kept");
    aper__buf_puts(&buf, "more");
    ck_assert_str_eq(buf.data, "kept");
    ck_assert_ptr_null(aper__buf_take(&buf));
    ck_assert(!buf.failed);
}
END_TEST

START_TEST(an_impossible_size_fails)
{
    aper__buf buf = {0};
    ck_assert(!aper__buf_reserve(&buf, SIZE_MAX));
    ck_assert(buf.failed);
    aper__buf_free(&buf);
    ck_assert_ptr_null(aper__alloc((size_t)PTRDIFF_MAX + 1));
    ck_assert_ptr_null(aper__realloc(NULL, SIZE_MAX));
}
END_TEST

START_TEST(the_nth_allocation_fails_once_or_for_ever)
{
    aper__alloc_fail_at(2, false);
    void *first = aper__alloc(1);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(aper__alloc(1));
    void *third = aper__alloc(1);
    ck_assert_ptr_nonnull(third);
    aper__alloc_fail_at(1, true);
    ck_assert_ptr_null(aper__alloc(1));
    ck_assert_ptr_null(aper__strdup("x"));
    aper__alloc_fail_at(0, false);
    char *copy = aper__strndup("abc", 2);
    ck_assert_str_eq(copy, "ab");
    ck_assert_ptr_null(aper__strdup(NULL));
    aper__dealloc(copy);
    aper__dealloc(first);
    aper__dealloc(third);
}
END_TEST

SUITE("buf", 30, appends_stay_terminated, many_appends_give_the_same_text,
      taking_hands_over_and_resets, a_failed_append_keeps_what_was_there,
      an_impossible_size_fails, the_nth_allocation_fails_once_or_for_ever)
