/* SPDX-License-Identifier: Apache-2.0 */
/* latency_host CHROMIUM: a host that does as told, a line at a time, and says
 * how long the library took.
 *   open URL         shows the page
 *   read             takes a snapshot without budget and its text
 *   click N LABEL    clicks the N-th button of that name (from 0) and takes
 *                    the text of what it changed
 * Each is answered by "ok NANOSECONDS" or "failed WHAT". */
#include "measure.h"

#include <aperture/aperture.h>
#include <string.h>
#include <unistd.h>

/* Slow is to be measured, not to be refused. */
#define TIMEOUT_MS 120000

struct host {
    aper_browser *browser;
    aper_tab *tab;
    aper_snapshot *page;
};

static aper_status show(struct host *host, const char *url, aper_error **error)
{
    aper_snapshot_unref(host->page);
    host->page = NULL;
    if (host->tab)
        return aper_tab_navigate(host->tab, url, NULL, NULL, error);
    aper_open_options options = {.size = sizeof options, .url = url};
    return aper_tab_open(host->browser, &options, &host->tab, error);
}

static aper_status take(struct host *host, aper_error **error)
{
    aper_snapshot *page = NULL;
    aper_snapshot_options options = {.size = sizeof options,
                                     .timeout_ms = TIMEOUT_MS,
                                     .budget_tokens =
                                         APER_BUDGET_UNLIMITED};
    aper_status status = aper_snapshot_take(host->tab, &options, &page, error);
    if (status != APER_OK)
        return status;
    aper_snapshot_unref(host->page);
    host->page = page;
    return *aper_snapshot_get_text(page) ? APER_OK : APER_E_NOT_FOUND;
}

static const char *find_button(const aper_snapshot *page, const char *label,
                               int nth)
{
    size_t count = aper_snapshot_get_node_count(page);
    for (size_t i = 0; i < count; i++)
        if (strcmp(aper_snapshot_get_node_role(page, i), "button") == 0
            && strcmp(aper_snapshot_get_node_name(page, i), label) == 0
            && nth-- == 0)
            return aper_snapshot_get_node_ref(page, i);
    return NULL;
}

static aper_status act(struct host *host, const char *ref, aper_error **error)
{
    aper_act_result *result = NULL;
    aper_act_options options = {.size = sizeof options,
                                .timeout_ms = TIMEOUT_MS,
                                .verb = APER_ACT_CLICK, .ref = ref};
    aper_status status = aper_tab_act(host->tab, &options, &result, error);
    if (status != APER_OK)
        return status;
    aper_diff *diff = aper_act_result_get_diff(result);
    if (!*aper_diff_get_text(diff) || aper_diff_is_empty(diff))
        status = APER_E_NOT_VERIFIED;
    aper_snapshot_unref(host->page);
    host->page = aper_snapshot_ref(aper_act_result_get_snapshot(result));
    aper_act_result_unref(result);
    return status;
}

static aper_status click(struct host *host, const char *rest, int64_t *start,
                         aper_error **error)
{
    char *label = NULL;
    int nth = (int)strtol(rest, &label, 10);
    const char *ref = host->page && *label == ' '
                    ? find_button(host->page, label + 1, nth) : NULL;
    if (!ref)
        return APER_E_NO_REF;
    *start = now_ns();
    return act(host, ref, error);
}

static void obey(struct host *host, const char *line)
{
    aper_error *error = NULL;
    aper_status status = APER_E_INVAL;
    int64_t start = now_ns();
    if (strncmp(line, "open ", 5) == 0)
        status = show(host, line + 5, &error);
    else if (strcmp(line, "read") == 0)
        status = take(host, &error);
    else if (strncmp(line, "click ", 6) == 0)
        status = click(host, line + 6, &start, &error);
    int64_t took = now_ns() - start;
    if (status == APER_OK)
        printf("ok %lld\n", (long long)took);
    else
        printf("failed %s %s\n", aper_status_get_name(status),
               error ? aper_error_get_message(error) : "");
    fflush(stdout);
    aper_error_unref(error);
}

int main(int argc, char **argv)
{
    struct host host = {0};
    char line[4096];
    if (argc != 2)
        return 2;
    aper_launch_options options = {.size = sizeof options,
                                   .executable = argv[1],
                                   .width = 1280, .height = 720,
                                   .no_sandbox = geteuid() == 0};
    if (aper_browser_launch(&options, &host.browser, NULL) != APER_OK)
        give_up("aper_browser_launch");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        obey(&host, line);
    }
    aper_snapshot_unref(host.page);
    aper_tab_unref(host.tab);
    aper_browser_unref(host.browser);
    return 0;
}
