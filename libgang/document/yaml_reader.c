/* SPDX-License-Identifier: Apache-2.0 */
#ifdef GANG_WITH_YAML

#include "libgang/document/yaml_source.h"

/*
 * Builds a tree from libyaml's events. libyaml's own loader needs quadratic time for anchors and
 * accepts cycles.
 */

enum { YAML_NO_ANCHOR = INT32_MAX };

struct yaml_level {
    struct node *container; /* NULL at the outermost level */
    struct node *last;
    const struct node *merge; /* the value of the map's merge key */
    uint32_t above;           /* members of the map above it */
    size_t anchor;
    uint32_t nodes_before;
    uint32_t height;
};

enum {
    YAML_STEPS_OF_EVENT = 40,
    YAML_COPIES_OF_VALUE = 64 /* as many as there are roles that share a template */
};

struct yaml_composer {
    const struct document_request *request;
    struct yaml_source source;
    struct yaml_anchors anchors;
    struct slice key; /* of the member whose value comes next */
    struct reader_mark key_mark;
    bool key_is_merge;
    uint32_t nodes;
    uint32_t expanded; /* of them, those below aliases */
    uint32_t aliases;
    uint32_t depth;
    struct yaml_level *level; /* the innermost one */
    struct reader_items items;
};

static struct reader_mark
yaml_event_mark(const struct yaml_composer *composer)
{
    return yaml_source_mark(&composer->source, composer->source.event.start_mark);
}

static bool
yaml_expects_key(struct yaml_composer *composer)
{
    const struct node *container = composer->level->container;

    return container && container->kind == NODE_MAP && !composer->key.data;
}

/*
 * Returns a placeholder for the value that is being read, so that a finding has its path before the
 * node exists.
 */
static struct node
yaml_here(struct yaml_composer *composer)
{
    const struct node *container = composer->level->container;

    if (!container)
        return (struct node){0};
    if (yaml_expects_key(composer))
        return *container;
    return (struct node){
        .parent = container,
        .key = composer->key.data,
        .key_len = (uint32_t)composer->key.len,
        .index = container->len,
    };
}

static bool
yaml_fail(struct yaml_composer *composer, enum gang_code code, const char *hint,
          const char *message)
{
    struct node here = yaml_here(composer);

    return reader_fail(composer->request, code, yaml_event_mark(composer), &here, hint, "%s",
                       message);
}

static bool
yaml_report_limit(struct yaml_composer *composer, enum gang_limit limit, uint64_t value)
{
    struct node here = yaml_here(composer);

    return reader_report_limit(composer->request, limit, value, yaml_event_mark(composer), &here);
}

static inline bool
yaml_within(struct yaml_composer *composer, enum gang_limit limit, uint64_t value)
{
    return value <= limit_of(composer->request->limits, limit) ||
           yaml_report_limit(composer, limit, value);
}

/* ---- nodes ---- */

static bool
yaml_item_ok(struct yaml_composer *composer)
{
    const struct node *container = composer->level->container;

    if (!container || container->kind != NODE_LIST)
        return true;
    return yaml_within(composer, reader_items_limit(&composer->items, container),
                       (uint64_t)container->len + 1);
}

static struct node *
yaml_add_node(struct yaml_composer *composer, enum node_kind kind)
{
    struct reader_mark mark = yaml_event_mark(composer);
    struct node *node;
    struct yaml_level *level;
    bool is_merge;

    if (!yaml_item_ok(composer) || !yaml_within(composer, GANG_LIMIT_NODES, ++composer->nodes))
        return NULL;
    node = arena_alloc(composer->request->arena, sizeof(*node));
    if (!node)
        return NULL;
    node->kind = (uint8_t)kind;
    node->document = (uint8_t)composer->request->document;
    node->line = mark.line;
    node->column = mark.column;
    /* Keeps the value of a merge key outside of the members until the map is complete. */
    level = composer->level;
    is_merge = composer->key_is_merge;
    composer->key_is_merge = false;
    node->key = composer->key.data;
    node->key_len = (uint32_t)composer->key.len;
    node->key_line = composer->key_mark.line;
    node->key_column = composer->key_mark.column;
    composer->key = NO_SLICE;
    composer->key_mark = (struct reader_mark){0, 0};
    if (is_merge) {
        node->parent = level->container;
        level->merge = node;
        level->above = level->container->len;
    } else {
        if (level->container)
            node_append(level->container, level->last, node);
        level->last = node;
    }
    return node;
}

