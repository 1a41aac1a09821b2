/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_fields.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/jobs/job_schemas.h"

/*
 * LeaderWorkerSet: one gang for each replica, which LWS calls a group. Where no other source is
 * named: kubernetes-sigs/lws@v0.9.0.
 */

/* ---- numbers ---- */

/* One translation. */
struct lws_case {
    const struct job_source *source;
    const struct node *pods; /* spec.leaderWorkerTemplate */
    int64_t replicas;
    int64_t size; /* pods of a group, with the leader */
};

static struct lws_case
lws_start(const struct job_source *source)
{
    const struct node *pods = node_member(source->spec, SLICE("leaderWorkerTemplate"));

    return (struct lws_case){
        .source = source,
        .pods = pods,
        .replicas = job_field_number(source->spec, SLICE("replicas"), 1),
        .size = job_field_number(pods, SLICE("size"), 1),
    };
}

/* A negative number counts as 1, so that the translation reports it. */
static uint64_t
lws_count_gangs(const struct job_source *source)
{
    const struct lws_case lws = lws_start(source);

    return lws.replicas < 0 ? 1 : (uint64_t)lws.replicas;
}

/* ---- checks of the operator ---- */

/* A finding in the words of LWS about a document that it refuses. */
#define LWS_REFUSE(lws, node, ...)                                                                 \
    find_invalid((lws)->source->report, GANG_CODE_REFUSED_BY_OPERATOR, (node), NULL, __VA_ARGS__)

/* pkg/webhooks/leaderworkerset_webhook.go generalValidate */
static void
lws_check_numbers(const struct lws_case *lws)
{
    const struct node *replicas = node_member(lws->source->spec, SLICE("replicas"));

    name_check_node(lws->source->meta->name_source, NAME_DNS1035_LABEL,
                    GANG_CODE_REFUSED_BY_OPERATOR, NULL, lws->source->report);
    if (lws->replicas < 0)
        LWS_REFUSE(lws, replicas, "replicas must be equal or greater than 0");
    if (lws->size < 1)
        LWS_REFUSE(lws, node_member(lws->pods, SLICE("size")),
                   "size must be equal or greater than 1");
    else if (lws->replicas * lws->size > INT32_MAX)
        LWS_REFUSE(lws, replicas,
                   "the product of replicas and worker replicas must not exceed 2147483647");
}

static bool
lws_excludes_leader(const struct node *policy)
{
    return slice_equal(node_string(node_member(policy, SLICE("subGroupPolicyType"))),
                       SLICE("LeaderExcluded"));
}

/* The same file: validateUpdateSubGroupPolicy */
static void
lws_check_subgroups(const struct lws_case *lws)
{
    const struct node *policy = node_member(lws->pods, SLICE("subGroupPolicy"));
    const struct node *at = node_member(policy, SLICE("subGroupSize"));
    const int64_t size = job_field_number(policy, SLICE("subGroupSize"), 0);

    if (!policy || lws->size < 1)
        return;
    if (size < 1)
        LWS_REFUSE(lws, at ? at : policy, "subGroupSize must be equal or greater than 1");
    else if (lws->size < size)
        LWS_REFUSE(lws, at, "subGroupSize cannot be larger than size");
    else if (lws_excludes_leader(policy) && (lws->size - 1) % size)
        LWS_REFUSE(lws, at, "size-1 must be divisible by subGroupSize when using LeaderExcluded");
    else if (lws->size % size && (lws->size - 1) % size)
        LWS_REFUSE(lws, at, "size or size - 1 must be divisible by subGroupSize");
}

static void
lws_check_annotations(const struct lws_case *lws)
{
    const struct node *exclusive =
        node_member(lws->source->meta->annotations,
                    SLICE("leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology"));

    if (exclusive && !node_member(lws->pods, SLICE("subGroupPolicy")))
        LWS_REFUSE(lws, exclusive,
                   "cannot have subgroup-exclusive-topology without subGroupSize set");
}

/* ---- defaults ---- */

/* A field whose default the API server sets. */
struct lws_default {
    const struct node *parent;
    struct slice field;
    const char *value;
};

