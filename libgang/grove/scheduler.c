/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- queue ---- */

/*
 * GROVE_QUEUE_OF_LABELS: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb,
 * resolveQueue. Values are not trimmed.
 */

static const struct node *
label_queue_of(const struct grove_scheduler *scheduler, const struct node *labels,
               const struct node *annotations)
{
    const struct node *label = node_member(labels, scheduler->grove->queue_key);
    const struct node *annotation = node_member(annotations, scheduler->grove->queue_key);

    if (node_string(label).len)
        return label;
    return node_string(annotation).len ? annotation : NULL;
}

static const struct node *
label_queue_of_clique(const struct grove_scheduler *scheduler,
                      const struct podclique_template *clique)
{
    return label_queue_of(scheduler, clique->labels, clique->annotations);
}

static struct grove_queue
label_queue_of_set(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                   const struct node *queue, struct report *report)
{
    bool agree = true;

    for (size_t i = 0; i < set->num_cliques; i++) {
        const struct node *other = label_queue_of_clique(scheduler, &set->cliques[i]);

        if (!other || slice_equal(node_string(other), node_string(queue)))
            continue;
        agree = false;
        find_note(report, other, MESSAGE_GROVE_QUEUE_CONFLICT_TEMPLATE, scheduler->grove->words,
                  grove_job_full_name(&set->meta, report->arena), SLICE_ARG(node_string(queue)),
                  SLICE_ARG(set->cliques[i].name), SLICE_ARG(node_string(other)));
    }
    return agree ? (struct grove_queue){node_string(queue), queue} : (struct grove_queue){0};
}

static int
label_queue_compare(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_string(a), node_string(b));
}

/*
 * Collects the queues that the cliques name, sorted and without duplicates. Returns their number.
 */
static size_t
label_queue_collect(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                    const void ***queues, struct arena *arena)
{
    const void **all = arena_array(arena, set->num_cliques, sizeof(*all));
    size_t count = 0;
    size_t unique = 0;

    if (!all)
        return 0;
    for (size_t i = 0; i < set->num_cliques; i++)
        if (label_queue_of_clique(scheduler, &set->cliques[i]))
            all[count++] = label_queue_of_clique(scheduler, &set->cliques[i]);
    if (!stable_sort(all, count, label_queue_compare, NULL, arena))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (!unique || label_queue_compare(all[unique - 1], all[i], NULL) != 0)
            all[unique++] = all[i];
    *queues = all;
    return unique;
}

static struct grove_queue
label_queue_check(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                  enum grove_queue_need need, struct report *report)
{
    const struct node *queue = label_queue_of(scheduler, set->meta.labels, set->meta.annotations);
    const void **queues = NULL;
    size_t count;

    if (queue)
        return label_queue_of_set(scheduler, set, queue, report);
    count = label_queue_collect(scheduler, set, &queues, report->arena);
    if (count == 1)
        return (struct grove_queue){node_string(queues[0]), queues[0]};
    if (count) {
        const char *names = "";

        for (size_t i = 0; i < count; i++)
            names = arena_format(report->arena, "%s%s%.*s", names, i ? " " : "",
                                 SLICE_ARG(node_string(queues[i])));
        find_note(report, queues[1], MESSAGE_GROVE_QUEUE_CONFLICT_LABELS, scheduler->grove->words,
                  grove_job_full_name(&set->meta, report->arena), names,
                  SLICE_ARG(scheduler->grove->queue_key));
    } else if (need == GROVE_QUEUE_NEEDED) {
        struct slice missing;
        const struct node *place = grove_job_label_place(&set->meta, &missing);

        find_note_below(report, place, missing, MESSAGE_GROVE_QUEUE_MISSING,
                        scheduler->grove->words, grove_job_full_name(&set->meta, report->arena),
                        SLICE_ARG(scheduler->grove->queue_key));
    }
    return (struct grove_queue){0};
}

/*
 * GROVE_QUEUE_OF_PODGANG: ai-dynamo/grove:operator/internal/scheduler/volcano/queue.go@fcc3b3bb.
 * Values are trimmed.
 */

