/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/jobset_rules.h"

#include "libgang/base/format.h"
#include "libgang/base/text.h"
#include "libgang/document/finding.h"
#include "libgang/kube/names.h"
#include "libgang/trainer/trainer_gang.h"

/* ---- jobset references ---- */

static void
check_reference(const struct jobset *jobset, const struct node *name, const char *sentence,
                struct report *report)
{
    if (name && !jobset_find(jobset, node_string(name)))
        find_invalid(report, GANG_CODE_UNKNOWN_ROLE, name,
                     "write the name of one of the replicatedJobs", "%s", sentence);
}

static void
check_targets(const struct jobset *jobset, const struct node *policy, const char *sentence,
              struct report *report)
{
    for (NODE_EACH(name, node_member(policy, SLICE("targetReplicatedJobs"))))
        check_reference(jobset, name, sentence, report);
}

static void
check_dns_name(enum name_rule rule, const struct node *name, struct report *report)
{
    struct name_problems problems;

    if (!node_string(name).len || name_check(rule, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_ROLE_NAME, name, NULL, "%s", problems.text[i]);
}

void
jobset_references_check(const struct jobset *jobset, struct report *report)
{
    const struct node *subdomain = node_at(jobset->source, "network.subdomain");

    check_targets(jobset, node_member(jobset->source, SLICE("successPolicy")),
                  "invalid replicatedJob name does not appear in .spec.ReplicatedJobs", report);
    for (NODE_EACH(rule, node_at(jobset->source, "failurePolicy.rules")))
        check_targets(
            jobset, rule,
            "invalid replicatedJob name in failure policy does not appear in .spec.ReplicatedJobs",
            report);
    check_reference(jobset, node_at(jobset->source, "coordinator.replicatedJob"),
                    "coordinator replicatedJob does not exist", report);
    check_dns_name(NAME_DNS1123_SUBDOMAIN, subdomain, report);
    check_dns_name(NAME_DNS1035_LABEL, subdomain, report);
    for (size_t i = 0; i < jobset->count; i++)
        check_dns_name(NAME_DNS1035_LABEL, node_member(jobset->jobs[i].source, SLICE("groupName")),
                       report);
}

/* ---- jobset rules ---- */

enum { LONGEST_POD_NAME = 63, POD_SUFFIX = 6 };

/* The webhook knows only the roles up to and including this one. */
static bool
stands_before(const struct jobset *jobset, size_t index, struct slice name)
{
    for (size_t i = 0; i <= index; i++)
        if (slice_equal(jobset->jobs[i].name, name))
            return true;
    return false;
}

static void
check_dependencies(const struct jobset *jobset, size_t index, struct report *report)
{
    const struct replicated_job *job = &jobset->jobs[index];

    if (index == 0 && node_count(job->depends_on))
        find_forbidden(report, GANG_CODE_DEPENDENCY_RULE, job->depends_on, NULL,
                       "DependsOn can't be set for the first ReplicatedJob");
    for (NODE_EACH(item, job->depends_on)) {
        struct slice name = node_string(node_member(item, SLICE("name")));

        if (!stands_before(jobset, index, name) && jobset_find(jobset, name))
            find_note(report, GANG_CODE_DEPENDENCY_RULE, item,
                      "a role can only depend on roles listed before it",
                      "Invalid value: replicatedJob: %.*s cannot depend on replicatedJob: %.*s",
                      SLICE_ARG(job->name), SLICE_ARG(name));
    }
}

/* Jobs are indexed unless the template sets another completionMode. */
static bool
is_indexed(const struct replicated_job *job)
{
    struct slice mode = node_string(node_member(job->job_spec, SLICE("completionMode")));

    return !slice_is_set(mode) || slice_equal(mode, SLICE("Indexed"));
}

/* Names of Jobs are <job>-<role>-<replica>; those of indexed pods have -<pod>-xxxxx after it. */
static void
check_name_length(const struct trainer_job *job, size_t index, const struct role *role,
                  struct report *report)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    int64_t replicas = role->ancestor == ANCESTOR_NONE ? replicated->replicas : 1;
    size_t len = job->trainjob->name.len + 1 + role->name.len + 1 + integer_length(replicas - 1);
    size_t more =
        role->operator_count > 0 ? 1 + integer_length(role->operator_count - 1) + POD_SUFFIX : 0;
    bool indexed;

    if (len + more <= LONGEST_POD_NAME)
        return; /* whatever the mode, as for most jobs */
    indexed = is_indexed(replicated);
    len += indexed ? more : 0;
    if (len > LONGEST_POD_NAME)
        find_note(
            report, GANG_CODE_DERIVED_NAME_TOO_LONG,
            node_member(job->trainjob->meta.source, SLICE("name")),
            arena_format(report->arena, "shorten it by %zu characters", len - LONGEST_POD_NAME),
            "Invalid value: JobSet name is too long, %s names generated for role %.*s will have "
            "%zu "
            "characters, more than 63",
            indexed ? "pod" : "job", SLICE_ARG(role->name), len);
}

/*
 * The name of the role is part of a name that must be an RFC 1035 label. It need not start with a
 * letter, because the name of the job precedes it.
 */
static void
check_role_name(const struct replicated_job *job, struct report *report)
{
    if (!ascii_all(job->name, ASCII_LOWER | ASCII_DIGIT | ASCII_DASH))
        find_invalid(report, GANG_CODE_INVALID_ROLE_NAME, job->name_source, NULL,
                     "the names of its jobs would not be DNS-1035 labels: use lower case letters, "
                     "digits and '-'");
}

static void
check_job(const struct jobset *jobset, size_t index, struct report *report)
{
    check_dependencies(jobset, index, report);
    check_role_name(&jobset->jobs[index], report);
}

void
jobset_rules_check_alone(const struct jobset *jobset, struct report *report)
{
    for (size_t i = 0; i < jobset->count; i++)
        check_job(jobset, i, report);
    jobset_references_check(jobset, report);
}

bool
jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena)
{
    struct report unread;

    report_init(&unread, arena, &standard_limits);
    jobset_rules_check_alone(jobset, &unread);
    return unread.count == 0 && !arena_failed(arena);
}

void
jobset_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                   struct report *report)
{
    const bool is_patched = job->jobset.jobs != job->runtime->jobset.jobs;
    const bool is_sound = !is_patched && job->runtime->jobset_is_sound;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        if (!is_sound)
            check_job(&job->jobset, i, report);
        check_name_length(job, i, &wishes->roles[i], report);
    }
    if (!is_sound)
        jobset_references_check(&job->jobset, report);
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
