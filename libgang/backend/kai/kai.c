/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/catalog/job_names.h"

/* ---- jobs that are no TrainJobs ---- */

/*
 * Whether the podgrouper's group waits for fewer pods of a role than must start, or for more than
 * there are, or is not made: it reads `replicas` as they stand. Source:
 * kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/plugins/ray/ray_grouper.go@d5bc503a
 */
static bool
kai_foreign_counts_otherwise(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        const int64_t unit = role->unit ? role->unit : 1;
        const int64_t least = node_int_or(node_member(role->source, SLICE("minReplicas")), 0);
        const int64_t replicas = node_int_or(node_member(role->source, SLICE("replicas")), 0);

        if (gang->parts[i].membership != ROLE_MEMBER)
            continue;
        if (least > 0 && (least < role_first_count(role) / unit || replicas < least))
            return true;
        if (least == 0 && replicas > role->count / unit)
            return true;
    }
    return false;
}

/*
 * Returns the field by which a worker group has no pods, although the podgrouper's group waits for
 * them, or is not made: it reads `suspended`, and refuses replicas below minReplicas
 * (getReplicaCountersForWorkerGroup). NULL if there is none.
 */
static const struct node *
kai_foreign_suspended(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct node *group = gang->roles[i].source;
        const struct node *suspend = node_member(group, SLICE("suspend"));
        const int64_t replicas = node_int_or(node_member(group, SLICE("replicas")), 0);

        if (node_is_true(suspend) &&
            (replicas > 0 || replicas < node_int_or(node_member(group, SLICE("minReplicas")), 0)))
            return suspend;
    }
    return NULL;
}

bool
kai_foreign_is_no_gang(const struct gang *gang, const struct release *release)
{
    const struct gang_wishes *wishes = gang->wishes;
    const struct podgrouper_trait *trait = kai_foreign_trait(wishes);
    const struct node *annotations = wishes->chain ? wishes->chain->set.annotations : NULL;
    const struct release first = KAI_RELEASE(14, 1);
    int64_t minimum;

    if (!trait->groups || trait->is_gang)
        return trait->reads_least && kai_foreign_counts_otherwise(gang);
    return !trait->is_annotated || release_compare(release, &first) < 0 ||
           !integer_parse(node_string(node_member(annotations, KAI_MIN_MEMBER_ANNOTATION)),
                          &minimum) ||
           minimum < gang->minimum || minimum > gang->members;
}

/* ---- kai mode ---- */

/* What kai_open() computes once per call. */
struct kai_state {
    struct kai_mode mode;
    struct kai_created_groups created; /* none if the podgrouper makes them */
};

static bool
kai_option_is(const struct backend_call *call, struct slice name, struct slice value)
{
    return slice_equal(node_string(node_member(call->options, name)), value);
}

/* Whether the group asks the scheduler not to evict it for being stale. */
static bool
kai_mode_never_stale(const struct kai_prediction *prediction, const struct release *release)
{
    return prediction->count && kai_subgroups_never_stale(&prediction->groups[0].group, release);
}

/* Predicts the podgrouper's groups for the mode's job, and their outcome. */
static void
kai_mode_judge(struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    mode->grouping = kai_grouping_of(&mode->job, arena);
    mode->prediction = kai_predict(&mode->job, &mode->grouping, arena);
    mode->verdict = kai_judge(&mode->job, &mode->grouping, call->gang,
                              backend_scheduler_name(&kai_backend, call->gang),
                              kai_mode_never_stale(&mode->prediction, &mode->release), arena);
}

static void
kai_mode_try(struct kai_mode *mode, const struct backend_call *call, const struct kai_marks *marks,
             struct arena *arena)
{
    mode->marks = *marks;
    mode->job = kai_jobset_read(call, &mode->release, marks, arena);
    kai_mode_judge(mode, call, arena);
}

/*
 * Finds whether the annotation makes a gang of a group that is none, and adds it to the marks if
 * the policy asks for it.
 */
