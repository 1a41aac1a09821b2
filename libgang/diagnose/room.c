/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* Whether queue and nodes have room for the members that wait: what the objects and fit/ prove. */

/* ---- queue ---- */

static bool
stage_has_kind(const struct diagnosis *why, struct slice group, struct slice kind)
{
    for (size_t i = 0; i < why->live->count; i++)
        if (slice_equal(why->live->items[i].kind, kind) &&
            slice_equal(why->live->items[i].group, group))
            return true;
    return false;
}

/* Returns the first resource of which the group wants more than the limit leaves; NULL: none. */
static const struct node *
stage_exceeded(const struct node *wanted, const struct node *limit, const struct node *used)
{
    for (NODE_EACH(one, wanted)) {
        const struct node *most = node_member(limit, node_key(one));
        const struct node *taken = node_member(used, node_key(one));
        struct quantity need;
        struct quantity have;
        struct quantity there;

        if (!most || quantity_parse(node_text(one), &need) ||
            quantity_parse(node_text(most), &have))
            continue;
        if (taken && !quantity_parse(node_text(taken), &there) && !quantity_add(&need, &there))
            continue;
        if (quantity_compare(&need, &have) > 0)
            return most;
    }
    return NULL;
}

static void
stage_queue_room(struct diagnosis *why, const struct live_object *queue)
{
    const struct node *wanted = node_at(why->group.object->root, "spec.minResources");
    const struct node *limit = node_at(queue->root, "spec.capability");
    const struct node *used = node_at(queue->root, "status.allocated");
    const struct node *never = stage_exceeded(wanted, limit, NULL);
    const struct node *now = never ? never : stage_exceeded(wanted, limit, used);
    const char *values[3] = {why_quoted(why, queue->name), NULL, NULL};

    if (!now)
        return;
    values[1] = arena_format(
        why->arena, "it needs %.*s %.*s, and the limit is %.*s%s%.*s",
        SLICE_ARG(node_text(node_member(wanted, node_key(now)))), SLICE_ARG(node_key(now)),
        SLICE_ARG(node_text(now)), never ? "" : ", of which is used ",
        SLICE_ARG(never ? NO_SLICE : node_text(node_member(used, node_key(now)))));
    why_show_words(why_add(why, CERTAINTY_PROVEN,
                           never ? GANG_CODE_ABOVE_QUEUE_LIMIT : GANG_CODE_QUEUE_USED_UP, values),
                   queue, path_of(why->arena, now), node_text(now));
}

/* A queue below this one, if the scheduler gives gangs only to the lowest ones; NULL: none. */
static const struct live_object *
stage_queue_below(const struct diagnosis *why, const struct live_object *queue)
{
    const struct descriptor *scheduler = why->group.scheduler;

    for (size_t i = 0; scheduler->has_only_leaf_queues && i < why->live->count; i++) {
        const struct live_object *other = &why->live->items[i];
        const struct node *spec = node_member(other->root, SLICE("spec"));

        if (slice_equal(other->kind, queue->kind) && slice_equal(other->group, queue->group) &&
            slice_equal(node_string(node_member(spec, scheduler->queue_parent)), queue->name))
            return other;
    }
    return NULL;
}

static void
stage_queue_closed(struct diagnosis *why, const struct live_object *queue)
{
    const struct slice state = why_text_at(queue, "status.state");
    const struct live_object *below = stage_queue_below(why, queue);
    const struct slice parent = why->group.scheduler->queue_parent;

    if (state.len && !slice_equal(state, SLICE("Open")))
        why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_QUEUE_CLOSED,
                         why_quoted(why, queue->name),
                         arena_format(why->arena, "its state is %.*s", SLICE_ARG(state))),
                 queue, "status.state", state);
    if (below)
        why_show_words(
            WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_QUEUE_CLOSED, why_quoted(why, queue->name),
                    arena_format(why->arena, "%s is below it", why_quoted(why, below->name))),
            below,
            path_of(why->arena, node_member(node_member(below->root, SLICE("spec")), parent)),
            queue->name);
}

