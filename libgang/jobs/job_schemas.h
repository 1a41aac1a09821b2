/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_JOB_SCHEMAS_H
#define LIBGANG_JOBS_JOB_SCHEMAS_H

#include "libgang/document/schema.h"

/*
 * The complete documents of the kinds that operators define with a CRD. metadata, status and what
 * cannot change a gang accept any value.
 */
extern const struct schema ray_cluster_schema;
extern const struct schema ray_job_schema;
extern const struct schema ray_service_schema;
extern const struct schema lws_schema;
extern const struct schema disaggregated_set_schema;
extern const struct schema role_based_group_schema;
extern const struct schema mpi_job_schema;
extern const struct schema pytorch_job_schema;
extern const struct schema tf_job_schema;
extern const struct schema xgboost_job_schema;
extern const struct schema paddle_job_schema;
extern const struct schema jax_job_schema;
extern const struct schema spark_application_schema;
extern const struct schema appwrapper_schema;

#endif
