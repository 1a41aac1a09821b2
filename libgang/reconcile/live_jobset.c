/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/decide/decision.h"
#include "libgang/reconcile/reconcile.h"

/* Trainer gives the JobSet the name of the TrainJob. */
struct live_jobset
live_jobset_find(const struct live_owner *owner, const struct live_objects *objects)
{
    const struct live_key key = {SLICE("jobset.x-k8s.io"), SLICE("JobSet"), owner->key.namespace_,
                                 owner->key.name};
    struct live_jobset jobset = {.object = NULL};
    const struct live_object *object;

    if (!slice_equal(owner->key.kind, SLICE(GANG_KIND_TRAINJOB)))
        return jobset;
    object = live_objects_find(objects, &key);
    if (!object || object->is_terminating || live_ownership_of(owner, object) != OWNERSHIP_OURS)
        return jobset;
    jobset.object = object;
    jobset.is_suspended = node_is_true(node_at(object->root, "spec.suspend"));
    return jobset;
}

static const struct node *
live_template_of(const struct node *role)
{
    return node_at(role, "template.spec.template");
}

/* ---- differences ---- */

static bool
live_spec_differs(const struct node *template, const struct gang_patch *patch,
                  struct live_difference *difference)
{
    const struct node *spec = node_member(template, SLICE("spec"));
    struct plan_pair field;

    for (size_t i = 0; field = plan_patch_spec_field(patch, i), slice_is_set(field.key); i++) {
        const struct node *live = node_at(spec, field.key.data);
        /* a pod without a scheduler name has the default scheduler */
        const bool is_default = !live && slice_equal(field.key, SLICE("schedulerName"));

        if (slice_equal(is_default ? SLICE(SCHEDULER_NAME_OF_KUBERNETES) : node_string(live),
                        field.value))
            continue;
        *difference = (struct live_difference){live, spec, field.key, field.value, false};
        return true;
    }
    return false;
}

static bool
live_pairs_differ(const struct node *template, struct slice name, const struct plan_pair *pairs,
                  size_t count, struct live_difference *difference)
{
    const struct node *metadata = node_member(template, SLICE("metadata"));
    const struct node *there = node_member(metadata, name);

    for (size_t i = 0; i < count; i++) {
        const struct node *live = node_member(there, pairs[i].key);

        if (slice_equal(node_string(live), pairs[i].value))
            continue;
        *difference = (struct live_difference){live, template, pairs[i].key, pairs[i].value, false};
        return true;
    }
    return false;
}

bool
live_jobset_counts_differ(const struct node *role, int64_t wanted, struct arena *arena,
                          struct live_difference *difference)
{
    const struct node *job = node_at(role, "template.spec");
    const struct node *parallelism = node_member(job, SLICE("parallelism"));
    /* the API server's default is 1 */
    const int64_t replicas = job_field_number(role, SLICE("replicas"), 1);

    if (replicas > 0 && wanted % replicas == 0 &&
        job_field_number(job, SLICE("parallelism"), 1) == wanted / replicas)
        return false;
    *difference =
        (struct live_difference){parallelism, job ? job : role, SLICE("parallelism"),
                                 ARENA_SLICE(arena, "%lld pods", (long long)wanted), false};
    return true;
}

bool
live_jobset_differs(const struct live_jobset *jobset, const struct node *role,
                    const struct gang_patch *patch, struct arena *arena,
                    struct live_difference *difference)
{
    const struct node *template = live_template_of(role);
    const struct node *planned;

    if (patch && live_spec_differs(template, patch, difference))
        return true;
    if (patch && !jobset->is_suspended &&
        (live_pairs_differ(template, SLICE("labels"), patch->labels, patch->num_labels,
                           difference) ||
         live_pairs_differ(template, SLICE("annotations"), patch->annotations,
                           patch->num_annotations, difference)))
        return true;
    /* Whether the template names a group by a mark that the plan does not set. */
    planned = patch ? pod_patch_apply(patch, NULL, POD_LAYOUT_POD, arena) : NULL;
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++) {
            const struct descriptor_mark *mark = &catalog[i]->marks[k];
            const struct node *live = live_mark_of(template, mark);

            if (!live || !mark->names_group || live_mark_of(planned, mark) ||
                (jobset->is_suspended && mark->place != MARK_POD_FIELD))
                continue;
            *difference = (struct live_difference){.at = live};
            return true;
        }
    return false;
}

/* ---- what its controllers make ---- */

/* The objects that another controller makes for the JobSet with this uid. */
static void
reconcile_find_predicted(const struct reconcile_work *work, struct slice uid,
                         struct backend_live *seen)
{
    const struct backend *backend = work->decision->backend;
    const struct live_key start = {
        .group = backend->descriptor->group,
        .kind = backend->descriptor->kinds[0],
        .namespace_ = work->owner.key.namespace_,
        .name = backend->predicted_names(&work->decision->call, uid, work->arena),
    };

    *seen = (struct backend_live){.set_uid = uid};
    if (!start.name.len)
        return;
    seen->objects = arena_array(work->arena, live_objects_starting(work->live, &start, NULL),
                                sizeof(const struct node *));
    if (seen->objects)
        seen->count = live_objects_starting(work->live, &start, seen->objects);
}

static struct slice
reconcile_uid_of_set(const struct reconcile_work *work, const struct node *object)
{
    const struct node *references = node_at(object, "metadata.ownerReferences");

    for (NODE_EACH(reference, references))
        if (slice_equal(node_string(node_member(reference, SLICE("kind"))), SLICE("JobSet")) &&
            slice_equal(node_name(reference), work->owner.key.name))
            return node_string(node_member(reference, SLICE("uid")));
    return NO_SLICE;
}

