/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/reader.h"

#include <stdlib.h>

#include <gang/gang.h>

#include "libgang/base/plain_run.h"
#include "libgang/document/writer.h"

/* ---- split ---- */

enum split_line { SPLIT_CONTENT, SPLIT_NOTHING, SPLIT_SEPARATOR, SPLIT_INVALID };

struct splitter
splitter_start(struct slice text)
{
    slice_take(&text, BYTE_ORDER_MARK);
    return (struct splitter){
        .at = text.data, .end = text.data + text.len, .counted = text.data, .column = 1, .line = 1};
}

static const char *
split_line_end(const char *at, const char *end)
{
    for (;; at++) {
        while (plain_block_is_in_line(at, end))
            at += sizeof(plain_block);
        if (at == end || *at == '\n' || *at == '\r')
            return at;
    }
}

static const char *
split_skip_break(const char *at, const char *end)
{
    if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    return at < end ? at + 1 : at;
}

/* Whether the rest of the line is only white space and a comment. */
static bool
split_is_bare(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end || *at == '#';
}

/* As in kubectl, only white space or a comment may follow `---`; other text may follow `...`. */
static enum split_line
split_classify(const char *at, const char *end)
{
    struct slice line = {at, (size_t)(end - at)};

    if (slice_has_prefix(line, SLICE("---")))
        return split_is_bare(at + 3, end) ? SPLIT_SEPARATOR : SPLIT_INVALID;
    if (slice_has_prefix(line, SLICE("...")) &&
        (line.len == 3 || line.data[3] == ' ' || line.data[3] == '\t'))
        return split_is_bare(at + 3, end) ? SPLIT_SEPARATOR : SPLIT_INVALID;
    return split_is_bare(at, end) ? SPLIT_NOTHING : SPLIT_CONTENT;
}

static void
split_next_line(struct splitter *splitter, const char *line_end)
{
    splitter->at = split_skip_break(line_end, splitter->end);
    splitter->counted = splitter->at;
    splitter->column = 1;
    splitter->line += line_end < splitter->end;
}

static struct split_part
split_part_here(struct splitter *splitter, const char *end)
{
    for (; splitter->counted < splitter->at; splitter->counted++)
        splitter->column += ((unsigned char)*splitter->counted & 0xC0) != 0x80;
    return (struct split_part){.text = {splitter->at, (size_t)(end - splitter->at)},
                               .line = splitter->line,
                               .column = splitter->column};
}

/* Moves to `to` and counts the lines, which are of no use at the end. */
static void
split_advance(struct splitter *splitter, const char *to)
{
    if (to == splitter->end)
        splitter->at = to;
    while (splitter->at < to) {
        const char *line_end = split_line_end(splitter->at, to);

        if (line_end == to) {
            splitter->at = to;
            return;
        }
        split_next_line(splitter, line_end);
    }
}

/* What a byte outside of strings adds to the depth. */
static const signed char split_depth_of[256] = {['{'] = 1, ['['] = 1, ['}'] = -1, [']'] = -1};

/* Returns the position after the brace that closes the one at `at`; `end` if it is not closed. */
static const char *
split_object_end(const char *at, const char *end)
{
    ptrdiff_t depth = 0;

    while (at < end) {
        const signed char change = split_depth_of[(unsigned char)*at];

        if (*at == '"') {
            at = json_behind_text(at, end);
            continue;
        }
        at++;
        depth += change;
        if (change < 0 && depth == 0)
            return at;
    }
    return end;
}

/* The end of the part with an object. Comments, and text that is no other object, belong to it. */
static const char *
split_part_end(const struct splitter *splitter, const char *object_end)
{
    const char *next = json_behind_space(object_end, splitter->chunk_end);

    if (next < splitter->chunk_end && *next == '#')
        object_end = next = json_behind_comments(next, splitter->chunk_end);
    return next < splitter->chunk_end && *next != '{' ? splitter->chunk_end : object_end;
}

