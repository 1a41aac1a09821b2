/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TOPOLOGIES_H
#define GANGCTL_TOPOLOGIES_H

#include "jobs.h"

/* What exists, as --live gives it. */
struct live {
    const struct source *source;
    struct gang_context *context; /* with limits for a whole cluster's objects */
};

/*
 * Compares the ClusterTopologyBindings of the input with the Topologies of KAI that exist. False
 * for a conflict, and for what could not be compared.
 */
bool reconcile_topologies(struct workbench *bench, const struct live *live);

/* Adds what was decided for each in the form that was asked for: a line, an action with its object,
 * or what is to be written. */
void add_topology_steps(struct text *out, struct workbench *bench, const struct options *options);

#endif
