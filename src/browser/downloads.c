/* SPDX-License-Identifier: Apache-2.0 */
/* What pages send as files. The browser reports each with an id of its own; a
 * finished one is hashed and named on a worker thread. */
#include "browser/download.h"
#include "browser/internal.h"

#include <ctype.h>
#include <string.h>

#define CONTEXTS_MAX 1024 /* remembered */
#define TRANSFERS_MAX 256 /* under way; more are refused */
#define ID_MAX 64
#define URL_MAX_KEPT 4096 /* a data: address can be the whole file */

struct aper_download {
    aper__refs refs;
    uint32_t state;
    uint64_t size;
    char *id;
    char *url;
    char *name;
    char *path;
    char sha256[65];
};

/* One that is under way. */
typedef struct transfer {
    struct transfer *next;
    char *id;
    char *url;
    char *tab_id;
    char *name;
    uint64_t size;
    aper__download_dir *dir;
    bool finishing; /* a worker has it */
} transfer;

struct aper__downloads {
    aper__download_dir *dir; /* NULL: everything is refused */
    transfer *first;
    size_t count;
    size_t finishing;
    atomic_bool stop;
    aper__map *contexts; /* browser contexts that were told */
};

typedef struct finish {
    aper_browser *browser;
    transfer *transfer;
} finish;

/* ---- the object ---------------------------------------------------------- */

static void free_download(aper_download *download)
{
    aper__dealloc(download->id);
    aper__dealloc(download->url);
    aper__dealloc(download->name);
    aper__dealloc(download->path);
    aper__dealloc(download);
}

static aper_download *new_download(const transfer *from, uint32_t state,
                                   const aper__download_file *file)
{
    aper_download *download = aper__alloc(sizeof(*download));
    if (download == NULL)
        return NULL;
    atomic_init(&download->refs, 1);
    download->state = state;
    download->size = file != NULL ? file->size : from->size;
    download->id = aper__strdup(from->id);
    download->url = aper__strdup(from->url);
    download->name = aper__strdup(file != NULL ? file->name : from->name);
    download->path = aper__strdup(file != NULL ? file->path : "");
    if (file != NULL)
        memcpy(download->sha256, file->sha256, sizeof(download->sha256));
    if (download->id != NULL && download->url != NULL && download->name != NULL
        && download->path != NULL)
        return download;
    free_download(download);
    return NULL;
}

aper_download *aper_download_ref(aper_download *download)
{
    if (download != NULL)
        aper__ref(&download->refs);
    return download;
}

void aper_download_unref(aper_download *download)
{
    if (download != NULL && aper__unref(&download->refs))
        free_download(download);
}

const char *aper_download_get_id(const aper_download *download)
{
    return download != NULL ? download->id : "";
}

const char *aper_download_get_url(const aper_download *download)
{
    return download != NULL ? download->url : "";
}

const char *aper_download_get_name(const aper_download *download)
{
    return download != NULL ? download->name : "";
}

const char *aper_download_get_path(const aper_download *download)
{
    return download != NULL ? download->path : "";
}

const char *aper_download_get_sha256(const aper_download *download)
{
    return download != NULL ? download->sha256 : "";
}

uint32_t aper_download_get_state(const aper_download *download)
{
    return download != NULL ? download->state : 0;
}

uint64_t aper_download_get_size(const aper_download *download)
{
    return download != NULL ? download->size : 0;
}

/* ---- transfers ----------------------------------------------------------- */

static void free_transfer(transfer *each)
{
    if (each == NULL)
        return;
    aper__dealloc(each->id);
    aper__dealloc(each->url);
    aper__dealloc(each->tab_id);
    aper__dealloc(each->name);
    aper__download_dir_unref(each->dir);
    aper__dealloc(each);
}

static void unlink_transfer(aper__downloads *downloads, transfer *gone)
{
    transfer **link = &downloads->first;
    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    downloads->count--;
}

static transfer *find_transfer(const aper__downloads *downloads,
                               const char *id)
{
    transfer *each = downloads->first;
    while (each != NULL && strcmp(each->id, id) != 0)
        each = each->next;
    return each;
}

/* The id becomes a file name. */
static bool is_id(const char *id)
{
    size_t length = strlen(id);
    if (length == 0 || length > ID_MAX)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)id[i]) && id[i] != '-')
            return false;
    }
    return true;
}

static void post(aper_browser *browser, const transfer *about, uint32_t state,
                 const aper__download_file *file)
{
    if (atomic_load(&browser->downloads->stop))
        return; /* the browser's last event has been posted */
    aper_event *event = aper__event_new(APER_EVENT_DOWNLOAD, about->tab_id,
                                        about->url);
    aper_download *download = new_download(about, state, file);
    if (event == NULL || download == NULL) {
        aper_event_unref(event);
        aper_download_unref(download);
        event = NULL;
    } else {
        event->download = download;
    }
    aper__events_post(browser, event);
}

static char *copy_url(const char *url)
{
    aper__buf clean = { 0 };
    size_t size = strlen(url);
    aper__text_clean(&clean, url, size < URL_MAX_KEPT ? size : URL_MAX_KEPT,
                     0);
    return aper__buf_take(&clean);
}

