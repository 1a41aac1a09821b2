/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_FINDING_H
#define LIBGANG_DOCUMENT_FINDING_H

#include "libgang/base/arena.h"
#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Findings about nodes, in the words of Kubernetes: `<path>: <Type>: <value>: <detail>`
 * (k8s.io/apimachinery, pkg/util/validation/field). Path, line and column are those of the node.
 * `hint` may be NULL. `at` is the wrong value; if a value is missing, `parent` is the map without
 * it.
 */

/* "Invalid value: <value>: <detail>" */
LIKE_PRINTF(5, 6)
void find_invalid(struct report *report, enum gang_code code, const struct node *at,
                  const char *hint, const char *detail, ...);
/* "Forbidden: <detail>" */
LIKE_PRINTF(5, 6)
void find_forbidden(struct report *report, enum gang_code code, const struct node *at,
                    const char *hint, const char *detail, ...);
/* "Duplicate value: <value>" */
void find_duplicate(struct report *report, enum gang_code code, const struct node *at,
                    const char *hint);
/* "Unsupported value: <value>: supported values: "a", "b"" */
void find_unsupported(struct report *report, enum gang_code code, const struct node *at,
                      const char *hint, const struct slice *supported, size_t count);
/*
 * "Required value" or "Required value: <detail>". `member` is the name of the missing member of
 * `parent`; "" for `parent` itself.
 */
LIKE_PRINTF(6, 7)
void find_required(struct report *report, enum gang_code code, const struct node *parent,
                   struct slice member, const char *hint, const char *detail, ...);
/* A free message about a value. */
LIKE_PRINTF(5, 6)
void find_note(struct report *report, enum gang_code code, const struct node *at, const char *hint,
               const char *message, ...);
/* A free message about a map's member, marked at its key. */
LIKE_PRINTF(5, 6)
void find_note_at_key(struct report *report, enum gang_code code, const struct node *at,
                      const char *hint, const char *message, ...);
/*
 * A free message about an absent member, or about several members joined by dots. Marked at the
 * last member that exists.
 */
LIKE_PRINTF(6, 7)
void find_note_below(struct report *report, enum gang_code code, const struct node *parent,
                     struct slice member, const char *hint, const char *message, ...);
/* A free message about a complete document, or about no document (GANG_DOCUMENT_NONE). */
LIKE_PRINTF(5, 6)
void find_in_document(struct report *report, enum gang_code code, enum gang_document_type document,
                      const char *hint, const char *message, ...);

/* The same about the document with this root, which is one of several of its type. */
LIKE_PRINTF(5, 6)
void find_in_root(struct report *report, enum gang_code code, const struct node *root,
                  const char *hint, const char *message, ...);

/* Kind, namespace and name of a document. Nothing of NULL. */
struct document_identity finding_identity(const struct node *root);

/*
 * The text of a value in a message: strings quoted and cut, numbers and booleans unquoted, other
 * values by their kind.
 */
struct finding_value {
    char text[320];
};
const char *finding_value(struct finding_value *out, const struct node *node);

/*
 * Returns the path in Kubernetes' form: `spec.replicatedJobs[0].name`,
 * `metadata.annotations[a.b/c]`; "" for the root.
 */
struct slice path_of(struct arena *arena, const struct node *node);

/*
 * Returns the path of an absent member. `child` is a name, "" or several names joined by dots; of a
 * map with free keys, such as `annotations`, it is one key.
 */
struct slice path_below(struct arena *arena, const struct node *parent, struct slice child);

#endif
