/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/ml_policy.h"

#include "libgang/document/finding.h"

static const struct {
    struct slice member;
    enum ml_source source;
} ml_source_table[] = {
    {SLICE_INIT("torch"), ML_TORCH},     {SLICE_INIT("mpi"), ML_MPI},   {SLICE_INIT("jax"), ML_JAX},
    {SLICE_INIT("xgboost"), ML_XGBOOST}, {SLICE_INIT("flux"), ML_FLUX},
};

static void
ml_policy_read_source(struct ml_policy *policy, struct report *report)
{
    size_t found = 0;

    for (size_t i = 0; i < sizeof(ml_source_table) / sizeof(ml_source_table[0]); i++) {
        if (!node_member(policy->source_node, ml_source_table[i].member))
            continue;
        policy->source = ml_source_table[i].source;
        found++;
    }
    if (found > 1)
        find_invalid(report, GANG_CODE_SEVERAL_POLICIES, policy->source_node, NULL,
                     "Only one of the policy can be configured");
}

struct ml_policy
ml_policy_read(const struct node *spec, struct report *report)
{
    struct ml_policy policy = {.source_node = node_member(spec, SLICE("mlPolicy")), .num_nodes = 1};

    if (!policy.source_node)
        return policy;
    policy.num_nodes_source = node_member(policy.source_node, SLICE("numNodes"));
    if (!node_int(policy.num_nodes_source, &policy.num_nodes))
        policy.num_nodes = 1;
    ml_policy_read_source(&policy, report);
    policy.launcher_is_node = node_is_true(node_at(policy.source_node, "mpi.runLauncherAsNode"));
    return policy;
}
