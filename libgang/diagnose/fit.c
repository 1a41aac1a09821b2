/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

#include <gang/gang-names.h>

/*
 * Room is judged with a relaxation of the filters of Kubernetes' scheduler: what is left out can
 * only add room, so a negative answer is sound, and a positive one is none. Source of the filters:
 * kubernetes/kubernetes:pkg/scheduler/framework/plugins/{noderesources,tainttoleration,nodeaffinity,
 * nodeunschedulable,nodeports}@v1.36.3
 */

/* A node with what is left of it now; `never` is what it has when it is empty. */
struct fit_node {
    const struct live_object *object;
    const struct node *allocatable;
    quantity_nano *used; /* by the resources of the type; in its order */
    int64_t pods;        /* on it */
};

/* The waiting members have one form: that of `pod`. */
struct fit_type {
    const struct live_object *pod;
    struct resource_list requests;
    int64_t needed;
    bool is_one_per_node; /* it has a host port */
    struct slice lacking; /* what the scheduler said of the pod */
};

struct fit {
    struct diagnosis *why;
    struct fit_type type;
    struct fit_node *nodes;
    size_t num_nodes;
    int64_t eligible_ever;
    int64_t eligible_now;
    int64_t room_ever; /* pods of the type on all nodes together */
    int64_t room_now;
    int64_t most_now; /* on one node */
    int64_t by_cordon;
    int64_t by_taint;
    int64_t by_selector;
};

/* ---- which nodes may take the pod ---- */

static bool
fit_list_has(const struct node *values, struct slice value)
{
    for (NODE_EACH(one, values))
        if (slice_equal(node_string(one), value))
            return true;
    return false;
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
        return label && fit_list_has(values, node_string(label));
    if (slice_equal(operator_, SLICE("NotIn")))
        return !label || !fit_list_has(values, node_string(label));
    if (slice_equal(operator_, SLICE("Exists")))
        return label != NULL;
    if (slice_equal(operator_, SLICE("DoesNotExist")))
        return label == NULL;
    return true;
}

static bool
fit_term_matches(const struct node *term, const struct live_object *node)
{
    const struct node *labels = node_member(node->metadata, SLICE("labels"));
    const struct node *expressions = node_member(term, SLICE("matchExpressions"));
    const struct node *fields = node_member(term, SLICE("matchFields"));

    for (NODE_EACH(expression, expressions))
        if (!fit_expression_matches(expression, labels))
            return false;
    for (NODE_EACH(field, fields))
        if (slice_equal(node_string(node_member(field, SLICE("operator"))), SLICE("In")) &&
            !fit_list_has(node_member(field, SLICE("values")), node->name))
            return false;
    return node_count(expressions) || node_count(fields);
}

static bool
fit_selector_matches(const struct live_object *pod, const struct live_object *node)
{
    const struct node *labels = node_member(node->metadata, SLICE("labels"));
    const struct node *affinity = node_at(
        pod->root, "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution");
    const struct node *terms = node_member(affinity, SLICE("nodeSelectorTerms"));

    for (NODE_EACH(label, node_at(pod->root, "spec.nodeSelector")))
        if (!slice_equal(node_string(node_member(labels, node_key(label))), node_string(label)))
            return false;
    for (NODE_EACH(term, terms))
        if (fit_term_matches(term, node))
            return true;
    return !affinity;
}

