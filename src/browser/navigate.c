/* SPDX-License-Identifier: Apache-2.0 */
/* Navigating: from the command to the document that was committed and loaded,
 * or to the true reason why none was. */
#include "browser/internal.h"

#include <string.h>

/* How long after the load event the stop of loading, with which a refresh
 * would be announced, is waited for. */
#define STOP_MS 250
/* How long the commit of an error page is waited for. */
#define ERROR_PAGE_MS 1000
/* How long a move within the document is waited for once it was promised. */
#define MOVE_MS 1000
/* How often a navigation that Chromium drops is begun, and how long what made
 * it drop it may take to come to rest. */
#define DROPS_MAX 3
#define DROP_MS 500
/* How long the page that is to be left may take to answer. */
#define STUCK_MS 3000
/* How often its script is ended, and how long that may take. */
#define ENDS_MAX 5
#define END_MS 1000

/* One navigation under way. */
typedef struct journey {
    aper_tab *tab;
    aper__op *op;
    uint32_t until;
    uint64_t commits; /* before it */
    uint64_t moves;
    uint64_t ends;
    uint64_t dialogs;
    uint64_t downloads;
    char loader[64]; /* "" while unknown */
    bool moved; /* within the document */
    bool ended; /* without a commit */
    bool is_download;
    bool complete;
} journey;

static void lock(const journey *trip)
{
    pthread_mutex_lock(&trip->tab->browser->lock);
}

static void unlock(const journey *trip)
{
    pthread_mutex_unlock(&trip->tab->browser->lock);
}

static void start_trip(journey *trip, aper_tab *tab, aper__op *op, uint32_t until)
{
    memset(trip, 0, sizeof(*trip));
    trip->tab = tab;
    trip->op = op;
    trip->until = until;
    lock(trip);
    trip->commits = tab->place.commits;
    trip->moves = tab->place.moves;
    trip->ends = tab->place.ends;
    trip->dialogs = tab->counts.dialogs;
    trip->downloads = tab->counts.downloads;
    unlock(trip);
}

/* ---- the result ---------------------------------------------------------- */

static uint32_t kind_of(const journey *trip, const aper__visit *visit)
{
    if (trip->ended) {
        bool download = trip->is_download
            || trip->tab->counts.downloads != trip->downloads;
        if (visit != NULL && !download
            && (visit->http_status == 204 || visit->http_status == 205))
            return APER_NAVIGATION_NO_CONTENT;
        return APER_NAVIGATION_DOWNLOAD;
    }
    if (trip->moved)
        return APER_NAVIGATION_SAME_DOCUMENT;
    if (trip->tab->place.commits == trip->commits)
        return APER_NAVIGATION_DIALOG;
    return APER_NAVIGATION_PAGE;
}

/* What the trip led to, as far as it came. */
static aper_status describe(const journey *trip, aper_navigation **ret_navigation,
                            aper_error **ret_error)
{
    aper_tab *tab = trip->tab;
    aper__place *place = &tab->place;
    lock(trip);
    const char *loader = trip->ended ? trip->loader : place->loader_id;
    aper__visit *visit = aper__place_find(place, loader);
    uint32_t kind = kind_of(trip, visit);
    bool is_elsewhere = trip->ended && visit != NULL;
    aper_navigation *navigation = aper__navigation_new(
        kind, is_elsewhere && visit->url != NULL ? visit->url : place->url);
    bool whole = navigation != NULL;
    if (whole && visit != NULL && kind != APER_NAVIGATION_SAME_DOCUMENT
        && kind != APER_NAVIGATION_DIALOG)
        whole = aper__navigation_copy(navigation, visit);
    if (whole && tab->counts.dialogs != trip->dialogs)
        navigation->dialog = aper_dialog_ref(tab->last_dialog);
    if (whole)
        navigation->complete = trip->complete;
    unlock(trip);
    if (!whole) {
        aper_navigation_unref(navigation);
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for the navigation");
    }
    if (ret_navigation != NULL)
        *ret_navigation = navigation;
    else
        aper_navigation_unref(navigation);
    return APER_OK;
}

/* ---- waiting ------------------------------------------------------------- */

typedef bool condition(journey *trip);

/* Waits for the condition, which is called under the lock, at most until a
 * moment (0: the op's deadline). */
