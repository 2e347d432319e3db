/* SPDX-License-Identifier: Apache-2.0 */
#include "browser/user_agent.h"
#include "suite.h"

#include <stdio.h>

#define START "Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) %s"

typedef struct wanted {
    const char *machine;
    const char *products;
    const char *platform; /* navigator.platform */
    const char *brands; /* NULL: sends no client hints */
    const char *system;
    const char *version;
    const char *model;
    int mobile;
} wanted;

/* The brands are those of real releases, in their order. */
static const wanted cases[] = {
    { "Windows NT 10.0; Win64; x64", "Chrome/140.0.7339.80 Safari/537.36",
      "Win32", "Chromium 140, Not=A?Brand 24, Google Chrome 140", "Windows",
      "10.0.0", "", 0 },
    { "Windows NT 10.0; Win64; x64",
      "Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51", "Win32",
      "Chromium 124, Microsoft Edge 124, Not-A.Brand 99", "Windows", "10.0.0",
      "", 0 },
    { "Macintosh; Intel Mac OS X 10_15_7", "Chrome/120.0.0.0 Safari/537.36",
      "MacIntel", "Not_A Brand 8, Chromium 120, Google Chrome 120", "macOS",
      "10.15.7", "", 0 },
    { "Linux; Android 10; K", "Chrome/140.0.0.0 Mobile Safari/537.36",
      "Linux armv81", "Chromium 140, Not=A?Brand 24, Google Chrome 140",
      "Android", "10", "", 1 },
    { "Linux; Android 14; SM-S918B Build/UP1A", "Chrome/140.0.0.0 Safari/537.36",
      "Linux armv81", "Chromium 140, Not=A?Brand 24, Google Chrome 140",
      "Android", "14", "SM-S918B", 0 },
    { "iPhone; CPU iPhone OS 17_5 like Mac OS X",
      "CriOS/140.0 Mobile Safari/604.1", "iPhone", NULL, "", "", "", 0 },
    { "X11; Linux x86_64; rv:128.0", "Firefox/128.0", "Linux x86_64", NULL, "",
      "", "", 0 },
};

static const char *text(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

START_TEST(hints_are_those_of_the_browser_that_is_named)
{
    const wanted *want = &cases[_i];
    char header[300];
    snprintf(header, sizeof(header), START, want->machine, want->products);
    ck_assert_str_eq(aper__user_agent_platform(header), want->platform);
    json_t *got = aper__user_agent_metadata(header);
    if (want->brands == NULL) {
        ck_assert_ptr_null(got);
        return;
    }
    json_t *list = json_object_get(got, "brands");
    char brands[200];
    snprintf(brands, sizeof(brands), "%s %s, %s %s, %s %s",
             text(json_array_get(list, 0), "brand"),
             text(json_array_get(list, 0), "version"),
             text(json_array_get(list, 1), "brand"),
             text(json_array_get(list, 1), "version"),
             text(json_array_get(list, 2), "brand"),
             text(json_array_get(list, 2), "version"));
    ck_assert_str_eq(brands, want->brands);
    ck_assert_str_eq(text(got, "platform"), want->system);
    ck_assert_str_eq(text(got, "platformVersion"), want->version);
    ck_assert_str_eq(text(got, "model"), want->model);
    ck_assert_int_eq(json_is_true(json_object_get(got, "mobile")),
                     want->mobile);
    json_decref(got);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("user_agent");
    TCase *all = tcase_create("user_agent");
    tcase_add_loop_test(all, hints_are_those_of_the_browser_that_is_named, 0,
                        sizeof(cases) / sizeof(cases[0]));
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
