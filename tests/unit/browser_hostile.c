/* SPDX-License-Identifier: Apache-2.0 */
/* An endpoint that says what no browser would: nothing crashes, nothing waits
 * for ever, memory stays bounded, and a page that is told of properly works. */
#include "browser/internal.h"
#include "fake_pages.h"
#include "hostile.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 60000 /* only ends a test that hangs */
#define OWN 40 /* targets from here on are well told of */

static fake_browser *fake;
static fake_pages pages;
static aper_browser *browser;

static void setup(void)
{
    memset(&pages, 0, sizeof pages);
    pages.made = OWN - 1;
    fake = fake_browser_start(fake_pages_handle, &pages);
    ck_assert_int_eq(aper__browser_open_pipe(fake_browser_take_fd(fake),
                                             PATIENCE_MS, &browser, NULL),
                     APER_OK);
}

static void teardown(void)
{
    aper_browser_unref(browser);
    fake_browser_stop(fake);
}

static aper_tab *open_tab(void)
{
    aper_open_options options = {.size = sizeof options,
                                 .url = "http://fake.test/",
                                 .timeout_ms = PATIENCE_MS};
    aper_tab *tab = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_open(browser, &options, &tab, &error);
    ck_assert_msg(status == APER_OK, "%s", aper_error_get_message(error));
    return tab;
}

/* The answer comes after all that was sent before. */
static size_t count_tabs(void)
{
    aper_tab_list *list = NULL;
    ck_assert_int_eq(aper_browser_list_tabs(browser, &list, NULL), APER_OK);
    size_t count = aper_tab_list_get_count(list);
    aper_tab_list_unref(list);
    return count;
}

static void check_works(void)
{
    count_tabs();
    ck_assert_int_eq(aper_browser_get_state(browser), APER_OK);
    aper_tab *tab = open_tab();
    ck_assert_int_eq(aper_tab_close(tab, NULL), APER_OK);
    aper_tab_unref(tab);
}

static unsigned drain_events(void)
{
    unsigned count = 0;
    aper_event *event = NULL;
    while (aper_browser_next_event(browser, 0, &event) == APER_OK) {
        count++;
        aper_event_unref(event);
    }
    return count;
}

static void tell(const char *session, const char *method, json_t *params)
{
    ck_assert_ptr_nonnull(params);
    fake_pages_tell(fake, session, method, params);
}

static void attach_as(const char *session, const char *target)
{
    tell(NULL, "Target.attachedToTarget",
         json_pack("{s:s,s:{s:s,s:s,s:s}}", "sessionId", session,
                   "targetInfo", "targetId", target, "type", "page", "url",
                   "about:blank"));
}

/* ---- chance ------------------------------------------------------------------ */

/* What a host may do meanwhile; how it ends is no matter. */
static void poke_tabs(void)
{
    for (unsigned n = 1; n <= 6; n++) {
        char id[16];
        aper_tab *tab = NULL;
        aper_log *log = NULL;
        aper_tab_info *info = NULL;
        aper_dialog *dialog = NULL;
        snprintf(id, sizeof id, "T%u", n);
        pthread_mutex_lock(&browser->lock);
        tab = aper__tab_find(browser, id);
        if (tab)
            aper__tab_add_handle(tab);
        pthread_mutex_unlock(&browser->lock);
        if (!tab)
            continue;
        aper_navigate_options soon = {.size = sizeof soon, .timeout_ms = 20};
        aper_tab_navigate(tab, "http://fake.test/x", &soon, NULL, NULL);
        aper_tab_get_console(tab, 0, &log);
        aper_log_unref(log);
        log = NULL;
        aper_tab_get_network(tab, 0, &log);
        aper_log_unref(log);
        aper_tab_describe(tab, &info);
        aper_tab_info_unref(info);
        aper_tab_get_dialog(tab, &dialog);
        aper_dialog_unref(dialog);
        aper_tab_unref(tab);
    }
}

