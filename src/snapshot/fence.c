/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define TAG "untrusted-page-content"
#define TRIES 32

static void draw(aper__fence *fence)
{
    uint32_t number;
    do
        randombytes_buf(&number, sizeof number);
    while (number >= 4294000000u); /* the rest would favour small digits */
    snprintf(fence->digits, sizeof fence->digits, "%06u",
             (unsigned)(number % 1000000u));
}

/* Deleting can join what stood around it, so it is done until none is left. */
static void delete_all(char *body, const char *digits)
{
    size_t size = strlen(digits);
    char *at;
    while ((at = strstr(body, digits)))
        memmove(at, at + size, strlen(at + size) + 1);
}

void aper__fence_make(aper__fence *fence, char *body)
{
    draw(fence);
    for (int i = 0; i < TRIES && strstr(body, fence->digits); i++)
        draw(fence);
    delete_all(body, fence->digits);
}

void aper__fence_open(const aper__fence *fence, aper__buf *out)
{
    aper__buf_printf(out, "<" TAG " %s>\n", fence->digits);
}

void aper__fence_close(const aper__fence *fence, aper__buf *out)
{
    aper__buf_printf(out, "</" TAG " %s>\n", fence->digits);
}
