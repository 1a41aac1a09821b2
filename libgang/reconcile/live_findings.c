/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/reconcile.h"

#include <gang/gang-names.h>

static const char live_wait_hint[] = "wait until it is gone, then reconcile again";

const char *
live_name(const struct live_object *object, struct arena *arena)
{
    return arena_format(arena, "%.*s %.*s%s%.*s", SLICE_ARG(object->kind),
                        SLICE_ARG(object->namespace_), object->namespace_.len ? "/" : "",
                        SLICE_ARG(object->name));
}

void
live_report_owner(const struct live_object *object, enum live_ownership ownership,
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

void
live_report_frozen(const struct live_object *object, const struct update_result *update,
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

void
live_report_kept(const struct live_object *object, const struct update_result *update,
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

void
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
live_report_held_back(const struct node *rendered, const struct live_object *live, bool is_conflict,
                      struct report *report)
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

void
live_report_suspension(const struct live_key *job, const struct live_object *jobset,
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
