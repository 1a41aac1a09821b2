/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_HASH_H
#define LIBGANG_BASE_HASH_H

#include <stdint.h>

#include "libgang/base/text.h"

/* 64-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/. The hash of no text is FNV1A_START. */
#define FNV1A_START 14695981039346656037u

/* Returns the hash of what `hash` is of, followed by the text. */
uint64_t fnv1a_add(uint64_t hash, struct slice text);

enum { SHA1_BYTES = 20, SHA1_BLOCK = 64 };

/* SHA-1 (RFC 3174), for names that other controllers compute with it. Not for security. */
struct sha1 {
    uint32_t state[5];
    uint64_t len;
    unsigned char block[SHA1_BLOCK];
};

void sha1_begin(struct sha1 *hash);
void sha1_add(struct sha1 *hash, struct slice text);
void sha1_end(struct sha1 *hash, unsigned char out[SHA1_BYTES]);

/* FNV-1a of 32 bits, for short parts of names. Not for security. */
uint32_t fnv1a_32(struct slice text);

enum { SHA256_TEXT_SIZE = 64 + 1 };

/*
 * SHA-256 (FIPS 180-4) in lower-case hexadecimal, for names that must be equal to those of other
 * controllers. Returns `out`.
 */
const char *sha256_text(struct slice data, char out[SHA256_TEXT_SIZE]);

#endif
