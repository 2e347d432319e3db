/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"
#include "wire/core.h"

#include <string.h>

START_TEST(addresses_are_taken_apart)
{
    static const struct {
        const char *text, *scheme, *host, *authority, *path;
        unsigned port;
        bool tls;
    } cases[] = {
        {"ws://a", "ws", "a", "a", "/", 80, false},
        {"WS://a:80/", "ws", "a", "a", "/", 80, false},
        {"wss://grid.example:443/x?y=z#frag", "ws", "grid.example",
         "grid.example", "/x?y=z", 443, true},
        {"wss://a:80", "ws", "a", "a:80", "/", 80, true},
        {"ws://127.0.0.1:9222/devtools/browser/0-1", "ws", "127.0.0.1",
         "127.0.0.1:9222", "/devtools/browser/0-1", 9222, false},
        {"ws://[::1]:65535?q", "ws", "::1", "[::1]:65535", "/?q", 65535,
         false},
        {"https://a_b-c.d", "http", "a_b-c.d", "a_b-c.d", "/", 443, true},
        {"http://a#x", "http", "a", "a", "/", 80, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aper__url url;
        ck_assert_msg(aper__url_parse(&url, cases[i].text, cases[i].scheme,
                                      NULL) == APER_OK, "%s", cases[i].text);
        ck_assert_str_eq(url.host, cases[i].host);
        ck_assert_str_eq(url.authority, cases[i].authority);
        ck_assert_str_eq(url.path, cases[i].path);
        ck_assert_uint_eq(url.port, cases[i].port);
        ck_assert(url.tls == cases[i].tls);
        aper__url_free(&url);
    }
}
END_TEST

START_TEST(what_is_no_address_is_refused)
{
    static const char *const bad[] = {
        "", "ws:", "ws://", "ws:///x", "http://a", "wsss://a", "s://a",
        "ws://user@a", "ws://user:secret@a:1/", "ws://a:0", "ws://a:65536",
        "ws://a:", "ws://a:1x", "ws://a:-1", "ws://[::1", "ws://[::1]x",
        "ws://[1.2.3.4]", "ws://[::1%25lo]", "ws://a b", "ws://a/b c",
        "ws://a/\r\nX: y", "ws://a/\x7F", "ws://a/\xC3\xA9", "ws://\xC3\xA9",
        "ws://a\\b", "ws://%41", "ws://a:99999999999999999999",
        "ws://a/x#y z",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        aper__url url = {0};
        aper_error *error = NULL;
        ck_assert_msg(aper__url_parse(&url, bad[i], "ws", &error)
                          == APER_E_INVAL, "%s", bad[i]);
        ck_assert_ptr_null(strstr(aper_error_get_message(error), "secret"));
        ck_assert_ptr_null(url.host);
        aper_error_unref(error);
    }
}
END_TEST

START_TEST(localhost_needs_no_resolver)
{
    static const char *const names[] = {"localhost", "LOCALHOST",
                                        "a.localhost"};
    for (size_t i = 0; i < 3; i++) {
        aper__addresses list;
        ck_assert_int_eq(aper__resolve(&list, names[i], NULL), APER_OK);
        ck_assert_uint_eq(list.count, 2);
        ck_assert_str_eq(list.text[0], "127.0.0.1");
        ck_assert_str_eq(list.text[1], "::1");
        ck_assert(list.local);
    }
}
END_TEST

START_TEST(numbers_are_their_own_addresses)
{
    static const struct { const char *host; bool local; } cases[] = {
        {"127.0.0.1", true}, {"127.9.9.9", true}, {"::1", true},
        {"192.0.2.1", false}, {"2001:db8::1", false}};
    for (size_t i = 0; i < 5; i++) {
        aper__addresses list;
        ck_assert_int_eq(aper__resolve(&list, cases[i].host, NULL), APER_OK);
        ck_assert_uint_eq(list.count, 1);
        ck_assert_str_eq(list.text[0], cases[i].host);
        ck_assert(list.local == cases[i].local);
    }
}
END_TEST

START_TEST(a_lack_of_memory_is_said)
{
    for (unsigned n = 1; n < 4; n++) {
        aper__url url = {0};
        aper__alloc_fail_at(n, true);
        ck_assert_int_eq(aper__url_parse(&url, "ws://a:1/b", "ws", NULL),
                         APER_E_NOMEM);
        aper__alloc_fail_at(0, false);
    }
}
END_TEST

SUITE("url", 60, addresses_are_taken_apart, what_is_no_address_is_refused,
      localhost_needs_no_resolver, numbers_are_their_own_addresses,
      a_lack_of_memory_is_said)
