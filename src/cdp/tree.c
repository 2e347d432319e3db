/* SPDX-License-Identifier: Apache-2.0 */
/* Removing a directory tree by descriptors, so that nobody can lead it
 * elsewhere meanwhile; and by two of them at once, so that a host that has
 * few left can still clean up: what lies deeper is first moved to the top. */
#include "cdp/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct tree {
    int top;
    unsigned moved; /* directories that were given a name of ours */
    bool progress;
} tree;

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool remove_entry(int parent, const char *name, int flags)
{
    return unlinkat(parent, name, flags) == 0 || errno == ENOENT;
}

static DIR *open_directory(int parent, const char *name)
{
    int fd = openat(parent, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !directory)
        close(fd);
    return directory;
}

static void move_to_top(tree *at, int parent, const char *name)
{
    char unused[32];
    do
        snprintf(unused, sizeof unused, "moved-%u", at->moved++);
    while (faccessat(at->top, unused, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    if (renameat(parent, name, at->top, unused) == 0)
        at->progress = true;
}

/* Empties a directory that lies in the top one, and removes it. */
static void remove_child(tree *at, const char *name)
{
    DIR *directory = NULL;
    if (remove_entry(at->top, name, AT_REMOVEDIR))
        at->progress = true;
    else
        directory = open_directory(at->top, name);
    if (!directory)
        return;
    int fd = dirfd(directory);
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (!is_dots(entry->d_name)
            && (entry->d_type == DT_DIR
                || !remove_entry(fd, entry->d_name, 0)))
            move_to_top(at, fd, entry->d_name);
    closedir(directory);
    if (remove_entry(at->top, name, AT_REMOVEDIR))
        at->progress = true;
}

/* One pass over the top directory; false if something stayed. */
static bool remove_children(tree *at, DIR *directory, const char *last)
{
    bool all = true;
    struct dirent *entry;
    rewinddir(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (is_dots(entry->d_name) || strcmp(entry->d_name, last) == 0)
            continue;
        if (entry->d_type != DT_DIR
            && remove_entry(at->top, entry->d_name, 0))
            continue;
        all = false;
        remove_child(at, entry->d_name);
    }
    return all;
}

bool aper__tree_remove(int parent, const char *name, const char *last)
{
    DIR *directory = open_directory(parent, name);
    if (!directory) /* without a descriptor an empty one still goes */
        return remove_entry(parent, name, 0)
               || remove_entry(parent, name, AT_REMOVEDIR);
    tree at = {.top = dirfd(directory)};
    bool all;
    do {
        at.progress = false;
        all = remove_children(&at, directory, last);
    } while (at.progress);
    if (all)
        remove_entry(at.top, last, 0);
    closedir(directory);
    return remove_entry(parent, name, AT_REMOVEDIR);
}
