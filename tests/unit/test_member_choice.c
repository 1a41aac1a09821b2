/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/attributes.h"

#include "unit/resolutions.h"

#define R(members) "'rules':[{'name':'r','match':{},'backend':'volcano'," members "}]"
#define V "'defaultBackend':'volcano'"
#define OF_RULE(value, verdict) value " policy spec.rules[0].members:1 " verdict "\n"
#define OF_DEFAULTS(value, verdict) value " policy spec.defaults.members:1 " verdict "\n"
#define SILENT "- policy spec.rules[0].members:1 Unset rule r does not say\n"
#define AUTO(verdict) "Auto - " verdict "\n"
#define NOBODY "Chosen the roles that run together; the first wave is the minimum"
#define BEHIND_RULE "Overridden rule r stands before"
#define STRICT "Overridden rule r with override Always stands before"

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
      OF_RULE("Auto", "Chosen rule r") AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'TrainerOnly'"), "", NULL, GANG_OUTCOME_GANG, "",
      OF_RULE("TrainerOnly", "Chosen rule r") AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{"'defaults':{'backend':'volcano','members':'TrainerOnly'}", "", NULL, GANG_OUTCOME_GANG, "",
      OF_DEFAULTS("TrainerOnly", "Chosen the policy's defaults")
          AUTO("Overridden the policy's defaults stand before")},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'Auto'") ",'defaults':{'members':'TrainerOnly'}", "", NULL, GANG_OUTCOME_GANG,
      "",
      OF_RULE("Auto", "Chosen rule r") OF_DEFAULTS("TrainerOnly", BEHIND_RULE) AUTO(BEHIND_RULE)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'queue':{'name':'q'}") ",'defaults':{'members':'TrainerOnly'}", "", NULL,
      GANG_OUTCOME_GANG, "",
      SILENT OF_DEFAULTS("TrainerOnly", "Chosen the policy's defaults")
          AUTO("Overridden the policy's defaults stand before")},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    {{R("'members':'TrainerOnly','override':'Always'"), "", NULL, GANG_OUTCOME_GANG, "",
      OF_RULE("TrainerOnly", "Chosen rule r (Always)") AUTO(STRICT)},
     2,
     2,
     "memory=2Gi nvidia.com/gpu=4",
     false},
    /* Every role at once cannot be where one waits for another to end. */
    {{R("'members':'All'"), "", NULL, GANG_OUTCOME_INVALID, "StructuralDeadlock",
      OF_RULE("All", "Chosen rule r") AUTO(BEHIND_RULE)},
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
      "counted and "
      "marked\n" OF_DEFAULTS("TrainerOnly",
                             "Refused with KubeflowTrainer compatibility no policy chooses it")},
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

START_TEST(who_is_in_and_what_is_asked_for)
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

/* The chain of waiting stands in the message. */
START_TEST(all_members_wait_for_each_other)
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

void
add_tests(TCase *cases)
{
    add_rows(cases, who_is_in_and_what_is_asked_for, choices, resolution.policy, resolution.job,
             resolution.cluster);
    tcase_add_test(cases, all_members_wait_for_each_other);
}
