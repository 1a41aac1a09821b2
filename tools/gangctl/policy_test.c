/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

#include <string.h>

#include "commands.h"

/* The result for the job of a case. */
struct answer {
    const struct job *job;               /* without a decision: its documents are refused */
    const struct complaints *complaints; /* the complaints about refused documents */
    /* the GangDecision, for values without an accessor; incomplete for refused documents */
    struct json_object *tree;
};

static int
compare_codes(const void *a, const void *b)
{
    struct json_object *const *left = a;
    struct json_object *const *right = b;

    return strcmp(json_object_get_string(*left), json_object_get_string(*right));
}

static void
add_code(struct json_object *codes, int severity, const char *code)
{
    if (severity != GANG_SEVERITY_INFO && !tree_has_text(codes, code))
        tree_add_text(codes, code);
}

static struct json_object *
read_findings(const struct answer *answer, struct json_object *expected)
{
    const struct gang_decision *decision = answer->job->decision;
    struct json_object *codes = tree_list();

    (void)expected;
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        add_code(codes, gang_diagnostic_get_severity(diagnostic),
                 gang_diagnostic_get_id(diagnostic));
    }
    for (size_t i = 0; !decision && i < answer->complaints->count; i++) {
        const struct complaint *complaint = &answer->complaints->items[i];

        add_code(codes, complaint->severity, or_empty(complaint->id));
    }
    json_object_array_sort(codes, compare_codes);
    return codes;
}

static struct json_object *
read_objects(const struct answer *answer, struct json_object *expected)
{
    const struct gang_plan *plan = answer->job->plan;
    struct json_object *kinds = tree_list();

    (void)expected;
    for (size_t i = 0; i < gang_plan_num_objects(plan); i++)
        tree_add_text(kinds, gang_object_get_kind(gang_plan_get_object(plan, i)));
    return kinds;
}

/*
 * Returns for each attribute in `expect` where its value is, as "policy spec.rules[0].queue", or
 * the reason if it is in no document.
 */
static struct json_object *
read_chosen(const struct answer *answer, struct json_object *expected)
{
    struct json_object *trace = tree_member(answer->tree, "trace");
    struct json_object *places;

    if (!json_object_is_type(expected, json_type_object))
        return NULL;
    places = tree_map();
    json_object_object_foreach(expected, attribute, ignored)
    {
        struct json_object *entry = tree_find(trace, "attribute", attribute);
        struct json_object *chosen =
            tree_find(tree_member(entry, "candidates"), "verdict", "Chosen");
        const char *document = json_object_get_string(tree_member(chosen, "document"));
        const char *path = json_object_get_string(tree_member(chosen, "path"));

        (void)ignored;
        tree_put(places, attribute,
                 document && path ? json_object_new_string(formatted("%s %s", document, path))
                                  : json_object_get(tree_member(chosen, "reason")));
    }
    return places;
}

/* In the order of the documentation. */
static const struct expectation {
    const char *key;
    const char *section; /* of the GangDecision; NULL: the top level */
    const char *member;
    /* Returns a new reference; NULL: the field itself is read. */
    struct json_object *(*read)(const struct answer *answer, struct json_object *expected);
} expectations[] = {
    {"outcome", NULL, "outcome", NULL},
    {"backend", "backend", "name", NULL},
    {"type", "backend", "type", NULL},
    {"apiVersion", "backend", "apiVersion", NULL},
    {"schedulerName", "backend", "schedulerName", NULL},
    {"queue", "gang", "queue", NULL},
    {"priorityClassName", "gang", "priorityClassName", NULL},
    {"scheduleTimeoutSeconds", "gang", "scheduleTimeoutSeconds", NULL},
    {"topology", "gang", "topology", NULL},
    {"minimum", "gang", "minimum", NULL},
    {"members", "gang", "members", NULL},
    {"lateMembers", "gang", "lateMembers", NULL},
    {"pods", "gang", "pods", NULL},
    {"resources", "gang", "resources", NULL},
    {"objects", NULL, NULL, read_objects},
    {"diagnostics", NULL, NULL, read_findings},
    {"chosen", NULL, NULL, read_chosen},
};

