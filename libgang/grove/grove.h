/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_GROVE_H
#define LIBGANG_GROVE_GROVE_H

#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"
#include "libgang/kube/jobset.h"

/*
 * Names that Grove reads. Sources: ai-dynamo/grove:operator/api/common/labels.go,
 * operator/api/config/v1alpha1/types.go @fcc3b3bb.
 */
#define GROVE_LABEL_SCHEDULER SLICE("grove.io/scheduler-name")
#define GROVE_LABEL_PODGANG SLICE("grove.io/podgang")
#define GROVE_LABEL_PODCLIQUE SLICE("grove.io/podclique")
#define GROVE_LABEL_PART_OF SLICE("app.kubernetes.io/part-of")
#define GROVE_LABEL_REPLICA_INDEX SLICE("grove.io/podcliqueset-replica-index")
#define GROVE_LABEL_SCALING_GROUP SLICE("grove.io/podcliquescalinggroup")
#define GROVE_ANNOTATION_TOPOLOGY SLICE("grove.io/topology-name")

/* The tables of schema/grove.yaml. They do not check a pod's spec; the readers of the spec do. */
extern const struct schema podgang_schema;
extern const struct schema podcliqueset_schema;
extern const struct schema topologybinding_schema;

/*
 * Reads the `topologyConstraint` of a part of a PodGang. It contains keys of node labels, whereas
 * that of a PodCliqueSet contains names of domains.
 */
struct gang_placement grove_placement_of(const struct node *part, struct slice topology);

/* One of `spec.podgroups[]`: the pods of one PodClique. */
struct podgang_podgroup {
    struct slice name; /* name of the PodClique */
    int64_t minimum;
    size_t num_pods; /* number of existing pods */
    const struct node *source;
};

/* One of `spec.topologyConstraintGroupConfigs[]`. */
struct podgang_config {
    struct slice name;
    const struct node *members; /* names of podgroups */
    const struct node *source;
};

/* The owner that controls an object; the texts are unset if there is none. */
struct podgang_controller {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice uid;
    const struct node *source;
};

/* A PodGang. Source: ai-dynamo/grove:scheduler/api/core/v1alpha1/podgang.go@fcc3b3bb */
struct gang_podgang {
    struct gang_document document;
    struct object_meta meta;
    const struct node *spec;
    struct podgang_podgroup *podgroups;
    size_t num_podgroups;
    struct podgang_config *configs;
    size_t num_configs;
    struct podgang_controller controller;
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_podgang *
podgang_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_PODGANG) ? (const struct gang_podgang *)document
                                                        : NULL;
}

void podgang_compile(struct gang_document *document, struct parse_call *call);

/* Returns the name of the object of `kind` to which the PodGang refers. */
struct slice podgang_refers_to(const struct gang_document *document, struct slice kind);

/* One of `spec.template.cliques[]`. */
struct podclique_template {
    struct slice name;
    int64_t replicas; /* number of pods in one PodClique */
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct pod_resources resources;
    /* Requests of one pod, where a limit replaces a missing request. */
    struct resource_list requests;
    const struct node *labels;
    const struct node *annotations;
    const struct node *pod_spec;
    const struct node *topology; /* NULL if absent */
    const struct node *source;
};

/* One of `spec.template.podCliqueScalingGroups[]`. */
struct podclique_scaling_group {
    struct slice name;
    const struct node *cliques;  /* names of cliques */
    const struct node *topology; /* NULL if absent */
    const struct node *source;
};

/* A PodCliqueSet. Source: ai-dynamo/grove:operator/api/core/v1alpha1/podcliqueset.go@fcc3b3bb */
struct gang_podcliqueset {
    struct gang_document document;
    struct object_meta meta;
    const struct node *pod_template; /* spec.template */
    struct podclique_template *cliques;
    size_t num_cliques;
    struct podclique_scaling_group *groups;
    size_t num_groups;
    const struct node *topology; /* NULL if absent */
};

void podcliqueset_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns the clique whose template a PodClique has, by the name of the PodClique:
 * `<set>-<replica>-<clique>` or `<set>-<replica>-<group>-<replica>-<clique>`. NULL if no clique
 * matches.
 */
const struct podclique_template *podcliqueset_find_clique(const struct gang_podcliqueset *set,
                                                          struct slice podclique);

/*
 * Returns the PodCliqueSet with the requests that the pods of its cliques have after admission by
 * the API server; returns `set` itself if admission changes nothing. The result is allocated in the
 * report's arena and holds no reference. Reports the findings of pod_admission_apply().
 */
const struct gang_podcliqueset *clique_requests_admit(const struct gang_podcliqueset *set,
                                                      const struct pod_admission *admission,
                                                      struct report *report);

/* Reports the findings of pod_limits_check() about the pods of every clique. */
void clique_requests_check_limits(const struct gang_podcliqueset *set, struct report *report);

/*
 * Uses only `requests` as the requests of a pod in the roles made from the set's cliques, and
 * reports limits that are not counted.
 */
void clique_requests_leave_limits_out(const struct gang_podcliqueset *set,
                                      struct gang_wishes *wishes, struct report *report);

