/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "audit.h"
#include "commands.h"
#include "live.h"

const struct audit_column audit_columns[NUM_AUDIT_COLUMNS] = {
    {.title = "NAMESPACE", .key = "namespace"},
    {.title = "NAME", .key = "name"},
    {.title = "GANG", .key = "gang", .is_wide = true},
    {.title = "KIND", .key = "kind", .is_wide = true},
    {.title = "OUTCOME", .key = "outcome", .is_answer = true},
    {.title = "BACKEND", .key = "backend", .is_answer = true},
    {.title = "QUEUE", .key = "queue", .is_answer = true},
    {.title = "MIN", .key = "minimum", .is_answer = true},
    {.title = "MEMBERS", .key = "members", .is_wide = true, .is_answer = true},
    {.title = "PODS", .key = "pods"},
    {.title = "GPUS", .key = "gpus"},
    {.title = "SCHEDULER", .key = "schedulerName", .is_wide = true, .is_answer = true},
    {.title = "RUNTIME", .key = "runtime", .is_wide = true},
    {.title = "DIAGNOSTICS", .key = "diagnostics", .is_wide = true},
    {.title = "FILE", .key = "file", .is_wide = true},
    {.title = "LINE", .key = "line", .is_wide = true},
    {.title = "CHANGED", .key = "changed"},
    {.title = "REASON", .key = "reason"},
};

static void
put_if_any(struct json_object *row, const char *key, const char *text)
{
    if (*or_empty(text))
        tree_put_text(row, key, text);
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

/* The library's row has the answer; the members of the document are there. */
static void
add_decision(struct audit_row *row, const struct workbench *bench, const struct job *job)
{
    const struct gang_diagnostic *error = NULL; /* the first one */
    struct gang_blob *blob = NULL;
    struct json_object *answer;

    for (size_t i = 0; !error && i < gang_decision_num_diagnostics(job->decision); i++) {
        error = gang_decision_get_diagnostic(job->decision, i);
        if (gang_diagnostic_get_severity(error) != GANG_SEVERITY_ERROR)
            error = NULL;
    }
    if (gang_decision_serialize(bench->context, job->decision, GANG_FORMAT_ROW, 0, &blob, NULL))
        out_of_memory();
    answer = tree_must(json_of_blob(blob));
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++) {
        const char *key = audit_columns[i].key;

        if (!tree_member(row->tree, key) && !tree_text_is(answer, key, ""))
            tree_share(row->tree, key, tree_member(answer, key));
    }
    row->group =
        error ? group_of_error(error, &job->origins) : gang_decision_get_reason(job->decision);
}

/* Of a job without a decision: its first error is the reason. */
static void
add_complaints(struct audit_row *row, const struct workbench *bench, const struct job *job,
               size_t first)
{
    struct json_object *codes = tree_put_list(row->tree, "diagnostics");
    const char *reason = NULL;

    tree_put_text(row->tree, "outcome", gang_outcome_name(GANG_OUTCOME_INVALID));
    for (size_t i = first; i < bench->complaints.count; i++) {
        const struct complaint *complaint = &bench->complaints.items[i];

        if (complaint->severity == GANG_SEVERITY_INFO)
            continue;
        /* each once: the codes of a job are few, and not sorted by code */
        if (complaint->id && !tree_has_text(codes, complaint->id))
            tree_add_text(codes, complaint->id);
        if (reason || complaint->severity != GANG_SEVERITY_ERROR)
            continue;
        reason = formatted("%s%s%s", or_empty(complaint->path),
                           *or_empty(complaint->path) ? ": " : "", complaint->message);
        row->group = formatted(complaint->id ? "%s %s" : "%s%s", or_empty(complaint->id),
                               complaint->id ? complaint->reason : complaint->message);
    }
    if (!reason && job->runtime && !job->runtime->handle)
        reason = formatted("the %s %s has errors", job->runtime->document->kind,
                           or_empty(job->runtime->document->name));
    else if (!reason)
        reason = "a document of the job, the policy or the cluster has errors";
    if (!*or_empty(row->group))
        row->group = reason;
    tree_put_text(row->tree, "reason", reason);
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

/* Decides the job and makes its row; complaints from `first` on say why it was not parsed. */
static void
audit_row_make(struct workbench *bench, struct job *job, size_t first, struct audit_row *row)
{
    const struct document *document = job->document;
    const size_t kept = bench->complaints.count;

    job->plan = NULL; /* of the step before, for another gang or policy */
    job->decision = NULL;
    if (kept == first)
        workbench_decide(bench, job);
    row->tree = tree_map_of_step();
    tree_put_text(row->tree, "apiVersion", GANG_API_VERSION);
    for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++)
        if (i != COLUMN_CHANGED)
            tree_put(row->tree, audit_columns[i].key, NULL);
    put_if_any(row->tree, "namespace", document->namespace_);
    put_if_any(row->tree, "name", document->name);
    put_if_any(row->tree, "generateName", document_prefix(document));
    if (gang_document_num_gangs(job->handle) > 1)
        tree_put_number(row->tree, "gang", job->gang);
    put_if_any(row->tree, "kind", document->kind);
    put_if_any(row->tree, "file", document->origin.file);
    tree_put_number(row->tree, "line", first_line_of(&document->origin));
    if (job->runtime)
        put_if_any(row->tree, "runtime", job->runtime->document->name);
    if (job->decision)
        add_decision(row, bench, job);
    else
        add_complaints(row, bench, job, first);
    if (bench->options->against)
        add_written(row, bench, job->plan);
    complaints_cut(&bench->complaints, kept);
}

