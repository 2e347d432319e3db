/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser with a given User-Agent header says of itself elsewhere. */
#ifndef APER_BROWSER_USER_AGENT_H
#define APER_BROWSER_USER_AGENT_H

#include <jansson.h>

/* navigator.platform. */
const char *aper__user_agent_platform(const char *user_agent);
/* CDP's UserAgentMetadata, from which Chromium makes the Sec-CH-UA headers and
 * navigator.userAgentData; NULL for browsers that send no client hints, and
 * without memory. */
json_t *aper__user_agent_metadata(const char *user_agent);

#endif
