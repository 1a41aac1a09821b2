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
    struct builder spec = backend_add_object(call, toy_descriptor.kinds[0], NULL, content);

    build_int(&spec, SLICE("pods"), gang->minimum);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE)
            plan_patch_label(&content->patches[i], toy_descriptor.marks[0].key, gang->name);
}

static const struct update_field toy_fields[] = {
    UPDATE_FIELD("pods", UPDATE_OURS),
};
static const struct update_rules toy_rules = {UPDATE_FIELDS(toy_fields)};

static const struct backend_updates toy_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .same = &toy_rules,
};

const struct backend toy_backend = {
    .descriptor = &toy_descriptor,
    .validate = toy_validate,
    .render = toy_render,
    .updates = &toy_updates,
};
