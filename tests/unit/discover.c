/* SPDX-License-Identifier: Apache-2.0 */
/* What people call a browser, and what it costs to find it: one request or
 * none. */
#include "cdp/cdp.h"
#include "leaks.h"
#include "suite.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a server that gives one fixed answer ---------------------------------- */

typedef struct server {
    pthread_t thread;
    int fd;
    unsigned port;
    const char *answer;
    unsigned requests;
    char head[2048]; /* of the last request */
} server;

static void serve(server *s, int fd)
{
    size_t size = 0;
    while (size < sizeof s->head - 1 && !strstr(s->head, "\r\n\r\n")) {
        ssize_t got = read(fd, s->head + size, sizeof s->head - 1 - size);
        if (got <= 0)
            break;
        s->head[size += (size_t)got] = '\0';
    }
    s->requests++;
    ssize_t sent APER_UNUSED = send(fd, s->answer, strlen(s->answer),
                                    MSG_NOSIGNAL);
    close(fd);
}

static void *server_main(void *arg)
{
    server *s = arg;
    int fd;
    while ((fd = accept(s->fd, NULL, NULL)) >= 0)
        serve(s, fd);
    return NULL;
}

static void server_start(server *s, const char *answer)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    memset(s, 0, sizeof *s);
    s->answer = answer;
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(
        bind(s->fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(s->fd, 8), 0);
    getsockname(s->fd, (struct sockaddr *)&address, &size);
    s->port = ntohs(address.sin_port);
    pthread_create(&s->thread, NULL, server_main, s);
}

static void server_stop(server *s)
{
    shutdown(s->fd, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->fd);
}

static const char version[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    "Connection: close\r\nContent-Length: 72\r\n\r\n"
    "{\"webSocketDebuggerUrl\":\"ws://127.0.0.1:1/devtools/browser/8bc3f755-b0\"}";

/* ---- asking ------------------------------------------------------------------ */

static aper_status ask(const char *endpoint, char **ret_url,
                       aper_error **ret_error)
{
    aper__op op;
    aper__wire_target how = {.connect_timeout_ms = 30000};
    aper__op_init(&op, 30000);
    aper_status status = aper__discover(endpoint, &how, &op, ret_url,
                                        ret_error);
    return status;
}

static void check_url(const char *endpoint, const char *expected)
{
    char *url = NULL;
    aper_error *error = NULL;
    aper_status status = ask(endpoint, &url, &error);
    ck_assert_msg(status == APER_OK, "%s: %s", endpoint,
                  aper_error_get_message(error));
    ck_assert_str_eq(url, expected);
    aper__dealloc(url);
}

static void check_refused(const char *endpoint, aper_status expected,
                          const char *text)
{
    char *url = NULL;
    aper_error *error = NULL;
    ck_assert_msg(ask(endpoint, &url, &error) == expected, "%s: %s", endpoint,
                  aper_error_get_message(error));
    ck_assert_ptr_null(url);
    ck_assert_msg(strstr(aper_error_get_message(error), text) != NULL,
                  "no %s in: %s", text, aper_error_get_message(error));
    aper_error_unref(error);
}

START_TEST(a_port_or_http_address_costs_one_request)
{
    static const char *const forms[] = {
        "%u", "127.0.0.1:%u", "localhost:%u", "http://127.0.0.1:%u",
        "http://127.0.0.1:%u/", "HTTP://127.0.0.1:%u/json/version",
        "http://127.0.0.1:%u/json/version/"};
    char endpoint[100], expected[100];
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        server s;
        server_start(&s, version);
        snprintf(endpoint, sizeof endpoint, forms[i], s.port);
        snprintf(expected, sizeof expected,
                 "ws://%s:%u/devtools/browser/8bc3f755-b0",
                 strstr(endpoint, "localhost") ? "localhost" : "127.0.0.1",
                 s.port);
        check_url(endpoint, expected);
        server_stop(&s);
        ck_assert_uint_eq(s.requests, 1);
        ck_assert_int_eq(strncmp(s.head, "GET /json/version HTTP/1.1", 26), 0);
        ck_assert_ptr_null(strstr(s.head, "Origin:"));
    }
}
END_TEST

