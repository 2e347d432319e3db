/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"
#include "state.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static aper__shapes *shapes;

static bool ticks(const char *old, const char *now, int64_t elapsed_ms)
{
    bool ticked = false;
    if (!shapes)
        shapes = aper__shapes_new();
    ck_assert_ptr_nonnull(shapes);
    ck_assert_int_eq(aper__shapes_ticked(shapes, old, strlen(old), now,
                                         strlen(now), elapsed_ms, &ticked),
                     APER_OK);
    return ticked;
}

START_TEST(clocks_and_countdowns_tick)
{
    ck_assert(ticks("12:30:05", "12:30:07", 2000));
    ck_assert(ticks("Now 12:30:05.250 PM (UTC)", "Now 12:30:06.75 PM (UTC)",
                    1000));
    ck_assert(ticks("23:59:59", "00:00:01", 2000));
    ck_assert(ticks("11:59:59 am", "12:00:01 pm", 2000));
    ck_assert(ticks("Ends in 00:10", "Ends in 00:08", 2000));
    ck_assert(ticks("12:30", "12:31", 2000));
    ck_assert(ticks("2d 3h 4m 5s", "2d 3h 4m 1s", 4000));
    ck_assert(ticks("1 hour 5 minutes", "1 hour 4 minutes", 1000));
    ck_assert(ticks("5 minutes left", "4 minutes left", 1000));
    ck_assert(ticks("posted 3 minutes ago", "posted 2 hours ago", 10));
    ck_assert(ticks("in 5 minutes", "in 4 minutes", 10));
    ck_assert(ticks("just now", "a minute ago", 60000));
    ck_assert(ticks("up 1:02 of 3:20", "up 1:04 of 3:20", 2000));
}
END_TEST

START_TEST(numbers_are_no_clocks)
{
    ck_assert(!ticks("Cart (2)", "Cart (3)", 1000));
    ck_assert(!ticks("17", "18", 1000));
    ck_assert(!ticks("40%", "41%", 1000));
    ck_assert(!ticks("€12.30", "€12.31", 1000));
    ck_assert(!ticks("5 m cable", "6 m cable", 1000));
    ck_assert(!ticks("ratio 16:9", "ratio 4:3", 1000));
    ck_assert(!ticks("fe80:12:34:56:78", "fe80:12:34:56:79", 1000));
    ck_assert(!ticks("3 items, 12:30:05", "4 items, 12:30:06", 1000));
    ck_assert(!ticks("12:30:05", "closed", 1000));
    ck_assert(!ticks("Trial: 30 days", "Trial: 29 days", 1000));
}
END_TEST

START_TEST(a_time_that_was_chosen_is_no_tick)
{
    ck_assert(!ticks("Selected: 10:30", "Selected: 11:00", 3000));
    ck_assert(!ticks("Table at 19:00:00", "Table at 20:00:00", 3000));
    ck_assert(!ticks("Fastest: 2 h 13 min", "Fastest: 1 h 50 min", 3000));
    ck_assert(ticks("Fastest: 2 h 13 min", "Fastest: 1 h 50 min", -1));
    /* What was never compared in time may have gone on for long. */
    ck_assert(ticks("12:30:05", "12:45:05", 15 * 60 * 1000));
}
END_TEST

static int differ(const char *a, const char *b)
{
    aper__contents c;
    aper__string x, y;
    int count = 0, next;
    aper__contents_begin(&c, a, b);
    while ((next = aper__contents_next(&c, &x, &y)) > 0)
        count++;
    return next ? -1 : count;
}

