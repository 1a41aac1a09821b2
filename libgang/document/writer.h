/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_WRITER_H
#define LIBGANG_DOCUMENT_WRITER_H

#include <gang/gang.h>

#include "libgang/base/buffer.h"
#include "libgang/base/plain_run.h"
#include "libgang/document/node.h"

/* Compact JSON in the order of the tree, without a newline at the end. */
void json_write(struct buffer *out, const struct node *node);

/*
 * Block YAML in the order of the tree, ending in a newline. A string is double-quoted unless it matches
 * `^[A-Za-z][A-Za-z0-9_./-]*$` and is no word that any YAML version reads as something else. Empty containers print
 * as {} and []. Items of a list stand at the indentation of its key.
 */
void yaml_write(struct buffer *out, const struct node *node);

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

bool document_format_is_known(int format);
/* One document, with a newline at its end in either format. */
void document_write(struct buffer *out, const struct node *root, enum gang_format format);
/*
 * The end of every gang_*_serialize function: hands the written bytes out, or says why there are none. The buffer is
 * empty afterwards.
 */
int document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err);

#endif
