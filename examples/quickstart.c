/* SPDX-License-Identifier: Apache-2.0 */
/* The main job: read a page, click, type, and read only what changed. */
#include "example.h"

/* Acts and prints what was observed, then the difference and nothing else. */
static int act(aper_tab *tab, const aper_act_options *options)
{
    aper_act_result *result = NULL;
    aper_error *error = NULL;

    if (failed("act", aper_tab_act(tab, options, &result, &error), &error))
        return 1;
    printf("%s\n", aper_act_result_get_outcome(result));
    fputs(aper_diff_get_text(aper_act_result_get_diff(result)), stdout);
    aper_act_result_unref(result);
    return 0;
}

static int click_and_type(aper_tab *tab, const aper_snapshot *page)
{
    aper_act_options click = {.size = sizeof(click), .verb = APER_ACT_CLICK};
    aper_act_options type = {.size = sizeof(type), .verb = APER_ACT_TYPE,
                             .text = "Ada Lovelace"};
    int result = 0;

    click.ref = find_node(page, "button", "");
    type.ref = find_node(page, "textbox", "");
    if (click.ref) {
        printf("\nClicking %s\n", click.ref);
        result |= act(tab, &click);
    }
    if (type.ref) {
        printf("\nTyping into %s\n", type.ref);
        result |= act(tab, &type);
    }
    if (!click.ref && !type.ref)
        puts("\nThe page has neither a button nor a text field.");
    return result;
}

int main(int argc, char **argv)
{
    aper_browser *browser;
    aper_tab *tab = NULL;
    aper_snapshot *page = NULL;
    aper_error *error = NULL;
    int result = 1;

    if (argc != 2) {
        fprintf(stderr, "Usage: %s URL\n", argv[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* each step shows as it happens */
    browser = start_browser();
    if (browser)
        tab = open_tab(browser, argv[1]);
    if (tab && !failed("read", aper_snapshot_take(tab, NULL, &page, &error),
                       &error)) {
        fputs(aper_snapshot_get_text(page), stdout);
        result = click_and_type(tab, page);
    }
    aper_snapshot_unref(page);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    return result;
}
