/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

uint32_t aper_version_get_number(void)
{
    return APER_VERSION_NUMBER;
}

const char *aper_version_get_text(void)
{
    return TEXT(APER_VERSION_MAJOR) "." TEXT(APER_VERSION_MINOR) "."
           TEXT(APER_VERSION_MICRO);
}
