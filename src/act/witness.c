/* SPDX-License-Identifier: Apache-2.0 */
/* What the page's script saw of the input. A click that something else has
 * taken is no click, whatever came of it. */
#include "act/act.h"

#include <string.h>

static bool is_fate(const aper__act *act, const char *fate)
{
    return strcmp(aper__json_string(act->seen, "met"), fate) == 0;
}

bool aper__act_has_strayed(const aper__act *act)
{
    return is_fate(act, "strayed");
}

/* Ends a message with the name of what took the input, if it has one. */
static aper_status taken(aper__act *act, const char *what,
                         aper_error **ret_error)
{
    aper__buf by = {0};
    const char *name = aper__json_string(act->seen, "by");
    if (*name)
        aper__text_quote(&by, name, strlen(name), 80);
    aper_status status = aper__act_fail(
        act, ret_error, APER_E_NOT_VERIFIED, "%s %s", what,
        by.data ? by.data : "what lies around it");
    aper__buf_free(&by);
    return status;
}

aper_status aper__act_judge_input(aper__act *act, aper_error **ret_error)
{
    if (aper__act_has_strayed(act)) {
        json_t *answer = json_pack("{s:s, s:s}", "error", "covered", "detail",
                                   aper__json_string(act->seen, "by"));
        aper_status status = aper__act_check(act, answer, ret_error);
        json_decref(answer);
        return status;
    }
    if (is_fate(act, "partly"))
        return taken(act, "was clicked once; before the next click it was "
                          "covered by", ret_error);
    if (is_fate(act, "taken"))
        return taken(act, "was not met; the input went to", ret_error);
    if (is_fate(act, "covered"))
        return taken(act, "was pressed and not clicked; at the release the "
                          "pointer was on", ret_error);
    if (is_fate(act, "lost"))
        return aper__act_fail(act, ret_error, APER_E_NOT_VERIFIED,
                              "did not get the click; its document saw none");
    return APER_OK;
}

const char *aper__act_press_only(const aper__act *act)
{
    if (is_fate(act, "gone"))
        return ", which then went away, so that no click followed";
    if (is_fate(act, "pressed"))
        return ", which the pointer was not on at the release, so that no "
               "click followed";
    return NULL;
}
