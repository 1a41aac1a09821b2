/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/resolutions.h"

/* The rules of a policy, a TrainJob of two nodes, and the list, one `name path: reason` a line. */
static const struct {
    const char *rules;
    const char *job;
    const char *unmatched;
} rows[] = {
    {"{'name':'a','match':{}}", "", ""},
    {"{'name':'a','match':{'minNodes':3}},{'name':'b','match':{}}", "",
     "a match.minNodes: the job has 2 nodes\n"},
    {"{'name':'a','match':{'maxNodes':1}}", "", "a match.maxNodes: the job has 2 nodes\n"},
    {"{'name':'a','match':{'minNodes':2}}", "ml=", "a match.minNodes: the job has 1 node\n"},
    {"{'name':'a','match':{'namespaces':['x']}},{'name':'b','match':{'runtimes':['x']}}", "",
     "a match.namespaces: the namespace is ml\nb match.runtimes: the runtime is tune\n"},
    {"{'name':'a','match':{'kinds':['Job']}},{'name':'b','match':{'podGangSelector':{}}}", "",
     "a match.kinds: the job is a TrainJob\nb match.podGangSelector: the job is a TrainJob\n"},
    {"{'name':'a','match':{'kueue':'Managed'}}", "",
     "a match.kueue: Kueue does not manage the job\n"},
    {"{'name':'a','match':{'kueue':'Unmanaged'}}", "labels='kueue.x-k8s.io/queue-name':'q'",
     "a match.kueue: Kueue manages the job\n"},
    {"{'name':'a','match':{'frameworks':['mpi']}}", "",
     "a match.frameworks: the runtime names no framework\n"},
    {"{'name':'a','match':{'frameworks':['mpi']}}",
     "runtime.labels='trainer.kubeflow.org/framework':'torch'",
     "a match.frameworks: the framework is torch\n"},
    {"{'name':'a','match':{'runtimeSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.runtimeSelector: the labels of the runtime differ\n"},
    {"{'name':'a','match':{'trainJobSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.trainJobSelector: the labels of the job differ\n"},
    {"{'name':'a','match':{'objectSelector':{'matchLabels':{'a':'b'}}}}", "",
     "a match.objectSelector: the labels of the job differ\n"},
    {"{'name':'a','match':{'resources':['cpu']}}", "", "a match.resources: no pod requests it\n"},
    {"{'name':'a','match':{},'exclude':{'namespaces':['ml']}}", "",
     "a exclude: the rule excludes the job\n"},
    /* the first field that differs, and nothing behind a rule that cannot be decided */
    {"{'name':'a','match':{'minNodes':9,'namespaces':['x'],'resources':['cpu']}}", "",
     "a match.namespaces: the namespace is ml\n"},
    {"{'name':'a','match':{'minNodes':9}},{'name':'b','match':{'namespaces':['ml']}},"
     "{'name':'c','match':{'minNodes':9}}",
     "namespace=-", "a match.minNodes: the job has 2 nodes\n"},
};

static void
add_line(const struct node *rule, char *out, size_t size)
{
    const struct slice path = node_string(node_member(rule, SLICE("path")));
    const size_t len = strlen(out);

    ck_assert(slice_has_prefix(path, SLICE("spec.rules[")));
    snprintf(out + len, size - len, "%s %s: %s\n",
             node_string(node_member(rule, SLICE("name"))).data, strchr(path.data, '.') + 10,
             node_string(node_member(rule, SLICE("reason"))).data);
}

START_TEST(says_why_rules_do_not_match)
{
    char policy[RESOLUTION_SLOT_SIZE];
    char found[1024] = "";
    const struct resolution row = {policy, rows[_i].job, NULL, 0, "", ""};
    struct run run;
    struct builder document;
    struct arena *arena = arena_new(0);

    snprintf(policy, sizeof(policy), "'rules':[%s]", rows[_i].rules);
    run = run_resolution(&row);
    document = build_map(arena);
    rule_mismatch_build(run.decision, &document);
    for (NODE_EACH(rule, node_member(document.node, SLICE("unmatchedRules"))))
        add_line(rule, found, sizeof(found));
    ck_assert_str_eq(found, rows[_i].unmatched);
    end_run(&run);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, says_why_rules_do_not_match, rows, rules, job);
}
