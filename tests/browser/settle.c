/* SPDX-License-Identifier: Apache-2.0 */
/* When an action is over, and who has met it. */
#include "agent.h"
#include "browser/browser.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The page shows another title once this is nearly over. */
#define LONG_MS 25000

static aper_act_result *click_with(const char *name, uint32_t settle_ms)
{
    char *ref = agent_ref(tab, name);
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref,
                              .settle_ms = settle_ms,
                              .timeout_ms = LIVE_WAIT_MS};
    aper_act_result *result = agent_act(tab, &click, APER_OK, NULL);
    free(ref);
    return result;
}

static void shows_after(const char *name, const char *text)
{
    aper_act_result *result = agent_click(tab, name);
    ck_assert_ptr_nonnull(aper_act_result_get_diff(result));
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)), text);
    ck_assert(agent_saw(result, APER_EFFECT_CHANGE));
    aper_act_result_unref(result);
}

/* A page whose scripts were there after ours. */
static void show_guarded(const char *path)
{
    show("/blank.html");
    aper_snapshot_unref(agent_see(tab));
    aper_navigation_unref(live_go(tab, server, path));
}

START_TEST(an_effect_is_told_whenever_it_comes)
{
    static const char *const all[][2] = {
        {"Sync", "at once"},       {"Microtask", "in a microtask"},
        {"Task", "in a task"},     {"Frame", "in a frame"},
        {"Timer", "in a while"},   {"Fetch", "fetched"},
        {"Send", "and answered"},  {"Fade", "faded in"},
        {"Looks", "behind looks"}, {"Load", "Loaded"},
    };
    for (int i = 0; i < 2; i++) {
        if (i)
            show_guarded("/settle.html");
        else
            show("/settle.html");
        for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
            shows_after(all[n][0], all[n][1]);
        leave();
    }
}
END_TEST

START_TEST(what_a_style_sheet_shows_under_the_pointer_is_told)
{
    show("/settle.html");
    aper_act_result *result = agent_do(tab, APER_ACT_HOVER, "Menu", NULL);
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
              "Menu item");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(what_has_no_end_is_not_waited_for)
{
    static const char *const names[] = {"Unread", "Half", "Streams", "Beacon",
                                        "Poll", "Spin", "Progress", "Mutate"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        show("/settle.html");
        aper_act_result *result = click_with(names[n], LONG_MS);
        ck_assert(agent_saw(result, APER_EFFECT_CHANGE));
        ck_assert_str_eq(
            aper_snapshot_get_title(aper_act_result_get_snapshot(result)),
            "Settle");
        aper_act_result_unref(result);
        leave();
    }
}
END_TEST

START_TEST(a_page_that_never_rests_can_be_used)
{
    show("/settle.html");
    aper_free(live_eval(tab, "setInterval(() => { turning.textContent ="
                             " ++n; }, 1)"));
    aper_act_result *result = click_with("Sync", LONG_MS);
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
              "at once");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(that_nothing_happened_is_said_with_how_long_it_took)
{
    show("/settle.html");
    aper_act_result *result = agent_click(tab, "Nothing");
    int ms = 0;
    const char *text = strstr(aper_act_result_get_outcome(result),
                              "nothing observed in ");
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(sscanf(text, "nothing observed in %d ms", &ms), 1);
    /* By our clock, which does not start when the page's does. */
    ck_assert_int_ge(ms, 200);
    ck_assert_uint_eq(aper_act_result_get_effect_count(result), 0);
    aper_act_result_unref(result);
    leave();
}
END_TEST

static void is_not_done(uint32_t verb, const char *name, const char *text,
                        aper_status want, const char *why)
{
    agent_refused_by_name(tab, verb, name, text, want, why);
}

static void check_taken(void)
{
    is_not_done(APER_ACT_CLICK, "Down", NULL, APER_E_NOT_VERIFIED,
                "was pressed and not clicked; at the release the pointer was "
                "on \"div#downCover Down cover\"");
    agent_holds(tab, "!log.textContent.includes('click Down')");
    is_not_done(APER_ACT_TYPE, "First", "a", APER_E_NOT_VERIFIED,
                "the input went to \"textbox#second Second\"");
}

