/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

/* ---- workload names ---- */

/* kubernetes/apimachinery:pkg/util/rand/rand.go alphanums */
static const char workload_alphabet[] = "bcdfghjklmnpqrstvwxz2456789";

struct workload_hash
workload_hash_of(const struct slice *texts, size_t count)
{
    uint32_t fnv = FNV1A_32_START;
    char digits[INTEGER_TEXT_SIZE];
    struct workload_hash hash;
    struct slice decimal;

    for (size_t i = 0; i < count; i++)
        fnv = fnv1a_32_add(fnv, texts[i]);
    decimal = integer_format((int64_t)fnv, digits);
    hash.len = decimal.len;
    for (size_t i = 0; i < decimal.len; i++)
        hash.text[i] =
            workload_alphabet[(unsigned char)decimal.data[i] % (sizeof(workload_alphabet) - 1)];
    return hash;
}

void
workload_digest_of(const struct slice *texts, size_t count, char out[WORKLOAD_DIGEST_SIZE])
{
    unsigned char digest[SHA1_BYTES];
    struct sha sha1;

    sha1_begin(&sha1);
    for (size_t i = 0; i < count; i++)
        sha_add(&sha1, texts[i]);
    sha1_end(&sha1, digest);
    for (int i = 0; i < WORKLOAD_DIGEST_SIZE; i++)
        out[i] = "0123456789abcdef"[digest[i / 2] >> (i % 2 ? 0 : 4) & 0xf];
}

/*
 * Returns at most `room` bytes of a name, without `-` at the end, so that `-` and a suffix can
 * follow.
 */
static struct slice
workload_cut(struct slice name, size_t room)
{
    if (name.len > room)
        name.len = room;
    while (name.len && name.data[name.len - 1] == '-')
        name.len--;
    return name;
}

struct slice
workload_object_name(const struct workload_naming *naming, struct arena *arena)
{
    struct slice hashed = slice_is_set(naming->uid) ? naming->uid : naming->job;
    struct workload_hash hash = workload_hash_of(&hashed, 1);
    struct slice job = workload_cut(naming->job, WORKLOAD_NAME_MOST - 1 - hash.len);

    return naming->is_hashed
               ? ARENA_SLICE(arena, "%.*s-%.*s", SLICE_ARG(job), (int)hash.len, hash.text)
               : naming->job;
}

struct slice
workload_pod_group_name(const struct workload_naming *naming, struct slice template_name,
                        struct arena *arena)
{
    const bool has_uid = slice_is_set(naming->uid);
    const struct slice texts[] = {has_uid ? naming->uid : workload_object_name(naming, arena),
                                  has_uid ? SLICE("/") : SLICE(""), template_name};
    struct workload_hash hash = workload_hash_of(texts, COUNT_OF(texts));
    size_t taken = 2 + template_name.len + hash.len;
    struct slice job;

    if (taken >= WORKLOAD_NAME_MOST)
        return NO_SLICE;
    job = workload_cut(naming->job, WORKLOAD_NAME_MOST - taken);
    return ARENA_SLICE(arena, "%.*s-%.*s-%.*s", SLICE_ARG(job), SLICE_ARG(template_name),
                       (int)hash.len, hash.text);
}

struct slice
workload_joint_name(const struct workload_naming *naming, struct slice joined_roles,
                    struct arena *arena)
{
    const struct slice path[] = {SLICE("ReplicatedJobGroup/"),
                                 naming->namespace_,
                                 SLICE("/"),
                                 naming->job,
                                 SLICE("/"),
                                 joined_roles};
    struct slice roles = workload_cut(joined_roles, WORKLOAD_NAME_MOST - 1 - WORKLOAD_DIGEST_SIZE);
    char digest[WORKLOAD_DIGEST_SIZE];

    workload_digest_of(path, COUNT_OF(path), digest);
    return ARENA_SLICE(arena, "%.*s-%.*s", SLICE_ARG(roles), WORKLOAD_DIGEST_SIZE, digest);
}

