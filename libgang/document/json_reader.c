/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/document/reader.h"
#include "libgang/document/writer.h"

/*
 * A strict reader for RFC 8259. The document is copied once, and strings of the tree point into
 * this copy: a NUL replaces the closing quote, and a decoded escape is never longer than its
 * source. NULs end the copy, so that a comparison with a wanted byte also detects the end, and a
 * block that starts in the text can be read.
 */
enum { JSON_STEP_BYTES = 2 }; /* of text, for one step of the budget */

#define JSON_MANAGED_FIELDS SLICE("managedFields")

struct json_reader {
    const struct document_request *request;
    /* those of the request, which every value needs */
    struct arena *arena;
    const struct limits *limits;
    char *at;
    const char *end;
    /* increased for each byte that starts no character, so that columns count characters */
    const char *line_start;
    uint32_t nodes;
    uint32_t depth;
    /* the node that comes next, as far as it is known: document, line, and the key of a member */
    struct node next;
    char *number_end;       /* see json_end_number(); NULL before the first number */
    struct node *container; /* the innermost open container; NULL outside of all */
    /* the child added last, NULL for none; outside of all containers, the root */
    struct node *last;
    struct reader_items items;
};

static struct reader_mark
json_mark(const struct json_reader *reader)
{
    return (struct reader_mark){reader->next.line, (uint32_t)(reader->at - reader->line_start) + 1};
}

static bool
json_fail(const struct json_reader *reader, enum gang_code code, const char *message)
{
    return reader_fail(reader->request, code, json_mark(reader), reader->container, NULL, "%s",
                       message);
}

/* Whether `value` is within the limit; reports it otherwise. */
static inline bool
json_within(const struct json_reader *reader, enum gang_limit limit, uint64_t value)
{
    return value <= limit_of(reader->limits, limit) ||
           reader_report_limit(reader->request, limit, value, json_mark(reader), reader->container);
}

static void
json_next_line(struct json_reader *reader)
{
    reader->next.line++;
    reader->line_start = reader->at;
}

static void
json_skip_spaces(struct json_reader *reader)
{
    char c;

    while ((c = *reader->at) == ' ' || c == '\n' || c == '\t' || c == '\r') {
        reader->at++;
        if (c == '\n' || (c == '\r' && *reader->at != '\n'))
            json_next_line(reader);
    }
}

/* Usually there is no white space, because programs write compact JSON. */
static inline void
json_skip_space(struct json_reader *reader)
{
    if ((unsigned char)*reader->at <= ' ')
        json_skip_spaces(reader);
}

static bool
json_at(const struct json_reader *reader, char a, char b)
{
    return *reader->at == a || *reader->at == b;
}

/* Skips white space and then the byte, if the byte comes next. */
static inline bool
json_takes(struct json_reader *reader, char byte)
{
    if (!json_at(reader, byte, byte)) {
        json_skip_space(reader);
        if (!json_at(reader, byte, byte))
            return false;
    }
    reader->at++;
    return true;
}

/* Reports a character that is not allowed at this position. */
static bool
json_unexpected(const struct json_reader *reader, const char *expected)
{
    unsigned char c;
    size_t len;

    if (reader->at >= reader->end)
        return reader_fail(reader->request, GANG_CODE_SYNTAX, json_mark(reader), reader->container,
                           NULL, "unexpected end of the text: expected %s", expected);
    c = (unsigned char)*reader->at;
    len = utf8_sequence(reader->at, reader->end, NULL);
    if (c == 0 || len == 0)
        return json_fail(reader, GANG_CODE_ENCODING,
                         c ? "the text is not valid UTF-8" : "the text holds a NUL byte");
    if (c < 0x20 && c != '\n' && c != '\r' && c != '\t')
        return json_fail(reader, GANG_CODE_CONTROL_CHARACTER,
                         "a control character is not allowed here");
    return reader_fail(reader->request, GANG_CODE_SYNTAX, json_mark(reader), reader->container,
                       NULL, "invalid character %-.*s: expected %s", (int)len, reader->at,
                       expected);
}

