/* SPDX-License-Identifier: Apache-2.0 */
/* Reading addresses as the URL standard does, as far as a policy needs it. */
#include "browser/internal.h"

#include <arpa/inet.h>
#include <string.h>

/* What every URL parser drops wherever it stands. */
static bool is_dropped(char c)
{
    return c == '\t' || c == '\n' || c == '\r';
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool is_scheme_char(char c, bool first)
{
    if (c >= 'a' && c <= 'z')
        return true;
    return !first
        && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
}

bool aper__address_scheme(const char *url, char *out, size_t size)
{
    while ((unsigned char)*url <= ' ' && *url != '\0')
        url++;
    size_t length = 0;
    for (; *url != '\0' && *url != ':'; url++) {
        char c = to_lower(*url);
        if (is_dropped(c))
            continue;
        if (!is_scheme_char(c, length == 0) || length + 1 >= size)
            return false;
        out[length++] = c;
    }
    out[length] = '\0';
    return *url == ':' && length > 0;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent-decoded, in lower case, without trailing dots and brackets. */
static void normalise_host(const char *host, size_t length, char *out)
{
    size_t done = 0;
    for (size_t i = 0; i < length && done < APER__HOST_MAX - 1; i++) {
        char c = host[i];
        if (is_dropped(c) || c == '[' || c == ']')
            continue;
        if (c == '%' && i + 2 < length && hex_value(host[i + 1]) >= 0
            && hex_value(host[i + 2]) >= 0) {
            c = (char)(hex_value(host[i + 1]) * 16 + hex_value(host[i + 2]));
            i += 2;
        }
        out[done++] = to_lower(c);
    }
    while (done > 0 && out[done - 1] == '.')
        done--;
    out[done] = '\0';
}

void aper__address_host(const char *url, char out[APER__HOST_MAX])
{
    const char *start = strchr(url, ':');
    out[0] = '\0';
    if (start == NULL)
        return;
    start++;
    start += strspn(start, "/\\\t\n\r");
    size_t length = strcspn(start, "/\\?#");
    for (size_t i = length; i-- > 0;) {
        if (start[i] == '@') {
            start += i + 1;
            length -= i + 1;
            break;
        }
    }
    size_t host = 0;
    bool bracket = false;
    for (; host < length; host++) {
        if (start[host] == '[')
            bracket = true;
        else if (start[host] == ']')
            bracket = false;
        else if (start[host] == ':' && !bracket)
            break;
    }
    normalise_host(start, host, out);
}

char *aper__address_without_user(const char *url)
{
    if (url == NULL)
        return NULL;
    size_t scheme = strcspn(url, ":/?#");
    if (strncmp(url + scheme, "://", 3) != 0)
        return aper__strdup(url);
    const char *start = url + scheme + 3;
    const char *host = start;
    size_t length = strcspn(start, "/?#\\");
    for (size_t i = 0; i < length; i++) {
        if (start[i] == '@')
            host = start + i + 1;
    }
    aper__buf out = { 0 };
    aper__buf_append(&out, url, (size_t)(start - url));
    aper__buf_puts(&out, host);
    return aper__buf_take(&out);
}

/* ---- private addresses --------------------------------------------------- */

static bool is_private_v4(uint32_t address)
{
    static const struct {
        uint32_t network;
        unsigned bits;
    } ranges[] = {
        { 0x00000000, 8 },  { 0x0a000000, 8 },  { 0x64400000, 10 },
        { 0x7f000000, 8 },  { 0xa9fe0000, 16 }, { 0xac100000, 12 },
        { 0xc0000000, 24 }, { 0xc0a80000, 16 }, { 0xc6120000, 15 },
        { 0xe0000000, 3 },
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if ((address ^ ranges[i].network) >> (32 - ranges[i].bits) == 0)
            return true;
    }
    return false;
}

static uint32_t read_v4(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16
        | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_private_v6(const unsigned char *bytes)
{
    static const unsigned char zero[16];
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
    static const unsigned char nat64[12] = { 0x00, 0x64, 0xff, 0x9b };
    if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, nat64, 12) == 0)
        return is_private_v4(read_v4(bytes + 12));
    if (memcmp(bytes, zero, 12) == 0) /* ::, ::1 and ::a.b.c.d */
        return true;
    if (bytes[0] == 0x20 && bytes[1] == 0x02) /* 6to4 */
        return is_private_v4(read_v4(bytes + 2));
    return (bytes[0] & 0xfe) == 0xfc /* unique local */
        || (bytes[0] == 0xfe && bytes[1] >= 0x80) /* link and site local */
        || bytes[0] == 0xff; /* multicast */
}

/* One part of an IPv4 number: decimal, 0octal or 0xhex. */
static bool read_part(const char *text, size_t length, uint64_t *ret_value)
{
    unsigned base = 10;
    if (length >= 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
        base = 16;
        text += 2;
        length -= 2;
    } else if (length >= 2 && text[0] == '0') {
        base = 8;
        text++;
        length--;
    } else if (length == 0) {
        return false;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = hex_value(text[i]);
        if (digit < 0 || (unsigned)digit >= base || value > UINT32_MAX)
            return false;
        value = value * base + (unsigned)digit;
    }
    *ret_value = value;
    return true;
}

/* The one to four parts that the URL standard accepts: 127.1, 0x7f000001 … */
static bool read_v4_text(const char *host, uint32_t *ret_address)
{
    uint64_t parts[4];
    size_t count = 0;
    while (count < 4) {
        size_t length = strcspn(host, ".");
        if (!read_part(host, length, &parts[count++]))
            return false;
        host += length;
        if (*host == '\0')
            break;
        host++;
    }
    if (*host != '\0')
        return false;
    uint64_t address = parts[count - 1];
    if (address >= (uint64_t)1 << (8 * (5 - count)))
        return false;
    for (size_t i = 0; i + 1 < count; i++) {
        if (parts[i] > 255)
            return false;
        address |= parts[i] << (8 * (3 - i));
    }
    *ret_address = (uint32_t)address;
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t want = strlen(end);
    return length >= want && strcmp(text + length - want, end) == 0;
}

bool aper__address_is_private(const char *host)
{
    char plain[APER__HOST_MAX];
    normalise_host(host, strlen(host), plain);
    if (strcmp(plain, "localhost") == 0 || ends_with(plain, ".localhost")
        || ends_with(plain, ".local"))
        return true;
    uint32_t v4;
    if (read_v4_text(plain, &v4))
        return is_private_v4(v4);
    plain[strcspn(plain, "%")] = '\0'; /* a zone */
    unsigned char v6[16];
    return inet_pton(AF_INET6, plain, v6) == 1 && is_private_v6(v6);
}

bool aper__address_is_pattern(const char *pattern)
{
    if (strncmp(pattern, "*.", 2) == 0)
        pattern += 2;
    size_t length = strlen(pattern);
    if (length == 0 || length >= APER__HOST_MAX)
        return false;
    unsigned char v6[16];
    char plain[APER__HOST_MAX];
    normalise_host(pattern, length, plain);
    if (inet_pton(AF_INET6, plain, v6) == 1)
        return true;
    return plain[0] != '\0' && pattern[0] != '.'
        && pattern[strspn(pattern, "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789-_.")] == '\0';
}

/* One address has many spellings. */
static bool is_same_v6(const char *a, const char *b)
{
    unsigned char x[16], y[16];
    return inet_pton(AF_INET6, a, x) == 1 && inet_pton(AF_INET6, b, y) == 1
        && memcmp(x, y, sizeof(x)) == 0;
}

static bool is_same_host(const char *host, const char *wanted)
{
    uint32_t x, y;
    if (read_v4_text(host, &x) && read_v4_text(wanted, &y))
        return x == y;
    return strcmp(host, wanted) == 0 || is_same_v6(host, wanted);
}

bool aper__address_matches(const char *host, const char *pattern)
{
    char wanted[APER__HOST_MAX];
    bool any = strncmp(pattern, "*.", 2) == 0;
    normalise_host(any ? pattern + 1 : pattern,
                   strlen(any ? pattern + 1 : pattern), wanted);
    return any ? strlen(host) > strlen(wanted) && ends_with(host, wanted)
               : is_same_host(host, wanted);
}
