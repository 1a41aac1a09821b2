/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_WRITER_H
#define LIBGANG_DOCUMENT_WRITER_H

#include <gang/gang.h>

#include "libgang/base/plain_run.h"
#include "libgang/document/node.h"

/* Writes compact JSON in the order of the tree, without a final newline. */
void json_write(struct buffer *out, const struct node *node);

/*
 * Writes block YAML in the order of the tree, with a final newline. A string is double-quoted
 * unless it matches `^[A-Za-z][A-Za-z0-9_./-]*$` and no YAML version reads it as another type.
 * Empty containers print as {} and []. The items of a list have the indentation of its key.
 */
void yaml_write(struct buffer *out, const struct node *node);

/*
 * Writes text in double quotes so that JSON and YAML parsers read it back. Escapes quotes,
 * backslashes, C0, DEL, C1, NEL, LS, PS, the byte order mark and the non-characters U+FFFE and
 * U+FFFF; all other text is unchanged. Readers never return text that is not UTF-8; in other text,
 * each invalid byte becomes U+FFFD.
 */
void text_escape_quoted(struct buffer *out, struct slice text);

/* Like text_escape_quoted(), for a text that needs an escape. */
void text_escape_odd(struct buffer *out, struct slice text);

/* Most texts need no escape, and are copied directly. False if the text needs one. */
static inline bool
text_quote_plain(struct buffer *out, struct slice text)
{
    char *place = buffer_extend(out, text.len + 2);

    if (!place)
        return true;
    if (!plain_copy(place + 1, text)) {
        out->len -= text.len + 2;
        return false;
    }
    place[0] = '"';
    place[text.len + 1] = '"';
    return true;
}

/*
 * A long text is often that of the one before: JSON in an annotation that all roles have. It is
 * escaped once, and then copied from its place in the output.
 */
enum { TEXT_LONG = 256 };

struct text_repeated {
    struct slice text; /* the last long one; its bytes must not change during the walk */
    size_t start;      /* of its form in the output */
    size_t len;
};

/* For a long text that needs an escape. */
void text_escape_long(struct buffer *out, struct slice text, struct text_repeated *last);

static inline void
text_escape_repeated(struct buffer *out, struct slice text, struct text_repeated *last)
{
    if (text_quote_plain(out, text))
        return;
    if (text.len >= TEXT_LONG)
        text_escape_long(out, text, last);
    else
        text_escape_odd(out, text);
}

bool document_format_is_known(int format);
/* Writes one document, with a final newline in either format. */
void document_write(struct buffer *out, const struct node *root, enum gang_format format);
/*
 * The last step of every gang_*_serialize function: returns the written bytes, or the error. The
 * buffer is empty afterwards.
 */
int document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err);

#endif
