/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/job_plans.h"
#include "unit/squeeze.h"
#include "unit/plans.h"
#include "unit/suite.h"

#define MARKED(metadata, spec) JOB_WITH("", metadata, spec)
#define OWNED_JOB(metadata)                                                                        \
    JOB_WITH(",'ownerReferences':[{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet',"       \
             "'name':'s','uid':'v','controller':true}]",                                           \
             metadata, "")
#define JOB_WITH(owner, metadata, spec)                                                            \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','uid':'u'" owner "},'spec':{"    \
    "'completionMode':'Indexed','parallelism':2,'completions':2,'template':{'metadata':{" metadata \
    "},'spec':{'restartPolicy':'Never',"                                                           \
    "'containers':[{'name':'c','image':'i'}]" spec "}}}}"
#define TOO_MUCH                                                                                   \
    ",'overhead':{'cpu':'9223372036854775807'},'initContainers':[{'name':'i','image':'i',"         \
    "'resources':{'requests':{'cpu':'9223372036854775807'}}}]"
#define GROUP_LABEL(group) "'labels':{'scheduling.x-k8s.io/pod-group':'" group "'}"
#define LABEL_PATH "spec.template.metadata.labels[scheduling.x-k8s.io/pod-group]"
#define FORBIDDEN(path, key) path ": Forbidden: " key " is a mark of gang membership"
#define COSCHEDULING "'defaultBackend':'coscheduling'"
#define YUNIKORN "'backends':[{'name':'y','type':'YuniKorn'}],'defaultBackend':'y'"
#define APP_LABEL(id) "'labels':{'yunikorn.apache.org/app-id':'" id "'}"
#define WORKLOAD "'backends':[{'name':'workload','type':'Workload'}],'defaultBackend':'workload'"

/* A cluster of Ray whose head was marked with a list of task groups. */
#define RAY(groups, workers, worker_metadata)                                                      \
    "{'apiVersion':'ray.io/v1','kind':'RayCluster','metadata':{'name':'r','uid':'u'},'spec':{"     \
    "'headGroupSpec':{'rayStartParams':{},'template':{'metadata':{'annotations':{"                 \
    "'yunikorn.apache.org/task-groups':'[" groups "]'}}," RAY_POD "}},"                            \
    "'workerGroupSpecs':[" RAY_WORKERS("a", "2", "") "," RAY_WORKERS("b", workers,                 \
                                                                     worker_metadata) "]}}"
#define RAY_WORKERS(name, replicas, metadata)                                                      \
    "{'groupName':'" name "','replicas':" replicas ",'minReplicas':0,'maxReplicas':9,"             \
    "'rayStartParams':{},'template':{" metadata RAY_POD "}}"
#define RAY_POD                                                                                    \
    "'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{"                      \
    "'cpu':'1','memory':'1Gi'}}}]}"
#define TASK_GROUP(name, minimum, cpu)                                                             \
    "{\\'name\\':\\'" name "\\',\\'minMember\\':" minimum ",\\'minResource\\':"                    \
    "{\\'cpu\\':\\'" cpu "\\',\\'memory\\':\\'1Gi\\'}}"
#define TASK_GROUPS_FORBIDDEN(start)                                                               \
    FORBIDDEN(start "annotations[yunikorn.apache.org/task-groups]",                                \
              "yunikorn.apache.org/task-groups")
#define HEAD(minimum) TASK_GROUP("head", minimum, "1")
#define A(minimum) TASK_GROUP("a", minimum, "1")
#define B(minimum) TASK_GROUP("b", minimum, "1")
#define GROUP_OF(name)                                                                             \
    "'metadata':{'annotations':{'yunikorn.apache.org/task-group-name':'" name "'}},"
#define HEAD_METADATA "spec.headGroupSpec.template.metadata."

/*
 * The hash is fnv32a("u/gang") in decimal, as SafeEncodeString() of
 * kubernetes/apimachinery:pkg/util/rand/rand.go writes it.
 */
