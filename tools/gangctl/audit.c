/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "commands.h"
#include "input.h"
#include "jobs.h"
#include "live.h"
#include "text.h"
#include "tree.h"

const struct audit_column_row audit_columns[COLUMN_COUNT] = {
    [COLUMN_NAMESPACE] = {.title = "NAMESPACE", .key = "namespace"},
    [COLUMN_NAME] = {.title = "NAME", .key = "name"},
    [COLUMN_GANG] = {.title = "GANG", .key = "gang", CELL_NUMBER, .is_wide = true},
    [COLUMN_KIND] = {.title = "KIND", .key = "kind", .is_wide = true},
    [COLUMN_OUTCOME] = {.title = "OUTCOME", .key = "outcome", .is_answer = true},
    [COLUMN_BACKEND] = {.title = "BACKEND", .key = "backend", .is_answer = true},
    [COLUMN_QUEUE] = {.title = "QUEUE", .key = "queue", .is_answer = true},
    [COLUMN_MINIMUM] = {.title = "MIN", .key = "minimum", CELL_NUMBER, .is_answer = true},
    [COLUMN_MEMBERS] =
        {.title = "MEMBERS", .key = "members", CELL_NUMBER, .is_wide = true, .is_answer = true},
    [COLUMN_PODS] = {.title = "PODS", .key = "pods", CELL_NUMBER},
    [COLUMN_GPUS] = {.title = "GPUS", .key = "gpus", CELL_NUMBER},
    [COLUMN_SCHEDULER] = {.title = "SCHEDULER",
                          .key = "schedulerName",
                          .is_wide = true,
                          .is_answer = true},
    [COLUMN_RUNTIME] = {.title = "RUNTIME", .key = "runtime", .is_wide = true},
    [COLUMN_FINDINGS] = {.title = "DIAGNOSTICS", .key = "diagnostics", CELL_LIST, .is_wide = true},
    [COLUMN_FILE] = {.title = "FILE", .key = "file", .is_wide = true},
    [COLUMN_LINE] = {.title = "LINE", .key = "line", CELL_NUMBER, .is_wide = true},
    [COLUMN_CHANGED] = {.title = "CHANGED", .key = "changed", CELL_LIST, .is_of_change = true},
    [COLUMN_REASON] = {.title = "REASON", .key = "reason"},
};

/* NULL if it is empty. */
static const char *
text_or_null(const char *text)
{
    return *or_empty(text) ? text : NULL;
}

/* Adds an item to a list. */
static void
add_item(const char **list, const char *item)
{
    *list = formatted("%s%s%s", or_empty(*list), *list ? "," : "", item);
}

/* "GANG675 MaxMembers (policy.yaml:11)": the place is that of a rule, not of the job. */
static const char *
group_of_error(const struct gang_diagnostic *error, const struct origins *origins)
{
    int type = gang_diagnostic_get_document(error);
    uint32_t line = gang_diagnostic_get_line(error);
    const char *code = formatted("%s %s", gang_diagnostic_get_id(error),
                                 gang_code_name(gang_diagnostic_get_code(error)));

    if (!line || (type != GANG_DOCUMENT_POLICY && type != GANG_DOCUMENT_RUNTIME) ||
        !origins->of[type].is_place)
        return code;
    return formatted("%s (%s:%lu)", code, origins->of[type].file,
                     (unsigned long)(origins->of[type].lines_before + line));
}

/* Adds the items of a list, or another value as text. */
static void
add_value(const char **cell, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_array) && value)
        *cell = text_or_null(json_object_get_string(value));
    for (size_t i = 0; i < tree_length(value); i++)
        add_item(cell, json_object_get_string(json_object_array_get_idx(value, i)));
}

