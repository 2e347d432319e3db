/* SPDX-License-Identifier: Apache-2.0 */
#include "browser/user_agent.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_SIZE 32
#define MODEL_SIZE 64

static bool has(const char *user_agent, const char *part)
{
    return strstr(user_agent, part) != NULL;
}

static bool is_iphone(const char *user_agent)
{
    return has(user_agent, "iPhone") || has(user_agent, "iPad");
}

const char *aper__user_agent_platform(const char *user_agent)
{
    if (has(user_agent, "Windows"))
        return "Win32";
    if (is_iphone(user_agent))
        return has(user_agent, "iPad") ? "iPad" : "iPhone";
    if (has(user_agent, "Macintosh"))
        return "MacIntel";
    if (has(user_agent, "Android"))
        return "Linux armv81";
    if (has(user_agent, "aarch64"))
        return "Linux aarch64";
    return "Linux x86_64";
}

/* Copies the version, of digits and dots, that follows a name. */
static bool version_after(const char *user_agent, const char *name,
                          char out[VERSION_SIZE])
{
    const char *start = strstr(user_agent, name);
    if (start == NULL)
        return false;
    start += strlen(name);
    size_t length = 0;
    while (length + 1 < VERSION_SIZE
           && (isdigit((unsigned char)start[length]) || start[length] == '.'
               || start[length] == '_')) {
        out[length] = start[length] == '_' ? '.' : start[length];
        length++;
    }
    out[length] = '\0';
    return length > 0;
}

static const char *brand_of(const char *user_agent, char version[VERSION_SIZE])
{
    static const struct {
        const char *token;
        const char *brand;
    } known[] = {
        { "Edg/", "Microsoft Edge" },
        { "EdgA/", "Microsoft Edge" },
        { "OPR/", "Opera" },
        { "HeadlessChrome/", "HeadlessChrome" },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (version_after(user_agent, known[i].token, version))
            return known[i].brand;
    }
    return version_after(user_agent, "Chrome/", version) ? "Google Chrome"
                                                         : NULL;
}

static json_t *brand(const char *name, const char *version)
{
    return json_pack("{s:s,s:s}", "brand", name, "version", version);
}

static void major_of(const char *version, char out[VERSION_SIZE])
{
    size_t length = strcspn(version, ".");
    memcpy(out, version, length);
    out[length] = '\0';
}

/* The list of a real browser: in an order and with an invented brand that
 * follow from its major version. */
static json_t *brands(const char *name, const char *version,
                      const char *chromium, bool full)
{
    static const char *const filler[] = { " ", "(", ":", "-", ".", "/", ")",
                                          ";", "=", "?", "_" };
    static const char *const fillers[] = { "8", "99", "24" };
    static const unsigned char orders[6][3] = {
        { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
        { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
    };
    char majors[2][VERSION_SIZE];
    major_of(version, majors[0]);
    major_of(chromium, majors[1]);
    unsigned long seed = strtoul(majors[1], NULL, 10);
    char invented[32];
    char invented_version[16];
    snprintf(invented, sizeof(invented), "Not%sA%sBrand", filler[seed % 11],
             filler[(seed + 1) % 11]);
    snprintf(invented_version, sizeof(invented_version), "%s%s",
             fillers[seed % 3], full ? ".0.0.0" : "");
    json_t *items[3];
    const unsigned char *order = orders[seed % 6];
    items[order[0]] = brand(invented, invented_version);
    items[order[1]] = brand("Chromium", full ? chromium : majors[1]);
    items[order[2]] = brand(name, full ? version : majors[0]);
    return json_pack("[o,o,o]", items[0], items[1], items[2]);
}

/* "Android 14; Pixel 8 Build/…)" holds the model; reduced headers say "K". */
static void android_model(const char *user_agent, char out[MODEL_SIZE])
{
    out[0] = '\0';
    const char *start = strstr(user_agent, "Android");
    start = start != NULL ? strchr(start, ';') : NULL;
    if (start == NULL)
        return;
    start += strspn(start, "; ");
    size_t length = strcspn(start, ";)");
    const char *build = strstr(start, " Build/");
    if (build != NULL && (size_t)(build - start) < length)
        length = (size_t)(build - start);
    if (length == 0 || length >= MODEL_SIZE
        || (length == 1 && start[0] == 'K'))
        return;
    memcpy(out, start, length);
    out[length] = '\0';
}

typedef struct machine {
    const char *name;
    char version[VERSION_SIZE];
    const char *architecture;
    const char *bitness;
    char model[MODEL_SIZE];
} machine;

static void describe_machine(const char *user_agent, machine *out)
{
    *out = (machine){ .name = "Linux", .architecture = "x86",
                      .bitness = "64" };
    if (has(user_agent, "Windows")) {
        out->name = "Windows";
        snprintf(out->version, sizeof(out->version), "10.0.0");
        if (!has(user_agent, "Win64") && !has(user_agent, "WOW64"))
            out->bitness = "32";
    } else if (has(user_agent, "Macintosh")) {
        out->name = "macOS";
        version_after(user_agent, "Mac OS X ", out->version);
    } else if (has(user_agent, "Android")) {
        out->name = "Android";
        out->architecture = "";
        out->bitness = "";
        version_after(user_agent, "Android ", out->version);
        android_model(user_agent, out->model);
    } else if (has(user_agent, "CrOS")) {
        out->name = "Chrome OS";
    } else if (has(user_agent, "aarch64")) {
        out->architecture = "arm";
    }
}

json_t *aper__user_agent_metadata(const char *user_agent)
{
    char version[VERSION_SIZE];
    char chromium[VERSION_SIZE];
    const char *name = brand_of(user_agent, version);
    if (name == NULL || is_iphone(user_agent)
        || !version_after(user_agent, "Chrome/", chromium))
        return NULL;
    machine made;
    describe_machine(user_agent, &made);
    bool mobile = has(user_agent, " Mobile");
    return json_pack(
        "{s:o,s:o,s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:b,s:[s]}",
        "brands", brands(name, version, chromium, false),
        "fullVersionList", brands(name, version, chromium, true),
        "fullVersion", version, "platform", made.name, "platformVersion",
        made.version, "architecture", made.architecture, "bitness",
        made.bitness, "model", made.model, "mobile", mobile ? 1 : 0, "wow64",
        has(user_agent, "WOW64") ? 1 : 0, "formFactors",
        mobile ? "Mobile" : made.architecture[0] == '\0' ? "Tablet"
                                                         : "Desktop");
}
