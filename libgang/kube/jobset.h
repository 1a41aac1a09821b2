/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_JOBSET_H
#define LIBGANG_KUBE_JOBSET_H

#include "libgang/base/context.h"
#include "libgang/kube/pod_requests.h"

/*
 * One replicatedJob of the document, with the defaults of the JobSet API. Absent fields are unset
 * or NULL.
 */
struct replicated_job {
    struct slice name;
    /* default 1; an explicit 0 is omitted from the request to the API server and becomes 1 */
    int64_t replicas;
    int64_t parallelism; /* default 1 */
    bool has_completions;
    bool survives_json; /* no quantity changes its format in a JSON round trip */
    bool retries;       /* the Job replaces failed pods: backoffLimit is not 0 */
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct pod_resources resources;
    /* of one pod, from `requests` only; canonical, as the next field */
    struct resource_list requests;
    struct resource_list effective_requests; /* of one pod; a limit replaces a missing request */
    bool requests_fit;                       /* false if the sum overflows a quantity */
    bool effective_requests_fit;
    bool requests_are_defaults;         /* the effective requests are those of admission alone */
    const struct node *requests_source; /* the resources that the sums were last computed from */

    const struct node *source;
    const struct node *name_source;
    const struct node *job_metadata;
    const struct node *job_spec;
    const struct node *pod_template; /* its metadata and spec */
    const struct node *pod_spec;
    const struct node *depends_on; /* the list; NULL when absent */
};

/* A JobSetSpec. Source: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 */
struct jobset {
    struct replicated_job *jobs;
    size_t count;
    bool has_pod_metadata;       /* of any pod template */
    const struct node *in_order; /* startupPolicyOrder: InOrder; NULL otherwise */
    const struct node *source;
};

/* Reads a JobSetSpec. */
struct jobset jobset_read(const struct node *spec, struct arena *arena, const struct limits *limits,
                          struct report *report);

/* Reads a JobSetSpec without the requests of its pods and without checks of its pods. */
struct jobset jobset_read_outline(const struct node *spec, struct arena *arena,
                                  const struct limits *limits, struct report *report);

/*
 * Reads the result of a patch to the JobSetSpec that `known` was read from. A merge encodes every
 * quantity as JSON, so quantities have the format after one JSON round trip. Jobs that the patch
 * did not change are not read again.
 */
struct jobset jobset_read_merged(const struct node *spec, const struct jobset *known,
                                 struct arena *arena, const struct limits *limits,
                                 struct report *report);

const struct replicated_job *jobset_find(const struct jobset *jobset, struct slice name);

/* Computes the requests of one pod again after `resources` changed. */
void replicated_job_sum_requests(struct replicated_job *job, struct arena *arena);
void replicated_job_sum_effective_requests(struct replicated_job *job, struct arena *arena);

/* Whether a container or an init container has this name. Both kinds share one namespace. */
bool replicated_job_has_container(const struct replicated_job *job, struct slice name);

/* Returns the container of this name, but no init container. NULL if absent. */
const struct node *replicated_job_container(const struct replicated_job *job, struct slice name);

/*
 * Whether annotations of a JobSet or its templates have a part in replicated_job_exclusive(). NULL
 * has none.
 */
bool jobset_annotations_place(const struct node *annotations);

/*
 * Returns the annotation exclusive-topology that makes JobSet create the pods of each Job in two
 * waves: its webhook refuses every pod but the one with completion index 0 until that one has a
 * node. NULL if all pods are created at once. `annotations` are those of the JobSet; NULL if it has
 * none.
 *
 * Source: kubernetes-sigs/jobset:pkg/controllers/jobset_controller.go labelAndAnnotateObject,
 * pkg/webhooks/pod_webhook.go ValidateCreate@v0.12.0
 */
const struct node *replicated_job_exclusive(const struct replicated_job *job,
                                            const struct node *annotations);

#endif
