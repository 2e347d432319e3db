/* SPDX-License-Identifier: Apache-2.0 */
/* Where downloads go on this machine. Nothing here takes browser->lock. */
#ifndef APER_BROWSER_DOWNLOAD_H
#define APER_BROWSER_DOWNLOAD_H

#include "base/base.h"

/* ---- filename.c ---------------------------------------------------------- */

#define APER__FILENAME_CHARS 120
#define APER__FILENAME_BYTES 255

/* A name that is safe in any directory, from what a page proposes: no path,
 * control, bidi and reserved characters, no leading dots, the extension kept,
 * never empty, within both limits. Its result is its own fixed point. NULL
 * without memory. */
char *aper__filename_clean(const char *proposed);
/* "name (n).ext" of a clean name, within the same limits. */
char *aper__filename_numbered(const char *name, unsigned n);

/* ---- download_dir.c ------------------------------------------------------ */

/* A directory of the host, and in it a private one that the browser writes to.
 * Counted: downloads that began keep theirs when the host names another. */
typedef struct aper__download_dir aper__download_dir;

aper_status aper__download_dir_open(const char *path,
                                    aper__download_dir **ret_dir,
                                    aper_error **ret_error);
aper__download_dir *aper__download_dir_ref(aper__download_dir *dir);
/* The last one removes the private directory and what is in it. */
void aper__download_dir_unref(aper__download_dir *dir);
/* The directory that the browser writes to; lives as long as dir. */
const char *aper__download_dir_staging(const aper__download_dir *dir);

typedef struct aper__download_file {
    char *path; /* the caller frees */
    char *name; /* the caller frees */
    char sha256[65];
    uint64_t size;
} aper__download_file;

/* Moves what the browser wrote under id out of the private directory, under
 * the clean name or that name with a number. Never replaces a file. Reads the
 * whole file: not on the I/O thread. CANCELLED once *stop is set. */
aper_status aper__download_dir_take(aper__download_dir *dir, const char *id,
                                    const char *name,
                                    const atomic_bool *stop,
                                    aper__download_file *ret_file);
/* Removes what the browser wrote under id, if anything. */
void aper__download_dir_discard(aper__download_dir *dir, const char *id);

#endif
