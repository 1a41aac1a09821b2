/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/scheduler.h"

#include "libgang/base/sort.h"
#include "libgang/base/text.h"
#include "libgang/document/finding.h"
#include "libgang/gang/wait.h"
#include "libgang/grove/vocabulary.h"
#include "libgang/kube/names.h"

/* ---- queue ---- */

/* KAI: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb, resolveQueue. Nothing is trimmed. */

static const struct node *
kai_queue_of(const struct node *labels, const struct node *annotations)
{
    const struct node *label = node_member(labels, GROVE_KAI_QUEUE);
    const struct node *annotation = node_member(annotations, GROVE_KAI_QUEUE);

    if (node_string(label).len)
        return label;
    return node_string(annotation).len ? annotation : NULL;
}

static const struct node *
kai_queue_of_clique(const struct podclique_template *clique)
{
    return kai_queue_of(clique->labels, clique->annotations);
}

static struct grove_queue
grove_queue_at(const struct node *source)
{
    return (struct grove_queue){.name = node_string(source), .source = source};
}

static const char *
kai_queue_set_name(const struct gang_podcliqueset *set, struct report *report)
{
    return grove_job_full_name(set->meta.namespace_, set->meta.name, report->arena);
}

static struct grove_queue
kai_queue_of_set(const struct gang_podcliqueset *set, const struct node *queue, struct report *report)
{
    struct quoted names[3];
    bool agree = true;

    for (size_t i = 0; i < set->num_cliques; i++) {
        const struct node *other = kai_queue_of_clique(&set->cliques[i]);

        if (!other || slice_equal(node_string(other), node_string(queue)))
            continue;
        agree = false;
        find_note(report, GANG_CODE_GROVE_QUEUE_CONFLICT, other, NULL,
                  "KAI queue on PodCliqueSet %s is %s but PodClique template %s resolves to %s",
                  kai_queue_set_name(set, report), quote(&names[0], node_string(queue)),
                  quote(&names[1], set->cliques[i].name), quote(&names[2], node_string(other)));
    }
    return agree ? grove_queue_at(queue) : (struct grove_queue){0};
}

static int
kai_queue_compare(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_string(a), node_string(b));
}

/* The queues that the cliques name, sorted, each once; how many. */
static size_t
kai_queue_collect(const struct gang_podcliqueset *set, const void ***queues, struct arena *arena)
{
    const void **all = arena_array(arena, set->num_cliques, sizeof(*all));
    const void **scratch = arena_array(arena, set->num_cliques, sizeof(*scratch));
    size_t count = 0;
    size_t unique = 0;

    if (!all || !scratch)
        return 0;
    for (size_t i = 0; i < set->num_cliques; i++)
        if (kai_queue_of_clique(&set->cliques[i]))
            all[count++] = kai_queue_of_clique(&set->cliques[i]);
    stable_sort(all, scratch, count, kai_queue_compare, NULL);
    for (size_t i = 0; i < count; i++)
        if (!unique || kai_queue_compare(all[unique - 1], all[i], NULL) != 0)
            all[unique++] = all[i];
    *queues = all;
    return unique;
}

static void
kai_queue_report_several(const struct gang_podcliqueset *set, const void **queues, size_t count,
                         struct report *report)
{
    const char *names = "";

    for (size_t i = 0; i < count; i++)
        names =
            arena_format(report->arena, "%s%s%.*s", names, i ? " " : "", SLICE_ARG(node_string(queues[i])));
    find_note(report, GANG_CODE_GROVE_QUEUE_CONFLICT, queues[1],
              "set the label kai.scheduler/queue on the PodCliqueSet alone",
              "conflicting KAI queues on PodCliqueSet %s PodClique templates: [%s]",
              kai_queue_set_name(set, report), names);
}

static void
kai_queue_report_none(const struct gang_podcliqueset *set, struct report *report)
{
    struct slice missing;
    const struct node *place = grove_job_label_place(&set->meta, &missing);

    find_note_below(report, GANG_CODE_GROVE_QUEUE_MISSING, place, missing,
                    "set the label kai.scheduler/queue on the PodCliqueSet",
                    "no KAI queue is configured on PodCliqueSet %s or its PodClique templates",
                    kai_queue_set_name(set, report));
}

