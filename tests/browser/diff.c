/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static aper_diff *take_with(aper_diff_options options)
{
    aper_diff *diff = NULL;
    aper_error *error = NULL;
    options.size = sizeof options;
    aper_status status = aper_diff_take(tab, &options, &diff, &error);
    LIVE_CHECK(APER_OK, status, error);
    return diff;
}

static aper_diff *take(void)
{
    return take_with((aper_diff_options){0});
}

/* What the next difference says; the caller frees it. */
static char *tell(void)
{
    aper_diff *diff = take();
    char *text = strdup(aper_diff_get_text(diff));
    aper_diff_unref(diff);
    return text;
}

static void see(const char *path)
{
    show(path);
    aper_snapshot_unref(agent_see(tab));
}

static void run(const char *script)
{
    char whole[600];
    snprintf(whole, sizeof whole, "{ %s; true }", script);
    agent_holds(tab, whole);
}

static void tells(const char *part)
{
    char *text = tell();
    agent_has(text, part);
    free(text);
}

START_TEST(a_tab_not_read_before_is_told_as_a_whole)
{
    show("/diff.html");
    aper_diff *diff = take();
    ck_assert(aper_diff_is_reset(diff));
    ck_assert_str_eq(aper_diff_get_from_id(diff), "");
    ck_assert_str_eq(aper_diff_get_to_id(diff), "1.0");
    agent_has(aper_diff_get_text(diff), "FULL SNAPSHOT #1.0 ");
    agent_has(aper_diff_get_text(diff), "Delete Hal");
    aper_diff_unref(diff);
    leave();
}
END_TEST

START_TEST(nothing_changed_is_one_line_and_no_new_state)
{
    see("/diff.html");
    for (int i = 0; i < 3; i++) {
        aper_diff *diff = take();
        ck_assert_str_eq(aper_diff_get_text(diff),
                         "nothing changed since #1.0\n");
        ck_assert_str_eq(aper_diff_get_to_id(diff), "1.0");
        ck_assert(aper_diff_is_empty(diff));
        aper_diff_unref(diff);
    }
    leave();
}
END_TEST

START_TEST(a_clock_alone_is_nothing_new)
{
    see("/diff.html");
    for (int i = 0; i < 3; i++) {
        run("tick(1)");
        aper_diff *diff = take();
        ck_assert_str_eq(aper_diff_get_text(diff),
                         "nothing since #1.0 (1 volatile)\n");
        ck_assert_str_eq(aper_diff_get_to_id(diff), "1.0");
        ck_assert_uint_eq(aper_diff_get_volatile_count(diff), 1);
        aper_diff_unref(diff);
    }
    run("tick(1); note.textContent = 'News'");
    char *text = tell();
    agent_has(text, "diff #1.0 → #1.1 (1 volatile)\n");
    agent_has(text, "News");
    ck_assert_ptr_null(strstr(text, "12:00"));
    free(text);
    run("tick(1)");
    aper_diff *diff = take_with((aper_diff_options){.restate_volatile = 1});
    agent_has(aper_diff_get_text(diff), "12:00:05");
    ck_assert_uint_eq(aper_diff_get_volatile_count(diff), 0);
    aper_diff_unref(diff);
    leave();
}
END_TEST

START_TEST(a_time_that_an_action_wrote_is_told)
{
    see("/diff.html");
    aper_act_result *result = agent_click(tab, "Press");
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
              "Pressed at 09:15.");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(an_address_alone_is_news)
{
    see("/diff.html");
    run("history.pushState(0, '', '/elsewhere')");
    char *text = tell();
    agent_has(text, "\n~ page \"Rows\" http://");
    agent_has(text, "/elsewhere\n");
    free(text);
    leave();
}
END_TEST

START_TEST(a_row_that_jumps_is_one_line)
{
    see("/diff.html");
    run("list.append(list.firstElementChild)");
    aper_diff *diff = take();
    agent_has(aper_diff_get_text(diff), "\n> e");
    ck_assert_ptr_null(strstr(aper_diff_get_text(diff), "Ann"));
    for (size_t i = 0; i < aper_diff_get_op_count(diff); i++)
        ck_assert_int_eq(aper_diff_get_op_kind(diff, i), '>');
    aper_diff_unref(diff);
    leave();
}
END_TEST

START_TEST(actions_and_readings_follow_one_another)
{
    see("/diff.html");
    run("document.getElementById('row-Ann').remove()");
    aper_diff *first = take();
    aper_act_result *result = agent_click(tab, "Press");
    aper_diff *second = aper_act_result_get_diff(result);
    /* agent_click reads the page to find the button. */
    ck_assert_str_eq(aper_diff_get_from_id(second),
                     aper_diff_get_to_id(first));
    ck_assert_ptr_null(strstr(aper_diff_get_text(second), "- e"));
    tells("nothing changed since #1.2\n");
    aper_act_result_unref(result);
    aper_diff_unref(first);
    leave();
}
END_TEST

