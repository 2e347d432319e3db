/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a browser. No secret ever stands in it: every user of
 * the machine can read it. */
#include "cdp/launch.h"

#include <string.h>
#include <sys/statvfs.h>

/* Of a window, in CSS pixels. */
#define SIDE_MIN 100
#define SIDE_MAX 16384
/* A renderer needs this much shared memory at times; containers give 64 MiB. */
#define SHARED_MEMORY_MIN ((uint64_t)512 * 1024 * 1024)

static const char *const always[] = {
    /* no questions, no greetings */
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-hang-monitor",
    "--password-store=basic",
    "--use-mock-keychain",
    /* no calls home */
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--no-service-autorun",
    "--force-webrtc-ip-handling-policy=default_public_interface_only",
    /* tabs work in the background as well, where all of ours are */
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    /* no tab that nobody asked for */
    "--no-startup-window",
    NULL};

static const char disabled_features[] =
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,"
    "DialMediaRouteProvider,InterestFeedContentSuggestions,MediaRouter,"
    "OptimizationGuideModelDownloading,OptimizationHints,Translate";

/* Switches by which a caller would cut the library off. */
static const char *const ours[] = {
    "remote-debugging-address", "remote-debugging-pipe",
    "remote-debugging-port", "user-data-dir", NULL};

typedef struct list {
    char **items;
    size_t count;
    bool failed;
} list;

/* Takes text. */
static void add(list *args, char *text)
{
    char **items = aper__realloc(args->items,
                                 (args->count + 2) * sizeof *items);
    if (items)
        args->items = items;
    if (!items || !text) {
        args->failed = true;
        aper__dealloc(text);
        return;
    }
    items[args->count++] = text;
    items[args->count] = NULL;
}

static void add_copy(list *args, const char *text)
{
    add(args, aper__strdup(text));
}

static void add_printf(list *args, const char *format, ...) APER_PRINTF(2, 3);

static void add_printf(list *args, const char *format, ...)
{
    aper__buf text = {0};
    va_list values;
    va_start(values, format);
    aper__buf_vprintf(&text, format, values);
    va_end(values);
    add(args, aper__buf_take(&text));
}

/* What stands behind "--name=", "" for "--name", NULL for another switch. */
static const char *value_of(const char *arg, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(arg, "--", 2) != 0 || strncmp(arg + 2, name, length) != 0)
        return NULL;
    arg += 2 + length;
    return *arg == '=' ? arg + 1 : *arg ? NULL : arg;
}

static aper_status check_extra(const char *const *extra,
                               aper_error **ret_error)
{
    for (; extra && *extra; extra++) {
        if (strncmp(*extra, "--", 2) != 0 || !(*extra)[2])
            return aper__error_set(ret_error, APER_E_INVAL,
                                   "extra_args: %s is not a switch", *extra);
        for (size_t i = 0; ours[i]; i++)
            if (value_of(*extra, ours[i]))
                return aper__error_set(
                    ret_error, APER_E_INVAL,
                    "extra_args: --%s is set by the library itself", ours[i]);
    }
    return APER_OK;
}

/* What Chromium cannot read as a proxy it passes over, and goes without. */
static bool is_proxy(const char *text)
{
    static const char *const schemes[] = {"http", "https", "socks4", "socks5"};
    static const char host[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    if (strcmp(text, "direct://") == 0)
        return true;
    const char *at = strstr(text, "://");
    bool known = !at;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes && !known; i++)
        known = strlen(schemes[i]) == (size_t)(at - text)
            && strncmp(text, schemes[i], (size_t)(at - text)) == 0;
    at = at ? at + 3 : text;
    size_t size = strspn(at, host);
    if (*at == '[') {
        size = 1 + strspn(at + 1, "0123456789abcdefABCDEF:.");
        size = at[size] == ']' ? size + 1 : 0;
    }
    size_t digits = at[size] == ':' ? strspn(at + size + 1, "0123456789") : 0;
    return known && size && digits && digits <= 5 && !at[size + 1 + digits];
}

