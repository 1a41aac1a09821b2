/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "libgang/document/document.h"

#include "unit/suite.h"
#include "unit/tree.h"

#define POLICY(members) "{\"podGroupPolicy\":{" members "}}"
#define TOPOLOGY(members) POLICY("\"volcano\":{\"networkTopology\":{" members "}}")

/* Defaults: manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml@v2.3.0. */
static const struct {
    const char *spec;
    bool coscheduling;
    bool volcano;
    int timeout;
    bool has_timeout;
    const char *mode; /* NULL: no topology */
    int tier;
    const char *defaults; /* paths, each with a space behind */
} policies[] = {
    {"{}", false, false, 0, false, NULL, 0, ""},
    {"{\"podGroupPolicy\":null}", false, false, 0, false, NULL, 0, ""},
    {POLICY(""), false, false, 0, false, NULL, 0, ""},
    {POLICY("\"coscheduling\":{}"), true, false, 60, false, NULL, 0,
     "podGroupPolicy.coscheduling.scheduleTimeoutSeconds "},
    {POLICY("\"coscheduling\":{\"scheduleTimeoutSeconds\":null}"), true, false, 60, false, NULL, 0,
     "podGroupPolicy.coscheduling.scheduleTimeoutSeconds "},
    {POLICY("\"coscheduling\":{\"scheduleTimeoutSeconds\":120}"), true, false, 120, true, NULL, 0,
     ""},
    {POLICY("\"coscheduling\":{\"scheduleTimeoutSeconds\":0}"), true, false, 0, true, NULL, 0, ""},
    {POLICY("\"coscheduling\":{\"scheduleTimeoutSeconds\":-1}"), true, false, -1, true, NULL, 0,
     ""},
    {POLICY("\"coscheduling\":null,\"volcano\":{}"), false, true, 0, false, NULL, 0, ""},
    {POLICY("\"volcano\":{}"), false, true, 0, false, NULL, 0, ""},
    {POLICY("\"volcano\":{\"networkTopology\":null}"), false, true, 0, false, NULL, 0, ""},
    {TOPOLOGY(""), false, true, 0, false, "hard", 1,
     "podGroupPolicy.volcano.networkTopology.mode "
     "podGroupPolicy.volcano.networkTopology.highestTierAllowed "},
    {TOPOLOGY("\"mode\":\"soft\""), false, true, 0, false, "soft", 1,
     "podGroupPolicy.volcano.networkTopology.highestTierAllowed "},
    {TOPOLOGY("\"mode\":\"soft\",\"highestTierAllowed\":2"), false, true, 0, false, "soft", 2, ""},
    {TOPOLOGY("\"highestTierAllowed\":0"), false, true, 0, false, "hard", 0,
     "podGroupPolicy.volcano.networkTopology.mode "},
    {POLICY("\"coscheduling\":{\"scheduleTimeoutSeconds\":5},\"volcano\":{}"), true, true, 5, true,
     NULL, 0, ""},
};

START_TEST(reads_a_policy)
{
    struct arena *arena = arena_new(0);
    const char *defaults = "";
    struct report report;
    struct pod_group_policy policy;

    report_init(&report, arena, &standard_limits);
    policy = pod_group_policy_read(tree_of(arena, policies[_i].spec), &report);
    ck_assert_int_eq(policy.has_timeout, policies[_i].coscheduling);
    ck_assert_int_eq(pod_group_policy_find(&policy, &volcano_descriptor) != NULL,
                     policies[_i].volcano);
    ck_assert_int_eq(policy.timeout_source != NULL, policies[_i].has_timeout);
    if (policy.has_timeout)
        ck_assert_int_eq(policy.timeout_seconds, policies[_i].timeout);
    ck_assert_int_eq(policy.topology.is_set, policies[_i].mode != NULL);
    if (policies[_i].mode) {
        ck_slice_eq(policy.topology.mode, policies[_i].mode);
        ck_assert_int_eq(policy.topology.highest_tier, policies[_i].tier);
        ck_assert(policy.topology.has_tier);
    }
    for (size_t i = 0; i < report.count; i++) {
        ck_assert_int_eq(report.items[i].code, GANG_CODE_DEFAULT_APPLIED);
        ck_assert_int_eq(report.items[i].severity, GANG_SEVERITY_INFO);
        defaults = arena_format(arena, "%s%s ", defaults, report.items[i].path);
    }
    ck_assert_str_eq(defaults, policies[_i].defaults);
    arena_free(arena);
}
END_TEST

/* One place asks for a gang of the Workload API: the member of podGroupPolicy, or KEP-3015's field.
 */
static const struct {
    const char *spec;
    const char *found; /* path of what asks for it; NULL: nothing does */
    const char *findings;
} proposals[] = {
    {POLICY("\"volcano\":{}"), NULL, ""},
    {POLICY("\"workload\":{}"), "podGroupPolicy.workload", "UnreleasedField"},
    {"{\"scheduling\":{}}", "scheduling", "UnreleasedField"},
    {"{\"scheduling\":null}", NULL, ""},
    {"{\"scheduling\":{},\"podGroupPolicy\":null}", "scheduling", "UnreleasedField"},
    {"{\"scheduling\":{},\"podGroupPolicy\":{\"workload\":{}}}", "podGroupPolicy.workload",
     "TwoControllers UnreleasedField"},
    {"{\"scheduling\":{},\"podGroupPolicy\":{\"volcano\":{}}}", "scheduling",
     "TwoControllers UnreleasedField"},
};