/* The quota that the pods name, in whatever namespace; NULL: there is none. */
static const struct live_object *
stage_quota_of(const struct diagnosis *why)
{
    const struct descriptor *scheduler = why->group.scheduler;
    const struct why_pod *pod = scheduler->quota_kind.len ? stage_waiting_member(why) : NULL;
    const struct node *labels = pod ? node_member(pod->object->metadata, SLICE("labels")) : NULL;
    const struct slice name =
        labels ? node_string(node_member(labels, scheduler->queue_sources[0].key)) : NO_SLICE;

    for (size_t i = 0; name.len && i < why->live->count; i++) {
        const struct live_object *object = &why->live->items[i];

        if (slice_equal(object->kind, scheduler->quota_kind) &&
            slice_equal(object->group, scheduler->group) && slice_equal(object->name, name))
            return object;
    }
    return NULL;
}

/* A gang without a pod more than its minimum may not ask for more than the quota has at most. */
static void
stage_quota(struct diagnosis *why)
{
    const struct live_object *quota = stage_quota_of(why);
    struct resource_list sum = {0};

    if (!quota || why->group.live > why->group.minimum || !stage_sum(why, &sum))
        return;
    for (NODE_EACH(most, node_at(quota->root, "spec.max"))) {
        const struct quantity *asked = resource_list_get(&sum, node_key(most));
        struct quantity limit;
        char text[QUANTITY_TEXT_SIZE];

        if (!asked || quantity_parse(node_text(most), &limit) > QUANTITY_CAPPED ||
            quantity_compare(asked, &limit) <= 0)
            continue;
        why_show_words(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_ABOVE_QUEUE_LIMIT,
                               why_quoted(why, quota->name),
                               arena_format(why->arena, "it needs %.*s %.*s, and the limit is %.*s",
                                            SLICE_ARG(quantity_print(asked, text)),
                                            SLICE_ARG(node_key(most)), SLICE_ARG(node_text(most)))),
                       quota, path_of(why->arena, most), node_text(most));
    }
}

void
stage_queue(struct diagnosis *why)
{
    const struct slice kind = SLICE("Queue");
    struct slice name = why_text_at(why->group.object, "spec.queue");
    const struct live_object *queue;
    struct live_key key;

    if (!why->group.object || !why->group.pending)
        return;
    stage_quota(why);
    if (!why->group.scheduler->queue_parent.len)
        return;
    if (!name.len)
        name = why->group.scheduler->default_queue;
    key = (struct live_key){why->group.scheduler->group, kind, NO_SLICE, name};
    queue = live_objects_find(why->live, &key);
    if (!queue) {
        if (stage_has_kind(why, key.group, kind))
            why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_QUEUE_MISSING, why_quoted(why, name)),
                     why->group.object, "spec.queue", name);
        return;
    }
    stage_queue_closed(why, queue);
    if (!why->group.bound)
        stage_queue_room(why, queue);
}

/* ---- the pods that wait ---- */

/* The message of the condition PodScheduled. */
static struct slice
room_words_of(const struct live_object *pod)
{
    return node_string(node_member(stage_condition(pod, SLICE("PodScheduled")), SLICE("message")));
}

static const struct node *
room_spec_of(const struct live_object *pod)
{
    return node_member(pod->root, SLICE("spec"));
}

/* NULL if the pod is not understood. */
static struct fit_type *
room_type_of(struct diagnosis *why, const struct why_pod *pod)
{
    const struct node *spec = room_spec_of(pod->object);
    struct fit_type *type = fit_type_of(&why->room, pod->role, pod->object->metadata, spec);

    if (type && !type->count) {
        if (!fit_requests_of(spec, why->arena, why->limits, &type->requests))
            return NULL;
        type->at = (size_t)(pod->object - why->live->items);
        type->called = why_name(why, pod->object);
        type->name = pod->role == ROLE_NONE ? pod->object->name : why->roles[pod->role].name;
    }
    return type;
}

/* Of the members of a gang only one may name what is lacking, and the others its group. */
static bool
room_says_more(struct slice words, struct slice known)
{
    const bool is_named = stage_contains(known, "nsufficient ");
    const bool names = stage_contains(words, "nsufficient ");

    return names == is_named ? words.len > known.len : names;
}

