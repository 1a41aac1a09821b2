/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- the rules for the JobSet of a trainjob ---- */

/* Names of Jobs are <job>-<role>-<replica>; those of indexed pods have -<pod>-xxxxx after it. */
static void
check_name_length(const struct trainer_job *job, size_t index, const struct role *role,
                  struct report *report)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    int64_t replicas = role->ancestor == ANCESTOR_NONE ? replicated->replicas : 1;
    size_t len = job->trainjob->name.len + 1 + role->name.len + 1 + integer_length(replicas - 1);
    size_t more = role->operator_count > 0
                      ? 1 + integer_length(role->operator_count - 1) + JOBSET_POD_SUFFIX
                      : 0;
    bool indexed;

    if (len + more <= JOBSET_LONGEST_NAME)
        return; /* whatever the mode, as for most jobs */
    indexed = jobset_is_indexed(replicated);
    len += indexed ? more : 0;
    if (len > JOBSET_LONGEST_NAME)
        jobset_report_long_name(job->trainjob->meta.name_source, role->name, len, indexed, report);
}

void
jobset_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                   struct report *report)
{
    const bool is_patched = job->jobset.jobs != job->runtime->jobset.jobs;
    const bool is_sound = !is_patched && job->runtime->jobset_is_sound;

    for (size_t i = 0; i < wishes->num_roles; i++)
        check_name_length(job, i, &wishes->roles[i], report);
    if (!is_sound)
        jobset_rules_check_alone(&job->jobset, report);
}

/* ---- jobset roles ---- */

static const struct {
    struct slice text;
    enum dependency_status status;
} jobset_roles_statuses[] = {
    {SLICE_INIT("Ready"), DEPENDENCY_READY},
    {SLICE_INIT("Complete"), DEPENDENCY_COMPLETE},
};

static enum dependency_status
jobset_roles_status(struct slice text)
{
    for (size_t i = 0; i < COUNT_OF(jobset_roles_statuses); i++)
        if (slice_equal(jobset_roles_statuses[i].text, text))
            return jobset_roles_statuses[i].status;
    return DEPENDENCY_READY;
}

static void
jobset_roles_read_depends_on(struct role *role, const struct node *list, struct arena *arena)
{
    role->dependencies = arena_array(arena, node_count(list), sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    for (NODE_EACH(item, list))
        role->dependencies[role->num_dependencies++] = (struct dependency){
            .role = node_string(node_member(item, SLICE("name"))),
            .index = ROLE_NONE,
            .status = jobset_roles_status(node_string(node_member(item, SLICE("status")))),
            .source = item,
        };
}

/* startupPolicyOrder InOrder: each role is created when the role before it is ready. */
static void
jobset_roles_follow(struct role *role, const struct role *before, const struct node *in_order,
                    struct arena *arena)
{
    role->dependencies = arena_alloc(arena, sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    role->num_dependencies = 1;
    role->dependencies[0] = (struct dependency){
        .role = before->name, .index = ROLE_NONE, .status = DEPENDENCY_READY, .source = in_order};
}

static struct slice
jobset_roles_ancestor_text(const struct replicated_job *job)
{
    return node_string(
        node_member(node_member(job->job_metadata, SLICE("labels")), TRAINER_ANCESTOR_LABEL));
}

static struct role
jobset_roles_role(const struct replicated_job *job)
{
    const struct slice ancestor = jobset_roles_ancestor_text(job);
    const struct ancestor_entry *entry = ancestor_entry_of(ancestor);

    return (struct role){
        .name = job->name,
        .ancestor_text = ancestor,
        .ancestor = entry ? entry->ancestor : ANCESTOR_NONE,
        .wish = entry ? entry->wish : WISH_AUTO,
        .retries = job->retries,
        .scheduler_name = job->scheduler_name,
        .priority_class_name = job->priority_class_name,
        .source = job->source,
        .job_spec = job->job_spec,
        .job_metadata = job->job_metadata,
        .pod_metadata = node_member(job->pod_template, SLICE("metadata")),
        .pod_spec = job->pod_spec,
        .scheduler_name_source = node_member(job->pod_spec, SLICE("schedulerName")),
        .priority_class_source = node_member(job->pod_spec, SLICE("priorityClassName")),
    };
}

struct jobset_roles
jobset_roles_read(const struct jobset *jobset, struct arena *arena)
{
    struct jobset_roles all = {.roles = arena_take_array(arena, jobset->count, sizeof(*all.roles))};

    if (!all.roles)
        return all;
    for (size_t i = 0; i < jobset->count; i++) {
        all.roles[i] = jobset_roles_role(&jobset->jobs[i]);
        if (jobset->jobs[i].depends_on)
            jobset_roles_read_depends_on(&all.roles[i], jobset->jobs[i].depends_on, arena);
        else if (jobset->in_order && i > 0)
            jobset_roles_follow(&all.roles[i], &all.roles[i - 1], jobset->in_order, arena);
    }
    all.is_ordered = start_order_settle(all.roles, jobset->count, arena, &all.start_order);
    return all;
}
