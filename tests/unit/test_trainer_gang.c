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

/* ---- exclusive topology ---- */

#define KEY "'alpha.jobset.sigs.k8s.io/exclusive-topology':"
#define EXCLUSIVE "'annotations':{" KEY "'rack'}"
#define SELECTED "'annotations':{" KEY "'rack','alpha.jobset.sigs.k8s.io/node-selector':''}"
#define WITH_METADATA(metadata, jobs)                                                              \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',"               \
    "'metadata':{'name':'tune'},'spec':{'mlPolicy':{'numNodes':1,'torch':{}},"                     \
    "'podGroupPolicy':{'volcano':{}},'template':{'metadata':{" metadata                            \
    "},'spec':{'replicatedJobs':[" jobs "]}}}}"
#define ANNOTATED(name, ahead, spec)                                                               \
    ROLE(name, ahead, "'metadata':{" EXCLUSIVE "},", spec, POD(CONTAINER("node", "")))
#define UNLABELLED(name, ahead, spec) ROLE(name, ahead, PLAIN, spec, POD(CONTAINER("node", "")))

/* The numbers of the first wave of each role, in order; `-`: all pods are created at once. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *first;
} waves[] = {
    {WITH_METADATA("", NODE_ROLE), NODES("4"), "-"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE), NODES("4"), "1"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE), NODES("1"), "-"},
    {WITH_METADATA(SELECTED, NODE_ROLE), NODES("4"), "-"},
    /* every Job of the JobSet, one pod each */
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "'replicas':3,", "'parallelism':4,") "," NODE_ROLE),
     NODES("2"), "3 1"},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "'replicas':3,", "") "," NODE_ROLE), NODES("2"),
     "- 1"},
    /* one role of the JobSet */
    {WITH_METADATA("", ANNOTATED("a", "'replicas':3,", "'parallelism':4,") "," NODE_ROLE),
     NODES("2"), "3 -"},
    /* a patch of the trainjob sets it, or takes it away by the selector */
    {WITH_METADATA("", NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(PATCH_METADATA("p", EXCLUSIVE))), "1"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(PATCH_METADATA("p", SELECTED))), "-"},
    {WITH_METADATA("", NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(
         PATCH_JOBS("p", "{'name':'node','template':{'metadata':{" EXCLUSIVE "}}}"))),
     "1"},
};

static const char *
first_waves(const struct front *front)
{
    const char *text = "";

    for (size_t i = 0; i < front->wishes.num_roles; i++) {
        long long first = (long long)front->wishes.roles[i].first_count;

        text = arena_format(front->arena, "%s%s%s", text, i ? " " : "",
                            first ? arena_format(front->arena, "%lld", first) : "-");
    }
    return text;
}

START_TEST(a_job_creates_one_pod_first)
{
    struct front front;

    front_open(&front, waves[_i].runtime, waves[_i].trainjob, COMPATIBILITY_NONE);
    ck_assert_str_eq(first_waves(&front), waves[_i].first);
    front_close(&front);
}
END_TEST

#define AT_TEMPLATE "'annotations':{" KEY "@'rack'}"

#define PATCHED(one, between, other)                                                               \
    TRAINJOB(TRAINER("'numNodes':4")                                                               \
                 PATCHES(PATCH_METADATA("p", one) "," between PATCH_METADATA("q", other)))
#define AT_PATCH(index)                                                                            \
    "spec.runtimePatches[" index "].trainingRuntimeSpec.template.metadata.annotations["            \
    "alpha.jobset.sigs.k8s.io/exclusive-topology]"

static const struct remark told[] = {
    {WITH_METADATA(AT_TEMPLATE, NODE_ROLE), NODES("4"), GANG_CODE_EXCLUSIVE_TOPOLOGY,
     "spec.template.metadata.annotations[alpha.jobset.sigs.k8s.io/exclusive-topology]"},
    /* the last patch sets it, wherever it is in the text */
    {WITH_METADATA("", NODE_ROLE), PATCHED(EXCLUSIVE, " ", AT_TEMPLATE),
     GANG_CODE_EXCLUSIVE_TOPOLOGY, AT_PATCH("1")},
    {WITH_METADATA("", NODE_ROLE), PATCHED(EXCLUSIVE, "\n", AT_TEMPLATE),
     GANG_CODE_EXCLUSIVE_TOPOLOGY, AT_PATCH("1")},
    /* that of the role has precedence over those of the JobSet */
    {WITH_METADATA("", ROLE("a", "'replicas':3,", "'metadata':{" AT_TEMPLATE "},",
                            "'parallelism':4,", POD(CONTAINER("node", "")))),
     PATCHED(EXCLUSIVE, " ", EXCLUSIVE), GANG_CODE_EXCLUSIVE_TOPOLOGY,
     "spec.template.spec.replicatedJobs[0].template.metadata.annotations[alpha.jobset.sigs.k8s.io/"
     "exclusive-topology]"},
};