/* An operator that is not known tolerates. */
static bool
fit_tolerates(const struct live_object *pod, const struct node *taint)
{
    const struct slice effect = node_string(node_member(taint, SLICE("effect")));

    for (NODE_EACH(toleration, node_at(pod->root, "spec.tolerations"))) {
        const struct slice key = node_string(node_member(toleration, SLICE("key")));
        const struct slice operator_ = node_string(node_member(toleration, SLICE("operator")));
        const struct slice of = node_string(node_member(toleration, SLICE("effect")));
        const bool is_equal = !operator_.len || slice_equal(operator_, SLICE("Equal"));

        if ((of.len && !slice_equal(of, effect)) ||
            (key.len && !slice_equal(key, node_string(node_member(taint, SLICE("key"))))))
            continue;
        if (!is_equal || slice_equal(node_string(node_member(toleration, SLICE("value"))),
                                     node_string(node_member(taint, SLICE("value")))))
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

enum fit_eligibility { FITS_NEVER, FITS_LATER, FITS_NOW };

static enum fit_eligibility
fit_eligibility_of(struct fit *fit, const struct live_object *node)
{
    enum fit_eligibility result = FITS_NOW;

    if (!fit_selector_matches(fit->type.pod, node)) {
        fit->by_selector++;
        return FITS_NEVER;
    }
    for (NODE_EACH(taint, node_at(node->root, "spec.taints"))) {
        if (slice_equal(node_string(node_member(taint, SLICE("effect"))),
                        SLICE("PreferNoSchedule")) ||
            fit_tolerates(fit->type.pod, taint))
            continue;
        if (!fit_passes(node_string(node_member(taint, SLICE("key"))))) {
            fit->by_taint++;
            return FITS_NEVER;
        }
        result = FITS_LATER;
    }
    if (node_is_true(node_at(node->root, "spec.unschedulable")))
        result = FITS_LATER;
    fit->by_cordon += result == FITS_LATER;
    return result;
}

/* ---- how many pods a node takes ---- */

/* Absent counts as 0. */
static quantity_nano
fit_allocatable(const struct fit_node *node, struct slice resource)
{
    struct quantity amount = {0};
    const struct node *value = node_member(node->allocatable, resource);

    if (!value || quantity_parse(node_text(value), &amount) > QUANTITY_CAPPED)
        return 0;
    return amount.nano;
}

static bool
fit_is_extended(struct slice resource)
{
    for (size_t i = 0; i < resource.len; i++)
        if (resource.data[i] == '/')
            return !slice_has_prefix(resource, SLICE("kubernetes.io/"));
    return false;
}

/* A scheduler that says so does not look for the resource elsewhere. */
static bool
fit_is_said_to_lack(const struct fit *fit, struct slice resource)
{
    static const struct slice words = SLICE_INIT("Insufficient ");
    const struct slice text = fit->type.lacking;

    for (size_t i = 0; i + words.len + resource.len <= text.len; i++) {
        const struct slice rest = {text.data + i, text.len - i};

        if (slice_has_prefix(rest, words) &&
            slice_has_prefix((struct slice){rest.data + words.len, rest.len - words.len}, resource))
            return true;
    }
    return false;
}

/* The message of the condition PodScheduled. */
static struct slice
fit_words_of(const struct live_object *pod)
{
    for (NODE_EACH(condition, node_at(pod->root, "status.conditions")))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), SLICE("PodScheduled")))
            return node_string(node_member(condition, SLICE("message")));
    return NO_SLICE;
}

/*
 * Whether the scheduler may find the resource elsewhere: a DeviceClass can stand for an extended
 * resource that the node does not have (KEP-5004), and some schedulers add to what nodes offer.
 */
static bool
fit_is_unbounded_on(const struct fit *fit, const struct fit_node *node,
                    const struct resource *request)
{
    const struct node *labels = node_member(node->object->metadata, SLICE("labels"));

    if (fit_is_extended(request->name))
        return fit_allocatable(node, request->name) == 0 &&
               !fit_is_said_to_lack(fit, request->name);
    return node_member(labels, SLICE("volcano.sh/oversubscription")) ||
           node_member(node_member(node->object->metadata, SLICE("annotations")),
                       SLICE("node.koordinator.sh/resource-amplification-ratio"));
}

enum { FIT_MANY = 1000000 };

/* `is_empty`: without the pods that are on it. */
static int64_t
fit_room(const struct fit *fit, const struct fit_node *node, bool is_empty)
{
    const struct resource_list *requests = &fit->type.requests;
    const quantity_nano slots =
        fit_allocatable(node, SLICE("pods")) / (quantity_nano)QUANTITY_NANOS_PER_UNIT;
    int64_t room = fit->type.is_one_per_node ? 1 : FIT_MANY;

    if (slots > 0 && slots < FIT_MANY) {
        const int64_t left = (int64_t)slots - (is_empty ? 0 : node->pods);

        room = left < room ? left : room;
    }
    for (size_t i = 0; i < requests->count; i++) {
        const quantity_nano need = requests->items[i].quantity.nano;
        const quantity_nano free =
            fit_allocatable(node, requests->items[i].name) - (is_empty ? 0 : node->used[i]);

        if (need <= 0 || fit_is_unbounded_on(fit, node, &requests->items[i]))
            continue;
        if (free < need)
            return 0;
        if (free / need < room)
            room = (int64_t)(free / need);
    }
    return room > 0 ? room : 0;
}

/* ---- input ---- */

static bool
fit_requests_of(const struct diagnosis *why, const struct live_object *pod,
                struct resource_list *requests)
{
    struct report unused;
    struct pod_resources resources;

    report_init(&unused, why->arena, why->limits);
    resources = pod_resources_read(node_member(pod->root, SLICE("spec")), why->arena, &unused);
    return !report_has_errors(&unused) &&
           pod_requests_sum(&resources, POD_REQUESTS_EFFECTIVE, why->arena, requests);
}

