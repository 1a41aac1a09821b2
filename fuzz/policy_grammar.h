/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_POLICY_GRAMMAR_H
#define FUZZ_POLICY_GRAMMAR_H

#include <stdio.h>

#include "fuzz/draw.h"
#include "fuzz/promises.h"

/* Writes mostly well-formed policies, so that the fuzzer reaches the decisions that they make. */
struct grammar {
    char *out;
    size_t len;
    size_t size;
    uint32_t state;
};

static inline uint32_t
dice(struct grammar *grammar, uint32_t sides)
{
    return draw(&grammar->state, sides);
}

static inline bool
chance(struct grammar *grammar, uint32_t percent)
{
    return dice(grammar, 100) < percent;
}

static inline void
put(struct grammar *grammar, const char *text)
{
    size_t len = strlen(text);

    if (grammar->len + len > grammar->size)
        len = grammar->size - grammar->len;
    memcpy(grammar->out + grammar->len, text, len);
    grammar->len += len;
}

#define PICK(grammar, words)                                                                       \
    put(grammar, (words)[dice(grammar, sizeof(words) / sizeof((words)[0]))])

static const char *const some_names[] = {"a", "b", "volcano", "kai", "was", "cosched", "none", "x"};
static const char *const some_types[] = {"Volcano",      "KAI",  "Workload",
                                         "Coscheduling", "None", "GrovePodGang"};
static const char *const some_schedulers[] = {"volcano", "kai-scheduler", "default-scheduler",
                                              "own"};
static const char *const some_globs[] = {"*",  "research-*", "kube-*", "*-nlp",
                                         "ml", "team-?",     "t*c*"};
static const char *const some_kinds[] = {"TrainJob", "JobSet.jobset.x-k8s.io", "GangJob"};
static const char *const some_queues[] = {"own", "default", "prod-a", "q", "research-*"};
static const char *const some_priorities[] = {"train-high", "train-low", "p"};
static const char *const some_numbers[] = {"0",  "1",   "2",  "4",         "16",
                                           "64", "900", "-1", "2147483648"};
static const char *const some_selectors[] = {
    "{\"matchLabels\":{\"team\":\"nlp\"}}",
    "{\"matchLabels\":{\"tier\":\"prod\"}}",
    "{\"matchExpressions\":[{\"key\":\"gang\",\"operator\":\"Exists\"}]}",
    "{\"matchExpressions\":[{\"key\":\"tier\",\"operator\":\"NotIn\",\"values\":[\"dev\",\"gold\"]}"
    "]}",
    "{\"matchExpressions\":[{\"key\":\"team\",\"operator\":\"In\",\"values\":[\"b\"]}]}",
    "{}",
};

static inline void
put_string(struct grammar *grammar, const char *const *words, uint32_t count)
{
    put(grammar, "\"");
    put(grammar, words[dice(grammar, count)]);
    put(grammar, "\"");
}

#define PUT_STRING(grammar, words) put_string(grammar, words, sizeof(words) / sizeof((words)[0]))

static inline void
put_list(struct grammar *grammar, const char *const *words, uint32_t count)
{
    put(grammar, "[");
    put_string(grammar, words, count);
    while (chance(grammar, 40)) {
        put(grammar, ",");
        put_string(grammar, words, count);
    }
    put(grammar, "]");
}

#define PUT_LIST(grammar, words) put_list(grammar, words, sizeof(words) / sizeof((words)[0]))

/* One member of a map: its key, and the function that writes its value. */
struct production {
    const char *key;
    uint32_t percent;
    void (*write)(struct grammar *grammar);
};

static inline void
put_map(struct grammar *grammar, const struct production *members, size_t count)
{
    const char *before = "{\"";

    for (size_t i = 0; i < count; i++) {
        if (!chance(grammar, members[i].percent))
            continue;
        put(grammar, before);
        put(grammar, members[i].key);
        put(grammar, "\":");
        members[i].write(grammar);
        before = ",\"";
    }
    put(grammar, before[0] == '{' ? "{}" : "}");
}

#define PUT_MAP(grammar, members) put_map(grammar, members, sizeof(members) / sizeof((members)[0]))
#define PRODUCTION(name, body)                                                                     \
    static inline void name(struct grammar *grammar)                                               \
    {                                                                                              \
        body;                                                                                      \
    }
#define WORDS(name, ...)                                                                           \
    static inline void name(struct grammar *grammar)                                               \
    {                                                                                              \
        static const char *const words[] = {__VA_ARGS__};                                          \
        PUT_STRING(grammar, words);                                                                \
    }

