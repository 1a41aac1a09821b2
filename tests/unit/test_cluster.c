/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "unit/suite.h"
#include "unit/clusters.h"
#include "unit/squeeze.h"
#include "unit/typed.h"

/* ---- cluster ---- */

#define HEAD                                                                                       \
    "{\"apiVersion\":\"policy.libgang.dev/"                                                        \
    "v1alpha1\",\"kind\":\"GangCluster\",\"metadata\":{\"name\":\"lab\"}"

static struct gang_cluster *
parse(const char *text)
{
    struct gang_cluster *cluster = NULL;

    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    ck_assert_ptr_nonnull(cluster);
    return cluster;
}

/* The good cluster as JSON, so that these tests need no libyaml. */
static const char full[] = HEAD
    ",\"spec\":{\"kubernetesVersion\":\"1.36\",\"servedVersions\":["
    "{\"groupVersion\":\"v1\",\"resources\":[]},"
    "{\"groupVersion\":\"scheduling.volcano.sh/v1beta1\"},"
    "{\"groupVersion\":\"scheduling.k8s.io/"
    "v1alpha2\",\"resources\":[\"workloads\",\"podgroups\"]}],"
    "\"featureGates\":{\"GenericWorkload\":true,\"WorkloadWithJob\":false},"
    "\"components\":{\"kai\":\"v0.14.2\",\"volcano\":\"v1.15.0\",\"jobset\":\"v0.12.0\","
    "\"trainer\":\"v2.3.0-rc.1\",\"schedulerPlugins\":\"v0.35.4-devel\"},"
    "\"podTemplateFields\":[\"schedulingGroup\"],"
    "\"namespaces\":[{\"name\":\"ml\",\"labels\":{\"team\":\"red\"}},{\"name\":\"kube-system\"}],"
    "\"queues\":[{\"name\":\"b\",\"type\":\"Volcano\"},{\"name\":\"default\",\"type\":\"KAI\"},"
    "{\"name\":\"a\",\"type\":\"Volcano\"},{\"name\":\"a\",\"type\":\"KAI\",\"parent\":\"default\"}"
    "],"
    "\"priorityClasses\":[{\"name\":\"train-high\",\"value\":1000,\"preemptionPolicy\":\"Never\"},"
    "{\"name\":\"everyday\",\"value\":10,\"globalDefault\":true},{\"name\":\"low\",\"value\":-5,"
    "\"globalDefault\":true}],\"runtimeClasses\":[],\"limitRanges\":[]}}";
static const char empty[] = HEAD ",\"spec\":{}}";
static const char none[] = HEAD ",\"spec\":{\"servedVersions\":[],\"featureGates\":{},"
                                "\"components\":{},\"podTemplateFields\":[],"
                                "\"namespaces\":[],\"queues\":[],\"priorityClasses\":[],"
                                "\"runtimeClasses\":[],\"limitRanges\":[]}}";

/* The four clusters that a question is put to. */
enum { FULL, NONE, EMPTY, NO_CLUSTER, CLUSTERS };
static const char *const texts[CLUSTERS] = {full, none, empty, NULL};

static const char *const answer_names[] = {"unknown", "no", "yes"};

static void
check_answer(enum cluster_answer answer, enum cluster_answer wanted, const char *question)
{
    ck_assert_msg(answer == wanted, "%s: %s, not %s", question, answer_names[answer],
                  answer_names[wanted]);
}

