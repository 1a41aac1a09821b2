/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

/*
 * LeaderWorkerSet: one gang for each replica, which LWS calls a group. DisaggregatedSet: one gang
 * for each slice, which has groups of several LeaderWorkerSets. Where no other source is named:
 * kubernetes-sigs/lws@v0.9.0.
 */

/* ---- numbers ---- */

/* One translation, or a role of a DisaggregatedSet. */
struct lws_case {
    const struct job_source *source;
    const struct node *pods; /* spec.leaderWorkerTemplate */
    int64_t replicas;
    int64_t size;         /* pods of a group, with the leader */
    struct slice of_role; /* of a DisaggregatedSet; unset: the gang is one group */
    size_t most;          /* roles of the gang */
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
        .most = 2,
    };
}

/*
 * A negative number counts as 1, so that the translation reports it. A rollout has up to maxSurge
 * groups more, which the status counts with the others: pkg/controllers/
 * leaderworkerset_controller.go rollingUpdateParameters, updateStatus.
 */
static uint64_t
lws_count_gangs(const struct job_source *source)
{
    const struct lws_case lws = lws_start(source);
    const struct node *field =
        node_at(source->spec, "rolloutStrategy.rollingUpdateConfiguration.maxSurge");
    struct slice percent = node_string(field);
    int64_t surge = node_int_or(field, 0);
    int64_t groups = node_int_or(node_at(source->root, "status.replicas"), 0);

    if (lws.replicas < 0)
        return 1;
    /* a number, or a percentage of the replicas that is rounded up */
    if (percent.len && percent.data[percent.len - 1] == '%') {
        percent.len--;
        if (integer_parse(percent, &surge) && surge >= 0 && surge <= 100)
            surge = (lws.replicas * surge + 99) / 100;
    }
    if (surge < 0)
        surge = 0;
    if (surge > lws.replicas)
        surge = lws.replicas;
    if (groups > lws.replicas + surge)
        groups = lws.replicas + surge;
    return (uint64_t)(groups > lws.replicas ? groups : lws.replicas);
}

/* ---- checks of the operator ---- */

/* A finding in the words of LWS about a document that it refuses. */
#define LWS_REFUSE(lws, node, ...)                                                                 \
    find_invalid((lws)->source->report, (node), GANG_CODE_REFUSED_BY_OPERATOR, NULL, __VA_ARGS__)

/* pkg/webhooks/leaderworkerset_webhook.go generalValidate, which also checks the name */
static void
lws_check_numbers(const struct lws_case *lws)
{
    const struct node *replicas = node_member(lws->source->spec, SLICE("replicas"));

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

/* ---- gangs that LWS makes ---- */

/* Returns a field that belongs to the use of the provider; NULL if there is none. */
static const struct node *
lws_provider_input(const struct lws_case *lws)
{
    const char *const paths[] = {"leaderTemplate.spec.schedulerName",
                                 "workerTemplate.spec.schedulerName"};

    for (NODE_EACH(annotation, lws->source->meta->annotations)) {
        const struct slice key = node_key(annotation);

        if (slice_has_prefix(key, SLICE("volcano.sh/")) ||
            slice_equal(key, SLICE("scheduling.volcano.sh/queue-name")))
            return annotation;
    }
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const struct node *scheduler = node_at(lws->pods, paths[i]);

        if (slice_equal(node_string(scheduler), SLICE("volcano")))
            return scheduler;
    }
    return NULL;
}

/* ---- roles ---- */

static struct slice
lws_role_name(const struct lws_case *lws, const char *part)
{
    if (!slice_is_set(lws->of_role))
        return slice_from_text(part);
    return *part ? ARENA_SLICE(lws->source->arena, "%.*s-%s", SLICE_ARG(lws->of_role), part)
                 : lws->of_role;
}

/* Adds a role with the pods of each group, of which one group must start. */
static struct role *
lws_add_role(const struct lws_case *lws, const char *part, int64_t pods, struct gang_wishes *job)
{
    const int64_t groups = slice_is_set(lws->of_role) ? lws->replicas : 1;
    struct role *role =
        gang_job_add_role(job, lws->most, lws_role_name(lws, part), lws->pods, lws->source->arena);

    if (!role)
        return NULL;
    gang_job_set_count(role, groups * pods);
    role->min_count = role->first_count = groups > 0 ? pods : 0;
    return role;
}

static void
lws_add_leader(const struct lws_case *lws, struct gang_wishes *job)
{
    const struct node *leader = node_member(lws->pods, SLICE("leaderTemplate"));
    const struct node *worker = node_member(lws->pods, SLICE("workerTemplate"));
    struct role *role = lws_add_role(lws, "leader", 1, job);

    if (role)
        role->pod_template = leader ? leader : worker;
}

