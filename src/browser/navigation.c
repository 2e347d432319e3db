/* SPDX-License-Identifier: Apache-2.0 */
/* What a navigation led to. */
#include "browser/internal.h"

aper_navigation *aper__navigation_new(uint32_t kind, const char *url)
{
    aper_navigation *navigation = aper__alloc(sizeof(*navigation));
    if (navigation == NULL)
        return NULL;
    atomic_init(&navigation->refs, 1);
    navigation->kind = kind;
    navigation->url = aper__strdup(url);
    if (navigation->url != NULL)
        return navigation;
    aper_navigation_unref(navigation);
    return NULL;
}

bool aper__navigation_copy(aper_navigation *navigation,
                           const aper__visit *visit)
{
    navigation->http_status = visit->http_status;
    if (visit->redirect_count == 0)
        return true;
    navigation->redirects = aper__alloc(visit->redirect_count
                                        * sizeof(char *));
    if (navigation->redirects == NULL)
        return false;
    for (size_t i = 0; i < visit->redirect_count; i++) {
        navigation->redirects[i] = aper__strdup(visit->redirects[i]);
        if (navigation->redirects[i] == NULL)
            return false;
        navigation->redirect_count++;
    }
    return true;
}

uint32_t aper_navigation_get_kind(const aper_navigation *navigation)
{
    return navigation != NULL ? navigation->kind : 0;
}

const char *aper_navigation_get_url(const aper_navigation *navigation)
{
    return navigation != NULL ? navigation->url : "";
}

uint32_t aper_navigation_get_http_status(const aper_navigation *navigation)
{
    return navigation != NULL ? navigation->http_status : 0;
}

size_t aper_navigation_get_redirect_count(const aper_navigation *navigation)
{
    return navigation != NULL ? navigation->redirect_count : 0;
}

const char *aper_navigation_get_redirect(const aper_navigation *navigation,
                                         size_t index)
{
    if (navigation == NULL || index >= navigation->redirect_count)
        return NULL;
    return navigation->redirects[index];
}

int aper_navigation_is_complete(const aper_navigation *navigation)
{
    return navigation != NULL && navigation->complete;
}

aper_dialog *aper_navigation_get_dialog(const aper_navigation *navigation)
{
    return navigation != NULL ? navigation->dialog : NULL;
}

aper_navigation *aper_navigation_ref(aper_navigation *navigation)
{
    if (navigation != NULL)
        aper__ref(&navigation->refs);
    return navigation;
}

void aper_navigation_unref(aper_navigation *navigation)
{
    if (navigation == NULL || !aper__unref(&navigation->refs))
        return;
    for (size_t i = 0; i < navigation->redirect_count; i++)
        aper__dealloc(navigation->redirects[i]);
    aper__dealloc(navigation->redirects);
    aper__dealloc(navigation->url);
    aper_dialog_unref(navigation->dialog);
    aper__dealloc(navigation);
}