static const struct {
    const char *policy;
    const char *job;
    const char *errors;
} rows[] = {
    /* what the plan sets */
    {COSCHEDULING, MARKED(GROUP_LABEL("j"), ",'schedulerName':'scheduler-plugins-scheduler'"), ""},
    {COSCHEDULING, MARKED(GROUP_LABEL("j"), ""), ""},
    {WORKLOAD, MARKED("", ",'schedulingGroup':{'podGroupName':'j-gang-6dc4fbf494'}"), ""},
    /* fnv32a("default/j/0"): the job was marked before it had a uid; "default/j/0/u": afterwards */
    {YUNIKORN, MARKED(APP_LABEL("default-j-c8820734"), ""), ""},
    {YUNIKORN, MARKED(APP_LABEL("default-j-b7ee7d1c"), ""), ""},
    {YUNIKORN, MARKED(APP_LABEL("default-j"), ""),
     FORBIDDEN("spec.template.metadata.labels[yunikorn.apache.org/app-id]",
               "yunikorn.apache.org/app-id")},
    /* another group, or a mark of another scheduler beside the right one */
    {COSCHEDULING, MARKED(GROUP_LABEL("other"), ""),
     FORBIDDEN(LABEL_PATH, "scheduling.x-k8s.io/pod-group")},
    {COSCHEDULING,
     MARKED(GROUP_LABEL("j") ",'annotations':{'scheduling.k8s.io/group-name':'j'}", ""),
     FORBIDDEN("spec.template.metadata.annotations[scheduling.k8s.io/group-name]",
               "scheduling.k8s.io/group-name")},
    {COSCHEDULING, MARKED("", ",'schedulingGroup':{'podGroupName':'j-gang-6dc4fbf494'}"),
     FORBIDDEN("spec.template.spec.schedulingGroup", "schedulingGroup")},
    {WORKLOAD, MARKED("", ",'schedulingGroup':{'podGroupName':'j'}"),
     FORBIDDEN("spec.template.spec.schedulingGroup", "schedulingGroup")},
    /* without a gang no mark is right */
    {"'backends':[{'name':'v','type':'Volcano'}]", MARKED(GROUP_LABEL("j"), ""),
     FORBIDDEN(LABEL_PATH, "scheduling.x-k8s.io/pod-group")},
    /* the Jobs of a JobSet have the marks of its gang, and none of their own */
    {COSCHEDULING, OWNED_JOB(GROUP_LABEL("s")), ""},
    /* of a job that is wrong, no plan says which marks are right */
    {COSCHEDULING, MARKED(GROUP_LABEL("other"), TOO_MUCH),
     "spec: Invalid value: the requests of one pod exceed 2^63-1"},
    /* The job had another size when it was marked. A role without pods has no task group. */
    {YUNIKORN, RAY(HEAD("1") "," A("4") "," B("2"), "2", ""), ""},
    {YUNIKORN, RAY(HEAD("1") "," A("2") "," B("2"), "0", ""), ""},
    {YUNIKORN, RAY(HEAD("1") "," A("4"), "2", ""), ""},
    {YUNIKORN, RAY(HEAD("1") "," A("2") "," B("2"), "0", GROUP_OF("other")), ""},
    {YUNIKORN, RAY(HEAD("1") "," A("2") "," B("2"), "2", GROUP_OF("other")),
     FORBIDDEN("spec.workerGroupSpecs[1].template.metadata.annotations[yunikorn.apache.org/"
               "task-group-name]",
               "yunikorn.apache.org/task-group-name")},
    {YUNIKORN, RAY(HEAD("1") "," TASK_GROUP("a", "2", "2"), "2", ""),
     TASK_GROUPS_FORBIDDEN(HEAD_METADATA)},
    {YUNIKORN, RAY(B("2") "," A("2"), "2", ""), TASK_GROUPS_FORBIDDEN(HEAD_METADATA)},
    {YUNIKORN, RAY(TASK_GROUP("other", "2", "1"), "2", ""), TASK_GROUPS_FORBIDDEN(HEAD_METADATA)},
    {YUNIKORN, RAY("{\\'name\\':}", "2", ""), TASK_GROUPS_FORBIDDEN(HEAD_METADATA)},
    {YUNIKORN, RAY("", "2", ""), TASK_GROUPS_FORBIDDEN(HEAD_METADATA)},
    /* as for a TrainJob, a constraint can accept them */
    {COSCHEDULING ",'constraints':[{'name':'c','match':{},'reservedKeys':'Warn'}]",
     MARKED(GROUP_LABEL("other"), ""), ""},
};

