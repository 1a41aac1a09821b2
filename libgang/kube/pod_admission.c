/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_admission.h"

#include "libgang/document/finding.h"
#include "libgang/kube/limit_check.h"
#include "libgang/kube/pod_defaults.h"

bool
pod_admission_matters(const struct pod_admission *admission, const struct node *pod_spec)
{
    return admission->num_limit_ranges || node_member(pod_spec, SLICE("runtimeClassName")) ||
           node_member(pod_spec, SLICE("overhead"));
}

/* The requests that a container has now and had not before. */
static struct resource_list
admission_gain(const struct container_resources *after, const struct container_resources *before,
               struct arena *arena)
{
    struct resource_list gain = {0};

    for (size_t i = 0; i < after->requests.count; i++)
        if (!resource_list_get(&before->requests, after->requests.items[i].name))
            resource_list_set(&gain, arena, after->requests.items[i].name, after->requests.items[i].quantity);
    return gain;
}

static void
admission_note_gains(const struct limit_range *range, const struct container_resources *after,
                     const struct container_resources *before, size_t count, struct report *report)
{
    for (size_t i = 0; i < count; i++) {
        struct resource_list gain = admission_gain(&after[i], &before[i], report->arena);

        if (gain.count)
            find_note_below(report, GANG_CODE_DEFAULT_APPLIED, after[i].source, SLICE("resources.requests"),
                            NULL, "LimitRange \"%.*s\" of the namespace adds %s", SLICE_ARG(range->name),
                            resource_list_in_words(&gain, report->arena));
    }
}

/* A copy of the containers' lists, to be compared later. */
static struct container_resources *
admission_keep(const struct container_resources *containers, size_t count, struct arena *arena)
{
    struct container_resources *copies =
        count ? arena_grow(arena, containers, count, count, sizeof(*copies)) : NULL;

    for (size_t i = 0; copies && i < count; i++)
        copies[i].requests = resource_list_copy(arena, &containers[i].requests);
    return copies;
}

static void
admission_fill(const struct limit_range *range, struct pod_resources *pod, struct arena *arena,
               struct report *report)
{
    struct container_resources *containers = admission_keep(pod->containers, pod->num_containers, arena);
    struct container_resources *inits = admission_keep(pod->init_containers, pod->num_init_containers, arena);

    limit_range_fill(range, pod, arena);
    if (containers)
        admission_note_gains(range, pod->containers, containers, pod->num_containers, report);
    if (inits)
        admission_note_gains(range, pod->init_containers, inits, pod->num_init_containers, report);
}

/* All ranges fill before any of them checks. */
static void
admission_limit(const struct pod_admission *admission, const struct node *pod_spec, struct pod_resources *pod,
                struct arena *arena, struct report *report)
{
    if (!admission->num_limit_ranges || !pod_defaults_apply(pod, arena))
        return; /* an overflow is reported where the requests are summed */
    for (size_t i = 0; i < admission->num_limit_ranges && !arena_failed(arena); i++)
        admission_fill(&admission->limit_ranges[i], pod, arena, report);
    for (size_t i = 0; i < admission->num_limit_ranges && !arena_failed(arena); i++)
        limit_check(&admission->limit_ranges[i], pod, pod_spec, arena, report);
}

static void
admission_note_unknown_class(const struct node *pod_spec, struct report *report)
{
    const struct node *name = node_member(pod_spec, SLICE("runtimeClassName"));

    if (name)
        find_note(report, GANG_CODE_NOT_CHECKED, name, NULL,
                  "not checked, and no overhead counted: the cluster does not state its runtimeClasses");
}

struct pod_resources
pod_admission_apply(const struct pod_admission *admission, const struct node *pod_spec,
                    const struct pod_resources *pod, struct arena *arena, struct report *report)
{
    struct pod_resources admitted = *pod;

    admission_limit(admission, pod_spec, &admitted, arena, report);
    if (admission->knows_runtime_classes)
        runtime_class_apply(admission->runtime_classes, admission->num_runtime_classes, pod_spec, &admitted,
                            report);
    else
        admission_note_unknown_class(pod_spec, report);
    return admitted;
}

/* What a range gives a container that asks for nothing. */
static struct resource_list
admission_defaults(const struct limit_range *range, struct arena *arena)
{
    struct resource_list defaults = {0};

    for (size_t i = 0; i < range->num_limits; i++)
        if (range->limits[i].type == LIMIT_OF_CONTAINER)
            resource_list_fill(&defaults, arena, &range->limits[i].default_requests);
    return defaults;
}

static bool
admission_defaults_differ(const struct resource_list *a, const struct resource_list *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct quantity *other = resource_list_get(b, a->items[i].name);

        if (other && quantity_compare(&a->items[i].quantity, other) != 0)
            return true;
    }
    return false;
}

void
pod_admission_compare_ranges(const struct pod_admission *admission, struct report *report)
{
    struct resource_list first = {0};

    for (size_t i = 0; i < admission->num_limit_ranges; i++) {
        const struct limit_range *range = &admission->limit_ranges[i];
        struct resource_list defaults = admission_defaults(range, report->arena);

        if (i && admission_defaults_differ(&first, &defaults))
            find_note(
                report, GANG_CODE_LIMIT_RANGES_DISAGREE, range->source,
                "keep the defaults of a namespace in one LimitRange",
                "LimitRange \"%.*s\" gives other default requests than \"%.*s\"; the API server takes those "
                "of either, here those of the first by name are counted",
                SLICE_ARG(range->name), SLICE_ARG(admission->limit_ranges[0].name));
        resource_list_fill(&first, report->arena, &defaults);
    }
}
