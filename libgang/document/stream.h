/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_STREAM_H
#define LIBGANG_DOCUMENT_STREAM_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * Splits a text with several documents at `---` and `...` lines, and between consecutive JSON
 * objects. Documents without content are skipped. The text is not parsed, and a text that is not
 * well-formed is returned as one part.
 */
struct splitter {
    const char *at;
    const char *end;
    /* the end of the text between two separator lines, while it has more JSON objects */
    const char *chunk_end;
    /* a place in the current line and its column, so that a long line is counted once */
    const char *counted;
    uint32_t column;
    uint32_t line;
};

enum split_result { SPLIT_END, SPLIT_DOCUMENT, SPLIT_BAD_SEPARATOR };

struct split_part {
    struct slice text; /* the document; for an invalid separator, its line */
    uint32_t line;     /* the first line of the text, 1-based */
    uint32_t column;
};

struct splitter splitter_start(struct slice text);
enum split_result splitter_next(struct splitter *splitter, struct split_part *out);

#endif
