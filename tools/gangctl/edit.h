/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EDIT_H
#define GANGCTL_EDIT_H

#include <stddef.h>

#include <json-c/json.h>

#include "text.h"

/* How a text was changed. */
enum edit_result {
    EDIT_NOTHING,  /* it is as before */
    EDIT_IN_PLACE, /* all else kept its bytes */
    EDIT_PART,     /* a map or list was written again, without its comments */
    EDIT_WHOLE     /* so was the document */
};

/*
 * Adds the text of one document, YAML or JSON, with the fewest changes after which it reads as
 * `wanted`: comments, quotes, the order of keys, indentation, anchors and the ends of lines are
 * kept. The result was read again and is equal to `wanted`; where that cannot be reached, the
 * document is written again.
 */
enum edit_result edit_document(struct text *out, const char *data, size_t len,
                               struct json_object *wanted);

#endif
