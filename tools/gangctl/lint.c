/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"

static const char smallest_spec[] =
    "{\"mlPolicy\":{\"numNodes\":1},\"template\":{\"spec\":{\"replicatedJobs\":[{\"name\":\"node\","
    "\"template\":{\"metadata\":{\"labels\":{\"trainer.kubeflow.org/trainjob-ancestor-step\":"
    "\"trainer\"}},\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"node\"}]}}}}}]}}}";

/* The fields of a TrainJob that are judged in the same way with every runtime. */
static const char *const judged_paths[] = {"spec.trainer.numNodes",
                                           "spec.trainer.resourcesPerNode"};

static bool
is_judged(const struct gang_diagnostic *diagnostic)
{
    const char *path = gang_diagnostic_get_path(diagnostic);

    if (gang_diagnostic_get_document(diagnostic) != GANG_DOCUMENT_TRAINJOB || !path)
        return false;
    for (size_t i = 0; i < COUNT_OF(judged_paths); i++)
        if (strncmp(path, judged_paths[i], strlen(judged_paths[i])) == 0)
            return true;
    return false;
}

/* Parses a document that was made, and takes over its tree; NULL if it is not valid. */
static struct gang_document *
parse_made(const struct workbench *bench, struct json_object *tree)
{
    const char *text = json_object_to_json_string(tree);
    struct gang_document *parsed = NULL;

    if (gang_document_parse(bench->context, text, strlen(text), 0, &parsed, NULL))
        parsed = NULL;
    of_step((struct made){.tree = tree, .document = parsed});
    return parsed;
}

/* Resolves the job with these documents and nothing else. An invalid job has a decision too. */
static struct gang_decision *
resolve_alone(const struct workbench *bench, struct gang_document *job,
              struct gang_document *runtime, struct gang_document *policy)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    int result = GANG_OK;

    if (!inputs)
        out_of_memory();
    pass_input(inputs, runtime);
    pass_input(inputs, policy);
    if (job && runtime)
        result = gang_resolve(bench->context, job, inputs, 0, &decision, NULL);
    (void)result;
    gang_inputs_free(inputs);
    of_step((struct made){.decision = decision});
    return decision;
}

/* Checks a TrainJob without its runtime by the rules that need none: with the smallest one. */
static void
check_lone_job(struct workbench *bench, const struct job *job)
{
    const char *cluster =
        gang_document_get_reference(job->handle, GANG_KIND_CLUSTER_TRAINING_RUNTIME);
    const char *name =
        cluster ? cluster : gang_document_get_reference(job->handle, GANG_KIND_TRAINING_RUNTIME);
    struct json_object *runtime = tree_map();
    struct json_object *metadata = tree_map_in(runtime, "metadata");
    struct gang_decision *decision;

    tree_put_text(runtime, "apiVersion", gang_document_get_api_version(job->handle));
    tree_put_text(runtime, "kind",
                  cluster ? GANG_KIND_CLUSTER_TRAINING_RUNTIME : GANG_KIND_TRAINING_RUNTIME);
    tree_put_text(metadata, "name", name);
    if (!cluster)
        tree_put_text(metadata, "namespace", gang_document_get_namespace(job->handle));
    tree_put(runtime, "spec", tree_must(json_tokener_parse(smallest_spec)));
    decision = resolve_alone(bench, job->handle, parse_made(bench, runtime), NULL);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (is_judged(diagnostic))
            complain_diagnostic(&bench->complaints, &job->origins, diagnostic);
    }
}

/* What a runtime has whatever the policy decides for its jobs. */
static const uint32_t codes_of_every_policy[] = {
    GANG_CODE_NUM_NODES_NOT_POSITIVE, GANG_CODE_START_ORDER_CYCLE, GANG_CODE_UNKNOWN_DEPENDENCY,
    GANG_CODE_DEPENDENCY_RULE,        GANG_CODE_INVALID_ROLE_NAME, GANG_CODE_UNKNOWN_ROLE,
};

static bool
is_of_every_policy(const struct gang_diagnostic *diagnostic)
{
    uint32_t code = (uint32_t)gang_diagnostic_get_code(diagnostic);

    for (size_t i = 0; i < COUNT_OF(codes_of_every_policy); i++)
        if (codes_of_every_policy[i] == code)
            return true;
    return false;
}

/*
 * Checks a runtime that no TrainJob of the inputs uses as that of the smallest job that there can
 * be: with the shortest name, and nothing but a reference to the runtime. Which rule of a policy
 * such a job would match is not known, so with a policy only what no rule changes is reported.
 */
