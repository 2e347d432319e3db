/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation fails once, and from some one on all do, while a browser is
 * connected to, a tab opened, navigated, asked about its dialog, listed and
 * closed. Whatever a call then says, it comes back, nothing leaks, and what
 * comes after it works. */
#include "browser/internal.h"
#include "fake_pages.h"
#include "leaks.h"
#include "suite.h"

#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 20000 /* only ends a test that hangs */

typedef struct stage {
    fake_browser *fake;
    fake_pages pages;
    aper_browser *browser;
    aper_tab *tab;
} stage;

static void set_up_fake(stage *s)
{
    memset(s, 0, sizeof *s);
    s->fake = fake_browser_start(fake_pages_handle, &s->pages);
}

static aper_status connect_fake(stage *s)
{
    return aper__browser_open_pipe(fake_browser_take_fd(s->fake), PATIENCE_MS,
                                   &s->browser, NULL);
}

static void tear_down(stage *s)
{
    aper_tab_unref(s->tab);
    aper_browser_unref(s->browser);
    fake_browser_stop(s->fake);
}

/* ---- what is done while memory is short ------------------------------------ */

typedef aper_status deed(stage *s);

static aper_status do_open(stage *s)
{
    aper_open_options options = {.size = sizeof options,
                                 .url = "http://fake.test/first",
                                 .timeout_ms = PATIENCE_MS};
    return aper_tab_open(s->browser, &options, &s->tab, NULL);
}

static aper_status do_navigate(stage *s)
{
    aper_navigate_options options = {.size = sizeof options,
                                     .timeout_ms = PATIENCE_MS};
    aper_navigation *navigation = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_navigate(
        s->tab, "http://fake.test/second", &options, &navigation, &error);
    ck_assert(status == APER_OK || navigation == NULL);
    aper_navigation_unref(navigation);
    aper_error_unref(error);
    return status;
}

static aper_status do_start(stage *s)
{
    aper_status status = aper_tab_navigate_start(
        s->tab, "http://fake.test/third", NULL, 7, NULL);
    if (status != APER_OK)
        return status;
    for (;;) {
        aper_event *event = NULL;
        status = aper_browser_next_event(s->browser, PATIENCE_MS, &event);
        if (status == APER_E_NOMEM) { /* a host tries again later */
            aper__alloc_fail_at(0, false);
            continue;
        }
        ck_assert_int_eq(status, APER_OK);
        bool done = aper_event_get_kind(event) == APER_EVENT_COMPLETION;
        status = aper_event_get_status(event);
        aper_event_unref(event);
        if (done)
            return status;
    }
}

static aper_status do_list(stage *s)
{
    aper_tab_list *list = NULL;
    aper_status status = aper_browser_list_tabs(s->browser, &list, NULL);
    aper_tab_list_unref(list);
    return status;
}

static aper_status do_find(stage *s)
{
    aper_tab *found = NULL;
    aper_status status = aper_browser_find_tab(
        s->browser, aper_tab_get_id(s->tab), &found, NULL);
    aper_tab_unref(found);
    return status;
}

static aper_status do_dialog(stage *s)
{
    unsigned n = (unsigned)strtoul(aper_tab_get_id(s->tab) + 1, NULL, 10);
    aper_dialog *dialog = NULL;
    fake_pages_dialog(s->fake, n, "confirm");
    /* What the page says comes before the answer. */
    aper_status status = do_list(s);
    if (status == APER_OK)
        status = aper_tab_get_dialog(s->tab, &dialog);
    aper_dialog_unref(dialog);
    if (status == APER_OK)
        status = aper_tab_answer_dialog(s->tab, 1, NULL, NULL);
    return status == APER_E_NO_DIALOG ? APER_E_NOMEM : status;
}

static aper_status do_policy(stage *s)
{
    static const char *const hosts[] = {"fake.test", NULL};
    aper_policy_options options = {.size = sizeof options,
                                   .allow_hosts = hosts};
    return aper_browser_set_policy(s->browser, &options, NULL);
}

static aper_status do_close(stage *s)
{
    return aper_tab_close(s->tab, NULL);
}

/* ---- sweeps ---------------------------------------------------------------- */

static void check_works(stage *s)
{
    aper_tab *before = s->tab;
    aper_error *error = NULL;
    s->tab = NULL;
    aper_status status = do_open(s);
    ck_assert_msg(status == APER_OK, "%s", aper_status_get_name(status));
    ck_assert_int_eq(do_navigate(s), APER_OK);
    ck_assert_int_eq(do_list(s), APER_OK);
    status = aper_tab_close(s->tab, &error);
    ck_assert_msg(status == APER_OK, "%s: %s", aper_status_get_name(status),
                  aper_error_get_message(error));
    aper_tab_unref(s->tab);
    s->tab = before;
}

