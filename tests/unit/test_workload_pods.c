/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_scheduling.h"

#include "unit/workloads.h"

#define CLASSES                                                                                    \
    ",'priorityClasses':[{'name':'high','value':7},{'name':'polite','value':7,'preemptionPolicy':" \
    "'Never'}]"
#define GATE(state)                                                                                \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,'"            \
    "EvictionRequestAPI'"                                                                          \
    ":" state "}"
#define CLAIMS "{'resourceClaims':[{'name':'gpu','resourceClaimTemplateName':'gpus'}]}"
#define DRA                                                                                        \
    SERVES(V1BETA1, "'workloads','podgroups'")                                                     \
    ",'podTemplateFields':['schedulingGroup'],'featureGates':{'GenericWorkload':true,"             \
    "'DRAWorkloadResourceClaims':true}"

/* What one pod template, that of the role `node`, says; NULL for nothing. */
static const struct {
    const char *roles;
    const char *pod_spec;
    const char *job_spec;
    const char *options;
    const char *cluster;
    const char *findings;
    const char *said; /* in the first message; NULL: anything */
} checks[] = {
    {"node@trainer", "{}", "{}", NULL, GOOD_1_37, "", NULL},
    /* a second group of the same pods */
    {"node@trainer", NULL, "{'scheduling':{}}", NULL, GOOD_1_37, "TwoCompilers",
     "Forbidden: the Job controller would make a second group of the same pods"},
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
            job->gang.roles[i].pod_spec = workload_tree(job->arena, checks[current].pod_spec);
            job->gang.roles[i].job_spec = workload_tree(job->arena, checks[current].job_spec);
        }
}

START_TEST(reports_pods_that_do_not_go_with_their_group)
{
    const struct workload_case job = {
        checks[_i].roles, checks[_i].options, checks[_i].cluster, NULL, TRAINJOB_UID, NULL, NULL};
    const char *findings;
    struct workload_run run;

    current = _i;
    workload_open_with(&run, &job, add_pod);
    findings = workload_findings(&run);
    if (strcmp(findings, "WorkloadUidNeeded") == 0)
        findings = "";
    ck_assert_msg(strncmp(findings, checks[_i].findings, strlen(checks[_i].findings)) == 0 &&
                      (!*checks[_i].findings == !*findings),
                  "found: %s", findings);
    if (checks[_i].said)
        ck_assert_msg(strstr(run.job.report.items[0].message, checks[_i].said) != NULL, "%s",
                      run.job.report.items[0].message);
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
    run.job.gang.rival = workload_tree(run.job.arena, "{'schedulingPolicy':{'gang':{}}}");
    workload_findings(&run);
    ck_assert_ptr_nonnull(strstr(job_finding(&run.job, GANG_CODE_TWO_COMPILERS)->message,
                                 "Forbidden: JobSet would make groups of the same pods"));
    workload_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_pods_that_do_not_go_with_their_group, checks, roles, options, cluster);
    tcase_add_test(cases, refuses_a_jobset_that_schedules_itself);
}
