/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_TEXT_H
#define LIBGANG_DOCUMENT_YAML_TEXT_H

#include "libgang/document/document.h"

/*
 * What is checked on the bytes before libyaml sees them: libyaml gives no position for broken UTF-8, would take
 * UTF-16, needs quadratic time for directives, and reads comments as slowly as content.
 */
struct yaml_text {
    struct slice body;       /* without a byte order mark and leading comment lines */
    uint32_t first_line;     /* number of lines before the body */
    uint32_t last_directive; /* last line that starts with %, 1-based; 0 for none */
    bool has_bang;           /* a `!` stands somewhere, so a tag may */
};

/* False after reporting. A body of length 0 is an empty document. */
bool yaml_text_check(const struct document_request *request, struct slice text, struct yaml_text *out);

/* Reports the first line from `line` on that starts with %, as a directive does. */
bool yaml_text_refuse_directive(const struct document_request *request, struct slice text, uint32_t line);

#endif
