/* SPDX-License-Identifier: Apache-2.0 */
/* One browser, many threads, each with a tab of its own: calls on one tab never
 * wait for those on another. */
#include "example.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct job {
    pthread_t thread;
    aper_browser *browser;
    const char *url;
    int failed;
} job;

static void *read_page(void *data)
{
    job *self = data;
    aper_tab *tab = open_tab(self->browser, self->url);
    aper_snapshot *page = NULL;
    aper_error *error = NULL;

    self->failed = !tab
                   || failed("read",
                             aper_snapshot_take(tab, NULL, &page, &error),
                             &error);
    if (!self->failed)
        printf("%s: \"%s\", %zu nodes, about %u tokens\n", self->url,
               aper_snapshot_get_title(page),
               aper_snapshot_get_node_count(page),
               aper_snapshot_get_token_estimate(page));
    if (tab)
        failed("close", aper_tab_close(tab, &error), &error);
    aper_snapshot_unref(page);
    aper_tab_unref(tab);
    return NULL;
}

int main(int argc, char **argv)
{
    size_t count = (size_t)argc - 1;
    size_t started = 0;
    int result = 0;
    aper_browser *browser;
    job *jobs;

    if (argc < 2) {
        fprintf(stderr, "Usage: %s URL...\n", argv[0]);
        return 2;
    }
    browser = start_browser();
    jobs = calloc(count, sizeof(*jobs));
    while (browser && jobs && started < count) {
        job *next = &jobs[started];

        next->browser = browser;
        next->url = argv[started + 1];
        if (pthread_create(&next->thread, NULL, read_page, next) != 0)
            break;
        started++;
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(jobs[i].thread, NULL);
        result |= jobs[i].failed;
    }
    free(jobs);
    aper_browser_unref(browser);
    return result || started < count;
}
