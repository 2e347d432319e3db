/* SPDX-License-Identifier: Apache-2.0 */
/* What most tests on a real Chromium begin with: the site of tests/pages, a
 * browser and a tab, for the fixtures of a test case. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "live.h"

extern site *server;
extern aper_browser *browser;
extern aper_tab *tab; /* NULL when none is shown */

/* Both make the site and the browser, the second one a blank tab too. */
void fixture_start(void);
void fixture_start_blank(void);
void fixture_stop(void);
/* Shows the path of the site in a new tab, and closes that. */
void show(const char *path);
void leave(void);

#endif
