/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_JOB_KINDS_H
#define LIBGANG_JOBS_JOB_KINDS_H

#include "libgang/catalog/job_names.h"
#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/jobs/gang_job.h"

enum { JOB_KIND_MOST_VERSIONS = 3 };

/*
 * A kind of job: a translation to a GangJob, in a file of its own, jobs/kind_<name>.c. A new kind
 * is such a file and a row of JOB_KINDS.
 */
struct job_kind {
    /* the API versions that are read, as in `apiVersion`; unset after the last */
    struct slice api_versions[JOB_KIND_MOST_VERSIONS];
    struct slice kind;
    struct slice other_kind;     /* which is read in the same way; unset if there is none */
    const struct schema *schema; /* not NULL; unknown fields warn unless `is_strict` is set */
    bool is_strict;              /* an unknown field is an error: the kind is libgang's own */
    bool is_built_in;            /* the API server's own kind, which is no CRD */
    bool is_list; /* it has no name of its own; the translation sets the owner and its metadata */
    enum template_fields template_fields;
    /*
     * How many gangs the job has; 0 for a job without one. The time must not depend on that
     * number, but it may depend on the size of the document. NULL: one, or with `has_stages` as
     * many as the translation of the first gang sets in `num_gangs`.
     */
    uint64_t (*count_gangs)(const struct job_source *source);
    bool has_stages;
    /*
     * Fills in one gang of the job, which starts as gang_job_start() makes it. `gang` is less than
     * the number of gangs; the time must not depend on that number. Reports what is wrong in the
     * document and goes on. Fields of other types than the schema says must be read as absent.
     */
    void (*translate)(const struct job_source *source, uint64_t gang, struct gang_job *job);
};

/* The kinds of JOB_KINDS. */
#define JOB_KIND_DECLARE(name, kind, group) extern const struct job_kind name##_job_kind;
JOB_KINDS(JOB_KIND_DECLARE)

/* Returns the kind that reads a document; NULL if there is none. */
const struct job_kind *job_kind_find(struct slice api_version, struct slice kind);
/* Whether there is a row with this kind, of any API version. */
bool job_kind_is_known(struct slice kind);
/* Returns the kinds one by one; unset behind the last. */
struct slice job_kind_name(size_t index);

/* Checks a document of the kind, and sets in the report how its quantities are read from here on.
 */
void job_kind_check_schema(const struct job_kind *kind, const struct node *root,
                           struct report *report);

/*
 * How many gangs the job has; 1 for a kind with `has_stages`, of which only the translation knows.
 * A job without a spec has none.
 */
uint64_t job_kind_count_gangs(const struct job_kind *kind, const struct job_source *source);

/* A document of one of these kinds. */
struct job_document {
    struct gang_document document;
    const struct job_kind *kind;
    struct object_meta meta; /* of a list: that of its first gang */
    uint64_t num_gangs;
    struct gang_job job; /* the first gang; without roles if there is none */
};

/* Returns the compiled document; NULL for a document of another type. */
static inline const struct job_document *
job_document_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_JOB) ? (const struct job_document *)document : NULL;
}

void job_document_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns a gang of the job, in a time that does not depend on the number of gangs. `gang` must be
 * less than it. The first one is the document's own; the others are made in the report's arena,
 * which fails if out of memory. Never NULL.
 */
const struct gang_job *job_document_gang(const struct job_document *document, uint64_t gang,
                                         const struct limits *limits, struct report *report);

#endif
