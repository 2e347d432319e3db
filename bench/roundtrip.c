/* SPDX-License-Identifier: Apache-2.0 */
/* roundtrip ADDRESS|- BLOCKS CALLS: a browser's answer to one command, asked
 * by the library and by the bare client in turn, block by block. "-" launches
 * a browser. Prints a line per block: what, who, nanoseconds of each call. */
#include "bare.h"
#include "browser/browser.h"
#include "measure.h"

#include <string.h>
#include <unistd.h>

#define TIMEOUT_MS 30000

#define EVALUATE                                                             \
    "\"method\":\"Runtime.evaluate\",\"sessionId\":\"%s\",\"params\":{"      \
    "\"expression\":\"1\",\"returnByValue\":true,\"awaitPromise\":true,"     \
    "\"userGesture\":true}}"

typedef struct bench {
    aper_browser *browser;
    aper_tab *tab;
    bare *client;
    char evaluate[512];
    int calls;
} bench;

static void bare_version(bench *it)
{
    if (!bare_call(it->client, "\"method\":\"Browser.getVersion\"}"))
        give_up("Browser.getVersion of the bare client");
}

/* As every blocking call of the library: with an op of its own. */
static void library_version(bench *it)
{
    aper__op op;
    json_t *result = NULL;
    aper__op_init(&op, TIMEOUT_MS);
    if (aper__cdp_call(aper__browser_cdp(it->browser), "",
                       "Browser.getVersion", NULL, &op, &result, NULL)
        != APER_OK)
        give_up("Browser.getVersion of the library");
    json_decref(result);
}

static void bare_evaluate(bench *it)
{
    if (!bare_call(it->client, it->evaluate))
        give_up("Runtime.evaluate of the bare client");
}

static void library_evaluate(bench *it)
{
    char *json = NULL;
    if (aper_tab_eval(it->tab, "1", 0, &json, NULL) != APER_OK)
        give_up("aper_tab_eval");
    aper_free(json);
}

static const struct subject {
    const char *what;
    const char *who;
    void (*call)(bench *it);
} subjects[] = {
    {"Browser.getVersion", "bare", bare_version},
    {"Browser.getVersion", "library", library_version},
    {"Runtime.evaluate", "bare", bare_evaluate},
    {"Runtime.evaluate", "library", library_evaluate},
};

static void run_block(bench *it, const struct subject *subject, int64_t *took,
                      bool show)
{
    for (int i = 0; i < it->calls; i++) {
        int64_t start = now_ns();
        subject->call(it);
        took[i] = now_ns() - start;
    }
    if (!show)
        return;
    printf("%s %s", subject->what, subject->who);
    for (int i = 0; i < it->calls; i++)
        printf(" %lld", (long long)took[i]);
    putchar('\n');
}

static aper_browser *open_browser(const char *address)
{
    aper_browser *browser = NULL;
    aper_launch_options launch = {.size = sizeof launch, .allow_eval = 1,
                                  .no_sandbox = geteuid() == 0};
    aper_attach_options attach = {.size = sizeof attach, .allow_eval = 1};
    aper_status status = strcmp(address, "-") == 0
        ? aper_browser_launch(&launch, &browser, NULL)
        : aper_browser_attach(address, &attach, &browser, NULL);
    if (status != APER_OK)
        give_up("opening the browser");
    return browser;
}

/* The bare client has a session of its own on the same tab. */
static void attach_bare(bench *it)
{
    char command[256];
    char session[64];
    aper_tab_info *info = NULL;
    it->client = bare_open(aper_browser_get_endpoint(it->browser));
    if (!it->client || aper_tab_describe(it->tab, &info) != APER_OK)
        give_up("connecting the bare client");
    snprintf(command, sizeof command, "\"method\":\"Target.attachToTarget\","
             "\"params\":{\"targetId\":\"%s\",\"flatten\":true}}",
             aper_tab_info_get_id(info));
    bare_string(bare_call(it->client, command), "sessionId", session,
                sizeof session);
    snprintf(it->evaluate, sizeof it->evaluate, EVALUATE, session);
    aper_tab_info_unref(info);
}

int main(int argc, char **argv)
{
    bench it = {0};
    if (argc != 4)
        return 2;
    int blocks = atoi(argv[2]);
    it.calls = atoi(argv[3]);
    int64_t *took = calloc((size_t)it.calls, sizeof *took);
    it.browser = open_browser(argv[1]);
    if (!took || aper_tab_open(it.browser, NULL, &it.tab, NULL) != APER_OK)
        give_up("opening a tab");
    attach_bare(&it);
    for (size_t s = 0; s < 4; s++)
        run_block(&it, &subjects[s], took, false);
    /* Whoever goes second may find the machine warmer, so they alternate. */
    for (int block = 0; block < blocks; block++)
        for (size_t s = 0; s < 4; s++)
            run_block(&it, &subjects[s ^ (size_t)(block & 1)], took, true);
    bare_close(it.client);
    aper_tab_unref(it.tab);
    aper_browser_unref(it.browser);
    free(took);
    return 0;
}
