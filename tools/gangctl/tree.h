/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TREE_H
#define GANGCTL_TREE_H

#include <string.h>

#include <json-c/json.h>

#include "text.h"

/* Readers for documents of other programs: a value of a wrong type counts as absent. */

static inline struct json_object *
tree_member(struct json_object *object, const char *name)
{
    struct json_object *value = NULL;

    if (object && json_object_is_type(object, json_type_object))
        json_object_object_get_ex(object, name, &value);
    return value;
}

/* NULL if there is no such string. */
static inline const char *
tree_text(struct json_object *object, const char *name)
{
    struct json_object *value = tree_member(object, name);

    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static inline const char *
text_of(struct json_object *object, const char *name)
{
    return or_empty(tree_text(object, name));
}

static inline size_t
tree_length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

/* The items of a list, which can be null; none of another value. */
static inline void **
tree_items(struct json_object *list)
{
    static void *none[1];

    return tree_length(list) ? json_object_get_array(list)->array : none;
}

/* Walks the items of a list: `for (TREE_EACH(item, list))`, with the item in `*item`. */
#define TREE_EACH(item, list)                                                                      \
    void **item = tree_items(list), **item##_end = item + tree_length(list);                       \
    item < item##_end;                                                                             \
    item++

/* 0 if there is no such number. */
static inline int64_t
tree_int(struct json_object *object, const char *name)
{
    return json_object_get_int64(tree_member(object, name));
}

static inline int
tree_text_is(struct json_object *object, const char *name, const char *text)
{
    const char *value = tree_text(object, name);

    return value && strcmp(value, text) == 0;
}

/* Whether a list of texts has the text. */
bool tree_has_text(struct json_object *list, const char *text);

/* Returns the first item of a list with this text as a member; NULL if there is none. */
struct json_object *tree_find(struct json_object *list, const char *name, const char *text);

/* Returns the items of a list of texts with a separator between them. */
const char *tree_join(struct json_object *list, const char *separator);

/* Returns its argument. If it is NULL, the program reports that it is out of memory and exits. */
struct json_object *tree_must(struct json_object *made);
struct json_object *tree_map(void);
/* A map of the step. */
struct json_object *tree_map_of_step(void);
struct json_object *tree_new_text(const char *text, size_t len);
void tree_add_text(struct json_object *list, const char *text);
struct json_object *tree_list(void);
/* Takes ownership of the value. */
void tree_put(struct json_object *map, const char *key, struct json_object *value);
/* Does nothing if the text is NULL. */
void tree_put_text(struct json_object *map, const char *key, const char *text);
void tree_put_number(struct json_object *map, const char *key, uint64_t number);
/* Adds one to the number; an absent one is 0. */
void tree_count(struct json_object *map, const char *key);
/* Adds an empty list, which is borrowed. */
struct json_object *tree_put_list(struct json_object *map, const char *key);
/* Adds a new reference to the same value; nothing if it is absent. */
void tree_share(struct json_object *map, const char *key, struct json_object *value);
/* Returns the map with this key, created if absent; borrowed. */
struct json_object *tree_map_in(struct json_object *map, const char *key);

/*
 * Adds the value as JSON, in a style of json-c (JSON_C_TO_STRING_...). Characters that a terminal
 * does not show or obeys are written as escapes.
 */
void tree_add_json(struct text *out, struct json_object *value, int style);

/* Returns the value as JSON; `absent` for NULL. */
const char *tree_in_words(struct json_object *value, const char *absent);

/* Adds the value with the end of its line: as YAML, or as JSON in a style. Frees the value. */
void tree_move(struct text *out, struct json_object *value, enum output output, int style);

/*
 * These return trees of the step. The first two parse the value at the start of a text, or of a
 * blob, which they free; NULL if it is invalid.
 */
struct json_object *json_read(const char *data, size_t len);
struct json_object *json_of_blob(struct gang_blob *blob);
/* Parses one document in YAML or JSON; NULL if it is invalid, or not the only one. */
struct json_object *document_tree(const char *data, size_t len);
/* Returns the object of a plan; NULL if it cannot be read. */
struct json_object *object_as_json(const struct gang_object *object);

/* Returns the keys of a map, sorted by bytes and borrowed from it. */
const char **tree_sorted_keys(struct json_object *map, size_t *count);
/* A list of the values in the order of their keys, and the map without nulls. */
struct json_object *tree_sorted_values(struct json_object *map);
struct json_object *tree_sorted_map(struct json_object *map);

/* Adds YAML to compare by lines: keys sorted, no managedFields. NULL adds nothing. */
void manifest_add(struct text *out, struct json_object *object);

/*
 * Adds a line for each field that differs: "    spec.minMember: 1 -> 2 (set by kubectl)". The owner
 * is that of metadata.managedFields of the old object, if it has them.
 */
void manifest_add_changes(struct text *out, struct json_object *old, struct json_object *new);
/* Returns the same fields as a list of {path, old, new}. */
struct json_object *manifest_list_changes(struct json_object *old, struct json_object *new);

#endif
