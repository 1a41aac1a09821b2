/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/render/plan_document.h"

#include "unit/suite.h"

static struct role roles[] = {
    {.name = SLICE_INIT("a")}, {.name = SLICE_INIT("b")}, {.name = SLICE_INIT("c")}};

/* One group of two roles, one of none, a role by itself; three deep. */
static struct gang_group groups[] = {
    {.name = SLICE_INIT("g"), .minimum = 2, .parent = GROUP_OF_GANG, .role = ROLE_NONE},
    {.name = SLICE_INIT("h"),
     .minimum = 1,
     .parent = 0,
     .role = ROLE_NONE,
     .placement = {.is_set = true, .topology = SLICE_INIT("t"), .required = SLICE_INIT("rack")}},
    {.name = SLICE_INIT("a"), .minimum = 3, .parent = 1, .role = 0},
    {.name = SLICE_INIT("b"),
     .minimum = 0,
     .parent = 0,
     .role = 1,
     .placement = {.is_set = true, .preferred = SLICE_INIT("host")}},
    {.name = SLICE_INIT("c"), .minimum = 1, .parent = GROUP_OF_GANG, .role = 2},
};

static const struct {
    size_t count;
    const char *expected;
} trees[] = {
    {0, "{\"subgroups\":[]}"},
    {5, "{\"subgroups\":["
        "{\"name\":\"g\",\"minimum\":2,\"roles\":[],\"subgroups\":["
        "{\"name\":\"h\",\"minimum\":1,\"roles\":[],\"topology\":{\"topology\":\"t\",\"required\":"
        "\"rack\"},"
        "\"subgroups\":["
        "{\"name\":\"a\",\"minimum\":3,\"roles\":[\"a\"],\"subgroups\":[]}]},"
        "{\"name\":\"b\",\"minimum\":0,\"roles\":[\"b\"],\"topology\":{\"preferred\":\"host\"},"
        "\"subgroups\":"
        "[]}]},"
        "{\"name\":\"c\",\"minimum\":1,\"roles\":[\"c\"],\"subgroups\":[]}]}"},
};

START_TEST(groups_nest)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct gang gang = {
        .roles = roles, .num_roles = 3, .groups = groups, .num_groups = trees[_i].count};
    struct buffer out = {0};

    plan_document_subgroups(&gang, &map);
    json_write(&out, map.node);
    ck_slice_eq(((struct slice){out.data, out.len}), trees[_i].expected);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, groups_nest, trees, expected, count);
}
