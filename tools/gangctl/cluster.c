/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "facts.h"
#include "input.h"
#include "text.h"
#include "tree.h"

/* Deeper than the library's readers allow for a document. */
enum { OBJECT_DEPTH = 160 };

/* The state of one run. */
struct survey {
    struct gang_context *context;
    struct source_list sources;
    struct complaints complaints;
    struct facts facts;
};

/* A part of a source: one document, or a list of documents. */
struct piece {
    const char *data;
    size_t len;
    struct origin origin;
};

/* A CRD can be as large as the API server allows. */
static const struct limit_value survey_limits[] = {
    {GANG_LIMIT_DOCUMENT_BYTES, 3u << 20},
    {GANG_LIMIT_STREAM_BYTES, 64u << 20},
    {GANG_LIMIT_DEPTH, 128},
    {GANG_LIMIT_NODES, 500000},
    {GANG_LIMIT_SCALAR_BYTES, 1u << 20},
    {GANG_LIMIT_MEMORY_BYTES, 256u << 20},
    {GANG_LIMIT_OUTPUT_BYTES, 16u << 20},
};

static void
survey_free(struct survey *survey)
{
    facts_free(&survey->facts);
    complaints_free(&survey->complaints);
    source_list_free(&survey->sources);
    gang_context_unref(survey->context);
}

static void
survey_complain(struct survey *survey, const struct origin *origin, int result,
                struct gang_error *error)
{
    const struct origins nowhere = {0};

    complain_error(&survey->complaints, &nowhere, origin, result, error);
}

/* The type of an object that has no apiVersion and kind: an item of a list of one kind. */
struct implied {
    const char *api_version;
    char *kind; /* NULL if the list implies no type */
};

static void
add_json(struct survey *survey, const struct gang_blob *blob, const struct implied *implied,
         const struct origin *origin)
{
    struct json_tokener *tokener = json_tokener_new_ex(OBJECT_DEPTH);
    struct json_object *object;
    size_t len;
    const char *text = gang_blob_get_data(blob, &len);

    if (!tokener)
        out_of_memory();
    object = json_tokener_parse_ex(tokener, text, (int)len);
    if (!object)
        complain(&survey->complaints, GANG_SEVERITY_ERROR, origin, 1,
                 "the document cannot be read");
    else if (implied->kind && !tree_text(object, "kind")) {
        tree_put_text(object, "kind", implied->kind);
        tree_put_text(object, "apiVersion", implied->api_version);
    }
    facts_add_object(&survey->facts, object);
    json_object_put(object);
    json_tokener_free(tokener);
}

static bool
is_list_kind(const char *kind)
{
    size_t len = kind ? strlen(kind) : 0;

    return len >= 4 && strcmp(kind + len - 4, "List") == 0;
}

static void
add_document(struct survey *survey, const struct gang_stream *stream, size_t index,
             const struct implied *implied, const struct origin *origin)
{
    const char *kind = gang_stream_get_kind(stream, index);
    const char *api_version = gang_stream_get_api_version(stream, index);
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result;

    if (!facts_wants(&survey->facts, kind || !implied->kind ? api_version : implied->api_version,
                     kind ? kind : implied->kind)) {
        if (is_list_kind(kind))
            complain(
                &survey->complaints, GANG_SEVERITY_ERROR, origin, 1,
                "a list is read only if it is a document of its own, without an anchor or a tag "
                "before its items; separate the output of several commands by lines of ---");
        return;
    }
    result =
        gang_stream_serialize(survey->context, stream, index, GANG_FORMAT_JSON, 0, &blob, &error);
    if (result)
        survey_complain(survey, origin, result, error);
    else
        add_json(survey, blob, implied, origin);
    gang_blob_unref(blob);
}

static struct gang_stream *
parse_documents(struct survey *survey, const char *data, size_t len, const struct origin *origin)
{
    struct gang_error *error = NULL;
    struct gang_stream *stream = NULL;
    int result = gang_stream_parse(survey->context, data, len, 0, &stream, &error);

    if (result)
        survey_complain(survey, origin, result, error);
    return stream;
}

