/* SPDX-License-Identifier: Apache-2.0 */
/* DevToolsActivePort: a file of a directory that anybody may have made. */
#include "cdp/cdp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint16_t port = 0;
    char path[64];
    if (!aper__discover_parse_port_file((const char *)data, size, &port, path,
                                        sizeof path))
        return 0;
    if (port == 0 || path[0] != '/' || strlen(path) >= sizeof path)
        abort();
    for (const char *at = path; *at; at++)
        if (*at <= ' ' || *at > '~')
            abort();
    return 0;
}