static void
check_lone_runtime(struct workbench *bench, const struct companion *runtime)
{
    const struct origins origins = origins_with(GANG_DOCUMENT_RUNTIME, &runtime->document->origin);
    const char *space = gang_document_get_namespace(runtime->handle);
    struct json_object *job = tree_map();
    struct json_object *metadata = tree_map_in(job, "metadata");
    struct json_object *reference = tree_map_in(tree_map_in(job, "spec"), "runtimeRef");
    struct gang_decision *decision;

    tree_put_text(job, "apiVersion", gang_document_get_api_version(runtime->handle));
    tree_put_text(job, "kind", GANG_KIND_TRAINJOB);
    tree_put_text(metadata, "name", "x");
    tree_put_text(metadata, "namespace", space ? space : "x");
    tree_put_text(reference, "kind", gang_document_get_kind(runtime->handle));
    tree_put_text(reference, "name", gang_document_get_name(runtime->handle));
    decision = resolve_alone(bench, parse_made(bench, job), runtime->handle, bench->policy.handle);
    if (!decision || bench->policy.handle)
        complain_parsed(bench, runtime->handle, &origins);
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_document(diagnostic) == GANG_DOCUMENT_RUNTIME &&
            (!bench->policy.handle || is_of_every_policy(diagnostic)))
            complain_diagnostic(&bench->complaints, &origins, diagnostic);
    }
}

/* Whether a runtime or a PodCliqueSet is that of a job with a decision. */
static bool
has_decision(const struct workbench *bench, const struct companion *used)
{
    for (size_t i = 0; i < bench->num_jobs; i++)
        if (bench->jobs[i].decision &&
            (bench->jobs[i].runtime == used || bench->jobs[i].set == used))
            return true;
    return false;
}

/* Reports what was found in a document that no decision uses. */
static void
complain_of(struct workbench *bench, const struct gang_document *parsed,
            enum gang_document_type type, const struct document *document)
{
    const struct origins origins = origins_with(type, &document->origin);

    complain_parsed(bench, parsed, &origins);
}

static void
say_what_else_was_found(struct workbench *bench)
{
    const struct setting *const settings[] = {&bench->policy, &bench->cluster};
    bool is_resolved = false;

    for (size_t i = 0; i < bench->runtimes.count; i++)
        if (!has_decision(bench, &bench->runtimes.items[i]))
            check_lone_runtime(bench, &bench->runtimes.items[i]);
    for (size_t i = 0; i < bench->sets.count; i++)
        if (!has_decision(bench, &bench->sets.items[i]))
            complain_of(bench, bench->sets.items[i].handle, GANG_DOCUMENT_PODCLIQUESET,
                        bench->sets.items[i].document);
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        is_resolved |= job->decision != NULL;
        if (!job->decision) {
            complain_parsed(bench, job->handle, &job->origins);
            complain_parsed(bench, job->podgang, &job->origins);
        }
        if (job->handle && is_trainjob(job) && !job->runtime)
            check_lone_job(bench, job);
    }
    for (size_t i = 0; !is_resolved && i < COUNT_OF(settings); i++)
        if (settings[i]->documents.count)
            complain_of(bench, settings[i]->handle, settings[i]->type,
                        settings[i]->documents.items);
}

int
command_lint(struct run *run)
{
    struct workbench *bench = &run->bench;
    struct finding_counts counts = {0};
    const struct document *counted = NULL;
    int status;

    bench->purpose = FOR_FINDINGS;
    if (!workbench_run(bench, run->options))
        return EXIT_COULD_NOT_RUN;
    counts.documents = bench->policy.documents.count + bench->cluster.documents.count;
    for (EACH(const struct document, document, bench->documents.items, bench->documents.count)) {
        if (document->role == GANG_DOCUMENT_POLICY || document->role == GANG_DOCUMENT_CLUSTER) {
            const struct origins origins = origins_with(document->role, &document->origin);
            struct gang_document *parsed = parse_document(bench, document, 0, &origins);

            complain_parsed(bench, parsed, &origins);
        }
        counts.documents += document->role != GANG_DOCUMENT_NONE;
    }
    say_what_else_was_found(bench);
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        if (!job->decision || job->document == counted)
            continue;
        counted = job->document; /* once, also with several gangs */
        counts.resolved[counted->role]++;
    }
    if (!counts.documents && !bench->complaints.errors)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "the input holds no runtime, TrainJob, PodGang, PodCliqueSet, other job, "
                 "GangPolicy or GangCluster");
    complaints_settle(&bench->complaints);
    findings_add(&run->out, &bench->complaints, &counts, run->options->output);
    status = complaints_status(&bench->complaints);
    return status == EXIT_DONE && run->options->fail_on_warn && counts.warnings ? EXIT_FINDINGS
                                                                                : status;
}
