/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

int64_t
job_field_number(const struct node *map, struct slice key, int64_t absent)
{
    int64_t value;

    if (!node_int(node_member(map, key), &value))
        return absent;
    if (value < INT32_MIN)
        return INT32_MIN;
    return value > INT32_MAX ? INT32_MAX : value;
}

int64_t
job_field_pods(int64_t number, const struct node *field, struct report *report)
{
    if (number >= 0)
        return number;
    find_invalid(report, field, MESSAGE_VALUE_OUT_OF_RANGE_NEGATIVE);
    return 0;
}

void
job_field_read_manager(const struct job_source *source, struct slice own, struct gang_wishes *job)
{
    const struct node *manager = node_member(source->spec, SLICE("managedBy"));

    if (!slice_is_set(node_string(manager)) || slice_equal(node_string(manager), own))
        return;
    if (!node_string(manager).len)
        find_missing(source->report, source->spec, SLICE("managedBy"));
    name_check_node(manager, NAME_DOMAIN_PREFIXED_PATH, GANG_CODE_INVALID_NAME, NULL,
                    source->report);
    job->managed_elsewhere = manager;
}

/*
 * The label `controller-revision-hash` is `<StatefulSet>-<hash>`, and the hash is a number of 32
 * bits in decimal digits. Sources:
 * kubernetes/kubernetes:pkg/controller/history/controller_history.go,
 * pkg/controller/statefulset/stateful_set_utils.go@v1.37.1
 */
void
job_field_check_revision(const struct job_source *source, size_t longer)
{
    enum { LONGEST_LABEL = 63, LONGEST_HASH = 10 };
    const int space = LONGEST_LABEL - 1 - (int)(source->meta->name.len + longer);

    if (space < LONGEST_HASH)
        find_note(source->report, source->meta->name_source, MESSAGE_ROLE_NEVER_CREATED_REVISION,
                  space < 0 ? 0 : space, (int)source->meta->name.len + space - LONGEST_HASH);
}

/* ---- parents ---- */

void
job_field_check_parent(const struct job_source *source, struct gang_wishes *job)
{
    for (NODE_EACH(owner, node_member(source->meta->source, SLICE("ownerReferences")))) {
        const struct slice version = node_string(node_member(owner, SLICE("apiVersion")));
        const struct slice kind = node_string(node_member(owner, SLICE("kind")));

        if (node_is_true(node_member(owner, SLICE("controller"))) &&
            job_kind_has_parts(version, kind))
            gang_job_stand_back(job, owner, "it is a part of another job, which has the gang");
    }
}

void
job_field_check_scheduling(const struct job_source *source, const char *gang,
                           struct gang_wishes *job)
{
    const struct node *scheduling = node_member(source->spec, SLICE("scheduling"));

    if (!scheduling)
        return;
    if (!gang || node_at(scheduling, gang)) {
        find_note_at_key(source->report, scheduling, MESSAGE_NATIVE_GANG_JOB);
        gang_job_stand_back(job, scheduling, "Kubernetes makes the gang: spec.scheduling is set");
    } else {
        find_note_at_key(source->report, scheduling, MESSAGE_NATIVE_GANG_NONE);
        gang_job_stand_back(job, scheduling, "spec.scheduling asks Kubernetes for no gang");
    }
}

/* ---- runPolicy ---- */

bool
run_policy_is_suspended(const struct node *spec)
{
    return node_is_true(node_member(node_member(spec, SLICE("runPolicy")), SLICE("suspend")));
}

void
run_policy_read(const struct job_source *source, const struct run_policy_operator *by,
                struct gang_wishes *job)
{
    const struct node *policy = node_member(source->spec, SLICE("runPolicy"));
    const struct node *scheduling = node_member(policy, SLICE("schedulingPolicy"));
    const struct node *managed_by = node_member(policy, SLICE("managedBy"));
    const struct node *timeout;
    const struct node *resources;
    int64_t value;
    const struct node *least;
    const struct slice managers[] = {by->managed_by, MULTIKUEUE_MANAGER};

