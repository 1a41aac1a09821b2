/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_JOBSET_H
#define LIBGANG_KUBE_JOBSET_H

#include "libgang/document/schema.h"
#include "libgang/kube/names.h"
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
    bool retries;       /* job_spec_retries() */
    struct pod_resources resources;
    struct pod_sum {
        struct resource_list requests;  /* of one pod; canonical */
        bool fits;                      /* false if the sum overflows a quantity */
    } sums[POD_REQUESTS_EFFECTIVE + 1]; /* indexed by enum pod_requests_mode */
    bool requests_are_defaults;         /* the effective requests are those of admission alone */
    bool pods_are_sound; /* a runtime's judgement: nothing to report about effective requests */
    const struct node *requests_source; /* the resources that the sums were last computed from */

    const struct node *source;
    const struct node *name_source;
    const struct node *job_metadata;
    const struct node *job_spec;
    const struct node *pod_metadata;
    const struct node *pod_spec;
    const struct node *depends_on; /* the list; NULL when absent */
};

/* A JobSetSpec. Source: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 */
struct jobset {
    struct replicated_job *jobs;
    size_t count;
    bool has_pod_metadata;       /* of any pod template */
    bool has_completions;        /* of any job */
    const struct node *in_order; /* startupPolicyOrder: InOrder; NULL otherwise */
    const struct node *coordinator;
    const struct node *source;
};

/*
 * Whether a Job replaces failed pods: its backoffLimit is not 0, or a rule ignores failures, which
 * then do not count. Source: kubernetes/kubernetes:pkg/controller/job/pod_failure_policy.go@v1.36.3
 */
bool job_spec_retries(const struct node *job_spec);

/* Reports a list of containers of a pod that is longer than the limit. */
void pod_containers_check(const struct node *pod_spec, struct report *report);
/* Allocates an array for roles; NULL without memory, or for a list beyond the limit: reported. */
void *roles_array(const struct node *list, size_t size, struct report *report);

/* Reads a JobSetSpec without the requests of its pods and without checks of its pods. */
struct jobset jobset_read_outline(const struct node *spec, struct report *report);

/*
 * Reads a JobSetSpec. `known`: that which a patch has changed to this one; NULL: there is no patch.
 * A merge encodes every quantity as JSON, so quantities have the format after one JSON round trip.
 * Jobs that the patch did not change are not read again.
 */
struct jobset jobset_read(const struct node *spec, const struct jobset *known,
                          struct report *report);

/*
 * Whether a JobSet that was merged from `known` and a patch differs from it only in the templates
 * of its Jobs: names, dependencies, replicas and all policies are the same.
 */
bool jobset_keeps_outline(const struct jobset *merged, const struct jobset *known);

const struct replicated_job *jobset_find(const struct jobset *jobset, struct slice name);

/* Computes a sum of the requests of one pod again after `resources` changed. */
void replicated_job_sum_requests(struct replicated_job *job, enum pod_requests_mode mode,
                                 struct arena *arena);

/* Whether a container or an init container has this name. Both kinds share one namespace. */
bool replicated_job_has_container(const struct replicated_job *job, struct slice name);

/* Returns the container of this name, but no init container. NULL if absent. */
const struct node *replicated_job_container(const struct replicated_job *job, struct slice name);

/*
 * Whether annotations of a JobSet or its templates have a part in jobset_exclusive_find(). NULL has
 * none.
 */
bool jobset_annotations_place(const struct node *annotations);

/* Reports what JobSet's webhook would refuse whatever the name of the job is. */
void jobset_rules_check_alone(const struct jobset *jobset, struct report *report);

/* Returns whether the JobSet alone has no problems. A runtime calls this once for all its jobs. */
bool jobset_rules_find_nothing(const struct jobset *jobset, struct arena *arena);

/*
 * Reports a start order that is written in both ways: CEL of the JobSetSpec, which the CRDs of
 * TrainingRuntimes embed.
 */
void jobset_start_order_check(const struct jobset *jobset, struct report *report);

/*
 * Reports a name of a JobSet with which the names of a role's Jobs or pods are too long. The
 * TrainJob's own check counts the pods that the operator sets.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0
 */
void jobset_names_check(const struct object_meta *meta, const struct replicated_job *job,
                        int64_t replicas, struct report *report);

/* The most characters of a name of a Job or pod, and those of `-xxxxx` behind that of a pod. */
enum { JOBSET_LONGEST_NAME = 63, JOBSET_POD_SUFFIX = 6 };

/* Whether a role's pods have indices, which are a part of their names. */
bool jobset_is_indexed(const struct replicated_job *job);

/* Reports a job whose role has Jobs, or pods if they are indexed, with too long a name. */
void jobset_report_long_name(const struct node *job_name, struct slice role, size_t len,
                             bool indexed, struct report *report);

/*
 * Reports a coordinator of this role that JobSet's webhook refuses; -1: no completions.
 *
 * Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go validateCoordinator and
 * validateCoordinatorLabelValue@v0.12.0
 */
void jobset_coordinator_check(const struct jobset *set, const struct object_meta *meta,
                              const struct replicated_job *job, int64_t replicas,
                              int64_t completions, struct report *report);

/*
 * Returns the annotation exclusive-topology if it makes JobSet create the pods of each Job, of
 * which there are `count`, in two waves: its webhook refuses every pod but the one with completion
 * index 0 until that one has a node. The caller reports it. NULL if all are created at once.
 * `annotations` are those of the JobSet; NULL if it has none. Reports a role whose pods have no
 * indices.
 *
 * Source: kubernetes-sigs/jobset:pkg/controllers/jobset_controller.go labelAndAnnotateObject,
 * pkg/webhooks/pod_webhook.go ValidateCreate@v0.12.0
 */
const struct node *jobset_exclusive_find(const struct replicated_job *job,
                                         const struct node *annotations, int64_t count,
                                         struct report *report);

/*
 * The schemas of a complete TrainingRuntime or ClusterTrainingRuntime, and of a complete TrainJob.
 * metadata and status accept any value.
 */
extern const struct schema training_runtime_schema;
extern const struct schema trainjob_schema;

/*
 * The kinds whose specs a runtime embeds: a complete JobSet, a complete Job, and a pod template.
 * Both kinds have `spec.scheduling`, which only newer versions of them know.
 */
extern const struct schema jobset_schema;
extern const struct schema job_schema;
extern const struct schema pod_template_schema;
extern const struct schema pod_container_schema;

#endif
