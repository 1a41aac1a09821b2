/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include <ctype.h>
#include <string.h>

#include "jobs.h"

void
facts_init(struct facts *facts)
{
    *facts = (struct facts){.kept_fields = POD_FIELDS_ALL,
                            .schedulers = schedulers_read(),
                            .resources = tree_map_of_step(),
                            .components = tree_map_of_step(),
                            .operators = tree_map_of_step(),
                            .group_versions = tree_map_of_step(),
                            .gates = tree_map_of_step(),
                            .ignored = tree_map_of_step()};
    for (size_t i = 0; i < FACT_LIST_COUNT; i++)
        facts->lists[i] = tree_map_of_step();
}

static const char *
name_of(struct json_object *object)
{
    return tree_text(tree_member(object, "metadata"), "name");
}

struct json_object *
facts_add_item(struct facts *facts, enum fact_list list, const char *first, const char *second)
{
    const char *key = formatted("%s\n%s", first, second);

    return tree_member(facts->lists[list], key) ? tree_map_of_step()
                                                : tree_map_in(facts->lists[list], key);
}

/* Copies a map with sorted keys; adds nothing if the map is absent. */
static void
put_sorted(struct json_object *item, const char *key, struct json_object *map)
{
    if (map && json_object_is_type(map, json_type_object))
        tree_put(item, key, tree_sorted_map(map));
}

/* Adds the item of an object of the cluster, or of a namespace, with what names it. */
static struct json_object *
add_named(struct facts *facts, enum fact_list list, struct json_object *object, bool has_space)
{
    const char *space = tree_text(tree_member(object, "metadata"), "namespace");
    const char *name = name_of(object);
    struct json_object *item =
        facts_add_item(facts, list, has_space ? or_empty(space) : name, has_space ? name : "");

    tree_put_text(item, "namespace", has_space ? space : NULL);
    tree_put_text(item, "name", name);
    return item;
}

static void
take_namespace(struct facts *facts, struct json_object *object)
{
    struct json_object *item = add_named(facts, FACTS_NAMESPACES, object, false);
    struct json_object *quota = facts_quota_of(object);

    put_sorted(item, "labels", tree_member(tree_member(object, "metadata"), "labels"));
    if (quota)
        tree_put(item, "quota", quota);
}

static void
take_priority_class(struct facts *facts, struct json_object *object)
{
    struct json_object *item = add_named(facts, FACTS_PRIORITY_CLASSES, object, false);

    tree_share(item, "value", tree_member(object, "value"));
    if (json_object_get_boolean(tree_member(object, "globalDefault")))
        tree_share(item, "globalDefault", tree_member(object, "globalDefault"));
    tree_share(item, "preemptionPolicy", tree_member(object, "preemptionPolicy"));
}

static void
take_runtime_class(struct facts *facts, struct json_object *object)
{
    struct json_object *item = add_named(facts, FACTS_RUNTIME_CLASSES, object, false);

    put_sorted(item, "overhead", tree_member(tree_member(object, "overhead"), "podFixed"));
    tree_share(item, "scheduling", tree_member(object, "scheduling"));
}

/* The annotation is that of Koordinator, which counts more than `allocatable`. */
static void
take_node(struct facts *facts, struct json_object *object)
{
    static const char ratio[] = "node.koordinator.sh/resource-amplification-ratio";
    struct json_object *metadata = tree_member(object, "metadata");
    struct json_object *amplified = tree_member(tree_member(metadata, "annotations"), ratio);
    struct json_object *allocatable = tree_member(tree_member(object, "status"), "allocatable");
    struct json_object *item = add_named(facts, FACTS_NODES, object, false);

    put_sorted(item, "labels", tree_member(metadata, "labels"));
    if (amplified)
        tree_share(tree_map_in(item, "annotations"), ratio, amplified);
    tree_map_in(item, "allocatable");
    put_sorted(item, "allocatable", allocatable);
}

static void
take_device_class(struct facts *facts, struct json_object *object)
{
    tree_share(add_named(facts, FACTS_DEVICE_CLASSES, object, false), "extendedResourceName",
               tree_member(tree_member(object, "spec"), "extendedResourceName"));
}

