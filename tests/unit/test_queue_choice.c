/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

#include "unit/job_plans.h"
#include "unit/plans.h"
#include "unit/resolutions.h"
#include "unit/suite.h"

#define KEY "scheduling.volcano.sh/queue-name"
#define PATH "spec.template.metadata.annotations[" KEY "]"
#define COSCHEDULING "{'coscheduling': {'scheduleTimeoutSeconds': 300}}"
#define QUEUE "'metadata': {'annotations': {'" KEY "': 'research'}},\n"

static const char patched_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1'},\n"
    " 'spec': {\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime', 'name': "
    "'plain'},\n"
    "  'runtimePatches': [{'manager': 'example.com/queues', 'trainingRuntimeSpec': {'template': "
    "{'metadata':\n"
    "   {'annotations': {'" KEY "': 'urgent'}}}}}]}}\n";

static const char labelled_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1',\n"
    "  'labels': {'kai.scheduler/queue': 'mine'}},\n"
    " 'spec': {\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime', 'name': "
    "'plain'}}}\n";

/* The warning of a queue that another backend would read; in both modes. */
START_TEST(a_queue_of_another_backend)
{
    const struct document_case wanted = {
        NULL, NULL, GANG_CODE_QUEUE_OF_ANOTHER_BACKEND, "metadata.labels[kai.scheduler/queue]",
        4,    14};
    char runtime[DOCUMENT_SIZE];

    with_change(runtime, plain_runtime, COSCHEDULING, "{'volcano': {}}");
    check_wanted(run_spelled(runtime, "'schedulerName': 'scheduler-plugins-scheduler',", "",
                             labelled_trainjob, _i ? compatibility_policy : NULL),
                 &wanted, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct queue_case {
    const char *gang_policy, *find, *replace;
    const char *trainjob;
    const char *queue; /* of the gang; "-" for none */
    const char *trace;
} cases_of_queues[] = {
    {COSCHEDULING, NULL, NULL, plain_trainjob, "research",
     "research runtime " PATH ":8 Chosen set in the runtime's template\n"},
    {COSCHEDULING, QUEUE, "", plain_trainjob, "-",
     "- runtime Unset neither the trainjob nor the runtime names a queue\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", plain_trainjob,
     "research",
     "research runtime " PATH ":8 Chosen set in the runtime's template\n"
     "default - Overridden the runtime's template has precedence\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", patched_trainjob,
     "urgent",
     "urgent trainjob spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[" KEY
     "]:7 Chosen set in a patch of the trainjob\n"
     "research runtime " PATH ":8 Overridden a patch of the trainjob has precedence\n"
     "default - Overridden a patch of the trainjob has precedence\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", labelled_trainjob,
     "research",
     "research runtime " PATH ":8 Chosen set in the runtime's template\n"
     "mine trainjob metadata.labels[kai.scheduler/queue]:4 Refused the key belongs to the backend "
     "kai\n"
     "default - Overridden the runtime's template has precedence\n"},
};

START_TEST(queue_and_reason)
{
    const struct queue_case *row = &cases_of_queues[_i];
    char runtime[DOCUMENT_SIZE];
    struct run run;

    with_change(runtime, plain_runtime, COSCHEDULING, row->gang_policy);
    run = run_spelled(runtime, row->find, row->replace, row->trainjob, NULL);
    ck_assert_ptr_nonnull(run.decision);
    if (strcmp(row->queue, "-") == 0)
        ck_assert(!slice_is_set(run.decision->gang.queue));
    else
        ck_slice_eq(run.decision->gang.queue, row->queue);
    check_trace(run.decision, TRACE_QUEUE, row->trace);
    end_run(&run);
}
END_TEST

/* ---- with a policy ---- */

#define R(members) "'rules':[{'name':'r','match':{}," members "}]"
#define V "'defaultBackend':'volcano'"
#define OWN(name) "template='annotations':{'" KEY "':'" name "'}"
#define OF_TEMPLATE(value, verdict) value " runtime " PATH ":4 " verdict "\n"
#define OF_RULE(value, verdict) value " policy spec.rules[0].queue:1 " verdict "\n"
#define OF_DEFAULTS(value, verdict) value " policy spec.defaults.queue:1 " verdict "\n"
#define NAMED "Chosen set in the runtime's template"
#define UNNAMED "- runtime Unset neither the trainjob nor the runtime names a queue\n"
#define DEFAULT(verdict) "default - " verdict "\n"
#define STRICT "Overridden rule r with override Always has precedence"
#define BEHIND_JOB "Overridden the runtime's template has precedence"
#define RULE_BEHIND_JOB                                                                            \
    "Overridden rule r: the runtime's template has precedence; set override: Always to give "      \
    "the rule precedence"
#define BEHIND_RULE "Overridden rule r has precedence"
#define PATCHED                                                                                    \
    "job='runtimePatches':[{'manager':'x.io/"                                                      \
    "y','trainingRuntimeSpec':{'template':{'metadata':{'annotations':"                             \
    "{'" KEY "':'urgent'}}}}}],"
#define OF_PATCH(verdict)                                                                          \
    "urgent trainjob "                                                                             \
    "spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[" KEY "]:1 " verdict \
    "\n"

#define NAMESPACES "'namespaces':[{'name':'ml','labels':{'team':'red'}},{'name':'plain'}]"

static const struct policy_case {
    struct resolution resolution;
    const char *queue; /* of the gang; "-" for none */
} policies[] = {
    /* Each step alone. */
    {{V, "", NULL, GANG_OUTCOME_GANG, "", UNNAMED DEFAULT("Chosen the scheduler's own default")},
     "-"},
    {{"'defaults':{'backend':'volcano','queue':{'name':'d'}}", "", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_DEFAULTS("d", "Chosen the policy's defaults")
          DEFAULT("Overridden the policy's defaults have precedence")},
     "d"},
    {{R("'backend':'volcano','queue':{'name':'q'}"), "", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("q", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "q"},
    {{R("'backend':'volcano','queue':{'name':'q','override':'Always'}"), "", NULL,
      GANG_OUTCOME_GANG, "", OF_RULE("q", "Chosen rule r (Always)") UNNAMED DEFAULT(STRICT)},
     "q"},
    {{V, OWN("mine"), NULL, GANG_OUTCOME_GANG, "", OF_TEMPLATE("mine", NAMED) DEFAULT(BEHIND_JOB)},
     "mine"},
    /* Each step before the next. */
    {{R("'backend':'volcano','queue':{'name':'q'}") ",'defaults':{'queue':{'name':'d'}}", "", NULL,
      GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("q", "Chosen rule r") OF_DEFAULTS("d", BEHIND_RULE) DEFAULT(BEHIND_RULE)},
     "q"},
    {{R("'backend':'volcano','queue':{'name':'q'}"), OWN("mine"), NULL, GANG_OUTCOME_GANG, "",
      OF_TEMPLATE("mine", NAMED) OF_RULE("q", RULE_BEHIND_JOB) DEFAULT(BEHIND_JOB)},
     "mine"},
    {{R("'backend':'volcano','queue':{'name':'q'}"), OWN("mine") ";" PATCHED, NULL,
      GANG_OUTCOME_GANG, "",
      OF_PATCH("Chosen set in a patch of the trainjob")
          OF_TEMPLATE("mine", "Overridden a patch of the trainjob has precedence")
              OF_RULE("q", "Overridden rule r: a patch of the trainjob has precedence; "
                           "set override: Always to give the rule precedence")
                  DEFAULT("Overridden a patch of the trainjob has precedence")},
     "urgent"},
    {{R("'backend':'volcano','queue':{'name':'q','override':'Always'}"), OWN("mine"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("q", "Chosen rule r (Always)") OF_TEMPLATE("mine", STRICT) DEFAULT(STRICT)},
     "q"},
    {{R("'backend':'volcano','queue':{'name':'q','override':'Always'}"), OWN("q"), NULL,
      GANG_OUTCOME_GANG, "",
      OF_RULE("q", "Chosen rule r (Always)") OF_TEMPLATE("q", STRICT) DEFAULT(STRICT)},
     "q"},
    {{R("'backend':'volcano','queue':{'name':'q','override':'Always'}"), OWN("mine") ";" PATCHED,
      NULL, GANG_OUTCOME_GANG, "OverriddenByPolicy OverriddenByPolicy",
      OF_RULE("q", "Chosen rule r (Always)") OF_PATCH(STRICT) OF_TEMPLATE("mine", STRICT)
          DEFAULT(STRICT)},
     "q"},
    /* The block's own override is the queue's too, unless the queue has one. */
    {{R("'backend':'volcano','override':'Always','queue':{'name':'q'}"), OWN("mine"), NULL,
      GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("q", "Chosen rule r (Always)") OF_TEMPLATE("mine", STRICT) DEFAULT(STRICT)},
     "q"},
    {{R("'backend':'volcano','override':'Always','queue':{'name':'q','override':'IfUnset'}"),
      OWN("mine"), NULL, GANG_OUTCOME_GANG, "",
      OF_TEMPLATE("mine", NAMED) OF_RULE("q", RULE_BEHIND_JOB) DEFAULT(BEHIND_JOB)},
     "mine"},
    /* Made of the namespace. */
    {{R("'backend':'volcano','queue':{'fromNamespace':{}}"), "", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("ml", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "ml"},
    {{R("'backend':'volcano','queue':{'fromNamespace':{'prefix':'ns-'},'override':'Always'}"),
      OWN("mine"), NULL, GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("ns-ml", "Chosen rule r (Always)") OF_TEMPLATE("mine", STRICT) DEFAULT(STRICT)},
     "ns-ml"},
    {{R("'backend':'volcano','queue':{'fromNamespace':{}}"), "namespace=-", NULL,
      GANG_OUTCOME_INVALID, "QueueNotDerived",
      UNNAMED OF_RULE("-", "Refused rule r: the job's namespace is not known")
          DEFAULT(BEHIND_RULE)},
     "-"},
    {{R("'backend':'volcano','queue':{'fromNamespace':{}}"), "namespace=-;" OWN("mine"), NULL,
      GANG_OUTCOME_GANG, "",
      OF_TEMPLATE("mine", NAMED) OF_RULE("-", "Refused rule r: the job's namespace is not known")
          DEFAULT(BEHIND_JOB)},
     "mine"},
    /* Made of a label; without it there is no queue, and none is taken instead. */
    {{R("'backend':'volcano','queue':{'fromLabel':{'key':'team','prefix':'prod-'}}"),
      "labels='team':'red'", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("prod-red", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "prod-red"},
    {{R("'backend':'volcano','queue':{'fromLabel':{'key':'team'}}") ",'defaults':{'queue':{'name':'"
                                                                    "d'}}",
      "", NULL, GANG_OUTCOME_INVALID, "QueueNotDerived",
      UNNAMED OF_RULE("-", "Refused rule r: the job lacks the label") OF_DEFAULTS("d", BEHIND_RULE)
          DEFAULT(BEHIND_RULE)},
     "-"},
    {{R("'backend':'volcano','queue':{'fromLabel':{'key':'team'},'override':'Always'}"),
      OWN("mine"), NULL, GANG_OUTCOME_INVALID, "QueueNotDerived",
      OF_RULE("-", "Refused rule r: the job lacks the label") OF_TEMPLATE("mine", STRICT)
          DEFAULT(STRICT)},
     "-"},
    /* Made of a label of the namespace, whatever the job's own label is. */
    {{R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team','prefix':'q-'}}"),
      "labels='team':'blue'", NAMESPACES, GANG_OUTCOME_GANG, "",
      UNNAMED OF_RULE("q-red", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "q-red"},
    {{R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'nobody'}}"),
      "labels='nobody':'blue'", NAMESPACES, GANG_OUTCOME_INVALID, "QueueNotDerived",
      UNNAMED OF_RULE("-", "Refused rule r: the namespace lacks the label") DEFAULT(BEHIND_RULE)},
     "-"},
    {{R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team'},'override':'Always'}"),
      OWN("mine"), NAMESPACES, GANG_OUTCOME_GANG, "OverriddenByPolicy",
      OF_RULE("red", "Chosen rule r (Always)") OF_TEMPLATE("mine", STRICT) DEFAULT(STRICT)},
     "red"},
    {{R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team'}}"), "", NULL,
      GANG_OUTCOME_INVALID, "NamespaceNotKnown",
      UNNAMED OF_RULE("-", "Refused rule r: the labels of the namespace are not known")
          DEFAULT(BEHIND_RULE)},
     "-"},
    {{R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team'}}") ",'constraints':[{'"
                                                                             "name':'c','"
                                                                             "allowedQueues':['"
                                                                             "blue']}]",
      "", NAMESPACES, GANG_OUTCOME_DENIED, "ConstraintDenies",
      UNNAMED OF_RULE("red", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "red"},
    /* What comes of it must be a queue's name. */
    {{R("'backend':'volcano','queue':{'fromLabel':{'key':'team'}}"), "labels='team':'Red'", NULL,
      GANG_OUTCOME_INVALID, "InvalidName",
      UNNAMED OF_RULE("Red", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "Red"},
    /* A backend without queues: what the policy asks for is lost. */
    {{R("'backend':'coscheduling','queue':{'name':'q'}"), "", NULL, GANG_OUTCOME_GANG, "FieldLost",
      UNNAMED OF_RULE("q", "Chosen rule r")},
     "q"},
    /* Another backend's key, and Kueue's queue beside the backend's. */
    {{R("'backend':'volcano','queue':{'name':'q'}"), "labels='kai.scheduler/queue':'k'", NULL,
      GANG_OUTCOME_GANG, "QueueOfAnotherBackend",
      UNNAMED
      "k trainjob metadata.labels[kai.scheduler/queue]:1 Refused the key belongs to the backend "
      "kai\n" OF_RULE("q", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "q"},
    {{R("'backend':'volcano','queue':{'name':'q'}"), "labels='kueue.x-k8s.io/queue-name':'k'", NULL,
      GANG_OUTCOME_GANG, "TwoQueues", UNNAMED OF_RULE("q", "Chosen rule r") DEFAULT(BEHIND_RULE)},
     "q"},
    {{V, "labels='kueue.x-k8s.io/queue-name':'k'", NULL, GANG_OUTCOME_GANG, "",
      UNNAMED DEFAULT("Chosen the scheduler's own default")},
     "-"},
    /* The operator has no policy. */
    {{"'compatibility':'KubeflowTrainer'," R("'queue':{'name':'q','override':'Always'}"),
      "gang={'volcano':{}};" OWN("mine"), NULL, GANG_OUTCOME_GANG,
      "SchedulerNameMissing MarkOnWaitingRole LimitsNotCounted StructuralDeadlock",
      OF_RULE("q", "Refused rule r: with KubeflowTrainer compatibility no policy chooses it")
          OF_TEMPLATE("mine", NAMED) DEFAULT(BEHIND_JOB)},
     "mine"},
};

START_TEST(queue_under_a_policy)
{
    struct run run = run_resolution(&policies[_i].resolution);

    if (strcmp(policies[_i].queue, "-") == 0)
        ck_assert(!run.decision->gang.queue.len);
    else
        ck_slice_eq(run.decision->gang.queue, policies[_i].queue);
    end_run(&run);
    check_resolution(&policies[_i].resolution, TRACE_QUEUE);
}
END_TEST

/* ---- jobs of other kinds ---- */

#define OF_PODS(name) "'annotations':{'" KEY "':'" name "'}"
#define JOB_OF_PODS(metadata, pods)                                                                \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ml'" metadata       \
    "},'spec':{'completionMode':'Indexed','parallelism':2,'completions':2,'backoffLimit':0,"       \
    "'template':{'metadata':{" pods "},'spec':{'restartPolicy':'Never','containers':"              \
    "[{'name':'c'}]}}}}"

/*
 * Without libgang, Volcano reads the queue of such pods from their annotation, for which their
 * group is made: volcano-sh/volcano:pkg/controllers/podgroup/pg_controller_handler.go@v1.15.0
 */
static const struct {
    const char *job, *policy, *queue;
    enum gang_code code; /* of a finding; 0: not checked */
} queues_of_pods[] = {
    {JOB_OF_PODS("", OF_PODS("research")), V, "research", 0},
    {JOB_OF_PODS("," OF_PODS("own"), OF_PODS("research")), V, "own", 0},
    {JOB_OF_PODS("", OF_PODS("research")), V "," R("'queue':{'name':'q'}"), "research",
     GANG_CODE_RULE_OVERRIDDEN},
    {JOB_OF_PODS("", OF_PODS("research")), V "," R("'queue':{'name':'q','override':'Always'}"), "q",
     GANG_CODE_OVERRIDDEN_BY_POLICY},
    {JOB_OF_PODS("", OF_PODS("research")), "'defaultBackend':'kai'", "",
     GANG_CODE_QUEUE_OF_ANOTHER_BACKEND},
};

START_TEST(the_queue_of_the_pods)
{
    struct job_plan plan;
    bool is_told = !queues_of_pods[_i].code;

    job_plan_open(&plan, queues_of_pods[_i].job, queues_of_pods[_i].policy, 0);
    ck_assert_int_eq(plan.result, GANG_OK);
    ck_slice_eq(plan.decision->gang.queue, queues_of_pods[_i].queue);
    for (size_t i = 0; i < gang_decision_num_diagnostics(plan.decision); i++)
        is_told |= gang_diagnostic_get_code(gang_decision_get_diagnostic(plan.decision, i)) ==
                   (int)queues_of_pods[_i].code;
    ck_assert(is_told);
    job_plan_close(&plan);
}
END_TEST

static const struct {
    const char *policy, *job, *message;
    const char *cluster;
} not_derived[] = {
    {R("'backend':'volcano','queue':{'fromLabel':{'key':'team'}}"), "",
     "metadata.labels[team]: Required value: the policy p derives the queue name from it", NULL},
    {R("'backend':'volcano','queue':{'fromNamespace':{}}"), "namespace=-",
     "metadata.namespace: Required value: the policy p derives the queue name from it", NULL},
    {R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team'}}"), "namespace=-",
     "metadata.namespace: Required value: the policy p derives the queue name from it", NAMESPACES},
    {R("'backend':'volcano','queue':{'fromNamespaceLabel':{'key':'team'}}"), "namespace=plain",
     "spec.rules[0].queue.fromNamespaceLabel.key: the policy p derives the queue name from the "
     "label team, which the namespace plain does not have",
     NAMESPACES},
};

START_TEST(derived_queue_needs_label_or_namespace)
{
    const struct resolution row = {
        not_derived[_i].policy, not_derived[_i].job, not_derived[_i].cluster, 0, "", ""};
    struct run run = run_resolution(&row);

    check_message(run.decision, GANG_CODE_QUEUE_NOT_DERIVED, not_derived[_i].message);
    end_run(&run);
}
END_TEST

/* The chosen queue reaches the PodGroup. */
START_TEST(the_queue_reaches_the_object)
{
    const struct resolution row = {
        R("'backend':'volcano','queue':{'fromNamespace':{'prefix':'ns-'}}"), "", NULL, 0, "", ""};
    struct run run = run_resolution(&row);
    struct gang_plan *plan = plan_of(&run);
    struct gang_blob *blob = blob_of(plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON);

    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "\"queue\":\"ns-ml\""));
    gang_blob_unref(blob);
    gang_plan_unref(plan);
    end_run(&run);
}
END_TEST

/* Pods of one job that name queues of KAI: they must agree, unless something before them has the
 * word. */
#define KAI_ROLE(name, queue)                                                                      \
    "{'name':'" name "','template':{'spec':{'backoffLimit':0,'template':{'metadata':{'labels':{"   \
    "'kai.scheduler/queue':'" queue "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}}"
/* clang-format off */
#define KAI_RUNTIME(template, first, second)                                                       \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainingRuntime',"                      \
    "'metadata':{'name':'plain','namespace':'ml'},\n"                                              \
    "'spec':{'podGroupPolicy':{'kaiScheduler':{}},'template':{" template                           \
    "'spec':{'replicatedJobs':[\n" KAI_ROLE("a", first) ",\n" KAI_ROLE("b", second) "]}}}}"
/* clang-format on */

static const struct {
    const char *runtime;
    bool disagree;
} agreements[] = {
    {KAI_RUNTIME("", "q", "q"), false},
    {KAI_RUNTIME("", "q", "r"), true},
    {KAI_RUNTIME("'metadata':{'labels':{'kai.scheduler/queue':'t'}},", "q", "r"), false},
};

START_TEST(sources_of_equal_precedence_must_agree)
{
    struct run run = run_spelled(agreements[_i].runtime, NULL, NULL, plain_trainjob, NULL);
    bool found = false;

    ck_assert_ptr_nonnull(run.decision);
    for (size_t i = 0; i < run_num_findings(&run); i++)
        found |= gang_diagnostic_get_code(run_finding(&run, i)) == GANG_CODE_QUEUES_DISAGREE;
    ck_assert_int_eq(found, agreements[_i].disagree);
    if (found)
        check_message(run.decision, GANG_CODE_QUEUES_DISAGREE,
                      "spec.template.spec.replicatedJobs[1].template.spec.template.metadata.labels"
                      "[kai.scheduler/queue]: Invalid value: \"r\": another source of the same "
                      "precedence names \"q\"");
    end_run(&run);
}
END_TEST

/* No scheduler of the operator's own reads KAI's labels, so they stop nothing there. */
START_TEST(queues_that_the_operator_does_not_read_are_warnings)
{
    struct run run = run_spelled(KAI_RUNTIME("", "q", "r"), "'kaiScheduler'", "'coscheduling'",
                                 plain_trainjob, compatibility_policy);
    bool warned = false;

    ck_assert_int_eq(gang_decision_get_outcome(run.decision), GANG_OUTCOME_GANG);
    for (size_t i = 0; i < run_num_findings(&run); i++)
        warned |= gang_diagnostic_get_code(run_finding(&run, i)) == GANG_CODE_QUEUES_DISAGREE &&
                  gang_diagnostic_get_severity(run_finding(&run, i)) == GANG_SEVERITY_WARNING;
    ck_assert(warned);
    end_run(&run);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, sources_of_equal_precedence_must_agree, agreements, runtime);
    tcase_add_test(cases, queues_that_the_operator_does_not_read_are_warnings);
    tcase_add_loop_test(cases, a_queue_of_another_backend, 0, 2);
    add_rows(cases, queue_and_reason, cases_of_queues, gang_policy, find, replace);
    add_rows(cases, queue_under_a_policy, policies, resolution.policy, resolution.job,
             resolution.cluster);
    add_rows(cases, the_queue_of_the_pods, queues_of_pods, job, policy);
    add_rows(cases, derived_queue_needs_label_or_namespace, not_derived, policy, job);
    tcase_add_test(cases, the_queue_reaches_the_object);
}
