/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/fit/fit.h"

/*
 * Which nodes may take a pod, and how many of them. This is a relaxation of the filters of
 * Kubernetes' scheduler: what is left out can only take room away, so that there is no room is a
 * proof, and that there is some is none. Source of the filters:
 * kubernetes/kubernetes:pkg/scheduler/framework/plugins/{noderesources,tainttoleration,nodeaffinity,
 * nodeunschedulable,nodeports,interpodaffinity}@v1.36.3
 */

/* ---- which nodes may take a pod ---- */

/* Gt and Lt compare integers, and a label that is none is not in their range. */
static bool
fit_is_in_range(const struct node *label, const struct node *values, bool is_above)
{
    int64_t bound;
    int64_t value;

    if (!integer_parse_signed(node_string(node_first(values)), &bound))
        return true;
    return label && integer_parse_signed(node_string(label), &value) &&
           (is_above ? value > bound : value < bound);
}

/* An expression that cannot be read matches: that only adds room. */
static bool
fit_expression_matches(const struct node *expression, const struct node *labels)
{
    const struct slice operator_ = node_string(node_member(expression, SLICE("operator")));
    const struct node *values = node_member(expression, SLICE("values"));
    const struct node *label =
        node_member(labels, node_string(node_member(expression, SLICE("key"))));

    if (slice_equal(operator_, SLICE("In")))
        return label && node_has_string(values, node_string(label));
    if (slice_equal(operator_, SLICE("NotIn")))
        return !label || !node_has_string(values, node_string(label));
    if (slice_equal(operator_, SLICE("Exists")))
        return label != NULL;
    if (slice_equal(operator_, SLICE("DoesNotExist")))
        return label == NULL;
    if (slice_equal(operator_, SLICE("Gt")) || slice_equal(operator_, SLICE("Lt")))
        return fit_is_in_range(label, values, operator_.data[0] == 'G');
    return true;
}

static bool
fit_term_matches(const struct node *term, const struct fit_node *node)
{
    const struct node *expressions = node_member(term, SLICE("matchExpressions"));
    const struct node *fields = node_member(term, SLICE("matchFields"));

    for (NODE_EACH(expression, expressions))
        if (!fit_expression_matches(expression, node->labels))
            return false;
    for (NODE_EACH(field, fields))
        if (slice_equal(node_string(node_member(field, SLICE("operator"))), SLICE("In")) &&
            !node_has_string(node_member(field, SLICE("values")), node->name))
            return false;
    return node_count(expressions) || node_count(fields);
}

static bool
fit_selector_matches(const struct node *spec, const struct fit_node *node)
{
    const struct node *affinity =
        node_at(spec, "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution");
    const struct node *terms = node_member(affinity, SLICE("nodeSelectorTerms"));

    for (NODE_EACH(label, node_member(spec, SLICE("nodeSelector")))) {
        const struct node *own = node_member(node->labels, node_key(label));

        if (!own || !slice_equal(node_string(own), node_string(label)))
            return false;
    }
    for (NODE_EACH(term, terms))
        if (fit_term_matches(term, node))
            return true;
    return !affinity;
}

/* An operator that is not known tolerates. */
static bool
fit_tolerates(const struct node *spec, struct slice taint_key, struct slice value,
              struct slice effect)
{
    for (NODE_EACH(toleration, node_member(spec, SLICE("tolerations")))) {
        const struct slice key = node_string(node_member(toleration, SLICE("key")));
        const struct slice operator_ = node_string(node_member(toleration, SLICE("operator")));
        const struct slice of = node_string(node_member(toleration, SLICE("effect")));
        const bool is_equal = !operator_.len || slice_equal(operator_, SLICE("Equal"));

        if ((of.len && !slice_equal(of, effect)) || (key.len && !slice_equal(key, taint_key)))
            continue;
        if (!is_equal || slice_equal(node_string(node_member(toleration, SLICE("value"))), value))
            return true;
    }
    return false;
}

