/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/rulings.h"
#include "diff/volatile.h"
#include "state.h"
#include "suite.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define RULINGS (sizeof aper__rulings / sizeof aper__rulings[0])

/* The columns of an entry as the page script sends them; a clock in each that
 * may hold one, so that what may be left as told is. */
typedef struct field {
    const char *name;
    const char *now; /* what it is changed into */
} field;
static const field fields[] = {
    {"id", "9"}, {"depth", "2"}, {"flow", " "}, {"role", "group"},
    {"level", "2"}, {"ref", "e100002"}, {"name", "at 10:00:01"},
    {"value", "12:00:01"}, {"states", "hidden"},
    {"href", "http://h/b"}, {"note", "[11:00:01]"}, {"twin", "e100009*"},
};
static const char *const before[] = {
    "3", "1", "", "image", "", "", "at 10:00:00", "12:00:00", "", "http://h/a",
    "[11:00:00]"};
#define COLUMNS (sizeof before / sizeof before[0])

static const struct aper__ruling *ruling_of(const char *name, size_t size)
{
    for (size_t i = 0; i < RULINGS; i++)
        if (strlen(aper__rulings[i].field) == size
            && strncmp(aper__rulings[i].field, name, size) == 0)
            return &aper__rulings[i];
    return NULL;
}

/* A page with one entry of those columns. */
static aper_snapshot *page_of(const char *const columns[COLUMNS],
                              int64_t read_ms)
{
    aper__buf out = {0};
    aper_snapshot *state = NULL;
    aper__buf_puts(&out, "+1\t0\t\tpage\t\t\tT\t\t\thttp://h/\t\n"
                         "+2\t1\t\tgroup\t\t\tG\t\t\t\t\n+");
    for (size_t i = 0; i < COLUMNS; i++)
        aper__buf_printf(&out, "%s%s", i ? "\t" : "", columns[i]);
    aper__buf_puts(&out, "\n+4\t1\t\ttext\t\t\tone\t\t\t\t"
                         "\n+5\t1\t\ttext\t\t\ttwo\t\t\t\t"
                         "\n+6\t1\t\ttext\t\t\tthree\t\t\t\t");
    char *entries = aper__buf_take(&out);
    ck_assert_int_eq(state_make(entries, "tab", "doc", 0, &state),
                     APER_OK);
    aper__dealloc(entries);
    state->read_ms = read_ms;
    return state;
}

/* The outcome when nothing but that column changed within a second. */
static aper__ruling_kind outcome(const char *const columns[COLUMNS],
                                 size_t column, const char *now)
{
    const char *changed[COLUMNS];
    aper__buf script = {0};
    aper_diff *diff = NULL;
    memcpy(changed, columns, sizeof changed);
    changed[column] = now;
    aper_snapshot *old = page_of(columns, 1000);
    aper_snapshot *new = page_of(changed, 2000);
    aper__told *told = aper__told_new(old);
    aper__shapes *shapes = aper__shapes_new();
    const aper__watch watch = {shapes, 2000, false, ""};
    const aper__diff_how how = {100, &watch};
    ck_assert_int_eq(aper__diff_new(told, new, &diff), APER_OK);
    ck_assert_int_eq(aper__diff_find(diff, &how, &script), APER_OK);
    ck_assert(!aper_diff_is_reset(diff));
    aper__ruling_kind kind = APER__RULING_EXCLUDED;
    if (aper_diff_get_volatile_count(diff))
        kind = APER__RULING_CONTENT;
    else if (aper_diff_get_op_count(diff))
        kind = APER__RULING_STRUCTURE;
    aper__buf_free(&script);
    aper_diff_unref(diff);
    aper__shapes_free(shapes);
    aper__told_unref(told);
    aper_snapshot_unref(old);
    aper_snapshot_unref(new);
    return kind;
}

static size_t column_of(const char *name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return i;
    return 5; /* the star is part of the ref */
}

START_TEST(each_field_is_treated_as_ruled)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const field *f = &fields[i];
        const struct aper__ruling *ruling = ruling_of(f->name,
                                                      strlen(f->name));
        const char *columns[COLUMNS];
        memcpy(columns, before, sizeof columns);
        if (strcmp(f->name, "twin") == 0)
            columns[5] = "e100009";
        ck_assert_ptr_nonnull(ruling);
        ck_assert_msg(outcome(columns, column_of(f->name), f->now)
                          == ruling->kind, "%s is treated otherwise",
                      f->name);
    }
}
END_TEST

START_TEST(what_has_a_ref_is_told_whatever_changed)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *columns[COLUMNS];
        memcpy(columns, before, sizeof columns);
        columns[5] = "e100001";
        ck_assert_msg(outcome(columns, i, fields[i].now)
                          == (i ? APER__RULING_STRUCTURE
                                : APER__RULING_EXCLUDED),
                      "%s", fields[i].name);
    }
}
END_TEST

/* The names that a struct of src/page/view.h declares. */
static size_t check_struct(const char *source, const char *name)
{
    char start[80];
    size_t count = 0;
    snprintf(start, sizeof start, "typedef struct %s {", name);
    const char *at = strstr(source, start);
    ck_assert_ptr_nonnull(at);
    const char *end = strchr(at, '}');
    for (at = strchr(at, '{'); (at = strchr(at, ';')) && at < end; at++) {
        const char *last = at[-1] == ']' ? strchr(at - 3, '[') : at;
        const char *first = last;
        while (isalnum((unsigned char)first[-1]) || first[-1] == '_')
            first--;
        if (strchr("* ", first[-1]) == NULL)
            continue; /* a semicolon in a comment */
        ck_assert_msg(ruling_of(first, (size_t)(last - first)),
                      "%.*s of %s has no ruling", (int)(last - first), first,
                      name);
        count++;
    }
    return count;
}

START_TEST(every_field_has_a_ruling)
{
    static char source[100000];
    FILE *file = fopen(SOURCE_DIR "/page/view.h", "r");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(source, 1, sizeof source - 1, file);
    fclose(file);
    source[size] = '\0';
    /* Comments may hold anything. */
    for (char *at; (at = strstr(source, "/*"));)
        memset(at, ' ', (size_t)(strstr(at, "*/") + 2 - at));
    size_t count = check_struct(source, "aper__entry")
                   + check_struct(source, "aper__item");
    ck_assert_uint_eq(count, RULINGS);
}
END_TEST

SUITE("rulings", 60, each_field_is_treated_as_ruled,
      what_has_a_ref_is_told_whatever_changed, every_field_has_a_ruling)
