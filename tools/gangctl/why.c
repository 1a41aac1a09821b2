/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "audit.h"
#include "commands.h"
#include "live.h"

/* Takes an answer of gang_diagnose(), as JSON and in the requested format. */
typedef void (*why_taker)(void *context, struct json_object *why, const struct gang_blob *blob);

/* The answers of the library, and how bad they are. */
struct answers {
    why_taker take;
    void *context;
    enum gang_format format;         /* of what is taken */
    bool is_bad;                     /* some gang is stuck */
    bool is_unknown;                 /* of some gang it cannot be told */
    const struct document *document; /* of the last answer, and its group; NULL if absent */
    char *group;
};

/* ---- input ---- */

/* The items of a list are read one by one. Those of these kinds belong to jobs, and are none. */
static void
take_job(void *context, const struct chunk *chunk, const struct origin *origin)
{
    static const char *const others[] = {"Pod", "Event", "Node", "PodGroup", "Queue", NULL};
    struct workbench *bench = context;

    if (is_among(chunk->kind, others))
        bench->has_others = true;
    else
        workbench_take(bench, chunk, origin);
}

static bool
read_inputs(struct workbench *bench, const struct options *options, struct source *live)
{
    struct text all = {0};

    workbench_start(bench, options, options->max_documents ? options->max_documents : 10000);
    if (!workbench_read(bench))
        return false;
    for (size_t i = 0; i < options->num_lives; i++)
        if (!source_list_read(&bench->sources, options->lives[i], WALK_RECURSIVE))
            return false;
    for (size_t i = bench->num_inputs; i < bench->sources.count; i++) {
        const struct source *source = bench->sources.items[i];

        if (!live->name)
            live->name = source->name;
        if (all.len)
            text_add(&all, all.data[all.len - 1] == '\n' ? "---\n" : "\n---\n");
        text_add_bytes(&all, source->data, source->len);
        if (!options->num_inputs) /* then the jobs are among the live objects */
            feed_source(source, take_job, bench);
    }
    live->data = all.data;
    live->len = all.len;
    if (!workbench_read_settings(bench))
        return false;
    workbench_parse(bench);
    return true;
}

/* ---- jobs ---- */

static const char *
uid_of(struct json_object *tree)
{
    return tree_text(tree_member(tree, "metadata"), "uid");
}

/* Returns the uid of the controller; NULL if there is none. */
static const char *
controller_of(struct json_object *tree)
{
    struct json_object *owners = tree_member(tree_member(tree, "metadata"), "ownerReferences");

    for (TREE_EACH(owner, owners)) {
        if (json_object_get_boolean(tree_member(*owner, "controller")))
            return tree_text(*owner, "uid");
    }
    return NULL;
}

/*
 * The JobSet of a TrainJob and the Jobs of a JobSet are parts of the job, and no jobs; nor is a job
 * that was given before, which files of one dump can have.
 */
static bool *
find_parts(const struct workbench *bench)
{
    bool *is_part = must_reallocate(NULL, bench->num_jobs + 1, sizeof(*is_part));
    struct json_object **trees = must_reallocate(NULL, bench->num_jobs + 1, sizeof(*trees));
    struct json_object *uids;
    struct step step;

    step_start(&step);
    uids = tree_map_of_step();
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct document *document = bench->jobs[i].document;

        trees[i] = document_tree(document->data, document->len);
        is_part[i] =
            trees[i] && uid_of(trees[i]) && json_object_object_get_ex(uids, uid_of(trees[i]), NULL);
        if (trees[i] && uid_of(trees[i]))
            tree_put(uids, uid_of(trees[i]), NULL);
    }
    for (size_t i = 0; i < bench->num_jobs; i++) {
        const char *owner = controller_of(trees[i]);

        is_part[i] |= owner && json_object_object_get_ex(uids, owner, NULL);
    }
    step_end(&step);
    give_back(trees);
    return is_part;
}

/* ---- text ---- */

