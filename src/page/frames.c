/* SPDX-License-Identifier: Apache-2.0 */
/* Refs and points of frames that are read apart from the main one. */
#include "page/internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_refs(const void *a, const void *b)
{
    const aper__page_ref *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* So that a dead one is asked for where it lived. Those of the main frame are
 * known by not being here. */
aper_status aper__page_keep_refs(aper__page_state *state,
                                 const aper__page_ref *refs, size_t count)
{
    size_t most = count + state->frame_ref_count;
    aper__page_ref *all = aper__alloc((most + 1) * sizeof *all);
    if (!all)
        return APER_E_NOMEM;
    if (count)
        memcpy(all, refs, count * sizeof *all);
    if (state->frame_ref_count)
        memcpy(all + count, state->frame_refs,
               state->frame_ref_count * sizeof *all);
    qsort(all, most, sizeof *all, compare_refs);
    size_t kept = 0;
    for (size_t i = 0; i < most;) {
        size_t next = i + 1;
        while (next < most && all[next].number == all[i].number)
            next++;
        aper__page_ref ref = all[i];
        if (all[next - 1].frame != ref.frame)
            ref.frame = UINT32_MAX;
        if (ref.frame)
            all[kept++] = ref;
        i = next;
    }
    pthread_mutex_lock(&state->lock);
    aper__dealloc(state->frame_refs);
    state->frame_refs = all;
    state->frame_ref_count = kept;
    pthread_mutex_unlock(&state->lock);
    return APER_OK;
}

aper_status aper__page_frame_of(aper_tab *tab, const char *ref,
                                char **ret_frame_id, aper_error **ret_error)
{
    aper__page_state *state = aper__page_get_state(tab);
    aper__page_ref key = {.number = aper__page_ref_number(ref)};
    uint32_t frame = 0;
    char *id = NULL;
    if (!state)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    pthread_mutex_lock(&state->lock);
    for (size_t low = 0, high = state->frame_ref_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        const aper__page_ref *at = &state->frame_refs[middle];
        if (at->number == key.number) {
            frame = at->frame;
            break;
        }
        if (at->number < key.number)
            low = middle + 1;
        else
            high = middle;
    }
    if (frame && frame != UINT32_MAX)
        id = aper__strdup(state->frames[frame]->frame_id);
    pthread_mutex_unlock(&state->lock);
    if (frame == UINT32_MAX)
        return aper__error_set(ret_error, APER_E_NOT_ACTIONABLE,
                               "%s is in more than one frame", ref);
    if (frame && !id)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    *ret_frame_id = id;
    return APER_OK;
}

static size_t index_of(aper__page_state *state, const char *frame_id)
{
    size_t index = 0;
    pthread_mutex_lock(&state->lock);
    for (size_t i = 1; frame_id && i < state->frame_count; i++)
        if (strcmp(state->frames[i]->frame_id, frame_id) == 0)
            index = i;
    pthread_mutex_unlock(&state->lock);
    return index;
}

aper_status aper__page_call_in(aper_tab *tab, aper__op *op,
                               const char *frame_id, const char *function,
                               json_t *argument, json_t **ret_result,
                               aper_error **ret_error)
{
    aper__page_state *state = aper__page_get_state(tab);
    size_t index = state ? index_of(state, frame_id) : 0;
    aper_status status = aper__page_call_frame(tab, op, index, function,
                                               argument, ret_result,
                                               ret_error);
    if (index && status && status != APER_E_NOMEM && !aper__op_check(op))
        return aper__error_set(ret_error, APER_E_STALE,
                               "the frame it was in is no more");
    return status;
}

aper_status aper__page_place(aper_tab *tab, aper__op *op, const char *ref,
                             const char *frame_id, bool hit, double *x,
                             double *y, aper_error **ret_error)
{
    aper__page_state *state = aper__page_get_state(tab);
    aper_status status = APER_OK;
    size_t index = state ? index_of(state, frame_id) : 0;
    while (!status && index) {
        const aper__page_frame *frame = state->frames[index];
        json_t *answer = NULL;
        status = aper__page_call_frame(
            tab, op, frame->parent, "throughFrame",
            json_pack("{s:I, s:f, s:f, s:b}", "key", (json_int_t)frame->key,
                      "x", *x, "y", *y, "hit", hit),
            &answer, ret_error);
        if (!status)
            status = aper__page_check_answer(tab, ref, answer, ret_error);
        *x = aper__json_number(answer, "x", *x);
        *y = aper__json_number(answer, "y", *y);
        json_decref(answer);
        index = frame->parent;
    }
    return status;
}
