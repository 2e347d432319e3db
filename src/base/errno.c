/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <string.h>

const char *aper__errno_text(int error)
{
#ifdef __GLIBC__
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
#else
    return strerror(error); /* safe on any thread with musl and on macOS */
#endif
}
