/* SPDX-License-Identifier: Apache-2.0 */
#include "kai_replay.h"

#include <stdio.h>
#include <string.h>

/* Making it. */

int
kai_replay_add_node(struct kai_replay *replay, int parent, const char *name, long long minimum)
{
    struct kai_replay_node *node = &replay->nodes[replay->num_nodes];

    if (replay->num_nodes >= KAI_REPLAY_NODES)
        return -1;
    *node = (struct kai_replay_node){.parent = parent, .minimum = minimum};
    snprintf(node->name, sizeof(node->name), "%s", name);
    if (parent >= 0)
        replay->nodes[parent].has_children = true;
    return (int)replay->num_nodes++;
}

int
kai_replay_add_group(struct kai_replay *replay, const char *name, long long minimum)
{
    if (replay->num_groups >= KAI_REPLAY_GROUPS)
        return -1;
    replay->groups[replay->num_groups] = kai_replay_add_node(replay, -1, name, minimum);
    return replay->groups[replay->num_groups] < 0 ? -1 : (int)replay->num_groups++;
}

static bool
is_below(const struct kai_replay *replay, int node, int root)
{
    while (node >= 0 && node != root)
        node = replay->nodes[node].parent;
    return node == root;
}

int
kai_replay_find_node(const struct kai_replay *replay, int group, const char *name)
{
    for (size_t i = 0; i < replay->num_nodes; i++)
        if ((int)i != replay->groups[group] && is_below(replay, (int)i, replay->groups[group]) &&
            strcmp(replay->nodes[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* The state of leaves, in pods. */

static bool
role_has_leaf(const struct kai_replay_role *role, int leaf)
{
    if (role->group < 0)
        return false;
    return role->has_leaves ? leaf >= role->node && leaf < role->node + role->replicas
                            : leaf == role->node;
}

static long long
existing_pods(const struct kai_replay_role *role)
{
    return role->first && !role->is_running ? role->first : role->pods;
}

/* Missing pods are those of the first replica. */
static long long
pods_in_leaf(const struct kai_replay_role *role, int leaf)
{
    long long pods = existing_pods(role) * (role->has_leaves ? 1 : role->replicas);

    return leaf == role->node ? pods - role->missing : pods;
}

static long long
alive_in(const struct kai_replay *replay, int leaf)
{
    long long pods = 0;

    for (size_t i = 0; i < replay->num_roles; i++) {
        const struct kai_replay_role *role = &replay->roles[i];

        if (role->is_created && !role->is_done && role_has_leaf(role, leaf))
            pods += pods_in_leaf(role, leaf);
    }
    return pods;
}

static long long
running_in(const struct kai_replay *replay, int leaf)
{
    long long pods = 0;

    for (size_t i = 0; i < replay->num_roles; i++) {
        const struct kai_replay_role *role = &replay->roles[i];

        if (role->is_running && !role->is_done && role_has_leaf(role, leaf))
            pods += pods_in_leaf(role, leaf);
    }
    return pods;
}

/* A group of pods alone without a minimum waits for one; a leaf among subgroups for none. */
static long long
minimum_of_leaf(const struct kai_replay *replay, int leaf)
{
    const struct kai_replay_node *node = &replay->nodes[leaf];

    return node->minimum >= 0 ? node->minimum : node->parent < 0 ? 1 : 0;
}

typedef bool node_test(const struct kai_replay *replay, int node);

static long long
count_children(const struct kai_replay *replay, int parent, node_test *test)
{
    long long count = 0;

    for (size_t i = 0; i < replay->num_nodes; i++)
        if (replay->nodes[i].parent == parent && (!test || test(replay, (int)i)))
            count++;
    return count;
}

static long long
minimum_of_node(const struct kai_replay *replay, int node)
{
    return replay->nodes[node].minimum >= 0 ? replay->nodes[node].minimum
                                            : count_children(replay, node, NULL);
}

static bool
is_ready(const struct kai_replay *replay, int node)
{
    if (!replay->nodes[node].has_children)
        return alive_in(replay, node) >= minimum_of_leaf(replay, node);
    return count_children(replay, node, is_ready) >= minimum_of_node(replay, node);
}

static bool
is_satisfied(const struct kai_replay *replay, int node)
{
    if (!replay->nodes[node].has_children)
        return running_in(replay, node) >= minimum_of_leaf(replay, node);
    return count_children(replay, node, is_satisfied) >= minimum_of_node(replay, node);
}

/* What the scheduler does. */

/* The child to take next: below its minimum before others, then by name; -1 when each has been
 * taken. */
static int
next_child(const struct kai_replay *replay, int parent, const bool *taken)
{
    int next = -1;

    for (size_t i = 0; i < replay->num_nodes; i++) {
        bool is_earlier;

        if (replay->nodes[i].parent != parent || taken[i])
            continue;
        if (next < 0) {
            next = (int)i;
            continue;
        }
        is_earlier = is_satisfied(replay, (int)i) == is_satisfied(replay, next)
                         ? strcmp(replay->nodes[i].name, replay->nodes[next].name) < 0
                         : !is_satisfied(replay, (int)i);
        if (is_earlier)
            next = (int)i;
    }
    return next;
}

/* Marks the leaves from which pods are taken. */
static void
choose_leaves(const struct kai_replay *replay, int node, bool *chosen)
{
    bool taken[KAI_REPLAY_NODES] = {false};
    long long left = minimum_of_node(replay, node);
    int child;

    if (!replay->nodes[node].has_children || is_satisfied(replay, node)) {
        for (size_t i = 0; i < replay->num_nodes; i++)
            chosen[i] |= is_below(replay, (int)i, node);
        return;
    }
    while (left-- > 0 && (child = next_child(replay, node, taken)) >= 0) {
        taken[child] = true;
        choose_leaves(replay, child, chosen);
    }
}

static long long
pods_of(const struct kai_replay_role *role)
{
    return role->pods * role->replicas;
}

/* Pods that do not run when the role does. */
static long long
lacking_pods(const struct kai_replay_role *role)
{
    return role->missing || role->lacks_room ? 1 : 0;
}

static bool
is_waiting(const struct kai_replay_role *role)
{
    return role->is_created && !role->is_running && role->group >= 0;
}

/* Below the group's minimum the chosen pods are started together or not at all. */
static bool
lacks_room(const struct kai_replay *replay, const bool *chosen)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        if (is_waiting(&replay->roles[i]) && chosen[replay->roles[i].node] &&
            replay->roles[i].lacks_room)
            return true;
    return false;
}

static bool
start_group(struct kai_replay *replay, int root)
{
    bool chosen[KAI_REPLAY_NODES] = {false};
    bool changed = false;

    if (!is_ready(replay, root))
        return false;
    choose_leaves(replay, root, chosen);
    if (!is_satisfied(replay, root) && lacks_room(replay, chosen))
        return false;
    for (size_t i = 0; i < replay->num_roles; i++) {
        struct kai_replay_role *role = &replay->roles[i];

        if (is_waiting(role) && chosen[role->node] && pods_of(role) > lacking_pods(role))
            role->is_running = changed = true;
    }
    return changed;
}

static bool
edges_are_met(const struct kai_replay *replay, const struct kai_replay_role *role)
{
    for (size_t i = 0; i < role->num_edges; i++) {
        const struct kai_replay_role *target = &replay->roles[role->edges[i].target];
        bool is_whole = target->is_running && !lacking_pods(target);

        if (!target->is_done && (role->edges[i].is_complete || !is_whole))
            return false;
    }
    return true;
}

static bool
create_roles(struct kai_replay *replay)
{
    bool changed = false;

    for (size_t i = 0; i < replay->num_roles; i++) {
        struct kai_replay_role *role = &replay->roles[i];

        if (role->is_created || !edges_are_met(replay, role))
            continue;
        role->is_created = changed = true;
        role->is_running = role->group < 0;
    }
    return changed;
}

static bool
finish_roles(struct kai_replay *replay, bool members)
{
    bool changed = false;

    for (size_t i = 0; i < replay->num_roles; i++) {
        struct kai_replay_role *role = &replay->roles[i];

        if (role->is_running && !role->is_done && !lacking_pods(role) && role->is_member == members)
            role->is_done = changed = true;
    }
    return changed;
}

static bool
sees_finished(const struct kai_replay *replay, int group)
{
    for (size_t i = 0; i < replay->num_roles && !replay->forgets_finished; i++)
        if (replay->roles[i].is_done && replay->roles[i].group == group)
            return true;
    return false;
}

static bool
is_stale(const struct kai_replay *replay, int group)
{
    bool is_active = false;
    bool is_short = false;

    if (replay->is_never_stale || sees_finished(replay, group))
        return false;
    for (size_t i = 0; i < replay->num_nodes; i++) {
        if (replay->nodes[i].has_children || !is_below(replay, (int)i, replay->groups[group]))
            continue;
        is_active |= running_in(replay, (int)i) > 0;
        is_short |= running_in(replay, (int)i) < minimum_of_leaf(replay, (int)i);
    }
    return is_active && is_short;
}

static bool
start_groups(struct kai_replay *replay, bool *stale)
{
    bool changed = false;

    for (size_t i = 0; i < replay->num_groups; i++) {
        changed |= start_group(replay, replay->groups[i]);
        *stale |= is_stale(replay, (int)i);
    }
    return changed;
}

/* The role that is created and does not run when nothing more happens by itself; -1 for none. */
static int
find_waiting(const struct kai_replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].is_created && !replay->roles[i].is_running)
            return (int)i;
    return -1;
}

static void
forget(struct kai_replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        replay->roles[i].is_created = replay->roles[i].is_running = replay->roles[i].is_done =
            false;
}

/* To the end, or to where a role waits. */
static int
play_through(struct kai_replay *replay, bool *stale)
{
    int waiting;

    forget(replay);
    for (;;) {
        bool changed = true;

        while (changed) {
            while (create_roles(replay)) {
            }
            changed = start_groups(replay, stale);
        }
        waiting = find_waiting(replay);
        if (waiting >= 0 || (!finish_roles(replay, false) && !finish_roles(replay, true)))
            return waiting;
    }
}

static bool
any_first_runs(const struct kai_replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].is_first && replay->roles[i].is_running &&
            pods_of(&replay->roles[i]) > lacking_pods(&replay->roles[i]))
            return true;
    return false;
}

