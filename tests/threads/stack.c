/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the stack that the library uses: each folder of documents, and hostile texts, are
 * parsed, resolved, rendered, written and reconciled on a painted stack. TAP. stack FOLDER...
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

#include "support/cases.h"
#include "support/resolve.h"

/* SECURITY.md promises MOST_STACK. The stack is larger, so that a failure is a figure, no crash. */
enum { MOST_STACK = 32 * 1024, STACK_SIZE = 1024 * 1024, PAINT = 0xA5 };

/* The test is void without plans. */
static size_t num_plans;

static struct gang_document *
parse(const struct text *text)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    if (text->data &&
        gang_document_parse(NULL, text->data, text->len, 0, &document, &error) != GANG_OK)
        document = NULL;
    gang_error_free(error);
    return document;
}

static void
write_answers(const struct gang_decision *decision, const struct gang_plan *plan)
{
    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_HTML; format++) {
        struct gang_blob *blob = NULL;

        if (gang_decision_serialize(NULL, decision, format, 0, &blob, NULL) == GANG_OK)
            gang_blob_unref(blob);
        if (plan && gang_plan_serialize(NULL, plan, GANG_TARGET_PLAN, format, 0, &blob, NULL) == 0)
            gang_blob_unref(blob);
    }
}

static void
reconcile(const struct gang_plan *plan, const struct text *text)
{
    struct gang_document *live = NULL;
    struct gang_plan *answer = NULL;
    struct gang_error *error = NULL;

    if (plan && text->data &&
        gang_document_parse_live(NULL, text->data, text->len, 0, &live, NULL) == GANG_OK &&
        gang_reconcile(NULL, plan, live, 0, &answer, &error) == GANG_ERROR_NO_MEMORY)
        exit(2);
    gang_error_free(error);
    gang_plan_unref(answer);
    gang_document_unref(live);
}

static void
split(const struct text *file)
{
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;

    if (gang_stream_parse(NULL, file->data, file->len, 0, &stream, &error) != GANG_OK)
        stream = NULL;
    gang_error_free(error);
    gang_stream_unref(stream);
}

static void
use(const struct test_case *input)
{
    struct gang_document *job = parse(input->podgang.data ? &input->podgang : &input->trainjob);
    struct gang_document *inputs[] = {parse(&input->runtime), parse(&input->podcliqueset),
                                      parse(&input->policy), parse(&input->cluster)};
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;

    if (job)
        resolve_job(NULL, job, inputs, sizeof(inputs) / sizeof(inputs[0]), 0, &decision, &error);
    gang_error_free(error);
    if (decision && gang_render(NULL, decision, 0, &plan, NULL) != GANG_OK)
        plan = NULL;
    num_plans += plan != NULL;
    if (decision)
        write_answers(decision, plan);
    reconcile(plan, &input->live);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    gang_document_unref(job);
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
        gang_document_unref(inputs[i]);
    for (size_t i = 0; i < input->file_count; i++)
        split(&input->files[i]);
}

static void *
run(void *input)
{
    if (input)
        use(input);
    return NULL;
}

/* Returns the bytes of the stack that a thread with this input writes; NULL: a thread alone. */
static size_t
stack_of(const struct test_case *input, unsigned char *stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;

    memset(stack, PAINT, STACK_SIZE);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, STACK_SIZE) != 0 ||
        pthread_create(&thread, &attributes, run, (void *)(uintptr_t)input) != 0)
        exit(2);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (untouched < STACK_SIZE && stack[untouched] == PAINT)
        untouched++;
    return STACK_SIZE - untouched;
}

/* `depth` times the opening, then the closing. */
static struct text
nest(const char *head, const char *opening, const char *closing, size_t depth)
{
    size_t len = strlen(head) + depth * (strlen(opening) + strlen(closing));
    struct text text = {malloc(len + 1), len};
    char *at = text.data;

    if (!at)
        exit(2);
    at = stpcpy(at, head);
    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, opening);
    for (size_t i = 0; i < depth; i++)
        at = stpcpy(at, closing);
    return text;
}

/* Deeper than the limit, and as deep as it allows, in each reader. */
static const struct {
    const char *name, *head, *opening, *closing;
} shapes[] = {
    {"JSON lists", "", "[", "]"},
    {"JSON maps", "", "{\"a\":", "}"},
    {"YAML lists", "a: ", "[", "]"},
    {"YAML maps", "a: ", "{a: ", "}"},
    {"YAML blocks", "", "- ", ""},
    {"a runtime",
     "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
     "metadata: {name: a}\nspec: ",
     "{template: ", "}"},
};
static const size_t depths[] = {30, 60, 64, 100, 1000, 100000};

static int number;

static bool
judge(const char *name, size_t depth, const struct test_case *input, unsigned char *stack)
{
    size_t used;

    run((void *)(uintptr_t)input); /* so that the loader has bound every symbol */
    used = stack_of(input, stack) - stack_of(NULL, stack);
    printf("%s %d - %s", used <= MOST_STACK ? "ok" : "not ok", ++number, name);
    if (depth)
        printf(" %zu", depth);
    printf(": %zu bytes\n", used);
    return used <= MOST_STACK;
}

static bool
judge_shapes(unsigned char *stack)
{
    bool ok = true;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
            struct text text =
                nest(shapes[i].head, shapes[i].opening, shapes[i].closing, depths[d]);
            struct test_case input = {.runtime = text, .files = &text, .file_count = 1};

            ok &= judge(shapes[i].name, depths[d], &input, stack);
            free(text.data);
        }
    return ok;
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);
    unsigned char *stack = aligned_alloc(65536, STACK_SIZE);
    bool ok = stack != NULL && cases.count > 0;

    if (stack)
        ok &= judge_shapes(stack);
    for (size_t i = 0; stack && i < cases.count; i++)
        ok &= judge(cases.items[i].name, 0, &cases.items[i], stack);
    printf("1..%d\n# %zu plans\n", number, num_plans);
    ok &= num_plans > cases.count;
    free(stack);
    cases_free(&cases);
    return !ok;
}
