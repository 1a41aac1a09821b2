/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_SOURCE_H
#define LIBGANG_DOCUMENT_YAML_SOURCE_H

#include <yaml.h>

#include "libgang/document/reader.h"

/*
 * Owns a libyaml parser and its last event. libyaml's rules: an event is deleted only after it was parsed, and after
 * a failure nothing but the parser itself may be deleted.
 */
struct yaml_source {
    yaml_parser_t parser;
    yaml_event_t event;
    uint32_t first_line; /* lines before the text that the parser got */
    bool has_parser;
    bool has_event;
};

bool yaml_source_open(struct yaml_source *source, struct slice text, uint32_t first_line);
void yaml_source_close(struct yaml_source *source);

/* Moves to the next event; false when libyaml fails. The event before is gone. */
bool yaml_source_next(struct yaml_source *source);

bool yaml_source_out_of_memory(const struct yaml_source *source);
/* Reports why yaml_source_next() failed. */
bool yaml_source_report(const struct yaml_source *source, const struct document_request *request,
                        const struct node *inside);

struct reader_mark yaml_source_mark(const struct yaml_source *source, yaml_mark_t mark);

#endif
