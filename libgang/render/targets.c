/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "libgang/decide/decision.h"

/*
 * Of spec.runtimePatches, and of replicatedJobs in a patch. Source: the markers MaxItems of
 * kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0
 */
enum { TARGET_MOST_PATCHES = 16, TARGET_MOST_ROLES = 100 };

/* In a replicatedJob. */
#define TARGET_POD_SPEC "template.spec.template.spec"

/*
 * Fields of a pod's spec that a runtime sets for all its jobs. A TrainJob sets none of those in a
 * patch. Source: PodSpecPatch of kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go
 */
static const struct {
    struct slice key;
    const char *path; /* in a replicatedJob */
} target_runtime_fields[] = {
    {SLICE_INIT("schedulerName"), TARGET_POD_SPEC ".schedulerName"},
    {SLICE_INIT("priorityClassName"), TARGET_POD_SPEC ".priorityClassName"},
};

/* Returns NULL for a field that no runtime sets. */
static const char *
target_path_of(struct slice key)
{
    for (size_t i = 0; i < COUNT_OF(target_runtime_fields); i++)
        if (slice_equal(target_runtime_fields[i].key, key))
            return target_runtime_fields[i].path;
    return NULL;
}

/* ---- what no document can contain ---- */

static void
target_check_role(const struct gang_patch *patch, struct report *report)
{
    struct plan_pair field;

    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++)
        if (!target_path_of(field.key))
            find_in_document(report, GANG_CODE_NOT_IN_TARGET, GANG_DOCUMENT_TRAINJOB,
                             "set it when the pods or the JobSet are created, in a mutating "
                             "webhook",
                             "spec.%.*s of the role %.*s: neither a TrainJob nor its runtime can "
                             "set it",
                             SLICE_ARG(field.key), SLICE_ARG(patch->role));
}

static void
target_check_fields(const struct gang_plan *plan, struct report *report)
{
    for (size_t i = 0; i < plan->content.num_shown; i++)
        target_check_role(&plan->content.shown[i], report);
}

/* Returns whether the plan's job has a document for these targets. */
static bool
target_exists(const struct gang_plan *plan, struct report *report)
{
    const struct decision_inputs *inputs = &plan->decision->inputs;

    if (inputs->trainjob && inputs->runtime)
        return true;
    find_in_document(report, GANG_CODE_NOT_IN_TARGET, GANG_DOCUMENT_NONE,
                     inputs->job ? "use the target `job`" : "use the target `objects` or `plan`",
                     "a %.*s has neither a runtime nor runtimePatches",
                     SLICE_ARG(plan->decision->wishes.owner.kind));
    return false;
}

/* ---- the runtime ---- */

/* The API server refuses a pod's spec without containers. */
static void
target_check_spec(const struct node *job, const struct gang_patch *patch, struct report *report)
{
    if (!node_at(job, TARGET_POD_SPEC))
        find_required(report, GANG_CODE_NOT_IN_TARGET, job, SLICE(TARGET_POD_SPEC),
                      "write the containers of the role in the runtime", "the plan sets %.*s in it",
                      SLICE_ARG(plan_patch_spec_field(patch, 0).key));
}

static const struct node *
target_with_fields(const struct node *job, const struct gang_patch *patch, struct arena *arena)
{
    struct plan_pair field;

    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++)
        if (target_path_of(field.key))
            job = edit_at(arena, job, target_path_of(field.key), edit_string(arena, field.value));
    return job;
}

/*
 * Returns the roles that the plan changes, each at its position in the runtime; NULL for the
 * others. Returns NULL after a failed allocation.
 */
static const struct node **
target_changed_roles(const struct plan_content *content, const struct node *jobs,
                     struct arena *arena, struct report *report)
{
    const struct node_index names = node_index_make(jobs, arena);
    const struct node **changed = arena_array(arena, node_count(jobs), sizeof(*changed));

