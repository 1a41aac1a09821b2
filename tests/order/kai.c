/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KAI's rules, implemented twice: compares the verdict of the library from the start order with the
 * checker's simulation of the podgrouper's PodGroups, for thousands of random jobs. Prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"
#include "kai_replay.h"
#include "libgang/backend/kai/kai.h"

enum { STANDARD_CASES = 12000, MOST_COMPLAINTS = 5, OUTCOMES = 4 };

static const char *const releases[] = {"v0.12.23", "v0.13.4", "v0.14.1", "v0.14.7", "v0.15.3",
                                       "v0.16.1",  "v0.16.8", "v0.17.0", "v0.17.1"};
enum { RELEASES = sizeof(releases) / sizeof(*releases) };

static const char *const outcome_names[] = {"a gang", "evicted", "no gang", "stuck"};

/* One random job, as the library and as the checker see it. */
struct trial {
    struct arena *arena;
    struct report report;
    struct gang_wishes wishes;
    struct gang gang;
    struct kai_job job;
    struct kai_grouping grouping;
    const char *release;
    const char *annotation;
};

static unsigned
below(struct random *random, unsigned bound)
{
    struct random copy = *random;
    struct graph graph;

    graph_make(&graph, &copy); /* any step of the generator will do; it has no other way in */
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)((copy.state >> 17) % bound);
}

/* Names that do not sort as the roles start. */
static void
rename_roles(struct graph *graph, struct random *random)
{
    for (size_t i = 0; i < graph->num_roles; i++)
        snprintf(graph->roles[i].name, sizeof(graph->roles[i].name), "%c-%zu",
                 'a' + (int)below(random, 26), i);
}

static enum ancestor
ancestor_of(const struct graph_role *role)
{
    switch (role->label) {
    case LABEL_TRAINER:
        return ANCESTOR_TRAINER;
    case LABEL_DATASET:
        return ANCESTOR_DATASET_INITIALIZER;
    case LABEL_MODEL:
        return ANCESTOR_MODEL_INITIALIZER;
    case LABEL_NONE:
        break;
    }
    return ANCESTOR_NONE;
}

static enum membership_wish
wish_of(enum ancestor ancestor)
{
    if (ancestor == ANCESTOR_NONE)
        return WISH_AUTO;
    return ancestor == ANCESTOR_TRAINER ? WISH_MEMBER : WISH_OUTSIDE;
}

static int64_t
or_one(int number)
{
    return number ? number : 1;
}

static void
make_role(struct trial *trial, const struct graph *graph, size_t index)
{
    const struct graph_role *source = &graph->roles[index];
    struct role *role = &trial->wishes.roles[index];

    role->name = slice_from_text(source->name);
    role->ancestor = ancestor_of(source);
    role->wish = wish_of(role->ancestor);
    role->operator_count = or_one(source->parallelism);
    role->count = role->operator_count * or_one(source->replicas);
    if (graph_is_staggered(graph, index) && role->operator_count > 1)
        role->first_count = or_one(source->replicas);
    role->source = build_map(trial->arena).node;
    role->num_dependencies = source->num_edges;
    role->dependencies =
        arena_array(trial->arena, source->num_edges + 1, sizeof(*role->dependencies));
    for (size_t e = 0; e < source->num_edges; e++)
        role->dependencies[e] = (struct dependency){
            .role = slice_from_text(graph->roles[source->edges[e].target].name),
            .index = ROLE_NONE,
            .status = source->edges[e].is_complete ? DEPENDENCY_COMPLETE : DEPENDENCY_READY,
            .source = role->source,
        };
}

/* Pods of another scheduler, which the group waits for in vain. */
static void
send_some_elsewhere(struct trial *trial, struct random *random)
{
    for (size_t i = 0; i < trial->gang.num_roles; i++)
        if (trial->gang.parts[i].membership != ROLE_MEMBER && below(random, 100) < 15)
            trial->wishes.roles[i].scheduler_name = SLICE("default-scheduler");
}