START_TEST(reads_fields_of_unmerged_proposals)
{
    struct arena *arena = arena_new(0);
    const char *findings = "";
    const struct node *found;
    struct pod_group_policy policy;
    struct report report;

    report_init(&report, arena, &standard_limits);
    policy = pod_group_policy_read(tree_of(arena, proposals[_i].spec), &report);
    found = pod_group_policy_find(&policy, &workload_descriptor);
    ck_assert_int_eq(found != NULL, proposals[_i].found != NULL);
    if (found)
        ck_slice_eq(path_of(arena, found), proposals[_i].found);
    for (size_t i = 0; i < report.count; i++)
        findings = arena_format(arena, "%s%s%s", findings, i ? " " : "",
                                diagnostic_entry_of(report.items[i].code)->reason);
    ck_assert_str_eq(findings, proposals[_i].findings);
    ck_assert_ptr_null(pod_group_policy_find(&policy, &coscheduling_descriptor));
    arena_free(arena);
}
END_TEST

/* Of one member, of several, of the superseded spelling, of a null. */
static const struct {
    const char *spec;
    const char *member;
    const char *found; /* path; NULL: nothing */
} asked[] = {
    {"{}", "volcano", NULL},
    {POLICY(""), "volcano", NULL},
    {POLICY("\"volcano\":null"), "volcano", NULL},
    {POLICY("\"volcano\":{}"), "volcano", "podGroupPolicy.volcano"},
    {POLICY("\"volcano\":{}"), "coscheduling", NULL},
    {POLICY("\"volcano\":{}"), "kaiScheduler", NULL},
    {POLICY("\"volcano\":{},\"coscheduling\":null"), "coscheduling", NULL},
    {POLICY("\"volcano\":{},\"coscheduling\":null"), "volcano", "podGroupPolicy.volcano"},
    {POLICY("\"volcano\":{},\"coscheduling\":{}"), "coscheduling", "podGroupPolicy.coscheduling"},
    {POLICY("\"volcano\":{},\"coscheduling\":{}"), "volcano", "podGroupPolicy.volcano"},
    {POLICY("\"volcano\":{},\"coscheduling\":{}"), "kaiScheduler", NULL},
    {POLICY("\"kai\":{}"), "kaiScheduler", "podGroupPolicy.kai"},
    {POLICY("\"kaiScheduler\":{}"), "kaiScheduler", "podGroupPolicy.kaiScheduler"},
    {POLICY("\"kaiScheduler\":{},\"kai\":{}"), "kaiScheduler", "podGroupPolicy.kaiScheduler"},
    {POLICY("\"kaiScheduler\":null,\"kai\":{}"), "kaiScheduler", "podGroupPolicy.kai"},
    {POLICY("\"other\":{}"), "volcano", NULL},
    {"{\"scheduling\":{},\"podGroupPolicy\":{\"kai\":{}}}", "kaiScheduler", "podGroupPolicy.kai"},
    {"{\"scheduling\":{},\"podGroupPolicy\":{\"kai\":{}}}", "workload", "scheduling"},
};

START_TEST(finds_options_of_a_backend)
{
    struct arena *arena = arena_new(0);
    const struct node *found;
    struct pod_group_policy policy;
    struct report report;

    report_init(&report, arena, &standard_limits);
    policy = pod_group_policy_read(tree_of(arena, asked[_i].spec), &report);
    found = pod_group_policy_find(&policy, catalog_of_member(slice_from_text(asked[_i].member)));
    ck_assert_int_eq(found != NULL, asked[_i].found != NULL);
    if (found)
        ck_slice_eq(path_of(arena, found), asked[_i].found);
    arena_free(arena);
}
END_TEST

static const struct {
    const char *spec;
    const char *path; /* NULL: no finding */
    unsigned column;
} members[] = {
    {POLICY("\"coscheduling\":{}"), NULL, 0},
    {POLICY("\"volcano\":{},\"coscheduling\":{}"), NULL, 0},
    {POLICY(""), NULL, 0},
    {"{}", NULL, 0},
    {POLICY("\"kueue\":null"), NULL, 0},
    {POLICY("\"kai\":{}"), NULL, 0},
    {POLICY("\"kueue\":{}"), "podGroupPolicy.kueue", 20},
    {POLICY("\"Volcano\":{}"), "podGroupPolicy.Volcano", 20},
    {POLICY("\"volcano\":{},\"workloads\":{}"), "podGroupPolicy.workloads", 33},
};

static void
check_members(int index, bool compatibility, enum gang_severity severity)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct pod_group_policy policy;

    report_init(&report, arena, &standard_limits);
    report.compatibility = compatibility;
    policy = pod_group_policy_read(tree_of(arena, members[index].spec), &report);
    report.count = 0;
    pod_group_policy_check_members(&policy, &report);
    ck_assert_uint_eq(report.count, members[index].path != NULL);
    if (members[index].path) {
        ck_assert_int_eq(report.items[0].code, GANG_CODE_UNKNOWN_GANG_POLICY);
        ck_assert_int_eq(report.items[0].severity, severity);
        ck_assert_str_eq(report.items[0].path, members[index].path);
        ck_assert_uint_eq(report.items[0].line, 1);
        ck_assert_uint_eq(report.items[0].column, members[index].column);
        ck_assert_ptr_nonnull(strstr(
            report.items[0].message,
            "supported values: \"coscheduling\", \"volcano\", \"kaiScheduler\", \"workload\""));
    }
    arena_free(arena);
}

START_TEST(unknown_members_are_refused)
{
    check_members(_i, false, GANG_SEVERITY_ERROR);
    check_members(_i, true, GANG_SEVERITY_WARNING);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, finds_options_of_a_backend, asked, spec, member);
    add_rows(cases, reads_fields_of_unmerged_proposals, proposals, spec);
    add_rows(cases, reads_a_policy, policies, spec, mode);
    add_rows(cases, unknown_members_are_refused, members, spec);
}
