/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_MANIFEST_H
#define GANGCTL_MANIFEST_H

#include "text.h"
#include "tree.h"

/*
 * Adds an object as YAML with sorted keys and without managedFields, so that two objects can be
 * compared line by line. NULL adds nothing.
 */
void manifest_add(struct text *out, struct json_object *object);

/*
 * Adds a line for each field that differs: "    spec.minMember: 1 -> 2 (set by kubectl)". The owner
 * is that of metadata.managedFields of the old object, if it has them.
 */
void manifest_add_changes(struct text *out, struct json_object *old, struct json_object *new);

#endif
