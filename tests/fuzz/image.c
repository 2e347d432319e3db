/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a picture that a browser sent. */
#include "capture/capture.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t width = 0;
    uint32_t height = 0;
    bool found = aper__image_size(data, size, &width, &height);
    if (found != (width > 0 && height > 0))
        abort();
    return 0;
}
