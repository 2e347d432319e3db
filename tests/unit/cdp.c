/* SPDX-License-Identifier: Apache-2.0 */
/* The connection against a browser that does as it is told. */
#include "cdp/cdp.h"
#include "fake_browser.h"
#include "leaks.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct journal {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned events;
    unsigned closed;
    aper_status why;
    char session[64];
    char method[64];
    size_t params; /* of the last event */
    unsigned replies;
    aper_status status; /* of the last reply */
    bool on_io; /* every call so far came on the I/O thread */
} journal;

static fake_browser *fake;
static aper__cdp *cdp;
static journal seen = {.lock = PTHREAD_MUTEX_INITIALIZER,
                   .changed = PTHREAD_COND_INITIALIZER, .on_io = true};

static void on_event(void *userdata, const char *session, const char *method,
                     json_t *params)
{
    journal *l = userdata;
    pthread_mutex_lock(&l->lock);
    l->events++;
    snprintf(l->session, sizeof l->session, "%s", session);
    snprintf(l->method, sizeof l->method, "%s", method);
    l->params = json_object_size(params);
    l->on_io = l->on_io && aper__io_is_current() && json_is_object(params);
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void on_closed(void *userdata, aper_status why,
                      const char *detail APER_UNUSED)
{
    journal *l = userdata;
    pthread_mutex_lock(&l->lock);
    l->closed++;
    l->why = why;
    l->on_io = l->on_io && aper__io_is_current();
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static void on_reply(void *userdata, aper_status status,
                     json_t *result APER_UNUSED, const char *message)
{
    journal *l = userdata;
    pthread_mutex_lock(&l->lock);
    l->replies++;
    l->status = status;
    l->on_io = l->on_io && aper__io_is_current()
            && (status == APER_OK) == (message == NULL)
            && (status == APER_OK) == (result != NULL);
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* Check ends a test for which this waits in vain. */
static void wait_count(const unsigned *count, unsigned wanted)
{
    pthread_mutex_lock(&seen.lock);
    while (*count < wanted)
        pthread_cond_wait(&seen.changed, &seen.lock);
    ck_assert(seen.on_io);
    pthread_mutex_unlock(&seen.lock);
}

static const aper__cdp_events events = {on_event, on_closed};

static void forget(void)
{
    seen.events = seen.closed = seen.replies = 0;
    seen.on_io = true;
}

static void setup(fake_browser_handler *handler)
{
    aper__op op;
    forget();
    fake = fake_browser_start(handler, NULL);
    aper__cdp_target target = {.pipe_fd = fake_browser_take_fd(fake)};
    aper__op_init(&op, 30000);
    ck_assert_int_eq(aper__cdp_open(&target, &events, &seen, &op, &cdp, NULL),
                     APER_OK);
    fake_browser_answer(fake, "Test.ok", "{\"ok\":true}");
}

static void teardown(void)
{
    aper__cdp_shutdown(cdp);
    ck_assert_uint_eq(seen.closed, 1);
    ck_assert(seen.on_io);
    aper__cdp_unref(cdp);
    fake_browser_stop(fake);
}

static aper_status call_in(const char *session, const char *method,
                           uint32_t timeout_ms, json_t **ret_result,
                           aper_error **ret_error)
{
    aper__op op;
    aper__op_init(&op, timeout_ms);
    aper_status status = aper__cdp_call(cdp, session, method, NULL, &op,
                                        ret_result, ret_error);
    return status;
}

static aper_status call(const char *method)
{
    return call_in("", method, 30000, NULL, NULL);
}

static void check_works(void)
{
    json_t *result = NULL;
    ck_assert_int_eq(call_in("", "Test.ok", 30000, &result, NULL), APER_OK);
    ck_assert(aper__json_bool(result, "ok"));
    json_decref(result);
}

/* ---- answers -------------------------------------------------------------- */

/* Answers with the command itself. */
static void echo(fake_browser *f, json_t *command, void *userdata APER_UNUSED)
{
    json_t *answer = json_pack("{s:O,s:O}", "id",
                               json_object_get(command, "id"), "result",
                               command);
    char *text = json_dumps(answer, 0);
    fake_browser_send_raw(f, text, strlen(text) + 1);
    free(text);
    json_decref(answer);
}

START_TEST(a_call_sends_what_it_was_given_and_gets_its_answer)
{
    aper__op op;
    json_t *sent = NULL;
    setup(echo);
    aper__op_init(&op, 30000);
    ck_assert_int_eq(
        aper__cdp_call(cdp, "S\"1\\", "Page.x",
                       json_pack("{s:s,s:[i,f]}", "t", "a\"\xc3\xa4\n", "n", 1,
                                 0.5), &op, &sent, NULL), APER_OK);
    ck_assert_str_eq(aper__json_string(sent, "method"), "Page.x");
    ck_assert_str_eq(aper__json_string(sent, "sessionId"), "S\"1\\");
    ck_assert_int_eq(aper__json_int(sent, "id", 0), 1);
    json_t *params = aper__json_get(sent, "params");
    ck_assert_str_eq(aper__json_string(params, "t"), "a\"\xc3\xa4\n");
    ck_assert_uint_eq(json_array_size(json_object_get(params, "n")), 2);
    json_decref(sent);
    ck_assert_int_eq(aper__cdp_call(cdp, "", "Page.y", NULL, &op, &sent, NULL),
                     APER_OK);
    ck_assert_uint_eq(json_object_size(sent), 2); /* id, method */
    ck_assert_int_eq(aper__json_int(sent, "id", 0), 2);
    json_decref(sent);
    teardown();
}
END_TEST

static void refuse(fake_browser *f, json_t *command,
                   void *userdata APER_UNUSED)
{
    fake_browser_send(f, "{\"id\":%u,\"error\":{\"code\":-32601,"
                         "\"message\":\"wasn't found\"}}",
                      (unsigned)aper__json_int(command, "id", 0));
}

START_TEST(a_refusal_carries_method_and_code)
{
    aper_error *error = NULL;
    setup(refuse);
    ck_assert_int_eq(call_in("", "Page.none", 30000, NULL, &error),
                     APER_E_REMOTE);
    ck_assert_str_eq(aper_error_get_cdp_method(error), "Page.none");
    ck_assert_int_eq(aper_error_get_cdp_code(error), -32601);
    ck_assert_ptr_nonnull(
        strstr(aper_error_get_message(error), "wasn't found"));
    aper_error_unref(error);
    teardown();
}
END_TEST

START_TEST(answers_in_another_order_find_their_calls)
{
    aper__op op;
    aper__cdp_pending *a = NULL, *b = NULL;
    json_t *result = NULL;
    setup(NULL);
    aper__op_init(&op, 30000);
    ck_assert_int_eq(aper__cdp_begin(cdp, "", "A.a", NULL, &op, &a, NULL),
                     APER_OK);
    ck_assert_int_eq(aper__cdp_begin(cdp, "", "B.b", NULL, &op, &b, NULL),
                     APER_OK);
    ck_assert(fake_browser_wait(fake, "B.b", 1));
    fake_browser_send(fake, "{\"id\":%u,\"result\":{\"n\":2}}", 2);
    fake_browser_send(fake, "{\"id\":%u,\"result\":{\"n\":1}}", 1);
    ck_assert_int_eq(aper__cdp_finish(a, &result, NULL), APER_OK);
    ck_assert_int_eq(aper__json_int(result, "n", 0), 1);
    json_decref(result);
    ck_assert_int_eq(aper__cdp_finish(b, &result, NULL), APER_OK);
    ck_assert_int_eq(aper__json_int(result, "n", 0), 2);
    json_decref(result);
    teardown();
}
END_TEST

static void *call_often(void *arg APER_UNUSED)
{
    for (int i = 0; i < 200; i++) {
        aper__op op;
        json_t *sent = NULL;
        aper__op_init(&op, 30000);
        aper_status status =
            aper__cdp_call(cdp, "S", "Test.echo", json_pack("{s:i}", "i", i),
                           &op, &sent, NULL);
        bool right = status == APER_OK
                  && json_integer_value(aper__json_get(sent, "params.i")) == i;
        json_decref(sent);
        if (!right)
            return (void *)1;
    }
    return NULL;
}

START_TEST(many_threads_get_each_their_own_answer)
{
    pthread_t threads[8];
    setup(echo);
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, call_often, NULL);
    for (int i = 0; i < 8; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
    teardown();
}
END_TEST

/* ---- giving up ------------------------------------------------------------- */

START_TEST(a_late_answer_finds_nobody)
{
    aper_error *error = NULL;
    setup(NULL);
    ck_assert_int_eq(call_in("", "Test.slow", 20, NULL, &error),
                     APER_E_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "Test.slow"));
    aper_error_unref(error);
    ck_assert(fake_browser_wait(fake, "Test.slow", 1));
    fake_browser_send(fake, "{\"id\":%u,\"result\":{}}", 1);
    check_works();
    teardown();
}
END_TEST

static void *interrupt(void *arg)
{
    fake_browser_wait(fake, "Test.slow", 1);
    aper__op_interrupt(arg, APER_E_CANCELLED);
    return NULL;
}

START_TEST(an_interrupt_ends_the_wait)
{
    aper__op op;
    pthread_t thread;
    setup(NULL);
    aper__op_init(&op, 30000);
    pthread_create(&thread, NULL, interrupt, &op);
    ck_assert_int_eq(
        aper__cdp_call(cdp, "", "Test.slow", NULL, &op, NULL, NULL),
        APER_E_CANCELLED);
    pthread_join(thread, NULL);
    ck_assert_int_eq(
        aper__cdp_call(cdp, "", "Test.never", json_object(), &op, NULL, NULL),
        APER_E_CANCELLED);
    check_works();
    ck_assert_uint_eq((unsigned)fake_browser_wait(fake, NULL, 2), 1);
    teardown();
}
END_TEST

/* ---- the end ---------------------------------------------------------------- */

static void vanish(fake_browser *f, json_t *command APER_UNUSED,
                   void *userdata APER_UNUSED)
{
    fake_browser_vanish(f);
}

START_TEST(a_vanished_browser_ends_calls_at_once)
{
    aper__op op;
    aper__cdp_pending *other = NULL;
    setup(vanish);
    aper__op_init(&op, 300000);
    ck_assert_int_eq(aper__cdp_send(cdp, "", "Test.ok", NULL, 0, NULL, NULL),
                     APER_OK);
    ck_assert_int_eq(
        aper__cdp_begin(cdp, "S", "Test.kill", NULL, &op, &other, NULL),
        APER_OK);
    ck_assert_int_eq(call_in("", "Test.kill", 300000, NULL, NULL),
                     APER_E_GONE);
    ck_assert_int_eq(aper__cdp_finish(other, NULL, NULL), APER_E_GONE);
    ck_assert_int_eq(call("Test.ok"), APER_E_GONE);
    ck_assert_int_eq(aper__cdp_send(cdp, "", "Test.ok", NULL, 0, on_reply,
                                    &seen), APER_E_GONE);
    wait_count(&seen.closed, 1);
    ck_assert_int_eq(seen.why, APER_E_GONE);
    ck_assert_uint_eq(seen.replies, 0);
    teardown();
}
END_TEST

static void speak(fake_browser *f, json_t *command, void *userdata APER_UNUSED)
{
    const char *text = json_string_value(
        aper__json_get(command, "params.text"));
    if (text)
        fake_browser_send_raw(f, text, strlen(text) + 1);
}

static const char *const no_cdp[] = {"hello", "[1]", "{\"id\":1", "12",
                                     "{} {}"};

START_TEST(what_is_not_cdp_ends_the_connection)
{
    aper__op op;
    aper__op_init(&op, 300000);
    for (size_t i = 0; i < sizeof no_cdp / sizeof no_cdp[0]; i++) {
        setup(speak);
        ck_assert_int_eq(
            aper__cdp_call(cdp, "", "Test.say",
                           json_pack("{s:s}", "text", no_cdp[i]), &op, NULL,
                           NULL), APER_E_PROTOCOL);
        wait_count(&seen.closed, 1);
        ck_assert_int_eq(seen.why, APER_E_PROTOCOL);
        ck_assert_int_eq(call("Test.ok"), APER_E_PROTOCOL);
        teardown();
    }
}
END_TEST

START_TEST(closing_ends_all_with_closed)
{
    aper__op op;
    aper__cdp_pending *pending = NULL;
    setup(NULL);
    aper__op_init(&op, 300000);
    ck_assert_int_eq(aper__cdp_begin(cdp, "", "A.a", NULL, &op, &pending, NULL),
                     APER_OK);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "", "B.b", NULL, 0, on_reply, &seen), APER_OK);
    aper__cdp_close(cdp);
    ck_assert_int_eq(aper__cdp_finish(pending, NULL, NULL), APER_E_CLOSED);
    wait_count(&seen.closed, 1);
    ck_assert_uint_eq(seen.replies, 1);
    ck_assert_int_eq(seen.status, APER_E_CLOSED);
    ck_assert_int_eq(call("Test.ok"), APER_E_CLOSED);
    teardown();
}
END_TEST

