/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

/*
 * The plugin refuses the first pod until the nodes have room for minResources:
 * kubernetes-sigs/scheduler-plugins:pkg/coscheduling/core/core.go PreFilter@v0.34.7
 */
static bool
coscheduling_reserves(const struct gang *gang)
{
    return gang->wishes->reserve == RESERVE_ALWAYS || gang_is_compatible(gang) ||
           (gang->wishes->reserve == RESERVE_AUTO && !gang_sums_beyond_minimum(gang));
}

static void
coscheduling_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;

    /* kubernetes-sigs/scheduler-plugins:apis/scheduling/v1alpha1/types.go PodGroupLabel@v0.24.9 */
    release_refuse_before(call, CATALOG_AT_coscheduling, 0, 25, report);
    name_check_made(gang->name, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE,
                    gang->wishes->owner.name_source, NULL, report);
    /* pkg/util/podgroup.go: zero means absent; a negative timeout has expired before it starts */
    if (gang->has_timeout && gang->timeout_seconds < 0)
        find_invalid(report, gang->timeout_source, MESSAGE_NEGATIVE_TIMEOUT_NEGATIVE);
    else if (gang->has_timeout && gang->timeout_seconds == 0)
        find_note(report, gang->timeout_source, MESSAGE_TIMEOUT_IS_DEFAULT);
    if (gang->wishes->reserve == RESERVE_AUTO && !gang->lacks_resources &&
        !coscheduling_reserves(gang))
        find_note(report, gang->wishes->owner.name_source, MESSAGE_MIN_RESOURCES_LEFT_OUT,
                  "the plugin would wait for room for all of it", GANG_MINIMUM_IN_WORDS, "");
    retries_report(gang, report);
    if (gang_is_compatible(gang))
        priority_report_disagreement(gang, report);
}

static void
coscheduling_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct builder spec = backend_add_object(call, coscheduling_descriptor.kinds[0], NULL, content);
    struct builder resources;

    build_int(&spec, SLICE("minMember"), gang->minimum);
    if (!gang->lacks_resources && coscheduling_reserves(gang)) {
        resources = build_map_member(&spec, SLICE("minResources"));
        resource_list_build(&gang->resources, &resources);
    }
    if (gang->has_timeout && (gang->timeout_seconds || gang_is_compatible(gang)))
        build_int(&spec, SLICE("scheduleTimeoutSeconds"), gang->timeout_seconds);
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
static const struct update_rules coscheduling_rules = {UPDATE_FIELDS(coscheduling_fields)};

/*
 * A PodGroup without pods reserves nothing, and no component reads the PodGroup of a finished job.
 */
static const struct backend_updates coscheduling_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .same = &coscheduling_rules,
};

const struct backend coscheduling_backend = {
    .descriptor = &coscheduling_descriptor,
    .validate = coscheduling_validate,
    .render = coscheduling_render,
    .updates = &coscheduling_updates,
};
