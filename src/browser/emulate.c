/* SPDX-License-Identifier: Apache-2.0 */
/* What a tab pretends to be: a few independent settings, each one command that
 * sets it and one that ends it, sent to every session that it concerns. */
#include "browser/internal.h"
#include "browser/user_agent.h"

#include <string.h>

#define SIZE_MAX_PX 10000000
#define SCALE_MAX_PERMILLE 20000
#define TEXT_BYTES_MAX 1024

struct aper__emulation {
    aper_emulation_options options; /* its texts are ours */
    aper__view own; /* the page's size without any */
};

/* ---- the settings -------------------------------------------------------- */

static bool wants_metrics(const aper_emulation_options *options)
{
    return options->width != 0 || options->scale_permille != 0
        || options->mobile != 0;
}

static json_t *metrics(const aper_emulation_options *options)
{
    int width = (int)options->width;
    int height = (int)options->height;
    json_t *params = json_pack(
        "{s:i,s:i,s:f,s:b}", "width", width, "height", height,
        "deviceScaleFactor", options->scale_permille / 1000.0, "mobile",
        options->mobile != 0);
    if (options->mobile != 0 && width != 0) {
        const char *type = height >= width ? "portraitPrimary"
                                           : "landscapePrimary";
        json_object_set_new(params, "screenWidth", json_integer(width));
        json_object_set_new(params, "screenHeight", json_integer(height));
        json_object_set_new(params, "screenOrientation",
                            json_pack("{s:s,s:i}", "type", type, "angle",
                                      height >= width ? 0 : 90));
    }
    return params;
}

static bool wants_touch(const aper_emulation_options *options)
{
    return options->mobile != 0;
}

static json_t *touch(const aper_emulation_options *options)
{
    return options != NULL ? json_pack("{s:b,s:i}", "enabled", 1,
                                       "maxTouchPoints", 5)
                           : json_pack("{s:b}", "enabled", 0);
}

static bool wants_agent(const aper_emulation_options *options)
{
    return options->user_agent != NULL || options->locale != NULL;
}

/* "de-DE" reads "de" as well. */
static char *languages(const char *locale)
{
    aper__buf out = { 0 };
    size_t language = strcspn(locale, "-_");
    aper__buf_puts(&out, locale);
    if (locale[language] != '\0') {
        aper__buf_putc(&out, ',');
        aper__buf_append(&out, locale, language);
    }
    return aper__buf_take(&out);
}

/* An empty header leaves the browser's own. */
static json_t *agent(const aper_emulation_options *options)
{
    const char *user_agent = options != NULL ? options->user_agent : NULL;
    json_t *params = json_pack("{s:s}", "userAgent",
                               user_agent != NULL ? user_agent : "");
    if (user_agent != NULL) {
        json_object_set_new(params, "platform", json_string(
                                aper__user_agent_platform(user_agent)));
        json_t *metadata = aper__user_agent_metadata(user_agent);
        if (metadata != NULL)
            json_object_set_new(params, "userAgentMetadata", metadata);
    }
    if (options != NULL && options->locale != NULL) {
        char *list = languages(options->locale);
        if (list != NULL)
            json_object_set_new(params, "acceptLanguage", json_string(list));
        aper__dealloc(list);
    }
    return params;
}

static bool wants_locale(const aper_emulation_options *options)
{
    return options->locale != NULL;
}

static json_t *locale(const aper_emulation_options *options)
{
    return options != NULL ? json_pack("{s:s}", "locale", options->locale)
                           : NULL;
}

static bool wants_timezone(const aper_emulation_options *options)
{
    return options->timezone != NULL;
}

static json_t *timezone_of(const aper_emulation_options *options)
{
    return json_pack("{s:s}", "timezoneId",
                     options != NULL ? options->timezone : "");
}

static bool wants_geolocation(const aper_emulation_options *options)
{
    return options->has_geolocation != 0;
}

static json_t *geolocation(const aper_emulation_options *options)
{
    double accuracy = options->accuracy_m > 0 ? options->accuracy_m : 50;
    return json_pack("{s:f,s:f,s:f}", "latitude", options->latitude,
                     "longitude", options->longitude, "accuracy", accuracy);
}

static bool wants_offline(const aper_emulation_options *options)
{
    return options->offline != 0;
}

static json_t *network(const aper_emulation_options *options)
{
    return json_pack("{s:b,s:i,s:i,s:i}", "offline", options != NULL,
                     "latency", 0, "downloadThroughput", -1,
                     "uploadThroughput", -1);
}

/* Which sessions a setting is sent to. */
enum { TOP, DOCUMENTS, ALL };

