/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "live.h"

/*
 * What becomes of one document. It stays as it is if there is none of the first three. A tree takes
 * many times the memory of its text, so those of jobs and runtimes are made when they are written.
 */
struct outcome {
    struct gang_blob *blob;          /* of a job, or of a list of pods */
    const struct companion *runtime; /* NULL: it is none */
    struct json_object *object;      /* of an earlier run, brought up to date */
    struct json_object *objects;     /* a list, to add behind it; NULL: none */
};

struct transform {
    struct workbench *bench;
    struct outcome *outcomes; /* of each document of the bench */
    bool is_resource_list;
    bool only_objects;
    bool separates; /* JSON documents do not simply follow each other */
    bool parts;     /* nor do those that follow each other in the input */
};

/* ---- documents that change ---- */

static struct outcome *
outcome_of(const struct transform *transform, const struct document *document)
{
    return &transform->outcomes[document - transform->bench->documents.items];
}

/* Whether podGroupPolicy of the runtime has decided an attribute. */
static bool
is_from_pod_group_policy(struct json_object *candidates)
{
    static const char path[] = "spec.podGroupPolicy";
    struct json_object *chosen = tree_find(candidates, "verdict", "Chosen");

    return strncmp(text_of(chosen, "path"), path, sizeof(path) - 1) == 0;
}

static struct json_object *
candidates_of(struct json_object *decision, const char *attribute)
{
    return tree_member(tree_find(tree_member(decision, "trace"), "attribute", attribute),
                       "candidates");
}

/*
 * Whether the next run must find podGroupPolicy, too: the operator makes the gang, or the queue is
 * written there. The backend is also told by schedulerName.
 */
static bool
needs_pod_group_policy(struct workbench *bench, const struct job *job)
{
    struct json_object *decision = bench->policy.handle ? decision_as_json(bench, job) : NULL;

    return !bench->policy.handle || is_from_pod_group_policy(candidates_of(decision, "queue")) ||
           tree_text_is(decision, "compatibility", "KubeflowTrainer");
}

static struct json_object *
pod_group_policy_of(struct json_object *runtime)
{
    return tree_member(tree_member(runtime, "spec"), "podGroupPolicy");
}

struct json_object *
runtime_with_marks(struct workbench *bench, const struct companion *runtime)
{
    struct json_object *wanted = json_of_blob(gang_blob_ref(runtime->blob));
    const struct document *document = runtime->document;
    struct json_object *policy =
        wanted ? pod_group_policy_of(document_tree(document->data, document->len)) : NULL;

    if (policy && needs_pod_group_policy(bench, runtime->job))
        tree_share(tree_map_in(wanted, "spec"), "podGroupPolicy", policy);
    return wanted;
}

/* Returns the document as it is to be written, of the step; NULL: as it is. */
static struct json_object *
wanted_of(const struct transform *transform, const struct outcome *outcome)
{
    if (outcome->runtime)
        return runtime_with_marks(transform->bench, outcome->runtime);
    return outcome->blob ? json_of_blob(gang_blob_ref(outcome->blob)) : outcome->object;
}

/*
 * Adds a note for each setting of a job that the next run, without podGroupPolicy, takes from the
 * policy. Where the policy has no value, that run keeps the one of the object.
 */
static void
add_lost_settings(struct text *notes, struct workbench *bench, const struct job *job)
{
    static const struct {
        const char *attribute;
        bool has_whole_value; /* of a topology the trace has only the mode */
    } settings[] = {{"scheduleTimeoutSeconds", true}, {"topology", false}};
    const struct document *runtime = job->runtime->document;
    struct json_object *decision = decision_as_json(bench, job);

    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        struct json_object *candidates = candidates_of(decision, settings[i].attribute);
        struct json_object *chosen = tree_find(candidates, "verdict", "Chosen");
        struct json_object *next = tree_find(candidates, "verdict", "Overridden");
        const char *note;

        if (!next || !is_from_pod_group_policy(candidates) ||
            (settings[i].has_whole_value &&
             is_same_text(tree_text(chosen, "value"), tree_text(next, "value"))))
            continue;
        note =
            formatted("note: %s %s: %s is from podGroupPolicy, which is not in the output: the "
                      "next run takes %s of the policy\n",
                      runtime->kind, runtime->name, settings[i].attribute, tree_text(next, "path"));
        if (!has_bytes(notes->data, notes->len, note)) /* jobs of a runtime mostly share it */
            text_add(notes, note);
    }
}

