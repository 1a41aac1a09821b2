/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podcliqueset.h"

#include "unit/grove_resolutions.h"

/*
 * What one pod of each clique requests: `router` states 500m cpu, `decode` has a limit of 4 GPUs.
 * Defaults of a LimitRange and overhead:
 * kubernetes/kubernetes:plugin/pkg/admission/{limitranger,runtimeclass}/admission.go.
 */
#define RANGE(namespace_, limits)                                                                  \
    "'limitRanges':[{'namespace':'" namespace_                                                     \
    "','name':'l','limits':[{'type':'Container'," limits "}]}]"
#define KATA "'runtimeClasses':[{'name':'kata','overhead':{'cpu':'250m'}}]"
#define BOXED "router='runtimeClassName':'kata',"

static const struct {
    struct resolution row;
    const char *router, *decode;
} requests[] = {
    {{NULL, "", NULL, GANG_OUTCOME_GANG, "", ""}, "cpu=500m", "nvidia.com/gpu=4"},
    {{NULL, "", "'limitRanges':[]", GANG_OUTCOME_GANG, "", ""}, "cpu=500m", "nvidia.com/gpu=4"},
    {{NULL, "", RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m memory=1Gi",
     "memory=1Gi nvidia.com/gpu=4"},
    {{NULL, "", RANGE("ml", "'defaultRequest':{'cpu':'1'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "cpu=1 nvidia.com/gpu=4"},
    {{NULL, "", RANGE("other", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    {{NULL, BOXED, KATA, GANG_OUTCOME_GANG, "", ""}, "cpu=750m", "nvidia.com/gpu=4"},
    {{NULL, BOXED, "'kubernetesVersion':'1.36'", GANG_OUTCOME_GANG, "", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    /* what the API server would refuse */
    {{NULL, BOXED, "'runtimeClasses':[]", GANG_OUTCOME_INVALID, "UnknownRuntimeClass", ""},
     "cpu=500m",
     "nvidia.com/gpu=4"},
    {{NULL, "",
      RANGE("ml", "'max':{'cpu':'400m'},'default':{'cpu':'300m'},'defaultRequest':{'cpu':'300m'}"),
      GANG_OUTCOME_INVALID, "LimitRangeViolated", ""},
     "cpu=500m",
     "cpu=300m nvidia.com/gpu=4"},
    /* only what stands under requests, whatever the API server adds */
    {{"'rules':[{'name':'r','match':{},'resources':'RequestsOnly'}]", "", NULL, GANG_OUTCOME_GANG,
      "LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'rules':[{'name':'r','match':{},'resources':'RequestsOnly'}]", "",
      RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'defaults':{'resources':'RequestsOnly'}",
      "router='initContainers':[{'name':'i','resources':{'limits':{'cpu':'2'}}}],", NULL,
      GANG_OUTCOME_GANG, "LimitsNotCounted LimitsNotCounted", ""},
     "cpu=500m",
     ""},
    {{"'defaults':{'resources':'RequestsOnly'}", "documents=podgang", NULL, GANG_OUTCOME_GANG, "",
      ""},
     "",
     ""},
    /* a rule asks what the pods will request */
    {{"'rules':[{'name':'r','match':{'resources':['memory']},'action':'Deny'}]", "",
      RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_DENIED, "RuleDenies", ""},
     "cpu=500m memory=1Gi",
     "memory=1Gi nvidia.com/gpu=4"},
};

static void
check_requests(const struct role *role, const char *expected)
{
    struct arena *arena = arena_new(0);
    char amount[QUANTITY_TEXT_SIZE];
    const char *text = "";

    for (size_t i = 0; i < role->requests.count; i++)
        text = arena_format(arena, "%s%s%.*s=%.*s", text, i ? " " : "",
                            SLICE_ARG(role->requests.items[i].name),
                            SLICE_ARG(quantity_print(&role->requests.items[i].quantity, amount)));
    ck_assert_str_eq(text, expected);
    arena_free(arena);
}

START_TEST(what_a_pod_requests)
{
    struct run run = run_grove_resolution(&requests[_i].row);

    check_outcome_of(&run, &requests[_i].row);
    ck_assert_uint_eq(run.decision->gang.num_roles, 2);
    check_requests(&run.decision->gang.roles[0], requests[_i].router);
    check_requests(&run.decision->gang.roles[1], requests[_i].decode);
    end_run(&run);
}
END_TEST

/* Each clique is spoken of once, however many podgroups are made of it. */
START_TEST(a_clique_is_reported_once)
{
    const struct resolution row = {
        NULL, "", RANGE("ml", "'defaultRequest':{'memory':'1Gi'}"), GANG_OUTCOME_GANG, "", ""};
    struct run run = run_grove_resolution(&row);
    size_t notes = 0;

    for (size_t i = 0; i < run_num_findings(&run); i++)
        notes += gang_diagnostic_get_code(run_finding(&run, i)) == GANG_CODE_DEFAULT_APPLIED &&
                 gang_diagnostic_get_document(run_finding(&run, i)) == GANG_DOCUMENT_PODCLIQUESET;
    ck_assert_uint_eq(notes, 2);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, what_a_pod_requests, requests, row.policy, row.job, row.cluster);
    tcase_add_test(cases, a_clique_is_reported_once);
}
