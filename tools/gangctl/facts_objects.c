/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "facts.h"
#include "jobs.h"

const char *const pod_field_names[POD_FIELD_COUNT] = {"schedulingGroup", "workloadRef"};

/* An empty step goes from a list to its items. */
static const char *const jobset_path[] = {"spec", "replicatedJobs", "",     "template",
                                          "spec", "template",       "spec", NULL};
static const char *const runtime_path[] = {
    "spec", "template", "spec", "replicatedJobs", "", "template", "spec", "template", "spec", NULL};

/*
 * The paths of pod specs. Sources: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go,
 * kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go.
 */
static const struct {
    const char *name; /* of the CRD */
    enum template_owner owner;
    const char *const *path;
} template_crds[] = {
    {"jobsets.jobset.x-k8s.io", OWNER_JOBSET, jobset_path},
    {"trainingruntimes.trainer.kubeflow.org", OWNER_TRAINER, runtime_path},
    {"clustertrainingruntimes.trainer.kubeflow.org", OWNER_TRAINER, runtime_path},
};

static bool
keeps_unknown_fields(struct json_object *schema)
{
    return json_object_get_boolean(tree_member(schema, "x-kubernetes-preserve-unknown-fields"));
}

/* The API server drops fields that the schema neither has nor preserves. */
static unsigned
fields_at(struct json_object *schema, const char *const *path)
{
    unsigned bits = 0;

    for (; *path; path++) {
        struct json_object *next = **path ? tree_member(tree_member(schema, "properties"), *path)
                                          : tree_member(schema, "items");

        if (!next)
            return keeps_unknown_fields(schema) ? POD_FIELDS_ALL : 0;
        schema = next;
    }
    if (keeps_unknown_fields(schema))
        return POD_FIELDS_ALL;
    for (size_t i = 0; i < POD_FIELD_COUNT; i++) {
        if (tree_member(tree_member(schema, "properties"), pod_field_names[i]))
            bits |= 1u << i;
    }
    return bits;
}

void
facts_add_kept_fields(struct facts *facts, struct json_object *crd)
{
    const char *name = tree_text(tree_member(crd, "metadata"), "name");
    struct json_object *versions = tree_member(tree_member(crd, "spec"), "versions");

    for (size_t i = 0; name && i < COUNT_OF(template_crds); i++) {
        if (strcmp(template_crds[i].name, name) != 0)
            continue;
        for (TREE_EACH(version, versions))
            if (json_object_get_boolean(tree_member(*version, "served")))
                facts->kept_fields &=
                    fields_at(tree_member(tree_member(*version, "schema"), "openAPIV3Schema"),
                              template_crds[i].path);
        facts->knows_templates[template_crds[i].owner] = true;
    }
}

/*
 * The operators of libgang/catalog/job_names.c. With `needs`, the option has an effect only beside
 * this one; with `legacy`, that option means the same as `volcano`; with `file`, the other options
 * have no effect: they are in a file, which `configurations` describes. Without the option, the
 * name of a feature gate that is on stands for it.
 */
static const struct {
    const char *key;
    const char *option;
    const char *needs;
    const char *legacy;
    const char *file;
    const char *gate;
} operators[] = {
    /* ray-project/kuberay:ray-operator/main.go@v1.6.2, and for the gate @v1.7.0 */
    {"kuberay", "batch-scheduler", NULL, "enable-batch-scheduler", "config", "KubernetesWAS"},
    /* kubeflow/mpi-operator:cmd/mpi-operator/app/options/options.go@v0.8.2 */
    {"mpiOperator", "gang-scheduling", NULL, NULL, NULL, NULL},
    /* kubeflow/training-operator:cmd/training-operator.v1/main.go@v1.9.4 */
    {"trainingOperator", "gang-scheduler-name", NULL, NULL, NULL, NULL},
    /* kubeflow/spark-operator:cmd/operator/controller/start.go@v2.5.2 */
    {"sparkOperator", "default-batch-scheduler", "enable-batch-scheduler", NULL, NULL, NULL},
};

/* Returns what is behind the dashes and the name of an option in an argument; NULL for another. */
static const char *
behind_option(const char *argument, const char *option)
{
    const size_t len = strlen(option);

    if (!argument || *argument != '-')
        return NULL;
    argument += argument[1] == '-' ? 2 : 1;
    return strncmp(argument, option, len) == 0 && (!argument[len] || argument[len] == '=')
               ? argument + len
               : NULL;
}