/* False if a member is not understood. */
static bool
room_read_types(struct diagnosis *why)
{
    struct fit *fit = &why->room;

    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];
        const int64_t priority = node_int_or(node_at(pod->object->root, "spec.priority"), 0);
        struct fit_type *type;

        if (pod->state != POD_PENDING || (why->group.scheduler && !pod->is_member))
            continue;
        type = room_type_of(why, pod);
        if (!type)
            return false;
        if (room_says_more(room_words_of(pod->object), type->lacking))
            type->lacking = room_words_of(pod->object);
        type->count++;
        if (!fit->waiting++ || priority > fit->priority)
            fit->priority = priority;
    }
    /* A pod takes the node of its placeholder without a look at the pods beside it. */
    if (why->group.scheduler && why->group.scheduler->placeholder_annotation.len)
        for (size_t i = 0; i < fit->num_types; i++)
            fit->types[i].is_apart = false;
    return fit->num_types > 0;
}

/* Pods that have succeeded can count for the minimum. */
static void
room_read_needs(struct diagnosis *why)
{
    const struct why_group *group = &why->group;
    struct fit *fit = &why->room;
    int64_t there = group->bound;

    fit->needed = group->scheduler ? fit->waiting : 1;
    if (!group->scheduler || !group->minimum)
        return;
    if (group->scheduler->counts & DESCRIPTOR_COUNTS_SUCCEEDED)
        there += group->counts[POD_SUCCEEDED];
    if (group->minimum - there < fit->needed)
        fit->needed = group->minimum > there ? group->minimum - there : 1;
}

/* ---- the nodes ---- */

static void
room_read_nodes(struct diagnosis *why)
{
    fit_reserve_nodes(&why->room, why->live->num_nodes);
    for (size_t i = 0; why->room.nodes && i < why->live->num_nodes; i++) {
        const struct live_object *object = why->live->nodes[i];
        const struct fit_node node = {
            .name = object->name,
            .at = (size_t)(object - why->live->items),
            .labels = node_member(object->metadata, SLICE("labels")),
            .annotations = node_member(object->metadata, SLICE("annotations")),
            .taints = node_at(object->root, "spec.taints"),
            .allocatable = node_at(object->root, "status.allocatable"),
            .is_cordoned = node_is_true(node_at(object->root, "spec.unschedulable")),
        };

        fit_add_node(&why->room, &node);
    }
    why->has_nodes = why->room.num_nodes > 0;
}

/* Of the nodes that have room for a pod, the one that came last. */
static void
room_find_newest(struct diagnosis *why)
{
    const char *const path = "metadata.creationTimestamp";
    const struct fit *fit = &why->room;

    for (size_t i = 0; i < fit->num_nodes; i++) {
        const struct live_object *object = &why->live->items[fit->nodes[i].at];

        if (fit_capacity_of_any(fit, (1U << fit->num_types) - 1, i, FIT_NOW) &&
            (!why->newest_node ||
             slice_compare(why_text_at(object, path), why_text_at(why->newest_node, path)) > 0))
            why->newest_node = object;
    }
}

/* ---- what is used ---- */

static struct fit_node *
room_find_node(const struct fit *fit, const void *const *sorted, struct slice name)
{
    const size_t low = sorted_search(sorted, fit->num_nodes, &name, slice_compare_first, NULL);

    return low < fit->num_nodes && slice_equal(((const struct fit_node *)sorted[low])->name, name)
               ? &fit->nodes[(const struct fit_node *)sorted[low] - fit->nodes]
               : NULL;
}

static const void **
room_sorted_nodes(const struct diagnosis *why)
{
    return stable_sort_array(why->room.nodes, why->room.num_nodes, sizeof(*why->room.nodes),
                             slice_compare_first, NULL, why->arena);
}

/* Adds what pods use. Pods of other namespaces may be missing: that only adds room. */
static void
room_read_use(struct diagnosis *why)
{
    const void **sorted = room_sorted_nodes(why);

    for (size_t i = 0; sorted && i < why->live->num_uses; i++) {
        const struct live_use *use = &why->live->uses[i];
        struct fit_node *node = room_find_node(&why->room, sorted, use->node);

        if (node)
            fit_use(&why->room, node, use->priority >= why->room.priority, use->pods,
                    &use->requests);
    }
}

