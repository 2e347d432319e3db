/* SPDX-License-Identifier: Apache-2.0 */
/* first_text library URL | bare URL DIRECTORY: from nothing to the text of a
 * page, by the library, or by what Chromium itself needs for it: the same
 * program with the same switches, its port file looked for every half
 * millisecond, the page opened by the bare client. DIRECTORY is an empty one
 * for the profile. Prints milliseconds: until the browser can be talked to,
 * until the page is loaded, until there is text. */
#include "bare.h"
#include "browser/browser.h"
#include "cdp/launch.h"
#include "measure.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_US 500

typedef struct times {
    int64_t start;
    int64_t ready;
    int64_t loaded;
    int64_t text;
} times;

static aper_launch_options launch_options(void)
{
    return (aper_launch_options){.size = sizeof(aper_launch_options),
                                 .no_sandbox = geteuid() == 0};
}

static void by_library(const char *url, times *at)
{
    aper_browser *browser = NULL;
    aper_tab *tab = NULL;
    aper_snapshot *snapshot = NULL;
    aper_launch_options launch = launch_options();
    aper_open_options open = {.size = sizeof open, .url = url};
    if (aper_browser_launch(&launch, &browser, NULL) != APER_OK)
        give_up("aper_browser_launch");
    at->ready = now_ns();
    if (aper_tab_open(browser, &open, &tab, NULL) != APER_OK)
        give_up("aper_tab_open");
    at->loaded = now_ns();
    if (aper_snapshot_take(tab, NULL, &snapshot, NULL) != APER_OK
        || aper_snapshot_get_text(snapshot)[0] == '\0')
        give_up("aper_snapshot_take");
    at->text = now_ns();
    aper_snapshot_unref(snapshot);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
}

static pid_t start_chromium(const char *directory)
{
    aper_launch_options options = launch_options();
    char *path = NULL;
    char **args = NULL;
    if (aper__launch_find(NULL, &path, NULL) != APER_OK
        || aper__launch_args(&options, path, directory, &args, NULL)
            != APER_OK)
        give_up("finding Chromium");
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execv(path, args);
        _exit(127);
    }
    aper__launch_args_free(args);
    aper__dealloc(path);
    return pid;
}

static void open_page(bare *client, const char *url, char session[64])
{
    char id[64];
    char command[1024];
    bare_string(bare_call(client, "\"method\":\"Target.createTarget\","
                          "\"params\":{\"url\":\"about:blank\"}}"),
                "targetId", id, sizeof id);
    snprintf(command, sizeof command, "\"method\":\"Target.attachToTarget\","
             "\"params\":{\"targetId\":\"%s\",\"flatten\":true}}", id);
    bare_string(bare_call(client, command), "sessionId", session,
                64);
    snprintf(command, sizeof command, "\"sessionId\":\"%s\","
             "\"method\":\"Page.enable\"}", session);
    bare_call(client, command);
    bare_expect(client, "Page.loadEventFired");
    snprintf(command, sizeof command, "\"sessionId\":\"%s\","
             "\"method\":\"Page.navigate\",\"params\":{\"url\":\"%s\"}}",
             session, url);
    if (!bare_call(client, command))
        give_up("Page.navigate");
}

static void read_text(bare *client, const char *session)
{
    char command[256];
    char text[64];
    snprintf(command, sizeof command, "\"sessionId\":\"%s\","
             "\"method\":\"Runtime.evaluate\",\"params\":{"
             "\"expression\":\"document.body.innerText\"}}", session);
    bare_string(bare_call(client, command), "value", text, sizeof text);
    if (text[0] == '\0')
        give_up("reading the text");
}

static void by_bare(const char *url, const char *directory, times *at)
{
    char *address = NULL;
    char session[64];
    pid_t pid = start_chromium(directory);
    while (aper__launch_read_port(directory, &address) != APER_OK)
        usleep(LOOK_US);
    bare *client = bare_open(address);
    if (!client)
        give_up("connecting");
    at->ready = now_ns();
    open_page(client, url, session);
    at->loaded = now_ns();
    read_text(client, session);
    at->text = now_ns();
    bare_call(client, "\"method\":\"Browser.close\"}");
    bare_close(client);
    waitpid(pid, NULL, 0);
    aper__dealloc(address);
}

int main(int argc, char **argv)
{
    times at = {.start = now_ns()};
    if (argc == 3 && strcmp(argv[1], "library") == 0)
        by_library(argv[2], &at);
    else if (argc == 4 && strcmp(argv[1], "bare") == 0)
        by_bare(argv[2], argv[3], &at);
    else
        return 2;
    printf("%.2f %.2f %.2f\n", (double)(at.ready - at.start) / 1e6,
           (double)(at.loaded - at.start) / 1e6,
           (double)(at.text - at.start) / 1e6);
    return 0;
}