static void
add_documents(struct survey *survey, const char *data, size_t len, const struct implied *implied,
              const struct origin *origin)
{
    struct gang_stream *stream = parse_documents(survey, data, len, origin);

    for (size_t i = 0; i < gang_stream_num_documents(stream); i++)
        add_document(survey, stream, i, implied, origin);
    gang_stream_unref(stream);
}

static void
add_items(struct survey *survey, const struct piece *piece, const struct implied *implied)
{
    struct list_walk walk;
    struct list_item item;

    list_walk_start(&walk, piece->data, piece->len);
    while (list_walk_next(&walk, &item)) {
        const struct origin origin =
            origin_within(&piece->origin, item.lines_before, item.line, item.column);

        add_documents(survey, item.text, item.len, implied, &origin);
        free(item.text);
    }
}

/* Copies the list without its items, with an empty line for each line of the items. */
static void
take_out_items(struct text *shell, struct list_walk *walk, const struct piece *piece)
{
    struct list_item item;
    uint32_t lines = walk->line;

    text_add_bytes(shell, piece->data, (size_t)(walk->at - piece->data));
    while (list_walk_next(walk, &item))
        free(item.text);
    for (; lines < walk->line; lines++)
        text_add(shell, "\n");
    if (walk->at < walk->end)
        text_add_bytes(shell, walk->at, (size_t)(walk->end - walk->at));
}

/* Returns the type that the kind of a list implies for its items; empty for a plain List. */
static struct implied
implied_by(const struct gang_stream *list)
{
    const char *kind = gang_stream_get_kind(list, 0);
    size_t len = strlen(kind) - strlen("List");

    return (struct implied){
        .api_version = gang_stream_get_api_version(list, 0),
        .kind = len ? must_copy(kind, len) : NULL,
    };
}

/* Whether the server has more of the list; what is missing would count as what is not there. */
static bool
is_page(struct survey *survey, const struct gang_stream *shell)
{
    struct gang_blob *blob = NULL;
    struct json_object *list;
    const char *next;
    bool is_one;

    if (gang_stream_serialize(survey->context, shell, 0, GANG_FORMAT_JSON, 0, &blob, NULL))
        return false;
    list = json_tokener_parse(gang_blob_get_data(blob, NULL));
    next = tree_text(tree_member(list, "metadata"), "continue");
    is_one = next && *next;
    json_object_put(list);
    gang_blob_unref(blob);
    return is_one;
}

static void
add_opened_list(struct survey *survey, const struct piece *piece, const struct gang_stream *shell)
{
    const struct implied nothing = {0};
    struct implied implied = implied_by(shell);

    if (is_page(survey, shell))
        complain(&survey->complaints, GANG_SEVERITY_ERROR, &piece->origin, 1,
                 "the server has more of this list (metadata.continue); pass all of it");
    add_items(survey, piece, &implied);
    for (size_t i = 1; i < gang_stream_num_documents(shell); i++)
        add_document(survey, shell, i, &nothing, &piece->origin);
    free(implied.kind);
}

/*
 * A list can exceed the size limit of a document, so it is never read as one. The text around the
 * items is read, which detects a truncated list, then each item. Returns false if the piece is not
 * a list.
 */
static bool
add_list(struct survey *survey, const struct piece *piece)
{
    struct gang_stream *stream;
    struct list_walk walk;
    struct text shell = {0};
    bool is_list;

    if (!list_walk_start(&walk, piece->data, piece->len))
        return false;
    take_out_items(&shell, &walk, piece);
    stream = parse_documents(survey, shell.data, shell.len, &piece->origin);
    is_list = is_list_kind(gang_stream_get_kind(stream, 0));
    if (is_list)
        add_opened_list(survey, piece, stream);
    is_list |= !stream; /* which was reported */
    gang_stream_unref(stream);
    text_free(&shell);
    return is_list;
}

