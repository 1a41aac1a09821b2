/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_CATALOG_H
#define LIBGANG_CATALOG_CATALOG_H

#include <gang/gang-names.h>

#include "libgang/document/schema.h"

/*
 * The schedulers that libgang renders for, in the order of every list of them. A row NAME needs NAME_descriptor, in
 * catalog/catalog_NAME.c, and NAME_backend, in the backend room. No other place lists them.
 */
#define CATALOG_SCHEDULERS(ROW) ROW(coscheduling) ROW(volcano) ROW(kai) ROW(workload)

/* The member of a runtime's podGroupPolicy that selects the scheduler. */
struct descriptor_member {
    struct slice name;
    struct slice path;           /* in a runtime */
    const struct schema *schema; /* NULL: the CRD's, or none */
    struct slice superseded;     /* an earlier spelling; unset: none */
    const struct schema *superseded_schema;
    bool is_of_operator;        /* Kubeflow Trainer v2.3 has the member, and a plugin that reads it */
    bool is_of_scheduling;      /* a runtime's spec.scheduling selects the scheduler too */
    struct slice timeout_path;  /* of scheduleTimeoutSeconds below the member; unset: it has none */
    struct slice topology_path; /* of networkTopology below the member; unset: it has none */
    const char *empty_queue;    /* what the operator says of a queue without a name; NULL: it takes it */
    const char *empty_queue_hint;
};

enum queue_place {
    QUEUE_IN_PATCHES,       /* runtimePatches[].trainingRuntimeSpec.template.metadata, the last patch first */
    QUEUE_IN_TEMPLATE,      /* the runtime's spec.template.metadata */
    QUEUE_ON_TRAINJOB,      /* the trainjob's own metadata */
    QUEUE_ON_RUNTIME,       /* the runtime's own metadata */
    QUEUE_ON_JOB_TEMPLATES, /* replicatedJobs[].template.metadata, patches merged in */
    QUEUE_ON_POD_TEMPLATES, /* the same of the pod templates */
    QUEUE_IN_GANG_POLICY,   /* the runtime's spec.podGroupPolicy; the key is a path below it, "kind.queue" */
};

enum queue_form { QUEUE_LABEL, QUEUE_ANNOTATION, QUEUE_FIELD };

enum { QUEUE_NOT_READ = -1 };

/* One place where a scheduler's queue may be written. */
struct queue_source {
    struct slice key;
    enum queue_form form;
    enum queue_place place;
    /* The lowest that is written is in force; those of one precedence must agree. QUEUE_NOT_READ: nobody reads it there. */
    int precedence;
    const char *hint; /* QUEUE_NOT_READ: what to write instead */
};

enum mark_place { MARK_LABEL, MARK_ANNOTATION, MARK_POD_FIELD };

/* What the scheduler reads of a pod as membership. Only libgang may set it. */
struct descriptor_mark {
    enum mark_place place;
    struct slice key;    /* of the label or annotation, or name of the field of the pod's spec */
    struct slice member; /* of the field: what names the group */
    bool names_group;    /* its value is the name of the group */
};

enum loss_field { LOSS_QUEUE, LOSS_TIMEOUT, LOSS_TOPOLOGY };

/* A field of the gang that the scheduler's objects have no place for. */
struct loss {
    enum loss_field field;
    const char *reason;
};

/* How Grove's backend of a scheduler reads a queue. */
enum grove_queue_rule {
    GROVE_QUEUE_NONE,      /* it has no gangs, so nobody reads one */
    GROVE_QUEUE_OF_LABELS, /* label before annotation, of the PodCliqueSet or of all cliques; without a default */
    GROVE_QUEUE_OF_PODGANG /* annotation of the PodGang; "default" without */
};

/* What Grove's backend of a scheduler does with a topologyConstraint. */
enum grove_topology_rule { GROVE_TOPOLOGY_PLACED, GROVE_TOPOLOGY_REFUSED, GROVE_TOPOLOGY_LOST };

/*
 * A scheduler that Grove drives. Source: ai-dynamo/grove:operator/api/config/v1alpha1/types.go and
 * operator/internal/scheduler/{kai,kube,volcano,lpx}/backend.go @fcc3b3bb.
 */
