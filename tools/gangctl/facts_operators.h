/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_OPERATORS_H
#define GANGCTL_FACTS_OPERATORS_H

#include "facts.h"

/* Options with which operators of jobs make gangs themselves: `operatorGangs`. */

/* Reads the arguments of a container of a Deployment, if it is that of an operator. */
void facts_add_operator(struct facts *facts, struct json_object *container);

/*
 * Reads the configuration of an operator, which is a file in a ConfigMap. Returns false if the
 * ConfigMap has none.
 */
bool facts_add_configurations(struct facts *facts, struct json_object *config_map);

/* The API group of PodGroups of which an operator makes one for every job. */
#define POD_GROUP_OF_OPERATOR "scheduling.volcano.sh"

/* Reads a PodGroup that an operator made, as its name and owner say. */
void facts_add_pod_group(struct facts *facts, struct json_object *object);

#endif
