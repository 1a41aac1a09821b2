/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

/* ---- live reader ---- */

struct live_reader {
    struct item_taker taker; /* first: the reader of a document calls it back */
    const struct limits *limits;
    uint32_t flags;        /* of gang_document_parse_live() */
    struct arena *arena;   /* of the objects that are kept */
    struct arena *scratch; /* of one document, and in a list of one item */
    struct arena *growing; /* of the array of objects, while its length is not known */
    struct report *report;
    const struct split_part *part;
    struct live_objects objects; /* with those of a document before it is known to be well-formed */
    size_t capacity;
    uint64_t num_taken; /* of all documents, whether or not they are objects */
    bool is_full;
};

/* Returns the kind of the items of a list by its kind; unset if this is no list of one kind. */
static struct slice
live_kind_of_items(const struct node *list)
{
    const struct slice kind = node_string(node_member(list, SLICE("kind")));
    const struct slice ending = SLICE("List");

    return slice_has_suffix(kind, ending) ? (struct slice){kind.data, kind.len - ending.len}
                                          : NO_SLICE;
}

/* Go writes an empty list as null. */
static bool
live_is_list(const struct node *root)
{
    const struct node *items = node_member_or_null(root, SLICE("items"));

    return slice_is_set(live_kind_of_items(root)) &&
           (node_is(items, NODE_LIST) || node_is(items, NODE_NULL));
}

/*
 * Keeps an item without kind. It gets kind and apiVersion of its list, as with kubectl: the API
 * server leaves them out of the items of its own kinds, such as of a PodList.
 */
SELDOM static const struct node *
live_keep_untyped(const struct live_reader *reader, const struct node *item)
{
    const struct node *list = item->parent->parent;
    const struct node *version = node_member(list, SLICE("apiVersion"));
    const struct slice kind = live_kind_of_items(list);
    struct node type[2];
    struct node typed = *item;

    if (kind.len && version) {
        type[0] = *version;
        type[0].next = &type[1];
        type[1] = *node_member(list, SLICE("kind"));
        type[1].len = (uint32_t)kind.len;
        type[1].next = item->as.first;
        typed.as.first = type;
    }
    return live_keep(&typed, reader->flags & GANG_LIVE_DIAGNOSE, reader->part, reader->arena);
}

/*
 * The API server returns no lists inside lists. For other input, the readers' limit on depth bounds
 * the recursion. False at the limit on objects, and if the arena failed.
 */
static bool
live_take(struct item_taker *taker, const struct node *node)
{
    struct live_reader *reader = (struct live_reader *)(void *)taker;
    struct live_objects *objects = &reader->objects;

    if (!live_is_list(node)) {
        const bool has_type =
            !node_is(node, NODE_MAP) || !node->parent || node_member(node, SLICE("kind"));
        const struct node *root = has_type ? live_keep(node, reader->flags & GANG_LIVE_DIAGNOSE,
                                                       reader->part, reader->arena)
                                           : live_keep_untyped(reader, node);

        reader->is_full = reader->num_taken++ == limit_of(reader->limits, GANG_LIMIT_LIVE_OBJECTS);
        if (!root || reader->is_full)
            return false;
        /* The array is cut, so its capacity is stored. */
        if (objects->count == reader->capacity) {
            const size_t larger = reader->capacity ? 2 * reader->capacity : 8;
            struct live_object *grown = arena_grow(reader->growing, objects->items, objects->count,
                                                   larger, sizeof(*objects->items));

            if (!grown)
                return false;
            objects->items = grown;
            reader->capacity = larger;
        }
        objects->items[objects->count++] = live_object_of(root);
        return true;
    }
    for (NODE_EACH(item, node_member(node, SLICE("items"))))
        if (!live_take(taker, item))
            return false;
    return true;
}

/* Reports what is no object of those from an index on, and removes it. */
static void
live_check_objects(struct live_reader *reader, size_t first)
{
    struct live_objects *objects = &reader->objects;
    size_t kept = first;

    for (size_t i = first; i < objects->count; i++) {
        const struct live_object *object = &objects->items[i];

        if (!object->api_version.len || !object->kind.len || !object->name.len)
            find_note(reader->report, object->root, MESSAGE_NOT_AN_OBJECT);
        else if (kept++ != i)
            objects->items[kept - 1] = *object;
    }
    objects->count = kept;
}

