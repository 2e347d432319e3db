/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <unistd.h>

/* The process whose threads and connections the library's state is about; 0
 * until something is started, so that the children of a server that only
 * loaded the library may use it. */
static _Atomic pid_t owner;

aper_status aper__fork_claim(void)
{
    pid_t nobody = 0;
    atomic_compare_exchange_strong(&owner, &nobody, getpid());
    return aper__fork_check();
}

aper_status aper__fork_check(void)
{
    pid_t claimed = atomic_load(&owner);
    return claimed == 0 || claimed == getpid() ? APER_OK : APER_E_FORKED;
}
