/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* CRD defaults: manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml@v2.3.0 */
enum { DEFAULT_TIMEOUT_SECONDS = 60, DEFAULT_HIGHEST_TIER = 1 };
#define DEFAULT_TOPOLOGY_MODE "hard"

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
    find_default(report, source, SLICE("mode"), "\"" DEFAULT_TOPOLOGY_MODE "\"");
    find_default(report, source, SLICE("highestTierAllowed"), "1");
    node_int(tier, &topology.highest_tier);
    return topology;
}

const struct node *
pod_group_policy_superseded(const struct pod_group_policy *policy,
                            const struct descriptor *scheduler)
{
    return slice_is_set(scheduler->member.superseded)
               ? node_member(policy->source, scheduler->member.superseded)
               : NULL;
}

static void
pod_group_policy_read_member(struct pod_group_policy *policy, const struct descriptor *scheduler,
                             const struct node *member, struct report *report)
{
    const bool is_superseded = !slice_equal(node_key(member), scheduler->member.name);
    const struct schema *schema =
        is_superseded ? scheduler->member.superseded_schema : scheduler->member.schema;
    const bool is_told = (is_superseded && node_member(policy->source, scheduler->member.name)) ||
                         (scheduler->member.is_of_scheduling && policy->scheduling);

    if (slice_is_set(scheduler->member.timeout_path)) {
        policy->has_timeout = true;
        policy->timeout_seconds = DEFAULT_TIMEOUT_SECONDS;
        policy->timeout_source = node_member(member, SLICE("scheduleTimeoutSeconds"));
        node_int(policy->timeout_source, &policy->timeout_seconds);
        find_default(report, member, SLICE("scheduleTimeoutSeconds"), "60");
    }
    if (slice_is_set(scheduler->member.topology_path))
        policy->topology =
            pod_group_policy_read_topology(node_member(member, SLICE("networkTopology")), report);
    /* No release of the operator has these members; libgang reads the proposed form. */
    if (schema)
        schema_check(schema, member, report);
    if (!scheduler->member.is_of_operator && !is_told)
        find_note_at_key(report, member, MESSAGE_UNRELEASED_FIELD);
}

struct pod_group_policy
pod_group_policy_read(const struct node *spec, struct report *report)
{
    struct pod_group_policy policy = {
        .source = node_member(spec, SLICE("podGroupPolicy")),
        .scheduling = node_member(spec, SLICE("scheduling")),
    };

    if (!policy.source && !policy.scheduling)
        return policy;
    /*
     * Counts once per runtime: each job searches for the member of every backend, and most runtimes
     * have at most one.
     */
    for (size_t i = 0; policy.scheduling && i < CATALOG_COUNT; i++)
        if (catalog[i]->member.is_of_scheduling)
            policy.asked = catalog[i];
    policy.num_asked = policy.scheduling != NULL;
    for (NODE_EACH(member, policy.source)) {
        if (node_is_absent(member))
            continue;
        policy.asked = catalog_of_member(node_key(member));
        policy.num_asked++;
        if (policy.asked)
            pod_group_policy_read_member(&policy, policy.asked, member, report);
    }
    if (policy.scheduling && policy.source)
        find_note_at_key(report, policy.scheduling, MESSAGE_TWO_CONTROLLERS_FIELDS);
    if (policy.scheduling)
        find_note_at_key(report, policy.scheduling, MESSAGE_UNRELEASED_FIELD);
    return policy;
}

void
pod_group_policy_check_members(const struct pod_group_policy *policy, struct report *report)
{
    const struct node *null;

    if (policy->num_asked == 1 && policy->asked && !policy->scheduling)
        return; /* its only member is known, as in nearly every runtime */
    for (NODE_EACH(member, policy->source))
        if (!node_is_absent(member) && !catalog_of_member(node_key(member))) {
            const char *list = "";

            for (size_t i = 0; i < CATALOG_COUNT; i++)
                list = arena_format(report->arena, "%s%s%-.*s", list, i ? ", " : "",
                                    SLICE_ARG(catalog[i]->member.name));
            find_note_at_key(report, member, MESSAGE_UNKNOWN_GANG_POLICY,
                             SLICE_ARG(node_key(member)), list);
        }
    /*
     * Reports a member that is null if all other members are null too. The user wants a gang, but
     * the API server drops the member.
     */
    null = NULL;
    for (NODE_EACH(member, policy->source)) {
        if (!node_is_absent(member))
            return;
        if (catalog_of_member(node_key(member)))
            null = member;
    }
    if (null)
        find_note_at_key(report, null, MESSAGE_NULL_VALUE, SLICE_ARG(node_key(null)));
}

const struct node *
pod_group_policy_find(const struct pod_group_policy *policy, const struct descriptor *scheduler)
{
    const struct node *named;

    if (!policy->num_asked || (policy->num_asked == 1 && policy->asked != scheduler))
        return NULL;
    named = node_member(policy->source, scheduler->member.name);
    if (!named)
        named = pod_group_policy_superseded(policy, scheduler);
    return named || !scheduler->member.is_of_scheduling ? named : policy->scheduling;
}
