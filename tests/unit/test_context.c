/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

#include <gang/gang.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "unit/documents.h"
#include "unit/suite.h"
#include "unit/typed.h"

/* ---- context ---- */

static const char a_policy[] = "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\","
                               "\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
                               "\"spec\":{\"defaultBackend\":\"volcano\"}}";

/* Each limit: one, its ceiling, and one above it. */
START_TEST(limits_above_the_ceiling_are_refused)
{
    struct gang_config *config = gang_config_new();
    int limit = _i;
    uint64_t ceiling = limit_table[_i].ceiling;

    ck_assert_uint_le(limit_table[_i].standard, ceiling);
    ck_assert_int_eq(gang_config_set_limit(config, limit, 0), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_config_set_limit(config, limit, 1), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, limit, ceiling), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, limit, ceiling + 1),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_config_free(config);
}
END_TEST

START_TEST(unknown_limits_are_refused)
{
    static const int unknown[] = {0, -1, LIMIT_COUNT, INT_MAX, INT_MIN};
    struct gang_config *config = gang_config_new();

    for (size_t i = 0; i < ITEMS_OF(unknown); i++)
        ck_assert_int_eq(gang_config_set_limit(config, unknown[i], 1), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_config_set_limit(NULL, GANG_LIMIT_DEPTH, 1), GANG_ERROR_INVALID_ARGUMENT);
    gang_config_free(config);
}
END_TEST

/* A document is of the workspace's memory, and is read after the context is gone. */
START_TEST(a_workspace_needs_a_config)
{
    static const uint64_t sizes[] = {0, 1, 65536, UINT64_MAX};
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_document *document = NULL;

    ck_assert_int_eq(gang_config_set_workspace(NULL, 1), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_config_set_workspace(config, sizes[_i]), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    ck_assert_int_eq((context_limits(context)->workspace != NULL), sizes[_i] > 0);
    ck_assert_int_eq(gang_document_parse(context, a_policy, strlen(a_policy), 0, &document, NULL),
                     GANG_OK);
    gang_context_unref(context);
    ck_assert_str_eq(gang_document_get_name(document), "p");
    gang_document_unref(document);
}
END_TEST

START_TEST(context_copies_the_config)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_DEPTH, 10), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_DEPTH, 20), GANG_OK);
    gang_config_free(config);
    ck_assert_uint_eq(context_limits(context)->value[GANG_LIMIT_DEPTH], 10);
    ck_assert_uint_eq(context_limits(context)->value[GANG_LIMIT_ROLES],
                      standard_limits.value[GANG_LIMIT_ROLES]);
    ck_assert_ptr_eq(gang_context_ref(context), context);
    gang_context_unref(context);
    gang_context_unref(context);
}
END_TEST

START_TEST(null_config_means_defaults)
{
    struct gang_context *context = NULL;

    ck_assert_ptr_eq(context_limits(NULL), &standard_limits);
    ck_assert_int_eq(gang_context_new(NULL, &context), GANG_OK);
    ck_assert_uint_eq(context_limits(context)->value[GANG_LIMIT_DEPTH], 64);
    gang_context_unref(context);
    gang_context_unref(NULL);
    ck_assert_ptr_null(gang_context_ref(NULL));
    ck_assert_int_eq(gang_context_new(NULL, NULL), GANG_ERROR_INVALID_ARGUMENT);
    gang_config_free(NULL);
}
END_TEST

static const char limited_runtime[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/"
    "v1alpha1\",\"kind\":\"ClusterTrainingRuntime\",\"metadata\":{\"name\":\"r\"},"
    "\"spec\":{\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{"
    "\"spec\":{"
    "\"template\":"
    "{\"spec\":{\"containers\":[{\"name\":\"node\",\"image\":\"i\"}]}}}}}]}}}}";
static const char limited_job[] =
    "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\","
    "\"metadata\":{\"name\":\"j\"},\"spec\":{\"runtimeRef\":{\"name\":\"r\"}}}";

/* The limit of a handle is no lack of memory: the same call would never succeed later. */
START_TEST(too_little_memory_for_a_handle_is_a_limit)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *tight = NULL;
    struct gang_runtime *runtime = NULL;
    struct gang_trainjob *job = NULL;
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &tight), GANG_OK);
    ck_assert_int_eq(
        parse_runtime(NULL, limited_runtime, strlen(limited_runtime), 0, &runtime, NULL), GANG_OK);
    ck_assert_int_eq(parse_trainjob(NULL, limited_job, strlen(limited_job), 0, &job, NULL),
                     GANG_OK);
    ck_assert_int_eq(resolve_trainjob_with(tight, runtime, job, NULL, NULL, 0, &decision, NULL),
                     GANG_ERROR_LIMIT);
    ck_assert_int_eq(resolve_trainjob_with(NULL, runtime, job, NULL, NULL, 0, &decision, NULL),
                     GANG_OK);
    ck_assert_int_eq(gang_render(tight, decision, 0, &plan, NULL), GANG_ERROR_LIMIT);
    gang_decision_unref(decision);
    unref_trainjob(job);
    unref_runtime(runtime);
    gang_context_unref(tight);
    gang_config_free(config);
}
END_TEST

