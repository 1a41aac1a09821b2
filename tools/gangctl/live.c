/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "live.h"

/* Where the objects of some kinds are put. */
struct object_taker {
    struct json_object *live;
    struct json_object *kinds; /* a map whose keys count */
};

static void
take_object(void *context, const struct chunk *chunk, const struct origin *origin)
{
    const struct object_taker *taker = context;
    struct json_object *tree = NULL;
    struct json_object *same;
    const char *name;

    (void)origin;
    if (!chunk->kind[0] || json_object_object_get_ex(taker->kinds, chunk->kind, NULL))
        tree = document_tree(chunk->text.data, chunk->text.len);
    if (!tree)
        return;
    name = text_of(tree_member(tree, "metadata"), "name");
    same = tree_member(taker->live, name);
    json_object_array_add(same ? same : tree_put_list(taker->live, name), json_object_get(tree));
}

struct json_object *
live_objects_read(const struct workbench *bench, const struct source *source)
{
    struct object_taker taker = {tree_map_of_step(), tree_map_of_step()};

    if (bench->topologies.count)
        tree_put(taker.kinds, "Topology", NULL);
    for (size_t i = 0; i < bench->runtimes.count; i++)
        tree_put(taker.kinds, bench->runtimes.items[i].document->kind, NULL);
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct gang_plan *plan = bench->jobs[i].plan;

        tree_put(taker.kinds, bench->jobs[i].document->kind, NULL);
        for (size_t j = 0; j < gang_plan_num_objects(plan); j++)
            tree_put(taker.kinds, gang_object_get_kind(gang_plan_get_object(plan, j)), NULL);
    }
    feed_source(source, take_object, &taker);
    return taker.live;
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

struct json_object *
live_objects_find(struct json_object *live, const struct object_name *name)
{
    struct json_object *same = tree_member(live, or_empty(name->name));

    for (TREE_EACH(item, same)) {
        struct json_object *tree = *item;

        if (tree_text_is(tree, "kind", name->kind) && tree_text(tree, "apiVersion") &&
            slice_equal(api_group(tree_text(tree, "apiVersion")), api_group(name->api_version)) &&
            is_same_text(tree_text(tree_member(tree, "metadata"), "namespace"), name->space))
            return tree;
    }
    return NULL;
}

/*
 * The keys of a gang's marks: labels, annotations, fields of a pod's spec. A map whose keys count.
 */
static void
add_keys(struct json_object *keys, const struct gang_plan *plan)
{
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++) {
        const struct gang_patch *patch = gang_plan_get_patch(plan, i);

        for (int section = GANG_PATCH_LABELS; section <= GANG_PATCH_SPEC; section++)
            for (size_t j = 0; j < gang_patch_num_fields(patch, section); j++) {
                const char *key = gang_patch_get_key(patch, section, j);
                const size_t len = section == GANG_PATCH_SPEC ? strcspn(key, ".") : strlen(key);

                /* of a field of a field: the first one */
                tree_put(keys, formatted("%.*s", (int)len, key), NULL);
            }
    }
}

static bool
has_marks(struct json_object *value, struct json_object *keys)
{
    for (TREE_EACH(item, value))
        if (has_marks(*item, keys))
            return true;
    if (!json_object_is_type(value, json_type_object))
        return false;
    json_object_object_foreach(value, key, member)
    {
        if (json_object_object_get_ex(keys, key, NULL) || has_marks(member, keys))
            return true;
    }
    return false;
}

static struct json_object *
copy_of(struct json_object *value)
{
    struct json_object *copy = NULL;

    if (value && json_object_deep_copy(value, &copy, NULL))
        out_of_memory();
    return copy;
}

/* Returns the item that is the same one: by its name, otherwise by its place. */
static struct json_object *
find_item_of(struct json_object *list, struct json_object *item, size_t place)
{
    static const char *const names[] = {"name", "groupName", "manager"};
    struct json_object *there;

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *name = tree_text(item, names[i]);

        if (name)
            return tree_find(list, names[i], name);
    }
    there = place < tree_length(list) ? json_object_array_get_idx(list, place) : NULL;
    return json_object_is_type(there, json_object_get_type(item)) ? there : NULL;
}

