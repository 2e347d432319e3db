/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of endpoints: taking them apart, and finding the numbers behind
 * host names. */
#include "wire/core.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#define URL_MAX 8192
#define HOST_MAX 253

static bool is_host_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

/* Both return where the text behind goes on, NULL if malformed. */
static const char *parse_host(const char *at, char **ret_host)
{
    const char *end = at;
    if (*at == '[') {
        struct in6_addr unused;
        char literal[INET6_ADDRSTRLEN] = "";
        end = strchr(at, ']');
        if (!end || (size_t)(end - at) > sizeof literal)
            return NULL;
        memcpy(literal, at + 1, (size_t)(end - at) - 1);
        if (inet_pton(AF_INET6, literal, &unused) != 1)
            return NULL;
        *ret_host = aper__strdup(literal);
        return end + 1;
    }
    while (is_host_char(*end))
        end++;
    if (end == at || end - at > HOST_MAX)
        return NULL;
    *ret_host = aper__strndup(at, (size_t)(end - at));
    return end;
}

static const char *parse_port(const char *at, uint16_t *port)
{
    if (*at != ':')
        return at;
    unsigned number = 0;
    const char *end = at + 1;
    for (; *end >= '0' && *end <= '9' && number <= UINT16_MAX; end++)
        number = number * 10 + (unsigned)(*end - '0');
    if (end == at + 1 || number == 0 || number > UINT16_MAX)
        return NULL;
    *port = (uint16_t)number;
    return end;
}

/* The path as it goes into the request line. */
static char *parse_path(const char *at)
{
    size_t size = 0;
    for (; at[size] && at[size] != '#'; size++) {
        if (at[size] <= ' ' || at[size] > '~')
            return NULL;
    }
    aper__buf path = {0};
    if (*at != '/')
        aper__buf_putc(&path, '/');
    aper__buf_append(&path, at, size);
    return aper__buf_take(&path);
}

static char *make_authority(const aper__url *url)
{
    aper__buf text = {0};
    bool six = strchr(url->host, ':') != NULL;
    aper__buf_printf(&text, six ? "[%s]" : "%s", url->host);
    if (url->port != (url->tls ? 443 : 80))
        aper__buf_printf(&text, ":%u", url->port);
    return aper__buf_take(&text);
}

static const char *parse_scheme(const char *text, const char *scheme,
                                bool *ret_tls)
{
    char got[8];
    const char *end = strstr(text, "://");
    if (!end || (size_t)(end - text) >= sizeof got)
        return NULL;
    memcpy(got, text, (size_t)(end - text));
    got[end - text] = '\0';
    size_t plain = strlen(scheme);
    *ret_tls = strlen(got) == plain + 1
               && aper__ascii_caseless_equal(got + plain, "s");
    if (*ret_tls)
        got[plain] = '\0';
    return aper__ascii_caseless_equal(got, scheme) ? end + 3 : NULL;
}

/* APER_E_INVAL if malformed. */
static aper_status parse(aper__url *url, const char *text,
                         const char *scheme)
{
    const char *at = parse_scheme(text, scheme, &url->tls);
    if (!at || strlen(text) > URL_MAX)
        return APER_E_INVAL;
    url->port = url->tls ? 443 : 80;
    at = parse_host(at, &url->host);
    if (!at)
        return APER_E_INVAL;
    at = parse_port(at, &url->port);
    if (!at || (*at && *at != '/' && *at != '?' && *at != '#'))
        return APER_E_INVAL;
    for (const char *c = at; *c; c++) {
        if (*c <= ' ' || *c > '~')
            return APER_E_INVAL;
    }
    url->path = parse_path(at);
    if (url->host)
        url->authority = make_authority(url);
    return url->host && url->path && url->authority ? APER_OK
                                                    : APER_E_NOMEM;
}

aper_status aper__url_parse(aper__url *ret_url, const char *text,
                            const char *scheme, aper_error **ret_error)
{
    aper__url url = {0};
    aper_status status = parse(&url, text, scheme);
    if (status == APER_OK) {
        *ret_url = url;
        return APER_OK;
    }
    aper__url_free(&url);
    if (status == APER_E_NOMEM)
        return aper__error_set(ret_error, status, "out of memory");
    /* Not the address itself: it may carry a token. */
    return aper__error_set(ret_error, status,
                           "the address must be %s://host[:port][/path] or "
                           "%ss://…, of printable ASCII and without a user "
                           "name; credentials go in a header",
                           scheme, scheme);
}

void aper__url_free(aper__url *url)
{
    aper__dealloc(url->host);
    aper__dealloc(url->authority);
    aper__dealloc(url->path);
    *url = (aper__url){0};
}

static void add_address(aper__addresses *list, const char *text, bool local)
{
    if (list->count == APER__ADDRESSES_MAX)
        return;
    size_t size = strlen(text);
    if (size >= sizeof list->text[0])
        return;
    memcpy(list->text[list->count++], text, size + 1);
    list->local = list->local && local;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const void *)address;
        return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *six = (const void *)address;
    return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* RFC 6761: the name means this machine whatever a name server says. */
static bool is_localhost(const char *host)
{
    size_t size = strlen(host);
    const char *name = "localhost";
    if (size > 10 && host[size - 10] == '.')
        host += size - 9;
    return aper__ascii_caseless_equal(host, name);
}

aper_status aper__resolve(aper__addresses *ret_addresses, const char *host,
                          aper_error **ret_error)
{
    aper__addresses list = {.local = true};
    if (is_localhost(host)) {
        add_address(&list, "127.0.0.1", true);
        add_address(&list, "::1", true);
        *ret_addresses = list;
        return APER_OK;
    }
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    int failure = getaddrinfo(host, NULL, &hints, &found);
    for (const struct addrinfo *at = found; at; at = at->ai_next) {
        char text[NI_MAXHOST];
        if ((at->ai_family == AF_INET || at->ai_family == AF_INET6)
            && getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof text,
                           NULL, 0, NI_NUMERICHOST) == 0)
            add_address(&list, text, is_loopback(at->ai_addr));
    }
    if (found)
        freeaddrinfo(found);
    if (list.count == 0)
        return aper__error_set(ret_error, APER_E_CONNECT,
                               "the host name %s has no address: %s", host,
                               failure ? gai_strerror(failure) : "none");
    *ret_addresses = list;
    return APER_OK;
}