static void
change_runtimes(const struct transform *transform)
{
    struct workbench *bench = transform->bench;

    runtimes_write(bench, GANG_FORMAT_JSON);
    for (size_t i = 0; i < bench->runtimes.count; i++) {
        const struct document *runtime = bench->runtimes.items[i].document;
        struct json_object *wanted;
        struct text *notes;
        struct step step;

        if (!bench->runtimes.items[i].blob)
            continue;
        outcome_of(transform, runtime)->runtime = &bench->runtimes.items[i];
        step_start(&step);
        wanted = runtime_with_marks(bench, &bench->runtimes.items[i]);
        notes = text_new();
        if (pod_group_policy_of(wanted))
            print_errorf(
                "note: %s %s keeps podGroupPolicy, so Kubeflow Trainer writes a PodGroup, too: "
                "pass a policy that decides the backend and the queue\n",
                runtime->kind, runtime->name);
        else if (pod_group_policy_of(document_tree(runtime->data, runtime->len)))
            for (size_t j = 0; j < bench->num_jobs; j++)
                if (bench->jobs[j].runtime == &bench->runtimes.items[i] && bench->jobs[j].decision)
                    add_lost_settings(notes, bench, &bench->jobs[j]);
        print_error(or_empty(notes->data));
        step_end(&step);
    }
}

/* ---- objects ---- */

/* Returns the document of the input that is this object, of an earlier run; or NULL. */
static const struct document *
find_object(const struct workbench *bench, struct json_object *object)
{
    struct json_object *metadata = tree_member(object, "metadata");
    const char *name = tree_text(metadata, "name");
    const char *space = tree_text(metadata, "namespace");
    const char *kind = tree_text(object, "kind");
    const char *version = tree_text(object, "apiVersion");

    for (EACH(const struct document, document, bench->documents.items, bench->documents.count)) {
        if (is_same_text(document->name, name) && is_same_text(document->kind, kind) &&
            is_same_text(document->namespace_, space) &&
            is_same_text(document->api_version, version))
            return document;
    }
    return NULL;
}

/* Adds the members of a map that another one lacks. */
static void
add_missing(struct json_object *map, struct json_object *from)
{
    if (!json_object_is_type(map, json_type_object) || !json_object_is_type(from, json_type_object))
        return;
    json_object_object_foreach(from, key, value)
    {
        if (!json_object_object_get_ex(map, key, NULL))
            tree_put(map, key, json_object_get(value));
    }
}

/* Behind which document the objects of a job stand: of a list of pods its last pod. */
static const struct document *
place_of_objects(const struct workbench *bench, const struct document *document)
{
    for (size_t i = bench->documents.count; !document->place && i > 0; i--)
        if (bench->documents.items[i - 1].list == document->data)
            return &bench->documents.items[i - 1];
    return document;
}

/*
 * Removes what kustomize and kpt note about the document of a job, such as its file, where an
 * object has the annotations of the job: it is not in this file.
 */
static void
forget_notes(struct json_object *object)
{
    static const char *const prefixes[] = {
        "config.kubernetes.io/", "internal.config.kubernetes.io/", "internal.kpt.dev/",
        "config.k8s.io/",        "kustomize.config.k8s.io/",       "alpha.config.kubernetes.io/"};
    struct json_object *annotations = tree_member(tree_member(object, "metadata"), "annotations");
    size_t count = 0;
    const char **keys = annotations ? tree_sorted_keys(annotations, &count) : NULL;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < COUNT_OF(prefixes); j++)
            if (strncmp(keys[i], prefixes[j], strlen(prefixes[j])) == 0) {
                json_object_object_del(annotations, keys[i]);
                break;
            }
    if (count && json_object_object_length(annotations) == 0)
        json_object_object_del(tree_member(object, "metadata"), "annotations");
}

/*
 * Lets a tool that applies a job in a phase or wave apply its object there, too: it waits for the
 * job before it goes on, and the pods for their group. Argo CD applies a wave at once, Helm one
 * hook after the other, and of the same weight and name that of a known kind first. Sources:
 * argoproj/gitops-engine:pkg/sync/sync_context.go@v0.7.3, helm/helm:pkg/action/hooks.go@v4.3.1
 */
