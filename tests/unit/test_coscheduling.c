/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"
#include "unit/job.h"

#define HEAD                                                                                       \
    "{\"apiVersion\":\"scheduling.x-k8s.io/"                                                       \
    "v1alpha1\",\"kind\":\"PodGroup\",\"metadata\":{\"name\":\"llama\",\"namespace\":\"ml\"},"
#define POD_GROUP(spec) HEAD "\"spec\":{" spec "}}"
#define NO_TIMEOUT INT64_MAX

static void
set_timeout(struct job *job, int64_t seconds)
{
    job->gang.has_timeout = seconds != NO_TIMEOUT;
    job->gang.timeout_seconds = job->gang.has_timeout ? seconds : 0;
    job->gang.timeout_source = job->gang.has_timeout ? job->wishes->owner.name_source : NULL;
}

static const struct {
    const char *roles;
    int64_t timeout;
    const char *manifest;
} rendered[] = {
    /* one role of 8 */
    {"node*8@trainer+cpu=4+memory=32Gi+nvidia.com/gpu=8", 120,
     POD_GROUP("\"minMember\":8,\"minResources\":{\"cpu\":\"32\",\"memory\":\"256Gi\",\"nvidia.com/"
               "gpu\":\"64\"},"
               "\"scheduleTimeoutSeconds\":120")},
    /* a launcher that joins late: room for it is asked for, its pod is not counted */
    {"node*3+cpu=8+memory=64Gi+nvidia.com/gpu=8 "
     "launcher@trainer<node:R+cpu=8+memory=64Gi+nvidia.com/gpu=8",
     120,
     POD_GROUP("\"minMember\":3,\"minResources\":{\"cpu\":\"32\",\"memory\":\"256Gi\",\"nvidia.com/"
               "gpu\":\"32\"},"
               "\"scheduleTimeoutSeconds\":120")},
    /* initializers end before the gang starts: not counted, and what they need is not asked for */
    {"d@dataset-initializer+cpu=1 m@model-initializer+cpu=1 "
     "node*2@trainer<d:C<m:C+nvidia.com/gpu=2",
     60,
     POD_GROUP("\"minMember\":2,\"minResources\":{\"nvidia.com/"
               "gpu\":\"4\"},\"scheduleTimeoutSeconds\":60")},
    {"node@trainer", 30,
     POD_GROUP("\"minMember\":1,\"minResources\":{},\"scheduleTimeoutSeconds\":30")},
    {"node@trainer", NO_TIMEOUT, POD_GROUP("\"minMember\":1,\"minResources\":{}")},
    /* zero is the scheduler's own default, so it sets nothing */
    {"node@trainer", 0, POD_GROUP("\"minMember\":1,\"minResources\":{}")},
    {"node@trainer+cpu=0", 60,
     POD_GROUP("\"minMember\":1,\"minResources\":{\"cpu\":\"0\"},\"scheduleTimeoutSeconds\":60")},
};

START_TEST(renders_a_pod_group)
{
    struct job job = job_form(rendered[_i].roles);

    set_timeout(&job, rendered[_i].timeout);
    ck_assert_str_eq(job_manifest(&job, &coscheduling_backend), rendered[_i].manifest);
    job_free(&job);
}
END_TEST

