/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"
#include "policy_test.h"
#include "text.h"
#include "tree.h"

/* Of a GangPolicyTest, without the keys of `expect`, which have a table of their own. */
static const char test_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"GangPolicyTest\","
    "\"type\":\"object\",\"required\":[\"apiVersion\",\"kind\",\"metadata\",\"spec\"],"
    "\"additionalProperties\":false,\"properties\":{"
    "\"apiVersion\":{\"type\":\"string\",\"enum\":[\"policy.libgang.dev/v1alpha1\"]},"
    "\"kind\":{\"type\":\"string\",\"enum\":[\"GangPolicyTest\"]},"
    "\"metadata\":{\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,"
    "\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1}}},"
    "\"spec\":{\"type\":\"object\",\"required\":[\"cases\"],\"additionalProperties\":false,"
    "\"properties\":{"
    "\"policy\":{\"type\":\"string\",\"description\":\"File of the GangPolicy.\"},"
    "\"cluster\":{\"type\":\"string\",\"description\":\"File of the GangCluster.\"},"
    "\"inputs\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"description\":\"Files of every case.\"},"
    "\"cases\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"object\","
    "\"required\":[\"name\",\"expect\"],\"additionalProperties\":false,\"properties\":{"
    "\"name\":{\"type\":\"string\"},"
    "\"inputs\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"description\":\"Files of this case.\"},"
    "\"job\":{\"type\":\"string\","
    "\"description\":\"Name or namespace/name, if the files have several jobs.\"},"
    "\"trainJob\":{\"type\":\"string\",\"description\":\"The former name of job.\"},"
    "\"gang\":{\"type\":\"string\","
    "\"description\":\"Number or name of the gang, if the job has several.\"},"
    "\"expect\":{\"type\":\"object\",\"minProperties\":1,\"additionalProperties\":false,"
    "\"description\":\"Compared with the plan; null: there is no value.\"}}}}}}}}";

/* Returns the schema of a document that the library reads. */
static struct json_object *
library_schema(const char *kind)
{
    struct gang_blob *blob = NULL;
    struct json_object *schema;

    if (gang_schema_serialize(NULL, kind, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    schema = json_tokener_parse(gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    return tree_must(schema);
}

static struct json_object *
policy_test_schema(const char *kind)
{
    static const char *const steps[] = {"properties", "spec",       "properties", "cases",
                                        "items",      "properties", "expect"};
    struct json_object *schema = tree_must(json_tokener_parse(test_schema));
    struct json_object *expect = schema;

    (void)kind;
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        expect = tree_member(expect, steps[i]);
    expectation_add_schema(tree_map_in(expect, "properties"));
    return schema;
}

/* The documents with a schema. An editor stores a schema under its $id. */
static const struct {
    const char *kind;
    const char *id;
    struct json_object *(*make)(const char *kind);
} schemas[] = {
    {GANG_KIND_POLICY, "https://policy.libgang.dev/v1alpha1/gangpolicy.schema.json",
     library_schema},
    {GANG_KIND_CLUSTER, "https://policy.libgang.dev/v1alpha1/gangcluster.schema.json",
     library_schema},
    {GANG_KIND_JOB, "https://policy.libgang.dev/v1alpha1/gangjob.schema.json", library_schema},
    {KIND_POLICY_TEST, "https://policy.libgang.dev/v1alpha1/gangpolicytest.schema.json",
     policy_test_schema},
};

/* Puts $id behind $schema. Frees the schema. */
static struct json_object *
with_id(struct json_object *schema, const char *id)
{
    struct json_object *copy = tree_map();

    json_object_object_foreach(schema, key, value)
    {
        tree_share(copy, key, value);
        if (strcmp(key, "$schema") == 0)
            tree_put_text(copy, "$id", id);
    }
    json_object_put(schema);
    return copy;
}

static void
add_schema(struct text *out, struct json_object *schema, bool is_yaml)
{
    struct text json = {0};

    tree_add_json(&json, schema, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
    text_add(&json, "\n");
    if (is_yaml)
        text_add_as_yaml(out, &json);
    else
        text_add(out, json.data);
    text_free(&json);
}

int
command_policy_schema(const struct options *options)
{
    const char *kind = options->argument ? options->argument : GANG_KIND_POLICY;
    struct text out = {0};
    bool printed;

    for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
        struct json_object *schema;

        if (strcmp(schemas[i].kind, kind) != 0)
            continue;
        schema = with_id(schemas[i].make(kind), schemas[i].id);
        add_schema(&out, schema, options->output == OUTPUT_YAML);
        json_object_put(schema);
    }
    printed = print_data(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
