/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_DOCUMENT_H
#define GANGCTL_FACTS_DOCUMENT_H

#include "facts.h"

/*
 * The GangCluster, everything in it sorted; the caller lets go of it. With `complete` a kind of
 * which no object was seen is known to have none. Adds to the notes what stays unknown.
 */
struct json_object *facts_document(struct facts *facts, bool complete);

#endif
