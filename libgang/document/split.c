/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/split.h"

enum split_line { SPLIT_CONTENT, SPLIT_NOTHING, SPLIT_SEPARATOR, SPLIT_INVALID };

struct splitter
splitter_start(struct slice text)
{
    if (slice_has_prefix(text, SLICE("\xEF\xBB\xBF")))
        text = (struct slice){text.data + 3, text.len - 3};
    return (struct splitter){
        .at = text.data, .end = text.data + text.len, .line_start = text.data, .line = 1};
}

static const char *
split_line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

static const char *
split_skip_break(const char *at, const char *end)
{
    if (end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    return at < end ? at + 1 : at;
}

/* Nothing but white space and a comment. */
static bool
split_is_bare(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end || *at == '#';
}

/* `---` must stand bare or before a comment, as kubectl has it; `...` may also start a word. */
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
    splitter->line_start = splitter->at;
    splitter->line += line_end < splitter->end;
}

static struct split_part
split_part_here(const struct splitter *splitter, const char *end)
{
    uint32_t column = 1;

    for (const char *at = splitter->line_start; at < splitter->at; at++)
        column += ((unsigned char)*at & 0xC0) != 0x80;
    return (struct split_part){
        .text = {splitter->at, (size_t)(end - splitter->at)}, .line = splitter->line, .column = column};
}

static bool
split_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Moves on to `to`, counting the lines between. */
static void
split_advance(struct splitter *splitter, const char *to)
{
    while (splitter->at < to) {
        const char *line_end = split_line_end(splitter->at, to);

        if (line_end == to) {
            splitter->at = to;
            return;
        }
        split_next_line(splitter, line_end);
    }
}

static const char *
split_skip_space(const char *at, const char *end)
{
    while (at < end && split_is_space(*at))
        at++;
    return at;
}

static const char *
split_skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : at;
}

/* Behind the brace that closes the one at `at`; `end` when there is none. */
static const char *
split_object_end(const char *at, const char *end)
{
    size_t depth = 0;

    while (at < end) {
        if (*at == '"') {
            at = split_skip_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '[';
        if ((*at == '}' || *at == ']') && --depth == 0)
            return at + 1;
        at++;
    }
    return end;
}

/* The next of the objects in a chunk of JSON. What is not another object belongs to the one before. */
static void
split_take_object(struct splitter *splitter, struct split_part *out)
{
    const char *chunk_end = splitter->chunk_end;
    const char *object_end = split_object_end(splitter->at, chunk_end);
    const char *next = split_skip_space(object_end, chunk_end);

    if (next < chunk_end && *next != '{')
        object_end = next = chunk_end;
    *out = split_part_here(splitter, object_end);
    split_advance(splitter, next);
    if (next == chunk_end)
        splitter->chunk_end = NULL;
}

/* Up to the next separator line or the end. False when there is no content. */
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

static void
split_take_chunk(struct splitter *splitter, const char *chunk_end, struct split_part *out)
{
    const char *first = split_skip_space(splitter->at, chunk_end);

    if (first < chunk_end && *first == '{') {
        split_advance(splitter, first);
        splitter->chunk_end = chunk_end;
        split_take_object(splitter, out);
        return;
    }
    *out = split_part_here(splitter, chunk_end);
    split_advance(splitter, chunk_end);
}

/* True when the separator line has text behind it. */
static bool
split_take_separator(struct splitter *splitter, struct split_part *out)
{
    const char *line_end = split_line_end(splitter->at, splitter->end);
    bool is_bad = split_classify(splitter->at, line_end) == SPLIT_INVALID;

    *out = split_part_here(splitter, line_end);
    split_next_line(splitter, line_end);
    return is_bad;
}

enum split_result
splitter_next(struct splitter *splitter, struct split_part *out)
{
    if (splitter->chunk_end) {
        split_take_object(splitter, out);
        return SPLIT_DOCUMENT;
    }
    while (splitter->at < splitter->end) {
        const char *chunk_end;

        if (split_find_chunk(splitter, &chunk_end)) {
            split_take_chunk(splitter, chunk_end, out);
            return SPLIT_DOCUMENT;
        }
        split_advance(splitter, chunk_end);
        if (splitter->at < splitter->end && split_take_separator(splitter, out))
            return SPLIT_BAD_SEPARATOR;
    }
    return SPLIT_END;
}
