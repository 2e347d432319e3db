/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"
#include "peer.h"
#include "suite.h"
#include "wire/core.h"

#include <stdio.h>
#include <string.h>

#define PATIENCE_MS 60000

typedef struct result {
    aper_status status;
    int http;
    aper__buf body;
} result;

static result get(const char *url, const char *ca_file, uint32_t timeout_ms)
{
    result got = {0};
    aper__op op;
    aper_error *error = NULL;
    aper__op_init(&op, timeout_ms);
    aper__wire_target target = {.url = url, .ca_file = ca_file};
    got.status = aper__http_get(&target, &op, &got.body, &got.http, &error);
    ck_assert_int_eq(aper_error_get_status(error), got.status);
    aper_error_unref(error);
    return got;
}

static result ask(const peer_options *options, const char *host)
{
    peer *server = peer_start(options);
    bool tls = options->certificate != PEER_PLAIN;
    char *url = peer_url(server, tls ? "https" : "http", host,
                         "/json/version?x=1");
    result got = get(url, tls ? peer_ca_file(server) : NULL,
                     options->kind == PEER_SILENT ? 100 : PATIENCE_MS);
    if (got.status == APER_OK) {
        char *request = peer_request(server), want[128];
        ck_assert_ptr_eq(strstr(request, "GET /json/version?x=1 HTTP/1.1"),
                         request);
        snprintf(want, sizeof want, "\r\nHost: %s:%u\r\n", host,
                 peer_port(server));
        ck_assert_ptr_nonnull(strcasestr(request, want));
        ck_assert_ptr_null(strcasestr(request, "\norigin:"));
        free(request);
    }
    peer_stop(server);
    free(url);
    return got;
}

static void expect(const peer_options *options, const char *host,
                   aper_status status, int http, const char *body)
{
    result got = ask(options, host);
    ck_assert_msg(got.status == status, "%s",
                  aper_status_get_name(got.status));
    if (status == APER_OK) {
        ck_assert_int_eq(got.http, http);
        ck_assert_str_eq(got.body.data, body);
        ck_assert_uint_eq(got.body.size, strlen(body));
    } else {
        ck_assert_ptr_null(got.body.data);
    }
    aper__buf_free(&got.body);
}

#define ANSWER(text) {.kind = PEER_ANSWERS, .raw = text}

START_TEST(a_body_with_a_length_is_read)
{
    peer_options options = ANSWER("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
                                  "\r\nhello");
    expect(&options, "127.0.0.1", APER_OK, 200, "hello");
    expect(&options, "localhost", APER_OK, 200, "hello");
    options.ipv6 = true;
    expect(&options, "[::1]", APER_OK, 200, "hello");
    expect(&options, "localhost", APER_OK, 200, "hello");
}
END_TEST

START_TEST(a_chunked_body_is_read)
{
    peer_options options = ANSWER("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                                  "chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789"
                                  "\r\n0\r\n\r\n");
    expect(&options, "127.0.0.1", APER_OK, 200, "abc0123456789");
}
END_TEST

START_TEST(other_codes_and_empty_bodies_are_answers_too)
{
    peer_options missing = ANSWER("HTTP/1.1 404 Not Found\r\n"
                                  "Content-Length: 4\r\n\r\nnope");
    expect(&missing, "127.0.0.1", APER_OK, 404, "nope");
    peer_options empty = ANSWER("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
                                "\r\n");
    expect(&empty, "127.0.0.1", APER_OK, 200, "");
}
END_TEST

START_TEST(a_redirect_is_only_reported)
{
    peer_options moved = ANSWER("HTTP/1.1 302 Found\r\nLocation: "
                                "http://127.0.0.1:1/\r\nContent-Length: 0"
                                "\r\n\r\n");
    expect(&moved, "127.0.0.1", APER_OK, 302, "");
}
END_TEST

