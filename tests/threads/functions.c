/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads share one set of handles of all types, call every function of gang.h with them,
 * and drop them in no order. Each must get the answers that one thread alone gets. TAP, one line
 * for each function. functions ROUNDS FOLDER...
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "support/cases.h"
#include "support/resolve.h"

enum { MOST_FUNCTIONS = 512 };

struct shared shared;

const char *const document_kinds[6] = {"GangPolicy",   "TrainingRuntime",
                                       "PodCliqueSet", "ClusterTrainingRuntime",
                                       "Topology",     "ClusterTopologyBinding"};

static void
need(bool holds, const char *what)
{
    if (holds)
        return;
    printf("Bail out! no %s\n", what);
    exit(2);
}

/* ---- texts ---- */

static char binding_text[] =
    "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":"
    "{\"name\":\"t\",\"uid\":\"u\"},\"spec\":{\"levels\":[{\"domain\":\"zone\",\"key\":\"z\"}]}}";
static char named_binding_text[] =
    "{\"apiVersion\":\"grove.io/v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":"
    "{\"name\":\"t\"},\"spec\":{\"levels\":[{\"domain\":\"zone\",\"key\":\"z\"}],"
    "\"schedulerTopologyBindings\":[{\"schedulerName\":\"kai-scheduler\",\"topologyReference\":"
    "\"racks\"}]}}";
static char topology_text[] =
    "{\"apiVersion\":\"kai.scheduler/v1alpha1\",\"kind\":\"Topology\",\"metadata\":{\"name\":\"t\","
    "\"ownerReferences\":[{\"uid\":\"other\",\"controller\":true}]},\"spec\":{\"levels\":"
    "[{\"nodeLabel\":\"z\"}]}}";
static char pod_text[] =
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"train-0-worker-0\","
    "\"namespace\":\"team-a\",\"labels\":{\"grove.io/podgang\":\"train-0\",\"grove.io/podclique\":"
    "\"train-0-worker\"}},\"spec\":{\"containers\":[{\"name\":\"main\"}]}}";

static void
add_text(char *data, size_t len)
{
    need(shared.num_texts < MOST_HANDLES, "room for texts");
    if (data)
        shared.texts[shared.num_texts++] = (struct text){.data = data, .len = len};
}

static void
add_texts(const struct test_cases *cases)
{
    add_text(binding_text, sizeof(binding_text) - 1);
    add_text(named_binding_text, sizeof(named_binding_text) - 1);
    add_text(topology_text, sizeof(topology_text) - 1);
    add_text(pod_text, sizeof(pod_text) - 1);
    for (size_t i = 0; i < cases->count; i++) {
        const struct test_case *item = &cases->items[i];
        const struct text texts[] = {item->runtime,      item->trainjob, item->podgang,
                                     item->podcliqueset, item->policy,   item->cluster,
                                     item->live};

        for (size_t k = 0; k < COUNT(texts); k++)
            add_text(texts[k].data, texts[k].len);
    }
}

/* ---- handles ---- */

