/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/policies.h"
#include "unit/typed.h"
#include "unit/schema_order.h"
#include "unit/tree.h"

/* ---- policy print ---- */

struct printed {
    struct buffer json;
};

static const char *
canonical_json(struct printed *out, const struct gang_policy *policy)
{
    struct arena *arena = arena_new(0);

    json_write(&out->json, policy_canonical(policy, arena));
    buffer_append_byte(&out->json, '\0');
    ck_assert(!out->json.failed);
    arena_free(arena);
    return out->json.data;
}

#define DOCUMENT(spec)                                                                             \
    "{\"apiVersion\":\"policy.libgang.dev/"                                                        \
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"lab\"}" spec "}"
#define SPEC(fields) DOCUMENT(",\"spec\":{" fields "}")

static const struct {
    const char *spec;
    const char *json;
} forms[] = {
    {"", SPEC("")},
    /* sorted by name, from any order */
    {"  rules:\n  - {override: Always, name: r, backend: volcano}\n  defaultBackend: volcano\n",
     SPEC("\"defaultBackend\":\"volcano\",\"rules\":[{\"backend\":\"volcano\",\"name\":\"r\","
          "\"override\":"
          "\"Always\"}]")},
    {"  backends: [{queue: {name: q}, type: KAI, name: k, priorityClassName: {name: p}}]\n",
     SPEC("\"backends\":[{\"name\":\"k\",\"priorityClassName\":{\"name\":\"p\"},\"queue\":{"
          "\"name\":\"q\"},\"type\":\"KAI\"}]")},
    {"  output: {labels: {b: '1', a.b/c: \"2\", a: x}}\n",
     SPEC("\"output\":{\"labels\":{\"a\":\"x\",\"a.b/c\":\"2\",\"b\":\"1\"}}")},
    /* lists keep their order */
    {"  rules: [{name: b, match: {namespaces: [z, a]}}, {name: a, match: {}}]\n",
     SPEC("\"rules\":[{\"match\":{\"namespaces\":[\"z\",\"a\"]},\"name\":\"b\"},{\"match\":{},"
          "\"name\":\"a\"}"
          "]")},
    /* null is absent, and so is a default */
    {"  compatibility: null\n  defaults: null\n", SPEC("")},
    {"  compatibility: None\n  runtimePolicy: Honor\n  defaultBackend: ''\n", SPEC("")},
    {"  rules: [{name: r, action: Gang}, {name: s, match: {minNodes: 2}, action: Skip}]\n",
     SPEC("\"rules\":[{\"name\":\"r\"},{\"action\":\"Skip\",\"match\":{\"minNodes\":2},\"name\":"
          "\"s\"}]")},
    {"  constraints: [{name: c, enforcement: Deny, requireQueue: false, maxMembers: 8}]\n",
     SPEC("\"constraints\":[{\"maxMembers\":8,\"name\":\"c\"}]")},
    /* but a value of a rule that differs from the defaults is kept */
    {"  rules: [{name: r, members: Auto, resources: Effective, reserve: Auto, backend: volcano, "
     "override: "
     "IfUnset}]\n",
     SPEC("\"rules\":[{\"backend\":\"volcano\",\"members\":\"Auto\",\"name\":\"r\",\"override\":"
          "\"IfUnset\","
          "\"reserve\":\"Auto\",\"resources\":\"Effective\"}]")},
    {"  defaults: {queue: {fromNamespace: {}}}\n",
     SPEC("\"defaults\":{\"queue\":{\"fromNamespace\":{}}}")},
    {"  defaults: {topology: {level: 2, mode: hard}}\n",
     SPEC("\"defaults\":{\"topology\":{\"level\":2}}")},
    /* a map that must not be empty */
    {"  defaults: {topology: {mode: hard}}\n",
     SPEC("\"defaults\":{\"topology\":{\"mode\":\"hard\"}}")},
    {"  constraints: [{name: c, requireQueue: true}]\n",
     SPEC("\"constraints\":[{\"name\":\"c\",\"requireQueue\":true}]")},
};

START_TEST(canonical_form_is_unique)
{
    struct gang_policy *policy = policy_from(forms[_i].spec);
    struct printed printed = {0};

    if (!policy)
        return;
    ck_assert_str_eq(canonical_json(&printed, policy), forms[_i].json);
    buffer_clear(&printed.json);
    unref_policy(policy);
}
END_TEST

