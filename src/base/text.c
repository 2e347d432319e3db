/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <string.h>

#define REPLACEMENT 0xFFFD
#define ELLIPSIS "\xE2\x80\xA6"

typedef struct range {
    uint32_t first;
    uint32_t last;
} range;

/* Code points that leave no mark, or move other marks: what a person does not
 * see must not reach a model. Emoji sequences lose their joiners. */
static const range invisible[] = {
    {0x0000, 0x0008}, {0x000E, 0x001F}, {0x007F, 0x0084}, {0x0086, 0x009F},
    {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160},
    {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F}, {0x202A, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF},
    {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF},
};

static const range blank[] = {
    {0x0009, 0x000D}, {0x0020, 0x0020}, {0x0085, 0x0085}, {0x00A0, 0x00A0},
    {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
    {0x205F, 0x205F}, {0x2800, 0x2800}, {0x3000, 0x3000},
};

static bool is_in(uint32_t c, const range *ranges, size_t count)
{
    size_t low = 0;
    while (low < count) {
        size_t mid = low + (count - low) / 2;
        if (c > ranges[mid].last)
            low = mid + 1;
        else if (c >= ranges[mid].first)
            return true;
        else
            count = mid;
    }
    return false;
}

static bool is_invisible(uint32_t c)
{
    /* The last two code points of every plane are no characters. */
    return is_in(c, invisible, sizeof invisible / sizeof invisible[0])
           || (c & 0xFFFE) == 0xFFFE;
}

static bool is_blank(uint32_t c)
{
    return is_in(c, blank, sizeof blank / sizeof blank[0]);
}

/* Bytes of the sequence that starts with this byte, and the least second byte
 * and the greatest that are well-formed behind it; 0 for no start. */
static unsigned sequence(unsigned char lead, unsigned char *low,
                         unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    if (lead < 0xE0)
        return 2;
    if (lead == 0xE0)
        *low = 0xA0;
    else if (lead == 0xED)
        *high = 0x9F;
    else if (lead == 0xF0)
        *low = 0x90;
    else if (lead == 0xF4)
        *high = 0x8F;
    return lead < 0xF0 ? 3 : 4;
}

/* Decodes one code point and returns its bytes. An ill-formed sequence gives
 * false in *valid and U+FFFD for as much of it as could have begun one. */
static size_t decode(const char *text, size_t size, uint32_t *ret_c,
                     bool *valid)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned char low, high;
    unsigned length = sequence(p[0], &low, &high);
    *valid = false;
    *ret_c = REPLACEMENT;
    if (length == 0)
        return 1;
    uint32_t c = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if (i >= size || p[i] < low || p[i] > high)
            return i;
        c = c << 6 | (p[i] & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    *valid = true;
    *ret_c = c;
    return length;
}

/* Bytes at the start that are ASCII, in whole words. */
static size_t skip_ascii(const char *text, size_t size)
{
    size_t i = 0;
    uint64_t word;
    for (; size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        if (word & 0x8080808080808080u)
            break;
    }
    return i;
}

bool aper__utf8_is_valid(const char *text, size_t size)
{
    bool valid = true;
    uint32_t c;
    for (size_t i = 0; i < size && valid;) {
        if ((unsigned char)text[i] < 0x80 && size - i >= sizeof(uint64_t))
            i += skip_ascii(text + i, size - i);
        if (i < size)
            i += decode(text + i, size - i, &c, &valid);
    }
    return valid;
}

typedef struct line {
    aper__buf *out;
    bool escape;
    size_t max;
    size_t count; /* code points written */
    size_t cut; /* where the text ends if it has to be cut */
} line;

/* Writes one code point; false when the line was full and has been cut. */
static bool put(line *to, const char *bytes, size_t size)
{
    if (to->max && to->count == to->max) {
        if (!to->out->failed && to->out->data) {
            to->out->size = to->cut;
            aper__buf_puts(to->out, ELLIPSIS);
        }
        return false;
    }
    if (to->escape && (*bytes == '"' || *bytes == '\\'))
        aper__buf_putc(to->out, '\\');
    aper__buf_append(to->out, bytes, size);
    to->count++;
    /* The ellipsis takes the last place and follows no space. */
    if (to->count < to->max && *bytes != ' ')
        to->cut = to->out->size;
    return true;
}

static void write_line(line *to, const char *text, size_t size)
{
    bool space = false;
    to->cut = to->out->size;
    for (size_t i = 0; i < size;) {
        uint32_t c;
        bool valid;
        const char *bytes = text + i;
        size_t length = decode(bytes, size - i, &c, &valid);
        i += length;
        if (valid && is_invisible(c))
            continue;
        if (valid && is_blank(c)) {
            space = to->count > 0;
            continue;
        }
        if (!valid) {
            bytes = "\xEF\xBF\xBD";
            length = 3;
        }
        if (space && !put(to, " ", 1))
            return;
        space = false;
        if (!put(to, bytes, length))
            return;
    }
}

void aper__text_clean(aper__buf *out, const char *text, size_t size,
                      size_t max)
{
    line to = {.out = out, .max = max};
    write_line(&to, text, size);
}

void aper__text_quote(aper__buf *out, const char *text, size_t size,
                      size_t max)
{
    line to = {.out = out, .max = max, .escape = true};
    aper__buf_putc(out, '"');
    write_line(&to, text, size);
    aper__buf_putc(out, '"');
}

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool aper__ascii_caseless_equal(const char *a, const char *b)
{
    while (*a && ascii_lower(*a) == ascii_lower(*b)) {
        a++;
        b++;
    }
    return ascii_lower(*a) == ascii_lower(*b);
}

bool aper__ascii_caseless_contains(const char *text, const char *part)
{
    for (;; text++) {
        size_t i = 0;
        while (part[i] && ascii_lower(text[i]) == ascii_lower(part[i]))
            i++;
        if (!part[i])
            return true;
        if (!*text)
            return false;
    }
}

void aper__hex(char *out, const unsigned char *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *out++ = digits[data[i] >> 4];
        *out++ = digits[data[i] & 15];
    }
    *out = '\0';
}