static void
take_limit_range(struct facts *facts, struct json_object *object)
{
    /* the API server accepts other types, but they limit nothing */
    static const char *const types[] = {"Container", "Pod", "PersistentVolumeClaim", NULL};
    static const char *const parts[] = {"default", "defaultRequest", "max", "maxLimitRequestRatio",
                                        "min"};
    const char *space = tree_text(tree_member(object, "metadata"), "namespace");
    struct json_object *source = tree_member(tree_member(object, "spec"), "limits");
    struct json_object *limits =
        tree_put_list(add_named(facts, FACTS_LIMIT_RANGES, object, true), "limits");

    for (TREE_EACH(limit, source)) {
        const char *type = text_of(*limit, "type");
        struct json_object *copy;

        if (!is_among(type, types)) {
            text_add_line(
                &facts->notes,
                formatted("note: LimitRange %s/%s: the type %s limits no pod and is left out",
                          or_empty(space), name_of(object), type));
            continue;
        }
        copy = tree_map();
        tree_put_text(copy, "type", type);
        for (size_t k = 0; k < COUNT_OF(parts); k++)
            put_sorted(copy, parts[k], tree_member(*limit, parts[k]));
        json_object_array_add(limits, copy);
    }
}

/* Counts an object that has no facts. */
static void
ignore(struct facts *facts, const char *kind)
{
    tree_count(facts->ignored, kind);
    facts->has_ignored = true;
}

static void
take_config_map(struct facts *facts, struct json_object *object)
{
    if (!facts_queues_read(facts, object) && !facts_add_configurations(facts, object))
        ignore(facts, "ConfigMap");
}

/* A quota with a scope is not for all pods, so it says nothing about a gang. */
static void
take_resource_quota(struct facts *facts, struct json_object *object)
{
    struct json_object *spec = tree_member(object, "spec");
    struct json_object *item;

    if (tree_length(tree_member(spec, "scopes")) || tree_member(spec, "scopeSelector")) {
        ignore(facts, "ResourceQuota");
        return;
    }
    item = add_named(facts, FACTS_RESOURCE_QUOTAS, object, true);
    put_sorted(item, "hard", tree_member(spec, "hard"));
    put_sorted(item, "used", tree_member(tree_member(object, "status"), "used"));
}

/* Whether the text is a version such as "v1.15.0" or "0.35.4-devel"; a branch or hash is not. */
static bool
is_release(const char *text)
{
    const char *at = text + (*text == 'v');
    size_t digits = strspn(at, "0123456789");

    return digits && at[digits] == '.' && isdigit((unsigned char)at[digits + 1]);
}

static void
take_version(struct facts *facts, const char *component, const char *version)
{
    struct json_object *known = tree_member(facts->components, component);
    const char *other = json_object_get_string(known);

    if (!version || !is_release(version))
        return;
    if (!json_object_object_get_ex(facts->components, component, NULL)) {
        tree_put_text(facts->components, component, version);
        return;
    }
    if (!other || strcmp(other + (*other == 'v'), version + (*version == 'v')) == 0)
        return;
    text_addf(&facts->notes, "note: %s: both %s and %s were found, so its version is left out\n",
              component, other, version);
    tree_put(facts->components, component, NULL);
}

static const char *
version_label(struct json_object *object)
{
    return tree_text(tree_member(tree_member(object, "metadata"), "labels"),
                     "app.kubernetes.io/version");
}

/*
 * Components beside the schedulers: the API group of their CRDs, if their version counts, and the
 * images of their controllers without registry and tag. Sources: the manifests of
 * kubernetes-sigs/{jobset,lws}, kubeflow/{trainer,mpi-operator,training-operator}, and the charts
 * of ray-project/kuberay and kubeflow/spark-operator.
 */
static const struct {
    const char *name;
    const char *group;
    const char *image;
} components[] = {
    {"jobset", "jobset.x-k8s.io", "jobset/jobset"},
    {"trainer", "trainer.kubeflow.org", "trainer/trainer-controller-manager"},
    {"kuberay", NULL, "kuberay/operator"},
    {"lws", NULL, "lws/lws"},
    {"mpiOperator", NULL, "mpi-operator"},
    {"trainingOperator", NULL, "kubeflow/training-operator"},
    {"sparkOperator", NULL, "spark-operator/controller"},
};

