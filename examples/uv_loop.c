/* SPDX-License-Identifier: Apache-2.0 */
/* The browser's descriptor in a libuv loop, beside a timer that shows that the
 * loop stays free while the page loads. */
#include "example.h"

#include <uv.h>

enum { OPEN = 1, READ = 2 };

typedef struct host {
    aper_browser *browser;
    uv_poll_t readable;
    uv_timer_t timer;
    int result;
} host;

static void finish(host *self, int result)
{
    self->result = result;
    uv_close((uv_handle_t *)&self->readable, NULL);
    uv_close((uv_handle_t *)&self->timer, NULL);
}

static void on_completion(host *self, const aper_event *event)
{
    aper_error *error = aper_error_ref(aper_event_get_error(event));

    if (failed("page", aper_event_get_status(event), &error)) {
        finish(self, 1);
    } else if (aper_event_get_tag(event) == OPEN) {
        aper_tab *tab = aper_event_get_tab(event);

        if (failed("read", aper_snapshot_take_start(tab, NULL, READ, &error),
                   &error))
            finish(self, 1);
    } else {
        fputs(aper_snapshot_get_text(aper_event_get_snapshot(event)), stdout);
        finish(self, 0);
    }
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    host *self = handle->data;
    aper_event *event;

    (void)status;
    (void)events;
    while (!uv_is_closing((uv_handle_t *)handle)
           && aper_browser_next_event(self->browser, 0, &event) == APER_OK) {
        uint32_t kind = aper_event_get_kind(event);

        if (kind == APER_EVENT_COMPLETION)
            on_completion(self, event);
        else if (kind == APER_EVENT_BROWSER_GONE)
            finish(self, 1);
        aper_event_unref(event);
    }
}

static void on_timer(uv_timer_t *timer)
{
    (void)timer;
    fputc('.', stderr);
}

int main(int argc, char **argv)
{
    aper_open_options open = {.size = sizeof(open)};
    host self = {.result = 1};
    uv_loop_t *loop = uv_default_loop();
    aper_error *error = NULL;

    if (argc != 2) {
        fprintf(stderr, "Usage: %s URL\n", argv[0]);
        return 2;
    }
    self.browser = start_browser();
    if (!self.browser)
        return 1;
    open.url = argv[1];
    if (!failed("open", aper_tab_open_start(self.browser, &open, OPEN, &error),
                &error)) {
        uv_poll_init(loop, &self.readable, aper_browser_get_fd(self.browser));
        self.readable.data = &self;
        uv_poll_start(&self.readable, UV_READABLE, on_readable);
        uv_timer_init(loop, &self.timer);
        uv_timer_start(&self.timer, on_timer, 50, 50);
        uv_run(loop, UV_RUN_DEFAULT);
    }
    uv_loop_close(loop);
    aper_browser_unref(self.browser);
    return self.result;
}