/* ---- limits ---- */

/* doc/limits.md, row by row, and the diagnostic that a document gets. */
static const struct {
    enum gang_limit limit;
    const char *name;
    uint64_t standard, ceiling;
    enum gang_code code;
} rows[] = {
    {GANG_LIMIT_DOCUMENT_BYTES, "document bytes", 1048576, 3145728, GANG_CODE_LIMIT_DOCUMENT_BYTES},
    {GANG_LIMIT_STREAM_BYTES, "stream bytes", 16777216, 67108864, GANG_CODE_LIMIT_STREAM_BYTES},
    {GANG_LIMIT_STREAM_DOCUMENTS, "documents in a stream", 1000, 10000,
     GANG_CODE_LIMIT_STREAM_DOCUMENTS},
    {GANG_LIMIT_DEPTH, "nesting depth", 64, 128, GANG_CODE_LIMIT_DEPTH},
    {GANG_LIMIT_NODES, "values after alias expansion", 100000, 500000, GANG_CODE_LIMIT_NODES},
    {GANG_LIMIT_ANCHORS, "anchors", 64, 1024, GANG_CODE_LIMIT_ANCHORS},
    {GANG_LIMIT_ALIASES, "aliases", 256, 1024, GANG_CODE_LIMIT_ALIASES},
    {GANG_LIMIT_MAP_KEYS, "keys in one mapping", 4096, 4096, GANG_CODE_LIMIT_MAP_KEYS},
    {GANG_LIMIT_LIST_ITEMS, "items in one list", 10000, 10000, GANG_CODE_LIMIT_LIST_ITEMS},
    {GANG_LIMIT_SCALAR_BYTES, "bytes of one scalar", 262144, 1048576, GANG_CODE_LIMIT_SCALAR_BYTES},
    {GANG_LIMIT_KEY_BYTES, "bytes of one key", 1024, 1024, GANG_CODE_LIMIT_KEY_BYTES},
    {GANG_LIMIT_COUNT_VALUE, "pods of one role", 1000000, 2147483647, GANG_CODE_LIMIT_COUNT_VALUE},
    {GANG_LIMIT_ROLES, "roles", 64, 1024, GANG_CODE_LIMIT_ROLES},
    {GANG_LIMIT_CONTAINERS, "containers of one pod", 256, 1024, GANG_CODE_LIMIT_CONTAINERS},
    {GANG_LIMIT_DIAGNOSTICS, "diagnostics", 64, 100, GANG_CODE_TOO_MANY_DIAGNOSTICS},
    {GANG_LIMIT_MEMORY_BYTES, "bytes of memory for one handle", 33554432, 268435456,
     GANG_CODE_LIMIT_MEMORY},
    {GANG_LIMIT_OUTPUT_BYTES, "output bytes", 4194304, 16777216, GANG_CODE_LIMIT_OUTPUT_BYTES},
    {GANG_LIMIT_LIVE_BYTES, "bytes of live objects", 134217728, 536870912,
     GANG_CODE_LIMIT_STREAM_BYTES},
    {GANG_LIMIT_LIVE_OBJECTS, "live objects", 20000, 500000, GANG_CODE_LIMIT_STREAM_DOCUMENTS},
    {GANG_LIMIT_LIVE_MEMORY_BYTES, "bytes of memory for live objects", 134217728, 536870912,
     GANG_CODE_LIMIT_MEMORY},
    {GANG_LIMIT_STEPS, "steps", 10000000, 1000000000, GANG_CODE_LIMIT_STEPS},
};