struct descriptor_grove {
    struct slice name;  /* as a schedulerName, and as Grove's profile; unset: Grove does not drive it */
    size_t place;       /* in Grove's list of schedulers */
    const char *words;  /* as Grove's messages call it */
    bool has_subgroups; /* its pods name their subgroup beside the group */
    enum grove_queue_rule queue_rule;
    struct slice queue_key;
    enum grove_topology_rule topology_rule;
    const char *topology_refusal; /* of a rule that refuses; NULL: a message that names the constraint */
};

enum { DESCRIPTOR_MOST_KINDS = 3, DESCRIPTOR_MOST_GROUPS = 2 };

/* How `gangctl cluster` finds the release of the scheduler, and a GangCluster states it. */
struct descriptor_component {
    struct slice name;                           /* in components; unset: it is part of Kubernetes */
    struct slice groups[DESCRIPTOR_MOST_GROUPS]; /* of its CRDs; unset behind the last */
    struct slice image;                          /* of its Deployment, without registry and tag */
};

/* The objects of a topology that the scheduler has of its own. */
struct descriptor_topology {
    struct slice group; /* unset: it has none */
    struct slice api_version;
    struct slice kind;
    struct slice annotation; /* that names one on a job */
};

/* Comments and lines of a first policy, for `gangctl policy init`. Unset: none. */
struct descriptor_starter {
    struct slice entry;    /* of the backend's entry */
    struct slice defaults; /* of spec.defaults */
};

/* What tables can say of one scheduler. */
struct descriptor {
    struct slice name; /* in lower case; its block of options in a policy has this name: "volcano" */
    struct slice type; /* "Volcano" */
    struct slice scheduler_name; /* where no policy says otherwise */

    struct slice group;                        /* of its API */
    struct slice kinds[DESCRIPTOR_MOST_KINDS]; /* in the order of creation; unset behind the last */
    struct slice resource;                     /* that the cluster must serve */
    struct slice api_version;                  /* of its objects; unset where the cluster decides it */
    /* What `backends[].apiVersion` may name, NULL-terminated; NULL: api_version alone. */
    const char *const *api_versions;

    /*
     * Of `backends[].<name>` in a policy; NULL: it has none. Each field needs a description, and a default_text where
     * one holds without it. `podGroup` among them may stand on the entry itself too and is read as if it stood here.
     */
    const struct schema *options;
    struct slice experimental; /* an option, with its value, that follows an unreleased change; unset: none */
    struct descriptor_starter starter;
    struct descriptor_member member;

    const struct queue_source *queue_sources; /* those that nobody reads behind; NULL: it has no queues */
    size_t num_queue_sources;
    struct slice default_queue; /* where it puts a group that names none; unset: nowhere, or no queues */
    struct slice queue_parent;  /* in the spec of its objects of kind Queue; unset: it has no such kind */

    const struct descriptor_mark *marks;
    size_t num_marks;
    const struct loss *losses;
    size_t num_losses;
    bool is_joined_twice; /* the Job controller, with WorkloadWithJob, joins its pods to a gang of its own */

    struct descriptor_component component;
    struct descriptor_grove grove;
    struct descriptor_topology topology;
};

#define CATALOG_DECLARE(name) extern const struct descriptor name##_descriptor;
CATALOG_SCHEDULERS(CATALOG_DECLARE)

/* Places in the catalog: CATALOG_AT_kai. */
#define CATALOG_PLACE(name) CATALOG_AT_##name,
enum { CATALOG_SCHEDULERS(CATALOG_PLACE) CATALOG_COUNT };

extern const struct descriptor *const catalog[CATALOG_COUNT];

/* NULL for none. */
const struct descriptor *catalog_of_name(struct slice name);
const struct descriptor *catalog_of_type(struct slice type);
/* By the member of podGroupPolicy, or its superseded spelling. */
const struct descriptor *catalog_of_member(struct slice member);

/* The first whose member has a time to wait, a network topology; the first that has topologies of its own. */
const struct descriptor *catalog_of_timeouts(void);
const struct descriptor *catalog_of_network_topologies(void);
const struct descriptor *catalog_of_topologies(void);

#endif
