/* SPDX-License-Identifier: Apache-2.0 */
#include <json-c/json.h>
#include <string.h>

#include "commands.h"
#include "exit.h"
#include "report.h"

/* A plan nests no deeper than the manifests in it. */
enum { PLAN_DEPTH = 64 };

/*
 * The JSON text with every escape of a control character doubled, so that what is read back shows `\u001b` and obeys
 * none. The escapes of quotes and backslashes stay.
 */
static void
keep_escapes(struct text *out, const struct text *plan)
{
    for (size_t i = 0; i < plan->len; i++) {
        bool is_escape = plan->data[i] == '\\' && i + 1 < plan->len;

        if (is_escape && !strchr("\"\\/", plan->data[i + 1]))
            text_add(out, "\\");
        text_add_bytes(out, plan->data + i, is_escape ? 2 : 1);
        i += is_escape;
    }
}

static struct json_object *
plan_as_json(struct workbench *bench, const struct job *job)
{
    struct json_tokener *tokener = json_tokener_new_ex(PLAN_DEPTH);
    struct json_object *plan = NULL;
    struct text raw = {0};
    struct text text = {0};

    if (!tokener)
        out_of_memory();
    add_plan(&raw, bench, job, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    keep_escapes(&text, &raw);
    text_free(&raw);
    if (text.len)
        plan = json_tokener_parse_ex(tokener, text.data, (int)text.len);
    json_tokener_free(tokener);
    text_free(&text);
    return plan;
}

static void
add_report(struct text *out, struct workbench *bench, const struct job *job)
{
    struct json_object *plan = plan_as_json(bench, job);
    struct report_options options = {
        .policy = gang_policy_get_name(bench->policy),
        .cluster = gang_cluster_get_name(bench->cluster),
        .verbose = bench->complaints.verbose,
    };

    if (!plan) {
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the plan cannot be read");
        bench->complaints.could_not_run = true;
        return;
    }
    if (out->len)
        text_add(out, "\n");
    report_job(out, plan, job, &options);
    json_object_put(plan);
}

static void
explain_job(struct text *out, struct workbench *bench, const struct job *job, const struct options *options)
{
    if (options->output != OUTPUT_UNSET)
        add_plan(out, bench, job, GANG_TARGET_PLAN, options_format(options));
    else
        add_report(out, bench, job);
}

static bool
has_refused_job(const struct workbench *bench)
{
    for (size_t i = 0; i < bench->num_jobs; i++) {
        enum gang_outcome outcome = gang_decision_get_outcome(bench->jobs[i].decision);

        if (outcome == GANG_OUTCOME_DENIED || outcome == GANG_OUTCOME_INVALID)
            return true;
    }
    return false;
}

int
command_explain(const struct options *options)
{
    struct workbench bench = {.purpose = FOR_REPORTS};
    struct text out = {0};
    int status = EXIT_COULD_NOT_RUN;

    if (!workbench_run(&bench, options))
        goto end;
    if (bench.complaints.errors == 0) {
        for (size_t i = 0; i < bench.num_jobs; i++)
            explain_job(&out, &bench, &bench.jobs[i], options);
    }
    status = complaints_print(&bench.complaints);
    if (status == EXIT_DONE && !print_text(&out))
        status = EXIT_COULD_NOT_RUN;
    else if (status == EXIT_DONE && has_refused_job(&bench))
        status = EXIT_FINDINGS;
end:
    text_free(&out);
    workbench_free(&bench);
    return status;
}
