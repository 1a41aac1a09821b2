/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCHEMA_H
#define LIBGANG_DOCUMENT_SCHEMA_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * A structural schema as a constant table: the fields of a document, their types and bounds, and
 * the defaults that the API server sets. The tables of the Kubernetes documents are generated from
 * their CRDs, those of libgang's own documents from schema/; small ones are written by hand.
 */
enum schema_type {
    SCHEMA_OBJECT, /* with fields, and no others unless it is open */
    SCHEMA_MAP,    /* an object with free keys and values of one type */
    SCHEMA_LIST,
    SCHEMA_STRING, /* this and the following ones are scalars */
    SCHEMA_BOOLEAN,
    SCHEMA_INT32,
    SCHEMA_INT64,
    SCHEMA_INT_OR_STRING, /* integer or string */
    SCHEMA_QUANTITY,      /* integer or string with the quantity pattern */
    SCHEMA_ANY,           /* any value; not checked */
};

/* What is known of a type. */
struct schema_type_row {
    const char *name;       /* in OpenAPI */
    const char *json[2];    /* the types that a value may have in JSON Schema */
    const char *lengths[2]; /* keywords of JSON Schema for min_length and max_length; NULL: none */
    uint8_t kinds;          /* of the values that it takes, one bit per node kind */
};
extern const struct schema_type_row schema_types[];

struct schema;
struct schema_row;

/* What the own read functions of schemas work with. */
struct schema_reader {
    struct arena *arena;
    struct report *report;
    void *document; /* the struct of the document that is read */
};

/*
 * Constant tables have 800 of these, so members that no type needs together share their place: read
 * them for the type that they are documented for, or with the functions below. Without fields,
 * every member of an object is unknown.
 */
struct schema {
    union {
        const struct schema_row *rows;  /* SCHEMA_OBJECT: sorted by name */
        const struct schema *values;    /* SCHEMA_MAP, SCHEMA_LIST: type of each value or item */
        const char *const *enumeration; /* SCHEMA_STRING: NULL-terminated; may contain "" */
    };
    union {
        uint32_t max_length; /* as min_length; 0: unbounded */
        int32_t minimum;     /* of types with integers */
    };
    union {
        struct {              /* SCHEMA_OBJECT */
            uint8_t row_size; /* of `rows` */
            uint8_t num_required;
            uint16_t num_fields;
        };
        struct { /* SCHEMA_LIST of objects: how many structs of `item_size` there are */
            uint16_t count_at;
            uint16_t item_size;
        };
        int32_t maximum; /* of types with integers */
    };
    uint8_t type;    /* enum schema_type */
    bool open : 1;   /* SCHEMA_OBJECT: other members are allowed here and checked elsewhere */
    bool is_set : 1; /* SCHEMA_LIST of scalars without duplicates */
    bool nullable : 1;
    bool has_minimum : 1;
    bool has_maximum : 1;
    unsigned min_length : 2;  /* SCHEMA_STRING: characters; of containers, items or members */
    unsigned limit_code : 15; /* for a value above max_length; 0: the code for any list or text */
    bool has_own : 1;
    /*
     * Where schema_read() puts the value of the field and its node: one more than the offset in the
     * struct of the object, and 0 for nowhere.
     */
    uint16_t at;
    uint16_t source_at;
    union {
        const struct schema_own *own;   /* if has_own; see SCHEMA_OR_OWN */
        const struct schema *elsewhere; /* SCHEMA_OBJECT: of each packed row that names none */
        const char *const *keys;  /* SCHEMA_LIST: names that identify an item; NULL-terminated */
        const char *default_text; /* scalars: what the API server sets, as JSON; NULL for none */
    };
};

/* What only libgang's own documents have. As in struct schema, some members share their place. */
struct schema_own {
    void (*read)(const struct schema *schema, const struct node *source, void *value,
                 struct schema_reader *reader); /* replaces the reader of the type */
    const char *description;                    /* for the reference and the JSON Schema */
    union {
        const char *const *sorted_by; /* SCHEMA_LIST: texts for sorting; NULL-terminated */
        const char *const *words;     /* SCHEMA_STRING: for an enumeration; NULL-terminated */
        const char *free_keys; /* SCHEMA_OBJECT: where keys of the user's own choice belong */
    };
    union {
        const char *pattern; /* SCHEMA_STRING: for the JSON Schema; the reader has own messages */
        const char *empty;   /* lists with min_length: what to do instead of writing fewer items */
        const char *form;    /* of others: how to write a value, in the hint about a wrong type */
    };
    union { /* as in struct schema */
        const char *const *keys;
        const char *default_text;
    };
};