static const struct {
    int cluster;
    const char *group_version;
    const char *resource;
    enum cluster_answer answer;
} served[] = {
    {FULL, "scheduling.k8s.io/v1alpha2", NULL, CLUSTER_YES},
    {FULL, "scheduling.k8s.io/v1alpha2", "workloads", CLUSTER_YES},
    {FULL, "scheduling.k8s.io/v1alpha2", "podgroups", CLUSTER_YES},
    {FULL, "scheduling.k8s.io/v1alpha2", "compositepodgroups", CLUSTER_NO},
    {FULL, "scheduling.k8s.io/v1alpha2", "", CLUSTER_NO},
    {FULL, "scheduling.k8s.io/v1beta1", NULL, CLUSTER_NO},
    {FULL, "scheduling.k8s.io/v1beta1", "workloads", CLUSTER_NO},
    {FULL, "scheduling.volcano.sh/v1beta1", NULL, CLUSTER_YES},
    {FULL, "scheduling.volcano.sh/v1beta1", "podgroups", CLUSTER_UNKNOWN},
    {FULL, "v1", NULL, CLUSTER_YES},
    {FULL, "v1", "pods", CLUSTER_NO},
    {FULL, "", NULL, CLUSTER_NO},
    {NONE, "v1", NULL, CLUSTER_NO},
    {NONE, "v1", "pods", CLUSTER_NO},
    {EMPTY, "v1", NULL, CLUSTER_UNKNOWN},
    {EMPTY, "v1", "pods", CLUSTER_UNKNOWN},
    {NO_CLUSTER, "v1", NULL, CLUSTER_UNKNOWN},
};

START_TEST(api_versions_are_served)
{
    struct gang_cluster *cluster =
        texts[served[_i].cluster] ? parse(texts[served[_i].cluster]) : NULL;

    check_answer(cluster_serves(cluster, slice_from_text(served[_i].group_version),
                                slice_from_text(served[_i].resource)),
                 served[_i].answer, served[_i].group_version);
    unref_cluster(cluster);
}
END_TEST

static const struct {
    int cluster;
    const char *name;
    enum cluster_answer gate;
    enum cluster_answer pod_field;
    enum cluster_answer priority_class;
    enum cluster_answer namespace_;
} named[] = {
    {FULL, "GenericWorkload", CLUSTER_YES, CLUSTER_NO, CLUSTER_NO, CLUSTER_NO},
    {FULL, "WorkloadWithJob", CLUSTER_NO, CLUSTER_NO, CLUSTER_NO, CLUSTER_NO},
    {FULL, "schedulingGroup", CLUSTER_UNKNOWN, CLUSTER_YES, CLUSTER_NO, CLUSTER_NO},
    {FULL, "workloadRef", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_NO, CLUSTER_NO},
    {FULL, "train-high", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES, CLUSTER_NO},
    {FULL, "everyday", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES, CLUSTER_NO},
    {FULL, "low", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES, CLUSTER_NO},
    {FULL, "system-node-critical", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES, CLUSTER_NO},
    {FULL, "ml", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_NO, CLUSTER_YES},
    {FULL, "kube-system", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_NO, CLUSTER_YES},
    {FULL, "", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_NO, CLUSTER_NO},
    {NONE, "GenericWorkload", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_NO, CLUSTER_NO},
    {NONE, "system-cluster-critical", CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES, CLUSTER_NO},
    {EMPTY, "ml", CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_UNKNOWN},
    {EMPTY, "system-cluster-critical", CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_YES,
     CLUSTER_UNKNOWN},
    {NO_CLUSTER, "ml", CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_UNKNOWN},
    {NO_CLUSTER, "system-node-critical", CLUSTER_UNKNOWN, CLUSTER_UNKNOWN, CLUSTER_YES,
     CLUSTER_UNKNOWN},
};

START_TEST(objects_exist)
{
    struct gang_cluster *cluster =
        texts[named[_i].cluster] ? parse(texts[named[_i].cluster]) : NULL;
    struct slice name = slice_from_text(named[_i].name);

    check_answer(cluster_has_gate(cluster, name), named[_i].gate, "gate");
    check_answer(cluster_keeps_pod_field(cluster, name), named[_i].pod_field, "pod field");
    check_answer(cluster_priority_class(cluster, name, NULL), named[_i].priority_class,
                 "priority class");
    check_answer(cluster_namespace(cluster, name, NULL), named[_i].namespace_, "namespace");
    unref_cluster(cluster);
}
END_TEST

