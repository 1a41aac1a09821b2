/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of the README leave out: the texts, the variables, the output. */
#include <stdio.h>
#include <string.h>
#include <gang/gang.h>

static char runtime_text[65536];
static char job_text[65536];

static size_t
read_text(const char *name, char *text, size_t size)
{
    FILE *file = fopen(name, "rb");
    size_t len = file ? fread(text, 1, size, file) : 0;

    if (file)
        fclose(file);
    return len;
}

int
main(void)
{
    size_t runtime_len = read_text("runtime.yaml", runtime_text, sizeof(runtime_text));
    size_t job_len = read_text("trainjob.yaml", job_text, sizeof(job_text));
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_document *runtime, *job;
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_blob *objects;
    struct gang_error *error;

#include "calls.c"
    fputs(gang_blob_get_data(objects, NULL), stdout);
    gang_blob_unref(objects);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    gang_document_unref(job);
    gang_document_unref(runtime);
    return 0;
}
