/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <string.h>

typedef struct sample { /* first release: up to `a` */
    size_t size;
    uint32_t a;
    uint32_t b;
    const char *c;
} sample;

typedef struct newer {
    sample known;
    uint32_t d;
    uint32_t e;
} newer;

#define FIRST offsetof(sample, b)

static aper_status copy(sample *into, const void *from)
{
    aper_error *error = NULL;
    aper_status status = aper__options_copy(into, sizeof *into, FIRST, from,
                                            &error);
    ck_assert_int_eq(aper_error_get_status(error), status);
    aper_error_unref(error);
    return status;
}

START_TEST(no_options_are_all_defaults)
{
    sample got;
    memset(&got, 0xAA, sizeof got);
    ck_assert_int_eq(copy(&got, NULL), APER_OK);
    sample zero = {.size = sizeof zero};
    ck_assert_mem_eq(&got, &zero, sizeof got);
}
END_TEST

START_TEST(the_size_of_today_is_copied_whole)
{
    sample got, set = {sizeof set, 1, 2, "three"};
    ck_assert_int_eq(copy(&got, &set), APER_OK);
    ck_assert_mem_eq(&got, &set, sizeof got);
}
END_TEST

START_TEST(an_older_caller_gets_zeros_for_the_rest)
{
    sample got, set = {FIRST, 1, 2, "three"};
    ck_assert_int_eq(copy(&got, &set), APER_OK);
    ck_assert_uint_eq(got.a, 1);
    ck_assert_uint_eq(got.b, 0);
    ck_assert_ptr_null(got.c);
    ck_assert_uint_eq(got.size, sizeof got);
}
END_TEST

START_TEST(a_newer_caller_may_set_only_what_is_known)
{
    sample got;
    newer set = {.known = {sizeof set, 1, 2, "three"}};
    ck_assert_int_eq(copy(&got, &set), APER_OK);
    ck_assert_uint_eq(got.b, 2);
    set.e = 1;
    ck_assert_int_eq(copy(&got, &set), APER_E_OPTIONS_NEW);
}
END_TEST

START_TEST(a_wrong_size_is_refused_and_nothing_written)
{
    static const struct {
        size_t size;
        aper_status want;
    } cases[] = {
        {0, APER_E_OPTIONS_SIZE},
        {1, APER_E_OPTIONS_OLD},
        {FIRST - 1, APER_E_OPTIONS_OLD},
        {64 * 1024 + 1, APER_E_OPTIONS_SIZE},
        {SIZE_MAX, APER_E_OPTIONS_SIZE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample got = {.a = 77}, set = {.size = cases[i].size};
        ck_assert_int_eq(copy(&got, &set), cases[i].want);
        ck_assert_uint_eq(got.a, 77);
    }
}
END_TEST

SUITE("options", 30, no_options_are_all_defaults,
      the_size_of_today_is_copied_whole,
      an_older_caller_gets_zeros_for_the_rest,
      a_newer_caller_may_set_only_what_is_known,
      a_wrong_size_is_refused_and_nothing_written)
