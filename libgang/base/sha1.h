/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_SHA1_H
#define LIBGANG_BASE_SHA1_H

#include <stdint.h>

#include "libgang/base/slice.h"

enum { SHA1_BYTES = 20, SHA1_BLOCK = 64 };

/* SHA-1 (RFC 3174), for names that other controllers make with it; never for trust. */
struct sha1 {
    uint32_t state[5];
    uint64_t len;
    unsigned char block[SHA1_BLOCK];
};

void sha1_begin(struct sha1 *hash);
void sha1_add(struct sha1 *hash, struct slice text);
void sha1_end(struct sha1 *hash, unsigned char out[SHA1_BYTES]);

#endif
