/* SPDX-License-Identifier: Apache-2.0 */
/* Reading answers whose shape nobody vouches for. */
#include "cdp/cdp.h"

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
