/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "exit.h"

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
    if (result) {
        complain_error(&bench->complaints, &job->origins, &job->document->origin, result, error);
        return;
    }
    add_blob(out, blob, format);
    gang_blob_unref(blob);
}

static void
say_what_was_read(struct workbench *bench, const struct job *job)
{
    for (size_t i = 0; i < gang_document_num_diagnostics(job->handle); i++)
        complain_diagnostic(&bench->complaints, &job->origins, &job->document->origin,
                            gang_document_get_diagnostic(job->handle, i));
}

int
command_roles(const struct options *options)
{
    struct workbench bench = {.is_read_only = true};
    struct text out = {0};
    size_t count = 0;
    int status = EXIT_COULD_NOT_RUN;

    if (!workbench_run(&bench, options))
        goto end;
    for (size_t i = 0; i < bench.num_jobs; i++) {
        const struct job *job = &bench.jobs[i];

        if (job->document->role != DOCUMENT_IS_JOB)
            continue;
        count++;
        say_what_was_read(&bench, job);
        if (job->handle)
            add_roles(&out, &bench, job, options_format(options));
    }
    if (!count && !bench.complaints.errors)
        complain(&bench.complaints, GANG_SEVERITY_ERROR, NULL, 0,
                 "no job that needs no runtime is among the inputs");
    status = complaints_print(&bench.complaints);
    if (status == EXIT_DONE && !print_data(&out))
        status = EXIT_COULD_NOT_RUN;
end:
    text_free(&out);
    workbench_free(&bench);
    return status;
}
