/* SPDX-License-Identifier: Apache-2.0 */
/* Reading answers whose shape nobody vouches for, and writing. */
#include "cdp/cdp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *aper__json_string(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

int64_t aper__json_int(json_t *object, const char *key, int64_t fallback)
{
    json_t *value = json_object_get(object, key);
    if (json_is_integer(value))
        return json_integer_value(value);
    /* Bounds that a double has exactly; NaN fails both. */
    double number = json_is_real(value) ? json_real_value(value) : 1e300;
    if (number >= -9223372036854775808.0 && number < 9223372036854775808.0)
        return (int64_t)number;
    return fallback;
}

double aper__json_number(json_t *object, const char *key, double fallback)
{
    json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

bool aper__json_bool(json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

json_t *aper__json_get(json_t *object, const char *path)
{
    while (object && *path) {
        size_t length = strcspn(path, ".");
        char key[64];
        if (length >= sizeof key)
            return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        path += length + (path[length] == '.');
    }
    return object;
}

/* ---- writing ----------------------------------------------------------------
 * jansson can dump as well, but looks for loops and asks for every byte, which
 * costs as much as sending. */

static void write_escape(aper__buf *out, char c)
{
    static const char meant[] = "\"\\\b\f\n\r\t";
    static const char names[] = "\"\\bfnrt";
    const char *found = c ? strchr(meant, c) : NULL;
    char escape[8] = {'\\'};
    if (found)
        escape[1] = names[found - meant];
    else
        snprintf(escape, sizeof escape, "\\u%04X", (unsigned)c);
    aper__buf_puts(out, escape);
}

static void write_string(aper__buf *out, const char *text, size_t size)
{
    aper__buf_putc(out, '"');
    for (size_t from = 0, at = 0; from < size; from = at) {
        while (at < size && text[at] != '"' && text[at] != '\\'
               && (unsigned char)text[at] >= 0x20)
            at++;
        aper__buf_append(out, text + from, at - from);
        if (at < size)
            write_escape(out, text[at++]);
    }
    aper__buf_putc(out, '"');
}

void aper__json_write_string(aper__buf *out, const char *text)
{
    write_string(out, text, strlen(text));
}

static void write_number(aper__buf *out, json_t *value)
{
    char text[64];
    if (json_is_integer(value)) {
        snprintf(text, sizeof text, "%" PRId64,
                 (int64_t)json_integer_value(value));
        aper__buf_puts(out, text);
        return;
    }
    /* In any locale with a point. */
    size_t size = json_dumpb(value, text, sizeof text, JSON_ENCODE_ANY);
    if (size == 0 || size > sizeof text)
        out->failed = true;
    else
        aper__buf_append(out, text, size);
}

static void write_object(aper__buf *out, json_t *object)
{
    char before = '{';
    for (void *at = json_object_iter(object); at;
         at = json_object_iter_next(object, at)) {
        aper__buf_putc(out, before);
        write_string(out, json_object_iter_key(at),
                     json_object_iter_key_len(at));
        aper__buf_putc(out, ':');
        aper__json_write(out, json_object_iter_value(at));
        before = ',';
    }
    aper__buf_puts(out, before == '{' ? "{}" : "}");
}

static void write_array(aper__buf *out, json_t *array)
{
    size_t count = json_array_size(array);
    for (size_t i = 0; i < count; i++) {
        aper__buf_putc(out, i == 0 ? '[' : ',');
        aper__json_write(out, json_array_get(array, i));
    }
    aper__buf_puts(out, count == 0 ? "[]" : "]");
}

void aper__json_write(aper__buf *out, json_t *value)
{
    if (json_is_object(value))
        write_object(out, value);
    else if (json_is_array(value))
        write_array(out, value);
    else if (json_is_string(value))
        write_string(out, json_string_value(value),
                     json_string_length(value));
    else if (json_is_number(value))
        write_number(out, value);
    else
        aper__buf_puts(out, json_is_true(value)    ? "true"
                            : json_is_false(value) ? "false"
                                                   : "null");
}
