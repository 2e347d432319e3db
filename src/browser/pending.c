/* SPDX-License-Identifier: Apache-2.0 */
/* Weak stand-ins for parts that are on their way, so that the tree links; the
 * real ones replace them, and this file goes with the last. */
#include "browser/internal.h"

#define WEAK __attribute__((weak))

WEAK aper_status aper__downloads_begin(aper_browser *browser APER_UNUSED,
                                       aper__op *op APER_UNUSED,
                                       aper_error **ret_error APER_UNUSED)
{
    return APER_OK;
}
WEAK void aper__downloads_on_event(aper_browser *browser APER_UNUSED,
                                   const char *method APER_UNUSED,
                                   json_t *params APER_UNUSED)
{
}
WEAK void aper__downloads_free(aper_browser *browser APER_UNUSED) {}
WEAK void aper_download_unref(aper_download *download APER_UNUSED) {}
WEAK void aper__log_on_event(aper_tab *tab APER_UNUSED,
                             aper__session *session APER_UNUSED,
                             const char *method APER_UNUSED,
                             json_t *params APER_UNUSED)
{
}
WEAK void aper__log_free(aper_tab *tab APER_UNUSED) {}
WEAK void aper__emulate_apply(aper_tab *tab APER_UNUSED,
                              aper__session *session APER_UNUSED)
{
}
WEAK void aper__emulate_free(aper_tab *tab APER_UNUSED) {}
