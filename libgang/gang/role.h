/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_ROLE_H
#define LIBGANG_GANG_ROLE_H

#include "libgang/document/node.h"
#include "libgang/kube/resource_list.h"

enum dependency_status { DEPENDENCY_READY, DEPENDENCY_COMPLETE };

/* An edge of the start order: the role that has it is created when `role` has reached `status`. */
struct dependency {
    struct slice role;
    size_t index; /* of the role; ROLE_NONE if no role has this name */
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

/* One kind of pod in the job, as the front end reads it. */
struct role {
    struct slice name;
    struct slice ancestor_text; /* any value of the label; unset if absent */
    enum ancestor ancestor;
    int64_t count;          /* pods that will exist */
    int64_t operator_count; /* pods that the upstream operator counts */
    struct resource_list requests;
    bool lacks_requests;        /* the requests of its pods are unknown */
    bool requests_are_defaults; /* its pods name none; admission to the namespace sets them */
    struct dependency *dependencies;
    size_t num_dependencies;
    struct slice scheduler_name;
    struct slice priority_class_name;
    const struct node *source;                /* the replicatedJob or podclique */
    const struct node *scheduler_name_source; /* NULL if unset */
    const struct node *priority_class_source;
    const struct node *job_spec; /* NULL if its pods are not from a Job, as the next field */
    const struct node *pod_spec;
    const struct node *job_metadata; /* of the templates of its Job and its pods; NULL if absent */
    const struct node *pod_metadata;
    bool retries;   /* its Job replaces failed pods: backoffLimit is not 0 */
    bool left_out;  /* the backend's options exclude it from the gang */
    uint32_t stage; /* set by the start order alone, see start_order_stages() */
};

/* What forming the gang decides about a role. */
struct role_part {
    enum membership membership;
    uint32_t wave;
};

#endif
