/* SPDX-License-Identifier: Apache-2.0 */
/* A page changes at random between being read and being acted in. It notes
 * itself what was hit: whatever is refused, it must never be something else
 * than what had the ref when the page was read. */
#include "agent.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for the suite; the first argument is another number. */
static unsigned pairs = 300;

#define THINGS_MAX 200

typedef struct things {
    char *text; /* of the names */
    char *names[THINGS_MAX];
    char *refs[THINGS_MAX];
    size_t count;
} things;

/* The page's own names of what can be used, in order, and their refs. */
static void read_things(things *all)
{
    aper_snapshot *snapshot = agent_see(tab);
    size_t refs = 0;
    for (size_t i = 0; i < aper_snapshot_get_node_count(snapshot); i++) {
        const char *ref = aper_snapshot_get_node_ref(snapshot, i);
        ck_assert_str_ne(aper_snapshot_get_node_role(snapshot, i), "more");
        if (*ref) {
            ck_assert_uint_lt(refs, THINGS_MAX);
            all->refs[refs++] = strdup(ref);
        }
    }
    aper_snapshot_unref(snapshot);
    char *json = live_eval(tab, "known().replaceAll('\\n', '|')");
    all->text = strdup(json + 1); /* behind the quote */
    all->text[strcspn(all->text, "\"")] = '\0';
    aper_free(json);
    all->count = 0;
    char *rest = all->text;
    for (char *name; (name = strsep(&rest, "|"));) {
        ck_assert_uint_lt(all->count, THINGS_MAX);
        all->names[all->count++] = name;
    }
    ck_assert_uint_eq(refs, all->count);
}

static void free_things(things *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->refs[i]);
    free(all->text);
}

/* What the page says was hit; "" for nothing. The caller frees it. */
static char *hit(void)
{
    char *json = live_eval(tab, "clicked");
    char *name = strndup(json + 1, strlen(json) - 2);
    aper_free(json);
    return name;
}

/* One pair. Whether the click landed. */
static bool change_and_click(unsigned seed)
{
    things all;
    char script[80];
    read_things(&all);
    size_t chosen = seed % all.count;
    snprintf(script, sizeof script, "forget() && change(%u, %u)", seed,
             seed % 4);
    agent_holds(tab, script);
    aper_act_options click = {.size = sizeof click, .verb = APER_ACT_CLICK,
                              .ref = all.refs[chosen]};
    aper_act_result *result = NULL;
    aper_error *error = NULL;
    aper_status status = aper_tab_act(tab, &click, &result, &error);
    char *name = hit();
    if (status != APER_OK && status != APER_E_STALE
        && status != APER_E_NOT_ACTIONABLE)
        LIVE_CHECK(APER_OK, status, error);
    const char *want = status ? "" : all.names[chosen];
    if (strcmp(name, want))
        ck_abort_msg("seed %u, %s: hit '%s', which is not '%s'; %s", seed,
                     all.refs[chosen], name, all.names[chosen],
                     status ? aper_error_get_message(error) : "done");
    aper_error_unref(error);
    aper_act_result_unref(result);
    free(name);
    free_things(&all);
    return status == APER_OK;
}

START_TEST(no_click_lands_on_another_thing)
{
    unsigned landed = 0, refused = 0;
    unsigned seed = 20261;
    show("/random.html");
    for (unsigned i = 0; i < pairs; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (change_and_click(seed >> 8))
            landed++;
        else
            refused++;
        /* A fresh page now and then, so that one state is not all. */
        if (i % 100 == 99)
            aper_navigation_unref(live_go(tab, server, "/random.html"));
    }
    /* One that refuses everything, or nothing, proves nothing. */
    ck_assert_uint_gt(landed, pairs / 4);
    ck_assert_uint_gt(refused, pairs / 20);
    leave();
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        pairs = (unsigned)strtoul(argv[1], NULL, 10);
    Suite *suite = suite_create("refs_random");
    TCase *all = tcase_create("refs_random");
    tcase_add_unchecked_fixture(all, fixture_start, fixture_stop);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, no_click_lands_on_another_thing);
    suite_add_tcase(suite, all);
    return live_run(suite);
}
