/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/rule_match.h"

#include "unit/resolutions.h"

static const struct {
    const char *job;
    const char *namespace_; /* NULL: unset */
    const char *framework;  /* the same */
    int64_t nodes;
    const char *kueue; /* the same */
} facts_of_jobs[] = {
    {"", "ml", NULL, 2, NULL},
    {"namespace=-", NULL, NULL, 2, NULL},
    {"namespace=x;ml=", "x", NULL, 1, NULL},
    {"job='trainer':{'numNodes':7},", "ml", NULL, 7, NULL},
    {"job='trainer':{},", "ml", NULL, 2, NULL},
    {"runtime.labels='trainer.kubeflow.org/framework':'torch'", "ml", "torch", 2, NULL},
    {"labels='trainer.kubeflow.org/framework':'torch'", "ml", NULL, 2, NULL},
    {"labels='kueue.x-k8s.io/queue-name':'q'", "ml", NULL, 2, "q"},
    {"labels='kueue.x-k8s.io/queue-name':\"\"", "ml", NULL, 2, NULL},
};

static void
check_optional(struct slice actual, const char *expected)
{
    if (expected)
        ck_slice_eq(actual, expected);
    else
        ck_assert(!actual.len);
}

START_TEST(what_a_policy_may_ask)
{
    const struct resolution row = {NULL, facts_of_jobs[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct match_facts facts = job_facts_of(run.decision);

    check_optional(facts.namespace_, facts_of_jobs[_i].namespace_);
    check_optional(facts.framework, facts_of_jobs[_i].framework);
    check_optional(node_string(job_facts_kueue_queue(run.decision)), facts_of_jobs[_i].kueue);
    ck_assert_int_eq(facts.nodes, facts_of_jobs[_i].nodes);
    ck_assert_int_eq(facts.is_kueue_managed, facts_of_jobs[_i].kueue != NULL);
    ck_slice_eq(facts.runtime, "tune");
    ck_assert_uint_eq(facts.gang->num_roles, 2);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, what_a_policy_may_ask, facts_of_jobs, job, namespace_, framework);
}