static void
lws_note_defaults(const struct lws_case *lws)
{
    const struct lws_default defaults[] = {
        {lws->source->spec, SLICE("replicas"), "1"},
        {lws->pods, SLICE("size"), "1"},
        {lws->source->spec, SLICE("startupPolicy"), "\"LeaderCreated\""},
    };

    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        if (!node_member(defaults[i].parent, defaults[i].field))
            find_note_below(lws->source->report, GANG_CODE_DEFAULT_APPLIED, defaults[i].parent,
                            defaults[i].field, NULL, "defaults to %s, as in the API server",
                            defaults[i].value);
}

/* ---- gangs that LWS makes ---- */

/*
 * With `scheduling`, even an empty one, LWS creates a PodGroup for each group and refuses other
 * marks. Source: KEP-666 (keps/666-workload-aware-scheduling).
 */
static void
lws_find_scheduling(const struct lws_case *lws, uint64_t gang, struct gang_job *job)
{
    const struct node *scheduling = node_member(lws->source->spec, SLICE("scheduling"));

    if (!scheduling)
        return;
    if (gang == 0)
        find_note_at_key(lws->source->report, GANG_CODE_LWS_OWN_GANG, scheduling,
                         "remove the field to let libgang render the groups",
                         "LWS creates a PodGroup for each group, so there is no second one");
    gang_job_stand_back(job, scheduling, "LWS makes the gang of each group");
}

/* Returns the scheduler of the leader's or the workers' pods, if a provider exists for it. */
static const struct node *
lws_provider_scheduler(const struct lws_case *lws)
{
    const char *const paths[] = {"leaderTemplate.spec.schedulerName",
                                 "workerTemplate.spec.schedulerName"};

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const struct node *scheduler = node_at(lws->pods, paths[i]);

        if (slice_equal(node_string(scheduler), SLICE("volcano")))
            return scheduler;
    }
    return NULL;
}

/* Returns a field that belongs to the use of the provider; NULL if there is none. */
static const struct node *
lws_provider_input(const struct lws_case *lws)
{
    for (NODE_EACH(annotation, lws->source->meta->annotations)) {
        const struct slice key = node_key(annotation);

        if (slice_has_prefix(key, SLICE("volcano.sh/")) ||
            slice_equal(key, SLICE("scheduling.volcano.sh/queue-name")))
            return annotation;
    }
    return lws_provider_scheduler(lws);
}

/*
 * The provider creates a PodGroup for each leader, and marks all pods, whatever their scheduler.
 * The document does not say whether it is on. Source: pkg/schedulerprovider/volcano_provider.go.
 */
static void
lws_find_provider(const struct lws_case *lws)
{
    const struct node *input = lws_provider_input(lws);

    if (input)
        find_note_at_key(
            lws->source->report, GANG_CODE_LWS_PROVIDER_ON, input,
            "remove gangSchedulingManagement from the configuration of LWS, if it is there",
            "if LWS runs with a schedulerProvider, it creates PodGroups of its own for "
            "the same pods");
}

/* ---- roles ---- */

static void
lws_add_leader(const struct lws_case *lws, struct gang_job *job)
{
    const struct node *leader = node_member(lws->pods, SLICE("leaderTemplate"));
    const struct node *worker = node_member(lws->pods, SLICE("workerTemplate"));
    struct role *role = gang_job_add_role(job, 2, SLICE("leader"), lws->pods, lws->source->arena);

    if (role)
        role->pod_template = leader ? leader : worker;
}

/*
 * The workers of a group are a StatefulSet that LWS creates after the leader: when it is ready, or
 * when it has a node, because the workers go to the nodes with its value of the topology. Source:
 * pkg/controllers/pod_controller.go Reconcile.
 */
static void
lws_wait_for_leader(const struct lws_case *lws, struct role *role)
{
    const struct node *startup = node_member(lws->source->spec, SLICE("startupPolicy"));
    const struct node *exclusive = node_member(
        lws->source->meta->annotations, SLICE("leaderworkerset.sigs.k8s.io/exclusive-topology"));
    struct dependency edge = {.role = SLICE("leader")};

    if (slice_equal(node_string(startup), SLICE("LeaderReady"))) {
        edge.status = DEPENDENCY_READY; /* a pod that is ready has a node */
        edge.source = startup;
    } else if (exclusive) {
        edge.status = DEPENDENCY_SCHEDULED;
        edge.source = exclusive;
    }
    if (edge.source)
        gang_job_add_edge(role, 1, &edge, lws->source->arena);
}

