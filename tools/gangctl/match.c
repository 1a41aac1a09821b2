/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "policy_test.h"

/* Of the runtimes that are named to the reader of a mistake. */
enum { MOST_NAMES = 10 };

#define TRAINER_GROUP "trainer.kubeflow.org/"
#define GROVE_GROUP "grove.io/"
#define PODGANG_GROUP "scheduler.grove.io/"

static const char trainer_kinds[] =
    "\"" GANG_KIND_CLUSTER_TRAINING_RUNTIME "\", \"" GANG_KIND_TRAINJOB
    "\", \"" GANG_KIND_TRAINING_RUNTIME "\"";
static const char policy_kinds[] =
    "\"" GANG_KIND_CLUSTER "\", \"" GANG_KIND_JOB "\", \"" GANG_KIND_POLICY "\"";

static bool
has_prefix(const char *text, const char *prefix)
{
    return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

static void
report_foreign(const struct document *document, struct complaints *complaints)
{
    bool is_policy = has_prefix(document->api_version, POLICY_GROUP);

    if (!is_policy && !has_prefix(document->api_version, TRAINER_GROUP)) {
        /* Kinds of other groups may have the name of a kind that is read: it is said, too. */
        if (gang_document_type_of(NULL, document->kind) == GANG_DOCUMENT_JOB)
            complain(complaints, GANG_SEVERITY_WARNING, &document->origin, 1,
                     "apiVersion: Unsupported value: \"%s\" of kind %s; the document is ignored",
                     shortened(or_empty(document->api_version)), document->kind);
    } else if (!document->kind)
        complain(complaints, GANG_SEVERITY_ERROR, &document->origin, 1, "kind: Required value");
    else if (!is_policy || (!is_same_text(document->kind, GANG_KIND_PLAN) &&
                            !is_same_text(document->kind, KIND_POLICY_TEST)))
        complain(complaints, GANG_SEVERITY_WARNING, &document->origin, 1,
                 "kind: Unsupported value: \"%s\": supported values: %s; the document is ignored",
                 shortened(document->kind), is_policy ? policy_kinds : trainer_kinds);
}

/* The groups of the kinds that are not GANG_DOCUMENT_JOB, in whatever version. */
static const char *const groups[NUM_DOCUMENT_TYPES] = {
    [GANG_DOCUMENT_TRAINJOB] = TRAINER_GROUP,      [GANG_DOCUMENT_RUNTIME] = TRAINER_GROUP,
    [GANG_DOCUMENT_PODGANG] = PODGANG_GROUP,       [GANG_DOCUMENT_PODCLIQUESET] = GROVE_GROUP,
    [GANG_DOCUMENT_TOPOLOGYBINDING] = GROVE_GROUP, [GANG_DOCUMENT_POLICY] = POLICY_GROUP,
    [GANG_DOCUMENT_CLUSTER] = POLICY_GROUP,
};

enum gang_document_type
document_role(const struct document *document, struct complaints *complaints)
{
    const char *version = document->api_version;
    const int type = gang_document_type_of(NULL, document->kind);
    const char *group = type < NUM_DOCUMENT_TYPES ? groups[type] : NULL;
    const bool needs_version = group && strcmp(group, POLICY_GROUP) == 0;

    /* The API version may be left out where no other kind has the name. */
    if (group && (version ? has_prefix(version, group) : !needs_version))
        return (enum gang_document_type)type;
    if (is_pod_of_grove(document))
        return GANG_DOCUMENT_POD;
    /* Many kinds of other operators have the same name, so the API version must be given. */
    if (version ? gang_document_type_of(version, document->kind) == GANG_DOCUMENT_JOB
                : is_same_text(document->kind, GANG_KIND_JOB))
        return GANG_DOCUMENT_JOB;
    report_foreign(document, complaints);
    return GANG_DOCUMENT_NONE;
}

/* A cluster runtime has no namespace, even if the document has one. */
static int
compare_kinds(const struct document *a, const struct document *b)
{
    int order = strcmp(a->kind, b->kind);

    if (order || strcmp(a->kind, GANG_KIND_CLUSTER_TRAINING_RUNTIME) == 0)
        return order;
    return strcmp(or_empty(a->namespace_), or_empty(b->namespace_));
}

/* An owner with several gangs has a GangJob for each, which the name of its group tells apart. */
struct identity {
    const struct document *document;
    const char *group; /* NULL: the document is known by its name */
};

static struct identity
identity_of(const struct workbench *bench, const struct job *job)
{
    const bool has_group = job->handle && is_same_text(job->document->kind, GANG_KIND_JOB);

    return (struct identity){job->document, has_group ? group_name_of(bench, job, 0) : NULL};
}

static int
compare_groups(const struct identity *left, const struct identity *right)
{
    int order = compare_kinds(left->document, right->document);

    if (order)
        return order;
    return strcmp(left->group ? left->group : or_empty(left->document->name),
                  right->group ? right->group : or_empty(right->document->name));
}

static int
compare_identities(const void *a, const void *b)
{
    const struct identity *left = a;
    const struct identity *right = b;
    int order = compare_groups(left, right);

    return order ? order : (left->document > right->document) - (left->document < right->document);
}

void
report_duplicates(struct workbench *bench)
{
    struct identity *found = NULL;
    size_t count = 0;
    size_t first = 0;

    for (size_t i = 0; i < bench->num_jobs; i++)
        if (!i || bench->jobs[i].document != bench->jobs[i - 1].document)
            APPEND(found, count, identity_of(bench, &bench->jobs[i])); /* not once for each gang */
    for (size_t i = 0; i < bench->runtimes.count; i++)
        APPEND(found, count, (struct identity){.document = bench->runtimes.items[i].document});
    for (size_t i = 0; i < bench->sets.count; i++)
        if (bench->sets.items[i].has_podgang) /* otherwise it is one of the jobs */
            APPEND(found, count, (struct identity){.document = bench->sets.items[i].document});
    /* sorted, equal ones are adjacent, in the order of the input */
    if (count)
        qsort(found, count, sizeof(*found), compare_identities);
    for (size_t i = 1; i < count; i++) {
        const struct document *document = found[i].document;
        const char *group = found[i].group;
        const bool has_group = group && !is_same_text(group, document->name);

        if (compare_groups(&found[first], &found[i]))
            first = i;
        else if (document->name)
            complain(&bench->complaints, GANG_SEVERITY_ERROR, &document->origin, 1,
                     "%s: Duplicate value: \"%s\": this %s is already at %s:%lu",
                     has_group ? "spec.groupName" : "metadata.name",
                     shortened(has_group ? group : document->name), document->kind,
                     found[first].document->origin.file,
                     (unsigned long)first_line_of(&found[first].document->origin));
    }
    give_back(found);
}

static void
report_shared_object(struct workbench *bench, const struct job *job, const struct job *first,
                     const struct gang_object *object)
{
    const struct identity one = identity_of(bench, job);
    const struct identity other = identity_of(bench, first);

    if (compare_groups(&one, &other) == 0) /* already reported as a duplicate */
        return;
    complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
             "metadata.name: Duplicate value: \"%s\": the %s \"%s\" is also that of %s \"%s\" at "
             "%s:%lu",
             shortened(or_empty(job->document->name)), gang_object_get_kind(object),
             gang_object_get_name(object), first->document->kind,
             shortened(or_empty(first->document->name)), first->document->origin.file,
             (unsigned long)first_line_of(&first->document->origin));
    complain_detail(&bench->complaints, 0,
                    "give one of the two another name, or leave out the one that the other makes",
                    job->origins.job);
}

