/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs each step of a use of the library repeatedly with a different failing allocation, once alone
 * and once with all that follow. The call must return GANG_ERROR_NO_MEMORY and no result, must not
 * leak, and the same step must succeed afterwards. TAP, one line for each folder of documents. oom
 * SHARE SHARES FOLDER... of every SHARES cases that with the number SHARE, from 0
 *
 * Two allocations from one place of the code fail in the same way, so of each folder the first from
 * each place fails, and every one in a tenth of the folders, which SEED in the environment chooses
 * (1). With FEW_SEEDS the first from each place in all folders of the share, and every one in a
 * hundredth. With EVERY_ALLOCATION every one in every folder.
 *
 * Then the calls that answer get a context with a low limit, and a higher one each time, until it
 * is enough. The call must return GANG_ERROR_LIMIT, or the same answer as without it. An arena that
 * may not grow fails in places where it seldom asks the allocator.
 */
#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

#include "support/allocator.h"
#include "support/cases.h"
#include "support/digest.h"

#define ITEMS_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { FUNCTIONS_MOST = 32 };

struct play;
struct handles;

/* Returns whether the run continues. */
typedef bool act_fn(struct play *play, struct handles *h);

struct play {
    const struct test_case *input;
    act_fn *act;
    struct gang_plan *plan; /* made before, for the acts that write and compare it; borrowed */
    struct gang_decision *decision; /* the same; borrowed */
    struct text live;               /* what exists, for the act that compares it; borrowed */
    bool wants_errors;              /* pass an error pointer */
    struct gang_context *scarce;    /* of the calls that answer, where a limit is low; borrowed */
    uint64_t digest;                /* of all that was answered */
    const char *starved;            /* the function that ran out of memory */
    const char *broken_in;          /* the function that violated a guarantee, and which */
    const char *broken;
};

struct handles {
    struct gang_config *config;
    struct gang_context *context;
    struct gang_stream *stream;
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_document *podgang;
    struct gang_document *sibling; /* of the same text */
    struct gang_document *topology;
    struct gang_document *podcliqueset;
    struct gang_document *policy;
    struct gang_document *cluster;
    struct gang_document *live;
    struct gang_inputs *inputs;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_plan *reconciled;
    struct gang_blob *blob;
    struct gang_error *error;
};

static struct gang_error *const untouched_error = (struct gang_error *)&allocator_counts;

static void
blame(struct play *play, const char *function, const char *promise)
{
    if (play->broken)
        return;
    play->broken_in = function;
    play->broken = promise;
}

static void
check_error(struct play *play, const char *function, int code, struct gang_error *error)
{
    if (error == untouched_error)
        blame(play, function, "leaves the error pointer as it was");
    else if (code == GANG_OK && error)
        blame(play, function, "succeeds with an error");
    else if (code != GANG_OK && gang_error_get_code(error) != code)
        blame(play, function, "returns one code and reports another");
    else if (code != GANG_OK && !gang_error_num_diagnostics(error))
        blame(play, function, "fails without a diagnostic");
}

/* Judges one call. Says whether its result can be used; after a failed allocation nothing more is
 * called. */
static bool
settle(struct play *play, const char *function, int code, const void *out, struct gang_error *error)
{
    bool has_answer = strncmp(function, "gang_resolve", strlen("gang_resolve")) == 0 &&
                      (code == GANG_ERROR_INVALID || code == GANG_ERROR_DENIED);

    bool may_have_answer = (strcmp(function, "gang_reconcile") == 0 ||
                            strcmp(function, "gang_topologybinding_compare") == 0) &&
                           code == GANG_ERROR_INVALID;

    if (!may_have_answer && (code == GANG_OK || has_answer) != (out != NULL))
        blame(play, function, out ? "fails with a result" : "succeeds without a result");
    if (play->wants_errors) {
        check_error(play, function, code, error);
        if (code != GANG_ERROR_NO_MEMORY)
            play->digest = digest_error(play->digest, error);
        gang_error_free(error);
    }
    if (code == GANG_ERROR_NO_MEMORY && play->scarce)
        blame(play, function, "calls a limit a lack of memory");
    if (code == GANG_ERROR_NO_MEMORY || (code == GANG_ERROR_LIMIT && play->scarce))
        play->starved = function;
    else
        play->digest = digest_number(play->digest, code);
    return out != NULL;
}

