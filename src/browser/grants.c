/* SPDX-License-Identifier: Apache-2.0 */
/* Which origins may ask where a tab is: those that it shows while it pretends
 * to be somewhere. The permission is the browser's, so tabs share it. */
#include "browser/internal.h"

#include <string.h>

#define ORIGINS_MAX 32

struct aper__grants {
    size_t count;
    char *origins[ORIGINS_MAX];
};

/* Scheme, host and port of a web address; NULL for others. */
static char *origin_of(const char *url)
{
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
        return NULL;
    const char *host = strstr(url, "://") + 3;
    const char *scheme_end = host;
    size_t length = strcspn(host, "/?#\\");
    for (size_t i = length; i > 0; i--) {
        if (host[i - 1] == '@') {
            host += i;
            length -= i;
            break;
        }
    }
    aper__buf out = { 0 };
    aper__buf_append(&out, url, (size_t)(scheme_end - url));
    aper__buf_append(&out, host, length);
    return aper__buf_take(&out);
}

static void set_permission(aper_browser *browser, const char *origin,
                           const char *value)
{
    aper__browser_post(browser, "", "Browser.setPermission",
                       json_pack("{s:{s:s},s:s,s:s}", "permission", "name",
                                 "geolocation", "setting", value, "origin",
                                 origin));
}

static bool has_origin(const aper__grants *grants, const char *origin)
{
    for (size_t i = 0; grants != NULL && i < grants->count; i++) {
        if (strcmp(grants->origins[i], origin) == 0)
            return true;
    }
    return false;
}

/* Takes origin, which the tab's own grants no longer have. */
static void revoke(aper_tab *tab, char *origin)
{
    bool shared = false;
    for (aper_tab *other = tab->browser->tabs; other != NULL;
         other = other->next)
        shared = shared || has_origin(other->grants, origin);
    if (!shared)
        set_permission(tab->browser, origin, "prompt");
    aper__dealloc(origin);
}

static void drop_oldest(aper_tab *tab)
{
    aper__grants *grants = tab->grants;
    char *origin = grants->origins[0];
    grants->count--;
    memmove(&grants->origins[0], &grants->origins[1],
            grants->count * sizeof(grants->origins[0]));
    revoke(tab, origin);
}

void aper__grants_add(aper_tab *tab, const char *url)
{
    if (tab->grants == NULL)
        tab->grants = aper__alloc(sizeof(*tab->grants));
    aper__grants *grants = tab->grants;
    char *origin = grants != NULL ? origin_of(url) : NULL;
    if (origin == NULL || has_origin(grants, origin)) {
        aper__dealloc(origin);
        return;
    }
    if (grants->count == ORIGINS_MAX)
        drop_oldest(tab);
    grants->origins[grants->count++] = origin;
    set_permission(tab->browser, origin, "granted");
}

void aper__grants_end(aper_tab *tab)
{
    while (tab->grants != NULL && tab->grants->count > 0)
        drop_oldest(tab);
    aper__dealloc(tab->grants);
    tab->grants = NULL;
}
