/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to one Chromium: started here, or attached to. */
#ifndef APERTURE_BROWSER_H
#define APERTURE_BROWSER_H

#include <aperture/error.h>

APER_BEGIN

/**
 * A live connection. Every call on it is safe from any thread. Tabs hold a
 * reference on their browser, so handles may be released in any order.
 */
typedef struct aper_browser aper_browser;

/** How to start a browser. Zero means the default for every field. */
typedef struct aper_launch_options {
    /** sizeof(aper_launch_options) */
    size_t size;
    /** Program to run; NULL looks for Chrome and Chromium. */
    const char *executable;
    /** Directory kept between runs, made if it does not exist; NULL makes a
     * private one (0700) that is removed with the browser. */
    const char *profile_dir;
    /** NULL-terminated switches to add, such as "--lang=de". */
    const char *const *extra_args;
    /** 1 shows windows; 0 is headless. */
    uint32_t headed;
    /** 1 turns Chromium's sandbox off; needed as root and in many containers.
     * Never done unasked. */
    uint32_t no_sandbox;
    /** 1 connects through a pipe instead of a loopback port, so that no other
     * process can connect to the browser. */
    uint32_t use_pipe;
    /** Milliseconds until the browser must have answered; 0 is 30,000. */
    uint32_t timeout_ms;
    /** Window size in CSS pixels, each from 100 to 16,384; 0 for both is
     * 1280 x 800. */
    uint32_t width;
    uint32_t height;
    /** Proxy for all traffic, "host:port" or with http, https, socks4 or
     * socks5 before it, such as "socks5://127.0.0.1:1080", or "direct://";
     * NULL is what the system says. */
    const char *proxy;
    /** 1 allows aper_tab_eval(). */
    uint32_t allow_eval;
    uint32_t reserved;
} aper_launch_options;

/** How to connect to a running browser. Zero means the default. */
typedef struct aper_attach_options {
    /** sizeof(aper_attach_options) */
    size_t size;
    /** NULL-terminated "Name: value" lines for the WebSocket request. */
    const char *const *headers;
    /** Sent as "Authorization: Bearer …"; never logged or repeated. */
    const char *bearer_token;
    /** PEM file with the certificates to trust; NULL is the system's. */
    const char *ca_file;
    /** Milliseconds until connected; 0 is 30,000. */
    uint32_t timeout_ms;
    /** 1 allows aper_tab_eval(). */
    uint32_t allow_eval;
} aper_attach_options;

/** Which addresses tabs may show, and who answers dialogs. */
typedef struct aper_policy_options {
    /** sizeof(aper_policy_options) */
    size_t size;
    /** NULL-terminated hosts that may be reached, "example.org" or
     * "*.example.org"; NULL allows every host. */
    const char *const *allow_hosts;
    /** NULL-terminated hosts that may not; wins over allow_hosts. */
    const char *const *deny_hosts;
    /** NULL-terminated schemes allowed besides http, https and about:blank,
     * such as "file", without a colon; NULL is none. "javascript" is never
     * allowed: naming it is an error. */
    const char *const *extra_schemes;
    /** 1 refuses loopback, private and link-local addresses. */
    uint32_t deny_private;
    /** One of APER_DIALOG_POLICY_* for alert and print; 0 is ACCEPT after it
     * was reported. */
    uint32_t on_alert;
    /** For confirm and prompt; 0 is ASK. */
    uint32_t on_confirm;
    /** For beforeunload; 0 is ASK. */
    uint32_t on_beforeunload;
} aper_policy_options;

enum {
    /** The default named beside the field. */
    APER_DIALOG_POLICY_DEFAULT = 0,
    /** Stays open until aper_tab_answer_dialog(). */
    APER_DIALOG_POLICY_ASK = 1,
    /** Answered with OK at once. */
    APER_DIALOG_POLICY_ACCEPT = 2,
    /** Answered with Cancel at once. */
    APER_DIALOG_POLICY_DISMISS = 3
};