static const struct {
    int cluster;
    const char *type;
    const char *name;
    enum cluster_answer answer;
} queues[] = {
    {FULL, "Volcano", "a", CLUSTER_YES},      {FULL, "Volcano", "b", CLUSTER_YES},
    {FULL, "KAI", "a", CLUSTER_YES},          {FULL, "KAI", "b", CLUSTER_NO},
    {FULL, "KAI", "default", CLUSTER_YES},    {FULL, "Volcano", "default", CLUSTER_NO},
    {FULL, "YuniKorn", "a", CLUSTER_NO},      {NONE, "Volcano", "a", CLUSTER_NO},
    {EMPTY, "Volcano", "a", CLUSTER_UNKNOWN}, {NO_CLUSTER, "KAI", "a", CLUSTER_UNKNOWN},
};

START_TEST(queues_exist)
{
    struct gang_cluster *cluster =
        texts[queues[_i].cluster] ? parse(texts[queues[_i].cluster]) : NULL;

    check_answer(cluster_has_queue(cluster, slice_from_text(queues[_i].type),
                                   slice_from_text(queues[_i].name)),
                 queues[_i].answer, queues[_i].name);
    unref_cluster(cluster);
}
END_TEST

static const struct {
    const char *name;
    int64_t value;
    bool is_global_default;
    const char *preemption_policy;
    const char *path;
} classes[] = {
    {"train-high", 1000, false, "Never", "spec.priorityClasses[0]"},
    {"everyday", 10, true, "", "spec.priorityClasses[1]"},
    {"low", -5, true, "", "spec.priorityClasses[2]"},
    {"system-cluster-critical", 2000000000, false, "", NULL},
    {"system-node-critical", 2000001000, false, "", NULL},
};

START_TEST(describes_a_priority_class)
{
    struct gang_cluster *cluster = parse(full);
    const struct cluster_priority_class *class = NULL;

    ck_assert_int_eq(cluster_priority_class(cluster, slice_from_text(classes[_i].name), &class),
                     CLUSTER_YES);
    ck_slice_eq(class->name, classes[_i].name);
    ck_assert_int_eq(class->value, classes[_i].value);
    ck_assert(class->is_global_default == classes[_i].is_global_default);
    ck_slice_eq(class->preemption_policy, classes[_i].preemption_policy);
    ck_assert((class->source != NULL) == (classes[_i].path != NULL));
    unref_cluster(cluster);
}
END_TEST

START_TEST(missing_priority_class_is_null)
{
    struct gang_cluster *cluster = parse(full);
    const struct cluster_priority_class *class = (const void *)cluster;

    ck_assert_int_eq(cluster_priority_class(cluster, SLICE("none"), &class), CLUSTER_NO);
    ck_assert_ptr_null(class);
    unref_cluster(cluster);
}
END_TEST

/* Nothing at all is known of a cluster without a spec. */
START_TEST(needs_no_spec)
{
    struct gang_cluster *cluster = parse(HEAD "}");

    ck_assert_int_eq(cluster_serves(cluster, SLICE("v1"), NO_SLICE), CLUSTER_UNKNOWN);
    unref_cluster(cluster);
}
END_TEST

#define CLASS(name, value) "{\"name\":\"" name "\",\"value\":" value ",\"globalDefault\":true}"

/* At any position; of equal ones the first by name. */
static const struct {
    const char *text;
    const char *name;
} defaults[] = {
    {HEAD ",\"spec\":{\"priorityClasses\":[" CLASS("a", "1") "," CLASS("b", "2") "]}}", "a"},
    {HEAD ",\"spec\":{\"priorityClasses\":[" CLASS("a", "2") "," CLASS("b", "1") "]}}", "b"},
    {HEAD ",\"spec\":{\"priorityClasses\":[" CLASS("b", "1") "," CLASS("a", "1") "]}}", "a"},
};

