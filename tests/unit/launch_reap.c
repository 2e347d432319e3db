/* SPDX-License-Identifier: Apache-2.0 */
/* What a killed host leaves behind is cleared away; nothing else is. */
#include "cdp/launch.h"
#include "leaks.h"
#include "suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path_of(const char *name)
{
    static char path[4][300];
    static unsigned turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", leaks_own_tmp(), name);
    return out;
}

static bool exists(const char *name)
{
    struct stat info;
    return lstat(path_of(name), &info) == 0;
}

static void make_file(const char *name, const char *text)
{
    int fd = open(path_of(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void make_dir(const char *name, const char *marker)
{
    char file[256];
    ck_assert_int_eq(mkdir(path_of(name), 0700), 0);
    snprintf(file, sizeof file, "%s/" APER__MARKER_FILE, name);
    if (marker)
        make_file(file, marker);
}

/* The id of a process that is no more. */
static pid_t dead_pid(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    return pid;
}

static char *marker_text(uint64_t space, int64_t host, uint64_t start,
                         const char *rest)
{
    static char text[512];
    snprintf(text, sizeof text,
             "aperture profile 1\nspace %" PRIu64 "\nhost %" PRId64 " %" PRIu64
             "\n%s", space, host, start, rest);
    return text;
}

START_TEST(a_dead_hosts_directory_is_removed)
{
    leaks_new_tmp();
    uint64_t space = aper__marker_pid_space();
    make_dir("aperture-profile-a", marker_text(space, dead_pid(), 5, ""));
    ck_assert_int_eq(mkdir(path_of("aperture-profile-a/profile"), 0700), 0);
    make_file("aperture-profile-a/profile/file", "x");
    /* the same id with another start time is another process */
    make_dir("aperture-profile-b",
             marker_text(space, getpid(),
                         aper__marker_start_time(getpid()) + 1, ""));
    aper__launch_reap_orphans();
    ck_assert(!exists("aperture-profile-a"));
    ck_assert(!exists("aperture-profile-b"));
}
END_TEST

START_TEST(what_is_not_surely_an_orphan_is_left_alone)
{
    leaks_new_tmp();
    uint64_t space = aper__marker_pid_space();
    pid_t dead = dead_pid();
    static const char *const names[] = {
        "aperture-profile-unmarked", "aperture-profile-live",
        "aperture-profile-space", "aperture-profile-public",
        "aperture-profile-garbage", "aperture-profile-cut",
        "aperture-profile-more", "aperture-profile-link",
        "aperture-profile-linked", "other", "elsewhere"};
    make_dir(names[0], NULL);
    make_dir(names[1], marker_text(space, getpid(),
                                   aper__marker_start_time(getpid()), ""));
    make_dir(names[2], marker_text(space + 1, dead, 5, ""));
    make_dir(names[3], marker_text(space, dead, 5, ""));
    ck_assert_int_eq(chmod(path_of(names[3]), 0755), 0);
    make_dir(names[4], "nonsense");
    make_dir(names[5], "aperture profile 1\nspace 4\nhost 77");
    make_dir(names[6], marker_text(space, dead, 5, "browser 12\n"));
    make_dir("elsewhere", marker_text(space, dead, 5, ""));
    ck_assert_int_eq(symlink(path_of("elsewhere"), path_of(names[7])), 0);
    make_dir(names[8], NULL);
    ck_assert_int_eq(
        symlink(path_of("elsewhere/" APER__MARKER_FILE),
                path_of("aperture-profile-linked/" APER__MARKER_FILE)), 0);
    make_dir("other", marker_text(space, dead, 5, ""));
    aper__launch_reap_orphans();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(exists(names[i]), "%s was removed", names[i]);
}
END_TEST

START_TEST(symbolic_links_are_removed_not_followed)
{
    leaks_new_tmp();
    make_dir("precious", NULL);
    make_file("precious/file", "x");
    make_dir("aperture-profile-a",
             marker_text(aper__marker_pid_space(), dead_pid(), 5, ""));
    ck_assert_int_eq(symlink(path_of("precious"),
                             path_of("aperture-profile-a/profile")), 0);
    aper__launch_reap_orphans();
    ck_assert(!exists("aperture-profile-a"));
    ck_assert(exists("precious/file"));
}
END_TEST

/* A process in a group of its own, that ends only by a signal. */
static pid_t sleeper(void)
{
    int ready[2];
    char byte;
    ck_assert_int_eq(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        close(ready[0]);
        close(ready[1]);
        for (;;)
            pause();
    }
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 0);
    close(ready[0]);
    return pid;
}

START_TEST(a_browser_is_killed_only_if_its_start_time_matches)
{
    leaks_new_tmp();
    char rest[100];
    pid_t dead = dead_pid();
    pid_t browser = sleeper();
    uint64_t start = aper__marker_start_time(browser);
    snprintf(rest, sizeof rest, "browser %d %" PRIu64 "\n", browser,
             start + 1);
    make_dir("aperture-profile-a",
             marker_text(aper__marker_pid_space(), dead, 5, rest));
    aper__launch_reap_orphans();
    ck_assert(!exists("aperture-profile-a"));
    ck_assert_int_eq(waitpid(browser, NULL, WNOHANG), 0);
    snprintf(rest, sizeof rest, "browser %d %" PRIu64 "\n", browser, start);
    make_dir("aperture-profile-a",
             marker_text(aper__marker_pid_space(), dead, 5, rest));
    aper__launch_reap_orphans();
    ck_assert(!exists("aperture-profile-a"));
    int status;
    ck_assert_int_eq(waitpid(browser, &status, 0), browser);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
END_TEST

START_TEST(reaping_at_once_by_many_is_harmless)
{
    leaks_new_tmp();
    uint64_t space = aper__marker_pid_space();
    pid_t dead = dead_pid();
    pid_t reapers[8];
    char name[64];
    for (unsigned i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "aperture-profile-%u", i);
        make_dir(name, marker_text(space, dead, 5, ""));
    }
    make_dir("aperture-profile-live",
             marker_text(space, getpid(), aper__marker_start_time(getpid()),
                         ""));
    for (unsigned i = 0; i < 8; i++) {
        reapers[i] = fork();
        if (reapers[i] == 0) {
            aper__launch_reap_orphans();
            _exit(0);
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        int status;
        waitpid(reapers[i], &status, 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    ck_assert_uint_eq(leaks_entries(leaks_own_tmp()), 1);
}
END_TEST

static void host(int ready, bool use_pipe)
{
    aper__op op;
    aper__launch *launch = NULL;
    aper_launch_options options = {.size = sizeof options,
                                   .no_sandbox = geteuid() == 0,
                                   .use_pipe = use_pipe};
    aper__op_init(&op, 60000);
    char done = aper__launch_start(&options, &op, &launch, NULL) == APER_OK;
    ssize_t written = write(ready, &done, 1);
    while (written == 1)
        pause();
    _exit(1);
}

static void kill_host(bool use_pipe)
{
    int ready[2];
    char done = 0;
    const char *tmp = leaks_new_tmp();
    ck_assert_int_eq(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0)
        host(ready[1], use_pipe);
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &done, 1), 1);
    ck_assert_int_eq(done, 1);
    close(ready[0]);
    /* That its helpers end as well is the point; there are four at least. */
    while (leaks_processes(tmp) < 5)
        usleep(10000);
    kill(pid, SIGKILL);
    ck_assert(leaks_wait(leaks_processes, tmp, 0));
    /* while the host is a zombie, it is dead already */
    ck_assert_uint_eq(leaks_entries(tmp), 1);
    aper__launch_reap_orphans();
    ck_assert_uint_eq(leaks_entries(tmp), 0);
    waitpid(pid, NULL, 0);
}

START_TEST(a_host_killed_over_a_port_leaves_nothing) { kill_host(false); }
END_TEST

START_TEST(a_host_killed_over_a_pipe_leaves_nothing) { kill_host(true); }
END_TEST

SUITE("launch_reap", 120, a_dead_hosts_directory_is_removed,
      what_is_not_surely_an_orphan_is_left_alone,
      symbolic_links_are_removed_not_followed,
      a_browser_is_killed_only_if_its_start_time_matches,
      reaping_at_once_by_many_is_harmless,
      a_host_killed_over_a_port_leaves_nothing,
      a_host_killed_over_a_pipe_leaves_nothing)
