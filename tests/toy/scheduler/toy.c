/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

static void
toy_validate(const struct backend_call *call, struct report *report)
{
    (void)call;
    (void)report;
}

static void
toy_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct builder manifest =
        backend_manifest(gang, content->arena, call->api_version, toy_descriptor.kinds[0]);
    struct builder spec = build_map_member(&manifest, SLICE("spec"));

    build_int(&spec, SLICE("pods"), gang->minimum);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE)
            plan_patch_label(&content->patches[i], toy_descriptor.marks[0].key, gang->name);
}

static const struct update_field toy_fields[] = {
    UPDATE_FIELD("pods", UPDATE_OURS),
};
static const struct update_rules toy_update_rules = {.fields = toy_fields, .num_fields = 1};

static const struct update_rules *
toy_rules(const struct backend_call *call, struct slice kind)
{
    (void)call;
    (void)kind;
    return &toy_update_rules;
}

static const struct backend_updates toy_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = toy_rules,
};

const struct backend toy_backend = {
    .descriptor = &toy_descriptor,
    .validate = toy_validate,
    .render = toy_render,
    .updates = &toy_updates,
};
