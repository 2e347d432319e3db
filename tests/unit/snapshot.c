/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"
#include "state.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

/* depth, role, level, ref, name, value, states, href, note */
#define PAGE "+1\t0\t\tpage\t\t\tTitle\t\t\thttps://example.org/path\t"

static aper_snapshot *make(const char *columns)
{
    aper_snapshot *snapshot = NULL;
    ck_assert_int_eq(state_make(columns, "tab", "doc", 0, &snapshot),
                     APER_OK);
    return snapshot;
}

static aper_status refuse(const char *columns)
{
    aper_snapshot *snapshot = NULL;
    aper_status status = state_make(columns, "tab", "doc", 0,
                                    &snapshot);
    ck_assert_ptr_null(snapshot);
    return status;
}

static const char *line_of(const char *columns)
{
    static char line[4096];
    char text[4096];
    snprintf(text, sizeof text, PAGE "\n%s", columns);
    aper_snapshot *snapshot = make(text);
    snprintf(line, sizeof line, "%s", snapshot->lines[1].text);
    aper_snapshot_unref(snapshot);
    return line;
}

START_TEST(each_node_is_one_line)
{
    ck_assert_str_eq(line_of("+2\t1\t\theading\t1\t\tHello\t\t\t\t"),
                     " heading1 \"Hello\"");
    ck_assert_str_eq(line_of("+2\t1\t\ttextbox\t\te419733\tName\tAda\trequired\t\t"),
                     " textbox e419733 \"Name\" =\"Ada\" required");
    ck_assert_str_eq(line_of("+2\t1\t\tbutton\t\te123456*\tAdd\t\tdisabled\t\t"),
                     " button e123456* \"Add\" disabled");
    ck_assert_str_eq(line_of("+2\t1\t\ttext\t\t\tA paragraph\t\t\t\t"),
                     " \"A paragraph\"");
    ck_assert_str_eq(line_of("+2\t1\t\tcombobox\t\te000001\t\tRed\t\t\t[3 options]"),
                     " combobox e000001 =\"Red\" [3 options]");
}
END_TEST

START_TEST(a_link_shows_its_host_only_when_it_is_foreign)
{
    ck_assert_str_eq(
        line_of("+2\t1\t\tlink\t\te222222\tDocs\t\t\thttps://example.org/docs?a#b\t"),
        " link e222222 \"Docs\" /docs?a#b");
    ck_assert_str_eq(
        line_of("+2\t1\t\tlink\t\te222222\tDocs\t\t\thttps://example.org.evil/\t"),
        " link e222222 \"Docs\" https://example.org.evil/");
    ck_assert_str_eq(
        line_of("+2\t1\t\tlink\t\te222222\tDocs\t\t\thttps://example.org\t"),
        " link e222222 \"Docs\" /");
}
END_TEST

START_TEST(page_text_cannot_leave_its_quotes)
{
    ck_assert_str_eq(line_of("+2\t1\t\ttext\t\t\ta\" e111111 \\\t\t\t\t"),
                     " \"a\\\" e111111 \\\\\"");
    ck_assert_str_eq(
        line_of("+2\t1\t\tlink\t\te222222\tx\t\t\tx:a \"b\" disabled\t"),
        " link e222222 \"x\" x:a%20%22b%22%20disabled");
}
END_TEST

START_TEST(a_change_behind_a_cut_shows)
{
    char a[1200], b[1200];
    snprintf(a, sizeof a, "+2\t1\t\ttext\t\t\t%0600d1\t\t\t\t", 0);
    snprintf(b, sizeof b, "+2\t1\t\ttext\t\t\t%0600d2\t\t\t\t", 0);
    char *first = strdup(line_of(a));
    ck_assert_ptr_nonnull(strstr(first, "(601 characters ~"));
    ck_assert_uint_lt(strlen(first), 560);
    ck_assert_str_ne(first, line_of(b));
    free(first);
}
END_TEST

