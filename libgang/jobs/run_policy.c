/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/run_policy.h"

#include "libgang/document/document.h"
#include "libgang/jobs/job_fields.h"

/* ---- runPolicy ---- */

/* An empty text is an unset field in the operators. */
static struct gang_job_wish
run_policy_wish(const struct node *policy, struct slice key)
{
    const struct node *value = node_member(policy, key);

    return node_string(value).len ? gang_job_wish(value) : (struct gang_job_wish){.source = NULL};
}

static void
run_policy_read_minimum(const struct node *least, struct gang_job *job, struct report *report)
{
    int64_t value;

    if (!node_int(least, &value))
        return;
    if (value < 1) {
        find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, least, NULL,
                     "must be greater than or equal to 1");
        return;
    }
    job->minimum = value;
    job->minimum_source = least;
}

static void
run_policy_read_scheduling(const struct node *policy, struct gang_job *job, struct report *report)
{
    const struct node *timeout = node_member(policy, SLICE("scheduleTimeoutSeconds"));
    const struct node *resources = node_member(policy, SLICE("minResources"));
    struct gang_job_user_wishes *wishes = &job->wishes;

    wishes->queue = run_policy_wish(policy, SLICE("queue"));
    wishes->priority_class_name = run_policy_wish(policy, SLICE("priorityClass"));
    wishes->has_timeout = node_int(timeout, &wishes->timeout_seconds);
    wishes->timeout_source = wishes->has_timeout ? timeout : NULL;
    run_policy_read_minimum(node_member(policy, SLICE("minAvailable")), job, report);
    if (resources)
        find_note(report, GANG_CODE_MIN_RESOURCES_COMPUTED, resources, "remove it",
                  "has no effect: the resources of the gang are computed from its pods");
}

static const struct node *
run_policy_of(const struct node *spec)
{
    return node_member(spec, SLICE("runPolicy"));
}

bool
run_policy_is_suspended(const struct node *spec)
{
    return node_is_true(node_member(run_policy_of(spec), SLICE("suspend")));
}

void
run_policy_read(const struct job_source *source, const struct run_policy_operator *by,
                struct gang_job *job)
{
    const struct node *policy = run_policy_of(source->spec);
    const struct node *scheduling = node_member(policy, SLICE("schedulingPolicy"));
    const struct node *managed_by = node_member(policy, SLICE("managedBy"));

    job->suspended = run_policy_is_suspended(source->spec);
    if (managed_by && !slice_equal(node_string(managed_by), by->managed_by)) {
        job->managed_elsewhere = managed_by;
        return;
    }
    run_policy_read_scheduling(scheduling, job, source->report);
    find_note(source->report, GANG_CODE_OPERATOR_GANG_OPTION,
              scheduling ? scheduling : source->spec, NULL,
              "%s must run without %s, with which it creates a PodGroup of this job itself",
              by->name, by->option);
}

/* ---- replica types ---- */

static char
replica_type_lower(char letter)
{
    return ascii_is(letter, ASCII_UPPER) ? (char)(letter - 'A' + 'a') : letter;
}

bool
replica_spec_is(const struct node *spec, struct slice type)
{
    const struct slice key = node_key(spec);

    if (key.len != type.len)
        return false;
    for (size_t i = 0; i < key.len; i++)
        if (replica_type_lower(key.data[i]) != replica_type_lower(type.data[i]))
            return false;
    return true;
}

const struct node *
replica_spec_find(const struct node *specs, struct slice type)
{
    const struct node *exact = node_member(specs, type);

    if (exact)
        return exact;
    for (NODE_EACH(spec, specs))
        if (!node_is_absent(spec) && replica_spec_is(spec, type))
            return spec;
    return NULL;
}

static struct slice
replica_type_in_lower_case(struct slice type, struct arena *arena)
{
    char *text = arena_array(arena, type.len + 1, 1);

    if (!text)
        return NO_SLICE;
    for (size_t i = 0; i < type.len; i++)
        text[i] = replica_type_lower(type.data[i]);
    return (struct slice){text, type.len};
}

struct role *
replica_spec_add_role(struct gang_job *job, const struct job_source *source, size_t most,
                      const struct node *spec, int64_t absent)
{
    const struct node *replicas = node_member(spec, SLICE("replicas"));
    struct role *role = gang_job_add_role(
        job, most, replica_type_in_lower_case(node_key(spec), source->arena), spec, source->arena);
    int64_t count = absent;

    if (!role)
        return NULL;
    if (!replicas)
        find_note_below(source->report, GANG_CODE_DEFAULT_APPLIED, spec, SLICE("replicas"), NULL,
                        "defaults to %lld, as in the operator", (long long)absent);
    else if (!node_int(replicas, &count))
        count = absent; /* reported by the schema */
    gang_job_set_count(role, job_field_pods(count, replicas, source->report));
    role->pod_template = node_member(spec, SLICE("template"));
    return role;
}

const struct node *
replica_spec_containers(const struct node *spec)
{
    return node_at(spec, "template.spec.containers");
}

bool
replica_spec_is_empty(const struct node *spec)
{
    const struct node *containers = replica_spec_containers(spec);

    return containers ? !node_count(containers) : !node_at(spec, "template.spec");
}
