/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/jobs/gang_job.h"
#include "libgang/kube/jobset.h"

/* ---- pods ---- */

/* A template says which scheduler and class the pods have; without one, the role does. */
static void
gang_job_read_names(struct role *role, const struct job_source *source)
{
    const bool has_template = role->pod_template;
    const struct node *scheduler = has_template
                                       ? node_member(role->pod_spec, SLICE("schedulerName"))
                                       : role->scheduler_name_source;
    const struct node *priority = has_template
                                      ? node_member(role->pod_spec, SLICE("priorityClassName"))
                                      : role->priority_class_source;

    /*
     * The API server may have written the name of its scheduler, which it does in its own kinds
     * before it calls a webhook. A pod that exists belongs to that scheduler. Source:
     * `SetDefaults_PodSpec` of kubernetes/kubernetes:pkg/apis/core/v1/defaults.go@v1.37.1.
     */
    if (has_template && source->report->built_in &&
        slice_equal(node_string(scheduler), SLICE(SCHEDULER_NAME_OF_KUBERNETES)) &&
        !node_member(role->pod_metadata, SLICE("uid")))
        scheduler = NULL;
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

    if (amounts->column)
        return resource_list_read(amounts, source->report);
    report_init(&unread, source->arena, source->limits);
    return resource_list_read(amounts, &unread);
}

struct pod_resources *
gang_job_read_resources(struct role *role, const struct job_source *source)
{
    struct pod_resources *resources = arena_alloc(source->arena, sizeof(*resources));

    role->pod_spec = node_member(role->pod_template, SLICE("spec"));
    if (resources)
        *resources = pod_resources_read(role->pod_spec, source->report);
    role->resources = resources;
    return resources;
}

void
gang_job_read_pods(struct gang_wishes *job, const struct job_source *source)
{
    for (size_t i = 0; i < job->num_roles; i++) {
        struct role *role = &job->roles[i];

        if (role->pod_template) {
            const struct node *metadata = node_member(role->pod_template, SLICE("metadata"));

            if (!role->resources)
                gang_job_read_resources(role, source);
            role->pod_metadata = metadata;
            object_meta_check_labels(node_member(metadata, SLICE("labels")), source->report);
            object_meta_check_annotations(node_member(metadata, SLICE("annotations")),
                                          source->report);
            pod_containers_check(role->pod_spec, source->report);
            role->has_marks = !job->roles_are_pods && reserved_marks_are_in(role->pod_template);
        }
        gang_job_read_names(role, source);
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

/* ---- stages ---- */

/* The stages of a job that may have more than one. */
struct gang_job_stages {
    struct role *roles; /* with their stages; NULL if the job has one gang */
    int64_t *pods;      /* of each stage; several pods have a gang */
};

/* Whether the roles can be in several stages, of which no role chooses one. */
static bool
gang_job_may_be_split(const struct gang_wishes *job)
{
    bool has_stages = false;

    for (size_t i = 0; i < job->num_roles; i++) {
        if (job->roles[i].wish == WISH_MEMBER)
            return false;
        for (size_t e = 0; e < job->roles[i].num_dependencies; e++)
            has_stages |= job->roles[i].dependencies[e].status == DEPENDENCY_COMPLETE;
    }
    return has_stages;
}

/*
 * Makes the roles alone as the gang has them, for their start order. Their dependencies are copied:
 * the start order links them, and drops some.
 */
static void
gang_job_copy_roles(const struct gang_wishes *job, struct gang_wishes *wishes, struct arena *arena)
{
    wishes->roles = arena_take_array(arena, job->num_roles, sizeof(*wishes->roles));
    wishes->num_roles = wishes->roles ? job->num_roles : 0;
    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];

        *role = job->roles[i];
        role->operator_count = role->count;
        role->has_min_count = role->min_count != role->count;
        if (role->first_count >= role->min_count)
            role->first_count = 0;
        if (role->unit < 2) {
            role->unit = 0;
            role->unit_label = NO_SLICE;
        }
        if (!role->num_dependencies)
            continue;
        role->dependencies =
            arena_take_array(arena, role->num_dependencies, sizeof(*role->dependencies));
        if (role->dependencies)
            memcpy(role->dependencies, job->roles[i].dependencies,
                   role->num_dependencies * sizeof(*role->dependencies));
        else
            role->num_dependencies = 0;
    }
}

