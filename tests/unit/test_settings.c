/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/typed.h"

START_TEST(reads_every_field)
{
    struct gang_policy *policy =
        policy_from("  rules:\n"
                    "  - name: r\n"
                    "    match: {}\n"
                    "    backend: volcano\n"
                    "    queue: {name: batch, override: IfUnset}\n"
                    "    priorityClassName: {name: train-high}\n"
                    "    scheduleTimeoutSeconds: 900\n"
                    "    members: TrainerOnly\n"
                    "    resources: RequestsOnly\n"
                    "    reserve: Never\n"
                    "    topology: {mode: soft, level: cloud.example.com/rack}\n"
                    "    override: Always\n");
    const struct policy_settings *settings;

    if (!policy)
        return;
    settings = &policy->rules[0].settings;
    ck_assert_uint_eq(policy->document.findings.count, 0);
    ck_slice_eq(settings->backend->name, "volcano");
    ck_assert_ptr_nonnull(settings->backend_source);
    ck_assert_int_eq(settings->queue.choice, QUEUE_NAME);
    ck_slice_eq(settings->queue.name, "batch");
    ck_assert_int_eq(settings->queue.override, OVERRIDE_IF_UNSET);
    ck_slice_eq(settings->priority.name, "train-high");
    ck_assert_int_eq(settings->priority.override, OVERRIDE_ALWAYS);
    ck_assert_int_eq(settings->timeout_seconds, 900);
    ck_assert_int_eq(settings->members, MEMBERS_TRAINER_ONLY);
    ck_assert_int_eq(settings->resources, RESOURCES_REQUESTS_ONLY);
    ck_assert_int_eq(settings->reserve, RESERVE_NEVER);
    ck_slice_eq(settings->topology.mode, "soft");
    ck_slice_eq(settings->topology.level, "cloud.example.com/rack");
    ck_assert_int_eq(settings->override, OVERRIDE_ALWAYS);
    unref_policy(policy);
}
END_TEST

START_TEST(reads_the_settings_of_a_backend)
{
    struct gang_policy *policy =
        policy_from("  backends:\n"
                    "  - {name: k, type: KAI, queue: {fromNamespace: {prefix: ns-}},\n"
                    "     priorityClassName: {name: high}}\n"
                    "  - {name: v, type: Volcano}\n"
                    "  - {name: w, type: Workload, priorityClassName: {name: low}}\n");
    const struct policy_settings *settings;

    if (!policy)
        return;
    settings = &policy->backends[0].settings;
    ck_assert_uint_eq(policy->document.findings.count, 0);
    ck_assert_int_eq(settings->queue.choice, QUEUE_FROM_NAMESPACE);
    ck_slice_eq(settings->queue.prefix, "ns-");
    ck_assert_int_eq(settings->queue.override, OVERRIDE_IF_UNSET);
    ck_slice_eq(settings->priority.name, "high");
    ck_assert_ptr_nonnull(settings->priority.source);
    ck_assert_ptr_null(policy->backends[1].settings.queue.source);
    ck_assert_ptr_null(policy->backends[1].settings.priority.source);
    ck_slice_eq(policy->backends[2].settings.priority.name, "low");
    gang_document_unref(&policy->document);
}
END_TEST

START_TEST(leaves_unset_what_is_absent)
{
    struct gang_policy *policy = policy_from("  rules: [{name: r}]\n");
    const struct policy_settings *settings[2];

    if (!policy)
        return;
    settings[0] = &policy->rules[0].settings;
    settings[1] = &policy->defaults;
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_null(settings[i]->backend);
        ck_assert_ptr_null(settings[i]->backend_source);
        ck_assert_ptr_null(settings[i]->queue.source);
        ck_assert_int_eq(settings[i]->queue.choice, QUEUE_UNSET);
        ck_assert_ptr_null(settings[i]->priority.source);
        ck_assert_ptr_null(settings[i]->timeout_source);
        ck_assert_ptr_null(settings[i]->members_source);
        ck_assert_int_eq(settings[i]->members, MEMBERS_AUTO);
        ck_assert_ptr_null(settings[i]->resources_source);
        ck_assert_int_eq(settings[i]->resources, RESOURCES_EFFECTIVE);
        ck_assert_ptr_null(settings[i]->reserve_source);
        ck_assert_int_eq(settings[i]->reserve, RESERVE_AUTO);
        ck_assert_ptr_null(settings[i]->topology.source);
        ck_assert_int_eq(settings[i]->override, OVERRIDE_IF_UNSET);
        ck_assert_ptr_null(settings[i]->override_source);
    }
    unref_policy(policy);
}
END_TEST

