/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_requests.h"

#include "libgang/document/document.h"

static const struct limit_type_name {
    struct slice text;
    enum limit_type type;
} limit_types[] = {
    {SLICE_INIT("Container"), LIMIT_OF_CONTAINER},
    {SLICE_INIT("Pod"), LIMIT_OF_POD},
};

static struct limit
limit_read(const struct node *source, struct report *report)
{
    struct limit limit = {
        .type_text = node_string(node_member(source, SLICE("type"))),
        .minimum = resource_list_read(node_member(source, SLICE("min")), report),
        .maximum = resource_list_read(node_member(source, SLICE("max")), report),
        .ratio = resource_list_read(node_member(source, SLICE("maxLimitRequestRatio")), report),
        .default_limits = resource_list_read(node_member(source, SLICE("default")), report),
        .default_requests =
            resource_list_read(node_member(source, SLICE("defaultRequest")), report),
        .source = source,
    };
    const struct limit_type_name *type =
        FIND_TEXT(limit_types, COUNT_OF(limit_types), text, limit.type_text);
    size_t limits;
    size_t requests;

    limit.type = type ? type->type : LIMIT_OF_NOTHING_HERE;
    /*
     * The maximum is the default for `default`. `default` is the default for `defaultRequest`, else
     * the minimum.
     */
    limits = limit.default_limits.count;
    requests = limit.default_requests.count;
    if (limit.type == LIMIT_OF_CONTAINER) {
        resource_list_fill(&limit.default_limits, report->arena, &limit.maximum);
        resource_list_fill(&limit.default_requests, report->arena, &limit.default_limits);
        resource_list_fill(&limit.default_requests, report->arena, &limit.minimum);
        if (limit.default_limits.count != limits)
            find_note_below(report, limit.source, SLICE("default"), MESSAGE_DEFAULT_APPLIED_LIMITS);
        if (limit.default_requests.count != requests)
            find_note_below(report, limit.source, SLICE("defaultRequest"),
                            MESSAGE_DEFAULT_APPLIED_REQUESTS);
    }
    return limit;
}

struct limit_range
limit_range_read(const struct node *source, struct report *report)
{
    const struct node *limits = node_member(source, SLICE("limits"));
    struct limit_range range = {
        .namespace_ = node_string(node_member(source, SLICE("namespace"))),
        .name = node_name(source),
        .limits = node_count(limits)
                      ? arena_array(report->arena, node_count(limits), sizeof(*range.limits))
                      : NULL,
        .source = source,
    };

    if (range.limits)
        for (NODE_EACH(item, limits))
            range.limits[range.num_limits++] = limit_read(item, report);
    return range;
}

void
limit_range_fill(const struct limit_range *range, struct pod_resources *pod, struct arena *arena)
{
    for (size_t i = 0; i < range->num_limits; i++) {
        const struct limit *limit = &range->limits[i];

        for (size_t k = 0; limit->type == LIMIT_OF_CONTAINER && k < pod->num_containers; k++) {
            resource_list_fill(&pod->containers[k].limits, arena, &limit->default_limits);
            resource_list_fill(&pod->containers[k].requests, arena, &limit->default_requests);
        }
    }
}

/* ---- limit check ---- */

/* The subject of a check: the amounts of one container or of a pod. */
struct limit_subject {
    const struct limit_range *range;
    const struct limit *limit;
    const struct resource_list *requests;
    const struct resource_list *limits;
    const struct node *source;
    struct report *report;
};

/* The sentence: `<bound><resource><measure> per Container is <amount><rest>`. */
static void
limit_find(const struct limit_subject *subject, const char *bound, const struct resource *enforced,
           const char *measure, const char *rest)
{
    struct arena *arena = subject->report->arena;
    const struct slice amount = quantity_text(&enforced->quantity, arena);
    const char *hint = arena_format(arena, "see LimitRange \"%.*s\" of the namespace",
                                    SLICE_ARG(subject->range->name));

    find_forbidden(subject->report, subject->source, GANG_CODE_LIMIT_RANGE_VIOLATED, hint,
                   "%s%.*s%s per %.*s is %.*s%s", bound, SLICE_ARG(enforced->name), measure,
                   SLICE_ARG(subject->limit->type_text), SLICE_ARG(amount), rest);
}