static aper_status wait_for(journey *trip, condition *holds, int64_t until_ms)
{
    for (;;) {
        uint32_t seen = aper__op_seen(trip->op);
        lock(trip);
        bool done = holds(trip);
        int64_t soon = trip->tab->place.soon_ms;
        unlock(trip);
        if (done)
            return APER_OK;
        int64_t now = aper__now_ms();
        if (until_ms != 0 && now >= until_ms)
            return APER_E_TIMEOUT;
        int64_t limit = soon > now ? soon : 0;
        if (until_ms != 0 && (limit == 0 || until_ms < limit))
            limit = until_ms;
        aper_status status = limit != 0
            ? aper__op_wait_until(trip->op, seen, limit)
            : aper__op_wait(trip->op, seen);
        if (status != APER_OK)
            return status;
    }
}

static bool has_committed(journey *trip)
{
    aper__place *place = &trip->tab->place;
    if (place->commits == trip->commits)
        return false;
    aper__visit *visit = aper__place_find(place, trip->loader);
    return visit == NULL || visit->committed;
}

static bool has_moved(journey *trip)
{
    return trip->tab->place.moves != trip->moves;
}

/* For navigations whose loader id nobody tells. */
static bool has_arrived(journey *trip)
{
    aper__place *place = &trip->tab->place;
    if (place->commits != trip->commits)
        return true;
    if (place->moves != trip->moves) {
        trip->moved = true;
        return true;
    }
    if (place->ends == trip->ends || aper__place_is_pending(place))
        return false;
    trip->ended = true;
    for (size_t i = 0; i < place->visit_count; i++) {
        if (place->visits[i].ended)
            strncpy(trip->loader, place->visits[i].loader_id,
                    sizeof(trip->loader) - 1);
    }
    return true;
}

static bool is_loaded(journey *trip)
{
    const aper__place *place = &trip->tab->place;
    if (aper__place_is_pending(place))
        return false;
    return trip->until == APER_UNTIL_DOM_READY ? place->dom_ready
                                               : place->loaded;
}

static bool has_stopped(journey *trip)
{
    return trip->tab->place.stopped;
}

static bool is_loaded_for_good(journey *trip)
{
    return is_loaded(trip) && has_stopped(trip);
}

/* Statuses that leave a committed page worth reporting. */
static bool is_half_way(aper_status status)
{
    return status == APER_E_TIMEOUT || status == APER_E_DIALOG;
}

static aper_status wait_loaded(journey *trip, aper_error **ret_error)
{
    aper_status status = APER_OK;
    if (trip->until != APER_UNTIL_COMMIT)
        status = wait_for(trip, is_loaded, 0);
    if (status == APER_OK && trip->until == APER_UNTIL_LOAD) {
        /* A refresh without delay is announced between load and stop. */
        wait_for(trip, has_stopped, aper__now_ms() + STOP_MS);
        lock(trip);
        bool again = !is_loaded(trip);
        unlock(trip);
        if (again)
            status = wait_for(trip, is_loaded_for_good, 0);
    }
    trip->complete = status == APER_OK;
    if (status == APER_OK || is_half_way(status))
        return APER_OK;
    return aper__error_set(ret_error, status, "%s", aper__op_reason(status));
}

/* ---- failures ------------------------------------------------------------ */

static aper_status report_failure(journey *trip, const char *error,
                                  aper_error **ret_error)
{
    aper__buf address = { 0 };
    aper__buf blocked = { 0 };
    lock(trip);
    aper__visit *visit = aper__place_find(&trip->tab->place, trip->loader);
    const char *url = visit != NULL && visit->url != NULL ? visit->url : "";
    aper__text_quote(&address, url, strlen(url), 200);
    if (visit != NULL && visit->blocked != NULL)
        aper__buf_puts(&blocked, visit->blocked);
    unlock(trip);
    aper_status status;
    if (blocked.size > 0)
        status = aper__error_set(ret_error, APER_E_BLOCKED, "%s",
                                 blocked.data);
    else
        status = aper__error_set(ret_error, APER_E_NAVIGATION, "%s at %s",
                                 error[0] != '\0' ? error : "net::ERR_FAILED",
                                 address.data != NULL ? address.data : "\"\"");
    aper__buf_free(&address);
    aper__buf_free(&blocked);
    return status;
}

