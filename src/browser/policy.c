/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses may be reached.
 *
 * Schemes are checked where an address is given and where a main frame
 * commits, which costs nothing. Hosts can only be enforced by looking at every
 * request (Fetch), so that is on only while host lists or deny_private are
 * set. */
#include "browser/internal.h"

#include <string.h>

static void free_list(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        aper__dealloc(list[i]);
    aper__dealloc(list);
}

void aper__policy_free(aper__policy *policy)
{
    free_list(policy->allow_hosts);
    free_list(policy->deny_hosts);
    free_list(policy->extra_schemes);
    memset(policy, 0, sizeof(*policy));
}

static bool copy_list(const char *const *list, char ***ret_copy)
{
    if (list == NULL)
        return true;
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    char **copy = aper__alloc((count + 1) * sizeof(*copy));
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = aper__strdup(list[i]);
        if (copy[i] == NULL) {
            free_list(copy);
            copy = NULL;
        }
    }
    *ret_copy = copy;
    return copy != NULL;
}

bool aper__policy_needs_fetch(const aper__policy *policy)
{
    return policy->allow_hosts != NULL || policy->deny_hosts != NULL
        || policy->deny_private;
}

/* ---- the rules ----------------------------------------------------------- */

static bool matches_any(const char *host, char **patterns)
{
    for (size_t i = 0; patterns[i] != NULL; i++) {
        if (aper__address_matches(host, patterns[i]))
            return true;
    }
    return false;
}

static aper_status refuse(aper__buf *why, const char *text, const char *name)
{
    if (why != NULL) {
        aper__buf_puts(why, text);
        aper__text_quote(why, name, strlen(name), 100);
        if (why->failed)
            aper__buf_clear(why);
    }
    return APER_E_BLOCKED;
}

static aper_status check_host(const aper__policy *policy, const char *url,
                              aper__buf *why)
{
    char host[APER__HOST_MAX];
    aper__address_host(url, host);
    if (policy->deny_hosts != NULL && matches_any(host, policy->deny_hosts))
        return refuse(why, "the URL policy denies the host ", host);
    if (policy->allow_hosts != NULL && !matches_any(host, policy->allow_hosts))
        return refuse(why, "the URL policy does not list the host ", host);
    if (policy->deny_private && aper__address_is_private(host))
        return refuse(why, "the URL policy denies the private address ", host);
    return APER_OK;
}

static bool is_web(const char *scheme)
{
    return strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0;
}

static bool is_blank(const char *url)
{
    return strncmp(url, "about:blank", 11) == 0
        && (url[11] == '\0' || url[11] == '#' || url[11] == '?');
}

static bool is_extra(const aper__policy *policy, const char *scheme)
{
    char **extra = policy->extra_schemes;
    for (size_t i = 0; extra != NULL && extra[i] != NULL; i++) {
        if (aper__ascii_caseless_equal(extra[i], scheme))
            return true;
    }
    return false;
}

aper_status aper__policy_check(const aper__policy *policy, const char *url,
                               aper__buf *why)
{
    char scheme[APER__SCHEME_MAX];
    if (is_blank(url))
        return APER_OK;
    if (!aper__address_scheme(url, scheme, sizeof(scheme)))
        return refuse(why, "the URL policy needs an address with a scheme, "
                      "not ", url);
    if (is_web(scheme))
        return check_host(policy, url, why);
    if (is_extra(policy, scheme))
        return APER_OK;
    return refuse(why, "the URL policy does not allow the scheme ", scheme);
}

