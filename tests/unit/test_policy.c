/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/documents.h"
#include "unit/policies.h"
#include "unit/squeeze.h"
#include "unit/typed.h"

static const struct document_case refused[] = {
    {"v1alpha1", "v1", GANG_CODE_WRONG_DOCUMENT, "apiVersion", 1, 13},
    {"kind: GangPolicy", "kind: GangPlan", GANG_CODE_WRONG_DOCUMENT, "kind", 2, 7},
    {"kind: GangPolicy\n", "", GANG_CODE_REQUIRED_FIELD, "kind", 1, 1},
    {"metadata:\n  name: lab\n", "", GANG_CODE_REQUIRED_FIELD, "metadata", 1, 1},
    {"  name: lab", "  labels: {}", GANG_CODE_REQUIRED_FIELD, "metadata.name", 4, 3},
    {"  name: lab", "  name: La_b", GANG_CODE_INVALID_NAME, "metadata.name", 4, 9},
    {"  name: lab", "  name: lab\n  namespace: ml", GANG_CODE_UNKNOWN_FIELD, "metadata.namespace",
     5, 14},
    {"compatibility: None", "compatibility: none", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibility: No", GANG_CODE_WRONG_TYPE, "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibility: kubeflowTrainer", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.compatibility", 6, 18},
    {"compatibility: None", "compatibilty: None", GANG_CODE_UNKNOWN_FIELD, "spec.compatibilty", 6,
     3},
    {"compatibility: None", "compatibility: None\n  compatibility: None", GANG_CODE_DUPLICATE_KEY,
     "spec.compatibility", 7, 3},
    {"spec:\n", "state: {}\nspec:\n", GANG_CODE_UNKNOWN_FIELD, "state", 5, 1},
    {"spec:\n  compatibility: None\n", "spec: []\n", GANG_CODE_WRONG_TYPE, "spec", 5, 7},
    {"  compatibility: None", "  <<: {compatibility: None}", GANG_CODE_MERGE_FORBIDDEN, "spec", 6,
     3},
    {"  name: lab", "  name: &n lab", GANG_CODE_LIMIT_ANCHORS, "metadata.name", 4, 9},
};

#define NAME_FORM                                                                                  \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and "                                                                                    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "       \
    "validation is "                                                                               \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define BACKENDS(text) "  backends: [" text "]\n"
#define VOLCANO "{name: volcano, type: Volcano}"
#define TEN_BACKENDS                                                                               \
    "{name: a0, type: None},{name: a1, type: None},{name: a2, type: None},{name: a3, type: None}," \
    "{name: a4, type: None},{name: a5, type: None},{name: a6, type: None},{name: a7, type: None}," \
    "{name: a8, type: None},{name: a9, type: None},"
#define FIVE_BACKENDS                                                                              \
    "{name: b0, type: None},{name: b1, type: None},{name: b2, type: None},{name: b3, type: None}," \
    "{name: b4, type: None},"