/* Adds what placeholders of other gangs hold, and returns how many of them there are. */
static int64_t
room_read_held(struct diagnosis *why)
{
    const struct descriptor *scheduler = why->group.scheduler;
    const void **sorted = room_sorted_nodes(why);
    int64_t count = 0;

    for (size_t i = 0; sorted && i < why->live->num_placeholders; i++) {
        const struct live_object *pod = why->live->placeholders[i];
        struct fit_node *node =
            room_find_node(&why->room, sorted, why_text_at(pod, "spec.nodeName"));
        struct resource_list requests = {0};

        if (!node || (scheduler && live_names_group(pod->root, scheduler, why->group.name)))
            continue;
        if (!fit_requests_of(room_spec_of(pod), why->arena, why->limits, &requests))
            requests.count = 0;
        fit_use(&why->room, node,
                node_int_or(node_at(pod->root, "spec.priority"), 0) >= why->room.priority, 1,
                &requests);
        count++;
    }
    return count;
}

/* ---- the topology ---- */

/* The label whose values are the domains, one of which must take the whole gang; unset: none. */
static struct slice
room_topology_key(const struct diagnosis *why)
{
    const struct node *root = why->group.object ? why->group.object->root : NULL;
    const struct node *constraints = node_at(root, "spec.schedulingConstraints.topology");
    const struct slice level =
        node_string(node_at(root, "spec.topologyConstraint.requiredTopologyLevel"));

    return level.len ? level : node_string(node_member(node_first(constraints), SLICE("key")));
}

/* A member with a node has chosen the domain; unset: none has, or its node is not given. */
static struct slice
room_chosen_domain(const struct diagnosis *why)
{
    const struct fit *fit = &why->room;
    size_t member = 0;

    while (member < why->num_pods &&
           (!why->pods[member].is_member ||
            (why->pods[member].state != POD_BOUND && why->pods[member].state != POD_RUNNING)))
        member++;
    for (size_t i = 0; member < why->num_pods && i < fit->num_nodes; i++)
        if (slice_equal(fit->nodes[i].name, why_text_at(why->pods[member].object, "spec.nodeName")))
            return node_text(node_member(fit->nodes[i].labels, fit->topology_key));
    return NO_SLICE;
}

/* ---- what is said ---- */

/* The numbers are those of the nodes; what a scheduler has said of the same cause is evidence. */
static struct why_cause *
room_prove(struct diagnosis *why, enum gang_code code, const char *const *values)
{
    const struct fit *fit = &why->room;
    struct why_cause *cause = why_add(why, CERTAINTY_PROVEN, code, values);

    if (cause->row->code == code && cause->certainty != CERTAINTY_PROVEN)
        why_restate(why, cause, values);
    why_count(cause, "nodes", (int64_t)fit->num_nodes);
    why_count(cause, "needed", fit->needed);
    why_count(cause, "room", fit_room(fit, (1U << fit->num_types) - 1, FIT_NOW));
    return cause;
}
#define ROOM_PROVE(why, code, ...) room_prove(why, code, (const char *const[]){__VA_ARGS__, NULL})

static void
room_show(const struct diagnosis *why, struct why_cause *cause, const struct fit_shortage *shortage)
{
    const struct node *value = shortage->best ? node_member(shortage->best->allocatable,
                                                            why->room.resources[shortage->resource])
                                              : NULL;

    if (value)
        why_show_words(cause, &why->live->items[shortage->best->at], path_of(why->arena, value),
                       node_text(value));
}

static void
room_say_never(struct diagnosis *why, const struct fit_words *words)
{
    static const enum gang_code codes[] = {[FIT_NODES_EXCLUDED] = GANG_CODE_NODES_EXCLUDED,
                                           [FIT_TOO_LARGE] = GANG_CODE_POD_TOO_LARGE,
                                           [FIT_ONE_PER_NODE] = GANG_CODE_ONE_PER_NODE,
                                           [FIT_NEVER_TOGETHER] = GANG_CODE_NEVER_TOGETHER};

    if (words->values[0])
        room_show(why, room_prove(why, codes[words->reason], words->values), &words->shortage);
}

