/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LIVE_OBJECTS_H
#define GANGCTL_LIVE_OBJECTS_H

#include "jobs.h"
#include "tree.h"

/* The objects of --live that plans name, as the file has them. */
struct live_objects {
    struct json_object **trees;
    size_t count;
};

/* Reads those that the plans of the jobs name. */
void live_objects_read(struct live_objects *live, const struct workbench *bench,
                       const struct source *source);
/* Returns the object with the kind, namespace, name and API group; NULL if there is none. */
struct json_object *live_objects_find(const struct live_objects *live,
                                      const struct gang_object *object);
void live_objects_free(struct live_objects *live);

/* Returns the object of a plan; NULL if it cannot be read. */
struct json_object *object_as_json(const struct gang_object *object);
/* Returns the only document of a text as a tree; NULL if it is not well-formed. */
struct json_object *document_as_json(const char *data, size_t len);

#endif
