/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a page: the main frame, and frames that its world may not read one by
 * one, each in its own world, put where their elements stand. */
#include "page/internal.h"

#include <stdio.h>
#include <string.h>

/* Frames that are asked at the same time. */
#define WINDOW 32
/* Fewer tokens show nothing of a frame. */
#define FRAME_BUDGET_MIN 40

typedef struct reading {
    aper_tab *tab;
    aper__op *op;
    aper__page_state *state;
    const aper__page_how *how;
    aper_error **ret_error;
    size_t wish; /* frame that the refs in how belong to */
    uint32_t left; /* of the budget, for frames */
    aper__page_reading *out;
    aper__page_ref *refs;
    size_t ref_count;
    size_t ref_capacity;
} reading;

/* In which frame of the frame `in` the wished one lies, by the key of its
 * element; 0 if in none. */
static int64_t key_towards_wish(const reading *r, size_t in)
{
    aper__page_frame *const *frames = r->state->frames;
    for (size_t at = r->wish; at != 0; at = frames[at]->parent)
        if (frames[at]->parent == in)
            return frames[at]->key;
    return 0;
}

static json_t *make_argument(const reading *r, size_t index, uint32_t budget)
{
    const aper__page_frame *frame = r->state->frames[index];
    const aper__page_how *how = r->how;
    bool wished = r->wish == index;
    return json_pack(
        "{s:s, s:I, s:b, s:b, s:I, s:I, s:b, s:s*, s:s*, s:s*}", "frame",
        frame->path ? frame->path : "", "base", (json_int_t)frame->version,
        "select", how->select, "again", how->again, "budget",
        (json_int_t)budget, "within", (json_int_t)key_towards_wish(r, index),
        "narrow", how->scope != NULL,
        "expand", wished ? how->expand : NULL, "find", how->find, "scope",
        wished ? how->scope : NULL);
}

/* Brings what is held of a frame up to date by what its script answered. */
static aper_status take_answer(reading *r, size_t index, json_t *answer,
                               aper_error **ret_error)
{
    const char *ref = aper__json_string(answer, "ref");
    aper_status refused = aper__page_check_answer(r->tab, ref, answer,
                                                  r->ret_error);
    if (refused)
        return refused;
    aper__page_frame *frame = r->state->frames[index];
    const aper__view none = {0};
    int64_t base = aper__json_int(answer, "base", 0);
    const char *patch = json_string_value(json_object_get(answer, "patch"));
    aper__view view = {0};
    aper_status status = APER_E_PROTOCOL;
    if (patch && (base == 0 || base == frame->version))
        status = aper__view_patch(base ? &frame->view : &none, patch, &view);
    if (status)
        return aper__error_set(ret_error, status, "%s",
                               status == APER_E_NOMEM
                                   ? "out of memory"
                                   : "the page script sent a bad patch");
    aper__view_clear(&frame->view);
    frame->view = view;
    frame->version = aper__json_int(answer, "version", 0);
    json_decref(frame->unread);
    frame->unread = json_incref(json_object_get(answer, "unread"));
    frame->read = true;
    r->out->chosen |= aper__json_bool(answer, "chosen");
    return APER_OK;
}

static aper_status read_main(reading *r, aper_error **ret_error)
{
    json_t *answer = NULL;
    const aper__page_how *how = r->how;
    aper_status status = aper__page_call_frame(
        r->tab, r->op, 0, "read", make_argument(r, 0, how->budget), &answer,
        ret_error);
    if (!status)
        status = take_answer(r, 0, answer, ret_error);
    if (!status) {
        int64_t left = how->budget - aper__json_int(answer, "cost", 0);
        r->left = left > 0 ? (uint32_t)left : 0;
        snprintf(r->out->token, sizeof r->out->token, "%s",
                 aper__json_string(answer, "token"));
        r->out->title = aper__strdup(aper__json_string(answer, "title"));
        r->out->url = aper__strdup(aper__json_string(answer, "url"));
        if (!r->out->title || !r->out->url)
            status = aper__error_set(ret_error, APER_E_NOMEM,
                                     "out of memory");
    }
    json_decref(answer);
    return status;
}

/* ---- which frames -------------------------------------------------------- */

/* Frames come and go; what ends the whole operation counts, and what becomes
 * of a ref that was asked for. */
static aper_status only_hard(const reading *r, aper_status status)
{
    if (status == APER_E_NOMEM || status == APER_E_NO_REF
        || status == APER_E_STALE || !status)
        return status;
    return aper__op_check(r->op);
}

/* Makes an entry for a frame, or takes one of a frame that is no more; 0 if
 * there is no room. */
