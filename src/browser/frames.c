/* SPDX-License-Identifier: Apache-2.0 */
/* The frame tree of a tab, over all of its sessions. */
#include "browser/internal.h"

#include <string.h>

#define FRAMES_MAX 4096

static void clear_frame(aper__frame *frame)
{
    aper__dealloc(frame->frame_id);
    aper__dealloc(frame->parent_id);
    aper__dealloc(frame->session);
    aper__dealloc(frame->url);
}

void aper__frames_free(aper__frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        clear_frame(&frames[i]);
    aper__dealloc(frames);
}

static bool fill_frame(aper__frame *frame, const char *id, const char *parent,
                       const char *session, const char *url)
{
    frame->frame_id = aper__strdup(id);
    frame->parent_id = aper__strdup(parent);
    frame->session = aper__strdup(session);
    frame->url = aper__strdup(url);
    if (frame->frame_id != NULL && frame->parent_id != NULL
        && frame->session != NULL && frame->url != NULL)
        return true;
    clear_frame(frame);
    return false;
}

static aper__frame *find_frame(aper_tab *tab, const char *id)
{
    for (size_t i = 0; i < tab->frame_count; i++) {
        if (strcmp(tab->frames[i].frame_id, id) == 0)
            return &tab->frames[i];
    }
    return NULL;
}

static aper__frame *append_frame(aper_tab *tab, const char *id,
                                 const char *parent, const char *session)
{
    aper__frame *grown = aper__realloc(
        tab->frames, (tab->frame_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return NULL;
    tab->frames = grown;
    if (!fill_frame(&grown[tab->frame_count], id, parent, session, ""))
        return NULL;
    return &grown[tab->frame_count++];
}

/* A frame that there is no memory for is asked for again. */
static aper__frame *add_frame(aper_tab *tab, const char *id,
                              const char *parent, aper__session *session)
{
    aper__frame *found = find_frame(tab, id);
    if (found != NULL)
        return found;
    if (id[0] == '\0' || tab->frame_count >= FRAMES_MAX)
        return NULL;
    found = append_frame(tab, id, parent, session->id);
    if (found == NULL)
        aper__targets_repair(tab, session);
    return found;
}

/* Moves the frame behind the first count; what was there takes its place. */
static void set_apart(aper_tab *tab, size_t index, size_t count)
{
    aper__frame taken = tab->frames[index];
    memmove(&tab->frames[index], &tab->frames[index + 1],
            (count - index) * sizeof(taken));
    tab->frames[count] = taken;
}

/* The frames below it, whoever says to be whose parent: each is set apart
 * once, so that the tree that a browser tells of may as well be a circle. The
 * frame goes too, if it is wanted. */
static void remove_below(aper_tab *tab, const char *id, bool with_it)
{
    size_t kept = tab->frame_count;
    for (size_t i = kept; i-- > 0;) {
        bool gone = with_it ? strcmp(tab->frames[i].frame_id, id) == 0
                            : strcmp(tab->frames[i].parent_id, id) == 0;
        if (gone)
            set_apart(tab, i, --kept);
    }
    for (size_t done = tab->frame_count; done > kept;) {
        const char *parent = tab->frames[--done].frame_id;
        for (size_t i = kept; i-- > 0;) {
            if (strcmp(tab->frames[i].parent_id, parent) == 0)
                set_apart(tab, i, --kept);
        }
    }
    for (size_t i = kept; i < tab->frame_count; i++)
        clear_frame(&tab->frames[i]);
    tab->frame_count = kept;
}

static void on_navigated(aper_tab *tab, aper__session *session, json_t *info)
{
    const char *id = aper__json_string(info, "id");
    aper__frame *frame = add_frame(tab, id,
                                   aper__json_string(info, "parentId"),
                                   session);
    if (frame == NULL)
        return;
    aper__text_set(&frame->url, aper__json_string(info, "url"));
    aper__text_set(&frame->session, session->id);
    remove_below(tab, id, false);
}

void aper__frames_add_tree(aper_tab *tab, aper__session *session, json_t *tree)
{
    json_t *info = aper__json_get(tree, "frame");
    aper__frame *frame = add_frame(tab, aper__json_string(info, "id"),
                                   aper__json_string(info, "parentId"),
                                   session);
    if (frame == NULL)
        return;
    aper__text_set(&frame->url, aper__json_string(info, "url"));
    json_t *children = aper__json_get(tree, "childFrames");
    size_t index;
    json_t *child;
    json_array_foreach(children, index, child)
        aper__frames_add_tree(tab, session, child);
}

void aper__frames_set_session(aper_tab *tab, const char *frame_id,
                              const char *session)
{
    aper__frame *frame = find_frame(tab, frame_id);
    if (frame != NULL)
        aper__text_set(&frame->session, session);
}

void aper__frames_drop_session(aper_tab *tab, const char *session)
{
    for (size_t i = 0; i < tab->frame_count; i++) {
        aper__frame *frame = &tab->frames[i];
        if (strcmp(frame->session, session) != 0)
            continue;
        aper__frame *parent = find_frame(tab, frame->parent_id);
        aper__text_set(&frame->session,
                       parent != NULL ? parent->session : tab->session);
    }
}

void aper__frames_on_event(aper_tab *tab, aper__session *session,
                           const char *method, json_t *params)
{
    const char *name = method + strlen("Page.");
    const char *id = aper__json_string(params, "frameId");
    if (strcmp(name, "frameAttached") == 0) {
        add_frame(tab, id, aper__json_string(params, "parentFrameId"),
                  session);
    } else if (strcmp(name, "frameNavigated") == 0) {
        on_navigated(tab, session, aper__json_get(params, "frame"));
    } else if (strcmp(name, "frameDetached") == 0) {
        /* After a swap another process shows the frame. */
        if (strcmp(aper__json_string(params, "reason"), "swap") != 0)
            remove_below(tab, id, true);
    }
}

aper_tab *aper__tab_of_frame(aper_browser *browser, const char *frame_id)
{
    for (aper_tab *tab = browser->tabs; tab != NULL; tab = tab->next) {
        if (strcmp(tab->id, frame_id) == 0 || find_frame(tab, frame_id))
            return tab;
    }
    return NULL;
}

aper_status aper__tab_frames(aper_tab *tab, aper__frame **ret_frames,
                             size_t *ret_count)
{
    pthread_mutex_lock(&tab->browser->lock);
    size_t count = tab->frame_count;
    aper__frame *copy = aper__alloc((count + 1) * sizeof(*copy));
    size_t done = 0;
    while (copy != NULL && done < count) {
        const aper__frame *from = &tab->frames[done];
        if (!fill_frame(&copy[done], from->frame_id, from->parent_id,
                        from->session, from->url))
            break;
        done++;
    }
    pthread_mutex_unlock(&tab->browser->lock);
    if (copy == NULL || done < count) {
        aper__frames_free(copy, done);
        return APER_E_NOMEM;
    }
    *ret_frames = copy;
    *ret_count = count;
    return APER_OK;
}
