/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

/* For people also a refused job: the text, as HTML, or the picture. */
static void
explain_job(struct text *out, struct workbench *bench, const struct job *job, enum output output)
{
    static const enum gang_format formats[] = {
        [OUTPUT_TEXT] = GANG_FORMAT_TEXT, [OUTPUT_HTML] = GANG_FORMAT_HTML,
        [OUTPUT_SVG] = GANG_FORMAT_SVG,   [OUTPUT_YAML] = GANG_FORMAT_YAML,
        [OUTPUT_JSON] = GANG_FORMAT_JSON,
    };
    const enum gang_format format = formats[output];
    const bool is_document = output == OUTPUT_YAML || output == OUTPUT_JSON;
    const bool is_verbose = bench->complaints.verbose && !is_document && output != OUTPUT_SVG;
    const uint32_t flags = is_verbose ? GANG_SERIALIZE_VERBOSE : GANG_SERIALIZE_NO_FLAGS;
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;

    if (job->plan && output != OUTPUT_SVG) {
        blob = write_plan(bench, job, GANG_TARGET_PLAN, format, flags);
    } else if (!is_document) {
        int result = gang_decision_serialize(bench->context, job->decision, (int)format, flags,
                                             &blob, &error);

        complain_error(&bench->complaints, &job->origins, result, error);
        of_step((struct made){.blob = blob});
    }
    if (!blob)
        return;
    if (output == OUTPUT_TEXT && out->len)
        text_add(out, "\n");
    add_blob(out, blob, format);
}

int
command_explain(struct run *run)
{
    struct workbench *bench = &run->bench;
    bool is_too_many;
    int status;

    bench->purpose = FOR_REPORTS;
    if (!workbench_run(bench, run->options))
        return EXIT_COULD_NOT_RUN;
    is_too_many = run->options->output == OUTPUT_SVG && bench->num_jobs > 1;
    if (is_too_many)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 has_one_document(bench)
                     ? "-o svg draws one gang, and the job has %zu; choose one with --gang"
                     : "-o svg draws one job, and the input has %zu; choose one with --job",
                 bench->num_jobs);
    for (size_t i = 0; i < bench->num_jobs && !is_too_many; i++)
        if (bench->jobs[i].decision)
            explain_job(&run->out, bench, &bench->jobs[i], run->options->output);
    status = complaints_print(&bench->complaints);
    if (status == EXIT_COULD_NOT_RUN)
        run->out.len = 0;
    return status == EXIT_DONE && has_refused(bench) ? EXIT_FINDINGS : status;
}

/* Adds the GangJob of a gang. A job that has none, or none at present, adds nothing. */
static void
add_roles(struct text *out, struct workbench *bench, const struct job *job, enum gang_format format)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    int result;

    if (!gang_document_num_gangs(job->handle))
        return;
    result =
        gang_job_serialize(bench->context, job->handle, job->gang, (int)format, 0, &blob, &error);
    if (result == GANG_ERROR_INVALID_ARGUMENT) {
        gang_error_free(error);
        complain(&bench->complaints, GANG_SEVERITY_INFO, &job->document->origin, 1,
                 "the job has no pods of its own, so it has no GangJob");
        return;
    }
    complain_error(&bench->complaints, &job->origins, result, error);
    of_step((struct made){.blob = blob});
    if (!result)
        add_blob(out, blob, format);
}

int
command_roles(struct run *run)
{
    struct workbench *bench = &run->bench;
    size_t count = 0;
    int status;

    bench->is_read_only = true;
    if (!workbench_run(bench, run->options))
        return EXIT_COULD_NOT_RUN;
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        if (job->document->role != GANG_DOCUMENT_JOB)
            continue;
        count++;
        complain_parsed(bench, job->handle, &job->origins);
        if (job->handle)
            add_roles(&run->out, bench, job, options_format(run->options));
    }
    if (!count && !bench->complaints.errors)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "no job that needs no runtime is among the inputs");
    status = complaints_print(&bench->complaints);
    if (status != EXIT_DONE)
        run->out.len = 0;
    return status;
}
