/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_mode.h"

#include "libgang/backend/kai_fields.h"
#include "libgang/base/integer.h"
#include "libgang/document/finding.h"
#include "libgang/kube/duration.h"

static const char *const kai_pod_group_names[] = {"Auto", "Delegate", "Create", NULL};
static const char *const kai_annotation_names[] = {"Report", "Render", NULL};
static const struct schema kai_option_pod_group = {
    .type = SCHEMA_STRING,
    .enumeration = kai_pod_group_names,
    .default_text = "\"Auto\"",
    .description = "Who makes the PodGroup. `Delegate`: KAI's podgrouper; `Create`: libgang, from KAI v0.15 "
                   "on; `Auto`: the "
                   "podgrouper where its group is a gang that can fill, else libgang.",
};
static const struct schema kai_option_annotation = {
    .type = SCHEMA_STRING,
    .enumeration = kai_annotation_names,
    .default_text = "\"Report\"",
    .description = "`Render`: on KAI v0.14 and v0.15, where it makes a gang of the podgrouper's group, put "
                   "the number of "
                   "pods on the JobSet as `kai.scheduler/batch-min-member`. `Report`: only say so.",
};
static const char *const kai_layout_names[] = {"PerPodGang", "Aggregate", NULL};
static const struct schema kai_option_layout = {
    .type = SCHEMA_STRING,
    .enumeration = kai_layout_names,
    .default_text = "\"PerPodGang\"",
    .description = "Grove. `PerPodGang`: a PodGroup for each PodGang; `Aggregate`: one for all PodGangs of "
                   "a PodCliqueSet's replica.",
};
static const struct schema_field kai_option_fields[] = {
    {"layout", &kai_option_layout, false},
    {"minMemberAnnotation", &kai_option_annotation, false},
    {"podGroup", &kai_option_pod_group, false},
};
const struct schema kai_options = {
    .type = SCHEMA_OBJECT,
    .fields = kai_option_fields,
    .num_fields = sizeof(kai_option_fields) / sizeof(kai_option_fields[0]),
    .description = "Options of KAI Scheduler.",
};

static bool
kai_option_is(const struct backend_call *call, struct slice name, struct slice value)
{
    return slice_equal(node_string(node_member(call->options, name)), value);
}

static bool
kai_is_compatible(const struct backend_call *call)
{
    return call->gang->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

bool
kai_mode_never_stale(const struct kai_prediction *prediction, const struct release *release)
{
    int64_t period;

    return prediction->count && kai_has(KAI_DELAYS, release) &&
           duration_parse(prediction->groups[0].group.staleness_grace_period, &period) && period < 0;
}

/* What the podgrouper makes of the job with these marks, and what becomes of it. */
static void
kai_mode_try(struct kai_mode *mode, const struct backend_call *call, const struct kai_marks *marks,
             struct arena *arena)
{
    mode->marks = *marks;
    mode->job = kai_jobset_read(call, &mode->release, marks, arena);
    mode->grouping = kai_grouping_of(&mode->job, arena);
    mode->prediction = kai_predict(&mode->job, &mode->grouping, arena);
    mode->verdict =
        kai_judge(&mode->job, &mode->grouping, call->gang, backend_scheduler_name(&kai_backend, call->gang),
                  kai_mode_never_stale(&mode->prediction, &mode->release), arena);
}

/* On v0.14.1 to v0.15 the annotation counts pods, and none may be there already. */
static bool
kai_annotation_counts_pods(const struct kai_mode *mode)
{
    const struct release first = {.is_known = true, .minor = 14, .patch = 1};

    return release_compare(&mode->release, &first) >= 0 && !release_at_least(&mode->release, 0, 16) &&
           !mode->grouping.has_annotation && !mode->grouping.failure;
}

/* Whether the annotation makes a gang of a group that is none; on request it is then among the marks. */
static void
kai_mode_try_annotation(struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];
    struct kai_mode other = *mode;
    struct kai_marks marks = mode->marks;

    if (mode->verdict.outcome == KAI_GANG || !kai_annotation_counts_pods(mode))
        return;
    marks.min_member = arena_copy(arena, integer_format(call->gang->minimum, text));
    kai_mode_try(&other, call, &marks, arena);
    if (other.verdict.outcome != KAI_GANG)
        return;
    if (kai_option_is(call, SLICE("minMemberAnnotation"), SLICE("Render")) && !kai_is_compatible(call))
        *mode = other;
    mode->annotation_would_help = true;
}

static enum kai_maker
kai_mode_maker(const struct kai_mode *mode, const struct backend_call *call)
{
    if (kai_is_compatible(call) || kai_option_is(call, SLICE("podGroup"), SLICE("Delegate")))
        return KAI_DELEGATE;
    if (kai_option_is(call, SLICE("podGroup"), SLICE("Create")))
        return KAI_CREATE;
    return mode->verdict.outcome == KAI_GANG || !kai_has(KAI_EXTERNAL_GROUPS, &mode->release) ? KAI_DELEGATE
                                                                                              : KAI_CREATE;
}

struct kai_mode
kai_mode_decide(const struct backend_call *call, struct arena *arena)
{
    struct kai_mode mode = {.release = cluster_component(call->cluster, COMPONENT_KAI)};
    struct kai_marks marks;

    mode.release_is_stated = mode.release.is_known;
    if (!mode.release_is_stated)
        mode.release = kai_newest_release;
    mode.is_asked_for = kai_option_is(call, SLICE("podGroup"), SLICE("Delegate")) ||
                        kai_option_is(call, SLICE("podGroup"), SLICE("Create"));
    marks = kai_jobset_marks(call, &mode.release, arena);
    kai_mode_try(&mode, call, &marks, arena);
    kai_mode_try_annotation(&mode, call, arena);
    mode.maker = kai_mode_maker(&mode, call);
    return mode;
}