/* `actual` is NULL if there is no amount that could be compared. */
static void
limit_find_bound(const struct limit_subject *subject, const char *bound,
                 const struct resource *enforced, const char *what, const struct quantity *actual)
{
    struct arena *arena = subject->report->arena;
    const struct slice amount = actual ? quantity_text(actual, arena) : NO_SLICE;

    limit_find(subject, bound, enforced, " usage",
               actual ? arena_format(arena, ", but %s is %.*s", what, SLICE_ARG(amount))
                      : arena_format(arena, ".  No %s is specified", what));
}

/* The three amounts in one unit; an absent amount is 0. */
struct limit_values {
    int64_t request;
    int64_t limit;
    int64_t enforced;
};

enum { LIMIT_THOUSANDTH = 1000000 }; /* in billionths */

/* In whole units, or if `fine` in thousandths. */
static int64_t
limit_round_up(const struct quantity *quantity, bool fine)
{
    if (!quantity)
        return 0;
    if (!fine)
        return quantity_round_up(quantity);
    /* `fine` bounds amounts above 0 alone */
    return integer_multiply_capped(quantity->units, 1000) +
           (quantity->nanos + LIMIT_THOUSANDTH - 1) / LIMIT_THOUSANDTH;
}

/* requestLimitEnforcedValues: in thousandths if all three fit into 64 bits, else in whole units. */
static struct limit_values
limit_observe(const struct limit_subject *subject, const struct resource *enforced)
{
    const int64_t most = INT64_MAX / 1000;
    const struct quantity *request = resource_list_get(subject->requests, enforced->name);
    const struct quantity *limit = resource_list_get(subject->limits, enforced->name);
    const bool fine = limit_round_up(request, false) <= most &&
                      limit_round_up(limit, false) <= most &&
                      limit_round_up(&enforced->quantity, false) <= most;

    return (struct limit_values){
        limit_round_up(request, fine),
        limit_round_up(limit, fine),
        limit_round_up(&enforced->quantity, fine),
    };
}

static void
limit_check_minimum(const struct limit_subject *subject, const struct resource *minimum)
{
    const struct quantity *request = resource_list_get(subject->requests, minimum->name);
    const struct quantity *limit = resource_list_get(subject->limits, minimum->name);
    const struct limit_values values = limit_observe(subject, minimum);

    if (!request || values.request < values.enforced)
        limit_find_bound(subject, "minimum ", minimum, "request", request);
    else if (limit && values.limit < values.enforced)
        limit_find_bound(subject, "minimum ", minimum, "limit", limit);
}

static void
limit_check_maximum(const struct limit_subject *subject, const struct resource *maximum)
{
    const struct quantity *request = resource_list_get(subject->requests, maximum->name);
    const struct quantity *limit = resource_list_get(subject->limits, maximum->name);
    const struct limit_values values = limit_observe(subject, maximum);

    if (!limit || values.limit > values.enforced)
        limit_find_bound(subject, "maximum ", maximum, "limit", limit);
    else if (request && values.request > values.enforced)
        limit_find_bound(subject, "maximum ", maximum, "request", request);
}

/*
 * Returns the next digit of `rest` / `divisor` after the decimal point, and keeps what is left.
 * 10 * rest can be more than 64 bits hold.
 */
static unsigned
limit_divide(uint64_t *rest, uint64_t divisor)
{
    const uint64_t step = *rest;
    unsigned digit = 0;

    for (int i = 1; i < 10; i++) {
        *rest += step;
        if (*rest >= divisor) {
            *rest -= divisor;
            digit++;
        }
    }
    return digit;
}

/* limit / request, cut after some digits behind the decimal point; `rest` is what the cut leaves.
 */
struct limit_ratio {
    int64_t whole;
    uint32_t fraction;
    uint64_t rest;
};

static struct limit_ratio
limit_ratio_of(const struct limit_values *values, int digits)
{
    struct limit_ratio ratio = {
        .whole = values->limit / values->request,
        .rest = (uint64_t)(values->limit % values->request),
    };

    for (; digits > 0; digits--)
        ratio.fraction = ratio.fraction * 10 + limit_divide(&ratio.rest, (uint64_t)values->request);
    return ratio;
}

