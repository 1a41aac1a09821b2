/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#define REPLICATED_JOBS SLICE("replicatedJobs")

/* ---- patch metadata ---- */

const struct node *
patch_template(const struct node *patch)
{
    return node_member(node_member(patch, SLICE("trainingRuntimeSpec")), SLICE("template"));
}

/*
 * Zeros that the Go types of a runtime patch (github.com/kubeflow/trainer/v2 v2.3.0) omit, in
 * places that a merge can reach. In all other places a zero is written and replaces the original
 * value.
 */
enum { PATCH_MOST_ZEROS = 7 };
static const struct patch_zeros {
    struct slice parent;
    const char *members[PATCH_MOST_ZEROS];
} patch_omitted_zeros[] = {
    {SLICE_INIT("awsElasticBlockStore"), {"fsType", "partition", "readOnly"}},
    {SLICE_INIT("azureFile"), {"readOnly"}},
    {SLICE_INIT("cephfs"), {"path", "readOnly", "secretFile", "user"}},
    {SLICE_INIT("cinder"), {"fsType", "readOnly"}},
    {SLICE_INIT("configMap"), {"name"}},
    {SLICE_INIT("configMapKeyRef"), {"name"}},
    {SLICE_INIT("emptyDir"), {"medium"}},
    {SLICE_INIT("env"), {"value"}},
    {SLICE_INIT("fc"), {"fsType", "readOnly"}},
    {SLICE_INIT("fieldRef"), {"apiVersion"}},
    {SLICE_INIT("flexVolume"), {"fsType", "readOnly"}},
    {SLICE_INIT("flocker"), {"datasetName", "datasetUUID"}},
    {SLICE_INIT("gcePersistentDisk"), {"fsType", "partition", "readOnly"}},
    {SLICE_INIT("gitRepo"), {"directory", "revision"}},
    {SLICE_INIT("glusterfs"), {"readOnly"}},
    {SLICE_INIT("image"), {"pullPolicy", "reference"}},
    {SLICE_INIT("iscsi"),
     {"chapAuthDiscovery", "chapAuthSession", "fsType", "iscsiInterface", "readOnly"}},
    {SLICE_INIT("metadata"),
     {"generateName", "generation", "name", "namespace", "resourceVersion", "selfLink", "uid"}},
    {SLICE_INIT("nfs"), {"readOnly"}},
    {SLICE_INIT("nodePublishSecretRef"), {"name"}},
    {SLICE_INIT("persistentVolumeClaim"), {"readOnly"}},
    {SLICE_INIT("photonPersistentDisk"), {"fsType"}},
    {SLICE_INIT("portworxVolume"), {"fsType", "readOnly"}},
    {SLICE_INIT("quobyte"), {"group", "readOnly", "tenant", "user"}},
    {SLICE_INIT("rbd"), {"fsType", "keyring", "pool", "readOnly", "user"}},
    {SLICE_INIT("resourceFieldRef"), {"containerName"}},
    {SLICE_INIT("scaleIO"),
     {"fsType", "protectionDomain", "readOnly", "sslEnabled", "storageMode", "storagePool",
      "volumeName"}},
    {SLICE_INIT("seLinuxOptions"), {"level", "role", "type", "user"}},
    {SLICE_INIT("secret"), {"secretName"}},
    {SLICE_INIT("secretKeyRef"), {"name"}},
    {SLICE_INIT("secretRef"), {"name"}},
    {SLICE_INIT("spec"), {"volumeName"}},
    {SLICE_INIT("storageos"), {"fsType", "readOnly", "volumeName", "volumeNamespace"}},
    {SLICE_INIT("volumeMounts"), {"readOnly", "subPath", "subPathExpr"}},
    {SLICE_INIT("vsphereVolume"), {"fsType", "storagePolicyID", "storagePolicyName"}},
};

/* Lists that Go writes even if they are empty. */
static const struct slice patch_kept_lists[] = {
    SLICE_INIT("monitors"),
    SLICE_INIT("nodeSelectorTerms"),
    SLICE_INIT("sources"),
};

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

