/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/plans.h"
#include "unit/suite.h"

static struct gang_document *
read_spelled(const char *text)
{
    struct gang_document *document = NULL;
    char spelled[DOCUMENT_SIZE];

    spell(spelled, text);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, NULL),
                     GANG_OK);
    return document;
}

/* Ends with NULL. */
static struct gang_inputs *
inputs_of(const char *const *texts)
{
    struct gang_inputs *inputs = gang_inputs_new();

    for (; *texts; texts++) {
        struct gang_document *document = read_spelled(*texts);

        ck_assert_int_eq(gang_inputs_add(inputs, document), GANG_OK);
        gang_document_unref(document);
    }
    return inputs;
}

#define TRAINER_JOB(metadata, runtime_ref)                                                         \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{" metadata        \
    "},'spec':{'runtimeRef':{" runtime_ref "}}}"

/* A device of another vendor, and more pods than a sum of 64 bits can multiply. */
static const char big_runtime[] =
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',"
    "'metadata':{'name':'big'},'spec':{'mlPolicy':{'numNodes':3},'template':{'spec':{"
    "'replicatedJobs':[{'name':'node','template':{'metadata':{'labels':{"
    "'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},'spec':{'template':{'spec':{"
    "'containers':[{'name':'node','resources':{'requests':{'gpu.intel.com/i915':'2',"
    "'amd.com/gpu':'9223372036854775807','x.org/gp':'1','x.org/gpux':'5'}}}]}}}}}]}}}}";

static const char denying_policy[] =
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangPolicy','metadata':{'name':'lab'},"
    "'spec':{'backends':[{'name':'own','type':'Volcano'},{'name':'cs','type':'Coscheduling'}],"
    "'constraints':[{'name':'small','match':{},'maxMembers':1}]}}";

static const char *const all_inputs[] = {tune_runtime, plain_runtime, big_runtime, NULL};
static const char *const denying_inputs[] = {denying_policy, tune_runtime, plain_runtime, NULL};

#define COUNT_1_2 "'minimum':1,'members':1,'pods':3,'gpus':2,"

#define ROW "{'apiVersion':'policy.libgang.dev/v1alpha1',"

static const struct {
    const char *const *inputs;
    const char *job;
    const char *row; /* what follows ROW */
} rows[] = {
    {all_inputs, tune_trainjob,
     "'namespace':'ml','name':'llama','kind':'TrainJob','outcome':'Gang','backend':'volcano'"
     "," COUNT_1_2 "'schedulerName':'volcano','reason':'set in the runtime\\'s podGroupPolicy',"},
    {all_inputs, plain_trainjob,
     "'namespace':'ml','name':'llama','kind':'TrainJob','outcome':'Gang',"
     "'backend':'coscheduling','queue':'research','minimum':2,'members':2,'pods':2,'gpus':0,"
     "'schedulerName':'scheduler-plugins-scheduler',"},
    /* without a gang the pods count, too */
    {all_inputs, TRAINER_JOB("'name':'j'", "'name':'big'"),
     "'name':'j','kind':'TrainJob','outcome':'NoGang','pods':3,'gpus':9223372036854775807,"},
    {denying_inputs, plain_trainjob,
     "'namespace':'ml','name':'llama','kind':'TrainJob','outcome':'Denied','pods':2,'gpus':0,"},
    {denying_inputs, tune_trainjob,
     "'namespace':'ml','name':'llama','kind':'TrainJob','outcome':'Gang','backend':'own',"},
    {all_inputs, TRAINER_JOB("'name':'j','namespace':'ml'", "'name':'gone'"),
     "'namespace':'ml','name':'j','kind':'TrainJob','outcome':'Invalid','reason':'spec.runtimeRef: "
     "TrainJob ml/j needs ClusterTrainingRuntime gone, which is not among "
     "the inputs','diagnostics':['GANG050']}\n"},
    /* runtimes of another kind or namespace are not meant */
    {all_inputs,
     TRAINER_JOB("'name':'j','namespace':'other'", "'kind':'TrainingRuntime','name':'plain'"),
     "'namespace':'other','name':'j','kind':'TrainJob','outcome':'Invalid','reason':'spec."
     "runtimeRef: TrainJob "
     "other/j needs TrainingRuntime plain, "},
    {all_inputs, TRAINER_JOB("'name':'j'", "'kind':'TrainingRuntime','name':'plain'"),
     "'name':'j','kind':'TrainJob','outcome':'Gang',"},
    {all_inputs, TRAINER_JOB("'name':'j'", "'name':'plain'"),
     "'name':'j','kind':'TrainJob','outcome':'Invalid',"},
    {all_inputs, TRAINER_JOB("'name':'j','namespace':4", "'name':'tune'"),
     "'name':'j','kind':'TrainJob','outcome':'Invalid',"},
    {all_inputs, tune_runtime,
     "'name':'tune','kind':'ClusterTrainingRuntime','outcome':'Invalid','reason':'gang_resolve() "
     "cannot resolve ClusterTrainingRuntime tune',"},
    {all_inputs, "{", "'outcome':'Invalid','reason':'unexpected end of the text: "},
    {all_inputs, "", "'outcome':'Invalid','reason':'"},
};

