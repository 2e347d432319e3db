/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 64

bool aper__buf_reserve(aper__buf *buf, size_t size)
{
    if (buf->failed)
        return false;
    /* One byte more, for the NUL. */
    if (size < buf->capacity - buf->size)
        return true;
    if (size >= (size_t)PTRDIFF_MAX - buf->size)
        goto failed;
    size_t need = buf->size + size + 1;
    size_t capacity = buf->capacity ? buf->capacity : FIRST_CAPACITY;
    while (capacity < need)
        capacity = capacity > PTRDIFF_MAX / 2 ? need : capacity * 2;
    char *data = aper__realloc(buf->data, capacity);
    if (!data)
        goto failed;
    data[buf->size] = '\0';
    buf->data = data;
    buf->capacity = capacity;
    return true;
failed:
    buf->failed = true;
    return false;
}

void aper__buf_append(aper__buf *buf, const void *data, size_t size)
{
    if (!aper__buf_reserve(buf, size))
        return;
    if (size)
        memcpy(buf->data + buf->size, data, size);
    buf->size += size;
    buf->data[buf->size] = '\0';
}

void aper__buf_puts(aper__buf *buf, const char *text)
{
    aper__buf_append(buf, text, strlen(text));
}

void aper__buf_putc(aper__buf *buf, char c)
{
    aper__buf_append(buf, &c, 1);
}

void aper__buf_vprintf(aper__buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    if (size < 0)
        buf->failed = true;
    else if (aper__buf_reserve(buf, (size_t)size)) {
        vsnprintf(buf->data + buf->size, (size_t)size + 1, format, again);
        buf->size += (size_t)size;
    }
    va_end(again);
}

void aper__buf_printf(aper__buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    aper__buf_vprintf(buf, format, args);
    va_end(args);
}

void aper__buf_clear(aper__buf *buf)
{
    buf->size = 0;
    buf->failed = false;
    if (buf->data)
        buf->data[0] = '\0';
}

void aper__buf_free(aper__buf *buf)
{
    aper__dealloc(buf->data);
    *buf = (aper__buf){0};
}

char *aper__buf_take(aper__buf *buf)
{
    aper__buf_reserve(buf, 0);
    if (buf->failed) {
        aper__buf_free(buf);
        return NULL;
    }
    char *text = buf->data;
    *buf = (aper__buf){0};
    return text;
}
