/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/base/sort.h"
#include "libgang/document/document.h"
#include "libgang/document/finding.h"
#include "libgang/reconcile/live_document.h"
#include "libgang/reconcile/live_findings.h"
#include "libgang/reconcile/live_objects.h"
#include "libgang/render/render.h"

/* A live object of a kind that a backend renders and that belongs to the job, by uid or by name. */
struct reconcile_owned {
    const struct live_object *object;
    size_t rank;     /* position of its kind in the order of creation */
    bool is_planned; /* the plan contains the object */
};

/* The state of one call to gang_reconcile(). */
struct reconcile_work {
    struct gang_plan *plan;
    const struct gang_decision *decision;
    struct report *report;
    struct arena *arena;
    const struct live_objects *live;
    struct live_job job;
    struct live_owner owner;
    struct reconcile_owned **owned; /* sorted by name, at the end by rank */
    size_t num_owned;
    bool has_pods; /* pods of the gang exist */
};

/* An object of the plan and the live object with the same key. */
struct reconcile_meeting {
    const struct node *rendered;
    const struct live_object *live; /* NULL if absent */
    enum gang_action action;        /* GANG_ACTION_NONE: the object is not created now */
    const struct node *manifest;
};

static bool
reconcile_can_own(const struct reconcile_work *work, const struct live_object *object, size_t *rank)
{
    return backend_of_kind(object->group, object->kind, rank) &&
           live_same_namespace(object->namespace_, work->owner.key.namespace_) &&
           (live_ownership_of(&work->owner, object) == OWNERSHIP_OURS ||
            live_is_certain(&work->owner, object));
}

static int
reconcile_compare_names(const void *a, const void *b, const void *context)
{
    const struct reconcile_owned *left = a;
    const struct reconcile_owned *right = b;

    (void)context;
    return slice_compare(left->object->name, right->object->name);
}

static void
reconcile_find_owned(struct reconcile_work *work)
{
    size_t most = live_candidates(work->live, &work->owner, NULL);
    const struct live_object **candidates =
        arena_array(work->arena, most, sizeof(const struct live_object *));
    struct reconcile_owned *items = arena_array(work->arena, most, sizeof(*items));
    const void **scratch = arena_array(work->arena, most, sizeof(*scratch));

    work->owned = arena_array(work->arena, most, sizeof(*work->owned));
    if (!candidates || !items || !scratch || !work->owned)
        return;
    live_candidates(work->live, &work->owner, candidates);
    for (size_t i = 0; i < most; i++) {
        struct reconcile_owned *item = &items[work->num_owned];

        if (!reconcile_can_own(work, candidates[i], &item->rank))
            continue;
        item->object = candidates[i];
        work->owned[work->num_owned++] = item;
    }
    stable_sort((const void **)work->owned, scratch, work->num_owned, reconcile_compare_names,
                NULL);
}

