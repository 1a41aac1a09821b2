/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches for documents that cost much: any documents in one stream, through every call up to the
 * written text, with the limits at their ceilings and the steps at their default. What counts is
 * the dearest call. The library is compiled with trace-pc, so that the cost is a number of basic
 * blocks, which noise does not change; each eighth of an octave that a call reaches for the first
 * time is a feature that libFuzzer keeps the input for.
 *
 * With FUZZ_COSTS=FOLDER in the environment, the dearest input of each call is kept in the folder.
 * With FUZZ_SECONDS=LIMIT, the CPU time of each call is printed, and an input above it is a crash.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <time.h>

#include "fuzz/changes.h"
#include "fuzz/promises.h"
#include "tests/support/widest_context.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
void __wrap___sanitizer_cov_trace_pc(void);

/* ---- what a call costs ---- */

enum call {
    CALL_STREAM,
    CALL_PARSE,
    CALL_RESOLVE,
    CALL_RENDER,
    CALL_WRITE,
    CALL_LIVE,
    CALL_DIAGNOSE,
    CALL_RECONCILE
};
enum { NUM_CALLS = CALL_RECONCILE + 1, NUM_COSTS = 256, COSTS_OF_AN_OCTAVE = 8 };

static const char *const call_names[] = {"stream", "parse", "resolve",  "render",
                                         "write",  "live",  "diagnose", "reconcile"};

/* libFuzzer reads this section as counters of its own. */
__attribute__((
    section("__libfuzzer_extra_counters"))) static uint8_t cost_seen[NUM_CALLS][NUM_COSTS];

static uint64_t blocks;             /* that the process has run */
static uint64_t dearest[NUM_CALLS]; /* blocks of one call, of all inputs */

static struct {
    const uint8_t *data;
    size_t size;
} input;

static struct {
    uint64_t blocks;
    struct timespec time;
} start;

/* The octave of a number, and the eighth of it. */
static size_t
cost_step(uint64_t cost)
{
    size_t octave = 0;

    while (cost >= 2u * COSTS_OF_AN_OCTAVE) {
        cost /= 2;
        octave++;
    }
    return (octave * COSTS_OF_AN_OCTAVE + cost) % NUM_COSTS;
}

__attribute__((no_sanitize("coverage"))) void
__wrap___sanitizer_cov_trace_pc(void)
{
    blocks++;
}

static void
call_begin(void)
{
    start.blocks = blocks;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start.time);
}

/* Keeps an input whose call is dearer by an eighth than that of any input before. */
static void
keep_dearest(enum call call, uint64_t cost)
{
    const char *folder = getenv("FUZZ_COSTS");
    char path[4096];
    FILE *file;

    if (!folder || cost < dearest[call] + dearest[call] / 8)
        return;
    dearest[call] = cost;
    snprintf(path, sizeof(path), "%s/%s", folder, call_names[call]);
    file = fopen(path, "wb");
    must(file && fwrite(input.data, 1, input.size, file) == input.size && fclose(file) == 0);
}

/* Takes the result of the call, which may be any error. */
static void
call_end(enum call call, int result)
{
    const uint64_t cost = blocks - start.blocks;
    const char *limit = getenv("FUZZ_SECONDS");
    struct timespec end;
    double seconds;

    (void)result;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    seconds =
        (double)(end.tv_sec - start.time.tv_sec) + (double)(end.tv_nsec - start.time.tv_nsec) / 1e9;
    cost_seen[call][cost_step(cost)] = 1;
    keep_dearest(call, cost);
    if (limit && seconds > strtod(limit, NULL) / 10)
        printf("%.3f s, %zu bytes: %s\n", seconds, input.size, call_names[call]);
    must(!limit || seconds <= strtod(limit, NULL));
}

/* ---- the calls ---- */

enum { MOST_DOCUMENTS = 64 };

static struct gang_context *context;

struct parts {
    struct gang_document *job; /* the first that can be resolved; borrowed from the documents */
    struct gang_document *documents[MOST_DOCUMENTS];
    size_t count;
};

static void
read_documents(struct parts *parts, const struct gang_stream *stream)
{
    for (size_t i = 0; i < gang_stream_num_documents(stream) && parts->count < MOST_DOCUMENTS;
         i++) {
        struct gang_document *document;
        size_t len;
        const char *text = gang_stream_get_data(stream, i, &len);

        call_begin();
        call_end(CALL_PARSE, gang_document_parse(context, text, len, 0, &document, NULL));
        if (!document)
            continue;
        parts->documents[parts->count++] = document;
        if (is_job(document) && !parts->job)
            parts->job = document;
    }
}