static struct gang_error **
error_pointer(const struct play *play, struct gang_error **error)
{
    *error = untouched_error;
    return play->wants_errors ? error : NULL;
}

/* Calls FUNCTION(arguments..., &out, &error) and checks it. False at the end of the run. */
#define CALL(play, function, out, ...)                                                             \
    do {                                                                                           \
        struct gang_error *error_;                                                                 \
        struct gang_error **pointer_ = error_pointer(play, &error_);                               \
        int code_ = function(__VA_ARGS__, &(out), pointer_);                                       \
        settle(play, #function, code_, out, error_);                                               \
        if ((play)->starved)                                                                       \
            return false;                                                                          \
    } while (0)

static bool
play_context(struct play *play, struct handles *h)
{
    int code;

    h->config = gang_config_new();
    if (!h->config) {
        play->starved = "gang_config_new";
        return false;
    }
    /* Without one for every second play: what is used again cannot fail. */
    if (gang_config_set_workspace(h->config, play->wants_errors ? 0 : 64 * 1024))
        blame(play, "gang_config_set_workspace", "refuses a config");
    code = gang_context_new(h->config, &h->context);
    if (code == GANG_ERROR_NO_MEMORY)
        play->starved = "gang_context_new";
    if ((code == GANG_OK) != (h->context != NULL))
        blame(play, "gang_context_new",
              "has a result without success, or success without a result");
    return code == GANG_OK;
}

static const struct gang_context *
answering(const struct play *play, const struct handles *h)
{
    return play->scarce ? play->scarce : h->context;
}

static bool
play_blob(struct play *play, struct handles *h)
{
    if (h->blob)
        play->digest = digest_blob(play->digest, h->blob);
    gang_blob_unref(h->blob);
    h->blob = NULL;
    return true;
}

static bool
play_spellings(struct play *play, struct handles *h)
{
    static const enum gang_format formats[] = {GANG_FORMAT_JSON, GANG_FORMAT_YAML};

    for (size_t f = 0; f < 2 && gang_stream_num_documents(h->stream); f++) {
        CALL(play, gang_stream_serialize, h->blob, h->context, h->stream, 0, (int)formats[f], 0);
        play_blob(play, h);
    }
    return true;
}

static bool
play_streams(struct play *play, struct handles *h)
{
    if (!play_context(play, h))
        return false;
    for (size_t i = 0; i < play->input->file_count; i++) {
        const struct text *text = &play->input->files[i];

        CALL(play, gang_stream_parse, h->stream, h->context, text->data, text->len, 0);
        if (h->stream)
            play->digest = digest_stream(play->digest, h->stream);
        if (!play_spellings(play, h))
            return false;
        gang_stream_unref(h->stream);
        h->stream = NULL;
    }
    return true;
}

/* Of another name than that of the cases, so that their plans stay what they are. */
static const char a_topology[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\",\"uid\":\"u\"},"
    "\"spec\":{\"levels\":[{\"domain\":\"zone\",\"key\":\"z\"},{\"domain\":\"host\",\"key\":\"h\"}]"
    "}}";
/* Of the PodGang, without and with a podgroup that no case has: every scheduler refuses one of them
 * or takes both. */
static const char *const labels_of_pods[] = {"", ",\"grove.io/podclique\":\"c\""};

static bool
play_podgang(struct play *play, struct handles *h)
{
    const struct text *text = &play->input->podgang;

    CALL(play, gang_document_parse, h->podgang, h->context, text->data, text->len, 0);
    CALL(play, gang_document_parse, h->sibling, h->context, text->data, text->len, 0);
    CALL(play, gang_document_parse, h->topology, h->context, a_topology, strlen(a_topology), 0);
    return true;
}

static const char a_policy_of_jobs[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
    "\"spec\":{\"defaultBackend\":\"volcano\"}}";

static bool
is_other_job(const struct handles *h)
{
    return gang_document_get_type(h->trainjob) == GANG_DOCUMENT_JOB;
}

/* A job that is no TrainJob names no scheduler, so it has a gang by a policy alone. */
static bool
play_policy_of_job(struct play *play, struct handles *h)
{
    if (is_other_job(h) && !play->input->policy.data)
        CALL(play, gang_document_parse, h->policy, h->context, a_policy_of_jobs,
             strlen(a_policy_of_jobs), 0);
    return true;
}

static bool
play_documents(struct play *play, struct handles *h)
{
    const struct test_case *input = play->input;

    if (input->policy.data)
        CALL(play, gang_document_parse, h->policy, h->context, input->policy.data,
             input->policy.len, 0);
    if (input->cluster.data)
        CALL(play, gang_document_parse, h->cluster, h->context, input->cluster.data,
             input->cluster.len, 0);
    if (input->podgang.data && !play_podgang(play, h))
        return false;
    if (input->podcliqueset.data)
        CALL(play, gang_document_parse, h->podcliqueset, h->context, input->podcliqueset.data,
             input->podcliqueset.len, 0);
    if (input->runtime.data)
        CALL(play, gang_document_parse, h->runtime, h->context, input->runtime.data,
             input->runtime.len, 0);
    if (input->trainjob.data)
        CALL(play, gang_document_parse, h->trainjob, h->context, input->trainjob.data,
             input->trainjob.len, 0);
    return play_policy_of_job(play, h);
}

static bool
play_schema(struct play *play, struct handles *h)
{
    static const char *const kinds[] = {GANG_KIND_POLICY, GANG_KIND_JOB};

    for (size_t i = 0; i < ITEMS_OF(kinds); i++) {
        CALL(play, gang_schema_serialize, h->blob, NULL, kinds[i], GANG_FORMAT_JSON, 0);
        play_blob(play, h);
    }
    return true;
}

/* One of the binding's name that another owns, and one of other levels, as the API server has them.
 */
static const char *const live_topologies[] = {
    "{\"apiVersion\":\"kai.scheduler/"
    "v1alpha1\",\"kind\":\"Topology\",\"metadata\":{\"name\":\"t\",\"ownerReferences\":"
    "[{\"uid\":\"other\",\"controller\":true}]},\"spec\":{\"levels\":[{\"nodeLabel\":\"z\"}]}}",
    "{\"apiVersion\":\"kai.scheduler/"
    "v1alpha1\",\"kind\":\"Topology\",\"metadata\":{\"name\":\"t\",\"ownerReferences\":"
    "[{\"uid\":\"u\",\"controller\":true}]},\"spec\":{\"levels\":[{\"nodeLabel\":\"z\"}]}}",
};

static bool
play_comparison(struct play *play, struct handles *h)
{
    for (size_t i = 0; i < ITEMS_OF(live_topologies); i++) {
        struct gang_error *error;
        struct gang_error **pointer;
        int action;
        int code;

        CALL(play, gang_document_parse_live, h->live, h->context, live_topologies[i],
             strlen(live_topologies[i]), 0);
        pointer = error_pointer(play, &error);
        code = gang_topologybinding_compare(h->context, h->topology, h->live, 0, &action, pointer);
        settle(play, "gang_topologybinding_compare", code, action ? &action : NULL, error);
        if (play->starved)
            return false;
        play->digest = digest_number(play->digest, action);
        gang_document_unref(h->live);
        h->live = NULL;
    }
    return true;
}

static const char a_named_topology[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"ClusterTopologyBinding\",\"metadata\":{\"name\":\"t\"},\"spec\":{"
    "\"levels\":"
    "[{\"domain\":\"zone\",\"key\":\"z\"}],\"schedulerTopologyBindings\":"
    "[{\"schedulerName\":\"kai-scheduler\",\"topologyReference\":\"racks\"}]}}";
static const char a_policy_without_kai[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},"
    "\"spec\":{\"backends\":[{\"name\":\"volcano\",\"type\":\"Volcano\"}]}}";

static bool
play_check(struct play *play, struct handles *h)
{
    struct gang_error *error;
    struct gang_error **pointer = error_pointer(play, &error);
    int code;

    gang_document_unref(h->topology);
    h->topology = NULL;
    CALL(play, gang_document_parse, h->topology, NULL, a_named_topology, strlen(a_named_topology),
         0);
    CALL(play, gang_document_parse, h->policy, NULL, a_policy_without_kai,
         strlen(a_policy_without_kai), 0);
    code = gang_topologybinding_check(NULL, h->topology, h->policy, 0, pointer);
    settle(play, "gang_topologybinding_check", code, code ? NULL : h->topology, error);
    return !play->starved;
}

static bool
play_topology(struct play *play, struct handles *h)
{
    CALL(play, gang_document_parse, h->topology, NULL, a_topology, strlen(a_topology), 0);
    CALL(play, gang_topologybinding_serialize, h->blob, NULL, h->topology, GANG_FORMAT_JSON, 0);
    if (h->blob)
        play->digest = digest_blob(play->digest, h->blob);
    return play_comparison(play, h) && play_check(play, h);
}

static bool
play_input(struct play *play, struct handles *h, struct gang_document *document)
{
    int code = document ? gang_inputs_add(h->inputs, document) : GANG_OK;

    if (code)
        play->starved = "gang_inputs_add";
    return code == GANG_OK;
}

/* More documents than the first allocation has room for; the same one again counts as one. */
static bool
play_inputs(struct play *play, struct handles *h)
{
    h->inputs = gang_inputs_new();
    if (!h->inputs)
        play->starved = "gang_inputs_new";
    if (!h->inputs || !play_input(play, h, h->runtime) || !play_input(play, h, h->policy) ||
        !play_input(play, h, h->cluster) ||
        !play_input(play, h, h->podgang ? h->podcliqueset : NULL) ||
        !play_input(play, h, h->topology) || !play_input(play, h, h->sibling))
        return false;
    for (int i = 0; i < 8; i++)
        if (!play_input(play, h, h->policy))
            return false;
    if (gang_inputs_set_created_uid(h->inputs, "5f6b")) {
        play->starved = "gang_inputs_set_created_uid";
        return false;
    }
    return true;
}

static const char a_trainjob[] = "{\"apiVersion\":\"trainer.kubeflow.org/"
                                 "v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{\"name\":\"j\"},"
                                 "\"spec\":{\"runtimeRef\":{\"name\":\"r\"}}}";

/* A job without its runtime, and with a document that it cannot use: an error without a decision.
 */
static bool
play_wrong_inputs(struct play *play, struct handles *h)
{
    struct gang_error *error;
    struct gang_error **pointer = error_pointer(play, &error);
    int code;

    CALL(play, gang_document_parse, h->trainjob, NULL, a_trainjob, strlen(a_trainjob), 0);
    CALL(play, gang_document_parse, h->topology, NULL, a_topology, strlen(a_topology), 0);
    if (!play_inputs(play, h))
        return false;
    code = gang_resolve(NULL, h->trainjob, h->inputs, 0, &h->decision, pointer);
    if (code == GANG_OK)
        blame(play, "gang_resolve", "takes wrong inputs");
    settle(play, "wrong inputs", code, h->decision, error);
    return !play->starved;
}

static bool
play_backends(struct play *play, struct handles *h)
{
    CALL(play, gang_backends_serialize, h->blob, NULL, GANG_FORMAT_YAML, 0);
    if (h->blob)
        play->digest = digest_blob(play->digest, h->blob);
    return true;
}

static bool
play_texts(struct play *play, struct handles *h)
{
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
        for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++) {
            CALL(play, gang_plan_serialize, h->blob, play->scarce, play->plan, target, format, 0);
            play_blob(play, h);
        }
    }
    return true;
}

/* What is written of a decision and of a plan's parts. */
static bool
play_parts(struct play *play, struct handles *h)
{
    CALL(play, gang_decision_serialize, h->blob, play->scarce, play->decision, GANG_FORMAT_JSON, 0);
    play_blob(play, h);
    CALL(play, gang_decision_serialize, h->blob, play->scarce, play->decision, GANG_FORMAT_SVG, 0);
    play_blob(play, h);
    CALL(play, gang_decision_serialize, h->blob, play->scarce, play->decision, GANG_FORMAT_ROW, 0);
    play_blob(play, h);
    for (int format = GANG_FORMAT_TEXT; format <= GANG_FORMAT_HTML; format++) {
        CALL(play, gang_plan_serialize, h->blob, play->scarce, play->plan, GANG_TARGET_PLAN, format,
             GANG_SERIALIZE_VERBOSE);
        play_blob(play, h);
    }
    for (size_t i = 0; i < gang_plan_num_objects(play->plan); i++) {
        CALL(play, gang_object_serialize, h->blob, play->scarce,
             gang_plan_get_object(play->plan, i), GANG_FORMAT_JSON, 0);
        play_blob(play, h);
    }
    for (size_t i = 0; i < gang_plan_num_patches(play->plan); i++) {
        CALL(play, gang_patch_serialize, h->blob, play->scarce, gang_plan_get_patch(play->plan, i),
             GANG_FORMAT_YAML, 0);
        play_blob(play, h);
    }
    return true;
}

static bool
play_reconcile(struct play *play, struct handles *h)
{
    CALL(play, gang_document_parse_live, h->live, play->scarce, play->live.data, play->live.len, 0);
    CALL(play, gang_reconcile, h->reconciled, play->scarce, play->plan, h->live, 0);
    play->digest = digest_plan(play->digest, h->reconciled);
    if (!h->reconciled)
        return true;
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
        CALL(play, gang_plan_serialize, h->blob, play->scarce, h->reconciled, target,
             GANG_FORMAT_JSON, 0);
        play_blob(play, h);
    }
    return true;
}

static bool
play_resolve(struct play *play, struct handles *h)
{
    struct gang_document *trainjob = h->runtime || is_other_job(h) ? h->trainjob : NULL;
    struct gang_document *job = trainjob ? trainjob : h->podgang ? h->podgang : h->podcliqueset;

    if (job && !play_inputs(play, h))
        return false;
    if (job)
        CALL(play, gang_resolve, h->decision, answering(play, h), job, h->inputs,
             GANG_RESOLVE_FALL_BACK);
    if (job && play->live.len) {
        CALL(play, gang_document_parse_live, h->live, play->scarce, play->live.data, play->live.len,
             GANG_LIVE_DIAGNOSE);
        CALL(play, gang_diagnose, h->blob, answering(play, h), job, h->inputs, h->live, NULL,
             GANG_FORMAT_JSON, 0);
        play_blob(play, h);
        CALL(play, gang_diagnose, h->blob, answering(play, h), job, h->inputs, h->live, NULL,
             GANG_FORMAT_SVG, 0);
        play_blob(play, h);
    }
    return true;
}

/* The job of the case, before a text that cannot be parsed and a job without its runtime. */
static bool
play_audit(struct play *play, struct handles *h)
{
    const struct text *job =
        play->input->trainjob.data ? &play->input->trainjob : &play->input->podgang;
    const char *const jobs[] = {job->data, "{", a_trainjob};
    const size_t lengths[] = {job->len, 1, strlen(a_trainjob)};

    if (!play_documents(play, h) || !play_inputs(play, h))
        return false;
    CALL(play, gang_audit, h->blob, NULL, jobs, lengths, ITEMS_OF(jobs), h->inputs, 0);
    return play_blob(play, h);
}

static bool
play_pods(struct play *play, struct handles *h)
{
    int outcome = gang_decision_get_outcome(h->decision);
    const char *name = gang_document_get_name(h->podgang);
    bool is_answered = outcome == GANG_OUTCOME_GANG || outcome == GANG_OUTCOME_NO_GANG;

    for (size_t i = 0; name && is_answered && i < ITEMS_OF(labels_of_pods); i++) {
        char text[512];

        snprintf(text, sizeof(text),
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":"
                 "{\"grove.io/podgang\":\"%.200s\"%s}},\"spec\":{}}",
                 name, labels_of_pods[i]);
        CALL(play, gang_decision_prepare_pod, h->blob, answering(play, h), h->decision, text,
             strlen(text), GANG_FORMAT_JSON, 0);
        play_blob(play, h);
    }
    return true;
}

/* The error is made by a call that cannot run out of memory for anything else. */
static bool
play_error(struct play *play, struct handles *h)
{
    struct gang_plan *none = NULL;

    gang_error_free(h->error);
    h->error = NULL;
    if (gang_render(NULL, NULL, 0, &none, &h->error) == GANG_ERROR_NO_MEMORY ||
        gang_error_get_code(h->error) == GANG_ERROR_NO_MEMORY) {
        play->starved = "gang_render";
        return false;
    }
    CALL(play, gang_error_serialize, h->blob, NULL, h->error, GANG_FORMAT_JSON, 0);
    return play_blob(play, h);
}

static bool
play_decision(struct play *play, struct handles *h)
{
    if (!play_context(play, h) || !play_documents(play, h))
        return false;
    if ((play->input->policy.data && !h->policy) || (play->input->cluster.data && !h->cluster))
        return true;
    if (!play_resolve(play, h))
        return false;
    if (!h->decision)
        return true;
    play->digest = digest_decision(play->digest, h->decision);
    if (!play_pods(play, h))
        return false;
    CALL(play, gang_render, h->plan, answering(play, h), h->decision, 0);
    return true;
}

static void
release(struct handles *h)
{
    gang_error_free(h->error);
    gang_blob_unref(h->blob);
    gang_plan_unref(h->reconciled);
    gang_plan_unref(h->plan);
    gang_decision_unref(h->decision);
    gang_inputs_free(h->inputs);
    gang_document_unref(h->policy);
    gang_document_unref(h->cluster);
    gang_document_unref(h->live);
    gang_document_unref(h->topology);
    gang_document_unref(h->sibling);
    gang_document_unref(h->podgang);
    gang_document_unref(h->podcliqueset);
    gang_document_unref(h->trainjob);
    gang_document_unref(h->runtime);
    gang_stream_unref(h->stream);
    gang_context_unref(h->context);
    gang_config_free(h->config);
}

/* What a failure in one act does shows without the others, so each is played by itself. */
static act_fn *const acts_of_case[] = {play_streams, play_decision, play_audit,
                                       play_texts,   play_parts,    play_reconcile};
enum { ACTS_OF_A_PLAN = 3 };

static struct play
perform(const struct play *part)
{
    struct play play = *part;
    struct handles handles = {.config = NULL};
    int64_t live = allocator_counts.live;

    play.digest = DIGEST_START;
    play.act(&play, &handles);
    release(&handles);
    if (allocator_counts.live != live)
        blame(&play, play.starved ? play.starved : "a success", "leaks");
    return play;
}

/* Makes the decision and the plan of a case; neither where the input gives none. */
static void
prepare(struct play *part)
{
    struct handles handles = {.config = NULL};

    play_decision(part, &handles);
    part->digest = 0;
    if (handles.plan) {
        part->plan = gang_plan_ref(handles.plan);
        part->decision = gang_decision_ref(handles.decision);
    }
    release(&handles);
}

/* Where the library allocates: a place is the functions that are being called. */
enum { PLACE_DEPTH = 12, PLACES_MOST = 1 << 16, ALLOCATIONS_MOST = 1 << 16 };

static uint64_t places_seen[PLACES_MOST]; /* by hash; 0 is a free slot */
static uint64_t places[ALLOCATIONS_MOST]; /* of the allocations of one act, in order */
static size_t places_count;

static void
note_place(void)
{
    void *callers[PLACE_DEPTH + 3]; /* the first are this function and two of the allocator */
    int depth = backtrace(callers, PLACE_DEPTH + 3);
    uint64_t digest = DIGEST_START;

    if (places_count == ALLOCATIONS_MOST)
        return;
    for (int i = 3; i < depth; i++)
        digest = digest_number(digest, (int64_t)(intptr_t)callers[i]);
    places[places_count++] = digest ? digest : 1;
}

/* Whether the place is new; keeps it. A full table calls every place new. */
static bool
is_new_place(uint64_t place)
{
    size_t slot = place % PLACES_MOST;

    for (size_t tried = 0; tried < PLACES_MOST; tried++, slot = (slot + 1) % PLACES_MOST) {
        if (places_seen[slot] == place)
            return false;
        if (!places_seen[slot]) {
            places_seen[slot] = place;
            return true;
        }
    }
    return true;
}

/* Whether every allocation of the folder fails once. */
static bool
is_whole_folder(const struct test_case *input)
{
    const char *seed = getenv("SEED");
    uint64_t digest = digest_text(digest_text(DIGEST_START, seed ? seed : "1"), input->name);

    return getenv("EVERY_ALLOCATION") || digest % (getenv("FEW_SEEDS") ? 100 : 10) == 0;
}

struct tally {
    const char *functions[FUNCTIONS_MOST];
    size_t function_count;
    uint64_t points;
    bool is_whole; /* every allocation fails, not the first of each place */
};

static void
count_function(struct tally *tally, const char *function)
{
    for (size_t i = 0; i < tally->function_count; i++)
        if (strcmp(tally->functions[i], function) == 0)
            return;
    tally->functions[tally->function_count++] = function;
}

/* The library keeps nothing between calls, so a look now and then shows that a failure leaves
 * nothing behind. */
enum { POINTS_BETWEEN_SUCCESSES = 8 };

static void
check_success(const struct play *reference, struct play *play)
{
    struct play again = perform(reference);

    if (again.broken)
        blame(play, again.broken_in, again.broken);
    else if (again.starved || again.digest != reference->digest)
        blame(play, "the play after a failure", "answers otherwise");
}

/*
 * Lets allocation `number` fail. Returns whether there was one; `broken` is set if a guarantee was
 * violated.
 */
static bool
starve(const struct play *reference, uint64_t number, enum allocator_failure how,
       struct tally *tally, struct play *broken)
{
    struct play play;

    allocator_fail(number, how);
    play = perform(reference);
    if (!allocator_recover())
        return false;
    tally->points++;
    if (play.starved)
        count_function(tally, play.starved);
    else if (play.digest != reference->digest)
        blame(&play, "the play", "answers otherwise without saying that memory was short");
    if (tally->points % POINTS_BETWEEN_SUCCESSES == 0)
        check_success(reference, &play);
    *broken = play;
    return !play.broken;
}

/* The act without a failure; notes the places of its allocations. */
static struct play
perform_watched(const struct play *part)
{
    struct play reference;

    places_count = 0;
    allocator_watch(note_place);
    reference = perform(part);
    allocator_watch(NULL);
    if (reference.starved)
        blame(&reference, reference.starved, "says that memory is short when it is not");
    if (places_count == ALLOCATIONS_MOST)
        blame(&reference, "the play", "allocates more often than is noted");
    return reference;
}

/* ---- low limits ---- */

static struct gang_context *
context_with(enum gang_limit limit, uint64_t value)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    if (!config || gang_config_set_limit(config, (int)limit, value) ||
        gang_context_new(config, &context))
        abort();
    gang_config_free(config);
    return context;
}

