/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"
#include "listener.h"
#include "peer.h"
#include "suite.h"
#include "wire/core.h"

#include <signal.h>

static aper__wire *open_at(listener *ear, const char *url,
                           const aper__wire_target *how)
{
    aper__wire_target target = how ? *how : (aper__wire_target){0};
    target.url = url;
    if (target.connect_timeout_ms == 0)
        target.connect_timeout_ms = LISTENER_PATIENCE_MS;
    aper__wire *wire = NULL;
    listener_init(ear);
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events, ear,
                                               &wire, NULL), APER_OK);
    return wire;
}

static aper__wire *open_peer(listener *ear, peer *server)
{
    char *url = peer_url(server, "ws", "127.0.0.1", "/devtools?a=b");
    aper__wire *wire = open_at(ear, url, NULL);
    free(url);
    return wire;
}

static void finish(listener *ear, aper__wire *wire, peer *server)
{
    aper__wire_close(wire);
    listener_await_closed(ear, APER_E_CLOSED);
    aper__wire_unref(wire);
    listener_free(ear);
    peer_stop(server);
}

/* Printable, with some characters of several bytes. */
static char *make_text(size_t size)
{
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + i * 7 % 26);
    for (size_t i = 0; i + 1000 < size; i += 1000)
        memcpy(text + i, "\xE2\x82\xAC", 3);
    text[size] = '\0';
    return text;
}

static void echo(const peer_options *options, size_t size)
{
    peer *server = peer_start(options);
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    char *text = make_text(size);
    ck_assert_int_eq(aper__wire_send(wire, text, size), APER_OK);
    listener_await_messages(&ear, 1);
    ck_assert_uint_eq(ear.sizes[0], size);
    ck_assert(memcmp(listener_message(&ear, 0), text, size + 1) == 0);
    ck_assert_uint_eq(peer_odd_frames(server), 0);
    free(text);
    finish(&ear, wire, server);
}

START_TEST(messages_of_every_frame_size_come_back)
{
    static const size_t sizes[] = {0, 1, 125, 126, 127, 4096, 65535, 65536,
                                   65537, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        echo(&(peer_options){.kind = PEER_ECHO}, sizes[i]);
}
END_TEST

START_TEST(a_message_of_64_mib_goes_both_ways)
{
    echo(&(peer_options){.kind = PEER_ECHO}, (size_t)64 << 20);
}
END_TEST

START_TEST(fragments_are_put_together)
{
    echo(&(peer_options){.kind = PEER_ECHO, .fragment = 1}, 70000);
    echo(&(peer_options){.kind = PEER_ECHO, .fragment = 1000}, 1000000);
    echo(&(peer_options){.kind = PEER_ECHO, .fragment = 65536}, 4000000);
}
END_TEST

START_TEST(frames_may_arrive_byte_by_byte)
{
    echo(&(peer_options){.kind = PEER_ECHO, .dribble = 1, .fragment = 3},
         5000);
}
END_TEST

START_TEST(the_handshake_carries_headers_and_token_but_no_origin)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    const char *headers[] = {"X-One: 1", "x-two:  two words ", NULL};
    aper__wire_target how = {.headers = headers, .bearer_token = "secret"};
    listener ear;
    char *url = peer_url(server, "ws", "localhost", "/devtools?a=b#c");
    aper__wire *wire = open_at(&ear, url, &how);
    free(url);
    listener_await_opened(&ear);
    char *request = peer_request(server), host[64];
    ck_assert_ptr_eq(strstr(request, "GET /devtools?a=b HTTP/1.1\r\n"),
                     request);
    snprintf(host, sizeof host, "\r\nHost: localhost:%u\r\n",
             peer_port(server));
    ck_assert_ptr_nonnull(strstr(request, host));
    ck_assert_ptr_nonnull(strstr(request, "\r\nX-One: 1\r\n"));
    ck_assert_ptr_nonnull(strstr(request, "\r\nx-two: two words \r\n"));
    ck_assert_ptr_nonnull(strstr(request,
                                 "\r\nAuthorization: Bearer secret\r\n"));
    ck_assert_ptr_null(strcasestr(request, "\norigin:"));
    ck_assert_ptr_null(strcasestr(request, "extensions"));
    free(request);
    finish(&ear, wire, server);
}
END_TEST

START_TEST(headers_cannot_smuggle_others)
{
    static const char *const bad[] = {
        "X: a\r\nOrigin: b", "X: a\nY: b", "X", ": a", "X y: a", "Host: a",
        "sec-websocket-key: a", "X: \x01", "", "X : a", "Upgrade: h2c"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *headers[] = {bad[i], NULL};
        aper__wire_target target = {.url = "ws://127.0.0.1:1",
                                    .headers = headers};
        aper__wire *wire = NULL;
        ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                                   NULL, &wire, NULL),
                         APER_E_INVAL);
        ck_assert_ptr_null(wire);
    }
    aper__wire_target target = {.url = "ws://127.0.0.1:1",
                                .bearer_token = "a\r\nX: y"};
    aper__wire *wire = NULL;
    aper_error *error = NULL;
    ck_assert_int_eq(aper__wire_open_websocket(&target, &listener_events,
                                               NULL, &wire, &error),
                     APER_E_INVAL);
    ck_assert_ptr_null(strstr(aper_error_get_message(error), "X: y"));
    aper_error_unref(error);
}
END_TEST

