/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PHONE                                                                 \
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, "    \
    "like Gecko) Chrome/140.0.7339.80 Mobile Safari/537.36"
#define FIREFOX                                                               \
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

#define WHAT_A_PAGE_SEES                                                      \
    "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints,"   \
    " navigator.language, navigator.userAgent, navigator.platform,"           \
    " JSON.stringify(navigator.userAgentData), navigator.onLine,"             \
    " Intl.DateTimeFormat().resolvedOptions().timeZone,"                      \
    " Intl.DateTimeFormat().resolvedOptions().locale].join('|')"

#define WHERE                                                                 \
    "new Promise(done => navigator.geolocation.getCurrentPosition("           \
    "p => done([p.coords.latitude, p.coords.longitude, p.coords.accuracy]"    \
    ".join()), e => done('error ' + e.code)))"

static void emulate(const aper_emulation_options *options)
{
    aper_error *error = NULL;
    aper_status status = aper_tab_emulate(tab, options, &error);
    LIVE_CHECK(APER_OK, status, error);
}

static void expect(const char *source, const char *wanted)
{
    char *json = live_eval(tab, source);
    ck_assert_str_eq(json, wanted);
    aper_free(json);
}

/* The head of a request that the tab makes now, as the server saw it. */
static char *request_head(void)
{
    return live_eval(tab, "fetch('/headers').then(a => a.text())");
}

static void expect_header(const char *head, const char *wanted)
{
    if (strstr(head, wanted) == NULL)
        ck_abort_msg("no %s in %s", wanted, head);
}

START_TEST(a_viewport_with_its_scale)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .width = 800, .height = 600,
                                       .scale_permille = 2500 };
    emulate(&options);
    expect("[innerWidth, innerHeight, devicePixelRatio].join()",
                "\"800,600,2.5\"");
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("[innerWidth, innerHeight, devicePixelRatio].join()",
                "\"800,600,2.5\"");
}
END_TEST

START_TEST(a_phone_has_touch_and_a_small_screen)
{
    aper_emulation_options options = { .size = sizeof(options), .width = 390,
                                       .height = 844, .mobile = 1,
                                       .scale_permille = 3000 };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("[screen.width, screen.height, devicePixelRatio,"
                " navigator.maxTouchPoints, screen.orientation.type].join()",
                "\"390,844,3,5,portrait-primary\"");
}
END_TEST

START_TEST(language_time_and_numbers_follow)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .locale = "de-DE",
                                       .timezone = "Asia/Tokyo" };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("[navigator.language, navigator.languages, (1.5).toLocaleString(),"
           " new Date(0).getTimezoneOffset()].join()",
           "\"de-DE,de-DE,de,1,5,-540\"");
    char *head = request_head();
    expect_header(head, "Accept-Language: de-DE,de;q=0.9");
    aper_free(head);
}
END_TEST

START_TEST(client_hints_agree_with_the_user_agent)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .user_agent = PHONE };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("navigator.userAgent", "\"" PHONE "\"");
    expect("navigator.platform", "\"Linux armv81\"");
    char *head = request_head();
    expect_header(head, "User-Agent: " PHONE);
    expect_header(head, "sec-ch-ua-mobile: ?1");
    expect_header(head, "sec-ch-ua-platform: \\\"Android\\\"");
    expect_header(head, "\\\"Google Chrome\\\";v=\\\"140\\\"");
    expect_header(head, "\\\"Chromium\\\";v=\\\"140\\\"");
    aper_free(head);
    expect("const d = navigator.userAgentData;"
           "[d.platform, d.mobile, d.brands.find(b => b.brand =="
           " 'Google Chrome').version].join()", "\"Android,true,140\"");
    expect("navigator.userAgentData.getHighEntropyValues(['model',"
           "'platformVersion', 'fullVersionList', 'formFactors']).then(v =>"
           " [v.model, v.platformVersion, v.fullVersionList.find(b => b.brand"
           " == 'Chromium').version, v.formFactors].join())",
           "\"Pixel 8,14,140.0.7339.80,Mobile\"");
}
END_TEST

START_TEST(a_browser_without_client_hints_sends_none)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .user_agent = FIREFOX };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    char *head = request_head();
    expect_header(head, "User-Agent: " FIREFOX);
    ck_assert_ptr_null(strstr(head, "sec-ch-ua"));
    aper_free(head);
}
END_TEST

