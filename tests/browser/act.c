/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_click_is_trusted_and_its_change_is_told)
{
    show("/form.html");
    aper_free(live_eval(tab, "addEventListener('click', (e) => {"
                             " out.textContent = 'trusted ' + e.isTrusted; }),"
                             " 1"));
    aper_act_result *result = agent_click(tab, "Dead");
    ck_assert(agent_saw(result, APER_EFFECT_CHANGE));
    agent_has(aper_act_result_get_outcome(result), "clicked button e");
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
        "\"trusted true\"");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_click_without_effect_says_so)
{
    show("/form.html");
    aper_act_result *result = agent_click(tab, "Dead");
    ck_assert_uint_eq(aper_act_result_get_effect_count(result), 0);
    agent_has(aper_act_result_get_outcome(result), "nothing observed");
    ck_assert(aper_diff_is_empty(aper_act_result_get_diff(result)));
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(without_a_snapshot_before_there_is_no_difference)
{
    show("/form.html");
    char *ref = agent_ref(tab, "Send");
    aper_tab *same = NULL;
    ck_assert_int_eq(aper_browser_find_tab(browser, aper_tab_get_id(tab),
                                           &same, NULL), APER_OK);
    aper_act_options press = {.verb = APER_ACT_PRESS, .key = "Tab"};
    aper_act_result *result = agent_act(same, &press, APER_OK, NULL);
    ck_assert_ptr_nonnull(aper_act_result_get_diff(result));
    aper_act_result_unref(result);
    aper_tab_unref(same);
    free(ref);
    leave();
    show("/form.html");
    result = agent_act(tab, &press, APER_OK, NULL);
    ck_assert_ptr_null(aper_act_result_get_diff(result));
    ck_assert_ptr_nonnull(aper_act_result_get_snapshot(result));
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(clicks_have_buttons_counts_and_modifiers)
{
    show("/form.html");
    char *ref = agent_ref(tab, "Count");
    aper_act_options twice = {.verb = APER_ACT_CLICK, .ref = ref,
                              .click_count = 2};
    aper_act_result_unref(agent_act(tab, &twice, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'ccD'");
    aper_free(live_eval(tab, "onclick = (e) => { out.textContent ="
                             " [e.shiftKey, e.ctrlKey, e.altKey].join(); }"));
    aper_act_options held = {
        .verb = APER_ACT_CLICK, .ref = ref,
        .modifiers = APER_MODIFIER_SHIFT | APER_MODIFIER_ALT};
    aper_act_result_unref(agent_act(tab, &held, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'true,false,true'");
    free(ref);
    ref = agent_ref(tab, "Right");
    aper_act_options right = {.verb = APER_ACT_CLICK, .ref = ref,
                              .button = APER_BUTTON_RIGHT};
    aper_act_result_unref(agent_act(tab, &right, APER_OK, NULL));
    agent_holds(tab, "out.textContent === 'menu'");
    free(ref);
    leave();
}
END_TEST

START_TEST(typing_goes_behind_what_a_field_holds)
{
    show("/form.html");
    aper_act_result *result = agent_do(tab, APER_ACT_TYPE, "Notes", " two");
    ck_assert(agent_saw(result, APER_EFFECT_VALUE));
    agent_holds(tab, "document.forms[0].notes.value === 'one two'");
    aper_act_result_unref(result);
    /* A field whose caret scripts may not move. */
    aper_act_result_unref(agent_do(tab, APER_ACT_TYPE, "Mail", "d"));
    agent_holds(tab, "document.forms[0].mail.value === 'a@b.cd'");
    leave();
}
END_TEST

START_TEST(text_and_keys_reach_no_other_element)
{
    static const char *const no_fields[] = {"Gift", "Colour", "Count",
                                            "Hover me"};
    show("/form.html");
    char *plain = agent_ref(tab, "Plain");
    for (size_t i = 0; i < sizeof no_fields / sizeof no_fields[0]; i++) {
        aper_act_result_unref(agent_click(tab, "Name"));
        agent_refused_by_name(tab, APER_ACT_TYPE, no_fields[i], "x",
                              APER_E_NOT_ACTIONABLE, "no field for text");
    }
    aper_act_result_unref(agent_click(tab, "Name"));
    agent_refused(tab, APER_ACT_TYPE, plain, "x", APER_E_NOT_ACTIONABLE,
                  "no field for text");
    const aper_act_options press = {.verb = APER_ACT_PRESS, .ref = plain,
                                    .key = "x"};
    char *message;
    agent_act(tab, &press, APER_E_NOT_ACTIONABLE, &message);
    agent_has(message, " \"Plain\" cannot be used: it does not take the focus");
    agent_holds(tab, "who.value === '' && document.activeElement === who");
    free(message);
    free(plain);
    leave();
}
END_TEST

START_TEST(filling_replaces_and_is_read_back)
{
    show("/form.html");
    aper_act_result *result = agent_do(tab, APER_ACT_FILL, "Notes", "new Ω 漢字 😀");
    ck_assert(agent_saw(result, APER_EFFECT_VALUE));
    agent_has(aper_act_result_get_outcome(result),
        "value is now \"new Ω 漢字 😀\"");
    agent_holds(tab, "document.forms[0].notes.value === 'new Ω 漢字 😀'");
    aper_act_result_unref(result);
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Notes", ""));
    agent_holds(tab, "document.forms[0].notes.value === ''");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Mail", "x@y.z"));
    agent_holds(tab, "document.forms[0].mail.value === 'x@y.z'");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Day", "2024-02-29"));
    agent_holds(tab, "document.forms[0].day.value === '2024-02-29'");
    leave();
}
END_TEST

START_TEST(a_value_that_the_page_changes_is_told)
{
    show("/form.html");
    aper_act_result *result = agent_do(tab, APER_ACT_FILL, "Upper", "abc");
    agent_has(aper_act_result_get_outcome(result),
        "value is now \"ABC\", which the page made of it");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(a_field_that_is_not_typed_into_says_what_to_do)
{
    static const char *const types[][2] = {
        {"date", "2031-12-24"}, {"time", "13:45"},
        {"datetime-local", "2031-12-24T13:45"}, {"color", "#ff8000"},
        {"range", "50"}};
    show("/form.html");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char script[128], why[128];
        snprintf(script, sizeof script,
                 "document.forms[0].day.type = '%s'", types[i][0]);
        aper_free(live_eval(tab, script));
        snprintf(why, sizeof why, "fill it, with a value such as \"%s\"",
                 types[i][1]);
        agent_refused_by_name(tab, APER_ACT_TYPE, "Day", types[i][1],
                              APER_E_NOT_ACTIONABLE, why);
        aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Day",
                                       types[i][1]));
    }
    leave();
}
END_TEST

/* It held a field when it was checked. */
START_TEST(text_for_what_takes_the_focus_but_no_text_is_not_sent)
{
    show("/form.html");
    aper_free(live_eval(tab, "document.body.insertAdjacentHTML('beforeend',"
                             "'<div role=button tabindex=0 aria-label=Holder>"
                             "<input tabindex=-1></div>'), 0"));
    agent_refused_by_name(tab, APER_ACT_TYPE, "Holder", "x",
                          APER_E_NOT_VERIFIED, "button \"Holder\" was given "
                          "the focus, but is no field for text");
    agent_holds(tab, "document.querySelector('[role=button] input').value"
                     " === ''");
    leave();
}
END_TEST

START_TEST(a_field_that_takes_nothing_is_an_error)
{
    show("/form.html");
    agent_refused_by_name(tab, APER_ACT_FILL, "Digits", "abc", APER_E_NOT_VERIFIED,
                    "\"Digits\" did not take the text; it holds \"\"");
    leave();
}
END_TEST

START_TEST(a_box_is_checked_by_a_click)
{
    show("/form.html");
    aper_act_result *result = agent_click(tab, "Gift");
    ck_assert(agent_saw(result, APER_EFFECT_VALUE));
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
        "\"Gift\" checked");
    aper_act_result_unref(result);
    aper_act_result_unref(agent_click(tab, "Small"));
    agent_holds(tab, "document.forms[0].size.value === 's'");
    leave();
}
END_TEST

START_TEST(an_option_is_chosen_by_label_or_value)
{
    show("/form.html");
    aper_act_result *result = agent_do(tab, APER_ACT_SELECT, "Colour", "Green");
    agent_has(aper_act_result_get_outcome(result), "value is now \"Green\"");
    aper_act_result_unref(result);
    aper_act_result_unref(agent_do(tab, APER_ACT_SELECT, "Colour", "b"));
    agent_holds(tab, "document.forms[0].colour.value === 'b'");
    aper_act_result_unref(agent_do(tab, APER_ACT_SELECT, "Colour", " rED "));
    agent_holds(tab, "document.forms[0].colour.value === 'r'");
    agent_refused_by_name(tab, APER_ACT_SELECT, "Colour", "Pink",
                    APER_E_NOT_ACTIONABLE,
                    "4 to choose from: \"Red\", \"Green\", \"Blue\"");
    agent_refused_by_name(tab, APER_ACT_SELECT, "Colour", "Black",
                    APER_E_NOT_ACTIONABLE, "the option is disabled");
    agent_refused_by_name(tab, APER_ACT_SELECT, "Colour", "", APER_E_NOT_ACTIONABLE,
                    "no option fits");
    agent_refused_by_name(tab, APER_ACT_SELECT, "Send", "x", APER_E_NOT_ACTIONABLE,
                    "no native select");
    agent_refused_by_name(tab, APER_ACT_CLICK, "Colour", NULL, APER_E_NOT_ACTIONABLE,
                    "choosing an option");
    leave();
}
END_TEST

START_TEST(an_option_that_does_not_stay_is_an_error)
{
    show("/form.html");
    agent_refused_by_name(tab, APER_ACT_SELECT, "Revert", "Second",
                    APER_E_NOT_VERIFIED,
                    "did not keep the option; it shows \"First\"");
    leave();
}
END_TEST

START_TEST(keys_are_whole_events)
{
    show("/form.html");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Name", "Ada"));
    aper_act_options enter = {.verb = APER_ACT_PRESS, .key = "Enter"};
    aper_act_result *result = agent_act(tab, &enter, APER_OK, NULL);
    ck_assert(agent_saw(result, APER_EFFECT_CHANGE));
    aper_act_result_unref(result);
    agent_holds(tab, "out.textContent === 'Sent Ada'");
    agent_holds(tab, "out.dataset.keys === 'Enter,Enter,13,true,false,false;'");
    aper_free(live_eval(tab, "delete out.dataset.keys, 1"));
    aper_act_options all = {.verb = APER_ACT_PRESS, .key = "Control+a"};
    aper_act_result_unref(agent_act(tab, &all, APER_OK, NULL));
    agent_holds(tab, "out.dataset.keys === 'Control,ControlLeft,17,true,true,false;"
          "a,KeyA,65,true,true,false;'");
    char *ref = agent_ref(tab, "Name");
    aper_act_options letter = {.verb = APER_ACT_PRESS, .key = "Shift+x",
                               .ref = ref};
    aper_act_result_unref(agent_act(tab, &letter, APER_OK, NULL));
    agent_holds(tab, "who.value === 'X'");
    aper_act_options bad = {.verb = APER_ACT_PRESS, .key = "Entre"};
    agent_act(tab, &bad, APER_E_INVAL, NULL);
    free(ref);
    leave();
}
END_TEST

START_TEST(hovering_and_scrolling_are_seen)
{
    show("/form.html");
    aper_act_result_unref(agent_do(tab, APER_ACT_HOVER, "Hover me", NULL));
    agent_holds(tab, "out.textContent === 'hovered'");
    leave();
    show("/refuse.html");
    aper_act_options scroll = {.verb = APER_ACT_SCROLL};
    aper_act_result *result = agent_act(tab, &scroll, APER_OK, NULL);
    ck_assert(agent_saw(result, APER_EFFECT_SCROLL));
    agent_holds(tab, "scrollY > 300");
    aper_act_result_unref(result);
    leave();
}
END_TEST

START_TEST(what_cannot_be_used_is_refused_with_the_reason)
{
    static const struct {
        uint32_t verb;
        const char *name;
        const char *why;
    } cases[] = {
        {APER_ACT_CLICK, "Disabled", "it is disabled"},
        {APER_ACT_CLICK, "Aria disabled", "it is disabled"},
        {APER_ACT_CLICK, "Inert", "it is inert"},
        {APER_ACT_CLICK, "No pointer", "takes no mouse events"},
        {APER_ACT_FILL, "Fixed", "it is read-only"},
        {APER_ACT_FILL, "Far below", "no field for text"},
        {APER_ACT_CLICK, "Save", "covered by \"div#consent"},
    };
    show("/refuse.html");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        agent_refused_by_name(tab, cases[i].verb, cases[i].name, "x",
                        APER_E_NOT_ACTIONABLE, cases[i].why);
    char *ref = agent_ref(tab, "Hides");
    aper_act_result_unref(agent_click(tab, "Hider"));
    agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_NOT_ACTIONABLE, "not shown");
    free(ref);
    agent_holds(tab, "out.textContent === ''");
    leave();
}
END_TEST

START_TEST(what_was_covered_can_be_used_once_it_is_free)
{
    show("/refuse.html");
    aper_act_result_unref(agent_click(tab, "Agree"));
    aper_act_result_unref(agent_click(tab, "Save"));
    agent_holds(tab, "out.textContent === 'hit save '");
    aper_act_result_unref(agent_click(tab, "Far below"));
    agent_holds(tab, "out.textContent === 'hit save hit far '");
    leave();
}
END_TEST

START_TEST(an_open_modal_dialog_is_named)
{
    show("/refuse.html");
    char *ref = agent_ref(tab, "Far below");
    aper_act_result_unref(agent_click(tab, "Open modal"));
    agent_refused(tab, APER_ACT_CLICK, ref, NULL, APER_E_NOT_ACTIONABLE,
            "a modal dialog is open over it: \"dialog#modal Settings\"");
    aper_act_result_unref(agent_click(tab, "Close modal"));
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref};
    aper_act_result_unref(agent_act(tab, &click, APER_OK, NULL));
    free(ref);
    leave();
}
END_TEST

START_TEST(shadow_roots_and_frames_are_acted_in)
{
    show("/shadow.html");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Inner field", "deep"));
    aper_act_result_unref(agent_click(tab, "Inner button"));
    agent_holds(tab, "out.textContent === 'inner clicked deep'");
    aper_act_result_unref(agent_click(tab, "In frame"));
    ck_assert(agent_page_has(tab, "\"Frame clicked\""));
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Frame field", "framed"));
    ck_assert(agent_page_has(tab, "\"Frame field\" =\"framed\""));
    leave();
}
END_TEST

START_TEST(frames_of_other_origins_are_acted_in)
{
    show("/frame-foreign.html");
    aper_act_result *result = agent_do(tab, APER_ACT_FILL, "Inside", "far");
    agent_has(aper_act_result_get_outcome(result), "value is now \"far\"");
    aper_act_result_unref(result);
    result = agent_click(tab, "Tell");
    agent_has(aper_diff_get_text(aper_act_result_get_diff(result)),
        "\"inside: far\"");
    aper_act_result_unref(result);
    char *gone = agent_ref(tab, "Vanish");
    char *left = agent_ref(tab, "Tell");
    aper_act_result_unref(agent_click(tab, "Vanish"));
    agent_refused(tab, APER_ACT_CLICK, gone, NULL, APER_E_STALE, "removed");
    aper_free(live_eval(tab, "document.querySelector('iframe').remove()"));
    agent_refused(tab, APER_ACT_CLICK, left, NULL, APER_E_STALE, "frame");
    free(gone);
    free(left);
    leave();
}
END_TEST

START_TEST(editors_and_tracked_fields_take_text)
{
    show("/editor.html");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "State", "tracked"));
    agent_holds(tab, "out.textContent === 'state tracked'");
    aper_act_result_unref(agent_do(tab, APER_ACT_TYPE, "Body", " more"));
    agent_holds(tab, "body.innerText === 'start more'");
    aper_act_result_unref(agent_do(tab, APER_ACT_FILL, "Body", "one\ntwo"));
    agent_holds(tab, "body.innerText.replace(/\\n+/g, '|') === 'one|two'");
    leave();
}
END_TEST

