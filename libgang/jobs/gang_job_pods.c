/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job_pods.h"

#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"

static void
gang_job_check_containers(const struct node *containers, const struct job_source *source)
{
    const uint64_t most = source->limits->value[GANG_LIMIT_CONTAINERS];

    if (node_count(containers) > most)
        find_note(source->report, GANG_CODE_LIMIT_CONTAINERS, containers, NULL,
                  "Too many: %zu: must have at most %llu items", node_count(containers),
                  (unsigned long long)most);
}

static void
gang_job_check_template(const struct node *pod_template, const struct job_source *source)
{
    const struct node *metadata = node_member(pod_template, SLICE("metadata"));
    const struct node *spec = node_member(pod_template, SLICE("spec"));

    object_meta_check_labels(node_member(metadata, SLICE("labels")), source->report);
    object_meta_check_annotations(node_member(metadata, SLICE("annotations")), source->report);
    gang_job_check_containers(node_member(spec, SLICE("containers")), source);
    gang_job_check_containers(node_member(spec, SLICE("initContainers")), source);
}

/* A template says which scheduler and class the pods have. */
static void
gang_job_take_template(struct gang_job_role *role)
{
    const struct node *spec = node_member(role->pod_template, SLICE("spec"));

    role->scheduler_name = gang_job_wish(node_member(spec, SLICE("schedulerName")));
    role->priority_class_name = gang_job_wish(node_member(spec, SLICE("priorityClassName")));
}

/* Amounts that were computed have no place; what is wrong was reported where they come from. */
static struct resource_list
gang_job_read_amounts(const struct node *amounts, const struct job_source *source)
{
    struct report unread;

    if (amounts->line)
        return resource_list_read(amounts, source->arena, source->report);
    report_init(&unread, source->arena, source->limits);
    return resource_list_read(amounts, source->arena, &unread);
}

void
gang_job_read_pods(struct gang_job *job, const struct job_source *source)
{
    for (size_t i = 0; i < job->num_roles; i++) {
        struct gang_job_role *role = &job->roles[i];

        if (role->pod_template) {
            gang_job_check_template(role->pod_template, source);
            role->has_marks = !job->roles_are_pods && reserved_marks_are_in(role->pod_template);
            gang_job_take_template(role);
            role->resources = pod_resources_read(node_member(role->pod_template, SLICE("spec")),
                                                 source->arena, source->report);
        }
        if (role->requests)
            role->given = gang_job_read_amounts(role->requests, source);
        resource_list_forget_texts(&role->given);
        if (role->extra_requests)
            role->extra = gang_job_read_amounts(role->extra_requests, source);
    }
}

bool
gang_job_sum_requests(const struct gang_job_role *role, const struct pod_resources *resources,
                      enum pod_requests_mode mode, struct arena *arena, struct resource_list *out)
{
    bool fits = true;

    if (!role->pod_template && !role->extra.count) {
        *out = role->given;
        return true;
    }
    if (role->pod_template)
        fits = pod_requests_sum(resources, mode, arena, out);
    else
        *out = resource_list_copy(arena, &role->given);
    fits &= resource_list_add(out, arena, &role->extra);
    resource_list_forget_texts(out);
    return fits;
}
