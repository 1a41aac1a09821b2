/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A context with a workspace: the documents of each folder, as JSON, give the same answers in each
 * round, and after the first rounds nothing is allocated. And how much a workspace keeps. TAP.
 * workspace FOLDER...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>

#include "libgang/base/arena.h"
#include "support/allocator.h"
#include "support/cases.h"
#include "support/digest.h"

#define ITEMS_OF(array) (sizeof(array) / sizeof((array)[0]))

static int number;
static int failures;

static void
tell(bool is_right, const char *name)
{
    printf("%s %d - %s\n", is_right ? "ok" : "not ok", ++number, name);
    failures += !is_right;
}

/* ---- how much it keeps ---- */

static const struct {
    const char *name;
    size_t largest;
    size_t size;
    size_t freed;
    int64_t kept;
} bounds[] = {
    {"all that fit", 1000, 100, 10, 10},
    {"not one more", 1000, 100, 11, 10},
    {"a block that fits exactly", 100, 100, 1, 1},
    {"not a block that is one byte larger", 100, 101, 1, 0},
    {"32 blocks, however small", 1000, 1, 32, 32},
    {"not 33", 1000, 1, 33, 32},
};

static void
check_bound(size_t row)
{
    struct block *blocks[64];
    const int64_t before = allocator_counts.live;
    struct workspace *workspace = workspace_new(bounds[row].largest);
    int64_t kept;

    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < bounds[row].freed; i++)
            blocks[i] = block_new(workspace, bounds[row].size);
        for (size_t i = 0; i < bounds[row].freed; i++)
            block_free(blocks[i]);
    }
    kept = allocator_counts.live - before - 1;
    workspace_drop(workspace);
    tell(kept == bounds[row].kept && allocator_counts.live == before, bounds[row].name);
}

static void
check_drop(void)
{
    struct workspace *workspace = workspace_new(1000);
    struct block *first = block_new(workspace, 100);
    struct block *last = block_new(workspace, 100);
    const int64_t before = allocator_counts.live;

    workspace_drop(workspace);
    block_free(first);
    tell(allocator_counts.live == before - 1, "none after it was dropped");
    block_free(last);
}

/* ---- documents ---- */

enum { DOCUMENTS = 5, ROUNDS = 8 };
enum { WORKSPACE_BYTES = 16 * 1024 * 1024 };

/* The texts of a folder as JSON; NULL where it has none. The job is the first. */
struct subject {
    struct gang_blob *texts[DOCUMENTS];
};

/* libyaml allocates what it reads, and a workspace has no part in it. */
static struct gang_blob *
as_json(const struct text *text)
{
    struct gang_stream *stream = NULL;
    struct gang_blob *json = NULL;

    if (text->data && gang_stream_parse(NULL, text->data, text->len, 0, &stream, NULL) == GANG_OK &&
        gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 0, &json, NULL) != GANG_OK)
        json = NULL;
    gang_stream_unref(stream);
    return json;
}

static struct subject
subject_of(const struct test_case *input)
{
    return (struct subject){
        {as_json(input->trainjob.data ? &input->trainjob : &input->podgang),
         as_json(&input->runtime), as_json(&input->policy), as_json(&input->cluster),
         as_json(&input->podcliqueset)},
    };
}

static uint64_t
digest_texts(const struct gang_context *context, const struct gang_plan *plan)
{
    uint64_t digest = DIGEST_START;

    for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++)
        for (int target = GANG_TARGET_PLAN; target <= GANG_TARGET_JOB; target++) {
            struct gang_blob *blob = NULL;

            digest = digest_number(
                digest, gang_plan_serialize(context, plan, target, format, 0, &blob, NULL));
            digest = digest_blob(digest, blob);
            gang_blob_unref(blob);
        }
    return digest;
}

static uint64_t
digest_job(const struct gang_context *context, const struct gang_document *job,
           const struct gang_inputs *inputs)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    uint64_t digest = DIGEST_START;

    digest = digest_number(digest, gang_resolve(context, job, inputs, 0, &decision, NULL));
    digest = digest_decision(digest, decision);
    if (decision)
        digest = digest_number(digest, gang_render(context, decision, 0, &plan, NULL));
    if (plan)
        digest = digest_number(digest, (int64_t)digest_texts(context, plan));
    gang_plan_unref(plan);
    gang_decision_unref(decision);
    return digest;
}

/* Reads and decides; says how often memory was allocated, other than for the inputs. */
static uint64_t
play(const struct gang_context *context, const struct subject *subject, uint64_t *allocations)
{
    struct gang_document *documents[DOCUMENTS] = {NULL};
    struct gang_inputs *inputs;
    const uint64_t before = allocator_counts.calls;
    uint64_t for_inputs;
    uint64_t digest;

    for (size_t i = 0; i < DOCUMENTS; i++) {
        size_t len;
        const char *text = gang_blob_get_data(subject->texts[i], &len);

        if (text && gang_document_parse(context, text, len, 0, &documents[i], NULL) != GANG_OK)
            documents[i] = NULL;
    }
    for_inputs = allocator_counts.calls;
    inputs = gang_inputs_new();
    for (size_t i = 1; i < DOCUMENTS; i++)
        if (documents[i] && gang_inputs_add(inputs, documents[i]) != GANG_OK)
            exit(2);
    for_inputs = allocator_counts.calls - for_inputs;
    digest = documents[0] ? digest_job(context, documents[0], inputs) : DIGEST_START;
    gang_inputs_free(inputs);
    for (size_t i = 0; i < DOCUMENTS; i++)
        gang_document_unref(documents[i]);
    *allocations = allocator_counts.calls - before - for_inputs;
    return digest;
}

static bool
is_settled(const struct gang_context *context, const struct subject *subject)
{
    uint64_t allocations;
    const uint64_t expected = play(NULL, subject, &allocations);
    bool is_same = allocations > 0;

    for (int round = 0; round < ROUNDS; round++)
        is_same &= play(context, subject, &allocations) == expected;
    return is_same && allocations == 0;
}

static void
check_folder(const struct test_case *input)
{
    struct gang_config *config = gang_config_new();
    struct subject subject = subject_of(input);
    struct gang_context *context;

    if (gang_config_set_workspace(config, WORKSPACE_BYTES) || gang_context_new(config, &context))
        exit(2);
    gang_config_free(config);
    if (subject.texts[0])
        tell(is_settled(context, &subject), input->name);
    gang_context_unref(context);
    for (size_t i = 0; i < DOCUMENTS; i++)
        gang_blob_unref(subject.texts[i]);
}

int
main(int argc, char **argv)
{
    struct test_cases cases = cases_load(argc - 1, argv + 1);

    for (size_t row = 0; row < ITEMS_OF(bounds); row++)
        check_bound(row);
    check_drop();
    for (size_t i = 0; i < cases.count; i++)
        check_folder(&cases.items[i]);
    printf("1..%d\n", number);
    cases_free(&cases);
    return failures || !number;
}
