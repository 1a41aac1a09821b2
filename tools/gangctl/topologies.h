/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TOPOLOGIES_H
#define GANGCTL_TOPOLOGIES_H

#include "jobs.h"
#include "live_objects.h"

/* kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go */
#define TOPOLOGY_API_VERSION "kai.scheduler/v1alpha1"
#define TOPOLOGY_KIND "Topology"

/* The existing objects, from --live, parsed once for every job and binding. */
struct live {
    struct origin origin;
    struct gang_context *context; /* with limits for the objects of a whole cluster */
    struct gang_document *document;
    uint32_t flags; /* of gang_reconcile() */
};

/*
 * Compares the ClusterTopologyBindings of the input with the existing KAI Topologies. Returns false
 * for a conflict, and for objects that could not be compared.
 */
bool reconcile_topologies(struct workbench *bench, const struct live *live);

/* Returns the name of the Topology that Grove creates for the binding. */
const char *topology_name(const struct topology *topology);

/* Returns the Topology; only its name if another controller creates it. The caller frees it. */
struct json_object *topology_object(const struct topology *topology);

/*
 * Adds the result for each in the requested format: a line with the fields that change if `live`
 * has the objects, an action with its object, or the objects to write.
 */
void add_topology_steps(struct text *out, struct workbench *bench, const struct options *options,
                        const struct live_objects *live);

#endif
