/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "libgang/document/writer.h"

#include "unit/suite.h"
#include "unit/workloads.h"

/* ---- live keep ---- */

#define POD(metadata, spec, status)                                                                \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'" metadata "},'spec':{" spec            \
    "},'status':{" status "}}"
#define MANAGED ",'managedFields':[{'manager':'m'}]"

/* What is kept, as JSON; NULL: everything. Pods: k8s.io/api core/v1/types.go. */
static const struct {
    const char *object, *kept;
} rows[] = {
    {POD(",'namespace':'n','uid':'u','labels':{'a':'b'},'annotations':{'c':'d'},"
         "'ownerReferences':[{'uid':'o','controller':true}],'deletionTimestamp':'t',"
         "'resourceVersion':'7'",
         "'schedulerName':'s','nodeName':'n','priorityClassName':'c'",
         "'phase':'Running','conditions':[{'type':'Ready','status':'False','reason':'r'}]"),
     NULL},
    /* the fields of the Workload API that place a pod in a group: 1.36 and 1.35 */
    {POD("", "'schedulingGroup':{'podGroupName':'g'}", ""), NULL},
    {POD("", "'workloadRef':{'name':'w','podGroup':'g'}", ""), NULL},
    {POD(MANAGED ",'generateName':'p-','creationTimestamp':'t','finalizers':['f']", "", ""),
     POD("", "", "")},
    {POD("", "'containers':[{'name':'c','env':[{'name':'e'}]}],'schedulerName':'s','volumes':[]",
         ""),
     POD("", "'schedulerName':'s'", "")},
    {POD("", "",
         "'conditions':[{'type':'Ready','lastTransitionTime':'t','message':'m'},{}],"
         "'containerStatuses':[{}],'podIP':'i'"),
     POD("", "", "'conditions':[{'type':'Ready'},{}]")},
    /* of a type that the API server does not allow */
    {"{'apiVersion':'v1','kind':'Pod','metadata':'m','spec':[1],'status':null}", NULL},
    {"{'apiVersion':'x.io/v1','kind':'Pod','metadata':{'name':'p','labels':{}},'spec':{}}",
     "{'apiVersion':'x.io/v1','kind':'Pod','metadata':{'name':'p'}}"},
    /* the schedulers' objects, the jobs and what runs them */
    {"{'apiVersion':'scheduling.volcano.sh/"
     "v1beta1','kind':'PodGroup','metadata':{'name':'g'" MANAGED
     ",'x':1},'spec':{'y':[true,null,1.5,'z']},'status':{}}",
     "{'apiVersion':'scheduling.volcano.sh/"
     "v1beta1','kind':'PodGroup','metadata':{'name':'g','x':1},'spec':{'y':[true,null,1.5,'z']},"
     "'status':{}}"},
    {"{'apiVersion':'scheduling.k8s.io/v1alpha2','kind':'Workload','spec':{'a':1}}", NULL},
    /* of Kueue's Workload, which is another kind, the pods that it admits */
    {"{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'w','labels':{}},"
     "'spec':{'active':true,'podSets':[{'name':'a','count':2,'minCount':1,'template':{}}]},"
     "'status':{'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'a','count':1,"
     "'flavors':{}}]},'conditions':[]}}",
     "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'w'},"
     "'spec':{'podSets':[{'name':'a','count':2,'minCount':1}]},"
     "'status':{'admission':{'podSetAssignments':[{'name':'a','count':1}]}}}"},
    {"{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','spec':{'a':1}}",
     "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue'}"},
    {"{'apiVersion':'kai.scheduler/v1alpha1','kind':'Topology','spec':{'levels':[]}}", NULL},
    {"{'apiVersion':'trainer.kubeflow.org/v2','kind':'TrainJob','status':{'a':1}}", NULL},
    {"{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','spec':{'a':1}}", NULL},
    {"{'apiVersion':'grove.io/v1alpha1','kind':'PodCliqueSet','spec':{'a':1}}", NULL},
    {"{'apiVersion':'scheduler.grove.io/v1alpha1','kind':'PodGang','spec':{'a':1}}", NULL},
    /* of others the identity */
    {"{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'n','uid':'u',"
     "'ownerReferences':[{'uid':'o'}],'deletionTimestamp':'t','labels':{'a':'b'}},'data':{'x':'y'}"
     "}",
     "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'n','uid':'u',"
     "'ownerReferences':[{'uid':'o'}],'deletionTimestamp':'t'}}"},
    {"{'apiVersion':'scheduling.volcano.sh/v1beta1','kind':'Queue','spec':{}}",
     "{'apiVersion':'scheduling.volcano.sh/v1beta1','kind':'Queue'}"},
    {"{'a':1}", "{}"},
    {"[1,'a']", "[1,'a']"},
    {"null", "null"},
};