static void
make_gang(struct trial *trial, const struct graph *graph, struct random *random)
{
    report_init(&trial->report, trial->arena, &standard_limits);
    trial->wishes.owner.name = SLICE("job");
    trial->wishes.num_roles = graph->num_roles;
    trial->wishes.roles = arena_array(trial->arena, graph->num_roles, sizeof(*trial->wishes.roles));
    for (size_t i = 0; i < graph->num_roles; i++)
        make_role(trial, graph, i);
    wishes_order_roles(&trial->wishes, &trial->report);
    gang_form(&trial->wishes, &trial->gang, &trial->report);
    send_some_elsewhere(trial, random);
}

/* None, or a number around those that matter: roles, pods of the gang. */
static const char *
pick_annotation(struct trial *trial, struct random *random)
{
    int64_t numbers[] = {1,
                         2,
                         (int64_t)trial->gang.num_roles - 1,
                         trial->gang.minimum,
                         trial->gang.pods,
                         1 + below(random, 6)};
    int64_t number = numbers[below(random, sizeof(numbers) / sizeof(*numbers))];

    return below(random, 100) < 40 || number < 1
               ? NULL
               : arena_format(trial->arena, "%lld", (long long)number);
}

static const struct node *
annotate(struct arena *arena, const char *value)
{
    struct builder map = build_map(arena);

    build_string(&map, KAI_MIN_MEMBER_ANNOTATION, slice_from_text(value));
    return map.node;
}

static void
make_job(struct trial *trial, const struct graph *graph, struct random *random)
{
    struct kai_job_role *roles = arena_array(trial->arena, graph->num_roles, sizeof(*roles));

    for (size_t i = 0; i < graph->num_roles; i++) {
        roles[i].name = trial->gang.roles[i].name;
        roles[i].replicas = or_one(graph->roles[i].replicas);
        roles[i].pods = trial->gang.roles[i].operator_count;
        if (below(random, 100) < 8)
            roles[i].annotations =
                annotate(trial->arena,
                         arena_format(trial->arena, "%lld",
                                      (long long)roles[i].pods + 1 - (long long)below(random, 3)));
        if (roles[i].annotations && trial->gang.roles[i].operator_count < 2)
            roles[i].annotations = NULL;
    }
    trial->release = releases[below(random, RELEASES)];
    trial->annotation = pick_annotation(trial, random);
    trial->job = (struct kai_job){
        .name = SLICE("job"),
        .jobset_uid = SLICE("uid"),
        .trainjob_uid = SLICE("uid-tj"),
        .in_order = graph->in_order,
        .roles = roles,
        .num_roles = graph->num_roles,
    };
    release_parse(slice_from_text(trial->release), &trial->job.release);
    if (trial->annotation)
        trial->job.jobset.annotations = annotate(trial->arena, trial->annotation);
    trial->grouping = kai_grouping_of(&trial->job, trial->arena);
}

/* What the checker sees: the objects, and which pods go where. */

static long long
int_at(const struct node *map, const char *key)
{
    int64_t value = -1;

    node_int(node_member(map, slice_from_text(key)), &value);
    return value;
}

static const char *
text_at(struct arena *arena, const struct node *map, const char *key)
{
    struct slice text = node_string(node_member(map, slice_from_text(key)));

    return slice_is_set(text) ? arena_copy(arena, text).data : NULL;
}

static void
read_group(struct kai_replay *replay, const struct node *manifest, struct arena *arena)
{
    const struct node *spec = node_member(manifest, SLICE("spec"));
    const struct node *subgroups = node_member(spec, SLICE("subGroups"));
    int group =
        kai_replay_add_group(replay, "", int_at(spec, subgroups ? "minSubGroup" : "minMember"));

    for (NODE_EACH(subgroup, subgroups)) {
        const char *parent = text_at(arena, subgroup, "parent");
        long long minimum = int_at(subgroup, "minMember");

        kai_replay_add_node(
            replay, parent ? kai_replay_find_node(replay, group, parent) : replay->groups[group],
            text_at(arena, subgroup, "name"),
            minimum >= 0 ? minimum : int_at(subgroup, "minSubGroup"));
    }
}

