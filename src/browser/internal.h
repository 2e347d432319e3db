/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this directory share.
 *
 * Everything here is guarded by browser->lock unless it says otherwise, and
 * every function is called with that lock held unless its comment says
 * "unlocked". The lock is never held while waiting. CDP commands may be sent
 * under it (aper__cdp_send, aper__cdp_begin); those that wait may not. */
#ifndef APER_BROWSER_INTERNAL_H
#define APER_BROWSER_INTERNAL_H

#include "browser/browser.h"

#define APER__EVENTS_MAX 1024 /* waiting page events */
#define APER__JOBS_MAX 1024 /* per browser */
#define APER__SHORT_TIMEOUT_MS 10000
#define APER__LONG_TIMEOUT_MS 30000

typedef struct aper__session aper__session;
typedef struct aper__downloads aper__downloads; /* downloads.c */
typedef struct aper__log_rings aper__log_rings; /* log.c */
typedef struct aper__emulation aper__emulation; /* emulate.c */
typedef struct aper__grants aper__grants; /* grants.c */

/* A list of operations under way. */
typedef struct aper__ops {
    aper__op *first;
} aper__ops;

/* ---- address.c: unlocked ------------------------------------------------- */

#define APER__HOST_MAX 256
#define APER__SCHEME_MAX 32

/* The scheme in lower case; false if there is none. */
bool aper__address_scheme(const char *url, char *out, size_t size);
/* The host in lower case, without brackets and trailing dots; "" if none. */
void aper__address_host(const char *url, char out[APER__HOST_MAX]);
/* Loopback, private, link-local, multicast, and names of this machine. */
bool aper__address_is_private(const char *host);
/* Whether a host from aper__address_host() is "x" or below "*.x". */
bool aper__address_matches(const char *host, const char *pattern);
/* Whether it is a host or "*." and a host, as browsers write them. */
bool aper__address_is_pattern(const char *pattern);
/* A copy for others to see; NULL for NULL and without memory. */
char *aper__address_without_user(const char *url);

/* ---- policy.c ------------------------------------------------------------ */

typedef struct aper__policy {
    char **allow_hosts; /* NULL: all */
    char **deny_hosts;
    char **extra_schemes;
    bool deny_private;
    uint32_t on_alert;
    uint32_t on_confirm;
    uint32_t on_beforeunload;
} aper__policy;

void aper__policy_free(aper__policy *policy);
/* Whether requests must be looked at one by one. */
bool aper__policy_needs_fetch(const aper__policy *policy);
/* APER_OK or BLOCKED; why gets a short reason when it is not NULL. */
aper_status aper__policy_check(const aper__policy *policy, const char *url,
                               aper__buf *why);
/* Sends Fetch.enable or Fetch.disable to a session, as the policy wants. */
void aper__policy_apply(aper_browser *browser, aper__session *session);
void aper__policy_on_paused(aper_browser *browser, aper__session *session,
                            json_t *params);
/* Looks at what the main frame committed; leaves it if it is forbidden. */
void aper__policy_on_commit(aper_tab *tab, const char *url);
/* Looks at the address that a response really came from. */
void aper__policy_on_response(aper_tab *tab, const char *url,
                              const char *address);

/* ---- events.c ------------------------------------------------------------ */

struct aper_event {
    aper__refs refs;
    struct aper_event *next;
    uint32_t kind;
    uint64_t tag;
    aper_status status;
    aper_error *error;
    char *tab_id;
    char *url;
    char *opener_id;
    aper_dialog *dialog;
    aper_download *download;
    aper__result result; /* while queued, a tab in it is kept, without handle */
};

typedef struct aper__event_queue {
    aper_event *first;
    aper_event **end;
    size_t page_events; /* all but completions */
    aper_event *overflow; /* made in advance; NULL while it waits */
    aper_event *gone; /* made in advance; NULL once it was queued */
    bool finished; /* BROWSER_GONE was queued */
    int read_fd;
    int write_fd; /* the same as read_fd for an eventfd */
    pthread_cond_t cond; /* with browser->lock */
} aper__event_queue;

