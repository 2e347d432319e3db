/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that the main frame's world may not read are walked one by one, each
 * in its own world, and put where their elements stand. */
#include "page/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One walk of one frame. */
typedef struct part {
    bool walked;
    json_t *answer;
} part;

typedef struct walk {
    aper_tab *tab;
    aper__op *op;
    aper__page_state *state;
    part parts[APER__PAGE_FRAMES_MAX]; /* as state->frames */
    aper__page_ref *refs;
    size_t ref_count;
    size_t ref_capacity;
} walk;

static const char key_call[] =
    "function () { return globalThis.__aperture('frameKey', this); }";

/* The element that holds the frame, as the world of part `in` knows it. */
static aper_status find_owner(walk *w, size_t in, const char *frame_id,
                              char **ret_object)
{
    json_t *owner = NULL, *node = NULL;
    aper_status status = aper__page_command(
        w->tab, w->op, in, "DOM.getFrameOwner",
        json_pack("{s:s}", "frameId", frame_id), &owner, NULL);
    if (!status)
        status = aper__page_command(
            w->tab, w->op, in, "DOM.resolveNode",
            json_pack("{s:I, s:I}", "backendNodeId",
                      (json_int_t)aper__json_int(owner, "backendNodeId", 0),
                      "executionContextId",
                      (json_int_t)w->state->frames[in].context),
            &node, NULL);
    *ret_object = status ? NULL
                         : aper__strdup(aper__json_string(
                             aper__json_get(node, "object"), "objectId"));
    json_decref(owner);
    json_decref(node);
    return status ? status : *ret_object ? APER_OK : APER_E_NOMEM;
}

/* Frames come and go; only what ends the whole operation counts. */
static aper_status only_hard(walk *w, aper_status status)
{
    return status == APER_E_NOMEM || !status ? status : aper__op_check(w->op);
}

/* Whether the frame is one that part `in` could not read; sets its key and
 * path. A frame that is not there is no error. */
static aper_status identify(walk *w, size_t in, const char *frame_id,
                            aper__page_frame *frame)
{
    char *object = NULL;
    json_t *reply = NULL;
    aper_status status = find_owner(w, in, frame_id, &object);
    if (!status)
        status = aper__page_command(
            w->tab, w->op, in, "Runtime.callFunctionOn",
            json_pack("{s:s, s:s, s:b, s:b}", "functionDeclaration", key_call,
                      "objectId", object, "returnByValue", 1, "awaitPromise",
                      1),
            &reply, NULL);
    if (object)
        aper__page_command(w->tab, w->op, in, "Runtime.releaseObject",
                           json_pack("{s:s}", "objectId", object), NULL,
                           NULL);
    json_t *result = aper__json_get(reply, "result.value.result");
    int64_t key = aper__json_int(result, "key", 0);
    char *path = aper__strdup(aper__json_string(result, "frame"));
    json_decref(reply);
    aper__dealloc(object);
    if (status || !key || !path) {
        aper__dealloc(path);
        return only_hard(w, status);
    }
    pthread_mutex_lock(&w->state->lock);
    aper__dealloc(frame->path);
    frame->path = path;
    frame->key = key;
    frame->parent = in;
    pthread_mutex_unlock(&w->state->lock);
    return APER_OK;
}

/* The entry of a frame; a new one if need be; 0 if there is no room. */
static size_t entry_of(aper__page_state *state, const aper__frame *frame)
{
    size_t i = 1;
    while (i < state->frame_count
           && strcmp(state->frames[i].frame_id, frame->frame_id) != 0)
        i++;
    if (i == APER__PAGE_FRAMES_MAX)
        return 0;
    char *id = aper__strdup(frame->frame_id);
    char *session = aper__strdup(frame->session);
    if (!id || !session) {
        aper__dealloc(id);
        aper__dealloc(session);
        return 0;
    }
    pthread_mutex_lock(&state->lock);
    aper__page_frame *entry = &state->frames[i];
    /* Another process knows another world. */
    if (!entry->session || strcmp(entry->session, session) != 0)
        entry->context = 0;
    aper__dealloc(entry->frame_id);
    aper__dealloc(entry->session);
    entry->frame_id = id;
    entry->session = session;
    if (i == state->frame_count)
        state->frame_count++;
    pthread_mutex_unlock(&state->lock);
    return i;
}

static aper_status walk_part(walk *w, size_t index, aper_error **ret_error)
{
    const char *path = w->state->frames[index].path;
    part *p = &w->parts[index];
    aper_status status = aper__page_call_frame(
        w->tab, w->op, index, "walk",
        json_pack("{s:s}", "frame", path ? path : ""), &p->answer,
        ret_error);
    p->walked = !status;
    return status;
}

/* A frame may vanish under our hands; it stays unread then. */
static aper_status read_frame(walk *w, size_t in, size_t index,
                              const aper__frame *frame)
{
    aper__page_frame *entry = &w->state->frames[index];
    entry->key = 0;
    aper_status status = identify(w, in, frame->frame_id, entry);
    if (!status && entry->key)
        status = walk_part(w, index, NULL);
    return only_hard(w, status);
}

/* Reads what the frame `in` could not, and so on inside of that. */
static aper_status read_frames(walk *w, const aper__frame *frames,
                               size_t count)
{
    bool more = true;
    for (size_t in = 0; more; in++) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            size_t index = frames[i].parent_id[0]
                               ? entry_of(w->state, &frames[i]) : 0;
            if (!index || w->parts[index].walked || !w->parts[in].walked
                || !json_array_size(json_object_get(w->parts[in].answer,
                                                    "unread")))
                continue;
            aper_status status = read_frame(w, in, index, &frames[i]);
            if (status)
                return status;
        }
        more = in + 1 < w->state->frame_count;
    }
    return APER_OK;
}

