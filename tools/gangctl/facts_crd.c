/* SPDX-License-Identifier: Apache-2.0 */
#include "facts_crd.h"

#include <string.h>

#include "tree.h"

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

static unsigned
fields_of_schema(struct json_object *schema)
{
    unsigned bits = 0;

    if (keeps_unknown_fields(schema))
        return POD_FIELDS_ALL;
    for (size_t i = 0; i < POD_FIELD_COUNT; i++) {
        if (tree_member(tree_member(schema, "properties"), pod_field_names[i]))
            bits |= 1u << i;
    }
    return bits;
}

/*
 * The API server drops fields that are not in the schema, unless the schema preserves unknown
 * fields.
 */
static unsigned
fields_at(struct json_object *schema, const char *const *path)
{
    for (; *path; path++) {
        struct json_object *next = **path ? tree_member(tree_member(schema, "properties"), *path)
                                          : tree_member(schema, "items");

        if (!next)
            return keeps_unknown_fields(schema) ? POD_FIELDS_ALL : 0;
        schema = next;
    }
    return fields_of_schema(schema);
}

static unsigned
fields_of_versions(struct json_object *versions, const char *const *path)
{
    unsigned bits = POD_FIELDS_ALL;

    for (size_t i = 0; i < tree_length(versions); i++) {
        struct json_object *version = json_object_array_get_idx(versions, i);

        if (json_object_get_boolean(tree_member(version, "served")))
            bits &= fields_at(tree_member(tree_member(version, "schema"), "openAPIV3Schema"), path);
    }
    return bits;
}

void
kept_fields_read(struct kept_fields *kept, struct json_object *crd)
{
    const char *name = tree_text(tree_member(crd, "metadata"), "name");

    for (size_t i = 0; name && i < sizeof(template_crds) / sizeof(*template_crds); i++) {
        enum template_owner owner = template_crds[i].owner;
        unsigned bits;

        if (strcmp(template_crds[i].name, name) != 0)
            continue;
        bits = fields_of_versions(tree_member(tree_member(crd, "spec"), "versions"),
                                  template_crds[i].path);
        kept->bits[owner] = kept->is_known[owner] ? kept->bits[owner] & bits : bits;
        kept->is_known[owner] = true;
    }
}
