/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/front.h"
#include "unit/typed.h"

/* ---- trainer gang ---- */

#define JOB(index) "spec.template.spec.replicatedJobs[" index "]"
#define QUEUE "'scheduling.volcano.sh/queue-name':"
#define RUNTIME_QUEUE(value)                                                                       \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{'podGroupPolicy':{'volcano':{}},'template':{'metadata':{'annotations':{" QUEUE value  \
    "}},'spec':{"                                                                                  \
    "'replicatedJobs':[" NODE_ROLE "]}}}}"
#define JOB_META(metadata, members)                                                                \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'TrainJob','metadata':{'name':'llama'" metadata                              \
    "},'spec':{'runtimeRef':{'name':'tune'}" members "}}"

static const struct {
    const char *trainjob;
    const char *namespace_; /* NULL: unset */
    const char *uid;
    bool suspended;
} owners[] = {
    {JOB_META("", ""), NULL, NULL, false},
    {JOB_META(",'namespace':'ml'", ""), "ml", NULL, false},
    {JOB_META(",'namespace':'ml','uid':'u-1'", ""), "ml", "u-1", false},
    {JOB_META("", ",'suspend':true"), NULL, NULL, true},
    {JOB_META("", ",'suspend':false"), NULL, NULL, false},
    {JOB_META("", ",'suspend':null"), NULL, NULL, false},
};

START_TEST(the_trainjob_owns_the_gang)
{
    struct front front;

    front_open(&front, RUNTIME("", NODE_ROLE), owners[_i].trainjob, COMPATIBILITY_NONE);
    ck_slice_eq(front.wishes.name, "llama");
    ck_slice_eq(front.wishes.owner.name, "llama");
    ck_slice_eq(front.wishes.owner.kind, "TrainJob");
    ck_slice_eq(front.wishes.owner.api_version, "trainer.kubeflow.org/v1alpha1");
    ck_assert_int_eq(slice_is_set(front.wishes.owner.namespace_), owners[_i].namespace_ != NULL);
    if (owners[_i].namespace_)
        ck_slice_eq(front.wishes.owner.namespace_, owners[_i].namespace_);
    ck_assert_int_eq(slice_is_set(front.wishes.owner.uid), owners[_i].uid != NULL);
    if (owners[_i].uid)
        ck_slice_eq(front.wishes.owner.uid, owners[_i].uid);
    ck_assert_int_eq(front.wishes.suspended, owners[_i].suspended);
    ck_slice_eq(node_string(front.wishes.owner.name_source), "llama");
    ck_assert_uint_eq(front.wishes.num_roles, 1);
    front_close(&front);
}
END_TEST

#define CLASS(name, class_)                                                                        \
    ROLE(name, "", PLAIN, "", "'priorityClassName':" class_ ",'schedulerName':'volcano'," NODE_POD)

/* The same in both modes. */
static const struct remark warned[] = {
    {RUNTIME("", NODE_ROLE), JOB_META(",'annotations':{@" QUEUE "'q'}", ""), GANG_CODE_FIELD_LOST,
     "metadata.annotations[scheduling.volcano.sh/queue-name]"},
};

