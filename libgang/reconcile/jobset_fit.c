/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/jobset_fit.h"

#include "libgang/reconcile/live_findings.h"

static const struct gang_patch *
jobset_fit_patch_of(const struct reconcile_work *work, struct slice role)
{
    const struct plan_content *content = &work->plan->content;

    for (size_t i = 0; i < content->num_shown; i++)
        if (slice_equal(content->shown[i].role, role))
            return &content->shown[i];
    return NULL;
}

/* Whether the group that the pods name exists and is the job's. Pods without a group need none. */
static bool
jobset_fit_has_group(const struct reconcile_work *work, const struct live_mark *mark)
{
    struct live_key key = {.namespace_ = work->owner.key.namespace_, .name = mark->group};

    if (!mark->scheduler)
        return true;
    key.group = mark->scheduler->group;
    for (size_t i = 0; i < COUNT_OF(mark->scheduler->kinds); i++) {
        const struct live_object *object;

        key.kind = mark->scheduler->kinds[i];
        object = key.kind.len ? live_objects_find(work->live, &key) : NULL;
        if (object && !object->is_terminating &&
            live_ownership_of(&work->owner, object) == OWNERSHIP_OURS)
            return true;
    }
    return false;
}

/* Compares the pods of one role. A suspended job has no pods that would be lost by a conflict. */
static enum reconcile_fit
jobset_fit_of_role(const struct reconcile_work *work, size_t index,
                   struct live_difference *difference)
{
    const struct role *planned = &work->decision->gang.roles[index];
    const struct node *role = live_jobset_role(&work->jobset, planned->name);
    struct live_mark mark;

    if (!role)
        return FIT_AS_PLANNED;
    if (!live_jobset_differs(&work->jobset, role, jobset_fit_patch_of(work, planned->name),
                             difference) &&
        (gang_membership(&work->decision->gang, planned) == ROLE_OUTSIDE ||
         !live_jobset_counts_differ(role, planned->count, work->arena, difference)))
        return FIT_AS_PLANNED;
    work->differs[index] = true;
    mark = live_jobset_mark(role);
    return !work->jobset.is_suspended && jobset_fit_has_group(work, &mark) ? FIT_KEPT : FIT_NEVER;
}

void
jobset_fit_find(struct reconcile_work *work)
{
    size_t count = work->decision->gang.num_roles;
    struct live_difference *found = arena_array(work->arena, count, sizeof(*found));

    work->differs = arena_array(work->arena, count, sizeof(*work->differs));
    if (!found || !work->differs || !work->jobset.object || work->job.is_finished ||
        work->job.is_terminating)
        return;
    for (size_t i = 0; i < count; i++) {
        enum reconcile_fit fit = jobset_fit_of_role(work, i, &found[i]);

        if (fit > work->fit)
            work->fit = fit;
    }
    for (size_t i = 0; i < count; i++)
        if (work->differs[i])
            live_report_difference(&found[i], work->decision->gang.roles[i].name,
                                   work->fit == FIT_KEPT, work->report);
}

bool
jobset_fit_bars(const struct reconcile_work *work, const struct node *rendered)
{
    struct slice name = node_string(node_at(rendered, "metadata.name"));
    bool is_named = false;

    for (size_t i = 0; work->fit != FIT_AS_PLANNED && i < work->decision->gang.num_roles; i++) {
        const struct gang_patch *patch =
            jobset_fit_patch_of(work, work->decision->gang.roles[i].name);

        if (!slice_equal(patch_group(patch), name))
            continue;
        if (work->differs[i])
            return true;
        is_named = true;
    }
    return work->fit != FIT_AS_PLANNED && !is_named;
}