START_TEST(nothing_is_left_afterwards)
{
    unsigned fds = leaks_fds();
    unsigned threads = leaks_threads();
    for (unsigned i = 0; i < 20; i++) {
        setup(NULL);
        check_works();
        ck_assert_int_eq(
            aper__cdp_send(cdp, "", "B.b", NULL, 0, NULL, NULL), APER_OK);
        teardown();
    }
    ck_assert_uint_eq(leaks_fds(), fds);
    ck_assert(leaks_wait_threads(threads));
}
END_TEST

START_TEST(failing_to_open_tells_no_closed)
{
    aper__op op;
    aper_error *error = NULL;
    aper__cdp *none = NULL;
    aper__wire_target where = {.url = "ws://127.0.0.1:1/x",
                                .connect_timeout_ms = 30000};
    aper__cdp_target target = {.websocket = &where};
    unsigned threads = leaks_threads();
    forget();
    aper__op_init(&op, 30000);
    ck_assert_int_eq(
        aper__cdp_open(&target, &events, &seen, &op, &none, &error),
        APER_E_CONNECT);
    ck_assert_ptr_null(none);
    ck_assert_ptr_nonnull(error);
    aper_error_unref(error);
    ck_assert_uint_eq(seen.closed, 0);
    ck_assert(leaks_wait_threads(threads));
}
END_TEST