    for (size_t i = 0; changed && i < content->num_shown; i++) {
        const struct gang_patch *patch = &content->shown[i];
        const struct node *job =
            plan_patch_has_spec(patch) ? node_index_find(&names, patch->role) : NULL;

        if (job) {
            target_check_spec(job, patch, report);
            changed[job->index] = target_with_fields(job, patch, arena);
        } else if (plan_patch_has_spec(patch)) {
            find_in_document(report, GANG_CODE_NOT_IN_TARGET, GANG_DOCUMENT_RUNTIME,
                             "add it to the runtime", "the runtime does not have the role %.*s",
                             SLICE_ARG(patch->role));
        }
    }
    return changed;
}

static const struct node *
target_with_roles(const struct plan_content *content, const struct node *jobs, struct arena *arena,
                  struct report *report)
{
    const struct node **changed = target_changed_roles(content, jobs, arena, report);
    struct builder list = build_list(arena);
    size_t index = 0;

    if (!changed)
        return NULL;
    for (NODE_EACH(job, jobs)) {
        build_node_item(&list, changed[index] ? changed[index] : job);
        index++;
    }
    return list.node;
}

const struct node *
target_runtime_build(const struct gang_plan *plan, const struct limits *limits, struct arena *arena,
                     struct report *report)
{
    static const char jobs_path[] = "spec.template.spec.replicatedJobs";
    const struct node *root;
    const struct node *jobs;

    (void)limits;
    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    root = plan->decision->inputs.runtime->document.root;
    jobs = node_at(root, jobs_path);
    if (jobs)
        root =
            edit_at(arena, root, jobs_path, target_with_roles(&plan->content, jobs, arena, report));
    return edit_at(arena, root, "spec.podGroupPolicy", NULL);
}

/* ---- the job ---- */

static void
target_check_counts(const struct gang_trainjob *job, const struct node *entry,
                    struct report *report)
{
    const struct node *roles = node_at(entry, "trainingRuntimeSpec.template.spec.replicatedJobs");

    if (node_count(job->runtime_patches) >= TARGET_MOST_PATCHES)
        find_note(report, GANG_CODE_NOT_IN_TARGET, job->runtime_patches, "remove one",
                  "Too many: %zu: must have at most %d items, of which one is for the plan",
                  node_count(job->runtime_patches) + 1, TARGET_MOST_PATCHES);
    if (node_count(roles) > TARGET_MOST_ROLES)
        find_in_document(report, GANG_CODE_NOT_IN_TARGET, GANG_DOCUMENT_TRAINJOB,
                         "set them when the pods or the JobSet are created, in a mutating webhook",
                         "the patch of the plan has %zu roles: must have at most %d items",
                         node_count(roles), TARGET_MOST_ROLES);
}

/*
 * A job that another controller manages, such as MultiKueue, keeps the entry for the cluster in
 * which it will run; a job whose pods stay as they are keeps everything.
 */
const struct node *
target_job_build(const struct gang_plan *plan, const struct limits *limits, struct arena *arena,
                 struct report *report)
{
    const struct plan_content *content = &plan->content;
    const struct gang_trainjob *job = plan->decision->inputs.trainjob;
    struct builder patches = build_list(arena);
    const struct node *entry;

    if (plan->decision->inputs.job)
        return job_marks_build(plan, limits, arena, report);
    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    if (job->managed_by || plan->omits_patches)
        return job->document.root;
    entry = patch_entry_build(content->shown, content->num_shown, arena);
    if (!entry)
        return edit_at(arena, job->document.root, "spec.runtimePatches",
                       node_count(job->runtime_patches) ? job->runtime_patches : NULL);
    target_check_counts(job, entry, report);
    for (NODE_EACH(patch, job->runtime_patches))
        build_node_item(&patches, patch);
    build_node_item(&patches, entry);
    return edit_at(arena, job->document.root, "spec.runtimePatches", patches.node);
}