START_TEST(a_place_is_told_to_pages_of_the_tab_only)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .has_geolocation = 1,
                                       .latitude = 52.5, .longitude = -13.25,
                                       .accuracy_m = 7 };
    emulate(&options);
    expect(WHERE, "\"52.5,-13.25,7\"");
    char *url = site_url(server, "localhost", "/second.html");
    aper_error *error = NULL;
    aper_status status = aper_tab_navigate(tab, url, NULL, NULL, &error);
    LIVE_CHECK(APER_OK, status, error);
    free(url);
    expect(WHERE, "\"52.5,-13.25,7\"");
    emulate(NULL);
    expect("navigator.permissions.query({name: 'geolocation'})"
           ".then(p => p.state)", "\"prompt\"");
}
END_TEST

START_TEST(offline_is_cut_off_and_comes_back)
{
    aper_emulation_options options = { .size = sizeof(options), .offline = 1 };
    emulate(&options);
    expect("navigator.onLine", "false");
    expect("fetch('/second.html').then(() => 1, () => 0)", "0");
    char *url = site_url(server, NULL, "/second.html");
    ck_assert_int_eq(aper_tab_navigate(tab, url, NULL, NULL, NULL),
                     APER_E_NAVIGATION);
    free(url);
    emulate(NULL);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("navigator.onLine", "true");
}
END_TEST

START_TEST(null_gives_everything_back)
{
    char *before = live_eval(tab, WHAT_A_PAGE_SEES);
    aper_emulation_options options = {
        .size = sizeof(options), .width = 500, .height = 500, .mobile = 1,
        .scale_permille = 2000, .locale = "fr-FR", .timezone = "Asia/Tokyo",
        .user_agent = PHONE, .has_geolocation = 1, .latitude = 1
    };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    char *during = live_eval(tab, WHAT_A_PAGE_SEES);
    ck_assert_str_ne(before, during);
    emulate(NULL);
    aper_navigation_unref(live_go(tab, server, "/blank.html"));
    expect(WHAT_A_PAGE_SEES, before);
    aper_free(before);
    aper_free(during);
}
END_TEST

/* Keeps the processors busy, as a machine under load does. */
static void *burn(void *stop)
{
    while (!atomic_load((atomic_bool *)stop))
        ;
    return NULL;
}

static void set_and_end(const char *before)
{
    aper_emulation_options options = {
        .size = sizeof(options), .width = 400, .height = 700,
        .scale_permille = 2000, .locale = "de-DE", .timezone = "Asia/Tokyo",
        .user_agent = PHONE, .offline = 1
    };
    emulate(&options);
    expect("[innerWidth, innerHeight, devicePixelRatio, navigator.language,"
           " navigator.userAgent, navigator.onLine,"
           " new Date(0).getTimezoneOffset()].join()",
           "\"400,700,2,de-DE," PHONE ",false,-540\"");
    expect("fetch('/second.html').then(() => 1, () => 0)", "0");
    emulate(NULL);
    expect(WHAT_A_PAGE_SEES, before);
    expect("fetch('/second.html').then(() => 1, () => 0)", "1");
}

START_TEST(the_page_sees_it_when_the_call_returns)
{
    char *before = live_eval(tab, WHAT_A_PAGE_SEES);
    atomic_bool stop;
    atomic_init(&stop, false);
    pthread_t burners[2];
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&burners[i], NULL, burn, &stop), 0);
    for (int i = 0; i < 20; i++)
        set_and_end(before);
    atomic_store(&stop, true);
    for (size_t i = 0; i < 2; i++)
        pthread_join(burners[i], NULL);
    aper_free(before);
}
END_TEST

START_TEST(a_frame_sees_it_when_the_call_returns)
{
    aper_navigation_unref(live_go(tab, server, "/frames-other.html"));
    char *url = site_url(server, "localhost", "/tells.html");
    char script[200];
    snprintf(script, sizeof(script), "add('%s')", url);
    free(url);
    char *before = live_eval(tab, script);
    aper_emulation_options options = { .size = sizeof(options),
                                       .user_agent = PHONE,
                                       .locale = "de-DE",
                                       .timezone = "Asia/Tokyo" };
    for (int i = 0; i < 20; i++) {
        emulate(&options);
        expect("ask()", "\"" PHONE "|de-DE|-540|1,5\"");
        emulate(NULL);
        expect("ask()", before);
    }
    aper_free(before);
}
END_TEST