/* ---- hostile answers --------------------------------------------------------- */

START_TEST(wrong_types_and_ids_harm_nobody)
{
    static const char *const noise[] = {
        "{}", "{\"id\":\"1\",\"result\":{}}", "{\"id\":99,\"result\":{}}",
        "{\"id\":-1,\"result\":{}}", "{\"id\":null}", "{\"id\":1.5}",
        "{\"id\":18446744073709552000,\"result\":{}}",
        "{\"id\":{\"id\":1},\"error\":5}", "{\"method\":5,\"params\":{}}",
        "{\"id\":1,\"result\":{},\"id\":98}"};
    aper__op op;
    aper__cdp_pending *pending = NULL;
    json_t *result = NULL;
    setup(NULL);
    aper__op_init(&op, 30000);
    ck_assert_int_eq(aper__cdp_begin(cdp, "", "A.a", NULL, &op, &pending, NULL),
                     APER_OK);
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
        fake_browser_send(fake, noise[i], 0);
    fake_browser_send(fake, "{\"id\":%u,\"result\":{\"n\":1}}", 1);
    fake_browser_send(fake, "{\"id\":%u,\"result\":{\"n\":2}}", 1);
    ck_assert_int_eq(aper__cdp_finish(pending, &result, NULL), APER_OK);
    ck_assert_int_eq(aper__json_int(result, "n", 0), 1);
    json_decref(result);
    check_works();
    ck_assert_uint_eq(seen.events, 0);
    teardown();
}
END_TEST