static size_t part_at(const walk *w, size_t in, size_t line)
{
    json_t *unread;
    size_t i;
    json_array_foreach(json_object_get(w->parts[in].answer, "unread"), i,
                       unread) {
        if (aper__json_int(unread, "line", -1) != (int64_t)line)
            continue;
        int64_t key = aper__json_int(unread, "key", 0);
        for (size_t f = 1; f < w->state->frame_count; f++)
            if (w->parts[f].walked && w->state->frames[f].parent == in
                && w->state->frames[f].key == key)
                return f;
    }
    return 0;
}

static bool note_ref(walk *w, size_t in, const char *line)
{
    char ref[APER__REF_SIZE + 1], plain[APER__REF_SIZE];
    for (int column = 0; column < 3; column++)
        line = strchr(line, '\t') ? strchr(line, '\t') + 1 : "";
    size_t size = strcspn(line, "\t\n");
    if (size == 0 || size >= sizeof ref)
        return true;
    memcpy(ref, line, size);
    ref[size] = '\0';
    if (!aper__page_parse_ref(ref, plain))
        return true;
    if (w->ref_count == w->ref_capacity) {
        size_t capacity = w->ref_capacity ? w->ref_capacity * 2 : 256;
        aper__page_ref *more = aper__realloc(w->refs, capacity * sizeof *more);
        if (!more)
            return false;
        w->refs = more;
        w->ref_capacity = capacity;
    }
    w->refs[w->ref_count++] = (aper__page_ref){aper__page_ref_number(plain),
                                               (uint32_t)in};
    return true;
}

static bool merge(walk *w, size_t in, unsigned long depth, aper__buf *out)
{
    const char *line = json_string_value(
        json_object_get(w->parts[in].answer, "nodes"));
    for (size_t i = 0; line; i++) {
        const char *end = strchr(line, '\n');
        size_t size = end ? (size_t)(end - line) : strlen(line);
        size_t digits = strspn(line, "0123456789");
        unsigned long at = strtoul(line, NULL, 10) + depth;
        size_t inner = part_at(w, in, i);
        if (!note_ref(w, in, line))
            return false;
        /* The frame's own page line says nothing new. */
        if (i > 0 || in == 0) {
            aper__buf_printf(out, "%s+%zu\t%lu\t", out->size ? "\n" : "", i,
                             at);
            if (inner) /* it was read after all */
                while (line[size - 1] != '\t')
                    size--;
            aper__buf_append(out, line + digits, size - digits);
        }
        if (inner && !merge(w, inner, at, out))
            return false;
        line = end ? end + 1 : NULL;
    }
    return true;
}

static int compare_refs(const void *a, const void *b)
{
    const aper__page_ref *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Keeps refs of earlier walks, so that a dead one is asked for where it
 * lived. Those of the main frame are known by not being here. */
static aper_status keep_refs(walk *w)
{
    aper__page_state *state = w->state;
    size_t most = w->ref_count + state->frame_ref_count;
    aper__page_ref *all = aper__alloc((most + 1) * sizeof *all);
    if (!all)
        return APER_E_NOMEM;
    if (w->ref_count)
        memcpy(all, w->refs, w->ref_count * sizeof *all);
    if (state->frame_ref_count)
        memcpy(all + w->ref_count, state->frame_refs,
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

static aper_status read_other_frames(walk *w)
{
    aper__frame *frames = NULL;
    size_t count = 0;
    if (!json_array_size(json_object_get(w->parts[0].answer, "unread")))
        return APER_OK;
    aper_status status = aper__tab_frames(w->tab, &frames, &count);
    if (!status)
        status = read_frames(w, frames, count);
    aper__frames_free(frames, count);
    return status;
}

static aper_status walk_all(walk *w, aper__view *ret_view, char *token,
                            aper_error **ret_error)
{
    aper_status status = walk_part(w, 0, ret_error);
    if (status)
        return status;
    const char *now = aper__json_string(w->parts[0].answer, "token");
    status = read_other_frames(w);
    aper__buf out = {0};
    if (!status && !merge(w, 0, 0, &out))
        status = APER_E_NOMEM;
    if (!status && w->state->frame_count > 1)
        status = keep_refs(w);
    char *columns = aper__buf_take(&out);
    if (!status && !columns)
        status = APER_E_NOMEM;
    if (!status)
        status = aper__view_patch(&(aper__view){0}, columns, ret_view);
    aper__dealloc(columns);
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               aper__op_reason(status));
    snprintf(token, APER__TOKEN_SIZE, "%s", now);
    return APER_OK;
}

aper_status aper__page_walk(aper_tab *tab, aper__op *op, aper__view *ret_view,
                            char token[APER__TOKEN_SIZE],
                            aper_error **ret_error)
{
    walk *w = aper__alloc(sizeof *w);
    aper__page_state *state = aper__page_get_state(tab);
    if (!w || !state) {
        aper__dealloc(w);
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    }
    w->tab = tab;
    w->op = op;
    w->state = state;
    aper_status status = walk_all(w, ret_view, token, ret_error);
    for (size_t i = 0; i < APER__PAGE_FRAMES_MAX; i++)
        json_decref(w->parts[i].answer);
    aper__dealloc(w->refs);
    aper__dealloc(w);
    return status;
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
        id = aper__strdup(state->frames[frame].frame_id);
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
        if (strcmp(state->frames[i].frame_id, frame_id) == 0)
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
        const aper__page_frame *frame = &state->frames[index];
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
