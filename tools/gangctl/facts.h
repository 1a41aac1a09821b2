/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_H
#define GANGCTL_FACTS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "facts_crd.h"
#include "text.h"

/* The lists of a GangCluster that hold one item for each object. */
enum fact_list {
    FACTS_NAMESPACES,
    FACTS_QUEUES,
    FACTS_PRIORITY_CLASSES,
    FACTS_RUNTIME_CLASSES,
    FACTS_LIMIT_RANGES,
    FACT_LIST_COUNT
};

/* What was read so far. Maps are by the key that orders the finished list. */
struct facts {
    struct json_object *schedulers;             /* what the library knows of them */
    struct json_object *lists[FACT_LIST_COUNT]; /* maps */
    struct json_object *resources; /* by group and version, a map of the names of its resources */
    struct json_object *group_versions; /* map; NULL: no whole list of them was seen */
    struct json_object *gates;          /* map; NULL: none was seen */
    struct json_object *components;     /* map of versions; null where two were found */
    struct json_object *ignored;        /* map: how many objects of a kind were of no use */
    struct kept_fields kept;
    char *kubernetes; /* NULL: not seen */
    bool has_any;
    struct text notes; /* for stderr */
};

void facts_init(struct facts *facts);
void facts_free(struct facts *facts);

/* Whether an object of this kind tells anything; the others are counted, and need not be read. */
bool facts_wants(struct facts *facts, const char *api_version, const char *kind);
void facts_add_object(struct facts *facts, struct json_object *object);
/* The lines of `kubectl api-versions`, and of /metrics. */
void facts_add_versions(struct facts *facts, const char *data, size_t len);
void facts_add_metrics(struct facts *facts, const char *data, size_t len);

#endif