START_TEST(a_body_of_4_mib_is_the_limit)
{
    const size_t limit = (size_t)4 << 20;
    for (size_t extra = 0; extra < 2; extra++) {
        char *raw = malloc(limit + 200);
        int head = sprintf(raw, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n"
                           "\r\n", limit + extra);
        memset(raw + head, 'x', limit + extra);
        peer_options options = {.kind = PEER_ANSWERS, .raw = raw,
                                .raw_size = (size_t)head + limit + extra};
        result got = ask(&options, "127.0.0.1");
        ck_assert_int_eq(got.status, extra ? APER_E_TOO_BIG : APER_OK);
        if (!extra)
            ck_assert_uint_eq(got.body.size, limit);
        aper__buf_free(&got.body);
        free(raw);
    }
}
END_TEST

START_TEST(a_body_that_ends_too_early_is_protocol)
{
    peer_options half = ANSWER("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n"
                               "\r\nhello");
    expect(&half, "127.0.0.1", APER_E_PROTOCOL, 0, NULL);
    peer_options garbage = ANSWER("hello there\r\n\r\n");
    expect(&garbage, "127.0.0.1", APER_E_PROTOCOL, 0, NULL);
    peer_options nothing = {.kind = PEER_HANGS_UP};
    expect(&nothing, "127.0.0.1", APER_E_PROTOCOL, 0, NULL);
}
END_TEST

START_TEST(silence_ends_at_the_deadline_of_the_op)
{
    peer_options silent = {.kind = PEER_SILENT};
    expect(&silent, "127.0.0.1", APER_E_TIMEOUT, 0, NULL);
}
END_TEST

START_TEST(an_interrupt_ends_the_wait)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_SILENT});
    char *url = peer_url(server, "http", "127.0.0.1", "/");
    aper__op op;
    aper__op_init(&op, PATIENCE_MS);
    aper__op_interrupt(&op, APER_E_CANCELLED);
    aper__wire_target target = {.url = url};
    aper__buf body = {0};
    ck_assert_int_eq(aper__http_get(&target, &op, &body, NULL, NULL),
                     APER_E_CANCELLED);
    peer_stop(server);
    free(url);
}
END_TEST

START_TEST(nobody_there_is_connect)
{
    result got = get("http://127.0.0.1:1/", NULL, PATIENCE_MS);
    ck_assert_int_eq(got.status, APER_E_CONNECT);
    got = get("ws://127.0.0.1:1/", NULL, PATIENCE_MS);
    ck_assert_int_eq(got.status, APER_E_INVAL);
}
END_TEST

START_TEST(https_checks_certificates)
{
    peer_options options = ANSWER("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                                  "\r\nhi");
    options.certificate = PEER_GOOD;
    expect(&options, "localhost", APER_OK, 200, "hi");
    options.certificate = PEER_OTHER_HOST;
    expect(&options, "localhost", APER_E_TLS, 0, NULL);
    options.certificate = PEER_EXPIRED;
    expect(&options, "localhost", APER_E_TLS, 0, NULL);
}
END_TEST

START_TEST(no_allocation_that_fails_does_harm)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
                                 "\r\nhello";
    peer *server = peer_start(&(peer_options){.kind = PEER_ANSWERS,
                                              .raw = answer});
    char *url = peer_url(server, "http", "127.0.0.1", "/");
    bool through = false;
    unsigned failures = 0;
    for (unsigned n = 1; !through; n++) {
        ck_assert_uint_lt(n, 100);
        aper__op op;
        aper__op_init(&op, PATIENCE_MS);
        aper__wire_target target = {.url = url, .bearer_token = "t"};
        aper__buf body = {0};
        aper__alloc_fail_at(n, false);
        aper_status status = aper__http_get(&target, &op, &body, NULL, NULL);
        aper__alloc_fail_at(0, false);
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        through = status == APER_OK;
        failures += !through;
        aper__buf_free(&body);
    }
    ck_assert_uint_gt(failures, 5);
    peer_stop(server);
    free(url);
}
END_TEST

SUITE("http", 120, a_body_with_a_length_is_read, a_chunked_body_is_read,
      other_codes_and_empty_bodies_are_answers_too,
      a_redirect_is_only_reported, a_body_of_4_mib_is_the_limit,
      a_body_that_ends_too_early_is_protocol,
      silence_ends_at_the_deadline_of_the_op, an_interrupt_ends_the_wait,
      nobody_there_is_connect, https_checks_certificates,
      no_allocation_that_fails_does_harm)
