/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/job_decisions.h"

/* A job before a policy, and the attributes of its gang: `queue class timeout level`. */
static const struct {
    const char *text;   /* members of spec */
    const char *policy; /* members of spec */
    const char *attributes;
} rows[] = {
    {"", "'defaultBackend':'volcano'", "- - - -"},
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'topology':{'required':"
     "'2'},",
     "'defaultBackend':'volcano'", "q high 60 2"},
    {"'topology':{'preferred':'rack'},", "'defaultBackend':'coscheduling'", "- - - rack"},
    {"'topology':{'preferred':'rack','required':'zone'},", "'defaultBackend':'coscheduling'",
     "- - - zone"},
    /* defaults of a policy give way, a strict rule does not */
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,",
     "'defaultBackend':'volcano','defaults':{'queue':{'name':'d'},'priorityClassName':{'name':"
     "'low'},'scheduleTimeoutSeconds':9}",
     "q high 60 -"},
    {"'queue':'q','scheduleTimeoutSeconds':60,",
     "'rules':[{'name':'r','match':{},'override':'Always','backend':'volcano','queue':{'name':'d',"
     "'override':'Always'},'scheduleTimeoutSeconds':9}]",
     "d - 9 -"},
    {"", "'defaultBackend':'volcano','defaults':{'queue':{'name':'d'},'scheduleTimeoutSeconds':9}",
     "d - 9 -"},
    /* and with runtimePolicy Ignore the job's wishes are not read */
    {"'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'topology':{'required':"
     "'2'},",
     "'defaultBackend':'volcano','runtimePolicy':'Ignore'", "- - - -"},
};

static const char *
text_or_dash(struct slice text)
{
    return text.len ? text.data : "-";
}

static struct gang_decision *
resolve_row(const char *job, const char *policy)
{
    char text[DOCUMENT_SIZE];

    snprintf(text, sizeof(text), GANG_JOB("%s" JOB_ROLES(JOB_PODS(""))), job);
    return resolve_job_with(text, 0, policy);
}

START_TEST(a_job_sets_attributes_of_its_gang)
{
    struct gang_decision *decision = resolve_row(rows[_i].text, rows[_i].policy);
    const struct gang *gang = &decision->gang;
    char timeout[32] = "-";
    char found[256];

    if (gang->has_timeout)
        snprintf(timeout, sizeof(timeout), "%lld", (long long)gang->timeout_seconds);
    snprintf(found, sizeof(found), "%s %s %s %s", text_or_dash(gang->queue),
             text_or_dash(gang->priority_class_name), timeout, text_or_dash(gang->topology.level));
    ck_assert_str_eq(found, rows[_i].attributes);
    gang_decision_unref(decision);
}
END_TEST

START_TEST(a_required_level_is_a_hard_topology)
{
    struct gang_topology topology =
        gang_job_topology(&(struct gang_placement){.required = SLICE("2")});

    ck_assert(topology.is_set);
    ck_slice_eq(topology.mode, "hard");
    ck_assert(topology.has_tier);
    ck_assert_int_eq(topology.highest_tier, 2);
    topology = gang_job_topology(&(struct gang_placement){.preferred = SLICE("rack")});
    ck_slice_eq(topology.mode, "soft");
    ck_slice_eq(topology.level, "rack");
    ck_assert(!topology.has_tier);
}
END_TEST

#define LABELLED(name, label)                                                                      \
    JOB_ROLE(name, ",'template':{'metadata':{'labels':{'priorityClassName':'" label                \
                   "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}")

/*
 * k8s.io/api: scheduling/v1beta1/types.go GangSchedulingPolicy@v0.37.2 and sigs.k8s.io/
 * scheduler-plugins: apis/scheduling/v1alpha1/types.go PodGroupSpec@v0.34.7 have a minimum of 1.
 */
#define AFTER_TWO(count)                                                                           \
    GANG_JOB(JOB_ROLES("{'name':'a','count':2,'requests':{}},{'name':'b','count':" count           \
                       ",'membership':'Member','requests':{},'dependsOn':[{'role':'a','status':"   \
                       "'Complete'}]}"))
static const struct {
    const char *text;
    bool is_gang;
} empty[] = {
    {AFTER_TWO("0"), false},
    {AFTER_TWO("1"), true},
    {GANG_JOB(JOB_ROLES("{'name':'a','count':2,'requests':{}},{'name':'b','count':0,'membership':"
                        "'Member','requests':{}}")),
     true},
};

START_TEST(members_without_pods_are_no_gang)
{
    struct gang_decision *decision =
        resolve_job_with(empty[_i].text, 0, "'defaultBackend':'volcano'");

    ck_assert_int_eq(gang_decision_get_outcome(decision),
                     empty[_i].is_gang ? GANG_OUTCOME_GANG : GANG_OUTCOME_NO_GANG);
    if (!empty[_i].is_gang)
        ck_assert_str_eq(gang_decision_get_reason(decision),
                         "the members of the gang have no pods");
    gang_decision_unref(decision);
}
END_TEST

/* kai-scheduler reads the class of the group from the label of its first pod. */
START_TEST(pods_of_one_group_have_one_label)
{
    struct gang_decision *decision =
        resolve_job_with(GANG_JOB(JOB_ROLES(LABELLED("a", "high") "," LABELLED("b", "low"))), 0,
                         "'defaultBackend':'kai'");
    size_t found = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_code(one) != GANG_CODE_PRIORITIES_DISAGREE)
            continue;
        found++;
        ck_assert_str_eq(gang_diagnostic_get_path(one),
                         "spec.roles[1].template.metadata.labels[priorityClassName]");
        ck_assert_str_eq(gang_diagnostic_get_message(one), "another role has \"high\"");
    }
    ck_assert_uint_eq(found, 1);
    gang_decision_unref(decision);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_job_sets_attributes_of_its_gang, rows, text, policy);
    tcase_add_test(cases, a_required_level_is_a_hard_topology);
    tcase_add_loop_test(cases, members_without_pods_are_no_gang, 0, COUNT_OF(empty));
    tcase_add_test(cases, pods_of_one_group_have_one_label);
}
