/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

#include "libgang/base/report.h"

/* ---- text escape ---- */

/* 'u': written as \uXXXX. 'w': a byte of a multibyte character. 0: written unchanged. */
static const char text_escape_of[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
    ['\t'] = 't', [0] = 'u',     [1] = 'u',    [2] = 'u',    [3] = 'u',    [4] = 'u',
    [5] = 'u',    [6] = 'u',     [7] = 'u',    [11] = 'u',   [14] = 'u',   [15] = 'u',
    [16] = 'u',   [17] = 'u',    [18] = 'u',   [19] = 'u',   [20] = 'u',   [21] = 'u',
    [22] = 'u',   [23] = 'u',    [24] = 'u',   [25] = 'u',   [26] = 'u',   [27] = 'u',
    [28] = 'u',   [29] = 'u',    [30] = 'u',   [31] = 'u',   [127] = 'u',
};

static void
text_escape_unit(struct buffer *out, uint32_t code_point)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = {'\\', 'u'};

    for (int i = 0; i < 4; i++)
        text[2 + i] = digits[code_point >> (12 - 4 * i) & 15];
    buffer_append(out, text, sizeof(text));
}

static const char *
text_escape_wide(struct buffer *out, const char *at, const char *end)
{
    uint32_t code_point;
    size_t len = utf8_sequence(at, end, &code_point);

    if (len == 0)
        buffer_append(out, "\xEF\xBF\xBD", 3);
    else if (code_point < 0xA0 || code_point == 0x2028 || code_point == 0x2029 ||
             code_point == 0xFEFF || code_point == 0xFFFE || code_point == 0xFFFF)
        text_escape_unit(out, code_point);
    else
        buffer_append(out, at, len);
    return at + (len ? len : 1);
}

static const char *
text_escape_ascii(struct buffer *out, const char *at, char class)
{
    char *place = class == 'u' ? NULL : buffer_extend(out, 2);

    if (class == 'u')
        text_escape_unit(out, (unsigned char)*at);
    if (place) {
        place[0] = '\\';
        place[1] = class;
    }
    return at + 1;
}

void
text_escape_odd(struct buffer *out, struct slice text)
{
    const char *at = text.data;
    const char *end = text.data + text.len;

    buffer_append_byte(out, '"');
    while (at < end) {
        struct slice run = {at, (size_t)(plain_run_end(at, end) - at)};
        /* not buffer_append(): a call for each run costs more than the run */
        char *place = run.len ? buffer_extend(out, run.len) : NULL;
        char class;

        if (place)
            slice_copy_text(place, run);
        at += run.len;
        if (at == end || out->failed)
            break;
        class = (unsigned char)*at >= 0x80 ? 'w' : text_escape_of[(unsigned char)*at];
        at = class == 'w' ? text_escape_wide(out, at, end) : text_escape_ascii(out, at, class);
    }
    buffer_append_byte(out, '"');
}

void
text_escape_quoted(struct buffer *out, struct slice text)
{
    if (!text_quote_plain(out, text))
        text_escape_odd(out, text);
}

SELDOM void
text_escape_long(struct buffer *out, struct slice text, struct text_repeated *last)
{
    if (last->text.data == text.data && last->text.len == text.len) {
        if (buffer_extend(out, last->len))
            memcpy(out->data + out->len - last->len, out->data + last->start, last->len);
        return;
    }
    *last = (struct text_repeated){.text = text, .start = out->len};
    text_escape_odd(out, text);
    last->len = out->len - last->start;
}

/* ---- document write ---- */

bool
document_format_is_known(int format)
{
    return format == GANG_FORMAT_JSON || format == GANG_FORMAT_YAML;
}

void
document_write(struct buffer *out, const struct node *root, enum gang_format format)
{
    if (format == GANG_FORMAT_YAML) {
        yaml_write(out, root);
    } else {
        json_write(out, root);
        buffer_append_byte(out, '\n');
    }
}

int
document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err)
{
    const bool hit_limit = buffer->failed && buffer->hit_limit;
    const unsigned long long limit = buffer->limit;
    char message[96];

    *out = buffer->failed ? NULL : blob_take(buffer);
    buffer_clear(buffer);
    if (*out)
        return GANG_OK;
    if (!hit_limit)
        return error_no_memory(err);
    format_into(message, sizeof(message), "the output is larger than the limit of %llu bytes",
                limit);
    return error_limit(err, GANG_CODE_LIMIT_OUTPUT_BYTES, message);
}

