/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/gang/gang.h"

static bool
coscheduling_is_compatible(const struct gang *gang)
{
    return gang->wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

/* The PodGroup's name must be a label value. */
static void
coscheduling_check_name(const struct gang *gang, struct report *report)
{
    struct name_problems problems;

    if (name_check(NAME_LABEL_VALUE, gang->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_LABEL_VALUE, gang->wishes->owner.name_source, NULL,
                     "%s", problems.text[i]);
}

/* pkg/util/podgroup.go: zero means absent, and a negative timeout has expired before it starts. */
static void
coscheduling_check_timeout(const struct gang *gang, struct report *report)
{
    if (!gang->has_timeout)
        return;
    if (gang->timeout_seconds < 0)
        find_invalid(report, GANG_CODE_NEGATIVE_TIMEOUT, gang->timeout_source, NULL,
                     "must be greater than or equal to 0: the scheduler would reject every pod");
    else if (gang->timeout_seconds == 0)
        find_note(
            report, GANG_CODE_TIMEOUT_IS_DEFAULT, gang->timeout_source, NULL,
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
    if (gang->wishes->reserve != RESERVE_NEVER || coscheduling_is_compatible(gang)) {
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
        backend_manifest(gang, content->arena, call->api_version, coscheduling_descriptor.kinds[0]);
    struct builder spec = build_map_member(&manifest, SLICE("spec"));

    coscheduling_render_spec(gang, &spec);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE)
            plan_patch_label(&content->patches[i], coscheduling_descriptor.marks[0].key,
                             gang->name);
}

/*
 * kubernetes-sigs/scheduler-plugins:config/crd/bases/scheduling.x-k8s.io_podgroups.yaml: no field
 * is immutable, the scheduler reads minMember in every cycle, the server sets no defaults, and
 * status is a subresource. apis/scheduling/v1alpha1/types.go: `MinMember int32
 * json:"minMember,omitempty"`.
 */
static const struct update_field coscheduling_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS, .omits_zero = true),
    UPDATE_FIELD("minResources", UPDATE_OURS, .is_resources = true),
    UPDATE_FIELD("scheduleTimeoutSeconds", UPDATE_OURS),
};
static const struct update_rules coscheduling_update_rules = {
    .fields = coscheduling_fields,
    .num_fields = COUNT_OF(coscheduling_fields),
};

static const struct update_rules *
coscheduling_rules(const struct backend_call *call, struct slice kind)
{
    (void)call;
    (void)kind;
    return &coscheduling_update_rules;
}

/*
 * A PodGroup without pods reserves nothing, and no component reads the PodGroup of a finished job.
 */
static const struct backend_updates coscheduling_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = coscheduling_rules,
};

const struct backend coscheduling_backend = {
    .descriptor = &coscheduling_descriptor,
    .validate = coscheduling_validate,
    .render = coscheduling_render,
    .updates = &coscheduling_updates,
};