/* ---- workload versions ---- */

#define WORKLOAD_PLAIN                                                                             \
    {                                                                                              \
        .is_there = true                                                                           \
    }
#define WORKLOAD_GATED(name)                                                                       \
    {                                                                                              \
        .is_there = true, .gate = SLICE_INIT(name)                                                 \
    }

static const struct slice workload_gate_composite = SLICE_INIT("CompositePodGroup");
static const struct slice workload_gate_topology = SLICE_INIT("TopologyAwareWorkloadScheduling");
const struct slice workload_gate_eviction = SLICE_INIT("EvictionRequestAPI");

const struct slice workload_field_names[WORKLOAD_FIELD_COUNT] = {
    [WORKLOAD_TOPOLOGY] = SLICE_INIT("schedulingConstraints"),
    [WORKLOAD_CLAIMS] = SLICE_INIT("resourceClaims"),
    [WORKLOAD_DISRUPTION] = SLICE_INIT("disruptionMode"),
    [WORKLOAD_PRIORITY] = SLICE_INIT("priorityClassName"),
    [WORKLOAD_PREEMPTION] = SLICE_INIT("preemptionPolicy"),
};

/* v1alpha3 and v1beta1 differ only in CompositePodGroup, which v1beta1 has since 1.38. */
#define WORKLOAD_VERSION_OF_1_37                                                                   \
    .first_minor = 37, .last_minor = UINT32_MAX, .has_pod_groups = true, .has_composites = true,   \
    .list = SLICE_INIT("podGroupTemplates"), .policy = SLICE_INIT("schedulingPolicy"),             \
    .pod_field = SLICE_INIT("schedulingGroup"), .reference = WORKLOAD_REF_FLAT,                    \
    .one_priority = true, .gates = {SLICE_INIT("GenericWorkload")},                                \
    .fields = {                                                                                    \
        [WORKLOAD_TOPOLOGY] = WORKLOAD_GATED("TopologyAwareWorkloadScheduling"),                   \
        [WORKLOAD_CLAIMS] = WORKLOAD_GATED("DRAWorkloadResourceClaims"),                           \
        [WORKLOAD_DISRUPTION] = WORKLOAD_PLAIN,                                                    \
        [WORKLOAD_PRIORITY] = WORKLOAD_PLAIN,                                                      \
        [WORKLOAD_PREEMPTION] = {.is_there = true,                                                 \
                                 .gate = SLICE_INIT("PodGroupPreemptionPolicy"),                   \
                                 .ungated_minor = 38},                                             \
    }

/*
 * kubernetes/api:scheduling/{v1alpha1,v1alpha2,v1alpha3,v1beta1}/types.go@v0.35.7, @v0.36.3,
 * @v0.37.2 and @v0.38.0-beta.0; gates: kubernetes/kubernetes:pkg/features/kube_features.go, of
 * which 1.38 has no PodGroupPreemptionPolicy. Up to 1.37 each release drops the versions of the
 * previous one.
 */
const struct workload_version workload_versions[] = {
    {.api_version = SLICE_INIT("scheduling.k8s.io/v1beta1"), WORKLOAD_VERSION_OF_1_37},
    {.api_version = SLICE_INIT("scheduling.k8s.io/v1alpha3"), WORKLOAD_VERSION_OF_1_37},
    {
        .api_version = SLICE_INIT("scheduling.k8s.io/v1alpha2"),
        .first_minor = 36,
        .last_minor = 36,
        .has_pod_groups = true,
        .list = SLICE_INIT("podGroupTemplates"),
        .policy = SLICE_INIT("schedulingPolicy"),
        .pod_field = SLICE_INIT("schedulingGroup"),
        .reference = WORKLOAD_REF_TEMPLATE,
        .disrupts_by_word = true,
        .gates = {SLICE_INIT("GenericWorkload"), SLICE_INIT("GangScheduling")},
        .fields =
            {
                [WORKLOAD_TOPOLOGY] = WORKLOAD_GATED("TopologyAwareWorkloadScheduling"),
                [WORKLOAD_CLAIMS] = WORKLOAD_GATED("DRAWorkloadResourceClaims"),
                [WORKLOAD_DISRUPTION] = WORKLOAD_GATED("WorkloadAwarePreemption"),
                [WORKLOAD_PRIORITY] = WORKLOAD_GATED("WorkloadAwarePreemption"),
            },
    },
    {
        .api_version = SLICE_INIT("scheduling.k8s.io/v1alpha1"),
        .first_minor = 35,
        .last_minor = 35,
        .list = SLICE_INIT("podGroups"),
        .policy = SLICE_INIT("policy"),
        .pod_field = SLICE_INIT("workloadRef"),
        .gates = {SLICE_INIT("GenericWorkload"), SLICE_INIT("GangScheduling")},
    },
};
const size_t workload_version_count = COUNT_OF(workload_versions);

