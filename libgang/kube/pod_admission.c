/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "libgang/document/document.h"

/* ---- runtime class ---- */

struct runtime_class
runtime_class_read(const struct node *source, struct report *report)
{
    return (struct runtime_class){
        .name = node_name(source),
        .overhead = resource_list_read(node_member(source, SLICE("overhead")), report),
        .source = source,
    };
}

const struct runtime_class *
runtime_class_find(const struct runtime_class *classes, size_t count, struct slice name)
{
    size_t low = 0;

    SORTED_SEARCH(low, count, middle, slice_compare(classes[middle].name, name) < 0);
    return low < count && slice_equal(classes[low].name, name) ? &classes[low] : NULL;
}

void
runtime_class_apply(const struct runtime_class *classes, size_t count, const struct node *pod_spec,
                    struct pod_resources *pod, struct report *report)
{
    const struct node *name = node_member(pod_spec, SLICE("runtimeClassName"));
    const struct node *overhead = node_member(pod_spec, SLICE("overhead"));
    const struct runtime_class *class =
        name ? runtime_class_find(classes, count, node_string(name)) : NULL;

    if (name && !class)
        find_forbidden(report, name, MESSAGE_UNKNOWN_RUNTIME_CLASS, SLICE_ARG(node_string(name)));
    else if (!class || !class->overhead.count) {
        if (pod->overhead.count)
            find_forbidden(report, overhead, MESSAGE_OVERHEAD_MISMATCH_UNDEFINED);
    } else if (pod->overhead.count && !resource_list_equal(&class->overhead, &pod->overhead))
        find_forbidden(report, overhead, MESSAGE_OVERHEAD_MISMATCH_DIFFERENT);
    else if (!pod->overhead.count) {
        pod->overhead = class->overhead;
        find_note(report, name, MESSAGE_DEFAULT_APPLIED_OVERHEAD, SLICE_ARG(class->name),
                  resource_list_in_words(&class->overhead, report->arena));
    }
}

/* ---- pod defaults ---- */

bool
pod_defaults_sum_containers(const struct pod_resources *pod, struct arena *arena,
                            struct resource_list *out)
{
    const struct pod_resources containers = {
        .containers = pod->containers,
        .num_containers = pod->num_containers,
    };

    return pod_requests_sum(&containers, POD_REQUESTS_ONLY, arena, out);
}

bool
pod_defaults_apply(struct pod_resources *pod, bool sums_at_last, struct arena *arena)
{
    struct resource_list sum;

    pod->containers = pod_containers_copy(pod, arena);
    if (!pod->containers)
        pod->num_containers = 0;
    for (size_t i = 0; i < pod->num_containers; i++)
        resource_list_fill(&pod->containers[i].requests, arena, &pod->containers[i].limits);
    if (sums_at_last || pod->pod_limits.count == 0)
        return true;
    if (!pod_defaults_sum_containers(pod, arena, &sum))
        return false;
    pod->pod_requests = resource_list_copy(arena, &pod->pod_requests);
    for (size_t i = 0; i < sum.count; i++)
        /* Huge pages cannot be overcommitted: container requests become no pod-level request. */
        if (pod_requests_is_pod_level(sum.items[i].name) &&
            !slice_has_prefix(sum.items[i].name, SLICE("hugepages-")) &&
            !resource_list_get(&pod->pod_requests, sum.items[i].name))
            resource_list_set(&pod->pod_requests, arena, sum.items[i].name, sum.items[i].quantity);
    for (size_t i = 0; i < pod->pod_limits.count; i++) {
        const struct resource *limit = &pod->pod_limits.items[i];

        if (pod_requests_is_pod_level(limit->name) &&
            !resource_list_get(&pod->pod_requests, limit->name))
            resource_list_set(&pod->pod_requests, arena, limit->name, limit->quantity);
    }
    return true;
}

/* ---- pod limits ---- */

/* kubernetes/kubernetes:pkg/apis/core/helper/helpers.go IsOvercommitAllowed@v1.36.2 */
static bool
pod_limits_may_differ(struct slice resource)
{
    const struct slice domain = slice_before(resource, '/');

    if (domain.len == resource.len)
        return !slice_has_prefix(resource, SLICE("hugepages-"));
    return slice_has_suffix(domain, SLICE("kubernetes.io"));
}

/* Returns the node with `requests` and `limits` that sets the request; NULL if no document does. */
static const struct node *
pod_limits_block(const struct container_resources *container, const struct node *overlay,
                 struct slice resource)
{
    const struct node *own = node_member(container->source, SLICE("resources"));

    if (node_member(node_member(overlay, SLICE("requests")), resource))
        return overlay;
    return node_member(node_member(own, SLICE("requests")), resource) ? own : NULL;
}

