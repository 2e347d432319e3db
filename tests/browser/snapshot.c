/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of the page with every ref turned into "e#". */
static char *read_plain(void)
{
    aper_snapshot *snapshot = agent_see(tab);
    char *text = strdup(aper_snapshot_get_text(snapshot));
    aper_snapshot_unref(snapshot);
    for (char *at = text; (at = strstr(at, " e")); at++) {
        size_t digits = strspn(at + 2, "0123456789");
        if (digits != 6 && digits != 9)
            continue;
        at[2] = '#';
        memmove(at + 3, at + 2 + digits, strlen(at + 2 + digits) + 1);
    }
    return text;
}

static void has_line(const char *text, const char *line)
{
    char whole[300];
    snprintf(whole, sizeof whole, "\n%s\n", line);
    if (!strstr(text, whole))
        ck_abort_msg("no line '%s' in:\n%s", line, text);
}

START_TEST(what_is_drawn_is_read)
{
    show("/roles.html");
    char *text = read_plain();
    const char *const lines[] = {
        " banner \"Top\"",
        " navigation \"Main\" link e# \"Home\" /a"
        " link e# \"Away\" https://example.org/x?y=1#z \"no href\"",
        "  heading2 \"Part two\"",
        "  \"Some bold text with a\" link e# \"link\" /inline \"inside.\"",
        "  checkbox e# \"All\" mixed", "  switch e# \"Wifi\" checked",
        "  button e# \"Menu\" collapsed pressed",
        "  button e# \"More\" collapsed", "  button e# \"Less\" expanded",
        "  \"inside open\"", "  clickable e# \"Clickable card\"",
        "  image \"A picture\"", "  \"but this\"",
        "  button e# \"Still usable\"", "  table \"Prices\"",
        "   row \"Item\" | \"Price\"", "   row \"Tea\" | \"3\"",
        "  \"plain item\"", "  listitem \"item with\" button e# \"Act\"",
        "  textbox e# \"Labelled\"",
        "  searchbox e# \"Search here\"", "  radio e# \"Card radio\"",
        "  textbox e# \"Clobber\"", "  clickable e# \"Has handler\"",
        "  listbox e# \"Many\" =\"One, Two\" [3 options] options \"One | Two | Three\"",
        "  progressbar \"Done\" =\"0.5\""};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        has_line(text, lines[i]);
    ck_assert_ptr_null(strstr(text, "not displayed"));
    ck_assert_ptr_null(strstr(text, "not visible"));
    ck_assert_ptr_null(strstr(text, "hidden from readers"));
    ck_assert_ptr_null(strstr(text, "inside closed"));
    free(text);
    leave();
}
END_TEST

START_TEST(shadow_roots_and_own_frames_are_read)
{
    show("/shadow.html");
    char *text = read_plain();
    has_line(text, " link e# \"Slotted\" /slotted");
    has_line(text, " textbox e# \"Inner field\"");
    has_line(text, " button e# \"Inner button\"");
    has_line(text, "  button e# \"In frame\"");
    free(text);
    leave();
}
END_TEST

START_TEST(refs_are_the_same_for_the_same_page)
{
    show("/roles.html");
    aper_tab *other = live_open(browser, server, "/roles.html");
    aper_snapshot *a = agent_see(tab);
    aper_snapshot *b = agent_see(other);
    size_t refs = 0;
    ck_assert_uint_eq(aper_snapshot_get_node_count(a),
                      aper_snapshot_get_node_count(b));
    for (size_t i = 0; i < aper_snapshot_get_node_count(a); i++) {
        const char *ref = aper_snapshot_get_node_ref(a, i);
        ck_assert_str_eq(ref, aper_snapshot_get_node_ref(b, i));
        if (*ref) {
            ck_assert_uint_eq(aper_snapshot_find_ref(a, ref), i);
            refs++;
        }
    }
    ck_assert_uint_gt(refs, 15);
    aper_snapshot_unref(a);
    aper_snapshot_unref(b);
    leave();
    aper_tab_close(other, NULL);
    aper_tab_unref(other);
}
END_TEST

START_TEST(ids_rise_with_changes_and_documents)
{
    show("/form.html");
    aper_snapshot *first = agent_see(tab);
    aper_snapshot *again = agent_see(tab);
    aper_free(live_eval(tab, "out.textContent = 'x'"));
    aper_snapshot *changed = agent_see(tab);
    aper_navigation_unref(live_go(tab, server, "/form.html"));
    aper_snapshot *anew = agent_see(tab);
    ck_assert_str_eq(aper_snapshot_get_id(first), "1.0");
    ck_assert_str_eq(aper_snapshot_get_id(again), "1.0");
    ck_assert_str_eq(aper_snapshot_get_id(changed), "1.1");
    ck_assert_str_eq(aper_snapshot_get_id(anew), "2.0");
    aper_diff *diff = NULL;
    ck_assert_int_eq(aper_diff_compute(first, again, &diff), APER_OK);
    ck_assert(aper_diff_is_empty(diff));
    aper_diff_unref(diff);
    ck_assert_int_eq(aper_diff_compute(changed, anew, &diff), APER_OK);
    ck_assert(aper_diff_is_reset(diff));
    aper_diff_unref(diff);
    aper_snapshot_unref(first);
    aper_snapshot_unref(again);
    aper_snapshot_unref(changed);
    aper_snapshot_unref(anew);
    leave();
}
END_TEST

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

