/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "unit/suite.h"
#include "unit/resolutions.h"
#include "unit/grove_resolutions.h"
#include "unit/grove.h"

/* ---- attributes ---- */

/*
 * One rule gives every attribute another value than the default; each has its own entry in the
 * trace.
 */
#define EVERY_SETTING                                                                              \
    "'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'name':'q'},"                    \
    "'priorityClassName':{'name':'p'},'scheduleTimeoutSeconds':7,'members':'TrainerOnly',"         \
    "'topology':{'mode':'soft','level':'3'}}]"

static const struct {
    const char *job, *policy;
    const char *values[TRACE_ATTRIBUTE_COUNT]; /* NULL: nothing was chosen */
} decisions[] = {
    {"", EVERY_SETTING, {"volcano", "volcano", "q", "p", "7", "TrainerOnly", "soft"}},
    {"",
     "'defaultBackend':'coscheduling'",
     {"coscheduling", "scheduler-plugins-scheduler", NULL, NULL, NULL, "Auto", NULL}},
    {"gang={'volcano':{}}", NULL, {"volcano", "volcano", "default", NULL, NULL, "Auto", NULL}},
    {"", NULL, {NULL, NULL, NULL, NULL, NULL, NULL, NULL}},
};

START_TEST(each_attribute_has_its_value)
{
    const struct resolution row = {decisions[_i].policy, decisions[_i].job, NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct trace trace = {.arena = arena_new(0)};

    attributes_trace(run.decision, &trace);
    for (int i = 0; i < TRACE_ATTRIBUTE_COUNT; i++) {
        ck_assert_int_eq(slice_is_set(trace.entries[i].value), decisions[_i].values[i] != NULL);
        if (decisions[_i].values[i])
            ck_slice_eq(trace.entries[i].value, decisions[_i].values[i]);
    }
    arena_free(trace.arena);
    end_run(&run);
}
END_TEST

/* The trace equals the fields of the gang. */
START_TEST(gang_fields_equal_the_trace)
{
    const struct resolution row = {EVERY_SETTING, "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    const struct gang *gang = &run.decision->gang;

    ck_slice_eq(gang->wishes->scheduler_name, "volcano");
    ck_slice_eq(gang->queue, "q");
    ck_slice_eq(gang->priority_class_name, "p");
    ck_assert(gang->has_timeout);
    ck_assert_int_eq(gang->timeout_seconds, 7);
    ck_assert_int_eq(gang->wishes->members_choice, MEMBERS_TRAINER_ONLY);
    ck_slice_eq(gang->topology.mode, "soft");
    ck_assert_int_eq(gang->topology.highest_tier, 3);
    end_run(&run);
}
END_TEST

#define R(members) "'rules':[{'name':'r','match':{},'backend':'volcano'," members "}]"
#define V "'defaultBackend':'volcano'"
#define STRICT "Overridden rule r with override Always has precedence"
#define BEHIND_RULE "Overridden rule r has precedence"

/* ---- member choice ---- */

#define MEMBER_CHOICE_OF_RULE(value, verdict) value " policy spec.rules[0].members:1 " verdict "\n"
#define MEMBER_CHOICE_OF_DEFAULTS(value, verdict)                                                  \
    value " policy spec.defaults.members:1 " verdict "\n"
#define SILENT "- policy spec.rules[0].members:1 Unset rule r does not set it\n"
#define AUTO(verdict) "Auto - " verdict "\n"
#define NOBODY "Chosen the roles that run together; the first wave is the minimum"

/* Who is in, and what the PodGroup asks for. */
static const struct member_case {
    struct resolution resolution;
    int64_t minimum, members;
    const char *resources; /* of the gang */
    bool is_reserved;      /* minResources is rendered */
} choices[] = {
    {{V, "", NULL, GANG_OUTCOME_GANG, "", AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{NULL, "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "", AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     true},
    {{R("'members':'Auto'"), "", NULL, GANG_OUTCOME_GANG, "",
      MEMBER_CHOICE_OF_RULE("Auto", "Chosen rule r") AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'TrainerOnly'"), "", NULL, GANG_OUTCOME_GANG, "",
      MEMBER_CHOICE_OF_RULE("TrainerOnly", "Chosen rule r") AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{"'defaults':{'backend':'volcano','members':'TrainerOnly'}", "", NULL, GANG_OUTCOME_GANG, "",
      MEMBER_CHOICE_OF_DEFAULTS("TrainerOnly", "Chosen the policy's defaults")
          AUTO("Overridden the policy's defaults have precedence")},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'Auto'") ",'defaults':{'members':'TrainerOnly'}", "", NULL, GANG_OUTCOME_GANG,
      "",
      MEMBER_CHOICE_OF_RULE("Auto", "Chosen rule r")
          MEMBER_CHOICE_OF_DEFAULTS("TrainerOnly", BEHIND_RULE) AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'queue':{'name':'q'}") ",'defaults':{'members':'TrainerOnly'}", "", NULL,
      GANG_OUTCOME_GANG, "",
      SILENT MEMBER_CHOICE_OF_DEFAULTS("TrainerOnly", "Chosen the policy's defaults")
          AUTO("Overridden the policy's defaults have precedence")},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'TrainerOnly','override':'Always'"), "", NULL, GANG_OUTCOME_GANG, "",
      MEMBER_CHOICE_OF_RULE("TrainerOnly", "Chosen rule r (Always)") AUTO(STRICT)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    /* Every role at once cannot be where one waits for another to end. */
    {{R("'members':'All'"), "", NULL, GANG_OUTCOME_INVALID, "StructuralDeadlock",
      MEMBER_CHOICE_OF_RULE("All", "Chosen rule r") AUTO(BEHIND_RULE)},
     3,
     3,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    /* What a pod counts for. */
    {{R("'resources':'RequestsOnly'"), "", NULL, GANG_OUTCOME_GANG, "LimitsNotCounted",
      SILENT AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi",
     false},
    {{R("'resources':'Effective'") ",'defaults':{'resources':'RequestsOnly'}", "", NULL,
      GANG_OUTCOME_GANG, "", SILENT AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{"'defaults':{'backend':'volcano','resources':'RequestsOnly'}", "", NULL, GANG_OUTCOME_GANG,
      "LimitsNotCounted", AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi",
     false},
    /* Room ahead of the pods: Volcano's gang waits here, so Auto leaves it out. */
    {{R("'reserve':'Always'"), "", NULL, GANG_OUTCOME_GANG, "", SILENT AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     true},
    {{R("'reserve':'Never'"), "", NULL, GANG_OUTCOME_GANG, "", SILENT AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{"'defaults':{'backend':'coscheduling','reserve':'Never'}", "", NULL, GANG_OUTCOME_GANG, "",
      AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{"'defaults':{'backend':'coscheduling','reserve':'Auto'}", "", NULL, GANG_OUTCOME_GANG, "",
      AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     true},
    {{R("'reserve':'Auto'") ",'defaults':{'reserve':'Always'}", "", NULL, GANG_OUTCOME_GANG, "",
      SILENT AUTO(NOBODY)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    /* The operator counts and marks all, requests alone, and always reserves. */
    {{"'compatibility':'KubeflowTrainer','defaults':{'members':'TrainerOnly','resources':'"
      "Effective','"
      "reserve':'Never'}",
      "gang={'volcano':{}}", NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
      "All policy spec.compatibility:1 Chosen with KubeflowTrainer compatibility every role is "
      "counted and labelled\n" MEMBER_CHOICE_OF_DEFAULTS(
          "TrainerOnly", "Refused with KubeflowTrainer compatibility no policy chooses it")},
     3,
     3,
     "memory=2Gi",
     true},
};

static const char *
resources_in_words(const struct gang *gang, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < gang->resources.count; i++) {
        const struct resource *item = &gang->resources.items[i];
        char printed[QUANTITY_TEXT_SIZE];
        struct slice amount = quantity_print(&item->quantity, printed);

        text = arena_format(arena, "%s%s%.*s=%.*s", text, i ? " " : "", SLICE_ARG(item->name),
                            SLICE_ARG(amount));
    }
    return text;
}

START_TEST(members_and_requests)
{
    const struct member_case *row = &choices[_i];
    struct run run = run_resolution(&row->resolution);
    const struct gang *gang = &run.decision->gang;
    struct arena *arena = arena_new(0);

    ck_assert_int_eq(gang->minimum, row->minimum);
    ck_assert_int_eq(gang->members, row->members);
    ck_assert_str_eq(resources_in_words(gang, arena), row->resources);
    if (row->resolution.outcome == GANG_OUTCOME_GANG) {
        struct gang_plan *plan = plan_of(&run);
        struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);

        ck_assert_int_eq(strstr(gang_blob_get_data(blob, NULL), "minResources") != NULL,
                         row->is_reserved);
        gang_blob_unref(blob);
        gang_plan_unref(plan);
    }
    arena_free(arena);
    end_run(&run);
    check_resolution(&row->resolution, TRACE_MEMBERS);
}
END_TEST

/* The message has the dependency chain. */
START_TEST(minimum_is_all_members)
{
    const struct resolution row = {R("'members':'All'"), "", NULL, GANG_OUTCOME_INVALID, "", ""};
    struct run run = run_resolution(&row);

    check_message(run.decision, GANG_CODE_STRUCTURAL_DEADLOCK,
                  "spec.template.spec.replicatedJobs[1].dependsOn[0]: the gang can never start: "
                  "\"node\" waits for "
                  "\"data\" to be Complete, which waits until 3 pods of the gang exist, but only 1 "
                  "can exist before "
                  "that");
    end_run(&run);
}
END_TEST

/* ---- scheduler choice ---- */

#define BACKENDS                                                                                   \
    "'backends':[{'name':'fast','type':'Volcano','schedulerName':'volcano-fast'},{'name':'co','"   \
    "type':'"                                                                                      \
    "Coscheduling'}]"
#define SCHEDULER_CHOICE_OF_DATA                                                                   \
    "spec.template.spec.replicatedJobs[0].template.spec.template.spec.schedulerName:5"
#define SCHEDULER_CHOICE_OF_NODE                                                                   \
    "spec.template.spec.replicatedJobs[1].template.spec.template.spec.schedulerName:6"
#define VOLCANO "gang={'volcano':{}};"
#define NAMES_IT " Chosen the template names the backend's scheduler\n"
#define ALL_NAME " Overridden every template names a scheduler\n"
#define ALONE " with KubeflowTrainer compatibility schedulerName is not changed\n"

static const struct resolution schedulers[] = {
    /* The backend's, where no template names one. */
    {NULL, VOLCANO, NULL, GANG_OUTCOME_GANG, "", "volcano - Chosen the backend's default\n"},
    {NULL, "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
     "scheduler-plugins-scheduler - Chosen the backend's default\n"},
    /* Some templates name it, all do, one names another. */
    {NULL, VOLCANO "node='schedulerName':'volcano',", NULL, GANG_OUTCOME_GANG, "",
     "volcano runtime " SCHEDULER_CHOICE_OF_NODE NAMES_IT
     "volcano - Chosen the backend's default\n"},
    {NULL, VOLCANO "data='schedulerName':'volcano',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_GANG, "",
     "volcano runtime " SCHEDULER_CHOICE_OF_DATA NAMES_IT
     "volcano runtime " SCHEDULER_CHOICE_OF_NODE NAMES_IT "volcano -" ALL_NAME},
    {NULL, VOLCANO "data='schedulerName':'mine',", NULL, GANG_OUTCOME_INVALID, "SchedulerMismatch",
     "mine runtime " SCHEDULER_CHOICE_OF_DATA
     " Refused not the backend's scheduler\nvolcano - Chosen the backend's default\n"},
    {NULL, VOLCANO "data='schedulerName':'mine',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_INVALID, "SchedulerMismatch SchedulersDisagree",
     "mine runtime " SCHEDULER_CHOICE_OF_DATA
     " Refused not the backend's scheduler\nvolcano runtime " SCHEDULER_CHOICE_OF_NODE NAMES_IT
     "volcano -" ALL_NAME},
    /* The operator writes none. */
    {"'compatibility':'KubeflowTrainer'", VOLCANO, NULL, GANG_OUTCOME_GANG,
     "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
     "volcano - Overridden" ALONE},
    {"'compatibility':'KubeflowTrainer'",
     VOLCANO "data='schedulerName':'mine',;node='schedulerName':'volcano',", NULL,
     GANG_OUTCOME_GANG,
     "MarkOnWaitingRole SchedulerMismatch LimitsNotCounted StructuralDeadlock SchedulersDisagree",
     "mine runtime " SCHEDULER_CHOICE_OF_DATA " Chosen" ALONE
     "volcano runtime " SCHEDULER_CHOICE_OF_NODE " Overridden" ALONE "volcano - Overridden" ALONE},
    /* The policy's name for the scheduler. */
    {BACKENDS, VOLCANO, NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    {BACKENDS, "data='schedulerName':'volcano-fast',", NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast runtime " SCHEDULER_CHOICE_OF_DATA NAMES_IT
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    {BACKENDS, VOLCANO "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_INVALID,
     "SchedulerMismatch",
     "volcano runtime " SCHEDULER_CHOICE_OF_DATA " Refused not the backend's scheduler\n"
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
    /* A rule that has precedence over the templates replaces their values. */
    {BACKENDS ",'rules':[{'name':'r','match':{},'backend':'fast','override':'Always'}]",
     "data='schedulerName':'mine',", NULL, GANG_OUTCOME_GANG, "",
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen rule r (Always)\n"
     "mine runtime " SCHEDULER_CHOICE_OF_DATA
     " Overridden rule r with override Always has precedence\n"},
    {BACKENDS ",'rules':[{'name':'r','match':{},'backend':'fast'}]", "data='schedulerName':'mine',",
     NULL, GANG_OUTCOME_INVALID, "SchedulerMismatch",
     "mine runtime " SCHEDULER_CHOICE_OF_DATA " Refused not the backend's scheduler\n"
     "volcano-fast policy spec.backends[0].schedulerName:1 Chosen the policy's entry of the "
     "backend\n"},
};

START_TEST(scheduler_name_of_the_pods)
{
    check_resolution(&schedulers[_i], TRACE_SCHEDULER_NAME);
}
END_TEST

/* ---- timeout choice ---- */

#define FIELD "scheduleTimeoutSeconds"
#define OF_RUNTIME "runtime spec.podGroupPolicy.coscheduling." FIELD
#define ENTRY "'backends':[{'name':'co','type':'Coscheduling','coscheduling':{'" FIELD "':120}}]"
#define RULE(more) "'rules':[{'name':'r','match':{},'backend':'coscheduling'" more "}]"
#define TIMEOUT_CHOICE_SILENT "- policy spec.rules[0]." FIELD ":1 Unset rule r does not set it\n"
#define UNSET "- " OF_RUNTIME " Unset the scheduler's own default applies\n"
#define RULE_BEHIND_RUNTIME                                                                        \
    " Overridden rule r: the runtime's podGroupPolicy has precedence; set override: Always to "    \
    "give the rule precedence\n"
#define BEHIND_RUNTIME " Overridden the runtime's podGroupPolicy has precedence\n"

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
      ":3 Overridden rule r with override Always has precedence\n"},
     true,
     900},
    {{RULE(",'" FIELD "':300,'override':'Always'"), "gang={'coscheduling':{'" FIELD "':300}}", NULL,
      GANG_OUTCOME_GANG, "",
      "300 policy spec.rules[0]." FIELD ":1 Chosen rule r (Always)\n300 " OF_RUNTIME
      ":3 Overridden rule r with override Always has precedence\n"},
     true,
     300},
    /* The defaults, then the options of the backend. */
    {{"'defaults':{'" FIELD "':90}", "gang={'coscheduling':{}}", NULL, GANG_OUTCOME_GANG, "",
      "60 " OF_RUNTIME " Chosen the API server's default\n"
      "90 policy spec.defaults." FIELD ":1" BEHIND_RUNTIME},
     true,
     60},
    {{RULE("") ",'defaults':{'" FIELD "':90}", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET TIMEOUT_CHOICE_SILENT "90 policy spec.defaults." FIELD
                                  ":1 Chosen the policy's defaults\n"},
     true,
     90},
    {{RULE(",'" FIELD "':30") ",'defaults':{'" FIELD "':90}", "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "30 policy spec.rules[0]." FIELD ":1 Chosen rule r\n90 policy spec.defaults." FIELD
            ":1 Overridden rule r has precedence\n"},
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
            ":1 Overridden the policy's defaults have precedence\n"},
     true,
     90},
    {{"'backends':[{'name':'y','type':'YuniKorn','yunikorn':{'placeholderTimeoutSeconds':120}}],"
      "'defaultBackend':'y'",
      "", NULL, GANG_OUTCOME_GANG, "",
      UNSET "120 policy spec.backends[0].yunikorn.placeholderTimeoutSeconds"
            ":1 Chosen the options of the backend in the policy\n"},
     true,
     120},
    /* A backend without timeouts: what somebody wrote is lost. */
    {{"'rules':[{'name':'r','match':{},'backend':'volcano','" FIELD "':900}]", "", NULL,
      GANG_OUTCOME_GANG, "FieldLost",
      "- " OF_RUNTIME " Unset the backend has no timeout\n900 policy spec.rules[0]." FIELD
      ":1 Chosen rule r\n"},
     true,
     900},
    /* The operator has no policy. */
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

START_TEST(schedule_timeout)
{
    struct run run = run_resolution(&timeouts[_i].resolution);

    ck_assert_int_eq(run.decision->gang.has_timeout, timeouts[_i].has_timeout);
    ck_assert_int_eq(run.decision->gang.timeout_seconds, timeouts[_i].seconds);
    end_run(&run);
    check_resolution(&timeouts[_i].resolution, TRACE_TIMEOUT);
}
END_TEST

/* ---- topology choice ---- */

#define PATH "runtime spec.podGroupPolicy.volcano.networkTopology"
#define ASKED(mode, tier)                                                                          \
    "gang={'volcano':{'networkTopology':{'mode':'" mode "','highestTierAllowed':" tier "}}}"
#define NOT_ASKED "- " PATH " Unset no topology is requested\n"
#define TOPOLOGY_CHOICE_OF_RUNTIME(value, verdict) value " " PATH ":3 " verdict "\n"
#define TOPOLOGY_CHOICE_OF_RULE(value, verdict)                                                    \
    value " policy spec.rules[0].topology:1 " verdict "\n"
#define TOPOLOGY_CHOICE_OF_DEFAULTS(value, verdict)                                                \
    value " policy spec.defaults.topology:1 " verdict "\n"
#define NAMED "Chosen the runtime's podGroupPolicy"
#define BEHIND                                                                                     \
    "Overridden rule r: the runtime's podGroupPolicy has precedence; set override: Always to "     \
    "give the rule precedence"

static const struct topology_case {
    struct resolution resolution;
    const char *spec; /* what the object says; NULL: nothing */
} topologies[] = {
    {{V, "", NULL, GANG_OUTCOME_GANG, "", NOT_ASKED}, NULL},
    {{NULL, ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG, "",
      TOPOLOGY_CHOICE_OF_RUNTIME("soft", NAMED)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
    {{R("'topology':{'level':'3'}"), "", NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r")},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    {{R("'topology':{'mode':'soft','level':'3'}"), "", NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("soft", "Chosen rule r")},
     "'networkTopology':{'mode':'soft','highestTierAllowed':3}"},
    {{"'defaults':{'backend':'volcano','topology':{'mode':'soft','level':'1'}}", "", NULL,
      GANG_OUTCOME_GANG, "",
      NOT_ASKED TOPOLOGY_CHOICE_OF_DEFAULTS("soft", "Chosen the policy's defaults")},
     "'networkTopology':{'mode':'soft','highestTierAllowed':1}"},
    {{R("'topology':{'level':'3'}") ",'defaults':{'topology':{'mode':'soft','level':'1'}}", "",
      NULL, GANG_OUTCOME_GANG, "",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r")
          TOPOLOGY_CHOICE_OF_DEFAULTS("soft", "Overridden rule r has precedence")},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    {{R("'topology':{'level':'3'}"), ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG, "",
      TOPOLOGY_CHOICE_OF_RUNTIME("soft", NAMED) TOPOLOGY_CHOICE_OF_RULE("hard", BEHIND)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
    {{R("'override':'Always','topology':{'level':'3'}"), ASKED("soft", "2"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r (Always)")
          TOPOLOGY_CHOICE_OF_RUNTIME("soft", STRICT)},
     "'networkTopology':{'mode':'hard','highestTierAllowed':3}"},
    /* Volcano's levels are numbers; a hard topology without one is not enforced. */
    {{R("'topology':{'level':'rack'}"), "", NULL, GANG_OUTCOME_INVALID, "TopologyLevel",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r")},
     NULL},
    {{R("'topology':{'mode':'hard'}"), "", NULL, GANG_OUTCOME_GANG, "TopologyNotEnforced",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r")},
     "'networkTopology':{'mode':'hard'}"},
    /* A backend without topology. */
    {{"'rules':[{'name':'r','match':{},'backend':'coscheduling','topology':{'level':'3'}}]", "",
      NULL, GANG_OUTCOME_GANG, "FieldLost",
      NOT_ASKED TOPOLOGY_CHOICE_OF_RULE("hard", "Chosen rule r")},
     NULL},
    {{"'compatibility':'KubeflowTrainer'," R("'override':'Always','topology':{'level':'3'}"),
      ASKED("soft", "2"), NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
      TOPOLOGY_CHOICE_OF_RULE(
          "hard", "Refused rule r: with KubeflowTrainer compatibility no policy chooses it")
          TOPOLOGY_CHOICE_OF_RUNTIME("soft", NAMED)},
     "'networkTopology':{'mode':'soft','highestTierAllowed':2}"},
};

START_TEST(topology_of_the_gang)
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

/* ---- podgang attributes ---- */

#define PODGANG_ATTRIBUTES_BACKENDS                                                                \
    "'backends':[{'name':'v','type':'Volcano'},{'name':'k','type':'KAI'}]"
#define PODGANG_ATTRIBUTES_RULE(members)                                                           \
    PODGANG_ATTRIBUTES_BACKENDS ",'rules':[{'name':'r','match':{}," members "}]"
#define DEFAULTS(members) PODGANG_ATTRIBUTES_BACKENDS ",'defaults':{" members "}"
#define KAI "scheduler=kai-scheduler"
#define QUEUE_OF_SET ";set=,'labels':{'kai.scheduler/queue':'mine'}"
#define ON_SET "mine podcliqueset metadata.labels[kai.scheduler/queue]:1 "
#define QUEUE_UNSET "- podgang Unset no document names a queue\n"
#define NO_RULE "- policy spec.rules[0].queue:1 Unset rule r does not set it\n"
#define RULE_FOR(queue) queue " policy spec.rules[0].queue:1 "
#define INSIST "; set override: Always to give the rule precedence\n"
#define ALWAYS "rule r with override Always has precedence\n"

/*
 * Where the queue comes from: users' documents before a rule that gives way to them, after one that
 * does not. Volcano's default and KAI's lack of one:
 * ai-dynamo/grove:operator/internal/scheduler/{volcano/queue,kai/backend}.go@fcc3b3bb.
 */
static const struct resolution queues[] = {
    {NULL, KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "",
     ON_SET "Chosen set in a document of Grove\n"},
    {NULL, KAI, NULL, GANG_OUTCOME_INVALID, "GroveQueueMissing", QUEUE_UNSET},
    {NULL, "", NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET "default - Chosen Grove's default for this scheduler\n"},
    /* a rule fills in what the documents leave out, which is then no error */
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}"), KAI, NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "",
     ON_SET "Chosen set in a document of Grove\n" RULE_FOR(
         "q") "Overridden rule r: Grove's documents have precedence" INSIST},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}"), "", NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\ndefault - Overridden rule r has precedence\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q','override':'Always'}"), KAI QUEUE_OF_SET, NULL,
     GANG_OUTCOME_GANG, "OverriddenByPolicy",
     RULE_FOR("q") "Chosen rule r (Always)\n" ON_SET "Overridden " ALWAYS},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}") ",'defaults':{'queue':{'name':'d'}}", "", NULL,
     GANG_OUTCOME_GANG, "",
     QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"
                               "d policy spec.defaults.queue:1 Overridden rule r has precedence\n"
                               "default - Overridden rule r has precedence\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}"),
     "annotations='scheduling.grove.io/volcano-queue':'a'", NULL, GANG_OUTCOME_GANG, "",
     "a podgang metadata.annotations[scheduling.grove.io/volcano-queue]:1 Chosen set in a document "
     "of Grove\n" RULE_FOR("q") "Overridden rule r: Grove's documents have precedence" INSIST},
    {DEFAULTS("'queue':{'name':'q'}"), KAI, NULL, GANG_OUTCOME_GANG, "",
     QUEUE_UNSET "q policy spec.defaults.queue:1 Chosen the policy's defaults\n"},
    {DEFAULTS("'queue':{'name':'q'}"), KAI QUEUE_OF_SET, NULL, GANG_OUTCOME_GANG, "",
     ON_SET "Chosen set in a document of Grove\n"
            "q policy spec.defaults.queue:1 Overridden Grove's documents have precedence\n"},
    {PODGANG_ATTRIBUTES_RULE("'backend':'k'"), KAI, NULL, GANG_OUTCOME_INVALID, "GroveQueueMissing",
     QUEUE_UNSET NO_RULE},
    /* a queue in unknown documents is undecided, except if it has no effect */
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'}"), KAI ";documents=podgang", NULL,
     GANG_OUTCOME_INVALID, "PodgangOwner", QUEUE_UNSET RULE_FOR("q") "Chosen rule r\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q','override':'Always'}"), KAI ";documents=podgang",
     NULL, GANG_OUTCOME_GANG, "",
     RULE_FOR("q") "Chosen rule r (Always)\n- podgang Unset no document names a queue\n"},
    /* names made of the PodGang */
    {PODGANG_ATTRIBUTES_RULE("'queue':{'fromNamespace':{'prefix':'n-'}}"), KAI, NULL,
     GANG_OUTCOME_GANG, "", QUEUE_UNSET RULE_FOR("n-ml") "Chosen rule r\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'fromLabel':{'key':'team'}}"), KAI ";labels='team':'red',",
     NULL, GANG_OUTCOME_GANG, "", QUEUE_UNSET RULE_FOR("red") "Chosen rule r\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'fromLabel':{'key':'team'}}"), KAI, NULL,
     GANG_OUTCOME_INVALID, "QueueNotDerived",
     QUEUE_UNSET "- policy spec.rules[0].queue:1 Refused rule r: the job lacks the label\n"},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'fromNamespace':{}}"), KAI ";namespace=-", NULL,
     GANG_OUTCOME_INVALID, "QueueNotDerived",
     QUEUE_UNSET
     "- policy spec.rules[0].queue:1 Refused rule r: the job's namespace is not known\n"},
    /* two queues */
    {NULL, KAI QUEUE_OF_SET ";labels='kueue.x-k8s.io/queue-name':'x',", NULL, GANG_OUTCOME_GANG,
     "TwoQueues", ON_SET "Chosen set in a document of Grove\n"},
};

START_TEST(queues_of_documents_and_policies)
{
    check_grove_resolution(&queues[_i], TRACE_QUEUE);
}
END_TEST

#define CLASS_UNSET "- podgang Unset the PodGang sets no priority class\n"
#define PODGANG_ATTRIBUTES_CLASS "podgang='priorityClassName':'own',"
#define OWN "own podgang spec.priorityClassName:1 "

static const struct resolution classes[] = {
    {NULL, "", NULL, GANG_OUTCOME_GANG, "", CLASS_UNSET},
    {NULL, "podgang='priorityClassName':\"\",", NULL, GANG_OUTCOME_GANG, "",
     "- podgang spec.priorityClassName:1 Unset the PodGang sets no priority class\n"},
    {NULL, PODGANG_ATTRIBUTES_CLASS, NULL, GANG_OUTCOME_GANG, "",
     OWN "Chosen set in the PodGang\n"},
    {PODGANG_ATTRIBUTES_RULE("'priorityClassName':{'name':'high'}"), "", NULL, GANG_OUTCOME_GANG,
     "", CLASS_UNSET "high policy spec.rules[0].priorityClassName:1 Chosen rule r\n"},
    {PODGANG_ATTRIBUTES_RULE("'priorityClassName':{'name':'high'}"), PODGANG_ATTRIBUTES_CLASS, NULL,
     GANG_OUTCOME_GANG, "",
     OWN "Chosen set in the PodGang\nhigh policy spec.rules[0].priorityClassName:1 Overridden "
         "rule r: "
         "the PodGang has precedence" INSIST},
    {PODGANG_ATTRIBUTES_RULE("'priorityClassName':{'name':'high','override':'Always'}"),
     PODGANG_ATTRIBUTES_CLASS, NULL, GANG_OUTCOME_GANG, "OverriddenByPolicy",
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

/*
 * Values that no object of Grove's schedulers supports are reported as lost, at the place where
 * they are set.
 */
static const struct {
    struct resolution row;
    enum trace_attribute attribute;
} lost[] = {
    {{PODGANG_ATTRIBUTES_RULE("'scheduleTimeoutSeconds':60"), "", NULL, GANG_OUTCOME_GANG,
      "FieldLost",
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
    {{PODGANG_ATTRIBUTES_RULE("'topology':{'mode':'hard','level':'zone'}"), KAI QUEUE_OF_SET, NULL,
      GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r\n"},
     TRACE_TOPOLOGY},
    {{PODGANG_ATTRIBUTES_RULE("'topology':{'mode':'hard','level':'2'}"), "", NULL,
      GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r\n"},
     TRACE_TOPOLOGY},
    {{PODGANG_ATTRIBUTES_RULE("'topology':{'mode':'hard','level':'zone'}"),
      KAI QUEUE_OF_SET ";annotations='grove.io/topology-name':'t'"
                       ";podgang='topologyConstraint':{'packConstraint':{'preferred':'rack'}},",
      NULL, GANG_OUTCOME_GANG, "",
      "rack podgang spec.topologyConstraint.packConstraint:1 Chosen the PodGang's "
      "topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Overridden rule r: the PodGang's topologyConstraint "
      "has precedence\n"},
     TRACE_TOPOLOGY},
    /* not even with Always: what the PodGang asks for is still what is rendered */
    {{PODGANG_ATTRIBUTES_RULE("'topology':{'mode':'hard','level':'zone'},'override':'Always'"),
      KAI QUEUE_OF_SET ";annotations='grove.io/topology-name':'t'"
                       ";podgang='topologyConstraint':{'packConstraint':{'preferred':'rack'}},",
      NULL, GANG_OUTCOME_GANG, "FieldLost",
      "rack podgang spec.topologyConstraint.packConstraint:1 Chosen the PodGang's "
      "topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Overridden rule r: the PodGang's topologyConstraint "
      "has precedence\n"},
     TRACE_TOPOLOGY},
    {{PODGANG_ATTRIBUTES_RULE("'topology':{'mode':'hard','level':'2'},'override':'Always'"), "",
      NULL, GANG_OUTCOME_GANG, "FieldLost",
      "- podgang Unset the PodGang as a whole has no topologyConstraint\n"
      "hard policy spec.rules[0].topology:1 Chosen rule r (Always)\n"},
     TRACE_TOPOLOGY},
    {{PODGANG_ATTRIBUTES_RULE("'members':'TrainerOnly'"), "", NULL, GANG_OUTCOME_GANG, "FieldLost",
      "All podgang Chosen every podgroup is a member; minReplicas is its minimum\n"
      "TrainerOnly policy spec.rules[0].members:1 Overridden rule r: every podgroup of a PodGang "
      "is a "
      "member\n"},
     TRACE_MEMBERS},
    {{PODGANG_ATTRIBUTES_RULE("'members':'All'"), "", NULL, GANG_OUTCOME_GANG, "",
      "All podgang Chosen every podgroup is a member; minReplicas is its minimum\n"
      "All policy spec.rules[0].members:1 Overridden rule r: every podgroup of a PodGang is a "
      "member\n"},
     TRACE_MEMBERS},
};

START_TEST(unsupported_fields_are_lost)
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
    {NULL, PODGANG_ATTRIBUTES_CLASS, "default", "own", false, false, RESERVE_AUTO},
    {PODGANG_ATTRIBUTES_RULE(
         "'queue':{'name':'q'},'priorityClassName':{'name':'p'},'reserve':'Always'"),
     "", "q", "p", true, false, RESERVE_ALWAYS},
    {PODGANG_ATTRIBUTES_RULE("'queue':{'name':'q'},'priorityClassName':{'name':'p'}"),
     PODGANG_ATTRIBUTES_CLASS, "q", "own", false, false, RESERVE_AUTO},
    {PODGANG_ATTRIBUTES_RULE("'backend':'v','override':'Always','priorityClassName':{'name':'p'}"),
     PODGANG_ATTRIBUTES_CLASS, "default", "p", true, true, RESERVE_AUTO},
    /* compatibility is about another operator */
    {"'compatibility':'KubeflowTrainer',"
     "'rules':[{'name':'r','match':{},'queue':{'name':'q'},'reserve':'Never'}]",
     PODGANG_ATTRIBUTES_CLASS, "q", "own", false, false, RESERVE_NEVER},
};

START_TEST(attributes_of_the_gang)
{
    const struct resolution row = {
        gangs[_i].policy, gangs[_i].job, NULL, GANG_OUTCOME_GANG, "", ""};
    struct run run = run_grove_resolution(&row);
    const struct gang *gang = &run.decision->gang;

    ck_slice_eq(gang->queue, gangs[_i].queue);
    ck_slice_eq(gang->priority_class_name, gangs[_i].priority);
    ck_assert_int_eq(gang->gives_priority, gangs[_i].gives_priority);
    ck_assert_int_eq(gang->wishes->overrides_schedulers, gangs[_i].overrides_schedulers);
    ck_assert_int_eq(gang->wishes->reserve, gangs[_i].reserve);
    end_run(&run);
}
END_TEST

/* ---- podgang trace ---- */

/* The good PodGang, then one with everything that it leaves out. */
static const struct {
    enum trace_attribute attribute;
    const char *find, *replace; /* in the PodGang */
    const char *value;          /* NULL: none */
    enum trace_verdict verdict; /* of the first candidate */
} attributes[] = {
    {TRACE_BACKEND, "volcano", "volcano", "volcano", VERDICT_CHOSEN},
    {TRACE_SCHEDULER_NAME, "volcano", "volcano", "volcano", VERDICT_CHOSEN},
    {TRACE_QUEUE, "volcano", "volcano", "default", VERDICT_UNSET},
    {TRACE_QUEUE, "  labels:\n",
     "  annotations: {scheduling.grove.io/volcano-queue: gpu}\n  labels:\n", "gpu", VERDICT_CHOSEN},
    {TRACE_PRIORITY_CLASS_NAME, "volcano", "volcano", "high", VERDICT_CHOSEN},
    {TRACE_PRIORITY_CLASS_NAME, "  priorityClassName: high\n", "", NULL, VERDICT_UNSET},
    {TRACE_TIMEOUT, "volcano", "volcano", NULL, VERDICT_UNSET},
    {TRACE_MEMBERS, "volcano", "volcano", "All", VERDICT_CHOSEN},
    {TRACE_TOPOLOGY, "volcano", "volcano", NULL, VERDICT_UNSET},
    {TRACE_TOPOLOGY, "spec:\n", "spec:\n  topologyConstraint: {packConstraint: {required: zone}}\n",
     "zone", VERDICT_CHOSEN},
    {TRACE_TOPOLOGY, "spec:\n",
     "spec:\n  topologyConstraint: {packConstraint: {preferred: rack}}\n", "rack", VERDICT_CHOSEN},
};

START_TEST(trace_has_the_source_of_a_value)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[attributes[_i].attribute];
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, attributes[_i].find, attributes[_i].replace);
    run = run_grove((struct grove_texts){.podgang = text, .podcliqueset = good_podcliqueset});
    attributes_trace(run.decision, &trace);
    ck_assert_int_eq(slice_is_set(entry->value), attributes[_i].value != NULL);
    if (attributes[_i].value)
        ck_slice_eq(entry->value, attributes[_i].value);
    ck_assert_int_eq(entry->candidates[0].verdict, attributes[_i].verdict);
    end_run(&run);
    arena_free(arena);
}
END_TEST

/* Templates that name a scheduler are its candidates: the gang's own, and another. */
static const struct {
    const char *name;
    enum trace_verdict verdict;
} templates[] = {{"volcano", VERDICT_CHOSEN}, {"default-scheduler", VERDICT_REFUSED}};

START_TEST(templates_are_candidates)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    char text[DOCUMENT_SIZE];
    char line[64];
    struct run run;

    NEEDS_YAML();
    snprintf(line, sizeof(line), "        podSpec:\n          schedulerName: %s\n",
             templates[_i].name);
    with_change(text, good_podcliqueset, "        podSpec:\n", line);
    run = run_grove((struct grove_texts){.podgang = good_podgang, .podcliqueset = text});
    attributes_trace(run.decision, &trace);
    ck_assert_uint_eq(trace.entries[TRACE_SCHEDULER_NAME].count, 2); /* and the backend's own */
    ck_assert_int_eq(trace.entries[TRACE_SCHEDULER_NAME].candidates[0].verdict,
                     templates[_i].verdict);
    end_run(&run);
    arena_free(arena);
}
END_TEST

START_TEST(without_a_gang_the_trace_has_only_the_backend)
{
    struct arena *arena = arena_new(0);
    struct trace trace = {.arena = arena};
    char text[DOCUMENT_SIZE];
    struct run run;

    NEEDS_YAML();
    with_change(text, good_podgang, "scheduler-name: volcano", "scheduler-name: default-scheduler");
    run = run_grove((struct grove_texts){.podgang = text, .podcliqueset = good_podcliqueset});
    attributes_trace(run.decision, &trace);
    ck_assert_uint_gt(trace.entries[TRACE_BACKEND].count, 0);
    ck_assert_uint_eq(trace.entries[TRACE_QUEUE].count, 0);
    end_run(&run);
    arena_free(arena);
}
END_TEST

#define PODGANG_TRACE_OF_RULE "volcano policy spec.rules[0].backend:1 Chosen rule r (Always)\n"
#define OF_CLIQUE "podcliqueset spec.template.cliques[0].spec.podSpec.schedulerName:1 "
#define PODGANG_TRACE_BEHIND_RULE                                                                  \
    "volcano - Overridden rule r with override Always has precedence\n"

/* A rule that has precedence over the templates gives their pods its scheduler. */
static const struct {
    const char *router;
    const char *trace;
} overridden[] = {
    {"", PODGANG_TRACE_OF_RULE PODGANG_TRACE_BEHIND_RULE},
    {";router='schedulerName':'volcano',", PODGANG_TRACE_OF_RULE
     "volcano " OF_CLIQUE
     "Overridden rule r with override Always has precedence\n" PODGANG_TRACE_BEHIND_RULE},
    {";router='schedulerName':'kai-scheduler',", PODGANG_TRACE_OF_RULE
     "kai-scheduler " OF_CLIQUE
     "Overridden rule r with override Always has precedence\n" PODGANG_TRACE_BEHIND_RULE},
};

START_TEST(rule_sets_scheduler_of_pods)
{
    char job[RESOLUTION_SLOT_SIZE];
    const struct resolution row = {
        "'rules':[{'name':'r','match':{},'backend':'volcano','override':'Always'}]",
        job,
        NULL,
        0,
        "",
        ""};
    struct run run;

    snprintf(job, sizeof(job), "scheduler=-%s", overridden[_i].router);
    run = run_grove_resolution(&row);
    check_trace(run.decision, TRACE_SCHEDULER_NAME, overridden[_i].trace);
    end_run(&run);
}
END_TEST

/* A policy that lists no backends enables one of each type, and each may have options. */
START_TEST(trace_of_timeouts_without_listed_backends)
{
    const struct resolution row = {"'rules':[{'name':'r','match':{}}]", "", NULL, 0, "", ""};
    struct run run = run_grove_resolution(&row);

    check_trace(run.decision, TRACE_TIMEOUT,
                "- podgang Unset a PodGang has no timeout\n"
                "- policy spec.rules[0].scheduleTimeoutSeconds:1 Unset rule r does not set it\n");
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, each_attribute_has_its_value, decisions, job, policy);
    tcase_add_test(cases, gang_fields_equal_the_trace);
    add_rows(cases, members_and_requests, choices, resolution.policy, resolution.job,
             resolution.cluster);
    tcase_add_test(cases, minimum_is_all_members);
    add_rows(cases, scheduler_name_of_the_pods, schedulers, policy, job, cluster);
    add_rows(cases, schedule_timeout, timeouts, resolution.policy, resolution.job,
             resolution.cluster);
    add_rows(cases, topology_of_the_gang, topologies, resolution.policy, resolution.job,
             resolution.cluster);
    add_rows(cases, queues_of_documents_and_policies, queues, policy, job, cluster);
    add_rows(cases, priority_classes_of_documents_and_policies, classes, policy, job, cluster);
    add_rows(cases, unsupported_fields_are_lost, lost, row.policy, row.job, row.cluster);
    add_rows(cases, attributes_of_the_gang, gangs, policy, job);
    tcase_add_test(cases, trace_of_timeouts_without_listed_backends);
    add_rows(cases, rule_sets_scheduler_of_pods, overridden, router);
    add_rows(cases, trace_has_the_source_of_a_value, attributes, attribute, find, replace);
    add_rows(cases, templates_are_candidates, templates, name);
    tcase_add_test(cases, without_a_gang_the_trace_has_only_the_backend);
}
