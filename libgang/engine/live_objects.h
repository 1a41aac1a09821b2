/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_LIVE_OBJECTS_H
#define LIBGANG_ENGINE_LIVE_OBJECTS_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/* An object as the API server has it. Texts are unset where absent. */
struct live_object {
    const struct node *root;
    const struct node *metadata;
    struct slice group; /* "" for Kubernetes' own first one */
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    bool is_terminating;
    const struct node *controller; /* of its owner references; NULL for none */
};

struct live_objects {
    struct live_object *items;
    size_t count;
};

/*
 * Reads a text as `kubectl get -o yaml` or `-o json` prints it: documents one behind the other, lists taken apart. What is
 * not well-formed or no object is reported; places count from the start of the text, and paths from the object. The
 * trees live in `arena`.
 */
struct live_objects live_objects_read(struct slice text, const struct limits *limits, struct arena *arena,
                                      struct report *report);

/* Which object is meant, in whatever version of its API. */
struct live_key {
    struct slice group;
    struct slice kind;
    struct slice namespace_; /* unset or empty: "default" */
    struct slice name;
};

/* The first; NULL for none. */
const struct live_object *live_objects_find(const struct live_objects *objects, const struct live_key *key);

/* The part of an apiVersion before the slash; "" without one. */
struct slice live_group_of(struct slice api_version);
/* Whether both name one namespace, of which "default" may go without saying. */
bool live_same_namespace(struct slice a, struct slice b);

#endif
