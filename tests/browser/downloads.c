/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* sha256 of n bytes 'x' and of "hello", by another program. */
#define SHA_1000_X                                                            \
    "44f8354494a5ba03ba1792a8d3e9c534c47a9181980fde7a3f44b06ef2ae7c7f"
#define SHA_HELLO                                                             \
    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

static char *dir;

static void start(void)
{
    fixture_start();
    dir = live_make_dir();
}

static void finish(void)
{
    fixture_stop();
    live_remove_dir(dir);
}

static void set_dir(void)
{
    aper_error *error = NULL;
    aper_status status = aper_browser_set_download_dir(browser, dir, &error);
    LIVE_CHECK(APER_OK, status, error);
}

/* The next download event in the state. */
static aper_event *wait_for(uint32_t state)
{
    for (;;) {
        aper_event *event = live_event(browser, APER_EVENT_DOWNLOAD);
        uint32_t got = aper_download_get_state(
            aper_event_get_download(event));
        if (got == state)
            return event;
        ck_assert_uint_eq(got, APER_DOWNLOAD_RUNNING);
        aper_event_unref(event);
    }
}

static void check_content(const char *path, const char *wanted, size_t size)
{
    char *content = malloc(size + 1);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(content, 1, size + 1, file), size);
    fclose(file);
    ck_assert_int_eq(memcmp(content, wanted, size), 0);
    free(content);
}

static void go_download(const char *path)
{
    aper_navigation *navigation = live_go(tab, server, path);
    ck_assert_uint_eq(aper_navigation_get_kind(navigation),
                      APER_NAVIGATION_DOWNLOAD);
    aper_navigation_unref(navigation);
}

START_TEST(a_download_is_refused_until_a_directory_is_set)
{
    show("/blank.html");
    go_download("/download?name=a.txt&size=10");
    aper_event *event = wait_for(APER_DOWNLOAD_REFUSED);
    aper_download *download = aper_event_get_download(event);
    ck_assert_str_eq(aper_download_get_name(download), "a.txt");
    ck_assert_str_eq(aper_download_get_path(download), "");
    ck_assert_str_eq(aper_event_get_tab_id(event), aper_tab_get_id(tab));
    aper_event_unref(event);
}
END_TEST

START_TEST(a_finished_file_has_name_size_and_hash)
{
    set_dir();
    show("/blank.html");
    go_download("/download?name=a.txt&size=1000");
    aper_event *event = wait_for(APER_DOWNLOAD_COMPLETE);
    aper_download *download = aper_event_get_download(event);
    ck_assert_str_eq(aper_download_get_name(download), "a.txt");
    ck_assert_uint_eq(aper_download_get_size(download), 1000);
    ck_assert_str_eq(aper_download_get_sha256(download), SHA_1000_X);
    ck_assert_str_eq(aper_event_get_tab_id(event), aper_tab_get_id(tab));
    ck_assert_ptr_nonnull(strstr(aper_download_get_url(download),
                                 "/download?name=a.txt"));
    const char *path = aper_download_get_path(download);
    ck_assert_str_eq(strrchr(path, '/'), "/a.txt");
    ck_assert_int_eq(strncmp(path, dir, strlen(dir)), 0);
    char wanted[1000];
    memset(wanted, 'x', sizeof(wanted));
    check_content(path, wanted, sizeof(wanted));
    aper_event_unref(event);
}
END_TEST

START_TEST(no_file_is_ever_replaced)
{
    set_dir();
    show("/blank.html");
    static const char *const names[] = { "a.txt", "a (2).txt", "a (3).txt" };
    for (size_t i = 0; i < 3; i++) {
        go_download("/download?name=a.txt&size=1000");
        aper_event *event = wait_for(APER_DOWNLOAD_COMPLETE);
        aper_download *download = aper_event_get_download(event);
        ck_assert_str_eq(aper_download_get_name(download), names[i]);
        aper_event_unref(event);
    }
}
END_TEST

START_TEST(what_a_page_makes_up_is_saved_as_well)
{
    set_dir();
    show("/downloads.html");
    static const char *const scripts[] = {
        "save(URL.createObjectURL(new Blob(['hello'])), '../b\\u202eg.txt')",
        "save('data:text/plain,hello', '.d.txt')"
    };
    for (size_t i = 0; i < 2; i++) {
        aper_free(live_eval(tab, scripts[i]));
        aper_event *event = wait_for(APER_DOWNLOAD_COMPLETE);
        aper_download *download = aper_event_get_download(event);
        ck_assert_str_eq(aper_download_get_sha256(download), SHA_HELLO);
        const char *name = aper_download_get_name(download);
        ck_assert_ptr_null(strchr(name, '/'));
        ck_assert_ptr_null(strstr(name, "\xE2\x80\xAE"));
        ck_assert_int_ne(name[0], '.');
        ck_assert_str_eq(name + strlen(name) - 4, ".txt");
        check_content(aper_download_get_path(download), "hello", 5);
        aper_event_unref(event);
    }
}
END_TEST

START_TEST(closing_leaves_only_finished_files)
{
    set_dir();
    show("/blank.html");
    go_download("/download?name=done.txt&size=1000");
    aper_event_unref(wait_for(APER_DOWNLOAD_COMPLETE));
    aper_tab_unref(tab);
    show("/downloads.html");
    char *url = site_url(server, NULL, "/download?name=part&size=99999&stall=1");
    char script[300];
    snprintf(script, sizeof(script), "save('%s', 'part')", url);
    aper_free(live_eval(tab, script));
    free(url);
    aper_event_unref(wait_for(APER_DOWNLOAD_RUNNING));
    aper_tab_unref(tab);
    tab = NULL;
    aper_browser_close(browser);
    ck_assert_uint_eq(leaks_entries(dir), 1);
}
END_TEST

START_TEST(a_directory_that_cannot_be_used_is_refused)
{
    ck_assert_int_eq(aper_browser_set_download_dir(browser, NULL, NULL),
                     APER_E_INVAL);
    ck_assert_int_eq(aper_browser_set_download_dir(browser, "", NULL),
                     APER_E_INVAL);
    aper_error *error = NULL;
    ck_assert_int_eq(aper_browser_set_download_dir(browser,
                                                   "/nonexistent/dir",
                                                   &error),
                     APER_E_IO);
    ck_assert_ptr_nonnull(strstr(aper_error_get_message(error),
                                 "download directory"));
    aper_error_unref(error);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("downloads");
    TCase *all = tcase_create("downloads");
    tcase_set_timeout(all, 90);
    tcase_add_checked_fixture(all, start, finish);
    tcase_add_test(all, a_download_is_refused_until_a_directory_is_set);
    tcase_add_test(all, a_finished_file_has_name_size_and_hash);
    tcase_add_test(all, no_file_is_ever_replaced);
    tcase_add_test(all, what_a_page_makes_up_is_saved_as_well);
    tcase_add_test(all, closing_leaves_only_finished_files);
    tcase_add_test(all, a_directory_that_cannot_be_used_is_refused);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
