/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this directory share; nobody else includes it. */
#ifndef APER_WIRE_CORE_H
#define APER_WIRE_CORE_H

#include "wire/wire.h"

#include <libwebsockets.h>

/* Limits that tests lower; the I/O thread and senders read them. */
typedef struct aper__wire_limits {
    size_t message_max;
    size_t queue_max;
    /* Silence until a remote peer is pinged, and until it is taken for dead;
     * here, since lws keeps the pointer longer than a connection lives. */
    lws_retry_bo_t idle;
    bool ping_local; /* ping loopback peers as well */
} aper__wire_limits;
extern aper__wire_limits aper__wire_limit;

/* Work for the I/O thread that needs no memory when it is handed in. One task
 * must not be handed in again before it has begun to run. */
typedef struct aper__io_task {
    void (*fn)(void *arg);
    void *arg;
    struct aper__io_task *next;
} aper__io_task;
void aper__io_submit(aper__io_task *task);
/* The same, but it may take two milliseconds until a thread comes for it, if
 * none comes that waits. */
void aper__io_submit_soon(aper__io_task *task);
/* For a callback of lws that only comes after waiting for events: what it hands
 * in is seen without an alert. */
void aper__io_polled(void);

/* For whoever leads. A virtual host carries the TLS settings: NULL and
 * tls for the system's certificates. NULL when it cannot be made. */
struct lws_context *aper__io_context(void);
struct lws_vhost *aper__io_vhost(bool tls, const char *ca_file);
/* Holding from whoever leads, where release may not wait. */
void aper__io_hold(void);
void aper__io_drop(void);

/* The parts of a ws, wss, http or https address. */
typedef struct aper__url {
    bool tls;
    uint16_t port;
    char *host; /* IPv6 without brackets */
    char *authority; /* for the Host header */
    char *path; /* with the query, without the fragment */
} aper__url;
/* scheme is "ws" or "http"; the address may have it or its secure form. */
aper_status aper__url_parse(aper__url *ret_url, const char *text,
                            const char *scheme, aper_error **ret_error);
void aper__url_free(aper__url *url);

/* Numeric addresses to try in turn. */
#define APER__ADDRESSES_MAX 8
typedef struct aper__addresses {
    char text[APER__ADDRESSES_MAX][64];
    unsigned count;
    bool local; /* all are loopback */
} aper__addresses;
aper_status aper__resolve(aper__addresses *ret_addresses, const char *host,
                          aper_error **ret_error);

/* One request to a server, up to the answer: tries the addresses in turn,
 * adds the headers, and says what went wrong. Lives in the struct of whoever
 * makes it. After aper__client_init all is done on the I/O thread. */
typedef struct aper__client aper__client;
struct aper__client {
    aper__url url;
    aper__addresses addresses;
    char **headers; /* NULL-terminated, checked */
    char *bearer_token;
    char *ca_file;
    const char *method; /* NULL for a WebSocket */
    const char *protocol; /* of lws */
    const lws_retry_bo_t *idle_policy; /* static */
    /* Called once if there is no connection to be had. */
    void (*failed)(aper__client *client, aper_status why, const char *detail);
    struct lws *wsi;
    unsigned next_address;
    int64_t deadline_ms;
    lws_sorted_usec_list_t timer;
    aper__io_task retry;
    bool connected; /* TCP stands */
    bool asked; /* the request was sent */
    bool answered;
    bool over; /* failed was called, or nobody wants to know */
    int verify_error; /* X509_V_ERR_..., 0 if none */
};
aper_status aper__client_init(aper__client *client,
                              const aper__wire_target *target,
                              const char *scheme, aper_error **ret_error);
void aper__client_start(aper__client *client);
/* What both protocols answer in the same way; true if it was that. */
bool aper__client_callback(aper__client *client, struct lws *wsi,
                           enum lws_callback_reasons reason, void *user,
                           void *in, size_t size, int *ret_result);
/* The wanted answer is there: no failure will come any more. */
void aper__client_answered(aper__client *client);
/* Lets go of the lws connection; no callback will find client again. */
void aper__client_detach(aper__client *client);
/* The same, and closes it; not inside a callback of lws. */
void aper__client_close(aper__client *client);
void aper__client_free(aper__client *client);

int aper__websocket_callback(struct lws *wsi,
                             enum lws_callback_reasons reason, void *user,
                             void *in, size_t size);
int aper__http_callback(struct lws *wsi, enum lws_callback_reasons reason,
                        void *user, void *in, size_t size);
int aper__pipe_callback(struct lws *wsi, enum lws_callback_reasons reason,
                        void *user, void *in, size_t size);
#define APER__PROTOCOL_WEBSOCKET "aperture-websocket"
#define APER__PROTOCOL_HTTP "aperture-http"
#define APER__PROTOCOL_PIPE "aperture-pipe"

/* A message that waits to be sent. LWS_PRE bytes before bytes are free for the
 * header, one NUL follows. */
typedef struct aper__outgoing {
    struct aper__outgoing *next;
    size_t size;
    unsigned char room[LWS_PRE];
    unsigned char bytes[];
} aper__outgoing;

/* What a kind of connection does; all on the I/O thread. */
typedef struct aper__wire_kind {
    void (*start)(aper__wire *wire);
    void (*flush)(aper__wire *wire); /* something waits to be sent */
    void (*stop)(aper__wire *wire); /* let go of everything outside */
    void (*free)(aper__wire *wire); /* any thread */
} aper__wire_kind;

/* The part that is common to all kinds, at the start of each. */
struct aper__wire {
    const aper__wire_kind *kind;
    aper__wire_events events;
    void *userdata;
    aper__refs refs; /* one of the user, one of the I/O thread */
    aper__io_task life_task; /* the start; later the end */
    aper__io_task flush_task;
    aper__io_task close_task;
    pthread_mutex_t lock; /* for all below */
    aper__outgoing *first;
    aper__outgoing **last;
    size_t waiting; /* bytes, with those under way */
    bool flushing; /* flush_task is handed in */
    bool closing; /* close_task is handed in */
    bool opened; /* the I/O thread only */
    aper_status why; /* what it closed with; APER_OK before */
};

/* Fills in wire and hands in its start; takes the user's and the I/O thread's
 * reference. The I/O thread must be held, the hold passes to wire. */
void aper__wire_begin(aper__wire *wire, const aper__wire_kind *kind,
                      const aper__wire_events *events, void *userdata);
/* These are for the I/O thread. */
/* Has flush called soon, outside of any callback of lws. */
void aper__wire_flush_later(aper__wire *wire);
void aper__wire_opened(aper__wire *wire);
/* False when wire has ended. data[size] is NUL. */
bool aper__wire_deliver(aper__wire *wire, char *data, size_t size);
/* Takes the next message to send; NULL if none. */
aper__outgoing *aper__wire_take(aper__wire *wire);
/* size bytes that were taken have left. */
void aper__wire_sent(aper__wire *wire, size_t size);
/* Stops, drops the queue, tells the user; once. */
void aper__wire_end(aper__wire *wire, aper_status why, const char *detail);

/* Parses a recording and forgets it. */
aper_status aper__replay_check(const char *data, size_t size);

#endif