static const struct policy_case refused_specs[] = {
    {"  ^backend: volcano\n", GANG_CODE_UNKNOWN_FIELD, "spec.backend",
     "unknown field \"spec.backend\"", DID_YOU_MEAN("backends")},
    {"  rules: []\n  ^rules: []\n", GANG_CODE_DUPLICATE_KEY, "spec.rules",
     "duplicate field \"spec.rules\": already set on line 5, column 3", "remove one of the two"},
    {"  ^cluster: {kubernetesVersion: '1.36'}\n", GANG_CODE_UNKNOWN_FIELD, "spec.cluster",
     "unknown field \"spec.cluster\"", NULL},
    {"  runtimePolicy: ^Honour\n", GANG_CODE_UNSUPPORTED_VALUE, "spec.runtimePolicy",
     "Unsupported value: \"Honour\": supported values: \"Honor\", \"Require\", \"Ignore\"",
     DID_YOU_MEAN("Honor")},
    {"  runtimePolicy: ^{}\n", GANG_CODE_WRONG_TYPE, "spec.runtimePolicy",
     "Invalid value: {...}: must be of type string: \"object\"", NULL},
    {BACKENDS("{name: v, type: Volcano, coscheduling: ^{}}"), GANG_CODE_MISPLACED_OPTION,
     "spec.backends[0].coscheduling",
     "Forbidden: options of type Coscheduling; this backend is of type Volcano", NULL},
    {BACKENDS(VOLCANO) "  defaultBackend: ^vulcano\n", GANG_CODE_BACKEND_NOT_ENABLED,
     "spec.defaultBackend", "Unsupported value: \"vulcano\": supported values: \"volcano\"",
     DID_YOU_MEAN("volcano")},
    {BACKENDS(VOLCANO) "  rules: [{name: r, backend: ^Volcano}]\n", GANG_CODE_BACKEND_NOT_ENABLED,
     "spec.rules[0].backend", "Unsupported value: \"Volcano\": supported values: \"volcano\"",
     DID_YOU_MEAN("volcano")},
    /* backends */
    {"  backends: ^[]\n", GANG_CODE_REQUIRED_FIELD, "spec.backends",
     "Required value: omit the field to enable every backend", NULL},
    {"  backends: ^volcano\n", GANG_CODE_WRONG_TYPE, "spec.backends",
     "Invalid value: \"volcano\": must be of type array: \"string\"", "write a list"},
    {BACKENDS("^volcano"), GANG_CODE_WRONG_TYPE, "spec.backends[0]",
     "Invalid value: \"volcano\": must be of type object: \"string\"",
     "write it as {name: NAME, type: TYPE}"},
    {BACKENDS(VOLCANO ", {name: ^volcano, type: Volcano, schedulerName: other}"),
     GANG_CODE_DUPLICATE_ITEM, "spec.backends[1].name", "Duplicate value: \"volcano\"",
     "the first is spec.backends[0]"},
    {BACKENDS("^{type: Volcano}"), GANG_CODE_REQUIRED_FIELD, "spec.backends[0].name",
     "Required value", NULL},
    {BACKENDS("^{name: volcano}"), GANG_CODE_REQUIRED_FIELD, "spec.backends[0].type",
     "Required value", NULL},
    {BACKENDS("{name: ^Volcano, type: Volcano}"), GANG_CODE_INVALID_NAME, "spec.backends[0].name",
     "Invalid value: \"Volcano\": " NAME_FORM, NULL},
    {BACKENDS("{name: ^'', type: Volcano}"), GANG_CODE_REQUIRED_FIELD, "spec.backends[0].name",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {BACKENDS("{name: x, type: Volcano, schedulerName: ^my_volcano}"), GANG_CODE_INVALID_NAME,
     "spec.backends[0].schedulerName", "Invalid value: \"my_volcano\": " NAME_FORM, NULL},
    {BACKENDS("{name: x, type: Volcano, schedulerName: ^''}"), GANG_CODE_REQUIRED_FIELD,
     "spec.backends[0].schedulerName", "Invalid value: \"\": must be at least 1 character long",
     NULL},
    {BACKENDS("{name: x, type: Volcano, ^scheduler: volcano}"), GANG_CODE_UNKNOWN_FIELD,
     "spec.backends[0].scheduler", "unknown field \"spec.backends[0].scheduler\"", NULL},
    {BACKENDS("{name: x, type: Volcano, apiVersion: ^scheduling.volcano.sh/v1}"),
     GANG_CODE_UNSUPPORTED_VALUE, "spec.backends[0].apiVersion",
     "Unsupported value: \"scheduling.volcano.sh/v1\": supported values: "
     "\"scheduling.volcano.sh/v1beta1\"",
     NULL},
    {BACKENDS("{name: x, type: Workload, apiVersion: ^scheduling.k8s.io/v1beta2}"),
     GANG_CODE_UNSUPPORTED_VALUE, "spec.backends[0].apiVersion",
     "Unsupported value: \"scheduling.k8s.io/v1beta2\": supported values: "
     "\"scheduling.k8s.io/v1beta1\", "
     "\"scheduling.k8s.io/v1alpha3\", \"scheduling.k8s.io/v1alpha2\", "
     "\"scheduling.k8s.io/v1alpha1\"",
     NULL},
    {"  defaultBackend: a0\n  backends: ^[" TEN_BACKENDS FIVE_BACKENDS "{name: x, type: Volcano}, "
     "{name: q, type: Volcano, schedulerName: z}]\n  rules: []\n",
     GANG_CODE_LIMIT_BACKENDS, "spec.backends", "Too many: 17: must have at most 16 items", NULL},
    /* output */
    {"  output: {^label: {a: b}}\n", GANG_CODE_UNKNOWN_FIELD, "spec.output.label",
     "unknown field \"spec.output.label\"", DID_YOU_MEAN("labels")},
    {"  output: {labels: ^[a]}\n", GANG_CODE_WRONG_TYPE, "spec.output.labels",
     "Invalid value: [...]: must be of type object: \"array\"",
     "write it as a mapping of keys to values"},
    {"  output: {labels: {a: ^1}}\n", GANG_CODE_WRONG_TYPE, "spec.output.labels[a]",
     "Invalid value: 1: must be of type string: \"integer\"", "put the value in quotes"},
    {"  output: {labels: {a: ^}}\n", GANG_CODE_NULL_VALUE, "spec.output.labels[a]",
     "Invalid value: null: must be of type string: \"null\"", NULL},
    {"  output: {labels: {scheduling.x-k8s.io/pod-group: ^a}}\n", GANG_CODE_RESERVED_OUTPUT_KEY,
     "spec.output.labels[scheduling.x-k8s.io/pod-group]",
     "Forbidden: scheduling.x-k8s.io/pod-group is a mark of gang membership", "remove it"},
    {"  output: {annotations: {scheduling.k8s.io/group-name: ^a}}\n", GANG_CODE_RESERVED_OUTPUT_KEY,
     "spec.output.annotations[scheduling.k8s.io/group-name]",
     "Forbidden: scheduling.k8s.io/group-name is a mark of gang membership", "remove it"},
    {"  output: {annotations: {policy.libgang.dev/policy: ^a}}\n", GANG_CODE_RESERVED_OUTPUT_KEY,
     "spec.output.annotations[policy.libgang.dev/policy]",
     "Forbidden: policy.libgang.dev/policy is the policy's own stamp",
     "write policyStamp: Annotation instead"},
    {"  output: {labels: {^'a b': c}}\n", GANG_CODE_INVALID_LABEL_KEY, "spec.output.labels[a b]",
     "Invalid value: \"a b\": " LABEL_KEY_FORM, WRITE_KEY},
    {"  output: {labels: {a: ^'b c'}}\n", GANG_CODE_INVALID_LABEL_VALUE, "spec.output.labels[a]",
     "Invalid value: \"b c\": " LABEL_VALUE_FORM, WRITE_VALUE},
    {"  output: {annotations: {^'a b': c}}\n", GANG_CODE_INVALID_LABEL_KEY,
     "spec.output.annotations[a b]", "Invalid value: \"a b\": " LABEL_KEY_FORM, WRITE_KEY},
    {"  output: {policyStamp: ^Label}\n", GANG_CODE_UNSUPPORTED_VALUE, "spec.output.policyStamp",
     "Unsupported value: \"Label\": supported values: \"None\", \"Annotation\"", NULL},
    {"  output: {ownerReferences: ^Always}\n", GANG_CODE_UNSUPPORTED_VALUE,
     "spec.output.ownerReferences",
     "Unsupported value: \"Always\": supported values: \"IfUID\", \"Never\"", NULL},
};

START_TEST(refuses_bad_specs)
{
    check_refused(&refused_specs[_i]);
}
END_TEST

#define CANNOT_TELL(scheduler, other)                                                              \
    "the scheduler " scheduler " is also that of the backend " other                               \
    ": a schedulerName in a template chooses neither"
#define NAME_IT "name it in a rule or as defaultBackend, or remove it"

static const struct policy_case warned[] = {
    {BACKENDS(VOLCANO ", ^{name: second, type: Volcano}"), GANG_CODE_SCHEDULER_OF_SEVERAL_BACKENDS,
     "spec.backends[1]", CANNOT_TELL("volcano", "volcano"), NULL},
    {BACKENDS(VOLCANO ", {name: second, type: Coscheduling, schedulerName: ^volcano}"),
     GANG_CODE_SCHEDULER_OF_SEVERAL_BACKENDS, "spec.backends[1].schedulerName",
     CANNOT_TELL("volcano", "volcano"), NULL},
    {BACKENDS(VOLCANO ", ^{name: none, type: None}"), GANG_CODE_UNREACHABLE_BACKEND,
     "spec.backends[1]", "nothing can choose the backend none", NAME_IT},
    {BACKENDS("^{name: none, type: None}, " VOLCANO), GANG_CODE_UNREACHABLE_BACKEND,
     "spec.backends[0]", "nothing can choose the backend none", NAME_IT},
    {"  runtimePolicy: Ignore\n" BACKENDS(
         VOLCANO ", ^{name: c, type: Coscheduling, schedulerName: default-scheduler}"),
     GANG_CODE_UNREACHABLE_BACKEND, "spec.backends[1]", "nothing can choose the backend c",
     NAME_IT},
    {"  runtimePolicy: Ignore\n" BACKENDS(
         VOLCANO ", ^{name: none, type: None}") "  defaultBackend: volcano\n",
     GANG_CODE_UNREACHABLE_BACKEND, "spec.backends[1]", "nothing can choose the backend none",
     NAME_IT},
    /* a template's schedulerName still chooses it */
    {"  runtimePolicy: Ignore\n" BACKENDS(VOLCANO), 0, NULL, NULL, NULL},
    {BACKENDS("{name: none, type: None, schedulerName: mine}"), 0, NULL, NULL, NULL},
    /* a runtime chooses it by its type */
    {BACKENDS("{name: c, type: Coscheduling, schedulerName: default-scheduler}"), 0, NULL, NULL,
     NULL},
    {BACKENDS("{name: none, type: None}") "  defaultBackend: none\n", 0, NULL, NULL, NULL},
    {BACKENDS("{name: none, type: None}") "  defaults: {backend: none}\n", 0, NULL, NULL, NULL},
    {BACKENDS("{name: none, type: None}") "  rules: [{name: r, match: {}, backend: none}]\n", 0,
     NULL, NULL, NULL},
    {BACKENDS("{name: a, type: Coscheduling, schedulerName: default-scheduler}, "
              "{name: b, type: Volcano, schedulerName: default-scheduler}"),
     0, NULL, NULL, NULL},
    /* Settings that the objects of no enabled scheduler have a place for. */
    {BACKENDS(VOLCANO ", {name: kai, type: KAI}") "  defaults: {scheduleTimeoutSeconds: ^60}\n",
     GANG_CODE_IDLE_SETTING, "spec.defaults.scheduleTimeoutSeconds",
     "no enabled backend supports it: a PodGroup of Volcano has no timeout",
     "remove it, or enable a backend that supports it"},
    {BACKENDS(VOLCANO
              ", {name: c, type: Coscheduling}") "  defaults: {scheduleTimeoutSeconds: 60}\n",
     0, NULL, NULL, NULL},
    {BACKENDS("{name: w, type: Workload}") RULE("match: {maxNodes: 2}, queue: ^{name: a}"),
     GANG_CODE_IDLE_SETTING, "spec.rules[0].queue",
     "no enabled backend supports it: the Workload API has no queues",
     "remove it, or enable a backend that supports it"},
    {BACKENDS("{name: yk, type: YuniKorn}") "  defaults: {resources: ^RequestsOnly}\n",
     GANG_CODE_IDLE_SETTING, "spec.defaults.resources",
     "no enabled backend supports it: YuniKorn holds room for a pod by its requests, which must "
     "not be less than what the pod has",
     "remove it, or enable a backend that supports it"},
    {BACKENDS("{name: k, type: KAI}, {name: w, type: Workload}")
         RULE("match: {maxNodes: 2}, reserve: ^Always"),
     GANG_CODE_IDLE_SETTING, "spec.rules[0].reserve",
     "no enabled backend supports it: a PodGroup of KAI has no resources",
     "remove it, or enable a backend that supports it"},
    {BACKENDS(VOLCANO ", {name: k, type: KAI}") "  defaults: {reserve: Always, resources: "
                                                "RequestsOnly}\n",
     0, NULL, NULL, NULL},
    {BACKENDS("{name: k, type: KAI}") "  defaults: {reserve: Never, resources: Effective}\n", 0,
     NULL, NULL, NULL},
    {"  compatibility: KubeflowTrainer\n" BACKENDS(
         VOLCANO) "  defaults: {scheduleTimeoutSeconds: 60}\n",
     0, NULL, NULL, NULL},
    {"  backends: null\n  rules: []\n  constraints: []\n  defaults: {}\n  output: {}\n", 0, NULL,
     NULL, NULL},
};

/* Where podGroupPolicy is not read, a scheduler that is that of two chooses neither of them. */
START_TEST(warns_of_a_backend_that_shares_its_scheduler)
{
    struct gang_policy *policy = policy_from("  runtimePolicy: Ignore\n" BACKENDS(
        VOLCANO ", {name: second, type: Volcano}") "  defaultBackend: volcano\n");

    if (!policy)
        return;
    ck_assert_uint_eq(policy->document.findings.count, 2);
    ck_assert_int_eq(policy->document.findings.items[0].code,
                     GANG_CODE_SCHEDULER_OF_SEVERAL_BACKENDS);
    ck_assert_int_eq(policy->document.findings.items[1].code, GANG_CODE_UNREACHABLE_BACKEND);
    ck_assert_str_eq(policy->document.findings.items[1].path, "spec.backends[1]");
    unref_policy(policy);
}
END_TEST

START_TEST(warns_of_unreachable_backends)
{
    check_warned(&warned[_i]);
}
END_TEST

/* All but the one of the rule, and Volcano, which a runtime may choose. */
START_TEST(takes_sixteen_backends)
{
    struct gang_policy *policy = policy_from(
        BACKENDS(TEN_BACKENDS FIVE_BACKENDS
                     VOLCANO) "  rules: [{name: a0, backend: a0, match: {namespaces: [a]}}]\n");

    if (policy) {
        ck_assert_uint_eq(policy->num_backends, 16);
        ck_assert_uint_eq(policy->document.findings.count, 14);
    }
    unref_policy(policy);
}
END_TEST

/* A backend without a name is not offered as one that could be meant. */
START_TEST(lists_only_backends_with_names)
{
    const char *text =
        POLICY_HEAD "  backends: [{type: None}, " VOLCANO "]\n  defaultBackend: kueue\n";
    struct gang_policy *policy;
    struct gang_error *error;

    NEEDS_YAML();
    ck_assert_int_lt(parse_policy(NULL, text, strlen(text), 0, &policy, &error), 0);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 2);
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 1)),
                     "Unsupported value: \"kueue\": supported values: \"volcano\"");
    gang_error_free(error);
}
END_TEST