static void
kai_mode_try_annotation(struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];
    struct kai_mode other = *mode;
    struct kai_marks marks = mode->marks;

    /* From v0.16 on the annotation counts roles. */
    if (mode->verdict.outcome == KAI_GANG || release_at_least(&mode->release, 0, 16) ||
        mode->grouping.has_annotation || mode->grouping.failure)
        return;
    marks.min_member = arena_copy(arena, integer_format(call->gang->minimum, text));
    kai_mode_try(&other, call, &marks, arena);
    if (other.verdict.outcome != KAI_GANG)
        return;
    if (kai_option_is(call, SLICE("minMemberAnnotation"), SLICE("Render")) &&
        !gang_is_compatible(call->gang))
        *mode = other;
    mode->annotation_would_help = true;
}

struct kai_mode
kai_mode_decide(const struct backend_call *call, struct arena *arena)
{
    const bool delegates = kai_option_is(call, SLICE("podGroup"), SLICE("Delegate"));
    const bool creates = kai_option_is(call, SLICE("podGroup"), SLICE("Create"));
    struct kai_mode mode = {.release = cluster_component(call->cluster, CATALOG_AT_kai)};
    struct kai_marks marks;

    mode.release_is_stated = mode.release.is_known;
    if (!mode.release_is_stated)
        mode.release = kai_newest_release;
    mode.is_asked_for = delegates || creates;
    mode.is_foreign = call->gang->wishes->chain && call->gang->wishes->chain->is_foreign;
    mode.is_judged = !mode.is_foreign || kai_foreign_trait(call->gang->wishes)->is_of_trainjob;
    marks = kai_jobset_marks(call, &mode.release, arena);
    kai_mode_try(&mode, call, &marks, arena);
    if (mode.is_foreign)
        mode.prediction = (struct kai_prediction){.count = 0};
    else
        kai_mode_try_annotation(&mode, call, arena);
    if (delegates || gang_is_compatible(call->gang))
        mode.maker = KAI_DELEGATE;
    else if (creates || mode.is_foreign)
        mode.maker = KAI_CREATE;
    else
        mode.maker =
            mode.verdict.outcome == KAI_GANG || !kai_has(KAI_EXTERNAL_GROUPS, &mode.release)
                ? KAI_DELEGATE
                : KAI_CREATE;
    return mode;
}

/* ---- kai live ---- */

static const char *const kai_verdict_words[] = {
    [KAI_GANG] = "",
    [KAI_EVICTED] = "may evict the gang",
    [KAI_NO_GANG] = "does not schedule the job as a gang",
    [KAI_STUCK] = "never starts all pods of the job",
};

/*
 * Returns a live group without subgroups, which makes the podgrouper keep the shape of earlier
 * releases; NULL if there is none. Source: pkg/podgrouper/podgrouper/plugins/jobset@d5bc503a
 */
static const struct node *
kai_live_flat(const struct backend_call *call, struct slice name)
{
    for (size_t i = 0; i < call->live->count; i++) {
        const struct node *group = call->live->objects[i];
        struct slice text = node_string(node_at(group, "metadata.name"));

        if (!node_count(node_at(group, "spec.subGroups")) &&
            (text.len == name.len || text.data[name.len] == '-'))
            return group;
    }
    return NULL;
}

static struct slice
kai_live_names(const struct backend_call *call, struct slice set_uid, struct arena *arena)
{
    const struct kai_state *state = call->gang->wishes->is_grouped ? NULL : call->state;
    struct kai_job job;

    if (!state)
        return NO_SLICE;
    job = state->mode.job;
    job.jobset_uid = set_uid;
    return kai_predicted_names(&job, &state->mode.prediction, arena);
}

/* Returns the mode for what exists; the decision about the maker remains. */
static struct kai_mode
kai_mode_as_found(const struct kai_mode *decided, const struct backend_call *call,
                  struct arena *arena)
{
    struct kai_mode mode = *decided;

    if (!call->live)
        return mode;
    mode.job.jobset_uid = call->live->set_uid;
    mode.job.stays_flat =
        kai_live_flat(call, kai_predicted_names(&mode.job, &mode.prediction, arena)) != NULL;
    if (mode.job.stays_flat)
        kai_mode_judge(&mode, call, arena);
    return mode;
}

