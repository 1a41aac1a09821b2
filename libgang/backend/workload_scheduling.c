/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload_scheduling.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"
#include "libgang/kube/names.h"

static const struct slice scheduling_policy = SLICE_INIT("schedulingPolicy");
static const struct slice scheduling_disruption = SLICE_INIT("disruptionMode");
static const struct slice scheduling_targets = SLICE_INIT("targetReplicatedJobs");
static const struct slice scheduling_entries = SLICE_INIT("replicatedJobs");
static const struct slice scheduling_job = SLICE_INIT("job");
static const struct slice scheduling_claims = SLICE_INIT("resourceClaims");

/* Two members of which exactly one is set. */
struct scheduling_union {
    struct slice members[2];
    const char *in_words;
};
static const struct scheduling_union scheduling_policies = {{SLICE_INIT("basic"), SLICE_INIT("gang")},
                                                            "`basic`, `gang`"};
static const struct scheduling_union scheduling_disruptions = {{SLICE_INIT("single"), SLICE_INIT("all")},
                                                               "`single`, `all`"};
static const struct scheduling_union scheduling_claim_sources = {
    {SLICE_INIT("resourceClaimName"), SLICE_INIT("resourceClaimTemplateName")},
    "`resourceClaimName`, `resourceClaimTemplateName`"};

/* The one that is set, or one of them. */
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
        .topology_key =
            node_member(node_item(node_at(source, "schedulingConstraints.topology"), 0), SLICE("key")),
        .disruption = scheduling_member(node_member(source, scheduling_disruption), &scheduling_disruptions),
        .claims = node_member(source, scheduling_claims),
        .source = source,
    };
}

const struct node *
workload_scheduling_entries(const struct node *scheduling)
{
    return node_member(scheduling, scheduling_entries);
}

bool
workload_scheduling_is_per_job(const struct node *entry)
{
    return node_member(entry, scheduling_job) != NULL;
}

struct workload_block
workload_scheduling_entry(const struct node *entry)
{
    const struct node *job = node_member(entry, scheduling_job);

    return workload_block_read(job ? job : entry);
}

/*
 * Kubernetes 1.35 in words of its own, later ones by declarative validation: k8s.io/apimachinery
 * pkg/api/validate/union.go. Members that the server does not know it drops before it counts.
 */
static void
scheduling_check_union(const struct node *map, const struct scheduling_union *of, bool is_first_version,
                       struct report *report)
{
    bool has_first = node_member(map, of->members[0]) != NULL;
    bool has_second = node_member(map, of->members[1]) != NULL;

    if (!map || has_first != has_second)
        return;
    if (is_first_version)
        find_note(report, GANG_CODE_SCHEDULING_UNION, map, NULL,
                  "Invalid value: exactly one of `%.*s`, `%.*s` is required", SLICE_ARG(of->members[0]),
                  SLICE_ARG(of->members[1]));
    else
        find_note(report, GANG_CODE_SCHEDULING_UNION, map, NULL, "Invalid value: must specify %s: %s",
                  has_first ? "exactly one of" : "one of", of->in_words);
}

/* KEP-3015 refuses an explicit minCount; what JobSet does with a minGroupCount was never settled. */
static void
scheduling_check_counts(const struct node *block, struct report *report)
{
    static const struct slice counts[] = {SLICE_INIT("minCount"), SLICE_INIT("minGroupCount")};
    const struct node *gang = node_member(node_member(block, scheduling_policy), SLICE("gang"));

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (node_member(gang, counts[i]))
            find_forbidden(report, GANG_CODE_COMPUTED_COUNT, node_member(gang, counts[i]), "remove it",
                           "%.*s is computed from the roles of the group", SLICE_ARG(counts[i]));
}

/* kubernetes/component-helpers:scheduling/workloadbuilder, in its words. */
static void
scheduling_check_disruption(const struct node *block, struct report *report)
{
    const struct node *mode = node_member(block, scheduling_disruption);
    const struct node *all = node_member(mode, SLICE("all"));

    scheduling_check_union(mode, &scheduling_disruptions, false, report);
    if (all && workload_block_read(block).is_basic)
        find_note_at_key(report, GANG_CODE_DISRUPTION_OF_BASIC, all, NULL,
                         "Invalid value: the disruptionMode `all` is not supported with the Basic scheduling "
                         "policy");
}

