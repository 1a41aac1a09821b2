/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/policy/policy.h"

#include "unit/resolutions.h"
#include "unit/typed.h"

/* One rule, and whether it is ruled out at a glance for a job with these names, nodes and labels.
 */
static const struct filter_case {
    const char *match;
    const char *namespace_, *runtime, *framework; /* NULL: unset */
    int64_t nodes;
    bool is_managed, has_labels;
    bool passes;
} filters[] = {
    {"", "ml", "tune", NULL, 1, false, false, true},
    /* Whole names, by their end: the shortest, the longest, and one that only starts or ends alike.
     */
    {"'namespaces':['ml']", "ml", "t", NULL, 1, false, false, true},
    {"'namespaces':['ml']", "nl", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml']", "a-ml", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml']", "mla", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefgh']", "abcdefgh", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefgh']", "bcdefgh", "t", NULL, 1, false, false, false},
    {"'namespaces':['team-of-many-1']", "team-of-many-1", "t", NULL, 1, false, false, true},
    {"'namespaces':['team-of-many-1']", "team-of-many-2", "t", NULL, 1, false, false, false},
    /* Starts, by the last word that they reach into. */
    {"'namespaces':['m*']", "ml", "t", NULL, 1, false, false, true},
    {"'namespaces':['m*']", "nl", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefgh*']", "abcdefgh", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefgh*']", "abcdefgx", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefghi*']", "abcdefghij", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefghi*']", "abcdefghjj", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefghi*']", "abcdefgh", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml-research-team-7-*']", "ml-research-team-7-a", "t", NULL, 1, false, false,
     true},
    {"'namespaces':['ml-research-team-7-*']", "ml-research-team-8-a", "t", NULL, 1, false, false,
     false},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvwxyz1", "t", NULL, 1,
     false, false, true},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvwx", "t", NULL, 1,
     false, false, true},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvw", "t", NULL, 1, false,
     false, false},
    /* Ends. */
    {"'namespaces':['*-prod']", "a-prod", "t", NULL, 1, false, false, true},
    {"'namespaces':['*-prod']", "a-prox", "t", NULL, 1, false, false, false},
    {"'namespaces':['*-prod']", "prod", "t", NULL, 1, false, false, false},
    {"'namespaces':['a*-production']", "a-production", "t", NULL, 1, false, false, true},
    {"'namespaces':['a*-production']", "a-productiom", "t", NULL, 1, false, false, false},
    {"'namespaces':['*']", "anything", "t", NULL, 1, false, false, true},
    {"'namespaces':['*a*']", "xyz", "t", NULL, 1, false, false, true},
    /* Either of two; of three nothing is known. */
    {"'namespaces':['a','b']", "a", "t", NULL, 1, false, false, true},
    {"'namespaces':['a','b']", "b", "t", NULL, 1, false, false, true},
    {"'namespaces':['a','b']", "c", "t", NULL, 1, false, false, false},
    {"'namespaces':['a','b','c']", "d", "t", NULL, 1, false, false, true},
    /* Without a namespace nothing is ruled out. */
    {"'namespaces':['ml']", NULL, "t", NULL, 1, false, false, true},
    {"'minNodes':9", NULL, "t", NULL, 1, false, false, true},
    /* Runtimes and frameworks, where no namespace is asked for. */
    {"'runtimes':['torch-*']", "ml", "torch-small", NULL, 1, false, false, true},
    {"'runtimes':['torch-*']", "ml", "tune", NULL, 1, false, false, false},
    {"'frameworks':['mpi']", "ml", "t", "mpi", 1, false, false, true},
    {"'frameworks':['mpi']", "ml", "t", "torch", 1, false, false, false},
    {"'frameworks':['mpi']", "ml", "t", NULL, 1, false, false, false},
    {"'frameworks':['mpi','torch']", "ml", "t", "torch", 1, false, false, true},
    {"'frameworks':['a','b','c']", "ml", "t", "torch", 1, false, false, true},
    /* Numbers, Kueue and labels. */
    {"'minNodes':2", "ml", "t", NULL, 1, false, false, false},
    {"'minNodes':2", "ml", "t", NULL, 2, false, false, true},
    {"'maxNodes':2", "ml", "t", NULL, 2, false, false, true},
    {"'maxNodes':2", "ml", "t", NULL, 3, false, false, false},
    {"'kueue':'Managed'", "ml", "t", NULL, 1, false, false, false},
    {"'kueue':'Managed'", "ml", "t", NULL, 1, true, false, true},
    {"'kueue':'Unmanaged'", "ml", "t", NULL, 1, true, false, false},
    {"'kueue':'Unmanaged'", "ml", "t", NULL, 1, false, false, true},
    {"'trainJobSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, false, false},
    {"'trainJobSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, true, true},
    {"'objectSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, false, false},
    {"'objectSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, true, true},
    {"'kinds':['TrainJob','Job']", "ml", "t", NULL, 1, false, false, true},
    {"'kinds':['*']", "ml", "t", NULL, 1, false, false, true},
    {"'kinds':['Job']", "ml", "t", NULL, 1, false, false, false},
    {"'podGangSelector':{}", "ml", "t", NULL, 1, false, false, false},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'Exists'}]}", "ml", "t", NULL,
     1, false, false, false},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'DoesNotExist'}]}", "ml", "t",
     NULL, 1, false, false, true},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'NotIn','values':['b']}]}",
     "ml", "t", NULL, 1, false, false, true},
};