aper_status aper__events_init(aper__event_queue *queue);
void aper__events_destroy(aper_browser *browser);
/* An event about a tab (id may be NULL) and an address (may be NULL); NULL
 * without memory. */
aper_event *aper__event_new(uint32_t kind, const char *tab_id,
                            const char *url);
/* Queues, and takes the event; NULL stands for one that could not be made and
 * queues OVERFLOW instead, so that no loss is silent. */
void aper__events_post(aper_browser *browser, aper_event *event);
/* Queues BROWSER_GONE as the last event, if the connection has ended and every
 * job has completed. */
void aper__events_finish(aper_browser *browser);

/* ---- sessions and frames ------------------------------------------------- */

struct aper__session {
    char *id;
    char *target_id;
    char *type; /* "page", "iframe", "worker" … */
    char *parent_id; /* session that it was attached through, "" the browser */
    aper_tab *tab; /* NULL for what belongs to no tab */
    bool sent; /* all of its set-up was */
};

aper__session *aper__session_find(aper_browser *browser, const char *id);

/* ---- place.c, navigate.c ------------------------------------------------- */

/* Loader ids are matched to tell what ends a navigation, so they are where no
 * lack of memory can lose them. */
#define APER__LOADER_MAX 64

/* One request for a main-frame document. */
typedef struct aper__visit {
    char loader_id[APER__LOADER_MAX];
    char *url; /* NULL: no memory for it */
    char **redirects;
    size_t redirect_count;
    uint32_t http_status;
    char *error; /* "net::…" once it failed */
    char *blocked; /* why the policy refused it */
    bool moves; /* within the document */
    bool committed;
    bool ended; /* without a commit */
} aper__visit;

#define APER__VISITS 8

/* Where the main frame is. */
typedef struct aper__place {
    char loader_id[APER__LOADER_MAX];
    char *url;
    char *unreachable; /* address whose error page is shown, or "" */
    uint64_t commits; /* other documents */
    uint64_t moves; /* same document */
    uint64_t ends; /* navigations that ended without a commit */
    bool dom_ready;
    bool loaded;
    bool stopped; /* loading, after loaded: a refresh would be known */
    char active[APER__LOADER_MAX]; /* of the navigation that has begun, or "" */
    int64_t soon_ms; /* until when one that was requested should begin */
    aper__visit visits[APER__VISITS]; /* newest last */
    size_t visit_count;
} aper__place;

void aper__place_free(aper__place *place);
/* All take the events of Page and Network; I/O thread. */
void aper__place_on_page(aper_tab *tab, aper__session *session,
                         const char *method, json_t *params);
void aper__place_on_network(aper_tab *tab, aper__session *session,
                            const char *method, json_t *params);
aper__visit *aper__place_find(aper__place *place, const char *loader_id);
/* Whether another navigation was requested or has begun. */
bool aper__place_is_pending(const aper__place *place);
/* Navigates within an operation on the tab that has begun. Unlocked. */
aper_status aper__navigate_run(aper_tab *tab, aper__op *op, const char *url,
                               uint32_t until, aper_error **ret_error);
/* What Page.getFrameTree says of the main frame. */
void aper__place_adopt(aper_tab *tab, json_t *frame);

/* ---- navigation.c -------------------------------------------------------- */

struct aper_navigation {
    aper__refs refs;
    uint32_t kind;
    uint32_t http_status;
    char *url;
    char **redirects;
    size_t redirect_count;
    bool complete;
    aper_dialog *dialog;
};

/* Complete but for what a visit adds; NULL without memory. */
aper_navigation *aper__navigation_new(uint32_t kind, const char *url);
/* Takes status and redirects; false without memory. */
bool aper__navigation_copy(aper_navigation *navigation,
                           const aper__visit *visit);

/* ---- tab ----------------------------------------------------------------- */

/* A request that runs, for aper__tab_busy(). */
typedef struct aper__request {
    char *id;
    char *session;
    uint64_t number;
    uint64_t address; /* hash of its URL without the query */
    uint64_t renewed; /* number of a request that it renews, or 0 ... */
    uint64_t renewed_end; /* ... and as which that one ended */
    int64_t heard_ms; /* when a part of the answer last came, or 0 */
} aper__request;

