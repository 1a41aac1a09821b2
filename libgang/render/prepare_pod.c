/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"
#include "libgang/document/writer.h"
#include "libgang/jobs/job_kinds.h"

/* State of one call that prepares a pod. */
struct preparation {
    const struct gang_decision *decision;
    const struct grove_pod *pod;
    struct report *report;
    struct gang_patch patch;
};

static struct slice
prepare_label(const struct preparation *preparation, struct slice key)
{
    return node_string(node_text_member(preparation->pod->meta.labels, key));
}

enum { PREPARE_MOST_LABELS = 5 };

/*
 * Requires the labels that Grove's scheduler backend reads, in its order. Other backends only set
 * the scheduler's name.
 * Sources: ai-dynamo/grove:operator/internal/scheduler/{kai,volcano}/backend.go@fcc3b3bb
 * PreparePod, and kai/aggregate.go of pull request 735 @ebe5f5a0
 */
static void
prepare_require_labels(const struct preparation *preparation)
{
    const struct gang_decision *decision = preparation->decision;
    const struct descriptor_grove *grove = decision->grove_scheduler->grove;
    struct slice labels[PREPARE_MOST_LABELS] = {GROVE_LABEL_PODGANG};
    size_t count = 1;

    if (grove->has_subgroups)
        labels[count++] = GROVE_LABEL_PODCLIQUE;
    if (decision->grove_aggregates) {
        labels[count++] = GROVE_LABEL_PART_OF;
        labels[count++] = GROVE_LABEL_REPLICA_INDEX;
    }
    grove_pod_require_labels(preparation->pod,
                             arena_format(preparation->report->arena, "%s scheduler", grove->words),
                             labels, preparation->report);
}

static void
prepare_mark_in_aggregate(struct preparation *preparation, const struct backend *backend)
{
    const struct node *index =
        node_text_member(preparation->pod->meta.labels, GROVE_LABEL_REPLICA_INDEX);
    struct arena *arena = preparation->report->arena;
    int64_t number;

    if (!integer_parse(node_string(index), &number)) {
        find_invalid(preparation->report, index, MESSAGE_INVALID_LABEL_VALUE);
        return;
    }
    backend->mark_pod(
        &preparation->patch,
        aggregate_name_of(prepare_label(preparation, GROVE_LABEL_PART_OF), node_string(index),
                          arena),
        aggregate_stable_name(prepare_label(preparation, GROVE_LABEL_PODCLIQUE), arena));
}

static void
prepare_patch(struct preparation *preparation)
{
    const struct gang_decision *decision = preparation->decision;
    const struct backend *backend =
        decision->grove_scheduler ? backend_of(decision->grove_scheduler->descriptor) : NULL;
    const struct gang_podgang *podgang = decision->inputs.podgang;
    const struct node *labels = preparation->pod->meta.labels;
    const struct node *gang = node_text_member(labels, GROVE_LABEL_PODGANG);
    const struct node *clique = node_text_member(labels, GROVE_LABEL_PODCLIQUE);

    if (backend && !backend->mark_pod)
        backend = NULL;
    if (decision->grove_scheduler)
        preparation->patch.scheduler_name = decision->wishes.scheduler_name;
    if (decision->gang.gives_priority)
        preparation->patch.priority_class_name = decision->gang.priority_class_name;
    if (backend)
        prepare_require_labels(preparation);
    if (report_has_errors(preparation->report))
        return;
    /*
     * Checks the PodGang of the pod if one PodGang was resolved. An aggregate accepts the pods of
     * all PodGangs of its replica.
     */
    if (podgang && gang && !decision->grove_aggregates) {
        if (!slice_equal(node_string(gang), podgang->meta.name))
            find_invalid(preparation->report, gang, MESSAGE_POD_OF_ANOTHER_GANG_PODGANG,
                         SLICE_ARG(podgang->meta.name));
        else if (clique &&
                 !FIND_TEXT(podgang->podgroups, podgang->num_podgroups, name, node_string(clique)))
            find_invalid(preparation->report, clique, MESSAGE_POD_OF_ANOTHER_GANG_PODGROUP,
                         SLICE_ARG(podgang->meta.name));
    }
    if (backend && decision->grove_aggregates)
        prepare_mark_in_aggregate(preparation, backend);
    else if (backend)
        backend->mark_pod(&preparation->patch, node_string(gang), node_string(clique));
}