START_TEST(localhost_is_tried_over_both_families)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO,
                                              .ipv6 = true});
    static const char *const hosts[] = {"localhost", "[::1]"};
    for (size_t i = 0; i < 2; i++) {
        listener ear;
        char *url = peer_url(server, "ws", hosts[i], "/");
        aper__wire *wire = open_at(&ear, url, NULL);
        listener_await_opened(&ear);
        char *request = peer_request(server), host[64];
        snprintf(host, sizeof host, "\r\nHost: %s:%u\r\n", hosts[i],
                 peer_port(server));
        ck_assert_ptr_nonnull(strstr(request, host));
        aper__wire_unref(wire);
        listener_await_closed(&ear, APER_E_CLOSED);
        listener_free(&ear);
        free(request);
        free(url);
    }
    peer_stop(server);
}
END_TEST

START_TEST(pings_are_answered)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_PINGS});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    listener_await_messages(&ear, 1);
    ck_assert_str_eq(listener_message(&ear, 0), "ponged");
    finish(&ear, wire, server);
}
END_TEST

START_TEST(messages_sent_before_it_opens_keep_their_order)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    char text[16];
    for (unsigned i = 0; i < 500; i++) {
        int size = snprintf(text, sizeof text, "%u", i);
        ck_assert_int_eq(aper__wire_send(wire, text, (size_t)size), APER_OK);
    }
    listener_await_messages(&ear, 500);
    for (unsigned i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "%u", i);
        ck_assert_str_eq(listener_message(&ear, i), text);
    }
    finish(&ear, wire, server);
}
END_TEST

static void *send_many(void *wire)
{
    for (unsigned i = 0; i < 200; i++) {
        if (aper__wire_send(wire, "hello", 5) != APER_OK)
            return wire;
    }
    return NULL;
}

START_TEST(many_threads_may_send)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    pthread_t threads[5];
    for (size_t i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, send_many, wire);
    for (size_t i = 0; i < 5; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    listener_await_messages(&ear, 1000);
    ck_assert_uint_eq(ear.bytes, 5000);
    finish(&ear, wire, server);
}
END_TEST

START_TEST(the_queue_is_bounded_but_takes_one_message)
{
    aper__wire_limit.queue_max = 1000;
    peer *server = peer_start(&(peer_options){.kind = PEER_DEAF});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    listener_await_opened(&ear);
    size_t big = (size_t)32 << 20; /* more than sockets buffer */
    char *text = make_text(big);
    ck_assert_int_eq(aper__wire_send(wire, text, big), APER_OK);
    ck_assert_int_eq(aper__wire_send(wire, text, 1), APER_E_BUSY);
    ck_assert_int_eq(aper__wire_send(wire, text, big), APER_E_BUSY);
    free(text);
    finish(&ear, wire, server);
}
END_TEST

START_TEST(a_message_over_the_limit_is_refused_both_ways)
{
    aper__wire_limit.message_max = 1000;
    static char raw[4 + 1001] = "\x81\x7E\x03\xE9";
    memset(raw + 4, 'x', 1001);
    peer *server = peer_start(&(peer_options){.kind = PEER_RAW, .raw = raw,
                                              .raw_size = sizeof raw});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    char text[1001];
    memset(text, 'x', sizeof text);
    ck_assert_int_eq(aper__wire_send(wire, text, 1001), APER_E_TOO_BIG);
    listener_await_closed(&ear, APER_E_TOO_BIG);
    ck_assert_uint_eq(ear.count, 0);
    ck_assert_int_eq(aper__wire_send(wire, text, 1), APER_E_TOO_BIG);
    aper__wire_unref(wire);
    listener_free(&ear);
    peer_stop(server);
    echo(&(peer_options){.kind = PEER_ECHO}, 1000);
    echo(&(peer_options){.kind = PEER_ECHO, .fragment = 7}, 1000);
}
END_TEST

/* A frame that announces 2^62 bytes, and fragments without end. */
START_TEST(the_limit_holds_before_the_bytes_are_there)
{
    aper__wire_limit.message_max = 1000;
    /* lws hands on what has come when its buffer is full. */
    static char huge[200000] = "\x81\x7F\x40";
    memset(huge + 10, 'x', sizeof huge - 10);
    static char endless[3000];
    for (size_t i = 0; i < sizeof endless; i += 3)
        memcpy(endless + i, i ? "\x00\x01x" : "\x01\x01x", 3);
    const struct { const char *data; size_t size; } cases[] = {
        {huge, sizeof huge}, {endless, sizeof endless}};
    for (size_t i = 0; i < 2; i++) {
        aper__wire_limit.message_max = i ? 999 : 1000;
        peer *server = peer_start(&(peer_options){
            .kind = PEER_RAW, .raw = cases[i].data,
            .raw_size = cases[i].size});
        listener ear;
        aper__wire *wire = open_peer(&ear, server);
        listener_await_closed(&ear, APER_E_TOO_BIG);
        aper__wire_unref(wire);
        listener_free(&ear);
        peer_stop(server);
    }
}
END_TEST