/* As Go's %f prints: six digits, rounded to the nearest. */
static const char *
limit_print_ratio(const struct limit_values *values, struct arena *arena)
{
    enum { DIGITS = 6, MILLION = 1000000 };
    struct limit_ratio ratio = limit_ratio_of(values, DIGITS);
    char fraction[DIGITS + 1] = {0};

    ratio.fraction += ratio.rest >= (uint64_t)values->request - ratio.rest;
    ratio.whole += ratio.fraction == MILLION;
    for (size_t i = DIGITS; i-- > 0; ratio.fraction /= 10)
        fraction[i] = (char)('0' + ratio.fraction % 10);
    return arena_format(arena, ", but provided ratio is %lld.%s", (long long)ratio.whole, fraction);
}

/* Both are rounded up to thousandths. */
static bool
limit_ratio_is_above(const struct limit_values *values, const struct quantity *most)
{
    const struct limit_ratio ratio = limit_ratio_of(values, 3);
    const uint32_t provided = ratio.fraction + (ratio.rest > 0);
    const uint32_t allowed = (most->nanos + LIMIT_THOUSANDTH - 1) / LIMIT_THOUSANDTH;
    const int64_t left = ratio.whole + provided / 1000;
    const int64_t right = most->units + allowed / 1000;

    return left > right || (left == right && provided % 1000 > allowed % 1000);
}

static void
limit_check_subject(const struct limit_subject *subject)
{
    for (size_t i = 0; i < subject->limit->minimum.count; i++)
        limit_check_minimum(subject, &subject->limit->minimum.items[i]);
    for (size_t i = 0; i < subject->limit->maximum.count; i++)
        limit_check_maximum(subject, &subject->limit->maximum.items[i]);
    for (size_t i = 0; i < subject->limit->ratio.count; i++) {
        const struct resource *ratio = &subject->limit->ratio.items[i];
        const struct limit_values values = limit_observe(subject, ratio);
        const char *problem = NULL;

        if (values.request <= 0)
            problem = ", but no request is specified or request is 0";
        else if (values.limit <= 0)
            problem = ", but no limit is specified or limit is 0";
        else if (limit_ratio_is_above(&values, &ratio->quantity))
            problem = limit_print_ratio(&values, subject->report->arena);
        if (problem)
            limit_find(subject, "", ratio, " max limit to request ratio", problem);
    }
}

/*
 * In this check, unlike elsewhere, pod-level resources replace those of the containers only for
 * these two resources.
 */
static void
limit_take_pod_level(struct resource_list *sum, const struct resource_list *pod_level,
                     struct arena *arena)
{
    for (size_t i = 0; i < pod_level->count; i++) {
        const struct resource *resource = &pod_level->items[i];

        if (slice_equal(resource->name, SLICE("cpu")) ||
            slice_equal(resource->name, SLICE("memory")))
            resource_list_set(sum, arena, resource->name, resource->quantity);
    }
}

static void
limit_check_pod(struct limit_subject subject, const struct pod_resources *pod, struct arena *arena)
{
    struct pod_resources limited = *pod;
    struct resource_list requests;
    struct resource_list limits;

    limited.containers = pod_containers_copy(pod, arena);
    if (!limited.containers)
        return;
    for (size_t i = 0; i < limited.num_containers; i++)
        limited.containers[i].requests = limited.containers[i].limits;
    if (!pod_defaults_sum_containers(pod, arena, &requests) ||
        !pod_defaults_sum_containers(&limited, arena, &limits))
        return; /* the code that sums the requests reports the overflow */
    limit_take_pod_level(&requests, &pod->pod_requests, arena);
    limit_take_pod_level(&limits, &pod->pod_limits, arena);
    subject.requests = &requests;
    subject.limits = &limits;
    limit_check_subject(&subject);
}

void
limit_check(const struct limit_range *range, const struct pod_resources *pod,
            const struct node *pod_spec, struct report *report)
{
    for (size_t i = 0; i < range->num_limits; i++) {
        struct limit_subject subject = {
            .range = range, .limit = &range->limits[i], .source = pod_spec, .report = report};

        for (size_t k = 0; subject.limit->type == LIMIT_OF_CONTAINER && k < pod->num_containers;
             k++) {
            subject.requests = &pod->containers[k].requests;
            subject.limits = &pod->containers[k].limits;
            subject.source = pod->containers[k].source;
            limit_check_subject(&subject);
        }
        if (subject.limit->type == LIMIT_OF_POD)
            limit_check_pod(subject, pod, report->arena);
    }
}
