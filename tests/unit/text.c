/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <string.h>

static char *clean(const char *text, size_t size, size_t max)
{
    aper__buf out = {0};
    aper__text_clean(&out, text, size, max);
    return aper__buf_take(&out);
}

static void expect(const char *text, size_t max, const char *want)
{
    char *got = clean(text, strlen(text), max);
    ck_assert_str_eq(got, want);
    char *again = clean(got, strlen(got), max);
    ck_assert_str_eq(again, got);
    aper_free(again);
    aper_free(got);
}

static size_t encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length; --i > 0; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)((0xF00 >> length & 0xFF) | c);
    return length;
}

START_TEST(white_space_collapses_and_is_trimmed)
{
    expect("", 0, "");
    expect(" \t\n ", 0, "");
    expect("  a \r\n\t b  ", 0, "a b");
    expect("a\xC2\xA0\xE2\x80\x89\xE3\x80\x80" "b", 0, "a b");
    expect("a\xE2\x80\xA8" "b\xE2\x80\xA9" "c\xE2\x80\xAF\xE2\x81\x9F", 0,
           "a b c");
}
END_TEST

START_TEST(what_cannot_be_seen_is_deleted)
{
    expect("a\x01\x1b" "b\x7f" "c", 0, "abc");
    expect("a\xC2\x9B" "b", 0, "ab"); /* C1 */
    expect("so\xC2\xAD" "ft", 0, "soft");
    expect("z\xE2\x80\x8Bw\xE2\x80\x8D\xEF\xBB\xBF" "n", 0, "zwn");
    expect("\xE2\x80\xAE" "abc\xE2\x80\xAC\xE2\x81\xA6\xE2\x81\xA9", 0,
           "abc");
    expect("x\xF3\xA0\x81\x81\xF3\xA0\x81\xBFy", 0, "xy"); /* tags */
    expect("x\xEF\xB8\x8Fy\xF3\xA0\x84\x80", 0, "xy"); /* selectors */
    expect("a\xEF\xBF\xB9" "b\xEF\xBF\xBA" "c\xEF\xBF\xBB", 0, "abc");
    expect("\xE2\x80\x8B \xE2\x80\x8B a", 0, "a");
}
END_TEST

START_TEST(deletion_comes_before_collapsing)
{
    expect("a \xE2\x80\x8B b", 0, "a b");
    expect("a \xE2\x80\x8B", 0, "a");
}
END_TEST

START_TEST(a_nul_inside_is_deleted)
{
    char *got = clean("a\0b", 3, 0);
    ck_assert_str_eq(got, "ab");
    aper_free(got);
}
END_TEST

START_TEST(ill_formed_bytes_become_replacement_characters)
{
#define R "\xEF\xBF\xBD"
    expect("a\x80z", 0, "a" R "z");
    expect("a\xC3", 0, "a" R);
    expect("\xC0\xAFz", 0, R R "z"); /* overlong */
    expect("\xED\xA0\x80z", 0, R R R "z"); /* surrogate */
    expect("\xF4\x90\x80\x80z", 0, R R R R "z"); /* past U+10FFFF */
    expect("\xE2\x82z", 0, R "z"); /* cut sequence: one mark */
    expect("\xF0\x9F\x98z", 0, R "z");
}
END_TEST

START_TEST(a_cut_never_exceeds_the_limit_nor_splits)
{
    expect("abcdef", 6, "abcdef");
    expect("abcdefg", 6, "abcde\xE2\x80\xA6");
    expect("ab cd", 4, "ab\xE2\x80\xA6");
    expect("ab", 1, "\xE2\x80\xA6");
    expect("abc   ", 3, "abc");
    expect("\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80", 2,
           "\xF0\x9F\x98\x80\xE2\x80\xA6");
}
END_TEST

START_TEST(quoting_escapes_backslash_and_quote)
{
    static const char text[] = "say \"hi\\\"\n now";
    aper__buf out = {0};
    aper__text_quote(&out, text, strlen(text), 0);
    ck_assert_str_eq(out.data, "\"say \\\"hi\\\\\\\" now\"");
    aper__buf_clear(&out);
    aper__text_quote(&out, "\"\"\"", 3, 2);
    ck_assert_str_eq(out.data, "\"\\\"\xE2\x80\xA6\"");
    aper__buf_free(&out);
}
END_TEST

