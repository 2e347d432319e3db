/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of the wire. A page decides what strings, numbers and nesting an answer
 * carries, so nothing legal in JSON may cost the connection: what jansson
 * would refuse is put right in place, in one pass, before it parses. */
#include "cdp/cdp.h"

#include <string.h>

#define DEPTH_MAX 512

typedef struct scan {
    char *at;
    char *end;
    bool cut;
} scan;

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of a \uXXXX at text, or -1. */
static int code_unit(const char *text, const char *end)
{
    int unit = 0;
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_high(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }

static bool is_low(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

/* Length of the escape at text, which was put right if need be. */
static size_t fix_escape(char *text, const char *end)
{
    int unit = code_unit(text, end);
    if (unit < 0)
        return 2;
    if (is_high(unit) && is_low(code_unit(text + 6, end)))
        return 12;
    if (unit == 0 || is_high(unit) || is_low(unit))
        memcpy(text + 2, "fffd", 4);
    return 6;
}

/* From behind the opening quote to behind the closing one. */
static void scan_string(scan *s)
{
    char *quote = NULL;
    while (s->at < s->end) {
        if (!quote || quote < s->at)
            quote = memchr(s->at, '"', (size_t)(s->end - s->at));
        char *stop = quote ? quote : s->end;
        char *escape = memchr(s->at, '\\', (size_t)(stop - s->at));
        if (!escape) {
            s->at = quote ? quote + 1 : s->end;
            return;
        }
        s->at = escape + fix_escape(escape, s->end);
    }
    s->at = s->end; /* a lone backslash at the end */
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_number_part(char c)
{
    return is_digit(c) || (c && strchr(".eE+-", c));
}

/* An integer beyond 64 bits, as JavaScript prints numbers up to 1e21, would be
 * refused. Its last two digits are below the precision of a double. */
static void scan_number(scan *s)
{
    static const char limit[] = "9223372036854775807";
    const size_t longest = sizeof limit - 1;
    const char *digits = s->at;
    while (s->at < s->end && is_digit(*s->at))
        s->at++;
    size_t length = (size_t)(s->at - digits);
    if (s->at < s->end && is_number_part(*s->at)) {
        while (s->at < s->end && is_number_part(*s->at))
            s->at++;
    } else if (length > longest || (length == longest &&
                                    memcmp(digits, limit, longest) > 0)) {
        memcpy(s->at - 2, "e2", 2);
    }
}

/* Empties the array or object whose inside begins at s->at. */
static void blank(scan *s)
{
    size_t depth = 1;
    char *from = s->at;
    s->cut = true;
    while (s->at < s->end) {
        char c = *s->at++;
        if (c == '"')
            scan_string(s);
        else if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            break;
    }
    if (depth == 0)
        s->at--;
    memset(from, ' ', (size_t)(s->at - from));
}

static void scan_all(scan *s)
{
    size_t depth = 0;
    while (s->at < s->end) {
        char c = *s->at;
        if (is_digit(c)) {
            scan_number(s);
            continue;
        }
        s->at++;
        if (c == '"')
            scan_string(s);
        else if ((c == '{' || c == '[') && ++depth > DEPTH_MAX)
            blank(s);
        else if ((c == '}' || c == ']') && depth > 0)
            depth--;
    }
}

json_t *aper__cdp_parse(char *data, size_t size, bool *ret_cut)
{
    scan s = {data, data + size, false};
    scan_all(&s);
    *ret_cut = s.cut;
    return json_loadb(data, size, 0, NULL);
}
