/* SPDX-License-Identifier: Apache-2.0 */
#include "page/page.h"

#include <string.h>

bool aper__page_parse_ref(const char *text, char ref[APER__REF_SIZE])
{
    if (!text || text[0] != 'e')
        return false;
    size_t digits = strspn(text + 1, "0123456789");
    const char *rest = text + 1 + digits;
    if ((digits != 6 && digits != 9) || strcmp(rest + (*rest == '*'), ""))
        return false;
    memcpy(ref, text, digits + 1);
    ref[digits + 1] = '\0';
    return true;
}
