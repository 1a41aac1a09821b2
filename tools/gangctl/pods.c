/* SPDX-License-Identifier: Apache-2.0 */
#include "pods.h"

#include <string.h>

/*
 * Every pod that Grove creates has this label: ai-dynamo/grove:operator/api/common/labels.go
 * LabelPodGang.
 */
static const char pod_label[] = "grove.io/podgang";

bool
is_pod_of_grove(const struct document *document)
{
    return document->api_version && strcmp(document->api_version, "v1") == 0 && document->kind &&
           strcmp(document->kind, "Pod") == 0 && document_mentions(document, pod_label);
}

void
add_pod(struct workbench *bench, const struct document *document)
{
    bench->pods[bench->num_pods++] = (struct pod){.document = document};
}

static bool
may_belong(const struct document *pod, const struct job *job)
{
    const char *namespace_ = job->document->namespace_;
    int outcome = gang_decision_get_outcome(job->decision);

    if (job->document->role == DOCUMENT_IS_JOB && pod->list != job->document->data)
        return false;
    return !is_trainjob(job) && (!pod->list || job->document->role == DOCUMENT_IS_JOB) &&
           (outcome == GANG_OUTCOME_GANG || outcome == GANG_OUTCOME_NO_GANG) &&
           (!namespace_ || !pod->namespace_ || strcmp(namespace_, pod->namespace_) == 0);
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

/*
 * Returns the job that accepts the pod, with its findings; otherwise the findings of the last job.
 */
static void
prepare_pod(struct workbench *bench, struct pod *pod, enum gang_format format)
{
    struct origins origins = {.pod = pod->document->origin};
    struct gang_error *error = NULL;
    int result = GANG_OK;

    for (size_t i = 0; i < bench->num_jobs; i++) {
        if (!may_belong(pod->document, &bench->jobs[i]))
            continue;
        gang_error_free(error);
        result =
            gang_decision_prepare_pod(bench->context, bench->jobs[i].decision, pod->document->data,
                                      pod->document->len, (int)format, 0, &pod->blob, &error);
        if (!result || !is_of_another_gang(error))
            break;
    }
    if (result && bench->selection && is_of_another_gang(error))
        gang_error_free(error);
    else if (result)
        complain_error(&bench->complaints, &origins, &pod->document->origin, result, error);
}

void
prepare_pods(struct workbench *bench, enum gang_format format)
{
    for (size_t i = 0; i < bench->num_pods; i++)
        prepare_pod(bench, &bench->pods[i], format);
}
