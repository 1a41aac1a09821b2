/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

#include "unit/workloads.h"

/* ---- workload scheduling ---- */

#define GANG "'schedulingPolicy':{'gang':{}}"
#define BASIC "'schedulingPolicy':{'basic':{}}"
#define TARGETS(names) "'targetReplicatedJobs':[" names "]"
#define ENTRIES(items) "{'replicatedJobs':[" items "]}"
#define BOTH_ROLES TARGETS("'data','node'")

/* What Kubernetes, JobSet and KEP-3015 would answer, in the server's words where it has any. */
static const struct {
    const char *scheduling; /* of the roles data and node, which waits for it */
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks[] = {
    {NULL, "", NULL},
    {"{}", "", NULL},
    {"{" GANG "}", "", NULL},
    {"{" BASIC "}", "", NULL},
    {"{" GANG ",'schedulingConstraints':{'topology':[{'key':'rack'}]},'disruptionMode':{'all':{}}}",
     "", NULL},
    {"{'schedulingPolicy':{}}", "SchedulingUnion", "must specify one of: `basic`, `gang`"},
    {"{'schedulingPolicy':{'gang':{},'basic':{}}}", "SchedulingUnion",
     "must specify exactly one of: `basic`, `gang`"},
    {"{'schedulingPolicy':{'gang':{},'basic':null}}", "", NULL},
    {"{'schedulingPolicy':{'gang':{'minCount':8}}}", "ComputedCount",
     "Forbidden: minCount is computed from the roles of the group"},
    {"{'schedulingPolicy':{'gang':{'minGroupCount':2}}}", "ComputedCount",
     "minGroupCount is computed"},
    {"{" BASIC ",'disruptionMode':{'all':{}}}", "DisruptionOfBasic",
     "the disruptionMode `all` is not supported with the Basic scheduling policy"},
    {"{" BASIC ",'disruptionMode':{'single':{}}}", "", NULL},
    /* unknown fields are dropped before the count */
    {"{'schedulingPolicy':{'both':{}}}", "SchedulingUnion", "must specify one of: `basic`, `gang`"},
    {"{'disruptionMode':{'some':{}}}", "SchedulingUnion", "must specify one of: `single`, `all`"},
    {"{'disruptionMode':{'some':{},'all':{}}}", "", NULL},
    {"{" BASIC ",'disruptionMode':{'single':null,'all':{}}}", "DisruptionOfBasic", NULL},
    {"{'disruptionMode':{}}", "SchedulingUnion", "must specify one of: `single`, `all`"},
    {"{'disruptionMode':{'single':{},'all':{}}}", "SchedulingUnion",
     "must specify exactly one of: `single`, `all`"},
    {"{'schedulingConstraints':{'topology':[{'key':'no key'}]}}", "InvalidLabelKey",
     "Invalid value: \"no key\""},
    {"{'schedulingConstraints':{'topology':[{'key':1}]}}", "", NULL},
    /* levels 2 and 3 */
    {ENTRIES("{" BOTH_ROLES "}"), "", NULL},
    {ENTRIES("{" TARGETS("'data'") "," BASIC "},{" TARGETS("'node'") "," GANG "}"), "", NULL},
    {ENTRIES("{" TARGETS("'data'") ",'job':{" BASIC "}},{" TARGETS(
         "'node'") ",'job':{'resourceClaims':["
                   "{'name':'gpu','resourceClaimName':'c'}]}}"),
     "", NULL},
    {"{" GANG ",'replicatedJobs':[{" BOTH_ROLES "}]}", "SchedulingUnion",
     "must specify exactly one of"},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS("'node'") "," GANG ",'job':{" GANG "}}"),
     "SchedulingUnion",
     "must specify exactly one of: `schedulingPolicy` with its constraints, `job`"},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS("'node'") ",'disruptionMode':null,'job':{}}"), "",
     NULL},
    {ENTRIES("{" TARGETS("'node'") "}"), "TargetedOnce",
     "Required value: role \"data\" belongs to no group"},
    {ENTRIES("{" BOTH_ROLES "},{" TARGETS("'node'") "}"), "TargetedOnce",
     "Duplicate value: \"node\""},
    {ENTRIES("{" TARGETS("'data','node','eval'") "}"), "TargetedOnce",
     "Invalid value: \"eval\": no role has this name"},
    /* a list that is longer than there are roles is not read to its end */
    {ENTRIES("{" TARGETS("'data','node','x','y','z'") "}"), "TargetedOnce", "Invalid value: \"x\""},
    {ENTRIES("{" BOTH_ROLES ",'job':{}}"), "SchedulingUnion",
     "Too many: 2: must have at most 1 item with `job`"},
    {ENTRIES("{" TARGETS("'nobody'") ",'job':{}},{" BOTH_ROLES "}"), "TargetedOnce", NULL},
    {ENTRIES("{" TARGETS("'data'") "},{" TARGETS(
         "'node'") ",'job':{'schedulingPolicy':{},'resourceClaims':["
                   "{'name':'gpu'},{'name':'net','resourceClaimName':"
                   "'a','resourceClaimTemplateName':'b'}]}}"),
     "SchedulingUnion SchedulingUnion SchedulingUnion", NULL},
};

