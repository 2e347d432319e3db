/* SPDX-License-Identifier: Apache-2.0 */
/* A message of the wire. Whatever jansson takes by itself must pass, and so
 * must everything that differs from it only in what is put right. */
#include "cdp/cdp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Brackets outside strings are not told apart: an upper bound will do. */
static bool may_be_deep(const uint8_t *data, size_t size)
{
    size_t opening = 0;
    for (size_t i = 0; i < size; i++)
        opening += data[i] == '[' || data[i] == '{';
    return opening > 512;
}

/* What is written reads as what it was. */
static void check_written(json_t *value)
{
    aper__buf out = {0};
    aper__json_write(&out, value);
    json_t *again = json_loadb(out.data, out.size, 0, NULL);
    if (!json_equal(again, value))
        abort();
    json_decref(again);
    aper__buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!aper__utf8_is_valid((const char *)data, size))
        return 0;
    char *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    json_t *plain = json_loadb(copy, size, 0, NULL);
    bool cut = false;
    json_t *value = aper__cdp_parse(copy, size, &cut);
    if (plain && !value)
        abort();
    if (cut && !may_be_deep(data, size))
        abort();
    if (plain && !cut && !json_equal(plain, value))
        abort();
    if (value)
        check_written(value);
    aper__json_int(value, "id", 0);
    aper__json_string(value, "method");
    aper__json_get(value, "error.message");
    json_decref(plain);
    json_decref(value);
    free(copy);
    return 0;
}
