/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent does with a page, in few words, for tests. */
#ifndef TESTS_AGENT_H
#define TESTS_AGENT_H

#include "live.h"

#include <stdbool.h>

/* Reads the page. The caller releases it. */
aper_snapshot *agent_see(aper_tab *tab);
/* The ref of the n-th (from 0) actionable node with exactly this name, in a
 * fresh snapshot; fails the test if there is none. Release with free(). */
char *agent_nth_ref(aper_tab *tab, const char *name, unsigned n);
char *agent_ref(aper_tab *tab, const char *name);
/* Acts; the status must be as wanted. NULL unless it is APER_OK. message (may
 * be NULL) gets the error's text and is freed by the caller. */
aper_act_result *agent_act(aper_tab *tab, const aper_act_options *options,
                           aper_status want, char **message);
/* A click on what has the name; APER_OK is expected. */
aper_act_result *agent_click(aper_tab *tab, const char *name);
/* The verb on what has the name, with text; APER_OK is expected. */
aper_act_result *agent_do(aper_tab *tab, uint32_t verb, const char *name,
                          const char *text);
/* Acting fails so, with a message that holds why. */
void agent_refused(aper_tab *tab, uint32_t verb, const char *ref,
                   const char *text, aper_status want, const char *why);
void agent_refused_by_name(aper_tab *tab, uint32_t verb, const char *name,
                           const char *text, aper_status want,
                           const char *why);
/* The script, run in the page's own world, gives true. */
void agent_holds(aper_tab *tab, const char *script);
/* The text has the part. */
void agent_has(const char *text, const char *part);
bool agent_saw(const aper_act_result *result, uint32_t effect);
/* Whether the page, read anew, has the text in its snapshot. */
bool agent_page_has(aper_tab *tab, const char *text);

#endif
