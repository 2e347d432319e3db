/* SPDX-License-Identifier: Apache-2.0 */
/* The same conversation with a real browser over both transports, recorded,
 * and with the recording. The one in tests/replay was made by
 *   build/tests/unit/unit-cdp_chromium tests/replay/recordings/tab.cdp
 */
#include "conversation.h"
#include "leaks.h"
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const char *kept; /* where the recording goes, or NULL */

static aper__launch *launch(conversation *talk, unsigned use_pipe)
{
    aper__op op;
    aper__launch *started = NULL;
    aper_error *error = NULL;
    aper_launch_options options = {.size = sizeof options,
                                   .no_sandbox = geteuid() == 0,
                                   .use_pipe = use_pipe};
    leaks_new_tmp();
    aper__op_init(&op, 60000);
    aper_status status = aper__launch_start(&options, &op, &started, &error);
    ck_assert_msg(status == APER_OK, "%s", aper_error_get_message(error));
    aper__wire_target where = {.url = aper__launch_endpoint(started),
                               .connect_timeout_ms = 60000};
    aper__cdp_target target = {.websocket = where.url ? &where : NULL,
                               .pipe_fd = aper__launch_take_pipe(started)};
    conversation_open(talk, &target);
    return started;
}

static void hold(unsigned use_pipe, const char *recording)
{
    conversation talk;
    aper__launch *started = launch(&talk, use_pipe);
    if (recording)
        ck_assert_int_eq(aper__cdp_record(talk.cdp, recording), APER_OK);
    conversation_hold(&talk);
    conversation_close(&talk);
    aper__launch_free(started);
}

START_TEST(a_browser_talks_over_a_port) { hold(0, NULL); }
END_TEST

START_TEST(a_browser_talks_over_a_pipe) { hold(1, NULL); }
END_TEST

START_TEST(what_was_recorded_can_be_played)
{
    conversation talk;
    char path[200];
    snprintf(path, sizeof path, "%s", kept ? kept : "/tmp/aperture-XXXXXX");
    if (!kept) {
        close(mkstemp(path));
        unlink(path); /* the recording makes its own */
    }
    hold(0, path);
    aper__cdp_target target = {.replay = path};
    conversation_open(&talk, &target);
    conversation_hold(&talk);
    conversation_close(&talk);
    if (!kept)
        unlink(path);
}
END_TEST

START_TEST(a_killed_browser_ends_a_call_as_gone)
{
    aper__cdp_pending *pending = NULL;
    conversation talk;
    for (unsigned use_pipe = 0; use_pipe < 2; use_pipe++) {
        aper__launch *started = launch(&talk, use_pipe);
        json_decref(conversation_call(&talk, "Browser.getVersion", NULL));
        /* never answered: the browser is stopped before it can */
        kill((pid_t)aper__launch_pid(started), SIGSTOP);
        ck_assert_int_eq(
            aper__cdp_begin(talk.cdp, "", "Browser.getVersion", NULL,
                            &talk.op, &pending, NULL), APER_OK);
        kill((pid_t)aper__launch_pid(started), SIGKILL);
        ck_assert_int_eq(aper__cdp_finish(pending, NULL, NULL), APER_E_GONE);
        conversation_close(&talk);
        aper__launch_free(started);
    }
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {
        a_browser_talks_over_a_port, a_browser_talks_over_a_pipe,
        what_was_recorded_can_be_played, a_killed_browser_ends_a_call_as_gone};
    kept = argc > 1 ? argv[1] : NULL;
    return suite_run("cdp_chromium", tests, sizeof tests / sizeof tests[0],
                     120);
}
