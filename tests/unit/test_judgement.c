/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/constraint_check.h"

#include "unit/grove_resolutions.h"

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
#define WARN ",'enforcement':'Warn'"
#define CLASS "podgang='priorityClassName':'own',"

static const struct resolution of_podgangs[] = {
    {NULL, "", NULL, GANG_OUTCOME_GANG, "", ""},
    {NULL, "scheduler=default-scheduler", NULL, GANG_OUTCOME_NO_GANG, "", ""},
    {DENY, "", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {DENY "," BOUND("'maxMembers':1"), "", NULL, GANG_OUTCOME_DENIED, "RuleDenies", ""},
    {SKIP, "", NULL, GANG_OUTCOME_NO_GANG, "", ""},
    /* a rule that denies stands before what is wrong, a constraint behind it */
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
    /* queues, those that nobody wrote too */
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
    {BOUND("'allowedPriorityClassNames':['low']"), CLASS, NULL, GANG_OUTCOME_DENIED,
     "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['low']"), "podgang='priorityClassName':'x',", NULL,
     GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['own']"), CLASS, NULL, GANG_OUTCOME_GANG, "", ""},
    {BOUND("'allowedPriorityClassNames':['own']"), CLASS ";router='priorityClassName':'high',",
     NULL, GANG_OUTCOME_DENIED, "ConstraintDenies", ""},
    {BOUND("'allowedPriorityClassNames':['low']") ",'rules':[{'name':'r','priorityClassName':{'"
                                                  "name':'low',"
                                                  "'override':'Always'}}]",
     CLASS ";router='priorityClassName':'high',", NULL, GANG_OUTCOME_GANG, "OverriddenByPolicy",
     ""},
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
    add_rows(cases, trainjobs, of_trainjobs, policy, job, cluster);
    add_rows(cases, podgangs, of_podgangs, policy, job, cluster);
}
