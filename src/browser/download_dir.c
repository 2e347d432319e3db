/* SPDX-License-Identifier: Apache-2.0 */
/* The browser writes into a private directory inside the host's, under names
 * that it makes up. A finished file leaves it by link(), which never replaces
 * anything, so no name of a page is ever a path that is written to. What a host
 * that was killed left is removed by the next that uses the directory. */
#include "browser/download.h"
#include "cdp/cdp.h"

#include <sodium.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".aperture-"
#define NUMBERS_MAX 9999
#define CHUNK ((size_t)64 * 1024)

struct aper__download_dir {
    aper__refs refs;
    char *path;
    char *staging;
    int fd;
    int staging_fd;
};

static int open_dir(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void free_dir(aper__download_dir *dir)
{
    if (dir->staging_fd >= 0) {
        close(dir->staging_fd);
        aper__marker_remove(AT_FDCWD, dir->staging);
    }
    if (dir->fd >= 0)
        close(dir->fd);
    free(dir->path); /* from realpath() */
    aper__dealloc(dir->staging);
    aper__dealloc(dir);
}

static char *staging_template(const char *path)
{
    aper__buf text = { 0 };
    aper__buf_printf(&text, "%s/" PREFIX "XXXXXX", path);
    return aper__buf_take(&text);
}

aper_status aper__download_dir_open(const char *path,
                                    aper__download_dir **ret_dir,
                                    aper_error **ret_error)
{
    aper__download_dir *dir = aper__alloc(sizeof(*dir));
    if (dir == NULL)
        goto nomem;
    atomic_init(&dir->refs, 1);
    dir->fd = dir->staging_fd = -1;
    dir->path = realpath(path, NULL);
    dir->fd = dir->path != NULL ? open_dir(dir->path) : -1;
    if (dir->fd < 0)
        goto failed;
    dir->staging = staging_template(dir->path);
    if (dir->staging == NULL)
        goto nomem;
    aper__launch_reap(dir->path, PREFIX);
    if (mkdtemp(dir->staging) == NULL) /* 0700 */
        goto failed;
    dir->staging_fd = open_dir(dir->staging);
    if (dir->staging_fd < 0
        || aper__marker_create(dir->staging) != APER_OK) {
        int error = errno;
        rmdir(dir->staging);
        errno = error;
        goto failed;
    }
    *ret_dir = dir;
    return APER_OK;
failed:
    aper__error_set(ret_error, APER_E_IO,
                    "the download directory cannot be used: %s",
                    aper__errno_text(errno));
    free_dir(dir);
    return APER_E_IO;
nomem:
    if (dir != NULL)
        free_dir(dir);
    return aper__error_set(ret_error, APER_E_NOMEM,
                           "no memory for the download directory");
}

aper__download_dir *aper__download_dir_ref(aper__download_dir *dir)
{
    if (dir != NULL)
        aper__ref(&dir->refs);
    return dir;
}

void aper__download_dir_unref(aper__download_dir *dir)
{
    if (dir != NULL && aper__unref(&dir->refs))
        free_dir(dir);
}

const char *aper__download_dir_staging(const aper__download_dir *dir)
{
    return dir->staging;
}

void aper__download_dir_discard(aper__download_dir *dir, const char *id)
{
    unlinkat(dir->staging_fd, id, 0);
}

/* ---- taking a finished file ---------------------------------------------- */

static aper_status hash_file(int fd, const atomic_bool *stop,
                             aper__download_file *file)
{
    crypto_hash_sha256_state state;
    unsigned char digest[crypto_hash_sha256_BYTES];
    unsigned char *chunk = aper__alloc(CHUNK);
    if (chunk == NULL)
        return APER_E_NOMEM;
    crypto_hash_sha256_init(&state);
    ssize_t got = 0;
    aper_status status = APER_OK;
    do {
        got = read(fd, chunk, CHUNK);
        if (got > 0) {
            crypto_hash_sha256_update(&state, chunk, (size_t)got);
            file->size += (uint64_t)got;
        } else if (got < 0 && errno != EINTR) {
            status = APER_E_IO;
        }
        if (atomic_load(stop))
            status = APER_E_CANCELLED;
    } while (got != 0 && status == APER_OK);
    crypto_hash_sha256_final(&state, digest);
    aper__hex(file->sha256, digest, sizeof(digest));
    aper__dealloc(chunk);
    return status;
}

/* File systems without hard links: the name is reserved by an empty file,
 * which the renamed one then replaces. */
static int move_without_link(const aper__download_dir *dir, const char *id,
                             const char *name)
{
    int reserved = openat(dir->fd, name,
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (reserved < 0)
        return -1;
    close(reserved);
    if (renameat(dir->staging_fd, id, dir->fd, name) == 0)
        return 0;
    int error = errno;
    unlinkat(dir->fd, name, 0);
    errno = error;
    return -1;
}

/* 0, or -1 with errno; EEXIST leaves everything as it was. */
static int move_file(const aper__download_dir *dir, const char *id,
                     const char *name)
{
    if (linkat(dir->staging_fd, id, dir->fd, name, 0) == 0) {
        unlinkat(dir->staging_fd, id, 0);
        return 0;
    }
    if (errno == EEXIST)
        return -1;
    return move_without_link(dir, id, name);
}

static aper_status name_file(const aper__download_dir *dir, const char *id,
                             const char *name, aper__download_file *file)
{
    for (unsigned n = 1; n <= NUMBERS_MAX; n++) {
        char *candidate = n == 1 ? aper__strdup(name)
                                 : aper__filename_numbered(name, n);
        aper__buf path = { 0 };
        aper__buf_printf(&path, "%s/%s", dir->path,
                         candidate != NULL ? candidate : "");
        char *full = aper__buf_take(&path);
        aper_status status = APER_OK;
        if (candidate == NULL || full == NULL)
            status = APER_E_NOMEM;
        else if (move_file(dir, id, candidate) != 0)
            status = APER_E_IO;
        if (status == APER_OK) {
            file->name = candidate;
            file->path = full;
            return APER_OK;
        }
        int error = errno;
        aper__dealloc(candidate);
        aper__dealloc(full);
        if (status == APER_E_NOMEM || error != EEXIST)
            return status;
    }
    return APER_E_IO;
}

aper_status aper__download_dir_take(aper__download_dir *dir, const char *id,
                                    const char *name,
                                    const atomic_bool *stop,
                                    aper__download_file *ret_file)
{
    aper__download_file file = { 0 };
    struct stat about;
    int fd = openat(dir->staging_fd, id,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return APER_E_IO;
    aper_status status = APER_E_IO;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
        status = hash_file(fd, stop, &file);
    close(fd);
    if (status == APER_OK)
        status = name_file(dir, id, name, &file);
    if (status == APER_OK)
        *ret_file = file;
    else
        aper__download_dir_discard(dir, id);
    return status;
}