void
workload_check_topology_key(const struct node *key, struct report *report)
{
    struct name_problems problems;

    if (!node_is(key, NODE_STRING) || name_check(NAME_QUALIFIED, node_string(key), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_LABEL_KEY, key, NULL, "%s", problems.text[i]);
}

/* kubernetes/api:scheduling/v1beta1/types.go PodGroupResourceClaim: a short name, and a long one of what it refers to. */
static void
scheduling_check_name(const struct node *name, enum name_rule rule, struct report *report)
{
    struct name_problems problems;

    if (!node_is(name, NODE_STRING) || name_check(rule, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, name, NULL, "%s", problems.text[i]);
}

void
workload_check_claims(const struct node *claims, struct report *report)
{
    for (NODE_EACH(claim, claims)) {
        scheduling_check_name(node_member(claim, SLICE("name")), NAME_DNS1123_LABEL, report);
        scheduling_check_name(scheduling_member(claim, &scheduling_claim_sources), NAME_DNS1123_SUBDOMAIN,
                              report);
        scheduling_check_union(claim, &scheduling_claim_sources, false, report);
    }
}

static void
scheduling_check_block(const struct node *block, const struct workload_version *version,
                       struct report *report)
{
    struct workload_block read = workload_block_read(block);
    bool is_first_version = version && !version->has_pod_groups;

    scheduling_check_union(node_member(block, scheduling_policy), &scheduling_policies, is_first_version,
                           report);
    scheduling_check_counts(block, report);
    scheduling_check_disruption(block, report);
    workload_check_topology_key(read.topology_key, report);
    workload_check_claims(read.claims, report);
}

/* Whether a map has members beside one. */
static bool
scheduling_says_more(const struct node *map, struct slice than)
{
    for (NODE_EACH(member, map))
        if (!node_is_absent(member) && !slice_equal(node_key(member), than) &&
            !slice_equal(node_key(member), scheduling_targets))
            return true;
    return false;
}

/* A level says it or the one below does. */
static void
scheduling_check_levels(const struct node *map, struct slice below, struct report *report)
{
    const struct node *member = node_member(map, below);

    if (member && scheduling_says_more(map, below))
        find_note_at_key(report, GANG_CODE_SCHEDULING_UNION, member, "say it on one level",
                         "Invalid value: must specify exactly one of: `schedulingPolicy` with its "
                         "constraints, `%.*s`",
                         SLICE_ARG(below));
}

static size_t
scheduling_find_role(const struct gang *gang, struct slice name)
{
    size_t index = 0;

    while (index < gang->num_roles && !slice_equal(gang->roles[index].name, name))
        index++;
    return index;
}

/* JobSet's webhook: every replicatedJob is targeted exactly once. */
static void
scheduling_check_target(const struct gang *gang, const struct node *target, bool *targeted,
                        struct report *report)
{
    size_t role = scheduling_find_role(gang, node_string(target));

    if (role == gang->num_roles)
        find_invalid(report, GANG_CODE_TARGETED_ONCE, target, NULL, "no role has this name");
    else if (targeted[role])
        find_duplicate(report, GANG_CODE_TARGETED_ONCE, target, "every role belongs to exactly one group");
    else
        targeted[role] = true;
}

/* A list longer than the job has roles is wrong by what was found so far. */
static void
scheduling_check_targets(const struct gang *gang, const struct node *targets, bool *targeted,
                         struct report *report)
{
    size_t left = gang->num_roles + 1;

    for (NODE_EACH(target, targets))
        if (targeted && left) {
            scheduling_check_target(gang, target, targeted, report);
            left--;
        }
}

static void
scheduling_check_per_job(const struct gang *gang, const struct node *entry, struct report *report)
{
    const struct node *targets = node_member(entry, scheduling_targets);
    size_t role = scheduling_find_role(gang, node_string(node_item(targets, 0)));
    const struct node *replicas =
        role < gang->num_roles ? node_member(gang->roles[role].source, SLICE("replicas")) : NULL;
    int64_t count;

    if (node_count(targets) > 1)
        find_note(report, GANG_CODE_SCHEDULING_UNION, targets, NULL,
                  "Too many: %zu: must have at most 1 item with `job`", node_count(targets));
    if (node_int(replicas, &count) && count > 1)
        find_invalid(report, GANG_CODE_SCHEDULING_UNION, replicas, "leave out `job`",
                     "Jobs of one role share a pod template, so that they cannot join a group each");
}

static void
scheduling_check_untargeted(const struct gang *gang, const struct node *entries, const bool *targeted,
                            struct report *report)
{
    struct quoted name;

    for (size_t i = 0; i < gang->num_roles; i++)
        if (!targeted[i])
            find_note(report, GANG_CODE_TARGETED_ONCE, entries,
                      "give it a group of its own with `schedulingPolicy: {basic: {}}` if it shall not wait",
                      "Required value: role %s belongs to no group", quote(&name, gang->roles[i].name));
}

static void
scheduling_check_entries(const struct gang *gang, const struct node *entries,
                         const struct workload_version *version, struct report *report)
{
    bool *targeted = arena_array(report->arena, gang->num_roles, sizeof(*targeted));

    for (NODE_EACH(entry, entries)) {
        scheduling_check_block(entry, version, report);
        scheduling_check_levels(entry, scheduling_job, report);
        if (workload_scheduling_is_per_job(entry)) {
            scheduling_check_block(node_member(entry, scheduling_job), version, report);
            scheduling_check_per_job(gang, entry, report);
        }
        scheduling_check_targets(gang, node_member(entry, scheduling_targets), targeted, report);
    }
    if (targeted)
        scheduling_check_untargeted(gang, entries, targeted, report);
}

void
workload_scheduling_check(const struct gang *gang, const struct workload_version *version,
                          struct report *report)
{
    const struct node *entries = workload_scheduling_entries(gang->scheduling);

    if (!gang->scheduling)
        return;
    scheduling_check_block(gang->scheduling, version, report);
    scheduling_check_levels(gang->scheduling, scheduling_entries, report);
    if (entries)
        scheduling_check_entries(gang, entries, version, report);
}
