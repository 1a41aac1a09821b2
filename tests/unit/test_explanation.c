/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cli/explain.py has the text of whole jobs. */
#include "unit/plans.h"
#include "unit/suite.h"

static const char denying_policy[] =
    "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangPolicy',\n"
    " 'metadata': {'name': 'lab'}, 'spec': {'rules': [\n"
    "  {'name': 'large', 'match': {'minNodes': 9}, 'backend': 'kai'},\n"
    "  {'name': 'closed', 'match': {}, 'action': 'Deny', 'message': 'no \\u202ejobs'}]}}\n";

/* A document and where it is; the name is NULL for a document by itself. */
struct told {
    const char *text;
    const char *name;
    uint32_t line;
    uint32_t column;
};

static struct gang_document *
read_told(const struct told *told)
{
    struct gang_document *document = NULL;
    char text[DOCUMENT_SIZE];

    spell(text, told->text);
    ck_assert_int_eq(gang_document_parse_named(NULL, text, strlen(text), told->name, told->line,
                                               told->column, 0, &document, NULL),
                     GANG_OK);
    return document;
}

/* The decision about the first of these documents; it may be refused. */
static struct gang_decision *
decide_told(const struct told *told, size_t count)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_document *job = read_told(told);
    struct gang_decision *decision = NULL;
    int result;

    for (size_t i = 1; i < count && told[i].text; i++) {
        struct gang_document *document = read_told(&told[i]);

        ck_assert_int_eq(gang_inputs_add(inputs, document), GANG_OK);
        gang_document_unref(document);
    }
    result = gang_resolve(NULL, job, inputs, 0, &decision, NULL);
    ck_assert_ptr_nonnull(decision);
    ck_assert(result == GANG_OK || result == GANG_ERROR_DENIED || result == GANG_ERROR_INVALID);
    gang_document_unref(job);
    gang_inputs_free(inputs);
    return decision;
}

static struct gang_blob *
explain_decision(const struct gang_decision *decision, uint32_t flags)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_decision_serialize(NULL, decision, GANG_FORMAT_TEXT, flags, &blob, NULL),
                     GANG_OK);
    return blob;
}

static const char odd_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainJob', 'odd': 1,\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml'},\n"
    " 'spec': {'runtimeRef': {'kind': 'TrainingRuntime', 'name': 'plain'}}}\n";

