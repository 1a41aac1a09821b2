/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_pod_group.h"

#include "unit/job.h"
#include "unit/tree.h"

/* What stays of a full PodGroup in each release. */
static const struct {
    const char *release; /* "" for none known */
    const char *spec;
} written[] = {
    {"v0.14.7", "{\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":\"preemptible\","
                "\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\"},{\"name\":\"b\","
                "\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}}]}"},
    {"v0.15.0", "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
                "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
                "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,"
                "\"topologyConstraint\":{}}]}"},
    {"v0.17.0",
     "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
     "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
     "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}}],"
     "\"preemptionDelay\":\"5m0s\",\"stalenessGracePeriod\":\"-1s\"}"},
    {"", "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
         "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
         "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}}],"
         "\"preemptionDelay\":\"5m0s\",\"stalenessGracePeriod\":\"-1s\"}"},
};

START_TEST(writes_what_the_release_has)
{
    struct arena *arena = arena_new(0);
    struct kai_subgroup subgroups[] = {
        {.name = SLICE_INIT("a"), .min_sub_group = {true, 1}},
        {.name = SLICE_INIT("b"),
         .parent = SLICE_INIT("a"),
         .min_member = {true, 0},
         .topology = {.is_present = true}},
    };
    struct kai_pod_group group = {
        .min_sub_group = {true, 1},
        .queue = SLICE("q"),
        .priority_class_name = SLICE("high"),
        .preemptibility = SLICE("preemptible"),
        .preemption_delay = SLICE("5m0s"),
        .staleness_grace_period = SLICE("-1s"),
        .topology = {.topology = SLICE("t")},
        .subgroups = subgroups,
        .num_subgroups = 2,
    };
    struct release release;
    struct builder spec = build_map(arena);

    release_parse(slice_from_text(written[_i].release), &release);
    kai_pod_group_build(&group, &release, &spec);
    ck_assert_str_eq(job_print(arena, spec.node), written[_i].spec);
    arena_free(arena);
}
END_TEST

START_TEST(tells_absent_from_zero)
{
    struct arena *arena = arena_new(0);
    struct kai_pod_group group =
        kai_pod_group_read(tree_of(arena, "{\"minMember\":0,\"subGroups\":[{\"name\":\"a\"}]}"), arena);

    ck_assert(group.min_member.is_set);
    ck_assert_int_eq(group.min_member.value, 0);
    ck_assert(!group.min_sub_group.is_set);
    ck_assert_uint_eq(group.num_subgroups, 1);
    ck_assert(!group.subgroups[0].min_member.is_set);
    ck_assert(!group.topology.is_present);
    ck_assert(!slice_is_set(group.queue));
    arena_free(arena);
}
END_TEST

static const char *const constraints[] = {
    "{\"topologyConstraint\":{\"requiredTopologyLevel\":\"rack\"}}",
    "{\"topologyConstraint\":{\"preferredTopologyLevel\":\"rack\"}}",
    "{\"topologyConstraint\":{\"preferredTopologyLevel\":\"host\",\"requiredTopologyLevel\":\"rack\"}}",
    "{\"topologyConstraint\":{\"requiredTopologyLevel\":\"rack\",\"topology\":\"t\"}}",
};

/* A level without the name of a topology is written, too: the podgrouper does it. */
START_TEST(writes_each_part_of_a_constraint)
{
    struct arena *arena = arena_new(0);
    struct kai_pod_group group = kai_pod_group_read(tree_of(arena, constraints[_i]), arena);
    struct builder spec = build_map(arena);

    group.topology.is_present = false;
    kai_pod_group_build(&group, &(struct release){.is_known = false}, &spec);
    ck_assert_str_eq(job_print(arena, spec.node), constraints[_i]);
    arena_free(arena);
}
END_TEST

START_TEST(reads_no_subgroups_without_memory)
{
    struct arena *arena = arena_new(0);
    struct arena *small = arena_new(1);

    ck_assert_uint_eq(
        kai_pod_group_read(tree_of(arena, "{\"subGroups\":[{\"name\":\"a\"}]}"), small).num_subgroups, 0);
    ck_assert(arena_failed(small));
    arena_free(small);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, writes_what_the_release_has, 0, COUNT_OF(written));
    tcase_add_loop_test(cases, writes_each_part_of_a_constraint, 0, COUNT_OF(constraints));
    tcase_add_test(cases, reads_no_subgroups_without_memory);
    tcase_add_test(cases, tells_absent_from_zero);
}