static inline struct node *
json_add_node(struct json_reader *reader, enum node_kind kind)
{
    struct node *node;

    if (!json_within(reader, GANG_LIMIT_NODES, ++reader->nodes))
        return NULL;
    node = arena_take(reader->arena, sizeof(*node));
    if (!node)
        return NULL;
    *node = reader->next;
    node->column = (uint32_t)(reader->at - reader->line_start) + 1;
    node->kind = (uint8_t)kind;
    if (reader->container)
        node_append(reader->container, reader->last, node);
    reader->last = node;
    return node;
}

static inline bool
json_scalar_ok(const struct json_reader *reader, const struct node *node, size_t len)
{
    return len <= limit_of(reader->limits, GANG_LIMIT_SCALAR_BYTES) ||
           reader_report_limit(reader->request, GANG_LIMIT_SCALAR_BYTES, len,
                               (struct reader_mark){node->line, node->column}, node);
}

/* ---- strings ---- */

/* Reads four hex digits after `\u`; the reader is at the `u`. */
static bool
json_read_unit(struct json_reader *reader, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned digit = reader_digit(*++reader->at); /* a NUL ends the text */

        if (digit > 15)
            return json_unexpected(reader, "four hexadecimal digits after \\u");
        *unit = *unit << 4 | digit;
    }
    reader->at++;
    return true;
}

static bool
json_lone_surrogate(struct json_reader *reader, char *escape)
{
    reader->at = escape;
    return json_fail(reader, GANG_CODE_LONE_SURROGATE, "unpaired half of a surrogate pair");
}

/* The reader must be at the `u` of `\uXXXX`. */
static bool
json_read_unicode(struct json_reader *reader, char **out)
{
    char *escape = reader->at - 1;
    uint32_t code_point;
    uint32_t low;

    if (!json_read_unit(reader, &code_point))
        return false;
    if (code_point >= 0xDC00 && code_point < 0xE000)
        return json_lone_surrogate(reader, escape);
    if (code_point >= 0xD800 && code_point < 0xDC00) {
        if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u')
            return json_lone_surrogate(reader, escape);
        reader->at++;
        if (!json_read_unit(reader, &low))
            return false;
        if (low < 0xDC00 || low >= 0xE000)
            return json_lone_surrogate(reader, escape);
        code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
    }
    *out += utf8_encode(code_point, *out);
    return true;
}

/* What a letter after a backslash stands for. */
static const char json_short_escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

static bool
json_read_wide(struct json_reader *reader, char **out)
{
    size_t len = utf8_sequence(reader->at, reader->end, NULL);

    if (len == 0)
        return json_fail(reader, GANG_CODE_ENCODING, "the text is not valid UTF-8");
    memmove(*out, reader->at, len);
    *out += len;
    reader->at += len;
    reader->line_start += len - 1;
    return true;
}

/* Reads what is not plain and no short escape. */
static bool
json_read_odd(struct json_reader *reader, char **out)
{
    if (*reader->at == '\\') {
        reader->at++;
        if (*reader->at == 'u')
            return json_read_unicode(reader, out);
        return json_unexpected(reader, "one of \" \\ / b f n r t u after a backslash");
    }
    if ((unsigned char)*reader->at >= 0x80)
        return json_read_wide(reader, out);
    if (reader->at >= reader->end)
        return json_unexpected(reader, "the closing quote of a string");
    if (*reader->at == '\0')
        return json_fail(reader, GANG_CODE_ENCODING, "the text holds a NUL byte");
    return reader_fail(reader->request, GANG_CODE_CONTROL_CHARACTER, json_mark(reader),
                       reader->container, "write it as an escape, such as \\n or \\u0001",
                       "a string contains an unescaped control character");
}

/*
 * Reads a string of which only the first `len` bytes are plain; the reader must be at its start.
 * Unset after a failure.
 */
static struct slice
json_read_odd_string(struct json_reader *reader, size_t len)
{
    char *start = reader->at;
    char *from = start + len;
    char *out = from;

    while (*from != '"') {
        /* one letter after a backslash, as most escapes are; a NUL ends the text */
        char letter = *from == '\\' ? json_short_escapes[(unsigned char)from[1]] : '\0';

        if (letter) {
            *out++ = letter;
            from += 2;
        } else {
            reader->at = from;
            if (!json_read_odd(reader, &out))
                return NO_SLICE;
            from = reader->at;
        }
        len = plain_move_to_stop(out, from);
        from += len;
        out += len;
    }
    *out = '\0';
    reader->at = from + 1;
    return (struct slice){start, (size_t)(out - start)};
}

