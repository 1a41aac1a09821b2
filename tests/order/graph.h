/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_GRAPH_H
#define TESTS_ORDER_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A random job: roles in an order of start. Made without the library, and so are the answers about
 * it. */
enum { GRAPH_MOST_ROLES = 12, GRAPH_MOST_EDGES = 5, GRAPH_MOST_GROUPS = 4 };

enum graph_label { LABEL_NONE, LABEL_TRAINER, LABEL_DATASET, LABEL_MODEL };

struct graph_edge {
    size_t target; /* always an earlier role */
    bool is_complete;
};

struct graph_role {
    char name[24];
    enum graph_label label;
    int parallelism;   /* 0: not written */
    int replicas;      /* 0: not written */
    bool is_exclusive; /* its Job template has the annotation exclusive-topology */
    struct graph_edge edges[GRAPH_MOST_EDGES];
    size_t num_edges;

    /* Of a GangJob alone. */
    long long count;
    long long min_count;   /* a multiple of the unit, at most the count */
    long long first_count; /* at most the former */
    long long unit;

    /* What it comes to, by the definitions. */
    size_t group; /* of spec.scheduling */

    unsigned stage;
    unsigned wave;
    bool is_member;
};

struct graph {
    struct graph_role roles[GRAPH_MOST_ROLES];
    size_t num_roles;
    bool is_exclusive;  /* the JobSet has the annotation exclusive-topology */
    bool selects_nodes; /* and node-selector beside it */
    bool in_order;      /* startupPolicy InOrder; the roles have the edges too */
    bool is_mpi;
    const char *gang_policy; /* member of podGroupPolicy */
    size_t num_groups;       /* of spec.scheduling, which then replaces it */
    int ml_policy;
    int runtime_nodes; /* 0: not written */
    int job_nodes;
    bool is_ambiguous;             /* trainers in two stages */
    bool is_empty;                 /* no members */
    bool basic[GRAPH_MOST_GROUPS]; /* the groups whose pods wait for nothing */
};

struct random {
    uint64_t state;
};

void graph_make(struct graph *graph, struct random *random);
/* Divides the roles into groups of level 2 of spec.scheduling. */
void graph_divide(struct graph *graph, struct random *random);
/* Fills stage, wave, is_member, is_ambiguous and is_empty by following every path. */
void graph_solve(struct graph *graph);
/* The two documents as JSON. */
void graph_write_runtime(const struct graph *graph, char *out, size_t size);
/* Makes the graph that of a GangJob: one role is declared a member, others may be outside. */
void graph_make_gang_job(struct graph *graph, struct random *random);
/* As JSON. Edges that are not Complete are Ready or Scheduled in turn. */
void graph_write_gang_job(const struct graph *graph, const char *backend, char *out, size_t size);
void graph_write_trainjob(const struct graph *graph, char *out, size_t size);
/* Whether the pods of a role's Jobs are created one first, then the others. */
bool graph_is_staggered(const struct graph *graph, size_t role);
const char *graph_label_text(enum graph_label label);

#endif
