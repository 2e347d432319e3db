/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of the wire. A page decides what strings, numbers and nesting an answer
 * carries, so nothing legal in JSON may cost the connection. jansson would
 * refuse some of it, and its own parser takes longer than all else that a call
 * does here; so only its values are used, and its parser for numbers that are
 * not plain. */
#include "cdp/cdp.h"

#include <string.h>

#define DEPTH_MAX 512
#define PLAIN_DIGITS 18 /* always fit into 64 bits */

typedef struct parser {
    char *at;
    char *end; /* a NUL is there */
    unsigned depth;
    bool cut;
} parser;

static json_t *parse_value(parser *p);

/* ---- strings --------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of a \uXXXX at text, or -1. */
static int32_t code_unit(const char *text, const char *end)
{
    int32_t unit = 0;
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

static bool is_high(int32_t unit) { return unit >= 0xd800 && unit <= 0xdbff; }

static bool is_low(int32_t unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

static char *put(char *out, int32_t point)
{
    if (point < 0x80) {
        *out++ = (char)point;
        return out;
    }
    if (point < 0x800) {
        *out++ = (char)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *out++ = (char)(0xe0 | point >> 12);
        } else {
            *out++ = (char)(0xf0 | point >> 18);
            *out++ = (char)(0x80 | (point >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    *out++ = (char)(0x80 | (point & 0x3f));
    return out;
}

/* Writes what the escape at p->at means; NULL if it means nothing. */
static char *unescape(parser *p, char *out)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    const char *name = p->end - p->at < 2 ? NULL
                                          : memchr(names, p->at[1],
                                                   sizeof names - 1);
    if (name) {
        p->at += 2;
        *out = meant[name - names];
        return out + 1;
    }
    int32_t unit = code_unit(p->at, p->end);
    if (unit < 0)
        return NULL;
    p->at += 6;
    int32_t low = is_high(unit) ? code_unit(p->at, p->end) : -1;
    if (is_low(low)) {
        p->at += 6;
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    } else if (unit == 0 || is_high(unit) || is_low(unit)) {
        unit = 0xfffd;
    }
    return put(out, unit);
}

static bool is_plain(char c)
{
    return c != '"' && c != '\\' && (unsigned char)c >= 0x20;
}

/* From the opening quote to behind the closing one. Escapes are longer than
 * what they mean, so the text is put right in place. NULL if it is broken. */
static char *parse_string(parser *p, size_t *ret_size)
{
    char *text = ++p->at;
    while (is_plain(*p->at))
        p->at++;
    char *out = p->at;
    while (*p->at == '\\') {
        out = unescape(p, out);
        if (!out)
            return NULL;
        while (is_plain(*p->at))
            *out++ = *p->at++;
    }
    if (*p->at != '"')
        return NULL;
    p->at++;
    *ret_size = (size_t)(out - text);
    return text;
}

/* ---- numbers --------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_number_part(char c)
{
    return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '+'
           || c == '-';
}

/* An integer beyond 64 bits, as JavaScript prints numbers up to 1e21, would be
 * refused. Its last two digits are below the precision of a double. */
static void fix_integer(char *digits, size_t length)
{
    static const char limit[] = "9223372036854775807";
    const size_t longest = sizeof limit - 1;
    if (length > longest
        || (length == longest && memcmp(digits, limit, longest) > 0))
        memcpy(digits + length - 2, "e2", 2);
}

static json_t *parse_number(parser *p)
{
    char *start = p->at;
    char *digits = start + (*start == '-');
    json_int_t value = 0;
    for (p->at = digits; is_digit(*p->at); p->at++)
        if (p->at - digits < PLAIN_DIGITS)
            value = value * 10 + (*p->at - '0');
    size_t length = (size_t)(p->at - digits);
    bool integer = !is_number_part(*p->at);
    if (integer && length > 0 && length <= PLAIN_DIGITS
        && (*digits != '0' || length == 1))
        return json_integer(*start == '-' ? -value : value);
    if (integer)
        fix_integer(digits, length);
    while (is_number_part(*p->at))
        p->at++;
    return json_loadb(start, (size_t)(p->at - start), JSON_DECODE_ANY, NULL);
}

/* ---- arrays and objects ------------------------------------------------------ */

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\r'
           || *p->at == '\t')
        p->at++;
}

static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

/* To the end of the array or object whose inside begins here. */
static void skip_inside(parser *p)
{
    unsigned depth = 1;
    size_t size;
    p->cut = true;
    while (p->at < p->end) {
        char c = *p->at;
        if (c == '"') {
            if (!parse_string(p, &size))
                return;
            continue;
        }
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            break;
        p->at++;
    }
}

static bool parse_member(parser *p, json_t *object)
{
    size_t size;
    skip_blanks(p);
    char *key = *p->at == '"' ? parse_string(p, &size) : NULL;
    if (!key || !take(p, ':'))
        return false;
    /* Takes the value, also when it fails or there is none. */
    return json_object_setn_new_nocheck(object, key, size, parse_value(p))
           == 0;
}

static bool parse_item(parser *p, json_t *array)
{
    return json_array_append_new(array, parse_value(p)) == 0;
}

static json_t *parse_inside(parser *p, json_t *made, char close,
                            bool (*parse_one)(parser *p, json_t *into))
{
    if (p->depth == DEPTH_MAX)
        skip_inside(p);
    p->depth++;
    bool more = !take(p, close);
    bool ok = made != NULL;
    while (ok && more) {
        ok = parse_one(p, made);
        more = ok && take(p, ',');
        if (ok && !more)
            ok = take(p, close);
    }
    p->depth--;
    if (ok)
        return made;
    json_decref(made);
    return NULL;
}

static json_t *parse_literal(parser *p, const char *word, json_t *value)
{
    size_t size = strlen(word);
    if ((size_t)(p->end - p->at) < size || memcmp(p->at, word, size) != 0)
        return NULL;
    p->at += size;
    return value;
}

static json_t *parse_value(parser *p)
{
    size_t size;
    char *text;
    skip_blanks(p);
    switch (*p->at) {
    case '{':
        p->at++;
        return parse_inside(p, json_object(), '}', parse_member);
    case '[':
        p->at++;
        return parse_inside(p, json_array(), ']', parse_item);
    case '"':
        text = parse_string(p, &size);
        return text ? json_stringn_nocheck(text, size) : NULL;
    case 't':
        return parse_literal(p, "true", json_true());
    case 'f':
        return parse_literal(p, "false", json_false());
    case 'n':
        return parse_literal(p, "null", json_null());
    default:
        return parse_number(p);
    }
}

json_t *aper__cdp_parse(char *data, size_t size, bool *ret_cut)
{
    parser p = {.at = data, .end = data + size};
    *ret_cut = false;
    skip_blanks(&p);
    if (*p.at != '{' && *p.at != '[')
        return NULL;
    json_t *value = parse_value(&p);
    skip_blanks(&p);
    *ret_cut = p.cut;
    if (value && p.at == p.end)
        return value;
    json_decref(value);
    return NULL;
}