START_TEST(finds_the_lowest_default_class)
{
    struct gang_cluster *cluster = parse(defaults[_i].text);

    ck_slice_eq(cluster_default_priority_class(cluster)->name, defaults[_i].name);
    unref_cluster(cluster);
}
END_TEST

/* Of two defaults the lower one holds, as in the admission plugin. */
START_TEST(finds_the_default_class)
{
    struct gang_cluster *cluster = parse(full);

    ck_slice_eq(cluster_default_priority_class(cluster)->name, "low");
    unref_cluster(cluster);
    cluster = parse(none);
    ck_assert_ptr_null(cluster_default_priority_class(cluster));
    unref_cluster(cluster);
    ck_assert_ptr_null(cluster_default_priority_class(NULL));
}
END_TEST

START_TEST(describes_a_namespace)
{
    struct gang_cluster *cluster = parse(full);
    const struct cluster_namespace *found = NULL;

    ck_assert_int_eq(cluster_namespace(cluster, SLICE("ml"), &found), CLUSTER_YES);
    ck_slice_eq(found->name, "ml");
    ck_slice_eq(node_string(node_member(found->labels, SLICE("team"))), "red");
    ck_assert_int_eq(cluster_namespace(cluster, SLICE("kube-system"), &found), CLUSTER_YES);
    ck_assert_ptr_null(found->labels);
    ck_assert_ptr_nonnull(found->source);
    ck_assert_int_eq(cluster_namespace(cluster, SLICE("other"), &found), CLUSTER_NO);
    ck_assert_ptr_null(found);
    unref_cluster(cluster);
}
END_TEST

static const struct {
    size_t component;
    uint32_t major, minor, patch;
    const char *text;
} components[] = {
    {CATALOG_AT_kai, 0, 14, 2, "v0.14.2"},
    {CATALOG_AT_volcano, 1, 15, 0, "v1.15.0"},
    {COMPONENT_JOBSET, 0, 12, 0, "v0.12.0"},
    {COMPONENT_TRAINER, 2, 3, 0, "v2.3.0-rc.1"},
    {CATALOG_AT_coscheduling, 0, 35, 4, "v0.35.4-devel"},
};

START_TEST(reads_component_versions)
{
    struct gang_cluster *cluster = parse(full);
    struct release release = cluster_component(cluster, components[_i].component);

    ck_assert(release.is_known);
    ck_assert_uint_eq(release.major, components[_i].major);
    ck_assert_uint_eq(release.minor, components[_i].minor);
    ck_assert_uint_eq(release.patch, components[_i].patch);
    ck_slice_eq(node_string(cluster_component_source(cluster, components[_i].component)),
                components[_i].text);
    unref_cluster(cluster);
    cluster = parse(none);
    ck_assert(!cluster_component(cluster, components[_i].component).is_known);
    ck_assert_ptr_null(cluster_component_source(cluster, components[_i].component));
    unref_cluster(cluster);
    ck_assert(!cluster_component(NULL, components[_i].component).is_known);
    ck_assert_ptr_null(cluster_component_source(NULL, components[_i].component));
}
END_TEST

START_TEST(reads_kubernetes_version)
{
    struct gang_cluster *cluster = parse(full);

    ck_assert(release_at_least(&cluster->kubernetes, 1, 36));
    ck_assert(!release_at_least(&cluster->kubernetes, 1, 37));
    ck_assert_uint_eq(cluster_kubernetes(cluster).minor, 36);
    unref_cluster(cluster);
    ck_assert(!cluster_kubernetes(NULL).is_known);
}
END_TEST

START_TEST(feature_gate_states)
{
    struct gang_cluster *cluster = parse(full);

    ck_assert(node_is(cluster_gate_source(cluster, SLICE("WorkloadWithJob")), NODE_BOOL));
    ck_assert_ptr_null(cluster_gate_source(cluster, SLICE("GangScheduling")));
    ck_assert_ptr_null(cluster_gate_source(NULL, SLICE("WorkloadWithJob")));
    unref_cluster(cluster);
}
END_TEST

