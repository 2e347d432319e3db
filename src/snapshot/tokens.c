/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

/* Counts in tenths of a token. The figures were fitted against the real
 * tokenizer by tests/tools/tokens.py; they lean to the high side. */
#define TENTHS 10

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_upper(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_vowel(unsigned char c)
{
    switch (c | 0x20) {
    case 'a': case 'e': case 'i': case 'o': case 'u': case 'y':
        return true;
    default:
        return false;
    }
}

/* Letters that are seldom part of a longer token. */
static bool is_rare(unsigned char c)
{
    switch (c | 0x20) {
    case 'j': case 'q': case 'x': case 'z': case 'k': case 'w':
        return true;
    default:
        return false;
    }
}

/* A run of ASCII letters of one case pattern: capitals, then small letters. A
 * word costs little; what cannot be pronounced is no word. */
static size_t count_word(const unsigned char *word, size_t size)
{
    size_t odd = 0, consonants = 0, vowels = 0, capitals = 0, rare = 0;
    for (size_t i = 0; i < size; i++) {
        if (is_upper(word[i]))
            capitals++;
        if (is_rare(word[i]))
            rare++;
        if (is_vowel(word[i])) {
            consonants = 0;
            vowels++;
            if (vowels > 2)
                odd++;
        } else {
            vowels = 0;
            consonants++;
            if (consonants > 2)
                odd++;
        }
    }
    size_t tenths = TENTHS + (size - 1) * 2;
    if (size > 3)
        tenths += odd * 5 + (rare > 1 ? rare * 5 : 0);
    if (capitals > 1)
        tenths += capitals * 2;
    /* Never more than a token for every letter but the first two. */
    size_t most = (size > 2 ? size - 1 : 1) * TENTHS;
    return tenths < most ? tenths : most;
}

static size_t count_letters(const unsigned char *text, size_t size,
                            size_t *ret_used)
{
    size_t i = 0;
    while (i < size && is_upper(text[i]))
        i++;
    /* "HTMLElement" is "HTML" and "Element" to the tokenizer. */
    if (i < 2 || i == size || !is_letter(text[i]))
        while (i < size && is_letter(text[i]) && !is_upper(text[i]))
            i++;
    else
        i--;
    *ret_used = i;
    return count_word(text, i);
}

/* Tenths for one character outside ASCII, by the first byte up to which the
 * row holds. */
static const struct block {
    unsigned char last;
    unsigned char tenths;
} blocks[] = {
    {0xC3, 12}, /* Latin-1: é, ü, « */
    {0xCD, 15}, /* more of Latin, marks */
    {0xCF, 9}, /* Greek */
    {0xD5, 8}, /* Cyrillic, Armenian */
    {0xDF, 11}, /* Hebrew, Arabic and others */
    {0xE0, 13}, /* South Asia */
    {0xE1, 30},
    {0xE2, 24}, /* punctuation, arrows, symbols */
    {0xE3, 22}, /* kana, told apart below */
    {0xE9, 22}, /* ideographs */
    {0xED, 24}, /* Hangul */
    {0xEF, 30},
    {0xFF, 40},
};
#define KANA_TENTHS 15

static size_t count_wide(const unsigned char *c, size_t size,
                         size_t *ret_used)
{
    size_t length = c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    *ret_used = length < size ? length : size;
    if (c[0] == 0xE3 && size > 1 && c[1] < 0x84)
        return KANA_TENTHS;
    size_t i = 0;
    while (c[0] > blocks[i].last)
        i++;
    return blocks[i].tenths;
}

static size_t count_space(const unsigned char *text, size_t size,
                          size_t *ret_used)
{
    size_t i = 0;
    size_t tenths = 0;
    while (i < size && (text[i] == '\n' || text[i] == '\r'))
        i++;
    if (i > 0)
        tenths += TENTHS;
    size_t spaces = 0;
    while (i + spaces < size && text[i + spaces] == ' ')
        spaces++;
    /* The last one belongs to the word behind it. */
    if (spaces > 1)
        tenths += TENTHS;
    i += spaces;
    *ret_used = i > 0 ? i : 1;
    return i > 0 ? tenths : TENTHS;
}

static size_t count_digits(const unsigned char *text, size_t size,
                           size_t *ret_used)
{
    size_t i = 0;
    while (i < size && is_digit(text[i]))
        i++;
    *ret_used = i;
    /* A space before a number is a token of its own. */
    return (i + 2) / 3 * TENTHS;
}

uint32_t aper__tokens_estimate(const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t tenths = 0;
    size_t used;
    for (size_t i = 0; i < size; i += used) {
        size_t left = size - i;
        if (is_letter(p[i]))
            tenths += count_letters(p + i, left, &used);
        else if (is_digit(p[i]))
            tenths += count_digits(p + i, left, &used)
                      + (i > 0 && p[i - 1] == ' ' ? TENTHS : 0);
        else if (p[i] <= ' ')
            tenths += count_space(p + i, left, &used);
        else if (p[i] >= 0x80)
            tenths += count_wide(p + i, left, &used);
        else {
            used = 1;
            tenths += TENTHS;
        }
    }
    size_t tokens = (tenths + TENTHS - 1) / TENTHS;
    return tokens > UINT32_MAX ? UINT32_MAX : (uint32_t)tokens;
}