PRODUCTION(put_name, PUT_STRING(grammar, some_names))
PRODUCTION(put_type, PUT_STRING(grammar, some_types))
PRODUCTION(put_scheduler, PUT_STRING(grammar, some_schedulers))
PRODUCTION(put_number, PICK(grammar, some_numbers))
PRODUCTION(put_selector, PICK(grammar, some_selectors))
PRODUCTION(put_globs, PUT_LIST(grammar, some_globs))
PRODUCTION(put_names, PUT_LIST(grammar, some_names))
PRODUCTION(put_queues, PUT_LIST(grammar, some_queues))
PRODUCTION(put_priorities, PUT_LIST(grammar, some_priorities))
PRODUCTION(put_queue_name, PUT_STRING(grammar, some_queues))
PRODUCTION(put_priority_name, PUT_STRING(grammar, some_priorities))
PRODUCTION(put_true, put(grammar, chance(grammar, 80) ? "true" : "false"))
PRODUCTION(put_frameworks, put(grammar, "[\"torch\",\"deepspeed\"]"))
PRODUCTION(put_resources, put(grammar, "[\"nvidia.com/gpu\"]"))
PRODUCTION(put_namespace_prefix, put(grammar, chance(grammar, 50) ? "{}" : "{\"prefix\":\"ns-\"}"))
PRODUCTION(put_label_prefix,
           put(grammar,
               chance(grammar, 50) ? "{\"key\":\"team\"}" : "{\"key\":\"team\",\"prefix\":\"t-\"}"))
PRODUCTION(put_kinds, PUT_LIST(grammar, some_kinds))
WORDS(put_override, "IfUnset", "Always")
WORDS(put_kueue, "Managed", "Unmanaged")
WORDS(put_action, "Gang", "Skip", "Deny")
WORDS(put_enforcement, "Deny", "Warn")
WORDS(put_must_fit, "WhenEmpty")
WORDS(put_members, "Auto", "All", "TrainerOnly")
WORDS(put_effective, "Effective", "RequestsOnly")
WORDS(put_reserve, "Auto", "Always", "Never")
WORDS(put_compatibility, "None", "None", "None", "KubeflowTrainer")
WORDS(put_runtime_policy, "Honor", "Require", "Ignore")
WORDS(put_pod_group, "Auto", "Delegate", "Create")
WORDS(put_text, "no", "ask the platform team", "\\u00e9")
WORDS(put_mode, "hard", "soft")
WORDS(put_stamp, "None", "Annotation")
WORDS(put_owner, "IfUID", "Never")

static inline void
put_queue(struct grammar *grammar)
{
    static const struct production members[] = {
        {"name", 60, put_queue_name},        {"fromNamespace", 20, put_namespace_prefix},
        {"fromLabel", 20, put_label_prefix}, {"fromNamespaceLabel", 10, put_label_prefix},
        {"override", 40, put_override},
    };

    PUT_MAP(grammar, members);
}

static inline void
put_priority(struct grammar *grammar)
{
    static const struct production members[] = {{"name", 95, put_priority_name},
                                                {"override", 40, put_override}};

    PUT_MAP(grammar, members);
}

static inline void
put_topology(struct grammar *grammar)
{
    static const struct production members[] = {{"mode", 80, put_mode},
                                                {"level", 50, put_queue_name}};

    PUT_MAP(grammar, members);
}

static inline void
put_match(struct grammar *grammar)
{
    static const struct production members[] = {
        {"namespaces", 30, put_globs},
        {"runtimes", 10, put_globs},
        {"namespaceSelector", 10, put_selector},
        {"trainJobSelector", 15, put_selector},
        {"runtimeSelector", 10, put_selector},
        {"frameworks", 10, put_frameworks},
        {"minNodes", 10, put_number},
        {"maxNodes", 10, put_number},
        {"resources", 10, put_resources},
        {"kueue", 10, put_kueue},
        {"podGangSelector", 3, put_selector},
        {"kinds", 10, put_kinds},
        {"objectSelector", 10, put_selector},
    };

    PUT_MAP(grammar, members);
}

#define SETTINGS                                                                                   \
    {"backend", 50, put_name}, {"queue", 30, put_queue}, {"priorityClassName", 20, put_priority},  \
        {"scheduleTimeoutSeconds", 15, put_number}, {"members", 20, put_members},                  \
        {"resources", 10, put_effective}, {"reserve", 10, put_reserve},                            \
    {                                                                                              \
        "topology", 10, put_topology                                                               \
    }

static inline void
put_settings(struct grammar *grammar)
{
    static const struct production members[] = {SETTINGS};

    PUT_MAP(grammar, members);
}

/* Writes a list of named items. Names must differ, so the items are numbered. */
static inline void
put_items(struct grammar *grammar, const struct production *members, size_t count, uint32_t more)
{
    char name[32];
    int number = 0;

    put(grammar, "[");
    do {
        snprintf(name, sizeof(name), "%s{\"name\":\"%s%d\"", number ? "," : "", "n", number);
        put(grammar, name);
        for (size_t i = 0; i < count; i++) {
            if (!chance(grammar, members[i].percent))
                continue;
            put(grammar, ",\"");
            put(grammar, members[i].key);
            put(grammar, "\":");
            members[i].write(grammar);
        }
        put(grammar, "}");
        number++;
    } while (chance(grammar, more));
    put(grammar, "]");
}

