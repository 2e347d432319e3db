/* SPDX-License-Identifier: Apache-2.0 */
/* What must not be left behind. */
#ifndef TESTS_LEAKS_H
#define TESTS_LEAKS_H

#include <stdbool.h>

/* Makes a short private directory, points TMPDIR to it and changes nothing
 * else. The result lives until the process ends. */
const char *leaks_own_tmp(void);
/* Descriptors and threads of this process, entries of a directory. */
unsigned leaks_fds(void);
unsigned leaks_threads(void);
unsigned leaks_entries(const char *directory);
/* Processes, zombies left out, whose command line or environment contains
 * text. */
unsigned leaks_processes(const char *text);
/* Looks again and again until count(arg) is wanted, for up to ten seconds. */
bool leaks_wait(unsigned (*count)(const char *arg), const char *arg,
                unsigned wanted);

#endif
