/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints every answer of the library to documents in files: answers POLICIES CASE...
 *
 * A file has one JSON document on each line. Each job of a CASE is resolved with the other
 * documents of its file, and again with each policy of POLICIES in place of the case's own. Two
 * programs of this source on different machines must print the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gang.h"

enum { MOST_DOCUMENTS = 1000 };

struct documents {
    struct gang_document *items[MOST_DOCUMENTS];
    struct gang_document *live;
    size_t count;
};

static size_t answers;

static void
print_diagnostic(const struct gang_diagnostic *diagnostic)
{
    printf("%s %d %s %lu:%lu %s | %s\n", gang_diagnostic_get_id(diagnostic),
           gang_diagnostic_get_severity(diagnostic), gang_diagnostic_get_path(diagnostic),
           (unsigned long)gang_diagnostic_get_line(diagnostic),
           (unsigned long)gang_diagnostic_get_column(diagnostic),
           gang_diagnostic_get_message(diagnostic),
           gang_diagnostic_get_hint(diagnostic) ? gang_diagnostic_get_hint(diagnostic) : "");
}

/* Releases the blob and the error. */
static void
print_answer(const char *call, int code, struct gang_blob *blob, struct gang_error *error)
{
    printf("%s %s\n", call, gang_result_name(code));
    if (blob)
        printf("%s\n", gang_blob_get_data(blob, NULL));
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        print_diagnostic(gang_error_get_diagnostic(error, i));
    gang_blob_unref(blob);
    gang_error_free(error);
    answers++;
}

static void
print_plan(const struct gang_plan *plan)
{
    for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
        const int format = target % 2 ? GANG_FORMAT_YAML : GANG_FORMAT_JSON;
        struct gang_blob *blob;
        struct gang_error *error;
        int code = gang_plan_serialize(NULL, plan, target, format, 0, &blob, &error);

        print_answer(gang_target_name(target), code, blob, error);
    }
}

static void
print_decision(const struct gang_decision *decision)
{
    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_ROW; format++) {
        struct gang_blob *blob;
        struct gang_error *error;
        int code = gang_decision_serialize(NULL, decision, format, 0, &blob, &error);

        print_answer(gang_format_name(format), code, blob, error);
    }
}

static void
print_reconciled(const struct gang_plan *plan, struct gang_document *live)
{
    struct gang_plan *next;
    struct gang_error *error;
    int code = gang_reconcile(NULL, plan, live, 0, &next, &error);

    print_answer("reconcile", code, NULL, error);
    if (next)
        print_plan(next);
    gang_plan_unref(next);
}

static void
answer(struct gang_document *job, const struct gang_inputs *inputs, struct gang_document *live)
{
    struct gang_decision *decision;
    struct gang_plan *plan = NULL;
    struct gang_error *error;
    int code = gang_resolve(NULL, job, inputs, 0, &decision, &error);

    print_answer("resolve", code, NULL, error);
    if (decision)
        print_decision(decision);
    if (code == GANG_OK) {
        code = gang_render(NULL, decision, 0, &plan, &error);
        print_answer("render", code, NULL, error);
    }
    if (plan) {
        print_plan(plan);
        print_reconciled(plan, live);
    }
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}

static int
is_job(const struct gang_document *document)
{
    const int type = gang_document_get_type(document);

    return type == GANG_DOCUMENT_JOB || type == GANG_DOCUMENT_TRAINJOB ||
           type == GANG_DOCUMENT_PODGANG || type == GANG_DOCUMENT_PODCLIQUESET;
}

/* Whether the answer for `job` may need the other document. */
static int
is_input(const struct gang_document *job, const struct gang_document *other, int has_policy)
{
    const int type = gang_document_get_type(other);

    if (other == job || (has_policy && type == GANG_DOCUMENT_POLICY))
        return 0;
    return !is_job(other) || gang_document_get_type(job) == GANG_DOCUMENT_PODGANG;
}

/* `policy` replaces those of the case; NULL: the case's own. */
static void
answer_job(const struct documents *found, size_t job, struct gang_document *policy)
{
    struct gang_inputs *inputs = gang_inputs_new();
    int failed = policy ? gang_inputs_add(inputs, policy) : 0;

    for (size_t i = 0; i < found->count; i++)
        if (is_input(found->items[job], found->items[i], policy != NULL))
            failed |= gang_inputs_add(inputs, found->items[i]);
    if (failed)
        exit(2);
    answer(found->items[job], inputs, found->live);
    gang_inputs_free(inputs);
}

static char *
read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    *len = (size_t)size;
    return text;
}

static void
parse_line(struct documents *found, const char *line, size_t len)
{
    static const char list[] = "{\"apiVersion\":\"v1\",\"kind\":\"List\"";
    struct gang_document *document;
    struct gang_error *error;
    int is_live = len > sizeof(list) && memcmp(line, list, sizeof(list) - 1) == 0;
    int code = is_live ? gang_document_parse_live(NULL, line, len, 0, &document, &error)
                       : gang_document_parse(NULL, line, len, 0, &document, &error);

    print_answer("parse", code, NULL, error);
    for (size_t i = 0; i < gang_document_num_diagnostics(document); i++)
        print_diagnostic(gang_document_get_diagnostic(document, i));
    if (is_live)
        found->live = document;
    else if (document && found->count < MOST_DOCUMENTS)
        found->items[found->count++] = document;
}

static void
read_documents(const char *path, struct documents *found)
{
    size_t len;
    char *text = read_file(path, &len);
    const char *const end = text + len;

    *found = (struct documents){.count = 0};
    for (const char *line = text; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));

        parse_line(found, line, (size_t)((next ? next : end) - line));
        line = next ? next + 1 : end;
    }
    free(text);
}

static void
free_documents(struct documents *found)
{
    for (size_t i = 0; i < found->count; i++)
        gang_document_unref(found->items[i]);
    gang_document_unref(found->live);
}

int
main(int argc, char **argv)
{
    static struct documents policies, found;

    if (argc < 2)
        return 2;
    read_documents(argv[1], &policies);
    for (int i = 2; i < argc; i++) {
        printf("case %d\n", i - 2);
        read_documents(argv[i], &found);
        for (size_t job = 0; job < found.count; job++) {
            if (!is_job(found.items[job]))
                continue;
            answer_job(&found, job, NULL);
            for (size_t policy = 0; policy < policies.count; policy++)
                answer_job(&found, job, policies.items[policy]);
        }
        free_documents(&found);
    }
    free_documents(&policies);
    fprintf(stderr, "%lu answers\n", (unsigned long)answers);
    return 0;
}
