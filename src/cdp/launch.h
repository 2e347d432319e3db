/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the launcher: what to run, with what, where, and as which process.
 */
#ifndef APER_CDP_LAUNCH_H
#define APER_CDP_LAUNCH_H

#include "cdp/cdp.h"

#include <sys/types.h>

#define APER__PORT_FILE "DevToolsActivePort"

/* find.c: a program that can be run; NOT_FOUND says where was looked. */
aper_status aper__launch_find(const char *executable, char **ret_path,
                              aper_error **ret_error);

/* launch_args.c. INVAL for extra_args that would cut the library off, and for
 * secrets that would stand on the command line. */
aper_status aper__launch_check(const aper_launch_options *options,
                               aper_error **ret_error);
/* argv for the program at path, to be freed with aper__launch_args_free(). */
aper_status aper__launch_args(const aper_launch_options *options,
                              const char *path, const char *profile_dir,
                              char ***ret_args, aper_error **ret_error);
void aper__launch_args_free(char **args);
/* Did the caller turn the sandbox off, by option or switch? */
bool aper__launch_unsandboxed(const aper_launch_options *options);

/* launch.c: the address in a profile's port file; NOT_FOUND if there is none,
 * PROTOCOL if it is malformed, NOMEM. */
aper_status aper__launch_read_port(const char *directory, char **ret_url);

/* profile.c: where a browser lives. The private directory holds the marker,
 * the browser's temporary files and, unless one was given, the profile. */
typedef struct aper__profile {
    char *private_dir;
    char *temp_dir;
    char *dir; /* the profile itself */
    int lock; /* on a given profile, or -1 */
} aper__profile;
aper_status aper__profile_open(const char *given, aper__profile *ret_profile,
                               aper_error **ret_error);
/* Writes into the marker which process runs here. */
void aper__profile_note(const aper__profile *profile, int64_t pid);
/* Removes what is private; accepts a zeroed or half-open one. */
void aper__profile_close(aper__profile *profile);

/* marker.c: who made a private directory. */
#define APER__MARKER_PREFIX "aperture-profile-"
#define APER__MARKER_FILE "aperture-marker"
typedef struct aper__marker {
    uint64_t pid_space; /* in which the process ids mean something */
    int64_t host;
    uint64_t host_start;
    int64_t browser; /* 0: not known */
    uint64_t browser_start;
} aper__marker;
void aper__marker_add_browser(const char *directory, int64_t pid);
/* false unless the text is complete and sound. */
bool aper__marker_parse(const char *text, aper__marker *ret_marker);
uint64_t aper__marker_pid_space(void);
/* When the process started, in a unit of the system; 0 if there is none or it
 * is a zombie. Together with the id it names a process for ever. */
uint64_t aper__marker_start_time(int64_t pid);
/* Directory for temporary files. */
const char *aper__marker_base(void);

/* tree.c: removes a directory and all in it, the entry named last at the very
 * end; follows no symbolic link. True once it is gone. */
bool aper__tree_remove(int parent, const char *name, const char *last);

/* process.c: a child that is watched by the thread that forked it. */
typedef struct aper__process aper__process;
typedef struct aper__process_plan {
    const char *path;
    char *const *args;
    const char *temp_dir; /* TMPDIR of the child */
    int pipe; /* becomes descriptors 3 and 4; -1 for none; borrowed */
} aper__process_plan;
/* Fails when the program cannot be executed; *ret_errno says why. */
aper_status aper__process_start(const aper__process_plan *plan,
                                aper__process **ret_process, int *ret_errno);
pid_t aper__process_pid(const aper__process *process);
/* Once it has ended: true, and a wait status. */
bool aper__process_ended(aper__process *process, int *ret_status);
/* Waits until it has ended, the op has, or until_ms; true once the process has
 * ended. One thread at a time. */
bool aper__process_wait(aper__process *process, aper__op *op,
                        int64_t until_ms);
/* A signal to the process itself, while it is there. */
void aper__process_signal(aper__process *process, int signal_number);
/* Kills the process and its group, waits for it. */
void aper__process_kill(aper__process *process);
/* The last that it wrote, as it is. */
void aper__process_output(aper__process *process, aper__buf *out);
void aper__process_free(aper__process *process); /* kills it */

#endif
