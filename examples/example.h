/* SPDX-License-Identifier: Apache-2.0 */
/* What the example programs share: reporting a failure, starting a browser,
 * finding something on a page. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <aperture/aperture.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Says on stderr why a call failed and releases the error. Returns whether it
 * did fail, for `if (failed("open", aper_tab_open(…, &error), &error))`. */
static inline int failed(const char *what, aper_status status,
                         aper_error **error)
{
    if (status == APER_OK)
        return 0;
    fprintf(stderr, "%s: %s: %s\n", what, aper_status_get_name(status),
            error && *error ? aper_error_get_message(*error)
                            : aper_status_get_text(status));
    if (error) {
        aper_error_unref(*error);
        *error = NULL;
    }
    return 1;
}

/* Starts a headless Chromium; NULL if that failed. Chromium's sandbox cannot
 * work for root, and turning it off is the host's decision, so say it. */
static inline aper_browser *start_browser(void)
{
    aper_launch_options options = {.size = sizeof(options)};
    aper_browser *browser = NULL;
    aper_error *error = NULL;

    if (geteuid() == 0) {
        options.no_sandbox = 1;
        fputs("Running as root: Chromium's sandbox is off.\n", stderr);
    }
    failed("launch", aper_browser_launch(&options, &browser, &error), &error);
    return browser;
}

/* Opens a tab on the address; NULL if that failed. */
static inline aper_tab *open_tab(aper_browser *browser, const char *url)
{
    aper_open_options options = {.size = sizeof(options), .url = url};
    aper_tab *tab = NULL;
    aper_error *error = NULL;

    failed("open", aper_tab_open(browser, &options, &tab, &error), &error);
    return tab;
}

/* The ref of the first node of that role whose name contains text; NULL if
 * there is none. It lives as long as the snapshot. */
static inline const char *find_node(const aper_snapshot *snapshot,
                                    const char *role, const char *text)
{
    size_t count = aper_snapshot_get_node_count(snapshot);

    for (size_t i = 0; i < count; i++) {
        const char *ref = aper_snapshot_get_node_ref(snapshot, i);

        if (*ref && !strcmp(aper_snapshot_get_node_role(snapshot, i), role)
            && strstr(aper_snapshot_get_node_name(snapshot, i), text))
            return ref;
    }
    return NULL;
}

#endif
