/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TOPOLOGIES_H
#define GANGCTL_TOPOLOGIES_H

#include "jobs.h"

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

/*
 * Adds the result for each in the requested format: a line, an action with its object, or the
 * objects to write.
 */
void add_topology_steps(struct text *out, struct workbench *bench, const struct options *options);

#endif
