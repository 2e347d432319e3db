/* SPDX-License-Identifier: Apache-2.0 */
/* Clicks the first link that says "Download" and waits for the file. */
#include "example.h"

#include <inttypes.h>

static int click_download(aper_tab *tab)
{
    aper_act_options click = {.size = sizeof(click), .verb = APER_ACT_CLICK};
    aper_snapshot *page = NULL;
    aper_error *error = NULL;
    int result = 1;

    if (failed("read", aper_snapshot_take(tab, NULL, &page, &error), &error))
        return 1;
    click.ref = find_node(page, "link", "Download");
    if (!click.ref)
        fputs("The page has no link that says \"Download\".\n", stderr);
    else
        result = failed("click", aper_tab_act(tab, &click, NULL, &error),
                        &error);
    aper_snapshot_unref(page);
    return result;
}

/* 1 while it runs, 0 when it is there, -1 if it failed. */
static int report(const aper_download *download)
{
    switch (aper_download_get_state(download)) {
    case APER_DOWNLOAD_RUNNING:
        return 1;
    case APER_DOWNLOAD_COMPLETE:
        printf("%s\n%" PRIu64 " bytes, sha256 %s\n",
               aper_download_get_path(download),
               aper_download_get_size(download),
               aper_download_get_sha256(download));
        return 0;
    default:
        fprintf(stderr, "%s did not come\n",
                aper_download_get_name(download));
        return -1;
    }
}

static int wait_for_file(aper_browser *browser)
{
    aper_event *event = NULL;
    int more = 1;

    while (more == 1) {
        if (failed("wait", aper_browser_next_event(browser, 30000, &event),
                   NULL))
            return 1;
        if (aper_event_get_kind(event) == APER_EVENT_DOWNLOAD)
            more = report(aper_event_get_download(event));
        aper_event_unref(event);
    }
    return more != 0;
}

int main(int argc, char **argv)
{
    aper_browser *browser;
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    int result = 1;

    if (argc != 3) {
        fprintf(stderr, "Usage: %s URL DIRECTORY\n", argv[0]);
        return 2;
    }
    browser = start_browser();
    if (browser
        && !failed("directory", aper_browser_set_download_dir(browser, argv[2],
                                                              &error),
                   &error))
        tab = open_tab(browser, argv[1]);
    if (tab && !click_download(tab))
        result = wait_for_file(browser);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    return result;
}
