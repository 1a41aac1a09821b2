/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/document/writer.h"

#include "unit/job.h"

#define LEAF(name_, parent_, minimum)                                                              \
    {                                                                                              \
        .name = SLICE_INIT(name_), .parent = SLICE_INIT(parent_), .min_member = {                  \
            .is_set = true,                                                                        \
            .value = (minimum)                                                                     \
        }                                                                                          \
    }

/* A tree: `both` of two leaves, and one leaf at the root. */
static struct kai_subgroup subgroups[] = {
    {.name = SLICE_INIT("both"), .min_sub_group = {.is_set = true, .value = 2}},
    LEAF("a", "both", 2),
    LEAF("b", "both", 0),
    {.name = SLICE_INIT("c"), .min_member = {.is_set = true, .value = 1}},
};
static const struct kai_pod_group whole = {.subgroups = subgroups,
                                           .num_subgroups = COUNT_OF(subgroups)};

START_TEST(a_tree_is_listed_below_its_parents)
{
    struct arena *arena = arena_new(0);
    struct builder map = build_map(arena);
    struct builder list = build_list_member(&map, SLICE("subgroups"));
    struct buffer out = {0};

    kai_subgroups_list(&whole, &list);
    json_write(&out, map.node);
    buffer_append_byte(&out, '\0');
    ck_assert_str_eq(out.data,
                     "{\"subgroups\":[{\"name\":\"both\",\"minimum\":2,\"roles\":[],\"subgroups\":["
                     "{\"name\":\"a\",\"minimum\":2,\"roles\":[\"a\"],\"subgroups\":[]},"
                     "{\"name\":\"b\",\"minimum\":0,\"roles\":[\"b\"],\"subgroups\":[]}]},"
                     "{\"name\":\"c\",\"minimum\":1,\"roles\":[\"c\"],\"subgroups\":[]}]}");
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

/* Source: pkg/scheduler/api/podgroup_info/job_info.go IsStale@d5bc503a: each leaf counts. */
static const struct {
    const char *period;
    int64_t minimum; /* of `both` */
    uint32_t minor;  /* of KAI */
    bool is_reported;
} optional[] = {
    {NULL, 2, 17, false}, {NULL, 1, 17, true},  {NULL, 0, 17, true},   {"-1s", 1, 17, false},
    {"5m", 1, 17, true},  {"-1s", 1, 16, true}, {"-1s", 2, 16, false},
};

START_TEST(a_gang_without_a_part_is_evicted)
{
    const struct release release = {.is_known = true, .minor = optional[_i].minor};
    struct job job = job_form("a*2 b c");
    struct kai_pod_group group = whole;
    struct kai_subgroup changed[COUNT_OF(subgroups)];

    memcpy(changed, subgroups, sizeof(changed));
    changed[0].min_sub_group.value = optional[_i].minimum;
    group.subgroups = changed;
    group.staleness_grace_period = slice_from_text(optional[_i].period);
    job.report.count = 0;
    kai_subgroups_check(&group, &release, &(struct backend_call){.gang = &job.gang}, &job.report);
    ck_assert_uint_eq(job.report.count, optional[_i].is_reported);
    if (optional[_i].is_reported)
        ck_assert_int_eq(job.report.items[0].code, GANG_CODE_OPTIONAL_GROUP_EVICTED);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, a_tree_is_listed_below_its_parents);
    add_rows(cases, a_gang_without_a_part_is_evicted, optional, minor);
}
