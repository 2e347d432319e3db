/* SPDX-License-Identifier: Apache-2.0 */
/* A web site on loopback for tests: serves tests/pages and a few addresses
 * that misbehave on request. */
#ifndef TESTS_SITE_H
#define TESTS_SITE_H

typedef struct site site;

/* Starts a server on a free port of 127.0.0.1, with a thread per connection.
 * dir is what it serves, usually PAGES_DIR.
 *
 *   /name.html              tests/pages/name.html
 *   /redirect?n=3&to=/x     n redirects, then to
 *   /status?code=204        an empty answer with that status
 *   /download?name=a&size=n an attachment of n bytes 'x'; with stall=1 one
 *                           more is announced and never comes
 *   /slow?ms=500&to=/x      the page, that much later
 *   /hang                   accepts and never answers
 *   /reset                  closes the connection without an answer
 *   /headers                the request's head as text/plain
 *   /events                 an event stream that never ends
 */
site *site_start(const char *dir);
void site_stop(site *server);
/* "http://127.0.0.1:PORT" + path; the caller frees. host may be "localhost"
 * for a second origin, NULL is 127.0.0.1. */
char *site_url(site *server, const char *host, const char *path);
/* Requests that were made for the exact path so far. */
unsigned site_hits(site *server, const char *path);

#endif
