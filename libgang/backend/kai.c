/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_create.h"
#include "libgang/backend/kai_fields.h"
#include "libgang/backend/kai_podgang.h"
#include "libgang/backend/kai_update.h"
#include "libgang/document/finding.h"
#include "libgang/kube/names.h"

/*
 * Keys: kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go@d5bc503a. What each release has: kai_fields.c; what its
 * podgrouper makes: kai_grouping.c; what becomes of that: kai_verdict.c.
 */
static const struct loss kai_losses[] = {
    {LOSS_TIMEOUT, "a PodGroup of KAI has no timeout"},
    {LOSS_TOPOLOGY, "KAI asks for the name of a Topology: annotate the job kai.scheduler/topology"},
};

static const char kai_timeout_reason[] = "a PodGroup of KAI has no timeout";

/* `podGroupPolicy.kai`, which kaiScheduler has replaced; NULL when it is not written. */
static const struct node *
kai_superseded(const struct backend_call *call)
{
    return node_member(call->job->runtime->pod_group_policy.source, SLICE("kai"));
}

static const struct node *
kai_superseded_timeout(const struct backend_call *call)
{
    return node_member(kai_superseded(call), SLICE("scheduleTimeoutSeconds"));
}

static void
kai_check_superseded(const struct backend_call *call, struct report *report)
{
    const struct node *member = kai_superseded(call);

    if (!member)
        return;
    find_note_at_key(report, GANG_CODE_KAI_SUPERSEDED, member, "write kaiScheduler: {queue: ...}",
                     "kai is the superseded spelling of kaiScheduler");
    if (kai_superseded_timeout(call))
        find_note(report, GANG_CODE_FIELD_LOST, kai_superseded_timeout(call), "remove the field",
                  "scheduleTimeoutSeconds is lost: %s", kai_timeout_reason);
}

/* An empty label is read as the queue of that name; podGroupPolicy's empty queue is read as none. */
static void
kai_check_queue(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    struct name_problems problems;

    if (mode->prediction.count && !slice_is_set(mode->prediction.groups[0].group.queue))
        find_invalid(report, GANG_CODE_EMPTY_QUEUE, gang->queue_source, "name a queue, or remove the label",
                     "KAI would take the empty label as the name of the queue");
    if (!gang->queue.len || name_check(NAME_LABEL_VALUE, gang->queue, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_LABEL_VALUE, gang->queue_source, NULL, "%s", problems.text[i]);
}

static const struct slice kai_delay_keys[] = {
    SLICE_INIT("kai.scheduler/preemption-delay"),
    SLICE_INIT("kai.scheduler/staleness-grace-period"),
};

static void
kai_lose(const struct node *at, const char *why, struct report *report)
{
    if (at)
        find_note_at_key(report, GANG_CODE_FIELD_LOST, at, "remove the annotation", "%.*s is lost: %s",
                         SLICE_ARG(node_key(at)), why);
}

/* Annotations that this release, or a PodGroup of our own, does not heed. */
static void
kai_check_annotations(const struct kai_mode *mode, struct report *report)
{
    const struct node *maps[] = {mode->job.jobset.annotations, mode->job.trainjob.annotations};

    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        for (size_t k = 0; !kai_has(KAI_DELAYS, &mode->release) && k < 2; k++)
            kai_lose(node_member(maps[i], kai_delay_keys[k]), "KAI has it from v0.17 on", report);
        if (mode->maker == KAI_CREATE)
            kai_lose(node_member(maps[i], KAI_MIN_MEMBER_ANNOTATION),
                     "the PodGroup is made here, and counts the gang's own pods", report);
    }
}

static void
kai_check_groups(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    struct kai_created_groups groups = kai_create_groups(mode, call, report->arena);

    for (size_t i = 0; mode->maker == KAI_CREATE && i < groups.count; i++)
        kai_create_check(&groups.items[i].group, &mode->release,
                         groups.items[i].role ? groups.items[i].role->source : call->gang->owner.name_source,
                         report);
}

/* A start order that goes round is reported already, and a gang without members. */
static void
kai_validate(const struct backend_call *call, struct report *report)
{
    struct kai_mode mode;

    if (call->gang->front_end == FRONT_END_PODGANG) {
        kai_podgang_validate(call, report);
        return;
    }
    kai_check_superseded(call, report);
    if (report_has_errors(report))
        return;
    mode = kai_mode_decide(call, report->arena);
    kai_mode_report(&mode, call, report);
    kai_check_queue(&mode, call, report);
    kai_check_annotations(&mode, report);
    kai_check_groups(&mode, call, report);
}