static struct gang_blob *
audit_texts(const char *const *jobs, size_t count, const struct gang_inputs *inputs)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    size_t lengths[8];

    ck_assert_uint_le(count, ITEMS_OF(lengths));
    for (size_t i = 0; i < count; i++)
        lengths[i] = strlen(jobs[i]);
    ck_assert_int_eq(gang_audit(NULL, jobs, lengths, count, inputs, 0, &blob, &error), GANG_OK);
    ck_assert_ptr_null(error);
    return blob;
}

START_TEST(a_row_has_the_answer_for_its_job)
{
    struct gang_inputs *inputs = inputs_of(rows[_i].inputs);
    char job[DOCUMENT_SIZE];
    char row[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE];
    const char *const jobs[] = {spell(job, rows[_i].job)};
    struct gang_blob *blob = audit_texts(jobs, 1, inputs);
    const char *found = gang_blob_get_data(blob, NULL);

    /* \' in a row stands for an apostrophe */
    snprintf(text, sizeof(text), "%s%s", ROW, rows[_i].row);
    spell(row, text);
    for (char *at = row; (at = strstr(at, "\\\"")); at++) {
        *at = '\'';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
    ck_assert_msg(strncmp(found, row, strlen(row)) == 0, "%s\nexpected was:\n%s", found, row);
    ck_assert_ptr_eq(strchr(found, '\n') + 1, found + strlen(found));
    gang_blob_unref(blob);
    gang_inputs_free(inputs);
}
END_TEST

static struct gang_context *
context_with(enum gang_limit limit, uint64_t value)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, (int)limit, value), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    return context;
}

static const char several_gangs[] =
    "{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':'LeaderWorkerSet','metadata':{'name':'l'},"
    "'spec':{'replicas':%s,'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{"
    "'schedulerName':'volcano','containers':[{'name':'c','image':'i','resources':{'limits':{"
    "'nvidia.com/gpu':'4'}}}]}}}}}";

static int
audit_replicas(const struct gang_context *context, const char *replicas, struct gang_blob **blob)
{
    char text[DOCUMENT_SIZE];
    char job[DOCUMENT_SIZE];
    const char *const jobs[] = {job};

    snprintf(text, sizeof(text), several_gangs, replicas);
    spell(job, text);
    return gang_audit(context, jobs, &(size_t){strlen(job)}, 1, NULL, 0, blob, NULL);
}

START_TEST(an_unknown_field_is_an_error_of_a_strict_audit)
{
    static const char *const outcomes[] = {"NoGang", "Invalid"};
    char job[DOCUMENT_SIZE];
    const char *const jobs[] = {job};
    struct gang_blob *blob = NULL;

    spell(job, "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'},'spec':{'unknown':1,"
               "'template':{'spec':{'containers':[{'name':'c'}]}}}}");
    ck_assert_int_eq(
        gang_audit(NULL, jobs, &(size_t){strlen(job)}, 1, NULL, (uint32_t)_i, &blob, NULL),
        GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), outcomes[_i]));
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "\"GANG301\""));
    gang_blob_unref(blob);
}
END_TEST

