/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainjob_rules.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/jobset_rules.h"
#include "libgang/trainer/ml_rules.h"
#include "libgang/trainer/patch_rules.h"
#include "libgang/trainer/queue_sources.h"

#define INITIALIZER_VOLUME SLICE("initializer")

/* spec.initializer.<member> needs the job and container of this name. */
static const struct {
    struct slice member;
    struct slice job;
    const char *config;
} initializer_table[] = {
    {SLICE_INIT("dataset"), SLICE_INIT("dataset-initializer"), "datasetConfig"},
    {SLICE_INIT("model"), SLICE_INIT("model-initializer"), "modelConfig"},
};

static bool
mounts_initializer_volume(const struct node *container)
{
    for (NODE_EACH(mount, node_member(container, SLICE("volumeMounts"))))
        if (slice_equal(node_string(node_member(mount, SLICE("name"))), INITIALIZER_VOLUME))
            return true;
    return false;
}

static void
check_initializer(const struct trainer_job *job, size_t index, struct report *report)
{
    const struct node *initializer = node_member(job->trainjob->spec, SLICE("initializer"));
    const struct node *config = node_member(initializer, initializer_table[index].member);
    struct slice name = initializer_table[index].job;
    const struct replicated_job *role = config ? jobset_find(&job->jobset, name) : NULL;
    const struct node *container = role ? replicated_job_container(role, name) : NULL;

    if (!config)
        return;
    if (!role)
        find_note(report, GANG_CODE_INITIALIZER_ROLE_MISSING, config, NULL,
                  "Invalid value: must have %.*s job when trainJob is configured with input %s",
                  SLICE_ARG(name), initializer_table[index].config);
    else if (!container)
        find_note(report, GANG_CODE_INITIALIZER_ROLE_MISSING, config, NULL,
                  "Invalid value: must have container with name - %.*s in the %.*s job", SLICE_ARG(name),
                  SLICE_ARG(name));
    else if (!mounts_initializer_volume(container))
        find_note(
            report, GANG_CODE_INITIALIZER_ROLE_MISSING, config, NULL,
            "Invalid value: must have volumeMount with name - initializer in container %.*s of the %.*s job",
            SLICE_ARG(name), SLICE_ARG(name));
}

/*
 * plugins/volcano/volcano.go Validate: it looks at every trainjob, also at one that another controller manages and that
 * gets no gang here.
 */
static void
check_volcano_queue(const struct trainer_job *job, struct report *report)
{
    struct queue_values queues;

    if (!job->runtime->pod_group_policy.volcano)
        return;
    queues = queue_sources_read(job, SLICE(GANG_BACKEND_VOLCANO), report->arena);
    if (queues.count && !node_string(queues.items[0].value).len)
        find_invalid(report, GANG_CODE_EMPTY_QUEUE, queues.items[0].value,
                     "name a queue, or remove the annotation", "Volcano queue name must not be empty");
}

void
trainjob_rules_check(const struct trainer_job *job, const struct gang *gang, struct report *report)
{
    for (size_t i = 0; i < sizeof(initializer_table) / sizeof(initializer_table[0]); i++)
        check_initializer(job, i, report);
    check_volcano_queue(job, report);
    patch_rules_check(job, report);
    ml_rules_check(job, report);
    jobset_rules_check(job, gang, report);
}
