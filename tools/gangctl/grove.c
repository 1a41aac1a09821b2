/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

void
pair_podgangs(struct workbench *bench)
{
    for (EACH(struct job, job, bench->jobs, bench->num_jobs)) {
        const char *binding = gang_document_get_reference(job->podgang, GANG_KIND_TOPOLOGYBINDING);
        const char *owner = gang_document_get_reference(job->podgang, GANG_KIND_PODCLIQUESET);

        for (size_t j = 0; binding && !job->topology && j < bench->topologies.count; j++)
            if (bench->topologies.items[j].handle &&
                is_same_text(bench->topologies.items[j].document->name, binding))
                job->topology = &bench->topologies.items[j];
        for (size_t j = 0; owner && !job->set && j < bench->sets.count; j++) {
            const struct document *document = bench->sets.items[j].document;

            if (!is_same_text(document->name, owner) ||
                !namespaces_meet(document->namespace_, job->document->namespace_))
                continue;
            job->set = &bench->sets.items[j];
            job->origins.of[GANG_DOCUMENT_PODCLIQUESET] = document->origin;
            bench->sets.items[j].has_podgang = true;
        }
    }
    for (size_t i = 0; i < bench->sets.count; i++)
        if (!bench->sets.items[i].has_podgang) {
            struct job *job = &bench->jobs[bench->num_jobs++];

            *job = job_of_document(bench, bench->sets.items[i].document);
            job->set = &bench->sets.items[i];
        }
}

/*
 * Every pod that Grove creates has this label: ai-dynamo/grove:operator/api/common/labels.go
 * LabelPodGang.
 */
static const char pod_label[] = "grove.io/podgang";

bool
is_pod_of_grove(const struct document *document)
{
    return is_same_text(document->api_version, "v1") && is_same_text(document->kind, "Pod") &&
           has_bytes(document->data, document->len, pod_label);
}

static bool
may_belong(const struct document *pod, const struct job *job)
{
    const int outcome = gang_decision_get_outcome(job->decision);
    const char *list = job->document->role == GANG_DOCUMENT_JOB ? job->document->data : NULL;

    return !is_trainjob(job) && pod->list == list &&
           (outcome == GANG_OUTCOME_GANG || outcome == GANG_OUTCOME_NO_GANG) &&
           namespaces_meet(job->document->namespace_, pod->namespace_);
}

static bool
is_of_another_gang(const struct gang_error *error)
{
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        if (gang_diagnostic_get_code(gang_error_get_diagnostic(error, i)) ==
            GANG_CODE_POD_OF_ANOTHER_GANG)
            return true;
    return false;
}

void
prepare_pods(struct workbench *bench, enum gang_format format)
{
    for (EACH(struct companion, pod, bench->pods.items, bench->pods.count)) {
        const struct origins origins = origins_with(GANG_DOCUMENT_POD, &pod->document->origin);
        struct gang_error *error = NULL;
        int result = GANG_OK;

        for (size_t k = 0; k < bench->num_jobs; k++) {
            if (!may_belong(pod->document, &bench->jobs[k]))
                continue;
            gang_error_free(error);
            result = gang_decision_prepare_pod(bench->context, bench->jobs[k].decision,
                                               pod->document->data, pod->document->len, (int)format,
                                               0, &pod->blob, &error);
            if (!result || !is_of_another_gang(error))
                break;
        }
        of_step((struct made){.blob = pod->blob});
        if (result && bench->selection && is_of_another_gang(error))
            gang_error_free(error);
        else
            complain_error(&bench->complaints, &origins, result, error);
    }
}
