/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions that have failed. One that works leaves no trace here. */
#include "cdp/conn.h"

#include <string.h>

typedef struct failure {
    aper_status status;
    char detail[];
} failure;

static failure *failure_new(aper_status status, const char *detail)
{
    size_t size = strlen(detail) + 1;
    failure *failed = aper__alloc(sizeof *failed + size);
    if (failed) {
        failed->status = status;
        memcpy(failed->detail, detail, size);
    }
    return failed;
}

static bool in_session(const aper__cdp_pending *pending, void *arg)
{
    return strcmp(pending->session, arg) == 0;
}

/* Answers are told on the I/O thread only, so a command without waiter stays
 * until the timer ends it, which is made to fire now. Should that fail for
 * want of memory it ends at its deadline, with the right status all the same.
 */
static bool doom(aper__cdp *cdp, aper__cdp_pending *list)
{
    bool doomed = list != NULL;
    while (list) {
        aper__cdp_pending *next = list->next;
        list->deadline_ms = 0;
        aper__cdp_table_add(&cdp->table, list);
        list = next;
    }
    return doomed;
}

void aper__cdp_fail_session(aper__cdp *cdp, const char *session,
                            aper_status status, const char *detail)
{
    failure *failed = failure_new(status, detail ? detail : "");
    void *old = NULL;
    pthread_mutex_lock(&cdp->lock);
    if (failed && aper__map_set(cdp->failed, session, failed, &old) != APER_OK)
        old = failed;
    aper__cdp_pending *list =
        aper__cdp_table_take(&cdp->table, in_session, (void *)session);
    bool doomed = doom(cdp, aper__cdp_pending_end(list, status, detail));
    pthread_mutex_unlock(&cdp->lock);
    aper__dealloc(old);
    if (doomed)
        aper__cdp_pending_arm(cdp, 0);
}

void aper__cdp_revive_session(aper__cdp *cdp, const char *session)
{
    pthread_mutex_lock(&cdp->lock);
    void *old = aper__map_remove(cdp->failed, session);
    pthread_mutex_unlock(&cdp->lock);
    aper__dealloc(old);
}

aper_status aper__cdp_session_check(aper__cdp *cdp, const char *session,
                                    const char **ret_detail)
{
    if (aper__map_count(cdp->failed) == 0)
        return APER_OK;
    failure *failed = aper__map_get(cdp->failed, session);
    if (!failed)
        return APER_OK;
    *ret_detail = failed->detail;
    return failed->status;
}

void aper__cdp_session_free_all(aper__cdp *cdp)
{
    aper__map_free(cdp->failed, aper__dealloc);
}
