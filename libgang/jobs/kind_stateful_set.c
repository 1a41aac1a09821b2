/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"

static void
stateful_set_translate(const struct job_source *source, struct gang_wishes *job)
{
    const int64_t replicas = job_field_number(source->spec, SLICE("replicas"), 1);
    struct role *role = gang_job_add_role(job, 1, SLICE("main"), source->spec, source->arena);
    const struct node *policy;

    if (!role)
        return;
    gang_job_set_count(role, replicas > 0 ? replicas : 0);
    role->pod_template = node_member(source->spec, SLICE("template"));
    role->retries = true; /* a StatefulSet replaces every pod that ends */
    find_default(source->report, source->spec, SLICE("replicas"), "1");
    if (role->count > 0)
        job_field_check_revision(source, 0);
    job_field_check_parent(source, job);
    job_field_check_scheduling(source, NULL, job);
    /*
     * OrderedReady, the default, creates each pod when the one before it is ready, so no two of
     * them can wait for each other. Source:
     * kubernetes/kubernetes:pkg/controller/statefulset/stateful_set_control.go@v1.37.1
     */
    policy = node_member(source->spec, SLICE("podManagementPolicy"));
    if (role->count < 2 || slice_equal(node_string(policy), SLICE("Parallel")))
        return;
    role->first_count = 1;
    find_note_below(source->report, source->spec, SLICE("podManagementPolicy"),
                    MESSAGE_ORDERED_PODS);
    gang_job_stand_back(job, source->spec, "the pods are created one after another");
}

const struct job_kind stateful_set_job_kind = {
    .api_versions = {SLICE_INIT("apps/v1")},
    .kind = SLICE_INIT("StatefulSet"),
    .schema = &stateful_set_schema,
    .is_built_in = true,
    .template_fields = TEMPLATE_BUILT_IN,
    .translate = stateful_set_translate,
};
