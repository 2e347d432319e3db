/* SPDX-License-Identifier: Apache-2.0 */
#include "browser/download.h"

#include <stdio.h>
#include <string.h>

#define EXTENSION_MAX 24 /* bytes, with the dot; longer is part of the stem */
#define FALLBACK "download"

/* What stands behind the last separator, of either kind. */
static const char *last_part(const char *path)
{
    const char *part = path;
    for (const char *p = path; *p != '\0'; p++) {
        if ((*p == '/' || *p == '\\') && p[1] != '\0')
            part = p + 1;
    }
    return part;
}

static void replace_reserved(char *name)
{
    for (char *p = name; *p != '\0'; p++) {
        if (strchr("<>:\"/\\|?*", *p) != NULL)
            *p = '_';
    }
}

static bool is_edge(char c)
{
    return c == '.' || c == ' ';
}

/* Leading dots hide a file; trailing ones are lost on other systems. */
static char *trim(char *name)
{
    while (is_edge(*name))
        name++;
    size_t length = strlen(name);
    while (length > 0 && is_edge(name[length - 1]))
        name[--length] = '\0';
    return name;
}

static const char *extension_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name || strlen(dot) > EXTENSION_MAX)
        return name + strlen(name);
    return dot;
}

/* Bytes of the longest start of text[0..size) within both limits. */
static size_t fit(const char *text, size_t size, size_t chars, size_t bytes)
{
    size_t end = 0;
    for (size_t i = 0; i < size && chars > 0; chars--) {
        do
            i++;
        while (i < size && ((unsigned char)text[i] & 0xC0) == 0x80);
        if (i > bytes)
            break;
        end = i;
    }
    return end;
}

static size_t count_chars(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* stem[0..size) shortened, then suffix, then extension. */
static char *join(const char *stem, size_t size, const char *suffix,
                  const char *extension)
{
    size_t chars = count_chars(suffix) + count_chars(extension);
    size_t bytes = strlen(suffix) + strlen(extension);
    size_t length = fit(stem, size, APER__FILENAME_CHARS - chars,
                        APER__FILENAME_BYTES - bytes);
    while (length > 0 && is_edge(stem[length - 1]))
        length--;
    aper__buf out = { 0 };
    aper__buf_append(&out, stem, length);
    aper__buf_puts(&out, suffix);
    aper__buf_puts(&out, extension);
    return aper__buf_take(&out);
}

char *aper__filename_clean(const char *proposed)
{
    const char *part = last_part(proposed);
    aper__buf clean = { 0 };
    aper__text_clean(&clean, part, strlen(part), 0);
    char *text = aper__buf_take(&clean);
    if (text == NULL)
        return NULL;
    replace_reserved(text);
    const char *name = trim(text);
    if (*name == '\0')
        name = FALLBACK;
    const char *extension = extension_of(name);
    char *result = join(name, (size_t)(extension - name), "", extension);
    aper__dealloc(text);
    return result;
}

char *aper__filename_numbered(const char *name, unsigned n)
{
    char suffix[16];
    snprintf(suffix, sizeof(suffix), " (%u)", n);
    const char *extension = extension_of(name);
    return join(name, (size_t)(extension - name), suffix, extension);
}
