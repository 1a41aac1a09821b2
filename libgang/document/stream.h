/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_STREAM_H
#define LIBGANG_DOCUMENT_STREAM_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * Takes a text with several documents apart: at `---` and `...` lines, and between JSON objects that follow one
 * another. Documents without content are left out. Nothing is parsed here; a text that makes no sense comes out in
 * one piece.
 */
struct splitter {
    const char *at;
    const char *end;
    const char *chunk_end; /* of the text between two separator lines, while JSON objects in it are left */
    const char *line_start;
    uint32_t line;
};

enum split_result { SPLIT_END, SPLIT_DOCUMENT, SPLIT_BAD_SEPARATOR };

struct split_part {
    struct slice text; /* the document; for a bad separator its line */
    uint32_t line;     /* where the text starts, 1-based */
    uint32_t column;
};

struct splitter splitter_start(struct slice text);
enum split_result splitter_next(struct splitter *splitter, struct split_part *out);

#endif
