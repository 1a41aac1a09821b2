/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_TEXT_ESCAPE_H
#define LIBGANG_DOCUMENT_TEXT_ESCAPE_H

#include "libgang/base/buffer.h"

/*
 * Text in double quotes, as JSON and YAML both read it back: quotes, backslashes, C0, DEL, C1, NEL, LS, PS, the byte
 * order mark and the non-characters U+FFFE and U+FFFF escaped, all else as it is. Bytes that are not UTF-8 cannot
 * come out of a reader; should a caller build such a text, each becomes U+FFFD.
 */
void text_escape_quoted(struct buffer *out, struct slice text);

#endif