/* A line on standard error that says how far the command is; nothing if that is no terminal. */
struct progress {
    bool is_on;
    bool is_shown;
    size_t next; /* look at the clock at this count */
    struct timespec last;
};

enum { COUNTS_BETWEEN = 256, MILLISECONDS_BETWEEN = 200 };

/* Shows "COUNT jobs" at most five times a second. */
static void
progress_show(struct progress *progress, size_t count)
{
    const struct timespec *last = &progress->last;
    struct timespec now;

    if (!progress->is_on || count < progress->next)
        return;
    progress->next = count + COUNTS_BETWEEN;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - last->tv_sec) * 1000 + (now.tv_nsec - last->tv_nsec) / 1000000 <
        MILLISECONDS_BETWEEN)
        return;
    progress->last = now;
    progress->is_shown = true;
    fprintf(stderr, "\r\033[K%zu jobs", count);
    fflush(stderr);
}

/* Removes the line, before something else is printed. */
static void
progress_clear(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* Files are read twice: to keep what jobs refer to, then for one job at a time, to save memory. */

/* Documents that are not well-formed: the first are reported, the others counted. */
enum { MOST_BROKEN = 100 };

struct audit_file {
    char *name;
    char *title;       /* as findings print it */
    FILE *kept;        /* of a stream that can be read only once */
    size_t num_chunks; /* that the first time found */
};

struct audit {
    struct workbench *bench;
    struct audit_file *files;
    size_t num_files;
    size_t num_chunks; /* of the file that is being read */
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

/* Reads all files. `is_again`: the second time, in which each must have what it had at first. */
static bool
read_files(struct audit *audit, take_chunk take, bool is_again)
{
    for (EACH(struct audit_file, file, audit->files, audit->num_files)) {
        bool is_copy = false;
        FILE *opened = file->kept ? file->kept : input_open(file->name, &is_copy);
        int problem;

        if (!opened)
            return false;
        rewind(opened);
        if (is_copy)
            file->kept = opened;
        audit->num_chunks = 0;
        problem = feed_file(opened, file->title, take, audit);
        if (opened != file->kept)
            fclose(opened);
        if (problem || (is_again && audit->num_chunks != file->num_chunks)) {
            print_errorf("error: %s: %s\n", file->title,
                         problem ? strerror(problem) : "the file was changed while it was read");
            return false;
        }
        file->num_chunks = audit->num_chunks;
    }
    return true;
}

/* The kinds that jobs refer to, and the jobs of Grove, which refer to one another. */
static bool
is_kept(const char *kind)
{
    const int type = gang_document_type_of(NULL, kind);

    return !*kind || is_list_kind(kind) ||
           (type != GANG_DOCUMENT_NONE && type != GANG_DOCUMENT_TRAINJOB &&
            type != GANG_DOCUMENT_JOB);
}

static void
keep_document(void *context, const struct chunk *chunk, const struct origin *origin)
{
    struct audit *audit = context;
    const struct document chunk_of_pod = {
        .api_version = "v1", .kind = chunk->kind, .data = chunk->text.data, .len = chunk->text.len};
    struct complaints ignored = {0}; /* the second time reports them */

    audit->num_chunks++;
    if (is_kept(chunk->kind) || may_be_in_group(&chunk_of_pod))
        documents_add_text(&audit->bench->documents, origin, chunk->text.data, chunk->text.len,
                           audit->bench->context, &ignored);
    complaints_free(&ignored);
}

/*
 * Warnings about the policy or the cluster are no job's: they are told once. An error is the reason
 * of its jobs, which the totals count. The gangs of a job have the same ones.
 */
static void
add_warnings(struct audit *audit, const struct job *job)
{
    struct complaints *found = &audit->about_settings;
    struct job titled = *job; /* the title is of the step, the job has further gangs */

    job_set_title(&titled, FOR_FINDINGS);
    for (size_t i = 0; !job->gang && i < gang_decision_num_diagnostics(job->decision); i++) {
        const struct gang_diagnostic *one = gang_decision_get_diagnostic(job->decision, i);
        const int document = gang_diagnostic_get_document(one);

        if (gang_diagnostic_get_severity(one) != GANG_SEVERITY_WARNING ||
            (document != GANG_DOCUMENT_POLICY && document != GANG_DOCUMENT_CLUSTER))
            continue;
        complain_diagnostic(found, &titled.origins, one);
        complaints_fold_last(found);
        complaints_cut(found, MOST_BROKEN);
    }
}

/* Adds the row of a job; the complaints from `first` on are about it. */
static void
audit_job(struct audit *audit, struct job *job, size_t first)
{
    struct workbench *bench = audit->bench;
    const struct setting policy = bench->policy;
    struct audit_pair pair = {0};
    struct step step;

    step_start(&step);
    audit_row_make(bench, job, first, &pair.row);
    add_warnings(audit, job);
    if (bench->options->against) {
        pair.old = pair.row;
        pair.row = (struct audit_row){0};
        bench->policy = bench->against;
        audit_row_make(bench, job, first, &pair.row);
        bench->policy = policy;
        of_step((struct made){.tree = pair.changed = tree_list()});
        for (size_t i = 0; i < NUM_AUDIT_COLUMNS; i++) {
            const char *key = audit_columns[i].key;

            if (audit_columns[i].is_answer && !json_object_equal(tree_member(pair.row.tree, key),
                                                                 tree_member(pair.old.tree, key)))
                tree_add_text(pair.changed, key);
        }
        if (!is_same_text(pair.row.written, pair.old.written))
            tree_add_text(pair.changed, "plan");
    }
    complaints_cut(&bench->complaints, first);
    audit_totals_add(&audit->totals, &pair);
    progress_show(&audit->progress, (size_t)tree_int(audit->totals.sums, "jobs"));
    if (!pair.changed || tree_length(pair.changed)) {
        progress_clear(&audit->progress);
        audit_print_row(&audit->printer, &pair);
    }
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
    workbench_add_job(audit->bench, &job, document);
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

    audit->num_chunks++;
    if (!is_kept(chunk->kind) && gang_document_type_of(NULL, chunk->kind) == GANG_DOCUMENT_NONE) {
        audit->bench->has_others = true;
        return;
    }
    step_start(&step);
    documents_add_text(&documents, origin, chunk->text.data, chunk->text.len, audit->bench->context,
                       &complaints);
    /* Documents that are not well-formed have no row: their names are not known. */
    audit->num_broken += complaints.errors;
    if (audit->num_broken <= MOST_BROKEN)
        complaints_move(&audit->bench->complaints, &complaints);
    for (EACH(struct document, document, documents.items, documents.count)) {
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

/* Returns false if a file cannot be read. */
static bool
audit_files(struct audit *audit)
{
    const struct options *options = audit->bench->options;
    const struct documents *documents;

    for (size_t i = 0; i < options->num_inputs; i++)
        if (!input_walk(options->inputs[i], options->walk, add_file, audit))
            return false;
    if (!workbench_read_settings(audit->bench) || !read_files(audit, keep_document, false))
        return false;
    workbench_parse(audit->bench);
    report_duplicates(audit->bench);
    if (!audit_print_start(&audit->printer, options->output, options->against != NULL))
        return false;
    if (!read_files(audit, audit_chunk, true)) {
        progress_clear(&audit->progress);
        if (tree_int(audit->totals.sums, "jobs")) /* rows may have been printed */
            print_errorf("error: not all jobs were read, so the report is not complete\n");
        return false;
    }
    documents = &audit->bench->documents;
    for (size_t i = 0; i < documents->count; i++)
        if (documents->items[i].origin.num_parts)
            audit_one(audit, &documents->items[i]);
    /* The jobs of Grove, which could refer to one another, so that all were kept. */
    for (size_t i = 0; i < audit->bench->num_jobs; i++)
        audit_job(audit, &audit->bench->jobs[i], audit->bench->complaints.count);
    return true;
}

/* Whether a job is invalid or forbidden, or has another answer. */
static bool
has_findings(const struct audit *audit)
{
    struct json_object *outcomes = tree_member(audit->totals.sums, "outcomes");

    if (audit->bench->options->against)
        return tree_int(audit->totals.sums, "changed") > 0;
    return tree_int(outcomes, gang_outcome_name(GANG_OUTCOME_DENIED)) ||
           tree_int(outcomes, gang_outcome_name(GANG_OUTCOME_INVALID));
}

int
command_audit(struct run *run)
{
    const struct options *options = run->options;
    struct audit audit = {.bench = &run->bench};
    int status = EXIT_COULD_NOT_RUN;

    if (options->num_lives)
        return audit_live(run);
    run->bench.purpose = FOR_ROWS;
    workbench_start(&run->bench, options, 0);
    audit.progress.is_on = isatty(STDERR_FILENO) == 1;
    clock_gettime(CLOCK_MONOTONIC, &audit.progress.last);
    audit_totals_start(&audit.totals, options->against != NULL);
    if (audit_files(&audit)) {
        progress_clear(&audit.progress);
        if (tree_int(audit.totals.sums, "jobs"))
            audit_print_end(&audit.printer, &audit.totals);
        if (audit.num_broken > MOST_BROKEN)
            complain(&audit.bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                     "%zu documents are not well-formed; the first %d are listed", audit.num_broken,
                     MOST_BROKEN);
        if (audit.num_ignored > MOST_BROKEN)
            complain(&audit.bench->complaints, GANG_SEVERITY_WARNING, NULL, 0,
                     "%zu documents are ignored; the first %d are listed", audit.num_ignored,
                     MOST_BROKEN);
        if (!tree_int(audit.totals.sums, "jobs") && !audit.bench->complaints.errors)
            workbench_say_nothing_was_found(audit.bench);
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
