/* SPDX-License-Identifier: Apache-2.0 */
/* Linkage macros shared by every public header. */
#ifndef APERTURE_EXPORT_H
#define APERTURE_EXPORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define APER_API __attribute__((visibility("default")))
#else
#define APER_API
#endif

#ifdef __cplusplus
#define APER_BEGIN extern "C" {
#define APER_END }
#else
#define APER_BEGIN
#define APER_END
#endif

#endif
