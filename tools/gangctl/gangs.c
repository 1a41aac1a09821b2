/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Without --gang, more gangs than this need too much memory and output. */
enum { MOST_GANGS = 10000 };

/* Whether the text is a number, as opposed to a name; names of groups begin with a letter. */
static bool
is_number(const char *text, uint64_t *number)
{
    char *end;

    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end;
}

static bool
has_name(struct json_object *document, const char *name)
{
    struct json_object *spec = json_object_object_get(document, "spec");
    struct json_object *metadata = json_object_object_get(document, "metadata");
    struct json_object *group = json_object_object_get(spec, "groupName");
    const char *text =
        json_object_get_string(group ? group : json_object_object_get(metadata, "name"));

    return text && strcmp(text, name) == 0;
}

/* Whether the gang's group has the name. */
static bool
is_named(const struct workbench *bench, const struct job *job, uint64_t gang, const char *name)
{
    struct gang_blob *blob = NULL;
    struct json_object *document;
    bool answer;

    if (gang_job_serialize(bench->context, job->handle, gang, GANG_FORMAT_JSON, 0, &blob, NULL))
        return false;
    document = json_tokener_parse(gang_blob_get_data(blob, NULL));
    answer = document && has_name(document, name);
    json_object_put(document);
    gang_blob_unref(blob);
    return answer;
}

bool
gang_is_selected(const struct workbench *bench, const struct job *job, uint64_t gang)
{
    uint64_t number;

    if (!bench->gang)
        return true;
    return is_number(bench->gang, &number) ? gang == number
                                           : is_named(bench, job, gang, bench->gang);
}

/* Returns the next selected gang; `count` if there are no more. A number needs no search. */
static uint64_t
next_selected(const struct workbench *bench, const struct job *job, uint64_t gang, uint64_t count)
{
    uint64_t number;

    if (bench->gang && is_number(bench->gang, &number))
        return gang <= number && number < count ? number : count;
    while (gang < count && !gang_is_selected(bench, job, gang))
        gang++;
    return gang;
}

static void
add_gang(struct workbench *bench, const struct job *first, uint64_t gang)
{
    struct job job = {
        .document = first->document,
        .handle = gang_document_ref(first->handle),
        .origins = first->origins,
        .gang = gang,
    };

    bench->jobs = must_reallocate(bench->jobs, bench->num_jobs + bench->documents.count + 2,
                                  sizeof(*bench->jobs));
    job_set_title(&job, bench->purpose);
    bench->jobs[bench->num_jobs++] = job;
}

static void
report_count(struct workbench *bench, const struct job *job, uint64_t count)
{
    if (bench->gang)
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the job has no gang %s: it has %llu", bench->gang, (unsigned long long)count);
    else
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the job has %llu gangs, more than %d: pass --gang", (unsigned long long)count,
                 (int)MOST_GANGS);
}

void
add_gangs(struct workbench *bench, struct job *job)
{
    const uint64_t count = gang_document_num_gangs(job->handle);
    struct job first;

    if (count < 2 && !bench->gang)
        return;
    job->gang = next_selected(bench, job, 0, count);
    if (job->gang >= count || (!bench->gang && count > MOST_GANGS)) {
        report_count(bench, job, count);
        gang_document_unref(job->handle);
        job->handle = NULL;
        return;
    }
    first = *job; /* the array of jobs can move */
    for (uint64_t gang = next_selected(bench, &first, first.gang + 1, count); gang < count;
         gang = next_selected(bench, &first, gang + 1, count))
        add_gang(bench, &first, gang);
}
