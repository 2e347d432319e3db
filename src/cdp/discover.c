/* SPDX-License-Identifier: Apache-2.0 */
/* From what people call a browser to the address of its endpoint. */
#include "cdp/launch.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define VERSION_PATH "/json/version"

/* ---- the port file ----------------------------------------------------------- */

static bool parse_port(const char *text, size_t size, uint16_t *ret_port)
{
    unsigned port = 0;
    if (size == 0 || size > 5)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        port = port * 10 + (unsigned)(text[i] - '0');
    }
    *ret_port = (uint16_t)port;
    return port > 0 && port <= UINT16_MAX;
}

static size_t line_length(const char *data, size_t size)
{
    const char *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : size;
    return length > 0 && data[length - 1] == '\r' ? length - 1 : length;
}

bool aper__discover_parse_port_file(const char *data, size_t size,
                                    uint16_t *ret_port, char *ret_path,
                                    size_t path_size)
{
    const char *end = size ? memchr(data, '\n', size) : NULL;
    uint16_t port;
    if (!end || !parse_port(data, line_length(data, size), &port))
        return false;
    const char *path = end + 1;
    size_t rest = size - (size_t)(path - data);
    size_t length = rest ? line_length(path, rest) : 0;
    if (length == 0 || length >= path_size || *path != '/')
        return false;
    for (size_t i = 0; i < length; i++)
        if (path[i] <= ' ' || path[i] > '~')
            return false;
    *ret_port = port;
    memcpy(ret_path, path, length);
    ret_path[length] = '\0';
    return true;
}

static aper_status from_directory(const char *directory, char **ret_url,
                                  aper_error **ret_error)
{
    aper_status status = aper__launch_read_port(directory, ret_url);
    if (status == APER_E_NOT_FOUND)
        return aper__error_set(
            ret_error, status,
            "%s has no " APER__PORT_FILE ": no browser with remote debugging "
            "runs on this profile", directory);
    if (status != APER_OK)
        return aper__error_set(ret_error, status, "%s/" APER__PORT_FILE
                               " is malformed", directory);
    return APER_OK;
}

/* ---- /json/version ------------------------------------------------------------ */

