/* SPDX-License-Identifier: Apache-2.0 */
/* The frame tree over all processes; it has no public call, so this test sees
 * the inside. */
#include "browser/browser.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(void)
{
    fixture_start();
    show("/first.html");
}

/* Adds a frame and waits until it has loaded. */
static void add_frame(const char *host, const char *path)
{
    char *url = site_url(server, host, path);
    char script[512];
    snprintf(script, sizeof(script),
             "new Promise(done => { const frame = document.createElement("
             "'iframe'); frame.src = '%s'; frame.onload = () => done(1);"
             "document.body.append(frame); })",
             url);
    free(url);
    aper_free(live_eval(tab, script));
}

/* Waits until there are so many frames, one of them with the address. */
static aper__frame *wait_frames(size_t want, const char *url)
{
    for (;;) {
        aper__frame *frames = NULL;
        size_t count = 0;
        ck_assert_int_eq(aper__tab_frames(tab, &frames, &count), APER_OK);
        for (size_t i = 0; count == want && i < count; i++) {
            if (strcmp(frames[i].url, url) == 0)
                return frames;
        }
        aper__frames_free(frames, count);
        aper_free(live_eval(tab, "1"));
    }
}

START_TEST(frames_of_this_and_other_processes_are_reached_in_their_sessions)
{
    add_frame(NULL, "/second.html");
    add_frame("localhost", "/second.html");
    char *there = site_url(server, "localhost", "/second.html");
    aper__frame *frames = wait_frames(3, there);
    ck_assert_str_eq(frames[0].frame_id, aper_tab_get_id(tab));
    ck_assert_str_eq(frames[0].parent_id, "");
    for (size_t i = 0; i < 3; i++) {
        bool foreign = strcmp(frames[i].url, there) == 0;
        ck_assert_int_eq(strcmp(frames[i].session, aper__tab_session(tab))
                             != 0,
                         foreign);
        if (i > 0)
            ck_assert_str_eq(frames[i].parent_id, frames[0].frame_id);
        aper__op op;
        json_t *answer = NULL;
        ck_assert_int_eq(aper__tab_begin(tab, &op, LIVE_WAIT_MS, false, NULL),
                         APER_OK);
        ck_assert_int_eq(aper__cdp_call(aper__browser_cdp(browser),
                                        frames[i].session,
                                        "Page.getFrameTree", NULL, &op,
                                        &answer, NULL),
                         APER_OK);
        json_decref(answer);
        aper__tab_end(tab, &op);
    }
    free(there);
    aper__frames_free(frames, 3);
    aper_free(live_eval(tab, "document.querySelectorAll('iframe')"
                             ".forEach(frame => frame.remove()), 1"));
    char *here = site_url(server, NULL, "/first.html");
    aper__frames_free(wait_frames(1, here), 1);
    free(here);
}
END_TEST

START_TEST(a_frame_that_changes_process_stays_one_frame)
{
    add_frame(NULL, "/second.html");
    char *there = site_url(server, "localhost", "/first.html");
    char script[512];
    snprintf(script, sizeof(script),
             "new Promise(done => { const frame = document.querySelector("
             "'iframe'); frame.onload = () => done(1); frame.src = '%s'; })",
             there);
    aper_free(live_eval(tab, script));
    aper__frame *frames = wait_frames(2, there);
    ck_assert_str_ne(frames[1].session, aper__tab_session(tab));
    free(there);
    aper__frames_free(frames, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");
    tcase_add_unchecked_fixture(tests, start, fixture_stop);
    tcase_add_test(
        tests,
        frames_of_this_and_other_processes_are_reached_in_their_sessions);
    tcase_add_test(tests, a_frame_that_changes_process_stays_one_frame);
    suite_add_tcase(suite, tests);
    return live_run(suite);
}
