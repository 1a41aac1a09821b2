/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LIVE_H
#define GANGCTL_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "jobs.h"

/*
 * Reads the objects of --live that are compared, as the file has them: those of the kinds of the
 * jobs, their runtimes and the objects of their plans. Returns a map of lists by name, of the step.
 */
struct json_object *live_objects_read(const struct workbench *bench, const struct source *source);
/* What identifies an object. The texts are borrowed. */
struct object_name {
    const char *api_version;
    const char *kind;
    const char *space; /* NULL for an object of the cluster */
    const char *name;
};

struct object_name name_of_object(const struct gang_object *object);
struct object_name name_of_topology(const struct companion *topology);

/* Returns the object with the kind, namespace, name and API group; NULL if there is none. */
struct json_object *live_objects_find(struct json_object *live, const struct object_name *name);

/* The existing objects, from --live, parsed once for every job and binding. */
struct live {
    struct origin origin;
    struct gang_context *context; /* with limits for the objects of a whole cluster */
    struct gang_document *document;
    uint32_t flags; /* of gang_reconcile() */
};

/* `flags` of gang_document_parse_live(). Returns false for a text that is reported as unusable. */
bool live_parse(struct workbench *bench, const struct source *source, uint32_t flags,
                struct live *live);

/* `gangctl audit --live`: a row for each gang, and how many gangs have each cause. */
int audit_live(struct run *run);

/* Returns the Topology that Grove creates; empty if another controller does. */
struct gang_blob *topology_text(const struct companion *topology, enum gang_format format);

/* Returns the Topology; only its name if another controller creates it. */
struct json_object *topology_object(const struct companion *topology);

/* What differs, which is written as soon as it is found: trees take many times their text. */
struct changes {
    struct text *out;
    struct json_object *document; /* what -o json prints; NULL: it is text */
    size_t count;
    size_t equal;         /* documents without a difference */
    const char *old_side; /* in the titles of the text: "live" */
    const char *new_side; /* "planned" */
};

/*
 * Adds a change, unless both print as equal manifests; one tree is NULL if that side lacks the
 * document. `word` replaces "Changed"; or NULL.
 */
void changes_add(struct changes *changes, struct json_object *old, struct json_object *new,
                 const char *word);

/*
 * Adds how the jobs and runtimes of the bench differ from the existing ones: only in the marks of
 * their gangs and in podGroupPolicy, as `transform` writes them.
 */
void changes_add_marks(struct changes *changes, struct workbench *bench, struct json_object *live);

#endif
