/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_H
#define LIBGANG_DOCUMENT_SCHEMA_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * A structural schema as a constant table: which fields a document may have, of which type, within which bounds, and
 * what the API server fills in. The tables of the Kubernetes documents are generated from their CRDs, those of our
 * own documents are written by hand.
 */
enum schema_type {
    SCHEMA_OBJECT, /* fields, or free keys of one value type */
    SCHEMA_LIST,
    SCHEMA_STRING,
    SCHEMA_BOOLEAN,
    SCHEMA_INT32,
    SCHEMA_INT64,
    SCHEMA_INT_OR_STRING, /* integer or string */
    SCHEMA_QUANTITY,      /* integer or string with the quantity pattern */
    SCHEMA_ANY,           /* anything, never looked into */
};

struct schema_field;

struct schema {
    enum schema_type type;
    const struct schema_field *fields; /* SCHEMA_OBJECT: sorted by name, closed set */
    size_t num_fields;                 /* without fields and `values` every member is unknown */
    bool is_counted;                   /* num_required is set; else the fields are asked */
    size_t num_required;
    const struct schema *values;    /* SCHEMA_OBJECT with free keys: type of each value. SCHEMA_LIST: items */
    bool open;                      /* SCHEMA_OBJECT: members beside the fields are judged elsewhere */
    const char *const *enumeration; /* NULL-terminated; the empty string may be a member */
    const char *const *keys;        /* SCHEMA_LIST: NULL-terminated names that identify an item (map lists) */
    bool is_set;                    /* SCHEMA_LIST of scalars without duplicates */
    bool nullable;
    bool has_minimum;
    bool has_maximum;
    int64_t minimum;
    int64_t maximum;
    uint32_t min_length;      /* characters, items or members */
    uint32_t max_length;      /* 0: unbounded */
    const char *default_text; /* JSON text of a scalar that the API server fills in; NULL for none */

    /* Of our own documents only. */
    const char *description;   /* for their reference and their JSON Schema */
    const char *form;          /* how a value is written, told to who wrote another type */
    const char *pattern;       /* for the JSON Schema; the reader checks it in its own words */
    const char *empty;         /* SCHEMA_LIST: what to do instead of writing an empty one */
    enum gang_code limit_code; /* of what passes max_length; 0: that of any list or text */
};

struct schema_field {
    struct slice name; /* of a literal: ends in NUL */
    const struct schema *schema;
    bool required;
};

/* The fields of a table of `struct schema_field`, and an object that has them and says no more. */
#define SCHEMA_FIELDS(table) .fields = (table), .num_fields = sizeof(table) / sizeof((table)[0])
#define SCHEMA_OBJECT_OF(table)                                                                              \
    {                                                                                                        \
        .type = SCHEMA_OBJECT, SCHEMA_FIELDS(table)                                                          \
    }

/*
 * Checks `root` against the schema and reports every departure: unknown fields (with "did you mean"), wrong types,
 * bounds, enumerations, required fields, duplicate keys of map lists, null items. Null fields count as absent.
 * Defaults are not applied here: the front ends read absent fields as their default and say so.
 */
void schema_check(const struct schema *schema, const struct node *root, struct report *report);

/* The field of that name; NULL when there is none. */
const struct schema_field *schema_find_field(const struct schema *schema, struct slice name);

/* The field whose name is nearest to a misspelt one; NULL when none is near. */
const char *schema_nearest_field(const struct schema *schema, struct slice name);
/* The same among words, which end in NULL, and among texts that end in NUL. */
const char *schema_nearest_word(const char *const *words, struct slice name);
const char *schema_nearest_text(const struct slice *texts, size_t count, struct slice name);

/* A hint that names it; NULL for none. */
const char *schema_did_you_mean(struct arena *arena, const char *nearest);

/*
 * The tree without the fields that the schema does not know, as the API server stores it. Shares every branch that
 * loses nothing, the root included. NULL when the arena has failed.
 */
const struct node *prune_unknown(struct arena *arena, const struct schema *schema, const struct node *root);

#endif
