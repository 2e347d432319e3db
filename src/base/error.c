/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_MAX 4096 /* code points */
#define REMOTE_MESSAGE_MAX 300

struct aper_error {
    aper__refs refs;
    aper_status status;
    int32_t cdp_code;
    const char *method; /* inside text, or "" */
    char text[]; /* the message and its NUL, the method and its NUL */
};

static aper_error *make_error(aper_status status, const char *message,
                              const char *method, int32_t cdp_code)
{
    size_t message_size = strlen(message) + 1;
    size_t method_size = strlen(method) + 1;
    aper_error *error = aper__alloc(sizeof *error + message_size
                                    + method_size);
    if (!error)
        return NULL;
    atomic_init(&error->refs, 1);
    error->status = status;
    error->cdp_code = cdp_code;
    memcpy(error->text, message, message_size);
    memcpy(error->text + message_size, method, method_size);
    error->method = error->text + message_size;
    return error;
}

/* Without memory for the words, one for the bare status is tried. */
static void put_error(aper_error **ret_error, aper_status status,
                      aper__buf *raw, const char *method, int32_t cdp_code)
{
    aper__buf clean = {0};
    if (!raw->failed && raw->data)
        aper__text_clean(&clean, raw->data, raw->size, MESSAGE_MAX);
    const char *message = !clean.failed && clean.size
                              ? clean.data : aper_status_get_text(status);
    aper_error *error = make_error(status, message, method, cdp_code);
    aper__buf_free(&clean);
    aper_error_unref(*ret_error);
    *ret_error = error;
}

aper_status aper__error_set(aper_error **ret_error, aper_status status,
                            const char *format, ...)
{
    if (!ret_error)
        return status;
    aper__buf raw = {0};
    va_list args;
    va_start(args, format);
    aper__buf_vprintf(&raw, format, args);
    va_end(args);
    put_error(ret_error, status, &raw, "", 0);
    aper__buf_free(&raw);
    return status;
}

aper_status aper__error_set_cdp(aper_error **ret_error, aper_status status,
                                const char *method, int32_t cdp_code,
                                const char *message)
{
    if (!ret_error)
        return status;
    if (!message)
        message = "";
    aper__buf raw = {0};
    aper__buf_printf(&raw, "%s failed with code %d: ", method, cdp_code);
    aper__text_quote(&raw, message, strlen(message), REMOTE_MESSAGE_MAX);
    put_error(ret_error, status, &raw, method, cdp_code);
    aper__buf_free(&raw);
    return status;
}

void aper__error_give(aper_error **ret_error, aper_error *error)
{
    if (!ret_error) {
        aper_error_unref(error);
    } else if (error) {
        aper_error_unref(*ret_error);
        *ret_error = error;
    }
}

aper_status aper_error_get_status(const aper_error *error)
{
    return error ? error->status : APER_OK;
}

const char *aper_error_get_message(const aper_error *error)
{
    return error ? error->text : "";
}

const char *aper_error_get_cdp_method(const aper_error *error)
{
    return error ? error->method : "";
}

int32_t aper_error_get_cdp_code(const aper_error *error)
{
    return error ? error->cdp_code : 0;
}

int aper_error_is_retryable(const aper_error *error)
{
    return error && aper_status_is_retryable(error->status);
}

int aper_error_is_fatal(const aper_error *error)
{
    return error && aper_status_is_fatal(error->status);
}

aper_error *aper_error_ref(aper_error *error)
{
    if (error)
        aper__ref(&error->refs);
    return error;
}

void aper_error_unref(aper_error *error)
{
    if (error && aper__unref(&error->refs))
        aper__dealloc(error);
}
