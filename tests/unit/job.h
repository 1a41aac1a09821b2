/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOB_H
#define TESTS_UNIT_JOB_H

#include "libgang/backend/backend.h"
#include "libgang/gang/gang.h"
#include "unit/suite.h"

/*
 * Jobs for tests, written as one line. Roles are separated by spaces:
 *
 *     name[*pods][%minCount][$firstCount][|unit][@ancestor][&M|&O][<role:C|<role:R|<role:S
 * ...][!schedulerName][^priorityClassName][+resource=amount
 * ...][~]
 *
 * `<a:C` waits for role a to be Complete, `<a:R` to be Ready, `<a:S` to be Scheduled; `&M` is
 * declared a member, `&O` outside; `~` has Jobs that retry. Every role has a source node
 * `replicatedJobs[i]` with the members that were given, on line i + 1.
 */
struct job {
    struct arena *arena;
    struct report report;
    struct gang_wishes *wishes; /* in the arena, as jobs are returned by value */
    struct gang gang;
};

enum { JOB_MOST_EDGES = 8 };

/* start_order_link(), for tests that need no order. */
static inline bool
link_roles(struct role *roles, size_t count, struct report *report)
{
    const uint32_t *order;

    return start_order_link(roles, count, report, &order);
}

static inline enum membership_wish
job_wish(enum ancestor ancestor)
{
    if (ancestor == ANCESTOR_NONE)
        return WISH_AUTO;
    return ancestor == ANCESTOR_TRAINER ? WISH_MEMBER : WISH_OUTSIDE;
}

static inline struct slice
job_word(const char **at)
{
    size_t len = strcspn(*at, "*%$|@&<:!^+=~ ");
    struct slice word = {*at, len};

    *at += len;
    return word;
}

static inline enum ancestor
job_ancestor(struct slice word)
{
    if (slice_equal(word, SLICE("trainer")))
        return ANCESTOR_TRAINER;
    if (slice_equal(word, SLICE("dataset-initializer")))
        return ANCESTOR_DATASET_INITIALIZER;
    return slice_equal(word, SLICE("model-initializer")) ? ANCESTOR_MODEL_INITIALIZER
                                                         : ANCESTOR_NONE;
}

static inline const struct node *
job_string(struct builder *map, struct slice key, struct slice value, unsigned line)
{
    build_string(map, key, value);
    map->last->line = line;
    map->last->document = GANG_DOCUMENT_RUNTIME;
    return map->last;
}

static inline enum dependency_status
job_status(char letter)
{
    if (letter == 'C')
        return DEPENDENCY_COMPLETE;
    return letter == 'S' ? DEPENDENCY_SCHEDULED : DEPENDENCY_READY;
}

static inline void
job_edge(struct role *role, const char **at, struct builder *source, struct builder *edges)
{
    struct dependency *edge = &role->dependencies[role->num_dependencies++];
    struct builder map;

    ck_assert_uint_le(role->num_dependencies, JOB_MOST_EDGES);
    if (!edges->node)
        *edges = build_list_member(source, SLICE("dependsOn"));
    map = build_map_item(edges);
    map.node->line = source->node->line;
    map.node->document = GANG_DOCUMENT_RUNTIME;
    edge->source = map.node;
    edge->index = 12345;
    edge->role = job_word(at);
    ck_assert_int_eq(*(*at)++, ':');
    edge->status = job_status(*(*at)++);
}

static inline void
job_resource(struct job *job, struct role *role, const char **at)
{
    struct slice name = job_word(at);
    struct quantity quantity;

    ck_assert_int_eq(*(*at)++, '=');
    ck_assert_int_eq(quantity_parse(job_word(at), &quantity), QUANTITY_OK);
    resource_list_set(&role->requests, job->arena, name, quantity);
}

static inline int64_t
job_number(const char **at)
{
    int64_t number = strtoll(*at, NULL, 10);

    job_word(at);
    return number;
}

static inline void
job_part(struct job *job, struct role *role, const char **at, struct builder *source,
         struct builder *edges)
{
    unsigned line = source->node->line;

