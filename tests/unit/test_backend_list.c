/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/workloads.h"

/* Volcano and coscheduling have one version; Kubernetes' own gangs have four, each with what it has
 * and lacks. */
static const char *const parts[] = {
    "{'name':'coscheduling','type':'Coscheduling','podGroupPolicy':'coscheduling','schedulerName':'"
    "scheduler-"
    "plugins-"
    "scheduler','versions':[{'apiVersion':'scheduling.x-k8s.io/"
    "v1alpha1','objects':['PodGroup'],'mark':'label "
    "scheduling.x-k8s.io/"
    "pod-group'}],'lacks':['queue','topology'],'options':['scheduleTimeoutSeconds'],'apiGroup':'"
    "scheduling.x-"
    "k8s.io','component':{'name':'"
    "schedulerPlugins','apiGroups':['scheduling.x-k8s.io'],'image':'scheduler-plugins/"
    "kube-scheduler'},"
    "'starter':{'defaults':'scheduleTimeoutSeconds: 120'}}",
    "'versions':[{'apiVersion':'scheduling.volcano.sh/"
    "v1beta1','objects':['PodGroup'],'mark':'annotation "
    "scheduling.k8s.io/group-name'}],'lacks':['scheduleTimeoutSeconds']",
    "'options':['layout','minMemberAnnotation','podGroup'],'experimental':'layout: Aggregate',"
    "'apiGroup':'scheduling.run.ai','component':{'name':'kai','apiGroups':['scheduling.run.ai',"
    "'kai.scheduler'],'image':'kai-scheduler/scheduler'},'queueParent':'parentQueue',",
    "{'apiVersion':'scheduling.k8s.io/v1beta1','kubernetes':'1.37 and "
    "later','objects':['Workload','PodGroup'],'mark':"
    "'spec.schedulingGroup','gates':['GenericWorkload'],'fields':[{'name':'schedulingConstraints','"
    "gate':"
    "'TopologyAwareWorkloadScheduling'},{'name':'resourceClaims','gate':'DRAWorkloadResourceClaims'"
    "},{'name':"
    "'disruptionMode'},{'name':'priorityClassName'},{'name':'preemptionPolicy','gate':'"
    "PodGroupPreemptionPolicy'}]}",
    "{'apiVersion':'scheduling.k8s.io/v1alpha3','kubernetes':'1.37 and "
    "later','objects':['Workload','PodGroup',"
    "'CompositePodGroup'],'mark':'spec.schedulingGroup'",
    "{'apiVersion':'scheduling.k8s.io/"
    "v1alpha2','kubernetes':'1.36','objects':['Workload','PodGroup'],'mark':"
    "'spec.schedulingGroup','gates':['GenericWorkload','GangScheduling'],",
    "{'name':'disruptionMode','gate':'WorkloadAwarePreemption'},{'name':'priorityClassName','gate':"
    "'WorkloadAwarePreemption'}]}",
    "{'apiVersion':'scheduling.k8s.io/"
    "v1alpha1','kubernetes':'1.35','objects':['Workload'],'mark':'spec.workloadRef',"
    "'gates':['GenericWorkload','GangScheduling'],'fields':[]}",
    "'lacks':['queue','scheduleTimeoutSeconds'],'options':['composite','disruptionMode','groups',"
    "'initializers','lateMembers','nameStyle','preemptionPolicy','resourceClaims','topologyKey'],'"
    "apiGroup':'"
    "scheduling.k8s.io','starter':",
};

START_TEST(lists_every_backend_from_its_tables)
{
    struct arena *arena = arena_new(0);
    struct gang_blob *blob = NULL;
    const char *wanted;

    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, &blob, NULL), GANG_OK);
    wanted = workload_quoted(arena, parts[_i]);
    ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), wanted) != NULL, "no %s", wanted);
    gang_blob_unref(blob);
    arena_free(arena);
}
END_TEST

START_TEST(has_an_entry_for_each_backend)
{
    struct arena *arena = arena_new(0);
    const struct node *list = node_member(backend_list_build(arena), SLICE("backends"));

    ck_assert_uint_eq(node_count(list), backend_count);
    for (NODE_EACH(item, list)) {
        ck_slice_eq(node_string(node_member(item, SLICE("name"))), gang_backend_name(item->index));
        ck_assert_uint_ge(node_count(node_member(item, SLICE("versions"))), 1);
    }
    arena_free(arena);
}
END_TEST

START_TEST(misuse_is_refused)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_JSON, 0, NULL, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_backends_serialize(NULL, 99, 0, &blob, &error),
                     GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_YAML, 1, &blob, &error),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    gang_error_free(error);
    ck_assert_ptr_null(blob);
    ck_assert_int_eq(gang_backends_serialize(NULL, GANG_FORMAT_YAML, 0, &blob, NULL), GANG_OK);
    gang_blob_unref(blob);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, lists_every_backend_from_its_tables, parts);
    tcase_add_test(cases, has_an_entry_for_each_backend);
    tcase_add_test(cases, misuse_is_refused);
}