static void
add_evidence(struct text *out, struct json_object *list)
{
    if (tree_length(list))
        text_add(out, "evidence:\n");
    for (TREE_EACH(one, list)) {
        const char *value = tree_text(*one, "value");
        const char *time = tree_text(*one, "time");
        struct text *line = text_new();

        text_addf(line, "  %s %s", text_of(*one, "object"), text_of(*one, "path"));
        if (value && *value)
            text_addf(line, " = %s", value);
        if (time)
            text_addf(line, " (%s)", time);
        if (json_object_get_boolean(tree_member(*one, "stale")))
            text_add(line, " (no longer true)");
        text_add_line(out, line->data);
    }
}

/* "GANG1055 NoRoomNow: message", or "Node: effect". */
static void
add_list(struct text *out, const char *title, struct json_object *list, const char *key,
         const char *text)
{
    if (tree_length(list))
        text_add(out, title);
    for (TREE_EACH(one, list)) {
        text_add_line(out, formatted("  %s: %s", text_of(*one, key), text_of(*one, text)));
    }
}

static void
add_why(struct text *out, struct json_object *why)
{
    struct json_object *job = tree_member(why, "job");
    struct json_object *cause = tree_member(why, "cause");

    if (out->len)
        text_add(out, "\n");
    text_addf(out, "%s %s", printable(text_of(job, "kind")),
              printable(place_of(tree_text(job, "namespace"), tree_text(job, "name"))));
    if (tree_member(job, "gang"))
        text_addf(out, " gang %lld", (long long)tree_int(job, "gang"));
    text_addf(out, ": %s: %s [%s %s, %s]\n", text_of(why, "verdict"),
              printable(text_of(cause, "message")), text_of(cause, "code"),
              text_of(cause, "reason"), text_of(cause, "certainty"));
    add_evidence(out, tree_member(why, "evidence"));
    if (!tree_text_is(why, "verdict", "Started") && !tree_text_is(why, "verdict", "Finished")) {
        struct json_object *commands = tree_member(tree_member(why, "remedy"), "commands");

        text_add(out, "remedy:\n");
        text_add_line(out, formatted("  %s", text_of(tree_member(why, "remedy"), "message")));
        for (TREE_EACH(item, commands))
            text_add_line(out, formatted("  $ %s", json_object_get_string(*item)));
    }
    add_list(out, "also:\n", tree_member(why, "also"), "reason", "message");
    add_list(out, "not checked:\n", tree_member(why, "missing"), "kind", "effect");
}

/* ---- answers ---- */

static struct gang_blob *
diagnose(struct workbench *bench, struct job *job, const struct live *live, enum gang_format format)
{
    struct gang_inputs *inputs = workbench_inputs(bench, job);
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    const int result = gang_diagnose(live->context, job_document(job), inputs, live->document,
                                     bench->options->now, (int)format, 0, &blob, &error);

    gang_inputs_free(inputs);
    complain_error(&bench->complaints, &job->origins, result, error);
    of_step((struct made){.blob = blob});
    return blob;
}

static void
answer_job(struct answers *answers, struct workbench *bench, struct job *job,
           const struct live *live)
{
    struct gang_blob *blob = diagnose(bench, job, live, GANG_FORMAT_JSON);
    struct json_object *why;
    const char *group;
    bool is_answered;

    if (!blob)
        return;
    why = json_of_blob(gang_blob_ref(blob));
    group = tree_text(why, "group");
    /* The gangs that a job would have by its stages can be one, which somebody else made. */
    is_answered =
        group && answers->document == job->document && is_same_text(answers->group, group);
    give_back(answers->group);
    answers->group = copy_text(group);
    answers->document = job->document;
    if (is_answered)
        return;
    if (answers->format != GANG_FORMAT_JSON)
        blob = diagnose(bench, job, live, answers->format);
    answers->is_bad |=
        tree_text_is(why, "verdict", "Stuck") || tree_text_is(why, "verdict", "Impossible");
    answers->is_unknown |= tree_text_is(why, "verdict", "CannotTell");
    answers->take(answers->context, why, blob);
}

