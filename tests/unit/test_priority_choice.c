/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

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
#define STRICT "Overridden rule r with override Always stands before"
#define BEHIND_RULE "Overridden rule r stands before"
#define OPERATOR "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock"

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
    /* It gives way to what they name, unless it says Always. */
    {{R("'priorityClassName':{'name':'p'}"), "node=" CLASS("high"), NULL, GANG_OUTCOME_GANG, "",
      OF_NODE("high", MEMBERS) OF_RULE("p", "Overridden rule r: not the members' priority class; "
                                            "write override: Always to choose first")},
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
          NOT_MEMBERS) "- policy spec.rules[0].priorityClassName:1 Unset rule r does not say\n"},
     "low",
     NULL},
    /* The operator takes the last, whatever the policy says. */
    {{"'compatibility':'KubeflowTrainer'," R(
          "'priorityClassName':{'name':'p','override':'Always'}"),
      "gang={'volcano':{}};data=" CLASS("low") ";node=" CLASS("high"), NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole PriorityLastWins LimitsNotCounted StructuralDeadlock",
      OF_RULE("p", "Refused rule r: with KubeflowTrainer compatibility no policy chooses it")
          OF_NODE("high", MEMBERS) OF_DATA("low", NOT_MEMBERS)},
     "high",
     "--"},
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
