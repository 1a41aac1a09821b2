/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "commands.h"
#include "input.h"
#include "live.h"
#include "text.h"

/* A frequent reason moves to the front, so that the search is short for most jobs. */
static struct audit_reason *
move_forward(struct audit_totals *totals, size_t index)
{
    struct audit_reason known = totals->reasons[index];

    if (index == 0)
        return &totals->reasons[0];
    totals->reasons[index] = totals->reasons[index / 2];
    totals->reasons[index / 2] = known;
    return &totals->reasons[index / 2];
}

static struct audit_reason *
find_reason(struct audit_totals *totals, int outcome, const char *reason)
{
    for (size_t i = 0; i < totals->num_reasons; i++) {
        const struct audit_reason *known = &totals->reasons[i];

        if (known->outcome == outcome && strcmp(known->reason, reason) == 0)
            return move_forward(totals, i);
    }
    if (totals->num_reasons == MOST_REASONS)
        return NULL;
    APPEND(totals->reasons, totals->num_reasons,
           (struct audit_reason){.outcome = outcome, .reason = copy_text(reason)});
    return &totals->reasons[totals->num_reasons - 1];
}

void
audit_totals_add(struct audit_totals *totals, const struct audit_pair *pair)
{
    const struct audit_row *row = &pair->row;
    struct audit_reason *reason;

    totals->jobs += row->is_first;
    totals->gangs++;
    totals->changed += pair->is_changed;
    if (row->outcome >= 0 && row->outcome < NUM_OUTCOMES)
        totals->by_outcome[row->outcome]++;
    if (pair->is_compared && !pair->is_changed)
        return;
    reason = find_reason(totals, row->outcome, row->group ? row->group : "no reason");
    if (reason)
        reason->count++;
    else
        totals->other_reasons++;
}

/* Equally frequent ones by outcome and text, so that the order of the input has no effect. */
static int
compare_reasons(const void *a, const void *b)
{
    const struct audit_reason *left = a;
    const struct audit_reason *right = b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    if (left->outcome != right->outcome)
        return left->outcome < right->outcome ? -1 : 1;
    return strcmp(left->reason, right->reason);
}

void
audit_totals_sort(struct audit_totals *totals)
{
    if (totals->num_reasons)
        qsort(totals->reasons, totals->num_reasons, sizeof(*totals->reasons), compare_reasons);
}

void
audit_totals_free(struct audit_totals *totals)
{
    for (size_t i = 0; i < totals->num_reasons; i++)
        free(totals->reasons[i].reason);
    free(totals->reasons);
    *totals = (struct audit_totals){0};
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

typedef void (*take_chunk)(struct audit *audit, const struct chunk *chunk,
                           const struct origin *origin);

static bool
read_file(struct audit *audit, struct audit_file *file, struct feed *feed, take_chunk take)
{
    FILE *opened = open_file(file);
    struct chunk chunk = {0};

    if (!opened)
        return false;
    feed_start(feed, opened);
    while (feed_next(feed, &chunk)) {
        const struct origin origin =
            origin_within(&(struct origin){.file = file->title, .is_place = true},
                          chunk.lines_before, chunk.line, chunk.column);

        take(audit, &chunk, &origin);
    }
    text_free(&chunk.text);
    if (opened != file->kept)
        fclose(opened);
    return true;
}

static bool
read_files(struct audit *audit, take_chunk take)
{
    struct feed *feed = must_allocate(sizeof(*feed));
    bool done = true;

    for (size_t i = 0; done && i < audit->num_files; i++)
        done = read_file(audit, &audit->files[i], feed, take);
    free(feed);
    return done;
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
keep_document(struct audit *audit, const struct chunk *chunk, const struct origin *origin)
{
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
    if (!is_shown) {
        audit_pair_free(pair);
        return;
    }
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
    gang_plan_unref(one->job->plan);
    gang_decision_unref(one->job->decision);
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

    if (!job->title)
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
}

/* A job with several gangs has a row for each. */
static void
audit_next_gang(struct audit *audit, struct job *job, size_t first)
{
    gang_plan_unref(job->plan);
    gang_decision_unref(job->decision);
    job->plan = NULL;
    job->decision = NULL;
    job->gang++;
    audit_job(audit, job, first);
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
    while (!is_cut && job.handle && job.gang + 1 < gang_document_num_gangs(job.handle))
        audit_next_gang(audit, &job, first);
    job_free(&job);
}

/* Reports documents that are not well-formed: their name is not known, so they have no row. */
static void
add_broken(struct audit *audit, struct complaints *complaints)
{
    audit->num_broken += complaints->errors;
    if (audit->num_broken <= MOST_BROKEN)
        complaints_move(&audit->bench->complaints, complaints);
}

/* Reports documents of a version or kind that is not read, which have no row. */
static void
add_ignored(struct audit *audit, struct complaints *complaints)
{
    if (complaints->count && audit->num_ignored++ < MOST_BROKEN)
        complaints_move(&audit->bench->complaints, complaints);
}

static void
audit_chunk(struct audit *audit, const struct chunk *chunk, const struct origin *origin)
{
    struct documents documents = {0};
    struct complaints complaints = {0};

    if (!is_kept(chunk->kind) && strcmp(chunk->kind, GANG_KIND_TRAINJOB) != 0 &&
        gang_document_type_of(NULL, chunk->kind) != GANG_DOCUMENT_JOB)
        return;
    documents_add_text(&documents, origin, chunk->text.data, chunk->text.len, audit->bench->context,
                       &complaints);
    add_broken(audit, &complaints);
    for (size_t i = 0; i < documents.count; i++) {
        struct document *document = &documents.items[i];

        document->role = document_role(document, &complaints);
        if (document->role == GANG_DOCUMENT_TRAINJOB || document->role == GANG_DOCUMENT_JOB)
            audit_one(audit, document);
        else
            add_ignored(audit, &complaints);
    }
    complaints_free(&complaints);
    documents_free(&documents);
}

static void
audit_pod_groups(struct audit *audit)
{
    const struct documents *documents = &audit->bench->documents;

    for (size_t i = 0; i < documents->count; i++)
        if (documents->items[i].origin.num_parts)
            audit_one(audit, &documents->items[i]);
}

/* The jobs of Grove, which could refer to one another, so that all were kept. */
static void
audit_grove(struct audit *audit)
{
    for (size_t i = 0; i < audit->bench->num_jobs; i++)
        audit_job(audit, &audit->bench->jobs[i], audit->bench->complaints.count);
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
    audit_grove(audit);
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

static void
audit_free(struct audit *audit)
{
    for (size_t i = 0; i < audit->num_files; i++) {
        if (audit->files[i].kept)
            fclose(audit->files[i].kept);
        free(audit->files[i].name);
        free(audit->files[i].title);
    }
    free(audit->files);
    audit_print_free(&audit->printer);
    audit_totals_free(&audit->totals);
    complaints_free(&audit->about_settings);
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
    audit_free(&audit);
    return status;
}