    switch (*(*at)++) {
    case '*':
        role->count = role->operator_count = job_number(at);
        break;
    case '%':
        role->has_min_count = true;
        role->min_count = job_number(at);
        break;
    case '$':
        role->first_count = job_number(at);
        break;
    case '|':
        role->unit = job_number(at);
        break;
    case '&':
        role->wish = *(*at)++ == 'M' ? WISH_MEMBER : WISH_OUTSIDE;
        break;
    case '@':
        role->ancestor_text = job_word(at);
        role->ancestor = job_ancestor(role->ancestor_text);
        role->wish = job_wish(role->ancestor);
        break;
    case '<':
        job_edge(role, at, source, edges);
        break;
    case '!':
        role->scheduler_name = job_word(at);
        role->scheduler_name_source =
            job_string(source, SLICE("schedulerName"), role->scheduler_name, line);
        break;
    case '^':
        role->priority_class_name = job_word(at);
        role->priority_class_source =
            job_string(source, SLICE("priorityClassName"), role->priority_class_name, line);
        break;
    case '+':
        job_resource(job, role, at);
        break;
    case '~':
        role->retries = true;
        break;
    default:
        ck_abort_msg("bad job text at %s", *at - 1);
    }
}

static inline const char *
job_role(struct job *job, const char *at, struct builder *list)
{
    struct role *role = &job->wishes->roles[job->wishes->num_roles++];
    struct builder source = build_map_item(list);
    struct builder edges = {0};

    source.node->line = (uint32_t)job->wishes->num_roles;
    source.node->column = 1;
    source.node->document = GANG_DOCUMENT_RUNTIME;
    role->source = source.node;
    role->name = job_word(&at);
    role->count = role->operator_count = 1;
    role->dependencies = arena_array(job->arena, JOB_MOST_EDGES, sizeof(*role->dependencies));
    while (*at && *at != ' ')
        job_part(job, role, &at, &source, &edges);
    return at + strspn(at, " ");
}

static inline size_t
job_count_roles(const char *text)
{
    size_t roles = 1;

    for (; *text; text++)
        roles += *text == ' ';
    return roles;
}

/* A trainjob `llama` in `ml` without uid. */
static inline struct job
job_make_for(const char *text, enum gang_compatibility compatibility)
{
    struct job job = {.arena = arena_new(0)};
    struct builder root = build_map(job.arena);
    struct builder list = build_list_member(&root, SLICE("replicatedJobs"));
    struct builder metadata = build_map(job.arena);

    report_init(&job.report, job.arena, &standard_limits);
    job.report.compatibility = compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
    job.wishes = arena_alloc(job.arena, sizeof(*job.wishes));
    ck_assert_ptr_nonnull(job.wishes);
    job.wishes->compatibility = compatibility;
    job.wishes->roles = arena_array(job.arena, job_count_roles(text), sizeof(*job.wishes->roles));
    job.wishes->owner = (struct gang_owner){
        .api_version = SLICE("trainer.kubeflow.org/v1alpha1"),
        .kind = SLICE("TrainJob"),
        .name = SLICE("llama"),
        .namespace_ = SLICE("ml"),
        .name_source = job_string(&metadata, SLICE("name"), SLICE("llama"), 1),
    };
    text = arena_copy(job.arena, slice_from_text(text)).data;
    while (*text)
        text = job_role(&job, text, &list);
    gang_leave_unformed(job.wishes, ROLE_MEMBER, &job.gang, job.arena);
    return job;
}

static inline struct job
job_make(const char *text)
{
    return job_make_for(text, COMPATIBILITY_NONE);
}

/* Forms the gang of the job's wishes, instead of an earlier one. */
static inline void
job_form_again(struct job *job)
{
    job->gang = (struct gang){.wishes = NULL};
    wishes_order_roles(job->wishes, &job->report);
    gang_form(job->wishes, &job->gang, &job->report);
}

/* Made and formed. */
static inline struct job
job_form_for(const char *text, enum gang_compatibility compatibility)
{
    struct job job = job_make_for(text, compatibility);

    job_form_again(&job);
    return job;
}

static inline struct job
job_form(const char *text)
{
    return job_form_for(text, COMPATIBILITY_NONE);
}

static inline void
job_free(struct job *job)
{
    ck_assert(!arena_failed(job->arena));
    arena_free(job->arena);
}

/* Reasons of the findings in the order they were made: `LateMembers StartOrderCycle`. */
static inline const char *
job_findings(const struct job *job)
{
    const char *text = "";

    for (size_t i = 0; i < job->report.count; i++)
        text = arena_format(job->arena, "%s%s%s", text, i ? " " : "",
                            diagnostic_entry_of(job->report.items[i].code)->reason);
    return text;
}

/* The first finding of that code; fails the test when there is none. */
static inline const struct gang_diagnostic *
job_finding(const struct job *job, enum gang_code code)
{
    for (size_t i = 0; i < job->report.count; i++)
        if (job->report.items[i].code == code)
            return &job->report.items[i];
    ck_abort_msg("no %s among: %s", diagnostic_entry_of(code)->reason, job_findings(job));
    return NULL;
}