static const struct slice workload_resource = SLICE_INIT("workloads");
static const struct slice workload_group_resource = SLICE_INIT("podgroups");
static const struct slice workload_composite_resource = SLICE_INIT("compositepodgroups");

const struct workload_version *
workload_version_of(struct slice api_version)
{
    return FIND_TEXT(workload_versions, workload_version_count, api_version, api_version);
}

enum cluster_answer
workload_keeps_field(const struct workload_version *version, enum workload_field field,
                     const struct gang_cluster *cluster)
{
    const struct workload_field_support *support = version ? &version->fields[field] : NULL;
    const struct release release = cluster_kubernetes(cluster);

    if (!support || !support->is_there)
        return CLUSTER_NO;
    if (!slice_is_set(support->gate) ||
        (support->ungated_minor && release_at_least(&release, 1, support->ungated_minor)))
        return CLUSTER_YES;
    return cluster_has_gate(cluster, support->gate);
}

static bool
workload_release_has(const struct workload_version *version, const struct gang_cluster *cluster)
{
    struct release release = cluster_kubernetes(cluster);

    if (!release.is_known || release.major > 1)
        return !release.is_known || version->last_minor == UINT32_MAX;
    return release.major == 1 && release.minor >= version->first_minor &&
           release.minor <= version->last_minor;
}

/* Returns no if one of them is no, yes if both are yes, else unknown. */
static enum cluster_answer
workload_both(enum cluster_answer one, enum cluster_answer other)
{
    if (one == CLUSTER_NO || other == CLUSTER_NO)
        return CLUSTER_NO;
    return one == CLUSTER_YES ? other : CLUSTER_UNKNOWN;
}

/*
 * Whether the cluster serves every resource that the version needs. If the cluster's document does
 * not tell, the Kubernetes release rules versions out; the rest are unknown.
 */
static enum cluster_answer
workload_is_served(const struct workload_version *version, const struct gang_cluster *cluster)
{
    enum cluster_answer answer = cluster_serves(cluster, version->api_version, workload_resource);

    if (version->has_pod_groups)
        answer = workload_both(
            answer, cluster_serves(cluster, version->api_version, workload_group_resource));
    if (answer == CLUSTER_UNKNOWN && !workload_release_has(version, cluster))
        return CLUSTER_NO;
    return answer;
}

enum cluster_answer
workload_serves_composites(const struct workload_version *version,
                           const struct gang_cluster *cluster)
{
    if (!version->has_composites ||
        cluster_has_gate(cluster, workload_gate_composite) == CLUSTER_NO ||
        cluster_has_gate(cluster, workload_gate_topology) == CLUSTER_NO)
        return CLUSTER_NO;
    return workload_both(
        workload_is_served(version, cluster),
        cluster_serves(cluster, version->api_version, workload_composite_resource));
}

static const char *
workload_versions_in_words(struct arena *arena)
{
    const char *list = "";

    for (size_t i = 0; i < workload_version_count; i++)
        list = arena_format(arena, "%s%s%-.*s", list, i ? ", " : "",
                            SLICE_ARG(workload_versions[i].api_version));
    return list;
}