static void send_random(uint64_t seed, unsigned count)
{
    hostile chance = {.next = hostile_next, .state = seed};
    for (unsigned i = 0; i < count; i++) {
        json_t *message = hostile_event(&chance);
        char *text = json_dumps(message, JSON_COMPACT);
        ck_assert_ptr_nonnull(text);
        fake_browser_send_raw(fake, text, strlen(text) + 1);
        free(text);
        json_decref(message);
        if (i % 100 == 99) {
            count_tabs();
            poke_tabs();
            drain_events();
        }
    }
}

START_TEST(random_events_harm_nobody)
{
    char directory[] = "/tmp/apt-hostile-XXXXXX";
    static const char *const hosts[] = {"fake.test", NULL};
    aper_policy_options policy = {.size = sizeof policy, .deny_hosts = hosts,
                                  .deny_private = 1};
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (uint64_t seed = 1; seed <= 4; seed++) {
        setup();
        if (seed % 2)
            ck_assert_int_eq(aper_browser_set_download_dir(browser, directory,
                                                           NULL), APER_OK);
        if (seed % 3 == 0)
            ck_assert_int_eq(aper_browser_set_policy(browser, &policy, NULL),
                             APER_OK);
        send_random(seed, 700);
        ck_assert_int_eq(aper_browser_set_policy(browser, NULL, NULL),
                         APER_OK);
        check_works();
        teardown();
    }
    ck_assert_int_eq(rmdir(directory), 0);
}
END_TEST

/* ---- lies about frames --------------------------------------------------------- */

static void attach_frame(const char *session, const char *id,
                         const char *parent)
{
    tell(session, "Page.frameAttached",
         json_pack("{s:s,s:s}", "frameId", id, "parentFrameId", parent));
}

START_TEST(frames_may_be_their_own_parents)
{
    static const char *const ways[] = {"Page.frameDetached",
                                       "Page.frameNavigated"};
    setup();
    aper_tab *tab = open_tab();
    const char *session = aper__tab_session(tab);
    for (unsigned i = 0; i < 2; i++) {
        attach_frame(session, "A", "A");
        attach_frame(session, "B", "D");
        attach_frame(session, "C", "B");
        attach_frame(session, "D", "C");
        attach_frame(session, aper_tab_get_id(tab), "A");
        for (const char *id = "ABCD"; *id; id++) {
            char name[2] = {*id, '\0'};
            tell(session, ways[i],
                 json_pack("{s:s,s:{s:s,s:s,s:s}}", "frameId", name, "frame",
                           "id", name, "parentId", name, "url", "x:"));
        }
    }
    check_works();
    aper_tab_unref(tab);
    teardown();
}
END_TEST

START_TEST(a_chain_of_frames_is_as_good_as_a_tree)
{
    setup();
    aper_tab *tab = open_tab();
    const char *session = aper__tab_session(tab);
    char id[16];
    char parent[16];
    aper__frame *frames = NULL;
    size_t before = 0;
    size_t count = 0;
    ck_assert_int_eq(aper__tab_frames(tab, &frames, &before), APER_OK);
    aper__frames_free(frames, before);
    snprintf(parent, sizeof parent, "%s", aper_tab_get_id(tab));
    for (unsigned i = 0; i < 6000; i++) {
        snprintf(id, sizeof id, "F%u", i);
        attach_frame(session, id, parent);
        strcpy(parent, id);
    }
    count_tabs();
    ck_assert_int_eq(aper__tab_frames(tab, &frames, &count), APER_OK);
    aper__frames_free(frames, count);
    ck_assert_uint_gt(count, 1000);
    ck_assert_uint_lt(count, 6000);
    tell(session, "Page.frameDetached", json_pack("{s:s}", "frameId", "F0"));
    count_tabs();
    ck_assert_int_eq(aper__tab_frames(tab, &frames, &count), APER_OK);
    aper__frames_free(frames, count);
    ck_assert_uint_eq(count, before);
    check_works();
    aper_tab_unref(tab);
    teardown();
}
END_TEST

/* ---- lies about targets ---------------------------------------------------------- */