/* Two replicas of a leader and a worker; the pods of a row are those of its gang. */
START_TEST(each_gang_has_a_row)
{
    struct gang_blob *blob = NULL;
    const char *at;

    ck_assert_int_eq(audit_replicas(NULL, "2", &blob), GANG_OK);
    at = gang_blob_get_data(blob, NULL);
    for (int gang = 0; gang < 2; gang++) {
        char text[DOCUMENT_SIZE];
        char row[DOCUMENT_SIZE];

        snprintf(text, sizeof(text),
                 ROW "'name':'l','gang':%d,'gangs':2,'kind':'LeaderWorkerSet','outcome':'Gang',"
                     "'backend':'volcano','minimum':2,'members':2,'pods':2,'gpus':8,",
                 gang);
        spell(row, text);
        ck_assert_msg(strncmp(at, row, strlen(row)) == 0, "%s\nexpected was:\n%s", at, row);
        at = strchr(at, '\n') + 1;
    }
    ck_assert_str_eq(at, "");
    gang_blob_unref(blob);
}
END_TEST

START_TEST(too_many_gangs_are_one_invalid_row)
{
    struct gang_blob *blob = NULL;
    char row[DOCUMENT_SIZE];

    spell(row, ROW "'name':'l','gang':0,'gangs':10001,'kind':'LeaderWorkerSet',"
                   "'outcome':'Invalid','reason':'the job has 10001 gangs, more than 10000',"
                   "'diagnostics':[]}\n");
    ck_assert_int_eq(audit_replicas(NULL, "10001", &blob), GANG_OK);
    ck_assert_str_eq(gang_blob_get_data(blob, NULL), row);
    gang_blob_unref(blob);
}
END_TEST

/* With room for one row only: the rows of 10000 gangs are begun, those of more are not. */
START_TEST(most_gangs_have_rows)
{
    static const struct {
        const char *replicas;
        int result;
    } audits[] = {{"10000", GANG_ERROR_LIMIT}, {"10001", GANG_OK}};
    struct gang_context *context = context_with(GANG_LIMIT_OUTPUT_BYTES, 300);

    for (size_t i = 0; i < ITEMS_OF(audits); i++) {
        struct gang_blob *blob = NULL;

        ck_assert_int_eq(audit_replicas(context, audits[i].replicas, &blob), audits[i].result);
        gang_blob_unref(blob);
    }
    gang_context_unref(context);
}
END_TEST

/* A job costs no more than its steps, however many gangs it has. */
START_TEST(gangs_share_the_steps_of_their_job)
{
    struct gang_context *context = context_with(GANG_LIMIT_STEPS, 20000);
    struct gang_blob *few = NULL;
    struct gang_blob *many = NULL;
    char row[DOCUMENT_SIZE];

    spell(row, ROW "'name':'l','gang':0,'gangs':1000,'kind':'LeaderWorkerSet',"
                   "'outcome':'Invalid','reason':'steps: more than the limit of 20000',"
                   "'diagnostics':['GANG218']}\n");
    ck_assert_int_eq(audit_replicas(context, "10", &few), GANG_OK);
    ck_assert_ptr_null(strstr(gang_blob_get_data(few, NULL), "GANG218"));
    ck_assert_int_eq(audit_replicas(context, "1000", &many), GANG_OK);
    ck_assert_str_eq(gang_blob_get_data(many, NULL), row);
    gang_blob_unref(many);
    gang_blob_unref(few);
    gang_context_unref(context);
}
END_TEST

