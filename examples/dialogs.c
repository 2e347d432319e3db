/* SPDX-License-Identifier: Apache-2.0 */
/* Clicks a button until one asks something, and answers. The click itself
 * reports the dialog; nothing hangs while it is open. */
#include "example.h"

static int answer(aper_tab *tab, const aper_dialog *dialog)
{
    aper_error *error = NULL;

    printf("%s asks: \"%s\"\n", aper_dialog_get_origin(dialog),
           aper_dialog_get_text(dialog));
    if (failed("answer", aper_tab_answer_dialog(tab, 1, NULL, &error), &error))
        return 1;
    puts("Answered with OK.");
    return 0;
}

/* Returns 1 when the button asked and was answered, 0 when it asked nothing,
 * -1 on failure. */
static int try_button(aper_tab *tab, const char *ref)
{
    aper_act_options click = {.size = sizeof(click), .verb = APER_ACT_CLICK,
                              .ref = ref};
    aper_act_result *result = NULL;
    aper_error *error = NULL;
    const aper_dialog *dialog;
    int asked = 0;

    if (failed("click", aper_tab_act(tab, &click, &result, &error), &error))
        return -1;
    dialog = aper_act_result_get_dialog(result);
    if (dialog)
        asked = answer(tab, dialog) ? -1 : 1;
    aper_act_result_unref(result);
    return asked;
}

static int try_buttons(aper_tab *tab)
{
    aper_snapshot *page = NULL;
    aper_error *error = NULL;
    int asked = 0;

    if (failed("read", aper_snapshot_take(tab, NULL, &page, &error), &error))
        return 1;
    for (size_t i = 0; !asked && i < aper_snapshot_get_node_count(page); i++)
        if (!strcmp(aper_snapshot_get_node_role(page, i), "button"))
            asked = try_button(tab, aper_snapshot_get_node_ref(page, i));
    if (!asked)
        fputs("No button asked anything.\n", stderr);
    aper_snapshot_unref(page);
    return asked != 1;
}

int main(int argc, char **argv)
{
    aper_browser *browser;
    aper_tab *tab = NULL;
    int result = 1;

    if (argc != 2) {
        fprintf(stderr, "Usage: %s URL\n", argv[0]);
        return 2;
    }
    browser = start_browser();
    if (browser)
        tab = open_tab(browser, argv[1]);
    if (tab)
        result = try_buttons(tab);
    aper_tab_unref(tab);
    aper_browser_unref(browser);
    return result;
}
