/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_group_policy.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

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

/* No release of the operator has either; libgang reads what is proposed. */
static void
pod_group_policy_check_proposals(const struct pod_group_policy *policy, struct report *report)
{
    const struct node *workload = node_member(policy->source, pod_group_policy_workload);
    const struct node *proposed = policy->scheduling ? policy->scheduling : workload;

    if (policy->source && policy->scheduling)
        find_note_at_key(report, GANG_CODE_TWO_COMPILERS, policy->scheduling, "keep one of the two",
                         "Invalid value: podGroupPolicy and scheduling are mutually exclusive");
    if (proposed)
        find_note_at_key(report, GANG_CODE_UNRELEASED_FIELD, proposed,
                         "install an operator whose CRDs keep it, or choose the backend in a policy",
                         "Kubeflow Trainer v2.3 has no such field: its API server drops it");
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
    pod_group_policy_check_proposals(&policy, report);
    return policy;
}

static bool
pod_group_policy_knows(struct slice member, const struct slice *known, size_t count)
{
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
    const struct node *named = node_member(policy->source, member);

    return named || !slice_equal(member, pod_group_policy_workload) ? named : policy->scheduling;
}
