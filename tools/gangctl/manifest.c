/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest.h"

#include <stdbool.h>
#include <stdlib.h>

#include "yaml_text.h"

static struct json_object *sorted_copy(struct json_object *value);

static struct json_object *
sorted_map(struct json_object *map)
{
    struct json_object *copy = tree_map();
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        tree_put(copy, keys[i], sorted_copy(tree_member(map, keys[i])));
    free(keys);
    return copy;
}

/* Returns a new reference. */
static struct json_object *
sorted_copy(struct json_object *value)
{
    struct json_object *copy;

    if (json_object_is_type(value, json_type_object))
        return sorted_map(value);
    if (!json_object_is_type(value, json_type_array))
        return json_object_get(value);
    copy = tree_must(json_object_new_array());
    for (size_t i = 0; i < tree_length(value); i++)
        json_object_array_add(copy, sorted_copy(json_object_array_get_idx(value, i)));
    return copy;
}

void
manifest_add(struct text *out, struct json_object *object)
{
    struct json_object *copy = object ? sorted_copy(object) : NULL;
    struct json_object *metadata = tree_member(copy, "metadata");
    struct text json = {0};

    if (metadata)
        json_object_object_del(metadata, "managedFields");
    if (copy) {
        text_add(&json, json_object_to_json_string_ext(copy, JSON_C_TO_STRING_PLAIN));
        text_add_as_yaml(out, &json);
    }
    text_free(&json);
    json_object_put(copy);
}

/* ---- the fields that differ ---- */

/* The steps of a path; a list is one value. */
struct field_path {
    const char *steps[64];
    size_t count;
};

struct comparison {
    struct text *out;
    struct json_object *managers; /* metadata.managedFields of the old object */
    struct field_path path;
};

/* Whether fieldsV1 of a manager has the path: each step is "f:NAME". */
static bool
has_field(struct json_object *fields, const struct field_path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        struct text key = {0};

        text_addf(&key, "f:%s", path->steps[i]);
        fields = tree_member(fields, key.data);
        text_free(&key);
        if (!fields)
            return false;
    }
    return true;
}

/* NULL if no manager has the field. */
static const char *
owner_of(const struct comparison *comparison)
{
    for (size_t i = 0; i < tree_length(comparison->managers); i++) {
        struct json_object *manager = json_object_array_get_idx(comparison->managers, i);

        if (has_field(tree_member(manager, "fieldsV1"), &comparison->path))
            return tree_text(manager, "manager");
    }
    return NULL;
}

static const char *
value_text(struct json_object *value)
{
    return value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE)
                 : "none";
}

static void
add_change(const struct comparison *comparison, struct json_object *old, struct json_object *new)
{
    const char *owner = owner_of(comparison);
    struct text line = {0};

    for (size_t i = 0; i < comparison->path.count; i++)
        text_addf(&line, "%s%s", i ? "." : "", comparison->path.steps[i]);
    text_addf(&line, ": %s", value_text(old));
    text_addf(&line, " -> %s", value_text(new));
    if (owner)
        text_addf(&line, " (set by %s)", owner);
    else if (old && comparison->managers)
        text_add(&line, " (without a manager)");
    text_add(comparison->out, "            ");
    text_add_printable(comparison->out, line.data);
    text_add(comparison->out, "\n");
    text_free(&line);
}

static void compare_values(struct comparison *comparison, struct json_object *old,
                           struct json_object *new);

static void
compare_member(struct comparison *comparison, const char *key, struct json_object *old,
               struct json_object *new)
{
    struct field_path *path = &comparison->path;

    if (path->count == sizeof(path->steps) / sizeof(*path->steps) ||
        (path->count == 1 && strcmp(key, "managedFields") == 0))
        return;
    path->steps[path->count++] = key;
    compare_values(comparison, tree_member(old, key), tree_member(new, key));
    path->count--;
}

static void
compare_maps(struct comparison *comparison, struct json_object *old, struct json_object *new)
{
    size_t count;
    const char **keys = tree_sorted_keys(old, &count);

    for (size_t i = 0; i < count; i++)
        compare_member(comparison, keys[i], old, new);
    free(keys);
    keys = tree_sorted_keys(new, &count);
    for (size_t i = 0; i < count; i++)
        if (!tree_member(old, keys[i]))
            compare_member(comparison, keys[i], old, new);
    free(keys);
}

static void
compare_values(struct comparison *comparison, struct json_object *old, struct json_object *new)
{
    if (json_object_is_type(old, json_type_object) && json_object_is_type(new, json_type_object))
        compare_maps(comparison, old, new);
    else if (!json_object_equal(old, new))
        add_change(comparison, old, new);
}

void
manifest_add_changes(struct text *out, struct json_object *old, struct json_object *new)
{
    struct comparison comparison = {
        .out = out,
        .managers = tree_member(tree_member(old, "metadata"), "managedFields"),
    };

    compare_values(&comparison, old, new);
}
