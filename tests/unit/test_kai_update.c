/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"
#include "unit/suite.h"
#include "unit/updates.h"

#define EXTERNAL                                                                                   \
    "{'topology':'external-assigned-topology','requiredTopologyLevel':'rack','"                    \
    "preferredTopologyLevel':'"                                                                    \
    "zone'}"
#define WORKLOAD                                                                                   \
    "{'topology':'workload-topology','requiredTopologyLevel':'node','preferredTopologyLevel':'"    \
    "rack'}"

/* KAI-Scheduler:pkg/podgrouper/podgroup/handler_test.go Test_ignoreFields_TopologyConstraint, and
 * the release before it. */
static const struct {
    const char *name, *release, *old, *new, *result;
} topologies[] = {
    {"new has none", "v0.17.0", EXTERNAL, "{}", EXTERNAL},
    {"new has topology", "v0.17.0", EXTERNAL, WORKLOAD, WORKLOAD},
    {"both empty", "v0.17.0", "{}", "{}", "{}"},
    {"old empty", "v0.17.0", "{}", WORKLOAD, WORKLOAD},
    {"new has a level but no topology name", "v0.17.0", EXTERNAL,
     "{'preferredTopologyLevel':'node'}", EXTERNAL},
    {"of no known release the newest", NULL, EXTERNAL, "{}", EXTERNAL},
    {"since #1771", "v0.16.1", EXTERNAL, "{}", EXTERNAL},
    {"before it", "v0.16.0", EXTERNAL, "{}", "{}"},
    {"old has none", "v0.17.0", NULL, "{}", NULL},
};

START_TEST(test_ignore_fields_topology_constraint)
{
    struct update_run run = update_open(&kai_backend, false, topologies[_i].release);
    const char *old = update_member(&run, "topologyConstraint", topologies[_i].old);
    const char *new = update_member(&run, "topologyConstraint", topologies[_i].new);
    const char *result = update_member(&run, "topologyConstraint", topologies[_i].result);

    update_check_spec(&run, "{'minMember':4", new, "{'minMember':4", old, "{'minMember':4", result);
    update_close(&run);
}
END_TEST

