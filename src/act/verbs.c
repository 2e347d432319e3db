/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <string.h>

#define SHOWN_MAX 80

static aper_status press_named(aper__act *act, const char *name,
                               aper_error **ret_error)
{
    aper__key keys[APER__CHORD_MAX];
    size_t count = aper__keys_parse(name, keys);
    return aper__input_chord(act, keys, count, ret_error);
}

/* Puts the focus on the element: mode "end" and "all" are for text, "press"
 * for a key. */
static aper_status focus(aper__act *act, const char *mode,
                         json_t **ret_answer, aper_error **ret_error)
{
    aper_status status = aper__act_ask(act, "focusOn",
                                       json_pack("{s:s}", "mode", mode),
                                       ret_answer, ret_error);
    if (!status)
        status = aper__act_check(act, *ret_answer, ret_error);
    /* A refusal would say that nothing was sent. */
    if (status == APER_E_NOT_ACTIONABLE
        && (act->sent || aper__json_bool(*ret_answer, "stirred"))) {
        const char *code = aper__json_string(*ret_answer, "error");
        status = aper__act_fail(act, ret_error, APER_E_NOT_VERIFIED,
                                "was %s, but %s",
                                act->sent ? "clicked" : "given the focus",
                                strcmp(code, "no-focus") == 0
                                    ? "did not take the focus"
                                    : "is no field for text");
    }
    return status;
}

/* Rich editors make paragraphs of Enter and nothing of line feeds. */
static aper_status type_lines(aper__act *act, const char *text, bool rich,
                              aper_error **ret_error)
{
    aper_status status = APER_OK;
    while (!status && *text) {
        size_t size = rich ? strcspn(text, "\n") : strlen(text);
        char *line = aper__strndup(text, size);
        if (!line)
            return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
        if (size)
            status = aper__input_text(act, line, ret_error);
        aper__dealloc(line);
        text += size;
        if (!status && *text == '\n') {
            status = press_named(act, "Enter", ret_error);
            text++;
        }
    }
    return status;
}

/* A click puts the focus into a field as a person would; a script moves the
 * caret then, since the click put it somewhere in the middle. */
static aper_status enter_text(aper__act *act, const char *mode,
                              aper_error **ret_error)
{
    aper_status status = APER_OK;
    json_t *answer = NULL;
    if (aper__json_bool(act->target, "field"))
        status = aper__input_click(act, APER_BUTTON_LEFT, 1, 0, ret_error);
    if (!status)
        status = focus(act, mode, &answer, ret_error);
    if (!status && !aper__json_bool(answer, "end"))
        status = press_named(act, "End", ret_error);
    const char *text = act->options->text;
    if (!status && *text)
        status = type_lines(act, text, aper__json_bool(answer, "rich"),
                            ret_error);
    else if (!status && strcmp(mode, "all") == 0
             && !aper__json_bool(answer, "empty"))
        status = press_named(act, "Delete", ret_error);
    json_decref(answer);
    return status;
}

static aper_status fill(aper__act *act, aper_error **ret_error)
{
    if (!aper__json_bool(act->target, "made"))
        return enter_text(act, "all", ret_error);
    act->sent = true;
    return aper__act_ask(act, "setReadyMade",
                         json_pack("{s:s}", "text", act->options->text),
                         NULL, ret_error);
}

static aper_status press(aper__act *act, aper_error **ret_error)
{
    aper_status status = APER_OK;
    json_t *answer = NULL;
    if (*act->ref)
        status = focus(act, "press", &answer, ret_error);
    json_decref(answer);
    return status ? status : press_named(act, act->options->key, ret_error);
}

static const char *refusal_text(const char *code)
{
    if (strcmp(code, "no-option") == 0)
        return "no option fits";
    if (strcmp(code, "ambiguous") == 0)
        return "several options fit";
    return "the option is disabled";
}

static aper_status refuse_option(aper__act *act, json_t *answer,
                                 aper_error **ret_error)
{
    aper__buf list = {0};
    json_t *option;
    size_t i;
    json_array_foreach(json_object_get(answer, "options"), i, option) {
        aper__buf_puts(&list, i ? ", " : "");
        aper__text_quote(&list, json_string_value(option),
                         json_string_length(option), SHOWN_MAX);
    }
    aper__buf wanted = {0};
    aper__text_quote(&wanted, act->options->text, strlen(act->options->text),
                     SHOWN_MAX);
    aper_status status = aper__act_fail(
        act, ret_error, APER_E_NOT_ACTIONABLE,
        "cannot be used: %s %s; %d to choose from: %s",
        refusal_text(aper__json_string(answer, "error")),
        wanted.data ? wanted.data : "", (int)aper__json_int(answer, "total",
                                                            0),
        list.data ? list.data : "none");
    aper__buf_free(&list);
    aper__buf_free(&wanted);
    return status;
}