static bool
fit_has_host_port(const struct live_object *pod)
{
    for (NODE_EACH(container, node_at(pod->root, "spec.containers")))
        for (NODE_EACH(port, node_member(container, SLICE("ports"))))
            if (node_member(port, SLICE("hostPort")))
                return true;
    return false;
}

/* Members of several forms would need a bound of their own. */
static bool
fit_read_type(struct fit *fit)
{
    struct diagnosis *why = fit->why;
    size_t role = ROLE_NONE;

    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];

        if (pod->state != POD_PENDING || (why->group.scheduler && !pod->is_member))
            continue;
        if (fit->type.pod && pod->role != role)
            return false;
        if (!fit->type.pod)
            fit->type.pod = pod->object;
        if (fit_words_of(pod->object).len > fit->type.lacking.len)
            fit->type.lacking = fit_words_of(pod->object);
        role = pod->role;
        fit->type.needed++;
    }
    if (why->group.scheduler && why->group.minimum > why->group.bound &&
        why->group.minimum - why->group.bound < fit->type.needed)
        fit->type.needed = why->group.minimum - why->group.bound;
    if (!fit->type.pod || node_count(node_at(fit->type.pod->root, "spec.resourceClaims")) ||
        node_at(fit->type.pod->root, "metadata.annotations.gpu-fraction") ||
        node_at(fit->type.pod->root, "metadata.annotations.gpu-memory"))
        return false;
    fit->type.is_one_per_node = fit_has_host_port(fit->type.pod);
    return fit_requests_of(why, fit->type.pod, &fit->type.requests);
}

static void
fit_read_nodes(struct fit *fit)
{
    const struct live_objects *live = fit->why->live;

    fit->nodes = arena_array(fit->why->arena, live->count + 1, sizeof(*fit->nodes));
    for (size_t i = 0; fit->nodes && i < live->count; i++) {
        const struct live_object *object = &live->items[i];

        if (object->group.len || !slice_equal(object->kind, SLICE("Node")))
            continue;
        fit->nodes[fit->num_nodes++] = (struct fit_node){
            .object = object,
            .allocatable = node_at(object->root, "status.allocatable"),
            .used =
                arena_array(fit->why->arena, fit->type.requests.count + 1, sizeof(quantity_nano)),
        };
    }
    fit->why->has_nodes = fit->num_nodes > 0;
}

static int
fit_compare_nodes(const void *left, const void *right, const void *context)
{
    const struct fit_node *a = left;
    const struct fit_node *b = right;

    (void)context;
    return slice_compare(a->object->name, b->object->name);
}

