/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

void
own_marks_check(const struct gang_decision *decision, bool has_gang)
{
    const struct gang *gang = &decision->gang;
    const struct gang_patch *patches = NULL;
    struct plan_content content;
    bool has_marks = false;

    for (size_t i = 0; i < gang->num_roles; i++)
        has_marks |= gang->roles[i].has_marks;
    if (!has_marks || decision->wishes.why_no_gang || report_has_errors(decision->report))
        return;
    if (has_gang && plan_content_init(&content, decision->arena, gang)) {
        backend_render(decision->backend, &decision->call, &content);
        patches = content.patches; /* in the order of the roles */
    }
    if (arena_failed(decision->arena))
        return;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        /* marks of a role without pods are on no pod */
        if (role->has_marks && role->count && !role->elsewhere) {
            const struct node *planned =
                patches ? pod_patch_apply(&patches[i], NULL, POD_LAYOUT_POD, decision->arena)
                        : NULL;

            reserved_marks_check_metadata(node_member(role->pod_template, SLICE("metadata")),
                                          node_member(planned, SLICE("metadata")),
                                          decision->report);
            reserved_marks_check_pod_spec(node_member(role->pod_template, SLICE("spec")),
                                          node_member(planned, SLICE("spec")), decision->report);
        }
    }
}

/* ---- the entry of a TrainJob ---- */

/* Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 RuntimePatch */
const struct node *
patch_entry_build(const struct gang_patch *patches, size_t count, struct arena *arena)
{
    struct builder entry = build_map(arena);
    struct builder template;
    struct builder jobs = {.node = NULL};

    build_string(&entry, SLICE("manager"), RUNTIME_PATCH_MANAGER);
    template = build_map_member(&entry, SLICE("trainingRuntimeSpec"));
    template = build_map_member(&template, SLICE("template"));
    for (size_t i = 0; i < count; i++)
        if (!slice_is_set(patches[i].role))
            plan_patch_build_metadata(&patches[i], &template);
    for (size_t i = 0; i < count; i++) {
        struct builder job;
        struct builder part;

        if (!slice_is_set(patches[i].role) || !plan_patch_has_marks(&patches[i]))
            continue;
        if (!jobs.node) {
            struct builder spec = build_map_member(&template, SLICE("spec"));

            jobs = build_list_member(&spec, SLICE("replicatedJobs"));
        }
        job = build_map_item(&jobs);
        build_string(&job, SLICE("name"), patches[i].role);
        part = build_map_member(&job, SLICE("template"));
        part = build_map_member(&part, SLICE("spec"));
        part = build_map_member(&part, SLICE("template"));
        plan_patch_build_metadata(&patches[i], &part);
    }
    return node_count(template.node) ? entry.node : NULL;
}

static void patch_entry_compare(const struct node *wanted, const struct node *found,
                                struct report *report);

static void
patch_entry_compare_lists(const struct node *wanted, const struct node *found,
                          struct report *report)
{
    for (NODE_EACH(item, found)) {
        const struct node *other = node_item_named(wanted, node_name(item));

        if (other)
            patch_entry_compare(other, item, report);
        else
            find_forbidden(report, item, MESSAGE_PATCH_OUTDATED_ROLE);
    }
    for (NODE_EACH(item, wanted)) {
        struct slice name = node_name(item);

        if (!node_item_named(found, name))
            find_required(report, found, SLICE(""), MESSAGE_PATCH_OUTDATED_ROLE_MISSING,
                          SLICE_ARG(name));
    }
}

static void
patch_entry_compare(const struct node *wanted, const struct node *found, struct report *report)
{
    for (NODE_EACH(member, found)) {
        const struct node *other = node_member(wanted, node_key(member));

        if (other) {
            struct quoted value;

            if (node_is(member, NODE_MAP) && node_is(other, NODE_MAP))
                patch_entry_compare(other, member, report);
            else if (node_is(member, NODE_LIST) && node_is(other, NODE_LIST))
                patch_entry_compare_lists(other, member, report);
            else if (!node_equal(other, member))
                find_invalid(report, member, MESSAGE_PATCH_OUTDATED_VALUE,
                             finding_value(&value, other));
        } else if (!node_is_absent(member) && (node_count(member) || !node_is(member, NODE_MAP))) {
            find_forbidden(report, member, MESSAGE_PATCH_OUTDATED_KEY);
        }
    }
    for (NODE_EACH(member, wanted)) {
        if (!node_member(found, node_key(member)))
            find_required(report, found, SLICE(""), MESSAGE_PATCH_OUTDATED_KEY_MISSING,
                          SLICE_ARG(node_key(member)));
    }
}

/* Only for a decision without errors: a gang with errors has no marks to compare. */
void
patch_entry_check(const struct gang_decision *decision)
{
    const struct node *found = decision->inputs.trainjob->own_patch;
    struct arena *arena = decision->arena;
    struct plan_content content;
    const struct node *wanted;

    if (!plan_content_init(&content, arena, &decision->gang))
        return;
    if (decision->backend)
        backend_render(decision->backend, &decision->call, &content);
    if (arena_failed(arena))
        return;
    plan_content_settle(&content);
    wanted = patch_entry_build(content.shown, content.num_shown, arena);
    /* The operator's webhook sets `time`. */
    found = edit_member(arena, found, SLICE("time"), NULL);
    if (wanted)
        patch_entry_compare(wanted, found, decision->report);
    else
        find_forbidden(decision->report, found, MESSAGE_PATCH_OUTDATED_MARKS);
}