/* Returns whether the limit was enough, or a guarantee was violated. */
static bool
perform_with(const struct play *reference, enum gang_limit limit, uint64_t value,
             struct tally *tally, struct play *broken)
{
    struct play part = *reference;
    struct play play;

    part.scarce = context_with(limit, value);
    play = perform(&part);
    gang_context_unref(part.scarce);
    play.scarce = NULL;
    tally->points++;
    if (play.starved)
        count_function(tally, play.starved);
    else if (play.digest != reference->digest)
        blame(&play, "the play", "answers otherwise without saying that a limit was reached");
    *broken = play;
    return play.broken || !play.starved;
}

/*
 * Every low value, then some of the higher ones. Which ones differs by case, so that the cases
 * together try more values than one.
 */
static struct play
limit_act(const struct play *reference, struct tally *tally)
{
    static const enum gang_limit limits[] = {GANG_LIMIT_MEMORY_BYTES, GANG_LIMIT_STEPS,
                                             GANG_LIMIT_LIVE_MEMORY_BYTES};
    const uint64_t density = 8 + digest_text(DIGEST_START, reference->input->name) % 8;
    struct play broken = *reference;

    for (size_t i = 0; i < ITEMS_OF(limits) && !broken.broken; i++)
        for (uint64_t value = 1; !perform_with(reference, limits[i], value, tally, &broken);)
            value += 1 + value / density;
    return broken;
}

