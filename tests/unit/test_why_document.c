/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/plans.h"
#include "unit/suite.h"

/* tests/why/run has the causes: these are the arguments, and what a command may contain. */

static const char job_text[] =
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'sweep','namespace':'ml','uid':'u'},"
    "'spec':{'parallelism':2,'completions':2,'suspend':true,'template':{'spec':{'containers':[{"
    "'name':'c','image':'c'}],'restartPolicy':'Never'}}}}";

struct question {
    struct gang_document *job;
    struct gang_document *live;
    struct gang_context *context;
};

static struct gang_document *
read_spelled(const char *text, bool is_live, uint32_t flags)
{
    struct gang_document *document = NULL;
    char spelled[DOCUMENT_SIZE];

    spell(spelled, text);
    ck_assert_int_eq(
        is_live ? gang_document_parse_live(NULL, spelled, strlen(spelled), flags, &document, NULL)
                : gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, NULL),
        GANG_OK);
    return document;
}

static int
ask(const struct question *question, const char *now, int format, struct gang_blob **blob)
{
    struct gang_error *error = NULL;
    const int result = gang_diagnose(question->context, question->job, NULL, question->live, now,
                                     format, 0, blob, &error);

    ck_assert_int_eq(error != NULL, result != GANG_OK);
    gang_error_free(error);
    return result;
}

START_TEST(needs_objects_for_a_diagnosis)
{
    static const char *const no_times[] = {
        "yesterday",
        "2026-11-25T08:30:00+01:00",
        "2026-13-25T08:30:00Z",
        "2026-00-25T08:30:00Z",
        "2026-11-32T08:30:00Z",
        "2026-11-00T08:30:00Z",
        "2026-11-25T24:00:00Z",
        "2026-11-25T08:60:00Z",
        "2026-11-25T08:30:61Z",
    };
    struct question question = {read_spelled(job_text, false, 0),
                                read_spelled(job_text, true, GANG_LIVE_NO_FLAGS), NULL};
    struct gang_blob *blob;

    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_JSON, &blob), GANG_ERROR_INVALID_ARGUMENT);
    gang_document_unref(question.live);
    question.live = read_spelled(job_text, true, GANG_LIVE_DIAGNOSE);
    for (int i = 0; i < ITEMS_OF(no_times); i++)
        ck_assert_int_eq(ask(&question, no_times[i], GANG_FORMAT_JSON, &blob),
                         GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_ROW, &blob), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_SVG, &blob), GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "<svg "));
    gang_blob_unref(blob);
    ck_assert_int_eq(ask(&question, "2026-11-25T08:30:00Z", GANG_FORMAT_YAML, &blob), GANG_OK);
    gang_blob_unref(blob);
    gang_document_unref(question.live);
    gang_document_unref(question.job);
}
END_TEST

/* The verdict, and whether there is a command, for a name that a shell could read. */
START_TEST(puts_only_plain_names_into_commands)
{
    static const char odd[] =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'sweep','namespace':'m$(l)',"
        "'uid':'u'},'spec':{'suspend':true}}";
    struct question question = {read_spelled(job_text, false, 0),
                                read_spelled(job_text, true, GANG_LIVE_DIAGNOSE), NULL};
    struct gang_blob *blob = NULL;
    const char *text;

    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_JSON, &blob), GANG_OK);
    text = gang_blob_get_data(blob, NULL);
    ck_assert_ptr_nonnull(strstr(text, "\"reason\":\"JobSuspended\""));
    ck_assert_ptr_nonnull(strstr(text, "kubectl patch Job sweep -n ml"));
    gang_blob_unref(blob);
    gang_document_unref(question.live);
    question.live = read_spelled(odd, true, GANG_LIVE_DIAGNOSE);
    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_JSON, &blob), GANG_OK);
    ck_assert_ptr_null(strstr(gang_blob_get_data(blob, NULL), "$("));
    gang_blob_unref(blob);
    gang_document_unref(question.live);
    gang_document_unref(question.job);
}
END_TEST

static int
ask_within(const char *job, const char *live, int limit, uint64_t value, int format,
           const char *says)
{
    struct question question = {read_spelled(job, false, 0),
                                read_spelled(live, true, GANG_LIVE_DIAGNOSE), NULL};
    struct gang_config *config = gang_config_new();
    struct gang_blob *blob = NULL;
    int result;

    ck_assert_int_eq(gang_config_set_limit(config, limit, value), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &question.context), GANG_OK);
    gang_config_free(config);
    result = ask(&question, NULL, format, &blob);
    if (says)
        ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), says));
    gang_blob_unref(blob);
    gang_context_unref(question.context);
    gang_document_unref(question.live);
    gang_document_unref(question.job);
    return result;
}

/* An answer without the decision would be another one. */
START_TEST(a_limit_is_no_cause)
{
    static const int limits[] = {GANG_LIMIT_MEMORY_BYTES, GANG_LIMIT_LIVE_MEMORY_BYTES};
    static const int formats[] = {GANG_FORMAT_JSON, GANG_FORMAT_SVG};

    for (int i = 0; i < ITEMS_OF(limits); i++)
        for (int j = 0; j < ITEMS_OF(formats); j++)
            ck_assert_int_eq(ask_within(job_text, job_text, limits[i], 1, formats[j], NULL),
                             GANG_ERROR_LIMIT);
}
END_TEST

