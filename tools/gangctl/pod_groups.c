/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "live.h"

/* Where a pod names its gang, in the order of the library: libgang/jobs/pod_group.c. */
static const struct {
    const char *map;
    const char *key;
} group_keys[] = {
    {"annotations", "kueue.x-k8s.io/pod-group-name"},
    {"labels", "kueue.x-k8s.io/pod-group-name"},
    {"labels", "policy.libgang.dev/group"},
    {"labels", "scheduling.x-k8s.io/pod-group"},
    {"labels", "pod-group.scheduling.sigs.k8s.io"},
    {"annotations", "scheduling.k8s.io/group-name"},
};

/* A pod, and its group. The texts are borrowed from its tree. */
struct grouped_pod {
    size_t document;
    const char *namespace_;
    const char *group;
};

bool
may_be_in_group(const struct document *document)
{
    if (!is_same_text(document->api_version, "v1") || !is_same_text(document->kind, "Pod") ||
        is_pod_of_grove(document))
        return false;
    for (size_t i = 0; i < COUNT_OF(group_keys); i++)
        if (has_bytes(document->data, document->len, group_keys[i].key))
            return true;
    return memchr(document->data, '\\', document->len); /* a key can be written with escapes */
}

static const char *
group_of(struct json_object *metadata)
{
    for (size_t i = 0; i < COUNT_OF(group_keys); i++) {
        const char *name = tree_text(tree_member(metadata, group_keys[i].map), group_keys[i].key);

        if (name && *name)
            return name;
    }
    return NULL;
}

/* Whether the controller of the pod is a job, which then has the gang. */
static bool
is_of_job(struct json_object *metadata)
{
    struct json_object *owners = tree_member(metadata, "ownerReferences");

    for (TREE_EACH(owner, owners)) {
        const char *version = tree_text(*owner, "apiVersion");

        if (json_object_get_boolean(tree_member(*owner, "controller")) && version &&
            gang_document_type_of(version, tree_text(*owner, "kind")) != GANG_DOCUMENT_NONE)
            return true;
    }
    return false;
}

static int
compare_pods(const void *a, const void *b)
{
    const struct grouped_pod *one = a;
    const struct grouped_pod *other = b;
    int order = strcmp(one->namespace_, other->namespace_);

    if (!order)
        order = strcmp(one->group, other->group);
    return order ? order : (one->document > other->document) - (one->document < other->document);
}

/* ---- the list ---- */

/* The text of a PodList, in which every line of a pod is known. */
struct list_text {
    struct text text;
    uint32_t lines;
    struct part *parts;
    size_t num_parts;
    bool is_json;
};

static void
add_line(struct list_text *list, const char *line)
{
    text_add(&list->text, line);
    text_add(&list->text, "\n");
    list->lines++;
}

static struct list_text
write_list(const struct documents *documents, const struct grouped_pod *pods, size_t count)
{
    struct list_text list = {.is_json = true}; /* if all pods are JSON */

    for (size_t i = 0; i < count; i++)
        list.is_json &= document_is_json(&documents->items[pods[i].document]);
    if (list.is_json) {
        add_line(&list, "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[");
    } else {
        add_line(&list, "apiVersion: v1");
        add_line(&list, "kind: PodList");
        add_line(&list, "items:");
    }
    for (size_t i = 0; i < count; i++) {
        const struct document *pod = &documents->items[pods[i].document];
        struct part part = {.columns = list.is_json ? 0 : 2, .origin = pod->origin};
        const char *at = pod->data;
        struct slice line;

        add_line(&list, !list.is_json ? "-" : i == 0 ? "" : ",");
        part.lines_before = list.lines;
        APPEND(list.parts, list.num_parts, part);
        while (next_line(&at, pod->data + pod->len, &line)) {
            text_add(&list.text, list.is_json ? "" : "  "); /* YAML is indented: it is an item */
            text_add_bytes(&list.text, line.data, line.len);
            add_line(&list, "");
        }
    }
    if (list.is_json)
        add_line(&list, "]}");
    return list;
}

static void
add_list(struct documents *documents, const struct grouped_pod *pods, size_t count)
{
    struct list_text list = write_list(documents, pods, count);
    struct document document = {
        .origin = documents->items[pods[0].document].origin,
        .api_version = "v1",
        .kind = "PodList",
        .name = documents_keep(documents, copy_text(pods[0].group)),
        .namespace_ = documents->items[pods[0].document].namespace_,
        .data = documents_keep(documents, list.text.data),
        .len = list.text.len,
    };

    document.origin.parts = (struct part *)documents_keep(documents, (char *)list.parts);
    document.origin.num_parts = list.num_parts;
    for (size_t i = 0; i < count; i++)
        documents->items[pods[i].document].list = document.data;
    APPEND(documents->items, documents->count, document);
}

void
add_pod_groups(struct documents *documents)
{
    struct grouped_pod *pods = NULL;
    size_t count = 0;
    size_t first = 0;

    for (size_t i = 0; i < documents->count; i++) {
        const struct document *document = &documents->items[i];
        struct grouped_pod pod = {.document = i};
        struct json_object *metadata;

        if (!may_be_in_group(document))
            continue;
        metadata = tree_member(document_tree(document->data, document->len), "metadata");
        pod.group = group_of(metadata);
        pod.namespace_ = or_empty(document->namespace_);
        if (pod.group && !is_of_job(metadata))
            APPEND(pods, count, pod);
    }
    if (count)
        qsort(pods, count, sizeof(*pods), compare_pods);
    for (size_t i = 1; count && i <= count; i++)
        if (i == count || strcmp(pods[first].group, pods[i].group) != 0 ||
            strcmp(pods[first].namespace_, pods[i].namespace_) != 0) {
            add_list(documents, pods + first, i - first);
            first = i;
        }
    give_back(pods);
}
