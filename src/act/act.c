/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <string.h>

#define TIMEOUT_MS 15000
#define CLICKS_MAX 3
#define MODIFIERS_ALL                                                       \
    (APER_MODIFIER_ALT | APER_MODIFIER_CONTROL | APER_MODIFIER_META          \
     | APER_MODIFIER_SHIFT)
#define DELTA_MAX 1e7

aper_status aper__act_ask(aper__act *act, const char *function,
                          json_t *argument, json_t **ret_answer,
                          aper_error **ret_error)
{
    return aper__page_call_in(act->tab, act->op, act->frame_id, function,
                              argument, ret_answer, ret_error);
}

aper_status aper__act_check(aper__act *act, json_t *answer,
                            aper_error **ret_error)
{
    static const char *const words[] = {"role", "name"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (json_is_object(answer) && !json_object_get(answer, words[i]))
            json_object_set(answer, words[i],
                            json_object_get(act->target, words[i]));
    return aper__page_check_answer(act->tab, act->ref, answer, ret_error);
}

aper_status aper__act_fail(const aper__act *act, aper_error **ret_error,
                           aper_status status, const char *format, ...)
{
    aper__buf text = {0};
    va_list values;
    aper__page_name(&text, act->ref, act->target);
    aper__buf_putc(&text, ' ');
    va_start(values, format);
    aper__buf_vprintf(&text, format, values);
    va_end(values);
    aper__error_set(ret_error, status, "%s",
                    !text.failed ? text.data : aper_status_get_text(status));
    aper__buf_free(&text);
    return status;
}

static aper_status invalid(aper_error **ret_error, const char *why)
{
    return aper__error_set(ret_error, APER_E_INVAL, "%s", why);
}

static bool is_text(const char *text)
{
    return text && aper__utf8_is_valid(text, strlen(text));
}

static bool is_distance(double delta)
{
    return delta >= -DELTA_MAX && delta <= DELTA_MAX; /* so no NaN */
}

static aper_status no_key(const char *key, aper_error **ret_error)
{
    aper__buf quoted = {0};
    if (key)
        aper__text_quote(&quoted, key, strlen(key), 40);
    aper_status status = aper__error_set(
        ret_error, APER_E_INVAL, "key %s is no key or chord, such as \"Enter\" "
        "or \"Control+a\"", quoted.data ? quoted.data : "NULL");
    aper__buf_free(&quoted);
    return status;
}

static aper_status check_verb(const aper_act_options *o,
                              aper_error **ret_error)
{
    aper__key keys[APER__CHORD_MAX];
    switch (o->verb) {
    case APER_ACT_PRESS:
        if (aper__keys_parse(o->key, keys))
            return APER_OK;
        return no_key(o->key, ret_error);
    case APER_ACT_SCROLL:
        if (is_distance(o->delta_x) && is_distance(o->delta_y))
            return APER_OK;
        return invalid(ret_error, "delta_x or delta_y is out of range");
    case APER_ACT_TYPE:
    case APER_ACT_FILL:
    case APER_ACT_SELECT:
        if (!is_text(o->text))
            return invalid(ret_error, "text must be given, in UTF-8");
        break;
    case APER_ACT_CLICK:
    case APER_ACT_HOVER:
        break;
    default:
        return invalid(ret_error, "verb is none of APER_ACT_*");
    }
    return o->ref ? APER_OK : invalid(ret_error, "ref must be given");
}

static aper_status check_options(aper_act_options *copy,
                                 const aper_act_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof *copy, sizeof *copy,
                                            options, ret_error);
    if (status)
        return status;
    if (!copy->timeout_ms)
        copy->timeout_ms = TIMEOUT_MS;
    if (copy->button > APER_BUTTON_RIGHT || copy->click_count > CLICKS_MAX
        || (copy->modifiers & ~(uint32_t)MODIFIERS_ALL))
        return invalid(ret_error,
                       "button, click_count or modifiers is out of range");
    return check_verb(copy, ret_error);
}

static const char *verb_name(uint32_t verb)
{
    static const char *const names[] = {
        [APER_ACT_CLICK] = "click", [APER_ACT_TYPE] = "type",
        [APER_ACT_FILL] = "fill",   [APER_ACT_PRESS] = "press",
        [APER_ACT_HOVER] = "hover", [APER_ACT_SELECT] = "select",
        [APER_ACT_SCROLL] = "scroll",
    };
    return names[verb];
}