/*
 * Reads a string; unset after a failure. The reader must be after the opening quote and ends after
 * the closing one.
 */
static inline struct slice
json_read_string(struct json_reader *reader)
{
    char *start = reader->at;
    char *end = start + plain_count_to_stop(start); /* the padding stops it */

    if (*end != '"')
        return json_read_odd_string(reader, (size_t)(end - start));
    *end = '\0';
    reader->at = end + 1;
    return (struct slice){start, (size_t)(end - start)};
}

static bool
json_add_string(struct json_reader *reader)
{
    struct node *node = json_add_node(reader, NODE_STRING);
    struct slice value;

    reader->at++;
    if (!node)
        return false;
    value = json_read_string(reader);
    if (!value.data)
        return false;
    node->as.text = value.data;
    node->len = (uint32_t)value.len;
    node->quoted = true;
    return json_scalar_ok(reader, node, value.len);
}

/* ---- numbers and words ---- */

static bool
json_at_digit(const struct json_reader *reader)
{
    return *reader->at >= '0' && *reader->at <= '9';
}

/* Skips the digits, of which there must be at least one. */
static bool
json_take_digits(struct json_reader *reader)
{
    if (!json_at_digit(reader))
        return json_unexpected(reader, "a digit");
    while (json_at_digit(reader))
        reader->at++;
    return true;
}

static bool
json_take_number(struct json_reader *reader, bool *is_integer)
{
    reader->at += *reader->at == '-';
    if (json_at(reader, '0', '0')) {
        reader->at++;
        if (json_at_digit(reader))
            return json_fail(reader, GANG_CODE_SYNTAX, "a number may not start with a zero");
    } else if (!json_take_digits(reader)) {
        return false;
    }
    *is_integer = !json_at(reader, '.', 'e') && !json_at(reader, 'E', 'E');
    if (json_at(reader, '.', '.')) {
        reader->at++;
        if (!json_take_digits(reader))
            return false;
    }
    if (!json_at(reader, 'e', 'E'))
        return true;
    reader->at++;
    reader->at += json_at(reader, '+', '-');
    return json_take_digits(reader);
}

/*
 * The byte behind a number ends the text of the number only after it has been read as what it is:
 * at the latest before the next number.
 */
static void
json_end_number(struct json_reader *reader)
{
    if (reader->number_end)
        *reader->number_end = '\0';
}

static bool
json_set_decimal(struct json_reader *reader, struct node *node, struct slice token)
{
    struct number number;

    if (!reader_read_decimal(reader->request, token, node, &number))
        return false;
    node->as.text = arena_copy(reader->arena, (struct slice){number.text, number.len}).data;
    node->len = (uint32_t)number.len;
    return node->as.text != NULL;
}

static bool
json_add_number(struct json_reader *reader)
{
    enum { ALWAYS_INT64 = 18 };
    struct node *node = json_add_node(reader, NODE_INT);
    struct slice token = {reader->at, 0};
    bool is_integer = true;

    if (!node || !json_take_number(reader, &is_integer))
        return false;
    token.len = (size_t)(reader->at - token.data);
    if (!json_scalar_ok(reader, node, token.len))
        return false;
    if (!is_integer || token.len > ALWAYS_INT64 ||
        (token.len == 2 && memcmp(token.data, "-0", 2) == 0))
        return json_set_decimal(reader, node, token);
    json_end_number(reader);
    reader->number_end = reader->at;
    node->as.text = token.data;
    node->len = (uint32_t)token.len;
    return true;
}

static bool
json_add_word(struct json_reader *reader, enum node_kind kind, struct slice word)
{
    struct slice rest = {reader->at, (size_t)(reader->end - reader->at)};
    struct node *node;

    if (!slice_has_prefix(rest, word))
        return json_unexpected(reader, "a value");
    node = json_add_node(reader, kind);
    if (!node)
        return false;
    if (kind == NODE_BOOL) {
        node->as.text = word.data;
        node->len = (uint32_t)word.len;
    }
    reader->at += word.len;
    return true;
}

/* ---- containers ---- */