START_TEST(canonical_form_is_a_fixed_point)
{
    struct gang_policy *policy = NULL;
    struct printed printed = {0};

    ck_assert_int_eq(parse_policy(NULL, forms[_i].json, strlen(forms[_i].json), 0, &policy, NULL),
                     GANG_OK);
    ck_assert_str_eq(canonical_json(&printed, policy), forms[_i].json);
    buffer_clear(&printed.json);
    unref_policy(policy);
}
END_TEST

/* The hash of the text by another program: Python, fnv1a_64(json) % "%016x", the first eight
 * digits. */
static const struct {
    const char *text;
    const char *stamp;
} stamps[] = {
    {SPEC("\"output\":{\"policyStamp\":\"Annotation\"}"), "lab@a6457cbf"},
    {" { \"kind\":\"GangPolicy\", \"spec\": {\"runtimePolicy\": \"Honor\", "
     "\"output\":{\"labels\":null, "
     "\"policyStamp\":\"\\u0041nnotation\"}},\"metadata\":{\"uid\":\"7\",\"name\":\"lab\","
     "\"labels\":{\"a\":"
     "\"b\"}},"
     "\"apiVersion\":\"policy.libgang.dev/v1alpha1\"}",
     "lab@a6457cbf"},
    /* whether an object gets it or not */
    {SPEC("\"output\":{\"policyStamp\":\"None\"}"), "lab@dec3fd94"},
    {DOCUMENT(""), "lab@151351b2"},
};

START_TEST(equal_policies_have_equal_stamps)
{
    struct gang_policy *policy = NULL;

    ck_assert_int_eq(parse_policy(NULL, stamps[_i].text, strlen(stamps[_i].text), 0, &policy, NULL),
                     GANG_OK);
    ck_assert_str_eq(gang_policy_get_stamp(document_of(policy)), stamps[_i].stamp);
    unref_policy(policy);
}
END_TEST

START_TEST(json_and_yaml_have_the_same_stamp)
{
    struct gang_policy *policy =
        policy_from("  output:\n    # said\n    policyStamp: \"Annotation\"\n");

    if (policy)
        ck_assert_str_eq(policy->stamp.data, "lab@a6457cbf");
    unref_policy(policy);
}
END_TEST

/* ---- policy describe ---- */

/* The schema's own words at a path of fields; lists are gone through by themselves. */
static const struct node *
field_of(const struct node *schema, const char *path)
{
    while (schema && *path) {
        size_t len = strcspn(path, ".");
        const struct node *items = node_member(schema, SLICE("items"));

        schema = node_member(node_member(items ? items : schema, SLICE("properties")),
                             (struct slice){path, len});
        path += len + (path[len] == '.');
    }
    return schema;
}

static const struct node *
schema_tree_of(struct arena *arena, const char *kind, enum gang_format format)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    struct report report;
    const struct document_request request = {.arena = arena,
                                             .limits = &standard_limits,
                                             .report = &report,
                                             .document = GANG_DOCUMENT_NONE};
    const struct node *root;
    struct slice text;

    ck_assert_int_eq(gang_schema_serialize(NULL, kind, (int)format, 0, &blob, &error), GANG_OK);
    ck_assert_ptr_null(error);
    text.data = gang_blob_get_data(blob, &text.len);
    report_init(&report, arena, &standard_limits);
    root = document_read(&request, text);
    ck_assert_ptr_nonnull(root);
    gang_blob_unref(blob);
    return root;
}

static const struct node *
schema_tree(struct arena *arena, enum gang_format format)
{
    return schema_tree_of(arena, GANG_KIND_POLICY, format);
}

START_TEST(fields_are_sorted_by_name)
{
    struct arena *arena = arena_new(0);

    check_schema_order(policy_schema(arena));
    arena_free(arena);
}
END_TEST

