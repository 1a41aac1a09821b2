/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "libgang/decide/decision.h"

/* The template of a role, before and after. */
struct job_template {
    struct edit_exchange exchange; /* the first member: a pointer to it is one to the template */
    struct slice role;
};

/* State of one call. */
struct job_marks {
    const struct gang_decision *decision;
    struct arena *arena;
    struct report *report;
    const struct node *root;
    struct job_template *templates; /* one for each role */
    size_t num_templates;
    size_t next_role;
    const struct node **pods; /* of a list of pods, at their positions in it; NULL if unchanged */
};

/* ---- what the document cannot contain ---- */

static bool
job_marks_keep_field(enum template_fields fields, struct slice key)
{
    if (fields == TEMPLATE_BUILT_IN || slice_equal(key, SLICE("schedulerName")) ||
        slice_equal(key, SLICE("priorityClassName")))
        return true;
    return fields != TEMPLATE_WITHOUT_GROUP &&
           slice_equal(key, SLICE("schedulingGroup.podGroupName"));
}

/* The API server refuses a pod's spec without containers. */
static void
job_marks_check_spec(const struct job_marks *marks, const struct gang_patch *patch,
                     const struct node *place)
{
    if (plan_patch_has_spec(patch) && !node_member(place, SLICE("spec")))
        find_required(marks->report, place, SLICE("spec"),
                      MESSAGE_NOT_IN_TARGET_TEMPLATE_CONTAINERS,
                      SLICE_ARG(plan_patch_spec_field(patch, 0).key));
}

/* ---- patches ---- */

/* Patches follow the roles in most jobs, so the search starts after the last role. */
static const struct role *
job_marks_find_role(struct job_marks *marks, const struct gang_wishes *job, struct slice name)
{
    for (size_t i = 0; i < job->num_roles; i++) {
        const size_t index = (marks->next_role + i) % job->num_roles;

        if (!slice_equal(job->roles[index].name, name))
            continue;
        marks->next_role = index + 1;
        return &job->roles[index];
    }
    return NULL;
}

static void
job_marks_add_role(struct job_marks *marks, const struct gang_wishes *job,
                   const struct gang_patch *patch)
{
    const struct role *role = job_marks_find_role(marks, job, patch->role);
    const struct node *place = role->marked ? role->marked : role->pod_template;
    const struct node *marked;
    struct plan_pair field;

    if (!place) {
        find_note(marks->report, role->source, MESSAGE_NOT_IN_TARGET_TEMPLATE,
                  SLICE_ARG(patch->role));
        return;
    }
    for (size_t i = 0; slice_is_set((field = plan_patch_spec_field(patch, i)).key); i++)
        if (!job_marks_keep_field(job->template_fields, field.key))
            find_note(marks->report, place, MESSAGE_NOT_IN_TARGET_PRUNED_FIELD,
                      SLICE_ARG(field.key), SLICE_ARG(patch->role),
                      SLICE_ARG(marks->decision->wishes.owner.kind));
        /*
         * The group will have another name: it has a hash of the uid, which the API server sets
         * after it has called the webhooks for a new job. Templates cannot change later.
         */
        else if (!slice_is_set(marks->decision->wishes.owner.uid) &&
                 slice_has_prefix(field.key, SLICE("schedulingGroup.")))
            find_note(marks->report, place, MESSAGE_NOT_IN_TARGET_UID_FIELD, SLICE_ARG(field.key),
                      SLICE_ARG(patch->role));
    if (!role->marked_is_flat && !role->marked_is_patch)
        job_marks_check_spec(marks, patch, place);
    marked = pod_patch_apply(patch, place, role->marked_is_flat ? POD_LAYOUT_FLAT : POD_LAYOUT_POD,
                             marks->arena);
    ARENA_APPEND(marks->arena, marks->templates, marks->num_templates, 8,
                 (struct job_template){.exchange = {.from = place, .to = marked},
                                       .role = arena_copy(marks->arena, patch->role)});
}

static void
job_marks_add_plan(struct job_marks *marks, const struct gang_plan *plan)
{
    const struct gang_wishes *job = &plan->decision->wishes;

    if (plan->content.num_shown && job->marks_pods && !job->roles_are_pods) {
        find_note(marks->report, job->meta->source, MESSAGE_NOT_IN_TARGET_SHARED_TEMPLATES);
        return;
    }
    for (size_t i = 0; i < plan->content.num_shown; i++) {
        const struct gang_patch *patch = &plan->content.shown[i];

        if (!slice_is_set(patch->role)) { /* that of the job, without fields of a pod's spec */
            marks->root = pod_patch_apply(patch, marks->root, POD_LAYOUT_POD, marks->arena);
        } else if (job->roles_are_pods) {
            /* The pods of a list have the marks themselves. */
            const size_t role = (size_t)(wishes_find_role(job, patch->role) - job->roles);

            if (!marks->pods)
                marks->pods =
                    arena_array(marks->arena, node_count(node_member(marks->root, SLICE("items"))),
                                sizeof(*marks->pods));
            for (size_t k = 0; marks->pods && k < job->num_pods; k++)
                if (job->pods[k].role == role) {
                    job_marks_check_spec(marks, patch, job->pods[k].node);
                    marks->pods[job->pods[k].node->index] =
                        pod_patch_apply(patch, job->pods[k].node, POD_LAYOUT_POD, marks->arena);
                }
        } else {
            job_marks_add_role(marks, job, patch);
        }
    }
}