    job->suspended = run_policy_is_suspended(source->spec);
    if (node_is(managed_by, NODE_STRING) && slice_is_set(by->managed_by) &&
        !slice_equal(node_string(managed_by), by->managed_by)) {
        if (!slice_equal(node_string(managed_by), MULTIKUEUE_MANAGER))
            find_unsupported(source->report, managed_by, GANG_CODE_UNSUPPORTED_VALUE, NULL,
                             managers, COUNT_OF(managers));
        job->managed_elsewhere = managed_by;
        return;
    }
    timeout = node_member(scheduling, SLICE("scheduleTimeoutSeconds"));
    resources = node_member(scheduling, SLICE("minResources"));
    /* an empty text is an unset field in the operators */
    job->queue_request = gang_job_wish(node_text_member(scheduling, SLICE("queue")));
    job->priority_request = gang_job_wish(node_text_member(scheduling, SLICE("priorityClass")));
    job->timeout_request.is_set = node_int(timeout, &job->timeout_seconds);
    job->timeout_request.source = job->timeout_request.is_set ? timeout : NULL;
    least = node_member(scheduling, SLICE("minAvailable"));
    if (node_int(least, &value)) {
        if (value < 1) {
            find_invalid(source->report, least, MESSAGE_VALUE_OUT_OF_RANGE_ZERO);
        } else {
            job->minimum = value;
            job->minimum_source = least;
        }
    }
    if (resources)
        find_note(source->report, resources, MESSAGE_MIN_RESOURCES_COMPUTED);
    find_note(source->report, scheduling ? scheduling : source->spec,
              MESSAGE_OPERATOR_GANG_OPTION_TRAINING, by->name, by->option);
}

/* ---- replica types ---- */

const struct node *
replica_spec_find(const struct node *specs, struct slice type)
{
    const struct node *exact = node_member(specs, type);

    if (exact)
        return exact;
    for (NODE_EACH(spec, specs))
        if (!node_is_absent(spec) && ascii_equal(node_key(spec), type))
            return spec;
    return NULL;
}

struct role *
replica_spec_add_role(struct gang_wishes *job, const struct job_source *source, size_t most,
                      const struct node *spec, int64_t absent)
{
    const struct node *replicas = node_member(spec, SLICE("replicas"));
    struct role *role = gang_job_add_role(job, most, arena_lower(source->arena, node_key(spec)),
                                          spec, source->arena);
    int64_t count = absent;

    if (!role)
        return NULL;
    if (!replicas)
        find_note_below(source->report, spec, SLICE("replicas"), MESSAGE_DEFAULT_APPLIED_OPERATOR,
                        (long long)absent);
    else if (!node_int(replicas, &count))
        count = absent; /* reported by the schema */
    gang_job_set_count(role, job_field_pods(count, replicas, source->report));
    role->pod_template = node_member(spec, SLICE("template"));
    return role;
}

const struct node *
replica_spec_containers(const struct node *spec)
{
    const struct node *pod_template = node_member(spec, SLICE("template"));

    return node_member(node_member(pod_template, SLICE("spec")), SLICE("containers"));
}

bool
replica_spec_is_empty(const struct node *spec)
{
    const struct node *containers = replica_spec_containers(spec);

    return containers ? !node_count(containers) : !node_at(spec, "template.spec");
}

void
added_containers(struct role *role, const struct added_container *added, size_t count,
                 const struct job_source *source)
{
    const struct node *pod = node_member(role->pod_template, SLICE("spec"));
    struct pod_resources *resources = gang_job_read_resources(role, source);

    if (!resources)
        return; /* out of memory */
    resources->containers =
        arena_grow(source->arena, resources->containers, resources->num_containers,
                   resources->num_containers + count, sizeof(*resources->containers));
    if (!resources->containers)
        resources->num_containers = count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct node *requests = node_member(added[i].resources, SLICE("requests"));
        const struct node *limits = node_member(added[i].resources, SLICE("limits"));
        const struct resource_list list = resource_list_read(requests, source->report);

        resources->containers[resources->num_containers++] = (struct container_resources){
            .is_init = added[i].is_init,
            .requests = list,
            .limits = node_first(limits) == node_first(requests)
                          ? list
                          : resource_list_read(limits, source->report),
            .source = added[i].source ? added[i].source
                      : pod           ? pod
                                      : role->source,
        };
    }
}
