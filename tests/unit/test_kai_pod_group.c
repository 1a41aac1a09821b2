/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/document/writer.h"

#include "support/kai_pod_group.h"
#include "unit/suite.h"
#include "unit/job.h"
#include "unit/plans.h"
#include "unit/tree.h"

/* ---- kai pod group ---- */

/* What stays of a full PodGroup in each release. */
static const struct {
    const char *release; /* "" for none known */
    const char *spec;
} written[] = {
    {"v0.14.7",
     "{\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":\"preemptible\","
     "\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\"},{\"name\":\"b\","
     "\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}}]}"},
    {"v0.15.0",
     "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
     "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
     "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,"
     "\"topologyConstraint\":{}}]}"},
    {"v0.17.0",
     "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
     "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
     "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}"
     "}],"
     "\"preemptionDelay\":\"5m0s\",\"stalenessGracePeriod\":\"-1s\"}"},
    {"",
     "{\"minSubGroup\":1,\"queue\":\"q\",\"priorityClassName\":\"high\",\"preemptibility\":"
     "\"preemptible\",\"topologyConstraint\":{\"topology\":\"t\"},\"subGroups\":[{\"name\":\"a\","
     "\"minSubGroup\":1},{\"name\":\"b\",\"parent\":\"a\",\"minMember\":0,\"topologyConstraint\":{}"
     "}],"
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
         .placement = {.is_set = true}},
    };
    struct kai_pod_group group = {
        .min_sub_group = {true, 1},
        .queue = SLICE("q"),
        .priority_class_name = SLICE("high"),
        .preemptibility = SLICE("preemptible"),
        .preemption_delay = SLICE("5m0s"),
        .staleness_grace_period = SLICE("-1s"),
        .placement = {.topology = SLICE("t")},
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

#define TOPOLOGY(name, required_, preferred_)                                                      \
    {                                                                                              \
        .is_set = true, .topology = SLICE_INIT(name), .required = SLICE_INIT(required_),           \
        .preferred = SLICE_INIT(preferred_)                                                        \
    }
#define NO_LEVEL                                                                                   \
    {                                                                                              \
        .is_set = true                                                                             \
    }
#define NO_SUBGROUPS                                                                               \
    {                                                                                              \
        {                                                                                          \
            .name = { NULL, 0 }                                                                    \
        }                                                                                          \
    }
#define LEAF(name_, minimum) .name = SLICE_INIT(name_), .min_member = {true, minimum}

enum { CREATED_MOST_SUBGROUPS = 4 };

/*
 * KAI-Scheduler:pkg/podgrouper/podgroup/handler_test.go Test_createPodGroupForMetadata, by name:
 * its PodGroups' specs as Go writes them. The constraint of the root is no pointer there, so that
 * it is written even when it is empty.
 */
static const struct {
    const char *name;
    struct kai_pod_group group; /* without its subgroups */
    struct kai_subgroup subgroups[CREATED_MOST_SUBGROUPS];
    size_t num_subgroups;
    const char *spec;
} created[] = {
    {"basic fields mapping",
     {.min_member = {true, 5},
      .queue = SLICE_INIT("default-queue"),
      .priority_class_name = SLICE_INIT("high-priority"),
      .preemptibility = SLICE_INIT("preemptible"),
      .placement = TOPOLOGY("custom-topology", "zone", "rack")},
     NO_SUBGROUPS,
     0,
     "{'minMember':5,'queue':'default-queue','priorityClassName':'high-priority','preemptibility':'"
     "preemptible',"
     "'topologyConstraint':{'preferredTopologyLevel':'rack','requiredTopologyLevel':'zone','"
     "topology':'"
     "custom-topology'}}"},
    {"empty subgroups",
     {.min_member = {true, 3}, .placement = TOPOLOGY("test-topology", "rack", "node")},
     NO_SUBGROUPS,
     0,
     "{'minMember':3,'topologyConstraint':{'preferredTopologyLevel':'node','requiredTopologyLevel':"
     "'rack','"
     "topology':"
     "'test-topology'}}"},
    {"subgroups without topology constraints",
     {.min_member = {true, 10}, .placement = NO_LEVEL},
     {{LEAF("subgroup-1", 5)}, {LEAF("subgroup-2", 5)}},
     2,
     "{'minMember':10,'topologyConstraint':{},'subGroups':[{'name':'subgroup-1','minMember':5},{'"
     "name':'"
     "subgroup-2',"
     "'minMember':5}]}"},
    {"subgroups with topology constraints",
     {.min_member = {true, 5}, .placement = NO_LEVEL},
     {{LEAF("subgroup-1", 5), .placement = TOPOLOGY("topology-1", "rack", "node")}},
     1,
     "{'minMember':5,'topologyConstraint':{},'subGroups':[{'name':'subgroup-1','minMember':5,'"
     "topologyConstraint':{"
     "'preferredTopologyLevel':'node','requiredTopologyLevel':'rack','topology':'topology-1'}}]}"},
    {"mixed subgroups - some with constraints, some without",
     {.min_member = {true, 15}, .placement = NO_LEVEL},
     {{LEAF("subgroup-with-constraint", 5), .placement = TOPOLOGY("topology-a", "node", "socket")},
      {LEAF("subgroup-without-constraint", 5)},
      {LEAF("another-with-constraint", 5), .placement = TOPOLOGY("topology-b", "zone", "rack")}},
     3,
     "{'minMember':15,'topologyConstraint':{},'subGroups':[{'name':'subgroup-with-constraint','"
     "minMember':5,"
     "'topologyConstraint':{'preferredTopologyLevel':'socket','requiredTopologyLevel':'node','"
     "topology':'"
     "topology-a'}},"
     "{'name':'subgroup-without-constraint','minMember':5},{'name':'another-with-constraint','"
     "minMember':5,"
     "'topologyConstraint':{'preferredTopologyLevel':'rack','requiredTopologyLevel':'zone','"
     "topology':'"
     "topology-b'}}]}"},
    {"subgroups with parent references",
     {.min_member = {true, 10}, .placement = NO_LEVEL},
     {{LEAF("parent-group", 0)},
      {LEAF("child-subgroup-1", 5), .parent = SLICE_INIT("parent-group")},
      {LEAF("child-subgroup-2", 5), .parent = SLICE_INIT("parent-group")}},
     3,
     "{'minMember':10,'topologyConstraint':{},'subGroups':[{'name':'parent-group','minMember':0},{'"
     "name':'"
     "child-subgroup-1',"
     "'parent':'parent-group','minMember':5},{'name':'child-subgroup-2','parent':'parent-group','"
     "minMember':"
     "5}]}"},
    {"subgroups without parent references",
     {.min_member = {true, 10}, .placement = NO_LEVEL},
     {{LEAF("subgroup-1", 5)}, {LEAF("subgroup-2", 5)}},
     2,
     "{'minMember':10,'topologyConstraint':{},'subGroups':[{'name':'subgroup-1','minMember':5},{'"
     "name':'"
     "subgroup-2',"
     "'minMember':5}]}"},
    {"podgroup level topology constraint",
     {.min_member = {true, 5}, .placement = TOPOLOGY("custom-topology", "zone", "rack")},
     NO_SUBGROUPS,
     0,
     "{'minMember':5,'topologyConstraint':{'preferredTopologyLevel':'rack','requiredTopologyLevel':"
     "'zone','"
     "topology':"
     "'custom-topology'}}"},
    {"empty topology values; nil labels and annotations",
     {.min_member = {true, 5}, .placement = NO_LEVEL},
     NO_SUBGROUPS,
     0,
     "{'minMember':5,'topologyConstraint':{}}"},
    {"complex hierarchical subgroups",
     {.min_member = {true, 20}, .placement = TOPOLOGY("global-topology", "datacenter", "cluster")},
     {{LEAF("parent-group", 0), .placement = TOPOLOGY("topology-parent", "zone", "rack")},
      {LEAF("child-1-1", 5), .parent = SLICE_INIT("parent-group"),
       .placement = TOPOLOGY("topology-child-1", "rack", "node")},
      {LEAF("child-1-2", 5), .parent = SLICE_INIT("parent-group")},
      {LEAF("orphan-group", 10), .placement = TOPOLOGY("topology-orphan", "node", "socket")}},
     4,
     "{'minMember':20,'topologyConstraint':{'preferredTopologyLevel':'cluster','"
     "requiredTopologyLevel':'"
     "datacenter','topology':"
     "'global-topology'},'subGroups':[{'name':'parent-group','minMember':0,'topologyConstraint':{'"
     "preferredTopologyLevel':"
     "'rack','requiredTopologyLevel':'zone','topology':'topology-parent'}},{'name':'child-1-1','"
     "parent':'"
     "parent-group',"
     "'minMember':5,'topologyConstraint':{'preferredTopologyLevel':'node','requiredTopologyLevel':'"
     "rack','"
     "topology':"
     "'topology-child-1'}},{'name':'child-1-2','parent':'parent-group','minMember':5},{'name':'"
     "orphan-group',"
     "'minMember':10,"
     "'topologyConstraint':{'preferredTopologyLevel':'socket','requiredTopologyLevel':'node','"
     "topology':'"
     "topology-orphan'}}]}"},
    {"minSubGroup at the root, minMember nil",
     {.min_sub_group = {true, 2}, .placement = NO_LEVEL},
     {{LEAF("subgroup-1", 5)}, {LEAF("subgroup-2", 5)}},
     2,
     "{'minSubGroup':2,'topologyConstraint':{},'subGroups':[{'name':'subgroup-1','minMember':5},{'"
     "name':'"
     "subgroup-2',"
     "'minMember':5}]}"},
    {"minSubGroup on a subgroup, minMember nil",
     {.min_sub_group = {true, 1}, .placement = NO_LEVEL},
     {{.name = SLICE_INIT("parent-group"), .min_sub_group = {true, 1}},
      {LEAF("child-subgroup-1", 5), .parent = SLICE_INIT("parent-group")}},
     2,
     "{'minSubGroup':1,'topologyConstraint':{},'subGroups':[{'name':'parent-group','minSubGroup':1}"
     ",{'name':'"
     "child-subgroup-1',"
     "'parent':'parent-group','minMember':5}]}"},
};

START_TEST(test_create_pod_group_for_metadata)
{
    struct arena *arena = arena_new(0);
    struct kai_subgroup subgroups[CREATED_MOST_SUBGROUPS];
    struct kai_pod_group group = created[_i].group;
    struct builder spec = build_map(arena);
    struct buffer out = {0};
    char expected[DOCUMENT_SIZE];

    memcpy(subgroups, created[_i].subgroups, sizeof(subgroups));
    group.subgroups = subgroups;
    group.num_subgroups = created[_i].num_subgroups;
    kai_pod_group_build(&group, &(struct release){.is_known = false}, &spec);
    json_write(&out, spec.node);
    buffer_append_byte(&out, '\0');
    check_text(out.data, spell(expected, created[_i].spec));
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

START_TEST(distinguishes_absent_from_zero)
{
    struct arena *arena = arena_new(0);
    struct kai_pod_group group = kai_pod_group_read(
        tree_of(arena, "{\"minMember\":0,\"subGroups\":[{\"name\":\"a\"}]}"), arena);

    ck_assert(group.min_member.is_set);
    ck_assert_int_eq(group.min_member.value, 0);
    ck_assert(!group.min_sub_group.is_set);
    ck_assert_uint_eq(group.num_subgroups, 1);
    ck_assert(!group.subgroups[0].min_member.is_set);
    ck_assert(!group.placement.is_set);
    ck_assert(!slice_is_set(group.queue));
    arena_free(arena);
}
END_TEST

static const char *const constraints[] = {
    "{\"topologyConstraint\":{\"requiredTopologyLevel\":\"rack\"}}",
    "{\"topologyConstraint\":{\"preferredTopologyLevel\":\"rack\"}}",
    ("{\"topologyConstraint\":{\"preferredTopologyLevel\":\"host\",\"requiredTopologyLevel\":"
     "\"rack\"}}"),
    "{\"topologyConstraint\":{\"requiredTopologyLevel\":\"rack\",\"topology\":\"t\"}}",
};

/* A level without the name of a topology is written, too: the podgrouper does it. */
START_TEST(writes_each_part_of_a_constraint)
{
    struct arena *arena = arena_new(0);
    struct kai_pod_group group = kai_pod_group_read(tree_of(arena, constraints[_i]), arena);
    struct builder spec = build_map(arena);

    group.placement.is_set = false;
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
        kai_pod_group_read(tree_of(arena, "{\"subGroups\":[{\"name\":\"a\"}]}"), small)
            .num_subgroups,
        0);
    ck_assert(arena_failed(small));
    arena_free(small);
    arena_free(arena);
}
END_TEST

/* ---- kai fields ---- */

/* In the order of enum kai_feature: minSubGroup, external groups, delays, root of 0, finished pods
 * forgotten. */
static const struct {
    const char *release;
    const char *has;
} features[] = {
    {"v0.12.23", "-----"}, {"v0.14.7", "-----"}, {"v0.15.0", "++---"}, {"v0.15.3", "++---"},
    {"v0.16.0", "++---"},  {"v0.16.1", "++---"}, {"v0.16.2", "++--+"}, {"v0.16.8", "++--+"},
    {"v0.16.9", "++-++"},  {"v0.17.0", "+++-+"}, {"v0.17.1", "++++-"}, {"v0.18.0", "++++-"},
    {"v1.0.0", "++++-"},
};

START_TEST(features_of_each_release)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(features[_i].release), &release));
    for (int feature = KAI_MIN_SUB_GROUP; feature <= KAI_IGNORES_FINISHED; feature++)
        ck_assert_msg(kai_has((enum kai_feature)feature, &release) ==
                          (features[_i].has[feature] == '+'),
                      "feature %d in %s", feature, features[_i].release);
}
END_TEST

START_TEST(text_of_a_release)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(kai_release_text(&kai_newest_release, arena), "v0.17.0");
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, writes_what_the_release_has, written, release);
    add_rows(cases, test_create_pod_group_for_metadata, created, name, group.min_member.value,
             group.min_sub_group.value);
    add_items(cases, writes_each_part_of_a_constraint, constraints);
    tcase_add_test(cases, reads_no_subgroups_without_memory);
    tcase_add_test(cases, distinguishes_absent_from_zero);
    add_rows(cases, features_of_each_release, features, release);
    tcase_add_test(cases, text_of_a_release);
}
