/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "input.h"
#include "tree.h"

/* The input of a KRM function is a list, too. */
static bool
is_resource_list(const struct document *document)
{
    static const char group[] = "config.kubernetes.io/";

    return is_same_text(document->kind, "ResourceList") &&
           strncmp(or_empty(document->api_version), group, sizeof(group) - 1) == 0;
}

bool
is_list_kind(const char *kind)
{
    size_t len = strlen(or_empty(kind));

    return len >= 4 && strcmp(kind + len - 4, "List") == 0;
}

/* A List of kubectl, one of a kind that gangctl reads, or the input of a KRM function. */
static bool
is_list(const struct document *document)
{
    const char *kind = or_empty(document->kind);
    const char *item;

    if (!is_list_kind(kind))
        return false;
    item = formatted("%.*s", (int)(strlen(kind) - 4), kind);
    return !*item || strcmp(item, "Pod") == 0 || is_resource_list(document) ||
           gang_document_type_of(NULL, item) != GANG_DOCUMENT_NONE;
}

struct gang_stream *
parse_stream(const char *data, size_t len, const struct origin *origin,
             const struct gang_context *context, struct complaints *complaints)
{
    const struct origins origins = origins_with(GANG_DOCUMENT_NONE, origin);
    struct gang_error *error = NULL;
    struct gang_stream *stream = NULL;
    int result = gang_stream_parse(context, data, len, 0, &stream, &error);

    complain_error(complaints, &origins, result, error);
    of_step((struct made){.stream = stream});
    return stream;
}

/* A place in the text of a stream, which moves from document to document. */
struct cursor {
    const char *at;
    const char *end;
    uint32_t column; /* from 1 */
};

static void
cursor_step(struct cursor *cursor)
{
    if (*cursor->at == '\n')
        cursor->column = 1;
    else
        cursor->column += ((unsigned char)*cursor->at & 0xc0) != 0x80;
    cursor->at++;
}

static struct document
stream_document(const struct gang_stream *stream, size_t index, struct cursor *cursor,
                const struct origin *origin)
{
    const uint32_t line = gang_stream_get_line(stream, index);
    struct document document = {
        .api_version = gang_stream_get_api_version(stream, index),
        .kind = gang_stream_get_kind(stream, index),
        .name = gang_stream_get_name(stream, index),
        .namespace_ = gang_stream_get_namespace(stream, index),
    };
    uint32_t column;

    document.data = gang_stream_get_data(stream, index, &document.len);
    while ((size_t)(cursor->end - cursor->at) > document.len &&
           memcmp(cursor->at, document.data, document.len) != 0)
        cursor_step(cursor);
    column = cursor->column;
    for (size_t i = 0; i < document.len && cursor->at < cursor->end; i++)
        cursor_step(cursor);
    document.origin = origin_within(origin, line - 1, line, column);
    document.place = cursor->at - document.len;
    document.place_len = document.len;
    return document;
}

char *
documents_keep(struct documents *documents, char *memory)
{
    APPEND(documents->texts, documents->num_texts, memory);
    return memory;
}

/*
 * An item with the alias of an anchor in another item has no meaning of its own: its text becomes
 * that of the value in the whole list. yaml.dump() of PyYAML writes objects that share a value so.
 */
static void
resolve_aliases(struct text *item, size_t index, const struct document *list,
                struct json_object **items)
{
    if (!memchr(item->data, '*', item->len) || document_is_json(list) ||
        document_tree(item->data, item->len))
        return;
    if (!*items)
        *items = tree_member(document_tree(list->data, list->len), "items");
    if (index < tree_length(*items)) {
        item->len = 0;
        tree_add_json(item, json_object_array_get_idx(*items, index), JSON_C_TO_STRING_PLAIN);
    }
}

/* Adds members, in JSON, at the end of a map, where they move nothing to another place. */
static void
add_type(struct text *item, const char *kind, const char *version)
{
    const size_t line = item->len > 1 && memcmp(item->data, "#\n", 2) == 0 ? 2 : 0;
    const int indent = (int)strspn(item->data + line, " ");
    const char *tail = item->data + item->len;

    if (item->data[line + (size_t)indent] != '{') {
        text_addf(item, "%s%*skind: %s\n%*sapiVersion: %s\n", tail[-1] == '\n' ? "" : "\n", indent,
                  "", kind, indent, "", version);
        return;
    }
    while (*--tail != '}')
        ;
    tail = formatted("%s", tail);
    item->len -= strlen(tail);
    text_addf(item, ", \"kind\": %s, \"apiVersion\": %s%s", kind, version, tail);
}

