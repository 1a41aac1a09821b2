/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_QUOTE_H
#define LIBGANG_BASE_QUOTE_H

#include "libgang/base/slice.h"

/* Room for 64 echoed bytes, each escaped at worst as \x00, two quotes and an ellipsis. */
enum { QUOTED_SIZE = 64 * 4 + 2 + 3 + 1 };

struct quoted {
    char text[QUOTED_SIZE];
};

/*
 * User text for a message, as Go's %q prints it: double-quoted, control bytes and bytes of broken UTF-8 escaped,
 * cut after 64 bytes. Returns `out->text`.
 */
const char *quote(struct quoted *out, struct slice text);

/* The same into bytes of the caller's. Returns the length without the NUL. */
size_t quote_put_text(char out[QUOTED_SIZE], struct slice text);

/* Whether all of it is printable ASCII, as nearly every text is. */
bool quote_is_plain(struct slice text);

/*
 * Text that may hold a document's bytes, as one line that no terminal obeys: controls, line and direction marks, and
 * bytes of broken UTF-8 become \xHH, everything else stays. Returns the length; `out` is NULL to measure.
 */
size_t quote_printable(struct slice text, char *out);

#endif
