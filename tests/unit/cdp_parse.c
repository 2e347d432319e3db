/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of the wire: what a page can bring about never costs the connection. */
#include "cdp/cdp.h"
#include "suite.h"

#include <string.h>

static bool cut;

static json_t *parse(const char *text)
{
    size_t size = strlen(text);
    char *copy = malloc(size + 1);
    memcpy(copy, text, size + 1);
    json_t *value = aper__cdp_parse(copy, size, &cut);
    free(copy);
    return value;
}

static void check_string(const char *json, const char *expected)
{
    json_t *value = parse(json);
    ck_assert_ptr_nonnull(value);
    json_t *string = json_object_get(value, "s");
    ck_assert_str_eq(json_string_value(string), expected);
    ck_assert_uint_eq(json_string_length(string), strlen(expected));
    json_decref(value);
}

START_TEST(lone_surrogates_become_replacement_characters)
{
    check_string("{\"s\":\"a\\ud800b\"}", "a\xef\xbf\xbd" "b");
    check_string("{\"s\":\"\\uDC00\"}", "\xef\xbf\xbd");
    check_string("{\"s\":\"\\ud800\\ud800\\udc00\"}",
                 "\xef\xbf\xbd\xf0\x90\x80\x80");
    check_string("{\"s\":\"\\ud800\\u0041\"}", "\xef\xbf\xbd" "A");
    check_string("{\"s\":\"\\udc00\\ud800\"}", "\xef\xbf\xbd\xef\xbf\xbd");
}
END_TEST

START_TEST(surrogate_pairs_stay)
{
    check_string("{\"s\":\"\\ud83d\\ude00\"}", "\xf0\x9f\x98\x80");
    check_string("{\"s\":\"\\uD83D\\uDE00x\"}", "\xf0\x9f\x98\x80x");
}
END_TEST

START_TEST(nul_becomes_a_replacement_character)
{
    check_string("{\"s\":\"a\\u0000b\"}", "a\xef\xbf\xbd" "b");
}
END_TEST

START_TEST(an_escaped_backslash_starts_no_escape)
{
    check_string("{\"s\":\"\\\\ud800\"}", "\\ud800");
    check_string("{\"s\":\"\\\\\\ud800\"}", "\\\xef\xbf\xbd");
    check_string("{\"s\":\"\\\"\\ud800\\\"\"}", "\"\xef\xbf\xbd\"");
    check_string("{\"s\":\"\\\\u0000\"}", "\\u0000");
}
END_TEST

START_TEST(keys_are_put_right_as_well)
{
    json_t *value = parse("{\"\\ud800\":1,\"\\ud801\":2}");
    ck_assert_ptr_nonnull(value);
    ck_assert_int_eq(aper__json_int(value, "\xef\xbf\xbd", 0), 2);
    json_decref(value);
}
END_TEST

START_TEST(of_two_equal_keys_the_last_one_counts)
{
    json_t *value = parse("{\"id\":1,\"id\":2}");
    ck_assert_int_eq(aper__json_int(value, "id", 0), 2);
    json_decref(value);
}
END_TEST

START_TEST(integers_beyond_64_bits_become_reals)
{
    static const struct {
        const char *json;
        double value;
    } cases[] = {
        {"{\"n\":9223372036854775808}", 9223372036854775808.0},
        {"{\"n\":18446744073709552000}", 18446744073709552000.0},
        {"{\"n\":123456789012345680000}", 123456789012345680000.0},
        {"{\"n\":-18446744073709552000}", -18446744073709552000.0},
        {"{\"n\":0.12345678901234567890123}", 0.12345678901234567890123},
        {"{\"n\":12345678901234567890.5e-3}", 12345678901234567.8905},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *value = parse(cases[i].json);
        ck_assert_msg(value != NULL, "%s was refused", cases[i].json);
        ck_assert_double_eq(aper__json_number(value, "n", 0), cases[i].value);
        json_decref(value);
    }
}
END_TEST

