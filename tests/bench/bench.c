/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One workload, repeated. Prints "allocations bytes checksum" of one operation; under callgrind,
 * only what lies between the two toggles is counted. bench WORKLOAD REPEATS RUNTIME TRAINJOB
 * [POLICY]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gang/gang.h>
#include <valgrind/callgrind.h>
#include <yaml.h>

#include "support/allocator.h"
#include "support/digest.h"
#include "support/text.h"
#include "support/resolve.h"

struct bench {
    struct gang_context *context; /* NULL, or with a workspace */
    struct text runtime_text;
    struct text trainjob_text;
    struct gang_document *runtime;
    struct gang_document *trainjob;
    struct gang_document *policy; /* NULL without one */
    struct gang_inputs *inputs;   /* runtime and policy */
    struct gang_inputs *last;     /* policy, and the last gang of the job; for other kinds of job */
    uint64_t checksum;            /* of the last operation's output */
    bool is_measured;
};

enum { WORKSPACE_BYTES = 256 * 1024 };

static struct gang_context *
context_with_workspace(void)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    if (gang_config_set_workspace(config, WORKSPACE_BYTES) || gang_context_new(config, &context))
        exit(1);
    gang_config_free(config);
    return context;
}

static void
give_up(struct gang_error *error)
{
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *diagnostic = gang_error_get_diagnostic(error, i);

        fprintf(stderr, "%s %s: %s\n", gang_diagnostic_get_id(diagnostic),
                gang_diagnostic_get_path(diagnostic), gang_diagnostic_get_message(diagnostic));
    }
    exit(1);
}

static struct gang_document *
parse_document(const struct gang_context *context, const struct text *text)
{
    struct gang_document *document;
    struct gang_error *error;

    if (gang_document_parse(context, text->data, text->len, 0, &document, &error) < 0)
        give_up(error);
    return document;
}

static struct gang_document *
parse_policy(const char *path)
{
    struct text text = text_read(path);
    struct gang_document *policy = parse_document(NULL, &text);

    text_free(&text);
    return policy;
}

/* The checksum is the measurement's own affair, so collection pauses for it; it does not run while
 * warming up. */
static void
keep_checksum(struct bench *bench, struct gang_blob *blob)
{
    if (bench->is_measured)
        CALLGRIND_TOGGLE_COLLECT;
    bench->checksum = digest_blob(DIGEST_START, blob);
    if (bench->is_measured)
        CALLGRIND_TOGGLE_COLLECT;
}

static void
render(struct bench *bench, const struct gang_inputs *inputs, struct gang_document *trainjob,
       enum gang_format format)
{
    struct gang_decision *decision;
    struct gang_plan *plan;
    struct gang_blob *blob;
    struct gang_error *error;

    if (gang_resolve(bench->context, trainjob, inputs, 0, &decision, &error) < 0)
        give_up(error);
    if (gang_render(bench->context, decision, 0, &plan, &error) < 0)
        give_up(error);
    if (gang_plan_serialize(bench->context, plan, GANG_TARGET_OBJECTS, format, 0, &blob, &error) <
        0)
        give_up(error);
    keep_checksum(bench, blob);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    gang_decision_unref(decision);
}

static void
run_parse_runtime(struct bench *bench)
{
    gang_document_unref(parse_document(bench->context, &bench->runtime_text));
}

static void
run_parse_trainjob(struct bench *bench)
{
    gang_document_unref(parse_document(bench->context, &bench->trainjob_text));
}

static void
run_render_json(struct bench *bench)
{
    render(bench, bench->inputs, bench->trainjob, GANG_FORMAT_JSON);
}

static void
run_render_yaml(struct bench *bench)
{
    render(bench, bench->inputs, bench->trainjob, GANG_FORMAT_YAML);
}

static void
run_job_to_json(struct bench *bench)
{
    struct gang_document *trainjob = parse_document(bench->context, &bench->trainjob_text);

    render(bench, bench->inputs, trainjob, GANG_FORMAT_JSON);
    gang_document_unref(trainjob);
}

/* The rows of so many jobs in one call; a controller or a report asks for thousands. */
enum { AUDITED_JOBS = 10 };

static void
run_audit(struct bench *bench)
{
    const char *jobs[AUDITED_JOBS];
    size_t lengths[AUDITED_JOBS];
    struct gang_blob *rows;
    struct gang_error *error;

    for (size_t i = 0; i < AUDITED_JOBS; i++) {
        jobs[i] = bench->trainjob_text.data;
        lengths[i] = bench->trainjob_text.len;
    }
    if (gang_audit(bench->context, jobs, lengths, AUDITED_JOBS, bench->inputs, 0, &rows, &error) <
        0)
        give_up(error);
    keep_checksum(bench, rows);
    gang_blob_unref(rows);
}