START_TEST(is_told_and_warned_of_in_compatibility)
{
    check_remark(&told[_i], COMPATIBILITY_NONE, GANG_SEVERITY_INFO);
    check_remark(&told[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark refused[] = {
    {WITH_METADATA(EXCLUSIVE,
                   UNLABELLED("a", "", "'completionMode':@'NonIndexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED,
     "spec.template.spec.replicatedJobs[0].template.spec.completionMode"},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "", "'completionMode':@'NonIndexed',")), TRAINJOB(""),
     GANG_CODE_EXCLUSIVE_NOT_INDEXED,
     "spec.template.spec.replicatedJobs[0].template.spec.completionMode"},
};

START_TEST(pods_without_an_index_are_refused)
{
    check_remark(&refused[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark silent[] = {
    {WITH_METADATA("", UNLABELLED("a", "", "'completionMode':'NonIndexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED, NULL},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "", "'completionMode':'Indexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED, NULL},
};

START_TEST(other_jobs_need_no_index)
{
    check_no_remark(&silent[_i], COMPATIBILITY_NONE);
}
END_TEST

/* ---- roles of the JobSet ---- */

#define BARE(name) ROLE(name, "", PLAIN, "", NODE_POD)

#define JOBSET_ROLES_WAITS(name, edges) ROLE(name, "'dependsOn':[" edges "],", PLAIN, "", NODE_POD)
#define EDGE(name, status) "{'name':'" name "','status':'" status "'}"
#define CHAIN BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("a", "Complete"))

/* A cycle or an unknown name is not resolved in advance: each resolve must report it. */
static const struct {
    const char *runtime;
    bool is_ordered;
    bool waits;         /* some role for another */
    const char *stages; /* one digit for each role */
} runtimes[] = {
    {RUNTIME("", BARE("a")), true, false, "0"},
    {RUNTIME("", BARE("a") "," BARE("b")), true, false, "00"},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("a", "Ready"))), true, true, "00"},
    {RUNTIME("", CHAIN), true, true, "01"},
    {RUNTIME("", CHAIN "," JOBSET_ROLES_WAITS("c", EDGE("b", "Complete"))), true, true, "012"},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("ghost", "Ready"))), false, false, ""},
    {RUNTIME("", BARE("a") "," JOBSET_ROLES_WAITS("b", EDGE("b", "Ready"))), false, false, ""},
};

START_TEST(jobs_share_the_results_of_their_runtime)
{
    struct front front;

    front_open(&front, runtimes[_i].runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.runtime->roles.is_ordered, runtimes[_i].is_ordered);
    ck_assert_int_eq(front.runtime->roles.start_order != NULL, runtimes[_i].waits);
    ck_assert_int_eq(front.wishes.is_ordered, runtimes[_i].is_ordered);
    for (size_t i = 0; runtimes[_i].stages[i]; i++)
        ck_assert_uint_eq(front.wishes.roles[i].stage, (unsigned)(runtimes[_i].stages[i] - '0'));
    front_close(&front);
}
END_TEST

/* A runtime serves many jobs at once, so what a job fills in must be its own. */
START_TEST(job_with_changes_gets_its_own_roles)
{
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), NODE_ROLE "," BARE("b")), NODES("4"),
               COMPATIBILITY_NONE);
    ck_assert_ptr_ne(front.wishes.roles, front.runtime->roles.roles);
    ck_assert_int_eq(front.wishes.roles[0].count, 4);
    ck_assert_int_eq(front.runtime->roles.roles[0].count, 1);
    front_close(&front);
}
END_TEST

START_TEST(patch_rebuilds_roles)
{
    struct front front;

    front_open(&front, RUNTIME("", CHAIN),
               TRAINJOB(PATCHES(
                   PATCH_JOBS("a", "{'name':'c','template':{'metadata':{'labels':{'x':'y'}}}}"))),
               COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_uint_eq(front.runtime->jobset.count, 2);
    ck_assert_uint_eq(front.wishes.num_roles, 3);
    ck_assert(front.wishes.is_ordered);
    ck_assert_ptr_ne(front.wishes.start_order, front.runtime->roles.start_order);
    front_close(&front);
}
END_TEST

START_TEST(without_memory_there_are_none)
{
    struct arena *arena = arena_new(1);
    struct jobset jobset = {.count = 1};
    struct ml_policy policy = {.num_nodes = 1};

    ck_assert_ptr_null(jobset_roles_read(&jobset, &policy, arena).roles);
    ck_assert(!jobset_roles_read(&jobset, &policy, arena).is_ordered);
    arena_free(arena);
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
    add_rows(cases, a_job_creates_one_pod_first, waves, runtime, trainjob);
    add_rows(cases, is_told_and_warned_of_in_compatibility, told, runtime);
    add_rows(cases, pods_without_an_index_are_refused, refused, runtime);
    add_rows(cases, other_jobs_need_no_index, silent, runtime);
    add_rows(cases, jobs_share_the_results_of_their_runtime, runtimes, runtime);
    tcase_add_test(cases, job_with_changes_gets_its_own_roles);
    tcase_add_test(cases, patch_rebuilds_roles);
    tcase_add_test(cases, without_memory_there_are_none);
}