/*
 * A ClusterTopologyBinding. Source:
 * ai-dynamo/grove:operator/api/core/v1alpha1/clustertopologybinding.go@fcc3b3bb
 */
struct gang_topologybinding {
    struct gang_document document;
    struct object_meta meta;
    const struct node *levels;     /* from the widest to the narrowest */
    const struct node *schedulers; /* schedulerTopologyBindings */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_topologybinding *
topologybinding_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_TOPOLOGYBINDING)
               ? (const struct gang_topologybinding *)document
               : NULL;
}

void topologybinding_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns the name of the object of `kind` to which the binding refers: a Topology of another
 * owner, or the one that Grove creates with the binding's name.
 */
struct slice topologybinding_refers_to(const struct gang_document *document, struct slice kind);

/*
 * Returns the node that names the topology object that another owner manages for a scheduler; NULL
 * if Grove creates one with the binding's name.
 */
const struct node *topologybinding_reference(const struct gang_topologybinding *binding,
                                             struct slice scheduler);

/* A PodGang and the documents that belong to it: the input of Grove's operator. */
struct grove_job {
    const struct gang_podgang *podgang;
    const struct gang_podcliqueset *podcliqueset; /* NULL if unknown */
    const struct gang_topologybinding *topology;  /* of any name; NULL if unknown */
    const struct gang_podgang *const *siblings;   /* may be of other replicas */
    size_t num_siblings;
};

/* Returns `<namespace>/<name>`, as in Grove's messages. */
const char *grove_job_full_name(const struct object_meta *meta, struct arena *arena);

/*
 * Returns the parent of a missing label, for findings: the labels, or the metadata if there are no
 * labels. Sets `missing` to the path of the missing labels below that parent; empty if only the
 * label is missing.
 */
const struct node *grove_job_label_place(const struct object_meta *meta, struct slice *missing);

/*
 * Reports a PodCliqueSet that does not control the PodGang. Reports nothing without a PodCliqueSet.
 */
void grove_job_check_set(const struct grove_job *job, struct report *report);

/*
 * Reports, with Grove's messages, a PodGang whose PodCliqueSet is unknown: it has no owner, an
 * owner of another kind, or a PodCliqueSet that was not passed in. Returns false in these cases.
 */
bool grove_job_require_set(const struct grove_job *job, struct report *report);

/*
 * Sets owner, roles, groups, placement and priority of the gang: one role for each podgroup, with
 * its own group; parent groups for the topologyConstraintGroupConfigs that name podgroups. The
 * counts and requests of a role come from its clique, if the PodCliqueSet has the clique. Reports
 * podgroups that are named twice, and configs that name podgroups which do not exist or are also in
 * another config.
 */
void grove_gang_fill(const struct grove_job *job, struct gang_wishes *wishes,
                     struct report *report);

/*
 * The following functions are the parts of grove_gang_fill(), for another layout of the same
 * documents.
 *
 * Sets the fields that do not depend on the podgroups.
 */
void grove_gang_fill_shared(const struct grove_job *job, struct gang_wishes *wishes);
/* Sets only the roles, for callers that need them before the rest is known. */
void grove_gang_fill_roles(const struct grove_job *job, struct gang_wishes *wishes,
                           struct report *report);
/* Returns the role for one podgroup. */
struct role grove_gang_role(const struct grove_job *job, const struct podgang_podgroup *podgroup);
/*
 * Links the groups from `first` on, whose roles start at `first_role`, to the configs that name
 * them. The groups of the roles are the last ones, in the order of the roles.
 */
void grove_gang_link_groups(struct gang_wishes *wishes, size_t first, size_t first_role,
                            struct report *report);
/* Reports names that two groups have. */
void grove_gang_check_names(const struct gang_wishes *wishes, struct report *report);
/* Returns the name of the topology of one of the PodGangs; unset if it names none. */
struct slice grove_gang_topology_name(const struct grove_job *job,
                                      const struct gang_podgang *podgang);

/*
 * Sets what a PodGang asks for the objects of its gang, whose placement is set. `spec` is that of
 * the PodGang, or of the pods of a PodCliqueSet, whose class Grove copies to every PodGang.
 */
void grove_gang_request(const struct node *spec, struct gang_wishes *wishes);

/* Sets the roles of a PodCliqueSet for which no PodGang is known: one for each clique. */
void grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang_wishes *wishes,
                              struct report *report);

/*
 * Fills the gang for all PodGangs of one replica of a PodCliqueSet: the base PodGang, which must
 * start, and the PodGangs that scaling added, which are optional. `job` has the base and its
 * siblings. Reports siblings that do not match the base.
 *
 * Source: ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull request 735 @ebe5f5a0
 */
void aggregate_fill(const struct grove_job *job, struct gang_wishes *wishes, struct report *report);

/*
 * Returns the base PodGang of the job's replica: the job's own PodGang or a sibling. Reports an
 * error and returns NULL if it is missing.
 */
const struct gang_podgang *aggregate_base(const struct grove_job *job, struct report *report);

/* Reports a scaled PodGang without the label that names its scaling group. */
void aggregate_check_scaled(const struct gang_podgang *scaled, struct report *report);

