/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove_job.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

const char *
grove_job_full_name(struct slice namespace_, struct slice name, struct arena *arena)
{
    return arena_format(arena, "%.*s%s%.*s", SLICE_ARG(namespace_), namespace_.len ? "/" : "",
                        SLICE_ARG(name));
}

const struct node *
grove_job_label_place(const struct object_meta *meta, struct slice *missing)
{
    *missing = meta->labels ? SLICE("") : SLICE("labels");
    return meta->labels ? meta->labels : meta->source;
}

static bool
grove_job_is_set(const struct podgang_controller *controller)
{
    return slice_equal(controller->api_version, SLICE(GANG_GROVE_API_VERSION)) &&
           slice_equal(controller->kind, SLICE(GANG_KIND_PODCLIQUESET));
}

static bool
grove_job_namespaces_meet(struct slice one, struct slice other)
{
    return !slice_is_set(one) || !slice_is_set(other) || slice_equal(one, other);
}

void
grove_job_check_set(const struct grove_job *job, struct report *report)
{
    const struct podgang_controller *controller = &job->podgang->controller;
    const struct gang_podcliqueset *set = job->podcliqueset;

    if (!set || !grove_job_is_set(controller))
        return;
    if (!slice_equal(controller->name, set->meta.name))
        find_note(report, GANG_CODE_PODCLIQUESET_MISMATCH, controller->source, NULL,
                  "Invalid value: the podgang belongs to the PodCliqueSet %.*s, not to %.*s",
                  SLICE_ARG(controller->name), SLICE_ARG(set->meta.name));
    else if (!grove_job_namespaces_meet(job->podgang->meta.namespace_, set->meta.namespace_))
        find_note(report, GANG_CODE_PODCLIQUESET_MISMATCH, controller->source, NULL,
                  "Invalid value: the podgang stands in the namespace %.*s, the PodCliqueSet in %.*s",
                  SLICE_ARG(job->podgang->meta.namespace_), SLICE_ARG(set->meta.namespace_));
}

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb */
bool
grove_job_require_set(const struct grove_job *job, struct report *report)
{
    const struct gang_podgang *podgang = job->podgang;
    const struct podgang_controller *controller = &podgang->controller;
    const char *name = grove_job_full_name(podgang->meta.namespace_, podgang->meta.name, report->arena);
    struct quoted kind;

    if (!controller->source)
        find_note_below(report, GANG_CODE_PODGANG_OWNER, podgang->meta.source, SLICE("ownerReferences"),
                        "pass the podgang as the API server returns it",
                        "podgang %s has no controlling PodCliqueSet", name);
    else if (!grove_job_is_set(controller))
        find_note(report, GANG_CODE_PODGANG_OWNER, controller->source, NULL,
                  "podgang %s is controlled by %.*s %s, expected PodCliqueSet", name,
                  SLICE_ARG(controller->api_version), quote(&kind, controller->kind));
    else if (!job->podcliqueset)
        find_note(report, GANG_CODE_PODGANG_OWNER, controller->source, "pass the PodCliqueSet too",
                  "get controlling PodCliqueSet %s: it was not passed in",
                  grove_job_full_name(podgang->meta.namespace_, controller->name, report->arena));
    else
        return true;
    return false;
}
