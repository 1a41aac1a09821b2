/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/jobset_rules.h"

#include "libgang/base/ascii.h"
#include "libgang/base/integer.h"
#include "libgang/document/finding.h"
#include "libgang/kube/names.h"
#include "libgang/trainer/jobset_references.h"

enum { LONGEST_POD_NAME = 63, POD_SUFFIX = 6 };

/* Only roles before this one, and itself, exist for the webhook. */
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

/* <job>-<role>-<replica>-<pod>-xxxxx: jobs are indexed unless the template says otherwise. */
static void
check_name_length(const struct trainer_job *job, size_t index, const struct role *role, struct report *report)
{
    const struct replicated_job *replicated = &job->jobset.jobs[index];
    struct slice mode = node_string(node_member(replicated->job_spec, SLICE("completionMode")));
    bool indexed = !slice_is_set(mode) || slice_equal(mode, SLICE("Indexed"));
    int64_t replicas = role->ancestor == ANCESTOR_NONE ? replicated->replicas : 1;
    size_t len = job->trainjob->name.len + 1 + role->name.len + 1 + integer_length(replicas - 1);

    if (indexed && role->operator_count > 0)
        len += 1 + integer_length(role->operator_count - 1) + POD_SUFFIX;
    if (len > LONGEST_POD_NAME)
        find_note(report, GANG_CODE_DERIVED_NAME_TOO_LONG,
                  node_member(job->trainjob->meta.source, SLICE("name")),
                  arena_format(report->arena, "shorten it by %zu characters", len - LONGEST_POD_NAME),
                  "Invalid value: JobSet name is too long, %s names generated for role %.*s will have %zu "
                  "characters, more than 63",
                  indexed ? "pod" : "job", SLICE_ARG(role->name), len);
}

/* The role's name is part of a name that must be an RFC 1035 label; the job's own name stands in front. */
static void
check_role_name(const struct replicated_job *job, struct report *report)
{
    if (!ascii_all(job->name, ASCII_LOWER | ASCII_DIGIT | ASCII_DASH))
        find_invalid(
            report, GANG_CODE_INVALID_ROLE_NAME, job->name_source, NULL,
            "the names of its jobs would not be DNS-1035 labels: use lower case letters, digits and '-'");
}

static void
check_job(const struct jobset *jobset, size_t index, struct report *report)
{
    check_dependencies(jobset, index, report);
    check_role_name(&jobset->jobs[index], report);
}

bool
jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena)
{
    struct report unread;

    report_init(&unread, arena, &standard_limits);
    for (size_t i = 0; i < jobset->count; i++)
        check_job(jobset, i, &unread);
    jobset_references_check(jobset, &unread);
    return unread.count == 0 && !arena_failed(arena);
}

void
jobset_rules_check(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    const bool is_patched = job->jobset.jobs != job->runtime->jobset.jobs;
    const bool is_sound = !is_patched && job->runtime->jobset_is_sound;

    for (size_t i = 0; i < gang->num_roles; i++) {
        if (!is_sound)
            check_job(&job->jobset, i, report);
        check_name_length(job, i, &gang->roles[i], report);
    }
    if (!is_sound)
        jobset_references_check(&job->jobset, report);
}
