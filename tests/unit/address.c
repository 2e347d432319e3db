/* SPDX-License-Identifier: Apache-2.0 */
#include "browser/internal.h"

#include <check.h>
#include <stdlib.h>

static void check_scheme(const char *url, const char *want)
{
    char scheme[32];
    bool found = aper__address_scheme(url, scheme, sizeof(scheme));
    if (want == NULL)
        ck_assert_msg(!found, "%s", url);
    else
        ck_assert_msg(found && strcmp(scheme, want) == 0, "%s", url);
}

static void check_host(const char *url, const char *want)
{
    char host[APER__HOST_MAX];
    aper__address_host(url, host);
    ck_assert_str_eq(host, want);
}

START_TEST(schemes_are_read_as_url_parsers_do)
{
    check_scheme("https://x/", "https");
    check_scheme("  HTTP:x", "http");
    check_scheme("\x01java\tscr\nipt:x", "javascript");
    check_scheme("view-source:x", "view-source");
    check_scheme("example.org", NULL);
    check_scheme("1http:x", NULL);
    check_scheme("//x:80", NULL);
    check_scheme("", NULL);
    check_scheme(":x", NULL);
    check_scheme("averyveryveryverylongschemethatisnone:x", NULL);
}
END_TEST

START_TEST(hosts_are_found_whatever_surrounds_them)
{
    check_host("https://Example.ORG/path", "example.org");
    check_host("http://user:pw@example.org:80?x", "example.org");
    check_host("http://good.org@evil.org/", "evil.org");
    check_host("http://evil.org\\@good.org/", "evil.org");
    check_host("http:\\\\example.org#@x", "example.org");
    check_host("http:/example.org", "example.org");
    check_host("http:example.org", "example.org");
    check_host("http://example.org./", "example.org");
    check_host("http://ex%61mple.org/", "example.org");
    check_host("http://[::1]:8080/", "::1");
    check_host("http://loc\tal\nhost/", "localhost");
    check_host("about:blank", "blank");
    check_host("nothing", "");
}
END_TEST

START_TEST(private_addresses_are_known_in_every_spelling)
{
    static const char *const private[] = {
        "0x", "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.1", "0",
        "10.255.0.1", "172.16.0.1", "172.31.255.255", "192.168.9.9",
        "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fd12::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:a00:1", "64:ff9b::7f00:1",
        "2002:7f00:1::", "[::1]", "localhost", "LOCALHOST.", "x.localhost",
        "printer.local",
    };
    static const char *const public[] = {
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1",
        "100.128.0.1", "2606:4700::1", "64:ff9b::808:808", "example.org",
        "localhost.example.org", "notlocalhost", "127.0.0.1.example.org",
        "1.2.3.4.5", "256.256.256.256", "4294967296", "",
    };
    for (size_t i = 0; i < sizeof(private) / sizeof(private[0]); i++)
        ck_assert_msg(aper__address_is_private(private[i]), "%s", private[i]);
    for (size_t i = 0; i < sizeof(public) / sizeof(public[0]); i++)
        ck_assert_msg(!aper__address_is_private(public[i]), "%s", public[i]);
}
END_TEST

START_TEST(patterns_name_a_host_or_all_below_it)
{
    ck_assert(aper__address_matches("example.org", "Example.org."));
    ck_assert(!aper__address_matches("a.example.org", "example.org"));
    ck_assert(aper__address_matches("a.example.org", "*.example.org"));
    ck_assert(aper__address_matches("b.a.example.org", "*.EXAMPLE.org"));
    ck_assert(!aper__address_matches("example.org", "*.example.org"));
    ck_assert(!aper__address_matches("badexample.org", "*.example.org"));
    ck_assert(!aper__address_matches("", "*.example.org"));
    ck_assert(aper__address_matches("::1", "[0:0::0:1]"));
    ck_assert(aper__address_matches("127.0.0.1", "0x7f.1"));
}
END_TEST

START_TEST(what_can_match_nothing_is_no_pattern)
{
    static const char *const good[] = {"a.org", "*.a.org", "A_b-1.org.",
                                       "[::1]", "127.0.0.1", "xn--bcher-kva.de"};
    static const char *const bad[] = {"", "*", "*.", ".a.org", "a.org:80",
                                      "http://a.org", "a.org/x", "u@a.org",
                                      ("b\xc3\xbc" "cher.de"), "a b",
                                      "*.*.org"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert_msg(aper__address_is_pattern(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!aper__address_is_pattern(bad[i]), "%s", bad[i]);
}
END_TEST

static void shows(const char *url, const char *want)
{
    char *shown = aper__address_without_user(url);
    ck_assert_str_eq(shown, want);
    aper__dealloc(shown);
}

START_TEST(user_and_password_are_not_shown)
{
    shows("https://u:p@a.org/x@y", "https://a.org/x@y");
    shows("https://u:p@q@a.org", "https://a.org");
    shows("https://a.org?u@b", "https://a.org?u@b");
    shows("mailto:u@a.org", "mailto:u@a.org");
    shows("", "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("address");
    TCase *tests = tcase_create("address");
    tcase_add_test(tests, schemes_are_read_as_url_parsers_do);
    tcase_add_test(tests, hosts_are_found_whatever_surrounds_them);
    tcase_add_test(tests, private_addresses_are_known_in_every_spelling);
    tcase_add_test(tests, patterns_name_a_host_or_all_below_it);
    tcase_add_test(tests, what_can_match_nothing_is_no_pattern);
    tcase_add_test(tests, user_and_password_are_not_shown);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
