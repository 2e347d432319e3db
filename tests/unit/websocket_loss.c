/* SPDX-License-Identifier: Apache-2.0 */
/* How connections fail and end, and with which status. */
#include "listener.h"
#include "peer.h"
#include "suite.h"
#include "wire/core.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(const peer_options *options, const char *scheme,
                   const char *host, const char *ca_file, aper_status why,
                   const char *detail)
{
    peer *server = peer_start(options);
    char *url = peer_url(server, scheme, host, "/");
    aper__wire_target target = {
        .url = url,
        .ca_file = ca_file ? ca_file
                   : options->certificate ? peer_ca_file(server) : NULL,
        .connect_timeout_ms = why == APER_E_TIMEOUT ? 100
                                                    : LISTENER_PATIENCE_MS};
    listener ear;
    listener_init(&ear);
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               &ear, &wire, NULL), APER_OK);
    if (options->kind == PEER_DROPS)
        ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_OK);
    if (why == APER_OK) {
        listener_await_opened(&ear);
        ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_OK);
        listener_await_messages(&ear, 1);
        aper__wire_close(wire);
        why = APER_E_CLOSED;
    }
    listener_await_closed(&ear, why);
    ck_assert_msg(strstr(ear.detail, detail) != NULL, "\"%s\" lacks \"%s\"",
                  ear.detail, detail);
    aper__wire_unref(wire);
    listener_free(&ear);
    peer_stop(server);
    free(url);
}

static void expect_answer(const char *answer, aper_status why,
                          const char *detail)
{
    expect(&(peer_options){.kind = PEER_ANSWERS, .raw = answer}, "ws",
           "127.0.0.1", NULL, why, detail);
}

static void expect_raw(const char *raw, size_t size, aper_status why,
                       const char *detail)
{
    expect(&(peer_options){.kind = PEER_RAW, .raw = raw, .raw_size = size},
           "ws", "127.0.0.1", NULL, why, detail);
}

START_TEST(a_refused_connection_is_connect)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    char *urls[] = {peer_url(server, "ws", "127.0.0.1", "/"),
                    peer_url(server, "ws", "localhost", "/"),
                    peer_url(server, "ws", "[::1]", "/")};
    peer_stop(server);
    for (size_t i = 0; i < 3; i++) {
        listener ear;
        listener_init(&ear);
        aper__wire_target target = {
            .url = urls[i], .connect_timeout_ms = LISTENER_PATIENCE_MS};
        aper__wire *wire = NULL;
        ck_assert_int_eq(aper__wire_open_websocket(
                             &target, &listener_events, &ear, &wire, NULL),
                         APER_OK);
        listener_await_closed(&ear, APER_E_CONNECT);
        ck_assert_uint_eq(ear.opened, 0);
        aper__wire_unref(wire);
        listener_free(&ear);
        free(urls[i]);
    }
}
END_TEST

START_TEST(http_answers_are_told_apart)
{
    expect_answer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
                  APER_E_AUTH, "401");
    expect_answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
                  APER_E_AUTH, "403");
    expect_answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                  APER_E_CONNECT, "404");
    expect_answer("HTTP/1.1 503 Full\r\n\r\n", APER_E_CONNECT, "503");
    expect_answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
                  APER_E_CONNECT, "200");
}
END_TEST

START_TEST(a_redirect_is_not_followed)
{
    peer *other = peer_start(&(peer_options){.kind = PEER_ECHO});
    char answer[256];
    snprintf(answer, sizeof answer,
             "HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:%u/\r\n"
             "Content-Length: 0\r\n\r\n", peer_port(other));
    expect_answer(answer, APER_E_CONNECT, "302");
    ck_assert_uint_eq(peer_connections(other), 0);
    peer_stop(other);
}
END_TEST

START_TEST(an_answer_that_is_no_handshake_is_protocol)
{
    expect_answer("SSH-2.0-OpenSSH_9.2\r\n\r\n", APER_E_PROTOCOL, "");
    expect_answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                  "Connection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
                  APER_E_PROTOCOL, "");
    expect(&(peer_options){.kind = PEER_HANGS_UP}, "ws", "127.0.0.1", NULL,
           APER_E_PROTOCOL, "");
}
END_TEST

