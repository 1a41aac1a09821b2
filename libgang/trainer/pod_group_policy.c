/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_group_policy.h"

#include "libgang/base/text.h"
#include "libgang/document/finding.h"
#include "libgang/document/schema.h"

/* CRD defaults: manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml@v2.3.0 */
enum { DEFAULT_TIMEOUT_SECONDS = 60, DEFAULT_HIGHEST_TIER = 1 };
#define DEFAULT_TOPOLOGY_MODE "hard"

/* Of podGroupPolicy; kubeflow/trainer#3015 and KEP-3015 name the same gang, one by a member, the other by a field. */
static const struct slice pod_group_policy_workload = SLICE_INIT("workload");

static void
pod_group_policy_note_default(struct report *report, const struct node *parent, struct slice member,
                              const char *value)
{
    find_note_below(report, GANG_CODE_DEFAULT_APPLIED, parent, member, NULL,
                    "defaults to %s, as in the API server", value);
}

static void
pod_group_policy_read_coscheduling(struct pod_group_policy *policy, struct report *report)
{
    policy->timeout_seconds = DEFAULT_TIMEOUT_SECONDS;
    policy->timeout_source = node_member(policy->coscheduling, SLICE("scheduleTimeoutSeconds"));
    if (policy->timeout_source)
        node_int(policy->timeout_source, &policy->timeout_seconds);
    else
        pod_group_policy_note_default(report, policy->coscheduling, SLICE("scheduleTimeoutSeconds"), "60");
}

static struct gang_topology
pod_group_policy_read_topology(const struct node *source, struct report *report)
{
    const struct node *mode = node_member(source, SLICE("mode"));
    const struct node *tier = node_member(source, SLICE("highestTierAllowed"));
    struct gang_topology topology = {
        .is_set = source != NULL,
        .mode = mode ? node_string(mode) : SLICE(DEFAULT_TOPOLOGY_MODE),
        .has_tier = source != NULL,
        .highest_tier = DEFAULT_HIGHEST_TIER,
        .source = source,
    };

    if (!source)
        return topology;
    if (!mode)
        pod_group_policy_note_default(report, source, SLICE("mode"), "\"" DEFAULT_TOPOLOGY_MODE "\"");
    if (!tier)
        pod_group_policy_note_default(report, source, SLICE("highestTierAllowed"), "1");
    node_int(tier, &topology.highest_tier);
    return topology;
}

/*
 * KAI's members, which no CRD has yet. Source: kubeflow/trainer#3186, whose first form was `kai`.
 */
static const struct schema pod_group_policy_text = {.type = SCHEMA_STRING};
static const struct schema pod_group_policy_seconds = {.type = SCHEMA_INT32};
static const struct schema_field pod_group_policy_kai_scheduler_fields[] = {
    {SLICE_INIT("queue"), &pod_group_policy_text, false},
};
static const struct schema_field pod_group_policy_kai_fields[] = {
    {SLICE_INIT("queueName"), &pod_group_policy_text, false},
    {SLICE_INIT("scheduleTimeoutSeconds"), &pod_group_policy_seconds, false},
};
static const struct schema pod_group_policy_kai_scheduler =
    SCHEMA_OBJECT_OF(pod_group_policy_kai_scheduler_fields);
static const struct schema pod_group_policy_kai = SCHEMA_OBJECT_OF(pod_group_policy_kai_fields);

/* A member, and the spelling that it has superseded. */
static const struct {
    struct slice member;
    const struct schema *schema;
    struct slice superseded;
    const struct schema *superseded_schema;
} pod_group_policy_spellings[] = {
    {SLICE_INIT("kaiScheduler"), &pod_group_policy_kai_scheduler, SLICE_INIT("kai"), &pod_group_policy_kai},
};
enum {
    POD_GROUP_POLICY_SPELLINGS = sizeof(pod_group_policy_spellings) / sizeof(pod_group_policy_spellings[0])
};

/* The member that a superseded spelling stands for, or the member itself. */
static struct slice
pod_group_policy_spelt(struct slice member)
{
    for (size_t i = 0; i < POD_GROUP_POLICY_SPELLINGS; i++)
        if (slice_equal(pod_group_policy_spellings[i].superseded, member))
            return pod_group_policy_spellings[i].member;
    return member;
}

static void
pod_group_policy_note_proposal(const struct node *proposed, struct report *report)
{
    if (proposed)
        find_note_at_key(report, GANG_CODE_UNRELEASED_FIELD, proposed,
                         "install an operator whose CRDs keep it, or choose the backend in a policy",
                         "Kubeflow Trainer v2.3 has no such field: its API server drops it");
}