static transfer *new_transfer(const char *id, const char *tab_id,
                              json_t *params)
{
    transfer *each = aper__alloc(sizeof(*each));
    if (each == NULL)
        return NULL;
    each->id = aper__strdup(id);
    each->tab_id = aper__strdup(tab_id);
    each->url = copy_url(aper__json_string(params, "url"));
    each->name = aper__filename_clean(
        aper__json_string(params, "suggestedFilename"));
    if (each->id != NULL && each->tab_id != NULL && each->url != NULL
        && each->name != NULL)
        return each;
    free_transfer(each);
    return NULL;
}

/* blob: and data: carry what the page holds already; for a blob: address the
 * page that made it counts. */
static bool is_allowed(aper_browser *browser, const char *url)
{
    if (strncmp(url, "data:", 5) == 0 || strncmp(url, "blob:null/", 10) == 0)
        return true;
    if (strncmp(url, "blob:", 5) == 0)
        url += 5;
    return aper__policy_check(&browser->policy, url, NULL) == APER_OK;
}

static void on_begin(aper_browser *browser, const char *id, json_t *params)
{
    aper__downloads *downloads = browser->downloads;
    aper_tab *tab = aper__tab_of_frame(browser,
                                       aper__json_string(params, "frameId"));
    transfer *each = new_transfer(id, tab != NULL ? tab->id : "", params);
    bool wanted = each != NULL && downloads->dir != NULL
        && downloads->count < TRANSFERS_MAX
        && is_allowed(browser, aper__json_string(params, "url"));
    if (!wanted)
        aper__browser_post(browser, "", "Browser.cancelDownload",
                           json_pack("{s:s}", "guid", id));
    if (each == NULL) {
        aper__events_post(browser, NULL);
        return;
    }
    if (tab != NULL)
        aper__tab_note_download(tab, each->name);
    post(browser, each,
         wanted ? APER_DOWNLOAD_RUNNING : APER_DOWNLOAD_REFUSED, NULL);
    if (!wanted) {
        free_transfer(each);
        return;
    }
    each->dir = aper__download_dir_ref(downloads->dir);
    each->next = downloads->first;
    downloads->first = each;
    downloads->count++;
}

static void end_transfer(aper_browser *browser, transfer *each,
                         const aper__download_file *file)
{
    post(browser, each,
         file != NULL ? APER_DOWNLOAD_COMPLETE : APER_DOWNLOAD_FAILED, file);
    unlink_transfer(browser->downloads, each);
    free_transfer(each);
}

static void run_finish(void *arg)
{
    finish *work = arg;
    aper_browser *browser = work->browser;
    aper__downloads *downloads = browser->downloads;
    transfer *each = work->transfer;
    aper__download_file file = { 0 };
    aper_status status = aper__download_dir_take(
        each->dir, each->id, each->name, &downloads->stop, &file);
    pthread_mutex_lock(&browser->lock);
    end_transfer(browser, each, status == APER_OK ? &file : NULL);
    downloads->finishing--;
    pthread_cond_broadcast(&browser->changed);
    pthread_mutex_unlock(&browser->lock);
    aper__dealloc(file.path);
    aper__dealloc(file.name);
    aper__dealloc(work);
    aper__browser_drop(browser);
}

/* Reading the file takes as long as it is large: a worker does it. */
static void begin_finish(aper_browser *browser, transfer *each)
{
    finish *work = aper__alloc(sizeof(*work));
    if (work != NULL) {
        work->browser = browser;
        work->transfer = each;
    }
    if (work == NULL || aper__pool_run(run_finish, work) != APER_OK) {
        aper__dealloc(work);
        aper__download_dir_discard(each->dir, each->id);
        end_transfer(browser, each, NULL);
        return;
    }
    each->finishing = true;
    browser->downloads->finishing++;
    aper__browser_keep(browser);
}

static void on_progress(aper_browser *browser, const char *id, json_t *params)
{
    transfer *each = find_transfer(browser->downloads, id);
    if (each == NULL || each->finishing)
        return;
    double size = aper__json_number(params, "receivedBytes", 0);
    if (size >= 0 && size < 9e15)
        each->size = (uint64_t)size;
    const char *state = aper__json_string(params, "state");
    if (strcmp(state, "completed") == 0) {
        begin_finish(browser, each);
    } else if (strcmp(state, "canceled") == 0) {
        aper__download_dir_discard(each->dir, id);
        end_transfer(browser, each, NULL);
    }
}

void aper__downloads_on_event(aper_browser *browser, const char *method,
                              json_t *params)
{
    const char *id = aper__json_string(params, "guid");
    aper__downloads *downloads = browser->downloads;
    if (downloads == NULL || atomic_load(&downloads->stop) || !is_id(id))
        return;
    if (strcmp(method, "Browser.downloadWillBegin") == 0) {
        if (find_transfer(downloads, id) == NULL)
            on_begin(browser, id, params);
    } else if (strcmp(method, "Browser.downloadProgress") == 0) {
        on_progress(browser, id, params);
    }
}

