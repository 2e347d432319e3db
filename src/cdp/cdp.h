/* SPDX-License-Identifier: Apache-2.0 */
/* The Chrome DevTools Protocol over one connection, and how to get one: the
 * launcher and the discovery of running browsers. */
#ifndef APER_CDP_H
#define APER_CDP_H

#include "wire/wire.h"

#include <jansson.h>

/* A connection that speaks CDP. Counted. session "" is the browser itself. */
typedef struct aper__cdp aper__cdp;

/* Called on the I/O thread, without any lock held. params is borrowed and
 * never NULL. Nothing arrives before the first command was sent. closed comes
 * exactly once and last, after every pending call was ended with the same
 * status; if opening fails it never comes. */
typedef struct aper__cdp_events {
    void (*event)(void *userdata, const char *session, const char *method,
                  json_t *params);
    void (*closed)(void *userdata, aper_status why, const char *detail);
} aper__cdp_events;

/* How to reach a browser: one of the three. */
typedef struct aper__cdp_target {
    const aper__wire_target *websocket;
    int pipe_fd; /* when websocket and replay are NULL; taken */
    const char *replay;
} aper__cdp_target;

/* Connects and waits until the connection is open. */
aper_status aper__cdp_open(const aper__cdp_target *target,
                           const aper__cdp_events *events, void *userdata,
                           aper__op *op, aper__cdp **ret_cdp,
                           aper_error **ret_error);
aper__cdp *aper__cdp_ref(aper__cdp *cdp);
/* An open connection keeps itself alive: end it by one of the next two. */
void aper__cdp_unref(aper__cdp *cdp);
/* Begins to close; pending calls end with CLOSED. */
void aper__cdp_close(aper__cdp *cdp);
/* Closes, and waits until closed was delivered; not on the I/O thread. */
void aper__cdp_shutdown(aper__cdp *cdp);

/* Sends a command and waits for its answer, the op's deadline or its
 * interrupt. params is stolen, also on failure; NULL is {}. *ret_result is an
 * object owned by the caller; ret_result may be NULL. REMOTE when the browser
 * refuses, TOO_BIG when the answer is nested over 512. method goes into the
 * message as it is: a literal. */
aper_status aper__cdp_call(aper__cdp *cdp, const char *session,
                           const char *method, json_t *params, aper__op *op,
                           json_t **ret_result, aper_error **ret_error);

/* Sends without waiting. reply is called exactly once unless sending fails, on
 * the I/O thread: with a borrowed result, or status and message. timeout_ms 0
 * is 30,000. reply may be NULL. */
typedef void aper__cdp_reply(void *userdata, aper_status status,
                             json_t *result, const char *message);
aper_status aper__cdp_send(aper__cdp *cdp, const char *session,
                           const char *method, json_t *params,
                           uint32_t timeout_ms, aper__cdp_reply *reply,
                           void *userdata);

/* Two or more commands on one round trip: begin each, then finish each. */
typedef struct aper__cdp_pending aper__cdp_pending;
aper_status aper__cdp_begin(aper__cdp *cdp, const char *session,
                            const char *method, json_t *params, aper__op *op,
                            aper__cdp_pending **ret_pending,
                            aper_error **ret_error);
/* Waits as aper__cdp_call does and frees pending, whatever the outcome. */
aper_status aper__cdp_finish(aper__cdp_pending *pending,
                             json_t **ret_result, aper_error **ret_error);

/* Ends every pending call of the session with status; later calls on it fail
 * with the same status until aper__cdp_revive_session(), which also is how to
 * forget a session that is never used again. */
void aper__cdp_fail_session(aper__cdp *cdp, const char *session,
                            aper_status status, const char *detail);
void aper__cdp_revive_session(aper__cdp *cdp, const char *session);

/* Writes all that passes from now on, both ways, to a new file that
 * aper__wire_open_replay() can play. Before the first command. */
aper_status aper__cdp_record(aper__cdp *cdp, const char *path);

/* Parses a message of the wire; NULL if it is not JSON. What a page can bring
 * about must not end the connection: lone surrogates and NULs in strings
 * become U+FFFD, integers beyond 64 bits reals, of two equal keys the last one
 * counts, what is nested over 512 is emptied and *ret_cut says so. data is
 * UTF-8 with a NUL behind size, and is changed. */
json_t *aper__cdp_parse(char *data, size_t size, bool *ret_cut);
/* Appends value as JSON without blanks; of any type. */
void aper__json_write(aper__buf *out, json_t *value);
void aper__json_write_string(aper__buf *out, const char *text);

/* Reading answers: missing or of another type gives the fallback. */
const char *aper__json_string(json_t *object, const char *key); /* else "" */
int64_t aper__json_int(json_t *object, const char *key, int64_t fallback);
double aper__json_number(json_t *object, const char *key, double fallback);
bool aper__json_bool(json_t *object, const char *key);
json_t *aper__json_get(json_t *object, const char *path); /* "a.b.c" */

/* A browser started by this process. */
typedef struct aper__launch aper__launch;

/* Starts one and waits until it can be connected to. One thread that lives as
 * long as the browser forks it, so that PR_SET_PDEATHSIG means the process;
 * a marker file in the private profile makes the reaper of a later process
 * find what a killed one left. */
aper_status aper__launch_start(const aper_launch_options *options,
                               aper__op *op, aper__launch **ret_launch,
                               aper_error **ret_error);
/* The address of the browser's endpoint, or NULL over a pipe. */
const char *aper__launch_endpoint(const aper__launch *launch);
/* The descriptor of the pipe, once; -1 over a port. */
int aper__launch_take_pipe(aper__launch *launch);
int64_t aper__launch_pid(const aper__launch *launch);
/* When connecting to a browser that was just started failed with status and
 * ret_error: if the browser has ended, that is the reason, and what becomes of
 * both (LAUNCH, SANDBOX, IN_USE). That and TIMEOUT quote its last output. */
aper_status aper__launch_explain(aper__launch *launch, aper_status status,
                                 aper_error **ret_error);
/* The last lines that the browser wrote to stderr, for an error message. */
void aper__launch_append_output(aper__launch *launch, aper__buf *out);
/* Waits half of grace_ms for the browser to end by itself (after Browser.close),
 * half of it after SIGTERM, then kills its process group; reaps it, removes the
 * private profile. */
void aper__launch_stop(aper__launch *launch, uint32_t grace_ms);
/* Frees; stops first if needed. NULL is allowed. */
void aper__launch_free(aper__launch *launch);
/* Removes profiles, and kills browsers, that a dead process of this user left
 * behind; only trees with a marker that matches pid and start time. */
void aper__launch_reap_orphans(void);
/* The same for private directories of another kind: those in base whose names
 * begin with prefix. */
void aper__launch_reap(const char *base, const char *prefix);
/* Marks a private directory as one of this process. */
aper_status aper__marker_create(const char *directory);
/* Removes a private directory, its marker last: what could not be removed
 * stays marked. */
bool aper__marker_remove(int base, const char *name);

/* Turns what aper_browser_attach() accepts into a ws:// or wss:// address. */
aper_status aper__discover(const char *endpoint,
                           const aper__wire_target *how, aper__op *op,
                           char **ret_url, aper_error **ret_error);
/* Parses DevToolsActivePort; false if malformed. */
bool aper__discover_parse_port_file(const char *data, size_t size,
                                    uint16_t *ret_port, char *ret_path,
                                    size_t path_size);

#endif