static void
kai_report_live(const struct backend_call *call, struct report *report)
{
    const struct kai_state *state = call->gang->wishes->is_grouped ? NULL : call->state;
    struct kai_mode mode;

    if (!state || state->mode.maker != KAI_DELEGATE)
        return;
    mode = kai_mode_as_found(&state->mode, call, report->arena);
    if (mode.job.stays_flat && mode.verdict.outcome != KAI_GANG &&
        state->mode.verdict.outcome == KAI_GANG)
        find_note(
            report,
            kai_live_flat(call, kai_predicted_names(&mode.job, &mode.prediction, report->arena)),
            MESSAGE_KAI_STAYS_FLAT, kai_release_text(&mode.release, report->arena),
            kai_verdict_words[mode.verdict.outcome], mode.verdict.why);
}

/* ---- kai report ---- */

/* Returns a hint with the alternatives to the podgrouper's group. */
static const char *
kai_way_out(const struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    const char *create =
        kai_has(KAI_EXTERNAL_GROUPS, &mode->release)
            ? "set podGroup: Create or Auto in the policy"
            : "upgrade KAI to v0.15 or later, where libgang can create the PodGroup";

    if (!mode->annotation_would_help)
        return create;
    return arena_format(
        arena,
        "%s; or annotate the JobSet kai.scheduler/batch-min-member: \"%lld\", which "
        "minMemberAnnotation: Render in the policy does",
        create, (long long)call->gang->minimum);
}

static const enum gang_code kai_verdict_codes[] = {
    [KAI_EVICTED] = GANG_CODE_KAI_DELEGATE_EVICTED,
    [KAI_NO_GANG] = GANG_CODE_KAI_DELEGATE_NO_GANG,
    [KAI_STUCK] = GANG_CODE_KAI_DELEGATE_STUCK,
};

static void
kai_report_maker(const struct kai_mode *mode, const struct backend_call *call,
                 struct report *report)
{
    const char *release = kai_release_text(&mode->release, report->arena);
    const struct node *option = node_member(call->options, SLICE("podGroup"));

    if (mode->maker == KAI_CREATE && !kai_has(KAI_EXTERNAL_GROUPS, &mode->release))
        find_invalid(
            report, option ? option : call->gang->wishes->owner.name_source,
            GANG_CODE_KAI_CREATE_UNSUPPORTED,
            mode->is_foreign ? "upgrade KAI to v0.15 or later, or set podGroup: Delegate"
                             : "set podGroup: Delegate or Auto, or upgrade KAI to v0.15 or later",
            "KAI %s moves the pods to its own PodGroup, whatever labels they have", release);
    if (mode->maker == KAI_DELEGATE && mode->marks.min_member.len)
        find_note(report, call->gang->wishes->owner.name_source, MESSAGE_KAI_MIN_MEMBER,
                  (long long)call->gang->minimum, release);
    if (mode->maker == KAI_DELEGATE && !mode->prediction.count && !mode->prediction.failure) {
        const struct gang_wishes *wishes = call->gang->wishes;
        const struct podgrouper_trait *trait = kai_foreign_trait(wishes);
        const struct node *suspend = trait->reads_least ? kai_foreign_suspended(call->gang) : NULL;
        const char *groups = trait->groups;
        const char *why =
            arena_format(report->arena, "it has more than %d subgroups", (int)KAI_MOST_SUBGROUPS);

        if (call->gang->minimum > 1 && kai_foreign_is_no_gang(call->gang, &mode->release))
            find_note(report, wishes->owner.name_source, MESSAGE_KAI_DELEGATE_NO_GANG,
                      SLICE_ARG(wishes->owner.kind), groups);
        if (suspend)
            find_invalid(
                report, suspend, GANG_CODE_KAI_DELEGATE_STUCK, "set podGroup: Create or Auto",
                "KAI's podgrouper ignores it: its group waits for these pods, or is not made");
        if (groups)
            why = arena_format(report->arena, "for this %.*s it makes %s",
                               SLICE_ARG(wishes->owner.kind), groups);
        else if (mode->is_foreign)
            why = "libgang does not know how it groups this kind of job";
        find_note(report, wishes->owner.name_source, MESSAGE_KAI_NOT_PREDICTED, why);
    }
}

