/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainjob.h"

#include "unit/front.h"

/* Source: pkg/runtime/framework/plugins/jobset/jobset.go Validate@v2.3.0. */
#define MOUNT(name) ",'volumeMounts':[{'name':'" name "','mountPath':'/x'}]"
#define INITIALIZER(role, container, rest)                                                         \
    ROLE(role, "", PLAIN, "", POD(CONTAINER(container, rest)))
#define DATASET(value) TRAINJOB(",'initializer':{'dataset':" value "}")
#define MODEL(value) TRAINJOB(",'initializer':{'model':" value "}")
#define GOOD_DATASET INITIALIZER("dataset-initializer", "dataset-initializer", MOUNT("initializer"))
#define GOOD_MODEL INITIALIZER("model-initializer", "model-initializer", MOUNT("initializer"))

static const struct {
    struct remark remark;
    const char *message;
} refused[] = {
    {{RUNTIME("", NODE_ROLE), DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.dataset"},
     "must have dataset-initializer job when trainJob is configured with input datasetConfig"},
    {{RUNTIME("", NODE_ROLE), MODEL("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.model"},
     "must have model-initializer job when trainJob is configured with input modelConfig"},
    {{RUNTIME("", NODE_ROLE "," GOOD_MODEL), DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
      "spec.initializer.dataset"},
     "must have dataset-initializer job when trainJob is configured with input datasetConfig"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "other", MOUNT("initializer"))),
      DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have container with name - dataset-initializer in the dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("model-initializer", "other", MOUNT("initializer"))), MODEL("@{}"),
      GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.model"},
     "must have container with name - model-initializer in the model-initializer job"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "dataset-initializer", "")), DATASET("@{}"),
      GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have volumeMount with name - initializer in container dataset-initializer of the "
     "dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("dataset-initializer", "dataset-initializer", MOUNT("data"))),
      DATASET("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.dataset"},
     "must have volumeMount with name - initializer in container dataset-initializer of the "
     "dataset-initializer job"},
    {{RUNTIME("", INITIALIZER("model-initializer", "model-initializer", MOUNT("initializers"))),
      MODEL("@{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, "spec.initializer.model"},
     "must have volumeMount with name - initializer in container model-initializer of the "
     "model-initializer "
     "job"},
};

START_TEST(initializers_need_their_roles)
{
    const struct remark *remark = &refused[_i].remark;
    struct front front;

    check_remark(remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    front_open(&front, remark->runtime, remark->trainjob, COMPATIBILITY_NONE);
    front.report.count = 0;
    trainjob_rules_check(&front.job, &front.gang, &front.report);
    ck_assert_uint_eq(front.report.count, 1);
    ck_assert_ptr_nonnull(strstr(front.report.items[0].message, refused[_i].message));
    front_close(&front);
}
END_TEST

/* The operator's webhook looks at every trainjob, also at one that another controller manages. */
#define ELSEWHERE ",'managedBy':'kueue.x-k8s.io/multikueue'"
#define QUEUE_PATCH(path, queue)                                                                   \
    PATCH_METADATA(path, "'annotations':{'scheduling.volcano.sh/queue-name':" queue "}")

static const struct remark queues[] = {
    {RUNTIME("", NODE_ROLE), TRAINJOB(PATCHES(QUEUE_PATCH("a", "@''"))), GANG_CODE_EMPTY_QUEUE,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[scheduling.volcano."
     "sh/queue-"
     "name]"},
    {RUNTIME("", NODE_ROLE), TRAINJOB(ELSEWHERE PATCHES(QUEUE_PATCH("a", "@''"))),
     GANG_CODE_EMPTY_QUEUE,
     "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[scheduling.volcano."
     "sh/queue-"
     "name]"},
    {RUNTIME("", NODE_ROLE),
     TRAINJOB(ELSEWHERE PATCHES(QUEUE_PATCH("a", "''") "," QUEUE_PATCH("b", "'q'"))),
     GANG_CODE_EMPTY_QUEUE, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(ELSEWHERE), GANG_CODE_EMPTY_QUEUE, NULL},
};

START_TEST(an_empty_queue_of_volcano_is_refused)
{
    const enum gang_compatibility modes[] = {COMPATIBILITY_NONE, COMPATIBILITY_KUBEFLOW_TRAINER};

    for (int i = 0; i < COUNT_OF(modes); i++)
        if (queues[_i].path)
            check_remark(&queues[_i], modes[i], GANG_SEVERITY_ERROR);
        else
            check_no_remark(&queues[_i], modes[i]);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME("", GOOD_DATASET), DATASET("{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", GOOD_MODEL), MODEL("{}"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", GOOD_MODEL "," GOOD_DATASET), TRAINJOB(",'initializer':{'model':{},'dataset':{}}"),
     GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(",'initializer':{}"), GANG_CODE_INITIALIZER_ROLE_MISSING,
     NULL},
    {RUNTIME("", NODE_ROLE), DATASET("null"), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
    {RUNTIME("", NODE_ROLE), TRAINJOB(""), GANG_CODE_INITIALIZER_ROLE_MISSING, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

/* A patch may bring the volume mount. */
START_TEST(a_patch_may_mount_the_volume)
{
    static const struct remark patched = {
        RUNTIME("", INITIALIZER("model-initializer", "model-initializer", "")),
        TRAINJOB(",'initializer':{'model':{}}" PATCHES(
            PATCH_JOBS("x", "{'name':'model-initializer','template':{'spec':{'template':{'spec':{'"
                            "containers':[{'name':"
                            "'model-initializer','volumeMounts':[{'name':'initializer','mountPath':"
                            "'/w'}]}]}}}}}"))),
        GANG_CODE_INITIALIZER_ROLE_MISSING, NULL};

    check_no_remark(&patched, COMPATIBILITY_NONE);
}
END_TEST

/* One call reports the findings of every rule. */
START_TEST(all_rules_are_applied)
{
    static const enum gang_code wanted[] = {GANG_CODE_INITIALIZER_ROLE_MISSING,
                                            GANG_CODE_PATCH_MANAGER, GANG_CODE_RESERVED_ENV,
                                            GANG_CODE_INVALID_ROLE_NAME};
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), ROLE("Node", "", LABEL("trainer"), "", NODE_POD)),
               TRAINJOB(",'initializer':{'model':{}},'runtimePatches':[{'manager':'x'}]" TRAINER(
                   "'env':[{'name':'PET_NNODES'}]")),
               COMPATIBILITY_NONE);
    front.report.count = 0;
    trainjob_rules_check(&front.job, &front.gang, &front.report);
    ck_assert_uint_eq(front.report.count, COUNT_OF(wanted));
    for (int i = 0; i < COUNT_OF(wanted); i++)
        ck_assert_int_eq(front.report.items[i].code, wanted[i]);
    front_close(&front);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, initializers_need_their_roles, refused, remark.runtime, remark.trainjob);
    add_rows(cases, an_empty_queue_of_volcano_is_refused, queues, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
    tcase_add_test(cases, a_patch_may_mount_the_volume);
    tcase_add_test(cases, all_rules_are_applied);
}
