/* SPDX-License-Identifier: Apache-2.0 */
/* What tests on a real Chromium share. All of it uses the public API only and
 * fails the running test when something goes wrong. */
#ifndef TESTS_LIVE_H
#define TESTS_LIVE_H

#include <aperture/aperture.h>
#include <check.h>

#include "site.h"

/* Generous: only a bug makes a test wait this long. */
#define LIVE_WAIT_MS 30000

/* A headless browser; without its sandbox when running as root. allow_eval is
 * set. */
aper_browser *live_launch(void);
/* A connection to an already running browser, with allow_eval. */
aper_browser *live_attach(const char *endpoint);
/* A tab that shows the path of the site. */
aper_tab *live_open(aper_browser *browser, site *server, const char *path);
/* Navigates, expects APER_OK and gives the navigation. */
aper_navigation *live_go(aper_tab *tab, site *server, const char *path);
/* The next event of the kind; events of other kinds are dropped. */
aper_event *live_event(aper_browser *browser, uint32_t kind);
/* The completion with the tag. */
aper_event *live_completion(aper_browser *browser, uint64_t tag);
/* Result of aper_tab_eval; the caller frees with aper_free(). */
char *live_eval(aper_tab *tab, const char *source);
/* Runs a script and returns at once: for scripts that open dialogs. */
void live_eval_later(aper_tab *tab, const char *source);
/* Checks a status, and shows the error's message if it is another. Takes the
 * error. */
void live_check(const char *file, int line, aper_status want, aper_status got,
                aper_error *error);
#define LIVE_CHECK(want, got, error)                                         \
    live_check(__FILE__, __LINE__, (want), (got), (error))
/* Makes a directory that the test removes with live_remove_dir(). */
char *live_make_dir(void);
void live_remove_dir(char *dir);

/* Runs a suite of one test case and returns the exit status for main(). */
int live_run(Suite *suite);

#endif
