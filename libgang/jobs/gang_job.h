/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_H
#define LIBGANG_JOBS_GANG_JOB_H

#include "libgang/gang/wishes.h"
#include "libgang/kube/names.h"
#include "libgang/kube/pod_requests.h"

/* A text that the user sets in the job. */
struct gang_job_wish {
    struct slice value; /* unset if absent */
    const struct node *source;
};

/*
 * Where the pods must be placed. Each field is optional; the key `topology` of the document exists
 * if `source` is set.
 */
struct gang_job_topology {
    struct slice name; /* name of the cluster's topology object */
    struct slice required;
    struct slice preferred;
    const struct node *source;
};

/* What the user asks of the scheduler in the job. Each ranks like a runtime's podGroupPolicy. */
struct gang_job_user_wishes {
    struct gang_job_wish backend; /* name of an enabled backend */
    struct gang_job_wish queue;
    struct gang_job_wish priority_class_name;
    bool has_timeout;
    int64_t timeout_seconds;
    const struct node *timeout_source;
    struct gang_job_topology topology;
};

/* When a role's pods are created: after another role has reached a status. */
enum gang_job_status { GANG_JOB_READY, GANG_JOB_COMPLETE, GANG_JOB_SCHEDULED, GANG_JOB_STATUSES };
extern const char *const gang_job_status_names[]; /* NULL-terminated */

struct gang_job_edge {
    struct slice role;
    enum gang_job_status status;
    const struct node *source;
};

/*
 * Member: the role fixes the stage of the gang. Outside: it is never in the gang. Auto: it is in
 * the gang if it runs at the same time. Elsewhere: it is outside, and the plan of another gang has
 * it; a role that was read is Outside, and `elsewhere`.
 */
enum gang_job_membership { GANG_JOB_AUTO, GANG_JOB_MEMBER, GANG_JOB_OUTSIDE, GANG_JOB_ELSEWHERE };
extern const char *const gang_job_membership_names[]; /* NULL-terminated */

/* Which fields of a pod's spec the API server keeps in the templates of a job. */
enum template_fields {
    TEMPLATE_WITHOUT_GROUP, /* those of a CRD without schedulingGroup */
    TEMPLATE_WITH_GROUP,    /* those of a CRD with it */
    TEMPLATE_BUILT_IN       /* all that it has in a pod */
};

/* One kind of pod. */
struct gang_job_role {
    struct slice name;
    int64_t count;     /* pods that exist at the same time */
    int64_t min_count; /* pods that must start; less than the count in an elastic role */
    int64_t unit;      /* pods that are of no use alone */
    /* Key of a label that the operator puts on each pod; its value differs from unit to unit. */
    struct gang_job_wish unit_label;
    /* Pods that exist before any other of the role is placed; it counts in the minimum. */
    int64_t first_count;
    struct gang_job_edge *edges; /* an edge to each role that it waits for */
    size_t num_edges;
    enum gang_job_membership membership;
    /* A template, or what a template would say; without both the requests are unknown. */
    const struct node *pod_template; /* a map with metadata and spec; NULL if absent */
    /* What in the document gets the marks of the pods; NULL: the template. */
    const struct node *marked;
    bool marked_is_flat; /* it has labels, annotations and schedulerName as its own members */
    const struct node *requests;         /* a map of quantities; NULL if absent */
    struct gang_job_wish scheduler_name; /* only without a template, as the next field */
    struct gang_job_wish priority_class_name;
    /* A map of quantities for containers that an operator or a webhook adds; NULL if absent. */
    const struct node *extra_requests;
    bool retries;               /* a failed pod is replaced */
    bool elsewhere;             /* the plan of another gang has the role, see gang_job_stages.h */
    struct gang_job_wish group; /* the name of its group */
    const struct node *source;  /* for findings about the role */

