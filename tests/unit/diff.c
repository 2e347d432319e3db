/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"
#include "state.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define PAGE "+1\t0\t\tpage\t\t\tT\t\t\thttp://h/\t"

/* A snapshot of short lines: "b1" is a button with ref e000001 and the name
 * b1, "t…" a text. "b1=x" gives it the value x. */
static aper_snapshot *make(const char *spec, const char *document,
                           unsigned step)
{
    aper__buf out = {0};
    aper__buf_puts(&out, PAGE);
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", spec);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));) {
        char *value = word;
        word = strsep(&value, "=");
        if (*word == 'b')
            aper__buf_printf(&out, "\n+2\t1\t\tbutton\t\te%06d\t%s\t%s\t\t\t",
                             atoi(word + 1), word, value ? value : "");
        else if (*word)
            aper__buf_printf(&out, "\n+2\t1\t\ttext\t\t\t%s\t\t\t\t", word);
    }
    aper_snapshot *s = NULL;
    char *entries = aper__buf_take(&out);
    ck_assert_int_eq(state_make(entries, "tab", document, step, &s),
                     APER_OK);
    aper__dealloc(entries);
    return s;
}

static aper_diff *compare(const char *old, const char *now)
{
    aper_snapshot *a = make(old, "doc", 0);
    aper_snapshot *b = make(now, "doc", 1);
    aper_diff *diff = NULL;
    ck_assert_int_eq(aper_diff_compute(a, b, &diff), APER_OK);
    aper_snapshot_unref(a);
    aper_snapshot_unref(b);
    return diff;
}

/* The body of the difference, between the fences. */
static const char *body(const char *old, const char *now)
{
    static char text[4096];
    aper_diff *diff = compare(old, now);
    ck_assert(!aper_diff_is_reset(diff));
    const char *start = strchr(aper_diff_get_text(diff), '>');
    const char *end = strstr(aper_diff_get_text(diff), "</");
    ck_assert_ptr_nonnull(start);
    snprintf(text, sizeof text, "%.*s", (int)(end - start - 2), start + 2);
    aper_diff_unref(diff);
    return text;
}

START_TEST(equal_states_cost_one_short_line)
{
    aper_diff *diff = compare("b1 ta tb", "b1 ta tb");
    ck_assert_str_eq(aper_diff_get_text(diff), "nothing changed since #1.0\n");
    ck_assert(aper_diff_is_empty(diff));
    ck_assert(!aper_diff_is_reset(diff));
    ck_assert_uint_eq(aper_diff_get_op_count(diff), 0);
    ck_assert_uint_le(aper_diff_get_token_estimate(diff), 10);
    aper_diff_unref(diff);
}
END_TEST

START_TEST(a_line_with_the_same_ref_is_restated)
{
    ck_assert_str_eq(body("ta b1 tb", "ta b1=x tb"),
                     "~  button e000001 \"b1\" =\"x\"\n");
}
END_TEST

START_TEST(a_line_that_came_says_behind_which)
{
    ck_assert_str_eq(body("ta b1 tb", "ta b1 tc tb"),
                     "@ after e000001\n+  \"tc\"\n");
    ck_assert_str_eq(body("ta b1 tb td", "ta b1 tb tc td"),
                     "@ after  \"tb\"\n+  \"tc\"\n");
    ck_assert_str_eq(body("ta ta ta tb", "ta ta tc ta tb"),
                     "@2 after  \"ta\"\n+  \"tc\"\n");
}
END_TEST

START_TEST(a_line_that_went_is_named)
{
    ck_assert_str_eq(body("ta b1 tb tc", "ta tb tc"),
                     "- e000001\n");
    /* Which of three equal ones went makes no difference. */
    ck_assert_str_eq(body("ta ta ta tb", "ta ta tb"),
                     "@2 after  \"ta\"\n-  \"ta\"\n");
}
END_TEST

START_TEST(header_names_both_states)
{
    aper_diff *diff = compare("ta tb", "ta tb tc");
    ck_assert_ptr_eq(strstr(aper_diff_get_text(diff),
                            "diff #1.0 → #1.1\n<untrusted-page-content "),
                     aper_diff_get_text(diff));
    ck_assert_str_eq(aper_diff_get_from_id(diff), "1.0");
    ck_assert_str_eq(aper_diff_get_to_id(diff), "1.1");
    ck_assert_uint_eq(aper_diff_get_op_count(diff), 1);
    ck_assert_int_eq(aper_diff_get_op_kind(diff, 0), '+');
    ck_assert_str_eq(aper_diff_get_op_line(diff, 0), " \"tc\"");
    ck_assert_ptr_null(aper_diff_get_op_line(diff, 1));
    aper_diff_unref(diff);
}
END_TEST