/* Without the JobSet, its objects tell its uid; unset if they disagree or none exists. */
static struct slice
reconcile_told_uid(const struct reconcile_work *work)
{
    struct slice uid = NO_SLICE;
    struct backend_live any;

    reconcile_find_predicted(work, NO_SLICE, &any);
    for (size_t i = 0; i < any.count; i++) {
        const struct slice told = reconcile_uid_of_set(work, any.objects[i]);

        if (uid.len && told.len && !slice_equal(uid, told))
            return NO_SLICE;
        uid = told.len ? told : uid;
    }
    return uid;
}

void
reconcile_look(struct reconcile_work *work)
{
    const struct backend *backend = work->decision->backend;
    struct backend_live *seen;

    if (!backend || !backend->predicted_names || work->decision->outcome != GANG_OUTCOME_GANG)
        return;
    seen = arena_alloc(work->arena, sizeof(*seen));
    if (!seen)
        return;
    reconcile_find_predicted(
        work, work->jobset.object ? work->jobset.object->uid : reconcile_told_uid(work), seen);
    work->plan->seen = seen;
}

void
reconcile_report_seen(const struct reconcile_work *work)
{
    const struct backend *backend = work->decision->backend;
    struct backend_call call = work->decision->call;

    if (!work->plan->seen || !backend->report_live)
        return;
    call.live = work->plan->seen;
    backend->report_live(&call, work->report);
}

/* ---- whether its roles are as planned ---- */

/*
 * Whether the group that the pods of a role name exists and is the job's. Pods outside the gang
 * need none, and for some schedulers the pods are the group.
 */
static bool
jobset_fit_has_group(const struct reconcile_work *work, const struct node *role)
{
    struct live_key key = {.namespace_ = work->owner.key.namespace_};
    const struct descriptor *scheduler = live_group_named_by(live_template_of(role), &key.name);

    if (!scheduler || !descriptor_has_objects(scheduler))
        return true;
    key.group = scheduler->group;
    for (size_t i = 0; i < COUNT_OF(scheduler->kinds); i++) {
        const struct live_object *object;

        key.kind = scheduler->kinds[i];
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
    struct slice name;
    struct slice group;
    struct enabled_backend by;

    if (!live_jobset_differs(&work->jobset, live, patch, work->arena, difference) &&
        (gang_membership(&work->decision->gang, planned) == ROLE_OUTSIDE ||
         !live_jobset_counts_differ(live, planned->count, work->arena, difference)))
        return false;
    /*
     * Whether pods that must start together are in no gang: they start one by one. A JobSet from
     * before the plan is so, and one whose CRD has dropped the mark. They are not if a controller
     * of the pods' scheduler groups pods without marks.
     */
    name = node_string(node_at(live, "template.spec.template.spec.schedulerName"));
    if (work->decision->outcome == GANG_OUTCOME_GANG && work->decision->gang.minimum > 1 &&
        planned->count && gang_membership(&work->decision->gang, planned) != ROLE_OUTSIDE &&
        !live_group_named_by(live_template_of(live), &group) &&
        !(enabled_backend_of_scheduler(work->decision->inputs.policy, name, &by) && by.backend &&
          by.backend->predicted_names))
        *difference = (struct live_difference){.parent = live, .is_no_gang = true};
    return true;
}

/* Compares the pods of each role. Returns the worst fit, and each difference in `found`. */
static enum reconcile_fit
jobset_fit_of_roles(const struct reconcile_work *work, struct live_difference *found)
{
    const struct gang *gang = &work->decision->gang;
    /* The entries of spec.replicatedJobs, by the name of their role; none without a JobSet. */
    const struct live_object *object = work->jobset.object;
    const struct node_index roles =
        node_index_make(object ? node_at(object->root, "spec.replicatedJobs") : NULL, work->arena);
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
        /* A suspended job has no pods that would be lost by a conflict. */
        fit = !found[i].is_no_gang && !work->jobset.is_suspended && jobset_fit_has_group(work, live)
                  ? FIT_KEPT
                  : FIT_NEVER;
        worst = fit > worst ? fit : worst;
    }
    return worst;
}

void
jobset_fit_find(struct reconcile_work *work)
{
    size_t count = work->decision->gang.num_roles;
    struct live_difference *found = arena_array(work->arena, count, sizeof(*found));

    work->differs = arena_array(work->arena, count, sizeof(*work->differs));
    /* No pod comes of a job that has ended. */
    if (!found || !work->differs || !work->jobset.object || work->job.is_finished ||
        work->job.is_terminating ||
        live_status_has_ended(work->jobset.object->group, work->jobset.object->kind,
                              node_member(work->jobset.object->root, SLICE("status"))))
        return;
    work->fit = jobset_fit_of_roles(work, found);
    for (size_t i = 0; i < count; i++)
        if (work->differs[i] && found[i].is_no_gang)
            find_note(work->report, found[i].parent, MESSAGE_PODS_WITHOUT_GANG,
                      SLICE_ARG(work->decision->gang.roles[i].name));
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
        struct slice group;

        if (!patch ||
            !live_group_named_by(pod_patch_apply(patch, NULL, POD_LAYOUT_POD, work->arena),
                                 &group) ||
            !slice_equal(group, name))
            continue;
        if (work->differs[i])
            return true;
        is_named = true;
    }
    return work->fit != FIT_AS_PLANNED && !is_named;
}