static void
take_crd(struct facts *facts, struct json_object *object)
{
    struct json_object *spec = tree_member(object, "spec");
    struct json_object *versions = tree_member(spec, "versions");
    const char *group = tree_text(spec, "group");
    const char *plural = tree_text(tree_member(spec, "names"), "plural");
    const char *label = version_label(object);

    if (!group || !plural)
        return;
    for (TREE_EACH(version, versions)) {
        const char *name = tree_text(*version, "name");

        if (name && json_object_get_boolean(tree_member(*version, "served")))
            tree_put_text(tree_map_in(facts->resources, place_of(group, name)), plural, plural);
    }
    for (size_t i = 0; i < COUNT_OF(components); i++)
        if (components[i].group && strcmp(components[i].group, group) == 0)
            take_version(facts, components[i].name, label);
    for (TREE_EACH(item, facts->schedulers)) {
        struct json_object *component = tree_member(*item, "component");

        if (tree_has_text(tree_member(component, "apiGroups"), group))
            take_version(facts, tree_text(component, "name"), label);
    }
    facts_add_kept_fields(facts, object);
}

static bool
is_image(const char *image, size_t len, const char *name)
{
    size_t wanted = strlen(name);

    return len >= wanted && memcmp(image + len - wanted, name, wanted) == 0 &&
           (len == wanted || image[len - wanted - 1] == '/');
}

/*
 * REGISTRY:PORT/NAME:TAG@DIGEST; tag and digest are optional. The release is the tag itself, or
 * behind the name of a part of the component, as in `scheduler-1.8.0`; else it is that of a label.
 */
static void
take_deployment(struct facts *facts, struct json_object *object)
{
    struct json_object *pod =
        tree_member(tree_member(tree_member(object, "spec"), "template"), "spec");
    struct json_object *containers = tree_member(pod, "containers");

    for (TREE_EACH(container, containers)) {
        const char *image = text_of(*container, "image");
        const size_t end = strcspn(image, "@");
        const char *tag = "";
        size_t len = end;
        const char *controller = NULL; /* of jobs */
        const char *version;

        while (len && image[len - 1] != ':' && image[len - 1] != '/')
            len--;
        len = !len || image[len - 1] == '/' ? end : len - 1;
        if (len < end)
            tag = formatted("%.*s", (int)(end - len - 1), image + len + 1);
        if (strncmp(tag, "scheduler-", 10) == 0)
            tag += 10;
        version = is_release(tag) ? tag : version_label(object);
        for (size_t i = 0; !controller && i < COUNT_OF(components); i++)
            if (is_image(image, len, components[i].image))
                controller = components[i].name;
        if (controller)
            take_version(facts, controller, version);
        for (TREE_EACH(item, facts->schedulers)) {
            struct json_object *component = tree_member(*item, "component");

            if (component && is_image(image, len, tree_text(component, "image")))
                take_version(facts, tree_text(component, "name"), version);
        }
        facts_add_operator(facts, controller, *container);
    }
}

/* kubectl get --raw /apis/GROUP/VERSION: all resources of the group version, with subresources. */
static void
take_resource_list(struct facts *facts, struct json_object *object)
{
    struct json_object *list = tree_member(object, "resources");
    const char *group_version = tree_text(object, "groupVersion");
    struct json_object *resources;

    if (!group_version)
        return;
    resources = tree_map_in(facts->resources, group_version);
    for (TREE_EACH(item, list)) {
        const char *name = tree_text(*item, "name");

        if (name && !strchr(name, '/'))
            tree_put_text(resources, name, name);
    }
}

/* kubectl get --raw /apis: all groups except the core group, which every cluster serves as v1. */
static void
take_group_list(struct facts *facts, struct json_object *object)
{
    struct json_object *groups = tree_member(object, "groups");

    facts_add_versions(facts, "v1", 2);
    for (TREE_EACH(group, groups)) {
        struct json_object *versions = tree_member(*group, "versions");

        for (TREE_EACH(item, versions)) {
            const char *name = tree_text(*item, "groupVersion");

            if (name)
                facts_add_versions(facts, name, strlen(name));
        }
    }
}

/* kubectl version -o json. Patch versions have no effect here, so only two numbers are kept. */
static void
take_kubernetes(struct facts *facts, struct json_object *object)
{
    const char *version = tree_text(tree_member(object, "serverVersion"), "gitVersion");
    size_t major;

    if (!version || !is_release(version) || facts->kubernetes)
        return;
    version += *version == 'v';
    major = strspn(version, "0123456789");
    facts->kubernetes = must_copy(version, major + 1 + strspn(version + major + 1, "0123456789"));
}

