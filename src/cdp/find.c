/* SPDX-License-Identifier: Apache-2.0 */
/* Which program to start. */
#include "cdp/launch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
static const char *const names[] = {NULL};
static const char *const bundles[] = {
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    NULL};
static const char *const places[] = {"/Applications", "~/Applications", NULL};
#else
static const char *const names[] = {
    "google-chrome-stable", "google-chrome", "chromium", "chromium-browser",
    "chrome", NULL};
static const char *const bundles[] = {
    "google/chrome/chrome", "chromium/chromium",
    "chromium-browser/chromium-browser", "bin/chromium", NULL};
static const char *const places[] = {"/opt", "/usr/lib", "/usr/lib64",
                                     "/snap", "/usr/local", NULL};
#endif

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode)
        && access(path, X_OK) == 0;
}

/* The path that directory and name make, if a program is there. */
static char *probe(const char *directory, size_t size, const char *name)
{
    aper__buf path = {0};
    const char *home = getenv("HOME");
    if (*directory == '~') {
        aper__buf_puts(&path, home ? home : "");
        directory++;
        size--;
    }
    aper__buf_append(&path, directory, size);
    aper__buf_putc(&path, '/');
    aper__buf_puts(&path, name);
    char *text = aper__buf_take(&path);
    if (text && is_program(text))
        return text;
    aper__dealloc(text);
    return NULL;
}

/* Relative entries of PATH are passed over: what runs must not depend on where
 * the host happens to stand. */
static char *search_path(const char *name)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t size = strcspn(at, ":");
        char *found = *at == '/' ? probe(at, size, name) : NULL;
        if (found)
            return found;
        at += size + (at[size] == ':');
    }
    return NULL;
}

static char *search_places(void)
{
    for (size_t i = 0; bundles[i]; i++)
        for (size_t j = 0; places[j]; j++) {
            char *found = probe(places[j], strlen(places[j]), bundles[i]);
            if (found)
                return found;
        }
    return NULL;
}

static void list(aper__buf *out, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        aper__buf_printf(out, "%s%s", i ? ", " : "", words[i]);
}

static aper_status none_found(aper_error **ret_error)
{
    aper__buf text = {0};
    if (names[0]) {
        aper__buf_puts(&text, "on PATH for ");
        list(&text, names);
        aper__buf_puts(&text, "; ");
    }
    aper__buf_puts(&text, "in ");
    list(&text, places);
    aper__buf_puts(&text, " for ");
    list(&text, bundles);
    aper_status status = aper__error_set(
        ret_error, APER_E_NOT_FOUND,
        "no Chrome or Chromium was found (looked %s); name one by executable "
        "in aper_launch_options", text.data ? text.data : "everywhere");
    aper__buf_free(&text);
    return status;
}

static aper_status check_given(const char *executable, char **ret_path,
                               aper_error **ret_error)
{
    struct stat info;
    char *path = strchr(executable, '/') ? aper__strdup(executable)
                                         : search_path(executable);
    if (!path || stat(path, &info) != 0) {
        aper__dealloc(path);
        return aper__error_set(ret_error, APER_E_NOT_FOUND,
                               "there is no program %s", executable);
    }
    *ret_path = path;
    return APER_OK;
}

aper_status aper__launch_find(const char *executable, char **ret_path,
                              aper_error **ret_error)
{
    if (executable)
        return check_given(executable, ret_path, ret_error);
    char *found = NULL;
    for (size_t i = 0; names[i] && !found; i++)
        found = search_path(names[i]);
    if (!found)
        found = search_places();
    if (!found)
        return none_found(ret_error);
    *ret_path = found;
    return APER_OK;
}
