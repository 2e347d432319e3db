/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_MAX 80
#define URL_SHOWN_MAX 200

void aper__act_add_effect(aper__act *act, uint32_t kind, const char *format,
                          ...)
{
    aper_act_result *result = act->result;
    aper__buf text = {0};
    va_list args;
    if (result->effect_count == APER__EFFECTS_MAX)
        return;
    va_start(args, format);
    aper__buf_vprintf(&text, format, args);
    va_end(args);
    result->effects[result->effect_count++] =
        (aper__effect){kind, aper__buf_take(&text)};
}

static void add_quoted(aper__act *act, uint32_t kind, const char *words,
                       const char *text, size_t max)
{
    aper__buf quoted = {0};
    aper__text_quote(&quoted, text, strlen(text), max);
    aper__act_add_effect(act, kind, "%s %s", words,
                         quoted.data ? quoted.data : "?");
    aper__buf_free(&quoted);
}

static const char *dialog_word(uint32_t kind)
{
    switch (kind) {
    case APER_DIALOG_ALERT:
        return "alert";
    case APER_DIALOG_CONFIRM:
        return "confirm";
    case APER_DIALOG_PROMPT:
        return "prompt";
    default:
        return "beforeunload";
    }
}

static void see_dialogs(aper__act *act, const aper__tab_counts *now)
{
    if (now->dialogs == act->mark.dialogs)
        return;
    aper_dialog *open = aper__tab_dialog(act->tab);
    aper_dialog *dialog = open ? open : aper__tab_last_dialog(act->tab);
    if (!dialog)
        return;
    uint32_t kind = aper_dialog_get_kind(dialog);
    uint64_t count = now->dialogs - act->mark.dialogs;
    char words[120];
    snprintf(words, sizeof words, "%s dialog %s", dialog_word(kind),
             open ? "is open:" : "was shown and answered:");
    if (count > 1)
        snprintf(words + strlen(words) - 1, sizeof words - strlen(words),
                 ", the last of %" PRIu64 ":", count);
    if (kind == APER_DIALOG_PRINT)
        aper__act_add_effect(act, APER_EFFECT_DIALOG,
                             "the page asked to be printed");
    else
        add_quoted(act, APER_EFFECT_DIALOG, words,
                   aper_dialog_get_text(dialog), SHOWN_MAX);
    aper_dialog_unref(act->result->dialog);
    act->result->dialog = dialog;
}

static void see_navigation(aper__act *act, const aper__tab_counts *now)
{
    bool other = now->navigations > act->mark.navigations;
    if (!other && now->same_document == act->mark.same_document) {
        if (aper__tab_busy(act->tab, &act->mark)
            && now->navigations_started > act->mark.navigations_started)
            aper__act_add_effect(act, APER_EFFECT_NAVIGATION,
                                 "a navigation is under way");
        return;
    }
    char *url = aper__tab_url(act->tab);
    add_quoted(act, APER_EFFECT_NAVIGATION,
               other ? "navigated to" : "address is now", url ? url : "",
               URL_SHOWN_MAX);
    aper__dealloc(url);
}

static void see_new_tabs(aper__act *act, const aper__tab_counts *now)
{
    for (uint64_t n = act->mark.popups + 1; n <= now->popups; n++) {
        char *id = aper__tab_popup(act->tab, n);
        aper__act_add_effect(act, APER_EFFECT_NEW_TAB, "opened tab %s",
                             id ? id : "?");
        aper__dealloc(id);
    }
}

static void see_downloads(aper__act *act, const aper__tab_counts *now)
{
    for (uint64_t n = act->mark.downloads + 1; n <= now->downloads; n++) {
        char *name = aper__tab_download(act->tab, n);
        add_quoted(act, APER_EFFECT_DOWNLOAD, "download", name ? name : "",
                   SHOWN_MAX);
        aper__dealloc(name);
    }
}

/* What the browser saw; true whatever state the page is in. */
static void see_browser(aper__act *act)
{
    aper__tab_counts now;
    aper__tab_count(act->tab, &now);
    see_dialogs(act, &now);
    see_navigation(act, &now);
    see_new_tabs(act, &now);
    see_downloads(act, &now);
}

/* Which field has the focus is told of itself, and is no change. */
static bool differs_by_focus_only(const char *a, const char *b)
{
    static const char word[] = " focused";
    const size_t size = sizeof word - 1;
    const char *longer = strlen(a) > strlen(b) ? a : b;
    const char *other = longer == a ? b : a;
    const char *at = NULL;
    for (const char *next = longer; (next = strstr(next, word)); next++)
        at = next;
    return at && strncmp(longer, other, (size_t)(at - longer)) == 0
           && strcmp(at + size, other + (at - longer)) == 0;
}

/* Whether the page had been read before, and could be read again. */
static bool compares(const aper__act *act)
{
    return act->result->diff && act->result->diff->from;
}

static void see_difference(aper__act *act)
{
    const aper_diff *diff = act->result->diff;
    size_t count = 0;
    if (strcmp(diff->from->snapshot->document, diff->to->document) != 0)
        return;
    if (diff->reset && diff->changed * 2 > diff->to->line_count) {
        aper__act_add_effect(act, APER_EFFECT_CHANGE,
                             "most of the page changed");
        return;
    }
    if (diff->reset)
        count = diff->changed;
    for (size_t i = 0; i < diff->count; i++) {
        const aper__diff_op *op = &diff->ops[i];
        if (op->kind != '~'
            || !differs_by_focus_only(aper__told_line(diff->from, op->old),
                                      diff->to->lines[op->now].text))
            count++;
    }
    if (count)
        aper__act_add_effect(act, APER_EFFECT_CHANGE, "%zu line%s changed",
                             count, count == 1 ? "" : "s");
}

