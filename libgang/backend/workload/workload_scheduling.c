/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

/* ---- workload scheduling ---- */

static const struct slice scheduling_policy = SLICE_INIT("schedulingPolicy");
static const struct slice scheduling_disruption = SLICE_INIT("disruptionMode");
static const struct slice scheduling_targets = SLICE_INIT("targetReplicatedJobs");
static const struct slice scheduling_entries = SLICE_INIT("replicatedJobs");
static const struct slice scheduling_job = SLICE_INIT("job");
static const struct slice scheduling_claims = SLICE_INIT("resourceClaims");

/* A union: exactly one of two members must be set. */
struct scheduling_union {
    struct slice members[2];
    const char *in_words;
};
static const struct scheduling_union scheduling_policies = {
    {SLICE_INIT("basic"), SLICE_INIT("gang")}, "`basic`, `gang`"};
static const struct scheduling_union scheduling_disruptions = {
    {SLICE_INIT("single"), SLICE_INIT("all")}, "`single`, `all`"};
static const struct scheduling_union scheduling_claim_sources = {
    {SLICE_INIT("resourceClaimName"), SLICE_INIT("resourceClaimTemplateName")},
    "`resourceClaimName`, `resourceClaimTemplateName`"};

/* Returns the member that is set; the first if both are set. */
static const struct node *
scheduling_member(const struct node *map, const struct scheduling_union *of)
{
    const struct node *first = node_member(map, of->members[0]);

    return first ? first : node_member(map, of->members[1]);
}

struct workload_block
workload_block_read(const struct node *source)
{
    return (struct workload_block){
        .is_basic = node_member(node_member(source, scheduling_policy), SLICE("basic")) != NULL,
        .topology_key = node_member(node_item(node_at(source, "schedulingConstraints.topology"), 0),
                                    SLICE("key")),
        .disruption =
            scheduling_member(node_member(source, scheduling_disruption), &scheduling_disruptions),
        .claims = node_member(source, scheduling_claims),
        .source = source,
    };
}

const struct node *
workload_scheduling_entries(const struct node *scheduling)
{
    return node_member(scheduling, scheduling_entries);
}

/*
 * Kubernetes 1.35 has its own message; later versions use that of declarative validation:
 * k8s.io/apimachinery pkg/api/validate/union.go. The server drops unknown members before it counts.
 */
static void
scheduling_check_union(const struct node *map, const struct scheduling_union *of,
                       bool is_first_version, struct report *report)
{
    bool has_first = node_member(map, of->members[0]) != NULL;
    bool has_second = node_member(map, of->members[1]) != NULL;

    if (!map || has_first != has_second)
        return;
    if (is_first_version)
        find_note(report, map, MESSAGE_SCHEDULING_UNION_MEMBERS, SLICE_ARG(of->members[0]),
                  SLICE_ARG(of->members[1]));
    else
        find_note(report, map, MESSAGE_SCHEDULING_UNION_ONE,
                  has_first ? "exactly one of" : "one of", of->in_words);
}

void
workload_check_topology_key(const struct node *key, struct report *report)
{
    if (node_is(key, NODE_STRING))
        name_check_made(node_string(key), NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY, key, NULL,
                        report);
}

/*
 * kubernetes/api:scheduling/v1beta1/types.go PodGroupResourceClaim: the name is a DNS label, and
 * the name of the object that it refers to is a DNS subdomain.
 */
static void
scheduling_check_name(const struct node *name, enum name_rule rule, struct report *report)
{
    if (node_is(name, NODE_STRING))
        name_check_made(node_string(name), rule, GANG_CODE_INVALID_NAME, name, NULL, report);
}

void
workload_check_claims(const struct node *claims, struct report *report)
{
    for (NODE_EACH(claim, claims)) {
        scheduling_check_name(node_member(claim, SLICE("name")), NAME_DNS1123_LABEL, report);
        scheduling_check_name(scheduling_member(claim, &scheduling_claim_sources),
                              NAME_DNS1123_SUBDOMAIN, report);
        scheduling_check_union(claim, &scheduling_claim_sources, false, report);
    }
}

