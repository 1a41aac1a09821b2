/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/grove_resolutions.h"

#define BACKENDS "'backends':[{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'}]"
#define RULE(members) BACKENDS ",'rules':[{'name':'r','match':{}," members "}]"
#define DEFAULTS(members) BACKENDS ",'defaults':{" members "}"
#define KAI "scheduler=kai-scheduler"
#define QUEUE_OF_SET ";set=,'labels':{'kai.scheduler/queue':'mine'}"
#define ON_SET "mine podcliqueset metadata.labels[kai.scheduler/queue]:1 "
#define QUEUE_UNSET "- podgang Unset no document names a queue\n"
#define NO_RULE "- policy spec.rules[0].queue:1 Unset rule r does not say\n"
#define RULE_FOR(queue) queue " policy spec.rules[0].queue:1 "
#define INSIST "; write override: Always to choose first\n"
#define ALWAYS "rule r with override Always stands before\n"

/*
 * Where the queue comes from: users' documents before a rule that gives way to them, after one that
 * does not. Volcano's default and KAI's lack of one:
 * ai-dynamo/grove:operator/internal/scheduler/{volcano/queue,kai/backend}.go@fcc3b3bb.
 */
static const struct resolution queues[] = {
    {NULL, KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "", ON_SET "Chosen a document names it\n"},
    {NULL, KAI, NULL, GANG_OUTCOME_INVALID, "GroveQueueMissing", QUEUE_UNSET},
    {NULL, "", NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET "default - Chosen Grove's default for this scheduler\n"},
    /* a rule fills in what the documents leave out, which is then no error */
    {RULE("'queue':{'name':'q'}"), KAI, NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"},
    {RULE("'queue':{'name':'q'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "",
     ON_SET "Chosen a document names it\n" RULE_FOR(
         "q") "Overridden rule r: Grove's documents stand before" INSIST},
    {RULE("'queue':{'name':'q'}"), "", NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\ndefault - Overridden rule r stands before\n"},
    {RULE("'queue':{'name':'q','override':'Always'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG,
     "OverriddenByPolicy", RULE_FOR("q") "Chosen rule r (Always)\n" ON_SET "Overridden " ALWAYS},
    {RULE("'queue':{'name':'q'}") ",'defaults':{'queue':{'name':'d'}}", "", NULL, GANG_OUTCOME_GANG,
     "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"
                               "d policy spec.defaults.queue:1 Overridden rule r stands before\n"
                               "default - Overridden rule r stands before\n"},
    {RULE("'queue':{'name':'q'}"), "annotations='scheduling.grove.io/volcano-queue':'a'", NULL,
     GANG_OUTCOME_GANG, "",
     "a podgang metadata.annotations[scheduling.grove.io/volcano-queue]:1 Chosen a document names "
     "it\n" RULE_FOR("q") "Overridden rule r: Grove's documents stand before" INSIST},
    {DEFAULTS("'queue':{'name':'q'}"), KAI, NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET "q policy spec.defaults.queue:1 Chosen the policy's defaults\n"},
    {DEFAULTS("'queue':{'name':'q'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "",
     ON_SET "Chosen a document names it\n"
            "q policy spec.defaults.queue:1 Overridden Grove's documents stand before\n"},
    {RULE("'backend':'k'"), KAI, NULL, GANG_OUTCOME_INVALID, "GroveQueueMissing",
     QUEUE_UNSET NO_RULE},
    /* who cannot tell whether the documents name one does not guess, unless it does not matter */
    {RULE("'queue':{'name':'q'}"), KAI ";documents=podgang", NULL, GANG_OUTCOME_INVALID,
     "PodgangOwner", QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"},
    {RULE("'queue':{'name':'q','override':'Always'}"), KAI ";documents=podgang", NULL,
     GANG_OUTCOME_GANG, "",
     RULE_FOR("q") "Chosen rule r (Always)\n- podgang Unset no document names a queue\n"},
    /* names made of the PodGang */
    {RULE("'queue':{'fromNamespace':{'prefix':'n-'}}"), KAI, NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("n-ml") "Chosen rule r\n"},
    {RULE("'queue':{'fromLabel':{'key':'team'}}"), KAI ";labels='team':'red',", NULL,
     GANG_OUTCOME_GANG, "", QUEUE_UNSET RULE_FOR("red") "Chosen rule r\n"},
    {RULE("'queue':{'fromLabel':{'key':'team'}}"), KAI, NULL, GANG_OUTCOME_INVALID,
     "QueueNotDerived",
     QUEUE_UNSET "- policy spec.rules[0].queue:1 Refused rule r: the job lacks the label\n"},
    {RULE("'queue':{'fromNamespace':{}}"), KAI ";namespace=-", NULL, GANG_OUTCOME_INVALID,
     "QueueNotDerived",
     QUEUE_UNSET
     "- policy spec.rules[0].queue:1 Refused rule r: the job's namespace is not known\n"},
    /* two queues */
    {NULL, KAI QUEUE_OF_SET ";labels='kueue.x-k8s.io/queue-name':'x',", NULL, GANG_OUTCOME_GANG,
     "TwoQueues", ON_SET "Chosen a document names it\n"},
};

START_TEST(queues_of_documents_and_policies)
{
    check_grove_resolution(&queues[_i], TRACE_QUEUE);
}
END_TEST

#define CLASS_UNSET "- podgang Unset the PodGang names no class\n"
#define CLASS "podgang='priorityClassName':'own',"
#define OWN "own podgang spec.priorityClassName:1 "

static const struct resolution classes[] = {
    {NULL, "", NULL, GANG_OUTCOME_GANG, "", CLASS_UNSET},
    {NULL, "podgang='priorityClassName':\"\",", NULL, GANG_OUTCOME_GANG, "",
     "- podgang spec.priorityClassName:1 Unset the PodGang names no class\n"},
    {NULL, CLASS, NULL, GANG_OUTCOME_GANG, "", OWN "Chosen the PodGang names it\n"},
    {RULE("'priorityClassName':{'name':'high'}"), "", NULL, GANG_OUTCOME_GANG, "",
     CLASS_UNSET "high policy spec.rules[0].priorityClassName:1 Chosen rule r\n"},
    {RULE("'priorityClassName':{'name':'high'}"), CLASS, NULL, GANG_OUTCOME_GANG, "",
     OWN "Chosen the PodGang names it\nhigh policy spec.rules[0].priorityClassName:1 Overridden "
         "rule r: "
         "the PodGang stands before" INSIST},
    {RULE("'priorityClassName':{'name':'high','override':'Always'}"), CLASS, NULL,
     GANG_OUTCOME_GANG, "OverriddenByPolicy",
     "high policy spec.rules[0].priorityClassName:1 Chosen rule r (Always)\n" OWN
     "Overridden " ALWAYS},
    {DEFAULTS("'priorityClassName':{'name':'low'}"), "", NULL, GANG_OUTCOME_GANG, "",
     CLASS_UNSET "low policy spec.defaults.priorityClassName:1 Chosen the policy's defaults\n"},
    /* the pods' own class is beside that of the PodGang */
    {NULL, "router='priorityClassName':'pods',", NULL, GANG_OUTCOME_GANG, "", CLASS_UNSET},
};

START_TEST(priority_classes_of_documents_and_policies)
{
    check_grove_resolution(&classes[_i], TRACE_PRIORITY_CLASS_NAME);
}
END_TEST

/* What no object of Grove's schedulers has a place for is said to be lost, where somebody wrote it.
 */
static const struct {
    struct resolution row;
    enum trace_attribute attribute;
} lost[] = {
    {{RULE("'scheduleTimeoutSeconds':60"), "", NULL, GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset a PodGang has no timeout\n60 policy spec.rules[0].scheduleTimeoutSeconds:1 "
      "Chosen "
      "rule r\n"},
     TRACE_TIMEOUT},
    {{DEFAULTS("'scheduleTimeoutSeconds':60"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG,
      "FieldLost",
      "- podgang Unset a PodGang has no timeout\n60 policy spec.defaults.scheduleTimeoutSeconds:1 "
      "Chosen the "
      "policy's defaults\n"},
     TRACE_TIMEOUT},
    {{NULL, "", NULL, GANG_OUTCOME_GANG, "", "- podgang Unset a PodGang has no timeout\n"},
     TRACE_TIMEOUT},
    {{RULE("'topology':{'mode':'hard','level':'zone'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG,
      "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r\n"},
     TRACE_TOPOLOGY},
    {{RULE("'topology':{'mode':'hard','level':'2'}"), "", NULL, GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r\n"},
     TRACE_TOPOLOGY},
    {{RULE("'topology':{'mode':'hard','level':'zone'}"),
      KAI QUEUE_OF_SET ";annotations='grove.io/topology-name':'t'"
                       ";podgang='topologyConstraint':{'packConstraint':{'preferred':'rack'}},",
      NULL, GANG_OUTCOME_GANG, "",
      "rack podgang spec.topologyConstraint.packConstraint:1 Chosen the PodGang's "
      "topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Overridden rule r: the PodGang's topologyConstraint "
      "stands "
      "before\n"},
     TRACE_TOPOLOGY},
    /* not even with Always: what the PodGang asks for is still what is rendered */
    {{RULE("'topology':{'mode':'hard','level':'zone'},'override':'Always'"),
      KAI QUEUE_OF_SET ";annotations='grove.io/topology-name':'t'"
                       ";podgang='topologyConstraint':{'packConstraint':{'preferred':'rack'}},",
      NULL, GANG_OUTCOME_GANG, "FieldLost",
      "rack podgang spec.topologyConstraint.packConstraint:1 Chosen the PodGang's "
      "topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Overridden rule r: the PodGang's topologyConstraint "
      "stands "
      "before\n"},
     TRACE_TOPOLOGY},
    {{RULE("'topology':{'mode':'hard','level':'2'},'override':'Always'"), "", NULL,
      GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r (Always)\n"},
     TRACE_TOPOLOGY},
    {{RULE("'members':'TrainerOnly'"), "", NULL, GANG_OUTCOME_GANG, "FieldLost",
      "All podgang Chosen every podgroup is a member, its minReplicas are the minimum\n"
      "TrainerOnly policy spec.rules[0].members:1 Overridden rule r: every podgroup of a PodGang "
      "is a "
      "member\n"},
     TRACE_MEMBERS},
    {{RULE("'members':'All'"), "", NULL, GANG_OUTCOME_GANG, "",
      "All podgang Chosen every podgroup is a member, its minReplicas are the minimum\n"
      "All policy spec.rules[0].members:1 Overridden rule r: every podgroup of a PodGang is a "
      "member\n"},
     TRACE_MEMBERS},
};

START_TEST(what_has_no_place_is_lost)
{
    check_grove_resolution(&lost[_i].row, lost[_i].attribute);
}
END_TEST

/* What reaches the gang in the end. */
static const struct {
    const char *policy, *job;
    const char *queue, *priority;
    bool gives_priority, overrides_schedulers;
    enum gang_reserve reserve;
} gangs[] = {
    {NULL, CLASS, "default", "own", false, false, RESERVE_AUTO},
    {RULE("'queue':{'name':'q'},'priorityClassName':{'name':'p'},'reserve':'Always'"), "", "q", "p",
     true, false, RESERVE_ALWAYS},
    {RULE("'queue':{'name':'q'},'priorityClassName':{'name':'p'}"), CLASS, "q", "own", false, false,
     RESERVE_AUTO},
    {RULE("'backend':'v','override':'Always','priorityClassName':{'name':'p'}"), CLASS, "default",
     "p", true, true, RESERVE_AUTO},
    /* compatibility is about another operator */
    {"'compatibility':'KubeflowTrainer',"
     "'rules':[{'name':'r','match':{},'queue':{'name':'q'},'reserve':'Never'}]",
     CLASS, "q", "own", false, false, RESERVE_NEVER},
};

START_TEST(what_the_gang_gets)
{
    const struct resolution row = {
        gangs[_i].policy, gangs[_i].job, NULL, GANG_OUTCOME_GANG, "", ""};
    struct run run = run_grove_resolution(&row);
    const struct gang *gang = &run.decision->gang;

    ck_slice_eq(gang->queue, gangs[_i].queue);
    ck_slice_eq(gang->priority_class_name, gangs[_i].priority);
    ck_assert_int_eq(gang->gives_priority, gangs[_i].gives_priority);
    ck_assert_int_eq(gang->overrides_schedulers, gangs[_i].overrides_schedulers);
    ck_assert_int_eq(gang->reserve, gangs[_i].reserve);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, queues_of_documents_and_policies, queues, policy, job, cluster);
    add_rows(cases, priority_classes_of_documents_and_policies, classes, policy, job, cluster);
    add_rows(cases, what_has_no_place_is_lost, lost, row.policy, row.job, row.cluster);
    add_rows(cases, what_the_gang_gets, gangs, policy, job);
}
