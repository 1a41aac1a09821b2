/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REPORT_ORDER_H
#define GANGCTL_REPORT_ORDER_H

#include <json-c/json.h>

#include "text.h"

/*
 * Adds the roles of a job in the order in which they start, with their stages and waves; nothing if
 * all start at once.
 */
void report_order(struct text *out, struct json_object *roles);

#endif
