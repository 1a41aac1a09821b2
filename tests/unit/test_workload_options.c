/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_update.h"

#include "unit/workloads.h"

START_TEST(defaults_are_those_of_the_table)
{
    struct workload_options options = workload_options_read(NULL);

    ck_assert(!options.is_hashed && !options.by_role && !options.composite &&
              !options.groups_initializers);
    ck_assert_int_eq(options.late, LATE_JOIN);
    ck_assert_ptr_null(options.topology_key);
    ck_assert_ptr_null(options.disruption_mode);
    ck_assert_ptr_null(options.preemption_policy);
    ck_assert_ptr_null(options.resource_claims);
}
END_TEST

/* Each option, at its default and at the other values. */
static const struct {
    const char *text;
    bool is_hashed, by_role, composite, groups_initializers;
    enum gang_late late;
} choices[] = {
    {"{'nameStyle':'Plain','lateMembers':'Join','initializers':'Outside','groups':'Job','composite'"
     ":'Never'}",
     false, false, false, false, LATE_JOIN},
    {"{'nameStyle':'Hashed'}", true, false, false, false, LATE_JOIN},
    {"{'groups':'Role'}", false, true, false, false, LATE_JOIN},
    {"{'composite':'WhereServed'}", false, false, true, false, LATE_JOIN},
    {"{'initializers':'Basic'}", false, false, false, true, LATE_JOIN},
    {"{'lateMembers':'Exclude'}", false, false, false, false, LATE_EXCLUDE},
    {"{'lateMembers':'Error'}", false, false, false, false, LATE_REFUSE},
};

START_TEST(reads_every_choice)
{
    struct arena *arena = arena_new(0);
    struct workload_options options = workload_options_read(workload_tree(arena, choices[_i].text));

    ck_assert_int_eq(options.is_hashed, choices[_i].is_hashed);
    ck_assert_int_eq(options.by_role, choices[_i].by_role);
    ck_assert_int_eq(options.composite, choices[_i].composite);
    ck_assert_int_eq(options.groups_initializers, choices[_i].groups_initializers);
    ck_assert_int_eq(options.late, choices[_i].late);
    arena_free(arena);
}
END_TEST

#define CLAIM(name) "{'name':'" name "','resourceClaimName':'c'}"

static const struct {
    const char *text;
    const char *findings;
} blocks[] = {
    {"{}", ""},
    {"{'topologyKey':'topology.kubernetes.io/"
     "zone','disruptionMode':'All','preemptionPolicy':'Never',"
     "'resourceClaims':[" CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d") "]}",
     ""},
    {"{'disruptionMode':'Single','preemptionPolicy':'PreemptLowerPriority','resourceClaims':[]}",
     ""},
    {"{'nameStyle':'plain'}", "UnsupportedValue"},
    {"{'lateMembers':'Refuse'}", "UnsupportedValue"},
    {"{'initializers':'Gang'}", "UnsupportedValue"},
    {"{'groups':'Pod'}", "UnsupportedValue"},
    {"{'composite':'Always'}", "UnsupportedValue"},
    {"{'disruptionMode':'PodGroup'}", "UnsupportedValue"},
    {"{'preemptionPolicy':'never'}", "UnsupportedValue"},
    /* the number of a priority is nobody's to set */
    {"{'priority':1000}", "UnknownField"},
    {"{'topologyKey':''}", "RequiredField"},
    {"{'topologyKeys':'zone'}", "UnknownField"},
    {"{'resourceClaims':[{'resourceClaimName':'c'}]}", "RequiredField"},
    {"{'resourceClaims':[" CLAIM("a") "," CLAIM("a") "]}", "DuplicateItem"},
    {"{'resourceClaims':[" CLAIM("a") "," CLAIM("b") "," CLAIM("c") "," CLAIM("d") "," CLAIM(
         "e") "]}",
     "TooManyItems"},
};

START_TEST(judges_a_policy_block)
{
    struct job job = job_make("node");

    schema_check(workload_descriptor.options, workload_tree(job.arena, blocks[_i].text),
                 &job.report);
    ck_assert_str_eq(job_findings(&job), blocks[_i].findings);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, defaults_are_those_of_the_table);
    add_rows(cases, reads_every_choice, choices, text);
    add_rows(cases, judges_a_policy_block, blocks, text);
}
