/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"
#include "listener.h"
#include "suite.h"
#include "wire/core.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* ends[0] goes to the wire, ends[1] stays with the test. */
static aper__wire *open_pair(listener *ear, int ends[2])
{
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    aper__wire *wire = NULL;
    listener_init(ear);
    ck_assert_int_eq(aper__wire_open_pipe(ends[0], &listener_events, ear,
                                          &wire, NULL), APER_OK);
    return wire;
}

static void finish(listener *ear, aper__wire *wire, int other_end)
{
    aper__wire_close(wire);
    listener_await_closed(ear, APER_E_CLOSED);
    aper__wire_unref(wire);
    listener_free(ear);
    char byte;
    ck_assert_int_eq(read(other_end, &byte, 1), 0);
    close(other_end);
}

static void write_all(int fd, const char *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = send(fd, data + at, size - at, MSG_NOSIGNAL);
        ck_assert_int_gt(got, 0);
        at += (size_t)got;
    }
}

START_TEST(messages_end_in_nul_both_ways)
{
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    write_all(ends[1], "one\0\0three\0fo", 13);
    listener_await_messages(&ear, 3);
    ck_assert_str_eq(listener_message(&ear, 0), "one");
    ck_assert_str_eq(listener_message(&ear, 1), "");
    ck_assert_str_eq(listener_message(&ear, 2), "three");
    write_all(ends[1], "ur", 3);
    listener_await_messages(&ear, 4);
    ck_assert_str_eq(listener_message(&ear, 3), "four");
    ck_assert_int_eq(aper__wire_send(wire, "a", 1), APER_OK);
    ck_assert_int_eq(aper__wire_send(wire, "bc", 2), APER_OK);
    char got[5];
    ck_assert_int_eq(recv(ends[1], got, 5, MSG_WAITALL), 5);
    ck_assert_mem_eq(got, "a\0bc\0", 5);
    finish(&ear, wire, ends[1]);
}
END_TEST

START_TEST(a_message_may_come_byte_by_byte)
{
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    const char text[] = "{\"id\":1}";
    for (size_t i = 0; i < sizeof text; i++)
        write_all(ends[1], text + i, 1);
    listener_await_messages(&ear, 1);
    ck_assert_str_eq(listener_message(&ear, 0), text);
    finish(&ear, wire, ends[1]);
}
END_TEST

static void *echo(void *arg)
{
    int fd = *(int *)arg;
    static char buffer[1 << 20];
    ssize_t got;
    while ((got = read(fd, buffer, sizeof buffer)) > 0)
        write_all(fd, buffer, (size_t)got);
    return NULL;
}

START_TEST(a_message_of_64_mib_goes_both_ways)
{
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    pthread_t thread;
    pthread_create(&thread, NULL, echo, &ends[1]);
    size_t size = (size_t)64 << 20;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + i % 23);
    ck_assert_int_eq(aper__wire_send(wire, text, size), APER_OK);
    listener_await_messages(&ear, 1);
    ck_assert_uint_eq(ear.sizes[0], size);
    ck_assert(memcmp(listener_message(&ear, 0), text, size) == 0);
    free(text);
    aper__wire_close(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    aper__wire_unref(wire);
    pthread_join(thread, NULL);
    listener_free(&ear);
    close(ends[1]);
}
END_TEST