static const struct split_part here = {.line = 1, .column = 1};

static const char *
kept_text(const struct node *kept, struct arena *arena)
{
    struct buffer out = {0};
    const char *text;

    json_write(&out, kept);
    text = arena_copy(arena, (struct slice){out.data, out.len}).data;
    buffer_clear(&out);
    return text;
}

START_TEST(keeps_what_is_of_use)
{
    struct arena *source = arena_new(0);
    struct arena *arena = arena_new(0);
    const char *expected = workload_quoted(arena, rows[_i].kept ? rows[_i].kept : rows[_i].object);
    const struct node *kept =
        live_keep(workload_tree(source, rows[_i].object), false, &here, arena);

    /* nothing of the source is shared */
    arena_free(source);
    ck_assert_str_eq(kept_text(kept, arena), expected);
    ck_assert_ptr_null(kept->parent);
    ck_assert_ptr_null(kept->next);
    arena_free(arena);
}
END_TEST

/* Positions of a document are those of the text behind it; an index is that of the source. */
START_TEST(places_are_those_of_the_text)
{
    struct arena *arena = arena_new(0);
    const struct split_part part = {.line = 5, .column = 3};
    const struct node *source =
        workload_tree(arena, POD("", "'containers':[],\n'schedulerName':'s'", ""));
    const struct node *kept = live_keep(source, false, &part, arena);
    const struct node *name = node_at(kept, "metadata.name");
    const struct node *scheduler = node_at(kept, "spec.schedulerName");

    ck_assert_uint_eq(kept->line, 5);
    ck_assert_uint_eq(kept->column, 3);
    ck_assert_uint_eq(name->line, 5);
    ck_assert_uint_eq(name->column, node_at(source, "metadata.name")->column + 2);
    ck_assert_uint_eq(name->key_column, node_at(source, "metadata.name")->key_column + 2);
    ck_assert_uint_eq(scheduler->line, 6);
    ck_assert_uint_eq(scheduler->column, 17);
    ck_assert_uint_eq(scheduler->key_line, 6);
    ck_assert_uint_eq(scheduler->key_column, 1);
    ck_assert_uint_eq(scheduler->index, 1);
    ck_assert_uint_eq(scheduler->parent->len, 1);
    ck_slice_eq(path_of(arena, scheduler), "spec.schedulerName");
    arena_free(arena);
}
END_TEST

START_TEST(nothing_is_kept_without_memory)
{
    struct arena *source = arena_new(0);
    struct arena *arena = arena_new(64);

    ck_assert_ptr_null(live_keep(workload_tree(source, rows[0].object), false, &here, arena));
    ck_assert(arena_failed(arena));
    arena_free(arena);
    arena_free(source);
}
END_TEST

START_TEST(group_of_a_version)
{
    ck_slice_eq(live_group_of(SLICE("apps/v1")), "apps");
    ck_slice_eq(live_group_of(SLICE("v1")), "");
    ck_slice_eq(live_group_of(NO_SLICE), "");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, keeps_what_is_of_use, rows, object);
    tcase_add_test(cases, places_are_those_of_the_text);
    tcase_add_test(cases, nothing_is_kept_without_memory);
    tcase_add_test(cases, group_of_a_version);
}
