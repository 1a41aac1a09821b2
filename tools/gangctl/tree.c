/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>

bool
tree_has_text(struct json_object *list, const char *text)
{
    for (TREE_EACH(item, list))
        if (strcmp(json_object_get_string(*item), text) == 0)
            return true;
    return false;
}

struct json_object *
tree_find(struct json_object *list, const char *name, const char *text)
{
    for (TREE_EACH(item, list))
        if (tree_text_is(*item, name, text))
            return *item;
    return NULL;
}

const char *
tree_join(struct json_object *list, const char *separator)
{
    struct text *text = text_new();

    for (size_t i = 0; i < tree_length(list); i++)
        text_addf(text, "%s%s", i ? separator : "",
                  json_object_get_string(json_object_array_get_idx(list, i)));
    return or_empty(text->data);
}

struct json_object *
tree_must(struct json_object *made)
{
    if (!made)
        out_of_memory();
    return made;
}

struct json_object *
tree_map(void)
{
    return tree_must(json_object_new_object());
}

struct json_object *
tree_map_of_step(void)
{
    struct json_object *map = tree_map();

    of_step((struct made){.tree = map});
    return map;
}

struct json_object *
tree_list(void)
{
    return tree_must(json_object_new_array());
}

struct json_object *
tree_new_text(const char *text, size_t len)
{
    return tree_must(json_object_new_string_len(text, (int)len));
}

void
tree_add_text(struct json_object *list, const char *text)
{
    json_object_array_add(list, tree_new_text(text, strlen(text)));
}

void
tree_put(struct json_object *map, const char *key, struct json_object *value)
{
    if (json_object_object_add(map, key, value))
        out_of_memory();
}

void
tree_put_number(struct json_object *map, const char *key, uint64_t number)
{
    tree_put(map, key, tree_must(json_object_new_int64((int64_t)number)));
}

void
tree_count(struct json_object *map, const char *key)
{
    tree_put_number(map, key, 1 + (uint64_t)tree_int(map, key));
}

struct json_object *
tree_put_list(struct json_object *map, const char *key)
{
    struct json_object *list = tree_list();

    tree_put(map, key, list);
    return list;
}

void
tree_share(struct json_object *map, const char *key, struct json_object *value)
{
    if (value)
        tree_put(map, key, json_object_get(value));
}

void
tree_put_text(struct json_object *map, const char *key, const char *text)
{
    if (text)
        tree_put(map, key, tree_new_text(text, strlen(text)));
}

struct json_object *
tree_map_in(struct json_object *map, const char *key)
{
    struct json_object *value = tree_member(map, key);

    if (!value) {
        value = tree_map();
        tree_put(map, key, value);
    }
    return value;
}

int
compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **
tree_sorted_keys(struct json_object *map, size_t *count)
{
    const char **keys =
        must_reallocate(NULL, (size_t)json_object_object_length(map) + 1, sizeof(*keys));

    *count = 0;
    json_object_object_foreach(map, key, value)
    {
        (void)value;
        keys[(*count)++] = key;
    }
    qsort(keys, *count, sizeof(*keys), compare_texts);
    return keys;
}

struct json_object *
tree_sorted_values(struct json_object *map)
{
    struct json_object *list = tree_list();
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        json_object_array_add(list, json_object_get(tree_member(map, keys[i])));
    give_back(keys);
    return list;
}

struct json_object *
tree_sorted_map(struct json_object *map)
{
    struct json_object *sorted = tree_map();
    size_t count;
    const char **keys = tree_sorted_keys(map, &count);

    for (size_t i = 0; i < count; i++)
        tree_share(sorted, keys[i], tree_member(map, keys[i]));
    give_back(keys);
    return sorted;
}

void
tree_add_json(struct text *out, struct json_object *value, int style)
{
    size_t len;
    const char *at =
        json_object_to_json_string_length(value, style | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
    const char *end = at ? at + len : NULL;

    if (!at)
        out_of_memory();
    while (at < end) {
        uint32_t code_point = 0;
        const char *plain = at;

        while (at < end && *at >= 0 && *at < 0x7f)
            at++;
        text_add_bytes(out, plain, (size_t)(at - plain));
        if (at == end)
            return;
        len = utf8_sequence(at, end, &code_point);
        if (len && !is_unprintable(code_point))
            text_add_bytes(out, at, len);
        else if (!len)
            text_add(out, "\\ufffd");
        else if (code_point < 0x10000)
            text_addf(out, "\\u%04x", (unsigned)code_point);
        else
            text_addf(out, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(code_point >> 10),
                      0xdc00 + (unsigned)(code_point & 0x3ff));
        at += len ? len : 1;
    }
}

void
tree_move(struct text *out, struct json_object *value, enum output output, int style)
{
    struct text json = {0};

    tree_add_json(&json, value, style);
    text_add(&json, "\n");
    if (output == OUTPUT_YAML)
        text_add_as_yaml(out, &json, "\n");
    else
        text_add_bytes(out, json.data, json.len);
    give_back(json.data);
    json_object_put(value);
}

/* The library writes no deeper documents than it reads. */
enum { JSON_DEPTH = 1100 };

struct json_object *
json_read(const char *data, size_t len)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    struct json_object *object = NULL;

    if (!tokener)
        out_of_memory();
    if (len)
        object = json_tokener_parse_ex(tokener, data, (int)len);
    json_tokener_free(tokener);
    of_step((struct made){.tree = object});
    return object;
}