/* `cluster` is not NULL: without facts of a cluster, no version is known not to be served. */
static void
workload_refuse_cluster(const struct gang_cluster *cluster, struct slice pinned,
                        struct report *report)
{
    static const char hint[] = "Kubernetes 1.37 serves it with "
                               "--runtime-config=scheduling.k8s.io/v1beta1=true and the gate "
                               "GenericWorkload";
    const char *wanted = slice_is_set(pinned)
                             ? arena_format(report->arena, "%.*s is not served", SLICE_ARG(pinned))
                             : arena_format(report->arena, "none of %s is served",
                                            workload_versions_in_words(report->arena));

    if (cluster->kubernetes_source)
        find_note(report, cluster->kubernetes_source, MESSAGE_NOT_SERVED_WORKLOAD, wanted, hint);
    else
        find_in_document(report, GANG_DOCUMENT_CLUSTER, MESSAGE_NOT_SERVED_WORKLOAD, wanted, hint);
}

static void
workload_note_assumption(const struct workload_version *version, const struct gang_cluster *cluster,
                         struct report *report)
{
    find_in_document(
        report, cluster ? GANG_DOCUMENT_CLUSTER : GANG_DOCUMENT_NONE, MESSAGE_NOT_CHECKED_SERVED,
        SLICE_ARG(version->api_version),
        cluster ? "" : ", with its gates on and JobSet and Trainer CRDs that keep the mark");
}

static const struct workload_version *
workload_version_find(const struct gang_cluster *cluster, bool wants_composites,
                      enum cluster_answer wanted)
{
    for (size_t i = 0; wants_composites && i < workload_version_count; i++)
        if (workload_serves_composites(&workload_versions[i], cluster) == wanted)
            return &workload_versions[i];
    for (size_t i = 0; i < workload_version_count; i++)
        if (workload_is_served(&workload_versions[i], cluster) == wanted)
            return &workload_versions[i];
    return NULL;
}

const struct workload_version *
workload_version_choose(const struct gang_cluster *cluster, struct slice pinned,
                        bool wants_composites, struct report *report)
{
    const struct workload_version *version;

    if (slice_is_set(pinned)) {
        version = workload_version_of(pinned);
        if (!version)
            find_in_document(report, GANG_DOCUMENT_POLICY, MESSAGE_NOT_SERVED_PINNED,
                             SLICE_ARG(pinned), workload_versions_in_words(report->arena));
        else if (workload_is_served(version, cluster) == CLUSTER_NO)
            workload_refuse_cluster(cluster, pinned, report);
        else if (workload_is_served(version, cluster) == CLUSTER_UNKNOWN)
            workload_note_assumption(version, cluster, report);
        return version;
    }
    version = workload_version_find(cluster, wants_composites, CLUSTER_YES);
    if (version)
        return version;
    version = workload_version_find(cluster, false, CLUSTER_UNKNOWN);
    if (version)
        workload_note_assumption(version, cluster, report);
    else
        workload_refuse_cluster(cluster, NO_SLICE, report);
    return version;
}

/*
 * The pod template field that the CRD of each release keeps, newest first:
 * kubernetes-sigs/jobset:config/components/crd, kubeflow/trainer:manifests/base/crds. No release
 * keeps both.
 */
static const struct workload_crd {
    size_t component;
    const char *name;
    struct release since;
    struct slice keeps; /* unset if it keeps neither */
} workload_crds[] = {
    {COMPONENT_JOBSET, "JobSet", {true, 0, 12, 0}, SLICE_INIT("schedulingGroup")},
    {COMPONENT_JOBSET, "JobSet", {true, 0, 11, 0}, SLICE_INIT("workloadRef")},
    {COMPONENT_JOBSET, "JobSet", {true, 0, 0, 0}, {NULL, 0}},
    {COMPONENT_TRAINER, "Kubeflow Trainer", {true, 2, 2, 1}, SLICE_INIT("schedulingGroup")},
    {COMPONENT_TRAINER, "Kubeflow Trainer", {true, 2, 2, 0}, SLICE_INIT("workloadRef")},
    {COMPONENT_TRAINER, "Kubeflow Trainer", {true, 0, 0, 0}, {NULL, 0}},
};