void
expectation_add_schema(struct json_object *properties)
{
    for (size_t i = 0; i < COUNT_OF(expectations); i++)
        tree_put(properties, expectations[i].key, tree_map());
}

/*
 * Returns the actual value for a key of `expect`, as a new reference; NULL if absent. Findings are
 * the codes of errors and warnings, sorted and without duplicates. An attribute includes the source
 * of its value.
 */
static struct json_object *
expectation_actual(const struct answer *answer, const char *key, struct json_object *expected)
{
    const struct expectation *expectation = expectations;
    struct json_object *section = answer->tree;

    while (strcmp(expectation->key, key) != 0)
        expectation++;

    if (expectation->read)
        return expectation->read(answer, expected);
    if (expectation->section)
        section = tree_member(section, expectation->section);
    return json_object_get(tree_member(section, expectation->member));
}

static void
add_message(struct verdict *verdict, const char *message)
{
    struct json_object *difference = tree_map();

    tree_put_text(difference, "message", message);
    json_object_array_add(verdict->differences, difference);
}

/* Says which jobs there are, of a case that has few inputs, and which one was probably meant. */
static void
add_missing_job(const struct workbench *bench, struct verdict *verdict)
{
    const struct documents *documents = &bench->documents;
    const char *wanted = verdict->item->job;
    struct nearest_search search = nearest_start(slice_from_text(wanted));
    const char *before = ", which have ";
    struct text *text = text_new();

    text_addf(text, "no job %s is among the inputs", wanted ? wanted : "at all");
    for (size_t i = 0; i < documents->count; i++) {
        const char *name;
        struct complaints ignored = {0};
        const enum gang_document_type role = document_role(&documents->items[i], &ignored);

        complaints_free(&ignored);
        if (role != GANG_DOCUMENT_TRAINJOB && role != GANG_DOCUMENT_JOB &&
            role != GANG_DOCUMENT_PODGANG && role != GANG_DOCUMENT_PODCLIQUESET)
            continue;
        name = document_title(&documents->items[i]);
        name = name ? name : "-";
        nearest_try(&search, slice_from_text(name));
        text_addf(text, "%s%s", before, name);
        before = ", ";
    }
    if (wanted && search.found)
        text_addf(text, "; did you mean \"%s\"?", search.found);
    add_message(verdict, text->data);
}

/* Faults of the case itself: it can expect the library's findings about a job. */
static bool
add_faults(struct verdict *verdict, const struct workbench *bench)
{
    size_t before = tree_length(verdict->differences);

    for (EACH(const struct complaint, complaint, bench->complaints.items,
              bench->complaints.count)) {
        struct text *text = text_new();

        if (complaint->severity != GANG_SEVERITY_ERROR ||
            (complaint->id && !bench->settings_failed))
            continue;
        complaint_add_text(text, complaint);
        while (text->len && text->data[text->len - 1] == '\n')
            text->data[--text->len] = '\0';
        add_message(verdict, text->data);
    }
    return tree_length(verdict->differences) > before;
}

/* An attribute that no trace has would never be chosen, and a case that expects null would pass. */
static void
refuse_unknown_attributes(struct verdict *verdict, const struct answer *answer)
{
    struct json_object *trace = tree_member(answer->tree, "trace");
    struct json_object *chosen = tree_member(verdict->item->expect, "chosen");

    if (!tree_length(trace) || !json_object_is_type(chosen, json_type_object))
        return;
    json_object_object_foreach(chosen, attribute, ignored)
    {
        struct nearest_search search = nearest_start(slice_from_text(attribute));
        struct text *text = text_new();

        (void)ignored;
        if (tree_find(trace, "attribute", attribute))
            continue;
        for (TREE_EACH(entry, trace))
            nearest_try(&search, slice_from_text(tree_text(*entry, "attribute")));
        text_addf(text, "chosen: no attribute is called %s", attribute);
        if (search.found)
            text_addf(text, "; did you mean \"%s\"?", search.found);
        add_message(verdict, text->data);
    }
}