#define RANGE(namespace, name)                                                                     \
    "{\"namespace\":\"" namespace "\",\"name\":\"" name "\",\"limits\":[{\"type\":\"Pod\"}]}"

static const char ranges[] = HEAD ",\"spec\":{\"runtimeClasses\":[{\"name\":\"z\"},{\"name\":"
                                  "\"kata\",\"overhead\":{\"cpu\":\"1\"}}],"
                                  "\"limitRanges\":[" RANGE("ml", "b") "," RANGE(
                                      "a", "x") "," RANGE("ml", "a") "," RANGE("z", "x") "]}}";

/* Those of the namespace alone, by name. */
START_TEST(picks_the_limit_ranges_of_a_namespace)
{
    struct gang_cluster *cluster = parse(ranges);
    struct pod_admission admission = cluster_pod_admission(cluster, SLICE("ml"));

    ck_assert_uint_eq(admission.num_limit_ranges, 2);
    ck_slice_eq(admission.limit_ranges[0].name, "a");
    ck_slice_eq(admission.limit_ranges[1].name, "b");
    ck_assert_uint_eq(cluster_pod_admission(cluster, SLICE("a")).num_limit_ranges, 1);
    ck_assert_uint_eq(cluster_pod_admission(cluster, SLICE("z")).num_limit_ranges, 1);
    ck_assert_uint_eq(cluster_pod_admission(cluster, SLICE("m")).num_limit_ranges, 0);
    ck_assert_uint_eq(cluster_pod_admission(cluster, NO_SLICE).num_limit_ranges, 0);
    unref_cluster(cluster);
}
END_TEST

/* The gate of Kubernetes 1.37 is on by default: pkg/features/kube_features.go@v1.37.2. */
static const struct {
    const char *spec;
    bool is_last;
} pod_level_sums[] = {
    {"", false},
    {"\"kubernetesVersion\":\"1.36\"", false},
    {"\"kubernetesVersion\":\"1.37\"", true},
    {"\"kubernetesVersion\":\"1.37\",\"featureGates\":{\"PodLevelResourcesFixDefaulting\":false}",
     false},
    {"\"featureGates\":{\"PodLevelResourcesFixDefaulting\":true}", true},
};

START_TEST(knows_when_pods_are_summed)
{
    char text[512];
    struct gang_cluster *cluster;

    snprintf(text, sizeof(text), HEAD ",\"spec\":{%s}}", pod_level_sums[_i].spec);
    cluster = parse(text);
    ck_assert(cluster_pod_admission(cluster, NO_SLICE).sums_at_last == pod_level_sums[_i].is_last);
    unref_cluster(cluster);
}
END_TEST

START_TEST(lists_the_runtime_classes)
{
    struct gang_cluster *cluster = parse(ranges);
    struct pod_admission admission = cluster_pod_admission(cluster, NO_SLICE);

    ck_assert(admission.knows_runtime_classes);
    ck_assert_uint_eq(admission.num_runtime_classes, 2);
    ck_slice_eq(admission.runtime_classes[0].name, "kata");
    ck_assert_uint_eq(admission.runtime_classes[0].overhead.count, 1);
    unref_cluster(cluster);
}
END_TEST

START_TEST(without_facts_pod_defaults_are_unknown)
{
    struct gang_cluster *cluster = parse(empty);
    struct pod_admission admission = cluster_pod_admission(cluster, SLICE("ml"));

    ck_assert(!admission.knows_runtime_classes);
    unref_cluster(cluster);
    admission = cluster_pod_admission(NULL, SLICE("ml"));
    ck_assert(!admission.knows_runtime_classes);
    cluster = parse(none);
    admission = cluster_pod_admission(cluster, SLICE("ml"));
    ck_assert(admission.knows_runtime_classes);
    ck_assert_uint_eq(admission.num_limit_ranges + admission.num_runtime_classes, 0);
    unref_cluster(cluster);
}
END_TEST