void
report_shared_objects(struct workbench *bench)
{
    struct json_object *makers = tree_map_of_step(); /* the first job that has an object */

    for (size_t i = 0; i < bench->num_jobs; i++) {
        const struct job *job = &bench->jobs[i];
        const struct job *first = job;
        const struct gang_object *object = NULL;

        for (size_t j = 0; job->plan && j < gang_plan_num_objects(job->plan); j++) {
            const char *key;

            object = gang_plan_get_object(job->plan, j);
            key = formatted(
                "%s %s %s/%s", gang_object_get_api_version(object), gang_object_get_kind(object),
                or_empty(gang_object_get_namespace(object)), gang_object_get_name(object));
            if (!tree_member(makers, key))
                tree_put_number(makers, key, i);
            first = &bench->jobs[tree_int(makers, key)];
            if (first->document != job->document)
                break;
        }
        if (first->document != job->document)
            report_shared_object(bench, job, first, object);
    }
}

bool
namespaces_meet(const char *a, const char *b)
{
    return !*or_empty(a) || !*or_empty(b) || strcmp(a, b) == 0;
}

/* Adds "did you mean "a"? the inputs have "a", "b"", the runtimes of a kind. */
static void
add_known_runtimes(struct text *out, const struct workbench *bench, const char *kind,
                   const char *name)
{
    struct nearest_search search = nearest_start(slice_from_text(name));
    struct text *names = text_new();
    size_t count = 0;

    for (size_t i = 0; i < bench->runtimes.count; i++) {
        const struct document *runtime = bench->runtimes.items[i].document;

        if (!is_same_text(runtime->kind, kind) || !runtime->name)
            continue;
        nearest_try(&search, slice_from_text(runtime->name));
        if (count++ < MOST_NAMES)
            text_addf(names, "%s \"%s\"", names->len ? "," : "", runtime->name);
    }
    if (search.found)
        text_addf(out, "did you mean \"%s\"? ", search.found);
    text_addf(out, "the inputs have %s %s%s", count ? "the" : "no", kind, or_empty(names->data));
    if (count > MOST_NAMES)
        text_addf(out, " and %zu more", count - MOST_NAMES);
}