static const struct {
    const char *text;
    aper_status status;
} broken[] = {
    {"{\"id\":%u}", APER_E_PROTOCOL},
    {"{\"id\":%u,\"result\":7}", APER_E_PROTOCOL},
    {"{\"id\":%u,\"result\":[]}", APER_E_PROTOCOL},
    {"{\"id\":%u,\"error\":\"no\"}", APER_E_PROTOCOL},
    {"{\"id\":%u,\"error\":{}}", APER_E_REMOTE},
    {"{\"id\":%u,\"error\":{\"code\":\"x\",\"message\":[]}}", APER_E_REMOTE},
};

static void answer_broken(fake_browser *f, json_t *command,
                          void *userdata APER_UNUSED)
{
    static size_t next;
    fake_browser_send(f, broken[next++].text,
                      (unsigned)aper__json_int(command, "id", 0));
}

START_TEST(a_broken_answer_ends_its_call_only)
{
    setup(answer_broken);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        ck_assert_int_eq(call("Test.broken"), broken[i].status);
    check_works();
    teardown();
}
END_TEST

static void answer_deep(fake_browser *f, json_t *command,
                        void *userdata APER_UNUSED)
{
    char text[3100];
    int size = snprintf(text, sizeof text, "{\"id\":%d,\"result\":{\"a\":",
                        (int)aper__json_int(command, "id", 0));
    memset(text + size, '[', 1000);
    memset(text + size + 1000, ']', 1000);
    memcpy(text + size + 2000, "}}", 3);
    fake_browser_send(f, text, 0);
}

