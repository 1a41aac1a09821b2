/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/resolutions.h"
#include "unit/squeeze.h"
#include "unit/typed.h"

/* In the order in which the document says they stand. */
START_TEST(diagnostics_in_order)
{
    static const int codes[] = {GANG_CODE_SCHEDULER_NAME_SET, GANG_CODE_MIN_RESOURCES_LEFT_OUT,
                                GANG_CODE_NO_OWNER_UID};
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);

    ck_assert_uint_eq(gang_decision_num_diagnostics(run.decision), COUNT_OF(codes));
    for (int i = 0; i < COUNT_OF(codes); i++)
        ck_assert_int_eq(gang_diagnostic_get_code(gang_decision_get_diagnostic(run.decision, (size_t)i)),
                         codes[i]);
    ck_assert_ptr_null(gang_decision_get_diagnostic(run.decision, COUNT_OF(codes)));
    ck_assert_ptr_null(gang_decision_get_diagnostic(run.decision, SIZE_MAX));
    end_run(&run);
}
END_TEST

/* The name stands only beside a gang, even where a backend was chosen for an invalid one. */
static const struct {
    const char *gang_policy;
    enum gang_outcome outcome;
    const char *backend;
} outcomes[] = {
    {"{'volcano': {}}", GANG_OUTCOME_GANG, "volcano"},
    {"{'coscheduling': {}}", GANG_OUTCOME_GANG, "coscheduling"},
    {"{}", GANG_OUTCOME_NO_GANG, NULL},
    {"{'volcano': {}, 'vulcano': {}}", GANG_OUTCOME_INVALID, NULL},
    {"{'coscheduling': {'scheduleTimeoutSeconds': -1}}", GANG_OUTCOME_INVALID, NULL},
};

START_TEST(outcome_and_backend)
{
    struct run run =
        run_spelled(tune_runtime, "{'volcano': {}}", outcomes[_i].gang_policy, tune_trainjob, NULL);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), outcomes[_i].outcome);
    ck_assert_pstr_eq(gang_decision_get_backend(run.decision), outcomes[_i].backend);
    end_run(&run);
}
END_TEST

/* As the document of the plan has it: the policy's name for it, else the type in lower case. */
START_TEST(backend_as_the_policy_calls_it)
{
    static const char policy[] =
        "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': 'GangPolicy', 'metadata': {'name': 'lab'},"
        " 'spec': {'backends': [{'name': 'batch', 'type': 'Volcano'}]}}";
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, policy);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_GANG);
    ck_assert_str_eq(gang_decision_get_backend(run.decision), "batch");
    end_run(&run);
}
END_TEST

START_TEST(references_are_counted)
{
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);
    struct gang_decision *decision = run.decision;

    ck_assert_ptr_eq(gang_decision_ref(decision), decision);
    end_run(&run);
    ck_assert_str_eq(gang_decision_get_backend(decision), "volcano");
    gang_decision_unref(decision);
}
END_TEST

START_TEST(null_is_accepted)
{
    ck_assert_int_eq(gang_decision_get_outcome(NULL), GANG_OUTCOME_NONE);
    ck_assert_ptr_null(gang_decision_get_backend(NULL));
    ck_assert_uint_eq(gang_decision_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_decision_get_diagnostic(NULL, 0));
    ck_assert_ptr_null(gang_decision_ref(NULL));
    gang_decision_unref(NULL);
}
END_TEST

/* ---- without memory ---- */

#define EVERYTHING                                                                                           \
    "'queue':{'fromNamespace':{'prefix':'ns-'}},'priorityClassName':{'name':'p'},'scheduleTimeoutSeconds':"  \
    "7,"                                                                                                     \
    "'members':'TrainerOnly','topology':{'mode':'soft','level':'3'}"