aper_status aper__policy_check_url(aper_browser *browser, const char *url,
                                   aper_error **ret_error)
{
    char scheme[APER__SCHEME_MAX];
    if (!aper__utf8_is_valid(url, strlen(url)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the address is not valid UTF-8");
    if (!is_blank(url) && !aper__address_scheme(url, scheme, sizeof(scheme)))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "the address has no scheme such as https:");
    aper__buf why = { 0 };
    pthread_mutex_lock(&browser->lock);
    aper_status status = aper__policy_check(&browser->policy, url, &why);
    pthread_mutex_unlock(&browser->lock);
    if (status != APER_OK)
        aper__error_set(ret_error, status, "%s",
                        why.data != NULL ? why.data : "blocked");
    aper__buf_free(&why);
    return status;
}

/* ---- in the browser ------------------------------------------------------ */

void aper__policy_apply(aper_browser *browser, aper__session *session)
{
    if (aper__policy_needs_fetch(&browser->policy))
        aper__browser_post(browser, session->id, "Fetch.enable",
                           json_pack("{s:[{s:s}]}", "patterns", "urlPattern",
                                     "*"));
    else
        aper__browser_post(browser, session->id, "Fetch.disable", NULL);
}

static void report(aper_browser *browser, const aper_tab *tab, const char *url)
{
    aper__events_post(browser,
                      aper__event_new(APER_EVENT_BLOCKED,
                                      tab != NULL ? tab->id : NULL, url));
}

static bool is_main_document(const aper_tab *tab, json_t *params)
{
    return tab != NULL
        && strcmp(aper__json_string(params, "resourceType"), "Document") == 0
        && strcmp(aper__json_string(params, "frameId"), tab->id) == 0;
}

void aper__policy_on_paused(aper_browser *browser, aper__session *session,
                            json_t *params)
{
    const char *id = aper__json_string(params, "requestId");
    json_t *request = aper__json_get(params, "request");
    const char *url = aper__json_string(request, "url");
    aper_tab *tab = session->tab;
    aper__buf why = { 0 };
    char scheme[APER__SCHEME_MAX];
    bool main_document = is_main_document(tab, params);
    aper_status status = APER_OK;
    /* Below the top frame only the network is of interest. */
    if (main_document
        || (aper__address_scheme(url, scheme, sizeof(scheme))
            && is_web(scheme)))
        status = aper__policy_check(&browser->policy, url, &why);
    if (status == APER_OK) {
        aper__browser_post_or_fail(browser, session->id,
                                   "Fetch.continueRequest",
                                   json_pack("{s:s}", "requestId", id));
    } else {
        aper__browser_post_or_fail(browser, session->id, "Fetch.failRequest",
                                   json_pack("{s:s,s:s}", "requestId", id,
                                             "errorReason",
                                             "BlockedByClient"));
        aper__visit *visit = !main_document ? NULL
            : aper__place_find(&tab->place,
                               aper__json_string(params, "networkId"));
        if (visit != NULL)
            aper__text_set(&visit->blocked, why.data);
        report(browser, tab, url);
    }
    aper__buf_free(&why);
}

/* A popup that never showed anything else is closed, any other page left. */
static void leave(aper_tab *tab)
{
    if (tab->opener_id[0] != '\0' && tab->place.commits <= 1)
        aper__browser_post_or_fail(tab->browser, "", "Target.closeTarget",
                                   json_pack("{s:s}", "targetId", tab->id));
    else
        aper__browser_post_or_fail(tab->browser, tab->session, "Page.navigate",
                                   json_pack("{s:s}", "url", "about:blank"));
}

void aper__policy_on_commit(aper_tab *tab, const char *url)
{
    if (!tab->own || url[0] == '\0' || strncmp(url, "chrome-error:", 13) == 0)
        return;
    if (aper__policy_check(&tab->browser->policy, url, NULL) == APER_OK)
        return;
    report(tab->browser, tab, url);
    leave(tab);
}

/* A name that resolves to a private address is only seen here. */
void aper__policy_on_response(aper_tab *tab, const char *url,
                              const char *address)
{
    aper_browser *browser = tab->browser;
    if (!browser->policy.deny_private || browser->proxied || address[0] == '\0'
        || !aper__address_is_private(address))
        return;
    report(browser, tab, url);
    if (!tab->own)
        return;
    aper__visit *visit = aper__place_find(&tab->place, tab->place.active);
    if (visit != NULL) {
        aper__buf why = { 0 };
        refuse(&why, "the URL policy denies the private address ", address);
        aper__text_set(&visit->blocked, why.data);
        aper__buf_free(&why);
    }
    leave(tab);
}

/* ---- setting it ---------------------------------------------------------- */

static aper_status invalid(aper_error **ret_error, const char *list,
                           const char *entry, const char *why)
{
    aper__buf quoted = { 0 };
    aper__text_quote(&quoted, entry, strlen(entry), 100);
    aper_status status = aper__error_set(
        ret_error, APER_E_INVAL, "%s: %s %s", list,
        quoted.data != NULL ? quoted.data : "an entry", why);
    aper__buf_free(&quoted);
    return status;
}

/* A pattern that can match nothing would deny nothing. */
static aper_status check_hosts(const char *name, const char *const *list,
                               aper_error **ret_error)
{
    for (; list != NULL && *list != NULL; list++) {
        if (!aper__address_is_pattern(*list))
            return invalid(ret_error, name, *list,
                           "is neither a host such as \"example.org\" or "
                           "\"*.example.org\" (in ASCII: \"xn--...\") nor "
                           "an address");
    }
    return APER_OK;
}

static bool is_scheme(const char *text)
{
    static const char marks[] =
        "0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t size = strspn(text, marks);
    return size > 0 && size < APER__SCHEME_MAX && text[size] == '\0'
        && strchr(marks, text[0]) >= strchr(marks, 'a');
}

static aper_status check_schemes(const char *const *list,
                                 aper_error **ret_error)
{
    for (; list != NULL && *list != NULL; list++) {
        if (aper__ascii_caseless_equal(*list, "javascript"))
            return invalid(ret_error, "extra_schemes", *list,
                           "is never allowed");
        if (!is_scheme(*list))
            return invalid(ret_error, "extra_schemes", *list,
                           "is no scheme such as \"file\", without a colon");
    }
    return APER_OK;
}

static aper_status check_lists(const aper_policy_options *options,
                               aper_error **ret_error)
{
    aper_status status = check_hosts("allow_hosts", options->allow_hosts,
                                     ret_error);
    if (status == APER_OK)
        status = check_hosts("deny_hosts", options->deny_hosts, ret_error);
    return status == APER_OK ? check_schemes(options->extra_schemes, ret_error)
                             : status;
}

static aper_status copy_policy(const aper_policy_options *options,
                               aper__policy *ret_policy,
                               aper_error **ret_error)
{
    aper__policy policy = { .deny_private = options->deny_private != 0,
                            .on_alert = options->on_alert,
                            .on_confirm = options->on_confirm,
                            .on_beforeunload = options->on_beforeunload };
    if (policy.on_alert > APER_DIALOG_POLICY_DISMISS
        || policy.on_confirm > APER_DIALOG_POLICY_DISMISS
        || policy.on_beforeunload > APER_DIALOG_POLICY_DISMISS)
        return aper__error_set(ret_error, APER_E_INVAL,
                               "a dialog policy is none of "
                               "APER_DIALOG_POLICY_*");
    aper_status status = check_lists(options, ret_error);
    if (status != APER_OK)
        return status;
    if (!copy_list(options->allow_hosts, &policy.allow_hosts)
        || !copy_list(options->deny_hosts, &policy.deny_hosts)
        || !copy_list(options->extra_schemes, &policy.extra_schemes)) {
        aper__policy_free(&policy);
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for the policy");
    }
    *ret_policy = policy;
    return APER_OK;
}

static void apply_everywhere(aper_browser *browser)
{
    size_t cursor = 0;
    const char *key;
    void *session;
    while (aper__map_next(browser->sessions, &cursor, &key, &session))
        aper__policy_apply(browser, session);
}

aper_status aper_browser_set_policy(aper_browser *browser,
                                    const aper_policy_options *options,
                                    aper_error **ret_error)
{
    aper_policy_options copy;
    aper_status status = aper__options_copy(&copy, sizeof(copy), sizeof(copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    aper__op op;
    status = aper__browser_begin(browser, &op, APER__SHORT_TIMEOUT_MS,
                                 ret_error);
    if (status != APER_OK)
        return status;
    aper__policy policy;
    status = copy_policy(&copy, &policy, ret_error);
    if (status == APER_OK) {
        pthread_mutex_lock(&browser->lock);
        aper__policy old = browser->policy;
        browser->policy = policy;
        if (aper__policy_needs_fetch(&policy) || aper__policy_needs_fetch(&old))
            apply_everywhere(browser);
        pthread_mutex_unlock(&browser->lock);
        aper__policy_free(&old);
        /* Commands are taken in order, so after this the policy holds. */
        status = aper__browser_call(browser, &op, "Browser.getVersion", NULL,
                                    NULL, ret_error);
    }
    aper__browser_end(browser, &op);
    return status;
}
