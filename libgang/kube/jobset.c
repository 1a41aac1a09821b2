/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/jobset.h"

#include "libgang/document/document.h"

void
pod_containers_check(const struct node *pod_spec, struct report *report)
{
    static const struct slice lists[] = {SLICE_INIT("containers"), SLICE_INIT("initContainers")};
    const uint64_t most = report->limits->value[GANG_LIMIT_CONTAINERS];

    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const struct node *list = node_member(pod_spec, lists[i]);

        if (node_count(list) > most)
            find_note(report, list, MESSAGE_LIMIT_CONTAINERS, node_count(list),
                      (unsigned long long)most);
    }
}

void
replicated_job_sum_requests(struct replicated_job *job, enum pod_requests_mode mode,
                            struct arena *arena)
{
    struct pod_sum *sum = &job->sums[mode];

    sum->fits = pod_requests_sum(&job->resources, mode, arena, &sum->requests);
    resource_list_forget_texts(&sum->requests);
}

static void
replicated_job_sum_of_pod(struct replicated_job *job, struct arena *arena)
{
    job->requests_source = job->pod_spec;
    replicated_job_sum_requests(job, POD_REQUESTS_ONLY, arena);
    replicated_job_sum_requests(job, POD_REQUESTS_EFFECTIVE, arena);
}

bool
job_spec_retries(const struct node *job_spec)
{
    if (node_int_or(node_member(job_spec, SLICE("backoffLimit")), 6) != 0)
        return true;
    for (NODE_EACH(rule, node_at(job_spec, "podFailurePolicy.rules")))
        if (slice_equal(node_string(node_member(rule, SLICE("action"))), SLICE("Ignore")))
            return true;
    return false;
}

/* Everything but the resources of the pods. */
static inline struct replicated_job
replicated_job_read_outline(const struct node *source)
{
    const struct node *job_template = node_member(source, SLICE("template"));
    const struct node *job_spec = node_member(job_template, SLICE("spec"));
    const struct node *pod_template = node_member(job_spec, SLICE("template"));
    const struct node *pod_spec = node_member(pod_template, SLICE("spec"));
    int64_t replicas = node_int_or(node_member(source, SLICE("replicas")), 1);

    return (struct replicated_job){
        .name = node_name(source),
        .replicas = replicas ? replicas : 1,
        .parallelism = node_int_or(node_member(job_spec, SLICE("parallelism")), 1),
        .has_completions = node_member(job_spec, SLICE("completions")) != NULL,
        .retries = job_spec_retries(job_spec),
        .source = source,
        .name_source = node_member(source, SLICE("name")),
        .job_metadata = node_member(job_template, SLICE("metadata")),
        .job_spec = job_spec,
        .pod_metadata = node_member(pod_template, SLICE("metadata")),
        .pod_spec = pod_spec,
        .depends_on = node_member(source, SLICE("dependsOn")),
    };
}

/*
 * Whether a merge has left what pod_resources_read() reads: the children of it are the same. A
 * merge keeps the order of the members and adds others behind them.
 */
static bool
pod_keeps_resources(const struct node *pod_spec, const struct node *known)
{
    static const struct slice members[] = {SLICE_INIT("containers"), SLICE_INIT("initContainers"),
                                           SLICE_INIT("resources"), SLICE_INIT("overhead")};
    const struct node *before = node_first(known);

    for (NODE_EACH(member, pod_spec)) {
        if ((before && !slice_equal(node_key(member), node_key(before))) ||
            (node_first(member) != node_first(before) &&
             slice_is_among(node_key(member), members, COUNT_OF(members))))
            return false;
        before = before ? before->next : NULL;
    }
    return !before;
}

/* `known` is the job before a merge, of which the findings are known; NULL for none. */
static struct replicated_job
replicated_job_read(const struct node *source, const struct replicated_job *known,
                    struct report *report)
{
    struct replicated_job job = replicated_job_read_outline(source);

