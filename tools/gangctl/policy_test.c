/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "exit.h"
#include "expectation.h"
#include "decision_json.h"
#include "policy_verdicts.h"

static void
add_difference(struct verdict *verdict, const char *field, struct json_object *expected,
               struct json_object *actual)
{
    struct json_object *difference = json_object_new_object();

    json_object_object_add(difference, "field", json_object_new_string(field));
    json_object_object_add(difference, "expected", json_object_get(expected));
    json_object_object_add(difference, "actual", json_object_get(actual));
    json_object_array_add(verdict->differences, difference);
}

static void
add_message(struct verdict *verdict, const char *message)
{
    struct json_object *difference = json_object_new_object();

    json_object_object_add(difference, "message", json_object_new_string(message));
    json_object_array_add(verdict->differences, difference);
}

static bool
is_named(const struct document *document, const char *name)
{
    size_t len = document->namespace_ ? strlen(document->namespace_) : 0;

    if (!document->name)
        return false;
    if (strcmp(document->name, name) == 0)
        return true;
    return len && strncmp(document->namespace_, name, len) == 0 && name[len] == '/' &&
           strcmp(document->name, name + len + 1) == 0;
}

/* Says which jobs there are: a case has few inputs. */
static void
add_missing_job(const struct workbench *bench, struct verdict *verdict)
{
    struct text text = {0};

    text_addf(&text, "no job %s is among the inputs",
              verdict->item->job ? verdict->item->job : "at all");
    for (size_t i = 0; i < bench->num_jobs; i++)
        if (!i || bench->jobs[i].document != bench->jobs[i - 1].document)
            text_addf(&text, "%s%s", i ? ", " : ", which have ",
                      bench->jobs[i].document->name ? bench->jobs[i].document->name : "-");
    add_message(verdict, text.data);
    text_free(&text);
}

/* NULL after reporting that no job or more than one matches. */
static const struct job *
find_job(const struct workbench *bench, struct verdict *verdict)
{
    const char *name = verdict->item->job;
    const struct job *found = NULL;

    for (size_t i = 0; i < bench->num_jobs; i++) {
        if (name && !is_named(bench->jobs[i].document, name))
            continue;
        if (found) {
            add_message(verdict,
                        found->document == bench->jobs[i].document
                            ? "the job has several gangs: set gang to a number or a name"
                            : "more than one job matches: set job to name or namespace/name");
            return NULL;
        }
        found = &bench->jobs[i];
    }
    if (!found)
        add_missing_job(bench, verdict);
    return found;
}

/*
 * Checks the case itself: files, names, the policy. Findings of the library about a job can be
 * expected by the case.
 */
static bool
add_faults(struct verdict *verdict, const struct workbench *bench)
{
    size_t before = json_object_array_length(verdict->differences);

    for (size_t i = 0; i < bench->complaints.count; i++) {
        const struct complaint *complaint = &bench->complaints.items[i];
        struct text text = {0};

        if (complaint->severity != GANG_SEVERITY_ERROR ||
            (complaint->id && !bench->settings_failed))
            continue;
        complaint_add_text(&text, complaint);
        while (text.len && text.data[text.len - 1] == '\n')
            text.data[--text.len] = '\0';
        add_message(verdict, text.data);
        text_free(&text);
    }
    return json_object_array_length(verdict->differences) > before;
}

/* Returns the answer for a job whose documents are refused. */
static struct json_object *
refused_as_json(void)
{
    struct json_object *tree = json_object_new_object();

    json_object_object_add(tree, "outcome",
                           json_object_new_string(gang_outcome_name(GANG_OUTCOME_INVALID)));
    return tree;
}

static void
compare(struct verdict *verdict, const struct answer *answer)
{
    json_object_object_foreach(verdict->item->expect, key, expected)
    {
        struct json_object *actual = expectation_actual(answer, key, expected);

        if (!json_object_equal(expected, actual))
            add_difference(verdict, key, expected, actual);
        json_object_put(actual);
    }
}

