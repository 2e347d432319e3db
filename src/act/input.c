/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <string.h>

#define BATCH_MAX 16
#define APPROACHES_MAX 4

/* Commands that travel together. */
typedef struct batch {
    aper__act *act;
    aper__cdp_pending *pending[BATCH_MAX];
    size_t count;
    aper_status status; /* the first failure */
    aper_error **ret_error;
} batch;

/* Goes on after a failure: a release must follow its press. */
static void add(batch *b, const char *method, json_t *params)
{
    if (b->count == BATCH_MAX) {
        json_decref(params);
        return;
    }
    aper_error *error = NULL;
    aper__act *act = b->act;
    aper_status status = aper__cdp_begin(
        aper__browser_cdp(aper_tab_get_browser(act->tab)),
        aper__tab_session(act->tab), method, params, act->op,
        &b->pending[b->count], &error);
    if (!status) {
        b->count++;
        act->sent = true;
    } else if (!b->status) {
        b->status = aper__error_set(b->ret_error, status, "%s",
                                    aper_error_get_message(error));
    }
    aper_error_unref(error);
}

static aper_status finish(batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        aper_error *error = NULL;
        aper_status status = aper__cdp_finish(b->pending[i], NULL, &error);
        if (status && !b->status)
            b->status = aper__error_set(b->ret_error, status, "%s",
                                        aper_error_get_message(error));
        aper_error_unref(error);
    }
    return b->status;
}

static void mouse(batch *b, const char *type, const char *button,
                  unsigned buttons, uint32_t count, uint32_t modifiers)
{
    add(b, "Input.dispatchMouseEvent",
        json_pack("{s:s, s:f, s:f, s:s, s:i, s:i, s:i}", "type", type, "x",
                  b->act->x, "y", b->act->y, "button", button, "buttons",
                  (int)buttons, "clickCount", (int)count, "modifiers",
                  (int)modifiers));
}

aper_status aper__input_move(aper__act *act, aper_error **ret_error)
{
    batch b = {.act = act, .ret_error = ret_error};
    mouse(&b, "mouseMoved", "none", 0, 0, 0);
    return finish(&b);
}

/* Brings the pointer over the element, which may step aside or be covered
 * because of that. */
static aper_status approach(aper__act *act, uint32_t modifiers,
                            aper_error **ret_error)
{
    for (int tries = 0; tries < APPROACHES_MAX; tries++) {
        batch b = {.act = act, .ret_error = ret_error};
        double x = act->x, y = act->y;
        mouse(&b, "mouseMoved", "none", 0, 0, modifiers);
        aper_status status = finish(&b);
        if (!status)
            status = aper__act_aim(act, ret_error);
        if (status)
            return status;
        if (act->x == x && act->y == y)
            return APER_OK;
    }
    return aper__act_fail(act, ret_error, APER_E_NOT_ACTIONABLE,
                          "cannot be used: it moves away from the pointer");
}

aper_status aper__input_click(aper__act *act, uint32_t button, uint32_t count,
                              uint32_t modifiers, aper_error **ret_error)
{
    static const char *const buttons[] = {"left", "middle", "right"};
    static const unsigned masks[] = {1, 4, 2};
    aper_status status = act->swift ? APER_OK
                                    : approach(act, modifiers, ret_error);
    if (status)
        return status;
    batch b = {.act = act, .ret_error = ret_error};
    if (act->swift)
        mouse(&b, "mouseMoved", "none", 0, 0, modifiers);
    for (uint32_t i = 1; i <= count; i++) {
        mouse(&b, "mousePressed", buttons[button], masks[button], i,
              modifiers);
        mouse(&b, "mouseReleased", buttons[button], 0, i, modifiers);
    }
    return finish(&b);
}

static void key_event(batch *b, const aper__key *key, bool down,
                      unsigned modifiers)
{
    const char *type = !down ? "keyUp" : *key->text ? "keyDown"
                                                    : "rawKeyDown";
    json_t *params = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:i}", "type", type, "key", key->name,
        "code", key->code, "windowsVirtualKeyCode", key->virtual_key,
        "nativeVirtualKeyCode", key->virtual_key, "modifiers", (int)modifiers,
        "location", key->location);
    if (down && *key->text) {
        json_object_set_new(params, "text", json_string(key->text));
        json_object_set_new(params, "unmodifiedText", json_string(key->text));
    }
    /* Where Meta is the key for commands the browser has to be told. */
    if (down && modifiers == APER_MODIFIER_META
        && strcmp(key->code, "KeyA") == 0)
        json_object_set_new(params, "commands", json_pack("[s]", "selectAll"));
    add(b, "Input.dispatchKeyEvent", params);
}

aper_status aper__input_chord(aper__act *act, const aper__key *keys,
                              size_t count, aper_error **ret_error)
{
    batch b = {.act = act, .ret_error = ret_error};
    unsigned modifiers = 0;
    for (size_t i = 0; i < count; i++) {
        modifiers |= keys[i].modifier;
        key_event(&b, &keys[i], true, modifiers);
    }
    for (size_t i = count; i-- > 0;) {
        modifiers &= ~keys[i].modifier;
        key_event(&b, &keys[i], false, modifiers);
    }
    return finish(&b);
}

aper_status aper__input_text(aper__act *act, const char *text,
                             aper_error **ret_error)
{
    batch b = {.act = act, .ret_error = ret_error};
    add(&b, "Input.insertText", json_pack("{s:s}", "text", text));
    return finish(&b);
}