/*
 * KEP-3015 rejects an explicit minCount. JobSet has not settled how it handles minGroupCount. Of
 * disruption, the words of kubernetes/component-helpers:scheduling/workloadbuilder.
 */
static void
scheduling_check_block(const struct node *block, const struct workload_version *version,
                       struct report *report)
{
    static const struct slice counts[] = {SLICE_INIT("minCount"), SLICE_INIT("minGroupCount")};
    const struct workload_block read = workload_block_read(block);
    const struct node *policy = node_member(block, scheduling_policy);
    const struct node *gang = node_member(policy, SLICE("gang"));
    const struct node *mode = node_member(block, scheduling_disruption);
    const struct node *all = node_member(mode, SLICE("all"));

    scheduling_check_union(policy, &scheduling_policies, version && !version->has_pod_groups,
                           report);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (node_member(gang, counts[i]))
            find_forbidden(report, node_member(gang, counts[i]), MESSAGE_COMPUTED_COUNT,
                           SLICE_ARG(counts[i]));
    scheduling_check_union(mode, &scheduling_disruptions, false, report);
    if (all && read.is_basic)
        find_note_at_key(report, all, MESSAGE_DISRUPTION_OF_BASIC);
    workload_check_topology_key(read.topology_key, report);
    workload_check_claims(read.claims, report);
}

/* Settings must be on one level: this one, beside the targets, or the one below. */
static void
scheduling_check_levels(const struct node *map, struct slice below, struct report *report)
{
    const struct node *lower = node_member(map, below);

    for (NODE_EACH(member, lower ? map : NULL))
        if (member != lower && !node_is_absent(member) &&
            !slice_equal(node_key(member), scheduling_targets)) {
            find_note_at_key(report, lower, MESSAGE_SCHEDULING_UNION_LEVELS, SLICE_ARG(below));
            return;
        }
}

/*
 * JobSet's webhook: every replicatedJob is targeted exactly once. Stops after one target more than
 * there are roles: a longer list has already been reported.
 */
static void
scheduling_check_targets(const struct gang *gang, const struct node *targets, bool *targeted,
                         struct report *report)
{
    size_t left = gang->num_roles + 1;

    for (NODE_EACH(target, targeted ? targets : NULL)) {
        const struct role *role =
            FIND_TEXT(gang->roles, gang->num_roles, name, node_string(target));

        if (!left--)
            return;
        if (!role)
            find_invalid(report, target, MESSAGE_TARGETED_ONCE_UNKNOWN);
        else if (targeted[role - gang->roles])
            find_duplicate(report, target, GANG_CODE_TARGETED_ONCE,
                           "every role belongs to exactly one group");
        else
            targeted[role - gang->roles] = true;
    }
}

static void
scheduling_check_per_job(const struct gang *gang, const struct node *entry, struct report *report)
{
    const struct node *targets = node_member(entry, scheduling_targets);
    const struct role *role =
        FIND_TEXT(gang->roles, gang->num_roles, name, node_string(node_item(targets, 0)));
    const struct node *replicas = role ? node_member(role->source, SLICE("replicas")) : NULL;

    if (node_count(targets) > 1)
        find_note(report, targets, MESSAGE_SCHEDULING_UNION_JOB_ITEMS, node_count(targets));
    if (node_int_or(replicas, 1) > 1)
        find_invalid(report, replicas, MESSAGE_SCHEDULING_UNION_JOBS);
}

void
workload_scheduling_check(const struct gang *gang, const struct workload_version *version,
                          struct report *report)
{
    const struct node *entries = workload_scheduling_entries(gang->wishes->scheduling);