static void
pod_limits_find_differing(const struct container_resources *container, const struct node *block,
                          const struct resource *request, const struct quantity *limit,
                          struct report *report)
{
    const struct node *at = node_member(node_member(block, SLICE("requests")), request->name);
    const char *relation =
        pod_limits_may_differ(request->name) ? "less than or equal to" : "equal to";
    const struct slice asked = quantity_text(&request->quantity, report->arena);
    const struct slice most = quantity_text(limit, report->arena);

    find_note(report, at ? at : container->source, MESSAGE_LIMIT_MISMATCH_RESOURCE,
              SLICE_ARG(asked), relation, SLICE_ARG(request->name), SLICE_ARG(most));
}

bool
pod_limits_check(const struct pod_resources *pod, const struct node *overlay, struct report *report)
{
    bool are_kept = true;

    for (size_t i = 0; i < pod->num_containers; i++)
        for (size_t r = 0; r < pod->containers[i].requests.count; r++) {
            const struct container_resources *container = &pod->containers[i];
            const struct resource *request = &container->requests.items[r];
            const struct quantity *limit = resource_list_get(&container->limits, request->name);
            const int order = limit ? quantity_compare(&request->quantity, limit) : -1;
            const struct node *block;

            if (order == 0 || (order < 0 && pod_limits_may_differ(request->name)))
                continue;
            if (!report)
                return false;
            are_kept = false;
            block = pod_limits_block(container, container->is_init ? NULL : overlay, request->name);
            if (limit) {
                pod_limits_find_differing(container, block, request, limit, report);
            } else {
                const struct slice amount = quantity_text(&request->quantity, report->arena);

                find_note_below(report, block ? block : container->source,
                                block ? SLICE("limits") : SLICE("resources.limits"),
                                MESSAGE_LIMIT_MISMATCH_OVERCOMMIT, SLICE_ARG(request->name),
                                SLICE_ARG(amount));
            }
        }
    return are_kept;
}

/* ---- pod admission ---- */

bool
pod_admission_matters(const struct pod_admission *admission, const struct node *pod_spec)
{
    return admission->num_limit_ranges || node_member(pod_spec, SLICE("runtimeClassName")) ||
           node_member(pod_spec, SLICE("overhead"));
}

static void
admission_note_gains(const struct limit_range *range, const struct pod_resources *after,
                     const struct container_resources *before, struct report *report)
{
    for (size_t i = 0; i < after->num_containers; i++) {
        const struct resource_list *now = &after->containers[i].requests;
        struct resource_list gain = {0};

        for (size_t k = 0; k < now->count; k++)
            if (!resource_list_get(&before[i].requests, now->items[k].name))
                resource_list_set(&gain, report->arena, now->items[k].name, now->items[k].quantity);
        if (gain.count)
            find_note_below(report, after->containers[i].source, SLICE("resources.requests"),
                            MESSAGE_DEFAULT_APPLIED_LIMIT_RANGE, SLICE_ARG(range->name),
                            resource_list_in_words(&gain, report->arena));
    }
}

struct pod_resources
pod_admission_apply(const struct pod_admission *admission, const struct node *pod_spec,
                    const struct pod_resources *pod, struct report *report)
{
    struct pod_resources admitted = *pod;

    /* All ranges set their defaults before the first range is checked. */
    if (admission->num_limit_ranges &&
        pod_defaults_apply(&admitted, admission->sums_at_last, report->arena)) {
        /* the code that sums the requests reports an overflow */
        for (size_t i = 0; i < admission->num_limit_ranges && !arena_failed(report->arena); i++) {
            const struct limit_range *range = &admission->limit_ranges[i];
            struct container_resources *before = pod_containers_copy(&admitted, report->arena);

            limit_range_fill(range, &admitted, report->arena);
            if (before)
                admission_note_gains(range, &admitted, before, report);
        }
        for (size_t i = 0; i < admission->num_limit_ranges && !arena_failed(report->arena); i++)
            limit_check(&admission->limit_ranges[i], &admitted, pod_spec, report);
    }
    if (admission->knows_runtime_classes) {
        runtime_class_apply(admission->runtime_classes, admission->num_runtime_classes, pod_spec,
                            &admitted, report);
    } else {
        const struct node *name = node_member(pod_spec, SLICE("runtimeClassName"));

        if (name)
            find_note(report, name, MESSAGE_NOT_CHECKED_OVERHEAD);
    }
    return admitted;
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
        struct resource_list defaults = {0}; /* requests of a container without requests */

        for (size_t k = 0; k < range->num_limits; k++)
            if (range->limits[k].type == LIMIT_OF_CONTAINER)
                resource_list_fill(&defaults, report->arena, &range->limits[k].default_requests);
        if (i && admission_defaults_differ(&first, &defaults))
            find_note(report, range->source, MESSAGE_LIMIT_RANGES_DISAGREE, SLICE_ARG(range->name),
                      SLICE_ARG(admission->limit_ranges[0].name));
        resource_list_fill(&first, report->arena, &defaults);
    }
}