/* handler.go and updater.go: what of a spec stays, and what becomes what is computed. */
static const struct update_row specs[] = {
    {"queue stays", "{'minMember':4,'queue':'new'}", "{'minMember':4,'queue':'old'}",
     "{'minMember':4,'queue':'old'}", false, 1},
    {"no queue stays none", "{'minMember':4,'queue':'new'}", "{'minMember':4}", "{'minMember':4}",
     false, 1},
    {"same queue", "{'minMember':4,'queue':'q'}", "{'minMember':4,'queue':'q'}",
     "{'minMember':4,'queue':'q'}", false, 0},
    {"markUnschedulable and schedulingBackoff stay", "{'minMember':4}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}", false, 0},
    {"and whatever were computed",
     "{'minMember':4,'markUnschedulable':false,'schedulingBackoff':1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}",
     "{'minMember':4,'markUnschedulable':true,'schedulingBackoff':-1}", false, 2},
    {"minMember", "{'minMember':4}", "{'minMember':2}", "{'minMember':4}", true, 0},
    {"minSubGroup instead of minMember",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':0}]}",
     "{'minMember':2,'subGroups':[{'name':'a','minMember':1}]}",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1},{'name':'b','minMember':0}]}", true,
     0},
    {"priority, preemptibility and delays",
     "{'minMember':4,'priorityClassName':'high','preemptibility':'preemptible','preemptionDelay':'"
     "5m','"
     "stalenessGracePeriod':'1m'}",
     "{'minMember':4,'priorityClassName':'low','preemptibility':'non-preemptible'}",
     "{'minMember':4,'priorityClassName':'high','preemptibility':'preemptible','preemptionDelay':'"
     "5m',"
     "'stalenessGracePeriod':'1m'}",
     true, 0},
    {"gone", "{'minMember':4}",
     "{'minMember':4,'priorityClassName':'low','preemptibility':'preemptible','preemptionDelay':'"
     "5m'}",
     "{'minMember':4}", true, 0},
    {"minMember instead of minSubGroup", "{'minMember':4}",
     "{'minSubGroup':2,'subGroups':[{'name':'a','minMember':1}]}", "{'minMember':4}", true, 0},
    {"topology of a subgroup", "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'t'}}]}",
     "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'u'}}]}",
     "{'subGroups':[{'name':'a','topologyConstraint':{'topology':'t'}}]}", true, 0},
    {"order of subgroups", "{'subGroups':[{'name':'a'},{'name':'b'}]}",
     "{'subGroups':[{'name':'b'},{'name':'a'}]}", "{'subGroups':[{'name':'a'},{'name':'b'}]}", true,
     0},
    /* a computed flat group carries an empty list, and the podgrouper then writes it at every
       reconcile; we do not */
    {"an empty list is none", "{'minMember':4,'subGroups':[]}", "{'minMember':4}",
     "{'minMember':4}", false, 0},
    {"an empty constraint is none",
     "{'minMember':4,'subGroups':[{'name':'a','topologyConstraint':{}}]}",
     "{'minMember':4,'subGroups':[{'name':'a'}]}", "{'minMember':4,'subGroups':[{'name':'a'}]}",
     false, 0},
    {"no minimum is not 0", "{'subGroups':[{'name':'a','minMember':0}]}",
     "{'subGroups':[{'name':'a'}]}", "{'subGroups':[{'name':'a','minMember':0}]}", true, 0},
    {"fields stand as in a new one, then those of others",
     "{'minMember':4,'minSubGroup':1,'queue':'q','priorityClassName':'p','preemptibility':'"
     "preemptible',"
     "'topologyConstraint':{'topology':'t'},'subGroups':[{'name':'a','minMember':4}],'"
     "preemptionDelay':'5m',"
     "'stalenessGracePeriod':'1m'}",
     "{'later':1,'schedulingBackoff':-1,'markUnschedulable':true,'stalenessGracePeriod':'1m',"
     "'preemptionDelay':'5m','subGroups':[{'name':'a','minMember':4}],'topologyConstraint':{'"
     "topology':'t'},"
     "'preemptibility':'preemptible','priorityClassName':'p','queue':'q','minSubGroup':1,'"
     "minMember':4}",
     "{'minMember':4,'minSubGroup':1,'queue':'q','priorityClassName':'p','preemptibility':'"
     "preemptible',"
     "'topologyConstraint':{'topology':'t'},'subGroups':[{'name':'a','minMember':4}],'"
     "preemptionDelay':'5m',"
     "'stalenessGracePeriod':'1m','markUnschedulable':true,'schedulingBackoff':-1,'later':1}",
     false, 0},
    {"a field that is not known here", "{'minMember':4}", "{'minMember':4,'later':1}",
     "{'minMember':4,'later':1}", false, 0},
};

START_TEST(keeps_what_the_podgrouper_keeps)
{
    struct update_run run = update_open(&kai_backend, false, NULL);

    update_check(&run, &specs[_i]);
    update_close(&run);
}
END_TEST

#define GROVE_LIVE                                                                                 \
    "'subGroups':[{'name':'encoder','minMember':2},{'name':'decoder','minMember':3}],'queue':'"    \
    "team-a'"

/* ai-dynamo/grove:operator/internal/scheduler/kai/backend_test.go: CreateAndUpdate, and what is not
 * kept there. */
static const struct update_row grove_specs[] = {
    {"CreateAndUpdate",
     "{'minMember':7,'queue':'team-b','subGroups':[{'name':'encoder','minMember':4},{'name':'"
     "decoder','"
     "minMember':3}]}",
     "{'minMember':5," GROVE_LIVE "}",
     "{'minMember':7,'queue':'team-a','subGroups':[{'name':'encoder','minMember':4},{'name':'"
     "decoder','"
     "minMember':3}]}",
     true, 1},
    {"topology is not kept", "{'minMember':5,'topologyConstraint':{}," GROVE_LIVE "}",
     "{'minMember':5,'topologyConstraint':{'topology':'t'}," GROVE_LIVE "}",
     "{'minMember':5,'queue':'team-a','topologyConstraint':{},'subGroups':[{'name':'encoder','"
     "minMember':2},{"
     "'name':'decoder',"
     "'minMember':3}]}",
     true, 0},
    {"preemptibility and delays are not kept", "{'minMember':5}",
     "{'minMember':5,'preemptibility':'preemptible','preemptionDelay':'5m','stalenessGracePeriod':'"
     "5m','"
     "markUnschedulable':true,"
     "'schedulingBackoff':1}",
     "{'minMember':5,'markUnschedulable':true,'schedulingBackoff':1}", true, 0},
};

START_TEST(keeps_what_grove_keeps)
{
    struct update_run run = update_open(&kai_backend, true, NULL);

    update_check(&run, &grove_specs[_i]);
    update_close(&run);
}
END_TEST