/* States that pass: of a node that is not ready, that an autoscaler adds or removes. */
static bool
fit_passes(struct slice taint)
{
    static const struct slice starts[] = {
        SLICE_INIT("node.kubernetes.io/"), SLICE_INIT("node.cloudprovider.kubernetes.io/"),
        SLICE_INIT("ToBeDeletedByClusterAutoscaler"),
        SLICE_INIT("DeletionCandidateOfClusterAutoscaler"), SLICE_INIT("karpenter.sh/")};

    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (slice_has_prefix(taint, starts[i]))
            return true;
    return false;
}

/* Whether a taint keeps pods away that do not tolerate it. */
static bool
fit_repels(const struct node *spec, const struct node *taint)
{
    const struct slice effect = node_string(node_member(taint, SLICE("effect")));

    return (slice_equal(effect, SLICE("NoSchedule")) || slice_equal(effect, SLICE("NoExecute"))) &&
           !fit_tolerates(spec, node_string(node_member(taint, SLICE("key"))),
                          node_string(node_member(taint, SLICE("value"))), effect);
}

static enum fit_eligibility
fit_eligibility_of(const struct fit_type *type, const struct fit_node *node)
{
    enum fit_eligibility result = FIT_ELIGIBLE;

    if (!fit_selector_matches(type->spec, node))
        return FIT_OTHER_LABELS;
    for (NODE_EACH(taint, node->taints)) {
        if (!fit_repels(type->spec, taint))
            continue;
        if (!fit_passes(node_string(node_member(taint, SLICE("key")))))
            return FIT_TAINTED;
        result = FIT_LATER;
    }
    if (node->is_cordoned && !fit_tolerates(type->spec, SLICE("node.kubernetes.io/unschedulable"),
                                            NO_SLICE, SLICE("NoSchedule")))
        result = FIT_LATER;
    return result;
}

/* ---- what a node has ---- */

int64_t
fit_count_of(const struct quantity *amount, struct slice resource)
{
    return slice_equal(resource, SLICE("cpu"))
               ? integer_add_capped(integer_multiply_capped(amount->units, 1000),
                                    amount->nanos / 1000000)
               : amount->units;
}

/* Absent counts as 0, FIT_UNKNOWN if the node has no list. A rest is rounded up, as it is there. */
static int64_t
fit_amount_of(const struct node *allocatable, struct slice resource)
{
    const struct node *value = node_member(allocatable, resource);
    struct quantity amount;
    bool has_rest;

    if (!allocatable || (value && quantity_parse(node_text(value), &amount) > QUANTITY_CAPPED))
        return FIT_UNKNOWN;
    if (!value || !quantity_is_positive(&amount))
        return 0;
    has_rest = amount.nanos % (slice_equal(resource, SLICE("cpu")) ? 1000000 : 1000000000) != 0;
    return integer_add_capped(fit_count_of(&amount, resource), has_rest);
}

bool
fit_is_extended(struct slice resource)
{
    return slice_find(resource, '/') < resource.len &&
           !slice_has_prefix(resource, SLICE("kubernetes.io/"));
}

/* Whether the text has `words` and the name of the resource behind them. */
static bool
fit_names_lack(struct slice text, struct slice words, struct slice resource)
{
    while (text_find(text, words, &text))
        if (slice_has_prefix(text, resource))
            return true;
    return false;
}

/*
 * A scheduler that says so does not look for the resource elsewhere. The last two are KAI's:
 * kai-scheduler/KAI-Scheduler:pkg/scheduler/k8s_internal/predicates/maxNodeResources.go,
 * pkg/scheduler/api/common_info/pod_errors.go@v0.12.0
 */
bool
fit_is_said_to_lack(const struct fit_type *type, struct slice resource)
{
    static const struct slice words[] = {SLICE_INIT("Insufficient "), SLICE_INIT("node-pool has "),
                                         SLICE_INIT("enough resources: ")};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (fit_names_lack(type->lacking, words[i], resource))
            return true;
    return false;
}