static size_t make_entry(aper__page_state *state, const aper__frame *frames,
                         size_t count)
{
    if (state->frame_count < APER__PAGE_FRAMES_MAX) {
        aper__page_frame *made = aper__alloc(sizeof *made);
        if (!made)
            return 0;
        state->frames[state->frame_count] = made;
        return state->frame_count++;
    }
    for (size_t i = 1; i < state->frame_count; i++) {
        bool lives = false;
        for (size_t f = 0; f < count && !lives; f++)
            lives = strcmp(frames[f].frame_id, state->frames[i]->frame_id)
                    == 0;
        if (lives)
            continue;
        size_t kept = 0;
        for (size_t n = 0; n < state->frame_ref_count; n++)
            if (state->frame_refs[n].frame != i)
                state->frame_refs[kept++] = state->frame_refs[n];
        state->frame_ref_count = kept;
        return i;
    }
    return 0;
}

static const aper__frame *find_frame(const char *id, const aper__frame *frames,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(frames[i].frame_id, id) == 0)
            return &frames[i];
    return NULL;
}

/* The entry of a frame that stands in the frame `in` at the place of unread.
 * Sets *ret_index to 0 if there is no room. */
static aper_status note_frame(reading *r, size_t in, json_t *unread,
                              const aper__frame *frame,
                              const aper__frame *frames, size_t count,
                              size_t *ret_index)
{
    aper__page_state *state = r->state;
    char *id = aper__strdup(frame->frame_id);
    char *session = aper__strdup(frame->session);
    char *path = aper__strdup(aper__json_string(unread, "path"));
    pthread_mutex_lock(&state->lock);
    size_t i = 1;
    while (i < state->frame_count
           && (!state->frames[i]->frame_id
               || strcmp(state->frames[i]->frame_id, frame->frame_id) != 0))
        i++;
    if (i == state->frame_count)
        i = make_entry(state, frames, count);
    if (i && id && session && path) {
        aper__page_frame *entry = state->frames[i];
        /* Another process knows another world. */
        if (!entry->session || strcmp(entry->session, session) != 0
            || strcmp(entry->frame_id, id) != 0) {
            entry->context = 0;
            entry->version = 0;
        }
        aper__dealloc(entry->frame_id);
        aper__dealloc(entry->session);
        aper__dealloc(entry->path);
        entry->frame_id = id;
        entry->session = session;
        entry->path = path;
        entry->parent = in;
        entry->parent_context = state->frames[in]->context;
        entry->key = aper__json_int(unread, "key", 0);
        id = session = path = NULL;
    } else if (i) {
        i = 0;
    }
    pthread_mutex_unlock(&state->lock);
    aper__dealloc(id);
    aper__dealloc(session);
    aper__dealloc(path);
    *ret_index = i;
    return APER_OK;
}

/* Asks which frame an element of the frame `in` holds; "" if none. */
static aper_status ask_frame_id(reading *r, size_t in, json_t *unread,
                                char **ret_id)
{
    json_t *object = NULL, *node = NULL;
    aper_status status = aper__page_command(
        r->tab, r->op, in, "Runtime.callFunctionOn",
        json_pack("{s:s, s:I, s:[{s:I}]}", "functionDeclaration",
                  "function (key) { return __apertureFrame({ key }); }",
                  "executionContextId",
                  (json_int_t)r->state->frames[in]->context, "arguments",
                  "value", (json_int_t)aper__json_int(unread, "key", 0)),
        &object, NULL);
    const char *id = aper__json_string(aper__json_get(object, "result"),
                                       "objectId");
    if (!status && *id)
        status = aper__page_command(r->tab, r->op, in, "DOM.describeNode",
                                    json_pack("{s:s}", "objectId", id), &node,
                                    NULL);
    if (*id)
        aper__page_command(r->tab, r->op, in, "Runtime.releaseObject",
                           json_pack("{s:s}", "objectId", id), NULL, NULL);
    *ret_id = aper__strdup(aper__json_string(aper__json_get(node, "node"),
                                             "frameId"));
    json_decref(object);
    json_decref(node);
    status = only_hard(r, status);
    return status ? status : *ret_id ? APER_OK : APER_E_NOMEM;
}

/* The entry that is known for an element of the frame `in`; else 0. */
static size_t known_entry(const reading *r, size_t in, int64_t key,
                          const aper__frame *frames, size_t count)
{
    const aper__page_state *state = r->state;
    for (size_t i = 1; i < state->frame_count; i++) {
        const aper__page_frame *frame = state->frames[i];
        if (frame->key == key && frame->parent == in
            && frame->parent_context == state->frames[in]->context) {
            const aper__frame *now = find_frame(frame->frame_id, frames,
                                                count);
            if (now && strcmp(now->session, frame->session) == 0)
                return i;
        }
    }
    return 0;
}