/* ---- anchors and aliases ---- */

static bool
yaml_refuse_reuse(struct yaml_composer *composer, enum gang_code code, const struct node *inside,
                  const char *what)
{
    return reader_fail(composer->request, code, yaml_event_mark(composer), inside,
                       "write the value out", "%s are not allowed in a %s document", what,
                       gang_document_type_name((int)composer->request->document));
}

static bool
yaml_add_anchor(struct yaml_composer *composer, const yaml_char_t *name, const struct node *node,
                size_t *number)
{
    uint64_t count = (uint64_t)composer->anchors.count + 1;

    *number = YAML_NO_ANCHOR;
    if (!name)
        return true;
    if (!composer->request->allow_aliases)
        return yaml_refuse_reuse(composer, GANG_CODE_LIMIT_ANCHORS, node, "anchors");
    if (!yaml_within(composer, GANG_LIMIT_ANCHORS, count))
        return false;
    *number = yaml_anchors_add(&composer->anchors, composer->request->arena, yaml_name(name), node);
    return *number != SIZE_MAX;
}

static void
yaml_close_anchor(struct yaml_composer *composer, size_t number, uint32_t nodes, uint32_t height)
{
    struct yaml_anchor *anchor;

    if (number == YAML_NO_ANCHOR)
        return;
    anchor = &composer->anchors.items[number];
    anchor->nodes = nodes;
    anchor->height = height;
    anchor->is_open = false;
}

/* An anchor of the current event, if it has one. */
static bool
yaml_anchor_scalar(struct yaml_composer *composer, const struct node *node)
{
    const yaml_char_t *name = composer->source.event.data.scalar.anchor;
    size_t anchor;

    if (!name)
        return true;
    if (!yaml_add_anchor(composer, name, node, &anchor))
        return false;
    yaml_close_anchor(composer, anchor, 1, 0);
    return true;
}

static const struct yaml_anchor *
yaml_find_anchor(struct yaml_composer *composer)
{
    struct slice name = yaml_name(composer->source.event.data.alias.anchor);
    const struct yaml_anchor *anchor = yaml_anchors_find(&composer->anchors, name);
    struct node here = yaml_here(composer);

    if (anchor && !anchor->is_open)
        return anchor;
    reader_fail(composer->request, anchor ? GANG_CODE_ALIAS_CYCLE : GANG_CODE_ALIAS_UNKNOWN,
                yaml_event_mark(composer), &here,
                anchor ? NULL : "put the text in quotes if it is not meant as an alias",
                anchor ? "anchor %-.*s contains itself" : "unknown anchor %-.*s", SLICE_ARG(name));
    return NULL;
}

static bool
yaml_alias_allowed(struct yaml_composer *composer)
{
    struct node here = yaml_here(composer);

    if (!composer->request->allow_aliases)
        return yaml_refuse_reuse(composer, GANG_CODE_LIMIT_ALIASES, &here, "aliases");
    return yaml_within(composer, GANG_LIMIT_ALIASES, ++composer->aliases);
}

static void
yaml_note_height(struct yaml_composer *composer, uint32_t height)
{
    struct yaml_level *level = composer->level;

    if (level->height < height)
        level->height = height;
}