/* Finds `--option=value`, and `--option value` if it has a value; NULL without the option. */
static const char *
find_in(struct json_object *list, const char *option, bool has_value)
{
    const char *found = NULL;

    for (size_t i = 0; option && i < tree_length(list); i++) {
        const char *rest =
            behind_option(json_object_get_string(json_object_array_get_idx(list, i)), option);

        if (rest && *rest)
            found = rest + 1;
        else if (rest && has_value && i + 1 < tree_length(list))
            found = json_object_get_string(json_object_array_get_idx(list, i + 1));
        else if (rest)
            found = "true";
    }
    return found;
}

static const char *
find_option(struct json_object *container, const char *option, bool has_value)
{
    const char *found = find_in(tree_member(container, "args"), option, has_value);

    return found ? found : find_in(tree_member(container, "command"), option, has_value);
}

static bool
is_on(struct json_object *container, const char *option)
{
    const char *value = find_option(container, option, false);

    return value && strcmp(value, "true") == 0;
}

/* Whether `--feature-gates=A=true,B=false` switches the gate on. */
static bool
gate_is_on(struct json_object *container, const char *gate)
{
    const char *gates = find_option(container, "feature-gates", true);
    const size_t len = gate ? strlen(gate) : 0;

    for (; len && gates; gates = strchr(gates, ','), gates = gates ? gates + 1 : NULL)
        if (strncmp(gates, gate, len) == 0 && strncmp(gates + len, "=true", 5) == 0)
            return true;
    return false;
}

/* An operator that makes gangs anywhere matters more than one that does not. */
static void
put_operator(struct facts *facts, const char *key, const char *value)
{
    const char *known = tree_text(facts->operators, key);

    if (!known || !*known)
        tree_put_text(facts->operators, key, value);
}

void
facts_add_operator(struct facts *facts, const char *key, struct json_object *container)
{
    for (size_t i = 0; key && i < COUNT_OF(operators); i++)
        if (strcmp(operators[i].key, key) == 0) {
            const char *value = find_option(container, operators[i].option, true);

            if (is_on(container, operators[i].legacy))
                value = "volcano";
            if (operators[i].needs && !is_on(container, operators[i].needs))
                value = NULL;
            if (!value && gate_is_on(container, operators[i].gate))
                value = operators[i].gate;
            if (!find_option(container, operators[i].file, true))
                put_operator(facts, operators[i].key, or_empty(value));
        }
}

/* Files with the options of operators, by the API group in their apiVersion. */
static const struct {
    const char *key;
    const char *group;
    const char *parent; /* of the option; NULL: the document */
    const char *option;
    const char *legacy; /* true means the same as `volcano` */
} configurations[] = {
    /* ray-project/kuberay:ray-operator/apis/config/v1alpha1/configuration_types.go@v1.6.2 */
    {"kuberay", "config.ray.io/", NULL, "batchScheduler", "enableBatchScheduler"},
    /* kubernetes-sigs/lws:api/config/v1alpha1/configuration_types.go@v0.9.0 */
    {"lws", "config.lws.x-k8s.io/", "gangSchedulingManagement", "schedulerProvider", NULL},
};

/* Whether a file is the configuration of an operator. Notes one that cannot be read. */
static bool
add_configuration(struct facts *facts, const char *config_map, const char *file, const char *text)
{
    for (size_t i = 0; text && i < COUNT_OF(configurations); i++) {
        const char *group = configurations[i].group;
        struct json_object *root = strstr(text, group) ? document_tree(text, strlen(text)) : NULL;
        const char *version = tree_text(root, "apiVersion");
        const char *parent = configurations[i].parent;
        const char *legacy = configurations[i].legacy;
        struct json_object *options = parent ? tree_member(root, parent) : root;
        const char *value = tree_text(options, configurations[i].option);

        if (!root && strstr(text, group))
            text_addf(&facts->notes, "note: ConfigMap %s: %s cannot be read and is left out\n",
                      config_map, file);
        if (!version || strncmp(version, group, strlen(group)) != 0)
            continue;
        if (legacy && json_object_get_boolean(tree_member(options, legacy)))
            value = "volcano";
        put_operator(facts, configurations[i].key, or_empty(value));
        return true;
    }
    return false;
}

bool
facts_add_configurations(struct facts *facts, struct json_object *config_map)
{
    const char *name = tree_text(tree_member(config_map, "metadata"), "name");
    struct json_object *data = tree_member(config_map, "data");
    struct json_object *files;
    bool has_one = false;

    if (!json_object_is_type(data, json_type_object))
        return false;
    files = tree_sorted_map(data);
    json_object_object_foreach(files, file, ignored)
    {
        (void)ignored;
        has_one |= add_configuration(facts, or_empty(name), file, tree_text(files, file));
    }
    json_object_put(files);
    return has_one;
}

