/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/job_facts.h"

/* kubernetes-sigs/kueue:pkg/controller/constants/constants.go QueueLabel */
#define JOB_FACTS_KUEUE_QUEUE SLICE("kueue.x-k8s.io/queue-name")
/* kubeflow/trainer:manifests/base/runtimes */
#define JOB_FACTS_FRAMEWORK SLICE("trainer.kubeflow.org/framework")

const struct object_meta *
job_facts_meta(const struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;

    if (inputs->trainjob)
        return &inputs->trainjob->meta;
    return inputs->podgang ? &inputs->podgang->meta : &inputs->podcliqueset->meta;
}

const struct node *
job_facts_kueue_queue(const struct gang_decision *decision)
{
    const struct node *queue = node_member(job_facts_meta(decision)->labels, JOB_FACTS_KUEUE_QUEUE);

    return node_string(queue).len ? queue : NULL;
}

static void
job_facts_take_runtime(struct match_facts *facts, const struct gang_decision *decision)
{
    const struct gang_runtime *runtime = decision->inputs.runtime;
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;

    facts->runtime = runtime->name;
    facts->framework = node_string(node_member(runtime->meta.labels, JOB_FACTS_FRAMEWORK));
    facts->runtime_labels = runtime->meta.labels;
    facts->nodes = trainjob->num_nodes_source ? trainjob->num_nodes : runtime->ml_policy.num_nodes;
}

struct match_facts
job_facts_of(const struct gang_decision *decision)
{
    const struct object_meta *meta = job_facts_meta(decision);
    struct match_facts facts = {
        .namespace_ = meta->namespace_,
        .labels = meta->labels,
        .is_podgang = !decision->inputs.trainjob,
        .is_kueue_managed = job_facts_kueue_queue(decision) != NULL,
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .metadata = meta->source,
    };

    if (!facts.is_podgang)
        job_facts_take_runtime(&facts, decision);
    return facts;
}
