/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const label_texts[] = {"", "trainer", "dataset-initializer",
                                          "model-initializer"};
static const char *const backends[] = {"coscheduling", "volcano", "kaiScheduler"};
static const char *const ml_policies[] = {NULL, "", "\"torch\":{}", "\"jax\":{}", "\"xgboost\":{}"};

const char *
graph_label_text(enum graph_label label)
{
    return label_texts[label];
}

/* splitmix64 (Steele, Lea, Flood 2014): tiny, and the same numbers everywhere. */
static uint64_t
random_next(struct random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned
random_below(struct random *random, unsigned bound)
{
    return (unsigned)(random_next(random) % bound);
}

static bool
random_chance(struct random *random, unsigned percent)
{
    return random_below(random, 100) < percent;
}

/* Making it. */

static enum graph_label
make_label(const struct graph *graph, struct random *random)
{
    unsigned dice = random_below(random, 100);

    if (graph->is_mpi)
        return LABEL_NONE;
    if (dice < 25)
        return LABEL_TRAINER;
    if (dice < 40)
        return LABEL_DATASET;
    return dice < 50 ? LABEL_MODEL : LABEL_NONE;
}

static void
add_edge(struct graph_role *role, size_t target, bool is_complete)
{
    for (size_t i = 0; i < role->num_edges; i++) {
        if (role->edges[i].target == target)
            return;
    }
    if (role->num_edges < GRAPH_MOST_EDGES)
        role->edges[role->num_edges++] = (struct graph_edge){target, is_complete};
}

static void
make_edges(struct graph *graph, size_t index, struct random *random)
{
    struct graph_role *role = &graph->roles[index];

    if (index == 0)
        return;
    if (graph->in_order) {
        add_edge(role, index - 1, false);
        return;
    }
    for (unsigned i = random_below(random, 4); i > 0; i--)
        add_edge(role, random_below(random, (unsigned)index), random_chance(random, 40));
}

static void
make_role(struct graph *graph, size_t index, struct random *random)
{
    struct graph_role *role = &graph->roles[index];

    *role = (struct graph_role){.label = make_label(graph, random)};
    snprintf(role->name, sizeof(role->name), "role-%zu", index);
    role->parallelism = random_chance(random, 60) ? 1 + (int)random_below(random, 5) : 0;
    /* the operator's own roles must have one replica */
    role->replicas = role->label == LABEL_NONE && random_chance(random, 30)
                         ? 1 + (int)random_below(random, 3)
                         : 0;
    role->is_exclusive = random_chance(random, 10);
    make_edges(graph, index, random);
}

bool
graph_is_staggered(const struct graph *graph, size_t role)
{
    if (graph->roles[role].is_exclusive)
        return !(graph->is_exclusive && graph->selects_nodes);
    return graph->is_exclusive && !graph->selects_nodes;
}

/* The shape of the MPI runtimes: workers named node, and a launcher that is the labelled trainer.
 */
static void
make_mpi(struct graph *graph, struct random *random)
{
    size_t node = random_below(random, (unsigned)graph->num_roles - 1);
    size_t launcher = node + 1 + random_below(random, (unsigned)(graph->num_roles - node - 1));

    strcpy(graph->roles[node].name, "node");
    strcpy(graph->roles[launcher].name, "launcher");
    graph->roles[launcher].label = LABEL_TRAINER;
    graph->roles[launcher].replicas = 0;
    if (!graph->in_order)
        add_edge(&graph->roles[launcher], node, false);
}

void
graph_make(struct graph *graph, struct random *random)
{
    *graph = (struct graph){
        .num_roles = 1 + random_below(random, random_chance(random, 20) ? GRAPH_MOST_ROLES : 5),
        .is_exclusive = random_chance(random, 20),
        .selects_nodes = random_chance(random, 25),
        .in_order = random_chance(random, 20),
        .gang_policy = backends[random_below(random, sizeof(backends) / sizeof(*backends))],
        .ml_policy = (int)random_below(random, sizeof(ml_policies) / sizeof(*ml_policies)),
        .runtime_nodes = random_chance(random, 50) ? 1 + (int)random_below(random, 8) : 0,
        .job_nodes = random_chance(random, 50) ? 1 + (int)random_below(random, 8) : 0,
    };
    graph->is_mpi = graph->num_roles > 1 && random_chance(random, 20);
    for (size_t i = 0; i < graph->num_roles; i++)
        make_role(graph, i, random);
    if (graph->is_mpi)
        make_mpi(graph, random);
    graph_solve(graph);
}

/* A third of the roles is elastic, a third creates its pods in two waves. */
static void
make_counts(struct graph_role *role, struct random *random)
{
    role->unit = 1 + random_below(random, 3);
    role->count = role->unit * (1 + random_below(random, 4));
    role->min_count = role->count;
    if (random_chance(random, 33))
        role->min_count =
            role->unit * (1 + random_below(random, (unsigned)(role->count / role->unit)));
    role->first_count = role->min_count;
    if (random_chance(random, 33))
        role->first_count = 1 + random_below(random, (unsigned)role->min_count);
}

void
graph_make_gang_job(struct graph *graph, struct random *random)
{
    size_t member;

    graph_make(graph, random);
    for (size_t i = 0; i < graph->num_roles; i++) {
        graph->roles[i].label = random_chance(random, 15) ? LABEL_DATASET : LABEL_NONE;
        make_counts(&graph->roles[i], random);
    }
    member = random_below(random, (unsigned)graph->num_roles);
    graph->roles[member].label = LABEL_TRAINER;
    graph_solve(graph);
}

void
graph_divide(struct graph *graph, struct random *random)
{
    graph->num_groups = 1 + random_below(random, GRAPH_MOST_GROUPS);
    for (size_t i = 0; i < graph->num_groups; i++)
        graph->basic[i] = random_chance(random, 20);
    for (size_t i = 0; i < graph->num_roles; i++)
        graph->roles[i].group = random_below(random, (unsigned)graph->num_groups);
}

/* Solving it. */

static unsigned
stage_of(const struct graph *graph, size_t index)
{
    const struct graph_role *role = &graph->roles[index];
    unsigned stage = 0;

    for (size_t i = 0; i < role->num_edges; i++) {
        unsigned before =
            stage_of(graph, role->edges[i].target) + (role->edges[i].is_complete ? 1 : 0);

        stage = before > stage ? before : stage;
    }
    return stage;
}

/* Members on the longest chain that ends before this role. */
static unsigned
wave_of(const struct graph *graph, size_t index)
{
    const struct graph_role *role = &graph->roles[index];
    unsigned wave = 0;

    for (size_t i = 0; i < role->num_edges; i++) {
        size_t target = role->edges[i].target;
        unsigned before = wave_of(graph, target) + (graph->roles[target].is_member ? 1 : 0);

        wave = before > wave ? before : wave;
    }
    return wave;
}

/* The stage of the labelled trainers, else the last one. */
static unsigned
gang_stage(struct graph *graph)
{
    unsigned last = 0;
    unsigned stage = 0;
    bool found = false;

    for (size_t i = 0; i < graph->num_roles; i++) {
        const struct graph_role *role = &graph->roles[i];

        last = role->stage > last ? role->stage : last;
        if (role->label != LABEL_TRAINER)
            continue;
        graph->is_ambiguous |= found && role->stage != stage;
        stage = role->stage;
        found = true;
    }
    return found ? stage : last;
}

void
graph_solve(struct graph *graph)
{
    unsigned stage;

    for (size_t i = 0; i < graph->num_roles; i++)
        graph->roles[i].stage = stage_of(graph, i);
    stage = gang_stage(graph);
    graph->is_empty = true;
    for (size_t i = 0; i < graph->num_roles; i++) {
        struct graph_role *role = &graph->roles[i];

        role->is_member =
            role->stage == stage && role->label != LABEL_DATASET && role->label != LABEL_MODEL;
        graph->is_empty &= !role->is_member;
    }
    for (size_t i = 0; i < graph->num_roles; i++)
        graph->roles[i].wave = graph->roles[i].is_member ? wave_of(graph, i) : 0;
}

/* Writing it. */

struct writer {
    char *out;
    size_t size;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    int len;

    va_start(arguments, format);
    len = vsnprintf(writer->out + writer->used, writer->size - writer->used, format, arguments);
    va_end(arguments);
    writer->used += (size_t)len;
}

static void
put_edges(struct writer *writer, const struct graph *graph, const struct graph_role *role)
{
    put(writer, "\"dependsOn\":[");
    for (size_t i = 0; i < role->num_edges; i++)
        put(writer, "%s{\"name\":\"%s\",\"status\":\"%s\"}", i ? "," : "",
            graph->roles[role->edges[i].target].name,
            role->edges[i].is_complete ? "Complete" : "Ready");
    put(writer, "],");
}

static const char *
container_name(const struct graph_role *role)
{
    return role->label == LABEL_DATASET || role->label == LABEL_MODEL ? label_texts[role->label]
                                                                      : "node";
}

static const char exclusive[] =
    "\"annotations\":{\"alpha.jobset.sigs.k8s.io/exclusive-topology\":\"rack\"}";
static const char node_selector[] =
    "\"annotations\":{\"alpha.jobset.sigs.k8s.io/exclusive-topology\":\"rack\","
    "\"alpha.jobset.sigs.k8s.io/node-selector\":\"true\"}";

static void
put_metadata(struct writer *writer, const struct graph_role *role)
{
    put(writer, "\"metadata\":{");
    if (role->is_exclusive)
        put(writer, "%s%s", exclusive, role->label ? "," : "");
    if (role->label)
        put(writer, "\"labels\":{\"trainer.kubeflow.org/trainjob-ancestor-step\":\"%s\"}",
            label_texts[role->label]);
    put(writer, "},");
}

static void
put_role(struct writer *writer, const struct graph *graph, size_t index)
{
    const struct graph_role *role = &graph->roles[index];

    put(writer, "%s{\"name\":\"%s\",", index ? "," : "", role->name);
    if (role->num_edges && !graph->in_order)
        put_edges(writer, graph, role);
    if (role->replicas)
        put(writer, "\"replicas\":%d,", role->replicas);
    put(writer, "\"template\":{");
    put_metadata(writer, role);
    put(writer, "\"spec\":{");
    if (role->parallelism)
        put(writer, "\"parallelism\":%d,", role->parallelism);
    put(writer, "\"template\":{\"spec\":{\"containers\":[{\"name\":\"%s\",\"image\":\"trainer:1\",",
        container_name(role));
    put(writer, "\"resources\":{\"requests\":{\"cpu\":\"%zu\"}}}]}}}}}", index + 1);
}

static void
put_ml_policy(struct writer *writer, const struct graph *graph)
{
    const char *source =
        graph->is_mpi ? "\"mpi\":{\"runLauncherAsNode\":true}" : ml_policies[graph->ml_policy];

    if (!source)
        return;
    put(writer, "\"mlPolicy\":{");
    if (graph->runtime_nodes)
        put(writer, "\"numNodes\":%d%s", graph->runtime_nodes, *source ? "," : "");
    put(writer, "%s},", source);
}

static void
put_group(struct writer *writer, const struct graph *graph, size_t group, const char *comma)
{
    const char *between = "";

    put(writer, "%s{\"schedulingPolicy\":{\"%s\":{}},\"targetReplicatedJobs\":[", comma,
        graph->basic[group] ? "basic" : "gang");
    for (size_t i = 0; i < graph->num_roles; i++) {
        if (graph->roles[i].group != group)
            continue;
        put(writer, "%s\"%s\"", between, graph->roles[i].name);
        between = ",";
    }
    put(writer, "]}");
}

static bool
has_roles(const struct graph *graph, size_t group)
{
    for (size_t i = 0; i < graph->num_roles; i++)
        if (graph->roles[i].group == group)
            return true;
    return false;
}

static void
put_gang_policy(struct writer *writer, const struct graph *graph)
{
    const char *comma = "";

    if (!graph->num_groups) {
        put(writer, "\"podGroupPolicy\":{\"%s\":{}},", graph->gang_policy);
        return;
    }
    put(writer, "\"scheduling\":{\"replicatedJobs\":[");
    for (size_t i = 0; i < graph->num_groups; i++) {
        if (!has_roles(graph, i))
            continue;
        put_group(writer, graph, i, comma);
        comma = ",";
    }
    put(writer, "]},");
}

void
graph_write_runtime(const struct graph *graph, char *out, size_t size)
{
    struct writer writer = {.out = out, .size = size};

    put(&writer,
        "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"ClusterTrainingRuntime\","
        "\"metadata\":{\"name\":\"random\"},\"spec\":{");
    put_ml_policy(&writer, graph);
    put_gang_policy(&writer, graph);
    put(&writer, "\"template\":{");
    if (graph->is_exclusive)
        put(&writer, "\"metadata\":{%s},", graph->selects_nodes ? node_selector : exclusive);
    put(&writer, "\"spec\":{");
    if (graph->in_order)
        put(&writer, "\"startupPolicy\":{\"startupPolicyOrder\":\"InOrder\"},");
    put(&writer, "\"replicatedJobs\":[");
    for (size_t i = 0; i < graph->num_roles; i++)
        put_role(&writer, graph, i);
    put(&writer, "]}}}}");
}

void
graph_write_trainjob(const struct graph *graph, char *out, size_t size)
{
    struct writer writer = {.out = out, .size = size};

    put(&writer,
        "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\","
        "\"metadata\":{\"name\":\"job\",\"namespace\":\"ml\"},\"spec\":{\"runtimeRef\":{\"name\":"
        "\"random\"}");
    if (graph->job_nodes)
        put(&writer, ",\"trainer\":{\"numNodes\":%d}", graph->job_nodes);
    put(&writer, "}}");
}

static const char *
gang_job_status(size_t role, const struct graph_edge *edge)
{
    return edge->is_complete ? "Complete" : (role + edge->target) % 2 ? "Ready" : "Scheduled";
}

static void
put_gang_job_role(struct writer *writer, const struct graph *graph, size_t index)
{
    static const char *const memberships[] = {"Auto", "Member", "Outside"};
    const struct graph_role *role = &graph->roles[index];

    put(writer, "%s{\"name\":\"%s\",\"count\":%lld,\"minCount\":%lld,\"firstCount\":%lld,",
        index ? "," : "", role->name, role->count, role->min_count, role->first_count);
    put(writer,
        "\"unit\":%lld,%s\"membership\":\"%s\",\"requests\":{\"cpu\":\"%zu\"},\"dependsOn\":[",
        role->unit, role->unit > 1 && index % 3 ? "\"unitLabel\":\"x.io/unit\"," : "",
        memberships[role->label], index + 1);
    for (size_t i = 0; i < role->num_edges; i++)
        put(writer, "%s{\"role\":\"%s\",\"status\":\"%s\"}", i ? "," : "",
            graph->roles[role->edges[i].target].name, gang_job_status(index, &role->edges[i]));
    put(writer, "]}");
}

void
graph_write_gang_job(const struct graph *graph, const char *backend, char *out, size_t size)
{
    struct writer writer = {.out = out, .size = size};

    put(&writer,
        "{\"apiVersion\":\"policy.libgang.dev/v1alpha1\",\"kind\":\"GangJob\","
        "\"metadata\":{\"name\":\"job\",\"namespace\":\"ml\"},\"spec\":{\"owner\":{"
        "\"apiVersion\":\"example.com/v1\",\"kind\":\"Job\"},\"backend\":\"%s\",\"roles\":[",
        backend);
    for (size_t i = 0; i < graph->num_roles; i++)
        put_gang_job_role(&writer, graph, i);
    put(&writer, "]}}");
}
