/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/base/text.h"
#include "libgang/document/finding.h"
#include "libgang/document/schema.h"
#include "libgang/gang/membership.h"
#include "libgang/kube/names.h"

/*
 * Keys: kubernetes-sigs/scheduler-plugins:apis/scheduling/v1alpha1/types.go, in this form since v0.25; the
 * label is its PodGroupLabel. The scheduler's name is that of the project's chart.
 */
static const struct {
    struct slice kind;
    struct slice mark; /* label of the members: the PodGroup's name */
} coscheduling_keys = {
    .kind = SLICE_INIT("PodGroup"),
    .mark = SLICE_INIT(GANG_LABEL_COSCHEDULING_POD_GROUP),
};

/* What a policy may say of it: `backends[].coscheduling`. */
static const struct schema coscheduling_timeout = {
    .type = SCHEMA_INT32,
    .has_minimum = true,
    .minimum = 1,
    .description = "Seconds that the scheduler waits for a gang, where nothing else says how long.",
};
static const struct schema_field coscheduling_option_fields[] = {
    {SLICE_INIT("scheduleTimeoutSeconds"), &coscheduling_timeout, false},
};
static const struct schema coscheduling_options = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(coscheduling_option_fields),
    .description = "Options of the type Coscheduling.",
};

static const struct loss coscheduling_losses[] = {
    {LOSS_QUEUE, "coscheduling has no queues"},
    {LOSS_TOPOLOGY, "coscheduling does not know the network topology"},
};

static bool
coscheduling_is_compatible(const struct gang *gang)
{
    return gang->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

/* The name of the PodGroup is the value of a label. */
static void
coscheduling_check_name(const struct gang *gang, struct report *report)
{
    struct name_problems problems;

    if (name_check(NAME_LABEL_VALUE, gang->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_LABEL_VALUE, gang->owner.name_source, NULL, "%s",
                     problems.text[i]);
}

/* pkg/util/podgroup.go: zero is as absent, and a negative time to wait has run out before it starts. */
static void
coscheduling_check_timeout(const struct gang *gang, struct report *report)
{
    if (!gang->has_timeout)
        return;
    if (gang->timeout_seconds < 0)
        find_invalid(report, GANG_CODE_NEGATIVE_TIMEOUT, gang->timeout_source, NULL,
                     "must be greater than or equal to 0: the scheduler would reject every pod");
    else if (gang->timeout_seconds == 0)
        find_note(report, GANG_CODE_TIMEOUT_IS_DEFAULT, gang->timeout_source, NULL,
                  "scheduleTimeoutSeconds 0 is the scheduler's own default, permitWaitingTimeSeconds");
}

static void
coscheduling_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;

    coscheduling_check_name(gang, report);
    coscheduling_check_timeout(gang, report);
    retries_report(gang, report);
    if (coscheduling_is_compatible(gang))
        priority_report_disagreement(gang, report);
}

static void
coscheduling_render_spec(const struct gang *gang, struct builder *spec)
{
    struct builder resources;

    build_int(spec, SLICE("minMember"), gang->minimum);
    if (gang->reserve != RESERVE_NEVER || coscheduling_is_compatible(gang)) {
        resources = build_map_member(spec, SLICE("minResources"));
        resource_list_build(&gang->resources, &resources);
    }
    if (gang->has_timeout && (gang->timeout_seconds || coscheduling_is_compatible(gang)))
        build_int(spec, SLICE("scheduleTimeoutSeconds"), gang->timeout_seconds);
}

static void
coscheduling_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct builder manifest =
        backend_manifest(gang, content->arena, call->api_version, coscheduling_keys.kind);
    struct builder spec = build_map_member(&manifest, SLICE("spec"));

    coscheduling_render_spec(gang, &spec);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].membership != ROLE_OUTSIDE)
            plan_patch_label(&content->patches[i], coscheduling_keys.mark, gang->name);
}

static void
coscheduling_list_versions(struct builder *list)
{
    const struct backend_listing listing = {
        .api_version = coscheduling_backend.identity.api_version,
        .kinds = {coscheduling_keys.kind},
        .mark = SLICE("label " GANG_LABEL_COSCHEDULING_POD_GROUP),
    };

    backend_list_version(&listing, list);
}

/*
 * kubernetes-sigs/scheduler-plugins:config/crd/bases/scheduling.x-k8s.io_podgroups.yaml: nothing is immutable, the scheduler reads
 * minMember in every cycle, and the server fills in nothing.
 */
static const struct update_field coscheduling_fields[] = {
    {SLICE_INIT("minMember"), UPDATE_OURS, false},
    {SLICE_INIT("minResources"), UPDATE_OURS, true},
    {SLICE_INIT("scheduleTimeoutSeconds"), UPDATE_OURS, false},
};
static const struct update_rules coscheduling_update_rules = {
    .fields = coscheduling_fields,
    .num_fields = sizeof(coscheduling_fields) / sizeof(coscheduling_fields[0]),
};

static const struct update_rules *
coscheduling_rules(const struct backend_call *call, struct slice kind)
{
    (void)call;
    (void)kind;
    return &coscheduling_update_rules;
}

/* A PodGroup without pods reserves nothing, and a finished one is read by nobody. */
static const struct backend_updates coscheduling_updates = {
    .group = SLICE_INIT("scheduling.x-k8s.io"),
    .kinds = {SLICE_INIT("PodGroup")},
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = coscheduling_rules,
};

const struct backend coscheduling_backend = {
    .identity =
        {
            .name = SLICE_INIT(GANG_BACKEND_COSCHEDULING),
            .type = SLICE_INIT("Coscheduling"),
            .api_version = SLICE_INIT("scheduling.x-k8s.io/v1alpha1"),
            .scheduler_name = SLICE_INIT("scheduler-plugins-scheduler"),
            .options = &coscheduling_options,
        },
    .gang_policy_member = SLICE_INIT("coscheduling"),
    .gang_policy_path = SLICE_INIT("spec.podGroupPolicy.coscheduling"),
    .is_of_operator = true,
    .losses = coscheduling_losses,
    .num_losses = sizeof(coscheduling_losses) / sizeof(coscheduling_losses[0]),
    .validate = coscheduling_validate,
    .render = coscheduling_render,
    .list_versions = coscheduling_list_versions,
    .updates = &coscheduling_updates,
};
