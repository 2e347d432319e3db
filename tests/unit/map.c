/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define MANY 5000

static int values[MANY];

static const char *key_of(unsigned i)
{
    static char key[32];
    snprintf(key, sizeof key, "key %u", i);
    return key;
}

static aper__map *filled(unsigned count)
{
    aper__map *map = aper__map_new();
    for (unsigned i = 0; i < count; i++)
        ck_assert_int_eq(aper__map_set(map, key_of(i), &values[i], NULL),
                         APER_OK);
    return map;
}

START_TEST(what_was_set_is_found)
{
    aper__map *map = filled(MANY);
    ck_assert_uint_eq(aper__map_count(map), MANY);
    for (unsigned i = 0; i < MANY; i++)
        ck_assert_ptr_eq(aper__map_get(map, key_of(i)), &values[i]);
    ck_assert_ptr_null(aper__map_get(map, "other"));
    aper__map_free(map, NULL);
}
END_TEST

START_TEST(setting_again_replaces_and_returns_the_old)
{
    aper__map *map = filled(1);
    void *old = NULL;
    ck_assert_int_eq(aper__map_set(map, "key 0", &values[1], &old), APER_OK);
    ck_assert_ptr_eq(old, &values[0]);
    ck_assert_uint_eq(aper__map_count(map), 1);
    ck_assert_ptr_eq(aper__map_get(map, "key 0"), &values[1]);
    aper__map_set(map, "new", &values[2], &old);
    ck_assert_ptr_null(old);
    aper__map_free(map, NULL);
}
END_TEST

START_TEST(removing_some_leaves_the_others_reachable)
{
    aper__map *map = filled(MANY);
    for (unsigned i = 0; i < MANY; i += 3)
        ck_assert_ptr_eq(aper__map_remove(map, key_of(i)), &values[i]);
    ck_assert_ptr_null(aper__map_remove(map, key_of(0)));
    for (unsigned i = 0; i < MANY; i++)
        ck_assert_ptr_eq(aper__map_get(map, key_of(i)),
                         i % 3 == 0 ? NULL : &values[i]);
    ck_assert_uint_eq(aper__map_count(map), MANY - (MANY + 2) / 3);
    aper__map_free(map, NULL);
}
END_TEST

START_TEST(walking_meets_every_entry_once)
{
    aper__map *map = filled(MANY);
    static unsigned char met[MANY];
    size_t cursor = 0;
    const char *key;
    void *value;
    size_t count = 0;
    while (aper__map_next(map, &cursor, &key, &value)) {
        size_t i = (size_t)((int *)value - values);
        ck_assert_str_eq(key, key_of((unsigned)i));
        ck_assert_int_eq(met[i]++, 0);
        count++;
    }
    ck_assert_uint_eq(count, MANY);
    aper__map_free(map, NULL);
}
END_TEST

static unsigned freed;

static void count_free(void *value)
{
    (void)value;
    freed++;
}

START_TEST(an_empty_map_is_harmless)
{
    aper__map *map = aper__map_new();
    size_t cursor = 0;
    ck_assert(!aper__map_next(map, &cursor, NULL, NULL));
    ck_assert_ptr_null(aper__map_get(map, ""));
    ck_assert_ptr_null(aper__map_remove(map, ""));
    aper__map_set(map, "", &values[0], NULL);
    ck_assert_ptr_eq(aper__map_get(map, ""), &values[0]);
    aper__map_free(map, count_free);
    ck_assert_uint_eq(freed, 1);
    aper__map_free(NULL, NULL);
}
END_TEST

START_TEST(without_memory_a_set_changes_nothing)
{
    for (unsigned n = 1; n <= 2; n++) {
        aper__map *map = filled(6);
        aper__alloc_fail_at(n, true);
        ck_assert_int_eq(aper__map_set(map, "seventh", &values[7], NULL),
                         APER_E_NOMEM);
        aper__alloc_fail_at(0, false);
        ck_assert_uint_eq(aper__map_count(map), 6);
        ck_assert_ptr_null(aper__map_get(map, "seventh"));
        for (unsigned i = 0; i < 6; i++)
            ck_assert_ptr_eq(aper__map_get(map, key_of(i)), &values[i]);
        aper__map_free(map, NULL);
    }
}
END_TEST

SUITE("map", 30, what_was_set_is_found,
      setting_again_replaces_and_returns_the_old,
      removing_some_leaves_the_others_reachable,
      walking_meets_every_entry_once, an_empty_map_is_harmless,
      without_memory_a_set_changes_nothing)