/* Replaces the children of another node by copies. It calls itself once for each level. */
SELDOM static bool
yaml_copy_children(struct arena *arena, struct node *node)
{
    const struct node **link = &node->as.first;

    for (NODE_EACH(child, node)) {
        struct node *copy = arena_alloc(arena, sizeof(*copy));

        if (!copy)
            return false;
        *copy = *child;
        copy->parent = node;
        *link = copy;
        link = &copy->next;
        if (!yaml_copy_children(arena, copy))
            return false;
    }
    return true;
}

/*
 * The alias has its own position and children, so that roles with one text can get marks of their
 * own; its mark, and those of its children, are the places where the values were written. Where
 * aliases multiply the values of the text by too much, it shares the children, so that memory grows
 * with the text.
 */
static bool
yaml_add_alias(struct yaml_composer *composer, const struct yaml_anchor *anchor)
{
    struct node *node = yaml_add_node(composer, (enum node_kind)anchor->node->kind);

    if (!node)
        return false;
    composer->nodes += anchor->nodes - 1;
    composer->expanded += anchor->nodes - 1;
    if (!yaml_within(composer, GANG_LIMIT_NODES, composer->nodes) ||
        !yaml_within(composer, GANG_LIMIT_DEPTH, (uint64_t)composer->depth + anchor->height))
        return false;
    node->as = anchor->node->as;
    node->len = anchor->node->len;
    node->quoted = anchor->node->quoted;
    node->line = anchor->node->line;
    node->column = anchor->node->column;
    yaml_note_height(composer, anchor->height);
    return composer->expanded / YAML_COPIES_OF_VALUE > composer->nodes - composer->expanded ||
           yaml_copy_children(composer->request->arena, node);
}

/* ---- scalars ---- */

static bool
yaml_refuse_tag(struct yaml_composer *composer, struct slice name)
{
    struct node here = yaml_here(composer);

    return reader_fail(composer->request, GANG_CODE_TAG, yaml_event_mark(composer), &here,
                       "remove the tag", "the tag %-.*s is not accepted", SLICE_ARG(name));
}

/* Always returns false. */
static bool
yaml_refuse_scalar(struct yaml_composer *composer, enum scalar_status status)
{
    switch (status) {
    case SCALAR_NON_FINITE:
        return yaml_fail(composer, GANG_CODE_NON_FINITE_NUMBER, "write a number or quote the text",
                         "infinity and NaN are not allowed in a Kubernetes document");
    case SCALAR_IMPRECISE:
        return yaml_fail(composer, GANG_CODE_NUMBER_PRECISION,
                         "quote it or write it with fewer digits",
                         "the number has more digits than a 64-bit float keeps");
    default:
        return yaml_fail(composer, GANG_CODE_TAG, "remove the tag",
                         "the value does not have the type of its tag");
    }
}

/* Returns the scalar of the current event with its type. */
static inline bool
yaml_resolve(struct yaml_composer *composer, struct scalar *out)
{
    const yaml_event_t *event = &composer->source.event;
    const yaml_char_t *name = event->data.scalar.tag;
    bool is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    enum scalar_tag tag = is_plain ? SCALAR_UNTAGGED : SCALAR_STR;

    if (name && !scalar_tag_of(yaml_name(name), &tag))
        return yaml_refuse_tag(composer, yaml_name(name));
    scalar_resolve_tagged(yaml_slice(event->data.scalar.value, event->data.scalar.length), tag,
                          out);
    return out->status == SCALAR_OK || yaml_refuse_scalar(composer, out->status);
}

/* Returns the text of the value of a scalar. The text lives as long as the arena. */
static struct slice
yaml_scalar_text(struct yaml_composer *composer, const struct scalar *value)
{
    const yaml_event_t *event = &composer->source.event;

    if (value->kind == NODE_BOOL)
        return value->word;
    if (value->kind == NODE_STRING)
        return arena_copy(composer->request->arena,
                          yaml_slice(event->data.scalar.value, event->data.scalar.length));
    return arena_copy(composer->request->arena,
                      (struct slice){value->number.text, value->number.len});
}