typedef struct setting {
    unsigned reach;
    bool (*wanted)(const aper_emulation_options *options);
    const char *method;
    json_t *(*params)(const aper_emulation_options *options);
    /* Ends it with no params; NULL: the same method, with params(NULL). */
    const char *clear;
} setting;

static const setting settings[] = {
    { TOP, wants_metrics, "Emulation.setDeviceMetricsOverride",
      metrics, "Emulation.clearDeviceMetricsOverride" },
    { DOCUMENTS, wants_touch, "Emulation.setTouchEmulationEnabled",
      touch, NULL },
    { ALL, wants_agent, "Emulation.setUserAgentOverride", agent,
      NULL },
    { DOCUMENTS, wants_locale, "Emulation.setLocaleOverride",
      locale, NULL },
    { ALL, wants_timezone, "Emulation.setTimezoneOverride",
      timezone_of, NULL },
    { DOCUMENTS, wants_geolocation,
      "Emulation.setGeolocationOverride", geolocation,
      "Emulation.clearGeolocationOverride" },
    { DOCUMENTS, wants_offline,
      "Network.emulateNetworkConditions", network, NULL },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

typedef struct command {
    const setting *about;
    const char *method;
    json_t *params;
} command;

static command set_command(const setting *about,
                           const aper_emulation_options *options)
{
    return (command){ about, about->method, about->params(options) };
}

static command clear_command(const setting *about)
{
    if (about->clear != NULL)
        return (command){ about, about->clear, NULL };
    return (command){ about, about->method, about->params(NULL) };
}

/* What turns one state into another; either may be NULL. A setting is ended
 * before it gets another value: Chromium judges only the first of them. */
static size_t plan(const aper_emulation_options *from,
                   const aper_emulation_options *to,
                   command out[2 * SETTINGS])
{
    size_t count = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        const setting *about = &settings[i];
        if (from != NULL && about->wanted(from))
            out[count++] = clear_command(about);
        if (to != NULL && about->wanted(to))
            out[count++] = set_command(about, to);
    }
    return count;
}

/* ---- sessions ------------------------------------------------------------ */

static bool is_document(const aper__session *session)
{
    return strcmp(session->type, "page") == 0
        || strcmp(session->type, "iframe") == 0;
}

static bool reaches(const setting *about, const aper_tab *tab,
                    const aper__session *session)
{
    if (about->reach == TOP)
        return strcmp(session->id, tab->session) == 0;
    return about->reach == ALL || is_document(session);
}

/* Commands whose answers are awaited, whatever they are. */
typedef struct answers {
    aper__op *op;
    aper__cdp_pending **items;
    size_t count;
} answers;

/* false if it was not sent. */
static bool ask(answers *asked, const aper_tab *tab, const char *session,
                const command *what)
{
    aper__cdp_pending **items = aper__realloc(
        asked->items, (asked->count + 1) * sizeof(*items));
    if (items == NULL)
        return false;
    asked->items = items;
    if (aper__cdp_begin(tab->browser->cdp, session, what->method,
                        json_incref(what->params), asked->op,
                        &items[asked->count], NULL) != APER_OK)
        return false;
    asked->count++;
    return true;
}

static void hear(answers *asked)
{
    for (size_t i = 0; i < asked->count; i++)
        aper__cdp_finish(asked->items[i], NULL, NULL);
    aper__dealloc(asked->items);
}

/* asked may be NULL. A worker may be busy for as long as it likes: its answers
 * are not awaited. */
static void post_plan(aper_tab *tab, const aper__session *session,
                      const aper_emulation_options *from,
                      const aper_emulation_options *to, answers *asked)
{
    command commands[2 * SETTINGS];
    size_t count = plan(from, to, commands);
    if (!is_document(session))
        asked = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!reaches(commands[i].about, tab, session)
            || (asked != NULL && ask(asked, tab, session->id, &commands[i])))
            json_decref(commands[i].params);
        else
            aper__browser_post(tab->browser, session->id, commands[i].method,
                               commands[i].params);
    }
}

void aper__emulate_apply(aper_tab *tab, aper__session *session)
{
    if (tab->emulation != NULL)
        post_plan(tab, session, NULL, &tab->emulation->options, NULL);
}

static const aper_emulation_options *options_of(const aper__emulation *state)
{
    return state != NULL ? &state->options : NULL;
}

static void post_to_others(aper_tab *tab, const aper__emulation *from,
                           const aper__emulation *to, answers *asked)
{
    size_t cursor = 0;
    const char *id;
    void *value;
    while (aper__map_next(tab->browser->sessions, &cursor, &id, &value)) {
        const aper__session *session = value;
        if (session->tab == tab && strcmp(id, tab->session) != 0)
            post_plan(tab, session, options_of(from), options_of(to), asked);
    }
}

