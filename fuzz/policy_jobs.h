/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_POLICY_JOBS_H
#define FUZZ_POLICY_JOBS_H

#include "fuzz/promises.h"
#include "libgang/render/render.h"

/*
 * Jobs of different shapes to decide by policies. They differ in what chooses the backend, in which
 * role waits for which, and in their namespaces and labels.
 */

/* clang-format off */

#define RUNTIME_HEAD(name, labels) \
    "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n" \
    "metadata: {name: " name ", labels: {" labels "}}\nspec:\n"
#define ROLE(name, labels) \
    "      - name: " name "\n" \
    "        template:\n" \
    "          metadata: {labels: {" labels "}}\n" \
    "          spec:\n" \
    "            template:\n" \
    "              spec: {containers: [{name: " name ", resources: {limits: {nvidia.com/gpu: 2}}}]}\n"
#define JOB(name, namespace, labels, runtime, nodes) \
    "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n" \
    "metadata: {name: " name ", namespace: " namespace ", labels: {" labels "}}\n" \
    "spec: {runtimeRef: {name: " runtime "}, trainer: {numNodes: " nodes "}}\n"
#define TRAINER "trainer.kubeflow.org/trainjob-ancestor-step: trainer"
#define FETCHER "trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer"

static const char chosen_by_runtime[] =
    RUNTIME_HEAD("torch", "trainer.kubeflow.org/framework: torch, tier: gold")
    "  mlPolicy: {torch: {}}\n"
    "  podGroupPolicy: {volcano: {}}\n"
    "  template:\n"
    "    metadata: {annotations: {scheduling.volcano.sh/queue-name: own}}\n"
    "    spec:\n"
    "      replicatedJobs:\n"
    ROLE("node", TRAINER);

static const char with_initializer[] =
    RUNTIME_HEAD("tune", "")
    "  template:\n"
    "    spec:\n"
    "      replicatedJobs:\n"
    ROLE("dataset-initializer", FETCHER)
    ROLE("node", TRAINER)
    "        dependsOn: [{name: dataset-initializer, status: Complete}]\n";

static const char with_late_launcher[] =
    RUNTIME_HEAD("mpi", "trainer.kubeflow.org/framework: deepspeed")
    "  mlPolicy: {mpi: {mpiImplementation: OpenMPI}}\n"
    "  podGroupPolicy: {coscheduling: {scheduleTimeoutSeconds: 120}}\n"
    "  template:\n"
    "    spec:\n"
    "      replicatedJobs:\n"
    ROLE("node", TRAINER)
    ROLE("launcher", "")
    "        dependsOn: [{name: node, status: Ready}]\n";

static const char chosen_by_scheduler[] =
    RUNTIME_HEAD("plain", "")
    "  template:\n"
    "    spec:\n"
    "      replicatedJobs:\n"
    "      - name: node\n"
    "        template:\n"
    "          metadata: {labels: {" TRAINER "}}\n"
    "          spec:\n"
    "            template:\n"
    "              spec:\n"
    "                schedulerName: kai-scheduler\n"
    "                priorityClassName: train-high\n"
    "                containers: [{name: node}]\n";

/* clang-format on */

static const struct job_texts {
    const char *runtime;
    const char *trainjob;
} job_texts[] = {
    {chosen_by_runtime,
     JOB("a", "research-nlp", "team: nlp, kai.scheduler/queue: prod-a", "torch", "16")},
    {with_initializer, JOB("b", "kube-lab", "team: b, gang: was", "tune", "1")},
    {with_late_launcher, JOB("c", "ml", "kueue.x-k8s.io/queue-name: local", "mpi", "3")},
    {chosen_by_scheduler, JOB("d", "team-d", "", "plain", "64")},
};
enum { NUM_JOBS = sizeof(job_texts) / sizeof(job_texts[0]) };