/*
 * Returns the pods of a subgroup, if subgroups have only workers, or the leader as one pod more:
 * pkg/webhooks/pod_webhook.go getSubGroupIndex. A subgroup of the leader and fewer workers has no
 * unit.
 */
static int64_t
lws_unit(const struct lws_case *lws)
{
    const struct node *policy = node_member(lws->pods, SLICE("subGroupPolicy"));
    const int64_t size = job_field_number(policy, SLICE("subGroupSize"), 0);

    return size >= 1 && (lws->size - 1) % size == 0 ? size : 1;
}

/* api/leaderworkerset/v1/leaderworkerset_types.go SubGroupIndexLabelKey: set by the pod webhook. */
#define LWS_SUBGROUP_INDEX SLICE("leaderworkerset.sigs.k8s.io/subgroup-index")

/*
 * Reports subgroups of which one has the leader and fewer workers. They are not units, because a
 * unit has the pods of one role.
 */
static void
lws_note_subgroups(const struct lws_case *lws)
{
    const struct node *policy = node_member(lws->pods, SLICE("subGroupPolicy"));
    const int64_t size = job_field_number(policy, SLICE("subGroupSize"), 0);

    if (size >= 2 && lws->size % size == 0 && lws->size > size && !lws_excludes_leader(policy))
        find_note(lws->source->report, GANG_CODE_SUBGROUPS_OF_TWO_ROLES,
                  node_member(policy, SLICE("subGroupSize")),
                  "choose a size that divides the number of workers",
                  "the first subgroup has the leader and %lld workers, so the subgroups are not "
                  "units of the role worker, and a scheduler does not know them",
                  (long long)size - 1);
}

static void
lws_add_workers(const struct lws_case *lws, struct gang_job *job)
{
    struct role *role;

    if (lws->size < 2 && !node_member(lws->pods, SLICE("leaderTemplate")))
        return;
    role = gang_job_add_role(job, 2, SLICE("worker"), lws->pods, lws->source->arena);
    if (!role)
        return;
    gang_job_set_count(role, lws->size - 1);
    role->unit = lws_unit(lws);
    if (role->unit > 1)
        role->unit_label = LWS_SUBGROUP_INDEX;
    role->pod_template = node_member(lws->pods, SLICE("workerTemplate"));
    lws_wait_for_leader(lws, role);
}

/*
 * `<lws>-<group>`, as the name of the leader pod; with the revision behind it if the document has
 * the label of one, as LWS's own names (GetPodGroupName): old and new pods of a group then differ.
 */
static struct slice
lws_group_name(const struct lws_case *lws, uint64_t gang)
{
    const struct object_meta *meta = lws->source->meta;
    const struct slice revision = node_string(
        node_member(meta->labels, SLICE("leaderworkerset.sigs.k8s.io/template-revision-hash")));
    const unsigned long long index = gang;

    return slice_from_text(arena_format(lws->source->arena, "%.*s-%llu%s%.*s",
                                        SLICE_ARG(meta->name), index, revision.len ? "-" : "",
                                        SLICE_ARG(revision)));
}

/* All gangs have the same document, so what is wrong in it is reported with the first one. */
static void
lws_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    const struct lws_case lws = lws_start(source);

    if (!lws.pods)
        return; /* which is an error: the field is required */
    if (gang == 0) {
        lws_check_numbers(&lws);
        lws_check_subgroups(&lws);
        lws_check_annotations(&lws);
        lws_note_subgroups(&lws);
        lws_note_defaults(&lws);
        lws_find_provider(&lws);
    }
    lws_find_scheduling(&lws, gang, job);
    job->group_name = lws_group_name(&lws, gang);
    job->marks_pods = true;
    lws_add_leader(&lws, job);
    lws_add_workers(&lws, job);
}

const struct job_kind lws_job_kind = {
    .api_versions = {SLICE_INIT("leaderworkerset.x-k8s.io/v1")},
    .kind = SLICE_INIT("LeaderWorkerSet"),
    .schema = &lws_schema,
    /* Source: config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml@v0.9.0 */
    .template_fields = TEMPLATE_WITH_GROUP,
    .count_gangs = lws_count_gangs,
    .translate = lws_translate,
};