START_TEST(a_limit_is_as_documented)
{
    const struct limit_entry *entry = &limit_table[rows[_i].limit];

    ck_assert_str_eq(entry->name, rows[_i].name);
    ck_assert_uint_eq(entry->standard, rows[_i].standard);
    ck_assert_uint_eq(entry->ceiling, rows[_i].ceiling);
    ck_assert_int_eq(entry->code, rows[_i].code);
    ck_assert_uint_eq(standard_limits.value[rows[_i].limit], rows[_i].standard);
}
END_TEST

/* From 1 to the ceiling. */
START_TEST(a_limit_takes_values_up_to_its_ceiling)
{
    struct gang_config *config = gang_config_new();

    ck_assert_int_eq(gang_config_set_limit(config, (int)rows[_i].limit, 1), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, (int)rows[_i].limit, rows[_i].ceiling), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, (int)rows[_i].limit, rows[_i].ceiling + 1),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_config_set_limit(config, (int)rows[_i].limit, 0),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_config_free(config);
}
END_TEST

START_TEST(every_limit_is_in_the_table)
{
    ck_assert_int_eq(ITEMS_OF(rows), LIMIT_COUNT - 1);
    for (int i = 0; i < ITEMS_OF(rows); i++)
        ck_assert_int_eq(rows[i].limit, i + 1);
}
END_TEST

/* ---- steps ---- */

static struct gang_context *
context_of_steps(uint64_t steps)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_STEPS, steps), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    return context;
}

/* Its plan needs more memory than an arena has from the start, so that each call draws steps. */
static size_t
write_step_job(char job[DOCUMENT_SIZE])
{
    size_t len = (size_t)snprintf(
        job, DOCUMENT_SIZE, "%s",
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangJob\",\"metadata\":{"
        "\"name\":\"job\",\"namespace\":\"ml\"},\"spec\":{\"owner\":{\"apiVersion\":\"v1\","
        "\"kind\":\"K\",\"uid\":\"u\"},\"roles\":[");

    for (int i = 0; i < 40; i++)
        len += (size_t)snprintf(job + len, DOCUMENT_SIZE - len,
                                "%s{\"name\":\"r%d\",\"count\":2,\"requests\":{\"cpu\":\"1\"}}",
                                i ? "," : "", i);
    return len + (size_t)snprintf(job + len, DOCUMENT_SIZE - len, "]}}");
}

static const char step_policy[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
    "\"spec\":{\"backends\":[{\"name\":\"volcano\",\"type\":\"Volcano\"}],\"rules\":[{\"name\":"
    "\"r\","
    "\"match\":{\"namespaces\":[\"other\"]},\"action\":\"Skip\"}],"
    "\"defaultBackend\":\"volcano\"}}";

/* A PodGroup of the job whose queue another one has written. */
static const char step_live[] =
    "{\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"kind\":\"PodGroup\",\"metadata\":{"
    "\"name\":\"job\",\"namespace\":\"ml\",\"uid\":\"g\",\"ownerReferences\":[{\"apiVersion\":"
    "\"v1\",\"kind\":\"K\",\"name\":\"job\",\"uid\":\"u\",\"controller\":true}]},"
    "\"spec\":{\"minMember\":1,\"queue\":\"other\"}}";

enum step_call {
    STEP_PARSE,
    STEP_RESOLVE,
    STEP_RENDER,
    STEP_RECONCILE,
    STEP_WRITE_PLAN,
    STEP_WRITE_DECISION,
    STEP_CALLS
};

static int
resolve_step_job(const struct gang_context *context, struct gang_document *job,
                 struct gang_decision **decision, struct gang_error **error)
{
    struct gang_document *policy = NULL;
    struct gang_inputs *inputs = gang_inputs_new();
    int result;

    ck_assert_int_eq(
        gang_document_parse(NULL, step_policy, sizeof(step_policy) - 1, 0, &policy, NULL), GANG_OK);
    ck_assert_int_eq(gang_inputs_add(inputs, policy), GANG_OK);
    result = gang_resolve(context, job, inputs, 0, decision, error);
    gang_inputs_free(inputs);
    gang_document_unref(policy);
    return result;
}

static int
reconcile_step_plan(const struct gang_context *context, const struct gang_plan *plan,
                    struct gang_error **error)
{
    struct gang_document *live = NULL;
    struct gang_plan *reconciled = NULL;
    int result;

    ck_assert_int_eq(
        gang_document_parse_live(NULL, step_live, sizeof(step_live) - 1, 0, &live, NULL), GANG_OK);
    result = gang_reconcile(context, plan, live, 0, &reconciled, error);
    if (!result)
        ck_assert_int_eq(gang_object_get_action(gang_plan_get_object(reconciled, 0)),
                         GANG_ACTION_APPLY);
    gang_plan_unref(reconciled);
    gang_document_unref(live);
    return result;
}

/* The call alone has few steps: what it starts from is made without a context. */
static int
run_after_decision(enum step_call call, const struct gang_context *context,
                   struct gang_document *job, struct gang_error **error)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_blob *blob = NULL;
    int result;

    ck_assert_int_eq(resolve_step_job(NULL, job, &decision, NULL), GANG_OK);
    result = gang_render(call == STEP_RENDER ? context : NULL, decision, 0, &plan, error);
    if (call == STEP_RECONCILE)
        result = reconcile_step_plan(context, plan, error);
    if (call == STEP_WRITE_PLAN)
        result =
            gang_plan_serialize(context, plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, &blob, error);
    if (call == STEP_WRITE_DECISION)
        result = gang_decision_serialize(context, decision, GANG_FORMAT_JSON, 0, &blob, error);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    return result;
}

