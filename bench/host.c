/* SPDX-License-Identifier: Apache-2.0 */
/* A host as small as one can be, on the shared library, to see what memory it
 * takes. host page URL: one tab of a browser of its own, read once.
 * host tabs ADDRESS N: one tab and then N more of the browser at ADDRESS.
 * Prints the lines of /proc/self/smaps_rollup that count, in kB, each time. */
#include <aperture/aperture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(const char *what, aper_error *error)
{
    fprintf(stderr, "bench: %s failed: %s\n", what,
            aper_error_get_message(error));
    exit(1);
}

static void print_memory(void)
{
    char line[256];
    FILE *file = fopen("/proc/self/smaps_rollup", "re");
    while (file && fgets(line, sizeof line, file)) {
        int kb;
        if (sscanf(line, "Rss: %d", &kb) == 1
            || sscanf(line, "Pss: %d", &kb) == 1)
            printf("%d ", kb);
    }
    putchar('\n');
    fflush(stdout);
    if (file)
        fclose(file);
}

static aper_tab *open_tab(aper_browser *browser, const char *url)
{
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    aper_open_options options = {.size = sizeof options, .url = url};
    if (aper_tab_open(browser, &options, &tab, &error) != APER_OK)
        give_up("aper_tab_open", error);
    return tab;
}

static void one_page(const char *url)
{
    aper_browser *browser = NULL;
    aper_snapshot *snapshot = NULL;
    aper_error *error = NULL;
    aper_launch_options options = {.size = sizeof options,
                                   .no_sandbox = geteuid() == 0};
    if (aper_browser_launch(&options, &browser, &error) != APER_OK)
        give_up("aper_browser_launch", error);
    aper_tab *tab = open_tab(browser, url);
    if (aper_snapshot_take(tab, NULL, &snapshot, &error) != APER_OK)
        give_up("aper_snapshot_take", error);
    print_memory();
    aper_snapshot_unref(snapshot);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}

static void many_tabs(const char *address, int count)
{
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_tab **tabs = calloc((size_t)count + 1, sizeof *tabs);
    if (!tabs
        || aper_browser_attach(address, NULL, &browser, &error) != APER_OK)
        give_up("aper_browser_attach", error);
    for (int i = 0; i <= count; i++) {
        tabs[i] = open_tab(browser, "http://127.0.0.1/");
        if (i == 0)
            print_memory();
    }
    print_memory();
    for (int i = 0; i <= count; i++)
        aper_tab_unref(tabs[i]);
    aper_browser_unref(browser);
    free(tabs);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "page") == 0)
        one_page(argv[2]);
    else if (argc == 4 && strcmp(argv[1], "tabs") == 0)
        many_tabs(argv[2], atoi(argv[3]));
    else
        return 2;
    return 0;
}
