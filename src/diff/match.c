/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/diff.h"

#include <string.h>

/* Myers, "An O(ND) Difference Algorithm and Its Variations": furthest reaching
 * paths for 0, 1, 2 … edits; every round is kept to find the way back. */
typedef struct rounds {
    const uint32_t *a;
    const uint32_t *b;
    size_t a_count;
    size_t b_count;
    size_t *reach; /* round d at d * d: for k from -d to d, how far in a */
    size_t edits;
} rounds;

static size_t *at(rounds *r, size_t d, ptrdiff_t k)
{
    return &r->reach[d * d + (size_t)((ptrdiff_t)d + k)];
}

/* Whether the path of d edits on diagonal k comes from k + 1: by inserting an
 * entry of b. */
static bool comes_down(rounds *r, size_t d, ptrdiff_t k)
{
    if (k == -(ptrdiff_t)d)
        return true;
    return k != (ptrdiff_t)d
           && *at(r, d - 1, k - 1) < *at(r, d - 1, k + 1);
}

static size_t start_of(rounds *r, size_t d, ptrdiff_t k)
{
    if (d == 0)
        return 0;
    return comes_down(r, d, k) ? *at(r, d - 1, k + 1)
                               : *at(r, d - 1, k - 1) + 1;
}

static size_t slide(const rounds *r, size_t x, ptrdiff_t k)
{
    size_t y = (size_t)((ptrdiff_t)x - k);
    while (x < r->a_count && y < r->b_count && r->a[x] == r->b[y]) {
        x++;
        y++;
    }
    return x;
}

static bool run_round(rounds *r, size_t d)
{
    for (ptrdiff_t k = -(ptrdiff_t)d; k <= (ptrdiff_t)d; k += 2) {
        size_t x = start_of(r, d, k);
        /* A path may leave the grid; it leads nowhere then. */
        if (x <= r->a_count && (ptrdiff_t)x - k <= (ptrdiff_t)r->b_count)
            x = slide(r, x, k);
        *at(r, d, k) = x;
        if (x >= r->a_count && (ptrdiff_t)x - k >= (ptrdiff_t)r->b_count
            && k == (ptrdiff_t)r->a_count - (ptrdiff_t)r->b_count) {
            r->edits = d;
            return true;
        }
    }
    return false;
}

static void walk_back(rounds *r, bool *kept_a, bool *kept_b)
{
    size_t x = r->a_count;
    ptrdiff_t k = (ptrdiff_t)r->a_count - (ptrdiff_t)r->b_count;
    for (size_t d = r->edits + 1; d-- > 0;) {
        size_t start = start_of(r, d, k);
        for (; x > start; x--) {
            kept_a[x - 1] = true;
            kept_b[(size_t)((ptrdiff_t)x - k) - 1] = true;
        }
        if (d == 0)
            return;
        if (comes_down(r, d, k)) {
            k++;
        } else {
            k--;
            x--;
        }
    }
}

aper_status aper__diff_match(const uint32_t *a, size_t a_count,
                             const uint32_t *b, size_t b_count, size_t max,
                             bool *kept_a, bool *kept_b, bool *ret_close)
{
    rounds r = {.a = a, .b = b, .a_count = a_count, .b_count = b_count};
    size_t capacity = 0;
    *ret_close = false;
    for (size_t d = 0; d <= max && d <= a_count + b_count; d++) {
        size_t needed = (d + 1) * (d + 1);
        if (needed > capacity) {
            capacity = needed * 2;
            size_t *more = aper__realloc(r.reach, capacity * sizeof *more);
            if (!more) {
                aper__dealloc(r.reach);
                return APER_E_NOMEM;
            }
            r.reach = more;
        }
        if (run_round(&r, d)) {
            walk_back(&r, kept_a, kept_b);
            *ret_close = true;
            break;
        }
    }
    aper__dealloc(r.reach);
    return APER_OK;
}
