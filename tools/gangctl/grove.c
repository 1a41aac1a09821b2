/* SPDX-License-Identifier: Apache-2.0 */
#include "grove.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

void
add_podgang(struct workbench *bench, const struct document *document, uint32_t flags)
{
    struct job *job = &bench->jobs[bench->num_jobs++];
    struct gang_error *error = NULL;
    int result;

    *job = (struct job){.document = document, .origins = {.podgang = document->origin}};
    result = gang_podgang_parse(bench->context, document->data, document->len, flags, &job->podgang, &error);
    if (result)
        complain_error(&bench->complaints, &job->origins, &document->origin, result, error);
}

void
add_podcliqueset(struct workbench *bench, const struct document *document, uint32_t flags)
{
    struct origins origins = {.podcliqueset = document->origin};
    struct clique_set *set = &bench->sets[bench->num_sets++];
    struct gang_error *error = NULL;
    int result;

    *set = (struct clique_set){.document = document};
    result =
        gang_podcliqueset_parse(bench->context, document->data, document->len, flags, &set->handle, &error);
    if (result)
        complain_error(&bench->complaints, &origins, &document->origin, result, error);
}

void
add_topology(struct workbench *bench, const struct document *document, uint32_t flags)
{
    struct origins origins = {.topologybinding = document->origin};
    struct topology *topology = &bench->topologies[bench->num_topologies++];
    struct gang_error *error = NULL;
    int result;

    *topology = (struct topology){.document = document};
    result = gang_topologybinding_parse(bench->context, document->data, document->len, flags,
                                        &topology->handle, &error);
    if (!result)
        result = gang_topologybinding_check(bench->context, topology->handle, bench->policy, 0, &error);
    if (!result)
        return;
    complain_error(&bench->complaints, &origins, &document->origin, result, error);
    gang_topologybinding_unref(topology->handle);
    topology->handle = NULL;
}

static struct gang_podgang *
placed_podgang(const struct job *job)
{
    return job->placed ? job->placed : job->podgang;
}

struct gang_podgang *
podgang_to_resolve(const struct job *job)
{
    return job->joined ? job->joined : placed_podgang(job);
}

static bool
are_equal(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* One without a namespace goes where the others are. */
static bool
can_meet(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

static struct clique_set *
find_set(struct workbench *bench, const struct job *job)
{
    const char *name = gang_podgang_get_podcliqueset(job->podgang);

    for (size_t i = 0; i < bench->num_sets; i++) {
        const struct document *document = bench->sets[i].document;

        if (are_equal(document->name, name) && can_meet(document->namespace_, job->document->namespace_))
            return &bench->sets[i];
    }
    return NULL;
}

static void
add_lone_set(struct workbench *bench, const struct clique_set *set)
{
    bench->jobs[bench->num_jobs++] = (struct job){
        .document = set->document, .set = set, .origins = {.podcliqueset = set->document->origin}};
}

static void
introduce_topology(const struct workbench *bench, struct job *job)
{
    const char *name = gang_podgang_get_topologybinding(job->podgang);

    for (size_t i = 0; i < bench->num_topologies && !job->placed; i++)
        if (bench->topologies[i].handle && are_equal(bench->topologies[i].document->name, name) &&
            gang_podgang_with_topology(bench->context, job->podgang, bench->topologies[i].handle, 0,
                                       &job->placed, NULL))
            out_of_memory();
}

/* The other PodGangs of its PodCliqueSet. */
static void
introduce_siblings(struct workbench *bench, struct job *job)
{
    struct gang_podgang **siblings = must_reallocate(NULL, bench->num_jobs, sizeof(*siblings));
    struct gang_podgang *joined = NULL;
    size_t count = 0;

    for (size_t i = 0; i < bench->num_jobs; i++)
        if (&bench->jobs[i] != job && bench->jobs[i].podgang && bench->jobs[i].set == job->set)
            siblings[count++] = placed_podgang(&bench->jobs[i]);
    if (count &&
        gang_podgang_with_siblings(bench->context, placed_podgang(job), siblings, count, 0, &joined, NULL))
        out_of_memory();
    free(siblings);
    job->joined = joined;
}

void
pair_podgangs(struct workbench *bench)
{
    for (size_t i = 0; i < bench->num_jobs; i++) {
        struct job *job = &bench->jobs[i];
        struct clique_set *set = job->podgang ? find_set(bench, job) : NULL;

        if (job->podgang)
            introduce_topology(bench, job);
        if (!set)
            continue;
        job->set = set;
        job->origins.podcliqueset = set->document->origin;
        set->has_podgang = true;
    }
    for (size_t i = 0; i < bench->num_jobs; i++)
        if (bench->jobs[i].podgang && bench->jobs[i].set)
            introduce_siblings(bench, &bench->jobs[i]);
    for (size_t i = 0; i < bench->num_sets; i++)
        if (!bench->sets[i].has_podgang)
            add_lone_set(bench, &bench->sets[i]);
}

bool
podgang_is_complete(const struct job *job)
{
    bool has_podgang = job->podgang || job->document->role == DOCUMENT_IS_PODCLIQUESET;

    return has_podgang && (!job->set || job->set->handle);
}
