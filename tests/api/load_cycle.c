/* SPDX-License-Identifier: Apache-2.0 */
/* The library comes and goes with dlopen() and dlclose(), as a plug-in of some
 * host, and takes everything along that it made. Not linked with it. */
#include "suite.h"

#include <aperture/aperture.h>

#include <dirent.h>
#include <dlfcn.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* A symbol of the loaded library, in a variable of its type. */
#define LOAD(library, name)                                                  \
    __typeof__(&name) load_##name;                                           \
    *(void **)&load_##name = dlsym(library, #name);                          \
    ck_assert_msg(load_##name != NULL, "%s is not there", #name)

static void *open_library(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    ck_assert_msg(library != NULL, "%s", dlerror());
    return library;
}

static unsigned count_entries(const char *path)
{
    DIR *directory = opendir(path);
    unsigned count = 0;

    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

/* Goes as far as one can without a browser: the I/O thread starts, a connection
 * is tried and refused. */
static void use_library(void *library)
{
    LOAD(library, aper_version_get_number);
    LOAD(library, aper_browser_attach);
    LOAD(library, aper_error_get_status);
    LOAD(library, aper_error_get_message);
    LOAD(library, aper_error_unref);
    aper_browser *browser = NULL;
    aper_error *error = NULL;

    ck_assert_uint_eq(load_aper_version_get_number(), APER_VERSION_NUMBER);
    ck_assert_int_eq(
        load_aper_browser_attach("127.0.0.1:1", NULL, &browser, &error),
        APER_E_CONNECT);
    ck_assert_ptr_null(browser);
    ck_assert_int_eq(load_aper_error_get_status(error), APER_E_CONNECT);
    ck_assert_str_ne(load_aper_error_get_message(error), "");
    load_aper_error_unref(error);
}

START_TEST(every_symbol_is_resolved_at_load)
{
    void *library = open_library();

    ck_assert_int_eq(dlclose(library), 0);
}
END_TEST

START_TEST(internal_symbols_are_not_reachable)
{
    void *library = open_library();

    ck_assert_ptr_nonnull(dlsym(library, "aper_free"));
    ck_assert_ptr_null(dlsym(library, "aper__alloc"));
    ck_assert_ptr_null(dlsym(library, "aper__error_set"));
    dlclose(library);
}
END_TEST

START_TEST(loading_and_unloading_leaves_no_descriptor_and_no_thread)
{
    unsigned descriptors = 0;
    unsigned threads = 0;

    for (int round = 0; round < 20; round++) {
        void *library = open_library();

        use_library(library);
        ck_assert_int_eq(dlclose(library), 0);
        if (round == 0) { /* what the C library itself opens stays open */
            descriptors = count_entries("/proc/self/fd");
            threads = count_entries("/proc/self/task");
        }
    }
    ck_assert_uint_eq(count_entries("/proc/self/fd"), descriptors);
    ck_assert_uint_eq(count_entries("/proc/self/task"), threads);
}
END_TEST

START_TEST(unloaded_library_is_gone)
{
    void *library = open_library();

    use_library(library);
    ck_assert_int_eq(dlclose(library), 0);
    ck_assert_ptr_null(dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD));
}
END_TEST

static void nothing(int number)
{
    (void)number;
}

START_TEST(signals_locale_and_environment_stay_the_hosts)
{
    static const int numbers[] = {SIGPIPE, SIGCHLD, SIGTERM, SIGINT, SIGALRM};
    size_t count = sizeof(numbers) / sizeof(numbers[0]);
    struct sigaction mine = {.sa_handler = nothing};
    struct sigaction after;
    sigset_t mask_before;
    sigset_t mask_after;
    char **environment = environ;
    char *locale;
    void *library;

    for (size_t i = 0; i < count; i++)
        sigaction(numbers[i], &mine, NULL);
    sigprocmask(SIG_SETMASK, NULL, &mask_before);
    setenv("APERTURE_TEST", "unchanged", 1);
    environment = environ;
    locale = strdup(setlocale(LC_ALL, NULL));

    library = open_library();
    use_library(library);
    dlclose(library);

    for (size_t i = 0; i < count; i++) {
        sigaction(numbers[i], NULL, &after);
        ck_assert_ptr_eq((void *)after.sa_handler, (void *)nothing);
    }
    sigprocmask(SIG_SETMASK, NULL, &mask_after);
    for (int number = 1; number < SIGRTMIN; number++)
        ck_assert_int_eq(sigismember(&mask_before, number),
                         sigismember(&mask_after, number));
    ck_assert_ptr_eq(environ, environment);
    ck_assert_str_eq(getenv("APERTURE_TEST"), "unchanged");
    ck_assert_str_eq(setlocale(LC_ALL, NULL), locale);
    free(locale);
}
END_TEST

SUITE("load_cycle", 60, every_symbol_is_resolved_at_load,
      internal_symbols_are_not_reachable,
      loading_and_unloading_leaves_no_descriptor_and_no_thread,
      unloaded_library_is_gone,
      signals_locale_and_environment_stay_the_hosts)