/* `cpu=4 memory=16Gi` */
static inline const char *
job_resources(const struct job *job)
{
    const char *text = "";

    for (size_t i = 0; i < job->gang.resources.count; i++) {
        const struct resource *item = &job->gang.resources.items[i];
        char printed[QUANTITY_TEXT_SIZE];
        struct slice amount = quantity_print(&item->quantity, printed);

        text = arena_format(job->arena, "%s%s%.*s=%.*s", text, i ? " " : "", SLICE_ARG(item->name),
                            SLICE_ARG(amount));
    }
    return text;
}

/*
 * A tree as text, to compare with what a test expects: JSON, but numbers and booleans as they are
 * written.
 */
static inline const char *
job_print(struct arena *arena, const struct node *node)
{
    struct slice text = node_text(node);
    const char *out;

    if (node_is(node, NODE_STRING))
        return arena_format(arena, "\"%.*s\"", SLICE_ARG(text));
    if (slice_is_set(text))
        return arena_format(arena, "%.*s", SLICE_ARG(text));
    out = node_is(node, NODE_MAP) ? "{" : "[";
    for (NODE_EACH(child, node)) {
        const char *value = job_print(arena, child);
        const char *comma = child->index ? "," : "";

        out = child->key ? arena_format(arena, "%s%s\"%.*s\":%s", out, comma,
                                        SLICE_ARG(node_key(child)), value)
                         : arena_format(arena, "%s%s%s", out, comma, value);
    }
    return arena_format(arena, "%s%s", out, node_is(node, NODE_MAP) ? "}" : "]");
}

/* As the engine does without a policy. */
static inline void
job_take_priority(struct job *job)
{
    const struct role *role = priority_named_by(&job->gang, 0);

    job->gang.priority_class_name = role ? role->priority_class_name : NO_SLICE;
    job->gang.priority_class_source = role ? role->priority_class_source : NULL;
}

static inline struct backend_call
job_call(const struct job *job, const struct backend *backend)
{
    struct backend_call call = {.gang = &job->gang};
    struct report unheard;

    report_init(&unheard, job->arena, &standard_limits);
    call.api_version = backend_api_version(backend, &call, &unheard);
    call.state = backend->open ? backend->open(&call, &unheard) : NULL;
    call.losses = backend_find_losses(backend, &call, &unheard);
    return call;
}

static inline void
job_validate(struct job *job, const struct backend *backend)
{
    struct backend_call call = job_call(job, backend);

    backend_validate(backend, &call, &job->report);
}

static inline struct plan_content
job_render(const struct job *job, const struct backend *backend)
{
    struct backend_call call = job_call(job, backend);
    struct plan_content content;

    ck_assert(plan_content_init(&content, job->arena, &job->gang));
    backend_render(backend, &call, &content);
    return content;
}

/* The only object, and that it is to be created. */
static inline const char *
job_manifest(const struct job *job, const struct backend *backend)
{
    struct plan_content content = job_render(job, backend);

    ck_assert_uint_eq(content.num_objects, 1);
    ck_assert_int_eq(content.objects[0].action, GANG_ACTION_CREATE);
    return job_print(job->arena, content.objects[0].manifest);
}

/* The patches of roles that have one: `node{labels a=b; annotations c=d; scheduler x}`. */
static inline const char *
job_patches(const struct job *job, const struct backend *backend)
{
    struct plan_content content = job_render(job, backend);
    const char *text = "";

    for (size_t i = 0; i < content.num_patches; i++) {
        const struct gang_patch *patch = &content.patches[i];

        if (plan_patch_is_empty(patch))
            continue;
        text =
            arena_format(job->arena, "%s%s%.*s{", text, *text ? " " : "", SLICE_ARG(patch->role));
        for (size_t n = 0; n < patch->num_labels; n++)
            text = arena_format(job->arena, "%slabel %.*s=%.*s;", text,
                                SLICE_ARG(patch->labels[n].key), SLICE_ARG(patch->labels[n].value));
        for (size_t n = 0; n < patch->num_annotations; n++)
            text = arena_format(job->arena, "%sannotation %.*s=%.*s;", text,
                                SLICE_ARG(patch->annotations[n].key),
                                SLICE_ARG(patch->annotations[n].value));
        if (slice_is_set(patch->scheduler_name))
            text = arena_format(job->arena, "%sscheduler %.*s;", text,
                                SLICE_ARG(patch->scheduler_name));
        text = arena_format(job->arena, "%s}", text);
    }
    return text;
}

#endif