START_TEST(reads_backends)
{
    struct gang_policy *policy =
        policy_from("  backends:\n"
                    "  - {name: gpu, type: Volcano, schedulerName: volcano-gpu,"
                    " apiVersion: scheduling.volcano.sh/v1beta1}\n"
                    "  - {name: cosched, type: Coscheduling}\n"
                    "  - {name: none, type: None}\n"
                    "  defaultBackend: none\n");

    if (!policy)
        return;
    ck_assert(policy->lists_backends);
    ck_assert_uint_eq(policy->num_backends, 3);
    ck_slice_eq(policy->backends[0].name, "gpu");
    ck_slice_eq(policy->backends[0].descriptor->type, "Volcano");
    ck_slice_eq(policy->backends[0].scheduler_name, "volcano-gpu");
    ck_slice_eq(policy->backends[0].api_version, "scheduling.volcano.sh/v1beta1");
    ck_slice_eq(policy->backends[1].scheduler_name, "scheduler-plugins-scheduler");
    ck_assert(!slice_is_set(policy->backends[1].api_version));
    ck_assert_ptr_null(policy->backends[1].options);
    ck_assert_ptr_null(policy->backends[2].descriptor);
    ck_assert(!slice_is_set(policy->backends[2].scheduler_name));
    ck_assert_ptr_eq(policy->default_backend, &policy->backends[2]);
    ck_assert_ptr_nonnull(policy->default_backend_source);
    unref_policy(policy);
}
END_TEST

