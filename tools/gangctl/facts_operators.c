/* SPDX-License-Identifier: Apache-2.0 */
#include "facts_operators.h"

#include <string.h>

#include "tree.h"

/*
 * The operators of libgang/catalog/operator_options.c, by their images. With `needs`, the option
 * has an effect only beside this one; with `legacy`, that option means the same as `volcano`; with
 * `file`, the option can be in a file that is not read.
 */
static const struct {
    const char *key;
    const char *image;
    const char *option;
    const char *needs;
    const char *legacy;
    const char *file;
} operators[] = {
    /* ray-project/kuberay:ray-operator/main.go@v1.6.2 */
    {"kuberay", "kuberay/operator", "batch-scheduler", NULL, "enable-batch-scheduler", "config"},
    /* kubeflow/mpi-operator:cmd/mpi-operator/app/options/options.go@v0.8.2 */
    {"mpiOperator", "mpi-operator", "gang-scheduling", NULL, NULL, NULL},
    /* kubeflow/training-operator:cmd/training-operator.v1/main.go@v1.9.3 */
    {"trainingOperator", "kubeflow/training-operator", "gang-scheduler-name", NULL, NULL, NULL},
    /* kubeflow/spark-operator:cmd/operator/controller/start.go@v2.5.1 */
    {"sparkOperator", "spark-operator/controller", "default-batch-scheduler",
     "enable-batch-scheduler", NULL, NULL},
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

/* An operator that makes gangs anywhere matters more than one that does not. */
static void
put_operator(struct facts *facts, const char *key, const char *value)
{
    const char *known = tree_text(facts->operators, key);

    if (!known || !*known)
        tree_put_text(facts->operators, key, value);
}

static void
read_operator(struct facts *facts, size_t index, struct json_object *container)
{
    const char *value = find_option(container, operators[index].option, true);

    if (is_on(container, operators[index].legacy))
        value = "volcano";
    if (operators[index].needs && !is_on(container, operators[index].needs))
        value = NULL;
    if (value || !find_option(container, operators[index].file, true))
        put_operator(facts, operators[index].key, value ? value : "");
}

void
facts_add_operator(struct facts *facts, struct json_object *container)
{
    const char *image = tree_text(container, "image");
    const size_t len = image_name_length(image);

    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        if (is_image(image, len, operators[i].image))
            read_operator(facts, i, container);
}

/* Whether the name is `ray-<owner>-pg`. */
static bool
is_name_of_kuberay(const char *name, const char *owner)
{
    const size_t len = strlen(owner);

    return strncmp(name, "ray-", 4) == 0 && strncmp(name + 4, owner, len) == 0 &&
           strcmp(name + 4 + len, "-pg") == 0;
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
            is_name_of_kuberay(name, owner_name))
            put_operator(facts, "kuberay", "volcano");
    }
}
