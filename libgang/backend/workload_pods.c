/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload_pods.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

/* What is alike for all pods of the job. */
struct pods_facts {
    const struct backend_call *call;
    const struct workload_groups *groups;
    const struct workload_version *version;
    const struct cluster_priority_class *class; /* of the gang, also by default; NULL when it is not known */
    struct slice preemption;                    /* of the class; unset when it is not known */
    struct report *report;
};

static const char pods_rival_hint[] = "remove it; libgang makes the group of these pods";

static void
pods_check_rivals(const struct pods_facts *facts, const struct role *role)
{
    const struct node *rival = node_member(role->job_spec, SLICE("scheduling"));

    if (rival)
        find_note_at_key(facts->report, GANG_CODE_TWO_COMPILERS, rival, pods_rival_hint,
                         "Forbidden: the Job controller would make a second group of the same pods");
}

/* kubernetes/kubernetes:pkg/apis/core/validation, in its words. */
static void
pods_check_eviction(const struct pods_facts *facts, const struct role *role)
{
    const struct node *responders = node_member(role->pod_spec, SLICE("evictionResponders"));
    enum cluster_answer gate;

    if (!responders || !facts->version || facts->version->first_minor < 37)
        return;
    gate = cluster_has_gate(facts->call->cluster, workload_gate_eviction);
    if (gate == CLUSTER_YES)
        find_note_at_key(facts->report, GANG_CODE_EVICTION_RESPONDERS, responders,
                         "remove evictionResponders",
                         "spec.schedulingGroup: Forbidden: may not be set when evictionResponders is set");
    else if (gate == CLUSTER_UNKNOWN)
        find_note_at_key(facts->report, GANG_CODE_NOT_CHECKED, responders,
                         "remove evictionResponders, or add featureGates.EvictionRequestAPI",
                         "not checked: with the gate EvictionRequestAPI on, every pod is refused: "
                         "spec.schedulingGroup: Forbidden: may not be set when evictionResponders is set");
}

/* kubernetes/kubernetes:plugin/pkg/admission/priority/admission.go, in its words. */
static void
pods_check_priority(const struct pods_facts *facts, const struct role *role)
{
    const struct node *priority = node_member(role->pod_spec, SLICE("priority"));
    int64_t value;

    if (!node_int(priority, &value) || (facts->class && facts->class->value == value))
        return;
    find_note(
        facts->report, GANG_CODE_PRIORITY_PRESET, priority, "name a priorityClassName instead",
        "Forbidden: the integer value of priority (%lld) must not be provided in pod spec; the priority "
        "admission controller computes it from the given PriorityClass name",
        (long long)value);
}

/* The group has its class's policy, or that of the options; pods of another are never scheduled with it. */
static void
pods_check_preemption(const struct pods_facts *facts, const struct role *role)
{
    const struct node *policy = node_member(role->pod_spec, SLICE("preemptionPolicy"));
    struct quoted wanted;

    if (!policy || !facts->version || facts->version->first_minor < 37 || !slice_is_set(facts->preemption) ||
        slice_equal(node_string(policy), facts->preemption))
        return;
    find_invalid(facts->report, GANG_CODE_PREEMPTION_MISMATCH, policy, "remove preemptionPolicy",
                 "all pods of a group must have its preemptionPolicy, %s", quote(&wanted, facts->preemption));
}

static bool
pods_claim_is(const struct node *mine, const struct node *wanted)
{
    static const struct slice members[] = {SLICE_INIT("name"), SLICE_INIT("resourceClaimName"),
                                           SLICE_INIT("resourceClaimTemplateName")};

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (!slice_equal(node_string(node_member(mine, members[i])),
                         node_string(node_member(wanted, members[i]))))
            return false;
    return true;
}

static bool
pods_have_claim(const struct role *role, const struct node *wanted)
{
    for (NODE_EACH(mine, node_member(role->pod_spec, SLICE("resourceClaims"))))
        if (pods_claim_is(mine, wanted))
            return true;
    return false;
}

