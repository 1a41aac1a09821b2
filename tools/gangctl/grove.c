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
    job_set_title(job, bench->purpose);
    result = gang_document_parse(bench->context, document->data, document->len, flags,
                                 &job->podgang, &error);
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
    result = gang_document_parse(bench->context, document->data, document->len, flags, &set->handle,
                                 &error);
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
    result = gang_document_parse(bench->context, document->data, document->len, flags,
                                 &topology->handle, &error);
    if (!result)
        result =
            gang_topologybinding_check(bench->context, topology->handle, bench->policy, 0, &error);
    if (!result)
        return;
    complain_error(&bench->complaints, &origins, &document->origin, result, error);
    gang_document_unref(topology->handle);
    topology->handle = NULL;
}

static bool
are_equal(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Whether the namespaces are equal; an object without a namespace gets that of the others. */
static bool
can_meet(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

static struct clique_set *
find_set(struct workbench *bench, const struct job *job)
{
    const char *name = gang_document_get_reference(job->podgang, GANG_KIND_PODCLIQUESET);

    for (size_t i = 0; i < bench->num_sets; i++) {
        const struct document *document = bench->sets[i].document;

        if (are_equal(document->name, name) &&
            can_meet(document->namespace_, job->document->namespace_))
            return &bench->sets[i];
    }
    return NULL;
}

static void
add_lone_set(struct workbench *bench, const struct clique_set *set)
{
    bench->jobs[bench->num_jobs++] = (struct job){
        .document = set->document, .set = set, .origins = {.podcliqueset = set->document->origin}};
    job_set_title(&bench->jobs[bench->num_jobs - 1], bench->purpose);
}

static const struct topology *
find_topology(const struct workbench *bench, const struct job *job)
{
    const char *name = gang_document_get_reference(job->podgang, GANG_KIND_TOPOLOGYBINDING);

    for (size_t i = 0; i < bench->num_topologies; i++)
        if (bench->topologies[i].handle && are_equal(bench->topologies[i].document->name, name))
            return &bench->topologies[i];
    return NULL;
}

void
add_grove_inputs(const struct workbench *bench, const struct job *job, struct gang_inputs *inputs)
{
    if (!job->podgang)
        return;
    if (job->set)
        pass_input(inputs, job->set->handle);
    if (job->topology)
        pass_input(inputs, job->topology->handle);
    for (size_t i = 0; job->set && i < bench->num_jobs + bench->num_others; i++)
        if (&bench->jobs[i] != job && bench->jobs[i].set == job->set)
            pass_input(inputs, bench->jobs[i].podgang);
}

void
pair_podgangs(struct workbench *bench)
{
    for (size_t i = 0; i < bench->num_jobs; i++) {
        struct job *job = &bench->jobs[i];
        struct clique_set *set = job->podgang ? find_set(bench, job) : NULL;

        if (job->podgang)
            job->topology = find_topology(bench, job);
        if (!set)
            continue;
        job->set = set;
        job->origins.podcliqueset = set->document->origin;
        set->has_podgang = true;
    }
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