/* A resource that no node has: a wrong name, a device plugin that is down, or a DeviceClass. */
static void
room_say_nowhere(struct diagnosis *why, const struct fit_type *type)
{
    const struct fit *fit = &why->room;

    for (size_t i = 0; i < fit->num_resources; i++) {
        const struct slice name = fit->resources[i];
        bool is_there = false;
        const char *values[5] = {type->called};

        for (size_t k = 0; k < fit->num_nodes && !is_there; k++)
            is_there = fit->nodes[k].has[i] != 0 || fit->nodes[k].is_virtual;
        if (is_there || !fit_is_extended(name) || type->needs[i] <= 0)
            continue;
        values[1] = fit_amount(fit, type, i, type->needs[i]);
        values[2] = why_text(why, name);
        values[3] = why_number(why, (int64_t)fit->num_nodes);
        if (fit_is_said_to_lack(type, name))
            room_prove(why, GANG_CODE_RESOURCE_NOWHERE, values);
        else
            why_add(why, CERTAINTY_LIKELY, GANG_CODE_RESOURCE_NOWHERE, values);
    }
}

/* The number of a bound that no placement exceeds. */
static const char *
room_bound(const struct fit *fit, const struct fit_failure *failure)
{
    if (failure->room >= failure->demand)
        return "only some of them";
    return failure->room
               ? arena_format(fit->arena, "at most %lld of them", (long long)failure->room)
               : "none of them";
}

static const char *
room_now_words(const struct fit *fit, const struct fit_failure *failure, bool by_preemption)
{
    const char *words;

    if (failure->resource)
        words = fit_sum_in_words(fit, failure);
    else
        words = arena_format(fit->arena,
                             "%lld pods%s%s must start together, and there is room for %s on %s "
                             "now",
                             (long long)failure->demand, fit->num_types > 1 ? " of " : "",
                             fit->num_types > 1 ? fit_names_of(fit, failure->types) : "",
                             room_bound(fit, failure),
                             fit_nodes_in_words(fit, (int64_t)fit->num_nodes));
    return by_preemption
               ? arena_format(fit->arena,
                              "%s; without the pods of lower priority they do not fit either",
                              words)
               : words;
}

static void
room_say_fragmented(struct diagnosis *why, const struct fit_type *type,
                    const struct fit_shortage *shortage)
{
    const struct fit *fit = &why->room;
    const size_t resource = shortage->resource;

    room_show(why,
              ROOM_PROVE(why, GANG_CODE_FRAGMENTED, why_text(why, fit->resources[resource]),
                         fit_amount(fit, type, resource, shortage->sum),
                         fit_amount(fit, type, resource, type->needs[resource]),
                         fit_amount(fit, type, resource, shortage->largest)),
              shortage);
}

static void
room_say_not_now(struct diagnosis *why, const struct fit_failure *failure, bool by_preemption)
{
    const struct fit *fit = &why->room;
    const struct fit_type *type = fit_single_type(fit, failure);
    struct fit_shortage shortage = {0};

    if (type && !fit_eligible_count(fit, type, FIT_NOW)) {
        const struct fit_words words = fit_exclusion_in_words(fit, type);

        room_say_never(why, &words);
        return;
    }
    if (type)
        shortage = fit_shortage_of(fit, type, FIT_NOW);
    if (shortage.best && !failure->room && shortage.sum >= type->needs[shortage.resource] &&
        shortage.largest < type->needs[shortage.resource])
        room_say_fragmented(why, type, &shortage);
    else
        room_show(
            why,
            ROOM_PROVE(why, GANG_CODE_NO_ROOM_NOW, room_now_words(fit, failure, by_preemption)),
            &shortage);
}

static void
room_say_domain(struct diagnosis *why, const struct fit_failure *best)
{
    const struct fit *fit = &why->room;
    const char *words =
        best->domain
            ? arena_format(
                  why->arena,
                  "%lld pods must be in one \"%.*s\", and the best, \"%.*s\", has room for "
                  "%s",
                  (long long)best->demand, SLICE_ARG(fit->topology_key),
                  SLICE_ARG(node_text(best->domain)), room_bound(fit, best))
            : arena_format(why->arena, "no node has the label \"%.*s\"",
                           SLICE_ARG(fit->topology_key));

    ROOM_PROVE(why, GANG_CODE_TOPOLOGY_TOO_SMALL, words);
}

