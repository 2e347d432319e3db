/* SPDX-License-Identifier: Apache-2.0 */
/* The size that a page has. The browser answers a command that changes it
 * before the renderer has it: while a frame of the size before is on its way,
 * the new one waits. */
#include "browser/internal.h"

#include <math.h>

#define LOOK_AGAIN_MS 10
#define SCROLL_BAR_PX 20 /* at most */

/* In device-independent pixels, without scroll bars, at any zoom. */
aper_status aper__view_look(aper_tab *tab, aper__op *op, aper__view *ret_view,
                            aper_error **ret_error)
{
    json_t *answer = NULL;
    aper_status status = aper__tab_call(tab, op, "Page.getLayoutMetrics", NULL,
                                        &answer, ret_error);
    if (status != APER_OK)
        return status;
    json_t *view = aper__json_get(answer, "cssVisualViewport");
    double factor = aper__json_number(view, "scale", 1)
        * aper__json_number(view, "zoom", 1);
    ret_view->width = factor * aper__json_number(view, "clientWidth", 0);
    ret_view->height = factor * aper__json_number(view, "clientHeight", 0);
    json_decref(answer);
    return APER_OK;
}

static bool fits(double seen, double wanted)
{
    return seen <= wanted + 1 && seen >= wanted - SCROLL_BAR_PX;
}

static bool has(const aper__view *seen, const aper__view *wanted)
{
    return fits(seen->width, wanted->width)
        && fits(seen->height, wanted->height);
}

static bool is_there(const aper__view *seen, const aper__view *from,
                     const aper__view *to, const aper__view *own)
{
    if (seen->width <= 0 || seen->height <= 0)
        return true; /* nothing to be seen */
    if (to->width > 0)
        return has(seen, to);
    return !has(seen, from)
        || (fabs(seen->width - own->width) <= 1
            && fabs(seen->height - own->height) <= 1);
}

aper_status aper__view_wait(aper_tab *tab, aper__op *op,
                            const aper__view *from, const aper__view *to,
                            const aper__view *own, aper_error **ret_error)
{
    if (from->width == to->width && from->height == to->height)
        return APER_OK;
    for (;;) {
        uint32_t seen = aper__op_seen(op);
        aper__view now = { 0 };
        aper_status status = aper__view_look(tab, op, &now, NULL);
        /* a refusal is a document that is being replaced */
        if (status == APER_OK && is_there(&now, from, to, own))
            return APER_OK;
        if (status == APER_OK || status == APER_E_REMOTE)
            status = aper__op_wait_until(op, seen,
                                         aper__now_ms() + LOOK_AGAIN_MS);
        if (status == APER_E_TIMEOUT)
            return aper__error_set(ret_error, status,
                                   "the browser took it, but the page does "
                                   "not have its new size yet");
        if (status != APER_OK)
            return aper__error_set(ret_error, status, "%s",
                                   aper__op_reason(status));
    }
}
