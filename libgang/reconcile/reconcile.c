/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"
#include "libgang/reconcile/reconcile.h"

static int
reconcile_compare_names(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(((const struct reconcile_owned *)a)->object->name,
                         ((const struct reconcile_owned *)b)->object->name);
}

/* Finds the objects of the job, the pods of each, and whether the gang of the plan has pods. */
static void
reconcile_find_owned(struct reconcile_work *work)
{
    const struct slice start = live_gangs_start_of_own(&work->gangs, work->arena);
    const struct live_index candidates =
        live_candidates(work->live, &work->owner, start, work->arena);
    struct reconcile_owned *items = arena_array(work->arena, candidates.count, sizeof(*items));

    work->has_pods = work->job.has_pods;
    work->owned = arena_array(work->arena, candidates.count, sizeof(*work->owned));
    if (!items || !work->owned)
        return;
    for (size_t i = 0; i < candidates.count; i++) {
        const struct live_object *object = candidates.items[i];
        struct reconcile_owned *item = &items[work->num_owned];

        if (!backend_of_kind(object->group, object->kind, &item->rank) ||
            (live_ownership_of(&work->owner, object) != OWNERSHIP_OURS &&
             !live_is_certain(&work->owner, object)))
            continue;
        item->object = object;
        item->gang = live_gang_of(&work->gangs, object->name);
        item->has_pods =
            live_pods_of(work->live, work->owner.key.namespace_, object->name).count > 0;
        work->has_pods |= item->has_pods && item->gang == work->gangs.own;
        work->owned[work->num_owned++] = item;
    }
    stable_sort((const void **)work->owned, work->num_owned, reconcile_compare_names, NULL,
                work->arena);
}

static int
reconcile_compare_gangs(const void *a, const void *b, const void *context)
{
    const struct reconcile_owned *left = a;
    const struct reconcile_owned *right = b;

    (void)context;
    return (left->gang > right->gang) - (left->gang < right->gang);
}