START_TEST(only_the_marks_of_the_plan_are_right)
{
    char errors[DOCUMENT_SIZE];
    struct job_plan opened;

    job_plan_open(&opened, rows[_i].job, rows[_i].policy, 0);
    ck_assert_str_eq(job_plan_errors(opened.error, errors), rows[_i].errors);
    ck_assert_int_eq(opened.result, rows[_i].errors[0] ? GANG_ERROR_INVALID : GANG_OK);
    job_plan_close(&opened);
}
END_TEST

static bool
resolve_squeezed(const struct gang_context *context, const void *input, int *result,
                 struct gang_error **error)
{
    const struct job_plan *opened = input;
    struct gang_decision *decision = NULL;
    bool is_resolved;

    *result = gang_resolve(context, opened->job.document, opened->inputs, 0, &decision, error);
    is_resolved = decision != NULL;
    gang_decision_unref(decision);
    return is_resolved;
}

START_TEST(memory_can_run_out_at_every_allocation)
{
    struct job_plan opened;

    job_plan_open(&opened, MARKED(GROUP_LABEL("j"), ""), COSCHEDULING, 0);
    ck_assert_int_eq(squeeze(resolve_squeezed, &opened), GANG_OK);
    job_plan_close(&opened);
}
END_TEST

/* ---- the entry of a TrainJob ---- */

#define ENTRY "spec.runtimePatches[1]"
#define TEMPLATE ENTRY ".trainingRuntimeSpec.template"
#define LABELS TEMPLATE ".spec.replicatedJobs[0].template.spec.template.metadata.labels"
#define OUTDATED(path, message) "GANG052 " path ": " message

/* plain_trainjob with a patch of its user and the entry for its PodGroup of coscheduling. */
static const char marked_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1'},\n"
    " 'spec': {'runtimeRef': {'kind': 'TrainingRuntime', 'name': 'plain'}, 'runtimePatches': [\n"
    "  {'manager': 'a.example/user', 'trainingRuntimeSpec': {'template': {'spec': {\n"
    "   'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
    "    'metadata': {'labels': {'team': 'a'}}}}}}]}}}},\n"
    "  {'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {'spec': {\n"
    "   'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
    "    'metadata': {'labels': {'scheduling.x-k8s.io/pod-group': 'llama'}}}}}}]}}}}]}}\n";