/* ---- a pod of a job of another kind ---- */

/* Returns the index of the role that the pod names; the number of roles if there is none. */
static size_t
prepare_role(const struct preparation *preparation)
{
    const struct gang *gang = &preparation->decision->gang;
    const struct node *label =
        node_text_member(preparation->pod->meta.labels, SLICE(GANG_LABEL_ROLE));
    const struct object_meta *meta = &preparation->pod->meta;
    const struct gang_wishes *wishes = gang->wishes;
    size_t role;

    if (wishes->roles_are_pods) {
        const struct node *pod = preparation->pod->root;
        const struct pod_group group = pod_group_of(pod);

        if (!slice_equal(group.name, wishes->name)) {
            find_note(preparation->report, group.mark ? group.mark : preparation->pod->meta.source,
                      MESSAGE_POD_OF_ANOTHER_GANG_GROUP, SLICE_ARG(wishes->name));
            return gang->num_roles;
        }
        for (role = 0; role < gang->num_roles; role++)
            if (pod_group_is_same_role(gang->roles[role].pod_template, pod,
                                       preparation->report->arena))
                return role;
        find_note(preparation->report, preparation->pod->meta.source,
                  MESSAGE_POD_OF_ANOTHER_GANG_NO_POD, SLICE_ARG(wishes->name));
        return gang->num_roles;
    }
    if (!label) {
        find_note_below(preparation->report, meta->labels ? meta->labels : meta->source,
                        meta->labels ? SLICE("") : SLICE("labels"), MESSAGE_POD_LABEL_MISSING_ROLE,
                        GANG_LABEL_ROLE);
        return gang->num_roles;
    }
    for (role = 0; role < gang->num_roles; role++)
        if (slice_equal(gang->roles[role].name, node_string(label)))
            break;
    if (role == gang->num_roles)
        find_invalid(preparation->report, label, MESSAGE_POD_OF_ANOTHER_GANG_ROLE,
                     SLICE_ARG(gang->name));
    return role;
}

/* ---- call ---- */

static int
prepare_write(struct preparation *preparation, enum gang_format format, const struct limits *limits,
              struct gang_blob **out, struct gang_error **err)
{
    const struct gang_decision *decision = preparation->decision;
    struct buffer buffer = buffer_within(limits);
    struct arena *arena = preparation->report->arena;
    const struct node *root;

    if (!decision->inputs.job) {
        prepare_patch(preparation);
    } else if (decision->outcome == GANG_OUTCOME_GANG) { /* else the pod stays as it is */
        const size_t role = prepare_role(preparation);
        struct plan_content content;

        /* The pod gets what the pods of its role get in the plan. */
        if (role != decision->gang.num_roles &&
            plan_content_init(&content, arena, &decision->gang)) {
            backend_render(decision->backend, &decision->call, &content);
            preparation->patch = content.patches[role];
        }
    }
    if (arena_failed(arena))
        return error_from_arena(err, arena);
    if (report_has_errors(preparation->report))
        return error_from_report(err, GANG_ERROR_INVALID, preparation->report);
    root = pod_patch_apply(&preparation->patch, preparation->pod->root, POD_LAYOUT_POD, arena);
    if (arena_failed(arena))
        return error_from_arena(err, arena);
    document_write(&buffer, root, format);
    return document_hand_out(&buffer, out, err);
}

int
gang_decision_prepare_pod(const struct gang_context *context, const struct gang_decision *decision,
                          const char *data, size_t len, int format, uint32_t flags,
                          struct gang_blob **out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct grove_pod *pod = NULL;
    struct report report;
    struct preparation preparation = {.decision = decision, .report = &report};
    int result = CALL_BEGIN(
        out, err,
        out && decision && !decision->inputs.trainjob &&
            (decision->outcome == GANG_OUTCOME_GANG || decision->outcome == GANG_OUTCOME_NO_GANG) &&
            document_format_is_known(format),
        "out, a known format and a decision that is not refused, and not of a TrainJob, are needed",
        flags, 0);

    if (!result)
        result = grove_pod_parse(context, data, len, &pod, err);
    if (result)
        return result;
    report_init(&report, pod->document.arena, limits);
    preparation.pod = pod;
    result = prepare_write(&preparation, (enum gang_format)format, limits, out, err);
    gang_document_unref(&pod->document);
    return result;
}
