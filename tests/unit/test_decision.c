/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

#include "unit/resolutions.h"
#include "unit/squeeze.h"
#include "unit/typed.h"

/* In the order of the document. */
START_TEST(diagnostics_in_order)
{
    static const int codes[] = {GANG_CODE_SCHEDULER_NAME_SET, GANG_CODE_MIN_RESOURCES_LEFT_OUT,
                                GANG_CODE_NO_OWNER_UID};
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, NULL);

    ck_assert_uint_eq(gang_decision_num_diagnostics(run.decision), ITEMS_OF(codes));
    for (int i = 0; i < ITEMS_OF(codes); i++)
        ck_assert_int_eq(
            gang_diagnostic_get_code(gang_decision_get_diagnostic(run.decision, (size_t)i)),
            codes[i]);
    ck_assert_ptr_null(gang_decision_get_diagnostic(run.decision, ITEMS_OF(codes)));
    ck_assert_ptr_null(gang_decision_get_diagnostic(run.decision, SIZE_MAX));
    end_run(&run);
}
END_TEST

/* Only a gang has the name, even if a backend was chosen for an invalid job. */
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
START_TEST(backend_name_is_that_of_the_policy)
{
    static const char policy[] = "{'apiVersion': 'policy.libgang.dev/v1alpha1', 'kind': "
                                 "'GangPolicy', 'metadata': {'name': 'lab'},"
                                 " 'spec': {'backends': [{'name': 'batch', 'type': 'Volcano'}]}}";
    struct run run = run_spelled(tune_runtime, NULL, NULL, tune_trainjob, policy);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_GANG);
    ck_assert_str_eq(gang_decision_get_backend(run.decision), "batch");
    end_run(&run);
}
END_TEST

/* The job has one pod of `data`, and two of `node` behind it. */
static const struct {
    struct resolution input;
    const char *scheduler, *queue, *reason;
    int64_t minimum, members, pods;
} answers[] = {
    {{NULL, "gang={'volcano':{}}", NULL, GANG_OUTCOME_GANG, NULL, NULL},
     "volcano",
     NULL,
     "set in the runtime's podGroupPolicy",
     2,
     2,
     3},
    {{NULL, "node='schedulerName':'kai-scheduler',", NULL, GANG_OUTCOME_GANG, NULL, NULL},
     "kai-scheduler",
     NULL,
     "the schedulerName of the templates is this backend's",
     2,
     2,
     3},
    {{"'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'name':'q'}}]", "", NULL,
      GANG_OUTCOME_GANG, NULL, NULL},
     "volcano",
     "q",
     "rule r",
     2,
     2,
     3},
    {{"'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'name':'q'},'override':'Always'"
      "}]",
      "", NULL, GANG_OUTCOME_GANG, NULL, NULL},
     "volcano",
     "q",
     "rule r (Always)",
     2,
     2,
     3},
    {{"'defaults':{'backend':'coscheduling'}", "", NULL, GANG_OUTCOME_GANG, NULL, NULL},
     "scheduler-plugins-scheduler",
     NULL,
     "the policy's defaults",
     2,
     2,
     3},
    {{"'rules':[{'name':'r','match':{},'action':'Skip'}]", "gang={'volcano':{}}", NULL,
      GANG_OUTCOME_NO_GANG, NULL, NULL},
     NULL,
     NULL,
     "rule r skips the job",
     0,
     0,
     0},
    {{NULL, "job='managedBy':'kueue.x-k8s.io/multikueue',;gang={'volcano':{}}", NULL,
      GANG_OUTCOME_NO_GANG, NULL, NULL},
     NULL,
     NULL,
     "managedBy names another controller; the operator creates nothing",
     0,
     0,
     0},
    {{NULL, "", NULL, GANG_OUTCOME_NO_GANG, NULL, NULL},
     NULL,
     NULL,
     "neither the runtime, the templates nor a policy choose a backend",
     0,
     0,
     0},
    {{"'rules':[{'name':'r','match':{},'action':'Deny','message':'not here'}]", "", NULL,
      GANG_OUTCOME_DENIED, NULL, NULL},
     NULL,
     NULL,
     "rule r denies the job: not here",
     0,
     0,
     0},
    /* what denies has precedence over an error in a document that comes first */
    {{"'rules':[{'name':'r','match':{},'action':'Deny'}]",
      "node='schedulerName':'volcano',;data='schedulerName':'kai-scheduler',", NULL,
      GANG_OUTCOME_DENIED, NULL, NULL},
     NULL,
     NULL,
     "rule r denies the job",
     0,
     0,
     0},
};

