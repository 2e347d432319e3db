/* SPDX-License-Identifier: Apache-2.0 */
/* What the library is measured against: CDP as plainly as libwebsockets allows
 * it. One thread, prepared texts, no JSON, no deadline, no check of anything
 * that a browser sends. */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

typedef struct bare bare;

/* Connects to a ws:// address with a number for host; NULL if it fails. */
bare *bare_open(const char *url);
void bare_close(bare *client);
/* Sends {"id":N, rest and waits for that answer, which stays the client's until
 * the next call; NULL when the connection ended. */
const char *bare_call(bare *client, const char *rest);
/* The next call also waits for an event that contains text, a literal. */
void bare_expect(bare *client, const char *text);
/* Copies the string behind "key":" of an answer; "" if there is none. */
void bare_string(const char *answer, const char *key, char *out,
                 unsigned size);

#endif