START_TEST(a_deep_answer_ends_its_call_only)
{
    setup(answer_deep);
    ck_assert_int_eq(call("Test.deep"), APER_E_TOO_BIG);
    check_works();
    teardown();
}
END_TEST

/* ---- events -------------------------------------------------------------------- */

START_TEST(events_come_with_session_and_params)
{
    setup(NULL);
    check_works();
    fake_browser_send(fake, "{\"method\":\"Page.a\",\"sessionId\":\"S1\","
                            "\"params\":{\"x\":1,\"y\":2}}", 0);
    wait_count(&seen.events, 1);
    ck_assert_str_eq(seen.session, "S1");
    ck_assert_str_eq(seen.method, "Page.a");
    ck_assert_uint_eq(seen.params, 2);
    fake_browser_send(fake, "{\"method\":\"Page.b\",\"params\":[1]}", 0);
    wait_count(&seen.events, 2);
    ck_assert_str_eq(seen.session, "");
    ck_assert_uint_eq(seen.params, 0);
    fake_browser_send(fake, "{\"method\":\"Page.c\",\"sessionId\":7}", 0);
    wait_count(&seen.events, 3);
    ck_assert_str_eq(seen.session, "");
    teardown();
}
END_TEST

START_TEST(nothing_arrives_before_the_first_command)
{
    setup(NULL);
    fake_browser_send(fake, "{\"method\":\"Page.a\"}", 0);
    fake_browser_send(fake, "not even JSON", 0);
    usleep(50000);
    fake_browser_send(fake, "{\"method\":\"Page.b\"}", 0);
    usleep(50000);
    ck_assert_uint_eq(seen.events, 0);
    check_works();
    teardown();
}
END_TEST

/* ---- sending without waiting ------------------------------------------------------ */

START_TEST(replies_come_once)
{
    setup(refuse);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "", "Test.ok", NULL, 0, on_reply, &seen), APER_OK);
    wait_count(&seen.replies, 1);
    ck_assert_int_eq(seen.status, APER_OK);
    ck_assert_int_eq(aper__cdp_send(cdp, "S", "Test.no", json_object(), 0,
                                    on_reply, &seen), APER_OK);
    wait_count(&seen.replies, 2);
    ck_assert_int_eq(seen.status, APER_E_REMOTE);
    teardown();
    ck_assert_uint_eq(seen.replies, 2);
}
END_TEST