static void
join_phase(struct json_object *object, const struct document *job)
{
    static const char weight_of_hook[] = "helm.sh/hook-weight";
    static const char *const keys[] = {
        "argocd.argoproj.io/hook",      "argocd.argoproj.io/hook-delete-policy",
        "argocd.argoproj.io/sync-wave", "helm.sh/hook",
        "helm.sh/hook-delete-policy",   weight_of_hook};
    struct json_object *of_job;
    const char *text;
    char *end;
    long long weight;
    struct step step;

    step_start(&step);
    of_job =
        tree_member(tree_member(document_tree(job->data, job->len), "metadata"), "annotations");
    text = text_of(of_job, weight_of_hook);
    weight = strtoll(text, &end, 10);
    if (strspn(text, " \t\n\v\f\r") || *end || weight == LLONG_MIN || weight == LLONG_MAX)
        weight = 0; /* as Helm reads what is no number */
    if (tree_text(of_job, "helm.sh/hook"))
        tree_put_text(of_job, weight_of_hook, formatted("%lld", weight - 1));
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (tree_text(of_job, keys[i]))
            tree_share(tree_map_in(tree_map_in(object, "metadata"), "annotations"), keys[i],
                       tree_member(of_job, keys[i]));
    step_end(&step);
}

static void
add_object(const struct transform *transform, const struct document *document,
           struct json_object *object)
{
    const struct document *same =
        transform->only_objects ? NULL : find_object(transform->bench, object);
    struct outcome *outcome = outcome_of(transform, place_of_objects(transform->bench, document));

    if (same) {
        static const char *const maps[] = {"labels", "annotations"};
        struct json_object *old = document_tree(same->data, same->len);
        struct json_object *metadata = tree_map_in(object, "metadata");

        /*
         * An object of an earlier run is brought up to date. What the plan does not set stays: what
         * others added, and settings of a podGroupPolicy that the earlier run has removed.
         */
        add_missing(object, old);
        add_missing(tree_member(object, "spec"), tree_member(old, "spec"));
        add_missing(metadata, tree_member(old, "metadata"));
        for (size_t i = 0; i < COUNT_OF(maps); i++)
            add_missing(tree_member(metadata, maps[i]),
                        tree_member(tree_member(old, "metadata"), maps[i]));
        outcome_of(transform, same)->object = object;
        return;
    }
    if (!outcome->objects)
        of_step((struct made){.tree = outcome->objects = tree_list()});
    json_object_array_add(outcome->objects, json_object_get(object));
}

static void
add_objects(const struct transform *transform)
{
    struct workbench *bench = transform->bench;

    for (size_t i = 0; i < bench->topologies.count; i++) {
        struct json_object *object = topology_object(&bench->topologies.items[i]);

        if (tree_member(object, "spec")) /* not one that another controller creates */
            add_object(transform, bench->topologies.items[i].document, object);
    }
    for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
        for (size_t j = 0; j < gang_plan_num_objects(job->plan); j++) {
            struct json_object *object =
                tree_must(object_as_json(gang_plan_get_object(job->plan, j)));

            forget_notes(object);
            if (has_bytes(job->document->data, job->document->len, "/hook") ||
                has_bytes(job->document->data, job->document->len, "/sync-wave"))
                join_phase(object, job->document);
            add_object(transform, job->document, object);
        }
    }
}

/* ---- writing ---- */

/*
 * Whether the output has separators. kubectl reads JSON documents that follow each other, but
 * behind a second one no separator, and behind a separator only one.
 */
static bool
has_separators(const struct workbench *bench)
{
    const struct source *source = bench->sources.items[0];
    const char *at = source->data;

    for (EACH(const struct document, document, bench->documents.items, bench->documents.count)) {
        struct document whole;

        if (!document->place || document->place < at)
            continue; /* of a list */
        /* a document, or the list that it is an item of, stays JSON when it changes */
        whole = (struct document){.data = document->place, .len = document->place_len};
        if (!document_is_json(&whole) || has_bytes(at, (size_t)(document->place - at), "---"))
            return true;
        at = document->place + document->place_len;
    }
    return has_bytes(at, (size_t)(source->data + source->len - at), "---");
}

static void
add_edited(struct text *out, const struct document *document, const char *data, size_t len,
           struct json_object *wanted)
{
    if (wanted)
        say_edited(document, edit_document(out, data, len, wanted));
    else
        text_add_bytes(out, data, len);
}