/* ---- the state ----------------------------------------------------------- */

static void free_state(aper__emulation *state)
{
    if (state == NULL)
        return;
    aper__dealloc((char *)state->options.locale);
    aper__dealloc((char *)state->options.timezone);
    aper__dealloc((char *)state->options.user_agent);
    aper__dealloc(state);
}

void aper__emulate_free(aper_tab *tab)
{
    free_state(tab->emulation);
    tab->emulation = NULL;
    aper__grants_end(tab);
}

static bool copy_text(const char **text)
{
    const char *from = *text;
    *text = aper__strdup(from);
    return from == NULL || *text != NULL;
}

static aper__emulation *new_state(const aper_emulation_options *options)
{
    aper__emulation *state = aper__alloc(sizeof(*state));
    if (state == NULL)
        return NULL;
    state->options = *options;
    bool copied = copy_text(&state->options.locale);
    copied = copy_text(&state->options.timezone) && copied;
    copied = copy_text(&state->options.user_agent) && copied;
    if (copied)
        return state;
    free_state(state);
    return NULL;
}

void aper__emulate_on_page(aper_tab *tab, const char *method, json_t *params)
{
    if (tab->emulation == NULL
        || !wants_geolocation(&tab->emulation->options))
        return;
    json_t *frame = aper__json_get(params, "frame");
    if (strcmp(method, "Page.frameStartedNavigating") == 0
        && strcmp(aper__json_string(params, "frameId"), tab->id) == 0)
        aper__grants_add(tab, aper__json_string(params, "url"));
    else if (strcmp(method, "Page.frameNavigated") == 0
             && strcmp(aper__json_string(frame, "id"), tab->id) == 0)
        aper__grants_add(tab, aper__json_string(frame, "url"));
}

/* ---- the call ------------------------------------------------------------ */

static bool is_text(const char *text)
{
    if (text == NULL)
        return true;
    size_t length = strlen(text);
    if (length == 0 || length > TEXT_BYTES_MAX)
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~')
            return false;
    }
    return true;
}

static const char *find_fault(const aper_emulation_options *options)
{
    if ((options->width == 0) != (options->height == 0))
        return "width and height go together";
    if (options->width > SIZE_MAX_PX || options->height > SIZE_MAX_PX)
        return "the viewport is too large";
    if (options->scale_permille > SCALE_MAX_PERMILLE)
        return "scale_permille is over 20000";
    if (options->has_geolocation != 0
        && !(options->latitude >= -90 && options->latitude <= 90
             && options->longitude >= -180 && options->longitude <= 180
             && options->accuracy_m >= 0 && options->accuracy_m < 1e9))
        return "latitude, longitude or accuracy_m is out of range";
    if (!is_text(options->locale) || !is_text(options->timezone)
        || !is_text(options->user_agent))
        return "locale, timezone and user_agent are ASCII text, or NULL";
    return NULL;
}

/* All on one round trip; the first refusal is reported. */
static aper_status send_plan(aper_tab *tab, aper__op *op,
                             const aper_emulation_options *from,
                             const aper_emulation_options *to,
                             aper_error **ret_error)
{
    command commands[2 * SETTINGS];
    aper__cdp_pending *pending[2 * SETTINGS] = { NULL };
    size_t count = plan(from, to, commands);
    aper_status status = APER_OK;
    for (size_t i = 0; i < count; i++) {
        aper_status each = aper__cdp_begin(
            tab->browser->cdp, tab->session, commands[i].method,
            commands[i].params, op, &pending[i],
            status == APER_OK ? ret_error : NULL);
        if (status == APER_OK)
            status = each;
    }
    for (size_t i = 0; i < count; i++) {
        if (pending[i] == NULL)
            continue;
        aper_status each = aper__cdp_finish(
            pending[i], NULL, status == APER_OK ? ret_error : NULL);
        if (status == APER_OK)
            status = each;
    }
    return status;
}

static aper__view size_of(const aper__emulation *state)
{
    if (state == NULL)
        return (aper__view){ 0, 0 };
    return (aper__view){ state->options.width, state->options.height };
}

/* Of the state before, or as it is now; a document that is being replaced has
 * none to tell. */
static aper_status find_own_size(aper_tab *tab, aper__op *op,
                                 const aper_emulation_options *to,
                                 aper__view *own, aper_error **ret_error)
{
    const aper__emulation *old = tab->emulation;
    if (size_of(old).width > 0) {
        *own = old->own;
        return APER_OK;
    }
    if (to == NULL || to->width == 0)
        return APER_OK;
    aper_status status = aper__view_look(tab, op, own, NULL);
    return status == APER_OK || status == APER_E_REMOTE
        ? APER_OK
        : aper__error_set(ret_error, status, "%s", aper__op_reason(status));
}

