/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

void aper__ref(aper__refs *refs)
{
    atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

bool aper__unref(aper__refs *refs)
{
    /* Acquire and release in one operation instead of a fence, which
     * ThreadSanitizer does not understand. */
    return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}
