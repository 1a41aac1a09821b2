/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "text.h"

static const char *const list_kinds[] = {"List",
                                         "TrainJobList",
                                         "TrainingRuntimeList",
                                         "ClusterTrainingRuntimeList",
                                         "PodGangList",
                                         "PodCliqueSetList",
                                         "PodList",
                                         "ClusterTopologyBindingList",
                                         NULL};

/* The input of a KRM function is a list, too. */
static bool
is_resource_list(const struct document *document)
{
    static const char group[] = "config.kubernetes.io/";

    return document->kind && document->api_version && strcmp(document->kind, "ResourceList") == 0 &&
           strncmp(document->api_version, group, sizeof(group) - 1) == 0;
}

bool
is_list_kind(const char *kind)
{
    size_t len = strlen(or_empty(kind));

    return len >= 4 && strcmp(kind + len - 4, "List") == 0;
}

struct gang_stream *
parse_stream(const char *data, size_t len, const struct origin *origin,
             const struct gang_context *context, struct complaints *complaints)
{
    struct gang_error *error = NULL;
    struct gang_stream *stream = NULL;
    int result = gang_stream_parse(context, data, len, 0, &stream, &error);

    if (result)
        complain_error(complaints, NULL, origin, result, error);
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

/* Lists are not nested: an item is a separate document. */
static void
add_list_items(struct documents *documents, const struct document *list,
               const struct gang_context *context, struct complaints *complaints)
{
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
        const char *text = documents_keep(documents, item.text.data);
        struct cursor cursor = {text, text + item.text.len, 1};
        const struct gang_stream *stream =
            parse_stream(text, item.text.len, &origin, context, complaints);

        index++;
        item.text = (struct text){0};
        for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
            struct document document = stream_document(stream, i, &cursor, &origin);

            document.place = list->place;
            document.place_len = list->place_len;
            document.item = index;
            APPEND(documents->items, documents->count, document);
        }
    }
}

void
documents_add_text(struct documents *documents, const struct origin *origin, const char *data,
                   size_t len, const struct gang_context *context, struct complaints *complaints)
{
    const struct gang_stream *stream = parse_stream(data, len, origin, context, complaints);
    struct cursor cursor = {data, data + len, 1};

    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        struct document document = stream_document(stream, i, &cursor, origin);

        if (is_resource_list(&document))
            documents->resource_list = document;
        if ((document.kind && is_among(document.kind, list_kinds)) || is_resource_list(&document))
            add_list_items(documents, &document, context, complaints);
        else
            APPEND(documents->items, documents->count, document);
    }
}

void
documents_add(struct documents *documents, const struct source *source,
              const struct gang_context *context, struct complaints *complaints)
{
    const struct origin origin = {.file = source->name, .is_place = true};

    documents_add_text(documents, &origin, source->data, source->len, context, complaints);
}

bool
document_is_json(const struct document *document)
{
    size_t at = 0;

    while (at < document->len && is_blank(document->data[at]))
        at++;
    return at < document->len && document->data[at] == '{';
}

bool
document_mentions(const struct document *document, const char *word)
{
    return has_bytes(document->data, document->len, word);
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

static bool
is_part_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-_./", c));
}

/* Returns what follows the key and its colon; NULL if the text has no such key. */
static const char *
find_key(const char *at, const char *end, const char *start, const char *key)
{
    size_t len = strlen(key);

    for (; (size_t)(end - at) > len; at++) {
        const char *after = at + len;

        if (memcmp(at, key, len) != 0 || (at > start && is_part_of_word(at[-1])))
            continue;
        after += after < end && (*after == '"' || *after == '\'');
        while (after < end && *after == ' ')
            after++;
        if (after < end && *after == ':')
            return after + 1;
    }
    return NULL;
}

static const char *
end_of_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline + 1 : end;
}

/* Whether a line is an item at this column; blank lines and comments are part of the item before.
 */
static bool
is_item_at(const char *line, const char *end, size_t column)
{
    return (size_t)(end - line) > column && line[column] == '-' && strspn(line, " ") == column &&
           ((size_t)(end - line) == column + 1 || line[column + 1] == ' ' ||
            line[column + 1] == '\n' || line[column + 1] == '\r');
}

/* Returns the line of the item at a column that follows `at`; the end if there is none. */
static const char *
next_item(const char *at, const char *end, size_t column)
{
    while (at < end && !is_item_at(at, end, column))
        at = end_of_line(at, end);
    return at;
}

struct span
find_item(const struct document *document, const char *key, size_t index)
{
    const char *end = document->data + document->len;
    struct span all = {document->data, end};
    const char *at = find_key(document->data, end, document->data, key);
    size_t column;

    at = at ? end_of_line(at, end) : end;
    while (at < end && (at[strspn(at, " ")] == '#' || at[strspn(at, " \r")] == '\n'))
        at = end_of_line(at, end);
    if (at == end)
        return all;
    column = strspn(at, " ");
    for (at = next_item(at, end, column); at < end && index > 0; index--)
        at = next_item(end_of_line(at, end), end, column);
    if (at == end)
        return all;
    return (struct span){at, next_item(end_of_line(at, end), end, column)};
}

struct span
block_of_key(const struct document *document, const struct span *within, const char *key)
{
    const char *end = within->end;
    const char *at = find_key(within->start, end, document->data, key);
    const char *line = at;
    struct span block;
    size_t indent;

    if (!at)
        return (struct span){end, end};
    while (line > document->data && line[-1] != '\n')
        line--;
    indent = strspn(line, " ");
    block.start = at = end_of_line(at, end);
    while (at < end && (strspn(at, " ") > indent || at[strspn(at, " \r")] == '\n'))
        at = end_of_line(at, end);
    block.end = at;
    return block;
}

uint32_t
line_of_key(const struct document *document, const struct span *span, const char *key)
{
    const char *at = *key ? find_key(span->start, span->end, document->data, key) : NULL;
    uint32_t line = 1;

    if (!at)
        at = span->start;
    for (const char *c = document->data; c < at; c++)
        line += *c == '\n';
    return line;
}

struct place
find_value(const struct document *document, const char *parent, const char *key)
{
    const char *start = document->data;
    const char *end = start + document->len;
    const char *at = find_key(start, end, start, parent);
    struct place place = {1, 1};

    at = at ? find_key(at, end, start, key) : NULL;
    if (!at)
        return (struct place){0};
    while (at < end && is_blank(*at))
        at++;
    for (; start < at; start++) {
        if (*start == '\n')
            place = (struct place){place.line + 1, 1};
        else if (((unsigned char)*start & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}