static struct fit_node *
fit_find_node(const void *const *sorted, size_t count, struct slice name)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (slice_compare(((const struct fit_node *)sorted[middle])->object->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && slice_equal(((const struct fit_node *)sorted[low])->object->name, name)
               ? (struct fit_node *)(uintptr_t)sorted[low]
               : NULL;
}

static void
fit_add_use(const struct fit *fit, struct fit_node *node, const struct live_object *pod)
{
    struct resource_list requests;

    node->pods++;
    if (!fit_requests_of(fit->why, pod, &requests))
        return;
    for (size_t i = 0; i < fit->type.requests.count; i++)
        for (size_t k = 0; k < requests.count; k++)
            if (slice_equal(requests.items[k].name, fit->type.requests.items[i].name))
                node->used[i] += requests.items[k].quantity.nano;
}

/* Pods of other namespaces may be missing: that only adds room. Terminating pods give theirs back.
 */
static void
fit_read_use(struct fit *fit)
{
    const struct live_objects *live = fit->why->live;
    const void **sorted = arena_array(fit->why->arena, fit->num_nodes + 1, sizeof(*sorted));
    const void **scratch = arena_array(fit->why->arena, fit->num_nodes + 1, sizeof(*scratch));

    if (!sorted || !scratch)
        return;
    for (size_t i = 0; i < fit->num_nodes; i++)
        sorted[i] = &fit->nodes[i];
    stable_sort(sorted, scratch, fit->num_nodes, fit_compare_nodes, NULL);
    for (size_t i = 0; i < live->count; i++) {
        const struct live_object *pod = &live->items[i];
        const struct slice phase = why_text_at(pod, "status.phase");
        const struct slice name = why_text_at(pod, "spec.nodeName");
        struct fit_node *node = NULL;

        if (!pod->group.len && slice_equal(pod->kind, SLICE("Pod")) && name.len &&
            !pod->is_terminating && !slice_equal(phase, SLICE("Succeeded")) &&
            !slice_equal(phase, SLICE("Failed")))
            node = fit_find_node(sorted, fit->num_nodes, name);
        if (node)
            fit_add_use(fit, node, pod);
    }
}

static void
fit_count(struct fit *fit)
{
    for (size_t i = 0; i < fit->num_nodes; i++) {
        const enum fit_eligibility eligible = fit_eligibility_of(fit, fit->nodes[i].object);
        const int64_t now = eligible == FITS_NOW ? fit_room(fit, &fit->nodes[i], false) : 0;

        if (eligible == FITS_NEVER)
            continue;
        fit->eligible_ever++;
        fit->eligible_now += eligible == FITS_NOW;
        fit->room_ever = integer_add_capped(fit->room_ever, fit_room(fit, &fit->nodes[i], true));
        fit->room_now = integer_add_capped(fit->room_now, now);
        fit->most_now = now > fit->most_now ? now : fit->most_now;
    }
}

/* ---- answers ---- */

static const char *
fit_amount(const struct fit *fit, quantity_nano nano, enum quantity_format format)
{
    char text[QUANTITY_TEXT_SIZE];
    const struct quantity amount = {.nano = nano, .format = format};

    return why_text(fit->why, quantity_print(&amount, text));
}

/* The resource of which most nodes that may take the pod have too little, empty or now. */
struct fit_shortage {
    const struct resource *request;
    const struct fit_node *best;
    quantity_nano largest;
    quantity_nano sum;
};

static struct fit_shortage
fit_shortage_of(struct fit *fit, bool is_empty)
{
    struct fit_shortage worst = {0};
    int64_t most = 0;

    for (size_t i = 0; i < fit->type.requests.count; i++) {
        struct fit_shortage one = {.request = &fit->type.requests.items[i]};
        int64_t lacking = 0;

        for (size_t k = 0; k < fit->num_nodes; k++) {
            const struct fit_node *node = &fit->nodes[k];
            const quantity_nano free =
                fit_allocatable(node, one.request->name) - (is_empty ? 0 : node->used[i]);

            if (fit_eligibility_of(fit, node->object) == FITS_NEVER)
                continue;
            lacking += free < one.request->quantity.nano;
            one.sum += free > 0 ? free : 0;
            if (!one.best || free > one.largest) {
                one.best = node;
                one.largest = free;
            }
        }
        if (lacking > most) {
            most = lacking;
            worst = one;
        }
    }
    return worst;
}

static const char *
fit_role(const struct fit *fit)
{
    return why_name(fit->why, fit->type.pod);
}

static void
fit_show(struct fit *fit, struct why_cause *cause, const struct fit_shortage *shortage)
{
    const struct diagnosis *why = fit->why;

    if (shortage && shortage->best && shortage->best->allocatable) {
        const struct node *value =
            node_member(shortage->best->allocatable, shortage->request->name);

        if (value)
            why_show_words(cause, shortage->best->object, path_of(why->arena, value),
                           node_text(value));
    }
    why_count(cause, "nodes", (int64_t)fit->num_nodes);
    why_count(cause, "needed", fit->type.needed);
    why_count(cause, "room", fit->room_now);
}

static void
fit_say_excluded(struct fit *fit)
{
    struct diagnosis *why = fit->why;
    struct why_cause *cause = WHY_ADD(
        why, CERTAINTY_PROVEN, GANG_CODE_NODES_EXCLUDED,
        arena_format(
            why->arena,
            "of %zu nodes %lld do not match its selector or affinity, %lld have a taint that "
            "it does not tolerate, and %lld are cordoned or not ready",
            fit->num_nodes, (long long)fit->by_selector, (long long)fit->by_taint,
            (long long)fit->by_cordon));

    cause->certainty = CERTAINTY_PROVEN;
    fit_show(fit, cause, NULL);
}

static void
fit_say_too_large(struct fit *fit)
{
    const struct fit_shortage shortage = fit_shortage_of(fit, true);
    struct diagnosis *why = fit->why;
    const char *need;

    if (!shortage.request)
        return;
    need = fit_amount(fit, shortage.request->quantity.nano, shortage.request->quantity.format);
    fit_show(fit,
             WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_POD_TOO_LARGE, fit_role(fit), need,
                     why_text(why, shortage.request->name),
                     why_number(why, (int64_t)fit->eligible_ever),
                     fit_amount(fit, shortage.largest, shortage.request->quantity.format)),
             &shortage);
}

