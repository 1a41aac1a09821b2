/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_POLICY_SPELLING_H
#define FUZZ_POLICY_SPELLING_H

#include "fuzz/promises.h"
#include "libgang/document/document.h"
#include "libgang/document/writer.h"

/*
 * Writes the same policy in another spelling: as JSON, with the keys of every map in reverse order.
 */

static inline void
spell_key(struct buffer *out, struct slice key)
{
    const struct node text = {.kind = NODE_STRING, .as.text = key.data, .len = (uint32_t)key.len};

    json_write(out, &text);
    buffer_append_byte(out, ':');
}

static inline bool
is_list_of_rules(const struct node *node)
{
    return slice_equal(node_key(node), SLICE("rules")) &&
           slice_equal(node_key(node->parent), SLICE("spec")) && node->parent->parent &&
           !node->parent->parent->parent;
}

static inline void spell(struct buffer *out, const struct node *node, const char *last_rule);

static inline void
spell_map(struct buffer *out, const struct node *map, const char *last_rule)
{
    const struct node **members = malloc((node_count(map) + 1) * sizeof(*members));
    size_t count = 0;

    must(members != NULL);
    for (NODE_EACH(member, map))
        members[count++] = member;
    buffer_append_byte(out, '{');
    while (count-- > 0) {
        spell_key(out, node_key(members[count]));
        spell(out, members[count], last_rule);
        if (count)
            buffer_append_byte(out, ',');
    }
    buffer_append_byte(out, '}');
    free(members);
}

static inline void
spell_list(struct buffer *out, const struct node *list, const char *last_rule)
{
    const char *before = "";

    buffer_append_byte(out, '[');
    for (NODE_EACH(item, list)) {
        buffer_append_slice(out, slice_from_text(before));
        spell(out, item, last_rule);
        before = ",";
    }
    if (last_rule && is_list_of_rules(list)) {
        buffer_append_slice(out, slice_from_text(before));
        buffer_append_slice(out, slice_from_text(last_rule));
    }
    buffer_append_byte(out, ']');
}

static inline void
spell(struct buffer *out, const struct node *node, const char *last_rule)
{
    if (node->kind == NODE_MAP)
        spell_map(out, node, last_rule);
    else if (node->kind == NODE_LIST)
        spell_list(out, node, last_rule);
    else
        json_write(out, node);
}

/*
 * Returns the policy that is read from the other spelling; NULL if it is refused. `last_rule` is a
 * rule to append, or NULL.
 */
static inline struct gang_document *
spell_anew(const char *data, size_t len, const char *last_rule)
{
    struct arena *arena = arena_new(0);
    struct buffer out = {0};
    struct report findings;
    const struct document_request request = {
        .arena = arena,
        .limits = context_limits(NULL),
        .report = &findings,
        .document = GANG_DOCUMENT_POLICY,
    };
    struct gang_document *policy = NULL;
    const struct node *root;

    report_init(&findings, arena, context_limits(NULL));
    root = document_read(&request, (struct slice){data, len});
    must(root != NULL);
    spell(&out, root, last_rule);
    if (gang_document_parse(NULL, out.data, out.len, 0, &policy, NULL) != GANG_OK)
        policy = NULL;
    buffer_clear(&out);
    arena_free(arena);
    return policy;
}

#endif