static bool
yaml_set_scalar(struct yaml_composer *composer, struct node *node, const struct scalar *value)
{
    struct slice text;

    node->kind = (uint8_t)value->kind;
    node->quoted = composer->source.event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (value->kind == NODE_NULL)
        return true;
    text = yaml_scalar_text(composer, value);
    node->as.text = text.data;
    node->len = (uint32_t)text.len;
    return text.data != NULL;
}

static bool
yaml_add_scalar(struct yaml_composer *composer)
{
    const yaml_event_t *event = &composer->source.event;
    struct scalar value;
    struct node *node;

    if (!yaml_within(composer, GANG_LIMIT_SCALAR_BYTES, event->data.scalar.length) ||
        !yaml_resolve(composer, &value))
        return false;
    node = yaml_add_node(composer, value.kind);
    return node && yaml_set_scalar(composer, node, &value) && yaml_anchor_scalar(composer, node);
}

/* ---- keys ---- */

static bool
yaml_refuse_key(struct yaml_composer *composer, const char *kind)
{
    return reader_fail(composer->request, GANG_CODE_KEY_TYPE, yaml_event_mark(composer),
                       composer->level->container, "quote the key",
                       "the key of a mapping may not be %s", kind);
}

/* Kubernetes converts a boolean or a number to text; strict mode requires quotes. */
static bool
yaml_key_type_ok(struct yaml_composer *composer, enum node_kind kind, struct slice text)
{
    if (kind == NODE_NULL)
        return yaml_refuse_key(composer, "null");
    if (kind == NODE_STRING || !composer->request->report->strict)
        return true;
    reader_fail(composer->request, GANG_CODE_KEY_TYPE, yaml_event_mark(composer),
                composer->level->container, "quote the key",
                "the key is read as %-.*s, not as a string", SLICE_ARG(text));
    return true;
}

static inline bool
yaml_set_key(struct yaml_composer *composer, enum node_kind kind, bool is_quoted, struct slice text)
{
    const struct node *container = composer->level->container;

    if (!yaml_key_type_ok(composer, kind, text) || !text.data ||
        !yaml_within(composer, GANG_LIMIT_KEY_BYTES, text.len) ||
        !yaml_within(composer, GANG_LIMIT_MAP_KEYS, (uint64_t)container->len + 1))
        return false;
    if (is_quoted && memchr(text.data, '\0', text.len)) /* by an escape */
        return yaml_fail(composer, GANG_CODE_NUL_CHARACTER, NULL, "a key holds a NUL character");
    composer->key = text;
    composer->key_mark = yaml_event_mark(composer);
    return true;
}

/* An anchor on a key is a separate node outside of the tree. */
static bool
yaml_anchor_key(struct yaml_composer *composer, const struct scalar *value)
{
    struct reader_mark mark = yaml_event_mark(composer);
    struct node *node = arena_alloc(composer->request->arena, sizeof(*node));

    if (!node)
        return false;
    node->document = (uint8_t)composer->request->document;
    node->parent = composer->level->container;
    node->line = mark.line;
    node->column = mark.column;
    return yaml_set_scalar(composer, node, value) && yaml_anchor_scalar(composer, node);
}

static bool
yaml_add_key(struct yaml_composer *composer)
{
    const yaml_event_t *event = &composer->source.event;
    struct scalar value;

    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !event->data.scalar.tag &&
        slice_equal(yaml_slice(event->data.scalar.value, event->data.scalar.length), SLICE("<<"))) {
        const struct node *before = composer->level->merge;

        if (!composer->request->allow_merge)
            return yaml_fail(composer, GANG_CODE_MERGE_FORBIDDEN, "write the fields out",
                             "merge keys are not allowed in this document");
        if (before)
            return reader_fail(
                composer->request, GANG_CODE_DUPLICATE_KEY, yaml_event_mark(composer),
                composer->level->container, "merge a list: <<: [*a, *b]",
                "duplicate field \"<<\": already set on line %u, column %u",
                before->key_line + composer->request->lines_before, before->key_column);
        composer->key_is_merge = true;
        composer->key = SLICE("<<");
        composer->key_mark = yaml_event_mark(composer);
        return true;
    }
    if (!yaml_within(composer, GANG_LIMIT_KEY_BYTES, event->data.scalar.length) ||
        !yaml_resolve(composer, &value))
        return false;
    if (event->data.scalar.anchor && !yaml_anchor_key(composer, &value))
        return false;
    return yaml_set_key(composer, value.kind, event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE,
                        value.kind == NODE_NULL ? SLICE("null")
                                                : yaml_scalar_text(composer, &value));
}