/* Shares the pods among the objects from `first` on that are of one gang; returns their end. */
static size_t
reconcile_share_of_gang(const struct reconcile_work *work, size_t first)
{
    const uint64_t gang = work->owned[first]->gang;
    bool has_pods = false;
    size_t end = first;

    for (; end < work->num_owned && work->owned[end]->gang == gang; end++)
        has_pods |= work->owned[end]->has_pods;
    for (size_t i = first; i < end; i++)
        work->owned[i]->has_pods = has_pods;
    return end;
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
 * One that is only being deleted comes back as it was, perhaps when the last pod has ended.
 */
static void
reconcile_together(struct reconcile_meeting *meetings, size_t count, struct report *report)
{
    bool is_recreated = false;

    for (size_t i = 0; i < count; i++)
        is_recreated |=
            meetings[i].action == GANG_ACTION_RECREATE && !meetings[i].live->is_terminating;
    for (size_t i = 0; is_recreated && i < count; i++) {
        if (meetings[i].is_held_back ||
            (meetings[i].action != GANG_ACTION_APPLY && meetings[i].action != GANG_ACTION_LEAVE))
            continue;
        find_note(report, meetings[i].live->metadata, MESSAGE_OBJECT_RECREATED,
                  live_name(meetings[i].live, report->arena));
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
        meeting_decide(work, &meetings[i]);
    }
    if (meetings && content->num_objects && work->decision->backend->updates->is_replaced_whole)
        reconcile_together(meetings, content->num_objects, work->report);
    return meetings;
}

/*
 * Returns how the names of Kueue's Workloads for the gang start; a hash follows. Source:
 * GenerateWorkloadNamePrefix in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/workload_names.go@v0.19.2.
 */
static struct slice
reconcile_kueue_prefix(const struct reconcile_work *work)
{
    const struct gang_owner *owner = &work->decision->wishes.owner;
    const struct slice kind = name_stem(owner->kind, owner->kind.len, work->arena);

    if (job_traits_of(owner->api_version, owner->kind)->kueue & KUEUE_NUMBERS_WORKLOADS)
        return ARENA_SLICE(work->arena, "%.*s-%.*s-%llu-", SLICE_ARG(kind),
                           SLICE_ARG(work->owner.key.name),
                           (unsigned long long)work->decision->gang_index);
    return ARENA_SLICE(work->arena, "%.*s-%.*s-", SLICE_ARG(kind), SLICE_ARG(work->owner.key.name));
}

static void
reconcile_report_kueue(const struct reconcile_work *work)
{
    const struct live_key start = {
        .group = LIVE_KUEUE_GROUP,
        .kind = LIVE_KUEUE_KIND,
        .namespace_ = work->owner.key.namespace_,
        .name = reconcile_kueue_prefix(work),
    };
    const struct live_object *found;
    size_t at = 0;

    if (work->decision->outcome != GANG_OUTCOME_GANG)
        return;
    while ((found = live_objects_next(work->live, &start, &at)))
        if (live_ownership_of(&work->owner, found) == OWNERSHIP_OURS)
            kueue_checks_workload(work->decision, found->root, work->report);
}

/* Renders a second time if the first object exists, and a third time if it cannot stay. */
static struct reconcile_meeting *
reconcile_plan(struct reconcile_work *work)
{
    struct reconcile_meeting *meetings;
    struct slice uid;
    const struct live_object *live;

    plan_fill(work->plan, NO_SLICE);
    if (arena_failed(work->arena))
        return NULL;
    jobset_fit_find(work);
    /*
     * The uid of the first object, for the owner references of the others, if the live object
     * stays.
     */
    live = work->plan->content.num_objects
               ? reconcile_find(work, work->plan->content.objects[0].manifest)
               : NULL;
    uid = live && !live->is_terminating && live_ownership_of(&work->owner, live) == OWNERSHIP_OURS
              ? live->uid
              : NO_SLICE;
    if (uid.len)
        plan_fill(work->plan, uid);
    meetings = reconcile_meet_all(work);
    if (!uid.len || !meetings || meetings[0].action != GANG_ACTION_RECREATE)
        return meetings;
    plan_fill(work->plan, NO_SLICE);
    return reconcile_meet_all(work);
}

/*
 * Whether the object names one that does not become what the plan says, as a PodGroup names its
 * Workload.
 */
static bool
reconcile_lacks(const struct reconcile_work *work, const struct reconcile_meeting *meetings,
                size_t index)
{
    const struct backend_updates *updates = work->decision->backend->updates;

    for (size_t i = 0; i < index; i++) {
        const struct node *other = meetings[i].rendered;
        const struct slice kind = node_string(node_member(other, SLICE("kind")));
        const struct slice name = node_string(node_at(other, "metadata.name"));

        if (meetings[i].action != GANG_ACTION_CONFLICT && !meetings[i].is_held_back)
            continue;
        for (size_t k = 0; k < updates->num_references; k++)
            if (slice_equal(updates->references[k].kind, kind) &&
                slice_equal(
                    node_string(node_at(meetings[index].rendered, updates->references[k].path)),
                    name))
                return true;
    }
    return false;
}

/*
 * Reports an object of the plan that is not written. `live` is NULL if it does not exist.
 * `is_conflict`: another object is in conflict; otherwise the pods keep the gang that they have.
 */
static void
reconcile_report_held_back(const struct node *rendered, const struct live_object *live,
                           bool is_conflict, struct report *report)
{
    struct slice kind = node_string(node_member(rendered, SLICE("kind")));
    struct slice name = node_string(node_at(rendered, "metadata.name"));
    const char *why = is_conflict ? "the plan has a conflict that concerns it"
                                  : "the pods of the JobSet keep the gang that they have";

    if (live)
        find_note(report, live->metadata, MESSAGE_OBJECT_HELD_BACK_CHANGE, SLICE_ARG(kind),
                  SLICE_ARG(name), why);
    else
        find_in_document(report, GANG_DOCUMENT_NONE, MESSAGE_OBJECT_HELD_BACK_CREATE,
                         SLICE_ARG(kind), SLICE_ARG(name), why);
}

/*
 * In a plan with a conflict, existing objects stay as they are. A missing object is created,
 * because its pods wait for it, unless it names an object that the conflict concerns. So the action
 * of each object is what is to be done.
 */
static void
reconcile_hold(const struct reconcile_work *work, struct reconcile_meeting *meetings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        work->plan->is_held |= meetings[i].action == GANG_ACTION_CONFLICT;
    for (size_t i = 0; i < count; i++) {
        struct reconcile_meeting *meeting = &meetings[i];
        const enum gang_action action = meeting->action;

        if (action == GANG_ACTION_CREATE ? reconcile_lacks(work, meetings, i)
                                         : work->plan->is_held && (action == GANG_ACTION_APPLY ||
                                                                   action == GANG_ACTION_RECREATE ||
                                                                   action == GANG_ACTION_DELETE)) {
            meeting->is_held_back = true;
            meeting->action = meeting->live ? GANG_ACTION_LEAVE : GANG_ACTION_NONE;
            if (meeting->live)
                meeting->manifest = update_without_status(meeting->live->root, work->arena);
        }
        if (meeting->is_held_back && meeting->action != GANG_ACTION_CONFLICT)
            reconcile_report_held_back(meeting->rendered, meeting->live, work->plan->is_held,
                                       work->report);
    }
}

/* Marks every API version of an object that the plan contains. */
static void
reconcile_mark_planned(const struct reconcile_work *work, const struct live_object *live)
{
    size_t i = 0;

    SORTED_SEARCH(i, work->num_owned, middle,
                  slice_compare(work->owned[middle]->object->name, live->name) < 0);
    for (; i < work->num_owned && slice_equal(work->owned[i]->object->name, live->name); i++)
        if (slice_equal(work->owned[i]->object->kind, live->kind) &&
            slice_equal(work->owned[i]->object->group, live->group))
            work->owned[i]->is_planned = true;
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
 * Whether the garbage collector may delete the object with its job. A backend that updates the
 * object of a finished job does so to release what the scheduler reserves for it.
 */
static bool
reconcile_is_garbage(const struct reconcile_work *work, const struct live_object *object)
{
    size_t rank;

    if (work->job.is_terminating)
        return true;
    return work->job.is_finished &&
           backend_of_kind(object->group, object->kind, &rank)->updates->finished == REST_UNTOUCHED;
}

/*
 * Whether this plan decides about an object that it does not contain: one of its own gang, or, in
 * the plan of the first gang, of a gang that the job no longer has.
 */
static bool
reconcile_is_of_gang(const struct reconcile_work *work, const struct reconcile_owned *owned)
{
    const struct live_gangs *gangs = &work->gangs;

    if (owned->gang == gangs->own)
        return live_gang_is_certain(gangs, owned->object);
    return gangs->own == 0 && owned->gang >= gangs->count && owned->gang != LIVE_GANG_UNKNOWN;
}

static void
reconcile_left_over(struct reconcile_work *work, const struct reconcile_owned *owned)
{
    const struct live_object *object = owned->object;

    work->has_left_over = true;
    /* The pods of a gang that the job no longer has are not those of the plan. */
    if (owned->gang != work->gangs.own ? !owned->has_pods
                                       : work->fit == FIT_AS_PLANNED && !work->plan->is_held &&
                                             (!work->has_pods || work->is_suspended)) {
        reconcile_add(work, GANG_ACTION_DELETE, meeting_identity(object, work->arena));
        return;
    }
    find_note(work->report, object->metadata, MESSAGE_OBJECT_STAYS, live_name(object, work->arena));
    reconcile_add(work, GANG_ACTION_LEAVE, update_without_status(object->root, work->arena));
}

/*
 * Whether the scheduler made the object for pods of the owner that name no group, such as the
 * driver of a SparkApplication. Without it they would never start.
 */
static bool
reconcile_is_of_scheduler(const struct live_object *object, struct slice uid)
{
    size_t rank;
    struct slice name = object->name;
    const struct slice prefix =
        backend_of_kind(object->group, object->kind, &rank)->updates->own_prefix;

    return prefix.len && uid.len && slice_take(&name, prefix) && slice_equal(name, uid);
}

/* Whether the operator made the object; then it is reported. */
static bool
reconcile_is_of_operator(const struct reconcile_work *work, const struct reconcile_owned *owned)
{
    const struct gang_owner *job = &work->decision->wishes.owner;
    const struct job_traits *traits = job_traits_of(job->api_version, job->kind);
    const struct operator_option *by = traits->operator_option;
    size_t rank;
    const struct backend *backend =
        backend_of_kind(owned->object->group, owned->object->kind, &rank);
    struct slice name = NO_SLICE;

    /* Whether the controller of a Job made the object: its template has the name of the Job. */
    if (traits->template_suffix.len && backend->updates->template_of)
        name = backend->updates->template_of(owned->object->root);
    if (name.len && slice_take(&name, job->name) && slice_equal(name, traits->template_suffix)) {
        find_note(work->report, owned->object->metadata, MESSAGE_SECOND_GANG_OBJECT,
                  live_name(owned->object, work->arena));
        return true;
    }
    if (!by || !operator_option_is_group(by, job->name, owned->object->name))
        return false;
    find_note(work->report, owned->object->metadata, MESSAGE_OPERATOR_MAKES_GANG_OBJECT,
              live_name(owned->object, work->arena), job_operators[by->of].name, by->option);
    return true;
}

static void
reconcile_add_left_over(struct reconcile_work *work)
{
    const struct reconcile_owned *before = NULL;

    if (work->gangs.style != GANGS_ONE && work->gangs.own == 0) {
        /*
         * An object may have no pods of its own, such as a Workload beside the PodGroup of its
         * gang.
         */
        stable_sort((const void **)work->owned, work->num_owned, reconcile_compare_gangs, NULL,
                    work->arena);
        for (size_t i = 0; i < work->num_owned;)
            i = reconcile_share_of_gang(work, i);
    }
    stable_sort((const void **)work->owned, work->num_owned, reconcile_compare_ranks, NULL,
                work->arena);
    for (size_t i = 0; i < work->num_owned; i++) {
        const struct reconcile_owned *owned = work->owned[i];

        if (!reconcile_is_of_gang(work, owned) || owned->is_planned ||
            !live_is_certain(&work->owner, owned->object) || owned->object->is_terminating ||
            reconcile_is_garbage(work, owned->object) ||
            (before && reconcile_compare_ranks(before, owned, NULL) == 0) ||
            reconcile_is_of_scheduler(owned->object, work->owner.uid) ||
            reconcile_is_of_operator(work, owned))
            continue;
        reconcile_left_over(work, owned);
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
    }
    for (size_t i = count; i > 0; i--)
        if (meetings[i - 1].action == GANG_ACTION_DELETE)
            reconcile_add(work, GANG_ACTION_DELETE, meetings[i - 1].manifest);
    reconcile_add_left_over(work);
}

/*
 * Reports that the suspension of the job was not seen. `jobset` is that of a TrainJob; NULL if it
 * is not among the live objects.
 */
static void
reconcile_report_suspension(const struct live_key *job, const struct live_object *jobset,
                            bool is_assumed, struct report *report)
{
    if (!slice_equal(job->kind, SLICE(GANG_KIND_TRAINJOB))) {
        /* A job that is no TrainJob is suspended itself, and its pods follow. */
        find_in_document(report, GANG_DOCUMENT_NONE, GANG_CODE_SUSPENSION_NOT_SEEN,
                         is_assumed ? "pass the pods among the existing objects"
                                    : "wait until the operator has deleted its pods",
                         "the %.*s is suspended, and %s", SLICE_ARG(job->kind),
                         is_assumed ? "no pods of it were seen: it is assumed to have none"
                                    : "its pods run on, and the objects stay");
    } else if (jobset) {
        find_note_below(report, jobset->root, SLICE("spec.suspend"),
                        MESSAGE_SUSPENSION_NOT_SEEN_RUNNING);
    } else {
        find_in_document(report, GANG_DOCUMENT_NONE, MESSAGE_SUSPENSION_NOT_SEEN_NOT_SEEN,
                         is_assumed ? "it is assumed to be suspended"
                                    : "its pods run on, and the objects stay");
    }
}

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
    const struct live_object *found;
    size_t at = 0;

    *seen = (struct backend_live){.set_uid = uid};
    while (start.name.len && (found = live_objects_next(work->live, &start, &at)))
        ARENA_APPEND(work->arena, seen->objects, seen->count, 4, found->root);
}

/* Without the JobSet, its objects tell its uid; unset if they disagree or none exists. */
static struct slice
reconcile_told_uid(const struct reconcile_work *work)
{
    struct slice uid = NO_SLICE;
    struct backend_live any;

    reconcile_find_predicted(work, NO_SLICE, &any);
    for (size_t i = 0; i < any.count; i++) {
        const struct node *references = node_at(any.objects[i], "metadata.ownerReferences");

        for (NODE_EACH(reference, references)) {
            const struct slice told = node_string(node_member(reference, SLICE("uid")));

            if (!slice_equal(node_string(node_member(reference, SLICE("kind"))), SLICE("JobSet")) ||
                !slice_equal(node_name(reference), work->owner.key.name))
                continue;
            if (uid.len && !slice_equal(uid, told))
                return NO_SLICE;
            uid = told; /* the API server refuses a reference without one */
            break;
        }
    }
    return uid;
}

/*
 * Tells the backend what exists that changes its prediction of another controller's objects: the
 * JobSet, whose uid is part of their names, and these objects themselves.
 */
static void
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

/* Reports what the backend knows of the live objects. */
static void
reconcile_report_seen(const struct reconcile_work *work)
{
    const struct backend *backend = work->decision->backend;
    struct backend_call call = work->decision->call;

    if (!work->plan->seen || !backend->report_live)
        return;
    call.live = work->plan->seen;
    backend->report_live(&call, work->report);
}

static void
reconcile_compare(struct reconcile_work *work)
{
    struct reconcile_meeting *meetings;
    const struct backend *backend;
    bool matters;

    if (!work->owner.uid.len)
        find_in_document(work->report, GANG_DOCUMENT_NONE, MESSAGE_OWNERSHIP_BY_NAME);
    work->gangs = live_gangs_of(work->decision, work->arena);
    reconcile_find_owned(work);
    work->jobset = live_jobset_find(&work->owner, work->live);
    /*
     * A JobSet that is not among the live objects may still run: it does not follow the TrainJob if
     * a webhook refuses the change. Pods prove that it runs.
     */
    work->is_suspended = work->decision->wishes.suspended &&
                         (work->jobset.object ? work->jobset.is_suspended : !work->has_pods);
    reconcile_look(work);
    meetings = reconcile_plan(work);
    if (!meetings)
        return;
    work->plan->is_held = work->fit == FIT_NEVER;
    work->plan->omits_patches = work->fit == FIT_KEPT;
    reconcile_hold(work, meetings, work->plan->content.num_objects);
    reconcile_fill(work, meetings, work->plan->content.num_objects);
    backend = work->decision->backend;
    matters = work->has_left_over ||
              work->decision->wishes.compatibility == COMPATIBILITY_KUBEFLOW_TRAINER ||
              (backend && backend->updates->suspended != REST_AS_RENDERED);
    if (matters && work->num_owned && work->decision->wishes.suspended && !work->job.is_finished &&
        !(work->jobset.object && work->jobset.is_suspended))
        reconcile_report_suspension(&work->owner.key, work->jobset.object, work->is_suspended,
                                    work->report);
    reconcile_report_seen(work);
    reconcile_report_kueue(work);
}

/* Returns false if there is no plan to return. */
static bool
reconcile_run(struct reconcile_work *work)
{
    const struct slice uid = work->decision->wishes.owner.uid;

    work->job = live_job_find(work->decision, work->live, work->arena);
    work->owner = live_owner_of(work->decision, work->job.object);
    if (work->job.object && work->job.object->uid.len && uid.len &&
        !slice_equal(work->job.object->uid, uid)) {
        find_invalid(work->report, node_member(work->job.object->metadata, SLICE("uid")),
                     MESSAGE_JOB_RECREATED, SLICE_ARG(uid));
        return false;
    }
    /* an invalid or denied job is no reason to change running objects */
    if (work->decision->outcome == GANG_OUTCOME_GANG ||
        work->decision->outcome == GANG_OUTCOME_NO_GANG)
        reconcile_compare(work);
    return true;
}

/* Returns the plan, and also an error if the plan is held; or only an error. */
static int
reconcile_finish(struct gang_plan *plan, bool has_plan, struct report *report,
                 struct gang_plan **out, struct gang_error **err)
{
    int result = GANG_OK;

    if (arena_failed(plan->arena))
        result = decision_error(plan->decision, plan->arena, err);
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
               const struct gang_document *live, uint32_t flags, struct gang_plan **out,
               struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct reconcile_work work;
    struct gang_plan *fresh;
    bool has_plan;
    int result = CALL_BEGIN(out, err, out && plan && live_is_usable(live),
                            "out, plan, and live objects or NULL, are needed", flags,
                            GANG_RECONCILE_WAKE | GANG_RECONCILE_ADOPT);

    if (result)
        return result;
    fresh = plan_new(plan->decision, limits, &result, err);
    if (!fresh)
        return result;
    fresh->live = gang_document_ref(live);
    fresh->findings = &fresh->own_findings;
    work = (struct reconcile_work){
        .plan = fresh,
        .decision = fresh->decision,
        .arena = fresh->arena,
        .report = &fresh->own_findings,
        .live = live_objects_of(fresh->live),
        .wakes = flags & GANG_RECONCILE_WAKE,
        .adopts = flags & GANG_RECONCILE_ADOPT,
    };
    report_init(work.report, work.arena, limits);
    report_continue(work.report, work.decision->report);
    has_plan = reconcile_run(&work);
    report_sort(work.report);
    return reconcile_finish(fresh, has_plan, work.report, out, err);
}
