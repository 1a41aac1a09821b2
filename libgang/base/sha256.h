/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_SHA256_H
#define LIBGANG_BASE_SHA256_H

#include "libgang/base/slice.h"

enum { SHA256_TEXT_SIZE = 64 + 1 };

/* SHA-256 (FIPS 180-4) in lower-case hexadecimal, for names that must be those that others make. Returns `out`. */
const char *sha256_text(struct slice data, char out[SHA256_TEXT_SIZE]);

#endif
