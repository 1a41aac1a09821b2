/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

#define FIELD "scheduleTimeoutSeconds"
#define OF_RUNTIME "runtime spec.podGroupPolicy.coscheduling." FIELD
#define ENTRY "'backends':[{'name':'co','type':'Coscheduling','coscheduling':{'" FIELD "':120}}]"
#define RULE(more) "'rules':[{'name':'r','match':{},'backend':'coscheduling'" more "}]"
#define SILENT "- policy spec.rules[0]." FIELD ":1 Unset rule r does not say\n"
#define UNSET "- " OF_RUNTIME " Unset the scheduler's own default stands\n"
#define RULE_BEHIND_RUNTIME                                                                        \
    " Overridden rule r: the runtime's podGroupPolicy stands before; write override: Always to "   \
    "choose "                                                                                      \
    "first\n"
#define BEHIND_RUNTIME " Overridden the runtime's podGroupPolicy stands before\n"

static const struct timeout_case {
    struct resolution resolution;
    bool has_timeout;
    int64_t seconds;
} timeouts[] = {
    {{NULL, "gang={'coscheduling':{'" FIELD "':300}}", NULL, GANG_OUTCOME_GANG, "",
      "300 " OF_RUNTIME ":3 Chosen the runtime's podGroupPolicy\n"},
     true,
     300},
    {{NULL, "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
      "60 " OF_RUNTIME " Chosen the API server's default\n"},
     true,
     60},
    {{NULL, "gang={'coscheduling':{'" FIELD "':0}}", NULL, GANG_OUTCOME_GANG, "",
      "0 " OF_RUNTIME ":3 Chosen the runtime's podGroupPolicy\n"},
     true,
     0},
    {{NULL, "node='schedulerName':'scheduler-plugins-scheduler',", NULL, GANG_OUTCOME_GANG, "",
      UNSET},
     false,
     0},
    {{NULL, "gang={'volcano':{}}", NULL, GANG_OUTCOME_GANG, "",
      "- " OF_RUNTIME " Unset the backend has no timeout\n"},
     false,
     0},
    /* A rule gives way to the runtime, to its default too; one with Always does not. */
    {{RULE(",'" FIELD "':900"), "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "900 policy spec.rules[0]." FIELD ":1 Chosen rule r\n"},
     true,
     900},
    {{RULE(",'" FIELD "':900"), "gang={'coscheduling':{'" FIELD "':300}}", NULL, GANG_OUTCOME_GANG,
      "",
      "300 " OF_RUNTIME ":3 Chosen the runtime's podGroupPolicy\n900 policy spec.rules[0]." FIELD
      ":1" RULE_BEHIND_RUNTIME},
     true,
     300},
    {{RULE(",'" FIELD "':900"), "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
      "60 " OF_RUNTIME " Chosen the API server's default\n900 policy spec.rules[0]." FIELD
      ":1" RULE_BEHIND_RUNTIME},
     true,
     60},
    {{RULE(",'" FIELD "':900,'override':'Always'"), "gang={'coscheduling':{'" FIELD "':300}}", NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      "900 policy spec.rules[0]." FIELD ":1 Chosen rule r (Always)\n300 " OF_RUNTIME
      ":3 Overridden rule r with override Always stands before\n"},
     true,
     900},
    {{RULE(",'" FIELD "':300,'override':'Always'"), "gang={'coscheduling':{'" FIELD "':300}}", NULL,
      GANG_OUTCOME_GANG, "",
      "300 policy spec.rules[0]." FIELD ":1 Chosen rule r (Always)\n300 " OF_RUNTIME
      ":3 Overridden rule r with override Always stands before\n"},
     true,
     300},
    /* The defaults, then the options of the backend. */
    {{"'defaults':{'" FIELD "':90}", "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
      "60 " OF_RUNTIME " Chosen the API server's default\n"
      "90 policy spec.defaults." FIELD ":1" BEHIND_RUNTIME},
     true,
     60},
    {{RULE("") ",'defaults':{'" FIELD "':90}", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET SILENT "90 policy spec.defaults." FIELD ":1 Chosen the policy's defaults\n"},
     true,
     90},
    {{RULE(",'" FIELD "':30") ",'defaults':{'" FIELD "':90}", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "30 policy spec.rules[0]." FIELD ":1 Chosen rule r\n90 policy spec.defaults." FIELD
            ":1 Overridden rule r stands before\n"},
     true,
     30},
    {{ENTRY ",'defaultBackend':'co'", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "120 policy spec.backends[0].coscheduling." FIELD
            ":1 Chosen the options of the backend in the policy\n"},
     true,
     120},
    {{ENTRY ",'defaultBackend':'co','defaults':{'" FIELD "':90}", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "90 policy spec.defaults." FIELD
            ":1 Chosen the policy's defaults\n120 policy spec.backends[0].coscheduling." FIELD
            ":1 Overridden the policy's defaults stand before\n"},
     true,
     90},
    /* A backend without timeouts: what somebody wrote is lost. */
    {{"'rules':[{'name':'r','match':{},'backend':'volcano','" FIELD "':900}]", "", NULL,
      GANG_OUTCOME_GANG, "FieldLost",
      "- " OF_RUNTIME " Unset the backend has no timeout\n900 policy spec.rules[0]." FIELD
      ":1 Chosen rule r\n"},
     true,
     900},
    /* The operator knows no policy. */
    {{"'compatibility':'KubeflowTrainer','rules':[{'name':'r','match':{},'" FIELD
      "':900,'override':'Always'}]",
      "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
      "900 policy spec.rules[0]." FIELD
      ":1 Refused rule r: with KubeflowTrainer compatibility no policy chooses it\n60 " OF_RUNTIME
      " Chosen the API server's default\n"},
     true,
     60},
};

START_TEST(how_long_the_gang_may_wait)
{
    struct run run = run_resolution(&timeouts[_i].resolution);

    ck_assert_int_eq(run.decision->gang.has_timeout, timeouts[_i].has_timeout);
    ck_assert_int_eq(run.decision->gang.timeout_seconds, timeouts[_i].seconds);
    end_run(&run);
    check_resolution(&timeouts[_i].resolution, TRACE_TIMEOUT);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, how_long_the_gang_may_wait, timeouts, resolution.policy, resolution.job,
             resolution.cluster);
}