/* What is set in the renderer is there when its command is answered. The
 * network service and those who grant permissions hear of it from the browser,
 * which answers before: but each takes what it is told in order. */
static aper_status wait_for_services(aper_tab *tab, aper__op *op, bool network,
                                     bool place, aper_error **ret_error)
{
    aper_status status = APER_OK;
    if (network)
        status = aper__tab_call(tab, op, "Network.getCookies",
                                json_pack("{s:[s]}", "urls",
                                          "https://aperture.invalid/"),
                                NULL, ret_error);
    if (status == APER_OK && place)
        status = aper__browser_call(tab->browser, op, "Browser.getVersion",
                                    NULL, NULL, ret_error);
    return status;
}

static bool concerns(bool (*wants)(const aper_emulation_options *options),
                     const aper__emulation *from, const aper__emulation *to)
{
    return (from != NULL && wants(&from->options))
        || (to != NULL && wants(&to->options));
}

/* Makes it the tab's state, and waits until all that shows the page has it. */
static aper_status take(aper_tab *tab, aper__op *op, aper__emulation *state,
                        const aper__view *own, aper_error **ret_error)
{
    aper__emulation *old = tab->emulation;
    answers asked = { .op = op };
    bool network = concerns(wants_offline, old, state);
    bool place = concerns(wants_geolocation, old, state);
    pthread_mutex_lock(&tab->browser->lock);
    post_to_others(tab, old, state, &asked);
    tab->emulation = state;
    if (state == NULL || !wants_geolocation(&state->options))
        aper__grants_end(tab);
    else
        aper__grants_add(tab, tab->place.url);
    pthread_mutex_unlock(&tab->browser->lock);
    hear(&asked);
    aper__view from = size_of(old);
    aper__view to = size_of(state);
    aper_status status = aper__op_check(op);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s", aper__op_reason(status));
    else
        status = wait_for_services(tab, op, network, place, ret_error);
    if (status == APER_OK)
        status = aper__view_wait(tab, op, &from, &to, own, ret_error);
    free_state(old);
    return status;
}

/* Ends what was set of state before the rest could not be. */
static void go_back(aper_tab *tab, aper__op *op, const aper__emulation *state,
                    const aper__view *own, bool wait)
{
    const aper__emulation *old = tab->emulation;
    if (wait) {
        aper__view from = size_of(state);
        aper__view to = size_of(old);
        send_plan(tab, op, options_of(state), options_of(old), NULL);
        aper__view_wait(tab, op, &from, &to, own, NULL);
        return;
    }
    pthread_mutex_lock(&tab->browser->lock);
    const aper__session *session = aper__session_find(tab->browser,
                                                      tab->session);
    if (session != NULL)
        post_plan(tab, session, options_of(state), options_of(old), NULL);
    pthread_mutex_unlock(&tab->browser->lock);
}

static aper_status run(aper_tab *tab, aper__op *op,
                       const aper_emulation_options *options,
                       aper_error **ret_error)
{
    aper__view own = { 0 };
    aper_status status = find_own_size(tab, op, options, &own, ret_error);
    if (status != APER_OK)
        return status;
    aper__emulation *state = NULL;
    if (options != NULL) {
        state = new_state(options);
        if (state == NULL)
            return aper__error_set(ret_error, APER_E_NOMEM,
                                   "no memory for the emulation");
        state->own = own;
    }
    /* Only holders change tab->emulation. */
    status = send_plan(tab, op, options_of(tab->emulation), options_of(state),
                       ret_error);
    if (status == APER_OK)
        return take(tab, op, state, &own, ret_error);
    go_back(tab, op, state, &own, status == APER_E_REMOTE);
    free_state(state);
    return status;
}

aper_status aper_tab_emulate(aper_tab *tab,
                             const aper_emulation_options *options,
                             aper_error **ret_error)
{
    aper_emulation_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    const char *fault = find_fault(&copy);
    if (fault != NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "%s", fault);
    aper__op op;
    status = aper__tab_begin(tab, &op, APER__SHORT_TIMEOUT_MS, false,
                             ret_error);
    if (status != APER_OK)
        return status;
    status = aper__targets_attach(tab, &op, ret_error);
    if (status == APER_OK)
        status = aper__tab_hold(tab, &op, ret_error);
    if (status == APER_OK) {
        status = run(tab, &op, options != NULL ? &copy : NULL, ret_error);
        aper__tab_release(tab);
    }
    aper__tab_end(tab, &op);
    return status;
}