/* The bytes of one document do not limit a live object, but what it is read for. */
START_TEST(reads_past_a_long_jobset)
{
    static const char job[] =
        "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{'name':'t',"
        "'namespace':'ml','uid':'u'},'spec':{'runtimeRef':{'name':'r'}}}";
    static const char set[] =
        "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'t',"
        "'namespace':'ml','uid':'s'},'spec':{'suspend':true,'replicatedJobs':[]}}";

    ck_assert_int_eq(ask_within(job, set, GANG_LIMIT_DOCUMENT_BYTES, 100, GANG_FORMAT_JSON,
                                "{\"kind\":\"JobSet\",\"effect\":\"it is not read, because it "
                                "exceeds a limit\"}"),
                     GANG_OK);
}
END_TEST

/* Pods without a creationTimestamp may be as new as can be. */
START_TEST(blames_no_scheduler_without_an_age)
{
    static const char pods[] =
        "{'apiVersion':'v1','kind':'List','items':[{'apiVersion':'v1','kind':'Pod','metadata':{"
        "'name':'sweep-0','namespace':'ml','uid':'p0','labels':{'batch.kubernetes.io/job-name':"
        "'sweep'}},'spec':{'schedulerName':'volcano','containers':[]},'status':{'phase':"
        "'Pending'}}]}";
    static const char job[] =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'sweep','namespace':'ml',"
        "'uid':'u'},'spec':{'parallelism':1,'completions':1,'template':{'spec':{'containers':[{"
        "'name':'c','image':'c'}],'schedulerName':'volcano','restartPolicy':'Never'}}}}";
    struct question question = {read_spelled(job, false, 0),
                                read_spelled(pods, true, GANG_LIVE_DIAGNOSE), NULL};
    struct gang_blob *blob = NULL;
    const char *text;

    ck_assert_int_eq(ask(&question, "2026-11-25T08:30:00Z", GANG_FORMAT_JSON, &blob), GANG_OK);
    text = gang_blob_get_data(blob, NULL);
    ck_assert_msg(!strstr(text, "SchedulerSilent") && !strstr(text, "-1 s"), "%s", text);
    gang_blob_unref(blob);
    gang_document_unref(question.live);
    gang_document_unref(question.job);
}
END_TEST

/* How operators label the pods of roles that have parts: the sources are in state.c. */
#define WHY_POD "'spec':{'containers':[{'name':'c','image':'c'}]}"
#define WHY_SET(name)                                                                              \
    "{'name':'" name "','spec':{'startupPolicy':'LeaderReady','leaderWorkerTemplate':{'size':2,"   \
    "'workerTemplate':{" WHY_POD "}}}}"
static const struct {
    const char *job;
    const char *labels;
    const char *role;
} why_labels[] = {
    {"'apiVersion':'disaggregatedset.x-k8s.io/"
     "v1','kind':'DisaggregatedSet','spec':{'roles':[" WHY_SET("decode") "," WHY_SET(
         "prefill") "]}",
     "'disaggregatedset.x-k8s.io/role':'prefill','leaderworkerset.sigs.k8s.io/worker-index':'1'",
     "prefill-worker"},
    {"'apiVersion':'workloads.x-k8s.io/v1alpha2','kind':'RoleBasedGroup','spec':{'roles':[{'name':"
     "'main','replicas':1,'standalonePattern':{'template':{" WHY_POD
     "}}},{'name':'serve','replicas':1,"
     "'customComponentsPattern':{'components':[{'name':'one','size':1,'template':{" WHY_POD "}},"
     "{'name':'two','size':1,'template':{" WHY_POD "}}]}}]}",
     "'rbg.workloads.x-k8s.io/role-name':'serve','rbg.workloads.x-k8s.io/component-name':'two'",
     "serve-two"},
    {"'apiVersion':'workloads.x-k8s.io/v1alpha2','kind':'RoleBasedGroup','spec':{'roles':[{'name':"
     "'main','replicas':1,'standalonePattern':{'template':{" WHY_POD
     "}}},{'name':'serve','replicas':1,"
     "'standalonePattern':{'template':{" WHY_POD "}}}]}",
     "'rbg.workloads.x-k8s.io/role-name':'serve'", "serve"},
};

START_TEST(counts_a_pod_in_the_role_that_its_labels_name)
{
    char job[DOCUMENT_SIZE];
    char pods[DOCUMENT_SIZE];
    char role[64];
    struct question question;
    struct gang_blob *blob = NULL;
    const char *counts;

    snprintf(job, sizeof(job), "{%s,'metadata':{'name':'a','namespace':'ml','uid':'u'}}",
             why_labels[_i].job);
    snprintf(
        pods, sizeof(pods),
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a-0','namespace':'ml','uid':'p',"
        "'labels':{%s},'ownerReferences':[{'uid':'u','kind':'Job','name':'a','apiVersion':'v1',"
        "'controller':true}]}," WHY_POD ",'status':{'phase':'Pending'}}",
        why_labels[_i].labels);
    question = (struct question){read_spelled(job, false, 0),
                                 read_spelled(pods, true, GANG_LIVE_DIAGNOSE), NULL};
    ck_assert_int_eq(ask(&question, NULL, GANG_FORMAT_JSON, &blob), GANG_OK);
    snprintf(role, sizeof(role), "\"name\":\"%s\"", why_labels[_i].role);
    counts = strstr(gang_blob_get_data(blob, NULL), role);
    ck_assert_msg(counts && strncmp(strstr(counts, "\"exist\""), "\"exist\":1,", 10) == 0, "%s",
                  gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    gang_document_unref(question.live);
    gang_document_unref(question.job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, counts_a_pod_in_the_role_that_its_labels_name, 0,
                        COUNT_OF(why_labels));
    tcase_add_test(cases, needs_objects_for_a_diagnosis);
    tcase_add_test(cases, puts_only_plain_names_into_commands);
    tcase_add_test(cases, a_limit_is_no_cause);
    tcase_add_test(cases, reads_past_a_long_jobset);
    tcase_add_test(cases, blames_no_scheduler_without_an_age);
}
