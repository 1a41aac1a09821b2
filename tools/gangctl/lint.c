/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "findings.h"
#include "jobs.h"
#include "text.h"

static bool
has_decision(const struct workbench *bench, const struct runtime *runtime)
{
    for (size_t i = 0; i < bench->num_jobs; i++) {
        if (bench->jobs[i].runtime == runtime && bench->jobs[i].decision)
            return true;
    }
    return false;
}

static bool
set_has_decision(const struct workbench *bench, const struct clique_set *set)
{
    for (size_t i = 0; i < bench->num_jobs; i++) {
        if (bench->jobs[i].set == set && bench->jobs[i].decision)
            return true;
    }
    return false;
}

/*
 * Reports the parse findings of a document that no decision uses. Decisions include the parse
 * findings of their documents.
 */

static void
say_of_trainjob(struct workbench *bench, const struct job *job)
{
    for (size_t i = 0; i < gang_document_num_diagnostics(job->handle); i++)
        complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                            gang_document_get_diagnostic(job->handle, i));
}

static void
say_of_podgang(struct workbench *bench, const struct job *job)
{
    for (size_t i = 0; i < gang_document_num_diagnostics(job->podgang); i++)
        complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                            gang_document_get_diagnostic(job->podgang, i));
}

static void
say_of_podcliqueset(struct workbench *bench, const struct clique_set *set)
{
    struct origins origins = {.podcliqueset = set->document->origin};

    for (size_t i = 0; i < gang_document_num_diagnostics(set->handle); i++)
        complain_diagnostic(&bench->complaints, &origins, &origins.podcliqueset,
                            gang_document_get_diagnostic(set->handle, i));
}

static void
say_of_policy(struct workbench *bench, const struct gang_document *policy,
              const struct origin *origin)
{
    struct origins origins = {.policy = *origin};

    for (size_t i = 0; i < gang_document_num_diagnostics(policy); i++)
        complain_diagnostic(&bench->complaints, &origins, origin,
                            gang_document_get_diagnostic(policy, i));
}

static void
say_of_cluster(struct workbench *bench, const struct gang_document *cluster,
               const struct origin *origin)
{
    struct origins origins = {.cluster = *origin};

    for (size_t i = 0; i < gang_document_num_diagnostics(cluster); i++)
        complain_diagnostic(&bench->complaints, &origins, origin,
                            gang_document_get_diagnostic(cluster, i));
}

static void
say_of_job(struct workbench *bench, const struct job *job)
{
    say_of_trainjob(bench, job);
    say_of_podgang(bench, job);
}

static void
check_policy(struct workbench *bench, const struct document *document)
{
    struct origins origins = {.policy = document->origin};
    struct gang_document *policy = NULL;
    struct gang_error *error = NULL;
    int result =
        gang_document_parse(bench->context, document->data, document->len, 0, &policy, &error);

    if (result)
        complain_error(&bench->complaints, &origins, &document->origin, result, error);
    say_of_policy(bench, policy, &document->origin);
    gang_document_unref(policy);
}

static void
check_cluster(struct workbench *bench, const struct document *document)
{
    struct origins origins = {.cluster = document->origin};
    struct gang_document *cluster = NULL;
    struct gang_error *error = NULL;
    int result =
        gang_document_parse(bench->context, document->data, document->len, 0, &cluster, &error);

    if (result)
        complain_error(&bench->complaints, &origins, &document->origin, result, error);
    say_of_cluster(bench, cluster, &document->origin);
    gang_document_unref(cluster);
}

/* Returns the number of documents that were read. */
static size_t
check_documents(struct workbench *bench)
{
    size_t checked = bench->policy_documents.count + bench->cluster_documents.count;

    for (size_t i = 0; i < bench->documents.count; i++) {
        const struct document *document = &bench->documents.items[i];

        if (document->role == DOCUMENT_IS_POLICY)
            check_policy(bench, document);
        else if (document->role == DOCUMENT_IS_CLUSTER)
            check_cluster(bench, document);
        checked += document->role != DOCUMENT_FOREIGN;
    }
    return checked;
}

/* Whether it is the first gang of its document that has a decision. */
static bool
is_first_resolved(const struct workbench *bench, size_t index)
{
    const struct job *job = &bench->jobs[index];

    if (!job->decision)
        return false;
    while (index-- > 0 && bench->jobs[index].document == job->document)
        if (bench->jobs[index].decision)
            return false;
    return true;
}

static size_t
count_resolved(const struct workbench *bench, enum role_of_document role)
{
    size_t count = 0;

    for (size_t i = 0; i < bench->num_jobs; i++)
        count += bench->jobs[i].document->role == role && is_first_resolved(bench, i);
    return count;
}

static void
say_what_else_was_found(struct workbench *bench)
{
    bool is_resolved = false;

    for (size_t i = 0; i < bench->num_runtimes; i++) {
        if (!has_decision(bench, &bench->runtimes[i]))
            check_lone_runtime(bench, &bench->runtimes[i]);
    }
    for (size_t i = 0; i < bench->num_sets; i++) {
        if (!set_has_decision(bench, &bench->sets[i]))
            say_of_podcliqueset(bench, &bench->sets[i]);
    }
    for (size_t i = 0; i < bench->num_jobs; i++) {
        if (!bench->jobs[i].decision)
            say_of_job(bench, &bench->jobs[i]);
        if (bench->jobs[i].handle && is_trainjob(&bench->jobs[i]) && !bench->jobs[i].runtime)
            check_lone_job(bench, &bench->jobs[i]);
        is_resolved |= bench->jobs[i].decision != NULL;
    }
    if (!is_resolved && bench->policy_documents.count)
        say_of_policy(bench, bench->policy, &bench->policy_documents.items[0].origin);
    if (!is_resolved && bench->cluster_documents.count)
        say_of_cluster(bench, bench->cluster, &bench->cluster_documents.items[0].origin);
}

static int
lint_status(const struct complaints *complaints, const struct finding_counts *counts,
            const struct options *options)
{
    int status = complaints_status(complaints);

    return status == EXIT_DONE && options->fail_on_warn && counts->warnings ? EXIT_FINDINGS
                                                                            : status;
}

int
command_lint(const struct options *options)
{
    struct workbench bench = {.purpose = FOR_FINDINGS};
    struct finding_counts counts = {0};
    struct text out = {0};
    int status = EXIT_COULD_NOT_RUN;

    if (!workbench_run(&bench, options))
        goto end;
    counts.documents = check_documents(&bench);
    say_what_else_was_found(&bench);
    counts.trainjobs = count_resolved(&bench, DOCUMENT_IS_TRAINJOB);
    counts.other_jobs = count_resolved(&bench, DOCUMENT_IS_JOB);
    counts.podgangs = count_resolved(&bench, DOCUMENT_IS_PODGANG);
    counts.podcliquesets = count_resolved(&bench, DOCUMENT_IS_PODCLIQUESET);
    if (!counts.documents && !bench.complaints.errors)
        complain(&bench.complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "the input holds no runtime, TrainJob, PodGang, PodCliqueSet, other job, "
                 "GangPolicy or GangCluster");
    complaints_settle(&bench.complaints);
    findings_add(&out, &bench.complaints, &counts, options->output);
    status = print_as(&out, options->output) ? lint_status(&bench.complaints, &counts, options)
                                             : EXIT_COULD_NOT_RUN;
end:
    text_free(&out);
    workbench_free(&bench);
    return status;
}
