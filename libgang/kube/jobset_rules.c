/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/jobset.h"

#include "libgang/document/document.h"

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

/*
 * Reports names in a JobSet that JobSet's webhook refuses: roles in its policies that do not exist,
 * and names of groups and subdomains that are not DNS labels.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
static void
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

void
jobset_start_order_check(const struct jobset *jobset, struct report *report)
{
    for (size_t i = 0; jobset->in_order && i < jobset->count; i++)
        if (jobset->jobs[i].depends_on) {
            find_invalid(report, GANG_CODE_START_ORDER_CONFLICT, jobset->in_order, NULL,
                         "StartupPolicy and DependsOn APIs are mutually exclusive");
            return;
        }
}

/* The webhook knows only the roles up to and including this one. */
static bool
stands_before(const struct jobset *jobset, size_t index, struct slice name)
{
    /* from the nearest one, which is the usual one */
    for (size_t i = index + 1; i > 0; i--)
        if (slice_equal(jobset->jobs[i - 1].name, name))
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
bool
jobset_is_indexed(const struct replicated_job *job)
{
    struct slice mode = node_string(node_member(job->job_spec, SLICE("completionMode")));

    return !slice_is_set(mode) || slice_equal(mode, SLICE("Indexed"));
}

void
jobset_report_long_name(const struct node *job_name, struct slice role, size_t len, bool indexed,
                        struct report *report)
{
    find_note(
        report, GANG_CODE_DERIVED_NAME_TOO_LONG, job_name,
        arena_format(report->arena, "shorten it by %zu characters", len - JOBSET_LONGEST_NAME),
        "Invalid value: JobSet name is too long, %s names generated for role %.*s will have "
        "%zu characters, more than 63",
        indexed ? "pod" : "job", SLICE_ARG(role), len);
}

void
jobset_names_check(const struct object_meta *meta, const struct replicated_job *job,
                   int64_t replicas, struct report *report)
{
    const struct node *completions = node_member(job->job_spec, SLICE("completions"));
    const bool indexed = completions && jobset_is_indexed(job);
    size_t len = meta->name.len + 1 + job->name.len + 1 + integer_length(replicas - 1);
    int64_t pods;

    if (indexed && node_int(completions, &pods) && pods > 0)
        len += 1 + integer_length(pods - 1) + JOBSET_POD_SUFFIX;
    if (meta->name.len && len > JOBSET_LONGEST_NAME)
        jobset_report_long_name(meta->name_source, job->name, len, indexed, report);
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
jobset_rules_check_role(const struct jobset *jobset, size_t index, struct report *report)
{
    check_dependencies(jobset, index, report);
    check_role_name(&jobset->jobs[index], report);
}

void
jobset_rules_check_alone(const struct jobset *jobset, struct report *report)
{
    for (size_t i = 0; i < jobset->count; i++)
        jobset_rules_check_role(jobset, i, report);
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

/* ---- exclusive placement ---- */

/*
 * Pods of such a Job have no completion index, so that the webhook takes none for the first. The
 * webhook of the JobSet sets Indexed where the field is absent.
 */
void
jobset_exclusive_check_mode(const struct replicated_job *job, struct report *report)
{
    const struct node *mode = node_member(job->job_spec, SLICE("completionMode"));

    if (slice_equal(node_string(mode), SLICE("NonIndexed")))
        find_note(
            report, GANG_CODE_EXCLUSIVE_NOT_INDEXED, mode, "set completionMode: Indexed",
            "JobSet's webhook refuses every pod of the Job: with exclusive-topology it admits "
            "the pod with completion index 0 first, and there is none");
}

void
jobset_exclusive_report(const struct node *annotation, struct report *report)
{
    find_note(report, GANG_CODE_EXCLUSIVE_TOPOLOGY, annotation,
              "with the annotation alpha.jobset.sigs.k8s.io/node-selector beside it, all pods are "
              "created at once",
              "JobSet's webhook admits the pod with completion index 0 of each Job, and the other "
              "pods only when that one has a node");
}

const struct node *
jobset_exclusive_find(const struct replicated_job *job, const struct node *annotations,
                      int64_t pods, struct report *report)
{
    const struct node *annotation = replicated_job_exclusive(job, annotations);

    if (!annotation)
        return NULL;
    jobset_exclusive_check_mode(job, report);
    if (pods < 2)
        return NULL;
    jobset_exclusive_report(annotation, report);
    return annotation;
}
