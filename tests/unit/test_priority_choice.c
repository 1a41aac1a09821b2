/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "unit/resolutions.h"
#include "unit/suite.h"

#define CLASS(name) "'priorityClassName':'" name "',"
#define R(members) "'rules':[{'name':'r','match':{},'backend':'volcano'," members "}]"
#define V "'defaultBackend':'volcano'"
#define OF_DATA(value, verdict)                                                                    \
    value " runtime "                                                                              \
          "spec.template.spec.replicatedJobs[0].template.spec.template.spec.priorityClassName:"    \
          "5 " verdict "\n"
#define OF_NODE(value, verdict)                                                                    \
    value " runtime "                                                                              \
          "spec.template.spec.replicatedJobs[1].template.spec.template.spec.priorityClassName:"    \
          "6 " verdict "\n"
#define OF_RULE(value, verdict) value " policy spec.rules[0].priorityClassName:1 " verdict "\n"
#define OF_DEFAULTS(value, verdict) value " policy spec.defaults.priorityClassName:1 " verdict "\n"
#define UNNAMED "- runtime Unset no template names a priority class\n"
#define MEMBERS "Chosen the members' priority class"
#define NOT_MEMBERS "Overridden not the members' priority class"
#define OUTSIDE "Refused the role is not in the gang"
#define STRICT "Overridden rule r with override Always has precedence"
#define BEHIND_RULE "Overridden rule r has precedence"
#define OPERATOR "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock"

#define K "'defaultBackend':'kai'"
#define LABEL(name) "'priorityClassName':'" name "'"
#define KAI_CLASSES "'priorityClasses':[{'name':'low','value':1},{'name':'high','value':9}],"
#define KAI_DEFAULTS(kind, name)                                                                   \
    KAI_CLASSES "'kai':{'defaults':[{'typeName':'" kind "','priorityName':'" name "'}]}"
#define OF_KAI(value, verdict) value " cluster spec.kai.defaults[0].priorityName:1 " verdict "\n"
#define OF_LABEL(value, verdict)                                                                   \
    value " trainjob metadata.labels[priorityClassName]:1 " verdict "\n"
#define OF_SET(value, verdict)                                                                     \
    value " runtime spec.template.metadata.labels[priorityClassName]:4 " verdict "\n"
#define DEFAULT "the default of the scheduler's configuration"
#define DEFAULT_FIRST DEFAULT " has precedence"

