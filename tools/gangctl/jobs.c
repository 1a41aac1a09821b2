/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include <string.h>

void
workbench_start(struct workbench *bench, const struct options *options, uint64_t max_documents)
{
    const struct selection *selection = &options->selection;
    const bool selects = selection->job || selection->namespace_ || selection->num_requirements;

    bench->options = options;
    bench->selection = selects ? selection : NULL;
    bench->complaints.verbose = options->verbose;
    bench->context = must_make_widest_context(STEPS_OF_LIST, max_documents);
    bench->policy = (struct setting){.type = GANG_DOCUMENT_POLICY, .kind = GANG_KIND_POLICY};
    bench->against = bench->policy;
    bench->cluster = (struct setting){.type = GANG_DOCUMENT_CLUSTER, .kind = GANG_KIND_CLUSTER};
}

void
workbench_add_source(struct workbench *bench, struct documents *documents,
                     const struct source *source)
{
    const struct origin origin = {.file = source->name, .is_place = true};

    documents_add_text(documents, &origin, source->data, source->len, bench->context,
                       &bench->complaints);
}

void
workbench_take(void *context, const struct chunk *chunk, const struct origin *origin)
{
    struct workbench *bench = context;
    struct documents *documents = &bench->documents;
    const char *text = documents_keep(documents, must_copy(chunk->text.data, chunk->text.len));
    size_t at = documents->count;

    documents_add_text(documents, origin, text, chunk->text.len, bench->context,
                       &bench->complaints);
    for (; at < documents->count; at++)
        documents->items[at].item = 1; /* its text may be indented */
}

static const struct shared_file *
shared_file(const struct shared_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return &files->items[i];
    return NULL;
}

/* Adds the documents of a file that is read, and what is wrong with it; false if it cannot be. */
static bool
take_shared(struct workbench *bench, struct documents *documents, const char *name)
{
    const struct shared_file *file = shared_file(bench->shared, name);
    const struct documents *found = &file->bench.documents;

    for (size_t i = 0; i < found->count; i++) {
        APPEND(documents->items, documents->count, found->items[i]);
        documents->items[documents->count - 1].parsed = &file->parsed[i];
    }
    if (found->resource_list.data)
        documents->resource_list = found->resource_list;
    complaints_copy(&bench->complaints, &file->bench.complaints);
    return file->is_read;
}

bool
workbench_read(struct workbench *bench)
{
    const struct options *options = bench->options;

    for (size_t i = 0; i < options->num_inputs; i++) {
        const char *name = options->inputs[i];

        if (bench->shared ? !take_shared(bench, &bench->documents, name)
                          : !source_list_read(&bench->sources, name, options->walk))
            return false;
    }
    bench->num_inputs = bench->sources.count;
    for (size_t i = 0; i < bench->num_inputs; i++)
        if (bench->purpose != FOR_EDITS && bench->sources.items[i]->len > MOST_BYTES_OF_DOCUMENT)
            feed_source(bench->sources.items[i], workbench_take, bench);
        else
            workbench_add_source(bench, &bench->documents, bench->sources.items[i]);
    return true;
}

void
shared_files_add(struct shared_files *files, const char *name)
{
    const struct options options = {.inputs = &name, .num_inputs = 1};
    struct shared_file file = {.name = name};

    if (!name || shared_file(files, name))
        return;
    workbench_start(&file.bench, &options, 0);
    file.is_read = workbench_read(&file.bench);
    file.bench.options = NULL;
    file.parsed = must_allocate_zeros(file.bench.documents.count + 1, sizeof(*file.parsed));
    APPEND(files->items, files->count, file);
}

void
shared_files_free(struct shared_files *files)
{
    for (EACH(struct shared_file, file, files->items, files->count)) {
        for (size_t j = 0; j < file->bench.documents.count; j++)
            gang_document_unref(file->parsed[j]);
        give_back(file->parsed);
        workbench_free(&file->bench);
    }
    give_back(files->items);
    *files = (struct shared_files){0};
}

