/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/volatile.h"

#include <string.h>

void aper__contents_begin(aper__contents *c, const char *a, const char *b)
{
    *c = (aper__contents){.a = a, .b = b};
}

/* Behind a string that begins at the quote. */
static const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p ? p + 1 : p;
}

static aper__string inside(const char *from, const char *end)
{
    size_t size = (size_t)(end - from);
    return (aper__string){from + 1, size > 1 ? size - 2 : 0};
}

static bool is_ref(const char *word, size_t size)
{
    char ref[APER__REF_SIZE + 1];
    char plain[APER__REF_SIZE];
    if (size < 7 || size >= sizeof ref)
        return false;
    memcpy(ref, word, size);
    ref[size] = '\0';
    return aper__page_parse_ref(ref, plain);
}

/* Everything but strings has to be the same. */
static bool step_over(aper__contents *c)
{
    size_t size = strcspn(c->a, " \"");
    if (strncmp(c->a, c->b, size) != 0)
        return false;
    if (size && c->a[size] != '"' && is_ref(c->a, size))
        c->nameless = c->has_ref = true;
    c->in_value = size && c->a[size] == '"' && c->a[size - 1] == '=';
    c->a += size;
    c->b += size;
    size = strspn(c->a, " ");
    if (size != strspn(c->b, " "))
        return false;
    c->a += size;
    c->b += size;
    return true;
}

/* The name and the value of what can be acted on. Behind the name stands text,
 * or another item; a value there counts as guarded too, which only means that
 * more is told. */
static bool is_guarded(aper__contents *c)
{
    bool guarded = c->has_ref && (c->in_value || c->nameless);
    if (!c->in_value)
        c->nameless = false;
    c->in_value = false;
    return guarded;
}

int aper__contents_next(aper__contents *c, aper__string *ret_a,
                        aper__string *ret_b)
{
    for (;;) {
        if (!*c->a || !*c->b)
            return *c->a == *c->b ? 0 : -1;
        if (*c->a != '"') {
            if (!step_over(c))
                return -1;
            continue;
        }
        if (*c->b != '"')
            return -1;
        const char *a = skip_string(c->a), *b = skip_string(c->b);
        *ret_a = inside(c->a, a);
        *ret_b = inside(c->b, b);
        bool guarded = is_guarded(c);
        c->a = a;
        c->b = b;
        if (ret_a->size == ret_b->size
            && memcmp(ret_a->text, ret_b->text, ret_a->size) == 0)
            continue;
        return guarded ? -1 : 1;
    }
}
