/* SPDX-License-Identifier: Apache-2.0 */
/* The address of an endpoint. What passes must be safe in a request. */
#include "wire/core.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_part(const char *part)
{
    if (!part || !*part)
        abort();
    for (; *part; part++) {
        if (*part <= ' ' || *part > '~')
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const schemes[] = {"ws", "http"};
    char *text = aper__strndup((const char *)data, size);
    for (size_t i = 0; text && i < 2; i++) {
        aper__url url;
        if (aper__url_parse(&url, text, schemes[i], NULL) != APER_OK)
            continue;
        check_part(url.host);
        check_part(url.authority);
        check_part(url.path);
        if (url.path[0] != '/' || url.port == 0 || strpbrk(url.host, "/@?#["))
            abort();
        aper__url_free(&url);
    }
    aper__dealloc(text);
    return 0;
}
