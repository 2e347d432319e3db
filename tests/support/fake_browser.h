/* SPDX-License-Identifier: Apache-2.0 */
/* A browser that is none: a thread at the other end of a socket pair, which
 * speaks CDP as --remote-debugging-pipe has it and answers as told. */
#ifndef TESTS_FAKE_BROWSER_H
#define TESTS_FAKE_BROWSER_H

#include <jansson.h>
#include <stddef.h>

typedef struct fake_browser fake_browser;

/* Called on the fake's thread for every command that no fake_browser_answer()
 * has a text for. */
typedef void fake_browser_handler(fake_browser *fake, json_t *command,
                                  void *userdata);

/* handler may be NULL: then such commands are not answered. */
fake_browser *fake_browser_start(fake_browser_handler *handler,
                                 void *userdata);
/* The descriptor for the library, once. */
int fake_browser_take_fd(fake_browser *fake);
/* From now on every command of that method gets this result ("{...}"), with
 * its own id and session. */
void fake_browser_answer(fake_browser *fake, const char *method,
                         const char *result);
/* Sends a text as one message; any thread. With id in place of the first %u. */
void fake_browser_send(fake_browser *fake, const char *format, unsigned id);
/* The same for bytes. */
void fake_browser_send_raw(fake_browser *fake, const char *data, size_t size);
/* Waits until so many commands of the method came, NULL for any; 0 if it does
 * not within ten seconds. */
int fake_browser_wait(fake_browser *fake, const char *method, unsigned count);
/* Ends the connection as a crash would. */
void fake_browser_vanish(fake_browser *fake);
/* Vanishes if need be and frees. */
void fake_browser_stop(fake_browser *fake);

#endif
