/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* Returns the patches in the order of the roles; NULL if there is no gang, or out of memory. */
static const struct gang_patch *
own_marks_plan(struct gang_decision *decision, bool has_gang, struct plan_content *content)
{
    if (!has_gang || !plan_content_init(content, decision->arena, &decision->gang))
        return NULL;
    backend_render(decision->backend, &decision->call, content);
    return content->patches;
}

static void
own_marks_check_role(const struct role *role, const struct gang_patch *patch, struct report *report)
{
    const struct node *planned =
        patch ? pod_patch_apply(patch, NULL, POD_LAYOUT_POD, report->arena) : NULL;

    reserved_marks_check_metadata(node_member(role->pod_template, SLICE("metadata")),
                                  node_member(planned, SLICE("metadata")), report);
    reserved_marks_check_pod_spec(node_member(role->pod_template, SLICE("spec")),
                                  node_member(planned, SLICE("spec")), report);
}

static bool
own_marks_exist(const struct gang_job *job)
{
    for (size_t i = 0; i < job->num_roles; i++)
        if (job->roles[i].has_marks)
            return true;
    return false;
}

void
own_marks_check(struct gang_decision *decision, bool has_gang)
{
    const struct gang *gang = &decision->gang;
    const struct gang_patch *patches;
    struct plan_content content;

    if (decision->gang_job->why_no_gang || !own_marks_exist(decision->gang_job) ||
        report_has_errors(&decision->report))
        return;
    patches = own_marks_plan(decision, has_gang, &content);
    if (arena_failed(decision->arena))
        return;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = gang_job_find_role(decision->gang_job, gang->roles[i].name);

        if (role->has_marks && !role->elsewhere)
            own_marks_check_role(role, patches ? &patches[i] : NULL, &decision->report);
    }
}