static aper_status parse_ref(aper__act *act, aper_error **ret_error)
{
    const char *ref = act->options->ref;
    if (!ref)
        return APER_OK;
    if (aper__page_parse_ref(ref, act->ref))
        return aper__page_frame_of(act->tab, act->ref, &act->frame_id,
                                   ret_error);
    aper__buf quoted = {0};
    aper__text_quote(&quoted, ref, strlen(ref), 40);
    aper_status status = aper__error_set(
        ret_error, APER_E_NO_REF, "%s is no ref; one looks like e419733",
        quoted.data ? quoted.data : "this");
    aper__buf_free(&quoted);
    return status;
}

aper_status aper__act_aim(aper__act *act, aper_error **ret_error)
{
    json_t *answer = NULL;
    aper_status status = aper__act_ask(act, "aim", NULL, &answer, ret_error);
    if (!status)
        status = aper__act_check(act, answer, ret_error);
    if (!status) {
        act->x = aper__json_number(answer, "x", act->x);
        act->y = aper__json_number(answer, "y", act->y);
        status = aper__page_place(act->tab, act->op, act->ref, act->frame_id,
                                  true, &act->x, &act->y, ret_error);
    }
    json_decref(answer);
    return status;
}

/* Finds the element and checks it; nothing has reached the page yet. */
static aper_status prepare(aper__act *act, aper_error **ret_error)
{
    aper_status status = parse_ref(act, ret_error);
    if (!status)
        status = aper__act_ask(
            act, "prepare",
            json_pack("{s:s, s:s}", "ref", act->ref, "verb",
                      verb_name(act->options->verb)),
            &act->target, ret_error);
    if (!status)
        status = aper__page_check_answer(act->tab, act->ref, act->target,
                                         ret_error);
    act->x = aper__json_number(act->target, "x", 0);
    act->y = aper__json_number(act->target, "y", 0);
    if (!status && json_object_get(act->target, "x"))
        status = aper__page_place(act->tab, act->op, act->ref, act->frame_id,
                                  true, &act->x, &act->y, ret_error);
    act->swift = act->options->verb == APER_ACT_CLICK && !act->frame_id
                 && aper__json_bool(act->target, "guarded");
    if (!status && act->frame_id) /* watches the page around it as well */
        status = aper__page_call(act->tab, act->op, "prepare",
                                 json_pack("{s:s, s:s}", "ref", "", "verb",
                                           ""),
                                 NULL, ret_error);
    aper__tab_count(act->tab, &act->mark);
    return status;
}

/* A page that waits for the server of its next one cannot be asked; one that
 * is slow is given what is left of the time. */
static bool waits_for_server(const aper__act *act)
{
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    aper__tab_counts mark = now;
    mark.navigations_started = act->mark.navigations_started;
    return act->silent && aper__tab_busy(act->tab, &mark);
}

static aper_status perform(aper__act *act, aper_error **ret_error)
{
    aper_status status = aper__act_perform(act, ret_error);
    act->sent_ms = aper__now_ms();
    if (!status)
        status = aper__act_settle(act, false, ret_error);
    return status;
}

/* What changed may be nothing that is read, such as the look of a button; then
 * there is more time for what was meant to happen. */
static aper_status observe(aper__act *act, aper_error **ret_error)
{
    aper_status status = aper__act_observe(act, true, ret_error);
    while (!status && !act->late && !act->result->effect_count) {
        status = aper__act_settle(act, true, ret_error);
        if (!status)
            status = aper__act_observe(act, !waits_for_server(act),
                                       ret_error);
    }
    return status;
}

/* Performs, waits, verifies. */
static aper_status carry_out(aper__act *act, aper_error **ret_error)
{
    aper_status status = perform(act, ret_error);
    if (!status && act->swift && aper__act_has_strayed(act)) {
        act->swift = false;
        status = perform(act, ret_error);
    }
    if (!status && waits_for_server(act))
        return aper__act_observe(act, false, ret_error);
    if (!status)
        status = aper__act_judge_input(act, ret_error);
    if (!status)
        status = aper__act_verify(act, ret_error);
    if (!status)
        status = observe(act, ret_error);
    return status;
}

static bool browser_works(const aper__act *act)
{
    return !aper_browser_get_state(aper_tab_get_browser(act->tab));
}

/* An action may end its own observation: a dialog stops the page, the tab
 * closes. That is what it did, not a failure. */
