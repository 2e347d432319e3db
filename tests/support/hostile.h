/* SPDX-License-Identifier: Apache-2.0 */
/* Events as no browser sends them: methods that are listened to, with the
 * fields that are read, and in them whatever comes. */
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <jansson.h>
#include <stdint.h>

/* Where chance comes from: next gives a number below limit. */
typedef struct hostile {
    unsigned (*next)(struct hostile *chance, unsigned limit);
    uint64_t state; /* of hostile_next() */
    const uint8_t *data; /* of hostile_next_byte() */
    size_t size;
} hostile;

/* A generator with a seed, and one that reads bytes, 0 after the last. */
unsigned hostile_next(hostile *chance, unsigned limit);
unsigned hostile_next_byte(hostile *chance, unsigned limit);
/* A whole message. Targets, sessions, frames and loaders in it are among T1 …
 * T6, S1 … S6, and so on. */
json_t *hostile_event(hostile *chance);

#endif