struct grove_queue
grove_queue_check_for_kai(const struct gang_podcliqueset *set, enum grove_queue_need need,
                          struct report *report)
{
    const struct node *queue = kai_queue_of(set->meta.labels, set->meta.annotations);
    const void **queues = NULL;
    size_t count;

    if (queue)
        return kai_queue_of_set(set, queue, report);
    count = kai_queue_collect(set, &queues, report->arena);
    if (count == 1)
        return grove_queue_at(queues[0]);
    if (count)
        kai_queue_report_several(set, queues, count, report);
    else if (need == GROVE_QUEUE_NEEDED)
        kai_queue_report_none(set, report);
    return (struct grove_queue){0};
}

struct grove_queue
grove_queue_for_kai(const struct grove_job *job, enum grove_queue_need need, struct report *report)
{
    if (need == GROVE_QUEUE_IGNORED && !job->podcliqueset)
        return (struct grove_queue){0};
    if (!grove_job_require_set(job, report))
        return (struct grove_queue){0};
    return grove_queue_check_for_kai(job->podcliqueset, need, report);
}

/* Volcano: ai-dynamo/grove:operator/internal/scheduler/volcano/queue.go@fcc3b3bb, where all is trimmed. */

static bool
volcano_queue_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct slice
volcano_queue_trim(struct slice text)
{
    while (text.len && volcano_queue_is_space(text.data[0])) {
        text.data++;
        text.len--;
    }
    while (text.len && volcano_queue_is_space(text.data[text.len - 1]))
        text.len--;
    return text;
}

/* Unset when there is none, or a blank one. */
static struct grove_queue
volcano_queue_of(const struct node *annotations)
{
    const struct node *source = node_member(annotations, GROVE_ANNOTATION_VOLCANO_QUEUE);
    struct slice name = volcano_queue_trim(node_string(source));

    return name.len ? (struct grove_queue){name, source} : (struct grove_queue){0};
}

static bool
volcano_queue_check_name(const struct grove_queue *queue, struct report *report)
{
    struct name_problems problems;

    if (!queue->source || name_check(NAME_DNS1123_SUBDOMAIN, queue->name, &problems))
        return true;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, queue->source, NULL, "%s", problems.text[i]);
    return false;
}

static bool
volcano_queue_meets_set(const struct grove_queue *clique, const struct grove_queue *set,
                        struct report *report)
{
    struct quoted names[2];

    if (!clique->source || slice_equal(clique->name, set->name))
        return true;
    find_note(report, GANG_CODE_GROVE_QUEUE_CONFLICT, clique->source, NULL,
              "conflicting volcano queue annotations: PodCliqueSet has %s, PodClique has %s",
              quote(&names[0], set->name), quote(&names[1], clique->name));
    return false;
}

static struct slice
volcano_queue_or_default(const struct grove_queue *queue)
{
    return queue->source ? queue->name : GROVE_VOLCANO_DEFAULT_QUEUE;
}

static bool
volcano_queue_meets_first(const struct podclique_template *clique, const struct grove_queue *queue,
                          const struct grove_queue *first, struct report *report)
{
    if (slice_equal(volcano_queue_or_default(queue), volcano_queue_or_default(first)))
        return true;
    find_note(report, GANG_CODE_GROVE_QUEUE_CONFLICT, queue->source ? queue->source : clique->source,
              "set the annotation scheduling.grove.io/volcano-queue on the PodCliqueSet alone",
              "all PodCliques in a PodCliqueSet using volcano scheduler must resolve to the same queue");
    return false;
}

static struct grove_queue
volcano_queue_of_cliques(const struct gang_podcliqueset *set, const struct grove_queue *of_set,
                         struct report *report)
{
    struct grove_queue first = *of_set;
    bool agree = true;

