/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_CRD_H
#define GANGCTL_FACTS_CRD_H

#include <json-c/json.h>
#include <stdbool.h>

/* The fields of a pod template that carry a gang, one bit each, in the order of pod_field_names. */
enum { POD_FIELD_COUNT = 2, POD_FIELDS_ALL = (1 << POD_FIELD_COUNT) - 1 };
extern const char *const pod_field_names[POD_FIELD_COUNT];

/* Whose CRD holds pod templates. */
enum template_owner { OWNER_JOBSET, OWNER_TRAINER, OWNER_NONE };

/* Which of the fields the CRDs of each owner keep; those of every one of its CRDs and served
 * versions. */
struct kept_fields {
    bool is_known[OWNER_NONE];
    unsigned bits[OWNER_NONE];
};

/* Looks into one CustomResourceDefinition. */
void kept_fields_read(struct kept_fields *kept, struct json_object *crd);

#endif