static const struct node *
room_build(const struct fit *fit, const char *answer)
{
    const unsigned all = (1U << fit->num_types) - 1;
    struct builder map = build_map(fit->arena);
    int64_t eligible = 0;

    for (size_t i = 0; i < fit->num_nodes; i++) {
        bool is_eligible = false;

        for (size_t k = 0; k < fit->num_types; k++)
            is_eligible |= fit_may_take(&fit->types[k], i, FIT_NOW);
        eligible += is_eligible;
    }
    build_string(&map, SLICE("answer"), slice_from_text(answer));
    build_int(&map, SLICE("nodes"), (int64_t)fit->num_nodes);
    build_int(&map, SLICE("eligible"), eligible);
    build_int(&map, SLICE("types"), (int64_t)fit->num_types);
    build_int(&map, SLICE("needed"), fit->needed);
    build_int(&map, SLICE("room"), fit_room(fit, all, FIT_NOW));
    build_int(&map, SLICE("roomWhenEmpty"), fit_room(fit, all, FIT_EVER));
    return map.node;
}

/* Whether the gang fits on the nodes, and not beside the placeholders of other gangs. */
static bool
room_is_reserved(struct diagnosis *why)
{
    const int64_t count = room_read_held(why);
    struct fit_failure failure;

    if (!count || !fit_measure(&why->room) || fit_holds_in(&why->room, FIT_NOW, &failure))
        return false;
    ROOM_PROVE(
        why, GANG_CODE_ROOM_RESERVED,
        arena_format(why->arena, "%lld placeholders of other gangs hold it", (long long)count));
    return true;
}

/* Adds the causes that the conditions prove. */
static const char *
room_judge(struct diagnosis *why)
{
    struct fit *fit = &why->room;
    const struct descriptor *scheduler = why->group.scheduler;
    const bool preempts = scheduler && scheduler->preempts_by_priority;
    struct fit_failure failure;
    struct fit_failure unused;
    bool by_preemption;

    if (!fit_holds_in(fit, FIT_EVER, &failure)) {
        const struct fit_words words = fit_never_in_words(fit, &failure);

        room_say_never(why, &words);
        return "Never";
    }
    if (fit->topology_key.len && !fit_domains_hold(fit, FIT_EVER, &failure)) {
        room_say_domain(why, &failure);
        return "Never";
    }
    if (!fit_holds_in(fit, FIT_NOW, &failure)) {
        by_preemption = preempts && !fit_holds_in(fit, FIT_BY_PREEMPTION, &unused);
        room_say_not_now(why, &failure, by_preemption);
        return by_preemption ? "NotByPreemption" : "NotNow";
    }
    if (fit->topology_key.len && !fit_domains_hold(fit, FIT_NOW, &failure)) {
        by_preemption = preempts && !fit_domains_hold(fit, FIT_BY_PREEMPTION, &unused);
        room_say_domain(why, &failure);
        return by_preemption ? "NotByPreemption" : "NotNow";
    }
    if (room_is_reserved(why))
        return "NotNow";
    why->may_fit = true;
    return "CannotTell";
}

/* Where nodes may take pods of each type, a text that none may is about an earlier state. */
static void
room_drop_contradicted(struct diagnosis *why)
{
    const struct why_cause *cause = why_cause_of(why, GANG_CODE_NODES_EXCLUDED);
    const struct fit *fit = &why->room;

    for (size_t i = 0; i < fit->num_types; i++)
        if (!fit_eligible_count(fit, &fit->types[i], FIT_NOW))
            return;
    if (cause && cause->certainty != CERTAINTY_PROVEN && cause->is_of_nodes)
        why_drop(why, GANG_CODE_NODES_EXCLUDED);
}

void
why_fit(struct diagnosis *why)
{
    struct fit *fit = &why->room;
    bool is_readable;

    fit->arena = why->arena;
    is_readable = room_read_types(why);
    room_read_needs(why);
    fit_read_resources(fit);
    if (!arena_failed(why->arena))
        room_read_nodes(why);
    if (!is_readable || !fit->num_nodes || why->live->is_partial || arena_failed(why->arena) ||
        !arena_spend(why->arena, why->live->num_uses + fit->num_nodes * fit->num_types))
        return;
    room_read_use(why);
    fit->topology_key = room_topology_key(why);
    fit->chosen_domain = fit->topology_key.len ? room_chosen_domain(why) : NO_SLICE;
    if (!fit_measure(fit))
        return;
    room_find_newest(why);
    for (size_t i = 0; i < fit->num_types; i++)
        room_say_nowhere(why, &fit->types[i]);
    why->fit = room_build(fit, room_judge(why));
    room_drop_contradicted(why);
}