    if (known && pod_keeps_resources(job.pod_spec, known->pod_spec)) {
        job.resources = known->resources;
        job.survives_json = known->survives_json;
        memcpy(job.sums, known->sums, sizeof(job.sums));
        job.pods_are_sound = known->pods_are_sound;
        job.requests_source = job.pod_spec;
        return job;
    }
    pod_containers_check(job.pod_spec, report);
    job.resources = pod_resources_read(job.pod_spec, report);
    job.survives_json = pod_resources_survive_json(&job.resources, report->arena);
    replicated_job_sum_of_pod(&job, report->arena);
    return job;
}

SELDOM void *
roles_array(const struct node *list, size_t size, struct report *report)
{
    const uint64_t most = report->limits->value[GANG_LIMIT_ROLES];

    if (node_count(list) <= most)
        return arena_array(report->arena, node_count(list), size);
    find_note(report, list, MESSAGE_LIMIT_ROLES, node_count(list), (unsigned long long)most);
    return NULL;
}

/* Returns an empty JobSet if the list is too long or memory is exhausted. */
static struct jobset
jobset_prepare(const struct node *spec, struct report *report)
{
    const struct node *list = node_member(spec, SLICE("replicatedJobs"));
    const struct node *order =
        node_member(node_member(spec, SLICE("startupPolicy")), SLICE("startupPolicyOrder"));
    struct jobset jobset = {.in_order =
                                slice_equal(node_string(order), SLICE("InOrder")) ? order : NULL,
                            .coordinator = node_member(spec, SLICE("coordinator")),
                            .source = spec};

    jobset.jobs = roles_array(list, sizeof(*jobset.jobs), report);
    jobset.count = jobset.jobs ? node_count(list) : 0;
    return jobset;
}

struct jobset
jobset_read_outline(const struct node *spec, struct report *report)
{
    struct jobset jobset = jobset_prepare(spec, report);
    const struct node *source = node_first(node_member(spec, SLICE("replicatedJobs")));

    for (size_t i = 0; i < jobset.count; i++, source = source->next)
        jobset.jobs[i] = replicated_job_read_outline(source);
    return jobset;
}

struct jobset
jobset_read(const struct node *spec, const struct jobset *known, struct report *report)
{
    struct jobset jobset = jobset_prepare(spec, report);
    const struct node *source = node_first(node_member(spec, SLICE("replicatedJobs")));

    for (size_t i = 0; i < jobset.count; i++, source = source->next) {
        const struct replicated_job *job = known && i < known->count ? &known->jobs[i] : NULL;
        const struct replicated_job *same =
            job && node_first(job->source) == node_first(source) ? job : NULL;

        jobset.jobs[i] = same ? *same : replicated_job_read(source, job, report);
        jobset.has_pod_metadata |= jobset.jobs[i].pod_metadata != NULL;
        jobset.has_completions |= jobset.jobs[i].has_completions;
        if (known && !jobset.jobs[i].survives_json) {
            jobset.jobs[i].resources =
                pod_resources_after_json(&jobset.jobs[i].resources, report->arena);
            replicated_job_sum_of_pod(&jobset.jobs[i], report->arena);
        }
    }
    return jobset;
}

/*
 * A merge shares the children of what it does not change, and keeps the order of the members. A
 * member of another kind differs.
 */
static bool
jobset_differs_only_in(const struct node *merged, const struct node *original, struct slice except)
{
    const struct node *before = node_first(original);

    for (NODE_EACH(member, merged)) {
        const bool is_same = before && slice_equal(node_key(member), node_key(before)) &&
                             member->kind == before->kind &&
                             (member->kind < NODE_LIST ? node_equal(member, before)
                                                       : node_first(member) == node_first(before));

        if (!is_same && !slice_equal(node_key(member), except))
            return false;
        before = before ? before->next : NULL;
    }
    return node_count(merged) == node_count(original);
}

bool
jobset_keeps_outline(const struct jobset *merged, const struct jobset *known)
{
    if (merged->count != known->count ||
        !jobset_differs_only_in(merged->source, known->source, SLICE("replicatedJobs")))
        return false;
    for (size_t i = 0; i < known->count; i++)
        if (merged->jobs[i].source != known->jobs[i].source &&
            !jobset_differs_only_in(merged->jobs[i].source, known->jobs[i].source,
                                    SLICE("template")))
            return false;
    return true;
}