START_TEST(enables_every_backend_without_a_list)
{
    struct gang_policy *policy = policy_from("  defaultBackend: ''\n");

    if (!policy)
        return;
    ck_assert(!policy->lists_backends);
    for (size_t i = 0; i < policy->num_backends; i++) {
        ck_assert_ptr_eq(policy->backends[i].descriptor, catalog[i]);
        ck_slice_eq(policy->backends[i].name, catalog[i]->name.data);
        ck_slice_eq(policy->backends[i].scheduler_name, catalog[i]->scheduler_name.data);
        ck_assert_ptr_null(policy->backends[i].source);
    }
    ck_assert_uint_eq(policy->num_backends, CATALOG_COUNT);
    ck_assert_ptr_null(policy->default_backend);
    unref_policy(policy);
}
END_TEST

START_TEST(reads_other_fields)
{
    struct gang_policy *policy = policy_from("  runtimePolicy: Require\n"
                                             "  output:\n"
                                             "    labels: {team: ml}\n"
                                             "    annotations: {note: 'any text: at all'}\n"
                                             "    policyStamp: Annotation\n"
                                             "    ownerReferences: Never\n");
    struct gang_policy *bare = policy_from("");

    if (!policy || !bare)
        return;
    ck_assert_int_eq(policy->runtime_policy, RUNTIME_POLICY_REQUIRE);
    ck_assert_uint_eq(node_count(policy->output.labels), 1);
    ck_assert_uint_eq(node_count(policy->output.annotations), 1);
    ck_assert(policy->output.policy_stamp);
    ck_assert(policy->output.omits_owner);
    ck_assert_int_eq(bare->runtime_policy, RUNTIME_POLICY_HONOR);
    ck_assert_ptr_null(bare->runtime_policy_source);
    ck_assert_ptr_null(bare->output.labels);
    ck_assert(!bare->output.policy_stamp);
    ck_assert(!bare->output.omits_owner);
    ck_assert_uint_eq(bare->num_rules, 0);
    ck_assert_uint_eq(bare->num_constraints, 0);
    unref_policy(policy);
    unref_policy(bare);
}
END_TEST

