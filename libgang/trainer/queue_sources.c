/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

enum { QUEUES_FIRST_CAPACITY = 4 };
#define QUEUE_BIT(place) (1u << (place))

/* The source to search for, and the values found so far. */
struct queue_search {
    const struct queue_owner *owner;
    unsigned places; /* places that may have a value, one bit for each */
    const struct queue_source *source;
    const struct descriptor *scheduler; /* the scheduler that reads the source */
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

static void
queue_look_at(struct queue_search *search, const struct node *metadata)
{
    const struct node *value = metadata ? queue_in_metadata(search->source, metadata) : NULL;

    if (value && (!search->source->ignores_empty || node_string(value).len))
        ARENA_APPEND(search->arena, search->found.items, search->found.count, QUEUES_FIRST_CAPACITY,
                     (struct queue_found){value, search->source, search->scheduler});
}

/* Later patches have precedence over earlier ones. */
static void
queue_look_at_patches(struct queue_search *search, const struct node *patches)
{
    size_t low = search->found.count;
    size_t high;

    for (NODE_EACH(patch, patches))
        queue_look_at(search, node_member(patch_template(patch), SLICE("metadata")));
    for (high = search->found.count; low + 1 < high; low++) {
        struct queue_found last = search->found.items[--high];

        search->found.items[high] = search->found.items[low];
        search->found.items[low] = last;
    }
}

static void
queue_look_in_trainjob(struct queue_search *search, const struct trainer_job *job)
{
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
    case QUEUE_ON_POD_TEMPLATES: {
        bool on_pods = search->source->place == QUEUE_ON_POD_TEMPLATES;

        for (size_t i = 0; i < job->jobset.count; i++)
            queue_look_at(search, on_pods ? job->jobset.jobs[i].pod_metadata
                                          : job->jobset.jobs[i].job_metadata);
        return;
    }
    case QUEUE_IN_GANG_POLICY:
        queue_look_at(search, job->runtime->pod_group_policy.source);
        return;
    }
}

/* Of one key, only the first source counts: a job's own metadata stand for several places. */
static bool
queue_is_found(const struct queue_values *found, const struct node *value)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].value == value)
            return true;
    return false;
}

static void
queue_look(struct queue_search *search)
{
    if (!(search->places & QUEUE_BIT(search->source->place)))
        return;
    if (search->owner->job) {
        queue_look_in_trainjob(search, search->owner->job);
    } else {
        const struct gang_wishes *wishes = search->owner->wishes;
        const enum queue_place place = search->source->place;

        if ((place == QUEUE_IN_TEMPLATE || place == QUEUE_ON_TRAINJOB) &&
            !queue_is_found(&search->found,
                            queue_in_metadata(search->source, wishes->meta->source)))
            queue_look_at(search, wishes->meta->source);
        for (size_t i = 0; place == QUEUE_ON_POD_TEMPLATES && i < wishes->num_roles; i++)
            if (wishes->roles[i].count)
                queue_look_at(search, wishes->roles[i].pod_metadata);
    }
}

/* The length of a key, as a bit; lengths from 64 on share the bits of shorter ones. */
#define QUEUE_LENGTH(key_len) (UINT64_C(1) << ((key_len)&63))

/*
 * Returns which of the places have a queue key of any scheduler. Without a bit for their length in
 * `lengths`, keys are not searched.
 */
static unsigned
queue_places_search(const struct trainer_job *job, unsigned places, uint64_t lengths,
                    struct arena *arena)
{
    const struct queue_owner owner = {.job = job};
    struct queue_search search = {.owner = &owner, .places = places, .arena = arena};
    unsigned found = 0;

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_queue_sources; k++) {
            search.source = &catalog[i]->queue_sources[k];
            search.found.count = 0;
            if (lengths & QUEUE_LENGTH(search.source->key.len))
                queue_look(&search);
            if (search.found.count)
                found |= QUEUE_BIT(search.source->place);
        }
    return found;
}

unsigned
queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena)
{
    const struct trainer_job job = {.runtime = runtime, .jobset = runtime->jobset};
    unsigned places = QUEUE_BIT(QUEUE_ON_RUNTIME);

    /* The places where the runtime has metadata or a member of podGroupPolicy at all. */
    if (runtime->template_metadata)
        places |= QUEUE_BIT(QUEUE_IN_TEMPLATE);
    if (runtime->pod_group_policy.source)
        places |= QUEUE_BIT(QUEUE_IN_GANG_POLICY);
    for (size_t i = 0; i < runtime->jobset.count; i++) {
        if (runtime->jobset.jobs[i].job_metadata)
            places |= QUEUE_BIT(QUEUE_ON_JOB_TEMPLATES);
        if (runtime->jobset.jobs[i].pod_metadata)
            places |= QUEUE_BIT(QUEUE_ON_POD_TEMPLATES);
    }
    return queue_places_search(&job, places, UINT64_MAX, arena);
}