/* Numbers of the upstream operator's own tests and samples. */
static const struct {
    const char *roles;
    int64_t timeout;
    const char *manifest;
} operator_rendered[] = {
    {"node", 30, POD_GROUP("\"minMember\":1,\"minResources\":{},\"scheduleTimeoutSeconds\":30")},
    {"node*2+cpu=500m+memory=1Gi dataset-initializer+cpu=250m+memory=512Mi", 30,
     POD_GROUP("\"minMember\":3,\"minResources\":{\"cpu\":\"1250m\",\"memory\":\"2560Mi\"},"
               "\"scheduleTimeoutSeconds\":30")},
    {"node*2+cpu=500m+memory=1Gi", 30,
     POD_GROUP("\"minMember\":2,\"minResources\":{\"cpu\":\"1\",\"memory\":\"2Gi\"},"
               "\"scheduleTimeoutSeconds\":30")},
    {"d@dataset-initializer+cpu=1 m@model-initializer+cpu=1 node*30@trainer+cpu=1", 120,
     POD_GROUP(
         "\"minMember\":32,\"minResources\":{\"cpu\":\"32\"},\"scheduleTimeoutSeconds\":120")},
    {"d@dataset-initializer+cpu=1 m@model-initializer+cpu=1 node*100@trainer<d:C<m:C+cpu=1", 120,
     POD_GROUP(
         "\"minMember\":102,\"minResources\":{\"cpu\":\"102\"},\"scheduleTimeoutSeconds\":120")},
    {"d+cpu=1+memory=4Gi m+cpu=1+memory=4Gi node*100+cpu=2+memory=8Gi", 300,
     POD_GROUP("\"minMember\":102,\"minResources\":{\"cpu\":\"202\",\"memory\":\"808Gi\"},"
               "\"scheduleTimeoutSeconds\":300")},
    {"d+cpu=1+memory=4Gi m+cpu=1+memory=4Gi node*100+cpu=1+memory=4Gi", 100,
     POD_GROUP("\"minMember\":102,\"minResources\":{\"cpu\":\"102\",\"memory\":\"408Gi\"},"
               "\"scheduleTimeoutSeconds\":100")},
    /* copied unchanged */
    {"node", 0, POD_GROUP("\"minMember\":1,\"minResources\":{},\"scheduleTimeoutSeconds\":0")},
    {"node", -5, POD_GROUP("\"minMember\":1,\"minResources\":{},\"scheduleTimeoutSeconds\":-5")},
    {"node*0+cpu=1", 60,
     POD_GROUP("\"minMember\":0,\"minResources\":{\"cpu\":\"0\"},\"scheduleTimeoutSeconds\":60")},
};

START_TEST(renders_as_the_operator_in_compatibility)
{
    struct job job = job_form_for(operator_rendered[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);

    set_timeout(&job, operator_rendered[_i].timeout);
    ck_assert_str_eq(job_manifest(&job, &coscheduling_backend), operator_rendered[_i].manifest);
    job_free(&job);
}
END_TEST

START_TEST(names_its_owner)
{
    struct job job = job_form("node*8+cpu=4");

    job.gang.name = job.wishes->owner.name = SLICE("bert");
    job.wishes->owner.namespace_ = SLICE("team-a");
    job.wishes->owner.uid = SLICE("UID");
    ck_assert_str_eq(job_manifest(&job, &coscheduling_backend),
                     "{\"apiVersion\":\"scheduling.x-k8s.io/"
                     "v1alpha1\",\"kind\":\"PodGroup\",\"metadata\":{\"name\":\"bert\","
                     "\"namespace\":\"team-a\",\"ownerReferences\":[{\"apiVersion\":\"trainer."
                     "kubeflow.org/v1alpha1\","
                     "\"kind\":\"TrainJob\",\"name\":\"bert\",\"uid\":\"UID\",\"controller\":true,"
                     "\"blockOwnerDeletion\":"
                     "true}]},"
                     "\"spec\":{\"minMember\":8,\"minResources\":{\"cpu\":\"32\"}}}");
    job_free(&job);
}
END_TEST

#define MARK "label scheduling.x-k8s.io/pod-group=llama;"
#define NAMED "scheduler scheduler-plugins-scheduler;"

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *patches;
} patched[] = {
    {"node@trainer", COMPATIBILITY_NONE, "node{" MARK NAMED "}"},
    {"node@trainer!scheduler-plugins-scheduler^high", COMPATIBILITY_NONE, "node{" MARK "}"},
    {"node launcher@trainer<node:R", COMPATIBILITY_NONE,
     "node{" MARK NAMED "} launcher{" MARK NAMED "}"},
    {"d@dataset-initializer node@trainer<d:C", COMPATIBILITY_NONE,
     "d{" NAMED "} node{" MARK NAMED "}"},
    {"d@dataset-initializer!scheduler-plugins-scheduler node@trainer<d:C", COMPATIBILITY_NONE,
     "node{" MARK NAMED "}"},
    {"d@dataset-initializer node@trainer<d:C", COMPATIBILITY_KUBEFLOW_TRAINER,
     "d{" MARK "} node{" MARK "}"},
};

START_TEST(marks_members)
{
    struct job job = job_form_for(patched[_i].roles, patched[_i].mode);

    ck_assert_str_eq(job_patches(&job, &coscheduling_backend), patched[_i].patches);
    job_free(&job);
}
END_TEST

