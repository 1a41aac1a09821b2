/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

/* Children may be shared, so the writer keeps a stack, as the JSON writer does. */
enum { YAML_WRITE_DEEPEST = 160, YAML_INDENT = 2 };

struct yaml_walk {
    struct buffer *out;
    size_t depth;
    const struct node *open[YAML_WRITE_DEEPEST]; /* the next child at each depth */
    uint16_t indent[YAML_WRITE_DEEPEST];
    uint8_t kind[YAML_WRITE_DEEPEST];
    bool inside_line; /* after "- ", where the first member of a map is written */
};

/* Words that YAML 1.1, YAML 1.2 or a common parser reads as another type; in lower case. */
static const struct slice yaml_ambiguous_words[] = {
    SLICE_INIT("y"),    SLICE_INIT("n"),   SLICE_INIT("yes"),  SLICE_INIT("no"),
    SLICE_INIT("on"),   SLICE_INIT("off"), SLICE_INIT("true"), SLICE_INIT("false"),
    SLICE_INIT("null"), SLICE_INIT("nan"), SLICE_INIT("inf"),
};

static char
yaml_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
yaml_is_word(struct slice text, struct slice word)
{
    if (text.len != word.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (yaml_lower(text.data[i]) != word.data[i])
            return false;
    return true;
}

/* Whether one of these words begins so. Most keys do not, and are written without the search. */
static bool
yaml_begins_ambiguous_word(char c)
{
    char lower = yaml_lower(c);

    return lower == 'f' || lower == 'i' || lower == 'n' || lower == 'o' || lower == 't' ||
           lower == 'y';
}

static bool
yaml_is_ambiguous(struct slice text)
{
    if (text.len > sizeof("false") - 1 || !yaml_begins_ambiguous_word(text.data[0]))
        return false;
    for (size_t i = 0; i < COUNT_OF(yaml_ambiguous_words); i++)
        if (yaml_is_word(text, yaml_ambiguous_words[i]))
            return true;
    return false;
}

static bool
yaml_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* [A-Za-z0-9_./-] */
static const bool yaml_plain_bytes[256] = {
    ['-'] = true, ['.'] = true, ['/'] = true, ['_'] = true, ['0'] = true, ['1'] = true,
    ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
    ['8'] = true, ['9'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true,
    ['E'] = true, ['F'] = true, ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true,
    ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true,
    ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true,
    ['W'] = true, ['X'] = true, ['Y'] = true, ['Z'] = true, ['a'] = true, ['b'] = true,
    ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true,
    ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true,
    ['o'] = true, ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true,
    ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true,
};

static bool
yaml_can_be_plain(struct slice text)
{
    if (text.len == 0 || !yaml_is_letter(text.data[0]))
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (!yaml_plain_bytes[(unsigned char)text.data[i]])
            return false;
    return !yaml_is_ambiguous(text);
}

static void
yaml_write_string(struct buffer *out, struct slice text)
{
    if (yaml_can_be_plain(text))
        buffer_append_slice(out, text);
    else
        text_escape_quoted(out, text);
}

static void
yaml_write_scalar(struct buffer *out, const struct node *node)
{
    if (node->kind == NODE_STRING)
        yaml_write_string(out, node_text(node));
    else if (node->kind == NODE_NULL)
        buffer_append(out, "null", 4);
    else
        buffer_append_slice(out, node_text(node));
}

/* Writes the value of a node without children. */
static void
yaml_write_leaf(struct buffer *out, const struct node *node)
{
    if (node->kind < NODE_LIST)
        yaml_write_scalar(out, node);
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
    if (walk->depth == YAML_WRITE_DEEPEST) {
        walk->out->failed = true;
        return;
    }
    walk->open[walk->depth] = node->as.first;
    walk->indent[walk->depth] = (uint16_t)indent;
    walk->kind[walk->depth++] = node->kind;
}

static void
yaml_write_indent(struct yaml_walk *walk, size_t indent)
{
    if (!walk->inside_line)
        buffer_append_repeated(walk->out, ' ', indent);
    walk->inside_line = false;
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
    yaml_write_indent(walk, indent);
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
