/* SPDX-License-Identifier: Apache-2.0 */
/* What of a page is shown. */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static aper_snapshot *take(const aper_snapshot_options *options)
{
    aper_snapshot_options sized = *options;
    aper_snapshot *snapshot = NULL;
    aper_error *error = NULL;
    sized.size = sizeof sized;
    aper_status status = aper_snapshot_take(tab, &sized, &snapshot, &error);
    LIVE_CHECK(APER_OK, status, error);
    return snapshot;
}

static aper_snapshot *take_all(void)
{
    const aper_snapshot_options all = {.budget_tokens = APER_BUDGET_UNLIMITED};
    return take(&all);
}

static void run(const char *script)
{
    aper_free(live_eval(tab, script));
}

/* A list of count rows: a name, a link, a price and two buttons each. */
static void show_rows(int count, const char *name)
{
    char script[700];
    show("/blank.html");
    snprintf(script, sizeof script,
             "document.body.innerHTML = '<h1>Shop</h1><ul id=l></ul>' + "
             "'<p id=end>The end</p>';"
             "row = (n) => { const li = document.createElement('li');"
             " li.innerHTML = `<a href=/p/${n}>%s ${n}</a> <span>€${n}.50"
             "</span> <button>Add</button> <button>Delete</button>`;"
             " li.id = 'row' + n + 'x'; return li; };"
             "for (let i = 0; i < %d; i++) l.append(row(i)); 1", name, count);
    run(script);
}

static bool shows(const aper_snapshot *snapshot, const char *part)
{
    return strstr(aper_snapshot_get_text(snapshot), part) != NULL;
}

static void must_show(const aper_snapshot *snapshot, const char *part)
{
    agent_has(aper_snapshot_get_text(snapshot), part);
}

/* Sum of what the lines for what is not shown count, of one role: "7 more
 * listitem" or "8 more (7 listitem, 1 heading)". */
static unsigned count_hidden(const aper_snapshot *snapshot, const char *role)
{
    unsigned sum = 0;
    char word[40];
    unsigned count;
    for (const char *at = aper_snapshot_get_text(snapshot);
         (at = strstr(at, " … ")); at++) {
        if (sscanf(at, " … %u more %39[a-z]", &count, word) == 2) {
            sum += strcmp(word, role) == 0 ? count : 0;
            continue;
        }
        size_t size = strcspn(at, ")\n");
        for (const char *kind = strchr(at, '('); kind && kind < at + size;
             kind = strchr(kind + 1, ','))
            if (sscanf(kind + 1, " %u %39[a-z]", &count, word) == 2
                && strcmp(word, role) == 0)
                sum += count;
    }
    return sum;
}

static unsigned count_shown(const aper_snapshot *snapshot, const char *role)
{
    unsigned count = 0;
    for (size_t i = 0; i < aper_snapshot_get_node_count(snapshot); i++)
        if (!strcmp(aper_snapshot_get_node_role(snapshot, i), role))
            count++;
    return count;
}

/* Every node lies in one that is shown, right before it or further up. */
static void check_tree(const aper_snapshot *snapshot)
{
    ck_assert_uint_eq(aper_snapshot_get_node_depth(snapshot, 0), 0);
    for (size_t i = 1; i < aper_snapshot_get_node_count(snapshot); i++) {
        uint32_t depth = aper_snapshot_get_node_depth(snapshot, i);
        ck_assert_uint_ge(depth, 1);
        ck_assert_uint_le(depth,
                          aper_snapshot_get_node_depth(snapshot, i - 1) + 1);
    }
}

