/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EDIT_H
#define GANGCTL_EDIT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "input.h"

/* How a text was changed. */
enum edit_result {
    EDIT_NOTHING,  /* it is as before */
    EDIT_IN_PLACE, /* all else kept its bytes */
    EDIT_PART,     /* a map or list was written again, without its comments */
    EDIT_WHOLE,    /* so was the document */
    EDIT_AS_JSON   /* and it is too large to be read as YAML */
};

/*
 * Adds the text of one document, YAML or JSON, with the fewest changes after which it reads as
 * `wanted`: comments, quotes, the order of keys, indentation, anchors and the ends of lines are
 * kept. The result was read again and is equal to `wanted`; where that cannot be reached, the
 * document is written again.
 */
enum edit_result edit_document(struct text *out, const char *data, size_t len,
                               struct json_object *wanted);

/* Ends the last line of a text, if it has no end. */
void end_last_line(struct text *out, const char *end_of_line);

/* "\r\n" if the first line of the text ends so. */
const char *end_of_line_in(const char *data, size_t len);

/* Where the values of a document are in its text */

enum site_kind { SITE_SCALAR, SITE_MAP, SITE_LIST, SITE_ALIAS };

/* A value in the text. A map has its keys among its children, each before its value. */
struct site {
    enum site_kind kind;
    bool is_flow;
    char quote;   /* of a scalar; 0 without */
    size_t start; /* behind an anchor and a tag */
    size_t end;
    char *text;            /* of a scalar, the name of an alias */
    char *anchor;          /* NULL if absent */
    struct site *anchored; /* of an alias */
    bool is_changed;       /* of a value with an anchor */
    struct site **children;
    size_t count;
};

/* Bytes that take the place of others. */
struct replacement {
    size_t start;
    size_t end;
    size_t order; /* of changes that start at one place */
    struct text text;
};

struct editor {
    const char *data;
    size_t len;
    const char *end_of_line;
    bool is_json;
    size_t step;      /* of the indentation */
    bool lists_step;  /* a list is indented below its key */
    bool any_changed; /* a value with an anchor */
    bool has_printed; /* a map or list was written again */
    struct replacement *changes;
    size_t num_changes;
};

bool has_only_blanks(const struct editor *editor, size_t start, size_t end);
size_t start_of_line(const struct editor *editor, size_t at);
/* The place behind the line in which a value ends. Block scalars end behind a line. */
size_t behind_line(const struct editor *editor, size_t at);
size_t column_of(const struct editor *editor, size_t at);
bool starts_line(const struct editor *editor, size_t at);
/* Skips blanks and comments. */
size_t skip_to_token(const struct editor *editor, size_t at);
/* Returns the root, of the step; NULL if libyaml cannot read the text, or gangctl is without it. */
struct site *read_sites(const struct editor *editor);
void sites_free(struct site *site);
/* Returns the position of a value among the children; 0 if the map has no such key of its own. */
size_t site_find(const struct site *map, const char *key);
/* The place of a dash: before an item, or of the first one. */
size_t dash_before(const struct editor *editor, const struct site *list, size_t index);
/* Learns the indentation from the first maps and lists of the document. */
void learn_style(struct editor *editor, const struct site *map);

/* A value of a document: its tree, and its sites, which are NULL if its place is not known. */
struct placed_value {
    struct json_object *tree; /* NULL if absent */
    const struct site *site;
    const struct site *key; /* its name in a map; an item of a list itself */
};

/* The trees and sites are of the step. */
struct placed_value root_of(const struct document *document);
struct placed_value member_of(const struct placed_value *map, const char *name);
struct placed_value item_of(const struct placed_value *list, size_t index);
/* Returns where a key or value starts in its document; line 1 and column 0 if it is not known. */
struct place place_in(const struct document *document, const struct site *site);

#endif