static void
read_role(struct kai_replay *replay, const struct trial *trial, const struct graph *graph,
          size_t index)
{
    const struct role *source = &trial->gang.roles[index];
    struct kai_replay_role *role = &replay->roles[index];
    bool is_ours = !slice_is_set(source->scheduler_name);

    *role = (struct kai_replay_role){
        .name = graph->roles[index].name,
        .replicas = or_one(graph->roles[index].replicas),
        .pods = source->operator_count,
        .first = source->first_count ? 1 : 0,
        .is_member = graph->roles[index].is_member,
        .is_first = graph->roles[index].is_member && !graph->roles[index].wave,
        .group = is_ours ? (int)(replay->num_groups > 1 ? index : 0) : -1,
    };
    for (size_t e = 0; e < graph->roles[index].num_edges; e++)
        role->edges[role->num_edges++] = (struct kai_replay_edge){
            graph->roles[index].edges[e].target, graph->roles[index].edges[e].is_complete};
    if (!is_ours)
        return;
    role->node = replay->groups[role->group];
    role->has_leaves = replay->nodes[role->node].has_children;
    if (role->has_leaves)
        role->node = kai_replay_find_node(replay, role->group,
                                          arena_format(trial->arena, "%s-replica-0", role->name));
}

/* The job replayed from the groups; what cannot be played is judged without. */
static bool
read_trial(struct kai_replay *replay, const struct trial *trial, const struct graph *graph)
{
    struct kai_prediction prediction = kai_predict(&trial->job, &trial->grouping, trial->arena);

    replay->num_roles = graph->num_roles;
    replay->num_groups = replay->num_nodes = 0;
    replay->forgets_finished =
        strcmp(trial->release, "v0.16.8") == 0 || strcmp(trial->release, "v0.17.0") == 0;
    for (size_t i = 0; i < prediction.count; i++)
        read_group(replay, kai_predicted_manifest(&trial->job, &prediction, i, trial->arena),
                   trial->arena);
    for (size_t i = 0; i < graph->num_roles && prediction.count; i++)
        read_role(replay, trial, graph, i);
    return prediction.count > 0;
}

/* A leaf that asks for more pods than its replica has is never filled. */
static bool
has_overfull_leaf(const struct kai_replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++) {
        const struct kai_replay_role *role = &replay->roles[i];

        if (role->group >= 0 && role->has_leaves &&
            replay->nodes[role->node].minimum > (role->first ? role->first : role->pods))
            return true;
    }
    return false;
}

static enum kai_replay_verdict
play_trial(struct kai_replay *replay)
{
    size_t role;

    return has_overfull_leaf(replay) ? KAI_REPLAY_STUCK : kai_replay_play(replay, &role);
}

static void
complain(const struct trial *trial, const struct graph *graph, const struct kai_verdict *verdict,
         enum kai_replay_verdict played)
{
    printf("# %s annotation %s%s: judged %s (%s), played %s\n", trial->release,
           trial->annotation ? trial->annotation : "none", graph->in_order ? " in order" : "",
           outcome_names[verdict->outcome], verdict->why, outcome_names[played]);
    for (size_t i = 0; i < graph->num_roles; i++) {
        const struct graph_role *role = &graph->roles[i];

        printf("#   %s %lldx%lld label %d%s%s minimum %lld:", role->name,
               (long long)or_one(role->replicas), (long long)trial->gang.roles[i].operator_count,
               (int)role->label, role->is_member ? " member" : "",
               slice_is_set(trial->gang.roles[i].scheduler_name) ? " elsewhere" : "",
               (long long)trial->grouping.minima[i]);
        for (size_t e = 0; e < role->num_edges; e++)
            printf(" %s:%c", graph->roles[role->edges[e].target].name,
                   role->edges[e].is_complete ? 'C' : 'R');
        printf("\n");
    }
}

