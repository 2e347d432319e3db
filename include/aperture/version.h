/* SPDX-License-Identifier: Apache-2.0 */
/* Version of the header and of the library behind it. */
#ifndef APERTURE_VERSION_H
#define APERTURE_VERSION_H

#include <aperture/export.h>

/* The build derives the SONAME from these; they are the only place that
 * states the version. */
#define APER_VERSION_MAJOR 1
#define APER_VERSION_MINOR 0
#define APER_VERSION_MICRO 0

#define APER_VERSION_NUMBER                                                  \
    (APER_VERSION_MAJOR * 1000000 + APER_VERSION_MINOR * 1000                \
     + APER_VERSION_MICRO)

APER_BEGIN

/**
 * The version of the library in use, as MAJOR * 1000000 + MINOR * 1000 + MICRO.
 *
 * Compare it with APER_VERSION_NUMBER to find a header and a library that do
 * not belong together.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API uint32_t aper_version_get_number(void);

/**
 * The version of the library in use as text, such as "1.0.0".
 *
 * @ownership  borrowed; lives as long as the library is loaded
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API const char *aper_version_get_text(void);

APER_END

#endif
