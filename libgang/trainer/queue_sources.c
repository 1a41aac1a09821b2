/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/queue_sources.h"

#include "libgang/document/finding.h"
#include <gang/gang-names.h>

#define QUEUE_KEY_KAI "kai.scheduler/queue"
#define QUEUE_KEY_VOLCANO "scheduling.volcano.sh/queue-name"
#define QUEUE_OF_VOLCANO(place, precedence, hint)                                                            \
    {                                                                                                        \
        SLICE_INIT(GANG_BACKEND_VOLCANO), SLICE_INIT(QUEUE_KEY_VOLCANO), QUEUE_ANNOTATION, (place),          \
            (precedence), (hint)                                                                             \
    }
#define QUEUE_OF_KAI(form, key, place, precedence)                                                           \
    {                                                                                                        \
        SLICE_INIT("kai"), SLICE_INIT(key), (form), (place), (precedence), NULL                              \
    }
#define QUEUE_HINT_PATCH "set it in spec.runtimePatches[].trainingRuntimeSpec.template.metadata.annotations"
#define QUEUE_HINT_TEMPLATE "set it in spec.template.metadata.annotations"

/*
 * Volcano: the operator reads the queue from the JobSet's annotations alone, and only the runtime's template metadata and
 * its patches get there. kubeflow/trainer:pkg/runtime/framework/plugins/volcano/volcano.go and
 * pkg/runtime/core/trainingruntime.go (newRuntimeInfo), @v2.3.0.
 *
 * KAI: the podgrouper reads the JobSet's label, then the TrainJob's, then the pods', where Trainer's plugin writes the queue
 * of podGroupPolicy. kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/plugins/jobset, kubeflow/trainer#3186.
 */
const struct queue_source queue_sources[] = {
    QUEUE_OF_VOLCANO(QUEUE_IN_PATCHES, 0, NULL),
    QUEUE_OF_VOLCANO(QUEUE_IN_TEMPLATE, 1, NULL),
    QUEUE_OF_VOLCANO(QUEUE_ON_TRAINJOB, QUEUE_NOT_READ, QUEUE_HINT_PATCH),
    QUEUE_OF_VOLCANO(QUEUE_ON_RUNTIME, QUEUE_NOT_READ, QUEUE_HINT_TEMPLATE),
    QUEUE_OF_VOLCANO(QUEUE_ON_JOB_TEMPLATES, QUEUE_NOT_READ, QUEUE_HINT_TEMPLATE),
    QUEUE_OF_VOLCANO(QUEUE_ON_POD_TEMPLATES, QUEUE_NOT_READ, QUEUE_HINT_TEMPLATE),
    QUEUE_OF_KAI(QUEUE_LABEL, QUEUE_KEY_KAI, QUEUE_IN_PATCHES, 0),
    QUEUE_OF_KAI(QUEUE_LABEL, QUEUE_KEY_KAI, QUEUE_IN_TEMPLATE, 1),
    QUEUE_OF_KAI(QUEUE_LABEL, QUEUE_KEY_KAI, QUEUE_ON_TRAINJOB, 2),
    QUEUE_OF_KAI(QUEUE_FIELD, "kaiScheduler.queue", QUEUE_IN_GANG_POLICY, 3),
    QUEUE_OF_KAI(QUEUE_FIELD, "kai.queueName", QUEUE_IN_GANG_POLICY, 3),
    QUEUE_OF_KAI(QUEUE_LABEL, QUEUE_KEY_KAI, QUEUE_ON_POD_TEMPLATES, 4),
};
const size_t num_queue_sources = sizeof(queue_sources) / sizeof(queue_sources[0]);

enum { QUEUES_FIRST_CAPACITY = 4 };
#define QUEUE_BIT(place) (1u << (place))

/* What is asked for, and what was found so far. */
struct queue_search {
    unsigned places; /* where there may be anything at all, one bit each */
    const struct queue_source *source;
    struct arena *arena;
    struct queue_values found;
};

static const struct node *
queue_in_metadata(const struct queue_source *source, const struct node *metadata)
{
    switch (source->form) {
    case QUEUE_LABEL:
        return node_member(node_member(metadata, SLICE("labels")), source->key);
    case QUEUE_ANNOTATION:
        return node_member(node_member(metadata, SLICE("annotations")), source->key);
    case QUEUE_FIELD:
        return node_at(metadata, source->key.data);
    }
    return NULL;
}

/* The capacity is the power of two that holds the count. */
static void
queue_add(struct queue_search *search, const struct node *value)
{
    struct queue_values *found = &search->found;
    size_t count = found->count;
    bool is_full = count == 0 || (count >= QUEUES_FIRST_CAPACITY && (count & (count - 1)) == 0);

    if (is_full) {
        size_t capacity = count ? 2 * count : QUEUES_FIRST_CAPACITY;
        struct queue_found *items =
            arena_grow(search->arena, found->items, count, capacity, sizeof(*found->items));

        if (!items)
            return;
        found->items = items;
    }
    found->items[found->count++] = (struct queue_found){value, search->source};
}

static void
queue_look_at(struct queue_search *search, const struct node *metadata)
{
    const struct node *value = metadata ? queue_in_metadata(search->source, metadata) : NULL;

    if (value)
        queue_add(search, value);
}

