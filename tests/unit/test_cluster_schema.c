/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "unit/clusters.h"
#include "unit/schema_order.h"
#include "unit/suite.h"
#include "unit/typed.h"

static const struct document_case refused[] = {
    {"spec:\n", "state: {}\nspec:\n", GANG_CODE_UNKNOWN_FIELD, "state", 5, 1},
    {"  kubernetesVersion", "  kubernetesVerison", GANG_CODE_UNKNOWN_FIELD,
     "spec.kubernetesVerison", 6, 3},
    {"\"1.36\"", "1.36", GANG_CODE_WRONG_TYPE, "spec.kubernetesVersion", 6, 22},
    {"\"1.36\"", "\"\"", GANG_CODE_REQUIRED_FIELD, "spec.kubernetesVersion", 6, 22},
    {"  servedVersions:\n", "  servedVersions: {}\n  unserved:\n", GANG_CODE_WRONG_TYPE,
     "spec.servedVersions", 7, 19},
    {"  - groupVersion: scheduling.volcano.sh/v1beta1",
     "  - groupVersion: scheduling.k8s.io/v1alpha2", GANG_CODE_DUPLICATE_ITEM,
     "spec.servedVersions[1].groupVersion", 10, 19},
    {"  - groupVersion: scheduling.volcano.sh/v1beta1", "  - scheduling.volcano.sh/v1beta1",
     GANG_CODE_WRONG_TYPE, "spec.servedVersions[1]", 10, 5},
    {"  - groupVersion: scheduling.volcano.sh/v1beta1", "  - resources: []",
     GANG_CODE_REQUIRED_FIELD, "spec.servedVersions[1].groupVersion", 10, 5},
    {"  - groupVersion: scheduling.volcano.sh/v1beta1", "  -", GANG_CODE_NULL_ITEM,
     "spec.servedVersions[1]", 10, 4},
    {"[workloads, podgroups]", "[workloads, workloads]", GANG_CODE_DUPLICATE_ITEM,
     "spec.servedVersions[0].resources[1]", 9, 28},
    {"[workloads, podgroups]", "workloads", GANG_CODE_WRONG_TYPE,
     "spec.servedVersions[0].resources", 9, 16},
    {"[workloads, podgroups]", "[workloads, 1]", GANG_CODE_WRONG_TYPE,
     "spec.servedVersions[0].resources[1]", 9, 28},
    {"WorkloadWithJob: false", "WorkloadWithJob: \"false\"", GANG_CODE_WRONG_TYPE,
     "spec.featureGates.WorkloadWithJob", 13, 22},
    {"WorkloadWithJob: false", "WorkloadWithJob: ~", GANG_CODE_NULL_VALUE,
     "spec.featureGates.WorkloadWithJob", 13, 22},
    {"    volcano: v1.15.0", "    vulcano: v1.15.0", GANG_CODE_UNKNOWN_FIELD,
     "spec.components.vulcano", 16, 5},
    {"kai: v0.14.2", "kai: 0.14", GANG_CODE_WRONG_TYPE, "spec.components.kai", 15, 10},
    {"kai: v0.14.2", "kai: v0.14.2\n    kai: v0.15.0", GANG_CODE_DUPLICATE_KEY,
     "spec.components.kai", 16, 5},
    {"[schedulingGroup]", "[schedulingGroups]", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.podTemplateFields[0]", 20, 23},
    {"[schedulingGroup]", "[schedulingGroup, schedulingGroup]", GANG_CODE_DUPLICATE_ITEM,
     "spec.podTemplateFields[1]", 20, 40},
    {"  - name: kube-system", "  - name: ml", GANG_CODE_DUPLICATE_ITEM, "spec.namespaces[1].name",
     24, 11},
    {"  - name: kube-system", "  - labels: {}", GANG_CODE_REQUIRED_FIELD, "spec.namespaces[1].name",
     24, 5},
    {"{team: red}", "[team]", GANG_CODE_WRONG_TYPE, "spec.namespaces[0].labels", 23, 13},
    {"{team: red}", "{team: yes}", GANG_CODE_WRONG_TYPE, "spec.namespaces[0].labels[team]", 23, 20},
    {"type: KAI", "type: Kai", GANG_CODE_UNSUPPORTED_VALUE, "spec.queues[1].type", 29, 11},
    {"type: KAI", "type: Volcano", GANG_CODE_DUPLICATE_ITEM, "spec.queues[1].name", 28, 11},
    {"    type: Volcano\n", "", GANG_CODE_REQUIRED_FIELD, "spec.queues[0].type", 26, 5},
    {"    parent: root", "    parentQueue: root", GANG_CODE_UNKNOWN_FIELD,
     "spec.queues[1].parentQueue", 30, 5},
    {"    value: 1000\n", "", GANG_CODE_REQUIRED_FIELD, "spec.priorityClasses[0].value", 32, 5},
    {"value: 1000", "value: 3000000000", GANG_CODE_VALUE_OUT_OF_RANGE,
     "spec.priorityClasses[0].value", 33, 12},
    {"value: 1000", "value: \"1000\"", GANG_CODE_WRONG_TYPE, "spec.priorityClasses[0].value", 33,
     12},
    {"preemptionPolicy: Never", "preemptionPolicy: never", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.priorityClasses[0].preemptionPolicy", 34, 23},
    {"  - name: everyday", "  - name: train-high", GANG_CODE_DUPLICATE_ITEM,
     "spec.priorityClasses[1].name", 35, 11},
    {"globalDefault: true", "globalDefault: 1", GANG_CODE_WRONG_TYPE,
     "spec.priorityClasses[1].globalDefault", 37, 20},
    {"  - name: runc", "  - name: kata", GANG_CODE_DUPLICATE_ITEM, "spec.runtimeClasses[1].name",
     41, 11},
    {"{cpu: 250m, memory: 120Mi}", "{podFixed: {cpu: 250m}}", GANG_CODE_WRONG_TYPE,
     "spec.runtimeClasses[0].overhead[podFixed]", 40, 26},
    {"  - name: runc", "  - name: runc\n    handler: runc", GANG_CODE_UNKNOWN_FIELD,
     "spec.runtimeClasses[1].handler", 42, 5},
    {"    namespace: ml\n", "", GANG_CODE_REQUIRED_FIELD, "spec.limitRanges[0].namespace", 43, 5},
    {"    - type: Pod", "    - type: Pods", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.limitRanges[0].limits[1].type", 51, 13},
    {"    - type: Pod\n      max: {cpu: 16}", "    - max: {cpu: 16}", GANG_CODE_REQUIRED_FIELD,
     "spec.limitRanges[0].limits[1].type", 51, 7},
    {"      defaultRequest:", "      defaultRequests:", GANG_CODE_UNKNOWN_FIELD,
     "spec.limitRanges[0].limits[0].defaultRequests", 47, 7},
    {"      default: {cpu: 1}", "      default: 1", GANG_CODE_WRONG_TYPE,
     "spec.limitRanges[0].limits[0].default", 48, 16},
    {"      max: {cpu: 16}\n",
     "      max: {cpu: 16}\n  - name: limits\n    namespace: ml\n    limits: []\n",
     GANG_CODE_DUPLICATE_ITEM, "spec.limitRanges[1].name", 53, 11},
    {"    - type: Pod", "    - type: Container", GANG_CODE_DUPLICATE_ITEM,
     "spec.limitRanges[0].limits[1].type", 51, 13},
    {"    limits:\n", "    limits:\n    - {}\n", GANG_CODE_REQUIRED_FIELD,
     "spec.limitRanges[0].limits[0].type", 46, 7},
};

START_TEST(refuses_what_is_not_in_the_schema)
{
    check_refused_cluster(&refused[_i]);
}
END_TEST

START_TEST(fields_are_sorted_by_name)
{
    struct arena *arena = arena_new(0);

    check_schema_order(cluster_schema(arena));
    arena_free(arena);
}
END_TEST

/* Values are listed as in the reference; a priority is any int32, as in Kubernetes. */
static const struct {
    const char *find, *replace, *message;
} words[] = {
    {"[schedulingGroup]", "[x]",
     "Unsupported value: \"x\": supported values: \"schedulingGroup\", \"workloadRef\""},
    {"type: KAI", "type: x",
     "Unsupported value: \"x\": supported values: \"KAI\", \"Volcano\", "
     "\"YuniKorn\""},
    {"preemptionPolicy: Never", "preemptionPolicy: x",
     "Unsupported value: \"x\": supported values: \"Never\", \"PreemptLowerPriority\""},
    {"    - type: Pod", "    - type: x",
     "Unsupported value: \"x\": supported values: \"Container\", \"Pod\", "
     "\"PersistentVolumeClaim\""},
    {"value: 1000", "value: 3000000000",
     "Invalid value: 3000000000: must be between -2147483648 and 2147483647"},
};

START_TEST(schema_lists_all_fields)
{
    struct gang_cluster *cluster = NULL;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_cluster, words[_i].find, words[_i].replace);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, &error),
                     GANG_ERROR_INVALID);
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)),
                     words[_i].message);
    gang_error_free(error);
}
END_TEST

