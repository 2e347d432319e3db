/* SPDX-License-Identifier: Apache-2.0 */
/* The marker of a private directory: which process made it, which browser
 * lives in it. Ids are reused, ids with start times are not. */
#include "cdp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <libproc.h>
#endif

#define FIRST_LINE "aperture profile 1"

const char *aper__marker_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && *base == '/' ? base : "/tmp";
}

#ifdef __APPLE__
uint64_t aper__marker_start_time(int64_t pid)
{
    struct proc_bsdinfo info;
    if (proc_pidinfo((int)pid, PROC_PIDTBSDINFO, 0, &info, sizeof info)
            != (int)sizeof info || info.pbi_status == 5 /* zombie */)
        return 0;
    return info.pbi_start_tvsec * UINT64_C(1000000) + info.pbi_start_tvusec;
}

uint64_t aper__marker_pid_space(void)
{
    return 1;
}
#else
/* Field 22 of /proc/PID/stat. The name before it may contain anything, so
 * fields are counted from its last parenthesis. */
uint64_t aper__marker_start_time(int64_t pid)
{
    char path[64];
    char text[1024];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size > 0 ? size : 0] = '\0';
    const char *at = strrchr(text, ')');
    char state;
    unsigned long long start;
    if (!at || sscanf(at + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
                              " %*s %*s %*s %*s %*s %*s %*s %llu",
                      &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}

uint64_t aper__marker_pid_space(void)
{
    struct stat info;
    return stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}
#endif

static bool write_line(int directory, int flags, const char *text)
{
    int fd = openat(directory, APER__MARKER_FILE,
                    O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    if (fd < 0)
        return false;
    size_t size = strlen(text);
    bool written = write(fd, text, size) == (ssize_t)size;
    return close(fd) == 0 && written;
}

static bool write_in(const char *directory, int flags, const char *text)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool written = write_line(fd, flags, text);
    close(fd);
    return written;
}

aper_status aper__marker_create(const char *directory)
{
    char text[256];
    int64_t host = getpid();
    snprintf(text, sizeof text,
             FIRST_LINE "\nspace %" PRIu64 "\nhost %" PRId64 " %" PRIu64 "\n",
             aper__marker_pid_space(), host, aper__marker_start_time(host));
    return write_in(directory, O_CREAT | O_EXCL, text) ? APER_OK : APER_E_IO;
}

void aper__marker_add_browser(const char *directory, int64_t pid)
{
    char text[128];
    snprintf(text, sizeof text, "browser %" PRId64 " %" PRIu64 "\n", pid,
             aper__marker_start_time(pid));
    write_in(directory, O_APPEND, text);
}

/* Reads one decimal number and the character behind it. */
static bool read_number(const char **at, char end, uint64_t *ret_number)
{
    uint64_t number = 0;
    const char *from = *at;
    while (**at >= '0' && **at <= '9' && *at - from < 19)
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    if (*at == from || **at != end)
        return false;
    (*at)++;
    *ret_number = number;
    return true;
}

static bool read_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool read_process(const char **at, const char *word, int64_t *ret_pid,
                         uint64_t *ret_start)
{
    uint64_t pid;
    if (!read_word(at, word) || !read_number(at, ' ', &pid)
        || !read_number(at, '\n', ret_start))
        return false;
    *ret_pid = (int64_t)pid;
    return pid > 1 && pid <= INT32_MAX && *ret_start > 0;
}

bool aper__marker_parse(const char *text, aper__marker *ret_marker)
{
    aper__marker marker = {0};
    if (!read_word(&text, FIRST_LINE "\nspace ")
        || !read_number(&text, '\n', &marker.pid_space)
        || marker.pid_space == 0
        || !read_process(&text, "host ", &marker.host, &marker.host_start))
        return false;
    if (*text && (!read_process(&text, "browser ", &marker.browser,
                                &marker.browser_start) || *text))
        return false;
    *ret_marker = marker;
    return true;
}

bool aper__marker_remove(int base, const char *name)
{
    return aper__tree_remove(base, name, APER__MARKER_FILE);
}
