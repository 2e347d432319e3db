/* SPDX-License-Identifier: Apache-2.0 */
/* What elements are, how they are called, what of them is told. The pages say
 * what must come out, in attributes data-role, data-name, data-value and
 * data-unseen. */
#include "agent.h"
#include "fixture.h"
#include "page/page.h"

#include <stdio.h>
#include <string.h>

static json_t *ask(const char *selector)
{
    aper__op op;
    aper_error *error = NULL;
    json_t *answer = NULL;
    LIVE_CHECK(APER_OK, aper__tab_begin(tab, &op, 30000, false, &error),
               error);
    error = NULL;
    aper_status status = aper__page_call(
        tab, &op, "describeAll", json_pack("{s:s}", "selector", selector),
        &answer, &error);
    aper__tab_end(tab, &op);
    LIVE_CHECK(APER_OK, status, error);
    return answer;
}

/* What the page wants of each element that has the attribute, and the element
 * as markup. */
static json_t *wanted(const char *what)
{
    char script[400];
    snprintf(script, sizeof script,
             "JSON.stringify([...document.querySelectorAll('[data-%s]')]"
             ".map((el) => [el.dataset.%s, el.outerHTML.slice(0, 300)]))",
             what, what);
    char *text = live_eval(tab, script);
    json_t *quoted = json_loads(text, JSON_DECODE_ANY, NULL);
    json_t *list = json_loads(json_string_value(quoted), 0, NULL);
    ck_assert_msg(json_is_array(list), "%s", text);
    json_decref(quoted);
    aper_free(text);
    return list;
}

static void check(const char *what, size_t at_least)
{
    char selector[40];
    char wrong[8000] = "";
    size_t used = 0;
    snprintf(selector, sizeof selector, "[data-%s]", what);
    json_t *want = wanted(what), *got = ask(selector);
    ck_assert_uint_ge(json_array_size(want), at_least);
    ck_assert_uint_eq(json_array_size(want), json_array_size(got));
    for (size_t i = 0; i < json_array_size(want); i++) {
        json_t *pair = json_array_get(want, i);
        const char *a = json_string_value(json_array_get(pair, 0));
        const char *b = json_string_value(
            json_object_get(json_array_get(got, i), what));
        if (b && strcmp(a, b) == 0)
            continue;
        int size = snprintf(wrong + used, sizeof wrong - used,
                            "\n'%s' instead of '%s': %s", b ? b : "(none)", a,
                            json_string_value(json_array_get(pair, 1)));
        used += size > 0 && used + (size_t)size < sizeof wrong ? (size_t)size
                                                               : 0;
    }
    ck_assert_msg(used == 0, "%s", wrong);
    json_decref(want);
    json_decref(got);
}

START_TEST(roles_follow_the_specifications)
{
    show("/names-roles.html");
    check("role", 100);
    leave();
}
END_TEST

START_TEST(names_follow_the_specifications)
{
    show("/names.html");
    check("name", 60);
    leave();
}
END_TEST

START_TEST(what_nobody_can_see_is_known_and_nothing_else)
{
    show("/unseen.html");
    check("unseen", 60);
    leave();
}
END_TEST

static void tells_no_secret(void)
{
    aper_snapshot *snapshot = agent_see(tab);
    const char *text = aper_snapshot_get_text(snapshot);
    ck_assert_msg(!strstr(text, "secret"), "%s", text);
    agent_has(text, "told18");
    agent_has(text, "told27");
    agent_has(text, "told31");
    agent_has(text, "textbox");
    aper_snapshot_unref(snapshot);
}

/* Our script is in every document after the first that was read. */
static void show_watched(const char *path)
{
    show("/blank.html");
    aper_snapshot_unref(agent_see(tab));
    aper_navigation_unref(live_go(tab, server, path));
}

START_TEST(secret_values_are_never_told)
{
    show_watched("/values.html");
    check("value", 20);
    check("name", 2);
    tells_no_secret();
    leave();
}
END_TEST

START_TEST(a_field_that_was_a_password_stays_secret)
{
    show_watched("/values.html");
    tells_no_secret();
    aper_free(live_eval(tab, "clear(document); clear(shadow.shadowRoot);"
                             "clear(frames[0].document)"));
    tells_no_secret();
    aper_free(live_eval(
        tab, "for (const e of document.querySelectorAll('input'))"
             "{ e.removeAttribute('autocomplete'); e.className = ''; }"));
    tells_no_secret();
    /* Another document, in which fields turn before anybody has read it. */
    aper_navigation_unref(live_go(tab, server, "/values.html"));
    aper_free(live_eval(
        tab, "frames[0].document.querySelectorAll('input')[0].type = 'text'"));
    tells_no_secret();
    leave();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *tcase = tcase_create("names");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, fixture_start, fixture_stop);
    tcase_add_test(tcase, roles_follow_the_specifications);
    tcase_add_test(tcase, names_follow_the_specifications);
    tcase_add_test(tcase, what_nobody_can_see_is_known_and_nothing_else);
    tcase_add_test(tcase, secret_values_are_never_told);
    tcase_add_test(tcase, a_field_that_was_a_password_stays_secret);
    suite_add_tcase(suite, tcase);
    return live_run(suite);
}