static bool
json_open(struct json_reader *reader, enum node_kind kind)
{
    struct node *node;

    if (!json_within(reader, GANG_LIMIT_DEPTH, (uint64_t)reader->depth + 1))
        return false;
    node = json_add_node(reader, kind);
    if (!node)
        return false;
    reader->container = node;
    reader->last = NULL;
    reader->depth++;
    reader->at++;
    return true;
}

/* Gives the item that was read last away, if the container is the list of a taker. */
static bool
json_pass_item(struct json_reader *reader)
{
    json_end_number(reader);
    return reader_items_pass(&reader->items, reader->request, reader->container, &reader->last,
                             &reader->nodes);
}

static bool
json_close(struct json_reader *reader)
{
    struct node *container = reader->container;

    if (container->kind == NODE_LIST) {
        if (container == reader->items.list && !json_pass_item(reader))
            return false;
    } else {
        reader_check_duplicates(reader->request, container);
    }
    reader->last = container;
    /* not const: the tree is writable until the end of the read */
    reader->container = (struct node *)container->parent;
    reader->depth--;
    return true;
}

static bool
json_read_value(struct json_reader *reader)
{
    if (json_at(reader, '{', '['))
        return json_open(reader, *reader->at == '{' ? NODE_MAP : NODE_LIST);
    switch (*reader->at) {
    case 't':
        return json_add_word(reader, NODE_BOOL, SLICE("true"));
    case 'f':
        return json_add_word(reader, NODE_BOOL, SLICE("false"));
    case 'n':
        return json_add_word(reader, NODE_NULL, SLICE("null"));
    default:
        return json_at(reader, '-', '-') || json_at_digit(reader)
                   ? json_add_number(reader)
                   : json_unexpected(reader, "a value");
    }
}

/* Reports what is wrong with the key that was read last, if anything is. */
static bool
json_examine_key(const struct json_reader *reader, bool has_escapes)
{
    const struct node *node = &reader->next;
    const struct reader_mark mark = {node->key_line, node->key_column};

    if (!reader_within(reader->request, GANG_LIMIT_KEY_BYTES, node->key_len, mark,
                       reader->container))
        return false;
    if (has_escapes && memchr(node->key, '\0', node->key_len))
        return reader_fail(reader->request, GANG_CODE_NUL_CHARACTER, mark, reader->container, NULL,
                           "a key holds a NUL character");
    return reader_within(reader->request, GANG_LIMIT_MAP_KEYS, (uint64_t)reader->container->len + 1,
                         mark, reader->container);
}

static inline bool
json_key_ok(const struct json_reader *reader, bool has_escapes)
{
    return (!has_escapes &&
            reader->next.key_len <= limit_of(reader->limits, GANG_LIMIT_KEY_BYTES) &&
            reader->container->len < limit_of(reader->limits, GANG_LIMIT_MAP_KEYS)) ||
           json_examine_key(reader, has_escapes);
}

/* The reader must be before a key and ends behind its colon. */
static bool
json_read_key(struct json_reader *reader)
{
    struct slice key;

    if (!json_takes(reader, '"'))
        return json_unexpected(reader, "a key in double quotes");
    reader->next.key_line = reader->next.line;
    reader->next.key_column = json_mark(reader).column - 1; /* of the quote */
    key = json_read_string(reader);
    if (!key.data)
        return false;
    reader->next.key = key.data;
    reader->next.key_len = (uint32_t)key.len;
    if (!json_key_ok(reader, reader->at - 1 > key.data + key.len))
        return false;
    return json_takes(reader, ':') || json_unexpected(reader, "a colon after the key");
}

static bool
json_start_taken_item(struct json_reader *reader)
{
    if (!reader->container->len)
        reader_items_open(&reader->items, reader->request, reader->container, reader->depth - 1,
                          reader->nodes);
    return json_pass_item(reader) &&
           json_within(reader, reader_items_limit(&reader->items, reader->container),
                       (uint64_t)reader->container->len + 1);
}

static bool
json_start_item(struct json_reader *reader)
{
    json_skip_space(reader);
    reader->next.key = NULL;
    reader->next.key_len = reader->next.key_line = reader->next.key_column = 0;
    return reader->request->taker
               ? json_start_taken_item(reader)
               : json_within(reader, GANG_LIMIT_LIST_ITEMS, (uint64_t)reader->container->len + 1);
}