static const struct {
    const char *find, *replace, *expected; /* "": the entry is the plan's */
} entry_rows[] = {
    {"'spec': {'runtimeRef'", "'spec': {'runtimeRef'", ""},
    /* the operator's webhook adds the time */
    {"'manager': 'libgang", "'time': '2026-01-01T00:00:00Z', 'manager': 'libgang", ""},
    /* an empty map sets nothing */
    {"{'labels': {'scheduling.x", "{'annotations': null, 'labels': {'scheduling.x", ""},
    {"{'labels': {'scheduling.x", "{'annotations': {}, 'labels': {'scheduling.x", ""},
    {"/pod-group': 'llama'", "/pod-group': 'other'",
     OUTDATED(LABELS "[scheduling.x-k8s.io/pod-group]",
              "Invalid value: 'other': the plan has 'llama'")},
    {"/pod-group': 'llama'", "/pod-group': 'llama', 'tier': 'gold'",
     OUTDATED(LABELS "[tier]", "Forbidden: the plan does not set it")},
    {"'scheduling.x-k8s.io/pod-group': 'llama'", "",
     OUTDATED(LABELS, "Required value: the plan sets 'scheduling.x-k8s.io/pod-group'")},
    /* a mark of another scheduler */
    {"{'labels': {'scheduling.x",
     "{'annotations': {'scheduling.k8s.io/group-name': 'x'}, "
     "'labels': {'scheduling.x",
     OUTDATED(TEMPLATE ".spec.replicatedJobs[0].template.spec.template.metadata.annotations",
              "Forbidden: the plan does not set it")},
    /* a queue that the policy has not seen */
    {"{'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {",
     "{'manager': 'libgang.dev/gang', 'trainingRuntimeSpec': {'template': {"
     "'metadata': {'labels': {'kai.scheduler/queue': 'vip'}}, ",
     OUTDATED(TEMPLATE ".metadata", "Forbidden: the plan does not set it")},
    {"'replicatedJobs': [{'name': 'node', 'template': {'spec': {'template': {\n"
     "    'metadata': {'labels': {'scheduling",
     "'replicatedJobs': [{'name': 'nodes', 'template': {'spec': {'template': {\n"
     "    'metadata': {'labels': {'scheduling",
     OUTDATED(TEMPLATE ".spec.replicatedJobs",
              "Required value: the plan has marks for the role "
              "'node'") "\n" OUTDATED(TEMPLATE ".spec.replicatedJobs[0]",
                                      "Forbidden: the plan has no marks for this role")},
};

/* The findings of GANG052, a line each, with ' for a double quote. */
static void
outdated_of(const struct run *run, char out[DOCUMENT_SIZE])
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < run_num_findings(run); i++) {
        const struct gang_diagnostic *finding = run_finding(run, i);

        if (gang_diagnostic_get_code(finding) != GANG_CODE_PATCH_OUTDATED)
            continue;
        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len, "%sGANG052 %s: %s", len ? "\n" : "",
                                gang_diagnostic_get_path(finding),
                                gang_diagnostic_get_message(finding));
    }
    for (char *at = out; *at; at++)
        if (*at == '"')
            *at = '\'';
}

START_TEST(compares_the_entry_with_the_plan)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    const char *expected = entry_rows[_i].expected;
    struct run run;

    run = run_spelled(
        plain_runtime, NULL, NULL,
        with_change(changed, marked_trainjob, entry_rows[_i].find, entry_rows[_i].replace), NULL);
    outdated_of(&run, text);
    ck_assert_str_eq(text, expected);
    ck_assert_int_eq(gang_decision_get_outcome(run.decision),
                     *expected ? GANG_OUTCOME_INVALID : GANG_OUTCOME_GANG);
    end_run(&run);
}
END_TEST

START_TEST(a_job_without_a_gang_has_no_entry)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    struct run run = run_spelled(
        with_change(changed, plain_runtime, "'coscheduling': {'scheduleTimeoutSeconds': 300}", ""),
        "'schedulerName': 'scheduler-plugins-scheduler',\n", "", marked_trainjob, NULL);

    outdated_of(&run, text);
    ck_assert_str_eq(text, OUTDATED(ENTRY, "Forbidden: the plan has no marks"));
    end_run(&run);
}
END_TEST

/* The marks are for the cluster in which the job will run. */
START_TEST(a_job_managed_elsewhere_keeps_its_entry)
{
    char changed[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    struct run run =
        run_spelled(plain_runtime, NULL, NULL,
                    with_change(changed, marked_trainjob, "'spec': {'runtimeRef'",
                                "'spec': {'managedBy': 'kueue.x-k8s.io/multikueue', 'runtimeRef'"),
                    NULL);

    outdated_of(&run, text);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_NO_GANG);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_rows(cases, only_the_marks_of_the_plan_are_right, rows, job);
    add_rows(cases, compares_the_entry_with_the_plan, entry_rows, find, replace);
    tcase_add_test(cases, a_job_without_a_gang_has_no_entry);
    tcase_add_test(cases, a_job_managed_elsewhere_keeps_its_entry);
}