bool
patch_omits(struct slice parent, const struct node *member)
{
    const struct patch_zeros *zeros;

    if (node_is_absent(member))
        return true;
    if (member->kind == NODE_LIST)
        return member->len == 0 &&
               !slice_is_among(node_key(member), patch_kept_lists, COUNT_OF(patch_kept_lists));
    if (!patch_is_zero(member))
        return false;
    zeros = FIND_TEXT(patch_omitted_zeros, COUNT_OF(patch_omitted_zeros), parent, parent);
    for (size_t i = 0; zeros && i < PATCH_MOST_ZEROS && zeros->members[i]; i++)
        if (slice_equal(slice_from_text(zeros->members[i]), node_key(member)))
            return true;
    return false;
}

/* ---- patch rules ---- */

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
    const struct node *job_spec =
        node_member(node_member(patched, SLICE("template")), SLICE("spec"));
    const struct node *pod_spec =
        node_member(node_member(job_spec, SLICE("template")), SLICE("spec"));
    const struct node *containers = node_member(pod_spec, SLICE("containers"));

    for (NODE_EACH(container, containers))
        if (node_count(node_member(container, SLICE("env"))) &&
            FIND_TEXT(ancestor_table, ancestor_table_size, container, node_name(container)))
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
        const struct node *manager = node_member(patch, SLICE("manager"));
        struct name_problems problems;

        if (slice_is_set(node_string(manager)) &&
            !name_check(NAME_DOMAIN_PREFIXED_PATH, node_string(manager), &problems))
            for (size_t i = 0; i < problems.count; i++)
                find_invalid(report, manager, MESSAGE_PATCH_MANAGER, problems.text[i]);
        for (NODE_EACH(patched, node_member(node_member(patch_template(patch), SLICE("spec")),
                                            REPLICATED_JOBS)))
            check_patched_job(patched, &job->runtime->jobset, report);
    }
}

/* ---- runtime patches ---- */

/*
 * Returns the position of the role in the runtime, whose roles are indexed; if the runtime does not
 * have it, that of the first role.
 */
static uint32_t
patches_place(const struct node_index *runtime_jobs, const struct node *job)
{
    const struct node *known = node_index_find(runtime_jobs, node_name(job));

    return known ? known->index : 0;
}

static int
patches_compare_places(const void *a, const void *b, const void *runtime_jobs)
{
    uint32_t left = patches_place(runtime_jobs, a);
    uint32_t right = patches_place(runtime_jobs, b);

    return (left > right) - (left < right);
}

static const struct node *
patches_restore_order(struct arena *arena, const struct node *merged,
                      const struct node *runtime_jobs)
{
    const struct node *jobs = node_member(merged, REPLICATED_JOBS);
    const struct node_index places = node_index_make(runtime_jobs, arena);
    const void **sorted = arena_take_array(arena, jobs->len, sizeof(*sorted));
    bool is_ordered = true;
    size_t count = 0;
    struct edit_chain list;

    if (!sorted)
        return NULL;
    for (NODE_EACH(job, jobs)) {
        /* a merged job still knows its place in the runtime */
        is_ordered &= job->parent == runtime_jobs && job->index == count;
        sorted[count++] = job;
    }
    if (is_ordered)
        return merged;
    if (!stable_sort(sorted, count, patches_compare_places, &places, arena))
        return NULL;
    list = edit_start(arena, jobs, NODE_LIST);
    for (size_t i = 0; i < count; i++)
        edit_add(&list, sorted[i]);
    return edit_member(arena, merged, REPLICATED_JOBS, edit_end(&list));
}

const struct node *
runtime_patches_apply(struct arena *arena, const struct node *jobset_spec,
                      const struct node *runtime_patches, bool has_unknown_field)
{
    const struct node *patches = runtime_patches;
    const struct node *merged = jobset_spec;

    if (has_unknown_field) {
        const struct schema *of_spec = schema_find(&trainjob_schema, SLICE("spec"));

        patches =
            prune_unknown(arena, schema_find(of_spec, SLICE("runtimePatches")), runtime_patches);
    }
    for (NODE_EACH(patch, patches)) {
        const struct node *spec = node_member(patch_template(patch), SLICE("spec"));

        if (spec)
            merged = strategic_merge(arena, merged, spec, patch_omits);
    }
    if (merged != jobset_spec && node_is(node_member(merged, REPLICATED_JOBS), NODE_LIST))
        merged = patches_restore_order(arena, merged, node_member(jobset_spec, REPLICATED_JOBS));
    return arena_failed(arena) ? NULL : merged;
}