/* A resource that no node has: a wrong name, a device plugin that is down, or a DeviceClass. */
static void
fit_say_nowhere(struct fit *fit)
{
    struct diagnosis *why = fit->why;

    for (size_t i = 0; i < fit->type.requests.count; i++) {
        const struct resource *request = &fit->type.requests.items[i];
        bool is_there = false;

        for (size_t k = 0; k < fit->num_nodes && !is_there; k++)
            is_there = fit_allocatable(&fit->nodes[k], request->name) > 0;
        if (is_there || !fit_is_extended(request->name) || request->quantity.nano <= 0)
            continue;
        fit_show(
            fit,
            WHY_ADD(why,
                    fit_is_said_to_lack(fit, request->name) ? CERTAINTY_PROVEN : CERTAINTY_LIKELY,
                    GANG_CODE_RESOURCE_NOWHERE, fit_role(fit),
                    fit_amount(fit, request->quantity.nano, request->quantity.format),
                    why_text(why, request->name), why_number(why, (int64_t)fit->num_nodes)),
            NULL);
    }
}

static void
fit_say_not_now(struct fit *fit)
{
    const struct fit_shortage shortage = fit_shortage_of(fit, false);
    struct diagnosis *why = fit->why;
    struct why_cause *cause;

    if (shortage.request && !fit->most_now && shortage.sum >= shortage.request->quantity.nano)
        cause = WHY_ADD(
            why, CERTAINTY_PROVEN, GANG_CODE_FRAGMENTED, why_text(why, shortage.request->name),
            fit_amount(fit, shortage.sum, shortage.request->quantity.format),
            fit_amount(fit, shortage.request->quantity.nano, shortage.request->quantity.format),
            fit_amount(fit, shortage.largest, shortage.request->quantity.format));
    else
        cause =
            WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_NO_ROOM_NOW,
                    arena_format(why->arena,
                                 "%lld pods must start together, and the %zu nodes have room for "
                                 "%lld of them now, and for %lld when they are empty",
                                 (long long)fit->type.needed, fit->num_nodes,
                                 (long long)fit->room_now, (long long)fit->room_ever));
    cause->certainty = CERTAINTY_PROVEN;
    fit_show(fit, cause, &shortage);
}

static void
fit_build(struct fit *fit, const char *answer)
{
    struct builder map = build_map(fit->why->arena);

    build_string(&map, SLICE("answer"), slice_from_text(answer));
    build_int(&map, SLICE("nodes"), (int64_t)fit->num_nodes);
    build_int(&map, SLICE("eligible"), fit->eligible_now);
    build_int(&map, SLICE("needed"), fit->type.needed);
    build_int(&map, SLICE("room"), fit->room_now);
    build_int(&map, SLICE("roomWhenEmpty"), fit->room_ever);
    fit->why->fit = map.node;
}

/* A role of its own bounds the others: with several forms nothing is said. */
static void
fit_answer(struct fit *fit)
{
    struct diagnosis *why = fit->why;
    const bool is_whole = why->group.scheduler != NULL;

    fit_say_nowhere(fit);
    if (!fit->eligible_now) {
        fit_say_excluded(fit);
        fit_build(fit, fit->eligible_ever ? "NotNow" : "Never");
    } else if (!fit->room_ever) {
        fit_say_too_large(fit);
        fit_build(fit, "Never");
    } else if (is_whole && fit->type.is_one_per_node && fit->eligible_ever < fit->type.needed) {
        fit_show(fit,
                 WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_ONE_PER_NODE,
                         arena_format(why->arena, "%lld are needed, and %lld may take one",
                                      (long long)fit->type.needed, (long long)fit->eligible_ever)),
                 NULL);
        fit_build(fit, "Never");
    } else if (is_whole && fit->room_ever < fit->type.needed) {
        fit_show(fit,
                 WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_NEVER_TOGETHER,
                         why_number(why, fit->type.needed), why_number(why, fit->eligible_ever),
                         why_number(why, fit->room_ever)),
                 NULL);
        fit_build(fit, "Never");
    } else if (!fit->room_now || (is_whole && fit->room_now < fit->type.needed)) {
        fit_say_not_now(fit);
        fit_build(fit, "NotNow");
    } else {
        fit_build(fit, "CannotTell");
    }
}

void
why_fit(struct diagnosis *why)
{
    struct fit fit = {.why = why};
    const bool is_readable = fit_read_type(&fit);

    fit_read_nodes(&fit);
    if (!is_readable || !fit.num_nodes || arena_failed(why->arena) ||
        !arena_spend(why->arena, why->live->count))
        return;
    fit_read_use(&fit);
    fit_count(&fit);
    fit_answer(&fit);
}