START_TEST(another_set_replaces_the_first)
{
    aper_emulation_options first = { .size = sizeof(first), .width = 500,
                                     .height = 400, .timezone = "Asia/Tokyo" };
    emulate(&first);
    aper_emulation_options second = { .size = sizeof(second),
                                      .timezone = "America/New_York" };
    emulate(&second);
    expect("[innerWidth == 500, new Date(0).getTimezoneOffset()].join()",
                "\"false,300\"");
}
END_TEST

START_TEST(frames_of_other_processes_pretend_too)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .user_agent = PHONE,
                                       .locale = "de-DE",
                                       .timezone = "Asia/Tokyo" };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/frames-other.html"));
    char *url = site_url(server, "localhost", "/tells.html");
    char script[200];
    snprintf(script, sizeof(script), "add('%s')", url);
    free(url);
    expect(script, "\"" PHONE "|de-DE|-540|1,5\"");
}
END_TEST

START_TEST(workers_pretend_too)
{
    aper_emulation_options options = { .size = sizeof(options),
                                       .user_agent = PHONE,
                                       .locale = "de-DE",
                                       .timezone = "Asia/Tokyo" };
    emulate(&options);
    aper_navigation_unref(live_go(tab, server, "/second.html"));
    expect("new Promise(done => {"
           "const source = new Blob([`postMessage([navigator.userAgent,"
           " navigator.language, (1.5).toLocaleString(),"
           " new Date(0).getTimezoneOffset()].join('|'))`]);"
           "new Worker(URL.createObjectURL(source)).onmessage ="
           " event => done(event.data) })", "\"" PHONE "|de-DE|1,5|-540\"");
}
END_TEST

START_TEST(a_refusal_changes_nothing)
{
    aper_emulation_options good = { .size = sizeof(good),
                                    .timezone = "Asia/Tokyo" };
    emulate(&good);
    aper_emulation_options bad = { .size = sizeof(bad), .width = 300,
                                   .height = 300, .timezone = "Mars/Base" };
    aper_error *error = NULL;
    ck_assert_int_eq(aper_tab_emulate(tab, &bad, &error), APER_E_REMOTE);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error),
                                 "Invalid timezone"));
    aper_error_unref(error);
    expect("[innerWidth == 300, new Date(0).getTimezoneOffset()].join()",
                "\"false,-540\"");
}
END_TEST

START_TEST(contradictions_are_refused)
{
    aper_emulation_options options[] = {
        { .size = sizeof(options[0]), .width = 100 },
        { .size = sizeof(options[0]), .has_geolocation = 1, .latitude = 91 },
        { .size = sizeof(options[0]), .user_agent = "a\r\nX: y" },
        { .size = sizeof(options[0]), .locale = "" },
        { .size = sizeof(options[0]), .scale_permille = 4000000000u },
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        ck_assert_int_eq(aper_tab_emulate(tab, &options[i], NULL),
                         APER_E_INVAL);
    ck_assert_int_eq(aper_tab_emulate(NULL, NULL, NULL), APER_E_INVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("emulation");
    TCase *all = tcase_create("emulation");
    tcase_set_timeout(all, 90);
    tcase_add_checked_fixture(all, fixture_start_blank, fixture_stop);
    tcase_add_test(all, a_viewport_with_its_scale);
    tcase_add_test(all, a_phone_has_touch_and_a_small_screen);
    tcase_add_test(all, language_time_and_numbers_follow);
    tcase_add_test(all, client_hints_agree_with_the_user_agent);
    tcase_add_test(all, a_browser_without_client_hints_sends_none);
    tcase_add_test(all, a_place_is_told_to_pages_of_the_tab_only);
    tcase_add_test(all, offline_is_cut_off_and_comes_back);
    tcase_add_test(all, null_gives_everything_back);
    tcase_add_test(all, the_page_sees_it_when_the_call_returns);
    tcase_add_test(all, a_frame_sees_it_when_the_call_returns);
    tcase_add_test(all, another_set_replaces_the_first);
    tcase_add_test(all, frames_of_other_processes_pretend_too);
    tcase_add_test(all, workers_pretend_too);
    tcase_add_test(all, a_refusal_changes_nothing);
    tcase_add_test(all, contradictions_are_refused);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