/* Finds the entries of the frames that the frame `in` could not read, and
 * writes their indices into its unread as "frame". */
static aper_status identify(reading *r, size_t in, const aper__frame *frames,
                            size_t count)
{
    json_t *unread;
    size_t i;
    json_array_foreach(r->state->frames[in]->unread, i, unread) {
        int64_t key = aper__json_int(unread, "key", 0);
        size_t index = known_entry(r, in, key, frames, count);
        char *id = NULL;
        aper_status status = index ? APER_OK
                                   : ask_frame_id(r, in, unread, &id);
        const aper__frame *frame = id ? find_frame(id, frames, count) : NULL;
        if (!status && frame)
            status = note_frame(r, in, unread, frame, frames, count, &index);
        aper__dealloc(id);
        if (status)
            return status;
        if (index == 0 && frame)
            json_object_set_new(
                unread, "note",
                json_sprintf("(not read: more than %d frames)",
                             APER__PAGE_FRAMES_MAX - 1));
        if (json_object_set_new(unread, "frame",
                                json_integer((json_int_t)index)))
            return APER_E_NOMEM;
    }
    return APER_OK;
}

/* ---- reading them -------------------------------------------------------- */

static aper_status read_in_turn(reading *r, size_t index, uint32_t budget)
{
    json_t *answer = NULL;
    aper_status status = aper__page_call_frame(
        r->tab, r->op, index, "read", make_argument(r, index, budget),
        &answer, NULL);
    if (!status)
        status = take_answer(r, index, answer, NULL);
    json_decref(answer);
    return only_hard(r, status);
}

/* Asks count frames at once; one that does not know us yet in turn. */
static aper_status read_window(reading *r, const size_t *indices, size_t count,
                               uint32_t budget)
{
    aper__cdp_pending *pending[WINDOW] = {NULL};
    aper_status status = APER_OK;
    for (size_t i = 0; i < count; i++)
        aper__page_begin(r->tab, r->op, indices[i], "read",
                         make_argument(r, indices[i], budget), &pending[i]);
    for (size_t i = 0; i < count; i++) {
        json_t *answer = NULL;
        bool done = pending[i] && !aper__page_finish(pending[i], &answer)
                    && !take_answer(r, indices[i], answer, NULL);
        json_decref(answer);
        if (!done && !status && !aper__op_check(r->op))
            status = read_in_turn(r, indices[i], budget);
    }
    return status;
}

/* The entries of the frames that the frames of indices hold; their number
 * through *count. NULL without memory. */
static size_t *list_frames(const reading *r, const size_t *indices,
                           size_t *count)
{
    size_t *inner = aper__alloc((r->state->frame_count + 1) * sizeof *inner);
    size_t found = 0;
    for (size_t n = 0; inner && n < *count; n++) {
        json_t *unread;
        size_t i;
        json_array_foreach(r->state->frames[indices[n]]->unread, i, unread) {
            int64_t index = aper__json_int(unread, "frame", 0);
            if (index && found < r->state->frame_count)
                inner[found++] = (size_t)index;
        }
    }
    *count = found;
    return inner;
}

/* Reads what these frames could not, and so on inside of that. */
static aper_status read_inner(reading *r, const size_t *indices, size_t count,
                              const aper__frame *frames, size_t frame_count)
{
    aper_status status = APER_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (r->state->frames[indices[i]]->read)
            status = identify(r, indices[i], frames, frame_count);
    if (status)
        return status;
    size_t inner_count = count;
    size_t *inner = list_frames(r, indices, &inner_count);
    if (!inner)
        return APER_E_NOMEM;
    uint32_t share = 0;
    if (r->how->budget && inner_count) {
        share = r->left / (uint32_t)inner_count;
        if (share < FRAME_BUDGET_MIN)
            share = FRAME_BUDGET_MIN;
    }
    for (size_t i = 0; i < inner_count && !status; i += WINDOW)
        status = read_window(r, inner + i,
                             inner_count - i < WINDOW ? inner_count - i
                                                      : WINDOW, share);
    /* Frames inside of frames get what a share leaves. */
    r->left = 0;
    if (!status && inner_count)
        status = read_inner(r, inner, inner_count, frames, frame_count);
    aper__dealloc(inner);
    return status;
}

/* A frame that does not answer must not cost the rest its time. */
static aper_status read_frames(reading *r)
{
    aper__frame *frames = NULL;
    size_t count = 0;
    for (size_t i = 1; i < r->state->frame_count; i++)
        r->state->frames[i]->read = false;
    if (!json_array_size(r->state->frames[0]->unread))
        return APER_OK;
    aper_status status = aper__tab_frames(r->tab, &frames, &count);
    int64_t deadline = aper__op_set_deadline(
        r->op, aper__now_ms() + aper__op_left_ms(r->op) * 2 / 3);
    if (!status)
        status = read_inner(r, (size_t[]){0}, 1, frames, count);
    aper__op_set_deadline(r->op, deadline);
    aper__frames_free(frames, count);
    return status == APER_E_TIMEOUT ? aper__op_check(r->op) : status;
}