/* The document did not come: a download, an empty answer or an error. */
static aper_status settle_ended(journey *trip, const char *error,
                                aper_error **ret_error)
{
    lock(trip);
    aper__visit *visit = aper__place_find(&trip->tab->place, trip->loader);
    bool blocked = visit != NULL && visit->blocked != NULL;
    bool empty = visit != NULL
        && (visit->http_status == 204 || visit->http_status == 205);
    bool download = trip->is_download
        || trip->tab->counts.downloads != trip->downloads;
    unlock(trip);
    bool aborted = strcmp(error, "net::ERR_ABORTED") == 0;
    trip->ended = aborted && !blocked && (empty || download);
    if (trip->ended) {
        trip->complete = true;
        return APER_OK;
    }
    if (!aborted)
        wait_for(trip, has_committed, aper__now_ms() + ERROR_PAGE_MS);
    return report_failure(trip, error, ret_error);
}

/* The error of what was committed, which may be an error page; "" if none. */
static void committed_error(journey *trip, char *out, size_t size)
{
    aper__place *place = &trip->tab->place;
    lock(trip);
    aper__visit *visit = aper__place_find(place, place->loader_id);
    out[0] = '\0';
    if (place->unreachable[0] != '\0' && place->commits != trip->commits) {
        const char *error = visit != NULL && visit->error != NULL
            ? visit->error
            : "net::ERR_FAILED";
        strncpy(out, error, size - 1);
        out[size - 1] = '\0';
        strncpy(trip->loader, place->loader_id, sizeof(trip->loader) - 1);
    }
    unlock(trip);
}

static aper_status give_up(journey *trip, aper_status status,
                           aper_error **ret_error)
{
    lock(trip);
    bool committed = trip->tab->place.commits != trip->commits;
    if (status == APER_E_TIMEOUT && !committed)
        aper__browser_post(trip->tab->browser, trip->tab->session,
                           "Page.stopLoading", NULL);
    unlock(trip);
    if (status == APER_E_DIALOG || (committed && is_half_way(status)))
        return APER_OK;
    if (status == APER_E_TIMEOUT)
        return aper__error_set(ret_error, status,
                               "no document was committed in time");
    return aper__error_set(ret_error, status, "%s", aper__op_reason(status));
}

/* ---- the ways to go ------------------------------------------------------ */

static aper_status after_commit(journey *trip, aper_error **ret_error)
{
    aper_status status = wait_loaded(trip, ret_error);
    if (status != APER_OK)
        return status;
    char error[64];
    committed_error(trip, error, sizeof(error));
    return error[0] != '\0' ? report_failure(trip, error, ret_error) : APER_OK;
}

/* After a command that only begins a navigation. */
static aper_status arrive(journey *trip, aper_error **ret_error)
{
    aper_status status = wait_for(trip, has_arrived, 0);
    if (status != APER_OK)
        return give_up(trip, status, ret_error);
    if (trip->moved) {
        trip->complete = true;
        return APER_OK;
    }
    if (!trip->ended)
        return after_commit(trip, ret_error);
    char error[64] = "";
    lock(trip);
    aper__visit *visit = aper__place_find(&trip->tab->place, trip->loader);
    if (visit != NULL && visit->error != NULL)
        strncpy(error, visit->error, sizeof(error) - 1);
    unlock(trip);
    return settle_ended(trip, error, ret_error);
}

/* Chromium drops a navigation that begins just while another commits, and
 * then says "aborted" without a loader. Nothing came of it, so it is begun
 * again once the other has come to rest. */
static bool was_dropped(json_t *reply)
{
    return aper__json_string(reply, "loaderId")[0] == '\0'
        && strcmp(aper__json_string(reply, "errorText"), "net::ERR_ABORTED")
        == 0;
}

static bool rests(journey *trip)
{
    return has_stopped(trip) && !aper__place_is_pending(&trip->tab->place);
}

static aper_status send_go(journey *trip, json_t *params, json_t **ret_reply,
                           aper_error **ret_error)
{
    for (int tries = 1;; tries++) {
        aper_status status = aper__tab_call(trip->tab, trip->op,
                                            "Page.navigate",
                                            json_incref(params), ret_reply,
                                            ret_error);
        if (status != APER_OK || tries == DROPS_MAX
            || !was_dropped(*ret_reply))
            return status;
        json_decref(*ret_reply);
        *ret_reply = NULL;
        status = wait_for(trip, rests, aper__now_ms() + DROP_MS);
        if (status != APER_OK && !(status == APER_E_TIMEOUT
                                   && aper__op_check(trip->op) == APER_OK))
            return aper__error_set(ret_error, status, "%s",
                                   aper__op_reason(status));
    }
}

