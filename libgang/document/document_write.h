/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_DOCUMENT_WRITE_H
#define LIBGANG_DOCUMENT_DOCUMENT_WRITE_H

#include "libgang/base/buffer.h"
#include "libgang/document/node.h"
#include <gang/gang.h>

bool document_format_is_known(enum gang_format format);
/* One document, with a newline at its end in either format. */
void document_write(struct buffer *out, const struct node *root, enum gang_format format);
/*
 * The end of every gang_*_serialize function: hands the written bytes out, or says why there are none. The buffer is
 * empty afterwards.
 */
int document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err);

#endif
