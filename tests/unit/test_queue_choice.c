/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/queue_choice.h"

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
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime', 'name': 'plain'},\n"
    "  'runtimePatches': [{'manager': 'example.com/queues', 'trainingRuntimeSpec': {'template': "
    "{'metadata':\n"
    "   {'annotations': {'" KEY "': 'urgent'}}}}}]}}\n";

static const char labelled_trainjob[] =
    "{'apiVersion': 'trainer.kubeflow.org/v1alpha1',\n"
    " 'kind': 'TrainJob',\n"
    " 'metadata': {'name': 'llama', 'namespace': 'ml', 'uid': 'u-1',\n"
    "  'labels': {'kai.scheduler/queue': 'mine'}},\n"
    " 'spec': {\n"
    "  'runtimeRef': {'apiGroup': 'trainer.kubeflow.org', 'kind': 'TrainingRuntime', 'name': 'plain'}}}\n";

/* The warning of a queue that another backend would read; in both modes. */
START_TEST(a_queue_of_another_backend)
{
    const struct document_case wanted = {
        NULL, NULL, GANG_CODE_QUEUE_OF_ANOTHER_BACKEND, "metadata.labels[kai.scheduler/queue]", 4, 14};
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
     "research runtime " PATH ":8 Chosen the runtime's template names it\n"},
    {COSCHEDULING, QUEUE, "", plain_trainjob, "-",
     "- runtime Unset neither the trainjob nor the runtime names a queue\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", plain_trainjob, "research",
     "research runtime " PATH ":8 Chosen the runtime's template names it\n"
     "default - Overridden the runtime's template stands before\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", patched_trainjob, "urgent",
     "urgent trainjob spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.annotations[" KEY
     "]:7 Chosen the trainjob's patch names it\n"
     "research runtime " PATH ":8 Overridden a later patch stands before\n"
     "default - Overridden a later patch stands before\n"},
    {"{'volcano': {}}", "'schedulerName': 'scheduler-plugins-scheduler',", "", labelled_trainjob, "research",
     "research runtime " PATH ":8 Chosen the runtime's template names it\n"
     "mine trainjob metadata.labels[kai.scheduler/queue]:4 Refused the key belongs to the backend kai\n"
     "default - Overridden the runtime's template stands before\n"},
};

START_TEST(the_queue_and_why)
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

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, a_queue_of_another_backend, 0, 2);
    tcase_add_loop_test(cases, the_queue_and_why, 0, COUNT_OF(cases_of_queues));
}