/* Returns the queue in the annotations; unset if it is absent or blank. */
static struct grove_queue
annotation_queue_of(const struct grove_scheduler *scheduler, const struct node *annotations)
{
    const struct node *source = node_member(annotations, scheduler->grove->queue_key);
    struct slice name = text_trim(node_string(source));

    return name.len ? (struct grove_queue){name, source} : (struct grove_queue){0};
}

static bool
annotation_queue_check_name(const struct grove_queue *queue, struct report *report)
{
    if (!queue->source || name_is_valid(NAME_DNS1123_SUBDOMAIN, queue->name))
        return true;
    name_check_made(queue->name, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, queue->source,
                    NULL, report);
    return false;
}

static struct slice
annotation_queue_or_default(const struct grove_scheduler *scheduler,
                            const struct grove_queue *queue)
{
    return queue->source ? queue->name : scheduler->descriptor->default_queue;
}

/* Cliques agree with the set; where that names no queue, with the first clique. */
static struct grove_queue
annotation_queue_check(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                       struct report *report)
{
    const struct grove_queue of_set = annotation_queue_of(scheduler, set->meta.annotations);
    struct grove_queue first = of_set;
    bool agree = true;

    if (!annotation_queue_check_name(&of_set, report))
        return (struct grove_queue){0};
    for (size_t i = 0; i < set->num_cliques; i++) {
        const struct podclique_template *clique = &set->cliques[i];
        const struct grove_queue queue = annotation_queue_of(scheduler, clique->annotations);

        agree &= annotation_queue_check_name(&queue, report);
        if (!of_set.source && i == 0)
            first = queue;
        if (of_set.source ? !queue.source || slice_equal(queue.name, of_set.name)
                          : slice_equal(annotation_queue_or_default(scheduler, &queue),
                                        annotation_queue_or_default(scheduler, &first)))
            continue;
        agree = false;
        if (of_set.source)
            find_note(report, queue.source, MESSAGE_GROVE_QUEUE_CONFLICT_CLIQUE,
                      scheduler->grove->words, SLICE_ARG(of_set.name), SLICE_ARG(queue.name));
        else
            find_note(report, queue.source ? queue.source : clique->source,
                      MESSAGE_GROVE_QUEUE_CONFLICT_RESOLVED, scheduler->grove->words,
                      SLICE_ARG(scheduler->grove->queue_key));
    }
    return agree ? first : (struct grove_queue){0};
}

/* The PodGangs of a PodCliqueSet are not known yet: they will have its queue, or the default. */
static struct grove_queue
annotation_queue_of_set(const struct grove_scheduler *scheduler,
                        const struct gang_podcliqueset *set, struct report *report)
{
    const size_t errors = report->errors;
    struct grove_queue queue = annotation_queue_check(scheduler, set, report);

    if (report->errors == errors)
        queue.name = annotation_queue_or_default(scheduler, &queue);
    return queue;
}

static struct grove_queue
annotation_queue_read(const struct grove_scheduler *scheduler, const struct grove_job *job,
                      struct report *report)
{
    struct grove_queue queue = annotation_queue_of(scheduler, job->podgang->meta.annotations);
    struct grove_queue by_set = {0};
    size_t errors = report->errors;

    if (job->podcliqueset)
        by_set = annotation_queue_check(scheduler, job->podcliqueset, report);
    if (report->errors > errors)
        return (struct grove_queue){0};
    if (by_set.source &&
        !slice_equal(by_set.name, annotation_queue_or_default(scheduler, &queue))) {
        /*
         * Reports the queue that Grove itself uses: the annotation of the PodGang, which is a copy
         * of the PodCliqueSet's own annotation.
         */

        if (!queue.source)
            find_note(report, by_set.source, MESSAGE_GROVE_QUEUE_NOT_READ_TEMPLATE,
                      SLICE_ARG(by_set.name), SLICE_ARG(scheduler->descriptor->default_queue),
                      SLICE_ARG(scheduler->grove->queue_key));
        else
            find_note(report, queue.source, MESSAGE_GROVE_QUEUE_NOT_READ_SET, SLICE_ARG(queue.name),
                      SLICE_ARG(by_set.name));
    }
    if (!queue.source)
        queue = by_set;
    queue.name = annotation_queue_or_default(scheduler, &queue);
    return queue;
}