static const struct document_case refused[] = {
    {"v1alpha1", "v1", GANG_CODE_WRONG_DOCUMENT, "apiVersion", 1, 13},
    {"kind: GangCluster", "kind: Cluster", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
    {"kind: GangCluster\n", "", GANG_CODE_REQUIRED_FIELD, "kind", 1, 1},
    {"metadata:\n  name: lab\n", "", GANG_CODE_REQUIRED_FIELD, "metadata", 1, 1},
    {"  name: lab", "  labels: {}", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
    {"  name: lab", "  name: &n lab", GANG_CODE_LIMIT_ANCHORS, "metadata.name", 4, 9},
    {"  featureGates:\n", "  featureGates:\n    <<: {A: true}\n", GANG_CODE_MERGE_FORBIDDEN,
     "spec.featureGates", 12, 5},
    {"    GenericWorkload: true\n", "    GenericWorkload: true\n    GenericWorkload: true\n",
     GANG_CODE_DUPLICATE_KEY, "spec.featureGates.GenericWorkload", 13, 5},
};

START_TEST(refuses_anything_else)
{
    check_refused_cluster(&refused[_i]);
}
END_TEST

START_TEST(reads_yaml)
{
    struct gang_cluster *cluster;

    NEEDS_YAML();
    cluster = parse(good_cluster);
    ck_assert_str_eq(gang_document_get_name(document_of(cluster)), "lab");
    ck_assert_uint_eq(cluster->num_namespaces, 2);
    ck_assert_uint_eq(cluster->num_priority_classes, 2);
    ck_assert_ptr_eq(ref_cluster(cluster), cluster);
    unref_cluster(cluster);
    unref_cluster(cluster);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_cluster *cluster = (struct gang_cluster *)&cluster; /* must be overwritten */

    ck_assert_int_eq(parse_cluster(NULL, empty, strlen(empty), 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(parse_cluster(NULL, NULL, 1, 0, &cluster, NULL), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(cluster);
    ck_assert_int_eq(parse_cluster(NULL, empty, strlen(empty), 1u << 31, &cluster, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
}
END_TEST

START_TEST(null_is_accepted)
{
    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    ck_assert_ptr_null(ref_cluster(NULL));
    unref_cluster(NULL);
}
END_TEST

/* Every list, so that every part of the reading runs out of memory once. */
static const char crowded[] =
    HEAD ",\"spec\":{\"servedVersions\":[{\"groupVersion\":\"v1\"},{\"groupVersion\":\"a/v1\"}],"
         "\"namespaces\":[{\"name\":\"b\"},{\"name\":\"a\"}],"
         "\"queues\":[{\"name\":\"b\",\"type\":\"KAI\"},{\"name\":\"a\",\"type\":\"KAI\"}],"
         "\"priorityClasses\":[{\"name\":\"b\",\"value\":1},{\"name\":\"a\",\"value\":2}],"
         "\"runtimeClasses\":[{\"name\":\"b\",\"overhead\":{\"cpu\":\"1\"}},{\"name\":\"a\"}],"
         "\"limitRanges\":[{\"namespace\":\"b\",\"name\":\"b\",\"limits\":[{\"type\":\"Pod\","
         "\"max\":{\"cpu\":"
         "\"1\"}}]},{\"namespace\":\"a\",\"name\":\"a\",\"limits\":[{\"type\":\"Container\"}]}]}}";

static bool
parse_crowded(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
{
    struct gang_cluster *cluster = NULL;

    *result = parse_cluster(context, input, strlen(input), 0, &cluster, error);
    unref_cluster(cluster);
    return cluster != NULL;
}

START_TEST(ends_cleanly_at_every_limit_of_memory)
{
    ck_assert_int_eq(squeeze(parse_crowded, crowded), GANG_OK);
}
END_TEST

/* ---- cluster rules ---- */

static const struct document_case refused_of_cluster_rules[] = {
    {"  name: lab", "  name: La_b", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: lab", "  name: lab\n  namespace: ml", GANG_CODE_UNKNOWN_FIELD, "metadata.namespace",
     5, 14},
    {"\"1.36\"", "\"latest\"", GANG_CODE_PATTERN_MISMATCH, "spec.kubernetesVersion", 6, 22},
    {"\"1.36\"", "\"1\"", GANG_CODE_PATTERN_MISMATCH, "spec.kubernetesVersion", 6, 22},
    {"kai: v0.14.2", "kai: newest", GANG_CODE_PATTERN_MISMATCH, "spec.components.kai", 15, 10},
    {"volcano: v1.15.0", "volcano: v1", GANG_CODE_PATTERN_MISMATCH, "spec.components.volcano", 16,
     14},
    {"jobset: v0.12.0", "jobset: v0.12.0/x", GANG_CODE_PATTERN_MISMATCH, "spec.components.jobset",
     17, 13},
    {"trainer: v2.3.0-rc.1", "trainer: v2.3.0-", GANG_CODE_PATTERN_MISMATCH,
     "spec.components.trainer", 18, 14},
    {"schedulerPlugins: v0.35.4-devel", "schedulerPlugins: devel", GANG_CODE_PATTERN_MISMATCH,
     "spec.components.schedulerPlugins", 19, 23},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "/v1alpha2", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "scheduling.k8s.io/v1alpha2/workloads",
     GANG_CODE_PATTERN_MISMATCH, "spec.servedVersions[0].groupVersion", 8, 19},
    {"scheduling.k8s.io/v1alpha2", "Scheduling.k8s.io/v1alpha2", GANG_CODE_PATTERN_MISMATCH,
     "spec.servedVersions[0].groupVersion", 8, 19},
    {"[workloads, podgroups]", "[workloads, PodGroup]", GANG_CODE_INVALID_NAME,
     "spec.servedVersions[0].resources[1]", 9, 28},
    {"  - name: ml", "  - name: ml.red", GANG_CODE_INVALID_NAME, "spec.namespaces[0].name", 22, 11},
    {"{team: red}", "{-team: red}", GANG_CODE_INVALID_LABEL_KEY, "spec.namespaces[0].labels[-team]",
     23, 14},
    {"{team: red}", "{team: a b}", GANG_CODE_INVALID_LABEL_VALUE, "spec.namespaces[0].labels[team]",
     23, 20},
    {"  - name: default", "  - name: Default", GANG_CODE_INVALID_NAME, "spec.queues[0].name", 26,
     11},
    {"parent: root", "parent: root_queue", GANG_CODE_INVALID_NAME, "spec.queues[1].parent", 30, 13},
    {"name: train-high", "name: train_high", GANG_CODE_INVALID_NAME, "spec.priorityClasses[0].name",
     32, 11},
    {"name: kata", "name: Kata", GANG_CODE_INVALID_NAME, "spec.runtimeClasses[0].name", 39, 11},
    {"name: limits", "name: -limits", GANG_CODE_INVALID_NAME, "spec.limitRanges[0].name", 43, 11},
    {"{cpu: 250m, memory: 120Mi}", "{cpu: 250x}", GANG_CODE_QUANTITY_SYNTAX,
     "spec.runtimeClasses[0].overhead[cpu]", 40, 21},
    {"{cpu: 250m, memory: 120Mi}", "{cpu: -1}", GANG_CODE_QUANTITY_NEGATIVE,
     "spec.runtimeClasses[0].overhead[cpu]", 40, 21},
    {"{cpu: 16}", "{cpu: 16 cores}", GANG_CODE_QUANTITY_SYNTAX,
     "spec.limitRanges[0].limits[1].max.cpu", 52, 18},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      default: {cpu: 1}",
     GANG_CODE_UNKNOWN_FIELD, "spec.limitRanges[0].limits[1].default", 53, 16},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      defaultRequest: {cpu: 1}",
     GANG_CODE_UNKNOWN_FIELD, "spec.limitRanges[0].limits[1].defaultRequest", 53, 23},
    {"namespace: ml", "namespace: m.l", GANG_CODE_INVALID_NAME, "spec.limitRanges[0].namespace", 44,
     16},
};

START_TEST(refuses_invalid_names_and_versions)
{
    check_refused_cluster(&refused_of_cluster_rules[_i]);
}
END_TEST

static const struct {
    const char *find;
    const char *replace;
} accepted[] = {
    {"scheduling.k8s.io/v1alpha2", "v1"},
    {"scheduling.k8s.io/v1alpha2", "apps/v1"},
    {"\"1.36\"", "\"v1.36.3+k3s1\""},
    {"{team: red}", "{}"},
    {"{team: red}", "{kubernetes.io/metadata.name: ml, team: \"\"}"},
    {"resources: [workloads, podgroups]", "resources: []"},
    /* A subdomain may start with a digit and hold dots, a label may start with a digit. */
    {"  - name: kube-system", "  - name: 9-system"},
    {"  - name: default", "  - name: 9.default"},
    {"parent: root", "parent: 9.root"},
    {"name: train-high", "name: 9.train-high"},
    {"name: kata", "name: 9.kata"},
    {"name: limits", "name: 9.limits"},
    {"namespace: ml", "namespace: 9-ml"},
    {"  name: lab", "  name: 9.lab"},
    {"      max: {cpu: 16}", "      max: {cpu: 16}\n      maxLimitRequestRatio: {cpu: 2}"},
    {"    - type: Pod", "    - type: PersistentVolumeClaim"},
    {"preemptionPolicy: Never", "preemptionPolicy: PreemptLowerPriority"},
    {"spec:\n", "status: {conditions: []}\nspec:\n"}, /* a controller's */
};

START_TEST(accepts_documents_of_real_clusters)
{
    struct gang_cluster *cluster = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_cluster, accepted[_i].find, accepted[_i].replace);
    ck_assert_int_eq(parse_cluster(NULL, text, strlen(text), 0, &cluster, NULL), GANG_OK);
    unref_cluster(cluster);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, ends_cleanly_at_every_limit_of_memory);
    add_rows(cases, api_versions_are_served, served, cluster, group_version, resource);
    add_rows(cases, objects_exist, named, cluster, name, namespace_);
    add_rows(cases, queues_exist, queues, cluster, type, name);
    add_rows(cases, describes_a_priority_class, classes, name, value);
    tcase_add_test(cases, missing_priority_class_is_null);
    tcase_add_test(cases, needs_no_spec);
    tcase_add_test(cases, finds_the_default_class);
    add_rows(cases, finds_the_lowest_default_class, defaults, text, name);
    tcase_add_test(cases, describes_a_namespace);
    add_rows(cases, reads_component_versions, components, text, component, major);
    tcase_add_test(cases, reads_kubernetes_version);
    tcase_add_test(cases, feature_gate_states);
    tcase_add_test(cases, picks_the_limit_ranges_of_a_namespace);
    add_rows(cases, knows_when_pods_are_summed, pod_level_sums, spec, is_last);
    tcase_add_test(cases, lists_the_runtime_classes);
    tcase_add_test(cases, without_facts_pod_defaults_are_unknown);
    add_rows(cases, refuses_anything_else, refused, find, replace);
    tcase_add_test(cases, reads_yaml);
    tcase_add_test(cases, misuse_is_refused);
    tcase_add_test(cases, null_is_accepted);
    add_rows(cases, refuses_invalid_names_and_versions, refused_of_cluster_rules, find, replace);
    add_rows(cases, accepts_documents_of_real_clusters, accepted, find, replace);
}