static bool has_effect(const aper__act *act, uint32_t kind)
{
    for (size_t i = 0; i < act->result->effect_count; i++)
        if (act->result->effects[i].kind == kind)
            return true;
    return false;
}

/* "role, ref and name" as the page script gives them, parted by tabs. */
static void see_focus(aper__act *act, const char *about)
{
    char role[40], ref[16];
    const char *tab = strchr(about, '\t');
    const char *second = tab ? strchr(tab + 1, '\t') : NULL;
    if (!second) {
        aper__act_add_effect(act, APER_EFFECT_FOCUS, "nothing has the focus");
        return;
    }
    snprintf(role, sizeof role, "%.*s", (int)(tab - about), about);
    snprintf(ref, sizeof ref, "%.*s", (int)(second - tab - 1), tab + 1);
    char words[80];
    snprintf(words, sizeof words, "focus is on %s%s%s", role, *ref ? " " : "",
             ref);
    add_quoted(act, APER_EFFECT_FOCUS, words, second + 1, SHOWN_MAX);
}

static void see_element(aper__act *act)
{
    json_t *seen = act->seen;
    json_t *value = json_object_get(seen, "value");
    json_t *focus = json_object_get(seen, "focus");
    json_t *scroll = json_object_get(seen, "scroll");
    if (value && !has_effect(act, APER_EFFECT_VALUE))
        add_quoted(act, APER_EFFECT_VALUE, "value is now",
                   aper__json_string(seen, "value"), SHOWN_MAX);
    if (json_is_string(focus))
        see_focus(act, json_string_value(focus));
    if (scroll && !has_effect(act, APER_EFFECT_SCROLL))
        aper__act_add_effect(
            act, APER_EFFECT_SCROLL, "the page scrolled by %d, %d",
            (int)json_integer_value(json_array_get(scroll, 0)),
            (int)json_integer_value(json_array_get(scroll, 1)));
    if (!compares(act) && aper__json_bool(seen, "mutated"))
        aper__act_add_effect(act, APER_EFFECT_CHANGE, "the page changed");
}

/* What was told before is compared with, whatever was seen in between. */
static aper_status read_page(aper__act *act, aper_error **ret_error)
{
    aper_act_result *result = act->result;
    aper__diff_request request;
    aper__diff_request_default(&request);
    request.acted = act->ref;
    aper_snapshot_unref(result->snapshot);
    aper_diff_unref(result->diff);
    result->snapshot = NULL;
    result->diff = NULL;
    aper_status status = aper__diff_read(act->tab, act->op, &request,
                                         &result->diff, ret_error);
    if (!status)
        result->snapshot = aper_snapshot_ref(result->diff->to);
    return status;
}

aper_status aper__act_observe(aper__act *act, bool readable,
                              aper_error **ret_error)
{
    aper_status status = APER_OK;
    act->looked_ms = aper__now_ms();
    if (readable)
        status = read_page(act, ret_error);
    if (readable && !status)
        see_element(act);
    see_browser(act);
    if (compares(act))
        see_difference(act);
    return status;
}

void aper__act_tell(aper__act *act)
{
    bool compared = compares(act);
    if (act->result->diff)
        aper__diff_tell(act->tab, act->result->diff);
    if (compared)
        return;
    aper_diff_unref(act->result->diff);
    act->result->diff = NULL;
}

void aper__act_describe(const aper__act *act, aper__buf *out)
{
    const char *role = aper__json_string(act->target, "role");
    const char *name = aper__json_string(act->target, "name");
    if (!*act->ref)
        return;
    aper__buf_putc(out, ' ');
    aper__text_clean(out, role, strlen(role), 40);
    aper__buf_printf(out, " %s", act->ref);
    if (*name) {
        aper__buf_putc(out, ' ');
        aper__text_quote(out, name, strlen(name), SHOWN_MAX);
    }
}

static void put_deed(const aper__act *act, aper__buf *out)
{
    static const char *const deeds[] = {
        [APER_ACT_CLICK] = "clicked",    [APER_ACT_TYPE] = "typed into",
        [APER_ACT_FILL] = "filled",      [APER_ACT_PRESS] = "pressed",
        [APER_ACT_HOVER] = "hovered over", [APER_ACT_SELECT] = "chose in",
        [APER_ACT_SCROLL] = "scrolled",
    };
    const aper_act_options *o = act->options;
    const char *press_only = aper__act_press_only(act);
    aper__buf_puts(out, press_only ? "pressed" : deeds[o->verb]);
    if (o->verb == APER_ACT_PRESS) {
        aper__buf_putc(out, ' ');
        aper__text_clean(out, o->key, strlen(o->key), SHOWN_MAX);
        aper__buf_puts(out, *act->ref ? " on" : "");
    } else if (!*act->ref) {
        aper__buf_puts(out, o->verb == APER_ACT_SCROLL ? " the page" : "");
    }
    aper__act_describe(act, out);
    aper__buf_puts(out, press_only ? press_only : "");
}

aper_status aper__act_sum_up(aper__act *act)
{
    aper_act_result *result = act->result;
    aper__buf out = {0};
    put_deed(act, &out);
    aper__buf_puts(&out, ": ");
    for (size_t i = 0; i < result->effect_count; i++) {
        if (!result->effects[i].text)
            out.failed = true;
        else
            aper__buf_printf(&out, "%s%s", i ? "; " : "",
                             result->effects[i].text);
    }
    if (!result->effect_count)
        aper__buf_printf(&out, "nothing observed in %" PRId64 " ms",
                         act->looked_ms - act->sent_ms);
    result->outcome = aper__buf_take(&out);
    return result->outcome ? APER_OK : APER_E_NOMEM;
}