START_TEST(answers_without_a_plan)
{
    struct run run = run_resolution(&answers[_i].input);

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), (int)answers[_i].input.outcome);
    ck_assert_pstr_eq(gang_decision_get_scheduler_name(run.decision), answers[_i].scheduler);
    ck_assert_pstr_eq(gang_decision_get_queue(run.decision), answers[_i].queue);
    ck_assert_str_eq(gang_decision_get_reason(run.decision), answers[_i].reason);
    ck_assert_int_eq(gang_decision_get_minimum(run.decision), answers[_i].minimum);
    ck_assert_int_eq(gang_decision_get_members(run.decision), answers[_i].members);
    ck_assert_int_eq(gang_decision_get_pods(run.decision), answers[_i].pods);
    end_run(&run);
}
END_TEST

/* What parsing found in a policy is about no job; what deciding found in it or in a cluster names
 * the job. */
static const struct {
    const char *namespace_, *job;
} jobs[] = {{"namespace=ml", "ml/llama"}, {"namespace=-", "llama"}};

START_TEST(findings_of_a_policy_name_the_job)
{
    const struct resolution input = {
        "'rules':[{'name':'a','match':{},'action':'Deny'},{'name':'b','match':{},'action':'Deny'}]",
        jobs[_i].namespace_,
        NULL,
        GANG_OUTCOME_DENIED,
        NULL,
        NULL};
    struct run run = run_resolution(&input);
    size_t denials = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(run.decision); i++) {
        const struct gang_diagnostic *finding = gang_decision_get_diagnostic(run.decision, i);
        bool denies = gang_diagnostic_get_code(finding) == GANG_CODE_RULE_DENIES;

        ck_assert_pstr_eq(gang_diagnostic_get_job(finding), denies ? jobs[_i].job : NULL);
        if (gang_diagnostic_get_document(finding) == GANG_DOCUMENT_POLICY) {
            ck_assert_str_eq(gang_diagnostic_get_kind(finding), "GangPolicy");
            ck_assert_ptr_null(gang_diagnostic_get_namespace(finding));
            ck_assert_str_eq(gang_diagnostic_get_name(finding), "p");
        }
        denials += denies;
    }
    ck_assert_uint_eq(denials, 1);
    ck_assert_uint_gt(gang_decision_num_diagnostics(run.decision), denials);
    for (size_t i = 0; i < gang_error_num_diagnostics(run.error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(run.error, i);

        ck_assert_pstr_eq(gang_diagnostic_get_job(finding),
                          gang_diagnostic_get_job(gang_decision_get_diagnostic(run.decision, i)));
    }
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
    ck_assert_ptr_null(gang_decision_get_scheduler_name(NULL));
    ck_assert_ptr_null(gang_decision_get_queue(NULL));
    ck_assert_ptr_null(gang_decision_get_reason(NULL));
    ck_assert_int_eq(gang_decision_get_minimum(NULL), 0);
    ck_assert_int_eq(gang_decision_get_members(NULL), 0);
    ck_assert_int_eq(gang_decision_get_pods(NULL), 0);
    ck_assert_uint_eq(gang_decision_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_decision_get_diagnostic(NULL, 0));
    ck_assert_ptr_null(gang_decision_ref(NULL));
    gang_decision_unref(NULL);
}
END_TEST