/* A text that was put together of several documents has no place of its own. */
struct gang_document *
parse_document(struct workbench *bench, const struct document *document, uint32_t flags,
               const struct origins *origins)
{
    const struct origin *origin = &document->origin;
    const bool is_place = origin->is_place && !origin->num_parts;
    const uint32_t columns = origin->shared_line ? origin->columns_before : 0;
    struct gang_document *parsed = NULL;
    struct gang_error *error = NULL;
    int result;

    if (document->parsed && *document->parsed)
        return *document->parsed;
    result = gang_document_parse_named(bench->context, document->data, document->len,
                                       is_place ? origin->file : NULL, origin->lines_before + 1,
                                       columns + 1, flags, &parsed, &error);
    complain_error(&bench->complaints, origins, result, error);
    of_step((struct made){.document = parsed});
    if (document->parsed)
        *document->parsed = gang_document_ref(parsed);
    return parsed;
}

void
complain_parsed(struct workbench *bench, const struct gang_document *parsed,
                const struct origins *origins)
{
    for (size_t i = 0; i < gang_document_num_diagnostics(parsed); i++)
        complain_diagnostic(&bench->complaints, origins, gang_document_get_diagnostic(parsed, i));
}

/* Parses the first document, and reports errors, including a wrong kind. */
static void
parse_setting(struct workbench *bench, struct setting *setting)
{
    const struct document *document = &setting->documents.items[0];
    const struct origins origins = origins_with(setting->type, &document->origin);

    if (!document->kind || is_same_text(document->kind, setting->kind))
        setting->handle = parse_document(bench, document, 0, &origins);
    else
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &document->origin, 1,
                 "kind: Unsupported value: \"%s\": supported values: \"%s\"",
                 shortened(document->kind), setting->kind);
}

static bool
read_setting(struct workbench *bench, struct setting *setting, const char *name)
{
    size_t first = bench->sources.count;

    if (!name)
        return true;
    if (bench->shared ? !take_shared(bench, &setting->documents, name)
                      : !source_list_read(&bench->sources, name, 0))
        return false;
    for (size_t i = first; i < bench->sources.count; i++)
        workbench_add_source(bench, &setting->documents, bench->sources.items[i]);
    if (setting->documents.count)
        parse_setting(bench, setting);
    else if (!bench->complaints.errors)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0, "%s: holds no %s", name,
                 setting->kind);
    for (size_t i = 1; i < setting->documents.count; i++)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &setting->documents.items[i].origin, 1,
                 "a second document; exactly one %s is expected", setting->kind);
    bench->settings_failed |= !setting->handle;
    return true;
}

void
workbench_add_setting(struct workbench *bench, const char *kind, const struct origin *origin,
                      const char *data, size_t len)
{
    const bool is_policy = strcmp(kind, GANG_KIND_POLICY) == 0;
    struct setting *setting = is_policy ? &bench->policy : &bench->cluster;

    if (setting->documents.count) {
        complain(&bench->complaints, GANG_SEVERITY_ERROR, origin, 1,
                 "a second %s, besides that of functionConfig or of %s; exactly one is expected",
                 kind, is_policy ? "-p" : "--cluster");
        return;
    }
    documents_add_text(&setting->documents, origin, data, len, bench->context, &bench->complaints);
    if (setting->documents.count)
        parse_setting(bench, setting);
    bench->settings_failed |= !setting->handle;
}

bool
workbench_read_settings(struct workbench *bench)
{
    const struct options *options = bench->options;

    return read_setting(bench, &bench->policy, options->policy) &&
           read_setting(bench, &bench->against, options->against) &&
           read_setting(bench, &bench->cluster, options->cluster);
}

static uint32_t
parse_flags(const struct workbench *bench)
{
    return bench->options->strict ? GANG_PARSE_STRICT : GANG_PARSE_NO_FLAGS;
}

bool
is_trainjob(const struct job *job)
{
    return job->document->role == GANG_DOCUMENT_TRAINJOB;
}