/* Requests that have ended, the latest of them. */
#define APER__ENDED_MAX 32
typedef struct aper__ended {
    uint64_t address;
    uint64_t number;
} aper__ended;

typedef struct aper__slot {
    void *value;
    void (*free_value)(void *value);
} aper__slot;

typedef struct aper__waiter {
    aper__op *op;
    struct aper__waiter *next;
} aper__waiter;

struct aper_tab {
    aper_browser *browser;
    aper_tab *next; /* in browser->tabs, in order of creation */
    unsigned handles; /* of the host; all together hold one browser handle */
    unsigned holds; /* ours: jobs, queued events, running calls */
    bool closed; /* out of browser->tabs; freed with the last hold */
    bool closing; /* asked to close: dialogs are waved through */
    bool crashed;
    bool own;
    bool skips_blank; /* going back ends before the page it was made with */
    bool ready; /* its session is set up */
    bool attaching;
    bool announced; /* TAB_OPENED was posted */
    char *id; /* target id, also of the main frame */
    char *opener_id;
    char *title;
    char *target_url; /* as Target has it, until the session knows better */
    char *session; /* "" until attached */
    aper__frame *frames;
    size_t frame_count;
    aper__place place;

    aper__ops ops[2]; /* [1]: an open dialog does not matter */
    bool held;
    aper__waiter *waiters;

    aper_dialog *dialog; /* open */
    aper_dialog *last_dialog;
    char *dialog_session;
    bool auto_answered; /* last_dialog is open, but the policy answered it */
    bool printing; /* we do, not the page */

    aper__tab_counts counts;
    char **popups;
    size_t popup_count;
    char **downloads;
    size_t download_count;
    aper__request *requests;
    size_t request_count;
    aper__ended ended[APER__ENDED_MAX]; /* the n-th is at n % MAX */

    aper__slot slots[APER__SLOTS];
    aper__log_rings *log;
    aper__emulation *emulation;
    aper__grants *grants; /* NULL: none */
};

/* A tab that was just discovered, at the end of browser->tabs; NULL without
 * memory, or when there are 4,096. */
aper_tab *aper__tab_new(aper_browser *browser, const char *id,
                        const char *opener_id);
aper_tab *aper__tab_find(aper_browser *browser, const char *id);
/* The tab that shows the frame, or NULL. */
aper_tab *aper__tab_of_frame(aper_browser *browser, const char *frame_id);
/* Queues for the tab without waiting, so that jobs hold it in the order in
 * which they were started; aper__tab_hold() with the same op then waits. */
void aper__tab_queue(aper_tab *tab, aper__waiter *waiter);
/* Leaves the queue, if still in it. */
void aper__tab_unqueue(aper_tab *tab, aper__waiter *waiter);
/* Keeps the memory of a tab; release may free it, and is the last touch. */
void aper__tab_keep(aper_tab *tab);
void aper__tab_drop(aper_tab *tab);
/* One more handle for the host. */
void aper__tab_add_handle(aper_tab *tab);
/* Looks at the state again: every operation on the tab. */
void aper__tab_wake(aper_tab *tab);
void aper__tab_interrupt(aper_tab *tab, aper_status status);
/* Closes the page of the tab, which may be asked more than once. Unlocked. */
aper_status aper__tab_close_page(aper_tab *tab, aper__op *op,
                                 aper_error **ret_error);
/* A page that the tab opened; id is copied. */
void aper__tab_note_popup(aper_tab *tab, const char *id);
/* A download of the tab began; name is copied. */
void aper__tab_note_download(aper_tab *tab, const char *name);
/* Takes the tab off its browser: the target is no more. */
void aper__tab_end_life(aper_tab *tab);

/* Requests that run: all that the session knew end with it (id NULL). */
void aper__tab_request_began(aper_tab *tab, const char *session,
                             const char *id, const char *url);
/* A part of its answer has come. */
void aper__tab_request_heard(aper_tab *tab, const char *session,
                             const char *id);
void aper__tab_request_ended(aper_tab *tab, const char *session,
                             const char *id);

/* For calls that only look at the tab: with APER_OK browser->lock is held.
 * Unlocked. */