/* A job that is only checked, and has no runtime among the inputs, is checked alone. */
static void
report_no_match(struct workbench *bench, const struct job *job, const char *kind, const char *name)
{
    bool is_alone = bench->purpose == FOR_FINDINGS && !bench->runtimes.count;
    bool by_namespace =
        job->document->namespace_ && !is_same_text(kind, GANG_KIND_CLUSTER_TRAINING_RUNTIME);
    enum gang_severity severity = is_alone ? GANG_SEVERITY_INFO : GANG_SEVERITY_ERROR;
    struct text *hint = text_new();
    struct placed_value value;
    struct place place;

    if (is_alone && !bench->complaints.verbose)
        return;
    value = root_of(job->document);
    value = member_of(&value, "spec");
    value = member_of(&value, "runtimeRef");
    place = place_in(job->document, member_of(&value, "name").site);
    if (bench->runtimes.count)
        add_known_runtimes(hint, bench, or_empty(kind), or_empty(name));
    complain(&bench->complaints, severity, &job->document->origin, place.line,
             "spec.runtimeRef.name: Not found: \"%s\": no %s of this name%s is among the inputs%s",
             or_empty(name), or_empty(kind), by_namespace ? " and namespace" : "",
             is_alone ? ", so this TrainJob was checked without its runtime" : "");
    complain_detail(&bench->complaints, place.column, hint->data, job->origins.job);
}

struct companion *
match_runtime(struct workbench *bench, const struct job *job)
{
    const bool in_space = gang_document_get_reference(job->handle, GANG_KIND_TRAINING_RUNTIME);
    const char *kind = in_space ? GANG_KIND_TRAINING_RUNTIME : GANG_KIND_CLUSTER_TRAINING_RUNTIME;
    const char *name = gang_document_get_reference(job->handle, kind);
    struct companion *found = NULL;

    for (size_t i = 0; name && i < bench->runtimes.count; i++) {
        struct companion *runtime = &bench->runtimes.items[i];
        const struct document *document = runtime->document;

        if (!is_same_text(document->kind, kind) || !is_same_text(document->name, name) ||
            (in_space && !namespaces_meet(document->namespace_, job->document->namespace_)))
            continue;
        if (!found) {
            found = runtime;
            continue;
        }
        /* of one namespace: already reported as a duplicate, except in the row of an audit */
        if (bench->purpose == FOR_ROWS || compare_kinds(found->document, document) != 0)
            complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                     "spec.runtimeRef.name: Invalid value: \"%s\": more than one %s matches: "
                     "%s:%lu and %s:%lu",
                     name, kind, found->document->origin.file,
                     (unsigned long)first_line_of(&found->document->origin), document->origin.file,
                     (unsigned long)first_line_of(&document->origin));
        return NULL;
    }
    if (!found)
        report_no_match(bench, job, kind, name);
    return found;
}
