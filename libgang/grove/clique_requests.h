/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_CLIQUE_REQUESTS_H
#define LIBGANG_GROVE_CLIQUE_REQUESTS_H

#include "libgang/gang/gang.h"
#include "libgang/grove/podcliqueset.h"
#include "libgang/kube/pod_admission.h"

/*
 * The PodCliqueSet with the requests that the pods of its cliques have once the API server has let them in; the same one
 * where nothing comes of that. It lives in the report's arena and holds no reference. Reports what pod_admission_apply() does.
 */
const struct gang_podcliqueset *clique_requests_admit(const struct gang_podcliqueset *set,
                                                      const struct pod_admission *admission,
                                                      struct report *report);

/*
 * Takes what stands under requests alone for what a pod requests, in the roles that are made of the set's cliques, and says
 * where limits go uncounted.
 */
void clique_requests_leave_limits_out(const struct gang_podcliqueset *set, struct gang *gang,
                                      struct report *report);

#endif