START_TEST(only_what_cannot_be_acted_on_is_content)
{
    ck_assert_int_eq(differ(" \"a\"", " \"b\""), 1);
    ck_assert_int_eq(differ(" \"a \\\" b\"", " \"a \\\\\""), 1);
    ck_assert_int_eq(differ(" row \"a\" | \"1\"", " row \"b\" | \"2\""), 2);
    ck_assert_int_eq(differ(" button e123456 \"A\" \"1\"",
                            " button e123456 \"A\" \"2\""), 1);
    ck_assert_int_eq(differ(" progressbar \"L\" =\"1\"",
                            " progressbar \"L\" =\"2\""), 1);
    /* Names and values of what has a ref, states, refs, roles, depth. */
    ck_assert_int_eq(differ(" button e123456 \"A\"", " button e123456 \"B\""),
                     -1);
    ck_assert_int_eq(differ(" textbox e123456 \"A\" =\"1\"",
                            " textbox e123456 \"A\" =\"2\""), -1);
    ck_assert_int_eq(differ(" textbox e123456* =\"1\"",
                            " textbox e123456* =\"2\""), -1);
    ck_assert_int_eq(differ(" image \"a\"", " image \"a\" hidden"), -1);
    ck_assert_int_eq(differ(" image \"a\" hidden", " image \"a\" modal"), -1);
    ck_assert_int_eq(differ(" button e123456", " button e123457"), -1);
    ck_assert_int_eq(differ(" row \"a\"", " cell \"a\""), -1);
    ck_assert_int_eq(differ(" \"a\"", "  \"a\""), -1);
    ck_assert_int_eq(differ(" \"a\"", " \"a\" \"b\""), -1);
    ck_assert_int_eq(differ(" link /a", " link /b"), -1);
    ck_assert_int_eq(differ(" row | \"a\"", " row \"a\""), -1);
}
END_TEST

/* ---- what a reader is told, read by read ---------------------------------- */

typedef struct session {
    aper__told *told;
    aper_diff *last; /* the last difference */
    unsigned step;
    int64_t now_ms;
} session;

/* A page that says so, with a button. */
static aper_snapshot *page_of(session *s, const char *text, const char *name)
{
    char entries[600];
    aper_snapshot *state = NULL;
    snprintf(entries, sizeof entries,
             "+1\t0\t\tpage\t\t\tT\t\t\thttp://h/\t\n"
             "+2\t1\t\ttext\t\t\t%s\t\t\t\t\n"
             "+3\t1\t\tbutton\t\te100001\t%s\t\t\t\t\n"
             "+4\t1\t\ttext\t\t\tone\t\t\t\t\n"
             "+5\t1\t\ttext\t\t\ttwo\t\t\t\t\n"
             "+6\t1\t\ttext\t\t\tthree\t\t\t\t", text, name);
    ck_assert_int_eq(state_make(entries, "tab", "doc", s->step++,
                                &state), APER_OK);
    state->read_ms = s->now_ms;
    return state;
}

static void begin(session *s, const char *text, const char *name)
{
    *s = (session){.now_ms = 1000000};
    ticks("", "", 0); /* makes the shapes */
    aper_snapshot *state = page_of(s, text, name);
    s->told = aper__told_new(state);
    aper_snapshot_unref(state);
}

/* Another read, some time later. acted is NULL if nobody acted. */
static const char *see(session *s, int64_t later_ms, const char *acted,
                       const char *text, const char *name)
{
    aper__buf script = {0};
    s->now_ms += later_ms;
    aper_snapshot *state = page_of(s, text, name);
    const aper__watch watch = {shapes, s->now_ms, acted != NULL,
                               acted ? acted : ""};
    const aper__diff_how how = {APER__RESET_PERCENT, &watch};
    aper_diff_unref(s->last);
    ck_assert_int_eq(aper__diff_new(s->told, state, &s->last), APER_OK);
    ck_assert_int_eq(aper__diff_find(s->last, &how, &script), APER_OK);
    ck_assert_int_eq(aper__diff_write(s->last, script.data, NULL), APER_OK);
    aper__buf_free(&script);
    aper_snapshot_unref(state);
    aper__told_unref(s->told);
    s->told = aper__told_ref(s->last->told);
    return aper_diff_get_text(s->last);
}

static void end(session *s)
{
    aper_diff_unref(s->last);
    aper__told_unref(s->told);
    aper__shapes_free(shapes);
    shapes = NULL;
}

static void tells(const char *text, const char *line)
{
    ck_assert_msg(strstr(text, line), "no '%s' in:\n%s", line, text);
}