static void
add_piece(struct survey *survey, const struct piece *piece)
{
    switch (plain_text_of(piece->data, piece->len)) {
    case PLAIN_BLANK:
        break;
    case PLAIN_API_VERSIONS:
        facts_add_versions(&survey->facts, piece->data, piece->len);
        break;
    case PLAIN_METRICS:
        facts_add_metrics(&survey->facts, piece->data, piece->len);
        break;
    case PLAIN_API_RESOURCES:
        complain(&survey->complaints, GANG_SEVERITY_ERROR, &piece->origin, 1,
                 "'kubectl api-resources' hides all versions but one; pass 'kubectl api-versions'");
        break;
    case PLAIN_NONE:
        if (!add_list(survey, piece))
            add_documents(survey, piece->data, piece->len, &(struct implied){0}, &piece->origin);
        break;
    }
}

static bool
is_separator(const struct text_line *line)
{
    return line->len >= 3 && memcmp(line->data, "---", 3) == 0 &&
           (line->len == 3 || line->data[3] == ' ' || line->data[3] == '\t');
}

/*
 * Splits the source at its separators: it can contain plain text, which document readers do not
 * accept.
 */
static void
add_source(struct survey *survey, const struct source *source)
{
    const char *end = source->data + source->len;
    const char *at = source->data;
    struct piece piece = {.data = at, .origin = {.file = source->name, .is_place = true}};
    struct text_line line;
    uint32_t lines = 0;

    while (plain_text_next(&at, end, &line)) {
        lines++;
        if (!is_separator(&line))
            continue;
        piece.len = (size_t)(line.data - piece.data);
        add_piece(survey, &piece);
        piece.data = at;
        piece.origin.lines_before = lines;
    }
    piece.len = (size_t)(end - piece.data);
    add_piece(survey, &piece);
}

static bool
read_sources(struct survey *survey, const struct options *options)
{
    for (size_t i = 0; i < options->num_inputs; i++) {
        if (!source_list_read(&survey->sources, options->inputs[i], options->walk))
            return false;
    }
    for (size_t i = 0; i < survey->sources.count; i++)
        add_source(survey, survey->sources.items[i]);
    if (!survey->facts.has_any && !survey->complaints.errors)
        complain(&survey->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "the input contains no facts about a cluster");
    return true;
}

/* Reads the result as --cluster would, before it is printed. */
static bool
check_document(struct survey *survey, const char *text)
{
    const struct origin made = {.file = "the GangCluster", .is_place = true};
    struct gang_document *cluster = NULL;
    struct gang_error *error = NULL;
    int result = gang_document_parse(NULL, text, strlen(text), 0, &cluster, &error);

    if (result)
        survey_complain(survey, &made, result, error);
    gang_document_unref(cluster);
    return result == GANG_OK;
}

static void
write_document(struct survey *survey, const char *text, enum gang_format format, struct text *out)
{
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    size_t len;

    if (gang_stream_parse(survey->context, text, strlen(text), 0, &stream, NULL) ||
        gang_stream_serialize(survey->context, stream, 0, (int)format, 0, &blob, NULL))
        out_of_memory();
    text = gang_blob_get_data(blob, &len);
    text_add_bytes(out, text, len);
    gang_blob_unref(blob);
    gang_stream_unref(stream);
}

static void
make_document(struct survey *survey, const struct options *options, struct text *out)
{
    struct json_object *document = facts_document(&survey->facts, options->complete);
    const char *text = json_object_to_json_string_ext(document, JSON_C_TO_STRING_NOSLASHESCAPE);

    if (!text)
        out_of_memory();
    if (check_document(survey, text))
        write_document(survey, text, options_format(options), out);
    json_object_put(document);
}

int
command_cluster(const struct options *options)
{
    struct survey survey = {0};
    struct text out = {0};
    int status = EXIT_COULD_NOT_RUN;

    survey.context =
        must_make_context(survey_limits, sizeof(survey_limits) / sizeof(*survey_limits));
    facts_init(&survey.facts);
    if (!read_sources(&survey, options))
        goto end;
    if (!survey.complaints.errors)
        make_document(&survey, options, &out);
    status = complaints_print(&survey.complaints);
    if (status != EXIT_DONE)
        goto end;
    if (survey.facts.notes.len)
        print_error(&survey.facts.notes);
    if (!print_data(&out))
        status = EXIT_COULD_NOT_RUN;
end:
    text_free(&out);
    survey_free(&survey);
    return status;
}
