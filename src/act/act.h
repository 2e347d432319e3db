/* SPDX-License-Identifier: Apache-2.0 */
/* One action on a page, from its ref to what was seen of it. */
#ifndef APER_ACT_H
#define APER_ACT_H

#include "diff/diff.h"

#define APER__EFFECTS_MAX 32

typedef struct aper__effect {
    uint32_t kind;
    char *text;
} aper__effect;

struct aper_act_result {
    aper__refs refs;
    char *outcome;
    aper_snapshot *snapshot;
    aper_diff *diff;
    aper_dialog *dialog;
    aper__effect effects[APER__EFFECTS_MAX];
    size_t effect_count;
};

/* An action under way. */
typedef struct aper__act {
    aper_tab *tab;
    aper__op *op;
    const aper_act_options *options;
    char ref[APER__REF_SIZE]; /* "" for none */
    char *frame_id; /* of the element; NULL for the main frame */
    json_t *target; /* what the page said about the element */
    double x; /* where the pointer meets it */
    double y;
    bool swift; /* the press may follow the pointer without another look */
    bool sent; /* something reached the page */
    int64_t sent_ms; /* when the last input had got there ... */
    int64_t looked_ms; /* ... and when the page was read last */
    bool silent; /* the page did not answer while it was to come to rest */
    bool late; /* too late for an effect that was not seen yet */
    json_t *seen; /* what the page said at rest, or NULL */
    aper__tab_counts mark; /* before anything was sent */
    aper_act_result *result;
} aper__act;

/* keys.c: what a name such as "Enter", "a" or "F5" means to a page. */
typedef struct aper__key {
    char name[32]; /* KeyboardEvent.key */
    char code[24]; /* KeyboardEvent.code, "" if the key is on no keyboard */
    char text[8]; /* what it types, or "" */
    int virtual_key;
    int location;
    unsigned modifier; /* APER_MODIFIER_* that the key itself is */
} aper__key;
#define APER__CHORD_MAX 5
/* Parses "Control+Shift+a": modifiers first, one key last. Returns how many
 * keys there are, 0 if it is no chord. */
size_t aper__keys_parse(const char *chord, aper__key keys[APER__CHORD_MAX]);

/* input.c: trusted input. Each sends all its events before it waits for the
 * first, so that nothing stays pressed whatever happens. */
aper_status aper__input_move(aper__act *act, aper_error **ret_error);
aper_status aper__input_click(aper__act *act, uint32_t button, uint32_t count,
                              uint32_t modifiers, aper_error **ret_error);
aper_status aper__input_chord(aper__act *act, const aper__key *keys,
                              size_t count, aper_error **ret_error);
aper_status aper__input_text(aper__act *act, const char *text,
                             aper_error **ret_error);

/* Finds out again where the pointer meets the element; NOT_ACTIONABLE if
 * nowhere. */
aper_status aper__act_aim(aper__act *act, aper_error **ret_error);

/* verbs.c: does what the options say, once the element is prepared. */
aper_status aper__act_perform(aper__act *act, aper_error **ret_error);
/* Whether what was done is to be seen: NOT_VERIFIED if it is not. */
aper_status aper__act_verify(aper__act *act, aper_error **ret_error);

/* settle.c: waits until the page has come to rest. again: what there was so
 * far is no effect, so another one is waited for. */
aper_status aper__act_settle(aper__act *act, bool again,
                             aper_error **ret_error);

/* witness.c: whom the input met. */

/* The press was kept from the page, as it would have met another element. */
bool aper__act_has_strayed(const aper__act *act);
/* NOT_VERIFIED or NOT_ACTIONABLE if something else than the element met the
 * input. */
aper_status aper__act_judge_input(aper__act *act, aper_error **ret_error);
/* What to add when there was a press and no click; else NULL. */
const char *aper__act_press_only(const aper__act *act);

/* effects.c: puts into the result what was seen. readable: the page can be
 * asked. */
aper_status aper__act_observe(aper__act *act, bool readable,
                              aper_error **ret_error);
/* What is in the result is what the agent will know. */
void aper__act_tell(aper__act *act);
void aper__act_add_effect(aper__act *act, uint32_t kind, const char *format,
                          ...) APER_PRINTF(3, 4);
/* The one line that sums up the result. */
aper_status aper__act_sum_up(aper__act *act);

/* Calls the script in the element's frame with a JSON argument, which is
 * stolen. */
aper_status aper__act_ask(aper__act *act, const char *function,
                          json_t *argument, json_t **ret_answer,
                          aper_error **ret_error);
/* What an answer about the element means; it need not repeat what that is. */
aper_status aper__act_check(aper__act *act, json_t *answer,
                            aper_error **ret_error);
/* Sets an error that begins with the element. */
aper_status aper__act_fail(const aper__act *act, aper_error **ret_error,
                           aper_status status, const char *format, ...)
    APER_PRINTF(4, 5);
/* `role ref "name"` of the element. */
void aper__act_describe(const aper__act *act, aper__buf *out);

#endif
