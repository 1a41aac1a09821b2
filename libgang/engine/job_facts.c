/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/job_facts.h"

/* kubernetes-sigs/kueue:pkg/controller/constants/constants.go QueueLabel */
#define JOB_FACTS_KUEUE_QUEUE SLICE("kueue.x-k8s.io/queue-name")
/* kubeflow/trainer:manifests/base/runtimes */
#define JOB_FACTS_FRAMEWORK SLICE("trainer.kubeflow.org/framework")

const struct node *
job_facts_kueue_queue(const struct gang_trainjob *trainjob)
{
    const struct node *queue = node_member(trainjob->meta.labels, JOB_FACTS_KUEUE_QUEUE);

    return node_string(queue).len ? queue : NULL;
}

struct match_facts
job_facts_of(const struct gang_decision *decision)
{
    const struct gang_runtime *runtime = decision->inputs.runtime;
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;

    return (struct match_facts){
        .namespace_ = trainjob->meta.namespace_,
        .runtime = runtime->name,
        .framework = node_string(node_member(runtime->meta.labels, JOB_FACTS_FRAMEWORK)),
        .trainjob_labels = trainjob->meta.labels,
        .runtime_labels = runtime->meta.labels,
        .nodes = trainjob->num_nodes_source ? trainjob->num_nodes : runtime->ml_policy.num_nodes,
        .is_kueue_managed = job_facts_kueue_queue(trainjob) != NULL,
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .trainjob_metadata = trainjob->meta.source,
    };
}