/* ---- what is said ---- */

static void
kai_report_release(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    const char *newest = kai_release_text(&kai_newest_release, report->arena);

    if (!mode->release_is_stated)
        find_in_document(report, GANG_CODE_KAI_RELEASE_ASSUMED, GANG_DOCUMENT_CLUSTER,
                         "state components.kai in the cluster's document",
                         "the release of KAI is not known; the newest known here, %s, is assumed", newest);
    else if (release_at_least(&mode->release, kai_newest_release.major, kai_newest_release.minor + 1))
        find_note(report, GANG_CODE_KAI_RELEASE_ASSUMED,
                  cluster_component_source(call->cluster, COMPONENT_KAI), NULL,
                  "this release of KAI is newer than %s, the newest known here, and taken to do the same",
                  newest);
}

/* What else there is to do than to leave the group to the podgrouper. */
static const char *
kai_way_out(const struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    const char *create = kai_has(KAI_EXTERNAL_GROUPS, &mode->release)
                             ? "set podGroup: Create or Auto in the policy"
                             : "upgrade KAI to v0.15 or later, where libgang can make the PodGroup";

    if (!mode->annotation_would_help)
        return create;
    return arena_format(arena,
                        "%s; or annotate the JobSet kai.scheduler/batch-min-member: \"%lld\", which "
                        "minMemberAnnotation: Render in the policy does",
                        create, (long long)call->gang->minimum);
}

static const enum gang_code kai_verdict_codes[] = {
    [KAI_EVICTED] = GANG_CODE_KAI_DELEGATE_EVICTED,
    [KAI_NO_GANG] = GANG_CODE_KAI_DELEGATE_NO_GANG,
    [KAI_STUCK] = GANG_CODE_KAI_DELEGATE_STUCK,
};

static const char *const kai_verdict_words[] = {
    [KAI_GANG] = "",
    [KAI_EVICTED] = "may evict the gang",
    [KAI_NO_GANG] = "makes no gang of the job",
    [KAI_STUCK] = "never starts all of the job",
};

static void
kai_report_verdict(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    const struct kai_verdict *verdict = &mode->verdict;
    const struct node *at = call->gang->roles[verdict->role].source;
    const char *release = kai_release_text(&mode->release, report->arena);

    if (verdict->outcome == KAI_GANG)
        return;
    if (mode->maker == KAI_DELEGATE)
        find_note(report, kai_verdict_codes[verdict->outcome], at, kai_way_out(mode, call, report->arena),
                  "KAI %s %s: %s", release, kai_verdict_words[verdict->outcome], verdict->why);
    else if (!mode->is_asked_for)
        find_note(report, GANG_CODE_KAI_GROUP_CREATED, at, NULL,
                  "the PodGroup is made here, because KAI %s %s if its podgrouper makes it: %s", release,
                  kai_verdict_words[verdict->outcome], verdict->why);
}

static void
kai_report_maker(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    const char *release = kai_release_text(&mode->release, report->arena);

    if (mode->maker == KAI_CREATE && !kai_has(KAI_EXTERNAL_GROUPS, &mode->release))
        find_invalid(report, GANG_CODE_KAI_CREATE_UNSUPPORTED, node_member(call->options, SLICE("podGroup")),
                     "set podGroup: Delegate or Auto, or upgrade KAI to v0.15 or later",
                     "KAI %s points the pods to its own PodGroup whatever they carry", release);
    if (mode->maker == KAI_DELEGATE && mode->marks.min_member.len)
        find_note(report, GANG_CODE_KAI_MIN_MEMBER, call->gang->owner.name_source, NULL,
                  "the JobSet is annotated kai.scheduler/batch-min-member: \"%lld\", without which KAI %s "
                  "makes no gang of it",
                  (long long)call->gang->minimum, release);
    if (mode->maker == KAI_DELEGATE && !mode->prediction.count && !mode->prediction.failure)
        find_note(report, GANG_CODE_KAI_NOT_PREDICTED, call->gang->owner.name_source, NULL,
                  "the podgrouper's PodGroup is not shown: it has more than %d subgroups",
                  (int)KAI_MOST_SUBGROUPS);
}

/* A fault of the scheduler, whoever makes the group. */
static void
kai_report_forgetting(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    if (!mode->release_is_stated || !kai_has(KAI_FORGETS_FINISHED, &mode->release) ||
        call->gang->members < 2 || kai_mode_never_stale(&mode->prediction, &mode->release))
        return;
    find_note(report, GANG_CODE_KAI_FORGETS_FINISHED, cluster_component_source(call->cluster, COMPONENT_KAI),
              kai_has(KAI_DELAYS, &mode->release)
                  ? "upgrade KAI, or annotate the trainjob kai.scheduler/staleness-grace-period: \"-1s\""
                  : "upgrade KAI to v0.17.1 or later",
              "this release of KAI does not see finished pods: it evicts the gang a minute after its first "
              "pod succeeds, if others still run");
}

void
kai_mode_report(const struct kai_mode *mode, const struct backend_call *call, struct report *report)
{
    kai_report_release(mode, call, report);
    kai_report_maker(mode, call, report);
    kai_report_verdict(mode, call, report);
    kai_report_forgetting(mode, call, report);
}
