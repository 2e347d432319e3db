/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/capture.h"

#include <sodium.h>

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

void aper__capture_unref(void *capture)
{
    aper_capture_unref(capture);
}

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
