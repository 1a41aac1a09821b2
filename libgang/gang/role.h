/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_ROLE_H
#define LIBGANG_GANG_ROLE_H

#include "libgang/kube/pod_requests.h"

/*
 * SCHEDULED: every pod of the role has a node. Like READY, it holds while the pods run; COMPLETE
 * holds only after they have ended.
 */
enum dependency_status { DEPENDENCY_READY, DEPENDENCY_COMPLETE, DEPENDENCY_SCHEDULED };
extern const char *const dependency_status_names[]; /* NULL-terminated, as the next names */

/* An edge of the start order: the role that has it is created when `role` has reached `status`. */
struct dependency {
    struct slice role;
    size_t index; /* of the role; ROLE_NONE if no role has this name, or the role has no pods */
    enum dependency_status status;
    const struct node *source;
};

#define ROLE_NONE SIZE_MAX

enum membership { ROLE_MEMBER, ROLE_LATE_MEMBER, ROLE_OUTSIDE };

enum ancestor {
    ANCESTOR_NONE,
    ANCESTOR_TRAINER,
    ANCESTOR_DATASET_INITIALIZER,
    ANCESTOR_MODEL_INITIALIZER
};

/*
 * What a field of the documents, or a label of the template, says about the membership of a role.
 * The start order decides the rest. The gang is of the stage of a role declared a member.
 */
enum membership_wish { WISH_AUTO, WISH_MEMBER, WISH_OUTSIDE };
/* The last name is that of a role outside which the plan of another gang has: `elsewhere`. */
extern const char *const membership_wish_names[];

/* One kind of pod in the job, as the front end reads it. */
struct role {
    struct slice name;
    struct slice ancestor_text; /* any value of the label; unset if absent */
    enum ancestor ancestor;
    enum membership_wish wish;
    int64_t count; /* pods that will exist */
    /*
     * The next fields are optional: where they are 0, every pod must start, all of them are created
     * at once, and each is of use alone. While a job is translated they are never 0 for this.
     */
    int64_t min_count;   /* if `has_min_count`: the pods that must start, 0 to `count` */
    int64_t first_count; /* pods created before any of them has a node, at most the former; or 0 */
    int64_t unit;        /* pods that are of use only together; divides the others; or 0 */
    /* key of a label of the pods with the same value only in one unit; unset if there is none */
    struct slice unit_label;
    int64_t operator_count; /* pods that the upstream operator counts */
    struct resource_list requests;
    struct dependency *dependencies;
    size_t num_dependencies;
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct slice group;        /* the name of its group; unset if the gang itself is */
    const struct node *source; /* the replicatedJob, the podclique: for findings about the role */
    const struct node *scheduler_name_source; /* NULL if unset */
    const struct node *priority_class_source;
    const struct node *job_spec; /* NULL if its pods are not from a Job, as the next field */
    const struct node *pod_spec;
    const struct node *job_metadata; /* of the templates of its Job and its pods; NULL if absent */
    const struct node *pod_metadata;
    bool lacks_requests;        /* the requests of its pods are unknown */
    bool requests_are_defaults; /* its pods name none; admission to the namespace sets them */
    bool has_min_count;
    bool retries;   /* its Job replaces failed pods: backoffLimit is not 0 */
    bool left_out;  /* the backend's options exclude it from the gang */
    bool elsewhere; /* outside, and a member of another gang of the job, which marks its pods */
    bool marked_is_flat; /* it has labels, annotations and schedulerName as its own members */
    bool has_marks;      /* the template has marks of a gang: see own_marks.h */
    uint32_t stage;      /* set by the start order alone, see start_order_stages() */
    /*
     * Where a translation finds the pods: a template, or what a template would say. Without both
     * the requests are unknown.
     */
    const struct node *pod_template;    /* a map with metadata and spec; NULL if absent */
    const struct node *requests_source; /* a map of quantities; NULL if absent, as the next one */
    const struct node *extra_source;    /* for containers that an operator or a webhook adds */
    /* What in the document gets the marks of the pods; NULL: the template. */
    const struct node *marked;
    /* Read from these when the translation is done, see gang_job_read_pods(). */
    const struct pod_resources *resources; /* of the template; NULL without one */
    struct resource_list extra;
};

/* Returns how many of its pods must start, at first or later. */
static inline int64_t
role_min_count(const struct role *role)
{
    return role->has_min_count ? role->min_count : role->count;
}

/* Returns how many of its pods a gang counts that waits for this role: those that can exist. */
static inline int64_t
role_first_count(const struct role *role)
{
    return role->first_count ? role->first_count : role_min_count(role);
}

/* Returns how many of its pods are created before any of them has a node. */
static inline int64_t
role_pods_at_first(const struct role *role)
{
    return role->first_count ? role->first_count : role->count;
}

static inline bool
role_is_elastic(const struct role *role)
{
    return role_min_count(role) < role->count;
}

/* Adds the list `dependsOn` of documents. */
void role_build_dependencies(const struct role *role, struct builder *parent);

/* What forming the gang decides about a role. */
struct role_part {
    enum membership membership;
    uint32_t wave;
};

#endif
