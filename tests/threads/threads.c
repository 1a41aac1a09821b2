/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads share the handles of one job and drop them in no order; each must read the same
 * bytes. TAP, one line for each folder of documents. Under ThreadSanitizer this shows that nothing
 * is written after it was handed out. threads ROUNDS FOLDER...
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <gang/gang.h>

#include "support/cases.h"
#include "support/digest.h"
#include "support/resolve.h"

/* What the threads share. Every thread owns one reference to each handle. */
struct shared {
    const struct test_case *input;
    unsigned long rounds;
    pthread_barrier_t start;
    struct gang_context *context;
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_document *podgang;
    struct gang_document *sibling; /* another PodGang of the same text */
    struct gang_document *podcliqueset;
    struct gang_document *topology;
    struct gang_document *named_topology;
    struct gang_document *policy;
    struct gang_document *cluster;
    struct gang_document *live; /* the objects that exist, or those of the plan itself */
    struct gang_document *live_topology;
    struct gang_decision *decision;
    struct gang_plan *plan;
    uint64_t plan_digest; /* what one thread alone read */
    uint64_t resolve_digest;
    uint64_t reconcile_digest;
    uint64_t diagnose_digest;
    uint64_t parse_digest;
    uint64_t topology_digest;
};

/* Takes over the blob, which is NULL after a failure. */
static uint64_t
digest_written(uint64_t digest, int code, struct gang_blob *blob)
{
    digest = digest_blob(digest_number(digest, code), blob);
    gang_blob_unref(blob);
    return digest;
}

/* Everything that can be written of a plan and its decision. */
static uint64_t
digest_texts(const struct gang_decision *decision, const struct gang_plan *plan, int format)
{
    uint64_t digest = DIGEST_START;
    struct gang_error *error;
    struct gang_blob *blob;
    int code;

    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
        code = gang_plan_serialize(NULL, plan, target, format, 0, &blob, &error);
        digest = digest_error(digest_written(digest, code, blob), error);
        gang_error_free(error);
    }
    code = gang_decision_serialize(NULL, decision, format, 0, &blob, NULL);
    digest = digest_written(digest, code, blob);
    for (int of_people = GANG_FORMAT_SVG; of_people <= GANG_FORMAT_HTML; of_people++) {
        code = gang_decision_serialize(NULL, decision, of_people, 0, &blob, NULL);
        digest = digest_written(digest, code, blob);
    }
    for (size_t i = 0; i < gang_plan_num_objects(plan); i++) {
        code = gang_object_serialize(NULL, gang_plan_get_object(plan, i), format, 0, &blob, NULL);
        digest = digest_written(digest, code, blob);
    }
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++) {
        code = gang_patch_serialize(NULL, gang_plan_get_patch(plan, i), format, 0, &blob, NULL);
        digest = digest_written(digest, code, blob);
    }
    return digest;
}

static uint64_t
digest_answers(const struct gang_decision *decision, const struct gang_plan *plan)
{
    uint64_t digest = digest_plan(digest_decision(DIGEST_START, decision), plan);

    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++)
        digest = digest_number(digest, (int64_t)digest_texts(decision, plan, format));
    return digest;
}

static int
resolve(const struct shared *shared, struct gang_decision **decision, struct gang_error **error)
{
    struct gang_document *inputs[] = {shared->runtime, shared->podcliqueset,
                                      shared->sibling, shared->podgang ? shared->topology : NULL,
                                      shared->policy,  shared->cluster};

    return resolve_job(shared->context, shared->trainjob ? shared->trainjob : shared->podgang,
                       inputs, sizeof(inputs) / sizeof(inputs[0]), 0, decision, error);
}

static uint64_t
digest_resolve(const struct shared *shared)
{
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_error *error;
    uint64_t digest = DIGEST_START;

    digest = digest_number(digest, resolve(shared, &decision, &error));
    digest = digest_decision(digest_error(digest, error), decision);
    gang_error_free(error);
    if (gang_render(shared->context, decision, 0, &plan, NULL) == GANG_OK)
        digest = digest_number(digest, (int64_t)digest_answers(decision, plan));
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    return digest;
}