static const char *const paths[] = {
    "apiVersion",
    "kind",
    "metadata.name",
    "spec.backends.name",
    "spec.backends.type",
    "spec.backends.schedulerName",
    "spec.backends.apiVersion",
    "spec.defaultBackend",
    "spec.runtimePolicy",
    "spec.compatibility",
    "spec.defaults.queue.fromLabel.key",
    "spec.rules.match.namespaces",
    "spec.rules.exclude.runtimeSelector.matchExpressions.operator",
    "spec.rules.action",
    "spec.rules.message",
    "spec.rules.backend",
    "spec.rules.queue.fromNamespace.prefix",
    "spec.rules.priorityClassName.name",
    "spec.rules.scheduleTimeoutSeconds",
    "spec.rules.members",
    "spec.rules.resources",
    "spec.rules.reserve",
    "spec.rules.topology.level",
    "spec.rules.override",
    "spec.constraints.allowedQueues",
    "spec.constraints.enforcement",
    "spec.output.policyStamp",
};

/* Whoever writes a policy finds a sentence about each field. */
START_TEST(schema_describes_each_field)
{
    struct arena *arena = arena_new(0);
    const struct node *field = field_of(schema_tree(arena, GANG_FORMAT_JSON), paths[_i]);

    ck_assert_msg(field != NULL, "%s is not in the schema", paths[_i]);
    ck_assert_uint_gt(node_string(node_member(field, SLICE("description"))).len, 0);
    arena_free(arena);
}
END_TEST

static void
check_described(const struct node *schema, const char *name)
{
    const struct node *items = node_member(schema, SLICE("items"));

    ck_assert_msg(node_string(node_member(schema, SLICE("description"))).len > 0,
                  "%s has no description", name);
    if (items)
        check_described(items, name);
    for (NODE_EACH(field, node_member(schema, SLICE("properties"))))
        check_described(field, node_key(field).data);
}

START_TEST(leaves_no_field_undescribed)
{
    struct arena *arena = arena_new(0);

    check_described(schema_tree(arena, GANG_FORMAT_JSON), "the document");
    arena_free(arena);
}
END_TEST

START_TEST(lists_the_types_of_backends)
{
    struct arena *arena = arena_new(0);
    const struct node *type = field_of(schema_tree(arena, GANG_FORMAT_JSON), "spec.backends.type");
    const struct node *types = node_member(type, SLICE("enum"));

    ck_assert_uint_gt(node_count(types), 1);
    ck_assert_ptr_nonnull(gang_backend_name(node_count(types) - 2));
    ck_assert_ptr_null(gang_backend_name(node_count(types) - 1));
    ck_assert(slice_equal(node_string(node_item(types, node_count(types) - 1)), SLICE("None")));
    arena_free(arena);
}
END_TEST