/* Every field, so that every part of the reading runs out of memory once. */
static const char full_policy[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"full\"},\"spec\":{"
    "\"backends\":[{\"name\":\"v\",\"type\":\"Volcano\",\"schedulerName\":\"x\"},{\"name\":\"w\","
    "\"type\":"
    "\"Volcano\","
    "\"apiVersion\":\"scheduling.volcano.sh/"
    "v1beta1\"},{\"name\":\"n\",\"type\":\"None\"}],\"defaultBackend\":\"v\","
    "\"defaults\":{\"members\":\"All\",\"queue\":{\"fromLabel\":{\"key\":\"a/"
    "b\",\"prefix\":\"p-\"}}},"
    "\"rules\":[{\"name\":\"r\",\"match\":{\"namespaces\":[\"a*\",\"b\"],\"runtimes\":[\"t*\"],"
    "\"frameworks\":[\"torch\"],"
    "\"resources\":[\"nvidia.com/"
    "gpu\"],\"trainJobSelector\":{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":["
    "{\"key\":\"c\",\"operator\":\"In\",\"values\":[\"d\",\"e\"]}]}},\"exclude\":{\"minNodes\":4},"
    "\"backend\":\"w\","
    "\"queue\":{\"name\":\"q\"},\"priorityClassName\":{\"name\":\"h\"},\"topology\":{\"level\":2},"
    "\"override\":\"Always\"},"
    "{\"name\":\"s\",\"match\":{\"namespaces\":[\"ab\"],\"minNodes\":2},\"action\":\"Deny\","
    "\"message\":"
    "\"no\"}],"
    "\"constraints\":[{\"name\":\"c\",\"allowedBackends\":[\"v\"],\"allowedQueues\":[\"q*\"],"
    "\"allowedPriorityClassNames\":[\"h\"],\"maxMembers\":9}],"
    "\"output\":{\"labels\":{\"b\":\"c\",\"a\":\"d\"},\"annotations\":{\"e\":\"f\"},"
    "\"policyStamp\":"
    "\"Annotation\"}}}";

static bool
parse_full(const struct gang_context *context, const void *input, int *result,
           struct gang_error **error)
{
    struct gang_policy *policy = NULL;

    *result = parse_policy(context, input, strlen(input), 0, &policy, error);
    unref_policy(policy);
    return policy != NULL;
}

START_TEST(ends_cleanly_at_every_limit_of_memory)
{
    ck_assert_int_eq(squeeze(parse_full, full_policy), GANG_OK);
}
END_TEST

/* The same with the words for what is wrong. */
static const char wrong_policy[] =
    "{\"apiVersion\":\"policy.libgang.dev/"
    "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"wrong\"},\"spec\":{"
    "\"backends\":[{\"name\":\"v\",\"type\":\"Volcano\",\"kai\":{},\"apiVersion\":\"v9\"}],"
    "\"defaultBackend\":"
    "\"w\",\"defaults\":{\"queue\":{\"fromNamespace\":{\"prefix\":\"P-\"}}},"
    "\"rules\":[{\"name\":\"r\",\"match\":{\"namespaces\":[\"?\"],\"frameworks\":[\"-\"]},"
    "\"backend\":\"x\"}]"
    "}}";

START_TEST(ends_cleanly_without_memory_for_findings)
{
    ck_assert_int_eq(squeeze(parse_full, wrong_policy), GANG_ERROR_INVALID);
}
END_TEST

START_TEST(refuses_anything_unknown)
{
    struct run run = {0};
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_policy, refused[_i].find, refused[_i].replace);
    run.result = parse_policy(NULL, text, strlen(text), 0, &run.policy, &run.error);
    ck_assert_ptr_null(run.policy);
    check_wanted(run, &refused[_i], GANG_SEVERITY_ERROR);
}
END_TEST

static const struct {
    const char *spec;
    enum gang_compatibility compatibility;
} accepted[] = {
    {"  compatibility: None", COMPATIBILITY_NONE},
    {"  compatibility: KubeflowTrainer", COMPATIBILITY_KUBEFLOW_TRAINER},
    {"  compatibility: \"KubeflowTrainer\"", COMPATIBILITY_KUBEFLOW_TRAINER},
    {"  compatibility: null", COMPATIBILITY_NONE},
    {"  {}", COMPATIBILITY_NONE},
};

START_TEST(reads_the_compatibility)
{
    struct gang_policy *policy = NULL;
    char text[DOCUMENT_SIZE];

    NEEDS_YAML();
    with_change(text, good_policy, "  compatibility: None", accepted[_i].spec);
    ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    ck_assert_int_eq(policy->compatibility, accepted[_i].compatibility);
    ck_assert_str_eq(gang_document_get_name(document_of(policy)), "lab");
    ck_assert_ptr_eq(ref_policy(policy), policy);
    unref_policy(policy);
    unref_policy(policy);
}
END_TEST

/* A subdomain: digits first, and dots. */
START_TEST(takes_any_name_of_an_object)
{
    static const char text[] =
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
        "\"metadata\":{\"name\":\"9.lab\"},\"spec\":{\"backends\":[{\"name\":\"9.v\","
        "\"type\":\"Volcano\",\"schedulerName\":\"9.s\"}],\"defaultBackend\":\"9.v\"}}";
    struct gang_policy *policy = NULL;

    ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    ck_assert_str_eq(gang_document_get_name(document_of(policy)), "9.lab");
    unref_policy(policy);
}
END_TEST

/* As kubectl prints a policy that a controller has judged. The text decides the stamp, the status
 * does not. */
START_TEST(takes_a_policy_of_a_cluster)
{
    static const char head[] =
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangPolicy\","
        "\"metadata\":{\"name\":\"lab\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":{}";
    static const char *const ends[] = {
        "}", ",\"status\":{\"stamp\":\"x\",\"conditions\":[{\"type\":\"Valid\"}]}}"};
    char stamps[2][64], text[512];

    for (size_t i = 0; i < 2; i++) {
        struct gang_policy *policy = NULL;

        snprintf(text, sizeof(text), "%s%s", head, ends[i]);
        ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
        snprintf(stamps[i], sizeof(stamps[i]), "%s", gang_policy_get_stamp(document_of(policy)));
        unref_policy(policy);
    }
    ck_assert_str_eq(stamps[0], stamps[1]);
    ck_assert_uint_gt(strlen(stamps[0]), strlen("lab@"));
}
END_TEST

START_TEST(null_is_accepted)
{
    ck_assert_ptr_null(gang_document_get_name(document_of(NULL)));
    ck_assert_ptr_null(gang_policy_get_stamp(document_of(NULL)));
    ck_assert_uint_eq(gang_document_num_diagnostics(document_of(NULL)), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(document_of(NULL), 0));
    ck_assert_ptr_null(ref_policy(NULL));
    unref_policy(NULL);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, refuses_anything_unknown, refused, find, replace);
    add_rows(cases, reads_the_compatibility, accepted, spec);
    tcase_add_test(cases, null_is_accepted);
    tcase_add_test(cases, takes_any_name_of_an_object);
    tcase_add_test(cases, takes_a_policy_of_a_cluster);
    add_rows(cases, refuses_bad_specs, refused_specs, spec);
    add_rows(cases, warns_of_unreachable_backends, warned, spec);
    tcase_add_test(cases, warns_of_a_backend_that_shares_its_scheduler);
    tcase_add_test(cases, takes_sixteen_backends);
    tcase_add_test(cases, lists_only_backends_with_names);
    tcase_add_test(cases, ends_cleanly_at_every_limit_of_memory);
    tcase_add_test(cases, ends_cleanly_without_memory_for_findings);
    tcase_add_test(cases, reads_backends);
    tcase_add_test(cases, enables_every_backend_without_a_list);
    tcase_add_test(cases, reads_other_fields);
}
