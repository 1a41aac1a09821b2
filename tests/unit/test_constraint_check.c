/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/resolutions.h"
#include "unit/grove_resolutions.h"

/* ---- constraint check ---- */

#define C(members) "'constraints':[{'name':'c','match':{}," members "}]"
#define VOLCANO ",'defaultBackend':'volcano'"
#define CO ",'defaultBackend':'coscheduling'"
#define QUEUE(name) "template='annotations':{'scheduling.volcano.sh/queue-name':'" name "'}"
#define CLASS(name) "'priorityClassName':'" name "',"
#define TIMEOUT(seconds) "gang={'coscheduling':{'scheduleTimeoutSeconds':" seconds "}}"
#define PLACEHOLDERS(seconds)                                                                      \
    ",'backends':[{'name':'y','type':'YuniKorn','yunikorn':{'placeholderTimeoutSeconds':" seconds  \
    "}}],'defaultBackend':'y'"
#define MARK "template='labels':{'scheduling.x-k8s.io/pod-group':'mine'}"
#define WARN ",'enforcement':'Warn'"
#define DENIES "ConstraintDenies"
#define NODES(list) "'nodes':[" list "]"
#define GPUS(name, count)                                                                          \
    "{'name':'" name "','allocatable':{'nvidia.com/gpu':'" count "','memory':'8Gi'}}"
#define FIT_DENIED "spec.constraints[0].mustFit: Forbidden: a gang that can never fit is refused "
#define FIT_UNKNOWN(why)                                                                           \
    "spec.constraints[0].mustFit: not known: " why                                                 \
    ", so whether the nodes can hold the gang is not checked"
#define BY_C " by the constraint c of the policy p"

/* What becomes of one gang under constraints; the trace is that of the backend and the same for
 * all. */