START_TEST(the_other_end_closing_is_gone_after_its_last_words)
{
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    write_all(ends[1], "bye", 4);
    close(ends[1]);
    listener_await_closed(&ear, APER_E_GONE);
    ck_assert_uint_eq(ear.count, 1);
    ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_E_GONE);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(writing_to_a_dead_end_raises_no_signal)
{
    signal(SIGPIPE, SIG_DFL); /* would end the process */
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    listener_await_opened(&ear);
    shutdown(ends[1], SHUT_RD);
    ck_assert_int_eq(aper__wire_send(wire, "x", 1), APER_OK);
    close(ends[1]);
    listener_await_closed(&ear, APER_E_GONE);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(limits_hold)
{
    aper__wire_limit.message_max = 1000;
    aper__wire_limit.queue_max = 100;
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    char text[1002];
    memset(text, 'x', sizeof text);
    ck_assert_int_eq(aper__wire_send(wire, text, 1001), APER_E_TOO_BIG);
    text[1000] = '\0';
    write_all(ends[1], text, 1001);
    listener_await_messages(&ear, 1);
    ck_assert_uint_eq(ear.sizes[0], 1000);
    text[1000] = 'x';
    write_all(ends[1], text, 1001);
    listener_await_closed(&ear, APER_E_TOO_BIG);
    aper__wire_unref(wire);
    listener_free(&ear);
    close(ends[1]);
}
END_TEST

START_TEST(a_too_big_message_is_not_let_through_with_its_end)
{
    aper__wire_limit.message_max = 10;
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    write_all(ends[1], "ok\0longer than ten\0no", 22);
    listener_await_closed(&ear, APER_E_TOO_BIG);
    ck_assert_uint_eq(ear.count, 1);
    aper__wire_unref(wire);
    listener_free(&ear);
    close(ends[1]);
}
END_TEST

START_TEST(the_queue_is_bounded)
{
    aper__wire_limit.queue_max = 1000;
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    size_t big = (size_t)16 << 20;
    char *text = malloc(big);
    memset(text, 'x', big);
    ck_assert_int_eq(aper__wire_send(wire, text, big), APER_OK);
    ck_assert_int_eq(aper__wire_send(wire, "y", 1), APER_E_BUSY);
    free(text);
    aper__wire_unref(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    listener_free(&ear);
    close(ends[1]);
}
END_TEST

START_TEST(a_message_that_is_not_utf8_is_protocol)
{
    listener ear;
    int ends[2];
    aper__wire *wire = open_pair(&ear, ends);
    write_all(ends[1], "\xC3(", 3);
    listener_await_closed(&ear, APER_E_PROTOCOL);
    aper__wire_unref(wire);
    listener_free(&ear);
    close(ends[1]);
}
END_TEST

START_TEST(a_descriptor_that_is_none_is_refused)
{
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_pipe(-1, &listener_events, NULL, &wire,
                                          NULL), APER_E_INVAL);
    ck_assert_ptr_null(wire);
}
END_TEST

START_TEST(the_descriptor_is_closed_whatever_happens)
{
    ck_assert_int_eq(aper__io_acquire(NULL), APER_OK);
    unsigned before = leaks_fds();
    for (unsigned n = 0; n < 6; n++) {
        listener ear;
        listener_init(&ear);
        int ends[2];
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        aper__wire *wire = NULL;
        aper__alloc_fail_at(n, false);
        aper_status status = aper__wire_open_pipe(
            ends[0], &listener_events, &ear, &wire, NULL);
        if (status == APER_OK) {
            listener_await_opened(&ear);
            aper__alloc_fail_at(0, false);
            aper__wire_unref(wire);
            listener_await_closed(&ear, APER_E_CLOSED);
        }
        aper__alloc_fail_at(0, false);
        char byte;
        ck_assert_int_eq(read(ends[1], &byte, 1), 0);
        close(ends[1]);
        listener_free(&ear);
    }
    ck_assert_uint_eq(leaks_fds(), before);
    aper__io_release();
}
END_TEST

SUITE("pipe", 120, messages_end_in_nul_both_ways,
      a_message_may_come_byte_by_byte, a_message_of_64_mib_goes_both_ways,
      the_other_end_closing_is_gone_after_its_last_words,
      writing_to_a_dead_end_raises_no_signal, limits_hold,
      a_too_big_message_is_not_let_through_with_its_end,
      the_queue_is_bounded, a_message_that_is_not_utf8_is_protocol,
      a_descriptor_that_is_none_is_refused,
      the_descriptor_is_closed_whatever_happens)
