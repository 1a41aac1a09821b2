/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_H
#define LIBGANG_JOBS_GANG_JOB_H

#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"

/* The input of a translation; everything is borrowed. */
struct job_source {
    const struct node *root;
    const struct node *spec;        /* `spec` of the root; NULL if absent */
    const struct object_meta *meta; /* of the root */
    uint64_t gang;                  /* the one that is asked for; see job_kind */
    const struct limits *limits;
    struct arena *arena;
    struct report *report;
};

/*
 * Fills in what a translation starts with: the document itself is the owner. All fields of the job
 * must be 0 before.
 */
void gang_job_start(const struct job_source *source, struct gang_wishes *job);

/*
 * Return a role or a group to fill in, with the defaults of the fields; NULL after a failed
 * allocation. `most` is the number of roles that the translation adds in all.
 */
struct role *gang_job_add_role(struct gang_wishes *job, size_t most, struct slice name,
                               const struct node *source, struct arena *arena);
/* Sets how many pods a role has; all of them must start. */
void gang_job_set_count(struct role *role, int64_t count);
/* Adds an edge to another role. `most` is the number of edges that are added in all. */
void gang_job_add_edge(struct role *role, size_t most, const struct dependency *edge,
                       struct arena *arena);

/*
 * The job has no gang of ours: its pods are free, or its operator makes the gang itself. `reason`
 * is a constant such as "the Job has scheduling of its own"; the translation reports more, if the
 * user must change something.
 */
void gang_job_stand_back(struct gang_wishes *job, const struct node *source, const char *reason);

/* Returns a text that the user sets in the job, with its place; unset if the node is no text. */
struct job_request gang_job_wish(const struct node *node);

/*
 * Checks a translated job: names, numbers, edges and groups. Reports all problems. What depends on
 * the whole start order (cycles, a minimum that is out of reach) is checked when it is resolved.
 */
void gang_job_check(const struct gang_wishes *job, struct report *report);

/* ---- pods: gang_job_wishes.c ---- */

/*
 * Reads the resources of every role, from its template or its own fields, after a translation.
 * Reports invalid amounts and labels, and marks of gang membership in a template.
 */
void gang_job_read_pods(struct gang_wishes *job, const struct job_source *source);

/* Reads the resources alone, of one role with a template. NULL if out of memory. */
struct pod_resources *gang_job_read_resources(struct role *role, const struct job_source *source);

/*
 * Computes what one pod of the role requests, with what an operator adds. `resources` are those of
 * the template, perhaps changed by admission. The list must not be changed: it may be the role's.
 * False on overflow.
 */
bool gang_job_sum_requests(const struct role *role, const struct pod_resources *resources,
                           enum pod_requests_mode mode, struct arena *arena,
                           struct resource_list *out);

/* Whether neither a template nor amounts are given. */
static inline bool
gang_job_lacks_requests(const struct role *role)
{
    return !role->pod_template && !role->requests_source;
}

/* ---- groups: gang_job.c ---- */

/*
 * The groups of a job are a tree below the gang. A group contains groups and roles; both are its
 * children. Groups need no check and no work in a job without them.
 */

/* Sets the parents of the groups, whose names are set. */
SELDOM void gang_job_link_groups(struct gang_wishes *job, struct arena *arena);

/*
 * Sets the groups of the wishes, whose roles are set: those of the job, each after its parent, and
 * then one for each role. A group in a cycle, which the check has reported, is left out.
 */
void gang_job_fill_groups(const struct gang_wishes *job, struct gang_wishes *wishes,
                          struct arena *arena);

/* ---- stages: gang_job_wishes.c ---- */

/*
 * The gangs of a job with several stages: roles between which there is a Complete edge never run
 * together, so each stage with several pods has a gang of its own. A job with a role that is a
 * Member has one gang, and so has one whose roles wait for each other, which is an error of the
 * gang. Edges to no role count as absent.
 */

/*
 * Makes the job that of the gang that is asked for: the roles of its stage are Members, and the
 * name of every gang but the first ends in `-s<number>`. The other roles keep their edges, so that
 * each gang knows what its pods wait for. Those of the other gangs are elsewhere, and so are,
 * except in the first gang, those of no gang. Stands back if no stage has several pods. Sets
 * `num_gangs`.
 */
void gang_job_take_stage(struct gang_wishes *job, const struct job_source *source);

/* Returns the name of a gang by that of the first one. */
struct slice gang_job_name_of_stage(struct slice first, uint64_t gang, struct arena *arena);

/* ---- wishes: gang_job_wishes.c ---- */

/*
 * Makes the wishes those of the job, with roles and groups of their own. `admission` has the
 * cluster's facts; NULL: pods are used as written. The wishes borrow the job.
 */
void gang_job_fill(const struct gang_wishes *job, struct gang_wishes *wishes,
                   const struct pod_admission *admission, struct report *report);

/* Returns the topology as backends read it: the required level, else the preferred one. */
struct gang_topology gang_job_topology(const struct gang_placement *placement);

/* Counts the requests of the pods again, without limits as replacements for missing requests. */
SELDOM void gang_job_count_requests_only(struct gang_wishes *wishes, struct report *report);

/* Returns what owns the pods, for a backend that reads it; NULL only without memory. */
const struct owner_chain *gang_job_chain(const struct gang_wishes *job, struct arena *arena);

/* The most items of `spec.roles` and `spec.groups`, and edges of a role. */
enum { GANG_JOB_MOST_ROLES = 64 };

/* The tables of schema/gangjob.yaml: of the reader, and with the parts that an author needs. */
extern const struct schema gang_job_schema;
extern const struct schema gang_job_described;
/* The readers of values. */
SCHEMA_READ(gang_job_read_group);
SCHEMA_READ(gang_job_read_marks);
SCHEMA_READ(gang_job_read_role);
SCHEMA_READ(gang_job_read_subdomain);

/* Returns the JSON Schema of a GangJob; NULL if out of memory. */
const struct node *gang_job_describe(struct arena *arena);

#endif
