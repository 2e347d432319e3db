/* SPDX-License-Identifier: Apache-2.0 */
/* Weak stand-ins for parts that are on their way, so that the tree links; the
 * real ones replace them, and this file goes with the last. */
#include "browser/internal.h"

#define WEAK __attribute__((weak))

WEAK aper_status aper__cdp_open(const aper__cdp_target *target APER_UNUSED,
                                const aper__cdp_events *events APER_UNUSED,
                                void *userdata APER_UNUSED,
                                aper__op *op APER_UNUSED,
                                aper__cdp **ret_cdp APER_UNUSED,
                                aper_error **ret_error)
{
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK void aper__cdp_unref(aper__cdp *cdp APER_UNUSED) {}
WEAK void aper__cdp_shutdown(aper__cdp *cdp APER_UNUSED) {}
WEAK aper_status aper__cdp_call(aper__cdp *cdp APER_UNUSED,
                                const char *session APER_UNUSED,
                                const char *method APER_UNUSED,
                                json_t *params, aper__op *op APER_UNUSED,
                                json_t **ret_result APER_UNUSED,
                                aper_error **ret_error)
{
    json_decref(params);
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK aper_status aper__cdp_send(aper__cdp *cdp APER_UNUSED,
                                const char *session APER_UNUSED,
                                const char *method APER_UNUSED,
                                json_t *params,
                                uint32_t timeout_ms APER_UNUSED,
                                aper__cdp_reply *reply APER_UNUSED,
                                void *userdata APER_UNUSED)
{
    json_decref(params);
    return APER_E_UNSUPPORTED;
}
WEAK aper_status aper__cdp_begin(aper__cdp *cdp APER_UNUSED,
                                 const char *session APER_UNUSED,
                                 const char *method APER_UNUSED,
                                 json_t *params, aper__op *op APER_UNUSED,
                                 aper__cdp_pending **ret_pending APER_UNUSED,
                                 aper_error **ret_error)
{
    json_decref(params);
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK aper_status aper__cdp_finish(aper__cdp_pending *pending APER_UNUSED,
                                  json_t **ret_result APER_UNUSED,
                                  aper_error **ret_error)
{
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK void aper__cdp_fail_session(aper__cdp *cdp APER_UNUSED,
                                 const char *session APER_UNUSED,
                                 aper_status status APER_UNUSED,
                                 const char *detail APER_UNUSED)
{
}
WEAK void aper__cdp_revive_session(aper__cdp *cdp APER_UNUSED,
                                   const char *session APER_UNUSED)
{
}
WEAK aper_status aper__discover(const char *endpoint APER_UNUSED,
                                const aper__wire_target *how APER_UNUSED,
                                aper__op *op APER_UNUSED,
                                char **ret_url APER_UNUSED,
                                aper_error **ret_error)
{
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK aper_status aper__launch_start(
    const aper_launch_options *options APER_UNUSED, aper__op *op APER_UNUSED,
    aper__launch **ret_launch APER_UNUSED, aper_error **ret_error)
{
    return aper__error_set(ret_error, APER_E_UNSUPPORTED, "not built");
}
WEAK const char *aper__launch_endpoint(const aper__launch *launch APER_UNUSED)
{
    return NULL;
}
WEAK int aper__launch_take_pipe(aper__launch *launch APER_UNUSED)
{
    return -1;
}
WEAK int64_t aper__launch_pid(const aper__launch *launch APER_UNUSED)
{
    return 0;
}
WEAK void aper__launch_stop(aper__launch *launch APER_UNUSED,
                            uint32_t grace_ms APER_UNUSED)
{
}
WEAK void aper__launch_free(aper__launch *launch APER_UNUSED) {}

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