/*
 * Whether a DeviceClass can stand for an extended resource that a node does not have (KEP-5004). A
 * resource that no node has may be one that the scheduler ignores.
 */
static bool
fit_may_be_device(const struct fit *fit, const struct fit_type *type, size_t resource)
{
    const struct slice name = fit->resources[resource];

    if (fit->knows_device_classes && fit->is_offered[resource])
        return slice_has_prefix(name, SLICE("deviceclass.resource.kubernetes.io/")) ||
               node_member(fit->device_resources, name);
    return !fit_is_said_to_lack(type, name);
}

/* Resources that schedulers count in their own way. */
static bool
fit_is_counted_elsewhere(struct slice resource)
{
    static const struct slice starts[] = {SLICE_INIT("volcano.sh/"), SLICE_INIT("koordinator.sh/"),
                                          SLICE_INIT("kubernetes.io/batch-")};

    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (slice_has_prefix(resource, starts[i]))
            return true;
    return false;
}

bool
fit_is_unbounded(const struct fit *fit, const struct fit_type *type, const struct fit_node *node,
                 size_t resource)
{
    const struct slice name = fit->resources[resource];

    if (node->has[resource] == FIT_UNKNOWN || node->is_virtual || fit_is_counted_elsewhere(name))
        return true;
    if (fit_is_extended(name))
        return node->has[resource] == 0 && fit_may_be_device(fit, type, resource);
    return node->is_oversubscribed;
}

int64_t
fit_free(const struct fit_node *node, size_t resource, enum fit_moment moment)
{
    return node->has[resource] - (moment == FIT_EVER ? 0 : node->used[moment][resource]);
}

static int64_t
fit_slots(const struct fit_node *node, enum fit_moment moment)
{
    if (node->slots == FIT_MANY)
        return FIT_MANY;
    return node->slots - (moment == FIT_EVER ? 0 : node->pods[moment]);
}

bool
fit_may_take(const struct fit_type *type, size_t node, enum fit_moment moment)
{
    const unsigned char state = type->eligible[node];

    return state == FIT_ELIGIBLE || (moment == FIT_EVER && state == FIT_LATER);
}

static int64_t
fit_capacity(const struct fit *fit, const struct fit_type *type, size_t at, enum fit_moment moment)
{
    const struct fit_node *node = &fit->nodes[at];
    int64_t room = fit_slots(node, moment);

    if (!fit_may_take(type, at, moment))
        return 0;
    if ((type->has_host_port || (type->is_apart && node->has_hostname)) && room > 1)
        room = 1;
    for (size_t i = 0; i < fit->num_resources; i++) {
        const int64_t need = type->needs[i];
        const int64_t free = fit_free(node, i, moment);

        if (need <= 0 || fit_is_unbounded(fit, type, node, i))
            continue;
        if (free < need)
            return 0;
        if (free / need < room)
            room = free / need;
    }
    if (room == FIT_MANY)
        return type->count;
    return room > 0 ? room : 0;
}

/* Of those that wait, as many as the node takes. */
static int64_t
fit_share(const struct fit_type *type, size_t at, enum fit_moment moment)
{
    return type->capacity[moment][at] < type->count ? type->capacity[moment][at] : type->count;
}

void
fit_read_capacities(struct fit *fit)
{
    for (size_t i = 0; i < fit->num_types; i++)
        for (enum fit_moment moment = FIT_NOW; moment <= FIT_EVER; moment++) {
            int64_t *capacity = arena_array(fit->arena, fit->num_nodes + 1, sizeof(*capacity));

            fit->types[i].capacity[moment] = capacity;
            for (size_t k = 0; capacity && k < fit->num_nodes; k++)
                capacity[k] = fit_capacity(fit, &fit->types[i], k, moment);
        }
}