static void
pod_group_policy_check_spellings(const struct pod_group_policy *policy, struct report *report)
{
    for (size_t i = 0; policy->source && i < POD_GROUP_POLICY_SPELLINGS; i++) {
        const struct node *member = node_member(policy->source, pod_group_policy_spellings[i].member);
        const struct node *superseded = node_member(policy->source, pod_group_policy_spellings[i].superseded);

        if (member)
            schema_check(pod_group_policy_spellings[i].schema, member, report);
        if (superseded)
            schema_check(pod_group_policy_spellings[i].superseded_schema, superseded, report);
        pod_group_policy_note_proposal(member ? member : superseded, report);
    }
}

/* No release of the operator has either; libgang reads what is proposed. */
static void
pod_group_policy_check_proposals(const struct pod_group_policy *policy, struct report *report)
{
    const struct node *workload = node_member(policy->source, pod_group_policy_workload);
    const struct node *proposed = policy->scheduling ? policy->scheduling : workload;

    if (policy->source && policy->scheduling)
        find_note_at_key(report, GANG_CODE_TWO_COMPILERS, policy->scheduling, "keep one of the two",
                         "Invalid value: podGroupPolicy and scheduling are mutually exclusive");
    pod_group_policy_note_proposal(proposed, report);
}

/* Each job looks for every backend's member, and nearly every runtime has one or none. */
static void
pod_group_policy_count_asked(struct pod_group_policy *policy)
{
    if (policy->scheduling)
        policy->asked = pod_group_policy_workload;
    policy->num_asked = policy->scheduling != NULL;
    for (NODE_EACH(member, policy->source)) {
        if (node_is_absent(member))
            continue;
        policy->asked = pod_group_policy_spelt(node_key(member));
        policy->num_asked++;
    }
}

struct pod_group_policy
pod_group_policy_read(const struct node *spec, struct report *report)
{
    struct pod_group_policy policy = {
        .source = node_member(spec, SLICE("podGroupPolicy")),
        .scheduling = node_member(spec, SLICE("scheduling")),
    };

    policy.coscheduling = node_member(policy.source, SLICE("coscheduling"));
    policy.volcano = node_member(policy.source, SLICE("volcano"));
    if (policy.coscheduling)
        pod_group_policy_read_coscheduling(&policy, report);
    policy.topology =
        pod_group_policy_read_topology(node_member(policy.volcano, SLICE("networkTopology")), report);
    pod_group_policy_check_spellings(&policy, report);
    pod_group_policy_check_proposals(&policy, report);
    pod_group_policy_count_asked(&policy);
    return policy;
}

static bool
pod_group_policy_knows(struct slice member, const struct slice *known, size_t count)
{
    member = pod_group_policy_spelt(member);
    for (size_t i = 0; i < count; i++)
        if (slice_equal(member, known[i]))
            return true;
    return false;
}

/* A member written without a value, and no other: somebody wants a gang that the API server will not hear of. */
static void
pod_group_policy_check_null(const struct pod_group_policy *policy, const struct slice *known, size_t count,
                            struct report *report)
{
    const struct node *null = NULL;

    for (NODE_EACH(member, policy->source)) {
        if (!node_is_absent(member))
            return;
        if (pod_group_policy_knows(node_key(member), known, count))
            null = member;
    }
    if (null)
        find_note_at_key(report, GANG_CODE_NULL_VALUE, null,
                         arena_format(report->arena, "write `%.*s: {}`", SLICE_ARG(node_key(null))),
                         "Invalid value: null: the API server would drop it and no gang would be made");
}

static void
pod_group_policy_refuse_member(const struct node *member, const struct slice *known, size_t count,
                               struct report *report)
{
    const char *list = "";
    struct quoted quoted;

    for (size_t i = 0; i < count; i++)
        list = arena_format(report->arena, "%s%s%s", list, i ? ", " : "", quote(&quoted, known[i]));
    find_note_at_key(report, GANG_CODE_UNKNOWN_GANG_POLICY, member,
                     "the API server would drop it and no gang would be made",
                     "Unsupported value: %s: supported values: %s", quote(&quoted, node_key(member)), list);
}

void
pod_group_policy_check_members(const struct pod_group_policy *policy, const struct slice *known, size_t count,
                               struct report *report)
{
    for (NODE_EACH(member, policy->source))
        if (!node_is_absent(member) && !pod_group_policy_knows(node_key(member), known, count))
            pod_group_policy_refuse_member(member, known, count, report);
    pod_group_policy_check_null(policy, known, count, report);
}

const struct node *
pod_group_policy_find(const struct pod_group_policy *policy, struct slice member)
{
    const struct node *named;

    if (!policy->num_asked || (policy->num_asked == 1 && !slice_equal(policy->asked, member)))
        return NULL;
    named = node_member(policy->source, member);
    for (size_t i = 0; !named && i < POD_GROUP_POLICY_SPELLINGS; i++)
        if (slice_equal(pod_group_policy_spellings[i].member, member))
            named = node_member(policy->source, pod_group_policy_spellings[i].superseded);
    return named || !slice_equal(member, pod_group_policy_workload) ? named : policy->scheduling;
}