/* ---- the other gangs of the job ---- */

/* For a call that ended because of memory or steps: of the system, or those of the limits. */
static void
job_marks_fail(struct job_marks *marks, int result, const struct gang_error *error)
{
    if (gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)) == GANG_CODE_LIMIT_STEPS)
        arena_end_steps(marks->arena);
    else if (result == GANG_ERROR_LIMIT)
        arena_fail_at_limit(marks->arena);
    else
        arena_fail(marks->arena);
}

static void
job_marks_add_decision(struct job_marks *marks, struct gang_decision *decision,
                       const struct limits *limits)
{
    struct gang_error *error = NULL;
    int result;
    struct gang_plan *plan = plan_new(decision, limits, &result, &error);

    if (plan)
        plan_fill(plan, NO_SLICE);
    if (!plan)
        job_marks_fail(marks, result, error);
    else if (arena_failed(plan->arena))
        job_marks_fail(marks, error_from_arena(&error, plan->arena), error);
    else
        job_marks_add_plan(marks, plan);
    if (plan)
        arena_spend(marks->arena, plan->arena->budget - plan->arena->steps);
    gang_plan_unref(plan);
    gang_error_free(error);
}

static void
job_marks_add_gang(struct job_marks *marks, uint64_t gang, const struct limits *limits)
{
    struct gang_decision *decision = NULL;
    struct gang_error *error = NULL;
    struct limits left = *limits;
    int result;

    left.value[GANG_LIMIT_STEPS] = marks->arena->steps;
    result = resolve_other_gang(marks->decision, gang, &left, &decision, &error);
    /* The gangs of a job share one budget: their number is up to its document. */
    if (decision)
        arena_spend(marks->arena, decision->arena->budget - decision->arena->steps);
    left.value[GANG_LIMIT_STEPS] = marks->arena->steps;
    if (!result) {
        job_marks_add_decision(marks, decision, &left);
    } else if (result == GANG_ERROR_NO_MEMORY || result == GANG_ERROR_LIMIT) {
        job_marks_fail(marks, result, error);
    } else {
        const char *message = "it has errors";

        for (size_t i = gang_error_num_diagnostics(error); i > 0; i--) {
            const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, i - 1);

            if (gang_diagnostic_get_severity(finding) == GANG_SEVERITY_ERROR)
                message = gang_diagnostic_get_message(finding); /* in the end that of the first */
        }
        find_in_document(marks->report, GANG_DOCUMENT_JOB, MESSAGE_NOT_IN_TARGET_GANG,
                         (unsigned long long)gang, message);
    }
    gang_decision_unref(decision);
    gang_error_free(error);
}

/* ---- build ---- */

/*
 * A template that a translation has put together is not in the document; one that several roles
 * share is found once.
 */
static const struct node *
job_marks_write(struct job_marks *marks)
{
    const size_t count = marks->num_templates;
    struct edit_exchange **sorted = arena_array(marks->arena, count, sizeof(*sorted));
    const struct node *root;

    if (!sorted)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &marks->templates[i].exchange;
    edit_exchanges_sort(sorted, count, marks->arena);
    root = edit_exchange(marks->arena, marks->root, sorted, count);
    for (size_t i = 0; root && i < count; i++)
        /* beyond its copies, an alias shares: then an exchange repeats the one before it */
        if (!sorted[i]->was_found && !(i && sorted[i - 1]->from == sorted[i]->from &&
                                       node_equal(sorted[i - 1]->to, sorted[i]->to)))
            find_note(marks->report, sorted[i]->from, MESSAGE_NOT_IN_TARGET_TEMPLATE,
                      SLICE_ARG(((const struct job_template *)sorted[i])->role));
    return root;
}

const struct node *
job_marks_build(const struct gang_plan *plan, struct report *report)
{
    const struct gang_decision *decision = plan->decision;
    struct job_marks marks = {
        .decision = decision,
        .arena = report->arena,
        .report = report,
        .root = decision->inputs.job->document.root,
    };
    uint64_t count;
    struct builder items;

    if (decision->wishes.managed_elsewhere)
        return marks.root;
    job_marks_add_plan(&marks, plan);
    /* A job whose gangs share a template has been refused at its first one. */
    count = marks.decision->inputs.job->num_gangs;
    for (uint64_t gang = 0;
         gang < count && !report_has_errors(marks.report) && !arena_failed(marks.arena); gang++)
        if (gang != marks.decision->gang_index)
            job_marks_add_gang(&marks, gang, report->limits);
    if (!marks.pods)
        return job_marks_write(&marks);
    items = build_list(marks.arena);
    for (NODE_EACH(item, node_member(marks.root, SLICE("items"))))
        build_node_item(&items, marks.pods[item->index] ? marks.pods[item->index] : item);
    return edit_member(marks.arena, marks.root, SLICE("items"), items.node);
}