static const struct schema *
member(const struct schema *schema, const char *name)
{
    const struct schema *found = schema_find(schema, slice_from_text(name));

    ck_assert_msg(found != NULL, "no field %s", name);
    return found;
}

/* Every field of the document, as doc/cluster.md lists them. */
static const struct {
    const char *parent; /* a member of spec; NULL: spec itself */
    const char *field;
    enum schema_type type;
    bool required;
} fields[] = {
    {NULL, "kubernetesVersion", SCHEMA_STRING, false},
    {NULL, "servedVersions", SCHEMA_LIST, false},
    {"servedVersions", "groupVersion", SCHEMA_STRING, true},
    {"servedVersions", "resources", SCHEMA_LIST, false},
    {NULL, "featureGates", SCHEMA_MAP, false},
    {NULL, "components", SCHEMA_OBJECT, false},
    {"components", "kai", SCHEMA_STRING, false},
    {"components", "volcano", SCHEMA_STRING, false},
    {"components", "jobset", SCHEMA_STRING, false},
    {"components", "trainer", SCHEMA_STRING, false},
    {"components", "schedulerPlugins", SCHEMA_STRING, false},
    {NULL, "podTemplateFields", SCHEMA_LIST, false},
    {NULL, "namespaces", SCHEMA_LIST, false},
    {"namespaces", "name", SCHEMA_STRING, true},
    {"namespaces", "labels", SCHEMA_MAP, false},
    {NULL, "queues", SCHEMA_LIST, false},
    {"queues", "name", SCHEMA_STRING, true},
    {"queues", "type", SCHEMA_STRING, true},
    {"queues", "parent", SCHEMA_STRING, false},
    {NULL, "priorityClasses", SCHEMA_LIST, false},
    {"priorityClasses", "name", SCHEMA_STRING, true},
    {"priorityClasses", "value", SCHEMA_INT32, true},
    {"priorityClasses", "globalDefault", SCHEMA_BOOLEAN, false},
    {"priorityClasses", "preemptionPolicy", SCHEMA_STRING, false},
    {NULL, "runtimeClasses", SCHEMA_LIST, false},
    {"runtimeClasses", "name", SCHEMA_STRING, true},
    {"runtimeClasses", "overhead", SCHEMA_MAP, false},
    {NULL, "limitRanges", SCHEMA_LIST, false},
    {"limitRanges", "namespace", SCHEMA_STRING, true},
    {"limitRanges", "name", SCHEMA_STRING, true},
    {"limitRanges", "limits", SCHEMA_LIST, true},
};

START_TEST(has_every_field)
{
    struct arena *arena = arena_new(0);
    const struct schema *parent = member(cluster_schema(arena), "spec");
    struct schema_search search;
    const struct schema_row *field;

    if (fields[_i].parent)
        parent = member(parent, fields[_i].parent);
    if (parent->type == SCHEMA_LIST)
        parent = parent->values;
    search = schema_search_in(parent);
    field = schema_search_next(&search, slice_from_text(fields[_i].field));
    ck_assert_ptr_nonnull(field);
    ck_assert_int_eq(schema_of(parent, field)->type, fields[_i].type);
    ck_assert(field->required == fields[_i].required);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, fields_are_sorted_by_name);
    add_rows(cases, schema_lists_all_fields, words, find, replace);
    add_rows(cases, refuses_what_is_not_in_the_schema, refused, find, replace);
    add_rows(cases, has_every_field, fields, parent, field, type);
}
