/* SPDX-License-Identifier: Apache-2.0 */
/* The private directory beside downloads, and what becomes of it. */
#include "browser/download.h"
#include "leaks.h"
#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void make_file(const char *directory, const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static aper__download_dir *open_dir(void)
{
    aper__download_dir *dir = NULL;
    aper_error *error = NULL;
    ck_assert_int_eq(aper__download_dir_open(leaks_own_tmp(), &dir, &error),
                     APER_OK);
    ck_assert_ptr_null(error);
    return dir;
}

/* A host that uses the directory and is killed in the middle of a download. */
static void be_killed(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        static aper__download_dir *used; /* to the end, as a host has it */
        used = open_dir();
        make_file(aper__download_dir_staging(used), "half");
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSIGNALED(status));
}

START_TEST(what_a_killed_host_left_is_removed_by_the_next)
{
    leaks_new_tmp();
    be_killed();
    be_killed();
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 1);
    aper__download_dir *dir = open_dir();
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 1);
    aper__download_dir_unref(dir);
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 0);
}
END_TEST

START_TEST(what_is_in_use_and_what_is_not_ours_is_left_alone)
{
    leaks_new_tmp();
    char foreign[400];
    snprintf(foreign, sizeof foreign, "%s/.aperture-own", leaks_own_tmp());
    ck_assert_int_eq(mkdir(foreign, 0700), 0);
    make_file(leaks_own_tmp(), ".aperture-file");
    make_file(leaks_own_tmp(), "report.pdf");
    aper__download_dir *first = open_dir();
    make_file(aper__download_dir_staging(first), "half");
    aper__download_dir *second = open_dir();
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 5);
    aper__download_dir_unref(second);
    ck_assert_int_eq(access(aper__download_dir_staging(first), F_OK), 0);
    aper__download_dir_unref(first);
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 3);
}
END_TEST

SUITE("download_dir", 60, what_a_killed_host_left_is_removed_by_the_next,
      what_is_in_use_and_what_is_not_ours_is_left_alone)