static void
answer_all(struct answers *answers, struct workbench *bench, const struct live *live)
{
    bool *is_part = find_parts(bench);

    for (size_t i = 0; i < bench->num_jobs; i++) {
        struct job *job = &bench->jobs[i];
        const size_t before = bench->complaints.count;
        struct step step;

        if (is_part[i] || !job_document(job))
            continue;
        step_start(&step);
        /* A TrainJob whose runtime is not given is read from its JobSet. */
        if (is_trainjob(job) && job->handle)
            job->runtime = match_runtime(bench, job);
        complaints_cut(&bench->complaints, before);
        answer_job(answers, bench, job, live);
        step_end(&step);
    }
}

static int
why_each(struct run *run, enum gang_format format, why_taker take, void *context)
{
    struct workbench *bench = &run->bench;
    struct answers answers = {.take = take, .context = context, .format = format};
    struct live live = {0};
    struct source source = {0};

    bench->purpose = FOR_REPORTS;
    bench->is_read_only = true;
    if (read_inputs(bench, run->options, &source) &&
        live_parse(bench, &source, GANG_LIVE_DIAGNOSE, &live) && !bench->settings_failed)
        answer_all(&answers, bench, &live);
    else if (!bench->complaints.errors)
        return EXIT_COULD_NOT_RUN;
    if (complaints_print(&bench->complaints) != EXIT_DONE)
        return EXIT_COULD_NOT_RUN;
    if (answers.is_bad)
        return EXIT_FINDINGS;
    return answers.is_unknown ? EXIT_CANNOT_TELL : EXIT_DONE;
}

/* What `gangctl why` prints. */
struct why_output {
    struct text *out;
    size_t count;
    enum gang_format format; /* GANG_FORMAT_TEXT for people */
};

static void
take_why(void *context, struct json_object *why, const struct gang_blob *blob)
{
    struct why_output *output = context;

    output->count++;
    if (output->format == GANG_FORMAT_TEXT)
        add_why(output->out, why);
    else
        add_blob(output->out, blob, output->format);
}

int
command_why(struct run *run)
{
    static const enum gang_format formats[] = {
        [OUTPUT_TEXT] = GANG_FORMAT_TEXT,
        [OUTPUT_JSON] = GANG_FORMAT_JSON,
        [OUTPUT_YAML] = GANG_FORMAT_YAML,
        [OUTPUT_SVG] = GANG_FORMAT_SVG,
    };
    struct why_output output = {.out = &run->out, .format = formats[run->options->output]};
    int status = why_each(run, output.format == GANG_FORMAT_TEXT ? GANG_FORMAT_JSON : output.format,
                          take_why, &output);

    if (output.format != GANG_FORMAT_SVG || output.count <= 1)
        return status;
    print_errorf("error: %zu gangs; choose one for a picture with --job and --gang\n",
                 output.count);
    run->out.len = 0;
    return EXIT_COULD_NOT_RUN;
}

/* `gangctl audit --live`: why each gang of a cluster does not start, and totals by cause. */

static const struct {
    const char *title; /* of a table; NULL: not there */
    const char *key;
    const char *parent; /* in the answer; NULL: the answer itself */
} live_columns[] = {
    {"NAMESPACE", "namespace", "job"},
    {"NAME", "name", "job"},
    {NULL, "gang", "job"},
    {"KIND", "kind", "job"},
    {"VERDICT", "verdict", NULL},
    {NULL, "code", "cause"},
    {"CAUSE", "reason", "cause"},
    {"CERTAINTY", "certainty", "cause"},
    {"MESSAGE", "message", "cause"},
};
enum { NUM_LIVE_COLUMNS = COUNT_OF(live_columns) };

struct live_audit {
    struct json_object *rows;
    struct json_object *causes; /* map by verdict and reason of the items of `totals.causes` */
    struct json_object *verdicts;
};