static const char cluster_text[] =
    "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: lab}\n"
    "spec:\n"
    "  kubernetesVersion: \"1.36\"\n"
    "  servedVersions:\n"
    "  - {groupVersion: scheduling.volcano.sh/v1beta1}\n"
    "  - {groupVersion: scheduling.k8s.io/v1alpha2}\n"
    "  - {groupVersion: scheduling.x-k8s.io/v1alpha1}\n"
    "  namespaces:\n"
    "  - {name: research-nlp, labels: {tier: dev}}\n"
    "  - {name: ml, labels: {tier: prod}}\n"
    "  deviceClasses: []\n"
    "  nodes:\n"
    "  - {name: a, labels: {zone: z}, allocatable: {cpu: \"4\", memory: 8Gi, nvidia.com/gpu: 4}}\n"
    "  - {name: b, allocatable: {cpu: 500m, memory: 1Gi, pods: 2}}\n";

static struct fixed_jobs {
    struct gang_document *runtimes[NUM_JOBS];
    struct gang_document *trainjobs[NUM_JOBS];
    struct gang_document *cluster;
} fixed;

static inline void
fixed_jobs_open(void)
{
    for (size_t i = 0; i < NUM_JOBS && !fixed.cluster; i++) {
        const struct job_texts *texts = &job_texts[i];

        must(gang_document_parse(NULL, texts->runtime, strlen(texts->runtime), 0,
                                 &fixed.runtimes[i], NULL) == GANG_OK);
        must(gang_document_parse(NULL, texts->trainjob, strlen(texts->trainjob), 0,
                                 &fixed.trainjobs[i], NULL) == GANG_OK);
    }
    if (!fixed.cluster)
        must(gang_document_parse(NULL, cluster_text, sizeof(cluster_text) - 1, 0, &fixed.cluster,
                                 NULL) == GANG_OK);
}

/* Renders one job by a policy. Returns NULL if a limit is exceeded. */
static inline struct gang_plan *
plan_job(struct gang_document *policy, size_t job, bool with_cluster)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    struct gang_document *inputs[] = {fixed.runtimes[job], policy,
                                      with_cluster ? fixed.cluster : NULL};
    int code = resolve_job(NULL, fixed.trainjobs[job], inputs, 3, 0, &decision, &error);

    must(decision || code == GANG_ERROR_LIMIT);
    must(gang_error_get_code(error) == code);
    gang_error_free(error);
    if (decision)
        must(gang_render(NULL, decision, 0, &plan, &error) == GANG_OK);
    gang_decision_unref(decision);
    return plan;
}

/*
 * Kubernetes' rules for names, independent of the library's own:
 * kubernetes/apimachinery:pkg/util/validation.
 */

static inline bool
is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static inline bool
is_label_text(struct slice text, size_t longest)
{
    if (text.len > longest || (text.len && !is_letter_or_digit(text.data[0])) ||
        (text.len && !is_letter_or_digit(text.data[text.len - 1])))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!is_letter_or_digit(text.data[i]) && !memchr("-_.", text.data[i], 3))
            return false;
    return true;
}

static inline bool
is_subdomain_in_any_case(struct slice text)
{
    if (!text.len || !is_label_text(text, 253))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '_' ||
            (i && text.data[i] == '.' && !is_letter_or_digit(text.data[i - 1])) ||
            (i && text.data[i - 1] == '.' && !is_letter_or_digit(text.data[i])))
            return false;
    return true;
}

static inline bool
is_subdomain(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] >= 'A' && text.data[i] <= 'Z')
            return false;
    return is_subdomain_in_any_case(text);
}

/* Whether the key is "prefix/name" or "name". The prefix of an annotation may be in any case. */
static inline bool
is_key(struct slice key, bool (*is_prefix)(struct slice text))
{
    const char *slash = key.len ? memchr(key.data, '/', key.len) : NULL;
    struct slice prefix = {key.data, slash ? (size_t)(slash - key.data) : 0};
    struct slice name = slash ? (struct slice){slash + 1, key.len - prefix.len - 1} : key;

    return name.len && is_label_text(name, 63) && (!slash || is_prefix(prefix));
}