/* ray-project/kuberay:ray-operator/controllers/ray/batchscheduler/volcano@v1.6.2 */
void
facts_add_pod_group(struct facts *facts, struct json_object *object)
{
    struct json_object *metadata = tree_member(object, "metadata");
    struct json_object *owners = tree_member(metadata, "ownerReferences");
    const char *name = tree_text(metadata, "name");

    for (size_t i = 0; name && i < tree_length(owners); i++) {
        struct json_object *owner = json_object_array_get_idx(owners, i);
        const char *version = tree_text(owner, "apiVersion");
        const char *owner_name = tree_text(owner, "name");

        if (version && strncmp(version, "ray.io/", 7) == 0 && owner_name &&
            strcmp(name, formatted("ray-%s-pg", owner_name)) == 0)
            put_operator(facts, "kuberay", "volcano");
    }
}

/*
 * Sources: apache/yunikorn-k8shim:pkg/common/constants/constants.go (ConfigMapName,
 * NamespaceQuota), apache/yunikorn-core:pkg/common/configs/{config,configvalidator}.go@v1.8.0
 */
#define QUEUES_CONFIG_MAP "yunikorn-configs"
#define QUEUES_FILE "queues.yaml"
#define QUEUES_TYPE "YuniKorn"
#define QUEUES_SORTING "application.sort.policy"
#define QUEUES_NAMESPACE_QUOTA "yunikorn.apache.org/namespace.quota"

/* The configuration calls the resource cpu vcore. */
static struct json_object *
amounts_of(struct json_object *source)
{
    struct json_object *sorted = tree_sorted_map(source);
    struct json_object *amounts = tree_map();

    json_object_object_foreach(sorted, key,
                               value) if (json_object_is_type(value, json_type_string) ||
                                          json_object_is_type(value, json_type_int) ||
                                          json_object_is_type(value, json_type_double))
        tree_put_text(amounts, strcmp(key, "vcore") == 0 ? "cpu" : key,
                      json_object_get_string(value));
    json_object_put(sorted);
    return amounts;
}

/* A queue above others: its full name, and the sort policy that those below it inherit. */
struct queue_above {
    const char *name; /* NULL: none */
    const char *sorting;
};

static void
add_queues(struct facts *facts, struct json_object *list, const struct queue_above *above)
{
    for (TREE_EACH(queue, list)) {
        const char *name = tree_text(*queue, "name");
        const char *sorting = tree_text(tree_member(*queue, "properties"), QUEUES_SORTING);
        struct json_object *max = tree_member(tree_member(*queue, "resources"), "max");
        struct queue_above here = {.sorting = sorting ? sorting : above->sorting};
        struct json_object *item;

        if (!name)
            continue;
        here.name = formatted("%s%s%s", or_empty(above->name), above->name ? "." : "", name);
        item = facts_add_item(facts, FACTS_QUEUES, QUEUES_TYPE, here.name);
        tree_put_text(item, "name", here.name);
        tree_put_text(item, "type", QUEUES_TYPE);
        tree_put_text(item, "parent", above->name);
        if (max && json_object_is_type(max, json_type_object))
            tree_put(item, "max", amounts_of(max));
        tree_put_text(item, "sortPolicy", here.sorting);
        add_queues(facts, tree_member(*queue, "queues"), &here);
    }
}

bool
facts_queues_read(struct facts *facts, struct json_object *config_map)
{
    const char *text = tree_text(tree_member(config_map, "data"), QUEUES_FILE);
    struct json_object *root;
    struct json_object *partitions;

    if (!text || !tree_text_is(tree_member(config_map, "metadata"), "name", QUEUES_CONFIG_MAP))
        return false;
    root = document_tree(text, strlen(text));
    if (!root)
        text_add(&facts->notes, "note: ConfigMap " QUEUES_CONFIG_MAP ": " QUEUES_FILE
                                " cannot be read and is left out\n");
    partitions = tree_member(root, "partitions");
    for (TREE_EACH(item, partitions)) {
        /* A partition whose only queue is not the root has the root above its queues. */
        struct json_object *list = tree_member(*item, "queues");
        bool has_root = tree_length(list) == 1 &&
                        tree_text_is(json_object_array_get_idx(list, 0), "name", "root");

        add_queues(facts, list, &(struct queue_above){.name = has_root ? NULL : "root"});
    }
    return true;
}

struct json_object *
facts_quota_of(struct json_object *namespace)
{
    const char *text = tree_text(tree_member(tree_member(namespace, "metadata"), "annotations"),
                                 QUEUES_NAMESPACE_QUOTA);
    struct json_object *source = text ? json_tokener_parse(text) : NULL;

    of_step((struct made){.tree = source});
    return json_object_is_type(source, json_type_object) ? amounts_of(source) : NULL;
}