#define OWN_VALUES                                                                                           \
    "gang={'volcano':{'networkTopology':{}}};"                                                               \
    "template='annotations':{'scheduling.volcano.sh/queue-name':'mine'};"                                    \
    "node='schedulerName':'volcano','priorityClassName':'high',;data='priorityClassName':'low',"
#define FEW_FACTS                                                                                            \
    "'kubernetesVersion':'1.36','queues':[{'name':'a','type':'Volcano'},{'name':'b','type':'Volcano'}],"     \
    "'priorityClasses':[{'name':'x','value':1,'globalDefault':true}],'limitRanges':[{'name':'a',"            \
    "'namespace':'ml','limits':[{'type':'Pod','max':{'memory':'1Mi'}}]}]"

/* Decisions that say much: everything chosen, everything overridden, everything wrong. */
static const struct resolution squeezed[] = {
    {NULL, OWN_VALUES, FEW_FACTS, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'backend':'volcano'," EVERYTHING "}]", "", NULL, GANG_OUTCOME_GANG,
     NULL, NULL},
    {"'rules':[{'name':'r','match':{},'backend':'coscheduling','override':'Always'," EVERYTHING "}]",
     OWN_VALUES, NULL, GANG_OUTCOME_GANG, NULL, NULL},
    {"'constraints':[{'name':'c','match':{},'allowedBackends':['kai'],'allowedQueues':['q','s-*'],"
     "'allowedPriorityClassNames':['n','o'],'maxMembers':1}]",
     OWN_VALUES, NULL, GANG_OUTCOME_DENIED, NULL, NULL},
    {"'backends':[{'name':'a','type':'Volcano'},{'name':'b','type':'Volcano','schedulerName':'s'}]",
     "gang={'volcano':{}}", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'backends':[{'name':'k','type':'KAI'},{'name':'c','type':'Coscheduling'}]",
     "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'action':'Deny'}]",
     "gang={'volcano':{},'coscheduling':{},'more':{}}", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'action':'Deny','message':'no'}]", "", NULL, GANG_OUTCOME_DENIED, NULL,
     NULL},
    {"'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'fromLabel':{'key':'team'}}}]", "", NULL,
     GANG_OUTCOME_INVALID, NULL, NULL},
};

static bool
resolve_again(const struct gang_context *context, const void *input, int *result, struct gang_error **error)
{
    const struct decision_inputs *inputs = &((const struct run *)input)->decision->inputs;
    struct gang_decision *decision = NULL;

    *result = resolve_trainjob_with(context, inputs->runtime, inputs->trainjob, inputs->policy,
                                    inputs->cluster, 0, &decision, error);
    gang_decision_unref(decision);
    return decision != NULL;
}

START_TEST(resolving_ends_cleanly_at_every_limit_of_memory)
{
    struct run run = run_resolution(&squeezed[_i]);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), squeezed[_i].outcome);
    ck_assert_int_eq(squeeze(resolve_again, &run), run.result);
    end_run(&run);
}
END_TEST

static bool
render_again(const struct gang_context *context, const void *input, int *result, struct gang_error **error)
{
    struct gang_plan *plan = NULL;

    *result = gang_render(context, ((const struct run *)input)->decision, 0, &plan, error);
    gang_plan_unref(plan);
    return plan != NULL;
}

START_TEST(rendering_ends_cleanly_at_every_limit_of_memory)
{
    struct run run = run_resolution(&squeezed[_i]);

    ck_assert_int_eq(squeeze(render_again, &run), GANG_OK);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, resolving_ends_cleanly_at_every_limit_of_memory, squeezed, policy, job, cluster);
    add_rows(cases, rendering_ends_cleanly_at_every_limit_of_memory, squeezed, policy, job, cluster);
    tcase_add_test(cases, diagnostics_in_order);
    add_rows(cases, outcome_and_backend, outcomes, gang_policy);
    tcase_add_test(cases, backend_as_the_policy_calls_it);
    tcase_add_test(cases, references_are_counted);
    tcase_add_test(cases, null_is_accepted);
}
