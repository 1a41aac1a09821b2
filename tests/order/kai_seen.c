/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of PodGroups that were written by hand and put to KAI's scheduler, through the checker:
 * it must see what was seen. Prints TAP, one line a layout.
 *
 *     kai-seen RECORDED/kai/scheduler.ndjson
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kai_replay.h"

enum { MOST_ROLES = 3, MOST_NODES = 4 };

/* A role goes to a node of the layout by its number; NOWHERE: to another scheduler. */
enum { NOWHERE = -1 };

struct layout_role {
    const char *name;
    int pods;
    int node;
    bool is_first; /* of the gang */
    bool is_late;
};

/* Of a group `minimum` is minMember, or with parts below it minSubGroup; -1: absent. */
struct layout_node {
    const char *name;
    int parent; /* the number of its group; -1: a group */
    int minimum;
};

struct layout {
    const char *scenario;
    bool is_mpi; /* the last role waits for the first to be Ready; else for all others to be
                    Complete */
    enum kai_replay_verdict expected;
    struct layout_role roles[MOST_ROLES];
    struct layout_node nodes[MOST_NODES];
};

#define TUNE(dataset, model, nodes)                                                                \
    {                                                                                              \
        {"dataset-initializer", 1, dataset, false, false},                                         \
            {"model-initializer", 1, model, false, false},                                         \
        {                                                                                          \
            "node", 4, nodes, true, false                                                          \
        }                                                                                          \
    }
#define MPI(nodes, launcher)                                                                       \
    {                                                                                              \
        {"node", 3, nodes, true, false},                                                           \
        {                                                                                          \
            "launcher", 1, launcher, false, true                                                   \
        }                                                                                          \
    }
#define THREE(root, dataset, model, nodes)                                                         \
    {                                                                                              \
        {"g", -1, root}, {"dataset-initializer", 0, dataset}, {"model-initializer", 0, model},     \
        {                                                                                          \
            "node", 0, nodes                                                                       \
        }                                                                                          \
    }
#define TWO(root, nodes, launcher)                                                                 \
    {                                                                                              \
        {"g", -1, root}, {"node", 0, nodes},                                                       \
        {                                                                                          \
            "launcher", 0, launcher                                                                \
        }                                                                                          \
    }

static const struct layout layouts[] = {
    {"x-flat-init-own",
     false,
     KAI_REPLAY_GANG,
     TUNE(1, 2, 0),
     {{"g", -1, 4}, {"d", -1, 1}, {"m", -1, 1}}},
    {"x-flat-init-own-longinit",
     false,
     KAI_REPLAY_GANG,
     TUNE(1, 2, 0),
     {{"g", -1, 4}, {"d", -1, 1}, {"m", -1, 1}}},
    {"x-skip-on-trainjob",
     false,
     KAI_REPLAY_GANG,
     TUNE(1, 2, 0),
     {{"g", -1, 4}, {"d", -1, 1}, {"m", -1, 1}}},
    {"x-flat-init-shared", false, KAI_REPLAY_GANG, TUNE(1, 1, 0), {{"g", -1, 4}, {"i", -1, 1}}},
    {"x-init-nomin", false, KAI_REPLAY_GANG, TUNE(1, 1, 0), {{"g", -1, 4}, {"i", -1, -1}}},
    {"x-flat-init-default", false, KAI_REPLAY_GANG, TUNE(NOWHERE, NOWHERE, 0), {{"g", -1, 4}}},
    {"x-flat-init-member4", false, KAI_REPLAY_STUCK, TUNE(0, 0, 0), {{"g", -1, 4}}},
    {"x-sub-111", false, KAI_REPLAY_STUCK, TUNE(1, 2, 3), THREE(-1, 1, 1, 4)},
    {"x-sub-111-min1", false, KAI_REPLAY_STUCK, TUNE(1, 2, 3), THREE(1, 1, 1, 4)},
    {"x-sub-001", false, KAI_REPLAY_STUCK, TUNE(1, 2, 3), THREE(-1, 0, 0, 4)},
    {"x-sub-001-min1", false, KAI_REPLAY_NO_GANG, TUNE(1, 2, 3), THREE(1, 0, 0, 4)},
    {"x-sub-001-min2", false, KAI_REPLAY_NO_GANG, TUNE(1, 2, 3), THREE(2, 0, 0, 4)},
    {"x-sub-001-min2-late", false, KAI_REPLAY_NO_GANG, TUNE(1, 2, 3), THREE(2, 0, 0, 4)},
    {"x-mpi-1", true, KAI_REPLAY_STUCK, MPI(0, 0), {{"g", -1, 4}}},
    {"x-mpi-flat3", true, KAI_REPLAY_GANG, MPI(0, 0), {{"g", -1, 3}}},
    {"x-mpi-two", true, KAI_REPLAY_GANG, MPI(0, 1), {{"g", -1, 3}, {"l", -1, 1}}},
    {"x-mpi-sub", true, KAI_REPLAY_STUCK, MPI(1, 2), TWO(-1, 3, 1)},
    {"x-mpi-sub-min1", true, KAI_REPLAY_STUCK, MPI(1, 2), TWO(1, 3, 1)},
    {"x-mpi-sub-launcher0", true, KAI_REPLAY_GANG, MPI(1, 2), TWO(-1, 3, 0)},
    {"x-mpi-sub-launcher0-slow", true, KAI_REPLAY_GANG, MPI(1, 2), TWO(-1, 3, 0)},
};
enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts) };

