/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "unit/job.h"

/* `values` is one digit per role. */
static void
check_digits(const struct job *job, const char *values, const char *what, bool waves)
{
    ck_assert_uint_eq(strlen(values), job->gang.num_roles);
    for (size_t i = 0; i < job->gang.num_roles; i++) {
        const struct role *role = &job->gang.roles[i];
        uint32_t value = waves ? job->gang.parts[i].wave : role->stage;

        ck_assert_msg(value == (uint32_t)(values[i] - '0'), "%s of %.*s is %u, not %c", what,
                      SLICE_ARG(role->name), value, values[i]);
    }
}

/* `outside`: one character per role, `o` for those outside. Stages and waves by the definition, by
 * hand. */
static const struct {
    const char *roles;
    const char *outside;
    const char *stages;
    const char *waves;
} orders[] = {
    /* no edges */
    {"a", "-", "0", "0"},
    {"a b c", "---", "000", "000"},
    /* one edge */
    {"a b<a:C", "--", "01", "01"},
    {"a b<a:R", "--", "00", "01"},
    {"a<b:R b", "--", "00", "10"},
    {"a<b:C b", "--", "10", "10"},
    /* chains */
    {"a b<a:C c<b:C", "---", "012", "012"},
    {"a b<a:R c<b:R", "---", "000", "012"},
    {"a b<a:R c<b:C", "---", "001", "012"},
    {"a b<a:C c<b:R", "---", "011", "012"},
    {"a b<a:C c<b:R d<c:C e<d:R", "-----", "01122", "01234"},
    /* the longer way counts */
    {"a b<a:C c<b:C d<a:C<c:C", "----", "0123", "0123"},
    {"a b<a:R c<a:C d<b:C<c:R", "----", "0011", "0112"},
    {"a b<a:C c<a:R d<b:R<c:C", "----", "0101", "0112"},
    /* diamonds */
    {"a b<a:C c<a:C d<b:C<c:C", "----", "0112", "0112"},
    {"a b<a:R c<a:R d<b:R<c:R", "----", "0000", "0112"},
    {"a b<a:C c<a:R d<b:R<c:R", "----", "0101", "0112"},
    /* a path through a role outside links two members, but counts only members */
    {"a b<a:R c<b:R", "-o-", "000", "001"},
    {"a b<a:R c<b:R", "o--", "000", "001"},
    {"a b<a:R c<b:R", "oo-", "000", "000"},
    {"a b<a:R c<b:R", "--o", "000", "010"},
    {"a b<a:R c<b:R d<c:R", "-oo-", "0000", "0001"},
    {"a b<a:R c<b:R d<c:R", "-o--", "0000", "0012"},
    {"a b<a:R c d<b:R<c:R", "-oo-", "0000", "0001"},
    {"a b c<a:R<b:R d<c:R", "o-o-", "0000", "0001"},
    /* the same edge twice, and both statuses of one role */
    {"a b<a:R<a:R", "--", "00", "01"},
    {"a b<a:R<a:C", "--", "01", "01"},
    /* two parts without an edge between them */
    {"a b<a:C x y<x:R", "----", "0100", "0101"},
    /* shipped shapes: torchtune, with cache, deepspeed */
    {"dataset model node<dataset:C<model:C", "oo-", "001", "000"},
    {"dataset node<dataset:C", "o-", "01", "00"},
    {"node launcher<node:R", "--", "00", "01"},
};

