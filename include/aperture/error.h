/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, in detail. Every call that reaches the browser can give
 * one; pass NULL when the status alone is enough. What ret_error points to must
 * be NULL or an error of the caller's: a call that fails releases that error
 * and puts its own there. */
#ifndef APERTURE_ERROR_H
#define APERTURE_ERROR_H

#include <aperture/status.h>

APER_BEGIN

/** Immutable and counted; may be shared between threads. */
typedef struct aper_error aper_error;

/**
 * The status that the failing call returned.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; APER_OK for NULL
 * @since      1.0
 */
APER_API aper_status aper_error_get_status(const aper_error *error);

/**
 * One line for a person: what failed, on what, and what to do about it.
 *
 * Text that came from the page is quoted, cut and free of control characters.
 *
 * @ownership  borrowed; lives as long as the error
 * @threads    any; never blocks
 * @errors     none; "" for NULL
 * @since      1.0
 */
APER_API const char *aper_error_get_message(const aper_error *error);

/**
 * The CDP method that the browser refused, such as "Page.navigate".
 *
 * @ownership  borrowed; lives as long as the error
 * @threads    any; never blocks
 * @errors     none; "" when no command was refused
 * @since      1.0
 */
APER_API const char *aper_error_get_cdp_method(const aper_error *error);

/**
 * The code that the browser gave for the refused command.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none; 0 when no command was refused
 * @since      1.0
 */
APER_API int32_t aper_error_get_cdp_code(const aper_error *error);

/**
 * 1 if the same call may succeed when simply made again.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API int aper_error_is_retryable(const aper_error *error);

/**
 * 1 if the handle that the call was made on is of no more use.
 *
 * @ownership  none
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API int aper_error_is_fatal(const aper_error *error);

/**
 * Take one more reference.
 *
 * @ownership  returns its argument, with a reference for the caller
 * @threads    any; never blocks
 * @errors     none; NULL for NULL
 * @since      1.0
 */
APER_API aper_error *aper_error_ref(aper_error *error);

/**
 * Give a reference back; the last one frees the error.
 *
 * @ownership  takes the caller's reference; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_error_unref(aper_error *error);

/**
 * Free memory that the library handed over, such as a char * result.
 *
 * @ownership  takes the memory; NULL is allowed
 * @threads    any; never blocks
 * @errors     none
 * @since      1.0
 */
APER_API void aper_free(void *memory);

APER_END

#endif
