/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "unit/suite.h"

static struct trace trace;

static void
open_trace(void)
{
    trace = (struct trace){.arena = arena_new(0)};
}

static void
close_trace(void)
{
    arena_free(trace.arena);
}

static const struct {
    int number;
    const char *name;
} attributes[] = {
    {TRACE_BACKEND, "backend"},
    {TRACE_SCHEDULER_NAME, "schedulerName"},
    {TRACE_QUEUE, "queue"},
    {TRACE_PRIORITY_CLASS_NAME, "priorityClassName"},
    {TRACE_TIMEOUT, "scheduleTimeoutSeconds"},
    {TRACE_MEMBERS, "members"},
    {TRACE_TOPOLOGY, "topology"},
};

/* By number, and in the order in which the plan lists them. */
START_TEST(names_of_the_attributes)
{
    ck_assert_int_eq(attributes[_i].number, _i);
    ck_assert_str_eq(trace_attribute_names[_i], attributes[_i].name);
    ck_assert_int_eq(TRACE_ATTRIBUTE_COUNT, COUNT_OF(attributes));
}
END_TEST

static const struct {
    enum trace_verdict verdict;
    const char *name;
    bool has_value; /* whether the attribute takes the candidate's value */
} verdicts[] = {
    {VERDICT_CHOSEN, "Chosen", true},           {VERDICT_OVERRIDDEN, "Overridden", false},
    {VERDICT_NOT_ENABLED, "NotEnabled", false}, {VERDICT_NOT_SERVED, "NotServed", false},
    {VERDICT_AMBIGUOUS, "Ambiguous", false},    {VERDICT_UNSET, "Unset", false},
    {VERDICT_REFUSED, "Refused", false},
};

START_TEST(only_a_chosen_candidate_gives_the_value)
{
    ck_assert_str_eq(trace_verdict_names[verdicts[_i].verdict], verdicts[_i].name);
    trace_add(&trace, TRACE_QUEUE,
              (struct trace_candidate){
                  .value = SLICE("q"), .verdict = verdicts[_i].verdict, .reason = "r"});
    ck_assert_int_eq(slice_is_set(trace.entries[TRACE_QUEUE].value), verdicts[_i].has_value);
    ck_assert_uint_eq(trace.entries[TRACE_QUEUE].count, 1);
}
END_TEST

START_TEST(candidates_keep_their_order)
{
    enum { MANY = 100 };

    for (int i = 0; i < MANY; i++)
        trace_add(&trace, TRACE_TOPOLOGY,
                  (struct trace_candidate){
                      .missing = {"x", (size_t)i}, .verdict = VERDICT_UNSET, .reason = "r"});
    ck_assert_uint_eq(trace.entries[TRACE_TOPOLOGY].count, MANY);
    for (int i = 0; i < MANY; i++)
        ck_assert_uint_eq(trace.entries[TRACE_TOPOLOGY].candidates[i].missing.len, (size_t)i);
    for (int i = 0; i < TRACE_TOPOLOGY; i++)
        ck_assert_uint_eq(trace.entries[i].count, 0);
}
END_TEST

/* The document is that of the source, unless it is given. */
static const struct {
    enum gang_document_type given, source, wanted;
} documents[] = {
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_TRAINJOB, GANG_DOCUMENT_TRAINJOB},
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_POLICY, GANG_DOCUMENT_POLICY},
    {GANG_DOCUMENT_RUNTIME, GANG_DOCUMENT_TRAINJOB, GANG_DOCUMENT_RUNTIME},
    {GANG_DOCUMENT_RUNTIME, GANG_DOCUMENT_NONE, GANG_DOCUMENT_RUNTIME},
    {GANG_DOCUMENT_NONE, GANG_DOCUMENT_NONE, GANG_DOCUMENT_NONE},
};

START_TEST(the_source_tells_the_document)
{
    const struct node source = {
        .kind = NODE_STRING, .as.text = "q", .len = 1, .document = (uint8_t)documents[_i].source};

    trace_add(&trace, TRACE_QUEUE,
              (struct trace_candidate){.document = documents[_i].given,
                                       .source = documents[_i].source ? &source : NULL,
                                       .reason = "r"});
    ck_assert_int_eq(trace.entries[TRACE_QUEUE].candidates[0].document, documents[_i].wanted);
}
END_TEST

START_TEST(adding_goes_on_after_failure)
{
    struct trace small = {.arena = arena_new(4096)};

    for (int i = 0; i < 1000; i++)
        trace_add(&small, TRACE_QUEUE,
                  (struct trace_candidate){.verdict = VERDICT_UNSET, .reason = "r"});
    ck_assert(arena_failed(small.arena));
    ck_assert_uint_lt(small.entries[TRACE_QUEUE].count, 1000);
    arena_free(small.arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_trace, close_trace);
    add_rows(cases, names_of_the_attributes, attributes, number, name);
    add_rows(cases, only_a_chosen_candidate_gives_the_value, verdicts, verdict, name);
    tcase_add_test(cases, candidates_keep_their_order);
    add_rows(cases, the_source_tells_the_document, documents, given, source);
    tcase_add_test(cases, adding_goes_on_after_failure);
}