START_TEST(sessions_may_come_twice_and_go_unheard_of)
{
    setup();
    for (unsigned i = 0; i < 3; i++) {
        attach_as("S1", "T1");
        attach_as("S1", "T1");
        attach_as("S1", "T2");
        attach_as("S2", "T1");
        attach_as("", "T3");
        tell("S1", "Target.attachedToTarget",
             json_pack("{s:s,s:{s:s,s:s}}", "sessionId", "S1", "targetInfo",
                       "targetId", "T1", "type", "iframe"));
        tell(NULL, "Target.detachedFromTarget",
             json_pack("{s:s}", "sessionId", "S1"));
        tell(NULL, "Target.detachedFromTarget",
             json_pack("{s:s}", "sessionId", "S1"));
        tell(NULL, "Target.targetDestroyed",
             json_pack("{s:s}", "targetId", "T9"));
        tell(NULL, "Target.targetDestroyed",
             json_pack("{s:s}", "targetId", "T1"));
        tell("S1", "Page.frameNavigated", json_object());
        tell("S2", "Page.javascriptDialogOpening", json_object());
    }
    check_works();
    teardown();
}
END_TEST

static void *navigate_for_ever(void *arg)
{
    aper_navigate_options options = {.size = sizeof options,
                                     .timeout_ms = PATIENCE_MS};
    static aper_status status;
    status = aper_tab_navigate(arg, "http://fake.test/y", &options, NULL,
                               NULL);
    return &status;
}

/* The ways in which what a call waits for can go. */
START_TEST(a_call_ends_when_its_page_goes)
{
    static const struct {
        const char *method;
        const char *key;
        bool session;
        aper_status want;
    } ends[] = {
        {"Target.detachedFromTarget", "sessionId", true, APER_E_CLOSED},
        {"Target.targetDestroyed", "targetId", false, APER_E_CLOSED},
        {"Target.targetCrashed", "targetId", false, APER_E_CRASHED},
    };
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        setup();
        aper_tab *tab = open_tab();
        /* From now on nothing comes of it. */
        fake_browser_answer(fake, "Page.navigate", "{\"loaderId\":\"never\"}");
        pthread_t thread;
        void *status;
        ck_assert_int_eq(pthread_create(&thread, NULL, navigate_for_ever, tab),
                         0);
        ck_assert(fake_browser_wait(fake, "Page.navigate", 2));
        tell(NULL, ends[i].method,
             json_pack("{s:s}", ends[i].key,
                       ends[i].session ? aper__tab_session(tab)
                                       : aper_tab_get_id(tab)));
        pthread_join(thread, &status);
        ck_assert_int_eq(*(aper_status *)status, ends[i].want);
        aper_tab_unref(tab);
        teardown();
    }
}
END_TEST

/* ---- too much -------------------------------------------------------------------- */

START_TEST(what_a_page_piles_up_is_bounded)
{
    setup();
    aper_tab *tab = open_tab();
    const char *session = aper__tab_session(tab);
    const char *id = aper_tab_get_id(tab);
    for (unsigned i = 0; i < 5000; i++) {
        char name[16];
        snprintf(name, sizeof name, "X%u", i);
        tell(session, "Network.requestWillBeSent",
             json_pack("{s:s,s:s,s:s,s:s,s:{s:s},s:{s:s}}", "requestId", name,
                       "loaderId", name, "frameId", id, "type", "Document",
                       "request", "url", "http://fake.test/r",
                       "redirectResponse", "url", "http://fake.test/q"));
        tell(session, "Network.requestWillBeSent",
             json_pack("{s:s,s:s,s:s,s:{s:s},s:{s:s}}", "requestId", "same",
                       "loaderId", "same", "frameId", id, "request", "url",
                       "http://fake.test/r", "redirectResponse", "url",
                       "http://fake.test/q"));
        tell(session, "Page.frameStartedNavigating",
             json_pack("{s:s,s:s}", "frameId", id, "loaderId", name));
        tell(NULL, "Browser.downloadWillBegin",
             json_pack("{s:s,s:s,s:s,s:s}", "guid", name, "frameId", id, "url",
                       "http://fake.test/d", "suggestedFilename", "f"));
        tell(session, "Console.messageAdded",
             json_pack("{s:{s:s,s:s}}", "message", "level", "error", "text",
                       "again and again"));
    }
    count_tabs();
    pthread_mutex_lock(&browser->lock);
    ck_assert_uint_le(tab->request_count, 1024);
    ck_assert_uint_le(tab->download_count, 256);
    ck_assert_uint_le(tab->place.visit_count, APER__VISITS);
    for (size_t i = 0; i < tab->place.visit_count; i++)
        ck_assert_uint_le(tab->place.visits[i].redirect_count, 64);
    ck_assert_uint_le(browser->events.page_events, APER__EVENTS_MAX + 1);
    pthread_mutex_unlock(&browser->lock);
    aper_log *log = NULL;
    ck_assert_int_eq(aper_tab_get_console(tab, 0, &log), APER_OK);
    ck_assert_uint_le(aper_log_get_count(log), 500);
    ck_assert_uint_eq(aper_log_get_count(log) + aper_log_get_dropped(log),
                      5000);
    aper_log_unref(log);
    drain_events();
    aper_tab_unref(tab);
    check_works();
    teardown();
}
END_TEST

