/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_ADMISSION_H
#define LIBGANG_KUBE_POD_ADMISSION_H

#include "libgang/kube/limit_range.h"
#include "libgang/kube/runtime_class.h"

/* What the API server does with the requests of a pod in one namespace, as far as it is known. */
struct pod_admission {
    bool knows_limit_ranges;
    const struct limit_range *limit_ranges; /* of the namespace, by name */
    size_t num_limit_ranges;
    bool knows_runtime_classes;
    const struct runtime_class *runtime_classes; /* all, by name */
    size_t num_runtime_classes;
};

/* Whether a pod of this template can come out of admission otherwise than it goes in, or not at all. */
bool pod_admission_matters(const struct pod_admission *admission, const struct node *pod_spec);

/*
 * The resources that the pod has once it is admitted. Reports what was filled in, what was not checked for want of a
 * fact, and, in the API server's words, why it would refuse the pod.
 */
struct pod_resources pod_admission_apply(const struct pod_admission *admission, const struct node *pod_spec,
                                         const struct pod_resources *pod, struct arena *arena,
                                         struct report *report);

/* Warns of limit ranges of which it is left to chance which one gives a container its default. */
void pod_admission_compare_ranges(const struct pod_admission *admission, struct report *report);

#endif
