/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/plain_run.h"
#include "libgang/document/reader.h"

/*
 * Reads a document that another library holds as a tree. Limits and rules are those of the text in
 * JSON; a value has no line. The bytes of keys and scalars count as those of the document.
 */
struct tree_reader {
    const struct document_request *request;
    const struct document_tree *tree;
    uint32_t nodes;
    uint32_t places; /* keys and values: their numbers stand for lines and columns */
    uint32_t depth;
    uint64_t bytes;
    struct node *inside; /* the value that is read; NULL before the first one */
};

static bool
tree_within(const struct tree_reader *reader, enum gang_limit limit, uint64_t value)
{
    return reader_within(reader->request, limit, value, (struct reader_mark){0, reader->places},
                         reader->inside);
}

static bool
tree_fail(const struct tree_reader *reader, enum gang_code code, const char *message)
{
    return reader_fail(reader->request, code, (struct reader_mark){0, reader->places},
                       reader->inside, NULL, "%s", message);
}

/* Copies a key or a scalar with a NUL, after its checks. */
static bool
tree_copy(struct tree_reader *reader, struct slice text, enum gang_limit limit, const char **copy)
{
    char *to;

    reader->bytes += text.len;
    if (!tree_within(reader, limit, text.len) ||
        !tree_within(reader, GANG_LIMIT_DOCUMENT_BYTES, reader->bytes) ||
        !reader_spend(reader->request, text.len))
        return false;
    to = arena_take(reader->request->arena, text.len + 1);
    if (!to)
        return false;
    to[text.len] = '\0';
    *copy = to;
    if (plain_copy(to, text))
        return true;
    if (utf8_valid_prefix(text) < text.len)
        return tree_fail(reader, GANG_CODE_ENCODING, "the text is not valid UTF-8");
    memcpy(to, text.data, text.len);
    return true;
}

static bool
tree_set_scalar(struct tree_reader *reader, struct node *node, const struct tree_value *value)
{
    struct slice text = value->text;
    struct number number;

    if (node->kind == NODE_NULL)
        return true;
    if (node->kind == NODE_INT || node->kind == NODE_NUMBER) {
        if (!slice_is_set(text))
            return tree_fail(reader, GANG_CODE_NUMBER_PRECISION, "the number is not finite");
        if (!reader_read_decimal(reader->request, text, node, &number))
            return false;
        text = (struct slice){number.text, number.len};
    }
    node->len = (uint32_t)text.len;
    node->quoted = node->kind == NODE_STRING;
    return tree_copy(reader, text, GANG_LIMIT_SCALAR_BYTES, &node->as.text);
}

static bool tree_read_value(struct tree_reader *reader, const void *from, struct node *node);

/* Adds the next child of the node that is read, and reads it. */
static bool
tree_read_child(struct tree_reader *reader, const struct tree_child *child, struct node **last)
{
    struct node *parent = reader->inside;
    const bool is_map = parent->kind == NODE_MAP;
    struct node *node;

    if (!tree_within(reader, is_map ? GANG_LIMIT_MAP_KEYS : GANG_LIMIT_LIST_ITEMS,
                     (uint64_t)parent->len + 1))
        return false;
    node = arena_alloc(reader->request->arena, sizeof(*node));
    if (!node || (is_map && !tree_copy(reader, child->key, GANG_LIMIT_KEY_BYTES, &node->key)))
        return false;
    node->key_len = is_map ? (uint32_t)child->key.len : 0;
    node->key_column = is_map ? ++reader->places : 0;
    node_append(parent, *last, node);
    *last = node;
    reader->depth++;
    if (!tree_read_value(reader, child->value, node))
        return false;
    reader->depth--;
    reader->inside = parent;
    return true;
}

/* Fails after a report, or if out of memory. */
static bool
tree_read_value(struct tree_reader *reader, const void *from, struct node *node)
{
    struct tree_value value = {.kind = NODE_NULL};
    struct tree_place place = {0};
    struct tree_child child;
    struct node *last = NULL;

    reader->tree->look(from, &value);
    node->column = ++reader->places;
    node->kind = (uint8_t)value.kind;
    node->document = (uint8_t)reader->request->document;
    if (!tree_within(reader, GANG_LIMIT_NODES, ++reader->nodes))
        return false;
    reader->inside = node;
    if (value.kind < NODE_LIST)
        return tree_set_scalar(reader, node, &value);
    if (!tree_within(reader, GANG_LIMIT_DEPTH, reader->depth))
        return false;
    while (reader->tree->next(from, &place, &child))
        if (!tree_read_child(reader, &child, &last))
            return false;
    return true;
}

const struct node *
tree_read(const struct document_request *request, const struct document_tree *tree)
{
    struct tree_reader reader = {.request = request, .tree = tree, .depth = 1};
    struct node *root = arena_alloc(request->arena, sizeof(*root));

    return root && tree_read_value(&reader, tree->root, root) ? root : NULL;
}

struct slice
document_tree_kind(const struct document_tree *tree)
{
    struct tree_place place = {0};
    struct tree_child child;
    struct tree_value value = {.kind = NODE_NULL};

    tree->look(tree->root, &value);
    if (value.kind != NODE_MAP)
        return NO_SLICE;
    while (tree->next(tree->root, &place, &child)) {
        if (!slice_equal(child.key, SLICE("kind")))
            continue;
        tree->look(child.value, &value);
        return value.kind == NODE_STRING ? value.text : NO_SLICE;
    }
    return NO_SLICE;
}