START_TEST(secrets_are_typed_and_never_told)
{
    show("/secret.html");
    aper_act_result *result = agent_do(tab, APER_ACT_FILL, "Password", "s3cr3tword");
    agent_has(aper_act_result_get_outcome(result), "value is now \"••••\"");
    ck_assert_ptr_null(strstr(aper_act_result_get_outcome(result), "s3cr3t"));
    ck_assert_ptr_null(strstr(
        aper_snapshot_get_text(aper_act_result_get_snapshot(result)),
        "s3cr3t"));
    aper_act_result_unref(result);
    agent_holds(tab, "document.querySelector('[name=pw]').value === 's3cr3tword'");
    leave();
}
END_TEST

START_TEST(acting_works_as_a_started_call)
{
    show("/form.html");
    char *ref = agent_ref(tab, "Name");
    aper_act_options fill = {.size = sizeof fill, .verb = APER_ACT_FILL,
                             .ref = ref, .text = "Ada"};
    ck_assert_int_eq(aper_tab_act_start(tab, &fill, 5, NULL), APER_OK);
    free(ref);
    aper_event *event = live_completion(browser, 5);
    ck_assert_int_eq(aper_event_get_status(event), APER_OK);
    ck_assert(agent_saw(aper_event_get_act_result(event),
                        APER_EFFECT_VALUE));
    aper_event_unref(event);
    leave();
}
END_TEST

