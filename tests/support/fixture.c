/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

site *server;
aper_browser *browser;
aper_tab *tab;

void fixture_start(void)
{
    server = site_start(PAGES_DIR);
    browser = live_launch();
}

void fixture_start_blank(void)
{
    fixture_start();
    show("/blank.html");
}

/* A test that failed may have left handles that hold the browser. */
void fixture_stop(void)
{
    aper_tab_unref(tab);
    tab = NULL;
    aper_browser_close(browser);
    aper_browser_unref(browser);
    site_stop(server);
}

void show(const char *path)
{
    tab = live_open(browser, server, path);
}

void leave(void)
{
    aper_error *error = NULL;
    aper_status status = aper_tab_close(tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    aper_tab_unref(tab);
    tab = NULL;
}