static void
take_row(void *context, struct json_object *why, const struct gang_blob *blob)
{
    struct live_audit *audit = context;
    struct json_object *row = tree_map();
    const char *verdict = tree_text(why, "verdict");
    const char *reason = tree_text(tree_member(why, "cause"), "reason");
    struct json_object *cause;

    (void)blob;
    tree_put_text(row, "apiVersion", GANG_API_VERSION);
    for (size_t i = 0; i < NUM_LIVE_COLUMNS; i++) {
        const char *parent = live_columns[i].parent;

        tree_share(row, live_columns[i].key,
                   tree_member(parent ? tree_member(why, parent) : why, live_columns[i].key));
    }
    if (verdict && reason) {
        cause = tree_map_in(audit->causes, formatted("%s %s", verdict, reason));
        tree_put_text(cause, "verdict", verdict);
        tree_put_text(cause, "code", tree_text(row, "code"));
        tree_put_text(cause, "reason", reason);
        tree_count(cause, "gangs");
        tree_count(audit->verdicts, verdict);
    }
    json_object_array_add(audit->rows, row);
}

/* ---- formats ---- */

/* Adds a table, the causes, and below them "3 gangs: 2 Stuck, 1 Waiting". */
static void
add_text(struct text *out, struct json_object *rows, struct json_object *totals)
{
    struct json_object *causes = tree_member(totals, "causes");
    const long long gangs = tree_int(totals, "gangs");
    const char *before = ": ";
    struct table table = {0};

    for (size_t i = 0; i < NUM_LIVE_COLUMNS; i++)
        table.num_columns += live_columns[i].title != NULL;
    for (size_t i = 0; gangs && i < NUM_LIVE_COLUMNS; i++)
        if (live_columns[i].title)
            table_add(&table, live_columns[i].title);
    for (TREE_EACH(item, rows))
        for (size_t k = 0; k < NUM_LIVE_COLUMNS; k++)
            if (live_columns[k].title)
                table_add(&table, printable(text_of(*item, live_columns[k].key)));
    table_move(out, &table);
    text_add(out, tree_length(causes) ? "\n" : "");
    for (TREE_EACH(cause, causes)) {
        text_addf(out, "%7lld  %-10s %s %s\n", (long long)tree_int(*cause, "gangs"),
                  tree_text(*cause, "verdict"), tree_text(*cause, "code"),
                  tree_text(*cause, "reason"));
    }
    text_addf(out, "%lld gang%s", gangs, gangs == 1 ? "" : "s");
    json_object_object_foreach(tree_member(totals, "verdicts"), verdict, count)
    {
        text_addf(out, "%s%lld %s", before, (long long)json_object_get_int64(count), verdict);
        before = ", ";
    }
    text_add(out, "\n");
}

int
audit_live(struct run *run)
{
    const enum output output = run->options->output;
    struct live_audit audit = {
        .rows = tree_list(), .causes = tree_map_of_step(), .verdicts = tree_map_of_step()};
    int status = why_each(run, GANG_FORMAT_JSON, take_row, &audit);
    struct json_object *totals = tree_map();
    struct json_object *document = tree_map_of_step();

    tree_put_number(totals, "gangs", tree_length(audit.rows));
    tree_put(totals, "verdicts", tree_sorted_map(audit.verdicts));
    tree_put(totals, "causes", sorted_by_gangs(audit.causes));
    tree_put(document, "jobs", audit.rows);
    tree_put(document, "totals", totals);
    if (output == OUTPUT_NDJSON) {
        for (TREE_EACH(item, audit.rows))
            tree_move(&run->out, json_object_get(*item), OUTPUT_JSON, JSON_C_TO_STRING_PLAIN);
    } else if (output == OUTPUT_JSON || output == OUTPUT_YAML) {
        tree_move(&run->out, json_object_get(document), output, JSON_C_TO_STRING_PLAIN);
    } else {
        add_text(&run->out, audit.rows, totals);
    }
    return status;
}
