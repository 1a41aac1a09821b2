/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/ml_policy.h"

#include "unit/suite.h"
#include "unit/tree.h"

static const struct {
    const char *spec;
    enum ml_source source;
    bool present;
    bool has_num_nodes;
    int num_nodes;
    bool launcher_is_node;
} policies[] = {
    {"{}", ML_PLAIN, false, false, 1, false},
    {"{\"mlPolicy\":null}", ML_PLAIN, false, false, 1, false},
    {"{\"mlPolicy\":{}}", ML_PLAIN, true, false, 1, false},
    {"{\"mlPolicy\":{\"numNodes\":3}}", ML_PLAIN, true, true, 3, false},
    {"{\"mlPolicy\":{\"numNodes\":0}}", ML_PLAIN, true, true, 0, false},
    {"{\"mlPolicy\":{\"numNodes\":-1}}", ML_PLAIN, true, true, -1, false},
    {"{\"mlPolicy\":{\"numNodes\":null}}", ML_PLAIN, true, false, 1, false},
    {"{\"mlPolicy\":{\"torch\":{}}}", ML_TORCH, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"jax\":{}}}", ML_JAX, true, false, 1, false},
    {"{\"mlPolicy\":{\"xgboost\":{}}}", ML_XGBOOST, true, false, 1, false},
    {"{\"mlPolicy\":{\"flux\":{}}}", ML_FLUX, true, false, 1, false},
    {"{\"mlPolicy\":{\"torch\":null,\"jax\":{}}}", ML_JAX, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":true}}}", ML_MPI, true, false, 1, true},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":false}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":\"true\"}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"runLauncherAsNode\":true,\"torch\":{}}}", ML_TORCH, true, false, 1, false},
};

START_TEST(reads_a_policy)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct ml_policy policy;

    report_init(&report, arena, &standard_limits);
    policy = ml_policy_read(tree_of(arena, policies[_i].spec), &report);
    ck_assert_int_eq(policy.source, policies[_i].source);
    ck_assert_int_eq(policy.source_node != NULL, policies[_i].present);
    ck_assert_int_eq(policy.num_nodes_source != NULL, policies[_i].has_num_nodes);
    ck_assert_int_eq(policy.num_nodes, policies[_i].num_nodes);
    ck_assert_int_eq(policy.launcher_is_node, policies[_i].launcher_is_node);
    ck_assert_uint_eq(report.count, 0);
    arena_free(arena);
}
END_TEST

/* CEL of the CRD: at most one of five. Every pair of them. */
static const char *const pairs[][2] = {
    {"torch", "mpi"}, {"torch", "jax"},    {"torch", "xgboost"}, {"torch", "flux"},
    {"mpi", "jax"},   {"mpi", "flux"},     {"mpi", "xgboost"},   {"jax", "xgboost"},
    {"jax", "flux"},  {"xgboost", "flux"},
};

START_TEST(two_sources_are_refused)
{
    struct arena *arena = arena_new(0);
    const char *spec =
        arena_format(arena, "{\"mlPolicy\":{\"%s\":{},\"%s\":{}}}", pairs[_i][1], pairs[_i][0]);
    struct report report;

    report_init(&report, arena, &standard_limits);
    ml_policy_read(tree_of(arena, spec), &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.items[0].code, GANG_CODE_SEVERAL_POLICIES);
    ck_assert_int_eq(report.items[0].severity, GANG_SEVERITY_ERROR);
    ck_assert_str_eq(report.items[0].path, "mlPolicy");
    ck_assert_uint_eq(report.items[0].line, 1);
    ck_assert_uint_eq(report.items[0].column, 13);
    ck_assert_ptr_nonnull(
        strstr(report.items[0].message, "Only one of the policy can be configured"));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_a_policy, policies, spec, source);
    tcase_add_loop_test(cases, two_sources_are_refused, 0, COUNT_OF(pairs));
}