/* The objects that are read, in whatever version of their group. */
static const struct {
    const char *group;
    const char *kind;
    void (*take)(struct facts *facts, struct json_object *object);
    bool is_named;
} wanted_kinds[] = {
    {"", "Namespace", take_namespace, true},
    {"", "Node", take_node, true},
    {"resource.k8s.io", "DeviceClass", take_device_class, true},
    {"scheduling.k8s.io", "PriorityClass", take_priority_class, true},
    {"node.k8s.io", "RuntimeClass", take_runtime_class, true},
    {"", "LimitRange", take_limit_range, true},
    {"", "ResourceQuota", take_resource_quota, true},
    {"", "ConfigMap", take_config_map, true},
    {"apiextensions.k8s.io", "CustomResourceDefinition", take_crd, true},
    {"apps", "Deployment", take_deployment, true},
    {POD_GROUP_OF_OPERATOR, "PodGroup", facts_add_pod_group, true},
    {"", "APIResourceList", take_resource_list, false},
    {"", "APIGroupList", take_group_list, false},
};

/* Returns the scheduler with this kind of queue; NULL for other objects. */
static struct json_object *
queue_scheduler(const struct facts *facts, const char *api_version, const char *kind)
{
    for (size_t i = 0; strcmp(kind, "Queue") == 0 && i < tree_length(facts->schedulers); i++) {
        struct json_object *scheduler = json_object_array_get_idx(facts->schedulers, i);

        if (tree_text(scheduler, "queueParent") &&
            is_api_group(api_version, tree_text(scheduler, "apiGroup")))
            return scheduler;
    }
    return NULL;
}

static size_t
wanted_kind(const char *api_version, const char *kind)
{
    size_t i = 0;

    while (i < COUNT_OF(wanted_kinds) && (strcmp(wanted_kinds[i].kind, kind) != 0 ||
                                          !is_api_group(api_version, wanted_kinds[i].group)))
        i++;
    return i;
}

bool
facts_wants(struct facts *facts, const char *api_version, const char *kind)
{
    if (!kind || wanted_kind(api_version, kind) < COUNT_OF(wanted_kinds) ||
        queue_scheduler(facts, api_version, kind))
        return true;
    ignore(facts, kind);
    return false;
}

void
facts_add_object(struct facts *facts, struct json_object *object)
{
    const char *kind = tree_text(object, "kind");
    struct json_object *scheduler;
    size_t i;

    if (!kind) {
        take_kubernetes(facts, object);
        facts->has_any |= facts->kubernetes != NULL;
        return;
    }
    scheduler = queue_scheduler(facts, tree_text(object, "apiVersion"), kind);
    if (scheduler && name_of(object)) {
        const char *type = tree_text(scheduler, "type");
        const char *above =
            text_of(tree_member(object, "spec"), tree_text(scheduler, "queueParent"));
        struct json_object *item = facts_add_item(facts, FACTS_QUEUES, type, name_of(object));

        tree_put_text(item, "name", name_of(object));
        tree_put_text(item, "type", type);
        if (*above)
            tree_put_text(item, "parent", above);
        facts->has_any = true;
        return;
    }
    i = wanted_kind(tree_text(object, "apiVersion"), kind);
    if (i == COUNT_OF(wanted_kinds) || (wanted_kinds[i].is_named && !name_of(object)))
        return;
    facts->has_ignored = false;
    wanted_kinds[i].take(facts, object);
    facts->has_any |= !facts->has_ignored;
}

void
facts_add_versions(struct facts *facts, const char *data, size_t len)
{
    const char *at = data;
    struct slice line;

    facts->has_any = true;
    while (plain_text_next(&at, data + len, &line)) {
        if (is_group_version(line))
            tree_put(facts->group_versions, formatted("%.*s", (int)line.len, line.data), NULL);
    }
}

void
facts_add_metrics(struct facts *facts, const char *data, size_t len)
{
    const char *at = data;
    struct slice line;

    /* kubernetes_feature_enabled{name="GenericWorkload",stage="BETA"} 0 */
    while (plain_text_next(&at, data + len, &line)) {
        const bool is_on = line.len && line.data[line.len - 1] == '1';
        const bool is_gate = slice_take(&line, SLICE(GATE_METRIC "name=\""));
        const struct slice name = slice_before(line, '"');

        if (!is_gate || !name.len || name.len == line.len)
            continue;
        tree_put(facts->gates, formatted("%.*s", (int)name.len, name.data),
                 tree_must(json_object_new_boolean(is_on)));
        facts->has_any = true;
    }
}
