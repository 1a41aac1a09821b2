/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"
#include "libgang/document/writer.h"

static const char *const why_verdict_names[] = {"Started", "Finished",   "Waiting",
                                                "Stuck",   "Impossible", "CannotTell"};
static const char *const why_certainty_names[] = {"Proven", "Reported", "Likely"};
static const char *const why_state_names[POD_STATES] = {
    "gated", "pending", "bound", "running", "succeeded", "failed", "terminating"};

/* ---- commands ---- */

/* Returns NULL if a name is not plain. */
static const char *
why_command(const struct diagnosis *why, const char *template_)
{
    const struct {
        struct slice name;
        struct slice value;
    } variables[] = {
        {SLICE("$NS"), why->key.namespace_.len ? why->key.namespace_ : SLICE("default")},
        {SLICE("$KIND"), why->key.kind},
        {SLICE("$NAME"), why->key.name},
        {SLICE("$GROUP"), why->group.name},
    };
    const char *text = "";

    while (*template_) {
        const size_t plain = strcspn(template_, "$");
        const char *at = template_ + plain;
        struct slice value = NO_SLICE;
        size_t len = 0;

        for (size_t i = 0; i < COUNT_OF(variables) && !len; i++)
            if (strncmp(at, variables[i].name.data, variables[i].name.len) == 0) {
                len = variables[i].name.len;
                value = variables[i].value;
            }
        /* it is for a shell, and live objects are not checked: only plain names get into it */
        if (*at && (!value.len || !ascii_is(value.data[0], ASCII_LETTER | ASCII_DIGIT) ||
                    !ascii_all(value, ASCII_LETTER | ASCII_DIGIT | ASCII_DASH | ASCII_DOT)))
            return NULL;
        text =
            arena_format(why->arena, "%s%.*s%.*s", text, (int)plain, template_, SLICE_ARG(value));
        template_ = at + len;
    }
    return text;
}

/* ---- parts of the document ---- */

static void
why_build_cause(const struct why_cause *cause, struct builder *map)
{
    const struct diagnostic_entry *entry = diagnostic_entry_of(cause->row->code);

    build_string(map, SLICE("code"), slice_from_text(entry->id));
    build_string(map, SLICE("reason"), slice_from_text(entry->reason));
    build_string(map, SLICE("certainty"), slice_from_text(why_certainty_names[cause->certainty]));
    build_string(map, SLICE("message"), slice_from_text(cause->message));
}

static void
why_build_evidence(const struct diagnosis *why, const struct why_cause *cause, struct builder *root)
{
    struct builder list = build_list_member(root, SLICE("evidence"));

    for (size_t i = 0; i < cause->num_evidence; i++) {
        const struct why_evidence *one = &cause->evidence[i];
        struct builder item = build_map_item(&list);

        build_string(&item, SLICE("object"), slice_from_text(why_name(why, one->object)));
        build_string_if_set(&item, SLICE("path"), one->path);
        build_string_if_set(&item, SLICE("value"), one->value);
        build_string_if_set(&item, SLICE("time"), why_event_time(one->object));
        build_bool(&item, SLICE("stale"), one->is_stale);
    }
}

static void
why_build_missing_kind(struct builder *list, const char *kind, const char *effect)
{
    struct builder item = build_map_item(list);

    build_string(&item, SLICE("kind"), slice_from_text(kind));
    build_string(&item, SLICE("effect"), slice_from_text(effect));
}

