/* SPDX-License-Identifier: Apache-2.0 */
/* Joins a browser that somebody else started and lists its tabs. Without an
 * endpoint it starts one itself to have something to join. */
#include "example.h"

static int list_tabs(aper_browser *browser)
{
    aper_tab_list *list = NULL;
    aper_error *error = NULL;

    if (failed("list", aper_browser_list_tabs(browser, &list, &error), &error))
        return 1;
    for (size_t i = 0; i < aper_tab_list_get_count(list); i++) {
        const aper_tab_info *info = aper_tab_list_get_info(list, i);

        printf("%s %s \"%s\"%s\n", aper_tab_info_get_id(info),
               aper_tab_info_get_url(info), aper_tab_info_get_title(info),
               aper_tab_info_is_own(info) ? " (ours)" : "");
    }
    aper_tab_list_unref(list);
    return 0;
}

static int join(const char *endpoint, const char *url)
{
    aper_browser *browser = NULL;
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    int result = 1;

    if (failed("attach",
               aper_browser_attach(endpoint, NULL, &browser, &error), &error))
        return 1;
    printf("Joined %s\n", aper_browser_get_version(browser));
    tab = open_tab(browser, url);
    if (tab)
        result = list_tabs(browser);
    aper_tab_unref(tab);
    /* Closes the tab that was opened here, and nothing else. */
    aper_browser_unref(browser);
    return result;
}

int main(int argc, char **argv)
{
    aper_browser *own = NULL;
    const char *endpoint = argc > 2 ? argv[2] : NULL;
    int result = 1;

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "Usage: %s URL [PORT|HOST:PORT|ADDRESS|PROFILE]\n",
                argv[0]);
        return 2;
    }
    if (!endpoint) {
        own = start_browser();
        endpoint = aper_browser_get_endpoint(own);
    }
    if (*endpoint)
        result = join(endpoint, argv[1]);
    aper_browser_unref(own);
    return result;
}