    for (size_t i = 0; i < set->num_cliques; i++) {
        struct grove_queue queue = volcano_queue_of(set->cliques[i].annotations);

        agree &= volcano_queue_check_name(&queue, report);
        if (of_set->source)
            agree &= volcano_queue_meets_set(&queue, of_set, report);
        else if (i == 0)
            first = queue;
        else
            agree &= volcano_queue_meets_first(&set->cliques[i], &queue, &first, report);
    }
    return agree ? first : (struct grove_queue){0};
}

struct grove_queue
grove_queue_check_for_volcano(const struct gang_podcliqueset *set, enum grove_queue_need need,
                              struct report *report)
{
    struct grove_queue queue = volcano_queue_of(set->meta.annotations);

    (void)need;
    if (!volcano_queue_check_name(&queue, report))
        return (struct grove_queue){0};
    return volcano_queue_of_cliques(set, &queue, report);
}

/* What Grove itself would take: the PodGang's annotation, which mirrors that of the PodCliqueSet alone. */
static void
volcano_queue_report_difference(const struct grove_queue *queue, const struct grove_queue *by_set,
                                struct report *report)
{
    struct quoted names[2];

    if (!queue->source)
        find_note(report, GANG_CODE_GROVE_QUEUE_NOT_READ, by_set->source,
                  "set the annotation scheduling.grove.io/volcano-queue on the PodCliqueSet",
                  "Grove admits the queue %s and then uses %s: it reads the annotation of the PodGang alone",
                  quote(&names[0], by_set->name), quote(&names[1], GROVE_VOLCANO_DEFAULT_QUEUE));
    else
        find_note(report, GANG_CODE_GROVE_QUEUE_NOT_READ, queue->source,
                  "let Grove bring the PodGang up to date",
                  "the PodGang's queue %s stands, although its PodCliqueSet names %s",
                  quote(&names[0], queue->name), quote(&names[1], by_set->name));
}

struct grove_queue
grove_queue_for_volcano(const struct grove_job *job, enum grove_queue_need need, struct report *report)
{
    struct grove_queue queue = volcano_queue_of(job->podgang->meta.annotations);
    struct grove_queue by_set = {0};
    size_t errors = report->errors;

    if (job->podcliqueset)
        by_set = grove_queue_check_for_volcano(job->podcliqueset, need, report);
    if (report->errors > errors)
        return (struct grove_queue){0};
    if (by_set.source && !slice_equal(by_set.name, volcano_queue_or_default(&queue)))
        volcano_queue_report_difference(&queue, &by_set, report);
    if (!queue.source)
        queue = by_set;
    queue.name = volcano_queue_or_default(&queue);
    return queue;
}

/* ---- scheduler ---- */

static const char grove_topology_hint[] = "remove the constraint, or choose kai-scheduler";

static void
volcano_refuse_topology(const struct node *topology, const char *where, struct slice name,
                        struct report *report)
{
    struct quoted quoted;

    find_forbidden(report, GANG_CODE_GROVE_TOPOLOGY_REFUSED, topology, grove_topology_hint,
                   "volcano scheduler backend does not support topologyConstraint on %s%s%s", where,
                   slice_is_set(name) ? " " : "", slice_is_set(name) ? quote(&quoted, name) : "");
}

static void
lpx_refuse_topology(const struct node *topology, const char *where, struct slice name, struct report *report)
{
    (void)where;
    (void)name;
    find_forbidden(report, GANG_CODE_GROVE_TOPOLOGY_REFUSED, topology, grove_topology_hint,
                   "lpx-scheduler does not support Grove topology constraints; placement topology must be "
                   "expressed through the LPX workload contract");
}

/* Grove admits it and drops it: operator/internal/scheduler/kube/backend.go@fcc3b3bb does nothing at all. */
static void
kube_lose_topology(const struct node *topology, const char *where, struct slice name, struct report *report)
{
    (void)where;
    (void)name;
    find_note(report, GANG_CODE_FIELD_LOST, topology, grove_topology_hint,
              "topologyConstraint is lost: default-scheduler gets nothing of it");
}