/* Bounds and words as the reference has them; a path of its own names the items of a list. */
static const struct {
    const char *path;
    const char *keyword;
    const char
        *value; /* a scalar, or the texts of a list with a blank behind each; NULL: not stated */
} bounds[] = {
    {"", "title", "GangPolicy"},
    {"", "$schema", "https://json-schema.org/draft/2020-12/schema"},
    {"", "required", "apiVersion kind metadata "},
    {"", "additionalProperties", "false"},
    {"metadata", "required", "name "},
    {"metadata", "additionalProperties", NULL},
    {"spec", "additionalProperties", "false"},
    {"spec.backends", "items.additionalProperties", "false"},
    {"spec.rules", "items.additionalProperties", "false"},
    {"metadata.name", "type", "string"},
    {"metadata.name", "minLength", "1"},
    {"metadata.name", "maxLength", "253"},
    {"spec.backends", "minItems", "1"},
    {"spec.backends", "maxItems", "16"},
    {"spec.backends", "items.required", "name type "},
    {"spec.backends.name", "minLength", "1"},
    {"spec.backends.schedulerName", "minLength", "1"},
    {"spec.backends.apiVersion", "minLength", "1"},
    {"spec.backends.type", "enum", "@types None "},
    {"spec.backends.podGroup", "enum", "Auto Delegate Create "},
    {"spec.compatibility", "enum", "None KubeflowTrainer "},
    {"spec.compatibility", "default", "None"},
    {"spec.runtimePolicy", "enum", "Honor Require Ignore "},
    {"spec.runtimePolicy", "default", "Honor"},
    {"spec.rules", "maxItems", "1000"},
    {"spec.rules", "items.required", "name "},
    {"spec.rules.action", "enum", "Gang Skip Deny "},
    {"spec.rules.action", "default", "Gang"},
    {"spec.rules.message", "minLength", "1"},
    {"spec.rules.message", "maxLength", "1024"},
    {"spec.rules.members", "enum", "Auto All TrainerOnly "},
    {"spec.rules.resources", "enum", "Effective RequestsOnly "},
    {"spec.rules.reserve", "enum", "Auto Always Never "},
    {"spec.rules.override", "enum", "IfUnset Always "},
    {"spec.rules.topology", "minProperties", "1"},
    {"spec.rules.topology.mode", "enum", "hard soft "},
    {"spec.rules.topology.mode", "default", "hard"},
    {"spec.rules.topology.level", "minimum", "1"},
    {"spec.rules.priorityClassName", "required", "name "},
    {"spec.rules.queue.fromLabel", "required", "key "},
    {"spec.rules.queue.fromLabel.key", "minLength", "1"},
    {"spec.rules.scheduleTimeoutSeconds", "minimum", "1"},
    {"spec.rules.scheduleTimeoutSeconds", "maximum", "2147483647"},
    {"spec.rules.match.minNodes", "minimum", "1"},
    {"spec.rules.match.maxNodes", "maximum", "2147483647"},
    {"spec.rules.match.kueue", "enum", "Managed Unmanaged "},
    {"spec.rules.match.namespaces", "minItems", "1"},
    {"spec.rules.match.namespaces", "uniqueItems", "true"},
    {"spec.rules.match.namespaces", "items.minLength", "1"},
    {"spec.rules.match.namespaces", "items.maxLength", "253"},
    {"spec.rules.match.runtimes", "minItems", "1"},
    {"spec.rules.match.runtimes", "uniqueItems", "true"},
    {"spec.rules.match.frameworks", "uniqueItems", "true"},
    {"spec.rules.match.resources", "uniqueItems", "true"},
    {"spec.constraints.allowedQueues", "uniqueItems", "true"},
    {"spec.constraints.allowedPriorityClassNames", "uniqueItems", "true"},
    {"spec.rules.match.runtimes", "items.maxLength", "253"},
    {"spec.rules.match.frameworks", "minItems", "1"},
    {"spec.rules.match.resources", "minItems", "1"},
    {"spec.rules.match.runtimeSelector.matchExpressions", "items.required", "key operator "},
    {"spec.rules.match.runtimeSelector.matchExpressions.operator", "enum",
     "In NotIn Exists DoesNotExist "},
    {"spec.constraints", "maxItems", "1000"},
    {"spec.constraints", "items.required", "name "},
    {"spec.constraints.allowedBackends", "minItems", "1"},
    {"spec.constraints.allowedBackends", "uniqueItems", "true"},
    {"spec.constraints.allowedQueues", "minItems", "1"},
    {"spec.constraints.allowedQueues", "items.maxLength", "253"},
    {"spec.constraints.allowedPriorityClassNames", "minItems", "1"},
    {"spec.constraints.maxMembers", "minimum", "1"},
    {"spec.constraints.minTimeoutSeconds", "minimum", "1"},
    {"spec.constraints.maxTimeoutSeconds", "maximum", "2147483647"},
    {"spec.constraints.requireQueue", "default", "false"},
    {"spec.constraints.reservedKeys", "enum", "Deny Warn "},
    {"spec.constraints.enforcement", "enum", "Deny Warn "},
    {"spec.constraints.enforcement", "default", "Deny"},
    {"spec.output.ownerReferences", "enum", "IfUID Never "},
    {"spec.output.ownerReferences", "default", "IfUID"},
    {"spec.output.policyStamp", "enum", "None Annotation "},
    {"spec.output.policyStamp", "default", "None"},
};

/* NULL: the keyword is not stated. */
static void
check_keyword(const struct node *root, const char *path, const char *keyword, const char *expected)
{
    const struct node *value = node_at(field_of(root, path), keyword);
    const char *text = "";
    struct arena *arena;

    ck_assert_msg((value != NULL) == (expected != NULL), "%s of %s", keyword, path);
    if (!value)
        return;
    arena = arena_new(0);
    if (node_is(value, NODE_LIST))
        for (NODE_EACH(item, value))
            text = arena_format(arena, "%s%.*s ", text, SLICE_ARG(node_text(item)));
    else
        text = arena_format(arena, "%.*s", SLICE_ARG(node_text(value)));
    ck_assert_str_eq(text, with_list(expected, "", " "));
    arena_free(arena);
}

START_TEST(schema_has_the_bounds)
{
    struct arena *arena = arena_new(0);

    check_keyword(schema_tree(arena, GANG_FORMAT_JSON), bounds[_i].path, bounds[_i].keyword,
                  bounds[_i].value);
    arena_free(arena);
}
END_TEST

