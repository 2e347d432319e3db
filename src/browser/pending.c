/* SPDX-License-Identifier: Apache-2.0 */
/* Weak stand-ins for emulate.c, which is on its way, so that the tree links;
 * this file goes when it lands. */
#include "browser/internal.h"

#define WEAK __attribute__((weak))

WEAK void aper__emulate_apply(aper_tab *tab APER_UNUSED,
                              aper__session *session APER_UNUSED)
{
}
WEAK void aper__emulate_free(aper_tab *tab APER_UNUSED) {}