START_TEST(a_result_nobody_takes_tells_nothing)
{
    see("/diff.html");
    char *ref = agent_ref(tab, "Press");
    const aper_act_options options = {.size = sizeof options,
                                      .verb = APER_ACT_CLICK, .ref = ref};
    ck_assert_int_eq(aper_tab_act(tab, &options, NULL, NULL), APER_OK);
    tells("Pressed at 09:15.");
    free(ref);
    leave();
}
END_TEST

START_TEST(too_much_change_names_what_died)
{
    see("/diff.html");
    char *dead = agent_ref(tab, "Delete Bob");
    run("for (const row of list.children)"
        "    row.outerHTML = `<li>New ${row.id} <button>Do ${row.id}</button>`;"
        "for (const p of document.querySelectorAll('p')) p.append('!')");
    aper_diff *diff = take();
    const char *text = aper_diff_get_text(diff);
    ck_assert(aper_diff_is_reset(diff));
    ck_assert_str_eq(aper_diff_get_to_id(diff), "2.0");
    agent_has(text, "FULL SNAPSHOT #2.0 — replaces all prior state\ngone: e");
    ck_assert_ptr_nonnull(strstr(text, dead));
    ck_assert(strstr(text, dead) < strstr(text, "<untrusted"));
    aper_diff_unref(diff);
    free(dead);
    leave();
}
END_TEST

START_TEST(a_modal_that_takes_over_is_a_reset)
{
    see("/diff.html");
    run("dialog.showModal()");
    aper_diff *diff = take();
    ck_assert(aper_diff_is_reset(diff));
    ck_assert_str_eq(aper_diff_get_to_id(diff), "2.0");
    agent_has(aper_diff_get_text(diff), "Really?");
    aper_diff_unref(diff);
    /* It did so once. */
    tells("nothing changed since #2.0\n");
    leave();
}
END_TEST

START_TEST(another_document_is_a_reset_and_all_its_own)
{
    see("/diff.html");
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    char *text = tell();
    agent_has(text, "FULL SNAPSHOT #2.0 — replaces all prior state\n<untr");
    free(text);
    leave();
}
END_TEST

START_TEST(thresholds_are_options)
{
    see("/diff.html");
    run("note.textContent = 'one'");
    aper_diff *diff = take_with((aper_diff_options){.reset_percent = 1});
    ck_assert(aper_diff_is_reset(diff));
    aper_diff_unref(diff);
    for (int i = 0; i < 3; i++) {
        run("note.textContent += ' more'");
        diff = take_with((aper_diff_options){.reset_after = 2});
        ck_assert_int_eq(aper_diff_is_reset(diff), i == 2);
        aper_diff_unref(diff);
    }
    run("note.textContent = 'so much text '.repeat(30)");
    diff = take_with((aper_diff_options){.budget_tokens = 120});
    ck_assert(aper_diff_is_reset(diff));
    ck_assert_uint_le(aper_diff_get_token_estimate(diff), 120);
    aper_diff_unref(diff);
    leave();
}
END_TEST

START_TEST(options_out_of_range_are_refused)
{
    static const aper_diff_options bad[] = {
        {.size = sizeof bad[0], .budget_tokens = 99},
        {.size = sizeof bad[0], .reset_percent = 101},
        {.size = sizeof bad[0], .restate_volatile = 2},
        {.size = sizeof bad[0], .reserved = 1},
    };
    show("/diff.html");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        aper_diff *diff = NULL;
        ck_assert_int_eq(aper_diff_take(tab, &bad[i], &diff, NULL),
                         APER_E_INVAL);
        ck_assert_int_eq(aper_diff_take_start(tab, &bad[i], 1, NULL),
                         APER_E_INVAL);
        ck_assert_ptr_null(diff);
    }
    leave();
}
END_TEST

START_TEST(a_completion_carries_the_difference)
{
    see("/diff.html");
    run("note.textContent = 'News'");
    ck_assert_int_eq(aper_diff_take_start(tab, NULL, 7, NULL), APER_OK);
    aper_event *event = live_completion(browser, 7);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    aper_diff *diff = aper_event_get_diff(event);
    ck_assert_ptr_nonnull(diff);
    agent_has(aper_diff_get_text(diff), "News");
    ck_assert_ptr_null(aper_event_get_snapshot(event));
    aper_event_unref(event);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_tab_not_read_before_is_told_as_a_whole,
        nothing_changed_is_one_line_and_no_new_state,
        a_clock_alone_is_nothing_new,
        a_time_that_an_action_wrote_is_told,
        an_address_alone_is_news,
        a_row_that_jumps_is_one_line,
        actions_and_readings_follow_one_another,
        a_result_nobody_takes_tells_nothing,
        too_much_change_names_what_died,
        a_modal_that_takes_over_is_a_reset,
        another_document_is_a_reset_and_all_its_own,
        thresholds_are_options,
        options_out_of_range_are_refused,
        a_completion_carries_the_difference};
    Suite *suite = suite_create("diff");
    TCase *all = tcase_create("diff");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