/* Whether the deed went well although the n-th allocation was to fail. */
static bool try_deed(deed *what, bool with_tab, uint64_t n, bool sticky)
{
    stage s;
    set_up_fake(&s);
    ck_assert_int_eq(connect_fake(&s), APER_OK);
    if (with_tab)
        ck_assert_int_eq(do_open(&s), APER_OK);
    aper__alloc_fail_at(n, sticky);
    aper_status status = what(&s);
    aper__alloc_fail_at(0, false);
    ck_assert_msg(status == APER_OK || status == APER_E_NOMEM, "%s at %u%s",
                  aper_status_get_name(status), (unsigned)n,
                  sticky ? ", sticky" : "");
    if (aper_browser_get_state(s.browser) == APER_OK)
        check_works(&s);
    else
        ck_assert_int_eq(aper_browser_get_state(s.browser), APER_E_NOMEM);
    if (with_tab && what != do_close
        && aper_browser_get_state(s.browser) == APER_OK) {
        aper_dialog *dialog = NULL;
        if (aper_tab_get_dialog(s.tab, &dialog) == APER_OK)
            ck_assert_int_eq(aper_tab_answer_dialog(s.tab, 1, NULL, NULL),
                             APER_OK);
        aper_dialog_unref(dialog);
        ck_assert_int_eq(do_navigate(&s), APER_OK);
    }
    tear_down(&s);
    return status == APER_OK;
}

static void sweep(deed *what, bool with_tab)
{
    for (int sticky = 0; sticky < 2; sticky++) {
        unsigned well = 0; /* in a row: some allocations can be done without */
        unsigned failed = 0;
        for (uint64_t n = 1; well < 25; n++) {
            ck_assert_uint_lt(n, 600);
            bool fine = try_deed(what, with_tab, n, sticky);
            well = fine ? well + 1 : 0;
            failed += !fine;
        }
        ck_assert(failed > 0 || what == do_find);
    }
}

static unsigned count_fds(const char *unused APER_UNUSED)
{
    return leaks_fds();
}

START_TEST(connecting_without_memory_leaves_nothing)
{
    unsigned fds = 0;
    unsigned threads = 0;
    for (uint64_t n = 1, well = 0; well < 10; n++) {
        for (int sticky = 0; sticky < 2; sticky++) {
            stage s;
            set_up_fake(&s);
            aper__alloc_fail_at(n, sticky);
            aper_status status = connect_fake(&s);
            aper__alloc_fail_at(0, false);
            if (status == APER_OK)
                check_works(&s);
            else
                ck_assert_msg(status == APER_E_NOMEM && s.browser == NULL,
                              "%s at %u", aper_status_get_name(status),
                              (unsigned)n);
            well = status == APER_OK ? well + 1 : 0;
            tear_down(&s);
            if (n == 1) {
                fds = leaks_fds();
                threads = leaks_threads();
            }
            /* Without memory the I/O thread is not waited for. */
            ck_assert_msg(leaks_wait(count_fds, NULL, fds),
                          "descriptors at %u", (unsigned)n);
        }
    }
    ck_assert(leaks_wait_threads(threads));
}
END_TEST

#define SWEEP(name, what, with_tab)                                          \
    START_TEST(name)                                                         \
    {                                                                        \
        sweep(what, with_tab);                                               \
    }                                                                        \
    END_TEST

SWEEP(a_tab_opens_or_fails_for_want_of_memory, do_open, false)
SWEEP(a_navigation_ends_without_memory, do_navigate, true)
SWEEP(a_job_completes_without_memory, do_start, true)
SWEEP(tabs_are_listed_or_not, do_list, true)
SWEEP(a_tab_is_found_or_not, do_find, true)
SWEEP(a_dialog_is_answered_or_not, do_dialog, true)
SWEEP(a_policy_is_set_or_not, do_policy, true)
SWEEP(a_tab_closes_or_not, do_close, true)

SUITE("browser_alloc", 120, connecting_without_memory_leaves_nothing,
      a_tab_opens_or_fails_for_want_of_memory,
      a_navigation_ends_without_memory, a_job_completes_without_memory,
      tabs_are_listed_or_not, a_tab_is_found_or_not,
      a_dialog_is_answered_or_not, a_policy_is_set_or_not,
      a_tab_closes_or_not)
