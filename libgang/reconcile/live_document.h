/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_DOCUMENT_H
#define LIBGANG_RECONCILE_LIVE_DOCUMENT_H

#include "libgang/document/document.h"
#include "libgang/reconcile/live_objects.h"

/* The document of gang_document_parse_live(). It has no root: each object has its own. */
struct gang_live {
    struct gang_document base;
    struct live_objects objects;
};

/* Returns the objects; none for NULL, and for a document of another type. */
const struct live_objects *live_objects_of(const struct gang_document *live);

/* Whether the argument of a public function can be live objects. */
static inline bool
live_is_usable(const struct gang_document *live)
{
    return !live || document_is(live, GANG_DOCUMENT_LIVE);
}

/*
 * Reads the output of `kubectl get -o yaml` or `-o json`: a sequence of documents, with the items
 * of lists as separate objects. Reports documents that are not well-formed or are not objects;
 * positions count from the start of the text, and paths start at the object. What live_keep() keeps
 * of the objects, and the indexes, are allocated in `arena`.
 */
struct live_objects live_objects_read(struct slice text, const struct limits *limits,
                                      struct arena *arena, struct report *report);

#endif