static void
pods_check_claims(const struct pods_facts *facts, const struct role *role, const struct node *claims)
{
    struct quoted names[2];

    for (NODE_EACH(claim, claims))
        if (!pods_have_claim(role, claim))
            find_note(
                facts->report, GANG_CODE_CLAIM_MISMATCH, claim,
                "write the same entry, name and source, into the pod template's resourceClaims",
                "Invalid value: %s: the pods of role %s have no such claim, so each would reserve its own",
                quote(&names[0], node_string(node_member(claim, SLICE("name")))),
                quote(&names[1], role->name));
}

/* Members agree already; roles outside the gang may have a group too. */
static void
pods_check_class(const struct pods_facts *facts, const struct role *role)
{
    const struct gang *gang = facts->call->gang;
    struct quoted names[2];

    if (!facts->version || !facts->version->one_priority || role->membership != ROLE_OUTSIDE ||
        slice_equal(role->priority_class_name, gang->priority_class_name) ||
        (!role->priority_class_name.len && !gang->priority_class_name.len))
        return;
    find_note(
        facts->report, GANG_CODE_PRIORITIES_DISAGREE,
        role->priority_class_source ? role->priority_class_source : role->source,
        "give every role that has a group the gang's priorityClassName",
        "detected multiple priority configurations: all groups of a Workload must have one priority: role "
        "%s has %s, the gang has %s",
        quote(&names[0], role->name),
        role->priority_class_name.len ? quote(&names[1], role->priority_class_name) : "none",
        gang->priority_class_name.len ? "another" : "none");
}

static void
pods_check_role(const struct pods_facts *facts, size_t index)
{
    const struct role *role = &facts->call->gang->roles[index];
    size_t group = facts->groups->of_role[index];

    if (group == WORKLOAD_NO_GROUP)
        return;
    pods_check_rivals(facts, role);
    pods_check_eviction(facts, role);
    pods_check_priority(facts, role);
    pods_check_preemption(facts, role);
    pods_check_class(facts, role);
    pods_check_claims(facts, role, facts->groups->items[group].wishes[WORKLOAD_CLAIMS].source);
}

/* With the gate on, Kubernetes 1.37 answers 403 to a PodGroup that differs from its class. */
static void
pods_check_option(const struct pods_facts *facts)
{
    const struct node *option = node_member(facts->call->options, SLICE("preemptionPolicy"));
    struct quoted wanted;

    if (option && slice_is_set(facts->preemption) && !slice_equal(node_string(option), facts->preemption))
        find_invalid(facts->report, GANG_CODE_PREEMPTION_MISMATCH, option,
                     "remove it: the group says what its class says",
                     "the priority class of the pods has the preemptionPolicy %s, and a PodGroup that says "
                     "otherwise is refused",
                     quote(&wanted, facts->preemption));
}

static struct pods_facts
pods_facts_of(const struct workload_groups *groups, const struct backend_call *call,
              const struct workload_version *version, struct report *report)
{
    struct pods_facts facts = {.call = call, .groups = groups, .version = version, .report = report};
    bool is_named = call->gang->priority_class_name.len > 0;

    if (is_named)
        cluster_priority_class(call->cluster, call->gang->priority_class_name, &facts.class);
    else
        facts.class = cluster_default_priority_class(call->cluster);
    if (facts.class && slice_is_set(facts.class->preemption_policy))
        facts.preemption = facts.class->preemption_policy;
    else if (facts.class || (!is_named && call->cluster && call->cluster->knows_priority_classes))
        facts.preemption = SLICE("PreemptLowerPriority");
    return facts;
}

void
workload_check_pods(const struct workload_groups *groups, const struct backend_call *call,
                    const struct workload_version *version, struct report *report)
{
    struct pods_facts facts = pods_facts_of(groups, call, version, report);

    if (call->gang->rival)
        find_note_at_key(report, GANG_CODE_TWO_COMPILERS, call->gang->rival, pods_rival_hint,
                         "Forbidden: JobSet would make groups of the same pods");
    pods_check_option(&facts);
    for (size_t i = 0; i < call->gang->num_roles; i++)
        pods_check_role(&facts, i);
}