START_TEST(what_takes_the_input_is_named)
{
    show("/taken.html");
    check_taken();
    leave();
    show_guarded("/taken.html");
    check_taken();
    leave();
}
END_TEST

START_TEST(a_press_that_would_meet_another_is_kept_from_the_page)
{
    show_guarded("/taken.html");
    is_not_done(APER_ACT_CLICK, "Move", NULL, APER_E_NOT_ACTIONABLE,
                "is covered by \"div#moveCover Move cover\"");
    agent_holds(tab, "log.textContent === ''");
    aper_act_result_unref(agent_click(tab, "Runaway"));
    agent_holds(tab, "log.textContent === 'pointerdown Runaway; "
                     "mousedown Runaway; pointerup Runaway; mouseup Runaway; "
                     "click Runaway; '");
    /* What lies in another window gets the press, and it is not called a
     * click. */
    is_not_done(APER_ACT_CLICK, "Framed", NULL, APER_E_NOT_VERIFIED,
                "did not get the click");
    char *ref = agent_ref(tab, "Once");
    aper_act_options twice = {.verb = APER_ACT_CLICK, .ref = ref,
                              .click_count = 2};
    char *message;
    agent_act(tab, &twice, APER_E_NOT_VERIFIED, &message);
    agent_has(message, "was clicked once; before the next click it was "
                       "covered by \"div#onceCover Once cover\"");
    agent_holds(tab, "!log.textContent.includes('onceCover')");
    free(message);
    free(ref);
    leave();
}
END_TEST

START_TEST(a_press_without_a_click_is_called_so)
{
    show("/taken.html");
    aper_act_result *result = agent_click(tab, "Remove");
    const char *outcome = aper_act_result_get_outcome(result);
    agent_has(outcome, "pressed button ");
    agent_has(outcome, "\"Remove\", which then went away, so that no click "
                       "followed: ");
    aper_act_result_unref(result);
    result = agent_click(tab, "Menu");
    agent_has(aper_act_result_get_outcome(result), "so that no click followed");
    aper_act_result_unref(result);
    leave();
}
END_TEST

static unsigned count(const char *path, const char *what)
{
    unsigned hits = 0;
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    while (getline(&line, &size, file) > 0)
        hits += line[0] == '>' && strstr(line, what);
    free(line);
    fclose(file);
    return hits;
}

START_TEST(a_click_asks_the_page_no_more_than_it_must)
{
    char *dir = live_make_dir();
    char path[512];
    snprintf(path, sizeof path, "%s/record", dir);
    aper_browser *own = live_launch();
    aper_tab *page = live_open(own, server, "/blank.html");
    aper_snapshot_unref(agent_see(page));
    aper_navigation_unref(live_go(page, server, "/settle.html"));
    char *ref = agent_ref(page, "Sync");
    ck_assert_int_eq(aper__cdp_record(aper__browser_cdp(own), path), APER_OK);
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref};
    aper_act_result_unref(agent_act(page, &click, APER_OK, NULL));
    aper_tab_unref(page);
    aper_browser_unref(own);
    /* The record is whole once its connection is gone. */
    for (int i = 0; i < LIVE_WAIT_MS / 10 && !count(path, "Browser.close");
         i++)
        usleep(10000);
    ck_assert_uint_eq(count(path, "Input.dispatchMouseEvent"), 3);
    /* Before, until it is at rest, and to read it. */
    unsigned asked = count(path, "Runtime.callFunctionOn");
    ck_assert_uint_eq(count(path, "\"prepare\""), 1);
    ck_assert_uint_ge(count(path, "\"rest\""), 1);
    ck_assert_uint_eq(asked, 2 + count(path, "\"rest\""));
    free(ref);
    live_remove_dir(dir);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_effect_is_told_whenever_it_comes,
        what_a_style_sheet_shows_under_the_pointer_is_told,
        what_has_no_end_is_not_waited_for,
        a_page_that_never_rests_can_be_used,
        that_nothing_happened_is_said_with_how_long_it_took,
        what_takes_the_input_is_named,
        a_press_that_would_meet_another_is_kept_from_the_page,
        a_press_without_a_click_is_called_so,
        a_click_asks_the_page_no_more_than_it_must};
    Suite *suite = suite_create("settle");
    TCase *all = tcase_create("settle");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
