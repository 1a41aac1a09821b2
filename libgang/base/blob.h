/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_BLOB_H
#define LIBGANG_BASE_BLOB_H

#include "libgang/base/buffer.h"
#include <gang/gang.h>

/*
 * Takes ownership of the bytes of the buffer, which is empty afterwards. Returns NULL if out of
 * memory.
 */
struct gang_blob *blob_take(struct buffer *buffer);

#endif
