/* SPDX-License-Identifier: Apache-2.0 */
/* The directories of one browser. */
#include "cdp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PROFILE_NAME "profile"
#define TEMP_NAME "tmp"

/* Chromium puts a socket this far below its directory for temporary files. */
#define SOCKET_TAIL "/org.chromium.Chromium.XXXXXX/SingletonSocket"

/* Killed processes may finish a write; that long is waited for them. */
#define REMOVE_TRIES 200
#define REMOVE_PAUSE_MS 10

static char *join(const char *directory, const char *name)
{
    aper__buf path = {0};
    aper__buf_printf(&path, "%s/%s", directory, name);
    return aper__buf_take(&path);
}

static aper_status io_error(aper_error **ret_error, const char *what,
                            const char *path)
{
    int error = errno;
    return aper__error_set(ret_error,
                           error == ENOMEM ? APER_E_NOMEM : APER_E_IO,
                           "%s %s: %s", what, path, aper__errno_text(error));
}

/* ---- the private directory ------------------------------------------------ */

static aper_status open_private(aper__profile *profile,
                                aper_error **ret_error)
{
    char *path = join(aper__marker_base(), APER__MARKER_PREFIX "XXXXXX");
    if (!path)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    if (!mkdtemp(path)) {
        aper_status status = io_error(ret_error, "cannot create", path);
        aper__dealloc(path);
        return status;
    }
    profile->private_dir = path;
    profile->temp_dir = join(path, TEMP_NAME);
    if (!profile->temp_dir)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    if (aper__marker_create(path) != APER_OK
        || mkdir(profile->temp_dir, 0700) != 0)
        return io_error(ret_error, "cannot write into", path);
    return APER_OK;
}

static bool is_short(const char *directory)
{
    struct sockaddr_un address;
    return strlen(directory) + sizeof SOCKET_TAIL <= sizeof address.sun_path;
}

/* A path too long for its socket would keep Chromium from starting: better
 * that it leaves a file in the common place, or in the system's if that is
 * too long as well. */
static void check_temp(aper__profile *profile)
{
    if (is_short(profile->temp_dir))
        return;
    aper__dealloc(profile->temp_dir);
    profile->temp_dir = is_short(aper__marker_base()) ? NULL
                                                      : aper__strdup(P_tmpdir);
}

/* ---- a given profile ------------------------------------------------------ */

static bool answers(const char *profile_dir)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = join(profile_dir, "SingletonSocket");
    char target[sizeof address.sun_path];
    ssize_t size = path ? readlink(path, target, sizeof target - 1) : -1;
    aper__dealloc(path);
    if (size <= 0)
        return false;
    memcpy(address.sun_path, target, (size_t)size);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return false;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    bool connected = connect(fd, (struct sockaddr *)&address, sizeof address)
                         == 0 || errno == EAGAIN || errno == EINPROGRESS;
    close(fd);
    return connected;
}

/* SingletonLock points to "HOST-PID". Of another machine nothing can be found
 * out; on this one the browser answers on its socket. */
static aper_status check_unused(const char *profile_dir,
                                aper_error **ret_error)
{
    char owner[512];
    char host[256];
    char *path = join(profile_dir, "SingletonLock");
    ssize_t size = path ? readlink(path, owner, sizeof owner - 1) : -1;
    aper__dealloc(path);
    if (size <= 0)
        return APER_OK;
    owner[size] = '\0';
    char *dash = strrchr(owner, '-');
    if (!dash)
        return APER_OK;
    *dash = '\0';
    if (gethostname(host, sizeof host) == 0 && strcmp(host, owner) != 0)
        return aper__error_set(
            ret_error, APER_E_IN_USE,
            "the profile %s is locked by a browser on %s; if that is no more, "
            "remove SingletonLock in it", profile_dir, owner);
    if (!answers(profile_dir))
        return APER_OK;
    return aper__error_set(ret_error, APER_E_IN_USE,
                           "process %s already runs a browser on the profile "
                           "%s", dash + 1, profile_dir);
}

/* Held as long as the browser, so that two hosts cannot both find it unused.
 */
static aper_status lock_dir(aper__profile *profile, aper_error **ret_error)
{
    int fd = open(profile->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return io_error(ret_error, "cannot open the profile", profile->dir);
    profile->lock = fd;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return aper__error_set(ret_error, APER_E_IN_USE,
                               "the profile %s is used by another browser "
                               "that this library started", profile->dir);
    return APER_OK;
}

/* What an earlier run left would be taken for this one's answer. */
static aper_status remove_port_file(const char *profile_dir,
                                    aper_error **ret_error)
{
    char *path = join(profile_dir, APER__PORT_FILE);
    if (!path)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = APER_OK;
    if (unlink(path) != 0 && errno != ENOENT)
        status = io_error(ret_error, "cannot remove", path);
    aper__dealloc(path);
    return status;
}

static aper_status open_given(const char *given, aper__profile *profile,
                              aper_error **ret_error)
{
    if (mkdir(given, 0700) != 0 && errno != EEXIST)
        return io_error(ret_error, "cannot create the profile", given);
    char *real = realpath(given, NULL);
    if (!real)
        return io_error(ret_error, "cannot open the profile", given);
    profile->dir = aper__strdup(real);
    free(real);
    if (!profile->dir)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    aper_status status = lock_dir(profile, ret_error);
    if (status == APER_OK)
        status = check_unused(profile->dir, ret_error);
    if (status == APER_OK)
        status = remove_port_file(profile->dir, ret_error);
    return status;
}

static aper_status open_own(aper__profile *profile, aper_error **ret_error)
{
    profile->dir = join(profile->private_dir, PROFILE_NAME);
    if (!profile->dir)
        return aper__error_set(ret_error, APER_E_NOMEM, "out of memory");
    if (mkdir(profile->dir, 0700) != 0)
        return io_error(ret_error, "cannot create", profile->dir);
    return APER_OK;
}

aper_status aper__profile_open(const char *given, aper__profile *ret_profile,
                               aper_error **ret_error)
{
    aper__profile profile = {.lock = -1};
    aper_status status = APER_OK;
    if (given)
        status = open_given(given, &profile, ret_error);
    if (status == APER_OK)
        status = open_private(&profile, ret_error);
    if (status == APER_OK && !given)
        status = open_own(&profile, ret_error);
    if (status != APER_OK) {
        aper__profile_close(&profile);
        return status;
    }
    check_temp(&profile);
    *ret_profile = profile;
    return APER_OK;
}

void aper__profile_note(const aper__profile *profile, int64_t pid)
{
    aper__marker_add_browser(profile->private_dir, pid);
}

static void remove_private(const char *path)
{
    const struct timespec pause = {0, REMOVE_PAUSE_MS * 1000000};
    for (unsigned i = 0; i < REMOVE_TRIES; i++) {
        if (aper__marker_remove(AT_FDCWD, path))
            return;
        nanosleep(&pause, NULL);
    }
}

void aper__profile_close(aper__profile *profile)
{
    if (profile->private_dir)
        remove_private(profile->private_dir);
    if (profile->lock >= 0)
        close(profile->lock);
    aper__dealloc(profile->private_dir);
    aper__dealloc(profile->temp_dir);
    aper__dealloc(profile->dir);
    *profile = (aper__profile){.lock = -1};
}
