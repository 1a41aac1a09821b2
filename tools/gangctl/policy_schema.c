/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "commands.h"
#include "policy_test.h"

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

struct json_object *
policy_test_schema(void)
{
    static const char *const steps[] = {"properties", "spec",       "properties", "cases",
                                        "items",      "properties", "expect"};
    struct json_object *schema = tree_must(json_read(test_schema, strlen(test_schema)));
    struct json_object *expect = schema;

    for (size_t i = 0; i < COUNT_OF(steps); i++)
        expect = tree_member(expect, steps[i]);
    expectation_add_schema(tree_map_in(expect, "properties"));
    return schema;
}

/* Adds $id behind $schema: an editor stores a schema under it. */
int
command_policy_schema(struct run *run)
{
    const char *kind = run->options->argument ? run->options->argument : GANG_KIND_POLICY;
    struct json_object *copy = tree_map();
    struct gang_blob *blob = NULL;
    struct json_object *schema;
    struct text *id = text_new();

    if (strcmp(kind, KIND_POLICY_TEST) == 0)
        schema = policy_test_schema();
    else if (gang_schema_serialize(NULL, kind, GANG_FORMAT_JSON, 0, &blob, NULL))
        out_of_memory();
    else
        schema = tree_must(json_of_blob(blob));
    text_add(id, "https://policy.libgang.dev/v1alpha1/");
    for (const char *c = kind; *c; c++)
        text_addf(id, "%c", tolower((unsigned char)*c));
    text_add(id, ".schema.json");
    json_object_object_foreach(schema, key, value)
    {
        tree_share(copy, key, value);
        if (strcmp(key, "$schema") == 0)
            tree_put_text(copy, "$id", id->data);
    }
    tree_move(&run->out, copy, run->options->output,
              JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
    return EXIT_DONE;
}
