/* SPDX-License-Identifier: Apache-2.0 */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

aper_snapshot *agent_see(aper_tab *tab)
{
    aper_snapshot *snapshot = NULL;
    aper_error *error = NULL;
    aper_snapshot_options options = {.size = sizeof options,
                                     .budget_tokens = 20000};
    aper_status status = aper_snapshot_take(tab, &options, &snapshot, &error);
    LIVE_CHECK(APER_OK, status, error);
    return snapshot;
}

char *agent_nth_ref(aper_tab *tab, const char *name, unsigned n)
{
    aper_snapshot *snapshot = agent_see(tab);
    char *ref = NULL;
    size_t count = aper_snapshot_get_node_count(snapshot);
    for (size_t i = 0; i < count && !ref; i++) {
        const char *its = aper_snapshot_get_node_ref(snapshot, i);
        if (*its && !strcmp(aper_snapshot_get_node_name(snapshot, i), name)
            && n-- == 0)
            ref = strdup(its);
    }
    if (!ref)
        ck_abort_msg("no \"%s\" in %s", name,
                     aper_snapshot_get_text(snapshot));
    aper_snapshot_unref(snapshot);
    return ref;
}

char *agent_ref(aper_tab *tab, const char *name)
{
    return agent_nth_ref(tab, name, 0);
}

aper_act_result *agent_act(aper_tab *tab, const aper_act_options *options,
                           aper_status want, char **message)
{
    aper_act_options sized = *options;
    aper_act_result *result = NULL;
    aper_error *error = NULL;
    sized.size = sizeof sized;
    aper_status status = aper_tab_act(tab, &sized, &result, &error);
    if (message)
        *message = strdup(aper_error_get_message(error));
    LIVE_CHECK(want, status, error);
    ck_assert_int_eq(status == APER_OK, result != NULL);
    return result;
}

aper_act_result *agent_click(aper_tab *tab, const char *name)
{
    char *ref = agent_ref(tab, name);
    aper_act_options click = {.verb = APER_ACT_CLICK, .ref = ref};
    aper_act_result *result = agent_act(tab, &click, APER_OK, NULL);
    free(ref);
    return result;
}

bool agent_saw(const aper_act_result *result, uint32_t effect)
{
    for (size_t i = 0; i < aper_act_result_get_effect_count(result); i++)
        if (aper_act_result_get_effect_kind(result, i) == effect)
            return true;
    return false;
}

bool agent_page_has(aper_tab *tab, const char *text)
{
    aper_snapshot *snapshot = agent_see(tab);
    bool has = strstr(aper_snapshot_get_text(snapshot), text) != NULL;
    aper_snapshot_unref(snapshot);
    return has;
}

void agent_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        ck_abort_msg("no '%s' in: %s", part, text);
}

void agent_holds(aper_tab *tab, const char *script)
{
    char *json = live_eval(tab, script);
    if (strcmp(json, "true"))
        ck_abort_msg("%s is %s", script, json);
    aper_free(json);
}

aper_act_result *agent_do(aper_tab *tab, uint32_t verb, const char *name,
                          const char *text)
{
    char *ref = agent_ref(tab, name);
    aper_act_options options = {.verb = verb, .ref = ref, .text = text};
    aper_act_result *result = agent_act(tab, &options, APER_OK, NULL);
    free(ref);
    return result;
}

void agent_refused(aper_tab *tab, uint32_t verb, const char *ref,
                   const char *text, aper_status want, const char *why)
{
    aper_act_options options = {.verb = verb, .ref = ref, .text = text};
    char *message = NULL;
    agent_act(tab, &options, want, &message);
    agent_has(message, why);
    free(message);
}

void agent_refused_by_name(aper_tab *tab, uint32_t verb, const char *name,
                           const char *text, aper_status want,
                           const char *why)
{
    char *ref = agent_ref(tab, name);
    agent_refused(tab, verb, ref, text, want, why);
    free(ref);
}
