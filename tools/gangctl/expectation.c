/* SPDX-License-Identifier: Apache-2.0 */
#include "expectation.h"

#include <string.h>

/* Returns a new reference. */
typedef struct json_object *(*expectation_reader)(const struct answer *answer,
                                                  struct json_object *expected);

static struct json_object *
member(struct json_object *object, const char *key)
{
    return json_object_is_type(object, json_type_object) ? json_object_object_get(object, key)
                                                         : NULL;
}

static size_t
length_of(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

static bool
has_text(struct json_object *list, const char *text)
{
    for (size_t i = 0; i < length_of(list); i++) {
        if (strcmp(json_object_get_string(json_object_array_get_idx(list, i)), text) == 0)
            return true;
    }
    return false;
}

static int
compare_texts(const void *a, const void *b)
{
    struct json_object *const *left = a;
    struct json_object *const *right = b;

    return strcmp(json_object_get_string(*left), json_object_get_string(*right));
}

static void
add_code(struct json_object *codes, int severity, const char *code)
{
    if (severity != GANG_SEVERITY_INFO && !has_text(codes, code))
        json_object_array_add(codes, json_object_new_string(code));
}

static struct json_object *
read_findings(const struct answer *answer, struct json_object *expected)
{
    struct json_object *codes = json_object_new_array();

    (void)expected;
    for (size_t i = 0; i < gang_decision_num_diagnostics(answer->decision); i++) {
        const struct gang_diagnostic *diagnostic =
            gang_decision_get_diagnostic(answer->decision, i);

        add_code(codes, gang_diagnostic_get_severity(diagnostic),
                 gang_diagnostic_get_id(diagnostic));
    }
    for (size_t i = 0; !answer->decision && i < answer->complaints->count; i++) {
        const struct complaint *complaint = &answer->complaints->items[i];

        add_code(codes, complaint->severity, complaint->id ? complaint->id : "");
    }
    json_object_array_sort(codes, compare_texts);
    return codes;
}

static struct json_object *
read_objects(const struct answer *answer, struct json_object *expected)
{
    struct json_object *kinds = json_object_new_array();

    (void)expected;
    for (size_t i = 0; i < gang_plan_num_objects(answer->plan); i++)
        json_object_array_add(kinds, json_object_new_string(gang_object_get_kind(
                                         gang_plan_get_object(answer->plan, i))));
    return kinds;
}

/* Returns "policy spec.rules[0].queue", or the reason if the value is in no document. */
static struct json_object *
place_of(struct json_object *candidate)
{
    const char *document = json_object_get_string(member(candidate, "document"));
    const char *path = json_object_get_string(member(candidate, "path"));
    struct json_object *place;
    struct text text = {0};

    if (!document || !path)
        return json_object_get(member(candidate, "reason"));
    text_addf(&text, "%s %s", document, path);
    place = json_object_new_string(text.data);
    text_free(&text);
    return place;
}

static struct json_object *
chosen_place(struct json_object *trace, const char *attribute)
{
    for (size_t i = 0; i < length_of(trace); i++) {
        struct json_object *entry = json_object_array_get_idx(trace, i);
        struct json_object *candidates = member(entry, "candidates");

        if (strcmp(json_object_get_string(member(entry, "attribute")), attribute) != 0)
            continue;
        for (size_t j = 0; j < length_of(candidates); j++) {
            struct json_object *candidate = json_object_array_get_idx(candidates, j);

            if (strcmp(json_object_get_string(member(candidate, "verdict")), "Chosen") == 0)
                return place_of(candidate);
        }
    }
    return NULL;
}

/* Reads the attributes in `expect`. */
static struct json_object *
read_chosen(const struct answer *answer, struct json_object *expected)
{
    struct json_object *places;

    if (!json_object_is_type(expected, json_type_object))
        return NULL;
    places = json_object_new_object();
    json_object_object_foreach(expected, attribute, ignored)
    {
        (void)ignored;
        json_object_object_add(places, attribute,
                               chosen_place(member(answer->tree, "trace"), attribute));
    }
    return places;
}

/* In the order of the documentation. */
static const struct expectation {
    const char *key;
    const char *section; /* of the GangDecision; NULL: the top level */
    const char *member;
    expectation_reader read; /* NULL: the field itself */
} expectations[] = {
    {"outcome", NULL, "outcome", NULL},
    {"backend", "backend", "name", NULL},
    {"type", "backend", "type", NULL},
    {"apiVersion", "backend", "apiVersion", NULL},
    {"schedulerName", "backend", "schedulerName", NULL},
    {"queue", "gang", "queue", NULL},
    {"priorityClassName", "gang", "priorityClassName", NULL},
    {"scheduleTimeoutSeconds", "gang", "scheduleTimeoutSeconds", NULL},
    {"topology", "gang", "topology", NULL},
    {"minimum", "gang", "minimum", NULL},
    {"members", "gang", "members", NULL},
    {"lateMembers", "gang", "lateMembers", NULL},
    {"pods", "gang", "pods", NULL},
    {"resources", "gang", "resources", NULL},
    {"objects", NULL, NULL, read_objects},
    {"findings", NULL, NULL, read_findings},
    {"chosen", NULL, NULL, read_chosen},
};

static const struct expectation *
find_expectation(const char *key)
{
    for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++) {
        if (strcmp(expectations[i].key, key) == 0)
            return &expectations[i];
    }
    return NULL;
}

size_t
expectation_list_keys(const char *keys[MOST_FIELDS])
{
    const size_t count = sizeof(expectations) / sizeof(expectations[0]);

    _Static_assert(sizeof(expectations) / sizeof(expectations[0]) <= MOST_FIELDS, "keys overflow");
    for (size_t i = 0; i < count; i++)
        keys[i] = expectations[i].key;
    return count;
}

void
expectation_add_schema(struct json_object *properties)
{
    for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++)
        json_object_object_add(properties, expectations[i].key, json_object_new_object());
}

struct json_object *
expectation_actual(const struct answer *answer, const char *key, struct json_object *expected)
{
    const struct expectation *expectation = find_expectation(key);
    struct json_object *section = answer->tree;

    if (expectation->read)
        return expectation->read(answer, expected);
    if (expectation->section)
        section = member(section, expectation->section);
    return json_object_get(member(section, expectation->member));
}
