/* SPDX-License-Identifier: Apache-2.0 */
/* A server for tests of the wire, on plain sockets and OpenSSL so that it
 * shares no code and no assumption with the client. A thread per connection. */
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum peer_kind {
    PEER_ECHO, /* WebSocket: sends each message back */
    PEER_DEAF, /* WebSocket: never reads, so never answers a ping */
    PEER_RAW, /* WebSocket: sends raw once it is open, then reads on */
    PEER_PINGS, /* WebSocket: pings, and says "ponged" to the right pong */
    PEER_DROPS, /* WebSocket: half an answer to the first message, then ends */
    PEER_ANSWERS, /* sends raw as the answer to any request, then ends */
    PEER_SILENT, /* reads the request and says nothing */
    PEER_HANGS_UP /* ends without a word */
} peer_kind;

typedef enum peer_certificate {
    PEER_PLAIN, /* no TLS */
    PEER_GOOD, /* for localhost, 127.0.0.1 */
    PEER_OTHER_HOST,
    PEER_EXPIRED
} peer_certificate;

typedef struct peer_options {
    peer_kind kind;
    peer_certificate certificate;
    bool ipv6; /* on ::1 instead of 127.0.0.1 */
    size_t fragment; /* ECHO: payload bytes per frame, 0 for one frame */
    size_t dribble; /* ECHO: bytes per write, 0 for all at once */
    const char *raw;
    size_t raw_size; /* 0: strlen */
} peer_options;

typedef struct peer peer;

peer *peer_start(const peer_options *options);
void peer_stop(peer *server);
uint16_t peer_port(const peer *server);
/* scheme://host:port + path; the caller frees. */
char *peer_url(const peer *server, const char *scheme, const char *host,
               const char *path);
/* PEM file with the authority that signed the certificate. */
const char *peer_ca_file(const peer *server);
/* The head of the last request; the caller frees. */
char *peer_request(peer *server);
unsigned peer_connections(peer *server);
/* Frames that did not carry a whole text message. */
unsigned peer_odd_frames(peer *server);
/* Ends the connections that are open now. */
void peer_drop(peer *server);

#endif