START_TEST(is_the_same_in_yaml)
{
    struct arena *arena;

    NEEDS_YAML();
    arena = arena_new(0);
    ck_assert(
        node_equal(schema_tree(arena, GANG_FORMAT_JSON), schema_tree(arena, GANG_FORMAT_YAML)));
    arena_free(arena);
}
END_TEST

START_TEST(each_format_is_written_as_such)
{
    struct gang_blob *json = NULL;
    struct gang_blob *yaml = NULL;
    size_t len;
    const char *text;

    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, GANG_FORMAT_JSON, 0, &json, NULL), GANG_OK);
    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, GANG_FORMAT_YAML, 0, &yaml, NULL), GANG_OK);
    text = gang_blob_get_data(json, &len);
    ck_assert_int_eq(text[0], '{');
    ck_assert_str_eq(text + len - 2, "}\n");
    ck_assert_ptr_null(memchr(text, '\n', len - 1));
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(yaml, NULL), "\ntitle: GangPolicy\n"));
    gang_blob_unref(json);
    gang_blob_unref(yaml);
}
END_TEST

/* The same for a GangCluster, whose lists all have a description. */
static const struct {
    const char *path;
    const char *keyword;
    const char *value;
} cluster_bounds[] = {
    {"", "title", "GangCluster"},
    {"", "required", "apiVersion kind metadata "},
    {"metadata", "required", "name "},
    {"kind", "pattern", "^GangCluster$"},
    {"spec", "additionalProperties", "false"},
    {"spec.kubernetesVersion", "type", "string"},
    {"spec.featureGates", "additionalProperties.type", "boolean"},
    {"spec.components.kai", "minLength", "1"},
    {"spec.namespaces", "items.required", "name "},
    {"spec.namespaces.labels", "additionalProperties.type", "string"},
    {"spec.priorityClasses", "items.required", "name value "},
    {"spec.priorityClasses.value", "maximum", "2147483647"},
    {"spec.priorityClasses.preemptionPolicy", "enum", "Never PreemptLowerPriority "},
    {"spec.queues.type", "enum", "KAI Volcano YuniKorn "},
    {"spec.podTemplateFields", "uniqueItems", "true"},
    {"spec.limitRanges.limits.type", "enum", "Container Pod PersistentVolumeClaim "},
    {"spec.kai.defaults", "maxItems", "1000"},
};

START_TEST(schema_of_a_cluster)
{
    struct arena *arena = arena_new(0);
    const struct node *root = schema_tree_of(arena, GANG_KIND_CLUSTER, GANG_FORMAT_JSON);

    check_keyword(root, cluster_bounds[_i].path, cluster_bounds[_i].keyword,
                  cluster_bounds[_i].value);
    for (NODE_EACH(field, node_at(root, "properties.spec.properties")))
        ck_assert_uint_gt(node_string(node_member(field, SLICE("description"))).len, 0);
    arena_free(arena);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, GANG_FORMAT_JSON, 0, NULL, &error),
        GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, (enum gang_format)99, 0, &blob, &error),
        GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, GANG_FORMAT_JSON, 1, &blob, &error),
        GANG_ERROR_UNSUPPORTED_FLAG);
    gang_error_free(error);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(
        gang_schema_serialize(NULL, GANG_KIND_POLICY, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    gang_blob_unref(blob);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, canonical_form_is_unique, forms, spec);
    add_rows(cases, canonical_form_is_a_fixed_point, forms, spec);
    add_rows(cases, equal_policies_have_equal_stamps, stamps, text);
    tcase_add_test(cases, json_and_yaml_have_the_same_stamp);
    tcase_add_test(cases, fields_are_sorted_by_name);
    add_items(cases, schema_describes_each_field, paths);
    tcase_add_test(cases, leaves_no_field_undescribed);
    add_rows(cases, schema_has_the_bounds, bounds, path, keyword, value);
    tcase_add_test(cases, lists_the_types_of_backends);
    tcase_add_test(cases, is_the_same_in_yaml);
    tcase_add_test(cases, each_format_is_written_as_such);
    add_rows(cases, schema_of_a_cluster, cluster_bounds, path, keyword, value);
    tcase_add_test(cases, misuse_is_refused);
}
