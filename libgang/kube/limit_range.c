/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/limit_range.h"

#include "libgang/document/finding.h"

static const struct {
    struct slice text;
    enum limit_type type;
} limit_types[] = {
    {SLICE_INIT("Container"), LIMIT_OF_CONTAINER},
    {SLICE_INIT("Pod"), LIMIT_OF_POD},
};

static enum limit_type
limit_type_of(struct slice text)
{
    for (size_t i = 0; i < sizeof(limit_types) / sizeof(limit_types[0]); i++)
        if (slice_equal(limit_types[i].text, text))
            return limit_types[i].type;
    return LIMIT_OF_NOTHING_HERE;
}

/* A default limit is the maximum; a default request the default limit, else the minimum. */
static void
limit_fill_defaults(struct limit *limit, struct arena *arena, struct report *report)
{
    size_t limits = limit->default_limits.count;
    size_t requests = limit->default_requests.count;

    if (limit->type != LIMIT_OF_CONTAINER)
        return;
    resource_list_fill(&limit->default_limits, arena, &limit->maximum);
    resource_list_fill(&limit->default_requests, arena, &limit->default_limits);
    resource_list_fill(&limit->default_requests, arena, &limit->minimum);
    if (limit->default_limits.count != limits)
        find_note_below(report, GANG_CODE_DEFAULT_APPLIED, limit->source, SLICE("default"), NULL,
                        "what is missing defaults to max, as in the API server");
    if (limit->default_requests.count != requests)
        find_note_below(report, GANG_CODE_DEFAULT_APPLIED, limit->source, SLICE("defaultRequest"), NULL,
                        "what is missing defaults to default, else to min, as in the API server");
}

static struct limit
limit_read(const struct node *source, struct arena *arena, struct report *report)
{
    struct limit limit = {
        .type_text = node_string(node_member(source, SLICE("type"))),
        .minimum = resource_list_read(node_member(source, SLICE("min")), arena, report),
        .maximum = resource_list_read(node_member(source, SLICE("max")), arena, report),
        .ratio = resource_list_read(node_member(source, SLICE("maxLimitRequestRatio")), arena, report),
        .default_limits = resource_list_read(node_member(source, SLICE("default")), arena, report),
        .default_requests = resource_list_read(node_member(source, SLICE("defaultRequest")), arena, report),
        .source = source,
    };

    limit.type = limit_type_of(limit.type_text);
    limit_fill_defaults(&limit, arena, report);
    return limit;
}

struct limit_range
limit_range_read(const struct node *source, struct arena *arena, struct report *report)
{
    const struct node *limits = node_member(source, SLICE("limits"));
    struct limit_range range = {
        .namespace_ = node_string(node_member(source, SLICE("namespace"))),
        .name = node_string(node_member(source, SLICE("name"))),
        .limits = node_count(limits) ? arena_array(arena, node_count(limits), sizeof(*range.limits)) : NULL,
        .source = source,
    };

    if (range.limits)
        for (NODE_EACH(item, limits))
            range.limits[range.num_limits++] = limit_read(item, arena, report);
    return range;
}

static void
limit_fill_containers(const struct limit *limit, struct container_resources *containers, size_t count,
                      struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        resource_list_fill(&containers[i].limits, arena, &limit->default_limits);
        resource_list_fill(&containers[i].requests, arena, &limit->default_requests);
    }
}

void
limit_range_fill(const struct limit_range *range, struct pod_resources *pod, struct arena *arena)
{
    for (size_t i = 0; i < range->num_limits; i++) {
        const struct limit *limit = &range->limits[i];

        if (limit->type != LIMIT_OF_CONTAINER)
            continue;
        limit_fill_containers(limit, pod->containers, pod->num_containers, arena);
        limit_fill_containers(limit, pod->init_containers, pod->num_init_containers, arena);
    }
}