static const struct priority_case {
    struct resolution resolution;
    const char *class_name; /* of the gang; "" for none */
    const char *patches;    /* of `data` and `node`; `-` for none */
} priorities[] = {
    {{V, "", NULL, GANG_OUTCOME_GANG, "", UNNAMED}, "", "--"},
    {{NULL, "gang={'volcano':{}};node=" CLASS("high"), NULL, GANG_OUTCOME_GANG, "",
      OF_NODE("high", MEMBERS)},
     "high",
     "--"},
    {{V, "data=" CLASS("low"), NULL, GANG_OUTCOME_GANG, "", UNNAMED OF_DATA("low", OUTSIDE)},
     "",
     "--"},
    {{V, "data=" CLASS("low") ";node=" CLASS("high"), NULL, GANG_OUTCOME_GANG, "",
      OF_NODE("high", MEMBERS) OF_DATA("low", OUTSIDE)},
     "high",
     "--"},
    /* The policy gives one where the members name none; their pods get it, those outside do not. */
    {{R("'priorityClassName':{'name':'p'}"), "", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("p", "Chosen rule r")},
     "p",
     "-p"},
    {{"'defaults':{'backend':'volcano','priorityClassName':{'name':'d'}}", "", NULL,
      GANG_OUTCOME_GANG, "", UNNAMED OF_DEFAULTS("d", "Chosen the policy's defaults")},
     "d",
     "-d"},
    {{R("'priorityClassName':{'name':'p'}") ",'defaults':{'priorityClassName':{'name':'d'}}", "",
      NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("p", "Chosen rule r") OF_DEFAULTS("d", BEHIND_RULE)},
     "p",
     "-p"},
    {{R("'priorityClassName':{'name':'p'}"), "data=" CLASS("low"), NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_DATA("low", OUTSIDE) OF_RULE("p", "Chosen rule r")},
     "p",
     "-p"},
    /* Their value has precedence, except with Always. */
    {{R("'priorityClassName':{'name':'p'}"), "node=" CLASS("high"), NULL, GANG_OUTCOME_GANG, "",
      OF_NODE("high", MEMBERS) OF_RULE("p", "Overridden rule r: not the members' priority class; "
                                            "set override: Always to give the rule precedence")},
     "high",
     "--"},
    {{R("'priorityClassName':{'name':'p','override':'Always'}"), "node=" CLASS("high"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("p", "Chosen rule r (Always)") OF_NODE("high", STRICT)},
     "p",
     "-p"},
    {{R("'priorityClassName':{'name':'high','override':'Always'}"), "node=" CLASS("high"), NULL,
      GANG_OUTCOME_GANG, "", OF_RULE("high", "Chosen rule r (Always)") OF_NODE("high", STRICT)},
     "high",
     "--"},
    {{R("'override':'Always','priorityClassName':{'name':'p'}"), "node=" CLASS("high"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("p", "Chosen rule r (Always)") OF_NODE("high", STRICT)},
     "p",
     "-p"},
    {{R("'priorityClassName':{'name':'p','override':'Always'}"), "", NULL, GANG_OUTCOME_GANG, "",
      OF_RULE("p", "Chosen rule r (Always)") UNNAMED},
     "p",
     "-p"},
    {{R("'priorityClassName':{'name':'p','override':'Always'}"), "data=" CLASS("low"), NULL,
      GANG_OUTCOME_GANG, "",
      OF_RULE("p", "Chosen rule r (Always)") UNNAMED OF_DATA("low", OUTSIDE)},
     "p",
     "-p"},
    /* With every role in the gang both are asked. */
    {{R("'members':'All','priorityClassName':{'name':'p','override':'Always'}"),
      "data=" CLASS("low") ";node=" CLASS("high"), NULL, GANG_OUTCOME_INVALID,
      "OverriddenByPolicy StructuralDeadlock OverriddenByPolicy",
      OF_RULE("p", "Chosen rule r (Always)") OF_DATA("low", STRICT) OF_NODE("high", STRICT)},
     "p",
     NULL},
    {{R("'members':'All'"), "data=" CLASS("low") ";node=" CLASS("high"), NULL, GANG_OUTCOME_INVALID,
      "StructuralDeadlock PrioritiesDisagree",
      OF_DATA("low", MEMBERS) OF_NODE(
          "high",
          NOT_MEMBERS) "- policy spec.rules[0].priorityClassName:1 Unset rule r does not set it\n"},
     "low",
     NULL},
    /* The operator uses the last one, with any policy. */
    {{"'compatibility':'KubeflowTrainer'," R(
          "'priorityClassName':{'name':'p','override':'Always'}"),
      "gang={'volcano':{}};data=" CLASS("low") ";node=" CLASS("high"), NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole PriorityLastWins LimitsNotCounted StructuralDeadlock",
      OF_RULE("p", "Refused rule r: with KubeflowTrainer compatibility no policy chooses it")
          OF_NODE("high", MEMBERS) OF_DATA("low", NOT_MEMBERS)},
     "high",
     "--"},
    /*
     * KAI: labels, and defaults of the podgrouper's ConfigMap, where the release reads them. Each
     * place is in the golden decisions, too. The job is not a gang under Delegate before v0.15.
     */
    {{K, "labels=" LABEL("high"), KAI_DEFAULTS("TrainJob", "low"), GANG_OUTCOME_GANG, "",
      OF_KAI("low", "Chosen " DEFAULT) OF_LABEL("high", "Overridden " DEFAULT_FIRST) UNNAMED},
     "low",
     NULL},
    {{K, "template='labels':{" LABEL("high") "}", KAI_DEFAULTS("TrainJob", "low"),
      GANG_OUTCOME_GANG, "",
      OF_SET("high", "Chosen set in the runtime's template")
          OF_KAI("low", "Overridden the runtime's template has precedence") UNNAMED},
     "high",
     NULL},
    {{K, "labels=" LABEL("high"), KAI_DEFAULTS("TrainJob", "none"), GANG_OUTCOME_GANG, "",
      OF_LABEL("high", "Chosen set in the trainjob") UNNAMED},
     "high",
     NULL},
    {{K, "", KAI_DEFAULTS("JobSet", "low"), GANG_OUTCOME_GANG, "",
      UNNAMED OF_KAI("low", "Chosen " DEFAULT)},
     "low",
     NULL},
    {{K, "node=" CLASS("high"), KAI_DEFAULTS("JobSet", "low"), GANG_OUTCOME_GANG, "",
      OF_NODE("high", MEMBERS) OF_KAI("low", "Overridden not the members' priority class")},
     "high",
     NULL},
    {{K, "labels=" LABEL("none"), KAI_DEFAULTS("JobSet", "low"), GANG_OUTCOME_GANG,
      "PriorityLabelUnknown",
      OF_LABEL("none", "Refused the cluster has no such class") OF_KAI("low", "Chosen " DEFAULT)
          UNNAMED},
     "low",
     NULL},
    {{K, "labels=" LABEL("none"), KAI_DEFAULTS("Job", "low"), GANG_OUTCOME_GANG,
      "PriorityLabelUnknown",
      OF_LABEL("none", "Refused the cluster has no such class, so the scheduler uses its own "
                       "default") UNNAMED},
     "",
     NULL},
    {{K, "template='labels':{" LABEL("high") "};node=" CLASS("low"),
      KAI_CLASSES "'components':{'kai':'0.12.4'}", GANG_OUTCOME_INVALID, "KaiDelegateNoGang",
      OF_NODE("low", MEMBERS) OF_SET("high", "Overridden not the members' priority class")},
     "low",
     NULL},
};

static void
check_patches(const struct run *run, const char *expected)
{
    struct arena *arena = arena_new(0);
    struct plan_content content;
    char text[64] = "";

    ck_assert(plan_content_init(&content, arena, &run->decision->gang));
    backend_render(run->decision->backend, &run->decision->call, &content);
    for (size_t i = 0; i < content.num_patches; i++) {
        struct slice name = content.patches[i].priority_class_name;

        strncat(text, name.len ? name.data : "-", name.len ? name.len : 1);
    }
    ck_assert_str_eq(text, expected);
    arena_free(arena);
}

START_TEST(the_priority_of_the_gang)
{
    const struct priority_case *row = &priorities[_i];
    struct run run = run_resolution(&row->resolution);

    ck_assert_uint_eq(run.decision->gang.priority_class_name.len, strlen(row->class_name));
    if (row->class_name[0])
        ck_slice_eq(run.decision->gang.priority_class_name, row->class_name);
    if (row->patches)
        check_patches(&run, row->patches);
    end_run(&run);
    check_resolution(&row->resolution, TRACE_PRIORITY_CLASS_NAME);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_priority_of_the_gang, priorities, resolution.policy, resolution.job,
             resolution.cluster);
}
