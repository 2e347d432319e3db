/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <unistd.h>

static pid_t loaded_in;

__attribute__((constructor)) static void note_process(void)
{
    loaded_in = getpid();
}

aper_status aper__fork_check(void)
{
    return getpid() == loaded_in ? APER_OK : APER_E_FORKED;
}