/* Every role has the right scheduler, so that only what the backend finds itself is left. */
static const struct {
    const char *roles;
    enum gang_compatibility mode;
    int64_t timeout;
    const char *findings;
    bool refused;
} validated[] = {
    {"node", COMPATIBILITY_NONE, 60, "", false},
    {"node", COMPATIBILITY_NONE, NO_TIMEOUT, "", false},
    {"node", COMPATIBILITY_NONE, 1, "", false},
    {"node", COMPATIBILITY_NONE, 0, "TimeoutIsDefault", false},
    {"node", COMPATIBILITY_NONE, -1, "NegativeTimeout", true},
    {"node", COMPATIBILITY_KUBEFLOW_TRAINER, 0, "TimeoutIsDefault", false},
    {"node", COMPATIBILITY_KUBEFLOW_TRAINER, -1, "NegativeTimeout", false},
    {"node~", COMPATIBILITY_NONE, 60, "RetriedPodWaits", false},
    {"a~ b~", COMPATIBILITY_NONE, 60, "RetriedPodWaits", false},
    {"a b<a:R~", COMPATIBILITY_NONE, 60, "RetriedPodWaits", false},
    {"d@dataset-initializer~ node@trainer<d:C", COMPATIBILITY_NONE, 60, "", false},
    {"node~", COMPATIBILITY_KUBEFLOW_TRAINER, 60, "RetriedPodWaits", false},
    {"a^high b^low", COMPATIBILITY_KUBEFLOW_TRAINER, 60, "PrioritiesDisagree", false},
};

START_TEST(reports_scheduler_defects)
{
    struct job job = job_form_for(validated[_i].roles, validated[_i].mode);

    for (size_t i = 0; i < job.gang.num_roles; i++)
        job.wishes->roles[i].scheduler_name = SLICE("scheduler-plugins-scheduler");
    job.report.count = job.report.errors = 0;
    set_timeout(&job, validated[_i].timeout);
    job_validate(&job, &coscheduling_backend);
    ck_assert_str_eq(job_findings(&job), validated[_i].findings);
    ck_assert_int_eq(report_has_errors(&job.report), validated[_i].refused);
    job_free(&job);
}
END_TEST

/* The group's name is the value of a label: 63 characters of letters, digits, '-', '_' and '.'. */
static const struct {
    size_t length;
    const char *name; /* instead of that many letters */
    bool accepted;
} named[] = {
    {63, NULL, true}, {64, NULL, false}, {0, "a.b_c-D", true},
    {0, "-a", false}, {0, "a.", false},  {0, "a b", false},
};

START_TEST(its_name_fits_a_label)
{
    static const char letters[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    struct job job = job_form("node!scheduler-plugins-scheduler");

    job.gang.name = named[_i].name ? slice_from_text(named[_i].name)
                                   : (struct slice){letters, named[_i].length};
    job_validate(&job, &coscheduling_backend);
    ck_assert_str_eq(job_findings(&job), named[_i].accepted ? "" : "InvalidLabelValue");
    job_free(&job);
}
END_TEST

START_TEST(loses_queues_and_topology)
{
    struct job job = job_form("node!scheduler-plugins-scheduler^high");
    struct plan_content content;

    job.gang.queue = SLICE("research");
    job.gang.queue_source = job.gang.topology.source = job.wishes->owner.name_source;
    job.gang.topology.is_set = true;
    job.gang.topology.mode = SLICE("soft");
    job_take_priority(&job);
    job_validate(&job, &coscheduling_backend);
    ck_assert_str_eq(job_findings(&job), "FieldLost FieldLost");
    content = job_render(&job, &coscheduling_backend);
    ck_assert_uint_eq(content.num_losses, 2);
    ck_slice_eq(content.losses[0].field, "queue");
    ck_slice_eq(content.losses[1].field, "topology");
    job_free(&job);
}
END_TEST

/* GANG014 tells what a PodGroup would have; what is not known it would not have. */
START_TEST(unknown_resources_are_not_left_out)
{
    struct job job = job_make("node*4@trainer!scheduler-plugins-scheduler");

    job.wishes->minimum = 2;
    job.wishes->roles[0].lacks_requests = _i;
    job_form_again(&job);
    job_validate(&job, &coscheduling_backend);
    ck_assert_str_eq(job_findings(&job), _i ? "" : "MinResourcesLeftOut");
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, renders_a_pod_group, rendered, roles);
    add_rows(cases, renders_as_the_operator_in_compatibility, operator_rendered, roles);
    tcase_add_test(cases, names_its_owner);
    add_rows(cases, marks_members, patched, roles, mode, patches);
    add_rows(cases, reports_scheduler_defects, validated, roles, mode);
    add_rows(cases, its_name_fits_a_label, named, length, name);
    tcase_add_test(cases, loses_queues_and_topology);
    tcase_add_loop_test(cases, unknown_resources_are_not_left_out, 0, 2);
}