struct job
job_of_document(const struct workbench *bench, const struct document *document)
{
    struct job job = {.document = document,
                      .origins = origins_with(document->role, &document->origin)};

    job_set_title(&job, bench->purpose);
    return job;
}

void
workbench_add_job(struct workbench *bench, struct job *job, const struct document *document)
{
    *job = job_of_document(bench, document);
    job->handle = parse_document(bench, document, parse_flags(bench), &job->origins);
}

static bool
is_selected(const struct workbench *bench, const struct document *job)
{
    return !bench->selection || selection_has(bench->selection, job);
}

/* Adds the job if it is selected; otherwise the document is not used. */
static void
add_job(struct workbench *bench, struct document *document)
{
    if (!is_selected(bench, document))
        document->role = GANG_DOCUMENT_NONE;
    else if (bench->purpose != FOR_ROWS) {
        struct job *job = &bench->jobs[bench->num_jobs++];

        workbench_add_job(bench, job, document);
        if (job->handle)
            add_gangs(bench, job);
    }
}

/* Adds a document to which jobs refer, and reports its errors; or a pod, which is not parsed. */
static void
add_companion(struct workbench *bench, struct companions *to, const struct document *document)
{
    const struct origins origins = origins_with(document->role, &document->origin);
    struct companion companion = {.document = document};
    struct gang_error *error = NULL;
    int result = GANG_OK;

    if (to != &bench->pods)
        companion.handle = parse_document(bench, document, parse_flags(bench), &origins);
    if (companion.handle && document->role == GANG_DOCUMENT_TOPOLOGYBINDING)
        result = gang_topologybinding_check(bench->context, companion.handle, bench->policy.handle,
                                            0, &error);
    complain_error(&bench->complaints, &origins, result, error);
    if (result)
        companion.handle = NULL;
    /* Among documents that are parsed, an array that grows by one leaves a hole each time. */
    to->items = must_grow(to->items, to->count, sizeof(*to->items));
    to->items[to->count++] = companion;
}

/* Moves the jobs of Grove that are not selected behind the others. */
static void
keep_selected(struct workbench *bench)
{
    struct job *others = must_reallocate(NULL, bench->num_jobs + 1, sizeof(*others));
    size_t kept = 0;

    for (size_t i = 0; i < bench->num_jobs; i++) {
        struct job job = bench->jobs[i];

        if (is_trainjob(&job) || is_selected(bench, job.document))
            bench->jobs[kept++] = job;
        else
            others[bench->num_others++] = job;
    }
    memcpy(bench->jobs + kept, others, bench->num_others * sizeof(*others));
    bench->num_jobs = kept;
    give_back(others);
}

void
workbench_say_nothing_was_found(struct workbench *bench)
{
    const char *what = "the input holds no documents";

    if (bench->selection)
        what = "no job among the inputs has the name, namespace and labels of --job, -n and -l";
    else if (bench->documents.count || bench->has_others)
        what = "no TrainJob, PodGang, PodCliqueSet or other job is among the inputs";
    complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0, "%s", what);
}

/* Whether a policy or cluster is applied: kpt has its functionConfig among the items, too. */
static bool
is_applied(const struct workbench *bench, const struct document *document)
{
    const struct documents *settings = document->role == GANG_DOCUMENT_POLICY
                                           ? &bench->policy.documents
                                           : &bench->cluster.documents;
    struct json_object *tree = document_tree(document->data, document->len);
    bool is = false;

    for (size_t i = 0; i < settings->count && !is; i++) {
        struct json_object *applied =
            document_tree(settings->items[i].data, settings->items[i].len);

        is = json_object_equal(tree, applied);
    }
    return is;
}