static struct gang_policy *
policy_with(const char *match)
{
    char spec[RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];
    struct gang_policy *policy = NULL;

    snprintf(spec, sizeof(spec),
             "'rules':[{'name':'first','match':{'namespaces':['never'],'minNodes':1000}},{'name':'"
             "r','match':"
             "{%s}},"
             "{'name':'last','match':{}}]",
             match);
    resolution_write(RESOLUTION_POLICY, spec, text);
    ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    return policy;
}

START_TEST(filter_excludes_rules_that_cannot_match)
{
    const struct filter_case *row = &filters[_i];
    struct gang_policy *policy = policy_with(row->match);
    struct rule_keys keys = {.nodes = row->nodes,
                             .is_managed = row->is_managed,
                             .has_labels = row->has_labels,
                             .has_namespace = row->namespace_ != NULL,
                             .kinds = JOB_KINDS_TRAINER};

    rule_keys_name(&keys, slice_from_text(row->namespace_), slice_from_text(row->runtime),
                   slice_from_text(row->framework));
    ck_assert_uint_eq(rule_filters_next(policy->filters, 1, 3, &keys), row->passes ? 1 : 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 1, 2, &keys), row->passes ? 1 : 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 2, 3, &keys), 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 3, 3, &keys), 3);
    if (row->namespace_)
        ck_assert_uint_eq(rule_filters_next(policy->filters, 0, 3, &keys), row->passes ? 1 : 2);
    unref_policy(policy);
}
END_TEST

/* Names and globs of two letters, all of them: what matches is never ruled out. */
START_TEST(matching_rules_pass_the_filter)
{
    static const char letters[] = "ab-*";
    static const char *const names[] = {
        "a",          "b",           "ab",
        "a-b",        "aaaaaaaa",    "aaaaaaab",
        "aaaaaaaaab", "b-a-b-a-b-a", "abababababababababababababab"};

    for (int n = 0; n < 256; n++) {
        char glob[] = {letters[n & 3], letters[n >> 2 & 3], letters[n >> 4 & 3], letters[n >> 6],
                       '\0'};
        struct slice text = {glob, (size_t)(1 + _i)};
        struct policy_rule rule = {.match = {.kinds = JOB_KINDS_ALL, .namespaces = {&text, 1}}};
        struct arena *arena = arena_new(0);
        const struct rule_filter *filter = rule_filters_make(&rule, 1, arena);

        for (size_t i = 0; i < ITEMS_OF(names); i++) {
            struct rule_keys keys = {.has_namespace = true, .kinds = JOB_KINDS_TRAINER};

            rule_keys_name(&keys, slice_from_text(names[i]), SLICE("t"), NO_SLICE);
            if (glob_matches(text, slice_from_text(names[i])))
                ck_assert_msg(rule_filters_next(filter, 0, 1, &keys) == 0, "%.*s %s",
                              SLICE_ARG(text), names[i]);
        }
        arena_free(arena);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, filter_excludes_rules_that_cannot_match, filters, match, namespace_, runtime);
    tcase_add_loop_test(cases, matching_rules_pass_the_filter, 0, 4);
}
