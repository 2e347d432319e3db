/* SPDX-License-Identifier: Apache-2.0 */
/* What must not be left behind. */
#ifndef TESTS_LEAKS_H
#define TESTS_LEAKS_H

#include <stdbool.h>

/* Makes a new private directory with a short name and points TMPDIR to it. It
 * is removed at exit, or by the next one. */
const char *leaks_new_tmp(void);
/* The last one made. */
const char *leaks_own_tmp(void);
/* Descriptors and threads of this process, entries of a directory. */
unsigned leaks_fds(void);
unsigned leaks_threads(void);
unsigned leaks_entries(const char *directory);
/* Waits until there are so many threads: one that was joined may still be on
 * its way out of the kernel. */
bool leaks_wait_threads(unsigned wanted);
/* Processes, zombies left out, whose command line or environment contains
 * text. */
unsigned leaks_processes(const char *text);
/* Looks again and again until count(arg) is wanted, for up to ten seconds. */
bool leaks_wait(unsigned (*count)(const char *arg), const char *arg,
                unsigned wanted);

#endif
