/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a tab, counted, so that an action can tell what it did. */
#include "browser/internal.h"

#include <string.h>

/* A page that leaves more running is not waited for request by request. */
#define REQUESTS_MAX 1024
#define NAMES_MAX 256

void aper__tab_count(aper_tab *tab, aper__tab_counts *ret_counts)
{
    pthread_mutex_lock(&tab->browser->lock);
    *ret_counts = tab->counts;
    pthread_mutex_unlock(&tab->browser->lock);
}

size_t aper__tab_busy(aper_tab *tab, const aper__tab_counts *mark)
{
    pthread_mutex_lock(&tab->browser->lock);
    size_t busy = 0;
    for (size_t i = 0; i < tab->request_count; i++)
        busy += tab->requests[i].number > mark->requests;
    if (aper__place_is_pending(&tab->place)
        && tab->counts.navigations_started > mark->navigations_started)
        busy++;
    pthread_mutex_unlock(&tab->browser->lock);
    return busy;
}

static void append_name(char ***names, size_t *count, const char *name)
{
    if (*count >= NAMES_MAX)
        return;
    char *copy = aper__strdup(name);
    char **grown = aper__realloc(*names, (*count + 1) * sizeof(*grown));
    if (grown != NULL)
        *names = grown;
    if (copy == NULL || grown == NULL) {
        aper__dealloc(copy);
        return;
    }
    grown[(*count)++] = copy;
}

static char *copy_name(aper_tab *tab, char **const *names,
                       const size_t *count, uint64_t n)
{
    char *copy = NULL;
    pthread_mutex_lock(&tab->browser->lock);
    if (n >= 1 && n <= *count)
        copy = aper__strdup((*names)[n - 1]);
    pthread_mutex_unlock(&tab->browser->lock);
    return copy;
}

char *aper__tab_popup(aper_tab *tab, uint64_t n)
{
    return copy_name(tab, &tab->popups, &tab->popup_count, n);
}

char *aper__tab_download(aper_tab *tab, uint64_t n)
{
    return copy_name(tab, &tab->downloads, &tab->download_count, n);
}

void aper__tab_note_popup(aper_tab *tab, const char *id)
{
    append_name(&tab->popups, &tab->popup_count, id);
    tab->counts.popups++;
    aper__tab_wake(tab);
}

void aper__tab_note_download(aper_tab *tab, const char *name)
{
    append_name(&tab->downloads, &tab->download_count, name);
    tab->counts.downloads++;
    aper__tab_wake(tab);
}

static void free_request(aper__request *request)
{
    aper__dealloc(request->id);
    aper__dealloc(request->session);
}

void aper__tab_request_ended(aper_tab *tab, const char *session,
                             const char *id)
{
    size_t kept = 0;
    for (size_t i = 0; i < tab->request_count; i++) {
        aper__request *each = &tab->requests[i];
        bool ended = (session == NULL || strcmp(each->session, session) == 0)
            && (id == NULL || strcmp(each->id, id) == 0);
        if (ended)
            free_request(each);
        else
            tab->requests[kept++] = *each;
    }
    bool changed = kept != tab->request_count;
    tab->request_count = kept;
    if (changed)
        aper__tab_wake(tab);
}

void aper__tab_request_began(aper_tab *tab, const char *session,
                             const char *id)
{
    aper__tab_request_ended(tab, session, id); /* a redirect goes on */
    tab->counts.requests++;
    if (tab->request_count >= REQUESTS_MAX)
        return;
    aper__request request = { aper__strdup(id), aper__strdup(session),
                              tab->counts.requests };
    aper__request *grown = aper__realloc(
        tab->requests, (tab->request_count + 1) * sizeof(*grown));
    if (grown != NULL)
        tab->requests = grown;
    if (grown == NULL || request.id == NULL || request.session == NULL) {
        free_request(&request);
        return;
    }
    grown[tab->request_count++] = request;
    aper__tab_wake(tab);
}
