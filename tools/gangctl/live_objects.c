/* SPDX-License-Identifier: Apache-2.0 */
#include "live.h"

#include <stdio.h>
#include <stdlib.h>

#include "input.h"
#include "jobs.h"

struct json_object *
document_as_json(const char *data, size_t len)
{
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    struct json_object *tree = NULL;
    struct text text = {0};

    if (!gang_stream_parse(NULL, data, len, 0, &stream, NULL) &&
        gang_stream_num_documents(stream) &&
        !gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 0, &blob, NULL)) {
        text_add(&text, gang_blob_get_data(blob, NULL));
        tree = json_read(&text);
    }
    text_free(&text);
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    return tree;
}

struct json_object *
object_as_json(const struct gang_object *object)
{
    struct gang_blob *blob = NULL;
    struct json_object *tree = NULL;
    struct text text = {0};

    if (!gang_object_serialize(NULL, object, GANG_FORMAT_JSON, 0, &blob, NULL)) {
        text_add(&text, gang_blob_get_data(blob, NULL));
        tree = json_read(&text);
    }
    text_free(&text);
    gang_blob_unref(blob);
    return tree;
}

/* Returns the kinds of jobs, of runtimes, and of the objects of plans: a map. */
static struct json_object *
named_kinds(const struct workbench *bench)
{
    struct json_object *kinds = tree_map();

    if (bench->num_topologies)
        tree_put(kinds, "Topology", NULL);
    for (size_t i = 0; i < bench->num_runtimes; i++)
        tree_put(kinds, bench->runtimes[i].document->kind, NULL);
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        tree_put(kinds, bench->jobs[i].document->kind, NULL);
        for (size_t j = 0; j < gang_plan_num_objects(plan); j++)
            tree_put(kinds, gang_object_get_kind(gang_plan_get_object(plan, j)), NULL);
    }
    return kinds;
}

static void
add_object(struct live_objects *live, struct json_object *tree)
{
    const char *name = tree_text(tree_member(tree, "metadata"), "name");

    live->items = must_reallocate(live->items, live->count + 1, sizeof(*live->items));
    live->items[live->count] = (struct live_tree){name ? name : "", live->count, tree};
    live->count++;
}

static int
compare_live_trees(const void *a, const void *b)
{
    const struct live_tree *one = a;
    const struct live_tree *other = b;
    int order = strcmp(one->name, other->name);

    return order ? order : (one->place > other->place) - (one->place < other->place);
}

void
live_objects_read(struct live_objects *live, const struct workbench *bench,
                  const struct source *source)
{
    struct feed *feed = must_allocate(sizeof(*feed));
    struct json_object *kinds = named_kinds(bench);
    struct chunk chunk = {0};
    FILE *file = source->len ? fmemopen(source->data, source->len, "r") : NULL;

    if (source->len && !file)
        out_of_memory();
    if (file)
        feed_start(feed, file);
    while (file && feed_next(feed, &chunk)) {
        struct json_object *tree = NULL;

        if (!chunk.kind[0] || json_object_object_get_ex(kinds, chunk.kind, NULL))
            tree = document_as_json(chunk.text.data, chunk.text.len);
        if (tree)
            add_object(live, tree);
    }
    if (file)
        fclose(file);
    text_free(&chunk.text);
    json_object_put(kinds);
    free(feed);
    if (live->count)
        qsort(live->items, live->count, sizeof(*live->items), compare_live_trees);
}

/* Whether two API versions are of one group. */
static bool
is_same_group(const char *a, const char *b)
{
    const char *slash_a = a ? strchr(a, '/') : NULL;
    const char *slash_b = strchr(b, '/');
    size_t len_a = slash_a ? (size_t)(slash_a - a) : 0;
    size_t len_b = slash_b ? (size_t)(slash_b - b) : 0;

    return a && len_a == len_b && memcmp(a, b, len_a) == 0;
}

static bool
is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

struct object_name
name_of_object(const struct gang_object *object)
{
    return (struct object_name){
        .api_version = gang_object_get_api_version(object),
        .kind = gang_object_get_kind(object),
        .space = gang_object_get_namespace(object),
        .name = gang_object_get_name(object),
    };
}

/* Returns the first object that does not have a lesser name. */
static size_t
find_live_name(const struct live_objects *live, const char *name)
{
    size_t low = 0;
    size_t high = live->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (strcmp(live->items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct json_object *
live_objects_find(const struct live_objects *live, const struct object_name *name)
{
    const char *wanted = name->name ? name->name : "";

    for (size_t i = find_live_name(live, wanted);
         i < live->count && strcmp(live->items[i].name, wanted) == 0; i++) {
        struct json_object *tree = live->items[i].tree;
        struct json_object *metadata = tree_member(tree, "metadata");

        if (tree_text_is(tree, "kind", name->kind) &&
            is_same_group(tree_text(tree, "apiVersion"), name->api_version) &&
            is_same_text(tree_text(metadata, "namespace"), name->space))
            return tree;
    }
    return NULL;
}

void
live_objects_free(struct live_objects *live)
{
    for (size_t i = 0; i < live->count; i++)
        json_object_put(live->items[i].tree);
    free(live->items);
    *live = (struct live_objects){0};
}