static aper_status select_option(aper__act *act, aper_error **ret_error)
{
    json_t *answer = NULL;
    act->sent = true;
    aper_status status = aper__act_ask(
        act, "choose", json_pack("{s:s}", "text", act->options->text),
        &answer, ret_error);
    if (!status && *aper__json_string(answer, "error"))
        status = refuse_option(act, answer, ret_error);
    json_decref(answer);
    return status;
}

static aper_status scroll(aper__act *act, aper_error **ret_error)
{
    json_t *answer = NULL;
    act->sent = true;
    aper_status status = aper__act_ask(
        act, "scroll", json_pack("{s:f, s:f}", "dx", act->options->delta_x,
                                 "dy", act->options->delta_y),
        &answer, ret_error);
    int x = (int)aper__json_number(answer, "x", 0);
    int y = (int)aper__json_number(answer, "y", 0);
    if (!status && (x || y))
        aper__act_add_effect(act, APER_EFFECT_SCROLL, "scrolled by %d, %d", x,
                             y);
    json_decref(answer);
    return status;
}

aper_status aper__act_perform(aper__act *act, aper_error **ret_error)
{
    const aper_act_options *o = act->options;
    switch (o->verb) {
    case APER_ACT_CLICK:
        return aper__input_click(act, o->button,
                                 o->click_count ? o->click_count : 1,
                                 o->modifiers, ret_error);
    case APER_ACT_TYPE:
        return enter_text(act, "end", ret_error);
    case APER_ACT_FILL:
        return fill(act, ret_error);
    case APER_ACT_PRESS:
        return press(act, ret_error);
    case APER_ACT_HOVER:
        return aper__input_move(act, ret_error);
    case APER_ACT_SELECT:
        return select_option(act, ret_error);
    default:
        return scroll(act, ret_error);
    }
}

static aper_status not_verified(aper__act *act, const char *what,
                                json_t *answer, aper_error **ret_error)
{
    aper__buf shown = {0};
    const char *value = aper__json_string(answer, "value");
    aper__text_quote(&shown, value, strlen(value), SHOWN_MAX);
    aper_status status = aper__act_fail(act, ret_error, APER_E_NOT_VERIFIED,
                                        "%s %s", what,
                                        shown.data ? shown.data : "?");
    aper__buf_free(&shown);
    return status;
}

/* A value that the page put into another form is reported, not refused. */
static aper_status judge_fill(aper__act *act, json_t *answer,
                              aper_error **ret_error)
{
    bool same = aper__json_bool(answer, "same");
    if (aper__json_bool(answer, "gone"))
        return APER_OK;
    if (!same && (aper__json_bool(answer, "empty")
                  || !aper__json_bool(answer, "changed")))
        return not_verified(act, "did not take the text; it holds", answer,
                            ret_error);
    aper__buf value = {0};
    const char *text = aper__json_string(answer, "value");
    aper__text_quote(&value, text, strlen(text), SHOWN_MAX);
    aper__act_add_effect(act, APER_EFFECT_VALUE, "value is now %s%s",
                         value.data ? value.data : "?",
                         same ? "" : ", which the page made of it");
    aper__buf_free(&value);
    return APER_OK;
}

static aper_status judge_select(aper__act *act, json_t *answer,
                                aper_error **ret_error)
{
    if (aper__json_bool(answer, "gone"))
        return APER_OK;
    if (!aper__json_bool(answer, "same"))
        return not_verified(act, "did not keep the option; it shows", answer,
                            ret_error);
    aper__buf value = {0};
    const char *text = aper__json_string(answer, "value");
    aper__text_quote(&value, text, strlen(text), SHOWN_MAX);
    aper__act_add_effect(act, APER_EFFECT_VALUE, "value is now %s",
                         value.data ? value.data : "?");
    aper__buf_free(&value);
    return APER_OK;
}

aper_status aper__act_verify(aper__act *act, aper_error **ret_error)
{
    uint32_t verb = act->options->verb;
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    if ((verb != APER_ACT_FILL && verb != APER_ACT_SELECT)
        || now.navigations > act->mark.navigations)
        return APER_OK;
    bool is_fill = verb == APER_ACT_FILL;
    json_t *argument = is_fill ? json_pack("{s:s}", "text",
                                           act->options->text) : NULL;
    json_t *answer = NULL;
    aper_status status = aper__act_ask(act, is_fill ? "readBack" : "chosen",
                                       argument, &answer, ret_error);
    if (status == APER_E_STALE) /* its frame is no more: nothing to compare */
        return APER_OK;
    if (!status)
        status = is_fill ? judge_fill(act, answer, ret_error)
                         : judge_select(act, answer, ret_error);
    json_decref(answer);
    return status;
}