/* Later patches win over earlier ones. */
static void
queue_look_at_patches(struct queue_search *search, const struct node *patches)
{
    size_t low = search->found.count;
    size_t high;

    for (NODE_EACH(patch, patches))
        queue_look_at(search, node_at(patch, "trainingRuntimeSpec.template.metadata"));
    for (high = search->found.count; low + 1 < high; low++) {
        struct queue_found last = search->found.items[--high];

        search->found.items[high] = search->found.items[low];
        search->found.items[low] = last;
    }
}

static void
queue_look_at_jobs(struct queue_search *search, const struct jobset *jobset)
{
    bool on_pods = search->source->place == QUEUE_ON_POD_TEMPLATES;

    for (size_t i = 0; i < jobset->count; i++)
        queue_look_at(search, on_pods ? node_member(jobset->jobs[i].pod_template, SLICE("metadata"))
                                      : jobset->jobs[i].job_metadata);
}

static void
queue_look(struct queue_search *search, const struct trainer_job *job)
{
    if (!(search->places & QUEUE_BIT(search->source->place)))
        return;
    switch (search->source->place) {
    case QUEUE_IN_PATCHES:
        queue_look_at_patches(search, job->trainjob->runtime_patches);
        return;
    case QUEUE_IN_TEMPLATE:
        queue_look_at(search, job->runtime->template_metadata);
        return;
    case QUEUE_ON_TRAINJOB:
        queue_look_at(search, job->trainjob->meta.source);
        return;
    case QUEUE_ON_RUNTIME:
        queue_look_at(search, job->runtime->meta.source);
        return;
    case QUEUE_ON_JOB_TEMPLATES:
    case QUEUE_ON_POD_TEMPLATES:
        queue_look_at_jobs(search, &job->jobset);
        return;
    case QUEUE_IN_GANG_POLICY:
        queue_look_at(search, job->runtime->pod_group_policy.source);
        return;
    }
}

unsigned
queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena)
{
    const struct trainer_job job = {.runtime = runtime, .jobset = runtime->jobset};
    const unsigned of_job = QUEUE_BIT(QUEUE_IN_PATCHES) | QUEUE_BIT(QUEUE_ON_TRAINJOB);
    unsigned places = 0;

    for (size_t i = 0; i < num_queue_sources; i++) {
        struct queue_search search = {.source = &queue_sources[i], .places = ~of_job, .arena = arena};

        queue_look(&search, &job);
        if (search.found.count)
            places |= QUEUE_BIT(queue_sources[i].place);
    }
    return places;
}

/* Nearly every job names no queue, and the runtime was searched when it was read. */
static struct queue_search
queue_search_of(const struct trainer_job *job, struct arena *arena)
{
    struct queue_search search = {.places = job->runtime->queue_places, .arena = arena};

    if (job->trainjob->meta.labels || job->trainjob->meta.annotations)
        search.places |= QUEUE_BIT(QUEUE_ON_TRAINJOB);
    if (job->trainjob->runtime_patches)
        search.places |= QUEUE_BIT(QUEUE_IN_PATCHES);
    if (job->jobset.jobs != job->runtime->jobset.jobs)
        search.places |= QUEUE_BIT(QUEUE_ON_JOB_TEMPLATES) | QUEUE_BIT(QUEUE_ON_POD_TEMPLATES);
    return search;
}

/* A backend without sources of its own has no queues. */
static bool
queue_backend_has_sources(struct slice backend)
{
    for (size_t i = 0; i < num_queue_sources; i++)
        if (slice_equal(queue_sources[i].backend, backend))
            return true;
    return false;
}

struct queue_values
queue_sources_read(const struct trainer_job *job, struct slice backend, struct arena *arena)
{
    struct queue_search search = queue_search_of(job, arena);
    bool reads_all = search.places && !queue_backend_has_sources(backend);

    for (size_t i = 0; search.places && i < num_queue_sources; i++) {
        search.source = &queue_sources[i];
        if (search.source->precedence != QUEUE_NOT_READ &&
            (reads_all || slice_equal(search.source->backend, backend)))
            queue_look(&search, job);
    }
    return search.found;
}

static bool
queue_backend_has_key(struct slice backend, const struct queue_source *source)
{
    for (size_t i = 0; i < num_queue_sources; i++)
        if (slice_equal(queue_sources[i].backend, backend) && queue_sources[i].form == source->form &&
            slice_equal(queue_sources[i].key, source->key))
            return true;
    return false;
}

struct queue_values
queue_sources_of_others(const struct trainer_job *job, struct slice backend, struct arena *arena)
{
    struct queue_search search = queue_search_of(job, arena);

    if (!search.places || !queue_backend_has_sources(backend))
        return search.found;
    for (size_t i = 0; i < num_queue_sources; i++) {
        search.source = &queue_sources[i];
        if (search.source->precedence != QUEUE_NOT_READ && !queue_backend_has_key(backend, search.source))
            queue_look(&search, job);
    }
    return search.found;
}

static void
queue_report_misplaced(const struct queue_found *found, struct report *report)
{
    find_note_at_key(report, GANG_CODE_FIELD_LOST, found->value, found->source->hint,
                     "the operator does not read a queue from here");
}

void
queue_sources_check_places(const struct trainer_job *job, struct report *report)
{
    struct queue_search search = queue_search_of(job, report->arena);

    for (size_t i = 0; search.places && i < num_queue_sources; i++) {
        search.source = &queue_sources[i];
        if (search.source->precedence == QUEUE_NOT_READ)
            queue_look(&search, job);
    }
    for (size_t i = 0; i < search.found.count; i++)
        queue_report_misplaced(&search.found.items[i], report);
}
