/* SPDX-License-Identifier: Apache-2.0 */
#include "browser/download.h"
#include "suite.h"

#include <string.h>

static void expect(const char *proposed, const char *wanted)
{
    char *name = aper__filename_clean(proposed);
    ck_assert_str_eq(name, wanted);
    char *again = aper__filename_clean(name);
    ck_assert_str_eq(again, name);
    aper__dealloc(again);
    aper__dealloc(name);
}

static size_t chars(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static char *repeat(const char *part, size_t times, const char *end)
{
    aper__buf out = { 0 };
    for (size_t i = 0; i < times; i++)
        aper__buf_puts(&out, part);
    aper__buf_puts(&out, end);
    return aper__buf_take(&out);
}

START_TEST(ordinary_names_stay)
{
    expect("report.pdf", "report.pdf");
    expect("Übersicht 2024.tar.gz", "Übersicht 2024.tar.gz");
    expect("README", "README");
}
END_TEST

START_TEST(no_path_survives)
{
    expect("../../etc/passwd", "passwd");
    expect("C:\\Users\\a\\b.txt", "b.txt");
    expect("/", "_");
    expect("a/../..", "download");
    expect("..", "download");
}
END_TEST

START_TEST(nothing_invisible_or_reserved_survives)
{
    expect("in\xE2\x80\xAEvoice\x01.e\xE2\x80\x8Bxe", "invoice.exe");
    expect("a\nb\tc.txt", "a b c.txt");
    expect("a<b>c:d\"e|f?g*.txt", "a_b_c_d_e_f_g_.txt");
    expect("bad\xFFutf.txt", "bad\xEF\xBF\xBDutf.txt");
}
END_TEST

START_TEST(no_name_is_hidden_or_empty)
{
    expect("", "download");
    expect("...", "download");
    expect("   ", "download");
    expect(".bashrc", "bashrc");
    expect("name. . ", "name");
    expect(". .profile", "profile");
}
END_TEST

START_TEST(long_names_keep_their_extension)
{
    char *proposed = repeat("a", 300, ".docx");
    char *name = aper__filename_clean(proposed);
    ck_assert_uint_eq(chars(name), APER__FILENAME_CHARS);
    ck_assert_str_eq(name + strlen(name) - 5, ".docx");
    char *numbered = aper__filename_numbered(name, 12);
    ck_assert_uint_eq(chars(numbered), APER__FILENAME_CHARS);
    ck_assert_str_eq(numbered + strlen(numbered) - 10, " (12).docx");
    aper__dealloc(numbered);
    aper__dealloc(name);
    aper__dealloc(proposed);
}
END_TEST

START_TEST(long_names_fit_a_directory_entry)
{
    char *proposed = repeat("\xF0\x9F\x98\x80", 200, ".png");
    char *name = aper__filename_clean(proposed);
    ck_assert_uint_le(strlen(name), APER__FILENAME_BYTES);
    ck_assert_uint_ge(strlen(name), APER__FILENAME_BYTES - 4);
    ck_assert(aper__utf8_is_valid(name, strlen(name)));
    ck_assert_str_eq(name + strlen(name) - 4, ".png");
    char *again = aper__filename_clean(name);
    ck_assert_str_eq(again, name);
    aper__dealloc(again);
    aper__dealloc(name);
    aper__dealloc(proposed);
}
END_TEST

START_TEST(a_number_stands_before_the_extension)
{
    char *name = aper__filename_numbered("a.txt", 2);
    ck_assert_str_eq(name, "a (2).txt");
    aper__dealloc(name);
    name = aper__filename_numbered("README", 3);
    ck_assert_str_eq(name, "README (3)");
    aper__dealloc(name);
}
END_TEST

SUITE("filename", 30, ordinary_names_stay, no_path_survives,
      nothing_invisible_or_reserved_survives, no_name_is_hidden_or_empty,
      long_names_keep_their_extension, long_names_fit_a_directory_entry,
      a_number_stands_before_the_extension)