static aper_status finish_go(journey *trip, json_t *reply,
                             aper_error **ret_error)
{
    const char *error = aper__json_string(reply, "errorText");
    strncpy(trip->loader, aper__json_string(reply, "loaderId"),
            sizeof(trip->loader) - 1);
    trip->is_download = aper__json_bool(reply, "isDownload");
    if (error[0] != '\0')
        return settle_ended(trip, error, ret_error);
    if (trip->loader[0] == '\0') {
        /* The answer comes before the move it tells of. */
        wait_for(trip, has_moved, aper__now_ms() + MOVE_MS);
        trip->moved = trip->complete = true;
        return APER_OK;
    }
    aper_status status = wait_for(trip, has_committed, 0);
    return status == APER_OK ? after_commit(trip, ret_error)
                             : give_up(trip, status, ret_error);
}

static aper_status go_to(journey *trip, const char *url, const char *referrer,
                         aper_error **ret_error)
{
    json_t *params = json_pack("{s:s}", "url", url);
    if (referrer != NULL)
        json_object_set_new(params, "referrer", json_string(referrer));
    json_t *reply = NULL;
    aper_error *refused = NULL;
    aper_status status = send_go(trip, params, &reply, &refused);
    json_decref(params);
    if (status == APER_E_REMOTE || status == APER_E_NOMEM) {
        aper__error_give(ret_error, refused);
        return status;
    }
    aper_error_unref(refused);
    status = status == APER_OK ? finish_go(trip, reply, ret_error)
                               : give_up(trip, status, ret_error);
    json_decref(reply);
    return status;
}

static aper_status reload(journey *trip, bool ignore_cache,
                          aper_error **ret_error)
{
    aper_status status = aper__tab_call(
        trip->tab, trip->op, "Page.reload",
        json_pack("{s:b}", "ignoreCache", ignore_cache), NULL, ret_error);
    if (status == APER_E_DIALOG)
        return give_up(trip, status, ret_error);
    return status == APER_OK ? arrive(trip, ret_error) : status;
}

/* A tab is made with about:blank in its history, which nobody asked for. */
static bool is_skipped(const journey *trip, int64_t index, json_t *entry)
{
    return index == 0 && trip->tab->skips_blank
        && strcmp(aper__json_string(entry, "url"), "about:blank") == 0;
}

/* The id of the history entry that is step away, -1 if there is none. */
static aper_status find_entry(journey *trip, int step, int64_t *ret_id,
                              aper_error **ret_error)
{
    json_t *history = NULL;
    aper_status status = aper__tab_call(trip->tab, trip->op,
                                        "Page.getNavigationHistory", NULL,
                                        &history, ret_error);
    if (status != APER_OK)
        return status;
    int64_t index = aper__json_int(history, "currentIndex", 0) + step;
    json_t *entry = index < 0 ? NULL
        : json_array_get(aper__json_get(history, "entries"), (size_t)index);
    lock(trip);
    bool skipped = is_skipped(trip, index, entry);
    unlock(trip);
    *ret_id = skipped ? -1 : aper__json_int(entry, "id", -1);
    json_decref(history);
    return APER_OK;
}

static aper_status step_history(journey *trip, int step, aper_error **ret_error)
{
    int64_t id;
    aper_status status = find_entry(trip, step, &id, ret_error);
    if (status != APER_OK)
        return status;
    if (id < 0)
        return aper__error_set(ret_error, APER_E_NOT_FOUND,
                               "the history has no %s page",
                               step < 0 ? "earlier" : "later");
    status = aper__tab_call(trip->tab, trip->op, "Page.navigateToHistoryEntry",
                            json_pack("{s:I}", "entryId", (json_int_t)id),
                            NULL, ret_error);
    if (status == APER_E_DIALOG)
        return give_up(trip, status, ret_error);
    return status == APER_OK ? arrive(trip, ret_error) : status;
}

/* ---- calls --------------------------------------------------------------- */

/* What a call asks for; also the argument of a job. */
enum { GO_TO, GO_BACK, GO_FORWARD, GO_AGAIN };
typedef struct directions {
    int way;
    char *url;
    char *referrer;
    uint32_t timeout_ms;
    uint32_t until;
    bool ignore_cache;
} directions;

static void free_route(void *arg)
{
    directions *route = arg;
    if (route == NULL)
        return;
    aper__dealloc(route->url);
    aper__dealloc(route->referrer);
    aper__dealloc(route);
}