/*
 * Children may be shared, so `parent` does not lead back to the root of this tree; a stack keeps
 * the path. Readers allow a depth of at most 128, and objects that the library puts around a
 * document add less than 32.
 */
enum { WRITE_DEEPEST = 160 };

/* ---- JSON ---- */

struct json_level {
    const struct node *next; /* the child that is written next; NULL behind the last */
    char closing;
};

static inline void
json_write_scalar(struct buffer *out, const struct node *node, struct text_repeated *repeated)
{
    const struct slice text = node->kind == NODE_NULL ? SLICE("null") : node_text(node);
    char *place;

    if (node->kind == NODE_STRING) {
        text_escape_repeated(out, text, repeated);
        return;
    }
    place = buffer_extend(out, text.len);
    if (place)
        slice_copy_text(place, text);
}

/* Most keys need no escape, and are written with what is before and behind them. */
static inline void
json_write_key(struct buffer *out, char before, const struct node *member)
{
    const struct slice key = node_key(member);
    char *place = buffer_extend(out, key.len + 4);

    if (!place)
        return;
    place[0] = before;
    if (plain_copy(place + 2, key)) {
        place[1] = '"';
        memcpy(place + key.len + 2, "\":", 2);
        return;
    }
    out->len -= key.len + 3;
    text_escape_odd(out, key);
    buffer_append_byte(out, ':');
}

void
json_write(struct buffer *out, const struct node *node)
{
    struct json_level levels[1 + WRITE_DEEPEST]; /* written before they are read */
    struct json_level *level = levels;           /* of the innermost open container */
    struct text_repeated repeated = {.text = NO_SLICE};

    levels[0].next = node; /* around all containers, and never complete */

    if (!node)
        buffer_append(out, "null", 4);
    while (node) {
        char before = ','; /* the next child: a bracket or a comma */
        const bool is_map = node->kind == NODE_MAP;

        /* Writes the value, or opens it if it has children. */
        if (node->kind < NODE_LIST) {
            json_write_scalar(out, node, &repeated);
        } else if (node->len == 0) {
            buffer_append(out, is_map ? "{}" : "[]", 2);
        } else if (level == levels + WRITE_DEEPEST) {
            out->failed = true;
        } else {
            before = is_map ? '{' : '[';
            *++level = (struct json_level){node->as.first, is_map ? '}' : ']'};
        }
        /* Closes complete containers. */
        while (!level->next)
            buffer_append_byte(out, level--->closing);
        if (level == levels || out->failed)
            return;
        node = level->next;
        level->next = node->next;
        if (level->closing == '}')
            json_write_key(out, before, node);
        else
            buffer_append_byte(out, before);
    }
}

/* ---- YAML ---- */

enum { YAML_INDENT = 2 };

struct yaml_walk {
    struct buffer *out;
    size_t depth;
    const struct node *open[WRITE_DEEPEST]; /* the next child at each depth */
    uint16_t indent[WRITE_DEEPEST];
    uint8_t kind[WRITE_DEEPEST];
    bool inside_line; /* after "- ", where the first member of a map is written */
};

/* Words that YAML 1.1, YAML 1.2 or a common parser reads as another type; in lower case. */
static const struct slice yaml_ambiguous_words[] = {
    SLICE_INIT("y"),    SLICE_INIT("n"),   SLICE_INIT("yes"),  SLICE_INIT("no"),
    SLICE_INIT("on"),   SLICE_INIT("off"), SLICE_INIT("true"), SLICE_INIT("false"),
    SLICE_INIT("null"), SLICE_INIT("nan"), SLICE_INIT("inf"),
};

/* Whether one of these words begins so. Most keys do not, and are written without the search. */
static bool
yaml_begins_ambiguous_word(char c)
{
    char lower = ascii_lower(c);

    return lower == 'f' || lower == 'i' || lower == 'n' || lower == 'o' || lower == 't' ||
           lower == 'y';
}

static bool
yaml_is_ambiguous(struct slice text)
{
    if (text.len > sizeof("false") - 1 || !yaml_begins_ambiguous_word(text.data[0]))
        return false;
    for (size_t i = 0; i < COUNT_OF(yaml_ambiguous_words); i++)
        if (ascii_equal(text, yaml_ambiguous_words[i]))
            return true;
    return false;
}

