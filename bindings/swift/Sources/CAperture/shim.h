/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CAPERTURE_SHIM_H
#define CAPERTURE_SHIM_H

#include <aperture/aperture.h>

/* Swift does not import the macro, as it is an expression. */
enum { CAPERTURE_HEADER_VERSION = APER_VERSION_NUMBER };

#endif
