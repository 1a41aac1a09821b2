/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_UPDATE_H
#define LIBGANG_BACKEND_WORKLOAD_UPDATE_H

#include "libgang/backend/backend.h"

/*
 * What each version of scheduling.k8s.io lets be changed, and what its server fills in or drops.
 * Sources: kubernetes/api:scheduling/{v1alpha1,v1alpha2,v1alpha3,v1beta1}/types.go@v0.35.7, @v0.36.3 and @10b39a3; the lifecycle and
 * what is no drift: kubernetes-sigs/jobset:keps/969-GangScheduling and kubernetes/enhancements KEP-5547.
 */
extern const struct backend_updates workload_updates;

#endif