START_TEST(silence_ends_at_the_deadline)
{
    expect(&(peer_options){.kind = PEER_SILENT}, "ws", "127.0.0.1", NULL,
           APER_E_TIMEOUT, "in time");
    expect(&(peer_options){.kind = PEER_SILENT}, "ws", "localhost", NULL,
           APER_E_TIMEOUT, "in time");
    expect(&(peer_options){.kind = PEER_SILENT}, "wss", "127.0.0.1", NULL,
           APER_E_TIMEOUT, "in time");
}
END_TEST

START_TEST(a_connection_that_is_lost_is_gone)
{
    expect(&(peer_options){.kind = PEER_DROPS}, "ws", "127.0.0.1", NULL,
           APER_E_GONE, "");
    expect_raw("\x88\x07\x03\xE8\x62ye\n!", 9, APER_E_GONE,
               "code 1000: \"bye !\"");
    expect_raw("\x88\x00", 2, APER_E_GONE, "closed by the other side");
}
END_TEST

START_TEST(broken_frames_are_protocol)
{
    expect_raw("\xC1\x01x", 3, APER_E_PROTOCOL, ""); /* reserved bit */
    expect_raw("\x83\x01x", 3, APER_E_PROTOCOL, ""); /* unknown opcode */
    expect_raw("\x80\x01x", 3, APER_E_PROTOCOL, ""); /* nothing to continue */
    expect_raw("\x01\x01x\x81\x01y", 6, APER_E_PROTOCOL, ""); /* no end */
    expect_raw("\x81\x02\xC3\x28", 4, APER_E_PROTOCOL, "UTF-8");
}
END_TEST

START_TEST(a_peer_without_pong_is_gone)
{
    aper__wire_limit.idle.secs_since_valid_ping = 1;
    aper__wire_limit.idle.secs_since_valid_hangup = 2;
    aper__wire_limit.ping_local = true;
    expect(&(peer_options){.kind = PEER_DEAF}, "ws", "127.0.0.1", NULL,
           APER_E_GONE, "pings");
}
END_TEST

START_TEST(a_peer_that_pongs_stays)
{
    aper__wire_limit.idle.secs_since_valid_ping = 1;
    aper__wire_limit.idle.secs_since_valid_hangup = 2;
    aper__wire_limit.ping_local = true;
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    char *url = peer_url(server, "ws", "127.0.0.1", "/");
    aper__wire_target target = {.url = url,
                                .connect_timeout_ms = LISTENER_PATIENCE_MS};
    listener ear;
    listener_init(&ear);
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               &ear, &wire, NULL), APER_OK);
    listener_await_opened(&ear);
    ck_assert_int_eq(aper__op_wait_until(&ear.op, aper__op_seen(&ear.op),
                                         aper__now_ms() + 4500), APER_OK);
    ck_assert_int_eq(aper__wire_send(wire, "still", 5), APER_OK);
    listener_await_messages(&ear, 1);
    aper__wire_unref(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    listener_free(&ear);
    peer_stop(server);
    free(url);
}
END_TEST

START_TEST(tls_works_with_a_certificate_that_is_right)
{
    peer_options good = {.kind = PEER_ECHO, .certificate = PEER_GOOD};
    expect(&good, "wss", "localhost", NULL, APER_OK, "");
    expect(&good, "wss", "127.0.0.1", NULL, APER_OK, "");
}
END_TEST

START_TEST(tls_fails_with_one_that_is_wrong)
{
    peer_options options = {.kind = PEER_ECHO,
                            .certificate = PEER_OTHER_HOST};
    expect(&options, "wss", "localhost", NULL, APER_E_TLS, "mismatch");
    expect(&options, "wss", "127.0.0.1", NULL, APER_E_TLS, "mismatch");
    options.certificate = PEER_EXPIRED;
    expect(&options, "wss", "localhost", NULL, APER_E_TLS, "expired");
    options.certificate = PEER_GOOD;
    peer *other = peer_start(&options); /* another authority */
    expect(&options, "wss", "localhost", peer_ca_file(other), APER_E_TLS,
           "certificate");
    peer_stop(other);
    expect(&(peer_options){.kind = PEER_HANGS_UP}, "wss", "127.0.0.1", NULL,
           APER_E_TLS, "TLS");
}
END_TEST

