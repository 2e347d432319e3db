/* SPDX-License-Identifier: Apache-2.0 */
/* Pages for a fake browser: targets that open, are attached to, navigate and
 * close, told in the order in which Chromium tells it. */
#ifndef TESTS_FAKE_PAGES_H
#define TESTS_FAKE_PAGES_H

#include "fake_browser.h"

#include <stdbool.h>

typedef struct fake_pages {
    unsigned made; /* targets, ever: ids are T1, T2 … */
    unsigned loads;
    bool open[64];
} fake_pages;

/* The handler for fake_browser_start(); userdata is a zeroed fake_pages, which
 * only the fake's thread touches. The session of target Tn is Sn. */
void fake_pages_handle(fake_browser *fake, json_t *command, void *userdata);
/* Sends an event; session may be NULL, params is stolen. Any thread. */
void fake_pages_tell(fake_browser *fake, const char *session,
                     const char *method, json_t *params);
/* A dialog opens in Tn. */
void fake_pages_dialog(fake_browser *fake, unsigned n, const char *type);

#endif