static inline void
put_rules(struct grammar *grammar)
{
    static const struct production members[] = {
        {"match", 85, put_match},  {"exclude", 10, put_match},     {"action", 20, put_action},
        {"message", 10, put_text}, {"override", 25, put_override}, SETTINGS,
    };

    put_items(grammar, members, sizeof(members) / sizeof(members[0]), 60);
}

static inline void
put_constraints(struct grammar *grammar)
{
    static const struct production members[] = {
        {"match", 80, put_match},
        {"exclude", 10, put_match},
        {"allowedBackends", 20, put_names},
        {"allowedQueues", 20, put_queues},
        {"allowedPriorityClassNames", 20, put_priorities},
        {"maxMembers", 15, put_number},
        {"minTimeoutSeconds", 10, put_number},
        {"maxTimeoutSeconds", 10, put_number},
        {"mustFit", 15, put_must_fit},
        {"requireQueue", 15, put_true},
        {"reservedKeys", 10, put_enforcement},
        {"enforcement", 40, put_enforcement},
    };

    put_items(grammar, members, sizeof(members) / sizeof(members[0]), 40);
}

static inline void
put_kai_options(struct grammar *grammar)
{
    static const struct production members[] = {{"podGroup", 90, put_pod_group}};

    PUT_MAP(grammar, members);
}

/* Writes the usual backends by name, each of them optional, and possibly one of another type. */
static inline void
put_backends(struct grammar *grammar)
{
    static const char *const usual[] = {
        "{\"name\":\"volcano\",\"type\":\"Volcano\"",
        "{\"name\":\"kai\",\"type\":\"KAI\"",
        "{\"name\":\"was\",\"type\":\"Workload\"",
        "{\"name\":\"cosched\",\"type\":\"Coscheduling\",\"schedulerName\":\"scheduler-plugins-"
        "scheduler\"",
        "{\"name\":\"none\",\"type\":\"None\"",
    };
    const char *before = "[";

    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
        if (!chance(grammar, 60))
            continue;
        put(grammar, before);
        put(grammar, usual[i]);
        if (i == 1 && chance(grammar, 40)) {
            put(grammar, ",\"kai\":");
            put_kai_options(grammar);
        }
        if (i < 2 && chance(grammar, 30)) {
            put(grammar, ",\"queue\":{\"name\":");
            put_queue_name(grammar);
            put(grammar, "}");
        }
        if (i < 4 && chance(grammar, 20)) {
            put(grammar, ",\"priorityClassName\":{\"name\":");
            put_priority_name(grammar);
            put(grammar, "}");
        }
        if (i != 3 && chance(grammar, 10)) {
            put(grammar, ",\"schedulerName\":");
            put_scheduler(grammar);
        }
        put(grammar, "}");
        before = ",";
    }
    if (chance(grammar, 10)) {
        put(grammar, before);
        put(grammar, "{\"name\":\"x\",\"type\":");
        put_type(grammar);
        put(grammar, "}");
        before = ",";
    }
    put(grammar, before[0] == '[' ? "[]" : "]");
}

static inline void
put_marks(struct grammar *grammar)
{
    put(grammar, chance(grammar, 50) ? "{\"a.b/c\":\"d\"}" : "{\"team\":\"x\",\"app\":\"y\"}");
}

static inline void
put_output(struct grammar *grammar)
{
    static const struct production members[] = {
        {"labels", 40, put_marks},
        {"annotations", 30, put_marks},
        {"policyStamp", 50, put_stamp},
        {"ownerReferences", 40, put_owner},
    };

    PUT_MAP(grammar, members);
}

/* Writes a new policy to `out`. Returns its length. */
static inline size_t
grammar_write(char *out, size_t size, uint32_t seed)
{
    static const struct production members[] = {
        {"backends", 70, put_backends},
        {"defaultBackend", 30, put_name},
        {"runtimePolicy", 25, put_runtime_policy},
        {"defaults", 40, put_settings},
        {"rules", 80, put_rules},
        {"constraints", 40, put_constraints},
        {"output", 20, put_output},
        {"compatibility", 15, put_compatibility},
    };
    struct grammar grammar = {out, 0, size, seed | 1};

    put(&grammar, "{\"apiVersion\":\"policy.libgang.dev/"
                  "v1alpha1\",\"kind\":\"GangPolicy\",\"metadata\":{\"name\":\"p\"},\"spec\":");
    PUT_MAP(&grammar, members);
    put(&grammar, "}");
    return grammar.len;
}

#endif