static struct report_place
live_place(const struct split_part *part)
{
    return (struct report_place){.document = GANG_DOCUMENT_LIVE,
                                 .line = part->line,
                                 .column = part->column,
                                 .path = SLICE("")};
}

static const char *
live_copy_text(const struct live_reader *reader, const char *text)
{
    return text ? arena_copy(reader->arena, slice_from_text(text)).data : NULL;
}

/* Moves the findings of one document to their places in the text. Its tree is released later. */
static void
live_move_findings(struct live_reader *reader, size_t from, const struct split_part *part)
{
    struct report *report = reader->report;

    for (size_t i = from; i < report->count; i++) {
        struct gang_diagnostic *item = &report->items[i];

        item->column = live_column_in_text(item->line, item->column, part);
        item->line = live_line_in_text(item->line, part);
        item->identity = (struct document_identity){
            live_copy_text(reader, item->identity.kind),
            live_copy_text(reader, item->identity.namespace_),
            live_copy_text(reader, item->identity.name),
        };
    }
    report->last_root = NULL;
}

/* `place` is where the limit is exceeded. */
static void
live_report_limit(const struct live_reader *reader, enum gang_limit limit, uint64_t value,
                  const struct report_place *place)
{
    report_add(reader->report, limit_table[limit].code, place, NULL,
               "%s: %llu is more than the limit of %llu", limit_table[limit].name,
               (unsigned long long)value, (unsigned long long)limit_of(reader->limits, limit));
}

/* Does not resolve aliases, so that every node has one position. */
static void
live_read_document(struct live_reader *reader, struct splitter *splitter,
                   const struct split_part *part)
{
    const size_t first = reader->objects.count;
    size_t before = reader->report->count;
    size_t read_len = 0;
    const struct document_request request = {
        .arena = reader->scratch,
        .taker = &reader->taker,
        .limits = reader->limits,
        .report = reader->report,
        .document = GANG_DOCUMENT_LIVE,
        .lines_before = part->line - 1,
        .skips_managed_fields = true,
        .read_len = part->is_open ? &read_len : NULL,
    };
    const struct node *root;

    reader->part = part;
    arena_start_steps(reader->scratch, limit_of(reader->limits, GANG_LIMIT_STEPS));
    root = document_read(&request, part->text);
    if (part->is_open)
        splitter_close(splitter, read_len);
    live_move_findings(reader, before, part);
    /* the reader has given away the items of a map that turns out to be an object with `items` */
    if (root && !live_is_list(root)) {
        reader->num_taken -= reader->objects.count - first;
        reader->objects.count = first;
        live_take(&reader->taker, root);
    }
    if (root && node_string(node_at(root, "metadata.continue")).len)
        reader->objects.is_partial = true;
    if (reader->is_full) {
        const struct report_place place = live_place(part);

        live_report_limit(reader, GANG_LIMIT_LIVE_OBJECTS, reader->num_taken, &place);
    }
    if (!root || reader->is_full)
        reader->objects.count = first;
    live_check_objects(reader, first);
}

static void
live_read_all(struct live_reader *reader, struct slice text)
{
    const struct arena_mark start = arena_mark(reader->scratch);
    struct splitter splitter = splitter_start(text);
    struct split_part part;
    enum split_result result;

    while (!reader->is_full && (result = splitter_next(&splitter, &part, true)) != SPLIT_END &&
           !arena_failed(reader->arena) && !arena_failed(reader->scratch) &&
           !arena_failed(reader->growing)) {
        if (result == SPLIT_BAD_SEPARATOR) {
            const struct report_place place = live_place(&part);

            report_add(reader->report, GANG_CODE_DOCUMENT_SEPARATOR, &place,
                       "write `---` on a separate line",
                       "unexpected text after a document separator");
        } else {
            live_read_document(reader, &splitter, &part);
        }
        arena_rewind(reader->scratch, &start);
    }
}

