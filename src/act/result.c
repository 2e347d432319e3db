/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

const char *aper_act_result_get_outcome(const aper_act_result *result)
{
    return result ? result->outcome : "";
}

aper_diff *aper_act_result_get_diff(const aper_act_result *result)
{
    return result ? result->diff : NULL;
}

aper_snapshot *aper_act_result_get_snapshot(const aper_act_result *result)
{
    return result ? result->snapshot : NULL;
}

aper_dialog *aper_act_result_get_dialog(const aper_act_result *result)
{
    return result ? result->dialog : NULL;
}

size_t aper_act_result_get_effect_count(const aper_act_result *result)
{
    return result ? result->effect_count : 0;
}

uint32_t aper_act_result_get_effect_kind(const aper_act_result *result,
                                         size_t index)
{
    return result && index < result->effect_count
               ? result->effects[index].kind : 0;
}

const char *aper_act_result_get_effect_text(const aper_act_result *result,
                                            size_t index)
{
    return result && index < result->effect_count
               ? result->effects[index].text : NULL;
}

aper_act_result *aper_act_result_ref(aper_act_result *result)
{
    if (result)
        aper__ref(&result->refs);
    return result;
}

void aper_act_result_unref(aper_act_result *result)
{
    if (!result || !aper__unref(&result->refs))
        return;
    for (size_t i = 0; i < result->effect_count; i++)
        aper__dealloc(result->effects[i].text);
    aper__dealloc(result->outcome);
    aper_snapshot_unref(result->snapshot);
    aper_diff_unref(result->diff);
    aper_dialog_unref(result->dialog);
    aper__dealloc(result);
}