START_TEST(a_clock_is_counted_and_not_restated)
{
    session s;
    begin(&s, "It is 12:30:05", "Go");
    ck_assert_str_eq(see(&s, 2000, NULL, "It is 12:30:07", "Go"),
                     "nothing since #1.0 (1 volatile)\n");
    ck_assert(aper_diff_is_empty(s.last));
    ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), 1);
    ck_assert_uint_le(aper_diff_get_token_estimate(s.last), 10);
    /* After an action too. */
    const char *text = see(&s, 1000, "e100009", "It is 12:30:08", "Gone");
    tells(text, "diff #1.1 → #1.2 (1 volatile)\n");
    tells(text, "\n~  button e100001 \"Gone\"\n");
    ck_assert_uint_eq(aper_diff_get_op_count(s.last), 1);
    /* Still, while it stands still. */
    ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), 1);
    see(&s, 100, NULL, "It is 12:30:08", "Gone");
    ck_assert(aper_diff_is_empty(s.last));
    ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), 1);
    end(&s);
}
END_TEST

START_TEST(a_line_is_restated_when_more_than_its_clock_changed)
{
    session s;
    begin(&s, "Ada at 12:30:05", "Go");
    see(&s, 2000, NULL, "Ada at 12:30:07", "Go");
    ck_assert(aper_diff_is_empty(s.last));
    tells(see(&s, 2000, NULL, "Bob at 12:30:09", "Go"),
          "~  \"Bob at 12:30:09\"\n");
    ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), 0);
    end(&s);
}
END_TEST

START_TEST(a_volatile_line_stays_as_it_was_told)
{
    session s;
    begin(&s, "It is 12:30:05", "Go");
    see(&s, 2000, NULL, "It is 12:30:07", "Go");
    ck_assert_str_eq(aper__told_line(s.told, 1), " \"It is 12:30:05\"");
    ck_assert_str_eq(s.told->snapshot->lines[1].text,
                     " \"It is 12:30:07\"");
    end(&s);
}
END_TEST

START_TEST(what_changes_by_itself_all_the_time_is_told_no_more)
{
    session s;
    char text[20];
    begin(&s, "0", "Go");
    for (int i = 1; i <= 8; i++) {
        snprintf(text, sizeof text, "%d", i);
        see(&s, 1000, NULL, text, "Go");
        /* The fourth change of late within ten seconds. */
        ck_assert_int_eq(aper_diff_is_empty(s.last), i >= 4);
        ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), i >= 4);
    }
    /* When it stops, its last word is told. */
    tells(see(&s, 1000, NULL, "8", "Go"), "~  \"8\"\n");
    /* And it has to begin anew. */
    see(&s, 1000, NULL, "9", "Go");
    ck_assert(!aper_diff_is_empty(s.last));
    end(&s);
}
END_TEST

START_TEST(what_changes_now_and_then_is_told)
{
    session s;
    char text[20];
    begin(&s, "0", "Go");
    for (int i = 1; i <= 20; i++) {
        snprintf(text, sizeof text, "%d", i);
        see(&s, 20000, NULL, text, "Go");
        ck_assert(!aper_diff_is_empty(s.last));
    }
    end(&s);
}
END_TEST

START_TEST(what_actions_change_is_told)
{
    session s;
    char text[20];
    begin(&s, "Cart (0)", "Go");
    for (int i = 1; i <= 20; i++) {
        snprintf(text, sizeof text, "Cart (%d)", i);
        see(&s, 100, "e100001", text, "Go");
        ck_assert(!aper_diff_is_empty(s.last));
        ck_assert_uint_eq(aper_diff_get_volatile_count(s.last), 0);
    }
    end(&s);
}
END_TEST

START_TEST(what_can_be_acted_on_is_always_told)
{
    session s;
    char name[20];
    begin(&s, "x", "Buy 12:00:00");
    for (int i = 1; i <= 20; i++) {
        snprintf(name, sizeof name, "Buy 12:00:%02d", i);
        see(&s, 1000, NULL, "x", name);
        ck_assert(!aper_diff_is_empty(s.last));
    }
    end(&s);
}
END_TEST