START_TEST(a_reply_comes_at_the_deadline_too)
{
    setup(NULL);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "", "A.a", NULL, 60000, on_reply, &seen), APER_OK);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "", "A.b", NULL, 60, on_reply, &seen), APER_OK);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "", "A.c", NULL, 20, on_reply, &seen), APER_OK);
    wait_count(&seen.replies, 2);
    ck_assert_int_eq(seen.status, APER_E_TIMEOUT);
    fake_browser_send(fake, "{\"id\":%u,\"result\":{}}", 2);
    fake_browser_send(fake, "{\"id\":%u,\"result\":{}}", 1);
    wait_count(&seen.replies, 3);
    ck_assert_int_eq(seen.status, APER_OK);
    teardown();
    ck_assert_uint_eq(seen.replies, 3);
}
END_TEST

/* ---- sessions ---------------------------------------------------------------------- */

START_TEST(a_failed_session_ends_its_own_calls)
{
    aper__op op;
    aper_error *error = NULL;
    aper__cdp_pending *a = NULL, *b = NULL;
    setup(NULL);
    aper__op_init(&op, 300000);
    ck_assert_int_eq(aper__cdp_begin(cdp, "S1", "A.a", NULL, &op, &a, NULL),
                     APER_OK);
    ck_assert_int_eq(aper__cdp_begin(cdp, "S2", "A.b", NULL, &op, &b, NULL),
                     APER_OK);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "S1", "A.c", NULL, 0, on_reply, &seen), APER_OK);
    aper__cdp_fail_session(cdp, "S1", APER_E_CRASHED, "it crashed");
    ck_assert_int_eq(aper__cdp_finish(a, NULL, &error), APER_E_CRASHED);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error), "it crashed"));
    aper_error_unref(error);
    wait_count(&seen.replies, 1);
    ck_assert_int_eq(seen.status, APER_E_CRASHED);
    ck_assert_int_eq(call_in("S1", "Test.ok", 30000, NULL, NULL),
                     APER_E_CRASHED);
    ck_assert_int_eq(
        aper__cdp_send(cdp, "S1", "A.c", NULL, 0, on_reply, &seen),
        APER_E_CRASHED);
    check_works();
    fake_browser_send(fake, "{\"id\":%u,\"result\":{}}", 2);
    ck_assert_int_eq(aper__cdp_finish(b, NULL, NULL), APER_OK);
    aper__cdp_revive_session(cdp, "S1");
    ck_assert_int_eq(call_in("S1", "Test.ok", 30000, NULL, NULL), APER_OK);
    teardown();
}
END_TEST

/* ---- memory --------------------------------------------------------------------------- */

START_TEST(without_memory_a_call_fails_and_the_next_works)
{
    bool passed = false;
    setup(echo);
    check_works();
    for (uint64_t n = 1; n < 50 && !passed; n++) {
        aper__alloc_fail_at(n, false);
        aper_status status = call_in("S", "Test.echo", 5000, NULL, NULL);
        aper__alloc_fail_at(0, false);
        passed = status == APER_OK;
        ck_assert_msg(passed || status == APER_E_NOMEM, "%s at %u",
                      aper_status_get_name(status), (unsigned)n);
        if (passed && n == 1)
            passed = false; /* the first must have hit something */
        check_works();
    }
    ck_assert(passed);
    teardown();
}
END_TEST

SUITE("cdp", 60, a_call_sends_what_it_was_given_and_gets_its_answer,
      a_refusal_carries_method_and_code,
      answers_in_another_order_find_their_calls,
      many_threads_get_each_their_own_answer,
      a_late_answer_finds_nobody,
      an_interrupt_ends_the_wait,
      a_vanished_browser_ends_calls_at_once,
      what_is_not_cdp_ends_the_connection,
      closing_ends_all_with_closed,
      nothing_is_left_afterwards,
      failing_to_open_tells_no_closed,
      wrong_types_and_ids_harm_nobody,
      a_broken_answer_ends_its_call_only,
      a_deep_answer_ends_its_call_only,
      events_come_with_session_and_params,
      nothing_arrives_before_the_first_command,
      replies_come_once,
      a_reply_comes_at_the_deadline_too,
      a_failed_session_ends_its_own_calls,
      without_memory_a_call_fails_and_the_next_works)