/* A crashed page can be left and loaded again. */
static void revive(aper_tab *tab)
{
    pthread_mutex_lock(&tab->browser->lock);
    bool crashed = tab->crashed;
    pthread_mutex_unlock(&tab->browser->lock);
    if (crashed)
        aper__cdp_revive_session(tab->browser->cdp, tab->session);
}

/* Calls a command of Runtime that has only so long. */
static aper_status call_soon(aper_tab *tab, aper__op *op, const char *method,
                             json_t *params, uint32_t ms)
{
    int64_t soon = aper__now_ms() + ms;
    int64_t whole = aper__op_set_deadline(op, soon);
    if (whole < soon)
        aper__op_set_deadline(op, whole);
    aper_status status = aper__tab_call(tab, op, method, params, NULL, NULL);
    aper__op_set_deadline(op, whole);
    return status;
}

/* A script that never ends would keep the renderer from ever showing another
 * document. One that opens dialogs for ever is not always hit at once. While a
 * navigation is under way the page is not asked: the browser hands nothing to
 * it then. */
static void end_stuck_script(aper_tab *tab, aper__op *op)
{
    pthread_mutex_lock(&tab->browser->lock);
    bool asks = !tab->crashed && !aper__place_is_pending(&tab->place);
    pthread_mutex_unlock(&tab->browser->lock);
    if (!asks)
        return;
    aper_status status = call_soon(tab, op, "Runtime.evaluate",
                                   json_pack("{s:s}", "expression", "0"),
                                   STUCK_MS);
    for (int tries = 0; status == APER_E_TIMEOUT && tries < ENDS_MAX; tries++)
        status = call_soon(tab, op, "Runtime.terminateExecution", NULL,
                           END_MS);
}

static aper_status travel(journey *trip, const directions *route,
                          aper_error **ret_error)
{
    switch (route->way) {
    case GO_TO:
        return go_to(trip, route->url, route->referrer, ret_error);
    case GO_AGAIN:
        return reload(trip, route->ignore_cache, ret_error);
    default:
        return step_history(trip, route->way == GO_BACK ? -1 : 1,
                            ret_error);
    }
}

static aper_status run_held(aper_tab *tab, aper__op *op,
                            const directions *route,
                            aper_navigation **ret_navigation,
                            aper_error **ret_error)
{
    journey trip;
    revive(tab);
    end_stuck_script(tab, op);
    start_trip(&trip, tab, op, route->until);
    aper_status status = travel(&trip, route, ret_error);
    return status == APER_OK ? describe(&trip, ret_navigation, ret_error)
                             : status;
}

static aper_status run(aper_tab *tab, aper__op *op, const directions *route,
                       aper_navigation **ret_navigation,
                       aper_error **ret_error)
{
    aper_status status = APER_OK;
    if (route->way == GO_TO)
        status = aper__policy_check_url(tab->browser, route->url, ret_error);
    if (status == APER_OK)
        status = aper__targets_attach(tab, op, ret_error);
    if (status == APER_OK)
        status = aper__tab_hold(tab, op, ret_error);
    if (status != APER_OK)
        return status;
    status = run_held(tab, op, route, ret_navigation, ret_error);
    aper__tab_release(tab);
    return status;
}

aper_status aper__navigate_run(aper_tab *tab, aper__op *op, const char *url,
                               uint32_t until, aper_error **ret_error)
{
    directions route = { .way = GO_TO, .url = (char *)url, .until = until };
    return run(tab, op, &route, NULL, ret_error);
}