    /* Read from the fields above when the translation is done, see gang_job_pods.h. */
    bool has_marks;                 /* the template has marks of a gang: see own_marks.h */
    struct pod_resources resources; /* of the template */
    struct resource_list given;     /* the requests without a template, and without their texts */
    struct resource_list extra;
};

/* A pod in the list that is the job's document. */
struct gang_job_pod {
    const struct node *node; /* an item of the list */
    size_t role;             /* index of its role */
};

/* A part of the gang that starts as a whole. */
struct gang_job_group {
    struct slice name;
    struct gang_job_wish parent; /* unset: the gang */
    int64_t minimum;             /* direct children that must start */
    struct gang_job_topology topology;
    const struct node *source;
};

/*
 * One gang of a job, in the neutral form that every kind of job is translated to. A GangJob
 * document has the same fields. Texts and nodes are borrowed from the document or the arena of the
 * translation.
 */
struct gang_job {
    struct gang_owner owner;
    struct object_meta
        meta; /* of the owner: policy rules match it, and queue keys are read in it */
    struct slice group_name; /* unset: the owner's name */
    bool suspended;
    const struct node *managed_elsewhere; /* the field that says so; NULL if absent */
    const char
        *why_no_gang; /* why there is no gang although there are pods; NULL if there is one */
    const struct node *why_source;
    struct gang_job_user_wishes wishes;
    int64_t minimum; /* 0: computed */
    const struct node *minimum_source;
    struct gang_job_role *roles;
    size_t num_roles;
    struct gang_job_group *groups;
    size_t num_groups;
    bool marks_pods;    /* several gangs share a template, so the caller marks each pod */
    uint64_t num_gangs; /* of the job, as its stages have them; 1 for a job that is not divided */
    enum template_fields template_fields; /* set from the row of the kind */
    /* The templates are pods that exist: their marks are those of the gang, see pod_group.h. */
    bool roles_are_pods;
    struct gang_job_pod *pods; /* all of them, if the roles are pods */
    size_t num_pods;
};

/* The input of a translation; everything is borrowed. */
struct job_source {
    const struct node *root;
    const struct node *spec;        /* `spec` of the root; NULL if absent */
    const struct object_meta *meta; /* of the root */
    const struct limits *limits;
    struct arena *arena;
    struct report *report;
};

/*
 * Fills in what a translation starts with: the document itself is the owner. All fields of the job
 * must be 0 before.
 */
void gang_job_start(const struct job_source *source, struct gang_job *job);

/*
 * Return a role or a group to fill in, with the defaults of the fields; NULL after a failed
 * allocation. `most` is the number of roles that the translation adds in all.
 */
struct gang_job_role *gang_job_add_role(struct gang_job *job, size_t most, struct slice name,
                                        const struct node *source, struct arena *arena);
/* Sets how many pods a role has; all of them must start. */
void gang_job_set_count(struct gang_job_role *role, int64_t count);
/* Adds an edge to another role. `most` is the number of edges that are added in all. */
void gang_job_add_edge(struct gang_job_role *role, size_t most, const struct gang_job_edge *edge,
                       struct arena *arena);

/*
 * The job has no gang of ours: its pods are free, or its operator makes the gang itself. `reason`
 * is a constant such as "the Job has scheduling of its own"; the translation reports more, if the
 * user must change something.
 */
void gang_job_stand_back(struct gang_job *job, const struct node *source, const char *reason);

/* Returns a text with its place; unset if the node is not a text. */
struct gang_job_wish gang_job_wish(const struct node *node);

/* Returns the role of that name; NULL if there is none. */
const struct gang_job_role *gang_job_find_role(const struct gang_job *job, struct slice name);

/*
 * Checks a translated job: names, numbers, edges and groups. Reports all problems. What depends on
 * the whole start order (cycles, a minimum that is out of reach) is checked when it is resolved.
 */
void gang_job_check(const struct gang_job *job, const struct limits *limits, struct report *report);

#endif