/* Goes to the next object of the chunk, or behind the chunk. */
static void
split_leave_part(struct splitter *splitter, const char *part_end)
{
    split_advance(splitter, json_behind_space(part_end, splitter->chunk_end));
    if (splitter->at == splitter->chunk_end)
        splitter->chunk_end = NULL;
}

/* Takes the next object of a chunk of JSON. */
static void
split_take_object(struct splitter *splitter, struct split_part *out)
{
    const char *object_end = split_object_end(splitter->at, splitter->chunk_end);
    const char *part_end = split_part_end(splitter, object_end);

    *out = split_part_here(splitter, part_end);
    split_leave_part(splitter, part_end);
}

/* Finds the text up to the next separator line or the end. False if it has no content. */
static bool
split_find_chunk(const struct splitter *splitter, const char **chunk_end)
{
    const char *at = splitter->at;
    bool has_content = false;

    while (at < splitter->end) {
        const char *line_end = split_line_end(at, splitter->end);
        enum split_line kind = split_classify(at, line_end);

        if (kind == SPLIT_SEPARATOR || kind == SPLIT_INVALID)
            break;
        has_content |= kind == SPLIT_CONTENT;
        at = split_skip_break(line_end, splitter->end);
    }
    *chunk_end = at;
    return has_content;
}

enum split_result
splitter_next(struct splitter *splitter, struct split_part *out, bool leaves_open)
{
    if (splitter->chunk_end) {
        split_take_object(splitter, out);
        return SPLIT_DOCUMENT;
    }
    while (splitter->at < splitter->end) {
        const char *chunk_end;

        if (split_find_chunk(splitter, &chunk_end)) {
            const char *first = json_behind_space(splitter->at, chunk_end);

            if (json_starts_object((struct slice){first, (size_t)(chunk_end - first)})) {
                split_advance(splitter, first);
                splitter->chunk_end = chunk_end;
                if (leaves_open) {
                    *out = split_part_here(splitter, chunk_end);
                    out->is_open = true;
                } else {
                    split_take_object(splitter, out);
                }
            } else {
                *out = split_part_here(splitter, chunk_end);
                split_advance(splitter, chunk_end);
            }
            return SPLIT_DOCUMENT;
        }
        split_advance(splitter, chunk_end);
        if (splitter->at < splitter->end) {
            const char *line_end = split_line_end(splitter->at, splitter->end);
            /* whether text follows on the separator line */
            bool is_bad = split_classify(splitter->at, line_end) == SPLIT_INVALID;

            *out = split_part_here(splitter, line_end);
            split_next_line(splitter, line_end);
            if (is_bad)
                return SPLIT_BAD_SEPARATOR;
        }
    }
    return SPLIT_END;
}

void
splitter_close(struct splitter *splitter, size_t read_len)
{
    const char *object_end =
        read_len ? splitter->at + read_len : split_object_end(splitter->at, splitter->chunk_end);

    split_leave_part(splitter, split_part_end(splitter, object_end));
}

/* ---- stream ---- */

struct stream_document {
    struct slice text;
    uint32_t line;
    const char *api_version; /* NULL when the document has none */
    const char *kind;
    const char *name;
    const char *namespace;
};

struct gang_stream {
    struct refcount references;
    struct arena *arena;
    struct stream_document *documents;
    size_t count;
};

/* The state of one call to gang_stream_parse(). */
struct stream_reader {
    struct gang_stream *stream;
    struct report report;
    struct document_request request; /* for findings outside of a document */
};

/* Reads the document at a line of a stream. Aliases and merge keys are allowed in some kinds. */
static const struct node *
stream_read_text(struct slice text, uint32_t line, struct arena *arena, const struct limits *limits,
                 struct report *findings)
{
    const struct document_request request = {
        .arena = arena,
        .limits = limits,
        .report = findings,
        .allow_merge = true,
        .allow_aliases = true,
        .lines_before = line - 1,
    };

    report_init(findings, arena, limits);
    return document_read(&request, text);
}