/* ---- acts ---- */

/* Without an error pointer only single failures: what follows one is the same. */
static struct play
starve_act(const struct play *part, struct tally *tally)
{
    struct play reference = perform_watched(part);
    struct play broken = reference;

    for (size_t i = 0; i < places_count && !broken.broken; i++) {
        /* The same place in another act, or without an error pointer, is another one. */
        uint64_t place = digest_number(places[i], (int64_t)(intptr_t)part->act);

        if (!is_new_place(digest_number(place, part->wants_errors)) && !tally->is_whole)
            continue;
        if (!starve(&reference, i + 1, ALLOCATOR_FAILS_ONCE, tally, &broken) ||
            (part->wants_errors &&
             !starve(&reference, i + 1, ALLOCATOR_FAILS_ONWARDS, tally, &broken)))
            blame(&broken, "the play", "allocates less the second time");
    }
    if (!broken.broken)
        check_success(&reference, &broken);
    if (!broken.broken && part->input)
        broken = limit_act(&reference, tally);
    return broken;
}

/* Each step without and with an error pointer, until one violates a guarantee. */
static struct play
starve_acts(act_fn *const *acts, size_t count, struct play part, struct tally *tally)
{
    struct play broken = part;

    for (size_t i = 0; i < 2 * count && !broken.broken; i++) {
        part.act = acts[i / 2];
        part.wants_errors = i % 2 == 1;
        broken = starve_act(&part, tally);
    }
    return broken;
}

