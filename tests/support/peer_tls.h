/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates made on the spot, and the server's side of TLS. */
#ifndef TESTS_PEER_TLS_H
#define TESTS_PEER_TLS_H

#include "peer.h"

#include <openssl/ssl.h>

typedef struct peer_tls peer_tls;

peer_tls *peer_tls_new(peer_certificate kind);
void peer_tls_free(peer_tls *tls);
const char *peer_tls_ca_file(const peer_tls *tls);
/* NULL when the client would not have it. */
SSL *peer_tls_accept(peer_tls *tls, int fd);

#endif
