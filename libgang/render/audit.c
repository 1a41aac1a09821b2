/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"
#include "libgang/document/writer.h"
#include "libgang/render/render.h"

/* The rows of more gangs of one job are of no use to a reader. */
enum { AUDIT_MOST_GANGS = 10000 };
/* For the handles of one job after the other, if the context has no workspace. */
enum { AUDIT_WORKSPACE_BYTES = 256 * 1024 };
/* Most rows are shorter, so the text of a few jobs is not copied to grow. */
enum { AUDIT_ROW_BYTES = 300, AUDIT_FIRST_ROWS = 64 };

/* The call for many jobs. */
struct audit {
    struct gang_context context; /* the caller's, with a workspace */
    const struct gang_inputs *all;
    struct gang_inputs selected; /* of the current job; the same for the next two */
    uint64_t spent;              /* steps for its gangs so far */
    size_t start;                /* of its rows */
    struct buffer rows;
};

/* Why a job has no decision: its text cannot be parsed, or the inputs do not fit it. */
struct audit_failure {
    int code; /* GANG_OK: it has too many gangs, as `reason` says */
    const struct gang_error *error;
    const char *reason;
    const struct gang_document *job; /* NULL if the text cannot be parsed */
};

/* ---- row ---- */

/*
 * A row is written at once, without a tree: that halves its cost. Keys are constants that need no
 * escapes.
 */
static void
row_put_key(struct buffer *row, char before, struct slice key)
{
    char *place = buffer_extend(row, key.len + sizeof(",\"\":") - 1);

    if (!place)
        return;
    *place++ = before;
    *place++ = '"';
    slice_copy_text(place, key);
    place += key.len;
    *place++ = '"';
    *place = ':';
}

/* An absent text has no column. */
static void
row_put_text(struct buffer *row, struct slice key, const char *text)
{
    if (!text)
        return;
    row_put_key(row, ',', key);
    text_escape_quoted(row, slice_from_text(text));
}

static void
row_put_number(struct buffer *row, struct slice key, int64_t number)
{
    char text[INTEGER_TEXT_SIZE];

    row_put_key(row, ',', key);
    buffer_append_slice(row, integer_format(number, text));
}

static void
row_end(struct buffer *row)
{
    buffer_append(row, "}\n", 2);
}

/*
 * Of all roles, whether or not the job has a gang; of one of several, of its members, because the
 * others are in their rows.
 */
static void
row_put_counts(const struct gang_decision *decision, struct buffer *row)
{
    const struct gang *gang = &decision->gang;
    const bool is_one_of_several = decision->outcome == GANG_OUTCOME_GANG &&
                                   gang_document_num_gangs(decision->inputs.documents[0]) > 1;
    int64_t pods = 0;
    int64_t gpus = 0;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        int64_t sum;

        if (is_one_of_several && gang_membership(gang, role) == ROLE_OUTSIDE)
            continue;
        pods = integer_add_capped(pods, role->count);
        /* Of all its pods; sums beyond 2^63-1 are 2^63-1. */
        sum = 0;
        for (size_t k = 0; k < role->requests.count; k++) {
            /* Resources of extended names: nvidia.com/gpu, amd.com/gpu, gpu.intel.com/i915. */
            struct slice name = role->requests.items[k].name;

            if (slice_has_prefix(name, SLICE("gpu.")) || slice_has_suffix(name, SLICE("/gpu")))
                sum = integer_add_capped(sum, role->requests.items[k].quantity.units);
        }
        gpus = integer_add_capped(gpus, integer_multiply_capped(sum, role->count));
    }
    row_put_number(row, SLICE("pods"), pods);
    row_put_number(row, SLICE("gpus"), gpus);
}

static void
row_put_findings(const struct gang_diagnostic *items, size_t count, struct buffer *row)
{
    char before = '[';

    row_put_key(row, ',', SLICE("diagnostics"));
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;

        if (items[i].severity == GANG_SEVERITY_INFO)
            continue;
        /* A code that several findings have is written once. */
        while (items[first].severity == GANG_SEVERITY_INFO || items[first].code != items[i].code)
            first++;
        if (first < i)
            continue;
        buffer_append_byte(row, before);
        text_escape_quoted(row, slice_from_text(gang_diagnostic_get_id(&items[i])));
        before = ',';
    }
    if (before == '[')
        buffer_append_byte(row, '[');
    buffer_append_byte(row, ']');
}

static void
row_start(struct buffer *row)
{
    row_put_key(row, '{', SLICE("apiVersion"));
    text_escape_quoted(row, SLICE(GANG_API_VERSION));
}

