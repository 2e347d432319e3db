/* SPDX-License-Identifier: Apache-2.0 */
#include "cdp/launch.h"
#include "suite.h"

#include <string.h>

static char **args;

static void make(const aper_launch_options *options)
{
    ck_assert_int_eq(aper__launch_check(options, NULL), APER_OK);
    ck_assert_int_eq(aper__launch_args(options, "/bin/chrome", "/tmp/profile",
                                       &args, NULL), APER_OK);
    ck_assert_str_eq(args[0], "/bin/chrome");
}

/* How many arguments begin with the text. */
static unsigned count(const char *text)
{
    unsigned found = 0;
    for (char **at = args; *at; at++)
        found += strncmp(*at, text, strlen(text)) == 0;
    return found;
}

START_TEST(the_defaults_are_headless_sandboxed_and_quiet)
{
    aper_launch_options options = {.size = sizeof options};
    make(&options);
    ck_assert_uint_eq(count("--headless=new"), 1);
    ck_assert_uint_eq(count("--user-data-dir=/tmp/profile"), 1);
    ck_assert_uint_eq(count("--remote-debugging-port=0"), 1);
    ck_assert_uint_eq(count("--remote-debugging-pipe"), 0);
    ck_assert_uint_eq(count("--window-size=1280,800"), 1);
    ck_assert_uint_eq(count("--no-sandbox"), 0);
    ck_assert_uint_eq(count("--enable-automation"), 0);
    ck_assert_uint_eq(count("--proxy-server"), 0);
    ck_assert_uint_eq(count("--no-pings"), 1);
    ck_assert_uint_eq(count("--disable-background-networking"), 1);
    ck_assert_uint_eq(count("--force-webrtc-ip-handling-policy="), 1);
    aper__launch_args_free(args);
}
END_TEST

START_TEST(every_option_has_its_switch)
{
    aper_launch_options options = {.size = sizeof options, .headed = 1,
                                   .no_sandbox = 1, .use_pipe = 1,
                                   .width = 800, .height = 600,
                                   .proxy = "socks5://127.0.0.1:1080"};
    make(&options);
    ck_assert_uint_eq(count("--headless"), 0);
    ck_assert_uint_eq(count("--no-sandbox"), 1);
    ck_assert_uint_eq(count("--remote-debugging-pipe"), 1);
    ck_assert_uint_eq(count("--remote-debugging-port"), 0);
    ck_assert_uint_eq(count("--window-size=800,600"), 1);
    ck_assert_uint_eq(count("--proxy-server=socks5://127.0.0.1:1080"), 1);
    aper__launch_args_free(args);
}
END_TEST

START_TEST(features_that_the_caller_disables_join_ours)
{
    static const char *const extra[] = {"--lang=de", "--disable-features=A,B",
                                        "--disable-features=C", NULL};
    aper_launch_options options = {.size = sizeof options,
                                   .extra_args = extra};
    make(&options);
    ck_assert_uint_eq(count("--lang=de"), 1);
    ck_assert_uint_eq(count("--disable-features="), 1);
    for (char **at = args; *at; at++)
        if (strncmp(*at, "--disable-features=", 19) == 0) {
            ck_assert_ptr_nonnull(strstr(*at, "MediaRouter"));
            ck_assert_ptr_nonnull(strstr(*at, ",A,B,C"));
        }
    aper__launch_args_free(args);
}
END_TEST

START_TEST(switches_that_cut_the_library_off_are_refused)
{
    static const char *const refused[] = {
        "--remote-debugging-port=9222", "--remote-debugging-pipe",
        "--remote-debugging-address=0.0.0.0", "--user-data-dir=/home/me",
        "--", "-x", "http://example.org", ""};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *const extra[] = {refused[i], NULL};
        aper_launch_options options = {.size = sizeof options,
                                       .extra_args = extra};
        ck_assert_msg(aper__launch_check(&options, NULL) == APER_E_INVAL,
                      "%s was taken", refused[i]);
    }
}
END_TEST

START_TEST(credentials_are_kept_off_the_command_line)
{
    aper_launch_options options = {.size = sizeof options,
                                   .proxy = "http://me:secret@proxy:3128"};
    aper_error *error = NULL;
    ck_assert_int_eq(aper__launch_check(&options, &error), APER_E_INVAL);
    ck_assert_ptr_null(strstr(aper_error_get_message(error), "secret"));
    aper_error_unref(error);
}
END_TEST

START_TEST(what_can_be_no_proxy_is_refused)
{
    static const char *const good[] = {
        "direct://", "proxy:3128", "http://proxy:80", "https://proxy:443",
        "socks4://10.0.0.1:1080", "socks5://[::1]:1080"};
    static const char *const bad[] = {
        "", "proxy", "garbage!!", "socks5://h", "ftp://proxy:21", "://x:1",
        "http://:80", "http://[::1:80", "proxy:port", "proxy:123456",
        "proxy:80/", "proxy:80 --flag"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        aper_launch_options options = {.size = sizeof options,
                                       .proxy = good[i]};
        ck_assert_msg(aper__launch_check(&options, NULL) == APER_OK,
                      "%s was refused", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        aper_launch_options options = {.size = sizeof options,
                                       .proxy = bad[i]};
        aper_error *error = NULL;
        ck_assert_msg(aper__launch_check(&options, &error) == APER_E_INVAL,
                      "%s was taken", bad[i]);
        ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "proxy"));
        aper_error_unref(error);
    }
}
END_TEST

START_TEST(a_window_has_two_sides_of_some_size)
{
    static const uint32_t bad[][2] = {
        {800, 0}, {0, 600}, {99, 600}, {800, 99}, {16385, 600}, {800, 16385}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        aper_launch_options options = {.size = sizeof options,
                                       .width = bad[i][0],
                                       .height = bad[i][1]};
        aper_error *error = NULL;
        ck_assert_msg(aper__launch_check(&options, &error) == APER_E_INVAL,
                      "%u x %u was taken", bad[i][0], bad[i][1]);
        ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "16384"));
        aper_error_unref(error);
    }
    aper_launch_options options = {.size = sizeof options, .width = 100,
                                   .height = 16384};
    ck_assert_int_eq(aper__launch_check(&options, NULL), APER_OK);
}
END_TEST

START_TEST(the_sandbox_can_be_turned_off_by_switch_as_well)
{
    static const char *const extra[] = {"--no-sandbox", NULL};
    static const char *const other[] = {"--no-sandbox-and-more", NULL};
    aper_launch_options options = {.size = sizeof options};
    ck_assert(!aper__launch_unsandboxed(&options));
    options.extra_args = other;
    ck_assert(!aper__launch_unsandboxed(&options));
    options.extra_args = extra;
    ck_assert(aper__launch_unsandboxed(&options));
}
END_TEST

SUITE("launch_args", 30, the_defaults_are_headless_sandboxed_and_quiet,
      every_option_has_its_switch, features_that_the_caller_disables_join_ours,
      switches_that_cut_the_library_off_are_refused,
      credentials_are_kept_off_the_command_line,
      what_can_be_no_proxy_is_refused, a_window_has_two_sides_of_some_size,
      the_sandbox_can_be_turned_off_by_switch_as_well)