START_TEST(reports_what_would_be_refused)
{
    struct job job = job_form("data node*2@trainer<data:R");

    job.wishes->scheduling = workload_tree(job.arena, checks[_i].scheduling);
    job.report.count = 0;
    workload_scheduling_check(&job.gang, NULL, &job.report);
    ck_assert_str_eq(job_findings(&job), checks[_i].findings);
    if (checks[_i].said)
        ck_assert_ptr_nonnull(strstr(job.report.items[0].message, checks[_i].said));
    job_free(&job);
}
END_TEST

/* Jobs of one replicatedJob share a template, so that they cannot carry the marks of several
 * groups. */
START_TEST(a_group_for_each_job_needs_one_replica)
{
    static const struct {
        const char *source;
        const char *findings;
    } replicas[] = {
        {"{'name':'node'}", ""},
        {"{'name':'node','replicas':1}", ""},
        {"{'name':'node','replicas':2}", "SchedulingUnion"},
    };

    for (int i = 0; i < ITEMS_OF(replicas); i++) {
        struct job job = job_form("node*2@trainer");

        job.wishes->roles[0].source = workload_tree(job.arena, replicas[i].source);
        job.wishes->scheduling =
            workload_tree(job.arena, ENTRIES("{" TARGETS("'node'") ",'job':{}}"));
        job.report.count = 0;
        workload_scheduling_check(&job.gang, NULL, &job.report);
        ck_assert_str_eq(job_findings(&job), replicas[i].findings);
        job_free(&job);
    }
}
END_TEST

/* The message of each release, as observed on servers 1.35.4, 1.36.3 and 1.37.1. */
static const struct {
    const char *version;
    const char *scheduling;
    const char *said;
} words[] = {
    {V1ALPHA1, "{'schedulingPolicy':{}}",
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA1, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA1, ENTRIES("{" BOTH_ROLES ",'schedulingPolicy':{}}"),
     "Invalid value: exactly one of `basic`, `gang` is required"},
    {V1ALPHA2, "{'schedulingPolicy':{}}", "Invalid value: must specify one of: `basic`, `gang`"},
    {V1ALPHA2, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: must specify exactly one of: `basic`, `gang`"},
    {V1ALPHA3, "{'schedulingPolicy':{}}", "Invalid value: must specify one of: `basic`, `gang`"},
    {V1BETA1, "{'schedulingPolicy':{'gang':{},'basic':{}}}",
     "Invalid value: must specify exactly one of: `basic`, `gang`"},
};

START_TEST(messages_of_each_api_server_release)
{
    struct job job = job_form("data node*2@trainer<data:R");

    job.wishes->scheduling = workload_tree(job.arena, words[_i].scheduling);
    job.report.count = 0;
    workload_scheduling_check(&job.gang, workload_version_of(slice_from_text(words[_i].version)),
                              &job.report);
    ck_assert_uint_eq(job.report.count, 1);
    ck_assert_msg(strstr(job.report.items[0].message, words[_i].said) != NULL, "%s",
                  job.report.items[0].message);
    job_free(&job);
}
END_TEST

/* A claim has exactly one source, a short name, and a long one of its source. */
static const struct {
    const char *claims;
    const char *said; /* NULL: nothing is wrong */
} claims[] = {
    {"[{'name':'a','resourceClaimName':'c'}]", NULL},
    {"[{'name':'a','resourceClaimTemplateName':'t'}]", NULL},
    {"[{'name':'a'}]", "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"},
    {"[{'name':'a','resourceClaimName':'c','resourceClaimTemplateName':'t'}]",
     "must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`"},
    {"[{'name':'GPU','resourceClaimName':'c'}]",
     "Invalid value: \"GPU\": a lowercase RFC 1123 label must consist of"},
    {"[{'name':'gpu.a','resourceClaimName':'c'}]",
     "Invalid value: \"gpu.a\": must not contain dots"},
    {"[{'name':'a','resourceClaimName':'c.d'}]", NULL},
    {"[{'name':'a','resourceClaimName':'C'}]",
     "Invalid value: \"C\": a lowercase RFC 1123 subdomain must consist of"},
    {"[{'name':'a','resourceClaimTemplateName':'t/u'}]",
     "Invalid value: \"t/u\": a lowercase RFC 1123 subdomain must consist of"},
};

START_TEST(a_claim_has_one_source)
{
    struct job job = job_form("node");

    workload_check_claims(workload_tree(job.arena, claims[_i].claims), &job.report);
    ck_assert_uint_eq(job.report.count, claims[_i].said != NULL);
    if (claims[_i].said)
        ck_assert_msg(strstr(job.report.items[0].message, claims[_i].said) != NULL, "%s",
                      job.report.items[0].message);
    job_free(&job);
}
END_TEST

/* ---- workload pods ---- */

#define CLASSES                                                                                    \
    ",'priorityClasses':[{'name':'high','value':7},{'name':'polite','value':7,'preemptionPolicy':" \
    "'Never'}]"
#define GATE(state)                                                                                \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,'"            \
    "EvictionRequestAPI'"                                                                          \
    ":" state "}"
#define PREEMPTION_GATE(state)                                                                     \
    SERVES(V1ALPHA2, "'workloads','podgroups'")                                                    \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,'"            \
    "GangScheduling':true,'WorkloadAwarePreemption':" state "}"