START_TEST(a_row_is_one_line)
{
    show_rows(2, "Widget");
    aper_snapshot *s = take_all();
    char link[20], add[20], delete[20];
    const char *line = strstr(aper_snapshot_get_text(s), " listitem");
    ck_assert_int_eq(sscanf(line, " listitem link %19s \"Widget 0\" /p/0 "
                            "\"€0.50\" button %19s \"Add\" button %19s "
                            "\"Delete\"\n", link, add, delete), 3);
    ck_assert_uint_eq(count_shown(s, "listitem"), 2);
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(no_budget_is_exceeded_in_any_script)
{
    static const char *const names[] = {
        "Widget", "Виджет", "小部件名称", "ウィジェット", "위젯이름",
        "أداة", "विजेट", "🙂🎉", "xq7zkw9", "ﬁﬂ½™"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        show_rows(100, names[n]);
        for (uint32_t budget = 100; budget < 6000; budget = budget * 3) {
            const aper_snapshot_options options = {.budget_tokens = budget};
            aper_snapshot *s = take(&options);
            ck_assert_uint_le(aper_snapshot_get_token_estimate(s), budget);
            check_tree(s);
            unsigned shown = count_shown(s, "listitem");
            if (budget > 200)
                ck_assert_uint_eq(shown + count_hidden(s, "listitem"), 100);
            if (budget > 1000)
                ck_assert_uint_ge(shown, 10);
            aper_snapshot_unref(s);
        }
        leave();
    }
}
END_TEST

START_TEST(a_long_title_does_not_exceed_a_small_budget)
{
    show_rows(20, "Widget");
    run("document.title = '漢字'.repeat(300);"
        "history.pushState(0, '', '/' + 'long/'.repeat(100))");
    const aper_snapshot_options options = {.budget_tokens = 100};
    aper_snapshot *s = take(&options);
    ck_assert_uint_le(aper_snapshot_get_token_estimate(s), 100);
    must_show(s, "\npage \"漢");
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(what_is_in_the_window_comes_first)
{
    show_rows(400, "Widget");
    run("document.getElementById('row200x').scrollIntoView()");
    aper_snapshot *s = take(&(aper_snapshot_options){.budget_tokens = 700});
    must_show(s, "\"Widget 201\"");
    ck_assert(!shows(s, "\"Widget 300\""));
    ck_assert(!shows(s, "\"Widget 100\""));
    ck_assert_uint_eq(count_shown(s, "listitem")
                      + count_hidden(s, "listitem"), 400);
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(a_hole_is_expanded_by_the_ref_that_it_names)
{
    show_rows(400, "Widget");
    aper_snapshot *s = take(&(aper_snapshot_options){.budget_tokens = 700});
    unsigned before = 0, hidden = 0;
    char ref[20], next[40];
    const char *hole = strstr(aper_snapshot_get_text(s), " … ");
    ck_assert_int_eq(sscanf(hole, " … %u more listitem, expand %19[e0-9]\n",
                            &hidden, ref), 2);
    before = 400 - hidden;
    snprintf(next, sizeof next, "\"Widget %u\"", before);
    ck_assert(!shows(s, next));
    aper_snapshot_unref(s);
    s = take(&(aper_snapshot_options){.budget_tokens = 700, .expand = ref});
    must_show(s, next);
    must_show(s, ref);
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(what_is_looked_for_is_shown)
{
    show_rows(400, "Widget");
    aper_snapshot *s = take(&(aper_snapshot_options){
        .budget_tokens = 400, .find = "wIDGET 377"});
    must_show(s, "\"Widget 377\"");
    ck_assert_uint_eq(count_shown(s, "listitem")
                      + count_hidden(s, "listitem"), 400);
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(a_scope_shows_nothing_else)
{
    show_rows(20, "Widget");
    char *ref = agent_ref(tab, "Widget 7");
    aper_snapshot *s = take(&(aper_snapshot_options){
        .budget_tokens = APER_BUDGET_UNLIMITED, .scope = ref});
    must_show(s, "\"Widget 7\"");
    ck_assert_uint_eq(count_shown(s, "listitem"), 1);
    ck_assert_uint_eq(count_hidden(s, "listitem"), 19);
    ck_assert(!shows(s, "The end"));
    check_tree(s);
    aper_snapshot_unref(s);
    free(ref);
    leave();
}
END_TEST

START_TEST(refs_that_cannot_be_found_are_refused)
{
    aper_snapshot *s = NULL;
    show_rows(5, "Widget");
    char *ref = agent_ref(tab, "Widget 3");
    run("row3x.remove()");
    aper_snapshot_options options = {.size = sizeof options, .expand = ref};
    ck_assert_int_eq(aper_snapshot_take(tab, &options, &s, NULL),
                     APER_E_STALE);
    options.expand = "e999999";
    ck_assert_int_eq(aper_snapshot_take(tab, &options, &s, NULL),
                     APER_E_NO_REF);
    options.expand = "here";
    ck_assert_int_eq(aper_snapshot_take(tab, &options, &s, NULL),
                     APER_E_NO_REF);
    options.expand = NULL;
    options.scope = "e999999";
    ck_assert_int_eq(aper_snapshot_take(tab, &options, &s, NULL),
                     APER_E_NO_REF);
    ck_assert_int_eq(aper_snapshot_take_start(tab, &options, 5, NULL), APER_OK);
    aper_event *event = live_completion(browser, 5);
    ck_assert_int_eq(aper_event_get_status(event), APER_E_NO_REF);
    aper_event_unref(event);
    free(ref);
    leave();
}
END_TEST

/* What an action leaves as the state of the page. */
static aper_act_result *press_escape(void)
{
    return agent_act(tab, &(aper_act_options){.verb = APER_ACT_PRESS,
                                              .key = "Escape"},
                     APER_OK, NULL);
}

START_TEST(what_comes_beside_a_shown_line_is_shown)
{
    show_rows(400, "Widget");
    aper_snapshot_unref(take(&(aper_snapshot_options){.budget_tokens = 700}));
    run("row1x.after(row(5001)); row390x.after(row(5002));"
        "row300x.after(row(5003))");
    aper_act_result *result = press_escape();
    const aper_snapshot *s = aper_act_result_get_snapshot(result);
    must_show(s, "\"Widget 5001\"");
    ck_assert(!shows(s, "\"Widget 5002\""));
    ck_assert(!shows(s, "\"Widget 5003\""));
    ck_assert_uint_eq(count_shown(s, "listitem")
                      + count_hidden(s, "listitem"), 403);
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(what_was_shown_stays_shown)
{
    show_rows(400, "Widget");
    aper_snapshot_unref(take(&(aper_snapshot_options){.budget_tokens = 700}));
    run("scrollTo(0, 1e6)");
    aper_act_result *result = press_escape();
    must_show(aper_act_result_get_snapshot(result), "\"Widget 1\"");
    ck_assert(!shows(aper_act_result_get_snapshot(result), "\"Widget 398\""));
    aper_act_result_unref(result);
    aper_snapshot *s = take(&(aper_snapshot_options){.budget_tokens = 700});
    must_show(s, "\"Widget 370\"");
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(all_stays_shown_when_all_was)
{
    show_rows(300, "Widget");
    aper_snapshot_unref(take_all());
    run("for (let i = 300; i < 400; i++) l.append(row(i))");
    aper_act_result *result = press_escape();
    const aper_snapshot *s = aper_act_result_get_snapshot(result);
    ck_assert_uint_eq(count_shown(s, "listitem"), 400);
    ck_assert_uint_eq(count_shown(s, "more"), 0);
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_state_that_is_patched_is_the_one_that_is_read_afresh)
{
    show_rows(60, "Widget");
    aper_snapshot_unref(take_all());
    static const char *const changes[] = {
        "row1x.remove()", "l.prepend(row59x)", "row5x.querySelector('span')"
        ".textContent = 'sold'", "l.append(...[...l.children].reverse())",
        "l.replaceChildren(row(1), row(2))", "document.title = 'Other'",
        "row2x.innerHTML = '<ul><li>a<button>b</button><li>c</ul>'"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        run(changes[i]);
        aper_snapshot *patched = take_all();
        aper_snapshot *scoped = take_all();
        ck_assert_uint_eq(aper_snapshot_get_node_count(patched),
                          aper_snapshot_get_node_count(scoped));
        ck_assert_str_eq(aper_snapshot_get_id(patched),
                         aper_snapshot_get_id(scoped));
        check_tree(patched);
        aper_snapshot_unref(patched);
        aper_snapshot_unref(scoped);
    }
    leave();
}
END_TEST

START_TEST(a_modal_dialog_comes_first)
{
    show_rows(400, "Widget");
    run("document.body.insertAdjacentHTML('beforeend', '<dialog id=d>"
        "<p>Really?</p><button>Yes</button></dialog>'); d.showModal()");
    aper_snapshot *s = take(&(aper_snapshot_options){.budget_tokens = 150});
    must_show(s, "\"Really?\"");
    must_show(s, "\"Yes\"");
    aper_snapshot_unref(s);
    leave();
}
END_TEST

START_TEST(a_cut_leaves_whole_characters)
{
    show("/blank.html");
    /* The cut at 500 code points falls on the emoji, and within its UTF-16. */
    for (int letters = 497; letters < 503; letters++) {
        char script[200];
        snprintf(script, sizeof script,
                 "document.body.textContent = 'a'.repeat(%d) + '🙂🙂🙂'",
                 letters);
        run(script);
        aper_snapshot *s = take_all();
        const char *text = aper_snapshot_get_text(s);
        ck_assert_ptr_null(strstr(text, "\xEF\xBF\xBD"));
        ck_assert(strstr(text, "a🙂") || strstr(text, "a…"));
        aper_snapshot_unref(s);
    }
    leave();
}
END_TEST

START_TEST(forty_megabytes_of_text_are_read)
{
    show("/blank.html");
    run("document.body.innerHTML = ('<p>' + 'word '.repeat(800)).repeat(10000)"
        "; 1");
    aper_snapshot *s = take(&(aper_snapshot_options){.timeout_ms = 100000});
    ck_assert_uint_le(aper_snapshot_get_token_estimate(s), 2000);
    must_show(s, "\"word word");
    must_show(s, " more text");
    aper_snapshot_unref(s);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_row_is_one_line, no_budget_is_exceeded_in_any_script,
        a_long_title_does_not_exceed_a_small_budget,
        what_is_in_the_window_comes_first,
        a_hole_is_expanded_by_the_ref_that_it_names,
        what_is_looked_for_is_shown, a_scope_shows_nothing_else,
        refs_that_cannot_be_found_are_refused,
        what_comes_beside_a_shown_line_is_shown, what_was_shown_stays_shown,
        all_stays_shown_when_all_was,
        a_state_that_is_patched_is_the_one_that_is_read_afresh,
        a_modal_dialog_comes_first, a_cut_leaves_whole_characters,
        forty_megabytes_of_text_are_read};
    Suite *suite = suite_create("view");
    TCase *all = tcase_create("view");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    tcase_set_timeout(all, 240);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
