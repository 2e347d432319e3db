/* SPDX-License-Identifier: Apache-2.0 */
/* ask_names WHO: runs the test pages whose addresses come on stdin and answers
 * what they ask for. WHO is
 *   library    role and name as src/page computes them
 *   shown      the same with the name as a line of a snapshot has it
 *   chromium   the browser's own accessibility tree
 * Prints a line of JSON per page: what bench/testdriver-vendor.js tells. */
#include "measure.h"
#include "page/internal.h"

#include <string.h>
#include <unistd.h>

#define PAGE_MS 60000

static const char describe_call[] =
    "function () { return globalThis.__aperture('describe', this); }";

typedef struct page {
    aper_tab *tab;
    aper__op op;
    const char *who;
} page;

static json_t *call(page *p, const char *method, json_t *params)
{
    json_t *result = NULL;
    aper_error *error = NULL;
    if (aper__tab_call(p->tab, &p->op, method, params, &result, &error)) {
        fprintf(stderr, "bench: %s: %s\n", method,
                aper_error_get_message(error));
        exit(1);
    }
    return result;
}

static const char *string_at(json_t *json, const char *path)
{
    const char *text = json_string_value(aper__json_get(json, path));
    return text ? text : "";
}

/* Role or name of the element, by Chromium; "" for what its tree leaves out. */
static char *ask_chromium(page *p, const char *what, json_int_t node)
{
    json_t *tree = call(p, "Accessibility.getPartialAXTree",
                        json_pack("{s:I, s:b}", "backendNodeId", node,
                                  "fetchRelatives", 0));
    json_t *first = json_array_get(json_object_get(tree, "nodes"), 0);
    char *answer = strdup(string_at(first, strcmp(what, "role") == 0
                                               ? "role.value" : "name.value"));
    json_decref(tree);
    return answer;
}

/* The same by our script in our world, where the page sees nothing. */
static char *ask_library(page *p, const char *what, json_int_t node)
{
    json_t *object = call(
        p, "DOM.resolveNode",
        json_pack("{s:I, s:I}", "backendNodeId", node, "executionContextId",
                  (json_int_t)aper__page_get_state(p->tab)
                      ->frames[0]->context));
    const char *id = string_at(object, "object.objectId");
    json_t *reply = call(
        p, "Runtime.callFunctionOn",
        json_pack("{s:s, s:s, s:b, s:b}", "functionDeclaration",
                  describe_call, "objectId", id, "returnByValue", 1,
                  "awaitPromise", 1));
    json_t *about = aper__json_get(reply, "result.value.result");
    if (!json_is_object(about))
        give_up("describing an element");
    const bool shown = strcmp(p->who, "shown") == 0;
    char *answer = strdup(string_at(about, strcmp(what, "role") == 0 ? "role"
                                    : shown ? "shown" : "name"));
    json_decref(reply);
    json_decref(call(p, "Runtime.releaseObject",
                     json_pack("{s:s}", "objectId", id)));
    json_decref(object);
    return answer;
}

static char *answer_for(page *p, const char *what)
{
    json_t *object = call(p, "Runtime.evaluate",
                          json_pack("{s:s}", "expression", "bench.element"));
    const char *id = string_at(object, "result.objectId");
    json_t *node = call(p, "DOM.describeNode",
                        json_pack("{s:s}", "objectId", id));
    json_int_t backend = json_integer_value(
        aper__json_get(node, "node.backendNodeId"));
    char *answer = strcmp(p->who, "chromium") == 0
                       ? ask_chromium(p, what, backend)
                       : ask_library(p, what, backend);
    json_decref(call(p, "Runtime.releaseObject",
                     json_pack("{s:s}", "objectId", id)));
    json_decref(node);
    json_decref(object);
    return answer;
}

static json_t *next(page *p, const char *answer)
{
    json_t *text = json_string(answer);
    char *quoted = json_dumps(text, JSON_ENCODE_ANY);
    size_t size = strlen(quoted) + sizeof "bench.next()";
    char *script = malloc(size);
    snprintf(script, size, "bench.next(%s)", quoted);
    json_t *asked = call(p, "Runtime.evaluate",
                         json_pack("{s:s, s:b, s:b}", "expression", script,
                                   "awaitPromise", 1, "returnByValue", 1));
    if (json_object_get(asked, "exceptionDetails"))
        give_up("asking the page");
    free(script);
    free(quoted);
    json_decref(text);
    return asked;
}

static void run(page *p, const char *url)
{
    aper_navigation *navigation = NULL;
    if (aper_tab_navigate(p->tab, url, NULL, &navigation, NULL))
        give_up(url);
    aper_navigation_unref(navigation);
    if (aper__tab_begin(p->tab, &p->op, PAGE_MS, false, NULL)
        || aper__page_call(p->tab, &p->op, "measure", NULL, NULL, NULL))
        give_up("reaching the page's script");
    json_t *asked = next(p, "");
    const char *what = string_at(asked, "result.value");
    while (what[0] != '{') {
        char *answer = answer_for(p, what);
        json_t *more = next(p, answer);
        free(answer);
        json_decref(asked);
        asked = more;
        what = string_at(asked, "result.value");
    }
    puts(what);
    fflush(stdout);
    json_decref(asked);
    aper__tab_end(p->tab, &p->op);
}

int main(int argc, char **argv)
{
    char url[4096];
    aper_browser *browser = NULL;
    page p = {0};
    aper_launch_options launch = {.size = sizeof launch,
                                  .no_sandbox = geteuid() == 0};
    if (argc != 2)
        return 2;
    p.who = argv[1];
    if (aper_browser_launch(&launch, &browser, NULL)
        || aper_tab_open(browser, NULL, &p.tab, NULL))
        give_up("starting the browser");
    while (fgets(url, sizeof url, stdin)) {
        url[strcspn(url, "\n")] = '\0';
        run(&p, url);
    }
    aper_tab_unref(p.tab);
    aper_browser_unref(browser);
    return 0;
}