START_TEST(integers_of_64_bits_stay_exact)
{
    json_t *value = parse("{\"a\":9223372036854775807,"
                          "\"b\":-9223372036854775807,\"c\":[1,22]}");
    ck_assert_ptr_nonnull(value);
    ck_assert_int_eq(aper__json_int(value, "a", 0), INT64_MAX);
    ck_assert_int_eq(aper__json_int(value, "b", 0), -INT64_MAX);
    json_decref(value);
}
END_TEST

static char *nested(size_t depth, const char *open, const char *inside,
                    const char *close)
{
    aper__buf text = {0};
    aper__buf_puts(&text, "{\"id\":7,\"v\":");
    for (size_t i = 0; i < depth; i++)
        aper__buf_puts(&text, open);
    aper__buf_puts(&text, inside);
    for (size_t i = 0; i < depth; i++)
        aper__buf_puts(&text, close);
    aper__buf_puts(&text, "}");
    return aper__buf_take(&text);
}

START_TEST(nesting_up_to_512_passes)
{
    char *text = nested(511, "[", "1", "]");
    json_t *value = parse(text);
    ck_assert_ptr_nonnull(value);
    ck_assert(!cut);
    json_decref(value);
    aper__dealloc(text);
}
END_TEST

START_TEST(deeper_nesting_is_emptied_and_said)
{
    static const size_t depths[] = {512, 600, 2100, 100000};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        char *text = nested(depths[i], "{\"k\":[", "\"]}\\\"[\"", "]}");
        json_t *value = parse(text);
        ck_assert_ptr_nonnull(value);
        ck_assert(cut);
        ck_assert_int_eq(aper__json_int(value, "id", 0), 7);
        json_decref(value);
        aper__dealloc(text);
    }
}
END_TEST

START_TEST(what_is_not_json_is_refused)
{
    static const char *const cases[] = {
        "", "{", "{\"a\":\"\\", "{\"a\":\"\\u12", "nothing", "{} {}",
        "{\"a\":\"\n\"}", "{\"a\":1e999}", "[[[[", "{\"a\":\"\\ud8\"}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(parse(cases[i]) == NULL, "%s was taken", cases[i]);
}
END_TEST

START_TEST(readers_fall_back_on_wrong_types)
{
    json_t *value = parse("{\"s\":1,\"i\":\"x\",\"b\":1,\"d\":1.0,"
                          "\"big\":1e300,\"o\":{\"p\":{\"q\":5}}}");
    ck_assert_str_eq(aper__json_string(value, "s"), "");
    ck_assert_str_eq(aper__json_string(value, "none"), "");
    ck_assert_int_eq(aper__json_int(value, "i", -3), -3);
    ck_assert_int_eq(aper__json_int(value, "d", -3), 1);
    ck_assert_int_eq(aper__json_int(value, "big", -3), -3);
    ck_assert_double_eq(aper__json_number(value, "s", 0), 1);
    ck_assert(!aper__json_bool(value, "b"));
    ck_assert_int_eq(
        json_integer_value(aper__json_get(value, "o.p.q")), 5);
    ck_assert_ptr_null(aper__json_get(value, "o.x.q"));
    ck_assert_ptr_null(aper__json_get(value, "s.x"));
    ck_assert_str_eq(aper__json_string(NULL, "s"), "");
    json_decref(value);
}
END_TEST

SUITE("cdp_parse", 30, lone_surrogates_become_replacement_characters,
      surrogate_pairs_stay, nul_becomes_a_replacement_character,
      an_escaped_backslash_starts_no_escape, keys_are_put_right_as_well,
      of_two_equal_keys_the_last_one_counts,
      integers_beyond_64_bits_become_reals, integers_of_64_bits_stay_exact,
      nesting_up_to_512_passes, deeper_nesting_is_emptied_and_said,
      what_is_not_json_is_refused, readers_fall_back_on_wrong_types)