struct grove_queue
grove_queue_read(const struct grove_scheduler *scheduler, const struct grove_job *job,
                 enum grove_queue_need need, struct report *report)
{
    switch (scheduler->grove->queue_rule) {
    case GROVE_QUEUE_OF_LABELS:
        if (job->podgang && ((need == GROVE_QUEUE_IGNORED && !job->podcliqueset) ||
                             !grove_job_require_set(job, report)))
            break;
        return label_queue_check(scheduler, job->podcliqueset, need, report);
    case GROVE_QUEUE_OF_PODGANG:
        return job->podgang ? annotation_queue_read(scheduler, job, report)
                            : annotation_queue_of_set(scheduler, job->podcliqueset, report);
    case GROVE_QUEUE_NONE:
        break;
    }
    return (struct grove_queue){0};
}

/* ---- scheduler ---- */

/* The schedulers without gangs that Grove drives, with their positions in Grove's list. */
static const struct descriptor_grove grove_without_gangs[] = {
    {.name = SLICE_INIT(SCHEDULER_NAME_OF_KUBERNETES),
     .place = 1,
     .topology_rule = GROVE_TOPOLOGY_LOST},
    {.name = SLICE_INIT("lpx-scheduler"),
     .place = 3,
     .topology_rule = GROVE_TOPOLOGY_REFUSED,
     .topology_refusal =
         "lpx-scheduler does not support Grove topology constraints; placement topology must be "
         "expressed through the LPX workload contract"},
};

#define GROVE_ROW(name) {&name##_descriptor, &name##_descriptor.grove},
static const struct grove_scheduler grove_schedulers[] = {{NULL, &grove_without_gangs[0]},
                                                          {NULL, &grove_without_gangs[1]},
                                                          CATALOG_SCHEDULERS(GROVE_ROW)};
enum { GROVE_ROWS = COUNT_OF(grove_schedulers) };

const struct grove_scheduler *
grove_scheduler_at(size_t index)
{
    for (size_t i = 0; i < GROVE_ROWS; i++)
        if (slice_is_set(grove_schedulers[i].grove->name) &&
            grove_schedulers[i].grove->place == index)
            return &grove_schedulers[i];
    return NULL;
}

const struct grove_scheduler *
grove_scheduler_named(struct slice name)
{
    const struct grove_scheduler *scheduler;

    for (size_t i = 0; (scheduler = grove_scheduler_at(i)); i++)
        if (slice_equal(scheduler->grove->name, name))
            break;
    return scheduler;
}

const struct grove_scheduler *
grove_scheduler_of(const struct descriptor *descriptor)
{
    return slice_is_set(descriptor->grove.name) ? grove_scheduler_named(descriptor->grove.name)
                                                : NULL;
}

const struct grove_scheduler *
grove_scheduler_by_default(void)
{
    return grove_scheduler_named(SLICE(SCHEDULER_NAME_OF_KUBERNETES));
}

const struct grove_scheduler *
grove_scheduler_without_gangs(struct slice name)
{
    const struct grove_scheduler *named = grove_scheduler_named(name);

    return named && named->grove->topology_rule != GROVE_TOPOLOGY_PLACED
               ? named
               : grove_scheduler_by_default();
}

const char *
grove_scheduler_list(bool of_types, const char *separator, struct arena *arena)
{
    const struct grove_scheduler *scheduler;
    const char *list = "";

    for (size_t i = 0; (scheduler = grove_scheduler_at(i)); i++)
        if (scheduler->descriptor)
            list = arena_format(
                arena, "%s%s%.*s", list, list[0] ? separator : "",
                SLICE_ARG(of_types ? scheduler->descriptor->type : scheduler->grove->name));
    return list;
}

/*
 * `where` is the kind of the object with the constraint. `name` is its name; unset for the set
 * itself.
 */