/* Each row is that of its job alone, and the order is that of the jobs. */
START_TEST(a_broken_job_changes_no_other_row)
{
    struct gang_inputs *inputs = inputs_of(all_inputs);
    char tune[DOCUMENT_SIZE];
    char plain[DOCUMENT_SIZE];
    const char *const jobs[] = {spell(tune, tune_trainjob), "{", spell(plain, plain_trainjob), "",
                                tune};
    struct gang_blob *together = audit_texts(jobs, ITEMS_OF(jobs), inputs);
    const char *at = gang_blob_get_data(together, NULL);

    for (size_t i = 0; i < ITEMS_OF(jobs); i++) {
        struct gang_blob *alone = audit_texts(&jobs[i], 1, inputs);
        size_t len;
        const char *row = gang_blob_get_data(alone, &len);

        ck_assert(strncmp(at, row, len) == 0);
        at += len;
        gang_blob_unref(alone);
    }
    ck_assert_str_eq(at, "");
    gang_blob_unref(together);
    gang_inputs_free(inputs);
}
END_TEST

START_TEST(a_code_is_written_once)
{
    struct gang_inputs *inputs = inputs_of(denying_inputs);
    char job[DOCUMENT_SIZE];
    const char *const jobs[] = {
        spell(job, "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{"
                   "'name':'j'},'spec':{'runtimeRef':{'name':'tune'},'x':1,'y':2}}")};
    struct gang_blob *blob = audit_texts(jobs, 1, inputs);
    const char *first = strstr(gang_blob_get_data(blob, NULL), "GANG301");

    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(strstr(first + 1, "GANG301"));
    gang_blob_unref(blob);
    gang_inputs_free(inputs);
}
END_TEST

START_TEST(no_jobs_make_no_rows)
{
    struct gang_blob *blob = audit_texts(NULL, 0, NULL);
    size_t len = 1;

    ck_assert_str_eq(gang_blob_get_data(blob, &len), "");
    ck_assert_uint_eq(len, 0);
    gang_blob_unref(blob);
}
END_TEST

START_TEST(a_job_beyond_a_limit_has_a_row)
{
    struct gang_context *context = context_with(GANG_LIMIT_DOCUMENT_BYTES, 3);
    const char *const jobs[] = {"[1,2]", "[]"};
    const size_t lengths[] = {5, 2};
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_audit(context, jobs, lengths, 2, NULL, 0, &blob, NULL), GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "more than the limit of 3"));
    gang_blob_unref(blob);
    gang_context_unref(context);
}
END_TEST

START_TEST(rows_beyond_a_limit_are_an_error)
{
    struct gang_context *context = context_with(GANG_LIMIT_OUTPUT_BYTES, 100);
    const char *const jobs[] = {"{", "{", "{"};
    const size_t lengths[] = {1, 1, 1};
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_audit(context, jobs, lengths, 3, NULL, 0, &blob, &error),
                     GANG_ERROR_LIMIT);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_error_get_code(error), GANG_ERROR_LIMIT);
    gang_error_free(error);
    gang_context_unref(context);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    const char *const jobs[] = {NULL, "{}"};
    const size_t lengths[] = {0, 2};
    const size_t wrong[] = {1, 2};
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_audit(NULL, jobs, wrong, 2, NULL, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_audit(NULL, NULL, lengths, 2, NULL, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_audit(NULL, jobs, NULL, 2, NULL, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_audit(NULL, jobs, lengths, 2, NULL, 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_audit(NULL, jobs, lengths, 2, NULL, 2, &blob, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_audit(NULL, jobs, lengths, 2, NULL, 0, &blob, NULL), GANG_OK);
    gang_blob_unref(blob);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_row_has_the_answer_for_its_job, rows, job);
    tcase_add_test(cases, each_gang_has_a_row);
    tcase_add_test(cases, too_many_gangs_are_one_invalid_row);
    tcase_add_test(cases, most_gangs_have_rows);
    tcase_add_test(cases, gangs_share_the_steps_of_their_job);
    tcase_add_test(cases, a_broken_job_changes_no_other_row);
    tcase_add_test(cases, a_code_is_written_once);
    tcase_add_loop_test(cases, an_unknown_field_is_an_error_of_a_strict_audit, 0, 2);
    tcase_add_test(cases, no_jobs_make_no_rows);
    tcase_add_test(cases, a_job_beyond_a_limit_has_a_row);
    tcase_add_test(cases, rows_beyond_a_limit_are_an_error);
    tcase_add_test(cases, wrong_arguments_are_refused);
}