/* The plan with the objects that exist, or with what it is itself once it is applied. */
static uint64_t
digest_reconcile(const struct shared *shared)
{
    struct gang_plan *plan = NULL;
    struct gang_error *error;
    uint64_t digest = DIGEST_START;

    digest = digest_number(
        digest, gang_reconcile(shared->context, shared->plan, shared->live, 0, &plan, &error));
    digest = digest_error(digest, error);
    gang_error_free(error);
    if (plan)
        digest = digest_number(digest, (int64_t)digest_answers(shared->decision, plan));
    gang_plan_unref(plan);
    return digest;
}

/* Why the gang does not start, of the objects that exist, and as a picture. */
static uint64_t
digest_diagnose(const struct shared *shared)
{
    struct gang_document *given[] = {shared->runtime, shared->policy, shared->cluster};
    struct gang_inputs *inputs = inputs_of(given, sizeof(given) / sizeof(given[0]));
    uint64_t digest = DIGEST_START;

    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_SVG; format++) {
        struct gang_blob *blob = NULL;
        int code =
            gang_diagnose(shared->context, shared->trainjob ? shared->trainjob : shared->podgang,
                          inputs, shared->live, NULL, format, 0, &blob, NULL);

        digest = digest_written(digest, code, blob);
    }
    gang_inputs_free(inputs);
    return digest;
}