/* What was not given, and what it would have decided. */
static void
why_build_missing(const struct diagnosis *why, struct builder *root)
{
    struct builder list = build_list_member(root, SLICE("missing"));
    const struct why_group *group = &why->group;

    if (!why->job)
        why_build_missing_kind(&list, why_text(why, why->key.kind),
                               "whether the job has ended or is suspended is not known");
    if (why->parent)
        why_build_missing_kind(
            &list, why_text(why, node_string(node_member(why->parent, SLICE("kind")))),
            arena_format(why->arena, "%s is a part of it; its other parts are not known",
                         why_name(why, why->job)));
    if (why->set_is_too_large)
        why_build_missing_kind(&list, "JobSet", "it is not read, because it exceeds a limit");
    else if (!why->num_roles)
        why_build_missing_kind(&list, "JobSet",
                               "how many pods the job will have, and in which order, is not known");
    if (!why->num_pods)
        why_build_missing_kind(&list, "Pod", "no pod of the job is among the objects");
    if (why->lacks_kueue)
        why_build_missing_kind(&list, "Workload",
                               "whether Kueue has admitted the job is not known");
    if (group->scheduler && !group->object && descriptor_has_objects(group->scheduler))
        why_build_missing_kind(&list, "PodGroup", "the minimum of the group is not known");
    if (!why->has_events)
        why_build_missing_kind(&list, "Event",
                               "no events of the job are given; a cluster keeps them for one hour");
    if (why->has_nodes && why->live->is_partial)
        why_build_missing_kind(&list, "Node", "a list is not complete, so room is not judged");
    if (!why->has_nodes)
        why_build_missing_kind(&list, "Node", "whether the pods fit on the nodes is not checked");
}

static void
why_build_roles(const struct diagnosis *why, struct builder *root)
{
    struct builder list = build_list_member(root, SLICE("roles"));

    for (size_t i = 0; i < why->num_roles; i++) {
        const struct why_role *role = &why->roles[i];
        struct builder item = build_map_item(&list);

        build_string(&item, SLICE("name"), role->name);
        build_bool(&item, SLICE("member"), role->is_member);
        build_int(&item, SLICE("expected"), role->expected);
        build_int(&item, SLICE("exist"), role->exist);
        for (size_t k = 0; k < POD_STATES; k++)
            build_int(&item, slice_from_text(why_state_names[k]), role->counts[k]);
    }
}

static void
why_build_job(const struct diagnosis *why, struct builder *root)
{
    struct builder job = build_map_member(root, SLICE("job"));

    build_string_if_set(&job, SLICE("kind"), why->key.kind);
    build_string_if_set(&job, SLICE("namespace"), why->key.namespace_);
    build_string_if_set(&job, SLICE("name"), why->key.name);
    if (why->decision && why->decision->inputs.job && why->decision->inputs.job->num_gangs > 1)
        build_int(&job, SLICE("gang"), (int64_t)why->decision->gang_index);
    if (!why->group.scheduler)
        return;
    build_string(root, SLICE("backend"), why->group.scheduler->name);
    build_string_if_set(root, SLICE("group"), why->group.name);
}

/* Pods that run without their group are a finding, although they wait for nothing. */
static enum why_verdict
why_verdict_of(const struct diagnosis *why)
{
    const struct why_row *row = why->causes[0].row;

    return why->runs_alone && (row->code == GANG_CODE_MARKS_MISSING ||
                               row->code == GANG_CODE_SCHEDULER_NAME_WRONG)
               ? VERDICT_STARTED
               : row->verdict;
}

static const struct node *
why_build(struct diagnosis *why)
{
    const struct why_cause *cause = &why->causes[0];
    const char *command = cause->row->command ? why_command(why, cause->row->command) : NULL;
    struct builder root = build_map(why->arena);
    struct builder part;

    build_string(&root, SLICE("apiVersion"), SLICE(GANG_API_VERSION));
    build_string(&root, SLICE("kind"), SLICE("GangWhy"));
    why_build_job(why, &root);
    build_string(&root, SLICE("verdict"), slice_from_text(why_verdict_names[why_verdict_of(why)]));
    part = build_map_member(&root, SLICE("cause"));
    why_build_cause(cause, &part);
    if (cause->num_counts)
        part = build_map_member(&part, SLICE("counts"));
    for (size_t i = 0; i < cause->num_counts; i++)
        build_int(&part, slice_from_text(cause->counts[i].name), cause->counts[i].value);
    why_build_evidence(why, cause, &root);
    part = build_map_member(&root, SLICE("remedy"));
    build_string(&part, SLICE("message"), slice_from_text(cause->row->fix));
    part = build_list_member(&part, SLICE("commands"));
    if (command)
        build_string_item(&part, slice_from_text(command));
    part = build_list_member(&root, SLICE("also"));
    for (size_t i = 1; i < why->num_causes; i++) {
        struct builder item = build_map_item(&part);

        why_build_cause(&why->causes[i], &item);
    }
    why_build_missing(why, &root);
    build_node(&root, SLICE("fit"), why->fit);
    why_build_roles(why, &root);
    return root.node;
}

