/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

#define R(members) "'rules':[{'name':'r','match':{},'backend':'volcano'," members "}]"
#define V "'defaultBackend':'volcano'"
#define PATH "runtime spec.podGroupPolicy.volcano.networkTopology"
#define ASKED(mode, tier)                                                                          \
    "gang={'volcano':{'networkTopology':{'mode':'" mode "','highestTierAllowed':" tier "}}}"
#define NOT_ASKED "- " PATH " Unset no topology is asked for\n"
#define OF_RUNTIME(value, verdict) value " " PATH ":3 " verdict "\n"
#define OF_RULE(value, verdict) value " policy spec.rules[0].topology:1 " verdict "\n"
#define OF_DEFAULTS(value, verdict) value " policy spec.defaults.topology:1 " verdict "\n"
#define NAMED "Chosen the runtime's podGroupPolicy"
#define BEHIND                                                                                     \
    "Overridden rule r: the runtime's podGroupPolicy stands before; write override: Always to "    \
    "choose first"
#define STRICT "Overridden rule r with override Always stands before"

static const struct topology_case {
    struct resolution resolution;
    const char *spec; /* what the object says; NULL: nothing */
} topologies[] = {
    {{V, "", NULL, GANG_OUTCOME_GANG, "", NOT_ASKED}, NULL},
    {{NULL, ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG, "", OF_RUNTIME("soft", NAMED)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
    {{R("'topology':{'level':'3'}"), "", NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED OF_RULE("hard", "Chosen rule r")},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    {{R("'topology':{'mode':'soft','level':'3'}"), "", NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED OF_RULE("soft", "Chosen rule r")},
     "'networkTopology':{'mode':'soft','highestTierAllowed':3}"},
    {{"'defaults':{'backend':'volcano','topology':{'mode':'soft','level':'1'}}", "", NULL,
      GANG_OUTCOME_GANG, "", NOT_ASKED OF_DEFAULTS("soft", "Chosen the policy's defaults")},
     "'networkTopology':{'mode':'soft','highestTierAllowed':1}"},
    {{R("'topology':{'level':'3'}") ",'defaults':{'topology':{'mode':'soft','level':'1'}}", "",
      NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED OF_RULE("hard", "Chosen rule r")
          OF_DEFAULTS("soft", "Overridden rule r stands before")},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    {{R("'topology':{'level':'3'}"), ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG, "",
      OF_RUNTIME("soft", NAMED) OF_RULE("hard", BEHIND)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
    {{R("'override':'Always','topology':{'level':'3'}"), ASKED("soft", "2"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("hard", "Chosen rule r (Always)") OF_RUNTIME("soft", STRICT)},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    /* Volcano's levels are numbers; a hard topology without one is not enforced. */
    {{R("'topology':{'level':'rack'}"), "", NULL, GANG_OUTCOME_INVALID, "TopologyLevel",
      NOT_ASKED OF_RULE("hard", "Chosen rule r")},
     NULL},
    {{R("'topology':{'mode':'hard'}"), "", NULL, GANG_OUTCOME_GANG, "TopologyNotEnforced",
      NOT_ASKED OF_RULE("hard", "Chosen rule r")},
     "'networkTopology':{'mode':'hard'}"},
    /* A backend that knows none. */
    {{"'rules':[{'name':'r','match':{},'backend':'coscheduling','topology':{'level':'3'}}]", "",
      NULL, GANG_OUTCOME_GANG, "FieldLost", NOT_ASKED OF_RULE("hard", "Chosen rule r")},
     NULL},
    {{"'compatibility':'KubeflowTrainer'," R("'override':'Always','topology':{'level':'3'}"),
      ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
      OF_RULE("hard", "Refused rule r: with KubeflowTrainer compatibility no policy chooses it")
          OF_RUNTIME("soft", NAMED)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
};

START_TEST(the_topology_of_the_gang)
{
    const struct topology_case *row = &topologies[_i];
    struct run run = run_resolution(&row->resolution);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);
    const char *objects = gang_blob_get_data(blob, NULL);
    char spec[DOCUMENT_SIZE];

    if (row->spec)
        ck_assert_msg(strstr(objects, spell(spec, row->spec)), "%s", objects);
    else
        ck_assert_ptr_null(strstr(objects, "networkTopology"));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    end_run(&run);
    check_resolution(&row->resolution, TRACE_TOPOLOGY);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_topology_of_the_gang, topologies, resolution.policy, resolution.job,
             resolution.cluster);
}
