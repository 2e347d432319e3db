/* SPDX-License-Identifier: Apache-2.0 */
#include "leaks.h"

#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char tmp[32];
static pid_t tmp_owner;

static int remove_one(const char *path, const struct stat *info, int type,
                      struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

/* Not by a child that was forked meanwhile. */
static void remove_tmp(void)
{
    if (tmp[0] && tmp_owner == getpid())
        nftw(tmp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *leaks_new_tmp(void)
{
    if (!tmp[0])
        atexit(remove_tmp);
    remove_tmp();
    strcpy(tmp, "/tmp/apt-XXXXXX");
    if (!mkdtemp(tmp))
        abort();
    tmp_owner = getpid();
    setenv("TMPDIR", tmp, 1);
    return tmp;
}

const char *leaks_own_tmp(void)
{
    return tmp;
}

unsigned leaks_entries(const char *directory)
{
    unsigned count = 0;
    DIR *opened = opendir(directory);
    if (!opened)
        return 0;
    struct dirent *entry;
    while ((entry = readdir(opened)) != NULL)
        count += strcmp(entry->d_name, ".") != 0
              && strcmp(entry->d_name, "..") != 0;
    closedir(opened);
    return count;
}

/* The descriptor that looks is there at every look. */
unsigned leaks_fds(void)
{
    return leaks_entries("/proc/self/fd");
}

static void *write_id(void *arg)
{
    snprintf(arg, 64, "/proc/self/task/%ld", syscall(SYS_gettid));
    return NULL;
}

/* A sanitizer starts a thread of its own together with the first one. */
static void start_first(void)
{
    static pid_t done_in;
    char path[64] = "";
    pthread_t thread;
    if (done_in == getpid()
        || pthread_create(&thread, NULL, write_id, path) != 0)
        return;
    done_in = getpid();
    pthread_join(thread, NULL);
    while (access(path, F_OK) == 0)
        usleep(1000);
}

unsigned leaks_threads(void)
{
    start_first();
    return leaks_entries("/proc/self/task");
}

static unsigned count_threads(const char *arg)
{
    (void)arg;
    return leaks_threads();
}

bool leaks_wait_threads(unsigned wanted)
{
    return leaks_wait(count_threads, NULL, wanted);
}

static bool has_text(const char *pid, const char *file, const char *text)
{
    static char data[1 << 17];
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/%s", pid, file);
    FILE *opened = fopen(path, "re");
    if (!opened)
        return false;
    size_t size = fread(data, 1, sizeof data, opened);
    fclose(opened);
    return memmem(data, size, text, strlen(text)) != NULL;
}

/* A zombie has neither command line nor environment. */
unsigned leaks_processes(const char *text)
{
    unsigned count = 0;
    DIR *proc = opendir("/proc");
    if (!proc)
        return 0;
    struct dirent *entry;
    while ((entry = readdir(proc)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            count += has_text(entry->d_name, "cmdline", text)
                  || has_text(entry->d_name, "environ", text);
    closedir(proc);
    return count;
}

bool leaks_wait(unsigned (*count)(const char *arg), const char *arg,
                unsigned wanted)
{
    const struct timespec pause = {0, 20 * 1000000};
    for (unsigned i = 0; i < 500; i++) {
        if (count(arg) == wanted)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}
