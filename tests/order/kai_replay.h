/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_KAI_REPLAY_H
#define TESTS_ORDER_KAI_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Simulates a job as JobSet and KAI's scheduler would run it, from given PodGroups, independent of
 * their creator. Beside the rules of replay.h:
 *
 * - A group is considered only when it is ready: a leaf, when as many of its pods are alive as its
 * minimum says; anything else, when as many of its children are ready as its minimum says, all
 * without one. Finished pods are not alive.
 * - While a group has not as many children at their minimum as its own says, pods are taken from so
 * many of its children, those below their minimum first and then by name, whether they have pods or
 * not. They start together or not at all. At its minimum, all pods that wait are started, one by
 * one.
 * - A gang holds when none of its first wave starts while any one pod of it is missing or has no
 * room.
 * - A group is stale while a pod of it runs, none has been seen to finish, and some leaf runs fewer
 * pods than its minimum.
 */
enum {
    KAI_REPLAY_ROLES = 1024,
    KAI_REPLAY_EDGES = 8,
    KAI_REPLAY_GROUPS = 64,
    KAI_REPLAY_NODES = 2048,
    KAI_REPLAY_NAME = 200,
};

struct kai_replay_edge {
    size_t target;
    bool is_complete;
};

struct kai_replay_role {
    const char *name;
    long long replicas;
    long long pods;  /* of one replica */
    long long first; /* of them, those that exist before one of them runs; 0: all */
    long long spare; /* pods of the role without which the gang may start */
    struct kai_replay_edge edges[KAI_REPLAY_EDGES];
    size_t num_edges;
    bool is_member;
    bool is_first;   /* of the first wave */
    int group;       /* -1: none; its pods start at once */
    int node;        /* the leaf of its first replica; of a group without subgroups its root */
    bool has_leaves; /* a leaf for each replica, one behind the other; else all replicas in one */

    long long missing; /* pods that never come into being */
    bool lacks_room;   /* for one of its pods */
    bool is_created;
    bool is_running;
    bool is_done;
};

struct kai_replay_node {
    char name[KAI_REPLAY_NAME];
    int parent; /* -1: a root */
    bool has_children;
    long long minimum; /* -1: absent */
};

struct kai_replay {
    struct kai_replay_role roles[KAI_REPLAY_ROLES];
    size_t num_roles;
    int groups[KAI_REPLAY_GROUPS]; /* their roots */
    size_t num_groups;
    struct kai_replay_node nodes[KAI_REPLAY_NODES]; /* parents before children */
    size_t num_nodes;
    bool forgets_finished;
    bool is_never_stale;
};

enum kai_replay_verdict {
    KAI_REPLAY_GANG,
    KAI_REPLAY_EVICTED,
    KAI_REPLAY_NO_GANG,
    KAI_REPLAY_STUCK
};

/* A root for a new group; the index of the group, or -1 when there is no room. `minimum` -1:
 * absent. */
int kai_replay_add_group(struct kai_replay *replay, const char *name, long long minimum);
/* A node below another; its index, or -1 when there is no room. */
int kai_replay_add_node(struct kai_replay *replay, int parent, const char *name, long long minimum);
/* By its name in a group; -1 when there is none. */
int kai_replay_find_node(const struct kai_replay *replay, int group, const char *name);

/* `role` is the one that is stuck. */
enum kai_replay_verdict kai_replay_play(struct kai_replay *replay, size_t *role);

#endif