void
kai_mode_report(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    const struct kai_verdict *verdict = &mode->verdict;
    const struct node *at;
    const char *release;

    release_report_assumed(call, CATALOG_AT_kai, &kai_newest_release, report);
    kai_report_maker(mode, call, report);
    at = call->gang->roles[verdict->role].source;
    release = kai_release_text(&mode->release, report->arena);
    if (verdict->outcome != KAI_GANG && mode->is_judged) {
        if (mode->maker == KAI_DELEGATE)
            find_note(report, at, kai_verdict_codes[verdict->outcome],
                      kai_way_out(mode, call, report->arena), "KAI %s %s: %s", release,
                      kai_verdict_words[verdict->outcome], verdict->why);
        else if (!mode->is_asked_for && !mode->is_foreign)
            find_note(report, at, MESSAGE_KAI_GROUP_CREATED, release,
                      kai_verdict_words[verdict->outcome], verdict->why);
    }
    if (!mode->release_is_stated || !kai_has(KAI_IGNORES_FINISHED, &mode->release) ||
        call->gang->members < 2 || kai_mode_never_stale(&mode->prediction, &mode->release))
        return;
    find_note(
        report, cluster_component_source(call->cluster, CATALOG_AT_kai),
        GANG_CODE_KAI_IGNORES_FINISHED,
        kai_has(KAI_DELAYS, &mode->release)
            ? "upgrade KAI, or annotate the trainjob kai.scheduler/staleness-grace-period: \"-1s\""
            : "upgrade KAI to v0.17.1 or later",
        "this release of KAI ignores finished pods: it evicts the gang a minute after its "
        "first "
        "pod succeeds, if others still run");
}

/* ---- kai ---- */

/*
 * Keys: kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go@d5bc503a. Features of each
 * release: kai_pod_group.c; the podgrouper's groups: kai_grouping.c; their outcome: kai_verdict.c.
 */

static const char kai_timeout_reason[] = "a PodGroup of KAI has no timeout";

static const struct node *
kai_superseded_timeout(const struct gang *gang)
{
    return node_member(gang->wishes->superseded, SLICE("scheduleTimeoutSeconds"));
}

static const struct slice kai_delay_keys[] = {
    SLICE_INIT("kai.scheduler/preemption-delay"),
    SLICE_INIT("kai.scheduler/staleness-grace-period"),
};

static void
kai_lose(const struct node *at, const char *why, struct report *report)
{
    if (at)
        find_note_at_key(report, at, MESSAGE_FIELD_LOST_ANNOTATION, SLICE_ARG(node_key(at)), why);
}

/* Reports annotations that this release, or a PodGroup made by libgang, ignores. */
static void
kai_check_annotations(const struct kai_mode *mode, const struct backend_call *call,
                      struct report *report)
{
    const struct node *maps[] = {mode->job.jobset.annotations, mode->job.trainjob.annotations};
    const struct slice segments = SLICE("kai.scheduler/segment-size");
    static const char why[] = "the PodGroup has one subgroup for each role";

    /* Segments need a mark of each pod, which the podgrouper makes from the pod's index. */
    if (mode->maker == KAI_CREATE && kai_foreign_trait(call->gang->wishes)->has_segments) {
        kai_lose(node_member(mode->job.jobset.annotations, segments), why, report);
        for (size_t i = 0; i < mode->job.num_roles; i++)
            kai_lose(node_member(mode->job.roles[i].pod.annotations, segments), why, report);
    }
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        for (size_t k = 0; !kai_has(KAI_DELAYS, &mode->release) && k < 2; k++)
            kai_lose(node_member(maps[i], kai_delay_keys[k]), "KAI supports it since v0.17",
                     report);
        if (mode->maker == KAI_CREATE)
            kai_lose(node_member(maps[i], KAI_MIN_MEMBER_ANNOTATION),
                     "libgang creates the PodGroup, and its minimum counts the gang's own pods",
                     report);
    }
}

/*
 * Whether the gang cannot be rendered. A mark in the job is no reason: a constraint of the policy
 * may accept it.
 */
