/* SPDX-License-Identifier: Apache-2.0 */
/* Browser contexts that somebody else made. */
#include "browser/browser.h"
#include "live.h"

#include <stdlib.h>
#include <string.h>

static char *call(aper_browser *browser, const char *method, json_t *params,
                  const char *key)
{
    aper__op op;
    aper__op_init(&op, LIVE_WAIT_MS);
    json_t *result = NULL;
    aper_error *error = NULL;
    aper_status status = aper__browser_call(browser, &op, method, params,
                                            &result, &error);
    LIVE_CHECK(APER_OK, status, error);
    char *value = strdup(aper__json_string(result, key));
    json_decref(result);
    return value;
}

static uint32_t download_in_context(aper_browser *browser, site *server)
{
    char *context = call(browser, "Target.createBrowserContext", NULL,
                         "browserContextId");
    char *id = call(browser, "Target.createTarget",
                    json_pack("{s:s,s:s}", "url", "about:blank",
                              "browserContextId", context), "targetId");
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    aper_status status = aper_browser_find_tab(browser, id, &tab, &error);
    LIVE_CHECK(APER_OK, status, error);
    aper_navigation_unref(live_go(tab, server, "/download?name=a&size=9"));
    uint32_t state = APER_DOWNLOAD_RUNNING;
    while (state == APER_DOWNLOAD_RUNNING) {
        aper_event *event = live_event(browser, APER_EVENT_DOWNLOAD);
        state = aper_download_get_state(aper_event_get_download(event));
        ck_assert_str_eq(aper_event_get_tab_id(event), id);
        aper_event_unref(event);
    }
    aper_tab_unref(tab);
    free(context);
    free(id);
    return state;
}

START_TEST(downloads_of_every_context_obey)
{
    site *server = site_start(PAGES_DIR);
    aper_browser *browser = live_launch();
    char *dir = live_make_dir();
    ck_assert_uint_eq(download_in_context(browser, server),
                      APER_DOWNLOAD_REFUSED);
    aper_error *error = NULL;
    aper_status status = aper_browser_set_download_dir(browser, dir, &error);
    LIVE_CHECK(APER_OK, status, error);
    ck_assert_uint_eq(download_in_context(browser, server),
                      APER_DOWNLOAD_COMPLETE);
    aper_browser_close(browser);
    aper_browser_unref(browser);
    live_remove_dir(dir);
    site_stop(server);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contexts");
    TCase *all = tcase_create("contexts");
    tcase_set_timeout(all, 90);
    tcase_add_test(all, downloads_of_every_context_obey);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