static aper_status interpret(aper__act *act, aper_status status,
                             aper_error **ret_error)
{
    if (!act->sent)
        return status;
    if (status == APER_E_DIALOG)
        return aper__act_observe(act, false, ret_error);
    if (status == APER_E_CLOSED && browser_works(act)) {
        aper__act_add_effect(act, APER_EFFECT_TAB_CLOSED,
                             "the tab was closed");
        return APER_OK;
    }
    return status;
}

static aper_status act_on(aper__act *act, aper_error **ret_error)
{
    aper_error *error = NULL;
    aper_status status = prepare(act, &error);
    if (!status) {
        status = carry_out(act, &error);
        if (status)
            status = interpret(act, status, &error);
    }
    if (!status)
        status = aper__act_sum_up(act);
    if (status && aper_error_get_status(error) != status)
        aper__error_set(&error, status, "%s", aper_status_get_text(status));
    if (status)
        aper__error_give(ret_error, error);
    else
        aper_error_unref(error);
    return status;
}

static aper_status run_act(aper_tab *tab, aper__op *op,
                           const aper_act_options *options,
                           aper_act_result **ret_result,
                           aper_error **ret_error)
{
    aper__act act = {.tab = tab, .op = op, .options = options};
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status)
        return status;
    act.result = aper__alloc(sizeof *act.result);
    if (act.result) {
        atomic_init(&act.result->refs, 1);
        status = act_on(&act, ret_error);
    } else {
        status = aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    }
    json_decref(act.target);
    json_decref(act.seen);
    aper__dealloc(act.frame_id);
    if (!status && ret_result)
        aper__act_tell(&act);
    aper__tab_release(tab);
    if (status || !ret_result)
        aper_act_result_unref(act.result);
    else
        *ret_result = act.result;
    return status;
}

aper_status aper_tab_act(aper_tab *tab, const aper_act_options *options,
                         aper_act_result **ret_result,
                         aper_error **ret_error)
{
    aper_act_options copy;
    aper__op op;
    if (!tab)
        return invalid(ret_error, "tab must be given");
    aper_status status = check_options(&copy, options, ret_error);
    if (!status)
        status = aper__tab_begin(tab, &op, copy.timeout_ms, false, ret_error);
    if (status)
        return status;
    status = run_act(tab, &op, &copy, ret_result, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

/* Options that outlive the call that gave them. */
typedef struct held {
    aper_act_options options;
    char *ref;
    char *text;
    char *key;
} held;

static void free_held(void *memory)
{
    held *h = memory;
    aper__dealloc(h->ref);
    aper__dealloc(h->text);
    aper__dealloc(h->key);
    aper__dealloc(h);
}

static aper_status hold_options(held *h, const aper_act_options *options,
                                aper_error **ret_error)
{
    aper_act_options *o = &h->options;
    aper_status status = check_options(o, options, ret_error);
    if (status)
        return status;
    h->ref = aper__strdup(o->ref);
    h->text = aper__strdup(o->text);
    h->key = aper__strdup(o->key);
    if ((o->ref && !h->ref) || (o->text && !h->text) || (o->key && !h->key))
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    o->ref = h->ref;
    o->text = h->text;
    o->key = h->key;
    return APER_OK;
}

static void unref_result(void *object)
{
    aper_act_result_unref(object);
}

static aper_status run(void *arg, aper_browser *browser APER_UNUSED,
                       aper_tab *tab, aper__op *op, aper__result *ret_result,
                       aper_error **ret_error)
{
    const held *h = arg;
    aper_act_result *result = NULL;
    aper_status status = run_act(tab, op, &h->options, &result, ret_error);
    if (!status)
        *ret_result = (aper__result){APER__RESULT_ACT, result, unref_result};
    return status;
}

aper_status aper_tab_act_start(aper_tab *tab, const aper_act_options *options,
                               uint64_t tag, aper_error **ret_error)
{
    if (!tab)
        return aper__error_set(ret_error, APER_E_INVAL, "the tab is NULL");
    held *h = aper__alloc(sizeof *h);
    if (!h)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    aper_status status = hold_options(h, options, ret_error);
    if (status) {
        free_held(h);
        return status;
    }
    const aper__job job = {.run = run, .free_arg = free_held, .arg = h,
                           .timeout_ms = h->options.timeout_ms,
                           .holds_tab = true};
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job,
                               ret_error);
}