static bool
kai_has_errors(const struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].severity == GANG_SEVERITY_ERROR &&
            report->items[i].code != GANG_CODE_RESERVED_MARK)
            return true;
    return false;
}

/*
 * Returns NULL after errors: a cyclic start order and a gang without members are already reported.
 */
static const void *
kai_open(const struct backend_call *call, struct report *report)
{
    struct kai_state *state;

    if (call->gang->wishes->is_grouped)
        return kai_podgang_open(call, report);
    state = kai_has_errors(report) ? NULL : arena_alloc(report->arena, sizeof(*state));
    if (!state)
        return NULL;
    state->mode = kai_mode_decide(call, report->arena);
    state->created = (struct kai_created_groups){.count = 0};
    if (state->mode.maker == KAI_CREATE)
        state->created = kai_create_groups(&state->mode, call, report->arena);
    return state;
}

static void
kai_validate(const struct backend_call *call, struct report *report)
{
    const struct kai_state *state = call->state;
    const struct node *member = call->gang->wishes->superseded;
    const struct kai_created_groups *groups;

    if (call->gang->wishes->is_grouped) {
        kai_podgang_validate(call, report);
        return;
    }
    if (member) {
        find_note_at_key(report, member, MESSAGE_KAI_SUPERSEDED);
        if (kai_superseded_timeout(call->gang))
            find_note(report, kai_superseded_timeout(call->gang), MESSAGE_FIELD_LOST_TIMEOUT,
                      kai_timeout_reason);
    }
    if (!state || kai_has_errors(report))
        return;
    groups = &state->created;
    kai_mode_report(&state->mode, call, report);
    /*
     * KAI reads an empty label as the name of the queue; an empty queue in podGroupPolicy means
     * none.
     */
    if (state->mode.prediction.count && !slice_is_set(state->mode.prediction.groups[0].group.queue))
        find_invalid(report, call->gang->queue_source, MESSAGE_EMPTY_QUEUE_LABEL);
    if (call->gang->queue.len)
        name_check_made(call->gang->queue, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE,
                        call->gang->queue_source, NULL, report);
    kai_check_annotations(&state->mode, call, report);
    for (size_t i = 0; i < groups->count; i++) {
        const struct role *role = groups->items[i].role;

        name_check_made(groups->items[i].name, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME,
                        role ? role->source : call->gang->wishes->owner.name_source, NULL, report);
    }
    if (groups->count && group_tree_has_groups(call->gang->wishes))
        kai_subgroups_check(&groups->items[0].group, &state->mode.release, call, report);
}

static void
kai_render_prediction(const struct kai_mode *decided, const struct backend_call *call,
                      struct plan_content *content)
{
    const struct kai_mode mode = kai_mode_as_found(decided, call, content->arena);
    const char *version = kai_release_text(&mode.release, content->arena);
    const struct update_call update = {
        .backend = call, .kind = KAI_POD_GROUP_KIND, .arena = content->arena};

    for (size_t i = 0; i < mode.prediction.count; i++) {
        const struct node *manifest =
            kai_predicted_manifest(&mode.job, &mode.prediction, i, content->arena);
        const struct node *name = node_at(manifest, "metadata.name");

        /* The podgrouper updates a live group by its rules. */
        for (size_t k = 0; name && call->live && k < call->live->count; k++)
            if (node_equal(node_at(call->live->objects[k], "metadata.name"), name)) {
                manifest =
                    update_apply(&kai_podgrouper_rules, &update, manifest, call->live->objects[k])
                        .manifest;
                break;
            }
        plan_add_prediction(content, (struct plan_prediction){
                                         .controller = SLICE("podgrouper.kai.scheduler"),
                                         .version = slice_from_text(version),
                                         .manifest = manifest,
                                     });
    }
}

