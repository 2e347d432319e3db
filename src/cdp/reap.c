/* SPDX-License-Identifier: Apache-2.0 */
/* What a host that was killed could not clear away. In doubt it stays. */
#include "cdp/launch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARKER_MAX 1024
#define KILL_TRIES 100
#define KILL_PAUSE_MS 10

static bool is_private(int fd, mode_t type)
{
    struct stat info;
    return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type
        && info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

static bool read_marker(int fd, aper__marker *ret_marker)
{
    char text[MARKER_MAX + 1];
    ssize_t size = read(fd, text, MARKER_MAX);
    if (size <= 0)
        return false;
    text[size] = '\0';
    return strlen(text) == (size_t)size && aper__marker_parse(text, ret_marker);
}

static bool is_alive(int64_t pid, uint64_t start)
{
    return pid && aper__marker_start_time(pid) == start;
}

static bool is_orphan(const aper__marker *marker)
{
    return marker->pid_space == aper__marker_pid_space()
        && !is_alive(marker->host, marker->host_start);
}

/* The parent-death signal has done this already where there is one. */
static bool end_browser(const aper__marker *marker)
{
    const struct timespec pause = {0, KILL_PAUSE_MS * 1000000};
    for (unsigned i = 0; i < KILL_TRIES; i++) {
        if (!is_alive(marker->browser, marker->browser_start))
            return true;
        if (kill((pid_t)-marker->browser, SIGKILL) != 0)
            kill((pid_t)marker->browser, SIGKILL);
        nanosleep(&pause, NULL);
    }
    return false;
}

/* The lock keeps a second reaper away until the tree, and the marker with it,
 * is gone. */
static void reap_marked(int base, const char *name, int marker_fd)
{
    aper__marker marker;
    if (!is_private(marker_fd, S_IFREG)
        || flock(marker_fd, LOCK_EX | LOCK_NB) != 0
        || !read_marker(marker_fd, &marker) || !is_orphan(&marker))
        return;
    if (end_browser(&marker))
        aper__marker_remove(base, name);
}

static void reap_entry(int base, const char *name)
{
    int fd = openat(base, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    int marker = is_private(fd, S_IFDIR)
                     ? openat(fd, APER__MARKER_FILE,
                              O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                     : -1;
    if (marker >= 0) {
        reap_marked(base, name, marker);
        close(marker);
    }
    close(fd);
}

void aper__launch_reap(const char *base, const char *prefix)
{
    DIR *directory = opendir(base);
    if (!directory)
        return;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            reap_entry(dirfd(directory), entry->d_name);
    closedir(directory);
}

void aper__launch_reap_orphans(void)
{
    aper__launch_reap(aper__marker_base(), APER__MARKER_PREFIX);
}