START_TEST(a_page_cannot_forge_the_fence_or_a_line)
{
    show("/forge.html");
    aper_snapshot *snapshot = agent_see(tab);
    const char *text = aper_snapshot_get_text(snapshot);
    char digits[7], close[64];
    ck_assert_int_eq(sscanf(strchr(text, '<'),
                            "<untrusted-page-content %6[0-9]>", digits), 1);
    snprintf(close, sizeof close, "\n</untrusted-page-content %s>\n", digits);
    ck_assert_uint_eq(count_of(text, close), 1);
    ck_assert_uint_eq(count_of(text, digits), 2);
    ck_assert_uint_eq(count_of(text, "\nFULL"), 0);
    ck_assert_uint_eq(count_of(text, "\n button e999999"), 0);
    ck_assert_ptr_nonnull(strstr(text, "page \"x\\\" e123456 "));
    ck_assert_ptr_nonnull(strstr(text, "\"Go\\\" e111111 \\\"\""));
    ck_assert_ptr_null(strstr(text, "(0) disabled"));
    ck_assert_ptr_nonnull(strstr(text, "bidi reversed zerowidth tag"));
    aper_snapshot_unref(snapshot);
    leave();
}
END_TEST

START_TEST(secrets_are_masked_wherever_they_show)
{
    static const char *const secrets[] = {
        "hunter2secret", "4111111111111111", "862514", "brandnewsecret",
        "dottedsecret"};
    show("/secret.html");
    for (int shown = 0; shown < 2; shown++) {
        aper_snapshot *snapshot = agent_see(tab);
        const char *text = aper_snapshot_get_text(snapshot);
        ck_assert_ptr_nonnull(strstr(text, "\"Plain\" =\"visible\""));
        ck_assert_ptr_nonnull(strstr(text, "\"Empty\"\n"));
        ck_assert_ptr_nonnull(strstr(text, "\"Password\" =\"••••\""));
        for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
            ck_assert_ptr_null(strstr(text, secrets[i]));
            ck_assert_uint_eq(aper_snapshot_find_text(snapshot, secrets[i],
                                                      0), APER_NODE_NONE);
        }
        aper_snapshot_unref(snapshot);
        if (!shown)
            aper_act_result_unref(agent_click(tab, "Show"));
    }
    leave();
}
END_TEST

START_TEST(a_large_page_is_read_whole_and_shown_within_budget)
{
    show("/blank.html");
    aper_free(live_eval(tab,
        "document.body.innerHTML = Array.from({ length: 4000 }, (_, i) =>"
        " `<div><p>row ${i}</p><a href='/r${i}'>open ${i}</a></div>`)"
        ".join(''), 1"));
    aper_snapshot *snapshot = NULL;
    aper_error *error = NULL;
    LIVE_CHECK(APER_OK, aper_snapshot_take(tab, NULL, &snapshot, &error),
               error);
    ck_assert_uint_le(aper_snapshot_get_token_estimate(snapshot), 2000);
    ck_assert_ptr_nonnull(strstr(aper_snapshot_get_text(snapshot),
                                 " more ("));
    aper_snapshot_unref(snapshot);
    aper_snapshot_options all = {.size = sizeof all,
                                 .budget_tokens = APER_BUDGET_UNLIMITED};
    LIVE_CHECK(APER_OK, aper_snapshot_take(tab, &all, &snapshot, &error),
               error);
    ck_assert_uint_ge(aper_snapshot_get_node_count(snapshot), 8001);
    ck_assert_uint_ne(aper_snapshot_find_text(snapshot, "open 3999", 0),
                      APER_NODE_NONE);
    aper_snapshot_unref(snapshot);
    leave();
}
END_TEST

START_TEST(frames_of_other_origins_are_read)
{
    show("/frame-foreign.html");
    char *text = read_plain();
    has_line(text, " heading1 \"Outside\"");
    has_line(text, " iframe \"Foreign\"");
    has_line(text, "  textbox e# \"Inside\"");
    has_line(text, "  button e# \"Tell\" button e# \"Vanish\"");
    free(text);
    leave();
}
END_TEST

START_TEST(reading_works_as_a_started_call)
{
    show("/form.html");
    ck_assert_int_eq(aper_snapshot_take_start(tab, NULL, 77, NULL), APER_OK);
    aper_event *event = live_completion(browser, 77);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    ck_assert_str_eq(
        aper_snapshot_get_title(aper_event_get_snapshot(event)), "Form");
    aper_event_unref(event);
    leave();
}
END_TEST

START_TEST(impossible_options_are_refused)
{
    show("/blank.html");
    aper_snapshot *snapshot = NULL;
    aper_snapshot_options small = {.size = sizeof small, .budget_tokens = 1};
    ck_assert_int_eq(aper_snapshot_take(tab, &small, &snapshot, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_snapshot_take(NULL, NULL, &snapshot, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_snapshot_take(tab, NULL, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_ptr_null(snapshot);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_drawn_is_read, shadow_roots_and_own_frames_are_read,
        refs_are_the_same_for_the_same_page,
        ids_rise_with_changes_and_documents,
        a_page_cannot_forge_the_fence_or_a_line,
        secrets_are_masked_wherever_they_show,
        a_large_page_is_read_whole_and_shown_within_budget,
        frames_of_other_origins_are_read,
        reading_works_as_a_started_call, impossible_options_are_refused};
    Suite *suite = suite_create("snapshot");
    TCase *all = tcase_create("snapshot");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