static void
kai_render(const struct backend_call *call, struct plan_content *content)
{
    const struct kai_state *state = call->state;
    const struct kai_mode *mode;

    if (call->gang->wishes->is_grouped) {
        kai_podgang_render(call, content);
        return;
    }
    mode = &state->mode;
    for (size_t i = 0; i < mode->job.num_roles; i++) {
        if (mode->marks.queue.len)
            plan_patch_label(&content->patches[i], KAI_QUEUE_LABEL, mode->marks.queue);
        if (mode->marks.priority.len && mode->marks.priority_on_pods &&
            node_member(mode->job.roles[i].pod.labels, KAI_PRIORITY_LABEL))
            plan_patch_label(&content->patches[i], KAI_PRIORITY_LABEL, mode->marks.priority);
    }
    if (mode->maker == KAI_CREATE) {
        kai_create_render(&state->created, mode, call, content);
    } else {
        kai_render_prediction(mode, call, content);
        /*
         * The podgrouper reads the labels of a TrainJob in its JobSet, those of other jobs in the
         * job.
         */
        if (slice_equal(content->job_patch->target, SLICE(GANG_KIND_TRAINJOB)))
            content->job_patch->target = SLICE("JobSet");
        if (mode->marks.queue_on_job)
            plan_patch_label(content->job_patch, KAI_QUEUE_LABEL, mode->marks.queue);
        if (mode->marks.priority.len)
            plan_patch_label(content->job_patch, KAI_PRIORITY_LABEL, mode->marks.priority);
        if (mode->marks.min_member.len)
            plan_patch_annotation(content->job_patch, KAI_MIN_MEMBER_ANNOTATION,
                                  mode->marks.min_member);
    }
}

static void
kai_find_losses(const struct backend_call *call, struct loss_sink *sink)
{
    if (kai_superseded_timeout(call->gang))
        loss_add(sink, SLICE("scheduleTimeoutSeconds"),
                 node_text(kai_superseded_timeout(call->gang)), kai_timeout_reason);
}

/*
 * Pods refer by name only to a group that libgang makes; the name of the podgrouper's group
 * contains a uid that does not exist yet.
 */
static struct slice
kai_group_name(const struct backend_call *call, struct arena *arena)
{
    const struct kai_state *state = call->gang->wishes->is_grouped ? NULL : call->state;

    return state && state->mode.maker == KAI_CREATE ? kai_create_name(call->gang, arena)
                                                    : call->gang->name;
}

/* Lists the subgroups of the group that libgang makes. */
static void
kai_list_subgroups(const struct backend_call *call, struct builder *list)
{
    const struct kai_state *state = call->state;

    if (state && state->created.count)
        kai_subgroups_list(&state->created.items[0].group, list);
}

/* ---- kai groups of roles ---- */

static int64_t
kai_count_minimum(const struct backend_call *call)
{
    const struct gang *gang = call->gang;
    const struct kai_state *state = gang->wishes->is_grouped ? NULL : call->state;

    return state && state->created.count && state->created.items[0].group.num_subgroups &&
                   state->created.pods
               ? state->created.pods
               : gang->minimum;
}

static const char *
kai_why_group_is_lost(const struct backend_call *call, size_t group, enum group_part part)
{
    const struct kai_state *state = call->state;
    const struct gang_wishes *wishes = call->gang->wishes;
    const struct kai_pod_group *made;

    if (!state)
        return NULL; /* the gang has errors */
    if (!state->created.count)
        return "the podgrouper makes the PodGroup";
    made = &state->created.items[0].group;
    if (group != GROUP_OF_GANG && !made->num_subgroups)
        return "a PodGroup with a minimum of the whole gang has no subgroups";
    if (part != GROUP_TOPOLOGY)
        return NULL;
    return kai_create_why_not_placed(
        made, group == GROUP_OF_GANG ? &wishes->placement : &wishes->groups[group].placement);
}

const struct backend kai_backend = {
    .descriptor = &kai_descriptor,
    .open = kai_open,
    .find_losses = kai_find_losses,
    .validate = kai_validate,
    .validate_podgangs = kai_validate_podgangs,
    .render = kai_render,
    .group_name = kai_group_name,
    .count_minimum = kai_count_minimum,
    .why_group_is_lost = kai_why_group_is_lost,
    .list_subgroups = kai_list_subgroups,
    .mark_pod = kai_mark_pod,
    .classes = kai_classes,
    .render_topology = kai_podgang_render_topology,
    .predicted_names = kai_live_names,
    .report_live = kai_report_live,
    .updates = &kai_updates,
    .reads_owners = true,
};