/* Returns the index of the first owned object whose name is not less than `name`. */
static size_t
reconcile_search(const struct reconcile_work *work, struct slice name)
{
    size_t low = 0;
    size_t high = work->num_owned;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct reconcile_owned *owned = work->owned[middle];

        if (slice_compare(owned->object->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
reconcile_has_pods(const struct reconcile_work *work)
{
    for (size_t i = 0; i < work->num_owned; i++) {
        size_t count;

        live_pods_of(work->live, work->owner.key.namespace_, work->owned[i]->object->name, &count);
        if (count)
            return true;
    }
    return work->job.has_pods;
}

static enum backend_rest
reconcile_rest(const struct reconcile_work *work, const struct backend_updates *updates)
{
    if (work->job.is_terminating)
        return REST_UNTOUCHED;
    if (work->job.is_finished)
        return updates->finished;
    return work->decision->wishes.suspended ? updates->suspended : REST_AS_RENDERED;
}

static bool
reconcile_creates(const struct reconcile_work *work, enum backend_rest rest)
{
    return rest == REST_AS_RENDERED && !work->job.is_finished;
}

static const char *
reconcile_why_withheld(const struct reconcile_work *work)
{
    if (work->job.is_terminating)
        return "is being deleted";
    return work->job.is_finished ? "has ended" : "is suspended";
}

static void
reconcile_withhold(const struct reconcile_work *work, const struct node *rendered)
{
    struct slice kind = node_string(node_member(rendered, SLICE("kind")));

    find_in_document(work->report, GANG_CODE_OBJECT_WITHHELD, GANG_DOCUMENT_NONE, NULL,
                     "%.*s %.*s is not created: the job %s", SLICE_ARG(kind),
                     SLICE_ARG(node_string(node_at(rendered, "metadata.name"))),
                     reconcile_why_withheld(work));
}

/* Returns the manifest for a delete: the key of the object, and its uid as a precondition. */
static const struct node *
reconcile_identity(const struct live_object *object, struct arena *arena)
{
    struct builder manifest = build_map(arena);
    struct builder metadata;

    build_string(&manifest, SLICE("apiVersion"), object->api_version);
    build_string(&manifest, SLICE("kind"), object->kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), object->name);
    build_string_if_set(&metadata, SLICE("namespace"), object->namespace_);
    build_string_if_set(&metadata, SLICE("uid"), object->uid);
    return manifest.node;
}

/* Without owner references no uid proves ownership. The rendered key then identifies the object. */
static bool
reconcile_may_delete(const struct reconcile_work *work, const struct live_object *object)
{
    return work->owner.leaves_no_references || live_is_certain(&work->owner, object);
}

/*
 * The plugins of the Kubeflow Trainer operator write an existing PodGroup only while the job is
 * suspended.
 */
static bool
reconcile_waits(const struct reconcile_work *work)
{
    const struct gang *gang = &work->decision->gang;

    return gang->wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER &&
           !gang->wishes->suspended;
}

static void
reconcile_update(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    const struct backend_call *call = &work->decision->call;
    const struct update_call update_call = {
        .backend = call,
        .kind = meeting->live->kind,
        .is_finished = work->job.is_finished,
        .arena = work->arena,
    };
    struct update_result update =
        update_apply(work->decision->backend->updates->rules(call, meeting->live->kind),
                     &update_call, meeting->rendered, meeting->live->root);

    meeting->manifest = update.manifest;
    meeting->action = update.is_changed ? GANG_ACTION_APPLY : GANG_ACTION_LEAVE;
    live_report_kept(meeting->live, &update, meeting->rendered, work->report);
    live_report_frozen(meeting->live, &update, work->has_pods, work->report);
    if (update.num_frozen)
        meeting->action = work->has_pods ? GANG_ACTION_CONFLICT : GANG_ACTION_RECREATE;
    if (meeting->action != GANG_ACTION_APPLY || !reconcile_waits(work))
        return;
    live_report_waits(meeting->live, work->job.is_finished, work->report);
    meeting->action = GANG_ACTION_LEAVE;
    meeting->manifest = update_without_status(meeting->live->root, work->arena);
}

static void
reconcile_own(const struct reconcile_work *work, enum backend_rest rest,
              struct reconcile_meeting *meeting)
{
    meeting->action = GANG_ACTION_LEAVE;
    meeting->manifest = update_without_status(meeting->live->root, work->arena);
    if (rest == REST_UNTOUCHED)
        return;
    if (rest == REST_DELETED) {
        if (meeting->live->is_terminating || !reconcile_may_delete(work, meeting->live))
            return;
        meeting->action = GANG_ACTION_DELETE;
        meeting->manifest = reconcile_identity(meeting->live, work->arena);
    } else if (meeting->live->is_terminating) {
        meeting->action = GANG_ACTION_RECREATE;
        live_report_terminating(meeting->live, work->report);
    } else {
        reconcile_update(work, meeting);
    }
}

static void
reconcile_meet(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    enum backend_rest rest = reconcile_rest(work, work->decision->backend->updates);
    enum live_ownership ownership =
        meeting->live ? live_ownership_of(&work->owner, meeting->live) : OWNERSHIP_OF_NOBODY;

    meeting->manifest = meeting->rendered;
    if (meeting->live && ownership == OWNERSHIP_OURS) {
        reconcile_own(work, rest, meeting);
    } else if (!reconcile_creates(work, rest) && !(meeting->live && rest == REST_DELETED)) {
        reconcile_withhold(work, meeting->rendered);
    } else if (meeting->live) {
        meeting->action = GANG_ACTION_CONFLICT;
        live_report_owner(meeting->live, ownership, work->report);
    } else {
        meeting->action = GANG_ACTION_CREATE;
    }
    if (meeting->action == GANG_ACTION_RECREATE || meeting->action == GANG_ACTION_CONFLICT)
        meeting->manifest = meeting->rendered;
}

static const struct live_object *
reconcile_find(const struct reconcile_work *work, const struct node *rendered)
{
    const struct live_key key = {
        .group = live_group_of(node_string(node_member(rendered, SLICE("apiVersion")))),
        .kind = node_string(node_member(rendered, SLICE("kind"))),
        .namespace_ = node_string(node_at(rendered, "metadata.namespace")),
        .name = node_string(node_at(rendered, "metadata.name")),
    };

    return live_objects_find(work->live, &key);
}

/*
 * If one object must be created again, all objects of the gang must be: they refer to each other.
 */
static void
reconcile_together(struct reconcile_meeting *meetings, size_t count, struct report *report)
{
    bool is_made_anew = false;

    for (size_t i = 0; i < count; i++)
        is_made_anew |= meetings[i].action == GANG_ACTION_RECREATE;
    for (size_t i = 0; is_made_anew && i < count; i++) {
        if (meetings[i].action != GANG_ACTION_APPLY && meetings[i].action != GANG_ACTION_LEAVE)
            continue;
        live_report_together(meetings[i].live, report);
        meetings[i].action = GANG_ACTION_RECREATE;
        meetings[i].manifest = meetings[i].rendered;
    }
}

static struct reconcile_meeting *
reconcile_meet_all(const struct reconcile_work *work)
{
    const struct plan_content *content = &work->plan->content;
    struct reconcile_meeting *meetings =
        arena_array(work->arena, content->num_objects, sizeof(*meetings));

    for (size_t i = 0; meetings && i < content->num_objects; i++) {
        meetings[i].rendered = content->objects[i].manifest;
        meetings[i].live = reconcile_find(work, meetings[i].rendered);
        reconcile_meet(work, &meetings[i]);
    }
    if (meetings && content->num_objects && work->decision->backend->updates->is_replaced_whole)
        reconcile_together(meetings, content->num_objects, work->report);
    return meetings;
}

/*
 * Returns the uid of the first object for the owner references of the others: the uid of the live
 * object if that one stays; otherwise unset.
 */
static struct slice
reconcile_created_uid(const struct reconcile_work *work)
{
    const struct plan_content *content = &work->plan->content;
    const struct live_object *live =
        content->num_objects ? reconcile_find(work, content->objects[0].manifest) : NULL;

    return live && !live->is_terminating && live_ownership_of(&work->owner, live) == OWNERSHIP_OURS
               ? live->uid
               : NO_SLICE;
}

/* Renders a second time if the first object exists, and a third time if it cannot stay. */
static struct reconcile_meeting *
reconcile_plan(const struct reconcile_work *work)
{
    struct reconcile_meeting *meetings;
    struct slice uid;

    plan_fill(work->plan, NO_SLICE);
    uid = reconcile_created_uid(work);
    if (uid.len)
        plan_fill(work->plan, uid);
    meetings = reconcile_meet_all(work);
    if (!uid.len || !meetings || meetings[0].action != GANG_ACTION_RECREATE)
        return meetings;
    plan_fill(work->plan, NO_SLICE);
    return reconcile_meet_all(work);
}

/* Marks every API version of an object that the plan contains. */
static void
reconcile_mark_planned(const struct reconcile_work *work, const struct live_object *live)
{
    for (size_t i = reconcile_search(work, live->name); i < work->num_owned; i++) {
        struct reconcile_owned *owned = work->owned[i];

        if (!slice_equal(owned->object->name, live->name))
            return;
        if (slice_equal(owned->object->kind, live->kind) &&
            slice_equal(owned->object->group, live->group))
            owned->is_planned = true;
    }
}

/* Sorts later kinds first. Versions of the same object are adjacent. */
static int
reconcile_compare_ranks(const void *a, const void *b, const void *context)
{
    const struct reconcile_owned *left = a;
    const struct reconcile_owned *right = b;
    int order = (left->rank < right->rank) - (left->rank > right->rank);

    (void)context;
    if (!order)
        order = slice_compare(left->object->group, right->object->group);
    return order ? order : slice_compare(left->object->name, right->object->name);
}

static void
reconcile_add(const struct reconcile_work *work, enum gang_action action,
              const struct node *manifest)
{
    struct plan_content *content = &work->plan->content;
    size_t before = content->num_objects;

    plan_add_object(content, manifest);
    if (content->num_objects > before)
        content->objects[before].action = action;
}

/*
 * Returns whether the object belongs to the job but is not in the plan. If the job has ended or is
 * being deleted, the garbage collector deletes its objects.
 */
static bool
reconcile_is_left_over(const struct reconcile_work *work, const struct reconcile_owned *owned)
{
    return !owned->is_planned && live_is_certain(&work->owner, owned->object) &&
           !owned->object->is_terminating && !work->job.is_terminating && !work->job.is_finished;
}

static void
reconcile_left_over(const struct reconcile_work *work, const struct live_object *object)
{
    if (!work->has_pods || work->decision->wishes.suspended) {
        reconcile_add(work, GANG_ACTION_DELETE, reconcile_identity(object, work->arena));
        return;
    }
    live_report_stays(object, work->report);
    reconcile_add(work, GANG_ACTION_LEAVE, update_without_status(object->root, work->arena));
}

static void
reconcile_add_left_over(struct reconcile_work *work)
{
    const void **scratch = arena_array(work->arena, work->num_owned, sizeof(*scratch));
    const struct reconcile_owned *before = NULL;

    if (!scratch)
        return;
    stable_sort((const void **)work->owned, scratch, work->num_owned, reconcile_compare_ranks,
                NULL);
    for (size_t i = 0; i < work->num_owned; i++) {
        const struct reconcile_owned *owned = work->owned[i];

        if (!reconcile_is_left_over(work, owned) ||
            (before && reconcile_compare_ranks(before, owned, NULL) == 0))
            continue;
        reconcile_left_over(work, owned->object);
        before = owned;
    }
}

/*
 * Adds the objects to write in the order of creation, then the objects to delete in the reverse
 * order.
 */
static void
reconcile_fill(struct reconcile_work *work, const struct reconcile_meeting *meetings, size_t count)
{
    work->plan->content.num_objects = 0;
    work->plan->content.objects = NULL;
    for (size_t i = 0; i < count; i++) {
        if (meetings[i].live)
            reconcile_mark_planned(work, meetings[i].live);
        if (meetings[i].action != GANG_ACTION_NONE && meetings[i].action != GANG_ACTION_DELETE)
            reconcile_add(work, meetings[i].action, meetings[i].manifest);
        work->plan->is_held |= meetings[i].action == GANG_ACTION_CONFLICT;
    }
    for (size_t i = count; i > 0; i--)
        if (meetings[i - 1].action == GANG_ACTION_DELETE)
            reconcile_add(work, GANG_ACTION_DELETE, meetings[i - 1].manifest);
    reconcile_add_left_over(work);
}

static void
reconcile_compare(struct reconcile_work *work)
{
    struct reconcile_meeting *meetings;

    if (!work->owner.uid.len)
        find_in_document(work->report, GANG_CODE_OWNERSHIP_BY_NAME, GANG_DOCUMENT_NONE,
                         "pass the job as the API server returns it",
                         "the uid of the job is not known: objects are identified by the name of "
                         "their owner, and none is deleted");
    reconcile_find_owned(work);
    work->has_pods = reconcile_has_pods(work);
    meetings = reconcile_plan(work);
    if (meetings)
        reconcile_fill(work, meetings, work->plan->content.num_objects);
}

/* Reports a live job whose uid is not the uid of the rendered job. False in that case. */
static bool
reconcile_knows_job(struct reconcile_work *work)
{
    const struct live_object *job = work->job.object;
    struct slice uid = work->decision->wishes.owner.uid;

    if (!job || !job->uid.len || !uid.len || slice_equal(job->uid, uid))
        return true;
    live_report_job(job, uid, work->report);
    return false;
}

/* Returns false if there is no plan to return. */
static bool
reconcile_run(struct reconcile_work *work)
{
    work->job = live_job_find(work->decision, work->live);
    work->owner = live_owner_of(work->decision, work->job.object);
    if (!reconcile_knows_job(work))
        return false;
    /* an invalid or denied job is no reason to change running objects */
    if (work->decision->outcome == GANG_OUTCOME_GANG ||
        work->decision->outcome == GANG_OUTCOME_NO_GANG)
        reconcile_compare(work);
    return true;
}

static void
reconcile_start(struct reconcile_work *work, struct gang_plan *plan, const struct limits *limits)
{
    const struct report *findings = &plan->decision->report;

    *work = (struct reconcile_work){
        .plan = plan,
        .decision = plan->decision,
        .arena = plan->arena,
        .report = &plan->own_findings,
        .live = live_objects_of(plan->live),
    };
    report_init(work->report, plan->arena, limits);
    work->report->strict = findings->strict;
    work->report->compatibility = findings->compatibility;
    work->report->job = findings->job;
    memcpy(work->report->roots, findings->roots, sizeof(findings->roots));
    report_merge(work->report, findings->items, findings->count);
    plan->findings = work->report;
}

/* Returns the plan, and also an error if the plan is held; or only an error. */
static int
reconcile_finish(struct gang_plan *plan, bool has_plan, struct report *report,
                 struct gang_plan **out, struct gang_error **err)
{
    int result = GANG_OK;

    if (arena_failed(plan->arena))
        result = error_from_arena(err, plan->arena);
    else if (!has_plan)
        result = error_from_report(err, document_result(report), report);
    else if (plan->is_held)
        result = error_from_report(err, GANG_ERROR_INVALID, report);
    if (has_plan && (result == GANG_OK || result == GANG_ERROR_INVALID))
        *out = plan;
    else
        gang_plan_unref(plan);
    return result;
}

int
gang_reconcile(const struct gang_context *context, const struct gang_plan *plan,
               struct gang_document *live, uint32_t flags, struct gang_plan **out,
               struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct reconcile_work work;
    struct gang_plan *fresh;
    bool has_plan;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !plan || !live_is_usable(live))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "out, plan, and live objects or NULL, are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    fresh = plan_new(plan->decision, limits, &result, err);
    if (!fresh)
        return result;
    fresh->live = gang_document_ref(live);
    reconcile_start(&work, fresh, limits);
    has_plan = reconcile_run(&work);
    report_sort(work.report);
    return reconcile_finish(fresh, has_plan, work.report, out, err);
}
