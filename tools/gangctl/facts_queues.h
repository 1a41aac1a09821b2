/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_QUEUES_H
#define GANGCTL_FACTS_QUEUES_H

#include <json-c/json.h>
#include <stdbool.h>

#include "facts.h"

/*
 * Adds the queues of YuniKorn, whose configuration is a ConfigMap. Returns false if the ConfigMap
 * is another one.
 */
bool facts_queues_read(struct facts *facts, struct json_object *config_map);

/*
 * Returns the resources that YuniKorn lets the pods of a Namespace have; NULL if it names none. The
 * caller owns them.
 */
struct json_object *facts_quota_of(struct json_object *namespace);

#endif