/* A document by itself, and behind it its objects, in its format. */
static void
write_document(const struct transform *transform, struct text *out, const struct document *document)
{
    const struct outcome *outcome = outcome_of(transform, document);
    const char *end_of_line = end_of_line_in(document->place, document->place_len);
    const bool is_json = document_is_json(document) && !transform->only_objects;
    struct step step;

    step_start(&step);
    if (!transform->only_objects)
        add_edited(out, document, document->place, document->place_len,
                   wanted_of(transform, outcome));
    for (TREE_EACH(item, outcome->objects)) {
        struct text *json = text_new();

        tree_add_json(json, *item, JSON_C_TO_STRING_PLAIN);
        end_last_line(out, end_of_line);
        if (out->len && (!is_json || transform->separates))
            text_addf(out, "---%s", end_of_line);
        if (is_json)
            text_add_bytes(out, json->data, json->len);
        else
            text_add_as_yaml(out, json, end_of_line);
    }
    step_end(&step);
}

/* The kind that an item has only of its list stays out of it. */
static struct json_object *
item_as_it_was(struct json_object *old, struct json_object *wanted)
{
    static const char *const keys[] = {"kind", "apiVersion"};

    for (size_t i = 0; wanted && i < COUNT_OF(keys); i++)
        if (!json_object_object_get_ex(old, keys[i], NULL))
            json_object_object_del(wanted, keys[i]);
    return wanted ? wanted : old;
}

/* Writes a list whose first item is at `first`, and returns the place behind its last item. */
static size_t
write_list(const struct transform *transform, struct text *out, const struct source *source,
           size_t first, struct json_object *results)
{
    const struct documents *documents = &transform->bench->documents;
    const char *place = documents->items[first].place;
    const size_t len = documents->items[first].place_len;
    struct json_object *wanted = document_tree(place, len);
    struct json_object *old = json_object_get(tree_member(wanted, "items"));
    struct json_object *items = tree_list();
    const struct origin whole = {.file = source->name, .is_place = true};
    struct document list = documents->items[first];
    bool changes = results || transform->only_objects;
    uint32_t lines = 0;
    size_t i = first;

    for (; i < documents->count && documents->items[i].place == place; i++) {
        const struct document *document = &documents->items[i];
        const struct outcome *outcome = outcome_of(transform, document);
        struct json_object *wanted_item = wanted_of(transform, outcome);
        struct json_object *item =
            item_as_it_was(document->is_nested ? document_tree(document->data, document->len)
                                               : json_object_array_get_idx(old, document->item - 1),
                           wanted_item);

        changes |= wanted_item || outcome->objects;
        if (!transform->only_objects)
            json_object_array_add(items, json_object_get(item));
        for (TREE_EACH(object, outcome->objects))
            json_object_array_add(items, json_object_get(*object));
    }
    tree_put(wanted, "items", items);
    if (results)
        tree_put(wanted, "results", json_object_get(results));
    for (const char *at = source->data; at < place; at++)
        lines += *at == '\n';
    list.origin = origin_within(&whole, lines, lines + 1, 1);
    list.kind = text_of(wanted, "kind");
    list.name = tree_text(tree_member(wanted, "metadata"), "name");
    add_edited(out, &list, place, len, changes ? wanted : NULL);
    json_object_put(old);
    return i;
}

static void
start_source(const struct transform *transform, struct text *out, const struct source *source,
             const char **at)
{
    struct slice start = {source->data, source->len};

    if (!out->len)
        return;
    if (slice_take(&start, BYTE_ORDER_MARK)) /* it stays at the start of the output only */
        *at = start.data;
    end_last_line(out, "\n");
    if (!transform->only_objects && (size_t)(source->data + source->len - *at) >= 3 &&
        memcmp(*at, "---", 3) != 0)
        text_add(out, "---\n");
}

static void
add_separator(struct text *out)
{
    text_add(out, out->data[out->len - 1] == '\n' ? "---\n" : "\n---\n");
}

/* Returns where the text behind a document goes on. JSON that follows it is parted from it. */
static const char *
leave_document(struct text *out, const char *at, const char *end)
{
    const char *next = json_behind_space(at, end);

    if (next == end || *next != '{')
        return at;
    add_separator(out);
    return next;
}

static void
open_last_line(struct text *out, const char *end_of_line)
{
    for (size_t i = strlen(end_of_line); i-- > 0;)
        out->len -= out->data[out->len - 1] == end_of_line[i];
}

/* Copies a source, with its documents changed. */
static void
write_source(const struct transform *transform, struct text *out, const struct source *source,
             struct json_object *results)
{
    const struct documents *documents = &transform->bench->documents;
    const char *end = source->data + source->len;
    const char *at = source->data;
    bool parts = false;
    bool ends_in_object = false;

