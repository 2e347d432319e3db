/* SPDX-License-Identifier: Apache-2.0 */
/* observe URL N: takes N snapshots of a page, then clicks its first button N
 * times. Prints nanoseconds: a line for the snapshots, one for the clicks. */
#include "measure.h"

#include <aperture/aperture.h>
#include <string.h>
#include <unistd.h>

static aper_snapshot *take(aper_tab *tab)
{
    aper_snapshot *snapshot = NULL;
    if (aper_snapshot_take(tab, NULL, &snapshot, NULL) != APER_OK)
        give_up("aper_snapshot_take");
    return snapshot;
}

static void click(aper_tab *tab, const char *ref)
{
    aper_act_result *result = NULL;
    aper_act_options options = {.size = sizeof options,
                                .verb = APER_ACT_CLICK, .ref = ref};
    if (aper_tab_act(tab, &options, &result, NULL) != APER_OK)
        give_up("aper_tab_act");
    aper_act_result_unref(result);
}

static const char *find_button(const aper_snapshot *page)
{
    for (size_t i = 0; i < aper_snapshot_get_node_count(page); i++)
        if (strcmp(aper_snapshot_get_node_role(page, i), "button") == 0)
            return aper_snapshot_get_node_ref(page, i);
    give_up("finding a button");
    return NULL;
}

static void measure(aper_tab *tab, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t start = now_ns();
        aper_snapshot_unref(take(tab));
        printf("%lld ", (long long)(now_ns() - start));
    }
    putchar('\n');
    aper_snapshot *page = take(tab);
    const char *ref = find_button(page);
    for (int i = 0; i < count; i++) {
        int64_t start = now_ns();
        click(tab, ref);
        printf("%lld ", (long long)(now_ns() - start));
    }
    putchar('\n');
    aper_snapshot_unref(page);
}

int main(int argc, char **argv)
{
    aper_browser *browser = NULL;
    aper_tab *tab = NULL;
    aper_launch_options launch = {.size = sizeof launch,
                                  .no_sandbox = geteuid() == 0};
    if (argc != 3)
        return 2;
    aper_open_options open = {.size = sizeof open, .url = argv[1]};
    if (aper_browser_launch(&launch, &browser, NULL) != APER_OK
        || aper_tab_open(browser, &open, &tab, NULL) != APER_OK)
        give_up("opening the page");
    measure(tab, atoi(argv[2]));
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    return 0;
}
