/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the connection, made of the input: whatever they say, they are
 * taken. */
#include "browser/internal.h"
#include "fake_pages.h"
#include "hostile.h"

#include <stdlib.h>

#define EVENTS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static aper_browser *open_browser(fake_browser **ret_fake)
{
    static fake_pages pages;
    aper_browser *browser = NULL;
    *ret_fake = fake_browser_start(fake_pages_handle, &pages);
    if (aper__browser_open_pipe(fake_browser_take_fd(*ret_fake), 60000,
                                &browser, NULL) != APER_OK)
        abort();
    return browser;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fake_browser *fake;
    aper_browser *browser = open_browser(&fake);
    hostile chance = {.next = hostile_next_byte, .data = data, .size = size};
    for (unsigned i = 0; i < EVENTS_MAX && chance.size > 0; i++) {
        json_t *message = hostile_event(&chance);
        aper__dispatch_events.event(
            browser, aper__json_string(message, "sessionId"),
            aper__json_string(message, "method"),
            aper__json_get(message, "params"));
        json_decref(message);
    }
    aper_tab_list *list = NULL;
    if (aper_browser_list_tabs(browser, &list, NULL) != APER_OK)
        abort();
    aper_tab_list_unref(list);
    aper_browser_unref(browser);
    fake_browser_stop(fake);
    return 0;
}
