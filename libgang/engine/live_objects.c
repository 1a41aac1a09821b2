/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/live_objects.h"

#include "libgang/base/context.h"
#include "libgang/document/document.h"
#include "libgang/document/finding.h"
#include "libgang/document/split.h"

struct live_reader {
    const struct limits *limits;
    struct arena *arena;
    struct report *report;
    struct live_objects objects;
    size_t capacity;
};

struct slice
live_group_of(struct slice api_version)
{
    const char *slash = api_version.len ? memchr(api_version.data, '/', api_version.len) : NULL;

    return slash ? (struct slice){api_version.data, (size_t)(slash - api_version.data)} : SLICE("");
}

bool
live_same_namespace(struct slice a, struct slice b)
{
    return slice_equal(a.len ? a : SLICE("default"), b.len ? b : SLICE("default"));
}

static const struct node *
live_controller_of(const struct node *metadata)
{
    for (NODE_EACH(owner, node_member(metadata, SLICE("ownerReferences"))))
        if (node_is_true(node_member(owner, SLICE("controller"))))
            return owner;
    return NULL;
}

static struct live_object
live_object_of(const struct node *root)
{
    const struct node *metadata = node_member(root, SLICE("metadata"));
    struct live_object object = {
        .root = root,
        .metadata = metadata,
        .api_version = node_string(node_member(root, SLICE("apiVersion"))),
        .kind = node_string(node_member(root, SLICE("kind"))),
        .name = node_string(node_member(metadata, SLICE("name"))),
        .namespace_ = node_string(node_member(metadata, SLICE("namespace"))),
        .uid = node_string(node_member(metadata, SLICE("uid"))),
        .is_terminating = node_member(metadata, SLICE("deletionTimestamp")) != NULL,
        .controller = live_controller_of(metadata),
    };

    object.group = live_group_of(object.api_version);
    return object;
}

static void
live_add(struct live_reader *reader, const struct live_object *object)
{
    if (reader->objects.count == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 8;
        struct live_object *grown =
            arena_grow(reader->arena, reader->objects.items, reader->objects.count, capacity, sizeof(*grown));

        if (!grown)
            return;
        reader->objects.items = grown;
        reader->capacity = capacity;
    }
    reader->objects.items[reader->objects.count++] = *object;
}

static bool
live_is_list(const struct live_object *object)
{
    static const char ending[] = "List";
    size_t len = sizeof(ending) - 1;

    return object->kind.len >= len && memcmp(object->kind.data + object->kind.len - len, ending, len) == 0 &&
           node_is(node_member(object->root, SLICE("items")), NODE_LIST);
}

/* The item of a list becomes a root, so that paths are those of the object. Nobody else has seen the tree yet. */
static const struct node *
live_cut_out(struct arena *arena, const struct node *item)
{
    struct node *root = arena_take(arena, sizeof(*root));

    if (!root)
        return item;
    *root = *item;
    root->parent = NULL;
    root->next = NULL;
    for (struct node *child = (struct node *)node_first(root); child; child = (struct node *)child->next)
        child->parent = root;
    return root;
}

static void live_take(struct live_reader *reader, const struct node *root);

/* Lists hold no lists of the API server's; the readers' limit on depth bounds those that do. */
static void
live_take_items(struct live_reader *reader, const struct node *items)
{
    for (NODE_EACH(item, items))
        live_take(reader, live_cut_out(reader->arena, item));
}

static void
live_take(struct live_reader *reader, const struct node *root)
{
    struct live_object object = live_object_of(root);

    if (live_is_list(&object))
        live_take_items(reader, node_member(root, SLICE("items")));
    else if (object.api_version.len && object.kind.len && object.name.len)
        live_add(reader, &object);
    else
        find_note(reader->report, GANG_CODE_NOT_AN_OBJECT, root, "pass what kubectl get -o yaml prints",
                  "an object of the cluster has apiVersion, kind and metadata.name");
}

/* Places are counted from the document's start until here. */
static void
live_move(const struct node *root, const struct split_part *part)
{
    struct node *node = (struct node *)root;

    if (node->line == 1)
        node->column += part->column - 1;
    node->line += part->line - 1;
    for (const struct node *child = node_first(root); child; child = child->next)
        live_move(child, part);
}

static void
live_move_findings(struct report *report, size_t from, const struct split_part *part)
{
    for (size_t i = from; i < report->count; i++) {
        struct gang_diagnostic *item = &report->items[i];

        if (!item->line)
            continue;
        if (item->line == 1)
            item->column += part->column - 1;
        item->line += part->line - 1;
    }
}

/* Without aliases, so that every node stands in one place. */
static void
live_read_document(struct live_reader *reader, const struct split_part *part)
{
    size_t before = reader->report->count;
    const struct document_request request = {
        .arena = reader->arena,
        .limits = reader->limits,
        .report = reader->report,
        .document = GANG_DOCUMENT_LIVE,
        .lines_before = part->line - 1,
    };
    const struct node *root = document_read(&request, part->text);

    live_move_findings(reader->report, before, part);
    if (!root)
        return;
    live_move(root, part);
    live_take(reader, root);
}

static bool
live_within(struct live_reader *reader, enum gang_limit limit, uint64_t value)
{
    uint64_t largest = limit_of(reader->limits, limit);

    if (value <= largest)
        return true;
    find_in_document(reader->report, limit_table[limit].code, GANG_DOCUMENT_LIVE, NULL,
                     "%s: %llu is more than the limit of %llu", limit_table[limit].name,
                     (unsigned long long)value, (unsigned long long)largest);
    return false;
}

static void
live_refuse_separator(struct live_reader *reader, const struct split_part *part)
{
    const struct report_place place = {GANG_DOCUMENT_LIVE, part->line, part->column, SLICE("")};

    report_add(reader->report, GANG_CODE_DOCUMENT_SEPARATOR, &place, "put `---` on a line of its own",
               "text stands behind a document separator");
}

static void
live_read_all(struct live_reader *reader, struct slice text)
{
    struct splitter splitter = splitter_start(text);
    struct split_part part;
    enum split_result result;
    uint64_t count = 0;

    if (!live_within(reader, GANG_LIMIT_STREAM_BYTES, text.len))
        return;
    while ((result = splitter_next(&splitter, &part)) != SPLIT_END && !arena_failed(reader->arena)) {
        if (result == SPLIT_BAD_SEPARATOR)
            live_refuse_separator(reader, &part);
        else if (!live_within(reader, GANG_LIMIT_STREAM_DOCUMENTS, ++count))
            return;
        else
            live_read_document(reader, &part);
    }
}

struct live_objects
live_objects_read(struct slice text, const struct limits *limits, struct arena *arena, struct report *report)
{
    struct live_reader reader = {.limits = limits, .arena = arena, .report = report};

    live_read_all(&reader, text);
    return reader.objects;
}

static bool
live_is_meant(const struct live_object *object, const struct live_key *key)
{
    return slice_equal(object->name, key->name) && slice_equal(object->kind, key->kind) &&
           slice_equal(object->group, key->group) && live_same_namespace(object->namespace_, key->namespace_);
}

const struct live_object *
live_objects_find(const struct live_objects *objects, const struct live_key *key)
{
    for (size_t i = 0; i < objects->count; i++)
        if (live_is_meant(&objects->items[i], key))
            return &objects->items[i];
    return NULL;
}