/* ---- one view of all ----------------------------------------------------- */

static bool note_ref(reading *r, size_t in, const char *ref)
{
    if (!*ref || r->state->frame_count < 2)
        return true;
    if (r->ref_count == r->ref_capacity) {
        size_t capacity = r->ref_capacity ? r->ref_capacity * 2 : 256;
        aper__page_ref *more = aper__realloc(r->refs, capacity * sizeof *more);
        if (!more)
            return false;
        r->refs = more;
        r->ref_capacity = capacity;
    }
    r->refs[r->ref_count++] = (aper__page_ref){aper__page_ref_number(ref),
                                               (uint32_t)in};
    return true;
}

/* Adds an element whose frame was not read, with the reason. */
static bool add_unread(aper__view *out, size_t *capacity, aper__entry *entry,
                       uint32_t depth, json_t *unread)
{
    aper__entry *copy = aper__entry_with_note(
        entry, aper__json_string(unread, "note"));
    bool added = copy && aper__view_add(out, capacity, copy, depth);
    aper__entry_unref(copy);
    return added;
}

static bool merge(reading *r, size_t in, uint32_t depth, aper__view *out,
                  size_t *capacity)
{
    const aper__page_frame *frame = r->state->frames[in];
    size_t next = 0;
    /* The page line of a frame says nothing new. */
    for (size_t i = in ? 1 : 0; i < frame->view.count; i++) {
        aper__entry *entry = frame->view.items[i].entry;
        uint32_t at = frame->view.items[i].depth + depth;
        if (at > APER__DEPTH_MAX)
            at = APER__DEPTH_MAX;
        json_t *unread = json_array_get(frame->unread, next);
        bool is_frame = unread
                        && (uint64_t)aper__json_int(unread, "id", -1)
                               == entry->id;
        size_t inner = is_frame ? (size_t)aper__json_int(unread, "frame", 0)
                                : 0;
        bool is_read = inner && r->state->frames[inner]->read;
        if (is_frame)
            next++;
        if (!note_ref(r, in, entry->ref))
            return false;
        if (is_frame && !is_read
                ? !add_unread(out, capacity, entry, at, unread)
                : !aper__view_add(out, capacity, entry, at))
            return false;
        if (is_read && !merge(r, inner, at, out, capacity))
            return false;
    }
    return true;
}

static aper_status read_all(reading *r, aper_error **ret_error)
{
    size_t capacity = 0;
    aper_status status = read_main(r, ret_error);
    if (status)
        return status;
    status = read_frames(r);
    if (!status && !merge(r, 0, 0, &r->out->view, &capacity))
        status = APER_E_NOMEM;
    if (!status && r->state->frame_count > 1)
        status = aper__page_keep_refs(r->state, r->refs, r->ref_count);
    if (!status)
        return APER_OK;
    if (status == APER_E_NO_REF || status == APER_E_STALE)
        return status;
    return aper__error_set(ret_error, status, "%s", aper__op_reason(status));
}

/* Which frame the refs in how are of. */
static aper_status find_wish(reading *r, aper_error **ret_error)
{
    const char *ref = r->how->scope ? r->how->scope : r->how->expand;
    char *frame_id = NULL;
    if (!ref)
        return APER_OK;
    aper_status status = aper__page_frame_of(r->tab, ref, &frame_id,
                                             ret_error);
    for (size_t i = 1; frame_id && i < r->state->frame_count; i++)
        if (strcmp(r->state->frames[i]->frame_id, frame_id) == 0)
            r->wish = i;
    aper__dealloc(frame_id);
    return status;
}

aper_status aper__page_read(aper_tab *tab, aper__op *op,
                            const aper__page_how *how,
                            aper__page_reading *ret_reading,
                            aper_error **ret_error)
{
    reading r = {.tab = tab, .op = op, .how = how, .ret_error = ret_error,
                 .out = ret_reading, .state = aper__page_get_state(tab)};
    if (!r.state)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = find_wish(&r, ret_error);
    if (!status)
        status = read_all(&r, ret_error);
    aper__dealloc(r.refs);
    if (status)
        aper__page_reading_clear(ret_reading);
    return status;
}

void aper__page_reading_clear(aper__page_reading *done)
{
    aper__view_clear(&done->view);
    aper__dealloc(done->title);
    aper__dealloc(done->url);
    *done = (aper__page_reading){0};
}