/* NULL is no handle. */
#define ADD(type)                                                                                  \
    static void add_##type(struct gang_##type *type)                                               \
    {                                                                                              \
        need(shared.type.count < MOST_HANDLES, "room for " #type);                                 \
        if (type)                                                                                  \
            shared.type.items[shared.type.count++] = type;                                         \
    }
COUNTED_TYPES(ADD)

#define ADD_BORROWED(type)                                                                         \
    static void add_##type(const struct gang_##type *type)                                         \
    {                                                                                              \
        need(shared.type.count < MOST_HANDLES, "room for " #type);                                 \
        shared.type.items[shared.type.count++] = type;                                             \
    }
BORROWED_TYPES(ADD_BORROWED)

#define TAKE_REFERENCES(type)                                                                      \
    for (size_t i = 0; i < shared.type.count; i++)                                                 \
        gang_##type##_ref(shared.type.items[i]);
#define DROP_REFERENCES(type)                                                                      \
    for (size_t i = 0; i < shared.type.count; i++)                                                 \
        gang_##type##_unref(shared.type.items[i]);

static void
take_references(void)
{
    COUNTED_TYPES(TAKE_REFERENCES)
}

static void
drop_references(void)
{
    COUNTED_TYPES(DROP_REFERENCES)
}

/* The document of a text of a case; NULL if there is none. */
static struct gang_document *
parsed(const struct text *text)
{
    struct gang_document *document = NULL;

    if (text->data &&
        gang_document_parse(shared.context.items[0], text->data, text->len, 0, &document, NULL))
        document = NULL;
    add_document(document);
    for (size_t i = 0; i < gang_document_num_diagnostics(document); i++)
        add_diagnostic(gang_document_get_diagnostic(document, i));
    return document;
}

static void
add_parsed(char *data, size_t len)
{
    parsed(&(struct text){.data = data, .len = len});
}

static void
add_live(const struct text *text)
{
    struct gang_document *live = NULL;

    if (gang_document_parse_live(shared.context.items[0], text->data, text->len, GANG_LIVE_DIAGNOSE,
                                 &live, NULL))
        live = NULL;
    add_document(live);
}

static void
add_parts(struct gang_plan *plan)
{
    add_plan(plan);
    for (size_t i = 0; i < gang_plan_num_objects(plan); i++)
        add_object(gang_plan_get_object(plan, i));
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++)
        add_patch(gang_plan_get_patch(plan, i));
    for (size_t i = 0; i < gang_plan_num_diagnostics(plan); i++)
        add_diagnostic(gang_plan_get_diagnostic(plan, i));
}

static void
add_answers(struct gang_document *job, const struct gang_inputs *inputs)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_blob *blob = NULL;

    if (!job || (gang_resolve(NULL, job, inputs, 0, &decision, NULL) && !decision))
        return;
    add_decision(decision);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        add_diagnostic(gang_decision_get_diagnostic(decision, i));
    if (gang_render(NULL, decision, 0, &plan, NULL) == GANG_OK)
        add_parts(plan);
    if (plan && gang_plan_serialize(NULL, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0, &blob,
                                    NULL) == GANG_OK)
        add_live(&(struct text){.data = (char *)(size_t)gang_blob_get_data(blob, NULL),
                                .len = strlen(gang_blob_get_data(blob, NULL))});
    add_blob(blob);
}

/* The documents that every thread makes its inputs of. */
static struct gang_document *documents_of_case[MOST_CASES][4];

static void
add_case(size_t number, const struct test_case *item)
{
    struct gang_document **documents = documents_of_case[number];
    struct gang_document *trainjob = parsed(&item->trainjob);
    struct gang_document *podgang = parsed(&item->podgang);
    struct gang_inputs *inputs;
    struct gang_stream *stream = NULL;

    documents[0] = parsed(&item->runtime);
    documents[1] = parsed(&item->podcliqueset);
    documents[2] = parsed(&item->policy);
    documents[3] = parsed(&item->cluster);
    inputs = inputs_of(documents, COUNT(documents_of_case[number]));
    add_answers(trainjob ? trainjob : podgang, inputs);
    gang_inputs_free(inputs);
    if (item->live.data)
        add_live(&item->live);
    if (item->file_count && gang_stream_parse(NULL, item->files[0].data, item->files[0].len, 0,
                                              &stream, NULL) == GANG_OK)
        add_stream(stream);
}

static void
add_handles(const struct test_cases *cases)
{
    struct gang_context *context = NULL;

    need(gang_context_new(NULL, &context) == GANG_OK, "context");
    add_context(context);
    for (size_t i = 0; i < cases->count; i++)
        add_case(i, &cases->items[i]);
    add_parsed(binding_text, sizeof(binding_text) - 1);
    add_parsed(named_binding_text, sizeof(named_binding_text) - 1);
    add_live(&(struct text){.data = topology_text, .len = sizeof(topology_text) - 1});
}

/* ---- what a thread has of its own ---- */

struct gang_config *
fresh_config(void)
{
    struct gang_config *config = gang_config_new();

    need(config != NULL, "config");
    return config;
}

/* The documents of the first case, which are shared. */
struct gang_inputs *
fresh_inputs(void)
{
    return inputs_of(documents_of_case[0], COUNT(documents_of_case[0]));
}

struct gang_error *
fresh_error(void)
{
    static const char text[] = "{\"apiVersion\":\"v1\",\"kind\":\"Job\"}";
    struct gang_document *document;
    struct gang_error *error;

    need(gang_document_parse(NULL, text, sizeof(text) - 1, 0, &document, &error) < 0, "error");
    return error;
}

static void
own_start(struct own *own)
{
    *own = (struct own){.config = {fresh_config()}, .error = {fresh_error()}};
    for (size_t i = 0; i < MOST_CASES; i++)
        own->inputs[i] = inputs_of(documents_of_case[i], COUNT(documents_of_case[i]));
}

static void
own_end(struct own *own)
{
    gang_config_free(own->config[0]);
    gang_error_free(own->error[0]);
    for (size_t i = 0; i < MOST_CASES; i++)
        gang_inputs_free(own->inputs[i]);
}

