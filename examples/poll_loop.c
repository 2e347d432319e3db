/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that never blocks in the library: it waits in poll() on the
 * browser's descriptor, as it would on its own sockets. */
#include "example.h"

#include <poll.h>

enum { OPEN = 1, READ = 2 };

/* Goes on with the next step. Returns 1 to wait for more events, 0 when the
 * work is done, -1 when it failed. */
static int on_completion(const aper_event *event)
{
    uint64_t tag = aper_event_get_tag(event);
    aper_error *error = aper_error_ref(aper_event_get_error(event));

    if (failed(tag == OPEN ? "open" : "read", aper_event_get_status(event),
               &error))
        return -1;
    if (tag == OPEN) {
        aper_tab *tab = aper_event_get_tab(event);

        return failed("read",
                      aper_snapshot_take_start(tab, NULL, READ, &error),
                      &error) ? -1 : 1;
    }
    fputs(aper_snapshot_get_text(aper_event_get_snapshot(event)), stdout);
    return 0;
}

/* Takes every event that waits. */
static int on_readable(aper_browser *browser)
{
    aper_event *event;
    int more = 1;

    while (more == 1
           && aper_browser_next_event(browser, 0, &event) == APER_OK) {
        uint32_t kind = aper_event_get_kind(event);

        if (kind == APER_EVENT_COMPLETION)
            more = on_completion(event);
        else if (kind == APER_EVENT_BROWSER_GONE)
            more = -1;
        aper_event_unref(event);
    }
    return more;
}

int main(int argc, char **argv)
{
    aper_open_options open = {.size = sizeof(open)};
    aper_browser *browser;
    aper_error *error = NULL;
    int more = 1;

    if (argc != 2) {
        fprintf(stderr, "Usage: %s URL\n", argv[0]);
        return 2;
    }
    browser = start_browser();
    if (!browser)
        return 1;
    open.url = argv[1];
    if (failed("open", aper_tab_open_start(browser, &open, OPEN, &error),
               &error))
        more = -1;
    while (more == 1) {
        struct pollfd wait = {.fd = aper_browser_get_fd(browser),
                              .events = POLLIN};

        if (poll(&wait, 1, -1) > 0)
            more = on_readable(browser);
    }
    aper_browser_unref(browser);
    return more == 0 ? 0 : 1;
}