static void
row_put_document(const struct gang_document *job, uint64_t gang, struct buffer *row)
{
    const uint64_t gangs = gang_document_num_gangs(job);

    row_put_text(row, SLICE("namespace"), gang_document_get_namespace(job));
    row_put_text(row, SLICE("name"), gang_document_get_name(job));
    if (!gang_document_get_name(job))
        row_put_text(row, SLICE("generateName"),
                     node_string(node_at(job->root, "metadata.generateName")).data);
    if (gangs > 1) {
        row_put_number(row, SLICE("gang"), (int64_t)gang);
        row_put_number(row, SLICE("gangs"), gangs > INT64_MAX ? INT64_MAX : (int64_t)gangs);
    }
    row_put_text(row, SLICE("kind"), gang_document_get_kind(job));
}

static const struct gang_diagnostic *
row_first_error(const struct gang_diagnostic *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].severity == GANG_SEVERITY_ERROR)
            return &items[i];
    return NULL;
}

size_t
audit_kind_of_error(struct slice message)
{
    static const struct slice kinds[] = {SLICE_INIT("Forbidden: "), SLICE_INIT("Required value: ")};

    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (slice_has_prefix(message, kinds[i]))
            return kinds[i].len;
    return 0;
}

/* Returns the path of the error, which comes before its message; "" without one. */
static const char *
reason_place(const struct gang_diagnostic *error)
{
    return error && error->document != GANG_DOCUMENT_POLICY ? error->path : "";
}

/* The message of a denial names the rule: "Forbidden: " before it says no more than the outcome. */
static struct slice
reason_text(const struct gang_diagnostic *error, const char *otherwise)
{
    if (reason_place(error)[0])
        return slice_from_text(error->message);
    return slice_from_text(otherwise + audit_kind_of_error(slice_from_text(otherwise)));
}

static void
reason_put(const struct gang_diagnostic *error, const char *otherwise, struct buffer *out)
{
    const struct slice place = slice_from_text(reason_place(error));

    buffer_append_slice(out, place);
    buffer_append_slice(out, place.len ? SLICE(": ") : NO_SLICE);
    buffer_append_slice(out, reason_text(error, otherwise));
}

void
audit_put_reason(const struct report *findings, const char *otherwise, struct buffer *out)
{
    reason_put(row_first_error(findings->items, findings->count), otherwise, out);
}

static void
row_put_reason(const struct gang_diagnostic *error, const char *otherwise, struct buffer *row)
{
    struct buffer text = {.limit = row->limit, .workspace = row->workspace};

    row_put_key(row, ',', SLICE("reason"));
    if (!reason_place(error)[0]) { /* of most jobs */
        text_escape_quoted(row, reason_text(error, otherwise));
        return;
    }
    reason_put(error, otherwise, &text);
    text_escape_quoted(row, (struct slice){text.data, text.len});
    row->failed |= text.failed;
    buffer_clear(&text);
}

void
audit_row_write(const void *subject, enum gang_format format, struct arena *arena,
                struct buffer *row)
{
    const struct gang_decision *decision = subject;
    const struct gang_diagnostic *items = decision->report->items;
    const size_t count = decision->report->count;

    (void)format;
    (void)arena;
    row_start(row);
    row_put_document(decision->inputs.documents[0], decision->gang_index, row);
    row_put_text(row, SLICE("outcome"), gang_outcome_name((int)decision->outcome));
    if (decision->outcome == GANG_OUTCOME_GANG) {
        row_put_text(row, SLICE("backend"), gang_decision_get_backend(decision));
        row_put_text(row, SLICE("queue"), gang_decision_get_queue(decision));
        row_put_number(row, SLICE("minimum"), decision->minimum);
        row_put_number(row, SLICE("members"), decision->gang.members);
    }
    row_put_counts(decision, row);
    row_put_text(row, SLICE("schedulerName"), gang_decision_get_scheduler_name(decision));
    row_put_reason(row_first_error(items, count), decision->reason, row);
    row_put_findings(items, count, row);
    row_end(row);
}

/* ---- audit ---- */

/*
 * Writes the one row of a job without a decision. Only running out of memory ends the audit.
 * Findings about a text that cannot be parsed name the document as far as it could be read.
 */
SELDOM static int
audit_fail(struct audit *audit, const struct audit_failure *failure)
{
    struct buffer *row = &audit->rows;
    const struct gang_diagnostic *items = gang_error_get_diagnostic(failure->error, 0);
    const size_t count = gang_error_num_diagnostics(failure->error);
    const struct gang_diagnostic *error = row_first_error(items, count);
    const char *why = failure->code ? gang_result_name(failure->code) : failure->reason;

    if (failure->code == GANG_ERROR_NO_MEMORY)
        return failure->code;
    row->len = audit->start;
    row_start(row);
    if (failure->job) {
        row_put_document(failure->job, 0, row);
    } else {
        row_put_text(row, SLICE("namespace"), gang_diagnostic_get_namespace(items));
        row_put_text(row, SLICE("name"), gang_diagnostic_get_name(items));
        row_put_text(row, SLICE("kind"), gang_diagnostic_get_kind(items));
    }
    row_put_text(row, SLICE("outcome"), gang_outcome_name(GANG_OUTCOME_INVALID));
    row_put_reason(error, error ? error->message : why, row);
    row_put_findings(items, count, row);
    row_end(row);
    return failure->code;
}