aper_status aper__tab_look(aper_tab *tab);

/* Flags for aper__tab_begin_as(), which is unlocked. */
enum { APER__WITH_DIALOG = 1, APER__WITH_CRASH = 2 };
aper_status aper__tab_begin_as(aper_tab *tab, aper__op *op,
                               uint32_t timeout_ms, unsigned flags,
                               aper_error **ret_error);

/* ---- dialog.c ------------------------------------------------------------ */

aper_dialog *aper__dialog_new(uint32_t kind, const char *text,
                              const char *url, const char *default_text);
void aper__dialog_on_opening(aper_tab *tab, aper__session *session,
                             json_t *params);
void aper__dialog_on_closed(aper_tab *tab);
/* Lets the documents of a session tell of window.print(), and hears them:
 * whether a message on the console was that. */
void aper__dialog_watch_prints(aper_browser *browser, const char *session);
bool aper__dialog_on_console(aper_tab *tab, const char *text);

/* ---- targets.c: what exists ---------------------------------------------- */

void aper__targets_on_event(aper_browser *browser, const char *session,
                            const char *method, json_t *params);
bool aper__targets_is_page(json_t *info);
/* The tab of a page target, made if it is not known; NULL if it is none, or
 * could not be made, of which an OVERFLOW event then tells. */
aper_tab *aper__targets_add(aper_browser *browser, json_t *info);
/* What the browser says now of a tab that is known; others are ignored. */
void aper__targets_refresh(aper_browser *browser, json_t *info);
/* The tab is about to go: its sessions no longer point to it. */
void aper__targets_forget(aper_tab *tab);
/* Whether hosts see the tab: pages of the browser itself are not shown. */
bool aper__tab_is_listed(const aper_tab *tab);
/* Sends again what a session of the tab needs, frames included. */
void aper__targets_repair(aper_tab *tab, aper__session *session);
/* Tries again what was not sent, if there is any. */
void aper__targets_catch_up(aper_browser *browser);
/* Waits until the tab's session is set up; attaches if need be. Unlocked. */
aper_status aper__targets_attach(aper_tab *tab, aper__op *op,
                                 aper_error **ret_error);

/* ---- frames.c ------------------------------------------------------------ */

void aper__frames_on_event(aper_tab *tab, aper__session *session,
                           const char *method, json_t *params);
void aper__frames_add_tree(aper_tab *tab, aper__session *session,
                           json_t *tree);
/* The frame is reached through the session from now on. */
void aper__frames_set_session(aper_tab *tab, const char *frame_id,
                              const char *session);
/* What was reached through the session goes to where its parent is. */
void aper__frames_drop_session(aper_tab *tab, const char *session);

/* ---- dispatch.c ---------------------------------------------------------- */

/* For aper__cdp_open(); userdata is the browser. Unlocked. */
extern const aper__cdp_events aper__dispatch_events;

/* ---- pool.c, jobs.c: worker threads -------------------------------------- */

typedef struct aper__task aper__task;

/* The pool lives while a browser is open. Unlocked, not on a worker. */
void aper__pool_acquire(void);
void aper__pool_release(void);
/* Runs fn(arg) on a worker thread. Unlocked or locked. */
aper_status aper__pool_run(void (*fn)(void *arg), void *arg);
/* Takes a call back that no worker has begun; false if one has. */
bool aper__pool_take_back(void *arg);
/* Completes the browser's jobs that no worker has begun. */
void aper__jobs_end_queued(aper_browser *browser, aper_status status);

/* ---- of helper files ----------------------------------------------------- */

/* downloads.c. begin is called once when the connection is open, unlocked, and
 * sets the state that refuses downloads; on_event gets Browser.download*. */
aper_status aper__downloads_begin(aper_browser *browser, aper__op *op,
                                  aper_error **ret_error);
void aper__downloads_on_event(aper_browser *browser, const char *method,
                              json_t *params);
/* A page of this browser context was seen. */
void aper__downloads_on_context(aper_browser *browser, const char *context);
/* Unlocked, both: when the browser closes, before and after its connection.
 * Files that are being taken are dropped, partial ones removed. */
