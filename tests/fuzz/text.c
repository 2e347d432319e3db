/* SPDX-License-Identifier: Apache-2.0 */
/* The first byte is the limit in code points, the rest page text. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t max = data[0];
    const char *text = (const char *)data + 1;
    aper__buf once = {0}, twice = {0}, quoted = {0};
    aper__buf_reserve(&once, 0);
    aper__buf_reserve(&twice, 0);
    aper__text_clean(&once, text, size - 1, max);
    aper__text_clean(&twice, once.data, once.size, max);
    if (once.size != twice.size
        || memcmp(once.data, twice.data, once.size) != 0
        || !aper__utf8_is_valid(once.data, once.size))
        abort();
    aper__text_quote(&quoted, text, size - 1, max);
    /* Only the last quote closes the string. */
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        if (quoted.data[i] == '\\')
            i++;
        else if (quoted.data[i] == '"')
            abort();
    }
    aper__buf_free(&once);
    aper__buf_free(&twice);
    aper__buf_free(&quoted);
    return 0;
}
