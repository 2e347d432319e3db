/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/capture.h"

#include <sodium.h>

#include <stddef.h>
#include <string.h>

aper_capture *aper__capture_new(unsigned char *data, size_t size,
                                const char *mime_type)
{
    aper_capture *capture = aper__alloc(sizeof(*capture));
    if (capture == NULL) {
        aper__dealloc(data);
        return NULL;
    }
    atomic_init(&capture->refs, 1);
    capture->data = data;
    capture->size = size;
    capture->mime_type = mime_type;
    return capture;
}

bool aper__capture_decode(aper__buf *out, const char *text)
{
    size_t length = strlen(text);
    size_t room = length / 4 * 3 + 3;
    size_t size = 0;
    if (!aper__buf_reserve(out, room + 1))
        return false;
    if (sodium_base642bin((unsigned char *)out->data + out->size, room, text,
                          length, NULL, &size, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        return false;
    out->size += size;
    out->data[out->size] = '\0';
    return true;
}

/* ---- the calls ----------------------------------------------------------- */

aper_status aper__capture_take(aper_tab *tab, const aper__capture_kind *kind,
                               const void *options, uint32_t timeout_ms,
                               aper_capture **ret_capture,
                               aper_error **ret_error)
{
    aper__op op;
    if (ret_capture == NULL)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "ret_capture is NULL");
    aper_status status = aper__tab_begin(tab, &op, timeout_ms, false,
                                         ret_error);
    if (status != APER_OK)
        return status;
    status = kind->make(tab, &op, options, ret_capture, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

typedef struct started {
    const aper__capture_kind *kind;
    char *text;
    max_align_t options[];
} started;

static void free_started(void *arg)
{
    started *start = arg;
    aper__dealloc(start->text);
    aper__dealloc(start);
}

static void unref_capture(void *capture)
{
    aper_capture_unref(capture);
}

static aper_status run(void *arg, aper_browser *browser, aper_tab *tab,
                       aper__op *op, aper__result *ret_result,
                       aper_error **ret_error)
{
    (void)browser;
    const started *start = arg;
    aper_capture *capture = NULL;
    aper_status status = start->kind->make(tab, op, start->options, &capture,
                                           ret_error);
    if (status == APER_OK)
        *ret_result = (aper__result){ APER__RESULT_CAPTURE, capture,
                                      unref_capture };
    return status;
}

aper_status aper__capture_start(aper_tab *tab, const aper__capture_kind *kind,
                                const void *options, uint32_t timeout_ms,
                                uint64_t tag, aper_error **ret_error)
{
    if (tab == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "the tab is NULL");
    started *start = aper__alloc(sizeof(*start) + kind->size);
    if (start == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    start->kind = kind;
    memcpy(start->options, options, kind->size);
    const char **text = (const char **)((char *)start->options + kind->text);
    start->text = aper__strdup(*text);
    if (*text != NULL && start->text == NULL) {
        free_started(start);
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    }
    *text = start->text;
    const aper__job job = { .run = run, .free_arg = free_started,
                            .arg = start, .timeout_ms = timeout_ms };
    return aper__browser_start(aper_tab_get_browser(tab), tab, tag, &job,
                               ret_error);
}

/* ---- what it is ---------------------------------------------------------- */

const void *aper_capture_get_data(const aper_capture *capture)
{
    return capture != NULL ? capture->data : NULL;
}

size_t aper_capture_get_size(const aper_capture *capture)
{
    return capture != NULL ? capture->size : 0;
}

const char *aper_capture_get_mime_type(const aper_capture *capture)
{
    return capture != NULL ? capture->mime_type : "";
}

uint32_t aper_capture_get_width(const aper_capture *capture)
{
    return capture != NULL ? capture->width : 0;
}

uint32_t aper_capture_get_height(const aper_capture *capture)
{
    return capture != NULL ? capture->height : 0;
}

double aper_capture_get_scale(const aper_capture *capture)
{
    return capture != NULL ? capture->scale : 0;
}

uint32_t aper_capture_get_remaining_height(const aper_capture *capture)
{
    return capture != NULL ? capture->remaining_height : 0;
}

aper_capture *aper_capture_ref(aper_capture *capture)
{
    if (capture != NULL)
        aper__ref(&capture->refs);
    return capture;
}

void aper_capture_unref(aper_capture *capture)
{
    if (capture == NULL || !aper__unref(&capture->refs))
        return;
    aper__dealloc(capture->data);
    aper__dealloc(capture);
}