/*
 * Has no roles if they wait for each other. What is wrong in their order is reported for the gang.
 */
static struct gang_job_stages
gang_job_split(const struct gang_wishes *job, const struct job_source *source)
{
    struct gang_job_stages stages = {.roles = NULL};
    struct gang_wishes wishes;
    struct report unread;

    if (!gang_job_may_be_split(job))
        return stages;
    wishes = (struct gang_wishes){.num_roles = 0};
    stages.pods = arena_array(source->arena, job->num_roles, sizeof(*stages.pods));
    gang_job_copy_roles(job, &wishes, source->arena);
    if (!stages.pods || !wishes.roles)
        return stages;
    report_init(&unread, source->arena, source->limits);
    unread.is_brief = true;
    stages.roles = wishes_order_roles(&wishes, &unread) ? wishes.roles : NULL;
    for (size_t i = 0; stages.roles && i < job->num_roles; i++)
        if (job->roles[i].wish != WISH_OUTSIDE && job->roles[i].count > 0)
            stages.pods[stages.roles[i].stage] += job->roles[i].count;
    return stages;
}

static bool
gang_job_has_gang(const struct gang_job_stages *stages, uint32_t stage)
{
    return stages->pods[stage] > 1;
}

SELDOM struct slice
gang_job_name_of_stage(struct slice first, uint64_t gang, struct arena *arena)
{
    return gang ? ARENA_SLICE(arena, "%.*s-s%llu", SLICE_ARG(first), (unsigned long long)gang)
                : first;
}

void
gang_job_take_stage(struct gang_wishes *job, const struct job_source *source)
{
    const struct gang_job_stages stages = gang_job_split(job, source);
    const uint64_t gang = source->gang;
    uint64_t num_gangs = 0;
    uint32_t stage = 0;
    struct slice name;

    if (!stages.roles)
        return;
    for (uint32_t i = 0; i < job->num_roles; i++)
        if (gang_job_has_gang(&stages, i) && num_gangs++ == gang)
            stage = i;
    if (!num_gangs) {
        gang_job_stand_back(job, source->spec, "no stage of the job has more than one pod");
        return;
    }
    job->num_gangs = num_gangs;
    if (gang >= num_gangs)
        return;
    name = slice_is_set(job->name) ? job->name : job->owner.name;
    if (gang)
        job->name = gang_job_name_of_stage(name, gang, source->arena);
    for (size_t i = 0; i < job->num_roles; i++) {
        struct role *role = &job->roles[i];

        /*
         * A role in no gang is marked by the plan of the first one,
         * wherever it is, and by no other: a pod has one mark.
         */
        const uint32_t own = stages.roles[i].stage;
        const bool is_auto = role->wish == WISH_AUTO;

        if (own != stage || role->wish == WISH_OUTSIDE)
            role->elsewhere |= gang > 0 || (is_auto && gang_job_has_gang(&stages, own));
        else if (is_auto && role->count > 0)
            role->wish = WISH_MEMBER;
    }
}

/* ---- requests ---- */

static void
gang_job_request(const struct pod_resources *resources, enum pod_requests_mode mode,
                 struct role *role, struct report *report)
{
    role->lacks_requests = gang_job_lacks_requests(role);
    if (!gang_job_sum_requests(role, resources, mode, report->arena, &role->requests))
        find_note(report, role->source, MESSAGE_QUANTITY_OVERFLOW_POD);
}

