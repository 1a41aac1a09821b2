/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_DOCUMENT_H
#define GANGCTL_FACTS_DOCUMENT_H

#include "facts.h"

/*
 * Returns the GangCluster, sorted; the caller puts it. With `complete`, a kind without objects in
 * the input has none in the cluster. Adds unknown facts to the notes.
 */
struct json_object *facts_document(struct facts *facts, bool complete);

#endif
