/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"
#include "suite.h"

#include <string.h>

#define PAGE "+1\t0\t\tpage\t\t\tTitle\t\t\thttps://example.org/\t"
#define TEXT(id, flow, name) "\n+" id "\t1\t" flow "\ttext\t\t\t" name "\t\t\t\t"
#define THREE PAGE TEXT("2", "", "a") TEXT("3", "", "b") TEXT("4", "", "c")

static aper_status patch(const aper__view *old, const char *text,
                         aper__view *ret_view)
{
    return aper__view_patch(old, text, ret_view);
}

/* The names of a view's entries, one letter each. */
static const char *names(const aper__view *view)
{
    static char out[64];
    size_t i = 0;
    for (; i < view->count && i < sizeof out - 1; i++)
        out[i] = view->items[i].entry->name[0];
    out[i] = '\0';
    return out;
}

static void check_patch(const char *text, const char *wanted)
{
    aper__view old = {0}, now = {0};
    ck_assert_int_eq(patch(&(aper__view){0}, THREE, &old), APER_OK);
    ck_assert_str_eq(names(&old), "Tabc");
    ck_assert_int_eq(patch(&old, text, &now), APER_OK);
    ck_assert_str_eq(names(&now), wanted);
    aper__view_clear(&old);
    aper__view_clear(&now);
}

START_TEST(a_patch_keeps_drops_and_brings)
{
    check_patch("=4", "Tabc");
    check_patch("=2\n-1\n=1", "Tac");
    check_patch("=2" TEXT("9", "", "x") "\n=2", "Taxbc");
    check_patch("-4\n" PAGE TEXT("9", "", "x"), "Tx");
    check_patch("=1\n-3" TEXT("4", "", "c") TEXT("2", "", "a"), "Tca");
}
END_TEST

START_TEST(kept_entries_are_the_same_objects)
{
    aper__view old = {0}, now = {0};
    ck_assert_int_eq(patch(&(aper__view){0}, THREE, &old), APER_OK);
    ck_assert_int_eq(patch(&old, "=2" TEXT("9", "", "x") "\n-1\n=1", &now),
                     APER_OK);
    ck_assert_ptr_eq(old.items[1].entry, now.items[1].entry);
    ck_assert_ptr_eq(old.items[3].entry, now.items[3].entry);
    aper__view_clear(&old);
    ck_assert_str_eq(names(&now), "Taxc");
    aper__view_clear(&now);
}
END_TEST

START_TEST(a_patch_that_does_not_fit_is_refused)
{
    static const char *const bad[] = {
        "", "=3", "=5", "=4\n=1", "-4", "-4\n=1", "=2\n=-2", "=2\n=x", "=",
        "=4\n", "\n=4", "= 4", "=00000000000000000004", "*4", "4",
        "=1\n-1\n=2\n+5\t3\t\ttext\t\t\tx\t\t\t\t", "=4\n+5",
        "=4\n+x\t1\t\ttext\t\t\tx\t\t\t\t",
        "=4\n+5\t1\t,\ttext\t\t\tx\t\t\t\t",
        "=4\n+5\t1\t\tText\t\t\tx\t\t\t\t",
        "=4\n+5\t1\t\ttext\tx\t\tx\t\t\t\t",
        "=4\n+5\t1\t\ttext\t\te12\tx\t\t\t\t",
        "=4\n+5\t1\t\ttext\t\t\tx\t\t\t\t\t",
        "=4\n+5\t1001\t\ttext\t\t\tx\t\t\t\t",
        "-4\n+5\t0\t \tpage\t\t\tx\t\t\t\t"};
    aper__view old = {0}, now = {0};
    ck_assert_int_eq(patch(&(aper__view){0}, THREE, &old), APER_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(patch(&old, bad[i], &now) == APER_E_PROTOCOL,
                      "'%s' was taken", bad[i]);
        ck_assert_ptr_null(now.items);
        ck_assert_str_eq(names(&old), "Tabc");
    }
    aper__view_clear(&old);
}
END_TEST

START_TEST(without_memory_nothing_is_lost)
{
    aper__view old = {0}, now = {0};
    ck_assert_int_eq(patch(&(aper__view){0}, THREE, &old), APER_OK);
    aper_status status = APER_E_NOMEM;
    for (uint64_t n = 1; status == APER_E_NOMEM; n++) {
        aper__alloc_fail_at(n, true);
        status = patch(&old, "=2" TEXT("9", "", "x") "\n=2", &now);
        aper__alloc_fail_at(0, false);
        ck_assert(status == APER_OK || status == APER_E_NOMEM);
        ck_assert_str_eq(names(&old), "Tabc");
        ck_assert_uint_lt(n, 100);
    }
    ck_assert_str_eq(names(&now), "Taxbc");
    aper__view_clear(&old);
    aper__view_clear(&now);
}
END_TEST

START_TEST(json_has_the_same_tree)
{
    aper_snapshot *s = NULL;
    char *json = NULL;
    ck_assert_int_eq(state_make(
        PAGE "\n+2\t1\t\tlistitem\t\t\t\t\t\t\t"
        "\n+3\t2\t \tlink\t\te222222*\ta \"b\" \\\t\t\thttps://h/t\t"
        "\n+4\t1\t\tcheckbox\t\te123456\tAll\t\tmixed disabled\t\t"
        "\n+5\t1\t\tmore\t\t\t\t\t\t\t7 more row", "tab", "doc", 0, &s),
        APER_OK);
    ck_assert_int_eq(aper_snapshot_to_json(s, &json), APER_OK);
    ck_assert_str_eq(json,
        "{\"id\":\"1.0\",\"url\":\"https://example.org/\",\"title\":\"Title\","
        "\"page\":{\"role\":\"page\",\"name\":\"Title\","
        "\"href\":\"https://example.org/\",\"children\":["
        "{\"role\":\"listitem\",\"children\":[{\"role\":\"link\","
        "\"ref\":\"e222222\",\"positional\":true,"
        "\"name\":\"a \\\"b\\\" \\\\\",\"href\":\"https://h/t\"}]},"
        "{\"role\":\"checkbox\",\"ref\":\"e123456\",\"name\":\"All\","
        "\"states\":[\"mixed\",\"disabled\"]},"
        "{\"role\":\"more\",\"note\":\"7 more row\"}]}}");
    aper_free(json);
    ck_assert_int_eq(aper_snapshot_to_json(NULL, &json), APER_E_INVAL);
    ck_assert_int_eq(aper_snapshot_to_json(s, NULL), APER_E_INVAL);
    aper_snapshot_unref(s);
}
END_TEST

SUITE("view", 60, a_patch_keeps_drops_and_brings,
      kept_entries_are_the_same_objects, a_patch_that_does_not_fit_is_refused,
      without_memory_nothing_is_lost, json_has_the_same_tree)
