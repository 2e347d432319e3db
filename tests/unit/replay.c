/* SPDX-License-Identifier: Apache-2.0 */
#include "listener.h"
#include "wire/core.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static aper__wire *play(listener *ear, const char *recording)
{
    strcpy(path, "/tmp/aperture-replay-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_eq(write(fd, recording, strlen(recording)),
                     (ssize_t)strlen(recording));
    close(fd);
    aper__wire *wire = NULL;
    aper_status status = aper__wire_open_replay(path, &listener_events, ear,
                                                &wire, NULL);
    unlink(path);
    ck_assert_int_eq(status, APER_OK);
    return wire;
}

static void say(aper__wire *wire, const char *text)
{
    ck_assert_int_eq(aper__wire_send(wire, text, strlen(text)), APER_OK);
}

START_TEST(a_conversation_is_played_with_the_ids_in_use)
{
    listener ear;
    listener_init(&ear);
    aper__wire *wire = play(&ear,
        "# comment\n\n"
        "< {\"method\":\"first\"}\n"
        "> {\"id\":1,\"method\":\"A.b\",\"params\":{\"x\":1,\"y\":\"*\"}}\r\n"
        "< {\"id\":1,\"result\":{}}\n"
        "< not json\n");
    listener_await_opened(&ear);
    listener_await_messages(&ear, 1);
    ck_assert_str_eq(listener_message(&ear, 0), "{\"method\":\"first\"}");
    say(wire, "{\"params\":{\"y\":[2],\"x\":1}, \"method\":\"A.b\",\"id\":77}");
    listener_await_messages(&ear, 3);
    ck_assert_str_eq(listener_message(&ear, 1), "{\"id\":77,\"result\":{}}");
    ck_assert_str_eq(listener_message(&ear, 2), "not json");
    aper__wire_close(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(expected_messages_of_a_block_may_come_in_any_order)
{
    listener ear;
    listener_init(&ear);
    aper__wire *wire = play(&ear, "> {\"id\":1,\"method\":\"A\"}\n"
                                  "> {\"id\":2,\"method\":\"B\"}\n"
                                  "< {\"id\":1}\n< {\"id\":2}\n");
    say(wire, "{\"id\":5,\"method\":\"B\"}");
    say(wire, "{\"id\":6,\"method\":\"A\"}");
    listener_await_messages(&ear, 2);
    ck_assert_str_eq(listener_message(&ear, 0), "{\"id\":6}");
    ck_assert_str_eq(listener_message(&ear, 1), "{\"id\":5}");
    aper__wire_unref(wire);
    listener_await_closed(&ear, APER_E_CLOSED);
    listener_free(&ear);
}
END_TEST

START_TEST(a_mismatch_names_line_expected_and_got)
{
    listener ear;
    listener_init(&ear);
    aper__wire *wire = play(&ear, "# one\n> {\"id\":1,\"method\":\"Want\"}\n");
    say(wire, "{\"id\":1,\"method\":\"Got\"}");
    listener_await_closed(&ear, APER_E_PROTOCOL);
    ck_assert_ptr_nonnull(strstr(ear.detail, "line 2"));
    ck_assert_ptr_nonnull(strstr(ear.detail, "Want"));
    ck_assert_ptr_nonnull(strstr(ear.detail, "Got"));
    ck_assert_int_eq(aper__wire_send(wire, "{}", 2), APER_E_PROTOCOL);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(more_than_was_recorded_is_a_mismatch)
{
    listener ear;
    listener_init(&ear);
    aper__wire *wire = play(&ear, "");
    say(wire, "{\"id\":1,\"method\":\"A\"}");
    listener_await_closed(&ear, APER_E_PROTOCOL);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(a_wildcard_needs_a_value_and_keys_are_exact)
{
    static const char *const wrong[] = {
        "{\"id\":1,\"method\":\"A\",\"params\":{}}",
        "{\"id\":1,\"method\":\"A\",\"params\":{\"x\":1,\"z\":2}}",
        "{\"id\":1,\"method\":\"A\",\"params\":[1]}",
        "{\"method\":\"A\",\"params\":{\"x\":1}}",
        "[]",
        "{",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        listener ear;
        listener_init(&ear);
        aper__wire *wire = play(&ear, "> {\"id\":1,\"method\":\"A\","
                                      "\"params\":{\"x\":\"*\"}}\n");
        say(wire, wrong[i]);
        listener_await_closed(&ear, APER_E_PROTOCOL);
        aper__wire_unref(wire);
        listener_free(&ear);
    }
}
END_TEST

START_TEST(a_recording_can_lose_the_connection)
{
    listener ear;
    listener_init(&ear);
    aper__wire *wire = play(&ear, "> {\"id\":1,\"method\":\"A\"}\n! gone\n");
    say(wire, "{\"id\":1,\"method\":\"A\"}");
    listener_await_closed(&ear, APER_E_GONE);
    ck_assert_uint_eq(ear.count, 0);
    aper__wire_unref(wire);
    listener_free(&ear);
}
END_TEST

START_TEST(a_malformed_recording_is_refused_with_its_line)
{
    static const char *const bad[] = {
        "# ok\n> [1]\n", "# ok\n> {\"a\":1,\"a\":2}\n", "# ok\nhello\n",
        "# ok\n! stop\n", "# ok\n>{}\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(aper__replay_check(bad[i], strlen(bad[i])),
                         APER_E_INVAL);
    }
    aper_error *error = NULL;
    aper__wire *wire = NULL;
    ck_assert_int_eq(aper__wire_open_replay("/nonexistent/recording",
                                            &listener_events, NULL, &wire,
                                            &error), APER_E_IO);
    ck_assert_ptr_null(wire);
    aper_error_unref(error);
}
END_TEST

SUITE("replay", 60, a_conversation_is_played_with_the_ids_in_use,
      expected_messages_of_a_block_may_come_in_any_order,
      a_mismatch_names_line_expected_and_got,
      more_than_was_recorded_is_a_mismatch,
      a_wildcard_needs_a_value_and_keys_are_exact,
      a_recording_can_lose_the_connection,
      a_malformed_recording_is_refused_with_its_line)