void
workbench_parse(struct workbench *bench)
{
    add_pod_groups(&bench->documents);
    bench->jobs = must_reallocate(NULL, bench->documents.count + 1, sizeof(*bench->jobs));
    for (EACH(struct document, document, bench->documents.items, bench->documents.count)) {
        enum gang_document_type role = document_role(document, &bench->complaints);

        document->role = role;
        if (role == GANG_DOCUMENT_RUNTIME)
            add_companion(bench, &bench->runtimes, document);
        else if (role == GANG_DOCUMENT_PODCLIQUESET)
            add_companion(bench, &bench->sets, document);
        else if (role == GANG_DOCUMENT_TOPOLOGYBINDING)
            add_companion(bench, &bench->topologies, document);
        else if (role == GANG_DOCUMENT_TRAINJOB || role == GANG_DOCUMENT_JOB)
            add_job(bench, document);
        else if (role == GANG_DOCUMENT_PODGANG) {
            struct job *job = &bench->jobs[bench->num_jobs++];

            *job = job_of_document(bench, document);
            job->podgang = parse_document(bench, document, parse_flags(bench), &job->origins);
        } else if (role == GANG_DOCUMENT_POD || document->list)
            add_companion(bench, &bench->pods, document);
        else if (role != GANG_DOCUMENT_NONE && bench->purpose != FOR_FINDINGS &&
                 !is_applied(bench, document))
            complain(&bench->complaints, GANG_SEVERITY_WARNING, &document->origin, 1,
                     "this %s is not applied; pass its file with %s", document->kind,
                     role == GANG_DOCUMENT_POLICY ? "-p" : "--cluster");
    }
    pair_podgangs(bench);
    keep_selected(bench);
    if (!bench->num_jobs && (!bench->topologies.count || bench->selection) &&
        !bench->complaints.errors && bench->purpose != FOR_ROWS && bench->purpose != FOR_EDITS &&
        (bench->purpose != FOR_FINDINGS || bench->selection))
        workbench_say_nothing_was_found(bench);
}

void
pass_input(struct gang_inputs *inputs, struct gang_document *document)
{
    if (document && gang_inputs_add(inputs, document))
        out_of_memory();
}

struct gang_inputs *
workbench_inputs(const struct workbench *bench, const struct job *job)
{
    struct gang_inputs *inputs = gang_inputs_new();

    if (!inputs || gang_inputs_set_created_uid(inputs, bench->options->workload_uid) ||
        gang_inputs_set_run_number(inputs, (int64_t)bench->options->run_number - 1) ||
        gang_inputs_set_gang_index(inputs, job->gang))
        out_of_memory();
    pass_input(inputs, bench->policy.handle);
    pass_input(inputs, bench->cluster.handle);
    if (job->runtime)
        pass_input(inputs, job->runtime->handle);
    if (!job->podgang)
        return inputs;
    if (job->set)
        pass_input(inputs, job->set->handle);
    if (job->topology)
        pass_input(inputs, job->topology->handle);
    for (size_t i = 0; job->set && i < bench->num_jobs + bench->num_others; i++)
        if (&bench->jobs[i] != job && bench->jobs[i].set == job->set)
            pass_input(inputs, bench->jobs[i].podgang); /* the other PodGangs of its set */
    return inputs;
}

struct gang_document *
job_document(const struct job *job)
{
    if (job->handle)
        return job->handle;
    return job->podgang ? job->podgang : job->set ? job->set->handle : NULL;
}

/* Whether all documents of the job could be read. */
static bool
find_documents(struct workbench *bench, struct job *job)
{
    if (job->document->role == GANG_DOCUMENT_JOB)
        return job->handle != NULL;
    if (!is_trainjob(job))
        return (job->podgang || job->document->role == GANG_DOCUMENT_PODCLIQUESET) &&
               (!job->set || job->set->handle);
    if (!job->handle)
        return false;
    job->runtime = match_runtime(bench, job);
    if (!job->runtime || !job->runtime->handle)
        return false;
    job->origins.of[GANG_DOCUMENT_RUNTIME] = job->runtime->document->origin;
    return true;
}

