/* SPDX-License-Identifier: Apache-2.0 */
/* Removing a directory tree by descriptors, so that nobody can lead it
 * elsewhere meanwhile. */
#include "cdp/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Each level holds a descriptor; a profile is far less deep. */
#define DEPTH_MAX 64

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool remove_file(int parent, const char *name, int flags)
{
    return unlinkat(parent, name, flags) == 0 || errno == ENOENT;
}

static bool remove_level(int parent, const char *name, unsigned depth)
{
    if (depth == DEPTH_MAX)
        return false;
    int fd = openat(parent, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return remove_file(parent, name, 0);
    DIR *directory = fdopendir(fd);
    if (!directory) {
        close(fd);
        return false;
    }
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (!is_dots(entry->d_name)
            && (entry->d_type == DT_DIR
                || !remove_file(fd, entry->d_name, 0)))
            remove_level(fd, entry->d_name, depth + 1);
    closedir(directory);
    return remove_file(parent, name, AT_REMOVEDIR);
}

bool aper__tree_remove(int parent, const char *name)
{
    return remove_level(parent, name, 0);
}
