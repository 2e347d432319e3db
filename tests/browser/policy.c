/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_policy(const aper_policy_options *policy)
{
    aper_error *error = NULL;
    aper_status status = aper_browser_set_policy(browser, policy, &error);
    LIVE_CHECK(APER_OK, status, error);
}

static aper_status go(const char *url)
{
    return aper_tab_navigate(tab, url, NULL, NULL, NULL);
}

static aper_status go_path(const char *host, const char *path)
{
    char *url = site_url(server, host, path);
    aper_status status = go(url);
    free(url);
    return status;
}

START_TEST(other_schemes_than_the_webs_are_refused)
{
    static const char *const urls[] = {
        "file:///etc/passwd", "data:text/html,x", "javascript:1",
        " java\nscript:1", "chrome://version", "view-source:http://x/",
        "blob:http://x/1", "about:srcdoc", "FILE:///etc/passwd",
    };
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
        ck_assert_msg(go(urls[i]) == APER_E_BLOCKED, "%s", urls[i]);
    aper_open_options options = { .size = sizeof(options), .url = urls[0] };
    aper_tab *none = NULL;
    ck_assert_int_eq(aper_tab_open(browser, &options, &none, NULL),
                     APER_E_BLOCKED);
    ck_assert_int_eq(go("about:blank"), APER_OK);
}
END_TEST

START_TEST(a_scheme_can_be_allowed)
{
    const char *extra[] = { "data", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .extra_schemes = extra };
    set_policy(&policy);
    ck_assert_int_eq(go("data:text/html,<title>x</title>"), APER_OK);
    ck_assert_int_eq(go("javascript:1"), APER_E_BLOCKED);
    ck_assert_int_eq(go("file:///etc/passwd"), APER_E_BLOCKED);
    set_policy(NULL);
    ck_assert_int_eq(go("data:text/html,x"), APER_E_BLOCKED);
}
END_TEST

static void check_refused(const aper_policy_options *policy, const char *text)
{
    aper_error *error = NULL;
    ck_assert_int_eq(aper_browser_set_policy(browser, policy, &error),
                     APER_E_INVAL);
    ck_assert_msg(strstr(aper_error_get_message(error), text) != NULL,
                  "no %s in: %s", text, aper_error_get_message(error));
    aper_error_unref(error);
}

START_TEST(an_entry_that_means_nothing_is_refused_and_named)
{
    static const struct {
        const char *entry, *text;
    } schemes[] = {
        { "file:", "\"file:\" is no scheme" },
        { "", "\"\" is no scheme" },
        { "java\nscript", "is no scheme" },
        { "7z", "\"7z\" is no scheme" },
        { "JavaScript", "\"JavaScript\" is never allowed" },
    };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        const char *list[] = { "data", schemes[i].entry, NULL };
        aper_policy_options policy = { .size = sizeof(policy),
                                       .extra_schemes = list };
        check_refused(&policy, schemes[i].text);
    }
    const char *hosts[] = { "example.org", "http://x/", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .allow_hosts = hosts };
    check_refused(&policy, "allow_hosts: \"http://x/\"");
    policy.deny_hosts = hosts;
    policy.allow_hosts = NULL;
    check_refused(&policy, "deny_hosts: \"http://x/\"");
    ck_assert_int_eq(go("javascript:1"), APER_E_BLOCKED);
    ck_assert_int_eq(go("data:text/html,x"), APER_E_BLOCKED);
}
END_TEST

START_TEST(a_page_that_leaves_for_a_forbidden_scheme_is_sent_away)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    live_eval_later(tab, "location.href = URL.createObjectURL("
                         "new Blob(['x'], { type: 'text/html' }));");
    aper_event *event = live_event(browser, APER_EVENT_BLOCKED);
    ck_assert_int_eq(strncmp(aper_event_get_url(event), "blob:", 5), 0);
    ck_assert_str_eq(aper_event_get_tab_id(event), aper_tab_get_id(tab));
    aper_event_unref(event);
    for (;;) {
        event = live_event(browser, APER_EVENT_TAB_NAVIGATED);
        bool there = strcmp(aper_event_get_url(event), "about:blank") == 0;
        aper_event_unref(event);
        if (there)
            break;
    }
}
END_TEST

START_TEST(a_popup_to_a_forbidden_scheme_is_closed)
{
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    aper_free(live_eval(tab, "window.open(URL.createObjectURL("
                             "new Blob(['x'], { type: 'text/html' }))), 1"));
    aper_event *event = live_event(browser, APER_EVENT_BLOCKED);
    char *popup = strdup(aper_event_get_tab_id(event));
    aper_event_unref(event);
    event = live_event(browser, APER_EVENT_TAB_CLOSED);
    ck_assert_str_eq(aper_event_get_tab_id(event), popup);
    aper_event_unref(event);
    free(popup);
}
END_TEST