static struct kai_replay replay;

static void
read_nodes(const struct layout *layout)
{
    replay.num_groups = replay.num_nodes = 0;
    for (size_t i = 0; i < MOST_NODES && layout->nodes[i].name; i++) {
        const struct layout_node *node = &layout->nodes[i];

        if (node->parent < 0)
            kai_replay_add_group(&replay, node->name, node->minimum);
        else
            kai_replay_add_node(&replay, node->parent, node->name, node->minimum);
    }
}

static int
group_of(int node)
{
    for (size_t i = 0; i < replay.num_groups; i++)
        if (replay.groups[i] == node || replay.nodes[node].parent == replay.groups[i])
            return (int)i;
    return NOWHERE;
}

static void
read_roles(const struct layout *layout)
{
    replay.num_roles = 0;
    for (size_t i = 0; i < MOST_ROLES && layout->roles[i].name; i++) {
        const struct layout_role *source = &layout->roles[i];

        replay.roles[replay.num_roles++] = (struct kai_replay_role){
            .name = source->name,
            .replicas = 1,
            .pods = source->pods,
            .is_member = source->is_first || source->is_late,
            .is_first = source->is_first,
            .group = source->node == NOWHERE ? NOWHERE : group_of(source->node),
            .node = source->node,
        };
    }
    for (size_t i = 0; i + 1 < replay.num_roles; i++) {
        struct kai_replay_role *last = &replay.roles[replay.num_roles - 1];

        last->edges[last->num_edges++] = (struct kai_replay_edge){i, !layout->is_mpi};
    }
}

/* Before v0.15 the podgrouper took the pods away; what has no room or lacks a pod was not seen to
 * start. */
static bool
counts(const char *version)
{
    return strcmp(version, "v0.13.4") != 0 && strcmp(version, "v0.14.7") != 0;
}

/* One that may be evicted ran when its initializers were fast. */
static bool
agrees(enum kai_replay_verdict verdict, const char *seen)
{
    return (verdict == KAI_REPLAY_STUCK) == (strcmp(seen, "STUCK") == 0);
}

/* The number of recorded runs of a scenario, and of those with another result. */
static size_t
compare(const char *path, const struct layout *layout, enum kai_replay_verdict verdict,
        size_t *others)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    size_t runs = 0;

    *others = 0;
    while (file && getline(&line, &capacity, file) != -1) {
        struct json_object *run = json_tokener_parse(line);
        const char *scenario = json_object_get_string(json_object_object_get(run, "scenario"));
        const char *version = json_object_get_string(json_object_object_get(run, "version"));

        if (strcmp(scenario, layout->scenario) == 0 && counts(version)) {
            runs++;
            *others +=
                !agrees(verdict, json_object_get_string(json_object_object_get(run, "verdict")));
        }
        json_object_put(run);
    }
    free(line);
    if (file)
        fclose(file);
    return runs;
}

int
main(int argc, char **argv)
{
    int failed = argc != 2;

    printf("1..%d\n", (int)LAYOUTS);
    for (size_t i = 0; i < LAYOUTS && argc == 2; i++) {
        enum kai_replay_verdict verdict;
        size_t others;
        size_t runs;
        size_t role;
        bool passed;

        read_nodes(&layouts[i]);
        read_roles(&layouts[i]);
        verdict = kai_replay_play(&replay, &role);
        runs = compare(argv[1], &layouts[i], verdict, &others);
        passed = verdict == layouts[i].expected && runs == 4 && others == 0;
        failed += !passed;
        printf("%sok %zu - %s: verdict %d, %zu runs, %zu of them otherwise\n", passed ? "" : "not ",
               i + 1, layouts[i].scenario, (int)verdict, runs, others);
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