static int
run_with_steps(enum step_call call, uint64_t steps, struct gang_error **error)
{
    struct gang_context *context = context_of_steps(steps);
    struct gang_document *job = NULL;
    struct gang_decision *decision = NULL;
    char text[DOCUMENT_SIZE];
    size_t len = write_step_job(text);
    int result =
        gang_document_parse(call == STEP_PARSE ? context : NULL, text, len, 0, &job, error);

    if (call == STEP_RESOLVE)
        result = resolve_step_job(context, job, &decision, error);
    else if (call != STEP_PARSE)
        result = run_after_decision(call, context, job, error);
    gang_decision_unref(decision);
    gang_document_unref(job);
    gang_context_unref(context);
    return result;
}

static uint64_t
least_steps(enum step_call call)
{
    uint64_t few = 0;
    uint64_t enough = 1 << 20;

    while (enough - few > 1) {
        uint64_t middle = few + (enough - few) / 2;

        if (run_with_steps(call, middle, NULL) == GANG_ERROR_LIMIT)
            few = middle;
        else
            enough = middle;
    }
    return enough;
}

/* Returns about how many steps it costs to read the text. */
static uint64_t
steps_to_parse(const char *text)
{
    for (uint64_t steps = 1024;; steps += steps / 8) {
        struct gang_context *context = context_of_steps(steps);
        struct gang_document *document = NULL;
        int result = gang_document_parse(context, text, strlen(text), 0, &document, NULL);

        gang_document_unref(document);
        gang_context_unref(context);
        if (result != GANG_ERROR_LIMIT)
            return steps;
    }
}

/* The limits are those of one reading, also if the kind can be seen only by reading. */
START_TEST(flow_style_costs_as_much_as_block_style)
{
    static const char *const heads[] = {"# a\n\n# b\n", "---\n", "# a\n---\n# b\n"};
    char job[DOCUMENT_SIZE];
    char text[DOCUMENT_SIZE + 128];
    const char *spec;
    uint64_t once;

    NEEDS_YAML();
    write_step_job(job);
    spec = strstr(job, "\"spec\":");
    snprintf(text, sizeof(text),
             "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangJob\nmetadata: {name: job}\n"
             "spec: %.*s\n",
             (int)(strlen(spec) - strlen("\"spec\":}")), spec + strlen("\"spec\":"));
    once = steps_to_parse(text);
    ck_assert_uint_gt(once, 1024);
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        snprintf(text, sizeof(text), "%s%s", heads[i], job);
        ck_assert_uint_lt(steps_to_parse(text), once + once / 2);
    }
    snprintf(text, sizeof(text),
             "{apiVersion: policy.libgang.dev/v1alpha1, kind: GangJob, metadata: {name: job}, %s",
             spec);
    ck_assert_uint_lt(steps_to_parse(text), once + once / 2);
}
END_TEST