/*
 * Return the name of the PodGroup of a replica: the former for a known PodCliqueSet and index, the
 * latter for a PodGang of the replica.
 */
struct slice aggregate_name_of(struct slice set, struct slice replica, struct arena *arena);
struct slice aggregate_name(const struct grove_job *job, struct arena *arena);

/*
 * Returns the name unchanged if KAI accepts it as the name of a subgroup. Otherwise returns a
 * unique name made from it: in lower case, with '-' for characters that are not allowed, and with
 * ten digits of the SHA-256 of the name. The result is allocated in `arena`, or is the argument
 * itself.
 *
 * Source: stableKAIName of ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull
 * request 735 @ebe5f5a0
 */
struct slice aggregate_stable_name(struct slice name, struct arena *arena);

/* A queue and the node that names it. */
struct grove_queue {
    struct slice name;         /* unset if there is none or errors were reported */
    const struct node *source; /* NULL if the default applies */
};

/* How to handle documents that name no queue for a scheduler without a default queue. */
enum grove_queue_need {
    GROVE_QUEUE_NEEDED,   /* report an error */
    GROVE_QUEUE_OPTIONAL, /* another source provides a queue if the documents do not */
    GROVE_QUEUE_IGNORED,  /* another source provides the queue in any case */
};

/* A scheduler that Grove can drive, with the properties from its descriptor. */
struct grove_scheduler {
    const struct descriptor *descriptor; /* NULL if it has no gangs */
    const struct descriptor_grove *grove;
};

/* Returns a scheduler in the order of Grove's list; NULL after the last. */
const struct grove_scheduler *grove_scheduler_at(size_t index);
/* Returns NULL for a scheduler that Grove does not know. Names are compared exactly. */
const struct grove_scheduler *grove_scheduler_named(struct slice name);
/* Returns NULL for a scheduler that Grove does not drive. */
const struct grove_scheduler *grove_scheduler_of(const struct descriptor *descriptor);
/*
 * Returns the names or types of the schedulers with gangs: "kai-scheduler, volcano". Allocated in
 * `arena`.
 */
const char *grove_scheduler_list(bool of_types, const char *separator, struct arena *arena);

/*
 * Returns the queue of a PodGang, or of a PodCliqueSet alone.
 *
 * GROVE_QUEUE_OF_LABELS: the queue of the PodCliqueSet, or else of its cliques, where the label has
 * precedence over the annotation. The cliques must agree, and a queue must exist if one is needed.
 *
 * GROVE_QUEUE_OF_PODGANG: the PodGang's annotation, or else the one on which PodCliqueSet and
 * cliques agree, or else the scheduler's default. Grove itself reads only the first, although it
 * accepts the second; this is reported.
 *
 * Without a PodGang: the queue on which PodCliqueSet and cliques agree. Reports what Grove refuses.
 */
struct grove_queue grove_queue_read(const struct grove_scheduler *scheduler,
                                    const struct grove_job *job, enum grove_queue_need need,
                                    struct report *report);

/*
 * Returns the scheduler that Grove uses if no scheduler is named. Grove refuses a configuration
 * without this profile.
 */
const struct grove_scheduler *grove_scheduler_by_default(void);
/*
 * Returns the scheduler of this name if it has no gangs, and the default one otherwise, because a
 * policy may use any name.
 */
const struct grove_scheduler *grove_scheduler_without_gangs(struct slice name);

/*
 * Returns the first clique that names the index-th of the schedulers that the cliques name; NULL
 * after the last, and without a set.
 */
const struct podclique_template *grove_clique_naming_scheduler(const struct gang_podcliqueset *set,
                                                               size_t index);
/*
 * Returns the scheduler of the cliques as Grove reads it: that of the first clique, or `by_default`
 * if it names none.
 */
struct slice grove_cliques_scheduler(const struct gang_podcliqueset *set, struct slice by_default);
/* Returns the node of the scheduler name of a clique, for findings. */
const struct node *grove_clique_scheduler_source(const struct podclique_template *clique);
/* Reports cliques whose scheduler differs from that of the first. */
void grove_cliques_check_scheduler(const struct gang_podcliqueset *set, struct slice by_default,
                                   struct report *report);

/* Reports the topologyConstraints of a PodCliqueSet that the scheduler does not support. */
void grove_scheduler_check_topology(const struct grove_scheduler *scheduler,
                                    const struct gang_podcliqueset *set, struct report *report);

/* A pod that Grove's operator has built but not yet created. */
struct grove_pod {
    struct gang_document document;
    const struct node *root;
    struct object_meta meta;
};

/*
 * Parses a Pod and ignores unknown fields. The caller frees the result with gang_document_unref().
 */
int grove_pod_parse(const struct gang_context *context, const char *data, size_t len,
                    struct grove_pod **out, struct gang_error **err);

/*
 * Reports, with Grove's messages, the labels that the named scheduler needs and the pod lacks.
 * `keys` ends with an unset one.
 */
void grove_pod_require_labels(const struct grove_pod *pod, const char *scheduler,
                              const struct slice *keys, struct report *report);

#endif