static bool
yaml_add_alias_key(struct yaml_composer *composer, const struct yaml_anchor *anchor)
{
    if (anchor->node->kind >= NODE_LIST)
        return yaml_refuse_key(composer, anchor->node->kind == NODE_LIST ? "a list" : "a mapping");
    return yaml_set_key(composer, (enum node_kind)anchor->node->kind, anchor->node->quoted,
                        node_text(anchor->node));
}

/* ---- containers ---- */

static bool
yaml_open(struct yaml_composer *composer, enum node_kind kind, const yaml_char_t *anchor,
          const yaml_char_t *tag)
{
    uint32_t nodes_before = composer->nodes;
    struct node *node;
    size_t number;

    if (yaml_expects_key(composer))
        return yaml_refuse_key(composer, kind == NODE_LIST ? "a list" : "a mapping");
    if (tag && strcmp((const char *)tag, kind == NODE_LIST ? YAML_SEQ_TAG : YAML_MAP_TAG) != 0)
        return yaml_refuse_tag(composer, yaml_name(tag));
    if (!yaml_within(composer, GANG_LIMIT_DEPTH, (uint64_t)composer->depth + 1))
        return false;
    node = yaml_add_node(composer, kind);
    if (!node || !yaml_add_anchor(composer, anchor, node, &number))
        return false;
    if (kind == NODE_LIST && composer->request->taker)
        reader_items_open(&composer->items, composer->request, node, composer->depth,
                          composer->nodes);
    composer->depth++;
    *++composer->level = (struct yaml_level){
        .container = node, .anchor = number, .nodes_before = nodes_before, .height = 1};
    return true;
}

static bool
yaml_is_mergeable(const struct node *source)
{
    if (source->kind == NODE_MAP)
        return true;
    for (NODE_EACH(item, source))
        if (item->kind != NODE_MAP)
            return false;
    return source->kind == NODE_LIST;
}

static bool
yaml_finish_map(struct yaml_composer *composer)
{
    struct yaml_level *level = composer->level;
    struct reader_mark mark;

    reader_check_duplicates(composer->request, level->container);
    if (!level->merge)
        return true;
    mark = (struct reader_mark){level->merge->line, level->merge->column};
    if (!yaml_is_mergeable(level->merge))
        return reader_fail(composer->request, GANG_CODE_MERGE_INVALID, mark, level->merge,
                           "point it at a mapping",
                           "the value of a merge key must be a mapping or a list of mappings");
    return yaml_merge(composer->request, level->container, level->above, level->merge);
}

/* ---- the document ---- */

/* After an event. */
static bool
yaml_pass_item(struct yaml_composer *composer)
{
    struct yaml_level *level = composer->level;

    return !composer->items.list ||
           reader_items_pass(&composer->items, composer->request, level->container, &level->last,
                             &composer->nodes);
}