/*
 * ai-dynamo/grove:operator/api/config/v1alpha1/types.go@fcc3b3bb SupportedSchedulerNames, in its order, and
 * operator/internal/scheduler/{kai,kube,volcano,lpx}/backend.go@fcc3b3bb.
 */
const struct grove_scheduler grove_schedulers[] = {
    {SLICE_INIT("kai-scheduler"), SLICE_INIT("KAI"), grove_queue_for_kai, grove_queue_check_for_kai, NULL},
    {SLICE_INIT("default-scheduler"), SLICE_INIT("None"), NULL, NULL, kube_lose_topology},
    {SLICE_INIT("volcano"), SLICE_INIT("Volcano"), grove_queue_for_volcano, grove_queue_check_for_volcano,
     volcano_refuse_topology},
    {SLICE_INIT("lpx-scheduler"), SLICE_INIT("None"), NULL, NULL, lpx_refuse_topology},
};
const size_t grove_scheduler_count = sizeof(grove_schedulers) / sizeof(grove_schedulers[0]);

const struct grove_scheduler *
grove_scheduler_named(struct slice name)
{
    for (size_t i = 0; i < grove_scheduler_count; i++)
        if (slice_equal(grove_schedulers[i].name, name))
            return &grove_schedulers[i];
    return NULL;
}

const struct grove_scheduler *
grove_scheduler_of_type(struct slice type)
{
    for (size_t i = 0; i < grove_scheduler_count; i++)
        if (slice_equal(grove_schedulers[i].type, type))
            return &grove_schedulers[i];
    return NULL;
}

const struct grove_scheduler *
grove_scheduler_by_default(void)
{
    return grove_scheduler_named(SLICE("default-scheduler"));
}

const struct grove_scheduler *
grove_scheduler_without_gangs(struct slice name)
{
    const struct grove_scheduler *named = grove_scheduler_named(name);

    return named && named->report_topology ? named : grove_scheduler_by_default();
}

void
grove_scheduler_check_topology(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                               struct report *report)
{
    if (!scheduler->report_topology)
        return;
    if (set->topology)
        scheduler->report_topology(set->topology, "PodCliqueSet", NO_SLICE, report);
    for (size_t i = 0; i < set->num_cliques; i++)
        if (set->cliques[i].topology)
            scheduler->report_topology(set->cliques[i].topology, "PodClique", set->cliques[i].name, report);
    for (size_t i = 0; i < set->num_groups; i++)
        if (set->groups[i].topology)
            scheduler->report_topology(set->groups[i].topology, "PodCliqueScalingGroup", set->groups[i].name,
                                       report);
}

/* ---- the scheduler of the cliques ---- */

/* ai-dynamo/grove:operator/internal/webhook/admission/pcs/validation/podcliqueset.go@fcc3b3bb validateSchedulerNames */

static struct slice
grove_clique_scheduler(const struct podclique_template *clique, struct slice by_default)
{
    return clique->scheduler_name.len ? clique->scheduler_name : by_default;
}

static bool
grove_clique_is_named_before(const struct gang_podcliqueset *set, size_t index, struct slice by_default)
{
    struct slice name = grove_clique_scheduler(&set->cliques[index], by_default);

    for (size_t i = 0; i < index; i++)
        if (slice_equal(grove_clique_scheduler(&set->cliques[i], by_default), name))
            return true;
    return false;
}

static const struct node *
grove_clique_scheduler_source(const struct podclique_template *clique)
{
    const struct node *name = node_member(clique->pod_spec, SLICE("schedulerName"));

    return name ? name : clique->source;
}

struct slice
grove_cliques_scheduler(const struct gang_podcliqueset *set, struct slice by_default)
{
    return grove_clique_scheduler(&set->cliques[0], by_default);
}

const struct node *
grove_cliques_scheduler_source(const struct gang_podcliqueset *set)
{
    return grove_clique_scheduler_source(&set->cliques[0]);
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
        find_note(report, GANG_CODE_SCHEDULERS_DISAGREE, grove_clique_scheduler_source(other),
                  "give every clique the same schedulerName, or none",
                  "Invalid value: \"%s\": the schedulerName for all pods have to be the same", names);
}
