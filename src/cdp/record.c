/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of a conversation, one line a message. */
#include "cdp/conn.h"

#include <errno.h>
#include <string.h>

aper_status aper__cdp_record(aper__cdp *cdp, const char *path)
{
    FILE *file = fopen(path, "wxe");
    if (!file)
        return APER_E_IO;
    pthread_mutex_lock(&cdp->lock);
    cdp->record = file;
    pthread_mutex_unlock(&cdp->lock);
    return APER_OK;
}

void aper__cdp_record_line(aper__cdp *cdp, bool sent, const char *data,
                           size_t size)
{
    if (!cdp->record)
        return;
    pthread_mutex_lock(&cdp->lock);
    fputs(sent ? "> " : "< ", cdp->record);
    fwrite(data, 1, size, cdp->record);
    fputc('\n', cdp->record);
    pthread_mutex_unlock(&cdp->lock);
}
