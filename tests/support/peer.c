/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"
#include "peer_tls.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS_MAX 256
#define HEAD_MAX 65536
#define GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

enum { OP_CONTINUATION = 0, OP_TEXT = 1, OP_CLOSE = 8, OP_PING = 9,
       OP_PONG = 10 };

typedef struct conn {
    peer *server;
    pthread_t thread;
    int fd;
    SSL *ssl;
} conn;

struct peer {
    peer_options options;
    peer_tls *tls;
    int fd;
    uint16_t port;
    pthread_t thread;
    pthread_mutex_t lock; /* for all below */
    bool stopping;
    conn conns[CONNECTIONS_MAX];
    unsigned count;
    unsigned odd_frames;
    char *request;
};

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    abort();
}

static bool read_some(conn *c, void *data, size_t size, size_t *ret_got)
{
    ssize_t got = c->ssl ? SSL_read(c->ssl, data, (int)size)
                         : recv(c->fd, data, size, 0);
    *ret_got = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static bool read_all(conn *c, void *data, size_t size)
{
    for (size_t at = 0, got; at < size; at += got) {
        size_t part = size - at < 1 << 20 ? size - at : 1 << 20;
        if (!read_some(c, (char *)data + at, part, &got))
            return false;
    }
    return true;
}

static bool write_all(conn *c, const void *data, size_t size, size_t step)
{
    if (step == 0)
        step = 1 << 20;
    for (size_t at = 0; at < size;) {
        size_t part = size - at < step ? size - at : step;
        ssize_t got = c->ssl ? SSL_write(c->ssl, (const char *)data + at,
                                         (int)part)
                             : send(c->fd, (const char *)data + at, part,
                                    MSG_NOSIGNAL);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

/* Reads up to the empty line; the caller frees. */
static char *read_head(conn *c)
{
    char *head = calloc(1, HEAD_MAX);
    size_t size = 0;
    while (size < HEAD_MAX - 1 && read_all(c, head + size, 1)) {
        size++;
        if (size >= 4 && memcmp(head + size - 4, "\r\n\r\n", 4) == 0)
            return head;
    }
    free(head);
    return NULL;
}

static bool upgrade(conn *c, const char *head)
{
    const char *key = strcasestr(head, "\r\nSec-WebSocket-Key: ");
    char text[128], answer[512];
    unsigned char digest[EVP_MAX_MD_SIZE], accept[64];
    unsigned digest_size;
    if (!key)
        return false;
    snprintf(text, sizeof text, "%.24s" GUID, key + 21);
    EVP_Digest(text, strlen(text), digest, &digest_size, EVP_sha1(), NULL);
    EVP_EncodeBlock(accept, digest, (int)digest_size);
    int size = snprintf(answer, sizeof answer,
                        "HTTP/1.1 101 Switching Protocols\r\n"
                        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Accept: %s\r\n\r\n", accept);
    return write_all(c, answer, (size_t)size, 0);
}

static size_t frame_header(unsigned char *out, unsigned first, size_t size)
{
    out[0] = (unsigned char)first;
    if (size < 126) {
        out[1] = (unsigned char)size;
        return 2;
    }
    size_t bytes = size < 65536 ? 2 : 8;
    out[1] = bytes == 2 ? 126 : 127;
    for (size_t i = 0; i < bytes; i++)
        out[2 + i] = (unsigned char)(size >> 8 * (bytes - 1 - i));
    return 2 + bytes;
}

static bool write_message(conn *c, const char *data, size_t size)
{
    const peer_options *options = &c->server->options;
    size_t fragment = options->fragment ? options->fragment : size;
    size_t at = 0;
    /* Batched, so that one-byte fragments do not mean as many calls. */
    char *batch = malloc(size + (size / (fragment ? fragment : 1) + 2) * 14);
    size_t filled = 0;
    do {
        size_t part = size - at < fragment ? size - at : fragment;
        unsigned first = (at == 0 ? OP_TEXT : OP_CONTINUATION)
                         | (at + part == size ? 0x80 : 0);
        filled += frame_header((unsigned char *)batch + filled, first, part);
        memcpy(batch + filled, data + at, part);
        filled += part;
        at += part;
    } while (at < size);
    bool ok = write_all(c, batch, filled, options->dribble);
    free(batch);
    return ok;
}

/* Reads one frame; *ret_data is to be freed. */
static bool read_frame(conn *c, unsigned *ret_first, char **ret_data,
                       size_t *ret_size)
{
    unsigned char head[14];
    if (!read_all(c, head, 2))
        return false;
    size_t size = head[1] & 0x7F;
    size_t extra = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (extra) {
        if (!read_all(c, head + 2, extra))
            return false;
        size = 0;
        for (size_t i = 0; i < extra; i++)
            size = size << 8 | head[2 + i];
    }
    unsigned char mask[4];
    check(head[1] & 0x80, "a client must mask");
    if (!read_all(c, mask, 4))
        return false;
    char *data = malloc(size + 1);
    check(data != NULL, "memory");
    if (!read_all(c, data, size)) {
        free(data);
        return false;
    }
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(data[i] ^ mask[i & 3]);
    data[size] = '\0';
    *ret_first = head[0];
    *ret_data = data;
    *ret_size = size;
    return true;
}

static bool handle_frame(conn *c, unsigned first, char *data, size_t size)
{
    peer *server = c->server;
    switch (server->options.kind) {
    case PEER_PINGS:
        if ((first & 0xF) == OP_PONG && strcmp(data, "abc") == 0)
            return write_message(c, "ponged", 6);
        return true;
    case PEER_DROPS:
        write_all(c, "\x81\x7E\x10\x00half", 8, 0);
        return false;
    default:
        break;
    }
    if ((first & 0xF) == OP_CLOSE)
        return false;
    if (first == (0x80 | OP_PING)) {
        unsigned char head[14];
        size_t head_size = frame_header(head, 0x80 | OP_PONG, size);
        return write_all(c, head, head_size, 0)
               && write_all(c, data, size, 0);
    }
    if (first != (0x80 | OP_TEXT)) {
        pthread_mutex_lock(&server->lock);
        server->odd_frames++;
        pthread_mutex_unlock(&server->lock);
    }
    return server->options.kind != PEER_ECHO
           || write_message(c, data, size);
}

/* Until the other side ends or peer_stop() does. */
static void linger(conn *c)
{
    char byte;
    while (recv(c->fd, &byte, 1, 0) > 0)
        ;
}

static void talk(conn *c)
{
    const peer_options *options = &c->server->options;
    size_t raw_size = options->raw_size ? options->raw_size
                      : options->raw    ? strlen(options->raw) : 0;
    unsigned first;
    char *data;
    size_t size;
    switch (options->kind) {
    case PEER_DEAF:
        for (;;) {
            pthread_mutex_lock(&c->server->lock);
            bool stopping = c->server->stopping;
            pthread_mutex_unlock(&c->server->lock);
            if (stopping)
                return;
            usleep(10000);
        }
    case PEER_RAW:
        write_all(c, options->raw, raw_size, 0);
        linger(c);
        return;
    case PEER_PINGS:
        write_all(c, "\x89\x03" "abc", 5, 0);
        break;
    default:
        break;
    }
    while (read_frame(c, &first, &data, &size)) {
        bool go_on = handle_frame(c, first, data, size);
        free(data);
        if (!go_on)
            return;
    }
}

static void serve(conn *c)
{
    peer *server = c->server;
    const peer_options *options = &server->options;
    if (options->kind == PEER_HANGS_UP)
        return;
    if (server->tls && !(c->ssl = peer_tls_accept(server->tls, c->fd)))
        return;
    char *head = read_head(c);
    if (!head)
        return;
    pthread_mutex_lock(&server->lock);
    free(server->request);
    server->request = strdup(head);
    pthread_mutex_unlock(&server->lock);
    if (options->kind == PEER_SILENT)
        linger(c);
    else if (options->kind == PEER_ANSWERS)
        write_all(c, options->raw,
                  options->raw_size ? options->raw_size
                                    : strlen(options->raw), 0);
    else if (upgrade(c, head))
        talk(c);
    free(head);
}

static void *run_conn(void *arg)
{
    conn *c = arg;
    /* OpenSSL writes without MSG_NOSIGNAL. */
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    serve(c);
    if (c->ssl) {
        SSL_shutdown(c->ssl);
        SSL_free(c->ssl);
    }
    shutdown(c->fd, SHUT_RDWR);
    return NULL;
}

static void *run_accept(void *arg)
{
    peer *server = arg;
    for (;;) {
        int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return NULL;
        pthread_mutex_lock(&server->lock);
        check(server->count < CONNECTIONS_MAX, "too many connections");
        conn *c = &server->conns[server->count++];
        *c = (conn){.server = server, .fd = fd};
        pthread_create(&c->thread, NULL, run_conn, c);
        pthread_mutex_unlock(&server->lock);
    }
}

static void listen_on_loopback(peer *server)
{
    struct sockaddr_in four = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6,
                               .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    bool v6 = server->options.ipv6;
    struct sockaddr *address = v6 ? (struct sockaddr *)&six
                                  : (struct sockaddr *)&four;
    socklen_t size = v6 ? sizeof six : sizeof four;
    server->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(server->fd >= 0, "socket");
    check(bind(server->fd, address, size) == 0, "bind");
    check(listen(server->fd, 128) == 0, "listen");
    check(getsockname(server->fd, address, &size) == 0, "getsockname");
    server->port = ntohs(v6 ? six.sin6_port : four.sin_port);
}

peer *peer_start(const peer_options *options)
{
    peer *server = calloc(1, sizeof *server);
    check(server != NULL, "memory");
    server->options = *options;
    pthread_mutex_init(&server->lock, NULL);
    if (options->certificate != PEER_PLAIN)
        server->tls = peer_tls_new(options->certificate);
    listen_on_loopback(server);
    pthread_create(&server->thread, NULL, run_accept, server);
    return server;
}

void peer_drop(peer *server)
{
    pthread_mutex_lock(&server->lock);
    for (unsigned i = 0; i < server->count; i++)
        shutdown(server->conns[i].fd, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
}

void peer_stop(peer *server)
{
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    pthread_mutex_unlock(&server->lock);
    shutdown(server->fd, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    close(server->fd);
    peer_drop(server);
    for (unsigned i = 0; i < server->count; i++) {
        pthread_join(server->conns[i].thread, NULL);
        close(server->conns[i].fd);
    }
    if (server->tls)
        peer_tls_free(server->tls);
    free(server->request);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

uint16_t peer_port(const peer *server)
{
    return server->port;
}

char *peer_url(const peer *server, const char *scheme, const char *host,
               const char *path)
{
    char *url = NULL;
    check(asprintf(&url, "%s://%s:%u%s", scheme, host, server->port, path)
              > 0, "memory");
    return url;
}

const char *peer_ca_file(const peer *server)
{
    return peer_tls_ca_file(server->tls);
}

char *peer_request(peer *server)
{
    pthread_mutex_lock(&server->lock);
    char *request = strdup(server->request ? server->request : "");
    pthread_mutex_unlock(&server->lock);
    return request;
}

unsigned peer_connections(peer *server)
{
    pthread_mutex_lock(&server->lock);
    unsigned count = server->count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

unsigned peer_odd_frames(peer *server)
{
    pthread_mutex_lock(&server->lock);
    unsigned count = server->odd_frames;
    pthread_mutex_unlock(&server->lock);
    return count;
}