static bool
yaml_handle(struct yaml_composer *composer)
{
    const yaml_event_t *event = &composer->source.event;

    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return yaml_expects_key(composer) ? yaml_add_key(composer) : yaml_add_scalar(composer);
    case YAML_MAPPING_START_EVENT:
        return yaml_open(composer, NODE_MAP, event->data.mapping_start.anchor,
                         event->data.mapping_start.tag);
    case YAML_SEQUENCE_START_EVENT:
        return yaml_open(composer, NODE_LIST, event->data.sequence_start.anchor,
                         event->data.sequence_start.tag);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: {
        struct yaml_level *level = composer->level;

        if (level->container->kind == NODE_MAP && !yaml_finish_map(composer))
            return false;
        yaml_close_anchor(composer, level->anchor, composer->nodes - level->nodes_before,
                          level->height);
        composer->depth--;
        composer->level--;
        yaml_note_height(composer, level->height + 1);
        return true;
    }
    case YAML_ALIAS_EVENT: {
        const struct yaml_anchor *anchor =
            yaml_alias_allowed(composer) ? yaml_find_anchor(composer) : NULL;

        if (!anchor)
            return false;
        return yaml_expects_key(composer) ? yaml_add_alias_key(composer, anchor)
                                          : yaml_add_alias(composer, anchor);
    }
    default:
        return true;
    }
}

static bool
yaml_next(struct yaml_composer *composer)
{
    if (yaml_source_next(&composer->source))
        return true;
    if (yaml_source_out_of_memory(&composer->source))
        arena_fail(composer->request->arena);
    else
        yaml_source_report(&composer->source, composer->request, composer->level->container);
    return false;
}

static bool
yaml_compose(struct yaml_composer *composer, struct slice text)
{
    yaml_mark_t end;
    struct slice rest;

    /* libyaml needs 100 instructions for a byte and 2,000 for an event */
    if (!reader_spend(composer->request, 2 * (uint64_t)text.len))
        return false;
    do {
        if (!arena_spend(composer->request->arena, YAML_STEPS_OF_EVENT) || !yaml_next(composer) ||
            !yaml_handle(composer) || !yaml_pass_item(composer))
            return false;
        if (composer->source.event.type == YAML_STREAM_END_EVENT)
            return true;
    } while (composer->source.event.type != YAML_DOCUMENT_END_EVENT);
    /*
     * libyaml needs quadratic time for the directives of a further document, so they are refused
     * first. It counts characters, so the rest begins at least so many bytes behind the start.
     */
    end = composer->source.event.end_mark;
    rest = slice_after(composer->source.text, end.index);
    if (memchr(rest.data, '%', rest.len) &&
        !yaml_text_refuse_directive(composer->request, text,
                                    yaml_source_mark(&composer->source, end).line))
        return false;
    /* Only empty documents may follow, as after a final `---`. */
    while (yaml_next(composer)) {
        struct reader_mark start = yaml_event_mark(composer);

        if (composer->source.event.type == YAML_STREAM_END_EVENT)
            return true;
        if (!yaml_next(composer))
            return false;
        if (!yaml_source_is_empty_value(&composer->source))
            return reader_fail(composer->request, GANG_CODE_MULTIPLE_DOCUMENTS, start, NULL,
                               "pass one document at a time", "a second document starts here");
        if (!yaml_next(composer)) /* the end of the empty document */
            return false;
    }
    return false;
}

const struct node *
yaml_read(const struct document_request *request, struct slice text)
{
    struct yaml_text checked;
    struct yaml_level levels[READER_DEEPEST + 1];
    struct yaml_composer composer;
    size_t errors;
    bool done;

    if (!reader_size_ok(request, text) || !yaml_text_check(request, text, &checked))
        return NULL;
    if (checked.body.len == 0) {
        reader_report_empty(request);
        return NULL;
    }
    levels[0] = (struct yaml_level){.container = NULL};
    composer = (struct yaml_composer){.request = request, .level = levels};
    errors = request->report->errors;
    done = false;
    if (yaml_source_open(&composer.source, checked.body, checked.first_line))
        done = yaml_compose(&composer, text);
    else
        arena_fail(request->arena);
    yaml_source_close(&composer.source);
    if (!done || request->report->errors > errors || arena_failed(request->arena))
        return NULL;
    if (!levels[0].last)
        reader_report_empty(request);
    return levels[0].last;
}
#endif
