/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define HEAD_MAX 16384

struct hit {
    struct hit *next;
    unsigned count;
    char path[];
};

struct connection {
    struct connection *next;
    site *server;
    int fd;
};

struct site {
    char *dir;
    int listener;
    int port;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t idle;
    struct hit *hits;
    struct connection *connections;
    bool stopping;
};

static void die(const char *what)
{
    perror(what);
    abort();
}

static void *need(void *memory)
{
    if (memory == NULL)
        die("memory");
    return memory;
}

/* ---- answers ------------------------------------------------------------- */

static void write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        at += sent;
        size -= (size_t)sent;
    }
}

static void answer(int fd, int status, const char *type, const char *extra,
                   const void *body, size_t size)
{
    char head[1024];
    int length = snprintf(head, sizeof(head),
                          "HTTP/1.1 %d Status\r\nConnection: close\r\n"
                          "Cache-Control: no-store\r\n"
                          "Content-Type: %s\r\nContent-Length: %zu\r\n%s\r\n",
                          status, type, size, extra);
    write_all(fd, head, (size_t)length);
    write_all(fd, body, size);
}

static void answer_text(int fd, int status, const char *text)
{
    answer(fd, status, "text/plain; charset=utf-8", "", text, strlen(text));
}

static void redirect(int fd, const char *to)
{
    char extra[640];
    snprintf(extra, sizeof(extra), "Location: %s\r\n", to);
    answer(fd, 302, "text/plain", extra, "", 0);
}

/* The value of a parameter of the query, or fallback. */
static void param(const char *query, const char *name, const char *fallback,
                  char *out, size_t size)
{
    size_t length = strlen(name);
    const char *at = query;
    while (at != NULL && *at != '\0') {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            at += length + 1;
            size_t i = 0;
            while (at[i] != '\0' && at[i] != '&' && i + 1 < size) {
                out[i] = at[i];
                i++;
            }
            out[i] = '\0';
            return;
        }
        at = strchr(at, '&');
        if (at != NULL)
            at++;
    }
    snprintf(out, size, "%s", fallback);
}

static long number(const char *query, const char *name, const char *fallback)
{
    char text[32];
    param(query, name, fallback, text, sizeof(text));
    return strtol(text, NULL, 10);
}

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        { ".html", "text/html; charset=utf-8" },
        { ".js", "text/javascript" },
        { ".css", "text/css" },
        { ".json", "application/json" },
        { ".png", "image/png" },
        { ".svg", "image/svg+xml" },
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]);
         i++) {
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    }
    return "application/octet-stream";
}

static void answer_file(site *server, int fd, const char *path)
{
    char name[1024];
    snprintf(name, sizeof(name), "%s%s", server->dir, path);
    FILE *file = strstr(path, "..") == NULL ? fopen(name, "rbe") : NULL;
    if (file == NULL) {
        answer(fd, 404, "text/html", "", "<title>Not found</title>", 24);
        return;
    }
    size_t size = 0;
    char *body = NULL;
    size_t got;
    do {
        body = need(realloc(body, size + 65536));
        got = fread(body + size, 1, 65536, file);
        size += got;
    } while (got > 0);
    fclose(file);
    answer(fd, 200, type_of(path), "", body, size);
    free(body);
}

static void answer_redirect(int fd, const char *query)
{
    char to[256];
    char next[512];
    param(query, "to", "/blank.html", to, sizeof(to));
    long left = number(query, "n", "1");
    if (left > 1) {
        snprintf(next, sizeof(next), "/redirect?n=%ld&to=%s", left - 1, to);
        redirect(fd, next);
    } else {
        redirect(fd, to);
    }
}

/* Until the client leaves or the site stops: then the socket is shut down. */
static void wait_end(int fd)
{
    char byte[64];
    ssize_t got;
    do {
        got = recv(fd, byte, sizeof(byte), 0);
    } while (got > 0 || (got < 0 && errno == EINTR));
}

static void answer_download(int fd, const char *query)
{
    char name[256];
    char head[640];
    param(query, "name", "file.bin", name, sizeof(name));
    long size = number(query, "size", "16");
    bool stall = number(query, "stall", "0") != 0;
    char *body = need(malloc(size > 0 ? (size_t)size : 1));
    memset(body, 'x', (size_t)size);
    int length = snprintf(
        head, sizeof(head), "HTTP/1.1 200 OK\r\nConnection: close\r\n"
        "Content-Type: application/octet-stream\r\nContent-Length: %ld\r\n"
        "Content-Disposition: attachment; filename=\"%s\"\r\n\r\n",
        stall ? size + 1 : size, name);
    write_all(fd, head, (size_t)length);
    write_all(fd, body, (size_t)size);
    free(body);
    if (stall)
        wait_end(fd);
}

static void answer_slow(site *server, int fd, const char *query)
{
    char to[256];
    long ms = number(query, "ms", "500");
    param(query, "to", "/blank.html", to, sizeof(to));
    struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&time, NULL);
    answer_file(server, fd, to);
}

static void answer_events(int fd)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: "
                               "text/event-stream\r\nCache-Control: "
                               "no-store\r\n\r\ndata: hello\n\n";
    write_all(fd, head, sizeof(head) - 1);
    wait_end(fd);
}

