/* SPDX-License-Identifier: Apache-2.0 */
#include "peer_tls.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY (24L * 3600)

struct peer_tls {
    SSL_CTX *context;
    char ca_file[64];
};

static void check(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "OpenSSL: %s\n", what);
    abort();
}

static void add_extension(X509 *certificate, int what, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, NULL, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, what,
                                                    value);
    check(extension != NULL, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

static X509 *make_certificate(EVP_PKEY *key, const char *name, X509 *issuer,
                              EVP_PKEY *issuer_key, long from, long to)
{
    X509 *made = X509_new();
    X509_set_version(made, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made), issuer ? 2 : 1);
    X509_gmtime_adj(X509_getm_notBefore(made), from);
    X509_gmtime_adj(X509_getm_notAfter(made), to);
    X509_set_pubkey(made, key);
    X509_NAME *subject = X509_get_subject_name(made);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               (const unsigned char *)name, -1, -1, 0);
    X509_set_issuer_name(made, issuer ? X509_get_subject_name(issuer)
                                      : subject);
    if (!issuer)
        add_extension(made, NID_basic_constraints, "critical,CA:TRUE");
    else if (strcmp(name, "other") == 0)
        add_extension(made, NID_subject_alt_name, "DNS:other.example");
    else
        add_extension(made, NID_subject_alt_name,
                      "DNS:localhost,IP:127.0.0.1");
    check(X509_sign(made, issuer_key, EVP_sha256()), "sign");
    return made;
}

static void write_ca(peer_tls *tls, X509 *ca)
{
    strcpy(tls->ca_file, "/tmp/aperture-ca-XXXXXX");
    int fd = mkstemp(tls->ca_file);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    check(file && PEM_write_X509(file, ca), "CA file");
    fclose(file);
}

peer_tls *peer_tls_new(peer_certificate kind)
{
    peer_tls *tls = calloc(1, sizeof *tls);
    check(tls != NULL, "memory");
    EVP_PKEY *ca_key = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
    X509 *ca = make_certificate(ca_key, "Test CA", NULL, ca_key, -10 * DAY,
                                10 * DAY);
    X509 *own = make_certificate(key,
                                 kind == PEER_OTHER_HOST ? "other" : "good",
                                 ca, ca_key, -5 * DAY,
                                 kind == PEER_EXPIRED ? -DAY : DAY);
    tls->context = SSL_CTX_new(TLS_server_method());
    check(SSL_CTX_use_certificate(tls->context, own) == 1, "certificate");
    check(SSL_CTX_use_PrivateKey(tls->context, key) == 1, "key");
    write_ca(tls, ca);
    X509_free(own);
    X509_free(ca);
    EVP_PKEY_free(key);
    EVP_PKEY_free(ca_key);
    return tls;
}

void peer_tls_free(peer_tls *tls)
{
    SSL_CTX_free(tls->context);
    unlink(tls->ca_file);
    free(tls);
}

const char *peer_tls_ca_file(const peer_tls *tls)
{
    return tls->ca_file;
}

SSL *peer_tls_accept(peer_tls *tls, int fd)
{
    SSL *ssl = SSL_new(tls->context);
    SSL_set_fd(ssl, fd);
    if (SSL_accept(ssl) == 1)
        return ssl;
    SSL_free(ssl);
    return NULL;
}
