/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

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

/* A template says which scheduler and class the pods have; without one, the role does. */
static void
gang_job_read_names(struct role *role)
{
    const bool has_template = role->pod_template;
    const struct node *scheduler = has_template
                                       ? node_member(role->pod_spec, SLICE("schedulerName"))
                                       : role->scheduler_name_source;
    const struct node *priority = has_template
                                      ? node_member(role->pod_spec, SLICE("priorityClassName"))
                                      : role->priority_class_source;

    role->scheduler_name = node_string(scheduler);
    role->scheduler_name_source = node_is(scheduler, NODE_STRING) ? scheduler : NULL;
    role->priority_class_name = node_string(priority);
    role->priority_class_source = node_is(priority, NODE_STRING) ? priority : NULL;
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

static const struct pod_resources *
gang_job_read_resources(const struct node *pod_spec, const struct job_source *source)
{
    struct pod_resources *resources = arena_alloc(source->arena, sizeof(*resources));

    if (resources)
        *resources = pod_resources_read(pod_spec, source->arena, source->report);
    return resources;
}

void
gang_job_read_pods(struct gang_job *job, const struct job_source *source)
{
    for (size_t i = 0; i < job->num_roles; i++) {
        struct role *role = &job->roles[i];

        if (role->pod_template) {
            gang_job_check_template(role->pod_template, source);
            role->pod_spec = node_member(role->pod_template, SLICE("spec"));
            role->pod_metadata = node_member(role->pod_template, SLICE("metadata"));
            role->has_marks = !job->roles_are_pods && reserved_marks_are_in(role->pod_template);
            role->resources = gang_job_read_resources(role->pod_spec, source);
        }
        gang_job_read_names(role);
        if (role->requests_source)
            role->requests = gang_job_read_amounts(role->requests_source, source);
        resource_list_forget_texts(&role->requests);
        if (role->extra_source)
            role->extra = gang_job_read_amounts(role->extra_source, source);
    }
}

bool
gang_job_sum_requests(const struct role *role, const struct pod_resources *resources,
                      enum pod_requests_mode mode, struct arena *arena, struct resource_list *out)
{
    bool fits = true;

    if (!role->pod_template && !role->extra.count) {
        *out = role->requests;
        return true;
    }
    if (role->pod_template && resources)
        fits = pod_requests_sum(resources, mode, arena, out);
    else
        *out = resource_list_copy(arena, &role->requests);
    fits &= resource_list_add(out, arena, &role->extra);
    resource_list_forget_texts(out);
    return fits;
}