/* Reports a finding of one document, with line numbers from the start of the stream. */
static void
stream_take_finding(struct stream_reader *reader, const struct gang_diagnostic *finding,
                    const struct split_part *part)
{
    struct report_place place = {
        .line = finding->line ? finding->line + part->line - 1 : part->line,
        .column = finding->line <= 1 && finding->column ? finding->column + part->column - 1
                                                        : finding->column,
        .path = arena_copy(reader->report.arena, slice_from_text(finding->path)),
    };

    report_add(&reader->report, finding->code, &place,
               finding->hint /* the memory of the document is freed before that of the stream */
                   ? arena_copy(reader->stream->arena, slice_from_text(finding->hint)).data
                   : NULL,
               "%s", finding->message);
}

static const char *
stream_copy_member(struct arena *arena, const struct node *map, const char *path)
{
    return arena_copy(arena, node_string(node_at(map, path))).data;
}

/*
 * The tree is freed after its names are read, so a long stream needs no more memory than its
 * largest document.
 */
static void
stream_read_document(struct stream_reader *reader, const struct split_part *part)
{
    const struct limits *limits = reader->request.limits;
    const struct reader_mark mark = {part->line, part->column};
    struct arena *scratch = arena_new_within(limits, NULL);
    struct gang_stream *stream = reader->stream;
    struct arena *arena = stream->arena;
    struct report findings;
    const struct node *root;

    if (!scratch) {
        arena_fail(arena);
        return;
    }
    root = stream_read_text(part->text, part->line, scratch, limits, &findings);
    for (size_t i = 0; i < findings.count; i++)
        if (findings.items[i].code != GANG_CODE_EMPTY_DOCUMENT) /* null: no document for kubectl */
            stream_take_finding(reader, &findings.items[i], part);
    if (root)
        ARENA_APPEND(arena, stream->documents, stream->count, 4,
                     (struct stream_document){
                         .text = arena_copy(arena, part->text),
                         .line = part->line,
                         .api_version = stream_copy_member(arena, root, "apiVersion"),
                         .kind = stream_copy_member(arena, root, "kind"),
                         .name = stream_copy_member(arena, root, "metadata.name"),
                         .namespace = stream_copy_member(arena, root, "metadata.namespace"),
                     });
    else if (scratch->is_out_of_steps)
        reader_fail(&reader->request, GANG_CODE_LIMIT_STEPS, mark, NULL, NULL,
                    "%s: more than the limit of %llu", limit_table[GANG_LIMIT_STEPS].name,
                    (unsigned long long)scratch->budget);
    else if (scratch->hit_limit)
        reader_fail(&reader->request, GANG_CODE_LIMIT_MEMORY, mark, NULL, NULL,
                    "the document needs more memory than the limit for one handle allows");
    else if (arena_failed(scratch))
        arena_fail(arena);
    arena_free(scratch);
}

static void
stream_read_all(struct stream_reader *reader, struct slice text)
{
    struct splitter splitter = splitter_start(text);
    struct split_part part;
    enum split_result result;
    uint64_t count = 0;

    if (!reader_within(&reader->request, GANG_LIMIT_STREAM_BYTES, text.len,
                       (struct reader_mark){1, 1}, NULL))
        return;
    while ((result = splitter_next(&splitter, &part, false)) != SPLIT_END &&
           !arena_failed(reader->stream->arena)) {
        if (result == SPLIT_BAD_SEPARATOR)
            reader_fail(&reader->request, GANG_CODE_DOCUMENT_SEPARATOR,
                        (struct reader_mark){part.line, part.column}, NULL,
                        "put `---` on a line of its own",
                        "unexpected text after a document separator: %-.*s", SLICE_ARG(part.text));
        else if (!reader_within(&reader->request, GANG_LIMIT_STREAM_DOCUMENTS, ++count,
                                (struct reader_mark){part.line, 1}, NULL))
            return;
        else
            stream_read_document(reader, &part);
    }
}