START_TEST(warns_in_both_modes)
{
    check_remark(&warned[_i], COMPATIBILITY_NONE, GANG_SEVERITY_WARNING);
    check_remark(&warned[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

/* What only the operator does. */
static const struct remark of_operator[] = {
    {RUNTIME("", "@" NODE_ROLE), TRAINJOB(""), GANG_CODE_SCHEDULER_NAME_MISSING, JOB("0")},
    {RUNTIME("", CLASS("a", "@'low'") "," CLASS("b", "'high'")), TRAINJOB(""),
     GANG_CODE_PRIORITY_LAST_WINS, JOB("0") ".template.spec.template.spec.priorityClassName"},
};

START_TEST(warns_about_operator_behaviour)
{
    check_remark(&of_operator[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

/* A context's limits hold for whole documents too. */
static const struct {
    enum gang_limit limit;
    enum gang_code code;
    const char *runtime;
} limits[] = {
    {GANG_LIMIT_ROLES, GANG_CODE_LIMIT_ROLES,
     RUNTIME("", NODE_ROLE "," ROLE("b", "", PLAIN, "", NODE_POD))},
    {GANG_LIMIT_CONTAINERS, GANG_CODE_LIMIT_CONTAINERS,
     RUNTIME("", ROLE("a", "", PLAIN, "", POD(CONTAINER("a", "") "," CONTAINER("b", ""))))},
};

static int
parse_with_limit(enum gang_limit limit, uint64_t value, const char *runtime,
                 struct gang_error **error)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_runtime *parsed = NULL;
    struct front_place unused;
    char text[DOCUMENT_SIZE];
    int result;

    ck_assert_int_eq(gang_config_set_limit(config, (int)limit, value), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    front_text(text, runtime, &unused);
    result = parse_runtime(context, text, strlen(text), 0, &parsed, error);
    unref_runtime(parsed);
    gang_context_unref(context);
    return result;
}

START_TEST(limits_are_those_of_the_context)
{
    struct gang_error *error = NULL;
    bool found = false;

    ck_assert_int_eq(parse_with_limit(limits[_i].limit, 3, limits[_i].runtime, NULL), GANG_OK);
    ck_assert_int_eq(parse_with_limit(limits[_i].limit, 2, limits[_i].runtime, NULL), GANG_OK);
    ck_assert_int_lt(parse_with_limit(limits[_i].limit, 1, limits[_i].runtime, &error), 0);
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        found |=
            gang_diagnostic_get_code(gang_error_get_diagnostic(error, i)) == (int)limits[_i].code;
    ck_assert(found);
    gang_error_free(error);
}
END_TEST

/* ---- trainer job ---- */

#define TRAINER_JOB_QUEUE(value) "'annotations':{'scheduling.volcano.sh/queue-name':'" value "'}"
#define RUNTIME_OF(metadata)                                                                       \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'," TRAINER_JOB_QUEUE(      \
        "never") "},'spec':{'template':{" metadata "'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}"

START_TEST(without_a_patch_of_the_spec_nothing_is_read_again)
{
    struct front front;

    front_open(&front, RUNTIME_OF(""),
               TRAINJOB(PATCHES(PATCH_METADATA("x", TRAINER_JOB_QUEUE("1")))), COMPATIBILITY_NONE);
    ck_assert_ptr_eq(front.job.jobset.jobs, front.runtime->jobset.jobs);
    front_close(&front);
}
END_TEST

/* Labels of a patch decide which role trains: numNodes applies to it. */
START_TEST(a_patch_may_label_a_role)
{
    struct front front;

    front_open(&front, RUNTIME("", ROLE("a", "", PLAIN, "", NODE_POD)),
               TRAINJOB(TRAINER("'numNodes':5") PATCHES(
                   PATCH_JOBS("x", "{'name':'a','template':{'metadata':{'labels':{"
                                   "'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}}}}"))),
               COMPATIBILITY_NONE);
    ck_assert_int_eq(front.wishes.roles[0].count, 5);
    ck_assert_int_eq(front.wishes.roles[0].ancestor, ANCESTOR_TRAINER);
    ck_assert_uint_eq(front.runtime->jobset.count, 1);
    front_close(&front);
}
END_TEST

/* A role that the runtime does not have is added in front, with one pod. */
START_TEST(a_patch_may_add_a_role)
{
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), NODE_ROLE),
               TRAINJOB(TRAINER("'numNodes':5") PATCHES(PATCH_JOBS("x", "{'name':'extra'}"))),
               COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_uint_eq(front.wishes.num_roles, 2);
    ck_slice_eq(front.wishes.roles[0].name, "extra");
    ck_assert_int_eq(front.wishes.roles[0].operator_count, 1);
    ck_slice_eq(front.wishes.roles[1].name, "node");
    ck_assert_int_eq(front.wishes.roles[1].operator_count, 5);
    ck_assert_uint_eq(front.runtime->jobset.count, 1);
    front_close(&front);
}
END_TEST

/* ---- vocabulary ---- */

/* pkg/webhooks/trainingruntime_webhook.go@v2.3.0 expectedContainerNames;
 * pkg/constants/constants.go. */
static const struct {
    const char *value;
    enum ancestor ancestor;
    const char *container; /* NULL: no ancestor */
} values[] = {
    {"trainer", ANCESTOR_TRAINER, "node"},
    {"dataset-initializer", ANCESTOR_DATASET_INITIALIZER, "dataset-initializer"},
    {"model-initializer", ANCESTOR_MODEL_INITIALIZER, "model-initializer"},
    {"Trainer", ANCESTOR_NONE, NULL},
    {"trainers", ANCESTOR_NONE, NULL},
    {"train", ANCESTOR_NONE, NULL},
    {"node", ANCESTOR_NONE, NULL},
    {"launcher", ANCESTOR_NONE, NULL},
    {"", ANCESTOR_NONE, NULL},
};

START_TEST(finds_ancestors)
{
    const struct ancestor_entry *entry = ancestor_entry_of(slice_from_text(values[_i].value));

    ck_assert_int_eq(entry != NULL, values[_i].container != NULL);
    if (entry) {
        ck_assert_int_eq(entry->ancestor, values[_i].ancestor);
        ck_slice_eq(entry->container, values[_i].container);
    }
}
END_TEST

START_TEST(an_unset_label_is_no_ancestor)
{
    ck_assert_ptr_null(ancestor_entry_of(NO_SLICE));
}
END_TEST

START_TEST(messages_are_those_of_the_operator)
{
    ck_slice_eq(TRAINER_ANCESTOR_LABEL, "trainer.kubeflow.org/trainjob-ancestor-step");
    ck_slice_eq(TRAINER_SUPPORT_LABEL, "trainer.kubeflow.org/support");
    ck_slice_eq(TRAINER_WEBHOOK_LABEL, "trainer.kubeflow.org/webhook-validation");
    ck_slice_eq(TRAINER_NODE, "node");
    ck_slice_eq(TRAINER_LAUNCHER, "launcher");
    ck_assert_uint_eq(ancestor_table_size, 3);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_trainjob_owns_the_gang, owners, trainjob, namespace_, uid);
    add_rows(cases, warns_in_both_modes, warned, runtime, trainjob);
    add_rows(cases, warns_about_operator_behaviour, of_operator, runtime, trainjob);
    add_rows(cases, limits_are_those_of_the_context, limits, limit, runtime);
    tcase_add_test(cases, without_a_patch_of_the_spec_nothing_is_read_again);
    tcase_add_test(cases, a_patch_may_label_a_role);
    tcase_add_test(cases, a_patch_may_add_a_role);
    add_rows(cases, finds_ancestors, values, value, ancestor, container);
    tcase_add_test(cases, an_unset_label_is_no_ancestor);
    tcase_add_test(cases, messages_are_those_of_the_operator);
}