START_TEST(a_certificate_of_nobody_the_system_knows_is_refused)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO,
                                              .certificate = PEER_GOOD});
    char *url = peer_url(server, "wss", "localhost", "/");
    aper__wire_target target = {.url = url,
                                .connect_timeout_ms = LISTENER_PATIENCE_MS};
    listener ear;
    listener_init(&ear);
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               &ear, &wire, NULL), APER_OK);
    listener_await_closed(&ear, APER_E_TLS);
    aper__wire_unref(wire);
    listener_free(&ear);
    peer_stop(server);
    free(url);
}
END_TEST

START_TEST(a_ca_file_that_cannot_be_read_is_said_at_once)
{
    aper__wire_target target = {.url = "wss://127.0.0.1:1",
                                .ca_file = "/nonexistent/ca.pem"};
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               NULL, &wire, NULL), APER_E_IO);
    ck_assert_ptr_null(wire);
}
END_TEST

START_TEST(a_host_name_without_address_is_connect)
{
    aper__wire_target target = {.url = "ws://no-such-host.invalid:1"};
    aper__wire *wire = NULL;
    aper_error *error = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               NULL, &wire, &error),
                     APER_E_CONNECT);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error),
                                 "no-such-host.invalid"));
    aper_error_unref(error);
}
END_TEST

START_TEST(writing_to_a_dead_peer_raises_no_signal)
{
    signal(SIGPIPE, SIG_DFL); /* would end the process */
    peer *server = peer_start(&(peer_options){.kind = PEER_DROPS});
    char *url = peer_url(server, "ws", "127.0.0.1", "/");
    aper__wire_target target = {.url = url,
                                .connect_timeout_ms = LISTENER_PATIENCE_MS};
    listener ear;
    listener_init(&ear);
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               &ear, &wire, NULL), APER_OK);
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    while (aper__wire_send(wire, text, sizeof text) != APER_E_GONE)
        ck_assert_int_eq(aper__op_check(&ear.op), APER_OK);
    listener_await_closed(&ear, APER_E_GONE);
    aper__wire_unref(wire);
    listener_free(&ear);
    peer_stop(server);
    free(url);
}
END_TEST

/* In a child, since exit() is what is tested. It is forked before there is a
 * server, as the child of a process with threads may find locks held for ever.
 * Address and certificates come through the pipe, a line each. */
static void exit_with_open_connection(int pipe, bool released)
{
    char url[256], ca_file[PATH_MAX];
    FILE *lines = fdopen(pipe, "r");
    if (!lines || fscanf(lines, "%255s %4095s", url, ca_file) != 2)
        _exit(2);
    fclose(lines);
    aper__wire_target target = {.url = url, .ca_file = ca_file,
                                .connect_timeout_ms = LISTENER_PATIENCE_MS};
    static listener ear;
    listener_init(&ear);
    aper__wire *wire = NULL;
    if (aper__wire_open_websocket(&target, &listener_events, &ear, &wire,
                                  NULL) != APER_OK)
        _exit(3);
    listener_await_opened(&ear);
    if (released)
        aper__wire_unref(wire);
    exit(7);
}

START_TEST(a_process_may_exit_at_any_moment)
{
    for (unsigned i = 0; i < 10; i++) {
        int ends[2];
        int status = 0;
        ck_assert_int_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            close(ends[1]);
            exit_with_open_connection(ends[0], i % 2);
        }
        close(ends[0]);
        peer *server = peer_start(&(peer_options){
            .kind = PEER_ECHO, .certificate = PEER_GOOD});
        char *url = peer_url(server, "wss", "localhost", "/");
        dprintf(ends[1], "%s %s\n", url, peer_ca_file(server));
        close(ends[1]);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7,
                      "wait status %x", (unsigned)status);
        free(url);
        peer_stop(server);
    }
}
END_TEST

SUITE("websocket_loss", 120, a_refused_connection_is_connect,
      http_answers_are_told_apart, a_redirect_is_not_followed,
      an_answer_that_is_no_handshake_is_protocol,
      silence_ends_at_the_deadline, a_connection_that_is_lost_is_gone,
      broken_frames_are_protocol, a_peer_without_pong_is_gone,
      a_peer_that_pongs_stays, tls_works_with_a_certificate_that_is_right,
      tls_fails_with_one_that_is_wrong,
      a_certificate_of_nobody_the_system_knows_is_refused,
      a_ca_file_that_cannot_be_read_is_said_at_once,
      a_host_name_without_address_is_connect,
      writing_to_a_dead_peer_raises_no_signal,
      a_process_may_exit_at_any_moment)