static void
judge(struct workbench *bench, struct verdict *verdict)
{
    struct answer answer = {.complaints = &bench->complaints};
    const struct job *job;

    if (add_faults(verdict, bench))
        return;
    job = find_job(bench, verdict);
    if (!job)
        return;
    answer.decision = job->decision;
    answer.plan = job->plan;
    answer.tree = job->decision ? decision_as_json(bench, job) : refused_as_json();
    if (answer.tree)
        compare(verdict, &answer);
    json_object_put(answer.tree);
}

/*
 * -p and --cluster override the files of the document, to run another policy against the same
 * cases.
 */
static struct options
options_of_case(const struct policy_case *item, const struct options *options)
{
    return (struct options){
        .inputs = item->inputs,
        .num_inputs = item->num_inputs,
        .policy = options->policy ? options->policy : item->policy,
        .cluster = options->cluster ? options->cluster : item->cluster,
        .gang = item->gang,
        .strict = options->strict,
    };
}

static struct verdict
try_case(const struct policy_case *item, const struct options *options, bool *could_not_run)
{
    struct verdict verdict = {.item = item, .differences = json_object_new_array()};
    struct options case_options = options_of_case(item, options);
    struct workbench bench = {.purpose = FOR_REPORTS};

    if (workbench_run(&bench, &case_options)) {
        judge(&bench, &verdict);
    } else {
        add_message(&verdict, "a file cannot be read");
        *could_not_run = true;
    }
    *could_not_run |= bench.complaints.could_not_run;
    workbench_free(&bench);
    return verdict;
}

static void
try_cases(struct verdicts *verdicts, const struct policy_cases *cases,
          const struct options *options)
{
    verdicts->broken = cases->broken;
    verdicts->items = must_reallocate(NULL, cases->count + 1, sizeof(*verdicts->items));
    for (; verdicts->count < cases->count; verdicts->count++) {
        struct verdict verdict =
            try_case(&cases->items[verdicts->count], options, &verdicts->could_not_run);

        verdicts->failed += json_object_array_length(verdict.differences) > 0;
        verdicts->items[verdicts->count] = verdict;
    }
}

/* Reads the files that mention a test. Others are read only if a case names them. */
static bool
read_tests(struct workbench *bench, const struct options *options)
{
    workbench_start(bench, 0);
    if (!source_list_read(&bench->sources, options->argument, options->walk))
        return false;
    for (size_t i = 0; i < bench->sources.count; i++) {
        const struct source *source = bench->sources.items[i];

        if (source->len && strstr(source->data, KIND_POLICY_TEST))
            documents_add(&bench->documents, source, bench->context, &bench->complaints);
    }
    return true;
}

/* Other documents of these files are not read. */
static void
read_cases(struct policy_cases *cases, const struct workbench *bench, struct complaints *complaints)
{
    for (size_t i = 0; i < bench->documents.count; i++) {
        const struct document *document = &bench->documents.items[i];

        if (document->kind && strcmp(document->kind, KIND_POLICY_TEST) == 0)
            policy_cases_read(cases, document, complaints);
    }
    if (!cases->count && !complaints->errors)
        complain(complaints, GANG_SEVERITY_ERROR, NULL, 0, "no %s is among the files",
                 KIND_POLICY_TEST);
}

static int
test_status(const struct verdicts *verdicts, int status)
{
    if (status == EXIT_COULD_NOT_RUN || verdicts->could_not_run)
        return EXIT_COULD_NOT_RUN;
    return verdicts->failed ? EXIT_FINDINGS : status;
}

int
command_policy_test(const struct options *options)
{
    struct workbench bench = {0};
    struct policy_cases cases = {0};
    struct verdicts verdicts = {0};
    struct text out = {0};
    int status = EXIT_COULD_NOT_RUN;

    if (!read_tests(&bench, options))
        goto end;
    read_cases(&cases, &bench, &bench.complaints);
    try_cases(&verdicts, &cases, options);
    verdicts_add(&out, &verdicts, options->output);
    status = complaints_print(&bench.complaints);
    status = cases.count && !print_as(&out, options->output) ? EXIT_COULD_NOT_RUN
                                                             : test_status(&verdicts, status);
end:
    verdicts_free(&verdicts);
    text_free(&out);
    policy_cases_free(&cases);
    workbench_free(&bench);
    return status;
}