START_TEST(only_listed_hosts_are_reached)
{
    const char *allow[] = { "LocalHost.", "*.example.org", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .allow_hosts = allow };
    set_policy(&policy);
    unsigned hits = site_hits(server, "/second.html");
    ck_assert_int_eq(go_path("localhost", "/first.html"), APER_OK);
    ck_assert_int_eq(go_path("127.0.0.1", "/second.html"), APER_E_BLOCKED);
    ck_assert_int_eq(go("http://example.org/"), APER_E_BLOCKED);
    ck_assert_uint_eq(site_hits(server, "/second.html"), hits);
    set_policy(NULL);
    ck_assert_int_eq(go_path("127.0.0.1", "/second.html"), APER_OK);
}
END_TEST

START_TEST(a_redirect_to_a_denied_host_is_refused_before_it_is_asked)
{
    const char *deny[] = { "localhost", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .deny_hosts = deny };
    set_policy(&policy);
    char *there = site_url(server, "localhost", "/second.html");
    char path[256];
    snprintf(path, sizeof(path), "/redirect?n=1&to=%s", there);
    free(there);
    unsigned hits = site_hits(server, "/second.html");
    aper_error *error = NULL;
    char *url = site_url(server, NULL, path);
    aper_status status = aper_tab_navigate(tab, url, NULL, NULL, &error);
    free(url);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "localhost"));
    LIVE_CHECK(APER_E_BLOCKED, status, error);
    aper_event_unref(live_event(browser, APER_EVENT_BLOCKED));
    ck_assert_uint_eq(site_hits(server, "/second.html"), hits);
    set_policy(NULL);
}
END_TEST

START_TEST(requests_of_pages_frames_and_workers_are_refused_too)
{
    static const char *const scripts[] = {
        "fetch('%s').then(() => 'read', () => 'refused')",
        "new Promise(done => { const frame = document.createElement("
        "'iframe'); frame.src = '%s'; frame.onload = () => done('refused');"
        "document.body.append(frame); })",
        "new Promise(done => { const code = \"fetch('%s', {mode: 'no-cors'})"
        ".then(() => postMessage('read'), () => postMessage('refused'))\";"
        "const worker = new Worker(URL.createObjectURL(new Blob([code])));"
        "worker.onmessage = event => done(event.data); })",
    };
    aper_navigation_unref(live_go(tab, server, "/first.html"));
    const char *deny[] = { "localhost", NULL };
    aper_policy_options policy = { .size = sizeof(policy),
                                   .deny_hosts = deny };
    set_policy(&policy);
    unsigned hits = site_hits(server, "/second.html");
    char *there = site_url(server, "localhost", "/second.html");
    for (size_t i = 0; i < 3; i++) {
        char script[1024];
        /* one %s each */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(script, sizeof(script), scripts[i], there);
#pragma GCC diagnostic pop
        char *json = live_eval(tab, script);
        ck_assert_msg(strcmp(json, "\"refused\"") == 0, "%zu: %s", i, json);
        aper_free(json);
    }
    free(there);
    ck_assert_uint_eq(site_hits(server, "/second.html"), hits);
    set_policy(NULL);
}
END_TEST

START_TEST(private_addresses_are_refused_in_every_spelling)
{
    static const char *const hosts[] = {
        "127.0.0.1", "2130706433",  "0x7f.1",       "017700000001",
        "[::1]",     "[::ffff:10.0.0.1]", "10.1.2.3", "192.168.0.1",
        "169.254.169.254", "localhost", "a.localhost", "172.31.255.255",
        "[fd00::1]", "[fe80::1]",
    };
    aper_policy_options policy = { .size = sizeof(policy), .deny_private = 1 };
    set_policy(&policy);
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        char url[128];
        snprintf(url, sizeof(url), "http://%s:1/", hosts[i]);
        ck_assert_msg(go(url) == APER_E_BLOCKED, "%s", url);
    }
    set_policy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy");
    TCase *tests = tcase_create("policy");
    tcase_add_unchecked_fixture(tests, fixture_start_blank, fixture_stop);
    tcase_add_test(tests, other_schemes_than_the_webs_are_refused);
    tcase_add_test(tests, a_scheme_can_be_allowed);
    tcase_add_test(tests, an_entry_that_means_nothing_is_refused_and_named);
    tcase_add_test(tests,
                   a_page_that_leaves_for_a_forbidden_scheme_is_sent_away);
    tcase_add_test(tests, a_popup_to_a_forbidden_scheme_is_closed);
    tcase_add_test(tests, only_listed_hosts_are_reached);
    tcase_add_test(tests,
                   a_redirect_to_a_denied_host_is_refused_before_it_is_asked);
    tcase_add_test(tests,
                   requests_of_pages_frames_and_workers_are_refused_too);
    tcase_add_test(tests, private_addresses_are_refused_in_every_spelling);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