void aper__downloads_stop(aper_browser *browser);
void aper__downloads_clean(aper_browser *browser);
void aper__downloads_free(aper_browser *browser);
/* log.c: Console.*, Log.* and Network.* of every session of the tab. */
void aper__log_on_event(aper_tab *tab, aper__session *session,
                        const char *method, json_t *params);
void aper__log_free(aper_tab *tab);
/* grants.c: lets the origin of the address ask where the tab is. */
void aper__grants_add(aper_tab *tab, const char *url);
void aper__grants_end(aper_tab *tab);
/* view.c, unlocked: the size of a page in device-independent pixels. */
typedef struct aper__view {
    double width; /* 0: none, or it cannot be told */
    double height;
} aper__view;
aper_status aper__view_look(aper_tab *tab, aper__op *op, aper__view *ret_view,
                            aper_error **ret_error);
/* Waits until the page has the size to, where from was emulated before; to of
 * width 0 ends that, and own is what the page had without any. */
aper_status aper__view_wait(aper_tab *tab, aper__op *op,
                            const aper__view *from, const aper__view *to,
                            const aper__view *own, aper_error **ret_error);
/* emulate.c: sends to a new session, without waiting, what the tab emulates. */
void aper__emulate_apply(aper_tab *tab, aper__session *session);
/* The events of Page: who may ask where the tab is follows its address. */
void aper__emulate_on_page(aper_tab *tab, const char *method, json_t *params);
void aper__emulate_free(aper_tab *tab);

/* ---- browser ------------------------------------------------------------- */

struct aper_browser {
    pthread_mutex_t lock;
    unsigned handles; /* of the host, tabs with handles included */
    unsigned holds; /* of memory: running calls, jobs, and one of the handles */
    aper__cdp *cdp; /* set before the first event, kept until freed */
    aper__launch *launch; /* NULL when attached */
    char *version;
    char *endpoint;
    bool allow_eval;
    char print_mark[33]; /* what our scripts say when a page prints */
    bool proxied; /* responses come from the proxy's address */
    bool discovered; /* what existed at the start is known */
    bool closing;
    bool closed; /* close is done */
    pthread_cond_t changed; /* of closing, closed and job_count */
    aper_status state;
    aper_tab *tabs;
    aper__map *sessions;
    bool behind; /* a session's set-up was not sent */
    size_t unsent; /* commands, ever */
    aper__ops ops; /* of the browser itself */
    aper__policy policy;
    aper__event_queue events;
    aper__task *tasks; /* jobs under way */
    size_t task_count;
    aper__downloads *downloads;
};

/* As aper_browser_attach(), over a pipe, which is taken: for tests. */
aper_status aper__browser_open_pipe(int fd, uint32_t timeout_ms,
                                    aper_browser **ret_browser,
                                    aper_error **ret_error);
/* Begins an operation on the browser itself. Unlocked. */
aper_status aper__browser_begin(aper_browser *browser, aper__op *op,
                                uint32_t timeout_ms, aper_error **ret_error);
void aper__browser_end(aper_browser *browser, aper__op *op);
void aper__browser_keep(aper_browser *browser);
/* Unlocked; the last one frees. */
void aper__browser_drop(aper_browser *browser);
/* Takes the first reason why the connection is of no more use, and ends
 * everything that waits. */
void aper__browser_fail(aper_browser *browser, aper_status why);

/* Sends without waiting for the answer, whose errors are of no interest. */
void aper__browser_post(aper_browser *browser, const char *session,
                        const char *method, json_t *params);

void aper__ops_add(aper__ops *ops, aper__op *op);
void aper__ops_remove(aper__ops *ops, aper__op *op);

/* The same for what a page waits for or must not go on without: if it cannot
 * be sent the connection is of no more use. */
void aper__browser_post_or_fail(aper_browser *browser, const char *session,
                                const char *method, json_t *params);

/* Counts what could not be sent although its session is well. */
void aper__browser_note_sent(aper_browser *browser, aper_status status);

/* Replaces *text with a copy. Without memory it becomes empty, as what it was
 * is no longer true, and the result is false. */
bool aper__text_set(char **text, const char *value);

#endif
