/* SPDX-License-Identifier: Apache-2.0 */
#include "facts_queues.h"

#include <string.h>

#include "decision_json.h"
#include "tree.h"

/*
 * Sources: apache/yunikorn-k8shim:pkg/common/constants/constants.go (ConfigMapName,
 * NamespaceQuota), apache/yunikorn-core:pkg/common/configs/{config,configvalidator}.go@v1.8.0
 */
#define QUEUES_CONFIG_MAP "yunikorn-configs"
#define QUEUES_FILE "queues.yaml"
#define QUEUES_TYPE "YuniKorn"
#define QUEUES_SORTING "application.sort.policy"
#define QUEUES_NAMESPACE_QUOTA "yunikorn.apache.org/namespace.quota"

/* Amounts are texts or numbers. */
static void
put_amount(struct json_object *map, const char *key, struct json_object *amount)
{
    if (json_object_is_type(amount, json_type_string) ||
        json_object_is_type(amount, json_type_int) || json_object_is_type(amount, json_type_double))
        tree_put_text(map, key, json_object_get_string(amount));
}

/* The configuration calls the resource cpu vcore. */
static struct json_object *
amounts_of(struct json_object *source)
{
    struct json_object *sorted = tree_sorted_map(source);
    struct json_object *amounts = tree_map();

    json_object_object_foreach(sorted, key, value)
        put_amount(amounts, strcmp(key, "vcore") == 0 ? "cpu" : key, value);
    json_object_put(sorted);
    return amounts;
}

/* A queue above others: its full name, and the sort policy that those below it inherit. */
struct queue_above {
    const char *name; /* NULL: none */
    const char *sorting;
};

static void
put_max(struct json_object *item, struct json_object *queue)
{
    struct json_object *max = tree_member(tree_member(queue, "resources"), "max");

    if (max && json_object_is_type(max, json_type_object))
        tree_put(item, "max", amounts_of(max));
}

static void add_queues(struct facts *facts, struct json_object *list,
                       const struct queue_above *above);

static void
add_queue(struct facts *facts, struct json_object *queue, const struct queue_above *above)
{
    const char *name = tree_text(queue, "name");
    const char *sorting = tree_text(tree_member(queue, "properties"), QUEUES_SORTING);
    struct queue_above here = {.sorting = sorting ? sorting : above->sorting};
    struct json_object *item = tree_map();
    struct text path = {0};

    if (!name) {
        json_object_put(item);
        return;
    }
    text_addf(&path, "%s%s%s", above->name ? above->name : "", above->name ? "." : "", name);
    here.name = path.data;
    tree_put_text(item, "name", path.data);
    tree_put_text(item, "type", QUEUES_TYPE);
    tree_put_text(item, "parent", above->name);
    put_max(item, queue);
    tree_put_text(item, "sortPolicy", here.sorting);
    facts_add_queue(facts, QUEUES_TYPE, path.data, item);
    add_queues(facts, tree_member(queue, "queues"), &here);
    text_free(&path);
}

static void
add_queues(struct facts *facts, struct json_object *list, const struct queue_above *above)
{
    for (size_t i = 0; i < tree_length(list); i++)
        add_queue(facts, json_object_array_get_idx(list, i), above);
}

/* A partition whose only queue is not the root has the root above its queues. */
static void
add_partition(struct facts *facts, struct json_object *partition)
{
    struct json_object *list = tree_member(partition, "queues");
    bool has_root =
        tree_length(list) == 1 && tree_text_is(json_object_array_get_idx(list, 0), "name", "root");

    add_queues(facts, list, &(struct queue_above){.name = has_root ? NULL : "root"});
}

bool
facts_queues_read(struct facts *facts, struct json_object *config_map)
{
    const char *text = tree_text(tree_member(config_map, "data"), QUEUES_FILE);
    struct json_object *root;
    struct json_object *partitions;

    if (!text || !tree_text_is(tree_member(config_map, "metadata"), "name", QUEUES_CONFIG_MAP))
        return false;
    root = yaml_read(text);
    if (!root)
        text_add(&facts->notes, "note: ConfigMap " QUEUES_CONFIG_MAP ": " QUEUES_FILE
                                " cannot be read and is left out\n");
    partitions = tree_member(root, "partitions");
    for (size_t i = 0; i < tree_length(partitions); i++)
        add_partition(facts, json_object_array_get_idx(partitions, i));
    json_object_put(root);
    return true;
}

struct json_object *
facts_quota_of(struct json_object *namespace)
{
    const char *text = tree_text(tree_member(tree_member(namespace, "metadata"), "annotations"),
                                 QUEUES_NAMESPACE_QUOTA);
    struct json_object *source = text ? json_tokener_parse(text) : NULL;
    struct json_object *quota =
        json_object_is_type(source, json_type_object) ? amounts_of(source) : NULL;

    json_object_put(source);
    return quota;
}
