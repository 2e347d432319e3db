/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct named {
    const char *alias;
    const char *name;
    const char *code;
    const char *text;
    int virtual_key;
    int location;
    unsigned modifier;
} names[] = {
    {"Alt", "Alt", "AltLeft", "", 18, 1, APER_MODIFIER_ALT},
    {"Control", "Control", "ControlLeft", "", 17, 1, APER_MODIFIER_CONTROL},
    {"Ctrl", "Control", "ControlLeft", "", 17, 1, APER_MODIFIER_CONTROL},
    {"Meta", "Meta", "MetaLeft", "", 91, 1, APER_MODIFIER_META},
    {"Cmd", "Meta", "MetaLeft", "", 91, 1, APER_MODIFIER_META},
    {"Command", "Meta", "MetaLeft", "", 91, 1, APER_MODIFIER_META},
    {"Shift", "Shift", "ShiftLeft", "", 16, 1, APER_MODIFIER_SHIFT},
    {"ArrowDown", "ArrowDown", "ArrowDown", "", 40, 0, 0},
    {"ArrowLeft", "ArrowLeft", "ArrowLeft", "", 37, 0, 0},
    {"ArrowRight", "ArrowRight", "ArrowRight", "", 39, 0, 0},
    {"ArrowUp", "ArrowUp", "ArrowUp", "", 38, 0, 0},
    {"Backspace", "Backspace", "Backspace", "", 8, 0, 0},
    {"CapsLock", "CapsLock", "CapsLock", "", 20, 0, 0},
    {"ContextMenu", "ContextMenu", "ContextMenu", "", 93, 0, 0},
    {"Delete", "Delete", "Delete", "", 46, 0, 0},
    {"Del", "Delete", "Delete", "", 46, 0, 0},
    {"Down", "ArrowDown", "ArrowDown", "", 40, 0, 0},
    {"End", "End", "End", "", 35, 0, 0},
    {"Enter", "Enter", "Enter", "\r", 13, 0, 0},
    {"Return", "Enter", "Enter", "\r", 13, 0, 0},
    {"Escape", "Escape", "Escape", "", 27, 0, 0},
    {"Esc", "Escape", "Escape", "", 27, 0, 0},
    {"Home", "Home", "Home", "", 36, 0, 0},
    {"Insert", "Insert", "Insert", "", 45, 0, 0},
    {"Left", "ArrowLeft", "ArrowLeft", "", 37, 0, 0},
    {"PageDown", "PageDown", "PageDown", "", 34, 0, 0},
    {"PageUp", "PageUp", "PageUp", "", 33, 0, 0},
    {"Pause", "Pause", "Pause", "", 19, 0, 0},
    {"PrintScreen", "PrintScreen", "PrintScreen", "", 44, 0, 0},
    {"Right", "ArrowRight", "ArrowRight", "", 39, 0, 0},
    {"Space", " ", "Space", " ", 32, 0, 0},
    {"Tab", "Tab", "Tab", "", 9, 0, 0},
    {"Up", "ArrowUp", "ArrowUp", "", 38, 0, 0},
};

/* Keys of a US keyboard that type neither letter nor digit: plain, with
 * shift. */
static const struct mark {
    char plain;
    char shifted;
    const char *code;
    int virtual_key;
} marks[] = {
    {'`', '~', "Backquote", 192}, {'-', '_', "Minus", 189},
    {'=', '+', "Equal", 187},     {'[', '{', "BracketLeft", 219},
    {']', '}', "BracketRight", 221}, {'\\', '|', "Backslash", 220},
    {';', ':', "Semicolon", 186}, {'\'', '"', "Quote", 222},
    {',', '<', "Comma", 188},     {'.', '>', "Period", 190},
    {'/', '?', "Slash", 191},     {' ', ' ', "Space", 32},
};
static const char shifted_digits[] = ")!@#$%^&*(";

static void set_text(aper__key *key, const char *text)
{
    snprintf(key->name, sizeof key->name, "%s", text);
    snprintf(key->text, sizeof key->text, "%s", text);
}

