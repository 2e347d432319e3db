/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(void)
{
    fixture_start();
    show("/logs.html");
}

/* Makes the page load an address, and waits until it has. */
static void load(const char *url)
{
    char script[600];
    snprintf(script, sizeof(script), "load('%s')", url);
    aper_free(live_eval(tab, script));
}

/* Index of the last entry whose text ends so; fails without one. Events and
 * answers come in one order, so what a script did is there when it ended; the
 * end of a request can be reported later. */
static size_t find(aper_log **ret_log, bool network, const char *end)
{
    for (int i = 0; i < 1000; i++) {
        aper_log *log = NULL;
        aper_status status = network ? aper_tab_get_network(tab, 0, &log)
                                     : aper_tab_get_console(tab, 0, &log);
        ck_assert_int_eq(status, APER_OK);
        for (size_t at = aper_log_get_count(log); at-- > 0;) {
            const char *text = aper_log_get_text(log, at);
            if (strlen(text) >= strlen(end)
                && strcmp(text + strlen(text) - strlen(end), end) == 0) {
                *ret_log = log;
                return at;
            }
        }
        aper_log_unref(log);
        aper_free(live_eval(tab, "new Promise(r => setTimeout(r, 20))"));
    }
    ck_abort_msg("no entry ends with %s", end);
    return 0;
}

START_TEST(the_console_is_kept_with_level_and_place)
{
    static const char *const wanted[][2] = {
        { "log", "plain 1 2" },
        { "error", "wrong" },
        { "warning", "careful secondline" },
        { "info", "informed" },
        { "debug", "detail" },
    };
    aper_log *log = NULL;
    find(&log, false, "detail");
    ck_assert_uint_eq(aper_log_get_count(log), 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(aper_log_get_level(log, i), wanted[i][0]);
        ck_assert_str_eq(aper_log_get_text(log, i), wanted[i][1]);
        ck_assert_uint_eq(aper_log_get_sequence(log, i), i + 1);
        ck_assert_int_gt(aper_log_get_time_ms(log, i), 1600000000000);
        ck_assert_uint_eq(aper_log_get_http_status(log, i), 0);
        const char *source = aper_log_get_source(log, i);
        ck_assert_ptr_nonnull(strstr(source, "/logs.html:"));
    }
    ck_assert_ptr_null(aper_log_get_text(log, 5));
    aper_log_unref(log);
}
END_TEST

START_TEST(reading_goes_on_where_it_ended)
{
    aper_log *log = NULL;
    size_t last = find(&log, false, "detail");
    uint64_t after = aper_log_get_sequence(log, last);
    aper_log_unref(log);
    ck_assert_int_eq(aper_tab_get_console(tab, after, &log), APER_OK);
    ck_assert_uint_eq(aper_log_get_count(log), 0);
    aper_log_unref(log);
    aper_free(live_eval(tab, "console.log('next')"));
    find(&log, false, "next");
    aper_log_unref(log);
    ck_assert_int_eq(aper_tab_get_console(tab, after, &log), APER_OK);
    ck_assert_uint_eq(aper_log_get_count(log), 1);
    ck_assert_str_eq(aper_log_get_text(log, 0), "next");
    ck_assert_uint_eq(aper_log_get_dropped(log), 0);
    aper_log_unref(log);
}
END_TEST

START_TEST(a_ring_says_what_it_dropped)
{
    aper_free(live_eval(tab, "for (let i = 0; i < 700; i++)"
                             " console.log('n' + i)"));
    aper_log *log = NULL;
    find(&log, false, "n699");
    ck_assert_uint_eq(aper_log_get_count(log), 500);
    ck_assert_uint_eq(aper_log_get_dropped(log), 205);
    ck_assert_str_eq(aper_log_get_text(log, 0), "n200");
    aper_log_unref(log);
}
END_TEST

START_TEST(long_texts_are_cut)
{
    aper_free(live_eval(tab, "console.log('ä'.repeat(3000000));"
                             "console.log('end')"));
    aper_log *log = NULL;
    size_t at = find(&log, false, "end");
    const char *text = aper_log_get_text(log, at - 1);
    ck_assert_uint_le(strlen(text), 2 * 2048 + 3);
    ck_assert_uint_ge(strlen(text), 2 * 2047);
    aper_log_unref(log);
}
END_TEST

START_TEST(requests_are_kept_with_their_status)
{
    load("/status?code=404");
    load("/redirect?n=2&to=/second.html");
    aper_log *log = NULL;
    size_t at = find(&log, true, "/second.html");
    ck_assert_str_eq(aper_log_get_level(log, at), "GET");
    ck_assert_str_eq(aper_log_get_source(log, at), "Fetch");
    ck_assert_uint_eq(aper_log_get_http_status(log, at), 200);
    ck_assert_str_eq(aper_log_get_net_error(log, at), "");
    unsigned redirects = 0;
    unsigned missing = 0;
    for (size_t i = 0; i < at; i++) {
        const char *text = aper_log_get_text(log, i);
        uint32_t status = aper_log_get_http_status(log, i);
        redirects += strstr(text, "/redirect?") != NULL && status == 302;
        missing += strstr(text, "/status?code=404") != NULL && status == 404;
    }
    ck_assert_uint_eq(redirects, 2);
    ck_assert_uint_eq(missing, 1);
    ck_assert_str_eq(aper_log_get_source(log, 0), "Document");
    aper_log_unref(log);
}
END_TEST

START_TEST(a_failure_has_its_name)
{
    load("/reset");
    aper_log *log = NULL;
    size_t at = find(&log, true, "/reset");
    ck_assert_uint_eq(aper_log_get_http_status(log, at), 0);
    ck_assert_int_eq(strncmp(aper_log_get_net_error(log, at), "net::ERR_", 9),
                     0);
    aper_log_unref(log);
}
END_TEST

START_TEST(no_password_is_kept)
{
    char *url = site_url(server, "user:hunter2@127.0.0.1", "/second.html?a@b");
    char script[300];
    snprintf(script, sizeof(script),
             "const x = new XMLHttpRequest();x.open('GET', '%s');x.send();"
             "new Promise(r => x.onloadend = r).then(() => 1)", url);
    free(url);
    aper_free(live_eval(tab, script));
    aper_log *log = NULL;
    size_t at = find(&log, true, "/second.html?a@b");
    ck_assert_ptr_null(strstr(aper_log_get_text(log, at), "hunter2"));
    ck_assert_ptr_null(strstr(aper_log_get_text(log, at), "user"));
    aper_log_unref(log);
}
END_TEST

START_TEST(arguments_are_checked)
{
    aper_log *log = NULL;
    ck_assert_int_eq(aper_tab_get_console(NULL, 0, &log), APER_E_INVAL);
    ck_assert_int_eq(aper_tab_get_network(tab, 0, NULL), APER_E_INVAL);
    ck_assert_uint_eq(aper_log_get_count(NULL), 0);
    aper_log_unref(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log");
    TCase *all = tcase_create("log");
    tcase_set_timeout(all, 90);
    tcase_add_checked_fixture(all, start, fixture_stop);
    tcase_add_test(all, the_console_is_kept_with_level_and_place);
    tcase_add_test(all, reading_goes_on_where_it_ended);
    tcase_add_test(all, a_ring_says_what_it_dropped);
    tcase_add_test(all, long_texts_are_cut);
    tcase_add_test(all, requests_are_kept_with_their_status);
    tcase_add_test(all, a_failure_has_its_name);
    tcase_add_test(all, no_password_is_kept);
    tcase_add_test(all, arguments_are_checked);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
