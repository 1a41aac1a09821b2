/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FACTS_H
#define GANGCTL_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "text.h"

/* The same as next_line(), without blanks at the end of the line. */
bool plain_text_next(const char **at, const char *end, struct slice *line);

/* Whether the text is "apps/v1" or "v1". */
bool is_group_version(struct slice text);

/* How a line of /metrics about a feature gate starts. */
#define GATE_METRIC "kubernetes_feature_enabled{"

/* The fields of a pod template for gangs, one bit each, in the order of pod_field_names. */
enum { POD_FIELD_COUNT = 2, POD_FIELDS_ALL = (1 << POD_FIELD_COUNT) - 1 };
extern const char *const pod_field_names[POD_FIELD_COUNT];

/* The owners of CRDs with pod templates. */
enum template_owner { OWNER_JOBSET, OWNER_TRAINER, NUM_OWNERS };

/* The lists of a GangCluster with one item for each object. */
enum fact_list {
    FACTS_DEVICE_CLASSES,
    FACTS_NAMESPACES,
    FACTS_NODES,
    FACTS_QUEUES,
    FACTS_PRIORITY_CLASSES,
    FACTS_RUNTIME_CLASSES,
    FACTS_LIMIT_RANGES,
    FACTS_RESOURCE_QUOTAS,
    FACT_LIST_COUNT
};

/* What was read, of the step. The keys of maps are the sort keys of the result. */
struct facts {
    struct json_object *schedulers;             /* the library's facts about them */
    struct json_object *lists[FACT_LIST_COUNT]; /* maps */
    struct json_object *resources;      /* by group and version, a map of its names by name */
    struct json_object *group_versions; /* map; empty: no complete list was read */
    struct json_object *gates;          /* map */
    struct json_object *components;     /* map of versions; null if two were found */
    struct json_object *operators;      /* map of the options of operators for their own gangs */
    struct json_object *ignored;        /* map: number of objects of a kind that have no facts */
    unsigned kept_fields; /* of pod templates, by all CRDs with them in all served versions */
    bool knows_templates[NUM_OWNERS];
    char *kubernetes; /* NULL if unknown */
    bool has_any;
    bool has_ignored;         /* the object that is being read has no facts */
    struct text notes;        /* for stderr */
    struct text unknown;      /* of the result: "a, b" */
    struct json_object *spec; /* of the result */
};

void facts_init(struct facts *facts);

/* Whether objects of this kind have facts. Other objects are counted and need not be read. */
bool facts_wants(struct facts *facts, const char *api_version, const char *kind);
void facts_add_object(struct facts *facts, struct json_object *object);
/* Returns the new item, borrowed. Of two items with the same sort keys the first is kept. */
struct json_object *facts_add_item(struct facts *facts, enum fact_list list, const char *first,
                                   const char *second);
/* Reads the lines of `kubectl api-versions` and of /metrics. */
void facts_add_versions(struct facts *facts, const char *data, size_t len);
void facts_add_metrics(struct facts *facts, const char *data, size_t len);

/* Reads which fields of its pod templates a CustomResourceDefinition keeps. */
void facts_add_kept_fields(struct facts *facts, struct json_object *crd);

/* Options with which operators of jobs make gangs themselves: `operatorGangs`. */

/* Reads the arguments of the container of an operator. `key`: its component; NULL: none. */
void facts_add_operator(struct facts *facts, const char *key, struct json_object *container);

/* Reads the file of an operator in a ConfigMap. Returns false if the ConfigMap has none. */
bool facts_add_configurations(struct facts *facts, struct json_object *config_map);

/* The API group of PodGroups of which an operator makes one for every job. */
#define POD_GROUP_OF_OPERATOR "scheduling.volcano.sh"

/* Reads a PodGroup that an operator made, as its name and owner say. */
void facts_add_pod_group(struct facts *facts, struct json_object *object);

/* Adds the queues of YuniKorn's ConfigMap. Returns false if the ConfigMap is another one. */
bool facts_queues_read(struct facts *facts, struct json_object *config_map);

/* What YuniKorn lets the pods of a Namespace have, owned by the caller; NULL if it names none. */
struct json_object *facts_quota_of(struct json_object *namespace);

#endif