static const struct constraint_case {
    const char *policy, *job;
    enum gang_outcome outcome;
    const char *findings;
} constraints[] = {
    /* Backends. */
    {C("'allowedBackends':['volcano']") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'allowedBackends':['coscheduling','volcano']") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'allowedBackends':['coscheduling']") VOLCANO, "", GANG_OUTCOME_DENIED, DENIES},
    {C("'allowedBackends':['coscheduling']" WARN) VOLCANO, "", GANG_OUTCOME_GANG,
     "ConstraintWarns"},
    {C("'allowedBackends':['coscheduling']"), "gang={'volcano':{}}", GANG_OUTCOME_DENIED, DENIES},
    {"'backends':[{'name':'v','type':'Volcano'},{'name':'w','type':'Volcano','schedulerName':'w'}],"
     "'defaultBackend':'w'," C("'allowedBackends':['v']"),
     "", GANG_OUTCOME_DENIED, DENIES},
    /* Queues: globs; the scheduler's own counts for a gang that names none. */
    {C("'allowedQueues':['research-*']") VOLCANO, QUEUE("research-nlp"), GANG_OUTCOME_GANG, ""},
    {C("'allowedQueues':['research-*']") VOLCANO, QUEUE("prod"), GANG_OUTCOME_DENIED, DENIES},
    {C("'allowedQueues':['research-*','prod']") VOLCANO, QUEUE("prod"), GANG_OUTCOME_GANG, ""},
    {C("'allowedQueues':['research-*']") VOLCANO, "", GANG_OUTCOME_DENIED, DENIES},
    {C("'allowedQueues':['default']") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'allowedQueues':['research-*']") CO, "", GANG_OUTCOME_GANG, ""},
    {C("'allowedQueues':['research-*']") ",'defaults':{'backend':'volcano','queue':{'name':'"
                                         "research-a'}}",
     "", GANG_OUTCOME_GANG, ""},
    {C("'allowedQueues':['research-*']") ",'defaults':{'backend':'volcano','queue':{'name':'shared'"
                                         "}}",
     "", GANG_OUTCOME_DENIED, DENIES},
    {C("'allowedQueues':['research-*']" WARN) VOLCANO, QUEUE("prod"), GANG_OUTCOME_GANG,
     "ConstraintWarns"},
    {C("'requireQueue':true") VOLCANO, QUEUE("q"), GANG_OUTCOME_GANG, ""},
    {C("'requireQueue':true") VOLCANO, "", GANG_OUTCOME_DENIED, DENIES},
    {C("'requireQueue':true,'allowedQueues':['q']") VOLCANO, "", GANG_OUTCOME_DENIED,
     DENIES " " DENIES},
    /* Priority classes: of every pod of the job, of the gang when the policy gives it. */
    {C("'allowedPriorityClassNames':['low','mid']") VOLCANO, "node=" CLASS("mid"),
     GANG_OUTCOME_GANG, ""},
    {C("'allowedPriorityClassNames':['low']") VOLCANO, "node=" CLASS("high"), GANG_OUTCOME_DENIED,
     DENIES},
    {C("'allowedPriorityClassNames':['low']") VOLCANO, "data=" CLASS("high"), GANG_OUTCOME_DENIED,
     DENIES},
    {C("'allowedPriorityClassNames':['low']") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'allowedPriorityClassNames':['low']") VOLCANO, "data=" CLASS("high") ";node=" CLASS("high"),
     GANG_OUTCOME_DENIED, DENIES " " DENIES},
    {C("'allowedPriorityClassNames':['low']") ",'defaults':{'backend':'volcano','priorityClassName'"
                                              ":{'name':'"
                                              "low'}}",
     "", GANG_OUTCOME_GANG, ""},
    {C("'allowedPriorityClassNames':['low']") ",'defaults':{'backend':'volcano','priorityClassName'"
                                              ":{'name':'"
                                              "top'}}",
     "", GANG_OUTCOME_DENIED, DENIES},
    {C("'allowedPriorityClassNames':['low']") ",'rules':[{'name':'r','match':{},'backend':'volcano'"
                                              ","
                                              "'priorityClassName':{'name':'low','override':'"
                                              "Always'}}]",
     "node=" CLASS("high"), GANG_OUTCOME_GANG, "OverriddenByPolicy"},
    {C("'allowedPriorityClassNames':['low']" WARN) VOLCANO, "node=" CLASS("high"),
     GANG_OUTCOME_GANG, "ConstraintWarns"},
    /* Members: at the bound and one above; roles outside do not count. */
    {C("'maxMembers':2") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'maxMembers':1") VOLCANO, "", GANG_OUTCOME_DENIED, DENIES},
    {C("'maxMembers':512") VOLCANO, "job='trainer':{'numNodes':513},", GANG_OUTCOME_DENIED, DENIES},
    {C("'maxMembers':512") VOLCANO, "job='trainer':{'numNodes':512},", GANG_OUTCOME_GANG, ""},
    /* Timeouts: at either bound and one beyond. A gang without one is not judged. */
    {C("'minTimeoutSeconds':60"), TIMEOUT("60"), GANG_OUTCOME_GANG, ""},
    {C("'minTimeoutSeconds':60"), TIMEOUT("59"), GANG_OUTCOME_DENIED, DENIES},
    {C("'maxTimeoutSeconds':60"), TIMEOUT("60"), GANG_OUTCOME_GANG, ""},
    {C("'maxTimeoutSeconds':60"), TIMEOUT("61"), GANG_OUTCOME_DENIED, DENIES},
    {C("'maxTimeoutSeconds':59"), "gang={'coscheduling':{}}", GANG_OUTCOME_DENIED, DENIES},
    {C("'maxTimeoutSeconds':59") VOLCANO, "", GANG_OUTCOME_GANG, ""},
    {C("'maxTimeoutSeconds':60") PLACEHOLDERS("60"), "", GANG_OUTCOME_GANG, ""},
    {C("'maxTimeoutSeconds':60") PLACEHOLDERS("61"), "", GANG_OUTCOME_DENIED, DENIES},
    /* One that libgang computes is rendered, from 3600 to 3959 seconds. */
    {C("'maxTimeoutSeconds':3599") ",'defaultBackend':'yunikorn'", "", GANG_OUTCOME_DENIED, DENIES},
    {C("'maxTimeoutSeconds':3959,'minTimeoutSeconds':3600") ",'defaultBackend':'yunikorn'", "",
     GANG_OUTCOME_GANG, ""},
    {C("'minTimeoutSeconds':3960") ",'defaultBackend':'yunikorn'", "", GANG_OUTCOME_DENIED, DENIES},
    {C("'maxTimeoutSeconds':600,'minTimeoutSeconds':60"), TIMEOUT("300"), GANG_OUTCOME_GANG, ""},
    {C("'maxTimeoutSeconds':60" WARN), TIMEOUT("61"), GANG_OUTCOME_GANG, "ConstraintWarns"},
    /* Those that match, all of them; those that do not, none. */
    {"'constraints':[{'name':'a','match':{'namespaces':['x']},'maxMembers':1}]" VOLCANO, "",
     GANG_OUTCOME_GANG, ""},
    {"'constraints':[{'name':'a','match':{},'exclude':{'namespaces':['ml']},'maxMembers':1}"
     "]" VOLCANO,
     "", GANG_OUTCOME_GANG, ""},
    {"'constraints':[{'name':'a','match':{'namespaces':['ml']},'maxMembers':1},"
     "{'name':'b','match':{},'allowedBackends':['coscheduling']}]" VOLCANO,
     "", GANG_OUTCOME_DENIED, DENIES " " DENIES},
    {"'constraints':[{'name':'a','match':{'namespaces':['ml']},'maxMembers':1},"
     "{'name':'b','match':{},'requireQueue':true" WARN "}]" VOLCANO,
     "", GANG_OUTCOME_DENIED, DENIES " ConstraintWarns"},
    {"'constraints':[{'name':'a','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':9}"
     "]" VOLCANO,
     "", GANG_OUTCOME_INVALID, "NamespaceNotKnown"},
    {"'constraints':[{'name':'a','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':9},"
     "{'name':'b','match':{},'maxMembers':1}]" VOLCANO,
     "", GANG_OUTCOME_INVALID, "NamespaceNotKnown " DENIES},
    /* Gangs alone. */
    {C("'requireQueue':true"), "", GANG_OUTCOME_NO_GANG, ""},
    {C("'allowedBackends':['coscheduling']") ",'rules':[{'name':'r','match':{},'action':'Skip'}]",
     "gang={'volcano':{}}", GANG_OUTCOME_NO_GANG, ""},
    {"'constraints':[{'name':'a','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':9}]",
     "", GANG_OUTCOME_NO_GANG, ""},
    /* An invalid input has precedence over a denial by a constraint; both are reported. */
    {C("'maxMembers':1") VOLCANO, "data='schedulerName':'mine',", GANG_OUTCOME_INVALID,
     "SchedulerMismatch " DENIES},
    /*
     * Marks that the job pre-sets: warnings if all matching constraints with `reservedKeys` say
     * Warn.
     */
    {"'runtimePolicy':'Honor'" VOLCANO, MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {C("'reservedKeys':'Deny'") VOLCANO, MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {C("'reservedKeys':'Warn'") VOLCANO, MARK, GANG_OUTCOME_GANG, "ReservedMark"},
    {C("'reservedKeys':'Warn'"), MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {C("'maxMembers':9") VOLCANO, MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {C("'reservedKeys':'Warn','maxMembers':1") VOLCANO, MARK, GANG_OUTCOME_DENIED,
     "ReservedMark " DENIES},
    {"'constraints':[{'name':'a','match':{'namespaces':['x']},'reservedKeys':'Warn'}]" VOLCANO,
     MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {"'constraints':[{'name':'a','match':{},'reservedKeys':'Warn'},"
     "{'name':'b','match':{'namespaces':['ml']},'reservedKeys':'Deny'}]" VOLCANO,
     MARK, GANG_OUTCOME_INVALID, "ReservedMark"},
    {"'constraints':[{'name':'a','match':{'namespaces':['x']},'reservedKeys':'Deny'},"
     "{'name':'b','match':{},'reservedKeys':'Warn'}]" VOLCANO,
     MARK, GANG_OUTCOME_GANG, "ReservedMark"},
    /* The attacks of a tenant, each refused: a mark in a patch, another team's queue, a class above
       its own. */
    {C("'reservedKeys':'Deny'") VOLCANO,
     "job='runtimePatches':[{'manager':'x.io/"
     "y','trainingRuntimeSpec':{'template':{'metadata':{'annotations':"
     "{'scheduling.k8s.io/group-name':'theirs'}}}}}],",
     GANG_OUTCOME_INVALID, "ReservedMark"},
    {C("'allowedQueues':['team-a']") VOLCANO,
     "job='runtimePatches':[{'manager':'x.io/"
     "y','trainingRuntimeSpec':{'template':{'metadata':{'annotations':"
     "{'scheduling.volcano.sh/queue-name':'team-b'}}}}}],",
     GANG_OUTCOME_DENIED, DENIES},
    /* In compatibility constraints hold all the same. */
    {"'compatibility':'KubeflowTrainer'," C("'maxMembers':2"), "gang={'volcano':{}}",
     GANG_OUTCOME_DENIED,
     "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock " DENIES},
};

START_TEST(constraint_outcomes)
{
    const struct constraint_case *wanted = &constraints[_i];
    const struct resolution row = {wanted->policy,  wanted->job,      NULL,
                                   wanted->outcome, wanted->findings, NULL};

    check_outcome(&row);
}
END_TEST

/* The message names the constraint, the policy and what is allowed, at the value where somebody
 * wrote one. */
static const struct {
    const char *policy, *job;
    enum gang_code code;
    const char *message;
} messages[] = {
    {C("'allowedBackends':['coscheduling']") VOLCANO, "", GANG_CODE_CONSTRAINT_DENIES,
     "spec.constraints[0].allowedBackends: Forbidden: backend \"volcano\" is not allowed (allowed: "
     "\"coscheduling\") by "
     "the constraint c of the policy p"},
    {C("'allowedQueues':['a-*','b']") VOLCANO, QUEUE("prod"), GANG_CODE_CONSTRAINT_DENIES,
     "spec.template.metadata.annotations[scheduling.volcano.sh/queue-name]: Forbidden: queue "
     "\"prod\" is not "
     "allowed "
     "(allowed: \"a-*\", \"b\") by the constraint c of the policy p"},
    {C("'allowedQueues':['a-*']") VOLCANO, "", GANG_CODE_CONSTRAINT_DENIES,
     "spec.constraints[0].allowedQueues: Forbidden: queue \"default\" is not allowed (allowed: "
     "\"a-*\") by "
     "the "
     "constraint c of the policy p"},
    {C("'allowedQueues':['a-*']") ",'defaultBackend':'koordinator'", "", GANG_CODE_NOT_CHECKED,
     "spec.constraints[0].allowedQueues: not known: the gang names no queue, so whether the one "
     "that the scheduler chooses is allowed is not checked"},
    {C("'requireQueue':true" WARN) VOLCANO, "", GANG_CODE_CONSTRAINT_WARNS,
     "spec.constraints[0].requireQueue: Forbidden: a gang that names no queue is refused by the "
     "constraint c "
     "of the "
     "policy p"},
    {C("'allowedPriorityClassNames':['low']") VOLCANO, "data=" CLASS("high"),
     GANG_CODE_CONSTRAINT_DENIES,
     "spec.template.spec.replicatedJobs[0].template.spec.template.spec.priorityClassName: "
     "Forbidden: "
     "priorityClassName "
     "\"high\" is not allowed (allowed: \"low\") by the constraint c of the policy p"},
    {C("'maxMembers':1") VOLCANO, "", GANG_CODE_CONSTRAINT_DENIES,
     "spec.constraints[0].maxMembers: Forbidden: 2 members are more than the 1 allowed by the "
     "constraint c "
     "of the "
     "policy p"},
    {C("'minTimeoutSeconds':60"), TIMEOUT("59"), GANG_CODE_CONSTRAINT_DENIES,
     "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds: Forbidden: a timeout of 59 seconds "
     "is less "
     "than the 60 "
     "allowed by the constraint c of the policy p"},
    {C("'maxTimeoutSeconds':60"), TIMEOUT("61"), GANG_CODE_CONSTRAINT_DENIES,
     "spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds: Forbidden: a timeout of 61 seconds "
     "is more "
     "than the 60 "
     "allowed by the constraint c of the policy p"},
    {"'constraints':[{'name':'a','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':9}"
     "]" VOLCANO,
     "", GANG_CODE_NAMESPACE_NOT_KNOWN,
     "spec.constraints[0].match.namespaceSelector: constraint a depends on the labels of the "
     "namespace ml, which the cluster facts do not contain"},
};

START_TEST(a_violation_names_its_constraint)
{
    const struct resolution row = {messages[_i].policy, messages[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);

    check_message(run.decision, messages[_i].code, messages[_i].message);
    end_run(&run);
}
END_TEST

/* Two pods of node need 2 GPUs and 1Gi each. */
static const struct {
    const char *job, *cluster;
    enum gang_code code;
    const char *message;
} fits[] = {
    {"", "'deviceClasses':[]," NODES(GPUS("a", "3") "," GPUS("b", "0")),
     GANG_CODE_CONSTRAINT_DENIES,
     FIT_DENIED "(it needs 2 pods at once, and 2 nodes hold at most 1 of them)" BY_C},
    {"", NODES(GPUS("a", "1")), GANG_CODE_CONSTRAINT_DENIES,
     FIT_DENIED "(a pod of \"node\" needs 2 nvidia.com/gpu on one node, and the largest of 1 node "
                "has 1)" BY_C},
    {"node='nodeSelector':{'zone':'a'},", NODES(GPUS("a", "8")), GANG_CODE_CONSTRAINT_DENIES,
     FIT_DENIED "(no node has the labels that the selector and affinity of its pods name)" BY_C},
    {"", NULL, GANG_CODE_NOT_CHECKED, FIT_UNKNOWN("no GangCluster is given")},
    {"", "'nodes':[],'limitRanges':[]", GANG_CODE_NOT_CHECKED,
     FIT_UNKNOWN("the GangCluster has no nodes")},
};

START_TEST(what_can_never_fit_is_told)
{
    const struct resolution row = {
        C("'mustFit':'WhenEmpty'") VOLCANO, fits[_i].job, fits[_i].cluster, 0, "", ""};
    struct run run = run_resolution(&row);

    check_message(run.decision, fits[_i].code, fits[_i].message);
    ck_assert_int_eq(run.decision->constraint_verdicts[0], fits[_i].code == GANG_CODE_NOT_CHECKED
                                                               ? CONSTRAINT_UNKNOWN
                                                               : CONSTRAINT_BROKEN);
    end_run(&run);
}
END_TEST

/* What is denied has neither objects nor patches. */
START_TEST(denied_job_has_no_gang)
{
    const struct resolution row = {C("'maxMembers':1") VOLCANO, "",     NULL,
                                   GANG_OUTCOME_DENIED,         DENIES, NULL};
    struct run run = run_resolution(&row);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    const char *text = gang_blob_get_data(blob, NULL);

    ck_assert_uint_eq(gang_plan_num_objects(plan), 0);
    ck_assert_ptr_nonnull(strstr(text, "\"outcome\":\"Denied\""));
    ck_assert_ptr_nonnull(
        strstr(text, "\"objects\":[],\"patches\":[],\"predictions\":[],\"losses\":[]"));
    ck_assert_ptr_null(gang_decision_get_backend(run.decision));
    ck_assert_int_eq(gang_error_get_code(run.error), GANG_ERROR_DENIED);
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* ---- what a decision used of its policy ---- */

/* The matching rule, the settings that decided and the verdicts, in the words of the policy. */
static const struct {
    const char *policy, *job, *used;
} uses[] = {
    {"'defaultBackend':'volcano','defaults':{'queue':{'name':'q'}}", "",
     "backend spec.defaultBackend\nqueue spec.defaults.queue\n"},
    /* a value of the job decides, so the setting does not */
    {"'defaultBackend':'volcano','defaults':{'queue':{'name':'q'}}", QUEUE("mine"),
     "backend spec.defaultBackend\n"},
    {"'defaultBackend':'volcano','rules':[{'name':'a','match':{'namespaces':['x']},'queue':{'name':"
     "'q'}},{'name':'b','match':{},'queue':{'name':'r','override':'Always'}}]",
     QUEUE("mine"),
     "rule b spec.rules[1]\nbackend spec.defaultBackend\nqueue spec.rules[1].queue\n"},
    /* a rule that sets nothing, or leaves the job alone, matches all the same */
    {"'rules':[{'name':'a','match':{}}]", "", "rule a spec.rules[0]\n"},
    {"'rules':[{'name':'a','match':{},'action':'Skip'}],'constraints':[{'name':'c','match':{},"
     "'maxMembers':1}]",
     "gang={'volcano':{}}", "rule a spec.rules[0]\n"},
    /* what no job can set: the rule's, otherwise that of the defaults */
    {"'defaultBackend':'volcano','defaults':{'reserve':'Never','resources':'RequestsOnly'},"
     "'rules':[{'name':'a','match':{},'reserve':'Always'}]",
     "",
     "rule a spec.rules[0]\nbackend spec.defaultBackend\nresources spec.defaults.resources\n"
     "reserve spec.rules[0].reserve\n"},
    {"'defaults':{'reserve':'Never'}", "", ""},
    {"'backends':[{'name':'c','type':'Coscheduling','schedulerName':'s','coscheduling':{"
     "'scheduleTimeoutSeconds':9}}],'defaultBackend':'c'",
     "",
     "backend spec.defaultBackend\nschedulerName spec.backends[0].schedulerName\n"
     "scheduleTimeoutSeconds spec.backends[0].coscheduling.scheduleTimeoutSeconds\n"},
    {"'constraints':[{'name':'a','match':{},'maxMembers':2},{'name':'b','match':{},'maxMembers':1},"
     "{'name':'c','match':{'namespaces':['x']},'maxMembers':1},{'name':'d','match':{},'maxMembers':"
     "1" WARN "}]" VOLCANO,
     "",
     "backend spec.defaultBackend\na spec.constraints[0] Held\nb spec.constraints[1] Broken\n"
     "d spec.constraints[3] Broken\n"},
    {C("'reservedKeys':'Warn'") VOLCANO, MARK,
     "backend spec.defaultBackend\nc spec.constraints[0] Broken\n"},
    {C("'reservedKeys':'Warn'") VOLCANO, "",
     "backend spec.defaultBackend\nc spec.constraints[0] Held\n"},
    {C("'maxMembers':9") VOLCANO, MARK,
     "backend spec.defaultBackend\nc spec.constraints[0] Held\n"},
    {"'constraints':[{'name':'a','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}}}]" VOLCANO,
     "", "backend spec.defaultBackend\na spec.constraints[0] Unknown\n"},
    /* a check that lacks facts; one of its other checks that does not hold has precedence */
    {C("'mustFit':'WhenEmpty','maxMembers':2") VOLCANO, "",
     "backend spec.defaultBackend\nc spec.constraints[0] Unknown\n"},
    {C("'mustFit':'WhenEmpty','maxMembers':1") VOLCANO, "",
     "backend spec.defaultBackend\nc spec.constraints[0] Broken\n"},
    {C("'mustFit':'WhenEmpty','reservedKeys':'Warn'") VOLCANO, MARK,
     "backend spec.defaultBackend\nc spec.constraints[0] Broken\n"},
    {C("'allowedQueues':['a']") ",'defaultBackend':'yunikorn'", "",
     "backend spec.defaultBackend\nc spec.constraints[0] Unknown\n"},
    {C("'allowedQueues':['a'],'requireQueue':true") ",'defaultBackend':'koordinator'", "",
     "backend spec.defaultBackend\nc spec.constraints[0] Broken\n"},
    {C("'allowedQueues':['a']") CO, "",
     "backend spec.defaultBackend\nc spec.constraints[0] Held\n"},
    /* only jobs with a backend are judged */
    {C("'maxMembers':1"), "", ""},
};

/* Adds "NAME PATH VERDICT", without what is absent. The policy has one line. */
static void
add_use(const struct node *item, char *out, size_t size)
{
    static const char *const fields[] = {"attribute", "name", "path", "verdict"};
    int64_t line = 0;

    ck_assert(!item || (node_int(node_member(item, SLICE("line")), &line) && line == 1));
    for (size_t i = 0; item && i < COUNT_OF(fields); i++) {
        const struct slice text = node_string(node_member(item, slice_from_text(fields[i])));
        const size_t len = strlen(out);

        if (text.len)
            snprintf(out + len, size - len, "%s%.*s", i > 1 ? " " : "", SLICE_ARG(text));
    }
    if (item)
        snprintf(out + strlen(out), size - strlen(out), "\n");
}

START_TEST(a_decision_lists_what_it_used)
{
    const struct resolution row = {uses[_i].policy, uses[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    struct builder document = build_map(arena);
    char found[1024] = "";
    const struct node *use;

    attributes_trace(run.decision, &trace);
    policy_use_build(run.decision, &trace, &document);
    use = node_member(document.node, SLICE("policy"));
    ck_assert(slice_equal(node_string(node_member(use, SLICE("name"))), SLICE("p")));
    if (node_member(use, SLICE("rule")))
        snprintf(found, sizeof(found), "rule ");
    add_use(node_member(use, SLICE("rule")), found, sizeof(found));
    for (NODE_EACH(setting, node_member(use, SLICE("settings"))))
        add_use(setting, found, sizeof(found));
    for (NODE_EACH(constraint, node_member(use, SLICE("constraints"))))
        add_use(constraint, found, sizeof(found));
    ck_assert_str_eq(found, uses[_i].used);
    end_run(&run);
    arena_free(arena);
}
END_TEST

START_TEST(without_a_policy_nothing_is_used)
{
    const struct resolution row = {NULL, "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    struct builder document = build_map(arena);

    policy_use_build(run.decision, &trace, &document);
    ck_assert_ptr_null(node_member(document.node, SLICE("policy")));
    end_run(&run);
    arena_free(arena);
}
END_TEST

/* ---- judgement ---- */

/* A rule that denies, a constraint that does, an input that is wrong: what the decision comes to,
 * first of trainjobs. */
#define BOUND(members) "'constraints':[{'name':'c','match':{}," members "}]"
#define DENY "'rules':[{'name':'r','match':{},'action':'Deny'}]"
#define SKIP "'rules':[{'name':'r','match':{},'action':'Skip'}]"

static const struct resolution of_trainjobs[] = {
    {NULL, "gang={'volcano':{}}", NULL, GANG_OUTCOME_GANG, "", ""},
    {NULL, "", NULL, GANG_OUTCOME_NO_GANG, "", ""},
    {DENY, "gang={'volcano':{}}", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {BOUND("'maxMembers':1"), "gang={'volcano':{}}", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies",
     ""},
    {BOUND("'maxMembers':1"), "", NULL, GANG_OUTCOME_NO_GANG, "", ""},
};

START_TEST(trainjobs)
{
    check_outcome(&of_trainjobs[_i]);
}
END_TEST

#define KAI "scheduler=kai-scheduler;set=,'labels':{'kai.scheduler/queue':'mine'}"
#define BACKENDS "'backends':[{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'}],"
#define JUDGEMENT_CLASS "podgang='priorityClassName':'own',"

static const struct resolution of_podgangs[] = {
    {NULL, "", NULL, GANG_OUTCOME_GANG, "", ""},
    {NULL, "scheduler=default-scheduler", NULL, GANG_OUTCOME_NO_GANG, "", ""},
    {DENY, "", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {DENY "," BOUND("'maxMembers':1"), "", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {SKIP, "", NULL, GANG_OUTCOME_NO_GANG, "", ""},
    /* a rule that denies has precedence over what is wrong, a constraint behind it */
    {DENY, "scheduler=nobody", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {BOUND("'maxMembers':1"), "scheduler=nobody", NULL, GANG_OUTCOME_INVALID, "SchedulerNotEnabled",
     ""},
    {BOUND("'maxMembers':1"), "router='schedulerName':'kai-scheduler',", NULL, GANG_OUTCOME_INVALID,
     "ConstraintDenies SchedulerMismatch SchedulersDisagree", ""},
    /* members */
    {BOUND("'maxMembers':3"), "", NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'maxMembers':2"), "", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'maxMembers':2" WARN), "", NULL, GANG_OUTCOME_GANG, "ConstraintWarns", ""},
    /* backends, by the policy's names; without a list of them by their types */
    {BACKENDS BOUND("'allowedBackends':['k']"), "", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies",
     ""},
    {BACKENDS BOUND("'allowedBackends':['v']"), "", NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'allowedBackends':['kai']"), "", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedBackends':['volcano']"), "", NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'allowedBackends':['kai']"), "scheduler=lpx-scheduler", NULL, GANG_OUTCOME_NO_GANG, "",
     ""},
    /* queues, also default ones */
    {BOUND("'allowedQueues':['mi*']"), KAI, NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'allowedQueues':['other']"), KAI, NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedQueues':['other']"), "", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedQueues':['default']"), "", NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'requireQueue':true"), "", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'requireQueue':true"), KAI, NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'requireQueue':true") ",'defaults':{'queue':{'name':'q'}}", "", NULL, GANG_OUTCOME_GANG,
     "", ""},
    /* classes: of the PodGang, of its pods, of the policy */
    {BOUND("'allowedPriorityClassNames':['low']"), "", NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'allowedPriorityClassNames':['low']"), JUDGEMENT_CLASS, NULL, GANG_OUTCOME_DENIED,
     "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['low']"), "podgang='priorityClassName':'x',", NULL,
     GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['own']"), JUDGEMENT_CLASS, NULL, GANG_OUTCOME_GANG, "",
     ""},
    {BOUND("'allowedPriorityClassNames':['own']"),
     JUDGEMENT_CLASS ";router='priorityClassName':'high',", NULL, GANG_OUTCOME_DENIED,
     "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['low']") ",'rules':[{'name':'r','priorityClassName':{'"
                                                  "name':'low',"
                                                  "'override':'Always'}}]",
     JUDGEMENT_CLASS ";router='priorityClassName':'high',", NULL, GANG_OUTCOME_GANG,
     "OverriddenByPolicy", ""},
    /* timeouts that a policy sets are bounded though nothing keeps them */
    {BOUND("'maxTimeoutSeconds':30") ",'defaults':{'scheduleTimeoutSeconds':60}", "", NULL,
     GANG_OUTCOME_DENIED, "FieldLost ConstraintDenies", ""},
    /* which PodGangs a constraint is about */
    {"'constraints':[{'name':'c','match':{'podGangSelector':{'matchLabels':{'a':'b'}}},'maxMembers'"
     ":1}]",
     "", NULL, GANG_OUTCOME_GANG, "", ""},
    {"'constraints':[{'name':'c','match':{'podGangSelector':{'matchLabels':{'a':'b'}}},'maxMembers'"
     ":1}]",
     "labels='a':'b',", NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {"'constraints':[{'name':'c','match':{'minNodes':1},'maxMembers':1}]", "", NULL,
     GANG_OUTCOME_GANG, "", ""},
    {"'constraints':[{'name':'c','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':9}]",
     "", NULL, GANG_OUTCOME_INVALID, "NamespaceNotKnown", ""},
    {"'constraints':[{'name':'c','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'"
     "maxMembers':1}]",
     "", "'namespaces':[{'name':'ml','labels':{'a':'b'}}]", GANG_OUTCOME_DENIED, "ConstraintDenies",
     ""},
    /* a PodCliqueSet alone is held against what its PodGangs will be */
    {BOUND("'allowedQueues':['other']"),
     KAI ";documents=set;router='schedulerName':'kai-scheduler',", NULL, GANG_OUTCOME_INVALID,
     "ConstraintDenies SchedulersDisagree", ""},
    {BOUND("'allowedQueues':['other']") ",'defaults':{'backend':'kai'}", KAI ";documents=set", NULL,
     GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedQueues':['mine']") ",'defaults':{'backend':'kai'}", KAI ";documents=set", NULL,
     GANG_OUTCOME_NO_GANG, "", ""},
    {BOUND("'allowedPriorityClassNames':['low']") ",'defaults':{'backend':'volcano'}",
     "documents=set;template='priorityClassName':'high',", NULL, GANG_OUTCOME_DENIED,
     "ConstraintDenies", ""},
};

START_TEST(podgangs)
{
    check_grove_outcome(&of_podgangs[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, constraint_outcomes, constraints, policy, job);
    add_rows(cases, a_violation_names_its_constraint, messages, policy, job);
    add_rows(cases, what_can_never_fit_is_told, fits, job, cluster);
    tcase_add_test(cases, denied_job_has_no_gang);
    add_rows(cases, a_decision_lists_what_it_used, uses, policy, job);
    tcase_add_test(cases, without_a_policy_nothing_is_used);
    add_rows(cases, trainjobs, of_trainjobs, policy, job, cluster);
    add_rows(cases, podgangs, of_podgangs, policy, job, cluster);
}