static const char odd_runtime[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1', 'kind': 'TrainingRuntime', 'odd': 1,\n"
    " 'metadata': {'name': 'plain', 'namespace': 'ml'}, 'spec': {'mlPolicy': {'numNodes': 2},\n"
    " 'template': {'spec': {'replicatedJobs': [{'name': 'node', 'template': {'spec': {\n"
    " 'template': {'spec': {'containers': [{'name': 'node', 'image': 'i'}]}}}}}]}}}}\n";

#define VERBOSE GANG_SERIALIZE_VERBOSE
#define ALONE(text)                                                                                \
    {                                                                                              \
        text, NULL, 1, 1                                                                           \
    }

static const struct {
    struct told documents[3];
    uint32_t flags;
    const char *shown;     /* in this order, split at the bars */
    const char *not_shown; /* NULL: nothing */
} told_jobs[] = {
    {{ALONE(tune_trainjob), ALONE(tune_runtime)},
     0,
     "TrainJob ml/llama  runtime ClusterTrainingRuntime/tune  policy none\n"
     "OUTCOME   GANG: set in the runtime's podGroupPolicy (0 errors, 0 warnings)\n",
     "GANG006"},
    {{ALONE(tune_trainjob), ALONE(tune_runtime)}, VERBOSE, "|priority  none |GANG006 ", ".yaml"},
    {{ALONE(tune_trainjob), ALONE(tune_runtime)},
     0,
     "members   1 = node 1     members: Auto\n"
     "outside   2 = dataset-initializer 1 + model-initializer 1     not in the gang: not counted, "
     "no labels\n"
     "minimum   1 of 3 pods start together or not at all\n"
     "resources nvidia.com/gpu 2\n"
     "order     stage 0  dataset-initializer 1\n"
     "                   model-initializer 1\n"
     "           v Complete\n"
     "          stage 1  node 1                 after dataset-initializer is Complete, "
     "model-initializer is Complete\n",
     "objects"},
    {{ALONE(tune_trainjob), ALONE(tune_runtime), ALONE(compatibility_policy)},
     0,
     "policy lab@|  compatibility KubeflowTrainer\n|GANG012 ",
     NULL},
    {{ALONE(plain_trainjob), ALONE(plain_runtime), ALONE(denying_policy)},
     0,
     "OUTCOME   DENIED: |no \\xe2\\x80\\xaejobs|no match  rule large: match.minNodes: the job has "
     "2 "
     "nodes\n",
     "minimum"},
    /* places are those of the file, and sources have theirs */
    {{{tune_trainjob, "a.yaml", 101, 1}, {tune_runtime, "b.yaml", 11, 1}},
     VERBOSE,
     "runtime podGroupPolicy.volcano [b.yaml:16]  over: |info      GANG006 |"
     "info      GANG004 b.yaml:18:4 ",
     NULL},
    /* by file and line, whatever the types of the documents are */
    {{{odd_trainjob, "a.yaml", 1, 1}, {odd_runtime, "a.yaml", 5, 1}},
     0,
     "(0 errors, 2 warnings)|warning   GANG301 a.yaml:1:69 odd: |warning   GANG301 a.yaml:5:76 odd",
     NULL},
    {{{odd_trainjob, "a.yaml", 5, 1}, {odd_runtime, "a.yaml", 1, 1}},
     0,
     "|warning   GANG301 a.yaml:1:76 odd: |warning   GANG301 a.yaml:5:69 odd",
     NULL},
    {{{odd_trainjob, "a.yaml", 5, 1}, {odd_runtime, "b.yaml", 1, 1}},
     0,
     "|warning   GANG301 a.yaml:5:69 odd: |warning   GANG301 b.yaml:1:76 odd",
     NULL},
    {{{odd_trainjob, "c.yaml", 5, 1}, {odd_runtime, "b.yaml", 1, 1}},
     0,
     "|warning   GANG301 b.yaml:1:76 odd: |warning   GANG301 c.yaml:5:69 odd",
     NULL},
    /* behind other characters on its first line, not on the second */
    {{{odd_trainjob, "a.json", 7, 31}, {odd_runtime, NULL, 1, 1}},
     0,
     "|warning   GANG301 odd: |warning   GANG301 a.json:7:99 odd: ",
     NULL},
    {{{odd_trainjob, "a.json", 7, 31}, {odd_runtime, NULL, 1, 1}},
     VERBOSE,
     "|info      GANG005 a.json:9:25 spec.runtimeRef.apiGroup:",
     NULL},
    {{{odd_trainjob, "\x1b[31m\n.yaml", 1, 1}, {odd_runtime, "b.yaml", 1, 1}},
     0,
     "|\\x1b[31m\\x0a.yaml:1:69 odd",
     "\x1b"},
};

/* Returns where the text behind all of `parts` starts, which must be there in this order. */
static void
check_order(const char *text, const char *parts)
{
    const char *at = text;
    char part[DOCUMENT_SIZE];

    while (*parts) {
        const size_t len = strcspn(parts, "|");

        snprintf(part, sizeof(part), "%.*s", (int)len, parts);
        at = strstr(at, part);
        ck_assert_msg(at != NULL, "\"%s\" is not there, or earlier, in:\n%s", part, text);
        at += len;
        parts += len + (parts[len] == '|');
    }
}

START_TEST(says_what_was_decided_and_why)
{
    struct gang_decision *decision = decide_told(told_jobs[_i].documents, 3);
    struct gang_blob *blob = explain_decision(decision, told_jobs[_i].flags);
    const char *text = gang_blob_get_data(blob, NULL);

    check_order(text, told_jobs[_i].shown);
    if (told_jobs[_i].not_shown)
        ck_assert_msg(!strstr(text, told_jobs[_i].not_shown), "%s", text);
    gang_blob_unref(blob);
    gang_decision_unref(decision);
}
END_TEST

/* What is rendered is behind the start order, and the rest is the same. */
START_TEST(a_plan_adds_its_objects)
{
    const struct told documents[] = {ALONE(tune_trainjob), ALONE(tune_runtime)};
    struct gang_decision *decision = decide_told(documents, 2);
    struct gang_blob *alone = explain_decision(decision, 0);
    const char *found = "objects   Create scheduling.volcano.sh/v1beta1 PodGroup llama\n";
    struct gang_blob *blob = NULL;
    struct gang_plan *plan = NULL;
    char text[DOCUMENT_SIZE];
    char *at;

    ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
    blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_TEXT);
    snprintf(text, sizeof(text), "%s", gang_blob_get_data(blob, NULL));
    at = strstr(text, found);
    ck_assert_ptr_nonnull(at);
    memmove(at, at + strlen(found), strlen(at + strlen(found)) + 1);
    ck_assert_str_eq(text, gang_blob_get_data(alone, NULL));
    gang_blob_unref(alone);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}
END_TEST

/* The lines of diagnostics are those of the text. */
START_TEST(a_name_changes_no_diagnostic)
{
    const struct told documents[] = {{odd_trainjob, "a.yaml", 50, 9}, {odd_runtime, "b", 9, 9}};
    struct gang_decision *decision = decide_told(documents, 2);
    size_t found = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *is = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(is) != GANG_SEVERITY_WARNING)
            continue;
        ck_assert_uint_eq(gang_diagnostic_get_line(is), 1);
        found++;
    }
    ck_assert_uint_eq(found, 2);
    gang_decision_unref(decision);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, says_what_was_decided_and_why, told_jobs, shown, not_shown);
    tcase_add_test(cases, a_plan_adds_its_objects);
    tcase_add_test(cases, a_name_changes_no_diagnostic);
}