/* The least of a resource that any of the types asks for on the node; 0: it is no bound. */
static int64_t
fit_least_need(const struct fit *fit, unsigned types, size_t at, size_t resource,
               enum fit_moment moment)
{
    int64_t least = 0;

    for (size_t i = 0; i < fit->num_types; i++) {
        const struct fit_type *type = &fit->types[i];

        if (!(types & 1U << i) || !fit_may_take(type, at, moment))
            continue;
        if (type->needs[resource] <= 0 || fit_is_unbounded(fit, type, &fit->nodes[at], resource))
            return 0;
        if (!least || type->needs[resource] < least)
            least = type->needs[resource];
    }
    return least;
}

int64_t
fit_capacity_of_any(const struct fit *fit, unsigned types, size_t at, enum fit_moment moment)
{
    int64_t room = 0;
    const int64_t slots = fit_slots(&fit->nodes[at], moment);

    for (size_t i = 0; i < fit->num_types; i++)
        if (types == 1U << i)
            return fit->types[i].capacity[moment][at];
        else if (types & 1U << i)
            room = integer_add_capped(room, fit_share(&fit->types[i], at, moment));
    if (slots < room)
        room = slots > 0 ? slots : 0;
    for (size_t i = 0; i < fit->num_resources && room; i++) {
        const int64_t least = fit_least_need(fit, types, at, i, moment);

        if (least && fit_free(&fit->nodes[at], i, moment) / least < room)
            room = fit_free(&fit->nodes[at], i, moment) / least;
    }
    return room > 0 ? room : 0;
}

/* The most of a resource that the types can use on the node. */
int64_t
fit_usable(const struct fit *fit, unsigned types, size_t at, size_t resource,
           enum fit_moment moment)
{
    const int64_t free = fit_free(&fit->nodes[at], resource, moment);
    int64_t usable = 0;
    bool is_bounded = true;

    for (size_t i = 0; i < fit->num_types; i++) {
        const struct fit_type *type = &fit->types[i];

        if (!(types & 1U << i) || !fit_may_take(type, at, moment))
            continue;
        is_bounded &=
            type->needs[resource] <= 0 || !fit_is_unbounded(fit, type, &fit->nodes[at], resource);
        usable = integer_add_capped(
            usable, integer_multiply_capped(type->needs[resource], fit_share(type, at, moment)));
    }
    return is_bounded && free < usable ? (free > 0 ? free : 0) : usable;
}

/* How many pods of the second type fit beside some of the first. */
int64_t
fit_capacity_beside(const struct fit *fit, int64_t first, size_t at, enum fit_moment moment)
{
    const struct fit_type *types = fit->types;
    int64_t room = types[1].capacity[moment][at];

    if (fit_slots(&fit->nodes[at], moment) - first < room)
        room = fit_slots(&fit->nodes[at], moment) - first;
    for (size_t i = 0; i < fit->num_resources && room > 0; i++) {
        int64_t free = fit_free(&fit->nodes[at], i, moment);

        if (types[1].needs[i] <= 0 || fit_is_unbounded(fit, &types[1], &fit->nodes[at], i))
            continue;
        free = integer_add_capped(free, integer_multiply_capped(-types[0].needs[i], first));
        if (free < integer_multiply_capped(types[1].needs[i], room))
            room = free > 0 ? free / types[1].needs[i] : 0;
    }
    return room > 0 ? room : 0;
}

/* ---- what a pod asks for ---- */

bool
fit_requests_of(const struct node *spec, struct arena *arena, const struct limits *limits,
                struct resource_list *requests)
{
    struct report unused;
    struct pod_resources resources;

    report_init(&unused, arena, limits);
    resources = pod_resources_read(spec, &unused);
    return !report_has_errors(&unused) &&
           pod_requests_sum(&resources, POD_REQUESTS_EFFECTIVE, arena, requests);
}

