/* SPDX-License-Identifier: Apache-2.0 */
/* What the page script sends of a page: a view, and a patch to it after an
 * empty line. A page that could forge it must gain nothing but a wrong text. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything in it can be asked for. */
static void look_at(const aper__view *view)
{
    aper_snapshot *state = NULL;
    char *json = NULL;
    if (aper__snapshot_new(view, "tab", "document", &state))
        return;
    if (aper__snapshot_name(state, 1, 0) || !state->line_count
        || aper_snapshot_to_json(state, &json))
        abort();
    size_t count = 0;
    for (size_t i = 0; i < state->line_count; i++) {
        if (state->lines[i].first != count
            || strchr(state->lines[i].text, '\n'))
            abort();
        count += state->lines[i].count;
    }
    if (count != view->count)
        abort();
    aper_free(json);
    aper_snapshot_unref(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = aper__strndup((const char *)data, size);
    char *patch = text ? strstr(text, "\n\n") : NULL;
    aper__view first = {0}, second = {0};
    if (patch) {
        *patch = '\0';
        patch += 2;
    }
    if (text && !aper__view_patch(&(aper__view){0}, text, &first)) {
        look_at(&first);
        if (patch && !aper__view_patch(&first, patch, &second))
            look_at(&second);
    }
    aper__view_clear(&first);
    aper__view_clear(&second);
    aper__dealloc(text);
    return 0;
}