static void
write_plan(const struct gang_plan *plan)
{
    for (int target = GANG_TARGET_PLAN; plan && target <= GANG_TARGET_JOB; target++)
        for (int format = GANG_FORMAT_JSON; format <= GANG_FORMAT_YAML; format++) {
            struct gang_blob *blob;

            call_begin();
            call_end(CALL_WRITE,
                     gang_plan_serialize(context, plan, target, format, 0, &blob, NULL));
            gang_blob_unref(blob);
        }
}

/* The whole input takes the part of the cluster's answer. */
static void
reconcile(struct gang_document *job, const struct gang_plan *plan)
{
    struct gang_document *live;
    struct gang_plan *reconciled;
    struct gang_blob *why = NULL;

    call_begin();
    call_end(CALL_LIVE, gang_document_parse_live(context, (const char *)input.data, input.size,
                                                 GANG_LIVE_DIAGNOSE, &live, NULL));
    if (live) {
        call_begin();
        call_end(CALL_DIAGNOSE,
                 gang_diagnose(context, job, NULL, live, NULL, GANG_FORMAT_JSON, 0, &why, NULL));
        gang_blob_unref(why);
    }
    if (live && plan) {
        call_begin();
        call_end(CALL_RECONCILE, gang_reconcile(context, plan, live, 0, &reconciled, NULL));
        write_plan(reconciled);
        gang_plan_unref(reconciled);
    }
    gang_document_unref(live);
}

static void
decide(const struct parts *parts)
{
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision;
    struct gang_plan *plan = NULL;
    struct gang_blob *picture;

    for (size_t i = 0; i < parts->count; i++)
        if (parts->documents[i] != parts->job)
            must(gang_inputs_add(inputs, parts->documents[i]) == GANG_OK);
    call_begin();
    call_end(CALL_RESOLVE, gang_resolve(context, parts->job, inputs, 0, &decision, NULL));
    gang_inputs_free(inputs);
    if (!decision)
        return;
    call_begin();
    call_end(CALL_RENDER, gang_render(context, decision, 0, &plan, NULL));
    call_begin();
    call_end(CALL_WRITE,
             gang_decision_serialize(context, decision, GANG_FORMAT_SVG, 0, &picture, NULL));
    write_plan(plan);
    reconcile(parts->job, plan);
    gang_blob_unref(picture);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct parts parts = {.count = 0};
    struct gang_stream *stream;

    if (!context)
        context = widest_context(true);
    input.data = data;
    input.size = size;
    call_begin();
    call_end(CALL_STREAM, gang_stream_parse(context, (const char *)data, size, 0, &stream, NULL));
    read_documents(&parts, stream);
    if (parts.job)
        decide(&parts);
    for (size_t i = 0; i < parts.count; i++)
        gang_document_unref(parts.documents[i]);
    gang_stream_unref(stream);
    return 0;
}

/* ---- how inputs grow ---- */

/* A member, and the end of the word in it whose copies get a number. */
struct pattern {
    const uint8_t *data;
    size_t word_end;
    size_t len;
};

static size_t
write_copies(uint8_t *out, size_t room, const struct pattern *pattern, uint32_t copies)
{
    size_t size = 0;

    for (uint32_t i = 0; i < copies && size + pattern->len + 16 < room; i++) {
        memcpy(out + size, pattern->data, pattern->word_end);
        size += pattern->word_end;
        size += (size_t)snprintf((char *)out + size, 12, "%u", i);
        memcpy(out + size, pattern->data + pattern->word_end, pattern->len - pattern->word_end);
        size += pattern->len - pattern->word_end;
    }
    return size;
}

/* The end of a random word of the member. */
static size_t
pattern_word(const uint8_t *data, size_t len, uint32_t *seed)
{
    size_t end = draw(seed, (uint32_t)len);

    while (end < len && !is_of_word(data[end]))
        end++;
    while (end < len && is_of_word(data[end]))
        end++;
    return end;
}

/* Repeats a member 2 to 4,096 times under names of its own. */
static size_t
grow_member(uint8_t *data, size_t size, size_t max_size, uint32_t seed)
{
    struct changed text = {data, size, max_size, seed * 2654435761u | 1};
    const struct span member = changed_member(&text);
    const size_t room = max_size > size ? max_size - size : 0;
    struct pattern pattern = {data + member.start, 0, member.end - member.start};
    uint8_t *made = pattern.len ? malloc(room + 16) : NULL;
    size_t len;

    if (!made)
        return change_document(data, size, max_size, seed);
    pattern.word_end = pattern_word(pattern.data, pattern.len, &text.seed);
    len = write_copies(made, room, &pattern, 2u << draw(&text.seed, 12));
    memmove(data + member.start + len, data + member.start, size - member.start);
    memcpy(data + member.start, made, len);
    free(made);
    return size + len;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    if (size && seed % 3 == 0)
        return grow_member(data, size, max_size, seed);
    return change_document(data, size, max_size, seed);
}