START_TEST(stages_and_waves_follow_their_definition)
{
    struct job job = job_make(orders[_i].roles);

    ck_assert(link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_str_eq(job_findings(&job), "");
    for (size_t i = 0; i < job.wishes->num_roles; i++)
        job.gang.parts[i].membership = orders[_i].outside[i] == 'o' ? ROLE_OUTSIDE : ROLE_MEMBER;
    start_order_stages(job.wishes->roles, job.wishes->num_roles,
                       start_order_sort(job.wishes->roles, job.wishes->num_roles, job.arena));
    start_order_waves(job.wishes->roles, job.gang.parts, job.wishes->num_roles,
                      start_order_sort(job.wishes->roles, job.wishes->num_roles, job.arena));
    check_digits(&job, orders[_i].stages, "stage", false);
    check_digits(&job, orders[_i].waves, "wave", true);
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    const char *path;
    const char *message; /* of the only finding */
} cycles[] = {
    {"a<a:R", "replicatedJobs[0].dependsOn[0]", "role \"a\" waits for itself"},
    {"a b<a:R<b:C", "replicatedJobs[1].dependsOn[1]", "role \"b\" waits for itself"},
    {"a<b:R b<a:R", "replicatedJobs[0].dependsOn[0]",
     "roles wait for each other: \"a\" waits for \"b\" waits for \"a\""},
    {"a<b:R b<c:C c<a:R", "replicatedJobs[0].dependsOn[0]",
     "roles wait for each other: \"a\" waits for \"b\" waits for \"c\" waits for \"a\""},
    /* what leads to the cycle and what hangs on it is not part of it */
    {"x a<x:R<b:R b<a:R y<b:R", "replicatedJobs[1].dependsOn[1]",
     "roles wait for each other: \"a\" waits for \"b\" waits for \"a\""},
    {"y<a:R a<b:R b<c:R c<b:R", "replicatedJobs[2].dependsOn[0]",
     "roles wait for each other: \"b\" waits for \"c\" waits for \"b\""},
    /* a knot of two cycles shows one */
    {"a<b:R b<a:R<c:R c<b:R", "replicatedJobs[0].dependsOn[0]",
     "roles wait for each other: \"a\" waits for \"b\" waits for \"a\""},
};

START_TEST(names_a_cycle_role_by_role)
{
    struct job job = job_make(cycles[_i].roles);

    ck_assert(!link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_str_eq(job_findings(&job), "StartOrderCycle");
    ck_assert_str_eq(job.report.items[0].path, cycles[_i].path);
    ck_assert_str_eq(job.report.items[0].message, cycles[_i].message);
    ck_assert_int_eq(job.report.items[0].severity, GANG_SEVERITY_ERROR);
    job_free(&job);
}
END_TEST

START_TEST(reports_every_separate_cycle)
{
    struct job job = job_make("a<b:R b<a:R c<a:R<d:R d<c:R e<e:C");

    ck_assert(!link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_str_eq(job_findings(&job), "StartOrderCycle StartOrderCycle StartOrderCycle");
    ck_assert_str_eq(job.report.items[1].message,
                     "roles wait for each other: \"c\" waits for \"d\" waits for \"c\"");
    job_free(&job);
}
END_TEST

START_TEST(reports_every_unknown_name)
{
    struct job job = job_make("a<nobody:R b<a:C<ghost:C");

    ck_assert(link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_str_eq(job_findings(&job), "UnknownDependency UnknownDependency");
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[0].dependsOn[0]");
    ck_assert_str_eq(job.report.items[0].message,
                     "role \"a\" depends on role \"nobody\", which does not exist");
    ck_assert_str_eq(job.report.items[1].path, "replicatedJobs[1].dependsOn[1]");
    ck_assert_uint_eq(job.wishes->roles[0].dependencies[0].index, ROLE_NONE);
    ck_assert_uint_eq(job.wishes->roles[1].dependencies[0].index, 0);
    start_order_stages(job.wishes->roles, job.wishes->num_roles,
                       start_order_sort(job.wishes->roles, job.wishes->num_roles, job.arena));
    check_digits(&job, "01", "stage", false);
    job_free(&job);
}
END_TEST

START_TEST(compatibility_only_warns)
{
    struct job job = job_make_for("a<b:R b<a:R c<ghost:R", COMPATIBILITY_KUBEFLOW_TRAINER);

    ck_assert(!link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_str_eq(job_findings(&job), "UnknownDependency StartOrderCycle");
    ck_assert(!report_has_errors(&job.report));
    job_free(&job);
}
END_TEST

/* Names of many roles are sorted. */
static const char *const with_equal_names[] = {
    "b a a a c<a:R<aa:R",
    "b a a a c<a:R<aa:R d e f g h i j k l m n o p",
    "b a a a c<a:R<aa:R d e f g h i j k l m n o p q",
    "b a a a c<a:R<aa:R z y x w v u t s r q p o n m l k",
};

START_TEST(first_of_equal_names_is_used)
{
    struct job job = job_make(with_equal_names[_i]);

    ck_assert(link_roles(job.wishes->roles, job.wishes->num_roles, &job.report));
    ck_assert_uint_eq(job.wishes->roles[4].dependencies[0].index, 1);
    ck_assert_uint_eq(job.wishes->roles[4].dependencies[1].index, ROLE_NONE);
    ck_assert_str_eq(job_findings(&job), "UnknownDependency");
    job_free(&job);
}
END_TEST

/* 1024 roles, each after the one before it; the worst start of a walk is the last role. */
static struct job
make_chain(size_t count, enum dependency_status status, bool backwards)
{
    struct job job = job_make("a");
    struct dependency *edges = arena_array(job.arena, count, sizeof(*edges));
    struct role *roles = arena_array(job.arena, count, sizeof(*roles));

    for (size_t i = 0; i < count; i++)
        roles[i].name = slice_from_text(arena_format(job.arena, "role-%zu", i));
    for (size_t i = 0; i + 1 < count; i++) {
        struct role *waiting = &roles[backwards ? i : i + 1];

        edges[i] = (struct dependency){.role = roles[backwards ? i + 1 : i].name, .status = status};
        waiting->dependencies = &edges[i];
        waiting->num_dependencies = 1;
    }
    job.wishes->roles = roles;
    job.wishes->num_roles = count;
    gang_leave_unformed(job.wishes, ROLE_MEMBER, &job.gang, job.arena);
    return job;
}

START_TEST(holds_long_chains)
{
    bool backwards = _i & 1;
    struct job job = make_chain(1024, _i & 2 ? DEPENDENCY_COMPLETE : DEPENDENCY_READY, backwards);
    struct role *roles = job.wishes->roles;

    ck_assert(link_roles(roles, 1024, &job.report));
    start_order_stages(roles, 1024, start_order_sort(roles, 1024, job.arena));
    start_order_waves(roles, job.gang.parts, 1024, start_order_sort(roles, 1024, job.arena));
    for (uint32_t i = 0; i < 1024; i++) {
        uint32_t place = backwards ? 1023 - i : i;

        ck_assert_uint_eq(roles[i].stage, _i & 2 ? place : 0);
        ck_assert_uint_eq(job.gang.parts[i].wave, place);
    }
    job_free(&job);
}
END_TEST

START_TEST(shortens_a_long_cycle)
{
    struct job job = make_chain(1024, DEPENDENCY_READY, true);
    struct dependency back = {.role = SLICE("role-0")};
    const char *message;

    job.wishes->roles[1023].dependencies = &back;
    job.wishes->roles[1023].num_dependencies = 1;
    ck_assert(!link_roles(job.wishes->roles, 1024, &job.report));
    message = job_finding(&job, GANG_CODE_START_ORDER_CYCLE)->message;
    ck_assert_ptr_nonnull(strstr(message, "\"role-0\" waits for \"role-1\" waits for \"role-2\""));
    ck_assert_ptr_nonnull(strstr(message, " more) waits for \"role-0\""));
    job_free(&job);
}
END_TEST

/* A small generator of its own, so that every machine tests the same graphs. */
static uint32_t
next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

enum { ORACLE_ROLES = 8, ORACLE_GRAPHS = 250, ORACLE_SEEDS = 80 };

/* The definitions word for word, path by path. Only graphs without cycles end. */
struct oracle {
    const struct role *roles;
    const struct role_part *parts;
    uint32_t most_complete;
    uint32_t most_members;
};

static void
oracle_follow(struct oracle *oracle, size_t role, uint32_t complete, uint32_t members)
{
    const struct role *at = &oracle->roles[role];

    if (complete > oracle->most_complete)
        oracle->most_complete = complete;
    if (members > oracle->most_members)
        oracle->most_members = members;
    for (size_t e = 0; e < at->num_dependencies; e++) {
        size_t before = at->dependencies[e].index;

        oracle_follow(oracle, before,
                      complete + (at->dependencies[e].status == DEPENDENCY_COMPLETE),
                      members + (oracle->parts[before].membership == ROLE_MEMBER));
    }
}

static bool
oracle_reaches(const struct role *roles, size_t from, size_t to, unsigned steps)
{
    for (size_t e = 0; steps && e < roles[from].num_dependencies; e++) {
        size_t next = roles[from].dependencies[e].index;

        if (next == to || oracle_reaches(roles, next, to, steps - 1))
            return true;
    }
    return false;
}

struct random_graph {
    struct role roles[ORACLE_ROLES];
    struct role_part parts[ORACLE_ROLES];
    struct dependency edges[ORACLE_ROLES][ORACLE_ROLES];
    size_t count;
};

static const char *const random_names[ORACLE_ROLES] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void
random_add_edge(struct random_graph *graph, size_t from, size_t to, uint64_t *state)
{
    struct role *role = &graph->roles[from];

    role->dependencies[role->num_dependencies++] = (struct dependency){
        .role = graph->roles[to].name,
        .status = next_random(state) % 2 ? DEPENDENCY_COMPLETE : DEPENDENCY_READY,
    };
}

/* Edges lead to roles of a smaller rank, unless cycles are wanted. Ranks are a shuffle of the
 * roles. */
static void
random_make(struct random_graph *graph, uint64_t *state, bool with_cycles)
{
    size_t rank[ORACLE_ROLES];
    uint32_t density = next_random(state) % 8;

    *graph = (struct random_graph){.count = 1 + next_random(state) % ORACLE_ROLES};
    for (size_t i = 0; i < graph->count; i++) {
        size_t other = next_random(state) % (i + 1);

        rank[i] = rank[other];
        rank[other] = i;
        graph->roles[i].name = slice_from_text(random_names[i]);
        graph->roles[i].dependencies = graph->edges[i];
        graph->parts[i].membership = next_random(state) % 3 ? ROLE_MEMBER : ROLE_OUTSIDE;
    }
    for (size_t from = 0; from < graph->count; from++)
        for (size_t to = 0; to < graph->count; to++)
            if ((with_cycles ? next_random(state) % 4 == 0 : rank[to] < rank[from]) &&
                next_random(state) % 8 <= density)
                random_add_edge(graph, from, to, state);
}

START_TEST(agrees_with_the_definitions_on_random_graphs)
{
    struct job job = job_make("a");
    uint64_t state = (uint64_t)_i + 1;

    for (int n = 0; n < ORACLE_GRAPHS; n++) {
        struct random_graph graph;

        random_make(&graph, &state, false);
        ck_assert(link_roles(graph.roles, graph.count, &job.report));
        start_order_stages(graph.roles, graph.count,
                           start_order_sort(graph.roles, graph.count, job.arena));
        start_order_waves(graph.roles, graph.parts, graph.count,
                          start_order_sort(graph.roles, graph.count, job.arena));
        for (size_t i = 0; i < graph.count; i++) {
            struct oracle oracle = {.roles = graph.roles, .parts = graph.parts};
            bool member = graph.parts[i].membership == ROLE_MEMBER;

            oracle_follow(&oracle, i, 0, 0);
            ck_assert_uint_eq(graph.roles[i].stage, oracle.most_complete);
            ck_assert_uint_eq(graph.parts[i].wave, member ? oracle.most_members : 0);
        }
    }
    ck_assert_str_eq(job_findings(&job), "");
    job_free(&job);
}
END_TEST

START_TEST(finds_cycles_of_random_graphs)
{
    uint64_t state = (uint64_t)_i + 1000;
    int circular = 0;

    for (int n = 0; n < ORACLE_GRAPHS / 10; n++) {
        struct job job = job_make("a");
        struct random_graph graph;
        bool expected = false;
        bool linked;

        random_make(&graph, &state, true);
        linked = link_roles(graph.roles, graph.count, &job.report);
        for (size_t i = 0; i < graph.count; i++)
            expected |= oracle_reaches(graph.roles, i, i, (unsigned)graph.count);
        ck_assert_int_eq(linked, !expected);
        ck_assert_int_eq(report_has_errors(&job.report), expected);
        circular += expected;
        job_free(&job);
    }
    ck_assert_int_gt(circular, 0);
    ck_assert_int_lt(circular, ORACLE_GRAPHS / 10);
}
END_TEST

START_TEST(sorts_every_role_behind_what_it_waits_for)
{
    struct job job = job_make("d<c:R c<b:R<a:C b<a:R a e<d:C");
    size_t place[5];
    const uint32_t *order;

    ck_assert(link_roles(job.wishes->roles, 5, &job.report));
    order = start_order_sort(job.wishes->roles, 5, job.arena);
    for (size_t i = 0; i < 5; i++)
        place[order[i]] = i;
    for (size_t i = 0; i < 5; i++)
        for (size_t e = 0; e < job.wishes->roles[i].num_dependencies; e++)
            ck_assert_uint_lt(place[job.wishes->roles[i].dependencies[e].index], place[i]);
    job_free(&job);
}
END_TEST

/* As far as nothing is wrong: stages are those of the two steps one by one. */
START_TEST(orders_valid_dependencies)
{
    struct job job = job_make(orders[_i].roles);
    const uint32_t *order;

    ck_assert(start_order_settle(job.wishes->roles, job.wishes->num_roles, job.arena, &order));
    check_digits(&job, orders[_i].stages, "stage", false);
    for (size_t i = 0; order && i < job.wishes->num_roles; i++)
        for (size_t e = 0; e < job.wishes->roles[order[i]].num_dependencies; e++) {
            size_t before = 0;

            while (order[before] != job.wishes->roles[order[i]].dependencies[e].index)
                before++;
            ck_assert_uint_lt(before, i);
        }
    job_free(&job);
}
END_TEST

START_TEST(refuses_cycles)
{
    struct job job = job_make(cycles[_i].roles);
    const uint32_t *order;

    ck_assert(!start_order_settle(job.wishes->roles, job.wishes->num_roles, job.arena, &order));
    ck_assert_ptr_null(order);
    job_free(&job);
}
END_TEST

START_TEST(refuses_unknown_names)
{
    struct job job = job_make("a b<a:R c<ghost:R");
    const uint32_t *order;

    ck_assert(!start_order_settle(job.wishes->roles, job.wishes->num_roles, job.arena, &order));
    job_free(&job);
}
END_TEST

START_TEST(has_no_order_where_none_waits)
{
    struct job job = job_make("a b c");
    const uint32_t *order;

    ck_assert(start_order_settle(job.wishes->roles, job.wishes->num_roles, job.arena, &order));
    ck_assert_ptr_null(order);
    ck_assert_ptr_null(start_order_sort(job.wishes->roles, job.wishes->num_roles, job.arena));
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, orders_valid_dependencies, orders, roles);
    add_rows(cases, refuses_cycles, cycles, roles);
    tcase_add_test(cases, refuses_unknown_names);
    tcase_add_test(cases, has_no_order_where_none_waits);
    add_rows(cases, stages_and_waves_follow_their_definition, orders, roles);
    add_rows(cases, names_a_cycle_role_by_role, cycles, roles);
    tcase_add_test(cases, reports_every_separate_cycle);
    tcase_add_test(cases, reports_every_unknown_name);
    tcase_add_test(cases, compatibility_only_warns);
    tcase_add_loop_test(cases, first_of_equal_names_is_used, 0, COUNT_OF(with_equal_names));
    tcase_add_loop_test(cases, holds_long_chains, 0, 4);
    tcase_add_test(cases, shortens_a_long_cycle);
    tcase_add_loop_test(cases, agrees_with_the_definitions_on_random_graphs, 0,
                        seeds(ORACLE_SEEDS));
    tcase_add_loop_test(cases, finds_cycles_of_random_graphs, 0, seeds(ORACLE_SEEDS));
    tcase_add_test(cases, sorts_every_role_behind_what_it_waits_for);
}
