/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_H
#define GANGCTL_FACTS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "facts_crd.h"
#include "text.h"

/* The lists of a GangCluster with one item for each object. */
enum fact_list {
    FACTS_NAMESPACES,
    FACTS_QUEUES,
    FACTS_PRIORITY_CLASSES,
    FACTS_RUNTIME_CLASSES,
    FACTS_LIMIT_RANGES,
    FACTS_RESOURCE_QUOTAS,
    FACT_LIST_COUNT
};

/* The facts that were read. The keys of maps are the sort keys of the result. */
struct facts {
    struct json_object *schedulers;             /* the library's facts about them */
    struct json_object *lists[FACT_LIST_COUNT]; /* maps */
    struct json_object *resources; /* by group and version, a map of the names of its resources */
    struct json_object *group_versions; /* map; NULL: no complete list was read */
    struct json_object *gates;          /* map; NULL: none was read */
    struct json_object *components;     /* map of versions; null if two were found */
    struct json_object *operators;      /* map of the options of operators for their own gangs */
    struct json_object *ignored;        /* map: number of objects of a kind that have no facts */
    struct kept_fields kept;
    char *kubernetes; /* NULL if unknown */
    bool has_any;
    bool has_ignored;  /* the object that is being read has no facts */
    struct text notes; /* for stderr */
};

void facts_init(struct facts *facts);
void facts_free(struct facts *facts);

/* Whether objects of this kind have facts. Other objects are counted and need not be read. */
bool facts_wants(struct facts *facts, const char *api_version, const char *kind);
void facts_add_object(struct facts *facts, struct json_object *object);
/* Adds an item of `queues`; if there are two of a name, the first is kept. Takes ownership of it.
 */
void facts_add_queue(struct facts *facts, const char *type, const char *name,
                     struct json_object *item);
/* Whether the first `len` characters of an image, without its tag, end with this path. */
bool is_image(const char *image, size_t len, const char *name);
/* The length of an image without its tag and digest. */
size_t image_name_length(const char *image);
/* Reads the lines of `kubectl api-versions` and of /metrics. */
void facts_add_versions(struct facts *facts, const char *data, size_t len);
void facts_add_metrics(struct facts *facts, const char *data, size_t len);

#endif