    start_source(transform, out, source, &at);
    for (size_t i = 0; i < documents->count;) {
        const struct document *document = &documents->items[i];

        if (!document->place || !(document->place >= source->data && document->place < end)) {
            i++;
            continue;
        }
        at = parts ? leave_document(out, at, end) : at;
        if (!transform->only_objects || transform->is_resource_list)
            text_add_bytes(out, at, (size_t)(document->place - at));
        if (transform->parts && document->is_beside && at < document->place)
            add_separator(out); /* between are lists without items */
        parts = transform->parts;
        at = document->place + document->place_len;
        if (document->item && (!transform->only_objects || transform->is_resource_list)) {
            i = write_list(transform, out, source, i, results);
            ends_in_object = false;
        } else {
            write_document(transform, out, document);
            ends_in_object = at == end && outcome_of(transform, document)->objects;
            i++;
        }
    }
    at = parts ? leave_document(out, at, end) : at;
    if (source->len && (!transform->only_objects || transform->is_resource_list))
        text_add_bytes(out, at, (size_t)(end - at));
    if (source->added_end && !transform->only_objects && !ends_in_object)
        open_last_line(out, source->added_end);
}

/* ---- the command ---- */

static void
change_documents(const struct transform *transform, const struct options *options)
{
    if (!transform->only_objects) {
        struct workbench *bench = transform->bench;

        /* Grove marks its pods itself; a list of pods that gangctl made has marks in its pods. */
        for (EACH(const struct job, job, bench->jobs, bench->num_jobs)) {
            if (job->handle && job->document->place && is_first_gang(bench, job))
                outcome_of(transform, job->document)->blob =
                    write_plan(bench, job, GANG_TARGET_JOB, GANG_FORMAT_JSON, 0);
        }
        change_runtimes(transform);
        for (size_t i = 0; i < bench->pods.count; i++)
            outcome_of(transform, bench->pods.items[i].document)->blob = bench->pods.items[i].blob;
    }
    if (strcmp(options->objects, "none") != 0)
        add_objects(transform);
}

/*
 * Writes what can be written. With errors no document changes: then the outcomes are empty, and the
 * results of a ResourceList are all that is new.
 */
static void
transform_write(struct transform *transform, struct text *out)
{
    struct workbench *bench = transform->bench;
    struct json_object *results = transform->is_resource_list ? make_results(bench) : NULL;

    transform->separates = bench->num_inputs > 1 || (bench->num_inputs && has_separators(bench));
    for (size_t i = 0; i < bench->documents.count && !transform->only_objects; i++) {
        const struct outcome *outcome = &transform->outcomes[i];

        transform->parts |= transform->separates && (outcome->blob || outcome->runtime ||
                                                     outcome->object || outcome->objects);
    }
    for (size_t i = 0; i < bench->num_inputs; i++)
        write_source(transform, out, bench->sources.items[i], results);
}

int
command_transform(struct run *run)
{
    static const char *standard_input[] = {"-"};
    struct options options = *run->options;
    struct workbench *bench = &run->bench;
    struct transform transform = {.bench = bench};
    int status;

    bench->purpose = FOR_EDITS;
    options.output = OUTPUT_JSON; /* of pods, which are read again */
    options.objects = options.objects ? options.objects : "with";
    transform.only_objects = strcmp(options.objects, "only") == 0;
    if (!options.num_inputs) {
        options.inputs = standard_input;
        options.num_inputs = 1;
    }
    if (!workbench_run(bench, &options))
        return EXIT_COULD_NOT_RUN;
    transform.outcomes =
        must_allocate_zeros(bench->documents.count + 1, sizeof(*transform.outcomes));
    transform.is_resource_list = bench->documents.resource_list.data != NULL;
    if (!has_refused(bench))
        change_documents(&transform, &options);
    status = has_refused(bench) ? EXIT_FINDINGS : EXIT_DONE;
    if (complaints_print(&bench->complaints) == EXIT_COULD_NOT_RUN)
        return EXIT_COULD_NOT_RUN;
    if (status != EXIT_DONE) {
        transform.only_objects = false;
        memset(transform.outcomes, 0, bench->documents.count * sizeof(*transform.outcomes));
    }
    if (status == EXIT_DONE || transform.is_resource_list)
        transform_write(&transform, &run->out);
    return status;
}