static aper_status check_proxy(const char *proxy, aper_error **ret_error)
{
    if (strchr(proxy, '@'))
        return aper__error_set(
            ret_error, APER_E_INVAL,
            "proxy: credentials would be readable by every user of the "
            "machine, and Chromium ignores them there");
    if (!is_proxy(proxy))
        return aper__error_set(
            ret_error, APER_E_INVAL,
            "proxy: \"%s\" is neither host:port, http, https, socks4 or "
            "socks5://host:port nor direct://", proxy);
    return APER_OK;
}

static bool is_side(uint32_t side)
{
    return side >= SIDE_MIN && side <= SIDE_MAX;
}

aper_status aper__launch_check(const aper_launch_options *options,
                               aper_error **ret_error)
{
    uint32_t width = options->width, height = options->height;
    if ((width || height) && !(is_side(width) && is_side(height)))
        return aper__error_set(
            ret_error, APER_E_INVAL,
            "width and height: a window of %u x %u is refused; give both, from "
            "%d to %d, or neither", width, height, SIDE_MIN, SIDE_MAX);
    aper_status status = options->proxy ? check_proxy(options->proxy,
                                                      ret_error)
                                        : APER_OK;
    return status ? status : check_extra(options->extra_args, ret_error);
}

bool aper__launch_unsandboxed(const aper_launch_options *options)
{
    const char *const *extra = options->extra_args;
    for (; extra && *extra; extra++)
        if (value_of(*extra, "no-sandbox"))
            return true;
    return options->no_sandbox;
}

static bool is_shared_memory_small(void)
{
    struct statvfs info;
    return statvfs("/dev/shm", &info) == 0
        && (uint64_t)info.f_blocks * info.f_frsize < SHARED_MEMORY_MIN;
}

/* Of several such switches Chromium reads the last one only. */
static void add_extra(list *args, const char *const *extra)
{
    aper__buf features = {0};
    aper__buf_puts(&features, disabled_features);
    for (; extra && *extra; extra++) {
        const char *more = value_of(*extra, "disable-features");
        if (!more)
            add_copy(args, *extra);
        else if (*more)
            aper__buf_printf(&features, ",%s", more);
    }
    if (features.failed)
        args->failed = true;
    else
        add_printf(args, "--disable-features=%s", features.data);
    aper__buf_free(&features);
}

static void add_options(list *args, const aper_launch_options *options)
{
    if (!options->headed) {
        add_copy(args, "--headless=new");
        add_copy(args, "--mute-audio");
    }
    add_copy(args, options->use_pipe ? "--remote-debugging-pipe"
                                     : "--remote-debugging-port=0");
    add_printf(args, "--window-size=%u,%u",
               options->width ? options->width : 1280,
               options->height ? options->height : 800);
    if (options->proxy)
        add_printf(args, "--proxy-server=%s", options->proxy);
    if (options->no_sandbox)
        add_copy(args, "--no-sandbox");
    if (is_shared_memory_small())
        add_copy(args, "--disable-dev-shm-usage");
}

aper_status aper__launch_args(const aper_launch_options *options,
                              const char *path, const char *profile_dir,
                              char ***ret_args, aper_error **ret_error)
{
    list args = {0};
    add_copy(&args, path);
    add_printf(&args, "--user-data-dir=%s", profile_dir);
    for (size_t i = 0; always[i]; i++)
        add_copy(&args, always[i]);
    add_options(&args, options);
    add_extra(&args, options->extra_args);
    if (args.failed) {
        aper__launch_args_free(args.items);
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    }
    *ret_args = args.items;
    return APER_OK;
}

void aper__launch_args_free(char **args)
{
    for (char **at = args; at && *at; at++)
        aper__dealloc(*at);
    aper__dealloc(args);
}