static void set_place(aper__key *key, const char *prefix, const char *rest,
                      int virtual_key)
{
    snprintf(key->code, sizeof key->code, "%s%s", prefix, rest);
    key->virtual_key = virtual_key;
}

static bool parse_named(const char *name, aper__key *key)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!aper__ascii_caseless_equal(name, names[i].alias))
            continue;
        snprintf(key->name, sizeof key->name, "%s", names[i].name);
        snprintf(key->code, sizeof key->code, "%s", names[i].code);
        snprintf(key->text, sizeof key->text, "%s", names[i].text);
        key->virtual_key = names[i].virtual_key;
        key->location = names[i].location;
        key->modifier = names[i].modifier;
        return true;
    }
    return false;
}

static bool parse_function_key(const char *name, aper__key *key)
{
    char *end;
    if (name[0] != 'F' || name[1] < '1' || name[1] > '9')
        return false;
    long number = strtol(name + 1, &end, 10);
    if (*end || number > 24)
        return false;
    snprintf(key->name, sizeof key->name, "F%ld", number);
    set_place(key, key->name, "", 111 + (int)number);
    return true;
}

static void place_character(char c, aper__key *key)
{
    char letter[2] = {c, '\0'};
    const char *digit = strchr(shifted_digits, c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        letter[0] = (char)(c & ~0x20);
        set_place(key, "Key", letter, letter[0]);
    } else if (c >= '0' && c <= '9') {
        set_place(key, "Digit", letter, c);
    } else if (digit) {
        letter[0] = (char)('0' + (digit - shifted_digits));
        set_place(key, "Digit", letter, letter[0]);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (c == marks[i].plain || c == marks[i].shifted)
            set_place(key, marks[i].code, "", marks[i].virtual_key);
}

/* One character, perhaps of several bytes. */
static bool parse_character(const char *text, aper__key *key)
{
    size_t size = strlen(text);
    if (size == 0 || size > 4 || (unsigned char)text[0] < ' ')
        return false;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xC0) != 0x80)
            return false;
    set_text(key, text);
    if (size == 1)
        place_character(text[0], key);
    return true;
}

static bool parse_key(const char *name, aper__key *key)
{
    memset(key, 0, sizeof *key);
    return parse_character(name, key) || parse_named(name, key)
           || parse_function_key(name, key);
}

/* The end of the key that text begins with; a plus may be a key itself. */
static const char *end_of_key(const char *text)
{
    const char *end = *text ? strchr(text + 1, '+') : NULL;
    return end ? end : text + strlen(text);
}

/* With shift a letter is the capital that it types. */
static void apply_shift(aper__key *key, unsigned modifiers)
{
    if ((modifiers & APER_MODIFIER_SHIFT) && key->name[0] >= 'a'
        && key->name[0] <= 'z' && key->name[1] == '\0') {
        key->name[0] = (char)(key->name[0] & ~0x20);
        key->text[0] = key->name[0];
    }
    if (modifiers & ~(unsigned)APER_MODIFIER_SHIFT)
        key->text[0] = '\0';
}

size_t aper__keys_parse(const char *chord, aper__key keys[APER__CHORD_MAX])
{
    size_t count = 0;
    unsigned modifiers = 0;
    if (!chord || !aper__utf8_is_valid(chord, strlen(chord)))
        return 0;
    for (;;) {
        char name[32];
        const char *end = end_of_key(chord);
        size_t size = (size_t)(end - chord);
        if (size >= sizeof name || count == APER__CHORD_MAX)
            return 0;
        memcpy(name, chord, size);
        name[size] = '\0';
        if (!parse_key(name, &keys[count]))
            return 0;
        if (!*end)
            break;
        /* What is held must be a modifier. */
        if (!keys[count].modifier)
            return 0;
        modifiers |= keys[count++].modifier;
        chord = end + 1;
    }
    apply_shift(&keys[count], modifiers);
    return count + 1;
}