/* The library's row has the answer; the cells of the document are there. */
static void
add_decision(struct audit_row *row, const struct workbench *bench, const struct job *job)
{
    const struct gang_diagnostic *error = first_error_of(job->decision);
    struct gang_blob *blob = NULL;
    struct json_object *answer;

    if (gang_decision_serialize(bench->context, job->decision, GANG_FORMAT_ROW, 0, &blob, NULL))
        out_of_memory();
    answer = tree_must(json_of_blob(blob));
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (!row->cells[i])
            add_value(&row->cells[i], tree_member(answer, audit_columns[i].key));
    row->outcome = gang_decision_get_outcome(job->decision);
    row->group = error ? group_of_error(error, &job->origins)
                       : text_or_null(gang_decision_get_reason(job->decision));
}

/* Of a job without a decision: its first error is the reason. */
static void
add_complaints(struct audit_row *row, const struct workbench *bench, const struct job *job,
               size_t first)
{
    const char *reason = NULL;

    row->outcome = GANG_OUTCOME_INVALID;
    row->cells[COLUMN_OUTCOME] = gang_outcome_name(row->outcome);
    for (size_t i = first; i < bench->complaints.count; i++) {
        const struct complaint *complaint = &bench->complaints.items[i];

        if (complaint->severity != GANG_SEVERITY_ERROR)
            continue;
        /* each once: the codes of a job are few, and not sorted by code */
        if (complaint->id &&
            (!row->cells[COLUMN_FINDINGS] || !strstr(row->cells[COLUMN_FINDINGS], complaint->id)))
            add_item(&row->cells[COLUMN_FINDINGS], complaint->id);
        if (reason)
            continue;
        reason = formatted("%s%s%s", or_empty(complaint->path),
                           *or_empty(complaint->path) ? ": " : "", complaint->message);
        row->group = formatted(complaint->id ? "%s %s" : "%s%s", or_empty(complaint->id),
                               complaint->id ? complaint->reason : complaint->message);
    }
    if (!reason && job->runtime)
        reason = formatted("the %s %s has errors", job->runtime->document->kind,
                           or_empty(job->runtime->document->name));
    else if (!reason)
        reason = "a document of the job, the policy or the cluster has errors";
    if (!*or_empty(row->group))
        row->group = reason;
    row->cells[COLUMN_REASON] = reason;
}

/* What is to be applied for the job: its objects, and the patches of its pods. */
static void
add_written(struct audit_row *row, const struct workbench *bench, const struct gang_plan *plan)
{
    struct text *written = text_new();
    struct gang_blob *blob = NULL;

    if (plan && !gang_plan_serialize(bench->context, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0,
                                     &blob, NULL))
        text_add(written, gang_blob_get_data(blob, NULL));
    of_step((struct made){.blob = blob});
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++) {
        blob = NULL;
        if (!gang_patch_serialize(bench->context, gang_plan_get_patch(plan, i), GANG_FORMAT_JSON, 0,
                                  &blob, NULL))
            text_add(written, gang_blob_get_data(blob, NULL));
        of_step((struct made){.blob = blob});
    }
    row->written = or_empty(written->data);
}

static void
audit_row_make(struct audit_row *row, struct workbench *bench, const struct job *job, size_t first,
               bool is_written)
{
    const struct document *document = job->document;

    row->is_first = job->gang == 0;
    row->cells[COLUMN_NAMESPACE] = text_or_null(document->namespace_);
    row->cells[COLUMN_NAME] = text_or_null(document->name);
    if (gang_document_num_gangs(job->handle) > 1)
        row->cells[COLUMN_GANG] = formatted("%llu", (unsigned long long)job->gang);
    row->cells[COLUMN_KIND] = text_or_null(document->kind);
    row->cells[COLUMN_FILE] = text_or_null(document->origin.file);
    row->cells[COLUMN_LINE] = formatted("%lu", (unsigned long)document->origin.lines_before + 1);
    if (job->runtime)
        row->cells[COLUMN_RUNTIME] = text_or_null(job->runtime->document->name);
    if (job->decision)
        add_decision(row, bench, job);
    else
        add_complaints(row, bench, job, first);
    if (is_written)
        add_written(row, bench, job->plan);
}

