/* SPDX-License-Identifier: Apache-2.0 */
/* Gate 3: what release 1.0 promised of every public struct and constant, for
 * 64-bit machines. Never edit what a release froze; a later release adds its
 * own copies below. (Until 1.0 is out, what it freezes may still change.) */
#include <aperture/aperture.h>

#define SAME_PLACE(type, field, offset)                                      \
    _Static_assert(offsetof(struct type##_1_0, field) == (offset)            \
                       && offsetof(type, field) == (offset)                  \
                       && _Generic(((type *)0)->field,                       \
                                   __typeof__(((struct type##_1_0 *)0)       \
                                                  ->field): 1, default: 0),  \
                   #type "." #field " moved or has another type")
/* A struct may only grow. */
#define SAME_SIZE(type, bytes)                                               \
    _Static_assert(sizeof(struct type##_1_0) == (bytes)                      \
                       && sizeof(type) >= (bytes),                           \
                   #type " shrank")
#define SAME_VALUE(name, value)                                              \
    _Static_assert(name == (value), #name " was renumbered")

struct aper_act_options_1_0 {
    size_t size;
    uint32_t verb;
    uint32_t timeout_ms;
    const char *ref;
    const char *text;
    const char *key;
    uint32_t button;
    uint32_t click_count;
    uint32_t modifiers;
    uint32_t settle_ms;
    double delta_x;
    double delta_y;
};
SAME_PLACE(aper_act_options, size, 0);
SAME_PLACE(aper_act_options, verb, 8);
SAME_PLACE(aper_act_options, timeout_ms, 12);
SAME_PLACE(aper_act_options, ref, 16);
SAME_PLACE(aper_act_options, text, 24);
SAME_PLACE(aper_act_options, key, 32);
SAME_PLACE(aper_act_options, button, 40);
SAME_PLACE(aper_act_options, click_count, 44);
SAME_PLACE(aper_act_options, modifiers, 48);
SAME_PLACE(aper_act_options, settle_ms, 52);
SAME_PLACE(aper_act_options, delta_x, 56);
SAME_PLACE(aper_act_options, delta_y, 64);
SAME_SIZE(aper_act_options, 72);

struct aper_attach_options_1_0 {
    size_t size;
    const char *const *headers;
    const char *bearer_token;
    const char *ca_file;
    uint32_t timeout_ms;
    uint32_t allow_eval;
};
SAME_PLACE(aper_attach_options, size, 0);
SAME_PLACE(aper_attach_options, headers, 8);
SAME_PLACE(aper_attach_options, bearer_token, 16);
SAME_PLACE(aper_attach_options, ca_file, 24);
SAME_PLACE(aper_attach_options, timeout_ms, 32);
SAME_PLACE(aper_attach_options, allow_eval, 36);
SAME_SIZE(aper_attach_options, 40);

struct aper_diff_options_1_0 {
    size_t size;
    uint32_t budget_tokens;
    uint32_t timeout_ms;
    uint32_t reset_percent;
    uint32_t reset_after;
    uint32_t restate_volatile;
    uint32_t reserved;
};
SAME_PLACE(aper_diff_options, size, 0);
SAME_PLACE(aper_diff_options, budget_tokens, 8);
SAME_PLACE(aper_diff_options, timeout_ms, 12);
SAME_PLACE(aper_diff_options, reset_percent, 16);
SAME_PLACE(aper_diff_options, reset_after, 20);
SAME_PLACE(aper_diff_options, restate_volatile, 24);
SAME_PLACE(aper_diff_options, reserved, 28);
SAME_SIZE(aper_diff_options, 32);

struct aper_emulation_options_1_0 {
    size_t size;
    uint32_t width;
    uint32_t height;
    uint32_t scale_permille;
    uint32_t mobile;
    uint32_t offline;
    uint32_t has_geolocation;
    const char *locale;
    const char *timezone;
    const char *user_agent;
    double latitude;
    double longitude;
    double accuracy_m;
};
SAME_PLACE(aper_emulation_options, size, 0);
SAME_PLACE(aper_emulation_options, width, 8);
SAME_PLACE(aper_emulation_options, height, 12);
SAME_PLACE(aper_emulation_options, scale_permille, 16);
SAME_PLACE(aper_emulation_options, mobile, 20);
SAME_PLACE(aper_emulation_options, offline, 24);
SAME_PLACE(aper_emulation_options, has_geolocation, 28);
SAME_PLACE(aper_emulation_options, locale, 32);
SAME_PLACE(aper_emulation_options, timezone, 40);
SAME_PLACE(aper_emulation_options, user_agent, 48);
SAME_PLACE(aper_emulation_options, latitude, 56);
SAME_PLACE(aper_emulation_options, longitude, 64);
SAME_PLACE(aper_emulation_options, accuracy_m, 72);
SAME_SIZE(aper_emulation_options, 80);

struct aper_launch_options_1_0 {
    size_t size;
    const char *executable;
    const char *profile_dir;
    const char *const *extra_args;
    uint32_t headed;
    uint32_t no_sandbox;
    uint32_t use_pipe;
    uint32_t timeout_ms;
    uint32_t width;
    uint32_t height;
    const char *proxy;
    uint32_t allow_eval;
    uint32_t reserved;
};
SAME_PLACE(aper_launch_options, size, 0);
SAME_PLACE(aper_launch_options, executable, 8);
SAME_PLACE(aper_launch_options, profile_dir, 16);
SAME_PLACE(aper_launch_options, extra_args, 24);
SAME_PLACE(aper_launch_options, headed, 32);
SAME_PLACE(aper_launch_options, no_sandbox, 36);
SAME_PLACE(aper_launch_options, use_pipe, 40);
SAME_PLACE(aper_launch_options, timeout_ms, 44);
SAME_PLACE(aper_launch_options, width, 48);
SAME_PLACE(aper_launch_options, height, 52);
SAME_PLACE(aper_launch_options, proxy, 56);
SAME_PLACE(aper_launch_options, allow_eval, 64);
SAME_PLACE(aper_launch_options, reserved, 68);
SAME_SIZE(aper_launch_options, 72);

struct aper_navigate_options_1_0 {
    size_t size;
    uint32_t timeout_ms;
    uint32_t until;
    const char *referrer;
    uint32_t ignore_cache;
    uint32_t reserved;
};
SAME_PLACE(aper_navigate_options, size, 0);
SAME_PLACE(aper_navigate_options, timeout_ms, 8);
SAME_PLACE(aper_navigate_options, until, 12);
SAME_PLACE(aper_navigate_options, referrer, 16);
SAME_PLACE(aper_navigate_options, ignore_cache, 24);
SAME_PLACE(aper_navigate_options, reserved, 28);
SAME_SIZE(aper_navigate_options, 32);

struct aper_open_options_1_0 {
    size_t size;
    const char *url;
    uint32_t foreground;
    uint32_t timeout_ms;
    uint32_t until;
    uint32_t reserved;
};
SAME_PLACE(aper_open_options, size, 0);
SAME_PLACE(aper_open_options, url, 8);
SAME_PLACE(aper_open_options, foreground, 16);
SAME_PLACE(aper_open_options, timeout_ms, 20);
SAME_PLACE(aper_open_options, until, 24);
SAME_PLACE(aper_open_options, reserved, 28);
SAME_SIZE(aper_open_options, 32);

struct aper_pdf_options_1_0 {
    size_t size;
    uint32_t landscape;
    uint32_t backgrounds;
    uint32_t paper_width_um;
    uint32_t paper_height_um;
    const char *pages;
    uint32_t timeout_ms;
    uint32_t reserved;
};
SAME_PLACE(aper_pdf_options, size, 0);
SAME_PLACE(aper_pdf_options, landscape, 8);
SAME_PLACE(aper_pdf_options, backgrounds, 12);
SAME_PLACE(aper_pdf_options, paper_width_um, 16);
SAME_PLACE(aper_pdf_options, paper_height_um, 20);
SAME_PLACE(aper_pdf_options, pages, 24);
SAME_PLACE(aper_pdf_options, timeout_ms, 32);
SAME_PLACE(aper_pdf_options, reserved, 36);
SAME_SIZE(aper_pdf_options, 40);

struct aper_policy_options_1_0 {
    size_t size;
    const char *const *allow_hosts;
    const char *const *deny_hosts;
    const char *const *extra_schemes;
    uint32_t deny_private;
    uint32_t on_alert;
    uint32_t on_confirm;
    uint32_t on_beforeunload;
};
SAME_PLACE(aper_policy_options, size, 0);
SAME_PLACE(aper_policy_options, allow_hosts, 8);
SAME_PLACE(aper_policy_options, deny_hosts, 16);
SAME_PLACE(aper_policy_options, extra_schemes, 24);
SAME_PLACE(aper_policy_options, deny_private, 32);
SAME_PLACE(aper_policy_options, on_alert, 36);
SAME_PLACE(aper_policy_options, on_confirm, 40);
SAME_PLACE(aper_policy_options, on_beforeunload, 44);
SAME_SIZE(aper_policy_options, 48);

struct aper_screenshot_options_1_0 {
    size_t size;
    const char *ref;
    uint32_t full_page;
    uint32_t format;
    uint32_t quality;
    uint32_t max_edge;
    uint32_t max_height;
    uint32_t start_y;
    uint32_t timeout_ms;
    uint32_t reserved;
};
SAME_PLACE(aper_screenshot_options, size, 0);
SAME_PLACE(aper_screenshot_options, ref, 8);
SAME_PLACE(aper_screenshot_options, full_page, 16);
SAME_PLACE(aper_screenshot_options, format, 20);
SAME_PLACE(aper_screenshot_options, quality, 24);
SAME_PLACE(aper_screenshot_options, max_edge, 28);
SAME_PLACE(aper_screenshot_options, max_height, 32);
SAME_PLACE(aper_screenshot_options, start_y, 36);
SAME_PLACE(aper_screenshot_options, timeout_ms, 40);
SAME_PLACE(aper_screenshot_options, reserved, 44);
SAME_SIZE(aper_screenshot_options, 48);

struct aper_snapshot_options_1_0 {
    size_t size;
    uint32_t budget_tokens;
    uint32_t timeout_ms;
    const char *expand;
    const char *find;
    const char *scope;
};
SAME_PLACE(aper_snapshot_options, size, 0);
SAME_PLACE(aper_snapshot_options, budget_tokens, 8);
SAME_PLACE(aper_snapshot_options, timeout_ms, 12);
SAME_PLACE(aper_snapshot_options, expand, 16);
SAME_PLACE(aper_snapshot_options, find, 24);
SAME_PLACE(aper_snapshot_options, scope, 32);
SAME_SIZE(aper_snapshot_options, 40);

struct aper_wait_options_1_0 {
    size_t size;
    const char *text;
    const char *text_gone;
    const char *url;
    uint32_t loaded;
    uint32_t timeout_ms;
};
SAME_PLACE(aper_wait_options, size, 0);
SAME_PLACE(aper_wait_options, text, 8);
SAME_PLACE(aper_wait_options, text_gone, 16);
SAME_PLACE(aper_wait_options, url, 24);
SAME_PLACE(aper_wait_options, loaded, 32);
SAME_PLACE(aper_wait_options, timeout_ms, 36);
SAME_SIZE(aper_wait_options, 40);

SAME_VALUE(APER_ACT_CLICK, 1);
SAME_VALUE(APER_ACT_TYPE, 2);
SAME_VALUE(APER_ACT_FILL, 3);
SAME_VALUE(APER_ACT_PRESS, 4);
SAME_VALUE(APER_ACT_HOVER, 5);
SAME_VALUE(APER_ACT_SELECT, 6);
SAME_VALUE(APER_ACT_SCROLL, 7);
SAME_VALUE(APER_BUTTON_LEFT, 0);
SAME_VALUE(APER_BUTTON_MIDDLE, 1);
SAME_VALUE(APER_BUTTON_RIGHT, 2);
SAME_VALUE(APER_MODIFIER_ALT, 1);
SAME_VALUE(APER_MODIFIER_CONTROL, 2);
SAME_VALUE(APER_MODIFIER_META, 4);
SAME_VALUE(APER_MODIFIER_SHIFT, 8);
SAME_VALUE(APER_EFFECT_DIALOG, 1);
SAME_VALUE(APER_EFFECT_NAVIGATION, 2);
SAME_VALUE(APER_EFFECT_NEW_TAB, 3);
SAME_VALUE(APER_EFFECT_DOWNLOAD, 4);
SAME_VALUE(APER_EFFECT_CHANGE, 5);
SAME_VALUE(APER_EFFECT_VALUE, 6);
SAME_VALUE(APER_EFFECT_FOCUS, 7);
SAME_VALUE(APER_EFFECT_SCROLL, 8);
SAME_VALUE(APER_EFFECT_TAB_CLOSED, 9);
SAME_VALUE(APER_DIALOG_POLICY_DEFAULT, 0);
SAME_VALUE(APER_DIALOG_POLICY_ASK, 1);
SAME_VALUE(APER_DIALOG_POLICY_ACCEPT, 2);
SAME_VALUE(APER_DIALOG_POLICY_DISMISS, 3);
SAME_VALUE(APER_IMAGE_PNG, 0);
SAME_VALUE(APER_IMAGE_JPEG, 1);
SAME_VALUE(APER_IMAGE_WEBP, 2);
SAME_VALUE(APER_EVENT_COMPLETION, 1);
SAME_VALUE(APER_EVENT_TAB_OPENED, 2);
SAME_VALUE(APER_EVENT_TAB_CLOSED, 3);
SAME_VALUE(APER_EVENT_TAB_CRASHED, 4);
SAME_VALUE(APER_EVENT_TAB_NAVIGATED, 5);
SAME_VALUE(APER_EVENT_DIALOG_OPENED, 6);
SAME_VALUE(APER_EVENT_DIALOG_CLOSED, 7);
SAME_VALUE(APER_EVENT_DOWNLOAD, 8);
SAME_VALUE(APER_EVENT_BLOCKED, 9);
SAME_VALUE(APER_EVENT_OVERFLOW, 10);
SAME_VALUE(APER_EVENT_BROWSER_GONE, 11);
SAME_VALUE(APER_DOWNLOAD_RUNNING, 1);
SAME_VALUE(APER_DOWNLOAD_COMPLETE, 2);
SAME_VALUE(APER_DOWNLOAD_FAILED, 3);
SAME_VALUE(APER_DOWNLOAD_REFUSED, 4);
SAME_VALUE(APER_OK, 0);
SAME_VALUE(APER_E_INVAL, -1);
SAME_VALUE(APER_E_NOMEM, -2);
SAME_VALUE(APER_E_TIMEOUT, -3);
SAME_VALUE(APER_E_CANCELLED, -4);
SAME_VALUE(APER_E_CLOSED, -5);
SAME_VALUE(APER_E_GONE, -6);
SAME_VALUE(APER_E_CRASHED, -7);
SAME_VALUE(APER_E_FORKED, -8);
SAME_VALUE(APER_E_OPTIONS_SIZE, -9);
SAME_VALUE(APER_E_OPTIONS_OLD, -10);
SAME_VALUE(APER_E_OPTIONS_NEW, -11);
SAME_VALUE(APER_E_PROTOCOL, -12);
SAME_VALUE(APER_E_REMOTE, -13);
SAME_VALUE(APER_E_CONNECT, -14);
SAME_VALUE(APER_E_TLS, -15);
SAME_VALUE(APER_E_AUTH, -16);
SAME_VALUE(APER_E_LAUNCH, -17);
SAME_VALUE(APER_E_SANDBOX, -18);
SAME_VALUE(APER_E_IN_USE, -19);
SAME_VALUE(APER_E_NOT_FOUND, -20);
SAME_VALUE(APER_E_FOREIGN, -21);
SAME_VALUE(APER_E_BLOCKED, -22);
SAME_VALUE(APER_E_NAVIGATION, -23);
SAME_VALUE(APER_E_DIALOG, -24);
SAME_VALUE(APER_E_NO_DIALOG, -25);
SAME_VALUE(APER_E_STALE, -26);
SAME_VALUE(APER_E_NO_REF, -27);
SAME_VALUE(APER_E_NOT_ACTIONABLE, -28);
SAME_VALUE(APER_E_BUSY, -29);
SAME_VALUE(APER_E_TOO_BIG, -30);
SAME_VALUE(APER_E_IO, -31);
SAME_VALUE(APER_E_UNSUPPORTED, -32);
SAME_VALUE(APER_E_NOT_VERIFIED, -33);
SAME_VALUE(APER_NAVIGATION_PAGE, 1);
SAME_VALUE(APER_NAVIGATION_SAME_DOCUMENT, 2);
SAME_VALUE(APER_NAVIGATION_DOWNLOAD, 3);
SAME_VALUE(APER_NAVIGATION_NO_CONTENT, 4);
SAME_VALUE(APER_NAVIGATION_DIALOG, 5);
SAME_VALUE(APER_DIALOG_ALERT, 1);
SAME_VALUE(APER_DIALOG_CONFIRM, 2);
SAME_VALUE(APER_DIALOG_PROMPT, 3);
SAME_VALUE(APER_DIALOG_BEFOREUNLOAD, 4);
SAME_VALUE(APER_DIALOG_PRINT, 5);
SAME_VALUE(APER_UNTIL_LOAD, 0);
SAME_VALUE(APER_UNTIL_COMMIT, 1);
SAME_VALUE(APER_UNTIL_DOM_READY, 2);

int main(void)
{
    return 0;
}
