/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_TOPOLOGY_H
#define LIBGANG_BACKEND_KAI_TOPOLOGY_H

#include "libgang/base/slice.h"

/* The Topology of KAI. Source: kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go */
#define KAI_TOPOLOGY_GROUP SLICE("kai.scheduler")
#define KAI_TOPOLOGY_API_VERSION SLICE("kai.scheduler/v1alpha1")
#define KAI_TOPOLOGY_KIND SLICE("Topology")
/* As `schedulerTopologyBindings` of a ClusterTopologyBinding names its scheduler. */
#define KAI_TOPOLOGY_SCHEDULER SLICE("kai-scheduler")

#endif