static void close_in_message(listener *ear)
{
    aper__wire_close(ear->context);
}

static void unref_in_message(listener *ear)
{
    aper__wire_unref(ear->context);
}

START_TEST(closing_and_freeing_work_inside_a_callback)
{
    void (*const how[])(listener *) = {close_in_message, unref_in_message};
    for (size_t i = 0; i < 2; i++) {
        peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
        listener ear;
        aper__wire *wire = open_peer(&ear, server);
        listener_await_opened(&ear);
        ear.context = wire;
        ear.on_message = how[i];
        for (unsigned k = 0; k < 20 && i == 0; k++)
            aper__wire_send(wire, "x", 1);
        if (i == 1)
            aper__wire_send(wire, "x", 1);
        listener_await_closed(&ear, APER_E_CLOSED);
        ck_assert_uint_eq(ear.count, 1);
        if (i == 0)
            aper__wire_unref(wire);
        listener_free(&ear);
        peer_stop(server);
    }
}
END_TEST

START_TEST(a_closed_wire_refuses_to_send)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    listener ear;
    aper__wire *wire = open_peer(&ear, server);
    aper__wire_close(wire);
    ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_E_CLOSED);
    aper__wire_close(wire);
    finish(&ear, wire, server);
}
END_TEST

static unsigned count_threads(const char *unused)
{
    (void)unused;
    return leaks_threads();
}

START_TEST(opening_and_freeing_leaves_nothing_behind)
{
    ck_assert_int_eq(aper__io_acquire(NULL), APER_OK);
    aper__io_release();
    unsigned threads = leaks_threads(), fds = leaks_fds();
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    for (unsigned i = 0; i < 60; i++) {
        listener ear;
        aper__wire *wire = open_peer(&ear, server);
        if (i % 3 == 1)
            listener_await_opened(&ear);
        if (i % 3 == 2) {
            aper__wire_send(wire, "x", 1);
            listener_await_messages(&ear, 1);
        }
        aper__wire_unref(wire);
        listener_await_closed(&ear, APER_E_CLOSED);
        listener_free(&ear);
    }
    peer_stop(server);
    /* The wire was the last to hold the thread; this joins it. */
    ck_assert_int_eq(aper__io_acquire(NULL), APER_OK);
    aper__io_release();
    ck_assert(leaks_wait(count_threads, NULL, threads));
    ck_assert_uint_eq(leaks_fds(), fds);
}
END_TEST

START_TEST(no_allocation_that_fails_does_harm)
{
    peer *server = peer_start(&(peer_options){.kind = PEER_ECHO});
    const char *headers[] = {"X-One: 1", NULL};
    char *url = peer_url(server, "ws", "127.0.0.1", "/");
    bool through = false;
    for (unsigned n = 1; !through; n++) {
        ck_assert_uint_lt(n, 200);
        listener ear;
        listener_init(&ear);
        aper__wire_target target = {
            .url = url, .headers = headers, .bearer_token = "t",
            .connect_timeout_ms = LISTENER_PATIENCE_MS};
        aper__wire *wire = NULL;
        aper__alloc_fail_at(n, false);
        aper_status status = aper__wire_open_websocket(
            &target, &listener_events, &ear, &wire, NULL);
        if (status == APER_OK) {
            status = aper__wire_send(wire, "hello", 5);
            while (status == APER_OK) {
                uint64_t seen = aper__op_seen(&ear.op);
                pthread_mutex_lock(&ear.lock);
                through = ear.count > 0;
                bool over = ear.closed > 0;
                pthread_mutex_unlock(&ear.lock);
                if (through || over)
                    break;
                status = aper__op_wait(&ear.op, seen);
            }
            aper__wire_close(wire);
            listener_await(&ear, "closed", listener_get_closed, 1);
            aper__wire_unref(wire);
            if (through)
                ck_assert_str_eq(listener_message(&ear, 0), "hello");
        }
        /* Without an allocation that failed it went through. */
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        aper__alloc_fail_at(0, false);
        listener_free(&ear);
        through = through && n > 10;
    }
    free(url);
    peer_stop(server);
}
END_TEST

SUITE("websocket", 120, messages_of_every_frame_size_come_back,
      a_message_of_64_mib_goes_both_ways, fragments_are_put_together,
      frames_may_arrive_byte_by_byte,
      the_handshake_carries_headers_and_token_but_no_origin,
      headers_cannot_smuggle_others, localhost_is_tried_over_both_families,
      pings_are_answered, messages_sent_before_it_opens_keep_their_order,
      many_threads_may_send, the_queue_is_bounded_but_takes_one_message,
      a_message_over_the_limit_is_refused_both_ways,
      the_limit_holds_before_the_bytes_are_there,
      closing_and_freeing_work_inside_a_callback,
      a_closed_wire_refuses_to_send, opening_and_freeing_leaves_nothing_behind,
      no_allocation_that_fails_does_harm)