static const char a_topology[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\",\"uid\":\"u\"},"
    "\"spec\":{\"levels\":[{\"domain\":\"zone\",\"key\":\"z\"}]}}";
static const char a_named_topology[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\"},\"spec\":{"
    "\"levels\":"
    "[{\"domain\":\"zone\",\"key\":\"z\"}],\"schedulerTopologyBindings\":"
    "[{\"schedulerName\":\"kai-scheduler\",\"topologyReference\":\"racks\"}]}}";
static const char a_live_topology[] =
    "{\"apiVersion\":\"kai.scheduler/"
    "v1alpha1\",\"kind\":\"Topology\",\"metadata\":{\"name\":\"t\",\"ownerReferences\":"
    "[{\"uid\":\"other\",\"controller\":true}]},\"spec\":{\"levels\":[{\"nodeLabel\":\"z\"}]}}";

/* The Topology of the binding, and what is to be done with another owner's. */
static uint64_t
digest_topology(const struct shared *shared)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error;
    int action;
    uint64_t digest = DIGEST_START;

    digest = digest_number(digest, gang_topologybinding_serialize(
                                       NULL, shared->topology, GANG_FORMAT_JSON, 0, &blob, NULL));
    digest = digest_blob(digest, blob);
    gang_blob_unref(blob);
    digest = digest_number(digest,
                           gang_topologybinding_compare(shared->context, shared->topology,
                                                        shared->live_topology, 0, &action, &error));
    digest = digest_number(digest_error(digest, error), action);
    gang_error_free(error);
    digest =
        digest_number(digest, gang_topologybinding_check(shared->context, shared->named_topology,
                                                         shared->policy, 0, &error));
    digest = digest_text(digest_error(digest, error),
                         gang_document_get_reference(shared->named_topology, "Topology"));
    gang_error_free(error);
    return digest;
}

static uint64_t
digest_parse(const struct shared *shared)
{
    const struct text *text = &shared->input->trainjob;
    const struct text *of_grove = &shared->input->podgang;
    struct gang_document *trainjob;
    struct gang_document *podgang;
    struct gang_error *error;
    uint64_t digest = DIGEST_START;

    digest = digest_number(
        digest, gang_document_parse(shared->context, text->data, text->len, 0, &trainjob, &error));
    digest = digest_text(digest_error(digest, error), gang_document_get_name(trainjob));
    gang_error_free(error);
    gang_document_unref(trainjob);
    digest = digest_number(digest, gang_document_parse(shared->context, of_grove->data,
                                                       of_grove->len, 0, &podgang, &error));
    digest = digest_text(digest_error(digest, error), gang_document_get_name(podgang));
    gang_error_free(error);
    gang_document_unref(podgang);
    return digest;
}

static void
take_references(struct shared *shared)
{
    gang_context_ref(shared->context);
    gang_document_ref(shared->runtime);
    gang_document_ref(shared->trainjob);
    gang_document_ref(shared->podgang);
    gang_document_ref(shared->sibling);
    gang_document_ref(shared->podcliqueset);
    gang_document_ref(shared->topology);
    gang_document_ref(shared->named_topology);
    gang_document_ref(shared->policy);
    gang_document_ref(shared->cluster);
    gang_document_ref(shared->live);
    gang_document_ref(shared->live_topology);
    gang_decision_ref(shared->decision);
    gang_plan_ref(shared->plan);
}

static void
drop_references(struct shared *shared)
{
    gang_plan_unref(shared->plan);
    gang_decision_unref(shared->decision);
    gang_document_unref(shared->policy);
    gang_document_unref(shared->cluster);
    gang_document_unref(shared->live);
    gang_document_unref(shared->live_topology);
    gang_document_unref(shared->topology);
    gang_document_unref(shared->named_topology);
    gang_document_unref(shared->podcliqueset);
    gang_document_unref(shared->podgang);
    gang_document_unref(shared->sibling);
    gang_document_unref(shared->trainjob);
    gang_document_unref(shared->runtime);
    gang_context_unref(shared->context);
}

/* Returns its argument when every answer was the expected one, else NULL. */
static void *
run_thread(void *argument)
{
    struct shared *shared = argument;
    bool equal = true;

    pthread_barrier_wait(&shared->start);
    for (unsigned long round = 0; round < shared->rounds; round++) {
        equal &= digest_answers(shared->decision, shared->plan) == shared->plan_digest;
        equal &= digest_resolve(shared) == shared->resolve_digest;
        equal &= digest_reconcile(shared) == shared->reconcile_digest;
        equal &= digest_diagnose(shared) == shared->diagnose_digest;
        equal &= digest_parse(shared) == shared->parse_digest;
        equal &= digest_topology(shared) == shared->topology_digest;
        take_references(shared);
        drop_references(shared);
    }
    drop_references(shared);
    return equal ? shared : NULL;
}

static bool
run_threads(struct shared *shared)
{
    pthread_t threads[THREADS];
    bool equal = true;

    pthread_barrier_init(&shared->start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        take_references(shared);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run_thread, shared) != 0)
            exit(2);
    /* From here on the threads alone keep the handles alive. */
    drop_references(shared);
    for (int i = 0; i < THREADS; i++) {
        void *answer;

        pthread_join(threads[i], &answer);
        equal &= answer != NULL;
    }
    pthread_barrier_destroy(&shared->start);
    return equal;
}

static bool
prepare_job(struct shared *shared)
{
    const struct text *runtime = &shared->input->runtime;
    const struct text *trainjob = &shared->input->trainjob;

    /* a job of another kind is a case for what exists of it */
    return (!runtime->data ? shared->input->live.data != NULL
                           : gang_document_parse(shared->context, runtime->data, runtime->len, 0,
                                                 &shared->runtime, NULL) == GANG_OK) &&
           gang_document_parse(shared->context, trainjob->data, trainjob->len, 0, &shared->trainjob,
                               NULL) == GANG_OK;
}

static bool
prepare_grove(struct shared *shared)
{
    const struct text *podgang = &shared->input->podgang;
    const struct text *set = &shared->input->podcliqueset;

    return gang_document_parse(shared->context, podgang->data, podgang->len, 0, &shared->podgang,
                               NULL) == GANG_OK &&
           gang_document_parse(shared->context, podgang->data, podgang->len, 0, &shared->sibling,
                               NULL) == GANG_OK &&
           (!set->data || gang_document_parse(shared->context, set->data, set->len, 0,
                                              &shared->podcliqueset, NULL) == GANG_OK);
}

