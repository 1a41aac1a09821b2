/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LIVE_H
#define GANGCTL_LIVE_H

#include "jobs.h"
#include "tree.h"

/* An object of --live. The name is borrowed from the tree; "" if it has none. */
struct live_tree {
    const char *name;
    size_t place; /* in the file */
    struct json_object *tree;
};

/* The objects of --live that are compared, as the file has them; sorted by name and place. */
struct live_objects {
    struct live_tree *items;
    size_t count;
};

/* Reads those of the kinds of the jobs, their runtimes and the objects of their plans. */
void live_objects_read(struct live_objects *live, const struct workbench *bench,
                       const struct source *source);
/* What identifies an object. The texts are borrowed. */
struct object_name {
    const char *api_version;
    const char *kind;
    const char *space; /* NULL for an object of the cluster */
    const char *name;
};

struct object_name name_of_object(const struct gang_object *object);

/* Returns the object with the kind, namespace, name and API group; NULL if there is none. */
struct json_object *live_objects_find(const struct live_objects *live,
                                      const struct object_name *name);
void live_objects_free(struct live_objects *live);

/* Returns the object of a plan; NULL if it cannot be read. */
struct json_object *object_as_json(const struct gang_object *object);
/* Returns the only document of a text as a tree; NULL if it is not well-formed. */
struct json_object *document_as_json(const char *data, size_t len);

/* kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go */
#define TOPOLOGY_API_VERSION "kai.scheduler/v1alpha1"
#define TOPOLOGY_KIND "Topology"

/* The existing objects, from --live, parsed once for every job and binding. */
struct live {
    struct origin origin;
    struct gang_context *context; /* with limits for the objects of a whole cluster */
    struct gang_document *document;
    uint32_t flags; /* of gang_reconcile() */
};

/*
 * Parses the objects with the limits of the context, which `live` takes over. `flags` are those of
 * gang_document_parse_live(). Returns false for a text that is reported as not usable.
 */
bool live_parse(struct workbench *bench, const struct source *source, struct gang_context *context,
                uint32_t flags, struct live *live);

/* Takes an answer of gang_diagnose(), as JSON and in the requested format. */
typedef void (*why_taker)(void *context, struct json_object *why, const struct gang_blob *blob);

/* Asks why each job among the options' documents does not start. Returns the exit status. */
int why_each(const struct options *options, enum gang_format format, why_taker take, void *context);

/* `gangctl audit --live`: a row for each gang, and how many gangs have each cause. */
int audit_live(const struct options *options);

/*
 * Compares the ClusterTopologyBindings of the input with the existing KAI Topologies. Returns false
 * for a conflict, and for objects that could not be compared.
 */
bool reconcile_topologies(struct workbench *bench, const struct live *live);

/* Returns the name of the Topology that Grove creates for the binding. */
const char *topology_name(const struct topology *topology);

/* Returns the Topology; only its name if another controller creates it. The caller frees it. */
struct json_object *topology_object(const struct topology *topology);

/*
 * Adds the result for each in the requested format: a line with the fields that change if `live`
 * has the objects, an action with its object, or the objects to write.
 */
void add_topology_steps(struct text *out, struct workbench *bench, const struct options *options,
                        const struct live_objects *live);

#endif