static inline void
must_be_valid_object(const struct node *manifest)
{
    const struct node *metadata = node_member(manifest, SLICE("metadata"));

    must(is_subdomain(node_string(node_member(metadata, SLICE("name")))));
    must(is_subdomain(node_string(node_member(metadata, SLICE("namespace")))));
    for (NODE_EACH(label, node_member(metadata, SLICE("labels"))))
        must(is_key(node_key(label), is_subdomain) && is_label_text(node_string(label), 63));
    for (NODE_EACH(annotation, node_member(metadata, SLICE("annotations"))))
        must(is_key(node_key(annotation), is_subdomain_in_any_case) &&
             node_is(annotation, NODE_STRING));
}

static inline void
must_be_valid_patch(const struct gang_patch *patch)
{
    for (size_t i = 0; i < patch->num_labels; i++)
        must(is_key(patch->labels[i].key, is_subdomain) &&
             is_label_text(patch->labels[i].value, 63));
    for (size_t i = 0; i < patch->num_annotations; i++)
        must(is_key(patch->annotations[i].key, is_subdomain_in_any_case));
    must(!slice_is_set(patch->scheduler_name) || is_subdomain(patch->scheduler_name));
    must(!slice_is_set(patch->priority_class_name) || is_subdomain(patch->priority_class_name));
}

static inline void
must_be_valid_plan(const struct gang_plan *plan)
{
    const struct gang_decision *decision = plan->decision;
    size_t errors = 0;

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        must_be_complete(gang_decision_get_diagnostic(decision, i));
        errors += gang_diagnostic_get_severity(gang_decision_get_diagnostic(decision, i)) ==
                  GANG_SEVERITY_ERROR;
    }
    if (errors || decision->outcome != GANG_OUTCOME_GANG)
        must(plan->content.num_objects == 0);
    must(!errors || decision->outcome == GANG_OUTCOME_INVALID ||
         decision->outcome == GANG_OUTCOME_DENIED);
    if (decision->outcome == GANG_OUTCOME_GANG)
        must(decision->gang.minimum >= 1 && decision->gang.minimum <= decision->gang.members);
    for (size_t i = 0; i < plan->content.num_objects; i++)
        must_be_valid_object(plan->content.objects[i].manifest);
    for (size_t i = 0; i < plan->content.num_patches; i++) {
        must_be_valid_patch(&plan->content.patches[i]);
        must(decision->outcome == GANG_OUTCOME_GANG ||
             plan_patch_is_empty(&plan->content.patches[i]));
    }
}

static inline void
must_be_equal_pairs(const struct plan_pair *a, const struct plan_pair *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        must(slice_equal(a[i].key, b[i].key) && slice_equal(a[i].value, b[i].value));
}

/* Objects and marks must be equal; paths and messages of findings may differ. */
static inline void
must_be_equal_plans(const struct gang_plan *a, const struct gang_plan *b)
{
    must(a->decision->outcome == b->decision->outcome &&
         a->decision->backend == b->decision->backend);
    must(a->content.num_objects == b->content.num_objects &&
         a->content.num_patches == b->content.num_patches);
    for (size_t i = 0; i < a->content.num_objects; i++)
        must(node_equal(a->content.objects[i].manifest, b->content.objects[i].manifest));
    for (size_t i = 0; i < a->content.num_patches; i++) {
        const struct gang_patch *left = &a->content.patches[i];
        const struct gang_patch *right = &b->content.patches[i];

        must(left->num_labels == right->num_labels &&
             left->num_annotations == right->num_annotations);
        must_be_equal_pairs(left->labels, right->labels, left->num_labels);
        must_be_equal_pairs(left->annotations, right->annotations, left->num_annotations);
        must(slice_equal(left->scheduler_name, right->scheduler_name));
        must(slice_equal(left->priority_class_name, right->priority_class_name));
        must(slice_equal(left->scheduling_group, right->scheduling_group));
    }
}

#endif
