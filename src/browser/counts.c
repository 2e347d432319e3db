/* SPDX-License-Identifier: Apache-2.0 */
/* What happened in a tab, counted, so that an action can tell what it did. */
#include "browser/internal.h"

#include <string.h>

/* A page that leaves more running is not waited for request by request. */
#define REQUESTS_MAX 1024
#define NAMES_MAX 256
#define STALL_MS 150 /* silence in the middle of an answer */

void aper__tab_count(aper_tab *tab, aper__tab_counts *ret_counts)
{
    pthread_mutex_lock(&tab->browser->lock);
    *ret_counts = tab->counts;
    pthread_mutex_unlock(&tab->browser->lock);
}

static bool counts(const aper__request *request, const aper__tab_counts *mark)
{
    bool stalls = request->heard_ms
                  && aper__now_ms() - request->heard_ms > STALL_MS;
    bool renews = request->renewed && request->renewed <= mark->requests
                  && request->renewed_end > mark->requests_ended;
    return request->number > mark->requests && !stalls && !renews;
}

size_t aper__tab_busy(aper_tab *tab, const aper__tab_counts *mark)
{
    pthread_mutex_lock(&tab->browser->lock);
    size_t busy = 0;
    for (size_t i = 0; i < tab->request_count; i++)
        busy += counts(&tab->requests[i], mark);
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

static void end_request(aper_tab *tab, aper__request *request)
{
    uint64_t end = ++tab->counts.requests_ended;
    tab->ended[end % APER__ENDED_MAX] =
        (aper__ended){request->address, request->number};
    free_request(request);
}

/* Polling asks for the same again as soon as it has its answer, or has given
 * that up. */
static void find_renewed(const aper_tab *tab, aper__request *request)
{
    for (size_t i = 0; i < tab->request_count; i++)
        if (tab->requests[i].address == request->address) {
            request->renewed = tab->requests[i].number;
            request->renewed_end = UINT64_MAX;
            return;
        }
    uint64_t last = tab->counts.requests_ended;
    for (uint64_t n = 0; n < APER__ENDED_MAX && n < last; n++) {
        const aper__ended *each = &tab->ended[(last - n) % APER__ENDED_MAX];
        if (each->address == request->address) {
            request->renewed = each->number;
            request->renewed_end = last - n;
            return;
        }
    }
}

static uint64_t hash_address(const char *url)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *url && *url != '?' && *url != '#'; url++)
        hash = (hash ^ (unsigned char)*url) * 1099511628211u;
    return hash;
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
            end_request(tab, each);
        else
            tab->requests[kept++] = *each;
    }
    bool changed = kept != tab->request_count;
    tab->request_count = kept;
    if (changed)
        aper__tab_wake(tab);
}

void aper__tab_request_heard(aper_tab *tab, const char *session,
                             const char *id)
{
    for (size_t i = 0; i < tab->request_count; i++) {
        aper__request *each = &tab->requests[i];
        if (strcmp(each->id, id) == 0 && strcmp(each->session, session) == 0)
            each->heard_ms = aper__now_ms();
    }
}

void aper__tab_request_began(aper_tab *tab, const char *session,
                             const char *id, const char *url)
{
    aper__tab_request_ended(tab, session, id); /* a redirect goes on */
    tab->counts.requests++;
    if (tab->request_count >= REQUESTS_MAX)
        return;
    aper__request request = { .id = aper__strdup(id),
                              .session = aper__strdup(session),
                              .number = tab->counts.requests,
                              .address = hash_address(url) };
    find_renewed(tab, &request);
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