START_TEST(impossible_options_are_refused)
{
    show("/blank.html");
    const aper_act_options bad[] = {
        {.verb = 0}, {.verb = 99}, {.verb = APER_ACT_CLICK},
        {.verb = APER_ACT_TYPE, .ref = "e123456"},
        {.verb = APER_ACT_FILL, .ref = "e123456", .text = "\xff"},
        {.verb = APER_ACT_PRESS}, {.verb = APER_ACT_PRESS, .key = "a+b"},
        {.verb = APER_ACT_CLICK, .ref = "e123456", .button = 3},
        {.verb = APER_ACT_CLICK, .ref = "e123456", .click_count = 1000},
        {.verb = APER_ACT_CLICK, .ref = "e123456", .modifiers = 16},
        {.verb = APER_ACT_SCROLL, .delta_y = 1e300}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        agent_act(tab, &bad[i], APER_E_INVAL, NULL);
    leave();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_click_is_trusted_and_its_change_is_told,
        a_click_without_effect_says_so,
        without_a_snapshot_before_there_is_no_difference,
        clicks_have_buttons_counts_and_modifiers,
        typing_goes_behind_what_a_field_holds,
        text_and_keys_reach_no_other_element,
        filling_replaces_and_is_read_back,
        a_value_that_the_page_changes_is_told,
        a_field_that_is_not_typed_into_says_what_to_do,
        text_for_what_takes_the_focus_but_no_text_is_not_sent,
        a_field_that_takes_nothing_is_an_error, a_box_is_checked_by_a_click,
        an_option_is_chosen_by_label_or_value,
        an_option_that_does_not_stay_is_an_error, keys_are_whole_events,
        hovering_and_scrolling_are_seen,
        what_cannot_be_used_is_refused_with_the_reason,
        what_was_covered_can_be_used_once_it_is_free,
        an_open_modal_dialog_is_named, shadow_roots_and_frames_are_acted_in,
        frames_of_other_origins_are_acted_in,
        editors_and_tracked_fields_take_text,
        secrets_are_typed_and_never_told,
        acting_works_as_a_started_call, impossible_options_are_refused};
    Suite *suite = suite_create("act");
    TCase *all = tcase_create("act");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
