/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_BLOB_H
#define LIBGANG_BASE_BLOB_H

#include "libgang/base/buffer.h"
#include <gang/gang.h>

/* Takes the bytes over from the buffer, which is empty afterwards. NULL when out of memory. */
struct gang_blob *blob_take(struct buffer *buffer);

#endif
