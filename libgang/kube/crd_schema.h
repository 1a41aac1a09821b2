/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_CRD_SCHEMA_H
#define LIBGANG_KUBE_CRD_SCHEMA_H

#include "libgang/document/schema.h"

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

#endif
