/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_test.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"

/* A test that is written from the present answers: a case for each gang of the inputs. */
struct recorder {
    const struct options *options;
    struct workbench *bench; /* with the jobs; each case is decided on its own, as a test is */
    struct json_object *cases;
    char *folder; /* where the test will be, without links */
    struct shared_files files;
};

/* ---- names of files ---- */

/* Returns the name of a file relative to the folder of the test, which ends in a slash. */
static struct json_object *
relative_name(const struct recorder *recorder, const char *file)
{
    char *path = realpath(file, NULL);
    const char *folder = recorder->folder;
    struct text *text = text_new();
    size_t common = 0; /* the length of the common folders, with the slash behind them */

    for (size_t i = 0; path && folder[i] && folder[i] == path[i]; i++)
        if (path[i] == '/')
            common = i + 1;
    for (const char *c = folder + common; path && *c; c++)
        text_add(text, *c == '/' ? "../" : "");
    text_add(text, path ? path + common : file); /* without a path: it was read, and is gone */
    free(path);
    return tree_new_text(text->data, text->len);
}

/* ---- cases ---- */

static void
add_file(const char **files, size_t *count, const char *file)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(files[i], file) == 0)
            return;
    files[(*count)++] = file;
}

static void
add_case(struct recorder *recorder, const struct policy_case *item)
{
    struct verdict verdict = {.item = item, .differences = tree_list()};
    struct json_object *expect = case_record(&verdict, recorder->options, &recorder->files);
    struct json_object *inputs, *map;

    if (!expect) {
        struct json_object *first = json_object_array_get_idx(verdict.differences, 0);

        complain(&recorder->bench->complaints, GANG_SEVERITY_ERROR, &item->document->origin, 1,
                 "%s is not recorded: %s", item->name, tree_text(first, "message"));
    } else {
        map = tree_map();
        tree_put_text(map, "name", item->name);
        inputs = tree_put_list(map, "inputs");
        for (size_t i = 0; i < item->num_inputs; i++)
            json_object_array_add(inputs, relative_name(recorder, item->inputs[i]));
        tree_put_text(map, "job", item->job);
        tree_put_text(map, "gang", item->gang);
        tree_put(map, "expect", expect);
        json_object_array_add(recorder->cases, map);
    }
    json_object_put(verdict.differences);
}

static void
record_job(struct recorder *recorder, const struct job *job)
{
    const struct documents *documents = &recorder->bench->documents;
    const char **files = must_reallocate(NULL, documents->count + 2, sizeof(*files));
    const struct document *document = job->document;
    struct policy_case item = {.document = document, .inputs = files};

    item.job = place_of(document->namespace_, document_title(document));
    item.name = formatted("%s %s", document->kind, item.job);
    if (gang_document_num_gangs(job->handle) > 1) {
        item.gang = formatted("%llu", (unsigned long long)job->gang);
        item.name = formatted("%s gang %s", item.name, item.gang);
    }
    /* The files of a job: of Grove's all, since its gangs depend on each other. */
    add_file(files, &item.num_inputs, job->document->origin.file);
    if (job->runtime)
        add_file(files, &item.num_inputs, job->runtime->document->origin.file);
    for (size_t i = 0; (job->podgang || job->set) && i < documents->count; i++)
        add_file(files, &item.num_inputs, documents->items[i].origin.file);
    add_case(recorder, &item);
    give_back(files);
}

/* ---- the document ---- */

static const char head[] =
    "# Recorded by gangctl policy test --record: what the policy decides today, right or wrong.\n"
    "# Read the cases before you rely on them, and give those that matter a name that says why.\n";

static struct json_object *
test_value(const struct recorder *recorder)
{
    const struct options *options = recorder->options;
    struct json_object *root = tree_map();
    struct json_object *spec;

    tree_put_text(root, "apiVersion", GANG_API_VERSION);
    tree_put_text(root, "kind", KIND_POLICY_TEST);
    tree_put_text(tree_map_in(root, "metadata"), "name", "recorded");
    spec = tree_map_in(root, "spec");
    if (options->policy)
        tree_put(spec, "policy", relative_name(recorder, options->policy));
    if (options->cluster)
        tree_put(spec, "cluster", relative_name(recorder, options->cluster));
    tree_share(spec, "cases", recorder->cases);
    return root;
}

int
policy_record(struct run *run)
{
    const struct options *options = run->options;
    struct workbench *bench = &run->bench;
    struct recorder recorder = {options, bench, tree_list(), NULL, {0}};
    const char *folder = options->argument ? options->argument : ".";
    char *path = realpath(folder, NULL);
    int status;
    struct text *out = text_new();

    bench->purpose = FOR_REPORTS;
    of_step((struct made){.tree = recorder.cases});
    if (path)
        recorder.folder = formatted("%s%s", path, path[1] ? "/" : "");
    else
        print_errorf("error: %s: No such file or directory\n", folder);
    free(path);
    if (!recorder.folder || !workbench_run(bench, options))
        return EXIT_COULD_NOT_RUN;
    for (size_t i = 0; i < bench->num_jobs && !bench->settings_failed; i++)
        record_job(&recorder, &bench->jobs[i]);
    shared_files_free(&recorder.files);
    if (!bench->num_jobs && !bench->complaints.errors)
        workbench_say_nothing_was_found(bench);
    status = complaints_print(&bench->complaints);
    if (tree_length(recorder.cases)) {
        text_add(out, head);
        tree_move(out, test_value(&recorder), OUTPUT_YAML, JSON_C_TO_STRING_PLAIN);
        if (!print_as(out, OUTPUT_YAML))
            status = EXIT_COULD_NOT_RUN;
    }
    return status;
}