static void
grove_refuse_topology(const struct grove_scheduler *scheduler, const struct node *topology,
                      const char *where, struct slice name, struct report *report)
{
    const struct grove_scheduler *other;
    const char *hint = "remove the constraint";
    struct quoted quoted;

    if (!topology)
        return;
    /* or choose a scheduler that places pods by it */
    for (size_t i = 0; (other = grove_scheduler_at(i)); i++)
        if (other->grove->topology_rule == GROVE_TOPOLOGY_PLACED) {
            hint = arena_format(report->arena, "remove the constraint, or choose %.*s",
                                SLICE_ARG(other->grove->name));
            break;
        }
    /*
     * Grove accepts the constraint and drops it:
     * operator/internal/scheduler/kube/backend.go@fcc3b3bb ignores it.
     */
    if (scheduler->grove->topology_rule == GROVE_TOPOLOGY_LOST)
        find_note(report, topology, MESSAGE_FIELD_LOST_TOPOLOGY_CONSTRAINT,
                  SLICE_ARG(scheduler->grove->name), hint);
    else if (scheduler->grove->topology_refusal)
        find_forbidden(report, topology, GANG_CODE_GROVE_TOPOLOGY_REFUSED, hint, "%s",
                       scheduler->grove->topology_refusal);
    else
        find_forbidden(report, topology, MESSAGE_GROVE_TOPOLOGY_REFUSED_PLACE,
                       scheduler->grove->words, where, slice_is_set(name) ? " " : "",
                       slice_is_set(name) ? quote(&quoted, name) : "", hint);
}

void
grove_scheduler_check_topology(const struct grove_scheduler *scheduler,
                               const struct gang_podcliqueset *set, struct report *report)
{
    if (scheduler->grove->topology_rule == GROVE_TOPOLOGY_PLACED)
        return;
    grove_refuse_topology(scheduler, set->topology, "PodCliqueSet", NO_SLICE, report);
    for (size_t i = 0; i < set->num_cliques; i++)
        grove_refuse_topology(scheduler, set->cliques[i].topology, "PodClique",
                              set->cliques[i].name, report);
    for (size_t i = 0; i < set->num_groups; i++)
        grove_refuse_topology(scheduler, set->groups[i].topology, "PodCliqueScalingGroup",
                              set->groups[i].name, report);
}

/* ---- the scheduler of the cliques ---- */

/*
 * Source:
 * ai-dynamo/grove:operator/internal/webhook/admission/pcs/validation/podcliqueset.go@fcc3b3bb
 * validateSchedulerNames
 */

static struct slice
grove_clique_scheduler(const struct podclique_template *clique, struct slice by_default)
{
    return clique->scheduler_name.len ? clique->scheduler_name : by_default;
}

static bool
grove_clique_is_named_before(const struct gang_podcliqueset *set, size_t index,
                             struct slice by_default)
{
    struct slice name = grove_clique_scheduler(&set->cliques[index], by_default);

    for (size_t i = 0; i < index; i++)
        if (slice_equal(grove_clique_scheduler(&set->cliques[i], by_default), name))
            return true;
    return false;
}

struct slice
grove_cliques_scheduler(const struct gang_podcliqueset *set, struct slice by_default)
{
    return grove_clique_scheduler(&set->cliques[0], by_default);
}

const struct node *
grove_clique_scheduler_source(const struct podclique_template *clique)
{
    const struct node *name = node_member(clique->pod_spec, SLICE("schedulerName"));

    return name ? name : clique->source;
}

const struct podclique_template *
grove_clique_naming_scheduler(const struct gang_podcliqueset *set, size_t index)
{
    for (size_t i = 0; set && i < set->num_cliques; i++)
        if (set->cliques[i].scheduler_name.len && !grove_clique_is_named_before(set, i, NO_SLICE) &&
            index-- == 0)
            return &set->cliques[i];
    return NULL;
}

void
grove_cliques_check_scheduler(const struct gang_podcliqueset *set, struct slice by_default,
                              struct report *report)
{
    const struct podclique_template *other = NULL;
    const char *names = "";

    for (size_t i = 0; i < set->num_cliques; i++) {
        if (grove_clique_is_named_before(set, i, by_default))
            continue;
        names = arena_format(report->arena, "%s%s%.*s", names, i ? ", " : "",
                             SLICE_ARG(grove_clique_scheduler(&set->cliques[i], by_default)));
        if (i)
            other = other ? other : &set->cliques[i];
    }
    if (other)
        find_note(report, grove_clique_scheduler_source(other), MESSAGE_SCHEDULERS_DISAGREE_CLIQUES,
                  names);
}