#define LWS_EXCLUSIVE_TOPOLOGY SLICE("leaderworkerset.sigs.k8s.io/exclusive-topology")

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
/* The same file, GroupIndexLabelKey: of a group, among those of a role. */
#define LWS_GROUP_INDEX SLICE("leaderworkerset.sigs.k8s.io/group-index")

static void
lws_set_unit(struct role *role, int64_t pods, struct slice label)
{
    if (pods > 1) {
        role->unit = pods;
        role->unit_label = label;
    }
}

static void
lws_add_workers(const struct lws_case *lws, struct gang_wishes *job)
{
    struct role *role;
    const struct node *startup;
    const struct node *exclusive;
    struct dependency edge;

    if (lws->size < 2 && !node_member(lws->pods, SLICE("leaderTemplate")))
        return;
    role = lws_add_role(lws, "worker", lws->size - 1, job);
    if (!role)
        return;
    if (!slice_is_set(lws->of_role))
        lws_set_unit(role, lws_unit(lws), LWS_SUBGROUP_INDEX);
    else
        lws_set_unit(role, lws->size - 1, LWS_GROUP_INDEX);
    role->pod_template = node_member(lws->pods, SLICE("workerTemplate"));
    /*
     * The workers of a group are a StatefulSet that LWS creates after the leader: when it is ready,
     * or when it has a node, because the workers go to the nodes with its value of the topology.
     * Source: pkg/controllers/pod_controller.go Reconcile.
     */
    startup = node_member(lws->source->spec, SLICE("startupPolicy"));
    exclusive = node_member(lws->source->meta->annotations, LWS_EXCLUSIVE_TOPOLOGY);
    edge = (struct dependency){.role = lws_role_name(lws, "leader")};
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

/* All gangs have the same document, so what is wrong in it is reported with the first one. */
static void
lws_check(const struct lws_case *lws, struct gang_wishes *job)
{
    const struct node *scheduling = node_member(lws->source->spec, SLICE("scheduling"));

    if (lws->source->gang == 0) {
        const struct node *input;
        const struct node *exclusive =
            node_member(lws->source->meta->annotations,
                        SLICE("leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology"));

        lws_check_numbers(lws);
        lws_check_subgroups(lws);
        if (exclusive && !node_member(lws->pods, SLICE("subGroupPolicy")))
            LWS_REFUSE(lws, exclusive,
                       "cannot have subgroup-exclusive-topology without subGroupSize set");
        find_default(lws->source->report, lws->source->spec, SLICE("replicas"), "1");
        find_default(lws->source->report, lws->pods, SLICE("size"), "1");
        find_default(lws->source->report, lws->source->spec, SLICE("startupPolicy"),
                     "\"LeaderCreated\"");
        /*
         * The provider creates a PodGroup for each leader, and marks all pods, whatever their
         * scheduler. The document does not say whether it is on. Source:
         * pkg/schedulerprovider/volcano_provider.go.
         */
        input = lws_provider_input(lws);
        if (input)
            find_note_at_key(lws->source->report, input, MESSAGE_LWS_PROVIDER_ON);
    }
    /*
     * With `scheduling`, even an empty one, LWS creates a PodGroup for each group and refuses other
     * marks. Source: KEP-666 (keps/666-workload-aware-scheduling).
     */
    if (!scheduling)
        return;
    if (lws->source->gang == 0)
        find_note_at_key(lws->source->report, scheduling, MESSAGE_LWS_OWN_GANG);
    gang_job_stand_back(job, scheduling, "LWS makes the gang of each group");
}

static void
lws_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct lws_case lws = lws_start(source);
    const struct slice revision = node_string(node_member(
        source->meta->labels, SLICE("leaderworkerset.sigs.k8s.io/template-revision-hash")));

    if (!lws.pods)
        return; /* which is an error: the field is required */
    if (source->gang == 0) {
        const struct node *policy = node_member(lws.pods, SLICE("subGroupPolicy"));
        int64_t size = job_field_number(policy, SLICE("subGroupSize"), 0);

        object_meta_check_name(source->meta, NAME_DNS1035_LABEL, GANG_CODE_REFUSED_BY_OPERATOR,
                               source->report);
        /* The leaders are a StatefulSet, and the workers of each group `<lws>-<group>`. */
        if (lws.replicas > 0)
            job_field_check_revision(source,
                                     lws.size > 1 ? 1 + integer_length(lws.replicas - 1) : 0);
        /*
         * Reports subgroups of which one has the leader and fewer workers. They are not units,
         * because a unit has the pods of one role.
         */
        if (size >= 2 && lws.size % size == 0 && lws.size > size && !lws_excludes_leader(policy))
            find_note(source->report, node_member(policy, SLICE("subGroupSize")),
                      MESSAGE_SUBGROUPS_OF_TWO_ROLES, (long long)size - 1);
    }
    lws_check(&lws, job);
    job_field_check_parent(source, job);
    /*
     * `<lws>-<group>`, as the name of the leader pod; with the revision behind it if the document
     * has the label of one, as LWS's own names (GetPodGroupName): old and new pods of a group then
     * differ.
     */
    job->name =
        ARENA_SLICE(source->arena, "%.*s-%llu%s%.*s", SLICE_ARG(source->meta->name),
                    (unsigned long long)source->gang, revision.len ? "-" : "", SLICE_ARG(revision));
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
    .is_numbered = true,
    .translate = lws_translate,
};

