/* SPDX-License-Identifier: Apache-2.0 */
/* One conversation with a browser, held with a real one and with recordings of
 * it. It uses internal functions, so it is all in this header. */
#ifndef TESTS_CONVERSATION_H
#define TESTS_CONVERSATION_H

#include "cdp/cdp.h"

#include <check.h>
#include <string.h>

typedef struct conversation {
    aper__op op; /* for all of it; woken by every event */
    aper__cdp *cdp;
    char session[64];
    atomic_uint loads;
    atomic_uint detached;
    atomic_uint closed;
} conversation;

static void conversation_event(void *userdata, const char *session,
                               const char *method, json_t *params APER_UNUSED)
{
    conversation *talk = userdata;
    if (strcmp(method, "Page.loadEventFired") == 0
        && strcmp(session, talk->session) == 0)
        atomic_fetch_add(&talk->loads, 1);
    if (strcmp(method, "Target.detachedFromTarget") == 0)
        atomic_fetch_add(&talk->detached, 1);
    aper__op_wake(&talk->op);
}

static void conversation_closed(void *userdata, aper_status why APER_UNUSED,
                                const char *detail APER_UNUSED)
{
    conversation *talk = userdata;
    atomic_fetch_add(&talk->closed, 1);
    aper__op_wake(&talk->op);
}

static void conversation_open(conversation *talk,
                              const aper__cdp_target *target)
{
    static const aper__cdp_events events = {conversation_event,
                                            conversation_closed};
    aper_error *error = NULL;
    memset(talk, 0, sizeof *talk);
    aper__op_init(&talk->op, 60000);
    aper_status status = aper__cdp_open(target, &events, talk, &talk->op,
                                        &talk->cdp, &error);
    ck_assert_msg(status == APER_OK, "%s", aper_error_get_message(error));
}

static void conversation_close(conversation *talk)
{
    aper__cdp_shutdown(talk->cdp);
    ck_assert_uint_eq(atomic_load(&talk->closed), 1);
    aper__cdp_unref(talk->cdp);
}

static json_t *conversation_call(conversation *talk, const char *method,
                                 json_t *params)
{
    json_t *result = NULL;
    aper_error *error = NULL;
    aper_status status = aper__cdp_call(talk->cdp, talk->session, method,
                                        params, &talk->op, &result, &error);
    ck_assert_msg(status == APER_OK, "%s", aper_error_get_message(error));
    return result;
}

static void conversation_wait(conversation *talk, atomic_uint *count)
{
    for (;;) {
        uint64_t seen = aper__op_seen(&talk->op);
        if (atomic_load(count) > 0)
            return;
        ck_assert_int_eq(aper__op_wait(&talk->op, seen), APER_OK);
    }
}

/* The value of an expression, as JSON; the caller frees the result. */
static json_t *conversation_eval(conversation *talk, const char *expression)
{
    json_t *result = conversation_call(
        talk, "Runtime.evaluate",
        json_pack("{s:s,s:b}", "expression", expression, "returnByValue", 1));
    json_t *value = json_incref(aper__json_get(result, "result.value"));
    json_decref(result);
    return value;
}

static void conversation_check(conversation *talk, const char *expression,
                               json_t *expected)
{
    json_t *value = conversation_eval(talk, expression);
    ck_assert_msg(json_equal(value, expected), "%s gives something else",
                  expression);
    json_decref(value);
    json_decref(expected);
}

static void conversation_refusal(conversation *talk)
{
    aper_error *error = NULL;
    ck_assert_int_eq(
        aper__cdp_call(talk->cdp, talk->session, "Page.noSuchCommand", NULL,
                       &talk->op, NULL, &error), APER_E_REMOTE);
    ck_assert_int_eq(aper_error_get_cdp_code(error), -32601);
    aper_error_unref(error);
}

/* Opens a tab, attaches, navigates, asks what a page could say, closes the tab,
 * which is the only one, and finds the browser still there. */
static void conversation_hold(conversation *talk)
{
    json_t *result = conversation_call(
        talk, "Target.createTarget",
        json_pack("{s:s,s:b}", "url", "about:blank", "background", 1));
    char target[64];
    strcpy(target, "");
    strncat(target, aper__json_string(result, "targetId"), 63);
    json_decref(result);
    result = conversation_call(
        talk, "Target.attachToTarget",
        json_pack("{s:s,s:b}", "targetId", target, "flatten", 1));
    strncat(talk->session, aper__json_string(result, "sessionId"), 63);
    json_decref(result);
    json_decref(conversation_call(talk, "Page.enable", NULL));
    json_decref(conversation_call(
        talk, "Page.navigate", json_pack("{s:s}", "url", "about:blank")));
    conversation_wait(talk, &talk->loads);
    conversation_check(talk, "6 * 7", json_integer(42));
    conversation_check(talk, "'a\\ud800b\\0c'",
                       json_string("a\xef\xbf\xbd" "b\xef\xbf\xbd" "c"));
    conversation_check(talk, "2 ** 64", json_real(18446744073709551616.0));
    conversation_check(talk, "'\\ud83d\\ude00'.repeat(3)",
                       json_string("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
                                   "\xf0\x9f\x98\x80"));
    conversation_refusal(talk);
    talk->session[0] = '\0';
    json_decref(conversation_call(talk, "Target.closeTarget",
                                  json_pack("{s:s}", "targetId", target)));
    conversation_wait(talk, &talk->detached);
    json_decref(conversation_call(talk, "Browser.getVersion", NULL));
}

#endif