bool
fit_is_apart(const struct node *metadata, const struct node *spec)
{
    static const struct slice plain[] = {SLICE_INIT("topologyKey"), SLICE_INIT("labelSelector")};
    const struct node *labels = node_member(metadata, SLICE("labels"));

    for (NODE_EACH(term, node_at(spec, "affinity.podAntiAffinity."
                                       "requiredDuringSchedulingIgnoredDuringExecution"))) {
        const struct node *selector = node_member(term, SLICE("labelSelector"));
        const struct node *wanted = node_member(selector, SLICE("matchLabels"));
        bool matches =
            node_count(wanted) && node_count(selector) == 1 &&
            node_count(term) == COUNT_OF(plain) &&
            slice_equal(node_string(node_member(term, plain[0])), SLICE("kubernetes.io/hostname"));

        for (NODE_EACH(label, wanted))
            matches &=
                slice_equal(node_string(node_member(labels, node_key(label))), node_string(label));
        if (matches)
            return true;
    }
    return false;
}

void
fit_read_pod(struct fit_type *type)
{
    for (NODE_EACH(container, node_member(type->spec, SLICE("containers"))))
        for (NODE_EACH(port, node_member(container, SLICE("ports"))))
            type->has_host_port |= node_member(port, SLICE("hostPort")) != NULL;
    type->is_apart = fit_is_apart(type->metadata, type->spec);
}

/* ---- what a node offers, and what is used of it ---- */

void
fit_add_node(struct fit *fit, const struct fit_node *from)
{
    struct fit_node *node = &fit->nodes[fit->num_nodes++];
    const int64_t slots = fit_amount_of(from->allocatable, SLICE("pods"));

    *node = *from;
    node->has = arena_array(fit->arena, 3 * fit->num_resources + 1, sizeof(*node->has));
    if (!node->has)
        return;
    for (size_t i = 0; i < fit->num_resources; i++) {
        node->has[i] = fit_amount_of(from->allocatable, fit->resources[i]);
        fit->is_offered[i] |= node->has[i] > 0;
    }
    node->used[FIT_NOW] = node->has + fit->num_resources;
    node->used[FIT_BY_PREEMPTION] = node->has + 2 * fit->num_resources;
    node->slots = slots > 0 && slots < FIT_MANY ? slots : FIT_MANY;
    node->has_hostname = node_member(from->labels, SLICE("kubernetes.io/hostname"));
    node->is_virtual = slice_equal(node_string(node_member(from->labels, SLICE("type"))),
                                   SLICE("virtual-kubelet"));
    node->is_oversubscribed =
        node_member(from->labels, SLICE("volcano.sh/oversubscription")) ||
        node_member(from->annotations, SLICE("node.koordinator.sh/resource-amplification-ratio"));
}

void
fit_use(const struct fit *fit, struct fit_node *node, bool is_kept, int64_t pods,
        const struct resource_list *requests)
{
    node->pods[FIT_NOW] += pods;
    node->pods[FIT_BY_PREEMPTION] += is_kept ? pods : 0;
    for (size_t i = 0; i < fit->num_resources; i++) {
        const struct quantity *use = resource_list_get(requests, fit->resources[i]);
        const int64_t more = use ? fit_count_of(use, fit->resources[i]) : 0;

        node->used[FIT_NOW][i] = integer_add_capped(node->used[FIT_NOW][i], more);
        if (is_kept)
            node->used[FIT_BY_PREEMPTION][i] =
                integer_add_capped(node->used[FIT_BY_PREEMPTION][i], more);
    }
}

void
fit_read_eligible(struct fit *fit)
{
    for (size_t i = 0; i < fit->num_types; i++) {
        struct fit_type *type = &fit->types[i];

        type->eligible = arena_alloc(fit->arena, fit->num_nodes + 1);
        for (size_t k = 0; type->eligible && k < fit->num_nodes; k++) {
            type->eligible[k] = (unsigned char)fit_eligibility_of(type, &fit->nodes[k]);
            type->by[type->eligible[k]]++;
        }
    }
}