/* Every code point alone, between letters, and beside spaces. */
static void sweep(uint32_t first, uint32_t last)
{
    static const char *const frames[][2] = {
        {"", ""}, {"a", "b"}, {" ", " "}, {"a ", " b"}, {"a ", ""}};
    for (uint32_t c = first; c <= last; c++) {
        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        char bytes[4];
        size_t size = encode(c, bytes);
        for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
            aper__buf in = {0};
            aper__buf_puts(&in, frames[f][0]);
            aper__buf_append(&in, bytes, size);
            aper__buf_append(&in, bytes, size);
            aper__buf_puts(&in, frames[f][1]);
            char *once = clean(in.data, in.size, 0);
            char *twice = clean(once, strlen(once), 0);
            ck_assert_msg(strcmp(once, twice) == 0, "U+%04X frame %zu",
                          (unsigned)c, f);
            ck_assert(aper__utf8_is_valid(once, strlen(once)));
            ck_assert_ptr_null(strstr(once, "  "));
            aper_free(once);
            aper_free(twice);
            aper__buf_free(&in);
        }
    }
}

START_TEST(the_result_is_a_fixed_point)
{
    sweep(0, 0x2FFF);
    sweep(0x3000, 0x30FF);
    sweep(0xFB00, 0x101FF);
    sweep(0x13400, 0x134FF);
    sweep(0x1BC00, 0x1BCFF);
    sweep(0x1D100, 0x1D1FF);
    sweep(0x1F300, 0x1F6FF);
    sweep(0xDFFF0, 0xE1010);
    sweep(0x10FF00, 0x10FFFF);
}
END_TEST

START_TEST(random_bytes_give_a_valid_bounded_fixed_point)
{
    static const char alphabet[] = "ab \"\\\n\x80\xC2\xA0\xAD\xE2\x80\x8B\xAE"
                                   "\xF3\xF0\x9F\x98\xED\xFE\x00";
    uint32_t state = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char in[24];
        size_t size = round % sizeof in;
        for (size_t i = 0; i < size; i++) {
            state = state * 1664525 + 1013904223;
            in[i] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
        }
        size_t max = round % 7;
        char *once = clean(in, size, max);
        char *twice = clean(once, strlen(once), max);
        ck_assert_str_eq(once, twice);
        ck_assert(aper__utf8_is_valid(once, strlen(once)));
        size_t points = 0;
        for (const char *p = once; *p; p++)
            points += ((unsigned char)*p & 0xC0) != 0x80;
        ck_assert(max == 0 || points <= max);
        aper_free(once);
        aper_free(twice);
    }
}
END_TEST

START_TEST(valid_utf8_is_told_from_invalid)
{
    ck_assert(aper__utf8_is_valid("", 0));
    ck_assert(aper__utf8_is_valid("a\xC3\xA9\xF4\x8F\xBF\xBF", 7));
    ck_assert(!aper__utf8_is_valid("\xC3\xA9", 1));
    ck_assert(!aper__utf8_is_valid("\xE0\x80\x80", 3));
    ck_assert(!aper__utf8_is_valid("\xF5\x80\x80\x80", 4));
}
END_TEST

START_TEST(small_helpers_do_what_they_say)
{
    ck_assert(aper__ascii_caseless_equal("Host", "hOST"));
    ck_assert(!aper__ascii_caseless_equal("Host", "Hosts"));
    ck_assert(!aper__ascii_caseless_equal("Host", "Hos"));
    char hex[7];
    aper__hex(hex, (const unsigned char *)"\x00\xAB\xFF", 3);
    ck_assert_str_eq(hex, "00abff");
    ck_assert_uint_eq(aper_version_get_number(), APER_VERSION_NUMBER);
    ck_assert_int_ge(aper_version_get_text()[0], '1');
}
END_TEST

SUITE("text", 120, white_space_collapses_and_is_trimmed,
      what_cannot_be_seen_is_deleted, deletion_comes_before_collapsing,
      a_nul_inside_is_deleted, ill_formed_bytes_become_replacement_characters,
      a_cut_never_exceeds_the_limit_nor_splits,
      quoting_escapes_backslash_and_quote, the_result_is_a_fixed_point,
      random_bytes_give_a_valid_bounded_fixed_point,
      valid_utf8_is_told_from_invalid, small_helpers_do_what_they_say)