/* ---- the picture ---- */

/* "2 of 3 exist: 1 pending, 1 running". */
static const char *
why_role_in_words(const struct diagnosis *why, const struct why_role *role)
{
    const char *words = role->expected < 0
                            ? arena_format(why->arena, "%lld exist", (long long)role->exist)
                            : arena_format(why->arena, "%lld of %lld exist", (long long)role->exist,
                                           (long long)role->expected);
    const char *before = ": ";

    for (size_t i = 0; i < POD_STATES; i++) {
        if (!role->counts[i])
            continue;
        words = arena_format(why->arena, "%s%s%lld %s", words, before, (long long)role->counts[i],
                             why_state_names[i]);
        before = ", ";
    }
    return words;
}

/* The roles are those of the JobSet, where there is one. */
static void
why_draw(struct diagnosis *why, struct buffer *out)
{
    const struct gang_decision *of = why->set ? why->set : why->decision;
    const enum why_verdict verdict = why_verdict_of(why);
    struct picture_role *roles = arena_array(why->arena, of->gang.num_roles + 1, sizeof(*roles));
    const struct picture_state state = {.verdict = why_verdict_names[verdict],
                                        .cause = why->causes[0].message,
                                        .is_bad = verdict == VERDICT_STUCK ||
                                                  verdict == VERDICT_IMPOSSIBLE,
                                        .group = why->group.name,
                                        .roles = roles};

    for (size_t i = 0; roles && i < of->gang.num_roles; i++)
        for (size_t k = 0; k < why->num_roles; k++)
            if (slice_equal(of->gang.roles[i].name, why->roles[k].name))
                roles[i] = (struct picture_role){why_role_in_words(why, &why->roles[k]),
                                                 why->roles[k].is_member};
    if (!arena_failed(why->arena))
        picture_write(of, &state, why->arena, out);
}

/* ---- the call ---- */

/* Whether a limit on documents was exceeded, and not the memory or the steps of the call. */
static bool
why_is_too_large(const struct gang_error *error)
{
    const int code = gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0));

    return gang_error_get_code(error) == GANG_ERROR_LIMIT && code != GANG_CODE_LIMIT_MEMORY &&
           code != GANG_CODE_LIMIT_STEPS;
}

/* The JobSet of a TrainJob has the roles as they are. */
static void
why_read_jobset(struct diagnosis *why, const struct gang_context *context)
{
    const struct live_key key = {SLICE("jobset.x-k8s.io"), SLICE("JobSet"), why->key.namespace_,
                                 why->key.name};
    const struct live_object *set = live_objects_find(why->live, &key);
    struct buffer text = {.limit = (size_t)limit_of(why->limits, GANG_LIMIT_LIVE_BYTES),
                          .workspace = why->limits->workspace};
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    int result;

    if (!set || !slice_equal(why->key.kind, SLICE(GANG_KIND_TRAINJOB)))
        return;
    json_write(&text, set->root);
    result = text.failed ? GANG_ERROR_NO_MEMORY
                         : gang_document_parse(context, text.data, text.len, GANG_PARSE_NO_FLAGS,
                                               &document, &error);
    if (result == GANG_OK)
        result = decide_job(context, document, NULL, GANG_RESOLVE_NO_FLAGS,
                            RESOLVE_FINDINGS_IN_BRIEF, &why->set, &error);
    buffer_clear(&text);
    if (result == GANG_ERROR_NO_MEMORY)
        arena_fail(why->arena);
    why->set_is_too_large = why_is_too_large(error);
    gang_error_free(error);
    gang_document_unref(document); /* the decision has a reference of its own */
}

