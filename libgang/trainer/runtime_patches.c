/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- patch metadata ---- */

/*
 * Zeros that the Go types of a runtime patch (github.com/kubeflow/trainer/v2 v2.3.0) omit, in
 * places that a merge can reach. In all other places a zero is written and replaces the original
 * value.
 */
static const struct {
    struct slice parent;
    struct slice member;
} patch_omitted_zeros[] = {
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("fsType")},
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("partition")},
    {SLICE_INIT("awsElasticBlockStore"), SLICE_INIT("readOnly")},
    {SLICE_INIT("azureFile"), SLICE_INIT("readOnly")},
    {SLICE_INIT("cephfs"), SLICE_INIT("path")},
    {SLICE_INIT("cephfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("cephfs"), SLICE_INIT("secretFile")},
    {SLICE_INIT("cephfs"), SLICE_INIT("user")},
    {SLICE_INIT("cinder"), SLICE_INIT("fsType")},
    {SLICE_INIT("cinder"), SLICE_INIT("readOnly")},
    {SLICE_INIT("configMap"), SLICE_INIT("name")},
    {SLICE_INIT("configMapKeyRef"), SLICE_INIT("name")},
    {SLICE_INIT("emptyDir"), SLICE_INIT("medium")},
    {SLICE_INIT("env"), SLICE_INIT("value")},
    {SLICE_INIT("fc"), SLICE_INIT("fsType")},
    {SLICE_INIT("fc"), SLICE_INIT("readOnly")},
    {SLICE_INIT("fieldRef"), SLICE_INIT("apiVersion")},
    {SLICE_INIT("flexVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("flexVolume"), SLICE_INIT("readOnly")},
    {SLICE_INIT("flocker"), SLICE_INIT("datasetName")},
    {SLICE_INIT("flocker"), SLICE_INIT("datasetUUID")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("fsType")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("partition")},
    {SLICE_INIT("gcePersistentDisk"), SLICE_INIT("readOnly")},
    {SLICE_INIT("gitRepo"), SLICE_INIT("directory")},
    {SLICE_INIT("gitRepo"), SLICE_INIT("revision")},
    {SLICE_INIT("glusterfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("image"), SLICE_INIT("pullPolicy")},
    {SLICE_INIT("image"), SLICE_INIT("reference")},
    {SLICE_INIT("iscsi"), SLICE_INIT("chapAuthDiscovery")},
    {SLICE_INIT("iscsi"), SLICE_INIT("chapAuthSession")},
    {SLICE_INIT("iscsi"), SLICE_INIT("fsType")},
    {SLICE_INIT("iscsi"), SLICE_INIT("iscsiInterface")},
    {SLICE_INIT("iscsi"), SLICE_INIT("readOnly")},
    {SLICE_INIT("metadata"), SLICE_INIT("generateName")},
    {SLICE_INIT("metadata"), SLICE_INIT("generation")},
    {SLICE_INIT("metadata"), SLICE_INIT("name")},
    {SLICE_INIT("metadata"), SLICE_INIT("namespace")},
    {SLICE_INIT("metadata"), SLICE_INIT("resourceVersion")},
    {SLICE_INIT("metadata"), SLICE_INIT("selfLink")},
    {SLICE_INIT("metadata"), SLICE_INIT("uid")},
    {SLICE_INIT("nfs"), SLICE_INIT("readOnly")},
    {SLICE_INIT("nodePublishSecretRef"), SLICE_INIT("name")},
    {SLICE_INIT("persistentVolumeClaim"), SLICE_INIT("readOnly")},
    {SLICE_INIT("photonPersistentDisk"), SLICE_INIT("fsType")},
    {SLICE_INIT("portworxVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("portworxVolume"), SLICE_INIT("readOnly")},
    {SLICE_INIT("quobyte"), SLICE_INIT("group")},
    {SLICE_INIT("quobyte"), SLICE_INIT("readOnly")},
    {SLICE_INIT("quobyte"), SLICE_INIT("tenant")},
    {SLICE_INIT("quobyte"), SLICE_INIT("user")},
    {SLICE_INIT("rbd"), SLICE_INIT("fsType")},
    {SLICE_INIT("rbd"), SLICE_INIT("keyring")},
    {SLICE_INIT("rbd"), SLICE_INIT("pool")},
    {SLICE_INIT("rbd"), SLICE_INIT("readOnly")},
    {SLICE_INIT("rbd"), SLICE_INIT("user")},
    {SLICE_INIT("resourceFieldRef"), SLICE_INIT("containerName")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("fsType")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("protectionDomain")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("readOnly")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("sslEnabled")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("storageMode")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("storagePool")},
    {SLICE_INIT("scaleIO"), SLICE_INIT("volumeName")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("level")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("role")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("type")},
    {SLICE_INIT("seLinuxOptions"), SLICE_INIT("user")},
    {SLICE_INIT("secret"), SLICE_INIT("secretName")},
    {SLICE_INIT("secretKeyRef"), SLICE_INIT("name")},
    {SLICE_INIT("secretRef"), SLICE_INIT("name")},
    {SLICE_INIT("spec"), SLICE_INIT("volumeName")},
    {SLICE_INIT("storageos"), SLICE_INIT("fsType")},
    {SLICE_INIT("storageos"), SLICE_INIT("readOnly")},
    {SLICE_INIT("storageos"), SLICE_INIT("volumeName")},
    {SLICE_INIT("storageos"), SLICE_INIT("volumeNamespace")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("readOnly")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("subPath")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("subPathExpr")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("fsType")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("storagePolicyID")},
    {SLICE_INIT("vsphereVolume"), SLICE_INIT("storagePolicyName")},
};

/* Lists that Go writes even if they are empty. */
static const struct slice patch_kept_lists[] = {
    SLICE_INIT("monitors"),
    SLICE_INIT("nodeSelectorTerms"),
    SLICE_INIT("sources"),
};

static bool
patch_is_kept_list(struct slice name)
{
    for (size_t i = 0; i < COUNT_OF(patch_kept_lists); i++)
        if (slice_equal(patch_kept_lists[i], name))
            return true;
    return false;
}

static bool
patch_is_zero(const struct node *value)
{
    int64_t number;

    switch (value->kind) {
    case NODE_STRING:
        return value->len == 0;
    case NODE_BOOL:
        return !node_is_true(value);
    case NODE_INT:
        return node_int(value, &number) && number == 0;
    default:
        return false;
    }
}

static bool
patch_omits_zero(struct slice parent, struct slice member)
{
    for (size_t i = 0; i < COUNT_OF(patch_omitted_zeros); i++)
        if (slice_equal(patch_omitted_zeros[i].parent, parent) &&
            slice_equal(patch_omitted_zeros[i].member, member))
            return true;
    return false;
}

bool
patch_omits(struct slice parent, const struct node *member)
{
    if (node_is_absent(member))
        return true;
    if (member->kind == NODE_LIST)
        return member->len == 0 && !patch_is_kept_list(node_key(member));
    return patch_is_zero(member) && patch_omits_zero(parent, node_key(member));
}

/* ---- patch rules ---- */

static void
check_manager(const struct node *patch, struct report *report)
{
    const struct node *manager = node_member(patch, SLICE("manager"));
    struct name_problems problems;

    if (!slice_is_set(node_string(manager)) ||
        name_check(NAME_DOMAIN_PREFIXED_PATH, node_string(manager), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, manager, MESSAGE_PATCH_MANAGER, problems.text[i]);
}

static bool
env_belongs_to_operator(struct slice container)
{
    for (size_t i = 0; i < ancestor_table_size; i++)
        if (slice_equal(ancestor_table[i].container, container))
            return true;
    return false;
}

static void
check_patched_containers(const struct node *list, const char *kind,
                         const struct replicated_job *job, struct report *report)
{
    for (NODE_EACH(container, list))
        if (!replicated_job_has_container(job, node_name(container)))
            find_note(report, container, MESSAGE_PATCH_TARGET_UNKNOWN_CONTAINER, kind,
                      SLICE_ARG(job->name));
}

static void
check_patched_job(const struct node *patched, const struct jobset *jobset, struct report *report)
{
    const struct replicated_job *job = jobset_find(jobset, node_name(patched));
    const struct node *pod_spec = node_at(patched, "template.spec.template.spec");
    const struct node *containers = node_member(pod_spec, SLICE("containers"));

    for (NODE_EACH(container, containers))
        if (node_count(node_member(container, SLICE("env"))) &&
            env_belongs_to_operator(node_name(container)))
            find_note(report, node_member(container, SLICE("env")), MESSAGE_PATCH_ENV_FORBIDDEN);
    if (!job) {
        find_note(report, patched, MESSAGE_PATCH_TARGET_UNKNOWN_JOB);
        return;
    }
    check_patched_containers(containers, "container", job, report);
    check_patched_containers(node_member(pod_spec, SLICE("initContainers")), "initContainer", job,
                             report);
}

void
patch_rules_check(const struct trainer_job *job, struct report *report)
{
    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        check_manager(patch, report);
        for (NODE_EACH(patched, node_at(patch, "trainingRuntimeSpec.template.spec.replicatedJobs")))
            check_patched_job(patched, &job->runtime->jobset, report);
    }
}

/* ---- runtime patches ---- */

#define REPLICATED_JOBS SLICE("replicatedJobs")

static const struct schema *
patches_schema(void)
{
    const struct schema_field *spec = schema_find_field(&trainjob_schema, SLICE("spec"));

    return schema_find_field(spec->schema, SLICE("runtimePatches"))->schema;
}

/* A role and the position of its name in the runtime. */
struct patches_role {
    const struct node *job;
    size_t place;
};

/* Pointers to the roles of one list, and scratch space for sorting. */
struct patches_roles {
    const void **sorted;
    const void **scratch;
    size_t count;
};

static struct slice
patches_name(const struct patches_role *role)
{
    return node_name(role->job);
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

/*
 * Returns the position of the role in the runtime. If several roles have the name, this is the last
 * one; if none has it, this is 0, the position of the first role.
 */
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

/*
 * `runtime` has the runtime's roles sorted by name; NULL to collect the roles of the runtime
 * itself.
 */
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

/* Returns the list `jobs` with its items in the order of `roles`. */
static const struct node *
patches_list_in_order(struct arena *arena, const struct node *jobs,
                      const struct patches_roles *roles)
{
    struct node *list = patches_copy_header(arena, jobs);
    const struct node **link = list ? &list->as.first : NULL;

    for (size_t i = 0; link && i < roles->count; i++) {
        struct node *item =
            patches_copy_header(arena, ((const struct patches_role *)roles->sorted[i])->job);

        *link = item;
        link = item ? &item->next : NULL;
    }
    return list;
}

static const struct node *
patches_restore_order(struct arena *arena, const struct node *merged,
                      const struct node *runtime_jobs)
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
    return ordered ? edit_member(arena, merged, REPLICATED_JOBS, ordered) : NULL;
}

const struct node *
runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                      const struct node *runtime_patches)
{
    const struct node *patches = prune_unknown(arena, patches_schema(), runtime_patches);
    const struct node *merged = jobset_spec;

    for (NODE_EACH(patch, patches)) {
        const struct node *spec = node_at(patch, "trainingRuntimeSpec.template.spec");

        if (spec)
            merged = strategic_merge(arena, merged, spec, patch_omits);
    }
    if (merged != jobset_spec && node_is(node_member(merged, REPLICATED_JOBS), NODE_LIST))
        merged = patches_restore_order(arena, merged, node_member(jobset_spec, REPLICATED_JOBS));
    return arena_failed(arena) ? NULL : merged;
}
