/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/reconcile.h"

const char *
live_name(const struct live_object *object, struct arena *arena)
{
    return arena_format(arena, "%.*s %.*s%s%.*s", SLICE_ARG(object->kind),
                        SLICE_ARG(object->namespace_), object->namespace_.len ? "/" : "",
                        SLICE_ARG(object->name));
}

/* ---- live findings ---- */

static const char live_wait_hint[] = "wait until it is gone, then reconcile again";

/* Reports an object that the job does not own. */
static void
meeting_report_owner(const struct live_object *object, enum live_ownership ownership,
                     struct report *report)
{
    if (ownership == OWNERSHIP_OF_OTHER) {
        /*
         * The message has the words of AlreadyOwnedError in
         * k8s.io/controller-runtime:pkg/controller/controllerutil.
         */
        find_note(
            report, object->controller, GANG_CODE_OBJECT_OF_ANOTHER,
            object->is_terminating ? live_wait_hint : "rename one of the two",
            "%s is already owned by another controller, %-.*s %-.*s (uid %-.*s): it is not changed",
            live_name(object, report->arena),
            SLICE_ARG(node_string(node_member(object->controller, SLICE("kind")))),
            SLICE_ARG(node_name(object->controller)), SLICE_ARG(object->controller_uid));
    } else if (ownership == OWNERSHIP_OF_FORMER) {
        find_note(report, object->controller, MESSAGE_OBJECT_OF_FORMER_JOB,
                  live_name(object, report->arena), SLICE_ARG(object->controller_uid));
    } else {
        find_note(report, object->metadata, GANG_CODE_OBJECT_WITHOUT_OWNER,
                  object->is_terminating ? live_wait_hint
                                         : "delete it, or add the owner reference of the job",
                  "%s has no controller, so it is unknown whether it belongs to the job: it is not "
                  "changed",
                  live_name(object, report->arena));
    }
}

static struct slice
live_field_path(const struct update_field *field, struct arena *arena)
{
    return ARENA_SLICE(arena, "spec.%.*s", SLICE_ARG(field->name));
}

/*
 * Reports every immutable field that must change. `is_held`: it cannot change because pods of the
 * gang exist.
 */
static void
meeting_report_frozen(const struct live_object *object, const struct update_result *update,
                      bool is_held, struct report *report)
{
    for (size_t i = 0; i < update->num_frozen; i++) {
        const struct update_field *field = update->frozen[i];
        enum gang_code code = is_held ? GANG_CODE_IMMUTABLE_FIELD : GANG_CODE_OBJECT_RECREATED;
        const char *hint = is_held ? "suspend the job or wait until its pods have ended" : NULL;
        const char *then =
            is_held ? "pods of the gang exist" : "the object is deleted and created again";
        const struct node *live =
            node_member(node_member(object->root, SLICE("spec")), field->name);

        if (live)
            find_invalid(report, live, code, hint, "field is immutable; %s", then);
        else
            find_note_below(report, object->root, live_field_path(field, report->arena), code, hint,
                            "Invalid value: null: field is immutable; %s", then);
    }
}

static void
meeting_report_kept(const struct live_object *object, const struct update_result *update,
                    const struct node *rendered, struct report *report)
{
    for (size_t i = 0; i < update->num_kept; i++) {
        struct slice name = update->kept[i]->name;
        struct quoted value;

        find_note_below(
            report, object->root, live_field_path(update->kept[i], report->arena),
            MESSAGE_FIELD_STAYS, live_name(object, report->arena), SLICE_ARG(name),
            finding_value(&value, node_member(node_member(rendered, SLICE("spec")), name)));
    }
}

/* ---- meetings ---- */

const struct node *
meeting_identity(const struct live_object *object, struct arena *arena)
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

/*
 * The plugins of the Kubeflow Trainer operator write an existing PodGroup only while the job is
 * suspended.
 */