/* ---- results ---- */

uint64_t
take_error(uint64_t digest, struct gang_error *error)
{
    digest = digest_error(digest, error);
    gang_error_free(error);
    return digest;
}

uint64_t
take_context(uint64_t digest, struct gang_context *context)
{
    digest = digest_number(digest, context != NULL);
    gang_context_unref(context);
    return digest;
}

uint64_t
take_stream(uint64_t digest, struct gang_stream *stream)
{
    digest = digest_stream(digest, stream);
    gang_stream_unref(stream);
    return digest;
}

uint64_t
take_document(uint64_t digest, struct gang_document *document)
{
    digest = digest_number(digest, gang_document_get_type(document));
    digest = digest_text(digest, gang_document_get_name(document));
    gang_document_unref(document);
    return digest;
}

uint64_t
take_decision(uint64_t digest, struct gang_decision *decision)
{
    digest = digest_decision(digest, decision);
    gang_decision_unref(decision);
    return digest;
}

uint64_t
take_plan(uint64_t digest, struct gang_plan *plan)
{
    digest = digest_plan(digest, plan);
    gang_plan_unref(plan);
    return digest;
}

uint64_t
take_blob(uint64_t digest, struct gang_blob *blob)
{
    digest = digest_blob(digest, blob);
    gang_blob_unref(blob);
    return digest;
}

/* ---- threads ---- */

static pthread_barrier_t start;
static unsigned long rounds;
/* What one thread alone got, and whether it got something for each combination of enumerators. */
static uint64_t expected[MOST_FUNCTIONS];
static bool has_answers[MOST_FUNCTIONS];

struct worker {
    pthread_t thread;
    size_t number;
    bool differs[MOST_FUNCTIONS];
};

static struct worker workers[THREADS];

/*
 * In even rounds all threads begin with the first function, in odd rounds each with another. Only
 * the start is a barrier, because a barrier would hide a race between two functions.
 */
static void *
run_worker(void *argument)
{
    struct worker *worker = argument;
    struct own own;

    own_start(&own);
    pthread_barrier_wait(&start);
    for (unsigned long round = 0; round < rounds; round++)
        for (size_t i = 0; i < num_shared_calls; i++) {
            size_t first = round % 2 * worker->number * num_shared_calls / THREADS;
            size_t function = (first + i) % num_shared_calls;

            worker->differs[function] |= shared_calls[function].call(&own) != expected[function];
        }
    own_end(&own);
    drop_references();
    return NULL;
}

static void
run_workers(void)
{
    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        take_references();
        workers[i].number = i;
    }
    for (size_t i = 0; i < THREADS; i++)
        need(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0, "thread");
    /* From here on the threads alone keep the handles alive. */
    drop_references();
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

static void
run_alone(void)
{
    struct own own;

    own_start(&own);
    for (size_t i = 0; i < num_shared_calls; i++) {
        need(shared_calls[i].num_combinations <= MOST_COMBINATIONS, "room for combinations");
        memset(own.has_answer, 0, sizeof(own.has_answer));
        expected[i] = shared_calls[i].call(&own);
        has_answers[i] = true;
        for (int k = 0; k < shared_calls[i].num_combinations; k++)
            has_answers[i] &= own.has_answer[k];
    }
    own_end(&own);
}

/* Returns NULL if the function passed. */
static const char *
problem_of(size_t function)
{
    if (!has_answers[function])
        return ": with some arguments no call succeeded; add a handle to the test";
    for (size_t i = 0; i < THREADS; i++)
        if (workers[i].differs[function])
            return ": threads got different answers";
    return NULL;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 2, argv + 2);
    int failures = 0;

    rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (!gang_has_yaml()) {
        printf("1..0 # SKIP needs YAML\n");
        cases_free(&cases);
        return 0;
    }
    need(rounds && cases.count && cases.count <= MOST_CASES, "cases, or too many");
    need(num_shared_calls <= MOST_FUNCTIONS, "room for functions");
    add_texts(&cases);
    add_handles(&cases);
    run_alone();
    run_workers();
    for (size_t i = 0; i < num_shared_calls; i++) {
        const char *problem = problem_of(i);

        printf("%sok %zu - %s%s\n", problem ? "not " : "", i + 1, shared_calls[i].name,
               problem ? problem : "");
        failures |= problem != NULL;
    }
    printf("1..%zu\n", num_shared_calls);
    cases_free(&cases);
    return failures;
}
