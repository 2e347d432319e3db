/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

aper__told *aper__told_new(const aper_snapshot *snapshot)
{
    aper__told *told = aper__alloc(sizeof *told);
    if (!told)
        return NULL;
    atomic_init(&told->refs, 1);
    /* Only its count changes. */
    told->snapshot = aper_snapshot_ref((aper_snapshot *)snapshot);
    return told;
}

aper__told *aper__told_ref(aper__told *told)
{
    if (told)
        aper__ref(&told->refs);
    return told;
}

void aper__told_unref(aper__told *told)
{
    if (!told || !aper__unref(&told->refs))
        return;
    for (size_t i = 0; i < told->count; i++)
        aper__dealloc(told->notes[i].text);
    aper__dealloc(told->notes);
    aper_snapshot_unref(told->snapshot);
    aper__dealloc(told);
}

const char *aper__told_line(const aper__told *told, size_t line)
{
    size_t low = 0, high = told->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (told->notes[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < told->count && told->notes[low].line == line
        && told->notes[low].text)
        return told->notes[low].text;
    return told->snapshot->lines[line].text;
}