static bool
meeting_waits(const struct reconcile_work *work)
{
    return work->decision->wishes.compatibility == COMPATIBILITY_KUBEFLOW_TRAINER &&
           !work->is_suspended;
}

/*
 * Whether a pod of the group has no node. The phase of a PodGroup does not tell: coscheduling's is
 * Failed for good after one failed pod, and Pending after a completed job.
 */
static bool
meeting_has_waiting_pods(const struct reconcile_work *work, const struct live_object *group)
{
    const struct live_index pods =
        live_pods_of(work->live, work->owner.key.namespace_, group->name);

    for (size_t i = 0; i < pods.count; i++) {
        const struct live_object *pod = ((const struct live_pod *)pods.items[i])->object;

        if (!pod->is_terminating && !node_string(node_at(pod->root, "spec.nodeName")).len)
            return true;
    }
    return false;
}

static void
meeting_leave(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    meeting->action = GANG_ACTION_LEAVE;
    meeting->manifest = update_without_status(meeting->live->root, work->arena);
}

static struct update_result
meeting_changes(const struct reconcile_work *work, const struct reconcile_meeting *meeting)
{
    const struct backend_call *call = &work->decision->call;
    const struct update_call update_call = {
        .backend = call,
        .kind = meeting->live->kind,
        .is_finished = work->job.is_finished,
        .wakes = work->wakes && work->decision->backend->descriptor->sleeps_on_room &&
                 !meeting_waits(work) && meeting_has_waiting_pods(work, meeting->live),
        .arena = work->arena,
    };

    return update_apply(
        backend_update_rules(work->decision->backend->updates, call, meeting->live->kind),
        &update_call, meeting->rendered, meeting->live->root);
}

static void
meeting_update(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    const struct update_result update = meeting_changes(work, meeting);

    meeting->manifest = update.manifest;
    meeting->action = update.is_changed ? GANG_ACTION_APPLY : GANG_ACTION_LEAVE;
    meeting_report_kept(meeting->live, &update, meeting->rendered, work->report);
    meeting_report_frozen(meeting->live, &update, work->has_pods, work->report);
    if (update.num_frozen)
        meeting->action = work->has_pods ? GANG_ACTION_CONFLICT : GANG_ACTION_RECREATE;
    if (meeting->action != GANG_ACTION_APPLY || !meeting_waits(work))
        return;
    /* A job that has ended will never be suspended. */
    find_note(work->report, meeting->live->metadata, GANG_CODE_WRITTEN_WHILE_SUSPENDED,
              work->job.is_finished ? NULL : "suspend the job",
              "%s differs from the rendered object, and is not written: the operator writes it "
              "only while the job is suspended",
              live_name(meeting->live, work->arena));
    meeting_leave(work, meeting);
}

static void
meeting_own(const struct reconcile_work *work, enum backend_rest rest,
            struct reconcile_meeting *meeting)
{
    struct update_result update = {0};

    meeting_leave(work, meeting);
    if (rest == REST_UNTOUCHED)
        return;
    if (rest == REST_DELETED) {
        /*
         * Without owner references no uid proves ownership. The rendered key then identifies the
         * object.
         */
        if (meeting->live->is_terminating ||
            !(work->owner.leaves_no_references || live_is_certain(&work->owner, meeting->live)))
            return;
        if (work->has_pods && work->decision->backend->updates->stays_with_pods) {
            find_note(work->report, meeting->live->metadata, MESSAGE_OBJECT_STAYS,
                      live_name(meeting->live, work->arena));
            return;
        }
        meeting->action = GANG_ACTION_DELETE;
        meeting->manifest = meeting_identity(meeting->live, work->arena);
    } else if (meeting->live->is_terminating) {
        /*
         * Finalizers can keep an object until its pods have ended, as podgroup-protection does in
         * the Workload API, and the scheduler uses it meanwhile. So the fields that can change
         * follow the job.
         */
        if (work->has_pods && !meeting_waits(work))
            update = meeting_changes(work, meeting);
        meeting->action = GANG_ACTION_RECREATE;
        if (update.is_changed && !update.num_frozen) {
            meeting->action = GANG_ACTION_APPLY;
            meeting->manifest = update.manifest;
        }
        find_note(work->report, node_member(meeting->live->metadata, SLICE("deletionTimestamp")),
                  MESSAGE_OBJECT_TERMINATING, live_name(meeting->live, work->arena));
    } else {
        meeting_update(work, meeting);
    }
}