START_TEST(path_and_query_of_a_grid_are_kept)
{
    server s;
    char endpoint[100];
    char *url = NULL;
    server_start(&s, version);
    snprintf(endpoint, sizeof endpoint, "http://127.0.0.1:%u/a/b?token=1",
             s.port);
    ck_assert_int_eq(ask(endpoint, &url, NULL), APER_OK);
    aper__dealloc(url);
    server_stop(&s);
    ck_assert_int_eq(
        strncmp(s.head, "GET /a/b/json/version?token=1 ", 30), 0);
}
END_TEST

START_TEST(a_websocket_address_is_used_as_it_is)
{
    check_url("ws://example.org/x?y=1", "ws://example.org/x?y=1");
    check_url("wss://example.org:44/se/cdp", "wss://example.org:44/se/cdp");
}
END_TEST

START_TEST(what_answers_otherwise_is_said)
{
    static const struct {
        const char *answer;
        aper_status status;
        const char *text;
    } cases[] = {
        {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
         APER_E_NOT_FOUND, "it is no browser, or one whose remote debugging"},
        {"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", APER_E_CONNECT,
         "500"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", APER_E_PROTOCOL,
         "webSocketDebuggerUrl"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
         APER_E_PROTOCOL, "webSocketDebuggerUrl"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n"
         "{\"webSocketDebuggerUrl\":\"x\"}\n", APER_E_PROTOCOL,
         "webSocketDebuggerUrl"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        server s;
        char endpoint[32];
        server_start(&s, cases[i].answer);
        snprintf(endpoint, sizeof endpoint, "%u", s.port);
        check_refused(endpoint, cases[i].status, cases[i].text);
        server_stop(&s);
        ck_assert_uint_eq(s.requests, 1);
    }
    check_refused("127.0.0.1:1", APER_E_CONNECT,
                  "cannot connect to 127.0.0.1, port 1: ");
}
END_TEST

START_TEST(nonsense_is_refused)
{
    static const char *const cases[] = {"", "x", "0", "65536", "123456", ":1",
                                        "a b:1", "me@host:1", "host:",
                                        "host:1x", "ftp://x", "file:///tmp"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i], APER_E_INVAL, "profile directory");
    check_refused("/no/such/profile", APER_E_NOT_FOUND, "/no/such/profile");
}
END_TEST

static void write_port_file(const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/DevToolsActivePort", leaks_own_tmp());
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

START_TEST(a_profile_costs_no_request)
{
    server s;
    char text[100], expected[100];
    check_refused(leaks_new_tmp(), APER_E_NOT_FOUND, "DevToolsActivePort");
    server_start(&s, version);
    snprintf(text, sizeof text, "%u\n/devtools/browser/abc", s.port);
    snprintf(expected, sizeof expected, "ws://127.0.0.1:%u/devtools/browser/abc",
             s.port);
    write_port_file(text);
    check_url(leaks_own_tmp(), expected);
    server_stop(&s);
    ck_assert_uint_eq(s.requests, 0);
    write_port_file("nonsense");
    check_refused(leaks_own_tmp(), APER_E_PROTOCOL, "malformed");
}
END_TEST

START_TEST(the_port_file_is_read_strictly)
{
    static const struct {
        const char *text;
        unsigned port;
    } cases[] = {{"1\n/x", 1}, {"65535\r\n/x\r\n", 65535}, {"1\n/x\nmore", 1},
                 {"", 0}, {"\n", 0}, {"1", 0}, {"1\n", 0}, {"1\n\n", 0},
                 {"0\n/x", 0}, {"65536\n/x", 0}, {"-1\n/x", 0}, {" 1\n/x", 0},
                 {"1\nx", 0}, {"1\n/a b", 0}, {"1\n/\x7f", 0},
                 {"1\n/0123456789abcdef", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t port = 0;
        char path[16];
        bool taken = aper__discover_parse_port_file(
            cases[i].text, strlen(cases[i].text), &port, path, sizeof path);
        ck_assert_msg(taken == (cases[i].port != 0), "case %u", (unsigned)i);
        if (taken) {
            ck_assert_uint_eq(port, cases[i].port);
            ck_assert_str_eq(path, "/x");
        }
    }
}
END_TEST

SUITE("discover", 60, a_port_or_http_address_costs_one_request,
      path_and_query_of_a_grid_are_kept, a_websocket_address_is_used_as_it_is,
      what_answers_otherwise_is_said, nonsense_is_refused,
      a_profile_costs_no_request, the_port_file_is_read_strictly)