    if (!gang->wishes->scheduling)
        return;
    scheduling_check_block(gang->wishes->scheduling, version, report);
    scheduling_check_levels(gang->wishes->scheduling, scheduling_entries, report);
    if (entries) {
        bool *targeted = arena_array(report->arena, gang->num_roles, sizeof(*targeted));

        for (NODE_EACH(entry, entries)) {
            scheduling_check_block(entry, version, report);
            scheduling_check_levels(entry, scheduling_job, report);
            if (node_member(entry, scheduling_job)) {
                scheduling_check_block(node_member(entry, scheduling_job), version, report);
                scheduling_check_per_job(gang, entry, report);
            }
            scheduling_check_targets(gang, node_member(entry, scheduling_targets), targeted,
                                     report);
        }
        for (size_t i = 0; targeted && i < gang->num_roles; i++)
            if (!targeted[i])
                find_note(report, entries, MESSAGE_TARGETED_ONCE_MISSING,
                          SLICE_ARG(gang->roles[i].name));
    }
}

/* ---- workload pods ---- */

/* What all pods of the job have in common. */
struct pods_facts {
    const struct backend_call *call;
    const struct workload_groups *groups;
    const struct workload_version *version;
    const struct cluster_priority_class *class; /* the gang's or the default; NULL if not known */
    struct slice preemption;                    /* of the class; unset if not known */
    struct report *report;
};

/* Uses the words of kubernetes/kubernetes:pkg/apis/core/validation. */
static void
pods_check_eviction(const struct pods_facts *facts, const struct role *role)
{
    const struct node *responders = node_member(role->pod_spec, SLICE("evictionResponders"));
    enum cluster_answer gate;

    if (!responders || !facts->version || facts->version->first_minor < 37)
        return;
    gate = cluster_has_gate(facts->call->cluster, workload_gate_eviction);
    if (gate == CLUSTER_YES)
        find_note_at_key(facts->report, responders, MESSAGE_EVICTION_RESPONDERS);
    else if (gate == CLUSTER_UNKNOWN)
        find_note_at_key(facts->report, responders, MESSAGE_NOT_CHECKED_EVICTION);
}

/* Whether a pod of the role has the same claim. */
static bool
pods_have_claim(const struct role *role, const struct node *wanted)
{
    static const struct slice members[] = {SLICE_INIT("name"), SLICE_INIT("resourceClaimName"),
                                           SLICE_INIT("resourceClaimTemplateName")};

    for (NODE_EACH(mine, node_member(role->pod_spec, SLICE("resourceClaims")))) {
        size_t same = 0;

        while (same < COUNT_OF(members) &&
               slice_equal(node_string(node_member(mine, members[same])),
                           node_string(node_member(wanted, members[same]))))
            same++;
        if (same == COUNT_OF(members))
            return true;
    }
    return false;
}

/* Checks roles outside the gang, which may have a group too. Members have been compared before. */
static void
pods_check_class(const struct pods_facts *facts, const struct role *role)
{
    const struct gang *gang = facts->call->gang;
    struct quoted name;

    if (!facts->version || !facts->version->one_priority ||
        gang_membership(gang, role) != ROLE_OUTSIDE ||
        slice_equal(role->priority_class_name, gang->priority_class_name) ||
        (!role->priority_class_name.len && !gang->priority_class_name.len))
        return;
    find_note(facts->report,
              role->priority_class_source ? role->priority_class_source : role->source,
              MESSAGE_PRIORITIES_DISAGREE_WORKLOAD, SLICE_ARG(role->name),
              role->priority_class_name.len ? quote(&name, role->priority_class_name) : "none",
              gang->priority_class_name.len ? "another" : "none");
}