const struct replicated_job *
jobset_find(const struct jobset *jobset, struct slice name)
{
    return FIND_TEXT(jobset->jobs, jobset->count, name, name);
}

const struct node *
replicated_job_container(const struct replicated_job *job, struct slice name)
{
    return node_item_named(node_member(job->pod_spec, SLICE("containers")), name);
}

SELDOM bool
replicated_job_has_container(const struct replicated_job *job, struct slice name)
{
    return replicated_job_container(job, name) ||
           node_item_named(node_member(job->pod_spec, SLICE("initContainers")), name);
}

/* ---- exclusive placement ---- */

#define JOBSET_EXCLUSIVE SLICE("alpha.jobset.sigs.k8s.io/exclusive-topology")
/* The value does not matter. Nodes are labelled in advance, and all pods are created at once. */
#define JOBSET_NODE_SELECTOR SLICE("alpha.jobset.sigs.k8s.io/node-selector")

/* What one object's annotations give to the pods. */
struct jobset_placement {
    const struct node *exclusive;
    bool selects_nodes;
};

bool
jobset_annotations_place(const struct node *annotations)
{
    return annotations && (node_member(annotations, JOBSET_EXCLUSIVE) ||
                           node_member(annotations, JOBSET_NODE_SELECTOR));
}

/* The JobSet and the Job template give node-selector to the pods only beside exclusive-topology. */
static void
jobset_place(struct jobset_placement *pods, const struct node *annotations, bool gives_alone)
{
    const struct node *exclusive = node_member(annotations, JOBSET_EXCLUSIVE);

    if (exclusive)
        pods->exclusive = exclusive;
    if (exclusive || gives_alone)
        pods->selects_nodes |= node_member(annotations, JOBSET_NODE_SELECTOR) != NULL;
}

const struct node *
jobset_exclusive_find(const struct replicated_job *job, const struct node *annotations,
                      int64_t count, struct report *report)
{
    const struct node *mode = node_member(job->job_spec, SLICE("completionMode"));
    struct jobset_placement pods = {.exclusive = NULL};

    jobset_place(&pods, node_member(job->pod_metadata, SLICE("annotations")), true);
    jobset_place(&pods, annotations, false);
    jobset_place(&pods, node_member(job->job_metadata, SLICE("annotations")), false);
    if (!pods.exclusive || pods.selects_nodes)
        return NULL;
    /*
     * Pods of such a Job have no completion index, so that the webhook takes none for the first.
     * The webhook of the JobSet sets Indexed where the field is absent.
     */
    if (slice_equal(node_string(mode), SLICE("NonIndexed")))
        find_note(report, mode, MESSAGE_EXCLUSIVE_NOT_INDEXED);
    return count < 2 ? NULL : pods.exclusive;
}

/* ---- jobset references ---- */

static void
check_reference(const struct jobset *jobset, const struct node *name, const char *sentence,
                struct report *report)
{
    if (name && !jobset_find(jobset, node_string(name)))
        find_invalid(report, name, MESSAGE_UNKNOWN_ROLE, sentence);
}

static void
check_targets(const struct jobset *jobset, const struct node *policy, const char *sentence,
              struct report *report)
{
    for (NODE_EACH(name, node_member(policy, SLICE("targetReplicatedJobs"))))
        check_reference(jobset, name, sentence, report);
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
    name_check_node(subdomain, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_ROLE_NAME, NULL, report);
    name_check_node(subdomain, NAME_DNS1035_LABEL, GANG_CODE_INVALID_ROLE_NAME, NULL, report);
    for (size_t i = 0; i < jobset->count; i++)
        name_check_node(node_member(jobset->jobs[i].source, SLICE("groupName")), NAME_DNS1035_LABEL,
                        GANG_CODE_INVALID_ROLE_NAME, NULL, report);
}

/* ---- jobset rules ---- */

