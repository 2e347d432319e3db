/* SPDX-License-Identifier: Apache-2.0 */
/* A recording. */
#include "wire/core.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    aper__replay_check((const char *)data, size);
    return 0;
}