/* Moves the array of objects, whose length is now known, to the memory of the handle. */
static void
live_settle(struct live_reader *reader)
{
    struct live_objects *objects = &reader->objects;
    struct live_object *items =
        arena_take_array(reader->arena, objects->count, sizeof(*objects->items));

    if (!items)
        objects->count = 0;
    else if (objects->count)
        memcpy(items, objects->items, objects->count * sizeof(*items));
    objects->items = items;
    live_objects_index(objects, reader->arena);
    if (reader->flags & GANG_LIVE_DIAGNOSE) {
        live_objects_index_parts(objects, reader->arena);
        live_objects_add_use(objects, reader->limits, reader->growing, reader->arena);
        live_objects_index_queues(objects, reader->arena);
    }
}

struct live_objects
live_objects_read(struct slice text, uint32_t flags, const struct limits *limits,
                  struct arena *arena, struct report *report)
{
    struct live_reader reader = {
        .taker = {live_take}, .limits = limits, .flags = flags, .arena = arena, .report = report};

    if (text.len > limit_of(limits, GANG_LIMIT_LIVE_BYTES)) {
        live_report_limit(
            &reader, GANG_LIMIT_LIVE_BYTES, text.len,
            &(struct report_place){.document = GANG_DOCUMENT_LIVE, .path = SLICE("")});
        return reader.objects;
    }
    /* One object has the memory of one document; the text of a JSON list is copied in addition. */
    reader.scratch = arena_new_from(limits->workspace, NULL,
                                    (size_t)limit_of(limits, GANG_LIMIT_MEMORY_BYTES) + text.len);
    reader.growing = arena_new_from(limits->workspace, NULL, 0);
    if (reader.scratch && reader.growing) {
        live_read_all(&reader, text);
        /* A failure of the memory of the reader is one of the handle, which reports it. */
        if (reader.scratch->is_out_of_steps)
            find_in_document(reader.report, GANG_DOCUMENT_LIVE, MESSAGE_LIMIT_STEPS,
                             (unsigned long long)reader.scratch->budget);
        else if (reader.scratch->hit_limit)
            find_in_document(reader.report, GANG_DOCUMENT_LIVE, MESSAGE_LIMIT_MEMORY);
        else if (arena_failed(reader.scratch) || arena_failed(reader.growing))
            arena_fail(reader.arena);
        live_settle(&reader);
    } else {
        arena_fail(arena);
    }
    arena_free(reader.scratch);
    arena_free(reader.growing);
    return reader.objects;
}

/* ---- live document ---- */

static const struct document_kind live_kind = {
    .type = GANG_DOCUMENT_LIVE,
    .size = sizeof(struct gang_live),
};

const struct live_objects *
live_objects_of(const struct gang_document *live)
{
    static const struct live_objects none;

    return document_is(live, GANG_DOCUMENT_LIVE) ? &((const struct gang_live *)live)->objects
                                                 : &none;
}

int
gang_document_parse_live(const struct gang_context *context, const char *data, size_t len,
                         uint32_t flags, struct gang_document **out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct gang_live *live;
    struct arena *arena;
    struct report report;
    int result = CALL_BEGIN(out, err, out && (data || !len), "out and data are needed", flags,
                            GANG_LIVE_DIAGNOSE);

    if (result)
        return result;
    arena = arena_new_from(limits->workspace, NULL,
                           (size_t)limit_of(limits, GANG_LIMIT_LIVE_MEMORY_BYTES));
    if (!arena)
        return error_no_memory(err);
    live = arena_alloc(arena, sizeof(*live));
    report_init(&report, arena, limits);
    if (live)
        live->objects =
            live_objects_read((struct slice){data ? data : "", len}, flags, limits, arena, &report);
    if (arena_failed(arena))
        result = error_from_arena(err, arena);
    else if (report_has_errors(&report))
        result = error_from_report(err, document_result(&report), &report);
    if (result || !live) {
        arena_free(arena);
        return result;
    }
    refcount_init(&live->base.references);
    live->base.arena = arena;
    live->base.entry = &live_kind;
    live->base.findings = report;
    *out = &live->base;
    return result;
}