/* ---- DisaggregatedSet ---- */

/*
 * A negative number counts as 1. Source: api/disaggregatedset/v1/disaggregatedset_types.go@v0.10.0,
 * as for `scaling`; before, a set is one slice.
 */
static uint64_t
disaggregated_set_count_gangs(const struct job_source *source)
{
    const int64_t slices = job_field_number(source->spec, SLICE("slices"), 1);

    return slices < 1 ? 1 : (uint64_t)slices;
}

static bool
disaggregated_set_scales(const struct node *role)
{
    return slice_equal(node_string(node_at(role, "scaling.mode")), SLICE("External"));
}

/* A group is one role of the gang if its pods have one template and come together. */
static void
disaggregated_set_add_groups(const struct lws_case *lws, struct gang_wishes *job)
{
    const bool is_ready = slice_equal(
        node_string(node_member(lws->source->spec, SLICE("startupPolicy"))), SLICE("LeaderReady"));
    struct role *role;

    if (is_ready || node_member(lws->pods, SLICE("leaderTemplate")) ||
        node_member(lws->source->meta->annotations, LWS_EXCLUSIVE_TOPOLOGY)) {
        lws_add_leader(lws, job);
        lws_add_workers(lws, job);
        return;
    }
    role = lws_add_role(lws, "", lws->size, job);
    if (!role)
        return;
    lws_set_unit(role, lws->size, LWS_GROUP_INDEX);
    role->pod_template = node_member(lws->pods, SLICE("workerTemplate"));
}

/* Of each role the controller makes a LeaderWorkerSet: pkg/controllers/disaggregatedset. */
static void
disaggregated_set_add_role(const struct job_source *source, const struct node *node,
                           struct gang_wishes *job)
{
    const struct node *metadata = node_member(node, SLICE("metadata"));
    const struct object_meta meta = {.source = metadata,
                                     .annotations = node_member(metadata, SLICE("annotations"))};
    struct job_source of_role = *source;
    struct lws_case lws;

    of_role.spec = node_member(node, SLICE("spec"));
    of_role.meta = &meta;
    lws = lws_start(&of_role);
    if (!of_role.spec && source->gang == 0) /* without it the LeaderWorkerSet is refused */
        find_missing(source->report, node, SLICE("spec"));
    if (!lws.pods)
        return; /* which is an error: the field is required */
    lws.of_role = node_name(node);
    lws.most = 2 * node_count(node_member(source->spec, SLICE("roles")));
    lws_check(&lws, job);
    if (disaggregated_set_scales(node)) {
        lws.replicas = 1;
        if (source->gang == 0)
            find_note(source->report, node_at(node, "scaling.mode"), MESSAGE_PART_ELSEWHERE_SCALER);
    }
    disaggregated_set_add_groups(&lws, job);
}

static void
disaggregated_set_translate(const struct job_source *source, struct gang_wishes *job)
{
    if (source->gang == 0) {
        const struct node *roles = node_member(source->spec, SLICE("roles"));
        size_t with_pods = 0;
        size_t without = 0;

        object_meta_check_name(source->meta, NAME_DNS1035_LABEL, GANG_CODE_REFUSED_BY_OPERATOR,
                               source->report);
        /* The rule of the CRD for the replicas of all roles. */
        for (NODE_EACH(role, roles)) {
            const struct node *spec = node_member(role, SLICE("spec"));

            if (disaggregated_set_scales(role))
                continue;
            if (job_field_number(spec, SLICE("replicas"), 1) > 0)
                with_pods++;
            else
                without++;
        }
        if (with_pods && without)
            find_invalid(source->report, roles, MESSAGE_REFUSED_BY_OPERATOR_ZERO_REPLICAS);
    }
    job->name = ARENA_SLICE(source->arena, "%.*s-%llu", SLICE_ARG(source->meta->name),
                            (unsigned long long)source->gang);
    job->marks_pods = true;
    for (NODE_EACH(role, node_member(source->spec, SLICE("roles"))))
        disaggregated_set_add_role(source, role, job);
}

const struct job_kind disaggregated_set_job_kind = {
    .api_versions = {SLICE_INIT("disaggregatedset.x-k8s.io/v1")},
    .kind = SLICE_INIT("DisaggregatedSet"),
    .schema = &disaggregated_set_schema,
    /* Source: config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml@v0.9.0 */
    .template_fields = TEMPLATE_WITH_GROUP,
    .count_gangs = disaggregated_set_count_gangs,
    .is_numbered = true,
    .translate = disaggregated_set_translate,
};