/*
 * A field. In generated tables a row says how far from itself its schema and its name are, so there
 * is nothing to relocate when the library is loaded, and a row has 8 bytes.
 */
struct schema_row {
    int32_t schema_at; /* 0: as in schema_field, or `elsewhere` of the object */
    int16_t name_at;   /* a text that ends in NUL; 0: as in schema_field */
    uint8_t name_len;
    bool required;
};

/* A field in a table that is written by hand. */
struct schema_field {
    struct schema_row row;
    const char *name;
    const struct schema *schema;
};

/* The fields of a table of `struct schema_field`, and how many of them are required. */
#define SCHEMA_FIELDS(table, count)                                                                \
    .rows = &(table)->row, .row_size = sizeof(*(table)), .num_fields = COUNT_OF(table),            \
    .num_required = (count)
/* A row of a table of fields. */
#define SCHEMA_ROW(name, schema, is_required)                                                      \
    {                                                                                              \
        {0, 0, sizeof(name) - 1, is_required}, name, schema                                        \
    }
#define SCHEMA_OWN(...)                                                                            \
    .has_own = true, .own = &(const struct schema_own)                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
/* A member that is in struct schema_own if there is one. */
#define SCHEMA_OR_OWN(schema, member) ((schema)->has_own ? (schema)->own->member : (schema)->member)
#define SCHEMA_AT(record, member) .at = 1 + offsetof(struct record, member)
#define SCHEMA_SOURCE_AT(record, member) .source_at = 1 + offsetof(struct record, member)
#define SCHEMA_RECORDS_AT(record, items, count)                                                    \
    SCHEMA_AT(record, items), .count_at = 1 + offsetof(struct record, count),                      \
                              .item_size = sizeof(*((struct record *)0)->items)

/*
 * Checks `root` against the schema and reports every violation: unknown fields (with "did you
 * mean"), wrong types, bounds, enumerations, required fields, duplicate keys of map lists, null
 * items. Null fields count as absent. This function does not apply defaults: the front ends read an
 * absent field as its default and report it.
 */
void schema_check(const struct schema *schema, const struct node *root, struct report *report);

/* The schema of the values or items of a container; NULL if it has fields or is a scalar. */
static inline const struct schema *
schema_values(const struct schema *schema)
{
    return schema->type == SCHEMA_MAP || schema->type == SCHEMA_LIST ? schema->values : NULL;
}

static inline const char *const *
schema_enumeration(const struct schema *schema)
{
    return schema->type == SCHEMA_STRING ? schema->enumeration : NULL;
}

static inline const char *
schema_default(const struct schema *schema)
{
    return schema->type >= SCHEMA_STRING ? SCHEMA_OR_OWN(schema, default_text) : NULL;
}

static inline const struct schema_own *
schema_own(const struct schema *schema)
{
    static const struct schema_own none;

    return schema->has_own ? schema->own : &none;
}

/* Returns the field with this number, or the end of the fields. */
static inline const struct schema_row *
schema_row(const struct schema *schema, size_t number)
{
    if (!number)
        return schema->rows; /* C defines no sum with a null pointer */
    return (const void *)((const char *)schema->rows + number * schema->row_size);
}

static inline size_t
schema_row_number(const struct schema *schema, const struct schema_row *row)
{
    return (size_t)((const char *)row - (const char *)schema->rows) / schema->row_size;
}

/* The field that a row without distances is the first member of. */
static inline const struct schema_field *
schema_field_of(const struct schema_row *row)
{
    return (const void *)row;
}

static inline struct slice
schema_row_name(const struct schema_row *row)
{
    return (struct slice){row->name_at ? (const char *)row + row->name_at
                                       : schema_field_of(row)->name,
                          row->name_len};
}