/*
 * Whether an object without a controller, or of another one, becomes the job's. Source:
 * ai-dynamo/grove:operator/internal/scheduler/{kai,volcano}/backend.go@fcc3b3bb SyncPodGang: the
 * controller reference is set on an object that has none, and KAI's backend replaces it.
 */
static bool
meeting_adopts(const struct reconcile_work *work, const struct reconcile_meeting *meeting,
               enum live_ownership ownership)
{
    const struct backend_call *call = &work->decision->call;

    if (!work->adopts || !meeting->live || meeting->live->is_terminating)
        return false;
    if (ownership != OWNERSHIP_OF_OTHER)
        return ownership == OWNERSHIP_OF_NOBODY;
    return call->gang->wishes->is_grouped &&
           backend_update_rules(work->decision->backend->updates, call, meeting->live->kind)
               ->replaces_owners;
}

static void
meeting_compare(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    enum backend_rest rest = work->job.is_terminating ? REST_UNTOUCHED
                             : work->job.is_finished  ? work->decision->backend->updates->finished
                             : work->is_suspended     ? work->decision->backend->updates->suspended
                                                      : REST_AS_RENDERED;
    enum live_ownership ownership =
        meeting->live ? live_ownership_of(&work->owner, meeting->live) : OWNERSHIP_OF_NOBODY;

    meeting->manifest = meeting->rendered;
    if (meeting->live && ownership == OWNERSHIP_OURS) {
        meeting_own(work, rest, meeting);
    } else if ((rest != REST_AS_RENDERED || work->job.is_finished) &&
               (!meeting->live || rest != REST_DELETED)) {
        struct slice kind = node_string(node_member(meeting->rendered, SLICE("kind")));

        find_in_document(work->report, GANG_DOCUMENT_NONE, MESSAGE_OBJECT_WITHHELD, SLICE_ARG(kind),
                         SLICE_ARG(node_string(node_at(meeting->rendered, "metadata.name"))),
                         work->job.is_terminating ? "is being deleted"
                         : work->job.is_finished  ? "has ended"
                                                  : "is suspended");
    } else if (meeting_adopts(work, meeting, ownership)) {
        meeting_own(work, rest, meeting);
        if (meeting->action != GANG_ACTION_LEAVE)
            find_note(work->report, meeting->live->metadata, MESSAGE_OBJECT_ADOPTED,
                      live_name(meeting->live, work->arena));
    } else if (meeting->live) {
        meeting->action = GANG_ACTION_CONFLICT;
        meeting_report_owner(meeting->live, ownership, work->report);
    } else {
        meeting->action = GANG_ACTION_CREATE;
    }
    if (meeting->action == GANG_ACTION_RECREATE || meeting->action == GANG_ACTION_CONFLICT)
        meeting->manifest = meeting->rendered;
}

void
meeting_decide(const struct reconcile_work *work, struct reconcile_meeting *meeting)
{
    if (jobset_fit_bars(work, meeting->rendered)) {
        meeting->is_held_back = true;
        meeting->manifest = meeting->rendered;
        if (work->fit == FIT_NEVER) {
            meeting->action = GANG_ACTION_CONFLICT;
        } else if (meeting->live &&
                   live_ownership_of(&work->owner, meeting->live) == OWNERSHIP_OURS) {
            meeting_leave(work, meeting);
        } else {
            meeting->action = GANG_ACTION_NONE;
        }
    } else {
        meeting_compare(work, meeting);
    }
}
