/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_JOBSET_H
#define LIBGANG_KUBE_JOBSET_H

#include "libgang/base/context.h"
#include "libgang/kube/pod_requests.h"

/* One replicatedJob as written, with the defaults of the JobSet API. Unset or NULL where absent. */
struct replicated_job {
    struct slice name;
    int64_t replicas;    /* default 1; an explicit 0 is dropped on the way to the API server and becomes 1 */
    int64_t parallelism; /* default 1 */
    bool has_completions;
    bool survives_json; /* no quantity changes its format on the way through JSON */
    bool retries;       /* the Job replaces failed pods: backoffLimit is not 0 */
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct pod_resources resources;
    struct resource_list requests;           /* of one pod, from `requests` alone; canonical, as the next */
    struct resource_list effective_requests; /* of one pod, limits standing in for missing requests */
    bool requests_fit;                       /* the sum is no more than a quantity holds */
    bool effective_requests_fit;
    const struct node *requests_source; /* what the sums were last taken of */

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
    const struct node *in_order; /* startupPolicyOrder: InOrder; NULL otherwise */
    const struct node *source;
};

/* Reads a JobSetSpec. */
struct jobset jobset_read(const struct node *spec, struct arena *arena, const struct limits *limits,
                          struct report *report);

/*
 * Reads what a patch has made of the JobSetSpec that `known` was read from, with every quantity as it is after one
 * way through JSON, which is what a merge does to all of them. A job that the patch left alone is not read again.
 */
struct jobset jobset_read_merged(const struct node *spec, const struct jobset *known, struct arena *arena,
                                 const struct limits *limits, struct report *report);

const struct replicated_job *jobset_find(const struct jobset *jobset, struct slice name);

/* Sum what one pod requests, anew after a change of `resources`. */
void replicated_job_sum_requests(struct replicated_job *job, struct arena *arena);
void replicated_job_sum_effective_requests(struct replicated_job *job, struct arena *arena);

/* Whether a container or an init container has this name: they share one set of names. */
bool replicated_job_has_container(const struct replicated_job *job, struct slice name);

/* The container of this name, init containers left out; NULL when there is none. */
const struct node *replicated_job_container(const struct replicated_job *job, struct slice name);

#endif