/* At the start of `metadata.managedFields`: goes to its end, if it needs no nodes. */
static void
json_skip_managed_fields(struct json_reader *reader)
{
    const struct node *list = reader->container;
    const struct node *metadata = list->parent;
    const struct node *object = metadata ? metadata->parent : NULL;

    if (reader->request->skips_managed_fields && list->kind == NODE_LIST && object &&
        (!object->parent || object->parent == reader->items.list) &&
        slice_equal(node_key(list), JSON_MANAGED_FIELDS) &&
        slice_equal(node_key(metadata), SLICE("metadata")))
        reader->at += json_skip_items(reader->at, reader->depth, reader->limits, &reader->nodes);
}

enum json_step { JSON_AT_VALUE, JSON_CLOSED, JSON_DONE, JSON_FAILED };

/* After a value, or at the start of a container: goes to the next value or closes the container. */
static enum json_step
json_step_on(struct json_reader *reader)
{
    const bool is_map = reader->container->kind == NODE_MAP;
    const bool is_first = !reader->last;

    if (is_first && reader->container->key_len == JSON_MANAGED_FIELDS.len)
        json_skip_managed_fields(reader);
    if (is_first || !json_takes(reader, ',')) {
        if (json_takes(reader, is_map ? '}' : ']'))
            return json_close(reader) ? JSON_CLOSED : JSON_FAILED;
        if (!is_first) {
            json_unexpected(reader, is_map ? "a comma or }" : "a comma or ]");
            return JSON_FAILED;
        }
    }
    return (is_map ? json_read_key(reader) : json_start_item(reader)) ? JSON_AT_VALUE : JSON_FAILED;
}

/* Goes to the end of the text, or to what is neither white space nor in a comment of YAML. */
static void
json_skip_to_end(struct json_reader *reader)
{
    json_skip_space(reader);
    while (!reader->request->is_only_json && json_at(reader, '#', '#')) {
        while (json_at(reader, '\t', '\t') || (unsigned char)*reader->at >= ' ') {
            const size_t len = utf8_sequence(reader->at, reader->end, NULL);

            if (!len)
                return;
            reader->at += len;
        }
        json_skip_space(reader);
    }
}

static bool
json_read_all(struct json_reader *reader)
{
    enum json_step step = JSON_AT_VALUE;

    while (step == JSON_AT_VALUE) {
        /* most values are strings, and come without white space */
        if (!json_at(reader, '"', '"'))
            json_skip_space(reader);
        if (!(json_at(reader, '"', '"') ? json_add_string(reader) : json_read_value(reader)))
            return false;
        do
            step = reader->container ? json_step_on(reader) : JSON_DONE;
        while (step == JSON_CLOSED);
    }
    if (step == JSON_FAILED)
        return false;
    json_skip_to_end(reader);
    return reader->at == reader->end || (reader->request->read_len && json_at(reader, '{', '{')) ||
           json_unexpected(reader, "the end of the text");
}

/* False if out of memory. */
static bool
json_start(struct json_reader *reader, struct slice text)
{
    reader->at = arena_take(reader->arena, text.len + PLAIN_PADDING);
    if (!reader->at)
        return false;
    memcpy(reader->at, text.data, text.len);
    memset(reader->at + text.len, 0, PLAIN_PADDING);
    reader->end = reader->at + text.len;
    json_next_line(reader);
    return true;
}

const struct node *
json_read(const struct document_request *request, struct slice text)
{
    struct json_reader reader = {
        .request = request,
        .arena = request->arena,
        .limits = request->limits,
        .next.document = (uint8_t)request->document,
    };
    size_t errors = request->report->errors;

    if (!reader_size_ok(request, text))
        return NULL;
    if (text.len == 0) {
        reader_report_empty(request);
        return NULL;
    }
    if (!json_start(&reader, text) || !reader_spend(request, text.len / JSON_STEP_BYTES) ||
        !json_read_all(&reader) || request->report->errors > errors)
        return NULL;
    json_end_number(&reader);
    if (request->read_len)
        *request->read_len = text.len - (size_t)(reader.end - reader.at);
    return reader.last;
}