/* Returns false after adding to the verdict why the case has no answer. */
static bool
take_answer(struct workbench *bench, struct verdict *verdict, struct answer *answer)
{
    const bool is_missing = verdict->item->job && !bench->num_jobs && !bench->settings_failed;
    const struct job *job = NULL;

    if (is_missing || !add_faults(verdict, bench)) {
        if (!bench->num_jobs)
            add_missing_job(bench, verdict);
        else if (bench->num_jobs > 1)
            add_message(verdict,
                        has_one_document(bench)
                            ? "the job has several gangs: set gang to a number or a name"
                            : "more than one job matches: set job to name or namespace/name");
        job = bench->num_jobs == 1 ? &bench->jobs[0] : NULL;
    }
    if (!job)
        return false;
    *answer = (struct answer){job, &bench->complaints, NULL};
    if (job->decision) {
        answer->tree = decision_as_json(bench, job);
    } else { /* its documents are refused */
        answer->tree = tree_map_of_step();
        tree_put_text(answer->tree, "outcome", gang_outcome_name(GANG_OUTCOME_INVALID));
    }
    return answer->tree;
}

static void
judge(struct workbench *bench, struct verdict *verdict, struct coverage *coverage)
{
    struct answer answer = {0};

    if (!take_answer(bench, verdict, &answer))
        return;
    if (coverage->is_wanted && bench->policy.documents.count)
        coverage_take(coverage, &bench->policy.documents.items[0], answer.tree);
    refuse_unknown_attributes(verdict, &answer);
    json_object_object_foreach(verdict->item->expect, key, expected)
    {
        struct json_object *actual = expectation_actual(&answer, key, expected);

        if (!json_object_equal(expected, actual)) {
            struct json_object *difference = tree_map();

            tree_put_text(difference, "field", key);
            tree_put(difference, "expected", json_object_get(expected));
            tree_put(difference, "actual", json_object_get(actual));
            json_object_array_add(verdict->differences, difference);
        }
        json_object_put(actual);
    }
}

static struct options
options_of_case(const struct policy_case *item, const struct options *options)
{
    return (struct options){
        .inputs = item->inputs,
        .num_inputs = item->num_inputs,
        .policy = options->policy ? options->policy : item->policy,
        .cluster = options->cluster ? options->cluster : item->cluster,
        .gang = item->gang,
        .selection = {.job = item->job},
        .strict = options->strict,
    };
}

/* Reads the files of a case, outside of its step. */
static void
add_files(struct shared_files *files, const struct options *of_case)
{
    for (size_t i = 0; i < of_case->num_inputs; i++)
        shared_files_add(files, of_case->inputs[i]);
    shared_files_add(files, of_case->policy);
    shared_files_add(files, of_case->cluster);
}

/* Decides the jobs of a case; returns false after adding to the verdict that a file is missing. */
static bool
run_case(struct workbench *bench, struct verdict *verdict, const struct options *of_case)
{
    if (workbench_run(bench, of_case))
        return true;
    add_message(verdict, "a file cannot be read");
    bench->complaints.could_not_run = true;
    return false;
}

/* What a reader would state of a gang, and of a job that is refused. */
static const char *const keys_of_gang[] = {
    "outcome", "backend", "schedulerName", "queue", "priorityClassName", "minimum", NULL};
static const char *const keys_of_refusal[] = {"outcome", "diagnostics", NULL};