START_TEST(targets_and_sessions_are_bounded)
{
    setup();
    for (unsigned i = 0; i < 20000; i++) {
        char id[16];
        char session[16];
        char context[16];
        snprintf(id, sizeof id, "N%u", i);
        snprintf(session, sizeof session, "W%u", i);
        snprintf(context, sizeof context, "C%u", i);
        tell(NULL, "Target.targetCreated",
             json_pack("{s:{s:s,s:s,s:s,s:s}}", "targetInfo", "targetId", id,
                       "type", "page", "url", "about:blank",
                       "browserContextId", context));
        tell(NULL, "Target.attachedToTarget",
             json_pack("{s:s,s:{s:s,s:s}}", "sessionId", session,
                       "targetInfo", "targetId", session, "type", "worker"));
        if (i % 1000 == 0)
            count_tabs();
    }
    ck_assert_uint_lt(count_tabs(), 20000);
    pthread_mutex_lock(&browser->lock);
    ck_assert_uint_lt(aper__map_count(browser->sessions), 20000);
    pthread_mutex_unlock(&browser->lock);
    ck_assert_int_eq(aper_browser_get_state(browser), APER_OK);
    for (unsigned i = 0; i < 20000; i++) {
        char id[16];
        snprintf(id, sizeof id, "N%u", i);
        tell(NULL, "Target.targetDestroyed",
             json_pack("{s:s}", "targetId", id));
        id[0] = 'W';
        tell(NULL, "Target.detachedFromTarget",
             json_pack("{s:s}", "sessionId", id));
    }
    check_works();
    teardown();
}
END_TEST

static atomic_bool enough;

static void *talk_for_ever(void *arg)
{
    while (!atomic_load(&enough))
        fake_pages_tell(fake, arg, "Page.frameNavigated",
                        json_pack("{s:{s:s,s:s,s:s}}", "frame", "id", "T40",
                                  "loaderId", "L", "url", "http://a.test/"));
    return NULL;
}

START_TEST(closing_ends_while_events_keep_coming)
{
    setup();
    aper_tab *tab = open_tab();
    pthread_t thread;
    atomic_store(&enough, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, talk_for_ever,
                                    (void *)(uintptr_t)"S40"), 0);
    aper_navigate_options soon = {.size = sizeof soon, .timeout_ms = 200};
    aper_tab_navigate(tab, "http://fake.test/z", &soon, NULL, NULL);
    aper_browser_close(browser);
    ck_assert_int_eq(aper_browser_get_state(browser), APER_E_CLOSED);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
    aper_tab_unref(tab);
    teardown();
}
END_TEST

SUITE("browser_hostile", 180, random_events_harm_nobody,
      frames_may_be_their_own_parents, a_chain_of_frames_is_as_good_as_a_tree,
      sessions_may_come_twice_and_go_unheard_of,
      a_call_ends_when_its_page_goes, what_a_page_piles_up_is_bounded,
      targets_and_sessions_are_bounded, closing_ends_while_events_keep_coming)