/* ---- telling the browser ------------------------------------------------- */

/* context "" is the one that tabs are opened in without saying. */
static json_t *behavior(const aper__download_dir *dir, const char *context)
{
    json_t *params = json_pack("{s:s,s:b}", "behavior",
                               dir != NULL ? "allowAndName" : "deny",
                               "eventsEnabled", 1);
    if (dir != NULL)
        json_object_set_new(params, "downloadPath",
                            json_string(aper__download_dir_staging(dir)));
    if (context[0] != '\0')
        json_object_set_new(params, "browserContextId", json_string(context));
    return params;
}

void aper__downloads_on_context(aper_browser *browser, const char *context)
{
    aper__downloads *downloads = browser->downloads;
    if (downloads == NULL || context[0] == '\0'
        || aper__map_get(downloads->contexts, context) != NULL)
        return;
    if (aper__map_count(downloads->contexts) < CONTEXTS_MAX)
        aper__map_set(downloads->contexts, context, downloads, NULL);
    aper__browser_post_or_fail(browser, "", "Browser.setDownloadBehavior",
                               behavior(downloads->dir, context));
}

static void tell_contexts(aper_browser *browser)
{
    size_t cursor = 0;
    const char *context;
    void *value;
    while (aper__map_next(browser->downloads->contexts, &cursor, &context,
                          &value))
        aper__browser_post(browser, "", "Browser.setDownloadBehavior",
                           behavior(browser->downloads->dir, context));
}

aper_status aper__downloads_begin(aper_browser *browser, aper__op *op,
                                  aper_error **ret_error)
{
    aper__downloads *downloads = aper__alloc(sizeof(*downloads));
    aper__map *contexts = aper__map_new();
    if (downloads == NULL || contexts == NULL) {
        aper__dealloc(downloads);
        aper__map_free(contexts, NULL);
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for downloads");
    }
    atomic_init(&downloads->stop, false);
    downloads->contexts = contexts;
    pthread_mutex_lock(&browser->lock);
    browser->downloads = downloads;
    pthread_mutex_unlock(&browser->lock);
    aper_error *error = NULL;
    aper_status status = aper__browser_call(
        browser, op, "Browser.setDownloadBehavior", behavior(NULL, ""), NULL,
        &error);
    /* An endpoint that knows no downloads is no reason not to connect. */
    if (status == APER_E_REMOTE) {
        aper_error_unref(error);
        return APER_OK;
    }
    aper__error_give(ret_error, error);
    return status;
}

aper_status aper_browser_set_download_dir(aper_browser *browser,
                                          const char *directory,
                                          aper_error **ret_error)
{
    if (directory == NULL || directory[0] == '\0'
        || !aper__utf8_is_valid(directory, strlen(directory)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the directory is NULL, empty or not UTF-8");
    aper__op op;
    aper_status status = aper__browser_begin(
        browser, &op, APER__SHORT_TIMEOUT_MS, ret_error);
    if (status != APER_OK)
        return status;
    aper__download_dir *dir = NULL;
    status = aper__download_dir_open(directory, &dir, ret_error);
    if (status == APER_OK)
        status = aper__browser_call(browser, &op,
                                    "Browser.setDownloadBehavior",
                                    behavior(dir, ""), NULL, ret_error);
    if (status == APER_OK) {
        pthread_mutex_lock(&browser->lock);
        aper__download_dir *old = browser->downloads->dir;
        browser->downloads->dir = dir;
        dir = old;
        tell_contexts(browser);
        pthread_mutex_unlock(&browser->lock);
    }
    aper__download_dir_unref(dir);
    aper__browser_end(browser, &op);
    return status;
}

/* ---- the end ------------------------------------------------------------- */

void aper__downloads_stop(aper_browser *browser)
{
    pthread_mutex_lock(&browser->lock);
    aper__downloads *downloads = browser->downloads;
    if (downloads != NULL) {
        atomic_store(&downloads->stop, true);
        for (transfer *each = downloads->first; each != NULL;
             each = each->next) {
            if (!each->finishing)
                aper__browser_post(browser, "", "Browser.cancelDownload",
                                   json_pack("{s:s}", "guid", each->id));
        }
        while (downloads->finishing > 0)
            pthread_cond_wait(&browser->changed, &browser->lock);
    }
    pthread_mutex_unlock(&browser->lock);
}

void aper__downloads_clean(aper_browser *browser)
{
    pthread_mutex_lock(&browser->lock);
    aper__downloads *downloads = browser->downloads;
    while (downloads != NULL && downloads->first != NULL) {
        transfer *each = downloads->first;
        unlink_transfer(downloads, each);
        free_transfer(each);
    }
    if (downloads != NULL) {
        aper__download_dir_unref(downloads->dir);
        downloads->dir = NULL;
    }
    pthread_mutex_unlock(&browser->lock);
}

void aper__downloads_free(aper_browser *browser)
{
    aper__downloads_clean(browser);
    if (browser->downloads != NULL)
        aper__map_free(browser->downloads->contexts, NULL);
    aper__dealloc(browser->downloads);
}
