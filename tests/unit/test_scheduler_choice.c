/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

#define BACKENDS                                                                                   \
    "'backends':[{'name':'fast','type':'Volcano','schedulerName':'volcano-fast'},{'name':'co','"   \
    "type':'"                                                                                      \
    "Coscheduling'}]"
#define OF_DATA "spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName:5"
#define OF_NODE "spec.template.spec.replicatedJobs[1].template.spec.template.spec.schedulerName:6"
#define VOLCANO "gang={'volcano':{}};"
#define NAMES_IT " Chosen the template names the backend's scheduler\n"
#define ALL_NAME " Overridden every template names a scheduler\n"
#define ALONE " with KubeflowTrainer compatibility schedulerName is left alone\n"

static const struct resolution schedulers[] = {
    /* The backend's, where no template names one. */
    {NULL, VOLCANO, NULL, GANG_OUTCOME_GANG, "", "volcano - Chosen the backend's default\n"},
    {NULL, "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
     "scheduler-plugins-scheduler - Chosen the backend's default\n"},
    /* Some templates name it, all do, one names another. */
    {NULL, VOLCANO "node='schedulerName':'volcano',", NULL, GANG_OUTCOME_GANG, "",
     "volcano runtime " OF_NODE NAMES_IT "volcano - Chosen the backend's default\n"},
    {NULL, VOLCANO "data='schedulerName':'volcano',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_GANG, "",
     "volcano runtime " OF_DATA NAMES_IT "volcano runtime " OF_NODE NAMES_IT "volcano -" ALL_NAME},
    {NULL, VOLCANO "data='schedulerName':'mine',", NULL, GANG_OUTCOME_INVALID, "SchedulerMismatch",
     "mine runtime " OF_DATA
     " Refused not the backend's scheduler\nvolcano - Chosen the backend's default\n"},
    {NULL, VOLCANO "data='schedulerName':'mine',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_INVALID, "SchedulerMismatch SchedulersDisagree",
     "mine runtime " OF_DATA
     " Refused not the backend's scheduler\nvolcano runtime " OF_NODE NAMES_IT
     "volcano -" ALL_NAME},
    /* The operator writes none. */
    {"'compatibility':'KubeflowTrainer'", VOLCANO, NULL, GANG_OUTCOME_GANG,
     "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
     "volcano - Overridden" ALONE},
    {"'compatibility':'KubeflowTrainer'",
     VOLCANO "data='schedulerName':'mine',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_GANG,
     "MarkOnWaitingRole SchedulerMismatch LimitsNotCounted StructuralDeadlock SchedulersDisagree",
     "mine runtime " OF_DATA " Chosen" ALONE "volcano runtime " OF_NODE " Overridden" ALONE
     "volcano - Overridden" ALONE},
    /* The policy's name for the scheduler. */
    {BACKENDS, VOLCANO, NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    {BACKENDS, "data='schedulerName':'volcano-fast',", NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast runtime " OF_DATA NAMES_IT
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    {BACKENDS, VOLCANO "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_INVALID,
     "SchedulerMismatch",
     "volcano runtime " OF_DATA " Refused not the backend's scheduler\n"
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    /* A rule that stands before the templates replaces what they say. */
    {BACKENDS ",'rules':[{'name':'r','match':{},'backend':'fast','override':'Always'}]",
     "data='schedulerName':'mine',", NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast policy spec.rules[0].backend:1 Chosen rule r (Always)\n"
     "mine runtime " OF_DATA " Overridden rule r with override Always stands before\n"
     "volcano-fast policy spec.backends[0].schedulerName:1 Overridden rule r with override Always "
     "stands "
     "before\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{},'backend':'fast'}]", "data='schedulerName':'mine',",
     NULL, GANG_OUTCOME_INVALID, "SchedulerMismatch",
     "mine runtime " OF_DATA " Refused not the backend's scheduler\n"
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
};

START_TEST(whose_scheduler_the_pods_have)
{
    check_resolution(&schedulers[_i], TRACE_SCHEDULER_NAME);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, whose_scheduler_the_pods_have, schedulers, policy, job, cluster);
}
