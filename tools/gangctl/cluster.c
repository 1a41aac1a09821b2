/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "facts.h"
#include "input.h"
#include "text.h"
#include "tree.h"

bool
plain_text_next(const char **at, const char *end, struct text_line *line)
{
    const char *newline;

    if (*at >= end)
        return false;
    newline = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct text_line){*at, (size_t)((newline ? newline : end) - *at)};
    *at = newline ? newline + 1 : end;
    while (line->len && is_blank(line->data[line->len - 1]))
        line->len--;
    return true;
}

static bool
is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

/* v1, v1beta1, v2alpha2: kubernetes/apimachinery:pkg/version/helpers.go */
static bool
is_kube_version(const char *text, size_t len)
{
    static const char *const stages[] = {"alpha", "beta"};
    size_t at = 1;

    if (len < 2 || text[0] != 'v' || !isdigit((unsigned char)text[1]))
        return false;
    while (at < len && isdigit((unsigned char)text[at]))
        at++;
    for (size_t i = 0; i < COUNT_OF(stages); i++) {
        size_t stage = strlen(stages[i]);

        if (len - at > stage && memcmp(text + at, stages[i], stage) == 0 &&
            isdigit((unsigned char)text[at + stage])) {
            at += stage;
            break;
        }
    }
    while (at < len && isdigit((unsigned char)text[at]))
        at++;
    return at == len;
}

bool
is_group_version(const char *text, size_t len)
{
    const char *slash = memchr(text, '/', len);
    size_t group = slash ? (size_t)(slash - text) : 0;

    for (size_t i = 0; i < group; i++) {
        if (!is_name_byte(text[i]))
            return false;
    }
    if (slash && !group)
        return false;
    return slash ? is_kube_version(slash + 1, len - group - 1) : is_kube_version(text, len);
}

static bool
starts_with(const struct text_line *line, const char *prefix)
{
    return line->len >= strlen(prefix) && memcmp(line->data, prefix, strlen(prefix)) == 0;
}

static const char gate_metric[] = "kubernetes_feature_enabled{";

/* Output of kubectl that is neither YAML nor JSON. */
enum plain_text {
    PLAIN_NONE,         /* a document */
    PLAIN_BLANK,        /* only blanks */
    PLAIN_API_VERSIONS, /* kubectl api-versions */
    PLAIN_METRICS,      /* kubectl get --raw /metrics, or only its lines about feature gates */
    /* kubectl api-resources, which shows only one version of each resource */
    PLAIN_API_RESOURCES,
};

static enum plain_text
plain_text_of(const char *data, size_t len)
{
    const char *at = data;
    struct text_line line = {0};

    while (plain_text_next(&at, data + len, &line) && !line.len)
        ;
    if (!line.len)
        return PLAIN_BLANK;
    if (starts_with(&line, "# HELP ") || starts_with(&line, "# TYPE ") ||
        starts_with(&line, gate_metric))
        return PLAIN_METRICS;
    if (starts_with(&line, "NAME ") && has_bytes(line.data, line.len, " APIVERSION "))
        return PLAIN_API_RESOURCES;
    return is_group_version(line.data, line.len) ? PLAIN_API_VERSIONS : PLAIN_NONE;
}

/* kubernetes_feature_enabled{name="GenericWorkload",stage="BETA"} 0 */
bool
read_gate_line(const struct text_line *line, struct text_line *name, bool *is_on)
{
    static const char key[] = "name=\"";
    const char *start = line->data + sizeof(gate_metric) - 1;
    const char *quote;

    if (!starts_with(line, gate_metric) || line->len < sizeof(gate_metric) + sizeof(key) ||
        memcmp(start, key, sizeof(key) - 1) != 0)
        return false;
    start += sizeof(key) - 1;
    quote = memchr(start, '"', (size_t)(line->data + line->len - start));
    if (!quote || quote == start)
        return false;
    *name = (struct text_line){start, (size_t)(quote - start)};
    *is_on = line->data[line->len - 1] == '1';
    return true;
}

/* The state of one run. */
struct survey {
    struct gang_context *context;
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
add_json(struct survey *survey, struct gang_blob *blob, const struct implied *implied,
         const struct origin *origin)
{
    struct json_object *object = json_of_blob(blob);

    if (!object)
        complain(&survey->complaints, GANG_SEVERITY_ERROR, origin, 1,
                 "the document cannot be read");
    else if (implied->kind && !tree_text(object, "kind")) {
        tree_put_text(object, "kind", implied->kind);
        tree_put_text(object, "apiVersion", implied->api_version);
    }
    facts_add_object(&survey->facts, object);
    json_object_put(object);
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

static void
add_opened_list(struct survey *survey, const struct piece *piece, const struct gang_stream *shell)
{
    const struct implied nothing = {0};
    struct implied implied = implied_by(shell);
    struct gang_blob *blob = NULL;
    struct json_object *list;

    if (gang_stream_serialize(survey->context, shell, 0, GANG_FORMAT_JSON, 0, &blob, NULL))
        blob = NULL;
    list = json_of_blob(blob);
    if (*or_empty(tree_text(tree_member(list, "metadata"), "continue")))
        complain(&survey->complaints, GANG_SEVERITY_ERROR, &piece->origin, 1,
                 "the server has more of this list (metadata.continue); pass all of it");
    json_object_put(list);
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

/* Adds the result, which is read as --cluster would before it is printed. */
static void
add_result(struct survey *survey, const struct options *options, struct text *out)
{
    const struct origin made = {.file = "the GangCluster", .is_place = true};
    struct json_object *document = facts_document(&survey->facts, options->complete);
    const char *text = json_object_to_json_string_ext(document, JSON_C_TO_STRING_NOSLASHESCAPE);
    struct gang_document *cluster = NULL;
    struct gang_error *error = NULL;
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    int result;

    if (!text)
        out_of_memory();
    result = gang_document_parse(NULL, text, strlen(text), 0, &cluster, &error);
    if (result)
        survey_complain(survey, &made, result, error);
    else if (gang_stream_parse(survey->context, text, strlen(text), 0, &stream, NULL) ||
             gang_stream_serialize(survey->context, stream, 0, (int)options_format(options), 0,
                                   &blob, NULL))
        out_of_memory();
    else
        text_add(out, gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    gang_document_unref(cluster);
    json_object_put(document);
}

int
command_cluster(struct run *run)
{
    const struct options *options = run->options;
    struct source_list *sources = &run->bench.sources;
    struct survey survey = {
        .context = must_make_context(survey_limits, COUNT_OF(survey_limits)),
    };
    int status = EXIT_COULD_NOT_RUN;
    bool is_read = true;

    facts_init(&survey.facts);
    for (size_t i = 0; is_read && i < options->num_inputs; i++)
        is_read = source_list_read(sources, options->inputs[i], options->walk);
    for (size_t i = 0; is_read && i < sources->count; i++)
        add_source(&survey, sources->items[i]);
    if (is_read && !survey.facts.has_any && !survey.complaints.errors)
        complain(&survey.complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "the input contains no facts about a cluster");
    if (is_read && !survey.complaints.errors)
        add_result(&survey, options, &run->out);
    if (is_read)
        status = complaints_print(&survey.complaints);
    if (status == EXIT_DONE && survey.facts.notes.len)
        print_error(&survey.facts.notes);
    if (status != EXIT_DONE)
        text_free(&run->out);
    facts_free(&survey.facts);
    complaints_free(&survey.complaints);
    gang_context_unref(survey.context);
    return status;
}