static struct kai_replay replay;

/* Whether both agree; a job that is no gang at all has nothing to agree on. */
static bool
try_graph(struct random *random, size_t counts[OUTCOMES], size_t *complaints)
{
    struct trial trial = {.arena = arena_new(0)};
    struct kai_verdict verdict;
    enum kai_replay_verdict played;
    struct graph graph;
    bool agree = true;

    graph_make(&graph, random);
    rename_roles(&graph, random);
    if (!graph.is_ambiguous && !graph.is_empty) {
        make_gang(&trial, &graph, random);
        make_job(&trial, &graph, random);
        verdict = kai_judge(&trial.job, &trial.grouping, &trial.gang, SLICE("kai-scheduler"), false,
                            trial.arena);
        if (read_trial(&replay, &trial, &graph)) {
            played = play_trial(&replay);
            agree = (int)played == (int)verdict.outcome;
            counts[played]++;
            if (!agree && (*complaints)++ < MOST_COMPLAINTS)
                complain(&trial, &graph, &verdict, played);
        }
    }
    arena_free(trial.arena);
    return agree;
}

/*
 * The shipped runtimes with four nodes, and what was seen of them on real clusters when the
 * podgrouper made the group: by the checker and by the library. One letter a release, as in
 * `seen_releases`: gang, no gang, stuck.
 */
static const char *const seen_releases[] = {"v0.13.4", "v0.14.1", "v0.14.7", "v0.15.3",
                                            "v0.16.8", "v0.17.0", "v0.17.1"};
enum { SEEN_RELEASES = sizeof(seen_releases) / sizeof(*seen_releases) };
enum seen_shape { SEEN_TORCH, SEEN_TORCHTUNE, SEEN_CACHE, SEEN_MPI };

static const struct seen_row {
    enum seen_shape shape;
    bool is_elsewhere; /* other roles than the nodes use another scheduler */
    const char *annotation;
    const char *verdicts;
} seen_rows[] = {
    {SEEN_TORCH, false, NULL, "gggnggg"},     {SEEN_TORCH, false, "4", "ggggggg"},
    {SEEN_TORCHTUNE, false, NULL, "sssnsss"}, {SEEN_TORCHTUNE, false, "1", "snnnsss"},
    {SEEN_TORCHTUNE, false, "2", "snnnsss"},  {SEEN_TORCHTUNE, false, "3", "sssssss"},
    {SEEN_TORCHTUNE, false, "4", "sssssss"},  {SEEN_TORCHTUNE, false, "6", "sssssss"},
    {SEEN_CACHE, false, NULL, "sssnsss"},     {SEEN_CACHE, false, "1", "snnnsss"},
    {SEEN_MPI, false, NULL, "sssnsss"},       {SEEN_MPI, false, "1", "snnnsss"},
    {SEEN_MPI, false, "3", "sgggsss"},        {SEEN_TORCHTUNE, true, NULL, "sssnsss"},
    {SEEN_TORCHTUNE, true, "1", "snnnsss"},   {SEEN_MPI, true, "1", "snnnsss"},
};
enum { SEEN_ROWS = sizeof(seen_rows) / sizeof(*seen_rows) };

static void
add_seen_role(struct graph *graph, const char *name, enum graph_label label, int pods)
{
    struct graph_role *role = &graph->roles[graph->num_roles++];

    *role = (struct graph_role){.label = label, .parallelism = pods};
    snprintf(role->name, sizeof(role->name), "%s", name);
}

/* The last role waits for all others: for the nodes to be Ready, for initializers to be Complete.
 */
