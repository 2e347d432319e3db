/* SPDX-License-Identifier: Apache-2.0 */
/* A conversation that was held with a real Chromium, without one. */
#include "conversation.h"
#include "suite.h"

START_TEST(a_recorded_tab_is_opened_asked_and_closed)
{
    conversation talk;
    aper__cdp_target target = {.replay = RECORDINGS_DIR "/tab.cdp"};
    conversation_open(&talk, &target);
    conversation_hold(&talk);
    conversation_close(&talk);
}
END_TEST

START_TEST(leaving_the_recording_ends_the_connection)
{
    conversation talk;
    aper__cdp_target target = {.replay = RECORDINGS_DIR "/tab.cdp"};
    conversation_open(&talk, &target);
    ck_assert_int_eq(
        aper__cdp_call(talk.cdp, "", "Browser.close", NULL, &talk.op, NULL,
                       NULL), APER_E_PROTOCOL);
    conversation_close(&talk);
}
END_TEST

SUITE("tab", 60, a_recorded_tab_is_opened_asked_and_closed,
      leaving_the_recording_ends_the_connection)