/* ---- without memory ---- */

#define EVERYTHING                                                                                 \
    "'queue':{'fromNamespace':{'prefix':'ns-'}},'priorityClassName':{'name':'p'},'"                \
    "scheduleTimeoutSeconds':"                                                                     \
    "7,"                                                                                           \
    "'members':'TrainerOnly','topology':{'mode':'soft','level':'3'}"
#define OWN_VALUES                                                                                 \
    "gang={'volcano':{'networkTopology':{}}};"                                                     \
    "template='annotations':{'scheduling.volcano.sh/queue-name':'mine'};"                          \
    "node='schedulerName':'volcano','priorityClassName':'high',;data='priorityClassName':'low',"
#define FEW_FACTS                                                                                  \
    "'kubernetesVersion':'1.36','queues':[{'name':'a','type':'Volcano'},{'name':'b','type':'"      \
    "Volcano'}],"                                                                                  \
    "'priorityClasses':[{'name':'x','value':1,'globalDefault':true}],'limitRanges':[{'name':'a',"  \
    "'namespace':'ml','limits':[{'type':'Pod','max':{'memory':'1Mi'}}]}]"

/* Decisions with many findings: everything chosen, everything overridden, everything invalid. */
static const struct resolution squeezed[] = {
    {NULL, OWN_VALUES, FEW_FACTS, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'backend':'volcano'," EVERYTHING "}]", "", NULL,
     GANG_OUTCOME_GANG, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'backend':'coscheduling','override':'Always'," EVERYTHING
     "}]",
     OWN_VALUES, NULL, GANG_OUTCOME_GANG, NULL, NULL},
    {"'constraints':[{'name':'c','match':{},'allowedBackends':['kai'],'allowedQueues':['q','s-*'],"
     "'allowedPriorityClassNames':['n','o'],'maxMembers':1}]",
     OWN_VALUES, NULL, GANG_OUTCOME_DENIED, NULL, NULL},
    {"'backends':[{'name':'a','type':'Volcano'},{'name':'b','type':'Volcano','schedulerName':'s'}]",
     "gang={'volcano':{}}", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'backends':[{'name':'k','type':'KAI'},{'name':'c','type':'Coscheduling'}]",
     "data='schedulerName':'volcano',", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{'namespaceSelector':{'matchLabels':{'a':'b'}}},'action':'Deny'}"
     "]",
     "gang={'volcano':{},'coscheduling':{},'more':{}}", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'action':'Deny','message':'no'}]", "", NULL,
     GANG_OUTCOME_DENIED, NULL, NULL},
    {"'rules':[{'name':'r','match':{},'backend':'volcano','queue':{'fromLabel':{'key':'team'}}}]",
     "", NULL, GANG_OUTCOME_INVALID, NULL, NULL},
};

static bool
resolve_again(const struct gang_context *context, const void *input, int *result,
              struct gang_error **error)
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
render_again(const struct gang_context *context, const void *input, int *result,
             struct gang_error **error)
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
    add_rows(cases, resolving_ends_cleanly_at_every_limit_of_memory, squeezed, policy, job,
             cluster);
    add_rows(cases, rendering_ends_cleanly_at_every_limit_of_memory, squeezed, policy, job,
             cluster);
    tcase_add_test(cases, diagnostics_in_order);
    add_rows(cases, outcome_and_backend, outcomes, gang_policy);
    tcase_add_test(cases, backend_name_is_that_of_the_policy);
    tcase_add_test(cases, references_are_counted);
    tcase_add_loop_test(cases, answers_without_a_plan, 0, ITEMS_OF(answers));
    tcase_add_loop_test(cases, findings_of_a_policy_name_the_job, 0, ITEMS_OF(jobs));
    tcase_add_test(cases, null_is_accepted);
}
