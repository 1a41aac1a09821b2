/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_POD_GROUPS_H
#define GANGCTL_POD_GROUPS_H

#include "documents.h"

/*
 * Whether it is a Pod that may name its group: the text has the key of a label or annotation for
 * it.
 */
bool may_be_in_group(const struct document *document);

/*
 * Adds a PodList for each group of pods, which then is a job like others, and is the `list` of the
 * pods. Pods of Grove, and pods
 * whose controller is a job that libgang reads, are left alone.
 */
void add_pod_groups(struct documents *documents);

#endif
