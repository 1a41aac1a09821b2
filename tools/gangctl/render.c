/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "live.h"

void
add_blob(struct text *out, const struct gang_blob *blob, enum gang_format format)
{
    size_t len;
    const char *data = gang_blob_get_data(blob, &len);

    if (len && out->len && format == GANG_FORMAT_YAML)
        text_add(out, "---\n");
    text_add_bytes(out, data, len);
    if (out->len && out->data[out->len - 1] != '\n')
        text_add(out, "\n");
}

/* JSON has no comments to lose. */
void
say_edited(const struct document *document, enum edit_result result)
{
    static const char *const words[] = {[EDIT_PART] = "a part of the document is written again",
                                        [EDIT_WHOLE] = "the document is written again",
                                        [EDIT_AS_JSON] = "the document is written again, as JSON"};
    const char *name = or_empty(document->name);

    if (words[result] && !document_is_json(document))
        print_errorf("note: %s:%lu: %s%s%s: %s, without its comments\n", document->origin.file,
                     (unsigned long)first_line_of(&document->origin), document->kind,
                     *name ? " " : "", name, words[result]);
}

/* Adds a document of the input as the blob has it. In YAML it keeps its comments and its style. */
static void
add_changed(struct text *out, const struct document *document, const struct gang_blob *blob,
            enum gang_format format)
{
    struct step step;
    size_t len;
    const char *data = gang_blob_get_data(blob, &len);

    /* items of a list are indented, so their text cannot stand by itself */
    if (format != GANG_FORMAT_YAML ||
        !(document->place && !document->item && !document_is_json(document))) {
        add_blob(out, blob, format);
        return;
    }
    if (out->len)
        text_add(out, "---\n");
    step_start(&step);
    say_edited(document,
               edit_document(out, document->data, document->len, document_tree(data, len)));
    step_end(&step);
    end_last_line(out, "\n");
}

struct gang_blob *
write_plan(struct workbench *bench, const struct job *job, enum gang_target target,
           enum gang_format format, uint32_t flags)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result = gang_plan_serialize(bench->context, job->plan, (int)target, (int)format, flags,
                                     &blob, &error);

    complain_error(&bench->complaints, &job->origins, result, error);
    of_step((struct made){.blob = blob});
    return blob;
}

void
add_plan(struct text *out, struct workbench *bench, const struct job *job, enum gang_target target,
         enum gang_format format)
{
    struct gang_blob *blob = write_plan(bench, job, target, format, 0);

    if (blob && target == GANG_TARGET_JOB)
        add_changed(out, job->document, blob, format);
    else if (blob)
        add_blob(out, blob, format);
}

/* Prints a line about the output of a job: "TrainJob ml/llama: ...". */
static void
say_about_job(const struct job *job, const char *words)
{
    const struct document *document = job->document;

    print_errorf("%s %s: %s\n", document->kind,
                 place_of(document->namespace_, document_title(document)), words);
}

bool
is_first_gang(const struct workbench *bench, const struct job *job)
{
    return job == bench->jobs || job[-1].document != job->document;
}

void
runtimes_write(struct workbench *bench, enum gang_format format)
{
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        struct companion *runtime = job->runtime;
        struct gang_blob *blob =
            runtime ? write_plan(bench, job, GANG_TARGET_RUNTIME, format, 0) : NULL;

        if (blob && !runtime->blob) {
            runtime->blob = blob;
            runtime->job = job;
        } else if (blob && strcmp(gang_blob_get_data(runtime->blob, NULL),
                                  gang_blob_get_data(blob, NULL)) != 0)
            complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                     "%s %s needs another schedulerName or priorityClassName in %s %s than %s: "
                     "give one of the two jobs a runtime of its own",
                     job->document->kind, job->document->name, runtime->document->kind,
                     runtime->document->name, runtime->job->document->name);
    }
}