static void
make_seen(struct graph *graph, enum seen_shape shape)
{
    *graph = (struct graph){.num_roles = 0};
    if (shape == SEEN_TORCHTUNE || shape == SEEN_CACHE)
        add_seen_role(graph, "dataset-initializer", LABEL_DATASET, 1);
    if (shape == SEEN_TORCHTUNE)
        add_seen_role(graph, "model-initializer", LABEL_MODEL, 1);
    add_seen_role(graph, "node", shape == SEEN_MPI ? LABEL_NONE : LABEL_TRAINER,
                  shape == SEEN_MPI ? 3 : 4);
    if (shape == SEEN_MPI)
        add_seen_role(graph, "launcher", LABEL_TRAINER, 1);
    for (size_t i = 0; i + 1 < graph->num_roles; i++) {
        struct graph_role *last = &graph->roles[graph->num_roles - 1];

        last->edges[last->num_edges++] = (struct graph_edge){i, shape != SEEN_MPI};
    }
    graph_solve(graph);
}

static bool
see(const struct seen_row *row, size_t release)
{
    struct trial trial = {.arena = arena_new(0)};
    struct random random = {.state = 1};
    const char wanted = row->verdicts[release];
    struct kai_verdict verdict;
    enum kai_replay_verdict played;
    struct graph graph;
    bool right;

    make_seen(&graph, row->shape);
    make_gang(&trial, &graph, &random);
    make_job(&trial, &graph, &random);
    for (size_t i = 0; i < graph.num_roles; i++) {
        bool is_nodes = slice_equal(trial.gang.roles[i].name, SLICE("node"));

        trial.wishes.roles[i].scheduler_name =
            row->is_elsewhere && !is_nodes ? SLICE("default-scheduler") : NO_SLICE;
        ((struct kai_job_role *)trial.job.roles)[i].annotations = NULL;
    }
    trial.release = seen_releases[release];
    release_parse(slice_from_text(trial.release), &trial.job.release);
    trial.job.jobset.annotations = row->annotation ? annotate(trial.arena, row->annotation) : NULL;
    trial.grouping = kai_grouping_of(&trial.job, trial.arena);
    verdict = kai_judge(&trial.job, &trial.grouping, &trial.gang, SLICE("kai-scheduler"), false,
                        trial.arena);
    played = read_trial(&replay, &trial, &graph) ? play_trial(&replay) : KAI_REPLAY_EVICTED;
    right = (int)played == (int)verdict.outcome && "gens"[played] == wanted;
    if (!right)
        complain(&trial, &graph, &verdict, played);
    arena_free(trial.arena);
    return right;
}

static size_t
see_all(void)
{
    size_t right = 0;

    for (size_t i = 0; i < SEEN_ROWS * SEEN_RELEASES; i++)
        right += see(&seen_rows[i / SEEN_RELEASES], i % SEEN_RELEASES);
    return right;
}

int
main(void)
{
    const char *wish = getenv("GANG_ORDER_CASES");
    size_t cases = wish ? strtoul(wish, NULL, 10) : STANDARD_CASES;
    struct random random = {.state = 11};
    size_t counts[OUTCOMES] = {0};
    size_t complaints = 0;
    size_t played = 0;
    size_t seen = see_all();
    bool varied = true;

    for (size_t i = 0; i < cases; i++)
        try_graph(&random, counts, &complaints);
    for (size_t i = 0; i < OUTCOMES; i++) {
        played += counts[i];
        varied &= counts[i] > cases / 100;
    }
    printf("1..3\n");
    printf("%sok 1 - judged and played alike: %zu of %zu jobs\n", complaints ? "not " : "",
           played - complaints, played);
    printf("%sok 2 - of each outcome many: gang %zu, evicted %zu, no gang %zu, stuck %zu\n",
           varied ? "" : "not ", counts[0], counts[1], counts[2], counts[3]);
    printf("%sok 3 - judged and played as was seen: %zu of %d cells\n",
           seen == SEEN_ROWS * SEEN_RELEASES ? "" : "not ", seen, SEEN_ROWS * SEEN_RELEASES);
    return complaints || !varied || seen != SEEN_ROWS * SEEN_RELEASES ? EXIT_FAILURE : EXIT_SUCCESS;
}