/* The requests of the template as the API server has them. */
static void
gang_job_admit(const struct pod_admission *admission, struct role *role, struct report *report)
{
    const struct pod_resources *resources = role->resources;
    struct pod_resources admitted;
    struct resource_list own;

    if (!resources)
        return;
    if (admission && pod_admission_matters(admission, role->pod_spec)) {
        admitted = pod_admission_apply(admission, role->pod_spec, resources, report);
        resources = &admitted;
    }
    gang_job_request(resources, POD_REQUESTS_EFFECTIVE, role, report);
    if (admission && role->requests.count)
        role->requests_are_defaults =
            gang_job_sum_requests(role, role->resources, POD_REQUESTS_EFFECTIVE, report->arena,
                                  &own) &&
            own.count == 0;
    pod_limits_check(resources, NULL, report);
}

void
gang_job_count_requests_only(struct gang_wishes *wishes, struct report *report)
{
    for (size_t i = 0; i < wishes->num_roles; i++)
        if (wishes->roles[i].pod_template)
            gang_job_request(wishes->roles[i].resources, POD_REQUESTS_ONLY, &wishes->roles[i],
                             report);
}

/* ---- requests for attributes ---- */

/* Completes what the user asks for. It has the precedence of a runtime's podGroupPolicy. */
static void
gang_job_take_request(struct job_request *request, const char *overrides)
{
    request->is_set = request->can_be_ignored = request->source != NULL;
    request->reason = request->is_set ? "set in the job" : NULL;
    request->overrides = overrides;
}

SELDOM struct gang_topology
gang_job_topology(const struct gang_placement *placement)
{
    const bool is_required = slice_is_set(placement->required);
    struct gang_topology out = {
        .is_set = true,
        .mode = is_required ? SLICE("hard") : SLICE("soft"),
        .level = is_required ? placement->required : placement->preferred,
        .source = placement->source,
    };

    out.has_tier = integer_parse(out.level, &out.highest_tier);
    return out;
}

static void
gang_job_take_requests(struct gang_wishes *wishes)
{
    static const struct job_request no_timeout = {.document = GANG_DOCUMENT_JOB,
                                                  .reason = "the job sets no timeout"};
    static const struct job_request no_topology = {.document = GANG_DOCUMENT_JOB,
                                                   .reason = "no topology is requested"};

    gang_job_take_request(&wishes->queue_request, "the job's queue has precedence");
    gang_job_take_request(&wishes->priority_request, "the job's priorityClassName has precedence");
    if (wishes->timeout_request.is_set)
        gang_job_take_request(&wishes->timeout_request, "the job's timeout has precedence");
    else
        wishes->timeout_request = no_timeout;
    wishes->topology_request = no_topology;
    if (!wishes->placement.is_set)
        return;
    wishes->topology = gang_job_topology(&wishes->placement);
    wishes->topology_request =
        (struct job_request){.value = wishes->topology.level, .source = wishes->placement.source};
    gang_job_take_request(&wishes->topology_request, "the job's topology has precedence");
}

/* ---- wishes ---- */

void
gang_job_fill(const struct gang_wishes *job, struct gang_wishes *wishes,
              const struct pod_admission *admission, struct report *report)
{
    const struct gang_run run = wishes->run;

    *wishes = *job;
    wishes->run = run;
    if (!slice_is_set(wishes->name))
        wishes->name = wishes->owner.name;
    gang_job_copy_roles(job, wishes, report->arena);
    for (size_t i = 0; i < wishes->num_roles; i++) {
        struct role *role = &wishes->roles[i];

        wishes->has_units |= role->unit != 0;
        if (role->pod_template)
            gang_job_admit(admission, role, report);
        else
            gang_job_request(role->resources, POD_REQUESTS_EFFECTIVE, role, report);
    }
    wishes->num_groups = 0;
    gang_job_fill_groups(job, wishes, report->arena);
    gang_job_take_requests(wishes);
}

const struct owner_chain *
gang_job_chain(const struct gang_wishes *job, struct arena *arena)
{
    struct owner_chain *chain = arena_alloc(arena, sizeof(*chain));

    if (chain)
        *chain = (struct owner_chain){
            .set = {job->meta->labels, job->meta->annotations},
            .in_order = job->is_in_order,
            .is_foreign = true,
        };
    return chain;
}