static void
audit_pair_compare(struct audit_pair *pair)
{
    const char **changed = &pair->row.cells[COLUMN_CHANGED];

    for (int i = 0; i < COLUMN_COUNT; i++)
        if (audit_columns[i].is_answer && !is_same_text(pair->row.cells[i], pair->old.cells[i]))
            add_item(changed, audit_columns[i].key);
    if (!is_same_text(pair->row.written, pair->old.written))
        add_item(changed, "plan");
    pair->is_compared = true;
    pair->is_changed = *changed != NULL;
}

/*
 * The files are read twice: first what jobs refer to, which is kept; then the jobs, one at a
 * time, so that the memory does not grow with their number.
 */

/* Documents that are not well-formed: the first are reported, the others counted. */
enum { MOST_BROKEN = 100 };

struct audit_file {
    char *name;
    char *title; /* as findings print it */
    FILE *kept;  /* of a stream that can be read only once */
};

struct audit {
    struct workbench *bench;
    const struct options *options;
    struct audit_file *files;
    size_t num_files;
    struct audit_printer printer;
    struct audit_totals totals;
    struct progress progress;
    struct complaints about_settings; /* the first, each once with the number of its jobs */
    size_t num_broken;
    size_t num_ignored;
};

static bool
add_file(void *context, const char *name)
{
    struct audit *audit = context;

    APPEND(audit->files, audit->num_files,
           (struct audit_file){.name = copy_text(name), .title = input_title(name)});
    return true;
}

/* Opens a file for one of the two times. */
static FILE *
open_file(struct audit_file *file)
{
    bool is_copy = false;
    FILE *opened;

    if (file->kept) {
        rewind(file->kept);
        return file->kept;
    }
    opened = input_open(file->name, &is_copy);
    file->kept = is_copy ? opened : NULL;
    return opened;
}

static bool
read_files(struct audit *audit, take_chunk take)
{
    for (size_t i = 0; i < audit->num_files; i++) {
        struct audit_file *file = &audit->files[i];
        FILE *opened = open_file(file);

        if (!opened)
            return false;
        feed_file(opened, file->title, take, audit);
        if (opened != file->kept)
            fclose(opened);
    }
    return true;
}

/* The kinds that jobs refer to, and the jobs of Grove, which refer to one another. */
static bool
is_kept(const char *kind)
{
    static const char *const kinds[] = {
        "",
        GANG_KIND_TRAINING_RUNTIME,
        GANG_KIND_CLUSTER_TRAINING_RUNTIME,
        GANG_KIND_PODGANG,
        GANG_KIND_PODCLIQUESET,
        GANG_KIND_TOPOLOGYBINDING,
        GANG_KIND_POLICY,
        GANG_KIND_CLUSTER,
        NULL,
    };
    size_t len = strlen(kind);

    return is_among(kind, kinds) || (len >= 4 && strcmp(kind + len - 4, "List") == 0);
}

static void
keep_document(void *context, const struct chunk *chunk, const struct origin *origin)
{
    struct audit *audit = context;
    const struct document chunk_of_pod = {
        .api_version = "v1", .kind = chunk->kind, .data = chunk->text.data, .len = chunk->text.len};
    struct complaints ignored = {0}; /* the second time reports them */

    if (is_kept(chunk->kind) || may_be_in_group(&chunk_of_pod))
        documents_add_text(&audit->bench->documents, origin, chunk->text.data, chunk->text.len,
                           audit->bench->context, &ignored);
    complaints_free(&ignored);
}

static void
add_pair(struct audit *audit, struct audit_pair *pair)
{
    bool is_shown = !pair->is_compared || pair->is_changed;

    audit_totals_add(&audit->totals, pair);
    progress_show(&audit->progress, audit->totals.jobs, "jobs");
    if (!is_shown)
        return;
    progress_clear(&audit->progress);
    audit_print_row(&audit->printer, pair);
}

