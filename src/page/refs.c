/* SPDX-License-Identifier: Apache-2.0 */
#include "page/internal.h"

#include <stdlib.h>
#include <string.h>

/* Nine-digit refs come behind all six-digit ones. */
#define LONG_BASE 1000000u

uint32_t aper__page_ref_number(const char *ref)
{
    uint32_t number = (uint32_t)strtoul(ref + 1, NULL, 10);
    return strlen(ref) == 7 ? number : LONG_BASE + number;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static size_t drop_repeats(uint32_t *numbers, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

aper_status aper__page_note_refs(aper_tab *tab, const char *const *refs,
                                 size_t count)
{
    aper__page_state *state = aper__page_get_state(tab);
    if (!state)
        return APER_E_NOMEM;
    pthread_mutex_lock(&state->lock);
    aper_status status = APER_OK;
    size_t all = state->ref_count + count;
    uint32_t *numbers = aper__realloc(state->refs,
                                      (all ? all : 1) * sizeof *numbers);
    if (numbers) {
        for (size_t i = 0; i < count; i++)
            numbers[state->ref_count + i] = aper__page_ref_number(refs[i]);
        qsort(numbers, all, sizeof *numbers, compare);
        state->refs = numbers;
        state->ref_count = drop_repeats(numbers, all);
    } else {
        status = APER_E_NOMEM;
    }
    pthread_mutex_unlock(&state->lock);
    return status;
}

static bool was_given_out(aper_tab *tab, const char *ref)
{
    aper__page_state *state = aper__page_get_state(tab);
    if (!state)
        return false;
    uint32_t number = aper__page_ref_number(ref);
    pthread_mutex_lock(&state->lock);
    bool found = state->ref_count
                 && bsearch(&number, state->refs, state->ref_count,
                            sizeof number, compare);
    pthread_mutex_unlock(&state->lock);
    return found;
}

/* What the script says, and what it means. %s is text of the page, quoted. */
static const struct reason {
    const char *code;
    aper_status status;
    const char *text;
} reasons[] = {
    {"removed", APER_E_STALE, "the element was removed from the page"},
    {"redrawn", APER_E_STALE,
     "the element was removed, and what is like it now is not known to be the "
     "same"},
    {"frame", APER_E_STALE, "the frame that it was in shows another document"},
    {"family", APER_E_STALE,
     "it was one of several elements that nothing but their order tells "
     "apart, and they have changed"},
    {"changed", APER_E_NOT_ACTIONABLE,
     "it has changed since the page was read, so read it again; it is now "},
    {"turned", APER_E_NOT_ACTIONABLE,
     "it is in a frame that is turned or mirrored"},
    {"hidden", APER_E_NOT_ACTIONABLE, "it is not shown"},
    {"no-box", APER_E_NOT_ACTIONABLE, "it takes no room on the page"},
    {"off-screen", APER_E_NOT_ACTIONABLE, "it cannot be scrolled into view"},
    {"disabled", APER_E_NOT_ACTIONABLE, "it is disabled"},
    {"inert", APER_E_NOT_ACTIONABLE, "it is inert"},
    {"read-only", APER_E_NOT_ACTIONABLE, "it is read-only"},
    {"no-pointer", APER_E_NOT_ACTIONABLE, "it takes no mouse events"},
    {"no-focus", APER_E_NOT_ACTIONABLE, "it does not take the focus"},
    {"not-select", APER_E_NOT_ACTIONABLE,
     "it is no native select; click it and choose from what opens"},
    {"is-select", APER_E_NOT_ACTIONABLE,
     "a native select is used by choosing an option, not by a click"},
    {"not-editable", APER_E_NOT_ACTIONABLE, "it is no field for text"},
    {"ready-made", APER_E_NOT_ACTIONABLE,
     "it is not typed into; fill it, with a value such as "},
    {"modal", APER_E_NOT_ACTIONABLE, "a modal dialog is open over it: "},
    {"covered", APER_E_NOT_ACTIONABLE, "it is covered by "},
};

void aper__page_name(aper__buf *out, const char *ref, json_t *about)
{
    const char *role = aper__json_string(about, "role");
    const char *name = aper__json_string(about, "name");
    aper__buf_puts(out, ref);
    if (*role)
        aper__buf_puts(out, " ");
    aper__text_clean(out, role, strlen(role), 40);
    if (*name) {
        aper__buf_puts(out, " ");
        aper__text_quote(out, name, strlen(name), 80);
    }
}

static aper_status report(const char *ref, const struct reason *reason,
                          json_t *answer, aper_error **ret_error)
{
    aper__buf about = {0};
    const char *detail = aper__json_string(answer, "detail");
    const char *now = aper__json_string(answer, "now");
    aper__page_name(&about, ref, answer);
    aper__buf_printf(&about, "%s: %s",
                     reason->status == APER_E_STALE ? " is no more"
                                                    : " cannot be used",
                     reason->text);
    if (*detail)
        aper__text_quote(&about, detail, strlen(detail), 80);
    if (*now)
        aper__buf_printf(&about, "; what is like it now: %s", now);
    char *text = aper__buf_take(&about);
    aper_status status = aper__error_set(ret_error, reason->status, "%s",
                                         text ? text : reason->text);
    aper__dealloc(text);
    return status;
}

aper_status aper__page_check_answer(aper_tab *tab, const char *ref,
                                    json_t *answer, aper_error **ret_error)
{
    const char *code = aper__json_string(answer, "error");
    if (!*code)
        return APER_OK;
    if (strcmp(code, "unknown") == 0) {
        if (was_given_out(tab, ref))
            return aper__error_set(ret_error, APER_E_STALE,
                                   "%s is no more: the tab shows another "
                                   "document since", ref);
        return aper__error_set(ret_error, APER_E_NO_REF,
                               "no element of this tab ever had the ref %s",
                               ref);
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(code, reasons[i].code) == 0)
            return report(ref, &reasons[i], answer, ret_error);
    return aper__error_set(ret_error, APER_E_PROTOCOL,
                           "the page script gave an unknown reason");
}