/* What exists when a plan has just been applied. */
static struct gang_blob *
own_objects(const struct gang_plan *plan)
{
    struct gang_blob *blob = NULL;

    if (plan &&
        gang_plan_serialize(NULL, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0, &blob, NULL))
        return NULL;
    return blob;
}

static struct play
starve_case(const struct test_case *input, struct tally *tally)
{
    struct play part = {.input = input, .live = input->live};
    struct play broken;
    struct gang_blob *own;

    prepare(&part);
    own = own_objects(part.plan);
    if (own && !part.live.data)
        part.live.data = (char *)(size_t)gang_blob_get_data(own, &part.live.len);
    broken = starve_acts(acts_of_case, ITEMS_OF(acts_of_case) - (part.plan ? 0 : ACTS_OF_A_PLAN),
                         part, tally);
    gang_blob_unref(own);
    gang_plan_unref(part.plan);
    gang_decision_unref(part.decision);
    return broken;
}

/* The functions that need no document. */
static struct play
starve_tables(const struct test_case *input, struct tally *tally)
{
    static act_fn *const acts[] = {play_schema, play_backends, play_topology, play_wrong_inputs,
                                   play_error};

    return starve_acts(acts, ITEMS_OF(acts), (struct play){.input = input}, tally);
}

struct account {
    struct tally tally;
    int number;
    int failures;
};

