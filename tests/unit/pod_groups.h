/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_POD_GROUPS_H
#define TESTS_UNIT_POD_GROUPS_H

#include "unit/reconciliations.h"

/* The PodGroups of coscheduling and Volcano for the job of reconciliations.h. */

#define COSCHEDULING "scheduling.x-k8s.io/v1alpha1"
#define VOLCANO "scheduling.volcano.sh/v1beta1"
#define COSCHEDULED(metadata, spec) LIVE(COSCHEDULING, "PodGroup", "my-job", metadata, spec)
#define VOLCANO_GROUP(metadata, spec) LIVE(VOLCANO, "PodGroup", "my-job", metadata, spec)
#define AS_COSCHEDULED "'minMember':8,'minResources':{'cpu':'8'},'scheduleTimeoutSeconds':60"
#define AS_VOLCANO "'minMember':8,'minResources':{'cpu':'8'}"

/* The podGroupPolicy of the runtime. */
#define C "{'coscheduling':{}}"
#define V "{'volcano':{}}"

#define PODGROUP(action) #action " PodGroup my-job\n"
#define OTHERS(kind, uid) ",'ownerReferences':[" OWNER_OF(kind, uid) "]"

#endif