const char *
item_inherit(struct text *item, const char *list_kind, const char *list_version)
{
    const size_t len = is_list_kind(list_kind) ? strlen(list_kind) - strlen("List") : 0;
    struct json_object *type = NULL;
    struct step step;

    if (!len || !list_version)
        return NULL;
    step_start(&step);
    type = document_tree(item->data, item->len);
    if (tree_member(type, "metadata") && !json_object_object_get_ex(type, "kind", NULL) &&
        !json_object_object_get_ex(type, "apiVersion", NULL)) {
        tree_put(type, "kind", tree_new_text(list_kind, len));
        tree_put_text(type, "apiVersion", list_version);
        add_type(item, tree_in_words(tree_member(type, "kind"), NULL),
                 tree_in_words(tree_member(type, "apiVersion"), NULL));
    } else {
        type = NULL;
    }
    step_end(&step);
    return type ? formatted("%.*s", (int)len, list_kind) : NULL;
}

/* A list in a list is read as kubectl does: its items are those of the outer one. */
static void
add_list_items(struct documents *documents, const struct document *list,
               const struct gang_context *context, struct complaints *complaints)
{
    struct json_object *items = NULL;
    struct chunk item = {0};
    struct feed feed;
    size_t index = 0;

    if (!list_start(&feed, list->data, list->len)) {
        complain(complaints, GANG_SEVERITY_ERROR, &list->origin, 1,
                 "items: Invalid value: must be a list, without an anchor or a tag before it");
        return;
    }
    while (list_next(&feed, &item)) {
        const struct origin origin =
            origin_within(&list->origin, item.lines_before, item.line, item.column);
        const struct gang_stream *stream;
        struct cursor cursor;

        resolve_aliases(&item.text, index++, list, &items);
        item_inherit(&item.text, list->kind, list->api_version);
        cursor = (struct cursor){item.text.data, item.text.data + item.text.len, 1};
        documents_keep(documents, item.text.data);
        stream = parse_stream(cursor.at, item.text.len, &origin, context, complaints);
        item.text = (struct text){0};
        for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
            struct document document = stream_document(stream, i, &cursor, &origin);

            document.place = list->place;
            document.place_len = list->place_len;
            document.is_beside = list->is_beside;
            document.is_nested = list->item != 0;
            document.item = list->item ? list->item : index;
            if (is_list(&document))
                add_list_items(documents, &document, context, complaints);
            else
                APPEND(documents->items, documents->count, document);
        }
    }
}

void
documents_add_text(struct documents *documents, const struct origin *origin, const char *data,
                   size_t len, const struct gang_context *context, struct complaints *complaints)
{
    const struct gang_stream *stream = parse_stream(data, len, origin, context, complaints);
    struct slice text = {data, len};
    struct cursor cursor = {.end = data + len, .column = 1};

    slice_take(&text, BYTE_ORDER_MARK);
    cursor.at = text.data;
    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const char *behind = cursor.at;
        struct document document = stream_document(stream, i, &cursor, origin);

        document.is_beside = i && json_behind_space(behind, document.place) == document.place;
        if (is_resource_list(&document))
            documents->resource_list = document;
        if (is_list(&document))
            add_list_items(documents, &document, context, complaints);
        else
            APPEND(documents->items, documents->count, document);
    }
}

bool
document_is_json(const struct document *document)
{
    const char *at = document->data;
    const char *end = at + document->len;

    if (!json_starts_object((struct slice){at, document->len}))
        return false;
    for (; at < end && *at != '#'; at++)
        if (*at == '"')
            for (at++; at < end && *at != '"'; at++)
                at += *at == '\\';
    return at >= end; /* with a comment it is YAML, too */
}

const char *
document_prefix(const struct document *document)
{
    struct json_object *tree = document->name ? NULL : document_tree(document->data, document->len);

    return tree_text(tree_member(tree, "metadata"), "generateName");
}

const char *
document_title(const struct document *document)
{
    const char *prefix = document_prefix(document);

    return prefix ? formatted("%s*", prefix) : document->name;
}

void
documents_free(struct documents *documents)
{
    for (size_t i = 0; i < documents->num_texts; i++)
        give_back(documents->texts[i]);
    give_back(documents->texts);
    give_back(documents->items);
    *documents = (struct documents){0};
}
