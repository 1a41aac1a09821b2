/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_print.h"

#include "libgang/document/writer.h"
#include "unit/policies.h"
#include "unit/typed.h"

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
    /* in order of names, whatever the order was */
    {"  rules:\n  - {override: Always, name: r, backend: volcano}\n  defaultBackend: volcano\n",
     SPEC("\"defaultBackend\":\"volcano\",\"rules\":[{\"backend\":\"volcano\",\"name\":\"r\","
          "\"override\":"
          "\"Always\"}]")},
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
    /* but where a rule could say something else than the defaults, what it says stays */
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

START_TEST(has_one_form)
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

START_TEST(reads_its_own_form_as_the_same)
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

START_TEST(stamps_what_it_says)
{
    struct gang_policy *policy = NULL;

    ck_assert_int_eq(parse_policy(NULL, stamps[_i].text, strlen(stamps[_i].text), 0, &policy, NULL),
                     GANG_OK);
    ck_assert_str_eq(gang_policy_get_stamp(document_of(policy)), stamps[_i].stamp);
    unref_policy(policy);
}
END_TEST

START_TEST(the_stamp_is_that_of_yaml_too)
{
    struct gang_policy *policy =
        policy_from("  output:\n    # said\n    policyStamp: \"Annotation\"\n");

    if (policy)
        ck_assert_str_eq(policy->stamp.data, "lab@a6457cbf");
    unref_policy(policy);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, has_one_form, forms, spec);
    add_rows(cases, reads_its_own_form_as_the_same, forms, spec);
    add_rows(cases, stamps_what_it_says, stamps, text);
    tcase_add_test(cases, the_stamp_is_that_of_yaml_too);
}
