/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"
#include "libgang/reconcile/reconcile.h"

/* Whether a controller of the pods' scheduler groups pods without marks. */
static bool
jobset_fit_is_grouped(const struct reconcile_work *work, const struct node *live)
{
    const struct slice name =
        node_string(node_at(live, "template.spec.template.spec.schedulerName"));
    struct enabled_backend by;

    return enabled_backend_of_scheduler(work->decision->inputs.policy, name, &by) && by.backend &&
           by.backend->predicted_names;
}

/*
 * Whether pods that must start together are in no gang: they start one by one. A JobSet from before
 * the plan is so, and one whose CRD has dropped the mark.
 */
static bool
jobset_fit_is_no_gang(const struct reconcile_work *work, const struct role *planned,
                      const struct node *live)
{
    const struct gang *gang = &work->decision->gang;

    return work->decision->outcome == GANG_OUTCOME_GANG && gang->minimum > 1 && planned->count &&
           gang_membership(gang, planned) != ROLE_OUTSIDE && !live_jobset_mark(live).scheduler &&
           !jobset_fit_is_grouped(work, live);
}

/*
 * Whether the group that the pods name exists and is the job's. Pods outside the gang need none,
 * and for some schedulers the pods are the group.
 */
static bool
jobset_fit_has_group(const struct reconcile_work *work, const struct live_mark *mark)
{
    struct live_key key = {.namespace_ = work->owner.key.namespace_, .name = mark->group};

    if (!mark->scheduler || !descriptor_has_objects(mark->scheduler))
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

static bool
jobset_fit_differs(const struct reconcile_work *work, const struct role *planned,
                   const struct gang_patch *patch, const struct node *live,
                   struct live_difference *difference)
{
    if (!live_jobset_differs(&work->jobset, live, patch, difference) &&
        (gang_membership(&work->decision->gang, planned) == ROLE_OUTSIDE ||
         !live_jobset_counts_differ(live, planned->count, work->arena, difference)))
        return false;
    if (jobset_fit_is_no_gang(work, planned, live))
        *difference = (struct live_difference){.parent = live, .is_no_gang = true};
    return true;
}

/* A suspended job has no pods that would be lost by a conflict. */
static enum reconcile_fit
jobset_fit_of_difference(const struct reconcile_work *work, const struct node *live,
                         const struct live_difference *difference)
{
    const struct live_mark mark = live_jobset_mark(live);

    return !difference->is_no_gang && !work->jobset.is_suspended &&
                   jobset_fit_has_group(work, &mark)
               ? FIT_KEPT
               : FIT_NEVER;
}

/* Compares the pods of each role. Returns the worst fit, and each difference in `found`. */
static enum reconcile_fit
jobset_fit_of_roles(const struct reconcile_work *work, struct live_difference *found)
{
    const struct gang *gang = &work->decision->gang;
    const struct node_index roles = live_jobset_roles(&work->jobset, work->arena);
    enum reconcile_fit worst = FIT_AS_PLANNED;
    size_t next = 0;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *planned = &gang->roles[i];
        const struct gang_patch *patch =
            plan_next_patch(&work->plan->content, planned->name, &next);
        const struct node *live = node_index_find(&roles, planned->name);
        enum reconcile_fit fit;

        if (!live || !jobset_fit_differs(work, planned, patch, live, &found[i]))
            continue;
        work->differs[i] = true;
        fit = jobset_fit_of_difference(work, live, &found[i]);
        worst = fit > worst ? fit : worst;
    }
    return worst;
}

/* No pod comes of a job that has ended. */
static bool
jobset_fit_has_ended(const struct reconcile_work *work)
{
    return work->job.is_finished || work->job.is_terminating ||
           live_status_has_ended(work->jobset.object->group, work->jobset.object->kind,
                                 node_member(work->jobset.object->root, SLICE("status")));
}

void
jobset_fit_find(struct reconcile_work *work)
{
    size_t count = work->decision->gang.num_roles;
    struct live_difference *found = arena_array(work->arena, count, sizeof(*found));

    work->differs = arena_array(work->arena, count, sizeof(*work->differs));
    if (!found || !work->differs || !work->jobset.object || jobset_fit_has_ended(work))
        return;
    work->fit = jobset_fit_of_roles(work, found);
    for (size_t i = 0; i < count; i++)
        if (work->differs[i] && found[i].is_no_gang)
            live_report_no_gang(&found[i], work->decision->gang.roles[i].name, work->report);
        else if (work->differs[i])
            live_report_difference(&found[i], work->decision->gang.roles[i].name,
                                   work->fit == FIT_KEPT, work->report);
}

bool
jobset_fit_bars(const struct reconcile_work *work, const struct node *rendered)
{
    const struct gang *gang = &work->decision->gang;
    struct slice name = node_string(node_at(rendered, "metadata.name"));
    bool is_named = false;
    size_t next = 0;

    for (size_t i = 0; work->fit != FIT_AS_PLANNED && i < gang->num_roles; i++) {
        const struct gang_patch *patch =
            plan_next_patch(&work->plan->content, gang->roles[i].name, &next);

        if (!slice_equal(patch_group(patch), name))
            continue;
        if (work->differs[i])
            return true;
        is_named = true;
    }
    return work->fit != FIT_AS_PLANNED && !is_named;
}