static const struct {
    const char *queue;
    enum queue_choice choice;
    const char *name;
    const char *key;
    const char *prefix;
    enum policy_override override;
} queues[] = {
    {"queue: {name: a}", QUEUE_NAME, "a", "", "", OVERRIDE_IF_UNSET},
    {"queue: {name: a.b-c, override: Always}", QUEUE_NAME, "a.b-c", "", "", OVERRIDE_ALWAYS},
    {"queue: {name: a}, override: Always", QUEUE_NAME, "a", "", "", OVERRIDE_ALWAYS},
    {"queue: {name: a, override: IfUnset}, override: Always", QUEUE_NAME, "a", "", "",
     OVERRIDE_IF_UNSET},
    {"queue: {fromNamespace: {}}", QUEUE_FROM_NAMESPACE, "", "", "", OVERRIDE_IF_UNSET},
    {"queue: {fromNamespace: {prefix: ns-}}", QUEUE_FROM_NAMESPACE, "", "", "ns-",
     OVERRIDE_IF_UNSET},
    {"queue: {fromLabel: {key: team}}", QUEUE_FROM_LABEL, "", "team", "", OVERRIDE_IF_UNSET},
    {"queue: {fromLabel: {key: a.b/team, prefix: prod.}, override: Always}", QUEUE_FROM_LABEL, "",
     "a.b/team", "prod.", OVERRIDE_ALWAYS},
    {"queue: {fromNamespaceLabel: {key: team}}", QUEUE_FROM_NAMESPACE_LABEL, "", "team", "",
     OVERRIDE_IF_UNSET},
    {"queue: {fromNamespaceLabel: {key: a.b/team, prefix: t-}, override: Always}",
     QUEUE_FROM_NAMESPACE_LABEL, "", "a.b/team", "t-", OVERRIDE_ALWAYS},
    {"queue: {fromLabel: {key: team, prefix: ''}}", QUEUE_FROM_LABEL, "", "team", "",
     OVERRIDE_IF_UNSET},
};

START_TEST(reads_queues)
{
    char spec[256];
    struct gang_policy *policy;
    const struct policy_queue *queue;

    snprintf(spec, sizeof(spec), "  rules:\n  - {name: r, %s}\n", queues[_i].queue);
    policy = policy_from(spec);
    if (!policy)
        return;
    queue = &policy->rules[0].settings.queue;
    ck_assert_int_eq(queue->choice, queues[_i].choice);
    ck_slice_eq(queue->name, queues[_i].name);
    ck_slice_eq(queue->key, queues[_i].key);
    ck_slice_eq(queue->prefix, queues[_i].prefix);
    ck_assert_int_eq(queue->override, queues[_i].override);
    ck_assert_ptr_nonnull(queue->source);
    unref_policy(policy);
}
END_TEST

static const struct {
    const char *topology;
    const char *mode;
    const char *level;
} topologies[] = {
    {"{level: 2}", "hard", "2"},
    {"{level: rack, mode: soft}", "soft", "rack"},
    {"{mode: soft}", "soft", ""},
    {"{mode: null, level: a/b}", "hard", "a/b"},
};

START_TEST(reads_topologies)
{
    char spec[256];
    struct gang_policy *policy;

    snprintf(spec, sizeof(spec), "  defaults: {topology: %s}\n", topologies[_i].topology);
    policy = policy_from(spec);
    if (!policy)
        return;
    ck_slice_eq(policy->defaults.topology.mode, topologies[_i].mode);
    ck_slice_eq(policy->defaults.topology.level, topologies[_i].level);
    unref_policy(policy);
}
END_TEST

#define AT "spec.rules[0]."
#define NAME_FORM                                                                                  \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and "                                                                                    \
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "       \
    "validation is "                                                                               \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define ONE_OF "Required value: one of name, fromNamespace, fromNamespaceLabel and fromLabel"
