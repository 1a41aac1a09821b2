/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/runtime_patches.h"

#include "libgang/base/stable_sort.h"
#include "libgang/document/prune.h"
#include "libgang/trainer/strategic_merge.h"
#include "libgang/trainer/trainjob_schema.h"

#define REPLICATED_JOBS SLICE("replicatedJobs")

static const struct schema *
patches_schema(void)
{
    const struct schema_field *spec = schema_find_field(&trainjob_schema, SLICE("spec"));

    return schema_find_field(spec->schema, SLICE("runtimePatches"))->schema;
}

/* A role and the runtime's place for its name. */
struct patches_role {
    const struct node *job;
    size_t place;
};

/* Pointers to the roles of one list, and room to sort them. */
struct patches_roles {
    const void **sorted;
    const void **scratch;
    size_t count;
};

static struct slice
patches_name(const struct patches_role *role)
{
    return node_string(node_member(role->job, SLICE("name")));
}

static int
patches_compare_names(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(patches_name(a), patches_name(b));
}

static int
patches_compare_places(const void *a, const void *b, const void *context)
{
    const struct patches_role *left = a;
    const struct patches_role *right = b;

    (void)context;
    return (left->place > right->place) - (left->place < right->place);
}

/* Where the runtime has the role; of several of one name the last. A role that it does not have counts as first. */
static size_t
patches_place_of(const struct patches_roles *by_name, const struct patches_role *role)
{
    const struct patches_role *nearest;
    size_t low = 0;
    size_t high = by_name->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (patches_compare_names(by_name->sorted[middle], role, NULL) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    nearest = low > 0 ? by_name->sorted[low - 1] : NULL;
    return nearest && slice_equal(patches_name(nearest), patches_name(role)) ? nearest->place : 0;
}

/* `runtime` are the runtime's roles by name; NULL when these are they. */
static bool
patches_roles_collect(struct patches_roles *roles, struct arena *arena, const struct node *jobs,
                      const struct patches_roles *runtime)
{
    struct patches_role *role = arena_array(arena, node_count(jobs), sizeof(*role));

    roles->sorted = arena_array(arena, node_count(jobs), sizeof(*roles->sorted));
    roles->scratch = arena_array(arena, node_count(jobs), sizeof(*roles->scratch));
    if (!role || !roles->sorted || !roles->scratch)
        return false;
    for (NODE_EACH(job, jobs)) {
        *role = (struct patches_role){job, roles->count};
        if (runtime)
            role->place = patches_place_of(runtime, role);
        roles->sorted[roles->count++] = role++;
    }
    return true;
}

static struct node *
patches_copy_header(struct arena *arena, const struct node *node)
{
    struct node *copy = arena_alloc(arena, sizeof(*copy));

    if (copy) {
        *copy = *node;
        copy->next = NULL;
    }
    return copy;
}

/* The list `jobs` with its items in the order of `roles`. */
static const struct node *
patches_list_in_order(struct arena *arena, const struct node *jobs, const struct patches_roles *roles)
{
    struct node *list = patches_copy_header(arena, jobs);
    const struct node **link = list ? &list->as.first : NULL;

    for (size_t i = 0; link && i < roles->count; i++) {
        struct node *item = patches_copy_header(arena, ((const struct patches_role *)roles->sorted[i])->job);

        *link = item;
        link = item ? &item->next : NULL;
    }
    return list;
}

/* The map with the header of one member exchanged. */
static const struct node *
patches_map_with(struct arena *arena, const struct node *map, const struct node *old, const struct node *new)
{
    struct node *copy = patches_copy_header(arena, map);
    const struct node **link = copy ? &copy->as.first : NULL;

    for (const struct node *member = node_first(map); link && member; member = member->next) {
        struct node *header = patches_copy_header(arena, member == old ? new : member);

        *link = header;
        link = header ? &header->next : NULL;
    }
    return copy;
}

static const struct node *
patches_restore_order(struct arena *arena, const struct node *merged, const struct node *runtime_jobs)
{
    const struct node *jobs = node_member(merged, REPLICATED_JOBS);
    struct patches_roles by_name = {0};
    struct patches_roles roles = {0};
    const struct node *ordered;

    if (!patches_roles_collect(&by_name, arena, runtime_jobs, NULL))
        return NULL;
    stable_sort(by_name.sorted, by_name.scratch, by_name.count, patches_compare_names, NULL);
    if (!patches_roles_collect(&roles, arena, jobs, &by_name))
        return NULL;
    stable_sort(roles.sorted, roles.scratch, roles.count, patches_compare_places, NULL);
    ordered = patches_list_in_order(arena, jobs, &roles);
    return ordered ? patches_map_with(arena, merged, jobs, ordered) : NULL;
}

const struct node *
runtime_patches_apply(struct arena *arena, const struct node *jobset_spec, const struct node *runtime_patches)
{
    const struct node *patches = prune_unknown(arena, patches_schema(), runtime_patches);
    const struct node *merged = jobset_spec;

    for (NODE_EACH(patch, patches)) {
        const struct node *spec = node_at(patch, "trainingRuntimeSpec.template.spec");

        if (spec)
            merged = strategic_merge(arena, merged, spec);
    }
    if (merged != jobset_spec && node_is(node_member(merged, REPLICATED_JOBS), NODE_LIST))
        merged = patches_restore_order(arena, merged, node_member(jobset_spec, REPLICATED_JOBS));
    return arena_failed(arena) ? NULL : merged;
}
