/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

/* Without --gang, more gangs than this need too much memory and output. */
enum { MOST_GANGS = 10000 };

const char *
group_name_of(const struct workbench *bench, const struct job *job, uint64_t gang)
{
    struct gang_blob *blob = NULL;
    struct json_object *document;
    const char *name;

    if (gang_job_serialize(bench->context, job->handle, gang, GANG_FORMAT_JSON, 0, &blob, NULL))
        return NULL;
    document = json_of_blob(blob);
    name = tree_text(tree_member(document, "spec"), "groupName");
    return name ? name : tree_text(tree_member(document, "metadata"), "name");
}

/* Whether the gang's group has the name. */
static bool
is_named(const struct workbench *bench, const struct job *job, uint64_t gang, const char *name)
{
    const char *group = group_name_of(bench, job, gang);

    return group && strcmp(group, name) == 0;
}

/* The number behind the job's name in `chat-7`, `chat-7-<revision>` and `bert-s1`; or 0. */
static uint64_t
number_in_name(const struct job *job, const char *name)
{
    const char *start = job->document->name;
    size_t len = start ? strlen(start) : 0;

    if (!start || strncmp(name, start, len) != 0 || name[len] != '-')
        return 0;
    name += len + 1;
    name += *name == 's';
    return *name >= '0' && *name <= '9' ? strtoull(name, NULL, 10) : 0;
}

/*
 * Returns the gang that --gang selects by its number or its name, which begins with a letter;
 * `count` if the job has no such gang. Most names have the number of the gang in them. Only jobs
 * with few gangs have other names.
 */
static uint64_t
find_selected(const struct workbench *bench, const struct job *job, uint64_t count)
{
    const char *name = bench->options->gang;
    char *end;
    const uint64_t number = strtoull(name, &end, 10);
    const uint64_t likely = number_in_name(job, name);

    if (*name >= '0' && *name <= '9' && !*end)
        return number < count ? number : count;
    if (likely < count && is_named(bench, job, likely, name))
        return likely;
    for (uint64_t gang = 0; count <= MOST_GANGS && gang < count; gang++)
        if (is_named(bench, job, gang, name))
            return gang;
    return count;
}

static void
add_gang(struct workbench *bench, const struct job *first, uint64_t gang)
{
    struct job job = job_of_document(bench, first->document);

    job.handle = first->handle;
    job.gang = gang;
    bench->jobs = must_reallocate(bench->jobs, bench->num_jobs + bench->documents.count + 2,
                                  sizeof(*bench->jobs));
    bench->jobs[bench->num_jobs++] = job;
}

static void
report_count(struct workbench *bench, const struct job *job, uint64_t count)
{
    if (bench->options->gang)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the job has no gang %s: it has %llu", bench->options->gang,
                 (unsigned long long)count);
    else
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the job has %llu gangs, more than %d%s", (unsigned long long)count,
                 (int)MOST_GANGS, bench->purpose == FOR_ROWS ? "" : ": pass --gang");
}

bool
has_too_many_gangs(struct workbench *bench, const struct job *job)
{
    const uint64_t count = job->handle ? gang_document_num_gangs(job->handle) : 0;

    if (count > MOST_GANGS)
        report_count(bench, job, count);
    return count > MOST_GANGS;
}

void
add_gangs(struct workbench *bench, struct job *job)
{
    const uint64_t count = gang_document_num_gangs(job->handle);
    const char *selected = bench->options->gang;
    struct job first = *job; /* the array of jobs can move */

    if (selected)
        job->gang = find_selected(bench, job, count);
    if (selected ? job->gang >= count : count > MOST_GANGS && bench->purpose != FOR_FINDINGS) {
        report_count(bench, job, count);
        job->handle = NULL;
    } else if (selected) {
        return;
    } else if (count > MOST_GANGS) {
        /* The gangs of one document differ in their names, of which the last is the longest. */
        complain(&bench->complaints, GANG_SEVERITY_INFO, &first.document->origin, 1,
                 "the job has %llu gangs: the first and the last are checked",
                 (unsigned long long)count);
        add_gang(bench, &first, count - 1);
    } else
        for (uint64_t gang = 1; gang < count; gang++)
            add_gang(bench, &first, gang);
}
