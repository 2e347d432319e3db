/* SPDX-License-Identifier: Apache-2.0 */
/* libaperture: an AI agent drives a real Chromium, reads little, and is never
 * told that something happened which did not. This header includes all.
 *
 * Options may be NULL: every field then has its default. Otherwise size must be
 * set, and the rest be zero where nothing is wanted.
 *
 * What a ret_ argument points to is set whenever a call succeeds and left as it
 * was when it fails; ret_error, set by failures only, is the exception. */
#ifndef APERTURE_APERTURE_H
#define APERTURE_APERTURE_H

#include <aperture/act.h>
#include <aperture/browser.h>
#include <aperture/capture.h>
#include <aperture/diff.h>
#include <aperture/error.h>
#include <aperture/event.h>
#include <aperture/log.h>
#include <aperture/snapshot.h>
#include <aperture/status.h>
#include <aperture/tab.h>
#include <aperture/version.h>

#endif