#define POOL "'kai.scheduler/node-pool'"
#define QUEUE "'kai.scheduler/queue'"

/* Labels and annotations are merged and never taken away; those of pool and queue stay. `metadata`
 * in and out. */
static const struct {
    const char *name;
    bool is_grouped;
    const char *rendered, *live, *result;
    bool is_changed;
} pairs[] = {
    {"podGroupsEqual: live has extra label and annotation", true,
     "{'labels':{'a':'1'},'annotations':{'b':'2'}}",
     "{'labels':{'a':'1','x':'y'},'annotations':{'b':'2','z':'w'}}",
     "{'labels':{'a':'1','x':'y'},'annotations':{'b':'2','z':'w'}}", false},
    {"podGroupsEqual: source-label stale", true, "{'labels':{'source-label':'new'}}",
     "{'labels':{'source-label':'old'}}", "{'labels':{'source-label':'new'}}", true},
    {"updatePodGroup", true,
     "{'labels':{'source-label':'s'},'annotations':{'source-annotation':'t'}}",
     "{'labels':{" POOL ":'np'}}",
     "{'labels':{" POOL ":'np','source-label':'s'},'annotations':{'source-annotation':'t'}}", true},
    {"a label that is gone stays", true, "{}", "{'labels':{'a':'1'}}", "{'labels':{'a':'1'}}",
     false},
    {"pool stays", false, "{'labels':{" POOL ":'new'}}", "{'labels':{" POOL ":'old'}}",
     "{'labels':{" POOL ":'old'}}", false},
    {"pool is not added", false, "{'labels':{" POOL ":'new','a':'1'}}", "{'labels':{'a':'1'}}",
     "{'labels':{'a':'1'}}", false},
    {"but by Grove", true, "{'labels':{" POOL ":'new'}}", "{}", "{'labels':{" POOL ":'new'}}",
     true},
    {"and stays with Grove when there is one", true, "{'labels':{" POOL ":'new'}}",
     "{'labels':{" POOL ":'old'}}", "{'labels':{" POOL ":'old'}}", false},
    {"queue stays", false, "{'labels':{" QUEUE ":'new'}}", "{'labels':{" QUEUE ":'old'}}",
     "{'labels':{" QUEUE ":'old'}}", false},
    {"queue is added", false, "{'labels':{" QUEUE ":'new'}}", "{}", "{'labels':{" QUEUE ":'new'}}",
     true},
    {"queue stays with Grove when there is one", true, "{'labels':{" QUEUE ":'new'}}",
     "{'labels':{" QUEUE ":'old'}}", "{'labels':{" QUEUE ":'old'}}", false},
    {"an empty one is none", true, "{'labels':{" QUEUE ":'new'}}", "{'labels':{" QUEUE ":''}}",
     "{'labels':{" QUEUE ":'new'}}", true},
    {"queue is added by Grove", true, "{'labels':{" QUEUE ":'new'}}", "{}",
     "{'labels':{" QUEUE ":'new'}}", true},
    {"owners become those of Grove", true, "{'ownerReferences':[{'uid':'a'}]}",
     "{'ownerReferences':[{'uid':'a'},{'uid':'b'}]}", "{'ownerReferences':[{'uid':'a'}]}", true},
    {"owners become those computed", false, "{'ownerReferences':[{'uid':'a'}]}",
     "{'ownerReferences':[{'uid':'a'},{'uid':'b'}]}", "{'ownerReferences':[{'uid':'a'}]}", true},
    {"and nothing when there are none", false, "{}", "{'ownerReferences':[{'uid':'b'}]}",
     "{'ownerReferences':[{'uid':'b'}]}", false},
};

START_TEST(merges_labels_and_annotations)
{
    struct update_run run = update_open(&kai_backend, pairs[_i].is_grouped, NULL);
    struct update_result result = update_of(&run, pairs[_i].rendered, "{}", pairs[_i].live, "{}");

    update_check_text(&run, node_member(result.manifest, SLICE("metadata")), pairs[_i].result);
    ck_assert_int_eq(result.is_changed, pairs[_i].is_changed);
    update_close(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, test_ignore_fields_topology_constraint, topologies, name, release, old);
    add_rows(cases, keeps_what_the_podgrouper_keeps, specs, name, rendered, live);
    add_rows(cases, keeps_what_grove_keeps, grove_specs, name, rendered, live);
    add_rows(cases, merges_labels_and_annotations, pairs, name, is_grouped, rendered);
}
