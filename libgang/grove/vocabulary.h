/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_VOCABULARY_H
#define LIBGANG_GROVE_VOCABULARY_H

#include "libgang/base/slice.h"

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

#endif