static void reset(int fd)
{
    struct linger linger = { 1, 0 };
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static void serve_path(site *server, int fd, const char *path,
                       const char *query, const char *head)
{
    if (strcmp(path, "/redirect") == 0)
        answer_redirect(fd, query);
    else if (strcmp(path, "/status") == 0)
        answer(fd, (int)number(query, "code", "200"), "text/html", "", "", 0);
    else if (strcmp(path, "/download") == 0)
        answer_download(fd, query);
    else if (strcmp(path, "/slow") == 0)
        answer_slow(server, fd, query);
    else if (strcmp(path, "/hang") == 0)
        wait_end(fd);
    else if (strcmp(path, "/reset") == 0)
        reset(fd);
    else if (strcmp(path, "/headers") == 0)
        answer_text(fd, 200, head);
    else if (strcmp(path, "/events") == 0)
        answer_events(fd);
    else
        answer_file(server, fd, path);
}

/* ---- connections --------------------------------------------------------- */

static void count_hit(site *server, const char *path)
{
    pthread_mutex_lock(&server->lock);
    struct hit *hit = server->hits;
    while (hit != NULL && strcmp(hit->path, path) != 0)
        hit = hit->next;
    if (hit == NULL) {
        hit = need(calloc(1, sizeof(*hit) + strlen(path) + 1));
        strcpy(hit->path, path);
        hit->next = server->hits;
        server->hits = hit;
    }
    hit->count++;
    pthread_mutex_unlock(&server->lock);
}

static bool read_head(int fd, char *head)
{
    size_t size = 0;
    while (size < HEAD_MAX - 1) {
        ssize_t got = recv(fd, head + size, HEAD_MAX - 1 - size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        size += (size_t)got;
        head[size] = '\0';
        if (strstr(head, "\r\n\r\n") != NULL)
            return true;
    }
    return false;
}

static void serve(site *server, int fd)
{
    char head[HEAD_MAX];
    char path[2048];
    if (!read_head(fd, head) || sscanf(head, "%*s %2047s", path) != 1)
        return;
    char *query = strchr(path, '?');
    if (query != NULL)
        *query++ = '\0';
    count_hit(server, path);
    serve_path(server, fd, path, query != NULL ? query : "", head);
}

static void *run_connection(void *arg)
{
    struct connection *self = arg;
    site *server = self->server;
    serve(server, self->fd);
    pthread_mutex_lock(&server->lock);
    struct connection **link = &server->connections;
    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
    close(self->fd);
    free(self);
    pthread_cond_broadcast(&server->idle);
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static void accept_one(site *server, int fd)
{
    struct connection *added = need(calloc(1, sizeof(*added)));
    added->server = server;
    added->fd = fd;
    pthread_mutex_lock(&server->lock);
    added->next = server->connections;
    server->connections = added;
    pthread_mutex_unlock(&server->lock);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, run_connection, added) != 0)
        die("pthread_create");
    pthread_attr_destroy(&attributes);
}

static void *run_listener(void *arg)
{
    site *server = arg;
    for (;;) {
        int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        pthread_mutex_lock(&server->lock);
        bool stopping = server->stopping;
        pthread_mutex_unlock(&server->lock);
        if (stopping) {
            if (fd >= 0)
                close(fd);
            return NULL;
        }
        if (fd >= 0)
            accept_one(server, fd);
    }
}

/* ---- public -------------------------------------------------------------- */

site *site_start(const char *dir)
{
    site *server = need(calloc(1, sizeof(*server)));
    server->dir = need(strdup(dir));
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->idle, NULL);
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = { .sin_family = AF_INET };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (server->listener < 0
        || bind(server->listener, (struct sockaddr *)&address, size) != 0
        || listen(server->listener, 64) != 0
        || getsockname(server->listener, (struct sockaddr *)&address, &size)
            != 0)
        die("site");
    server->port = ntohs(address.sin_port);
    if (pthread_create(&server->thread, NULL, run_listener, server) != 0)
        die("pthread_create");
    return server;
}

void site_stop(site *server)
{
    if (server == NULL)
        return;
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    shutdown(server->listener, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->thread, NULL);
    pthread_mutex_lock(&server->lock);
    for (struct connection *each = server->connections; each != NULL;
         each = each->next)
        shutdown(each->fd, SHUT_RDWR);
    while (server->connections != NULL)
        pthread_cond_wait(&server->idle, &server->lock);
    pthread_mutex_unlock(&server->lock);
    close(server->listener);
    while (server->hits != NULL) {
        struct hit *hit = server->hits;
        server->hits = hit->next;
        free(hit);
    }
    pthread_cond_destroy(&server->idle);
    pthread_mutex_destroy(&server->lock);
    free(server->dir);
    free(server);
}

char *site_url(site *server, const char *host, const char *path)
{
    char *url = NULL;
    if (asprintf(&url, "http://%s:%d%s", host != NULL ? host : "127.0.0.1",
                 server->port, path)
        < 0)
        die("asprintf");
    return url;
}

unsigned site_hits(site *server, const char *path)
{
    unsigned count = 0;
    pthread_mutex_lock(&server->lock);
    for (struct hit *hit = server->hits; hit != NULL; hit = hit->next) {
        if (strcmp(hit->path, path) == 0)
            count = hit->count;
    }
    pthread_mutex_unlock(&server->lock);
    return count;
}