/* The gangs of a job share one budget of steps: their number is up to its document. */
static int
audit_gang(struct audit *audit, struct gang_document *job, uint64_t gang)
{
    struct audit_failure failure = {.job = job};
    struct gang_decision *decision;
    struct gang_error *error;
    int result = GANG_OK;

    audit->selected.gang_index = gang;
    failure.code = decide_job(&audit->context, job, &audit->selected, GANG_RESOLVE_NO_FLAGS,
                              RESOLVE_FINDINGS_IN_BRIEF, &decision, &error);
    if (decision && !arena_spend(decision->arena, audit->spent)) {
        gang_error_free(error);
        failure.code = decision_error(decision, decision->arena, &error);
    }
    failure.error = error;
    if (decision && !arena_failed(decision->arena)) {
        audit->spent = decision->arena->budget - decision->arena->steps;
        audit_row_write(decision, GANG_FORMAT_ROW, NULL, &audit->rows);
    } else {
        result = audit_fail(audit, &failure);
    }
    gang_decision_unref(decision);
    gang_error_free(error);
    return result;
}

static int
audit_resolve(struct audit *audit, struct gang_document *job)
{
    const uint64_t gangs = gang_document_num_gangs(job);
    int result;

    if (gangs > AUDIT_MOST_GANGS) {
        char reason[sizeof("the job has  gangs, more than ") + 2 * INTEGER_TEXT_SIZE];
        const struct audit_failure failure = {.job = job, .reason = reason};

        format_into(reason, sizeof(reason), "the job has %lld gangs, more than %d",
                    gangs > INT64_MAX ? INT64_MAX : (long long)gangs, AUDIT_MOST_GANGS);
        return audit_fail(audit, &failure);
    }
    audit->spent = 0;
    result = audit_gang(audit, job, 0);
    for (uint64_t gang = 1; gang < gangs && result == GANG_OK && !audit->rows.failed; gang++)
        result = audit_gang(audit, job, gang);
    return result;
}

static int
audit_job(struct audit *audit, struct slice text, uint32_t flags)
{
    struct audit_failure failure = {0};
    struct gang_document *job;
    struct gang_error *error;
    int result;

    audit->start = audit->rows.len;
    failure.code = gang_document_parse(&audit->context, text.data, text.len, flags, &job, &error);
    failure.error = error;
    if (!job)
        result = audit_fail(audit, &failure);
    else if (!inputs_select(&audit->selected, audit->all, job))
        result = GANG_ERROR_NO_MEMORY;
    else
        result = audit_resolve(audit, job);
    gang_document_unref(job);
    gang_error_free(error);
    return result;
}

int
gang_audit(const struct gang_context *context, const char *const *jobs, const size_t *lengths,
           size_t count, const struct gang_inputs *inputs, uint32_t flags, struct gang_blob **out,
           struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct audit audit = {.context.limits = *limits, .all = inputs};
    size_t first;
    int result = CALL_BEGIN(out, err, out && (!count || (jobs && lengths)),
                            "out, jobs and lengths are needed", flags, GANG_PARSE_STRICT);

    for (size_t i = 0; !result && i < count; i++)
        if (!jobs[i] && lengths[i])
            result = error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                                  "a job is NULL and its length is not 0");
    if (result)
        return result;
    audit.rows = buffer_within(limits);
    first = (count < AUDIT_FIRST_ROWS ? count : AUDIT_FIRST_ROWS) * AUDIT_ROW_BYTES;
    buffer_reserve(&audit.rows, first < audit.rows.limit ? first : audit.rows.limit);
    if (!limits->workspace)
        audit.context.limits.workspace = workspace_new(AUDIT_WORKSPACE_BYTES);
    for (size_t i = 0; i < count && result != GANG_ERROR_NO_MEMORY && !audit.rows.failed; i++)
        result = audit_job(&audit, (struct slice){jobs[i], lengths[i]}, flags);
    result = result == GANG_ERROR_NO_MEMORY ? error_no_memory(err)
                                            : document_hand_out(&audit.rows, out, err);
    buffer_clear(&audit.rows);
    inputs_clear(&audit.selected);
    if (!limits->workspace)
        workspace_drop(audit.context.limits.workspace);
    return result;
}