void
workbench_decide(struct workbench *bench, struct job *job)
{
    const uint32_t flags =
        bench->options->fall_back ? GANG_RESOLVE_FALL_BACK : GANG_RESOLVE_NO_FLAGS;
    struct gang_inputs *inputs;
    struct gang_error *error = NULL;
    int result;

    if (!find_documents(bench, job) || bench->settings_failed)
        return;
    if (bench->policy.handle)
        job->origins.of[GANG_DOCUMENT_POLICY] = bench->policy.documents.items[0].origin;
    if (bench->cluster.handle)
        job->origins.of[GANG_DOCUMENT_CLUSTER] = bench->cluster.documents.items[0].origin;
    inputs = workbench_inputs(bench, job);
    result = gang_resolve(bench->context, job_document(job), inputs, flags, &job->decision, &error);
    gang_inputs_free(inputs);
    of_step((struct made){.decision = job->decision});
    if (!job->decision) {
        complain_error(&bench->complaints, &job->origins, result, error);
        return;
    }
    gang_error_free(error);
    for (size_t i = 0;
         bench->purpose != FOR_REPORTS && i < gang_decision_num_diagnostics(job->decision); i++)
        complain_diagnostic(&bench->complaints, &job->origins,
                            gang_decision_get_diagnostic(job->decision, i));
    if (bench->purpose == FOR_ROWS && !bench->options->against)
        return;
    result = gang_render(bench->context, job->decision, 0, &job->plan, &error);
    complain_error(&bench->complaints, &job->origins, result, error);
    of_step((struct made){.plan = job->plan});
}

bool
has_one_document(const struct workbench *bench)
{
    for (size_t i = 1; i < bench->num_jobs; i++)
        if (bench->jobs[i].document != bench->jobs[0].document)
            return false;
    return true;
}

bool
workbench_run(struct workbench *bench, const struct options *options)
{
    workbench_start(bench, options, options->max_documents);
    if (!workbench_read(bench) || !workbench_read_settings(bench))
        return false;
    read_function_config(bench);
    workbench_parse(bench);
    report_duplicates(bench);
    /* All gangs of a job have the job's run, but each has a Workload of its own. */
    if (options->workload_uid && bench->num_jobs > 1)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 has_one_document(bench)
                     ? "--workload-uid is of one gang's Workload, and the job has several gangs: "
                       "choose one with --gang"
                     : "--workload-uid is of one job's Workload, and the input holds several jobs");
    if (options->run_number && !has_one_document(bench))
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "--run-number is of one job, and the input holds several jobs");
    for (size_t i = 0; i < bench->num_jobs && !bench->is_read_only; i++)
        workbench_decide(bench, &bench->jobs[i]);
    report_shared_objects(bench);
    prepare_pods(bench, options_format(options));
    return true;
}

void
job_set_title(struct job *job, enum purpose purpose)
{
    const struct document *document = job->document;
    const char *space = document->namespace_;

    if (purpose == FOR_FINDINGS && document->name)
        job->origins.job = formatted("%s%s%s", printable(or_empty(space)), space ? "/" : "",
                                     printable(document->name));
}

void
workbench_free(struct workbench *bench)
{
    give_back(bench->jobs);
    give_back(bench->topologies.items);
    give_back(bench->pods.items);
    give_back(bench->sets.items);
    give_back(bench->runtimes.items);
    documents_free(&bench->documents);
    documents_free(&bench->policy.documents);
    documents_free(&bench->against.documents);
    documents_free(&bench->cluster.documents);
    complaints_free(&bench->complaints);
    for (size_t i = 0; i < bench->sources.count; i++) {
        give_back(bench->sources.items[i]->name);
        give_back(bench->sources.items[i]->data);
        give_back(bench->sources.items[i]);
    }
    give_back(bench->sources.items);
}

struct json_object *
decision_as_json(struct workbench *bench, const struct job *job)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result =
        gang_decision_serialize(bench->context, job->decision, GANG_FORMAT_JSON, 0, &blob, &error);

    complain_error(&bench->complaints, &job->origins, result, error);
    return json_of_blob(blob);
}