struct json_object *
case_record(struct verdict *verdict, const struct options *options, struct shared_files *files)
{
    const struct options of_case = options_of_case(verdict->item, options);
    struct workbench bench = {.purpose = FOR_REPORTS, .shared = files};
    struct json_object *expect = NULL;
    struct answer answer = {0};
    struct step step;

    add_files(files, &of_case);
    step_start(&step);
    if (run_case(&bench, verdict, &of_case) && take_answer(&bench, verdict, &answer)) {
        const char *outcome = tree_text(answer.tree, "outcome");
        bool is_gang = strcmp(outcome, gang_outcome_name(GANG_OUTCOME_GANG)) == 0;
        bool is_none = strcmp(outcome, gang_outcome_name(GANG_OUTCOME_NO_GANG)) == 0;
        const char *const *keys = is_gang ? keys_of_gang : keys_of_refusal;

        expect = tree_map();
        for (size_t i = 0; keys[i] && (i == 0 || !is_none); i++) {
            struct json_object *actual = expectation_actual(&answer, keys[i], NULL);

            if (actual)
                tree_put(expect, keys[i], actual);
        }
    }
    workbench_free(&bench);
    step_end(&step);
    return expect;
}

static void
try_cases(struct verdicts *verdicts, const struct policy_cases *cases,
          const struct options *options)
{
    struct shared_files files = {0};

    verdicts->coverage.is_wanted = options->coverage || options->min_coverage;
    verdicts->coverage.at_least = (unsigned)options->min_coverage;
    for (EACH(const struct policy_case, item, cases->items, cases->count)) {
        const struct options of_case = options_of_case(item, options);
        struct verdict verdict = {.item = item, .differences = tree_list()};
        struct workbench bench = {.purpose = FOR_REPORTS, .shared = &files};
        struct step step;

        of_step((struct made){.tree = verdict.differences});
        if (!item->fault)
            add_files(&files, &of_case);
        step_start(&step);
        if (item->fault)
            add_message(&verdict, item->fault);
        else if (run_case(&bench, &verdict, &of_case))
            judge(&bench, &verdict, &verdicts->coverage);
        verdicts->could_not_run |= bench.complaints.could_not_run;
        workbench_free(&bench);
        step_end(&step);

        verdicts->failed += tree_length(verdict.differences) > 0;
        APPEND(verdicts->items, verdicts->count, verdict);
    }
    shared_files_free(&files);
}

/* Reads the tests of all files that mention one. Other files are read only if a case names them. */
int
command_policy_test(struct run *run)
{
    const struct options *options = run->options;
    struct workbench *bench = &run->bench;
    struct complaints *complaints = &bench->complaints;
    struct policy_cases cases = {0};
    struct verdicts verdicts = {0};
    int status;

    if (options->record)
        return policy_record(run);
    workbench_start(bench, options, 0);
    if (!source_list_read(&bench->sources, options->argument, options->walk))
        return EXIT_COULD_NOT_RUN;
    for (size_t i = 0; i < bench->sources.count; i++) {
        const struct source *source = bench->sources.items[i];

        if (source->len && strstr(source->data, KIND_POLICY_TEST))
            workbench_add_source(bench, &bench->documents, source);
    }
    policy_cases_add_faults(&cases, complaints);
    for (size_t i = 0; i < bench->documents.count; i++)
        if (is_same_text(bench->documents.items[i].kind, KIND_POLICY_TEST))
            policy_cases_read(&cases, &bench->documents.items[i], complaints);
    if (!cases.count)
        complain(complaints, GANG_SEVERITY_ERROR, NULL, 0, "no %s is among the files",
                 KIND_POLICY_TEST);
    try_cases(&verdicts, &cases, options);
    if (verdicts.count)
        verdicts_add(&run->out, &verdicts, options->output);
    status = complaints_print(complaints);
    if (verdicts.could_not_run)
        status = EXIT_COULD_NOT_RUN;
    else if (status == EXIT_DONE && (verdicts.failed || !coverage_is_enough(&verdicts.coverage)))
        status = EXIT_FINDINGS;
    return status;
}