void
jobset_start_order_check(const struct jobset *jobset, struct report *report)
{
    for (size_t i = 0; jobset->in_order && i < jobset->count; i++)
        if (jobset->jobs[i].depends_on) {
            find_invalid(report, jobset->in_order, MESSAGE_START_ORDER_CONFLICT);
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

/* Jobs are indexed unless the template sets another completionMode. */
bool
jobset_is_indexed(const struct replicated_job *job)
{
    struct slice mode = node_string(node_member(job->job_spec, SLICE("completionMode")));

    return !slice_is_set(mode) || slice_equal(mode, SLICE("Indexed"));
}

SELDOM void
jobset_report_long_name(const struct node *job_name, struct slice role, size_t len, bool indexed,
                        struct report *report)
{
    find_note(report, job_name, MESSAGE_DERIVED_NAME_TOO_LONG_JOBSET, indexed ? "pod" : "job",
              SLICE_ARG(role), len, len - JOBSET_LONGEST_NAME);
}

void
jobset_names_check(const struct object_meta *meta, const struct replicated_job *job,
                   int64_t replicas, struct report *report)
{
    const struct node *completions = node_member(job->job_spec, SLICE("completions"));
    const bool indexed = completions && jobset_is_indexed(job);
    size_t len = meta->name.len + 1 + job->name.len + 1 + integer_length(replicas - 1);
    int64_t pods;

    if (indexed && node_int(completions, &pods) && pods >= 0)
        len += 1 + integer_length(pods - 1) + JOBSET_POD_SUFFIX;
    if (meta->name.len && len > JOBSET_LONGEST_NAME)
        jobset_report_long_name(meta->name_source, job->name, len, indexed, report);
}

SELDOM void
jobset_coordinator_check(const struct jobset *set, const struct object_meta *meta,
                         const struct replicated_job *job, int64_t replicas, int64_t completions,
                         struct report *report)
{
    const struct node *coordinator = set->coordinator;
    const struct slice subdomain = node_string(node_at(set->source, "network.subdomain"));
    const int64_t counts[] = {replicas, jobset_is_indexed(job) ? completions : -1};
    const size_t names = subdomain.len ? 1 : 2; /* the default subdomain is the name */
    size_t len = names * meta->name.len + job->name.len + subdomain.len;

    if (jobset_find(set, node_string(node_at(coordinator, "replicatedJob"))) != job)
        return;
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "podIndex" : "jobIndex";
        const struct node *index = node_at(coordinator, key);
        const int64_t value = node_int_or(index, 0);

        if (value < 0 || value >= counts[i])
            find_note(report, index ? index : coordinator, GANG_CODE_REFUSED_BY_OPERATOR, NULL,
                      "coordinator %s %lld is invalid for replicatedJob %.*s%s", key,
                      (long long)value, SLICE_ARG(job->name),
                      i && counts[i] < 0 ? ": its Job must be Indexed and have completions" : "");
        len += 2 + integer_length(value);
    }
    /* a label's value: <jobset>-<role>-<jobIndex>-<podIndex>.<subdomain> */
    if (meta->name.len && len > JOBSET_LONGEST_NAME)
        find_note(report, meta->name_source, MESSAGE_DERIVED_NAME_TOO_LONG_JOBSET, "coordinator",
                  SLICE_ARG(job->name), len, (len - JOBSET_LONGEST_NAME + names - 1) / names);
}

void
jobset_rules_check_alone(const struct jobset *jobset, struct report *report)
{
    for (size_t i = 0; i < jobset->count; i++) {
        const struct replicated_job *job = &jobset->jobs[i];

        if (i == 0 && node_count(job->depends_on))
            find_forbidden(report, job->depends_on, MESSAGE_DEPENDENCY_RULE_FIRST);
        for (NODE_EACH(item, job->depends_on)) {
            struct slice name = node_name(item);

            if (!stands_before(jobset, i, name) && jobset_find(jobset, name))
                find_note(report, item, MESSAGE_DEPENDENCY_RULE_ORDER, SLICE_ARG(job->name),
                          SLICE_ARG(name));
        }
        /* the name is part of an RFC 1035 label, behind that of the job */
        if (!ascii_all(jobset->jobs[i].name, ASCII_LOWER | ASCII_DIGIT | ASCII_DASH))
            find_invalid(report, jobset->jobs[i].name_source, MESSAGE_INVALID_ROLE_NAME_JOBS);
    }
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
