/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs of the type GANG_DOCUMENT_JOB, pods, a policy and a cluster in one stream, processed up to
 * the rendered text: of each job the first and the last gang, with and without a policy. What
 * gang_job_serialize() prints must read as a job that prints the same. Equal calls must give equal
 * bytes.
 *
 * With FUZZ_COUNTS=FILE in the environment, the number of jobs of each kind is written to the file,
 * all of them and those that are valid.
 */
#include <stdio.h>

#include "fuzz/changes.h"
#include "fuzz/documents.h"
#include "libgang/jobs/job_kinds.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* ---- counts ---- */

#define COUNTED_KIND(name, ...) &name##_job_kind,
static const struct job_kind *const counted_kinds[] = {JOB_KINDS(COUNTED_KIND)};

static struct {
    uint64_t inputs; /* with a job of the kind */
    uint64_t valid;  /* jobs that were translated */
    uint64_t gangs;  /* decisions with a gang */
} counts[COUNT_OF(counted_kinds)];

static size_t
counted_index(const struct job_kind *kind)
{
    size_t i = 0;

    while (i + 1 < COUNT_OF(counted_kinds) && counted_kinds[i] != kind)
        i++;
    return i;
}

static void
write_counts(void)
{
    const char *path = getenv("FUZZ_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (!file)
        return;
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        fprintf(file, "%-18.*s %10llu inputs %10llu valid jobs %10llu gangs\n",
                (int)counted_kinds[i]->kind.len, counted_kinds[i]->kind.data,
                (unsigned long long)counts[i].inputs, (unsigned long long)counts[i].valid,
                (unsigned long long)counts[i].gangs);
    fclose(file);
}

/* Counts the kinds whose front ends this input reaches. The file is written now and then. */
static void
count_input(const struct gang_stream *stream)
{
    static uint64_t num_inputs;
    bool seen[COUNT_OF(counts)] = {false};

    for (size_t i = 0; i < gang_stream_num_documents(stream); i++) {
        const struct job_kind *kind =
            job_kind_find(slice_from_text(gang_stream_get_api_version(stream, i)),
                          slice_from_text(gang_stream_get_kind(stream, i)));

        if (kind)
            seen[counted_index(kind)] = true;
    }
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        counts[i].inputs += seen[i];
    if (++num_inputs % 16384 == 0)
        write_counts();
}

/* ---- gangs ---- */

/* The policy of a stream without one: the size of the text says which. */
static struct gang_document *
usual_policy(size_t size)
{
    static const char *const backends[] = {"coscheduling", "volcano",     "kai",
                                           "workload",     "koordinator", "yunikorn"};
    static struct gang_document *policies[COUNT_OF(backends)];
    struct gang_document **policy = &policies[size % COUNT_OF(backends)];
    char text[256];
    int len;

    if (*policy)
        return *policy;
    len = snprintf(text, sizeof(text),
                   "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
                   "\"metadata\":{\"name\":\"p\"},\"spec\":{\"defaultBackend\":\"%s\"}}",
                   backends[size % COUNT_OF(backends)]);
    must(gang_document_parse(NULL, text, (size_t)len, 0, policy, NULL) == GANG_OK);
    return *policy;
}

/* The first policy of the stream, or the usual one. */
static struct gang_document *
policy_in(const struct documents *documents)
{
    struct gang_document *policy = documents_first(documents, GANG_DOCUMENT_POLICY);

    return policy ? policy : usual_policy(documents->size);
}

/* Resolves one gang of the job with the policy, which may be NULL, and the first cluster. */
static int
resolve_gang(const struct documents *documents, struct gang_document *policy,
             struct gang_document *job, uint64_t gang, struct gang_decision **decision,
             struct gang_error **error)
{
    struct gang_inputs *inputs = inputs_of(
        (struct gang_document *[]){policy, documents_first(documents, GANG_DOCUMENT_CLUSTER)}, 2);
    int code;

    must(gang_inputs_set_gang_index(inputs, gang) == GANG_OK);
    code = gang_resolve(NULL, job, inputs, 0, decision, error);
    gang_inputs_free(inputs);
    return code;
}

static void
check_gang(const struct documents *documents, struct gang_document *policy,
           struct gang_document *job, uint64_t gang)
{
    const size_t kind = counted_index(job_document_of(job)->kind);
    struct gang_decision *decision;
    struct gang_error *error;
    int code = resolve_gang(documents, policy, job, gang, &decision, &error);

    counts[kind].gangs += gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG;
    check_decision(documents, code, decision, error);
}

/* ---- roles ---- */

/* NULL if the gang is not printed: the job is invalid there, or a limit is reached. */
static struct gang_blob *
printed_job(const struct gang_document *job, uint64_t gang)
{
    struct gang_error *error;
    struct gang_blob *blob;
    int code = gang_job_serialize(NULL, job, gang, GANG_FORMAT_JSON, 0, &blob, &error);

    return must_agree(code, blob, error) ? blob : NULL;
}

/* The first members of the spec of a printed job: each names what need not exist. */
static const char *const wishes[] = {
    "\"backend\":\"a\",",
    "\"backend\":\"kai\",\"queue\":\"a\",",
    "\"backend\":\"volcano\",\"queue\":\"a\",\"priorityClassName\":\"a\",",
    "\"backend\":\"workload\",\"topology\":{\"name\":\"a\",\"required\":\"a\"},",
};

/* Resolves a printed job that asks for more, which is no job if it asked for this before. */
static void
check_wish(const struct documents *documents, const char *text)
{
    static const char before[] = "\"spec\":{";
    const char *wish = wishes[documents->size / 4 % COUNT_OF(wishes)];
    const char *spec = strstr(text, before);
    const size_t size = strlen(text) + strlen(wish) + 1;
    char *wished = malloc(size);
    struct gang_document *job = NULL;

    must(spec && wished);
    spec += strlen(before);
    snprintf(wished, size, "%.*s%s%s", (int)(spec - text), text, wish, spec);
    if (gang_document_parse(NULL, wished, strlen(wished), 0, &job, NULL) == GANG_OK) {
        check_gang(documents, policy_in(documents), job, 0);
        check_gang(documents, NULL, job, 0);
    }
    gang_document_unref(job);
    free(wished);
}

/* A job of another kind can have more roles and other names than a GangJob may have. */
static void
check_roles(const struct documents *documents, const struct gang_document *job, uint64_t gang)
{
    struct gang_blob *blob = printed_job(job, gang);
    struct gang_blob *again = NULL;
    struct gang_document *read = NULL;
    size_t len = 0;
    const char *text = blob ? gang_blob_get_data(blob, &len) : NULL;

    if (blob && gang_document_parse(NULL, text, len, 0, &read, NULL) == GANG_OK) {
        must(gang_document_get_type(read) == GANG_DOCUMENT_JOB);
        must(gang_document_num_gangs(read) >= 1);
        again = printed_job(read, 0);
        must(again != NULL);
        if (gang_document_num_gangs(read) == 1)
            must_be_equal(blob, again);
        if (documents->size % 4 == 0)
            check_wish(documents, text);
    }
    gang_document_unref(read);
    gang_blob_unref(again);
    gang_blob_unref(blob);
}

/* A gang that the job does not have must be refused. */
static void
check_no_gang(const struct documents *documents, struct gang_document *job, uint64_t gang)
{
    struct gang_decision *decision;
    struct gang_error *error;
    struct gang_blob *blob;
    int code = resolve_gang(documents, policy_in(documents), job, gang, &decision, &error);

    must(code == GANG_ERROR_INVALID && !decision);
    must(!must_agree(code, decision, error));
    code = gang_job_serialize(NULL, job, gang, GANG_FORMAT_JSON, 0, &blob, &error);
    must(!must_agree(code, blob, error));
}

static void
check_job(const struct documents *documents, struct gang_document *job)
{
    const uint64_t count = gang_document_num_gangs(job);

    counts[counted_index(job_document_of(job)->kind)].valid++;
    check_gang(documents, policy_in(documents), job, 0);
    check_gang(documents, NULL, job, 0);
    check_no_gang(documents, job, count ? count : 1);
    if (count)
        check_roles(documents, job, 0);
    if (count > 1) {
        check_gang(documents, policy_in(documents), job, count - 1);
        check_roles(documents, job, count - 1);
    }
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    know_as_written(data, size);
    return change_document(data, size, max_size, seed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct documents documents;

    if (!documents_open(&documents, data, size))
        return 0;
    documents.most_objects = SIZE_MAX;
    count_input(documents.stream);
    for (size_t i = 0; i < documents.num_typed[GANG_DOCUMENT_JOB]; i++)
        check_job(&documents, documents.typed[GANG_DOCUMENT_JOB][i]);
    documents_close(&documents);
    return 0;
}