static bool
yaml_can_be_plain(struct slice text)
{
    return text.len && ascii_is(text.data[0], ASCII_LETTER) &&
           ascii_all(text, ASCII_LETTER | ASCII_DIGIT | ASCII_DOT | ASCII_SLASH | ASCII_UNDERSCORE |
                               ASCII_DASH) &&
           !yaml_is_ambiguous(text);
}

static void
yaml_write_string(struct buffer *out, struct slice text)
{
    if (yaml_can_be_plain(text))
        buffer_append_slice(out, text);
    else
        text_escape_quoted(out, text);
}

/* Writes the value of a node without children. */
static void
yaml_write_leaf(struct buffer *out, const struct node *node)
{
    if (node->kind == NODE_STRING)
        yaml_write_string(out, node_text(node));
    else if (node->kind == NODE_NULL)
        buffer_append(out, "null", 4);
    else if (node->kind < NODE_LIST)
        buffer_append_slice(out, node_text(node));
    else
        buffer_append(out, node->kind == NODE_MAP ? "{}" : "[]", 2);
    buffer_append_byte(out, '\n');
}

static bool
yaml_has_children(const struct node *node)
{
    return node->kind >= NODE_LIST && node->len > 0;
}

static void
yaml_write_open(struct yaml_walk *walk, const struct node *node, size_t indent)
{
    if (walk->depth == WRITE_DEEPEST) {
        walk->out->failed = true;
        return;
    }
    walk->open[walk->depth] = node->as.first;
    walk->indent[walk->depth] = (uint16_t)indent;
    walk->kind[walk->depth++] = node->kind;
}

/* A parser searches at most 1024 characters for the colon; a longer key needs `?`. */
static void
yaml_write_key(struct buffer *out, struct slice key, size_t indent)
{
    enum { LONGEST_SIMPLE_KEY = 1000 };
    size_t start = out->len;
    size_t len;

    yaml_write_string(out, key);
    len = out->len - start;
    if (len > LONGEST_SIMPLE_KEY && buffer_extend(out, 2)) {
        memmove(out->data + start + 2, out->data + start, len);
        memcpy(out->data + start, "? ", 2);
        buffer_append_byte(out, '\n');
        buffer_append_repeated(out, ' ', indent);
    }
    buffer_append_byte(out, ':');
}

/* A list after a key has the indentation of the key; a map is indented. */
static void
yaml_write_member(struct yaml_walk *walk, const struct node *member, size_t indent)
{
    yaml_write_key(walk->out, node_key(member), indent);
    if (yaml_has_children(member)) {
        buffer_append_byte(walk->out, '\n');
        yaml_write_open(walk, member, member->kind == NODE_MAP ? indent + YAML_INDENT : indent);
        return;
    }
    buffer_append_byte(walk->out, ' ');
    yaml_write_leaf(walk->out, member);
}

static void
yaml_write_item(struct yaml_walk *walk, const struct node *item, size_t indent)
{
    buffer_append(walk->out, "- ", 2);
    if (!yaml_has_children(item)) {
        yaml_write_leaf(walk->out, item);
        return;
    }
    walk->inside_line = true;
    yaml_write_open(walk, item, indent + YAML_INDENT);
}

static void
yaml_write_next(struct yaml_walk *walk)
{
    size_t level = walk->depth - 1;
    const struct node *child = walk->open[level];
    size_t indent = walk->indent[level];

    if (!child) {
        walk->depth--;
        return;
    }
    walk->open[level] = child->next;
    if (!walk->inside_line)
        buffer_append_repeated(walk->out, ' ', indent);
    walk->inside_line = false;
    if (walk->kind[level] == NODE_MAP)
        yaml_write_member(walk, child, indent);
    else
        yaml_write_item(walk, child, indent);
}

void
yaml_write(struct buffer *out, const struct node *node)
{
    struct yaml_walk walk = {.out = out};

    if (!node) {
        buffer_append(out, "null\n", 5);
        return;
    }
    if (!yaml_has_children(node)) {
        yaml_write_leaf(out, node);
        return;
    }
    yaml_write_open(&walk, node, 0);
    while (walk.depth > 0 && !out->failed)
        yaml_write_next(&walk);
}