/* Some number of steps is enough; one less is not, and the error names the document. */
START_TEST(one_step_too_few_names_the_document)
{
    struct gang_error *error = NULL;
    const struct gang_diagnostic *finding;
    uint64_t enough = least_steps((enum step_call)_i);
    char message[64];

    ck_assert_int_eq(run_with_steps((enum step_call)_i, enough, NULL), GANG_OK);
    ck_assert_uint_gt(enough, 1);
    ck_assert_int_eq(run_with_steps((enum step_call)_i, enough - 1, &error), GANG_ERROR_LIMIT);
    finding = gang_error_get_diagnostic(error, 0);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(finding), GANG_CODE_LIMIT_STEPS);
    ck_assert_int_eq(gang_diagnostic_get_document(finding), GANG_DOCUMENT_JOB);
    ck_assert_str_eq(gang_diagnostic_get_kind(finding), "GangJob");
    ck_assert_str_eq(gang_diagnostic_get_name(finding), "job");
    snprintf(message, sizeof(message), "steps: more than the limit of %d", (int)enough - 1);
    ck_assert_str_eq(gang_diagnostic_get_message(finding), message);
    gang_error_free(error);
}
END_TEST

/* ---- version ---- */

START_TEST(the_number_is_that_of_the_header)
{
    ck_assert_uint_eq(gang_version() / 1000000, GANG_VERSION_MAJOR);
    ck_assert_uint_eq(gang_version() / 1000 % 1000, GANG_VERSION_MINOR);
    ck_assert_uint_eq(gang_version() % 1000, GANG_VERSION_PATCH);
}
END_TEST

/* Each as it is in `#if`, of the version of the headers and of its neighbours. */
START_TEST(headers_are_at_least_of_their_version)
{
#if !GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR, GANG_VERSION_PATCH)
    ck_abort_msg("the version itself");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR, GANG_VERSION_PATCH + 1)
    ck_abort_msg("the next patch");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR + 1, 0)
    ck_abort_msg("the next minor version");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR + 1, 0, 0)
    ck_abort_msg("the next major version");
#endif
    ck_assert(GANG_VERSION_AT_LEAST(0, 0, 9));
}
END_TEST

START_TEST(version_text_equals_the_number)
{
    char text[64];

    snprintf(text, sizeof(text), "%d.%d.%d", GANG_VERSION_MAJOR, GANG_VERSION_MINOR,
             GANG_VERSION_PATCH);
    ck_assert_str_eq(gang_version_string(), text);
    ck_assert_str_eq(GANG_VERSION_TEXT, text);
}
END_TEST

/* A build that reports YAML reads it, and another one reports why not. */
START_TEST(yaml_is_read_or_refused_by_name)
{
    static const char text[] = "kind: GangPolicy\n";
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;
    int result = gang_stream_parse(NULL, text, sizeof(text) - 1, 0, &stream, &error);

    if (gang_has_yaml()) {
        ck_assert_int_eq(result, GANG_OK);
        ck_assert_str_eq(gang_stream_get_kind(stream, 0), "GangPolicy");
    } else {
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                         GANG_CODE_YAML_NOT_BUILT);
    }
    gang_stream_unref(stream);
    gang_error_free(error);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, too_little_memory_for_a_handle_is_a_limit);
    tcase_add_loop_test(cases, limits_above_the_ceiling_are_refused, 1, LIMIT_COUNT);
    tcase_add_test(cases, unknown_limits_are_refused);
    tcase_add_test(cases, context_copies_the_config);
    tcase_add_loop_test(cases, a_workspace_needs_a_config, 0, 4);
    tcase_add_test(cases, null_config_means_defaults);
    add_rows(cases, a_limit_is_as_documented, rows, limit, name);
    add_rows(cases, a_limit_takes_values_up_to_its_ceiling, rows, limit, name);
    tcase_add_test(cases, every_limit_is_in_the_table);
    tcase_add_loop_test(cases, one_step_too_few_names_the_document, 0, STEP_CALLS);
    tcase_add_test(cases, the_number_is_that_of_the_header);
    tcase_add_test(cases, headers_are_at_least_of_their_version);
    tcase_add_test(cases, version_text_equals_the_number);
    tcase_add_test(cases, flow_style_costs_as_much_as_block_style);
    tcase_add_test(cases, yaml_is_read_or_refused_by_name);
}