/* The trainjob is a list of objects that exist. */
static void
run_parse_live(struct bench *bench)
{
    struct gang_document *live;
    struct gang_error *error;

    if (gang_document_parse_live(bench->context, bench->trainjob_text.data,
                                 bench->trainjob_text.len, 0, &live, &error) < 0)
        give_up(error);
    gang_document_unref(live);
}

static void
run_all_to_yaml(struct bench *bench)
{
    struct gang_document *runtime = parse_document(bench->context, &bench->runtime_text);
    struct gang_document *trainjob = parse_document(bench->context, &bench->trainjob_text);
    struct gang_inputs *inputs;

    inputs = inputs_of((struct gang_document *[]){runtime, bench->policy}, 2);
    render(bench, inputs, trainjob, GANG_FORMAT_YAML);
    gang_inputs_free(inputs);
    gang_document_unref(trainjob);
    gang_document_unref(runtime);
}

/* The trainjob is a job of another kind with many gangs. */
static void
run_last_gang(struct bench *bench)
{
    render(bench, bench->last, bench->trainjob, GANG_FORMAT_JSON);
}

static void
read_events(const struct text *text)
{
    yaml_parser_t parser;
    bool more = true;

    if (!yaml_parser_initialize(&parser))
        exit(1);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text->data, text->len);
    while (more) {
        yaml_event_t event;

        if (!yaml_parser_parse(&parser, &event))
            exit(1);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

/* The floor of everything that reads YAML through libyaml. */
static void
run_yaml_events(struct bench *bench)
{
    read_events(&bench->runtime_text);
    read_events(&bench->trainjob_text);
}

static const struct {
    const char *name;
    void (*run)(struct bench *bench);
    bool has_workspace;
} workloads[] = {
    {"parse-runtime", run_parse_runtime, false},
    {"parse-trainjob", run_parse_trainjob, false},
    {"render-json", run_render_json, false},
    {"render-yaml", run_render_yaml, false},
    {"job-to-json", run_job_to_json, false},
    {"all-to-yaml", run_all_to_yaml, false},
    {"yaml-events", run_yaml_events, false},
    {"last-gang", run_last_gang, false},
    {"audit-10", run_audit, false},
    {"parse-live", run_parse_live, false},
    {"render-json-workspace", run_render_json, true},
    {"job-to-json-workspace", run_job_to_json, true},
    {"audit-10-workspace", run_audit, true},
};

/* Until each of the blocks that a workspace keeps has been each part of a job. */
enum { WARM_UPS = 4 };

static void
measure(struct bench *bench, void (*run)(struct bench *bench), unsigned long repeats)
{
    struct allocator_counts before;

    for (int i = 0; i < WARM_UPS; i++)
        run(bench);
    before = allocator_counts;
    run(bench);
    before.calls = allocator_counts.calls - before.calls;
    before.bytes = allocator_counts.bytes - before.bytes;
    bench->is_measured = true;
    CALLGRIND_TOGGLE_COLLECT;
    for (unsigned long i = 0; i < repeats; i++)
        run(bench);
    CALLGRIND_TOGGLE_COLLECT;
    printf("%llu %llu %016llx\n", (unsigned long long)before.calls,
           (unsigned long long)before.bytes, (unsigned long long)bench->checksum);
}

int
main(int argc, char **argv)
{
    struct bench bench = {.checksum = 0};
    size_t chosen = 0;

    if (argc != 5 && argc != 6)
        return 2;
    while (chosen < sizeof(workloads) / sizeof(workloads[0]) &&
           strcmp(workloads[chosen].name, argv[1]) != 0)
        chosen++;
    if (chosen == sizeof(workloads) / sizeof(workloads[0]))
        return 2;
    if (workloads[chosen].has_workspace)
        bench.context = context_with_workspace();
    bench.runtime_text = text_read(argv[3]);
    bench.trainjob_text = text_read(argv[4]);
    bench.runtime = parse_document(NULL, &bench.runtime_text);
    if (workloads[chosen].run == run_parse_live)
        bench.trainjob = gang_document_ref(bench.runtime); /* no job is read */
    else
        bench.trainjob = parse_document(NULL, &bench.trainjob_text);
    bench.policy = argc == 6 ? parse_policy(argv[5]) : NULL;
    bench.inputs = inputs_of((struct gang_document *[]){bench.runtime, bench.policy}, 2);
    bench.last = inputs_of(&bench.policy, 1);
    if (gang_inputs_set_gang_index(bench.last, gang_document_num_gangs(bench.trainjob) - 1))
        return 2;
    measure(&bench, workloads[chosen].run, strtoul(argv[2], NULL, 10));
    gang_inputs_free(bench.last);
    gang_inputs_free(bench.inputs);
    gang_document_unref(bench.policy);
    gang_document_unref(bench.trainjob);
    gang_document_unref(bench.runtime);
    gang_context_unref(bench.context);
    text_free(&bench.trainjob_text);
    text_free(&bench.runtime_text);
    return 0;
}