/* A GangJob stands for the job that owns its pods. */
static struct live_key
why_key_of(const struct gang_document *job, const struct gang_decision *decision)
{
    struct live_key key = {
        .group = live_group_of(slice_from_text(gang_document_get_api_version(job))),
        .kind = slice_from_text(gang_document_get_kind(job)),
        .namespace_ = slice_from_text(gang_document_get_namespace(job)),
        .name = slice_from_text(gang_document_get_name(job)),
    };

    if (decision && decision->wishes.owner.name.len && !decision->wishes.owner.is_no_object &&
        (!key.name.len || slice_equal(key.kind, SLICE(GANG_KIND_JOB))))
        key = (struct live_key){live_group_of(decision->wishes.owner.api_version),
                                decision->wishes.owner.kind, decision->wishes.owner.namespace_,
                                decision->wishes.owner.name};
    return key;
}

static int
why_run(struct diagnosis *why, const struct gang_context *context, const struct gang_document *job,
        const struct gang_inputs *inputs, enum gang_format format, struct gang_blob **out,
        struct gang_error **err)
{
    struct buffer buffer = buffer_within(why->limits);
    const bool is_picture = format == GANG_FORMAT_SVG;
    const struct node *root;
    const int result = decide_job(context, job, inputs, GANG_RESOLVE_NO_FLAGS,
                                  RESOLVE_FINDINGS_IN_BRIEF, &why->decision, err);

    if (result == GANG_ERROR_NO_MEMORY || result == GANG_ERROR_LIMIT)
        return result;
    if (err) { /* of a job that is refused */
        gang_error_free(*err);
        *err = NULL;
    }
    if (is_picture && !why->decision)
        return error_misuse(err, GANG_ERROR_INVALID,
                            "the job has no picture without what it needs, such as its runtime");
    if (why->decision && why->decision->wishes.meta->name_is_generated) {
        object_meta_require_name(why->decision->wishes.meta, why->decision->report);
        return error_from_report(err, GANG_ERROR_INVALID, why->decision->report);
    }
    why->key = why_key_of(job, why->decision);
    why_read_jobset(why, context);
    why_read(why);
    if (!arena_failed(why->arena))
        why_look(why);
    root = arena_failed(why->arena) || is_picture ? NULL : why_build(why);
    if (is_picture && !arena_failed(why->arena))
        why_draw(why, &buffer);
    if (arena_failed(why->arena)) {
        buffer_clear(&buffer);
        return error_from_arena(err, why->arena);
    }
    if (!is_picture)
        document_write(&buffer, root, format);
    return document_hand_out(&buffer, out, err);
}

static int
why_check(const struct gang_document *live, const char *now, int format, struct gang_error **err)
{
    if (!live_objects_of(live)->has_parts)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "the live objects were parsed without GANG_LIVE_DIAGNOSE");
    if (!document_format_is_known(format) && format != GANG_FORMAT_SVG)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "format is JSON, YAML or SVG");
    if (now && !why_seconds_of(slice_from_text(now)))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "now is a time such as 2026-11-25T08:30:00Z");
    return GANG_OK;
}

int
gang_diagnose(const struct gang_context *context, const struct gang_document *job,
              const struct gang_inputs *inputs, const struct gang_document *live, const char *now,
              int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct diagnosis *why;
    struct arena *arena;
    int result = CALL_BEGIN(out, err, out && job && document_is(live, GANG_DOCUMENT_LIVE),
                            "out, job and live objects are needed", flags, 0);

    if (!result)
        result = why_check(live, now, format, err);
    if (result)
        return result;
    arena = arena_new_from(limits->workspace, NULL,
                           (size_t)limit_of(limits, GANG_LIMIT_LIVE_MEMORY_BYTES));
    why = arena ? arena_alloc(arena, sizeof(*why)) : NULL;
    if (!why) {
        result = arena ? error_from_arena(err, arena) : error_no_memory(err);
        arena_free(arena);
        return result;
    }
    arena_start_steps(arena, limit_of(limits, GANG_LIMIT_STEPS));
    *why = (struct diagnosis){.arena = arena,
                              .limits = limits,
                              .live = live_objects_of(live),
                              .now = now ? why_seconds_of(slice_from_text(now)) : 0};
    result = why_run(why, context, job, inputs, (enum gang_format)format, out, err);
    gang_decision_unref(why->set);
    gang_decision_unref(why->decision);
    arena_free(arena);
    return result;
}