int
gang_stream_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                  struct gang_stream **out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct stream_reader reader = {.request = {.limits = limits, .report = &reader.report}};
    struct gang_stream *stream;
    int code = CALL_BEGIN(out, err, out && (data || !len), "out and data are needed", flags, 0);

    if (code)
        return code;
    stream = calloc(1, sizeof(*stream));
    /* Texts and names are copied, so it may need a little more memory than the stream. */
    if (stream)
        stream->arena = arena_new_from(limits->workspace, NULL,
                                       (size_t)limit_of(limits, GANG_LIMIT_MEMORY_BYTES) +
                                           2 * (size_t)limit_of(limits, GANG_LIMIT_STREAM_BYTES));
    if (!stream || !stream->arena) {
        free(stream);
        return error_no_memory(err);
    }
    refcount_init(&stream->references);
    reader.stream = stream;
    report_init(&reader.report, stream->arena, limits);
    stream_read_all(&reader, (struct slice){data ? data : "", len});
    if (report_has_errors(&reader.report) || arena_failed(stream->arena)) {
        code = error_from_report(err, document_result(&reader.report), &reader.report);
        gang_stream_unref(stream);
        return code;
    }
    *out = stream;
    return GANG_OK;
}

struct gang_stream *
gang_stream_ref(const struct gang_stream *stream)
{
    if (stream)
        refcount_take(&stream->references);
    return (struct gang_stream *)stream;
}

void
gang_stream_unref(const struct gang_stream *stream)
{
    if (!stream || !refcount_drop(&stream->references))
        return;
    arena_free(stream->arena);
    free((void *)stream);
}

size_t
gang_stream_num_documents(const struct gang_stream *stream)
{
    return stream ? stream->count : 0;
}

static const struct stream_document *
stream_document_at(const struct gang_stream *stream, size_t index)
{
    static const struct stream_document none;

    return stream && index < stream->count ? &stream->documents[index] : &none;
}

const char *
gang_stream_get_api_version(const struct gang_stream *stream, size_t index)
{
    return stream_document_at(stream, index)->api_version;
}

const char *
gang_stream_get_kind(const struct gang_stream *stream, size_t index)
{
    return stream_document_at(stream, index)->kind;
}

const char *
gang_stream_get_name(const struct gang_stream *stream, size_t index)
{
    return stream_document_at(stream, index)->name;
}

const char *
gang_stream_get_namespace(const struct gang_stream *stream, size_t index)
{
    return stream_document_at(stream, index)->namespace;
}

const char *
gang_stream_get_data(const struct gang_stream *stream, size_t index, size_t *len)
{
    const struct stream_document *document = stream_document_at(stream, index);

    if (len)
        *len = document->text.len;
    return document->text.data;
}

uint32_t
gang_stream_get_line(const struct gang_stream *stream, size_t index)
{
    return stream_document_at(stream, index)->line;
}

int
gang_stream_serialize(const struct gang_context *context, const struct gang_stream *stream,
                      size_t index, int format, uint32_t flags, struct gang_blob **out,
                      struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct buffer buffer = buffer_within(limits);
    const struct stream_document *document;
    const struct node *root;
    struct report findings;
    struct arena *arena;
    int result = CALL_BEGIN(
        out, err,
        out && index < gang_stream_num_documents(stream) && document_format_is_known(format),
        "out, a document of the stream and a known format are needed", flags, 0);

    if (result)
        return result;
    arena = arena_new_within(limits, NULL);
    if (!arena)
        return error_no_memory(err);
    document = &stream->documents[index];
    root = stream_read_text(document->text, document->line, arena, limits, &findings);
    /*
     * The text was well-formed when the stream was read. Only a lack of memory or a smaller limit
     * can make this fail.
     */
    if (!root || arena_failed(arena))
        result = error_from_report(err, document_result(&findings), &findings);
    else
        document_write(&buffer, root, (enum gang_format)format);
    arena_free(arena);
    return result ? result : document_hand_out(&buffer, out, err);
}
