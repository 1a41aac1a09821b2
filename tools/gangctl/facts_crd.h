/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_CRD_H
#define GANGCTL_FACTS_CRD_H

#include <json-c/json.h>
#include <stdbool.h>

/* The fields of a pod template for gangs, one bit each, in the order of pod_field_names. */
enum { POD_FIELD_COUNT = 2, POD_FIELDS_ALL = (1 << POD_FIELD_COUNT) - 1 };
extern const char *const pod_field_names[POD_FIELD_COUNT];

/* The owners of CRDs with pod templates. */
enum template_owner { OWNER_JOBSET, OWNER_TRAINER, OWNER_NONE };

/* The fields that the CRDs of each owner keep, in all CRDs of the owner and all served versions. */
struct kept_fields {
    bool is_known[OWNER_NONE];
    unsigned bits[OWNER_NONE];
};

/* Reads one CustomResourceDefinition. */
void kept_fields_read(struct kept_fields *kept, struct json_object *crd);

#endif
