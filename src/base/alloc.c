/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Allocations until the one that fails; 0 when the hook is off. */
static atomic_uint_fast64_t countdown;
static atomic_bool keep_failing;

void aper__alloc_fail_at(uint64_t n, bool sticky)
{
    atomic_store(&keep_failing, sticky);
    atomic_store(&countdown, n);
}

static bool is_refused(size_t size)
{
    if (size > PTRDIFF_MAX)
        return true;
    uint_fast64_t left = atomic_load_explicit(&countdown,
                                              memory_order_relaxed);
    while (left != 0) {
        uint_fast64_t next = left - 1;
        if (left == 1 && atomic_load(&keep_failing))
            next = 1;
        if (atomic_compare_exchange_weak(&countdown, &left, next))
            return left == 1;
    }
    return false;
}

void *aper__alloc(size_t size)
{
    return is_refused(size) ? NULL : calloc(1, size ? size : 1);
}

void *aper__realloc(void *memory, size_t size)
{
    return is_refused(size) ? NULL : realloc(memory, size ? size : 1);
}

char *aper__strdup(const char *text)
{
    return text ? aper__strndup(text, strlen(text)) : NULL;
}

char *aper__strndup(const char *text, size_t size)
{
    if (!text)
        return NULL;
    size = strnlen(text, size);
    char *copy = aper__alloc(size + 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

void aper__dealloc(void *memory)
{
    free(memory);
}

void aper_free(void *memory)
{
    aper__dealloc(memory);
}