struct json_object *
json_of_blob(struct gang_blob *blob)
{
    size_t len;
    const char *data = gang_blob_get_data(blob, &len);
    struct json_object *tree = json_read(data, len);

    gang_blob_unref(blob);
    return tree;
}

struct json_object *
document_tree(const char *data, size_t len)
{
    const struct gang_context *context = must_make_widest_context(STEPS_OF_LIST, 0);
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;

    if (gang_stream_parse(context, data, len, 0, &stream, NULL) ||
        gang_stream_num_documents(stream) != 1 ||
        gang_stream_serialize(context, stream, 0, GANG_FORMAT_JSON, 0, &blob, NULL))
        blob = NULL;
    gang_stream_unref(stream);
    return json_of_blob(blob);
}

struct json_object *
object_as_json(const struct gang_object *object)
{
    struct gang_blob *blob = NULL;

    if (gang_object_serialize(NULL, object, GANG_FORMAT_JSON, 0, &blob, NULL))
        blob = NULL;
    return json_of_blob(blob);
}

/* Returns a new reference. */
static struct json_object *
sorted_copy(struct json_object *value)
{
    struct json_object *copy;

    if (json_object_is_type(value, json_type_object)) {
        copy = tree_sorted_map(value);
        json_object_object_foreach(copy, key, member)
        {
            tree_put(copy, key, sorted_copy(member));
        }
        return copy;
    }
    if (!json_object_is_type(value, json_type_array))
        return json_object_get(value);
    copy = tree_list();
    for (TREE_EACH(item, value))
        json_object_array_add(copy, sorted_copy(*item));
    return copy;
}

void
manifest_add(struct text *out, struct json_object *object)
{
    struct json_object *copy = object ? sorted_copy(object) : NULL;
    struct json_object *metadata = tree_member(copy, "metadata");
    struct text json = {0};

    if (json_object_is_type(metadata, json_type_object))
        json_object_object_del(metadata, "managedFields");
    if (copy) {
        text_add(&json, json_object_to_json_string_ext(copy, JSON_C_TO_STRING_PLAIN));
        text_add_as_yaml(out, &json, "\n");
    }
    give_back(json.data);
    json_object_put(copy);
}

/* ---- the fields that differ ---- */

struct comparison {
    struct text *out; /* for lines; NULL: the fields are added to `list` */
    struct json_object *list;
    struct json_object *managers; /* metadata.managedFields of the old object */
    const char *path[64];         /* the steps to the values; a list is one value */
    size_t count;
};

const char *
tree_in_words(struct json_object *value, const char *absent)
{
    return value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE)
                 : absent;
}

static void
add_change(const struct comparison *comparison, struct json_object *old, struct json_object *new)
{
    const char *owner = NULL; /* if a manager has the field */
    struct text *line = text_new();

    for (size_t i = 0; i < comparison->count; i++)
        text_addf(line, "%s%s", i && comparison->path[i][0] != '[' ? "." : "", comparison->path[i]);
    if (comparison->list) {
        /* Adds {path, old, new}. */
        struct json_object *field = tree_map();

        tree_put_text(field, "path", or_empty(line->data));
        tree_share(field, "old", old);
        tree_share(field, "new", new);
        json_object_array_add(comparison->list, field);
        return;
    }
    for (TREE_EACH(manager, comparison->managers)) {
        struct json_object *fields = tree_member(*manager, "fieldsV1");

        for (size_t k = 0; fields && k < comparison->count; k++)
            fields = tree_member(fields, formatted("f:%s", comparison->path[k]));
        if (fields) {
            owner = tree_text(*manager, "manager");
            break;
        }
    }
    text_addf(line, ": %s -> ", tree_in_words(old, "none"));
    text_add(line, tree_in_words(new, "none"));
    if (owner)
        text_addf(line, " (set by %s)", owner);
    else if (old && comparison->managers)
        text_add(line, " (without a manager)");
    text_add(comparison->out, "            ");
    text_add_line(comparison->out, line->data);
}

static void
compare_values(struct comparison *comparison, struct json_object *old, struct json_object *new)
{
    const bool is_deeper = comparison->count < COUNT_OF(comparison->path);

    if (is_deeper && comparison->list && tree_length(old) && tree_length(old) == tree_length(new)) {
        /* Items of lists of the same length have paths of their own, as "containers[0]". */
        for (size_t i = 0; i < tree_length(old); i++) {
            char step[32];

            snprintf(step, sizeof(step), "[%zu]", i);
            comparison->path[comparison->count++] = step;
            compare_values(comparison, json_object_array_get_idx(old, i),
                           json_object_array_get_idx(new, i));
            comparison->count--;
        }
    } else if (is_deeper && json_object_is_type(old, json_type_object) &&
               json_object_is_type(new, json_type_object)) {
        for (int of_new = 0; of_new < 2; of_new++) {
            size_t count;
            const char **keys = tree_sorted_keys(of_new ? new : old, &count);

            for (size_t i = 0; i < count; i++) {
                struct json_object *value = tree_member(old, keys[i]);

                if ((of_new && value) ||
                    (comparison->count == 1 && strcmp(keys[i], "managedFields") == 0))
                    continue;
                comparison->path[comparison->count++] = keys[i];
                compare_values(comparison, value, tree_member(new, keys[i]));
                comparison->count--;
            }
            give_back(keys);
        }
    } else if (!json_object_equal(old, new))
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

struct json_object *
manifest_list_changes(struct json_object *old, struct json_object *new)
{
    struct comparison comparison = {.list = tree_list()};

    compare_values(&comparison, old, new);
    return comparison.list;
}
