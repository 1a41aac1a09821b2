/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/workloads.h"

#define ENTRIES(items) "{'replicatedJobs':[" items "]}"
#define ENTRY(names, more) "{'targetReplicatedJobs':[" names "]" more "}"
#define NINE "a@trainer b c d e f g h i"
#define EIGHT "a@trainer b c d e f g h"
#define LONG_ROLE "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"

/* The errors of the API server for the Workload, and their fields. */
static const struct {
    const char *roles;
    const char *options;
    const char *cluster;
    const char *scheduling;
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks[] = {
    {EIGHT, "{'groups':'Role'}", GOOD_1_37, NULL, "WorkloadUidNeeded", NULL},
    {NINE, "{'groups':'Role'}", GOOD_1_37, NULL, "TooManyGroups WorkloadUidNeeded",
     "spec.podGroupTemplates: Too many: 9: must have at most 8 items"},
    {NINE, "{'groups':'Role'}", GOOD_1_35, NULL, "TooManyGroups",
     "spec.podGroups: Too many: 9: must have at most 8 items"},
    {"x@dataset-initializer " EIGHT, "{'groups':'Role'}", GOOD_1_37, NULL, "WorkloadUidNeeded",
     NULL},
    {"x@dataset-initializer a@trainer<x:C b<x:C c<x:C d<x:C e<x:C f<x:C g<x:C h<x:C",
     "{'groups':'Role','initializers':'Basic'}", GOOD_1_37, NULL, "TooManyGroups WorkloadUidNeeded",
     NULL},
    /* a role may bear the name of a template of ours */
    {"x@dataset-initializer initializer@trainer<x:C", "{'groups':'Role','initializers':'Basic'}",
     GOOD_1_37, NULL, "DuplicateGroup WorkloadUidNeeded",
     "spec.podGroupTemplates[1].name: Duplicate value: \"initializer\""},
    {"gang@trainer b", "{'groups':'Role','composite':'WhereServed'}",
     SERVES(
         V1ALPHA3,
         "'workloads','podgroups','compositepodgroups'") ",'podTemplateFields':['schedulingGroup'],"
                                                         "'featureGates':{'GenericWorkload':true}",
     NULL, "DuplicateGroup WorkloadUidNeeded",
     "spec.podGroupTemplates[0].name: Duplicate value: \"gang\""},
    {LONG_ROLE "@trainer", "{'groups':'Role'}", GOOD_1_37, NULL, "NoRoomForName WorkloadUidNeeded",
     "a PodGroup's name of 63 characters leaves no room for the name of the job"},
    {LONG_ROLE "@trainer", "{'groups':'Role'}", GOOD_1_35, NULL, "", NULL},
    {"No_label@trainer", "{'groups':'Role'}", GOOD_1_37, NULL, "InvalidName WorkloadUidNeeded",
     "a lowercase RFC 1123 label must consist of"},
    {"x@dataset-initializer node@trainer<x:C", "{'initializers':'Basic'}", GOOD_1_35, NULL,
     "FieldNotInVersion", "scheduling.k8s.io/v1alpha1 has no PodGroup of its own for initializers"},
    /* a field that several groups want is judged once, one that is written twice is judged twice */
    {"a@trainer b", "{'groups':'Role','topologyKey':'rack'}", GOOD_1_37, NULL,
     "NotChecked WorkloadUidNeeded",
     "not checked: whether the gate TopologyAwareWorkloadScheduling is on"},
    {"a@trainer b", "{'groups':'Role','topologyKey':'rack'}", GOOD_1_35, NULL, "FieldNotInVersion",
     "Invalid value: scheduling.k8s.io/v1alpha1 has no schedulingConstraints: a strict create "
     "answers 400, "
     "unknown "
     "field"},
    {"a@trainer b", NULL, GOOD_1_35,
     ENTRIES(ENTRY("'a'", ",'disruptionMode':{'all':{}}") "," ENTRY(
         "'b'", ",'disruptionMode':{'all':{}}")),
     "FieldNotInVersion FieldNotInVersion", NULL},
    /* groups that are none, or never open */
    {"d@dataset-initializer node@trainer<d:C", NULL, GOOD_1_37, ENTRIES(ENTRY("'d','node'", "")),
     "GroupSpansStages WorkloadUidNeeded", "roles \"d\" and \"node\" never run together"},
    {"d@dataset-initializer node@trainer<d:C", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'d','node'", ",'schedulingPolicy':{'basic':{}}")),
     "BasicGroup WorkloadUidNeeded",
     "the pods of the group start one by one: the policy basic holds no pod until others exist"},
    {"d@dataset-initializer node@trainer<d:C", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'d'", ",'schedulingPolicy':{'basic':{}}") "," ENTRY("'node'", "")),
     "WorkloadUidNeeded", NULL},
    {"a1@trainer b1 a2<b1:R b2<a1:R", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'a1','a2'", "") "," ENTRY("'b1','b2'", "")),
     "StructuralDeadlock WorkloadUidNeeded",
     "the groups can never start: role \"a1\" waits until 2 pods of its group exist, but only 1 "
     "do"},
    {"a2@trainer<b1:R b2<a1:R a1 b1", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'a1','a2'", "") "," ENTRY("'b1','b2'", "")),
     "StructuralDeadlock WorkloadUidNeeded",
     "the groups can never start: role \"a1\" waits until 2 pods of its group exist, but only 1 "
     "do"},
    {"a1@trainer b1 a2<b1:R b2", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'a1','a2'", "") "," ENTRY("'b1','b2'", "")), "WorkloadUidNeeded", NULL},
    {"a1@trainer b1 a2<b1:R b2<a1:R", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'a1','a2'", "") "," ENTRY("'b1','b2'", ",'schedulingPolicy':{'basic':{}}")),
     "BasicGroup WorkloadUidNeeded", NULL},
    {"node*3 eval@trainer<node:R<ghost:R", NULL, GOOD_1_37,
     ENTRIES(ENTRY("'node'", "") "," ENTRY("'eval'", "")), "WorkloadUidNeeded", NULL},
    /* late members */
    {"node*7 launcher@trainer<node:R", NULL, GOOD_1_37, NULL,
     "LateMemberUnreserved WorkloadUidNeeded",
     "no capacity is reserved for role \"launcher\", which joins when the others run"},
    {"node*7 launcher@trainer<node:R", "{'lateMembers':'Exclude'}", GOOD_1_37, NULL,
     "WorkloadUidNeeded", NULL},
    {"node*7 launcher@trainer<node:R", "{'groups':'Role','lateMembers':'Error'}", GOOD_1_37, NULL,
     "WorkloadUidNeeded", NULL},
    {"node*7 launcher@trainer<node:R", NULL, GOOD_1_37, ENTRIES(ENTRY("'node','launcher'", "")),
     "LateMemberUnreserved WorkloadUidNeeded", NULL},
    {"node*7 launcher@trainer<node:R", "{'lateMembers':'Error'}", GOOD_1_37,
     ENTRIES(ENTRY("'node','launcher'", "")), "LateMembersRefused WorkloadUidNeeded",
     "the policy forbids members that join after the first wave: \"launcher\""},
    {"node*7 launcher@trainer<node:R", "{'lateMembers':'Exclude'}", GOOD_1_37,
     ENTRIES(ENTRY("'node','launcher'", "")), "LateMembers WorkloadUidNeeded",
     "roles that would join their group after its first wave are not in the gang: "
     "\"launcher\"; "
     "\"launcher\" waits for \"node\" to be Ready"},
    {"node*7 launcher@trainer<node:R eval<node:R", "{'lateMembers':'Exclude'}", GOOD_1_37,
     ENTRIES(ENTRY("'node','launcher','eval'", "")), "LateMembers WorkloadUidNeeded",
     "not in the gang: \"launcher\", \"eval\"; \"launcher\" waits for"},
    {"node*7 launcher@trainer<node:R", "{'lateMembers':'Exclude'}", GOOD_1_37,
     ENTRIES(ENTRY("'node'", "") "," ENTRY("'launcher'", "")), "WorkloadUidNeeded", NULL},
    {"node*7 launcher@trainer<node:R", NULL, GOOD_1_37, "{'schedulingPolicy':{'basic':{}}}",
     "BasicGroup WorkloadUidNeeded", NULL},
    /* no version: only what does not depend on one is checked */
    {"a@trainer", NULL, "'servedVersions':[]", NULL, "", NULL},
};

START_TEST(reports_what_the_api_server_would_refuse)
{
    const struct workload_case job = {checks[_i].roles,
                                      checks[_i].options,
                                      checks[_i].cluster,
                                      checks[_i].scheduling,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), checks[_i].findings);
    if (checks[_i].said)
        ck_assert_msg(strstr(run.job.report.items[0].message, checks[_i].said) != NULL, "%s",
                      run.job.report.items[0].message);
    workload_close(&run);
}
END_TEST

/* libgang/gang refuses a late member of a single group, which is not reported again. */
static const char *const one_group[] = {NULL, "{}", "{'disruptionMode':{'all':{}}}"};

START_TEST(refuses_late_members_of_the_job)
{
    const struct workload_case job = {"node*7 launcher@trainer<node:R",
                                      "{'lateMembers':'Error'}",
                                      GOOD_1_37,
                                      one_group[_i],
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(job_findings(&run.job), "LateMembersRefused");
    ck_assert_str_eq(job_finding(&run.job, GANG_CODE_LATE_MEMBERS_REFUSED)->message,
                     "the policy forbids members that join after the first wave: \"launcher\"; "
                     "\"launcher\" waits for \"node\" to be Ready");
    ck_assert_str_eq(workload_findings(&run), "WorkloadUidNeeded");
    workload_close(&run);
}
END_TEST

/* With a group of each role, none is late but the pods after the first ones of a role. */
static const struct {
    const char *roles;
    const char *options;
    const char *findings;
    const char *said;
} late_pods[] = {
    {"a*2@trainer node*12$3@trainer", "{'groups':'Role'}", "LateMemberUnreserved WorkloadUidNeeded",
     "no capacity is reserved for 9 pods of role \"node\", which are created when its first pods "
     "have nodes: those are idle until then"},
    {"a*2@trainer node*12$3@trainer", "{'groups':'Role','lateMembers':'Error'}",
     "LateMembersRefused WorkloadUidNeeded",
     "the policy forbids members that join after the first wave: \"node\""},
    {"a*2@trainer node*12$3@trainer", NULL, "LateMemberUnreserved WorkloadUidNeeded",
     "no capacity is reserved for 9 pods of role \"node\""},
    /* libgang/gang has refused it */
    {"a*2@trainer node*12$3@trainer", "{'lateMembers':'Error'}", "WorkloadUidNeeded", NULL},
};

START_TEST(judges_pods_after_the_first_ones)
{
    const struct workload_case job = {
        late_pods[_i].roles, late_pods[_i].options, GOOD_1_37, NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    ck_assert_str_eq(workload_findings(&run), late_pods[_i].findings);
    if (late_pods[_i].said)
        ck_assert_ptr_nonnull(strstr(run.job.report.items[0].message, late_pods[_i].said));
    workload_close(&run);
}
END_TEST

/* One group counts pods of any role; groups of the roles have no minimum together. */
static const struct {
    const char *options;
    int64_t minimum;
    const char *said; /* NULL: nothing is lost */
} elastic[] = {
    {NULL, 0,
     "roles[1].minCount 4 is lost: no per-role minimum in one group, which the option groups: Role "
     "divides: 5 pods may be any 5"},
    {"{'groups':'Role'}", 0, NULL},
    {"{'groups':'Role'}", 3,
     "minimum 3 is lost: each group has a minimum of its own: 5 pods must start"},
};

START_TEST(loses_minima_that_its_groups_do_not_have)
{
    const struct workload_case job = {
        "head gpu*8%4", elastic[_i].options, GOOD_1_37, NULL, TRAINJOB_UID, NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    run.job.wishes->minimum = elastic[_i].minimum;
    run.job.wishes->minimum_source = run.job.wishes->owner.name_source;
    if (elastic[_i].minimum)
        run.job.gang.minimum = elastic[_i].minimum;
    ck_assert_int_eq(strstr(workload_findings(&run), "ElasticLost") != NULL,
                     elastic[_i].said != NULL);
    if (elastic[_i].said)
        ck_assert_str_eq(job_finding(&run.job, GANG_CODE_ELASTIC_LOST)->message, elastic[_i].said);
    workload_close(&run);
}
END_TEST

/* The name of a Workload is a subdomain. */
START_TEST(checks_the_name_of_the_workload)
{
    const struct workload_case job = {"node@trainer", NULL, GOOD_1_37, NULL,
                                      TRAINJOB_UID,   NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    run.job.wishes->owner.name = SLICE("My_Job");
    run.job.gang.name = SLICE("My_Job");
    ck_assert_str_eq(workload_findings(&run), "InvalidName WorkloadUidNeeded");
    workload_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_what_the_api_server_would_refuse, checks, roles, options, cluster);
    add_items(cases, refuses_late_members_of_the_job, one_group);
    add_rows(cases, judges_pods_after_the_first_ones, late_pods, roles, options);
    add_rows(cases, loses_minima_that_its_groups_do_not_have, elastic, options, minimum);
    tcase_add_test(cases, checks_the_name_of_the_workload);
}
