/* SPDX-License-Identifier: Apache-2.0 */
/* The main() of a Check program: one suite, one case, these tests. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* timeout is in seconds and only there to end a test that hangs. */
static inline int suite_run(const char *name, const TTest *const *tests,
                            size_t count, double timeout)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create(name);
    tcase_set_timeout(all, timeout);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SUITE("name", 30, test_a, test_b) at the end of a file. */
#define SUITE(name, timeout, ...)                                            \
    int main(void)                                                           \
    {                                                                        \
        const TTest *const tests[] = {__VA_ARGS__};                          \
        return suite_run(name, tests, sizeof tests / sizeof tests[0],        \
                         timeout);                                           \
    }

#endif