static uint64_t
queue_lengths_in(const struct node *labels, const struct node *annotations)
{
    uint64_t lengths = 0;

    for (NODE_EACH(label, labels))
        lengths |= QUEUE_LENGTH(label->key_len);
    for (NODE_EACH(annotation, annotations))
        lengths |= QUEUE_LENGTH(annotation->key_len);
    return lengths;
}

unsigned
queue_places_in_trainjob(const struct gang_trainjob *trainjob, struct arena *arena)
{
    uint64_t lengths = queue_lengths_in(trainjob->meta.labels, trainjob->meta.annotations);

    for (NODE_EACH(patch, trainjob->runtime_patches)) {
        const struct node *metadata = node_member(patch_template(patch), SLICE("metadata"));

        lengths |= queue_lengths_in(node_member(metadata, SLICE("labels")),
                                    node_member(metadata, SLICE("annotations")));
    }
    if (!lengths)
        return 0; /* most jobs have neither labels nor annotations */
    return queue_places_search(&(const struct trainer_job){.trainjob = trainjob},
                               QUEUE_BIT(QUEUE_ON_TRAINJOB) | QUEUE_BIT(QUEUE_IN_PATCHES), lengths,
                               arena);
}

/* Most jobs name no queue, and both documents were searched when they were parsed. */
static unsigned
queue_places_of_job(const struct trainer_job *job)
{
    unsigned places = job->runtime->queue_places | job->trainjob->queue_places;

    if (job->has_new_metadata)
        places |= QUEUE_BIT(QUEUE_ON_JOB_TEMPLATES) | QUEUE_BIT(QUEUE_ON_POD_TEMPLATES);
    return places;
}

static bool
queue_has_key(const struct descriptor *scheduler, const struct queue_source *source)
{
    for (size_t i = 0; i < scheduler->num_queue_sources; i++)
        if (scheduler->queue_sources[i].form == source->form &&
            slice_equal(scheduler->queue_sources[i].key, source->key))
            return true;
    return false;
}

/*
 * What an operator does not read, a scheduler can read in the pods of a job without that operator:
 * volcano-sh/volcano:pkg/controllers/podgroup/pg_controller_handler.go@v1.15.0 buildPodGroupFromPod
 */
static bool
queue_is_read(const struct queue_owner *owner, const struct queue_source *source)
{
    return source->precedence != QUEUE_NOT_READ ||
           (!owner->job && source->place == QUEUE_ON_POD_TEMPLATES);
}

struct queue_values
queue_sources_find(const struct queue_owner *owner, const struct descriptor *scheduler,
                   enum queue_question question, struct arena *arena)
{
    struct queue_search search = {.owner = owner, .scheduler = scheduler, .arena = arena};

    if (!owner->job) {
        if (owner->wishes->meta->labels || owner->wishes->meta->annotations)
            search.places = QUEUE_BIT(QUEUE_IN_TEMPLATE) | QUEUE_BIT(QUEUE_ON_TRAINJOB);
        for (size_t i = 0; i < owner->wishes->num_roles; i++)
            if (owner->wishes->roles[i].pod_metadata)
                search.places |= QUEUE_BIT(QUEUE_ON_POD_TEMPLATES);
    } else { /* the places of the runtime are those of queues alone */
        search.places = question == QUEUES_PRIORITY ? ~0u : queue_places_of_job(owner->job);
    }
    for (size_t i = 0; question == QUEUES_PRIORITY && i < scheduler->num_priority_sources; i++) {
        search.source = &scheduler->priority_sources[i];
        queue_look(&search);
    }
    for (size_t i = 0; question != QUEUES_PRIORITY && search.places && i < CATALOG_COUNT; i++)
        if (question == QUEUES_READ ? catalog[i] == scheduler || !scheduler->num_queue_sources
                                    : catalog[i] != scheduler && scheduler->num_queue_sources) {
            search.scheduler = catalog[i];
            for (size_t k = 0; k < catalog[i]->num_queue_sources; k++) {
                search.source = &catalog[i]->queue_sources[k];
                if (search.places & QUEUE_BIT(search.source->place) &&
                    queue_is_read(owner, search.source) &&
                    (catalog[i] == scheduler ||
                     (!search.source->is_common && !queue_has_key(scheduler, search.source))))
                    queue_look(&search);
            }
        }
    return search.found;
}

void
queue_sources_check_places(const struct trainer_job *job, struct report *report)
{
    const struct queue_owner owner = {.job = job};
    struct queue_search search = {
        .owner = &owner, .places = queue_places_of_job(job), .arena = report->arena};

    for (size_t i = 0; search.places && i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_queue_sources; k++) {
            search.source = &catalog[i]->queue_sources[k];
            if (search.source->precedence == QUEUE_NOT_READ)
                queue_look(&search);
        }
    for (size_t i = 0; i < search.found.count; i++)
        find_note_at_key(report, search.found.items[i].value, GANG_CODE_FIELD_LOST,
                         search.found.items[i].source->hint,
                         "the operator does not read a queue from here");
}
