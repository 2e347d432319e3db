/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <string.h>

/* No options struct will ever be near this; a larger size is garbage, and
 * reading that far would be out of bounds. */
#define SIZE_MAX_SANE ((size_t)64 * 1024)

static bool is_zero(const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i])
            return false;
    }
    return true;
}

aper_status aper__options_copy(void *ret_copy, size_t copy_size, size_t first,
                               const void *options, aper_error **ret_error)
{
    size_t size = 0;
    if (options) {
        memcpy(&size, options, sizeof size);
        if (size == 0 || size > SIZE_MAX_SANE)
            return aper__error_set(ret_error, APER_E_OPTIONS_SIZE,
                                   "the size field of the options is %zu; "
                                   "set it to sizeof the struct", size);
        if (size < first)
            return aper__error_set(ret_error, APER_E_OPTIONS_OLD,
                                   "the options struct has %zu bytes, the "
                                   "oldest known one %zu", size, first);
        if (size > copy_size
            && !is_zero((const unsigned char *)options + copy_size,
                        size - copy_size))
            return aper__error_set(ret_error, APER_E_OPTIONS_NEW,
                                   "the options struct has %zu bytes and "
                                   "sets a field past the %zu that this "
                                   "library knows", size, copy_size);
    }
    memset(ret_copy, 0, copy_size);
    if (options)
        memcpy(ret_copy, options, size < copy_size ? size : copy_size);
    memcpy(ret_copy, &copy_size, sizeof copy_size);
    return APER_OK;
}
