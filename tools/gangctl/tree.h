/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TREE_H
#define GANGCTL_TREE_H

#include <json-c/json.h>
#include <string.h>

/* Reading what a document of another program may hold or not; a value of a wrong type counts as
 * absent. */

static inline struct json_object *
tree_member(struct json_object *object, const char *name)
{
    struct json_object *value = NULL;

    if (object && json_object_is_type(object, json_type_object))
        json_object_object_get_ex(object, name, &value);
    return value;
}

/* NULL when there is no such string. */
static inline const char *
tree_text(struct json_object *object, const char *name)
{
    struct json_object *value = tree_member(object, name);

    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static inline size_t
tree_length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

static inline int
tree_text_is(struct json_object *object, const char *name, const char *text)
{
    const char *value = tree_text(object, name);

    return value && strcmp(value, text) == 0;
}

/* Making one: without memory the program ends. */
struct json_object *tree_must(struct json_object *made);
struct json_object *tree_map(void);
struct json_object *tree_new_text(const char *text, size_t len);
/* Takes over the value. */
void tree_put(struct json_object *map, const char *key, struct json_object *value);
/* Nothing when the text is NULL. */
void tree_put_text(struct json_object *map, const char *key, const char *text);
/* The same value in a second place; nothing when it is absent. */
void tree_share(struct json_object *map, const char *key, struct json_object *value);
/* The map of that name, made where there is none; borrowed. */
struct json_object *tree_map_in(struct json_object *map, const char *key);

/* The keys of a map in the order of their bytes, borrowed from it; the array is the caller's. */
const char **tree_sorted_keys(struct json_object *map, size_t *count);
/* Lists of the values and of the keys, and the map without its nulls, in that order. */
struct json_object *tree_sorted_values(struct json_object *map);
struct json_object *tree_sorted_names(struct json_object *map);
struct json_object *tree_sorted_map(struct json_object *map);

#endif
