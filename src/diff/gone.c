/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <stdlib.h>
#include <string.h>

typedef struct refs {
    const char **items;
    size_t count;
} refs;

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static aper_status collect(const aper_snapshot *snapshot, refs *r)
{
    r->items = aper__alloc((snapshot->count + 1) * sizeof *r->items);
    for (size_t i = 0; r->items && i < snapshot->count; i++)
        if (*snapshot->items[i].entry->ref)
            r->items[r->count++] = snapshot->items[i].entry->ref;
    return r->items ? APER_OK : APER_E_NOMEM;
}

static void put(aper__buf *out, const refs *old, const refs *now, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < old->count; i++) {
        if (now->count && bsearch(&old->items[i], now->items, now->count,
                                  sizeof *now->items, compare))
            continue;
        if (++count <= max)
            aper__buf_printf(out, "%s %s", count == 1 ? "gone:" : "",
                             old->items[i]);
    }
    if (count > max)
        aper__buf_printf(out, " and %zu more", count - max);
    if (count)
        aper__buf_putc(out, '\n');
}

aper_status aper__diff_list_gone(const aper_snapshot *from,
                                 const aper_snapshot *to, size_t max,
                                 char **ret_gone)
{
    refs old = {0}, now = {0};
    aper__buf out = {0};
    char *gone = NULL;
    aper_status status = collect(from, &old);
    if (!status)
        status = collect(to, &now);
    if (!status) {
        qsort(now.items, now.count, sizeof *now.items, compare);
        put(&out, &old, &now, max);
        gone = aper__buf_take(&out);
        if (!gone)
            status = APER_E_NOMEM;
    }
    aper__dealloc(old.items);
    aper__dealloc(now.items);
    if (!status)
        *ret_gone = gone;
    return status;
}