/* The hint names v2.3.0, a published release, and not the first that could keep the field. */
static void
workload_refuse_pruning(struct slice field, const char *who, const struct node *source,
                        struct report *report)
{
    find_note(
        report, source, GANG_CODE_POD_FIELD_PRUNED,
        slice_equal(field, SLICE("schedulingGroup"))
            ? "install JobSet v0.12.0 or later and Kubeflow Trainer v2.3.0 or later"
            : "install JobSet v0.11 and Kubeflow Trainer v2.2.0, the only ones that keep it",
        "%s %.*s from pod templates, so no pod joins the group: server-side apply answers "
        ".spec.replicatedJobs[].template.spec.template.spec.%.*s: field not declared in schema",
        who, SLICE_ARG(field), SLICE_ARG(field));
}

/* Returns whether the release is known. */
static bool
workload_check_crd(size_t component, struct slice field, const struct gang_cluster *cluster,
                   struct report *report)
{
    struct release release = cluster_component(cluster, component);
    const struct workload_crd *crd = workload_crds;

    if (!release.is_known)
        return false;
    while (crd->component != component || release_compare(&release, &crd->since) < 0)
        crd++;
    if (!slice_equal(crd->keeps, field))
        workload_refuse_pruning(field,
                                arena_format(report->arena, "the CRDs of %s v%u.%u.%u drop",
                                             crd->name, release.major, release.minor,
                                             release.patch),
                                cluster_component_source(cluster, component), report);
    return true;
}

/* Fields read from the installed CRDs take precedence over those implied by their versions. */
static void
workload_check_pod_field(struct slice field, enum template_fields fields,
                         const struct gang_cluster *cluster, struct report *report)
{
    enum cluster_answer kept = cluster_keeps_pod_field(cluster, field);
    bool is_known;

    if (kept == CLUSTER_NO)
        workload_refuse_pruning(field, "the installed CRDs drop", cluster->pod_template_fields,
                                report);
    if (kept != CLUSTER_UNKNOWN)
        return;
    is_known = workload_check_crd(COMPONENT_JOBSET, field, cluster, report);
    if (fields == TEMPLATE_OF_TRAINER)
        is_known &= workload_check_crd(COMPONENT_TRAINER, field, cluster, report);
    if (!is_known)
        find_in_document(report, GANG_DOCUMENT_CLUSTER, MESSAGE_NOT_CHECKED_TEMPLATE_FIELD,
                         SLICE_ARG(field));
}

void
workload_version_check(const struct workload_version *version, enum template_fields fields,
                       const struct gang_cluster *cluster, struct report *report)
{
    if (!cluster)
        return;
    for (size_t i = 0; i < COUNT_OF(version->gates); i++)
        if (slice_is_set(version->gates[i])) {
            struct slice gate = version->gates[i];

            switch (cluster_has_gate(cluster, gate)) {
            case CLUSTER_NO:
                find_note(report, cluster_gate_source(cluster, gate), MESSAGE_GATE_OFF,
                          SLICE_ARG(gate));
                break;
            case CLUSTER_UNKNOWN:
                find_in_document(report, GANG_DOCUMENT_CLUSTER, MESSAGE_NOT_CHECKED_GATE,
                                 SLICE_ARG(gate), SLICE_ARG(gate));
                break;
            case CLUSTER_YES:
                break;
            }
        }
    /* The cluster facts have the CRDs of no other kind. */
    if (fields == TEMPLATE_OF_JOBSET || fields == TEMPLATE_OF_TRAINER)
        workload_check_pod_field(version->pod_field, fields, cluster, report);
}