START_TEST(the_page_is_the_first_node)
{
    aper_snapshot *s = make(PAGE "\n+2\t1\t\tbutton\t\te123456*\tAdd\t\t\t\t");
    ck_assert_uint_eq(aper_snapshot_get_node_count(s), 2);
    ck_assert_str_eq(aper_snapshot_get_title(s), "Title");
    ck_assert_str_eq(aper_snapshot_get_url(s), "https://example.org/path");
    ck_assert_str_eq(aper_snapshot_get_node_role(s, 0), "page");
    ck_assert_str_eq(aper_snapshot_get_node_ref(s, 0), "");
    ck_assert_str_eq(aper_snapshot_get_node_ref(s, 1), "e123456");
    ck_assert_uint_eq(aper_snapshot_get_node_depth(s, 1), 1);
    ck_assert_ptr_null(aper_snapshot_get_node_name(s, 2));
    ck_assert_uint_eq(aper_snapshot_find_ref(s, "e123456"), 1);
    ck_assert_uint_eq(aper_snapshot_find_ref(s, "e123456*"), 1);
    ck_assert_uint_eq(aper_snapshot_find_ref(s, "e12345"), APER_NODE_NONE);
    ck_assert_uint_eq(aper_snapshot_find_ref(s, "e123457"), APER_NODE_NONE);
    ck_assert_uint_eq(aper_snapshot_find_text(s, "aDD", 0), 1);
    ck_assert_uint_eq(aper_snapshot_find_text(s, "add", 2), APER_NODE_NONE);
    ck_assert_str_eq(aper_snapshot_get_id(s), "1.0");
    aper_snapshot_unref(s);
}
END_TEST

START_TEST(page_text_stands_inside_one_fence)
{
    aper_snapshot *s = make(PAGE);
    char digits[7];
    ck_assert_int_eq(sscanf(aper_snapshot_get_text(s),
                            "FULL SNAPSHOT #1.0 — replaces all prior state\n"
                            "<untrusted-page-content %6[0-9]>\n", digits), 1);
    char expected[512];
    snprintf(expected, sizeof expected,
             "FULL SNAPSHOT #1.0 — replaces all prior state\n"
             "<untrusted-page-content %s>\n"
             "page \"Title\" https://example.org/path\n"
             "</untrusted-page-content %s>\n", digits, digits);
    ck_assert_str_eq(aper_snapshot_get_text(s), expected);
    aper_snapshot_unref(s);
}
END_TEST

START_TEST(the_fence_is_drawn_anew_and_not_in_the_body)
{
    aper__fence a, b;
    char body[] = "x";
    aper__fence_make(&a, body);
    aper__fence_make(&b, body);
    ck_assert_str_ne(a.digits, b.digits);
    /* Every number of six digits: none is left to draw. */
    char *all = aper__alloc(7 * 1000000 + 1);
    for (int i = 0; i < 1000000; i++)
        snprintf(all + (size_t)7 * (size_t)i, 8, "%06d ", i);
    aper__fence_make(&a, all);
    ck_assert_ptr_null(strstr(all, a.digits));
    aper__dealloc(all);
}
END_TEST