/* The schema of a field of an object. */
static inline const struct schema *
schema_of(const struct schema *object, const struct schema_row *row)
{
    if (row->schema_at)
        return (const void *)((const char *)row + row->schema_at);
    return row->name_at ? object->elsewhere : schema_field_of(row)->schema;
}

/* Finds the fields of the members of a map, one after the other. */
struct schema_search {
    const struct schema_row *first;
    const struct schema_row *next; /* behind the field of the previous member */
    const struct schema_row *end;
    size_t row_size;
};

static inline struct schema_search
schema_search_in(const struct schema *schema)
{
    return (struct schema_search){schema->rows, schema->rows,
                                  schema_row(schema, schema->num_fields), schema->row_size};
}

/* Linear: names are sorted, but most of them differ in length, so it is faster than halving. */
static inline const struct schema_row *
schema_search_between(const struct schema_row *row, const struct schema_row *end, size_t row_size,
                      struct slice name)
{
    const uint8_t len = name.len <= UINT8_MAX ? (uint8_t)name.len : 0; /* that of no field */

    for (; row < end; row = (const void *)((const char *)row + row_size))
        if (row->name_len == len &&
            slice_bytes_equal(schema_row_name(row).data, name.data, name.len))
            return row;
    return NULL;
}

/*
 * Returns the field of that name; NULL if there is none. Members are usually in alphabetical order,
 * as the fields are. Inline, because every reader of a map calls it for each member.
 */
static inline const struct schema_row *
schema_search_next(struct schema_search *search, struct slice name)
{
    const struct schema_row *row =
        schema_search_between(search->next, search->end, search->row_size, name);

    if (!row)
        row = schema_search_between(search->first, search->next, search->row_size, name);
    search->next = row ? (const void *)((const char *)row + search->row_size) : search->first;
    return row;
}

/* Returns the schema of the field of that name; NULL if there is none. */
SELDOM const struct schema *schema_find(const struct schema *schema, struct slice name);

/*
 * Checks a map as schema_check() does, and sets found[i] to the member of the field i of the
 * schema, as node_member() returns it: one walk over the map, for a reader of many fields.
 */
void schema_check_members(const struct schema *schema, const struct node *map,
                          const struct node **found, struct report *report);

/*
 * Reads the members of a map into the struct `record`, which is all zeros before: each field that
 * is present, in the order of the map. The struct has a `struct slice` for a text, an int64_t for a
 * number, an enum for a word of an enumeration, a bool, a struct for an object with fields, a
 * pointer to structs for a list of these, and a node for everything else. What is of a wrong type
 * reads as zero; schema_check() reports it.
 */
void schema_read(const struct schema *schema, const struct node *map, void *record,
                 struct schema_reader *reader);
/* Declares an own read function of schemas. */
#define SCHEMA_READ(name)                                                                          \
    void name(MAY_BE_UNUSED const struct schema *schema, const struct node *source, void *value,   \
              MAY_BE_UNUSED struct schema_reader *reader)
/* Returns the index of the word in a list that ends in NULL; 0 if it is absent or invalid. */
int schema_word(const char *const *words, const struct node *word);

/* Returns the name of the field that is nearest to a misspelt one; NULL if none is near. */
const char *schema_nearest_field(const struct schema *schema, struct slice name);
/* Like schema_nearest_field(), for a list of words that ends in NULL or texts that end in NUL. */
const char *schema_nearest_word(const char *const *words, struct slice name);
const char *schema_nearest_text(const struct slice *texts, size_t count, struct slice name);

/* Returns a hint with the name; NULL if `nearest` is NULL. */
const char *schema_did_you_mean(struct arena *arena, const char *nearest);

/*
 * Returns the tree without the fields that are not in the schema, as the API server stores it.
 * Shares every unchanged branch, including the root. NULL if the arena has failed.
 */
const struct node *prune_unknown(struct arena *arena, const struct schema *schema,
                                 const struct node *root);

/*
 * Writes the schema as JSON Schema (draft 2020-12) into a map, as far as JSON Schema can express
 * it: it has no lists with keys, and null, which counts as absent, is omitted. Borrows the texts of
 * the schema. Recursive; the depth is finite because the schema is a constant.
 */
SELDOM void schema_json_describe(const struct schema *schema, struct builder *out);

#endif