/* Makes the live value have the marks of the wanted one. */
static void
put_marks(struct json_object *live, struct json_object *wanted, struct json_object *keys)
{
    if (json_object_is_type(wanted, json_type_array)) {
        for (size_t i = 0; i < tree_length(wanted); i++) {
            struct json_object *item = json_object_array_get_idx(wanted, i);
            struct json_object *same = find_item_of(live, item, i);

            if (!has_marks(item, keys))
                continue;
            if (same)
                put_marks(same, item, keys);
            else if (tree_text(item, "manager")) /* the entry of runtimePatches */
                json_object_array_add(live, copy_of(item));
        }
        return;
    }
    json_object_object_foreach(wanted, key, member)
    {
        struct json_object *old = tree_member(live, key);

        if (json_object_object_get_ex(keys, key, NULL)) {
            tree_put(live, key, copy_of(member));
        } else if (has_marks(member, keys)) {
            if (!json_object_is_type(old, json_object_get_type(member))) {
                old = json_object_is_type(member, json_type_array) ? tree_list() : tree_map();
                tree_put(live, key, old);
            }
            put_marks(old, member, keys);
        }
    }
}

static void
add_marked(struct changes *changes, const struct document *document, struct json_object *wanted,
           struct json_object *keys, struct json_object *live)
{
    const struct object_name name = {document->api_version, document->kind, document->namespace_,
                                     document->name};
    static const char *const ends[] = {"Complete", "Completed", "Succeeded",
                                       "Failed",   "Finished",  NULL};
    struct json_object *existing = live_objects_find(live, &name);
    struct json_object *conditions = tree_member(tree_member(existing, "status"), "conditions");
    struct json_object *spec;
    struct json_object *planned;

    if (!existing || !wanted)
        return;
    for (TREE_EACH(condition, conditions))
        if (is_among(text_of(*condition, "type"), ends) &&
            tree_text_is(*condition, "status", "True"))
            return; /* the marks of a job that has ended are no longer read */
    of_step((struct made){.tree = planned = copy_of(existing)});
    put_marks(planned, wanted, keys);
    spec = tree_member(planned, "spec");
    if (document->role == GANG_DOCUMENT_RUNTIME && spec &&
        !tree_member(tree_member(wanted, "spec"), "podGroupPolicy"))
        json_object_object_del(spec, "podGroupPolicy");
    changes_add(changes, existing, planned, NULL);
}

/* Where templates cannot have the marks a webhook sets them in the pods, so here it is no error. */
static void
soften_errors(struct complaints *told, size_t first)
{
    for (size_t i = first; i < told->count; i++) {
        if (told->items[i].severity != GANG_SEVERITY_ERROR)
            continue;
        told->errors--;
        told->items[i].severity = GANG_SEVERITY_WARNING;
    }
}

/* The trees of one document can have many MB: each is of a step. */
void
changes_add_marks(struct changes *changes, struct workbench *bench, struct json_object *live)
{
    size_t first = bench->complaints.count;
    struct step step;

    runtimes_write(bench, GANG_FORMAT_JSON);
    soften_errors(&bench->complaints, first);
    for (EACH(const struct companion, runtime, bench->runtimes.items, bench->runtimes.count)) {
        struct json_object *keys;

        step_start(&step);
        keys = tree_map_of_step();
        if (runtime->blob)
            add_keys(keys, runtime->job->plan);
        add_marked(changes, runtime->document, runtime_with_marks(bench, runtime), keys, live);
        step_end(&step);
    }
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct job *job = &bench->jobs[i];
        struct json_object *wanted;
        struct json_object *keys;

        if (!job->plan || !job->handle || !job->document->place || !is_first_gang(bench, job))
            continue;
        step_start(&step);
        first = bench->complaints.count;
        wanted = json_of_blob(
            gang_blob_ref(write_plan(bench, job, GANG_TARGET_JOB, GANG_FORMAT_JSON, 0)));
        soften_errors(&bench->complaints, first);
        keys = tree_map_of_step();
        for (size_t j = i; j < bench->num_jobs && bench->jobs[j].document == job->document; j++)
            add_keys(keys, bench->jobs[j].plan);
        add_marked(changes, job->document, wanted, keys, live);
        step_end(&step);
    }
}
