/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"
#include "suite.h"

static aper__key keys[APER__CHORD_MAX];

static void check_key(const aper__key *key, const char *name,
                      const char *code, const char *text, int virtual_key)
{
    ck_assert_str_eq(key->name, name);
    ck_assert_str_eq(key->code, code);
    ck_assert_str_eq(key->text, text);
    ck_assert_int_eq(key->virtual_key, virtual_key);
}

START_TEST(keys_have_name_code_text_and_number)
{
    static const struct {
        const char *chord, *name, *code, *text;
        int virtual_key;
    } cases[] = {
        {"Enter", "Enter", "Enter", "\r", 13},
        {"enter", "Enter", "Enter", "\r", 13},
        {"a", "a", "KeyA", "a", 65}, {"A", "A", "KeyA", "A", 65},
        {"7", "7", "Digit7", "7", 55}, {"&", "&", "Digit7", "&", 55},
        {"?", "?", "Slash", "?", 191}, {"+", "+", "Equal", "+", 187},
        {"Space", " ", "Space", " ", 32}, {" ", " ", "Space", " ", 32},
        {"F12", "F12", "F12", "", 123}, {"Esc", "Escape", "Escape", "", 27},
        {"\xC3\xA9", "\xC3\xA9", "", "\xC3\xA9", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_uint_eq(aper__keys_parse(cases[i].chord, keys), 1);
        check_key(&keys[0], cases[i].name, cases[i].code, cases[i].text,
                  cases[i].virtual_key);
    }
}
END_TEST

START_TEST(chords_are_modifiers_and_one_key)
{
    ck_assert_uint_eq(aper__keys_parse("Control+Shift+a", keys), 3);
    check_key(&keys[0], "Control", "ControlLeft", "", 17);
    check_key(&keys[1], "Shift", "ShiftLeft", "", 16);
    check_key(&keys[2], "A", "KeyA", "", 65);
    ck_assert_uint_eq(aper__keys_parse("Shift+a", keys), 2);
    check_key(&keys[1], "A", "KeyA", "A", 65);
    ck_assert_uint_eq(aper__keys_parse("Control++", keys), 2);
    check_key(&keys[1], "+", "Equal", "", 187);
    ck_assert_uint_eq(aper__keys_parse("Control", keys), 1);
    ck_assert_uint_eq(keys[0].modifier, APER_MODIFIER_CONTROL);
}
END_TEST

START_TEST(what_is_no_chord_is_refused)
{
    static const char *const bad[] = {
        "", "Entre", "a+b", "Control+", "ab", "F0", "F25", "F1x", "\n",
        "\xff", "Alt+Control+Meta+Shift+Alt+x",
        "a very long name that is no key at all"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_uint_eq(aper__keys_parse(bad[i], keys), 0);
    ck_assert_uint_eq(aper__keys_parse(NULL, keys), 0);
}
END_TEST

SUITE("keys", 10, keys_have_name_code_text_and_number,
      chords_are_modifiers_and_one_key, what_is_no_chord_is_refused)