static void
kai_render_prediction(const struct kai_mode *mode, struct plan_content *content)
{
    for (size_t i = 0; i < mode->prediction.count; i++)
        plan_add_prediction(
            content, (struct plan_prediction){
                         .controller = SLICE("podgrouper.kai.scheduler"),
                         .version = slice_from_text(kai_release_text(&mode->release, content->arena)),
                         .manifest = kai_predicted_manifest(&mode->job, &mode->prediction, i, content->arena),
                     });
}

static void
kai_render_job_patch(const struct kai_mode *mode, struct plan_content *content)
{
    if (mode->marks.queue_on_job)
        plan_patch_label(content->job_patch, KAI_QUEUE_LABEL, mode->marks.queue);
    if (mode->marks.priority.len)
        plan_patch_label(content->job_patch, KAI_PRIORITY_LABEL, mode->marks.priority);
    if (mode->marks.min_member.len)
        plan_patch_annotation(content->job_patch, KAI_MIN_MEMBER_ANNOTATION, mode->marks.min_member);
}

static void
kai_render(const struct backend_call *call, struct plan_content *content)
{
    struct kai_mode mode;

    if (call->gang->front_end == FRONT_END_PODGANG) {
        kai_podgang_render(call, content);
        return;
    }
    mode = kai_mode_decide(call, content->arena);
    for (size_t i = 0; mode.marks.queue.len && i < content->num_patches; i++)
        plan_patch_label(&content->patches[i], KAI_QUEUE_LABEL, mode.marks.queue);
    if (mode.maker == KAI_CREATE) {
        kai_create_render(&mode, call, content);
    } else {
        kai_render_prediction(&mode, content);
        kai_render_job_patch(&mode, content);
    }
    if (kai_superseded_timeout(call))
        plan_add_loss(content, SLICE("scheduleTimeoutSeconds"), node_text(kai_superseded_timeout(call)),
                      kai_timeout_reason);
}

/* Pods see the name only of a group that is made here; that of the podgrouper's has a uid that is not there yet. */
static void
kai_show(const struct backend_call *call, struct arena *arena, struct backend_view *view)
{
    if (call->gang->front_end == FRONT_END_TRAINJOB && kai_mode_decide(call, arena).maker == KAI_CREATE)
        view->name = kai_create_name(call->gang, arena);
}

/* The plan's view of the group that is made here: its subgroups, with the one role of each. */
static void
kai_list_subgroups(const struct backend_call *call, struct builder *list)
{
    struct kai_mode mode = kai_mode_decide(call, list->arena);
    struct kai_created_groups groups = kai_create_groups(&mode, call, list->arena);

    if (mode.maker != KAI_CREATE || !groups.count)
        return;
    for (size_t i = 0; i < groups.items[0].group.num_subgroups; i++) {
        const struct kai_subgroup *source = &groups.items[0].group.subgroups[i];
        struct builder subgroup = build_map_item(list);
        struct builder roles;

        build_string(&subgroup, SLICE("name"), source->name);
        build_int(&subgroup, SLICE("minimum"), source->min_member.value);
        roles = build_list_member(&subgroup, SLICE("roles"));
        build_string_item(&roles, source->name);
        build_list_member(&subgroup, SLICE("subgroups"));
    }
}

static void
kai_list_versions(struct builder *list)
{
    const struct backend_listing listing = {
        .api_version = kai_backend.identity.api_version,
        .kinds = {SLICE("PodGroup")},
        .mark = SLICE("annotation " GANG_ANNOTATION_KAI_GROUP_NAME),
    };

    backend_list_version(&listing, list);
}

const struct backend kai_backend = {
    .identity =
        {
            .name = SLICE_INIT(GANG_BACKEND_KAI),
            .type = SLICE_INIT("KAI"),
            .api_version = SLICE_INIT("scheduling.run.ai/v2alpha2"),
            .scheduler_name = SLICE_INIT("kai-scheduler"),
            .options = &kai_options,
        },
    .gang_policy_member = SLICE_INIT("kaiScheduler"),
    .gang_policy_path = SLICE_INIT("spec.podGroupPolicy.kaiScheduler"),
    .default_queue = SLICE_INIT("default-queue"),
    .losses = kai_losses,
    .num_losses = sizeof(kai_losses) / sizeof(kai_losses[0]),
    .validate = kai_validate,
    .render = kai_render,
    .show = kai_show,
    .list_subgroups = kai_list_subgroups,
    .list_versions = kai_list_versions,
    .updates = &kai_updates,
};
