/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_PICTURE_H
#define LIBGANG_RENDER_PICTURE_H

#include "libgang/decide/decision.h"

struct svg_point {
    int64_t x;
    int64_t y;
};

/* Appends elements. `format` has only numbers and constant texts, and at most 255 bytes. */
LIKE_PRINTF(2, 3)
void svg_put(struct buffer *out, const char *format, ...);

/*
 * Appends text that XML accepts anywhere: markup characters become entities, and each character
 * that is unprintable or not UTF-8 becomes U+FFFD.
 */
void svg_put_text(struct buffer *out, struct slice text);

/* Returns the start of `text` with at most `most` characters, never a part of a character. */
struct slice svg_cut(struct slice text, size_t most);

/* Appends a line of text, cut after `most` characters. `class` is a constant. */
void svg_put_line(struct buffer *out, struct svg_point at, const char *class, struct slice text,
                  size_t most);

/*
 * Appends text as lines of at most `most` characters, split at spaces. Returns the position of the
 * line after the last one.
 */
struct svg_point svg_put_wrapped(struct buffer *out, struct svg_point at, const char *class,
                                 struct slice text, size_t most);
/* Takes the next of these lines off the text; empty at the end. */
struct slice svg_next_line(struct slice *text, size_t most);

enum { SVG_LINE_HEIGHT = 18 };

/*
 * Writes the decision as one SVG document: a box for each role, stages and waves from left to
 * right, the start order as arrows, and the gang as a frame around its members. A gang that can
 * never start has the roles of the deadlock in red. Same decision, same bytes. The colours follow
 * the reader's light or dark scheme; shape and words say what the colours say.
 */
void picture_write(const struct gang_decision *decision, struct arena *arena, struct buffer *out);

#endif
