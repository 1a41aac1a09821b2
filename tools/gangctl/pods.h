/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_PODS_H
#define GANGCTL_PODS_H

#include "jobs.h"

/* Whether it is a Pod with one of Grove's labels; other pods are ignored. */
bool is_pod_of_grove(const struct document *document);

/* Adds a pod of the input, to be prepared after all decisions. */
void add_pod(struct workbench *bench, const struct document *document);

/* Prepares each pod for its job, written in this format. */
void prepare_pods(struct workbench *bench, enum gang_format format);

#endif
