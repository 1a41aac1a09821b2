/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_YAML_SOURCE_H
#define LIBGANG_DOCUMENT_YAML_SOURCE_H
#ifdef GANG_WITH_YAML

#include <yaml.h>

#include "libgang/document/reader.h"

/*
 * Owns a libyaml parser and its last event. libyaml's rules: delete an event only after it was
 * parsed; after a failure, delete only the parser.
 */
struct yaml_source {
    yaml_parser_t parser;
    yaml_event_t event;
    struct slice text;   /* that the parser reads */
    uint32_t first_line; /* number of lines before it */
    bool has_parser;
    bool has_event;
};

static inline struct slice
yaml_slice(const yaml_char_t *text, size_t len)
{
    return (struct slice){(const char *)text, len};
}

static inline struct slice
yaml_name(const yaml_char_t *text)
{
    return slice_from_text((const char *)text);
}

bool yaml_source_open(struct yaml_source *source, struct slice text, uint32_t first_line);
void yaml_source_close(struct yaml_source *source);

/* Deletes the current event and moves to the next one. False if libyaml fails. */
bool yaml_source_next(struct yaml_source *source);

/* Whether the current event is a value that is not written, as after a final `---`. */
bool yaml_source_is_empty_value(const struct yaml_source *source);

bool yaml_source_out_of_memory(const struct yaml_source *source);
/* Reports the reason why yaml_source_next() failed. */
bool yaml_source_report(const struct yaml_source *source, const struct document_request *request,
                        const struct node *inside);

static inline struct reader_mark
yaml_source_mark(const struct yaml_source *source, yaml_mark_t mark)
{
    return (struct reader_mark){(uint32_t)mark.line + source->first_line + 1,
                                (uint32_t)mark.column + 1};
}

/*
 * Checks on the bytes before libyaml reads them: libyaml gives no position for invalid UTF-8,
 * accepts UTF-16, needs quadratic time for directives, and reads comments as slowly as content.
 */
struct yaml_text {
    struct slice body;   /* without a byte order mark and leading comment lines */
    uint32_t first_line; /* number of lines before the body */
};

/* False after it has reported an error. A body of length 0 is an empty document. */
bool yaml_text_check(const struct document_request *request, struct slice text,
                     struct yaml_text *out);

/* Reports the first line from `line` on that starts with %, as a directive does. */
bool yaml_text_refuse_directive(const struct document_request *request, struct slice text,
                                uint32_t line);

/*
 * Applies a merge key: adds the members of `source`, or of each map in the list `source`. As in
 * kubectl, members below the merge key have precedence, then the first map of the list, and last
 * the `above` first members of the map. In strict mode any overlap is a duplicate key. Merged
 * members share their children with the source map and keep its marks.
 */
bool yaml_merge(const struct document_request *request, struct node *map, uint32_t above,
                const struct node *source);

/* An anchor, which aliases refer to. */
struct yaml_anchor {
    struct slice name;
    const struct node *node;
    uint32_t nodes;  /* of its tree, with aliases expanded */
    uint32_t height; /* levels of containers in its tree */
    bool is_open;    /* its tree is still being read */
};

struct yaml_anchors {
    struct yaml_anchor *items;
    size_t count;
};

/*
 * Returns the index of the new anchor; SIZE_MAX if out of memory. A later anchor with the same name
 * hides the earlier one.
 */
size_t yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                        const struct node *node);
/* Returns NULL if no anchor has the name. */
const struct yaml_anchor *yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name);

#endif
#endif
