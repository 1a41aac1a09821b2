/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_TEXT_ESCAPE_H
#define LIBGANG_DOCUMENT_TEXT_ESCAPE_H

#include "libgang/base/buffer.h"
#include "libgang/base/plain_run.h"

/*
 * Text in double quotes, as JSON and YAML both read it back: quotes, backslashes, C0, DEL, C1, NEL, LS, PS, the byte
 * order mark and the non-characters U+FFFE and U+FFFF escaped, all else as it is. Bytes that are not UTF-8 cannot
 * come out of a reader; should a caller build such a text, each becomes U+FFFD.
 */
static inline void text_escape_quoted(struct buffer *out, struct slice text);

/* The same for a text that needs an escape somewhere. */
void text_escape_odd(struct buffer *out, struct slice text);

/* Most texts need no escape: those are placed at once. */
static inline void
text_escape_quoted(struct buffer *out, struct slice text)
{
    char *place = buffer_extend(out, text.len + 2);

    if (!place)
        return;
    if (plain_copy(place + 1, text)) {
        place[0] = '"';
        place[text.len + 1] = '"';
        return;
    }
    out->len -= text.len + 2;
    text_escape_odd(out, text);
}

#endif