/**
 * Start a Chromium and connect to it.
 *
 * The browser runs in its own process group and ends with this process, also
 * when this process is killed. No tab is open in it that the caller did not
 * open.
 *
 * @ownership  the caller releases ret_browser with aper_browser_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, NOT_FOUND, SANDBOX, IN_USE, LAUNCH,
 *             TIMEOUT, IO
 * @since      1.0
 */
APER_API aper_status aper_browser_launch(const aper_launch_options *options,
                                         aper_browser **ret_browser,
                                         aper_error **ret_error);

/**
 * Connect to a browser that somebody else started.
 *
 * The endpoint is a port ("9222"), "host:port", a ws://, wss://, http:// or
 * https:// address (a remote grid, a Selenium session's se:cdp address), or
 * the path of a profile directory whose browser has remote debugging on. Such
 * a browser is never terminated and tabs that this connection did not open are
 * never closed. Exactly one connection attempt is made.
 *
 * @ownership  the caller releases ret_browser with aper_browser_unref()
 * @threads    any; blocks up to options->timeout_ms
 * @errors     INVAL, OPTIONS_*, NOMEM, NOT_FOUND, CONNECT, TLS, AUTH,
 *             PROTOCOL, TIMEOUT, IO
 * @since      1.0
 */
APER_API aper_status aper_browser_attach(const char *endpoint,
                                         const aper_attach_options *options,
                                         aper_browser **ret_browser,
                                         aper_error **ret_error);

/**
 * Close the connection, and the browser if it was launched here.
 *
 * Calls under way on the browser and its tabs end with APER_E_CLOSED, as do
 * later ones. A launched browser is gone, reaped and its private profile
 * removed when this returns. On an attached browser the tabs opened through
 * this connection are closed. Calling it again does nothing.
 *
 * @ownership  none; the handle still needs aper_browser_unref()
 * @threads    any; blocks, at most 5 seconds
 * @errors     none; NULL is allowed
 * @since      1.0
 */
APER_API void aper_browser_close(aper_browser *browser);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_browser *aper_browser_ref(aper_browser *browser);

/**
 * Give a reference back; the last one closes the browser and frees the handle.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; the last one blocks as aper_browser_close() does
 * @errors     none
 * @since      1.0
 */
APER_API void aper_browser_unref(aper_browser *browser);

/**
 * What the browser calls itself, such as "HeadlessChrome/150.0.7871.46".
 *
 * @ownership  borrowed; lives as long as the handle
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_browser_get_version(const aper_browser *browser);

/**
 * Process id of a browser launched here; 0 for an attached one.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 for NULL
 * @since      1.0
 */
APER_API int64_t aper_browser_get_pid(const aper_browser *browser);

/**
 * The WebSocket address by which another program can attach; "" over a pipe.
 *
 * @ownership  borrowed; lives as long as the handle
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_browser_get_endpoint(const aper_browser *browser);

/**
 * APER_OK while the connection works, else why it does not: APER_E_CLOSED,
 * APER_E_GONE, APER_E_PROTOCOL.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     INVAL, FORKED, CLOSED, GONE, PROTOCOL
 * @since      1.0
 */
APER_API aper_status aper_browser_get_state(const aper_browser *browser);

/**
 * Set which addresses tabs may show and how dialogs are answered.
 *
 * Holds for tabs that are open and tabs to come, for redirects, popups and
 * what pages do themselves. NULL restores the defaults: http, https and
 * about:blank, every host.
 *
 * @ownership  options and what it points to are copied
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, OPTIONS_*, NOMEM, FORKED, CLOSED, GONE, TIMEOUT
 * @since      1.0
 */
APER_API aper_status aper_browser_set_policy(
    aper_browser *browser, const aper_policy_options *options,
    aper_error **ret_error);

/**
 * Set the directory, which must exist, where downloads go. Until this is
 * called every download is refused.
 *
 * @ownership  directory is copied
 * @threads    any; blocks up to 10 seconds
 * @errors     INVAL, NOMEM, IO, FORKED, CLOSED, GONE, TIMEOUT, REMOTE
 * @since      1.0
 */
APER_API aper_status aper_browser_set_download_dir(aper_browser *browser,
                                                   const char *directory,
                                                   aper_error **ret_error);

APER_END

#endif