static bool has_scheme(const char *url, const char *scheme)
{
    return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

/* Behind "scheme://". */
static const char *authority(const char *url)
{
    const char *at = strstr(url, "://");
    return at ? at + 3 : url;
}

/* A browser names itself by the address it listens on; where it was reached,
 * by a forwarded port or a proxy, is what works for us. */
static char *rewrite(const char *base, const char *answer)
{
    aper__buf url = {0};
    const char *host = authority(base);
    const char *path = authority(answer);
    path += strcspn(path, "/");
    aper__buf_puts(&url, has_scheme(base, "https:") ? "wss://" : "ws://");
    aper__buf_append(&url, host, strcspn(host, "/?#"));
    aper__buf_puts(&url, *path ? path : "/");
    return aper__buf_take(&url);
}

/* The query stays behind the path: grids put their tokens there. */
static char *version_url(const char *base)
{
    aper__buf url = {0};
    const char *host = authority(base);
    size_t path_end = (size_t)(host - base) + strcspn(host, "?#");
    size_t tail = sizeof VERSION_PATH - 1;
    while (path_end > (size_t)(host - base) && base[path_end - 1] == '/')
        path_end--;
    aper__buf_append(&url, base, path_end);
    if (path_end < tail
        || strncmp(base + path_end - tail, VERSION_PATH, tail) != 0)
        aper__buf_puts(&url, VERSION_PATH);
    const char *query = host + strcspn(host, "?#");
    aper__buf_append(&url, query, strcspn(query, "#"));
    return aper__buf_take(&url);
}

static aper_status read_version(const char *base, aper__buf *body,
                                char **ret_url, aper_error **ret_error)
{
    bool cut;
    aper_status status = APER_OK;
    bool text = body->data && aper__utf8_is_valid(body->data, body->size);
    json_t *version = text ? aper__cdp_parse(body->data, body->size, &cut)
                           : NULL;
    const char *answer = aper__json_string(version, "webSocketDebuggerUrl");
    if (!has_scheme(answer, "ws:") && !has_scheme(answer, "wss:")) {
        status = aper__error_set(ret_error, APER_E_PROTOCOL,
                                 "what answers there names no "
                                 "webSocketDebuggerUrl; is it a browser?");
    } else {
        *ret_url = rewrite(base, answer);
        if (!*ret_url)
            status = aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    }
    json_decref(version);
    return status;
}

static aper_status check_http(int http_status, aper_error **ret_error)
{
    if (http_status == 200)
        return APER_OK;
    if (http_status == 401 || http_status == 403)
        return aper__error_set(ret_error, APER_E_AUTH,
                               "the endpoint refused with HTTP %d",
                               http_status);
    if (http_status == 404)
        return aper__error_set(
            ret_error, APER_E_NOT_FOUND,
            "the endpoint answers 404 to " VERSION_PATH ": it is no browser, or "
            "one whose remote debugging was turned on at chrome://inspect "
            "(Chrome 144 and later), which is found through its profile only: "
            "pass the profile directory instead");
    return aper__error_set(ret_error, APER_E_CONNECT,
                           "the endpoint answered " VERSION_PATH
                           " with HTTP %d", http_status);
}

static aper_status from_http(const char *base, const aper__wire_target *how,
                             aper__op *op, char **ret_url,
                             aper_error **ret_error)
{
    int http_status = 0;
    aper__buf body = {0};
    aper__wire_target target = how ? *how : (aper__wire_target){0};
    char *url = version_url(base);
    if (!url)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    target.url = url;
    aper_status status = aper__http_get(&target, op, &body, &http_status,
                                        ret_error);
    if (status == APER_OK)
        status = check_http(http_status, ret_error);
    if (status == APER_OK)
        status = read_version(base, &body, ret_url, ret_error);
    aper__buf_free(&body);
    aper__dealloc(url);
    return status;
}

/* ---- which of them -------------------------------------------------------------- */

static aper_status copy_url(const char *endpoint, char **ret_url,
                            aper_error **ret_error)
{
    *ret_url = aper__strdup(endpoint);
    return *ret_url ? APER_OK
                    : aper__error_set(ret_error, APER_E_NOMEM,
                                      "out of memory");
}

static aper_status no_endpoint(const char *endpoint, aper_error **ret_error)
{
    return aper__error_set(
        ret_error, APER_E_INVAL,
        "the endpoint \"%s\" is neither a port, host:port, a ws, wss, http or "
        "https address nor a profile directory", endpoint);
}

/* "9222" or "host:9222", as a base address. */
static aper_status from_port(const char *endpoint,
                             const aper__wire_target *how, aper__op *op,
                             char **ret_url, aper_error **ret_error)
{
    uint16_t port;
    aper__buf base = {0};
    const char *colon = strrchr(endpoint, ':');
    const char *digits = colon ? colon + 1 : endpoint;
    if (strpbrk(endpoint, "/ ?#@") || colon == endpoint
        || !parse_port(digits, strlen(digits), &port))
        return no_endpoint(endpoint, ret_error);
    aper__buf_printf(&base, "http://%s%s", colon ? "" : "127.0.0.1:",
                     endpoint);
    if (base.failed)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = from_http(base.data, how, op, ret_url, ret_error);
    aper__buf_free(&base);
    return status;
}

aper_status aper__discover(const char *endpoint, const aper__wire_target *how,
                           aper__op *op, char **ret_url,
                           aper_error **ret_error)
{
    struct stat info;
    if (has_scheme(endpoint, "ws://") || has_scheme(endpoint, "wss://"))
        return copy_url(endpoint, ret_url, ret_error);
    if (has_scheme(endpoint, "http://") || has_scheme(endpoint, "https://"))
        return from_http(endpoint, how, op, ret_url, ret_error);
    if (stat(endpoint, &info) == 0 && S_ISDIR(info.st_mode))
        return from_directory(endpoint, ret_url, ret_error);
    if (strstr(endpoint, "://"))
        return no_endpoint(endpoint, ret_error);
    if (strchr(endpoint, '/'))
        return aper__error_set(ret_error, APER_E_NOT_FOUND,
                               "there is no profile directory %s", endpoint);
    return from_port(endpoint, how, op, ret_url, ret_error);
}
