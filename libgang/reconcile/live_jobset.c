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
live_differs(struct live_difference *difference, const struct node *at, const struct node *parent,
             const struct plan_pair *wanted)
{
    difference->at = at;
    difference->parent = parent;
    difference->member = wanted->key;
    difference->wanted = wanted->value;
    return true;
}

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
        return live_differs(difference, live, spec, &field);
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
        return live_differs(difference, live, template, &pairs[i]);
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
            const struct node *live = descriptor_mark_of(template, mark);

            if (!live || !mark->names_group || descriptor_mark_of(planned, mark) ||
                (jobset->is_suspended && mark->place != MARK_POD_FIELD))
                continue;
            *difference = (struct live_difference){.at = live};
            return true;
        }
    return false;
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

/* Whether a role waits for other roles than the plan says, so that its wave is another one. */
static bool
jobset_fit_waits(const struct reconcile_work *work, const struct role *planned,
                 const struct node *live, struct live_difference *difference)
{
    const struct slice key = SLICE("dependsOn");
    const struct node *wanted = node_member(planned->source, key);
    const struct node *there = node_member(live, key);
    /* The front end reads the order as an edge to the role before. */
    const bool is_in_order = slice_equal(
        node_string(node_at(work->jobset.object->root, "spec.startupPolicy.startupPolicyOrder")),
        SLICE("InOrder"));

    if (node_first(there) || node_first(wanted)
            ? node_equal(there, wanted)
            : !live->index || is_in_order == (planned->num_dependencies > 0))
        return false;
    return live_differs(difference, there, live,
                        &(struct plan_pair){key, node_name(node_first(wanted))});
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
         (!live_jobset_counts_differ(live, planned->count, work->arena, difference) &&
          !jobset_fit_waits(work, planned, live, difference))))
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
          by.backend->predicted_names)) {
        difference->parent = live;
        difference->is_no_gang = true;
    }
    return true;
}

/* Finds a role that the plan does not have, and whose pods are in a group. NULL: there is none. */
static const struct node *
jobset_fit_surplus(const struct reconcile_work *work, const struct node *roles,
                   struct live_difference *difference)
{
    const struct gang *gang = &work->decision->gang;
    const struct live_jobset unchangeable = {.object = NULL};

    for (NODE_EACH(role, roles))
        if (!FIND_TEXT(gang->roles, gang->num_roles, name, node_name(role)) &&
            live_jobset_differs(&unchangeable, role, NULL, work->arena, difference))
            return role;
    return NULL;
}

/* Whether the pods of a role have their group; of one that is absent, those of the others. */
static bool
jobset_fit_has_groups(const struct reconcile_work *work, const struct node *roles,
                      const struct node *role)
{
    for (NODE_EACH(other, roles))
        if ((!role || role == other) && !jobset_fit_has_group(work, other))
            return false;
    return true;
}

/* Compares the pods of each role, also of one that the plan does not have. Sets the worst fit. */
static void
jobset_fit_of_roles(struct reconcile_work *work)
{
    const struct gang *gang = &work->decision->gang;
    const struct node *list = node_at(work->jobset.object->root, "spec.replicatedJobs");
    const struct node_index roles = node_index_make(list, work->arena);
    size_t next = 0;

    for (size_t i = 0; i <= gang->num_roles; i++) {
        struct reconcile_role *role = &work->roles[i];
        const struct node *live;

        if (i < gang->num_roles) {
            const struct role *planned = &gang->roles[i];
            const struct gang_patch *patch =
                plan_next_patch(&work->plan->content, planned->name, &next);

            role->name = planned->name;
            live = node_index_find(&roles, planned->name);
            if (live)
                role->differs = jobset_fit_differs(work, planned, patch, live, &role->difference);
            else if (planned->count && gang_membership(gang, planned) != ROLE_OUTSIDE)
                role->differs =
                    live_differs(&role->difference, NULL, work->jobset.object->root,
                                 &(struct plan_pair){SLICE("replicatedJob"), planned->name});
        } else {
            live = jobset_fit_surplus(work, list, &role->difference);
            role->differs = live;
            role->name = node_name(live);
        }
        if (!role->differs)
            continue;
        live_group_named_by(live_template_of(live), &role->group);
        /* A suspended job has no pods that would be lost by a conflict. */
        if (role->difference.is_no_gang || work->jobset.is_suspended ||
            !jobset_fit_has_groups(work, list, live))
            work->fit = FIT_NEVER;
        else if (work->fit == FIT_AS_PLANNED)
            work->fit = FIT_KEPT;
    }
}

/*
 * Reports that pods of the JobSet will not have what the plan says. `is_kept`: their own gang is
 * complete, so this is a warning.
 */
static void
live_report_difference(const struct live_difference *difference, struct slice role, bool is_kept,
                       struct report *report)
{
    enum gang_code code = is_kept ? GANG_CODE_GANG_KEPT : GANG_CODE_JOB_SET_FROZEN;
    const char *hint = is_kept ? "to change it, delete the TrainJob and create it again"
                               : "delete the TrainJob and create it again";
    const char *plan =
        slice_is_set(difference->wanted)
            ? arena_format(report->arena, "the plan has %-.*s", SLICE_ARG(difference->wanted))
            : "the plan has no value";

    if (difference->at)
        find_invalid(report, difference->at, code, hint, "field is immutable in a JobSet; %s",
                     plan);
    else
        find_note(report, difference->parent, code, hint,
                  "role %.*s has no %.*s, and field is immutable in a JobSet; %s", SLICE_ARG(role),
                  SLICE_ARG(difference->member), plan);
}

void
jobset_fit_find(struct reconcile_work *work)
{
    const size_t count = work->decision->gang.num_roles + 1;

    work->roles = arena_array(work->arena, count, sizeof(*work->roles));
    /* No pod comes of a job that has ended. */
    if (!work->roles || !work->jobset.object || work->job.is_finished || work->job.is_terminating ||
        live_status_has_ended(work->jobset.object->group, work->jobset.object->kind,
                              node_member(work->jobset.object->root, SLICE("status"))))
        return;
    jobset_fit_of_roles(work);
    for (size_t i = 0; i < count; i++) {
        const struct reconcile_role *role = &work->roles[i];

        if (role->differs && role->difference.is_no_gang)
            find_note(work->report, role->difference.parent, MESSAGE_PODS_WITHOUT_GANG,
                      SLICE_ARG(role->name));
        else if (role->differs)
            live_report_difference(&role->difference, role->name, work->fit == FIT_KEPT,
                                   work->report);
    }
}

bool
jobset_fit_bars(const struct reconcile_work *work, const struct node *rendered)
{
    const struct gang *gang = &work->decision->gang;
    struct slice name = node_string(node_at(rendered, "metadata.name"));
    bool is_named = false;
    size_t next = 0;

    for (size_t i = 0; work->fit != FIT_AS_PLANNED && i <= gang->num_roles; i++) {
        const struct gang_patch *patch =
            i < gang->num_roles ? plan_next_patch(&work->plan->content, gang->roles[i].name, &next)
                                : NULL;
        struct slice group;

        if (work->roles[i].differs && slice_equal(work->roles[i].group, name))
            return true;
        if (!patch ||
            !live_group_named_by(pod_patch_apply(patch, NULL, POD_LAYOUT_POD, work->arena),
                                 &group) ||
            !slice_equal(group, name))
            continue;
        if (work->roles[i].differs)
            return true;
        is_named = true;
    }
    return work->fit != FIT_AS_PLANNED && !is_named;
}