static void
pods_check_role(const struct pods_facts *facts, size_t index)
{
    const struct role *role = &facts->call->gang->roles[index];
    const struct node *rival = node_member(role->job_spec, SLICE("scheduling"));
    size_t group = facts->groups->of_role[index];
    const struct node *priority;
    const struct node *policy;
    int64_t value;

    if (group == WORKLOAD_NO_GROUP)
        return;
    if (rival)
        find_note_at_key(facts->report, rival, MESSAGE_TWO_CONTROLLERS_JOB);
    pods_check_eviction(facts, role);
    /*
     * Uses the words of kubernetes/kubernetes:plugin/pkg/admission/priority/admission.go, which has
     * set the number of a pod that exists.
     */
    priority = node_member(role->pod_spec, SLICE("priority"));
    if (node_int(priority, &value) && (!facts->class || facts->class->value != value) &&
        !node_at(role->pod_template, "metadata.uid"))
        find_note(facts->report, priority, MESSAGE_PRIORITY_PRESET, (long long)value);
    /* The group has the policy of its class or of the options. Others never join it. */
    policy = node_member(role->pod_spec, SLICE("preemptionPolicy"));
    if (policy && facts->version && facts->version->first_minor >= 37 &&
        slice_is_set(facts->preemption) && !slice_equal(node_string(policy), facts->preemption))
        find_invalid(facts->report, policy, MESSAGE_PREEMPTION_MISMATCH_GROUP,
                     SLICE_ARG(facts->preemption));
    pods_check_class(facts, role);
    for (NODE_EACH(claim, facts->groups->items[group].wishes[WORKLOAD_CLAIMS].source))
        if (!pods_have_claim(role, claim))
            find_note(facts->report, claim, MESSAGE_CLAIM_MISMATCH, SLICE_ARG(node_name(claim)),
                      SLICE_ARG(role->name));
}

/*
 * HighestUserDefinablePriority of kubernetes/kubernetes:pkg/apis/scheduling/types.go. The API
 * server accepts a pod above it, and refuses a PodGroup.
 */
static const int64_t pods_highest_group_priority = 1000000000;

/* Observed in Kubernetes 1.36 with the gate WorkloadAwarePreemption, and in 1.37. */
static void
pods_check_system_priority(const struct pods_facts *facts)
{
    const struct gang *gang = facts->call->gang;
    const struct node *source =
        gang->priority_class_source ? gang->priority_class_source : gang->wishes->owner.name_source;
    enum cluster_answer kept =
        workload_keeps_field(facts->version, WORKLOAD_PRIORITY, facts->call->cluster);
    long long value = facts->class ? (long long)facts->class->value : 0;

    if (value <= pods_highest_group_priority || !facts->groups->count || kept == CLUSTER_NO)
        return;
    if (kept == CLUSTER_YES)
        find_note(facts->report, source, MESSAGE_SYSTEM_PRIORITY, value,
                  (long long)pods_highest_group_priority);
    else
        find_note(facts->report, source, MESSAGE_NOT_CHECKED_PRIORITY,
                  SLICE_ARG(facts->version->fields[WORKLOAD_PRIORITY].gate), value,
                  (long long)pods_highest_group_priority);
}

void
workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                    const struct workload_version *version, struct report *report)
{
    bool is_named = call->gang->priority_class_name.len > 0;
    struct pods_facts facts = {
        .call = call, .groups = groups, .version = version, .report = report};
    const struct node *option;

    if (is_named)
        cluster_priority_class(call->cluster, call->gang->priority_class_name, &facts.class);
    else
        facts.class = cluster_default_priority_class(call->cluster);
    if (facts.class && slice_is_set(facts.class->preemption_policy))
        facts.preemption = facts.class->preemption_policy;
    else if (facts.class || (!is_named && call->cluster && call->cluster->priority_classes_source))
        facts.preemption = SLICE("PreemptLowerPriority");
    if (call->gang->wishes->rival)
        find_note_at_key(report, call->gang->wishes->rival, MESSAGE_TWO_CONTROLLERS_JOBSET);
    /*
     * With the gate on, Kubernetes 1.37 answers 403 to a PodGroup whose policy differs from that of
     * its class.
     */
    option = node_member(facts.call->options, SLICE("preemptionPolicy"));
    if (option) {
        if (!slice_is_set(facts.preemption)) {
            if (workload_keeps_field(version, WORKLOAD_PREEMPTION, call->cluster) != CLUSTER_NO)
                find_note(facts.report, option, MESSAGE_NOT_CHECKED_PREEMPTION);
        } else if (!slice_equal(node_string(option), facts.preemption)) {
            find_invalid(facts.report, option, MESSAGE_PREEMPTION_MISMATCH_CLASS,
                         SLICE_ARG(facts.preemption));
        }
    }
    pods_check_system_priority(&facts);
    for (size_t i = 0; i < call->gang->num_roles; i++)
        pods_check_role(&facts, i);
}
