/* SPDX-License-Identifier: Apache-2.0 */
/* Which tabs there are, and what each of them shows. */
#include "browser/internal.h"

#include <string.h>

#define TITLE_MAX 512 /* code points */

struct aper_tab_info {
    aper__refs refs;
    char *id;
    char *url;
    char *title;
    char *opener_id;
    bool own;
    bool crashed;
};

struct aper_tab_list {
    size_t count;
    aper_tab_info *infos[];
};

/* ---- descriptions -------------------------------------------------------- */

static aper_tab_info *new_info(const aper_tab *tab)
{
    aper_tab_info *info = aper__alloc(sizeof(*info));
    if (info == NULL)
        return NULL;
    atomic_init(&info->refs, 1);
    aper__buf title = { 0 };
    aper__text_clean(&title, tab->title, strlen(tab->title), TITLE_MAX);
    info->id = aper__strdup(tab->id);
    info->url = aper__strdup(tab->place.url);
    info->title = aper__buf_take(&title);
    info->opener_id = aper__strdup(tab->opener_id);
    info->own = tab->own;
    info->crashed = tab->crashed;
    if (info->id != NULL && info->url != NULL && info->title != NULL
        && info->opener_id != NULL)
        return info;
    aper_tab_info_unref(info);
    return NULL;
}

aper_status aper_tab_describe(aper_tab *tab, aper_tab_info **ret_info)
{
    if (ret_info == NULL)
        return APER_E_INVAL;
    aper_status status = aper__tab_look(tab);
    if (status != APER_OK)
        return status;
    aper_tab_info *info = new_info(tab);
    if (info != NULL)
        *ret_info = info;
    else
        status = APER_E_NOMEM;
    pthread_mutex_unlock(&tab->browser->lock);
    return status;
}

const char *aper_tab_info_get_id(const aper_tab_info *info)
{
    return info != NULL ? info->id : "";
}

const char *aper_tab_info_get_url(const aper_tab_info *info)
{
    return info != NULL ? info->url : "";
}

const char *aper_tab_info_get_title(const aper_tab_info *info)
{
    return info != NULL ? info->title : "";
}

const char *aper_tab_info_get_opener_id(const aper_tab_info *info)
{
    return info != NULL ? info->opener_id : "";
}

int aper_tab_info_is_own(const aper_tab_info *info)
{
    return info != NULL && info->own;
}

int aper_tab_info_is_crashed(const aper_tab_info *info)
{
    return info != NULL && info->crashed;
}

aper_tab_info *aper_tab_info_ref(aper_tab_info *info)
{
    if (info != NULL)
        aper__ref(&info->refs);
    return info;
}

void aper_tab_info_unref(aper_tab_info *info)
{
    if (info == NULL || !aper__unref(&info->refs))
        return;
    aper__dealloc(info->id);
    aper__dealloc(info->url);
    aper__dealloc(info->title);
    aper__dealloc(info->opener_id);
    aper__dealloc(info);
}

/* ---- list ---------------------------------------------------------------- */

static aper_tab_list *new_list(aper_browser *browser)
{
    size_t count = 0;
    for (aper_tab *tab = browser->tabs; tab != NULL; tab = tab->next)
        count++;
    aper_tab_list *list = aper__alloc(sizeof(*list)
                                      + count * sizeof(list->infos[0]));
    if (list == NULL)
        return NULL;
    for (aper_tab *tab = browser->tabs; tab != NULL; tab = tab->next) {
        if (!aper__tab_is_listed(tab))
            continue;
        list->infos[list->count] = new_info(tab);
        if (list->infos[list->count] == NULL) {
            aper_tab_list_unref(list);
            return NULL;
        }
        list->count++;
    }
    return list;
}

aper_status aper_browser_list_tabs(aper_browser *browser,
                                   aper_tab_list **ret_list,
                                   aper_error **ret_error)
{
    if (ret_list == NULL)
        return aper__error_set(ret_error, APER_E_INVAL, "ret_list is NULL");
    aper__op op;
    aper_status status = aper__browser_begin(
        browser, &op, APER__SHORT_TIMEOUT_MS, ret_error);
    if (status != APER_OK)
        return status;
    /* The list is kept by events; asking lets titles be up to date. A tab that
     * closed since the answer must not come back by it. */
    json_t *answer = NULL;
    status = aper__browser_call(browser, &op, "Target.getTargets", NULL,
                                &answer, ret_error);
    if (status == APER_OK) {
        json_t *infos = aper__json_get(answer, "targetInfos");
        pthread_mutex_lock(&browser->lock);
        for (size_t i = 0; i < json_array_size(infos); i++)
            aper__targets_refresh(browser, json_array_get(infos, i));
        aper_tab_list *list = new_list(browser);
        pthread_mutex_unlock(&browser->lock);
        if (list != NULL)
            *ret_list = list;
        else
            status = aper__error_set(ret_error, APER_E_NOMEM,
                                     "no memory for the list");
    }
    json_decref(answer);
    aper__browser_end(browser, &op);
    return status;
}

size_t aper_tab_list_get_count(const aper_tab_list *list)
{
    return list != NULL ? list->count : 0;
}

aper_tab_info *aper_tab_list_get_info(const aper_tab_list *list, size_t index)
{
    return list != NULL && index < list->count ? list->infos[index] : NULL;
}

void aper_tab_list_unref(aper_tab_list *list)
{
    if (list == NULL)
        return;
    for (size_t i = 0; i < list->count; i++)
        aper_tab_info_unref(list->infos[i]);
    aper__dealloc(list);
}