#define NEVER "{'preemptionPolicy':'Never'}"
#define NEVER_GATE(state)                                                                          \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,'"            \
    "PodGroupPreemptionPolicy':" state "}"
#define CLAIMS "{'resourceClaims':[{'name':'gpu','resourceClaimTemplateName':'gpus'}]}"
#define DRA                                                                                        \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,"             \
    "'DRAWorkloadResourceClaims':true}"

/* The fields of the pod template of the role `node`; NULL for none. */
static const struct {
    const char *roles;
    const char *pod_spec;
    const char *job_spec;
    const char *options;
    const char *cluster;
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks_of_workload_pods[] = {
    {"node@trainer", "{}", "{}", NULL, GOOD_1_37, "", NULL},
    /* a second group of the same pods */
    {"node@trainer", NULL, "{'scheduling':{}}", NULL, GOOD_1_37, "TwoControllers",
     "Forbidden: the Job controller would create a second group of the same pods"},
    {"node@dataset-initializer x@trainer", NULL, "{'scheduling':{}}", NULL, GOOD_1_37, "", NULL},
    /* kubernetes/kubernetes:pkg/apis/core/validation: with the gate on */
    {"node@trainer", "{'evictionResponders':[]}", NULL, NULL, GATE("true"), "EvictionResponders",
     "spec.schedulingGroup: Forbidden: may not be set when evictionResponders is set"},
    {"node@trainer", "{'evictionResponders':[]}", NULL, NULL, GATE("false"), "", NULL},
    {"node@trainer", "{'evictionResponders':[]}", NULL, NULL, GOOD_1_37, "NotChecked",
     "not checked: with the gate EvictionRequestAPI on, every pod is refused"},
    {"node@trainer", "{'evictionResponders':[]}", NULL, NULL, GOOD_1_36, "", NULL},
    {"node@trainer", "{'evictionResponders':[]}", NULL, NULL, "'servedVersions':[]", "", NULL},
    /* plugin/pkg/admission/priority/admission.go */
    {"node@trainer^high", "{'priority':7}", NULL, NULL, GOOD_1_37 CLASSES, "", NULL},
    {"node@trainer^high", "{'priority':8}", NULL, NULL, GOOD_1_37 CLASSES, "PriorityPreset",
     "the integer value of priority (8) must not be provided in pod spec"},
    {"node@trainer^high", "{'priority':7}", NULL, NULL, GOOD_1_37, "PriorityPreset", NULL},
    {"node@trainer", "{'priority':0}", NULL, NULL, GOOD_1_37, "PriorityPreset", NULL},
    {"node@trainer", "{'priority':'high'}", NULL, NULL, GOOD_1_37, "", NULL},
    /* all pods of a group have its preemptionPolicy, or it is never scheduled */
    {"node@trainer^high", "{'preemptionPolicy':'Never'}", NULL, NULL, GOOD_1_37 CLASSES,
     "PreemptionMismatch",
     "Invalid value: \"Never\": all pods of a group must have its preemptionPolicy, "
     "\"PreemptLowerPriority\""},
    {"node@trainer^polite", "{'preemptionPolicy':'Never'}", NULL, NULL, GOOD_1_37 CLASSES, "",
     NULL},
    {"node@trainer^polite", "{'preemptionPolicy':'PreemptLowerPriority'}", NULL, NULL,
     GOOD_1_37 CLASSES, "PreemptionMismatch", NULL},
    {"node@trainer^high", "{'preemptionPolicy':'Never'}", NULL, NULL, GOOD_1_36 CLASSES,
     "NotChecked", NULL},
    {"node@trainer^high", "{'preemptionPolicy':'Never'}", NULL, NULL, GOOD_1_37, "", NULL},
    {"node@trainer", "{'preemptionPolicy':'Never'}", NULL, NULL, GOOD_1_37 CLASSES,
     "PreemptionMismatch", NULL},
    {"node@trainer", "{'preemptionPolicy':'Never'}", NULL, NULL, "'servedVersions':[]", "", NULL},
    /* HighestUserDefinablePriority: pkg/apis/scheduling/validation refuses the filled-in value */
    {"node@trainer^system-node-critical", NULL, NULL, NULL, GOOD_1_37, "SystemPriority",
     "spec.priority: Invalid value: 2000001000: must be less than or equal to 1000000000"},
    {"node@trainer^system-cluster-critical", NULL, NULL, NULL, GOOD_1_37 CLASSES, "SystemPriority",
     "spec.priority: Invalid value: 2000000000: must be less than or equal to 1000000000"},
    {"node@trainer^system-node-critical", NULL, NULL, NULL, PREEMPTION_GATE("true"),
     "SystemPriority", "Invalid value: 2000001000"},
    {"node@trainer^system-node-critical", NULL, NULL, NULL, PREEMPTION_GATE("false"),
     "GatedFieldLost", NULL},
    {"node@trainer^system-node-critical", NULL, NULL, NULL, GOOD_1_36, "NotChecked NotChecked",
     NULL},
    {"node@trainer^system-node-critical", NULL, NULL, NULL, GOOD_1_35, "", NULL},
    {"node@trainer^system-local", NULL, NULL, NULL,
     GOOD_1_37 ",'priorityClasses':[{'name':'system-local','value':1000000001}]", "SystemPriority",
     "Invalid value: 1000000001"},
    {"node@trainer^highest", NULL, NULL, NULL,
     GOOD_1_37 ",'priorityClasses':[{'name':'highest','value':1000000000}]", "", NULL},
    {"node@trainer", NULL, NULL, NULL,
     GOOD_1_37 ",'priorityClasses':[{'name':'system-all','value':1000000001,'globalDefault':true}]",
     "SystemPriority", NULL},
    {"node@trainer^system-node-critical", NULL, NULL, NULL, "'servedVersions':[]", "", NULL},
    /* a PodGroup's preemptionPolicy is that of its class, which may not be known */
    {"node@trainer^high", NULL, NULL, NEVER, GOOD_1_37, "NotChecked NotChecked",
     "not checked: the API server refuses a PodGroup with another preemptionPolicy than its "
     "priority class has"},
    {"node@trainer", NULL, NULL, NEVER, GOOD_1_37, "NotChecked NotChecked",
     "not checked: the API server refuses a PodGroup with another preemptionPolicy than its "
     "priority class has"},
    {"node@trainer", NULL, NULL, NEVER, GOOD_1_37 ",'priorityClasses':[]", "PreemptionMismatch",
     NULL},
    {"node@trainer^polite", NULL, NULL, NEVER, GOOD_1_37 CLASSES, "NotChecked", "the gate"},
    {"node@trainer", NULL, NULL, NEVER, NEVER_GATE("false"), "GatedFieldLost", NULL},
    /* claims are shared only by name and source */
    {"node@trainer", "{'resourceClaims':[{'name':'gpu','resourceClaimTemplateName':'gpus'}]}", NULL,
     CLAIMS, DRA, "", NULL},
    {"node@trainer",
     "{'resourceClaims':[{'name':'a','resourceClaimName':'b'},{'name':'gpu',"
     "'resourceClaimTemplateName':'gpus'}]}",
     NULL, CLAIMS, DRA, "", NULL},
    {"node@trainer", "{}", NULL, CLAIMS, DRA, "ClaimMismatch",
     "Invalid value: \"gpu\": the pods of role \"node\" have no such claim, so each would reserve "
     "its own"},
    {"node@trainer", "{'resourceClaims':[{'name':'gpu','resourceClaimName':'gpus'}]}", NULL, CLAIMS,
     DRA, "ClaimMismatch", NULL},
    {"node@trainer", "{'resourceClaims':[{'name':'other','resourceClaimTemplateName':'gpus'}]}",
     NULL, CLAIMS, DRA, "ClaimMismatch", NULL},
    /* from 1.37 on all groups of a Workload have one priority, that of initializers too */
    {"d@dataset-initializer node@trainer<d:C^high", NULL, NULL, "{'initializers':'Basic'}",
     GOOD_1_37, "PrioritiesDisagree", "detected multiple priority configurations"},
    {"d@dataset-initializer^low node@trainer<d:C", NULL, NULL, "{'initializers':'Basic'}",
     GOOD_1_37, "PrioritiesDisagree", "role \"d\" has \"low\", the gang has none"},
    {"d@dataset-initializer^high node@trainer<d:C^high", NULL, NULL, "{'initializers':'Basic'}",
     GOOD_1_37, "", NULL},
    {"d@dataset-initializer node@trainer<d:C", NULL, NULL, "{'initializers':'Basic'}", GOOD_1_37,
     "", NULL},
    {"d@dataset-initializer node@trainer<d:C^high", NULL, NULL, "{'initializers':'Basic'}",
     GOOD_1_36, "NotChecked", NULL},
    {"d@dataset-initializer node@trainer<d:C^high", NULL, NULL, "{'initializers':'Basic'}",
     "'servedVersions':[]", "", NULL},
};

static int current;

static void
add_pod(struct job *job)
{
    for (size_t i = 0; i < job->gang.num_roles; i++)
        if (slice_equal(job->gang.roles[i].name, SLICE("node"))) {
            job->wishes->roles[i].pod_spec =
                workload_tree(job->arena, checks_of_workload_pods[current].pod_spec);
            job->wishes->roles[i].job_spec =
                workload_tree(job->arena, checks_of_workload_pods[current].job_spec);
        }
}

START_TEST(reports_pods_that_differ_from_their_group)
{
    const struct workload_case job = {checks_of_workload_pods[_i].roles,
                                      checks_of_workload_pods[_i].options,
                                      checks_of_workload_pods[_i].cluster,
                                      NULL,
                                      TRAINJOB_UID,
                                      NULL,
                                      NULL};
    const char *findings;
    struct workload_run run;

    current = _i;
    workload_open_with(&run, &job, add_pod);
    findings = workload_findings(&run);
    if (strcmp(findings, "WorkloadUidNeeded") == 0)
        findings = "";
    ck_assert_msg(strncmp(findings, checks_of_workload_pods[_i].findings,
                          strlen(checks_of_workload_pods[_i].findings)) == 0 &&
                      (!*checks_of_workload_pods[_i].findings == !*findings),
                  "found: %s", findings);
    if (checks_of_workload_pods[_i].said)
        ck_assert_msg(strstr(run.job.report.items[0].message, checks_of_workload_pods[_i].said) !=
                          NULL,
                      "%s", run.job.report.items[0].message);
    workload_close(&run);
}
END_TEST

/* The JobSet's own spec.scheduling would have JobSet v0.13 make a Workload as well. */
START_TEST(refuses_a_jobset_that_schedules_itself)
{
    const struct workload_case job = {"node@trainer", NULL, GOOD_1_37, NULL,
                                      TRAINJOB_UID,   NULL, NULL};
    struct workload_run run;

    workload_open(&run, &job);
    run.job.wishes->rival = workload_tree(run.job.arena, "{'schedulingPolicy':{'gang':{}}}");
    workload_findings(&run);
    ck_assert_ptr_nonnull(strstr(job_finding(&run.job, GANG_CODE_TWO_CONTROLLERS)->message,
                                 "Forbidden: JobSet would create groups of the same pods"));
    workload_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_what_would_be_refused, checks, scheduling);
    add_rows(cases, messages_of_each_api_server_release, words, version, scheduling);
    tcase_add_test(cases, a_group_for_each_job_needs_one_replica);
    add_rows(cases, a_claim_has_one_source, claims, claims);
    add_rows(cases, reports_pods_that_differ_from_their_group, checks_of_workload_pods, roles,
             options, cluster);
    tcase_add_test(cases, refuses_a_jobset_that_schedules_itself);
}
