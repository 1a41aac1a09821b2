/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#include "unit/front.h"
#include "unit/tree.h"

/* Marks that a scheduler reads: Volcano, coscheduling and three of KAI. */
#define MARK(value) "@'pod-group-name':" value
static const char *const keys[] = {"scheduling.k8s.io/group-name", "scheduling.x-k8s.io/pod-group",
                                   "pod-group-name", "kai.scheduler/subgroup-name",
                                   "kai.scheduler/skip-podgrouper"};
static const char *const maps[] = {"labels", "annotations"};

static size_t
count_metadata_findings(const char *map, const char *key, const char *value)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct front_place unused;
    char text[DOCUMENT_SIZE];
    size_t count;

    report_init(&report, arena, &standard_limits);
    front_text(text, arena_format(arena, "{'%s':{'a':'b','%s':%s}}", map, key, value), &unused);
    reserved_marks_check_metadata(tree_of(arena, text), &report);
    count = report.count;
    if (count) {
        ck_assert_int_eq(report.items[0].code, GANG_CODE_RESERVED_MARK);
        ck_assert_ptr_nonnull(strstr(report.items[0].message, key));
        ck_assert_ptr_nonnull(report.items[0].hint);
    }
    arena_free(arena);
    return count;
}

START_TEST(marks_are_reserved_as_label_and_annotation)
{
    for (int map = 0; map < COUNT_OF(maps); map++) {
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "'x'"), 1);
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "''"), 1);
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "null"), 0);
    }
    ck_assert_uint_eq(count_metadata_findings("finalizers", keys[_i], "'x'"), 0);
}
END_TEST

/* Near to a mark, and marks that users may set. */
static const char *const free_keys[] = {
    "scheduling.k8s.io/group-names",
    "group-name",
    "Pod-Group-Name",
    "kai.scheduler/queue",
    "volcano.sh/task-spec",
    "scheduling.volcano.sh/queue-name",
    "scheduling.x-k8s.io/pod-group/x",
};

START_TEST(other_keys_are_free)
{
    for (int map = 0; map < COUNT_OF(maps); map++)
        ck_assert_uint_eq(count_metadata_findings(maps[map], free_keys[_i], "'x'"), 0);
}
END_TEST

#define JOB0 "spec.template.spec.replicatedJobs[0]"
#define PATCH0 "spec.runtimePatches[0].trainingRuntimeSpec.template"
#define RUNTIME_OF(template_)                                                                      \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{'podGroupPolicy':{'volcano':{}},\n'template':{" template_ "}}}"
#define ONE_JOB(job_template)                                                                      \
    "'spec':{'replicatedJobs':[{'name':'node','template':{" job_template "}}]}"

/* Every place where a mark may stand. */
static const struct remark placed[] = {
    {RUNTIME_OF("'metadata':{'labels':{" MARK("'x'") "}}," ONE_JOB(
         "'spec':{'template':{'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, "spec.template.metadata.labels[pod-group-name]"},
    {RUNTIME_OF("'metadata':{'annotations':{" MARK("'x'") "}}," ONE_JOB(
         "'spec':{'template':{'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, "spec.template.metadata.annotations[pod-group-name]"},
    {RUNTIME_OF(ONE_JOB(
         "'metadata':{'labels':{" MARK("'x'") "}},'spec':{'template':{'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, JOB0 ".template.metadata.labels[pod-group-name]"},
    {RUNTIME_OF(ONE_JOB("'metadata':{'annotations':{" MARK(
         "'x'") "}},'spec':{'template':{'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, JOB0 ".template.metadata.annotations[pod-group-name]"},
    {RUNTIME_OF(ONE_JOB(
         "'spec':{'template':{'metadata':{'labels':{" MARK("'x'") "}},'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK,
     JOB0 ".template.spec.template.metadata.labels[pod-group-name]"},
    {RUNTIME_OF(ONE_JOB("'spec':{'template':{'metadata':{'annotations':{" MARK(
         "'x'") "}},'spec':{" NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK,
     JOB0 ".template.spec.template.metadata.annotations[pod-group-name]"},
    {RUNTIME_OF(ONE_JOB(
         "'spec':{'template':{'spec':{@'schedulingGroup':{'podGroupName':'x'}," NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, JOB0 ".template.spec.template.spec.schedulingGroup"},
    {RUNTIME_OF(ONE_JOB(
         "'spec':{'template':{'spec':{@'workloadRef':{'name':'x','podGroup':'y'}," NODE_POD "}}}")),
     TRAINJOB(""), GANG_CODE_RESERVED_MARK, JOB0 ".template.spec.template.spec.workloadRef"},
    {RUNTIME("", NODE_ROLE),
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'llama','labels':{" MARK(
         "'x'") "}},'spec':{'runtimeRef':{'name':'tune'}}}",
     GANG_CODE_RESERVED_MARK, "metadata.labels[pod-group-name]"},
    {RUNTIME("", NODE_ROLE),
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'llama','annotations':{" MARK(
         "'x'") "}},'spec':{'runtimeRef':{'name':'tune'}}}",
     GANG_CODE_RESERVED_MARK, "metadata.annotations[pod-group-name]"},
    {RUNTIME("", NODE_ROLE), TRAINJOB(PATCHES(PATCH_METADATA("x", "'labels':{" MARK("'x'") "}"))),
     GANG_CODE_RESERVED_MARK, PATCH0 ".metadata.labels[pod-group-name]"},
    {RUNTIME("", NODE_ROLE),
     TRAINJOB(PATCHES(PATCH_METADATA("x", "'annotations':{" MARK("'x'") "}"))),
     GANG_CODE_RESERVED_MARK, PATCH0 ".metadata.annotations[pod-group-name]"},
    {RUNTIME("", NODE_ROLE),
     TRAINJOB(PATCHES(
         PATCH_JOBS("x", "{'name':'node','template':{'metadata':{'labels':{" MARK("'x'") "}}}}"))),
     GANG_CODE_RESERVED_MARK,
     PATCH0 ".spec.replicatedJobs[0].template.metadata.labels[pod-group-name]"},
    {RUNTIME("", NODE_ROLE),
     TRAINJOB(PATCHES(PATCH_JOBS(
         "x", "{'name':'node','template':{'spec':{'template':{'metadata':{'annotations':{" MARK(
                  "'x'") "}}}}}}"))),
     GANG_CODE_RESERVED_MARK,
     PATCH0 ".spec.replicatedJobs[0].template.spec.template.metadata.annotations[pod-group-name]"},
};

START_TEST(marks_are_found_in_every_place)
{
    check_remark(&placed[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&placed[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

START_TEST(absent_metadata_has_no_marks)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    reserved_marks_check_metadata(NULL, &report);
    reserved_marks_check_pod_spec(NULL, &report);
    ck_assert_uint_eq(report.count, 0);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, marks_are_reserved_as_label_and_annotation, keys);
    add_items(cases, other_keys_are_free, free_keys);
    add_rows(cases, marks_are_found_in_every_place, placed, runtime, trainjob);
    tcase_add_test(cases, absent_metadata_has_no_marks);
}