static void
account_for(struct account *account, const char *name,
            struct play (*starve_all)(const struct test_case *input, struct tally *tally),
            const struct test_case *input)
{
    uint64_t before = account->tally.points;
    struct play broken;

    account->tally.is_whole = !input || is_whole_folder(input);
    if (!getenv("FEW_SEEDS"))
        memset(places_seen, 0, sizeof(places_seen));
    broken = starve_all(input, &account->tally);
    printf("%s %d - %s: %llu failure points", broken.broken ? "not ok" : "ok", ++account->number,
           name, (unsigned long long)(account->tally.points - before));
    if (broken.broken)
        printf("; %s %s", broken.broken_in, broken.broken);
    printf("\n");
    account->failures += broken.broken != NULL;
}

int
main(int argc, char **argv)
{
    size_t share = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
    size_t shares = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
    struct test_cases cases = cases_load(argc - 3, argv + 3);
    struct account account = {.number = 0};
    void *caller;

    backtrace(&caller, 1); /* the first call loads a library, which allocates */
    if (share == 0)
        account_for(&account, "what needs no case: a schema, a list, a topology", starve_tables,
                    NULL);
    for (size_t i = share; shares && i < cases.count; i += shares)
        account_for(&account, cases.items[i].name, starve_case, &cases.items[i]);
    printf("1..%d\n# %zu functions, %llu failure points\n", account.number,
           account.tally.function_count, (unsigned long long)account.tally.points);
    cases_free(&cases);
    return account.failures || !account.number;
}