#define DEFAULTS_ARE_LAST "Forbidden: defaults apply only if no other source sets a value"
#define WRITE_A_RULE "use a rule with `match: {}` after all other rules instead"

static const struct policy_case refused[] = {
    {RULE("backend: ^vulcano"), GANG_CODE_BACKEND_NOT_ENABLED, AT "backend",
     "Unsupported value: \"vulcano\": supported values: \"v\"", "enable it under spec.backends"},
    {RULE("backend: ^''"), GANG_CODE_REQUIRED_FIELD, AT "backend",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {RULE("queue: ^batch"), GANG_CODE_WRONG_TYPE, AT "queue",
     "Invalid value: \"batch\": must be of type object: \"string\"", "write it as {name: QUEUE}"},
    {RULE("queue: ^{}"), GANG_CODE_REQUIRED_FIELD, AT "queue.name", ONE_OF, NULL},
    {RULE("queue: ^{override: Always}"), GANG_CODE_REQUIRED_FIELD, AT "queue.name", ONE_OF, NULL},
    {RULE("queue: {name: ^Batch}"), GANG_CODE_INVALID_NAME, AT "queue.name",
     "Invalid value: \"Batch\": " NAME_FORM, NULL},
    {RULE("queue: {name: ^\"a\\nb\"}"), GANG_CODE_INVALID_NAME, AT "queue.name",
     "Invalid value: \"a\\nb\": " NAME_FORM, NULL},
    {RULE("queue: ^{name: null}"), GANG_CODE_REQUIRED_FIELD, AT "queue.name", ONE_OF, NULL},
    {RULE("queue: {fromNamespace: ^{}, name: a}"), GANG_CODE_SEVERAL_QUEUE_SOURCES,
     AT "queue.fromNamespace", "Forbidden: may not be set when `name` is", "keep one of them"},
    {RULE("queue: {fromNamespace: {}, fromLabel: ^{key: a}}"), GANG_CODE_SEVERAL_QUEUE_SOURCES,
     AT "queue.fromLabel", "Forbidden: may not be set when `fromNamespace` is", "keep one of them"},
    {RULE("queue: {fromNamespace: {prefix: ^-a}}"), GANG_CODE_INVALID_NAME,
     AT "queue.fromNamespace.prefix", "Invalid value: \"-a\": " NAME_FORM,
     "the queue's name starts with it"},
    {RULE("queue: {fromLabel: {key: a, prefix: ^'a_'}}"), GANG_CODE_INVALID_NAME,
     AT "queue.fromLabel.prefix", "Invalid value: \"a_\": " NAME_FORM,
     "the queue's name starts with it"},
    {RULE("queue: {fromLabel: {key: a}, fromNamespaceLabel: ^{key: a}}"),
     GANG_CODE_SEVERAL_QUEUE_SOURCES, AT "queue.fromNamespaceLabel",
     "Forbidden: may not be set when `fromLabel` is", "keep one of them"},
    {RULE("queue: {fromNamespaceLabel: ^{}}"), GANG_CODE_REQUIRED_FIELD,
     AT "queue.fromNamespaceLabel.key", "Required value", NULL},
    {RULE("queue: {fromNamespaceLabel: {key: ^'a b'}}"), GANG_CODE_INVALID_LABEL_KEY,
     AT "queue.fromNamespaceLabel.key", "Invalid value: \"a b\": " LABEL_KEY_FORM, NULL},
    {RULE("queue: {fromNamespaceLabel: {key: a, prefix: ^'a_'}}"), GANG_CODE_INVALID_NAME,
     AT "queue.fromNamespaceLabel.prefix", "Invalid value: \"a_\": " NAME_FORM,
     "the queue's name starts with it"},
    {RULE("queue: {fromLabel: ^{}}"), GANG_CODE_REQUIRED_FIELD, AT "queue.fromLabel.key",
     "Required value", NULL},
    {RULE("queue: {fromLabel: {key: ^'a b'}}"), GANG_CODE_INVALID_LABEL_KEY,
     AT "queue.fromLabel.key", "Invalid value: \"a b\": " LABEL_KEY_FORM, NULL},
    {RULE("queue: {fromLabel: {key: ^Example.com/team}}"), GANG_CODE_INVALID_LABEL_KEY,
     AT "queue.fromLabel.key", "Invalid value: \"Example.com/team\": " LABEL_PREFIX_FORM, NULL},
    {RULE("queue: {fromLabel: ^team}"), GANG_CODE_WRONG_TYPE, AT "queue.fromLabel",
     "Invalid value: \"team\": must be of type object: \"string\"", "write it as {key: KEY}"},
    {RULE("queue: {name: a, override: ^always}"), GANG_CODE_UNSUPPORTED_VALUE, AT "queue.override",
     "Unsupported value: \"always\": supported values: \"IfUnset\", \"Always\"",
     DID_YOU_MEAN("Always")},
    {RULE("priorityClassName: ^high"), GANG_CODE_WRONG_TYPE, AT "priorityClassName",
     "Invalid value: \"high\": must be of type object: \"string\"", "write it as {name: CLASS}"},
    {RULE("priorityClassName: ^{}"), GANG_CODE_REQUIRED_FIELD, AT "priorityClassName.name",
     "Required value", NULL},
    {RULE("priorityClassName: {name: ^High}"), GANG_CODE_INVALID_NAME, AT "priorityClassName.name",
     "Invalid value: \"High\": " NAME_FORM, NULL},
    {RULE("scheduleTimeoutSeconds: ^0"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "scheduleTimeoutSeconds",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {RULE("scheduleTimeoutSeconds: ^2147483648"), GANG_CODE_VALUE_OUT_OF_RANGE,
     AT "scheduleTimeoutSeconds", "Invalid value: 2147483648: must be between 1 and 2147483647",
     NULL},
    {RULE("scheduleTimeoutSeconds: ^10m"), GANG_CODE_WRONG_TYPE, AT "scheduleTimeoutSeconds",
     "Invalid value: \"10m\": must be of type integer: \"string\"", "write 600"},
    {RULE("scheduleTimeoutSeconds: ^1h30m"), GANG_CODE_WRONG_TYPE, AT "scheduleTimeoutSeconds",
     "Invalid value: \"1h30m\": must be of type integer: \"string\"", "write 5400"},
    {RULE("scheduleTimeoutSeconds: ^1.5s"), GANG_CODE_WRONG_TYPE, AT "scheduleTimeoutSeconds",
     "Invalid value: \"1.5s\": must be of type integer: \"string\"",
     "write the value without quotes"},
    {RULE("scheduleTimeoutSeconds: ^'900'"), GANG_CODE_WRONG_TYPE, AT "scheduleTimeoutSeconds",
     "Invalid value: \"900\": must be of type integer: \"string\"",
     "write the value without quotes"},
    {RULE("members: ^auto"), GANG_CODE_UNSUPPORTED_VALUE, AT "members",
     "Unsupported value: \"auto\": supported values: \"Auto\", \"All\", \"TrainerOnly\"",
     DID_YOU_MEAN("Auto")},
    {RULE("resources: ^Limits"), GANG_CODE_UNSUPPORTED_VALUE, AT "resources",
     "Unsupported value: \"Limits\": supported values: \"Effective\", \"RequestsOnly\"", NULL},
    {RULE("reserve: ^no"), GANG_CODE_WRONG_TYPE, AT "reserve",
     "Invalid value: false: must be of type string: \"boolean\"", "put the value in quotes"},
    {RULE("topology: ^{}"), GANG_CODE_TOO_FEW_ITEMS, AT "topology",
     "Too few: 0: must have at least 1 item", NULL},
    {RULE("topology: {level: ^0}"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "topology.level",
     "Invalid value: 0: must be greater than or equal to 1", NULL},
    {RULE("topology: {level: ^2147483648}"), GANG_CODE_VALUE_OUT_OF_RANGE, AT "topology.level",
     "Invalid value: 2147483648: must be between 1 and 2147483647", NULL},
    {RULE("topology: {level: ^'a b'}"), GANG_CODE_INVALID_NAME, AT "topology.level",
     "Invalid value: \"a b\": " LABEL_KEY_FORM, NULL},
    {RULE("topology: {level: ^Example.com/rack}"), GANG_CODE_INVALID_NAME, AT "topology.level",
     "Invalid value: \"Example.com/rack\": " LABEL_PREFIX_FORM, NULL},
    {RULE("topology: {mode: ^Hard}"), GANG_CODE_UNSUPPORTED_VALUE, AT "topology.mode",
     "Unsupported value: \"Hard\": supported values: \"hard\", \"soft\"", DID_YOU_MEAN("hard")},
    {RULE("backend: v, override: ^IfUnSet"), GANG_CODE_UNSUPPORTED_VALUE, AT "override",
     "Unsupported value: \"IfUnSet\": supported values: \"IfUnset\", \"Always\"",
     DID_YOU_MEAN("IfUnset")},
    {"  defaults: {members: All, override: ^Always}\n", GANG_CODE_SETTING_WITHOUT_EFFECT,
     "spec.defaults.override", DEFAULTS_ARE_LAST, WRITE_A_RULE},
    {"  defaults: {queue: {name: a, override: ^Always}}\n", GANG_CODE_SETTING_WITHOUT_EFFECT,
     "spec.defaults.queue.override", DEFAULTS_ARE_LAST, WRITE_A_RULE},
    {"  defaults: {priorityClassName: {name: a, override: ^Always}}\n",
     GANG_CODE_SETTING_WITHOUT_EFFECT, "spec.defaults.priorityClassName.override",
     DEFAULTS_ARE_LAST, WRITE_A_RULE},
    {"  defaults: {^action: Skip}\n", GANG_CODE_UNKNOWN_FIELD, "spec.defaults.action",
     "unknown field \"spec.defaults.action\"", NULL},
    {"  defaults: {^scheduleTimeoutSecond: 3}\n", GANG_CODE_UNKNOWN_FIELD,
     "spec.defaults.scheduleTimeoutSecond", "unknown field \"spec.defaults.scheduleTimeoutSecond\"",
     DID_YOU_MEAN("scheduleTimeoutSeconds")},
};

START_TEST(refuses_bad_settings)
{
    struct policy_case expected = refused[_i];
    char spec[512];

    snprintf(spec, sizeof(spec), "  backends: [{name: v, type: Volcano}]\n%s", expected.spec);
    expected.spec = spec;
    check_refused(&expected);
}
END_TEST

static const struct policy_case warned[] = {
    {RULE("match: {}, override: ^Always"), GANG_CODE_IDLE_SETTING, AT "override",
     "this block has no setting that it applies to", "remove it"},
    {RULE("match: {}, resources: Effective, override: ^Always"), GANG_CODE_IDLE_SETTING,
     AT "override", "this block has no setting that it applies to", "remove it"},
    {RULE("match: {}, backend: volcano, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, queue: {name: q}, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, priorityClassName: {name: p}, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, scheduleTimeoutSeconds: 1, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, members: Auto, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, topology: {mode: hard}, override: Always"), 0, NULL, NULL, NULL},
    {RULE("match: {}, reserve: Never, override: ^IfUnset"), GANG_CODE_IDLE_SETTING, AT "override",
     "this block has no setting that it applies to", "remove it"},
    {"  defaultBackend: ^volcano\n  defaults: {backend: coscheduling}\n", GANG_CODE_IDLE_SETTING,
     "spec.defaultBackend", "it is never used: spec.defaults.backend has precedence",
     "remove one of the two"},
    {"  defaultBackend: volcano\n  defaults: {backend: volcano, override: IfUnset}\n", 0, NULL,
     NULL, NULL},
    {RULE("match: {}, queue: {name: a}, override: Always"), 0, NULL, NULL, NULL},
};

START_TEST(warns_of_settings_without_effect)
{
    check_warned(&warned[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, reads_every_field);
    tcase_add_test(cases, reads_the_settings_of_a_backend);
    tcase_add_test(cases, leaves_unset_what_is_absent);
    add_rows(cases, reads_queues, queues, queue, name, key);
    add_rows(cases, reads_topologies, topologies, topology, mode, level);
    add_rows(cases, refuses_bad_settings, refused, spec);
    add_rows(cases, warns_of_settings_without_effect, warned, spec);
}