static aper_status check_options(const aper_navigate_options *options,
                                 directions *ret_route, aper_error **ret_error)
{
    aper_navigate_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (copy.until > APER_UNTIL_DOM_READY)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "until is none of APER_UNTIL_*");
    if (copy.referrer != NULL
        && !aper__utf8_is_valid(copy.referrer, strlen(copy.referrer)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the referrer is not valid UTF-8");
    ret_route->timeout_ms = copy.timeout_ms != 0 ? copy.timeout_ms
                                                   : APER__LONG_TIMEOUT_MS;
    ret_route->until = copy.until;
    ret_route->referrer = (char *)copy.referrer;
    ret_route->ignore_cache = copy.ignore_cache != 0;
    return APER_OK;
}

static aper_status navigate(aper_tab *tab, int way, const char *url,
                            const aper_navigate_options *options,
                            aper_navigation **ret_navigation,
                            aper_error **ret_error)
{
    directions route = { .way = way, .url = (char *)url };
    aper_status status = check_options(options, &route, ret_error);
    if (status != APER_OK)
        return status;
    if (way == GO_TO && url == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "the url is NULL");
    aper__op op;
    status = aper__tab_begin_as(tab, &op, route.timeout_ms, APER__WITH_CRASH,
                                ret_error);
    if (status != APER_OK)
        return status;
    status = run(tab, &op, &route, ret_navigation, ret_error);
    aper__tab_end(tab, &op);
    return status;
}

static void unref_navigation(void *object)
{
    aper_navigation_unref(object);
}

static aper_status run_job(void *arg, aper_browser *browser, aper_tab *tab,
                           aper__op *op, aper__result *ret_result,
                           aper_error **ret_error)
{
    (void)browser;
    aper_navigation *navigation = NULL;
    aper_status status = run(tab, op, arg, &navigation, ret_error);
    if (navigation != NULL) {
        ret_result->kind = APER__RESULT_NAVIGATION;
        ret_result->object = navigation;
        ret_result->unref = unref_navigation;
    }
    return status;
}

static aper_status navigate_start(aper_tab *tab, int way, const char *url,
                                  const aper_navigate_options *options,
                                  uint64_t tag, aper_error **ret_error)
{
    if (tab == NULL || (way == GO_TO && url == NULL))
        return aper__error_set(ret_error, APER_E_INVAL, "%s is NULL",
                               tab == NULL ? "the tab" : "the url");
    directions checked = { .way = way };
    aper_status status = check_options(options, &checked, ret_error);
    if (status != APER_OK)
        return status;
    directions *copy = aper__alloc(sizeof(*copy));
    if (copy == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    *copy = checked;
    copy->url = aper__strdup(url);
    copy->referrer = aper__strdup(checked.referrer);
    if ((url != NULL && copy->url == NULL)
        || (checked.referrer != NULL && copy->referrer == NULL)) {
        free_route(copy);
        return aper__error_set(ret_error, APER_E_NOMEM, "no memory");
    }
    aper__job job = { .run = run_job,
                      .free_arg = free_route,
                      .arg = copy,
                      .timeout_ms = copy->timeout_ms,
                      .allow_crash = true,
                      .holds_tab = true };
    return aper__browser_start(tab->browser, tab, tag, &job, ret_error);
}

aper_status aper_tab_navigate(aper_tab *tab, const char *url,
                              const aper_navigate_options *options,
                              aper_navigation **ret_navigation,
                              aper_error **ret_error)
{
    return navigate(tab, GO_TO, url, options, ret_navigation, ret_error);
}

aper_status aper_tab_navigate_start(aper_tab *tab, const char *url,
                                    const aper_navigate_options *options,
                                    uint64_t tag, aper_error **ret_error)
{
    return navigate_start(tab, GO_TO, url, options, tag, ret_error);
}

aper_status aper_tab_back(aper_tab *tab, const aper_navigate_options *options,
                          aper_navigation **ret_navigation,
                          aper_error **ret_error)
{
    return navigate(tab, GO_BACK, NULL, options, ret_navigation, ret_error);
}

aper_status aper_tab_back_start(aper_tab *tab,
                                const aper_navigate_options *options,
                                uint64_t tag, aper_error **ret_error)
{
    return navigate_start(tab, GO_BACK, NULL, options, tag, ret_error);
}

aper_status aper_tab_forward(aper_tab *tab,
                             const aper_navigate_options *options,
                             aper_navigation **ret_navigation,
                             aper_error **ret_error)
{
    return navigate(tab, GO_FORWARD, NULL, options, ret_navigation, ret_error);
}

aper_status aper_tab_forward_start(aper_tab *tab,
                                   const aper_navigate_options *options,
                                   uint64_t tag, aper_error **ret_error)
{
    return navigate_start(tab, GO_FORWARD, NULL, options, tag, ret_error);
}

aper_status aper_tab_reload(aper_tab *tab,
                            const aper_navigate_options *options,
                            aper_navigation **ret_navigation,
                            aper_error **ret_error)
{
    return navigate(tab, GO_AGAIN, NULL, options, ret_navigation, ret_error);
}

aper_status aper_tab_reload_start(aper_tab *tab,
                                  const aper_navigate_options *options,
                                  uint64_t tag, aper_error **ret_error)
{
    return navigate_start(tab, GO_AGAIN, NULL, options, tag, ret_error);
}
