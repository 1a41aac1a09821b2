/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/run_policy.h"

#include "unit/kinds.h"

#define LAUNCHER "'Launcher':{'replicas':1," PODS_OF("l", "") "}"
#define JOB_WITH(policy)                                                                           \
    "{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'j'},"                \
    "'spec':{'runPolicy':{" policy "},'mpiReplicaSpecs':{" LAUNCHER "}}}"
#define ROLES "'roles':[{'name':'launcher','count':1,'requests':{}}]"

/* Source: kubeflow/mpi-operator:pkg/apis/kubeflow/v2beta1/types.go@v0.8.2 */
static const struct job_translation policies[] = {
    {JOB_WITH(""), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'suspend':true"), "'suspend':true," ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'suspend':false"), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'managedBy':'kubeflow.org/mpi-operator'"), ROLES, "OperatorGangOption spec"},
    {JOB_WITH("'managedBy':'kueue.x-k8s.io/multikueue','schedulingPolicy':{'queue':'q'}"),
     "'managedElsewhere':true," ROLES, ""},
    {JOB_WITH("'schedulingPolicy':{'queue':'q','priorityClass':'high','scheduleTimeoutSeconds':60,"
              "'minAvailable':1}"),
     "'queue':'q','priorityClassName':'high','scheduleTimeoutSeconds':60,'minimum':1," ROLES,
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'queue':'','priorityClass':''}"), ROLES,
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'minResources':{'cpu':'1'}}"), ROLES,
     "MinResourcesComputed spec.runPolicy.schedulingPolicy.minResources, "
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    {JOB_WITH("'schedulingPolicy':{'minAvailable':0}"), NULL,
     "OperatorGangOption spec.runPolicy.schedulingPolicy, "
     "ValueOutOfRange spec.runPolicy.schedulingPolicy.minAvailable"},
    {JOB_WITH("'schedulingPolicy':{'minMember':1}"), ROLES,
     "UnknownField spec.runPolicy.schedulingPolicy.minMember, "
     "OperatorGangOption spec.runPolicy.schedulingPolicy"},
    /* fields inside the pods are checked, too */
    {"{'apiVersion':'kubeflow.org/v2beta1','kind':'MPIJob','metadata':{'name':'j'},'spec':{"
     "'mpiReplicaSpecs':{'Launcher':{'replicas':1,'template':{'spec':{'containers':[{'name':'l',"
     "'imagePullPolice':'Never'}]}}}}}}",
     ROLES,
     "UnknownField spec.mpiReplicaSpecs.Launcher.template.spec.containers[0].imagePullPolice, "
     "OperatorGangOption spec"},
};

START_TEST(wishes)
{
    job_check_translation(&policies[_i]);
}
END_TEST

START_TEST(the_option_of_the_operator_is_named)
{
    job_check_message(JOB_WITH(""), "OperatorGangOption",
                      "mpi-operator must run without --gang-scheduling, with which it creates a "
                      "PodGroup of this job itself");
}
END_TEST

static const struct {
    const char *key;
    const char *type;
    bool is_found;
} types[] = {
    {"Worker", "Worker", true},   {"worker", "Worker", true},   {"WORKER", "Worker", true},
    {"Workers", "Worker", false}, {"Work\1r", "WorkEr", false}, {"PS", "Ps", true},
};

START_TEST(types_are_found_without_case)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct builder other = build_map_member(&map, SLICE("Evaluator"));
    struct builder one = build_map_member(&map, slice_from_text(types[_i].key));
    const struct node *found = replica_spec_find(map.node, slice_from_text(types[_i].type));

    ck_assert_ptr_nonnull(other.node);
    if (types[_i].is_found)
        ck_assert_ptr_eq(found, one.node);
    else
        ck_assert_ptr_null(found);
    arena_free(arena);
}
END_TEST

START_TEST(an_exact_type_has_precedence)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct builder other = build_map_member(&map, SLICE("worker"));
    struct builder exact = build_map_member(&map, SLICE("Worker"));

    ck_assert_ptr_nonnull(other.node);
    ck_assert_ptr_eq(replica_spec_find(map.node, SLICE("Worker")), exact.node);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, wishes, policies, text);
    tcase_add_test(cases, the_option_of_the_operator_is_named);
    add_rows(cases, types_are_found_without_case, types, key);
    tcase_add_test(cases, an_exact_type_has_precedence);
}