START_TEST(the_line_that_was_acted_on_is_told)
{
    const char *const page =
        "+1\t0\t\tpage\t\t\tT\t\t\thttp://h/\t\n"
        "+2\t1\t\tlistitem\t\t\t\t\t\t\t\n"
        "+3\t2\t \tbutton\t\te100001\tStart\t\t\t\t\n"
        "+4\t2\t \ttext\t\t\t00:0%d\t\t\t\t\n"
        "+5\t1\t\ttext\t\t\tone\t\t\t\t";
    aper_snapshot *states[2];
    ticks("", "", 0);
    for (int i = 0; i < 2; i++) {
        char entries[600];
        snprintf(entries, sizeof entries, page, i);
        ck_assert_int_eq(state_make(entries, "tab", "doc", 0,
                                    &states[i]), APER_OK);
        states[i]->read_ms = 1000 * (i + 1);
    }
    aper__told *told = aper__told_new(states[0]);
    const char *const acted[] = {"", "e100001", "e100002"};
    for (size_t i = 0; i < 3; i++) {
        aper__buf script = {0};
        aper_diff *diff = NULL;
        const aper__watch watch = {shapes, 2000, true, acted[i]};
        const aper__diff_how how = {APER__RESET_PERCENT, &watch};
        ck_assert_int_eq(aper__diff_new(told, states[1], &diff), APER_OK);
        ck_assert_int_eq(aper__diff_find(diff, &how, &script), APER_OK);
        ck_assert_uint_eq(aper_diff_get_op_count(diff), i == 1);
        ck_assert_uint_eq(aper_diff_get_volatile_count(diff), i != 1);
        aper__buf_free(&script);
        aper_diff_unref(diff);
    }
    aper__told_unref(told);
    aper_snapshot_unref(states[0]);
    aper_snapshot_unref(states[1]);
    aper__shapes_free(shapes);
    shapes = NULL;
}
END_TEST

START_TEST(without_memory_nothing_is_lost)
{
    session s;
    begin(&s, "It is 12:30:05", "Go");
    see(&s, 1000, NULL, "It is 12:30:06", "Go");
    s.now_ms += 1000;
    aper_snapshot *now = page_of(&s, "It is 12:30:07", "Gone");
    aper_status status = APER_E_NOMEM;
    for (uint64_t n = 1; status == APER_E_NOMEM; n++) {
        aper__buf script = {0};
        aper_diff *diff = NULL;
        aper__alloc_fail_at(n, true);
        aper__shapes *own = aper__shapes_new();
        const aper__watch watch = {own, s.now_ms, false, ""};
        const aper__diff_how how = {APER__RESET_PERCENT, &watch};
        status = own ? aper__diff_new(s.told, now, &diff) : APER_E_NOMEM;
        if (!status)
            status = aper__diff_find(diff, &how, &script);
        if (!status)
            status = aper__diff_write(diff, script.data, NULL);
        aper__alloc_fail_at(0, false);
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        if (!status)
            ck_assert_uint_eq(aper_diff_get_volatile_count(diff), 1);
        aper__buf_free(&script);
        aper_diff_unref(diff);
        aper__shapes_free(own);
        ck_assert_uint_lt(n, 1000);
    }
    aper_snapshot_unref(now);
    end(&s);
}
END_TEST

SUITE("volatile", 60, clocks_and_countdowns_tick, numbers_are_no_clocks,
      a_time_that_was_chosen_is_no_tick,
      only_what_cannot_be_acted_on_is_content,
      a_clock_is_counted_and_not_restated,
      a_line_is_restated_when_more_than_its_clock_changed,
      a_volatile_line_stays_as_it_was_told,
      what_changes_by_itself_all_the_time_is_told_no_more,
      what_changes_now_and_then_is_told, what_actions_change_is_told,
      what_can_be_acted_on_is_always_told, the_line_that_was_acted_on_is_told,
      without_memory_nothing_is_lost)
