/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PODGANG_H
#define LIBGANG_GROVE_PODGANG_H

#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/gang/wishes.h"
#include "libgang/kube/names.h"

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
#define GROVE_LABEL_BASE_PODGANG SLICE("grove.io/base-podgang")
#define GROVE_ANNOTATION_TOPOLOGY SLICE("grove.io/topology-name")

extern const struct schema podgang_schema;

/*
 * A `topologyConstraint` of a PodGang. It contains keys of node labels, whereas that of a
 * PodCliqueSet contains names of domains.
 */
struct grove_placement {
    const struct node *source; /* its packConstraint; NULL if absent */
    struct slice required;
    struct slice preferred;
};

/* Reads the topologyConstraint of `parent`. */
struct grove_placement grove_placement_read(const struct node *parent);

/* Converts the constraint to the gang's model. */
struct gang_placement grove_placement_in(const struct grove_placement *placement,
                                         struct slice topology);

/* One of `spec.podgroups[]`: the pods of one PodClique. */
struct podgang_podgroup {
    struct slice name; /* name of the PodClique */
    int64_t minimum;
    size_t num_pods; /* number of existing pods */
    struct grove_placement placement;
    const struct node *source;
};

/* One of `spec.topologyConstraintGroupConfigs[]`. */
struct podgang_config {
    struct slice name;
    const struct node *members; /* names of podgroups */
    struct grove_placement placement;
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
    struct grove_placement placement;
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

/* Return a label or annotation that exists and is not empty; NULL otherwise. */
const struct node *podgang_label(const struct gang_podgang *podgang, struct slice key);
const struct node *podgang_annotation(const struct gang_podgang *podgang, struct slice key);

#endif
