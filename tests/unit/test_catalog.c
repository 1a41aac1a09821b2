/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#include "unit/suite.h"
#include "unit/front.h"
#include "unit/tree.h"

/* ---- catalog ---- */

/* Names, marks and kinds of the projects' own sources. */
static const struct {
    const char *name, *type, *member, *superseded, *mark, *kind, *component;
    bool has_queues;
} schedulers[] = {
    {"coscheduling", "Coscheduling", "coscheduling", NULL, "scheduling.x-k8s.io/pod-group",
     "PodGroup", "schedulerPlugins", false},
    {"volcano", "Volcano", "volcano", NULL, "scheduling.k8s.io/group-name", "PodGroup", "volcano",
     true},
    {"kai", "KAI", "kaiScheduler", "kai", "pod-group-name", "PodGroup", "kai", true},
    {"workload", "Workload", "workload", NULL, "schedulingGroup", "Workload", NULL, false},
    {"yunikorn", "YuniKorn", "yunikorn", NULL, "yunikorn.apache.org/app-id", NULL, "yunikorn",
     true},
    {"koordinator", "Koordinator", "koordinator", NULL, "pod-group.scheduling.sigs.k8s.io",
     "PodGroup", "koordinator", true},
};

START_TEST(describes_each_scheduler)
{
    const struct descriptor *found = catalog_of_type(slice_from_text(schedulers[_i].type));

    ck_assert_ptr_nonnull(found);
    ck_slice_eq(found->name, schedulers[_i].name);
    ck_slice_eq(found->member.name, schedulers[_i].member);
    ck_slice_eq(found->marks[0].key, schedulers[_i].mark);
    ck_slice_eq(found->kinds[0], schedulers[_i].kind);
    ck_slice_eq(found->component.name, schedulers[_i].component);
    ck_assert_int_eq(found->num_queue_sources > 0, schedulers[_i].has_queues);
    ck_assert(schedulers[_i].has_queues ||
              (!slice_is_set(found->queue_parent) && !found->configures_queues));
    ck_assert_int_eq(descriptor_has_objects(found), schedulers[_i].kind != NULL);
    ck_assert_ptr_eq(catalog_of_member(found->member.name), found);
    if (schedulers[_i].superseded)
        ck_assert_ptr_eq(catalog_of_member(slice_from_text(schedulers[_i].superseded)), found);
}
END_TEST

/* Names are compared exactly, and an unset name matches none. */
static const char *const strangers[] = {"", "KAi", "volcan", "Volcano ", "kueue"};

START_TEST(finds_no_other_schedulers)
{
    struct slice name = slice_from_text(strangers[_i]);

    ck_assert_ptr_null(catalog_of_type(name));
    ck_assert_ptr_null(catalog_of_member(name));
    ck_assert_ptr_null(catalog_of_member(NO_SLICE));
}
END_TEST

/* What gangctl, the checks of marks and reconciliation rely on, for every scheduler. */
START_TEST(every_descriptor_is_complete)
{
    const struct descriptor *found = catalog[_i];
    size_t names = 0;

    ck_assert(slice_is_set(found->scheduler_name));
    ck_assert_int_eq(slice_is_set(found->group), descriptor_has_objects(found));
    ck_assert_int_eq(slice_is_set(found->resource), descriptor_has_objects(found));
    ck_assert(slice_is_set(found->member.path));
    ck_assert(slice_is_set(found->features.whole_or_nothing));
    ck_assert(slice_is_set(found->features.late_member));
    ck_assert(slice_is_set(found->features.initializers));
    ck_assert(slice_is_set(found->features.suspend));
    ck_assert(slice_is_set(found->features.topology));
    ck_assert(slice_is_set(found->features.subgroups));
    ck_assert(slice_is_set(found->features.elastic_minimum));
    ck_assert_int_eq(slice_is_set(found->api_version),
                     descriptor_has_objects(found) && found->api_versions == NULL);
    ck_assert_int_eq(slice_is_set(found->member.superseded),
                     found->member.superseded_schema != NULL);
    for (size_t i = 0; i < found->num_marks; i++) {
        names += found->marks[i].names_group;
        ck_assert_int_eq(slice_is_set(found->marks[i].member),
                         found->marks[i].place == MARK_POD_FIELD);
    }
    ck_assert_uint_gt(names, 0);
    ck_assert(found->marks[0].names_group);
    for (int i = 0; i < _i; i++) {
        ck_assert(!slice_equal(catalog[i]->name, found->name));
        ck_assert(!slice_equal(catalog[i]->type, found->type));
        ck_assert(!slice_is_set(found->grove.name) || !slice_is_set(catalog[i]->grove.name) ||
                  catalog[i]->grove.place != found->grove.place);
    }
}
END_TEST

START_TEST(lists_schedulers_with_a_feature)
{
    ck_assert_ptr_eq(catalog_of_timeouts(), &coscheduling_descriptor);
    ck_assert_ptr_eq(catalog_of_network_topologies(), &volcano_descriptor);
    ck_assert_ptr_eq(catalog_of_topologies(), &kai_descriptor);
}
END_TEST

/* ---- reserved marks ---- */

/* Marks that a scheduler reads: Volcano, coscheduling and two of KAI. */
#define MARK(value) "@'pod-group-name':" value
static const char *const keys[] = {"scheduling.k8s.io/group-name", "scheduling.x-k8s.io/pod-group",
                                   "pod-group-name", "kai.scheduler/subgroup-name"};
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
    reserved_marks_check_metadata(tree_of(arena, text), NULL, &report);
    count = report.count;
    if (count) {
        ck_assert_int_eq(report.items[0].code, GANG_CODE_RESERVED_MARK);
        ck_assert_ptr_nonnull(strstr(report.items[0].message, key));
        ck_assert_ptr_nonnull(report.items[0].hint);
    }
    arena_free(arena);
    return count;
}

/* KAI's podgrouper passes over pods only with the exact value. */
static const char *const no_skips[] = {"'false'", "'True'", "''", "'1'"};

START_TEST(only_true_tells_the_podgrouper_to_skip)
{
    ck_assert_uint_eq(
        count_metadata_findings("annotations", "kai.scheduler/skip-podgrouper", no_skips[_i]), 0);
}
END_TEST

START_TEST(marks_are_reserved_as_label_and_annotation)
{
    for (int map = 0; map < ITEMS_OF(maps); map++) {
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "'true'"), 1);
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "''"), 1);
        ck_assert_uint_eq(count_metadata_findings(maps[map], keys[_i], "null"), 0);
    }
    ck_assert_uint_eq(count_metadata_findings("finalizers", keys[_i], "'true'"), 0);
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
    for (int map = 0; map < ITEMS_OF(maps); map++)
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

/* Every place of a mark. */
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
    reserved_marks_check_metadata(NULL, NULL, &report);
    reserved_marks_check_pod_spec(NULL, NULL, &report);
    ck_assert_uint_eq(report.count, 0);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, describes_each_scheduler, schedulers, name, type);
    add_items(cases, finds_no_other_schedulers, strangers);
    tcase_add_loop_test(cases, every_descriptor_is_complete, 0, CATALOG_COUNT);
    tcase_add_test(cases, lists_schedulers_with_a_feature);
    add_items(cases, only_true_tells_the_podgrouper_to_skip, no_skips);
    add_items(cases, marks_are_reserved_as_label_and_annotation, keys);
    add_items(cases, other_keys_are_free, free_keys);
    add_rows(cases, marks_are_found_in_every_place, placed, runtime, trainjob);
    tcase_add_test(cases, absent_metadata_has_no_marks);
}