static bool
prepare_live(struct shared *shared)
{
    struct text live = shared->input->live;
    struct gang_blob *own = NULL;
    bool is_read;

    if (!live.data && gang_plan_serialize(NULL, shared->plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON,
                                          0, &own, NULL) == GANG_OK)
        live.data = (char *)(size_t)gang_blob_get_data(own, &live.len);
    is_read =
        gang_document_parse_live(shared->context, live.data, live.len, GANG_LIVE_DIAGNOSE,
                                 &shared->live, NULL) == GANG_OK &&
        gang_document_parse_live(shared->context, a_live_topology, sizeof(a_live_topology) - 1, 0,
                                 &shared->live_topology, NULL) == GANG_OK;
    gang_blob_unref(own);
    return is_read;
}

/* False when the documents do not lead to a plan. */
static bool
prepare(struct shared *shared)
{
    const struct test_case *input = shared->input;

    return gang_context_new(NULL, &shared->context) == GANG_OK &&
           (!input->policy.data ||
            gang_document_parse(shared->context, input->policy.data, input->policy.len, 0,
                                &shared->policy, NULL) == GANG_OK) &&
           (!input->cluster.data ||
            gang_document_parse(shared->context, input->cluster.data, input->cluster.len, 0,
                                &shared->cluster, NULL) == GANG_OK) &&
           gang_document_parse(shared->context, a_topology, sizeof(a_topology) - 1, 0,
                               &shared->topology, NULL) == GANG_OK &&
           gang_document_parse(shared->context, a_named_topology, sizeof(a_named_topology) - 1, 0,
                               &shared->named_topology, NULL) == GANG_OK &&
           (input->podgang.data ? prepare_grove(shared) : prepare_job(shared)) &&
           (resolve(shared, &shared->decision, NULL) == GANG_OK || shared->decision) &&
           gang_render(shared->context, shared->decision, 0, &shared->plan, NULL) == GANG_OK &&
           prepare_live(shared);
}

/* Fewer bytes than the threads have in use, so a block is kept, used again and freed. */
enum { WORKSPACE_BYTES = 64 * 1024 };

/* What the threads call with. The answers were those of a context without a workspace. */
static bool
add_workspace(struct shared *shared)
{
    struct gang_config *config = gang_config_new();
    bool is_made;

    gang_context_unref(shared->context);
    shared->context = NULL;
    is_made = config && gang_config_set_workspace(config, WORKSPACE_BYTES) == GANG_OK &&
              gang_context_new(config, &shared->context) == GANG_OK;
    gang_config_free(config);
    return is_made;
}

int
main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    struct test_cases cases = cases_load(argc - 2, argv + 2);
    size_t number = 0;
    int failures = 0;

    for (size_t i = 0; i < cases.count; i++) {
        struct shared shared = {.input = &cases.items[i], .rounds = rounds};

        if (!prepare(&shared)) {
            drop_references(&shared);
            continue;
        }
        shared.plan_digest = digest_answers(shared.decision, shared.plan);
        shared.resolve_digest = digest_resolve(&shared);
        shared.reconcile_digest = digest_reconcile(&shared);
        shared.diagnose_digest = digest_diagnose(&shared);
        shared.parse_digest = digest_parse(&shared);
        shared.topology_digest = digest_topology(&shared);
        if (add_workspace(&shared) && run_threads(&shared)) {
            printf("ok %zu - %s\n", ++number, cases.items[i].name);
        } else {
            printf("not ok %zu - %s: threads read different bytes\n", ++number,
                   cases.items[i].name);
            failures++;
        }
    }
    printf("1..%zu\n", number);
    cases_free(&cases);
    return failures || !number || !rounds;
}