/* Whether pods of the first wave start while one of them is not there, or there is no room for it.
 */
static bool
starts_in_part(struct kai_replay *replay, struct kai_replay_role *role)
{
    bool stale = false;
    bool starts;

    role->missing = role->spare + 1;
    play_through(replay, &stale);
    starts = any_first_runs(replay);
    role->missing = role->spare;
    role->lacks_room = true;
    play_through(replay, &stale);
    starts |= any_first_runs(replay);
    role->missing = 0;
    role->lacks_room = false;
    return starts;
}

static bool
holds_together(struct kai_replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].is_first && pods_of(&replay->roles[i]) > replay->roles[i].spare &&
            starts_in_part(replay, &replay->roles[i]))
            return false;
    return true;
}

static long long
first_pods(const struct kai_replay *replay)
{
    long long pods = 0;

    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].is_first)
            pods += (replay->roles[i].first ? replay->roles[i].first : replay->roles[i].pods) *
                    replay->roles[i].replicas;
    return pods;
}

enum kai_replay_verdict
kai_replay_play(struct kai_replay *replay, size_t *role)
{
    bool stale = false;
    int waiting = play_through(replay, &stale);

    if (waiting >= 0) {
        *role = (size_t)waiting;
        return KAI_REPLAY_STUCK;
    }
    if (first_pods(replay) > 1 && !holds_together(replay))
        return KAI_REPLAY_NO_GANG;
    return stale ? KAI_REPLAY_EVICTED : KAI_REPLAY_GANG;
}
