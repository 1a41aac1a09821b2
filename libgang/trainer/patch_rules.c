/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/patch_rules.h"

#include "libgang/document/finding.h"
#include "libgang/kube/names.h"
#include "libgang/trainer/vocabulary.h"

static struct slice
name_of(const struct node *item)
{
    return node_string(node_member(item, SLICE("name")));
}

static void
check_manager(const struct node *patch, struct report *report)
{
    const struct node *manager = node_member(patch, SLICE("manager"));
    struct name_problems problems;

    if (!slice_is_set(node_string(manager)) ||
        name_check(NAME_DOMAIN_PREFIXED_PATH, node_string(manager), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_PATCH_MANAGER, manager, NULL, "%s", problems.text[i]);
}

static bool
env_belongs_to_operator(struct slice container)
{
    for (size_t i = 0; i < ancestor_table_size; i++)
        if (slice_equal(ancestor_table[i].container, container))
            return true;
    return false;
}

static void
check_patched_containers(const struct node *list, const char *kind, const struct replicated_job *job,
                         struct report *report)
{
    for (NODE_EACH(container, list))
        if (!replicated_job_has_container(job, name_of(container)))
            find_note(report, GANG_CODE_PATCH_TARGET_UNKNOWN, container,
                      "the operator would add it to the pod",
                      "Invalid value: must not have %s that doesn't exist in the runtime job %.*s", kind,
                      SLICE_ARG(job->name));
}

static void
check_patched_env(const struct node *containers, struct report *report)
{
    for (NODE_EACH(container, containers))
        if (node_count(node_member(container, SLICE("env"))) && env_belongs_to_operator(name_of(container)))
            find_note(
                report, GANG_CODE_PATCH_ENV_FORBIDDEN, node_member(container, SLICE("env")),
                "set it in spec.trainer.env or spec.initializer",
                "Invalid value: must not have envs for the dataset-initializer, model-initializer, node "
                "containers");
}

static void
check_patched_job(const struct node *patched, const struct jobset *jobset, struct report *report)
{
    const struct replicated_job *job = jobset_find(jobset, name_of(patched));
    const struct node *pod_spec = node_at(patched, "template.spec.template.spec");
    const struct node *containers = node_member(pod_spec, SLICE("containers"));

    check_patched_env(containers, report);
    if (!job) {
        find_note(
            report, GANG_CODE_PATCH_TARGET_UNKNOWN, patched, "the operator would add it to the JobSet",
            "Invalid value: must not have replicated job that doesn't exist in the runtime job template");
        return;
    }
    check_patched_containers(containers, "container", job, report);
    check_patched_containers(node_member(pod_spec, SLICE("initContainers")), "initContainer", job, report);
}

void
patch_rules_check(const struct trainer_job *job, struct report *report)
{
    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        check_manager(patch, report);
        for (NODE_EACH(patched, node_at(patch, "trainingRuntimeSpec.template.spec.replicatedJobs")))
            check_patched_job(patched, &job->runtime->jobset, report);
    }
}