START_TEST(another_document_is_a_reset)
{
    aper_snapshot *a = make("ta tb", "doc", 0);
    aper_snapshot *b = make("ta tb", "other", 1);
    aper_diff *diff = NULL;
    ck_assert_int_eq(aper_diff_compute(a, b, &diff), APER_OK);
    ck_assert(aper_diff_is_reset(diff));
    ck_assert(!aper_diff_is_empty(diff));
    ck_assert_str_eq(aper_diff_get_text(diff), aper_snapshot_get_text(b));
    aper_diff_unref(diff);
    aper_snapshot_unref(a);
    aper_snapshot_unref(b);
}
END_TEST

START_TEST(too_much_change_is_a_reset)
{
    aper_diff *diff = compare("ta tb tc td", "te tf tg th");
    ck_assert(aper_diff_is_reset(diff));
    ck_assert_uint_eq(aper_diff_get_op_count(diff), 0);
    aper_diff_unref(diff);
}
END_TEST

START_TEST(states_of_two_tabs_cannot_be_compared)
{
    aper_snapshot *a = make("ta", "doc", 0);
    aper_snapshot *b = NULL;
    aper_diff *diff = NULL;
    ck_assert_int_eq(state_make(PAGE, "tab 2", "doc", 0, &b), APER_OK);
    ck_assert_int_eq(aper_diff_compute(a, b, &diff), APER_E_INVAL);
    ck_assert_int_eq(aper_diff_compute(a, NULL, &diff), APER_E_INVAL);
    aper_snapshot_unref(a);
    aper_snapshot_unref(b);
}
END_TEST

START_TEST(a_line_that_moved_is_named_once)
{
    ck_assert_str_eq(body("b1 b2 b3 b4 b5", "b1 b3 b4 b5 b2"),
                     "@ after e000005\n> e000002\n");
    ck_assert_str_eq(body("b1 b2 b3 b4 b5", "b1 b5 b2 b3 b4"),
                     "@ after e000001\n> e000005\n");
    ck_assert_str_eq(body("b1 b2 b3 b4 b5", "b5=x b1 b2 b3 b4"),
                     "@ after page \"T\" http://h/\n"
                     ">  button e000005 \"b5\" =\"x\"\n");
}
END_TEST

START_TEST(what_lies_in_a_line_moves_with_it)
{
    ck_assert_str_eq(body("b1 ta tb b2 tc td te", "b2 tc td te b1 ta tb"),
                     "@ after  \"te\"\n>3 e000001\n");
}
END_TEST

START_TEST(lines_that_went_together_are_counted)
{
    ck_assert_str_eq(body("ta b1 tb tc b2 tb td te tf", "ta b2 tb td te tf"),
                     "-3 e000001\n");
}
END_TEST

START_TEST(a_line_without_a_ref_is_restated_in_its_place)
{
    ck_assert_str_eq(body("b1 ta b2 tb", "b1 tx b2 tb"),
                     "@ after e000001\n~  \"tx\"\n");
}
END_TEST

START_TEST(a_ref_that_names_two_lines_names_none)
{
    ck_assert_str_eq(body("b1=1 b1=2 ta tb tc td te", "b1=2 ta tb tc td te"),
                     "-  button e000001 \"b1\" =\"1\"\n");
}
END_TEST

START_TEST(without_memory_nothing_is_lost)
{
    aper_snapshot *a = make("ta b1 tb tc td te", "doc", 0);
    aper_snapshot *b = make("ta b1=x tb td tf te", "doc", 1);
    aper_status status = APER_E_NOMEM;
    for (uint64_t n = 1; status == APER_E_NOMEM; n++) {
        aper_diff *diff = NULL;
        aper__alloc_fail_at(n, true);
        status = aper_diff_compute(a, b, &diff);
        aper__alloc_fail_at(0, false);
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        ck_assert_int_eq(status == APER_OK, diff != NULL);
        aper_diff_unref(diff);
        ck_assert_uint_lt(n, 1000);
    }
    aper_snapshot_unref(a);
    aper_snapshot_unref(b);
}
END_TEST

SUITE("diff", 60, equal_states_cost_one_short_line,
      a_line_with_the_same_ref_is_restated, a_line_that_came_says_behind_which,
      a_line_that_went_is_named, header_names_both_states,
      another_document_is_a_reset, too_much_change_is_a_reset,
      states_of_two_tabs_cannot_be_compared, a_line_that_moved_is_named_once,
      what_lies_in_a_line_moves_with_it, lines_that_went_together_are_counted,
      a_line_without_a_ref_is_restated_in_its_place,
      a_ref_that_names_two_lines_names_none, without_memory_nothing_is_lost)