/* Prints each runtime once. If no job has one, the library refuses the target. */
static void
add_runtimes(struct text *out, struct workbench *bench, enum gang_format format)
{
    bool some = false;

    runtimes_write(bench, format);
    for (size_t i = 0; i < bench->num_jobs; i++)
        some |= bench->jobs[i].runtime != NULL;
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        if (job->runtime && job->runtime->blob && job->runtime->job == job)
            add_changed(out, job->runtime->document, job->runtime->blob, format);
        else if (!some)
            write_plan(bench, job, GANG_TARGET_RUNTIME, format, 0);
        else if (!job->runtime && is_first_gang(bench, job))
            say_about_job(job, "it has no runtime: 'gangctl render --target job' prints its marks");
    }
}

static bool
has_pod_fields(const struct gang_plan *plan)
{
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++)
        if (gang_patch_num_fields(gang_plan_get_patch(plan, i), GANG_PATCH_SPEC))
            return true;
    return false;
}

bool
is_refused(const struct job *job)
{
    int outcome = gang_decision_get_outcome(job->decision);

    return !job->plan || outcome == GANG_OUTCOME_DENIED || outcome == GANG_OUTCOME_INVALID;
}

bool
has_refused(const struct workbench *bench)
{
    for (size_t i = 0; i < bench->num_jobs; i++)
        if (is_refused(&bench->jobs[i]))
            return true;
    return bench->complaints.errors > 0;
}

static void
add_target(struct run *run, enum gang_target target)
{
    const enum gang_format format = options_format(run->options);

    /* The Topology objects of KAI, to which PodGroups refer. */
    for (size_t i = 0; target == GANG_TARGET_OBJECTS && i < run->bench.topologies.count; i++)
        add_blob(&run->out, topology_text(&run->bench.topologies.items[i], format), format);
    if (target == GANG_TARGET_RUNTIME)
        add_runtimes(&run->out, &run->bench, format);
    else {
        /* The target `job` has the marks of all gangs of a job, so it is printed once. */
        for (EACH(const struct job, job, run->bench.jobs, run->bench.num_jobs)) {
            if (target != GANG_TARGET_JOB || is_first_gang(&run->bench, job))
                add_plan(&run->out, &run->bench, job, target, format);
        }
    }
    if (target == GANG_TARGET_OBJECTS) {
        /* The pods of the input follow the objects, as Grove would create them. */
        for (size_t i = 0; i < run->bench.pods.count; i++)
            if (run->bench.pods.items[i].blob)
                add_blob(&run->out, run->bench.pods.items[i].blob, format);
    }
}

int
command_render(struct run *run)
{
    const enum gang_target target = run->options->target;
    struct workbench *bench = &run->bench;
    int status;

    if (!workbench_run(bench, run->options))
        return EXIT_COULD_NOT_RUN;
    if (!has_refused(bench))
        add_target(run, target);
    status = complaints_print(&bench->complaints);
    if (status == EXIT_DONE && has_refused(bench))
        status = EXIT_FINDINGS;
    if (status != EXIT_DONE) {
        run->out.len = 0;
        return status;
    }
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        /* A job without objects prints nothing; these messages explain that it is intended. */
        if (target == GANG_TARGET_OBJECTS &&
            gang_decision_get_outcome(job->decision) == GANG_OUTCOME_NO_GANG)
            say_about_job(job, "no gang, so no objects; 'gangctl explain' prints the reason");
        else if (target == GANG_TARGET_OBJECTS && !gang_plan_num_objects(job->plan))
            say_about_job(job, "a gang without objects to apply; 'gangctl explain' prints what its "
                               "scheduler creates");
        /* A TrainJob cannot set schedulerName; its runtime can. */
        if (target == GANG_TARGET_JOB && job->runtime && has_pod_fields(job->plan))
            say_about_job(job, "its runtime must set schedulerName: apply the output of 'gangctl "
                               "render --target runtime' first");
    }
    return EXIT_DONE;
}
