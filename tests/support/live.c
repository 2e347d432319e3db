/* SPDX-License-Identifier: Apache-2.0 */
#include "live.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void live_check(const char *file, int line, aper_status want, aper_status got,
                aper_error *error)
{
    char text[512];
    snprintf(text, sizeof(text), "%s", aper_error_get_message(error));
    aper_error_unref(error);
    if (want != got)
        ck_abort_msg("%s:%d: %s instead of %s: %s", file, line,
                     aper_status_get_name(got), aper_status_get_name(want),
                     text);
}

aper_browser *live_launch(void)
{
    aper_launch_options options = { .size = sizeof(options) };
    options.no_sandbox = geteuid() == 0;
    options.allow_eval = 1;
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_status status = aper_browser_launch(&options, &browser, &error);
    LIVE_CHECK(APER_OK, status, error);
    return browser;
}

aper_browser *live_attach(const char *endpoint)
{
    aper_attach_options options = { .size = sizeof(options), .allow_eval = 1 };
    aper_browser *browser = NULL;
    aper_error *error = NULL;
    aper_status status = aper_browser_attach(endpoint, &options, &browser,
                                             &error);
    LIVE_CHECK(APER_OK, status, error);
    return browser;
}

aper_tab *live_open(aper_browser *browser, site *server, const char *path)
{
    char *url = site_url(server, NULL, path);
    aper_open_options options = { .size = sizeof(options), .url = url };
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_open(browser, &options, &tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    free(url);
    return tab;
}

aper_navigation *live_go(aper_tab *tab, site *server, const char *path)
{
    char *url = site_url(server, NULL, path);
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_navigate(tab, url, NULL, &navigation,
                                           &error);
    LIVE_CHECK(APER_OK, status, error);
    free(url);
    return navigation;
}

aper_event *live_event(aper_browser *browser, uint32_t kind)
{
    for (;;) {
        aper_event *event = NULL;
        aper_status status = aper_browser_next_event(browser, LIVE_WAIT_MS,
                                                     &event);
        if (status != APER_OK)
            ck_abort_msg("no event of kind %u: %s", kind,
                         aper_status_get_name(status));
        if (aper_event_get_kind(event) == kind)
            return event;
        aper_event_unref(event);
    }
}

aper_event *live_completion(aper_browser *browser, uint64_t tag)
{
    for (;;) {
        aper_event *event = live_event(browser, APER_EVENT_COMPLETION);
        if (aper_event_get_tag(event) == tag)
            return event;
        aper_event_unref(event);
    }
}

char *live_eval(aper_tab *tab, const char *source)
{
    char *json = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_eval(tab, source, 0, &json, &error);
    LIVE_CHECK(APER_OK, status, error);
    return json;
}

void live_eval_later(aper_tab *tab, const char *source)
{
    size_t size = strlen(source) + 64;
    char *later = malloc(size);
    ck_assert_ptr_nonnull(later);
    snprintf(later, size, "setTimeout(() => { %s }, 0), 1", source);
    aper_free(live_eval(tab, later));
    free(later);
}

char *live_make_dir(void)
{
    char *dir = strdup("/tmp/aperture-test-XXXXXX");
    ck_assert_ptr_nonnull(dir);
    ck_assert_ptr_nonnull(mkdtemp(dir));
    return dir;
}

static int remove_entry(const char *path, const struct stat *info, int type,
                        struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

void live_remove_dir(char *dir)
{
    nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

int live_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