START_TEST(items_of_one_line_are_told_apart)
{
    aper_snapshot *s = make(
        PAGE "\n+2\t1\t\tlistitem\t\t\t\t\t\t\t"
        "\n+3\t2\t \tlink\t\te222222\tTea\t\t\thttps://example.org/t\t"
        "\n+4\t2\t \ttext\t\t\t3 €\t\t\t\t"
        "\n+5\t2\t \tbutton\t\te123456\t\t\tdisabled\t\t"
        "\n+6\t2\t \ttext\t\t\tnew\t\t\t\t"
        "\n+7\t1\t\trow\t\t\t\t\t\t\t"
        "\n+8\t2\t \ttext\t\t\tAnn\t\t\t\t"
        "\n+9\t2\t|\ttext\t\t\t30\t\t\t\t"
        "\n+10\t1\t\tmore\t\t\t\t\t\t\t7 more row, expand e123456");
    const char *const lines[] = {
        "page \"Title\" https://example.org/path",
        " listitem link e222222 \"Tea\" /t \"3 €\" button e123456 \"\" disabled"
        " \"new\"",
        " row \"Ann\" | \"30\"", " … 7 more row, expand e123456"};
    ck_assert_uint_eq(s->line_count, sizeof lines / sizeof lines[0]);
    for (size_t i = 0; i < s->line_count; i++)
        ck_assert_str_eq(s->lines[i].text, lines[i]);
    ck_assert_uint_eq(s->lines[1].first, 1);
    ck_assert_uint_eq(s->lines[1].count, 5);
    ck_assert_uint_eq(s->lines[2].depth, 1);
    aper_snapshot_unref(s);
}
END_TEST

static char *many_nodes(unsigned count)
{
    aper__buf out = {0};
    aper__buf_puts(&out, PAGE);
    for (unsigned i = 0; i < count; i++)
        aper__buf_printf(&out, "\n+2\t%u\t\tbutton\t\te%06u\tButton %u\t\t\t\t",
                         1 + i % 3, i, i);
    return aper__buf_take(&out);
}

START_TEST(what_the_script_cannot_have_sent_is_refused)
{
    const char *const bad[] = {
        "", "+1\t0\t\tpage", PAGE "\tmore", "+2\t1\t\tpage\t\t\t\t\t\t\t",
        PAGE "\n+2\t2\t\ttext\t\t\t\t\t\t\t", PAGE "\n+2\t0\t\ttext\t\t\t\t\t\t\t",
        PAGE "\n+2\t1\t\t\t\t\t\t\t\t\t", PAGE "\n+2\t1\t\tBad role\t\t\t\t\t\t\t",
        PAGE "\n+2\t1\t\tbutton\t\te1\t\t\t\t\t",
        PAGE "\n+2\t1\t\tbutton\t\te123456\t\t\tx\"y\t\t", PAGE "\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(refuse(bad[i]), APER_E_PROTOCOL);
}
END_TEST

START_TEST(without_memory_nothing_is_lost)
{
    char *columns = many_nodes(20);
    aper_status status = APER_E_NOMEM;
    for (uint64_t n = 1; status == APER_E_NOMEM; n++) {
        aper_snapshot *s = NULL;
        aper__alloc_fail_at(n, true);
        status = state_make(columns, "tab", "doc", 0, &s);
        aper__alloc_fail_at(0, false);
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        aper_snapshot_unref(s);
        ck_assert_uint_lt(n, 1000);
    }
    aper__dealloc(columns);
}
END_TEST

START_TEST(an_estimate_is_never_over_the_bytes)
{
    char text[2] = {0};
    for (int c = 1; c < 128; c++) {
        text[0] = (char)c;
        ck_assert_uint_eq(aper__tokens_estimate(text, 1),
                          c == ' ' ? 0 : 1);
    }
    /* Counted with the real tokenizer: 7 and 12. */
    ck_assert_uint_ge(aper__tokens_estimate("button e419733 \"Add\"", 20), 7);
    ck_assert_uint_le(aper__tokens_estimate("button e419733 \"Add\"", 20), 10);
}
END_TEST

SUITE("snapshot", 60, each_node_is_one_line,
      a_link_shows_its_host_only_when_it_is_foreign,
      page_text_cannot_leave_its_quotes, a_change_behind_a_cut_shows,
      the_page_is_the_first_node, page_text_stands_inside_one_fence,
      the_fence_is_drawn_anew_and_not_in_the_body,
      items_of_one_line_are_told_apart,
      what_the_script_cannot_have_sent_is_refused,
      without_memory_nothing_is_lost, an_estimate_is_never_over_the_bytes)