/* A job to decide, and the first of the complaints about it. */
struct case_of_audit {
    struct job *job;
    size_t first;
    bool is_parsed;
};

/* Decides the job with the current policy, unless it could not be parsed. */
static void
decide(struct audit *audit, const struct case_of_audit *one, struct audit_row *row)
{
    struct workbench *bench = audit->bench;
    size_t kept = bench->complaints.count;

    if (one->is_parsed)
        workbench_decide(bench, one->job);
    audit_row_make(row, bench, one->job, one->first, audit->options->against != NULL);
    complaints_cut(&bench->complaints, kept);
}

static void
decide_again(struct audit *audit, const struct case_of_audit *one, struct audit_row *row)
{
    one->job->plan = NULL;
    one->job->decision = NULL;
    workbench_swap_policies(audit->bench);
    decide(audit, one, row);
    workbench_swap_policies(audit->bench);
}

/*
 * Warnings about the policy or the cluster are no job's: they are told once. An error is the reason
 * of its jobs, which the totals count. The gangs of a job have the same ones.
 */
static void
add_warnings(struct audit *audit, struct job *job)
{
    struct complaints *found = &audit->about_settings;

    job_set_title(job, FOR_FINDINGS);
    for (size_t i = 0; !job->gang && i < gang_decision_num_diagnostics(job->decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(job->decision, i);
        const int document = gang_diagnostic_get_document(one);

        if (gang_diagnostic_get_severity(one) != GANG_SEVERITY_WARNING ||
            (document != GANG_DOCUMENT_POLICY && document != GANG_DOCUMENT_CLUSTER))
            continue;
        complain_diagnostic(found, &job->origins, &job->document->origin, one);
        complaints_fold_last(found);
        complaints_cut(found, MOST_BROKEN);
    }
}

/* Adds the row of a job; the complaints from `first` on are about it. */
static void
audit_job(struct audit *audit, struct job *job, size_t first)
{
    struct complaints *complaints = &audit->bench->complaints;
    const struct case_of_audit one = {job, first, complaints->count == first};
    struct audit_pair pair = {0};
    struct step step;

    step_start(&step);
    decide(audit, &one, &pair.row);
    add_warnings(audit, job);
    if (audit->options->against) {
        pair.old = pair.row;
        pair.row = (struct audit_row){0};
        decide_again(audit, &one, &pair.row);
        audit_pair_compare(&pair);
    }
    complaints_cut(complaints, first);
    add_pair(audit, &pair);
    job->plan = NULL;
    job->decision = NULL;
    step_end(&step);
}

static void
audit_one(struct audit *audit, const struct document *document)
{
    size_t first = audit->bench->complaints.count;
    struct job job;
    bool is_cut;

    if (audit->bench->selection && !selection_has(audit->bench->selection, document))
        return;
    workbench_add_job(audit->bench, &job, document, audit->options);
    is_cut = has_too_many_gangs(audit->bench, &job);
    audit_job(audit, &job, first);
    while (!is_cut && job.handle && job.gang + 1 < gang_document_num_gangs(job.handle)) {
        /* A job with several gangs has a row for each. */
        job.gang++;
        audit_job(audit, &job, first);
    }
}

static void
audit_chunk(void *context, const struct chunk *chunk, const struct origin *origin)
{
    struct audit *audit = context;
    struct documents documents = {0};
    struct complaints complaints = {0};
    struct step step;

    if (!is_kept(chunk->kind) && strcmp(chunk->kind, GANG_KIND_TRAINJOB) != 0 &&
        gang_document_type_of(NULL, chunk->kind) != GANG_DOCUMENT_JOB)
        return;
    step_start(&step);
    documents_add_text(&documents, origin, chunk->text.data, chunk->text.len, audit->bench->context,
                       &complaints);
    /* Documents that are not well-formed have no row: their names are not known. */
    audit->num_broken += complaints.errors;
    if (audit->num_broken <= MOST_BROKEN)
        complaints_move(&audit->bench->complaints, &complaints);
    for (size_t i = 0; i < documents.count; i++) {
        struct document *document = &documents.items[i];

        document->role = document_role(document, &complaints);
        if (document->role == GANG_DOCUMENT_TRAINJOB || document->role == GANG_DOCUMENT_JOB)
            audit_one(audit, document);
        else if (complaints.count && audit->num_ignored++ < MOST_BROKEN)
            complaints_move(&audit->bench->complaints, &complaints); /* a kind that is not read */
    }
    complaints_free(&complaints);
    documents_free(&documents);
    step_end(&step);
}

static void
audit_pod_groups(struct audit *audit)
{
    const struct documents *documents = &audit->bench->documents;

    for (size_t i = 0; i < documents->count; i++)
        if (documents->items[i].origin.num_parts)
            audit_one(audit, &documents->items[i]);
}

/* Returns false if a file cannot be read. */
static bool
audit_files(struct audit *audit)
{
    const struct options *options = audit->options;

    for (size_t i = 0; i < options->num_inputs; i++)
        if (!input_walk(options->inputs[i], options->walk, add_file, audit))
            return false;
    if (!workbench_read_settings(audit->bench, options) || !read_files(audit, keep_document))
        return false;
    workbench_parse(audit->bench, options);
    report_duplicates(audit->bench);
    if (!audit_print_start(&audit->printer, options->output, options->against != NULL) ||
        !read_files(audit, audit_chunk))
        return false;
    audit_pod_groups(audit);
    /* The jobs of Grove, which could refer to one another, so that all were kept. */
    for (size_t i = 0; i < audit->bench->num_jobs; i++)
        audit_job(audit, &audit->bench->jobs[i], audit->bench->complaints.count);
    return true;
}

static void
say_what_is_missing(struct audit *audit)
{
    if (audit->num_broken > MOST_BROKEN)
        complain(&audit->bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "%zu documents are not well-formed; the first %d are listed", audit->num_broken,
                 MOST_BROKEN);
    if (audit->num_ignored > MOST_BROKEN)
        complain(&audit->bench->complaints, GANG_SEVERITY_WARNING, NULL, 0,
                 "%zu documents are ignored; the first %d are listed", audit->num_ignored,
                 MOST_BROKEN);
    if (!audit->totals.jobs && !audit->bench->complaints.errors)
        workbench_say_nothing_was_found(audit->bench);
}

/* Whether a job is invalid or forbidden, or has another answer. */
static bool
has_findings(const struct audit *audit)
{
    const struct audit_totals *totals = &audit->totals;

    if (audit->options->against)
        return totals->changed > 0;
    return totals->by_outcome[GANG_OUTCOME_DENIED] || totals->by_outcome[GANG_OUTCOME_INVALID];
}

int
command_audit(struct run *run)
{
    const struct options *options = run->options;
    struct audit audit = {.options = options, .bench = &run->bench};
    int status = EXIT_COULD_NOT_RUN;

    if (options->num_lives)
        return audit_live(run);
    run->bench.purpose = FOR_ROWS;
    run->bench.without_plans = !options->against;
    workbench_start(&run->bench, 0);
    workbench_set_selection(&run->bench, &options->selection);
    progress_start(&audit.progress);
    if (audit_files(&audit)) {
        progress_clear(&audit.progress);
        if (audit.totals.jobs)
            audit_print_end(&audit.printer, &audit.totals);
        say_what_is_missing(&audit);
        complaints_move(&run->bench.complaints, &audit.about_settings);
        status = complaints_print(&run->bench.complaints);
        if (audit.printer.failed)
            status = EXIT_COULD_NOT_RUN;
        else if (status == EXIT_DONE && has_findings(&audit))
            status = EXIT_FINDINGS;
    }
    progress_clear(&audit.progress);
    return status;
}
