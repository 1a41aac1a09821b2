/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_WORKLOAD_SHAPE_H
#define TESTS_ORDER_WORKLOAD_SHAPE_H

#include <json-c/json.h>

/*
 * What holds of every plan for Kubernetes' own gangs, whatever the job:
 *
 * - v1alpha1 has a Workload and nothing else; each mark names it and one of its groups.
 * - Later versions have a Workload first, then a group object for each of its templates, which
 * repeats the template but for its name, and names the Workload and the template. Each mark names
 * one of the PodGroups.
 * - No list of templates has none or more than eight.
 *
 * The first thing that does not hold, in words; NULL when all of it does. A plan without objects
 * has no fault.
 */
const char *workload_shape_fault(struct json_object *plan);

/*
 * Two plans of one job for two versions: the Workload, the PodGroups and the marks of pods have the
 * same names, where both versions have PodGroups; v1alpha3 and v1beta1 say the same but for their
 * own names.
 */
const char *workload_version_fault(struct json_object *one, struct json_object *other);

#endif
